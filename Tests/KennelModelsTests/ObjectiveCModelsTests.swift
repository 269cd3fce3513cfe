import Foundation
import KennelModels
import SwiftScanning
import Testing

@Suite struct `Objective-C models become Swift` {
  private static let goldens = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("Goldens")

  /// Compares with the Swift file beside an Objective-C one; writes it where UPDATE_GOLDENS is set.
  private func expectGolden(_ name: String) throws -> ObjectiveCModels.Translation {
    let source = Self.goldens.appendingPathComponent("\(name).m")
    let golden = Self.goldens.appendingPathComponent("\(name).swift.txt")
    let text = try String(contentsOf: source, encoding: .utf8)
    let translation = try ObjectiveCModels.translate([("\(name).m", text)])
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
      try translation.text.write(to: golden, atomically: true, encoding: .utf8)
    }
    #expect(translation.text == (try String(contentsOf: golden, encoding: .utf8)))
    return translation
  }

  @Test func `each shape of relationship`() throws {
    #expect(try expectGolden("library").notes.isEmpty)
  }

  @Test func `every type and every class method`() throws {
    let notes = try expectGolden("everything").notes
    #expect(
      notes.map(\.description) == [
        "everything.m:84: note: AppDelegate does not inherit RLMObject and is left out"
      ]
    )
  }

  @Test func `models that are called like types`() throws {
    #expect(try expectGolden("namesakes").notes.isEmpty)
  }

  @Test func `headers and implementations in any order`() throws {
    let header = """
      #import "Other.h"
      @interface A : RLMObject
      @property NSString *name;
      @end
      """
    let implementation = """
      @interface A ()
      @property NSInteger hidden;
      @end
      @implementation A
      + (NSString *)primaryKey { return @"name"; }
      @end
      """
    let text = try ObjectiveCModels.translate([("A.m", implementation), ("A.h", header)]).text
    #expect(
      text == """
        import KennelRealm

        class A: Object {
          @Persisted(primaryKey: true) var name: String?
          @Persisted var hidden: Int
        }

        """
    )
  }

  @Test(arguments: [
    ("int main() {}", 1, "No class here inherits RLMObject"),
    ("@interface A : RLMObject\n@property NSUInteger a;\n@end", 2, "A.a: Realm does not store"),
    ("@interface A : RLMObject\n@property unsigned int a;\n@end", 2, "unsigned int"),
    ("@interface A : RLMObject\n\n@property B *b;\n@end", 3, "give the file that declares it"),
    ("@interface A : RLMObject\n@property NSNumber *a;\n@end", 2, "NSNumber<RLMInt> *"),
    ("@interface A : RLMObject\n@property RLMArray *a;\n@end", 2, "RLMArray<Dog *><Dog> *"),
    ("@interface A : RLMObject\n@property RLMArray<B *><B> *a;\n@end", 2, "declares the class"),
    ("@interface A : RLMObject\n@property NSString a;\n@end", 2, "lacks its asterisk"),
    ("@interface A : RLMObject\n@property NSString *a\n@end", 3, "Expected ';'"),
    ("@interface A : RLMObject\n@property RLMArray<A *<A> *a;\n@end", 2, "'>' is missing"),
    ("@interface A : RLMObject\n@property NSString *a;", 1, "@end is missing"),
    (
      "@interface A : RLMObject\n@end\n@interface A : RLMObject\n@end", 3,
      "A was declared before, at A.m:1"
    ),
    (
      "@interface A : RLMObject\n@property (readonly) RLMLinkingObjects *a;\n@end", 2,
      "does not say which class and property"
    ),
    (
      implementation("+ (NSString *)primaryKey { return [self key]; }"), 6,
      "does not return a string"
    ),
    (
      implementation("+ (NSString *)primaryKey { if (x) return @\"a\"; return nil; }"), 6,
      "+primaryKey does more than return a literal"
    ),
    (implementation("+ (NSString *)primaryKey { return Key; }"), 6, "'Key' in +primaryKey"),
    (implementation("+ (NSString *)primaryKey { return @1; }"), 6, "does not return a string"),
    (
      implementation("+ (NSString *)primaryKey {\n  return @\"b\";\n}"), 6,
      "+[A primaryKey] names 'b', which is no property of A"
    ),
    (
      implementation("+ (NSArray *)requiredProperties { return @[@\"a\", @2]; }"), 6,
      "something else than strings"
    ),
    (implementation("+ (NSArray *)indexedProperties { return @[@\"x\"]; }"), 6, "names 'x'"),
    (
      implementation("+ (NSArray *)requiredProperties { return @[@\"link\"]; }"), 3,
      "a to-one link is always optional"
    ),
    (
      implementation(
        "+ (NSDictionary *)defaultPropertyValues {\n  return @{\n    @\"a\": @1 };\n}"
      ),
      8, "The default of A.a cannot be translated to String?"
    ),
    (
      implementation(
        "+ (NSDictionary *)linkingObjectsProperties {\n  return @{@\"a\": @\"b\"};\n}"
      ), 7,
      "descriptorWithClass"
    ),
  ])
  func `what has no translation is told with its place`(
    text: String,
    line: Int,
    says: String
  ) throws {
    let diagnostic = #expect(throws: Diagnostic.self) {
      try ObjectiveCModels.translate([("A.m", text)])
    }
    let message = diagnostic?.description ?? ""
    #expect(message.hasPrefix("A.m:\(line): error: "), "\(message)")
    #expect(message.contains(says), "\(message)")
  }

  /// A class with a method, which begins in line 6.
  private static func implementation(_ method: String) -> String {
    """
    @interface A : RLMObject
    @property NSString *a;
    @property A *link;
    @end
    @implementation A
    \(method)
    @end
    """
  }
}
