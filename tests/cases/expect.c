/* What a case expects of a step. */
#include "cases/expect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/str.h"

enum { TEXT_MOST = 1024 * 1024 };

struct check {
    const struct case_file *file;
    const struct case_step *step;
    const struct played *played;
    struct arena *arena;
    int failures;
};

static void fail(struct check *check, const struct case_line *line, const char *got)
{
    (void)fprintf(stderr, "%s:%d: %s\n  expected%s %s\n  got      %s\n",
                  check->file->path, line ? line->number : check->step->number,
                  line ? line->key : "?", line && line->contains ? " ~" : "  ",
                  line ? line->value : "no error", got ? got : "(absent)");
    check->failures++;
}

/* "clarification.options.0.value"; "#" is the size of an array. */
static const json_t *find(struct arena *arena, const json_t *at, const char *path)
{
    struct texts parts = {0};
    str_split(arena, path, '.', &parts);
    const json_t *value = at;
    for (size_t i = 0; i < parts.count && value; i++) {
        int64_t index = 0;
        const char *part = parts.items[i];
        if (str_equal(part, "#")) {
            return json_keep(arena, json_integer((json_int_t)json_array_size(value)));
        }
        value = json_is_array(value) && str_to_int(part, &index)
                    ? json_array_get(value, (size_t)index)
                    : json_object_get(value, part);
    }
    return value;
}

static void add_text(struct buf *out, const json_t *value)
{
    size_t index = 0;
    json_t *item = NULL;
    if (json_is_string(value)) {
        (void)buf_text(out, json_string_value(value));
        return;
    }
    if (json_is_array(value) && json_is_string(json_array_get(value, 0))) {
        json_array_foreach(value, index, item)
        {
            (void)buf_text(out, index ? "\n" : "");
            add_text(out, item);
        }
        return;
    }
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    (void)buf_text(out, text ? text : "");
    free(text);
}

/* A value as the case writes it: texts bare, lists of texts as lines, the rest as JSON.
 */
static const char *as_text(struct arena *arena, const json_t *value)
{
    if (!value) {
        return NULL;
    }
    struct buf out;
    buf_init(&out, TEXT_MOST);
    add_text(&out, value);
    const char *text = buf_clone(&out, arena);
    buf_release(&out);
    return text ? text : "";
}

static bool same_value(struct arena *arena, const json_t *value, const char *wanted)
{
    if (json_is_string(value) && str_equal(json_string_value(value), wanted)) {
        return true;
    }
    json_t *parsed = json_loads(wanted, JSON_DECODE_ANY, NULL);
    bool same = parsed && json_equal(parsed, value);
    if (!same && json_is_number(parsed) && json_is_number(value)) {
        same = json_number_value(parsed) == json_number_value(value);
    }
    json_decref(parsed);
    return same || str_equal(as_text(arena, value), wanted);
}

static void check_value(struct check *check, const struct case_line *line,
                        const json_t *value)
{
    const char *text = as_text(check->arena, value);
    bool holds = line->contains ? text && strstr(text, line->value) != NULL
                                : value && same_value(check->arena, value, line->value);
    if (!holds) {
        fail(check, line, text);
    }
}

/* "STATE" or "STATE:EVENT" */
static bool is_entry(const json_t *entry, const char *token)
{
    const char *colon = strchr(token, ':');
    const char *state = json_text_at(entry, "state");
    size_t size = colon ? (size_t)(colon - token) : strlen(token);
    return state && strlen(state) == size && strncmp(state, token, size) == 0 &&
           (!colon || str_equal(json_text_at(entry, "event"), colon + 1));
}

static bool match_trace(const json_t *trace, size_t at, const struct texts *tokens,
                        size_t token)
{
    if (token == tokens->count) {
        return at == json_array_size(trace);
    }
    if (str_equal(tokens->items[token], "...")) {
        for (size_t skip = at; skip <= json_array_size(trace); skip++) {
            if (match_trace(trace, skip, tokens, token + 1)) {
                return true;
            }
        }
        return false;
    }
    return at < json_array_size(trace) &&
           is_entry(json_array_get(trace, at), tokens->items[token]) &&
           match_trace(trace, at + 1, tokens, token + 1);
}

