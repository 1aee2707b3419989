/*
 * "North", "NORTH " and "north" in one column: whoever asks for the north means all of
 * them, and groups of each by itself are told.
 */
#include <ctype.h>
#include <string.h>

#include "agent/counting/counting_state.h"
#include "base/str.h"
#include "sql/counting/build.h"

enum { TEXT_MOST = 200 };

/* Without blanks at the ends, and in small letters; "" for what is too long. */
static const char *plain(struct arena *arena, const char *text)
{
    size_t size = strlen(text);
    while (*text == ' ') {
        text++;
        size--;
    }
    while (size > 0 && text[size - 1] == ' ') {
        size--;
    }
    char *copy = arena_copy(arena, text, size > TEXT_MOST ? 0 : size);
    for (char *at = copy; *at; at++) {
        *at = (char)tolower((unsigned char)*at);
    }
    return copy;
}

/* The values of the column that are the same but for blanks and capitals; `of` NULL: those of the first that
 * has any. Fewer than two: there are none. */
static void variants_of(struct run *run, const struct column *column, const char *of,
                        struct texts *out)
{
    *out = (struct texts){0};
    for (size_t i = 0; column->samples_all && i < column->samples.count; i++) {
        const char *first = of ? of : column->samples.items[i];
        *out = (struct texts){0};
        for (size_t k = 0; k < column->samples.count; k++) {
            if (str_equal(plain(run->scratch, first),
                          plain(run->scratch, column->samples.items[k]))) {
                VEC_PUSH(run->scratch, out,
                         arena_format(run->scratch, "'%s'", column->samples.items[k]));
            }
        }
        if (of || out->count > 1) {
            return;
        }
    }
}

struct looking {
    struct run *run;
    const struct sql_resolved *resolved;
    bool change;
    bool changed;
    bool found; /* a comparison that may be changed */
};

static const struct column *text_column(const struct looking *looking,
                                        const struct sql_node *node)
{
    const struct sql_reference *reference =
        sql_is(node, SQL_COLUMN) ? sql_reference_of(looking->resolved, node) : NULL;
    const struct column *column = reference ? reference->column : NULL;
    return column && column->is_text && !reference->fields ? column : NULL;
}

static struct sql_node *call_of(struct arena *arena, const char *name,
                                struct sql_node *value)
{
    struct sql_node *call = sql_node(arena, SQL_CALL, name);
    call->children[CALL_ARGUMENTS] = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, call->children[CALL_ARGUMENTS], value);
    return call;
}

/* The column of region = 'north'; NULL: the node is something else. */
static const struct column *compared_column(const struct looking *looking,
                                            const struct sql_node *node)
{
    bool equal = node->kind == SQL_BINARY &&
                 (str_equal(node->text, "=") || str_equal(node->text, "<>")) &&
                 sql_is(node->children[PAIR_RIGHT], SQL_STRING);
    return equal ? text_column(looking, node->children[PAIR_LEFT]) : NULL;
}

static bool find_compared(void *context, struct sql_node *node)
{
    struct looking *looking = context;
    looking->found = looking->found || compared_column(looking, node);
    return !looking->found;
}

/* Most queries have none, and need not be read again to be changed. */
static bool compares_texts(struct run *run)
{
    struct counting_sql read;
    if (!counting_sql(run, &read)) {
        return false;
    }
    struct looking looking = {.run = run, .resolved = read.resolved};
    sql_walk((struct sql_node *)read.statement.root, find_compared, &looking);
    return looking.found;
}

/* region = 'north' becomes LOWER(TRIM(region)) = 'north', and <> likewise */
static bool look_at(void *context, struct sql_node *node)
{
    struct looking *looking = context;
    struct run *run = looking->run;
    const struct column *column = compared_column(looking, node);
    struct texts same;
    if (!column) {
        return true;
    }
    variants_of(run, column, node->children[PAIR_RIGHT]->text, &same);
    if (same.count < 2) {
        return true;
    }
    if (looking->change) {
        node->children[PAIR_LEFT] =
            call_of(run->scratch, "LOWER",
                    call_of(run->scratch, "TRIM", node->children[PAIR_LEFT]));
        node->children[PAIR_RIGHT]->text =
            plain(run->scratch, node->children[PAIR_RIGHT]->text);
        looking->changed = true;
    }
    run_warn(run,
             looking->change ? "%s: %s were taken as one."
                             : "%s has %s: only one of them is asked for.",
             column->name, str_join(run->scratch, &same, ", "));
    return false;
}

void counting_join_variants(struct run *run)
{
    struct counting_sql read;
    size_t warnings = run->answer.warnings.count;
    if (!compares_texts(run) || !counting_sql_anew(run, &read)) {
        return;
    }
    struct looking looking = {.run = run, .resolved = read.resolved, .change = true};
    sql_walk(read.statement.root, look_at, &looking);
    const char *sql =
        looking.changed
            ? counting_accepted(run,
                                sql_statement_print(run->scratch, read.statement.dialect,
                                                    read.statement.root))
            : NULL;
    run->answer.sql = sql ? sql : run->answer.sql;
    run->answer.warnings.count = sql ? run->answer.warnings.count : warnings;
}

void counting_tell_variants(struct run *run)
{
    struct counting_sql read;
    if (!counting_sql(run, &read)) {
        return;
    }
    struct looking looking = {.run = run, .resolved = read.resolved};
    if (run->request.given_sql) {
        sql_walk((struct sql_node *)read.statement.root, look_at, &looking);
    }
    for (size_t i = 0; i < read.resolved->scopes.count; i++) {
        const struct sql_node *select = read.resolved->scopes.items[i]->node;
        const struct sql_node *group =
            sql_is(select, SQL_SELECT) ? select->children[SELECT_GROUP] : NULL;
        for (size_t k = 0; group && k < group->count; k++) {
            struct texts same;
            const struct column *column = text_column(&looking, group->children[k]);
            if (column) {
                variants_of(run, column, NULL, &same);
            }
            if (column && same.count > 1) {
                run_warn(run,
                         "%s has %s, which are counted apart; LOWER(TRIM(%s)) would make "
                         "them one.",
                         column->name, str_join(run->scratch, &same, ", "), column->name);
            }
        }
    }
}
