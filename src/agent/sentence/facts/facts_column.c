/* Counts, sums and other values in the SELECT list. */
#include "agent/sentence/facts/facts_column.h"

#include <ctype.h>
#include <string.h>

#include "agent/counting/counting.h"
#include "agent/suggest/suggest_columns.h"
#include "base/str.h"
#include "sql/counting/grain.h"
#include "sql/function.h"

enum { THINGS_MOST = 40 };

static bool is_sayable(const char *words)
{
    size_t size = 0;
    while (isalnum((unsigned char)words[size]) || words[size] == ' ' ||
           (unsigned char)words[size] >= 0x80) {
        size++;
    }
    return size && !words[size] && size <= THINGS_MOST;
}

void facts_things(struct run *run, const struct table *table, const char **things,
                  const char **thing)
{
    char *words = suggest_words(run->scratch, table->bare_name);
    char *plural = suggest_things(run->scratch, table);
    *things = *thing = NULL;
    if (is_sayable(plural)) {
        *things = str_lower(run->scratch, plural);
        *thing =
            str_equal(words, plural) ? counting_one_of(run, table->bare_name) : words;
        *thing =
            *thing ? str_lower(run->scratch, suggest_words(run->scratch, *thing)) : NULL;
    }
}

/* The table of which every joined row is another row. */
static const struct table *grain_table(const struct facts_column_reader *reader)
{
    const struct sql_scope *scope = reader->scope;
    const struct sql_relations *relations = &scope->relations;
    struct grain grain;
    if (relations->count == 1) {
        return relations->items[0]->table;
    }
    if (relations->count == 0 ||
        !grain_read(reader->run->scratch, reader->resolved, scope, &grain)) {
        return NULL;
    }
    for (size_t i = 0; i < relations->count; i++) {
        bool marked[GRAIN_RELATIONS] = {false};
        marked[i] = true;
        if (relations->items[i]->table && !relations->items[i]->optional &&
            grain_close(&grain, marked)) {
            return relations->items[i]->table;
        }
    }
    return NULL;
}

static bool only_tables(const struct sql_scope *scope)
{
    for (size_t i = 0; i < scope->relations.count; i++) {
        if (scope->relations.items[i]->kind != RELATION_TABLE) {
            return false;
        }
    }
    return scope->relations.count > 0;
}

void facts_column_begin(struct facts_column_reader *reader)
{
    const struct sql_scope *scope = reader->scope;
    const struct sql_node *select = scope->node;
    struct run *run = reader->run;
    bool tables = only_tables(scope);
    reader->table = tables ? grain_table(reader) : NULL;
    if (tables && scope->relations.count > 1) {
        fanout_find(run->scratch, reader->statement, reader->resolved, &reader->fanouts);
    }
    const struct sql_node *groups = select->children[SELECT_GROUP];
    reader->adds = tables && groups && !select->children[SELECT_HAVING] &&
                   !run->query.counted_from && !sql_has(select, FLAG_DISTINCT);
    for (size_t i = 0; reader->adds && i < groups->count; i++) {
        const struct sql_node *group = groups->children[i];
        bool rolls =
            sql_is(group, SQL_GROUPING_SETS) ||
            (sql_is(group, SQL_CALL) && (str_equal_nocase(group->text, "rollup") ||
                                         str_equal_nocase(group->text, "cube")));
        reader->adds = !rolls;
    }
}

/* Without ROUND, COALESCE and CAST around it. */
static const struct sql_node *inside(const struct sql_node *value)
{
    static const char *const wrappers[] = {"round", "coalesce", "ifnull", "nvl"};
    for (int depth = 0; value && depth < 8; depth++) {
        const struct sql_node *next = NULL;
        if (sql_is(value, SQL_CAST)) {
            next = value->children[PAIR_LEFT];
        }
        for (size_t i = 0; sql_is(value, SQL_CALL) && !value->children[CALL_OVER] &&
                           i < sizeof wrappers / sizeof *wrappers;
             i++) {
            const struct sql_node *arguments = value->children[CALL_ARGUMENTS];
            if (str_equal_nocase(value->text, wrappers[i]) && arguments &&
                arguments->count) {
                next = arguments->children[0];
            }
        }
        if (!next) {
            break;
        }
        value = next;
    }
    return value;
}

struct search {
    enum dialect dialect;
    bool found;
};

static bool find_aggregate(void *context, struct sql_node *node)
{
    struct search *search = context;
    search->found |= node->kind == SQL_SUBQUERY ||
                     (node->kind == SQL_CALL &&
                      (node->children[CALL_OVER] ||
                       function_has(function_find(search->dialect, node->text), 'a')));
    return !search->found;
}

static bool is_computed(enum dialect dialect, const struct sql_node *value)
{
    struct search search = {.dialect = dialect};
    union { /* the walk does not change what it shows */
        const struct sql_node *borrowed;
        struct sql_node *tree;
    } root = {value};
    sql_walk(root.tree, find_aggregate, &search);
    return search.found;
}

static bool is_fanned(const struct facts_column_reader *reader,
                      const struct sql_node *call)
{
    for (size_t i = 0; i < reader->fanouts.count; i++) {
        const struct fanout *fanout = &reader->fanouts.items[i];
        if (fanout->call == call) {
            return true;
        }
    }
    return false;
}

/* COUNT(DISTINCT orders.customer_id): customers */
static const struct table *referenced_table(const struct facts_column_reader *reader,
                                            const struct table *table, const char *column)
{
    for (size_t i = 0; i < table->foreign_keys.count; i++) {
        const struct foreign_key *key = &table->foreign_keys.items[i];
        if (key->columns.count == 1 && str_equal(key->columns.items[0], column)) {
            return schema_table(run_schema(reader->run), key->table);
        }
    }
    return NULL;
}

