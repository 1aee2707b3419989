/* Runs of plain bytes: the quick way finds what a byte-by-byte look finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <string.h>

#include "base/memory.h"
#include "base/scan.h"

enum { LONGEST = 70 };

static void every_byte_is_found_at_every_place(void **state)
{
    (void)state;
    for (size_t size = 0; size <= LONGEST; size++) {
        char *text = memory_alloc(size); /* its end is the end of the memory */
        memset(text, 'x', size);
        assert_int_equal(scan_plain(text, size, '"', '\\'), size);
        for (size_t at = 0; at < size; at++) {
            for (int byte = 0; byte < 256; byte++) {
                bool plain = byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\';
                text[at] = (char)byte;
                assert_int_equal(scan_plain(text, size, '"', '\\'), plain ? size : at);
            }
            text[at] = 'x';
        }
        memory_free(text);
    }
}

static void the_first_of_several_counts(void **state)
{
    (void)state;
    char text[] = "0123456789abcdef0123<>\n\xC3\xA4 rest of a longer line of text";
    size_t size = sizeof text - 1;
    assert_int_equal(scan_plain(text, size, '<', '>'), 20);
    assert_int_equal(scan_plain(text, size, '>', '9'), 9);
    assert_int_equal(scan_plain(text, size, '"', '"'), 22);
    assert_int_equal(scan_plain(text + 25, size - 25, '"', '"'), size - 25);
    assert_int_equal(scan_plain(text, 0, '"', '"'), 0);
}

/* Copies what scan_plain would pass, and no byte beyond the text is read. */
static void copies_are_what_was_passed(void **state)
{
    (void)state;
    for (size_t size = 0; size <= 2 * SCAN_STEP; size++) {
        char *text = memory_alloc(size);
        char *out = memory_alloc(SCAN_STEP);
        for (size_t at = 0; at <= size; at++) {
            for (int byte = 0; byte < 256; byte++) {
                memset(text, 'x', size);
                if (at < size) {
                    text[at] = (char)byte;
                }
                size_t plain = scan_plain(text, size, '"', '\\');
                size_t most = plain < SCAN_STEP ? plain : SCAN_STEP;
                memset(out, 0, SCAN_STEP);
                assert_int_equal(scan_copy(out, text, size, '"', '\\'), most);
                assert_memory_equal(out, text, most);
                if (size <= SCAN_STEP) {
                    memset(out, 0, SCAN_STEP);
                    bool all = scan_copy_short(out, text, size, '"', '\\');
                    assert_int_equal(all, plain == size);
                    assert_memory_equal(out, text, size);
                }
            }
        }
        memory_free(out);
        memory_free(text);
    }
}

static size_t letters_by_bytes(const char *text, size_t size)
{
    size_t letters = 0;
    for (size_t i = 0; i < size; i++) {
        letters += (text[i] >= 'a' && text[i] <= 'z') ||
                   (text[i] >= 'A' && text[i] <= 'Z') || text[i] == ' ' ||
                   text[i] == '\n';
    }
    return letters;
}

/* Whatever the byte, and however long the text: what was looked at is counted right, and
 * nothing beyond ASCII is looked at. */
static void letters_are_counted(void **state)
{
    (void)state;
    enum { LONG = 16 * 600 + 3 };
    char *text = memory_alloc(LONG);
    for (size_t i = 0; i < LONG; i++) {
        text[i] = (char)(i % 0x80);
    }
    size_t letters = 0;
    size_t looked = scan_letters(text, LONG, &letters);
    assert_true(looked + SCAN_STEP > LONG);
    assert_int_equal(letters, letters_by_bytes(text, looked));
    text[5000] = (char)0xC3;
    looked = scan_letters(text, LONG, &letters);
    assert_true(looked <= 5000 && looked + SCAN_STEP > 5000);
    assert_int_equal(letters, letters_by_bytes(text, looked));
    assert_int_equal(scan_letters(text, 5, &letters), 0);
    assert_int_equal(letters, 0);
    memory_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_is_found_at_every_place),
        cmocka_unit_test(the_first_of_several_counts),
        cmocka_unit_test(copies_are_what_was_passed),
        cmocka_unit_test(letters_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
