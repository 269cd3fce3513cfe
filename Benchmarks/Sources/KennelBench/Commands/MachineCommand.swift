import ArgumentParser
import Glibc

/// What the machine itself can do: the limits that the other figures are held against.
struct MachineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "machine",
    abstract: "Measure the machine: memory, objects, and how long it takes to reach the disk."
  )

  @Option(help: "Where a file is made for a moment.")
  var directory: String?

  func run() throws {
    var table = TextTable(["what", "", "unit"])
    let byteCount = 256 << 20
    let source = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 4096)
    let target = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 4096)
    defer {
      unsafe source.deallocate()
      unsafe target.deallocate()
    }
    for offset in stride(from: 0, to: byteCount, by: 8) {
      unsafe source.storeBytes(
        of: UInt64(offset) &* 0x9e37_79b9_7f4a_7c15,
        toByteOffset: offset,
        as: UInt64.self
      )
    }
    let copy = best { unsafe target.copyMemory(from: UnsafeRawBufferPointer(source)) }
    table.add(["copying memory", Figure.text(Double(byteCount) / copy / 1e6), "GB/s"])
    var sum: UInt64 = 0
    let words = unsafe source.bindMemory(to: UInt64.self)
    let read = best { for index in words.indices { unsafe sum &+= words[index] } }
    table.add(["reading memory in order", Figure.text(Double(byteCount) / read / 1e6), "GB/s"])
    unsafe table.add(["reading a word at random", Figure.text(randomRead(words, &sum)), "ns"])
    table.add(["the first use of a page of memory", Figure.text(firstUseOfMemory()), "µs"])
    for step in BoxObjects.steps {
      let time = best { step.create(Workload(dogs: 1_000_000, people: 200_000)) }
      let name = "creating and freeing the objects of \(step.name), boxes"
      table.add([name, Figure.text(time), "ms"])
    }
    let disk = try Disk(directory: directory)
    table.add(["a write of 4 KB and its sync", Figure.text(disk.page()), "ms"])
    for pieces in [1, 3, 5] {
      let name = "five pages in \(pieces) place\(pieces == 1 ? "" : "s"), one more, two syncs"
      table.add([name, Figure.text(disk.commit(pieces: pieces)), "ms"])
    }
    print(table.text)
    // The sum is looked at, so that it is computed.
    if sum == 0 { print() }
  }

  /// The shortest of several times, in milliseconds.
  private func best(_ body: () -> Void) -> Double {
    (0..<7).map { _ in Elapsed.of(body).1.milliseconds }.min() ?? 0
  }

  /// How long the system takes to give a process a page of memory, and to take it back, in microseconds.
  private func firstUseOfMemory() -> Double {
    let (pageSize, pageCount) = (4096, 20_000)
    let time = best {
      let byteCount = pageSize * pageCount
      let flags = MAP_PRIVATE | MAP_ANONYMOUS
      let memory = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, flags, -1, 0)
      guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return }
      for page in 0..<pageCount {
        unsafe memory.storeBytes(of: 1, toByteOffset: page * pageSize, as: UInt8.self)
      }
      unsafe munmap(memory, byteCount)
    }
    return time * 1000 / Double(pageCount)
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
        let next = unsafe words[place] ^ UInt64(number) &* 0x9e37_79b9_7f4a_7c15
        place = Int(next >> 20 & UInt64(words.count - 1))
      }
    }
    sum &+= UInt64(place)
    return elapsed.milliseconds * 1e6 / Double(reads)
  }
}

/// Small writes that reach the disk, to a file that has its room already.
private final class Disk {
  private static let pageSize = 4096
  private static let pageCount = 10_000

  private let directory: TemporaryDirectory
  private let descriptor: Int32
  private let bytes = [UInt8](repeating: 1, count: 5 * pageSize)
  private var dice = SystemRandomNumberGenerator()

  init(directory: String?) throws {
    self.directory = try TemporaryDirectory(in: directory)
    descriptor = unsafe open("\(self.directory.path)/sync", O_CREAT | O_RDWR, 0o600)
    for number in 0..<Self.pageCount { write(1, at: number) }
    fsync(descriptor)
  }

  deinit { close(descriptor) }

  private func write(_ pages: Int, at number: Int) {
    unsafe pwrite(descriptor, bytes, pages * Self.pageSize, off_t(number * Self.pageSize))
  }

  /// The median of many times, in milliseconds.
  private func median(_ body: (Int) -> Void) -> Double {
    let times = (0..<500).map { number in Elapsed.of { body(number) }.1.milliseconds }
    return times.sorted()[times.count / 2]
  }

  /// How long it takes to write one page and to wait for it.
  func page() -> Double {
    median { number in
      write(1, at: number % 16)
      fdatasync(descriptor)
    }
  }

  /// How long the writes of a commit that changes one value take, and nothing else: five pages in some
  /// places, a wait, the page that makes them valid, a wait.
  func commit(pieces: Int) -> Double {
    median { number in
      var left = 5
      for piece in 0..<pieces {
        let pages = left / (pieces - piece)
        left -= pages
        write(pages, at: Int.random(in: 2..<Self.pageCount - 5, using: &dice))
      }
      fdatasync(descriptor)
      write(1, at: number & 1)
      fdatasync(descriptor)
    }
  }
}
