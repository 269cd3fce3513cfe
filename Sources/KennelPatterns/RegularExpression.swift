internal import CPCRE2
internal import Synchronization

/// A regular expression in Perl's syntax, by PCRE2.
///
/// The case of letters does not count, unless the expression begins with `(?-i)`. Letters, digits, words
/// and their edges are those of Unicode; `.` is any character but a line break, and `$` is the end of the
/// text only.
///
/// A search gives up beyond a number of steps (``hasGivenUp``), since some expressions, such as `(a+)+$`,
/// take time that doubles with each character of a text.
package struct RegularExpression: Hashable, Sendable {
  private let code: Code

  /// Reads an expression.
  ///
  /// - Parameter text: The expression.
  /// - Throws: `PatternError`: what is wrong with it, and where.
  package init(_ text: String) throws(PatternError) {
    code = try Code(text, ignoresCase: true, mostSteps: 200_000)
  }

  /// Whether a search gave up, and found nothing therefore.
  package var hasGivenUp: Bool { code.hasGivenUp.load(ordering: .relaxed) }

  /// The first match in a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - first: Where the search begins, as an offset in UTF-8; the edge of a scalar.
  /// - Returns: The offsets of the match in UTF-8; `nil` also where the search gives up.
  package func firstMatch(in text: String, from first: Int = 0) -> Range<Int>? {
    code.firstMatch(in: text, from: first)
  }

  package static func == (one: Self, other: Self) -> Bool { one.code.text == other.code.text }

  package func hash(into hasher: inout Hasher) { hasher.combine(code.text) }
}

/// Why a text is no regular expression.
package struct PatternError: Error {
  /// A sentence without a period.
  package let message: String
}

/// A compiled expression; PCRE2 does not change it, so that any thread may search with it.
@safe final class Code: @unchecked Sendable {
  private static let mostKibibytes: UInt32 = 16_384

  let text: String
  private let code: OpaquePointer
  private let limits: OpaquePointer
  let hasGivenUp = Atomic(false)

  /// Compiles an expression, whose searches give up after `mostSteps`; 200,000 are some milliseconds.
  init(_ text: String, ignoresCase: Bool, mostSteps: UInt32) throws(PatternError) {
    self.text = text
    var number: CInt = 0
    var offset = 0
    // `\x41` and `\u{1f436}` as in Swift and JavaScript.
    let settings = unsafe pcre2_compile_context_create_8(nil)
    defer { unsafe pcre2_compile_context_free_8(settings) }
    unsafe pcre2_set_newline_8(settings, UInt32(PCRE2_NEWLINE_ANYCRLF))
    unsafe pcre2_set_compile_extra_options_8(settings, PCRE2_EXTRA_ALT_BSUX)
    unsafe pcre2_set_max_pattern_length_8(settings, 10_000)
    let options =
      PCRE2_UTF | PCRE2_UCP | PCRE2_NO_UTF_CHECK | PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C
      | (ignoresCase ? PCRE2_CASELESS : 0)
    var copy = text
    let compiled = copy.withUTF8 { bytes in
      unsafe pcre2_compile_8(bytes.baseAddress, bytes.count, options, &number, &offset, settings)
    }
    guard let compiled = unsafe compiled, let limits = unsafe pcre2_match_context_create_8(nil)
    else {
      throw PatternError(message: Self.message(of: number, at: offset, in: text))
    }
    unsafe pcre2_set_match_limit_8(limits, mostSteps)
    unsafe pcre2_set_heap_limit_8(limits, Self.mostKibibytes)
    unsafe self.code = compiled
    unsafe self.limits = limits
  }

  deinit {
    unsafe pcre2_match_context_free_8(limits)
    unsafe pcre2_code_free_8(code)
  }

  func firstMatch(in text: String, from first: Int) -> Range<Int>? {
    let found = unsafe pcre2_match_data_create_from_pattern_8(code, nil)
    defer { unsafe pcre2_match_data_free_8(found) }
    var text = text
    let count = text.withUTF8 { bytes in
      unsafe pcre2_match_8(
        code,
        bytes.baseAddress,
        bytes.count,
        first,
        PCRE2_NO_UTF_CHECK,
        found,
        limits
      )
    }
    guard count >= 0, let offsets = unsafe pcre2_get_ovector_pointer_8(found) else {
      if count != PCRE2_ERROR_NOMATCH { hasGivenUp.store(true, ordering: .relaxed) }
      return nil
    }
    // With `\K` in a look-ahead, a match may begin behind its end.
    let (start, end) = unsafe (offsets[0], offsets[1])
    return min(start, end)..<end
  }

  /// Whether a text as a whole matches, of bytes that may be no UTF-8; `nil` where the search gives up.
  func matches(_ bytes: UnsafeRawBufferPointer) -> Bool? {
    let found = unsafe pcre2_match_data_create_8(1, nil)
    defer { unsafe pcre2_match_data_free_8(found) }
    let options = PCRE2_ANCHORED | PCRE2_ENDANCHORED
    let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let count = unsafe pcre2_match_8(code, start, bytes.count, 0, options, found, limits)
    if count >= 0 { return true }
    let isNoText = (PCRE2_ERROR_UTF8_ERR21...PCRE2_ERROR_UTF8_ERR1).contains(count)
    return isNoText || count == PCRE2_ERROR_NOMATCH ? false : nil
  }

  private static func message(of number: CInt, at offset: Int, in text: String) -> String {
    let message = unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
      let count = unsafe pcre2_get_error_message_8(number, buffer.baseAddress, buffer.count)
      return unsafe String(decoding: buffer.prefix(max(0, Int(count))), as: UTF8.self)
    }
    let before = String(decoding: text.utf8.prefix(offset), as: UTF8.self)
    return "At character \(before.count + 1): \(message)"
  }
}
