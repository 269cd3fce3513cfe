import KennelCore
import KennelModels
import KennelTestSupport
import Testing

@Suite struct `Each kind of scalar` {
  @Test(arguments: EveryKind.scalars)
  func `is a type and a default of a generated model`(kind: ValueKind) {
    var property = PropertyDefinition("it", PropertyType(kind))
    property.defaultValue = EveryKind.value(kind)
    let models = RealmModels.write([ClassDefinition("Specimen", properties: [property])])
    #expect(models.notes.isEmpty)
    #expect(models.text.contains(/@Persisted var it(: \w+)? = ./), "\(models.text)")
  }
}
