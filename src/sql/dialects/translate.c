/* The walk: each node is offered to the forms and to the functions for its kind. */
#include "sql/dialects/translate.h"

#include <string.h>

#include "sql/function.h"

enum { TRANSLATE_MAX_DEPTH = 400, NOTES_MOST = 12, HANDLERS_MOST = 7 };

static const char dialect_letters[DIALECT_COUNT + 1] = "sdpmcbo";

bool translate_from(const struct translation *translation, const char *letters)
{
    return strchr(letters, dialect_letters[translation->from]) != NULL;
}

bool translate_to(const struct translation *translation, const char *letters)
{
    return strchr(letters, dialect_letters[translation->to]) != NULL;
}

struct sql_node *translate_refuse(struct translation *translation, const char *why)
{
    if (!translation->impossible) {
        translation->impossible = true;
        translation->out->why = why;
    }
    return NULL;
}

void translate_tell(struct translation *translation, const char *sentence)
{
    struct texts *notes = &translation->out->notes;
    for (size_t i = 0; i < notes->count; i++) {
        if (str_equal(notes->items[i], sentence)) {
            return;
        }
    }
    if (notes->count < NOTES_MOST) {
        VEC_PUSH(translation->arena, notes, sentence);
    }
}

void translate_note(struct translation *translation, const char *was, const char *now)
{
    const char *title = dialect_get(translation->to)->title;
    bool known = function_find(translation->to, was) || str_equal_nocase(was, now) ||
                 strcmp(was, "||") == 0 || str_starts(was, "CAST");
    translate_tell(translation,
                   arena_format(translation->arena,
                                known ? "%s was written as %s for %s."
                                      : "%s was written as %s, because %s has no %s.",
                                was, now, title, was));
}

/* The first one that knows the node decides; what no one knows keeps its shape. */
static translate_function *const handlers[SQL_KIND_COUNT][HANDLERS_MOST] = {
    [SQL_BINARY] = {dates_binary, dates_compare, patterns_binary, texts_binary,
                    numbers_binary},
    [SQL_BETWEEN] = {dates_between},
    [SQL_LIKE] = {patterns_like, texts_like},
    [SQL_CALL] = {dates_call, formats_call, aggregates_call, texts_call, patterns_call,
                  numbers_call},
    [SQL_CAST] = {casts_cast},
    [SQL_TYPED_STRING] = {casts_typed},
    [SQL_CONSTANT] = {casts_constant},
    [SQL_QUERY] = {queries_query},
    [SQL_SELECT] = {queries_select},
    [SQL_WINDOW] = {queries_window},
};

struct sql_node *translate_node(struct translation *translation, struct sql_node *node)
{
    if (!node || translation->impossible) {
        return node;
    }
    if (translation->depth >= TRANSLATE_MAX_DEPTH) {
        translate_refuse(translation, "it is nested too deeply");
        return node;
    }
    translation->depth++;
    struct sql_node *made = forms_apply(translation, node);
    for (size_t i = 0; i < HANDLERS_MOST && handlers[node->kind][i] && !made; i++) {
        made = handlers[node->kind][i](translation, node);
    }
    if (!made) {
        for (size_t i = 0; i < node->count; i++) {
            node->children[i] = translate_node(translation, node->children[i]);
        }
        made = node;
    }
    translation->depth--;
    return made;
}

bool translate(struct translation *translation)
{
    translation->forms = forms_load(translation);
    translation->root = translate_node(translation, translation->root);
    return !translation->impossible;
}

/* ------------------------------------------------------------------ small trees */

struct sql_node *make_call(struct translation *translation, const char *name,
                           struct sql_node *first, struct sql_node *second,
                           struct sql_node *third)
{
    struct sql_node *call = sql_node(translation->arena, SQL_CALL, name);
    struct sql_node *list = sql_node(translation->arena, SQL_LIST, NULL);
    sql_add(translation->arena, list, first);
    sql_add(translation->arena, list, second);
    sql_add(translation->arena, list, third);
    call->children[CALL_ARGUMENTS] = list;
    return call;
}

struct sql_node *make_string(struct translation *translation, const char *text)
{
    return sql_node(translation->arena, SQL_STRING, text);
}

struct sql_node *make_number(struct translation *translation, long number)
{
    struct sql_node *node =
        sql_node(translation->arena, SQL_NUMBER,
                 arena_format(translation->arena, "%ld", number < 0 ? -number : number));
    if (number >= 0) {
        return node;
    }
    struct sql_node *minus = sql_node(translation->arena, SQL_UNARY, "-");
    minus->children[SINGLE_VALUE] = node;
    return minus;
}

struct sql_node *make_pair(struct translation *translation, const char *operator,
                           struct sql_node * left, struct sql_node *right)
{
    struct sql_node *pair = sql_node(translation->arena, SQL_BINARY, operator);
    pair->children[PAIR_LEFT] = left;
    pair->children[PAIR_RIGHT] = right;
    return pair;
}

struct sql_node *make_cast(struct translation *translation, struct sql_node *value,
                           const char *type)
{
    struct sql_node *cast = sql_node(translation->arena, SQL_CAST, NULL);
    cast->children[PAIR_LEFT] = value;
    cast->children[PAIR_RIGHT] = sql_node(translation->arena, SQL_TYPE, type);
    return cast;
}

struct sql_node *make_case(struct translation *translation, struct sql_node *condition,
                           struct sql_node *then, struct sql_node *otherwise)
{
    struct sql_node *node = sql_node(translation->arena, SQL_CASE, NULL);
    struct sql_node *when = sql_node(translation->arena, SQL_WHEN, NULL);
    when->children[PAIR_LEFT] = condition;
    when->children[PAIR_RIGHT] = then;
    node->children[CASE_WHENS] = sql_node(translation->arena, SQL_LIST, NULL);
    sql_add(translation->arena, node->children[CASE_WHENS], when);
    node->children[CASE_ELSE] = otherwise;
    return node;
}

struct sql_node *make_column(struct translation *translation, const char *name)
{
    struct sql_node *column = sql_node(translation->arena, SQL_COLUMN, NULL);
    sql_add(translation->arena, column, sql_node(translation->arena, SQL_NAME, name));
    return column;
}

/* ------------------------------------------------------------------ small questions */

/* Of several parts, the first function says most. */
static const char *first_call(const struct sql_node *node)
{
    const char *name = sql_is(node, SQL_CALL) ? node->text : NULL;
    for (size_t i = 0; node && i < node->count && !name; i++) {
        name = first_call(node->children[i]);
    }
    return name;
}

const char *node_title(struct translation *translation, const struct sql_node *node)
{
    const char *name = first_call(node);
    switch (node->kind) {
    case SQL_EXTRACT:
        return arena_format(translation->arena, "EXTRACT(%s)", node->text);
    case SQL_CAST:
    case SQL_BINARY:
        return name ? name : node->text ? node->text : "CAST";
    case SQL_CASE:
        return "CASE";
    case SQL_COLUMN:
        return node->children[0]->text;
    case SQL_SUBQUERY:
        return "a subquery";
    default:
        return node->text ? node->text : sql_kind_name(node->kind);
    }
}

struct sql_node *call_argument(const struct sql_node *call, size_t at)
{
    return sql_child(call->children[CALL_ARGUMENTS], at);
}

bool is_call(const struct sql_node *node, const char *name, size_t arguments)
{
    return sql_is(node, SQL_CALL) && str_equal_nocase(node->text, name) &&
           node->children[CALL_ARGUMENTS]->count == arguments;
}
