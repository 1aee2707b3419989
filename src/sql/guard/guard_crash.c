/*
 * Queries that end a MariaDB server for everybody. Each was found by running it; the
 * versions are those that were tried. Spelling and what the planner does with a query are
 * not certain here, so what could be one counts, wherever in the statement it stands.
 */
#include "sql/guard/guard_state.h"

#include "base/str.h"

/* MariaDB 10.11: a column of three names that is not found, beside NATURAL JOIN or USING.
 * Whether it would be found depends on spelling and on the name of the database. */
static bool long_name(struct guard *guard)
{
    const struct tokens *tokens = &guard->statement->tokens;
    bool merges = false;
    for (size_t i = 0; i < tokens->count && !merges; i++) {
        enum keyword keyword = tokens->items[i].keyword;
        merges = keyword == KEYWORD_natural || keyword == KEYWORD_using;
    }
    return merges && guard->long_name && guard_dialect(guard, "mo") &&
           !guard_refuse(guard, guard->long_name,
                         "Name the column with its table alone, as in table.column: a "
                         "longer name beside NATURAL JOIN or USING can bring MariaDB "
                         "down.");
}

/*
 * MariaDB 10.11.19: json_extract(…) <=> text in WHERE, ON or HAVING, when the first has
 * the same value for all rows: because it is a constant, or of a row found by its key. The
 * server keeps that value and then takes what keeps it for the call. An alias, a sign or a
 * subquery in between does not help; = and IN are another matter.
 */
static bool json_comparison(struct guard *guard)
{
    const struct tokens *tokens = &guard->statement->tokens;
    const struct texts *functions = &guard->out->functions;
    const struct token *found = NULL;
    bool called = false;
    for (size_t i = 0; i < functions->count && !called; i++) {
        called = str_equal_nocase(functions->items[i], "json_extract");
    }
    for (size_t i = 0; called && i < tokens->count && !found; i++) {
        found = token_is_punct(&tokens->items[i], "<=>") ? &tokens->items[i] : NULL;
    }
    return found && guard_dialect(guard, "m") &&
           !guard_refuse(guard, found,
                         "Write = or IS NULL: the operator <=> in a query with "
                         "json_extract() can bring MariaDB down.");
}

bool guard_crash(struct guard *guard)
{
    return long_name(guard) || json_comparison(guard);
}
