/// A number and a noun, as in `1 object`, `3 objects` or `2 properties`.
package func counted(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
  "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
}
