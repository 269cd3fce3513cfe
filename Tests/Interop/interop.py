"""Compares Kennel's documents with those of PyMongo's `bson` and `json_util`.

    interop.py KENNEL SAMPLE            compares both ways
    interop.py --record FOLDER          writes the documents that the unit tests read

Both write the same objects, from a description of the mapping that is not Kennel's: this file. What
Kennel writes must be PyMongo's bytes; what PyMongo writes must come back from Kennel as its bytes.
"""

import calendar
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import uuid

import bson
from bson import json_util
from bson.binary import Binary, UuidRepresentation
from bson.codec_options import CodecOptions, DatetimeConversion
from bson.datetime_ms import DatetimeMS
from bson.dbref import DBRef
from bson.decimal128 import Decimal128
from bson.int64 import Int64
from bson.objectid import ObjectId

OPTIONS = CodecOptions(
    uuid_representation=UuidRepresentation.STANDARD,
    datetime_conversion=DatetimeConversion.DATETIME_MS,
)
JSON = {
    "canonical": json_util.JSONOptions(
        json_mode=json_util.JSONMode.CANONICAL,
        uuid_representation=UuidRepresentation.STANDARD,
        datetime_conversion=DatetimeConversion.DATETIME_MS,
    ),
    "relaxed": json_util.JSONOptions(
        json_mode=json_util.JSONMode.RELAXED,
        uuid_representation=UuidRepresentation.STANDARD,
        datetime_conversion=DatetimeConversion.DATETIME_MS,
    ),
}


def encode(document):
    return bson.encode(document, codec_options=OPTIONS)


# ----- From lossless lines to the documents that Kennel should write


def exact(kind, text):
    return {"kennel": kind, "value": text}


def days(year, month, day):
    """The days since 1970 of a date of any year, in the Gregorian calendar."""
    cycles, rest = divmod(year, 400)
    base = 2000 + rest
    since = calendar.timegm((base, month, day, 0, 0, 0)) // 86400
    return since + (cycles - 5) * 146097


def date(text):
    if text.startswith("@"):
        whole, _, rest = text[1:].partition(".")
        seconds, nanoseconds = int(whole), int((rest + "000000000")[:9])
    else:
        match = re.fullmatch(
            r"([+-]?\d+)-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?Z", text
        )
        year, month, day, hour, minute, second = (int(match.group(i)) for i in range(1, 7))
        seconds = days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second
        nanoseconds = int(((match.group(7) or "") + "000000000")[:9])
    milliseconds = seconds * 1000 + nanoseconds // 1_000_000
    if nanoseconds % 1_000_000 or not -(2**63) <= milliseconds < 2**63:
        return exact("date", text)
    return DatetimeMS(milliseconds)


def number(value, is_float=False):
    if not isinstance(value, str):
        return float(value)
    match = re.fullmatch(r"(-?)nan(?:\(0x([0-9a-f]+)\))?", value)
    if not match:
        return float(value)
    sign = 1 << 63 if match.group(1) else 0
    payload = int(match.group(2), 16) if match.group(2) else (0x400000 if is_float else 1 << 51)
    bits = sign | 0x7FF << 52 | (payload << 29 if is_float else payload)
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def decimal(value):
    text = str(value)
    if text.startswith("0x"):
        return Decimal128.from_bid(bytes.fromhex(text[2:])[::-1])
    return Decimal128(text)


def data(text):
    return bytes.fromhex(text.removeprefix("hex:"))


