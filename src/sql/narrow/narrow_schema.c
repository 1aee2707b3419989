/* What a policy holds back, taken out of a schema. */
#include <string.h>

#include "base/err.h"
#include "base/log.h"
#include "base/str.h"
#include "sql/narrow/narrow_state.h"
#include "sql/view.h"

struct sifting {
    struct schema *schema;
    enum dialect dialect;
    const struct narrow_rules *rules;
    struct arena *scratch;
    struct texts gone; /* names of tables and columns that are held back */
};

static bool is_gone(const struct sifting *sifting, const char *name)
{
    for (size_t i = 0; i < sifting->gone.count; i++) {
        if (str_equal_nocase(sifting->gone.items[i], name)) {
            return true;
        }
    }
    return false;
}

/* A condition must be about columns that are there: a name that is not could be taken for
 * one of the statement around it. Asked of the whole schema. */
static bool conditions_fit(struct sifting *sifting, struct err *err)
{
    for (size_t i = 0; i < sifting->schema->tables.count; i++) {
        const struct table *table = &sifting->schema->tables.items[i];
        const char *condition =
            narrow_condition(sifting->scratch, sifting->dialect, sifting->rules, table);
        if (!condition) {
            continue;
        }
        struct guard_result guard = {0};
        const char *sql = arena_format(
            sifting->scratch, "SELECT 1 FROM %s WHERE %s",
            narrow_quoted(sifting->scratch, sifting->dialect, table->name, true),
            condition);
        guard_check(sifting->scratch, sifting->dialect, sql, strlen(sql), sifting->schema,
                    &guard);
        if (guard.verdict != GUARD_READ || guard.unknown.count) {
            LOG(LOG_DATASOURCE, LOG_ERROR,
                "the policy's condition on the rows of %s does not fit: %s%s",
                table->name, guard.reason,
                guard.unknown.count ? guard.unknown.items[0] : "");
            return err_set(err, ERR_CONFIG,
                           "The policy of '%s' does not match its tables, so nothing is "
                           "read from it.",
                           str_or_empty(sifting->schema->datasource));
        }
    }
    return true;
}

/* Does it read nothing that is held back, as far as can be told from its definition? */
static bool reads_open(struct sifting *sifting, const struct table *view, bool explained)
{
    struct guard_result guard = {0};
    if (str_empty(view->definition)) {
        return false;
    }
    const char *query = view_query(sifting->scratch, sifting->dialect, view->definition);
    guard_check(sifting->scratch, sifting->dialect, query, strlen(query), sifting->schema,
                &guard);
    if (guard.verdict != GUARD_READ || guard.unknown.count) {
        return false;
    }
    for (size_t i = 0; i < guard.places.count; i++) {
        const struct table *table = guard.places.items[i].table;
        if (!table || !policy_has_table(sifting->rules->policy, table) ||
            policy_touches(sifting->rules->policy, table) ||
            is_gone(sifting, table->name) ||
            (explained && table->is_view && !table->definition)) {
            return false;
        }
    }
    return true;
}

/* Does a virtual table show only what may be seen in full? */
static bool shows_open(const struct sifting *sifting, const struct table *table)
{
    const struct table *shown =
        str_empty(table->shows) ? NULL : schema_table(sifting->schema, table->shows);
    return shown && policy_has_table(sifting->rules->policy, shown) &&
           !policy_touches(sifting->rules->policy, shown) &&
           !is_gone(sifting, shown->name);
}

/* May the view be seen, by what it reads? Where that is not known for certain only a
 * view that is allowed by its name. */
static bool view_is_open(struct sifting *sifting, const struct table *view)
{
    return policy_lists_table(sifting->rules->policy, view) ||
           (view->is_view ? reads_open(sifting, view, false) : shows_open(sifting, view));
}

/* A view that is allowed by its name is seen, but how it is made would speak of what is
 * held back; so would a view over it. */
