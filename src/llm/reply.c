/* Reads what a model said into JSON, however it was wrapped. */
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/str.h"
#include "llm/llm.h"
#include "llm/reply.h"

struct span span_trim(struct span span)
{
    while (span.size > 0 && strchr(" \t\r\n", *span.at)) {
        span.at++;
        span.size--;
    }
    while (span.size > 0 && strchr(" \t\r\n", span.at[span.size - 1])) {
        span.size--;
    }
    return span;
}

bool span_starts_nocase(struct span span, const char *prefix)
{
    size_t size = strlen(prefix);
    return span.size >= size && strncasecmp(span.at, prefix, size) == 0;
}

bool span_line(struct span *rest, struct span *line)
{
    if (rest->size == 0) {
        return false;
    }
    const char *stop = memchr(rest->at, '\n', rest->size);
    size_t size = stop ? (size_t)(stop - rest->at) : rest->size;
    line->at = rest->at;
    line->size = size > 0 && rest->at[size - 1] == '\r' ? size - 1 : size;
    size_t step = size + (stop ? 1 : 0);
    rest->at += step;
    rest->size -= step;
    return true;
}

/* Models may think aloud before they answer. What counts stands after the thinking. */
static struct span without_thinking(struct span text)
{
    static const char *const tags[] = {"think", "thinking", "reasoning"};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        char close[24] = "</";
        size_t size = strlen(tags[i]);
        memcpy(close + 2, tags[i], size);
        close[size + 2] = '>';
        /* the last end: an opening tag may be missing, or there may be several */
        for (const char *end; (end = memmem(text.at, text.size, close, size + 3));) {
            end += size + 3;
            text.size -= (size_t)(end - text.at);
            text.at = end;
        }
    }
    return text;
}

static bool has_wanted(const json_t *object, const char *const *wanted)
{
    if (!wanted) {
        return true;
    }
    for (; *wanted; wanted++) {
        if (json_object_get(object, *wanted)) {
            return true;
        }
    }
    return false;
}

/* "SQL" for "sql": a key in other case is renamed to the wanted one. */
static void fold_keys(json_t *object, const char *const *wanted)
{
    for (; wanted && *wanted; wanted++) {
        const char *key;
        json_t *value;
        if (json_object_get(object, *wanted)) {
            continue;
        }
        json_object_foreach(object, key, value)
        {
            if (str_equal_nocase(key, *wanted)) {
                json_incref(value);
                (void)json_object_del(object, key);
                (void)json_object_set_new(object, *wanted, value);
                break;
            }
        }
    }
}

/* The object that was asked for: the value, its only item, or one level inside it. */
static json_t *reply_accept(json_t *value, const char *const *wanted)
{
    if (!wanted && (json_is_object(value) || json_is_array(value))) {
        return value;
    }
    if (json_is_array(value) && json_array_size(value) == 1) {
        value = json_array_get(value, 0);
    }
    if (!json_is_object(value)) {
        return NULL;
    }
    fold_keys(value, wanted);
    if (has_wanted(value, wanted)) {
        return value;
    }
    const char *key;
    json_t *inner;
    json_object_foreach(value, key, inner)
    {
        if (json_is_object(inner)) {
            fold_keys(inner, wanted);
            if (has_wanted(inner, wanted)) {
                return inner;
            }
        }
    }
    return NULL;
}

/* Fenced blocks: ```json … ``` or ~~~. An open fence at the end goes to the end. */
struct fence {
    struct span language;
    struct span body;
};

static bool is_fence(struct span line)
{
    line = span_trim(line);
    return line.size >= 3 &&
           (memcmp(line.at, "```", 3) == 0 || memcmp(line.at, "~~~", 3) == 0);
}

static bool next_fence(struct span *rest, struct fence *fence)
{
    struct span line;
    while (span_line(rest, &line)) {
        if (!is_fence(line)) {
            continue;
        }
        line = span_trim(line);
        fence->language = span_trim((struct span){line.at + 3, line.size - 3});
        const char *start = rest->at;
        const char *end = rest->at + rest->size;
        while (span_line(rest, &line)) {
            if (is_fence(line)) {
                end = line.at;
                break;
            }
        }
        fence->body = span_trim((struct span){start, (size_t)(end - start)});
        return true;
    }
    return false;
}

static json_t *read_fenced(struct arena *arena, struct span text,
                           const char *const *wanted)
{
    struct fence fence;
    while (next_fence(&text, &fence)) {
        bool sql = span_starts_nocase(fence.language, "sql");
        bool yaml = span_starts_nocase(fence.language, "y");
        json_t *value = NULL;
        if (fence.body.size == 0 || sql) {
            continue;
        }
        if (!yaml) {
            value = reply_json(arena, fence.body);
        }
        if (!value && (yaml || fence.language.size == 0)) {
            value = reply_yaml(arena, fence.body);
            if (!json_is_object(value)) {
                value = reply_labels(arena, fence.body, wanted);
            }
        }
        value = value ? reply_accept(value, wanted) : NULL;
        if (value) {
            return value;
        }
    }
    return NULL;
}

static json_t *read_fenced_sql(struct arena *arena, struct span text)
{
    struct fence fence;
    while (next_fence(&text, &fence)) {
        if (fence.body.size == 0) {
            continue;
        }
        if (span_starts_nocase(fence.language, "sql")) {
            return reply_sql_object(arena, fence.body);
        }
        json_t *sql = reply_sql(arena, fence.body);
        if (sql) {
            return sql;
        }
    }
    return NULL;
}

static bool wants_sql(const char *const *wanted)
{
    if (!wanted) {
        return true;
    }
    for (; *wanted; wanted++) {
        if (str_equal(*wanted, "sql")) {
            return true;
        }
    }
    return false;
}

static json_t *read_yaml(struct arena *arena, struct span text, const char *const *wanted)
{
    json_t *value = reply_yaml(arena, text);
    return value ? reply_accept(value, wanted) : NULL;
}

json_t *reply_read(struct arena *arena, const char *text, size_t size,
                   const char *const *wanted, struct err *err)
{
    struct span all = {text, size};
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        all = (struct span){text + 3, size - 3};
    }
    all = span_trim(without_thinking(all));
    json_t *value = NULL;
    if (all.size > 0 && strchr("{[", *all.at)) {
        value = reply_json(arena, all);
        value = value ? reply_accept(value, wanted) : NULL;
    }
    value = value ? value : read_fenced(arena, all, wanted);
    value = value ? value : reply_json_inside(arena, all, reply_accept, wanted);
    if (!value && wants_sql(wanted)) {
        value = read_fenced_sql(arena, all);
    }
    value = value ? value : read_yaml(arena, all, wanted);
    value = value ? value : reply_labels(arena, all, wanted);
    if (!value && wants_sql(wanted)) {
        value = reply_sql(arena, all);
    }
    if (!value) {
        (void)err_set(err, ERR_LLM_NONSENSE,
                      "The model's reply could not be understood.");
        (void)err_detail(err, "%.*s%s", (int)(all.size < 200 ? all.size : 200), all.at,
                         all.size > 200 ? "…" : "");
    }
    return value;
}
