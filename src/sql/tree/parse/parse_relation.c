/* One relation of FROM: a table or a function, its alias and what may follow it. */
#include "sql/tree/parse/parse_state.h"

static struct sql_node *alias_column(struct parse *parse)
{
    if (!parse_at_name(parse)) {
        return parse_unexpected(parse);
    }
    const struct token *from = parse->at;
    struct sql_node *name = parse_name(parse);
    if (parse->at->kind != TOKEN_WORD) {
        return name;
    }
    struct sql_node *column = parse_node(parse, SQL_COLUMN_DEFINITION, name->text, from);
    column->flags = name->flags;
    column->children[SINGLE_VALUE] = parse_type(parse);
    return column->children[SINGLE_VALUE] ? parse_end(parse, column) : NULL;
}

/* [AS] alias [(columns)]; *alias stays NULL when there is none. False after an error. */
bool parse_relation_alias(struct parse *parse, struct sql_node **alias, bool function)
{
    const struct token *from = parse->at;
    bool as = parse_take(parse, KEYWORD_as);
    if (function && (parse_at(parse, KEYWORD_over) || parse_at(parse, KEYWORD_filter) ||
                     parse_at(parse, KEYWORD_within))) {
        return parse_unexpected(parse); /* behind a call these are words of the call */
    }
    /* ODBC: the word is printed without AS */
    bool free = as && !parse_dialect(parse, "o");
    if (free ? parse_at_name(parse) : parse_at_alias(parse)) {
        *alias = parse_node(parse, SQL_ALIAS, parse->at->text, from);
        (*alias)->flags = parse->at->kind == TOKEN_NAME ? FLAG_QUOTED : 0;
        parse->at++;
    } else if (as && !(function && parse_at_char(parse, '('))) {
        return parse_unexpected(parse);
    } else if (as) {
        *alias = parse_node(parse, SQL_ALIAS, NULL, from); /* f() AS (a int, b text) */
    }
    if (*alias && parse_take_char(parse, '(')) {
        (*alias)->children[SINGLE_VALUE] = parse_list(parse, alias_column);
        if (!(*alias)->children[SINGLE_VALUE] || !parse_expect_char(parse, ')')) {
            return false;
        }
    }
    if (*alias) {
        parse_end(parse, *alias);
    }
    return true;
}

/* TABLESAMPLE BERNOULLI (10) REPEATABLE (1), TABLESAMPLE 10%; SAMPLE 0.1 in ClickHouse */
bool parse_sample(struct parse *parse, struct sql_node **out, unsigned *flags)
{
    if (parse_dialect(parse, "c")) {
        *flags |= parse_take(parse, KEYWORD_final) ? FLAG_FINAL : 0;
        if (!parse_at(parse, KEYWORD_sample)) {
            return true;
        }
        *out = parse_node(parse, SQL_SAMPLE, NULL, parse->at++);
        (*out)->children[SINGLE_VALUE] = parse_expression(parse);
        return (*out)->children[SINGLE_VALUE] && parse_end(parse, *out);
    }
    if (!parse_dialect(parse, "dpbo") || !parse_at(parse, KEYWORD_tablesample)) {
        return true;
    }
    *out = parse_node(parse, SQL_SAMPLE, NULL, parse->at++);
    static const char *const methods[] = {"bernoulli", "system", "reservoir"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (parse_take_text(parse, methods[i])) {
            (*out)->text = parse_upper(parse, methods[i]);
            break;
        }
    }
    bool parentheses = parse_take_char(parse, '(');
    bool bare = !parentheses && parse_dialect(parse, "p");
    if (parse->at->kind != TOKEN_NUMBER || bare) {
        return parse_unexpected(parse);
    }
    (*out)->children[SINGLE_VALUE] = parse_operand(parse);
    bool rows = !parse_dialect(parse, "p") && parse_take(parse, KEYWORD_rows);
    if (!rows && (parse_take_char(parse, '%') || parse_take_text(parse, "percent") ||
                  parse_dialect(parse, "p"))) {
        (*out)->flags |= FLAG_PERCENT;
    }
    if (!(*out)->text) { /* as DuckDB does it when nothing is said */
        bool some = parse_dialect(parse, "d") && !sql_has(*out, FLAG_PERCENT);
        (*out)->text = some ? "RESERVOIR" : "SYSTEM";
    }
    if (parentheses && !parse_expect_char(parse, ')')) {
        return false;
    }
    if (parse_dialect(parse, "dp") && parse_at_text(parse, "repeatable") &&
        parse->at[2].kind == TOKEN_NUMBER && token_is_punct(parse->at + 3, ")")) {
        (*out)->variant = 1;
        struct sql_node *seed =
            parse_node(parse, SQL_NUMBER, parse->at[2].text, parse->at);
        struct sql_node *both = parse_node(parse, SQL_TUPLE, NULL, parse->at);
        sql_add(parse->arena, both, (*out)->children[SINGLE_VALUE]);
        sql_add(parse->arena, both, seed);
        (*out)->children[SINGLE_VALUE] = both;
        parse->at += 4;
    } else if (parse_dialect(parse, "dp") && parse_at_text(parse, "repeatable")) {
        return parse_unexpected(parse);
    }
    return parse_end(parse, *out);
}

