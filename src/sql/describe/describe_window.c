/* Window functions in words: "the rank by salary from high to low within each team". */
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "sql/describe/describe_words.h"

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
static void add_partition(struct describe_text *text, const struct sql_node *list)
{
    for (size_t i = 0; i < list->count; i++) {
        (void)buf_text(text->out, i ? " and " : " within each ");
        describe_value(text->out, text->names, list->children[i]);
    }
}

/* "price from high to low, then name" */
static void add_order(struct describe_text *text, const struct sql_node *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct sql_node *item = list->children[i];
        (void)buf_text(text->out, i ? ", then " : "");
        if (item->children[ORDER_VALUE]) {
            describe_value(text->out, text->names, item->children[ORDER_VALUE]);
        }
        (void)buf_text(text->out, sql_has(item, FLAG_DESC) ? " from high to low" : "");
    }
}

static const struct window_words *words_of(const struct sql_node *call)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (str_equal_nocase(call->text, functions[i].name)) {
            return &functions[i];
        }
    }
    return NULL;
}

static void add_function(struct describe_text *text, const struct sql_node *call,
                         const struct window_words *words, bool running)
{
    const struct sql_node *first = sql_child(call->children[CALL_ARGUMENTS], 0);
    if (words) {
        (void)buf_text(text->out, words->before);
        if (first) {
            describe_value(text->out, text->names, first);
        }
        (void)buf_text(text->out,
                       sql_has(call, FLAG_IGNORE_NULLS) ? " IGNORE NULLS" : "");
        (void)buf_text(text->out, words->after);
        return;
    }
    struct buf buf;
    buf_init(&buf, 1024);
    struct describe_text figure = {.out = &buf, .names = text->names};
    describe_function(&figure, call);
    const char *said = buf_get(&buf);
    bool article = running && str_starts(said, "the ");
    (void)buf_format(text->out, "%s%s", article ? "the running " : "",
                     said + (article ? 4 : 0));
    buf_release(&buf);
}

/* BETWEEN 2 PRECEDING AND CURRENT ROW, as it stands: who writes it knows it. */
static void add_frame(struct describe_text *text, const struct sql_node *frame)
{
    if (frame) {
        (void)buf_text(text->out, " (");
        describe_as_written(text, frame);
        (void)buf_char(text->out, ')');
    }
}

void describe_window(struct describe_text *text, const struct sql_node *call)
{
    const struct window_words *words = words_of(call);
    const struct sql_node *window = call->children[CALL_OVER];
    const struct sql_node *base =
        window->kind == SQL_WINDOW ? window->children[WINDOW_BASE] : window;
    const struct sql_node *order =
        window->kind == SQL_WINDOW ? window->children[WINDOW_ORDER] : NULL;
    const struct sql_node *partition =
        window->kind == SQL_WINDOW ? window->children[WINDOW_PARTITION] : NULL;
    add_function(text, call, words, !words && order);
    if (base) {
        (void)buf_format(text->out, " over the window %s", base->text);
    }
    if (order) {
        (void)buf_text(text->out, words && words->kind == WINDOW_RANK ? " by " : ", by ");
        add_order(text, order);
    }
    if (partition) {
        add_partition(text, partition);
    } else if (!words && !order && !base) {
        (void)buf_text(text->out, " over all rows");
    }
    if (window->kind == SQL_WINDOW) {
        add_frame(text, window->children[WINDOW_FRAME]);
    }
}
