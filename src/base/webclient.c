/* HTTP requests that the calling thread waits for. */
#include "base/webclient.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fetch/fetch_pool.h"
#include "base/memory.h"

enum {
    SLICE_MS = 20, /* how long a stop may go unseen */
    IDLE_MOST = 16,
    RECEIVE_BYTES = 128 * 1024,
    ERROR_BODY_MOST = 64 * 1024,
    KEEPALIVE_SECONDS = 60,
    PIN_MOST = 4096,
};

/* One libcurl handle and the connections it keeps. Used by one thread at a time. */
struct session {
    CURL *easy;
    CURLM *multi;
    struct session *next;
};

struct webclient {
    char *ca_file;
    struct curl_slist *pinned; /* "host:port:address,address"; or NULL */
    pthread_mutex_t lock;
    struct session *idle;
    size_t idle_count;
};

/* What the callbacks of one request need. */
struct running {
    CURL *easy;
    const struct webclient_request *request;
    struct webclient_reply *reply;
    bool begun;
    bool streaming;
    bool too_large;
};

struct webclient *webclient_new(const char *ca_file, struct err *err)
{
    bool named = ca_file && *ca_file;
    if (named && access(ca_file, R_OK) != 0) {
        (void)err_set(err, ERR_CONFIG,
                      "The file of certificate authorities cannot be read.");
        (void)err_hint(err, "Check the path that was given for it.");
        return NULL;
    }
    if (!libcurl_load(err)) {
        return NULL;
    }
    struct webclient *client = memory_alloc(sizeof *client);
    client->ca_file = memory_text(named ? ca_file : getenv("SSL_CERT_FILE"));
    (void)pthread_mutex_init(&client->lock, NULL);
    return client;
}

static void session_free(struct session *session)
{
    libcurl.easy_cleanup(session->easy);
    (void)libcurl.multi_cleanup(session->multi);
    memory_free(session);
}

void webclient_free(struct webclient *client)
{
    if (!client) {
        return;
    }
    for (struct session *session = client->idle; session;) {
        struct session *next = session->next;
        session_free(session);
        session = next;
    }
    (void)pthread_mutex_destroy(&client->lock);
    libcurl.slist_free_all(client->pinned);
    memory_free(client->ca_file);
    memory_free(client);
}

void webclient_pin(struct webclient *client, const char *host, const char *port,
                   const char *addresses)
{
    struct buf line;
    buf_init(&line, PIN_MOST);
    (void)buf_format(&line, "%s:%s:", host, port);
    while (*addresses) { /* those of IPv6 in brackets */
        size_t size = strcspn(addresses, ",");
        bool six = memchr(addresses, ':', size) != NULL;
        (void)buf_format(&line, six ? "[%.*s]" : "%.*s", (int)size, addresses);
        addresses += size;
        (void)buf_text(&line, *addresses ? "," : "");
        addresses += *addresses ? 1 : 0;
    }
    client->pinned = libcurl.slist_append(client->pinned, buf_get(&line));
    buf_release(&line);
}

static size_t on_write(char *data, size_t unit, size_t count, void *context)
{
    struct running *work = context;
    struct webclient_reply *reply = work->reply;
    size_t size = unit * count;
    if (!work->begun) {
        long status = 0;
        (void)libcurl.easy_getinfo(work->easy, CURLINFO_RESPONSE_CODE, &status);
        bool fine = status >= 200 && status < 300;
        size_t most = work->request->max_bytes;
        work->begun = true;
        work->streaming = fine && work->request->on_data;
        reply->status = (int)status;
        buf_init(&reply->body, fine && most ? most : ERROR_BODY_MOST);
    }
    if (work->streaming) {
        reply->enough = !work->request->on_data(work->request->context, data, size);
        return reply->enough ? 0 : size;
    }
    if (reply->status >= 300) { /* the beginning is all that is needed */
        size_t room = reply->body.ceiling - reply->body.size;
        (void)buf_add(&reply->body, data, size < room ? size : room);
        return size;
    }
    work->too_large = !buf_add(&reply->body, data, size);
    return work->too_large ? 0 : size;
}

static struct session *session_new(const struct webclient *client)
{
    struct session *session = memory_alloc(sizeof *session);
    CURL *easy = session->easy = libcurl.easy_init();
    session->multi = libcurl.multi_init();
    (void)libcurl.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    (void)libcurl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    (void)libcurl.easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    (void)libcurl.easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    (void)libcurl.easy_setopt(easy, CURLOPT_BUFFERSIZE, (long)RECEIVE_BYTES);
    (void)libcurl.easy_setopt(easy, CURLOPT_TCP_NODELAY, 1L);
    (void)libcurl.easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    (void)libcurl.easy_setopt(easy, CURLOPT_TCP_KEEPIDLE, (long)KEEPALIVE_SECONDS);
    (void)libcurl.easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    (void)libcurl.easy_setopt(easy, CURLOPT_USERAGENT, "dragoman");
    (void)libcurl.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, libcurl_open_socket);
    (void)libcurl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_write);
    if (client->ca_file && *client->ca_file) {
        (void)libcurl.easy_setopt(easy, CURLOPT_CAINFO, client->ca_file);
    }
    if (client->pinned) {
        (void)libcurl.easy_setopt(easy, CURLOPT_RESOLVE, client->pinned);
        (void)libcurl.easy_setopt(easy, CURLOPT_PROXY, "");
    }
    return session;
}

