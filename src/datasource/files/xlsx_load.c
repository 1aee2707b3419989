/* libzip and expat, loaded when the first spreadsheet needs them. */
#include <dlfcn.h>
#include <pthread.h>

#include "base/err.h"
#include "base/symbol.h"
#include "datasource/files/xlsx_state.h"

static struct xlsx_library library;
static bool loaded;

static void *open_any(const char *const *names)
{
    void *opened = NULL;
    for (; *names && !opened; names++) {
        opened = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    }
    return opened;
}

static void load(void)
{
    static const char *const zips[] = {"libzip.so.4", "libzip.so.5", "libzip.so",
                                       "libzip.5.dylib", NULL};
    static const char *const xmls[] = {"libexpat.so.1", "libexpat.so", "libexpat.1.dylib",
                                       NULL};
    void *zip = open_any(zips);
    void *xml = open_any(xmls);
    bool ok = true;
#define ZIP(name, result, parameters)                                                    \
    ok = ok && symbol_find(zip, "zip_" #name, &library.zip_##name);
#define XML(name, result, parameters)                                                    \
    ok = ok && symbol_find(xml, "XML_" #name, &library.xml_##name);
#include "datasource/files/xlsx_library.def"
#undef ZIP
#undef XML
    loaded = ok;
}

const struct xlsx_library *xlsx_library(struct err *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, load);
    if (!loaded) {
        (void)err_set(err, ERR_INVALID_DATA,
                      "Spreadsheets need the libraries libzip and expat, which could not "
                      "be loaded.");
        (void)err_hint(err, "Install them (on Debian: apt install libzip4 libexpat1), or "
                            "save the file as CSV.");
        return NULL;
    }
    return &library;
}
