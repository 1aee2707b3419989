/* What both formats of replies share: errors, and the pieces of a stream. */
#include "server/openai/reply.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"
#include "base/writer.h"
#include "dragoman_server.h"

enum { PIECE_BYTES = 512 };

/* Clients know these codes; for others, our own code is used. */
static const struct {
    const char *ours;
    const char *code;
} codes[] = {
    {"UNAUTHORIZED", "invalid_api_key"},
    {"DATASOURCE_NOT_FOUND", "model_not_found"},
    {"DATASET_NOT_FOUND", "model_not_found"},
    {"RATE_LIMITED", "rate_limit_exceeded"},
    {"TOKENS_SPENT", "insufficient_quota"},
    {"QUESTION_TOO_LONG", "context_length_exceeded"},
};

static const struct {
    int status; /* up to and including this one */
    const char *type;
} types[] = {
    {400, "invalid_request_error"}, {401, "authentication_error"},
    {402, "invalid_request_error"}, {403, "permission_error"},
    {428, "invalid_request_error"}, {429, "rate_limit_error"},
    {499, "invalid_request_error"}, {999, "server_error"},
};

static const char *type_of(int status)
{
    size_t i = 0;
    while (status > types[i].status && types[i].status != 999) {
        i++;
    }
    return types[i].type;
}

static void write_code(struct writer *writer, const char *ours)
{
    char lower[sizeof((struct dgm_error *)0)->code];
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        if (str_equal(codes[i].ours, ours)) {
            writer_key_text(writer, "code", codes[i].code);
            return;
        }
    }
    str_put(lower, sizeof lower, *ours ? ours : "INTERNAL");
    for (char *at = lower; *at; at++) {
        *at = (char)tolower((unsigned char)*at);
    }
    writer_key_text(writer, "code", lower);
}

void openai_error_write(struct writer *writer, const struct dgm_error *error,
                        const char *param)
{
    char message[sizeof error->message + sizeof error->detail + sizeof error->hint];
    (void)snprintf(message, sizeof message, "%s%s%s%s%s", error->message,
                   *error->detail ? " " : "", error->detail, *error->hint ? " " : "",
                   error->hint);
    writer_object(writer);
    writer_key_text(writer, "message", message);
    writer_key_text(writer, "type", type_of(error->http_status));
    writer_key(writer, "param");
    writer_text(writer, param);
    write_code(writer, error->code);
    writer_object_end(writer);
}

size_t openai_piece(const char *text)
{
    size_t size = strcspn(text, "\n");
    size += text[size] == '\n';
    return size > PIECE_BYTES ? utf8_cut(text, size, PIECE_BYTES) : size;
}
