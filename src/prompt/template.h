/*
 * A small Mustache: {{name}}, {{#list}}…{{/list}}, {{^empty}}…{{/empty}}, {{! comment}},
 * {{>partial}}; no HTML escaping, as prompts are plain text. A section or comment tag alone
 * on its line takes the line with it.
 */
#ifndef DGM_PROMPT_TEMPLATE_H
#define DGM_PROMPT_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct buf;
struct err;

/* Values for a template: a tree built in an arena. */
struct slot;
struct slot *slot_map(struct arena *arena);
void slot_text(struct arena *arena, struct slot *map, const char *key, const char *text); /* NULL: empty */
void slot_int(struct arena *arena, struct slot *map, const char *key, long long value);
void slot_flag(struct arena *arena, struct slot *map, const char *key, bool value);
struct slot *slot_child(struct arena *arena, struct slot *map, const char *key);
struct slot *slot_item(struct arena *arena, struct slot *map, const char *key); /* one more map in a list */
void slot_item_text(struct arena *arena, struct slot *map, const char *key, const char *text); /* {{.}} */

struct template;
/* Compiles; errors name the tag and the line. Partials are found by the callback. */
struct template *template_compile(struct arena *arena, const char *name, const char *text,
                                  size_t size, struct err *err);
/* A missing value renders as nothing. Bounded by the buffer's ceiling. */
bool template_render(const struct template *template, const struct slot *values,
                     struct buf *out, struct err *err);

#endif
