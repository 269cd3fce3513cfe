import KennelBox
import Testing

@Suite struct `A query` {
  private func withBooks(_ body: (KennelBox.Store) throws -> Void) throws {
    try withStore { store in
      let jane = Author("Jane")
      let mary = Author("Mary")
      let day = 86_400.0
      let books = [
        Book("Emma", pages: 474, price: 5, published: Date(timeIntervalSince1970: day), by: jane),
        Book("persuasion", pages: 249, price: 4.5, by: jane),
        Book("Frankenstein", pages: 280, published: Date(timeIntervalSince1970: 3 * day), by: mary),
        Book("Mathilda", pages: 120, price: 9, published: Date(timeIntervalSince1970: 2 * day)),
      ]
      books[0].isbn = "a"
      books[2].isbn = "B"
      try store.books.put(books)
      let tags = [Tag("long"), Tag("ghost")]
      try store.tags.put(tags)
      books[0].tags.append(tags[0])
      books[2].tags.append(contentsOf: tags)
      for book in books { try book.tags.applyToDb() }
      try body(store)
    }
  }

  private func ids(
    _ store: KennelBox.Store,
    _ condition: () -> QueryCondition<Book>
  ) throws -> [Id] {
    try store.books.query(condition).build().findIds().map(\.value)
  }

