/// What every engine must answer, computed from the definition of the workload without any engine.
struct Expectations {
  private let workload: Workload

  init(_ workload: Workload) { self.workload = workload }

  /// Every fact of a whole run.
  func facts() -> [Fact: Int64] {
    var facts: [Fact: Int64] = [:]
    addLinkSums(to: &facts)
    addScans(to: &facts)
    addOrder(to: &facts)
    addUpdatesAndDeletions(to: &facts)
    return facts
  }

  private var people: Range<Int> { 0..<workload.people }
  private var positions: Range<Int> { 0..<Workload.dogsPerPerson }

  private func addLinkSums(to facts: inout [Fact: Int64]) {
    var toOne: Int64 = 0
    var toMany: Int64 = 0
    var backlinks: Int64 = 0
    for person in people {
      toOne += workload.age(of: workload.favourite(of: person))
      for position in positions {
        toMany += workload.age(of: workload.dog(position, of: person))
        backlinks += Int64(person)
      }
    }
    facts[.toOneSum] = toOne
    facts[.toManySum] = toMany
    facts[.backlinkSum] = backlinks
    var random = RandomPeople(workload)
    facts[.lookupSum] = (0..<Workload.lookups).reduce(into: 0) { sum, _ in sum += random.next() }
    facts[.reopenedBirthdate] = Int64(workload.personToReopen)
  }

  private func addScans(to facts: inout [Fact: Int64]) {
    var older: Int64 = 0
    var boxers: Int64 = 0
    var names: Int64 = 0
    for dog in 0..<workload.dogs {
      if workload.age(of: dog) > 10 {
        older += 1
        if workload.breed(of: dog) == 1 { boxers += 1 }
      }
      if contains999(dog) { names += 1 }
    }
    facts[.olderThanTen] = older
    facts[.olderBoxers] = boxers
    facts[.namesWith999] = names
  }

  private func contains999(_ number: Int) -> Bool {
    var rest = number
    while rest >= 999 {
      if rest % 1000 == 999 { return true }
      rest /= 10
    }
    return false
  }

  /// Sorts numbers that are built so that their order is that of breed, age and name.
  ///
  /// Names share their prefix, so their digits decide: aligned to the left, then the shorter one.
  private func addOrder(to facts: inout [Fact: Int64]) {
    let width = String(workload.dogs).utf8.count
    var keys: [UInt64] = []
    keys.reserveCapacity(workload.dogs)
    for dog in 0..<workload.dogs {
      var aligned = dog
      var length = String(dog).utf8.count
      let digits = length
      while length < width {
        aligned *= 10
        length += 1
      }
      let breed = workload.breed(of: dog).map { $0 + 1 } ?? 0
      keys.append(
        UInt64(breed) << 60 | UInt64(workload.age(of: dog)) << 54 | UInt64(aligned) << 5
          | UInt64(digits)
      )
    }
    keys.sort()
    var order = OrderHash()
    var names = OrderHash()
    for (index, key) in keys.enumerated() {
      var dog = Int(key >> 5 & (1 << 49 - 1))
      for _ in Int(key & 31)..<width { dog /= 10 }
      order.add(dog)
      if index < 50 { names.add("Dog \(dog)") }
    }
    facts[.sortOrder] = order.fact
    facts[.sortedNames] = names.fact
  }

  private func addUpdatesAndDeletions(to facts: inout [Fact: Int64]) {
    var ages = (0..<workload.dogs).map { workload.age(of: $0) }
    for transaction in 0..<Workload.smallTransactions {
      let change = workload.smallChange(transaction)
      ages[change.dog] = change.age
    }
    facts[.agesAfterSmallTransactions] = ages.reduce(0, +)
    for dog in ages.indices { ages[dog] += 1 }
    facts[.agesAfterBulkUpdate] = ages.reduce(0, +)

    let living = people.filter { $0 % 2 == 0 }
    facts[.peopleAfterCascade] = Int64(living.count)
    facts[.addressesAfterCascade] = Int64(living.count)
    facts[.listLinksAfterCascade] = Int64(living.count * positions.count)
    facts[.backlinkSumAfterCascade] = living.reduce(0) { $0 + Int64($1 * positions.count) }

    let isDead = { (dog: Int) in dog % 10 == 0 }
    facts[.dogsAfterDeletion] = Int64(ages.indices.filter { !isDead($0) }.count)
    var links: Int64 = 0
    var listed: Int64 = 0
    for person in living {
      for dog in positions.map({ workload.dog($0, of: person) }) where !isDead(dog) {
        links += 1
        listed += ages[dog]
      }
    }
    facts[.listLinksAfterDeletion] = links
    facts[.listedAgesAfterDeletion] = listed
    facts[.nullFavouritesAfterDeletion] = Int64(
      living.filter { isDead(workload.favourite(of: $0)) }.count
    )
  }
}
