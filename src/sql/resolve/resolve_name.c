/* Column references: which relation and column each one means. */
#include "base/str.h"
#include "sql/resolve/resolve_state.h"

static struct sql_reference *resolve_reference_new(struct resolve *resolve,
                                                   const struct sql_node *node)
{
    struct sql_reference *reference = ARENA_NEW(resolve->arena, struct sql_reference);
    reference->node = node;
    reference->scope = resolve->scope;
    reference->state = REFERENCE_UNKNOWN;
    VEC_PUSH(resolve->arena, &resolve->out->references, reference);
    return reference;
}

const struct sql_relation *resolve_relation_named(const struct sql_scope *scope,
                                                  const struct sql_node *path,
                                                  size_t parts)
{
    const char *name = path->children[parts - 1]->text;
    for (size_t i = 0; scope && i < scope->relations.count; i++) {
        const struct sql_relation *relation = scope->relations.items[i];
        bool reachable =
            parts == 1 || (relation->kind == RELATION_TABLE && !relation->aliased);
        if (relation->name && reachable && str_equal_nocase(relation->name, name)) {
            return relation;
        }
    }
    return NULL;
}

/* ------------------------------------------------------------------ merged columns */

static bool has_column(const struct sql_relation *relation, const char *name)
{
    size_t count;
    return resolve_output_find(&relation->columns, name, &count) != NULL;
}

static bool merges(const struct sql_node *join, const char *name,
                   const struct sql_relation *a, const struct sql_relation *b)
{
    if (!join) {
        return false;
    }
    const struct sql_node *names = join->children[JOIN_USING];
    for (size_t i = 0; names && i < names->count; i++) {
        if (str_equal_nocase(names->children[i]->text, name)) {
            return true;
        }
    }
    return sql_has(join, FLAG_NATURAL) && has_column(a, name) && has_column(b, name);
}

bool resolve_is_merged(const struct sql_scope *scope, const char *name,
                       const struct sql_relation *a, const struct sql_relation *b)
{
    for (size_t i = 0; i < scope->joins.count; i++) {
        const struct sql_join_place *join = &scope->joins.items[i];
        if (a->place >= join->first && a->place < join->middle &&
            b->place >= join->middle && b->place < join->last &&
            merges(join->node, name, a, b)) {
            return true;
        }
    }
    return false;
}

void resolve_using(struct resolve *resolve, const struct sql_join_place *join)
{
    const struct sql_node *names = join->node->children[JOIN_USING];
    for (size_t i = 0; names && i < names->count; i++) {
        const struct sql_node *name = names->children[i];
        struct sql_reference *reference = resolve_reference_new(resolve, name);
        bool open = false;
        size_t count;
        for (size_t j = join->first; j < join->last; j++) {
            const struct sql_relation *relation = resolve->scope->relations.items[j];
            const struct sql_output *output =
                resolve_output_find(&relation->columns, name->text, &count);
            open |= relation->columns.open;
            if (output && j < join->middle && !reference->relation) {
                reference->relation = relation;
                reference->output = output;
                reference->column = output->column;
            } else if (output && j >= join->middle && !reference->second) {
                reference->second = relation;
            }
        }
        reference->state = reference->relation && reference->second ? REFERENCE_COLUMN
                           : open                                   ? REFERENCE_UNSURE
                                                                    : REFERENCE_UNKNOWN;
    }
}

/* ------------------------------------------------------------------ names that are no
 * columns */

static bool is_pseudo(const struct resolve *resolve, const char *name)
{
    static const struct {
        const char *name;
        const char *dialects;
    } pseudo[] = {{"rowid", "sdo"},        {"oid", "s"},
                  {"_rowid_", "s"},        {"ctid", "p"},
                  {"xmin", "p"},           {"xmax", "p"},
                  {"tableoid", "p"},       {"_partitiontime", "b"},
                  {"_partitiondate", "b"}, {"_table_suffix", "b"},
                  {"_part", "c"},          {"_file_name", "b"},
                  {"rank", "s"},           {"rownum", "o"},
                  {"sysdate", "o"}};
    for (size_t i = 0; i < sizeof pseudo / sizeof *pseudo; i++) {
        if (str_equal_nocase(name, pseudo[i].name) &&
            resolve_dialect(resolve, pseudo[i].dialects)) {
            return true;
        }
    }
    return false;
}

