import KennelRealm

/// The block leaves it out.
class Dog: Object {
  @Persisted var name = ""
}
