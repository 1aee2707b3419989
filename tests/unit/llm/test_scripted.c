/* The scripted provider and the recorder that writes its scripts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/fetch/fetch.h"
#include "base/file.h"
#include "base/str.h"
#include "llm/llm.h"

static char script_path[64];
static char record_path[64];

struct caught {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int done;
    struct llm_reply reply;
    struct buf text;
    struct buf streamed;
};

static void on_text(void *context, const char *text, size_t size)
{
    (void)buf_add(&((struct caught *)context)->streamed, text, size);
}

static void on_done(void *context, const struct llm_reply *reply)
{
    struct caught *caught = context;
    pthread_mutex_lock(&caught->lock);
    caught->reply = *reply;
    (void)buf_add(&caught->text, reply->text, reply->size);
    caught->done++;
    pthread_cond_broadcast(&caught->changed);
    pthread_mutex_unlock(&caught->lock);
}

static void caught_init(struct caught *caught)
{
    *caught = (struct caught){0};
    pthread_mutex_init(&caught->lock, NULL);
    pthread_cond_init(&caught->changed, NULL);
    buf_init(&caught->text, 1 << 20);
    buf_init(&caught->streamed, 1 << 20);
}

static void caught_release(struct caught *caught)
{
    buf_release(&caught->text);
    buf_release(&caught->streamed);
}

static void await(struct caught *caught)
{
    pthread_mutex_lock(&caught->lock);
    while (!caught->done) {
        pthread_cond_wait(&caught->changed, &caught->lock);
    }
    pthread_mutex_unlock(&caught->lock);
}

static struct llm *play_with(const char *script, const char *record, struct fetch *fetch,
                             struct err *err)
{
    FILE *file = fopen(script_path, "we");
    assert_non_null(file);
    (void)fputs(script, file);
    (void)fclose(file);
    struct options *options = options_new();
    options->llm_provider = "scripted";
    options->llm_script = script_path;
    options->llm_record = record;
    struct llm *llm = llm_new(options, fetch, err);
    options_free(options);
    return llm;
}

static struct llm *play(const char *script)
{
    struct err err;
    struct llm *llm = play_with(script, "", NULL, &err);
    assert_non_null(llm);
    return llm;
}

static struct llm_ticket *start(struct llm *llm, const char *stage, const char *question,
                                struct caught *caught)
{
    caught_init(caught);
    struct llm_call call = {.stage = stage,
                            .system = "You write SQL.",
                            .user = "Schema and so on.",
                            .question = question,
                            .on_text = on_text,
                            .on_done = on_done,
                            .context = caught};
    return llm_start(llm, &call);
}

/* "text" of the reply, or "!CODE". */
static void expect(struct llm *llm, const char *stage, const char *question,
                   const char *expected)
{
    struct caught caught;
    llm_forget(start(llm, stage, question, &caught));
    assert_int_equal(caught.done, 1); /* before llm_start returned */
    char got[1000];
    (void)snprintf(got, sizeof got, "%s%s", caught.reply.ok ? "" : "!",
                   caught.reply.ok ? buf_get(&caught.text)
                                   : err_name(caught.reply.error.code));
    assert_string_equal(got, expected);
    if (caught.reply.ok) {
        assert_string_equal(buf_get(&caught.streamed), expected);
    }
    caught_release(&caught);
}

static void test_blocks_are_consumed_in_order(void **state)
{
    (void)state;
    struct llm *llm = play("# a comment\n"
                           ">>> parse_intent\none\n<<<\n\n"
                           ">>> generate_sql\nfirst\nline two\n<<<\n"
                           ">>> parse_intent\ntwo\n<<<\n");
    assert_string_equal(llm_provider_name(llm), "scripted");
    expect(llm, "generate_sql", "q", "first\nline two");
    expect(llm, "parse_intent", "q", "one");
    expect(llm, "parse_intent", "q", "two");
    expect(llm, "parse_intent", "q", "!LLM_UNAVAILABLE");
    expect(llm, "nobody", "q", "!LLM_UNAVAILABLE");
    llm_free(llm);
}

static void test_headers(void **state)
{
    (void)state;
    struct llm *llm = play(">>> s\nwhen: Schema and\nrepeat\nuser text\n<<<\n"
                           ">>> t\nwhen: employees\nE\n<<<\n"
                           ">>> t\nwhen: customers\nC\n<<<\n"
                           ">>> t repeat\nother\n<<<\n"
                           ">>> * \nwhen: anything\nany stage\n<<<\n"
                           ">>> e\nerror: LLM_RATE_LIMITED\n<<<\n"
                           ">>> plain\n---\nwhen: this is the reply\n<<<\n"
                           ">>> empty\n<<<\n"
                           ">>> escaped\na\n\\<<<\nb\n\n<<<\n");
    expect(llm, "s", "x", "user text");
    expect(llm, "s", "x", "user text");
    expect(llm, "t", "how many customers?", "C");
    expect(llm, "t", "how many customers?", "other");
    expect(llm, "t", "how many employees?", "E");
    expect(llm, "t", "how many employees?", "other");
    expect(llm, "zzz", "anything", "any stage");
    expect(llm, "e", "x", "!LLM_RATE_LIMITED");
    expect(llm, "plain", "x", "when: this is the reply");
    expect(llm, "empty", "x", "");
    expect(llm, "escaped", "x", "a\n<<<\nb\n");
    llm_free(llm);
}

