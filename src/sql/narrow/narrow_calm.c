/* Whether a statement can fail on a row, and so tell a value of it. */
#include "base/str.h"
#include "sql/narrow/narrow_state.h"

/* Kinds of nodes that cannot fail on a row. */
static const bool calm_kinds[SQL_KIND_COUNT] = {
    [SQL_QUERY] = true,      [SQL_SELECT] = true,  [SQL_SET_OPERATION] = true,
    [SQL_LIST] = true,       [SQL_CTE] = true,     [SQL_ITEM] = true,
    [SQL_STAR] = true,       [SQL_NAME] = true,    [SQL_ORDER_ITEM] = true,
    [SQL_TABLE] = true,      [SQL_DERIVED] = true, [SQL_JOIN] = true,
    [SQL_JOIN_GROUP] = true, [SQL_ALIAS] = true,   [SQL_NUMBER] = true,
    [SQL_STRING] = true,     [SQL_COLUMN] = true,  [SQL_CONSTANT] = true,
    [SQL_SUBQUERY] = true,   [SQL_EXISTS] = true,  [SQL_TUPLE] = true,
    [SQL_CASE] = true,       [SQL_WHEN] = true,    [SQL_IS] = true,
    [SQL_IN] = true,         [SQL_BETWEEN] = true, [SQL_LIKE] = true,
    [SQL_BINARY] = true,     [SQL_UNARY] = true,   [SQL_CALL] = true,
    [SQL_WINDOW] = true,     [SQL_FRAME] = true,   [SQL_FRAME_BOUND] = true,
};

/* Operators and functions among them. */
static bool is_calm_word(const struct sql_node *node)
{
    static const struct {
        enum sql_kind kind;
        const char *text;
    } calm[] = {{SQL_BINARY, "AND"},   {SQL_BINARY, "OR"},  {SQL_BINARY, "="},
                {SQL_BINARY, "<"},     {SQL_BINARY, ">"},   {SQL_BINARY, "<="},
                {SQL_BINARY, ">="},    {SQL_BINARY, "<>"},  {SQL_UNARY, "NOT"},
                {SQL_LIKE, "LIKE"},    {SQL_LIKE, "ILIKE"}, {SQL_LIKE, "GLOB"},
                {SQL_CALL, "count"},   {SQL_CALL, "sum"},   {SQL_CALL, "avg"},
                {SQL_CALL, "min"},     {SQL_CALL, "max"},   {SQL_CALL, "lower"},
                {SQL_CALL, "upper"},   {SQL_CALL, "trim"},  {SQL_CALL, "length"},
                {SQL_CALL, "coalesce"}};
    for (size_t i = 0; i < sizeof calm / sizeof *calm; i++) {
        if (calm[i].kind == node->kind && str_equal_nocase(calm[i].text, node->text)) {
            return true;
        }
    }
    return false;
}

bool narrow_is_calm(const struct sql_node *node)
{
    bool worded = node->kind == SQL_BINARY || node->kind == SQL_UNARY ||
                  node->kind == SQL_LIKE || node->kind == SQL_CALL;
    bool calm = calm_kinds[node->kind] && (!worded || is_calm_word(node)) &&
                !(node->kind == SQL_LIKE && node->children[TRIPLE_THIRD]) &&
                !(node->kind == SQL_STAR && node->children[STAR_OPTIONS]);
    for (size_t i = 0; calm && i < node->count; i++) {
        bool inside = node->kind != SQL_CALL || i == CALL_ARGUMENTS || i == CALL_OVER;
        calm = !node->children[i] || (inside && narrow_is_calm(node->children[i]));
    }
    return calm;
}
