/* A schema and a dictionary that is read into it. */
#ifndef DGM_TESTS_DATASOURCE_DICTIONARY_SCENE_H
#define DGM_TESTS_DATASOURCE_DICTIONARY_SCENE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "datasource/dictionary/dictionary.h"

struct scene {
    struct arena *arena;
    struct schema *schema;
    struct dictionary dictionary;
    struct err err;
};

/* Without tables. */
static int set_up(void **state)
{
    struct arena *arena = arena_new();
    struct scene *scene = ARENA_NEW(arena, struct scene);
    scene->arena = arena;
    scene->schema = schema_new();
    scene->schema->dialect = "sqlite";
    *state = scene;
    return 0;
}

static int tear_down(void **state)
{
    struct scene *scene = *state;
    schema_unref(scene->schema);
    arena_free(scene->arena);
    return 0;
}

static void merge(struct scene *scene, enum dictionary_kind kind, const char *text)
{
    err_clear(&scene->err);
    if (!dictionary_parse(scene->arena, kind, text, strlen(text), &scene->dictionary,
                          &scene->err)) {
        fail_msg("%s", scene->err.message);
    }
    dictionary_merge(&scene->dictionary, scene->schema);
}

#endif