static void test_bad_scripts(void **state)
{
    (void)state;
    static const char *const scripts[] = {
        ">>> s\nno end\n",
        "text outside\n",
        ">>>\nno stage\n<<<\n",
        ">>> s other\nx\n<<<\n",
        ">>> s\ndelay_ms: soon\nx\n<<<\n",
        ">>> s\npiece_ms: -1\nx\n<<<\n",
        ">>> s\nerror: NO_SUCH_CODE\nx\n<<<\n",
    };
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        struct err err = {0};
        assert_null(play_with(scripts[i], "", NULL, &err));
        assert_int_equal(err.code, ERR_CONFIG);
        assert_non_null(strstr(err.message, "line"));
    }
    struct options *options = options_new();
    struct err err = {0};
    options->llm_provider = "scripted";
    options->llm_script = "/no/such/script";
    assert_null(llm_new(options, NULL, &err));
    options->llm_script = "";
    assert_null(llm_new(options, NULL, &err));
    assert_int_equal(err.code, ERR_LLM_NOT_CONFIGURED);
    options_free(options);
}

static void test_counting(void **state)
{
    (void)state;
    struct llm *llm = play(">>> s\nSELECT 1\n<<<\n");
    struct caught caught;
    llm_forget(start(llm, "s", "q", &caught));
    assert_true(caught.reply.tokens_estimated);
    assert_true(caught.reply.tokens_in > 0);
    assert_true(caught.reply.tokens_out > 0);
    assert_false(caught.reply.cost_known);
    assert_int_equal(caught.reply.attempts, 1);
    caught_release(&caught);
    llm_free(llm);
}

static void test_delay_and_cancel(void **state)
{
    (void)state;
    struct err err;
    struct fetch *fetch = fetch_new(&(struct fetch_settings){0}, &err);
    struct llm *llm = play_with(">>> s\ndelay_ms: 30\nslow\n<<<\n"
                                ">>> t\ndelay_ms: 600000\nnever\n<<<\n",
                                "", fetch, &err);
    struct caught slow;
    int64_t before = clock_ms();
    struct llm_ticket *ticket = start(llm, "s", "q", &slow);
    await(&slow);
    assert_true(clock_ms() - before >= 30);
    assert_string_equal(buf_get(&slow.text), "slow");
    llm_cancel(ticket); /* too late, and harmless */
    llm_forget(ticket);
    struct caught never;
    ticket = start(llm, "t", "q", &never);
    llm_cancel(ticket);
    llm_cancel(ticket);
    await(&never);
    assert_false(never.reply.ok);
    assert_int_equal(never.reply.error.code, ERR_STOPPED);
    assert_int_equal(never.done, 1);
    llm_forget(ticket);
    caught_release(&slow);
    caught_release(&never);
    llm_free(llm);
    fetch_free(fetch);
}

static void test_a_reply_in_pieces(void **state)
{
    (void)state;
    struct err err;
    struct fetch *fetch = fetch_new(&(struct fetch_settings){0}, &err);
    struct llm *llm =
        play_with(">>> s\npiece_ms: 1\nthirty and some more bytes of text\n<<<\n"
                  ">>> t\npiece_ms: 600000\nmore than sixteen bytes\n<<<\n",
                  "", fetch, &err);
    struct caught caught;
    struct llm_ticket *ticket = start(llm, "s", "q", &caught);
    await(&caught);
    assert_string_equal(buf_get(&caught.text), "thirty and some more bytes of text");
    assert_string_equal(buf_get(&caught.streamed), "thirty and some more bytes of text");
    llm_forget(ticket);
    struct caught never;
    ticket = start(llm, "t", "q", &never);
    llm_cancel(ticket);
    await(&never);
    assert_int_equal(never.reply.error.code, ERR_STOPPED);
    llm_forget(ticket);
    caught_release(&caught);
    caught_release(&never);
    llm_free(llm);
    fetch_free(fetch);
}

