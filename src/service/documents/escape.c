/* Text of any origin as text of HTML. */
#include "service/documents/escape.h"

#include "base/buf.h"
#include "base/utf8.h"

static const struct {
    uint32_t code;
    const char *entity;
} entities[] = {
    {'&', "&amp;"},  {'<', "&lt;"},   {'>', "&gt;"},
    {'"', "&quot;"}, {'\'', "&#39;"}, {'`', "&#96;"},
};

static const char *entity_of(uint32_t code)
{
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
        if (entities[i].code == code) {
            return entities[i].entity;
        }
    }
    return NULL;
}

/* Joiners are part of words in some scripts, and of emoji. */
static bool is_shown_by_number(uint32_t code)
{
    bool joins = code >= 0x200B && code <= 0x200D;
    bool breaks = code == '\n' || code == '\t';
    return utf8_is_hidden(code) && !joins && !breaks;
}

void escape_text_n(struct buf *out, const char *text, size_t size)
{
    for (size_t at = 0; at < size;) {
        uint32_t code = 0;
        size_t step = utf8_next(text + at, size - at, &code);
        const char *entity = entity_of(code);
        if (entity) {
            (void)buf_text(out, entity);
        } else if (code == 0xFFFD) {
            (void)buf_text(out, "\xEF\xBF\xBD");
        } else if (is_shown_by_number(code)) {
            (void)buf_format(out, "[U+%04X]", (unsigned)code);
        } else {
            (void)buf_add(out, text + at, step);
        }
        at += step;
    }
}

void escape_text_cut(struct buf *out, const char *text, size_t size, size_t most)
{
    size_t cut = size > most ? utf8_cut(text, size, most) : size;
    escape_text_n(out, text, cut);
    if (cut < size) {
        (void)buf_text(out, "…");
    }
}
