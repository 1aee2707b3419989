/* What a source is asked: the columns that are used, and conditions that it is certain to
 * understand as the engine does, in its own dialect. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "datasource/across/across_state.h"
#include "datasource/staging/staging_types.h"

enum { SQL_MOST = 1 << 20, VALUES_MOST = 1000, DIGITS_MOST = 19, NUMBER_SIZE = 24 };

/* A constant as it is written for a source. */
enum constant_kind { CONSTANT_NONE, CONSTANT_NUMBER, CONSTANT_TEXT, CONSTANT_BOOL };

struct constant {
    enum constant_kind kind;
    char number[NUMBER_SIZE];
    const char *text; /* borrowed from the tree */
    bool yes;
};

/* 12 and -12.50: what every dialect reads alike. */
static void number_read(const struct sql_node *node, struct constant *out)
{
    static const char digits[] = "0123456789";
    bool minus = node->kind == SQL_UNARY && strcmp(node->text, "-") == 0;
    const struct sql_node *number = minus ? node->children[SINGLE_VALUE] : node;
    if (number->kind != SQL_NUMBER || strlen(number->text) > DIGITS_MOST) {
        return;
    }
    size_t whole = strspn(number->text, digits);
    const char *rest = number->text + whole;
    size_t part = *rest == '.' ? strspn(rest + 1, digits) : 0;
    if (whole == 0 || (whole > 1 && number->text[0] == '0') ||
        (*rest && (part == 0 || rest[1 + part]))) {
        return;
    }
    (void)snprintf(out->number, sizeof out->number, "%s%s", minus ? "-" : "",
                   number->text);
    out->kind = CONSTANT_NUMBER;
}

/* Types that a text may be read as without becoming another one for a source. */
static bool type_keeps_text(const struct sql_node *type)
{
    static const char *const types[] = {"date", "timestamp", "varchar", "text"};
    bool keeps = false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        keeps = keeps || str_equal_nocase(type->text, types[i]);
    }
    return keeps && type->kind == SQL_TYPE && type->flags == 0 &&
           !type->children[TYPE_ARGUMENTS] && !type->children[TYPE_DIMENSIONS];
}

static struct constant constant_read(const struct sql_node *node)
{
    struct constant out = {.kind = CONSTANT_NONE};
    const struct sql_node *type = NULL;
    if (node->kind == SQL_TYPED_STRING) {
        type = node->children[PAIR_LEFT];
        node = node->children[PAIR_RIGHT];
    } else if (node->kind == SQL_CAST && node->flags == 0) {
        type = node->children[PAIR_RIGHT];
        node = node->children[PAIR_LEFT];
    }
    if (node->kind == SQL_STRING && node->flags == 0 &&
        (!type || type_keeps_text(type))) {
        out.kind = CONSTANT_TEXT;
        out.text = node->text;
    } else if (node->kind == SQL_CONSTANT && !type) {
        out.yes = strcmp(node->text, "TRUE") == 0;
        out.kind =
            out.yes || strcmp(node->text, "FALSE") == 0 ? CONSTANT_BOOL : CONSTANT_NONE;
    } else if (!type) {
        number_read(node, &out);
    }
    return out;
}

/* Words of every dialect for a column that holds text and nothing else. */
static bool is_text_type(const char *type)
{
    static const char *const words[] = {"char",
                                        "varchar",
                                        "text",
                                        "string",
                                        "nvarchar",
                                        "mediumtext",
                                        "longtext",
                                        "character",
                                        "tinytext",
                                        "nullable(string)",
                                        "lowcardinality(string)"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_starts_nocase(type, words[i])) {
            return !str_ends_nocase(type, "[]");
        }
    }
    return false;
}

static bool is_double(enum dialect dialect, const char *type)
{
    return dialect == DIALECT_SQLITE || str_starts_nocase(type, "double") ||
           str_starts_nocase(type, "float8") || str_starts_nocase(type, "float64");
}

static bool is_date_alone(const char *text)
{
    int32_t days;
    return staged_date_read(text, strlen(text), &days);
}

/* Quotes can be written in every dialect; what else a dialect may take for a sign of its
 * own is not sent. */
