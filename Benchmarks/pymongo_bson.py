"""Prints how many milliseconds PyMongo's C code takes to decode the documents of a file and to encode them."""

import sys
import time

import bson

assert bson.has_c(), "PyMongo came without its C code"
with open(sys.argv[1], "rb") as file:
    data = file.read()
start = time.perf_counter()
documents = bson.decode_all(data)
middle = time.perf_counter()
size = sum(len(bson.encode(document)) for document in documents)
end = time.perf_counter()
assert size == len(data)
print(f"{(middle - start) * 1000:.0f} {(end - middle) * 1000:.0f}")
