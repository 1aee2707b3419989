/* How good is the parser? Questions with known SQL, judged by what both return. */
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/str.h"
#include "base/writer.h"
#include "knowledge/prefilter.h"
#include "parser/parser.h"
#include "service/eval_state.h"
#include "service/house.h"

enum { SQL_MOST = 64 * 1024 };

/* One question on its way. */
struct asked {
    struct eval_database *database;
    struct eval_candidates *candidates; /* NULL: nobody wants them */
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
        parser_outcome_of(&rows, sql, out);
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

static void write_prediction(struct eval *eval, const char *sql)
{
    for (const char *at = sql; *at; at++) {
        (void)buf_char(&eval->predictions, *at == '\n' || *at == '\r' ? ' ' : *at);
    }
    (void)buf_char(&eval->predictions, '\n');
}

/* When nothing was read out of a question a guess must do: how many rows has the table
 * that its words lead to? */
static const char *guess(struct arena *arena, const struct schema *schema,
                         const char *question)
{
    struct ranked_tables tables = {0};
    prefilter_rank(arena, schema, question, NULL, 1, &tables);
    if (tables.count == 0) {
        return "SELECT 1";
    }
    struct buf sql;
    buf_init(&sql, SQL_MOST);
    (void)buf_text(&sql, "SELECT COUNT(*) FROM ");
    dialect_quote(&sql, DIALECT_SQLITE, tables.items[0].table->name, false);
    char *text = buf_clone(&sql, arena);
    buf_release(&sql);
    return text;
}

/* What was said before: a question and its SQL. */
struct before {
    const char *question;
    const char *sql;
};

static bool ask(struct eval *eval, struct asked *asked, struct arena *arena,
                const struct before *before, const char *question,
                struct parser_answer *answer)
{
    struct parser_request request = {
        .schema = asked->database->schema,
        .index = asked->database->index,
        .question = question,
        .previous_question = before->question,
        .previous_sql = before->sql,
        .dialect = DIALECT_SQLITE,
        .today = clock_date(arena, clock_wall_s(), ""),
        .run = try_candidate,
        .note = asked->candidates ? note_candidate : NULL,
        .context = asked,
        .counts_steps = true,
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
        if (question && !sql && ask(eval, &asked, arena, &before, question, &answer)) {
            sql = answer.items[0].sql;
        }
        if (question) {
            before = (struct before){question, sql};
        }
    }
    return before;
}

static void count(struct eval *eval, struct arena *arena, const char *gold, bool right,
                  double probability)
{
    int level = gold ? eval_level(arena, gold) : 0;
    eval->right[level] += right ? 1 : 0;
    eval->total[level]++;
    eval->sure[eval->done] = probability * (right ? 1.0 : -1.0);
    eval->done++;
}

static void eval_one(struct eval *eval, struct eval_database *database,
                     struct arena *arena, const json_t *item)
{
    const char *question = json_text_at(item, "question");
    struct eval_known known = {0};
    struct writer writer;
    struct eval_candidates candidates = {database, &known, arena, &writer, 0};
    struct asked asked = {database, eval->request->candidates ? &candidates : NULL};
    struct parser_answer answer;
    struct before before = recall(eval, database, arena, item);
    writer_init(&writer, &eval->candidates);
    eval_known_read(arena, database, item, &known);
    if (asked.candidates) {
        eval_candidates_begin(&candidates, item, eval->done);
    }
    bool found = ask(eval, &asked, arena, &before, question, &answer);
    if (asked.candidates) {
        eval_candidates_end(&candidates);
    }
    const char *sql =
        found ? answer.items[0].sql : guess(arena, database->schema, question);
    eval->silent += found ? 0 : 1;
    write_prediction(eval, sql);
    count(eval, arena, json_text_at(item, "query"),
          eval_known_has(arena, &known, database, sql), found ? answer.probability : 0.0);
}

/* One line per question, also where the database cannot be read. */
static bool eval_item(struct eval *eval, const json_t *item, struct err *err)
{
    const char *id = json_text_at(item, "db_id");
    if (!id || !json_text_at(item, "question")) {
        return err_set(err, ERR_INVALID_DATA, "Question %zu has no db_id or no text.",
                       eval->done + 1);
    }
    struct arena *arena = arena_new();
    struct err trouble;
    struct eval_database *database = eval_database_get(eval, id, &trouble);
    if (database) {
        eval_one(eval, database, arena, item);
    } else {
        *err = eval->missing ? *err : trouble;
        eval->missing++;
        write_prediction(eval, "SELECT 1");
        count(eval, arena, json_text_at(item, "query"), false, 0.0);
    }
    arena_free(arena);
    return true;
}

static bool write_file(const char *path, const struct buf *buf, struct err *err)
{
    return !path || file_write(path, buf_get(buf), buf->size, err);
}

static bool eval_all(struct eval *eval, struct arena *arena, struct err *err)
{
    size_t size = 0;
    char *text = file_read(arena, eval->request->questions, EVAL_FILE_MOST, &size, err);
    json_t *list = text ? json_parse(arena, text, size, err) : NULL;
    if (!json_is_array(list)) {
        return text && list
                   ? err_set(err, ERR_INVALID_DATA, "It is not a list of questions.")
                   : false;
    }
    size_t count = json_array_size(list);
    if (eval->request->limit > 0 && (size_t)eval->request->limit < count) {
        count = (size_t)eval->request->limit;
    }
    eval->ms = arena_array(arena, count + 1, sizeof *eval->ms);
    eval->sure = arena_array(arena, count + 1, sizeof *eval->sure);
    for (size_t i = 0; i < count; i++) {
        if (!eval_item(eval, json_array_get(list, i), err)) {
            return false;
        }
        if (eval->request->progress) {
            eval->request->progress(eval->request->context, i + 1, count);
        }
    }
    if (count && eval->missing == count) {
        return false; /* the folder is not what it was taken for */
    }
    return write_file(eval->request->out, &eval->predictions, err) &&
           write_file(eval->request->candidates, &eval->candidates, err);
}

char *dgm_eval(const struct dgm_config *config, const struct dgm_eval_request *request,
               struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    house_no_error(error);
    struct eval eval = {.request = request, .options = config->options};
    map_init(&eval.databases, false);
    buf_init(&eval.predictions, EVAL_FILE_MOST);
    buf_init(&eval.candidates, EVAL_FILE_MOST);
    struct arena *arena = arena_new();
    char *figures = NULL;
    const char *weights =
        request->weights ? request->weights : config->options->parser_weights;
    eval.parser = str_empty(weights) ? parser_built_in(&err) : parser_open(weights, &err);
    if (eval.parser && eval_all(&eval, arena, &err)) {
        figures = eval_figures(&eval);
    } else {
        (void)house_fail(error, &err);
    }
    eval_databases_close(&eval);
    buf_release(&eval.predictions);
    buf_release(&eval.candidates);
    parser_close(eval.parser);
    arena_free(arena);
    return figures;
}
