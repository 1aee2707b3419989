/* dragoman schema --watch: what changes, as it changes. */
#include "cli/watch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/grid.h"
#include "cli/report.h"

enum { INTERVAL_MS = 5000, INTERVAL_LEAST_MS = 50, INTERVAL_MOST_MS = 86400000 };

enum { LINE_MOST = 1 << 26 };

struct watching {
    struct cli *cli;
    struct dgm_watch *watch;
    int64_t interval_ms;
    bool silent; /* the database did not answer the last time */
};

static bool interval_read(const char *text, int64_t *interval_ms, struct err *err)
{
    double seconds = 0;
    *interval_ms = INTERVAL_MS;
    if (!text) {
        return true;
    }
    if (!str_to_real(text, &seconds) || seconds * 1000 < INTERVAL_LEAST_MS ||
        seconds * 1000 > INTERVAL_MOST_MS) {
        (void)err_set(err, ERR_USAGE, "'%.40s' is not a valid interval.", text);
        return err_hint(err, "Give seconds, from 0.05 to 86400: --interval 5");
    }
    *interval_ms = (int64_t)(seconds * 1000);
    return true;
}

static void pause_ms(int64_t ms)
{
    struct timespec left = {.tv_sec = (time_t)(ms / 1000),
                            .tv_nsec = (long)(ms % 1000) * 1000000L};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {}
}

/* "+ column orders.note text", "~ index by_name on item: (a) -> (b)" */
static void print_change(struct out *out, struct arena *arena, const json_t *change)
{
    const char *kind = json_text_at(change, "change");
    const char *what = json_text_at(change, "what");
    const char *table = json_text_at(change, "table");
    const char *name = json_text_at(change, "name");
    const char *from = json_text_at(change, "from");
    const char *to = json_text_at(change, "to");
    bool added = str_equal(kind, "added");
    bool removed = str_equal(kind, "removed");
    bool index = str_equal(what, "index");
    out_shade(out, added ? SHADE_GREEN : removed ? SHADE_RED : SHADE_YELLOW);
    out_text(out, added ? "+ " : removed ? "- " : "~ ");
    out_text(out, what);
    out_shade(out, SHADE_PLAIN);
    if (!table) {
        out_text(out, ": changed, but not in its tables, columns and keys\n");
        return;
    }
    const char *place = !name   ? arena_format(arena, " %s", table)
                        : index ? arena_format(arena, " %s on %s", name, table)
                                : arena_format(arena, " %s.%s", table, name);
    out_foreign(out, place);
    if (from && to) {
        const char *arrow = out->utf8 ? "→" : "->";
        out_foreign(out, arena_format(arena, ": %s %s %s", from, arrow, to));
    } else if (from || to) {
        out_foreign(out, arena_format(arena, " %s", from ? from : to));
    }
    out_text(out, "\n");
}

/* One object per line, so that a program can read along. */
static void print_line(struct watching *watching, const char *at, json_t *change)
{
    (void)json_object_set_new(change, "at", json_string(at));
    (void)json_object_set_new(change, "datasource",
                              json_string(dgm_watch_datasource(watching->watch)));
    struct buf line;
    buf_init(&line, LINE_MOST);
    (void)json_write(change, &line);
    out_text(&watching->cli->out, buf_get(&line));
    out_text(&watching->cli->out, "\n");
    buf_release(&line);
}

static void print_changes(struct watching *watching, const char *text)
{
    struct cli *cli = watching->cli;
    struct err err;
    struct arena *arena = arena_new();
    const json_t *list = json_parse(arena, text, strlen(text), &err);
    const char *at = clock_iso(arena, clock_wall_s());
    if (json_array_size(list) && !cli->json) {
        out_shade(&cli->out, SHADE_DIM);
        out_format(&cli->out, "%s at %s\n", dgm_watch_datasource(watching->watch), at);
        out_shade(&cli->out, SHADE_PLAIN);
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *change = json_array_get(list, i);
        if (cli->json) {
            print_line(watching, at, change);
        } else {
            print_change(&cli->out, arena, change);
        }
    }
    out_flush(&cli->out);
    arena_free(arena);
}

/* A database that goes away is said once, and so is its coming back. */
static void watch_look(struct watching *watching)
{
    struct cli *cli = watching->cli;
    struct dgm_error error = {.position = -1};
    char *text = dgm_watch_look(watching->watch, &error);
    if (!text && !watching->silent) {
        out_foreign(&cli->err, error.message);
        out_text(&cli->err, " Still watching.\n");
    } else if (text && watching->silent) {
        out_text(&cli->err, "It answers again.\n");
    }
    out_flush(&cli->err);
    watching->silent = text == NULL;
    if (text) {
        print_changes(watching, text);
        dgm_free(text);
    }
}

int watch_run(struct cli *cli, const char *interval)
{
    struct err err;
    struct dgm_error error = {.position = -1};
    struct watching watching = {.cli = cli};
    if (!interval_read(interval, &watching.interval_ms, &err)) {
        return report_err(cli, &err);
    }
    watching.watch = dgm_watch_open(cli->dgm, cli->datasource, &error);
    if (!watching.watch) {
        return report_error(cli, &error);
    }
    if (!cli->quiet) {
        out_foreign(&cli->err, dgm_watch_datasource(watching.watch));
        out_format(&cli->err, " is looked at every %g s; Ctrl-C ends it.\n",
                   (double)watching.interval_ms / 1000.0);
        out_flush(&cli->err);
    }
    while (!out_failed(&cli->out)) {
        pause_ms(watching.interval_ms);
        watch_look(&watching);
    }
    dgm_watch_close(watching.watch);
    return 0;
}
