// swift-format-ignore-file
// Written by Scripts/embed-sample.

/// The text of `sample-data/sample.jsonl`.
let sampleText = #"""
{"$kennel": 1}

# The sample database of Kennel: what `kennel` opens when it is given no file.
#
# It is small enough to be read and has what real data has: links that are missing, single and
# many, an object twice in a list, cycles, null beside "", and strings, numbers and dates that
# break programs. `Documentation/Documents.md` tells how to read the lines.

# ----- Classes ---------------------------------------------------------------------------------

{"$class": "Person"}
{"$property": "id",        "type": "int", "primaryKey": true}
{"$property": "name",      "type": "string", "indexed": true}
{"$property": "birthdate", "type": "date"}
{"$property": "dog",       "type": "link<Dog>"}
{"$property": "dogs",      "type": "list<link<Dog>>"}
{"$property": "spouse",    "type": "link<Person>"}
{"$property": "address",   "type": "link<Address>"}
{"$backlink": "clubs",     "origin": "DogClub", "property": "members"}

{"$class": "Dog"}
{"$property": "name",   "type": "string", "default": "Rex"}
{"$property": "age",    "type": "int"}
{"$property": "breed",  "type": "string?", "indexed": true}
{"$backlink": "person", "origin": "Person", "property": "dogs"}

# A club cannot be dissolved while it holds a trophy: the rule `deny`.

{"$class": "DogClub"}
{"$property": "name",    "type": "string"}
{"$property": "members", "type": "list<link<Person>>"}
{"$property": "mascot",  "type": "link<Dog>"}
{"$property": "trophy",  "type": "link<Trophy>", "deleteRule": "deny"}
{"$property": "regionalOfficeAddresses", "type": "list<link<Address>>"}

{"$class": "Address", "embedded": true}
{"$property": "street",     "type": "string?"}
{"$property": "city",       "type": "string?"}
{"$property": "country",    "type": "string?"}
{"$property": "postalCode", "type": "string?"}

{"$class": "Trophy"}
{"$property": "name", "type": "string"}
{"$property": "year", "type": "int16"}

# A task goes when the last user who has it goes: the rule `cascadeIfLast`.

{"$class": "User"}
{"$property": "_id",        "type": "objectId", "primaryKey": true}
{"$property": "_partition", "type": "string"}
{"$property": "name",       "type": "string"}
{"$property": "tasks",      "type": "list<link<Task>>", "deleteRule": "cascadeIfLast"}

{"$class": "Task"}
{"$property": "_id",        "type": "objectId", "primaryKey": true}
{"$property": "_partition", "type": "string"}
{"$property": "text",       "type": "string"}
{"$backlink": "assignee",   "origin": "User", "property": "tasks"}

{"$class": "Contact"}
{"$property": "name",    "type": "string"}
{"$property": "address", "type": "link<Address>"}

{"$class": "Business"}
{"$property": "name",      "type": "string"}
{"$property": "addresses", "type": "list<link<Address>>"}

# An order that loses its customer stays, without one; its parcels go with it: the rule `cascade`.

{"$class": "Customer"}
{"$property": "id",     "type": "int", "primaryKey": true}
{"$property": "name",   "type": "string"}
{"$backlink": "orders", "origin": "Order", "property": "customer"}

{"$class": "Order"}
{"$property": "id",       "type": "int", "primaryKey": true}
{"$property": "name",     "type": "string"}
{"$property": "customer", "type": "link<Customer>"}
{"$property": "parcels",  "type": "list<link<Parcel>>", "deleteRule": "cascade"}

{"$class": "Parcel"}
{"$property": "label", "type": "string"}
{"$property": "grams", "type": "int32"}

# Every type that a property can have, and an embedded class that holds itself.

