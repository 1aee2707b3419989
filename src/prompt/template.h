/*
 * A small Mustache: {{name}}, {{a.b}}, {{.}}, {{#list}}…{{/list}}, {{^empty}}…{{/empty}},
 * {{! comment}}, {{>partial}}. A section, comment or partial tag alone on its line takes
 * the line with it.
 *
 * Values are foreign text (foreign.h), so no template can forget it: nothing hidden is in
 * them, no value closes or opens a fence (<<<name … name>>>), and {{name}} is one line
 * whatever it holds; {{{name}}} and {{&name}} keep ends of lines.
 *
 * Compiled once, rendered by appending: partials are put in place when compiling, so a
 * render only walks a flat list of steps. A compiled template may be rendered by any
 * number of threads at once.
 */
#ifndef DGM_PROMPT_TEMPLATE_H
#define DGM_PROMPT_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct buf;
struct err;

/* Values for a template: a tree built in an arena. Texts are copied; keys are borrowed
 * (they are literals in practice). Setting a key again replaces its value. */
struct slot;
struct slot *slot_map(struct arena *arena);
void slot_text(struct arena *arena, struct slot *map, const char *key,
               const char *text); /* NULL: empty */
/* For a text of which foreign_is_clean() is known: it is not copied, nor looked through each time. */
void slot_clean_text(struct arena *arena, struct slot *map, const char *key,
                     const char *text, size_t size);
void slot_int(struct arena *arena, struct slot *map, const char *key, long long value);
void slot_flag(struct arena *arena, struct slot *map, const char *key, bool value);
/* The map under the key, made when it is not there yet. */
struct slot *slot_child(struct arena *arena, struct slot *map, const char *key);
/* One more map in the list under the key. */
struct slot *slot_item(struct arena *arena, struct slot *map, const char *key);
/* One more text in the list under the key: {{.}} */
void slot_item_text(struct arena *arena, struct slot *map, const char *key,
                    const char *text);

struct template;

/* Where {{>name}} is looked up; what it finds must be NUL-ended behind its size. */
struct template_partials {
    bool (*find)(void *context, const char *name, const char **text, size_t *size);
    void *context;
};

/* Compiles; errors (CONFIG) name the tag and the line. {{>partial}} is an error here. */
struct template *template_compile(struct arena *arena, const char *name, const char *text,
                                  size_t size, struct err *err);
/* The same with partials; they may hold partials themselves, 16 deep at most. */
struct template *template_compile_with(struct arena *arena, const char *name,
                                       const char *text, size_t size,
                                       const struct template_partials *partials,
                                       struct err *err);
/* A missing value renders as nothing. Bounded by the buffer's ceiling (LLM_TOO_LARGE). */
bool template_render(const struct template *template, const struct slot *values,
                     struct buf *out, struct err *err);

#endif
