/*
 * Proof that a name with a dot is a column. PostgreSQL reads x.f as the call f(x) when
 * the relation x has no column f. Which x is meant depends on the place: a subquery in
 * FROM does not see its neighbours, a join's condition sees only what is joined. Where
 * that is not certain, every relation that could be meant must have the column.
 */
#include "sql/guard/guard_state.h"

#include <string.h>

#include "base/str.h"

/* A column of a query by a name: PostgreSQL compares what it stores, other engines behind
 * ODBC fold names in their own ways. */
static bool same_name(const struct guard *guard, const struct guard_column *column,
                      const struct token *name)
{
    bool quoted = name->kind == TOKEN_NAME && guard->text[name->start] == '"';
    bool bracketed = name->kind == TOKEN_NAME && !quoted;
    if (!column->name) {
        return false;
    }
    if (guard_dialect(guard, "o") && (!column->exact || bracketed)) {
        return str_equal_nocase(column->name, name->text);
    }
    return str_equal(column->name, guard_folded(guard, name));
}

static const struct column *table_has(const struct guard *guard,
                                      const struct table *table, const struct token *name)
{
    const char *folded = guard_folded(guard, name);
    const struct column *column = table_column(table, folded);
    return column && (guard_dialect(guard, "o") || str_equal(column->name, folded))
               ? column
               : NULL;
}

enum guard_proof guard_proof(const struct guard *guard,
                             const struct guard_relation *relation,
                             const struct token *name, const struct texts **fields)
{
    const struct guard_output *output = relation->output;
    *fields = NULL;
    for (size_t i = 0; output && i < output->count; i++) {
        if (same_name(guard, &output->items[i], name)) {
            *fields = output->items[i].fields;
            return PROOF_KNOWN;
        }
    }
    if (output || !relation->table) {
        bool open = !output || output->open;
        return open && !function_is_no_column(name->text) ? PROOF_OPEN : PROOF_NONE;
    }
    const struct column *column = table_has(guard, relation->table, name);
    if (column) {
        *fields = &column->fields;
        return PROOF_KNOWN;
    }
    return !relation->table->is_view && guard_is_pseudo_column(guard, name->text)
               ? PROOF_KNOWN
               : PROOF_NONE;
}

static bool is_visible(const struct guard_reference *reference, size_t index)
{
    return index >= reference->visible.from && index < reference->visible.to;
}

static bool has_field(const struct guard_reference *reference, const struct texts *fields)
{
    for (size_t i = 0; fields && i < fields->count; i++) {
        if (str_equal(fields->items[i], reference->field)) {
            return true;
        }
    }
    return false;
}

/* A field of a column that is there: is it one of those that are known? */
static bool field_proven(struct guard *guard, const struct guard_reference *reference,
                         enum guard_proof proof, const struct texts *fields)
{
    bool open = proof == PROOF_OPEN && !guard->schema;
    if (!reference->field || open || (!guard->schema && fields && !fields->count) ||
        has_field(reference, fields)) {
        return true;
    }
    guard_reference_refuse(
        guard, reference,
        arena_format(guard->arena,
                     "'%.80s' is not known to be a field of '%.80s': it could be a call "
                     "of a function.",
                     reference->field, reference->name));
    return false;
}

static void refuse_column(struct guard *guard, const struct guard_scope *scope,
                          const struct guard_reference *reference,
                          const struct guard_relation *relation)
{
    guard_reference_unknown(guard, scope, reference, relation);
    guard_reference_refuse(
        guard, reference,
        relation->table && !relation->output
            ? arena_format(guard->arena, "Column '%.80s' does not exist in '%.80s'.",
                           reference->name, relation->table->name)
            : arena_format(guard->arena,
                           "'%.80s' has no column that is certain to be called '%.80s': "
                           "name it there (AS %.80s).",
                           reference->qualifier, reference->name, reference->name));
}

void guard_prove(struct guard *guard, struct guard_scope *scope,
                 const struct guard_reference *reference)
{
    struct guard_reference next = *reference;
    bool certain = false;
    for (size_t i = 0; i < scope->relations.count; i++) {
        const struct guard_relation *relation = &scope->relations.items[i];
        if (!relation->alias ||
            !str_equal_nocase(relation->alias, reference->qualifier)) {
            continue;
        }
        const struct texts *fields;
        enum guard_proof proof = guard_proof(guard, relation, reference->token, &fields);
        if (proof == PROOF_NONE) {
            refuse_column(guard, scope, reference, relation);
            return;
        }
        if (!field_proven(guard, reference, proof, fields)) {
            return;
        }
        guard_column_noted(guard,
                           relation->table ? relation->table->name : relation->name,
                           reference->name);
        next.found = true;
        certain = certain ||
                  (reference->parts == 2 && is_visible(reference, i) &&
                   str_equal(relation->exact, guard_folded(guard, reference->owner)));
    }
    if (!certain) {
        guard_reference_pass_up(guard, scope, &next, NULL);
    }
}

void guard_prove_field(struct guard *guard, struct guard_scope *scope,
                       const struct guard_reference *reference)
{
    struct guard_reference next = *reference;
    bool certain = false;
    for (size_t i = 0; i < scope->relations.count; i++) {
        const struct guard_relation *relation = &scope->relations.items[i];
        const struct texts *fields;
        enum guard_proof proof = guard_proof(guard, relation, reference->token, &fields);
        if (proof == PROOF_NONE) {
            continue;
        }
        if (!field_proven(guard, reference, proof, fields)) {
            return;
        }
        guard_column_noted(guard,
                           relation->table ? relation->table->name : relation->name,
                           reference->name);
        next.found = true;
        certain = certain || (is_visible(reference, i) && proof == PROOF_KNOWN);
    }
    for (size_t i = 0; i < scope->relations.count && !certain; i++) {
        if (str_equal_nocase(scope->relations.items[i].alias, reference->name)) {
            guard_reference_refuse(guard, reference,
                                   "Fields of a whole row are not allowed.");
            return;
        }
    }
    if (!certain) {
        guard_reference_pass_up(guard, scope, &next, NULL);
    }
}