{"$class": "Specimen"}
{"$property": "title", "type": "string"}
{"$property": "boolValue", "type": "bool"}
{"$property": "intValue", "type": "int"}
{"$property": "int8Value", "type": "int8"}
{"$property": "int16Value", "type": "int16"}
{"$property": "int32Value", "type": "int32"}
{"$property": "floatValue", "type": "float"}
{"$property": "doubleValue", "type": "double"}
{"$property": "stringValue", "type": "string"}
{"$property": "dataValue", "type": "data"}
{"$property": "dateValue", "type": "date"}
{"$property": "objectIdValue", "type": "objectId"}
{"$property": "uuidValue", "type": "uuid"}
{"$property": "decimal128Value", "type": "decimal128"}
{"$property": "mixedValue", "type": "mixed"}
{"$property": "boolOrNull", "type": "bool?"}
{"$property": "intOrNull", "type": "int?"}
{"$property": "int8OrNull", "type": "int8?"}
{"$property": "int16OrNull", "type": "int16?"}
{"$property": "int32OrNull", "type": "int32?"}
{"$property": "floatOrNull", "type": "float?"}
{"$property": "doubleOrNull", "type": "double?"}
{"$property": "stringOrNull", "type": "string?"}
{"$property": "dataOrNull", "type": "data?"}
{"$property": "dateOrNull", "type": "date?"}
{"$property": "objectIdOrNull", "type": "objectId?"}
{"$property": "uuidOrNull", "type": "uuid?"}
{"$property": "decimal128OrNull", "type": "decimal128?"}
{"$property": "dog", "type": "link<Dog>"}
{"$property": "part", "type": "link<Part>"}
{"$property": "boolList", "type": "list<bool>"}
{"$property": "intList", "type": "list<int>"}
{"$property": "floatList", "type": "list<float>"}
{"$property": "doubleList", "type": "list<double>"}
{"$property": "stringList", "type": "list<string>"}
{"$property": "dataList", "type": "list<data>"}
{"$property": "dateList", "type": "list<date>"}
{"$property": "objectIdList", "type": "list<objectId>"}
{"$property": "uuidList", "type": "list<uuid>"}
{"$property": "decimal128List", "type": "list<decimal128>"}
{"$property": "mixedList", "type": "list<mixed>"}
{"$property": "boolSet", "type": "set<bool>"}
{"$property": "intSet", "type": "set<int>"}
{"$property": "floatSet", "type": "set<float>"}
{"$property": "doubleSet", "type": "set<double>"}
{"$property": "stringSet", "type": "set<string>"}
{"$property": "dataSet", "type": "set<data>"}
{"$property": "dateSet", "type": "set<date>"}
{"$property": "objectIdSet", "type": "set<objectId>"}
{"$property": "uuidSet", "type": "set<uuid>"}
{"$property": "decimal128Set", "type": "set<decimal128>"}
{"$property": "mixedSet", "type": "set<mixed>"}
{"$property": "boolMap", "type": "map<bool>"}
{"$property": "intMap", "type": "map<int>"}
{"$property": "floatMap", "type": "map<float>"}
{"$property": "doubleMap", "type": "map<double>"}
{"$property": "stringMap", "type": "map<string>"}
{"$property": "dataMap", "type": "map<data>"}
{"$property": "dateMap", "type": "map<date>"}
{"$property": "objectIdMap", "type": "map<objectId>"}
{"$property": "uuidMap", "type": "map<uuid>"}
{"$property": "decimal128Map", "type": "map<decimal128>"}
{"$property": "mixedMap", "type": "map<mixed>"}
{"$property": "nullableList", "type": "list<string?>"}
{"$property": "dogList", "type": "list<link<Dog>>"}
{"$property": "nullableSet", "type": "set<string?>"}
{"$property": "dogSet", "type": "set<link<Dog>>"}
{"$property": "nullableMap", "type": "map<string?>"}
{"$property": "dogMap", "type": "map<link<Dog>>"}
{"$property": "partList", "type": "list<link<Part>>"}
{"$property": "partMap", "type": "map<link<Part>>"}

{"$class": "Part", "embedded": true}
{"$property": "label", "type": "string"}
{"$property": "dog",   "type": "link<Dog>"}
{"$property": "parts", "type": "list<link<Part>>"}

# ----- People ----------------------------------------------------------------------------------
# Ada and Grace are married to each other. Ada has Rex twice in her list. Nadia has nobody.

