/* Ages by a year of birth: the network takes the year for a day, or compares it with the age itself. */
#include "parser/search/sense/sense.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "parser/ir/ir_key_words.h"
#include "parser/ir/ir_schema.h"
#include "parser/words/tokens.h"

enum { AGE_MOST = 150, PERSON_LEAST = 14, YEAR_LEAST = 1000 };

/* What a question says about ages. */
struct ages {
    bool asked;          /* it is about an age, or how old something is */
    enum ir_keyword way; /* IR_GREATER: older; IR_LESS: younger; IR_PAD: neither */
};

static bool is_birth(const struct ir_column *column)
{
    return str_contains_nocase(column->name, "birth") ||
           str_contains_nocase(column->name, "born") ||
           str_equal_nocase(column->name, "yob") || str_equal_nocase(column->name, "dob");
}

/* A number such as 1985: of birth, or a year in all of its cells. */
static bool is_year(const struct ir_schema *schema, struct ir_token token)
{
    if (token.kind != IR_COLUMN || token.index <= 0) {
        return false;
    }
    const struct ir_column *column = &schema->columns[token.index];
    const char *least = column->source ? column->source->least : NULL;
    return column->type == IR_TYPE_NUMBER &&
           (is_birth(column) || (str_contains_nocase(column->name, "year") && least &&
                                 strtol(least, NULL, 10) >= YEAR_LEAST));
}

/* The number after "over" or "older than"; 0: there is none. */
static size_t number_after(const struct tokens *tokens, size_t at)
{
    size_t next = at + 1;
    next += next < tokens->count && strcmp(tokens->items[next].text, "than") == 0;
    return next < tokens->count && tokens->items[next].kind == TOKEN_NUMBER ? next : 0;
}

static void read_ages(const struct tokens *tokens, struct ages *out)
{
    static const char *const older[] = {"older", "over", "above", "least"};
    static const char *const younger[] = {"younger", "under", "below", "newer", "most"};
    static const char *const ages[] = {"age", "ages", "aged", "old", "older", "younger"};
    static const char *const after[] = {"from", "in",   "with", "who",   "by",   "per",
                                        "and",  "that", "?",    "years", "year", "."};
    for (size_t i = 0; i < tokens->count; i++) {
        const char *word = tokens->items[i].text;
        bool old = IS_AMONG(word, older);
        bool young = IS_AMONG(word, younger);
        size_t number = old || young ? number_after(tokens, i) : 0;
        bool bare = number && (number + 1 == tokens->count ||
                               IS_AMONG(tokens->items[number + 1].text, after));
        out->asked = out->asked || IS_AMONG(word, ages) || bare;
        if (number) {
            out->way = old ? IR_GREATER : IR_LESS;
        }
    }
}

static bool is_compare(struct ir_token token)
{
    static const enum ir_keyword words[] = {
        IR_EQUAL, IR_UNEQUAL, IR_LESS, IR_GREATER, IR_AT_MOST, IR_AT_LEAST, IR_BETWEEN};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (ir_is(token, words[i])) {
            return true;
        }
    }
    return false;
}

/* The number of years that this value can be; 0: it is a year, or no number. */
static long age_of(const struct ir_values *values, struct ir_token token)
{
    const struct ir_value *value =
        token.kind == IR_VALUE && (size_t)token.index < values->count
            ? &values->items[token.index]
        : token.kind == IR_FIXED ? ir_fixed_get(token.index)
                                 : NULL;
    char *rest = NULL;
    long number = value && value->text ? strtol(value->text, &rest, 10) : 0;
    bool fits = rest && rest != value->text && !*rest && number < AGE_MOST;
    return fits && number > 0 ? number : 0;
}