static bool text_is_safe(enum dialect dialect, const char *text)
{
    bool backslash = dialect_get(dialect)->backslash_escapes;
    for (const char *at = text; *at; at++) {
        unsigned char c = (unsigned char)*at;
        if (c < 0x20 || c == 0x7f || (c == '\\' && backslash) ||
            (c >= 0x80 && dialect == DIALECT_MYSQL)) { /* its connections have charsets */
            return false;
        }
    }
    return true;
}

/* Texts: databases differ in what is equal (case, trailing blanks) and in the order. One
 * that finds more than the engine does no harm; one that finds less would. */
static bool text_agrees(enum dialect dialect, enum across_test test,
                        const struct column *column, const char *text)
{
    if (!is_text_type(column->type) || !text_is_safe(dialect, text)) {
        return false;
    }
    switch (test) {
    case ACROSS_EQUAL:
    case ACROSS_IN:
        return true;
    case ACROSS_LIKE:
        return !strchr(text, '\\') && dialect != DIALECT_ODBC;
    case ACROSS_NOT_EQUAL:
        return dialect == DIALECT_DUCKDB;
    default: /* dates kept as text have one order wherever letters have no say */
        return dialect == DIALECT_DUCKDB ||
               (dialect == DIALECT_SQLITE && is_date_alone(text));
    }
}

static bool time_agrees(enum dialect dialect, enum across_test test,
                        enum staged_kind kind, const char *text)
{
    int64_t micros;
    bool date = is_date_alone(text);
    if (!date && (kind == STAGED_DATE ||
                  !staged_timestamp_read(text, strlen(text), false, &micros))) {
        return false;
    }
    if (test == ACROSS_LIKE) {
        return false;
    }
    switch (dialect) {
    case DIALECT_SQLITE: /* texts: "2024-01-31 00:00:00" is not equal to "2024-01-31" */
        return date &&
               (test == ACROSS_MORE || test == ACROSS_MORE_EQUAL || test == ACROSS_LESS);
    case DIALECT_POSTGRES:
    case DIALECT_DUCKDB:
    case DIALECT_MYSQL:
        return true;
    default:
        return kind == STAGED_DATE && date && dialect != DIALECT_ODBC;
    }
}

static bool value_agrees(enum dialect dialect, const struct across_filter *filter,
                         const struct constant *constant)
{
    const char *type = filter->column->type;
    enum staged_kind kind = staged_type_of(dialect, type).kind;
    switch (kind) {
    case STAGED_INT:
    case STAGED_UNSIGNED:
    case STAGED_HUGE:
    case STAGED_DECIMAL:
        return constant->kind == CONSTANT_NUMBER && filter->test != ACROSS_LIKE;
    case STAGED_REAL:
        return constant->kind == CONSTANT_NUMBER && filter->test != ACROSS_LIKE &&
               is_double(dialect, type);
    case STAGED_TEXT:
        return constant->kind == CONSTANT_TEXT &&
               text_agrees(dialect, filter->test, filter->column, constant->text);
    case STAGED_DATE:
    case STAGED_TIMESTAMP:
        return constant->kind == CONSTANT_TEXT &&
               time_agrees(dialect, filter->test, kind, constant->text);
    case STAGED_BOOL:
        return constant->kind == CONSTANT_BOOL && filter->test == ACROSS_EQUAL &&
               dialect != DIALECT_ODBC;
    default: /* moments depend on a session's zone, bytes and JSON on the reader */
        return false;
    }
}

bool across_can_push(enum dialect dialect, const struct across_filter *filter)
{
    if (filter->count > VALUES_MOST) {
        return false;
    }
    for (size_t i = 0; i < filter->count; i++) {
        struct constant constant = constant_read(filter->values[i]);
        if (!value_agrees(dialect, filter, &constant)) {
            return false;
        }
    }
    return true;
}

static void text_write(struct buf *out, enum dialect dialect, const char *text)
{
    const char *quote =
        dialect == DIALECT_BIGQUERY || dialect == DIALECT_CLICKHOUSE ? "\\" : "'";
    (void)buf_char(out, '\'');
    for (; *text; text++) {
        (void)buf_text(out, *text == '\'' ? quote : "");
        (void)buf_char(out, *text);
    }
    (void)buf_char(out, '\'');
}

