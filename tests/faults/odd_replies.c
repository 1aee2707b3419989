/*
 * A model may say anything: every stage gets replies of the wrong type, shape and size.
 * Whatever it says, the question rests in a state that may be shown and nothing is
 * written.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "faults/answer_check.h"

enum { WATCHDOG_MS = 300000, TEXT_MOST = 4 * 1024 * 1024 };

static const char *const odd[] = {
    "",
    "null",
    "[]",
    "{}",
    "7",
    "-0.5e3",
    "true",
    "\"sql\"",
    "{",
    "}",
    "[[[[",
    "{{}}",
    "```",
    "```json\n```",
    "```sql\n```",
    "---",
    "...",
    "- a\n- b",
    ": :",
    "&a *a",
    "{\"sql\": null}",
    "{\"sql\": 5}",
    "{\"sql\": []}",
    "{\"sql\": \"\"}",
    "{\"sql\": \" ; \"}",
    "{\"sql\": \"\\u0000\"}",
    "{\"sql\": \"--\"}",
    "{\"sql\": \"/*\"}",
    "{\"sql\": \"SELECT '\"}",
    "{\"sql\": \"DROP TABLE flights\"}",
    "{\"sql\": \"SELECT 1; DELETE FROM flights\"}",
    "{\"sql\": \"DELETE FROM flights\"}",
    "{\"sql\": {\"sql\": \"SELECT 1\"}, \"intent\": {}, \"tables\": {}}",
    "{\"intent\": 7, \"sql\": \"SELECT 1\"}",
    "{\"intent\": \"\"}",
    "{\"intent\": \"CLARIFICATION_NEEDED\"}",
    "{\"intent\": \"CLARIFICATION_NEEDED\", \"clarification\": \"which?\"}",
    "{\"intent\": \"CLARIFICATION_NEEDED\", \"clarification\": {\"question\": 5, "
    "\"options\": 7}}",
    "{\"clarification\": {\"question\": \"?\", \"options\": [1, null, {}, [], \"\", "
    "{\"label\": 3}]}}",
    "{\"intent\": \"GENERAL\", \"reply\": {}}",
    "{\"intent\": \"GENERAL\"}",
    "{\"tables\": \"flights\"}",
    "{\"tables\": [1, null, [], {}, \"\", {\"name\": 5}]}",
    "{\"tables\": [{\"name\": \"flights\", \"confidence\": \"high\", \"columns\": 3}]}",
    "{\"tables\": [{\"name\": \"flights\", \"is_relevant\": \"yes\"}], \"joins\": \"x\"}",
    "{\"tables\": [\"flights\", \"flights\", \"FLIGHTS\", \"airports\"], \"joins\": "
    "[1, {}, \"a=b\", {\"condition\": 4}, {\"condition\": \"=\"}]}",
    "{\"tables\": [\"sqlite_master\", \"../../etc\", \"a.b.c.d\", \"'; DROP\"]}",
    "{\"is_relevant\": \"maybe\"}",
    "{\"is_relevant\": true}",
    "{\"name\": null, \"is_relevant\": true}",
    "{\"final_tables\": null}",
    "{\"final_tables\": {}}",
    "{\"final_tables\": [null, 3, \"nothing\"]}",
    "{\"joins_needed\": \"no\", \"filters\": {}, \"aggregations\": 3, \"ordering\": []}",
    "{\"joins\": null}",
    "{\"joins\": [{\"condition\": \"x.y = \"}]}",
    "{\"summary\": []}",
    "{\"summary\": \"\\t\\n\"}",
    "{\"steps\": \"one\"}",
    "{\"steps\": [[], {\"step\": {}}, {\"step\": \"x\"}]}",
    "{\"plan\": 1}",
    "{\"error_type\": 5, \"root_cause\": [], \"suggestion\": {}}",
    "{\"error_type\": \"WRONG_TABLES\", \"root_cause\": \"x\"}",
    "{\"error_type\": \"TIMEOUT\", \"root_cause\": \"x\"}",
    "{\"question\": [], \"options\": \"x\"}",
    "{\"question\": \"\"}",
    "{\"question\": \"%s %n %d\", \"options\": [\"%s\", \"%n\"]}",
    "{\"reply\": 7}",
    "{\"reply\": \"%s%n\"}",
    "\xff\xfe\xfd",
    "{\"sql\": \"\xff\"}",
    "sql: [unclosed",
    "tables:\n  - name: flights\nsql: SELECT 1 FROM flights",
};

enum { ODD_COUNT = sizeof odd / sizeof *odd };

struct stage_lines {
    const char *stage;
    const char *mode;
    const char *question;
    const char *broken_sql; /* GENERATE_SQL's, when a correction is wanted */
};

static const struct stage_lines stages[] = {
    {"understand", "auto", "How many flights leave from each city?", NULL},
    {"parse_intent", "phased", "How many flights leave from each city?", NULL},
    {"evaluate_tables", "phased", "How many flights leave from each city?", NULL},
    {"evaluate_table", "per_table", "How many flights leave from each city?", NULL},
    {"refine_tables", "phased", "How many flights leave from each city?", NULL},
    {"synthesize", "phased", "How many flights leave from each city?", NULL},
    {"infer_joins", "phased", "How many flights leave from each city?", NULL},
    {"summarize_intent", "phased", "How many flights leave from each city?", NULL},
    {"ask_clarification", "phased", "show me flights", NULL},
    {"plan_query", "phased", "How many flights leave from each city?", NULL},
    {"generate_sql", "phased", "How many flights leave from each city?", NULL},
    {"diagnose_error", "phased", "How many flights leave from each city?",
     "SELECT COUNT(* FROM flights"},
    {"correct_sql", "phased", "How many flights leave from each city?",
     "SELECT COUNT(* FROM flights"},
    {"reply", "phased", "Do you like cheese?", NULL},
};

