import KennelCore

/// What brings the objects of a file from one version of the classes to the next.
public final class Migration {
  internal init() {}
}
