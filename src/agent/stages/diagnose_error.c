/* DIAGNOSE_ERROR: why did the SQL fail? A plain misspelling is mended here, without a
 * model. */
#include <string.h>

#include "agent/prompting.h"
#include "agent/solving.h"
#include "agent/sql_text.h"
#include "agent/stages/stages.h"
#include "base/buf.h"
#include "base/str.h"
#include "sql/lexer.h"

/* The text between the nth pair of quotes of a message, or NULL. */
static char *quoted(struct run *run, const char *message, int nth)
{
    const char *at = message;
    for (int i = 0;; i++) {
        const char *open = strchr(at, '\'');
        /* the apostrophe of "doesn't" is no quote */
        while (open && open > message && open[-1] == 'n' && open[1] == 't') {
            open = strchr(open + 1, '\'');
        }
        const char *close = open ? strchr(open + 1, '\'') : NULL;
        if (!close) {
            return NULL;
        }
        if (i == nth) {
            return arena_copy(run->scratch, open + 1, (size_t)(close - open - 1));
        }
        at = close + 1;
    }
}

/* The SQL with one name spelt right, when the error says plainly which. */
static const char *mend(struct run *run)
{
    const char *message = run->sql_error->message;
    if (!strstr(message, "Did you mean")) {
        return NULL;
    }
    const char *wrong = quoted(run, message, 0);
    const char *right = quoted(run, message, 1);
    const char *dot = wrong ? strrchr(wrong, '.') : NULL;
    wrong = dot ? dot + 1 : wrong;
    if (!wrong || !right || str_distance(wrong, right, 2) > 2 || strlen(wrong) < 4) {
        return NULL; /* near enough to suggest, not to decide */
    }
    const char *sql = run->answer.sql;
    struct tokens tokens = {0};
    lexer_run(run->scratch, run_datasource(run)->driver->dialect, sql, strlen(sql),
              &tokens);
    struct buf out;
    buf_init(&out, (size_t)run->options->sql_max_length);
    size_t copied = 0;
    for (size_t i = 0; i < tokens.count; i++) {
        const struct token *token = &tokens.items[i];
        if ((token->kind == TOKEN_WORD || token->kind == TOKEN_NAME) &&
            str_equal_nocase(token->text, wrong)) {
            (void)buf_add(&out, sql + copied, token->start - copied);
            dialect_quote(&out, run_datasource(run)->driver->dialect, right, false);
            copied = token->end;
        }
    }
    (void)buf_text(&out, sql + copied);
    const char *mended = out.full || copied == 0 ? NULL : buf_clone(&out, run->arena);
    buf_release(&out);
    return mended;
}

static bool decided(const struct run *run)
{
    return sql_text_spent(run) || run->sql_error->code == ERR_TIMEOUT;
}

static bool ask(struct run *run, struct stage_calls *calls, struct err *err)
{
    bool skip = run->question.skip_diagnosis || !run->options->agent_allow_sql_diagnosis;
    run->diagnosis = NULL;
    if (skip || decided(run) || mend(run) || solving_alone(run)) {
        return true;
    }
    return prompting_ask(run, calls, "diagnose_error", 0, err);
}

static enum event read_locally(struct run *run, struct err *err)
{
    if (run->sql_error->code == ERR_TIMEOUT) {
        *err = *run->sql_error;
        return EVENT_TIMEOUT;
    }
    if (sql_text_spent(run)) {
        sql_text_final_error(run, err);
        return EVENT_SPENT;
    }
    const char *mended = mend(run);
    if (mended && !sql_text_tried(run, mended)) {
        run_warn(run, "%s The query was corrected.", run->sql_error->message);
        sql_text_accept(run, mended);
        return EVENT_FIXED_LOCALLY;
    }
    return EVENT_DONE;
}

static enum event read(struct run *run, const struct stage_replies *replies,
                       struct err *err)
{
    if (replies->count == 0) {
        return read_locally(run, err);
    }
    static const char *const wanted[] = {"root_cause", "suggestion", "error_type", NULL};
    json_t *json = prompting_reply(run, &replies->items[0], wanted, err);
    if (!json) {
        return EVENT_BAD_REPLY;
    }
    const char *type = json_text_at(json, "error_type");
    const char *cause = prompting_text(run, json, "root_cause");
    const char *suggestion = prompting_text(run, json, "suggestion");
    run->diagnosis =
        arena_format(run->arena, "%s%s%s", cause ? cause : "",
                     cause && suggestion ? " " : "", suggestion ? suggestion : "");
    if (str_equal_nocase(type, "TIMEOUT")) {
        *err = *run->sql_error;
        return EVENT_TIMEOUT;
    }
    if (str_equal_nocase(type, "WRONG_TABLES") && !run->corrected_tables) {
        return EVENT_WRONG_TABLES;
    }
    return EVENT_DONE;
}

const struct stage stage_diagnose_error = {
    .state = STATE_DIAGNOSE_ERROR, .ask = ask, .read = read, .optional = true};
