/* Reading a question with the parser: what is read, what it may try, and how long. */
#include <string.h>

#include "agent/understand/brain.h"
#include "agent/understand/days.h"
#include "agent/counting/counting.h"
#include "agent/sources/crossing.h"
#include "agent/understand/intent_rules.h"
#include "agent/memory/mapping.h"
#include "agent/run_statement.h"
#include "agent/understand/placing/placing.h"
#include "agent/sources/policing.h"
#include "agent/understand/solving.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/str.h"
#include "knowledge/value_index/value_index.h"
#include "parser/parser.h"
#include "sql/kept/kept_sql.h"
#include "sql/statement.h"
#include "store/store.h"

/* What is left of the probability where a change is made to the first of several readings, and nobody has chosen
 * it. */
static const double NOT_CHOSEN = 0.5;

enum {
    TRIAL_ROWS = 2000,
    TRIAL_BYTES = 4 * 1024 * 1024,
    INDEX_MS = 3000, /* for reading the cells, once per database */
};

/* A candidate runs under guard, engine lock and tight limits of its own. */
static void try_candidate(void *context, const char *sql, struct parser_outcome *out)
{
    struct run *run = context;
    struct arena *arena = arena_new();
    struct datasource *source = run_datasource(run);
    struct datasource_limits limits = run_limits(run);
    int64_t soon = clock_ms() + out->limit_ms;
    limits.deadline_ms = soon < limits.deadline_ms ? soon : limits.deadline_ms;
    limits.steps = source->driver->counts_steps ? out->steps : NULL;
    limits.max_rows = TRIAL_ROWS;
    limits.max_bytes = TRIAL_BYTES;
    struct rows rows;
    struct err err;
    err_clear(&err);
    rows_init(&rows, arena);
    struct sql_statement statement;
    (void)sql_statement_read(arena, datasource_dialect(source), sql, strlen(sql),
                             &statement);
    const char *read =
        counting_read_kept(run, arena, &statement); /* as it would run later */
    limits.statement = &statement;
    out->ok = datasource_execute(source, read ? read : sql, run_schema(run), &limits,
                                 &rows, &err);
    if (out->ok) {
        parser_outcome_of(&rows, sql_statement_ordered(&statement), out);
    } else {
        out->late = err.code == ERR_TIMEOUT && !run_stopped(run);
    }
    arena_free(arena);
}

const char *solving_detail(const struct run *run)
{
    return run->request.details.count
               ? run->request.details.items[run->request.details.count - 1]
               : NULL;
}

/* Once the user has added something: the answer by itself where it says it all, else
 * both. */
const char *solving_text(struct run *run)
{
    const char *question = run_question_text(run);
    const char *detail = solving_detail(run);
    if (!detail || str_starts_nocase(detail, "yes")) {
        return question;
    }
    if (intent_vague_time(run->scratch, question) &&
        !intent_names_table(run->scratch, detail, run_schema(run))) {
        /* "recent" was the question; "the last 30 days" says it */
        const char *rest = intent_drop_vague_time(run->arena, question);
        bool all = str_contains_nocase(detail, "whole time");
        return all ? rest : arena_format(run->arena, "%s %s", rest, detail);
    }
    if (placing_is_rewording(run, question, detail)) {
        return detail;
    }
    const struct table *subject = NULL;
    struct texts words = {0};
    str_split(run->scratch, detail, ' ', &words);
    bool vague = intent_clarity(run->scratch, run->question.text, run_schema(run), false,
                                &subject) != CLARITY_CLEAR &&
                 !intent_vague_time(run->scratch, run->question.text);
    bool alone = vague || words.count > 3 ||
                 intent_names_table(run->scratch, detail, run_schema(run));
    return alone ? detail : arena_format(run->arena, "%s %s", question, detail);
}

/* Amounts and dates that are kept as text are columns again: what reads them is no part of
 * what was asked, and would be lost in a change. */
static const char *as_asked(struct run *run, const char *sql)
{
    struct sql_statement copy = sql_statement_copy(run->scratch, run_statement(run, sql));
    const char *plain =
        copy.root && run_schema(run)
            ? kept_plain(run->arena, &copy,
                         sql_resolve(run->scratch, &copy, run_schema(run)))
            : NULL;
    return plain ? plain : sql;
}

