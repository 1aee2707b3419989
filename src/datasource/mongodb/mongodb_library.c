/* libmongoc, loaded when the first such database is opened. */
#include "datasource/mongodb/mongodb_library.h"

#include "base/library.h"

struct mongodb_library mongo;

static const char *const files[] = {"libmongoc-1.0.so.0", "libmongoc-1.0.so",
                                    "libmongoc-1.0.0.dylib", NULL};
/* libbson comes with libmongoc: its functions are found through the same handle. */
static const struct library_function list[] = {
#define MONGOC(name) LIBRARY_FUNCTION(struct mongodb_library, name, "mongoc_" #name),
#define BSON(name)   LIBRARY_FUNCTION(struct mongodb_library, bson_##name, "bson_" #name),
#include "datasource/mongodb/mongodb_library.def"
#undef MONGOC
#undef BSON
};

static bool mongodb_library_begin(void *handle)
{
    (void)handle;
    mongo.log_set_handler(NULL, NULL); /* what it says may name hosts and users */
    mongo.init();
    return true;
}

static struct library library = {
    LIBRARY(files, list, &mongo),
    .begin = mongodb_library_begin,
    .code = ERR_DATASOURCE_KIND,
    .message = "MongoDB needs the library libmongoc, version 1.x, which was not found.",
    .hint = "Install libmongoc-1.0-0 (on other systems: mongo-c-driver).",
};

bool mongodb_library_load(struct err *err)
{
    return library_load(&library, err);
}
