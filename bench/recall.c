/*
 * Are the right tables kept, and what does it cost? Questions over made-up schemas go
 * through the library to a model that knows which tables are right but may choose only
 * among those that it is shown. Prints a line per size and mode, and one per kind of
 * question.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/writer.h"
#include "dragoman_server.h"
#include "recall_made.h"
#include "unit/support/tiny_server.h"

enum { SHOWN_MOST = 8 };

/* The question on its way: one at a time. The server's threads only read the question and
 * write what is theirs. */
static struct {
    struct recall_question question;
    atomic_bool shown[SHOWN_MOST];
    atomic_int phase_calls; /* of phases 1 to 3, or the fused one */
    atomic_int calls;
    atomic_long tokens;
} now;

/* Is the table among those of the prompt? They stand as "name(columns…)". */
static bool is_shown(const char *body, const char *table)
{
    size_t size = strlen(table);
    for (const char *at = body; (at = strstr(at, table)); at += size) {
        bool line = at >= body + 2 && at[-2] == '\\' && at[-1] == 'n';
        if ((line || !(isalnum((unsigned char)at[-1]) || at[-1] == '_')) &&
            (at[size] == '(' || (at[size] == ' ' && at[size + 1] == '('))) {
            return true;
        }
    }
    return false;
}

static bool is_stage(const char *body, const char *stage)
{
    char name[64];
    (void)snprintf(name, sizeof name, "\"name\":\"%s\"", stage);
    return strstr(body, name) != NULL;
}

static void write_tables(struct writer *writer, const char *key, bool all, bool named)
{
    writer_key(writer, key);
    writer_array(writer);
    for (size_t i = 0; i < now.question.tables.count; i++) {
        if (!all && !atomic_load(&now.shown[i])) {
            continue;
        }
        if (named) {
            writer_object(writer);
            writer_key_text(writer, "name", now.question.tables.items[i]);
            writer_key_bool(writer, "is_relevant", true);
            writer_object_end(writer);
        } else {
            writer_text(writer, now.question.tables.items[i]);
        }
    }
    writer_array_end(writer);
}

/* What the model says; it chooses among what this prompt or one before it has shown. */
static void write_reply(struct buf *out, const char *body)
{
    struct writer writer;
    writer_init(&writer, out);
    writer_object(&writer);
    bool phase = is_stage(body, "evaluate_tables") || is_stage(body, "evaluate_table");
    bool fused = is_stage(body, "understand");
    for (size_t i = 0; (phase || fused) && i < now.question.tables.count; i++) {
        if (is_shown(body, now.question.tables.items[i])) {
            atomic_store(&now.shown[i], true);
        }
    }
    bool counted =
        phase || fused || is_stage(body, "refine_tables") || is_stage(body, "synthesize");
    atomic_fetch_add(&now.phase_calls, counted);
    atomic_fetch_add(&now.calls, 1);
    writer_key_text(&writer, "intent", "TEXT_TO_SQL");
    writer_key_text(&writer, "summary", "What was asked.");
    writer_key_bool(&writer, "joins_needed", now.question.tables.count > 1);
    if (phase || fused) {
        write_tables(&writer, "tables", false, true);
    } else {
        write_tables(&writer, "final_tables", true, false);
    }
    writer_key(&writer, "steps");
    writer_array(&writer);
    writer_text(&writer, "Count.");
    writer_array_end(&writer);
    char sql[256];
    (void)snprintf(sql, sizeof sql, "SELECT COUNT(*) AS n FROM \"%s\"",
                   now.question.tables.items[0]);
    writer_key_text(&writer, "sql", sql);
    writer_object_end(&writer);
}

static bool handle(void *context, int fd, const struct tiny_request *request)
{
    (void)context;
    struct buf reply;
    struct buf whole;
    struct writer writer;
    buf_init(&reply, 1 << 16);
    buf_init(&whole, 1 << 17);
    write_reply(&reply, request->body);
    atomic_fetch_add(&now.tokens, (long)(request->body_size / 4));
    writer_init(&writer, &whole);
    writer_object(&writer);
    writer_key(&writer, "choices");
    writer_array(&writer);
    writer_object(&writer);
    writer_key(&writer, "message");
    writer_object(&writer);
    writer_key_text(&writer, "role", "assistant");
    writer_key_text(&writer, "content", buf_get(&reply));
    writer_object_end(&writer);
    writer_key_text(&writer, "finish_reason", "stop");
    writer_object_end(&writer);
    writer_array_end(&writer);
    writer_object_end(&writer);
    /* In one piece: two would wait for each other. */
    buf_clear(&reply);
    (void)buf_format(
        &reply,
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
        "%zu\r\n\r\n%s",
        whole.size, buf_get(&whole));
    tiny_write(fd, buf_get(&reply));
    buf_release(&reply);
    buf_release(&whole);
    return true;
}

struct figures {
    size_t questions;
    size_t complete; /* all tables were kept */
    size_t tables;
    size_t kept;
    int most_phase_calls;
    int phase_calls;
    int calls;
    long tokens;
    double ms;
};

static bool has_table(const struct dgm_answer *answer, const char *table)
{
    const char *item;
    for (size_t i = 0; (item = dgm_answer_item(answer, "plan_tables", i)); i++) {
        if (str_equal_nocase(item, table)) {
            return true;
        }
    }
    return false;
}

