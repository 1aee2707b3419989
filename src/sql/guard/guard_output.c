/*
 * What the columns of a query are called. A name is given here only when it is certain:
 * then x.name over a subquery, a CTE, VALUES or a function is this column and no call.
 */
#include "sql/guard/guard_state.h"

#include <string.h>

#include "base/str.h"

static struct guard_column column_called(const struct guard *guard,
                                         const struct token *name)
{
    return (struct guard_column){.name = guard_folded(guard, name),
                                 .exact = name->kind == TOKEN_NAME &&
                                          guard->text[name->start] == '"'};
}

/*
 * The name that an item without an alias has: that of its column or function; casts,
 * indexes and parentheses keep it, a field has its own. NULL: some other or none.
 */
static const struct token *name_of(const struct guard *guard,
                                   const struct sql_node *value)
{
    for (;;) {
        switch (value->kind) {
        case SQL_CAST:
        case SQL_COLLATE:
        case SQL_SUBSCRIPT:
        case SQL_SLICE:
            value = value->children[0];
            break;
        case SQL_FIELD:
        case SQL_COLUMN:
            return guard_last(guard, value);
        case SQL_CONSTANT:
            return str_equal(value->text, "NULL") || str_equal(value->text, "TRUE") ||
                           str_equal(value->text, "FALSE")
                       ? NULL
                       : guard_first(guard, value);
        case SQL_CALL:
        case SQL_EXISTS:
        case SQL_ARRAY:
        case SQL_ARRAY_QUERY:
        case SQL_STRUCT:
        case SQL_EXTRACT:
            return guard_first(guard, value);
        default:
            return NULL;
        }
    }
}

/* CAST(x AS type) has the name of a column that is cast, but not that of any value. */
static const struct token *item_name(const struct guard *guard,
                                     const struct sql_node *item)
{
    const struct sql_node *value = item->children[SINGLE_VALUE];
    bool spelled =
        value->kind == SQL_CAST && guard_first(guard, value)->keyword == KEYWORD_cast;
    return spelled && value->children[PAIR_LEFT]->kind != SQL_COLUMN
               ? NULL
               : name_of(guard, value);
}

void guard_output_item(struct guard *guard, const struct sql_node *node)
{
    const struct sql_node *value = node->children[SINGLE_VALUE];
    if (!guard_dialect(guard, "po") || !guard->scope) {
        return;
    }
    if (guard->scope->items.count >= GUARD_MAX_NAMES) {
        guard->flooded = true;
        return;
    }
    struct guard_item *item = VEC_ADD(guard->arena, &guard->scope->items);
    if (!node->text && value->kind == SQL_STAR) {
        const struct sql_node *of = value->children[STAR_OF];
        item->star = !of;
        item->star_of = of ? of->children[of->count - 1]->text : NULL;
        return;
    }
    const struct token *name =
        node->text ? guard_last(guard, node) : item_name(guard, node);
    if (name) {
        item->column = column_called(guard, name);
    }
    item->path = value->kind == SQL_COLUMN ? value : NULL;
}

static void add_columns(struct guard *guard, struct guard_output *to,
                        const struct guard_relation *relation)
{
    const struct guard_output *output = relation->output;
    for (size_t i = 0; output && i < output->count; i++) {
        VEC_PUSH(guard->arena, to, output->items[i]);
    }
    for (size_t i = 0; !output && relation->table && i < relation->table->columns.count;
         i++) {
        const struct column *column = &relation->table->columns.items[i];
        VEC_PUSH(
            guard->arena, to,
            ((struct guard_column){.name = column->name, .fields = &column->fields}));
    }
    to->open = to->open || (output ? output->open : !relation->table);
    to->starred = true;
    if (to->count > GUARD_MAX_NAMES) {
        guard->flooded = true;
        to->count = GUARD_MAX_NAMES;
    }
}

/* The fields of a column that is handed on as it is; an empty list when nothing is known
 * of any, as without a schema. */
