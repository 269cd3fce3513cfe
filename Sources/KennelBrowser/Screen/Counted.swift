/// A number with its word, as in `1 change` or `3 changes`.
func counted(_ number: Int, _ word: String) -> String {
  "\(number) \(word)\(number == 1 ? "" : "s")"
}
