-- The canary world of PostgreSQL: made over the honest shop (tests/fixtures/guard/honest/shop.sql) by a superuser.
-- What must never be read or called says canary-5e1f, as a value, a comment, a setting or a notice.
CREATE TYPE address AS (street text, city text);
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TABLE items (id integer PRIMARY KEY, s smallint, l bigint, n numeric, r real, f double precision, t text,
    v varchar(20), c char(4), b boolean, d date, p timestamp, q timestamptz, m time, z timetz, i interval, j json, k jsonb,
    y bytea, u uuid, ai integer[], atx text[], af double precision[], an numeric[], ir int4range, nr numrange,
    dr daterange, tr tstzrange, x tsvector, h inet, e cidr, w bit(4), g money, o point, addr address, places address[],
    feels mood);
INSERT INTO items VALUES
    (1, 2, 3, 4.5, 5.5, 6.25, 'Rome', 'paid', 'ab', true, '2024-01-31', '2024-01-31 10:20:30', '2024-01-31 10:20:30+02',
     '10:20:30', '10:20:30+02', '1 day 02:00', '{"a": 1, "b": [1, 2]}', '{"a": {"b": "x"}, "c": [1, "y"]}', '\x00ff41',
     '550e8400-e29b-41d4-a716-446655440000', '{1,2,3}', '{a,b}', '{1.5}', '{1,2.5}', '[1,5)', '[1.5,2.5]',
     '[2024-01-01,2024-02-01)', '[2024-01-01,2024-02-01)', to_tsvector('english', 'the quick foxes'), '10.0.0.1/8',
     '10.0.0.0/8', B'0101', 12.5, '(1,2)', ROW('Main', 'Oslo'), ARRAY[ROW('Side', 'Lyon')::address], 'ok'),
    (2, -1, 9223372036854775807, -0.05, 'NaN', 'Infinity', 'canary.txt', '', '', false, '1999-12-31', 'infinity', NULL,
     '00:00', '00:00+00', '-3 months', '[]', '"s"', '', NULL, '{}', '{NULL,"x y"}', '{}', '{NaN}', 'empty', '(,)', NULL, NULL,
     '', '::1', '::/0', B'0000', -1, '(0,0)', NULL, '{}', 'sad');
INSERT INTO items (id) VALUES (3);
CREATE VIEW spending AS SELECT customer_id, sum(total) AS total FROM orders GROUP BY customer_id;

-- what the reader is not told of
CREATE TABLE vault (id integer, secret text);
INSERT INTO vault VALUES (1, 'canary-5e1f');
COMMENT ON TABLE vault IS 'canary-5e1f';
CREATE VIEW vault_keys AS SELECT secret AS k FROM vault;
CREATE SEQUENCE counter;
SELECT nextval('counter');
SELECT lo_from_bytea(4711, 'canary-5e1f');
CREATE ROLE keeper;
COMMENT ON ROLE keeper IS 'canary-5e1f';

-- traps: plain, over every value, over a row, behind operators, under names of the guard's list
CREATE FUNCTION sprung(what text) RETURNS void LANGUAGE plpgsql AS
    $$BEGIN RAISE WARNING 'canary-5e1f: % was called', what; END$$;
CREATE FUNCTION trap() RETURNS integer LANGUAGE plpgsql AS $$BEGIN PERFORM sprung('trap()'); RETURN 1; END$$;
CREATE FUNCTION trap(anyelement) RETURNS integer LANGUAGE plpgsql AS
    $$BEGIN PERFORM sprung('trap(value)'); RETURN 1; END$$;
CREATE FUNCTION trap_of(orders) RETURNS integer LANGUAGE plpgsql AS
    $$BEGIN PERFORM sprung('trap_of(row)'); RETURN 1; END$$;
CREATE FUNCTION trap_of(customers) RETURNS integer LANGUAGE plpgsql AS
    $$BEGIN PERFORM sprung('trap_of(row)'); RETURN 1; END$$;
CREATE FUNCTION trap_of(address) RETURNS integer LANGUAGE plpgsql AS
    $$BEGIN PERFORM sprung('trap_of(address)'); RETURN 1; END$$;
CREATE FUNCTION trap_two(text, text) RETURNS text LANGUAGE plpgsql AS
    $$BEGIN PERFORM sprung('an operator'); RETURN 'x'; END$$;
CREATE FUNCTION trap_two(integer, integer) RETURNS integer LANGUAGE plpgsql AS
    $$BEGIN PERFORM sprung('an operator'); RETURN 1; END$$;
CREATE OPERATOR @@@ (LEFTARG = integer, RIGHTARG = integer, FUNCTION = trap_two);
CREATE FUNCTION trap_event() RETURNS event_trigger LANGUAGE plpgsql AS $$BEGIN PERFORM sprung('DDL'); END$$;
CREATE EVENT TRIGGER watch ON ddl_command_start EXECUTE FUNCTION trap_event();

-- whom the guard's schema belongs to
CREATE ROLE reader LOGIN PASSWORD 'reader';
GRANT SELECT ON customers, orders, products, order_items, employees, events, daily_sales, items, spending TO reader;
