/* Metrics as columns of the schema, and written out in queries. */
#include "parser/search/metrics.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "model/schema.h"
#include "parser/ir/ir_schema.h"
#include "parser/ir/ir_tree.h"
#include "parser/from_sql/sql_to_ir.h"
#include "parser/values/values.h"

static bool has_metrics(const struct schema *schema)
{
    for (size_t i = 0; i < schema->tables.count; i++) {
        if (schema->tables.items[i].metrics.count) {
            return true;
        }
    }
    return false;
}

/* A column of that name is there already: then that is what is meant. */
static bool is_taken(const struct table *table, const struct metric *metric)
{
    return table_column(table, metric->name) != NULL;
}

static void add_columns(struct arena *arena, struct table *table)
{
    struct columns all = {0};
    for (size_t i = 0; i < table->columns.count; i++) {
        VEC_PUSH(arena, &all, table->columns.items[i]);
    }
    for (size_t i = 0; i < table->metrics.count; i++) {
        const struct metric *metric = &table->metrics.items[i];
        if (!is_taken(table, metric)) {
            struct column column = {.name = metric->name,
                                    .type = "REAL",
                                    .comment = metric->comment,
                                    .synonyms = metric->synonyms,
                                    .nullable = true,
                                    .distinct = -1,
                                    .null_share = -1};
            VEC_PUSH(arena, &all, column);
        }
    }
    table->columns = all;
}

const struct schema *metrics_schema(struct arena *arena, const struct schema *schema)
{
    if (!has_metrics(schema)) {
        return schema;
    }
    size_t count = schema->tables.count;
    struct schema *copy = ARENA_NEW(arena, struct schema);
    copy->arena = arena;
    atomic_init(&copy->references, 1);
    copy->datasource = schema->datasource;
    copy->dialect = schema->dialect;
    copy->home = schema->home;
    copy->signature = schema->signature;
    copy->hash = schema->hash;
    copy->read_at = schema->read_at;
    copy->tables.items = arena_array(arena, count, sizeof *copy->tables.items);
    copy->tables.count = copy->tables.capacity = count;
    memcpy(copy->tables.items, schema->tables.items, count * sizeof *copy->tables.items);
    if (schema->by_bare_name) {
        copy->by_bare_name = arena_array(arena, count, sizeof *copy->by_bare_name);
        for (size_t i = 0; i < count; i++) {
            copy->by_bare_name[i] =
                copy->tables.items + (schema->by_bare_name[i] - schema->tables.items);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (copy->tables.items[i].metrics.count) {
            add_columns(arena, &copy->tables.items[i]);
        }
    }
    return copy;
}

static bool is_total(struct ir_token token)
{
    static const enum ir_keyword words[] = {
        IR_COUNT, IR_COUNT_DISTINCT, IR_SUM, IR_AVG, IR_MIN, IR_MAX};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (ir_is(token, words[i])) {
            return true;
        }
    }
    return false;
}

/* Is more of it when rows come again? */
static bool is_repeated(struct ir_token token)
{
    return ir_is(token, IR_COUNT) || ir_is(token, IR_SUM) || ir_is(token, IR_AVG);
}

/* The tables that keys lead to from this one, and it itself. */
static const bool *once_of(struct arena *arena, const struct ir_schema *ir, int table)
{
    bool *once = arena_array(arena, (size_t)ir->table_count, sizeof *once);
    once[table] = true;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < ir->key_count; i++) {
            int from = ir->columns[ir->keys[i].from].table;
            int to = ir->columns[ir->keys[i].to].table;
            bool found = once[from] && !once[to];
            once[to] = once[to] || found;
            more = more || found;
        }
    }
    return once;
}

struct literals {
    struct arena *arena;
    struct ir_values *values;
};

