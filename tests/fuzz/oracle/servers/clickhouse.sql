-- The canary world of ClickHouse: the honest shop (whose rows come from tests/fixtures/guard/honest/shop.sql) with types, keys and
-- engines of ClickHouse. What must never be read or called says canary-5e1f, as a value, a comment or an error.
CREATE TABLE customers (id Int32, name String, city Nullable(String), country LowCardinality(Nullable(String)), email Nullable(String),
    segment Nullable(String), signup_date Nullable(Date), referred_by Nullable(Int32)) ENGINE = MergeTree ORDER BY id;
CREATE TABLE orders (id Int32, customer_id Int32, status Nullable(String), channel Nullable(String), ordered_on Nullable(Date),
    shipped_on Nullable(Date), total Nullable(Decimal(10, 2))) ENGINE = MergeTree ORDER BY id;
CREATE TABLE products (id Int32, name Nullable(String), category Nullable(String), price Nullable(Decimal(10, 2)),
    cost Nullable(Decimal(10, 2)), stock Nullable(Int32), attributes Nullable(String)) ENGINE = MergeTree ORDER BY id;
CREATE TABLE order_items (id Int32, order_id Int32, product_id Int32, quantity Nullable(Int32), unit_price Nullable(Decimal(10, 2)),
    discount Nullable(Decimal(4, 2))) ENGINE = MergeTree ORDER BY id;
CREATE TABLE employees (id Int32, name Nullable(String), manager_id Nullable(Int32), department Nullable(String),
    salary Nullable(Decimal(10, 2)), hired_on Nullable(Date)) ENGINE = MergeTree ORDER BY id;
CREATE TABLE events (id UInt32, customer_id Nullable(Int32), kind String, happened_at DateTime, payload Nullable(String))
    ENGINE = ReplacingMergeTree ORDER BY id SAMPLE BY id;
CREATE TABLE daily_sales (day Date, store String, amount Decimal(12, 2), visitors Int32) ENGINE = MergeTree ORDER BY (store, day);

CREATE TABLE items (id Int32, n Decimal(10, 2), f Float64, t String, l LowCardinality(String), d Date, p DateTime, a Array(Int32),
    w Array(String), u Tuple(a Int32, b String), m Map(String, Int32), g UUID, e Enum('sad' = 1, 'ok' = 2), k Nested(x Int32, y String),
    o Nullable(Int32)) ENGINE = MergeTree ORDER BY id;
INSERT INTO items VALUES
    (1, 4.5, 6.25, 'Rome', 'Rome', '2024-01-31', '2024-01-31 10:20:30', [1, 2], ['a', 'b'], (1, 'x'), map('a', 1),
     '00000000-0000-0000-0000-000000000001', 'ok', [1], ['y'], 5),
    (2, -0.05, 1e308, 'canary.txt', '', '1999-12-31', '1999-12-31 00:00:00', [], [], (0, ''), map(),
     '00000000-0000-0000-0000-000000000002', 'sad', [], [], NULL);
CREATE VIEW spending AS SELECT customer_id, sum(total) AS total FROM orders GROUP BY customer_id;

-- what the reader is not told of
CREATE TABLE vault (id Int32, secret String) ENGINE = MergeTree ORDER BY id COMMENT 'canary-5e1f';
INSERT INTO vault VALUES (1, 'canary-5e1f');
CREATE VIEW vault_keys AS SELECT secret AS k FROM vault;
CREATE TABLE vault_one (secret String) ENGINE = Memory;
INSERT INTO vault_one VALUES ('canary-5e1f');
CREATE TABLE vault_set (secret String) ENGINE = Set;
CREATE TABLE vault_join (id Int32, secret String) ENGINE = Join(ANY, LEFT, id);
INSERT INTO vault_join VALUES (1, 'canary-5e1f');
CREATE DICTIONARY secrets (id UInt64, value String) PRIMARY KEY id
    SOURCE(CLICKHOUSE(DB 'shop' QUERY 'SELECT 1 AS id, \'canary-5e1f\' AS value')) LAYOUT(FLAT()) LIFETIME(0);
CREATE DATABASE other;
CREATE TABLE other.vault (id Int32, secret String) ENGINE = MergeTree ORDER BY id;
INSERT INTO other.vault SELECT * FROM vault;
-- of the same name, in the database that is called default: not the one that the reader is told of
CREATE TABLE default.customers (id Int32, name String) ENGINE = MergeTree ORDER BY id;
INSERT INTO default.customers VALUES (1, 'canary-5e1f');

-- traps: a call of one is an error that says so
CREATE FUNCTION trap AS x -> throwIf(1, 'canary-5e1f: trap was called');
CREATE FUNCTION trap_two AS (x, y) -> throwIf(1, 'canary-5e1f: trap_two was called');
