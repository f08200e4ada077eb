// Finding inputs in the stated order, making directories, publishing files, free space, checksums.
#include "io/path.h"

#include <errno.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <xxhash.h>

#include <cmocka.h>

static char root[PATH_BYTES];

// A path below the test's own directory; four may be in use at a time.
static const char *in_root(const char *name)
{
    static char paths[4][2 * PATH_BYTES];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", root, name);
    return path;
}

static void write_file(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void write_text(const char *path, const char *text)
{
    write_file(path, text, strlen(text));
}

static void expect_content(const char *path, const char *expected)
{
    char text[64] = "";
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

static int set_up(void **state)
{
    (void)state;
    status_clear();
    unsetenv("FATHOM_DATA");
    snprintf(root, sizeof root, "%s", "/tmp/fathom-path-XXXXXX");
    return mkdtemp(root) == NULL;
}

static int remove_one(const char *path, const struct stat *information, int type, struct FTW *position)
{
    (void)information;
    (void)type;
    (void)position;
    return remove(path);
}

static int tear_down(void **state)
{
    (void)state;
    return nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void inputs_are_found_in_order(void **state)
{
    (void)state;
    char found[PATH_BYTES], list[4 * PATH_BYTES];
    mkdir(in_root("job"), 0755);
    mkdir(in_root("a"), 0755);
    mkdir(in_root("b"), 0755);
    write_text(in_root("b/depth.nc"), "b");
    snprintf(list, sizeof list, ":%s/missing::%s/a:%s/b:", root, root, root);
    setenv("FATHOM_DATA", list, 1);
    assert_int_equal(path_find("depth.nc", in_root("job"), found), STATUS_OK);
    assert_string_equal(found, in_root("b/depth.nc"));
    write_text(in_root("a/depth.nc"), "a");
    assert_int_equal(path_find("depth.nc", in_root("job"), found), STATUS_OK);
    assert_string_equal(found, in_root("a/depth.nc"));
    write_text(in_root("job/depth.nc"), "job");
    assert_int_equal(path_find("depth.nc", in_root("job"), found), STATUS_OK);
    assert_string_equal(found, in_root("job/depth.nc"));
    assert_int_equal(path_find("a/depth.nc", root, found), STATUS_OK);
    assert_string_equal(found, in_root("a/depth.nc"));
    assert_int_equal(path_find(in_root("b/depth.nc"), in_root("job"), found), STATUS_OK);
    assert_string_equal(found, in_root("b/depth.nc"));
}

static void current_directory_is_the_default(void **state)
{
    (void)state;
    char found[PATH_BYTES], before[PATH_BYTES];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(root), 0);
    write_text("here.nc", "x");
    enum status status = path_find("here.nc", NULL, found);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(status, STATUS_OK);
    assert_string_equal(found, "here.nc");
}

static void missing_inputs_name_the_folders(void **state)
{
    (void)state;
    char found[PATH_BYTES];
    setenv("FATHOM_DATA", "/nonexistent/one:/nonexistent/two", 1);
    assert_int_equal(path_find("no-such-file.nc", root, found), STATUS_NO_INPUT);
    assert_non_null(strstr(status_message(), "no-such-file.nc was not found in "));
    assert_non_null(strstr(status_message(), root));
    assert_non_null(strstr(status_message(), "/nonexistent/one, /nonexistent/two, "));
    assert_non_null(strstr(status_message(), TEST_SOURCE_DIRECTORY "/data"));
    assert_non_null(strstr(status_message(), "/usr/share/ferret-vis/data"));
    assert_null(strstr(status_message(), "ferret-datasets"));
    status_clear();
    assert_int_equal(path_find("etopo999.cdf", root, found), STATUS_NO_INPUT);
    assert_non_null(strstr(status_message(), "install the Debian package ferret-datasets"));
    status_clear();
    assert_int_equal(path_find("/nonexistent/file.nc", root, found), STATUS_NO_INPUT);
    assert_string_equal(status_message(), "/nonexistent/file.nc: there is no such file");
    status_clear();
    assert_int_equal(path_find("", root, found), STATUS_NO_INPUT);
}

static void unusable_inputs_end_the_search(void **state)
{
    (void)state;
    char found[PATH_BYTES];
    mkdir(in_root("folder.nc"), 0755);
    assert_int_equal(path_find("folder.nc", root, found), STATUS_NO_INPUT);
    assert_non_null(strstr(status_message(), "is a folder; a file is expected"));
    status_clear();
    char name[PATH_BYTES + 10];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    assert_int_equal(path_find(name, root, found), STATUS_NO_INPUT);
    status_clear();
    name[0] = '/';
    assert_int_equal(path_find(name, root, found), STATUS_NO_INPUT);
    if (geteuid() == 0)
        return; // root may read everything
    status_clear();
    write_text(in_root("secret.nc"), "x");
    assert_int_equal(chmod(in_root("secret.nc"), 0), 0);
    assert_int_equal(path_find("secret.nc", root, found), STATUS_NO_INPUT);
    assert_non_null(strstr(status_message(), "cannot be read"));
}

static void directories_are_made_with_parents(void **state)
{
    (void)state;
    struct stat information;
    assert_int_equal(path_make_directory(in_root("x/y//z/")), STATUS_OK);
    assert_int_equal(stat(in_root("x/y/z"), &information), 0);
    assert_true(S_ISDIR(information.st_mode));
    assert_int_equal(path_make_directory(in_root("x/y/z")), STATUS_OK);
    assert_int_equal(path_make_directory(root), STATUS_OK);
    assert_int_equal(path_make_directory("/"), geteuid() == 0 ? STATUS_OK : STATUS_CANNOT_CREATE);
    status_clear();
    write_text(in_root("file"), "x");
    assert_int_equal(path_make_directory(in_root("file")), STATUS_CANNOT_CREATE);
    assert_non_null(strstr(status_message(), "exists, but is not a directory"));
    status_clear();
    assert_int_equal(path_make_directory(in_root("file/below")), STATUS_CANNOT_CREATE);
    assert_non_null(strstr(status_message(), "a part of the path is not a directory"));
    status_clear();
    assert_int_equal(path_make_directory("/proc/no/such/place"), STATUS_CANNOT_CREATE);
    status_clear();
    assert_int_equal(path_make_directory(""), STATUS_CANNOT_CREATE);
}

static void unwritable_directories_are_refused(void **state)
{
    (void)state;
    if (geteuid() == 0) {
        print_message("skipped: root may write everywhere\n");
        skip();
    }
    assert_int_equal(mkdir(in_root("locked"), 0555), 0);
    assert_int_equal(path_make_directory(in_root("locked")), STATUS_CANNOT_CREATE);
    status_clear();
    assert_int_equal(path_make_directory(in_root("locked/below")), STATUS_CANNOT_CREATE);
    assert_int_equal(chmod(in_root("locked"), 0755), 0);
}

static void publishing_replaces(void **state)
{
    (void)state;
    write_text(in_root("new.tmp"), "new");
    write_text(in_root("final"), "old");
    assert_int_equal(path_publish(in_root("new.tmp"), in_root("final")), STATUS_OK);
    expect_content(in_root("final"), "new");
    assert_int_equal(access(in_root("new.tmp"), F_OK), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(path_publish(in_root("absent"), in_root("final")), STATUS_IO);
    expect_content(in_root("final"), "new");
    status_clear();
    write_text(in_root("new.tmp"), "newer");
    assert_int_equal(path_publish(in_root("new.tmp"), in_root("no/such/final")), STATUS_IO);
    assert_non_null(strstr(status_message(), "cannot be renamed"));
    expect_content(in_root("new.tmp"), "newer");
}

static void free_space_is_that_of_the_file_system(void **state)
{
    (void)state;
    struct statvfs information;
    uint64_t bytes = 0, of_missing = 0, of_relative = 0;
    assert_int_equal(statvfs(root, &information), 0);
    double expected = (double)information.f_bavail * (double)information.f_frsize;
    assert_int_equal(path_free_bytes(root, &bytes), STATUS_OK);
    // Others write to this disk meanwhile: equal to 2 % of its size.
    double tolerance = 0.02 * (double)information.f_blocks * (double)information.f_frsize;
    assert_true((double)bytes > expected - tolerance && (double)bytes < expected + tolerance);
    assert_int_equal(path_free_bytes(in_root("not/yet/there"), &of_missing), STATUS_OK);
    assert_true((double)of_missing > expected - tolerance && (double)of_missing < expected + tolerance);
    assert_int_equal(path_free_bytes("not/yet/there", &of_relative), STATUS_OK);
    assert_true(of_relative > 0);
    assert_int_equal(path_free_bytes("", &bytes), STATUS_SYSTEM);
}

static void checksums_match_the_published_ones(void **state)
{
    (void)state;
    uint64_t hash = 0;
    write_text(in_root("empty"), "");
    assert_int_equal(path_hash(in_root("empty"), &hash), STATUS_OK);
    assert_int_equal(hash, 0x2D06800538D394C2); // XXH3_64bits of nothing, seed 0
    write_text(in_root("abc"), "abc");
    assert_int_equal(path_hash(in_root("abc"), &hash), STATUS_OK);
    assert_int_equal(hash, 0x78AF5F94892F3950);
    // Longer than several read blocks, and not a multiple of one: as the library's own one-shot function
    // says.
    size_t length = 300007;
    unsigned char *bytes = malloc(length);
    assert_non_null(bytes);
    for (size_t k = 0; k < length; k++)
        bytes[k] = (unsigned char)(k * 2654435761u >> 13);
    write_file(in_root("long"), bytes, length);
    assert_int_equal(path_hash(in_root("long"), &hash), STATUS_OK);
    assert_int_equal(hash, XXH3_64bits(bytes, length));
    free(bytes);
    assert_int_equal(path_hash(in_root("absent"), &hash), STATUS_NO_INPUT);
    status_clear();
    assert_int_equal(path_hash(root, &hash), STATUS_NO_INPUT);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(inputs_are_found_in_order),
        TEST(current_directory_is_the_default),
        TEST(missing_inputs_name_the_folders),
        TEST(unusable_inputs_end_the_search),
        TEST(directories_are_made_with_parents),
        TEST(unwritable_directories_are_refused),
        TEST(publishing_replaces),
        TEST(free_space_is_that_of_the_file_system),
        TEST(checksums_match_the_published_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
