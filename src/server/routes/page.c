/* Serves the web page from files in the program, with headers that forbid foreign
 * content. */
#include "server/page.h"

#include <string.h>

#include "base/str.h"
#include "server/exchange.h"
#include "server/request.h"
#include "server/response.h"
#include "server/routes/routes.h"

/* Scripts, styles and requests only from this server; no inline code, no frames. */
static const struct {
    const char *name;
    const char *value;
} headers[] = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
     "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
     "frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Permissions-Policy", "camera=(), geolocation=(), microphone=()"},
    {"Vary", "Accept-Encoding"},
};

static const struct page_file *page_find(const char *folder, const char *name)
{
    size_t size = strlen(folder);
    for (const struct page_file *file = page_files; file->path; file++) {
        if (strncmp(file->path, folder, size) == 0 &&
            str_equal(file->path + size, name)) {
            return file;
        }
    }
    return NULL;
}

/* It is part of the program. */
static void page_keep(void *data)
{
    (void)data;
}

static bool is_held(const struct exchange *exchange, const struct page_file *file)
{
    const char *held = MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND,
                                                   "If-None-Match");
    return held && strstr(held, file->tag);
}

static void give(struct exchange *exchange, const struct page_file *file, bool lasting)
{
    bool held = is_held(exchange, file);
    size_t size = held ? 0 : (size_t)(file->end - file->data);
    struct MHD_Response *response =
        MHD_create_response_from_buffer_with_free_callback_cls(
            size, (void *)(uintptr_t)file->data, page_keep, NULL);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        (void)MHD_add_response_header(response, headers[i].name, headers[i].value);
    }
    (void)MHD_add_response_header(response, "ETag", file->tag);
    (void)MHD_add_response_header(response, "Cache-Control",
                                  lasting ? "public, max-age=31536000, immutable"
                                          : "no-cache");
    if (!held) {
        (void)MHD_add_response_header(response, "Content-Type", file->type);
        if (file->compressed) {
            (void)MHD_add_response_header(response, "Content-Encoding", "gzip");
        }
    }
    exchange_reply(exchange, held ? 304 : 200, response);
}

static void give_named(struct exchange *exchange, const char *folder, const char *name,
                       bool lasting)
{
    const struct page_file *file = page_find(folder, name);
    if (file) {
        give(exchange, file, lasting);
        return;
    }
    struct err err;
    (void)err_set(&err, ERR_NOT_FOUND, "This path does not exist.");
    if (!page_files[0].path) {
        (void)err_hint(&err, "This dragoman was built without its page (Node was "
                             "missing). The API is described by /openapi.json.");
    }
    response_err(exchange, &err);
}

void page_index(struct exchange *exchange)
{
    give_named(exchange, "", "index.html", false);
}

/* Their names change with their content. */
void page_asset(struct exchange *exchange)
{
    give_named(exchange, "assets/", request_parameter(exchange, 0), true);
}

void page_theme(struct exchange *exchange)
{
    give_named(exchange, "", "theme.js", false);
}

void page_icon(struct exchange *exchange)
{
    give_named(exchange, "", "favicon.svg", false);
}
