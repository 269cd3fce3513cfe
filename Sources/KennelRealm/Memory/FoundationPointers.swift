import Foundation

// What Foundation answers through pointers.

extension FileManager {
  /// Returns whether a file is a folder; `nil` where there is no file.
  internal func isFolder(atPath path: String) -> Bool? {
    var isFolder: ObjCBool = false
    return unsafe fileExists(atPath: path, isDirectory: &isFolder) ? isFolder.boolValue : nil
  }
}

extension NSNumber {
  /// The type in C that the number was made of, as Objective-C encodes it.
  internal var typeCode: String { unsafe String(cString: objCType) }
}
