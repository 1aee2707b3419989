/* What stands around an answer: how it came about, what it cost, the clarifying question. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/instance.h"
#include "cli/report.h"
#include "cli/show.h"

enum { LINE_CEILING = 65536, TITLE_COLUMN = 12 };

static void print_field(struct out *out, const char *title, const char *text)
{
    if (str_empty(text)) {
        return;
    }
    out_shade(out, SHADE_BOLD);
    out_format(out, "%-*s", TITLE_COLUMN, title);
    out_shade(out, SHADE_PLAIN);
    struct arena *arena = arena_new();
    struct texts lines = {0};
    str_split(arena, text, '\n', &lines);
    for (size_t i = 0; i < lines.count; i++) {
        out_repeat(out, " ", i ? TITLE_COLUMN : 0);
        out_foreign(out, lines.items[i]);
        out_text(out, "\n");
    }
    arena_free(arena);
}

static void print_list(struct out *out, const char *title,
                       const struct dgm_answer *answer, const char *list, bool numbered)
{
    const char *item = NULL;
    for (size_t i = 0; (item = dgm_answer_item(answer, list, i)); i++) {
        char text[2048];
        if (numbered) {
            (void)snprintf(text, sizeof text, "%zu. %s", i + 1, item);
        }
        print_field(out, i ? "" : title, numbered ? text : item);
    }
}

/* "parser, about 1200 tokens saved" */
static const char *brain_of(struct arena *arena, const struct dgm_answer *answer)
{
    const char *brain = dgm_answer_text(answer, "brain");
    int saved = dgm_answer_tokens_saved(answer);
    if (!str_equal(brain, "parser")) {
        return brain;
    }
    return saved ? arena_format(arena, "%s, about %d tokens saved", brain, saved) : brain;
}

void show_confidence(struct out *out, const struct dgm_answer *answer)
{
    static const struct {
        const char *name;
        double most;
    } factors[] = {
        {"schema_match", 0.3}, {"complexity", 0.2}, {"clarity", 0.3}, {"validity", 0.2}};
    char text[512];
    if (dgm_answer_confidence(answer) < 0) {
        return;
    }
    (void)snprintf(text, sizeof text, "%.2f, %s", dgm_answer_confidence(answer),
                   dgm_answer_label(answer));
    print_field(out, "confidence", text);
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        const char *reason = dgm_answer_item(answer, "confidence_reasons", i);
        (void)snprintf(text, sizeof text, "%.2f of %.2f  %s",
                       dgm_answer_factor(answer, factors[i].name), factors[i].most,
                       reason ? reason : "");
        print_field(out, "", text);
    }
    const char *more = NULL;
    for (size_t i = sizeof factors / sizeof *factors;
         (more = dgm_answer_item(answer, "confidence_reasons", i)); i++) {
        print_field(out, "", more);
    }
}

/* Is the reasoning only the steps of the plan, one per line? */
static bool reasoning_is_plan(const struct dgm_answer *answer)
{
    const char *rest = dgm_answer_text(answer, "reasoning");
    const char *step = NULL;
    for (size_t i = 0; rest && (step = dgm_answer_item(answer, "plan", i)); i++) {
        size_t size = strlen(step);
        if (strncmp(rest, step, size) != 0) {
            return false;
        }
        rest += size + (rest[size] == '\n');
    }
    return rest && !*rest;
}

void show_explanation(struct cli *cli, const struct dgm_answer *answer)
{
    struct out *out = &cli->out;
    out_text(out, "\n");
    print_field(out, "understood", dgm_answer_text(answer, "summary"));
    print_field(out, "rewritten", dgm_answer_text(answer, "rewritten_query"));
    print_field(out, "datasource", dgm_answer_text(answer, "datasource"));
    print_list(out, "tables", answer, "tables_used", false);
    print_list(out, "plan", answer, "plan", true);
    if (!reasoning_is_plan(answer)) {
        print_field(out, "reasoning", dgm_answer_text(answer, "reasoning"));
    }
    print_field(out, "first SQL", dgm_answer_text(answer, "corrected_from"));
    print_field(out, "mistake", dgm_answer_text(answer, "root_cause"));
    print_field(out, "", dgm_answer_text(answer, "suggestion"));
    print_field(out, "SQL", dgm_answer_text(answer, "sql"));
    print_field(out, "in words", dgm_answer_text(answer, "explanation"));
    print_list(out, "dates", answer, "dates_used", false);
    print_list(out, "lessons", answer, "lessons", false);
    print_field(out, "brain", brain_of(cli->arena, answer));
    show_confidence(out, answer);
}

static void add_part(struct buf *buf, bool utf8, const char *text)
{
    if (buf->size) {
        (void)buf_text(buf, utf8 ? " · " : ", ");
    }
    (void)buf_text(buf, text);
}

