/* Questions into features, many at once, written in their order. */
#include "parser/dump/dump.h"

#include <unistd.h>

#include "base/memory.h"
#include "base/vec.h"
#include "model/options/options.h"
#include "parser/dump/dump_state.h"

enum { BATCH = 2048, CHUNK = 32, THREADS_MOST = 256 };

/* Waits until as many jobs are done as were given. */
struct latch {
    pthread_mutex_t lock;
    pthread_cond_t done;
    size_t left;
};

struct dump {
    const struct dump_request *request;
    struct dump_figures *figures;
    struct dump_reader reader;
    struct dump_writer writer;
    struct workers *workers;
    struct options *options;
    struct map databases; /* name -> struct dump_database */
    struct arena *arena;  /* as long as the dump */
    struct latch latch;
};

static void latch_done(struct latch *latch)
{
    (void)pthread_mutex_lock(&latch->lock);
    if (--latch->left == 0) {
        (void)pthread_cond_signal(&latch->done);
    }
    (void)pthread_mutex_unlock(&latch->lock);
}

static void latch_wait(struct latch *latch)
{
    (void)pthread_mutex_lock(&latch->lock);
    while (latch->left) {
        (void)pthread_cond_wait(&latch->done, &latch->lock);
    }
    (void)pthread_mutex_unlock(&latch->lock);
}

struct opening {
    struct dump_database *database;
    struct latch *latch;
};

static void open_job(void *context)
{
    struct opening *opening = context;
    dump_database_open(opening->database);
    latch_done(opening->latch);
}

/* Opens the databases that these questions are the first to ask for. */
static void open_databases(struct dump *dump, struct arena *arena,
                           const struct dump_questions *questions)
{
    struct {
        struct opening *items;
        size_t count, capacity;
    } new = {0};
    for (size_t i = 0; i < questions->count; i++) {
        const char *name = questions->items[i].database;
        if (map_has(&dump->databases, name)) {
            continue;
        }
        struct dump_database *database = ARENA_NEW(dump->arena, struct dump_database);
        database->name = arena_text(dump->arena, name);
        database->path = arena_format(dump->arena, "%s/%s/%s.sqlite",
                                      dump->request->databases, name, name);
        database->options = dump->options;
        database->arena = arena_new();
        (void)map_set(&dump->databases, name, database);
        VEC_PUSH(arena, &new, ((struct opening){database, &dump->latch}));
    }
    dump->latch.left = new.count;
    for (size_t i = 0; i < new.count; i++) {
        workers_submit(dump->workers, open_job, &new.items[i]);
    }
    latch_wait(&dump->latch);
    for (size_t i = 0; i < new.count; i++) {
        dump->figures->databases += new.items[i].database->features != NULL;
    }
}

/* A few questions for one worker, with an arena of their own. */
struct chunk {
    struct dump_example *examples;
    size_t count;
    struct arena *arena;
    struct latch *latch;
};

static void chunk_job(void *context)
{
    struct chunk *chunk = context;
    for (size_t i = 0; i < chunk->count; i++) {
        if (chunk->examples[i].database) {
            dump_example_make(chunk->arena, &chunk->examples[i]);
        }
    }
    latch_done(chunk->latch);
}

static void run_chunks(struct dump *dump, struct chunk *chunks, size_t count)
{
    dump->latch.left = count;
    for (size_t i = 0; i < count; i++) {
        workers_submit(dump->workers, chunk_job, &chunks[i]);
    }
    latch_wait(&dump->latch);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < chunks[i].count; j++) {
            if (chunks[i].examples[j].database) {
                dump_writer_add(&dump->writer, &chunks[i].examples[j]);
            } else {
                dump->figures->no_database++;
            }
        }
        arena_free(chunks[i].arena);
    }
}

static void run_batch(struct dump *dump, struct arena *arena,
                      const struct dump_questions *questions)
{
    size_t count = (questions->count + CHUNK - 1) / CHUNK;
    struct dump_example *examples =
        arena_array(arena, questions->count, sizeof *examples);
    struct chunk *chunks = arena_array(arena, count, sizeof *chunks);
    open_databases(dump, arena, questions);
    for (size_t i = 0; i < questions->count; i++) {
        struct dump_database *database =
            map_get(&dump->databases, questions->items[i].database);
        examples[i].question = &questions->items[i];
        examples[i].database = database->features ? database : NULL;
    }
    for (size_t i = 0; i < count; i++) {
        size_t left = questions->count - i * CHUNK;
        chunks[i] = (struct chunk){examples + i * CHUNK, left < CHUNK ? left : CHUNK,
                                   arena_new(), &dump->latch};
    }
    run_chunks(dump, chunks, count);
    dump->figures->questions += questions->count;
    if (dump->request->report) {
        dump->request->report(dump->request->context, dump->figures);
    }
}

static bool run_all(struct dump *dump, struct err *err)
{
    for (;;) {
        struct dump_questions questions;
        struct arena *arena = arena_new();
        bool read = dump_reader_next(&dump->reader, arena, BATCH, &questions, err);
        bool more = read && questions.count > 0 && !dump->writer.failed;
        if (more) {
            run_batch(dump, arena, &questions);
        }
        arena_free(arena);
        if (!more) {
            return read;
        }
    }
}

static size_t thread_count(int asked)
{
    long cores = asked > 0 ? asked : sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > THREADS_MOST ? THREADS_MOST : (size_t)cores;
}

bool dump_features(const struct dump_request *request, struct dump_figures *figures,
                   struct err *err)
{
    struct dump dump = {.request = request, .figures = figures, .arena = arena_new()};
    *figures = (struct dump_figures){0};
    map_init(&dump.databases, false);
    (void)pthread_mutex_init(&dump.latch.lock, NULL);
    (void)pthread_cond_init(&dump.latch.done, NULL);
    bool done = dump_reader_open(&dump.reader, request->questions, err);
    if (done) {
        done = dump_writer_open(&dump.writer, request->out, figures, err);
        if (done) {
            dump.options = options_new();
            dump.workers = workers_new(thread_count(request->threads));
            done = run_all(&dump, err);
            workers_free(dump.workers);
        }
        done = dump_writer_close(&dump.writer, done, err) && done;
    }
    dump_reader_close(&dump.reader);
    struct map_entry *entry = NULL;
    for (size_t at = 0; (entry = map_next(&dump.databases, &at));) {
        dump_database_close(entry->value);
    }
    map_release(&dump.databases);
    options_free(dump.options);
    (void)pthread_cond_destroy(&dump.latch.done);
    (void)pthread_mutex_destroy(&dump.latch.lock);
    arena_free(dump.arena);
    return done;
}
