/* How good is the parser? Questions with known SQL, judged by what both return. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/writer.h"
#include "knowledge/value_index.h"
#include "parser/parser.h"
#include "service/eval_compare.h"
#include "service/eval_gold.h"
#include "service/house.h"
#include "sql/describe.h"

enum { QUESTIONS_MOST = 256 * 1024 * 1024, ROWS_MOST = 20000, LEVELS = 4 };

/* A database of the set, opened once. */
struct eval_database {
    struct datasource *source;
    struct schema *schema;
    struct value_index *index;
};

struct eval {
    const struct dgm_eval_request *request;
    const struct options *options;
    struct parser *parser;
    struct map databases; /* id -> struct eval_database */
    struct buf predictions;
    double *ms;
    size_t done;
    size_t right[LEVELS];
    size_t total[LEVELS];
    size_t silent; /* no reading at all */
    double *sure;  /* per question: probability, negative when wrong */
};

static void database_free(struct eval_database *database)
{
    value_index_unref(database->index);
    schema_unref(database->schema);
    if (database->source) {
        datasource_close(database->source);
    }
    memory_free(database);
}

static struct datasource_limits limits_for(int64_t ms)
{
    return (struct datasource_limits){
        .deadline_ms = clock_ms() + ms, .max_rows = ROWS_MOST, .max_bytes = 64 << 20};
}

static struct eval_database *database_open(struct eval *eval, const char *id,
                                           struct err *err)
{
    struct eval_database *known = map_get(&eval->databases, id);
    if (known) {
        return known;
    }
    struct arena *arena = arena_new();
    struct datasource_setting setting = {
        .id = id,
        .url = arena_format(arena, "%s/%s/%s.sqlite", eval->request->databases, id, id)};
    struct eval_database *database = memory_alloc(sizeof *database);
    struct datasource_limits limits = limits_for(60000);
    database->source = datasource_open(&setting, eval->options, err);
    database->schema =
        database->source ? datasource_describe(database->source, &limits, err) : NULL;
    arena_free(arena);
    if (!database->schema) {
        database_free(database);
        return NULL;
    }
    schema_normalize(database->schema);
    struct err ignored;
    database->index =
        value_index_build(database->source, database->schema, NULL, &limits, &ignored);
    (void)map_set(&eval->databases, id, database);
    return database;
}

static bool run_sql(struct eval_database *database, const char *sql, struct arena *arena,
                    struct rows *rows)
{
    struct datasource_limits limits = limits_for(3000);
    struct err err;
    rows_init(rows, arena);
    return datasource_execute(database->source, sql, NULL, &limits, rows, &err);
}

/* What a candidate gives, folded into a number. */
struct trial {
    struct eval_database *database;
};

static void try_candidate(void *context, const char *sql, struct parser_outcome *out)
{
    const struct trial *trial = context;
    struct arena *arena = arena_new();
    struct rows rows;
    out->ok = run_sql(trial->database, sql, arena, &rows);
    if (out->ok) {
        parser_outcome_of(&rows, sql, out);
    }
    arena_free(arena);
}

static int level_of(struct arena *arena, const char *sql)
{
    struct sql_shape shape;
    describe_shape(arena, DIALECT_SQLITE, sql, &shape);
    int weight = shape.joins + 2 * shape.subqueries + 2 * shape.set_operations +
                 (shape.group_by ? 1 : 0) + (shape.order_by ? 1 : 0) + 2 * shape.windows;
    return weight == 0 ? 0 : weight <= 1 ? 1 : weight <= 3 ? 2 : 3;
}

static bool judge(struct eval_database *database, struct arena *arena, const char *gold,
                  const char *guess)
{
    struct rows wanted;
    struct rows got;
    bool ordered = str_contains_nocase(gold, "order by");
    rows_init(&wanted, arena);
    return eval_gold(database->source->path, gold, &wanted) &&
           run_sql(database, guess, arena, &got) &&
           eval_same(arena, &wanted, &got, ordered);
}

static bool judge_all(struct eval_database *database, struct arena *arena,
                      const json_t *item, const char *guess)
{
    if (judge(database, arena, json_text_at(item, "query"), guess)) {
        return true;
    }
    size_t index = 0;
    const json_t *also = NULL;
    json_array_foreach(json_array_at(item, "also"), index, also)
    {
        if (json_is_string(also) &&
            judge(database, arena, json_string_value(also), guess)) {
            return true;
        }
    }
    return false;
}

static void write_prediction(struct eval *eval, const char *sql)
{
    for (const char *at = sql; *at; at++) {
        (void)buf_char(&eval->predictions, *at == '\n' || *at == '\r' ? ' ' : *at);
    }
    (void)buf_char(&eval->predictions, '\n');
}

