/* Finds the thing that a question counts. */
#include <string.h>

#include "agent/counting/counting_state.h"
#include "base/str.h"
#include "knowledge/words/words.h"
#include "model/schema.h"

enum { NOUN_WORDS = 4 }; /* "how many of our active customers" */

/* Is the word the name of the table, or the last word of it ("sales_orders")? */
static bool is_name(const char *folded, const char *name)
{
    struct words words;
    struct word word;
    bool last = false;
    words_init(&words, name);
    while (words_next(&words, &word)) {
        last = str_equal(word.folded, folded);
    }
    return last;
}

bool counting_names_table(const char *folded, const struct table *table)
{
    if (is_name(folded, table->bare_name)) {
        return true;
    }
    for (size_t i = 0; i < table->synonyms.count; i++) {
        if (is_name(folded, table->synonyms.items[i])) {
            return true;
        }
    }
    return false;
}

const struct sql_relation *counting_relation_called(const struct sql_scope *scope,
                                                    const char *folded)
{
    const struct sql_relation *found = NULL;
    for (size_t i = 0; i < scope->relations.count; i++) {
        const struct sql_relation *relation = scope->relations.items[i];
        if (relation->table && counting_names_table(folded, relation->table)) {
            if (found) {
                return NULL; /* the same table twice: no telling which */
            }
            found = relation;
        }
    }
    return found;
}

/* The noun after "how many", "number of" or "count": the last of the names that follow
 * one another, as "customer orders" are orders. */
static const struct sql_relation *noun_after(const struct sql_scope *scope,
                                             const char *text)
{
    struct words words;
    struct word word;
    const struct sql_relation *noun = NULL;
    words_init(&words, text);
    for (int i = 0; i < NOUN_WORDS && words_next(&words, &word); i++) {
        const struct sql_relation *relation =
            counting_relation_called(scope, word.folded);
        bool parts = i > 0 && str_equal(word.folded, "of"); /* "pairs of users" */
        if ((!relation && noun) || parts) {
            break;
        }
        noun = relation ? relation : noun;
    }
    return noun;
}

bool counting_is_asked(struct run *run, const struct sql_relation *relation)
{
    static const char *const openings[] = {
        "how many ", "number of ",     "count of ",   "count the ",     "count ",
        "share of ", "percentage of ", "percent of ", "proportion of ", "fraction of "};
    const char *text = run_question_text(run);
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
        const char *at = str_find_nocase(text, openings[i]);
        const struct sql_relation *noun =
            at ? noun_after(relation->scope, at + strlen(openings[i])) : NULL;
        if (noun) {
            return noun == relation;
        }
    }
    return false;
}

/* The only table of this name; of several the one that has no other word in its name. */
static const struct table *table_called(const struct schema *schema, const char *folded)
{
    const struct table *found = NULL;
    size_t count = 0;
    for (size_t i = 0; i < schema->tables.count; i++) {
        const struct table *table = &schema->tables.items[i];
        struct words words;
        struct word word;
        words_init(&words, table->bare_name);
        bool whole = words_next(&words, &word) && str_equal(word.folded, folded) &&
                     !words_next(&words, &word);
        if (whole) {
            return table;
        }
        if (counting_names_table(folded, table)) {
            found = table;
            count++;
        }
    }
    return count == 1 ? found : NULL;
}

static bool is_plural(const struct word *word)
{
    enum { LEAST = 4 };
    const char *end = word->start + word->size;
    return word->size >= LEAST && end[-1] == 's' && !strchr("sui", end[-2]);
}

/* The noun is the first plural, or the name before it that no other noun follows: in "tickets
 * tagged bug" and "dogs per owner" what comes later is another thing. */
static const struct table *table_after(struct run *run, const char *text)
{
    struct words words;
    struct word word;
    const struct table *noun = NULL;
    words_init(&words, text);
    for (int i = 0; i < NOUN_WORDS && words_next(&words, &word); i++) {
        const struct table *table = table_called(run_schema(run), word.folded);
        if (noun) {
            return table || is_plural(&word) ? NULL : noun; /* "ticket tags" */
        }
        if (is_plural(&word)) {
            return table;
        }
        noun = table;
    }
    return noun;
}

const struct table *counting_table_asked(struct run *run)
{
    static const char *const openings[] = {"how many ", "number of ", "count of ",
                                           "count the ", "count "};
    const char *text = run_question_text(run);
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
        const char *at = str_find_nocase(text, openings[i]);
        if (at) {
            return table_after(run, at + strlen(openings[i]));
        }
    }
    return NULL;
}

bool counting_wants_pairs(struct run *run)
{
    static const char *const words[] = {"pair",     "combination",    "combine",
                                        "cross",    "every possible", "all possible",
                                        "cartesian"};
    const char *text = run_question_text(run);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_contains_nocase(text, words[i])) {
            return true;
        }
    }
    return false;
}
