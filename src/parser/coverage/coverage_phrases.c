/* Phrases of periods that leave something open: "early 2026", "winter 2025". */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "parser/coverage/coverage_covering.h"
#include "parser/ir/ir_schema.h"
#include "parser/link/features/features.h"
#include "parser/words/periods/periods.h"

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

/* "in", "since" and a year, a month or "last": does a period begin here? */
static bool begins_period(const struct covering *covering, size_t at)
{
    static const char *const leads[] = {"in",     "during", "since",
                                        "before", "after",  "within"};
    static const char *const relative[] = {"last", "this", "the"};
    enum { YEAR_DIGITS = 4, MONTH_LEAST = 3 };
    if (at + 1 >= covering->words.count ||
        !str_is_among(covering->words.items[at].text, leads,
                      sizeof leads / sizeof *leads)) {
        return false;
    }
    const struct token *next = &covering->words.items[at + 1];
    return (next->kind == TOKEN_NUMBER && strlen(next->text) == YEAR_DIGITS) ||
           (next->kind == TOKEN_WORD && coverage_is_time(next->text) &&
            strlen(next->text) >= MONTH_LEAST) ||
           str_is_among(next->text, relative, sizeof relative / sizeof *relative);
}

static bool names_column(const struct covering *covering, size_t token, int column)
{
    const struct selection *used = &covering->used;
    for (size_t i = 1; i < used->column_count; i++) {
        enum link_code code =
            linking_row(covering->linking, token)[used->table_count + i];
        if (used->columns[i] == column && code != LINK_NONE && code <= LINK_PARTIAL) {
            return true;
        }
    }
    return false;
}

/* Does a word name a yes-or-no column that the SQL uses? Its table; -1: none. */
static int state_at(const struct covering *covering, size_t token)
{
    for (int c = 1; c < covering->schema->column_count; c++) {
        if (covering->use.columns[c] && covering->schema->columns[c].flag &&
            names_column(covering, token, c)) {
            return covering->schema->columns[c].table;
        }
    }
    return -1;
}

/* Does the date tell when a thing came into being, and so never when its state changed? */
static bool tells_beginning(const char *name)
{
    static const char *const words[] = {
        "bought", "purchas", "acqui",   "creat", "added", "join",  "hire",
        "regist", "signup",  "sign_up", "enrol", "found", "birth", "born",
        "built",  "launch",  "install", "issue", "start", "opened"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_contains_nocase(name, words[i])) {
            return true;
        }
    }
    return false;
}

/* The only date that the SQL uses, if it is of this table; 0: none. */
static int only_date(const struct covering *covering, int table)
{
    int found = 0;
    for (int c = 1; c < covering->schema->column_count; c++) {
        const struct ir_column *column = &covering->schema->columns[c];
        if (covering->use.columns[c] && column->type == IR_TYPE_TIME) {
            found = found || column->table != table ? -1 : c;
        }
    }
    return found > 0 && tells_beginning(covering->schema->columns[found].name) ? found
                                                                               : 0;
}

/* "retired in 2025", where a column says yes or no and the date is that of another event: nobody
 * knows when it happened. */
static void add_event(const struct covering *covering, struct coverage_words *out)
{
    const struct tokens *words = &covering->words;
    for (size_t at = 1; at + 1 < words->count; at++) {
        int table = begins_period(covering, at) ? state_at(covering, at - 1) : -1;
        int date = table >= 0 ? only_date(covering, table) : 0;
        bool named = false;
        for (size_t i = 0; date && i < words->count; i++) {
            named = named || names_column(covering, i, date);
        }
        const struct token *token = &words->items[at - 1];
        const char *text = arena_copy(covering->arena, words->text + token->start,
                                      words->items[at].end - token->start);
        const char *found = str_find_nocase(covering->request->question, text);
        if (!date || named || !found) {
            continue;
        }
        struct coverage_word word = {.role = COVERAGE_PERIOD, .text = text};
        word.position = (size_t)(found - covering->request->question);
        word.by_custom = true;
        word.doubtful = true;
        word.taken_for =
            arena_format(covering->arena, "by %s", covering->schema->columns[date].name);
        VEC_PUSH(covering->arena, out, word);
        return;
    }
}

void coverage_phrases(const struct covering *covering, struct coverage_words *out)
{
    struct period_phrases phrases;
    const struct coverage_request *request = covering->request;
    const struct periods_request asked = {
        .tokens = &covering->asked,
        .words = linker_words(feature_schema_linker(request->schema)),
        .index = request->index,
        .today = request->today};
    periods_find(covering->arena, &asked, &phrases);
    for (size_t i = 0; i < phrases.count; i++) {
        if (phrases.items[i].kind != PERIOD_SAME) {
            add(covering, &covering->asked, &phrases.items[i], out);
        }
    }
    add_event(covering, out);
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
