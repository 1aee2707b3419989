/* Recognizes ratings of the previous answer; only texts that cannot be questions. */
#include "agent/memory/judging.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"

static const char *const subjects[] = {"this is",
                                       "that is",
                                       "it is",
                                       "this was",
                                       "that was",
                                       "that's",
                                       "this's",
                                       "it's",
                                       "these are",
                                       "those are",
                                       "they are",
                                       "this looks",
                                       "that looks",
                                       "it looks",
                                       "the answer is",
                                       "your answer is",
                                       "the result is",
                                       "the sql is",
                                       "the numbers are",
                                       "the figures are",
                                       NULL};

static const struct word {
    const char *text;
    enum judging judging;
} words[] = {
    {"not what i asked for", JUDGING_WRONG},
    {"not what i asked", JUDGING_WRONG},
    {"not what i meant", JUDGING_WRONG},
    {"not what i wanted", JUDGING_WRONG},
    {"not correct", JUDGING_WRONG},
    {"not right", JUDGING_WRONG},
    {"not it", JUDGING_WRONG},
    {"wrong", JUDGING_WRONG},
    {"incorrect", JUDGING_WRONG},
    {"false", JUDGING_WRONG},
    {"right", JUDGING_GOOD},
    {"correct", JUDGING_GOOD},
    {"perfect", JUDGING_GOOD},
    {"exactly right", JUDGING_GOOD},
    {"what i wanted", JUDGING_GOOD},
    {"what i meant", JUDGING_GOOD},
};

/* Complete ratings without a subject; nothing may follow praise. */
static const struct word alone[] = {
    {"wrong answer", JUDGING_WRONG}, {"wrong", JUDGING_WRONG},
    {"incorrect", JUDGING_WRONG},    {"👎", JUDGING_WRONG},
    {"thumbs down", JUDGING_WRONG},  {"correct", JUDGING_GOOD},
    {"perfect", JUDGING_GOOD},       {"👍", JUDGING_GOOD},
    {"thumbs up", JUDGING_GOOD},     {"well done", JUDGING_GOOD},
};

/* The rest of the text after the phrase, if it starts with it at word boundaries; else
 * NULL. */
static const char *past(const char *text, const char *phrase)
{
    size_t size = strlen(phrase);
    if (!str_starts_nocase(text, phrase) || isalnum((unsigned char)text[size])) {
        return NULL;
    }
    return text + size;
}

static const char *skip(const char *text)
{
    return text + strspn(text, " \t\n,.;:!-");
}

/* The rest must be separated: "wrong orders of 2024" is a question. */
static enum judging judge(const char *after, enum judging judging, const char **rest)
{
    bool apart = *after == '\0' || strchr(",.;:!\n", *after) || str_starts(after, " -") ||
                 str_starts(after, " because") || str_starts(after, " I meant") ||
                 str_starts(after, " i meant");
    const char *left = skip(after);
    if (!apart || (judging == JUDGING_GOOD && *left)) {
        return JUDGING_NONE;
    }
    *rest = left;
    return judging;
}

static enum judging judging_find(const char *text, const struct word *list, size_t count,
                                 const char **rest)
{
    for (size_t i = 0; i < count; i++) {
        const char *after = past(text, list[i].text);
        if (after) {
            return judge(after, list[i].judging, rest);
        }
    }
    return JUDGING_NONE;
}

enum judging judging_of(struct arena *arena, const char *text, const char **rest)
{
    static const char *const fillers[] = {"no",   "sorry", "but", "still", "all",
                                          "just", "hm",    "oh",  NULL};
    const char *at = str_trim(arena, text);
    *rest = "";
    for (size_t i = 0; fillers[i]; i++) { /* "no, that's wrong" */
        const char *after = past(at, fillers[i]);
        at = after ? skip(after) : at;
    }
    enum judging judging = judging_find(at, alone, sizeof alone / sizeof *alone, rest);
    for (size_t i = 0; subjects[i] && judging == JUDGING_NONE; i++) {
        const char *after = past(at, subjects[i]);
        if (!after) {
            continue;
        }
        after = skip(after);
        for (size_t k = 0; fillers[k]; k++) {
            const char *next = past(after, fillers[k]);
            after = next ? skip(next) : after;
        }
        judging = judging_find(after, words, sizeof words / sizeof *words, rest);
    }
    return judging;
}
