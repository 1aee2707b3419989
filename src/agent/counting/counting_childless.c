/* Groups without anything to count: kept with 0 if each of them is asked about; otherwise
 * a warning. */
#include <string.h>

#include "agent/counting/counting_state.h"
#include "base/str.h"
#include "knowledge/words/words.h"
#include "sql/counting/childless.h"

enum { NOUN_WORDS = 3 }; /* "each of our owners" */

static bool is_any(const struct word *word, const char *const *list)
{
    for (; *list; list++) {
        if (word->size == strlen(*list) && str_starts_nocase(word->start, *list)) {
            return true;
        }
    }
    return false;
}

/* "for each owner", "per pet", "which technician": the word is followed by the name. */
static bool is_named_after(struct run *run, const struct table *table,
                           const char *const *openings)
{
    struct words words;
    struct word word;
    int near = 0;
    words_init(&words, run_question_text(run));
    while (words_next(&words, &word)) {
        if (near-- > 0 && counting_names_table(word.folded, table)) {
            return true;
        }
        near = is_any(&word, openings) ? NOUN_WORDS : near;
    }
    return false;
}

/* "per" and "by" often mean only groups that have any: these get a warning. */
static bool asks_for_each(struct run *run, const struct table *table)
{
    static const char *const each[] = {"each", "every", NULL};
    return is_named_after(run, table, each);
}

static bool asks_per(struct run *run, const struct table *table)
{
    static const char *const per[] = {"each", "every", "per", "a", "an", NULL};
    return is_named_after(run, table, per);
}

static bool asks_which(struct run *run, const struct table *table)
{
    static const char *const which[] = {"which", "what", "the",  "list",
                                        "show",  "name", "find", NULL};
    return is_named_after(run, table, which);
}

/* Does the question ask for a row per group, or can the answer be a group without
 * rows? */
static bool are_wanted(struct run *run, const struct childless *childless)
{
    const struct table *table = childless->parent->table;
    bool lowest = childless->first && childless->ascending;
    if (lowest || childless->below) {
        return childless->keyed || asks_which(run, table);
    }
    return !childless->first && asks_for_each(run, table);
}

/* The name of a table for people; with its namespace only if two have the same name. */
static const char *plain_name(struct run *run, const struct sql_relation *relation,
                              const struct sql_relation *other)
{
    bool same = !relation->table || !other->table ||
                str_equal_nocase(relation->table->bare_name, other->table->bare_name);
    return counting_in_words(run, same ? counting_table(relation)
                                       : relation->table->bare_name);
}

/* "2 of 6 owners have no pets"; NULL: all have some. False: cannot be measured. */
static bool measure(struct run *run, const struct childless *childless,
                    const char **sentence)
{
    struct rows rows;
    *sentence = NULL;
    if (!counting_measure(run, childless->count, 2, &rows) ||
        rows_cell(&rows, 0, 0)->kind != VALUE_INT ||
        rows_cell(&rows, 0, 1)->kind != VALUE_INT) {
        return false;
    }
    int64_t missing = rows_cell(&rows, 0, 1)->integer;
    if (missing > 0) {
        *sentence = arena_format(run->scratch, "%s of %s %s%s %s no %s%s",
                                 counting_number(run, rows_cell(&rows, 0, 1)),
                                 counting_number(run, rows_cell(&rows, 0, 0)),
                                 childless->keyed ? "" : "groups of ",
                                 plain_name(run, childless->parent, childless->counted),
                                 missing == 1 ? "has" : "have",
                                 childless->filtered ? "matching " : "",
                                 plain_name(run, childless->counted, childless->parent));
    }
    return true;
}

static bool asks_for_average(struct run *run)
{
    const char *text = run_question_text(run);
    return str_contains_nocase(text, "average") || str_contains_nocase(text, "avg") ||
           str_contains_nocase(text, "mean ");
}

/* The only figure of a query, in words; NULL: it cannot be measured. */
static const char *figure(struct run *run, const char *sql)
{
    struct rows rows;
    return counting_measure(run, sql, 1, &rows)
               ? counting_number(run, rows_cell(&rows, 0, 0))
               : NULL;
}

/* "Average number of pets per owner" */
static void divide_by_all(struct run *run)
{
    struct counting_sql read;
    const struct table *parent = NULL;
    const char *others = NULL;
    if (!asks_for_average(run) || !counting_sql_anew(run, &read)) {
        return;
    }
    const char *sql = childless_divide(run->scratch, &read.statement, read.resolved,
                                       run_schema(run), &parent, &others);
    sql = sql && asks_per(run, parent) ? counting_accepted(run, sql) : NULL;
    const char *before = sql ? figure(run, others) : NULL;
    const char *after = sql ? figure(run, sql) : NULL;
    if (!sql || (before && str_equal(before, after))) {
        return;
    }
    run_warn(run, "The average is over all rows of %s, also those without any%s%s.",
             parent->name, before ? "; over the others it is " : "",
             before ? before : "");
    run->answer.sql = sql;
}

/* Also where the SQL groups by a key and leaves the table that it refers to out. */
static bool find(struct run *run, struct childless *out)
{
    struct counting_sql read;
    if (!counting_sql(run, &read)) {
        return false;
    }
    if (childless_find(run->scratch, &read.statement, read.resolved, out)) {
        return true;
    }
    const char *joined =
        childless_is_joinable(&read.statement, read.resolved, run_schema(run)) &&
                counting_sql_anew(run, &read)
            ? childless_join(run->scratch, &read.statement, read.resolved,
                             run_schema(run))
            : NULL;
    enum dialect dialect = read.statement.dialect;
    return joined &&
           sql_statement_read(run->scratch, dialect, joined, strlen(joined),
                              &read.statement) &&
           childless_find(run->scratch, &read.statement,
                          sql_resolve(run->scratch, &read.statement, run_schema(run)),
                          out);
}

void counting_keep_childless(struct run *run)
{
    struct childless childless;
    const char *sentence;
    divide_by_all(run);
    if (!find(run, &childless) || !are_wanted(run, &childless)) {
        return;
    }
    bool measured = measure(run, &childless, &sentence);
    const char *sql =
        measured && !sentence ? NULL : counting_accepted(run, childless.kept);
    if (sql) {
        if (sentence) {
            run_warn(run, "%s; counted as 0.", sentence);
        }
        run->answer.sql = sql;
    }
}

void counting_tell_childless(struct run *run)
{
    struct childless childless;
    const char *sentence;
    if (run_has_own_sql(run) || !find(run, &childless) || !childless.keyed ||
        childless.first || childless.filtered) {
        return;
    }
    if (measure(run, &childless, &sentence) && sentence) {
        run_warn(run, "%s; not in the result.", sentence);
    }
}