/* The SQL of an answer before its figures were corrected: "row_of_orders = 1" is nothing that a
 * later turn could change. */
static const char *as_written(struct run *run, const struct message *message)
{
    struct store_question stored = {0};
    struct err err;
    err_clear(&err);
    if (!message->query_id ||
        !store_question_get(run->agent->store, run->scratch, message->query_id, &stored,
                            &err) ||
        !stored.checkpoint) {
        return message->sql;
    }
    const json_t *json =
        json_parse(run->scratch, stored.checkpoint, strlen(stored.checkpoint), &err);
    const char *sql = json_text_at(json, "counted_from");
    return sql ? arena_text(run->arena, sql) : message->sql;
}

/* What the conversation was about: the last answer that had SQL, and what was asked before
 * that. */
static void previous(struct run *run, struct parser_request *request)
{
    if (run->request.meant_word) {
        return; /* the question is asked anew, in words that stand alone */
    }
    for (size_t i = run->request.history.count; i-- > 1;) {
        const struct message *message = &run->request.history.items[i];
        const struct message *before = &run->request.history.items[i - 1];
        if (!message->sql || !str_equal(before->role, "user")) {
            continue;
        }
        if (request->previous_sql) {
            request->older_question = before->content;
            return;
        }
        request->previous_sql = as_asked(run, as_written(run, message));
        request->previous_question = before->content;
    }
}

/* "only for 2024", said to the readings that were offered, changes the best of them. */
static bool read_detail(struct run *run, struct parser *parser,
                        const struct parser_request *request,
                        struct parser_answer *answer)
{
    const char *detail = solving_detail(run);
    if (!detail || !run->understanding.readings.count || request->question == detail ||
        intent_vague_time(run->scratch, run->question.text)) {
        return false;
    }
    struct parser_request change = *request;
    struct err err;
    err_clear(&err);
    change.question = detail;
    change.previous_question = run->question.text;
    change.previous_sql = run->understanding.readings.items[0].sql;
    bool found =
        parser_answer(parser, run->arena, &change, answer, &err) && answer->follow_up;
    if (found && run->understanding.readings.count > 1) {
        answer->probability *= NOT_CHOSEN;
    }
    return found;
}

static struct datasource_limits index_limits(struct run *run)
{
    struct datasource_limits limits = run_limits(run);
    int64_t soon = clock_ms() + INDEX_MS;
    limits.deadline_ms = soon < limits.deadline_ms ? soon : limits.deadline_ms;
    return limits;
}

struct value_index *solving_cells(struct run *run, bool read)
{
    struct datasource *source = run_datasource(run);
    if (!run->agent->brain) {
        return NULL;
    }
    if (run->sources.across) {
        return crossing_cells(run, run_schema(run), read);
    }
    struct value_index_cache *cache = brain_values(run->agent->brain);
    struct datasource_limits limits = index_limits(run);
    struct err trouble;
    err_clear(&trouble);
    return read ? value_index_cache_get(cache, source, run_schema(run), NULL, &limits,
                                        &trouble)
                : value_index_cache_peek(cache, source->id, run_schema(run), NULL);
}

bool solving_read(struct run *run, struct parser *parser, struct parser_answer *answer,
                  struct err *err)
{
    struct datasource *source = run_datasource(run);
    struct datasource_limits limits = index_limits(run);
    struct err trouble;
    err_clear(&trouble);
    struct schema *part = solving_schema(run);
    struct value_index *index =
        part && run->sources.across ? crossing_cells(run, part, true)
        : part ? value_index_build(source, part, NULL, &limits, &trouble)
               : solving_cells(run, true);
    bool may_run = source->driver->local && !policing_wants_approval(run);
    struct parser_request request = {
        .schema = part ? part : run_schema(run),
        .index = index,
        .question = days_as_columns(
            run, crossing_question(run, mapping_question(run, solving_text(run)))),
        .dialect = datasource_dialect(source),
        .today = clock_date(run->scratch, clock_wall_s(), run->options->agent_time_zone),
        .run = may_run ? try_candidate : NULL,
        .context = run,
        .counts_steps = source->driver->counts_steps,
        .headings = true,
    };
    previous(run, &request);
    bool found = read_detail(run, parser, &request, answer) ||
                 parser_answer(parser, run->arena, &request, answer, err);
    value_index_unref(index);
    schema_unref(part);
    return found;
}
