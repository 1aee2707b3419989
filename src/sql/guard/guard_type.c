/* Types, as in CAST(x AS DECIMAL(10, 2)), x::INTEGER[] and STRUCT(a INT, b VARCHAR);
 * also those in a text. */
#include "sql/guard/guard_state.h"

#include <string.h>

#include "base/str.h"

/* A type of the database's own (an enum, say) is fine when a column has it. */
static bool type_in_schema(const struct schema *schema, const char *name)
{
    for (size_t i = 0; i < schema->tables.count; i++) {
        const struct table *table = &schema->tables.items[i];
        for (size_t j = 0; j < table->columns.count; j++) {
            if (str_equal_nocase(table->columns.items[j].type, name)) {
                return true;
            }
        }
    }
    return false;
}

/* regclass and its like look names up in the catalog; an aclitem names roles. */
static bool is_catalog_type(const char *name)
{
    return str_starts_nocase(name, "reg") || str_starts_nocase(name, "pg_") ||
           str_equal_nocase(name, "xml") || str_equal_nocase(name, "oid") ||
           str_equal_nocase(name, "refcursor") || str_equal_nocase(name, "aclitem");
}

static bool type_allowed(struct guard *guard, const struct token *token)
{
    if (guard_dialect(guard, "s") || function_type_known(token->text)) {
        return true;
    }
    /* PostgreSQL calls the type of a list of x _x */
    const char *element = token->text + strspn(token->text, "_");
    if (is_catalog_type(token->text) || is_catalog_type(element)) {
        return false;
    }
    if (!guard_dialect(guard, "dp") || guard->types++ >= GUARD_MAX_TYPES) {
        return false;
    }
    return !guard->schema || type_in_schema(guard->schema, token->text);
}

enum { LENGTH_DIGITS = 5 };

/* Inside ( … ) or < … > of a type: numbers, texts, types, named types. */
static bool type_argument(struct guard *guard, const struct sql_node *node)
{
    if (!guard_listed(guard, node)) {
        return false;
    }
    switch (node->kind) {
    case SQL_NUMBER:
        if (guard_dialect(guard, "pcmo") && strlen(node->text) > LENGTH_DIGITS) {
            return guard_refuse(guard,
                                guard_first(guard, node), /* char(n) is filled up */
                                "The type is too long.");
        }
        return true;
    case SQL_STRING:
    case SQL_NAME: /* max */
        return true;
    case SQL_TYPE:
        return guard_type(guard, node);
    case SQL_COLUMN_DEFINITION:
        return guard_type(guard, node->children[SINGLE_VALUE]);
    case SQL_ARGUMENT: /* CHARACTER SET */
        return guard_expect(guard, node->children[SINGLE_VALUE], SQL_NAME);
    default:
        return guard_unexpected(guard, guard_first(guard, node));
    }
}

/* [] and [3] */
static bool type_dimension(struct guard *guard, const struct sql_node *node)
{
    return guard_expect(guard, node,
                        sql_is(node, SQL_NUMBER) ? SQL_NUMBER : SQL_CONSTANT);
}

bool guard_type(struct guard *guard, const struct sql_node *type)
{
    if (!guard_expect(guard, type, SQL_TYPE) || !guard_enter(guard, type)) {
        return false;
    }
    const struct token *name = guard_first(guard, type);
    if (!type_allowed(guard, name)) {
        return guard_refuse(guard, name, "The type '%.60s' is not allowed in a cast.",
                            name->text);
    }
    guard_note(guard, &guard->out->types, str_lower(guard->arena, name->text));
    bool ok = guard_list(guard, type->children[TYPE_ARGUMENTS], type_argument) &&
              guard_list(guard, type->children[TYPE_DIMENSIONS], type_dimension);
    guard->depth--;
    return ok;
}

/* One token of a type in a text. A word before another word names a field, as in
 * Tuple(id Int32); numbers are lengths, texts are words of an enumeration or a time zone. */
static bool text_token(struct guard *guard, const struct sql_node *string,
                       const struct token *token)
{
    static const char *const signs[] = {"(", ")", ",", "=", "-"};
    bool word = token->kind == TOKEN_WORD || token->kind == TOKEN_NAME;
    if (word && token[1].kind == TOKEN_WORD) {
        return true;
    }
    if (word && (token->kind == TOKEN_NAME || !function_type_known(token->text))) {
        return guard_refuse(guard, guard_first(guard, string),
                            "The type '%.60s' is not allowed in a cast.", token->text);
    }
    if (token->kind == TOKEN_NUMBER && strlen(token->text) > LENGTH_DIGITS) {
        return guard_refuse(guard, guard_first(guard, string), "The type is too long.");
    }
    bool known = word || token->kind == TOKEN_NUMBER || token->kind == TOKEN_STRING;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        known = known || token_is_punct(token, signs[i]);
    }
    if (word) {
        guard_note(guard, &guard->out->types, str_lower(guard->arena, token->text));
    }
    return known || guard_refuse(guard, guard_first(guard, string),
                                 "The type in this text is not allowed in a cast.");
}

/* ClickHouse: CAST(x, 'UInt8'), JSONExtract(x, 'Array(String)') */
bool guard_type_text(struct guard *guard, const struct sql_node *string)
{
    struct tokens tokens = {0};
    if (!sql_is(string, SQL_STRING)) {
        return guard_refuse(guard, guard_first(guard, string),
                            "The type must be a plain text.");
    }
    const char *text = guard_text(guard, string);
    lexer_run(guard->arena, DIALECT_CLICKHOUSE, text, strlen(text), &tokens);
    bool ok = tokens.items[0].kind != TOKEN_END ||
              guard_refuse(guard, guard_first(guard, string), "The type is missing.");
    for (const struct token *at = tokens.items; ok && at->kind != TOKEN_END; at++) {
        ok = text_token(guard, string, at);
    }
    return ok;
}
