import KennelBrowser
import Testing

struct `Key tests` {
  @Test(arguments: [
    ("j", Key("j")), ("G", Key("G")), ("^R", Key(.character("r"), isControl: true)),
    ("^r", Key(.character("r"), isControl: true)), ("Enter", Key(.enter)), ("Esc", Key(.escape)),
    ("Bksp", Key(.backspace)), ("Alt-Left", Key(.left, isAlternate: true)), ("Space", Key(" ")),
    ("F1", Key(.function(1))), ("F12", Key(.function(12))), ("S-Tab", Key(.backTab)),
    ("^", Key("^")), ("^Left", Key(.left, isControl: true)), ("é", Key("é")), ("-", Key("-")),
    ("Alt-x", Key(.character("x"), isAlternate: true)),
    ("^Space", Key(.character(" "), isControl: true)), ("F", Key("F")), ("日", Key("日")),
  ])
  func `a key has a name`(name: String, key: Key) {
    #expect(Key(name) == key)
    #expect(Key(key.description) == key)
  }

  @Test(arguments: ["", "jj", "F0", "F01", "Enterr", "Alt-", "Alt-Alt-x", "^^R", "F99", "enter"])
  func `what is no name is no key`(name: String) {
    #expect(Key(name) == nil)
  }

  @Test(arguments: [
    ("gg", ["g", "g"]), ("gJ", ["g", "J"]), ("m a", ["m", "a"]),
    ("jjj Enter", ["j", "j", "j", "Enter"]),
    ("^Rj", ["^R", "j"]), ("Esc Esc", ["Esc", "Esc"]), (": w Enter", [":", "w", "Enter"]),
  ])
  func `keys follow each other`(text: String, names: [String]) {
    let sequence = KeySequence(text)
    #expect(sequence?.keys.map(\.description) == names)
    #expect(sequence.flatMap { KeySequence($0.description) } == sequence)
  }

  @Test func `a sequence knows its beginning`() throws {
    let sequence = try #require(KeySequence("gg"))
    #expect(sequence.begins(with: KeySequence([Key("g")])))
    #expect(!sequence.begins(with: sequence))
    #expect(!sequence.begins(with: KeySequence([Key("j")])))
    #expect(KeySequence("") == nil)
  }

  @Test func `only plain characters are typed`() {
    #expect(Key("x").typed == "x")
    #expect(Key("^X")?.typed == nil)
    #expect(Key("Alt-x")?.typed == nil)
    #expect(Key(.enter).typed == nil)
  }
}
