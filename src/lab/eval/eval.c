/* How good is the parser? Questions with known SQL, judged by what both return. */
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/str.h"
#include "knowledge/prefilter/prefilter.h"
#include "model/brain.h"
#include "parser/parser.h"
#include "lab/eval/eval_state.h"
#include "dragoman_lab.h"
#include "service/instance.h"

enum { SQL_MOST = 64 * 1024 };

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

static void count(struct eval *eval, struct arena *arena, const json_t *item, bool right,
                  const struct eval_guess *guess)
{
    const char *gold = json_text_at(item, "query");
    double probability = guess->probability;
    int level = gold ? eval_level(arena, gold) : 0;
    eval->rows[eval->done] = (struct eval_row){
        .database = json_text_at(item, "db_id"),
        .question = json_text_at(item, "question"),
        .turns_before = json_array_size(json_array_at(item, "history")),
        .probability = probability,
        .score = guess->score,
        .right = right,
        .before = guess->before,
        .changes = guess->changes,
    };
    struct eval_row *row = &eval->rows[eval->done];
    memcpy(row->unplaced, guess->unplaced, sizeof row->unplaced);
    eval->right[level] += right ? 1 : 0;
    eval->total[level]++;
    eval->sure[eval->done] = probability * (right ? 1.0 : -1.0);
    eval->done++;
}

static void eval_one(struct eval *eval, struct eval_database *database,
                     struct arena *arena, const json_t *item)
{
    const char *text = json_text_at(item, "question");
    struct eval_known known = {0};
    struct eval_question question = {database, arena, item, text, &known};
    struct eval_guess found = {.before = -1};
    eval_known_read(arena, database, item, &known);
    (eval->dgm ? eval_agent_ask : eval_parser_ask)(eval, &question, &found);
    const char *sql = found.sql ? found.sql : guess(arena, database->schema, text);
    eval->silent += found.sql ? 0 : 1;
    write_prediction(eval, sql);
    count(eval, arena, item, eval_known_has(arena, &known, database, sql), &found);
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
        count(eval, arena, item, false, &(struct eval_guess){.before = -1});
    }
    arena_free(arena);
    if (eval->hopeless) {
        *err = eval->first_error;
    }
    return !eval->hopeless;
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
    eval->rows = arena_array(arena, count + 1, sizeof *eval->rows);
    if (!str_equal(eval->request->brain, "parser") &&
        !eval_agent_open(eval, list, count, err)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!eval_item(eval, json_array_get(list, i), err)) {
            return false;
        }
        if (eval->request->progress) {
            eval->request->progress(eval->request->context, i + 1, count);
        }
    }
    if (count && eval->missing == count) {
        return false; /* the folder has another layout */
    }
    return write_file(eval->request->out, &eval->predictions, err) &&
           write_file(eval->request->candidates, &eval->candidates, err);
}

static bool open_parser(struct eval *eval, struct err *err)
{
    const char *weights = eval->request->weights;
    weights = str_empty(weights) ? eval->options->parser_weights : weights;
    eval->parser = str_empty(weights) ? parser_built_in(err) : parser_open(weights, err);
    return eval->parser != NULL;
}

/* Whose answers are judged: the parser's own, or the machine's with a model or both. */
static bool is_brain(const char *brain)
{
    return brain_kind_wanted(brain_kind_find(brain));
}

char *dgm_eval(const struct dgm_config *config, const struct dgm_eval_request *request,
               struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    struct dgm_eval_request asked = *request;
    asked.brain = str_empty(asked.brain) ? "parser" : asked.brain;
    struct eval eval = {.request = &asked, .options = config->options};
    map_init(&eval.databases, false);
    buf_init(&eval.predictions, EVAL_FILE_MOST);
    buf_init(&eval.candidates, EVAL_FILE_MOST);
    struct arena *arena = arena_new();
    char *figures = NULL;
    bool known = is_brain(asked.brain) ||
                 err_set(&err, ERR_USAGE, "The brain is parser, llm or auto.");
    bool ready = known && (!str_equal(asked.brain, "parser") || open_parser(&eval, &err));
    if (ready && eval_all(&eval, arena, &err)) {
        figures = asked.rows_csv ? eval_rows_csv(&eval) : eval_figures(&eval);
    } else {
        (void)instance_fail(error, &err);
    }
    eval_agent_close(&eval);
    eval_databases_close(&eval);
    buf_release(&eval.predictions);
    buf_release(&eval.candidates);
    parser_close(eval.parser);
    arena_free(arena);
    return figures;
}