static void check_trace(struct check *check, const struct case_line *line)
{
    const json_t *trace = json_array_at(check->played->answer, "trace");
    struct texts tokens = {0};
    struct texts path = {0};
    str_split(check->arena, str_squeeze(check->arena, line->value), ' ', &tokens);
    if (match_trace(trace, 0, &tokens, 0)) {
        return;
    }
    for (size_t i = 0; i < json_array_size(trace); i++) {
        const json_t *entry = json_array_get(trace, i);
        const char *event = json_text_at(entry, "event");
        VEC_PUSH(check->arena, &path,
                 arena_format(check->arena, "%s%s%s", json_text_at(entry, "state"),
                              event ? ":" : "", event ? event : ""));
    }
    fail(check, line, str_join(check->arena, &path, " "));
}

static void check_exit(struct check *check, const struct case_line *line)
{
    const char *got = arena_format(check->arena, "%d", check->played->exit_status);
    if (!str_equal(got, line->value)) {
        fail(check, line, got);
    }
}

static void check_options(struct check *check, const struct case_line *line)
{
    struct texts values = {0};
    const json_t *options =
        find(check->arena, check->played->answer, "clarification.options");
    for (size_t i = 0; i < json_array_size(options); i++) {
        VEC_PUSH(check->arena, &values,
                 json_text_at(json_array_get(options, i), "value"));
    }
    const char *got = str_join(check->arena, &values, " | ");
    if (line->contains ? !strstr(got, line->value) : !str_equal(got, line->value)) {
        fail(check, line, got);
    }
}

static void check_absent(struct check *check, const struct case_line *line)
{
    struct texts keys = {0};
    str_split(check->arena, line->value, ' ', &keys);
    for (size_t i = 0; i < keys.count; i++) {
        const json_t *value = find(check->arena, check->played->answer, keys.items[i]);
        if (value) {
            fail(check, line, as_text(check->arena, value));
        }
    }
}

/* Calls to the model in all; none is none, not absent. */
static void check_calls(struct check *check, const struct case_line *line)
{
    const json_t *calls = find(check->arena, check->played->answer, "usage.calls");
    check_value(check, line, calls ? calls : json_keep(check->arena, json_integer(0)));
}

static void check_error(struct check *check, const struct case_line *line)
{
    check_value(check, line, find(check->arena, check->played->answer, "error.code"));
}

static void check_nothing(struct check *check, const struct case_line *line)
{
    (void)check;
    (void)line;
}

static const struct {
    const char *key;
    void (*check)(struct check *check, const struct case_line *line);
} words[] = {
    {"trace", check_trace},    {"exit", check_exit},   {"options", check_options},
    {"absent", check_absent},  {"calls", check_calls}, {"error", check_error},
    {"writes", check_nothing},
};

static void check_line(struct check *check, const struct case_line *line)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_equal(words[i].key, line->key)) {
            words[i].check(check, line);
            return;
        }
    }
    check_value(check, line, find(check->arena, check->played->answer, line->key));
}

static bool has_line(const struct case_step *step, const char *key)
{
    for (size_t i = 0; i < step->lines.count; i++) {
        if (str_equal(step->lines.items[i].key, key)) {
            return true;
        }
    }
    return false;
}

/* Whatever the case says: the trace is a walk through the table. */
static void check_walk(struct check *check)
{
    struct dgm_error error;
    if (!json_array_at(check->played->answer, "trace")) {
        return;
    }
    char *json = json_dumps(check->played->answer, JSON_COMPACT);
    char *text = dgm_replay(json, strlen(json), &error);
    if (!text) {
        (void)fprintf(stderr, "%s:%d: the trace is no walk: %s\n", check->file->path,
                      check->step->number, error.message);
        check->failures++;
    }
    dgm_free(text);
    free(json);
}