static void test_free_ends_what_waits(void **state)
{
    (void)state;
    struct err err;
    struct fetch *fetch = fetch_new(&(struct fetch_settings){0}, &err);
    struct llm *llm =
        play_with(">>> s repeat\ndelay_ms: 600000\nnever\n<<<\n", "", fetch, &err);
    struct caught caught[10];
    for (int i = 0; i < 10; i++) {
        llm_forget(start(llm, "s", "q", &caught[i]));
    }
    llm_free(llm);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(caught[i].done, 1);
        assert_int_equal(caught[i].reply.error.code, ERR_STOPPED);
        caught_release(&caught[i]);
    }
    fetch_free(fetch);
}

static void test_fail_at(void **state)
{
    (void)state;
    struct llm *llm = play(">>> s repeat\nfine\n<<<\n");
    llm_fail_at(llm, 2, ERR_LLM_TIMEOUT);
    expect(llm, "s", "q", "fine");
    expect(llm, "s", "q", "!LLM_TIMEOUT");
    expect(llm, "s", "q", "fine");
    llm_fail_at(llm, 1, ERR_LLM_NONSENSE);
    llm_fail_at(llm, 0, ERR_OK);
    expect(llm, "s", "q", "fine");
    llm_free(llm);
}

static char *read_all(struct arena *arena, const char *path)
{
    struct err err;
    size_t size;
    char *text = file_read(arena, path, 1 << 20, &size, &err);
    assert_non_null(text);
    return text;
}

static void test_a_recording_can_be_played(void **state)
{
    (void)state;
    struct err err;
    (void)unlink(record_path);
    struct llm *llm = play_with(">>> a\n---\nwhen: tricky\n\\<<<\n\nend\n<<<\n"
                                ">>> a\nwhen: second\nfor the second\n<<<\n"
                                ">>> b\nerror: LLM_TIMEOUT\n<<<\n"
                                ">>> c\nlast line break\n\n<<<\n",
                                record_path, NULL, &err);
    assert_non_null(llm);
    expect(llm, "a", "first?\nmore", "when: tricky\n<<<\n\nend");
    expect(llm, "a", "second?", "for the second");
    expect(llm, "b", NULL, "!LLM_TIMEOUT");
    expect(llm, "c", "x", "last line break\n");
    llm_free(llm);
    struct stat file;
    assert_int_equal(stat(record_path, &file), 0);
    assert_int_equal(file.st_mode & 077, 0); /* nobody else's business */
    struct arena *arena = arena_new();
    char *recording = read_all(arena, record_path);
    llm = play(recording);
    expect(llm, "a", "second?", "for the second"); /* found by its question */
    expect(llm, "a", "first?\nmore", "when: tricky\n<<<\n\nend");
    expect(llm, "b", "x", "!LLM_TIMEOUT");
    expect(llm, "c", "x", "last line break\n");
    llm_free(llm);
    arena_free(arena);
}

struct crowd {
    struct llm *llm;
    int fine;
};

static void *crowd_thread(void *context)
{
    struct crowd *crowd = context;
    for (int i = 0; i < 100; i++) {
        struct caught caught;
        llm_forget(start(crowd->llm, "s", "q", &caught));
        crowd->fine += caught.reply.ok ? 1 : 0;
        caught_release(&caught);
    }
    return NULL;
}

static void test_many_threads(void **state)
{
    (void)state;
    struct buf script;
    buf_init(&script, 1 << 20);
    for (int i = 0; i < 250; i++) {
        (void)buf_text(&script, ">>> s\nx\n<<<\n");
    }
    struct err err;
    (void)unlink(record_path);
    struct llm *llm = play_with(buf_get(&script), record_path, NULL, &err);
    struct crowd crowds[4];
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        crowds[i] = (struct crowd){.llm = llm};
        pthread_create(&threads[i], NULL, crowd_thread, &crowds[i]);
    }
    int fine = 0;
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        fine += crowds[i].fine;
    }
    llm_free(llm);
    assert_int_equal(fine, 250); /* each block once */
    struct arena *arena = arena_new();
    llm = play(read_all(arena, record_path)); /* blocks were not mixed up */
    llm_free(llm);
    arena_free(arena);
    buf_release(&script);
}

static int set_up(void **state)
{
    (void)state;
    (void)snprintf(script_path, sizeof script_path, "/tmp/dragoman-script-%d", getpid());
    (void)snprintf(record_path, sizeof record_path, "/tmp/dragoman-record-%d", getpid());
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    (void)unlink(script_path);
    (void)unlink(record_path);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_are_consumed_in_order),
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_bad_scripts),
        cmocka_unit_test(test_counting),
        cmocka_unit_test(test_delay_and_cancel),
        cmocka_unit_test(test_a_reply_in_pieces),
        cmocka_unit_test(test_free_ends_what_waits),
        cmocka_unit_test(test_fail_at),
        cmocka_unit_test(test_a_recording_can_be_played),
        cmocka_unit_test(test_many_threads),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
