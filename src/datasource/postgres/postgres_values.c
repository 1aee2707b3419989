/* Cells as PostgreSQL writes them, as our values: nothing is lost on the way. */
#include "datasource/postgres/postgres_driver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"

/* Whole numbers that fit are integers; every other decimal keeps its digits. */
static struct value value_of_number(struct arena *scratch, const char *text, size_t size)
{
    struct value value = {.kind = VALUE_INT};
    if (!memchr(text, '.', size) && str_to_int(text, &value.integer)) {
        return value;
    }
    if (strpbrk(text, "NIn")) { /* NaN, Infinity, -Infinity */
        value.kind = VALUE_REAL;
        value.real = strtod(text, NULL);
        return value;
    }
    return text_as_value(scratch, VALUE_NUMBER, text, size);
}

/* \x00ff10 */
static struct value value_of_bytes(struct arena *scratch, const char *text, size_t size)
{
    struct value value = {.kind = VALUE_BLOB};
    if (size < 2 || text[0] != '\\' || text[1] != 'x') {
        return text_as_value(scratch, VALUE_TEXT, text, size);
    }
    size_t count = (size - 2) / 2;
    char *bytes = arena_alloc(scratch, count + 1);
    for (size_t i = 0; i < count; i++) {
        bytes[i] =
            (char)(str_hex_digit(text[2 + 2 * i]) * 16 + str_hex_digit(text[3 + 2 * i]));
    }
    value.text.data = bytes;
    value.text.size = count;
    return value;
}

struct value postgres_value(struct postgres_state *state, struct arena *scratch,
                            const struct postgres_type *type, const char *text,
                            size_t size)
{
    struct value value = {.kind = VALUE_NULL};
    switch (type->kind) {
    case POSTGRES_BOOL:
        value.kind = VALUE_BOOL;
        value.boolean = text[0] == 't';
        return value;
    case POSTGRES_INT:
    case POSTGRES_NUMBER:
        return value_of_number(scratch, text, size);
    case POSTGRES_REAL:
        value.kind = VALUE_REAL;
        value.real = strtod(text, NULL);
        return value;
    case POSTGRES_BYTES:
        return value_of_bytes(scratch, text, size);
    case POSTGRES_JSON:
        return text_as_value(scratch, VALUE_JSON, text, size);
    case POSTGRES_ARRAY: {
        struct postgres_type element = postgres_type_get(state, type->element);
        return postgres_array(state, scratch, &element, text, size);
    }
    case POSTGRES_TEXT:
        break;
    }
    return text_as_value(scratch, VALUE_TEXT, text, size);
}
