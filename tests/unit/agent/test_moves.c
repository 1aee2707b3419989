/* The machine's tables alone: everything is reachable, nothing is a dead end, and every
 * stage says only what has a row. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "agent/moves.h"
#include "agent/stage.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"

static enum event event_at(int index)
{
    return (enum event)index;
}

/* Marks what can be reached from a state, over every event there is. */
static void mark(enum state from, bool seen[STATE_COUNT])
{
    if (seen[from]) {
        return;
    }
    seen[from] = true;
    for (int i = 0; i < EVENT_COUNT; i++) {
        enum state to = from;
        if (moves_next(from, event_at(i), &to)) {
            mark(to, seen);
        }
    }
}

static void every_state_is_reachable(void **unused)
{
    (void)unused;
    bool seen[STATE_COUNT] = {false};
    mark(STATE_INITIALIZING, seen);
    for (int i = 0; i < STATE_COUNT; i++) {
        if (!seen[i]) {
            fail_msg("%s cannot be reached", state_name((enum state)i));
        }
    }
}

/* The way out is by rows of its own, not by STOP or a used-up budget. */
static bool leads_out(enum state from, bool seen[STATE_COUNT])
{
    if (state_get(from)->rest == REST_FINAL) {
        return true;
    }
    if (seen[from]) {
        return false;
    }
    seen[from] = true;
    size_t count = 0;
    const struct move *moves = moves_table(&count);
    for (size_t i = 0; i < count; i++) {
        if (moves[i].from == from && leads_out(moves[i].to, seen)) {
            return true;
        }
    }
    return false;
}

static void no_state_is_a_dead_end(void **unused)
{
    (void)unused;
    for (int i = 0; i < STATE_COUNT; i++) {
        bool seen[STATE_COUNT] = {false};
        if (!leads_out((enum state)i, seen)) {
            fail_msg("%s has no way out", state_name((enum state)i));
        }
    }
}

static void no_row_stands_twice(void **unused)
{
    (void)unused;
    size_t count = 0;
    const struct move *moves = moves_table(&count);
    assert_true(count > 50);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (moves[i].from == moves[j].from && moves[i].event == moves[j].event) {
                fail_msg("%s %s stands twice", state_name(moves[i].from),
                         event_name(moves[i].event));
            }
        }
    }
}

static void final_states_have_no_rows(void **unused)
{
    (void)unused;
    int finals = 0;
    for (int i = 0; i < STATE_COUNT; i++) {
        if (state_get((enum state)i)->rest != REST_FINAL) {
            continue;
        }
        finals++;
        for (int e = 0; e < EVENT_COUNT; e++) {
            enum state to = STATE_COUNT;
            assert_false(moves_next((enum state)i, event_at(e), &to));
        }
    }
    assert_int_equal(finals, 3);
}

static void every_state_can_be_stopped(void **unused)
{
    (void)unused;
    static const struct {
        enum event event;
        enum state to;
    } everywhere[] = {{EVENT_STOP, STATE_STOPPED},
                      {EVENT_SPENT, STATE_FAILED},
                      {EVENT_DEADLINE, STATE_FAILED},
                      {EVENT_INTERRUPTED, STATE_FAILED}};
    for (int i = 0; i < STATE_COUNT; i++) {
        for (size_t e = 0; e < 4 && state_get((enum state)i)->rest != REST_FINAL; e++) {
            enum state to = STATE_COUNT;
            assert_true(moves_next((enum state)i, everywhere[e].event, &to));
            assert_int_equal(to, everywhere[e].to);
        }
    }
}

static void ask_states_can_ask_again_and_give_up(void **unused)
{
    (void)unused;
    int asks = 0;
    for (int i = 0; i < STATE_COUNT; i++) {
        enum state from = (enum state)i;
        bool ask = state_get(from)->shape == SHAPE_ASK;
        enum state to = STATE_COUNT;
        asks += ask;
        assert_int_equal(moves_next(from, EVENT_LLM_DOWN, &to) && to == from, ask);
        assert_int_equal(moves_next(from, EVENT_BAD_REPLY, &to) && to == from, ask);
        assert_int_equal(moves_next(from, EVENT_GIVE_UP, &to) && to == STATE_FAILED, ask);
    }
    assert_true(asks >= 10);
}

