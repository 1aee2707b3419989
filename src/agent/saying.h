/* Cleans texts that a model wrote for people: plain text of bounded length, without links
 * or HTML. */
#ifndef DGM_AGENT_SAYING_H
#define DGM_AGENT_SAYING_H

#include <stddef.h>

struct arena;

enum {
    SAYING_MOST = 4000,      /* bytes of an explanation, a reply, a clarifying question */
    SAYING_SHORT_MOST = 400, /* of an option, a reason, a step */
};

/*
 * The cleaned text in the arena, at most `most` bytes. A page that renders Markdown would
 * load an image whose address can contain what the model has seen. So links keep only
 * their text, other addresses (also of mail) are removed unless `asked` (the user's words,
 * or NULL) contains them, no definition of a link can begin, HTML is escaped, and invisible
 * characters, entities and backslashes before signs are removed.
 */
char *saying_clean(struct arena *arena, const char *text, size_t most, const char *asked);

/* saying_plain.c: without hidden characters, entities of ASCII, and backslashes that a
 * Markdown reader would remove. */
const char *saying_plain(struct arena *arena, const char *text);
/* The size of an entity ("&#64;") at the start of the text; 0: there is none. */
size_t saying_entity(const char *text);

#endif
