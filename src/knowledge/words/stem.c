/* Endings of plurals and verbs, cut by rules and a few exceptions. */
#include "knowledge/words/stem.h"

#include <stdbool.h>
#include <string.h>

/* Plurals that no rule finds. */
static const char *const irregular[][2] = {
    {"people", "person"},     {"persons", "person"},      {"children", "child"},
    {"men", "man"},           {"women", "woman"},         {"statuses", "status"},
    {"bonuses", "bonus"},     {"buses", "bus"},           {"campuses", "campus"},
    {"viruses", "virus"},     {"wives", "wife"},          {"feet", "foot"},
    {"mice", "mouse"},        {"indices", "index"},       {"criteria", "criterion"},
    {"analyses", "analysis"}, {"diagnoses", "diagnosis"}, {"ids", "id"},
    {"gases", "gas"},         {"quizzes", "quiz"},        {"taxes", "tax"},
};

/* Called a dozen times for each word: the last letter tells most of them. */
static inline bool ends(const char *word, size_t size, const char *ending, size_t stay)
{
    size_t length = strlen(ending);
    return size >= length + stay && word[size - 1] == ending[length - 1] &&
           memcmp(word + size - length, ending, length) == 0;
}

static bool vowel(char c)
{
    return c && strchr("aeiouy", c) != NULL;
}

static bool has_vowel(const char *word, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (vowel(word[i])) {
            return true;
        }
    }
    return false;
}

static size_t copy_word(char out[STEM_SIZE], const char *word)
{
    for (size_t i = 0; i < sizeof irregular / sizeof *irregular; i++) {
        if (*irregular[i][0] == *word && strcmp(word, irregular[i][0]) == 0) {
            word = irregular[i][1];
            break;
        }
    }
    size_t size = strnlen(word, STEM_SIZE - 1);
    memcpy(out, word, size);
    out[size] = '\0';
    return size;
}

static size_t cut_plural(char *word, size_t size)
{
    static const char *const hissing[] = {"sses", "ches", "shes", "xes", "zzes"};
    if (ends(word, size, "ies", 2)) {
        word[size - 3] = 'y';
        return size - 2;
    }
    for (size_t i = 0; i < sizeof hissing / sizeof *hissing; i++) {
        if (ends(word, size, hissing[i], 1)) {
            return size - 2;
        }
    }
    if (ends(word, size, "s", 3) && !strchr("sui", word[size - 2])) {
        return size - 1;
    }
    return size;
}

static bool doubled(const char *word, size_t size)
{
    return size > 3 && word[size - 1] == word[size - 2] && !vowel(word[size - 1]) &&
           !strchr("lsz", word[size - 1]);
}

static size_t cut_verb(const char *word, size_t size)
{
    size_t stem = ends(word, size, "ing", 3)                                 ? size - 3
                  : ends(word, size, "ed", 3) && !ends(word, size, "eed", 1) ? size - 2
                                                                             : size;
    if (stem == size || !has_vowel(word, stem)) {
        return size;
    }
    return doubled(word, stem) ? stem - 1 : stem;
}

size_t stem_word(char out[STEM_SIZE], const char *word)
{
    size_t size = copy_word(out, word);
    size = cut_plural(out, size);
    size = cut_verb(out, size);
    if (ends(out, size, "ie", 2)) {
        out[--size - 1] = 'y'; /* movie, as movies */
    } else if (ends(out, size, "e", 3)) {
        size--;
    }
    out[size] = '\0';
    return size;
}

struct bases {
    char (*out)[STEM_SIZE];
    size_t count;
};

static void add_base(struct bases *bases, const char *word, size_t size,
                     const char *ending)
{
    size_t more = strlen(ending);
    if (bases->count < STEM_BASES && size >= 2 && size + more < STEM_SIZE) {
        char *base = bases->out[bases->count++];
        memcpy(base, word, size);
        memcpy(base + size, ending, more + 1);
    }
}

/* "shipp": as it is, with an e, and with a single p. */
static void add_verb(struct bases *bases, const char *word, size_t size)
{
    add_base(bases, word, size, "");
    add_base(bases, word, size, "e");
    if (size > 3 && word[size - 1] == word[size - 2]) {
        add_base(bases, word, size - 1, "");
    }
    if (word[size - 1] == 'i') {
        add_base(bases, word, size - 1, "y");
    }
}

size_t stem_bases(char out[STEM_BASES][STEM_SIZE], const char *word)
{
    struct bases bases = {out, 1};
    size_t size = strnlen(word, STEM_SIZE - 1);
    memcpy(out[0], word, size);
    out[0][size] = '\0';
    char base[STEM_SIZE];
    size_t base_size = copy_word(base, word);
    if (strcmp(base, out[0]) != 0) {
        add_base(&bases, base, base_size, "");
    } else if (ends(word, size, "ies", 2)) {
        add_base(&bases, word, size - 3, "y");
        add_base(&bases, word, size - 1, "");
    } else if (ends(word, size, "s", 2) && word[size - 2] != 's') {
        add_base(&bases, word, size - 1, "");
        if (ends(word, size, "es", 3)) {
            add_base(&bases, word, size - 2, "");
        }
    } else if (ends(word, size, "ing", 3)) {
        add_verb(&bases, word, size - 3);
    } else if (ends(word, size, "ed", 2)) {
        add_verb(&bases, word, size - 2);
    }
    return bases.count;
}
