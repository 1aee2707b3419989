/* Running candidates: what fails is dropped, what is late keeps its place. And several
 * questions at once. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/err.h"
#include "parser/ir/ir.h"
#include "parser/parser.h"
#include "unit/parser/features_shop.h"
#include "unit/parser/weights_made.h"

enum outcome { FINE, LATE, FAILS };

struct trials {
    enum outcome first;
    enum outcome rest;
    size_t count;
    int64_t limit_ms; /* of the last one */
};

static void run_candidate(void *context, const char *sql, struct parser_outcome *out)
{
    struct trials *trials = context;
    enum outcome outcome = trials->count++ ? trials->rest : trials->first;
    assert_non_null(sql);
    assert_in_range(out->limit_ms, 1, 2000);
    assert_false(out->ok || out->late);
    trials->limit_ms = out->limit_ms;
    out->ok = outcome == FINE;
    out->late = outcome == LATE;
    out->result = trials->count; /* all different */
    out->rows = 1;
    out->columns = 1;
}

struct place {
    struct features_shop shop;
    struct parser *parser;
    struct arena *arena;
};

static struct place place;

static int set_up(void **state)
{
    (void)state;
    struct made_weights made;
    struct err err;
    size_t size = 0;
    place.arena = arena_new();
    features_shop_init(&place.shop);
    made_weights(&made, place.arena, made_own_names(), true, 5);
    made_favour(&made, IR_FROM, 10.0F);
    made_favour(&made, IR_END, 20.0F);
    void *file = made_file(&made, &size);
    place.parser = parser_of(file, size, &err);
    return place.parser ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    parser_close(place.parser);
    features_shop_release(&place.shop);
    arena_free(place.arena);
    return 0;
}

static bool ask_in(struct arena *arena, struct trials *trials,
                   struct parser_answer *answer, struct err *err)
{
    struct parser_request request = {.schema = place.shop.shop.schema,
                                     .index = place.shop.index,
                                     .question = "names of customers in Berlin",
                                     .dialect = DIALECT_SQLITE,
                                     .today = "2024-03-15",
                                     .run = trials ? run_candidate : NULL,
                                     .context = trials};
    return parser_answer(place.parser, arena, &request, answer, err);
}

static bool ask(struct trials *trials, struct parser_answer *answer, struct err *err)
{
    return ask_in(place.arena, trials, answer, err);
}

static void test_all_fine(void **state)
{
    (void)state;
    struct trials trials = {FINE, FINE, 0, 0};
    struct parser_answer answer;
    struct err err;
    assert_true(ask(&trials, &answer, &err));
    assert_int_equal(answer.count, trials.count);
    assert_true(answer.items[0].outcome.ok);
}

static void test_failing_ones_are_dropped(void **state)
{
    (void)state;
    struct trials trials = {FINE, FAILS, 0, 0};
    struct parser_answer answer;
    struct err err;
    assert_true(ask(&trials, &answer, &err));
    assert_int_equal(answer.count, 1);
    trials = (struct trials){FAILS, FAILS, 0, 0};
    assert_false(ask(&trials, &answer, &err));
    assert_int_equal(err.code, ERR_CANNOT_ANSWER);
}

static void test_late_ones_stay(void **state)
{
    (void)state;
    struct trials trials = {LATE, LATE, 0, 0};
    struct parser_answer late;
    struct parser_answer unseen;
    struct err err;
    assert_true(ask(&trials, &late, &err));
    assert_true(ask(NULL, &unseen, &err));
    assert_int_equal(late.count, unseen.count);
    for (size_t i = 0; i < late.count; i++) {
        assert_string_equal(late.items[i].sql, unseen.items[i].sql);
        assert_false(late.items[i].outcome.ok);
    }
}

/* Asks again and again; the readings that differ from those given. */
static void *ask_often(void *context)
{
    const struct parser_answer *alone = context;
    size_t differ = 0;
    for (int turn = 0; turn < 5; turn++) {
        struct arena *arena = arena_new();
        struct parser_answer answer;
        struct err err;
        bool ok = ask_in(arena, NULL, &answer, &err) && answer.count == alone->count;
        for (size_t i = 0; ok && i < answer.count; i++) {
            differ += strcmp(answer.items[i].sql, alone->items[i].sql) != 0;
        }
        differ += !ok;
        arena_free(arena);
    }
    return differ ? context : NULL;
}

/* More at once than rooms are kept: nobody works in another's. */
static void test_threads_say_the_same(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    struct parser_answer alone;
    struct err err;
    pthread_t threads[THREADS];
    assert_true(ask(NULL, &alone, &err));
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, ask_often, &alone), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        void *differs = NULL;
        assert_int_equal(pthread_join(threads[i], &differs), 0);
        assert_null(differs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_fine),
        cmocka_unit_test(test_failing_ones_are_dropped),
        cmocka_unit_test(test_late_ones_stay),
        cmocka_unit_test(test_threads_say_the_same),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
