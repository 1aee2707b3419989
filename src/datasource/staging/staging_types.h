/* The types of staged columns, independent of their source. */
#ifndef DGM_DATASOURCE_STAGING_TYPES_H
#define DGM_DATASOURCE_STAGING_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sql/dialect.h"

struct arena;

/* How a staged column stores its values. */
enum staged_kind {
    STAGED_BOOL,
    STAGED_INT,
    STAGED_UNSIGNED,
    STAGED_HUGE,
    STAGED_DECIMAL,
    STAGED_REAL,
    STAGED_DATE,
    STAGED_TIME,
    STAGED_TIMESTAMP,
    STAGED_ZONED, /* a point in time: the time zone was applied */
    STAGED_TEXT,
    STAGED_BLOB,
    STAGED_JSON,
    STAGED_COUNT
};

struct staged_type {
    enum staged_kind kind;
    unsigned width; /* of decimals */
    unsigned scale;
};

/* The type for a source's type name, and its name in DuckDB. */
struct staged_type staged_type_of(enum dialect dialect, const char *type);
const char *staged_type_name(struct arena *arena, struct staged_type type);

/* staging_times.c: false if the text is not such a date or time. */
bool staged_date_read(const char *text, size_t size, int32_t *days);
bool staged_time_read(const char *text, size_t size, int64_t *micros);
bool staged_timestamp_read(const char *text, size_t size, bool zoned, int64_t *micros);

#endif
