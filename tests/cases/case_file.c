/* Reads a case. README.md shows its form. */
#include "cases/case_file.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"

enum { CASE_MOST = 1024 * 1024 };

static const char *const kind_names[CASE_KINDS] = {
    "ask",    "answer", "approve", "reject", "sql",  "session", "teach", "lessons",
    "change", "look",   "remove",  "wrong",  "good", "late",    "retry", "reading"};

struct reader {
    struct case_file *file;
    struct texts lines;
    size_t at;          /* the next line */
    struct buf waiting; /* model lines for the step to come */
};

const char *case_kind_name(enum case_kind kind)
{
    return kind_names[kind];
}

static bool wrong(const struct reader *reader, const char *what)
{
    (void)fprintf(stderr, "%s:%zu: %s\n", reader->file->path, reader->at, what);
    return false;
}

static bool is_head(const char *line)
{
    return str_starts(line, "--- ");
}

/* "\n" and "\xFF" in a question: what a keyboard cannot type. */
static const char *unescape(struct arena *arena, const char *text)
{
    char *out = arena_alloc(arena, strlen(text) + 1);
    size_t size = 0;
    for (const char *at = text; *at; at++) {
        unsigned byte = 0;
        if (str_starts(at, "\\n")) {
            out[size++] = '\n';
            at++;
        } else if (str_starts(at, "\\x") && sscanf(at + 2, "%2x", &byte) == 1) {
            out[size++] = (char)byte;
            at += 3;
        } else {
            out[size++] = *at;
        }
    }
    out[size] = '\0';
    return out;
}

/* The lines up to the next head, as one text. */
static const char *read_body(struct reader *reader)
{
    struct buf body;
    buf_init(&body, CASE_MOST);
    while (reader->at < reader->lines.count &&
           !is_head(reader->lines.items[reader->at])) {
        (void)buf_format(&body, "%s\n", reader->lines.items[reader->at++]);
    }
    while (body.size > 1 && body.data[body.size - 1] == '\n' &&
           body.data[body.size - 2] == '\n') {
        buf_truncate(&body, body.size - 1);
    }
    const char *text = buf_clone(&body, reader->file->arena);
    buf_release(&body);
    return text ? text : "";
}

static bool read_with(struct reader *reader, struct case_step *step, const char *value)
{
    struct texts words = {0};
    str_split(reader->file->arena, value, ' ', &words);
    for (size_t i = 0; i < words.count; i++) {
        const char *word = words.items[i];
        if (str_equal(word, "allow_write")) {
            step->allow_write = true;
        } else if (str_equal(word, "dry_run")) {
            step->dry_run = true;
        } else if (str_equal(word, "fresh")) {
            step->fresh = true;
        } else if (str_equal(word, "new")) {
            step->new_question = true;
        } else if (str_equal(word, "no_plan")) {
            step->no_plan = true;
        } else if (str_equal(word, "no_memory")) {
            step->no_memory = true;
        } else if (str_starts(word, "datasource=")) {
            step->datasource = word + 11;
        } else if (str_starts(word, "session=")) {
            step->session = word + 8;
        } else if (str_starts(word, "brain=")) {
            step->brain = word + 6;
        } else if (*word) {
            return wrong(reader, "unknown word after 'with:'");
        }
    }
    return true;
}

/* Where the key ends: at ": " or " ~ ". */
static const char *key_end(const char *line, bool *contains)
{
    for (const char *at = line; *at; at++) {
        if (at[0] == ':' && (at[1] == ' ' || at[1] == '\0')) {
            *contains = false;
            return at;
        }
        if (at[0] == ' ' && at[1] == '~' && (at[2] == ' ' || at[2] == '\0')) {
            *contains = true;
            return at;
        }
    }
    return NULL;
}

static bool read_line(struct reader *reader, struct case_step *step, const char *line)
{
    struct arena *arena = reader->file->arena;
    if (isspace((unsigned char)*line) && step->lines.count) { /* goes on */
        struct case_line *last = &step->lines.items[step->lines.count - 1];
        last->value = arena_format(arena, "%s %s", last->value, str_trim(arena, line));
        return true;
    }
    bool contains = false;
    const char *end = key_end(line, &contains);
    if (!end) {
        return wrong(reader, "expected 'key: value' or 'key ~ value'");
    }
    const char *key = arena_copy(arena, line, (size_t)(end - line));
    const char *value = str_trim(arena, end + (contains ? 2 : 1));
    if (str_equal(key, "with")) {
        return read_with(reader, step, value);
    }
    VEC_PUSH(arena, &step->lines,
             ((struct case_line){(int)reader->at, key, contains, value}));
    return true;
}

