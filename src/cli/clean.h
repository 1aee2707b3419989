/* Makes foreign text safe for a terminal: it cannot move the cursor or change colours. */
#ifndef DGM_CLI_CLEAN_H
#define DGM_CLI_CLEAN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

enum clean_mode {
    CLEAN_ONE_LINE,   /* newlines and tabs become signs: for cells */
    CLEAN_KEEP_LINES, /* newlines stay, tabs become spaces: for paragraphs */
    CLEAN_EXACT, /* only what a terminal would obey is replaced: for csv and markdown */
};

/* Returns data itself when there is nothing to do. utf8: signs may be more than ASCII. */
const char *clean_text(struct arena *arena, const char *data, size_t size,
                       enum clean_mode mode, bool utf8, size_t *clean_size);

#endif