  @Test func `compares numbers`() throws {
    try withBooks { store in
      try #expect(ids(store) { Book.pages == 280 } == [3])
      try #expect(ids(store) { Book.pages != 280 } == [1, 2, 4])
      try #expect(ids(store) { Book.pages > 249 } == [1, 3])
      try #expect(ids(store) { Book.pages >= 249 } == [1, 2, 3])
      try #expect(ids(store) { Book.pages < 249 } == [4])
      try #expect(ids(store) { Book.pages <= 249 } == [2, 4])
      try #expect(ids(store) { Book.pages.isGreaterOrEqual(249) } == [1, 2, 3])
      try #expect(ids(store) { Book.price.isLessOrEqual(5) } == [1, 2])
      try #expect(ids(store) { Book.pages.isBetween(280, and: 249) } == [2, 3])
      try #expect(
        !ids(store) { Book.title.isBetween("Z", and: "A") }.isEmpty
          && ids(store) { Book.title.isBetween("Z", and: "A") }
            == ids(store) { Book.title.isBetween("A", and: "Z") }
      )
      try #expect(ids(store) { Book.pages ∈ 120..<280 } == [2, 4])
      try #expect(ids(store) { Book.pages ∈ 120...280 } == [2, 3, 4])
      try #expect(ids(store) { Book.pages ∈ [1, 120] } == [4])
      try #expect(ids(store) { Book.pages ∉ [474, 120] } == [2, 3])
      try #expect(ids(store) { Book.pages.isIn([]) } == [])
      try #expect(ids(store) { Book.price > 4.5 } == [1, 4])
      try #expect(ids(store) { Book.price.isEqual(to: 4.6, tolerance: 0.2) } == [2])
    }
  }

  @Test func `matches no null but with isNil`() throws {
    try withBooks { store in
      try #expect(ids(store) { Book.price < 100 } == [1, 2, 4])
      try #expect(ids(store) { Book.isbn != "a" } == [3])
      try #expect(ids(store) { Book.isbn.isNil() } == [2, 4])
      try #expect(ids(store) { Book.price.isNotNil() } == [1, 2, 4])
      try #expect(ids(store) { Book.author.isNil() } == [4])
    }
  }

  @Test func `compares texts, with and without their case`() throws {
    try withBooks { store in
      try #expect(ids(store) { Book.title == "Emma" } == [1])
      try #expect(ids(store) { Book.title == "emma" } == [])
      try #expect(ids(store) { Book.title.isEqual(to: "EMMA", caseSensitive: false) } == [1])
      try #expect(
        ids(store) { Book.title.isNotEqual(to: "EMMA", caseSensitive: false) } == [2, 3, 4]
      )
      try #expect(ids(store) { Book.title.startsWith("per") } == [2])
      try #expect(ids(store) { Book.title.hasPrefix("PER", caseSensitive: false) } == [2])
      try #expect(ids(store) { Book.title.endsWith("a") } == [1, 4])
      try #expect(ids(store) { Book.title.hasSuffix("STEIN", caseSensitive: false) } == [3])
      try #expect(ids(store) { Book.title.contains("at") } == [4])
      try #expect(ids(store) { Book.title < "G" } == [1, 3])
      try #expect(ids(store) { Book.title > "Frankenstein" } == [2, 4])
      try #expect(ids(store) { Book.title.isLessThan("F", caseSensitive: false) } == [1])
      try #expect(ids(store) { Book.title.isGreaterThan("m", caseSensitive: false) } == [2, 4])
      try #expect(ids(store) { Book.title ∈ ["Emma", "nothing"] } == [1])
      try #expect(ids(store) { Book.title.isIn(["EMMA"], caseSensitive: false) } == [1])
    }
  }

  @Test func `compares dates`() throws {
    try withBooks { store in
      let second = Date(timeIntervalSince1970: 2 * 86_400)
      try #expect(ids(store) { Book.published < second } == [1])
      try #expect(ids(store) { Book.published.isAfter(second) } == [3])
      try #expect(ids(store) { Book.published == second } == [4])
      try #expect(ids(store) { Book.published != second } == [1, 3])
      let range = Date(timeIntervalSince1970: 0)..<second
      try #expect(ids(store) { Book.published ∈ range } == [1])
    }
  }

  @Test func `finds no text in a range whose bounds only Swift orders`() throws {
    try withBooks { store in
      // Swift compares é as one letter, which comes after "q".
      let range = "q"..."e\u{301}"
      try #expect(ids(store) { Book.title ∈ range }.isEmpty)
      try #expect(ids(store) { Book.title ∈ "Emma"..."G" } == [1, 3])
    }
  }

  @Test func `combines conditions, with the precedence of Swift`() throws {
    try withBooks { store in
      try #expect(
        ids(store) { Book.pages > 200 && Book.price < 5 || Book.title == "Mathilda" } == [2, 4]
      )
      try #expect(
        ids(store) { Book.pages > 200 && (Book.price < 5 || Book.title == "Emma") } == [1, 2]
      )
    }
  }

  @Test func `compares ids and targets`() throws {
    try withBooks { store in
      try #expect(ids(store) { Book.id == 2 } == [2])
      try #expect(ids(store) { Book.id.isIn([1, 3, 77]) } == [1, 3])
      try #expect(ids(store) { Book.author == EntityId(1) } == [1, 2])
      try #expect(ids(store) { Book.author.isEqual(to: 2) } == [3])
      let error = boxError { _ = try store.books.query { Book.author != 9 }.build() }
      #expect(error == nil)
    }
  }

  @Test func `follows relations`() throws {
    try withBooks { store in
      let byJane = try store.books.query { Book.pages > 300 }
        .link(Book.author) { Author.name == "Jane" }.build()
      try #expect(byJane.findIds().map(\.value) == [1])
      let ghosts = try store.books.query().link(Book.tags) { Tag.label == "ghost" }.build()
      try #expect(ghosts.findIds().map(\.value) == [3])
      let authors = try store.authors.query().link(Author.books) { Book.pages < 250 }.build()
      try #expect(authors.find().map(\.name) == ["Jane"])
      let tags = try store.tags.query().link(Tag.books) {
        Book.title.startsWith("E") && Book.pages > 400
      }.build()
      try #expect(tags.find().map(\.label) == ["long"])
    }
  }

  @Test func `orders its results`() throws {
    try withBooks { store in
      func titles(_ builder: QueryBuilder<Book>) throws -> [String] {
        try builder.build().find().map(\.title)
      }
      let all = ["Emma", "Frankenstein", "Mathilda", "persuasion"]
      try #expect(titles(store.books.query().ordered(by: Book.title)) == all)
      try #expect(
        titles(store.books.query().ordered(by: Book.title, flags: .descending)) == all.reversed()
      )
      try #expect(
        titles(store.books.query().ordered(by: Book.title, flags: .caseSensitive)) == all
      )
      let byPrice = try store.books.query().ordered(by: Book.price)
        .ordered(by: Book.title).build().findIds()
      #expect(byPrice.map(\.value) == [3, 2, 1, 4])
      let last = try store.books.query().ordered(by: Book.price, flags: [.descending, .nullsLast])
        .build().findIds()
      #expect(last.map(\.value) == [4, 1, 2, 3])
      let zero = try store.books.query().ordered(by: Book.price, flags: .nullsZero).build()
        .findIds()
      #expect(zero.map(\.value) == [3, 2, 1, 4])
    }
  }

  /// Each order, sorted by the engine or not, against one that Swift sorts.
  @Test(arguments: [false, true], [false, true])
  func `orders nulls as it is told, in both directions`(descends: Bool, nullsLast: Bool) throws {
    try withStore { store in
      let prices: [Double?] = [3, nil, -1, 2, nil, 3]
      try store.books.put(prices.map { Book("b", price: $0) })
      var flags: [OrderFlags] = []
      if descends { flags.append(.descending) }
      if nullsLast { flags.append(.nullsLast) }
      let query = try store.books.query().ordered(by: Book.price, flags: flags).build()
      let values = prices.compactMap(\.self).sorted { descends ? $0 > $1 : $0 < $1 }
      let nulls = [Double?](repeating: nil, count: 2)
      try #expect(query.find().map(\.price) == (nullsLast ? values + nulls : nulls + values))
      try #expect(query.find(offset: 1, limit: 2).count == 2)
    }
  }

  @Test func `finds a part of its results`() throws {
    try withBooks { store in
      let query = try store.books.query { Book.pages > 0 }.ordered(by: Book.pages).build()
      try #expect(query.find(offset: 1, limit: 2).map(\.pages) == [249, 280])
      try #expect(query.findFirst()?.pages == 120)
      try #expect(query.find(offset: 9).isEmpty)
      #expect(boxError { _ = try query.findUnique() } == "nonUniqueResult")
      try #expect(store.books.query { Book.pages == 120 }.build().findUnique()?.title == "Mathilda")
      try #expect(query.count() == 4)
      try #expect(store.books.query { Book.pages > 250 }.build().remove() == 2)
      try #expect(query.count() == 2)
    }
  }

  @Test func `takes other values, by property and by alias`() throws {
    try withBooks { store in
      let query = try store.books.query {
        "least" .= Book.pages > 400 && Book.title.contains("x") && "two"
          .= Book.price.isBetween(0, and: 1)
      }.build()
      try #expect(query.count() == 0)
      query.setParameter("least", to: Int32(100))
      query.setParameter(Book.title, to: "a")
      query.setParameters("two", to: 1.0, 6.0)
      try #expect(query.findIds().map(\.value) == [1, 2])
      query.setParameters(Book.price, to: 4.9, 9.0)
      try #expect(query.findIds().map(\.value) == [1, 4])
      let several = try store.books.query { Book.pages.isIn([1]) }.build()
      several.setParameters(Book.pages, to: [120, 474])
      try #expect(several.findIds().map(\.value) == [1, 4])
    }
  }

  @Test func `takes another value for the first condition on a property that has as many`() throws {
    try withBooks { store in
      let query = try store.books.query {
        Book.price.isNotNil() && Book.price.isBetween(0, and: 6) && Book.price > 4.5
          && Book.price < 100
      }.build()
      try #expect(query.findIds().map(\.value) == [1])
      query.setParameter(Book.price, to: 4)
      try #expect(query.findIds().map(\.value) == [1, 2])
      query.setParameters(Book.price, to: 9, 5)
      try #expect(query.findIds().map(\.value) == [1, 4])
      let several = try store.books.query {
        Book.pages.isBetween(0, and: 999) && Book.pages.isIn([120])
      }.build()
      several.setParameters(Book.pages, to: [249, 474])
      try #expect(several.findIds().map(\.value) == [1, 2])
    }
  }

  @Test func `throws when it is used if no condition takes a value that was set`() throws {
    try withBooks { store in
      func message(_ set: (Query<Book>) -> Void) throws -> String {
        let query = try store.books.query {
          Book.price.isNotNil() && "size" .= Book.pages.isBetween(0, and: 9)
        }.build()
        set(query)
        query.setParameters(Book.pages, to: 0, 999)
        do {
          _ = try query.remove()
          return "no error"
        } catch ObjectBoxError.illegalArgument(let message) {
          return message
        }
      }
      let start = "The query cannot be used: a parameter was set for "
      try #expect(
        message { $0.setParameter(Book.price, to: 3) } == start
          + "the property Book.price, but no condition of it takes one value"
      )
      try #expect(
        message { $0.setParameters("size", to: [Int32(1)]) } == start
          + "the alias \"size\", but no condition of it takes a list of values"
      )
      try #expect(
        message { $0.setParameters("other", to: 1, 2) } == start
          + "the alias \"other\", but no condition of it takes 2 values"
      )
      try #expect(store.books.count() == 4)
    }
  }

  @Test func `compares data`() throws {
    try withStore { store in
      for byte: UInt8 in [1, 2, 3] {
        let object = Everything()
        object.data = Data([byte])
        try store.everything.put(object)
      }
      func count(_ condition: QueryCondition<Everything>) throws -> Int {
        try store.everything.query { condition }.build().count()
      }
      try #expect(count(Everything.data.isLessThanEqual(Data([2]))) == 2)
      try #expect(count(Everything.data.isGreaterThanEqual(Data([3]))) == 1)
    }
  }

  @Test func `compares unsigned numbers past the largest signed one`() throws {
    try withStore { store in
      let values: [UInt64] = [0, 5, .max / 2, .max / 2 + 1, .max - 3]
      try store.everything.put(
        values.map { value in
          let one = Everything()
          one.uint64 = value
          return one
        }
      )
      func found(_ condition: () -> QueryCondition<Everything>) throws -> [UInt64] {
        try store.everything.query(condition).build().find().map(\.uint64)
      }
      for limit in values + [1, .max] {
        try #expect(found { Everything.uint64 < limit } == values.filter { $0 < limit })
        try #expect(found { Everything.uint64 <= limit } == values.filter { $0 <= limit })
        try #expect(found { Everything.uint64 > limit } == values.filter { $0 > limit })
        try #expect(found { Everything.uint64 >= limit } == values.filter { $0 >= limit })
        try #expect(
          found { Everything.uint64.isBetween(limit, and: 5) }
            == values.filter { $0 >= min(limit, 5) && $0 <= max(limit, 5) }
        )
      }
      let ordered = try store.everything.query()
        .ordered(by: Everything.uint64, flags: [.unsigned, .descending]).build().find()
      #expect(ordered.map(\.uint64) == values.reversed())
    }
  }

  @Test func `describes its conditions with their values`() throws {
    try withBooks { store in
      let query = try store.books.query { "size" .= Book.pages.isBetween(50, and: 60) }.build()
      #expect("\(query)".contains("1 condition: \"size\" .= pages between 50, 60"))
      query.setParameters("size", to: 90, 300)
      #expect("\(query)".contains("90, 300") && !"\(query)".contains("50"))
      let other = try store.books.query { Book.title == "a" || Book.price > 1 }
        .link(Book.author) { Author.name == "Jane" }.build()
      let text = #"((title == "a" || price > 1.0) && author { name == "Jane" })"#
      #expect("\(other)".contains("3 conditions: \(text)"))
      try #expect("\(store.books.query().build())" == "<KennelBox.Query<Book> with 0 conditions>")
    }
  }

  @Test func `asks for elements of arrays`() throws {
    try withStore { store in
      let numbers: [[Int32]] = [[4, 5, .max], [1, 2, 3], [-1, -2, .min], []]
      for (position, list) in numbers.enumerated() {
        let object = Everything()
        object.int32s = list
        if position < 2 { object.maybeInt64s = list.map(Int64.init) }
        if position == 0 { object.maybeStrings = ["Emma", "b"] }
        try store.everything.put(object)
      }
      func count(_ condition: QueryCondition<Everything>) throws -> Int {
        try store.everything.query { condition }.build().count()
      }
      try #expect(count(Everything.int32s.isEqual(to: 1)) == 1)
      try #expect(count(Everything.int32s.isGreaterThan(-3)) == 3)
      try #expect(count(Everything.int32s.isGreaterThan(.max)) == 0)
      try #expect(count(Everything.int32s.isGreaterOrEqual(3)) == 2)
      try #expect(count(Everything.int32s.isLessOrEqual(1)) == 2)
      try #expect(count(Everything.int32s.isLessThan(1)) == 1)
      try #expect(count(Everything.maybeInt64s.isLessThan(100)) == 2)
      try #expect(count(Everything.maybeInt64s.isNil()) == 2)
      try #expect(count(Everything.maybeInt64s.isNotNil()) == 2)
      try #expect(count(Everything.int32s.isNil()) == 0)
      try #expect(count(Everything.maybeStrings.isNotNil()) == 1)
      try #expect(
        count(Everything.maybeStrings.containsElement(element: "EMMA", caseSensitive: false)) == 1
      )
      try #expect(count(Everything.maybeStrings.containsElement(element: "EMMA")) == 0)
    }
  }

  @Test func `begins with an empty text in every text`() throws {
    try withBooks { store in
      let query = try store.books.query { "start" .= Book.title.startsWith("E") }.build()
      query.setParameter("start", to: "")
      try #expect(query.count() == 4)
    }
  }
}

