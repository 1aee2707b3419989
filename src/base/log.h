/*
 * Log lines to stderr, by level and topic ("info,llm=debug"), as text or as JSON. A
 * disabled topic costs one comparison. Never log a secret: connection strings and keys
 * are redacted before they are logged.
 */
#ifndef DGM_BASE_LOG_H
#define DGM_BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG, LOG_LEVELS };

enum log_topic {
    LOG_BASE,
    LOG_STORE,
    LOG_DATASOURCE,
    LOG_LLM,
    LOG_AGENT,
    LOG_SERVICE,
    LOG_SERVER,
    LOG_TOPICS
};

/* "warn", "info,llm=debug", …; false and no change if a word is unknown. */
bool log_configure(const char *spec);
/* "text" or "json"; false when it is neither. */
bool log_format(const char *format);
bool log_enabled(enum log_topic topic, enum log_level level);
void log_line(enum log_topic topic, enum log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A field of an event: a text, or a number if the text is NULL. */
struct log_field {
    const char *name;
    const char *text;
    int64_t number;
};

/* Logs an event with its fields: `said name=value …`, or as members of a JSON object. */
void log_event(enum log_topic topic, enum log_level level, const char *said,
               const struct log_field *fields, size_t count);
/* Sets the request id of this thread's log lines; NULL: none. Copied. */
void log_request(const char *id);

#define LOG(topic, level, ...)                                                           \
    do {                                                                                 \
        if (log_enabled((topic), (level))) {                                             \
            log_line((topic), (level), __VA_ARGS__);                                     \
        }                                                                                \
    } while (0)

#endif
