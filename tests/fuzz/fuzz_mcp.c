/*
 * Looks for what an MCP client may send that makes the server fall, or say too much or too
 * little: each line of the input is a message of one client, from the second on with the
 * headers that the first one names. A line that begins with "$" is the id of a
 * conversation. layers: mcp
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "base/vec.h"
#include "mcp/mcp.h"

enum { LINES_MOST = 24, LINE_MOST = 8192 };

static void expect(bool condition)
{
    if (!condition) {
        abort();
    }
}

struct heard {
    pthread_mutex_t lock;
    int last; /* frames that end the message */
};

/* Everything that is said is one line of JSON, and nothing follows the last frame. */
static void hear(void *context, const struct mcp_frame *frame)
{
    struct heard *heard = context;
    (void)pthread_mutex_lock(&heard->lock);
    expect(heard->last == 0);
    heard->last += frame->kind != MCP_NOTICE;
    (void)pthread_mutex_unlock(&heard->lock);
    if (frame->kind == MCP_NOTHING) {
        return;
    }
    struct arena *arena = arena_new();
    const json_t *said = json_quick(arena, frame->text, frame->size);
    expect(said && str_equal(json_text_at(said, "jsonrpc"), "2.0"));
    expect(!memchr(frame->text, '\n', frame->size));
    if (frame->kind == MCP_REPLY) {
        expect((json_object_get(said, "result") != NULL) !=
               (json_object_get(said, "error") != NULL));
        expect(json_object_get(said, "id") != NULL);
    }
    arena_free(arena);
}

/* Without a datasource: questions end at once, and what is tried is the protocol. */
static struct mcp *open_mcp(void)
{
    static char folder[] = "/tmp/dragoman-fuzz-mcp-XXXXXX";
    struct dgm_error error;
    struct dgm_config *config = dgm_config_new();
    expect(mkdtemp(folder) && dgm_config_set(config, "store.folder", folder, &error) &&
           dgm_config_set(config, "log.level", "error", &error));
    const struct mcp_settings settings = {.dgm = dgm_open(config, &error)};
    expect(settings.dgm != NULL);
    dgm_config_free(config);
    return mcp_new(&settings);
}

/* Nobody can make an id up, but for one that was just made. */
static void take_up(struct mcp *mcp, struct mcp_client *client, const char *id,
                    size_t size)
{
    static const struct dgm_access nobody;
    char own[MCP_SESSION_SIZE];
    struct arena *arena = arena_new();
    const char *text = arena_copy(arena, id, size);
    mcp_session_write(client, own);
    struct mcp_client *same = mcp_session_adopt(mcp, &nobody, own);
    struct mcp_client *other = mcp_session_adopt(mcp, &nobody, text);
    expect(same && !other);
    mcp_client_unref(same);
    arena_free(arena);
}

static void tell(struct mcp *mcp, struct mcp_client *client, const char *line,
                 size_t size, const struct mcp_headers *headers, struct heard *heard)
{
    const struct mcp_outlet outlet = {.send = hear, .context = heard};
    (void)pthread_mutex_init(&heard->lock, NULL);
    if (size && *line == '$') {
        take_up(mcp, client, line + 1, size - 1);
    }
    struct mcp_message *message = mcp_read(line, size);
    (void)mcp_way(message, headers);
    mcp_handle(client, headers, message, &outlet);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct mcp *mcp;
    static struct heard heard[LINES_MOST];
    mcp = mcp ? mcp : open_mcp();
    struct mcp_client *client = mcp_client_new(mcp, NULL);
    struct arena *arena = arena_new();
    struct texts names = {0};
    struct mcp_headers headers = {0};
    const char *at = (const char *)data;
    size_t count = 0;
    memset(heard, 0, sizeof heard);
    while (size && count < LINES_MOST) {
        const char *end = memchr(at, '\n', size);
        size_t length = end ? (size_t)(end - at) : size;
        if (count == 0 && length && *at == '|') { /* |version|method|name */
            str_split(arena, arena_copy(arena, at + 1, length - 1), '|', &names);
            headers.version = names.count > 0 ? names.items[0] : NULL;
            headers.method = names.count > 1 ? names.items[1] : NULL;
            headers.name = names.count > 2 ? names.items[2] : NULL;
        } else if (length <= LINE_MOST) {
            tell(mcp, client, at, length, names.count ? &headers : NULL, &heard[count++]);
        }
        at += length + (end != NULL);
        size -= length + (end != NULL);
    }
    mcp_client_no_more(client);
    mcp_client_close(client);
    for (size_t i = 0; i < count; i++) {
        expect(heard[i].last == 1);
        (void)pthread_mutex_destroy(&heard[i].lock);
    }
    arena_free(arena);
    return 0;
}
