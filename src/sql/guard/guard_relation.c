/* One relation of FROM: a table, a CTE or a function, its alias and what may follow it.
 */
#include "sql/guard/guard_state.h"

enum { PARTS_MOST = 4 };

/* The call of a function in FROM. */
static bool table_function(struct guard *guard, const struct sql_node *source)
{
    if (sql_is(source, SQL_JSON_TABLE)) {
        return guard_json_table(guard, source);
    }
    struct guard_range outside = guard->scope->visible;
    guard->scope->visible = (struct guard_range){0, guard->scope->relations.count};
    guard->unsure++; /* its arguments may name columns of tables before it */
    bool ok = guard_expect(guard, source, SQL_CALL) && guard_call(guard, source, true);
    guard->unsure--;
    guard->scope->visible = outside;
    return ok;
}

/* A name of AS x(a, b), or with its type AS x(a int) */
static bool alias_column(struct guard *guard, const struct sql_node *column,
                         bool with_types, struct guard_output *names)
{
    if (!guard_listed(guard, column)) {
        return false;
    }
    const struct token *name = guard_first(guard, column);
    guard_output_name(guard, names, name);
    if (column->kind == SQL_NAME) {
        return true;
    }
    if (!with_types || column->kind != SQL_COLUMN_DEFINITION) {
        return guard_unexpected(guard, name + 1);
    }
    return guard_type(guard, column->children[SINGLE_VALUE]);
}

bool guard_relation_alias(struct guard *guard, const struct sql_node *node,
                          bool with_types, struct guard_alias *alias)
{
    *alias = (struct guard_alias){0};
    if (!node) {
        return true;
    }
    if (!guard_expect(guard, node, SQL_ALIAS)) {
        return false;
    }
    if (node->text) {
        const struct token *first = guard_first(guard, node);
        alias->token = first->keyword == KEYWORD_as ? first + 1 : first;
    }
    const struct sql_node *columns = node->children[SINGLE_VALUE];
    if (columns && !guard_expect(guard, columns, SQL_LIST)) {
        return false;
    }
    for (size_t i = 0; columns && i < columns->count; i++) {
        if (!alias_column(guard, columns->children[i], with_types, &alias->names)) {
            return false;
        }
    }
    return true;
}

void guard_scope_derived(struct guard *guard, const struct guard_alias *alias,
                         const struct guard_output *output)
{
    const struct token *name = alias->token;
    guard_scope_relation(
        guard, &(struct guard_relation){
                   .alias = name ? name->text : NULL,
                   .exact = name ? guard_folded(guard, name) : NULL,
                   .output = guard_output_renamed(guard, output, &alias->names)});
}

static bool hint_name(struct guard *guard, const struct sql_node *name)
{
    return guard_expect(guard, name, SQL_NAME);
}

/* USE INDEX (a, b), INDEXED BY x, NOT INDEXED */
static bool index_hint(struct guard *guard, const struct sql_node *hint)
{
    if (!guard_expect(guard, hint, SQL_INDEX_HINT)) {
        return false;
    }
    const struct sql_node *names = hint->children[SINGLE_VALUE];
    return sql_is(names, SQL_NAME) ? hint_name(guard, names)
                                   : guard_list(guard, names, hint_name);
}

/* BigQuery: WITH OFFSET [AS name] */
static bool with_offset(struct guard *guard, const struct sql_node *offset)
{
    if (!offset) {
        return true;
    }
    if (!guard_expect(guard, offset, SQL_NAME)) {
        return false;
    }
    guard_scope_alias(guard, offset->text);
    return true;
}

/* What is known of one relation while it is judged. */
struct named {
    const struct token *parts[PARTS_MOST];
    size_t count;
    const char *name; /* of a table; NULL: a CTE or a function */
    const struct table *table;
    const struct guard_output *output;
    struct guard_alias alias;
    bool target;
    bool set; /* behind IN */
};

static const struct token *last_part(const struct named *named)
{
    return named->parts[named->count - 1];
}

