/* The vocabulary of a ClickHouse engine: which arguments the functions of the guard's
 * list take is found out by trying. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "clickhouse_judge.h"
#include "sql/function.h"

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

static const struct kind kinds[] = {
    {"", NULL, NULL, false, false},
    {"int", LIST("1", "0", "-1", "7", "2", "100", "9223372036854775807"),
     LIST("Int32", "UInt64", "Nullable(Int32)", "UInt8", "Int128"), true, true},
    {"text",
     LIST("Rome", "", "%a%", "paid", "é日", "canary.txt", "SELECT secret FROM vault",
          "vault", "a,b", "1", "$.a", "{\"a\":1}", "2024-01-31", "a'b\\c", "%Y-%m",
          "trap", "vault_join", "secrets"),
     LIST("String", "Nullable(String)", "LowCardinality(String)", "FixedString(9)",
          "VARCHAR(5)"),
     false, true},
    {"bool", LIST("TRUE", "FALSE"), LIST("Bool", "UInt8"), true, true},
    {"decimal", LIST("1.5", "-0.05", "12345678901234567890.5"),
     LIST("Decimal(10, 2)", "Nullable(Decimal(10, 2))", "Decimal64(3)"), true, false},
    {"date", LIST("2024-01-31", "1999-12-31"), LIST("Date", "Date32", "Nullable(Date)"),
     false, false},
    {"double", LIST("0.5", "1e308", "-1e0", "nan", "inf"), LIST("Float64", "Float32"),
     true, true},
    {"datetime", LIST("2024-01-31 10:20:30", "1999-12-31 23:59:59"),
     LIST("DateTime", "DateTime64(3)", "DateTime('UTC')"), false, false},
    {"ints", LIST("[1, 2]", "range(3)", "[3, 1, 2]", "CAST([], 'Array(Int32)')"),
     LIST("Array(Int32)", "Array(UInt8)", "Array(Nullable(Int32))"), true, true},
    {"texts", LIST("['a', 'b']", "splitByChar(',', 'a,b')", "array('x')"),
     LIST("Array(String)"), true, true},
    {"tuple", LIST("(1, 'a')", "tuple(1, 'x')", "(1, 'a', 2)"),
     LIST("Tuple(Int32, String)", "Tuple(a Int32, b String)"), true, true},
    {"map", LIST("map('a', 1)", "map('b', 2, 'c', 3)"), LIST("Map(String, Int32)"), true,
     true},
    {"uuid", LIST("00000000-0000-0000-0000-000000000001"), LIST("UUID"), false, false},
    {"json", LIST("{\"a\":1}", "[1,\"x\"]", "null", "{\"a\":{\"b\":[1,2]}}"),
     LIST("String"), false, true},
    {"interval",
     LIST("INTERVAL 1 DAY", "INTERVAL -1 MONTH", "INTERVAL '1' YEAR",
          "INTERVAL '2 hours'", "toIntervalDay(1)"),
     NULL, true, true},
    {"unit", LIST("day", "month", "hour", "quarter"), LIST("String"), false, true},
    {"lambda", LIST("x -> x", "x -> x = x", "(x) -> 1", "x -> toString(x) = '1'"), NULL,
     true, true},
    {"zone", LIST("UTC", "Europe/Rome"), LIST("String"), false, true},
};

static const char *const items[] = {
    "id int", "n decimal", "f double", "t text", "l text", "d date", "p datetime",
    "a ints", "w texts",   "u tuple",  "m map",  "g uuid", "o int",  NULL};
static const char *const customers[] = {"id int",     "name text",        "city text",
                                        "email text", "signup_date date", NULL};
static const char *const orders[] = {"id int",          "customer_id int", "status text",
                                     "ordered_on date", "total decimal",   NULL};
static const char *const events[] = {"id int", "kind text", "happened_at datetime",
                                     "payload json", NULL};
static const char *const spending[] = {"customer_id int", "total decimal", NULL};
static const struct table_words clickhouse_tables[] = {{"items", items},
                                                       {"customers", customers},
                                                       {"orders", orders},
                                                       {"events", events},
                                                       {"spending", spending}};

/* Kinds by letter: what the tries are written in. */
static int kind_of(const struct vocabulary *words, char letter)
{
    static const struct {
        char letter;
        const char *type;
    } letters[] = {{'i', "int"},      {'t', "text"},   {'d', "date"},     {'j', "json"},
                   {'v', "interval"}, {'u', "unit"},   {'p', "datetime"}, {'a', "ints"},
                   {'w', "texts"},    {'l', "lambda"}, {'m', "map"},      {'b', "bool"},
                   {'z', "zone"},     {'2', "tuple"},  {'f', "double"}};
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        if (letters[i].letter == letter) {
            return vocabulary_kind(words, letters[i].type);
        }
    }
    return KIND_OTHER;
}

