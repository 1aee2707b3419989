/* "In March 2026" where a table has the month in one column and the year in another: neither is
 * ever "2026-03". */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "parser/search/mend/mend_state.h"

enum { YEAR_SIZE = 4, MONTH_LETTERS = 3, MONTHS = 12, MONTHS_OF_QUARTER = 3 };

/* The months of "2026-03" and "2026-Q1", from 1; their number. */
static int months_of(const char *text, int *first)
{
    size_t digits = text ? strspn(text, "0123456789") : 0;
    const char *rest = text ? text + digits : "";
    if (digits != YEAR_SIZE || *rest != '-') {
        return 0;
    }
    bool quarter = rest[1] == 'Q' && rest[2] >= '1' && rest[2] <= '4' && !rest[3];
    bool month = strlen(rest) == 3 && isdigit((unsigned char)rest[1]) &&
                 isdigit((unsigned char)rest[2]);
    long number = strtol(rest + 1 + quarter, NULL, 10);
    *first = (int)(quarter ? (number - 1) * MONTHS_OF_QUARTER + 1 : number);
    return *first < 1 || *first > MONTHS ? 0 : quarter ? MONTHS_OF_QUARTER : month;
}

/* Named so, and a number: `year`, `order_year`. */
static bool is_year(const struct ir_schema *schema, int index)
{
    const struct ir_column *column = &schema->columns[index];
    const char *type = column->source ? column->source->type : NULL;
    bool number =
        column->type == IR_TYPE_NUMBER ||
        (type && (str_contains_nocase(type, "int") || str_contains_nocase(type, "num")));
    return index > 0 && number &&
           (str_equal_nocase(column->name, "year") ||
            str_equal_nocase(column->name, "yr") || str_ends(column->name, "_year") ||
            str_ends(column->name, "Year"));
}

static int month_beside(const struct ir_schema *schema, int year)
{
    const struct ir_table *table = &schema->tables[schema->columns[year].table];
    for (int i = table->first_column; i < table->first_column + table->column_count;
         i++) {
        const struct ir_column *column = &schema->columns[i];
        bool kind = column->type == IR_TYPE_NUMBER || column->type == IR_TYPE_TEXT ||
                    column->type == IR_TYPE_TIME;
        if (kind && (str_contains_nocase(column->name, "month") ||
                     str_equal_nocase(column->name, "mon"))) {
            return i;
        }
    }
    return -1;
}

static const char *const months[] = {"January",   "February", "March",    "April",
                                     "May",       "June",     "July",     "August",
                                     "September", "October",  "November", "December"};

/* 1 for "January", "jan" and "01"; 0: no month. */
static int month_number(const char *text)
{
    size_t size = strlen(text);
    long number = size <= 2 && isdigit((unsigned char)*text) ? strtol(text, NULL, 10) : 0;
    for (int i = 0; i < MONTHS && size >= MONTH_LETTERS && !number; i++) {
        number = strncasecmp(text, months[i], size) == 0 ? i + 1 : 0;
    }
    return number >= 1 && number <= MONTHS ? (int)number : 0;
}

/* The month in the way of another one. */
static const char *written_like(struct arena *arena, const char *sample, int month)
{
    size_t size = strlen(sample);
    if (isdigit((unsigned char)*sample)) {
        return arena_format(arena, size == 2 ? "%02d" : "%d", month);
    }
    bool brief = size == MONTH_LETTERS && !str_equal_nocase(sample, "may");
    char *text = arena_copy(arena, months[month - 1],
                            brief ? MONTH_LETTERS : strlen(months[month - 1]));
    bool upper = isupper((unsigned char)sample[1]) != 0;
    for (size_t i = 0; text[i]; i++) {
        bool large = i ? upper : isupper((unsigned char)*sample) != 0;
        text[i] = (char)(large ? toupper((unsigned char)text[i])
                               : tolower((unsigned char)text[i]));
    }
    return text;
}

/* The month as the column writes it: 3, "03", "March", "MAR". NULL: in none of these ways. */
static const char *written(const struct mend *mend, int column, int month, bool *is_text)
{
    const struct ir_column *info = &mend->schema->columns[column];
    const struct column *source = info->source;
    const char *alike = NULL;
    *is_text = source ? source->is_text : info->type == IR_TYPE_TEXT;
    if (!*is_text) {
        return arena_format(mend->arena, "%d", month);
    }
    for (size_t i = 0; source && i < source->samples.count; i++) {
        int found = month_number(source->samples.items[i]);
        if (found == month) {
            return source->samples.items[i];
        }
        bool may = str_equal_nocase(source->samples.items[i], "may");
        alike = found && (!alike || !may) ? source->samples.items[i] : alike;
    }
    return alike ? written_like(mend->arena, alike, month) : NULL;
}

