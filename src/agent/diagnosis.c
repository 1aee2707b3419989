/* Diagnoses an SQL error: first by the names in the SQL, then by its dialect, then by the
 * error's text. */
#include "agent/diagnosis.h"

#include "agent/run_statement.h"
#include "base/str.h"
#include "sql/bind.h"
#include "sql/dialects/mend.h"

/*
 * Messages of databases and of corrections_hold.c, and their class
 * (prompts/diagnose_error). The first row that fits decides.
 */
static const struct {
    const char *words;
    const char *type;
    const char *suggestion;
} signs[] = {
    {"was excluded", "CONSTRAINT", "Leave out what the user has excluded."},
    {"does not use", "CONSTRAINT", "Use what the user has asked for."},
    {"function", "UNKNOWN_FUNCTION", "Use a function that this database has."},
    {"ambiguous", "AMBIGUOUS_COLUMN", "Say of which table the column is."},
    {"no such column", "UNKNOWN_COLUMN", "Use a column that the schema has."},
    {"no such table", "UNKNOWN_TABLE", "Use a table that the schema has."},
    {"without a condition", "JOIN", "Join the tables by the columns that they share."},
    {"aggregate", "AGGREGATION",
     "Group by each column that is not counted or summed up."},
    {"GROUP BY", "AGGREGATION", "Group by each column that is not counted or summed up."},
    {"overflow", "TYPE", "Compute with smaller numbers."},
    {"Conversion", "TYPE", "Compare and compute with values of the same type."},
    {"type", "TYPE", "Compare and compute with values of the same type."},
    {"syntax", "SYNTAX", "Write it in the grammar of this database."},
    {"near \"", "SYNTAX", "Write it in the grammar of this database."},
    {"not expected", "SYNTAX", "Write it in the grammar of this database."},
    {"incomplete", "SYNTAX", "Write it in the grammar of this database."},
};

/* Adds tables that have the missing columns to the prompt for the correction. */
static void choose_holders(struct run *run, const struct bind_name *name)
{
    for (size_t i = 0; i < name->holders.count; i++) {
        const struct table *table = schema_table(run_schema(run), name->holders.items[i]);
        bool out = false;
        for (size_t k = 0; k < run->request.correction.reject_tables.count; k++) {
            out = out || str_equal_nocase(run->request.correction.reject_tables.items[k],
                                          table ? table->name : NULL);
        }
        if (table && !out && !run_chosen(run, table->name)) {
            run_choose(run, table, 0.7)->reasoning =
                arena_format(run->arena, "has the column %s", name->wrong);
        }
    }
}

static const char *suggestion_of(struct run *run, const struct bind_name *name)
{
    if (name->right) {
        return arena_format(run->arena, "Use %s.", name->right);
    }
    if (name->near.count) {
        return arena_format(run->arena, "Use one of: %s.",
                            str_join(run->scratch, &name->near, ", "));
    }
    if (name->holders.count) {
        return arena_format(run->arena, "Join %s, which has such a column.",
                            str_join(run->scratch, &name->holders, " or "));
    }
    return arena_format(run->arena, "Use a %s that the schema has.",
                        name->is_table ? "table" : "column");
}

static const char *names_wrong(struct run *run, struct diagnosis *out)
{
    struct bind_result bound;
    bind_check(run->scratch, run_statement(run, run->answer.sql), run_schema(run),
               &bound);
    struct texts causes = {0};
    struct texts suggestions = {0};
    for (size_t i = 0; i < bound.names.count; i++) {
        const struct bind_name *name = &bound.names.items[i];
        out->type = i ? out->type : name->is_table ? "UNKNOWN_TABLE" : "UNKNOWN_COLUMN";
        VEC_PUSH(run->scratch, &causes,
                 arena_format(run->scratch, "There is no %s '%.80s'.",
                              name->is_table ? "table" : "column", name->wrong));
        VEC_PUSH(run->scratch, &suggestions, suggestion_of(run, name));
        if (!bound.sql) {
            choose_holders(run, name);
        }
    }
    if (bound.names.count) {
        out->cause = str_join(run->arena, &causes, " ");
        out->suggestion = str_join(run->arena, &suggestions, " ");
    }
    return bound.sql ? arena_text(run->arena, bound.sql) : NULL;
}

/* Detects SQL in another dialect and translates it, with wrong names corrected; NULL: it
 * is not that. */
static const char *dialect_wrong(struct run *run, struct diagnosis *out)
{
    struct mend mend;
    enum dialect dialect = datasource_dialect(run_datasource(run));
    if (run->query.error->code == ERR_TIMEOUT ||
        !mend_sql(run->scratch, dialect, run->answer.sql, run_schema(run), &mend)) {
        return NULL;
    }
    struct bind_result bound;
    bind_check(run->scratch, run_statement(run, mend.sql), run_schema(run), &bound);
    out->type = "DIALECT";
    out->cause = run->query.error->message;
    out->suggestion = str_join(run->arena, &mend.notes, " ");
    return arena_text(run->arena, bound.sql ? bound.sql : mend.sql);
}

const char *diagnosis_make(struct run *run)
{
    struct diagnosis *out = &run->query.why;
    const struct err *error = run->query.error;
    *out = (struct diagnosis){.error = error->message};
    const char *mended = names_wrong(run, out);
    mended = mended ? mended : dialect_wrong(run, out);
    if (out->type) {
        return mended;
    }
    out->type = error->code == ERR_TIMEOUT ? "TIMEOUT" : "OTHER";
    for (size_t i = 0; error->code != ERR_TIMEOUT && i < sizeof signs / sizeof *signs;
         i++) {
        if (str_contains_nocase(error->message, signs[i].words)) {
            out->type = signs[i].type;
            out->suggestion = signs[i].suggestion;
            break;
        }
    }
    out->cause = error->message;
    return NULL;
}

bool diagnosis_certain(const struct run *run)
{
    static const char *const certain[] = {"UNKNOWN_COLUMN", "UNKNOWN_TABLE", "CONSTRAINT",
                                          "TIMEOUT", "DIALECT"};
    const struct diagnosis *diagnosis = &run->query.why;
    for (size_t i = 0; i < sizeof certain / sizeof *certain; i++) {
        if (str_equal(diagnosis->type, certain[i])) {
            return true;
        }
    }
    return false;
}

const char *diagnosis_text(struct run *run)
{
    const char *cause = run->query.why.cause;
    const char *suggestion = run->query.why.suggestion;
    if (!cause && !suggestion) {
        return NULL;
    }
    return arena_format(run->arena, "%s%s%s", cause ? cause : "",
                        cause && suggestion ? " " : "", suggestion ? suggestion : "");
}