/* One that the IR knows anyway, else one of our own. */
static struct ir_token find_literal(void *context, const char *literal, bool is_text)
{
    static const struct candidates none = {0};
    struct literals *literals = context;
    struct ir_token token = values_token(&none, literal, is_text);
    const struct ir_value *fixed = ir_fixed_get(token.index);
    if (token.index != IR_FIXED_UNKNOWN && strcmp(fixed->text, literal) == 0 &&
        fixed->is_text == is_text) {
        return token;
    }
    struct ir_value value = {arena_text(literals->arena, literal), is_text, NULL};
    VEC_PUSH(literals->arena, literals->values, value);
    return (struct ir_token){IR_VALUE, (int)literals->values->count - 1};
}

/* The tokens between `select` and `from`. */
static void read_metric(struct arena *arena, const struct ir_schema *ir,
                        const struct table *table, const struct metric *metric,
                        struct ir_values *values, struct parser_metric *out)
{
    struct literals literals = {arena, values};
    struct buf sql;
    struct err err;
    struct sql_to_ir_result read = {0};
    struct sql_to_ir_request request = {.schema = ir,
                                        .dialect = DIALECT_SQLITE,
                                        .find_value = find_literal,
                                        .context = &literals};
    (void)dialect_find(ir->source->dialect, &request.dialect);
    buf_init(&sql, 4096);
    (void)buf_format(&sql, "SELECT %s FROM ", metric->expression);
    if (!str_empty(table->namespace)) {
        dialect_quote(&sql, request.dialect, table->namespace, true);
        (void)buf_char(&sql, '.');
    }
    dialect_quote(&sql, request.dialect, table->bare_name, false);
    for (size_t i = 0; i < metric->tables.count; i++) {
        const struct table *other = schema_table(ir->source, metric->tables.items[i]);
        if (!other) {
            buf_release(&sql);
            return;
        }
        (void)buf_text(&sql, " JOIN ");
        if (!str_empty(other->namespace)) {
            dialect_quote(&sql, request.dialect, other->namespace, true);
            (void)buf_char(&sql, '.');
        }
        dialect_quote(&sql, request.dialect, other->bare_name, false);
        (void)buf_format(&sql, " ON %s", metric->joins.items[i]);
    }
    bool ok = !sql.full && sql_to_ir(arena, &request, buf_get(&sql), &read, &err) &&
              !read.value_missing;
    buf_release(&sql);
    bool expression = true;
    for (size_t i = 1; ok && i < read.tokens.count; i++) {
        struct ir_token token = read.tokens.items[i];
        expression = expression && !ir_is(token, IR_FROM);
        if (expression) {
            VEC_PUSH(arena, &out->tokens, token);
            out->total = out->total || is_total(token);
            out->repeats = out->repeats || is_repeated(token);
        } else if (token.kind == IR_TABLE && ir->tables[token.index].source != table) {
            VEC_PUSH(arena, &out->tables, token);
        }
    }
    out->simple = out->tokens.count && is_total(out->tokens.items[0]);
}

void metrics_read(struct arena *arena, const struct ir_schema *ir,
                  struct parser_metrics *out)
{
    for (int t = 0; t < ir->table_count; t++) {
        const struct table *table = ir->tables[t].source;
        for (size_t i = 0; i < table->metrics.count; i++) {
            const struct metric *metric = &table->metrics.items[i];
            int column = ir_schema_column(ir, t, metric->name);
            bool ours = column >= 0 && ir->columns[column].source->name == metric->name;
            if (ours) {
                struct parser_metric *added = VEC_ADD(arena, out);
                added->column = column;
                added->once = once_of(arena, ir, t);
                read_metric(arena, ir, table, metric, &out->values, added);
            }
        }
    }
}

/* A metric's token, with its values renumbered after the query's own values. */
static struct ir_token moved(struct ir_token token, size_t values)
{
    token.index += token.kind == IR_VALUE ? (int)values : 0;
    return token;
}

