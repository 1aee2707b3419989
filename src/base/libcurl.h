/*
 * libcurl, loaded when the first request needs it. It loads about thirty libraries, which
 * would cost every start of the program 5 to 14 ms and 6 MB; most commands never send a
 * request.
 */
#ifndef DGM_BASE_LIBCURL_H
#define DGM_BASE_LIBCURL_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <stdbool.h>
#include <time.h>

struct err;

struct libcurl {
#define FUNCTION(name, result, parameters) result(*name) parameters;
#include "base/libcurl.def"
#undef FUNCTION
};

/* Filled by libcurl_load; constant after that. */
extern struct libcurl libcurl;

/* Once per process; quick after that. NETWORK when the library is not there. */
bool libcurl_load(struct err *err);

/* For CURLOPT_OPENSOCKETFUNCTION: creates sockets that child processes do not inherit. */
curl_socket_t libcurl_open_socket(void *context, curlsocktype purpose,
                                  struct curl_sockaddr *address);

#endif
