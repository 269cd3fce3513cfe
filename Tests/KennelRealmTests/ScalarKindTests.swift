import Foundation
import KennelCore
import KennelRealm
import KennelTestSupport
import Testing

@Suite struct `Each kind of scalar` {
  private static var types: [any _Scalar.Type] {
    [
      Bool.self, Int.self, Float.self, Double.self, String.self, Data.self, Date.self,
      KennelRealm.ObjectId.self, UUID.self, KennelRealm.Decimal128.self,
    ]
  }

  @Test func `is the type of a persisted property`() throws {
    #expect(Self.types.map { kind(of: $0) } == EveryKind.scalars)
    let folder = try TemporaryFolder()
    let path = folder.file("test.kennel")
    let database = try Database.open(path)
    let object = try EveryKind.make(in: database, isFilled: false)
    let configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: path),
      objectTypes: []
    )
    let realm = try Realm(configuration: configuration)
    let specimen = try #require(realm.dynamicObjects(EveryKind.definition.name).first)
    try realm.write {
      for type in Self.types { try set(type, of: specimen) }
    }
    for type in Self.types { try expect(type, of: specimen) }
    try EveryKind.expectFilled(object, in: database.snapshot())
  }

  private func kind<T: _Scalar>(of type: T.Type) -> ValueKind { T.Stored.kind }

  private func value<T: _Scalar>(_ type: T.Type) throws -> T {
    T._fromStored(try #require(T.Stored(EveryKind.value(T.Stored.kind))))
  }

  private func set<T: _Scalar>(_ type: T.Type, of object: DynamicObject) throws {
    let value = try value(type)
    #expect(T._decode(value._encode(nil), nil) == value, "\(T.self)")
    object["\(T.Stored.kind)"] = value
  }

  private func expect<T: _Scalar>(_ type: T.Type, of object: DynamicObject) throws {
    let value = try value(type)
    #expect(object["\(T.Stored.kind)"] as? T == value, "\(T.self)")
  }
}
