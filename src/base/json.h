/*
 * Reading JSON, strictly (jansson): duplicate keys, trailing text, bad UTF-8 and deep
 * nesting are errors. The getters take any value, NULL too, and never fail.
 */
#ifndef DGM_BASE_JSON_H
#define DGM_BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct buf;
struct err;
struct writer;

/*
 * The tree lives as long as the arena. NULL and err (line, column) when it is not JSON.
 */
json_t *json_parse(struct arena *arena, const char *text, size_t size, struct err *err);
/* The same without saying what is wrong. */
json_t *json_quick(struct arena *arena, const char *text, size_t size);
/* Ties a reference you own to the arena. */
json_t *json_keep(struct arena *arena, json_t *value);

const char *json_text_at(const json_t *object, const char *key); /* borrowed or NULL */
int64_t json_int_at(const json_t *object, const char *key, int64_t missing);
double json_real_at(const json_t *object, const char *key, double missing); /* ints too */
bool json_bool_at(const json_t *object, const char *key, bool missing);
struct texts;
/* Adds copies of an array's texts; what is no text is passed over. */
void json_texts_at(struct arena *arena, const json_t *object, const char *key,
                   struct texts *out);
json_t *json_array_at(const json_t *object, const char *key);  /* borrowed or NULL */
json_t *json_object_at(const json_t *object, const char *key); /* borrowed or NULL */

/* Appends any value as compact JSON, as a writer would: what a terminal or an editor might
 * obey in a text is a \u escape. False: the buffer is full. */
bool json_write(const json_t *value, struct buf *out);
/* The same as the next item of what is being written. */
void json_write_item(const json_t *value, struct writer *writer);

#endif
