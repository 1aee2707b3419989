/* Writes under a policy: only columns that are visible and not masked, and only rows
 * that are visible. */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "sql/narrow/narrow_state.h"

static bool refuse(struct narrowing *work, long position, const char *format,
                   const char *name) __attribute__((format(printf, 3, 0)));

static bool refuse(struct narrowing *work, long position, const char *format,
                   const char *name)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    (void)err_set(work->err, ERR_UNSAFE, format, name);
#pragma GCC diagnostic pop
    work->err->position = (int)position;
    return false;
}

/* A name of a hidden or masked column anywhere in the statement: whatever it stands for
 * there, it is not worth the risk. The same for the row as a whole. */
static bool names_hold(struct narrowing *work, const struct guard_place *target)
{
    for (size_t i = 0; i < work->statement.tokens.count; i++) {
        const struct token *token = &work->statement.tokens.items[i];
        if ((token->kind != TOKEN_WORD && token->kind != TOKEN_NAME) ||
            (token->start >= target->start && token->start < target->end)) {
            continue;
        }
        enum policy_mask mask =
            policy_mask_of(work->rules->policy, target->table, token->text);
        if (mask == POLICY_MASK_DENIED) {
            (void)refuse(work, (long)token->start, "Column '%.80s' does not exist.",
                         token->text);
            work->err->code = ERR_INVALID_SQL;
            return false;
        }
        if (mask != POLICY_MASK_NONE) {
            return refuse(work, (long)token->start,
                          "Column '%.80s' is masked: a write cannot use it.",
                          token->text);
        }
        bool itself = str_equal_nocase(token->text, target->alias) ||
                      str_equal_nocase(token->text, target->table->bare_name);
        if (itself &&
            (!token_is_punct(token + 1, ".") || token_is_punct(token + 2, "*"))) {
            return refuse(work, (long)token->start,
                          "A write cannot use '%.80s' as a whole row.", token->text);
        }
    }
    return true;
}

/* A row must not be moved out of sight, nor another one be taken into it. */
static bool keeps_in_sight(struct narrowing *work, const char *condition)
{
    const struct sql_node *root = work->statement.root;
    const struct sql_node *list =
        root->kind == SQL_UPDATE ? root->children[UPDATE_ASSIGNMENTS] : NULL;
    for (size_t i = 0; list && i < list->count; i++) {
        const struct sql_node *column = list->children[i]->children[PAIR_LEFT];
        if (narrow_condition_names(work->arena, work->dialect, condition, column->text)) {
            return refuse(work, column->start,
                          "The policy does not let '%.80s' be changed: it decides which "
                          "rows are seen.",
                          column->text);
        }
    }
    return true;
}

static void add_condition(struct narrowing *work, const char *condition)
{
    int depth = 0;
    size_t end = work->statement.tokens.items[work->statement.tokens.count - 1].end;
    for (size_t i = 0; i < work->statement.tokens.count; i++) {
        const struct token *token = &work->statement.tokens.items[i];
        depth += token_is_punct(token, "(") - token_is_punct(token, ")");
        if (depth == 0 && token->keyword == KEYWORD_where) {
            narrow_add(work, token->end, token->end,
                       arena_format(work->arena, " %s AND (", condition));
            narrow_add(work, end, end, ")");
            return;
        }
    }
    narrow_add(work, end, end, arena_format(work->arena, " WHERE %s", condition));
}

bool narrow_write(struct narrowing *work, const struct guard_place *target)
{
    const struct table *table = target->table;
    narrow_add(work, target->name_start, target->name_end,
               narrow_quoted(work->arena, work->dialect, table->name, true));
    if (!policy_touches(work->rules->policy, table)) {
        return true;
    }
    bool insert = work->statement.root->kind == SQL_INSERT;
    const char *condition =
        narrow_condition(work->arena, work->dialect, work->rules, table);
    if (insert && condition) {
        return refuse(work, -1,
                      "The policy shows only some rows of '%.80s', so none can be added.",
                      table->name);
    }
    /* INSERT INTO t VALUES (…) fills every column, the hidden ones too */
    if (insert && !work->statement.root->children[INSERT_COLUMNS]) {
        return refuse(work, -1, "Name the columns of '%.80s' that are filled.",
                      table->name);
    }
    if (!names_hold(work, target)) {
        return false;
    }
    work->out->changed = true;
    if (!condition) {
        return true;
    }
    if (!keeps_in_sight(work, condition)) {
        return false;
    }
    add_condition(work, condition);
    VEC_PUSH(work->arena, &work->out->filtered, table->name);
    VEC_PUSH(work->arena, &work->out->hidden, condition);
    return true;
}
