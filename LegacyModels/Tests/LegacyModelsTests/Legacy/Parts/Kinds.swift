// swift-format-ignore-file
import Foundation
@_exported import RealmSwift

@objc enum Temper: Int, RealmEnum, CaseIterable { case calm, angry }

@objcMembers
class Animal: Object {
  dynamic var name = "", nick: String?
  dynamic var age: Int = 0 {
    didSet { changes += 1 }
  }
  dynamic var born = Date(timeIntervalSince1970: 0), photo: Data? = nil
  dynamic var keeper: Keeper?
  let tags = List<String>()
  var changes = 0
  var label: String { "\(name) (\(age))" }
  dynamic var scratch: [Int] = []
  private dynamic var hidden = 1

  override static func primaryKey() -> String? { #keyPath(Animal.name) }
  override static func indexedProperties() -> [String] { ["age"] }
  override static func ignoredProperties() -> [String] { ["scratch", "changes"] }
  @objc func secret() -> Int { hidden }
}

@objc(StoredKeeper) public class Keeper: Object {
  @objc dynamic private(set) var number: Int64 = 7 // "@objc dynamic"
  @objc /* a comment */ dynamic var home: Home?
  @objc dynamic var computed: Int { Int(number) * 2 }
  let animals = LinkingObjects(fromType: Animal.self, property: "keeper")
  func renumber(_ number: Int64) { self.number = number }

  static let query = "\(#keyPath(number)) > %@"
  static let text = """
    @objc dynamic var notCode = 0
    """
}

@objc(Boss) class HeadKeeper: Keeper { override class func className() -> String { "HeadKeeper" } }
@objc(Deputy)
final class SecondKeeper: Keeper {}

class Home: EmbeddedObject {
  @objc dynamic var street: String! = "Main Street"
  @objc public dynamic var rooms: Int8 = 3
}

/// A line number that the rewriting must keep.
let lineOfKinds = #line
let fileOfKinds = #filePath
