// Finding input files, output directories, durable renames, free space and checksums. Independent of the
// content of files.
#ifndef FATHOM_IO_PATH_H
#define FATHOM_IO_PATH_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PATH_BYTES = 4096 };

// Finds an input file: absolute as it is; else in `directory` (the job's folder; NULL = the current one),
// in each folder of the colon-separated environment variable FATHOM_DATA, in the program's own data (of a
// program in P/bin: P/share/fathom, then the share/fathom of the configured prefix; of one in its build
// folder: the source tree's data, then that of the prefix), and where Debian's ferret-datasets lays its
// files (/usr/share/ferret-vis/data). The first folder that has the name decides. Not found →
// STATUS_NO_INPUT, naming the folders searched (and, for etopo*.cdf, the package to install); a folder, not
// readable, or with a `directory` a pipe (a job's inputs are opened several times) → STATUS_NO_INPUT.
enum status path_find(const char *name, const char *directory, char found[PATH_BYTES]);

// Whether a path or name ends with `end`, ".nc".
bool path_ends_with(const char *path, const char *end);

// Creates a directory and its parents, if they do not exist. STATUS_CANNOT_CREATE: it cannot be created, is
// not a directory, or is not writable.
enum status path_make_directory(const char *path);

// Whether it could, without creating anything. Statuses and messages of path_make_directory.
enum status path_check_directory(const char *path);

// Locks a directory until the descriptor is closed or the process ends in any way; leaves no file behind.
// Waits up to `wait_s` seconds, because a killed process may take some time to end; if the directory is still
// in use then, fails with STATUS_CANNOT_CREATE. On a file system without locks *descriptor is −1, and there
// is no protection.
enum status path_lock_directory(const char *path, double wait_s, int *descriptor);

// The same among many that share it: only path_lock_directory of another has to wait for them. Does not wait.
enum status path_share_directory(const char *path, int *descriptor);

// Makes the new, empty file `part`, in which `path` is written until it is complete. Until
// path_leave_part no other process that calls this takes the name: it waits. What a
// killed process left there is replaced, and so is a link. On a file system without locks it does not wait.
// STATUS_CANNOT_CREATE; STATUS_IO: a full disk. The messages name `path`, or `part` if it cannot be removed.
enum status path_take_part(const char *path, const char *part, int *descriptor);
// Leaves the name to others and closes the descriptor. Once `part` has been renamed or removed.
void path_leave_part(int descriptor);

// Makes a finished file appear under its final name, all or nothing, also through a loss of power: fsync of
// the file, rename(from, to), fsync of the directory. Replaces an existing file. STATUS_IO on failure; `from`
// is then still there.
enum status path_publish(const char *from, const char *to);

// The same without the directory: the file is whole whenever the name is there, but the name lasts only once
// path_sync_directory has been called.
enum status path_place(const char *from, const char *to);

// Starts to write a file's content to the disk and does not wait, so that several files are on their way
// together before path_sync_file waits for each. Where the system cannot do it, nothing happens.
void path_start_sync(const char *path);

// Calls fsync for a file's content, before files that it replaces are removed. STATUS_IO.
enum status path_sync_file(const char *path);
// Calls fsync for a directory, so that removals from it are on disk before anything else happens. STATUS_IO.
enum status path_sync_directory(const char *path);

// Removes a file and calls fsync for its directory, so that the file does not come back after a loss of
// power. A missing file is fine. STATUS_IO.
enum status path_remove(const char *path);

// The folder that holds `path`, whose last slashes do not count. STATUS_IO: it is empty or too long.
enum status path_parent(const char *path, char parent[PATH_BYTES]);

// Finds the bytes free for this user on the file system that holds `path` (or its nearest existing parent).
// STATUS_SYSTEM.
enum status path_free_bytes(const char *path, uint64_t *bytes);

// STATUS_NO_INPUT if the path names a pipe, a socket or a device, on whose other end opening or reading may
// wait for ever. A missing file and a folder pass: opening them says what is wrong.
enum status path_check_file(const char *path);

// Computes XXH3-64 of the file's content, streamed (as `xxhsum -H3`), without allocation. STATUS_NO_INPUT or
// STATUS_IO.
enum status path_hash(const char *path, uint64_t *hash);

// Returns the text of an errno; a full disk is always "no space left on device".
const char *path_error_text(int error);

// What a file that cannot be opened for reading is, by errno: STATUS_SYSTEM where the process or the machine
// has no more files or memory, else STATUS_NO_INPUT.
enum status path_open_status(int error);

#endif
