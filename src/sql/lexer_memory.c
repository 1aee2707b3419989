/* The last few texts that this thread read, with their tokens. */
#include "sql/lexer_memory.h"

#include <stdint.h>
#include <string.h>

#include "base/arena.h"

enum {
    TEXTS = 4, /* as it was written, with a LIMIT, with one more, and one besides */
    TEXT_MOST = 400,
    TOKENS_MOST = 96, /* with the ends */
    WORDS_MOST = 1024 /* bytes of all tokens' texts */
};

struct remembered {
    size_t size; /* of the text; 0: nothing here */
    enum dialect dialect;
    size_t count; /* of the tokens, without the ends */
    size_t words_size;
    char text[TEXT_MOST];
    struct token tokens[TOKENS_MOST];
    uint16_t at[TOKENS_MOST]; /* where each token's text begins among the words */
    char words[WORDS_MOST];
};

static _Thread_local struct remembered memory[TEXTS];
static _Thread_local size_t oldest;

bool lexer_recall(struct arena *arena, enum dialect dialect, const char *sql, size_t size,
                  struct tokens *out)
{
    for (size_t i = 0; i < TEXTS; i++) {
        const struct remembered *one = &memory[i];
        if (size == 0 || one->size != size || one->dialect != dialect ||
            memcmp(one->text, sql, size) != 0) {
            continue;
        }
        size_t all = one->count + LEXER_ENDS;
        const char *words = arena_copy(arena, one->words, one->words_size);
        out->items = (void *)arena_copy(arena, one->tokens, all * sizeof *out->items);
        out->count = one->count;
        out->capacity = all;
        for (size_t t = 0; t < all; t++) {
            out->items[t].text = words + one->at[t];
        }
        return true;
    }
    return false;
}

void lexer_remember(enum dialect dialect, const char *sql, size_t size,
                    const struct tokens *tokens)
{
    size_t all = tokens->count + LEXER_ENDS;
    if (size == 0 || size > TEXT_MOST || all > TOKENS_MOST) {
        return;
    }
    struct remembered *one = &memory[oldest];
    one->size = 0; /* until all of it is here */
    size_t used = 0;
    for (size_t t = 0; t < all; t++) {
        size_t length = strlen(tokens->items[t].text) + 1;
        if (length > WORDS_MOST - used) {
            return;
        }
        memcpy(one->words + used, tokens->items[t].text, length);
        one->at[t] = (uint16_t)used;
        used += length;
    }
    memcpy(one->text, sql, size);
    memcpy(one->tokens, tokens->items, all * sizeof *one->tokens);
    one->words_size = used;
    one->count = tokens->count;
    one->dialect = dialect;
    one->size = size;
    oldest = (oldest + 1) % TEXTS;
}
