/* Names: which tables and columns does the query mean, and does the schema have them. */
#include "sql/guard/guard_state.h"

#include <string.h>
#include <strings.h>

#include "base/str.h"

void guard_scope_open(struct guard *guard, struct guard_scope *scope)
{
    *scope = (struct guard_scope){.parent = guard->scope, .visible = {0, SIZE_MAX}};
    guard->scope = scope;
}

void guard_scope_relation(struct guard *guard, const struct guard_relation *relation)
{
    if (guard->scope->relations.count >= GUARD_MAX_RELATIONS) {
        guard->flooded = true;
        return;
    }
    VEC_PUSH(guard->arena, &guard->scope->relations, *relation);
}

void guard_scope_alias(struct guard *guard, const char *alias)
{
    if (guard->scope->aliases.count >= GUARD_MAX_NAMES) {
        guard->flooded = true;
        return;
    }
    VEC_PUSH(guard->arena, &guard->scope->aliases, alias);
}

void guard_scope_star(struct guard *guard, const char *of)
{
    if (guard->scope && of) {
        guard_note(guard, &guard->scope->stars, of);
    } else if (guard->scope) {
        guard->scope->star = true;
    }
}

/* `owner` is the part before the name, or NULL; the whole name has `count` parts and
 * begins at `position`. */
static void add_reference(struct guard *guard, const struct sql_node *owner,
                          const struct sql_node *name, size_t count, size_t position)
{
    bool proven = guard_dialect(guard, "po");
    if ((guard->unsure && !proven) || !guard->scope ||
        (count > 2 && guard_dialect(guard, "dbc"))) {
        guard_note(guard, &guard->out->columns, name->text);
        return;
    }
    struct guard_reference *reference = VEC_ADD(guard->arena, &guard->scope->references);
    reference->qualifier = owner ? owner->text : NULL;
    reference->name = name->text;
    reference->token = guard_first(guard, name);
    reference->owner = owner ? guard_first(guard, owner) : NULL;
    reference->parts = count;
    reference->visible = guard->scope->visible;
    reference->unsure = guard->unsure > 0;
    reference->position = position;
    reference->in_call = guard->calls > 0;
}

void guard_reference(struct guard *guard, const struct sql_node *column)
{
    size_t count = column->count;
    add_reference(guard, count > 1 ? column->children[count - 2] : NULL,
                  column->children[count - 1], count, column->start);
}

void guard_reference_name(struct guard *guard, const struct sql_node *name)
{
    add_reference(guard, NULL, name, 1, name->start);
}

bool guard_reference_field(struct guard *guard, const struct sql_node *column,
                           const char *field)
{
    struct guard_references *list = guard->scope ? &guard->scope->references : NULL;
    for (size_t i = list ? list->count : 0; i > 0; i--) {
        if (list->items[i - 1].position == column->start) {
            list->items[i - 1].field = field;
            return true;
        }
    }
    return false;
}

void guard_reference_called(struct guard *guard)
{
    struct guard_references *list = guard->scope ? &guard->scope->references : NULL;
    if (list && list->count && !guard->unsure) {
        list->items[list->count - 1].called = true;
    }
}

void guard_column_noted(struct guard *guard, const char *table, const char *column)
{
    guard_note(guard, &guard->out->columns,
               table ? arena_format(guard->arena, "%s.%s", table, column) : column);
}

static void add_relations(struct guard *guard, struct guard_relations *to,
                          const struct guard_relations *from)
{
    for (size_t i = 0; i < from->count && to->count < GUARD_MAX_REACH; i++) {
        VEC_PUSH(guard->arena, to, from->items[i]);
    }
}

static void note_unknown(struct guard *guard, const char *table,
                         const struct guard_reference *reference,
                         const struct guard_relation *relation,
                         const struct guard_scope *scope)
{
    guard_note(guard, &guard->out->unknown,
               table ? arena_format(guard->arena, "%s.%s", table, reference->name)
                     : reference->name);
    struct guard_miss miss = {.qualifier = reference->qualifier,
                              .name = reference->name,
                              .position = reference->position,
                              .table = relation ? relation->table : NULL};
    add_relations(guard, &miss.relations, &reference->reach);
    for (; scope; scope = scope->parent) {
        add_relations(guard, &miss.relations, &scope->relations);
    }
    guard_miss(guard, &miss);
}

/* Columns that exist without being declared. */
bool guard_is_pseudo_column(const struct guard *guard, const char *name)
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
            guard_dialect(guard, pseudo[i].dialects)) {
            return true;
        }
    }
    return false;
}

static void note_pseudo(struct guard *guard, const struct guard_reference *reference,
                        const struct table *table)
{
    if (guard->out->pseudos.count >= GUARD_MAX_NAMES) {
        guard->flooded = true;
        return;
    }
    VEC_PUSH(guard->arena, &guard->out->pseudos,
             ((struct guard_pseudo){.name = reference->name,
                                    .table = table,
                                    .position = reference->position}));
}

