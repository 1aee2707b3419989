/* What an answer to a clarifying question says: nothing, no, or something about the data. */
#include <ctype.h>
#include <string.h>

#include "agent/answering.h"
#include "agent/understand/intent_rules.h"
#include "agent/understand/intent_words.h"
#include "agent/understand/solving.h"
#include "base/str.h"
#include "knowledge/value_index/value_index.h"
#include "knowledge/words/words.h"

enum { CELLS_MOST = 50 };

static const char *joined_words(struct arena *arena, const char *text)
{
    struct texts words = {0};
    intent_words(arena, text, &words);
    return str_join(arena, &words, " ");
}

/* "forget it", "never mind then": the question is given up. */
bool answering_declines(struct arena *arena, const char *text)
{
    static const char *const whole[] = {
        "cancel",    "stop",         "stop it",   "nothing",     "none of these",
        "skip",      "skip it",      "skip that", "quit",        "exit",
        "abort",     "drop it",      "leave it",  "let it go",   "no matter",
        "no thanks", "no thank you", "cancel it", "cancel that", "cancel this",
        NULL};
    static const char *const begins[] = {
        "never mind",        "nevermind",   "forget it",      "forget that",
        "forget about",      "forget this", "doesn't matter", "does not matter",
        "it doesn't matter", NULL};
    const char *said = joined_words(arena, text);
    for (size_t i = 0; begins[i]; i++) {
        size_t size = strlen(begins[i]);
        if (str_starts(said, begins[i]) && (said[size] == '\0' || said[size] == ' ') &&
            strlen(said) <= size + 20) {
            return true;
        }
    }
    return intent_in_list(said, whole);
}

/* "no", "wrong": none of the options, and nothing instead. */
bool answering_says_no(struct arena *arena, const char *text)
{
    static const char *const no[] = {
        "no",   "n",           "nope",    "not really",   "wrong",       "not that",
        "none", "no not that", "neither", "that's wrong", "no it isn't", NULL};
    return intent_in_list(joined_words(arena, text), no);
}

static bool has_synonym(const struct texts *synonyms, const char *folded)
{
    for (size_t i = 0; i < synonyms->count; i++) {
        if (words_hold(synonyms->items[i], folded)) {
            return true;
        }
    }
    return false;
}

static bool names_column(const struct schema *schema, const char *folded)
{
    for (size_t t = 0; t < schema->tables.count; t++) {
        const struct table *table = &schema->tables.items[t];
        if (words_hold(table->name, folded)) {
            return true;
        }
        for (size_t c = 0; c < table->columns.count; c++) {
            const struct column *column = &table->columns.items[c];
            if (words_hold(column->name, folded) ||
                has_synonym(&column->synonyms, folded)) {
                return true;
            }
        }
    }
    return false;
}

static bool in_options(const struct clarification *back, const char *folded)
{
    for (size_t i = 0; i < back->options.count; i++) {
        if (words_hold(back->options.items[i].label, folded) ||
            words_hold(back->options.items[i].value, folded)) {
            return true;
        }
    }
    return words_hold(back->message, folded);
}

static bool is_cell(struct run *run, const struct value_index *cells,
                    const struct word *word)
{
    struct value_matches found = {0};
    if (word->size > 2) {
        value_index_part(cells, run->scratch, word->start, word->size, CELLS_MOST,
                         &found);
    }
    if (!found.count) {
        value_index_find(cells, run->scratch, word->start, word->size, &found);
    }
    if (!found.count) {
        value_index_near(cells, run->scratch, word->start, word->size, 1, &found);
    }
    return found.count > 0;
}

/* Words that say how to compute, to order or to compare. */
static bool is_operation(const char *text)
{
    static const char *const words[] = {
        "by",     "per",        "each",     "every",   "most",    "least",   "highest",
        "lowest", "largest",    "smallest", "average", "mean",    "median",  "total",
        "sum",    "count",      "number",   "maximum", "minimum", "max",     "min",
        "more",   "less",       "fewer",    "than",    "over",    "under",   "all",
        "any",    "both",       "none",     "without", "empty",   "first",   "latest",
        "newest", "oldest",     "sorted",   "sort",    "share",   "percent", "percentage",
        "rows",   "everything", "yes",      "true",    "false",   "unique",  "distinct",
        "date",   "day",        "week",     "month",   "quarter", "year",    "daily",
        "weekly", "monthly",    "yearly",   "before",  "after",   "between", NULL};
    return intent_in_list(text, words);
}

bool answering_names(struct run *run, const char *text)
{
    const struct schema *schema = run_schema(run);
    if (!schema || strpbrk(text, "0123456789") || intent_uses_clock(run->scratch, text) ||
        intent_vague_time(run->scratch, text)) {
        return true;
    }
    struct texts plain = {0};
    intent_words(run->scratch, text, &plain);
    for (size_t i = 0; i < plain.count; i++) {
        if (is_operation(plain.items[i])) {
            return true;
        }
    }
    struct value_index *cells = solving_cells(run, true);
    struct words words;
    struct word word;
    bool named = false;
    words_init(&words, text);
    while (!named && words_next(&words, &word)) {
        bool common = word_is_common(word.folded);
        named = is_cell(run, cells, &word) ||
                (!common && (names_column(schema, word.folded) ||
                             in_options(&run->answer.clarification, word.folded)));
    }
    value_index_unref(cells);
    return named;
}
