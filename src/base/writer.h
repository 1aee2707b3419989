/*
 * Writes JSON directly to a buffer; commas are added automatically. Invalid UTF-8 in a
 * string becomes U+FFFD, so the result is always valid JSON.
 */
#ifndef DGM_BASE_WRITER_H
#define DGM_BASE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

struct writer {
    struct buf *out;
    unsigned depth;
    bool comma; /* the next item needs one before it */
    bool after_key;
    bool pretty; /* two spaces per level and a line per item */
};

void writer_init(struct writer *writer, struct buf *out);
void writer_object(struct writer *writer);
void writer_object_end(struct writer *writer);
void writer_array(struct writer *writer);
void writer_array_end(struct writer *writer);
void writer_key(struct writer *writer, const char *key);
void writer_text(struct writer *writer, const char *text); /* NULL: null */
void writer_text_n(struct writer *writer, const char *text, size_t size);
void writer_int(struct writer *writer, int64_t value);
void writer_real(struct writer *writer,
                 double value); /* shortest that reads back; NaN: null */
void writer_bool(struct writer *writer, bool value);
void writer_null(struct writer *writer);
void writer_raw(struct writer *writer, const char *json); /* already JSON */

/* key and value at once; the text forms leave the key out when the text is NULL */
void writer_key_text(struct writer *writer, const char *key, const char *text);
void writer_key_int(struct writer *writer, const char *key, int64_t value);
void writer_key_real(struct writer *writer, const char *key, double value);
void writer_key_bool(struct writer *writer, const char *key, bool value);

/* A list of texts; left out, key and all, when it is empty. */
struct texts;
void writer_key_texts(struct writer *writer, const char *key, const struct texts *texts);

/* A JSON string literal with its quotes, appended to any buffer. */
void writer_quote(struct buf *out, const char *text, size_t size);

#endif
