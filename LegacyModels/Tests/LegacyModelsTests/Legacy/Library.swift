// swift-format-ignore-file
import RealmSwift

class Shelf: Object {
  @objc dynamic var _id: ObjectId = ObjectId.generate()
  @objc dynamic var _wing: String = ""
  @objc dynamic var label: String = ""
  // A list declared with let.
  let books = List<Book>()
  override static func primaryKey() -> String? {
    return "_id"
  }
}

class Book: Object {
  @objc dynamic var _id: ObjectId = ObjectId.generate()
  @objc dynamic var title: String = ""
  // The list above, followed backwards.
  let shelves = LinkingObjects(fromType: Shelf.self, property: "books")
  override static func primaryKey() -> String? {
    return "_id"
  }
}
