/* The readers behind reply_read, one per form in which models write. */
#ifndef DGM_LLM_REPLY_H
#define DGM_LLM_REPLY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"

struct arena;

/* A stretch of the reply, not NUL-ended. */
struct span {
    const char *at;
    size_t size;
};

struct span span_trim(struct span span);
bool span_starts_nocase(struct span span, const char *prefix);
/* The next line (without its end); rest moves past it. False at the end. */
bool span_line(struct span *rest, struct span *line);

/* All readers give NULL when the form is not there. */

/* One JSON document, with the slips that models make mended: raw line breaks in strings,
 * commas too many, comments, escapes that do not exist. */
json_t *reply_json(struct arena *arena, struct span text);
/* The first object or list in the text that is one; `accept` says which will do. */
json_t *reply_json_inside(struct arena *arena, struct span text,
                          json_t *(*accept)(json_t *value, const char *const *wanted),
                          const char *const *wanted);
json_t *reply_yaml(struct arena *arena, struct span text);
/* "sql: SELECT …" and "explanation: …" lines, as {"sql": …, "explanation": …}. */
json_t *reply_labels(struct arena *arena, struct span text, const char *const *wanted);
/* A bare statement, as {"sql": …}. */
json_t *reply_sql(struct arena *arena, struct span text);
json_t *reply_sql_object(struct arena *arena, struct span sql);

#endif