void show_footer(struct cli *cli, const struct dgm_answer *answer)
{
    if (!cli->err.terminal) {
        return;
    }
    struct buf buf;
    buf_init(&buf, LINE_CEILING);
    bool utf8 = cli->err.utf8;
    char part[64];
    const char *date = NULL;
    for (size_t i = 0; (date = dgm_answer_item(answer, "dates_used", i)); i++) {
        add_part(&buf, utf8, date);
    }
    if (dgm_answer_has_rows(answer)) {
        size_t rows = dgm_answer_rows(answer);
        (void)snprintf(part, sizeof part, "%zu row%s", rows, rows == 1 ? "" : "s");
        add_part(&buf, utf8, part);
    }
    const char *engine = dgm_answer_text(answer, "engine");
    if (engine) {
        add_part(&buf, utf8, engine);
    }
    int calls = dgm_answer_llm_calls(answer);
    const char *brain = dgm_answer_text(answer, "brain");
    if (calls > 0) {
        (void)snprintf(part, sizeof part, "%d LLM call%s", calls, calls == 1 ? "" : "s");
        add_part(&buf, utf8, part);
        (void)snprintf(part, sizeof part, "%d tokens", dgm_answer_tokens(answer));
        add_part(&buf, utf8, part);
    } else if (str_equal(brain, "history")) {
        add_part(&buf, utf8, "asked before");
    } else if (str_equal(brain, "lesson")) {
        add_part(&buf, utf8, "taught or learned");
    } else if (str_equal(brain, "parser")) {
        add_part(&buf, utf8, "built-in parser");
    }
    size_t lessons = 0;
    while (dgm_answer_item(answer, "lessons", lessons)) {
        lessons++;
    }
    if (lessons && !str_equal(brain, "lesson")) {
        (void)snprintf(part, sizeof part, "%zu lesson%s", lessons,
                       lessons == 1 ? "" : "s");
        add_part(&buf, utf8, part);
    }
    if (calls > 0 && dgm_answer_cost(answer) >= 0) {
        (void)snprintf(part, sizeof part, "$%.4f", dgm_answer_cost(answer));
        add_part(&buf, utf8, part);
    }
    (void)snprintf(part, sizeof part, "%.1f s", dgm_answer_ms(answer) / 1000);
    add_part(&buf, utf8, part);
    if (dgm_answer_confidence(answer) >= 0) {
        (void)snprintf(part, sizeof part, "%s (%.0f %%)", dgm_answer_label(answer),
                       dgm_answer_confidence(answer) * 100);
        add_part(&buf, utf8, part);
    }
    report_note(cli, buf_get(&buf));
    buf_release(&buf);
}

void show_readings(struct cli *cli, const struct dgm_answer *answer)
{
    const char *item = NULL;
    bool chat = str_equal(cli->arguments.command->name, "chat");
    int64_t used = dgm_answer_reading(answer);
    for (size_t i = 0; (item = dgm_answer_item(answer, "readings", i)); i++) {
        if (i == 0) {
            report_note(
                cli, chat ? "The question has several possible meanings; \\2 chooses the "
                            "second one:"
                          : arena_format(cli->arena,
                                         "The question has several possible meanings; to "
                                         "choose another one: dragoman ask %s--reading N",
                                         instance_flags(cli)));
        }
        report_note(cli, arena_format(cli->arena, "  %zu  %s%s", i + 1, item,
                                      (int64_t)i + 1 == used ? "  (this answer)" : ""));
    }
}

static void print_options(struct out *out, const struct dgm_answer *answer)
{
    for (size_t i = 0; i < dgm_answer_options(answer); i++) {
        const char *label = dgm_answer_option_label(answer, i);
        const char *value = dgm_answer_option_value(answer, i);
        out_shade(out, SHADE_BOLD);
        out_format(out, "  %zu", i + 1);
        out_shade(out, SHADE_PLAIN);
        out_text(out, "  ");
        out_foreign(out, str_empty(label) ? value : label);
        out_text(out, "\n");
    }
}

static void print_preview(struct out *out, const struct dgm_answer *answer)
{
    int64_t touched = dgm_answer_rows_touched(answer);
    const char *sql = dgm_answer_text(answer, "sql");
    if (sql) {
        out_text(out, "  ");
        out_shade(out, SHADE_CYAN);
        out_foreign(out, sql);
        out_shade(out, SHADE_PLAIN);
        out_text(out, "\n");
    }
    if (touched >= 0) {
        out_format(out, "  It would change %" PRId64 " row%s.\n", touched,
                   touched == 1 ? "" : "s");
    }
}

void show_clarification(struct cli *cli, const struct dgm_answer *answer)
{
    struct out *out = &cli->err;
    const char *id = dgm_answer_text(answer, "query_id");
    bool approval = show_wants_approval(answer);
    out_flush(&cli->out);
    out_shade(out, SHADE_YELLOW);
    out_text(out, "question: ");
    out_shade(out, SHADE_PLAIN);
    out_foreign(out, dgm_answer_clarification(answer));
    out_text(out, "\n");
    if (approval) {
        print_preview(out, answer);
    } else {
        print_options(out, answer);
    }
    bool asked_here =
        cli_interactive(cli) || str_equal(cli->arguments.command->name, "chat");
    if (!asked_here && id) {
        const char *flags = instance_flags(cli);
        out_shade(out, SHADE_CYAN);
        out_text(out, "  hint: ");
        out_shade(out, SHADE_PLAIN);
        if (approval) {
            bool write = arguments_has(&cli->arguments, "allow-write");
            out_format(out, "approve with: dragoman ask %s%s--approve %s\n", flags,
                       write ? "--allow-write " : "", id);
            out_format(out, "        or not: dragoman ask %s--reject %s\n", flags, id);
        } else {
            out_format(out, "answer with: dragoman ask %s--resume %s \"%s\"\n", flags, id,
                       dgm_answer_options(answer) ? "1" : "your answer");
        }
    }
    out_flush(out);
}
