/*
 * A model service that is our own parser: it speaks the OpenAI protocol and knows nothing
 * but the prompts it gets. What it can answer, the prompts have told it.
 *
 * usage: parser_behind_openai PORT_FILE [LOG]   (127.0.0.1, ends after ten minutes)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "base/writer.h"
#include "parser/parser.h"
#include "reply.h"
#include "../listening.h"

enum { PATIENCE_S = 600, REQUEST_MOST = 8 << 20, PIECE = 200 };

/* The body of the request; NULL when it is not whole. */
static char *read_body(int fd, struct buf *data, size_t *size)
{
    size_t wanted = 0;
    buf_clear(data);
    while (wanted == 0 || data->size < wanted) {
        char part[16384];
        ssize_t got = read(fd, part, sizeof part);
        if (got <= 0 || !buf_add(data, part, (size_t)got)) {
            return NULL;
        }
        const char *text = buf_get(data);
        const char *end = strstr(text, "\r\n\r\n");
        const char *length = strcasestr(text, "\ncontent-length:");
        if (end && wanted == 0) {
            size_t body = length && length < end ? strtoul(length + 16, NULL, 10) : 0;
            wanted = (size_t)(end - text) + 4 + body;
            *size = body;
        }
    }
    return data->data + wanted - *size;
}

static void send_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t sent = send(fd, data, size, MSG_NOSIGNAL);
        if (sent <= 0) {
            return;
        }
        data += sent;
        size -= (size_t)sent;
    }
}

static void send_body(int fd, const char *status, const char *type,
                      const struct buf *body)
{
    char head[256];
    int size = snprintf(head, sizeof head,
                        "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
                        "Connection: close\r\n\r\n",
                        status, type, body->size);
    send_all(fd, head, (size_t)size);
    send_all(fd, buf_get(body), body->size);
}

/* The whole reply as one message. */
static void write_message(struct buf *out, const char *text)
{
    (void)buf_text(out, "{\"object\":\"chat.completion\",\"choices\":[{\"index\":0,"
                        "\"finish_reason\":\"stop\",\"message\":{\"role\":\"assistant\","
                        "\"content\":");
    writer_quote(out, text, strlen(text));
    (void)buf_format(out,
                     "}}],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":%zu}}",
                     strlen(text) / 4 + 1);
}

/* Or piece by piece, as services send it. */
static void write_events(struct buf *out, const char *text)
{
    size_t size = strlen(text);
    for (size_t at = 0; at < size;) {
        size_t piece = size - at < PIECE ? size - at : PIECE;
        while (at + piece < size && ((unsigned char)text[at + piece] & 0xC0) == 0x80) {
            piece++;
        }
        (void)buf_text(out, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":");
        writer_quote(out, text + at, piece);
        (void)buf_text(out, "}}]}\n\n");
        at += piece;
    }
    (void)buf_format(
        out,
        "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":"
        "\"stop\"}]}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":1,"
        "\"completion_tokens\":%zu}}\n\ndata: [DONE]\n\n",
        size / 4 + 1);
}

static const char *message_of(const json_t *request, const char *role)
{
    size_t index = 0;
    const json_t *message = NULL;
    json_array_foreach(json_array_at(request, "messages"), index, message)
    {
        if (str_equal(json_text_at(message, "role"), role)) {
            return json_text_at(message, "content");
        }
    }
    return NULL;
}

static const json_t *properties_of(const json_t *request)
{
    const json_t *format = json_object_get(request, "response_format");
    const json_t *schema = json_object_get(format, "json_schema");
    return json_object_get(json_object_get(schema, "schema"), "properties");
}

static void answer(int fd, struct parser *parser, const char *body, size_t size,
                   FILE *log)
{
    struct arena *arena = arena_new();
    struct err err;
    struct buf out;
    buf_init(&out, REQUEST_MOST);
    const json_t *request = json_parse(arena, body, size, &err);
    const char *user = message_of(request, "user");
    if (!user) {
        (void)buf_text(&out, "{\"error\":{\"message\":\"no messages\"}}");
        send_body(fd, "400 Bad Request", "application/json", &out);
    } else {
        const char *text = reply_make(parser, arena, user, properties_of(request));
        bool streamed = json_is_true(json_object_get(request, "stream"));
        if (log) {
            (void)fprintf(log, "%s\n----\n%s\n====\n", user, text);
            (void)fflush(log);
        }
        (streamed ? write_events : write_message)(&out, text);
        send_body(fd, "200 OK", streamed ? "text/event-stream" : "application/json",
                  &out);
    }
    buf_release(&out);
    arena_free(arena);
}

int main(int argc, char **argv)
{
    struct err err;
    if (argc < 2 || argc > 3) {
        (void)fprintf(stderr, "usage: parser_behind_openai PORT_FILE [LOG]\n");
        return 2;
    }
    (void)alarm(PATIENCE_S);
    struct parser *parser = parser_built_in(&err);
    if (!parser) {
        (void)fprintf(stderr, "parser_behind_openai: %s\n", err.message);
        return 1;
    }
    FILE *log = argc == 3 ? fopen(argv[2], "w") : NULL;
    int listener = listen_somewhere(argv[1]);
    struct buf data;
    buf_init(&data, REQUEST_MOST);
    while (listener >= 0) {
        int fd = accept(listener, NULL, NULL);
        size_t size = 0;
        const char *body = fd >= 0 ? read_body(fd, &data, &size) : NULL;
        if (body) {
            answer(fd, parser, body, size, log);
        }
        if (fd >= 0) {
            (void)close(fd);
        }
    }
    perror("parser_behind_openai");
    return 1;
}