static bool eval_one(struct eval *eval, const json_t *item, struct err *err)
{
    const char *id = json_text_at(item, "db_id");
    const char *question = json_text_at(item, "question");
    const char *gold = json_text_at(item, "query");
    if (!id || !question) {
        return err_set(err, ERR_INVALID_DATA, "A question has no db_id or text.");
    }
    struct eval_database *database = database_open(eval, id, err);
    if (!database) {
        return false;
    }
    struct arena *arena = arena_new();
    struct trial trial = {database};
    struct parser_request request = {.schema = database->schema,
                                     .index = database->index,
                                     .question = question,
                                     .dialect = DIALECT_SQLITE,
                                     .today = clock_date(arena, clock_wall_s(), ""),
                                     .run = try_candidate,
                                     .context = &trial};
    struct parser_answer answer;
    struct err trouble;
    int64_t since = clock_us();
    bool found = parser_answer(eval->parser, arena, &request, &answer, &trouble);
    eval->ms[eval->done] = (double)(clock_us() - since) / 1000.0;
    int level = gold ? level_of(arena, gold) : 0;
    const char *sql = found ? answer.items[0].sql : "SELECT 1";
    bool right = found && gold && judge_all(database, arena, item, sql);
    eval->right[level] += right ? 1 : 0;
    eval->total[level]++;
    eval->silent += found ? 0 : 1;
    eval->sure[eval->done] = (found ? answer.probability : 0.0) * (right ? 1.0 : -1.0);
    write_prediction(eval, sql);
    eval->done++;
    arena_free(arena);
    return true;
}

static int by_size(const void *a, const void *b)
{
    double x = fabs(*(const double *)a);
    double y = fabs(*(const double *)b);
    return (x < y) - (x > y);
}

static double share(size_t part, size_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

/* Accuracy of the most confident part. */
static void write_coverage(struct eval *eval, struct writer *writer)
{
    qsort(eval->sure, eval->done, sizeof *eval->sure, by_size);
    writer_key(writer, "coverage");
    writer_array(writer);
    for (int percent = 10; percent <= 100; percent += 10) {
        size_t count = eval->done * (size_t)percent / 100;
        size_t right = 0;
        for (size_t i = 0; i < count; i++) {
            right += eval->sure[i] > 0 ? 1 : 0;
        }
        writer_object(writer);
        writer_key_int(writer, "most_confident_percent", percent);
        writer_key_real(writer, "right_percent", share(right, count));
        writer_key_real(writer, "least_probability",
                        count ? fabs(eval->sure[count - 1]) : 0.0);
        writer_object_end(writer);
    }
    writer_array_end(writer);
}

static char *write_figures(struct eval *eval)
{
    static const char *const levels[LEVELS] = {"easy", "medium", "hard", "extra"};
    struct buf buf;
    struct writer writer;
    buf_init(&buf, 1 << 20);
    writer_init(&writer, &buf);
    writer.pretty = true;
    writer_object(&writer);
    size_t right = 0;
    for (int i = 0; i < LEVELS; i++) {
        right += eval->right[i];
    }
    writer_key_int(&writer, "questions", (int64_t)eval->done);
    writer_key_int(&writer, "right", (int64_t)right);
    writer_key_real(&writer, "right_percent", share(right, eval->done));
    writer_key_int(&writer, "without_reading", (int64_t)eval->silent);
    writer_key(&writer, "levels");
    writer_object(&writer);
    for (int i = 0; i < LEVELS; i++) {
        writer_key(&writer, levels[i]);
        writer_object(&writer);
        writer_key_int(&writer, "questions", (int64_t)eval->total[i]);
        writer_key_real(&writer, "right_percent", share(eval->right[i], eval->total[i]));
        writer_object_end(&writer);
    }
    writer_object_end(&writer);
    qsort(eval->ms, eval->done, sizeof *eval->ms, by_size);
    if (eval->done) {
        writer_key_real(&writer, "p50_ms", eval->ms[eval->done / 2]);
        writer_key_real(&writer, "p99_ms", eval->ms[eval->done / 100]);
    }
    write_coverage(eval, &writer);
    writer_object_end(&writer);
    (void)buf_char(&buf, '\n');
    return buf_take(&buf);
}

static bool eval_all(struct eval *eval, struct arena *arena, struct err *err)
{
    size_t size = 0;
    char *text = file_read(arena, eval->request->questions, QUESTIONS_MOST, &size, err);
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
        if (!eval_one(eval, json_array_get(list, i), err)) {
            return false;
        }
        if (eval->request->progress) {
            eval->request->progress(eval->request->context, i + 1, count);
        }
    }
    return !eval->request->out ||
           file_write(eval->request->out, buf_get(&eval->predictions),
                      eval->predictions.size, err);
}

char *dgm_eval(const struct dgm_config *config, const struct dgm_eval_request *request,
               struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    house_no_error(error);
    struct eval eval = {.request = request, .options = config->options};
    map_init(&eval.databases, false);
    buf_init(&eval.predictions, QUESTIONS_MOST);
    struct arena *arena = arena_new();
    char *figures = NULL;
    eval.parser = parser_open(request->weights, &err);
    if (eval.parser && eval_all(&eval, arena, &err)) {
        figures = write_figures(&eval);
    } else {
        (void)house_fail(error, &err);
    }
    size_t at = 0;
    struct map_entry *entry = NULL;
    while ((entry = map_next(&eval.databases, &at))) {
        database_free(entry->value);
    }
    map_release(&eval.databases);
    buf_release(&eval.predictions);
    parser_close(eval.parser);
    arena_free(arena);
    return figures;
}
