/* Log lines to stderr, by level and topic. */
#include "base/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/vec.h"

static const char *const level_names[LOG_LEVELS] = {"error", "warn", "info", "debug"};
static const char *const topic_names[LOG_TOPICS] = {
    "base", "store", "datasource", "llm", "agent", "service", "server"};

static atomic_int levels[LOG_TOPICS] = {LOG_WARN, LOG_WARN, LOG_WARN, LOG_WARN,
                                        LOG_WARN, LOG_WARN, LOG_WARN};

static int find(const char *const *names, int count, const char *name)
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
        int level = find(level_names, LOG_LEVELS, equals ? equals + 1 : word);
        int topic = equals ? find(topic_names, LOG_TOPICS, word) : -1;
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

void log_line(enum log_topic topic, enum log_level level, const char *format, ...)
{
    struct arena *arena = arena_new();
    va_list args;
    va_start(args, format);
    char *text = arena_vformat(arena, format, args);
    va_end(args);
    blank_unsafe(text);
    (void)fprintf(stderr, "%s %s %s: %s\n", clock_iso(arena, clock_wall_s()),
                  level_names[level], topic_names[topic], text);
    arena_free(arena);
}
