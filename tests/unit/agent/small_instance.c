/* As much of the house as a run needs. */
#include "unit/agent/small_house.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/sources/sources.h"
#include "agent/stage.h"
#include "knowledge/answered.h"
#include "knowledge/schema/schema_cache.h"
#include "store/store.h"

bool small_house_change(struct small_house *house, const char *sql)
{
    sqlite3 *db = NULL;
    bool ok = sqlite3_open(house->database, &db) == SQLITE_OK &&
              sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK;
    (void)sqlite3_close(db);
    return ok;
}

bool small_house_open(struct small_house *house)
{
    struct err err;
    *house = (struct small_house){.folder = "/tmp/dragoman-agent-XXXXXX"};
    if (!mkdtemp(house->folder)) {
        return false;
    }
    (void)snprintf(house->database, sizeof house->database, "%s/people.db",
                   house->folder);
    house->options = options_new();
    if (!small_house_change(
            house, "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);"
                   "CREATE TABLE clients (id INTEGER PRIMARY KEY, user_id INTEGER)") ||
        !options_set(house->options, "store.url", "memory:", &err) ||
        !options_add_datasource(house->options, NULL, house->database, &err)) {
        return false;
    }
    struct agent *agent = &house->agent;
    agent->options = house->options;
    agent->store = store_open(house->options, &err);
    agent->sources = sources_new(house->options);
    agent->schemas = schema_cache_new(agent->store);
    agent->answered = answered_new(agent->store, 0, 0);
    return agent->store != NULL;
}

void small_house_close(struct small_house *house)
{
    sources_free(house->agent.sources);
    answered_free(house->agent.answered);
    schema_cache_free(house->agent.schemas);
    store_close(house->agent.store);
    options_free(house->options);
    (void)unlink(house->database);
    (void)rmdir(house->folder);
}

struct run *small_house_waiting(struct small_house *house, const char *question,
                                const struct clarification *back)
{
    static const enum state way[] = {STATE_RESOLVE_DATASOURCE, STATE_CHECK_FRESHNESS,
                                     STATE_EXTRACT_SCHEMA,     STATE_NORMALIZE_SCHEMA,
                                     STATE_HASH_SCHEMA,        STATE_CACHE_SCHEMA};
    struct question asked = {.text = question};
    struct run *run = run_new(&house->agent, &asked, NULL);
    for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
        struct err err;
        err_clear(&err);
        (void)stage_get(way[i])->work(run, &err);
    }
    run->answer.clarification = *back;
    run->state = STATE_AWAIT_USER;
    return run;
}
