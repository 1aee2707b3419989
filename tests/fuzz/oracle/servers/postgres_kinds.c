/* The kinds of values and the tables of the PostgreSQL world. */
#include "postgres_words.h"

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

const struct kind postgres_kinds[] = {
    {"", NULL, NULL, false, false},
    {"int4", LIST("1", "0", "-1", "7", "2", "100", "2147483647"),
     LIST("int4", "integer", "int", "pg_catalog.int4", "\"int4\""), true, true},
    {"text",
     LIST("Rome", "", "%a%", "paid", "é日", "canary.txt", "SELECT secret FROM vault",
          "vault", "a,b", "1", "{1,2}", "{\"a\":1}", "2024-01-31", "a'b\\c", "trap"),
     LIST("text", "varchar", "TEXT", "\"text\"", "pg_catalog.text"), false, true},
    {"bool", LIST("TRUE", "FALSE"), LIST("bool", "boolean"), true, true},
    {"numeric", LIST("1.5", "-0.05", "1e10", "12345678901234567890"),
     LIST("numeric", "decimal", "numeric(10,2)"), true, false},
    {"date", LIST("2024-01-31", "1999-12-31", "infinity"), LIST("date"), false, false},
    {"float8", LIST("0.5", "NaN", "1e308", "-1"), LIST("float8", "double precision"),
     false, false},
    {"jsonb", LIST("{\"a\":{\"b\":1}}", "[1,\"x\"]", "null", "\"s\""), LIST("jsonb"),
     false, false},
    {"_int4", LIST("{1,2,3}", "{}", "{{1,2},{3,4}}"),
     LIST("int4[]", "integer[]", "int[3]"), false, false},
    {"_text", LIST("{a,b}", "{}", "{NULL,\"x y\"}"), LIST("text[]"), false, false},
    {"timestamp", LIST("2024-01-31 10:20:30", "infinity"),
     LIST("timestamp", "timestamp without time zone", "timestamp(3)"), false, false},
    {"timestamptz", LIST("2024-01-31 10:20:30+02", "epoch"),
     LIST("timestamptz", "timestamp with time zone"), false, false},
    {"interval", LIST("1 day", "-3 months", "02:03:04"), LIST("interval"), false, false},
    {"int8", LIST("9223372036854775807", "5", "-5"), LIST("int8", "bigint"), false,
     false},
    {"int2", LIST("3", "-3"), LIST("int2", "smallint"), false, false},
    {"float4", LIST("0.25"), LIST("float4", "real"), false, false},
    {"varchar", LIST("paid", "x"), LIST("varchar", "varchar(5)", "character varying"),
     false, false},
    {"bpchar", LIST("ab  ", ""), LIST("char(4)", "bpchar"), false, false},
    {"json", LIST("{\"a\":[1,2]}", "[1,{\"b\":2}]", "3"), LIST("json"), false, false},
    {"jsonpath", LIST("$.a", "$.** ? (@ > 1)", "strict $[*]"), LIST("jsonpath"), false,
     false},
    {"time", LIST("10:20:30"), LIST("time", "time without time zone"), false, false},
    {"timetz", LIST("10:20:30+02"), LIST("timetz"), false, false},
    {"bytea", LIST("\\x00ff41", "abc", ""), LIST("bytea"), false, false},
    {"uuid", LIST("550e8400-e29b-41d4-a716-446655440000"), LIST("uuid"), false, false},
    {"_float8", LIST("{0.5,2}", "{}"), LIST("float8[]"), false, false},
    {"_numeric", LIST("{1,2.5}"), LIST("numeric[]"), false, false},
    {"int4range", LIST("[1,5)", "empty", "(,3]"), LIST("int4range"), false, false},
    {"int8range", LIST("[1,5)"), LIST("int8range"), false, false},
    {"numrange", LIST("[1.5,2.5]"), NULL, false, false},
    {"daterange", LIST("[2024-01-01,2024-02-01)"), LIST("daterange"), false, false},
    {"tsrange", LIST("[2024-01-01,2024-02-01)"), LIST("tsrange"), false, false},
    {"tstzrange", LIST("[2024-01-01,2024-02-01)"), LIST("tstzrange"), false, false},
    {"tsvector", LIST("a:1 b:2", "fox"), LIST("tsvector"), false, false},
    {"tsquery", LIST("a & b", "fox:*"), LIST("tsquery"), false, false},
    {"inet", LIST("10.0.0.1/8", "::1"), LIST("inet"), false, false},
    {"cidr", LIST("10.0.0.0/8"), LIST("cidr"), false, false},
    {"bit", LIST("0101"), LIST("bit(4)", "bit varying"), false, false},
    {"varbit", LIST("101"), LIST("varbit", "bit varying(5)"), false, false},
    {"money", LIST("12.5"), LIST("money"), false, false},
    {"point", LIST("(1,2)"), NULL, false, true},
    {"address", NULL, NULL, false, false},
    {"mood", LIST("ok", "sad"), LIST("mood"), false, true},
    /* from here to regconfig: of the database's own, with functions behind them */
    {"feeling", LIST("low", "high"), LIST("feeling", "sense"), false, true},
    {"grade", LIST("(1)", "(2)"), LIST("grade"), false, false},
    {"span", LIST("[1,5)", "empty", "(,3]"), LIST("span"), false, false},
    {"spans", LIST("{[1,5)}", "{}"), LIST("spans"), false, false},
    {"stretch", LIST("[1,5)", "[2,3]"), LIST("stretch"), false, false},
    {"regconfig", LIST("english", "simple"), NULL, false, true},
    {"name", LIST("utf8", "latin1"), NULL, false, true},
    {"char", LIST("a", "A"), NULL, false, true},
    {"record", NULL, NULL, false, false},
};
const int postgres_kind_count = (int)(sizeof postgres_kinds / sizeof *postgres_kinds);

