/* Finds a keyword by halving the sorted table. */
#include "sql/keyword.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 24 };

static const struct {
    const char *text;
    bool reserved;
} keywords[KEYWORD_COUNT] = {
    {"", false},
#define RESERVED(word) {#word, true},
#define WORD(word)     {#word, false},
#include "sql/keywords.def"
#undef RESERVED
#undef WORD
};

enum keyword keyword_find(const char *word, size_t size)
{
    char folded[LONGEST + 1];
    if (size < 2 || size > LONGEST) {
        return KEYWORD_NONE;
    }
    for (size_t i = 0; i < size; i++) {
        folded[i] = (char)tolower((unsigned char)word[i]);
    }
    folded[size] = '\0';
    size_t low = 1;
    size_t high = KEYWORD_COUNT;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *text = keywords[middle].text;
        int order = folded[0] != text[0] ? folded[0] - text[0] : strcmp(folded, text);
        if (order == 0) {
            return (enum keyword)middle;
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return KEYWORD_NONE;
}

const char *keyword_text(enum keyword keyword)
{
    return (unsigned)keyword < KEYWORD_COUNT ? keywords[keyword].text : "";
}

bool keyword_reserved(enum keyword keyword)
{
    return (unsigned)keyword < KEYWORD_COUNT && keywords[keyword].reserved;
}
