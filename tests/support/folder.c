// A test's own folder: see folder.h. Knows nothing of the program.
#include "tests/support/folder.h"

#include "tests/support/asserts.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <sys/stat.h>

enum { PATHS = 128, PATH_LENGTH = 512 };

static char root[32];

static int remove_entry(const char *path, const struct stat *information, int type, struct FTW *position)
{
    return remove(path);
}

static int remove_tree(const char *path)
{
    return nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

int folder_make(void **state)
{
    strcpy(root, "/tmp/fathom-test-XXXXXX");
    // Others may enter: some tests run the program under another user.
    return mkdtemp(root) && chmod(root, 0755) == 0 ? 0 : -1;
}

int folder_remove(void **state)
{
    return remove_tree(root);
}

const char *folder_root(void)
{
    return root;
}

const char *folder_path(const char *format, ...)
{
    static char paths[PATHS][PATH_LENGTH];
    static unsigned next;
    char *path = paths[next++ % PATHS];
    const int length = snprintf(path, PATH_LENGTH, "%s/", root);
    va_list arguments;
    va_start(arguments, format);
    const int rest = vsnprintf(path + length, (size_t)(PATH_LENGTH - length), format, arguments);
    va_end(arguments);
    assert_in_range(rest, 0, PATH_LENGTH - length - 1);
    return path;
}

bool folder_has(const char *name)
{
    return access(folder_path("%s", name), F_OK) == 0;
}

// Counts what is in a folder, and deletes it if asked to.
static int each_entry(const char *name, bool is_deleted)
{
    DIR *entries = opendir(folder_path("%s", name));
    if (!entries)
        fail_msg("%s: %s", name, strerror(errno));
    int count = 0;
    for (const struct dirent *entry; (entry = readdir(entries));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        count++;
        if (is_deleted)
            assert_int_equal(remove_tree(folder_path("%s/%s", name, entry->d_name)), 0);
    }
    closedir(entries);
    return count;
}

int folder_count(const char *name)
{
    return each_entry(name, false);
}

void folder_delete(const char *name)
{
    assert_int_equal(remove_tree(folder_path("%s", name)), 0);
}

void folder_clear(void)
{
    (void)each_entry("", true);
}

void folder_write(const char *name, const void *bytes, size_t length)
{
    FILE *file = fopen(folder_path("%s", name), "wb");
    if (!file)
        fail_msg("%s: %s", name, strerror(errno));
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

void folder_write_text(const char *name, const char *text)
{
    folder_write(name, text, strlen(text));
}

char *folder_double_quotes(char *text)
{
    for (char *quote = text; (quote = strchr(quote, '\'')) != NULL; quote++)
        if (quote == text || !isalnum((unsigned char)quote[-1]) || !isalnum((unsigned char)quote[1]))
            *quote = '"';
    return text;
}

void folder_write_json(const char *name, const char *format, ...)
{
    char text[1 << 15];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert_in_range(length, 0, sizeof text - 1);
    folder_write_text(name, folder_double_quotes(text));
}

char *folder_read(const char *name, size_t *length)
{
    FILE *file = fopen(name[0] == '/' ? name : folder_path("%s", name), "rb");
    if (!file)
        fail_msg("%s: %s", name, strerror(errno));
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long size = ftell(file);
    assert_true(size >= 0);
    rewind(file);
    char *bytes = owned_zeros((size_t)size + 1, 1);
    assert_int_equal(fread(bytes, 1, (size_t)size, file), (size_t)size);
    fclose(file);
    if (length)
        *length = (size_t)size;
    return bytes;
}

char *folder_text(const char *name)
{
    return folder_read(name, NULL);
}

static int run_shell(const char *format, va_list arguments)
{
    char command[8192];
    const int length = vsnprintf(command, sizeof command, format, arguments);
    assert_in_range(length, 1, sizeof command - 1);
    return system(command);
}

int folder_shell_code(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int code = run_shell(format, arguments);
    va_end(arguments);
    return code;
}

void folder_shell(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int code = run_shell(format, arguments);
    va_end(arguments);
    assert_int_equal(code, 0);
}
