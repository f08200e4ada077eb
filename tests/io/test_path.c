// Finding inputs in the stated order, making directories, publishing files, free space, checksums.
#include "tests/support/test.h"

#include "io/path.h"
#include "io/whole_file.h"
#include "tests/support/folder.h"
#include "tests/support/statuses.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <xxhash.h>

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
    status_clear();
    unsetenv("FATHOM_DATA");
    return folder_make(state);
}

TEST_SUITE(.setup = set_up, .teardown = folder_remove);

TEST(inputs_are_found_in_order)
{
    char found[PATH_BYTES], list[4 * PATH_BYTES];
    mkdir(folder_path("job"), 0755);
    mkdir(folder_path("a"), 0755);
    mkdir(folder_path("b"), 0755);
    folder_write_text("b/depth.nc", "b");
    snprintf(list, sizeof list, ":%s/missing::%s/a:%s/b:", folder_root(), folder_root(), folder_root());
    setenv("FATHOM_DATA", list, 1);
    assert_ok(path_find("depth.nc", folder_path("job"), found));
    assert_string_equal(found, folder_path("b/depth.nc"));
    folder_write_text("a/depth.nc", "a");
    assert_ok(path_find("depth.nc", folder_path("job"), found));
    assert_string_equal(found, folder_path("a/depth.nc"));
    folder_write_text("job/depth.nc", "job");
    assert_ok(path_find("depth.nc", folder_path("job"), found));
    assert_string_equal(found, folder_path("job/depth.nc"));
    assert_ok(path_find("a/depth.nc", folder_root(), found));
    assert_string_equal(found, folder_path("a/depth.nc"));
    assert_ok(path_find(folder_path("b/depth.nc"), folder_path("job"), found));
    assert_string_equal(found, folder_path("b/depth.nc"));
}

TEST(current_directory_is_the_default)
{
    char found[PATH_BYTES], before[PATH_BYTES];
    assert_non_null(getcwd(before, sizeof before));
    folder_write_text("here.nc", "x");
    assert_int_equal(chdir(folder_root()), 0);
    enum status status = path_find("here.nc", NULL, found);
    assert_int_equal(chdir(before), 0);
    assert_ok(status);
    assert_string_equal(found, "here.nc");
}

TEST(missing_inputs_name_the_folders)
{
    char found[PATH_BYTES];
    setenv("FATHOM_DATA", "/nonexistent/one:/nonexistent/two", 1);
    assert_failure(path_find("no-such-file.nc", folder_root(), found), STATUS_NO_INPUT,
                   "no-such-file.nc was not found in ", folder_root(), "/nonexistent/one, /nonexistent/two, ",
                   TEST_SOURCE_DIRECTORY "/data", "/usr/share/ferret-vis/data");
    assert_null(strstr(status_message(), "ferret-datasets"));
    status_clear();
    assert_int_equal(path_find("etopo999999.cdf", folder_root(), found), STATUS_NO_INPUT);
    const bool is_installed = access("/usr/share/ferret-vis/data", F_OK) == 0;
    assert_true(is_installed == !strstr(status_message(), "install the Debian package ferret-datasets"));
    status_clear();
    assert_int_equal(path_find("/nonexistent/file.nc", folder_root(), found), STATUS_NO_INPUT);
    assert_string_equal(status_message(), "/nonexistent/file.nc: no such file");
    assert_failure(path_find("", folder_root(), found), STATUS_NO_INPUT, "");
}

TEST(similar_names_are_offered)
{
    char found[PATH_BYTES];
    mkdir(folder_path("faults"), 0755);
    folder_write_text("faults/tohoku2011.json", "{}");
    folder_write_text("faults/chile2010.json", "{}");
    assert_failure(path_find("faults/tohuko2011.json", folder_root(), found), STATUS_NO_INPUT,
                   " (did you mean faults/tohoku2011.json?)");
    assert_int_equal(path_find("faults/kamchatka.json", folder_root(), found), STATUS_NO_INPUT);
    assert_null(strstr(status_message(), "did you mean"));
    status_clear();
    assert_int_equal(symlink("/nowhere", folder_path("lost.nc")), 0);
    assert_failure(path_find("lost.nc", folder_root(), found), STATUS_NO_INPUT,
                   "lost.nc is a symbolic link to a file that is not there");
    // The most similar name in all folders is offered, not the first similar one.
    folder_write_text("depth3.nc", "");
    mkdir(folder_path("other"), 0755);
    folder_write_text("other/depth2a.nc", "");
    setenv("FATHOM_DATA", folder_path("other"), 1);
    assert_failure(path_find("dept2a.nc", folder_root(), found), STATUS_NO_INPUT,
                   "(did you mean depth2a.nc?)");
}

