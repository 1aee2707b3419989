/* Plays a case through one of the doors of dragoman. */
#ifndef DGM_TESTS_CASES_PLAYER_H
#define DGM_TESTS_CASES_PLAYER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/json.h"
#include "cases/case_file.h"
#include "dragoman_server.h"

/* Seconds for looking at the cells of a database: what is seen of them, and so what the
 * model is told, must not depend on how busy the machine is. */
#define CASE_SAMPLING_S "300"

/* What came of a step. */
struct played {
    int exit_status;
    const json_t *answer; /* the answer object; rows of a look as {"rows": …} */
    bool writes;          /* the step may have changed the database */
};

struct player {
    const struct case_file *file;
    struct arena *arena;
    const char *folder;     /* its own, removed by player_close */
    struct texts databases; /* paths, as the fixtures of the case */
    const char *dictionary; /* path of the case's, or NULL */
    const char *config;  /* path of a file that names the databases, or NULL: by path */
    const char *program; /* the command line's binary, for that door */
    const char *session_id; /* of the `session` step */
    const char *query_id;   /* of the last question */
    struct dgm *dgm;        /* the library door's instance */
    struct server *server;  /* the server's door: in that instance, and who asks it */
    struct webclient *client;
    struct mcp_door *assistant;              /* the assistants' door */
    _Atomic(struct dgm_question *) question; /* at work in it, for an observer */
    dgm_observer *observer;                  /* the library door hands it on */
    void *context;
    int64_t timeout_ms; /* for one step; the player gives up past it */
    bool durable;       /* the library door asks for questions that are not lost */
    bool light;         /* for thousands of plays: no log, and no store on disk */
};

/* Makes the folder and the databases. */
bool player_open(struct player *player, const struct case_file *file);
void player_close(struct player *player);

/* change, look, remove: no door is needed. *done: it was one of them. */
bool player_outside(struct player *player, const struct case_step *step,
                    struct played *played, bool *done);

/* A list of lessons as a step's answer, without what differs from run to run. */
const json_t *player_lessons(struct player *player, json_t *list);

/* Through dragoman.h, all steps in one instance. */
bool library_open(struct player *player);
bool library_step(struct player *player, const struct case_step *step,
                  struct played *played);
void library_close(struct player *player);

/* Through the program, each step in a process of its own. */
bool program_step(struct player *player, const struct case_step *step,
                  struct played *played);

/* Through the server, all steps over HTTP to one instance. */
bool http_possible(const struct case_file *file);
bool http_open(struct player *player);
bool http_step(struct player *player, const struct case_step *step,
               struct played *played);
void http_close(struct player *player);
/* The exit status that the program has for the same answer. http_status: of its reply, or 0. */
int http_exit_status(const json_t *answer, int http_status);

/* Through the tools of an MCP client, which offer less: all steps in one instance. */
bool mcp_possible(const struct case_file *file);
bool mcp_open(struct player *player);
bool mcp_step(struct player *player, const struct case_step *step, struct played *played);
void mcp_close(struct player *player);

/* A number that changes with the bytes of the databases. */
uint64_t player_fingerprint(const struct player *player);

#endif
