/* libcurl, loaded when the first request needs it. */
#include "base/libcurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/socket.h>

#include "base/err.h"
#include "base/symbol.h"

struct libcurl libcurl;

static bool loaded;

static void load(void)
{
    static const char *const names[] = {"libcurl.so.4", "libcurl.so", "libcurl.4.dylib"};
    void *library = NULL;
    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++) {
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    }
    bool ok = library != NULL;
#define FUNCTION(name, result, parameters)                                               \
    ok = ok && symbol_find(library, "curl_" #name, &libcurl.name);
#include "base/libcurl.def"
#undef FUNCTION
    loaded = ok && libcurl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

bool libcurl_load(struct err *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, load);
    if (!loaded) {
        (void)err_set(err, ERR_NETWORK, "The library libcurl could not be loaded.");
        return err_hint(err, "Install it; on Debian: apt install libcurl4.");
    }
    return true;
}

curl_socket_t libcurl_open_socket(void *context, curlsocktype purpose,
                                  struct curl_sockaddr *address)
{
    (void)context;
    (void)purpose;
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}
