/*
 * Phrases of periods that the network does not know. Some say the same in other words ("before
 * the end of 2025" is until 2025), some have a usual meaning ("winter 2025" begins in December), and
 * some leave open which days are meant ("early 2026"). The network reads plain words instead
 * of them; whoever answers tells the usual meaning and asks about what is open.
 */
#ifndef DGM_PARSER_PERIODS_H
#define DGM_PARSER_PERIODS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

struct arena;
struct map;
struct tokens;
struct value_index;

enum period_kind { PERIOD_SAME, PERIOD_USUAL, PERIOD_OPEN };

struct period_phrase {
    enum period_kind kind;
    size_t first; /* tokens */
    size_t end;   /* token after the last */
    const char *plain;
    const char *meant;    /* PERIOD_USUAL: the meaning in words */
    const char *begins;   /* and its first day: 2025-12-01 */
    bool doubtful;        /* and others are used as well */
    struct texts choices; /* PERIOD_OPEN: what may stand in its place */
};

struct period_phrases {
    struct period_phrase *items;
    size_t count;
    size_t capacity;
};

struct periods_request {
    const struct tokens *tokens;
    const struct map *words; /* of the schema's names: "spring" may be one; or NULL */
    const struct value_index *index; /* cells: "Fall" may be one; or NULL */
    const char *today;               /* 2024-05-15, for choices; or NULL */
};

/* In the order of the question, without overlaps; in the arena. */
void periods_find(struct arena *arena, const struct periods_request *request,
                  struct period_phrases *out);
/* The question in plain words; NULL when nothing changes. */
const char *periods_write_out(struct arena *arena, const struct periods_request *request);

#endif
