/* What a query uses: tables, columns, literals and operations. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"
#include "knowledge/words/fold.h"
#include "model/schema.h"
#include "parser/coverage/coverage_state.h"
#include "parser/ir/ir_schema.h"
#include "sql/statement.h"

enum { LITERAL_BYTES = 200 };

struct reading {
    struct coverage_names names;
    struct coverage_use *use;
};

static const char *last_name(const struct sql_node *path)
{
    const struct sql_node *name =
        path && path->count ? path->children[path->count - 1] : NULL;
    return name && name->text ? name->text : "";
}

static bool note_table(void *context, struct sql_node *node)
{
    struct reading *reading = context;
    if (!sql_is(node, SQL_TABLE)) {
        return true;
    }
    const struct sql_node *path = sql_child(node, TABLE_PATH);
    const struct sql_node *alias = sql_child(node, TABLE_ALIAS);
    const char *name = last_name(path);
    int table = -1;
    if (path && path->count > 1) {
        const char *space = path->children[path->count - 2]->text;
        table = ir_schema_table(reading->names.schema,
                                arena_format(reading->names.arena, "%s.%s", space, name));
    }
    for (int i = 0; table < 0 && i < reading->names.schema->table_count; i++) {
        const struct ir_table *known = &reading->names.schema->tables[i];
        bool same = strcasecmp(known->name, name) == 0 ||
                    str_equal_nocase(known->source->bare_name, name);
        table = same ? i : -1;
    }
    if (table < 0) {
        return true; /* a name of the query's own */
    }
    reading->use->tables[table] = true;
    VEC_PUSH(reading->names.arena, &reading->names,
             ((struct coverage_alias){name, table}));
    if (alias && alias->text) {
        VEC_PUSH(reading->names.arena, &reading->names,
                 ((struct coverage_alias){alias->text, table}));
    }
    return true;
}

static void use_column(struct reading *reading, int table, const char *name)
{
    const struct ir_table *info = &reading->names.schema->tables[table];
    for (int i = info->first_column; i < info->first_column + info->column_count; i++) {
        const struct ir_column *column = &reading->names.schema->columns[i];
        if (!name || strcasecmp(column->name, name) == 0) {
            reading->use->columns[i] = true;
            reading->use->named[i] = reading->use->named[i] || name;
            if (name && column->type == IR_TYPE_TIME) {
                reading->use->operations |= DOES_TIME;
            }
        }
    }
}

/* A column by its path, or with NULL all columns of what the path names. */
static void note_path(struct reading *reading, const struct sql_node *path, bool all)
{
    size_t parts = path ? path->count : 0;
    const char *name = all ? NULL : last_name(path);
    size_t owner_at = all ? 1 : 2;
    const char *owner = parts >= owner_at ? path->children[parts - owner_at]->text : NULL;
    for (size_t i = 0; i < reading->names.count; i++) {
        const struct coverage_alias *alias = &reading->names.items[i];
        if (!owner || strcasecmp(alias->name, owner) == 0) {
            use_column(reading, alias->table, name);
        }
    }
}

size_t coverage_columns(const struct coverage_names *names, const struct sql_node *path,
                        int *out, size_t most)
{
    const char *name = last_name(path);
    const char *owner = path->count > 1 ? path->children[path->count - 2]->text : NULL;
    size_t count = 0;
    for (size_t i = 0; i < names->count; i++) {
        const struct coverage_alias *alias = &names->items[i];
        int column = !owner || strcasecmp(alias->name, owner) == 0
                         ? ir_schema_column(names->schema, alias->table, name)
                         : -1;
        bool known = column < 0;
        for (size_t k = 0; k < count; k++) {
            known = known || out[k] == column;
        }
        if (!known && count < most) {
            out[count++] = column;
        }
    }
    return count;
}

static void note_text(struct reading *reading, const char *text)
{
    char folded[LITERAL_BYTES];
    size_t size = strnlen(text, LITERAL_BYTES);
    size = fold_text(folded, sizeof folded, text, size);
    VEC_PUSH(reading->names.arena, &reading->use->texts,
             arena_copy(reading->names.arena, folded, size));
    if (clock_begins_with_date(text)) {
        reading->use->operations |= DOES_TIME;
    }
}