/* MONTH in DATE_TRUNC(d, MONTH): an argument, not a column. */
static bool is_unit_word(const char *name)
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

static bool in_texts(const struct texts *texts, const char *name)
{
    for (size_t i = 0; i < texts->count; i++) {
        if (str_equal_nocase(texts->items[i], name)) {
            return true;
        }
    }
    return false;
}

const struct guard_relation *guard_scope_named(const struct guard_scope *scope,
                                               const char *alias)
{
    for (size_t i = 0; i < scope->relations.count; i++) {
        if (str_equal_nocase(scope->relations.items[i].alias, alias)) {
            return &scope->relations.items[i];
        }
    }
    return NULL;
}

/*
 * PostgreSQL reads t.f as f(t) when t has no such column, and Oracle calls f without any
 * parentheses: a call of a function that is on no list. So there a name that is no column
 * is refused, not only reported.
 */
static void refuse_hidden_call(struct guard *guard,
                               const struct guard_reference *reference, const char *table)
{
    if (!guard_dialect(guard, reference->qualifier ? "po" : "o") || guard->missing) {
        return;
    }
    guard->missing = true;
    guard->out->position = (int)reference->position;
    guard->out->word = reference->name;
    guard->out->reason =
        table ? arena_format(guard->arena, "Column '%.80s' does not exist in '%.80s'.",
                             reference->name, table)
              : arena_format(guard->arena, "Column '%.80s' does not exist.",
                             reference->name);
}

void guard_reference_refuse(struct guard *guard, const struct guard_reference *reference,
                            const char *reason)
{
    if (!guard->missing) {
        guard->missing = true;
        guard->out->position = (int)reference->position;
        guard->out->word = reference->name;
        guard->out->reason = reason;
    }
}

void guard_reference_unknown(struct guard *guard, const struct guard_scope *scope,
                             const struct guard_reference *reference,
                             const struct guard_relation *relation)
{
    note_unknown(guard, relation->table ? relation->table->name : reference->qualifier,
                 reference, relation, scope);
}

/* ClickHouse calls the functions of these names when no column has it. */
static bool is_session_call(const struct guard *guard,
                            const struct guard_reference *reference)
{
    static const char *const names[] = {"user", "database", "schema"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (guard_dialect(guard, "c") && !reference->qualifier &&
            str_equal_nocase(reference->name, names[i])) {
            return true;
        }
    }
    return false;
}

void guard_reference_pass_up(struct guard *guard, const struct guard_scope *scope,
                             const struct guard_reference *reference, const char *table)
{
    table = reference->home ? reference->home : table;
    if (scope->parent) {
        struct guard_reference *passed =
            VEC_ADD(guard->arena, &scope->parent->references);
        *passed = *reference;
        passed->home = table;
        passed->visible = scope->parent->visible;
        add_relations(guard, &passed->reach, &scope->relations);
        return;
    }
    if (reference->found) {
        return;
    }
    if (reference->field) {
        guard_reference_refuse(guard, reference,
                               arena_format(guard->arena,
                                            "Column '%.80s' does not exist, so it has no "
                                            "field.",
                                            reference->name));
        return;
    }
    if (reference->called) { /* schema.function(), not column.function() */
        guard_reference_refuse(guard, reference,
                               "Functions of another schema are not allowed.");
        return;
    }
    if (guard->schema &&
        !(reference->in_call && !reference->qualifier && is_unit_word(reference->name))) {
        note_unknown(guard, reference->qualifier ? reference->qualifier : table,
                     reference, NULL, scope);
        refuse_hidden_call(guard, reference, reference->qualifier ? NULL : table);
        if (is_session_call(guard, reference)) {
            guard_reference_refuse(guard, reference,
                                   arena_format(guard->arena,
                                                "%.60s is no column here, and a function "
                                                "that describes the session.",
                                                reference->name));
        }
    } else {
        guard_column_noted(guard, NULL, reference->name);
    }
}

/* A column by its name, or a struct by the path that its fields begin with. */
static bool has_column(const struct guard *guard, const struct table *table,
                       const char *name)
{
    if (table_column(table, name)) {
        return true;
    }
    size_t size = strlen(name);
    for (size_t i = 0; guard_dialect(guard, "dbc") && i < table->columns.count; i++) {
        const char *path = table->columns.items[i].name;
        if (strncasecmp(path, name, size) == 0 && path[size] == '.') {
            return true;
        }
    }
    return false;
}

static void settle_qualified(struct guard *guard, const struct guard_scope *scope,
                             const struct guard_reference *reference,
                             const struct guard_relation *relation)
{
    if (relation->table) {
        if (has_column(guard, relation->table, reference->name)) {
            guard_column_noted(guard, relation->table->name, reference->name);
        } else if (guard_is_pseudo_column(guard, reference->name)) {
            note_pseudo(guard, reference, relation->table);
        } else {
            guard_reference_unknown(guard, scope, reference, relation);
        }
    } else {
        guard_column_noted(guard, relation->name, reference->name);
    }
}

