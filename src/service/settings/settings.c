/* The settings as an administrator may see them. */
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/writer.h"
#include "service/settings/settings.h"

/* Settings for users of the web page; without paths, addresses and keys. */
static const char *const shown[] = {
    "agent.brain",
    "agent.approval",
    "agent.ask_when_vague",
    "agent.recall",
    "agent.learn",
    "agent.apply_memory",
    "agent.min_confidence",
    "agent.timeout_s",
    "agent.time_zone",
    "agent.week_start",
    "agent.fiscal_year_start",
    "understanding.mode",
    "parser.accept",
    "parser.ask",
    "llm.provider",
    "llm.model",
    "llm.send_rows",
    "knowledge.values",
    "sql.default_rows",
    "sql.max_rows",
    "sql.timeout_s",
    "export.max_rows",
    "ask.ttl_s",
    "session.history_days",
};

static void write_changes(struct dgm *dgm, struct writer *writer)
{
    struct err ignored;
    const char *key = NULL;
    writer_key(writer, "changeable");
    writer_array(writer);
    for (size_t i = 0; (key = settings_changeable(i)); i++) {
        writer_text(writer, key);
    }
    writer_array_end(writer);
    writer_key(writer, "changed");
    writer_array(writer);
    struct arena *arena = arena_new();
    (void)pthread_mutex_lock(&dgm->settings_lock);
    const char *seen = dgm->settings_seen ? dgm->settings_seen : "{}";
    json_t *changed = json_parse(arena, seen, strlen(seen), &ignored);
    (void)pthread_mutex_unlock(&dgm->settings_lock);
    json_t *value = NULL;
    json_object_foreach(changed, key, value)
    {
        writer_text(writer, key);
    }
    writer_array_end(writer);
    arena_free(arena);
}

char *dgm_settings(struct dgm *dgm)
{
    struct buf buf;
    struct writer writer;
    const struct dgm_config config = {.options = dgm->options};
    buf_init(&buf, 1 << 20);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key(&writer, "settings");
    writer_object(&writer);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        char *value = dgm_config_get(&config, shown[i]);
        writer_key_text(&writer, shown[i], value);
        memory_free(value);
    }
    writer_object_end(&writer);
    write_changes(dgm, &writer);
    writer_object_end(&writer);
    return buf_take(&buf);
}
