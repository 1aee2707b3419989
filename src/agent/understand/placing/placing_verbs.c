/* Options for a verb that has no place: "bikes that were never rented", "which bikes brought in the most money". */
#include <string.h>

#include "agent/understand/intent_rules.h"
#include "agent/understand/placing/placing.h"
#include "agent/understand/readings.h"
#include "base/str.h"

enum { TABLES_MOST = 4, READINGS_MOST = 3, LED_MOST = 8 };

/* What leads to a verb: "that were never", "who have not". */
static const char *const leading[] = {
    "that",    "who",    "which",   "were",   "was",   "have", "has", "had",
    "been",    "are",    "is",      "not",    "never", "ever", "did", "didn't",
    "haven't", "hasn't", "weren't", "wasn't", "be",    "got",  "get"};
static const char *const denials[] = {"never",  "not",     "didn't", "haven't",
                                      "hasn't", "weren't", "wasn't"};
static const char *const particles[] = {"in",  "up", "out", "on",
                                        "off", "by", "for", "at"};

#define IS_IN(word, list) str_is_among((word), (list), sizeof(list) / sizeof *(list))

/* The question around a verb: what is before the words that lead to it, and what is after it and its
 * particle. */
struct around {
    size_t before;
    const char *after;
    bool denied;
};

/* The word that ends at this byte, folded; its start. */
static const char *word_before(struct run *run, const char *question, size_t end,
                               size_t *start)
{
    while (end && question[end - 1] == ' ') {
        end--;
    }
    size_t at = end;
    while (at && question[at - 1] != ' ') {
        at--;
    }
    *start = at;
    return str_lower(run->scratch, arena_copy(run->scratch, question + at, end - at));
}

static struct around around(struct run *run, const struct coverage_word *word)
{
    const char *question = run->question.text;
    struct around out = {word->position, question + word->position + strlen(word->text),
                         false};
    size_t start = 0;
    for (int i = 0; i < LED_MOST && out.before; i++) {
        const char *led = word_before(run, question, out.before, &start);
        if (!IS_IN(led, leading)) {
            break;
        }
        out.denied = out.denied || IS_IN(led, denials);
        out.before = start;
    }
    size_t blank = strspn(out.after, " ");
    size_t size = strcspn(out.after + blank, " ?.!,");
    const char *next =
        str_lower(run->scratch, arena_copy(run->scratch, out.after + blank, size));
    if (IS_IN(next, particles)) {
        out.after += blank + size;
    }
    out.after += strspn(out.after, " ");
    return out;
}

static const char *text_before(struct run *run, const struct around *place)
{
    return str_trim(run->scratch,
                    arena_copy(run->scratch, run->question.text, place->before));
}

static bool refers_to(const struct table *table, const char *target)
{
    for (size_t i = 0; i < table->foreign_keys.count; i++) {
        if (str_equal_nocase(table->foreign_keys.items[i].table, target)) {
            return true;
        }
    }
    return false;
}

/* Whatever was never done: there are no rows of one of the tables that refer to the thing. */
bool placing_offer_without(struct run *run, const struct coverage_word *word)
{
    struct around place = around(run, word);
    struct texts named = {0};
    intent_tables(run->scratch, run->question.text, run_schema(run), &named);
    const char *subject = named.count ? named.items[0] : NULL;
    const struct tables *tables = &run_schema(run)->tables;
    size_t offered = 0;
    for (size_t i = 0; place.denied && subject && i < tables->count; i++) {
        const struct table *table = &tables->items[i];
        if (offered < TABLES_MOST && !str_equal_nocase(table->name, subject) &&
            refers_to(table, subject)) {
            const char *text =
                str_trim(run->arena, arena_format(run->arena, "%s without %s %s",
                                                  text_before(run, &place),
                                                  table->bare_name, place.after));
            VEC_PUSH(
                run->arena, &run->answer.clarification.options,
                ((struct clarification_option){
                    text, arena_format(run->arena, "%s: %s", table->bare_name, text)}));
            offered++;
        }
    }
    return offered > 0;
}

/* "uninsured patients", and patients have an insurer: those without. */
bool placing_offer_denied(struct run *run, const struct coverage_word *word)
{
    enum { SAME_LEAST = 5 };
    static const char *const prefixes[] = {"un", "non", "in"};
    const char *folded = str_lower(run->scratch, word->text);
    const char *denied = NULL;
    for (size_t i = 0; !denied && i < sizeof prefixes / sizeof *prefixes; i++) {
        bool starts = str_starts(folded, prefixes[i]);
        denied = starts ? folded + strlen(prefixes[i]) : NULL;
    }
    const struct texts *used = run->understanding.readings.count
                                   ? &run->understanding.readings.items[0].tables
                                   : &run->answer.tables;
    for (size_t i = 0; denied && strlen(denied) >= SAME_LEAST && i < used->count; i++) {
        const struct table *table = schema_table(run_schema(run), used->items[i]);
        const char *stem = arena_copy(run->scratch, denied, SAME_LEAST);
        for (size_t c = 0; table && c < table->columns.count; c++) {
            const struct column *column = &table->columns.items[c];
            if (!column->nullable || !str_contains_nocase(column->name, stem)) {
                continue;
            }
            struct around place = around(run, word);
            const char *rest =
                str_trim(run->scratch, arena_copy(run->scratch, place.after,
                                                  strcspn(place.after, "?.!")));
            const char *text = str_trim(
                run->arena, arena_format(run->arena, "%s %s without %s",
                                         text_before(run, &place), rest, column->name));
            VEC_PUSH(run->arena, &run->answer.clarification.options,
                     ((struct clarification_option){
                         text, arena_format(run->arena, "without %s: %s", column->name,
                                            text)}));
            return true;
        }
    }
    return false;
}

/* What the question may mean as a whole. What was done to a thing says in which state it is: no reading can tell. */
void placing_offer_readings(struct run *run, const struct coverage_word *word)
{
    const struct run_readings *readings = &run->understanding.readings;
    bool done_to = around(run, word).before < word->position;
    for (size_t i = 0; !done_to && i < readings->count && i < READINGS_MOST; i++) {
        const char *words = readings->items[i].words;
        VEC_PUSH(run->arena, &run->answer.clarification.options,
                 ((struct clarification_option){words, words}));
    }
}

/* "which bikes with the most repairs": what the verb says is left to the words around it. */
const char *placing_without_verb(struct run *run, const struct coverage_word *word)
{
    struct around place = around(run, word);
    bool ends = strspn(place.after, "?.! ") == strlen(place.after);
    const char *before = text_before(run, &place);
    return ends || place.denied
               ? arena_format(run->arena, "%s%s", before, ends ? place.after : "")
               : arena_format(run->arena, "%s with %s", before, place.after);
}
