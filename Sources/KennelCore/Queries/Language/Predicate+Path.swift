extension Predicate {
  /// A way from an object to values: properties, links, backlinks, and what is made of the values
  /// at its end.
  ///
  /// `dogs.@avg.age` and `dogs.age.@avg` are the same path.
  public struct Path: Hashable, Sendable {
    /// The variable of a subquery that it starts from, without the dollar sign; `nil` where it
    /// starts from the object that the query looks at.
    public var variable: String?
    /// The steps; none is the object itself.
    public var steps: [Step]
    /// What is made of all values at the end.
    public var aggregate: Aggregate?
    /// Where each step stands in the text, and at last the aggregate; may be shorter.
    var columns = Columns()

    /// Makes a path.
    public init(_ steps: [Step], variable: String? = nil, aggregate: Aggregate? = nil) {
      self.steps = steps
      self.variable = variable
      self.aggregate = aggregate
    }

    /// Makes a path of property names separated by dots.
    public init(_ names: String) {
      self.init(names.split(separator: ".").map { .property(String($0)) })
    }

    /// The object itself.
    public static let itself = Path([])
  }

  /// One step of a path.
  public enum Step: Hashable, Sendable {
    /// To the value of a property, the elements of its collection, the objects it links to, or
    /// the objects that a declared backlink of this name comes from.
    case property(String)
    /// To the objects of a class that link here by a property, declared as a backlink or not.
    case links(origin: String, property: String)
    /// To every object that links here.
    case allLinks
    /// To the value of a map under a key.
    case entry(String)
    /// To the element of a list at a position from 0.
    case index(Int)
    /// To the keys of a map.
    case allKeys
    /// To the values of a map.
    case allValues
  }

  /// What is made of all the values at the end of a path.
  public enum Aggregate: String, Hashable, Sendable, CaseIterable {
    /// How many there are.
    case count
    /// The smallest; null where there is none.
    case min
    /// The largest; null where there is none.
    case max
    /// All of them added up; 0 where there is none.
    case sum
    /// Their mean; null where there is none.
    case average = "avg"
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