/* The table of a column, also through subqueries that pass it on. */
static const struct table *origin(const struct sql_reference *reference)
{
    const struct sql_relation *relation = reference->relation;
    const struct sql_output *output = reference->output;
    for (int depth = 0; relation && !relation->table && output && depth < 16; depth++) {
        relation = output->relation;
        output = output->inner;
    }
    return relation ? relation->table : NULL;
}

/* COUNT(*): the joined rows. COUNT(x): rows of its table, if x is never NULL. */
static const struct table *counted_table(const struct facts_column_reader *reader,
                                         const struct sql_node *call)
{
    const struct sql_node *arguments = call->children[CALL_ARGUMENTS];
    const struct sql_node *value =
        arguments && arguments->count == 1 ? arguments->children[0] : NULL;
    bool distinct = sql_has(call, FLAG_DISTINCT);
    if (call->children[CALL_FILTER]) {
        return NULL;
    }
    if (!value || sql_is(value, SQL_STAR) || sql_is(value, SQL_NUMBER)) {
        return distinct ? NULL : reader->table;
    }
    const struct sql_reference *reference =
        sql_is(value, SQL_COLUMN) ? sql_reference_of(reader->resolved, value) : NULL;
    const struct table *table = reference && reference->column ? origin(reference) : NULL;
    if (table && distinct && !reference->column->primary) {
        return referenced_table(reader, table, reference->column->name);
    }
    if (!table || !reference->column->primary) {
        return NULL;
    }
    size_t keys = 0;
    for (size_t i = 0; i < table->columns.count; i++) {
        keys += table->columns.items[i].primary;
    }
    return keys == 1 && (distinct || table == reader->table) ? table : NULL;
}

/* COUNT(DISTINCT country): "country" */
static const char *counted_column(const struct facts_column_reader *reader,
                                  const struct sql_node *call)
{
    const struct sql_node *arguments = call->children[CALL_ARGUMENTS];
    const struct sql_node *value =
        arguments && arguments->count == 1 ? arguments->children[0] : NULL;
    const struct sql_reference *reference =
        sql_is(value, SQL_COLUMN) ? sql_reference_of(reader->resolved, value) : NULL;
    if (!reference || !reference->column || call->children[CALL_FILTER]) {
        return NULL;
    }
    const char *words = suggest_words(reader->run->scratch, reference->column->name);
    return is_sayable(words) ? words : NULL;
}

static void read_call(const struct facts_column_reader *reader,
                      const struct sql_node *call, struct fact_column *out)
{
    bool distinct = sql_has(call, FLAG_DISTINCT);
    bool adds = reader->adds && !distinct && !is_fanned(reader, call);
    const struct sql_node *arguments = call->children[CALL_ARGUMENTS];
    out->kind = FACT_COMPUTED;
    if (call->children[CALL_OVER]) {
        return;
    }
    if (str_equal_nocase(call->text, "count")) {
        const struct table *table = counted_table(reader, call);
        out->kind = FACT_COUNT;
        out->adds = adds;
        if (table && !is_fanned(reader, call)) {
            facts_things(reader->run, table, &out->things, &out->thing);
        } else if (distinct) {
            out->values = counted_column(reader, call);
        }
        return;
    }
    static const char *const same_unit[] = {"sum", "total", "avg", "min", "max"};
    for (size_t i = 0; i < sizeof same_unit / sizeof *same_unit; i++) {
        if (str_equal_nocase(call->text, same_unit[i]) && arguments &&
            arguments->count == 1) {
            out->kind = i < 2 ? FACT_SUM : FACT_COMPUTED;
            out->adds = i < 2 && adds;
            out->unit = facts_unit(reader->resolved, arguments->children[0]);
        }
    }
}

/* The expression behind plain columns of subqueries; NULL: a column of a table. */
static const struct sql_node *source_of(const struct sql_output *output, bool *direct)
{
    *direct = true;
    for (int depth = 0; output && depth < 16; depth++) {
        if (output->value && !sql_is(output->value, SQL_COLUMN)) {
            return output->value;
        }
        *direct = *direct && depth == 0;
        output = output->inner;
    }
    return NULL;
}

static bool is_truth(const struct sql_node *value)
{
    static const char *const comparisons[] = {
        "=", "<>", "!=", "<", "<=", ">", ">=", "AND", "OR"};
    bool truth = sql_is(value, SQL_EXISTS) || sql_is(value, SQL_IN) ||
                 sql_is(value, SQL_IS) || sql_is(value, SQL_LIKE) ||
                 sql_is(value, SQL_BETWEEN);
    for (size_t i = 0;
         sql_is(value, SQL_BINARY) && i < sizeof comparisons / sizeof *comparisons; i++) {
        truth |= str_equal_nocase(value->text, comparisons[i]);
    }
    return truth;
}

void facts_column_read(const struct facts_column_reader *reader,
                       const struct sql_output *output, struct fact_column *out)
{
    bool direct = false;
    const struct sql_node *value = source_of(output, &direct);
    *out = (struct fact_column){.kind = FACT_PLAIN};
    if (!value) {
        out->unit = output->column ? facts_unit_of(output->column)
                                   : (struct fact_unit){.text = NULL};
        return;
    }
    if (!is_computed(reader->statement->dialect, value)) {
        out->unit = facts_unit(reader->resolved, value);
        out->truth = is_truth(value);
        return;
    }
    const struct sql_node *call = inside(value);
    out->kind = FACT_COMPUTED;
    out->unit = facts_percent(call);
    if (direct && sql_is(call, SQL_CALL)) {
        read_call(reader, call, out);
    }
    if (direct) {
        facts_span(reader, call, out);
    }
    out->truth = is_truth(value);
}
