/* Operands: values, names, CASE, lists, intervals, subqueries. */
#include "sql/guard/guard_state.h"

#include "base/str.h"

/* ------------------------------------------------------------------ names */

/* Words that are calls without parentheses and tell about the session. */
static bool is_session_word(const struct guard *guard, const struct token *token)
{
    static const struct {
        const char *word;
        const char *dialects;
    } words[] = {
        {"current_user", "dpmco"},  {"currentuser", "c"},     {"currentdatabase", "c"},
        {"session_user", "dpco"},   {"current_role", "dpmo"}, {"current_catalog", "dp"},
        {"current_schema", "dp"},   {"system_user", "po"},    {"user", "p"},
        {"current_database", "dc"},
    };
    /* ClickHouse calls them in quotes, too */
    bool word = token->kind == TOKEN_WORD || guard_dialect(guard, "c");
    for (size_t i = 0; word && i < sizeof words / sizeof *words; i++) {
        if (str_equal_nocase(token->text, words[i].word) &&
            guard_dialect(guard, words[i].dialects)) {
            return true;
        }
    }
    return false;
}

/* a, a.b, a.b.c */
static bool column(struct guard *guard, const struct sql_node *node)
{
    const struct token *first = guard_first(guard, node);
    for (size_t i = 0; i < node->count; i++) {
        if (!guard_expect(guard, node->children[i], SQL_NAME)) {
            return false;
        }
    }
    if (node->count == 0) {
        return guard_unexpected(guard, first);
    }
    if (node->count > 1 && guard_dialect(guard, "mo") &&
        token_is(guard_first(guard, node->children[node->count - 1]), "nextval")) {
        return guard_refuse(guard, first,
                            "NEXTVAL is not allowed: it changes a sequence.");
    }
    if (node->count == 1 && is_session_word(guard, first)) {
        return guard_refuse(
            guard, first, "%.60s is not allowed: it describes the session.", first->text);
    }
    guard->long_name = node->count > 2 && !guard->long_name ? first : guard->long_name;
    guard_reference(guard, node);
    return true;
}

/* ------------------------------------------------------------------ literals */

static bool literal(struct guard *guard, const struct sql_node *node)
{
    (void)guard;
    (void)node;
    return true; /* nothing hangs on it: guard_listed() has looked */
}

/* NULL, CURRENT_DATE, CURRENT_TIMESTAMP(3), CURRENT_DATE('Europe/Paris') */
static bool constant(struct guard *guard, const struct sql_node *node)
{
    const struct sql_node *detail = node->children[SINGLE_VALUE];
    bool clock = str_starts(node->text, "CURRENT_") || str_starts(node->text, "LOCAL");
    if (clock && guard_dialect(guard, "d")) {
        /* CURRENT_DATE, LOCALTIME: DuckDB calls them, and a database may have its own */
        guard_note(guard, &guard->out->functions, str_lower(guard->arena, node->text));
    }
    return !detail || guard_expect(guard, detail,
                                   detail->kind == SQL_STRING ? SQL_STRING : SQL_NUMBER);
}

/* DATE '2024-01-01', TIMESTAMP WITH TIME ZONE '…' */
static bool typed_string(struct guard *guard, const struct sql_node *node)
{
    return guard_type(guard, node->children[PAIR_LEFT]) &&
           guard_expect(guard, node->children[PAIR_RIGHT], SQL_STRING);
}

/* ------------------------------------------------------------------ parts */

/* All children that are there, each a value. */
static bool parts(struct guard *guard, const struct sql_node *node)
{
    for (size_t i = 0; i < node->count; i++) {
        if (node->children[i] && !guard_value(guard, node->children[i])) {
            return false;
        }
    }
    return true;
}

static bool when(struct guard *guard, const struct sql_node *node)
{
    return guard_expect(guard, node, SQL_WHEN) &&
           guard_value(guard, node->children[PAIR_LEFT]) &&
           guard_value(guard, node->children[PAIR_RIGHT]);
}

static bool case_expression(struct guard *guard, const struct sql_node *node)
{
    const struct sql_node *value = node->children[CASE_VALUE];
    const struct sql_node *other = node->children[CASE_ELSE];
    return (!value || guard_value(guard, value)) &&
           guard_list(guard, node->children[CASE_WHENS], when) &&
           (!other || guard_value(guard, other));
}

/* (SELECT …), EXISTS (SELECT …), ARRAY(SELECT …) */
static bool subquery(struct guard *guard, const struct sql_node *node)
{
    return guard_query(guard, node->children[SINGLE_VALUE]);
}

/* EXTRACT(YEAR FROM x) */
static bool extract(struct guard *guard, const struct sql_node *node)
{
    guard_note(guard, &guard->out->functions, "extract");
    return guard_value(guard, node->children[SINGLE_VALUE]);
}

