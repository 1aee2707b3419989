/*
 * Log lines to stderr, by level and topic ("info,llm=debug"). A silent topic costs one
 * comparison. Never log a secret: DSNs and keys are redacted before they reach a line.
 */
#ifndef DGM_BASE_LOG_H
#define DGM_BASE_LOG_H

#include <stdbool.h>

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

/* "warn", "info,llm=debug", …; false when a word is unknown (nothing changes then). */
bool log_configure(const char *spec);
bool log_enabled(enum log_topic topic, enum log_level level);
void log_line(enum log_topic topic, enum log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#define LOG(topic, level, ...)                                                           \
    do {                                                                                 \
        if (log_enabled((topic), (level))) {                                             \
            log_line((topic), (level), __VA_ARGS__);                                     \
        }                                                                                \
    } while (0)

#endif