/* WITH ORDINALITY; BigQuery: WITH OFFSET [AS name] */
static bool suffix(struct parse *parse, unsigned *flags, struct sql_node **offset)
{
    if (parse_at(parse, KEYWORD_with) && parse_next_is(parse, KEYWORD_ordinality) &&
        parse_dialect(parse, "pd")) {
        parse->at += 2;
        *flags |= FLAG_ORDINALITY;
    } else if (parse_at(parse, KEYWORD_with) && parse_next_is(parse, KEYWORD_offset) &&
               parse_dialect(parse, "b")) {
        parse->at += 2;
        parse_take(parse, KEYWORD_as);
        if (parse_at_alias(parse) || parse_at(parse, KEYWORD_offset)) {
            *offset = parse_name(parse);
        } else {
            *offset = sql_node(parse->arena, SQL_NAME, "offset");
        }
    }
    return true;
}

/* USE INDEX (a, b), FORCE KEY (a), INDEXED BY x, NOT INDEXED */
static bool index_hints(struct parse *parse, struct sql_node *table)
{
    while (parse_dialect(parse, "m") &&
           (parse_at(parse, KEYWORD_use) || parse_at(parse, KEYWORD_force) ||
            parse_at(parse, KEYWORD_ignore))) {
        struct sql_node *hint = parse_node(
            parse, SQL_INDEX_HINT, parse_upper(parse, parse->at->text), parse->at);
        parse->at++;
        if (!parse_take(parse, KEYWORD_index) && !parse_take_text(parse, "key")) {
            return parse_unexpected(parse);
        }
        if (!(hint->children[SINGLE_VALUE] = parse_names(parse))) {
            return false;
        }
        if (!table->children[TABLE_HINTS]) {
            table->children[TABLE_HINTS] = parse_node(parse, SQL_LIST, NULL, parse->at);
        }
        sql_add(parse->arena, table->children[TABLE_HINTS], parse_end(parse, hint));
    }
    bool not = parse_at(parse, KEYWORD_not) && parse_next_is(parse, KEYWORD_indexed);
    bool by = parse_at(parse, KEYWORD_indexed) && parse_next_is(parse, KEYWORD_by);
    if (!parse_dialect(parse, "s") || (!not &&!by)) {
        return true;
    }
    struct sql_node *hint = parse_node(parse, SQL_INDEX_HINT, "INDEXED", parse->at);
    parse->at += 2;
    hint->flags = not ? FLAG_NOT : 0;
    if (by && !parse_at_name(parse)) {
        return parse_unexpected(parse);
    }
    hint->children[SINGLE_VALUE] = by ? parse_name(parse) : NULL;
    table->children[TABLE_HINTS] = parse_node(parse, SQL_LIST, NULL, parse->at);
    sql_add(parse->arena, table->children[TABLE_HINTS], hint);
    return true;
}

/* ------------------------------------------------------------------ relations */

/* Words that are no table but change what follows: FROM (SHOW TABLES). */
static bool is_statement_word(const struct token *token)
{
    static const char *const words[] = {"show",    "describe", "summarize", "explain",
                                        "pragma",  "call",     "pivot",     "unpivot",
                                        "execute", "delete",   "update",    "merge",
                                        "only",    "lateral",  "rows",      "recursive"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (token_is(token, words[i])) {
            return true;
        }
    }
    return false;
}

enum { PARTS_MOST = 4 };

