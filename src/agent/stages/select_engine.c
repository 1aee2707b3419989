/* SELECT_ENGINE: where the query runs. One datasource: its own driver; several: DuckDB.
 */
#include "agent/sources/crossing.h"
#include "agent/sources/policing.h"
#include "agent/stages/stages.h"
#include "base/str.h"

static enum event select_engine_work(struct run *run, struct err *err)
{
    (void)err;
    const struct datasource *source = run_datasource(run);
    /* Files and documents have no SQL of their own. */
    bool lent = datasource_dialect(source) == DIALECT_DUCKDB && !run->sources.across &&
                !str_equal(source->driver->name, "duckdb");
    run->answer.engine = lent ? "duckdb" : source->driver->name;
    run->answer.engine_reason =
        run->sources.across ? crossing_reason(run)
        : lent
            ? arena_format(run->arena,
                           "'%s' has no SQL engine of its own, so what the question "
                           "needs of it is read into DuckDB.",
                           source->id)
            : arena_format(run->arena,
                           "The question is about '%s' alone, so its own engine runs it.",
                           source->id);
    if (!run->sources.across && source->driver->engine) {
        run->answer.engine = source->driver->engine;
        run->answer.engine_reason = arena_format(
            run->arena,
            "'%s' runs no SQL of its own: what the query needs of it was read into a "
            "private DuckDB.",
            source->id);
    }
    if (policing_wants_approval(run) && !run->query.approved && !run->question.dry_run) {
        struct clarification *back = &run->answer.clarification;
        *back = (struct clarification){.kind = CLARIFY_APPROVAL,
                                       .message = "Should this query be run?"};
        VEC_PUSH(run->arena, &back->options,
                 ((struct clarification_option){"yes", "Yes, run it"}));
        VEC_PUSH(run->arena, &back->options,
                 ((struct clarification_option){"no", "No, do not run it"}));
        return EVENT_NEEDS_APPROVAL;
    }
    return EVENT_DONE;
}

const struct stage stage_select_engine = {.state = STATE_SELECT_ENGINE,
                                          .work = select_engine_work};
