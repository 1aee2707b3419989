/* Finds comparisons of a column with a constant text. */
#include <ctype.h>
#include <string.h>

#include "agent/literals/literals_state.h"
#include "base/str.h"

enum { TEXT_MOST = 100 };

struct finding {
    struct arena *arena;
    const struct sql_resolved *resolved;
    size_t most;
    struct literals *out;
};

bool literal_is_bit(const struct column *column)
{
    bool bits = column->least && column->greatest && str_equal(column->least, "0") &&
                str_equal(column->greatest, "1");
    for (size_t i = 0; column->samples_all && i < column->samples.count; i++) {
        bits = str_equal(column->samples.items[i], "0") ||
               str_equal(column->samples.items[i], "1");
        if (!bits) {
            return false;
        }
    }
    return bits && !column->is_text;
}

/* Dates and amounts are compared by meaning, not by text. */
static bool has_letter(const char *text)
{
    for (; *text; text++) {
        if (isalpha((unsigned char)*text) || (unsigned char)*text >= 0x80) {
            return true;
        }
    }
    return false;
}

static bool is_digit(const char *text)
{
    return str_equal(text, "0") || str_equal(text, "1");
}

/* The text of a value; NULL: it is none that a text column is compared with. */
static const char *text_of(const struct sql_node *value)
{
    switch ((int)value->kind) {
    case SQL_STRING:
        return has_letter(value->text) || is_digit(value->text) ? value->text : NULL;
    case SQL_NUMBER: /* a flag: other numbers are numbers */
        return is_digit(value->text) ? value->text : NULL;
    case SQL_CONSTANT:
        return str_equal_nocase(value->text, "true") ||
                       str_equal_nocase(value->text, "false")
                   ? value->text
                   : NULL;
    default:
        return NULL;
    }
}

static void add(struct finding *finding, const struct sql_node *left,
                struct sql_node *value)
{
    const struct sql_reference *reference =
        sql_is(left, SQL_COLUMN) ? sql_reference_of(finding->resolved, left) : NULL;
    const struct column *column = reference ? reference->column : NULL;
    const struct table *table = column ? sql_reference_table(reference, NULL) : NULL;
    const char *text = text_of(value);
    bool judged =
        table && text && !reference->fields && finding->out->count < finding->most &&
        strlen(text) <= TEXT_MOST &&
        (column->is_text || (value->kind == SQL_STRING && literal_is_bit(column)));
    if (judged) {
        VEC_PUSH(finding->arena, finding->out,
                 ((struct literal){table, column, value, text}));
    }
}

static bool is_equality(const struct sql_node *node)
{
    return node->kind == SQL_BINARY &&
           (str_equal(node->text, "=") || str_equal(node->text, "<>") ||
            str_equal(node->text, "!="));
}

static bool look_at(void *context, struct sql_node *node)
{
    struct finding *finding = context;
    if (is_equality(node)) {
        add(finding, node->children[PAIR_LEFT], node->children[PAIR_RIGHT]);
        add(finding, node->children[PAIR_RIGHT], node->children[PAIR_LEFT]);
    }
    const struct sql_node *list =
        node->kind == SQL_IN && (sql_is(node->children[PAIR_RIGHT], SQL_TUPLE) ||
                                 sql_is(node->children[PAIR_RIGHT], SQL_LIST))
            ? node->children[PAIR_RIGHT]
            : NULL;
    for (size_t i = 0; list && i < list->count; i++) {
        add(finding, node->children[PAIR_LEFT], list->children[i]);
    }
    return true;
}

void literals_find(struct arena *arena, struct sql_node *root,
                   const struct sql_resolved *resolved, size_t most, struct literals *out)
{
    struct finding finding = {arena, resolved, most, out};
    *out = (struct literals){0};
    sql_walk(root, look_at, &finding);
}
