/* dragoman guard: tells whether the guard allows a statement. */
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/input.h"
#include "cli/report.h"

static const struct flag flags[] = {
    FLAG_CHOICE("dialect", "DIALECT",
                "sqlite|duckdb|postgres|mysql|clickhouse|bigquery|odbc",
                "SQL dialect (with --db: detected)"),
    FLAG_VALUE("db", "URL|PATH", "Also check the names against this database"),
    FLAG_JSON("Print the verdict as JSON, with the tables and columns read"),
};

static void print_verdict(struct cli *cli, const struct dgm_verdict *verdict,
                          const char *sql)
{
    struct out *out = &cli->out;
    const char *word = verdict->allowed      ? "allowed"
                       : verdict->unparsable ? "unparsable"
                       : verdict->is_write   ? "refused (a write)"
                                             : "refused";
    out_shade(out, verdict->allowed ? SHADE_GREEN : SHADE_RED);
    out_text(out, word);
    out_shade(out, SHADE_PLAIN);
    if (!verdict->allowed) {
        out_text(out, ": ");
        out_foreign(out, *verdict->reason    ? verdict->reason
                         : verdict->is_write ? "This statement changes data."
                                             : "This statement does not only read.");
    }
    out_text(out, "\n");
    if (!verdict->allowed) {
        report_caret(out, sql, verdict->position);
    }
}

static int guard_run(struct cli *cli)
{
    struct err err;
    err_clear(&err);
    const char *dialect = arguments_value(&cli->arguments, "dialect");
    bool with_db = arguments_has(&cli->arguments, "db");
    if (!dialect && !with_db) {
        (void)err_set(&err, ERR_USAGE, "Give the dialect with --dialect or --db.");
        (void)err_hint(&err, "For example: dragoman guard --dialect sqlite \"select 1\"");
        return report_err(cli, &err);
    }
    const char *sql = input_text(cli, "SQL", &err);
    if (!sql) {
        return report_err(cli, &err);
    }
    struct dgm_error error = {.position = -1};
    if (with_db && !cli_open(cli, NEEDS_DATASOURCE, &error)) {
        return report_error(cli, &error);
    }
    if (with_db && !cli->datasource) {
        (void)err_set(&err, ERR_USAGE, "The guard checks one database at a time.");
        return report_err(cli, &err);
    }
    struct dgm_verdict verdict = {.position = -1};
    if (!dgm_guard(with_db ? cli->dgm : NULL, cli->datasource, dialect, sql, strlen(sql),
                   &verdict, &error)) {
        return report_error(cli, &error);
    }
    char *json = cli->json
                     ? dgm_guard_json(with_db ? cli->dgm : NULL, NULL, cli->datasource,
                                      dialect, sql, strlen(sql), &error)
                     : NULL;
    if (json) {
        out_text(&cli->out, json);
        out_text(&cli->out, "\n");
        dgm_free(json);
    } else {
        print_verdict(cli, &verdict, sql);
    }
    return verdict.allowed ? 0 : err_exit_status(ERR_UNSAFE);
}

const struct command command_guard = {
    .name = "guard",
    .group = GROUP_LOOK,
    .words = "[SQL]",
    .summary = "Check whether SQL only reads, without running it",
    .about = "Exit status 0: the SQL is a single statement that only reads. 3: it is "
             "refused, not\n"
             "understood, or a write; the reason and the position are printed.\n"
             "Without SQL (or with -) it is read from standard input.",
    .examples = "dragoman guard --dialect postgres \"select * from orders\"\n"
                "dragoman guard --db shop.db \"select city from customers\"",
    .flags = flags,
    .flag_count = FLAG_COUNT(flags),
    .most_words = SIZE_MAX,
    .needs = NEEDS_NOTHING,
    .run = guard_run,
};
