# The server stands on libmicrohttpd (libmicrohttpd-dev), which is loaded when it starts: only its
# header is needed here.
pkg_check_modules(MICROHTTPD REQUIRED libmicrohttpd>=0.9.75)
target_include_directories(dgm_server SYSTEM PRIVATE ${MICROHTTPD_INCLUDE_DIRS})
