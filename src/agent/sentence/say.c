/* Chooses what a result is: nothing, one row, a series, a ranking, or a list of things. */
#include "agent/sentence/say.h"

#include <string.h>

#include "base/utf8.h"

void say(const struct telling *telling, enum phrase phrase, const struct slots *slots)
{
    static const struct slots none = {.texts = {NULL}};
    language_say(telling->language, phrase, slots ? slots : &none, telling->out);
}

const char *say_text(const struct telling *telling, enum phrase phrase,
                     const struct slots *slots)
{
    struct buf text;
    buf_init(&text, SENTENCE_MOST);
    struct telling part = *telling;
    part.out = &text;
    say(&part, phrase, slots);
    const char *copy = arena_text(telling->arena, buf_get(&text));
    buf_release(&text);
    return copy;
}

const char *say_list(const struct telling *telling, const char *const *items,
                     size_t count)
{
    struct buf text;
    buf_init(&text, SENTENCE_MOST);
    for (size_t i = 0; i < count; i++) {
        if (i) {
            (void)buf_text(
                &text,
                telling->language->phrases[i + 1 < count ? PHRASE_COMMA : PHRASE_AND]);
        }
        (void)buf_text(&text, items[i]);
    }
    const char *copy = arena_text(telling->arena, buf_get(&text));
    buf_release(&text);
    return copy;
}

static void say_rows(const struct telling *telling)
{
    struct shape shape;
    shape_read(telling, &shape);
    if (telling->rows->count == 1 && rows_given(telling->rows) == 1) {
        say_row(telling, &shape);
    } else if (shape.figure == NO_COLUMN ||
               (!say_series(telling, &shape) && !say_ranking(telling, &shape))) {
        say_things(telling, &shape);
    }
}

static const char *finished(struct arena *arena, struct buf *text)
{
    if (text->size && text->data[text->size - 1] != '.') {
        (void)buf_char(text, '.');
    }
    const char *sentence =
        text->full || !text->size ? NULL : arena_text(arena, buf_get(text));
    buf_release(text);
    return sentence;
}

const char *say_result(struct arena *arena, const struct language *language,
                       const struct rows *rows, const struct facts *facts)
{
    struct buf text;
    struct telling telling = {arena, language, rows, facts, &text};
    buf_init(&text, SENTENCE_MOST);
    if (rows->count == 0) {
        say_nothing(&telling);
    } else {
        say_rows(&telling);
    }
    const char *sentence = finished(arena, &text);
    if (!sentence) { /* longer than a sentence may be: how many rows there are */
        struct shape none = {
            .time = NO_COLUMN, .identifier = NO_COLUMN, .figure = NO_COLUMN};
        buf_init(&text, SENTENCE_MOST);
        say_things(&telling, &none);
        sentence = finished(arena, &text);
    }
    return sentence;
}

const char *say_changed(struct arena *arena, const struct language *language,
                        size_t count)
{
    static const struct facts none = {.order = FACTS_UNORDERED};
    static const struct rows empty = {.count = 0};
    struct buf text;
    struct telling telling = {arena, language, &empty, &none, &text};
    struct slots slots = {.texts = {[SLOT_COUNT] = number_count(&telling, count)}};
    buf_init(&text, SENTENCE_MOST);
    say(&telling, count == 1 ? PHRASE_CHANGED_1 : PHRASE_CHANGED, &slots);
    return finished(arena, &text);
}
