/* dragoman selftest: runs the shipped attacks against scratch databases. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "base/writer.h"
#include "cli/cli.h"
#include "dragoman_lab.h"
#include "cli/grid.h"
#include "cli/report.h"
#include "server/server.h"

enum { JSON_CEILING = 1 << 20 };

static const struct flag flags[] = {
    FLAG_SWITCH("attacks", 0, "Run the shipped attacks (the default)"),
    FLAG_VALUE("db", "URL", "Attack the scratch shop on this server instead"),
    FLAG_MANY("superuser", "URL",
              "Login of an administrator, which must be refused (repeatable)"),
    FLAG_CHOICE("setup", "DIALECT", "sqlite|duckdb|postgres|mysql",
                "Print the SQL that creates the scratch shop, and exit"),
    FLAG_JSON("Print the table as a JSON array"),
};

struct attacking {
    struct cli *cli;
    struct buf json;
    struct writer writer;
    bool headed;
    struct dgm_trial sum;
};

static void write_trial(struct writer *writer, const struct dgm_trial *trial)
{
    writer_object(writer);
    writer_key_text(writer, "dialect", trial->dialect);
    writer_key_text(writer, "class", trial->class_name);
    writer_key_int(writer, "statements", trial->statements);
    writer_key_int(writer, "refused_by_guard", trial->by_guard);
    writer_key_int(writer, "refused_by_policy", trial->by_policy);
    writer_key_int(writer, "refused_by_engine", trial->by_engine);
    writer_key_int(writer, "harmless", trial->harmless);
    writer_key_int(writer, "breaches", trial->breaches);
    if (*trial->report) {
        writer_key_text(writer, "report", trial->report);
    }
    if (trial->login) {
        writer_key_text(writer, "login", trial->login);
    }
    writer_object_end(writer);
}

static void print_line(struct out *out, const struct dgm_trial *trial)
{
    out_format(out, "%-10s %-12s %10d %8d %8d %8d %9d ", trial->dialect,
               trial->class_name, trial->statements, trial->by_guard, trial->by_policy,
               trial->by_engine, trial->harmless);
    out_shade(out, trial->breaches ? SHADE_RED : SHADE_PLAIN);
    out_format(out, "%7d\n", trial->breaches);
    out_shade(out, SHADE_PLAIN);
}

static void report_trial(void *context, const struct dgm_trial *trial)
{
    struct attacking *attacking = context;
    struct out *out = &attacking->cli->out;
    struct dgm_trial *sum = &attacking->sum;
    sum->statements += trial->statements;
    sum->by_guard += trial->by_guard;
    sum->by_policy += trial->by_policy;
    sum->by_engine += trial->by_engine;
    sum->harmless += trial->harmless;
    sum->breaches += trial->breaches;
    if (attacking->cli->json) {
        write_trial(&attacking->writer, trial);
        return;
    }
    if (!attacking->headed) {
        out_shade(out, SHADE_BOLD);
        out_format(out, "%-10s %-12s %10s %8s %8s %8s %9s %7s\n", "dialect", "class",
                   "statements", "guard", "policy", "engine", "harmless", "BREACH");
        out_shade(out, SHADE_PLAIN);
        attacking->headed = true;
    }
    print_line(out, trial);
    out_foreign(out, trial->report);
    if (trial->login) {
        out_text(out, "The login ");
        out_foreign(out, trial->login);
        out_text(out, ".\n");
    }
    out_flush(out);
}

static int print_setup(struct cli *cli, const char *dialect)
{
    char *script = dgm_selftest_script(dialect);
    out_text(&cli->out, script ? script : "");
    dgm_free(script);
    return script ? 0 : 1;
}

/* Without a server to attack: all of this program. The server's part comes first, before
 * there are threads. */
static int play(struct cli *cli, struct attacking *attacking, struct dgm_error *error)
{
    enum { RULERS_MOST = 16 };
    const char *rulers[RULERS_MOST];
    struct dgm_selftest_request request = {.url = arguments_value(&cli->arguments, "db"),
                                           .rulers = rulers};
    const char *url;
    while (request.ruler_count < RULERS_MOST &&
           (url = arguments_each(&cli->arguments, "superuser", request.ruler_count))) {
        rulers[request.ruler_count++] = url;
    }
    bool here = !request.url && request.ruler_count == 0;
    int server = here ? server_trial(report_trial, attacking) : 0;
    int breaches = dgm_selftest(&request, report_trial, attacking, error);
    return breaches < 0 ? breaches : breaches + server;
}

static int selftest_run(struct cli *cli)
{
    const char *setup = arguments_value(&cli->arguments, "setup");
    if (setup) {
        return print_setup(cli, setup);
    }
    struct attacking attacking = {.cli = cli,
                                  .sum = {.dialect = "all", .class_name = ""}};
    struct dgm_error error = {.position = -1};
    buf_init(&attacking.json, JSON_CEILING);
    writer_init(&attacking.writer, &attacking.json);
    writer_array(&attacking.writer);
    int breaches = play(cli, &attacking, &error);
    writer_array_end(&attacking.writer);
    if (breaches >= 0 && cli->json) {
        json_print(&cli->out, buf_get(&attacking.json));
    } else if (breaches >= 0) {
        print_line(&cli->out, &attacking.sum);
        if (!cli->quiet) {
            out_text(
                &cli->out,
                breaches
                    ? "An attack succeeded. Please report this: SECURITY.md says how.\n"
                    : "Nothing got through.\n");
        }
    }
    buf_release(&attacking.json);
    return breaches < 0 ? report_error(cli, &error) : breaches ? 1 : 0;
}

const struct command command_selftest = {
    .name = "selftest",
    .group = GROUP_LOOK,
    .words = "",
    .summary = "Attack scratch databases to test the protection",
    .about =
        "Runs the attacks that are shipped with dragoman against new scratch\n"
        "databases (SQLite, DuckDB), or with --db against a scratch shop on a server:\n"
        "create it in a separate database with the SQL that --setup prints, and use a\n"
        "URL with the login that questions use. Your own databases are not used.\n"
        "Without --db and --superuser, it also tries these:\n"
        "  http     requests that two programs could read differently\n"
        "  server   what the server's sandbox forbids, in a child process\n"
        "  process  escaping from the sandbox of DuckDB\n"
        "  files    importing small files that unpack to more than the limits allow\n"
        "  line     failing TLS handshakes with a test server: nothing is sent in plain "
        "text\n  cells    reading cells that are longer than allowed (also with --db)\n"
        "Give --superuser a login with administrator rights (PostgreSQL, MariaDB,\n"
        "ClickHouse, ODBC): dragoman must refuse it.\n"
        "Exit status 0: no table changed, nothing forbidden was read, no file was\n"
        "created, limits of time and memory were kept. 1: an attack succeeded.",
    .examples = "dragoman selftest --attacks\n"
                "dragoman selftest --setup postgres | psql scratch\n"
                "dragoman selftest --attacks --db postgres://reader@localhost/scratch\n"
                "dragoman selftest --superuser postgres://postgres@localhost/scratch",
    .flags = flags,
    .flag_count = FLAG_COUNT(flags),
    .needs = NEEDS_NOTHING,
    .run = selftest_run,
};