static void forget_definitions(struct sifting *sifting)
{
    struct tables *tables = &sifting->schema->tables;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < tables->count; i++) {
            struct table *table = &tables->items[i];
            if (table->is_view && table->definition &&
                !reads_open(sifting, table, true)) {
                table->definition = NULL;
                more = true;
            }
        }
    }
}

static bool is_open(struct sifting *sifting, const struct table *table)
{
    return !is_gone(sifting, table->name) &&
           policy_has_table(sifting->rules->policy, table);
}

/* Does the policy hold anything back of any table? */
static bool holds_back(const struct narrow_rules *rules)
{
    for (const struct policy *policy = rules->policy; policy; policy = policy->outer) {
        if (policy->allow_only || policy->deny.count || policy->columns.count ||
            policy->filters.count) {
            return true;
        }
    }
    return false;
}

/* A view over a view that is held back is held back too, and so is a virtual table over
 * one: round after round, until none is found. */
static void find_gone(struct sifting *sifting)
{
    struct tables *tables = &sifting->schema->tables;
    for (size_t i = 0; i < tables->count; i++) {
        if (!policy_has_table(sifting->rules->policy, &tables->items[i])) {
            VEC_PUSH(sifting->scratch, &sifting->gone, tables->items[i].name);
        }
    }
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < tables->count; i++) {
            const struct table *table = &tables->items[i];
            if ((table->is_view || table->shows) && is_open(sifting, table) &&
                !view_is_open(sifting, table)) {
                VEC_PUSH(sifting->scratch, &sifting->gone, table->name);
                more = true;
            }
        }
    }
}

static bool texts_seen(const struct sifting *sifting, const struct table *table,
                       const struct texts *columns)
{
    for (size_t i = 0; i < columns->count; i++) {
        if (policy_mask_of(sifting->rules->policy, table, columns->items[i]) !=
            POLICY_MASK_NONE) {
            return false;
        }
    }
    return true;
}

/* The schema shows no values of a masked column, and no statistics if rows are hidden. */
static void forget_values(struct column *column)
{
    column->samples = (struct texts){0};
    column->samples_all = false;
    column->meanings = (struct meanings){0};
    column->distinct = -1;
    column->null_share = -1;
    column->least = NULL;
    column->greatest = NULL;
    column->default_value = NULL;
}

static void sift_columns(struct sifting *sifting, struct table *table)
{
    size_t kept = 0;
    for (size_t i = 0; i < table->columns.count; i++) {
        struct column *column = &table->columns.items[i];
        enum policy_mask mask =
            policy_mask_of(sifting->rules->policy, table, column->name);
        if (mask == POLICY_MASK_DENIED) {
            continue;
        }
        if (mask != POLICY_MASK_NONE) {
            forget_values(column);
            if (mask != POLICY_MASK_NULL) {
                column->fields = (struct texts){0}; /* it becomes a text */
            }
            column->type = narrow_mask_type(sifting->dialect, mask, column->type);
            column->nullable = true;
        }
        table->columns.items[kept++] = *column;
    }
    table->columns.count = kept;
}

/* Is a word a column that is masked, of the metric's table or of those that it joins? */
static bool is_masked(struct sifting *sifting, const struct table *table,
                      const struct metric *metric, const char *word)
{
    const struct policy *policy = sifting->rules->policy;
    bool masked = policy_mask_of(policy, table, word) != POLICY_MASK_NONE;
    for (size_t i = 0; !masked && i < metric->tables.count; i++) {
        const struct table *other =
            schema_table(sifting->schema, metric->tables.items[i]);
        masked = !other || policy_mask_of(policy, other, word) != POLICY_MASK_NONE;
    }
    return masked;
}

static bool words_are_open(struct sifting *sifting, const struct table *table,
                           const struct metric *metric, const char *text)
{
    struct tokens tokens = {0};
    lexer_run(sifting->scratch, sifting->dialect, text, strlen(text), &tokens);
    for (size_t i = 0; i < tokens.count; i++) {
        const char *word = tokens.items[i].text;
        if ((tokens.items[i].kind == TOKEN_WORD || tokens.items[i].kind == TOKEN_NAME) &&
            (is_gone(sifting, word) || is_masked(sifting, table, metric, word))) {
            return false;
        }
    }
    return true;
}