{"$object": "Person/1", "id": 1, "name": "Ada Winter", "birthdate": "1985-12-10T00:00:00Z", "dog": {"$ref": "Dog/1"}, "dogs": [{"$ref": "Dog/1"}, {"$ref": "Dog/2"}, {"$ref": "Dog/1"}], "spouse": {"$ref": "Person/2"}, "address": {"street": "12 Quay Road", "city": "Whitby", "country": "GB", "postalCode": "YO21 3DZ"}}
{"$object": "Person/2", "id": 2, "name": "Grace Holm", "birthdate": "1986-12-09T06:30:00Z", "dog": {"$ref": "Dog/2"}, "dogs": [{"$ref": "Dog/2"}], "spouse": {"$ref": "Person/1"}, "address": {"street": "12 Quay Road", "city": "Whitby", "country": "GB", "postalCode": "YO21 3DZ"}}
{"$object": "Person/3", "id": 3, "name": "Linus Berg", "birthdate": "1969-12-28T23:59:59.5Z", "dog": {"$ref": "Dog/3"}, "dogs": [{"$ref": "Dog/3"}, {"$ref": "Dog/4"}, {"$ref": "Dog/5"}, {"$ref": "Dog/6"}, {"$ref": "Dog/7"}], "spouse": null, "address": {"street": "Storgatan 4", "city": "Luleå", "country": "SE", "postalCode": "972 38"}}
{"$object": "Person/4", "id": 4, "name": "Nadia O'Connor", "birthdate": "2001-02-28T12:00:00.000000001Z", "dog": null, "dogs": [], "spouse": null, "address": null}
{"$object": "Person/5", "id": 5, "name": "山田太郎", "birthdate": "1936-02-29T00:00:00Z", "dog": {"$ref": "Dog/8"}, "dogs": [{"$ref": "Dog/8"}], "spouse": {"$ref": "Person/6"}, "address": {"street": "錦町3丁目2番1号", "city": "立川市", "country": "JP", "postalCode": "190-0022"}}
{"$object": "Person/6", "id": 6, "name": "山田花子", "birthdate": "1938-05-05T00:00:00Z", "dog": {"$ref": "Dog/8"}, "dogs": [{"$ref": "Dog/8"}, {"$ref": "Dog/9"}], "spouse": {"$ref": "Person/5"}, "address": {"street": "", "city": "立川市", "country": "JP", "postalCode": null}}
{"$object": "Person/7", "id": 7, "name": "عمر حداد", "birthdate": "1990-07-14T08:00:00Z", "dog": {"$ref": "Dog/10"}, "dogs": [{"$ref": "Dog/10"}], "spouse": null, "address": {"street": "شارع الحمرا ١٢", "city": "بيروت", "country": "LB", "postalCode": null}}
{"$object": "Person/8", "id": 8, "name": "נועה לוי", "birthdate": "1994-04-01T00:00:00Z", "dog": null, "dogs": [{"$ref": "Dog/11"}], "spouse": null, "address": null}
{"$object": "Person/9", "id": 9, "name": "Édith Moreau", "birthdate": "1915-12-19T05:00:00Z", "dog": {"$ref": "Dog/12"}, "dogs": [{"$ref": "Dog/12"}], "spouse": null, "address": {"street": null, "city": "", "country": "FR", "postalCode": null}}
{"$object": "Person/10", "id": 10, "name": "E\u0301dith Moreau", "birthdate": "1963-10-10T00:00:00Z", "dog": null, "dogs": [], "spouse": null, "address": null}
{"$object": "Person/11", "id": 11, "name": "👩‍👩‍👧‍👦 The Smiths 🏳️‍🌈", "birthdate": "2020-02-02T02:02:02.020202Z", "dog": {"$ref": "Dog/1"}, "dogs": [{"$ref": "Dog/1"}], "spouse": null, "address": {"street": "1\tTab Street\nSecond floor", "city": "Bath", "country": "GB", "postalCode": "BA1 1AA"}}
{"$object": "Person/12", "id": -12, "name": "", "birthdate": "-0044-03-15T12:00:00Z", "dog": null, "dogs": [], "spouse": null, "address": null}
{"$object": "Person/13", "id": 9223372036854775807, "name": "Robo \u001b[31mRed\u001b[0m Tester\u0007", "birthdate": "+275760-09-13T00:00:00Z", "dog": {"$ref": "Dog/13"}, "dogs": [{"$ref": "Dog/13"}, {"$ref": "Dog/14"}], "spouse": {"$ref": "Person/13"}, "address": {"street": "\u001b]0;title\u0007", "city": "Z̵̡̀́̂̃̄à̵̡́̂lgo", "country": "GB", "postalCode": "%s%n"}}

# ----- Dogs ------------------------------------------------------------------------------------
# Rex has three owners in four links, Stray has none. A breed may be unknown (null) or empty ("").

