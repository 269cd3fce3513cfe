/// A pointer to memory of a view, whose owner frees it when the view goes: a directory, or a column.
///
/// Nothing is counted, so that following it takes what a pointer takes, in debug builds too. Typed
/// properties inline it into programs.
///
/// Safe to use while the view lives, like everything that a view gives out.
@usableFromInline
@safe package struct ViewHandle<Memory> {
  @usableFromInline package let pointer: UnsafeMutablePointer<Memory>

  @inlinable
  @inline(__always)
  package init(_ pointer: UnsafeMutablePointer<Memory>) { unsafe self.pointer = pointer }

  @inlinable
  package var pointee: Memory {
    @_transparent
    unsafeAddress { unsafe UnsafePointer(pointer) }
    @_transparent
    nonmutating unsafeMutableAddress { unsafe pointer }
  }
}

/// An array in the memory of a view, which does not grow.
///
/// Safe to use while the view lives: indices are below `count`, which only debug builds check again.
@usableFromInline
@safe struct ViewArray<Element> {
  @usableFromInline let start: UnsafeMutablePointer<Element>
  @usableFromInline let count: Int

  @inlinable
  @inline(__always)
  init(_ start: UnsafeMutablePointer<Element>, count: Int) {
    unsafe self.start = start
    self.count = count
  }

  /// An array without elements, which nobody owns.
  static var empty: ViewArray {
    unsafe ViewArray(UnsafeMutablePointer(bitPattern: 64).unsafelyUnwrapped, count: 0)
  }

  @inlinable
  subscript(index: Int) -> Element {
    @_transparent
    unsafeAddress { unsafe UnsafePointer(handle(index).pointer) }
    @_transparent
    nonmutating unsafeMutableAddress { unsafe handle(index).pointer }
  }

  @_transparent
  @usableFromInline
  func handle(_ index: Int) -> ViewHandle<Element> {
    assert(index >= 0 && index < count)
    return unsafe ViewHandle(start + index)
  }
}
