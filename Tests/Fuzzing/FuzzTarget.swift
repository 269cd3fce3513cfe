/// Something of the project that reads bytes which anybody may have made.
///
/// A target is one file in this folder and one line of `targets` in `main.swift`.
protocol FuzzTarget {
  /// The inputs that a fuzzer begins with.
  static var seeds: [[UInt8]] { get }

  /// Reads an input, and catches its errors: only a trap, a signal, and a run of ten seconds are
  /// findings.
  static func run(_ input: [UInt8])
}

/// The function that libFuzzer calls.
typealias Run = @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32

func feed(_ target: any FuzzTarget.Type, _ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  unsafe target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}
