/*
 * What the columns of a query are called. A name is given here only when it is certain:
 * then x.name over a subquery, a CTE, VALUES or a function is this column and no call.
 */
#include "sql/guard/guard_state.h"

#include <string.h>

#include "base/str.h"

static bool is_name(const struct token *token)
{
    return token->kind == TOKEN_WORD || token->kind == TOKEN_NAME;
}

static struct guard_column column_called(const struct guard *guard,
                                         const struct token *name)
{
    return (struct guard_column){.name = guard_folded(guard, name),
                                 .exact = name->kind == TOKEN_NAME &&
                                          guard->text[name->start] == '"'};
}

/* Behind a, a.b or a.b.c */
static const struct token *path_end(const struct token *at)
{
    at++;
    while (token_is_punct(at, ".") && is_name(at + 1)) {
        at += 2;
    }
    return at;
}

static bool is_constant(const struct token *token)
{
    return token->keyword == KEYWORD_null || token->keyword == KEYWORD_true ||
           token->keyword == KEYWORD_false;
}

/*
 * The name that an item without an alias has: that of its column or function; casts,
 * indexes and parentheses keep it, a field has its own. NULL: some other or none.
 */
static const struct token *name_of(const struct token *at, const struct token *end)
{
    if (!at || at >= end || !is_name(at) || is_constant(at)) {
        return NULL;
    }
    if (at->keyword == KEYWORD_cast && token_is_punct(at + 1, "(") && is_name(at + 2)) {
        const struct token *behind = path_end(at + 2);
        return behind < end && behind->keyword == KEYWORD_as ? behind - 1 : NULL;
    }
    const struct token *behind = path_end(at);
    const struct token *name = behind - 1;
    if (behind < end && token_is_punct(behind, "(")) {
        return name == at ? name : NULL;
    }
    for (at = behind; at < end; at++) {
        if (token_is_punct(at, "::") || at->keyword == KEYWORD_collate) {
            return name;
        }
        if (token_is_punct(at, ".") && is_name(at + 1)) {
            name = ++at;
        } else if (token_is_punct(at, "[")) {
            while (at + 1 < end && !token_is_punct(at, "]")) {
                at++;
            }
        } else if (!token_is_punct(at, ")")) {
            return NULL;
        }
    }
    return name;
}

static void item_path(struct guard_item *item, const struct token *at,
                      const struct token *end)
{
    if (!at || !is_name(at) || is_constant(at)) {
        return;
    }
    const struct token *behind = path_end(at);
    const struct token *rest = behind;
    while (rest < end && token_is_punct(rest, ")")) {
        rest++;
    }
    if (rest == end) {
        item->path = at;
        item->parts = (size_t)(behind - at + 1) / 2;
    }
}

