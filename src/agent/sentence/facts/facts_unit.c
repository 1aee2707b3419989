/* The unit of a figure, from the name or the description of its columns. */
#include <ctype.h>
#include <string.h>

#include "agent/sentence/facts/facts_column.h"
#include "base/str.h"
#include "model/kept.h"

static const struct {
    const char *words[5];
    struct fact_unit unit;
} units[] = {
    {{"eur", "euro", "euros", "€"}, {"€", true}},
    {{"usd", "dollar", "dollars", "$"}, {"$", true}},
    {{"gbp", "£"}, {"£", true}},
    {{"jpy", "yen", "¥"}, {"¥", true}},
    {{"chf"}, {"CHF", false}},
    {{"sek"}, {"SEK", false}},
    {{"nok"}, {"NOK", false}},
    {{"dkk"}, {"DKK", false}},
    {{"pln"}, {"PLN", false}},
    {{"czk"}, {"CZK", false}},
    {{"km", "kilometers", "kilometres"}, {"km", false}},
    {{"kg", "kilograms"}, {"kg", false}},
    {{"cm"}, {"cm", false}},
    {{"kwh"}, {"kWh", false}},
};

enum {
    UNITS = sizeof units / sizeof *units,
    CURRENCIES = 10,
    WORD_MOST = 16,
    NO_UNIT = -1
};

static int unit_called(const char *word)
{
    for (int i = 0; i < (int)UNITS; i++) {
        for (size_t k = 0; k < 5 && units[i].words[k]; k++) {
            if (str_equal_nocase(word, units[i].words[k])) {
                return i;
            }
        }
    }
    return NO_UNIT;
}

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || (unsigned char)c >= 0x80 || c == '$';
}

/* The only unit among the words; cents and several units are no answer. */
static int unit_among(const char *text, size_t most)
{
    int found = NO_UNIT;
    size_t at = 0;
    while (text[at] && at < most) {
        char word[WORD_MOST];
        size_t size = 0;
        while (text[at] && !is_letter(text[at])) {
            at++;
        }
        while (is_letter(text[at]) && at < most) {
            bool hump = size && isupper((unsigned char)text[at]) &&
                        islower((unsigned char)text[at - 1]);
            if (hump || size == WORD_MOST - 1) {
                break;
            }
            word[size++] = text[at++];
        }
        word[size] = '\0';
        if (str_equal_nocase(word, "cent") || str_equal_nocase(word, "cents") ||
            str_equal_nocase(word, "thousand") || str_equal_nocase(word, "thousands") ||
            str_equal_nocase(word, "million") || str_equal_nocase(word, "millions")) {
            return NO_UNIT;
        }
        int unit = unit_called(word);
        if (unit != NO_UNIT && found != NO_UNIT && unit != found) {
            return NO_UNIT;
        }
        found = unit != NO_UNIT ? unit : found;
    }
    return found;
}

static int unit_number(const struct column *column)
{
    enum { TEXT_MOST = 300 };
    int unit = unit_among(column->name, TEXT_MOST);
    if (unit == NO_UNIT && column->comment &&
        !str_contains_nocase(column->name, "cent")) {
        unit = unit_among(column->comment, TEXT_MOST);
    }
    if (unit == NO_UNIT && column->is_text) {
        struct kept kept;
        kept_of(column, &kept);
        unit = kept.form == KEPT_AMOUNT && kept.unit ? unit_called(kept.unit) : NO_UNIT;
    }
    return unit;
}

static struct fact_unit unit_at(int number)
{
    return number == NO_UNIT ? (struct fact_unit){.text = NULL} : units[number].unit;
}

struct fact_unit facts_unit_of(const struct column *column)
{
    return unit_at(unit_number(column));
}

/* What of an expression is said in the currency of its columns: not a ratio. */
struct money {
    const struct sql_resolved *resolved;
    int unit;
    int factors; /* columns with a currency */
    bool unclear;
};

static bool find_money(void *context, struct sql_node *node)
{
    struct money *money = context;
    if (node->kind == SQL_COLUMN) {
        const struct sql_reference *reference = sql_reference_of(money->resolved, node);
        int unit =
            reference && reference->column ? unit_number(reference->column) : NO_UNIT;
        money->unclear |=
            unit != NO_UNIT && money->unit != NO_UNIT && unit != money->unit;
        money->unit = unit != NO_UNIT ? unit : money->unit;
        money->factors += unit != NO_UNIT;
        return false;
    }
    bool same = node->kind == SQL_NUMBER ||
                (node->kind == SQL_BINARY &&
                 (str_equal(node->text, "*") || str_equal(node->text, "+") ||
                  str_equal(node->text, "-")));
    money->unclear |= !same;
    return !money->unclear;
}

struct fact_unit facts_unit(const struct sql_resolved *resolved,
                            const struct sql_node *value)
{
    struct money money = {.resolved = resolved, .unit = NO_UNIT};
    union { /* the walk does not change what it shows */
        const struct sql_node *borrowed;
        struct sql_node *tree;
    } root = {value};
    sql_walk(root.tree, find_money, &money);
    bool plain = sql_is(value, SQL_COLUMN);
    bool times = sql_is(value, SQL_BINARY) && str_equal(value->text, "*");
    bool clear = !money.unclear && money.unit != NO_UNIT &&
                 (plain || (money.unit < CURRENCIES && (!times || money.factors == 1)));
    return unit_at(clear ? money.unit : NO_UNIT);
}

/* 100 * a / b */
struct percent {
    bool hundred;
    bool divides;
};

static bool find_percent(void *context, struct sql_node *node)
{
    struct percent *percent = context;
    percent->hundred |= node->kind == SQL_NUMBER &&
                        (str_equal(node->text, "100") || str_equal(node->text, "100.0"));
    percent->divides |= node->kind == SQL_BINARY && str_equal(node->text, "/");
    return node->kind == SQL_BINARY || node->kind == SQL_CAST;
}

struct fact_unit facts_percent(const struct sql_node *value)
{
    struct percent percent = {.hundred = false};
    union { /* the walk does not change what it shows */
        const struct sql_node *borrowed;
        struct sql_node *tree;
    } root = {value};
    sql_walk(root.tree, find_percent, &percent);
    bool found = percent.hundred && percent.divides;
    return (struct fact_unit){.text = found ? "%" : NULL};
}
