/* The vocabulary of a MariaDB server: which arguments the functions of the guard's list
 * take is found out by trying. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "mysql_judge.h"
#include "sql/function.h"

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

static const struct kind kinds[] = {
    {"", NULL, NULL, false, false},
    {"int", LIST("1", "0", "-1", "7", "2", "100", "9223372036854775807"),
     LIST("SIGNED", "UNSIGNED", "INTEGER", "SIGNED INTEGER"), true, true},
    {"text",
     LIST("Rome", "", "%a%", "paid", "é日", "canary.txt", "SELECT secret FROM vault",
          "vault", "a,b", "1", "$.a", "{\"a\":1}", "2024-01-31", "a'b\\c", "%Y-%m",
          "trap"),
     LIST("CHAR", "CHAR(5)", "BINARY", "CHAR CHARACTER SET utf8mb4", "VARCHAR(5)"), false,
     true},
    {"bool", LIST("TRUE", "FALSE"), LIST("SIGNED"), true, true},
    {"decimal", LIST("1.5", "-0.05", "12345678901234567890.5"),
     LIST("DECIMAL(10,2)", "DECIMAL"), true, true},
    {"date", LIST("2024-01-31", "1999-12-31", "0000-00-00"), LIST("DATE"), false, true},
    {"double", LIST("0.5e0", "1e308", "-1e0"), LIST("DOUBLE", "FLOAT"), true, true},
    {"datetime", LIST("2024-01-31 10:20:30", "1999-12-31 23:59:59.5"),
     LIST("DATETIME", "DATETIME(3)"), false, true},
    {"json", LIST("{\"a\":1}", "[1,\"x\"]", "null", "{\"a\":{\"b\":[1,2]}}"),
     LIST("CHAR"), false, true},
    {"time", LIST("10:20:30", "-01:00:00"), LIST("TIME"), false, true},
    {"blob", LIST("x'00FF41'", "0x4142", "b'101'", "X'41'"), LIST("BINARY"), true, true},
    {"path", LIST("$.a", "$[0]", "$.*", "$**.b"), LIST("CHAR"), false, true},
    {"interval",
     LIST("INTERVAL 1 DAY", "INTERVAL -1 MONTH", "INTERVAL '1:2' MINUTE_SECOND",
          "INTERVAL '1' YEAR"),
     NULL, true, true},
    {"unit", LIST("DAY", "MONTH", "SECOND", "QUARTER"), NULL, true, true},
};

static const char *const items[] = {"id int", "n decimal", "f double",   "t text",
                                    "c text", "d date",    "p datetime", "m time",
                                    "j json", "y blob",    "e text",     NULL};
static const char *const customers[] = {"id int",     "name text",        "city text",
                                        "email text", "signup_date date", NULL};
static const char *const orders[] = {"id int",          "customer_id int", "status text",
                                     "ordered_on date", "total decimal",   NULL};
static const char *const events[] = {"id int", "kind text", "happened_at datetime",
                                     "payload json", NULL};
static const char *const spending[] = {"customer_id int", "total decimal", NULL};
static const struct table_words mysql_tables[] = {{"items", items},
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
    } letters[] = {{'i', "int"},  {'t', "text"}, {'d', "date"},
                   {'j', "json"}, {'p', "path"}, {'v', "interval"},
                   {'u', "unit"}, {'m', "time"}, {'y', "blob"}};
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        if (letters[i].letter == letter) {
            return vocabulary_kind(words, letters[i].type);
        }
    }
    return KIND_OTHER;
}

static int kind_given(const struct vocabulary *words, const MYSQL_FIELD *field)
{
    switch (field->type) {
    case MYSQL_TYPE_TINY:
    case MYSQL_TYPE_SHORT:
    case MYSQL_TYPE_LONG:
    case MYSQL_TYPE_LONGLONG:
    case MYSQL_TYPE_INT24:
        return vocabulary_kind(words, "int");
    case MYSQL_TYPE_NEWDECIMAL:
        return vocabulary_kind(words, "decimal");
    case MYSQL_TYPE_DOUBLE:
    case MYSQL_TYPE_FLOAT:
        return vocabulary_kind(words, "double");
    case MYSQL_TYPE_DATE:
        return vocabulary_kind(words, "date");
    case MYSQL_TYPE_DATETIME:
    case MYSQL_TYPE_TIMESTAMP:
        return vocabulary_kind(words, "datetime");
    case MYSQL_TYPE_TIME:
        return vocabulary_kind(words, "time");
    default:
        return vocabulary_kind(words, "text");
    }
}

static void try_say(const struct vocabulary *words, const struct callable *callable,
                    struct buf *sql)
{
    (void)buf_format(sql, "SELECT %s(", callable->name);
    for (int i = 0; i < callable->count; i++) {
        const struct kind *kind = &words->kinds[callable->arguments[i]];
        const char *quote = kind->bare ? "" : "'";
        (void)buf_format(sql, "%s%s%s%s", i ? ", " : "", quote, kind->values[0], quote);
    }
    if (callable->form == CALLABLE_AGGREGATE && callable->count == 0) {
        (void)buf_char(sql, '*');
    }
    (void)buf_format(sql, ")%s FROM items LIMIT 1",
                     callable->form == CALLABLE_WINDOW ? " OVER (ORDER BY id)" : "");
}

static void try_call(MYSQL *handle, struct arena *arena, struct vocabulary *words,
                     struct callable *callable)
{
    struct buf sql;
    buf_init(&sql, 4096);
    try_say(words, callable, &sql);
    MYSQL_RES *rows = mysql_answer(handle, buf_get(&sql));
    if (rows) {
        int kind = kind_given(words, mysql_fetch_field_direct(rows, 0));
        VEC_PUSH(arena, &words->calls[kind], *callable);
        mysql_free_result(rows);
    }
    buf_release(&sql);
}

static void listed_read(MYSQL *handle, struct arena *arena, struct vocabulary *words)
{
    static const char *const tries[] = {"",    "i",   "t",    "d",    "j",   "ii",  "tt",
                                        "it",  "ti",  "dv",   "di",   "dd",  "dt",  "mm",
                                        "td",  "jj",  "jp",   "jt",   "iii", "ttt", "tti",
                                        "tii", "jpt", "jpi",  "itt",  "iit", "uid", "udd",
                                        "tp",  "dm",  "ttii", "tiit", "jtp", "y"};
    for (size_t i = 0; i < words->names.count; i++) {
        const char *name = words->names.items[i];
        const struct function *function = function_find(DIALECT_MYSQL, name);
        for (size_t j = 0; j < sizeof tries / sizeof *tries; j++) {
            struct callable callable = {.name = name};
            callable.form = function_has(function, 'a')   ? CALLABLE_AGGREGATE
                            : function_has(function, 'w') ? CALLABLE_WINDOW
                                                          : CALLABLE_PLAIN;
            for (const char *at = tries[j]; *at; at++) {
                callable.arguments[callable.count++] = kind_of(words, *at);
            }
            try_call(handle, arena, words, &callable);
        }
    }
}

static void operators_read(struct arena *arena, struct vocabulary *words)
{
    static const struct {
        const char *name;
        const char *result;
    } operators[] = {{"+", "int"},     {"-", "int"},       {"*", "int"},
                     {"/", "decimal"}, {"%", "int"},       {"DIV", "int"},
                     {"MOD", "int"},   {"=", "bool"},      {"<>", "bool"},
                     {"<=>", "bool"},  {"<", "bool"},      {">=", "bool"},
                     {"AND", "bool"},  {"OR", "bool"},     {"XOR", "bool"},
                     {"&&", "bool"},   {"||", "bool"},     {"RLIKE", "bool"},
                     {"LIKE", "bool"}, {"REGEXP", "bool"}, {"SOUNDS LIKE", "bool"},
                     {"&", "int"},     {"|", "int"},       {"^", "int"},
                     {"<<", "int"},    {">>", "int"}};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        const struct callable callable = {
            .name = operators[i].name, .count = 2, .form = CALLABLE_INFIX};
        VEC_PUSH(arena, &words->calls[vocabulary_kind(words, operators[i].result)],
                 callable);
    }
    for (int to = 1; to < words->kind_count; to++) {
        for (int from = 1; from < words->any_count; from++) {
            VEC_PUSH(arena, &words->casts[to], from);
        }
    }
}

/* All functions that the server has and the guard's list has not, and some it does not
 * tell of. */