/* The expression as a tree: that of a query that asks for nothing else. */
static const struct ir_node *tree_of(struct arena *arena, const struct ir_schema *ir,
                                     const struct parser_metric *metric, size_t values,
                                     size_t value_count)
{
    struct ir_tokens tokens = {0};
    struct ir_query *query = NULL;
    struct err err;
    VEC_PUSH(arena, &tokens, ir_word(IR_SELECT));
    for (size_t i = 0; i < metric->tokens.count; i++) {
        VEC_PUSH(arena, &tokens, moved(metric->tokens.items[i], values));
    }
    VEC_PUSH(arena, &tokens, ir_word(IR_FROM));
    VEC_PUSH(arena, &tokens,
             ((struct ir_token){IR_TABLE, ir->columns[metric->column].table}));
    for (size_t i = 0; i < metric->tables.count; i++) {
        VEC_PUSH(arena, &tokens, metric->tables.items[i]);
    }
    bool ok = metric->tokens.count &&
              ir_tree_read(arena, &tokens, ir, value_count, &query, &err) &&
              query->select.count == 1;
    return ok ? query->select.items[0] : NULL;
}

void metrics_names(struct arena *arena, const struct ir_schema *ir,
                   const struct parser_metrics *metrics, size_t values,
                   struct rebuild_names *out)
{
    for (size_t i = 0; i < metrics->count; i++) {
        const struct parser_metric *metric = &metrics->items[i];
        const struct ir_node *node =
            tree_of(arena, ir, metric, values, values + metrics->values.count);
        if (node) {
            struct rebuild_name name = {node, ir->columns[metric->column].name,
                                        metric->column};
            VEC_PUSH(arena, out, name);
        }
    }
}

static const struct parser_metric *metric_of(const struct parser_metrics *metrics,
                                             struct ir_token token)
{
    for (size_t i = 0; i < metrics->count && token.kind == IR_COLUMN; i++) {
        if (metrics->items[i].column == token.index) {
            return &metrics->items[i];
        }
    }
    return NULL;
}

bool metrics_in(const struct parser_metrics *metrics, const struct ir_tokens *tokens)
{
    for (size_t i = 0; metrics->count && i < tokens->count; i++) {
        if (metric_of(metrics, tokens->items[i])) {
            return true;
        }
    }
    return false;
}

/* The part of its query that a token stands in, and what else that query has. */
struct place {
    enum ir_keyword clause;
    bool grouped;
    bool others; /* it selects other columns than metrics, too */
};

/* Where the query that a token stands in begins: behind its own select. */
static size_t start_of(const struct ir_tokens *tokens, size_t at)
{
    size_t start = at;
    for (int depth = 0; start > 0; start--) {
        struct ir_token token = tokens->items[start - 1];
        depth += ir_is(token, IR_CLOSE) - ir_is(token, IR_OPEN);
        if (depth < 0 || (depth == 0 && ir_is(token, IR_SELECT))) {
            break;
        }
    }
    return start;
}

static struct place place_of(const struct parser_metrics *metrics,
                             const struct ir_tokens *tokens, size_t at)
{
    static const enum ir_keyword clauses[] = {IR_SELECT, IR_FROM,  IR_WHERE, IR_GROUP,
                                              IR_HAVING, IR_ORDER, IR_LIMIT, IR_LIMIT1};
    struct place place = {IR_SELECT, false, false};
    size_t start = start_of(tokens, at);
    enum ir_keyword clause = IR_SELECT;
    int depth = 0;
    for (size_t i = start; i < tokens->count && depth >= 0; i++) {
        struct ir_token token = tokens->items[i];
        depth += ir_is(token, IR_OPEN) - ir_is(token, IR_CLOSE);
        for (size_t c = 0; depth == 0 && c < sizeof clauses / sizeof *clauses; c++) {
            clause = ir_is(token, clauses[c]) ? clauses[c] : clause;
        }
        if (depth == 0 && i > start && ir_is(token, IR_SELECT)) {
            break; /* of the query after a union */
        }
        place.clause = i == at ? clause : place.clause;
        place.grouped = place.grouped || (depth == 0 && clause == IR_GROUP);
        bool other = token.kind == IR_TABLE ||
                     (token.kind == IR_COLUMN && !metric_of(metrics, token) &&
                      (i == start || !is_total(tokens->items[i - 1])));
        place.others = place.others || (clause == IR_SELECT && other);
    }
    return place;
}

