/* The parsers behind reply_read, one for each form in which models reply. */
#ifndef DGM_LLM_REPLY_H
#define DGM_LLM_REPLY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"

struct arena;

/* A part of the reply, not NUL-ended. */
struct span {
    const char *at;
    size_t size;
};

struct span span_trim(struct span span);
bool span_starts_nocase(struct span span, const char *prefix);
/* The next line (without its end); rest moves past it. False at the end. */
bool span_line(struct span *rest, struct span *line);

/* All parsers return NULL if the text is not of their form. */

/* A JSON document, tolerating typical errors of models: raw line breaks in strings, extra
 * commas, comments, invalid escapes. */
json_t *reply_json(struct arena *arena, struct span text);
/* The first JSON object or list within the text that `accept` accepts. */
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
