/* The parts of a query as JSON. */
#include "parser/parts/parts.h"

#include "base/arena.h"
#include "base/str.h"
#include "base/writer.h"
#include "parser/parts/parts_state.h"

static void
write_list(const struct parts *parts, const char *key, const struct ir_nodes *nodes,
           bool (*write)(const struct parts *, const struct ir_node *, struct writer *),
           struct writer *writer)
{
    writer_key(writer, key);
    writer_array(writer);
    for (size_t i = 0; i < nodes->count; i++) {
        writer_object(writer);
        if (!write(parts, nodes->items[i], writer)) {
            writer_key_int(writer, "kept", (int64_t)i);
        }
        int table = parts_table_counted(parts, nodes->items[i]);
        writer_key_text(writer, "label",
                        table >= 0 ? parts_count_words(parts, table)
                                   : parts_words(parts, nodes->items[i]));
        writer_object_end(writer);
    }
    writer_array_end(writer);
}

static bool write_place(const struct ir_nodes *nodes, const struct ir_node *node,
                        const char *key, struct writer *writer)
{
    for (size_t i = 0; i < nodes->count; i++) {
        if (ir_node_same(nodes->items[i], node)) {
            writer_key_int(writer, key, (int64_t)i);
            return true;
        }
    }
    return false;
}

static void write_orders(const struct parts *parts, struct writer *writer)
{
    const struct ir_query *query = parts->query;
    writer_key(writer, "order");
    writer_array(writer);
    for (size_t i = 0; i < query->order.count; i++) {
        const struct ir_order *order = &query->order.items[i];
        writer_object(writer);
        if (!write_place(&parts->measures, order->node, "measure", writer) &&
            !write_place(&parts->columns, order->node, "column", writer)) {
            writer_key_int(writer, "kept", (int64_t)i);
        }
        writer_key_bool(writer, "descending", order->descending);
        writer_key_text(writer, "label", parts_words(parts, order->node));
        writer_object_end(writer);
    }
    writer_array_end(writer);
}

void parts_write(const struct parts *parts, struct writer *writer)
{
    const struct ir_query *query = parts->query;
    int64_t limit = 0;
    const char *text = query->limit ? parts_text_of(parts, query->limit) : NULL;
    write_list(parts, "measures", &parts->measures, parts_item_write, writer);
    write_list(parts, "columns", &parts->columns, parts_item_write, writer);
    write_list(parts, "filters", &parts->conditions, parts_filter_write, writer);
    write_orders(parts, writer);
    if (text && str_to_int(text, &limit) && limit > 0) {
        writer_key_int(writer, "limit", limit);
    }
}
