/* One cell of a result. Text and bytes are borrowed from the code that made the value. */
#ifndef DGM_MODEL_VALUE_H
#define DGM_MODEL_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct buf;
struct writer;

enum value_kind {
    VALUE_NULL,
    VALUE_BOOL,
    VALUE_INT,
    VALUE_REAL,
    VALUE_NUMBER, /* an exact decimal or a large integer, as its digits in text */
    VALUE_TEXT,
    VALUE_BLOB,
    VALUE_JSON, /* text that is JSON already (arrays, structs, maps) */
};

/*
 * A cell. Text, blobs, JSON and exact decimals are bytes in `text`, borrowed and not
 * ended by a NUL.
 */
struct value {
    enum value_kind kind;
    bool cut; /* the value is truncated */
    union {
        bool boolean;
        int64_t integer;
        double real;
        struct {
            const char *data;
            size_t size;
        } text;
    };
};

struct value value_clone(struct arena *arena, const struct value *value);
/* For people: NULL is "", bytes are x'ab12' (cut at 32), reals the shortest form. */
void value_print(struct buf *out, const struct value *value);
/* For JSON: integers past 2^53 and exact decimals are strings, bytes are base 16 text. */
void value_write(struct writer *writer, const struct value *value);
/* The same two for answers: without rounding errors of binary arithmetic, so that 0.1 +
 * 0.2 is 0.3. Values with many digits are unchanged. */
void value_show(struct buf *out, const struct value *value);
void value_show_json(struct writer *writer, const struct value *value);
size_t value_bytes(const struct value *value); /* what it counts towards the byte limit */

#endif