static void measure(struct dgm *dgm, struct figures *all, struct figures *kind)
{
    for (size_t i = 0; i < SHOWN_MOST; i++) {
        atomic_store(&now.shown[i], false);
    }
    atomic_store(&now.phase_calls, 0);
    atomic_store(&now.calls, 0);
    atomic_store(&now.tokens, 0);
    struct dgm_error error;
    struct dgm_request request = {.question = now.question.text, .fresh = true};
    int64_t start = clock_us();
    struct dgm_question *question = dgm_ask(dgm, &request, &error);
    const struct dgm_answer *answer = question ? dgm_question_wait(question, -1) : NULL;
    double ms = (double)(clock_us() - start) / 1000.0;
    size_t kept = 0;
    for (size_t i = 0; answer && i < now.question.tables.count; i++) {
        kept +=
            atomic_load(&now.shown[i]) || has_table(answer, now.question.tables.items[i]);
    }
    struct figures *const both[] = {all, kind};
    for (size_t i = 0; i < 2; i++) {
        struct figures *it = both[i];
        int calls = atomic_load(&now.phase_calls);
        it->questions++;
        it->tables += now.question.tables.count;
        it->kept += kept;
        it->complete += kept == now.question.tables.count;
        it->phase_calls += calls;
        it->most_phase_calls =
            calls > it->most_phase_calls ? calls : it->most_phase_calls;
        it->calls += atomic_load(&now.calls);
        it->tokens += atomic_load(&now.tokens);
        it->ms += ms;
    }
    dgm_question_free(question);
}

static struct dgm *open_instance(const char *database, const char *folder,
                                 const char *mode, const char *candidates, int port)
{
    struct dgm_error error = {.code = ""};
    struct dgm_config *config = dgm_config_new();
    char url[64];
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%d/v1", port);
    const char *const settings[][2] = {
        {"llm.provider", "openai"},
        {"llm.url", url},
        {"llm.key", "none"},
        {"agent.brain", "llm"},
        {"agent.recall", "false"},
        {"understanding.mode", mode},
        {"store.folder", folder},
        {"agent.ask_when_vague", "false"},
        {"agent.max_llm_calls", "100000"},
        {"understanding.candidates", candidates},
    };
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof settings / sizeof *settings; i++) {
        ok = dgm_config_set(config, settings[i][0], settings[i][1], &error);
    }
    ok = ok && dgm_config_add_datasource(config, "company", database, &error);
    struct dgm *dgm = ok ? dgm_open(config, &error) : NULL;
    dgm_config_free(config);
    if (!dgm) {
        (void)fprintf(stderr, "%s: %s\n", error.code, error.message);
    }
    return dgm;
}

static double share(size_t part, size_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print(size_t tables, const char *mode, const char *candidates,
                  const struct figures *it)
{
    double count = it->questions ? (double)it->questions : 1;
    (void)printf("%7zu %-9s %10s %9zu %9.1f%% %8.1f%% %10.2f %5d %8.2f %8.0f %8.1f\n",
                 tables, mode, candidates, it->questions,
                 share(it->complete, it->questions), share(it->kept, it->tables),
                 it->phase_calls / count, it->most_phase_calls, it->calls / count,
                 (double)it->tokens / count, it->ms / count);
}

static void print_kinds(const struct figures *kinds)
{
    (void)printf("%18s", "complete by kind:");
    for (int i = 0; i < RECALL_KINDS; i++) {
        (void)printf(" %s %.0f%%", recall_kind_name((enum recall_kind)i),
                     share(kinds[i].complete, kinds[i].questions));
    }
    (void)printf("\n");
    (void)fflush(stdout);
}

int main(int argc, char **argv)
{
    if (argc != 6) {
        (void)fprintf(stderr, "usage: recall FOLDER TABLES QUESTIONS MODE CANDIDATES\n");
        return 2;
    }
    size_t tables = strtoul(argv[2], NULL, 10);
    size_t questions = strtoul(argv[3], NULL, 10);
    char database[512];
    char folder[512];
    (void)snprintf(database, sizeof database, "%s/company-%zu.db", argv[1], tables);
    (void)snprintf(folder, sizeof folder, "%s/store-%zu", argv[1], tables);
    if (access(database, R_OK) != 0 && !recall_database(database, tables)) {
        return 1;
    }
    struct tiny_server *server = tiny_start(handle, NULL);
    struct dgm *dgm = open_instance(database, folder, argv[4], argv[5], server->port);
    if (!dgm) {
        return 1;
    }
    struct figures all = {0};
    struct figures kinds[RECALL_KINDS] = {{0}};
    struct arena *arena = arena_new();
    for (size_t i = 0; i < questions; i++) {
        recall_question(arena, tables, i, &now.question);
        size_t complete = all.complete;
        measure(dgm, &all, &kinds[now.question.kind]);
        if (all.complete == complete && getenv("RECALL_MISSES")) {
            (void)fprintf(stderr, "missed: %s\n", now.question.text);
        }
    }
    print(tables, argv[4], argv[5], &all);
    print_kinds(kinds);
    dgm_close(dgm);
    tiny_stop(server);
    arena_free(arena);
    return 0;
}
