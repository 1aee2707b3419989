/* What went wrong with a request, in words. Only the host is named: a URL may hold
 * secrets. */
#include <stdio.h>
#include <string.h>

#include "base/fetch/fetch_pool.h"

/* "api.example.com:8443" of a URL, without user and password. */
static void host_of(const char *url, char *out, size_t size)
{
    const char *from = strstr(url, "://");
    from = from ? from + 3 : url;
    size_t length = strcspn(from, "/?#");
    const char *at = memrchr(from, '@', length);
    if (at) {
        length -= (size_t)(at + 1 - from);
        from = at + 1;
    }
    length = length < size ? length : size - 1;
    memcpy(out, from, length);
    out[length] = '\0';
}

struct cause {
    CURLcode code;
    const char *message; /* %s is the host */
    const char *hint;    /* or NULL: the usual one */
};

static const char CA_HINT[] = "Check the date and the address; for a private certificate "
                              "authority set llm.ca_file or SSL_CERT_FILE.";

static const struct cause causes[] = {
    {CURLE_COULDNT_RESOLVE_HOST, "The name %s could not be found.", NULL},
    {CURLE_COULDNT_RESOLVE_PROXY, "The proxy for %s could not be found.",
     "Check HTTPS_PROXY and NO_PROXY."},
    {CURLE_COULDNT_CONNECT, "Could not connect to %s.", NULL},
    {CURLE_PEER_FAILED_VERIFICATION, "The certificate of %s cannot be trusted.", CA_HINT},
    {CURLE_SSL_CACERT_BADFILE, "The certificate file for %s could not be read.", CA_HINT},
    {CURLE_SSL_CONNECT_ERROR, "%s does not speak TLS as expected.",
     "Check whether the address should begin with http:// or https://."},
    {CURLE_URL_MALFORMAT, "The address is not a valid URL.",
     "An address looks like https://host/path."},
    {CURLE_UNSUPPORTED_PROTOCOL, "Only http:// and https:// addresses work here.",
     "An address looks like https://host/path."},
    {CURLE_GOT_NOTHING, "%s closed the connection without an answer.", NULL},
    {CURLE_OPERATION_TIMEDOUT, "Could not connect to %s in time.",
     "Check the address and the network, or raise the time limit."},
};

void fetch_error_of(struct err *err, const char *url, CURLcode code, int os_error)
{
    char host[256];
    host_of(url, host, sizeof host);
    const struct cause *cause = NULL;
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
        if (causes[i].code == code) {
            cause = &causes[i];
        }
    }
    enum err_code kind = code == CURLE_OPERATION_TIMEDOUT ? ERR_TIMEOUT : ERR_NETWORK;
    char message[sizeof err->message];
    const char *form = cause ? cause->message : "The connection to %s was lost.";
    const char *place = strstr(form, "%s");
    if (place) {
        (void)snprintf(message, sizeof message, "%.*s%s%s", (int)(place - form), form,
                       host, place + 2);
    } else {
        (void)snprintf(message, sizeof message, "%s", form);
    }
    (void)err_set(err, kind, "%s", message);
    char reason[128] = "";
    const char *words = os_error ? strerror_r(os_error, reason, sizeof reason) : "";
    struct err missing;
    bool loaded = libcurl_load(&missing); /* an error may take a moment */
    if (!loaded && code == CURLE_FAILED_INIT) {
        *err = missing;
        return;
    }
    const char *said = loaded ? libcurl.easy_strerror(code) : "";
    (void)err_detail(err, "%s%s%s", said, *said && os_error ? ": " : "", words);
    if (cause && cause->hint) {
        (void)err_hint(err, "%s", cause->hint);
    }
}

void fetch_error(struct err *err, const struct fetch_ticket *ticket, enum fetch_end end,
                 CURLcode code, int os_error)
{
    char host[256];
    host_of(ticket->request.url, host, sizeof host);
    if (end == FETCH_CANCELLED) {
        (void)err_set(err, ERR_STOPPED, "The request was stopped.");
        return;
    }
    if (end == FETCH_IDLE || end == FETCH_TOTAL) {
        int64_t limit_ms = end == FETCH_IDLE ? ticket->request.idle_timeout_ms
                                             : ticket->request.total_timeout_ms;
        (void)err_set(err, ERR_TIMEOUT,
                      end == FETCH_IDLE ? "%s sent nothing for %.3g s."
                                        : "%s was not done after %.3g s.",
                      host, (double)limit_ms / 1000.0);
        (void)err_hint(err, "Try again, or raise the time limit.");
        return;
    }
    if (ticket->too_large) {
        (void)err_set(err, ERR_RESULT_TOO_LARGE, "%s sent more than %zu bytes.", host,
                      ticket->request.max_bytes);
        return;
    }
    fetch_error_of(err, ticket->request.url, code, os_error);
}