/* By the server's word for the type; made numbers when the vocabulary is read. */
static const char *const items[] = {"id int4",
                                    "s int2",
                                    "l int8",
                                    "n numeric",
                                    "r float4",
                                    "f float8",
                                    "t text",
                                    "v varchar",
                                    "c bpchar",
                                    "b bool",
                                    "d date",
                                    "p timestamp",
                                    "q timestamptz",
                                    "m time",
                                    "z timetz",
                                    "i interval",
                                    "j json",
                                    "k jsonb",
                                    "y bytea",
                                    "u uuid",
                                    "ai _int4",
                                    "atx _text",
                                    "af _float8",
                                    "an _numeric",
                                    "ir int4range",
                                    "nr numrange",
                                    "dr daterange",
                                    "tr tstzrange",
                                    "x tsvector",
                                    "h inet",
                                    "e cidr",
                                    "w bit",
                                    "g money",
                                    "o point",
                                    "addr address",
                                    "feels mood",
                                    NULL};
static const char *const customers[] = {
    "id int4", "name varchar", "city varchar", "email varchar", "signup_date date", NULL};
static const char *const orders[] = {"id int4",        "customer_id int4",
                                     "status varchar", "ordered_on date",
                                     "total numeric",  NULL};
static const char *const events[] = {"id int4", "kind varchar", "happened_at timestamp",
                                     "payload json", NULL};
static const char *const spending[] = {"customer_id int4", "total numeric", NULL};

/* Tables of types with functions of the database's own behind them. */
static const char *const feelings[] = {"id int4", "feels feeling", "sense feeling", NULL};
static const char *const grades[] = {"id int4", "grade grade", NULL};
static const char *const spans[] = {"id int4", "span span", "spans spans", NULL};
static const char *const stretches[] = {"id int4", "stretch stretch", NULL};
static const char *const texts[] = {"id int4", "t text", NULL};
static const char *const own_words[] = {"id int4", "word text", "size int4", NULL};

const struct table_words postgres_tables[] = {
    {"items", items},         {"customers", customers},     {"orders", orders},
    {"events", events},       {"spending", spending},       {"own_texts", texts},
    {"own_words", own_words}, {"own_feelings", feelings},   {"own_grades", grades},
    {"own_spans", spans},     {"own_stretches", stretches}, {"own_indexed", texts},
    {"own_parts", texts}};
const size_t postgres_table_count = sizeof postgres_tables / sizeof *postgres_tables;
const size_t postgres_own_table_count = 7; /* the last ones */
