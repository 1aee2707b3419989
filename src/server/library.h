/*
 * The functions of libmicrohttpd that are used. The library loads a TLS library and a
 * dozen others, so it is loaded only when a server starts.
 */
#ifndef DGM_SERVER_LIBRARY_H
#define DGM_SERVER_LIBRARY_H

#include <microhttpd.h>
#include <stdbool.h>

struct err;

struct server_library {
#define FUNCTION(name) __typeof__(&name) name##_; /* NOLINT: a member's name */
#include "server/library.def"
#undef FUNCTION
};

/* Filled by server_library_load; constant after that. */
extern struct server_library server_library;

/* Loads it once per process; later calls return at once. */
bool server_library_load(struct err *err);

#define MHD_add_response_header         (server_library.MHD_add_response_header_)
#define MHD_create_response_from_buffer (server_library.MHD_create_response_from_buffer_)
#define MHD_create_response_from_buffer_with_free_callback_cls                           \
    (server_library.MHD_create_response_from_buffer_with_free_callback_cls_)
#define MHD_create_response_from_callback                                                \
    (server_library.MHD_create_response_from_callback_)
#define MHD_create_response_from_fd (server_library.MHD_create_response_from_fd_)
#define MHD_destroy_response        (server_library.MHD_destroy_response_)
#define MHD_get_connection_info     (server_library.MHD_get_connection_info_)
#define MHD_get_connection_values   (server_library.MHD_get_connection_values_)
#define MHD_lookup_connection_value (server_library.MHD_lookup_connection_value_)
#define MHD_queue_response          (server_library.MHD_queue_response_)
#define MHD_quiesce_daemon          (server_library.MHD_quiesce_daemon_)
#define MHD_resume_connection       (server_library.MHD_resume_connection_)
#define MHD_start_daemon            (server_library.MHD_start_daemon_)
#define MHD_stop_daemon             (server_library.MHD_stop_daemon_)
#define MHD_suspend_connection      (server_library.MHD_suspend_connection_)

#endif
