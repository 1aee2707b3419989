/* From the text of a template to a flat list of steps. */
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "prompt/steps.h"
#include "prompt/template.h"

enum {
    MOST_NESTED = 32,
    MOST_PARTIALS = 16,
    MOST_STEPS = 100000, /* partials that include each other twice grow fast */
    MOST_NAME = 200,
};

struct compiler {
    struct arena *arena;
    struct template *template;
    const struct template_partials *partials;
    size_t open[MOST_NESTED]; /* steps of the sections not yet closed */
    size_t depth;
    size_t partial_depth;
    struct err *err;
};

/* One text on its way through: the template's own or a partial's. */
struct source {
    const char *name;
    const char *text;
    size_t size;
    size_t at;
    size_t section_floor; /* a partial closes only what it opened */
};

struct tag {
    char kind; /* # ^ / ! > & or 0 for a value */
    const char *name;
    size_t size;
    size_t start; /* of "{{" */
    size_t end;   /* after "}}" */
    bool lines;   /* {{{name}}} or {{&name}} */
};

static bool compile_text(struct compiler *compiler, struct source *source);

static int line_of(const struct source *source, size_t at)
{
    int line = 1;
    for (size_t i = 0; i < at; i++) {
        line += source->text[i] == '\n';
    }
    return line;
}

static bool compile_fail(struct compiler *compiler, const struct source *source,
                         const struct tag *tag, const char *problem)
{
    int size = tag->size > MOST_NAME ? MOST_NAME : (int)tag->size;
    (void)err_set(compiler->err, ERR_CONFIG, "Prompt %s, line %d: {{%.*s%.*s}} %s.",
                  source->name, line_of(source, tag->start), tag->kind ? 1 : 0,
                  &tag->kind, size, tag->name, problem);
    compiler->err->position = (int)tag->start;
    return false;
}

static bool add_step(struct compiler *compiler, const struct source *source,
                     enum step_kind kind, const struct tag *tag)
{
    struct steps *steps = &compiler->template->steps;
    if (steps->count >= MOST_STEPS) {
        return compile_fail(compiler, source, tag, "makes the template too large");
    }
    struct step *step = VEC_ADD(compiler->arena, steps);
    step->kind = kind;
    step->text = arena_copy(compiler->arena, tag->name, tag->size);
    step->size = tag->size;
    return true;
}

static bool add_text(struct compiler *compiler, const struct source *source, size_t start,
                     size_t end)
{
    if (start >= end) {
        return true;
    }
    struct tag piece = {
        .name = source->text + start, .size = end - start, .start = start};
    return add_step(compiler, source, STEP_TEXT, &piece);
}

static bool section_open(struct compiler *compiler, struct source *source,
                         const struct tag *tag)
{
    if (compiler->depth == MOST_NESTED) {
        return compile_fail(compiler, source, tag, "is nested too deeply (32 at most)");
    }
    compiler->open[compiler->depth] = compiler->template->steps.count;
    compiler->depth++;
    return add_step(compiler, source, tag->kind == '#' ? STEP_SECTION : STEP_INVERTED,
                    tag);
}

static bool section_close(struct compiler *compiler, struct source *source,
                          const struct tag *tag)
{
    if (compiler->depth == source->section_floor) {
        return compile_fail(compiler, source, tag, "closes a section that is not open");
    }
    struct steps *steps = &compiler->template->steps;
    struct step *section = &steps->items[compiler->open[compiler->depth - 1]];
    if (section->size != tag->size || memcmp(section->text, tag->name, tag->size) != 0) {
        return compile_fail(compiler, source, tag,
                            "closes another section than the one last opened");
    }
    section->end = steps->count;
    compiler->depth--;
    return true;
}

static bool partial_insert(struct compiler *compiler, struct source *source,
                           const struct tag *tag)
{
    char *name = arena_copy(compiler->arena, tag->name, tag->size);
    struct source inner = {.name = name, .section_floor = compiler->depth};
    const struct template_partials *partials = compiler->partials;
    if (!partials || !partials->find(partials->context, name, &inner.text, &inner.size)) {
        return compile_fail(compiler, source, tag, "names a partial that does not exist");
    }
    if (compiler->partial_depth == MOST_PARTIALS) {
        return compile_fail(compiler, source, tag,
                            "includes itself, or partials are 16 deep");
    }
    compiler->partial_depth++;
    bool ok = compile_text(compiler, &inner);
    compiler->partial_depth--;
    return ok;
}

static bool value_add(struct compiler *compiler, struct source *source,
                      const struct tag *tag)
{
    return add_step(compiler, source, tag->lines ? STEP_LINES : STEP_VALUE, tag);
}

static bool comment_skip(struct compiler *compiler, struct source *source,
                         const struct tag *tag)
{
    (void)compiler;
    (void)source;
    (void)tag;
    return true;
}

static const struct tag_rule {
    char kind;
    bool takes_line; /* alone on its line, the line goes too */
    bool (*compile)(struct compiler *compiler, struct source *source,
                    const struct tag *tag);
} rules[] = {
    {0, false, value_add},     {'&', false, value_add},    {'#', true, section_open},
    {'^', true, section_open}, {'/', true, section_close}, {'>', true, partial_insert},
    {'!', true, comment_skip},
};

