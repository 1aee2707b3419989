/* Which dialect a text was written in, and the text in the one that is needed. */
#include "sql/dialects/mend.h"

#include <string.h>

#include "base/buf.h"
#include "model/schema.h"
#include "sql/dialects/translate.h"
#include "sql/function.h"
#include "sql/lexer.h"
#include "sql/statement.h"

enum { MEND_MAX_BYTES = 20000, MEND_MAX_TOKENS = 4000 };

/* Dialects in which a model may have written it. Those of a row are asked together and must
 * agree; a row is asked when none of the rows before could read the text. */
static const char *const tiers[] = {"pm", "do", "s", "b", "c"};
#define UNCLEAR "it means different things in different dialects"

static const char dialect_letters[DIALECT_COUNT + 1] = "sdpmcbo";

struct reading {
    struct arena *arena;
    enum dialect dialect;
    bool foreign; /* something in it is not of the dialect */
};

/* ------------------------------------------------------------------ is it of the dialect? */

/* x || 'a': nobody means OR by that */
static bool joins_text(const struct sql_node *node)
{
    return node->kind == SQL_BINARY && strcmp(node->text, "||") == 0 &&
           (sql_is(node->children[PAIR_LEFT], SQL_STRING) ||
            sql_is(node->children[PAIR_RIGHT], SQL_STRING));
}

static bool is_word(const struct sql_node *node)
{
    return sql_is(node, SQL_COLUMN) && node->count == 1;
}

/* Functions of one name whose arguments differ: which dialects have this shape? */
static const char *shape_of(const struct sql_node *call)
{
    const struct sql_node *first = call_argument(call, 0);
    const struct sql_node *second = call_argument(call, 1);
    size_t count = call->children[CALL_ARGUMENTS]->count;
    bool text = sql_is(first, SQL_STRING);
    if (str_equal_nocase(call->text, "date_trunc")) {
        return text ? "dpco" : "bo";
    }
    if (str_equal_nocase(call->text, "datediff")) {
        return count == 2 ? "m" : text ? "dc" : "o";
    }
    if (str_equal_nocase(call->text, "date_diff")) {
        return text ? "dc" : "b";
    }
    if (str_equal_nocase(call->text, "dateadd")) {
        return is_word(first) ? "o" : "d";
    }
    if (str_equal_nocase(call->text, "date_add") ||
        str_equal_nocase(call->text, "date_sub")) {
        return text                           ? "d"
               : count == 3                   ? "co"
               : sql_is(second, SQL_INTERVAL) ? "mbdc"
                                              : "p";
    }
    if (str_equal_nocase(call->text, "strftime")) {
        return text ? "sd" : "d";
    }
    if (str_equal_nocase(call->text, "isnull")) {
        return count == 1 ? "mc" : "o";
    }
    if (str_equal_nocase(call->text, "date") && text && str_equal(first->text, "now")) {
        return "s";
    }
    if (str_equal_nocase(call->text, "date") && count > 1) {
        return sql_is(second, SQL_STRING) || sql_is(second, SQL_BINARY) ? "s" : "b";
    }
    if (str_equal_nocase(call->text, "median") || str_equal_nocase(call->text, "max") ||
        str_equal_nocase(call->text, "min")) {
        return count > 1 ? "s" : NULL;
    }
    if (str_equal_nocase(call->text, "convert") && count == 2) {
        return is_word(first) ? "o" : "m";
    }
    return NULL;
}

/* Types of casts that MySQL does not take. */
static bool is_type_of(const char *type, char letter)
{
    static const char *const others[] = {"text",     "varchar", "string", "timestamp",
                                         "bool",     "bigint",  "real",   "numeric",
                                         "smallint", "int8",    "float8", "interval"};
    for (size_t i = 0; letter == 'm' && i < sizeof others / sizeof *others; i++) {
        if (str_starts_nocase(type, others[i])) {
            return false;
        }
    }
    enum value_class class = class_of_type(type);
    return letter != 's' || (class != CLASS_DATE && class != CLASS_TIMESTAMP);
}

