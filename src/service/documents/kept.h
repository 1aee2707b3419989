/*
 * A kept answer: what is needed to show one answer again, or to ask its question again, as one JSON
 * object (docs/api.md, "A kept answer"). Exports, links and whatever pins answers use this object.
 */
#ifndef DGM_SERVICE_KEPT_H
#define DGM_SERVICE_KEPT_H

#include <stdint.h>

#include "base/json.h"
#include "service/instance.h"

struct buf;
struct stored;

struct kept_limits {
    int64_t rows;
    int64_t bytes; /* of the rows as JSON */
};

/* The limits of an exported file. */
struct kept_limits kept_limits_of(const struct options *options);
/* chart: a kind of chart, "none", or NULL for the recommended one. The answer must be finished. The
 * tree belongs to the arena. NULL: err says why. */
json_t *kept_answer(struct dgm *dgm, struct arena *arena, const struct stored *stored,
                    const char *chart, const struct kept_limits *limits, struct err *err);
/* A kept answer as an HTML page. */
bool kept_page(struct arena *arena, const json_t *kept, struct buf *out, struct err *err);
/* {version, title, made_at, answers}: takes over `answers`, an array of kept answers. */
json_t *kept_document(struct arena *arena, const char *title, json_t *answers);

#endif