static bool read_step(struct reader *reader, enum case_kind kind, const char *text)
{
    struct case_file *file = reader->file;
    struct case_step *step = VEC_ADD(file->arena, &file->steps);
    step->kind = kind;
    step->number = (int)reader->at;
    step->text = unescape(file->arena, text);
    step->script = reader->waiting.size ? buf_clone(&reader->waiting, file->arena) : "";
    buf_clear(&reader->waiting);
    if (kind == CASE_CHANGE || kind == CASE_TEACH) {
        step->text = read_body(reader);
        return true;
    }
    while (reader->at < reader->lines.count &&
           !is_head(reader->lines.items[reader->at])) {
        const char *line = reader->lines.items[reader->at++];
        if (!str_empty(line) && *line != '#' && !read_line(reader, step, line)) {
            return false;
        }
    }
    return true;
}

static bool read_head(struct reader *reader, const char *line)
{
    struct arena *arena = reader->file->arena;
    const char *word = str_trim(arena, line + 4);
    const char *space = strchr(word, ' ');
    const char *rest = space ? str_trim(arena, space) : "";
    word = space ? arena_copy(arena, word, (size_t)(space - word)) : word;
    if (str_equal(word, "llm")) {
        (void)buf_format(&reader->waiting, ">>> %s\n%s<<<\n", rest, read_body(reader));
        return true;
    }
    if (str_equal(word, "fixture")) {
        VEC_PUSH(arena, &reader->file->fixtures,
                 ((struct case_fixture){.name = rest, .sql = read_body(reader)}));
        return true;
    }
    if (str_equal(word, "dictionary")) {
        reader->file->dictionary_name = rest;
        reader->file->dictionary = read_body(reader);
        return true;
    }
    if (str_equal(word, "policy")) {
        reader->file->policy = read_body(reader);
        return true;
    }
    for (int kind = 0; kind < CASE_KINDS; kind++) {
        if (str_equal(word, kind_names[kind])) {
            return read_step(reader, (enum case_kind)kind, rest);
        }
    }
    return wrong(reader, "unknown block");
}

/* "fixture: users.sql" or "fixture: sample"; "as" gives it another name. */
static void read_fixture(struct case_file *file, const char *value)
{
    struct texts words = {0};
    str_split(file->arena, value, ' ', &words);
    const char *what = words.items[0];
    const char *dot = strrchr(what, '.');
    struct case_fixture *fixture = VEC_ADD(file->arena, &file->fixtures);
    fixture->name = dot ? arena_copy(file->arena, what, (size_t)(dot - what)) : what;
    if (words.count == 3) {
        fixture->name = words.items[2];
    }
    if (dot) {
        fixture->file = what;
    } else {
        fixture->special = what;
    }
}

static bool read_opening(struct reader *reader, const char *line)
{
    struct case_file *file = reader->file;
    if (str_starts(line, "fixture:")) {
        read_fixture(file, str_trim(file->arena, line + 8));
    } else if (str_starts(line, "set:")) {
        VEC_PUSH(file->arena, &file->settings, str_trim(file->arena, line + 4));
    } else if (str_equal(line, "doors: library")) {
        file->library_only = true;
    } else if (!str_empty(line) && *line != '#') {
        return wrong(reader, "expected 'fixture:', 'set:', 'doors: library' or a block");
    }
    return true;
}

static const char *name_of(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return arena_copy(arena, name, dot ? (size_t)(dot - name) : strlen(name));
}

struct case_file *case_load(const char *path)
{
    struct arena *arena = arena_new();
    struct err err;
    size_t size = 0;
    char *text = file_read(arena, path, CASE_MOST, &size, &err);
    if (!text) {
        (void)fprintf(stderr, "%s: %s\n", path, err.message);
        arena_free(arena);
        return NULL;
    }
    struct reader reader = {.file = ARENA_NEW(arena, struct case_file)};
    *reader.file = (struct case_file){
        .arena = arena, .path = arena_text(arena, path), .name = name_of(arena, path)};
    buf_init(&reader.waiting, CASE_MOST);
    str_split(arena, text, '\n', &reader.lines);
    bool ok = true;
    while (ok && reader.at < reader.lines.count) {
        const char *line = reader.lines.items[reader.at++];
        ok = is_head(line) ? read_head(&reader, line) : read_opening(&reader, line);
    }
    if (ok && reader.file->steps.count == 0) {
        ok = wrong(&reader, "nothing is asked in it");
    }
    if (ok && reader.waiting.size) {
        ok = wrong(&reader, "model lines without a step after them");
    }
    buf_release(&reader.waiting);
    if (!ok) {
        arena_free(arena);
        return NULL;
    }
    return reader.file;
}

void case_free(struct case_file *file)
{
    if (file) {
        arena_free(file->arena);
    }
}

const char *case_script(const struct case_file *file)
{
    struct texts scripts = {0};
    for (size_t i = 0; i < file->steps.count; i++) {
        VEC_PUSH(file->arena, &scripts, file->steps.items[i].script);
    }
    return str_join(file->arena, &scripts, "");
}
