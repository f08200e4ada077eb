// Finishing: final files in partial/final/ out of the segments and static files in partial/. Nothing outside
// partial/ changes, and partial/ stays what a resumed run needs. They get their names in publish.c.
#include "core/log.h"
#include "io/output/state.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Gives a finished file a second name, so that the first stays until everything is done.
static enum status link_final(const char *from, const char *to, bool *is_linked)
{
    CHECK(output_remove(to));
    *is_linked = link(from, to) == 0;
    return STATUS_OK;
}

static enum status copy_content(int from, int to, void *buffer, size_t bytes, const char *path)
{
    for (;;) {
        const ssize_t got = read(from, buffer, bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            return STATUS_OK;
        ssize_t done = got > 0 ? 0 : -1;
        while (done >= 0 && done < got) {
            const ssize_t written = write(to, (const char *)buffer + done, (size_t)(got - done));
            if (written < 0 && errno != EINTR)
                done = -1;
            else if (written > 0)
                done += written;
        }
        if (done < 0)
            return FAIL(STATUS_IO, "%s: cannot be copied: %s", path, path_error_text(errno));
    }
}

// A copy, where the file system has no links.
static enum status copy_final(const struct output *output, const char *from, const char *to)
{
    const int source = open(from, O_RDONLY | O_CLOEXEC);
    if (source < 0)
        return FAIL(STATUS_IO, "%s: cannot be opened again: %s", from, strerror(errno));
    const int copy = open(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    enum status status = copy >= 0
                             ? copy_content(source, copy, output->buffer, output->buffer_bytes, to)
                             : FAIL(STATUS_CANNOT_CREATE, "%s: cannot be created: %s", to, strerror(errno));
    if (copy >= 0 && close(copy) != 0 && status == STATUS_OK)
        status = FAIL(STATUS_IO, "%s: cannot be written: %s", to, strerror(errno));
    close(source); // only read from
    return status;
}

// Of a stream that is one file (number −1), or of one of its several.
static enum status final_path(const struct output *output, const char *name, int64_t number,
                              char path[PATH_BYTES])
{
    char suffix[48] = ".nc";
    if (number >= 0)
        snprintf(suffix, sizeof suffix, ".%04lld.nc", (long long)number);
    return output_join_path(path, output->final, name, suffix);
}

static int64_t count_segments(const struct output *output, int s)
{
    char path[PATH_BYTES];
    int64_t count = 0;
    for (int64_t number = -1; output_segment_next(output, s, &number, path);)
        count++;
    return count;
}

// Every segment becomes a final file of its own, numbered without gaps. A file system without links cannot do
// that and keep a resumable state: then the segments are joined after all.
static enum status prepare_separate(struct output *output, int s, int64_t count)
{
    const char *name = output->streams[s].stream->name;
    char from[PATH_BYTES], to[PATH_BYTES];
    int64_t made = 0;
    for (int64_t number = -1; output_segment_next(output, s, &number, from);) {
        bool is_linked = false;
        CHECK(final_path(output, name, count == 1 ? -1 : made, to));
        CHECK(link_final(from, to, &is_linked));
        if (!is_linked) {
            log_detail("%s: cannot be linked (%s): the segments are copied into one file", from,
                       strerror(errno));
            CHECK(final_path(output, name, -1, to));
            return output_join(output, s, to);
        }
        made++;
    }
    if (made != count)
        return FAIL(STATUS_IO, "%s: of %lld segments of stream %s only %lld are found again", output->partial,
                    (long long)count, name, (long long)made);
    return STATUS_OK;
}

// Makes the final file or files of stream `s`.
static enum status prepare_stream(struct output *output, int s)
{
    const struct output_stream *stream = &output->streams[s];
    char path[PATH_BYTES], from[PATH_BYTES];
    CHECK(final_path(output, stream->stream->name, -1, path));
    if (!stream->stream->has_records) {
        bool is_linked = false;
        if (!stream->is_static_written)
            return FAIL(STATUS_SOFTWARE, "stream %s was never written", stream->stream->name);
        CHECK(output_join_path(from, output->partial, stream->stream->name, ".static.nc"));
        CHECK(link_final(from, path, &is_linked));
        return is_linked ? STATUS_OK : copy_final(output, from, path);
    }
    const int64_t segments = count_segments(output, s);
    if (segments == 0 || (segments > 1 && output->request.join))
        return output_join(output, s, path);
    return prepare_separate(output, s, segments);
}

static enum status start_sync(const void *context, const char *path, const char *file)
{
    (void)context;
    (void)file;
    path_start_sync(path);
    return STATUS_OK;
}

static enum status await_sync(const void *context, const char *path, const char *file)
{
    (void)context;
    (void)file;
    return path_sync_file(path);
}

// All of them are on their way to the disk before the first is waited for.
enum status output_prepare(struct output *output)
{
    CHECK(output_check_partial(output->final));
    CHECK(path_make_directory(output->final));
    for (int s = 0; s < output->request.stream_count; s++)
        if (!output->streams[s].stream->is_internal)
            CHECK(prepare_stream(output, s));
    CHECK(output_each_entry(output->final, start_sync, NULL));
    CHECK(output_each_entry(output->final, await_sync, NULL));
    return output->request.has_report ? path_sync_directory(output->partial) : STATUS_OK;
}