static const char *alias_text(const struct named *named)
{
    return named->alias.token ? named->alias.token->text : last_part(named)->text;
}

static void note_place(struct guard *guard, const struct named *named,
                       struct guard_place place)
{
    const struct token *first = named->parts[0];
    bool only =
        first > guard->statement->tokens.items && first[-1].keyword == KEYWORD_only;
    place.name = named->name;
    place.table = named->table;
    place.alias = alias_text(named);
    place.start = first[only ? -1 : 0].start;
    place.name_start = first->start;
    place.last_start = last_part(named)->start;
    place.name_end = last_part(named)->end;
    place.target = named->target;
    place.set = named->set;
    if (guard->out->places.count < GUARD_MAX_NAMES) {
        VEC_PUSH(guard->arena, &guard->out->places, place);
    } else {
        guard->flooded = true;
    }
}

/* Where the alias of the table stands, or would stand. */
static struct guard_place alias_place(const struct guard *guard,
                                      const struct sql_node *table)
{
    const struct sql_node *alias = table->children[TABLE_ALIAS];
    const struct sql_node *hints = table->children[TABLE_HINTS];
    struct guard_place place = {.end = table->end};
    if (alias) {
        place.alias_start = guard_first(guard, alias)[-1].end;
        place.alias_end = alias->end;
    } else if (hints) {
        place.alias_start = guard_first(guard, hints->children[0])[-1].end;
        place.alias_end = place.alias_start;
    } else {
        place.alias_start = table->end;
        place.alias_end = table->end;
    }
    return place;
}

/* The path of a table: a, a.b, a.b.c */
static bool relation_path(struct guard *guard, struct sql_node *const *parts,
                          size_t count, struct named *named)
{
    for (size_t i = 0; i < count; i++) {
        if (!guard_expect(guard, parts[i], SQL_NAME)) {
            return false;
        }
        if (i == PARTS_MOST) {
            return guard_unexpected(guard, guard_first(guard, parts[i]));
        }
        named->parts[i] = guard_first(guard, parts[i]);
        named->count = i + 1;
    }
    return named->count > 0 || guard_refuse(guard, NULL, "A table has no name.");
}

/* The name of a table or a CTE. */
static bool relation_name(struct guard *guard, struct named *named)
{
    if (named->target || !guard_is_derived(guard, named->parts, named->count)) {
        return guard_table(guard, named->parts, named->count, &named->table,
                           &named->name);
    }
    const struct guard_cte *cte = guard_cte_named(guard, named->parts[0]);
    named->output = cte ? cte->output : NULL;
    return true;
}

static const struct guard_output *with_ordinality(struct guard *guard,
                                                  const struct guard_output *output)
{
    struct guard_output *more = ARENA_NEW(guard->arena, struct guard_output);
    *more = (struct guard_output){0};
    for (size_t i = 0; i < output->count; i++) {
        VEC_PUSH(guard->arena, more, output->items[i]);
    }
    VEC_PUSH(guard->arena, more, ((struct guard_column){.name = "ordinality"}));
    return more;
}

/* The relation as the columns see it; with those that the alias's list calls otherwise. */
static void add_relation(struct guard *guard, struct named *named, bool ordinality)
{
    static const struct guard_output none = {.starred = true};
    if (ordinality && named->output) {
        named->output = with_ordinality(guard, named->output);
    }
    bool renamed = named->alias.names.count > 0;
    const struct token *known =
        named->alias.token ? named->alias.token : last_part(named);
    guard_scope_relation(
        guard,
        &(struct guard_relation){
            .alias = known->text,
            .exact = guard_folded(guard, known),
            .name = named->name,
            .table = named->table,
            .output = guard_output_renamed(
                guard, renamed && named->table && !named->output ? &none : named->output,
                &named->alias.names)});
}

static bool set_function(struct guard *guard, const struct sql_node *function)
{
    for (size_t i = DERIVED_ALIAS; i < DERIVED_SLOTS; i++) {
        const struct sql_node *more = function->children[i];
        if (more) {
            return guard_unexpected(guard, guard_first(guard, more));
        }
    }
    return table_function(guard, function->children[DERIVED_SOURCE]);
}

