extension Object {
  /// Creates an unmanaged object from a dictionary, an array or another object.
  ///
  /// - Parameter value: A dictionary by property name, an array of all property values in order, or
  ///   an object with the same property names. Links take such values, too.
  public convenience init(value: Any) {
    self.init()
    ObjectFiller(policy: .error).fill(self, with: value)
  }
}

extension EmbeddedObject {
  /// Creates an unmanaged object from a dictionary, an array or another object.
  ///
  /// - Parameter value: See ``Object/init(value:)``.
  public convenience init(value: Any) {
    self.init()
    ObjectFiller(policy: .error).fill(self, with: value)
  }
}
