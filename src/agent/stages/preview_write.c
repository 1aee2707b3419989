/*
 * PREVIEW_WRITE: executes a write, counts its rows, rolls it back, and asks the user for
 * approval.
 */
#include "agent/stages/stages.h"

static enum event preview_write_work(struct run *run, struct err *err)
{
    struct datasource_limits limits = run_limits(run);
    int64_t touched = 0;
    bool again = run->last_event == EVENT_ROWS_CHANGED;
    if (!datasource_write(run_datasource(run), run->answer.sql, run_schema(run),
                          WRITE_PREVIEW, &limits, &touched, err)) {
        return EVENT_FATAL;
    }
    run->answer.rows_touched = touched;
    if (run->question.dry_run) {
        run_warn(run, "Nothing was changed: this was a dry run.");
        return EVENT_SKIPPED; /* what is not to run needs no approval */
    }
    struct clarification *back = &run->answer.clarification;
    *back = (struct clarification){.kind = CLARIFY_APPROVAL};
    back->message = arena_format(
        run->arena, "%s change %lld row%s of '%s'. Should it be done?",
        again
            ? "The data have changed in the meantime, so nothing was done. Now this would"
            : "This would",
        (long long)touched, touched == 1 ? "" : "s", run_datasource(run)->id);
    VEC_PUSH(run->arena, &back->options,
             ((struct clarification_option){"yes", "Yes, make the change"}));
    VEC_PUSH(run->arena, &back->options,
             ((struct clarification_option){"no", "No, leave everything as it is"}));
    return EVENT_DONE;
}

const struct stage stage_preview_write = {.state = STATE_PREVIEW_WRITE,
                                          .work = preview_write_work};
