/* dragoman chat: a conversation with a database. */
#include "cli/chat.h"

#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/input.h"
#include "cli/line.h"
#include "cli/progress.h"
#include "cli/report.h"

enum { MOST_SUGGESTIONS = 5 };

static const struct flag flags[] = {
    FLAG_DB,
    FLAG_DATASET,
    FLAG_CHOICE("brain", "BRAIN", "auto|parser|llm",
                "What writes the SQL: parser, language model, or automatic"),
    FLAG_FORMAT,
    FLAG_ROWS,
    FLAG_VALUE("session", "ID", "Continue a conversation (see 'dragoman sessions')"),
    FLAG_SWITCH("allow-write", 0,
                "Allow a statement that changes data; it runs only after approval"),
    FLAG_SWITCH("no-plan", 0, "Skip the plan before the SQL"),
};

static void fill_request(struct chat *chat, struct dgm_request *request)
{
    const struct arguments *arguments = &chat->cli->arguments;
    request->datasource = chat->datasource;
    request->datasets =
        !arguments_has(arguments, "db") && !arguments_has(arguments, "dataset");
    request->session_id = chat->session;
    request->brain = arguments_value(arguments, "brain");
    request->allow_write = arguments_has(arguments, "allow-write");
    request->skip_plan = arguments_has(arguments, "no-plan");
    progress_attach(chat->cli, request);
}

/* The hint about a missing model is worth reading once, not after every question. */
static void report_failure(struct chat *chat, const struct dgm_error *error)
{
    struct dgm_error copy = *error;
    if (str_equal(error->code, "LLM_NOT_CONFIGURED")) {
        if (chat->told_about_model) {
            copy.hint[0] = '\0';
            copy.detail[0] = '\0';
        }
        report_print(chat->cli, &copy);
        if (!chat->told_about_model) {
            report_note(chat->cli,
                        "  \\sql, \\schema and \\tables work without a model.");
        }
        chat->told_about_model = true;
    } else {
        report_print(chat->cli, &copy);
    }
}

void chat_follow(struct chat *chat, struct dgm_question *question,
                 const struct dgm_error *error)
{
    if (!question) {
        report_failure(chat, error);
        chat->status = error->exit_status;
        return;
    }
    const struct dgm_answer *answer = progress_wait(chat->cli, question);
    struct dgm_error failure = {.position = -1};
    int status = dgm_answer_exit_status(answer);
    if (dgm_answer_error(answer, &failure) &&
        str_equal(failure.code, "LLM_NOT_CONFIGURED")) {
        report_failure(chat, &failure);
    } else {
        status = show_answer(chat->cli, answer, &chat->show);
    }
    chat->status = status ? status : chat->status;
    if (chat->last) {
        dgm_question_free(chat->last);
    }
    chat->last = question;
    chat->answer = answer;
    chat->kept = NULL;
    chat->waiting =
        show_is_waiting(answer)
            ? arena_text(chat->cli->arena, dgm_answer_text(answer, "query_id"))
            : NULL;
    chat->approval = show_wants_approval(answer);
}

static bool start_session(struct chat *chat, struct dgm_error *error)
{
    if (chat->session) {
        return true;
    }
    char *id = dgm_session_new(chat->cli->dgm, NULL, chat->datasource, error);
    if (!id) {
        return false;
    }
    chat->session = arena_text(chat->cli->arena, id);
    dgm_free(id);
    return true;
}

void chat_say(struct chat *chat, const char *text, bool new_question)
{
    struct dgm *dgm = chat->cli->dgm;
    struct dgm_request request = {.question = text, .new_question = new_question};
    struct dgm_error error = {.position = -1};
    struct dgm_question *question = NULL;
    if (start_session(chat, &error)) {
        fill_request(chat, &request);
        question = chat->waiting ? dgm_resume(dgm, chat->waiting, text, &request, &error)
                                 : dgm_ask(dgm, &request, &error);
    }
    chat_follow(chat, question, &error);
}

bool chat_suggest(struct chat *chat)
{
    struct cli *cli = chat->cli;
    struct err err;
    struct dgm_error error = {.position = -1};
    char *text = dgm_suggestions(cli->dgm, chat->datasource, &error);
    if (!text) {
        chat->status = report_error(cli, &error);
        return false;
    }
    const json_t *list = json_parse(cli->arena, text, strlen(text), &err);
    dgm_free(text);
    for (size_t i = 0; i < json_array_size(list) && i < MOST_SUGGESTIONS; i++) {
        const char *question = json_string_value(json_array_get(list, i));
        report_note(cli, i == 0 ? "You could ask:" : NULL);
        report_note(cli, arena_format(cli->arena, "  %s", question ? question : ""));
    }
    return true;
}

/* Tells what can be done, on a terminal. A database that is not there ends it here. */
static void greet(struct chat *chat)
{
    struct cli *cli = chat->cli;
    if (!cli_interactive(cli)) {
        return;
    }
    out_shade(&cli->err, SHADE_BOLD);
    out_format(&cli->err, "dragoman %s", dgm_version());
    out_shade(&cli->err, SHADE_PLAIN);
    out_text(&cli->err, "  \\help shows what you can do, \\quit ends.\n");
    /* Of several databases each question chooses its own: nothing to look at yet. */
    chat->done = chat->datasource && !chat_suggest(chat);
}

static const char *history_path(struct cli *cli)
{
    struct err err;
    char *set = dgm_config_get(cli->config, "store.folder");
    char *folder = str_empty(set) ? folder_data(cli->arena) : arena_text(cli->arena, set);
    dgm_free(set);
    return folder_create(folder, &err) ? arena_format(cli->arena, "%s/history", folder)
                                       : NULL;
}

static int chat_run(struct cli *cli)
{
    struct chat chat = {.cli = cli, .datasource = cli->datasource};
    if (!show_init(&chat.show, cli)) {
        return err_exit_status(ERR_USAGE);
    }
    chat.show.says = true;
    chat.show.follow_ups = true;
    chat.show.all_hint = "\\save FILE keeps all of them";
    chat.session = arguments_value(&cli->arguments, "session");
    chat.line = line_open(cli, cli->stdin_terminal ? history_path(cli) : NULL);
    greet(&chat);
    bool refused = chat.done;
    while (!chat.done && !out_failed(&cli->out)) {
        const char *text = line_read(chat.line, chat.waiting ? "answer> " : "dragoman> ");
        if (!text || str_equal_nocase(text, "quit") || str_equal_nocase(text, "exit")) {
            break;
        }
        if (*text == '\\') {
            chat_command(&chat, text + 1);
        } else if (*text) {
            chat_say(&chat, text, false);
        }
        out_flush(&cli->out);
    }
    line_close(chat.line);
    if (chat.last) {
        dgm_question_free(chat.last);
    }
    return cli->stdin_terminal && !refused ? 0 : chat.status;
}

const struct command command_chat = {
    .name = "chat",
    .group = GROUP_ASK,
    .words = "",
    .summary = "Have a conversation with a database",
    .about =
        "Follow-up questions are understood in the context of earlier ones. Type \\help\n"
        "for other commands: show the schema, run SQL, save rows.\n"
        "\n"
        "Ctrl-C stops the current question, not the program. Lines from a pipe are\n"
        "answered one by one; the exit status is that of the last question that failed.",
    .examples =
        "dragoman chat --db shop.db\n"
        "printf 'how many orders?\\nand last year?\\n' | dragoman chat --db shop.db",
    .flags = flags,
    .flag_count = FLAG_COUNT(flags),
    .needs = NEEDS_DATASOURCE,
    .run = chat_run,
};