void guard_output_item(struct guard *guard, const struct token *start,
                       const struct token *end, const struct token *alias)
{
    if (!guard_dialect(guard, "po") || !guard->scope) {
        return;
    }
    if (guard->scope->items.count >= GUARD_MAX_NAMES) {
        guard->flooded = true;
        return;
    }
    struct guard_item *item = VEC_ADD(guard->arena, &guard->scope->items);
    if (!alias && token_is_punct(end - 1, "*")) {
        bool of = end - 1 > start && token_is_punct(end - 2, ".");
        item->star = !of;
        item->star_of = of ? end[-3].text : NULL;
        return;
    }
    const struct token *name = alias ? alias : name_of(guard->single, end);
    if (name) {
        item->column = column_called(guard, name);
    }
    item_path(item, guard->single, end);
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
    const struct token *name = item->path ? item->path + 2 * (item->parts - 1) : NULL;
    for (size_t i = 0; name && item->parts <= 2 && i < all->count; i++) {
        const struct texts *fields = NULL;
        bool meant = item->parts == 1 ||
                     str_equal(all->items[i].exact, guard_folded(guard, item->path));
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

void guard_output_values(struct guard *guard, const struct token *row)
{
    if (!guard_dialect(guard, "po")) {
        return;
    }
    struct guard_output *output = ARENA_NEW(guard->arena, struct guard_output);
    size_t depth = 0;
    size_t count = 1;
    for (; row < guard->at; row++) {
        if (token_is_punct(row, "(") || token_is_punct(row, "[")) {
            depth++;
        } else if (token_is_punct(row, ")") || token_is_punct(row, "]")) {
            depth--;
        }
        count += depth == 1 && token_is_punct(row, ",");
        if (depth == 0 || count > GUARD_MAX_NAMES) {
            break;
        }
    }
    for (size_t i = 1; i <= count; i++) {
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
static const char *type_of(const struct guard *guard, const struct token *path,
                           size_t parts)
{
    const struct token *name = path + 2 * (parts - 1);
    const struct guard_relations *all = &guard->scope->relations;
    for (size_t i = 0; i < all->count; i++) {
        const struct guard_relation *relation = &all->items[i];
        const struct column *column = relation->table && !relation->output
                                          ? table_column(relation->table, name->text)
                                          : NULL;
        if (column &&
            (parts == 1 || str_equal(relation->exact, guard_folded(guard, path)))) {
            return column->type;
        }
    }
    return NULL;
}

/* The parenthesis that closes the one at `open`, or `end`. */
static const struct token *closing(const struct token *open, const struct token *end)
{
    int depth = 0;
    for (; open < end; open++) {
        depth += token_is_punct(open, "(") - token_is_punct(open, ")");
        if (depth == 0) {
            break;
        }
    }
    return open;
}

/* ARRAY['a', 'b'], '{1,2}'::int[]: literals and known types, and nothing else. */
static bool is_literal_list(const struct token *at, const struct token *end)
{
    int depth = 0;
    for (; at < end; at++) {
        depth += token_is_punct(at, "[") - token_is_punct(at, "]");
        bool separate = token_is_punct(at, ",") && depth == 0; /* a second argument */
        bool word =
            is_name(at) && at->keyword != KEYWORD_array && !function_type_known(at->text);
        if (separate || word || token_is_punct(at, "(")) {
            return false;
        }
    }
    return true;
}

/*
 * unnest(x) has one column, called as its alias, unless x is a list of rows: then it has
 * those of the rows. So x must be a list of plain values.
 */
static bool is_plain_list(const struct guard *guard, const struct token *from,
                          const struct token *end)
{
    static const char *const makers[] = {"string_to_array", "regexp_split_to_array"};
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        if (token_is(from, makers[i])) {
            return closing(from + 1, end) + 1 == end;
        }
    }
    if (is_name(from) && path_end(from) == end) {
        const char *type =
            guard->scope ? type_of(guard, from, (size_t)(end - from + 1) / 2) : NULL;
        size_t size = type ? strcspn(type, " ([") : 0;
        return type && str_ends(type, "[]") &&
               function_type_known(arena_copy(guard->arena, type, size));
    }
    return is_literal_list(from, end);
}

const struct guard_output *guard_output_function(struct guard *guard,
                                                 const struct token *name,
                                                 const struct token *from,
                                                 const struct token *end,
                                                 const struct token *alias)
{
    if (!guard_dialect(guard, "po")) {
        return NULL;
    }
    struct guard_output *output = ARENA_NEW(guard->arena, struct guard_output);
    for (size_t i = 0; i < sizeof returned / sizeof *returned; i++) {
        if (str_equal_nocase(name->text, returned[i].function)) {
            struct texts columns = {0};
            str_split(guard->arena, returned[i].columns, ' ', &columns);
            for (size_t j = 0; returned[i].columns[0] && j < columns.count; j++) {
                VEC_PUSH(guard->arena, output,
                         ((struct guard_column){.name = columns.items[j]}));
            }
            return output;
        }
    }
    if (!str_equal_nocase(name->text, "unnest") || is_plain_list(guard, from, end)) {
        VEC_PUSH(guard->arena, output, column_called(guard, alias ? alias : name));
    }
    return output;
}
