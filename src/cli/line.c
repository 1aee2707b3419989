/* Reading lines from a person, with libedit on a terminal. */
#include "cli/line.h"

#include <histedit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/input.h"
#include "cli/stop.h"

enum { HISTORY_SIZE = 1000 };

struct line {
    struct cli *cli;
    EditLine *editor; /* NULL: plain reading */
    History *history;
    char *history_path; /* or NULL */
    const char *prompt;
};

static const char *prompt_of(EditLine *editor)
{
    struct line *line = NULL;
    (void)el_get(editor, EL_CLIENTDATA, &line);
    return line && line->prompt ? line->prompt : "";
}

static void open_history(struct line *line, const char *path)
{
    HistEvent event;
    line->history = history_init();
    (void)history(line->history, &event, H_SETSIZE, HISTORY_SIZE);
    (void)history(line->history, &event, H_SETUNIQUE, 1);
    if (path) {
        line->history_path = memory_text(path);
        (void)history(line->history, &event, H_LOAD, path); /* none yet is fine */
    }
    (void)el_set(line->editor, EL_HIST, history, line->history);
}

static void open_editor(struct line *line, const char *history_path)
{
    line->editor = el_init("dragoman", stdin, stderr, stderr);
    if (!line->editor) {
        return;
    }
    (void)el_set(line->editor, EL_CLIENTDATA, line);
    (void)el_set(line->editor, EL_EDITOR, "emacs");
    (void)el_set(line->editor, EL_PROMPT, prompt_of);
    /* Ctrl-C must reach the editor as a key, which empties the line: as a signal it would
     * end the program. */
    (void)el_set(line->editor, EL_SETTY, "-d", "-isig", NULL);
    (void)el_set(line->editor, EL_BIND, "^C", "em-kill-line", NULL);
    (void)el_set(line->editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
    (void)el_source(line->editor, NULL);
    open_history(line, history_path);
}

struct line *line_open(struct cli *cli, const char *history_path)
{
    struct line *line = memory_alloc(sizeof *line);
    const char *terminal = getenv("TERM");
    line->cli = cli;
    if (cli->stdin_terminal && cli->err.terminal && !str_empty(terminal) &&
        !str_equal(terminal, "dumb")) {
        open_editor(line, history_path);
    }
    return line;
}

void line_close(struct line *line)
{
    if (line->editor) {
        history_end(line->history);
        el_end(line->editor);
    }
    memory_free(line->history_path);
    memory_free(line);
}

/* After every line and by renaming: a second Ctrl-C may end us at any moment. */
static void save_history(struct line *line)
{
    HistEvent event;
    if (!line->history_path) {
        return;
    }
    char *beside = arena_format(line->cli->arena, "%s.new", line->history_path);
    if (history(line->history, &event, H_SAVE, beside) >= 0) {
        (void)rename(beside, line->history_path);
    }
}

static const char *read_edited(struct line *line)
{
    int size = 0;
    const char *text = el_gets(line->editor, &size);
    if (!text || size <= 0) {
        return NULL;
    }
    char *copy = str_trim(line->cli->arena, text);
    if (*copy) {
        HistEvent event;
        (void)history(line->history, &event, H_ENTER, copy);
        save_history(line);
    }
    return copy;
}

const char *line_read(struct line *line, const char *prompt)
{
    struct cli *cli = line->cli;
    out_flush(&cli->out);
    out_flush(&cli->err);
    line->prompt = prompt;
    if (line->editor) {
        const char *text = read_edited(line);
        stop_hold();
        out_measure(&cli->out);
        out_measure(&cli->err);
        if (!text) {
            out_text(&cli->err, "\n");
            out_flush(&cli->err);
        }
        return text;
    }
    if (cli->stdin_terminal) {
        return input_ask(cli, prompt);
    }
    const char *text = input_line(cli, NULL);
    return text ? str_trim(cli->arena, text) : NULL;
}