static void every_state_has_the_stage_its_shape_needs(void **unused)
{
    (void)unused;
    for (int i = 0; i < STATE_COUNT; i++) {
        const struct state_info *info = state_get((enum state)i);
        const struct stage *stage = stage_get((enum state)i);
        assert_int_equal(info->shape == SHAPE_NONE, info->rest != REST_NO);
        if (info->shape == SHAPE_NONE) {
            assert_null(stage);
            continue;
        }
        assert_non_null(stage);
        assert_int_equal(stage->state, i);
        assert_int_equal(stage->work != NULL, info->shape == SHAPE_WORK);
        assert_int_equal(stage->ask != NULL, info->shape == SHAPE_ASK);
        assert_int_equal(stage->read != NULL, info->shape == SHAPE_ASK);
        if (stage->optional) { /* leaving it out is an event of its own */
            enum state to = STATE_COUNT;
            assert_true(moves_next(stage->state, EVENT_ERROR, &to));
        }
    }
}

static void names_are_unique_and_found_again(void **unused)
{
    (void)unused;
    for (int i = 0; i < EVENT_COUNT; i++) {
        enum event found = EVENT_COUNT;
        assert_true(event_find(event_name(event_at(i)), &found));
        assert_int_equal(found, i);
        assert_true(strlen(event_meaning(event_at(i))) > 5);
    }
    for (int i = 0; i < STATE_COUNT; i++) {
        enum state found = STATE_COUNT;
        assert_true(state_find(state_name((enum state)i), &found));
        assert_int_equal(found, i);
    }
    enum event event = EVENT_COUNT;
    enum state state = STATE_COUNT;
    assert_false(event_find("NO_SUCH_EVENT", &event));
    assert_false(state_find("", &state));
}

static void statuses_are_the_eight_words(void **unused)
{
    (void)unused;
    static const char *const words[] = {"understanding", "searching",  "planning",
                                        "generating",    "correcting", "finished",
                                        "failed",        "stopped"};
    for (int i = 0; i < STATE_COUNT; i++) {
        bool known = false;
        for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
            known = known || str_equal(words[w], state_get((enum state)i)->status);
        }
        assert_true(known);
    }
}

/* A client that draws its progress must not see it go back. */
static void statuses_never_go_back(void **unused)
{
    (void)unused;
    assert_string_equal(state_status(NULL, STATE_INITIALIZING), "understanding");
    assert_string_equal(state_status("understanding", STATE_RECALL), "searching");
    assert_string_equal(state_status("searching", STATE_READ_LOCALLY), "searching");
    assert_string_equal(state_status("searching", STATE_PLAN_QUERY), "planning");
    assert_string_equal(state_status("correcting", STATE_VALIDATE_QUERY), "correcting");
    assert_string_equal(state_status("correcting", STATE_FINISHED), "finished");
    assert_string_equal(state_status("searching", STATE_FAILED), "failed");
    /* an answer of the user begins anew */
    assert_string_equal(state_status("finished", STATE_SYNTHESIZE), "understanding");
}

/* What is compared with or switched on is heard, not said. */
static bool is_heard(const char *source, const char *at)
{
    while (at > source && isspace((unsigned char)at[-1])) {
        at--;
    }
    size_t before = (size_t)(at - source);
    return (before >= 2 && at[-1] == '=' && (at[-2] == '=' || at[-2] == '!')) ||
           (before >= 4 && strncmp(at - 4, "case", 4) == 0);
}

/* Each EVENT_X that a source says must have a row. */
static void each_event_said(const char *source, const char *file, enum state state,
                            bool said[EVENT_COUNT])
{
    for (const char *at = source; (at = strstr(at, "EVENT_")); at++) {
        char name[64];
        size_t size = 0;
        const char *from = at + 6;
        while (size < sizeof name - 1 &&
               (isupper((unsigned char)from[size]) || from[size] == '_')) {
            name[size] = from[size];
            size++;
        }
        name[size] = '\0';
        enum event event = EVENT_COUNT;
        if (!event_find(name, &event)) {
            fail_msg("%s: %s is no event", file, name);
        }
        if (is_heard(source, at)) {
            continue;
        }
        enum state to = STATE_COUNT;
        said[event] = true;
        if (!moves_next(state, event, &to)) {
            fail_msg("%s says %s, which has no row", file, name);
        }
    }
}

