/* Metrics into the tables of a schema: each must be a plain expression over columns, of
 * one table or of several that keys join. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "datasource/dictionary/dictionary_state.h"
#include "sql/guard.h"
#include "sql/lexer.h"

enum { SQL_MOST = 8192, JOIN_MOST = 2048, REACH_MOST = 64 };

/* A column that an expression names. */
struct metric_name {
    const char *table; /* as it is written; NULL: without one */
    const char *column;
};

struct metric_names {
    struct metric_name *items;
    size_t count;
    size_t capacity;
};

/* A metric on its way into the schema. */
struct merging {
    struct arena *scratch;
    struct schema *schema;
    const struct dictionary_metric *metric;
    enum dialect dialect;
    struct metric_names names;
    const struct table **tables; /* that the names are of, each once */
    size_t table_count;
};

/* The columns in an expression. False: it is none, with the reason. */
static bool names_in(struct merging *merging, const char **why)
{
    struct arena *arena = merging->scratch;
    const char *expression = merging->metric->metric.expression;
    struct tokens tokens = {0};
    int depth = 0;
    const char *owner = NULL;
    if (strstr(expression, "--") || strstr(expression, "/*")) {
        *why = "it holds a comment";
        return false;
    }
    lexer_run(arena, merging->dialect, expression, strlen(expression), &tokens);
    for (size_t i = 0; i < tokens.count; i++) {
        const struct token *token = &tokens.items[i];
        bool name = token->kind == TOKEN_NAME ||
                    (token->kind == TOKEN_WORD && token->keyword == KEYWORD_NONE);
        depth += token_is_punct(token, "(") - token_is_punct(token, ")");
        if (token->kind == TOKEN_BAD || token->kind == TOKEN_PARAM || depth < 0 ||
            token_is_punct(token, ";") || token_is(token, "select")) {
            *why = "it is not an expression over columns";
            return false;
        }
        if (name && token_is_punct(&tokens.items[i + 1], ".")) {
            owner =
                owner ? arena_format(arena, "%s.%s", owner, token->text) : token->text;
        } else if (name && !token_is_punct(&tokens.items[i + 1], "(")) {
            VEC_PUSH(arena, &merging->names, ((struct metric_name){owner, token->text}));
            owner = NULL;
        }
    }
    *why = depth ? "a bracket is not closed" : "it names no column";
    return depth == 0 && merging->names.count > 0;
}

/* ------------------------------------------------------------------ which tables */

static bool has_all(const struct table *table, const struct metric_names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        if (names->items[i].table || !table_column(table, names->items[i].column)) {
            return false;
        }
    }
    return true;
}

/* The table that a name is of: the one it says, or the only one that has it. */
static const struct table *owner_of(const struct merging *merging,
                                    const struct metric_name *name, const char **why)
{
    const struct table *found = NULL;
    size_t count = 0;
    if (name->table || merging->metric->table) {
        const char *said = name->table ? name->table : merging->metric->table;
        found = schema_table(merging->schema, said);
        if (!found) {
            *why = arena_format(merging->scratch, "there is no table '%.100s'", said);
        } else if (!table_column(found, name->column)) {
            *why = arena_format(merging->scratch, "'%s' has no column '%.100s'",
                                found->name, name->column);
            found = NULL;
        }
        return found;
    }
    for (size_t i = 0; i < merging->schema->tables.count; i++) {
        if (table_column(&merging->schema->tables.items[i], name->column)) {
            found = &merging->schema->tables.items[i];
            count++;
        }
    }
    if (count != 1) {
        *why = count ? arena_format(merging->scratch,
                                    "several tables have '%.100s'; write the table "
                                    "before the column",
                                    name->column)
                     : arena_format(merging->scratch, "no table has a column '%.100s'",
                                    name->column);
    }
    return count == 1 ? found : NULL;
}

static bool tables_read(struct merging *merging, const char **why)
{
    merging->tables =
        arena_array(merging->scratch, merging->names.count + 1, sizeof *merging->tables);
    for (size_t i = 0; i < merging->names.count; i++) {
        const struct table *table = owner_of(merging, &merging->names.items[i], why);
        size_t at = 0;
        while (at < merging->table_count && merging->tables[at] != table) {
            at++;
        }
        if (!table) {
            return false;
        }
        merging->tables[at] = table;
        merging->table_count += at == merging->table_count;
    }
    return true;
}

/* ------------------------------------------------------------------ how they hang
 * together */

static void condition_add(struct buf *out, enum dialect dialect, const struct table *from,
                          const char *column, const struct table *to, const char *key)
{
    const struct table *const tables[] = {from, to};
    const char *const columns[] = {column, key};
    (void)buf_text(out, out->size ? " AND " : "");
    for (size_t i = 0; i < 2; i++) {
        (void)buf_text(out, i ? " = " : "");
        if (!str_empty(tables[i]->namespace)) {
            dialect_quote(out, dialect, tables[i]->namespace, true);
            (void)buf_char(out, '.');
        }
        dialect_quote(out, dialect, tables[i]->bare_name, false);
        (void)buf_char(out, '.');
        dialect_quote(out, dialect, columns[i], false);
    }
}

