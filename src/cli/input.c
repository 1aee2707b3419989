/*
 * What a command reads: words of the command line, standard input, a line from a person.
 */
#include "cli/input.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/utf8.h"
#include "cli/cli.h"

enum {
    TEXT_CEILING =
        4 << 20, /* above question.max_bytes' own ceiling: the library judges */
    LINE_CEILING = 2 << 20,
};

static const char *read_stdin(struct cli *cli, const char *what, size_t *size,
                              struct err *err)
{
    if (cli->stdin_terminal && !arguments_has(&cli->arguments, "quiet")) {
        out_format(&cli->err, "Type the %s, end with Ctrl-D:\n", what);
        out_flush(&cli->err);
    }
    const char *text = file_read_stdin(cli->arena, TEXT_CEILING, size, err);
    if (!text && err->code == ERR_INVALID_DATA) {
        (void)err_set(err, ERR_QUESTION_TOO_LONG,
                      "The %s on standard input is longer than %d MB.", what,
                      TEXT_CEILING >> 20);
    }
    return text;
}

const char *input_text(struct cli *cli, const char *what, struct err *err)
{
    const struct texts *words = &cli->arguments.words;
    bool from_stdin =
        words->count == 0 || (words->count == 1 && str_equal(words->items[0], "-"));
    size_t size = 0;
    const char *text = NULL;
    if (words->count == 0 && cli->stdin_terminal) {
        text = ""; /* nothing was typed: say so instead of waiting in silence */
    } else if (from_stdin) {
        text = read_stdin(cli, what, &size, err);
        if (!text) {
            return NULL;
        }
    } else {
        text = str_join(cli->arena, words, " ");
        size = strlen(text);
    }
    size_t bad = 0;
    if (!utf8_valid(text, size, &bad)) {
        (void)err_set(err, ERR_INVALID_TEXT, "The %s is not valid UTF-8 (byte %zu).",
                      what, bad + 1);
        return NULL;
    }
    text = str_trim(cli->arena, text);
    if (!*text) {
        bool sql = str_equal(what, "SQL");
        (void)err_set(err, sql ? ERR_USAGE : ERR_QUESTION_EMPTY, "The %s is empty.",
                      what);
        (void)err_hint(err,
                       sql ? "For example: dragoman sql --db shop.db \"select 1\""
                           : "Type it in quotes, for example: dragoman ask --db shop.db "
                             "\"how many customers are there?\"");
        return NULL;
    }
    return text;
}

const char *input_line(struct cli *cli, bool *cut)
{
    struct buf buf;
    buf_init(&buf, LINE_CEILING);
    bool any = false;
    int c = 0;
    while ((c = getc(stdin)) != EOF) {
        any = true;
        if (c == '\n') {
            break;
        }
        (void)buf_char(&buf, (char)c);
    }
    if (cut) {
        *cut = buf.full;
    }
    if (buf.size && buf.data[buf.size - 1] == '\r') {
        buf_truncate(&buf, buf.size - 1);
    }
    char *line = any ? buf_clone(&buf, cli->arena) : NULL;
    buf_release(&buf);
    return line;
}

const char *input_ask(struct cli *cli, const char *prompt)
{
    out_flush(&cli->out);
    out_text(&cli->err, prompt);
    out_flush(&cli->err);
    const char *line = input_line(cli, NULL);
    if (!line) {
        out_text(&cli->err, "\n"); /* Ctrl-D leaves the cursor on the prompt's line */
        out_flush(&cli->err);
    }
    return line ? str_trim(cli->arena, line) : NULL;
}

bool input_yes(const char *answer)
{
    return answer && (str_equal_nocase(answer, "y") || str_equal_nocase(answer, "yes"));
}

bool input_no(const char *answer)
{
    return str_empty(answer) || str_equal_nocase(answer, "n") ||
           str_equal_nocase(answer, "no");
}
