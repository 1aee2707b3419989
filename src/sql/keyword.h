/* The words the grammar knows, as numbers: one look-up per word instead of many compares.
 */
#ifndef DGM_SQL_KEYWORD_H
#define DGM_SQL_KEYWORD_H

#include <stdbool.h>
#include <stddef.h>

enum keyword {
    KEYWORD_NONE,
#define RESERVED(word) KEYWORD_##word,
#define WORD(word)     KEYWORD_##word,
#include "sql/keywords.def"
#undef RESERVED
#undef WORD
    KEYWORD_COUNT
};

enum keyword keyword_find(const char *word, size_t size); /* case folded */
const char *keyword_text(enum keyword keyword);           /* lower case; "" for none */
bool keyword_reserved(enum keyword keyword);

#endif
