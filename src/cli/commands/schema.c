/* dragoman schema: shows the schema of a database. */
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/grid.h"
#include "cli/report.h"
#include "cli/schema_text.h"
#include "cli/watch.h"

static const struct flag flags[] = {
    FLAG_DB,
    FLAG_DATASET,
    FLAG_CHOICE("format", "FORMAT", "text|json|mermaid", "How the schema is printed"),
    FLAG_JSON("The same as --format json"),
    FLAG_SWITCH("mermaid", 0, "The same as --format mermaid: a diagram of the tables"),
    FLAG_SWITCH("questions", 0, "Suggest questions instead of showing the schema"),
    FLAG_SWITCH("watch", 0, "Show what changes, until Ctrl-C; with --json a line each"),
    FLAG_VALUE("interval", "SECONDS",
               "With --watch: seconds between two checks (default 5)"),
};

/* One per line, to be asked as they stand. */
static int print_questions(struct cli *cli)
{
    struct err err;
    struct dgm_error error = {.position = -1};
    char *text = dgm_suggestions(cli->dgm, cli->datasource, &error);
    if (!text) {
        return report_error(cli, &error);
    }
    const json_t *list = json_parse(cli->arena, text, strlen(text), &err);
    if (cli->json) {
        json_print(&cli->out, text);
    }
    for (size_t i = 0; !cli->json && i < json_array_size(list); i++) {
        out_foreign(&cli->out, json_string_value(json_array_get(list, i)));
        out_text(&cli->out, "\n");
    }
    dgm_free(text);
    return 0;
}

static int schema_run(struct cli *cli)
{
    if (arguments_has(&cli->arguments, "questions")) {
        return print_questions(cli);
    }
    if (arguments_has(&cli->arguments, "watch")) {
        return watch_run(cli, arguments_value(&cli->arguments, "interval"));
    }
    const char *format = arguments_value(&cli->arguments, "format");
    format = cli->json                                   ? "json"
             : arguments_has(&cli->arguments, "mermaid") ? "mermaid"
             : format                                    ? format
                                                         : "text";
    struct dgm_error error = {.position = -1};
    if (str_equal(format, "text")) {
        const struct texts *words = &cli->arguments.words;
        const char *table = words->count ? words->items[0] : NULL;
        return schema_text_print(cli, cli->datasource, table, &error)
                   ? 0
                   : report_error(cli, &error);
    }
    char *text = dgm_schema(cli->dgm, cli->datasource, format, &error);
    if (!text) {
        return report_error(cli, &error);
    }
    if (str_equal(format, "json")) {
        json_print(&cli->out, text);
    } else {
        out_foreign(&cli->out, text);
        out_text(&cli->out, str_ends(text, "\n") ? "" : "\n");
    }
    dgm_free(text);
    return 0;
}

const struct command command_schema = {
    .name = "schema",
    .group = GROUP_LOOK,
    .words = "[TABLE]",
    .summary = "Show the tables, columns and keys of a database",
    .about =
        "As text for people (all tables or one), as JSON for programs, or as a diagram.",
    .examples = "dragoman schema --db shop.db\n"
                "dragoman schema --db shop.db orders\n"
                "dragoman schema --db shop.db --mermaid > schema.mmd\n"
                "dragoman schema --db shop.db --questions\n"
                "dragoman schema --db shop.db --watch --interval 1",
    .flags = flags,
    .flag_count = FLAG_COUNT(flags),
    .most_words = 1,
    .needs = NEEDS_DATASOURCE,
    .run = schema_run,
};
