/* Words that a dictionary explains: "active" is 1 in a column of states. */
#include <string.h>

#include "base/str.h"
#include "model/schema.h"
#include "parser/ir/ir_schema.h"
#include "parser/values/values_state.h"

enum { LOOKED_MOST = 20000 }; /* meanings; a question must not wait for a dictionary */

/* The stems of the meaning stand in the question from this token on. */
static bool stands_at(const struct finding *finding, size_t first,
                      const struct tokens *meaning)
{
    if (first + meaning->count > finding->tokens->count) {
        return false;
    }
    for (size_t i = 0; i < meaning->count; i++) {
        if (strcmp(finding->tokens->items[first + i].stem, meaning->items[i].stem) != 0) {
            return false;
        }
    }
    return true;
}

static void found(struct finding *finding, int number, const struct meaning *meaning,
                  size_t first, size_t end)
{
    const struct ir_schema *schema = finding->request->schema;
    const struct ir_column *column = &schema->columns[number];
    const struct ir_table *table = &schema->tables[column->table];
    const struct value_place place = {(uint32_t)column->table,
                                      (uint32_t)(number - table->first_column)};
    const struct value_match match = {
        .text = meaning->value, .places = &place, .place_count = 1, .exact = true};
    double real;
    bool is_text = column->type != IR_TYPE_NUMBER || !str_to_real(meaning->value, &real);
    struct candidate *candidate =
        values_add(finding, CANDIDATE_ALIAS, meaning->value, is_text, first, end);
    if (candidate) {
        values_add_places(finding, candidate, &match);
        for (size_t i = first; i < end; i++) {
            finding->covered[i] = true;
        }
    }
}

/* Cheap, before anything is split: its first letters begin some word of the question. */
static bool may_stand(const struct finding *finding, const char *text)
{
    for (size_t i = 0; i < finding->tokens->count; i++) {
        const char *word = finding->tokens->items[i].text;
        if ((word[0] | 32) == (text[0] | 32) || (unsigned char)text[0] >= 0x80) {
            return true;
        }
    }
    return false;
}

static void values_meanings_look(struct finding *finding, int number,
                                 const struct meaning *meaning)
{
    struct tokens words;
    if (!may_stand(finding, meaning->text)) {
        return;
    }
    tokens_split(finding->arena, meaning->text, &words);
    for (size_t at = 0; words.count && at < finding->tokens->count; at++) {
        if (stands_at(finding, at, &words)) {
            found(finding, number, meaning, at, at + words.count);
        }
    }
}

void values_meanings(struct finding *finding)
{
    const struct ir_schema *schema = finding->request->schema;
    size_t looked = 0;
    for (int i = 1; i < schema->column_count && looked < LOOKED_MOST; i++) {
        const struct meanings *meanings = &schema->columns[i].source->meanings;
        for (size_t j = 0; j < meanings->count && looked < LOOKED_MOST; j++, looked++) {
            values_meanings_look(finding, i, &meanings->items[j]);
        }
    }
}
