/* dragoman ask: one question, one answer. */
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "cli/assumed.h"
#include "cli/cli.h"
#include "cli/export.h"
#include "cli/instance.h"
#include "cli/input.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/show.h"
#include "cli/trace.h"

static const struct flag flags[] = {
    FLAG_DB,
    FLAG_DATASET,
    FLAG_CHOICE("brain", "BRAIN", "auto|parser|llm",
                "What writes the SQL: parser, language model, or automatic"),
    FLAG_FORMAT,
    FLAG_JSON("Print the whole answer as one JSON object"),
    FLAG_SWITCH("sql-only", 0, "Print the checked SQL and do not run it"),
    FLAG_SWITCH("dry-run", 0, "Check the SQL but do not run it; show it with its notes"),
    FLAG_SWITCH("explain", 0, "Also show how the answer was found"),
    FLAG_ROWS,
    FLAG_SWITCH("chart", 0, "Also draw the rows as a chart, above the table"),
    FLAG_VALUE("session", "ID", "Ask within a conversation (see 'dragoman sessions')"),
    FLAG_VALUE("resume", "ID", "Answer the clarifying question of question ID"),
    FLAG_SWITCH("new", 0, "Ask a new question, even if another one waits for an answer"),
    FLAG_VALUE("retry", "ID", "Repeat question ID, which failed or was stopped"),
    FLAG_VALUE("reading", "N",
               "Answer the last question with its reading (numbered meaning) N"),
    FLAG_VALUE("approve", "ID", "Approve and run the statement of question ID"),
    FLAG_VALUE("reject", "ID", "Reject the statement of question ID"),
    FLAG_VALUE("wrong", "ID",
               "Mark answer ID (or 'last') as wrong; its SQL is not used for this "
               "question again"),
    FLAG_VALUE("good", "ID",
               "Mark answer ID (or 'last') as right; its SQL is used again"),
    FLAG_VALUE("keep", "ID",
               "Save answer ID (or 'last') and its assumptions as a lesson"),
    FLAG_SWITCH("allow-write", 0,
                "Allow a statement that changes data; it runs only after approval"),
    FLAG_SWITCH("fresh", 0, "Do not reuse the SQL of an identical earlier question"),
    FLAG_SWITCH("no-memory", 0, "Do not apply lessons (see 'dragoman lessons')"),
    FLAG_SWITCH("no-plan", 0, "Skip the plan before the SQL"),
    FLAG_EXPORT,
    FLAG_VALUE("trace", "FILE",
               "Write the states of the question to FILE (see 'dragoman replay')"),
};

/* At most one of the flags that name a question; its id. */
static const char *continued(struct cli *cli, const char **how, struct err *err)
{
    static const char *const names[] = {"resume", "retry", "reading", "approve",
                                        "reject", "wrong", "good",    "keep"};
    const char *id = NULL;
    *how = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = arguments_value(&cli->arguments, names[i]);
        if (value && id) {
            (void)err_set(err, ERR_USAGE, "--%s and --%s exclude each other.", *how,
                          names[i]);
            return NULL;
        }
        if (value) {
            id = value;
            *how = names[i];
        }
    }
    return id;
}

static void fill_request(struct cli *cli, struct dgm_request *request)
{
    const struct arguments *arguments = &cli->arguments;
    request->datasource = cli->datasource;
    request->datasets =
        !arguments_has(arguments, "db") && !arguments_has(arguments, "dataset");
    request->session_id = arguments_value(arguments, "session");
    request->brain = arguments_value(arguments, "brain");
    request->skip_plan = arguments_has(arguments, "no-plan");
    request->allow_write = arguments_has(arguments, "allow-write");
    request->dry_run =
        arguments_has(arguments, "dry-run") || arguments_has(arguments, "sql-only");
    request->skip_memory = arguments_has(arguments, "no-memory");
    request->fresh = arguments_has(arguments, "fresh");
    request->new_question = arguments_has(arguments, "new");
    progress_attach(cli, request);
}