@Suite struct `A property query` {
  @Test func `gives the values of the results and what they amount to`() throws {
    try withStore { store in
      try store.books.put([
        Book("a", pages: 1, price: 1.5), Book("A", pages: 2, price: 2.5), Book("b", pages: 2),
      ])
      let all = try store.books.query().build()
      try #expect(all.property(Book.pages).find() == [1, 2, 2])
      try #expect(all.property(Book.pages).distinct().count() == 2)
      let (sum, sumInt): (Int64, Int) = try (
        all.property(Book.pages).sum(), all.property(Book.pages).sumInt()
      )
      #expect(sum == 5 && sumInt == 5)
      try #expect(all.property(Book.pages).min() == 1)
      try #expect(all.property(Book.pages).max() == 2)
      try #expect(all.property(Book.pages).average() == 5.0 / 3)
      try #expect(all.property(Book.price).find() == [1.5, 2.5])
      try #expect(all.property(Book.price).with(nullValue: 0).count() == 3)
      try #expect(all.property(Book.price).sum() == 4)
      try #expect(all.property(Book.title).findStrings() == ["a", "A", "b"])
      let folded = all.property(Book.title).distinct(caseSensitiveCompare: false)
      try #expect(folded.findStrings() == ["a", "b"])
      #expect(boxError { _ = try folded.findUniqueString() } == "nonUniqueResult")
      let none = try store.books.query { Book.pages > 9 }.build()
      try #expect(none.property(Book.pages).max() == 0)
      try #expect(none.property(Book.title).findString() == nil)
    }
  }

