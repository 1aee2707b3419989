/* DIAGNOSE_ERROR: why did the SQL fail? Wrong names are found, and mostly mended, here,
 * without a model. */
#include "agent/memory/corrections.h"
#include "agent/diagnosis.h"
#include "agent/prompting.h"
#include "agent/understand/solving.h"
#include "agent/sql_text.h"
#include "agent/stages/stages.h"
#include "base/str.h"

static bool decided(const struct run *run)
{
    return sql_text_spent(run) || run->query.error->code == ERR_TIMEOUT;
}

static bool diagnose_error_ask(struct run *run, struct stage_calls *calls,
                               struct err *err)
{
    bool skip = run->question.skip_diagnosis || !run->options->agent_allow_sql_diagnosis;
    run->query.diagnosis = run->query.rewritten = NULL;
    run->query.mended = diagnosis_make(run);
    if (skip || decided(run) || diagnosis_certain(run) || solving_alone(run)) {
        return true;
    }
    return prompting_ask(run, calls, "diagnose_error", 0, err);
}

/* The answer shows why the first SQL did not do, as it shows that SQL. */
static void show(struct run *run)
{
    if (!run->answer.diagnosis.type) {
        run->answer.diagnosis = run->query.why;
    }
}

static enum event read_locally(struct run *run, struct err *err)
{
    if (run->query.error->code == ERR_TIMEOUT) {
        *err = *run->query.error;
        return EVENT_TIMEOUT;
    }
    if (sql_text_spent(run)) {
        sql_text_final_error(run, err);
        if (corrections_ask_again(run, err)) {
            err_clear(err);
            return EVENT_UNSURE;
        }
        return EVENT_SPENT;
    }
    if (run->query.mended && !sql_text_tried(run, run->query.mended)) {
        bool dialect =
            str_equal(run->query.why.type, "DIALECT"); /* says what was changed */
        run_warn(run, "%s The query was corrected.",
                 dialect ? run->query.why.suggestion : run->query.error->message);
        sql_text_accept(run, run->query.mended);
        return EVENT_FIXED_LOCALLY;
    }
    if (diagnosis_certain(run)) {
        run->query.diagnosis = diagnosis_text(run);
    }
    return EVENT_DONE;
}

static enum event
diagnose_error_read(struct run *run, const struct stage_replies *replies, struct err *err)
{
    if (replies->count == 0) {
        show(run);
        return read_locally(run, err);
    }
    static const char *const wanted[] = {"root_cause", "suggestion", "error_type", NULL};
    json_t *json = prompting_reply(run, &replies->items[0], wanted, err);
    if (!json) {
        return EVENT_BAD_REPLY;
    }
    struct diagnosis *diagnosis = &run->query.why;
    const char *type = prompting_text(run, json, "error_type");
    diagnosis->type = type ? type : diagnosis->type;
    diagnosis->cause = prompting_words(run, json, "root_cause");
    diagnosis->suggestion = prompting_words(run, json, "suggestion");
    run->query.diagnosis = diagnosis_text(run);
    show(run);
    if (str_equal_nocase(type, "TIMEOUT")) {
        *err = *run->query.error;
        return EVENT_TIMEOUT;
    }
    if (str_equal_nocase(type, "WRONG_TABLES") && !run->request.corrected_tables) {
        run->understanding.verdicts.about = NULL; /* each table is looked at again */
        return EVENT_WRONG_TABLES;
    }
    const char *sql = prompting_text(run, json, "sql");
    run->query.rewritten = sql; /* CORRECT_SQL takes it without another call */
    return EVENT_DONE;
}

const struct stage stage_diagnose_error = {.state = STATE_DIAGNOSE_ERROR,
                                           .ask = diagnose_error_ask,
                                           .read = diagnose_error_read,
                                           .optional = true};