/* Names that engines behind ODBC give to what has none: "COUNT(*)", Expr1000. */
static bool is_made_name(const char *name)
{
    return str_starts_nocase(name, "expr") ||
           strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                        "0123456789_$#") < strlen(name);
}

/* Whether a derived relation may have the column without our knowing. Oracle calls a
 * function by its bare name, so over ODBC the columns must be certain. */
static bool is_opaque(const struct guard *guard, const struct guard_relation *relation,
                      const char *name)
{
    return !relation->output || relation->output->open || !guard_dialect(guard, "o") ||
           is_made_name(name);
}

/* A column of one of the relations here? `matches` counts those that have it. */
static const struct guard_relation *column_owner(const struct guard *guard,
                                                 const struct guard_scope *scope,
                                                 const struct guard_reference *reference,
                                                 const char *name, size_t *matches,
                                                 bool *opaque)
{
    const struct guard_relation *owner = NULL;
    const struct texts *fields;
    *matches = 0;
    *opaque = false;
    for (size_t i = 0; i < scope->relations.count; i++) {
        const struct guard_relation *relation = &scope->relations.items[i];
        if (guard_dialect(guard, "o") &&
            (i < reference->visible.from || i >= reference->visible.to)) {
            continue;
        }
        bool has =
            relation->output
                ? guard_proof(guard, relation, reference->token, &fields) == PROOF_KNOWN
                : relation->table && has_column(guard, relation->table, name);
        if (has) {
            owner = relation;
            ++*matches;
        } else if ((relation->output || !relation->table) &&
                   is_opaque(guard, relation, name)) {
            *opaque = true;
        }
    }
    return owner;
}

static void settle_bare(struct guard *guard, struct guard_scope *scope,
                        const struct guard_reference *reference)
{
    size_t matches;
    bool opaque;
    const struct guard_relation *owner =
        column_owner(guard, scope, reference, reference->name, &matches, &opaque);
    const struct guard_relation *first =
        scope->relations.count == 1 ? &scope->relations.items[0] : NULL;
    if (matches > 0) {
        bool certain = matches == 1 && !opaque && owner->table && !owner->output;
        guard_column_noted(guard, certain ? owner->table->name : NULL, reference->name);
    } else if (in_texts(&scope->aliases, reference->name)) {
        return;
    } else if (guard_scope_named(scope, reference->name)) { /* a row as a value */
        guard_note(guard, &scope->stars, reference->name);
        return;
    } else if (opaque || guard_is_pseudo_column(guard, reference->name)) {
        if (guard_is_pseudo_column(guard, reference->name)) {
            note_pseudo(guard, reference, NULL);
        }
        guard_column_noted(guard, first && !scope->parent ? first->name : NULL,
                           reference->name);
    } else {
        guard_reference_pass_up(guard, scope, reference,
                                first && first->table ? first->table->name : NULL);
    }
}

/* a.b where a is no relation: a field of a column where the dialect has such. */
static void settle_stray(struct guard *guard, const struct guard_scope *scope,
                         const struct guard_reference *reference)
{
    size_t matches;
    bool opaque;
    if (!guard_dialect(guard, "dbc")) {
        guard_reference_pass_up(guard, scope, reference, NULL);
    } else if (column_owner(guard, scope, reference, reference->qualifier, &matches,
                            &opaque)) {
        guard_column_noted(guard, NULL, reference->qualifier);
    } else if (opaque) {
        guard_column_noted(guard, NULL, reference->name);
    } else {
        guard_reference_pass_up(guard, scope, reference, NULL);
    }
}

static void settle_stars(struct guard *guard, const struct guard_scope *scope)
{
    for (size_t i = 0; i < scope->relations.count; i++) {
        const struct guard_relation *relation = &scope->relations.items[i];
        if (relation->table &&
            (scope->star || in_texts(&scope->stars, relation->alias))) {
            guard_note(guard, &guard->out->wholes, relation->table->name);
        }
    }
}

void guard_scope_close(struct guard *guard)
{
    struct guard_scope *scope = guard->scope;
    for (size_t i = 0; i < scope->references.count; i++) {
        const struct guard_reference *reference = &scope->references.items[i];
        if (guard_dialect(guard, "po") && (reference->qualifier || reference->field)) {
            (reference->qualifier ? guard_prove : guard_prove_field)(guard, scope,
                                                                     reference);
            continue;
        }
        if (reference->unsure) {
            guard_column_noted(guard, NULL, reference->name);
            continue;
        }
        if (!reference->qualifier) {
            settle_bare(guard, scope, reference);
            continue;
        }
        const struct guard_relation *relation =
            guard_scope_named(scope, reference->qualifier);
        if (relation) {
            settle_qualified(guard, scope, reference, relation);
        } else {
            settle_stray(guard, scope, reference);
        }
    }
    settle_stars(guard, scope);
    guard->scope = scope->parent;
}
