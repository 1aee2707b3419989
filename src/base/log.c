/* Log lines to stderr, by level and topic, for people or for machines. */
#include "base/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/hide.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "base/writer.h"

static const char *const level_names[LOG_LEVELS] = {"error", "warn", "info", "debug"};
static const char *const topic_names[LOG_TOPICS] = {
    "base", "store", "datasource", "llm", "agent", "service", "server"};

static atomic_int levels[LOG_TOPICS] = {LOG_WARN, LOG_WARN, LOG_WARN, LOG_WARN,
                                        LOG_WARN, LOG_WARN, LOG_WARN};

enum { REQUEST_SIZE = 64, LINE_MOST = 1 << 20 };

static atomic_bool as_json;
static _Thread_local char request[REQUEST_SIZE];

static int log_find(const char *const *names, int count, const char *name)
{
    for (int i = 0; i < count; i++) {
        if (str_equal_nocase(names[i], name)) {
            return i;
        }
    }
    return -1;
}

bool log_configure(const char *spec)
{
    int wanted[LOG_TOPICS];
    for (int i = 0; i < LOG_TOPICS; i++) {
        wanted[i] = atomic_load(&levels[i]);
    }
    struct arena *arena = arena_new();
    struct texts words = {0};
    str_split(arena, spec, ',', &words);
    bool ok = true;
    for (size_t i = 0; ok && i < words.count; i++) {
        char *word = str_trim(arena, words.items[i]);
        char *equals = strchr(word, '=');
        if (equals) {
            *equals = '\0';
        }
        int level = log_find(level_names, LOG_LEVELS, equals ? equals + 1 : word);
        int topic = equals ? log_find(topic_names, LOG_TOPICS, word) : -1;
        ok = level >= 0 && (!equals || topic >= 0);
        for (int t = 0; ok && t < LOG_TOPICS; t++) {
            if (!equals || t == topic) {
                wanted[t] = level;
            }
        }
    }
    arena_free(arena);
    for (int i = 0; ok && i < LOG_TOPICS; i++) {
        atomic_store(&levels[i], wanted[i]);
    }
    return ok;
}

bool log_enabled(enum log_topic topic, enum log_level level)
{
    return (int)level <= atomic_load_explicit(&levels[topic], memory_order_relaxed);
}

/* One event, one line: no forged lines from outside, nothing that a terminal obeys. */
static void blank_unsafe(char *text)
{
    size_t size = strlen(text);
    for (size_t at = 0; at < size;) {
        uint32_t code = 0;
        size_t length = utf8_next(text + at, size - at, &code);
        bool broken = code == 0xFFFD && length == 1;
        if (broken || utf8_is_unsafe(code)) {
            (void)memset(text + at, broken ? '?' : ' ', length);
        }
        at += length;
    }
}

bool log_format(const char *format)
{
    if (!str_equal(format, "text") && !str_equal(format, "json")) {
        return false;
    }
    atomic_store(&as_json, str_equal(format, "json"));
    return true;
}

void log_request(const char *id)
{
    str_put(request, sizeof request, str_or_empty(id));
}

static void write_json(struct buf *line, const char *when, const char *level,
                       const char *topic, const char *said,
                       const struct log_field *fields, size_t count)
{
    struct writer writer;
    writer_init(&writer, line);
    writer_object(&writer);
    writer_key_text(&writer, "time", when);
    writer_key_text(&writer, "level", level);
    writer_key_text(&writer, "topic", topic);
    writer_key_text(&writer, "message", said);
    writer_key_text(&writer, "request_id", *request ? request : NULL);
    for (size_t i = 0; i < count; i++) {
        if (fields[i].text) {
            writer_key_text(&writer, fields[i].name, fields[i].text);
        } else {
            writer_key_int(&writer, fields[i].name, fields[i].number);
        }
    }
    writer_object_end(&writer);
}

/*
 * A value with blanks or quotes is quoted, so that a value cannot add fields to the line.
 */
static void write_value(struct buf *line, const struct log_field *field)
{
    if (!field->text) {
        (void)buf_format(line, " %s=%lld", field->name, (long long)field->number);
    } else if (!*field->text || strpbrk(field->text, " =\"\\\t\r\n")) {
        (void)buf_format(line, " %s=", field->name);
        writer_quote(line, field->text, strlen(field->text));
    } else {
        (void)buf_format(line, " %s=%s", field->name, field->text);
    }
}

static void write_text(struct buf *line, const char *when, const char *level,
                       const char *topic, const char *said,
                       const struct log_field *fields, size_t count)
{
    (void)buf_format(line, "%s %s %s: %s", when, level, topic, said);
    for (size_t i = 0; i < count; i++) {
        write_value(line, &fields[i]);
    }
    if (*request) {
        (void)buf_format(line, " request_id=%s", request);
    }
}

void log_event(enum log_topic topic, enum log_level level, const char *said,
               const struct log_field *fields, size_t count)
{
    struct arena *arena = arena_new();
    struct buf line;
    buf_init(&line, LINE_MOST);
    const char *when = clock_iso(arena, clock_wall_s());
    if (atomic_load_explicit(&as_json, memory_order_relaxed)) {
        write_json(&line, when, level_names[level], topic_names[topic], said, fields,
                   count);
    } else {
        write_text(&line, when, level_names[level], topic_names[topic], said, fields,
                   count);
    }
    if (line.data) {
        blank_unsafe(line.data);
        hide_secrets(line.data);
    }
    if (!line.full) {
        (void)fprintf(stderr, "%s\n", buf_get(&line));
    }
    buf_release(&line);
    arena_free(arena);
}

void log_line(enum log_topic topic, enum log_level level, const char *format, ...)
{
    struct arena *arena = arena_new();
    va_list args;
    va_start(args, format);
    char *text = arena_vformat(arena, format, args);
    va_end(args);
    log_event(topic, level, text, NULL, 0);
    arena_free(arena);
}
