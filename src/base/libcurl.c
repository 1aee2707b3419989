/* libcurl, loaded when the first request needs it. */
#include "base/libcurl.h"

#include <sys/socket.h>

#include "base/library.h"

struct libcurl libcurl;

static const char *const files[] = {"libcurl.so.4", "libcurl.so", "libcurl.4.dylib",
                                    NULL};
static const struct library_function list[] = {
#define FUNCTION(name, result, parameters)                                               \
    LIBRARY_FUNCTION(struct libcurl, name, "curl_" #name),
#include "base/libcurl.def"
#undef FUNCTION
};

static bool libcurl_begin(void *handle)
{
    (void)handle;
    return libcurl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

static struct library library = {
    LIBRARY(files, list, &libcurl),
    .begin = libcurl_begin,
    .code = ERR_NETWORK,
    .message = "The library libcurl could not be loaded.",
    .hint = "Install it; on Debian: apt install libcurl4.",
};

bool libcurl_load(struct err *err)
{
    return library_load(&library, err);
}

curl_socket_t libcurl_open_socket(void *context, curlsocktype purpose,
                                  struct curl_sockaddr *address)
{
    (void)context;
    (void)purpose;
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}