class Database:
    """A database as its lossless lines tell it."""

    def __init__(self, lines):
        self.classes, self.objects = {}, {}
        for line in lines:
            line = json.loads(line)
            if "$class" in line:
                current = {"embedded": line.get("embedded", False), "properties": {}}
                self.classes[line["$class"]] = current
            elif "$property" in line:
                current["properties"][line["$property"]] = line
            elif "$object" in line:
                self.objects[line["$object"]] = line

    def key_property(self, name):
        for key, line in self.classes[name]["properties"].items():
            if line.get("primaryKey"):
                return key
        return None

    def link(self, reference, is_mixed=False):
        name, _, key = reference.rpartition("/")
        primary = self.key_property(name)
        if primary is None:
            target = Int64(int(key))
        else:
            kind = self.classes[name]["properties"][primary]["type"]
            target = self.value(self.objects[reference][primary], kind)
        return DBRef(name, target) if is_mixed or target is None else target

    def mixed(self, value):
        if isinstance(value, list):
            return [self.mixed(entry) for entry in value]
        is_wrapped = isinstance(value, dict) and re.fullmatch(r"\$[a-zA-Z].*", next(iter(value), ""))
        if isinstance(value, dict) and not is_wrapped:
            return {
                key[1:] if key.startswith("$") else key: self.mixed(entry)
                for key, entry in value.items()
            }
        if is_wrapped:
            (kind, inner), = value.items()
            if kind == "$ref":
                return self.link(inner, True)
            if kind == "$float":
                return exact("float", str(inner))
            return self.value(inner, kind[1:])
        if isinstance(value, int) and not isinstance(value, bool):
            return Int64(value)
        return value

    def value(self, value, kind):
        kind = kind.rstrip("?")
        match = re.fullmatch(r"(list|set|map)<(.*)>", kind)
        if match and match.group(1) == "map":
            return {
                key[1:] if key.startswith("$") else key: self.value(entry, match.group(2))
                for key, entry in value.items()
            }
        if match:
            return [self.value(entry, match.group(2)) for entry in value]
        if value is None:
            return None
        if kind.startswith("link<"):
            name = kind[5:-1]
            if self.classes[name]["embedded"]:
                return self.document(name, value)
            return self.link(value["$ref"])
        return {
            "bool": lambda: value,
            "int": lambda: Int64(value),
            "int8": lambda: value,
            "int16": lambda: value,
            "int32": lambda: value,
            "float": lambda: number(value, True),
            "double": lambda: number(value),
            "string": lambda: value,
            "data": lambda: data(value),
            "date": lambda: date(value),
            "objectId": lambda: ObjectId(value),
            "uuid": lambda: uuid.UUID(value),
            "decimal128": lambda: decimal(value),
            "mixed": lambda: self.mixed(value),
        }[kind]()

    def document(self, name, line):
        document = {}
        for key, definition in self.classes[name]["properties"].items():
            value = self.value(line[key], definition["type"])
            if definition["type"] == "float" and isinstance(value, float):
                value = struct.unpack("<f", struct.pack("<f", value))[0] if value == value else value
            if value is not None or definition.get("default") is not None:
                document[key] = value
        return document

    def collection(self, name):
        primary = self.key_property(name)
        for reference, line in self.objects.items():
            if reference.rpartition("/")[0] != name:
                continue
            document = rounded(self.document(name, line), self, name)
            if primary is None:
                member = "_key" if "_id" in self.classes[name]["properties"] else "_id"
                document = {member: Int64(int(reference.rpartition("/")[2]))} | document
            elif "_id" not in self.classes[name]["properties"]:
                document = {"_id": document.get(primary)} | document
            yield document


def rounded(value, database, name):
    """The document with the numbers of its floats as 32 bits have them."""

    def walk(value, kind):
        kind = kind.rstrip("?")
        match = re.fullmatch(r"(list|set|map)<(.*)>", kind)
        if kind == "mixed":
            return value
        if isinstance(value, list):
            return [walk(entry, match.group(2)) for entry in value]
        if match and isinstance(value, dict):
            return {key: walk(entry, match.group(2)) for key, entry in value.items()}
        if kind == "float" and isinstance(value, float) and value == value:
            return struct.unpack("<f", struct.pack("<f", value))[0]
        if kind.startswith("link<") and isinstance(value, dict):
            return rounded(value, database, kind[5:-1])
        return value

    properties = database.classes[name]["properties"]
    return {key: walk(entry, properties[key]["type"]) for key, entry in value.items()}


# ----- Random documents of PyMongo's

SCHEMA = """\
{"$kennel":1}
{"$class":"Thing"}
{"$property":"_id","type":"objectId","primaryKey":true}
{"$property":"truth","type":"bool?"}
{"$property":"long","type":"int?"}
{"$property":"int","type":"int32?"}
{"$property":"double","type":"double?"}
{"$property":"text","type":"string?"}
{"$property":"data","type":"data?"}
{"$property":"date","type":"date?"}
{"$property":"oid","type":"objectId?"}
{"$property":"uuid","type":"uuid?"}
{"$property":"decimal","type":"decimal128?"}
{"$property":"any","type":"mixed"}
{"$property":"friend","type":"link<Thing>"}
{"$property":"part","type":"link<Part>"}
{"$property":"longs","type":"list<int?>"}
{"$property":"anything","type":"list<mixed>"}
{"$property":"friends","type":"list<link<Thing>>"}
{"$property":"parts","type":"list<link<Part>>"}
{"$property":"map","type":"map<mixed>"}
{"$property":"named","type":"map<link<Part>>"}
{"$class":"Part","embedded":true}
{"$property":"label","type":"string?"}
{"$property":"thing","type":"link<Thing>"}
{"$property":"part","type":"link<Part>"}
{"$property":"parts","type":"list<link<Part>>"}
"""

