/* The rows of an answer in the C data interface of Arrow. */
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "dragoman_arrow.h"
#include "service/answers/arrow_column.h"
#include "service/instance.h"
#include "service/questions/question.h"

/* ------------------------------------------------------------------ schema */

static void schema_release(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++) {
        struct ArrowSchema *child = schema->children[i];
        if (child->release) {
            child->release(child);
        }
        memory_free(child);
    }
    memory_free(schema->children);
    memory_free(schema->private_data); /* format and name, in one piece */
    schema->release = NULL;
}

static void schema_make(const char *format, const char *name, size_t children,
                        struct ArrowSchema *out)
{
    size_t size = strlen(format) + 1;
    char *texts = memory_alloc(size + strlen(name) + 1);
    memcpy(texts, format, size);
    memcpy(texts + size, name, strlen(name) + 1);
    *out = (struct ArrowSchema){.format = texts,
                                .name = texts + size,
                                .flags = children ? 0 : ARROW_FLAG_NULLABLE,
                                .n_children = (int64_t)children,
                                .release = schema_release,
                                .private_data = texts};
    if (children) {
        out->children = memory_alloc(children * sizeof *out->children);
    }
}

/* ------------------------------------------------------------------ rows */

static void rows_release(struct ArrowArray *array)
{
    for (int64_t i = 0; i < array->n_children; i++) {
        struct ArrowArray *child = array->children[i];
        if (child->release) { /* it was not moved out */
            child->release(child);
        }
        memory_free(child);
    }
    memory_free(array->children);
    memory_free(array->private_data);
    array->release = NULL;
}

static void rows_make(const struct rows *rows, struct ArrowArray *out)
{
    const void **validity = memory_alloc(sizeof *validity);
    validity[0] = NULL; /* no row is NULL */
    *out = (struct ArrowArray){.length = (int64_t)rows->count,
                               .n_buffers = 1,
                               .n_children = (int64_t)rows->column_count,
                               .buffers = validity,
                               .release = rows_release,
                               .private_data = validity};
    out->children = memory_alloc((rows->column_count + 1) * sizeof *out->children);
}

bool dgm_answer_arrow(const struct dgm_answer *answer, struct ArrowSchema *schema,
                      struct ArrowArray *array, struct dgm_error *error)
{
    const struct rows *rows = &answer->answer->rows;
    instance_no_error(error);
    if (!answer->answer->has_rows || rows->column_count == 0) {
        struct err err = {0};
        (void)err_set(&err, ERR_INVALID_DATA, "The answer has no rows.");
        return instance_fail(error, &err);
    }
    schema_make("+s", "", rows->column_count, schema);
    rows_make(rows, array);
    for (size_t i = 0; i < rows->column_count; i++) {
        struct arrow_type type = arrow_column_type(rows, i);
        char format[ARROW_FORMAT];
        arrow_format(&type, format);
        schema->children[i] = memory_alloc(sizeof **schema->children);
        schema_make(format, rows->columns[i].name, 0, schema->children[i]);
        array->children[i] = memory_alloc(sizeof **array->children);
        arrow_column_fill(rows, i, &type, array->children[i]);
    }
    return true;
}