static struct ir_node *add_value(const struct mend *mend, const char *text, bool is_text)
{
    struct ir_values *values = mend->request->values;
    for (size_t i = 0; i < values->count; i++) {
        if (str_equal(values->items[i].text, text) &&
            values->items[i].is_text == is_text) {
            return ir_node_token(mend->arena, (struct ir_token){IR_VALUE, (int)i});
        }
    }
    if (!mend->request->adds) {
        return NULL;
    }
    VEC_PUSH(mend->arena, values, ((struct ir_value){text, is_text, NULL}));
    return ir_node_token(mend->arena,
                         (struct ir_token){IR_VALUE, (int)values->count - 1});
}

/* The number may have been read from the question as a text. */
static struct ir_node *add_number(const struct mend *mend, const char *text)
{
    const struct ir_values *values = mend->request->values;
    for (size_t i = 0; i < values->count; i++) {
        if (str_equal(values->items[i].text, text)) {
            return ir_node_token(mend->arena, (struct ir_token){IR_VALUE, (int)i});
        }
    }
    return add_value(mend, text, false);
}

/* month in ("January", "February", "March") */
static struct ir_node *in_months(const struct mend *mend, int column, int first,
                                 int count)
{
    struct ir_node *in = ir_node_call(mend->arena, count == 1 ? IR_EQUAL : IR_IN,
                                      ir_node_column(mend->arena, column, false), NULL);
    for (int i = 0; i < count; i++) {
        bool is_text;
        const char *text = written(mend, column, first + i, &is_text);
        struct ir_node *value = text ? add_value(mend, text, is_text) : NULL;
        if (!value) {
            return NULL;
        }
        VEC_PUSH(mend->arena, &in->args, value);
    }
    return in;
}

/* month = "March", as the question says it, too: nothing to add. */
static bool is_there(const struct mend *mend, struct ir_node *where, int column,
                     int month)
{
    for (size_t i = 0; i < mend_part_count(where); i++) {
        const struct ir_node *part = *mend_part(&where, i);
        const char *text = ir_node_is(part, IR_EQUAL) &&
                                   ir_node_is_column(part->args.items[0]) &&
                                   part->args.items[0]->token.index == column
                               ? mend_text(mend, part->args.items[1])
                               : NULL;
        if (text && month_number(text) == month) {
            return true;
        }
    }
    return false;
}

/* Leaves out other conditions on the month: the period says which one it is. */
static struct ir_node *without(const struct mend *mend, struct ir_node *where, int month,
                               struct ir_node *kept)
{
    struct ir_node *left = NULL;
    for (size_t i = 0; i < mend_part_count(where); i++) {
        struct ir_node *part = *mend_part(&where, i);
        bool other = part != kept && part->kind == IR_NODE_CALL && part->args.count &&
                     ir_node_is_column(part->args.items[0]) &&
                     part->args.items[0]->token.index == month;
        left = other ? left : mend_and(mend, left, part);
    }
    return left;
}

bool mend_months(const struct mend *mend, struct ir_query *query)
{
    for (size_t i = 0; i < mend_part_count(query->where); i++) {
        struct ir_node *part = *mend_part(&query->where, i);
        bool equal = ir_node_is(part, IR_EQUAL) || ir_node_is(part, IR_DURING);
        int column =
            equal && part->args.count == 2 && ir_node_is_column(part->args.items[0])
                ? part->args.items[0]->token.index
                : 0;
        int month = column > 0 && is_year(mend->schema, column)
                        ? month_beside(mend->schema, column)
                        : -1;
        int first = 0;
        const char *text = month >= 0 ? mend_text(mend, part->args.items[1]) : NULL;
        int count = months_of(text, &first);
        struct ir_node *more = count ? in_months(mend, month, first, count) : NULL;
        struct ir_node *year =
            more ? add_number(mend, arena_copy(mend->arena, text, YEAR_SIZE)) : NULL;
        if (year) {
            part->keyword = IR_EQUAL;
            part->args.items[1] = year;
            bool said = count == 1 && is_there(mend, query->where, month, first);
            query->where =
                said ? query->where
                     : mend_and(mend, without(mend, query->where, month, part), more);
            return true;
        }
    }
    return false;
}
