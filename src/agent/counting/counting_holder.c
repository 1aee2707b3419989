/* Determines whose value a figure is: "the weight of pets with visits" is one per pet,
 * "the price of sales" one per sale. */
#include <string.h>

#include "agent/counting/counting_state.h"
#include "base/str.h"
#include "knowledge/words/words.h"

enum { WORDS_MOST = 64 };

struct holding {
    struct run *run;
    const struct sql_resolved *resolved;
    const struct fanout *fanout;
    struct word words[WORDS_MOST];
    size_t count;
};

static bool has_word(const char *text, const char *folded)
{
    struct words words;
    struct word word;
    words_init(&words, text);
    while (words_next(&words, &word)) {
        if (str_equal(word.folded, folded)) {
            return true;
        }
    }
    return false;
}

/* The column that the figure aggregates; NULL: none, or several. */
static const char *column_of(const struct holding *holding)
{
    const struct sql_node *arguments = holding->fanout->call->children[CALL_ARGUMENTS];
    struct sql_nodes columns = {0};
    for (size_t i = 0; i < arguments->count; i++) {
        sql_collect(holding->run->scratch, arguments->children[i], SQL_COLUMN, &columns);
    }
    const struct sql_reference *reference =
        columns.count == 1 ? sql_reference_of(holding->resolved, columns.items[0]) : NULL;
    return reference && reference->output ? reference->output->name : NULL;
}

/* A condition with a value that the word names speaks of its relation: "dogs" are
 * pets. */
static const struct sql_relation *relation_of_value(const struct holding *holding,
                                                    const char *folded)
{
    struct sql_nodes tests = {0};
    struct sql_node *where = holding->fanout->scope->node->children[SELECT_WHERE];
    if (!where) {
        return NULL;
    }
    sql_collect(holding->run->scratch, where, SQL_BINARY, &tests);
    for (size_t i = 0; i < tests.count; i++) {
        const struct sql_node *left = sql_child(tests.items[i], PAIR_LEFT);
        const struct sql_node *right = sql_child(tests.items[i], PAIR_RIGHT);
        const struct sql_reference *reference =
            sql_is(left, SQL_COLUMN) && sql_is(right, SQL_STRING)
                ? sql_reference_of(holding->resolved, left)
                : NULL;
        if (reference && reference->relation && has_word(right->text, folded)) {
            return reference->relation;
        }
    }
    return NULL;
}

static const struct sql_relation *relation_at(const struct holding *holding, size_t at)
{
    const char *folded = holding->words[at].folded;
    const struct sql_relation *named =
        counting_relation_called(holding->fanout->scope, folded);
    return named ? named : relation_of_value(holding, folded);
}

/* What follows is another figure, says which ones ("pets that had visits"), or what the groups are ("fee per
 * category"). */
static bool begins_clause(const struct word *word)
{
    static const char *const openings[] = {
        "with",    "who", "that", "which", "whose", "where", "when", "having",
        "without", "and", "per",  "by",    "minus", "plus",  "less", "versus"};
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
        if (word->size == strlen(openings[i]) &&
            str_starts_nocase(word->start, openings[i])) {
            return true;
        }
    }
    return false;
}

/* The noun that the column belongs to: right before its name ("pet weight"), else the
 * first one after it, of several together the last ("customer orders" are orders). */
static const struct sql_relation *noun_of(const struct holding *holding,
                                          const char *column)
{
    size_t first = holding->count;
    size_t last = 0;
    for (size_t i = 0; i < holding->count; i++) {
        if (has_word(column, holding->words[i].folded)) {
            first = first < i ? first : i;
            last = i;
        }
    }
    if (first == holding->count) {
        return NULL;
    }
    const struct sql_relation *noun = first ? relation_at(holding, first - 1) : NULL;
    for (size_t i = last + 1; !noun && i < holding->count; i++) {
        if (begins_clause(&holding->words[i])) {
            return NULL;
        }
        noun = relation_at(holding, i);
        while (noun && i + 1 < holding->count && relation_at(holding, i + 1)) {
            noun = relation_at(holding, ++i);
        }
    }
    return noun;
}

enum counting_holder counting_holder(struct run *run, const struct sql_resolved *resolved,
                                     const struct fanout *fanout)
{
    struct holding holding = {.run = run, .resolved = resolved, .fanout = fanout};
    struct words words;
    const char *column = column_of(&holding);
    words_init(&words, run_question_text(run));
    while (holding.count < WORDS_MOST &&
           words_next(&words, &holding.words[holding.count])) {
        holding.count++;
    }
    const struct sql_relation *noun = column ? noun_of(&holding, column) : NULL;
    struct grain grain;
    bool covered[GRAIN_RELATIONS] = {false};
    if (!noun || !grain_read(run->scratch, resolved, fanout->scope, &grain)) {
        return HOLDER_UNSAID;
    }
    covered[fanout->subject->place] = true;
    (void)grain_close(&grain, covered);
    return covered[noun->place] ? HOLDER_SUBJECT : HOLDER_REPEATER;
}
