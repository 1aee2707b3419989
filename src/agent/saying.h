/* What a model says to people: plain words of bounded length, nothing in them is live. */
#ifndef DGM_AGENT_SAYING_H
#define DGM_AGENT_SAYING_H

#include <stddef.h>

struct arena;

enum {
    SAYING_MOST = 4000,      /* bytes of an explanation, a reply, a clarifying question */
    SAYING_SHORT_MOST = 400, /* of an option, a reason, a step */
};

/*
 * The text in the arena, cut to `most` bytes. A page that shows Markdown would fetch a
 * picture whose address carries what the model has seen, so links keep their words
 * alone, other addresses are taken out unless `asked` (the user's words, or NULL) holds
 * them, and no HTML begins. Characters that nobody sees go as well.
 */
char *saying_clean(struct arena *arena, const char *text, size_t most, const char *asked);

#endif
