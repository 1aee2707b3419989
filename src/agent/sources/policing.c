/* What the policies of a question's datasources ask of the agent. */
#include "agent/sources/policing.h"

#include <string.h>

#include "agent/run.h"
#include "base/str.h"
#include "datasource/policy/restrict.h"

static const struct policy *policy_at(const struct run *run, size_t index)
{
    return datasource_policy(run->sources.items[index].source);
}

bool policing_sends_rows(const struct run *run)
{
    bool sends = run->options->llm_send_rows;
    for (size_t i = 0; sends && i < run->sources.count; i++) {
        sends = !policy_keeps_rows(policy_at(run, i));
    }
    return sends;
}

struct schema_text_settings policing_text_settings(const struct run *run)
{
    struct schema_text_settings settings = schema_text_settings_of(run->options);
    settings.samples = policing_sends_rows(run) ? settings.samples : 0;
    settings.ranges = settings.ranges && policing_sends_rows(run);
    settings.literals = settings.literals && policing_sends_rows(run);
    return settings;
}

bool policing_wants_approval(const struct run *run)
{
    bool wants = run->options->agent_approval;
    for (size_t i = 0; !wants && i < run->sources.count; i++) {
        wants = policy_wants_approval(policy_at(run, i));
    }
    return wants;
}

int64_t policing_max_cost(const struct run *run, bool *strict)
{
    int64_t most = run->options->sql_max_scan_rows;
    *strict = false;
    for (size_t i = 0; i < run->sources.count; i++) {
        int64_t own = policy_max_cost(policy_at(run, i));
        if (own && (!most || own <= most)) {
            most = own;
        }
        *strict = *strict || own;
    }
    return most;
}

int64_t policing_max_bytes(const struct run *run)
{
    int64_t most = run->options->sql_max_bytes;
    for (size_t i = 0; i < run->sources.count; i++) {
        int64_t own = policy_max_bytes(policy_at(run, i));
        most = own && own < most ? own : most;
    }
    return most;
}

/* "some rows of orders", "orders without all its columns", "customers.email masked" */
static void note_table(struct run *run, const struct policy *policy,
                       const struct table *table, struct texts *out)
{
    struct texts conditions = {0};
    policy_filters_of(policy, table, run->scratch, &conditions);
    if (conditions.count) {
        VEC_PUSH(run->scratch, out,
                 arena_format(run->scratch, "only some rows of %s", table->name));
    }
    for (size_t i = 0; i < table->columns.count; i++) {
        const char *name = table->columns.items[i].name;
        if (policy_mask_of(policy, table, name) != POLICY_MASK_NONE) {
            VEC_PUSH(run->scratch, out,
                     arena_format(run->scratch, "%s.%s masked", table->name, name));
        }
    }
}

/* It shows conditions, and with them accounts, claims and tables that are denied. */
static void note_sql(struct run *run, struct datasource *source)
{
    struct passage passage;
    struct err trouble;
    err_clear(&trouble);
    if (passage_begin(&passage, source, run->answer.sql, run_schema(run),
                      run->query.is_write ? GUARD_WRITE : GUARD_READ, NULL, &trouble) &&
        passage.narrow.changed) {
        run_warn_system(run, "It ran as: %s", passage_shown(&passage, source));
    }
    passage_end(&passage);
}

void policing_note(struct run *run)
{
    for (size_t i = 0; i < run->sources.count; i++) {
        struct run_source *source = &run->sources.items[i];
        const struct policy *policy = policy_at(run, i);
        struct texts notes = {0};
        for (size_t k = 0; policy && k < run->answer.tables.count; k++) {
            const char *name = run->answer.tables.items[k];
            const char *dot = run->sources.across ? strchr(name, '.') : NULL;
            const struct table *table =
                source->schema ? schema_table(source->schema, dot ? dot + 1 : name)
                               : NULL;
            if (table) {
                note_table(run, policy, table, &notes);
            }
        }
        if (notes.count) {
            run_warn(run, "Because of the policy of '%s', this covers only: %s.",
                     source->source->id, str_join(run->scratch, &notes, ", "));
        }
        if (notes.count && datasource_lacks_claim(source->source)) {
            run_warn_system(
                run,
                "Rows of '%s' are hidden because your sign-in lacks a claim that its "
                "policy needs; an administrator can add it.",
                source->source->id);
        }
        if (notes.count && !run->sources.across && policy_shows_filters(policy)) {
            note_sql(run, source->source);
        }
    }
}