TEST(unusable_inputs_end_the_search)
{
    char found[PATH_BYTES];
    mkdir(folder_path("folder.nc"), 0755);
    assert_failure(path_find("folder.nc", folder_root(), found), STATUS_NO_INPUT,
                   "is a folder; a file is expected");
    assert_int_equal(mkfifo(folder_path("pipe.nc"), 0600), 0); // a job would wait for ever for data
    assert_failure(path_find("pipe.nc", folder_root(), found), STATUS_NO_INPUT,
                   "is a pipe; a file is expected");
    assert_ok(
        path_find(folder_path("pipe.nc"), NULL, found)); // a pipe named on the command line is permitted
    char name[PATH_BYTES + 10];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    assert_failure(path_find(name, folder_root(), found), STATUS_NO_INPUT, "");
    name[0] = '/';
    assert_int_equal(path_find(name, folder_root(), found), STATUS_NO_INPUT);
    if (geteuid() == 0)
        return; // folder_root() may read everything
    status_clear();
    folder_write_text("secret.nc", "x");
    assert_int_equal(chmod(folder_path("secret.nc"), 0), 0);
    assert_failure(path_find("secret.nc", folder_root(), found), STATUS_NO_INPUT, "cannot be read");
}

TEST(directories_are_made_with_parents)
{
    struct stat information;
    assert_ok(path_make_directory(folder_path("x/y//z/")));
    assert_int_equal(stat(folder_path("x/y/z"), &information), 0);
    assert_true(S_ISDIR(information.st_mode));
    assert_ok(path_make_directory(folder_path("x/y/z")));
    assert_ok(path_make_directory(folder_root()));
    assert_int_equal(path_make_directory("/"), geteuid() == 0 ? STATUS_OK : STATUS_CANNOT_CREATE);
    status_clear();
    folder_write_text("file", "x");
    assert_failure(path_make_directory(folder_path("file")), STATUS_CANNOT_CREATE,
                   "exists, but is not a directory");
    assert_failure(path_make_directory(folder_path("file/below")), STATUS_CANNOT_CREATE,
                   "a part of the path is not a directory");
    assert_failure(path_make_directory("/proc/no/such/place"), STATUS_CANNOT_CREATE, "");
    assert_int_equal(path_make_directory(""), STATUS_CANNOT_CREATE);
}

TEST(directories_are_checked_without_making_them)
{
    assert_ok(path_check_directory(folder_path("x/y//z/")));
    assert_ok(path_check_directory("no-such-name-here"));
    assert_int_not_equal(access(folder_path("x"), F_OK), 0);
    assert_ok(path_check_directory(folder_root()));
    folder_write_text("file", "x");
    assert_failure(path_check_directory(folder_path("file")), STATUS_CANNOT_CREATE,
                   "exists, but is not a directory");
    assert_failure(path_check_directory(folder_path("file/below/it")), STATUS_CANNOT_CREATE,
                   "a part of the path is not a directory");
    assert_int_equal(symlink("nowhere", folder_path("link")), 0);
    assert_failure(path_check_directory(folder_path("link")), STATUS_CANNOT_CREATE,
                   "whose target is missing");
    assert_int_equal(path_check_directory(""), STATUS_CANNOT_CREATE);
}

TEST(unwritable_directories_are_refused)
{
    if (geteuid() == 0) {
        print_message("skipped: folder_root() may write everywhere\n");
        skip();
    }
    assert_int_equal(mkdir(folder_path("locked"), 0555), 0);
    assert_failure(path_check_directory(folder_path("locked")), STATUS_CANNOT_CREATE, "");
    assert_failure(path_check_directory(folder_path("locked/below")), STATUS_CANNOT_CREATE, "ermission");
    assert_failure(path_make_directory(folder_path("locked")), STATUS_CANNOT_CREATE, "");
    assert_int_equal(path_make_directory(folder_path("locked/below")), STATUS_CANNOT_CREATE);
    assert_int_equal(chmod(folder_path("locked"), 0755), 0);
}

