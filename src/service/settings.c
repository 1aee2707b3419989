/* The settings, as they may be seen by whoever may look. */
#include "base/buf.h"
#include "base/memory.h"
#include "base/writer.h"
#include "service/house.h"

/* What people at a page want to know; paths, addresses and keys are not among it. */
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

char *dgm_settings(struct dgm *dgm)
{
    struct buf buf;
    struct writer writer;
    const struct dgm_config config = {.options = dgm->options};
    buf_init(&buf, 1 << 20);
    writer_init(&writer, &buf);
    writer_object(&writer);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        char *value = dgm_config_get(&config, shown[i]);
        writer_key_text(&writer, shown[i], value);
        memory_free(value);
    }
    writer_object_end(&writer);
    return buf_take(&buf);
}
