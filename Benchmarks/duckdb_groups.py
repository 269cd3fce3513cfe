"""The grouping queries of `kennel-bench groups`, on DuckDB with two threads.

Reads dogs.csv, people.csv and links.csv from a folder; prints the shortest of so many times of each
query in milliseconds, and what the groups add up to.
"""

import sys
import time

import duckdb

folder, rounds = sys.argv[1], int(sys.argv[2])
database = duckdb.connect(folder + "/groups.duckdb")
database.execute("SET threads = 2")
for table, columns in (
    ("dogs", "{'id': 'INTEGER', 'breed': 'VARCHAR', 'age': 'INTEGER'}"),
    ("people", "{'id': 'INTEGER', 'city': 'VARCHAR'}"),
    ("links", "{'person': 'INTEGER', 'dog': 'INTEGER'}"),
):
    database.execute(
        f"CREATE TABLE {table} AS SELECT * FROM read_csv('{folder}/{table}.csv', header = false, "
        f"nullstr = '', columns = {columns})"
    )

queries = [
    "SELECT breed, count(*), avg(age) FROM dogs GROUP BY breed",
    "SELECT city, count(*), avg(age) FROM people JOIN links ON links.person = people.id "
    "JOIN dogs ON dogs.id = links.dog GROUP BY city",
]
for query in queries:
    shortest = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        rows = database.execute(query).fetchall()
        shortest = min(shortest, (time.perf_counter() - start) * 1000)
    total = sum(row[1] for row in rows)
    ages = round(sum(row[1] * row[2] for row in rows))
    print(f"{shortest:.3f} {len(rows)} {total} {ages}")
