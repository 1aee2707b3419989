/* "How many tickets are tagged bug or outage?" over the rows that link tickets and tags: a ticket
 * with both is one ticket. */
#include "agent/counting/counting_state.h"
#include "base/str.h"
#include "model/schema.h"
#include "sql/counting/build.h"

/* The column of the SELECT that refers to the table. */
struct link {
    const struct sql_relation *relation;
    const char *column;
};

/* Does the relation refer to the table by one column? False also if by several keys. */
static bool refers(const struct sql_relation *relation, const struct table *table,
                   struct link *out)
{
    size_t found = 0;
    for (size_t i = 0; relation->table && i < relation->table->foreign_keys.count; i++) {
        const struct foreign_key *key = &relation->table->foreign_keys.items[i];
        if (key->columns.count == 1 && str_equal(key->table, table->name)) {
            *out = (struct link){relation, key->columns.items[0]};
            found++;
        }
    }
    return found == 1;
}

/* The column by which things of the table differ: its key if the SELECT has it once, else
 * the only one that refers to it. */
static bool find_link(const struct sql_scope *scope, const struct table *table,
                      struct link *out)
{
    size_t own = 0;
    for (size_t i = 0; i < scope->relations.count; i++) {
        const struct sql_relation *relation = scope->relations.items[i];
        if (relation->table == table) {
            *out = (struct link){relation, table_sole_key(table)};
            own++;
        }
    }
    if (own) {
        return own == 1 && scope->relations.count > 1 && out->column &&
               out->relation->name;
    }
    size_t found = 0;
    for (size_t i = 0; i < scope->relations.count; i++) {
        const struct sql_relation *relation = scope->relations.items[i];
        found += relation->name && refers(relation, table, out);
    }
    return found == 1;
}

static bool is_count_of_rows(const struct sql_node *node)
{
    const struct sql_node *arguments =
        sql_is(node, SQL_CALL) ? node->children[CALL_ARGUMENTS] : NULL;
    return arguments && str_equal_nocase(node->text, "count") && arguments->count == 1 &&
           sql_is(arguments->children[0], SQL_STAR) && !node->children[CALL_FILTER] &&
           !node->children[CALL_OVER];
}

struct counting_links {
    struct arena *arena;
    const struct link *link;
    size_t count;
};

static void count_things(const struct counting_links *links, struct sql_node *call)
{
    call->children[CALL_ARGUMENTS]->children[0] =
        build_column(links->arena, links->link->relation->name, links->link->column);
    call->flags |= FLAG_DISTINCT;
}

/* Every COUNT(*) of this SELECT. */
static bool change(void *context, struct sql_node *node)
{
    struct counting_links *links = context;
    if (is_count_of_rows(node)) {
        count_things(links, node);
        links->count++;
    }
    return node->kind != SQL_SUBQUERY && node->kind != SQL_QUERY;
}

/* Both figures over all groups: SELECT SUM(n), SUM(m) FROM (SELECT COUNT(*) AS n, …) */
static const char *both(struct run *run, const struct counting_sql *read,
                        const struct link *link)
{
    struct arena *arena = run->scratch;
    static const char *const names[] = {"n", "m"};
    struct sql_node *inner = sql_clone(arena, read->statement.root->children[QUERY_BODY]);
    struct sql_node *outer = sql_node(arena, SQL_SELECT, NULL);
    const struct counting_links links = {arena, link, 0};
    inner->children[SELECT_ITEMS] = sql_node(arena, SQL_LIST, NULL);
    outer->children[SELECT_ITEMS] = sql_node(arena, SQL_LIST, NULL);
    for (size_t i = 0; i < 2; i++) {
        struct sql_node *count = sql_node(arena, SQL_CALL, "COUNT");
        struct sql_node *sum = sql_node(arena, SQL_CALL, "SUM");
        count->children[CALL_ARGUMENTS] = sql_node(arena, SQL_LIST, NULL);
        sum->children[CALL_ARGUMENTS] = sql_node(arena, SQL_LIST, NULL);
        sql_add(arena, count->children[CALL_ARGUMENTS], sql_node(arena, SQL_STAR, NULL));
        sql_add(arena, sum->children[CALL_ARGUMENTS],
                build_column(arena, NULL, names[i]));
        if (i) {
            count_things(&links, count);
        }
        sql_add(arena, inner->children[SELECT_ITEMS], build_item(arena, count, names[i]));
        sql_add(arena, outer->children[SELECT_ITEMS], build_item(arena, sum, names[i]));
    }
    outer->children[SELECT_FROM] = build_from(arena, inner, "counted");
    struct sql_node *query = sql_node(arena, SQL_QUERY, NULL);
    query->flags = read->statement.root->flags & FLAG_RECURSIVE;
    if (read->statement.root->children[QUERY_WITH]) {
        query->children[QUERY_WITH] =
            sql_clone(arena, read->statement.root->children[QUERY_WITH]);
    }
    query->children[QUERY_BODY] = outer;
    return sql_statement_print(arena, read->statement.dialect, query);
}

