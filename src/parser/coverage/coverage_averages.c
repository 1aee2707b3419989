/* "Average invoice per patient": the invoices of each, or their amounts? And "average number of
 * visits", where nothing is counted. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "parser/coverage/coverage_covering.h"
#include "parser/ir/ir_schema.h"
#include "parser/ir/ir_things.h"
#include "parser/words/money.h"

#define IS_IN(word, list) str_is_among((word), (list), sizeof(list) / sizeof *(list))

static bool is_average(const char *word)
{
    static const char *const words[] = {"average", "avg", "mean"};
    return IS_IN(word, words);
}

/* The table in use that the word names; -1: none. */
static int table_named(const struct covering *covering, size_t at)
{
    const struct selection *used = &covering->used;
    const uint8_t *codes = linking_row(covering->linking, at);
    for (size_t i = 0; i < used->table_count; i++) {
        if (codes[i] != LINK_NONE && codes[i] <= LINK_PARTIAL) {
            return used->tables[i];
        }
    }
    return -1;
}

static bool is_singular(const struct token *token)
{
    return token->kind == TOKEN_WORD && !str_ends(token->text, "s");
}

/* The SQL adds up the amount of the things, or counts them although one of them has an amount: told,
 * the latter less sure. */
void coverage_averages(const struct covering *covering, struct coverage_words *out)
{
    const struct tokens *words = &covering->words;
    unsigned operations = covering->use.operations;
    for (size_t i = 0; i + 2 < words->count; i++) {
        bool per = is_average(words->items[i].text) &&
                   is_singular(&words->items[i + 1]) &&
                   str_equal(words->items[i + 2].text, "per");
        bool adds = (operations & DOES_SUM) && !(operations & DOES_AVERAGE);
        bool counts =
            (operations & DOES_COUNT) && !(operations & (DOES_SUM | DOES_AVERAGE));
        int table = per && (adds || counts) ? table_named(covering, i + 1) : -1;
        int amount = table >= 0 ? ir_amount_of(covering->schema, table) : 0;
        if (!amount || adds != covering->use.columns[amount]) {
            continue;
        }
        const char *question = covering->request->question;
        const struct token *token = &words->items[i];
        struct coverage_word word = {
            .role = COVERAGE_OPERATION, .by_custom = true, .doubtful = counts};
        word.text = arena_copy(covering->arena, words->text + token->start,
                               token[1].end - token->start);
        const char *found = str_find_nocase(question, word.text);
        word.position = found ? (size_t)(found - question) : 0;
        const char *things = covering->schema->tables[table].name;
        const char *name = covering->schema->columns[amount].name;
        word.taken_for =
            adds ? arena_format(covering->arena, "the %s of %s", name, things)
                 : arena_format(covering->arena, "the number of %s, not their %s", things,
                                name);
        VEC_PUSH(covering->arena, out, word);
        return;
    }
}

void coverage_money(const struct covering *covering, struct coverage_words *out)
{
    unsigned operations = covering->use.operations;
    for (size_t i = 0; i < covering->words.count; i++) {
        bool open = money_meaning(&covering->words, i) == MONEY_SUMMED_BY_CUSTOM;
        int table = open && (operations & DOES_SUM) && !(operations & DOES_COUNT)
                        ? table_named(covering, i)
                        : -1;
        int amount = table >= 0 ? ir_amount_of(covering->schema, table) : 0;
        if (!amount || !covering->use.named[amount]) {
            continue;
        }
        const char *question = covering->request->question;
        const struct token *token = &covering->words.items[i];
        struct coverage_word word = {.role = COVERAGE_OPERATION, .by_custom = true};
        word.text = arena_copy(covering->arena, covering->words.text + token->start,
                               token->end - token->start);
        const char *found = str_find_nocase(question, word.text);
        word.position = found ? (size_t)(found - question) : 0;
        word.taken_for = arena_format(covering->arena, "the sum of %s",
                                      covering->schema->columns[amount].name);
        VEC_PUSH(covering->arena, out, word);
        return;
    }
}

bool coverage_misses_number(const struct covering *covering, size_t at)
{
    enum { WORDS_BETWEEN = 3 }; /* "number of new patient visits" */
    const struct tokens *words = &covering->words;
    const struct selection *used = &covering->used;
    if (!str_equal(words->items[at].text, "number") || at + 2 >= words->count ||
        !str_equal(words->items[at + 1].text, "of") ||
        (covering->use.operations & (DOES_COUNT | DOES_SUM)) ||
        !(covering->use.operations & DOES_AVERAGE)) {
        return false;
    }
    const uint8_t *codes = linking_row(covering->linking, at);
    for (size_t i = 1; i < used->column_count; i++) {
        enum link_code code = codes[used->table_count + i];
        if (code != LINK_NONE && code <= LINK_PARTIAL &&
            covering->use.columns[used->columns[i]]) {
            return false; /* number_of_pages */
        }
    }
    for (size_t i = at + 2; i < words->count && i <= at + 1 + WORDS_BETWEEN; i++) {
        const uint8_t *row = linking_row(covering->linking, i);
        for (size_t k = 1; k < used->column_count; k++) {
            enum link_code code = row[used->table_count + k];
            const struct ir_column *column = &covering->schema->columns[used->columns[k]];
            if (code != LINK_NONE && code <= LINK_RELATED && !column->primary &&
                covering->use.columns[used->columns[k]]) {
                return false; /* "number of votes", and a column `votes` */
            }
        }
        if (table_named(covering, i) >= 0) {
            return true;
        }
    }
    return false;
}
