/* The words of a follow-up: their senses, and what the places of a rule can be filled
 * with. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "parser/followup/followup_state.h"
#include "parser/link/linker.h"

static const struct {
    enum sense sense;
    const char *text;
} words[] = {
#define SENSE(name) {SENSE_##name, NULL},
#define WORD(text)  {SENSE_COUNT_OF_ALL, text},
#include "parser/followup/followup_words.def"
#undef SENSE
#undef WORD
};

/* Where the phrase ends that starts at the token; 0: it does not. */
static size_t phrase_end(const struct tokens *tokens, size_t at, const char *phrase)
{
    for (; at < tokens->count; at++) {
        size_t size = strlen(tokens->items[at].text);
        if (size == 0 || strncmp(phrase, tokens->items[at].text, size) != 0) {
            return 0;
        }
        phrase += size;
        if (*phrase == '\0') {
            return at + 1;
        }
        if (*phrase == ' ') {
            phrase++;
        } else if (*phrase != '\'' && phrase[-1] != '\'') {
            return 0;
        }
    }
    return 0;
}

static void find_senses(struct followup *followup)
{
    const struct tokens *tokens = &followup->features.tokens;
    followup->ends = arena_array(followup->arena, SENSE_COUNT_OF_ALL * tokens->count + 1,
                                 sizeof *followup->ends);
    enum sense sense = SENSE_OPEN;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!words[i].text) {
            sense = words[i].sense;
            continue;
        }
        for (size_t at = 0; at < tokens->count; at++) {
            size_t end = phrase_end(tokens, at, words[i].text);
            size_t *best = &followup->ends[(size_t)sense * tokens->count + at];
            *best = end > *best ? end : *best;
        }
    }
}

static void find_links(struct followup *followup)
{
    const struct features *features = &followup->features;
    size_t tables = (size_t)followup->schema->table_count;
    size_t stride = tables + (size_t)followup->schema->column_count;
    size_t first = features->tokens.count + features->values.count;
    followup->links =
        arena_array(followup->arena, features->tokens.count * stride + 1, 1);
    for (size_t i = 0; i < features->relations.count; i++) {
        const struct feature_relation *relation = &features->relations.items[i];
        int code = relation->code;
        bool to_table = code >= RELATION_QT_EXACT && code <= RELATION_QT_HYPERNYM;
        bool to_column = code >= RELATION_QC_EXACT && code <= RELATION_QC_HYPERNYM;
        if ((!to_table && !to_column) || relation->row >= features->tokens.count) {
            continue;
        }
        size_t item = relation->column - first;
        const struct selection *selection = &features->selection;
        size_t place =
            to_table ? (size_t)selection->tables[item]
                     : tables + (size_t)selection->columns[item - selection->table_count];
        followup->links[relation->row * stride + place] =
            (uint8_t)(LINK_EXACT +
                      (to_table ? code - RELATION_QT_EXACT : code - RELATION_QC_EXACT));
    }
}

void followup_text(struct followup *followup)
{
    find_senses(followup);
    find_links(followup);
}

size_t followup_sense(const struct followup *followup, enum sense sense, size_t at)
{
    size_t count = followup->features.tokens.count;
    return at < count ? followup->ends[(size_t)sense * count + at] : 0;
}

bool followup_is_empty_word(const struct followup *followup, size_t at)
{
    const struct token *token = &followup->features.tokens.items[at];
    return token->kind == TOKEN_MARK || token->kind == TOKEN_QUOTE ||
           token_is_grammar(token->text) || followup_sense(followup, SENSE_GLUE, at) ||
           followup_sense(followup, SENSE_OPEN, at) ||
           followup_sense(followup, SENSE_PRONOUN, at) ||
           followup_sense(followup, SENSE_SHOW, at);
}

/* Words that stand for a keyword of the IR. */
static const struct {
    enum slot slot;
    enum sense sense;
    enum ir_keyword keyword;
} keywords[] = {
    {SLOT_FIGURE, SENSE_COUNT, IR_COUNT},
    {SLOT_FIGURE, SENSE_AVERAGE, IR_AVG},
    {SLOT_FIGURE, SENSE_SUM, IR_SUM},
    {SLOT_FIGURE, SENSE_MAX, IR_MAX},
    {SLOT_FIGURE, SENSE_MIN, IR_MIN},
    {SLOT_COMPARE, SENSE_MORE, IR_GREATER},
    {SLOT_COMPARE, SENSE_AT_LEAST, IR_AT_LEAST},
    {SLOT_COMPARE, SENSE_LESS, IR_LESS},
    {SLOT_COMPARE, SENSE_AT_MOST, IR_AT_MOST},
    {SLOT_WHEN, SENSE_SINCE, IR_SINCE},
    {SLOT_WHEN, SENSE_AFTER, IR_AFTER},
    {SLOT_WHEN, SENSE_BEFORE, IR_BEFORE},
    {SLOT_WHEN, SENSE_UNTIL, IR_UNTIL},
    {SLOT_UNIT, SENSE_DAY, IR_DAY},
    {SLOT_UNIT, SENSE_WEEK, IR_WEEK},
    {SLOT_UNIT, SENSE_MONTH, IR_MONTH},
    {SLOT_UNIT, SENSE_QUARTER, IR_QUARTER},
    {SLOT_UNIT, SENSE_YEAR, IR_YEAR},
    {SLOT_EVERY, SENSE_DAILY, IR_DAY},
    {SLOT_EVERY, SENSE_WEEKLY, IR_WEEK},
    {SLOT_EVERY, SENSE_MONTHLY, IR_MONTH},
    {SLOT_EVERY, SENSE_QUARTERLY, IR_QUARTER},
    {SLOT_EVERY, SENSE_YEARLY, IR_YEAR},
    {SLOT_DIRECTION, SENSE_ASCENDING, IR_ASC},
    {SLOT_DIRECTION, SENSE_DESCENDING, IR_DESC},
};

