/*
 * Reads JSON in place, without a tree or memory, for streams that send a document for
 * every few letters. Anything unusual sets `bad`; then the caller uses a full parser.
 */
#ifndef DGM_LLM_CURSOR_H
#define DGM_LLM_CURSOR_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct llm_said;

struct cursor {
    const char *at;
    const char *end;
    bool bad;
};

/* Steps over the character (after space) when it is the next one. */
bool cursor_take(struct cursor *cursor, char c);
/* Inside an object, first or after a value: the next key, or false at its end. */
bool cursor_key(struct cursor *cursor, const char **key, size_t *size);
bool cursor_key_is(const char *key, size_t size, const char *name);
void cursor_skip(struct cursor *cursor); /* any value */
/* Appends a string's text; false when the value is no string (it is not stepped over). */
bool cursor_text(struct cursor *cursor, struct buf *out);
int cursor_count(struct cursor *cursor, int otherwise); /* a number of things */
bool cursor_done(struct cursor *cursor); /* all read, and well-formed so far */

/*
 * Parses a piece of an OpenAI stream; false and no change if it is not a plain one.
 */
bool openai_quick(struct llm_said *said, const char *data, size_t size);

#endif
