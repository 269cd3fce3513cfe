-- A small shop, for the tour in Documentation/SQL.md:
--   sqlite3 shop.sqlite < sample-data/shop.sql
PRAGMA foreign_keys = ON;
BEGIN;

CREATE TABLE employee (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  manager_id INTEGER REFERENCES employee (id) ON DELETE SET NULL
);
CREATE TABLE customer (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  is_company BOOLEAN NOT NULL DEFAULT 0,
  since DATE NOT NULL,
  support_id INTEGER REFERENCES employee (id) ON DELETE SET NULL
);
CREATE TABLE profile (
  customer_id INTEGER PRIMARY KEY REFERENCES customer (id) ON DELETE CASCADE,
  note TEXT
);
CREATE TABLE product (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  price NUMERIC NOT NULL CHECK (price >= 0),
  extra
);
CREATE TABLE tag (
  name TEXT PRIMARY KEY
) WITHOUT ROWID;
CREATE TABLE product_tag (
  product_id INTEGER NOT NULL REFERENCES product (id) ON DELETE CASCADE,
  tag TEXT NOT NULL REFERENCES tag (name) ON DELETE CASCADE ON UPDATE CASCADE,
  PRIMARY KEY (product_id, tag)
);
CREATE TABLE "order" (
  id INTEGER PRIMARY KEY,
  customer_code TEXT NOT NULL REFERENCES customer (code) ON DELETE RESTRICT ON UPDATE CASCADE,
  placed DATETIME NOT NULL,
  state TEXT NOT NULL DEFAULT 'open'
);
CREATE TABLE order_line (
  order_id INTEGER NOT NULL REFERENCES "order" (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  product_id INTEGER NOT NULL REFERENCES product (id),
  quantity INTEGER NOT NULL DEFAULT 1,
  price NUMERIC NOT NULL,
  total GENERATED ALWAYS AS (quantity * price),
  PRIMARY KEY (order_id, position)
);
CREATE TABLE shipment (
  id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  sent DATE,
  CONSTRAINT line FOREIGN KEY (order_id, position) REFERENCES order_line (order_id, position)
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX order_by_customer ON "order" (customer_code);
CREATE VIEW turnover AS
  SELECT c.name AS customer, count(DISTINCT o.id) AS orders, sum(l.total) AS total
  FROM customer AS c JOIN "order" AS o ON o.customer_code = c.code
  JOIN order_line AS l ON l.order_id = o.id GROUP BY c.id;

INSERT INTO employee VALUES (1, 'Vera', NULL), (2, 'Otto', 1), (3, 'Ida', 2);
INSERT INTO customer VALUES
  (1, 'ALFKI', 'Alfreds Futterkiste', 1, '2021-03-01', 2),
  (2, 'BONAP', 'Bon app''', 1, '2022-11-30', 3),
  (3, 'ADA', 'Ada', 0, '2024-02-29', NULL);
INSERT INTO profile VALUES (1, 'Wants invoices on paper.'), (3, NULL);
INSERT INTO product VALUES
  (1, 'Bone', 4.5, NULL), (2, 'Leash', 12, 'red'), (3, 'Basket', 39.9, 80), (4, 'Whistle', 3, x'00ff');
INSERT INTO tag VALUES ('food'), ('outside'), ('sleep');
INSERT INTO product_tag VALUES (1, 'food'), (2, 'outside'), (3, 'sleep'), (4, 'outside');
INSERT INTO "order" VALUES
  (1001, 'ALFKI', '2024-05-01 09:30:00', 'sent'), (1002, 'ALFKI', '2024-05-07 16:05:12', 'open'),
  (1003, 'BONAP', '2024-05-09 11:00:00', 'open');
INSERT INTO order_line (order_id, position, product_id, quantity, price) VALUES
  (1001, 1, 1, 10, 4.5), (1001, 2, 3, 1, 39.9), (1002, 1, 2, 2, 12), (1003, 1, 1, 3, 4.5);
INSERT INTO shipment VALUES (1, 1001, 1, '2024-05-02'), (2, 1001, 2, NULL);

-- An order of a customer who is gone: SQLite checks foreign keys only where a program asks it to.
COMMIT;
PRAGMA foreign_keys = OFF;
INSERT INTO "order" VALUES (1004, 'GONE', '2023-12-24 18:00:00', 'sent');
