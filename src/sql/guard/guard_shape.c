/* Tables made of others in FROM: PIVOT, UNPIVOT and JSON_TABLE. */
#include "sql/guard/guard_state.h"

static bool take_string(struct guard *guard)
{
    if (guard->at->kind != TOKEN_STRING) {
        return guard_unexpected(guard);
    }
    guard->at++;
    return true;
}

static bool take_name(struct guard *guard)
{
    if (!guard_at_name(guard)) {
        return guard_unexpected(guard);
    }
    guard->at++;
    return true;
}

/* expression [AS alias], … up to a word that is no part of them */
static bool named_expressions(struct guard *guard)
{
    do {
        if (!guard_expression(guard)) {
            return false;
        }
        if (guard_take(guard, KEYWORD_as) && guard->at->kind != TOKEN_STRING) {
            if (!take_name(guard)) {
                return false;
            }
        } else if (guard->at[-1].keyword == KEYWORD_as) {
            guard->at++; /* UNPIVOT … IN (price AS 'p') */
        } else if (guard_at_name(guard) && !guard_at(guard, KEYWORD_for)) {
            guard->at++;
        }
    } while (guard_take_char(guard, ','));
    return true;
}

/* FOR column IN (value [AS alias], …): written out, so that it is one statement. */
static bool for_values(struct guard *guard)
{
    if (!guard_take(guard, KEYWORD_for)) {
        return guard_unexpected(guard);
    }
    const struct token *column = guard->at;
    if (!take_name(guard)) {
        return false;
    }
    guard_reference(guard, &column, 1);
    if (!guard_take(guard, KEYWORD_in)) {
        return guard_unexpected(guard);
    }
    if (!guard_expect_char(guard, '(')) {
        return false;
    }
    if (guard_at_query(guard)) {
        return guard_unexpected(guard);
    }
    return named_expressions(guard) && guard_expect_char(guard, ')');
}

/* PIVOT (sum(x) [AS alias], … FOR column IN (…)) */
static bool pivot(struct guard *guard)
{
    guard->at++;
    if (!guard_expect_char(guard, '(') || !named_expressions(guard)) {
        return false;
    }
    do {
        if (!for_values(guard)) {
            return false;
        }
    } while (guard_at(guard, KEYWORD_for));
    return guard_expect_char(guard, ')');
}

/* UNPIVOT [INCLUDE NULLS] (value FOR name IN (column [AS alias], …)) */
static bool unpivot(struct guard *guard)
{
    guard->at++;
    if (guard_at_text(guard, "include") || guard_at(guard, KEYWORD_exclude)) {
        guard->at++;
        if (!guard_take(guard, KEYWORD_nulls)) {
            return guard_unexpected(guard);
        }
    }
    return guard_expect_char(guard, '(') && take_name(guard) && for_values(guard) &&
           guard_expect_char(guard, ')');
}

bool guard_pivots(struct guard *guard)
{
    while (guard_dialect(guard, "db") &&
           (guard_at(guard, KEYWORD_pivot) || guard_at(guard, KEYWORD_unpivot))) {
        /* its columns are made of values: names here may come from it */
        guard->unsure++;
        bool ok = guard_at(guard, KEYWORD_pivot) ? pivot(guard) : unpivot(guard);
        guard->unsure--;
        if (!ok) {
            return false;
        }
        const char *alias = NULL;
        if (guard_take(guard, KEYWORD_as) || guard_at_alias(guard)) {
            alias = guard->at->text;
            if (!take_name(guard)) {
                return false;
            }
        }
        guard_scope_relation(guard, &(struct guard_relation){.alias = alias});
    }
    return true;
}

/* [NULL | ERROR | DEFAULT 'x'] ON EMPTY, the same ON ERROR */
static bool json_fallbacks(struct guard *guard)
{
    while (guard_at(guard, KEYWORD_null) || guard_at_text(guard, "error") ||
           guard_at_text(guard, "default")) {
        bool text = guard_at_text(guard, "default");
        guard->at++;
        if (text && guard->at->kind == TOKEN_NUMBER) {
            guard->at++;
        } else if (text && !take_string(guard)) {
            return false;
        }
        if (!guard_take(guard, KEYWORD_on)) {
            return guard_unexpected(guard);
        }
        if (!guard_take_text(guard, "empty") && !guard_take_text(guard, "error")) {
            return guard_unexpected(guard);
        }
    }
    return true;
}

static bool json_columns(struct guard *guard);

static bool json_column(struct guard *guard)
{
    if (guard_at_text(guard, "nested")) {
        guard->at++;
        guard_take_text(guard, "path");
        return take_string(guard) && json_columns(guard);
    }
    if (!take_name(guard)) {
        return false;
    }
    if (guard_take(guard, KEYWORD_for)) {
        return guard_take(guard, KEYWORD_ordinality) || guard_unexpected(guard);
    }
    if (!guard_type(guard)) {
        return false;
    }
    guard_take(guard, KEYWORD_exists);
    if (!guard_take_text(guard, "path")) {
        return guard_unexpected(guard);
    }
    return take_string(guard) && json_fallbacks(guard);
}

/* COLUMNS (n FOR ORDINALITY, a INT PATH '$.a', NESTED PATH '$.b[*]' COLUMNS (…)) */
static bool json_columns(struct guard *guard)
{
    if (!guard_take(guard, KEYWORD_columns)) {
        return guard_unexpected(guard);
    }
    if (!guard_expect_char(guard, '(') || !guard_enter(guard)) {
        return false;
    }
    do {
        if (!json_column(guard)) {
            return false;
        }
    } while (guard_take_char(guard, ','));
    guard->depth--;
    return guard_expect_char(guard, ')');
}

bool guard_json_table(struct guard *guard)
{
    guard_note(guard, &guard->out->functions, "json_table");
    guard->at++;
    guard->unsure++; /* its document may be a column of a table before it */
    bool ok = guard_expression(guard) && guard_expect_char(guard, ',');
    guard->unsure--;
    return ok && take_string(guard) && json_columns(guard) &&
           guard_expect_char(guard, ')');
}
