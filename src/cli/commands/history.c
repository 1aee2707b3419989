/* dragoman history: lists earlier questions. */
#include "base/err.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/objects.h"
#include "cli/report.h"

static const struct flag flags[] = {
    FLAG_VALUE("source", "ID", "Only questions about this datasource"),
    FLAG_VALUE("limit", "N", "Maximum number of questions (default 100)"),
    FLAG_VALUE("skip", "N", "Skip the newest N"),
    FLAG_VALUE("forget", "ID", "Delete question ID, or 'all'"),
    FLAG_FORMAT,
    FLAG_JSON("Print them as JSON"),
    FLAG_ROWS,
};

static int forget(struct cli *cli, const char *id)
{
    struct dgm_error error = {.position = -1};
    int64_t count =
        dgm_history_remove(cli->dgm, NULL, str_equal(id, "all") ? NULL : id, &error);
    if (count < 0) {
        return report_error(cli, &error);
    }
    report_note(cli, arena_format(cli->arena, "%lld question%s forgotten.",
                                  (long long)count, count == 1 ? "" : "s"));
    return 0;
}

static int history_run(struct cli *cli)
{
    static const char *const columns[] = {"created_at", "query_id", "status",
                                          "question",   "sql",      NULL};
    struct err err;
    struct dgm_error error = {.position = -1};
    const struct arguments *arguments = &cli->arguments;
    const char *limit = arguments_value(arguments, "limit");
    const char *skip = arguments_value(arguments, "skip");
    struct dgm_history_query query = {
        .search = arguments->words.count ? arguments->words.items[0] : NULL,
        .datasource = arguments_value(arguments, "source")};
    if ((limit && (!str_to_int(limit, &query.limit) || query.limit < 1)) ||
        (skip && (!str_to_int(skip, &query.offset) || query.offset < 0))) {
        (void)err_set(&err, ERR_USAGE, "--limit and --skip need numbers.");
        return report_err(cli, &err);
    }
    if (arguments_has(arguments, "forget")) {
        return forget(cli, arguments_value(arguments, "forget"));
    }
    char *text = dgm_history(cli->dgm, NULL, &query, &error);
    return text ? objects_print(cli, text, "questions", columns, "Nothing was found.")
                : report_error(cli, &error);
}

const struct command command_history = {
    .name = "history",
    .group = GROUP_KEEP,
    .words = "[TEXT]",
    .summary = "List, search and delete earlier questions",
    .about =
        "With TEXT, only questions that contain it, in their words or their SQL. The\n"
        "history is kept for session.history_days days, longer than the answers.",
    .examples = "dragoman history\ndragoman history revenue\n"
                "dragoman history --forget all",
    .flags = flags,
    .flag_count = FLAG_COUNT(flags),
    .most_words = 1,
    .needs = NEEDS_INSTANCE,
    .run = history_run,
};
