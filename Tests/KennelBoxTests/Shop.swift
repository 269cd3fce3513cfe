import KennelBox

final class Customer: Entity {
  var id: EntityId<Customer> = 0
  // objectbox: unique
  var name = ""
  // objectbox: backlink = "customer"
  var orders: ToMany<Order> = nil

  init(name: String = "") {
    self.name = name
  }
}

final class Order: Entity {
  enum State: String {
    case open
    case paid
  }

  var id: Id = 0
  var customer: ToOne<Customer> = nil
  // objectbox: index, date-nano
  var date: Date?
  // objectbox: convert = { "default": ".open" }
  var state: State = .open {
    didSet { changes += 1 }
  }
  // objectbox: convert
  var lastState: State?
  // objectbox: convert = { "dbType": "String", "converter": "AddressConverter" }
  var address = Address(street: "")
  var weight = 0.5, `default`: [UInt8] = [1]
  // objectbox: transient
  private(set) var changes = 0
  lazy var label = "\(id)"

  init() {}
}

struct Address: Equatable {
  var street: String
}

enum AddressConverter {
  static func convert(_ address: Address) -> String { address.street }
  static func convert(_ street: String) -> Address { Address(street: street) }

  // objectbox: entity, name = "Correction"
  struct Change {
    let key: Id
    var orders: ToMany<Order>
    var text: String?
  }
}