static struct sql_node *relation_path(struct parse *parse)
{
    struct sql_node *path = parse_node(parse, SQL_LIST, NULL, parse->at);
    do {
        bool word =
            parse->at->kind == TOKEN_WORD &&
            (path->count > 0 || (parse_at_name(parse) && !is_statement_word(parse->at) &&
                                 !parse_names_nothing(parse)));
        if (path->count == PARTS_MOST || (parse->at->kind != TOKEN_NAME && !word)) {
            return parse_unexpected(parse);
        }
        sql_add(parse->arena, path, parse_name(parse));
    } while (parse_take_char(parse, '.'));
    return parse_end(parse, path);
}

/* The call of a function that stands for a table: FILTER (a) behind it is an alias. */
static struct sql_node *table_call(struct parse *parse)
{
    struct sql_node *call = parse_call(parse, parse->at - 1, NULL);
    bool value = sql_is(call, SQL_CALL) &&
                 (call->children[CALL_WITHIN] || call->children[CALL_FILTER] ||
                  call->children[CALL_OVER] ||
                  sql_has(call, FLAG_IGNORE_NULLS | FLAG_RESPECT_NULLS));
    return value ? parse_unexpected(parse) : call;
}

static struct sql_node *table_function(struct parse *parse, const struct token *from)
{
    struct sql_node *node = parse_node(parse, SQL_TABLE_FUNCTION, NULL, from);
    bool json = parse_dialect(parse, "m") && token_is(parse->at - 1, "json_table");
    node->children[DERIVED_SOURCE] = json ? parse_json_table(parse) : table_call(parse);
    if (!node->children[DERIVED_SOURCE] ||
        !suffix(parse, &node->flags, &node->children[DERIVED_OFFSET]) ||
        !parse_relation_alias(parse, &node->children[DERIVED_ALIAS], true) ||
        !suffix(parse, &node->flags, &node->children[DERIVED_OFFSET]) ||
        !parse_sample(parse, &node->children[DERIVED_SAMPLE], &node->flags)) {
        return NULL;
    }
    return parse_end(parse, node);
}

static struct sql_node *foreign_function(struct parse *parse, const struct token *from)
{
    return parse_fail(parse, from, "Functions of another schema are not allowed.");
}

struct sql_node *parse_set(struct parse *parse)
{
    const struct token *from = parse->at;
    struct sql_node *path = relation_path(parse);
    bool function = path && parse_at_char(parse, '(');
    if (!path || (function && path->count > 1)) {
        return path ? foreign_function(parse, from) : NULL;
    }
    struct sql_node *node =
        parse_node(parse, function ? SQL_TABLE_FUNCTION : SQL_TABLE, NULL, from);
    node->children[0] = /* DERIVED_SOURCE, TABLE_PATH */
        function ? table_call(parse) : path;
    return node->children[0] ? parse_end(parse, node) : NULL;
}

struct sql_node *parse_table(struct parse *parse, bool target)
{
    const struct token *from = parse->at;
    struct sql_node *path = relation_path(parse);
    if (!path) {
        return NULL;
    }
    if (parse_at_char(parse, '(') && !target) {
        if (path->count > 1) {
            return foreign_function(parse, from);
        }
        return table_function(parse, from);
    }
    struct sql_node *table = parse_node(parse, SQL_TABLE, NULL, from);
    table->children[TABLE_PATH] = path;
    if (parse_dialect(parse, "m") && parse_at(parse, KEYWORD_partition) && !target &&
        parse_next_char(parse, '(')) {
        parse->at++;
        if (!(table->children[TABLE_PARTITIONS] = parse_names(parse))) {
            return NULL;
        }
    }
    if (!parse_sample(parse, &table->children[TABLE_SAMPLE], &table->flags) ||
        !suffix(parse, &table->flags, &table->children[TABLE_OFFSET])) {
        return NULL;
    }
    bool columns_next = target && parse_at_char(parse, '(');
    if (!columns_next &&
        !parse_relation_alias(parse, &table->children[TABLE_ALIAS], false)) {
        return NULL;
    }
    if (!suffix(parse, &table->flags, &table->children[TABLE_OFFSET]) ||
        (!table->children[TABLE_SAMPLE] &&
         !parse_sample(parse, &table->children[TABLE_SAMPLE], &table->flags)) ||
        !index_hints(parse, table)) {
        return NULL;
    }
    return parse_end(parse, table);
}
