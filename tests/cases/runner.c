/* Plays a case through the library, the program, the server and the tools of an assistant: all
 * must do what the case says, and the same. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "cases/expect.h"
#include "cases/fixture.h"
#include "cases/scores.h"

enum { DOORS = 4, STEPS_MOST = 64, SKIPPED = 77 };

typedef bool step_fn(struct player *player, const struct case_step *step,
                     struct played *played);

static int play_step(struct player *player, const struct case_step *step, step_fn *door,
                     struct played *played)
{
    bool done = false;
    uint64_t before = player_fingerprint(player);
    bool ok = player_outside(player, step, played, &done);
    if (ok && !done) {
        ok = door(player, step, played);
    }
    if (!ok) {
        (void)fprintf(stderr, "%s:%d: %s could not be played\n", player->file->path,
                      step->number, case_kind_name(step->kind));
        return 1;
    }
    int failures = expect_step(player->file, step, played);
    bool may_write = played->writes || expect_writes(step);
    if (!may_write && before != player_fingerprint(player)) {
        (void)fprintf(stderr, "%s:%d: the database was changed\n", player->file->path,
                      step->number);
        failures++;
    }
    return failures;
}

static int play(struct player *player, step_fn *door, struct played *played)
{
    int failures = 0;
    for (size_t i = 0; i < player->file->steps.count && !failures; i++) {
        failures += play_step(player, &player->file->steps.items[i], door, &played[i]);
    }
    return failures;
}

/* Did the other door do the same, step by step? */
static int compare(const struct case_file *file, const struct played *one,
                   const struct played *other)
{
    int failures = 0;
    for (size_t i = 0; i < file->steps.count && !failures; i++) {
        failures += !expect_same(file, &file->steps.items[i], &one[i], &other[i]);
    }
    return failures;
}

static int play_program(const struct case_file *file, const char *program,
                        const struct played *library, struct played *played)
{
    struct player player = {.program = program};
    int failures = player_open(&player, file) ? play(&player, program_step, played) : 1;
    failures = failures ? failures : compare(file, library, played);
    if (failures) {
        (void)fprintf(stderr, "%s: failed through the program\n", file->path);
    }
    player_close(&player);
    return failures;
}

static int play_http(const struct case_file *file, const struct played *library,
                     struct played *played)
{
    struct player player = {0};
    int failures = player_open(&player, file) && http_open(&player) ? 0 : 1;
    failures = failures ? failures : play(&player, http_step, played);
    failures = failures ? failures : compare(file, library, played);
    if (failures) {
        (void)fprintf(stderr, "%s: failed through the server\n", file->path);
    }
    http_close(&player);
    player_close(&player);
    return failures;
}

/* A tool that helps to write SQL reads the schema, which the next question then finds in the
 * cache: the paths may differ where the case itself does not say them. */
static int compare_but_path(struct arena *arena, const struct case_file *file,
                            const struct played *one, const struct played *other)
{
    struct played stripped[2][STEPS_MOST];
    for (size_t i = 0; i < file->steps.count; i++) {
        const struct played *from[2] = {&one[i], &other[i]};
        for (size_t door = 0; door < 2; door++) {
            json_t *answer = json_deep_copy(from[door]->answer);
            (void)(json_is_object(answer) && json_object_del(answer, "trace"));
            stripped[door][i] = *from[door];
            stripped[door][i].answer = answer ? json_keep(arena, answer) : NULL;
        }
    }
    return compare(file, stripped[0], stripped[1]);
}

static int play_mcp(const struct case_file *file, const struct played *library,
                    struct played *played)
{
    struct player player = {0};
    int failures = player_open(&player, file) && mcp_open(&player) ? 0 : 1;
    failures = failures ? failures : play(&player, mcp_step, played);
    failures =
        failures ? failures : compare_but_path(player.arena, file, library, played);
    if (failures) {
        (void)fprintf(stderr, "%s: failed through an assistant\n", file->path);
    }
    mcp_close(&player);
    player_close(&player);
    return failures;
}

struct doors {
    const char *program; /* NULL where cases are not to be played through it */
    bool server;
    bool scores; /* print them; through the library only */
};

static int play_all(const struct case_file *file, const struct doors *doors)
{
    struct played played[DOORS][STEPS_MOST];
    struct player library = {0};
    memset(played, 0, sizeof played);
    int failures = player_open(&library, file) && library_open(&library) ? 0 : 1;
    if (!failures) {
        failures = play(&library, library_step, played[0]);
    }
    library_close(&library);
    if (failures) {
        (void)fprintf(stderr, "%s: failed through the library\n", file->path);
    } else if (!file->library_only) {
        failures =
            doors->program ? play_program(file, doors->program, played[0], played[1]) : 0;
        if (doors->server && http_possible(file)) {
            failures += play_http(file, played[0], played[2]);
        }
        if (doors->server && mcp_possible(file)) {
            failures += play_mcp(file, played[0], played[3]);
        }
    }
    if (doors->scores && !failures) {
        scores_print(file, played[0]);
    }
    player_close(&library);
    return failures;
}

int main(int argc, char **argv)
{
    struct doors doors = {0};
    int failures = 0;
    int skipped = 0;
    int first = 1;
    if (argc > 2 && strcmp(argv[1], "--program") == 0) {
        doors.program = argv[2];
        doors.server = true;
        first = 3;
    } else if (argc > 1 && strcmp(argv[1], "--server") == 0) {
        doors.server = true;
        first = 2;
    } else if (argc > 1 && strcmp(argv[1], "--scores") == 0) {
        doors.scores = true;
        first = 2;
    }
    if (first >= argc) {
        (void)fprintf(
            stderr,
            "usage: case_runner [--program PATH | --server | --scores] CASE...\n");
        return 2;
    }
    for (int i = first; i < argc; i++) {
        struct case_file *file = case_load(argv[i]);
        if (!file || file->steps.count > STEPS_MOST) {
            failures++;
        } else if (!fixture_possible(file)) {
            (void)printf("%s: this build cannot make its databases\n", file->path);
            skipped++;
        } else {
            failures += play_all(file, &doors);
        }
        case_free(file);
    }
    return failures ? 1 : skipped ? SKIPPED : 0;
}
