import KennelConversion
import KennelCore
import KennelRealmFile

/// A `.realm` file that becomes a database.
struct RealmSource {
  /// A file that an app writes is read so often before it is given up.
  private static let mostAttempts = 5

  let path: String
  /// What is read of a file.
  enum Part {
    /// The newest commit, all of which must be sound.
    case newestCommit
    /// What is whole of a damaged file, and rows in free space if those are wanted.
    case whole(includesFreed: Bool)
  }

  /// The key of an encrypted file.
  let key: RealmEncryptionKey?
  /// The newest commit when the file was opened.
  private let file: RealmFile
  private let part: Part

  var isEncrypted: Bool { file.isEncrypted }
  /// Tells one state of the file from another, beside its size and time.
  ///
  /// An app writes through a map, which sets the time late. The number of classes tells a copy that an
  /// older kennel made, which read fewer.
  var version: String {
    let classCount = file.classes.count { $0.className != nil }
    return "\(file.formatVersion).\(file.commitVersion).\(classCount)"
  }
  var losses: RealmLosses { RealmImporter(file).losses }
  /// What is lost of a damaged file of which only what is whole is read.
  var damages: [RecoveryReport.Loss] { RealmImporter(file).damages }

  /// The number of rows from free space.
  var freedCount: Int { file.freedCount }

  var commitVersion: UInt64 { file.commitVersion }

  /// Opens the newest commit of a file; asks for its key where that is needed and none was given.
  ///
  init(_ path: String, _ part: Part = .newestCommit) throws {
    self.path = path
    self.part = part
    var key = try FileKeys.realmKey()
    do {
      file = try Self.open(path, key, part)
    } catch RealmFileError.keyNeeded {
      key = try FileKeys.askForRealmKey(of: path)
      guard let key else {
        throw CommandError(
          "Cannot open \(path): it is not a Realm file, or it is encrypted; give its key with "
            + "--key-file FILE or in $\(FileKeys.variableName)"
        )
      }
      file = try Self.told(path) { try Self.open(path, key, part) }
    } catch {
      throw CommandError(error, path)
    }
    self.key = key
  }

  private static func open(
    _ path: String,
    _ key: RealmEncryptionKey?,
    _ part: Part
  ) throws(RealmFileError) -> RealmFile {
    switch part {
    case .newestCommit: try RealmFile(path: path, key: key)
    case .whole(let includesFreed):
      try .salvaging(path: path, key: key, includesFreed: includesFreed)
    }
  }

  /// Turns errors of the file into sentences.
  private static func told<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as RealmFileError {
      throw CommandError(error, path)
    } catch let error as RealmImportError {
      var sentence = CommandError("Cannot read \(path): \(error)")
      sentence.isDamage = true
      throw sentence
    }
  }

  /// Whether a file begins like a Realm file, or has the name of one, which an encrypted file has.
  static func isRealm(_ path: String) -> Bool {
    RealmFile.looksLikeRealm(path: path) || path.lowercased().hasSuffix(".realm") && exists(path)
  }

  // MARK: - Importing

  /// Fills an empty database with what the newest commit holds.
  ///
  /// An app may write the file meanwhile: then it is read again.
  func fill(
    _ database: Database,
    beforeCommit: () -> Void = {},
    progress: (Double) -> Void
  ) throws -> RealmImporter.Summary {
    try Self.told(path) {
      var file = file
      var attempt = 1
      while true {
        do {
          return try database.writeWhenFree { transaction in
            let summary = try RealmImporter(file).run(in: transaction, progress: progress)
            beforeCommit()
            return summary
          }
        } catch RealmFileError.changedWhileReading where attempt < Self.mostAttempts {
          attempt += 1
          file = try Self.open(path, key, part)
        }
      }
    }
  }

  /// Checks the structure of the file; each problem is a sentence.
  func check() throws -> [String] {
    try Self.told(path) { try file.check().map(\.description) }
  }
}

extension CommandError {
  init(_ error: RealmFileError, _ path: String) {
    let text = error.description
    let sentence = text.hasSuffix(".") ? String(text.dropLast()) : text
    self.init(sentence.contains(path) ? sentence : "Cannot read \(path): \(sentence)")
    if case .notRealm = error { isDamage = true } else { isDamage = error.isDamage }
  }
}
