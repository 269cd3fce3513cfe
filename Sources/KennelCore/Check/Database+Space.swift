public import KennelStorage

extension Database {
  /// Measures what takes the space of the file, by class and property.
  ///
  /// It measures the newest commit and does not block writers. Exact; it looks at every page that
  /// is in use but reads few values, and takes a few milliseconds per property for every million
  /// objects.
  ///
  /// - Parameter progress: Called periodically with the fraction done, from 0 to 1. Return false to
  ///   cancel.
  /// - Returns: The bytes of each part.
  /// - Throws: `DatabaseError` with code `cancelled` if cancelled, or another if the file is damaged.
  public func space(progress: ((Double) -> Bool)? = nil) throws(DatabaseError) -> SpaceReport {
    guard let report = try storing(store.space(progress: progress)) else {
      throw DatabaseError(.cancelled, "Measuring \(path) was cancelled", path: path)
    }
    return report
  }
}
