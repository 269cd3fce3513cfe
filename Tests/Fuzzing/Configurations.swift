import KennelBrowser

/// Files of settings, colors and keys, which every start reads.
enum Configurations: FuzzTarget {
  /// The default file, with its lines and without their comments, and what a person may make of it.
  static var seeds: [[UInt8]] {
    let template = Configuration.template
    let lines = template.split(separator: "\n").map { line in
      line.hasPrefix("#") && !line.hasPrefix("# ") ? String(line.dropFirst()) : String(line)
    }
    let tables = """
      theme = 'dark'
      keys.'g d' = "down"
      colors = { link = "red on #00ff00", "null" = \"""bold
      blue\""" }
      [[a.b]]
      c = [1, 2.5e3, 0x1f, -inf, true, 1979-05-27T07:32:00Z, [07:32:00, 1979-05-27]]
      """
    return [template, lines.joined(separator: "\n"), tables].map { Array($0.utf8) }
  }

  static func run(_ input: [UInt8]) {
    let configuration = Configuration(file: input)
    _ = configuration.complaint(about: "config.toml")
    _ = configuration.theme(hasColor: true)
    _ = configuration.charset(.unicode)
  }
}