{"$object": "Dog/1", "name": "Rex", "age": 5, "breed": "Beagle"}
{"$object": "Dog/2", "name": "Bella", "age": 3, "breed": "Boxer"}
{"$object": "Dog/3", "name": "Fido", "age": 11, "breed": null}
{"$object": "Dog/4", "name": "Molly", "age": 0, "breed": ""}
{"$object": "Dog/5", "name": "Biscuit", "age": 7, "breed": "Corgi"}
{"$object": "Dog/6", "name": "Luna", "age": 2, "breed": "Husky"}
{"$object": "Dog/7", "name": "Max", "age": 9, "breed": "Collie"}
{"$object": "Dog/8", "name": "ポチ", "age": 4, "breed": "柴犬"}
{"$object": "Dog/9", "name": "ハチ公🐕‍🦺", "age": 12, "breed": "秋田犬"}
{"$object": "Dog/10", "name": "ريكس", "age": 6, "breed": "سلوقي"}
{"$object": "Dog/11", "name": "כלב\u200f (Kelev)", "age": 1, "breed": "כנעני"}
{"$object": "Dog/12", "name": "Chérie ❤️", "age": 14, "breed": "Caniche"}
{"$object": "Dog/13", "name": "Tab\tby\nNewline", "age": 9223372036854775807, "breed": "\u001b[2J"}
{"$object": "Dog/14", "name": "\u202eesreveR\u202c", "age": -9223372036854775808, "breed": "\u0000"}
{"$object": "Dog/15", "name": "Stray", "age": 8, "breed": null}
{"$object": "Dog/16", "name": "Sir Barksalot the Third of the Most Noble House of Very Long Names, Keeper of the Great Bone and Defender of the Garden Gate against Postmen, Squirrels and Hedgehogs", "age": 10, "breed": "Pug"}

# ----- Clubs -----------------------------------------------------------------------------------
# The mascot of the Whitby club is the dog of its member Ada: a cycle through three classes.

{"$object": "DogClub/1", "name": "Whitby Walkers", "members": [{"$ref": "Person/1"}, {"$ref": "Person/2"}, {"$ref": "Person/3"}], "mascot": {"$ref": "Dog/1"}, "trophy": {"$ref": "Trophy/1"}, "regionalOfficeAddresses": [{"street": "1 Pier Road", "city": "Whitby", "country": "GB", "postalCode": "YO21 3PU"}, {"street": "2 Castle Road", "city": "Scarborough", "country": "GB", "postalCode": "YO11 1TH"}]}
{"$object": "DogClub/2", "name": "立川愛犬クラブ", "members": [{"$ref": "Person/5"}, {"$ref": "Person/6"}], "mascot": {"$ref": "Dog/9"}, "trophy": null, "regionalOfficeAddresses": [{"street": "錦町1丁目", "city": "立川市", "country": "JP", "postalCode": null}]}
{"$object": "DogClub/3", "name": "Club of One", "members": [{"$ref": "Person/11"}], "mascot": null, "trophy": null, "regionalOfficeAddresses": []}
{"$object": "DogClub/4", "name": "Nobody's Club", "members": [], "mascot": {"$ref": "Dog/15"}, "trophy": null, "regionalOfficeAddresses": []}

{"$object": "Trophy/1", "name": "Golden Bone", "year": 2019}
{"$object": "Trophy/2", "name": "Silver Leash", "year": 1987}

# ----- Users and their tasks ------------------------------------------------------------------
# One task has two assignees, one has one, one has none.

{"$object": "User/1", "_id": "507f1f77bcf86cd799439011", "_partition": "team", "name": "Amanda", "tasks": [{"$ref": "Task/1"}, {"$ref": "Task/2"}]}
{"$object": "User/2", "_id": "507f1f77bcf86cd799439012", "_partition": "team", "name": "Neil", "tasks": [{"$ref": "Task/2"}]}
{"$object": "User/3", "_id": "507f1f77bcf86cd799439013", "_partition": "", "name": "Visitor", "tasks": []}
{"$object": "Task/1", "_id": "60b8d295f1d2c4a1e0f3b201", "_partition": "team", "text": "Walk Rex before eight"}
{"$object": "Task/2", "_id": "60b8d295f1d2c4a1e0f3b202", "_partition": "team", "text": "Buy food:\n\t- kibble\n\t- biscuits"}
{"$object": "Task/3", "_id": "60b8d295f1d2c4a1e0f3b203", "_partition": "", "text": ""}

