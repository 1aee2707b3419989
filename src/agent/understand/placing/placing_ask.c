/* The question back about a word that has no place: other values, without the word, or none. */
#include <string.h>

#include "agent/understand/placing/placing.h"
#include "base/str.h"
#include "knowledge/words/words.h"

static void offer(struct run *run, const char *value, const char *label)
{
    VEC_PUSH(run->arena, &run->answer.clarification.options,
             ((struct clarification_option){value, label}));
}

/* "which bookings have been", "users from": what leads to a word at the end goes with it. */
static size_t without_auxiliaries(const char *question, size_t size)
{
    static const char *const words[] = {
        " have", " has",  " had", " been", " was",   " were",  " are", " is",  " that",
        " who",  " from", " in",  " by",   " with",  " for",   " at",  " to",  " on",
        " of",   " a",    " an",  " the",  " about", " never", " not", " ever"};
    for (bool more = true; more;) {
        while (size && question[size - 1] == ' ') {
            size--;
        }
        more = false;
        for (size_t i = 0; !more && i < sizeof words / sizeof *words; i++) {
            size_t length = strlen(words[i]);
            more =
                size > length && strncmp(question + size - length, words[i], length) == 0;
            size -= more ? length : 0;
        }
    }
    return size;
}

/* The question with other text in the place of the word; "" drops it. */
static const char *reworded(struct run *run, const struct coverage_word *word,
                            const char *instead)
{
    const char *question = run->question.text;
    size_t size = strlen(word->text);
    const char *rest = question + word->position + size;
    size_t before = word->position;
    if (!*instead) { /* with the blank, or the quotes, around it */
        while (*rest == ' ' || *rest == '\'' || *rest == '"') {
            rest++;
        }
        while (before && (question[before - 1] == '\'' || question[before - 1] == '"')) {
            before--;
        }
        if (!*rest || strspn(rest, "?.! ") == strlen(rest)) {
            before = without_auxiliaries(question, before);
        }
    }
    return str_trim(run->arena, arena_format(run->arena, "%.*s%s%s", (int)before,
                                             question, instead, rest));
}

static const char *tables_in_use(struct run *run)
{
    const struct texts *tables = run->understanding.readings.count
                                     ? &run->understanding.readings.items[0].tables
                                     : &run->answer.tables;
    return tables->count ? str_join(run->scratch, tables, " and ") : "the data";
}

/* "I find nothing about" is said of words that the whole database lacks. */
const char *placing_about(struct run *run, const struct coverage_word *word)
{
    if (!word->elsewhere) {
        return arena_format(run->scratch, "I find nothing about '%s' in %s.", word->text,
                            tables_in_use(run));
    }
    return word->elsewhere_column
               ? arena_format(
                     run->scratch,
                     "'%s' may be the column %s of %s, but I found no query that "
                     "uses it.",
                     word->text, word->elsewhere_column, word->elsewhere)
               : arena_format(
                     run->scratch,
                     "'%s' may be the table %s, but I found no query that uses it.",
                     word->text, word->elsewhere);
}

static const char *message_of(struct run *run, const struct coverage_word *word)
{
    if (word->open) {
        return arena_format(run->arena,
                            "'%s' leaves open which days are meant. Which period is it?",
                            word->text);
    }
    const char *begin = placing_about(run, word);
    const char *nearest = str_join(run->scratch, &word->nearest, ", ");
    if (!word->nearest.count || word->is_verb) {
        return arena_format(run->arena, "%s What is meant?", begin);
    }
    if (!word->column) {
        return arena_format(run->arena, "%s Do you mean one of these: %s?", begin,
                            nearest);
    }
    return arena_format(run->arena, "%s Values of %s: %s.", begin, word->column, nearest);
}

/* Values and names in the place of the word. A verb has none. */
static void offer_nearest(struct run *run, const struct coverage_word *word)
{
    if (placing_offer_denied(run, word)) {
        return;
    }
    for (size_t i = 0; !word->is_verb && i < word->nearest.count; i++) {
        const char *text = reworded(run, word, word->nearest.items[i]);
        offer(run, text,
              arena_format(run->arena, "%s: %s", word->nearest.items[i], text));
    }
    if (word->is_verb && !placing_offer_without(run, word)) {
        placing_offer_readings(run, word);
    }
}

static void offer_left_out(struct run *run, const struct coverage_word *word)
{
    const char *without =
        word->is_verb ? placing_without_verb(run, word) : reworded(run, word, "");
    bool measured = word->nearest.count && !word->column; /* "average of patients" */
    if (word->role != COVERAGE_SUBJECT && (!measured || word->is_verb) &&
        !str_empty(without) && !str_equal(without, run->question.text)) {
        offer(run, without,
              arena_format(run->arena, "Leave '%s' out: %s", word->text, without));
    }
}

void placing_ask(struct run *run, const struct coverage_word *word)
{
    struct clarification *back = &run->answer.clarification;
    *back = (struct clarification){.kind = CLARIFY_DETAIL};
    back->message = message_of(run, word);
    offer_nearest(run, word);
    offer_left_out(run, word);
    offer(run, "none of these", "None of these");
}

bool placing_ask_again(struct run *run)
{
    struct coverage_words words;
    const struct coverage_word *lost =
        placing_find(run, run->answer.sql, placing_trust(run), &words)
            ? placing_lost(&words)
            : NULL;
    if (lost) {
        placing_ask(run, lost);
    }
    return lost != NULL;
}

bool placing_is_rewording(struct run *run, const char *question, const char *answer)
{
    (void)run;
    struct words words;
    struct word word;
    size_t all = 0;
    size_t shared = 0;
    words_init(&words, answer);
    while (words_next(&words, &word)) {
        all++;
        shared += words_hold(question, word.folded);
    }
    return shared > 0 && shared * 2 >= all && !str_equal_nocase(question, answer);
}
