# Secrets in the store are sealed with libsodium, which is loaded at first use: only its header is
# needed here. Without it no datasource can be added at run time.
pkg_check_modules(SODIUM IMPORTED_TARGET libsodium)
if(SODIUM_FOUND)
  target_compile_definitions(dgm_store PRIVATE DRAGOMAN_HAS_SODIUM)
  target_include_directories(dgm_store PRIVATE ${SODIUM_INCLUDE_DIRS})
else()
  message(STATUS "libsodium: not in this build (install libsodium-dev, then configure again)")
endif()
