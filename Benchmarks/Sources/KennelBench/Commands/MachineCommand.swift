import ArgumentParser
import Glibc

/// What the machine itself can do: the limits that the other figures are held against.
struct MachineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "machine",
    abstract: "Measure the machine: memory, and how long it takes to reach the disk."
  )

  @Option(help: "Where a file is made for a moment.")
  var directory: String?

  func run() throws {
    var table = TextTable(["what", "", "unit"])
    let byteCount = 256 << 20
    let source = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 4096)
    let target = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 4096)
    defer {
      source.deallocate()
      target.deallocate()
    }
    for offset in stride(from: 0, to: byteCount, by: 8) {
      source.storeBytes(
        of: UInt64(offset) &* 0x9e37_79b9_7f4a_7c15,
        toByteOffset: offset,
        as: UInt64.self
      )
    }
    let copy = best { target.copyMemory(from: UnsafeRawBufferPointer(source)) }
    table.add(["copying memory", Figure.text(Double(byteCount) / copy / 1e6), "GB/s"])
    var sum: UInt64 = 0
    let words = source.bindMemory(to: UInt64.self)
    let read = best { for word in words { sum &+= word } }
    table.add(["reading memory in order", Figure.text(Double(byteCount) / read / 1e6), "GB/s"])
    table.add(["reading a word at random", Figure.text(randomRead(words, &sum)), "ns"])
    table.add(["a write of 4 KB and its sync", Figure.text(try sync()), "ms"])
    print(table.text)
    // The sum is looked at, so that it is computed.
    if sum == 0 { print() }
  }

  /// The shortest of several times, in milliseconds.
  private func best(_ body: () -> Void) -> Double {
    (0..<7).map { _ in Elapsed.of(body).1.milliseconds }.min() ?? 0
  }

  /// How long a read takes whose place depends on the one before.
  private func randomRead(
    _ words: UnsafeMutableBufferPointer<UInt64>,
    _ sum: inout UInt64
  ) -> Double {
    let reads = 1_000_000
    var place = 0
    let (_, elapsed) = Elapsed.of {
      for number in 0..<reads {
        // The number keeps the walk from running in a circle.
        let next = words[place] ^ UInt64(number) &* 0x9e37_79b9_7f4a_7c15
        place = Int(next >> 20 & UInt64(words.count - 1))
      }
    }
    sum &+= UInt64(place)
    return elapsed.milliseconds * 1e6 / Double(reads)
  }

  /// The median of a hundred small writes that reach the disk.
  private func sync() throws -> Double {
    let directory = try TemporaryDirectory(in: directory)
    let descriptor = open("\(directory.path)/sync", O_CREAT | O_RDWR, 0o600)
    defer { close(descriptor) }
    let page = [UInt8](repeating: 1, count: 4096)
    let times = (0..<100).map { number in
      Elapsed.of {
        pwrite(descriptor, page, page.count, off_t(number % 16 * 4096))
        fdatasync(descriptor)
      }.1.milliseconds
    }
    return times.sorted()[times.count / 2]
  }
}
