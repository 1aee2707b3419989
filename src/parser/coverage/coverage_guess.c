/* Which part of the SQL a word without a place may have asked for. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "knowledge/value_index/value_index.h"
#include "knowledge/words/stem.h"
#include "parser/coverage/coverage_covering.h"
#include "parser/ir/ir_schema.h"

static bool column_is_linked(const struct covering *covering, int column)
{
    const struct selection *used = &covering->used;
    bool time = covering->schema->columns[column].type == IR_TYPE_TIME;
    for (size_t i = 1; i < used->column_count; i++) {
        for (size_t t = 0; used->columns[i] == column && t < covering->words.count; t++) {
            const struct token *token = &covering->words.items[t];
            if (linking_row(covering->linking, t)[used->table_count + i] != LINK_NONE ||
                (time && coverage_is_time(token->text))) {
                return true;
            }
        }
    }
    return false;
}

static bool table_is_linked(const struct covering *covering, int table)
{
    const struct selection *used = &covering->used;
    for (size_t i = 0; i < used->table_count; i++) {
        for (size_t t = 0; used->tables[i] == table && t < covering->words.count; t++) {
            if (linking_row(covering->linking, t)[i] != LINK_NONE) {
                return true;
            }
        }
    }
    return false;
}

/* Did a word that has its place ask for this part? */
static bool is_asked_for(const struct covering *covering,
                         const struct coverage_part *part)
{
    if (part->table >= 0) {
        return table_is_linked(covering, part->table);
    }
    for (size_t i = 0; i < part->column_count; i++) {
        if (column_is_linked(covering, part->columns[i])) {
            return true;
        }
    }
    for (size_t t = 0; part->literal && t < covering->words.count; t++) {
        const struct token *token = &covering->words.items[t];
        if (token->kind != TOKEN_MARK && !token_is_common(token->text) &&
            strlen(token->stem) > 2 && strstr(part->literal, token->stem)) {
            return true;
        }
    }
    return false;
}

/* "undelivered" and delivered_on: the word without its first syllable is in the name. */
static bool shares_stem(const struct covering *covering, const char *word,
                        const struct coverage_part *part)
{
    enum { LEAST = 5 };
    static const char *const prefixes[] = {"un", "non", "in", "dis", "re", ""};
    const char *folded = str_lower(covering->arena, word);
    for (size_t i = 0; i < part->column_count; i++) {
        const char *name = covering->schema->columns[part->columns[i]].name;
        for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++) {
            const char *rest = folded + strlen(prefixes[p]);
            if (str_starts(folded, prefixes[p]) && strlen(rest) >= LEAST &&
                str_contains_nocase(name, arena_copy(covering->arena, rest, LEAST))) {
                return true;
            }
        }
    }
    return false;
}

/* "never serviced": the word that says no asked for what is missing. */
static bool has_negation(const struct covering *covering)
{
    for (size_t i = 0; i < covering->words.count; i++) {
        const char *word = covering->words.items[i].text;
        if (coverage_asks_for(word) == DOES_NOT || strcmp(word, "no") == 0 ||
            strcmp(word, "not") == 0) {
            return true;
        }
    }
    return false;
}

/* May a condition stand for the word? The parser writes some condition for every adjective:
 * without a sign in its names or in another word it is made up. */
static bool may_mean(const struct covering *covering, const char *word,
                     const struct coverage_part *part)
{
    return !part->tests || is_asked_for(covering, part) ||
           shares_stem(covering, word, part) || (part->flags && has_negation(covering));
}

/* "chairs", and there is a cell "Chair": no other thing is meant by it. */
static bool is_cell(const struct covering *covering, const char *text)
{
    const struct value_index *index = covering->request->index;
    const char *folded = str_lower(covering->arena, text);
    char bases[STEM_BASES][STEM_SIZE];
    size_t count = str_ends(folded, "s") ? stem_bases(bases, folded) : 0;
    for (size_t i = 0; index && i < count; i++) {
        struct value_matches matches = {0};
        value_index_find(index, covering->arena, bases[i], strlen(bases[i]), &matches);
        if (matches.count) {
            return true;
        }
    }
    return false;
}

/* "how many tickets", "the number of tickets" */
static bool is_counted(const struct covering *covering, const char *folded)
{
    const struct tokens *words = &covering->words;
    for (size_t i = 1; i < words->count; i++) {
        const char *before = words->items[i - 1].text;
        bool number = i > 1 && str_equal(before, "of") &&
                      (str_equal(words->items[i - 2].text, "number") ||
                       str_equal(words->items[i - 2].text, "count"));
        if (str_equal(words->items[i].text, folded) &&
            (number || str_equal(before, "many"))) {
            return true;
        }
    }
    return false;
}

/* "number of tickets", and there is a table of that name: no other one is counted. */
static bool is_other_table(const struct covering *covering, const char *text)
{
    const char *folded = str_lower(covering->arena, text);
    char bases[STEM_BASES][STEM_SIZE];
    size_t count = is_counted(covering, folded) ? stem_bases(bases, folded) : 0;
    for (int t = 0; count && t < covering->schema->table_count; t++) {
        const char *name = covering->schema->tables[t].name;
        bool same = str_equal_nocase(name, folded);
        for (size_t i = 0; i < count && !same; i++) {
            same = str_equal_nocase(name, bases[i]);
        }
        if (same && !covering->use.tables[t]) {
            return true;
        }
    }
    return false;
}

/* A part of the SQL that no word asked for belongs to a word without a place. */
void coverage_guess(const struct covering *covering, struct coverage_words *words)
{
    const struct coverage_parts *parts = &covering->use.parts;
    size_t next = 0;
    for (size_t i = 0; i < parts->count && next < words->count; i++) {
        const struct coverage_part *part = &parts->items[i];
        bool repeated = false;
        for (size_t k = 0; k < i; k++) {
            repeated = repeated || str_equal(parts->items[k].text, part->text);
        }
        for (size_t k = 0; k < words->count; k++) {
            repeated = repeated || (words->items[k].unasked &&
                                    str_equal(words->items[k].unasked, part->text));
        }
        if (repeated || (is_asked_for(covering, part) && !part->flags)) {
            continue;
        }
        while (next < words->count && (words->items[next].apart ||
                                       (words->items[next].role != COVERAGE_RESTRICTION &&
                                        words->items[next].role != COVERAGE_SUBJECT))) {
            next++;
        }
        if (next < words->count) {
            struct coverage_word *word = &words->items[next++];
            bool may = may_mean(covering, word->text, part);
            if (part->table >= 0 &&
                (is_cell(covering, word->text) || is_other_table(covering, word->text))) {
                continue;
            }
            word->joined = part->table >= 0;
            word->taken_for = may ? part->text : NULL;
            word->unasked = may ? NULL : part->text;
        }
    }
}
