// `fathom report` killed at any moment: whatever stands under a final name is whole.
#include "io/path.h"
#include "tests/support/gnuplot.h"
#include "tests/support/nbody_job.h"
#include "tests/support/test.h"

#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

enum { KILLS = 6, LATEST_MS = 500 };

static bool ends_with(const char *path, const void *end, size_t bytes)
{
    char tail[32];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const bool is_whole = fseek(file, -(long)bytes, SEEK_END) == 0 && fread(tail, 1, bytes, file) == bytes &&
                          memcmp(tail, end, bytes) == 0;
    fclose(file);
    return is_whole;
}

// The pictures, and the page where it is there. Returns how many there are.
static int check_all(void)
{
    int count = 0;
    DIR *pictures = opendir(cli_path("out/pictures"));
    for (const struct dirent *entry; pictures && (entry = readdir(pictures));) {
        const size_t length = strlen(entry->d_name);
        if (entry->d_name[0] == '.' || length < 4 || strcmp(entry->d_name + length - 4, ".png") != 0)
            continue;
        assert_true(
            ends_with(cli_path(format_text("out/pictures/%s", entry->d_name)), "IEND\xAE\x42\x60\x82", 8));
        count++;
    }
    if (pictures)
        closedir(pictures);
    if (access(cli_path("out/report.html"), F_OK) == 0) {
        assert_true(ends_with(cli_path("out/report.html"), "</html>\n", 8));
        count++;
    }
    return count;
}

TEST(test_no_half_file_after_a_kill)
{
    need_gnuplot();
    cli_run_job(nbody_job());
    uint32_t random = 20261122;
    for (int k = 0; k < KILLS; k++) {
        random = random * 1664525u + 1013904223u;
        const long wait_ms = (long)(random >> 8) % LATEST_MS;
        const pid_t child = cli_start("report out");
        nanosleep(&(struct timespec){.tv_nsec = wait_ms * 1000000}, NULL);
        kill(child, SIGKILL);
        (void)cli_finish(child);
        check_all();
    }
    cli_do("report out");
    assert_int_equal(check_all(), 4);
}

// Two reports would write the same files under the same names.
TEST(test_one_report_at_a_time)
{
    need_gnuplot();
    cli_run_job(nbody_job());
    cli_do("report out");
    int lock;
    assert_int_equal(path_lock_directory(cli_path("out/pictures"), 0, &lock), STATUS_OK);
    cli_assert_error(cli_run("report out"), CANNOT_CREATE, true, "out/pictures is in use by");
    close(lock);
    cli_do("report out");
}

TEST_MAIN(cli_setup, cli_teardown)
