import KennelBrowser
import KennelCore
import KennelDocuments
import KennelModels

/// The forms that the browser copies objects in.
enum CopyForms {
  /// The formats that are text, and Swift.
  static var all: [CopyForm] {
    let formats = OutputFormat.all.compactMap { format in
      format.letter.map { letter in
        CopyForm(letter: letter, title: format.title) { reader, objects in
          var options = OutputOptions()
          // Lines to paste below others.
          options.csv.hasHeader = false
          return (try? format.text(of: objects, in: reader, options)) ?? nil
        }
      }
    }
    let swift = CopyForm(letter: "s", title: "Swift", hasKeys: false) { reader, objects in
      try? ObjectInitializers.text(of: objects, in: reader)
    }
    return formats + [swift]
  }
}
