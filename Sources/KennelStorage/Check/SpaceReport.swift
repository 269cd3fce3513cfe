/// The use of a file's space, in bytes.
///
/// ```swift
/// let report = try database.space()
/// let largest = report.parts.max { $0.byteCount < $1.byteCount }
/// print(report.fileByteCount, largest?.byteCount ?? 0)
/// ```
///
/// All numbers are exact: the parts and the other numbers add up to ``fileByteCount``.
public struct SpaceReport: Hashable, Sendable {
  /// The space of a property, or of a class beside its properties.
  ///
  /// ```swift
  /// for part in try database.space().parts where part.indexByteCount > part.valueByteCount {
  ///   print(part.classKey, part.byteCount)
  /// }
  /// ```
  public struct Part: Hashable, Sendable {
    /// The class.
    public let classKey: ClassKey
    /// The property; `nil` for what the class needs to know which objects live.
    public let property: PropertyKey?
    /// Bytes of the values, long ones included.
    public internal(set) var valueByteCount = 0
    /// Bytes of the index.
    public internal(set) var indexByteCount = 0
    /// Bytes of the links of the property, stored backwards.
    public internal(set) var backlinkByteCount = 0

    /// All of it.
    public var byteCount: Int { valueByteCount + indexByteCount + backlinkByteCount }
  }

  /// The classes and their properties, in the order of the schema.
  public internal(set) var parts: [Part] = []
  /// Room in the pages of values and indexes that nothing fills.
  public internal(set) var unfilledByteCount = 0
  /// The upper levels of the trees, the schema, the list of free pages, and values of properties
  /// that were deleted.
  public internal(set) var structureByteCount = 0
  /// Pages that the next commits write to, or that compacting gives back.
  public internal(set) var freeByteCount = 0
  /// The size of the file.
  public internal(set) var fileByteCount = 0

  init() {}
}