static void constant_write(struct buf *out, enum dialect dialect,
                           const struct sql_node *node)
{
    struct constant constant = constant_read(node);
    switch (constant.kind) {
    case CONSTANT_NUMBER:
        (void)buf_text(out, constant.number);
        break;
    case CONSTANT_BOOL: /* SQLite keeps 1 and 0 */
        (void)buf_text(out, dialect == DIALECT_SQLITE ? (constant.yes ? "1" : "0")
                            : constant.yes            ? "TRUE"
                                                      : "FALSE");
        break;
    default:
        text_write(out, dialect, str_or_empty(constant.text));
        break;
    }
}

bool across_can_push_key(enum dialect dialect, const struct column *column,
                         const struct value *key)
{
    enum staged_kind kind = staged_type_of(dialect, column->type).kind;
    bool whole = kind == STAGED_INT || kind == STAGED_UNSIGNED || kind == STAGED_HUGE;
    return key->kind == VALUE_INT ? whole
           : key->kind == VALUE_TEXT
               ? kind == STAGED_TEXT &&
                     text_agrees(dialect, ACROSS_IN, column, key->text.data)
               : false;
}

static void keys_write(struct buf *out, enum dialect dialect,
                       const struct across_need *need)
{
    dialect_quote(out, dialect, need->link->column->name, false);
    (void)buf_text(out, " IN (");
    for (size_t i = 0; i < need->keys.count; i++) {
        const struct value *key = &need->keys.values[i];
        (void)buf_text(out, i ? ", " : "");
        if (key->kind == VALUE_INT) {
            (void)buf_int(out, key->integer);
        } else {
            text_write(out, dialect, key->text.data);
        }
    }
    (void)buf_char(out, ')');
}

static void filter_write(struct buf *out, enum dialect dialect,
                         const struct across_filter *filter)
{
    static const char *const signs[] = {
        [ACROSS_EQUAL] = " = ",        [ACROSS_LESS] = " < ",
        [ACROSS_LESS_EQUAL] = " <= ",  [ACROSS_MORE] = " > ",
        [ACROSS_MORE_EQUAL] = " >= ",  [ACROSS_NOT_EQUAL] = " <> ",
        [ACROSS_IN] = " IN (",         [ACROSS_LIKE] = " LIKE ",
        [ACROSS_IS_NULL] = " IS NULL", [ACROSS_NOT_NULL] = " IS NOT NULL",
    };
    dialect_quote(out, dialect, filter->column->name, false);
    (void)buf_text(out, signs[filter->test]);
    for (size_t i = 0; i < filter->count; i++) {
        (void)buf_text(out, i ? ", " : "");
        constant_write(out, dialect, filter->values[i]);
    }
    (void)buf_text(out, filter->test == ACROSS_IN ? ")" : "");
}

const char *across_push(const struct across *across, struct arena *arena,
                        const struct across_need *need)
{
    const struct across_part *part = &across->parts[need->table->part];
    enum dialect dialect = datasource_dialect(part->source);
    const struct table *table = need->table->table;
    struct buf sql;
    buf_init(&sql, SQL_MOST);
    bool first = true;
    for (size_t i = 0; i < table->columns.count; i++) {
        if (need->columns[i]) {
            (void)buf_text(&sql, first ? "SELECT " : ", ");
            dialect_quote(&sql, dialect, table->columns.items[i].name, false);
            first = false;
        }
    }
    (void)buf_text(&sql, " FROM ");
    if (!str_empty(table->namespace)) {
        dialect_quote(&sql, dialect, table->namespace, true);
        (void)buf_char(&sql, '.');
    }
    dialect_quote(&sql, dialect, table->bare_name, false);
    const char *before = " WHERE ";
    for (size_t i = 0; need->uses == 1 && i < need->filters.count; i++) {
        if (across_can_push(dialect, &need->filters.items[i])) {
            (void)buf_text(&sql, before);
            filter_write(&sql, dialect, &need->filters.items[i]);
            before = " AND ";
        }
    }
    if (need->keys.known && need->keys.count) {
        (void)buf_text(&sql, before);
        keys_write(&sql, dialect, need);
    }
    if (need->limit >= 0 && dialect != DIALECT_ODBC) {
        (void)buf_format(&sql, " LIMIT %lld", (long long)need->limit);
    }
    const char *text = buf_clone(&sql, arena);
    buf_release(&sql);
    return text;
}
