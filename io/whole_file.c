// A small text file that appears under its name when it is complete: see whole_file.h.
#include "io/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum status whole_file_begin(struct whole_file *file, const char *path)
{
    file->stream = NULL;
    file->is_named_later = false;
    if (snprintf(file->path, sizeof file->path, "%s", path) >= (int)sizeof file->path)
        return FAIL(STATUS_CANNOT_CREATE, "%.80s...: the path is longer than %d bytes", path, PATH_BYTES - 1);
    snprintf(file->part, sizeof file->part, "%s.part", path);
    CHECK(path_take_part(path, file->part, &file->part_lock));
    const int descriptor = fcntl(file->part_lock, F_DUPFD_CLOEXEC, 0);
    file->stream = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (file->stream)
        return STATUS_OK;
    const enum status status =
        FAIL(STATUS_CANNOT_CREATE, "%s: cannot be created: %s", file->path, strerror(errno));
    if (descriptor >= 0)
        close(descriptor);
    (void)unlink(file->part);
    path_leave_part(file->part_lock);
    return status;
}

enum status whole_file_end(struct whole_file *file, enum status written)
{
    enum status status = written;
    if (status == STATUS_OK && (fflush(file->stream) != 0 || ferror(file->stream)))
        status = FAIL(STATUS_IO, "%s: writing failed: %s", file->part, strerror(errno));
    if (fclose(file->stream) != 0 && status == STATUS_OK)
        status = FAIL(STATUS_IO, "%s: writing failed: %s", file->part, strerror(errno));
    file->stream = NULL;
    if (status == STATUS_OK)
        status =
            file->is_named_later ? path_place(file->part, file->path) : path_publish(file->part, file->path);
    if (status != STATUS_OK)
        (void)unlink(file->part);
    path_leave_part(file->part_lock);
    return status;
}
