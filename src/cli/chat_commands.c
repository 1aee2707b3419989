/* The backslash commands of a conversation: one row each. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/assumed.h"
#include "cli/chat.h"
#include "cli/cli.h"
#include "cli/grid.h"
#include "cli/objects.h"
#include "cli/picture.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/schema_text.h"

struct chat_word {
    const char *name;
    const char *words;
    const char *help;
    void (*run)(struct chat *chat, const char *rest);
};

static void chat_commands_fail(struct chat *chat, enum err_code code, const char *message,
                               const char *hint)
{
    struct err err;
    (void)err_set(&err, code, "%s", message);
    (void)err_hint(&err, "%s", hint);
    chat->status = report_err(chat->cli, &err);
}

static bool has_answer(struct chat *chat)
{
    if (!chat->answer) {
        report_note(chat->cli, "Nothing has been asked yet.");
    }
    return chat->answer != NULL;
}

static void run_tables(struct chat *chat, const char *rest)
{
    (void)rest;
    struct dgm_error error = {.position = -1};
    if (!schema_text_tables(chat->cli, chat->datasource, &error)) {
        chat->status = report_error(chat->cli, &error);
    }
}

static void run_schema(struct chat *chat, const char *rest)
{
    struct dgm_error error = {.position = -1};
    if (!schema_text_print(chat->cli, chat->datasource, *rest ? rest : NULL, &error)) {
        chat->status = report_error(chat->cli, &error);
    }
}

static void run_sql(struct chat *chat, const char *rest)
{
    struct cli *cli = chat->cli;
    if (*rest) {
        struct dgm_request request = {.datasource = chat->datasource};
        struct dgm_error error = {.position = -1};
        progress_attach(cli, &request);
        struct dgm_question *question = dgm_run_sql(cli->dgm, rest, &request, &error);
        chat_follow(chat, question, &error);
    } else if (has_answer(chat)) {
        const char *sql = dgm_answer_text(chat->answer, "sql");
        out_foreign(&cli->out, sql ? sql : "The last answer came without SQL.");
        out_text(&cli->out, "\n");
    }
}

static void run_explain(struct chat *chat, const char *rest)
{
    (void)rest;
    if (has_answer(chat)) {
        show_explanation(chat->cli, chat->answer);
    }
}

static void run_chart(struct chat *chat, const char *rest)
{
    if (has_answer(chat)) {
        (void)picture_show(chat->cli, chat->answer, rest, false);
    }
}

static void run_new(struct chat *chat, const char *rest)
{
    (void)rest;
    chat->session = NULL;
    chat->waiting = NULL;
    report_note(chat->cli, "Started a new conversation.");
}

static void run_ask(struct chat *chat, const char *rest)
{
    if (*rest) {
        chat_say(chat, rest, true);
    } else {
        chat_commands_fail(chat, ERR_USAGE, "Say what to ask.",
                           "For example: \\ask how many orders?");
    }
}

static void run_suggest(struct chat *chat, const char *rest)
{
    (void)rest;
    (void)chat_suggest(chat);
}

static void run_db(struct chat *chat, const char *rest)
{
    struct cli *cli = chat->cli;
    struct err err;
    char *text = dgm_datasources(cli->dgm);
    const json_t *list = text ? json_parse(cli->arena, text, strlen(text), &err) : NULL;
    dgm_free(text);
    bool found = false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        const char *id = json_text_at(item, "id");
        const char *url = json_text_at(item, "url"); /* without credentials */
        if (*rest && str_equal(id, rest)) {
            chat->datasource = arena_text(cli->arena, id);
            found = true;
        } else if (!*rest) {
            out_text(&cli->out, str_equal(id, chat->datasource) ? "* " : "  ");
            out_foreign(&cli->out, id);
            out_text(&cli->out, "  ");
            out_foreign(&cli->out, url ? url : "");
            out_text(&cli->out, "\n");
        }
    }
    if (*rest && !found) {
        chat_commands_fail(chat, ERR_DATASOURCE_NOT_FOUND,
                           "There is no datasource of that name.",
                           "\\db without a word lists them.");
    }
}

static void run_format(struct chat *chat, const char *rest)
{
    static const char *const formats[] = {"table", "csv", "json", "markdown"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (str_equal(formats[i], rest)) {
            chat->show.format = formats[i];
            return;
        }
    }
    chat_commands_fail(chat, ERR_USAGE,
                       "Rows can be shown as table, csv, json or markdown.",
                       "For example: \\format csv");
}

