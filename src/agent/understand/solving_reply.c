/* The parser's readings in the words of a model's reply (prompts/understand). */
#include "agent/run_statement.h"
#include "agent/understand/solving.h"
#include "agent/understand/sql_parts.h"
#include "base/str.h"

static json_t *list_of(const struct texts *texts)
{
    json_t *list = json_array();
    for (size_t i = 0; i < texts->count; i++) {
        (void)json_array_append_new(list, json_string(texts->items[i]));
    }
    return list;
}

static void put_text(json_t *object, const char *key, const char *text)
{
    if (!str_empty(text)) {
        (void)json_object_set_new(object, key, json_string(text));
    }
}

json_t *solving_reply(struct run *run, const struct run_reading *reading)
{
    struct sql_parts parts;
    struct texts steps = {0};
    sql_parts_read(run->scratch, run_statement(run, reading->sql), &parts);
    sql_parts_steps(run->scratch, &parts, &reading->tables, &steps);
    json_t *reply = json_keep(run->arena, json_object());
    put_text(reply, "intent", "TEXT_TO_SQL");
    put_text(reply, "sql", reading->sql);
    (void)json_object_set_new(reply, "tables", list_of(&reading->tables));
    (void)json_object_set_new(
        reply, "joins_needed",
        json_boolean(parts.joins.count > 0 || reading->tables.count > 1));
    (void)json_object_set_new(reply, "joins", list_of(&parts.joins));
    (void)json_object_set_new(reply, "filters", list_of(&parts.filters));
    (void)json_object_set_new(reply, "aggregations", list_of(&parts.aggregations));
    put_text(reply, "ordering", str_join(run->scratch, &parts.order, ", "));
    (void)json_object_set_new(reply, "plan", list_of(&steps));
    put_text(reply, "summary", reading->words);
    return reply;
}
