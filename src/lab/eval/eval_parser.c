/* Asks the parser alone. */
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/writer.h"
#include "parser/parser.h"
#include "lab/eval/eval_state.h"
#include "sql/statement.h"

/* One question on its way. */
struct asked {
    struct eval_database *database;
    struct eval_candidates *candidates; /* NULL: not wanted */
};

/* What a candidate gives, folded into a number. */
static void try_candidate(void *context, const char *sql, struct parser_outcome *out)
{
    const struct asked *asked = context;
    struct arena *arena = arena_new();
    struct rows rows;
    struct err err;
    out->ok = eval_database_try(asked->database, sql, out->limit_ms, out->steps, arena,
                                &rows, &err);
    if (out->ok) {
        struct sql_statement statement;
        (void)sql_statement_read(arena, DIALECT_SQLITE, sql, strlen(sql), &statement);
        parser_outcome_of(&rows, sql_statement_ordered(&statement), out);
    } else {
        out->late = err.code == ERR_TIMEOUT;
    }
    arena_free(arena);
}

static void note_candidate(void *context, const struct parser_candidate *candidate)
{
    const struct asked *asked = context;
    eval_candidates_add(asked->candidates, candidate);
}

/* What was said before: a question and its SQL. */
struct before {
    const char *question;
    const char *sql;
    const char *older; /* the question before that */
};

static bool ask_parser(struct eval *eval, struct asked *asked, struct arena *arena,
                       const struct before *before, const char *question,
                       struct parser_answer *answer)
{
    struct parser_request request = {
        .schema = asked->database->schema,
        .index = asked->database->index,
        .question = question,
        .previous_question = before->question,
        .previous_sql = before->sql,
        .older_question = before->older,
        .dialect = DIALECT_SQLITE,
        .today = clock_date(arena, clock_wall_s(), ""),
        .run = try_candidate,
        .note = asked->candidates ? note_candidate : NULL,
        .context = asked,
        .counts_steps = true,
        .width = (size_t)eval->request->width,
    };
    struct err trouble;
    int64_t since = clock_us();
    bool found = parser_answer(eval->parser, arena, &request, answer, &trouble);
    eval->ms[eval->done] = (double)(clock_us() - since) / 1000.0;
    return found;
}

/* The conversation up to the question: where it has no SQL, what was made of it then. */
static struct before recall(struct eval *eval, struct eval_database *database,
                            struct arena *arena, const json_t *item)
{
    struct before before = {0};
    size_t index = 0;
    const json_t *turn = NULL;
    json_array_foreach(json_array_at(item, "history"), index, turn)
    {
        const char *question = json_text_at(turn, "question");
        const char *sql = json_text_at(turn, "query");
        struct asked asked = {database, NULL};
        struct parser_answer answer;
        if (question && !sql &&
            ask_parser(eval, &asked, arena, &before, question, &answer)) {
            sql = answer.items[0].sql;
        }
        if (question) {
            before = (struct before){question, sql, before.question};
        }
    }
    return before;
}

void eval_parser_ask(struct eval *eval, const struct eval_question *question,
                     struct eval_guess *out)
{
    struct arena *arena = question->arena;
    struct writer writer;
    struct eval_candidates candidates = {question->database, question->known, arena,
                                         &writer, 0};
    struct asked asked = {question->database,
                          eval->request->candidates ? &candidates : NULL};
    struct parser_answer answer;
    struct before before = recall(eval, question->database, arena, question->item);
    writer_init(&writer, &eval->candidates);
    if (asked.candidates) {
        eval_candidates_begin(&candidates, question->item, eval->done);
    }
    bool found = ask_parser(eval, &asked, arena, &before, question->text, &answer);
    if (asked.candidates) {
        eval_candidates_end(&candidates);
    }
    *out = (struct eval_guess){.before = -1,
                               .sql = found ? answer.items[0].sql : NULL,
                               .probability = found ? answer.probability : 0.0,
                               .score = found ? answer.probability : 0.0};
}
