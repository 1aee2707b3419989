/* Phrases of periods that leave something open: "early 2026", "winter 2025". */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "parser/coverage/coverage_covering.h"
#include "parser/link/features/features.h"
#include "parser/words/periods.h"

/* Is the first day of it in the SQL, or could it be there in another form? */
static bool is_read_so(const struct covering *covering,
                       const struct period_phrase *phrase)
{
    struct calendar_day day;
    return (covering->use.operations & DOES_TIME) &&
           (!coverage_names_days(&covering->use) ||
            (calendar_read(phrase->begins, &day) &&
             coverage_has_day(&covering->use, &day)));
}

static void add(const struct covering *covering, const struct tokens *tokens,
                const struct period_phrase *phrase, struct coverage_words *out)
{
    struct arena *arena = covering->arena;
    uint32_t start = tokens->items[phrase->first].start;
    struct coverage_word word = {.role = COVERAGE_PERIOD, .position = start};
    word.text = arena_copy(arena, tokens->text + start,
                           tokens->items[phrase->end - 1].end - start);
    word.open = phrase->kind == PERIOD_OPEN || !is_read_so(covering, phrase);
    word.taken_for = word.open ? NULL : phrase->meant;
    word.by_custom = !word.open;
    word.doubtful = phrase->doubtful;
    word.nearest = phrase->choices;
    VEC_PUSH(arena, out, word);
}

void coverage_phrases(const struct covering *covering, struct coverage_words *out)
{
    struct tokens tokens;
    struct period_phrases phrases;
    const struct coverage_request *request = covering->request;
    tokens_split(covering->arena, request->question, &tokens);
    const struct periods_request asked = {
        .tokens = &tokens,
        .words = linker_words(feature_schema_linker(request->schema)),
        .index = request->index,
        .today = request->today};
    periods_find(covering->arena, &asked, &phrases);
    for (size_t i = 0; i < phrases.count; i++) {
        if (phrases.items[i].kind != PERIOD_SAME) {
            add(covering, &tokens, &phrases.items[i], out);
        }
    }
}

bool coverage_is_season(const struct covering *covering, size_t at)
{
    static const struct {
        const char *name;
        const char *begins;
        const char *month;
    } seasons[] = {{"spring", "-03-01", "3"},
                   {"summer", "-06-01", "6"},
                   {"autumn", "-09-01", "9"},
                   {"fall", "-09-01", "9"},
                   {"winter", "-12-01", "12"}};
    const struct coverage_use *use = &covering->use;
    for (size_t i = 0; i < sizeof seasons / sizeof *seasons; i++) {
        if (strcmp(covering->words.items[at].text, seasons[i].name) != 0) {
            continue;
        }
        for (size_t k = 0; k < use->texts.count; k++) {
            if (strstr(use->texts.items[k], seasons[i].begins)) {
                return true;
            }
        }
        for (size_t k = 0; k < use->numbers.count; k++) {
            if (str_equal(use->numbers.items[k], seasons[i].month)) {
                return true;
            }
        }
    }
    return false;
}
