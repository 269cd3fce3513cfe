import Glibc
import KennelLMDB

extension Store {
  /// Writes the newest commit to a new file, without the pages that are free.
  ///
  /// - Parameter path: Where there is no file yet.
  /// - Throws: `StorageError` if there is one, this one is damaged, or the disk is full; no file is left
  ///   then.
  package func copy(to path: String) throws(StorageError) {
    // Nobody can commit to a file that is no longer at its path.
    let hasWriters = readOnlyReason == nil && place == .unchanged
    let lock = hasWriters ? try environment.beginCheckedWrite() : try check()
    defer { lock?.abort() }
    do throws(LMDBError) {
      try environment.copy(to: path)
    } catch {
      throw .lmdb(error)
    }
    do throws(StorageError) {
      try Self.renumberCommits(path)
    } catch {
      unsafe unlink(path)
      throw error
    }
  }

  /// Checks a file that cannot be written, which takes no lock.
  private func check() throws(StorageError) -> WriteTransaction? {
    guard !environment.isChecked else { return nil }
    do throws(LMDBError) {
      let pin = try environment.beginRead()
      defer { pin.release() }
      do throws(StorageError) {
        _ = try WholeFileCheck.run(pin)
      } catch {
        guard case .lmdb(let error) = error else {
          throw LMDBError(.damagedTree, .read, path: path)
        }
        throw error
      }
      environment.markChecked()
      return nil
    } catch {
      throw .lmdb(error)
    }
  }

  /// Makes the header of a copy say the commit that the copy counts.
  static func renumberCommits(_ path: String) throws(StorageError) {
    let copy: Environment
    do throws(LMDBError) {
      copy = try Environment.openCopy(path)
    } catch {
      throw .lmdb(error)
    }
    defer {
      copy.close()
      unsafe unlink(path + "-lock")
    }
    let transaction = try copy.beginCheckedWrite()
    do throws(LMDBError) {
      guard let stored = try unsafe transaction.storedHeader() else {
        transaction.abort()
        throw LMDBError(.damagedTree, .read, path: path)
      }
      var header: FileHeader
      do throws(StorageError) {
        header = try unsafe FileHeader(decoding: stored.bytes, path: path)
      } catch {
        transaction.abort()
        throw LMDBError(.damagedTree, .read, path: path)
      }
      header.isInMeta = unsafe stored.isInMeta
      try transaction.put(&header)
      try transaction.commit()
    } catch {
      throw .lmdb(error)
    }
  }
}