# ----- Contacts, businesses, customers, orders ------------------------------------------------

{"$object": "Contact/1", "name": "Dr. Paws", "address": {"street": "7 Vet Lane", "city": "York", "country": "GB", "postalCode": "YO1 7HH"}}
{"$object": "Contact/2", "name": "No Fixed Abode", "address": null}
{"$object": "Business/1", "name": "Bones & Co.", "addresses": [{"street": "10 High Street", "city": "Leeds", "country": "GB", "postalCode": "LS1 1AA"}, {"street": "99 Low Street", "city": "Leeds", "country": "GB", "postalCode": "LS1 9ZZ"}, {"street": null, "city": null, "country": null, "postalCode": null}]}
{"$object": "Business/2", "name": "One Shop", "addresses": [{"street": "Bahnhofstraße 1", "city": "Zürich", "country": "CH", "postalCode": "8001"}]}
{"$object": "Business/3", "name": "Online Only", "addresses": []}
{"$object": "Customer/1", "id": 1, "name": "Whitby Walkers Shop"}
{"$object": "Customer/2", "id": 2, "name": "Mr. One Order"}
{"$object": "Customer/3", "id": 3, "name": "Window Shopper"}
{"$object": "Order/1", "id": 1001, "name": "Leashes, 12 of them", "customer": {"$ref": "Customer/1"}, "parcels": [{"$ref": "Parcel/1"}, {"$ref": "Parcel/2"}]}
{"$object": "Order/2", "id": 1002, "name": "Bowls", "customer": {"$ref": "Customer/1"}, "parcels": [{"$ref": "Parcel/3"}]}
{"$object": "Order/3", "id": 1003, "name": "One ball", "customer": {"$ref": "Customer/2"}, "parcels": []}
{"$object": "Order/4", "id": 1004, "name": "Of a customer long gone", "customer": null, "parcels": []}
{"$object": "Parcel/1", "label": "Leashes 1–6", "grams": 1200}
{"$object": "Parcel/2", "label": "Leashes 7–12", "grams": 1200}
{"$object": "Parcel/3", "label": "Bowls, fragile", "grams": 2147483647}

# ----- Specimens: every type, ordinary, extreme, and with nothing said ------------------------

