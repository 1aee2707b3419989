/* The columns that a SELECT gives, and what they are called. */
#include "base/str.h"
#include "sql/resolve/resolve_state.h"

struct sql_output *resolve_output_add(struct resolve *resolve,
                                      struct sql_outputs *outputs, const char *name)
{
    struct sql_output *output = ARENA_NEW(resolve->arena, struct sql_output);
    output->name = name;
    VEC_PUSH(resolve->arena, outputs, output);
    return output;
}

static bool is_excluded(const struct sql_node *star, const char *name)
{
    const struct sql_node *options = star->children[STAR_OPTIONS];
    for (size_t i = 0; options && i < options->count; i++) {
        const struct sql_node *option = options->children[i];
        for (size_t j = 0; option->kind == SQL_STAR_EXCLUDE && j < option->count; j++) {
            if (str_equal_nocase(option->children[j]->text, name)) {
                return true;
            }
        }
    }
    return false;
}

static bool changes_names(const struct sql_node *star)
{
    const struct sql_node *options = star->children[STAR_OPTIONS];
    for (size_t i = 0; options && i < options->count; i++) {
        if (options->children[i]->kind != SQL_STAR_EXCLUDE) {
            return true;
        }
    }
    return false;
}

/* A column that USING or NATURAL merged stands in the star once. */
static bool stands_before(const struct sql_scope *scope, const char *name,
                          const struct sql_relation *relation)
{
    for (size_t i = 0; name && i < relation->place; i++) {
        if (resolve_is_merged(scope, name, scope->relations.items[i], relation)) {
            return true;
        }
    }
    return false;
}

static void add_star(struct resolve *resolve, struct sql_scope *scope,
                     const struct sql_node *star, const struct sql_relation *relation,
                     bool merged)
{
    scope->outputs.open |= relation->columns.open || changes_names(star);
    for (size_t i = 0; i < relation->columns.count; i++) {
        const struct sql_output *inner = relation->columns.items[i];
        if ((inner->name && is_excluded(star, inner->name)) ||
            (merged && stands_before(scope, inner->name, relation))) {
            continue;
        }
        struct sql_output *output =
            resolve_output_add(resolve, &scope->outputs, inner->name);
        output->exact = inner->exact;
        output->relation = relation;
        output->inner = inner;
        output->column = inner->column;
    }
}

static void expand_star(struct resolve *resolve, struct sql_scope *scope,
                        const struct sql_node *star)
{
    const struct sql_node *of = star->children[STAR_OF];
    if (of) {
        const struct sql_relation *relation =
            of->kind == SQL_COLUMN ? resolve_relation_named(scope, of, of->count) : NULL;
        if (relation) {
            add_star(resolve, scope, star, relation, false);
        } else {
            scope->outputs.open = true;
        }
        return;
    }
    for (size_t i = 0; i < scope->relations.count; i++) {
        add_star(resolve, scope, star, scope->relations.items[i], true);
    }
}

void resolve_outputs_of_select(struct resolve *resolve, struct sql_scope *scope)
{
    const struct sql_node *items = scope->node->children[SELECT_ITEMS];
    for (size_t i = 0; i < items->count; i++) {
        const struct sql_node *item = items->children[i];
        const struct sql_node *value = item->children[SINGLE_VALUE];
        if (value->kind == SQL_STAR) {
            expand_star(resolve, scope, value);
            continue;
        }
        bool column = value->kind == SQL_COLUMN;
        struct sql_output *output = resolve_output_add(
            resolve, &scope->outputs,
            item->text ? item->text
                       : (column ? value->children[value->count - 1]->text : NULL));
        const struct sql_node *named =
            item->text || !column ? item : value->children[value->count - 1];
        output->exact = sql_has(named, FLAG_QUOTED);
        output->item = item;
        output->value = value;
    }
}

void resolve_outputs_trace(struct resolve *resolve, struct sql_scope *scope, size_t start)
{
    const struct sql_references *references = &resolve->out->references;
    size_t at = start;
    for (size_t i = 0; i < scope->outputs.count; i++) {
        struct sql_output *output = scope->outputs.items[i];
        if (!sql_is(output->value, SQL_COLUMN)) {
            continue;
        }
        while (at < references->count && references->items[at]->node != output->value) {
            at++; /* both are in the order of the text */
        }
        if (at < references->count && !references->items[at]->fields &&
            references->items[at]->state == REFERENCE_COLUMN) {
            output->relation = references->items[at]->relation;
            output->inner = references->items[at]->output;
            output->column = references->items[at]->column;
        }
    }
}

void resolve_outputs_rename(struct resolve *resolve, struct sql_outputs *outputs,
                            const struct sql_node *names)
{
    if (!names) {
        return;
    }
    struct sql_outputs renamed = {.open =
                                      outputs->open && outputs->count != names->count};
    size_t count = outputs->count > names->count ? outputs->count : names->count;
    for (size_t i = 0; i < count; i++) {
        struct sql_output *output = resolve_output_add(resolve, &renamed, NULL);
        if (i < outputs->count) {
            *output = *outputs->items[i];
        }
        if (i < names->count) {
            output->name = names->children[i]->text;
            output->exact = sql_has(names->children[i], FLAG_QUOTED);
        }
    }
    *outputs = renamed;
}

const struct sql_output *resolve_output_find(const struct sql_outputs *outputs,
                                             const char *name, size_t *count)
{
    const struct sql_output *found = NULL;
    *count = 0;
    for (size_t i = 0; i < outputs->count; i++) {
        if (outputs->items[i]->name && str_equal_nocase(outputs->items[i]->name, name)) {
            found = found ? found : outputs->items[i];
            ++*count;
        }
    }
    return found;
}