static unsigned operation_of_call(const struct sql_node *call)
{
    static const struct {
        const char *name;
        unsigned does;
    } known[] = {
        {"count", DOES_COUNT},
        {"sum", DOES_SUM},
        {"total", DOES_SUM},
        {"avg", DOES_AVERAGE},
        {"mean", DOES_AVERAGE},
        {"median", DOES_AVERAGE | DOES_STATISTIC},
        {"percentile_cont", DOES_STATISTIC},
        {"percentile_disc", DOES_STATISTIC},
        {"quantile", DOES_STATISTIC},
        {"quantile_cont", DOES_STATISTIC},
        {"quantile_disc", DOES_STATISTIC},
        {"quantileexact", DOES_STATISTIC},
        {"quantileexactinclusive", DOES_STATISTIC},
        {"approx_quantiles", DOES_STATISTIC},
        {"stddev", DOES_STATISTIC},
        {"stddev_samp", DOES_STATISTIC},
        {"stddev_pop", DOES_STATISTIC},
        {"stddevsamp", DOES_STATISTIC},
        {"variance", DOES_STATISTIC},
        {"var_samp", DOES_STATISTIC},
        {"var_pop", DOES_STATISTIC},
        {"varsamp", DOES_STATISTIC},
        {"nullif", DOES_STATISTIC}, /* of the formula where an engine has no function */
        {"min", DOES_LEAST},
        {"max", DOES_MOST},
        {"argmin", DOES_LEAST},
        {"argmax", DOES_MOST},
        {"arg_min", DOES_LEAST},
        {"arg_max", DOES_MOST},
        {"round", DOES_ROUND},
        {"length", DOES_LENGTH},
        {"char_length", DOES_LENGTH},
        {"rank", DOES_WINDOW | DOES_ORDER},
        {"dense_rank", DOES_WINDOW | DOES_ORDER},
        {"row_number", DOES_WINDOW | DOES_ORDER},
        {"lag", DOES_WINDOW | DOES_RECKON},
        {"coalesce", DOES_BRANCH},
        {"strftime", DOES_TIME},
        {"julianday", DOES_TIME | DOES_RECKON},
        {"date", DOES_TIME},
        {"datetime", DOES_TIME},
        {"date_trunc", DOES_TIME},
        {"date_part", DOES_TIME},
        {"date_format", DOES_TIME},
        {"datediff", DOES_TIME | DOES_RECKON},
        {"timestampdiff", DOES_TIME | DOES_RECKON},
        {"age", DOES_TIME | DOES_RECKON},
        {"now", DOES_TIME},
        {"curdate", DOES_TIME},
        {"today", DOES_TIME},
        {"year", DOES_TIME},
        {"month", DOES_TIME},
        {"quarter", DOES_TIME},
        {"week", DOES_TIME},
        {"day", DOES_TIME},
        {"hour", DOES_TIME},
        {"substr", DOES_MATCH},
        {"substring", DOES_MATCH},
        {"instr", DOES_MATCH},
    };
    for (size_t i = 0; call->text && i < sizeof known / sizeof *known; i++) {
        if (strcasecmp(call->text, known[i].name) == 0) {
            return known[i].does;
        }
    }
    return 0;
}

static unsigned operation_of_binary(const struct sql_node *node)
{
    static const struct {
        const char *sign;
        unsigned does;
    } known[] = {
        {"=", DOES_EQUAL},    {"==", DOES_EQUAL},   {"<>", DOES_NOT},
        {"!=", DOES_NOT},     {"<", DOES_COMPARE},  {">", DOES_COMPARE},
        {"<=", DOES_COMPARE}, {">=", DOES_COMPARE}, {"+", DOES_RECKON},
        {"-", DOES_RECKON},   {"*", DOES_RECKON},   {"/", DOES_RECKON},
        {"%", DOES_RECKON},   {"or", DOES_SET},
    };
    for (size_t i = 0; node->text && i < sizeof known / sizeof *known; i++) {
        if (strcasecmp(node->text, known[i].sign) == 0) {
            return known[i].does;
        }
    }
    return 0;
}

/* Where an engine has no median, the parser numbers the rows of each group. */
static bool is_place_in_group(const struct sql_node *column)
{
    const struct sql_node *name = column->children[column->count - 1];
    return str_equal(str_or_empty(name->text), "rows_in_group");
}

static unsigned operation_of(const struct sql_node *node)
{
    switch (node->kind) {
    case SQL_COLUMN:
        return is_place_in_group(node) ? DOES_STATISTIC : 0;
    case SQL_CALL:
        return operation_of_call(node) | (sql_child(node, CALL_OVER) ? DOES_WINDOW : 0);
    case SQL_BINARY:
        return operation_of_binary(node);
    case SQL_ORDER_ITEM:
        return DOES_ORDER;
    case SQL_QUERY:
        return sql_child(node, QUERY_LIMIT) ? DOES_LIMIT : 0;
    case SQL_SELECT:
        return sql_child(node, SELECT_GROUP) ? DOES_GROUP : 0;
    case SQL_SET_OPERATION:
        return DOES_SET |
               (str_starts_nocase(str_or_empty(node->text), "ex") ? DOES_NOT : 0);
    case SQL_IS:
    case SQL_EXISTS:
        return DOES_NOT; /* NOT NULL says as much about what is missing */
    case SQL_BETWEEN:
        return DOES_COMPARE;
    case SQL_IN:
        return DOES_SET | DOES_EQUAL;
    case SQL_LIKE:
        return DOES_MATCH | DOES_EQUAL;
    case SQL_CASE:
        return DOES_BRANCH;
    case SQL_JOIN:
        return DOES_JOIN | (node->variant != JOIN_INNER ? DOES_NOT : 0);
    case SQL_EXTRACT:
    case SQL_INTERVAL:
    case SQL_TYPED_STRING:
        return DOES_TIME;
    case SQL_UNARY:
        return strcasecmp(str_or_empty(node->text), "not") == 0 ? DOES_NOT : 0;
    default:
        return 0;
    }
}

