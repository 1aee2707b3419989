-- The canary world of MariaDB: made over the honest shop (tests/fixtures/guard/honest/shop.sql) by root.
-- What must never be read or called says canary-5e1f, as a value, a comment or an error.
CREATE TABLE items (id INTEGER PRIMARY KEY, n DECIMAL(10,2), f DOUBLE, t VARCHAR(100), c CHAR(4), d DATE, p DATETIME, m TIME,
    j JSON, y BLOB, e ENUM('sad', 'ok'), s SET('a', 'b'), FULLTEXT (t));
INSERT INTO items VALUES
    (1, 4.5, 6.25, 'Rome', 'ab', '2024-01-31', '2024-01-31 10:20:30', '10:20:30', '{"a": 1, "b": [1, 2]}', x'00FF41', 'ok', 'a,b'),
    (2, -0.05, 1e308, 'canary.txt', '', '1999-12-31', '1999-12-31 00:00:00', '-01:00:00', '[]', '', 'sad', '');
INSERT INTO items (id) VALUES (3);
CREATE VIEW spending AS SELECT customer_id, sum(total) AS total FROM orders GROUP BY customer_id;

-- what the reader is not told of
CREATE TABLE vault (id INTEGER, secret VARCHAR(40)) COMMENT 'canary-5e1f';
INSERT INTO vault VALUES (1, 'canary-5e1f');
CREATE VIEW vault_keys AS SELECT secret AS k FROM vault;
CREATE SEQUENCE counter;
CREATE DATABASE other;
CREATE TABLE other.vault AS SELECT * FROM vault;

-- traps: a call of one is an error that says so
CREATE FUNCTION trap(x TEXT) RETURNS INTEGER
    BEGIN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'canary-5e1f: trap was called'; RETURN 1; END;
CREATE FUNCTION trap_two(x TEXT, y TEXT) RETURNS INTEGER
    BEGIN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'canary-5e1f: trap_two was called'; RETURN 1; END;

-- whom the guard's schema belongs to
CREATE USER reader@'127.0.0.1' IDENTIFIED BY 'reader';
GRANT SELECT ON shop.customers TO reader@'127.0.0.1';
GRANT SELECT ON shop.orders TO reader@'127.0.0.1';
GRANT SELECT ON shop.products TO reader@'127.0.0.1';
GRANT SELECT ON shop.order_items TO reader@'127.0.0.1';
GRANT SELECT ON shop.employees TO reader@'127.0.0.1';
GRANT SELECT ON shop.events TO reader@'127.0.0.1';
GRANT SELECT ON shop.daily_sales TO reader@'127.0.0.1';
GRANT SELECT ON shop.items TO reader@'127.0.0.1';
GRANT SELECT ON shop.spending TO reader@'127.0.0.1';