/* The format is in the file's name; an existing file is never replaced. */
static void run_save(struct chat *chat, const char *rest)
{
    struct cli *cli = chat->cli;
    if (!has_answer(chat)) {
        return;
    }
    if (!*rest || !dgm_answer_has_rows(chat->answer)) {
        chat_commands_fail(chat, ERR_USAGE,
                           *rest ? "The last answer has no rows." : "Say where to save.",
                           "For example: \\save orders.csv (or .json, .md)");
        return;
    }
    int fd = open(rest, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
        chat_commands_fail(chat, ERR_USAGE,
                           errno == EEXIST ? "That file exists already."
                                           : "The file cannot be created.",
                           "Choose another name.");
        return;
    }
    struct out *out = ARENA_NEW(cli->arena, struct out);
    struct grid grid;
    struct arena *arena = arena_new();
    out_init(out, fd, true);
    grid_from_answer(&grid, arena, chat->answer);
    void (*print)(struct out *, const struct grid *) =
        str_ends_nocase(rest, ".json") ? json_rows_print
        : str_ends_nocase(rest, ".md") ? markdown_print
                                       : csv_print;
    print(out, &grid);
    out_flush(out);
    bool ok = close(fd) == 0 && !out_failed(out);
    if (ok) {
        report_note(cli, arena_format(cli->arena, "%zu rows saved.", grid.row_count));
    } else {
        (void)unlink(rest);
        chat_commands_fail(chat, ERR_DISK_FULL, "The rows could not be written.",
                           "Free some space.");
    }
    arena_free(arena);
}

static void run_good(struct chat *chat, const char *rest)
{
    (void)rest;
    struct dgm_error error = {.position = -1};
    if (!has_answer(chat)) {
        return;
    }
    if (dgm_feedback(chat->cli->dgm, NULL, dgm_answer_text(chat->answer, "query_id"),
                     true, &error)) {
        report_note(chat->cli, "Marked as right: the same question gets the same SQL.");
    } else {
        chat->status = report_error(chat->cli, &error);
    }
}

/* As a message: the question is asked again, or what is said instead. */
static void run_wrong(struct chat *chat, const char *rest)
{
    if (has_answer(chat)) {
        chat_say(chat,
                 *rest ? arena_format(chat->cli->arena, "That is wrong: %s", rest)
                       : "That is wrong.",
                 false);
    }
}

/* What was assumed is right: the question is answered like this from now on. */
static void run_keep(struct chat *chat, const char *rest)
{
    (void)rest;
    struct dgm_error error = {.position = -1};
    if (!has_answer(chat)) {
        return;
    }
    const char *kept =
        assumed_keep(chat->cli, dgm_answer_text(chat->answer, "query_id"), &error);
    chat->kept = kept ? kept : chat->kept;
    chat->status = kept ? chat->status : report_error(chat->cli, &error);
}

/* "\change 2 the net amount" changes the second assumption, "\change the net amount" the only one. */
static void run_change(struct chat *chat, const char *rest)
{
    struct arena *arena = chat->cli->arena;
    int64_t number = 1;
    if (!has_answer(chat)) {
        return;
    }
    size_t size = strcspn(rest, " \t");
    bool numbered = str_to_int(arena_copy(arena, rest, size), &number);
    bool several = dgm_answer_item(chat->answer, "assumptions", 1) != NULL;
    const char *words = numbered ? str_trim(arena, rest + size) : rest;
    const char *assumption =
        number >= 1 && (numbered || !several)
            ? dgm_answer_item(chat->answer, "assumptions", (size_t)number - 1)
            : NULL;
    const char *message = assumption ? assumed_change(arena, assumption, words) : NULL;
    if (message) {
        chat_say(chat, message, false);
    } else if (!dgm_answer_item(chat->answer, "assumptions", 0)) {
        report_note(chat->cli, "The last answer assumed nothing.");
    } else {
        chat_commands_fail(chat, ERR_USAGE,
                           assumption ? "Say what you mean instead."
                                      : "Say which assumption is to be changed.",
                           several ? "For example: \\change 1 the net amount"
                                   : "For example: \\change the net amount");
    }
}

