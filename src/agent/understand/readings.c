/* The ways to read a question, numbered, and what is different about each. */
#include "agent/understand/readings.h"

#include <string.h>

#include "base/str.h"

enum { WORDS_MOST = 15, READINGS_MOST = 4 };

static bool holds(const struct texts *texts, const char *text)
{
    for (size_t i = 0; i < texts->count; i++) {
        if (str_equal_nocase(texts->items[i], text)) {
            return true;
        }
    }
    return false;
}

/* "Country of stores, for each country" in words, without the marks at their ends. */
static void split_words(struct arena *arena, const char *text, struct texts *out)
{
    struct texts parts = {0};
    str_split(arena, text, ' ', &parts);
    for (size_t i = 0; i < parts.count; i++) {
        size_t size = strlen(parts.items[i]);
        while (size && strchr(",.", parts.items[i][size - 1])) {
            size--;
        }
        if (size) {
            VEC_PUSH(arena, out, arena_copy(arena, parts.items[i], size));
        }
    }
}

/* Clauses stand between ", "; a comma inside a value does no harm. The full stop goes. */
static void split_clauses(struct arena *arena, const char *text, struct texts *out)
{
    for (const char *at = text; *at;) {
        const char *comma = strstr(at, ", ");
        size_t size = comma ? (size_t)(comma - at) : strlen(at);
        const char *end = at + size;
        size -= !comma && size && end[-1] == '.';
        if (size) {
            VEC_PUSH(arena, out, arena_copy(arena, at, size));
        }
        at = comma ? comma + 2 : end;
    }
}

static void drop_known(struct arena *arena, const struct texts *from,
                       const struct texts *known, struct texts *out)
{
    for (size_t i = 0; i < from->count; i++) {
        if (!holds(known, from->items[i]) && !holds(out, from->items[i])) {
            VEC_PUSH(arena, out, from->items[i]);
        }
    }
}

static size_t count_words(struct arena *arena, const char *text)
{
    struct texts words = {0};
    split_words(arena, text, &words);
    return words.count;
}

/* How many of the words the clause has. */
static size_t covers(struct arena *arena, const char *clause, const struct texts *wanted)
{
    struct texts words = {0};
    size_t count = 0;
    split_words(arena, clause, &words);
    for (size_t i = 0; i < wanted->count; i++) {
        count += holds(&words, wanted->items[i]);
    }
    return count;
}

/* The clause that says most of what is left, of equal ones the shortest; NULL: none. */
static const char *best_clause(struct arena *arena, const struct texts *clauses,
                               const struct texts *left)
{
    const char *best = NULL;
    size_t most = 0;
    size_t shortest = 0;
    for (size_t i = 0; i < clauses->count; i++) {
        size_t said = covers(arena, clauses->items[i], left);
        size_t size = count_words(arena, clauses->items[i]);
        if (said > most || (said && said == most && size < shortest)) {
            best = clauses->items[i];
            most = said;
            shortest = size;
        }
    }
    return best;
}

static const char *cut(struct arena *arena, const char *text)
{
    struct texts words = {0};
    str_split(arena, text, ' ', &words);
    if (words.count <= WORDS_MOST) {
        return text;
    }
    words.count = WORDS_MOST;
    return arena_format(arena, "%s…", str_join(arena, &words, " "));
}

/* The fewest clauses that say all the words which the other reading lacks. */
static const char *new_clauses(struct arena *arena, const struct texts *clauses,
                               struct texts left)
{
    struct texts said = {0};
    while (left.count) {
        const char *clause = best_clause(arena, clauses, &left);
        if (!clause) {
            break;
        }
        struct texts words = {0};
        struct texts rest = {0};
        split_words(arena, clause, &words);
        drop_known(arena, &left, &words, &rest);
        left = rest;
        VEC_PUSH(arena, &said, clause);
    }
    struct texts ordered = {0};
    for (size_t i = 0; i < clauses->count; i++) {
        if (holds(&said, clauses->items[i])) {
            VEC_PUSH(arena, &ordered, clauses->items[i]);
        }
    }
    return ordered.count ? cut(arena, str_join(arena, &ordered, ", ")) : NULL;
}

const char *readings_difference(struct arena *arena, const char *words, const char *other)
{
    struct texts own = {0};
    struct texts others = {0};
    struct texts added = {0};
    struct texts missing = {0};
    struct texts own_words = {0};
    struct texts other_words = {0};
    struct texts new_words = {0};
    split_clauses(arena, words, &own);
    split_clauses(arena, other, &others);
    drop_known(arena, &own, &others, &added);
    drop_known(arena, &others, &own, &missing);
    split_words(arena, words, &own_words);
    split_words(arena, other, &other_words);
    drop_known(arena, &own_words, &other_words, &new_words);
    const char *said = new_clauses(arena, &added, new_words);
    if (said) {
        return said;
    }
    if (missing.count && !added.count) { /* it is the other one without something */
        return cut(arena, arena_format(arena, "not %s", str_join(arena, &missing, ", ")));
    }
    return cut(arena, added.count ? str_join(arena, &added, ", ") : words);
}

const char *readings_label(struct arena *arena, const char *words, const char *other)
{
    return count_words(arena, words) <= WORDS_MOST
               ? words
               : readings_difference(arena, words, other);
}

/* Two readings can differ from a third in the same words; then by what is different between
 * them. */
static const char *apart(struct arena *arena, const char *label, const char *words,
                         const char *same)
{
    const char *difference = readings_difference(arena, words, same);
    return str_equal_nocase(difference, label) ? words : difference;
}

const char *readings_option(struct arena *arena, const struct clarification *back,
                            const char *words, const char *other)
{
    const char *label = readings_label(arena, words, other);
    for (size_t i = 0; i < back->options.count; i++) {
        if (str_equal_nocase(back->options.items[i].label, label)) {
            return apart(arena, label, words, back->options.items[i].value);
        }
    }
    return label;
}

static const char *difference_of(struct run *run, const struct run_readings *readings,
                                 size_t at)
{
    const struct answer_readings *told = &run->answer.readings;
    size_t other = at == 0 && readings->count > 1 ? 1 : 0;
    const char *words = readings->items[at].words;
    const char *differs =
        readings_difference(run->arena, words, readings->items[other].words);
    for (size_t i = 0; i < told->count; i++) {
        if (str_equal_nocase(told->items[i].differs, differs)) {
            return apart(run->arena, differs, words, readings->items[i].words);
        }
    }
    return differs;
}

void readings_note(struct run *run, const struct run_reading *used)
{
    const struct run_readings *readings = &run->understanding.readings;
    struct answer_readings *out = &run->answer.readings;
    *out = (struct answer_readings){0};
    for (size_t i = 0; i < readings->count && i < READINGS_MOST; i++) {
        const struct run_reading *reading = &readings->items[i];
        VEC_PUSH(run->arena, out,
                 ((struct answer_reading){.words = reading->words,
                                          .differs = difference_of(run, readings, i),
                                          .used = reading == used}));
    }
    if (out->count < 2) {
        *out = (struct answer_readings){0};
    }
}