/* Of single rows there is no total: then what would be added up is meant. */
static bool means_rows(const struct parser_metrics *metrics,
                       const struct ir_tokens *tokens, size_t at)
{
    struct place place = place_of(metrics, tokens, at);
    return place.clause == IR_WHERE || place.clause == IR_GROUP ||
           (!place.grouped && (place.clause == IR_ORDER || place.others));
}

static bool has_token(const struct ir_tokens *tokens, size_t from, struct ir_token token)
{
    for (size_t i = from; i < tokens->count; i++) {
        if (tokens->items[i].kind == token.kind &&
            tokens->items[i].index == token.index) {
            return true;
        }
    }
    return false;
}

/* Do the tables of a query make a metric count rows again? Revenue by the stars of
 * reviews would count an order once for every review. */
static bool counts_again(const struct parser_metric *metric,
                         const struct ir_tokens *tables, size_t from, size_t to)
{
    for (size_t i = from; metric->repeats && i < to; i++) {
        if (!metric->once[tables->items[i].index]) {
            return true;
        }
    }
    return false;
}

/* Behind the tables of a FROM, those that the metrics of its query need as well. */
static bool put_tables(struct arena *arena, const struct parser_metrics *metrics,
                       const struct ir_tokens *tokens, size_t at, struct ir_tokens *out)
{
    size_t start = start_of(tokens, at);
    size_t first = out->count;
    bool ok = true;
    while (first > 0 && out->items[first - 1].kind == IR_TABLE) {
        first--;
    }
    bool reads_query = first == out->count; /* whose tables are not its own */
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = start; ok && i < tokens->count; i++) {
            const struct parser_metric *metric = metric_of(metrics, tokens->items[i]);
            if (!metric || start_of(tokens, i) != start) {
                continue;
            }
            ok = pass == 0 || !counts_again(metric, out, first, out->count);
            ok = ok && !(reads_query && metric->tables.count);
            for (size_t t = 0; ok && t < metric->tables.count; t++) {
                if (!has_token(out, first, metric->tables.items[t])) {
                    VEC_PUSH(arena, out, metric->tables.items[t]);
                }
            }
        }
    }
    return ok;
}

/* Is it the last table of a FROM, or a FROM without any? */
static bool ends_from(const struct ir_tokens *tokens, size_t at)
{
    bool more = at + 1 < tokens->count && tokens->items[at + 1].kind == IR_TABLE;
    size_t first = at;
    while (first > 0 && tokens->items[first].kind == IR_TABLE) {
        first--;
    }
    return !more && ir_is(tokens->items[first], IR_FROM);
}

bool metrics_put(struct arena *arena, const struct parser_metrics *metrics, size_t values,
                 const struct ir_tokens *tokens, struct ir_tokens *out)
{
    *out = (struct ir_tokens){0};
    if (metrics_multiplied(metrics, tokens)) {
        return false;
    }
    for (size_t i = 0; i < tokens->count; i++) {
        const struct parser_metric *metric = metric_of(metrics, tokens->items[i]);
        if (!metric) {
            VEC_PUSH(arena, out, tokens->items[i]);
            if (ends_from(tokens, i) && !put_tables(arena, metrics, tokens, i, out)) {
                return false;
            }
            continue;
        }
        struct ir_token before =
            out->count ? out->items[out->count - 1] : (struct ir_token){0};
        size_t skip = 0;
        if (metric->tokens.count == 0 || ir_is(before, IR_SECOND) ||
            ir_is(before, IR_OUTER) ||
            (metric->total && place_of(metrics, tokens, i).clause == IR_GROUP)) {
            return false; /* grouping by a total makes no sense */
        }
        if (metric->total && out->count && is_total(before)) {
            bool other = metric->simple && !ir_is(before, IR_SUM);
            skip = other; /* the average of what would be added up */
            out->count -= !other;
        } else if (metric->simple && means_rows(metrics, tokens, i)) {
            skip = 1;
        }
        for (size_t k = skip; k < metric->tokens.count; k++) {
            VEC_PUSH(arena, out, moved(metric->tokens.items[k], values));
        }
    }
    return out->count <= IR_TOKENS_MAX;
}
