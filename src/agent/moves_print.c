/* The machine drawn for people: text, JSON, Mermaid, and docs/states.md. */
#include <string.h>

#include "agent/moves.h"
#include "base/buf.h"
#include "base/writer.h"

static const char *const shape_words[] = {"work", "ask", "-"};

static void print_text(struct buf *out)
{
    size_t count = 0;
    const struct move *moves = moves_table(&count);
    for (int i = 0; i < STATE_COUNT; i++) {
        const struct state_info *info = state_get((enum state)i);
        (void)buf_format(out, "%-19s %-13s %-4s  %s\n", info->name, info->status,
                         shape_words[info->shape], info->title);
        for (size_t m = 0; m < count; m++) {
            if (moves[m].from == (enum state)i) {
                (void)buf_format(out, "    %-16s -> %s\n", event_name(moves[m].event),
                                 state_name(moves[m].to));
            }
        }
    }
    (void)buf_text(out,
                   "\nIn every state that is not final: STOP -> STOPPED; SPENT, DEADLINE,"
                   " INTERRUPTED -> FAILED.\nIn every ask state: LLM_DOWN, BAD_REPLY ->"
                   " the same state another way; GIVE_UP -> FAILED.\n");
}

static void print_json(struct buf *out)
{
    size_t count = 0;
    const struct move *moves = moves_table(&count);
    struct writer writer;
    writer_init(&writer, out);
    writer.pretty = true;
    writer_object(&writer);
    writer_key(&writer, "states");
    writer_array(&writer);
    for (int i = 0; i < STATE_COUNT; i++) {
        const struct state_info *info = state_get((enum state)i);
        writer_object(&writer);
        writer_key_text(&writer, "name", info->name);
        writer_key_text(&writer, "status", info->status);
        writer_key_text(&writer, "shape", shape_words[info->shape]);
        writer_key_text(&writer, "title", info->title);
        writer_key_bool(&writer, "final", info->rest == REST_FINAL);
        writer_object_end(&writer);
    }
    writer_array_end(&writer);
    writer_key(&writer, "moves");
    writer_array(&writer);
    for (size_t m = 0; m < count; m++) {
        writer_object(&writer);
        writer_key_text(&writer, "from", state_name(moves[m].from));
        writer_key_text(&writer, "event", event_name(moves[m].event));
        writer_key_text(&writer, "to", state_name(moves[m].to));
        writer_object_end(&writer);
    }
    writer_array_end(&writer);
    writer_object_end(&writer);
    (void)buf_char(out, '\n');
}

static void print_mermaid(struct buf *out)
{
    size_t count = 0;
    const struct move *moves = moves_table(&count);
    (void)buf_text(out, "stateDiagram-v2\n    [*] --> INITIALIZING\n");
    for (size_t m = 0; m < count; m++) {
        bool first = true; /* rows between the same two states share one arrow */
        for (size_t n = 0; n < m; n++) {
            first =
                first && !(moves[n].from == moves[m].from && moves[n].to == moves[m].to);
        }
        if (!first) {
            continue;
        }
        (void)buf_format(out, "    %s --> %s: %s", state_name(moves[m].from),
                         state_name(moves[m].to), event_name(moves[m].event));
        for (size_t n = m + 1; n < count; n++) {
            if (moves[n].from == moves[m].from && moves[n].to == moves[m].to) {
                (void)buf_format(out, ", %s", event_name(moves[n].event));
            }
        }
        (void)buf_char(out, '\n');
    }
    for (int i = 0; i < STATE_COUNT; i++) {
        if (state_get((enum state)i)->rest == REST_FINAL) {
            (void)buf_format(out, "    %s --> [*]\n", state_name((enum state)i));
        }
    }
}

static void print_markdown(struct buf *out)
{
    size_t count = 0;
    const struct move *moves = moves_table(&count);
    (void)buf_text(
        out,
        "# States and transitions\n\nGenerated from `src/agent/states.def`, `events.def`"
        " and `moves.def`; do not edit by hand.\n\n"
        "| state | status | shape | event → next |\n|---|---|---|---|\n");
    for (int i = 0; i < STATE_COUNT; i++) {
        const struct state_info *info = state_get((enum state)i);
        (void)buf_format(out, "| %s | %s | %s | ", info->name, info->status,
                         shape_words[info->shape]);
        const char *gap = "";
        for (size_t m = 0; m < count; m++) {
            if (moves[m].from == (enum state)i) {
                (void)buf_format(out, "%s%s → %s", gap, event_name(moves[m].event),
                                 state_name(moves[m].to));
                gap = " · ";
            }
        }
        (void)buf_format(out, "%s |\n", info->rest == REST_FINAL ? "final" : "");
    }
    (void)buf_text(out,
                   "\nIn every state that is not final: STOP → STOPPED; SPENT, DEADLINE,"
                   " INTERRUPTED → FAILED.\nIn every ask state: LLM_DOWN, BAD_REPLY → the"
                   " same state another way; GIVE_UP → FAILED.\n\n## Events\n\n"
                   "| event | meaning |\n|---|---|\n");
    for (int i = 0; i < EVENT_COUNT; i++) {
        (void)buf_format(out, "| %s | %s |\n", event_name((enum event)i),
                         event_meaning((enum event)i));
    }
    (void)buf_text(out, "\n## Drawing\n\n```mermaid\n");
    print_mermaid(out);
    (void)buf_text(out, "```\n");
}

bool moves_print(const char *format, struct buf *out)
{
    static const struct {
        const char *name;
        void (*print)(struct buf *out);
    } formats[] = {{"text", print_text},
                   {"json", print_json},
                   {"mermaid", print_mermaid},
                   {"markdown", print_markdown}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(formats[i].name, format) == 0) {
            formats[i].print(out);
            return true;
        }
    }
    return false;
}
