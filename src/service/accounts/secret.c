/* Secrets that all processes with the same store share: made by the first that needs one. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/json.h"
#include "base/str.h"
#include "dragoman_server.h"
#include "service/instance.h"
#include "store/store.h"

enum { SECRETS_MOST = 16 };

static bool read_secret(struct dgm *dgm, const struct store_record *like,
                        char out[DGM_SECRET_SIZE], struct err *err)
{
    struct arena *arena = arena_new();
    struct store_record record;
    const json_t *json = NULL;
    if (store_record_get(dgm->agent.store, arena, like, &record, err)) {
        json = json_quick(arena, record.json, strlen(record.json));
    }
    const char *text = json_text_at(json, "secret");
    bool found = text && strlen(text) < DGM_SECRET_SIZE;
    if (found) {
        str_put(out, DGM_SECRET_SIZE, text);
    }
    arena_free(arena);
    return found;
}

/* Two processes may come at once: the first one's is taken by both. */
static void make_secret(struct dgm *dgm, const struct store_record *like, struct err *err)
{
    char id[ID_SIZE];
    char secret[ID_SIZE];
    char json[DGM_SECRET_SIZE * 2];
    struct store_record record = *like;
    id_new("secret", secret); /* 130 random bits */
    (void)snprintf(json, sizeof json, "{\"secret\":\"%s\"}", secret);
    record.json = json;
    (void)store_record_put(dgm->agent.store, &record, false, SECRETS_MOST, id, err);
}

bool dgm_secret(struct dgm *dgm, const char *name, char out[DGM_SECRET_SIZE],
                struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    const struct store_record like = {
        .kind = "secret", .account = "", .scope = "", .name = name};
    if (!instance_store(dgm, &err)) {
        return instance_fail(error, &err);
    }
    if (read_secret(dgm, &like, out, &err)) {
        return true;
    }
    make_secret(dgm, &like, &err);
    return read_secret(dgm, &like, out, &err) || instance_fail(error, &err);
}
