/* Candidates gathered from everywhere, each text once, the weakest dropped. */
#include "parser/values/values.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"
#include "knowledge/words/fold.h"
#include "parser/ir/ir_schema.h"
#include "parser/values/values_state.h"

enum { FOUND_MAX = 96, VALUE_TEXT_MOST = 200, LIKE_LEAST = 3, NEAR_LEAST = 5 };

/* How much a kind is worth when there are too many, and the word it adds. */
static const struct {
    int worth;
    const char *word;
} kinds[CANDIDATE_KINDS] = {
    [CANDIDATE_CELL] = {7, NULL},        [CANDIDATE_ALIAS] = {5, NULL},
    [CANDIDATE_NEAR] = {4, "#near"},     [CANDIDATE_PART] = {2, "#part"},
    [CANDIDATE_NUMBER] = {8, NULL},      [CANDIDATE_SCALED] = {5, "#scaled"},
    [CANDIDATE_WORD_NUMBER] = {6, NULL}, [CANDIDATE_PERIOD] = {7, "#period"},
    [CANDIDATE_QUOTED] = {9, NULL},      [CANDIDATE_NAME] = {6, NULL},
    [CANDIDATE_CODE] = {6, NULL},        [CANDIDATE_MARKED] = {5, NULL},
    [CANDIDATE_INSIDE] = {1, "#inside"}, [CANDIDATE_LETTER] = {3, NULL},
    [CANDIDATE_UNKNOWN] = {1, NULL},     [CANDIDATE_BEFORE] = {9, "#before"},
};

const char *values_kind_word(enum candidate_kind kind)
{
    return kinds[kind].word;
}

const char *values_span(const struct finding *finding, size_t first, size_t end)
{
    const struct tokens *tokens = finding->tokens;
    size_t start = tokens->items[first].start;
    return arena_copy(finding->arena, tokens->text + start,
                      tokens->items[end - 1].end - start);
}

bool values_touch(const struct finding *finding, size_t token)
{
    const struct token *items = finding->tokens->items;
    return token > 0 && token < finding->tokens->count &&
           items[token].start == items[token - 1].end;
}

struct candidate *values_add(struct finding *finding, enum candidate_kind kind,
                             const char *text, bool is_text, size_t first, size_t end)
{
    struct candidates *out = finding->out;
    for (size_t i = 0; i < out->count; i++) {
        struct candidate *known = &out->items[i];
        if (known->value.is_text == is_text && strcmp(known->value.text, text) == 0) {
            return known;
        }
    }
    if (out->count == FOUND_MAX || str_empty(text) || strlen(text) > VALUE_TEXT_MOST) {
        return NULL;
    }
    struct candidate *added = VEC_ADD(finding->arena, out);
    *added = (struct candidate){
        .value = {text, is_text, NULL},
        .kind = kind,
        .first = (uint16_t)first,
        .end = (uint16_t)end,
    };
    return added;
}

