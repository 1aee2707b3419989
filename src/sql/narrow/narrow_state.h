/* Inside of narrowing: what its files share. */
#ifndef DGM_SQL_NARROW_STATE_H
#define DGM_SQL_NARROW_STATE_H

#include "base/buf.h"
#include "model/policy.h"
#include "model/schema.h"
#include "sql/narrow/narrow.h"
#include "sql/statement.h"

enum { NARROW_SQL_MOST = 1 << 20 };

/* Puts `text` in the place of the bytes from start to end. */
struct narrow_edit {
    size_t start;
    size_t end;
    const char *text;
    const char *shown; /* the same for the guard, which knows no masks; or NULL */
};

struct narrow_edits {
    struct narrow_edit *items;
    size_t count;
    size_t capacity;
};

/*
 * One statement on which a policy is applied. The edits are collected first and applied
 * together, so that each table is replaced exactly once.
 */
struct narrowing {
    struct arena *arena;
    enum dialect dialect;
    const char *sql;
    const struct guard_result *guard;
    const struct narrow_rules *rules;
    struct sql_statement statement;
    struct narrow_edits edits;
    struct narrow_result *out;
    bool fence; /* nothing of the statement may be computed before the condition */
    struct err *err;
};

/* narrow_condition.c */
/* The conditions on a table as one, filled in; NULL when there are none. */
const char *narrow_condition(struct arena *arena, enum dialect dialect,
                             const struct narrow_rules *rules, const struct table *table);
/* Does a condition read other tables, and which? Names as written. */
void narrow_condition_tables(struct arena *arena, enum dialect dialect,
                             const char *condition, struct texts *out);
bool narrow_condition_names(struct arena *arena, enum dialect dialect,
                            const char *condition, const char *name);
char *narrow_quoted(struct arena *arena, enum dialect dialect, const char *name,
                    bool qualified);
char *narrow_literal(struct arena *arena, enum dialect dialect, const char *text);

/* narrow_fill.c */
/* The condition of a policy for this caller: :account and {claim.NAME} as literals,
 * without comments around it. If a claim is missing, a condition that is never true. */
const char *narrow_fill(struct arena *arena, enum dialect dialect,
                        const struct narrow_rules *rules, const char *condition);
/* The same with a text for each of them, to check the condition itself. */
const char *narrow_fill_any(struct arena *arena, enum dialect dialect,
                            const char *condition);

/* narrow_names.c: names for expressions whose text will hold what nobody may see. */
void narrow_names(struct narrowing *work);

/* narrow_mask.c */
/* What stands in the select list for a masked column. */
char *narrow_mask(struct arena *arena, enum dialect dialect, enum policy_mask mask,
                  const char *column, const char *key);
const char *narrow_mask_type(enum dialect dialect, enum policy_mask mask,
                             const char *type);

/* narrow_calm.c */
/* Can nothing in this part of a statement fail on a row? */
bool narrow_is_calm(const struct sql_node *node);

/* narrow_write.c */
bool narrow_write(struct narrowing *work, const struct guard_place *target);

void narrow_add(struct narrowing *work, size_t start, size_t end, const char *text);

#endif
