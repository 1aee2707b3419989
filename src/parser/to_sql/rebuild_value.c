/* Literals: what a value pointer stands for, written so that the column understands it.
 */
#include <ctype.h>
#include <string.h>

#include "base/str.h"
#include "parser/to_sql/rebuild_state.h"

/* The column behind a node of this query, through the queries in FROM. */
static const struct ir_column *column_in(const struct ir_schema *schema,
                                         const struct ir_query *query,
                                         const struct ir_node *node)
{
    while (node) {
        if (ir_node_is_column(node)) {
            return &schema->columns[node->token.index];
        }
        if (node->kind == IR_NODE_ITEM && query && query->from &&
            (size_t)node->item <= query->from->select.count) {
            node = query->from->select.items[node->item - 1];
            query = query->from;
        } else if (ir_node_is(node, IR_MIN) || ir_node_is(node, IR_MAX) ||
                   (node->kind == IR_NODE_CALL && rebuild_is_event(node->keyword))) {
            node = node->args.items[0];
        } else {
            return NULL;
        }
    }
    return NULL;
}

const struct ir_column *rebuild_column_of(const struct rebuilding *rebuilding,
                                          const struct ir_node *node)
{
    return column_in(rebuilding->schema,
                     rebuilding->current ? rebuilding->current->query : NULL, node);
}

enum ir_type rebuild_type(const struct rebuilding *rebuilding, const struct ir_node *node)
{
    const struct ir_column *column = rebuild_column_of(rebuilding, node);
    if (column) {
        return column->type;
    }
    if (node->kind == IR_NODE_QUERY && node->query->select.count == 1) {
        return rebuild_type(rebuilding, node->query->select.items[0]);
    }
    if (node->kind != IR_NODE_CALL) {
        return IR_TYPE_OTHER;
    }
    switch (node->keyword) {
    case IR_MONTH:
    case IR_QUARTER:
    case IR_CONCAT:
    case IR_BUCKET:
    case IR_LEFT_OF:
    case IR_RIGHT_OF:
    case IR_BEFORE_SIGN:
    case IR_AFTER_SIGN:
        return IR_TYPE_TEXT;
    case IR_DAY:
    case IR_WEEK:
    case IR_NOW:
    case IR_SHIFT:
        return IR_TYPE_TIME;
    case IR_IF:
        return rebuild_type(rebuilding, node->args.items[1]);
    case IR_PREVIOUS:
    case IR_OR_ZERO:
    case IR_MIN:
    case IR_MAX:
        return rebuild_type(rebuilding, node->args.items[0]);
    default:
        return IR_TYPE_NUMBER;
    }
}

const struct ir_value *rebuild_value_of(struct rebuilding *rebuilding,
                                        const struct ir_node *node)
{
    const struct ir_values *values = rebuilding->request->values;
    if (node->token.kind == IR_FIXED) {
        if (node->token.index == IR_FIXED_UNKNOWN) {
            rebuild_fail(rebuilding, "A value of the question was not found.");
        }
        return ir_fixed_get(node->token.index);
    }
    if (!values || node->token.kind != IR_VALUE ||
        (size_t)node->token.index >= values->count) {
        rebuild_fail(rebuilding, "A value of the question was not found.");
        return ir_fixed_get(IR_FIXED_UNKNOWN);
    }
    return &values->items[node->token.index];
}

/* Digits, a sign, a point: nothing that SQL could read as anything but a number. */
static bool is_plain_number(const char *text)
{
    size_t digits = 0;
    text += *text == '-' || *text == '+';
    for (; isdigit((unsigned char)*text); text++) {
        digits++;
    }
    if (*text == '.') {
        for (text++; isdigit((unsigned char)*text); text++) {
            digits++;
        }
    }
    return digits > 0 && *text == '\0';
}

static void put_escaped(struct rebuilding *rebuilding, const char *text)
{
    bool backslash = dialect_get(rebuilding->dialect)->backslash_escapes;
    for (; *text; text++) {
        if (*text == '\'') {
            buf_text(&rebuilding->out,
                     rebuilding->dialect == DIALECT_BIGQUERY ? "\\'" : "''");
        } else if (*text == '\\' && backslash) {
            buf_text(&rebuilding->out, "\\\\");
        } else if (*text == '\n' && rebuilding->dialect == DIALECT_BIGQUERY) {
            buf_text(&rebuilding->out, "\\n");
        } else {
            buf_char(&rebuilding->out, *text);
        }
    }
}

void rebuild_text(struct rebuilding *rebuilding, const char *before, const char *text,
                  const char *after)
{
    buf_char(&rebuilding->out, '\'');
    put_escaped(rebuilding, before);
    put_escaped(rebuilding, text);
    put_escaped(rebuilding, after);
    buf_char(&rebuilding->out, '\'');
}

/* '1', 'T', 'yes' beside a real boolean; SQLite has none and keeps what was stored. */
static bool put_boolean(struct rebuilding *rebuilding, const char *text)
{
    static const char *const yes[] = {"1", "t", "true", "y", "yes"};
    static const char *const no[] = {"0", "f", "false", "n", "no"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
        bool is_yes = str_equal_nocase(text, yes[i]);
        if (is_yes || str_equal_nocase(text, no[i])) {
            buf_text(&rebuilding->out, is_yes ? "TRUE" : "FALSE");
            return true;
        }
    }
    return false;
}

void rebuild_value(struct rebuilding *rebuilding, const struct ir_node *node,
                   enum ir_type beside)
{
    const struct ir_value *value = rebuild_value_of(rebuilding, node);
    bool number = is_plain_number(value->text);
    if (beside == IR_TYPE_BOOLEAN && rebuilding->dialect != DIALECT_SQLITE &&
        put_boolean(rebuilding, value->text)) {
        return;
    }
    bool bare = beside == IR_TYPE_NUMBER || (beside != IR_TYPE_TEXT && !value->is_text);
    if (number && bare) {
        buf_text(&rebuilding->out, value->text + (*value->text == '+'));
    } else {
        rebuild_text(rebuilding, "", value->text, "");
    }
}

bool rebuild_count(struct rebuilding *rebuilding, const struct ir_node *node,
                   long long *count)
{
    const struct ir_value *value = rebuild_value_of(rebuilding, node);
    double real;
    if (!str_to_real(value->text, &real) || !(real >= 0 && real <= 1e15)) {
        return rebuild_fail(rebuilding, "A number of rows must be a whole number.");
    }
    *count = (long long)real;
    return true;
}
