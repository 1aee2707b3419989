/* YAML into a small tree, over libyaml's events. */
#include "base/yaml.h"

#include <string.h>
#include <yaml.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"

enum { DEPTH_MOST = 64, NODES_MOST = 100000 };

struct reader {
    yaml_parser_t parser;
    struct arena *arena;
    struct err *err;
    int nodes;
    int depth;
};

static bool read_node(struct reader *reader, yaml_event_t *event, struct yaml **out);

static bool fail_at(struct reader *reader, yaml_mark_t mark, const char *what)
{
    (void)err_set(reader->err, ERR_INVALID_DATA,
                  "Not valid YAML: %s (line %zu, column %zu).", what, mark.line + 1,
                  mark.column + 1);
    reader->err->position = (int)mark.index;
    return false;
}

/* The caller deletes the event, also after a failure. */
static bool next_event(struct reader *reader, yaml_event_t *event)
{
    memset(event, 0, sizeof *event);
    if (yaml_parser_parse(&reader->parser, event)) {
        return true;
    }
    const yaml_parser_t *parser = &reader->parser;
    yaml_mark_t mark = parser->problem_mark;
    if (parser->error ==
        YAML_READER_ERROR) { /* bad bytes: libyaml knows only the offset */
        mark = parser->mark;
    }
    return fail_at(reader, mark, parser->problem ? parser->problem : "it cannot be read");
}

static struct yaml *add_node(struct reader *reader, const yaml_event_t *event,
                             enum yaml_kind kind)
{
    if (++reader->nodes > NODES_MOST) {
        (void)fail_at(reader, event->start_mark, "more than 100000 items");
        return NULL;
    }
    struct yaml *node = ARENA_NEW(reader->arena, struct yaml);
    node->kind = kind;
    node->line = (int)event->start_mark.line + 1;
    node->column = (int)event->start_mark.column + 1;
    return node;
}

/* What aliases multiply grows without bound, so there are none. */
static bool refuse_anchor(struct reader *reader, const yaml_event_t *event,
                          const unsigned char *anchor)
{
    return !anchor ||
           fail_at(reader, event->start_mark, "anchors and aliases are not accepted");
}

static bool copy_scalar(struct reader *reader, const yaml_event_t *event,
                        const char **out)
{
    const char *text = (const char *)event->data.scalar.value;
    size_t size = event->data.scalar.length;
    if (memchr(text, '\0', size)) {
        return fail_at(reader, event->start_mark, "a NUL character in a text");
    }
    *out = arena_copy(reader->arena, text, size);
    return true;
}

static bool read_scalar(struct reader *reader, const yaml_event_t *event,
                        struct yaml **out)
{
    struct yaml *node = add_node(reader, event, YAML_SCALAR);
    if (!node || !refuse_anchor(reader, event, event->data.scalar.anchor) ||
        !copy_scalar(reader, event, &node->text)) {
        return false;
    }
    const char *tag = (const char *)event->data.scalar.tag;
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE ||
                   str_equal(tag, YAML_STR_TAG);
    *out = node;
    return true;
}

static bool read_list(struct reader *reader, struct yaml *list)
{
    struct yaml **last = &list->first;
    for (;;) {
        yaml_event_t event;
        bool ok = next_event(reader, &event);
        bool end = ok && event.type == YAML_SEQUENCE_END_EVENT;
        if (ok && !end) {
            ok = read_node(reader, &event, last);
        }
        yaml_event_delete(&event);
        if (!ok || end) {
            return ok;
        }
        last = &(*last)->next;
    }
}

/* The key's place becomes the child's: that is where a message should point. */
static bool read_entry(struct reader *reader, const yaml_event_t *key, struct map *seen,
                       struct yaml **out)
{
    const char *name = NULL;
    if (key->type != YAML_SCALAR_EVENT) {
        return fail_at(reader, key->start_mark, "a key must be a plain text");
    }
    if (!refuse_anchor(reader, key, key->data.scalar.anchor) ||
        !copy_scalar(reader, key, &name)) {
        return false;
    }
    if (map_has(seen, name)) {
        char what[160];
        (void)snprintf(what, sizeof what, "the key '%.100s' is there twice", name);
        return fail_at(reader, key->start_mark, what);
    }
    (void)map_set(seen, name, reader);
    yaml_event_t event;
    bool ok = next_event(reader, &event) && read_node(reader, &event, out);
    yaml_event_delete(&event);
    if (ok) {
        (*out)->key = name;
        (*out)->line = (int)key->start_mark.line + 1;
        (*out)->column = (int)key->start_mark.column + 1;
    }
    return ok;
}