int expect_step(const struct case_file *file, const struct case_step *step,
                const struct played *played)
{
    struct check check = {file, step, played, arena_new(), 0};
    for (size_t i = 0; i < step->lines.count; i++) {
        check_line(&check, &step->lines.items[i]);
    }
    const json_t *error = json_object_at(played->answer, "error");
    if (error && !has_line(step, "error")) {
        fail(&check, NULL, as_text(check.arena, error));
    }
    check_walk(&check);
    arena_free(check.arena);
    return check.failures;
}

bool expect_writes(const struct case_step *step)
{
    return has_line(step, "writes");
}

/* Drops what differs from run to run. */
static json_t *plain(json_t *value)
{
    static const char *const changing[] = {"query_id", "session_id", "ms", "cache",
                                           "version_signature" /* holds the place */};
    size_t index = 0;
    const char *key = NULL;
    json_t *item = NULL;
    for (size_t i = 0; json_is_object(value) && i < sizeof changing / sizeof *changing;
         i++) {
        (void)json_object_del(value, changing[i]);
    }
    json_object_foreach(value, key, item)
    {
        (void)plain(item);
    }
    json_array_foreach(value, index, item)
    {
        (void)plain(item);
    }
    return value;
}

static int row_order(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* SQL without ORDER BY promises no order of its rows, and DuckDB's threads use that: here they are sorted. */
static void sort_unordered(json_t *answer)
{
    const char *sql = json_string_value(json_object_get(answer, "sql"));
    json_t *rows = json_object_get(answer, "rows");
    size_t count = json_array_size(rows);
    if (!sql || !count || strstr(sql, "ORDER BY")) {
        return;
    }
    char **texts = memory_alloc(count * sizeof *texts);
    for (size_t i = 0; i < count; i++) {
        texts[i] = json_dumps(json_array_get(rows, i), JSON_COMPACT | JSON_ENCODE_ANY);
    }
    qsort(texts, count, sizeof *texts, row_order);
    json_t *sorted = json_array();
    for (size_t i = 0; i < count; i++) {
        (void)json_array_append_new(sorted, json_loads(texts[i], JSON_DECODE_ANY, NULL));
        free(texts[i]);
    }
    memory_free(texts);
    (void)json_object_set_new(answer, "rows", sorted);
}

/* The fields in which two answers differ, each with both values. */
static void show_difference(struct arena *arena, json_t *left, json_t *right)
{
    const char *key = NULL;
    json_t *value = NULL;
    json_t *all = left ? json_copy(left) : json_object();
    (void)json_object_update_missing(all, right);
    json_object_foreach(all, key, value)
    {
        const json_t *a = json_object_get(left, key);
        const json_t *b = json_object_get(right, key);
        if (!a || !b || !json_equal(a, b)) {
            (void)fprintf(stderr, "  %s\n    library %s\n    program %s\n", key,
                          a ? as_text(arena, a) : "(absent)",
                          b ? as_text(arena, b) : "(absent)");
        }
    }
    json_decref(all);
}

bool expect_same(const struct case_file *file, const struct case_step *step,
                 const struct played *one, const struct played *other)
{
    json_t *left = plain(json_deep_copy(one->answer));
    json_t *right = plain(json_deep_copy(other->answer));
    if (!json_object_get(left,
                         "state")) { /* refused at the door: each has its own hint */
        (void)json_object_del(json_object_get(left, "error"), "hint");
        (void)json_object_del(json_object_get(right, "error"), "hint");
    }
    sort_unordered(left);
    sort_unordered(right);
    bool same = one->exit_status == other->exit_status &&
                (json_equal(left, right) || (!left && !right));
    if (!same) {
        struct arena *arena = arena_new();
        (void)fprintf(stderr, "%s:%d: two doors differ: exit status %d and %d\n",
                      file->path, step->number, one->exit_status, other->exit_status);
        show_difference(arena, left, right);
        arena_free(arena);
    }
    json_decref(left);
    json_decref(right);
    return same;
}
