// A fresh folder for one test, under /tmp, and the files in it. Knows nothing of the program.
//
// Every file name is relative to the folder. What goes wrong in here fails the test that called it.
#ifndef FATHOM_TESTS_SUPPORT_FOLDER_H
#define FATHOM_TESTS_SUPPORT_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

// cmocka set-up and tear-down, of a test or of a whole group: a new folder, and its removal with all that is
// in it.
int folder_make(void **state);
int folder_remove(void **state);

const char *folder_root(void);
// Full path of a name that is put together as by printf; one of a few static buffers, valid for the next
// hundred calls.
const char *folder_path(const char *format, ...) __attribute__((format(printf, 1, 2)));

bool folder_has(const char *name);
// Names in it ("": in the folder itself), entries "." and ".." left out.
int folder_count(const char *name);
void folder_delete(const char *name); // a file or a folder with all that is in it
void folder_clear(void);              // deletes everything in the folder

void folder_write(const char *name, const void *bytes, size_t length);
void folder_write_text(const char *name, const char *text);
// Single quotes become double ones; an apostrophe between two letters stays. Returns the text.
char *folder_double_quotes(char *text);
// A text put together as by printf, with such quotes.
void folder_write_json(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The whole file, of the folder or by an absolute path, with a '\0' behind it (the test owns it: owned.h),
// and its length, if not NULL.
char *folder_read(const char *name, size_t *length);
// The same without the length.
char *folder_text(const char *name);

// A command of the shell, put together as by printf: what system(3) returns; the other fails the test
// if that is not 0.
int folder_shell_code(const char *format, ...) __attribute__((format(printf, 1, 2)));
void folder_shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