static bool read_map(struct reader *reader, struct yaml *map)
{
    struct map seen;
    map_init(&seen, false);
    struct yaml **last = &map->first;
    bool ok = true;
    for (bool end = false; ok && !end;) {
        yaml_event_t event;
        ok = next_event(reader, &event);
        end = ok && event.type == YAML_MAPPING_END_EVENT;
        if (ok && !end) {
            ok = read_entry(reader, &event, &seen, last);
            last = ok ? &(*last)->next : last;
        }
        yaml_event_delete(&event);
    }
    map_release(&seen);
    return ok;
}

static bool read_children(struct reader *reader, const yaml_event_t *event, bool is_map,
                          struct yaml **out)
{
    const unsigned char *anchor =
        is_map ? event->data.mapping_start.anchor : event->data.sequence_start.anchor;
    struct yaml *node = add_node(reader, event, is_map ? YAML_MAP : YAML_LIST);
    if (!node || !refuse_anchor(reader, event, anchor)) {
        return false;
    }
    if (++reader->depth > DEPTH_MOST) {
        return fail_at(reader, event->start_mark, "more than 64 levels deep");
    }
    bool ok = is_map ? read_map(reader, node) : read_list(reader, node);
    reader->depth--;
    *out = node;
    return ok;
}

static bool read_node(struct reader *reader, yaml_event_t *event, struct yaml **out)
{
    switch ((int)event->type) {
    case YAML_SCALAR_EVENT:
        return read_scalar(reader, event, out);
    case YAML_SEQUENCE_START_EVENT:
        return read_children(reader, event, false, out);
    case YAML_MAPPING_START_EVENT:
        return read_children(reader, event, true, out);
    case YAML_ALIAS_EVENT:
        return refuse_anchor(reader, event, event->data.alias.anchor);
    default:
        return fail_at(reader, event->start_mark, "a value was expected here");
    }
}

/* The events around the one document; nothing at all reads as an empty plain scalar. */
static bool read_stream(struct reader *reader, struct yaml **out)
{
    bool ok = true;
    for (bool end = false; ok && !end;) {
        yaml_event_t event;
        ok = next_event(reader, &event);
        end = ok && event.type == YAML_STREAM_END_EVENT;
        bool frame = event.type == YAML_STREAM_START_EVENT ||
                     event.type == YAML_DOCUMENT_START_EVENT ||
                     event.type == YAML_DOCUMENT_END_EVENT;
        if (ok && *out && event.type == YAML_DOCUMENT_START_EVENT) {
            ok = fail_at(reader, event.start_mark,
                         "only one document is accepted, and a second one begins");
        } else if (ok && !end && !frame) {
            ok = read_node(reader, &event, out);
        } else if (end && !*out) {
            *out = add_node(reader, &event, YAML_SCALAR);
            (*out)->text = "";
        }
        yaml_event_delete(&event);
    }
    return ok;
}

struct yaml *yaml_parse(struct arena *arena, const char *text, size_t size,
                        struct err *err)
{
    struct reader reader = {.arena = arena, .err = err};
    if (!yaml_parser_initialize(&reader.parser)) {
        (void)err_set(err, ERR_INTERNAL, "The YAML reader could not be started.");
        return NULL;
    }
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)text, size);
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    struct yaml *root = NULL;
    bool ok = read_stream(&reader, &root);
    yaml_parser_delete(&reader.parser);
    return ok ? root : NULL;
}

const struct yaml *yaml_at(const struct yaml *map, const char *key)
{
    if (!map || map->kind != YAML_MAP) {
        return NULL;
    }
    for (const struct yaml *child = map->first; child; child = child->next) {
        if (str_equal(child->key, key)) {
            return child;
        }
    }
    return NULL;
}