static bool catch_keyword(const struct followup *followup, size_t at,
                          struct caught *caught)
{
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        size_t end = keywords[i].slot == caught->slot
                         ? followup_sense(followup, keywords[i].sense, at)
                         : 0;
        if (end > caught->end) {
            caught->end = end;
            caught->keyword = keywords[i].keyword;
        }
    }
    return caught->end > at;
}

static bool is_year(const struct candidate *value)
{
    return !value->value.is_text && strlen(value->value.text) == 4 &&
           (value->value.text[0] == '1' || value->value.text[0] == '2') &&
           value->kind == CANDIDATE_NUMBER;
}

/* How good a candidate is for a slot; 0: not at all. */
static int fitness(enum slot slot, const struct candidate *value)
{
    static const int kinds[CANDIDATE_KINDS] = {
        [CANDIDATE_CELL] = 9, [CANDIDATE_QUOTED] = 8, [CANDIDATE_ALIAS] = 7,
        [CANDIDATE_NEAR] = 5, [CANDIDATE_PART] = 4,   [CANDIDATE_INSIDE] = 0,
    };
    if (slot == SLOT_NUMBER) {
        return value->value.is_text ? 0
               : value->kind == CANDIDATE_NUMBER || value->kind == CANDIDATE_WORD_NUMBER
                   ? 2
                   : value->kind == CANDIDATE_SCALED;
    }
    if (slot == SLOT_PERIOD) {
        return value->kind == CANDIDATE_PERIOD ? 2 : is_year(value);
    }
    bool known = value->column_count > 0 || value->kind == CANDIDATE_QUOTED;
    return known && value->value.is_text ? kinds[value->kind] : 0;
}

/* The longest one, then the fittest. */
static bool catch_value(struct followup *followup, size_t at, struct caught *caught)
{
    const struct candidates *values = &followup->features.values;
    int best = 0;
    for (size_t i = 0; i < values->count; i++) {
        const struct candidate *value = &values->items[i];
        int fit = fitness(caught->slot, value);
        if (value->first != at || fit == 0) {
            continue;
        }
        fit += 20 * (value->end - value->first);
        if (fit > best) {
            best = fit;
            caught->value = (int)i;
            caught->end = value->end;
        }
    }
    return best > 0;
}

static enum ir_keyword unit_of(enum ir_keyword part)
{
    return part == IR_DAY       ? IR_UNIT_DAY
           : part == IR_WEEK    ? IR_UNIT_WEEK
           : part == IR_MONTH   ? IR_UNIT_MONTH
           : part == IR_QUARTER ? IR_UNIT_QUARTER
                                : IR_UNIT_YEAR;
}

/* this month, last year, last 3 months */
static bool catch_relative(struct followup *followup, size_t at, struct caught *caught)
{
    size_t is_this = followup_sense(followup, SENSE_THIS, at);
    size_t next = is_this ? is_this : followup_sense(followup, SENSE_LAST, at);
    struct caught count = {.slot = SLOT_NUMBER};
    struct caught unit = {.slot = SLOT_UNIT};
    if (next == 0) {
        return false;
    }
    bool counted = !is_this && catch_value(followup, next, &count);
    if (!catch_keyword(followup, counted ? count.end : next, &unit)) {
        return false;
    }
    struct arena *arena = followup->arena;
    struct ir_node *node = ir_node_call(arena, unit_of(unit.keyword), NULL, NULL);
    caught->period =
        counted
            ? ir_node_call(arena, IR_LAST, followup_value(followup, count.value), node)
            : ir_node_call(arena, is_this ? IR_THIS : IR_LAST, node, NULL);
    caught->end = unit.end;
    return true;
}

bool followup_catch(struct followup *followup, enum slot slot, size_t at,
                    struct caught *caught)
{
    *caught = (struct caught){.slot = slot, .first = at, .value = -1, .table = -1};
    switch (slot) {
    case SLOT_COLUMN:
        return followup_column(followup, at, WANT_ANY, &caught->end) >= 0;
    case SLOT_TABLE:
        caught->table = followup_table(followup, at, &caught->end);
        return caught->table >= 0;
    case SLOT_NUMBER:
    case SLOT_VALUE:
        return catch_value(followup, at, caught);
    case SLOT_PERIOD:
        return catch_relative(followup, at, caught) || catch_value(followup, at, caught);
    default:
        return catch_keyword(followup, at, caught);
    }
}
