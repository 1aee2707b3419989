/* libzip and expat, loaded when the first spreadsheet needs them. */
#include "base/library.h"
#include "datasource/files/xlsx/xlsx_state.h"

static struct xlsx_library functions;

static const char *const zip_files[] = {"libzip.so.4", "libzip.so.5", "libzip.so",
                                        "libzip.5.dylib", NULL};
static const char *const xml_files[] = {"libexpat.so.1", "libexpat.so",
                                        "libexpat.1.dylib", NULL};
static const struct library_function zip_list[] = {
#define ZIP(name, result, parameters)                                                    \
    LIBRARY_FUNCTION(struct xlsx_library, zip_##name, "zip_" #name),
#define XML(name, result, parameters)
#include "datasource/files/xlsx/xlsx_library.def"
#undef ZIP
#undef XML
};
static const struct library_function xml_list[] = {
#define ZIP(name, result, parameters)
#define XML(name, result, parameters)                                                    \
    LIBRARY_FUNCTION(struct xlsx_library, xml_##name, "XML_" #name),
#include "datasource/files/xlsx/xlsx_library.def"
#undef ZIP
#undef XML
};

#define MESSAGE                                                                          \
    "Spreadsheets need the libraries libzip and expat, which could not be loaded."
#define HINT                                                                             \
    "Install them (on Debian: apt install libzip4 libexpat1), or save the file as CSV."

static struct library zip = {
    LIBRARY(zip_files, zip_list, &functions),
    .code = ERR_INVALID_DATA,
    .message = MESSAGE,
    .hint = HINT,
};
static struct library xml = {
    LIBRARY(xml_files, xml_list, &functions),
    .code = ERR_INVALID_DATA,
    .message = MESSAGE,
    .hint = HINT,
};

const struct xlsx_library *xlsx_library(struct err *err)
{
    return library_load(&zip, err) && library_load(&xml, err) ? &functions : NULL;
}