/* MONTH in DATE_TRUNC(d, MONTH) */
static bool is_unit(const char *name)
{
    static const char *const units[] = {
        "year",    "quarter",     "month",       "week",       "day",       "hour",
        "minute",  "second",      "epoch",       "dow",        "doy",       "isoyear",
        "isoweek", "millisecond", "microsecond", "dayofweek",  "dayofyear", "date",
        "time",    "monday",      "sunday",      "nanosecond", "decade",    "century"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (str_equal_nocase(name, units[i])) {
            return true;
        }
    }
    return false;
}

static bool is_local(const struct resolve *resolve, const char *name)
{
    for (const struct resolve_local *at = resolve->locals; at; at = at->around) {
        if (at->name && str_equal_nocase(at->name, name)) {
            return true;
        }
    }
    for (const struct resolve_cte *cte = resolve->ctes; cte; cte = cte->before) {
        if (cte->node->kind == SQL_CTE_VALUE && str_equal_nocase(cte->node->text, name)) {
            return true;
        }
    }
    return false;
}

/* ------------------------------------------------------------------ looking up */

static bool is_open(const struct sql_relation *relation)
{
    bool open = relation->columns.open;
    for (size_t i = 0; i < relation->columns.count && !open; i++) {
        open = !relation->columns.items[i]->name; /* the engine chooses its name */
    }
    return open;
}

static void found(struct sql_reference *reference, const struct sql_relation *relation,
                  const struct sql_output *output, size_t fields)
{
    reference->state = REFERENCE_COLUMN;
    reference->relation = relation;
    reference->output = output;
    reference->column = output->column;
    reference->fields = fields;
}

/* A name without a qualifier among the relations of one scope. */
static bool find_bare(struct sql_reference *reference, const struct sql_scope *scope,
                      const char *name, size_t fields)
{
    for (size_t i = 0; i < scope->relations.count; i++) {
        const struct sql_relation *relation = scope->relations.items[i];
        size_t count;
        const struct sql_output *output =
            resolve_output_find(&relation->columns, name, &count);
        if (!output) {
            continue;
        }
        if (sql_is(relation->node, SQL_ARRAY_JOIN)) {
            found(reference, relation, output, fields);
        } else if (reference->relation &&
                   resolve_is_merged(scope, name, reference->relation, relation)) {
            reference->second = reference->second ? reference->second : relation;
        } else if (reference->relation || count > 1) {
            reference->state = REFERENCE_AMBIGUOUS;
            reference->relation = reference->relation ? reference->relation : relation;
            return true;
        } else {
            found(reference, relation, output, fields);
        }
    }
    return reference->relation != NULL;
}

/* One of its relations may have the column, and no other can. */
static bool find_open(struct sql_reference *reference, const struct sql_scope *scope)
{
    size_t open = 0;
    const struct sql_relation *last = NULL;
    for (size_t i = 0; i < scope->relations.count; i++) {
        if (is_open(scope->relations.items[i])) {
            last = scope->relations.items[i];
            open++;
        }
    }
    if (open) {
        reference->state = REFERENCE_UNSURE;
        reference->relation = open == 1 ? last : NULL;
    }
    return open > 0;
}

static bool sees_outputs(const struct resolve *resolve)
{
    static const char *const dialects[] = {
        [CLAUSE_FROM] = "",         [CLAUSE_ITEMS] = "dc",
        [CLAUSE_WHERE] = "sdc",     [CLAUSE_GROUP] = "sdpmcbo",
        [CLAUSE_HAVING] = "sdmcbo", [CLAUSE_ORDER] = "sdpmcbo"};
    return resolve_dialect(resolve, dialects[resolve->clause]);
}

static bool find_output(struct resolve *resolve, struct sql_reference *reference,
                        const char *name)
{
    struct sql_scope *scope = resolve->scope;
    for (size_t i = 0; i < scope->outputs.count; i++) {
        const struct sql_output *output = scope->outputs.items[i];
        if (output->item && output->item->text && str_equal_nocase(output->name, name)) {
            reference->state = REFERENCE_OUTPUT;
            reference->output = output;
            reference->column = output->column;
            return true;
        }
    }
    return false;
}

