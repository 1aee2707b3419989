/* dragoman saved: saved queries. */
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "base/writer.h"
#include "cli/cli.h"
#include "cli/export.h"
#include "cli/instance.h"
#include "cli/objects.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/show.h"

enum { PARAMETERS_CEILING = 1 << 20 };

static const struct flag flags[] = {
    FLAG_DB,
    FLAG_VALUE("question", "TEXT", "With add: the question that the query answers"),
    FLAG_MANY("param", "NAME=VALUE",
              "With run: a value; with add: NAME:TYPE or NAME:TYPE=DEFAULT (repeatable)"),
    FLAG_FORMAT,
    FLAG_JSON("Print JSON"),
    FLAG_ROWS,
    FLAG_EXPORT,
};

static const char *saved_word(const struct cli *cli, size_t index)
{
    const struct texts *words = &cli->arguments.words;
    return index < words->count ? words->items[index] : NULL;
}

static int run_list(struct cli *cli, struct dgm_error *error)
{
    static const char *const columns[] = {"name", "datasource", "question", "sql", NULL};
    char *text = dgm_saved_list(cli->dgm, NULL, error);
    return text ? objects_print(cli, text, NULL, columns,
                                "There are no saved queries yet. 'dragoman saved add' "
                                "keeps one.")
                : report_error(cli, error);
}

static int run_show(struct cli *cli, struct dgm_error *error)
{
    char *text = dgm_saved_get(cli->dgm, NULL, saved_word(cli, 1), error);
    return text ? object_print(cli, text) : report_error(cli, error);
}

/* "least:integer=1" as {name, type, default}. */
static void write_declared(struct cli *cli, struct writer *writer, const char *given)
{
    const char *colon = strchr(given, ':');
    const char *equals = strchr(given, '=');
    size_t name = strcspn(given, ":=");
    writer_object(writer);
    writer_key_text(writer, "name", arena_copy(cli->arena, given, name));
    if (colon && (!equals || colon < equals)) {
        size_t size = equals ? (size_t)(equals - colon) - 1 : strlen(colon + 1);
        writer_key_text(writer, "type", arena_copy(cli->arena, colon + 1, size));
    }
    if (equals) {
        writer_key_text(writer, "default", equals + 1);
    }
    writer_object_end(writer);
}

/* The SQL of the last question that has some, with its words and its database. */
static bool take_last(struct cli *cli, struct dgm_saved *saved, struct dgm_error *error)
{
    enum { LOOK_BACK = 20 };
    const struct dgm_history_query query = {.limit = LOOK_BACK};
    struct err err;
    char *text = dgm_history(cli->dgm, NULL, &query, error);
    if (!text) {
        return false;
    }
    const json_t *history = json_parse(cli->arena, text, strlen(text), &err);
    dgm_free(text);
    size_t index = 0;
    const json_t *item = NULL;
    json_array_foreach(json_array_at(history, "questions"), index, item)
    {
        if (json_text_at(item, "sql") &&
            str_equal(json_text_at(item, "status"), "finished")) {
            saved->sql = json_text_at(item, "sql");
            saved->question =
                saved->question ? saved->question : json_text_at(item, "question");
            saved->datasource = json_text_at(item, "datasource");
            return instance_open_files(cli, json_text_at(item, "query_id"), error);
        }
    }
    (void)err_set(&err, ERR_USAGE, "No question with SQL was answered lately.");
    (void)err_hint(&err, "Ask one first, or give the SQL: dragoman saved add NAME SQL.");
    report_convert(&err, error);
    return false;
}

static int run_add(struct cli *cli, struct dgm_error *error)
{
    struct buf buf;
    struct writer writer;
    const char *given = NULL;
    buf_init(&buf, PARAMETERS_CEILING);
    writer_init(&writer, &buf);
    writer_array(&writer);
    for (size_t i = 0; (given = arguments_each(&cli->arguments, "param", i)); i++) {
        write_declared(cli, &writer, given);
    }
    writer_array_end(&writer);
    struct dgm_saved saved = {.name = saved_word(cli, 1),
                              .sql = saved_word(cli, 2),
                              .question = arguments_value(&cli->arguments, "question"),
                              .datasource = cli->datasource,
                              .parameters = buf_get(&buf)};
    bool known = saved.sql || take_last(cli, &saved, error);
    char *text = known ? dgm_saved_add(cli->dgm, NULL, &saved, error) : NULL;
    buf_release(&buf);
    return text ? object_print(cli, text) : report_error(cli, error);
}

