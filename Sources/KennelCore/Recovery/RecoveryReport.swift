public import KennelStorage

/// What a recovery saved and what is lost.
///
/// ```swift
/// let report = try Database.recover(damaged, into: database)
/// print(report.objectCount)
/// for loss in report.losses { print(loss.message) }
/// ```
public struct RecoveryReport: Hashable, Sendable {
  /// Something that is lost, or not what it should be.
  ///
  /// ```swift
  /// let lost = report.losses.filter { $0.kind == .objects }
  /// print(lost.map(\.className))
  /// ```
  public struct Loss: Hashable, Sendable {
    /// The kinds of losses.
    ///
    /// ```swift
    /// let isComplete = report.losses.allSatisfy { $0.kind == .olderValues }
    /// print(isComplete)
    /// ```
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      /// It is not known which pages are of the newest commit, so that anything saved may be older.
      case uncertainCommit
      /// The classes are of an older commit, or of another file.
      case olderClasses
      /// Objects are lost.
      case objects
      /// Objects are lost, if there were any with these keys.
      case possibleObjects
      /// Objects were saved that may have been deleted.
      case possiblyDeleted
      /// Which objects there are is of an older commit, or may be.
      case olderObjects
      /// Values of a property are lost.
      case values
      /// Values of a property were saved that are of an older commit, or may be.
      case olderValues
      /// Links are lost because their targets are.
      case links
      /// A property got another type, so that it can be null where its value is lost.
      case property
    }

    /// The kind.
    public let kind: Kind
    /// The class; `nil` if the loss is not that of a class.
    public let className: String?
    /// The property; `nil` if the loss is not that of a property.
    public let propertyName: String?
    /// The keys of the objects, ascending.
    public internal(set) var keys: [ClosedRange<ObjectKey>]
    /// Names the target of a link, such as `Dog/42`.
    public let target: String?

    /// Says what is lost.
    public var message: String {
      let place = [className, propertyName].compactMap(\.self).joined(separator: ".")
      switch kind {
      case .uncertainCommit:
        return
          "What was saved may be older than the newest commit: it is not known which pages are"
      case .olderClasses: return "The classes are not those of the newest commit, which are lost"
      case .objects: return "\(place): lost objects \(keyText)"
      case .possibleObjects: return "\(place): lost objects \(keyText), if there were any"
      case .possiblyDeleted: return "\(place): saved, but may have been deleted: objects \(keyText)"
      case .olderObjects:
        return "\(place): which there are is of an older commit, or may be: objects \(keyText)"
      case .values: return "\(place): lost values of objects \(keyText)"
      case .olderValues: return "\(place): values that are older, or may be, of objects \(keyText)"
      case .links: return "\(place): lost links to \(target ?? "?") of objects \(keyText)"
      case .property: return "\(place): can be null now, because values of it are lost"
      }
    }

    private var keyText: String {
      keys.map { range in
        let (first, last) = (range.lowerBound.rawValue, range.upperBound.rawValue)
        if last >= ObjectKey.firstProvisional - 1 { return "from \(first) on" }
        return first == last ? "\(first)" : "\(first)–\(last)"
      }.joined(separator: ", ")
    }
  }

  /// The number of the newest commit of which the file has a page.
  public internal(set) var commitNumber = 0
  /// The number of objects that were saved, embedded ones included.
  public internal(set) var objectCount = 0
  /// What is lost.
  public internal(set) var losses: [Loss] = []
}

/// Gathers losses by what is the same in them.
@_spi(Faces)
public struct LossGatherer {
  private var order: [RecoveryReport.Loss] = []
  private var keys: [RecoveryReport.Loss: [ClosedRange<ObjectKey>]] = [:]

  /// Makes a gatherer of nothing.
  public init() {}

  /// Adds a loss of some objects of a class, or of their values of a property.
  public mutating func add(
    _ kind: RecoveryReport.Loss.Kind,
    _ className: String? = nil,
    _ propertyName: String? = nil,
    _ range: ClosedRange<ObjectKey>? = nil,
    target: String? = nil
  ) {
    let subject = RecoveryReport.Loss(
      kind: kind,
      className: className,
      propertyName: propertyName,
      keys: [],
      target: target
    )
    if keys[subject] == nil {
      order.append(subject)
      keys[subject] = []
    }
    guard let range else { return }
    // Most keys come in their order: so there are few ranges.
    if let last = keys[subject]?.last, last.upperBound.rawValue + 1 == range.lowerBound.rawValue {
      keys[subject]?.removeLast()
      keys[subject]?.append(last.lowerBound...range.upperBound)
    } else {
      keys[subject]?.append(range)
    }
  }

  internal mutating func add(
    _ kind: RecoveryReport.Loss.Kind,
    _ className: String,
    _ propertyName: String? = nil,
    at key: ObjectKey,
    target: String? = nil
  ) {
    add(kind, className, propertyName, key...key, target: target)
  }

  /// The losses in the order in which they were met.
  public var losses: [RecoveryReport.Loss] {
    order.map { subject in
      var loss = subject
      loss.keys = joined(keys[subject] ?? [])
      return loss
    }
  }

  /// Sorts ranges and joins neighbours.
  private func joined(_ ranges: [ClosedRange<ObjectKey>]) -> [ClosedRange<ObjectKey>] {
    var joined: [ClosedRange<ObjectKey>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, last.upperBound.rawValue + 1 >= range.lowerBound.rawValue {
        joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }
}
