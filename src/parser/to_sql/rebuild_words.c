/* A query as an English sentence, so that people can choose between readings. */
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "parser/to_sql/rebuild_words_state.h"

enum { WORDS_MAX = 4000 };

/* customer_id, customerId: "customer id" */
void words_name(struct buf *out, const char *name)
{
    const char *dot = strrchr(name, '.');
    bool gap = false;
    name = dot && dot[1] ? dot + 1 : name;
    for (size_t i = 0; name[i]; i++) {
        unsigned char c = (unsigned char)name[i];
        if (c == '_' || c == '-' || c == ' ') {
            gap = i > 0;
            continue;
        }
        bool hump = i > 0 && isupper(c) && islower((unsigned char)name[i - 1]);
        if (gap || hump) {
            buf_char(out, ' ');
        }
        gap = false;
        buf_char(out, (char)tolower(c));
    }
}

static void put_tables(struct wording *wording)
{
    const struct ir_query *query = wording->query;
    size_t shown = 0;
    for (size_t i = 0; i < query->sources.count; i++) {
        if (query->sources.items[i].second) {
            continue;
        }
        buf_text(wording->out, shown++ == 0 ? "" : " and ");
        words_name(wording->out,
                   wording->schema->tables[query->sources.items[i].table].name);
    }
}

static void put_from(struct wording *wording)
{
    struct ir_query *from = wording->query->from;
    if (!from) {
        put_tables(wording);
        return;
    }
    buf_text(wording->out, "the rows of (");
    words_query(wording, from);
    buf_char(wording->out, ')');
}

static void find_star(void *context, struct ir_node *node)
{
    bool *found = context;
    *found = *found || ir_node_is_star(node);
}

/* "The number of orders" names the table already, and so do columns of several tables. */
static bool names_source(struct ir_query *query)
{
    bool found = false;
    for (size_t i = 0; i < query->select.count; i++) {
        ir_node_walk(query->select.items[i], find_star, &found);
        found = found || (query->sources.count > 1 &&
                          query->select.items[i]->kind == IR_NODE_TOKEN);
    }
    return found;
}

void words_source(struct wording *wording)
{
    put_from(wording);
}

static void put_comma(struct wording *wording, size_t i, size_t count)
{
    buf_text(wording->out, i == 0 ? "" : i + 1 == count ? " and " : ", ");
}

static void put_list(struct wording *wording, const struct ir_nodes *nodes)
{
    for (size_t i = 0; i < nodes->count; i++) {
        put_comma(wording, i, nodes->count);
        words_expression(wording, nodes->items[i]);
    }
}

/* For each month; a key stands for the thing itself: for each of the customers. */
static void put_groups(struct wording *wording, const struct ir_nodes *nodes)
{
    for (size_t i = 0; i < nodes->count; i++) {
        const struct ir_node *node = nodes->items[i];
        put_comma(wording, i, nodes->count);
        if (ir_node_is_column(node) &&
            wording->schema->columns[node->token.index].unique) {
            int table = wording->schema->columns[node->token.index].table;
            buf_text(wording->out, "of the ");
            words_name(wording->out, wording->schema->tables[table].name);
        } else {
            words_bare(wording, node);
        }
    }
}

static bool is_time(const struct wording *wording, const struct ir_node *node)
{
    while (node->kind == IR_NODE_CALL && node->args.count) {
        if (node->keyword >= IR_YEAR && node->keyword <= IR_NOW) {
            return true;
        }
        node = node->args.items[0];
    }
    return ir_node_is_column(node) &&
           wording->schema->columns[node->token.index].type == IR_TYPE_TIME;
}

static bool is_text(const struct wording *wording, const struct ir_node *node)
{
    return ir_node_is_column(node) &&
           wording->schema->columns[node->token.index].type == IR_TYPE_TEXT;
}

static void put_order(struct wording *wording)
{
    const struct ir_query *query = wording->query;
    for (size_t i = 0; i < query->order.count; i++) {
        const struct ir_order *order = &query->order.items[i];
        buf_text(wording->out, i ? ", then by " : ", sorted by ");
        words_expression(wording, order->node);
        buf_text(wording->out,
                 is_time(wording, order->node)
                     ? (order->descending ? ", latest first" : ", earliest first")
                 : is_text(wording, order->node)
                     ? (order->descending ? " from Z to A" : " from A to Z")
                     : (order->descending ? ", highest first" : ", lowest first"));
    }
}

static void put_limit(struct wording *wording)
{
    const struct ir_query *query = wording->query;
    if (!query->limit) {
        return;
    }
    const char *count = words_value(wording, query->limit);
    if (str_equal(count, "1")) {
        buf_text(wording->out, ", only the first");
    } else {
        buf_format(wording->out, ", only the first %s", count);
    }
    if (query->offset) {
        buf_format(wording->out, " after skipping %s",
                   words_value(wording, query->offset));
    }
    if (query->per.count) {
        buf_text(wording->out, " for each ");
        put_groups(wording, &query->per);
    }
}

static void put_part(struct wording *wording)
{
    struct ir_query *query = wording->query;
    buf_text(wording->out, query->distinct ? "the different " : "");
    put_list(wording, &query->select);
    if (!names_source(query)) {
        buf_text(wording->out, " of ");
        put_from(wording);
    }
    if (query->group.count) {
        buf_text(wording->out, ", for each ");
        put_groups(wording, &query->group);
    }
    if (query->where) {
        buf_text(wording->out, ", where ");
        words_condition(wording, query->where);
    }
    if (query->having) {
        buf_text(wording->out, ", keeping those where ");
        words_condition(wording, query->having);
    }
    put_order(wording);
    put_limit(wording);
}

void words_query(struct wording *wording, struct ir_query *query)
{
    static const char *const words[] = {
        [IR_INTERSECT] = "; only what is also among: ",
        [IR_UNION] = "; together with: ",
        [IR_UNION_ALL] = "; together with: ",
        [IR_EXCEPT] = "; but without: ",
    };
    struct ir_query *before = wording->query;
    for (; query; query = query->set_query) {
        wording->query = query;
        put_part(wording);
        if (query->set_query) {
            buf_text(wording->out, words[query->set]);
        }
    }
    wording->query = before;
}

bool rebuild_words(struct arena *arena, const struct rebuild_request *request,
                   const struct ir_tokens *tokens, const char **words, struct err *err)
{
    struct ir_query *query;
    struct buf out;
    struct wording wording = {arena, request->schema, request->values, NULL, &out};
    if (!ir_tree_read(arena, tokens, request->schema,
                      request->values ? request->values->count : 0, &query, err)) {
        return false;
    }
    buf_init(&out, WORDS_MAX);
    words_query(&wording, query);
    buf_char(&out, '.');
    char *text = buf_clone(&out, arena);
    text[0] = (char)toupper((unsigned char)text[0]);
    *words = text;
    buf_release(&out);
    return true;
}

const char *rebuild_node_words(struct arena *arena, const struct rebuild_request *request,
                               struct ir_query *query, const struct ir_node *node)
{
    struct buf out;
    struct ir_query none = {.set = IR_PAD};
    struct wording wording = {arena, request->schema, request->values,
                              query ? query : &none, &out};
    buf_init(&out, WORDS_MAX);
    if (ir_node_is(node, IR_AND) || ir_node_is(node, IR_OR) || ir_node_is(node, IR_IN) ||
        ir_node_is(node, IR_NOT_IN)) {
        words_condition(&wording, node);
    } else {
        words_bare(&wording, node);
    }
    const char *text = buf_clone(&out, arena);
    buf_release(&out);
    return text;
}
