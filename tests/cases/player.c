/* What every door shares: the folder with the databases, and looking at them from
 * outside. */
#include "cases/player.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/str.h"
#include "cases/fixture.h"

enum { DATABASE_MOST = 64 * 1024 * 1024, STEP_MS = 60000 };

static void remove_folder(struct arena *arena, const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry = NULL;
    while (folder && (entry = readdir(folder))) {
        if (str_equal(entry->d_name, ".") || str_equal(entry->d_name, "..")) {
            continue;
        }
        const char *inside = arena_format(arena, "%s/%s", path, entry->d_name);
        if (folder_exists(inside)) {
            remove_folder(arena, inside);
        } else {
            (void)unlink(inside);
        }
    }
    if (folder) {
        (void)closedir(folder);
    }
    (void)rmdir(path);
}

static bool wants_writes(const struct case_file *file)
{
    bool wants = false;
    for (size_t i = 0; i < file->steps.count; i++) {
        wants = wants || file->steps.items[i].allow_write;
    }
    return wants;
}

/* The databases as a configuration file names them, the first one with its policy. */
static bool write_config(struct player *player)
{
    const struct case_file *file = player->file;
    struct arena *arena = player->arena;
    struct texts lines = {0};
    struct err err;
    const char *text = "datasources:\n";
    for (size_t i = 0; i < player->databases.count; i++) {
        text = arena_format(arena, "%s  - id: %.*s\n    url: %s\n%s", text,
                            (int)strcspn(file->fixtures.items[i].name, "."),
                            file->fixtures.items[i].name, player->databases.items[i],
                            wants_writes(file) ? "    writable: true\n" : "");
        str_split(arena, i == 0 ? file->policy : "", '\n', &lines);
        for (size_t k = 0; i == 0 && k < lines.count; k++) {
            text = arena_format(arena, "%s%s      %s\n", text, k ? "" : "    policy:\n",
                                lines.items[k]);
        }
    }
    player->config = arena_format(arena, "%s/dragoman.yaml", player->folder);
    return file_write(player->config, text, strlen(text), &err);
}

bool player_open(struct player *player, const struct case_file *file)
{
    player->file = file;
    player->arena = arena_new();
    player->timeout_ms = player->timeout_ms ? player->timeout_ms : STEP_MS;
    const char *base = getenv("TMPDIR");
    char *folder = arena_format(player->arena, "%s/dragoman-case-XXXXXX",
                                str_empty(base) ? "/tmp" : base);
    if (!mkdtemp(folder)) {
        (void)fprintf(stderr, "no folder can be made in %s\n", folder);
        return false;
    }
    player->folder = folder;
    for (size_t i = 0; i < file->fixtures.count; i++) {
        const char *path =
            fixture_create(player->arena, &file->fixtures.items[i], folder);
        if (!path) {
            return false;
        }
        VEC_PUSH(player->arena, &player->databases, path);
    }
    if (file->policy && !write_config(player)) {
        return false;
    }
    if (file->dictionary) {
        struct err err;
        player->dictionary =
            arena_format(player->arena, "%s/%s", folder, file->dictionary_name);
        return file_write(player->dictionary, file->dictionary, strlen(file->dictionary),
                          &err);
    }
    return true;
}

void player_close(struct player *player)
{
    if (player->folder) {
        remove_folder(player->arena, player->folder);
    }
    arena_free(player->arena);
}

/* What waits in the stores of the case has waited too long. A checkpoint may still be on
 * its way there. */
static void let_time_pass(const struct player *player)
{
    static const char *const doors[] = {"library", "program"};
    for (size_t i = 0; i < sizeof doors / sizeof *doors; i++) {
        const char *path =
            arena_format(player->arena, "%s/%s/dragoman.db", player->folder, doors[i]);
        for (int round = 0; round < 100 && file_exists(path); round++) {
            if (fixture_touch(path, "UPDATE questions SET expires_at = 1"
                                    " WHERE state = 'AWAIT_USER'")) {
                break;
            }
            (void)usleep(20000);
        }
    }
}

bool player_outside(struct player *player, const struct case_step *step,
                    struct played *played, bool *done)
{
    *done = step->kind == CASE_CHANGE || step->kind == CASE_LOOK ||
            step->kind == CASE_REMOVE || step->kind == CASE_LATE;
    if (!*done) {
        return true;
    }
    if (step->kind == CASE_LATE) {
        *played = (struct played){.answer = NULL};
        let_time_pass(player);
        return true;
    }
    *played = (struct played){.writes = step->kind != CASE_LOOK};
    if (player->databases.count == 0) {
        return false;
    }
    const char *path = player->databases.items[0];
    if (step->kind == CASE_REMOVE) {
        return unlink(path) == 0;
    }
    if (step->kind == CASE_CHANGE) {
        return fixture_change(path, step->text);
    }
    played->answer = fixture_look(player->arena, path, step->text);
    return played->answer != NULL;
}

const json_t *player_lessons(struct player *player, json_t *list)
{
    size_t index = 0;
    json_t *lesson = NULL;
    json_array_foreach(list, index, lesson)
    {
        (void)json_object_del(lesson, "id");
        (void)json_object_del(lesson, "updated_at");
        (void)json_object_del(lesson, "datasource"); /* holds the place */
    }
    return json_keep(player->arena, json_pack("{s:O}", "lessons", list));
}

uint64_t player_fingerprint(const struct player *player)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < player->databases.count; i++) {
        struct arena *arena = arena_new();
        struct err err;
        size_t size = 0;
        const char *bytes =
            file_read(arena, player->databases.items[i], DATABASE_MOST, &size, &err);
        sum = sum * 31 + (bytes ? hash_of(bytes, size) : 1);
        arena_free(arena);
    }
    return sum;
}
