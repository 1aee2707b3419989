/* Lessons. */
#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/id.h"
#include "base/str.h"
#include "base/vec.h"
#include "store/tables/table.h"

#include <stdio.h>

static bool lesson_missing(struct err *err)
{
    return err_set(err, ERR_LESSON_NOT_FOUND, "There is no such lesson.");
}

/* The lock is held. */
static bool has_room(struct store_connection *state, const struct store_lesson *lesson,
                     size_t most, struct err *err)
{
    struct store_cursor *row = store_query_start(
        state, QUERY_LESSON_ROOM, err, "tttti", str_or_empty(lesson->account),
        lesson->datasource, lesson->kind, lesson->subject, (int64_t)most);
    bool read = row && store_query_next(state, row, err);
    bool room = read && store_query_integer(row, 0) != 0;
    store_query_end(row);
    if (read && !room) {
        (void)err_set(err, ERR_INVALID_DATA,
                      "There are %zu lessons for this datasource already.", most);
        (void)err_hint(err, "Remove some with 'dragoman lessons remove ID'.");
    }
    return room;
}

bool store_table_lesson_put(struct store *store, const struct store_lesson *lesson,
                            size_t most, char id[ID_SIZE], struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    char made[ID_SIZE];
    id_new("lesson", made);
    (void)pthread_mutex_lock(&state->lock);
    struct store_cursor *row = NULL;
    if (has_room(state, lesson, most, err) &&
        store_query_run(state, QUERY_LESSON_PUT, err, "ttttttriiti",
                        lesson->id ? lesson->id : made, str_or_empty(lesson->account),
                        lesson->datasource, lesson->kind, lesson->subject, lesson->source,
                        lesson->confidence, lesson->usage_count, lesson->success_count,
                        lesson->json, clock_wall_s())) {
        row = store_query_start(state, QUERY_LESSON_ID, err, "tttt",
                                str_or_empty(lesson->account), lesson->datasource,
                                lesson->kind, lesson->subject);
    }
    bool ok = row && store_query_next(state, row, err);
    if (ok) { /* the id that it had already, when it takes another one's place */
        (void)snprintf(id, ID_SIZE, "%s", store_query_borrow(row, 0));
    }
    store_query_end(row);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

static void lesson_read(struct store_cursor *row, struct arena *arena,
                        struct store_lesson *out)
{
    *out = (struct store_lesson){
        .id = store_query_text(row, 0, arena),
        .account = store_query_text(row, 1, arena),
        .datasource = store_query_text(row, 2, arena),
        .kind = store_query_text(row, 3, arena),
        .subject = store_query_text(row, 4, arena),
        .source = store_query_text(row, 5, arena),
        .confidence = store_query_real(row, 6),
        .usage_count = store_query_integer(row, 7),
        .success_count = store_query_integer(row, 8),
        .json = store_query_text(row, 9, arena),
        .created_at = store_query_integer(row, 10),
        .updated_at = store_query_integer(row, 11),
    };
}

bool store_table_lesson_get(struct store *store, struct arena *arena, const char *account,
                            const char *id, struct store_lesson *out, struct err *err)
{
    err_clear(err);
    struct store_connection *state = store_reading_begin(store);
    struct store_cursor *row = store_query_start(state, QUERY_LESSON_GET, err, "tt",
                                                 str_or_empty(account), str_or_empty(id));
    bool found = row && store_query_next(state, row, err);
    if (found) {
        lesson_read(row, arena, out);
    }
    store_query_end(row);
    store_reading_end(state);
    return found || (err->code == ERR_OK ? lesson_missing(err) : false);
}

bool store_table_lesson_list(struct store *store, struct arena *arena,
                             const char *account, const char *datasource,
                             struct store_lessons *out, struct err *err)
{
    *out = (struct store_lessons){0};
    err_clear(err);
    if (store_empty_known(store, STORE_LESSONS)) {
        return true;
    }
    struct store_connection *state = store_reading_begin(store);
    struct store_cursor *row = store_query_start(state, QUERY_LESSON_LIST, err, "tt",
                                                 str_or_empty(account), datasource);
    while (row && store_query_next(state, row, err)) {
        lesson_read(row, arena, VEC_ADD(arena, out));
    }
    store_query_end(row);
    if (err->code == ERR_OK && !out->count) {
        store_empty_look(store, state, STORE_LESSONS);
    }
    store_reading_end(state);
    return err->code == ERR_OK;
}

bool store_table_lesson_delete(struct store *store, const char *account, const char *id,
                               struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok = store_query_run(state, QUERY_LESSON_DELETE, err, "tt",
                              str_or_empty(account), str_or_empty(id)) &&
              (store_query_changes(state) == 1 || lesson_missing(err));
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

bool store_table_lesson_used(struct store *store, const char *account, const char *id,
                             const struct store_lesson_use *use, struct err *err)
{
    struct store_connection *state = store_connection_of(store);
    (void)pthread_mutex_lock(&state->lock);
    bool ok =
        store_query_run(state, QUERY_LESSON_USED, err, "ttirri", str_or_empty(account),
                        str_or_empty(id), (int64_t)use->success, use->scale, use->shift,
                        clock_wall_s()) &&
        (store_query_changes(state) == 1 || lesson_missing(err));
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}
