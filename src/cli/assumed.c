/* What an answer assumed: told, remembered, or changed in words. */
#include "cli/assumed.h"

#include <ctype.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/instance.h"
#include "cli/report.h"

/* ------------------------------------------------------------------ telling */

void assumed_show(struct cli *cli, const struct dgm_answer *answer)
{
    bool chat = str_equal(cli->arguments.command->name, "chat");
    bool several = dgm_answer_item(answer, "assumptions", 1) != NULL;
    const char *item = NULL;
    for (size_t i = 0; (item = dgm_answer_item(answer, "assumptions", i)); i++) {
        report_note(cli,
                    several ? arena_format(cli->arena, "%zu  %s", i + 1, item) : item);
    }
    if (!dgm_answer_item(answer, "assumptions", 0) || !dgm_answer_text(answer, "sql")) {
        return;
    }
    report_note(cli,
                chat ? arena_format(cli->arena,
                                    "Is that what you mean? \\keep remembers it; "
                                    "\\change %sWORDS says what you mean instead.",
                                    several ? "N " : "")
                     : arena_format(cli->arena,
                                    "Is that what you mean? dragoman ask %s--keep last "
                                    "remembers it.",
                                    instance_flags(cli)));
}

/* ------------------------------------------------------------------ remembering */

static const json_t *read_json(struct cli *cli, char *text)
{
    struct err err;
    const json_t *json = text ? json_parse(cli->arena, text, strlen(text), &err) : NULL;
    dgm_free(text);
    return json;
}

/* The id of the latest question that was answered with SQL; NULL: there is none. */
static const char *latest(struct cli *cli, struct dgm_error *error)
{
    enum { LOOK_BACK = 20 };
    const struct dgm_history_query query = {.limit = LOOK_BACK};
    const json_t *history = read_json(cli, dgm_history(cli->dgm, NULL, &query, error));
    size_t index = 0;
    const json_t *item = NULL;
    json_array_foreach(json_array_at(history, "questions"), index, item)
    {
        if (json_text_at(item, "sql") &&
            str_equal(json_text_at(item, "status"), "finished")) {
            return json_text_at(item, "query_id");
        }
    }
    return NULL;
}

static const char *nothing_to_keep(struct dgm_error *error)
{
    struct err err;
    (void)err_set(&err, ERR_USAGE, "There is no answer with SQL to remember.");
    (void)err_hint(&err, "Ask a question first.");
    report_convert(&err, error);
    return NULL;
}

/* A follow-up means nothing alone: it is remembered in the words that were made of it. */
const char *assumed_keep(struct cli *cli, const char *query_id, struct dgm_error *error)
{
    const char *id = query_id ? query_id : latest(cli, error);
    if (!id) {
        return *error->code ? NULL : nothing_to_keep(error);
    }
    char *text = dgm_answer_load(cli->dgm, id, error);
    if (!text) {
        return NULL;
    }
    const json_t *answer = read_json(cli, text);
    const char *rewritten = json_text_at(answer, "rewritten_query");
    const struct dgm_lesson lesson = {
        .kind = "query_pattern",
        .schema_name = rewritten ? rewritten : json_text_at(answer, "question"),
        .actual_name = json_text_at(answer, "sql")};
    if (!lesson.schema_name || !lesson.actual_name) {
        return nothing_to_keep(error);
    }
    if (!instance_open_files(cli, id, error)) {
        return NULL;
    }
    char *made = dgm_lesson_add(cli->dgm, NULL, json_text_at(answer, "datasource"),
                                &lesson, error);
    const char *kept = made ? arena_text(cli->arena, made) : NULL;
    dgm_free(made);
    if (kept) {
        report_note(cli, arena_format(cli->arena,
                                      "Remembered: \"%s\" is answered like this from "
                                      "now on.",
                                      lesson.schema_name));
    }
    return kept;
}

/* ------------------------------------------------------------------ changing */

enum { NAME_MOST = 40, THING_MOST = 80 };