TEXTS = ["", "Rex", "a\u0000b", "\u001b[31m", "é", "e\u0301", "日本", "🐕", "\"\\\n\t", "\u202e", "$oid"]


class Documents:
    def __init__(self, seed, count):
        self.random = random.Random(seed)
        self.ids = [ObjectId(self.random.randbytes(12)) for _ in range(count)]

    def scalar(self, kind):
        pick = self.random
        return {
            "truth": lambda: pick.random() < 0.5,
            "long": lambda: Int64(pick.choice([0, 1, -1, 2**63 - 1, -(2**63), pick.randrange(-99, 99)])),
            "int": lambda: pick.choice([0, 7, 2**31 - 1, -(2**31)]),
            "double": lambda: pick.choice(
                [0.0, -0.0, 1.0, 0.1, 1e300, 5e-324, float("inf"), float("-inf"), float("nan"), 2.0**53]
                + [pick.random()]
            ),
            "text": lambda: pick.choice(TEXTS),
            "data": lambda: pick.randbytes(pick.randrange(20)),
            "date": lambda: DatetimeMS(
                pick.choice([0, -1, 999, 253402300799999, -62135596800000, pick.randrange(2**40)])
            ),
            "oid": lambda: ObjectId(pick.randbytes(12)),
            "uuid": lambda: uuid.UUID(bytes=pick.randbytes(16)),
            "decimal": lambda: Decimal128(
                pick.choice(["0", "-0", "1.50", "1E+6144", "1E-6176", "Infinity", "NaN", "-1.0E+3"])
            ),
        }[kind]()

    def any(self):
        kind = self.random.choice(
            ["truth", "long", "double", "text", "data", "date", "oid", "uuid", "decimal", "friend"]
        )
        if kind == "friend":
            return DBRef("Thing", self.random.choice(self.ids))
        return self.scalar(kind)

    def some(self, make):
        return [make() for _ in range(self.random.randrange(4))]

    def map(self, make):
        keys = ["", "a", "a.b", "é", "zz"]
        chosen = [key for key in keys if self.random.random() < 0.4]
        chosen.sort(key=lambda key: key.encode())
        return {key: make() for key in chosen}

    def part(self, depth=0):
        part = {}
        if self.random.random() < 0.5:
            part["label"] = self.random.choice(TEXTS)
        if self.random.random() < 0.5:
            part["thing"] = self.random.choice(self.ids)
        if self.random.random() < 0.5 and depth < 8:
            part["part"] = self.part(depth + 1)
        part["parts"] = [] if depth > 2 else self.some(lambda: self.part(depth + 1))
        return part

    def document(self, id):
        document = {"_id": id}
        for kind in ["truth", "long", "int", "double", "text", "data", "date", "oid", "uuid", "decimal"]:
            if self.random.random() < 0.6:
                document[kind] = self.scalar(kind)
        if self.random.random() < 0.6:
            document["any"] = self.any()
        if self.random.random() < 0.6:
            document["friend"] = self.random.choice(self.ids)
        if self.random.random() < 0.6:
            document["part"] = self.part()
        document["longs"] = self.some(lambda: self.random.choice([None, Int64(5), Int64(-(2**40))]))
        document["anything"] = self.some(self.any)
        document["friends"] = self.some(lambda: self.random.choice(self.ids))
        document["parts"] = self.some(self.part)
        document["map"] = self.map(self.any)
        document["named"] = self.map(lambda: self.random.choice([None, self.part()]))
        return document

    def all(self):
        return [self.document(id) for id in self.ids]


# ----- The comparisons


def kennel(*arguments, text=None):
    outcome = subprocess.run(
        [KENNEL, *arguments], input=text, capture_output=True, text=text is not None
    )
    if outcome.returncode != 0:
        message = outcome.stderr if text is not None else outcome.stderr.decode()
        sys.exit(f"kennel {' '.join(arguments)}: {message}")
    return outcome.stdout