static char *source_of(struct arena *arena, enum state state, const char **path)
{
    struct err err;
    size_t size = 0;
    *path =
        arena_format(arena, "src/agent/stages/%s.c", str_lower(arena, state_name(state)));
    char *text = file_read(arena, *path, 1024 * 1024, &size, &err);
    if (!text) {
        fail_msg("%s: %s (tests run in the source folder)", *path, err.message);
    }
    return text;
}

/* Events that are said for a stage by what it calls, or by the machine. */
static bool said_elsewhere(const struct move *move)
{
    return move->from == STATE_AWAIT_USER ||     /* by answering.c */
           (move->from == STATE_PARSE_INTENT) || /* by understanding_set_intent() */
           move->event == EVENT_ERROR;           /* by the machine for optional stages */
}

static void stages_say_what_has_a_row_and_rows_are_said(void **unused)
{
    (void)unused;
    struct arena *arena = arena_new();
    bool said[STATE_COUNT][EVENT_COUNT] = {{false}};
    for (int i = 0; i < STATE_COUNT; i++) {
        if (stage_get((enum state)i)) {
            const char *path = NULL;
            char *source = source_of(arena, (enum state)i, &path);
            each_event_said(source, path, (enum state)i, said[i]);
        }
    }
    size_t count = 0;
    const struct move *moves = moves_table(&count);
    for (size_t i = 0; i < count; i++) {
        if (!said[moves[i].from][moves[i].event] && !said_elsewhere(&moves[i])) {
            fail_msg("%s never says %s", state_name(moves[i].from),
                     event_name(moves[i].event));
        }
    }
    arena_free(arena);
}

static void the_drawing_in_docs_is_current(void **unused)
{
    (void)unused;
    struct arena *arena = arena_new();
    struct buf drawn;
    struct err err;
    buf_init(&drawn, 1024 * 1024);
    assert_true(moves_print("markdown", &drawn));
    if (getenv("DRAGOMAN_WRITE_DOCS")) {
        assert_true(file_write("docs/states.md", drawn.data, drawn.size, &err));
    }
    size_t size = 0;
    const char *kept = file_read(arena, "docs/states.md", 1024 * 1024, &size, &err);
    if (!kept || strcmp(kept, buf_get(&drawn)) != 0) {
        fail_msg("docs/states.md is out of date: run this test with "
                 "DRAGOMAN_WRITE_DOCS=1");
    }
    buf_release(&drawn);
    arena_free(arena);
}

static void every_form_can_be_printed(void **unused)
{
    (void)unused;
    static const char *const forms[] = {"text", "json", "mermaid", "markdown"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct buf out;
        buf_init(&out, 1024 * 1024);
        assert_true(moves_print(forms[i], &out));
        assert_non_null(strstr(buf_get(&out), "EVALUATE_TABLES"));
        assert_false(out.full);
        buf_release(&out);
    }
    struct buf out;
    buf_init(&out, 1024);
    assert_false(moves_print("smoke signals", &out));
    buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_state_is_reachable),
        cmocka_unit_test(no_state_is_a_dead_end),
        cmocka_unit_test(no_row_stands_twice),
        cmocka_unit_test(final_states_have_no_rows),
        cmocka_unit_test(every_state_can_be_stopped),
        cmocka_unit_test(ask_states_can_ask_again_and_give_up),
        cmocka_unit_test(every_state_has_the_stage_its_shape_needs),
        cmocka_unit_test(names_are_unique_and_found_again),
        cmocka_unit_test(statuses_are_the_eight_words),
        cmocka_unit_test(statuses_never_go_back),
        cmocka_unit_test(stages_say_what_has_a_row_and_rows_are_said),
        cmocka_unit_test(the_drawing_in_docs_is_current),
        cmocka_unit_test(every_form_can_be_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