/* The path of a TABLE or COLUMN behind IN. */
static bool set_path(struct guard *guard, const struct sql_node *node,
                     struct named *named)
{
    const struct sql_node *path =
        node->kind == SQL_TABLE ? node->children[TABLE_PATH] : node;
    if (!guard_expect(guard, path, node->kind == SQL_TABLE ? SQL_LIST : SQL_COLUMN)) {
        return false;
    }
    for (size_t i = TABLE_ALIAS; path != node && i < TABLE_SLOTS; i++) {
        if (node->children[i]) {
            return guard_unexpected(guard, guard_first(guard, node->children[i]));
        }
    }
    return relation_path(guard, path->children, path->count, named);
}

static bool set_table(struct guard *guard, struct named *named)
{
    if (!relation_name(guard, named)) {
        return false;
    }
    if (named->name) {
        size_t end = last_part(named)->end;
        note_place(
            guard, named,
            (struct guard_place){.alias_start = end, .alias_end = end, .end = end});
    }
    if (named->table) {
        guard_note(guard, &guard->out->wholes, named->table->name);
    }
    return true;
}

bool guard_relation_set(struct guard *guard, const struct sql_node *node)
{
    struct named named = {.set = true};
    struct guard_scope scope;
    bool function = sql_is(node, SQL_TABLE_FUNCTION);
    if (!guard_listed(guard, node) || (!function && !set_path(guard, node, &named))) {
        return false;
    }
    const struct guard_cte *value =
        named.count == 1 ? guard_value_named(guard, named.parts[0]) : NULL;
    if (value && value->renames) {
        return guard_refuse(guard, named.parts[0],
                            "'%.80s' stands for a name: write that name behind IN, as it "
                            "may be a table.",
                            named.parts[0]->text);
    }
    if (value) {
        return true;
    }
    guard_scope_open(guard, &scope);
    if (function ? !set_function(guard, node) : !set_table(guard, &named)) {
        return false;
    }
    guard_scope_close(guard);
    return true;
}

bool guard_relation_function(struct guard *guard, const struct sql_node *function)
{
    const struct sql_node *source = function->children[DERIVED_SOURCE];
    struct named named = {.count = 1};
    if (!table_function(guard, source)) {
        return false;
    }
    named.parts[0] = guard_first(guard, source);
    if (!guard_sample(guard, function->children[DERIVED_SAMPLE]) ||
        !with_offset(guard, function->children[DERIVED_OFFSET]) ||
        !guard_relation_alias(guard, function->children[DERIVED_ALIAS], true,
                              &named.alias)) {
        return false;
    }
    named.output = source->kind == SQL_CALL
                       ? guard_output_function(guard, source, named.alias.token)
                       : NULL;
    add_relation(guard, &named, sql_has(function, FLAG_ORDINALITY));
    return true;
}

bool guard_relation_table(struct guard *guard, const struct sql_node *table, bool target)
{
    struct named named = {.target = target};
    const struct sql_node *path = sql_child(table, TABLE_PATH);
    if (!guard_expect(guard, table, SQL_TABLE) || !guard_expect(guard, path, SQL_LIST) ||
        !relation_path(guard, path->children, path->count, &named) ||
        !relation_name(guard, &named) ||
        !guard_list(guard, table->children[TABLE_PARTITIONS], hint_name) ||
        !guard_sample(guard, table->children[TABLE_SAMPLE]) ||
        !with_offset(guard, table->children[TABLE_OFFSET]) ||
        !guard_relation_alias(guard, table->children[TABLE_ALIAS], false, &named.alias) ||
        !guard_list(guard, table->children[TABLE_HINTS], index_hint)) {
        return false;
    }
    if (named.name) {
        note_place(guard, &named, alias_place(guard, table));
    }
    add_relation(guard, &named, sql_has(table, FLAG_ORDINALITY));
    return true;
}