/* What \keep remembered goes first: the person has just said so. */
static void run_undo(struct chat *chat, const char *rest)
{
    (void)rest;
    struct dgm_error error = {.position = -1};
    if (chat->kept) {
        if (dgm_lesson_remove(chat->cli->dgm, NULL, chat->kept, &error)) {
            report_note(chat->cli, "Forgotten.");
            chat->kept = NULL;
        } else {
            chat->status = report_error(chat->cli, &error);
        }
        return;
    }
    if (!objects_undo_lessons(chat->cli, chat->datasource, &error)) {
        chat->status = report_error(chat->cli, &error);
    }
}

static void run_reading(struct chat *chat, int64_t number);

static void run_second(struct chat *chat, const char *rest)
{
    (void)rest;
    run_reading(chat, 2);
}

static void run_quit(struct chat *chat, const char *rest)
{
    (void)rest;
    chat->done = true;
}

static void run_help(struct chat *chat, const char *rest);

static const struct chat_word words[] = {
    {"ask", "QUESTION", "A new question, while another one waits for an answer", run_ask},
    {"tables", "", "The tables and how many rows they have", run_tables},
    {"schema", "[TABLE]", "The columns and keys, of all tables or one", run_schema},
    {"sql", "[SQL]", "The last SQL; with SQL: run it, read-only", run_sql},
    {"chart", "[KIND]",
     "Draw the last rows as a chart: line, bar, area, stacked, arc, scatter", run_chart},
    {"explain", "", "How the last answer was found", run_explain},
    {"save", "FILE", "Save the last rows as .csv, .json or .md", run_save},
    {"format", "FORMAT", "Show rows as table, csv, json or markdown", run_format},
    {"db", "[ID]", "List the databases, or choose one", run_db},
    {"wrong", "[WORDS]", "The last answer is wrong: ask again, or say what is meant",
     run_wrong},
    {"good", "", "The last answer is right: use its SQL again", run_good},
    {"keep", "", "The last answer and its assumptions are right: remember it", run_keep},
    {"change", "[N] WORDS", "Assumption N of the last answer is wrong: say what you mean",
     run_change},
    {"undo", "", "Forget what was learned last, for example from a correction", run_undo},
    {"2", "", "The second reading of the last question (any number)", run_second},
    {"suggest", "", "Suggested questions", run_suggest},
    {"new", "", "Start a new conversation (also cancels a pending clarification)",
     run_new},
    {"help", "", "This list", run_help},
    {"quit", "", "End (also Ctrl-D)", run_quit},
};

enum { WORD_COUNT = sizeof words / sizeof *words };

static void run_help(struct chat *chat, const char *rest)
{
    (void)rest;
    struct out *out = &chat->cli->out;
    out_text(out, "Type a question, or:\n");
    for (size_t i = 0; i < WORD_COUNT; i++) {
        char left[64];
        (void)snprintf(left, sizeof left, "\\%s %s", words[i].name, words[i].words);
        out_format(out, "  %-18s%s\n", left, words[i].help);
    }
    out_text(out, "Ctrl-C stops the current question.\n");
}

/* \2: the second reading of the last answer, or the second option. */
static void run_reading(struct chat *chat, int64_t number)
{
    struct dgm_error error = {.position = -1};
    if (!has_answer(chat)) {
        return;
    }
    struct dgm_request request = {0};
    progress_attach(chat->cli, &request);
    struct dgm_question *question =
        dgm_reading(chat->cli->dgm, dgm_answer_text(chat->answer, "query_id"), number,
                    &request, &error);
    if (question) {
        chat_follow(chat, question, &error);
    } else {
        chat->status = report_error(chat->cli, &error);
    }
}

void chat_command(struct chat *chat, const char *text)
{
    struct arena *arena = chat->cli->arena;
    int64_t number = 0;
    if (str_to_int(text, &number)) {
        run_reading(chat, number);
        return;
    }
    size_t size = strcspn(text, " \t");
    char *name = arena_copy(arena, text, size);
    const char *rest = str_trim(arena, text + size);
    const char *names[WORD_COUNT];
    for (size_t i = 0; i < WORD_COUNT; i++) {
        names[i] = words[i].name;
        bool first_letter = size == 1 && (*name == 'q' || *name == '?') &&
                            *words[i].name == (*name == 'q' ? 'q' : 'h');
        if (str_equal(name, words[i].name) || first_letter) {
            words[i].run(chat, rest);
            return;
        }
    }
    const char *nearest = str_nearest(name, names, WORD_COUNT);
    chat_commands_fail(chat, ERR_USAGE, "Unknown command.",
                       nearest ? arena_format(arena, "Did you mean \\%s?", nearest)
                               : "\\help lists them. SQL is run with \\sql.");
}
