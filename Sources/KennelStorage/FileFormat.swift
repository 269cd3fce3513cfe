/// The file format; see the end of the work for its essay.
package enum FileFormat {
  package static let version: UInt32 = 1
}