static const struct texts *fields_of(const struct guard *guard,
                                     const struct guard_item *item)
{
    static const struct texts unknown = {0};
    const struct texts *found = NULL;
    size_t owners = 0;
    const struct guard_relations *all = &guard->scope->relations;
    const struct sql_node *path = item->path;
    size_t parts = path ? path->count : 0;
    const struct token *name = path ? guard_last(guard, path) : NULL;
    for (size_t i = 0; name && parts <= 2 && i < all->count; i++) {
        const struct texts *fields = NULL;
        bool meant =
            parts == 1 ||
            str_equal(all->items[i].exact, guard_folded(guard, guard_first(guard, path)));
        enum guard_proof proof =
            meant ? guard_proof(guard, &all->items[i], name, &fields) : PROOF_NONE;
        if (proof != PROOF_NONE) {
            found = proof == PROOF_OPEN ? &unknown : fields;
            owners++;
        }
    }
    return owners == 1 ? found : NULL;
}

void guard_output_select(struct guard *guard)
{
    if (!guard_dialect(guard, "po")) {
        return;
    }
    struct guard_output *output = ARENA_NEW(guard->arena, struct guard_output);
    const struct guard_scope *scope = guard->scope;
    for (size_t i = 0; i < scope->items.count; i++) {
        const struct guard_item *item = &scope->items.items[i];
        for (size_t j = 0; j < scope->relations.count; j++) {
            const struct guard_relation *relation = &scope->relations.items[j];
            if (item->star ||
                (item->star_of && str_equal_nocase(item->star_of, relation->alias))) {
                add_columns(guard, output, relation);
            }
        }
        if (!item->star && !item->star_of) {
            struct guard_column column = item->column;
            column.fields = fields_of(guard, item);
            VEC_PUSH(guard->arena, output, column);
        }
    }
    guard->output = output;
}

void guard_output_values(struct guard *guard, const struct sql_node *values)
{
    if (!guard_dialect(guard, "po")) {
        return;
    }
    struct guard_output *output = ARENA_NEW(guard->arena, struct guard_output);
    size_t count = values->count ? values->children[0]->count : 0;
    for (size_t i = 1; i <= count && i <= GUARD_MAX_NAMES; i++) {
        VEC_PUSH(
            guard->arena, output,
            ((struct guard_column){.name = arena_format(guard->arena, "column%zu", i)}));
    }
    guard->output = output;
}

void guard_output_name(struct guard *guard, struct guard_output *names,
                       const struct token *name)
{
    if (names && guard_dialect(guard, "po")) {
        VEC_PUSH(guard->arena, names, column_called(guard, name));
    }
}

const struct guard_output *guard_output_renamed(struct guard *guard,
                                                const struct guard_output *output,
                                                const struct guard_output *names)
{
    if (!names->count || !output) {
        return output;
    }
    struct guard_output *renamed = ARENA_NEW(guard->arena, struct guard_output);
    for (size_t i = 0; i < names->count; i++) {
        VEC_PUSH(guard->arena, renamed, names->items[i]);
        if (!output->starred && i < output->count) {
            renamed->items[i].fields = output->items[i].fields;
        }
    }
    /* how many a star stands for is not certain, so neither is which are left */
    for (size_t i = names->count; i < output->count && !output->starred; i++) {
        VEC_PUSH(guard->arena, renamed, output->items[i]);
    }
    renamed->open = output->open;
    renamed->starred = output->starred;
    return renamed;
}

const struct guard_output *guard_output_joined(struct guard *guard, size_t from)
{
    if (!guard_dialect(guard, "po")) {
        return NULL;
    }
    struct guard_output *output = ARENA_NEW(guard->arena, struct guard_output);
    struct guard_relations *all = &guard->scope->relations;
    for (size_t i = from; i < all->count; i++) {
        add_columns(guard, output, &all->items[i]);
        all->items[i].alias = NULL; /* the join's name hides theirs */
        all->items[i].exact = NULL;
    }
    return output;
}

/* Functions in FROM whose columns have names of their own, not that of the alias. */
static const struct returned {
    const char *function;
    const char *columns;
} returned[] = {
    {"json_array_elements", "value"},
    {"json_array_elements_text", "value"},
    {"jsonb_array_elements", "value"},
    {"jsonb_array_elements_text", "value"},
    {"json_each", "key value"},
    {"json_each_text", "key value"},
    {"jsonb_each", "key value"},
    {"jsonb_each_text", "key value"},
    {"json_to_record", ""},
    {"json_to_recordset", ""},
    {"jsonb_to_record", ""},
    {"jsonb_to_recordset", ""},
};