static bool is_unit_of(const char *unit, char letter)
{
    static const struct {
        const char *units;
        const char *dialects;
    } rows[] = {{"|DOW|ISODOW|DOY|EPOCH|CENTURY|DECADE|MILLENNIUM|", "dpo"},
                {"|ISOYEAR|", "dpbo"},
                {"|DAYOFWEEK|DAYOFYEAR|", "bdo"},
                {"|ISOWEEK|DATE|", "b"},
                {"|YEAR_MONTH|DAY_HOUR|", "m"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *at = strstr(rows[i].units, unit);
        if (at && at[-1] == '|' && at[strlen(unit)] == '|') {
            return strchr(rows[i].dialects, letter) != NULL;
        }
    }
    return letter != 's';
}

/* Parts of a call that the reader takes in every dialect. */
static bool is_call_of(const struct sql_node *call, char letter)
{
    const char *shape = shape_of(call);
    return (!shape || strchr(shape, letter)) &&
           (!call->children[CALL_FILTER] || !strchr("mbo", letter)) &&
           (!call->children[CALL_WITHIN] || strchr("dpbo", letter)) &&
           (!call->children[CALL_ORDER] || letter != 's');
}

/* INTERVAL '3 months' and INTERVAL 3 MONTH */
static bool is_interval_of(const struct sql_node *interval, char letter)
{
    bool text = sql_is(interval->children[SINGLE_VALUE], SQL_STRING);
    return text ? interval->text || strchr("dpc", letter)
                : strchr("dmbc", letter) != NULL;
}

static bool is_node_of(const struct sql_node *node, char letter)
{
    switch (node->kind) {
    case SQL_CALL:
        return is_call_of(node, letter);
    case SQL_CAST:
        return node->children[PAIR_RIGHT]->kind != SQL_TYPE ||
               is_type_of(node->children[PAIR_RIGHT]->text, letter);
    case SQL_EXTRACT:
        return is_unit_of(node->text, letter);
    case SQL_INTERVAL:
        return is_interval_of(node, letter);
    case SQL_SELECT:
        return !node->children[SELECT_QUALIFY] || !strchr("spm", letter);
    case SQL_ORDER_ITEM:
        return !sql_has(node, FLAG_NULLS_FIRST | FLAG_NULLS_LAST) || letter != 'm';
    case SQL_QUERY:
        return !sql_has(node, FLAG_FETCH) || strchr("pmo", letter);
    case SQL_BINARY:
        return letter != 'm' || !joins_text(node);
    default:
        return true;
    }
}

static bool reading_visit(void *context, struct sql_node *node)
{
    struct reading *reading = context;
    bool known = node->kind != SQL_CALL || function_find(reading->dialect, node->text);
    reading->foreign |= !known || !is_node_of(node, dialect_letters[reading->dialect]);
    return true;
}

static bool name_known(const struct schema *schema, const char *name)
{
    for (size_t i = 0; schema && i < schema->tables.count; i++) {
        const struct table *table = &schema->tables.items[i];
        if (str_equal_nocase(table->bare_name, name) || table_column(table, name)) {
            return true;
        }
    }
    return false;
}

static bool alias_visit(void *context, struct sql_node *node)
{
    const char **name = context;
    bool names = (node->kind == SQL_ITEM && sql_has(node, FLAG_QUOTED)) ||
                 node->kind == SQL_ALIAS || node->kind == SQL_CTE;
    if (names && *name && node->text && str_equal_nocase(node->text, *name)) {
        *name = NULL;
    }
    return true;
}

/* "Region" is a name where double quotes are for names, and a text elsewhere: what the
 * database has decides. */
static bool quotes_fit(const struct sql_statement *statement, const struct schema *schema)
{
    bool texts = dialect_get(statement->dialect)->double_quote_is_string;
    for (size_t i = 0; i < statement->tokens.count; i++) {
        const struct token *token = &statement->tokens.items[i];
        if (statement->text[token->start] != '"' ||
            (token->kind != TOKEN_NAME && token->kind != TOKEN_STRING)) {
            continue;
        }
        const char *name = token->text;
        sql_walk(statement->root, alias_visit, &name);
        bool known = !name || name_known(schema, name);
        if (schema && known == texts) {
            return false;
        }
    }
    return true;
}

/* a::int is only of some dialects, though the reader takes it everywhere. */
static bool has_colons(const struct sql_statement *statement)
{
    for (size_t i = 0; i < statement->tokens.count; i++) {
        if (token_is_punct(&statement->tokens.items[i], "::")) {
            return true;
        }
    }
    return false;
}

/* Is all of it of the dialect? */
static bool reads(struct arena *arena, enum dialect dialect, const char *sql,
                  const struct schema *schema, struct sql_statement *statement)
{
    if (!sql_statement_read(arena, dialect, sql, strlen(sql), statement) ||
        statement->root->kind != SQL_QUERY || statement->tokens.count > MEND_MAX_TOKENS) {
        return false;
    }
    struct reading reading = {.arena = arena, .dialect = dialect};
    sql_walk(statement->root, reading_visit, &reading);
    bool colons = has_colons(statement) && strchr("smbo", dialect_letters[dialect]);
    return !reading.foreign && !colons && quotes_fit(statement, schema);
}

/* ------------------------------------------------------------------ the other dialect */

/* The print must be SQL of the dialect in all its parts; else something was left over. */
static bool is_clean(struct arena *arena, enum dialect to, const char *sql)
{
    struct sql_statement statement;
    return reads(arena, to, sql, NULL, &statement);
}

/* A name that is a word of the other dialect's grammar needs quotes there. */
static bool quote_visit(void *context, struct sql_node *node)
{
    const struct translation *translation = context;
    bool names = node->kind == SQL_NAME || node->kind == SQL_ITEM ||
                 node->kind == SQL_ALIAS || node->kind == SQL_CTE;
    if (!names || !node->text || sql_has(node, FLAG_QUOTED)) {
        return true;
    }
    const char *lower = str_lower(translation->arena, node->text);
    struct buf quoted;
    buf_init(&quoted, MEND_MAX_BYTES);
    dialect_quote(&quoted, translation->to, lower, false);
    if (!str_equal(quoted.data, lower) &&
        keyword_find(lower, strlen(lower)) != KEYWORD_offset) {
        node->flags |= FLAG_QUOTED;
        bool folds = translation->to == DIALECT_POSTGRES;
        node->text = folds ? lower : node->text;
    }
    buf_release(&quoted);
    return true;
}

static bool mend_statement(struct arena *arena, const struct sql_statement *statement,
                           enum dialect to, const struct schema *schema, bool nulls_apart,
                           struct mend *out)
{
    *out = (struct mend){.from = statement->dialect};
    struct translation translation = {.arena = arena,
                                      .from = statement->dialect,
                                      .to = to,
                                      .schema = schema,
                                      .root = sql_clone(arena, statement->root),
                                      .nulls_apart = nulls_apart,
                                      .out = out};
    const char *before = sql_statement_print(arena, to, statement->root);
    if (!translate(&translation)) {
        return false;
    }
    if (statement->dialect != to) {
        sql_walk(translation.root, quote_visit, &translation);
    }
    const char *after = sql_statement_print(arena, to, translation.root);
    if (!is_clean(arena, to, after)) {
        out->why = "something in it has no equivalent";
        return false;
    }
    bool same = str_equal(before, after);
    if (same && statement->dialect == to) {
        out->why = "it is of this dialect already";
        return false;
    }
    if (!out->notes.count) {
        VEC_PUSH(arena, &out->notes,
                 arena_format(arena, "The query was read as %s and written for %s.",
                              dialect_get(statement->dialect)->title,
                              dialect_get(to)->title));
    }
    out->sql = after;
    return true;
}

bool mend_sql_from(struct arena *arena, enum dialect from, enum dialect to,
                   const char *sql, const struct schema *schema, struct mend *out)
{
    struct sql_statement statement;
    *out = (struct mend){.from = from, .why = "it could not be read"};
    return strlen(sql) <= MEND_MAX_BYTES && reads(arena, from, sql, schema, &statement) &&
           mend_statement(arena, &statement, to, schema, false, out);
}

/* All dialects of a row that read the text must write the same. */
static bool mend_tier(struct arena *arena, const char *tier, enum dialect to,
                      const char *sql, const struct schema *schema, bool nulls_apart,
                      struct mend *out)
{
    bool mended = false;
    for (const char *letter = tier; *letter; letter++) {
        enum dialect from =
            (enum dialect)(strchr(dialect_letters, *letter) - dialect_letters);
        struct sql_statement statement;
        struct mend one;
        if (from == to || !reads(arena, from, sql, schema, &statement)) {
            continue;
        }
        bool ok = mend_statement(arena, &statement, to, schema, nulls_apart, &one);
        if (!ok || (mended && !str_equal(one.sql, out->sql))) {
            *out = (struct mend){.from = from, .why = ok ? UNCLEAR : one.why};
            return true;
        }
        *out = mended ? *out : one;
        mended = true;
    }
    return mended;
}

bool mend_sql(struct arena *arena, enum dialect to, const char *sql,
              const struct schema *schema, struct mend *out)
{
    struct sql_statement statement;
    *out = (struct mend){.from = to, .why = "no dialect reads it"};
    if (!sql || strlen(sql) > MEND_MAX_BYTES) {
        return false;
    }
    if (reads(arena, to, sql, schema, &statement)) {
        return mend_statement(arena, &statement, to, schema, false, out);
    }
    for (size_t i = 0; i < sizeof tiers / sizeof *tiers; i++) {
        if (!mend_tier(arena, tiers[i], to, sql, schema, false, out)) {
            continue;
        }
        if (str_equal(out->why, UNCLEAR)) { /* it may be the place of NULLs alone */
            (void)mend_tier(arena, tiers[i], to, sql, schema, true, out);
        }
        return out->sql != NULL;
    }
    return false;
}

/* ------------------------------------------------------------------ misread texts */

static bool misread_visit(void *context, struct sql_node *node)
{
    const char **reason = context;
    if (node->kind == SQL_CAST && node->children[PAIR_RIGHT]->kind == SQL_TYPE) {
        enum value_class class = class_of_type(node->children[PAIR_RIGHT]->text);
        if (class == CLASS_DATE || class == CLASS_TIMESTAMP) {
            *reason = "SQLite makes a number of CAST(… AS DATE), and no date.";
        }
    }
    return !*reason;
}

static bool misread_pipes(void *context, struct sql_node *node)
{
    const char **reason = context;
    if (joins_text(node)) {
        *reason = "MySQL reads || as OR, and does not join texts by it.";
    }
    return !*reason;
}

const char *mend_misread(const struct sql_statement *statement)
{
    const char *reason = NULL;
    if (statement->root &&
        (statement->dialect == DIALECT_SQLITE || statement->dialect == DIALECT_MYSQL)) {
        sql_walk(statement->root,
                 statement->dialect == DIALECT_SQLITE ? misread_visit : misread_pipes,
                 &reason);
    }
    return reason;
}
