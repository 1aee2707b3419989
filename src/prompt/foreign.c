/* Foreign text in a prompt: nothing hidden, no fence. */
#include "prompt/foreign.h"

#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/scan.h"
#include "base/utf8.h"

enum { FENCE_RUN = 3 };

struct reader {
    struct buf *out;
    bool lines;
    bool blank;    /* the last character written replaces a line break */
    bool joiner;   /* the last character was one */
    char run_sign; /* < or >, */
    unsigned run;  /* and how many of it came in a row */
};

static bool is_joiner(uint32_t code)
{
    return code == 0x200C || code == 0x200D;
}

static bool is_end_of_line(uint32_t code)
{
    return code == '\n' || code == '\r' || code == '\t' || code == 0x0B || code == 0x0C ||
           code == 0x85 || code == 0x2028 || code == 0x2029;
}

static void put_blank(struct reader *reader, uint32_t code)
{
    if (reader->lines && (code == '\n' || code == '\t')) {
        (void)buf_char(reader->out, (char)code);
        reader->blank = false;
    } else if (!reader->blank) {
        (void)buf_char(reader->out, ' ');
        reader->blank = true;
    }
}

static void put_angle(struct reader *reader, char sign)
{
    reader->run = reader->run_sign == sign ? reader->run + 1 : 1;
    reader->run_sign = sign;
    if (reader->run == FENCE_RUN) {
        (void)buf_char(reader->out, ' ');
        reader->run = 1;
    }
    (void)buf_char(reader->out, sign);
}

static void foreign_put(struct reader *reader, const char *text, size_t length,
                        uint32_t code)
{
    bool joiner = is_joiner(code);
    bool hidden = utf8_is_hidden(code) && (!joiner || reader->joiner);
    reader->joiner = joiner;
    if (is_end_of_line(code)) {
        put_blank(reader, code);
    } else if (code == '<' || code == '>') {
        put_angle(reader, (char)code);
        reader->blank = false;
        return; /* the run goes on */
    } else if (hidden) {
        return; /* does not end a run: "<<" + hidden + "<" is no way around */
    } else {
        (void)buf_add(reader->out, text, length);
        reader->blank = false;
    }
    reader->run = 0;
}

bool foreign_add(struct buf *out, const char *text, size_t size, bool lines)
{
    struct reader reader = {.out = out, .lines = lines};
    size_t at = 0;
    while (at < size && !out->full) {
        size_t plain = scan_plain(text + at, size - at, '<', '>'); /* schemas are long */
        if (plain > 0) {
            (void)buf_add(out, text + at, plain);
            reader.blank = false;
            reader.joiner = false;
            reader.run = 0;
            at += plain;
            continue;
        }
        uint32_t code = 0;
        size_t length = utf8_next(text + at, size - at, &code);
        foreign_put(&reader, text + at, length, code);
        at += length;
    }
    return !out->full;
}

bool foreign_is_clean(const char *text, size_t size)
{
    struct buf out;
    buf_init(&out, 2 * size + 1);
    bool clean = foreign_add(&out, text, size, true) && out.size == size &&
                 memcmp(buf_get(&out), text, size) == 0;
    buf_release(&out);
    return clean;
}