static struct dgm_question *start(struct cli *cli, struct dgm_request *request,
                                  struct show *show, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    const char *how = NULL;
    const char *id = continued(cli, &how, &err);
    bool decision = how && !str_equal(how, "resume");
    int64_t number = 0;
    if (err.code == ERR_OK && how && str_equal(how, "reading") &&
        (!str_to_int(id, &number) || number < 1)) {
        (void)err_set(&err, ERR_USAGE, "--reading needs the number of a reading.");
    } else if (err.code == ERR_OK && decision && cli->arguments.words.count) {
        (void)err_set(&err, ERR_USAGE, "--%s takes no question.", how);
    } else if (err.code == ERR_OK && !decision) {
        request->question = input_text(cli, id ? "answer" : "question", &err);
    }
    if (err.code != ERR_OK) {
        report_convert(&err, error);
        return NULL;
    }
    if (!cli_open(cli, id ? NEEDS_INSTANCE : NEEDS_DATASOURCE, error)) {
        return NULL;
    }
    bool last = how && str_equal(how, "reading");
    if (id && !instance_open_files(cli, last ? NULL : id, error)) {
        return NULL;
    }
    fill_request(cli, request);
    show_attach(show, cli, request);
    if (decision && str_equal(how, "reading")) {
        return dgm_reading(cli->dgm, NULL, number, request, error);
    }
    if (decision && str_equal(how, "retry")) {
        return dgm_retry(cli->dgm, id, request, error);
    }
    if (decision) {
        return dgm_approve(cli->dgm, id, str_equal(how, "approve"), request, error);
    }
    return id ? dgm_resume(cli->dgm, id, request->question, request, error)
              : dgm_ask(cli->dgm, request, error);
}

/* Enter is no. What is neither yes nor no is asked again; then the question is left waiting. */
static struct dgm_question *ask_approval(struct cli *cli, struct dgm_request *request,
                                         const char *id, struct dgm_error *error)
{
    enum { TRIES = 3 };
    for (int i = 0; i < TRIES; i++) {
        const char *reply = input_ask(cli, i ? "Yes or no? [y/N] " : "Run it? [y/N] ");
        if (!reply) {
            break;
        }
        if (input_yes(reply) || input_no(reply)) {
            return dgm_approve(cli->dgm, id, input_yes(reply), request, error);
        }
    }
    report_note(cli, arena_format(cli->arena,
                                  "Nothing was run; it still waits: dragoman "
                                  "ask %s--allow-write --approve %s",
                                  instance_flags(cli), id));
    return NULL;
}

/* The next step of a question that waits, from the person at the terminal; NULL with an
 * empty error when there is no answer. */
static struct dgm_question *ask_person(struct cli *cli, struct dgm_request *request,
                                       const struct dgm_answer *answer,
                                       struct dgm_error *error)
{
    const char *id = dgm_answer_text(answer, "query_id");
    if (show_wants_approval(answer)) {
        return ask_approval(cli, request, id, error);
    }
    const char *reply =
        input_ask(cli, dgm_answer_options(answer) ? "Your answer (number or words): "
                                                  : "Your answer: ");
    return str_empty(reply) ? NULL : dgm_resume(cli->dgm, id, reply, request, error);
}

/* --wrong and --good: a word on an answer, no question. */
static int ask_judge(struct cli *cli, const char *id, bool good)
{
    struct err err;
    struct dgm_error error = {.position = -1};
    if (cli->arguments.words.count) {
        (void)err_set(&err, ERR_USAGE, "--%s takes no question.",
                      good ? "good" : "wrong");
        return report_err(cli, &err);
    }
    if (!cli_open(cli, NEEDS_INSTANCE, &error) ||
        !dgm_feedback(cli->dgm, NULL, str_equal(id, "last") ? NULL : id, good, &error)) {
        return report_error(cli, &error);
    }
    if (cli->json) {
        out_format(&cli->out, "{\"verdict\": \"%s\"}\n", good ? "good" : "wrong");
    }
    report_note(cli,
                good ? "Marked as right: the same question gets the same SQL."
                     : "Marked as wrong: this SQL is not used for the question again.");
    return 0;
}

