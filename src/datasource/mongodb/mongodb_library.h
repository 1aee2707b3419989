/*
 * The functions of libmongoc and libbson that are used. The libraries load a dozen
 * others, so they are loaded when the first MongoDB database is opened.
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

/* Filled by mongodb_library_load(); call nothing before that has returned true. */
extern struct mongodb_library mongo;
bool mongodb_library_load(struct err *err);

#endif