static struct session *session_take(struct webclient *client)
{
    (void)pthread_mutex_lock(&client->lock);
    struct session *session = client->idle;
    if (session) {
        client->idle = session->next;
        client->idle_count--;
    }
    (void)pthread_mutex_unlock(&client->lock);
    return session ? session : session_new(client);
}

static void session_give(struct webclient *client, struct session *session)
{
    (void)pthread_mutex_lock(&client->lock);
    bool keep = client->idle_count < IDLE_MOST;
    if (keep) {
        session->next = client->idle;
        client->idle = session;
        client->idle_count++;
    }
    (void)pthread_mutex_unlock(&client->lock);
    if (!keep) {
        session_free(session);
    }
}

/* Everything that a request sets is set by every request. */
static void webclient_prepare(CURL *easy, const struct webclient_request *request,
                              struct curl_slist *headers, struct running *work)
{
    bool post = strcmp(request->method, "POST") == 0;
    bool get = strcmp(request->method, "GET") == 0;
    (void)libcurl.easy_setopt(easy, CURLOPT_URL, request->url);
    if (request->body || post) {
        (void)libcurl.easy_setopt(easy, CURLOPT_POST, 1L);
        (void)libcurl.easy_setopt(easy, CURLOPT_POSTFIELDS,
                                  request->body ? request->body : "");
        (void)libcurl.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                                  (curl_off_t)request->body_size);
    } else {
        (void)libcurl.easy_setopt(easy, CURLOPT_POSTFIELDS, NULL);
        (void)libcurl.easy_setopt(easy, CURLOPT_HTTPGET, 1L);
    }
    (void)libcurl.easy_setopt(easy, CURLOPT_CUSTOMREQUEST,
                              post || get ? NULL : request->method);
    (void)libcurl.easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
    (void)libcurl.easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
                              (long)request->connect_timeout_ms);
    (void)libcurl.easy_setopt(easy, CURLOPT_WRITEDATA, work);
}

static bool spent(const struct webclient_request *request, struct err *err)
{
    if (cancel_fired(request->cancel)) {
        return !err_set(err, ERR_STOPPED, "The request was stopped.");
    }
    if (request->deadline_ms && clock_ms() >= request->deadline_ms) {
        return !err_set(err, ERR_TIMEOUT, "The answer took too long.");
    }
    return false;
}

/* Drives the request to its end. False when the caller's patience ended first. */
static bool drive(struct session *session, const struct webclient_request *request,
                  CURLcode *code, struct err *err)
{
    for (;;) {
        int running = 0;
        if (spent(request, err)) {
            return false;
        }
        (void)libcurl.multi_perform(session->multi, &running);
        int left = 0;
        for (CURLMsg *message;
             (message = libcurl.multi_info_read(session->multi, &left));) {
            if (message->msg == CURLMSG_DONE) {
                *code = message->data.result;
                return true;
            }
        }
        (void)libcurl.multi_poll(session->multi, NULL, 0, SLICE_MS, NULL);
    }
}

static bool webclient_judge(const struct running *work, CURLcode code, struct err *err)
{
    if (work->too_large) {
        return err_set(err, ERR_RESULT_TOO_LARGE, "The answer is too large.");
    }
    if (code != CURLE_OK && !work->reply->enough) {
        long reason = 0;
        (void)libcurl.easy_getinfo(work->easy, CURLINFO_OS_ERRNO, &reason);
        fetch_error_of(err, work->request->url, code, (int)reason);
        return false;
    }
    return true;
}

bool webclient_call(struct webclient *client, const struct webclient_request *request,
                    struct webclient_reply *reply, struct err *err)
{
    memset(reply, 0, sizeof *reply);
    buf_init(&reply->body, ERROR_BODY_MOST);
    struct session *session = session_take(client);
    struct running work = {.easy = session->easy, .request = request, .reply = reply};
    struct curl_slist *headers = libcurl.slist_append(NULL, "Expect:");
    for (size_t i = 0; request->headers && request->headers[i]; i++) {
        headers = libcurl.slist_append(headers, request->headers[i]);
    }
    webclient_prepare(session->easy, request, headers, &work);
    (void)libcurl.multi_add_handle(session->multi, session->easy);
    CURLcode code = CURLE_OK;
    bool done = drive(session, request, &code, err);
    long status = 0;
    (void)libcurl.easy_getinfo(session->easy, CURLINFO_RESPONSE_CODE, &status);
    reply->status = (int)status;
    bool ok = done && webclient_judge(&work, code, err);
    (void)libcurl.multi_remove_handle(session->multi, session->easy);
    (void)libcurl.easy_setopt(session->easy, CURLOPT_HTTPHEADER, NULL);
    libcurl.slist_free_all(headers);
    session_give(client, session);
    return ok;
}

void webclient_reply_release(struct webclient_reply *reply)
{
    buf_release(&reply->body);
}
