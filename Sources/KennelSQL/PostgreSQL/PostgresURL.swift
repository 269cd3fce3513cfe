internal import CPostgreSQL

/// A URL of a PostgreSQL database, such as `postgres://ada@db.example.com/shop`.
///
/// libpq reads it, and finds what it does not say in the environment, in services and in `.pgpass`.
package struct PostgresURL: Hashable, Sendable {
  /// The URL as it was given.
  let text: String
  /// The URL without a password: to show, and to keep.
  package let shown: String

  private static let schemes = ["postgres://", "postgresql://"]
  /// The parameters that are secrets.
  private static let secrets = ["password", "sslpassword"]

  /// Whether a text is to be taken for a URL.
  package static func isURL(_ text: String) -> Bool {
    schemes.contains(where: text.hasPrefix)
  }

  /// Reads a URL.
  ///
  /// - Throws: `SQLError` if libpq does not understand it.
  package init(_ text: String) throws(SQLError) {
    self.text = text
    shown = Self.withoutPassword(text)
    var problem: UnsafeMutablePointer<CChar>?
    let options = unsafe PQconninfoParse(text, &problem)
    defer { unsafe PQfreemem(problem) }
    guard let options = unsafe options else {
      let message = unsafe problem.map { unsafe String(cString: $0) } ?? "there is no memory for it"
      // What follows may quote a part of the password.
      let sentence = message.split(separator: ":", maxSplits: 1).first ?? ""
      throw SQLError(.failed, sentence.split(separator: "\n").joined(separator: " "))
    }
    unsafe PQconninfoFree(options)
  }

  /// A text without what is secret in a URL that ends it.
  package static func withoutPassword(in text: String) -> String {
    let starts = schemes.compactMap { text.firstRange(of: $0)?.lowerBound }
    guard let start = starts.min() else { return text }
    return text[..<start] + withoutPassword(String(text[start...]))
  }

  /// A URL without what is secret, also where it is none.
  ///
  /// As in libpq, the name of a user ends at an `@` before the first slash.
  package static func withoutPassword(_ text: String) -> String {
    guard let scheme = schemes.first(where: text.hasPrefix) else { return text }
    let rest = text.dropFirst(scheme.count)
    var place = rest.prefix { $0 != "?" }
    if let end = place.firstIndex(where: { $0 == "@" || $0 == "/" }), place[end] == "@" {
      let user = place[..<end].prefix { $0 != ":" }
      place = user + place[end...]
    }
    let parameters = rest.drop { $0 != "?" }.dropFirst().split(separator: "&")
    let kept = parameters.filter { parameter in
      !secrets.contains { parameter.hasPrefix($0 + "=") }
    }
    return scheme + place + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
  }
}
