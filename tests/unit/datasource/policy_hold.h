/* Statements against a datasource under a policy and the same one without: nothing
 * planted may come out of the first, and most of it out of the second. */
#ifndef DGM_TESTS_POLICY_HOLD_H
#define DGM_TESTS_POLICY_HOLD_H

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "datasource/datasource.h"
#include "policy_bench.h"

enum { POLICY_SEEN_MOST = 1 << 20 };

#define POLICY_COUNT(array) (sizeof(array) / sizeof *(array))

struct policy_trial {
    struct datasource *source; /* under the policy */
    const struct schema *schema;
    struct datasource *open; /* without */
    size_t tried;
    size_t ran;
    size_t told; /* without the policy */
};

/* Everything that comes back: names, cells, or the whole of the error. */
static inline bool policy_ask(struct datasource *source, const struct schema *schema,
                              const char *sql, struct buf *seen, struct err *err)
{
    struct arena *arena = arena_new();
    struct rows rows;
    rows_init(&rows, arena);
    err_clear(err);
    bool ok = datasource_execute(source, sql, schema, NULL, &rows, err);
    for (size_t i = 0; ok && i < rows.column_count; i++) {
        (void)buf_format(seen, "%s|", rows.columns[i].name);
    }
    for (size_t i = 0; ok && i < rows.count; i++) {
        (void)buf_char(seen, '\n');
        for (size_t k = 0; k < rows.column_count; k++) {
            value_print(seen, rows_cell(&rows, i, k));
            (void)buf_char(seen, '|');
        }
    }
    if (!ok) {
        (void)buf_format(seen, "%s %s %s", err->message, err->detail, err->hint);
    }
    arena_free(arena);
    return ok;
}

static inline bool policy_tells(const char *text, const char *sql)
{
    /* a statement's own words may come back in a message about it */
    return (strstr(text, "CANARY") && !strstr(sql, "CANARY")) ||
           (strstr(text, "98765") && !strstr(sql, "98765"));
}

static inline void policy_hold(struct policy_trial *trial, const char *sql)
{
    struct buf seen;
    struct err err;
    buf_init(&seen, POLICY_SEEN_MOST);
    trial->tried++;
    bool ok = policy_ask(trial->source, trial->schema, sql, &seen, &err);
    trial->ran += ok;
    if (policy_tells(buf_get(&seen), sql)) {
        fail_msg("%s\n gave\n%s", sql, buf_get(&seen));
    }
    if (!ok && err.code != ERR_INVALID_SQL && err.code != ERR_UNSAFE) {
        fail_msg("%s\n failed: %s (%s)", sql, err.message, err.detail);
    }
    err_clear(&err);
    if (!datasource_check(trial->source, sql, NULL, &err) &&
        (policy_tells(err.message, sql) || policy_tells(err.detail, sql))) {
        fail_msg("%s\n checked: %s (%s)", sql, err.message, err.detail);
    }
    buf_clear(&seen);
    (void)policy_ask(trial->open, NULL, sql, &seen, &err);
    trial->told += policy_tells(buf_get(&seen), sql);
    buf_release(&seen);
}

/* R and A of a form: how a table is named in FROM, and what it is called then. */
static inline const char *policy_form(struct arena *arena, const char *form,
                                      const struct policy_relation *relation)
{
    struct buf buf;
    buf_init(&buf, POLICY_SEEN_MOST);
    for (const char *at = form; *at; at++) {
        bool alone = (at == form || !strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ_", at[-1])) &&
                     !strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ_", at[1] ? at[1] : ' ');
        if (*at == 'R' && alone) {
            (void)buf_text(&buf, relation->from);
        } else if (*at == 'A' && alone) {
            (void)buf_text(&buf, relation->alias);
        } else {
            (void)buf_char(&buf, *at);
        }
    }
    const char *text = buf_clone(&buf, arena);
    buf_release(&buf);
    return text;
}

#endif