/* --keep: what was assumed is right. */
static int ask_keep(struct cli *cli, const char *id)
{
    struct err err;
    struct dgm_error error = {.position = -1};
    if (cli->arguments.words.count) {
        (void)err_set(&err, ERR_USAGE, "--keep takes no question.");
        return report_err(cli, &err);
    }
    const char *kept = cli_open(cli, NEEDS_INSTANCE, &error)
                           ? assumed_keep(cli, str_equal(id, "last") ? NULL : id, &error)
                           : NULL;
    if (kept && cli->json) {
        out_format(&cli->out, "{\"lesson\": \"%s\"}\n", kept);
    }
    return kept ? 0 : report_error(cli, &error);
}

static int ask_run(struct cli *cli)
{
    struct show show;
    struct err err;
    if (!show_init(&show, cli)) {
        return err_exit_status(ERR_USAGE);
    }
    if (show.chart && (cli->json || !str_equal(show.format, "table"))) {
        (void)err_set(&err, ERR_USAGE,
                      "--chart draws above a table: it cannot be combined with "
                      "--json or another --format.");
        (void)err_hint(
            &err,
            "'dragoman answer --draw svg last' prints the chart of the last answer.");
        return report_err(cli, &err);
    }
    show.says = true;
    const char *how = NULL;
    err_clear(&err);
    const char *judged = continued(cli, &how, &err);
    if (judged && (str_equal(how, "wrong") || str_equal(how, "good"))) {
        return ask_judge(cli, judged, str_equal(how, "good"));
    }
    if (judged && str_equal(how, "keep")) {
        return ask_keep(cli, judged);
    }
    struct dgm_request request = {0};
    struct dgm_error error = {.position = -1};
    struct dgm_question *question = start(cli, &request, &show, &error);
    if (!question) {
        return report_error(cli, &error);
    }
    int status = 0;
    while (question) {
        const struct dgm_answer *answer = progress_wait(cli, question);
        status = show_answer(cli, answer, &show);
        const char *trace = arguments_value(&cli->arguments, "trace");
        int written = trace ? trace_write(cli, answer, trace) : 0;
        status = status ? status : written;
        status = export_after(cli, answer, status);
        struct dgm_question *next = NULL;
        if (show_is_waiting(answer) && cli_interactive(cli)) {
            next = ask_person(cli, &request, answer, &error);
        }
        dgm_question_free(question);
        question = next;
        if (!next && *error.code) {
            status = report_error(cli, &error);
        }
    }
    return status;
}

const struct command command_ask = {
    .name = "ask",
    .group = GROUP_ASK,
    .words = "[QUESTION]",
    .summary = "Ask a question in plain language",
    .about =
        "Understands the question, writes SQL, checks it, runs it and shows the rows.\n"
        "Without a question (or with -) it is read from standard input.\n"
        "\n"
        "If the question is unclear, dragoman asks for details: on a terminal at once, "
        "in a\n"
        "pipe with exit status 4 and a hint how to answer. Ctrl-C stops the question.\n"
        "\n"
        "--wrong and --good rate an earlier answer; --keep saves it with its assumptions "
        "as a\nlesson ('dragoman lessons remove' deletes it). Options that refer to an "
        "earlier question\nuse the database of that question, without --db.\n"
        "\n"
        "Rows and text go to standard output, everything else to standard error.",
    .examples =
        "dragoman ask --db shop.db \"how many orders were placed in 2024?\"\n"
        "dragoman ask --db shop.db --format csv \"orders per month\" > orders.csv\n"
        "dragoman ask --db shop.db --export customers.xlsx \"customers per country\"\n"
        "dragoman ask --db shop.db --chart \"revenue per month\"\n"
        "dragoman ask --db shop.db --sql-only \"top 10 customers by revenue\"\n"
        "dragoman ask --reading 2\n"
        "dragoman ask --wrong last\n"
        "echo \"how many customers are there?\" | dragoman ask --db shop.db --json",
    .flags = flags,
    .flag_count = FLAG_COUNT(flags),
    .most_words = SIZE_MAX,
    .needs = NEEDS_NOTHING, /* the question is read first: a typing error costs nothing */
    .run = ask_run,
};
