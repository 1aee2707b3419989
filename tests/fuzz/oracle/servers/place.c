/* Starts and stops a private server, and looks at its files. */
#include "place.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "datasource/datasource.h"
#include "judge.h"

static int control(const struct place *place, const char *what)
{
    char command[1000];
    (void)snprintf(command, sizeof command, "cd / && %s %s %s %d %ld", place->script,
                   what, place->folder, place->port, (long)getpid());
    int status = system(command); /* NOLINT(cert-env33-c) */
    return status < 0 ? -1 : status >> 8;
}

int place_start(struct place *place, const char *name, const char *script)
{
    enum { TRIES = 6, STRIDE = 1777, FIRST = 20000, MOST = 12000 };
    (void)snprintf(place->folder, sizeof place->folder, "/tmp/dragoman-oracle-%s-XXXXXX",
                   name);
    place->script = script;
    if (!mkdtemp(place->folder)) {
        return 1;
    }
    place->port = FIRST + (int)(getpid() % MOST);
    int status = control(place, "start");
    if (status == 77) {
        (void)rmdir(place->folder);
        return status;
    }
    for (int i = 1; status != 0 && i < TRIES; i++) { /* somebody else has the port */
        place->port = FIRST + (place->port - FIRST + STRIDE) % MOST;
        status = control(place, "up");
    }
    if (status != 0) {
        place_stop(place);
    }
    return status ? 1 : 0;
}

void place_stop(struct place *place)
{
    (void)control(place, "stop");
}

bool place_canaries(const struct place *place)
{
    char path[200];
    (void)snprintf(path, sizeof path, "%s/out", place->folder);
    if (mkdir(path, 0777) != 0 || chmod(path, 0777) != 0) {
        return false;
    }
    (void)snprintf(path, sizeof path, "%s/data/canary.txt", place->folder);
    FILE *file = fopen(path, "w");
    bool ok = file && fputs(CANARY "\n", file) >= 0;
    return file && fclose(file) == 0 && chmod(path, 0644) == 0 && ok;
}

struct schema *place_schema(const char *url)
{
    struct err err;
    struct options *options = options_new();
    const struct datasource_setting setting = {.id = "shop", .url = url};
    err_clear(&err);
    struct datasource *source = datasource_open(&setting, options, &err);
    struct schema *schema = source ? datasource_describe(source, NULL, &err) : NULL;
    if (schema) {
        schema_normalize(schema);
    } else {
        (void)fprintf(stderr, "oracle: %s (%s)\n", err.message, err.detail);
    }
    datasource_close(source);
    options_free(options);
    return schema;
}

static uint64_t file_digest(const char *path)
{
    static char bytes[1 << 16];
    FILE *file = fopen(path, "r");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file) {
        (void)fclose(file);
    }
    return hash_of(bytes, size);
}

uint64_t place_digest(const char *folder, bool bytes)
{
    uint64_t sum = 0;
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        char path[600];
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        sum += hash_of(entry->d_name, strlen(entry->d_name));
        if (bytes && entry->d_type == DT_REG) {
            sum += 3 * file_digest(path);
        }
    }
    if (list) {
        (void)closedir(list);
    }
    return sum;
}
