/* Rows that a join would drop silently: kept if they can be shown, otherwise a
 * warning. */
#include <string.h>

#include "agent/counting/counting.h"
#include "agent/counting/counting_state.h"
#include "agent/run_statement.h"
#include "agent/wording.h"
#include "base/str.h"
#include "sql/counting/build.h"
#include "sql/counting/left_out.h"
#include "sql/counting/nulls.h"

const char *counting_one_of(struct run *run, const char *name)
{
    size_t size = strlen(name);
    if (size < 4 || name[size - 1] != 's' || name[size - 2] == 's' ||
        name[size - 2] == 'u' || strpbrk(name, ". ")) {
        return NULL;
    }
    if (str_ends(name, "ies")) {
        return arena_format(run->scratch, "%.*sy", (int)(size - 3), name);
    }
    static const char *const hissing[] = {"sses", "xes", "ches", "shes", "zes"};
    size_t ending = 1;
    for (size_t i = 0; i < sizeof hissing / sizeof *hissing; i++) {
        ending = str_ends(name, hissing[i]) ? 2 : ending;
    }
    return arena_copy(run->scratch, name, size - ending);
}

const char *counting_in_words(struct run *run, const char *name)
{
    char *words = arena_text(run->scratch, name);
    for (char *at = words; *at; at++) {
        *at = *at == '_' ? ' ' : *at;
    }
    return words;
}

/* "6,630 of 10,200 orders have no store" */
static const char *without(struct run *run, const struct left_out *left_out,
                           int64_t missing, int64_t all)
{
    const char *counted = counting_table(left_out->counted);
    const char *other = counting_table(left_out->looked_up);
    const char *one = counting_one_of(run, other);
    struct value few = {.kind = VALUE_INT, .integer = missing};
    struct value many = {.kind = VALUE_INT, .integer = all};
    if (one && counting_one_of(run, counted)) {
        return arena_format(run->scratch, "%s of %s %s have no %s",
                            counting_number(run, &few), counting_number(run, &many),
                            counting_in_words(run, counted), counting_in_words(run, one));
    }
    return arena_format(run->scratch, "%s of %s rows of %s have no row in %s",
                        counting_number(run, &few), counting_number(run, &many), counted,
                        other);
}

/*
 * A group without a name is confusing, so it is dropped with a warning, unless it is a
 * large part of everything: then an answer without it would be wrong. A group that is
 * called "(no store)" explains itself and is always kept.
 */
enum { LARGE_PART = 5 }; /* a fifth */

static bool measure(struct run *run, const struct left_out *left_out,
                    const char **sentence, bool *large)
{
    struct rows rows;
    if (!counting_measure(run, left_out->count, 2, &rows) ||
        rows_cell(&rows, 0, 0)->kind != VALUE_INT ||
        rows_cell(&rows, 0, 1)->kind != VALUE_INT) {
        return false;
    }
    int64_t all = rows_cell(&rows, 0, 0)->integer;
    int64_t missing = all - rows_cell(&rows, 0, 1)->integer;
    *sentence = missing > 0 ? without(run, left_out, missing, all) : NULL;
    *large = missing >= all / LARGE_PART;
    return missing > 0;
}

static void find(struct run *run, const struct counting_sql *read, struct left_outs *out)
{
    *out = (struct left_outs){0};
    left_out_find(run->scratch, &read->statement, read->resolved, run_schema(run), out);
}

/* "(no store)": the label of the group of rows without a partner; NULL: it has no label
 * in words. */
static const char *label(struct run *run, const char *sql)
{
    return sql && run_statement(run, sql)->root
               ? wording_absent(run, run_statement(run, sql), run_resolved(run, sql))
               : NULL;
}

static struct sql_node *count_of(struct run *run, struct sql_node *argument,
                                 const char *name)
{
    struct sql_node *call = sql_node(run->scratch, SQL_CALL, "COUNT");
    call->children[CALL_ARGUMENTS] = sql_node(run->scratch, SQL_LIST, NULL);
    sql_add(run->scratch, call->children[CALL_ARGUMENTS], argument);
    return build_item(run->scratch, call, name);
}

static const char *key_of(const struct table *table)
{
    const char *key = NULL;
    for (size_t i = 0; i < table->columns.count; i++) {
        if (table->columns.items[i].primary) {
            if (key) {
                return NULL;
            }
            key = table->columns.items[i].name;
        }
    }
    return key;
}