/* By the beginning of the type's name; what it is wrapped in does not matter. */
static int kind_given(const struct vocabulary *words, const char *type)
{
    static const char *const types[][2] = {{"Int", "int"},      {"UInt", "int"},
                                           {"Bool", "bool"},    {"Decimal", "decimal"},
                                           {"Float", "double"}, {"DateTime", "datetime"},
                                           {"Date", "date"},    {"Array(String", "texts"},
                                           {"Array(", "ints"},  {"Tuple", "tuple"},
                                           {"Map", "map"},      {"UUID", "uuid"}};
    while (str_starts(type, "Nullable(") || str_starts(type, "LowCardinality(")) {
        type = strchr(type, '(') + 1;
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (str_starts(type, types[i][0])) {
            return vocabulary_kind(words, types[i][1]);
        }
    }
    return vocabulary_kind(words, "text");
}

/* Arguments that are not told to be constants are made of something that is none. */
static void try_say(const struct vocabulary *words, const struct callable *callable,
                    struct buf *sql)
{
    (void)buf_format(sql, "DESCRIBE (SELECT %s(", callable->name);
    for (int i = 0; i < callable->count; i++) {
        const struct kind *kind = &words->kinds[callable->arguments[i]];
        const char *quote = kind->bare ? "" : "'";
        bool plain = kind->bare || kind->untyped;
        bool constant = callable->constants >> i & 1 || !kind->casts;
        (void)buf_format(
            sql, "%s%s%s%s%s%s%s%s%s%s", i ? ", " : "", constant ? "" : "materialize(",
            plain ? "" : "CAST(", quote, kind->values[0], quote, plain ? "" : " AS ",
            plain ? "" : kind->casts[0], plain ? "" : ")", constant ? "" : ")");
    }
    (void)buf_format(sql, ")%s FROM shop.items)",
                     callable->form == CALLABLE_WINDOW ? " OVER (ORDER BY id)" : "");
}

/* Code of the error; 0: it can be called so, and gives this kind. */
static int try_once(const struct vocabulary *words, const struct callable *callable,
                    int *gives)
{
    struct buf sql;
    struct buf text;
    int code = 0;
    buf_init(&sql, 4096);
    buf_init(&text, 1 << 20);
    try_say(words, callable, &sql);
    enum clickhouse_reply reply = clickhouse_ask(SESSION_OPEN, buf_get(&sql), &text);
    const char *type = strchr(buf_get(&text), '\t');
    if (reply == REPLY_ROWS && type) {
        *gives = kind_given(words, type + 1);
    } else {
        code = str_starts(buf_get(&text), "Code: ")
                   ? (int)strtol(buf_get(&text) + strlen("Code: "), NULL, 10)
                   : -1;
    }
    buf_release(&sql);
    buf_release(&text);
    return code;
}

/* First with values of rows, then with constants; which of them must be constants. */
static int try_call(struct arena *arena, struct vocabulary *words,
                    struct callable *callable)
{
    int gives = KIND_OTHER;
    int code = try_once(words, callable, &gives);
    if (code > 0 && callable->count > 0) {
        callable->constants = (1U << callable->count) - 1;
        code = try_once(words, callable, &gives);
        for (int i = 0; code == 0 && i < callable->count; i++) {
            struct callable freer = *callable;
            freer.constants &= ~(1U << i);
            if (try_once(words, &freer, &gives) == 0) {
                *callable = freer;
            }
        }
    }
    if (code == 0) {
        VEC_PUSH(arena, &words->calls[gives], *callable);
    }
    return code;
}