static int run_rename(struct cli *cli, struct dgm_error *error)
{
    const struct dgm_saved saved = {.name = saved_word(cli, 2)};
    char *text = dgm_saved_change(cli->dgm, NULL, saved_word(cli, 1), &saved, error);
    int status = text ? 0 : report_error(cli, error);
    dgm_free(text);
    return status;
}

static int run_remove(struct cli *cli, struct dgm_error *error)
{
    return dgm_saved_remove(cli->dgm, NULL, saved_word(cli, 1), error)
               ? 0
               : report_error(cli, error);
}

static int run_run(struct cli *cli, struct dgm_error *error)
{
    struct show show;
    struct buf buf;
    struct writer writer;
    const char *given = NULL;
    if (!show_init(&show, cli)) {
        return err_exit_status(ERR_USAGE);
    }
    buf_init(&buf, PARAMETERS_CEILING);
    writer_init(&writer, &buf);
    writer_object(&writer);
    for (size_t i = 0; (given = arguments_each(&cli->arguments, "param", i)); i++) {
        const char *equals = strchr(given, '=');
        writer_key_text(&writer, arena_copy(cli->arena, given, strcspn(given, "=")),
                        equals ? equals + 1 : "");
    }
    writer_object_end(&writer);
    struct dgm_request request = {0};
    progress_attach(cli, &request);
    struct dgm_question *question =
        dgm_saved_run(cli->dgm, saved_word(cli, 1), buf_get(&buf), &request, error);
    buf_release(&buf);
    if (!question) {
        return report_error(cli, error);
    }
    const struct dgm_answer *answer = progress_wait(cli, question);
    int status = show_answer(cli, answer, &show);
    status = export_after(cli, answer, status);
    dgm_question_free(question);
    return status;
}

static const struct action {
    const char *name;
    const char *words; /* after the name */
    size_t count;
    bool datasource; /* it needs one */
    int (*run)(struct cli *cli, struct dgm_error *error);
} actions[] = {
    {"list", "", 0, false, run_list},
    {"show", " NAME", 1, false, run_show},
    {"add", " NAME [SQL]", 2, true, run_add},
    {"run", " NAME", 1, true, run_run},
    {"rename", " NAME NEW", 2, false, run_rename},
    {"remove", " NAME", 1, false, run_remove},
};

enum { ACTION_COUNT = sizeof actions / sizeof *actions };

static int saved_run(struct cli *cli)
{
    struct err err;
    struct dgm_error error = {.position = -1};
    const char *name = saved_word(cli, 0) ? saved_word(cli, 0) : "list";
    const struct action *action = NULL;
    for (size_t i = 0; i < ACTION_COUNT && !action; i++) {
        action = str_equal(actions[i].name, name) ? &actions[i] : NULL;
    }
    if (!action) {
        (void)err_set(&err, ERR_USAGE, "'%.60s' is not a command for saved queries.",
                      name);
        (void)err_hint(&err, "Use list, show, add, run, rename or remove.");
        return report_err(cli, &err);
    }
    size_t count = cli->arguments.words.count ? cli->arguments.words.count - 1 : 0;
    bool last = action->run == run_add && count == 1; /* of the last question */
    if (count != action->count && !last) {
        (void)err_set(&err, ERR_USAGE, "Usage: dragoman saved %s%s", action->name,
                      action->words);
        return report_err(cli, &err);
    }
    if (((action->datasource && !last) || arguments_has(&cli->arguments, "db")) &&
        !cli_open(cli, NEEDS_DATASOURCE, &error)) {
        return report_error(cli, &error);
    }
    return action->run(cli, &error);
}

const struct command command_saved = {
    .name = "saved",
    .group = GROUP_KEEP,
    .words = "[list|show NAME|add NAME [SQL]|run NAME|rename NAME NEW|remove NAME]",
    .summary = "Manage saved queries: list, add, run, rename, remove",
    .about = "'add NAME' without SQL saves the SQL of the last question.\nThe SQL may "
             "have parameters, :name (BigQuery: @name). Each has a\ntype: text, integer, "
             "number, date or boolean. Values are never read as SQL.",
    .examples =
        "dragoman saved add \"orders per month\"\n"
        "dragoman saved add --db shop.db --param least:number=100 \"large orders\" \\\n"
        "    \"select * from orders where total_amount > :least\"\n"
        "dragoman saved run --db shop.db --param least=500 \"large orders\"",
    .flags = flags,
    .flag_count = FLAG_COUNT(flags),
    .most_words = 3,
    .word_choices = "list|show|add|run|rename|remove",
    .needs = NEEDS_INSTANCE,
    .run = saved_run,
};
