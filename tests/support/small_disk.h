// File systems of a few megabytes on folders of the test (cli_fixture.h), which only a test that runs as root
// may have. Header only.
#ifndef FATHOM_TESTS_SUPPORT_SMALL_DISK_H
#define FATHOM_TESTS_SUPPORT_SMALL_DISK_H

#include "tests/support/cli_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>

enum { SMALL_DISKS_MAX = 4 };

static struct {
    char names[SMALL_DISKS_MAX][64];
    int count;
} small_disks;

// Makes the folder, and mounts a tmpfs there with the options ("size=16m"). False, and a line states why, if
// that is not allowed here.
static inline bool small_disk_mount(const char *name, const char *options)
{
    assert_true(small_disks.count < SMALL_DISKS_MAX && strlen(name) < sizeof small_disks.names[0]);
    assert_int_equal(mkdir(cli_path(name), 0755), 0);
    if (mount("tmpfs", cli_path(name), "tmpfs", 0, options) != 0) {
        print_message("skipped: a small file system cannot be mounted here: %s\n", strerror(errno));
        return false;
    }
    strcpy(small_disks.names[small_disks.count++], name);
    return true;
}

// Takes the one that was mounted last, and its folder, away.
static inline void small_disk_unmount(void)
{
    const char *path = cli_path(small_disks.names[--small_disks.count]);
    assert_int_equal(umount(path), 0);
    assert_int_equal(rmdir(path), 0);
}

// Nothing can be written to it any more.
static inline void small_disk_close(const char *name)
{
    assert_int_equal(mount(NULL, cli_path(name), NULL, MS_REMOUNT | MS_RDONLY, NULL), 0);
}

// Fills the file system of a file's folder to the last byte.
static inline void small_disk_fill(const char *file_name)
{
    static char block[1 << 16];
    const int file = open(cli_path(file_name), O_WRONLY | O_CREAT, 0644);
    assert_true(file >= 0);
    for (size_t length = sizeof block; length > 0;) {
        const ssize_t written = write(file, block, length);
        if (written < 0) {
            assert_int_equal(errno, ENOSPC);
            length /= 2;
        }
    }
    close(file);
}

// cmocka tear-down of a test that set up by cli_setup: what was mounted goes first.
static inline int small_disk_tear_down(void **state)
{
    int failed = 0;
    while (small_disks.count > 0)
        failed |= umount(cli_path(small_disks.names[--small_disks.count]));
    return failed != 0 ? -1 : cli_teardown(state);
}

#endif
