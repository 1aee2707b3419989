/* What is different, in words: "Changed: by country instead of by city". */
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/parts/parts_state.h"

enum { SAID_MOST = 600 };

static void put_words(struct buf *out, const struct texts *words)
{
    for (size_t i = 0; i < words->count; i++) {
        buf_format(out, "%s%s",
                   i == 0                 ? ""
                   : i + 1 < words->count ? ", "
                                          : " and ",
                   words->items[i]);
    }
}

static bool holds(const struct texts *texts, const char *text)
{
    for (size_t i = 0; i < texts->count; i++) {
        if (str_equal(texts->items[i], text)) {
            return true;
        }
    }
    return false;
}

/* A count of rows may be written as a count of different keys by now. */
static const char *words_of(const struct parts_making *making, const struct ir_node *node)
{
    for (size_t i = 0; i < making->counts.count; i++) {
        if (making->counts.items[i].node == node) {
            return parts_count_words(making->parts, making->counts.items[i].table);
        }
    }
    int table = parts_table_counted(making->parts, node);
    return table >= 0 ? parts_count_words(making->parts, table)
                      : parts_words(making->parts, node);
}

static struct texts all_words(const struct parts_making *making,
                              const struct ir_nodes *nodes)
{
    struct texts out = {0};
    for (size_t i = 0; i < nodes->count; i++) {
        VEC_PUSH(making->parts->arena, &out, words_of(making, nodes->items[i]));
    }
    return out;
}

static struct texts without(const struct parts *parts, const struct texts *all,
                            const struct texts *known)
{
    struct texts out = {0};
    for (size_t i = 0; i < all->count; i++) {
        if (!holds(known, all->items[i])) {
            VEC_PUSH(parts->arena, &out, all->items[i]);
        }
    }
    return out;
}

static void put_start(struct buf *out)
{
    buf_text(out, out->size ? "; " : "Changed: ");
}

/* How a kind of part is said: what is new, what it stands for, what is gone. */
struct manner {
    const char *come;
    const char *instead;
    const char *gone;
};

static void put_change(const struct parts_making *making, struct buf *out,
                       const struct ir_nodes *before, const struct ir_nodes *after,
                       const struct manner *manner)
{
    const struct parts *parts = making->parts;
    struct texts old = all_words(making, before);
    struct texts new = all_words(making, after);
    struct texts gone = without(parts, &old, &new);
    struct texts come = without(parts, &new, &old);
    if (come.count) {
        put_start(out);
        buf_text(out, manner->come);
        put_words(out, &come);
    }
    if (gone.count && come.count) {
        buf_format(out, " instead of %s", manner->instead);
        put_words(out, &gone);
    } else if (gone.count) {
        put_start(out);
        buf_text(out, manner->gone);
        put_words(out, &gone);
    }
}

static struct ir_nodes joined(const struct parts_making *making)
{
    struct ir_nodes all = {0};
    const struct ir_nodes *lists[] = {&making->where, &making->having};
    for (size_t n = 0; n < 2; n++) {
        for (size_t i = 0; i < lists[n]->count; i++) {
            VEC_PUSH(making->parts->arena, &all, lists[n]->items[i]);
        }
    }
    for (size_t i = 0; i < making->query->sources.count; i++) {
        if (making->query->sources.items[i].with) {
            VEC_PUSH(making->parts->arena, &all, making->query->sources.items[i].with);
        }
    }
    return all;
}

static bool same_order(const struct ir_query *a, const struct ir_query *b)
{
    bool same = a->order.count == b->order.count;
    for (size_t i = 0; same && i < a->order.count; i++) {
        same = a->order.items[i].descending == b->order.items[i].descending &&
               ir_node_same(a->order.items[i].node, b->order.items[i].node);
    }
    return same;
}

static void put_order(const struct parts_making *making, struct buf *out)
{
    const struct ir_query *query = making->query;
    if (same_order(making->parts->query, query)) {
        return;
    }
    put_start(out);
    buf_text(out, query->order.count ? "in order of " : "in no order");
    for (size_t i = 0; i < query->order.count; i++) {
        buf_format(out, "%s%s%s", i ? ", then " : "",
                   words_of(making, query->order.items[i].node),
                   query->order.items[i].descending ? ", largest first" : "");
    }
}

static void put_limit(const struct parts_making *making, struct buf *out)
{
    const struct parts *parts = making->parts;
    const struct ir_node *old = parts->query->limit;
    const struct ir_node *new = making->query->limit;
    const char *before = old ? parts_text_of(parts, old) : NULL;
    const char *after = new ? parts_text_of(parts, new) : NULL;
    if (str_equal(before, after)) {
        return;
    }
    put_start(out);
    if (after && str_equal(after, "1")) {
        buf_text(out, "only the first row");
    } else if (after) {
        buf_format(out, "only the first %s rows", after);
    } else {
        buf_text(out, "all rows");
    }
}

const char *parts_said(const struct parts_making *making)
{
    static const struct manner figures = {"", "", "without "};
    static const struct manner groups = {"by ", "by ", "not by "};
    static const struct manner filters = {"only where ", "where ", "no longer where "};
    const struct parts *parts = making->parts;
    const struct ir_nodes conditions = joined(making);
    struct buf out;
    buf_init(&out, SAID_MOST);
    put_change(making, &out, &parts->measures, &making->measures, &figures);
    put_change(making, &out, &parts->columns, &making->columns,
               making->measures.count ? &groups : &figures);
    put_change(making, &out, &parts->conditions, &conditions, &filters);
    size_t plain = out.size;
    put_limit(making, &out);
    if (plain == 0) { /* a new part brings its own order */
        put_order(making, &out);
    }
    const char *said = out.size ? buf_clone(&out, parts->arena) : NULL;
    buf_release(&out);
    return said;
}