/* ": 761 instead of 896"; "": not measured. NULL: both are the same. */
static const char *difference(struct run *run, const struct counting_sql *read,
                              const struct table *table, const struct link *link)
{
    struct rows rows;
    bool own = link->relation->table == table;
    if (!counting_measure(run, both(run, read, link), 2, &rows)) {
        return own ? NULL : "";
    }
    const char *written = counting_number(run, rows_cell(&rows, 0, 0));
    const char *once = counting_number(run, rows_cell(&rows, 0, 1));
    return str_equal(written, once)
               ? NULL
               : arena_format(run->scratch, ": %s instead of %s", once, written);
}

/* The SELECT that gives the answer, with a column by which the things differ that the question
 * counts; NULL: there is none. */
static struct sql_node *find(struct run *run, struct counting_sql *read,
                             const struct table **table, struct link *link)
{
    if (!counting_sql_anew(run, read) || !sql_is(read->statement.root, SQL_QUERY) ||
        !sql_is(read->statement.root->children[QUERY_BODY], SQL_SELECT)) {
        return NULL;
    }
    struct sql_node *select = read->statement.root->children[QUERY_BODY];
    const struct sql_scope *scope = sql_scope_of(read->resolved, select);
    *table = scope ? counting_table_asked(run) : NULL;
    return *table && find_link(scope, *table, link) ? select : NULL;
}

/* label IN ('bug', 'outage'), or the same with OR: what has both comes twice. Of a single value
 * each thing has one link, and "badges awarded in 2025" are the awards. */
static bool find_choice(void *context, struct sql_node *node)
{
    bool *found = context;
    const struct sql_node *list = node->kind == SQL_IN && !sql_has(node, FLAG_NOT)
                                      ? node->children[PAIR_RIGHT]
                                      : NULL;
    *found = *found || (sql_is(list, SQL_TUPLE) && list->count > 1) ||
             (sql_is(list, SQL_LIST) && list->count > 1) ||
             (node->kind == SQL_BINARY && str_equal_nocase(node->text, "or"));
    return node->kind != SQL_SUBQUERY && node->kind != SQL_QUERY;
}

static bool has_choice(const struct sql_node *select)
{
    bool found = false;
    if (select->children[SELECT_WHERE]) {
        sql_walk(select->children[SELECT_WHERE], find_choice, &found);
    }
    return found;
}

static const char *changed(struct run *run, const struct counting_sql *read,
                           struct sql_node *select, const struct link *link)
{
    struct counting_links links = {run->scratch, link, 0};
    struct sql_node *parts[] = {select->children[SELECT_ITEMS],
                                read->statement.root->children[QUERY_ORDER]};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i]) {
            sql_walk(parts[i], change, &links);
        }
    }
    return links.count ? sql_statement_print(run->scratch, read->statement.dialect,
                                             read->statement.root)
                       : NULL;
}

void counting_count_things(struct run *run)
{
    struct counting_sql read;
    struct link link;
    const struct table *table = NULL;
    struct sql_node *select = find(run, &read, &table, &link);
    if (!select || select->children[SELECT_GROUP] || !has_choice(select)) {
        return; /* the groups may be of what links them: told only */
    }
    const char *numbers = difference(run, &read, table, &link);
    const char *sql =
        numbers ? counting_accepted(run, changed(run, &read, select, &link)) : NULL;
    if (sql) {
        run_warn(
            run,
            "Some of the %s have several matching rows; the query was changed so that "
            "each of them counts once%s.",
            counting_in_words(run, table->bare_name), numbers);
        run->answer.sql = sql;
    }
}

/* GROUP BY its key: each group is one of the things. */
static bool groups_things(const struct counting_sql *read, const struct sql_node *select,
                          const struct link *link)
{
    const struct sql_node *groups = select->children[SELECT_GROUP];
    for (size_t i = 0; i < groups->count; i++) {
        const struct sql_reference *reference =
            sql_is(groups->children[i], SQL_COLUMN)
                ? sql_reference_of(read->resolved, groups->children[i])
                : NULL;
        if (reference && reference->column && reference->relation == link->relation &&
            str_equal(reference->column->name, link->column)) {
            return true;
        }
    }
    return false;
}

void counting_tell_things(struct run *run)
{
    struct counting_sql read;
    struct link link;
    const struct table *table = NULL;
    struct sql_node *select = find(run, &read, &table, &link);
    if (!select || !select->children[SELECT_GROUP] ||
        groups_things(&read, select, &link)) {
        return;
    }
    const char *numbers = difference(run, &read, table, &link);
    if (numbers && *numbers && changed(run, &read, select, &link)) {
        run_warn(run,
                 "The counts are of matching rows, and some of the %s have several in a "
                 "group. Counted once in each group, the %s would add up to%s.",
                 counting_in_words(run, table->bare_name),
                 counting_in_words(run, table->bare_name), numbers + 1);
    }
}
