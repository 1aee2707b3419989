/*
 * Where the time of a question goes in the built-in parser, on one core: CPU time of the
 * thread, so that other programs do not count. Prints one line.
 *
 * usage: parser_time WEIGHTS TABLES QUESTIONS            a made-up database
 *        parser_time WEIGHTS FILE.json FOLDER [LIMIT]    questions as `dragoman eval` has
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/json.h"
#include "base/map.h"
#include "base/str.h"
#include "datasource/datasource.h"
#include "knowledge/value_index/value_index.h"
#include "model/rows.h"
#include "model/schema.h"
#include "parser/search/beam.h"
#include "parser/link/features/features.h"
#include "parser/ir/ir_schema.h"
#include "parser/network/network.h"
#include "parser/parser.h"
#include "parser/parser_state.h"
#include "parser_made.h"

enum { WIDTH = 6, WARM = 3, ROWS_MOST = 20000 };

enum part { FEATURES, ENCODE, DECODE, REST, RUN, ALL, PARTS };

struct database {
    struct datasource *source;
    struct schema *schema;
    struct value_index *index;
    struct feature_schema *features;
};

struct bench {
    struct arena *arena;
    struct options *options;
    const char *weights;
    struct parser *parser;
    struct network *network;
    struct map databases; /* id -> struct database */
    struct database *database;
    double *ms[PARTS];
    double run_ms; /* of the question under way */
    size_t done;
    size_t items;      /* of the longest input */
    double open_ms;    /* opening the weights, once */
    double prepare_ms; /* of the schema that took longest to make ready, once */
    double added_mb;   /* by opening the parser and asking the first questions */
};

static double cpu_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double resident_mb(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file || fscanf(file, "%*d %ld", &pages) != 1) {
        pages = 0;
    }
    if (file) {
        (void)fclose(file);
    }
    return (double)(pages * sysconf(_SC_PAGESIZE)) / 1048576.0;
}

static const char *fixed_text(int index)
{
    const struct ir_value *value = ir_fixed_get(index);
    return value ? value->text : "";
}

static const struct network_names names = {
    ir_keyword_text,   IR_KEYWORD_COUNT, fixed_text, IR_FIXED_COUNT,
    relation_text,     RELATION_COUNT,   NULL,       0, /* the search alone */
    IR_KEYWORDS_FIRST, RELATIONS_ALONE,
};

static bool database_open(struct bench *bench, const char *id, const char *path)
{
    bench->database = map_get(&bench->databases, id);
    if (bench->database) {
        return true;
    }
    struct err err;
    const struct datasource_setting setting = {.id = "bench", .url = path};
    struct database *database = ARENA_NEW(bench->arena, struct database);
    database->source = datasource_open(&setting, bench->options, &err);
    database->schema =
        database->source ? datasource_describe(database->source, NULL, &err) : NULL;
    if (!database->schema) {
        (void)fprintf(stderr, "%s: %s\n", id, err.message);
        return false;
    }
    schema_normalize(database->schema);
    database->index =
        value_index_build(database->source, database->schema, NULL, NULL, &err);
    double from = cpu_ms();
    database->features =
        feature_schema_new(bench->arena, ir_schema_new(bench->arena, database->schema));
    double took = cpu_ms() - from;
    bench->prepare_ms = took > bench->prepare_ms ? took : bench->prepare_ms;
    (void)map_set(&bench->databases, id, database);
    bench->database = database;
    return true;
}

static void databases_close(struct bench *bench)
{
    size_t at = 0;
    struct map_entry *entry = NULL;
    while ((entry = map_next(&bench->databases, &at))) {
        struct database *database = entry->value;
        value_index_unref(database->index);
        schema_unref(database->schema);
        datasource_close(database->source);
    }
    map_release(&bench->databases);
}

static void run_candidate(void *context, const char *sql, struct parser_outcome *out)
{
    struct bench *bench = context;
    struct arena *arena = arena_new();
    struct rows rows;
    struct err err;
    struct datasource_limits limits = {.deadline_ms = clock_ms() + out->limit_ms,
                                       .max_rows = ROWS_MOST,
                                       .max_bytes = 64 << 20};
    bool steps = bench->database->source->driver->counts_steps;
    limits.steps = steps ? out->steps : NULL;
    double from = cpu_ms();
    rows_init(&rows, arena);
    out->ok =
        datasource_execute(bench->database->source, sql, NULL, &limits, &rows, &err);
    if (out->ok) {
        parser_outcome_of(&rows, sql, out);
    } else {
        out->late = err.code == ERR_TIMEOUT;
    }
    arena_free(arena);
    bench->run_ms += cpu_ms() - from;
}

/* The steps that parser_answer takes, one after the other. */
static void time_parts(struct bench *bench, const char *question, double *parts)
{
    struct arena *arena = arena_new();
    struct features features;
    double start = cpu_ms();
    features_build(arena, bench->database->features, bench->database->index, question,
                   &features);
    struct network_input input =
        network_input_of(arena, bench->network, bench->database->features, &features);
    double featured = cpu_ms();
    struct network_memory *memory = network_encode(bench->network, arena, &input);
    double encoded = cpu_ms();
    struct beam_layout layout = {.questions = features.tokens.count,
                                 .values = features.values.count,
                                 .tables = features.selection.table_count,
                                 .columns = features.selection.column_count};
    struct beam_candidates candidates = {0};
    beam_search(bench->network, memory, &layout, WIDTH, arena, &candidates);
    parts[FEATURES] = featured - start;
    parts[ENCODE] = encoded - featured;
    parts[DECODE] = cpu_ms() - encoded;
    bench->items = features.count > bench->items ? features.count : bench->items;
    arena_free(arena);
}

