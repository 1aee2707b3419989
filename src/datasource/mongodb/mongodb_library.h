/*
 * Every function of libmongoc and libbson that is used. They bring a dozen others with
 * them, so they are loaded when the first MongoDB database is opened, and cost nobody
 * else a start.
 */
#ifndef DGM_DATASOURCE_MONGODB_LIBRARY_H
#define DGM_DATASOURCE_MONGODB_LIBRARY_H

#include <mongoc/mongoc.h>
#include <stdbool.h>

struct err;

/* mongo.cursor_next() is mongoc_cursor_next(), mongo.bson_init() is bson_init(). */
struct mongodb_library {
#define MONGOC(name) __typeof__(&mongoc_##name) name;
#define BSON(name)   __typeof__(&bson_##name) bson_##name;
#include "datasource/mongodb/mongodb_library.def"
#undef MONGOC
#undef BSON
};

/* Filled once mongodb_library_load() has said yes; nothing else is called before. */
extern struct mongodb_library mongo;
bool mongodb_library_load(struct err *err);

#endif