static int number_order(const void *a, const void *b)
{
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

void values_add_places(struct finding *finding, struct candidate *candidate,
                       const struct value_match *match)
{
    const struct ir_schema *schema = finding->request->schema;
    struct {
        int *items;
        size_t count, capacity;
    } columns = {candidate->columns, candidate->column_count, candidate->column_capacity};
    for (size_t i = 0; i < match->place_count; i++) {
        const struct value_place *place = &match->places[i];
        if ((int)place->table >= schema->table_count ||
            (int)place->column >= schema->tables[place->table].column_count) {
            continue;
        }
        int column = schema->tables[place->table].first_column + (int)place->column;
        bool known = false;
        for (size_t j = 0; j < columns.count && !known; j++) {
            known = columns.items[j] == column;
        }
        if (!known) {
            VEC_PUSH(finding->arena, &columns, column);
        }
    }
    if (columns.count) {
        qsort(columns.items, columns.count, sizeof *columns.items, number_order);
    }
    candidate->columns = columns.items;
    candidate->column_count = columns.count;
    candidate->column_capacity = columns.capacity;
}

/* Several words are worth more than one; a word that is written small and is well known
 * is probably just a word. */
static int worth_of(const struct finding *finding, const struct candidate *candidate)
{
    const struct token *token = &finding->tokens->items[candidate->first];
    int worth = 10 * kinds[candidate->kind].worth;
    worth += candidate->end - candidate->first > 1 ? 9 : 0;
    bool small = !token->capital && !token->quoted && token->kind == TOKEN_WORD;
    return worth - (small && candidate->end - candidate->first == 1 ? 15 : 0);
}

/* Which of two stays when one must go: the worthier, then the earlier. */
static void drop_weakest(struct finding *finding)
{
    struct candidates *out = finding->out;
    while (out->count > VALUES_MAX) {
        size_t weakest = 0;
        for (size_t i = 1; i < out->count; i++) {
            if (worth_of(finding, &out->items[i]) <=
                worth_of(finding, &out->items[weakest])) {
                weakest = i;
            }
        }
        memmove(out->items + weakest, out->items + weakest + 1,
                (out->count - weakest - 1) * sizeof *out->items);
        out->count--;
    }
}

void values_find(struct arena *arena, const struct values_request *request,
                 struct candidates *out)
{
    struct finding *finding = ARENA_NEW(arena, struct finding);
    *out = (struct candidates){0};
    finding->arena = arena;
    finding->request = request;
    finding->tokens = request->tokens;
    finding->out = out;
    values_meanings(finding);
    values_cells(finding);
    values_periods(finding);
    values_numbers(finding);
    values_texts(finding);
    values_near(finding);
    values_inside(finding);
    drop_weakest(finding);
}

static bool has_digit(const char *text)
{
    return strpbrk(text, "0123456789") != NULL;
}

/* Signs and blanks apart, or with a typing error: what a person meant to write. */
static int likeness(const char *value, const char *literal)
{
    char a[VALUE_TEXT_MOST + 1];
    char b[VALUE_TEXT_MOST + 1];
    size_t size = fold_squash(a, sizeof a, value, strlen(value));
    (void)fold_squash(b, sizeof b, literal, strlen(literal));
    if (size >= LIKE_LEAST && strcmp(a, b) == 0) {
        return 2;
    }
    return size >= NEAR_LEAST && !has_digit(a) && !has_digit(b) &&
           str_distance(a, b, 2) <= (size >= 2 * NEAR_LEAST ? 2U : 1U);
}

/* Better sameness is greater; 0: not the same. */
static int sameness(const struct ir_value *value, const char *literal, bool is_text)
{
    int kind = value->is_text == is_text;
    if (strcmp(value->text, literal) == 0) {
        return 8 + 2 * kind;
    }
    if (strcasecmp(value->text, literal) == 0) {
        return 7 + 2 * kind;
    }
    double a, b;
    if (str_to_real(value->text, &a) && str_to_real(literal, &b)) {
        return !(a < b) && !(a > b) ? 4 + kind : 0;
    }
    return is_text && value->is_text ? likeness(value->text, literal) : 0;
}

/* As written; else in another case, or the same number written otherwise (60.0). */
static bool fixed_find(const char *literal, struct ir_token *token)
{
    int found = IR_FIXED_UNKNOWN;
    double a = 0, b;
    bool number = str_to_real(literal, &a);
    for (int i = 0; i < IR_FIXED_COUNT; i++) {
        const struct ir_value *fixed = ir_fixed_get(i);
        if (i != IR_FIXED_UNKNOWN && strcmp(fixed->text, literal) == 0) {
            *token = (struct ir_token){IR_FIXED, i};
            return true;
        }
        bool same = strcasecmp(fixed->text, literal) == 0 ||
                    (number && str_to_real(fixed->text, &b) && !(a < b) && !(a > b));
        if (same && found == IR_FIXED_UNKNOWN) {
            found = i;
        }
    }
    *token = (struct ir_token){IR_FIXED, found};
    return found != IR_FIXED_UNKNOWN;
}

struct ir_token values_token(const struct candidates *candidates, const char *literal,
                             bool is_text)
{
    struct ir_token best = {IR_FIXED, IR_FIXED_UNKNOWN};
    int best_sameness = 0;
    for (size_t i = 0; i < candidates->count; i++) {
        int same = sameness(&candidates->items[i].value, literal, is_text);
        if (same > best_sameness) {
            best_sameness = same;
            best = (struct ir_token){IR_VALUE, (int)i};
        }
    }
    bool surely =
        best_sameness > 2; /* a fixed literal is better than one that is like it */
    struct ir_token fixed;
    return !surely && fixed_find(literal, &fixed) ? fixed : best;
}

struct ir_token values_token_before(void *context, const char *literal, bool is_text)
{
    struct values_before *before = context;
    struct candidates *candidates = before->candidates;
    struct ir_token known = values_token(candidates, literal, is_text);
    bool same = known.kind == IR_VALUE &&
                strcmp(candidates->items[known.index].value.text, literal) == 0;
    bool fixed = known.kind == IR_FIXED && known.index != IR_FIXED_UNKNOWN;
    if (same || fixed || before->added == VALUES_BEFORE_MAX || str_empty(literal) ||
        strlen(literal) > VALUE_TEXT_MOST) {
        return known;
    }
    before->added++;
    struct candidate *added = VEC_ADD(before->arena, candidates);
    *added = (struct candidate){
        .value = {arena_text(before->arena, literal), is_text, NULL},
        .kind = CANDIDATE_BEFORE,
    };
    return (struct ir_token){IR_VALUE, (int)candidates->count - 1};
}