/* From a table to those that its keys lead to, and on: every row of the first finds at
 * most one of each. */
struct reaching {
    const struct table **tables; /* the first is where it begins */
    size_t *before;              /* which of them led there */
    bool *twice;                 /* there is another way: nobody says which is meant */
    const char **joins;
    size_t count;
};

static bool dictionary_metrics_holds(const struct texts *texts, const char *text)
{
    for (size_t i = 0; i < texts->count; i++) {
        if (str_equal_nocase(texts->items[i], text)) {
            return true;
        }
    }
    return false;
}

/* Are all columns of its primary key, or of one of its unique indexes, among these? Not
 * every engine asks that of what a key refers to, and a dictionary's keys are only said.
 */
static bool finds_one(const struct table *table, const struct texts *columns)
{
    size_t primary = 0;
    bool all = true;
    for (size_t i = 0; i < table->columns.count; i++) {
        const struct column *column = &table->columns.items[i];
        primary += column->primary;
        all =
            all && (!column->primary || dictionary_metrics_holds(columns, column->name));
    }
    bool found = primary > 0 && all;
    for (size_t i = 0; !found && i < table->indexes.count; i++) {
        const struct index *index = &table->indexes.items[i];
        found = index->unique && index->columns.count > 0;
        for (size_t c = 0; found && c < index->columns.count; c++) {
            found = dictionary_metrics_holds(columns, index->columns.items[c]);
        }
    }
    return found;
}

static size_t keys_to(const struct merging *merging, const struct table *from,
                      const struct table *to)
{
    size_t count = 0;
    for (size_t i = 0; i < from->foreign_keys.count; i++) {
        count += schema_table(merging->schema, from->foreign_keys.items[i].table) == to;
    }
    return count;
}

static void reach(const struct merging *merging, struct reaching *reaching, size_t at,
                  const struct foreign_key *key, const struct table *to)
{
    const struct table *from = reaching->tables[at];
    struct buf join;
    buf_init(&join, JOIN_MOST);
    for (size_t c = 0; c < key->columns.count; c++) {
        condition_add(&join, merging->dialect, from, key->columns.items[c], to,
                      key->references.items[c]);
    }
    reaching->tables[reaching->count] = to;
    reaching->before[reaching->count] = at;
    reaching->twice[reaching->count] =
        keys_to(merging, from, to) + keys_to(merging, to, from) > 1 || join.full;
    reaching->joins[reaching->count++] = buf_clone(&join, merging->scratch);
    buf_release(&join);
}

static void reach_on(const struct merging *merging, struct reaching *reaching, size_t at)
{
    const struct table *from = reaching->tables[at];
    for (size_t i = 0; i < from->foreign_keys.count; i++) {
        const struct foreign_key *key = &from->foreign_keys.items[i];
        const struct table *to = schema_table(merging->schema, key->table);
        size_t known = 0;
        if (!to || to == from || key->columns.count == 0 || key->confidence < 1 ||
            key->columns.count != key->references.count ||
            !finds_one(to, &key->references)) {
            continue;
        }
        while (known < reaching->count && reaching->tables[known] != to) {
            known++;
        }
        if (known < reaching->count) {
            reaching->twice[known] = true;
        } else {
            reach(merging, reaching, at, key, to);
        }
    }
}

static struct reaching reach_from(const struct merging *merging, const struct table *base)
{
    size_t most = merging->schema->tables.count + 1;
    struct reaching reaching = {
        .tables = arena_array(merging->scratch, most, sizeof *reaching.tables),
        .before = arena_array(merging->scratch, most, sizeof *reaching.before),
        .twice = arena_array(merging->scratch, most, sizeof *reaching.twice),
        .joins = arena_array(merging->scratch, most, sizeof *reaching.joins),
        .count = 1};
    reaching.tables[0] = base;
    for (size_t i = 0; i < reaching.count && i < REACH_MOST; i++) {
        reach_on(merging, &reaching, i);
    }
    return reaching;
}

/* The joins from the base to all tables of the metric; false when one is out of reach. */
static bool joins_find(const struct merging *merging, const struct table *base,
                       struct texts *tables, struct texts *joins)
{
    struct reaching reaching = reach_from(merging, base);
    bool *needed = arena_array(merging->scratch, reaching.count, sizeof *needed);
    for (size_t i = 0; i < merging->table_count; i++) {
        size_t at = 0;
        while (at < reaching.count && reaching.tables[at] != merging->tables[i]) {
            at++;
        }
        if (at == reaching.count) {
            return false;
        }
        for (; at && !needed[at]; at = reaching.before[at]) {
            if (reaching.twice[at]) {
                return false;
            }
            needed[at] = true;
        }
    }
    for (size_t i = 1; i < reaching.count; i++) {
        if (needed[i]) {
            VEC_PUSH(merging->scratch, tables, reaching.tables[i]->name);
            VEC_PUSH(merging->scratch, joins, reaching.joins[i]);
        }
    }
    return true;
}

