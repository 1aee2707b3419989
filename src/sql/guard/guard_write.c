/* INSERT, UPDATE and DELETE of the plain form: one table, no tricks. */
#include "sql/guard/guard_state.h"

static bool refuse_form(struct guard *guard)
{
    if (guard->at->kind == TOKEN_END) {
        return guard_unexpected(guard);
    }
    return guard_refuse(
        guard, guard->at,
        "Only plain INSERT, UPDATE and DELETE can be approved: '%.60s' is "
        "not part of them.",
        guard->at->text);
}

static bool value(struct guard *guard)
{
    return guard_take_text(guard, "default") || guard_expression(guard);
}

static bool insert_rows(struct guard *guard)
{
    guard->at++;
    do {
        if (!guard_expect_char(guard, '(')) {
            return false;
        }
        do {
            if (!value(guard)) {
                return false;
            }
        } while (guard_take_char(guard, ','));
        if (!guard_expect_char(guard, ')')) {
            return false;
        }
    } while (guard_take_char(guard, ','));
    return true;
}

static bool column_names(struct guard *guard)
{
    guard->at++;
    do {
        if (!guard_at_name(guard)) {
            return guard_unexpected(guard);
        }
        const struct token *column = guard->at++;
        guard_reference(guard, &column, 1);
    } while (guard_take_char(guard, ','));
    return guard_expect_char(guard, ')');
}

static bool insert(struct guard *guard)
{
    if (!guard_take(guard, KEYWORD_into)) {
        return refuse_form(guard);
    }
    if (!guard_relation(guard, true)) {
        return false;
    }
    if (guard_at_char(guard, '(') && !token_is_punct(guard->at + 1, "(") &&
        guard->at[1].keyword != KEYWORD_select && guard->at[1].keyword != KEYWORD_with) {
        if (!column_names(guard)) {
            return false;
        }
    }
    if (guard_at(guard, KEYWORD_values)) {
        return insert_rows(guard);
    }
    return guard_at(guard, KEYWORD_select) ? guard_query(guard) : refuse_form(guard);
}

static bool where(struct guard *guard)
{
    return !guard_take(guard, KEYWORD_where) || guard_expression(guard);
}

static bool update(struct guard *guard)
{
    if (!guard_relation(guard, true)) {
        return false;
    }
    if (!guard_take(guard, KEYWORD_set)) {
        return refuse_form(guard);
    }
    do {
        if (!guard_at_name(guard)) {
            return refuse_form(guard);
        }
        const struct token *column = guard->at++;
        guard_reference(guard, &column, 1);
        if (!guard_take_char(guard, '=')) {
            return refuse_form(guard);
        }
        if (!value(guard)) {
            return false;
        }
    } while (guard_take_char(guard, ','));
    return where(guard);
}

static bool delete (struct guard *guard)
{
    if (!guard_take(guard, KEYWORD_from)) {
        return refuse_form(guard);
    }
    return guard_relation(guard, true) && where(guard);
}

bool guard_write(struct guard *guard)
{
    struct guard_scope scope;
    guard_scope_open(guard, &scope);
    enum keyword kind = guard->at->keyword;
    guard->at++;
    bool ok = kind == KEYWORD_insert   ? insert(guard)
              : kind == KEYWORD_update ? update(guard)
                                       : delete (guard);
    if (!ok) {
        return false;
    }
    if (guard->at->kind != TOKEN_END) {
        return refuse_form(guard);
    }
    guard_scope_close(guard);
    return true;
}