static void bare(struct resolve *resolve, struct sql_reference *reference, size_t fields)
{
    const struct sql_node *part = reference->node->children[0];
    const char *name = part->text;
    if (is_local(resolve, name)) {
        reference->state = REFERENCE_LOCAL;
        return;
    }
    for (const struct sql_scope *scope = resolve->scope; scope; scope = scope->parent) {
        if (find_bare(reference, scope, name, fields) ||
            (scope == resolve->scope && sees_outputs(resolve) && !fields &&
             find_output(resolve, reference, name))) {
            return;
        }
    }
    for (const struct sql_scope *scope = resolve->scope; scope && !fields;
         scope = scope->parent) {
        reference->relation = resolve_relation_named(scope, reference->node, 1);
        if (reference->relation) {
            reference->state = REFERENCE_ROW;
            return;
        }
    }
    if (is_pseudo(resolve, name)) {
        reference->state = REFERENCE_PSEUDO;
        if (resolve->scope && resolve->scope->relations.count == 1) {
            reference->relation = resolve->scope->relations.items[0];
        }
        return;
    }
    for (const struct sql_scope *scope = resolve->scope; scope; scope = scope->parent) {
        if (find_open(reference, scope)) {
            return;
        }
    }
    if (is_unit(name) && !sql_has(part, FLAG_QUOTED)) {
        reference->state = REFERENCE_UNSURE;
    }
}

static void qualified(struct resolve *resolve, struct sql_reference *reference,
                      const struct sql_relation *relation, size_t parts)
{
    const char *name = reference->node->children[parts]->text;
    size_t count;
    const struct sql_output *output =
        resolve_output_find(&relation->columns, name, &count);
    if (output) {
        found(reference, relation, output, reference->node->count - parts - 1);
        return;
    }
    reference->relation = relation;
    reference->state = is_pseudo(resolve, name) ? REFERENCE_PSEUDO
                       : is_open(relation)      ? REFERENCE_UNSURE
                                                : REFERENCE_UNKNOWN;
}

void resolve_column(struct resolve *resolve, const struct sql_node *node)
{
    struct sql_reference *reference = resolve_reference_new(resolve, node);
    for (const struct sql_scope *scope = resolve->scope; scope && node->count > 1;
         scope = scope->parent) {
        for (size_t parts = node->count - 1; parts > 0; parts--) {
            const struct sql_relation *relation =
                resolve_relation_named(scope, node, parts);
            if (relation) {
                qualified(resolve, reference, relation, parts);
                return;
            }
        }
    }
    bare(resolve, reference, node->count - 1);
}

void resolve_order_item(struct resolve *resolve, const struct sql_node *item)
{
    const struct sql_node *value = item->children[ORDER_VALUE];
    if (resolve->clause == CLAUSE_ORDER && sql_is(value, SQL_COLUMN) &&
        value->count == 1) { /* a name alone means an output before a column */
        struct sql_reference reference = {0};
        if (find_output(resolve, &reference, value->children[0]->text)) {
            struct sql_reference *kept = resolve_reference_new(resolve, value);
            kept->state = reference.state;
            kept->output = reference.output;
            kept->column = reference.column;
            return;
        }
    }
    for (size_t i = 0; i < item->count; i++) {
        resolve_expression(resolve, item->children[i]);
    }
}

void resolve_star(struct resolve *resolve, const struct sql_node *star)
{
    const struct sql_node *of = star->children[STAR_OF];
    resolve_expression(resolve, star->children[STAR_OPTIONS]);
    if (!of) {
        return;
    }
    const struct sql_relation *relation = NULL;
    for (const struct sql_scope *scope = resolve->scope;
         scope && !relation && of->kind == SQL_COLUMN; scope = scope->parent) {
        relation = resolve_relation_named(scope, of, of->count);
    }
    if (!relation) {
        resolve_expression(resolve, of);
        return;
    }
    struct sql_reference *reference = resolve_reference_new(resolve, of);
    reference->state = REFERENCE_ROW;
    reference->relation = relation;
}
