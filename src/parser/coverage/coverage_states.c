/* "Inactive" and "expired": what the SQL takes for the state is told, and a state that it passes over is asked
 * about. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "knowledge/value_index/value_index.h"
#include "parser/coverage/coverage_covering.h"
#include "parser/ir/ir_schema.h"
#include "parser/words/states.h"

/* Is the text a cell of a table in use? */
static bool is_cell(const struct covering *covering, const char *text)
{
    struct value_matches matches = {0};
    const struct value_index *index = covering->request->index;
    if (!index) {
        return false;
    }
    value_index_find(index, covering->arena, text, strlen(text), &matches);
    for (size_t i = 0; i < matches.count; i++) {
        for (size_t k = 0; k < matches.items[i].place_count; k++) {
            size_t table = matches.items[i].places[k].table;
            if (table < (size_t)covering->schema->table_count &&
                covering->use.tables[table]) {
                return true;
            }
        }
    }
    return false;
}

/* "complete" of "incomplete" where a cell is "completed". */
static bool is_cell_form(const struct covering *covering, const char *base)
{
    return is_cell(covering, base) ||
           is_cell(covering, arena_format(covering->arena, "%sd", base)) ||
           is_cell(covering, arena_format(covering->arena, "%sed", base));
}

static bool is_in_name(const struct covering *covering, const struct coverage_part *part,
                       const char *word)
{
    enum { ALIKE = 5 };
    const char *begin = arena_copy(covering->arena, word, strnlen(word, ALIKE));
    for (size_t k = 0; k < part->column_count; k++) {
        if (str_contains_nocase(covering->schema->columns[part->columns[k]].name,
                                begin)) {
            return true;
        }
    }
    return false;
}

/* The condition with this value or name, if the SQL denies anything; NULL: none. */
static const char *part_denying(const struct covering *covering, const char *base)
{
    const struct coverage_parts *parts = &covering->use.parts;
    for (size_t i = 0; (covering->use.operations & DOES_NOT) && i < parts->count; i++) {
        const struct coverage_part *part = &parts->items[i];
        if ((part->literal && states_same(base, part->literal)) ||
            (part->tests && part->flags && is_in_name(covering, part, base))) {
            return part->text;
        }
    }
    return NULL;
}

/* The condition on the end of a thing; NULL: there is none, or the word is in its name. */
static const char *part_of_end(const struct covering *covering, const struct token *token)
{
    const char *found = NULL;
    const struct coverage_parts *parts = &covering->use.parts;
    for (size_t i = 0; i < parts->count; i++) {
        const struct coverage_part *part = &parts->items[i];
        if (!part->tests || !strstr(part->text, " IS ")) {
            continue;
        }
        if (is_in_name(covering, part, token->text)) {
            return NULL;
        }
        for (size_t k = 0; k < part->column_count; k++) {
            found = states_is_end(covering->schema->columns[part->columns[k]].name)
                        ? part->text
                        : found;
        }
    }
    return found;
}

static void add(const struct covering *covering, size_t at, const char *taken_for,
                struct coverage_words *out)
{
    const struct token *token = &covering->words.items[at];
    struct coverage_word word = {.role = COVERAGE_RESTRICTION, .by_custom = true};
    word.text = arena_copy(covering->arena, covering->words.text + token->start,
                           token->end - token->start);
    const char *found = str_find_nocase(covering->request->question, word.text);
    word.position = found ? (size_t)(found - covering->request->question) : 0;
    word.taken_for = taken_for;
    if (found) {
        VEC_PUSH(covering->arena, out, word);
    }
}

/* A table of payments for what a table in use holds, if the SQL leaves it out; -1: none. */
static int payments_left_out(const struct covering *covering)
{
    const struct ir_schema *schema = covering->schema;
    for (int i = 0; i < schema->key_count; i++) {
        int from = schema->columns[schema->keys[i].from].table;
        int to = schema->columns[schema->keys[i].to].table;
        bool pays = str_contains_nocase(schema->tables[from].name, "payment") ||
                    str_contains_nocase(schema->tables[from].name, "receipt");
        if (pays && covering->use.tables[to] && !covering->use.tables[from]) {
            return from;
        }
    }
    return -1;
}

/* "overdue invoices" by their day alone, where payments are in a table of their own: told. */
static void add_unpaid(struct covering *covering, size_t at, struct coverage_words *out)
{
    static const char *const states[] = {"overdue", "unpaid", "outstanding", "owed"};
    const struct coverage_parts *parts = &covering->use.parts;
    const struct coverage_part *found = NULL;
    bool asked = str_is_among(covering->words.items[at].text, states,
                              sizeof states / sizeof *states);
    int payments = asked && covering->placed[at] ? payments_left_out(covering) : -1;
    for (size_t i = 0; payments >= 0 && i < parts->count; i++) {
        const struct coverage_part *part = &parts->items[i];
        bool dated = part->tests && part->column_count == 1 &&
                     covering->schema->columns[part->columns[0]].type == IR_TYPE_TIME;
        found = dated ? part : found;
    }
    if (found) {
        size_t before = out->count;
        add(covering, at,
            arena_format(covering->arena, "%s, whether there are %s or not", found->text,
                         covering->schema->tables[payments].name),
            out);
        for (size_t i = before; i < out->count; i++) {
            out->items[i].doubtful = true;
        }
    }
}

/* Says which part a price of 0 is, if there is one. */
static bool add_free(struct covering *covering, size_t at,
                     const struct coverage_parts *parts, struct coverage_words *out)
{
    static const char *const prices[] = {"price", "fare", "fee", "cost", "charge"};
    for (size_t i = 0; i < parts->count; i++) {
        const struct coverage_part *part = &parts->items[i];
        bool price = false;
        for (size_t k = 0; part->column_count == 1 && k < sizeof prices / sizeof *prices;
             k++) {
            price = price ||
                    str_contains_nocase(covering->schema->columns[part->columns[0]].name,
                                        prices[k]);
        }
        if (price && part->zero && strstr(part->text, " = 0")) {
            covering->placed[at] = true; /* told here */
            add(covering, at, part->text, out);
            return true;
        }
    }
    return false;
}

/* "Free tickets": those with a price of 0, or their share. */
static void tell_free(struct covering *covering, size_t at, struct coverage_words *out)
{
    if (!add_free(covering, at, &covering->use.parts, out)) {
        add_free(covering, at, &covering->use.branches, out);
    }
}

void coverage_states(struct covering *covering, struct coverage_words *out)
{
    for (size_t i = 0; i < covering->words.count; i++) {
        const struct token *token = &covering->words.items[i];
        add_unpaid(covering, i, out);
        if (str_equal(token->text, "free") && !token->quoted) {
            tell_free(covering, i, out);
        }
        const char *base = token->quoted ? NULL : states_denied(token->text);
        if (base && is_cell_form(covering, base) && !is_cell(covering, token->text)) {
            covering->placed[i] = true; /* told here */
            add(covering, i, part_denying(covering, base), out);
        } else if (!token->quoted && covering->placed[i] && states_word(token->text) &&
                   states_of(&covering->words) == states_word(token->text)) {
            const char *part = part_of_end(covering, token);
            if (part) {
                add(covering, i, part, out);
            }
        }
    }
}
