// swift-format-ignore-file
import Foundation
import KennelBox

class Customer: Entity {
    var id: EntityId<Customer> = 0

    /// The orders of this customer.
    // objectbox: backlink = "customer"
    var orders: ToMany<Order> = nil
    var tags: ToMany<Tag> = nil

    required init() {}
}

class Order: Entity, Codable {
    enum State: Int {
        case open
        case paid
    }

    var id: EntityId<Order> = 0
    var customer: ToOne<Customer> = nil
    // objectbox: index
    var date: Date?
    // objectbox: convert = { "default": ".open" }
    var state: State = .open
    // objectbox: convert
    var lastState: State?
    // objectbox: convert = { "dbType": "String", "converter": "AddressConverter" }
    var address: Address
    // objectbox: name = "number", unique
    var code = ""
    var weight = 0.5, note = """
        none
        """
    var count = -1 {
        didSet { cache = 0 }
    }
    lazy var cache = 0
    var isOpen: Bool { state == .open }
    static let limit = 10
    // objectbox: transient
    private var secret = Set<Int>()

    init(address: Address = Address(street: "")) {
        self.address = address
    }
}

struct Address {
    var street: String
}

/* objectbox: entity */
public struct Tag {
    /* objectbox: id = { "assignable": true } */ public let id: UInt64
    public var label: String
    var `default`: [UInt8]
}