  @Test func `rounds dates to milliseconds`() throws {
    try withStore { store in
      let milliseconds: [Int64] = [10, 20, 30, -10, 1_700_000_000_999, 0]
      for number in milliseconds {
        let date = Date(timeIntervalSince1970: Double(number) / 1000)
        try store.books.put(Book("a", published: date))
      }
      try store.books.put(Book("a", published: .distantFuture))
      let query = try store.books.query { Book.published.isNotNil() }.build()
      let found = try query.propertyInt64(Book.published).find()
      #expect(found == milliseconds + [Int64(Date.distantFuture.timeIntervalSince1970 * 1000)])
    }
  }

  @Test func `counts with numbers that 64 bits hold alone`() throws {
    try withStore { store in
      for number: UInt64 in [.max, .max - 1] {
        let object = Everything()
        object.uint64 = number
        object.uint32 = .max - 3
        try store.everything.put(object)
      }
      let query = try store.everything.query().build()
      try #expect(query.property(Everything.uint64).averageInt() == UInt64.max - 1)
      #expect(boxError { _ = try query.property(Everything.uint64).sum() } == "stdOverflow")
      try #expect(query.property(Everything.uint32).sum() == 2 * (Int(UInt32.max) - 3))
      try #expect(query.property(Everything.uint32).averageInt() == UInt32.max - 3)
    }
  }
}
