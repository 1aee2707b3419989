/* Small questions about texts that come out of databases. */
#include "datasource/driver.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/utf8.h"

const char *text_clean(struct arena *arena, const char *data, size_t *size)
{
    size_t bad = 0;
    if (utf8_valid(data, *size, &bad)) {
        return data;
    }
    struct buf out;
    buf_init(&out, *size * 3 + 1); /* one bad byte becomes three */
    (void)buf_add(&out, data, bad);
    for (size_t at = bad; at < *size;) {
        uint32_t code = 0;
        size_t step = utf8_next(data + at, *size - at, &code);
        step = step ? step : 1;
        if (code == 0 || (code == 0xFFFD && step == 1)) {
            (void)buf_add(&out, "\xEF\xBF\xBD", 3);
        } else {
            (void)buf_add(&out, data + at, step);
        }
        at += step;
    }
    *size = out.size;
    const char *clean = buf_clone(&out, arena);
    buf_release(&out);
    return clean;
}

struct value text_as_value(struct arena *arena, enum value_kind kind, const char *text,
                           size_t size)
{
    struct value value = {.kind = kind};
    value.text.data = text_clean(arena, text, &size);
    value.text.size = size;
    return value;
}

bool text_is_date(const char *data, size_t size)
{
    static const char shape[] = "0000-00-00";
    if (size < sizeof shape - 1 || size > 40) {
        return false;
    }
    for (size_t i = 0; i < sizeof shape - 1; i++) {
        if (shape[i] == '0' ? !isdigit((unsigned char)data[i]) : data[i] != shape[i]) {
            return false;
        }
    }
    return true;
}