/* A wrong number of arguments, or three ways that work, and the rest is not tried: each
 * try takes a millisecond. */
static void name_try(struct arena *arena, struct vocabulary *words, const char *name)
{
    static const char *const tries[] = {
        "",    "i",   "t",   "d",   "a",   "p",   "w",   "m",    "2",    "b",    "ii",
        "tt",  "it",  "ti",  "dv",  "di",  "dd",  "dt",  "aa",   "ai",   "wt",   "tw",
        "la",  "ud",  "pz",  "mt",  "ff",  "bi",  "22",  "ttt",  "tii",  "tti",  "udd",
        "uid", "bii", "iii", "aii", "laa", "utt", "aia", "biii", "ttii", "bibii"};
    enum { WRONG_COUNT = 42, COUNTS = 6, ENOUGH = 3 };
    bool never[COUNTS] = {false};
    int works = 0;
    const struct function *function = function_find(DIALECT_CLICKHOUSE, name);
    for (size_t i = 0; i < sizeof tries / sizeof *tries && works < ENOUGH; i++) {
        struct callable callable = {.name = name};
        callable.form = function_has(function, 'a')   ? CALLABLE_AGGREGATE
                        : function_has(function, 'w') ? CALLABLE_WINDOW
                                                      : CALLABLE_PLAIN;
        for (const char *at = tries[i]; *at; at++) {
            callable.arguments[callable.count++] = kind_of(words, *at);
        }
        if (!never[callable.count]) {
            int code = try_call(arena, words, &callable);
            never[callable.count] = code == WRONG_COUNT;
            works += code == 0;
        }
    }
}

/* Does every usual value of this kind become the usual type of that one? */
static bool cast_works(const struct vocabulary *words, int from, int to)
{
    enum { VALUES = 3 };
    const struct kind *source = &words->kinds[from];
    struct buf sql;
    struct buf text;
    buf_init(&sql, 4096);
    buf_init(&text, 1 << 20);
    (void)buf_text(&sql, "SELECT 1");
    for (size_t i = 0; i < VALUES && source->values[i]; i++) {
        const char *quote = source->bare ? "" : "'";
        bool plain = source->bare || source->untyped;
        (void)buf_format(&sql, ", CAST(%s%s%s%s%s%s%s AS %s)", plain ? "" : "CAST(",
                         quote, source->values[i], quote, plain ? "" : " AS ",
                         plain ? "" : source->casts[0], plain ? "" : ")",
                         words->kinds[to].casts[0]);
    }
    bool works = clickhouse_ask(SESSION_OPEN, buf_get(&sql), &text) == REPLY_ROWS;
    buf_release(&sql);
    buf_release(&text);
    return works;
}

static void casts_read(struct arena *arena, struct vocabulary *words)
{
    for (int to = 1; to < words->kind_count; to++) {
        for (int from = 1; words->kinds[to].casts && from < words->any_count; from++) {
            if (cast_works(words, from, to)) {
                VEC_PUSH(arena, &words->casts[to], from);
            }
        }
    }
}

static void operators_read(struct arena *arena, struct vocabulary *words)
{
    static const struct {
        const char *name;
        const char *shape; /* what it takes */
        const char *result;
    } operators[] = {
        {"+", "ii", "int"},         {"-", "ii", "int"},     {"*", "ii", "int"},
        {"/", "ii", "double"},      {"%", "ii", "int"},     {"DIV", "ii", "int"},
        {"MOD", "ii", "int"},       {"=", "ii", "bool"},    {"==", "tt", "bool"},
        {"<>", "tt", "bool"},       {"!=", "ii", "bool"},   {"<=>", "ii", "bool"},
        {"<", "dd", "bool"},        {">=", "ff", "bool"},   {"AND", "bb", "bool"},
        {"OR", "bb", "bool"},       {"LIKE", "tt", "bool"}, {"ILIKE", "tt", "bool"},
        {"REGEXP", "tt", "bool"},   {"||", "tt", "text"},   {"+", "di", "date"},
        {"-", "pv", "datetime"},    {"+", "dv", "date"},    {"||", "aa", "ints"},
        {"NOT LIKE", "tt", "bool"}, {"+", "22", "tuple"}};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        struct callable callable = {
            .name = operators[i].name, .count = 2, .form = CALLABLE_INFIX};
        callable.arguments[0] = kind_of(words, operators[i].shape[0]);
        callable.arguments[1] = kind_of(words, operators[i].shape[1]);
        VEC_PUSH(arena, &words->calls[vocabulary_kind(words, operators[i].result)],
                 callable);
    }
    casts_read(arena, words);
}