/* What stands in `text` between `before` and `after` (NULL: the end); NULL: it has another form. */
static const char *between(struct arena *arena, const char *text, const char *before,
                           const char *after)
{
    if (!str_starts_nocase(text, before)) {
        return NULL;
    }
    text += strlen(before);
    const char *end = after ? strstr(text, after) : text + strlen(text);
    size_t size = end ? (size_t)(end - text) : 0;
    size -= !after && size && text[size - 1] == '.';
    return size ? arena_copy(arena, text, size) : NULL;
}

/* "Cancelled orders are left out." and "Without cancelled orders." */
static const char *left_out(struct arena *arena, const char *text)
{
    static const char *const verbs[] = {" are ", " is ", " were ", " was "};
    static const char *const ends[] = {"left out", "excluded", "ignored", "not counted",
                                       "not included"};
    static const char *const openings[] = {"Left out: ",    "Left out ",   "Excluded: ",
                                           "Excluded ",     "Without: ",   "Without ",
                                           "Not counted: ", "Excluding: ", "Excluding "};
    size_t size = strlen(text);
    size -= size && text[size - 1] == '.';
    const char *whole = arena_copy(arena, text, size);
    for (size_t v = 0; v < sizeof verbs / sizeof *verbs; v++) {
        for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
            const char *end = arena_format(arena, "%s%s", verbs[v], ends[e]);
            if (str_ends_nocase(whole, end) && size - strlen(end) <= THING_MOST) {
                return arena_copy(arena, whole, size - strlen(end));
            }
        }
    }
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
        const char *what = between(arena, text, openings[i], NULL);
        if (what && strlen(what) <= THING_MOST) {
            return what;
        }
    }
    return NULL;
}

/* "revenue is quantity × unit_price": the name before the verb. */
static const char *named(struct arena *arena, const char *text)
{
    static const char *const verbs[] = {" is ", " means ", " are "};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        const char *name = between(arena, text, "", verbs[i]);
        if (name && strlen(name) <= NAME_MOST && !strpbrk(name, ".,:;'\"()")) {
            return name;
        }
    }
    return NULL;
}

/* "Cancelled orders" inside of a sentence; "EU customers" stays as it is. */
static const char *inside(struct arena *arena, const char *text)
{
    char *copy = arena_text(arena, text);
    if (isupper((unsigned char)copy[0]) && islower((unsigned char)copy[1])) {
        copy[0] = (char)tolower((unsigned char)copy[0]);
    }
    return copy;
}

const char *assumed_change(struct arena *arena, const char *assumption, const char *words)
{
    const struct {
        const char *about;
        const char
            *alone; /* what a message without words begins with; NULL: they are needed */
        const char *before; /* what one with words begins with */
        const char *then;   /* and what stands before the words */
    } forms[] = {
        {between(arena, assumption, "No word asks for the condition: ", NULL),
         "Without the condition ", "Instead of the condition ", ": "},
        {between(arena, assumption, "As you chose, this answers: ", NULL), "",
         "Instead of ", ": "},
        {between(arena, assumption, "'", "' was taken to mean"), NULL, "By ", " I mean "},
        {between(arena, assumption, "No key is declared for ", "; "), NULL,
         "Do not join on ", ", but on "},
        {left_out(arena, assumption), "Include ", "Instead of leaving out ", ": "},
        {named(arena, assumption), NULL, "By ", " I mean "},
        {between(arena, assumption, "", NULL), NULL, "Instead of ", ": "},
    };
    size_t i = 0;
    while (i + 1 < sizeof forms / sizeof *forms && !forms[i].about) {
        i++;
    }
    const char *about = inside(arena, str_or_empty(forms[i].about));
    if (!str_empty(words)) {
        return arena_format(arena, "%s%s%s%s", forms[i].before, about, forms[i].then,
                            words);
    }
    return forms[i].alone ? arena_format(arena, "%s%s", forms[i].alone, about) : NULL;
}
