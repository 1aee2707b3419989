/* Window functions in words: "the rank by salary from high to low within each team". */
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "sql/describe_words.h"

enum window_kind {
    WINDOW_RANK,   /* by … */
    WINDOW_NEAR,   /* a value of another row */
    WINDOW_FIGURE, /* an aggregate */
};

static const struct window_words {
    const char *name;
    enum window_kind kind;
    const char *before;
    const char *after;
} functions[] = {
    {"row_number", WINDOW_RANK, "the position", ""},
    {"rank", WINDOW_RANK, "the rank", ""},
    {"dense_rank", WINDOW_RANK, "the rank", ""},
    {"percent_rank", WINDOW_RANK, "the relative rank", ""},
    {"cume_dist", WINDOW_RANK, "the share of rows up to this one", ""},
    {"ntile", WINDOW_RANK, "the number of the part, of ", " equal parts,"},
    {"lag", WINDOW_NEAR, "", " of the row before"},
    {"lead", WINDOW_NEAR, "", " of the row after"},
    {"first_value", WINDOW_NEAR, "the first ", ""},
    {"last_value", WINDOW_NEAR, "the last ", ""},
};

/* PARTITION BY a, b -> within each a and b */
static void add_partition(struct buf *out, const struct describe_names *names,
                          struct span span)
{
    struct span item;
    for (const char *gap = " within each "; span_next_item(&span, &item); gap = " and ") {
        (void)buf_text(out, gap);
        describe_value(out, names, item);
    }
}

void describe_order(struct buf *out, const struct describe_names *names, struct span span)
{
    struct span item;
    for (const char *gap = ""; span_next_item(&span, &item); gap = ", then ") {
        const struct token *end = item.from;
        while (end < item.to && end->keyword != KEYWORD_asc &&
               end->keyword != KEYWORD_desc && end->keyword != KEYWORD_nulls) {
            end = span_skip(end, item.to);
        }
        bool down = end < item.to && end->keyword == KEYWORD_desc;
        (void)buf_text(out, gap);
        describe_value(out, names, (struct span){item.from, end});
        (void)buf_text(out, down ? " from high to low" : "");
    }
}

/* The parts of OVER (PARTITION BY … ORDER BY … ROWS …). */
struct window {
    struct span partition;
    struct span order;
    struct span frame;
};

static void window_read(struct span span, struct window *out)
{
    const struct token *partition = span_find(span, KEYWORD_partition);
    const struct token *order = span_find(span, KEYWORD_order);
    const struct token *frame = span.from;
    while (frame < span.to && frame->keyword != KEYWORD_rows &&
           frame->keyword != KEYWORD_range && !token_is(frame, "groups")) {
        frame = span_skip(frame, span.to);
    }
    *out = (struct window){.frame = {frame, span.to}};
    if (order + 1 < frame) {
        out->order = (struct span){order + 2, frame};
    }
    const struct token *end = order < frame ? order : frame;
    if (partition + 1 < end) {
        out->partition = (struct span){partition + 2, end};
    }
}

static const struct window_words *words_of(struct span call)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (token_is(call.from, functions[i].name)) {
            return &functions[i];
        }
    }
    return NULL;
}

static void add_function(struct buf *out, const struct describe_names *names,
                         struct span call, const struct window_words *words, bool running)
{
    struct span arguments = {call.from + 2, call.to - 1};
    struct span first;
    if (words) {
        (void)buf_text(out, words->before);
        if (span_next_item(&arguments, &first)) {
            describe_value(out, names, first);
        }
        (void)buf_text(out, words->after);
        return;
    }
    struct buf figure;
    buf_init(&figure, 1024);
    describe_value(&figure, names, call);
    const char *text = buf_get(&figure);
    bool article = running && str_starts(text, "the ");
    (void)buf_format(out, "%s%s", article ? "the running " : "",
                     text + (article ? 4 : 0));
    buf_release(&figure);
}

/* BETWEEN 2 PRECEDING AND CURRENT ROW, as it stands: who writes it knows it. */
static void add_frame(struct buf *out, struct span frame)
{
    for (const struct token *at = frame.from; at < frame.to; at++) {
        (void)buf_format(out, "%s%s", at == frame.from ? " (" : " ", at->text);
    }
    (void)buf_text(out, frame.from < frame.to ? ")" : "");
}

const struct token *describe_window(struct buf *out, const struct describe_names *names,
                                    struct span call, const struct token *over,
                                    const struct token *to)
{
    const struct window_words *words = words_of(call);
    if (over + 1 >= to || !token_is_punct(over + 1, "(")) {
        add_function(out, names, call, words, false);
        (void)buf_format(out, " over the window %s", over + 1 < to ? over[1].text : "");
        return over + 1 < to ? over + 2 : to;
    }
    const struct token *end = span_skip(over + 1, to);
    struct window window;
    window_read((struct span){over + 2, end - 1}, &window);
    bool ordered = window.order.from < window.order.to;
    bool figure = !words;
    add_function(out, names, call, words, figure && ordered);
    if (ordered) {
        (void)buf_text(out, words && words->kind == WINDOW_RANK ? " by " : ", by ");
        describe_order(out, names, window.order);
    }
    if (window.partition.from < window.partition.to) {
        add_partition(out, names, window.partition);
    } else if (figure && !ordered) {
        (void)buf_text(out, " over all rows");
    }
    add_frame(out, window.frame);
    return end;
}