{"$object": "Specimen/1", "title": "ordinary", "boolValue": true, "intValue": 42, "int8Value": 8, "int16Value": 16, "int32Value": 32, "floatValue": 1.5, "doubleValue": 2.25, "stringValue": "text", "dataValue": "hex:00ff10", "dateValue": "2024-02-29T12:34:56Z", "objectIdValue": "507f1f77bcf86cd799439011", "uuidValue": "123e4567-e89b-12d3-a456-426614174000", "decimal128Value": "1.50", "mixedValue": "mixed text", "boolOrNull": false, "intOrNull": 0, "int8OrNull": 0, "int16OrNull": 0, "int32OrNull": 0, "floatOrNull": 0.0, "doubleOrNull": 0.0, "stringOrNull": "", "dataOrNull": "hex:", "dateOrNull": "1970-01-01T00:00:00Z", "objectIdOrNull": "000000000000000000000000", "uuidOrNull": "00000000-0000-0000-0000-000000000000", "decimal128OrNull": "0", "dog": {"$ref": "Dog/1"}, "part": {"label": "outer", "dog": {"$ref": "Dog/2"}, "parts": [{"label": "inner", "parts": [{"label": "innermost", "dog": {"$ref": "Dog/1"}}]}, {"label": "inner twin"}]}, "boolList": [true, false, true], "intList": [1, 1, 2], "floatList": [0.5], "doubleList": [0.1, 0.2], "stringList": ["b", "", "a"], "dataList": ["hex:00", "hex:"], "dateList": ["1969-07-20T20:17:40Z"], "objectIdList": ["507f1f77bcf86cd799439011"], "uuidList": ["123e4567-e89b-12d3-a456-426614174000"], "decimal128List": ["1", "1.0", "1.00"], "mixedList": [null, true, 1, {"$double": "1.0"}, {"$float": "1.5"}, "one", {"$data": "hex:01"}, {"$date": "1970-01-01T00:00:01Z"}, {"$objectId": "507f1f77bcf86cd799439011"}, {"$uuid": "123e4567-e89b-12d3-a456-426614174000"}, {"$decimal128": "1"}, {"$ref": "Dog/3"}], "boolSet": [true], "intSet": [3, 1, 2], "floatSet": [1.5, -1.5], "doubleSet": [0.25], "stringSet": ["dog", "cat", ""], "dataSet": ["hex:beef"], "dateSet": ["2000-01-01T00:00:00Z"], "objectIdSet": ["507f1f77bcf86cd799439011"], "uuidSet": ["123e4567-e89b-12d3-a456-426614174000"], "decimal128Set": ["2.5"], "mixedSet": [1, "1", {"$ref": "Dog/1"}], "boolMap": {"yes": true, "no": false}, "intMap": {"one": 1}, "floatMap": {"half": 0.5}, "doubleMap": {"third": 0.3333333333333333}, "stringMap": {"": "empty key", "$$money": "dollars", "en": "dog", "日本": "犬"}, "dataMap": {"a": "hex:61"}, "dateMap": {"epoch": "1970-01-01T00:00:00Z"}, "objectIdMap": {"id": "507f1f77bcf86cd799439011"}, "uuidMap": {"id": "123e4567-e89b-12d3-a456-426614174000"}, "decimal128Map": {"price": "9.99"}, "mixedMap": {"dog": {"$ref": "Dog/4"}, "nothing": null, "number": 7}, "nullableList": [null, "", "x", null], "dogList": [{"$ref": "Dog/1"}, {"$ref": "Dog/1"}], "nullableSet": [null, ""], "dogSet": [{"$ref": "Dog/1"}, {"$ref": "Dog/2"}], "nullableMap": {"empty": "", "none": null}, "dogMap": {"best": {"$ref": "Dog/1"}, "lost": null}, "partList": [{"label": "first"}, {"label": "second", "dog": {"$ref": "Dog/5"}}], "partMap": {"left": {"label": "left part"}, "missing": null}}
{"$object": "Specimen/2", "title": "smallest, and what is no number", "intValue": -9223372036854775808, "int8Value": -128, "int16Value": -32768, "int32Value": -2147483648, "floatValue": "nan", "doubleValue": "nan(0x80000deadbeef)", "stringValue": "Day 1: the dog slept, ate, ran after a ball and slept again. Day 2: the dog slept, ate, ran after a ball and slept again. Day 3: the dog slept, ate, ran after a ball and slept again. Day 4: the dog slept, ate, ran after a ball and slept again. Day 5: the dog slept, ate, ran after a ball and slept again. Day 6: the dog slept, ate, ran after a ball and slept again. Day 7: the dog slept, ate, ran after a ball and slept again. Day 8: the dog slept, ate, ran after a ball and slept again. Day 9: the dog slept, ate, ran after a ball and slept again. Day 10: the dog slept, ate, ran after a ball and slept again. Day 11: the dog slept, ate, ran after a ball and slept again. Day 12: the dog slept, ate, ran after a ball and slept again. Day 13: the dog slept, ate, ran after a ball and slept again. Day 14: the dog slept, ate, ran after a ball and slept again. Day 15: the dog slept, ate, ran after a ball and slept again. Day 16: the dog slept, ate, ran after a ball and slept again. Day 17: the dog slept, ate, ran after a ball and slept again. Day 18: the dog slept, ate, ran after a ball and slept again. Day 19: the dog slept, ate, ran after a ball and slept again. Day 20: the dog slept, ate, ran after a ball and slept again. Day 21: the dog slept, ate, ran after a ball and slept again. Day 22: the dog slept, ate, ran after a ball and slept again. Day 23: the dog slept, ate, ran after a ball and slept again. Day 24: the dog slept, ate, ran after a ball and slept again. Day 25: the dog slept, ate, ran after a ball and slept again. Day 26: the dog slept, ate, ran after a ball and slept again. Day 27: the dog slept, ate, ran after a ball and slept again. Day 28: the dog slept, ate, ran after a ball and slept again. Day 29: the dog slept, ate, ran after a ball and slept again. Day 30: the dog slept, ate, ran after a ball and slept again. Day 31: the dog slept, ate, ran after a ball and slept again. Day 32: the dog slept, ate, ran after a ball and slept again. Day 33: the dog slept, ate, ran after a ball and slept again. Day 34: the dog slept, ate, ran after a ball and slept again. Day 35: the dog slept, ate, ran after a ball and slept again. Day 36: the dog slept, ate, ran after a ball and slept again. Day 37: the dog slept, ate, ran after a ball and slept again. Day 38: the dog slept, ate, ran after a ball and slept again. Day 39: the dog slept, ate, ran after a ball and slept again. Day 40: the dog slept, ate, ran after a ball and slept again. Day 41: the dog slept, ate, ran after a ball and slept again. Day 42: the dog slept, ate, ran after a ball and slept again. Day 43: the dog slept, ate, ran after a ball and slept again. Day 44: the dog slept, ate, ran after a ball and slept again. Day 45: the dog slept, ate, ran after a ball and slept again. Day 46: the dog slept, ate, ran after a ball and slept again. Day 47: the dog slept, ate, ran after a ball and slept again. Day 48: the dog slept, ate, ran after a ball and slept again. Day 49: the dog slept, ate, ran after a ball and slept again. Day 50: the dog slept, ate, ran after a ball and slept again. Day 51: the dog slept, ate, ran after a ball and slept again. Day 52: the dog slept, ate, ran after a ball and slept again. Day 53: the dog slept, ate, ran after a ball and slept again. Day 54: the dog slept, ate, ran after a ball and slept again. Day 55: the dog slept, ate, ran after a ball and slept again. Day 56: the dog slept, ate, ran after a ball and slept again. Day 57: the dog slept, ate, ran after a ball and slept again. Day 58: the dog slept, ate, ran after a ball and slept again. Day 59: the dog slept, ate, ran after a ball and slept again. Day 60: the dog slept, ate, ran after a ball and slept again. Day 61: the dog slept, ate, ran after a ball and slept again. Day 62: the dog slept, ate, ran after a ball and slept again. Day 63: the dog slept, ate, ran after a ball and slept again. Day 64: the dog slept, ate, ran after a ball and slept again. Day 65: the dog slept, ate, ran after a ball and slept again. Day 66: the dog slept, ate, ran after a ball and slept again. Day 67: the dog slept, ate, ran after a ball and slept again. Day 68: the dog slept, ate, ran after a ball and slept again. Day 69: the dog slept, ate, ran after a ball and slept again. Day 70: the dog slept, ate, ran after a ball and slept again. Day 71: the dog slept, ate, ran after a ball and slept again. Day 72: the dog slept, ate, ran after a ball and slept again. Day 73: the dog slept, ate, ran after a ball and slept again. Day 74: the dog slept, ate, ran after a ball and slept again. Day 75: the dog slept, ate, ran after a ball and slept again. Day 76: the dog slept, ate, ran after a ball and slept again. Day 77: the dog slept, ate, ran after a ball and slept again. Day 78: the dog slept, ate, ran after a ball and slept again. Day 79: the dog slept, ate, ran after a ball and slept again. Day 80: the dog slept, ate, ran after a ball and slept again.", "dataValue": "hex:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff", "dateValue": "@-9223372036854775808.999999999", "objectIdValue": "ffffffffffffffffffffffff", "uuidValue": "ffffffff-ffff-ffff-ffff-ffffffffffff", "decimal128Value": "NaN", "mixedValue": [{"$double": "nan"}, {"dog": {"$ref": "Dog/4"}, "sizes": [1, {"$float": "1.5"}, null]}], "floatOrNull": "-0.0", "doubleOrNull": "-inf", "doubleList": ["nan", "-inf", "-0.0", 0.0, 5e-324, "inf"], "decimal128List": ["-0", "1E-6176", "-Infinity"], "dateList": ["-0044-03-15T12:00:00Z", "1582-10-15T00:00:00Z", "1969-12-31T23:59:59.999999999Z", "+12345-06-07T08:09:10Z"]}
{"$object": "Specimen/3", "title": "largest", "boolValue": true, "intValue": 9223372036854775807, "int8Value": 127, "int16Value": 32767, "int32Value": 2147483647, "floatValue": 3.4028235e+38, "doubleValue": 1.7976931348623157e+308, "stringValue": "👨‍👩‍👧‍👦 🧑🏽‍🚀 🇯🇵 ẹ́ 한국어 \u001b[1;31m\t\r\n\u0085\u009b5n\u200f\ufeff", "dateValue": "@9223372036854775807.999999999", "decimal128Value": "9.999999999999999999999999999999999E+6144", "mixedValue": {"$ref": "Specimen/1"}, "dog": null}
{"$object": "Specimen/4", "title": "nothing said"}

"""#
