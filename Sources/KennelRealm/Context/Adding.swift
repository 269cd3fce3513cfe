/// The state of adding objects to a realm.
internal struct Adding {
  /// The policy for objects that are added because another links to them.
  var policy = Realm.UpdatePolicy.error
  /// Whether an object is being added.
  var isActive = false
  /// Whether the stored object was made for it and has nothing but its defaults.
  var isNew = false
  /// By class number: whether new objects are null wherever they can be, as far as it was asked in
  /// this transaction.
  var nullByDefault: [Bool?] = []
}
