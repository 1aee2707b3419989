/* dragoman source: adds datasources without editing the configuration. */
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/grid.h"
#include "cli/report.h"

enum { URL_CEILING = 8192 };

static const struct flag flags[] = {
    FLAG_VALUE("id", "ID", "With add: its name (default: derived from the URL)"),
    FLAG_VALUE("description", "TEXT", "With add: what it contains"),
    FLAG_JSON("Print the list as JSON"),
};

static const char *source_word(const struct cli *cli, size_t index)
{
    const struct texts *words = &cli->arguments.words;
    return index < words->count ? words->items[index] : NULL;
}

/* What was given is not said again: it may be a URL with a password in it. */
static int usage(struct cli *cli)
{
    struct err err;
    (void)err_set(&err, ERR_USAGE,
                  "The command for datasources is missing or incomplete.");
    (void)err_hint(&err,
                   "dragoman source add URL [--id ID] | list | remove ID | test ID");
    return report_err(cli, &err);
}

/* "-": from standard input, so that no password stands in a list of processes. */
static int source_add(struct cli *cli)
{
    struct err err;
    struct dgm_error error = {.position = -1};
    const char *url = source_word(cli, 1);
    if (url && str_equal(url, "-")) {
        size_t size = 0;
        char *text = file_read_stdin(cli->arena, URL_CEILING, &size, &err);
        if (!text) {
            return report_err(cli, &err);
        }
        text[strcspn(text, "\r\n")] = '\0';
        url = text;
    }
    if (!url) {
        return usage(cli);
    }
    char *id = dgm_source_add(cli->dgm, arguments_value(&cli->arguments, "id"), url,
                              arguments_value(&cli->arguments, "description"), &error);
    if (!id) {
        return report_error(cli, &error);
    }
    out_foreign(&cli->out, id);
    out_text(&cli->out, "\n");
    dgm_free(id);
    return 0;
}

static int list(struct cli *cli)
{
    static const char *heads[] = {"id", "kind", "url", "from", "description"};
    struct err err;
    char *text = dgm_datasources(cli->dgm);
    if (cli->json) {
        json_print(&cli->out, text);
        dgm_free(text);
        return 0;
    }
    const json_t *sources = json_parse(cli->arena, text, strlen(text), &err);
    dgm_free(text);
    size_t count = json_array_size(sources);
    struct grid grid = {.columns = heads, .column_count = 5, .row_count = count};
    grid.cells = arena_array(cli->arena, count * grid.column_count, sizeof *grid.cells);
    for (size_t i = 0; i < count; i++) {
        const json_t *source = json_array_get(sources, i);
        const char *cells[] = {json_text_at(source, "id"), json_text_at(source, "kind"),
                               json_text_at(source, "url"),
                               json_bool_at(source, "added", false) ? "added"
                                                                    : "configuration",
                               json_text_at(source, "description")};
        for (size_t c = 0; c < 5; c++) {
            const char *cell = cells[c] ? cells[c] : "";
            grid.cells[i * 5 + c] = (struct dgm_cell){.text = cell, .size = strlen(cell)};
        }
    }
    (void)table_print(&cli->out, &grid, 0);
    return 0;
}

static void source_tell(void *context, const struct dgm_check *check)
{
    struct cli *cli = context;
    out_text(&cli->out, check->warning ? "WARN " : check->ok ? "ok   " : "FAIL ");
    out_foreign(&cli->out, check->name);
    out_text(&cli->out, ": ");
    out_foreign(&cli->out, check->text);
    out_text(&cli->out, "\n");
    for (size_t i = 0; i < check->line_count; i++) {
        out_text(&cli->out, "    ");
        out_foreign(&cli->out, check->lines[i]);
        out_text(&cli->out, "\n");
    }
}

static int test(struct cli *cli)
{
    const char *id = source_word(cli, 1);
    int failed = id ? dgm_source_test(cli->dgm, id, source_tell, cli) : -1;
    if (failed >= 0) {
        return failed ? 1 : 0;
    }
    struct err err;
    (void)err_set(&err, ERR_DATASOURCE_NOT_FOUND, "There is no datasource '%.64s'.",
                  id ? id : "");
    (void)err_hint(&err, "'dragoman source list' names them.");
    return report_err(cli, &err);
}

static int source_run(struct cli *cli)
{
    const char *what = source_word(cli, 0);
    struct dgm_error error = {.position = -1};
    if (source_word(cli, 2)) {
        return usage(cli);
    }
    if (str_equal(what ? what : "", "add")) {
        return source_add(cli);
    }
    if (!what || str_equal(what, "list")) {
        return list(cli);
    }
    if (str_equal(what, "test")) {
        return test(cli);
    }
    if (str_equal(what, "remove") && source_word(cli, 1)) {
        return dgm_source_remove(cli->dgm, source_word(cli, 1), &error)
                   ? 0
                   : report_error(cli, &error);
    }
    return usage(cli);
}

const struct command command_source = {
    .name = "source",
    .group = GROUP_KEEP,
    .words = "add|list|remove|test [URL|ID]",
    .summary = "Add, list, test and remove databases",
    .about =
        "Added databases are saved in the store, with their URL encrypted. The settings\n"
        "sources.folders and sources.hosts must allow them. If URL is -, it is read\n"
        "from standard input.",
    .examples = "dragoman source list\n"
                "dragoman source add --id sales - < url.txt\n"
                "dragoman source test sales",
    .flags = flags,
    .flag_count = FLAG_COUNT(flags),
    .most_words = 3,
    .needs = NEEDS_INSTANCE,
    .run = source_run,
};