static const struct tag_rule *rule_of(char kind)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].kind == kind) {
            return &rules[i];
        }
    }
    return &rules[0]; /* not reached: tag_read knows these kinds alone */
}

static bool name_is_fine(const struct tag *tag)
{
    if (tag->size == 1 && tag->name[0] == '.') {
        return true;
    }
    if (!tag->size || tag->size > MOST_NAME || tag->name[0] == '.' ||
        tag->name[tag->size - 1] == '.') {
        return false;
    }
    for (size_t i = 0; i < tag->size; i++) {
        unsigned char c = (unsigned char)tag->name[i];
        if (!isalnum(c) && !memchr("_-./", c, 4)) {
            return false;
        }
    }
    return true;
}

/* Reads the tag whose "{{" is at `start`. */
static bool tag_read(struct compiler *compiler, struct source *source, size_t start,
                     struct tag *tag)
{
    size_t body = start + 2;
    bool triple = body < source->size && source->text[body] == '{';
    body += triple;
    const char *close = triple ? "}}}" : "}}";
    const char *end =
        memmem(source->text + body, source->size - body, close, strlen(close));
    *tag = (struct tag){.start = start, .name = source->text + body};
    if (!end) {
        tag->size = strcspn(tag->name, "\n");
        return compile_fail(compiler, source, tag, "is never ended by }}");
    }
    tag->end = (size_t)(end - source->text) + strlen(close);
    if (!triple && body < source->size && memchr("#^/!>&", source->text[body], 6)) {
        tag->kind = source->text[body];
        body++;
    }
    tag->lines = triple || tag->kind == '&';
    size_t stop = (size_t)(end - source->text);
    while (body < stop && isspace((unsigned char)source->text[body])) {
        body++;
    }
    while (stop > body && isspace((unsigned char)source->text[stop - 1])) {
        stop--;
    }
    tag->name = source->text + body;
    tag->size = stop - body;
    if (tag->kind != '!' && !name_is_fine(tag)) {
        return compile_fail(compiler, source, tag, "is no tag that dragoman knows");
    }
    return true;
}

/* When only blanks stand around the tag on its line, widens it to the whole line. */
static void tag_take_line(const struct source *source, struct tag *tag)
{
    size_t start = tag->start;
    while (start > 0 &&
           (source->text[start - 1] == ' ' || source->text[start - 1] == '\t')) {
        start--;
    }
    size_t end = tag->end;
    while (end < source->size && memchr(" \t\r", source->text[end], 3)) {
        end++;
    }
    bool at_line_start = start == 0 || source->text[start - 1] == '\n';
    bool at_line_end = end == source->size || source->text[end] == '\n';
    if (at_line_start && at_line_end) {
        tag->start = start;
        tag->end = end == source->size ? end : end + 1;
    }
}

static bool compile_text(struct compiler *compiler, struct source *source)
{
    while (source->at < source->size) {
        const char *from = source->text + source->at;
        const char *open = memmem(from, source->size - source->at, "{{", 2);
        if (!open) {
            if (!add_text(compiler, source, source->at, source->size)) {
                return false;
            }
            break;
        }
        struct tag tag;
        if (!tag_read(compiler, source, (size_t)(open - source->text), &tag)) {
            return false;
        }
        const struct tag_rule *rule = rule_of(tag.kind);
        struct tag whole = tag;
        if (rule->takes_line) {
            tag_take_line(source, &whole);
        }
        /*
         * Two standalone tags never share a line, so the text before is never negative.
         */
        if (!add_text(compiler, source, source->at, whole.start) ||
            !rule->compile(compiler, source, &tag)) {
            return false;
        }
        source->at = whole.end;
    }
    if (compiler->depth > source->section_floor) {
        const struct step *section =
            &compiler->template->steps.items[compiler->open[compiler->depth - 1]];
        struct tag tag = {.kind = section->kind == STEP_SECTION ? '#' : '^',
                          .name = section->text,
                          .size = section->size,
                          .start = source->size};
        return compile_fail(compiler, source, &tag, "is never closed");
    }
    return true;
}

struct template *template_compile_with(struct arena *arena, const char *name,
                                       const char *text, size_t size,
                                       const struct template_partials *partials,
                                       struct err *err)
{
    struct template *template = ARENA_NEW(arena, struct template);
    template->name = arena_text(arena, name);
    struct compiler compiler = {
        .arena = arena, .template = template, .partials = partials, .err = err};
    /* A copy with a NUL behind it: the readers above may look one byte past the end. */
    struct source source = {
        .name = template->name, .text = arena_copy(arena, text, size), .size = size};
    return compile_text(&compiler, &source) ? template : NULL;
}

struct template *template_compile(struct arena *arena, const char *name, const char *text,
                                  size_t size, struct err *err)
{
    return template_compile_with(arena, name, text, size, NULL, err);
}