static void danger_add(struct arena *arena, struct vocabulary *words, const char *name)
{
    VEC_PUSH(arena, &words->dangerous, name);
    for (int kind = 0; kind < words->kind_count; kind++) {
        struct callable callable = {.name = name, .count = kind != KIND_OTHER};
        callable.arguments[0] = kind;
        VEC_PUSH(arena, &words->dangers[kind], callable);
    }
}

/* All functions of the engine, in its own spelling: the guard's list has them in small
 * letters, most of which the engine does not know. */
static bool functions_read(struct arena *arena, struct vocabulary *words)
{
    static const char sql[] =
        "SELECT DISTINCT name FROM (SELECT name FROM system.functions UNION ALL SELECT"
        " name FROM system.table_functions UNION ALL SELECT arrayJoin(['countIf', "
        "'sumIf',"
        " 'avgOrNull', 'uniqArray', 'groupArrayDistinct', 'maxOrDefault', 'sumMap',"
        " 'quantileIf', 'countState', 'sumMerge', 'sumForEach', 'anyResample',"
        " 'sumSimpleState', 'argMinIf', 'countDistinct', 'sumMapOrNull'])) AS all_names"
        " ORDER BY name SETTINGS max_execution_time = 0";
    struct texts lines = {0};
    struct buf text;
    buf_init(&text, 1 << 20);
    bool ok = clickhouse_ask(SESSION_OPEN, sql, &text) == REPLY_ROWS;
    str_split(arena, buf_clone(&text, arena), '\n', &lines);
    for (size_t i = 0; ok && i < lines.count; i++) {
        if (!lines.items[i][0]) {
            continue;
        }
        if (vocabulary_listed(DIALECT_CLICKHOUSE, lines.items[i])) {
            VEC_PUSH(arena, &words->names, lines.items[i]);
            name_try(arena, words, lines.items[i]);
        } else {
            danger_add(arena, words, lines.items[i]);
        }
    }
    buf_release(&text);
    return ok && words->names.count > 0;
}

bool clickhouse_real_names(struct arena *arena, struct texts *out)
{
    static const char sql[] =
        "SELECT name, alias_to FROM system.functions WHERE alias_to <> ''";
    struct texts lines = {0};
    struct buf text;
    buf_init(&text, 1 << 20);
    bool ok = clickhouse_ask(SESSION_OPEN, sql, &text) == REPLY_ROWS;
    str_split(arena, buf_clone(&text, arena), '\n', &lines);
    for (size_t i = 0; ok && i < lines.count; i++) {
        struct texts cells = {0};
        str_split(arena, lines.items[i], '\t', &cells);
        if (cells.count == 2 && vocabulary_listed(DIALECT_CLICKHOUSE, cells.items[0])) {
            VEC_PUSH(arena, out, cells.items[1]);
        }
    }
    buf_release(&text);
    return ok;
}

bool clickhouse_types(struct arena *arena, struct texts *out)
{
    struct buf text;
    buf_init(&text, 1 << 20);
    bool ok = clickhouse_ask(SESSION_OPEN, "SELECT name FROM system.data_type_families",
                             &text) == REPLY_ROWS;
    str_split(arena, buf_clone(&text, arena), '\n', out);
    buf_release(&text);
    return ok && out->count > 1;
}

bool clickhouse_words_read(struct arena *arena, struct vocabulary *words)
{
    words->dialect = DIALECT_CLICKHOUSE;
    words->kinds = kinds;
    words->kind_count = (int)(sizeof kinds / sizeof *kinds);
    words->any_count = vocabulary_kind(words, "interval");
    vocabulary_tables(arena, words, clickhouse_tables,
                      sizeof clickhouse_tables / sizeof *clickhouse_tables);
    operators_read(arena, words);
    return functions_read(arena, words);
}
