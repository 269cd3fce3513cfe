import KennelCore
import Testing

@Suite("The pieces of a predicate's text")
struct PredicatePieceTests {
  @Test func `are what they mean, and where they stand`() {
    let text = "dog.in == \"é\u{301}x\" AND NOT @links.@count >= 3"
    let pieces = Predicate.pieces(of: text)
    let characters = Array(text)
    #expect(
      pieces.map(\.kind) == [
        .name("dog"), .punctuation("."), .name("in"), .comparator(.equal), .literal,
        .keyword("AND"), .keyword("NOT"), .function("links"), .punctuation("."),
        .function("count"), .comparator(.greaterOrEqual), .literal,
      ]
    )
    #expect(
      pieces.map { String(characters[$0.range]) } == [
        "dog", ".", "in", "==", "\"é\u{301}x\"", "AND", "NOT", "@links", ".", "@count", ">=", "3",
      ]
    )
  }

  @Test(arguments: [
    ("name == \"Re", "\"Re"), ("age ~ 3", "~ 3"), ("a AND  'x", "'x"), ("#", "#"),
  ])
  func `end in what cannot be read`(text: String, rest: String) {
    let last = Predicate.pieces(of: text).last
    #expect(last?.kind == .unreadable)
    #expect(last.map { String(Array(text)[$0.range]) } == rest)
  }

  @Test func `are none of a text of blanks`() {
    #expect(Predicate.pieces(of: "").isEmpty && Predicate.pieces(of: " \u{3000} ").isEmpty)
  }

  @Test func `tell values and escaped names from keywords`() {
    let kinds = Predicate.pieces(of: "#in == NULL OR `first name` IN {yes, inf}").map(\.kind)
    #expect(
      kinds == [
        .name("in"), .comparator(.equal), .literal, .keyword("OR"), .name("first name"),
        .comparator(.isIn), .punctuation("{"), .literal, .punctuation(","), .literal,
        .punctuation("}"),
      ]
    )
  }
}