static bool call(struct guard *guard, const struct sql_node *node)
{
    return guard_call(guard, node, false);
}

/* ------------------------------------------------------------------ lists and structs */

/* ARRAY[…], ARRAY<INT64>[…], […] */
static bool array(struct guard *guard, const struct sql_node *node)
{
    const struct sql_node *type = node->children[ARRAY_TYPE];
    if (type && !guard_type(guard, type)) {
        return false;
    }
    guard->unsure++;
    bool ok = guard_expect(guard, node->children[ARRAY_VALUES], SQL_LIST) &&
              guard_values(guard, node->children[ARRAY_VALUES]);
    guard->unsure--;
    return ok;
}

/* [x * 2 FOR x IN list IF x > 1] names x before it is made */
static bool comprehension(struct guard *guard, const struct sql_node *node)
{
    const struct sql_node *test = node->children[COMPREHENSION_IF];
    guard->unsure++;
    bool ok = guard_value(guard, node->children[COMPREHENSION_VALUE]) &&
              guard_expect(guard, node->children[COMPREHENSION_NAME], SQL_NAME) &&
              guard_value(guard, node->children[COMPREHENSION_LIST]) &&
              (!test || guard_value(guard, test));
    guard->unsure--;
    return ok;
}

/* 'a': 1, b: 2 inside braces; 1 AS a inside STRUCT( … ) */
static bool entry(struct guard *guard, const struct sql_node *node)
{
    if (!guard_expect(guard, node, SQL_ENTRY)) {
        return false;
    }
    const struct sql_node *key = node->children[PAIR_LEFT];
    bool ok = !key || (key->kind == SQL_NAME ? guard_expect(guard, key, SQL_NAME)
                                             : guard_value(guard, key));
    return ok && guard_value(guard, node->children[PAIR_RIGHT]);
}

/* MAP {b: 1} has what is in the column b as its key. */
static bool map_entry(struct guard *guard, const struct sql_node *node)
{
    return guard_expect(guard, node, SQL_ENTRY) &&
           guard_value(guard, node->children[PAIR_LEFT]) &&
           guard_value(guard, node->children[PAIR_RIGHT]);
}

static bool structure(struct guard *guard, const struct sql_node *node)
{
    const struct sql_node *type = node->children[STRUCT_TYPE];
    return (!type || guard_type(guard, type)) &&
           guard_list(guard, node->children[STRUCT_ENTRIES], entry);
}

static bool map(struct guard *guard, const struct sql_node *node)
{
    for (size_t i = 0; i < node->count; i++) {
        if (!map_entry(guard, node->children[i])) {
            return false;
        }
    }
    return true;
}

/* lambda x, y: x + y; x -> x + 1, where x may also be a column: only the function knows */
static bool lambda(struct guard *guard, const struct sql_node *node)
{
    const struct sql_node *names = node->children[PAIR_LEFT];
    if (!guard_expect(guard, names, SQL_LIST)) {
        return false;
    }
    for (size_t i = 0; i < names->count; i++) {
        if (!guard_expect(guard, names->children[i], SQL_NAME)) {
            return false;
        }
        if (!sql_has(node, FLAG_KEYWORD)) {
            guard_reference_name(guard, names->children[i]);
        }
    }
    return guard_value(guard, node->children[PAIR_RIGHT]);
}

/* The kinds that are values; what hangs on a value is in guard_expression.c. */
static bool (*const operands[SQL_KIND_COUNT])(struct guard *guard,
                                              const struct sql_node *node) = {
    [SQL_NUMBER] = literal,
    [SQL_STRING] = literal,
    [SQL_BLOB] = literal,
    [SQL_CONSTANT] = constant,
    [SQL_COLUMN] = column,
    [SQL_TYPED_STRING] = typed_string,
    [SQL_INTERVAL] = parts,
    [SQL_UNARY] = parts,
    [SQL_QUANTIFIED] = parts,
    [SQL_TUPLE] = parts,
    [SQL_CASE] = case_expression,
    [SQL_SUBQUERY] = subquery,
    [SQL_EXISTS] = subquery,
    [SQL_ARRAY_QUERY] = subquery,
    [SQL_EXTRACT] = extract,
    [SQL_CALL] = call,
    [SQL_MATCH_AGAINST] = guard_match,
    [SQL_ARRAY] = array,
    [SQL_COMPREHENSION] = comprehension,
    [SQL_STRUCT] = structure,
    [SQL_MAP] = map,
    [SQL_LAMBDA] = lambda,
    [SQL_STAR] = guard_star,
};

bool guard_operand(struct guard *guard, const struct sql_node *node)
{
    if (!guard_listed(guard, node)) {
        return false;
    }
    return operands[node->kind] ? operands[node->kind](guard, node)
                                : guard_unexpected(guard, guard_first(guard, node));
}