def require_same(found, expected, what):
    if found == expected:
        return
    for position, (left, right) in enumerate(zip(found, expected)):
        if left != right:
            sys.exit(f"{what}: document {position + 1} differs:\n{decoded(left)}\n{decoded(right)}")
    sys.exit(f"{what}: {len(found)} documents instead of {len(expected)}")


def decoded(document):
    return bson.decode(document, codec_options=OPTIONS)


def raw_documents(bytes):
    documents = []
    while bytes:
        length = struct.unpack("<i", bytes[:4])[0]
        documents.append(bytes[:length])
        bytes = bytes[length:]
    return documents


def check_kennels_documents(file, title):
    """PyMongo writes the same bytes for the objects, and reads Kennel's text as the same documents."""
    lines = kennel("export", file).decode().splitlines()
    database = Database(lines)
    count = 0
    for name, definition in database.classes.items():
        if definition["embedded"]:
            continue
        expected = [encode(document) for document in database.collection(name)]
        found = raw_documents(kennel("export", file, name, "--format", "bson"))
        require_same(found, expected, f"{title}, {name} as BSON")
        count += len(found)
        for format in ["extjson", "relaxed"]:
            text = kennel("export", file, name, "--format", format).decode()
            documents = [
                json_util.loads(line, json_options=JSON["canonical"]) for line in text.splitlines()
            ]
            if len(documents) != len(expected):
                sys.exit(f"{title}, {name} as {format}: {len(documents)} documents")
            if format == "extjson":
                for position, document in enumerate(documents):
                    compare_text(document, decoded(expected[position]), f"{title}, {name}")
    print(f"{title}: {count} documents are PyMongo's")


def compare_text(found, expected, what):
    """Equal but for what Extended JSON has no text for, which stands in an exact form."""
    if isinstance(found, dict) and set(found) == {"kennel", "value"}:
        return
    if isinstance(found, list) and isinstance(expected, dict):
        found = {pair["k"]: pair["v"] for pair in found}
    if isinstance(found, dict):
        if list(found) != list(expected):
            sys.exit(f"{what}: {list(found)} instead of {list(expected)}")
        for key in found:
            compare_text(found[key], expected[key], what)
    elif isinstance(found, list):
        if len(found) != len(expected):
            sys.exit(f"{what}: {len(found)} elements instead of {len(expected)}")
        for left, right in zip(found, expected):
            compare_text(left, right, what)
    elif type(found) is not type(expected) or found != expected and found == found:
        sys.exit(f"{what}: {found!r} instead of {expected!r}")


def check_pymongos_documents(folder, seed, count):
    """What PyMongo writes comes back from Kennel as the same bytes, from each of its formats."""
    documents = Documents(seed, count).all()
    expected = [encode(document) for document in documents]
    files = {"bson": b"".join(expected)}
    for name, options in JSON.items():
        lines = [json_util.dumps(document, json_options=options) for document in documents]
        files[name] = "\n".join(lines).encode()
        files[name + "-array"] = ("[" + ",".join(lines) + "]").encode()
    for name, bytes in files.items():
        path = os.path.join(folder, f"{name}.input")
        with open(path, "wb") as file:
            file.write(bytes)
        database = os.path.join(folder, f"{seed}-{name}.kennel")
        kennel("import", database, text=SCHEMA)
        kennel("import", database, path, "--class", "Thing")
        found = raw_documents(kennel("export", database, "Thing", "--format", "bson"))
        require_same(found, expected, f"PyMongo's {name}, seed {seed}")
        kennel("check", database)
    print(f"seed {seed}: {count} documents of PyMongo's come back from {len(files)} formats")


def record(folder):
    os.makedirs(folder, exist_ok=True)
    documents = Documents(1, 40).all()
    with open(os.path.join(folder, "schema.jsonl"), "w") as file:
        file.write(SCHEMA)
    with open(os.path.join(folder, "Thing.bson"), "wb") as file:
        file.write(b"".join(encode(document) for document in documents))
    for name, options in JSON.items():
        with open(os.path.join(folder, f"Thing.{name}.json"), "w") as file:
            for document in documents:
                file.write(json_util.dumps(document, json_options=options) + "\n")


if sys.argv[1] == "--record":
    record(sys.argv[2])
else:
    KENNEL, sample = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sample.kennel")
        kennel("import", path, sample)
        check_kennels_documents(path, "the sample")
        for seed in range(1, 6):
            check_pymongos_documents(folder, seed, 200)
            path = os.path.join(folder, f"{seed}-bson.kennel")
            check_kennels_documents(path, f"seed {seed}")
