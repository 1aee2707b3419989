/* dragoman states: prints the states and transitions. */
#include "base/str.h"
#include "cli/cli.h"
#include "cli/grid.h"

static const struct flag flags[] = {
    FLAG_CHOICE("format", "FORMAT", "text|json|mermaid|markdown", "Output format"),
    FLAG_JSON("The same as --format json"),
    FLAG_SWITCH("mermaid", 0, "The same as --format mermaid: a diagram"),
    FLAG_SWITCH("markdown", 0, "The same as --format markdown: docs/states.md"),
};

static int states_run(struct cli *cli)
{
    const char *format = arguments_value(&cli->arguments, "format");
    format = cli->json                                    ? "json"
             : arguments_has(&cli->arguments, "mermaid")  ? "mermaid"
             : arguments_has(&cli->arguments, "markdown") ? "markdown"
             : format                                     ? format
                                                          : "text";
    char *text = dgm_states(format);
    if (text && str_equal(format, "json")) {
        json_print(&cli->out, text);
    } else if (text) {
        out_text(&cli->out, text);
        out_text(&cli->out, str_ends(text, "\n") ? "" : "\n");
    }
    dgm_free(text);
    return 0;
}

const struct command command_states = {
    .name = "states",
    .group = GROUP_LOOK,
    .words = "",
    .summary = "Show the states of a question",
    .about = "The program, this list and docs/states.md use the same table.",
    .examples = "dragoman states\ndragoman states --mermaid",
    .flags = flags,
    .flag_count = FLAG_COUNT(flags),
    .needs = NEEDS_NOTHING,
    .run = states_run,
};