TEST(publishing_replaces)
{
    folder_write_text("new.tmp", "new");
    folder_write_text("final", "old");
    assert_ok(path_publish(folder_path("new.tmp"), folder_path("final")));
    expect_content(folder_path("final"), "new");
    assert_int_equal(access(folder_path("new.tmp"), F_OK), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(path_publish(folder_path("absent"), folder_path("final")), STATUS_IO);
    expect_content(folder_path("final"), "new");
    status_clear();
    folder_write_text("new.tmp", "newer");
    assert_failure(path_publish(folder_path("new.tmp"), folder_path("no/such/final")), STATUS_IO,
                   "cannot be renamed");
    expect_content(folder_path("new.tmp"), "newer");
}

TEST(free_space_is_that_of_the_file_system)
{
    struct statvfs information;
    uint64_t bytes = 0, of_missing = 0, of_relative = 0;
    assert_int_equal(statvfs(folder_root(), &information), 0);
    double expected = (double)information.f_bavail * (double)information.f_frsize;
    assert_ok(path_free_bytes(folder_root(), &bytes));
    // Other processes may write to this disk: tolerance 2 % of its size.
    double tolerance = 0.02 * (double)information.f_blocks * (double)information.f_frsize;
    assert_true((double)bytes > expected - tolerance && (double)bytes < expected + tolerance);
    assert_ok(path_free_bytes(folder_path("not/yet/there"), &of_missing));
    assert_true((double)of_missing > expected - tolerance && (double)of_missing < expected + tolerance);
    assert_ok(path_free_bytes("not/yet/there", &of_relative));
    assert_true(of_relative > 0);
    assert_int_equal(path_free_bytes("", &bytes), STATUS_SYSTEM);
}

TEST(checksums_match_the_published_ones)
{
    uint64_t hash = 0;
    folder_write_text("empty", "");
    assert_ok(path_hash(folder_path("empty"), &hash));
    assert_int_equal(hash, 0x2D06800538D394C2); // XXH3_64bits of nothing, seed 0
    folder_write_text("abc", "abc");
    assert_ok(path_hash(folder_path("abc"), &hash));
    assert_int_equal(hash, 0x78AF5F94892F3950);
    // The file is longer than several read blocks, and not a multiple of one. Compared with the library's
    // function for a whole buffer.
    size_t length = 300007;
    unsigned char *bytes = owned_zeros(length, 1);
    for (size_t k = 0; k < length; k++)
        bytes[k] = (unsigned char)(k * 2654435761u >> 13);
    folder_write("long", bytes, length);
    assert_ok(path_hash(folder_path("long"), &hash));
    assert_int_equal(hash, XXH3_64bits(bytes, length));
    assert_failure(path_hash(folder_path("absent"), &hash), STATUS_NO_INPUT, "");
    assert_int_equal(path_hash(folder_root(), &hash), STATUS_NO_INPUT);
}

// Another process locks the folder; it ends shortly after a byte is written to *let_go.
static pid_t hold(const char *path, int *let_go)
{
    int ends[2], back[2], descriptor;
    char said;
    assert_true(pipe(ends) == 0 && pipe(back) == 0);
    const pid_t holder = fork();
    if (holder == 0) {
        const struct timespec pause = {.tv_nsec = 100000000};
        if (path_lock_directory(path, 0, &descriptor) != STATUS_OK || write(ends[1], "x", 1) != 1 ||
            read(back[0], &said, 1) != 1)
            _exit(1);
        nanosleep(&pause, NULL);
        _exit(0);
    }
    assert_true(holder > 0 && read(ends[0], &said, 1) == 1);
    close(ends[0]);
    close(ends[1]);
    close(back[0]);
    *let_go = back[1];
    return holder;
}

TEST(locking_waits_for_a_locked_folder)
{
    int descriptor, let_go;
    const char *path = folder_path("held");
    assert_ok(path_make_directory(path));
    const pid_t holder = hold(path, &let_go);
    assert_failure(path_lock_directory(path, 0, &descriptor), STATUS_CANNOT_CREATE, "in use");
    assert_int_equal(descriptor, -1);
    assert_failure(path_lock_directory(path, 0.1, &descriptor), STATUS_CANNOT_CREATE, "");
    assert_int_equal(write(let_go, "x", 1), 1);
    close(let_go);
    assert_ok(path_lock_directory(path, 60, &descriptor));
    assert_true(descriptor >= 0);
    close(descriptor);
    assert_int_equal(waitpid(holder, NULL, 0), holder);
}

// A process that begins to write the file, and ends (or is killed) when it has done so.
static pid_t write_elsewhere(const char *path, const char *text)
{
    struct whole_file file;
    const pid_t child = fork();
    if (child != 0)
        return child;
    if (whole_file_begin(&file, path) != STATUS_OK)
        _exit(1);
    if (!text)
        raise(SIGKILL);
    fputs(text, file.stream);
    _exit(whole_file_end(&file, STATUS_OK) == STATUS_OK ? 0 : 1);
}

// The other would rename or remove what is not whole yet. The part of a killed one is replaced.
TEST(writers_of_one_file_wait_for_each_other)
{
    const char *path = folder_path("page");
    struct whole_file file;
    int how;
    pid_t child = write_elsewhere(path, NULL);
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how) && folder_has("page.part"));

    assert_ok(whole_file_begin(&file, path));
    fputs("first, ", file.stream);
    child = write_elsewhere(path, "second");
    for (int k = 0; k < 20; k++) {
        assert_int_equal(waitpid(child, &how, WNOHANG), 0);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    assert_false(folder_has("page"));
    fputs("and whole", file.stream);
    assert_ok(whole_file_end(&file, STATUS_OK));
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    expect_content(path, "second");
    assert_false(folder_has("page.part"));
}

// Of a process with too many files open, no input is missing.
TEST(files_that_cannot_be_opened)
{
    assert_int_equal(path_open_status(EMFILE), STATUS_SYSTEM);
    assert_int_equal(path_open_status(ENFILE), STATUS_SYSTEM);
    assert_int_equal(path_open_status(ENOENT), STATUS_NO_INPUT);
    assert_int_equal(path_open_status(EACCES), STATUS_NO_INPUT);
}
