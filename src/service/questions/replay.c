/* Checks a recorded trace against the table of transitions. */
#include "base/buf.h"
#include "base/json.h"
#include "service/instance.h"

/* One row: fine, or a move the table does not have. */
static bool replay_row(const json_t *row, const json_t *next, struct buf *out,
                       struct err *err)
{
    const char *state_text = json_text_at(row, "state");
    const char *event_text = json_text_at(row, "event");
    enum state state = STATE_COUNT;
    enum event event = EVENT_COUNT;
    if (!state_text || !state_find(state_text, &state)) {
        return err_set(err, ERR_INVALID_DATA, "'%.40s' is not a state.",
                       state_text ? state_text : "");
    }
    if (!event_text) {
        (void)buf_format(out, "%-19s\n", state_text);
        return state_get(state)->rest != REST_NO || !next ||
               err_set(err, ERR_INVALID_DATA, "%s has no event.", state_text);
    }
    if (!event_find(event_text, &event)) {
        return err_set(err, ERR_INVALID_DATA, "'%.40s' is not an event.", event_text);
    }
    (void)buf_format(out, "%-19s %-16s %9.3f ms", state_text, event_text,
                     json_real_at(row, "ms", 0));
    if (json_int_at(row, "calls", 0)) {
        (void)buf_format(out, "  %lld call%s, %lld tokens",
                         (long long)json_int_at(row, "calls", 0),
                         json_int_at(row, "calls", 0) == 1 ? "" : "s",
                         (long long)json_int_at(row, "tokens", 0));
    }
    if (json_text_at(row, "cache")) {
        (void)buf_format(out, "  cache: %.64s", json_text_at(row, "cache"));
    }
    (void)buf_char(out, '\n');
    enum state to = STATE_COUNT;
    enum state said = STATE_COUNT;
    const char *next_text = json_text_at(next, "state");
    if (!moves_next(state, event, &to)) {
        return err_set(err, ERR_INVALID_DATA, "%s cannot say %s.", state_text,
                       event_text);
    }
    if (next_text && state_find(next_text, &said) && said != to) {
        return err_set(err, ERR_INVALID_DATA,
                       "%s on %s leads to %s, but the trace goes to %s.", state_text,
                       event_text, state_name(to), next_text);
    }
    return true;
}

char *dgm_replay(const char *json, size_t size, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    struct buf buf;
    buf_init(&buf, 16 * 1024 * 1024);
    json_t *root = json_parse(arena, json, size, &err);
    const json_t *trace = json_is_array(root) ? root : json_array_at(root, "trace");
    bool ok = root != NULL;
    if (ok && (!trace || json_array_size(trace) == 0)) {
        ok = err_set(&err, ERR_INVALID_DATA, "There is no trace in it.");
        (void)err_hint(&err,
                       "Give the output of 'dragoman ask --json' or its \"trace\".");
    }
    for (size_t i = 0; ok && i < json_array_size(trace); i++) {
        ok = replay_row(json_array_get(trace, i), json_array_get(trace, i + 1), &buf,
                        &err);
    }
    arena_free(arena);
    if (!ok) {
        buf_release(&buf);
        (void)instance_fail(error, &err);
        return NULL;
    }
    return buf_take(&buf);
}

const char *dgm_status_at(const char *before, const char *state)
{
    enum state known = STATE_COUNT;
    return state && state_find(state, &known) ? state_status(before, known) : NULL;
}
