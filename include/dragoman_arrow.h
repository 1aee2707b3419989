/*
 * Rows of an answer in the C data interface of Apache Arrow, for data frames in any
 * language: https://arrow.apache.org/docs/format/CDataInterface.html
 *
 *     struct ArrowSchema schema;
 *     struct ArrowArray array;
 *     if (dgm_answer_arrow(answer, &schema, &array, &error)) {
 *         // hand both to a library that imports them, or read them; then
 *         array.release(&array);
 *         schema.release(&schema);
 *     }
 */
#ifndef DRAGOMAN_ARROW_H
#define DRAGOMAN_ARROW_H

#include <stdint.h>

#include "dragoman.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As the specification defines them; it asks for this guard, so that headers agree. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE           2
#define ARROW_FLAG_MAP_KEYS_SORTED    4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *schema);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *array);
    void *private_data;
};

#endif

/*
 * The rows that the answer holds, as one struct array with a child per column. They are
 * copied: both may outlive the answer, and each child may be moved out. A column's type
 * comes from its values: boolean, 64-bit integer, double, decimal(38), large text, large
 * binary; date and timestamp (microseconds, no zone) where the database says so. A column
 * whose values have several of these is text. False: the answer has no rows.
 */
DGM_API bool dgm_answer_arrow(const struct dgm_answer *answer, struct ArrowSchema *schema,
                              struct ArrowArray *array, struct dgm_error *error);

#ifdef __cplusplus
}
#endif

#endif
