import KennelBox
import Testing

@Suite struct `Entities that the plugin compiles` {
  @Test func `are stored, read and found`() throws {
    let store = try Store(directoryPath: "memory:shop")
    let customer = Customer(name: "Ada")
    try store.box(for: Customer.self).put(customer)
    let order = Order()
    order.customer.target = customer
    order.date = Date(timeIntervalSince1970: 5)
    order.state = .paid
    order.address = Address(street: "Main Street")
    order.default = [2, 3]
    try store.box(for: Order.self).put(order)
    let read = try #require(try store.box(for: Order.self).get(order.id))
    #expect(read !== order && read.customer.target?.name == "Ada")
    #expect(read.date == order.date && read.state == .paid && read.lastState == nil)
    #expect(read.address == order.address && read.default == [2, 3] && read.weight == 0.5)
    let found = try store.box(for: Order.self).query { .weight > 0.1 && Order.state == "paid" }
      .build().find()
    #expect(found.map(\.id) == [order.id])
    let owner = try #require(try store.box(for: Customer.self).get(customer.id))
    #expect(owner.orders.map(\.id) == [order.id])
  }

  @Test func `may be nested structs with an ID that never changes`() throws {
    let store = try Store(directoryPath: "memory:corrections")
    let order = Order()
    try store.box(for: Order.self).put(order)
    var change = AddressConverter.Change(key: 0, orders: nil, text: "late")
    change.orders.append(order)
    let box = store.box(for: AddressConverter.Change.self)
    try box.put(&change)
    #expect(change.key == 1)
    let read = try #require(try box.get(change.key))
    #expect(read.text == "late")
    #expect(AddressConverter.Change.entityBinding.entityInfo.name == "Correction")
  }
}
