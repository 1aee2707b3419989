/* Conditions of a policy: read, checked, and put together. */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "sql/narrow/narrow_state.h"

char *narrow_quoted(struct arena *arena, enum dialect dialect, const char *name,
                    bool qualified)
{
    struct buf buf;
    buf_init(&buf, NARROW_SQL_MOST);
    dialect_quote(&buf, dialect, name, qualified);
    char *text = buf_clone(&buf, arena);
    buf_release(&buf);
    return text;
}

char *narrow_literal(struct arena *arena, enum dialect dialect, const char *text)
{
    const struct dialect_info *info = dialect_get(dialect);
    struct buf buf;
    buf_init(&buf, NARROW_SQL_MOST);
    (void)buf_char(&buf, '\'');
    for (; *text; text++) {
        if (*text == '\\' && info->backslash_escapes) {
            (void)buf_text(&buf, "\\\\");
        } else if (*text == '\'') {
            /* doubling is no escape in BigQuery, and a backslash none elsewhere */
            (void)buf_text(&buf, dialect == DIALECT_BIGQUERY ? "\\'" : "''");
        } else {
            (void)buf_char(&buf, *text);
        }
    }
    (void)buf_char(&buf, '\'');
    char *literal = buf_clone(&buf, arena);
    buf_release(&buf);
    return literal;
}

const char *narrow_condition(struct arena *arena, enum dialect dialect,
                             const struct narrow_rules *rules, const struct table *table)
{
    struct texts conditions = {0};
    const char *all = NULL;
    policy_filters_of(rules->policy, table, arena, &conditions);
    for (size_t i = 0; i < conditions.count; i++) {
        /* on lines of its own: it may hold a comment */
        const char *one = narrow_fill(arena, dialect, rules, conditions.items[i]);
        all = all ? arena_format(arena, "%s AND (%s)", all, one)
                  : arena_format(arena, "(%s)", one);
    }
    return all;
}

/* Is it one condition, with every parenthesis its own? */
static bool whole(struct arena *arena, enum dialect dialect, const char *condition)
{
    struct tokens tokens = {0};
    int depth = 0;
    lexer_run(arena, dialect, condition, strlen(condition), &tokens);
    for (size_t i = 0; i < tokens.count && depth >= 0; i++) {
        depth += token_is_punct(&tokens.items[i], "(");
        depth -= token_is_punct(&tokens.items[i], ")");
        if (tokens.items[i].kind == TOKEN_BAD || token_is_punct(&tokens.items[i], ";")) {
            return false;
        }
    }
    return depth == 0 && tokens.count > 0;
}

static bool check_one(struct arena *arena, enum dialect dialect,
                      const struct policy_filter *filter, struct err *err)
{
    struct guard_result guard = {0};
    const char *condition = narrow_fill_any(arena, dialect, filter->predicate);
    const char *sql =
        arena_format(arena, "SELECT 1 FROM dragoman_table WHERE (%s)", condition);
    guard_check(arena, dialect, sql, strlen(sql), NULL, &guard);
    if (whole(arena, dialect, condition) && guard.verdict == GUARD_READ) {
        return true;
    }
    (void)err_set(err, ERR_CONFIG,
                  "The condition on the rows of '%.80s' in the policy cannot be used.",
                  filter->table);
    return str_empty(guard.reason) ? false : err_detail(err, "%s", guard.reason);
}

bool narrow_check(struct arena *arena, enum dialect dialect,
                  const struct narrow_rules *rules, struct err *err)
{
    for (const struct policy *policy = rules->policy; policy; policy = policy->outer) {
        for (size_t i = 0; i < policy->filters.count; i++) {
            if (!check_one(arena, dialect, &policy->filters.items[i], err)) {
                return false;
            }
        }
    }
    return true;
}

void narrow_condition_tables(struct arena *arena, enum dialect dialect,
                             const char *condition, struct texts *out)
{
    struct guard_result guard = {0};
    const char *sql =
        arena_format(arena, "SELECT 1 FROM dragoman_table WHERE %s", condition);
    guard_check(arena, dialect, sql, strlen(sql), NULL, &guard);
    for (size_t i = 0; i < guard.places.count; i++) {
        if (!str_equal(guard.places.items[i].name, "dragoman_table")) {
            VEC_PUSH(arena, out, guard.places.items[i].alias);
            const char *dot = strrchr(guard.places.items[i].name, '.');
            VEC_PUSH(arena, out, dot ? dot + 1 : guard.places.items[i].name);
        }
    }
}

bool narrow_condition_names(struct arena *arena, enum dialect dialect,
                            const char *condition, const char *name)
{
    struct tokens tokens = {0};
    lexer_run(arena, dialect, condition, strlen(condition), &tokens);
    for (size_t i = 0; i < tokens.count; i++) {
        if ((tokens.items[i].kind == TOKEN_WORD || tokens.items[i].kind == TOKEN_NAME) &&
            str_equal_nocase(tokens.items[i].text, name)) {
            return true;
        }
    }
    return false;
}
