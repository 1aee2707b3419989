/*
 * libcurl, loaded when the first request needs it. It brings some thirty libraries along,
 * which costs a program that is linked with it 5 to 14 ms and 6 MB at every start; most
 * commands never send anything.
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

/* Filled by libcurl_load; the same for the whole process. */
extern struct libcurl libcurl;

/* Once per process; quick after that. NETWORK when the library is not there. */
bool libcurl_load(struct err *err);

/* For CURLOPT_OPENSOCKETFUNCTION: sockets that programs started by us do not inherit,
 * which libcurl's own would be. */
curl_socket_t libcurl_open_socket(void *context, curlsocktype purpose,
                                  struct curl_sockaddr *address);

#endif
