/* The caller's own account. */
#include "base/buf.h"
#include "base/str.h"
#include "base/writer.h"
#include "server/exchange.h"
#include "server/response.h"
#include "server/routes/routes.h"
#include "server/state.h"

static void write_scopes(struct writer *writer, unsigned scopes)
{
    static const struct {
        const char *name;
        unsigned bit;
    } rows[] = {
        {"read", DGM_SCOPE_READ}, {"ask", DGM_SCOPE_ASK}, {"admin", DGM_SCOPE_ADMIN}};
    writer_key(writer, "scopes");
    writer_array(writer);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (scopes & rows[i].bit) {
            writer_text(writer, rows[i].name);
        }
    }
    writer_array_end(writer);
}

/* Absent if links are off. */
static void write_share_days(struct writer *writer, struct dgm *dgm)
{
    int64_t most = 0;
    int64_t usual = dgm_share_days(dgm, &most);
    if (usual) {
        writer_key_int(writer, "share_days", usual);
        writer_key_int(writer, "share_max_days", most);
    }
}

void me_get(struct exchange *exchange)
{
    const struct dgm_access *access = &exchange->caller.access;
    bool local = !exchange->caller.account;
    struct buf buf;
    struct writer writer;
    buf_init(&buf, 8192);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key(&writer, "account");
    writer_text(&writer, local ? NULL : exchange->caller.access.account);
    write_scopes(&writer, local ? DGM_SCOPE_READ | DGM_SCOPE_ASK | DGM_SCOPE_ADMIN
                                : access->scopes);
    writer_key_text(&writer, "datasources",
                    *access->datasources ? access->datasources : NULL);
    writer_key_bool(&writer, "open", access_is_open(exchange->server));
    writer_key_bool(&writer, "signed_in", exchange->by_cookie);
    write_share_days(&writer, exchange->server->dgm);
    writer_object_end(&writer);
    response_buf(exchange, 200, &buf);
}