static double answer(struct bench *bench, const char *question)
{
    struct arena *arena = arena_new();
    struct parser_request request = {.schema = bench->database->schema,
                                     .index = bench->database->index,
                                     .question = question,
                                     .dialect = DIALECT_SQLITE,
                                     .today = "2024-03-15",
                                     .run = run_candidate,
                                     .counts_steps =
                                         bench->database->source->driver->counts_steps,
                                     .context = bench};
    struct parser_answer out;
    struct err err;
    bench->run_ms = 0;
    double from = cpu_ms();
    (void)parser_answer(bench->parser, arena, &request, &out, &err);
    double took = cpu_ms() - from;
    arena_free(arena);
    return took;
}

static bool ask(struct bench *bench, const char *question)
{
    double parts[PARTS] = {0};
    if (!bench->parser) {
        double before = resident_mb();
        double from = cpu_ms();
        struct err err;
        bench->parser = parser_open(bench->weights, &err);
        bench->open_ms = cpu_ms() - from;
        for (int i = 0; i < WARM && bench->parser; i++) {
            (void)answer(bench, question);
        }
        bench->added_mb = resident_mb() - before;
        bench->network =
            bench->parser ? network_open(bench->weights, &names, &err) : NULL;
        if (!bench->network) {
            (void)fprintf(stderr, "%s\n", err.message);
            return false;
        }
    }
    time_parts(bench, question, parts);
    parts[ALL] = answer(bench, question);
    parts[RUN] = bench->run_ms;
    double rest =
        parts[ALL] - parts[RUN] - parts[FEATURES] - parts[ENCODE] - parts[DECODE];
    parts[REST] = rest > 0 ? rest : 0;
    for (int i = 0; i < PARTS; i++) {
        bench->ms[i][bench->done] = parts[i];
    }
    bench->done++;
    return true;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Medians of the parts; median and 99th percentile of all, without and with running. */
static void print_line(struct bench *bench, const char *name)
{
    size_t count = bench->done;
    double *parser = arena_array(bench->arena, count + 1, sizeof *parser);
    for (size_t i = 0; i < count; i++) {
        parser[i] = bench->ms[ALL][i] - bench->ms[RUN][i];
    }
    qsort(parser, count, sizeof *parser, by_size);
    for (int i = 0; i < PARTS; i++) {
        qsort(bench->ms[i], count, sizeof(double), by_size);
    }
    size_t high = count - 1 - count / 100;
    printf("%-12.12s %9zu %6zu", name, count, bench->items);
    for (int i = 0; i < ALL; i++) {
        printf(" %8.1f", bench->ms[i][count / 2]);
    }
    printf(" %8.1f %8.1f %8.1f %8.1f %8.1f %8.1f %8.1f\n", parser[count / 2],
           parser[high], bench->ms[ALL][count / 2], bench->ms[ALL][high], bench->open_ms,
           bench->prepare_ms, bench->added_mb);
}

static bool reserve(struct bench *bench, size_t count)
{
    for (int i = 0; i < PARTS; i++) {
        bench->ms[i] = arena_array(bench->arena, count + 1, sizeof(double));
    }
    return count > 0;
}

static bool ask_file(struct bench *bench, char **argv, int argc)
{
    struct err err;
    size_t size = 0;
    int64_t limit = 0;
    char *text = file_read(bench->arena, argv[2], 256 << 20, &size, &err);
    json_t *list = text ? json_parse(bench->arena, text, size, &err) : NULL;
    size_t count = json_array_size(list);
    if (argc > 4 && str_to_int(argv[4], &limit) && limit > 0 && (size_t)limit < count) {
        count = (size_t)limit;
    }
    if (!reserve(bench, count)) {
        (void)fprintf(stderr, "no questions in %s\n", argv[2]);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const char *id = json_text_at(json_array_get(list, i), "db_id");
        const char *path = arena_format(bench->arena, "%s/%s/%s.sqlite", argv[3], id, id);
        if (!database_open(bench, id, path) ||
            !ask(bench, json_text_at(json_array_get(list, i), "question"))) {
            return false;
        }
    }
    return true;
}

static bool ask_made(struct bench *bench, size_t tables, size_t count)
{
    char path[] = "/tmp/parser-time-XXXXXX";
    int file = mkstemp(path);
    struct texts questions = {0};
    bool ok = file >= 0 && close(file) == 0 && made_database(path, tables) &&
              database_open(bench, "made", path) && reserve(bench, count);
    made_questions(bench->arena, tables, count, &questions);
    for (size_t i = 0; ok && i < questions.count; i++) {
        ok = ask(bench, questions.items[i]);
    }
    (void)unlink(path);
    return ok;
}

int main(int argc, char **argv)
{
    int64_t tables = 0;
    int64_t count = 0;
    if (argc < 4) {
        (void)fprintf(stderr,
                      "usage: parser_time WEIGHTS (TABLES QUESTIONS | FILE FOLDER "
                      "[LIMIT])\n");
        return 2;
    }
    struct bench bench = {
        .arena = arena_new(), .options = options_new(), .weights = argv[1]};
    map_init(&bench.databases, false);
    bool made = str_to_int(argv[2], &tables) && str_to_int(argv[3], &count);
    bool ok =
        made ? tables > 0 && count > 0 && ask_made(&bench, (size_t)tables, (size_t)count)
             : ask_file(&bench, argv, argc);
    if (ok) {
        print_line(&bench, made ? argv[2] : "file");
    }
    parser_close(bench.parser);
    network_close(bench.network);
    databases_close(&bench);
    options_free(bench.options);
    arena_free(bench.arena);
    return ok ? 0 : 1;
}