static bool note_node(void *context, struct sql_node *node)
{
    struct reading *reading = context;
    struct coverage_use *use = reading->use;
    use->operations |= operation_of(node);
    if (sql_has(node, FLAG_NOT)) {
        use->operations |= DOES_NOT;
    }
    if (sql_has(node, FLAG_DISTINCT)) {
        use->operations |= DOES_DISTINCT;
    }
    switch (node->kind) {
    case SQL_COLUMN: {
        int column = 0;
        const struct sql_node *name = node->count ? node->children[0] : NULL;
        if (node->count == 1 && sql_has(name, FLAG_QUOTED) &&
            !coverage_columns(&reading->names, node, &column, 1)) {
            note_text(reading, str_or_empty(name->text)); /* SQLite reads "x" as a text */
        } else {
            note_path(reading, node, false);
        }
        return false;
    }
    case SQL_ITEM: {
        const struct sql_node *star = sql_child(node, SINGLE_VALUE);
        if (sql_is(star, SQL_STAR)) { /* shows every column; count(*) shows none */
            note_path(reading, sql_child(star, STAR_OF), true);
            return false;
        }
        return true;
    }
    case SQL_STRING:
        note_text(reading, str_or_empty(node->text));
        return true;
    case SQL_NUMBER:
        VEC_PUSH(reading->names.arena, &use->numbers, str_or_empty(node->text));
        return true;
    default:
        return true;
    }
}

static bool find_aggregate(void *context, struct sql_node *node)
{
    bool *found = context;
    *found = *found || (node->kind == SQL_CALL && !sql_child(node, CALL_OVER) &&
                        (operation_of_call(node) & (DOES_COUNT | DOES_SUM | DOES_AVERAGE |
                                                    DOES_LEAST | DOES_MOST)));
    return node->kind != SQL_QUERY;
}

/* A single row needs no ORDER BY and no LIMIT, so no word has to ask for them. */
static bool drop_idle_order(void *context, struct sql_node *node)
{
    (void)context;
    struct sql_node *select =
        node->kind == SQL_QUERY ? sql_child(node, QUERY_BODY) : NULL;
    if (sql_is(select, SQL_SELECT) && !sql_child(select, SELECT_GROUP)) {
        bool one_row = false;
        sql_walk(sql_child(select, SELECT_ITEMS), find_aggregate, &one_row);
        if (one_row) {
            node->children[QUERY_ORDER] = NULL;
            node->children[QUERY_LIMIT] = NULL;
        }
    }
    return true;
}

/* Does the SQL ask the database for the time? */
static bool asks_clock(struct arena *arena, const struct sql_statement *statement)
{
    const char *sql = arena_copy(arena, statement->text, statement->size);
    static const char *const words[] = {"now", "current_", "curdate", "today("};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_contains_nocase(sql, words[i])) {
            return true;
        }
    }
    return false;
}

bool coverage_read_sql(struct arena *arena, const struct ir_schema *schema,
                       const struct sql_statement *statement, struct coverage_use *out)
{
    *out = (struct coverage_use){
        .tables = arena_array(arena, (size_t)schema->table_count + 1, sizeof(bool)),
        .columns = arena_array(arena, (size_t)schema->column_count + 1, sizeof(bool)),
        .named = arena_array(arena, (size_t)schema->column_count + 1, sizeof(bool)),
    };
    if (!statement->root) {
        return false;
    }
    struct reading reading = {.names = {.arena = arena, .schema = schema}, .use = out};
    struct sql_statement own = *statement; /* the caller's tree stays as it is */
    own.root = sql_clone(arena, statement->root);
    sql_walk(own.root, drop_idle_order, NULL);
    sql_walk(own.root, note_table, &reading);
    sql_walk(own.root, note_node, &reading);
    out->clock = asks_clock(arena, statement);
    if ((out->operations & DOES_COUNT) &&
        (out->operations & (DOES_ORDER | DOES_COMPARE))) {
        out->operations |= DOES_RANK;
    }
    coverage_read_parts(&reading.names, &own, out);
    return true;
}