static const char *const good[][2] = {
    {"evaluate_tables",
     "{\"tables\": [{\"name\": \"flights\", \"is_relevant\": true}, {\"name\": "
     "\"airports\", \"is_relevant\": true}]}"},
    {"evaluate_table", "{\"name\": \"flights\", \"is_relevant\": true}"},
    {"refine_tables", "{\"final_tables\": [\"flights\", \"airports\"]}"},
    {"synthesize", "{\"joins_needed\": true}"},
    {"infer_joins",
     "{\"joins\": [{\"condition\": \"flights.origin_id = airports.id\"}]}"},
    {"summarize_intent", "{\"summary\": \"Flights by city.\"}"},
    {"ask_clarification", "{\"question\": \"Which?\", \"options\": [\"all\"]}"},
    {"plan_query", "{\"steps\": [\"Count.\"]}"},
    {"diagnose_error", "{\"error_type\": \"SYNTAX\", \"root_cause\": \"x\"}"},
    {"correct_sql", "{\"sql\": \"SELECT COUNT(*) AS n FROM flights\"}"},
    {"reply", "{\"reply\": \"Yes.\"}"},
    {"understand", "{\"sql\": \"SELECT COUNT(*) AS n FROM flights\"}"},
};

static void add_line(struct buf *text, const char *stage, const char *reply)
{
    (void)buf_format(text, "--- llm %s repeat\n---\n%s\n", stage, reply);
}

/* A case in which one stage says something odd and the others what they should. */
static struct case_file *make_case(struct arena *arena, const struct stage_lines *stage,
                                   const char *reply, const char *path)
{
    struct buf text;
    struct err err;
    buf_init(&text, TEXT_MOST);
    (void)buf_format(&text, "fixture: flights.sql\nset: understanding.mode=%s\n",
                     stage->mode);
    add_line(&text, stage->stage, reply);
    bool general = str_equal(stage->stage, "reply");
    add_line(&text, "parse_intent",
             general ? "{\"intent\": \"GENERAL\"}" : "{\"intent\": \"TEXT_TO_SQL\"}");
    add_line(&text, "generate_sql",
             arena_format(arena, "{\"sql\": \"%s\"}",
                          stage->broken_sql ? stage->broken_sql
                                            : "SELECT COUNT(*) AS n FROM flights"));
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        add_line(&text, good[i][0], good[i][1]);
    }
    (void)buf_format(&text, "--- ask %s\n", stage->question);
    bool ok = file_write(path, text.data, text.size, &err);
    buf_release(&text);
    return ok ? case_load(path) : NULL;
}

static int play(const struct case_file *file)
{
    struct player player = {.timeout_ms = WATCHDOG_MS, .light = true};
    struct played played;
    int failures = player_open(&player, file) && library_open(&player) ? 0 : 1;
    if (!failures) {
        uint64_t before = player_fingerprint(&player);
        const struct case_step *step = &file->steps.items[0];
        failures += library_step(&player, step, &played)
                        ? answer_check(&player, step, &played)
                        : 1;
        failures += before != player_fingerprint(&player);
    }
    library_close(&player);
    player_close(&player);
    return failures;
}

/* Things too long or too deep to write down above. */
static const char *large_reply(struct arena *arena, int index)
{
    static const char *const forms[] = {"{\"sql\": \"SELECT ", "[",
                                        "{\"tables\": [\"x\",", "{\"summary\": \"", "("};
    static const char *const fill[] = {"1 + ", "[", "\"flights\",", "word ", "("};
    struct buf text;
    buf_init(&text, TEXT_MOST);
    (void)buf_text(&text, forms[index]);
    for (int i = 0; i < 20000; i++) {
        (void)buf_text(&text, fill[index]);
    }
    (void)buf_text(&text, index == 0 ? "1\"}" : index == 2 ? "\"y\"]}" : "\"}");
    const char *reply = buf_clone(&text, arena);
    buf_release(&text);
    return reply;
}

int main(void)
{
    enum { LARGE = 5 };
    int failures = 0;
    int plays = 0;
    char path[] = "/tmp/dragoman-odd-XXXXXX";
    int made = mkstemp(path);
    for (size_t s = 0; made >= 0 && s < sizeof stages / sizeof *stages; s++) {
        for (int i = 0; i < ODD_COUNT + LARGE; i++) {
            struct arena *arena = arena_new();
            const char *reply =
                i < ODD_COUNT ? odd[i] : large_reply(arena, i - ODD_COUNT);
            struct case_file *file = make_case(arena, &stages[s], reply, path);
            int bad = file ? play(file) : 1;
            if (bad) {
                (void)fprintf(stderr, "%s said: %.200s\n", stages[s].stage, reply);
            }
            failures += bad;
            plays++;
            case_free(file);
            arena_free(arena);
        }
    }
    (void)remove(path);
    (void)printf("%d plays, %d failures\n", plays, failures);
    return failures || plays == 0 ? 1 : 0;
}
