/*
 * PostgreSQL's own parser (libpg_query), loaded when it is first needed. It has traps:
 * deep input overflows small stacks, so it runs on a thread of its own with a large one,
 * and on text of bounded size.
 */
#ifndef DGM_SQL_PG_PARSER_H
#define DGM_SQL_PG_PARSER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"

enum { PG_PARSER_MAX_BYTES = 32768 };

/* What it says about a text, as long as the call to `judge` lasts. */
struct pg_parse {
    json_t *tree;        /* NULL: it is not SQL for it */
    const char *message; /* why not */
    int position;        /* in characters, from 1; 0: not known */
};

/* False when the library is not on this machine or not in this build. */
bool pg_parser_available(void);
/* Parses and calls `judge` on the large stack. False when that could not be done, which
 * says nothing about the text. `sql` holds no zero byte. */
bool pg_parser_run(const char *sql, void (*judge)(void *context, const struct pg_parse *),
                   void *context);

#endif
