/* As much of the instance as a run needs. */
#include "unit/agent/small_instance.h"

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

bool small_instance_change(struct small_instance *instance, const char *sql)
{
    sqlite3 *db = NULL;
    bool ok = sqlite3_open(instance->database, &db) == SQLITE_OK &&
              sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK;
    (void)sqlite3_close(db);
    return ok;
}

bool small_instance_open(struct small_instance *instance)
{
    struct err err;
    *instance = (struct small_instance){.folder = "/tmp/dragoman-agent-XXXXXX"};
    if (!mkdtemp(instance->folder)) {
        return false;
    }
    (void)snprintf(instance->database, sizeof instance->database, "%s/people.db",
                   instance->folder);
    instance->options = options_new();
    if (!small_instance_change(
            instance, "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);"
                      "CREATE TABLE clients (id INTEGER PRIMARY KEY, user_id INTEGER)") ||
        !options_set(instance->options, "store.url", "memory:", &err) ||
        !options_add_datasource(instance->options, NULL, instance->database, &err)) {
        return false;
    }
    struct agent *agent = &instance->agent;
    agent->options = instance->options;
    agent->store = store_open(instance->options, &err);
    agent->sources = sources_new(instance->options);
    agent->schemas = schema_cache_new(agent->store);
    agent->answered = answered_new(agent->store, 0, 0);
    return agent->store != NULL;
}

void small_instance_close(struct small_instance *instance)
{
    sources_free(instance->agent.sources);
    answered_free(instance->agent.answered);
    schema_cache_free(instance->agent.schemas);
    store_close(instance->agent.store);
    options_free(instance->options);
    (void)unlink(instance->database);
    (void)rmdir(instance->folder);
}

struct run *small_instance_waiting(struct small_instance *instance, const char *question,
                                   const struct clarification *back)
{
    static const enum state way[] = {STATE_RESOLVE_DATASOURCE, STATE_CHECK_FRESHNESS,
                                     STATE_EXTRACT_SCHEMA,     STATE_NORMALIZE_SCHEMA,
                                     STATE_HASH_SCHEMA,        STATE_CACHE_SCHEMA};
    struct question asked = {.text = question};
    struct run *run = run_new(&instance->agent, &asked, NULL);
    for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
        struct err err;
        err_clear(&err);
        (void)stage_get(way[i])->work(run, &err);
    }
    run->answer.clarification = *back;
    run->state = STATE_AWAIT_USER;
    return run;
}
