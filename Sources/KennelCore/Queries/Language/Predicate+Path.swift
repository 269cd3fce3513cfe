extension Predicate {
  /// A path from an object to values: properties, links, backlinks, and an aggregate of the values
  /// at its end.
  ///
  /// ```swift
  /// let ages = Predicate.Path("dogs.age")
  /// let predicate = Predicate.comparison(.init(.path(ages), .greater, .literal(.int(5))))
  /// print(try snapshot.objects(of: person.key, where: predicate).count)
  /// ```
  ///
  /// `dogs.@avg.age` and `dogs.age.@avg` are the same path.
  public struct Path: Hashable, Sendable {
    /// The variable of a subquery where the path starts, without the dollar sign; `nil` if it
    /// starts from the queried object.
    public var variable: String?
    /// The steps.
    ///
    /// Without steps, the path is the object itself.
    public var steps: [Step]
    /// The aggregate of the values at the end.
    public var aggregate: Aggregate?
    /// Where each step stands in the text, and at last the aggregate; may be shorter.
    var columns = Columns()

    /// Creates a path.
    public init(_ steps: [Step], variable: String? = nil, aggregate: Aggregate? = nil) {
      self.steps = steps
      self.variable = variable
      self.aggregate = aggregate
    }

    /// Creates a path of property names separated by dots.
    public init(_ names: String) {
      self.init(names.split(separator: ".").map { .property(String($0)) })
    }

    /// The object itself.
    public static let itself = Path([])
  }

  /// One step of a path.
  ///
  /// ```swift
  /// let owners = Predicate.Path([.links(origin: "Person", property: "dogs"), .property("name")])
  /// let isAdas = Predicate.Comparison(.path(owners), .equal, .literal(.string("Ada")))
  /// print(try snapshot.objects(of: dog.key, where: .comparison(isAdas)).count)
  /// ```
  public enum Step: Hashable, Sendable {
    /// To the value of a property, its elements, its targets, or the objects of a declared
    /// backlink; from a mixed value, which may be a map, to that of the entry of that name.
    case property(String)
    /// To the objects of a class that link here through a property, without a declared backlink.
    case links(origin: String, property: String)
    /// To all objects that link here.
    case allLinks
    /// To the value of a map under a key; the map may be a mixed value.
    case entry(String)
    /// To the element of a list at a position from 0, or from −1 backwards; the list may be a mixed value.
    case index(Int)
    /// To the elements of a collection, which may be a mixed value.
    case all
    /// To the name of the kind that a mixed value has, such as `int`, `list` or `map`.
    case kind
    /// To the keys of a map.
    case allKeys
    /// To the values of a map.
    case allValues
  }

  /// Where the parts of a path stand; any two are equal, as ``Source`` are.
  struct Columns: Hashable, Sendable {
    /// The column of the path's first character; 0 where no text says it.
    var start = 0
    /// The columns of the steps and the aggregate.
    var parts: [Int] = []

    static func == (left: Columns, right: Columns) -> Bool { true }

    func hash(into hasher: inout Hasher) {}

    subscript(step: Int) -> Int {
      step < parts.count ? parts[step] : start
    }
  }
}
