-- What a PostgreSQL calls although no statement names it: functions of the database's own behind casts, operator classes,
-- ranges, partitions and domains. Each says which of them was called. All functions are in a schema that is on no path,
-- so that only the server itself finds them. Without allow_own_types none may be called; with it, only these.
CREATE SCHEMA other;
CREATE TYPE feeling AS ENUM ('low', 'high');
CREATE FUNCTION other.feeling_text(feeling) RETURNS text LANGUAGE plpgsql IMMUTABLE AS
    $$BEGIN RAISE WARNING 'canary-5e1f: own: a cast from an enum was called'; RETURN 'own'; END$$;
CREATE CAST (feeling AS text) WITH FUNCTION other.feeling_text(feeling) AS IMPLICIT;
CREATE FUNCTION other.feeling_of(integer) RETURNS feeling LANGUAGE plpgsql IMMUTABLE AS
    $$BEGIN RAISE WARNING 'canary-5e1f: own: a cast to an enum was called'; RETURN 'low'; END$$;
CREATE CAST (integer AS feeling) WITH FUNCTION other.feeling_of(integer) AS ASSIGNMENT;
CREATE DOMAIN sense AS feeling;

CREATE TYPE grade AS (points integer);
CREATE FUNCTION other.grade_order(grade, grade) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS
    $$BEGIN RAISE WARNING 'canary-5e1f: own: an operator class was called'; RETURN $1.points - $2.points; END$$;
CREATE FUNCTION other.grade_hash(grade) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS
    $$BEGIN RAISE WARNING 'canary-5e1f: own: a hash was called'; RETURN $1.points; END$$;
CREATE FUNCTION other.grade_less(grade, grade) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS
    $$BEGIN RAISE WARNING 'canary-5e1f: own: an operator was called'; RETURN $1.points < $2.points; END$$;
CREATE FUNCTION other.grade_same(grade, grade) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS
    $$BEGIN RAISE WARNING 'canary-5e1f: own: an operator was called'; RETURN $1.points = $2.points; END$$;
CREATE FUNCTION other.grade_more(grade, grade) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS
    $$BEGIN RAISE WARNING 'canary-5e1f: own: an operator was called'; RETURN $1.points > $2.points; END$$;
CREATE OPERATOR other.< (LEFTARG = grade, RIGHTARG = grade, FUNCTION = other.grade_less);
CREATE OPERATOR other.= (LEFTARG = grade, RIGHTARG = grade, FUNCTION = other.grade_same, HASHES, MERGES);
CREATE OPERATOR other.> (LEFTARG = grade, RIGHTARG = grade, FUNCTION = other.grade_more);
CREATE OPERATOR CLASS other.grade_ops DEFAULT FOR TYPE grade USING btree AS
    OPERATOR 1 other.<, OPERATOR 3 other.=, OPERATOR 5 other.>, FUNCTION 1 other.grade_order(grade, grade);
CREATE OPERATOR CLASS other.grade_hash_ops DEFAULT FOR TYPE grade USING hash AS
    OPERATOR 1 other.=, FUNCTION 1 other.grade_hash(grade);

-- integers in an order of our own: behind an index, a range and partitions
CREATE FUNCTION other.int_order(integer, integer) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS
    $$BEGIN RAISE WARNING 'canary-5e1f: own: an order of integers was called'; RETURN $1 - $2; END$$;
CREATE OPERATOR CLASS other.int_ops FOR TYPE integer USING btree AS
    OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 other.int_order(integer, integer);
CREATE FUNCTION other.span_gap(integer, integer) RETURNS double precision LANGUAGE plpgsql IMMUTABLE AS
    $$BEGIN RAISE WARNING 'canary-5e1f: own: a distance was called'; RETURN $1 - $2; END$$;
CREATE TYPE span AS RANGE (SUBTYPE = integer, SUBTYPE_OPCLASS = other.int_ops, SUBTYPE_DIFF = other.span_gap,
    MULTIRANGE_TYPE_NAME = spans);
CREATE TYPE stretch AS RANGE (SUBTYPE = integer, SUBTYPE_OPCLASS = other.int_ops, MULTIRANGE_TYPE_NAME = stretches);

-- domains: names that the guard knows as types of other databases, so that a cast to them is not refused for its name
CREATE FUNCTION other.is_good(text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS
    $$BEGIN RAISE WARNING 'canary-5e1f: own: a check was called'; RETURN true; END$$;
CREATE DOMAIN string AS text CHECK (other.is_good(VALUE));
CREATE FUNCTION other.is_near(integer, integer) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS
    $$BEGIN RAISE WARNING 'canary-5e1f: own: an operator of a check was called'; RETURN true; END$$;
CREATE OPERATOR other.<<=>> (LEFTARG = integer, RIGHTARG = integer, FUNCTION = other.is_near);
CREATE DOMAIN tinyint AS integer CHECK (VALUE OPERATOR(other.<<=>>) 1);
CREATE DOMAIN mediumint AS tinyint;
CREATE DOMAIN clob AS text CHECK (length('low'::feeling) > 0 OR VALUE IS NOT NULL);

-- casts between built-in types; only a superuser makes them
CREATE FUNCTION other.money_bits(money) RETURNS bit varying LANGUAGE plpgsql IMMUTABLE AS
    $$BEGIN RAISE WARNING 'canary-5e1f: own: a cast of money was called'; RETURN B'1'; END$$;
CREATE CAST (money AS bit varying) WITH FUNCTION other.money_bits(money);

-- tables of them
CREATE TABLE own_feelings (id integer, feels feeling, many feeling[], sense sense);
CREATE TABLE own_grades (id integer, grade grade, many grade[]);
CREATE TABLE own_spans (id integer, span span, spans spans);
CREATE TABLE own_stretches (id integer, stretch stretch);
CREATE TABLE own_indexed (id integer, t text);
CREATE INDEX ON own_indexed (id other.int_ops);
CREATE TABLE own_parts (id integer, t text) PARTITION BY RANGE (id other.int_ops);
CREATE TABLE own_parts_low PARTITION OF own_parts FOR VALUES FROM (0) TO (10);
CREATE TABLE own_parts_high PARTITION OF own_parts FOR VALUES FROM (10) TO (20);
CREATE TABLE own_words (id integer, word string, size tinyint);
INSERT INTO own_feelings VALUES (1, 'low', '{low,high}', 'low'), (2, 'high', '{}', NULL);
INSERT INTO own_grades VALUES (1, ROW(1), ARRAY[ROW(2)::grade]), (2, ROW(3), '{}');
INSERT INTO own_spans VALUES (1, '[1,5)', '{[1,2)}'), (2, '[2,3)', '{}');
INSERT INTO own_stretches VALUES (1, '[1,5)'), (2, '[2,3)');
INSERT INTO own_indexed VALUES (1, 'a'), (2, 'b');
INSERT INTO own_parts VALUES (1, 'a'), (12, 'b');
INSERT INTO own_words VALUES (1, 'a', 1), (2, 'b', 2);
CREATE COLLATION odd FROM "C";
CREATE TABLE own_texts (id integer, t text COLLATE odd); -- a collation calls nothing
INSERT INTO own_texts VALUES (1, 'a'), (2, 'b');
GRANT SELECT ON own_feelings, own_grades, own_spans, own_stretches, own_indexed, own_parts, own_words, own_texts TO reader;