/* The table whose rows are counted, with the joins to the others. */
static const struct table *base_of(struct merging *merging, struct texts *tables,
                                   struct texts *joins, const char **why)
{
    const char *said = merging->metric->table;
    if (said) {
        const struct table *base = schema_table(merging->schema, said);
        *why = base ? arena_format(
                          merging->scratch,
                          "no keys lead from '%s' to its other tables, or several do",
                          base->name)
                    : "its table does not exist";
        return base && tables_read(merging, why) &&
                       joins_find(merging, base, tables, joins)
                   ? base
                   : NULL;
    }
    for (size_t i = 0; i < merging->schema->tables.count; i++) {
        if (has_all(&merging->schema->tables.items[i], &merging->names)) {
            return &merging->schema->tables.items[i];
        }
    }
    if (!tables_read(merging, why)) {
        return NULL;
    }
    for (size_t i = 0; i < merging->table_count; i++) {
        if (joins_find(merging, merging->tables[i], tables, joins)) {
            return merging->tables[i];
        }
    }
    *why = "no keys lead from one of its tables to all others, or several do";
    return NULL;
}

static void table_put(struct buf *sql, enum dialect dialect, const struct table *table)
{
    if (!str_empty(table->namespace)) {
        dialect_quote(sql, dialect, table->namespace, true);
        (void)buf_char(sql, '.');
    }
    dialect_quote(sql, dialect, table->bare_name, false);
}

/* The guard has the last word on what may stand in a query. */
static bool passes(const struct merging *merging, const struct table *base,
                   const struct texts *tables, const struct texts *joins)
{
    struct buf sql;
    struct guard_result guard = {0};
    buf_init(&sql, SQL_MOST);
    (void)buf_format(&sql, "SELECT (%s) FROM ", merging->metric->metric.expression);
    table_put(&sql, merging->dialect, base);
    for (size_t i = 0; i < tables->count; i++) {
        (void)buf_text(&sql, " JOIN ");
        table_put(&sql, merging->dialect,
                  schema_table(merging->schema, tables->items[i]));
        (void)buf_format(&sql, " ON %s", joins->items[i]);
    }
    if (!sql.full) {
        guard_check(merging->scratch, merging->dialect, buf_get(&sql), sql.size,
                    merging->schema, &guard);
    }
    bool ok = !sql.full && guard.verdict == GUARD_READ && guard.unknown.count == 0;
    buf_release(&sql);
    return ok;
}

static void texts_keep(struct arena *arena, const struct texts *from, struct texts *to)
{
    for (size_t i = 0; i < from->count; i++) {
        VEC_PUSH(arena, to, arena_text(arena, from->items[i]));
    }
}

static const char *merge_metric(struct arena *scratch, struct schema *schema,
                                const struct dictionary_metric *metric)
{
    struct merging merging = {.scratch = scratch,
                              .schema = schema,
                              .metric = metric,
                              .dialect = DIALECT_SQLITE};
    struct texts tables = {0};
    struct texts joins = {0};
    const char *why = NULL;
    (void)dialect_find(schema->dialect, &merging.dialect);
    if (!names_in(&merging, &why)) {
        return why;
    }
    const struct table *base = base_of(&merging, &tables, &joins, &why);
    if (!base) {
        return why;
    }
    if (!passes(&merging, base, &tables, &joins)) {
        return "it is not an expression that only reads";
    }
    struct arena *arena = schema->arena;
    struct table *table = &schema->tables.items[base - schema->tables.items];
    struct metric *added = VEC_ADD(arena, &table->metrics);
    *added = (struct metric){.name = arena_text(arena, metric->metric.name)};
    added->expression = arena_text(arena, metric->metric.expression);
    added->comment = arena_text(arena, metric->metric.comment);
    texts_keep(arena, &tables, &added->tables);
    texts_keep(arena, &joins, &added->joins);
    for (size_t i = 0; i < metric->metric.synonyms.count; i++) {
        dictionary_synonym_add(arena, &added->synonyms, metric->metric.synonyms.items[i]);
    }
    return NULL;
}

void dictionary_metrics_merge(const struct dictionary *dictionary, struct schema *schema,
                              void (*warn)(void *context, const char *text),
                              void *context)
{
    for (size_t i = 0; i < dictionary->metrics.count; i++) {
        const struct dictionary_metric *metric = &dictionary->metrics.items[i];
        struct arena *scratch = arena_new();
        const char *why = merge_metric(scratch, schema, metric);
        if (why) {
            warn(context,
                 arena_format(scratch, "The dictionary's metric '%s' was left out: %s.",
                              metric->metric.name, why));
        }
        arena_free(scratch);
    }
}
