/* What a question was understood to say. */
#include "agent/understand/parsing.h"

#include <ctype.h>
#include <string.h>

#include "agent/understand/intent_words.h"
#include "agent/prompting.h"
#include "base/str.h"

enum { ENTITIES_MOST = 20 };

void parsing_read(struct run *run, const json_t *json)
{
    struct parsed *parsed = &run->answer.parsed;
    double confidence = json_real_at(json, "confidence", -1);
    if (confidence >= 0 && confidence <= 1) {
        parsed->confidence = confidence;
    }
    const json_t *entities = json_array_at(json, "entities");
    if (entities) {
        parsed->entities = (struct texts){0};
        prompting_texts(run, entities, "name", &parsed->entities);
    }
    const json_t *filters = json_array_at(json, "filters");
    if (filters) {
        parsed->filters = (struct texts){0};
        prompting_texts(run, filters, NULL, &parsed->filters);
    }
    const char *time_range = prompting_text(run, json, "time_range");
    parsed->time_range = time_range ? time_range : parsed->time_range;
}

static bool is_figures(const char *word, size_t least)
{
    size_t digits = strspn(word, "0123456789");
    return digits >= least && word[digits] == '\0';
}

static bool is_year(const char *word)
{
    return is_figures(word, 4) && strlen(word) == 4 &&
           (str_starts(word, "19") || str_starts(word, "20"));
}

static bool is_time(const char *word)
{
    static const char *const words[] = {
        "today",    "yesterday", "tomorrow", "last",      "this",    "next",
        "past",     "previous",  "current",  "ago",       "day",     "days",
        "week",     "weeks",     "month",    "months",    "quarter", "quarters",
        "year",     "years",     "weekend",  "q1",        "q2",      "q3",
        "q4",       "january",   "february", "march",     "april",   "may",
        "june",     "july",      "august",   "september", "october", "november",
        "december", NULL};
    return is_year(word) || intent_in_list(word, words);
}

/* A word that says when; "this" and "last" alone do not ("the last name"). */
static bool anchors(const char *word)
{
    static const char *const loose[] = {"last",     "this",    "next", "past",
                                        "previous", "current", "may",  NULL};
    return is_time(word) && !intent_in_list(word, loose);
}

const char *parsing_time(struct arena *arena, const char *question)
{
    static const char *const inside[] = {"and", "to", "until", "of", "in", "the", NULL};
    static const char *const before[] = {"since",  "before", "after", "until",
                                         "till",   "in",     "from",  "between",
                                         "during", "for",    "the",   NULL};
    static const char *const unit_first[] = {"per", "each", "every", "by", NULL};
    struct texts words = {0};
    intent_words(arena, question, &words);
    for (size_t i = 0; i < words.count; i++) {
        bool grouped = i > 0 && intent_in_list(words.items[i - 1], unit_first);
        if (!is_time(words.items[i]) || grouped) {
            continue;
        }
        size_t end = i;
        bool anchored = false;
        for (size_t k = i; k < words.count; k++) {
            if (is_time(words.items[k]) || (k > i && is_figures(words.items[k], 1))) {
                anchored = anchored || anchors(words.items[k]);
                end = k + 1;
            } else if (!intent_in_list(words.items[k], inside)) {
                break;
            }
        }
        size_t start = i;
        while (start > 0 && (intent_in_list(words.items[start - 1], before) ||
                             is_figures(words.items[start - 1], 1))) {
            start--;
        }
        if (anchored) {
            struct texts some = {words.items + start, end - start, end - start};
            return str_join(arena, &some, " ");
        }
    }
    return NULL;
}

static void add_entity(struct run *run, const char *text)
{
    struct texts *entities = &run->answer.parsed.entities;
    if (entities->count < ENTITIES_MOST) {
        VEC_PUSH(run->arena, entities, text);
    }
}

void parsing_fill(struct run *run, const struct sql_parts *parts)
{
    struct parsed *parsed = &run->answer.parsed;
    if (parsed->confidence < 0 && run->answer.brain == BRAIN_PARSER) {
        parsed->confidence = run->answer.parser_probability;
    }
    if (parsed->entities.count == 0) {
        for (size_t i = 0; i < run->answer.tables.count; i++) {
            add_entity(run, run->answer.tables.items[i]);
        }
        for (size_t i = 0; i < run->understanding.cells.count; i++) {
            add_entity(run, run->understanding.cells.items[i]);
        }
    }
    if (parsed->filters.count == 0) {
        for (size_t i = 0; i < parts->filters.count; i++) {
            VEC_PUSH(run->arena, &parsed->filters,
                     arena_text(run->arena, parts->filters.items[i]));
        }
    }
    if (!parsed->time_range) {
        const char *words = parsing_time(run->scratch, run_question_text(run));
        parsed->time_range = words ? arena_text(run->arena, words) : NULL;
    }
}