static bool dangers_read(MYSQL *handle, struct arena *arena, struct vocabulary *words)
{
    static const char sql[] =
        "SELECT lower(function) FROM information_schema.sql_functions UNION SELECT "
        "lower(word)"
        " FROM information_schema.keywords UNION SELECT 'trap' UNION SELECT 'nextval' "
        "UNION"
        " SELECT 'setval' UNION SELECT 'lastval' UNION SELECT 'sys_exec' UNION SELECT "
        "'user'"
        " UNION SELECT 'weight_string' UNION SELECT 'charset' UNION SELECT 'name_const'";
    MYSQL_RES *rows = mysql_answer(handle, sql);
    for (MYSQL_ROW row; rows && (row = mysql_fetch_row(rows));) {
        if (!row[0] || vocabulary_listed(DIALECT_MYSQL, row[0])) {
            continue;
        }
        const char *name = arena_text(arena, row[0]);
        VEC_PUSH(arena, &words->dangerous, name);
        for (int kind = 0; kind < words->kind_count; kind++) {
            struct callable callable = {.name = name, .count = kind != KIND_OTHER};
            callable.arguments[0] = kind;
            VEC_PUSH(arena, &words->dangers[kind], callable);
        }
    }
    bool ok = rows != NULL;
    mysql_free_result(rows);
    return ok;
}

bool mysql_words_read(MYSQL *handle, struct arena *arena, struct vocabulary *words)
{
    words->dialect = DIALECT_MYSQL;
    words->kinds = kinds;
    words->kind_count = (int)(sizeof kinds / sizeof *kinds);
    words->any_count = vocabulary_kind(words, "path");
    vocabulary_names(arena, DIALECT_MYSQL, &words->names);
    vocabulary_tables(arena, words, mysql_tables,
                      sizeof mysql_tables / sizeof *mysql_tables);
    listed_read(handle, arena, words);
    operators_read(arena, words);
    return dangers_read(handle, arena, words);
}
