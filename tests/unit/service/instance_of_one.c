/* A instance with one small database and a scripted model. */
#include "unit/service/instance_of_one.h"

#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"

static const char users[] =
    "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, status TEXT);"
    "INSERT INTO users VALUES (1, 'Ada', 'active'), (2, 'Bo', 'blocked'), (3, 'Cy', "
    "'active');";

static bool set_all(struct dgm_config *config, const char *const *settings,
                    struct dgm_error *error)
{
    for (; settings && *settings; settings++) {
        char key[64];
        const char *equals = strchr(*settings, '=');
        (void)snprintf(key, sizeof key, "%.*s", (int)(equals - *settings), *settings);
        if (!dgm_config_set(config, key, equals + 1, error)) {
            return false;
        }
    }
    return true;
}

static bool open_dgm(struct instance_of_one *instance, const char *script,
                     const char *const *settings)
{
    struct dgm_error error = {.code = ""};
    struct err err;
    char path[128];
    char data[128];
    (void)snprintf(path, sizeof path, "%s/script", instance->folder);
    (void)snprintf(data, sizeof data, "%s/data", instance->folder);
    struct dgm_config *config = dgm_config_new();
    bool ok = file_write(path, script, strlen(script), &err) &&
              dgm_config_set(config, "llm.provider", "scripted", &error) &&
              dgm_config_set(config, "llm.script", path, &error) &&
              dgm_config_set(config, "agent.brain", "llm", &error) &&
              dgm_config_set(config, "store.folder", data, &error) &&
              set_all(config, settings, &error) &&
              dgm_config_add_datasource(config, NULL, instance->database, &error);
    if (ok) {
        dgm_config_allow_writes(config);
        instance->dgm = dgm_open(config, &error);
    }
    dgm_config_free(config);
    if (!instance->dgm) {
        (void)fprintf(stderr, "%s: %s\n", error.code, error.message);
    }
    return instance->dgm != NULL;
}

bool instance_of_one_open(struct instance_of_one *instance, const char *script,
                          const char *const *settings)
{
    sqlite3 *db = NULL;
    *instance = (struct instance_of_one){.folder = "/tmp/dragoman-instance-XXXXXX"};
    if (!mkdtemp(instance->folder)) {
        return false;
    }
    (void)snprintf(instance->database, sizeof instance->database, "%s/people.db",
                   instance->folder);
    bool ok = sqlite3_open(instance->database, &db) == SQLITE_OK &&
              sqlite3_exec(db, users, NULL, NULL, NULL) == SQLITE_OK;
    (void)sqlite3_close(db);
    return ok && open_dgm(instance, script, settings);
}

bool instance_of_one_reopen(struct instance_of_one *instance, const char *script,
                            const char *const *settings)
{
    dgm_close(instance->dgm);
    instance->dgm = NULL;
    return open_dgm(instance, script, settings);
}

static void empty(const char *folder)
{
    DIR *list = opendir(folder);
    struct dirent *entry = NULL;
    while (list && (entry = readdir(list))) {
        char path[512];
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && remove(path) != 0) {
            empty(path);
        }
    }
    if (list) {
        (void)closedir(list);
    }
    (void)rmdir(folder);
}

void instance_of_one_close(struct instance_of_one *instance)
{
    char data[128];
    dgm_close(instance->dgm);
    (void)snprintf(data, sizeof data, "%s/data", instance->folder);
    empty(data);
    empty(instance->folder);
}

int instance_of_one_count(struct instance_of_one *instance, const char *sql)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    int count = -1;
    if (sqlite3_open_v2(instance->database, &db, SQLITE_OPEN_READONLY, NULL) ==
            SQLITE_OK &&
        sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
        count = sqlite3_column_int(statement, 0);
    }
    (void)sqlite3_finalize(statement);
    (void)sqlite3_close(db);
    return count;
}