/* How many rows of the statement with outer joins have none of this relation. */
static const char *without_any(struct run *run, const struct counting_sql *read,
                               const struct sql_relation *relation,
                               const struct left_out *left_out)
{
    const char *key = key_of(relation->table);
    struct sql_node *query = sql_node(run->scratch, SQL_QUERY, NULL);
    struct sql_node *select =
        sql_clone(run->scratch, read->statement.root->children[QUERY_BODY]);
    struct rows rows;
    if (!key || !relation->name) {
        return NULL;
    }
    select->children[SELECT_GROUP] = NULL;
    select->children[SELECT_ITEMS] = sql_node(run->scratch, SQL_LIST, NULL);
    sql_add(run->scratch, select->children[SELECT_ITEMS],
            count_of(run, sql_node(run->scratch, SQL_STAR, NULL), "all_rows"));
    sql_add(run->scratch, select->children[SELECT_ITEMS],
            count_of(run, build_column(run->scratch, relation->name, key), "with_one"));
    query->children[QUERY_BODY] = select;
    const char *sql = sql_statement_print(run->scratch, read->statement.dialect, query);
    if (!counting_measure(run, sql, 2, &rows) ||
        rows_cell(&rows, 0, 0)->kind != VALUE_INT ||
        rows_cell(&rows, 0, 1)->kind != VALUE_INT) {
        return NULL;
    }
    int64_t all = rows_cell(&rows, 0, 0)->integer;
    struct left_out whole = *left_out;
    whole.counted = left_out->first;
    whole.looked_up = relation;
    return without(run, &whole, all - rows_cell(&rows, 0, 1)->integer, all);
}

/* The group is called after what is shown: "(no ward)" holds the samples without a doctor, too, and
 * those of doctors without a ward. NULL: `sentence` says it. */
static const char *of_group(struct run *run, const char *sql,
                            const struct left_out *left_out)
{
    struct counting_sql read = {.statement = *run_statement(run, sql)};
    const struct sql_node *root = read.statement.root;
    read.resolved = root ? run_resolved(run, sql) : NULL;
    const struct sql_scope *scope =
        read.resolved && sql_is(root, SQL_QUERY)
            ? sql_scope_of(read.resolved, root->children[QUERY_BODY])
            : NULL;
    for (size_t i = 0; scope && i < scope->outputs.count; i++) {
        const struct sql_relation *relation = scope->outputs.items[i]->relation;
        if (relation && relation->optional && relation->table) {
            return relation->table == left_out->looked_up->table
                       ? NULL
                       : without_any(run, &read, relation, left_out);
        }
    }
    return NULL;
}

/* Keeps the rows of the first such join that can be one; false: there is none. */
static bool keep_one(struct run *run)
{
    struct counting_sql read;
    struct left_outs found;
    const char *sentence;
    bool large;
    if (!counting_sql(run, &read)) {
        return false;
    }
    find(run, &read, &found);
    for (size_t i = 0; i < found.count; i++) {
        struct left_outs anew;
        if (!found.items[i].grouped ||
            !measure(run, &found.items[i], &sentence, &large) ||
            !counting_sql_anew(run, &read)) {
            continue;
        }
        find(run, &read, &anew);
        const char *sql = left_out_keep(run->scratch, &read.statement, &anew.items[i]);
        const char *name = label(run, sql);
        sql = name || large ? counting_accepted(run, sql) : NULL;
        if (sql) {
            const char *of_all = name ? of_group(run, sql, &found.items[i]) : NULL;
            run_warn(run, "%s: they are the group %s.", of_all ? of_all : sentence,
                     name ? arena_format(run->scratch, "\"%s\"", name)
                          : "without a name");
            counting_tell_childless(run); /* the outer join would hide them */
            run->answer.sql = sql;
            return true;
        }
    }
    return false;
}

void counting_keep_rows(struct run *run)
{
    enum { JOINS_MOST = 4 };
    for (int i = 0; i < JOINS_MOST && keep_one(run); i++) {}
}

void counting_tell_left_out(struct run *run)
{
    struct counting_sql read;
    struct left_outs found;
    const char *sentence;
    bool large;
    if (!counting_sql(run, &read)) {
        return;
    }
    find(run, &read, &found);
    for (size_t i = 0; i < found.count; i++) {
        if (measure(run, &found.items[i], &sentence, &large)) {
            run_warn(run, "%s and are left out.", sentence);
            run->query.doubtful |= large;
        }
    }
}

/* Is the question about what is missing? */
static bool asks_for_missing(struct run *run)
{
    static const char *const words[] = {"without", "missing", "null", "unknown",
                                        "empty",   "blank",   " no ", "not set"};
    const char *text = run_question_text(run);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_contains_nocase(text, words[i])) {
            return true;
        }
    }
    return false;
}

void counting_skip_nulls(struct run *run)
{
    struct counting_sql read;
    const struct column *column = NULL;
    if (asks_for_missing(run) || !counting_sql(run, &read) ||
        !nulls_come_first(&read.statement, read.resolved) ||
        !counting_sql_anew(run, &read)) {
        return;
    }
    const char *sql = counting_accepted(
        run, nulls_skip(run->scratch, &read.statement, read.resolved, &column));
    if (sql) {
        if (column->null_share > 0) {
            run_warn(run, "Rows without %s are not in the order.", column->name);
        }
        run->answer.sql = sql;
    }
}
