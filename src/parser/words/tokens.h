/*
 * A question as tokens: numbers, words, single other characters; a quoted span is a
 * quote, what is inside, and a quote. Offsets lead back to the text, where values keep
 * their spelling.
 */
#ifndef DGM_PARSER_TOKENS_H
#define DGM_PARSER_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

enum { TOKENS_MAX = 200 };

enum token_kind { TOKEN_WORD, TOKEN_NUMBER, TOKEN_MARK, TOKEN_QUOTE };

struct token {
    const char *text; /* folded: lower case, no accents */
    const char *stem; /* of a word; otherwise the text */
    uint32_t start;   /* bytes in the tokens' text */
    uint32_t end;
    enum token_kind kind;
    bool capital; /* its first letter is one */
    bool upper;   /* so is every other */
    bool quoted;
};

struct tokens {
    struct token *items;
    size_t count;
    size_t capacity;
    const char *text; /* the question with plain quotes and without control characters */
    bool cut;         /* the question has more tokens than these */
};

/* Any bytes will do. Everything lives in the arena. */
void tokens_split(struct arena *arena, const char *question, struct tokens *out);
/* Words that name nothing: "the", "of", "how". Folded. */
bool token_is_common(const char *word);
/* Those of them that are in many names all the same: "name", "number", "total". */
bool token_is_naming(const char *word);
/* Those and every other word of grammar: "without", "they", "nor". */
bool token_is_grammar(const char *word);

/* Is it one of these? They are in order. */
bool token_is_among(const char *word, const char *const *sorted, size_t count);
/* How many tokens from here on are this phrase, written with blanks between them, and not
 * quoted; 0: they are not. */
size_t tokens_phrase(const struct tokens *tokens, size_t at, const char *phrase);

#endif
