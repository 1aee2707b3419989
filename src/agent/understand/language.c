/* Is a text English? By the small words, which no sentence does without. */
#include "agent/understand/language.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

enum { WORD_MOST = 24 };

static const char *const english[] = {
    "a",     "all",   "and",  "are",   "at",      "average", "by",     "can",   "count",
    "did",   "do",    "does", "each",  "every",   "find",    "for",    "from",  "get",
    "give",  "has",   "have", "how",   "i",       "in",      "is",     "it",    "last",
    "least", "list",  "many", "me",    "more",    "most",    "much",   "my",    "not",
    "of",    "on",    "only", "or",    "our",     "per",     "please", "show",  "than",
    "that",  "the",   "them", "there", "these",   "they",    "this",   "those", "to",
    "top",   "total", "was",  "we",    "were",    "what",    "when",   "where", "which",
    "who",   "whose", "why",  "with",  "without", "you",     "your",   NULL};

/* German, French, Spanish, Italian, Portuguese, Dutch and Polish; none of them is an
 * English word. */
static const char *const foreign[] = {
    "alle",     "alles",   "auf",    "aus",     "combien", "como",   "con",     "cuales",
    "cuantos",  "cuantas", "cual",   "czy",     "das",     "de",     "dei",     "del",
    "della",    "dem",     "den",    "der",     "des",     "diese",  "diesem",  "dos",
    "du",       "een",     "ein",    "eine",    "einen",   "el",     "en",      "est",
    "esta",     "et",      "gibt",   "haben",   "hat",     "het",    "hoeveel", "ihr",
    "il",       "ile",     "im",     "ist",     "jak",     "je",     "jest",    "la",
    "las",      "le",      "les",    "letzten", "letzter", "liste",  "los",     "mit",
    "mostra",   "muestra", "nach",   "nicht",   "nur",     "oder",   "par",     "para",
    "parmi",    "pour",    "qual",   "quale",   "quali",   "quanti", "quante",  "quantos",
    "quantas",  "quel",    "quelle", "quelles", "quels",   "sind",   "son",     "sono",
    "sont",     "sur",     "und",    "une",     "uns",     "van",    "vom",     "von",
    "waren",    "wann",    "war",    "welche",  "welcher", "wer",    "wie",     "wieviel",
    "wieviele", "wo",      "y",      "zeig",    "zeige",   "zu",     "zum",     "zur",
    NULL};

/* The lists are in the order of the first letters. */
static bool in_list(const char *word, const char *const *list)
{
    for (; *list && (*list)[0] <= word[0]; list++) {
        if (word[0] == (*list)[0] && strcmp(word, *list) == 0) {
            return true;
        }
    }
    return false;
}

static size_t count_words(const char *text, const char *const *list)
{
    size_t found = 0;
    while (*text) {
        char word[WORD_MOST];
        size_t size = 0;
        for (; isalpha((unsigned char)text[size]) || (unsigned char)text[size] >= 0x80;
             size++) {
            if (size < WORD_MOST) {
                word[size] = (char)tolower((unsigned char)text[size]);
            }
        }
        if (size && size < WORD_MOST) {
            word[size] = '\0';
            found += in_list(word, list);
        }
        text += size ? size : 1;
    }
    return found;
}

/* Of all letters half or more are none of ours: 有多少用户？ */
static bool other_script(const char *text)
{
    size_t ours = 0;
    size_t others = 0;
    for (; *text; text++) {
        ours += isalpha((unsigned char)*text) != 0;
        unsigned char byte = (unsigned char)*text; /* 0xE2, 0xF0: signs and pictures */
        others += byte >= 0xC3 && byte != 0xE2 && byte < 0xF0;
    }
    return others > 0 && others >= ours;
}

bool language_is_english(const char *text)
{
    return !other_script(text) && count_words(text, english) > count_words(text, foreign);
}

bool language_is_foreign(const char *text)
{
    return other_script(text) || count_words(text, foreign) > count_words(text, english);
}