/* The type of the column, where a table in reach has one of this name. */
static const char *type_of(const struct guard *guard, const struct sql_node *path)
{
    const struct guard_relations *all = &guard->scope->relations;
    const char *name = path->children[path->count - 1]->text;
    const char *owner = guard_folded(guard, guard_first(guard, path));
    for (size_t i = 0; i < all->count; i++) {
        const struct guard_relation *relation = &all->items[i];
        const struct column *column = relation->table && !relation->output
                                          ? table_column(relation->table, name)
                                          : NULL;
        if (column && (path->count == 1 || str_equal(relation->exact, owner))) {
            return column->type;
        }
    }
    return NULL;
}

static bool is_plain_type(const struct sql_node *type)
{
    return sql_is(type, SQL_TYPE) && !type->children[TYPE_ARGUMENTS] &&
           function_type_known(type->text);
}

/* ARRAY['a', 'b'], '{1,2}'::int[]: literals and known types, and nothing else. */
static bool is_literal_list(const struct sql_node *node)
{
    const struct sql_node *values =
        sql_is(node, SQL_ARRAY) ? node->children[ARRAY_VALUES] : NULL;
    for (size_t i = 0; values && i < values->count; i++) {
        if (!is_literal_list(values->children[i])) {
            return false;
        }
    }
    while (sql_is(node, SQL_CAST) && is_plain_type(node->children[PAIR_RIGHT])) {
        node = node->children[PAIR_LEFT];
    }
    if (sql_is(node, SQL_UNARY)) {
        node = node->children[SINGLE_VALUE];
    }
    return values || sql_is(node, SQL_STRING) || sql_is(node, SQL_NUMBER) ||
           (sql_is(node, SQL_ARRAY) && is_literal_list(node));
}

/*
 * unnest(x) has one column, called as its alias, unless x is a list of rows: then it has
 * those of the rows. So x must be a list of plain values.
 */
static bool is_plain_list(const struct guard *guard, const struct sql_node *call)
{
    static const char *const makers[] = {"string_to_array", "regexp_split_to_array"};
    const struct sql_node *arguments = call->children[CALL_ARGUMENTS];
    const struct sql_node *list = arguments->count == 1 ? arguments->children[0] : NULL;
    for (size_t i = 0; sql_is(list, SQL_CALL) && i < sizeof makers / sizeof *makers;
         i++) {
        if (str_equal_nocase(list->text, makers[i]) && !sql_has(list, FLAG_QUOTED)) {
            return true;
        }
    }
    if (sql_is(list, SQL_COLUMN)) {
        const char *type = guard->scope ? type_of(guard, list) : NULL;
        size_t size = type ? strcspn(type, " ([") : 0;
        return type && str_ends(type, "[]") &&
               function_type_known(arena_copy(guard->arena, type, size));
    }
    return list && is_literal_list(list);
}

const struct guard_output *guard_output_function(struct guard *guard,
                                                 const struct sql_node *call,
                                                 const struct token *alias)
{
    if (!guard_dialect(guard, "po")) {
        return NULL;
    }
    struct guard_output *output = ARENA_NEW(guard->arena, struct guard_output);
    for (size_t i = 0; i < sizeof returned / sizeof *returned; i++) {
        if (str_equal_nocase(call->text, returned[i].function)) {
            struct texts columns = {0};
            str_split(guard->arena, returned[i].columns, ' ', &columns);
            for (size_t j = 0; returned[i].columns[0] && j < columns.count; j++) {
                VEC_PUSH(guard->arena, output,
                         ((struct guard_column){.name = columns.items[j]}));
            }
            return output;
        }
    }
    if (!str_equal_nocase(call->text, "unnest") || is_plain_list(guard, call)) {
        VEC_PUSH(guard->arena, output,
                 column_called(guard, alias ? alias : guard_first(guard, call)));
    }
    return output;
}