/* "older" is more, "younger" is less, whatever the network wrote. */
static struct ir_token put_right(struct ir_token sign, enum ir_keyword way)
{
    bool equal = ir_is(sign, IR_AT_LEAST) || ir_is(sign, IR_AT_MOST);
    bool ordered = equal || ir_is(sign, IR_LESS) || ir_is(sign, IR_GREATER);
    if (!ordered || way == IR_PAD) {
        return sign;
    }
    return ir_word(way == IR_GREATER ? (equal ? IR_AT_LEAST : IR_GREATER)
                                     : (equal ? IR_AT_MOST : IR_LESS));
}

static void push_age(struct arena *arena, struct ir_token from, struct ir_token column,
                     struct ir_tokens *out)
{
    VEC_PUSH(arena, out, ir_word(IR_MINUS));
    VEC_PUSH(arena, out, ir_word(IR_YEAR));
    VEC_PUSH(arena, out, from);
    VEC_PUSH(arena, out, column);
}

/* The column of birth beside this one; -1: the table has none, or several. */
static int birth_beside(const struct ir_schema *schema, int column)
{
    const struct ir_table *table = &schema->tables[schema->columns[column].table];
    int found = -1;
    for (int i = 0; i < table->column_count; i++) {
        const struct ir_column *other = &schema->columns[table->first_column + i];
        bool fits = other->type == IR_TYPE_NUMBER || other->type == IR_TYPE_TIME;
        if (fits && is_birth(other)) {
            if (found >= 0) {
                return -1;
            }
            found = table->first_column + i;
        }
    }
    return found;
}

/* `years now joined > 60` of riders: by the birth, where the table tells it. Nobody is 2 years old. */
static void take_birth(const struct ir_schema *schema, const struct ir_values *values,
                       const char *question, struct ir_tokens *tokens)
{
    for (size_t i = 2; i + 2 < tokens->count; i++) {
        struct ir_token *column = &tokens->items[i];
        if (ir_is(tokens->items[i - 2], IR_YEARS) &&
            ir_is(tokens->items[i - 1], IR_NOW) && column->kind == IR_COLUMN &&
            column->index > 0 && !is_birth(&schema->columns[column->index]) &&
            is_compare(column[1]) && age_of(values, column[2]) >= PERSON_LEAST &&
            !ir_key_is_named(schema, question, column->index)) {
            int birth = birth_beside(schema, column->index);
            column->index = birth >= 0 ? birth : column->index;
        }
    }
}

/* Does a bare comparison of a year with an age begin here? */
static bool compares_age(const struct ir_schema *schema, const struct ir_values *values,
                         const struct ir_tokens *tokens, size_t at)
{
    return at + 2 < tokens->count && is_year(schema, tokens->items[at]) &&
           is_compare(tokens->items[at + 1]) && age_of(values, tokens->items[at + 2]);
}

void sense_age(struct arena *arena, const struct ir_schema *schema, const char *question,
               const struct tokens *words, const struct ir_values *values,
               struct ir_tokens *tokens)
{
    struct ages ages = {.way = IR_PAD};
    struct ir_tokens out = {0};
    read_ages(words, &ages);
    if (!ages.asked) {
        return;
    }
    take_birth(schema, values, question, tokens);
    for (size_t i = 0; i < tokens->count; i++) {
        bool years = i + 2 < tokens->count && ir_is(tokens->items[i], IR_YEARS) &&
                     is_year(schema, tokens->items[i + 2]);
        bool bare = compares_age(schema, values, tokens, i);
        if (years || bare) {
            push_age(arena, years ? tokens->items[i + 1] : ir_word(IR_NOW),
                     tokens->items[years ? i + 2 : i], &out);
            i += years ? 2 : 0;
        } else {
            VEC_PUSH(arena, &out, tokens->items[i]);
        }
        bool compared = i + 2 < tokens->count && is_compare(tokens->items[i + 1]) &&
                        age_of(values, tokens->items[i + 2]);
        if ((years || bare) && compared) {
            VEC_PUSH(arena, &out, put_right(tokens->items[++i], ages.way));
        }
    }
    *tokens = out;
}
