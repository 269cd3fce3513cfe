internal import KennelCore

extension Operand where V: DocumentStorable {
  /// A member of a document that is a document itself.
  ///
  /// ```swift
  /// print(try companies.filter { $0.address["place"]["floor", as: Int.self] > 2 }.count)
  /// ```
  ///
  /// - Parameter member: The name of the member as it is stored; one that is not there is null.
  public subscript(_ member: String) -> Operand<Value> { Operand<Value>(path.entry(member)) }

  /// A member of a document that is a single value.
  ///
  /// - Parameters:
  ///   - member: The name of the member as it is stored.
  ///   - type: The type of the values that it is compared with; one that is not there is null.
  public subscript<W: Scalar>(_ member: String, as type: W.Type) -> Operand<W?> {
    Operand<W?>(path.entry(member))
  }
}

extension QueryPath {
  fileprivate func entry(_ name: String) -> QueryPath {
    with { $0.steps.append(.entry(name)) }
  }
}