/* Are the expression of a metric and its joins about what is there? */
static bool metric_is_open(struct sifting *sifting, const struct table *table,
                           const struct metric *metric)
{
    bool open = words_are_open(sifting, table, metric, metric->expression);
    for (size_t i = 0; open && i < metric->tables.count; i++) {
        const struct table *other =
            schema_table(sifting->schema, metric->tables.items[i]);
        open = other && is_open(sifting, other) &&
               words_are_open(sifting, table, metric, metric->joins.items[i]);
    }
    return open;
}

static bool key_is_open(struct sifting *sifting, const struct table *table,
                        const struct foreign_key *key)
{
    const struct table *to = schema_table(sifting->schema, key->table);
    return texts_seen(sifting, table, &key->columns) && to && is_open(sifting, to) &&
           texts_seen(sifting, to, &key->references);
}

static void sift_parts(struct sifting *sifting, struct table *table)
{
    size_t kept = 0;
    for (size_t i = 0; i < table->foreign_keys.count; i++) {
        if (key_is_open(sifting, table, &table->foreign_keys.items[i])) {
            table->foreign_keys.items[kept++] = table->foreign_keys.items[i];
        }
    }
    table->foreign_keys.count = kept;
    kept = 0;
    for (size_t i = 0; i < table->indexes.count; i++) {
        if (texts_seen(sifting, table, &table->indexes.items[i].columns)) {
            table->indexes.items[kept++] = table->indexes.items[i];
        }
    }
    table->indexes.count = kept;
    kept = 0;
    for (size_t i = 0; i < table->metrics.count; i++) {
        if (metric_is_open(sifting, table, &table->metrics.items[i])) {
            table->metrics.items[kept++] = table->metrics.items[i];
        }
    }
    table->metrics.count = kept;
}

/* A warning may name what is not there any more; the log keeps it. */
static void sift_warnings(struct sifting *sifting)
{
    struct texts *warnings = &sifting->schema->warnings;
    for (size_t i = 0; i < warnings->count; i++) {
        LOG(LOG_DATASOURCE, LOG_INFO, "%s: %s", sifting->schema->datasource,
            warnings->items[i]);
    }
    warnings->count = 0;
}

bool narrow_schema(struct schema *schema, enum dialect dialect,
                   const struct narrow_rules *rules, struct err *err)
{
    if (!holds_back(rules)) {
        return true;
    }
    struct sifting sifting = {
        .schema = schema, .dialect = dialect, .rules = rules, .scratch = arena_new()};
    const char *entry = NULL;
    bool ok = policy_fits(rules->policy, schema, &entry);
    if (!ok) {
        LOG(LOG_DATASOURCE, LOG_ERROR,
            "the policy of %s names '%s', which does not exist", schema->datasource,
            entry);
        (void)err_set(
            err, ERR_CONFIG,
            "The policy of '%s' does not match its tables, so nothing is read from it.",
            str_or_empty(schema->datasource));
        (void)err_hint(err, "The log names the entry without a match.");
    }
    ok = ok && conditions_fit(&sifting, err);
    if (ok) {
        find_gone(&sifting);
        forget_definitions(&sifting);
        sift_warnings(&sifting);
        for (size_t i = 0; i < schema->tables.count; i++) {
            sift_parts(&sifting, &schema->tables.items[i]);
        }
        size_t kept = 0;
        for (size_t i = 0; i < schema->tables.count; i++) {
            struct table *table = &schema->tables.items[i];
            if (is_open(&sifting, table)) {
                sift_columns(&sifting, table);
                if (table->columns.count) {
                    schema->tables.items[kept++] = *table;
                }
            }
        }
        schema->tables.count = kept;
    }
    arena_free(sifting.scratch);
    return ok;
}
