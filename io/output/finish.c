// Finishing: final files out of the segments and static files in partial/, then their names in the result
// directory. Until all final files are there nothing outside partial/ changes, and partial/ stays what a
// resumed run needs.
#include "core/log.h"
#include "io/output/state.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
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

static enum status final_path(char path[PATH_BYTES], const char *directory, const char *name,
                              const char *kind, int64_t number)
{
    char suffix[48];
    if (number >= 0)
        snprintf(suffix, sizeof suffix, "%s.%04lld.nc", kind, (long long)number);
    else
        snprintf(suffix, sizeof suffix, "%s.nc", kind);
    return output_join_path(path, directory, name, suffix);
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
static enum status prepare_separate(struct output *output, int s, int64_t *count)
{
    const char *name = output->streams[s].stream->name;
    char from[PATH_BYTES], to[PATH_BYTES];
    int64_t made = 0;
    bool is_single = *count == 1;
    for (int64_t number = -1; output_segment_next(output, s, &number, from);) {
        bool is_linked = false;
        CHECK(final_path(to, output->partial, name, ".final", is_single ? -1 : made));
        CHECK(link_final(from, to, &is_linked));
        if (!is_linked) {
            log_detail("%s: cannot be linked (%s): the segments are copied into one file", from,
                       strerror(errno));
            CHECK(final_path(to, output->partial, name, ".final", -1));
            *count = 1;
            return output_join(output, s, to);
        }
        made++;
    }
    if (made != *count)
        return FAIL(STATUS_IO, "%s: of %lld segments of stream %s only %lld are found again", output->partial,
                    (long long)*count, name, (long long)made);
    return STATUS_OK;
}

// Makes the final file or files of stream `s` in partial/; `count`: how many.
static enum status prepare_stream(struct output *output, int s, int64_t *count)
{
    const struct output_stream *stream = &output->streams[s];
    char path[PATH_BYTES], from[PATH_BYTES];
    CHECK(final_path(path, output->partial, stream->stream->name, ".final", -1));
    *count = 1;
    if (!stream->stream->has_records) {
        bool is_linked = false;
        if (!stream->is_static_written)
            return FAIL(STATUS_SOFTWARE, "stream %s was never written", stream->stream->name);
        CHECK(output_join_path(from, output->partial, stream->stream->name, ".static.nc"));
        CHECK(link_final(from, path, &is_linked));
        return is_linked ? STATUS_OK : copy_final(output, from, path);
    }
    int64_t segments = count_segments(output, s);
    if (segments == 0 || (segments > 1 && output->request.join))
        return output_join(output, s, path);
    *count = segments;
    return prepare_separate(output, s, count);
}

struct segments {
    const char *name; // of the stream
    int64_t count;    // of its files now
};

static bool is_stale(const void *context, const char *file)
{
    const struct segments *segments = context;
    const int64_t number = output_number_in(file, segments->name);
    return number >= 0 && (segments->count == 1 || number >= segments->count);
}

// Removes files of an earlier run that would otherwise look like segments of this one.
static enum status remove_stale(const struct output *output, int s, int64_t count)
{
    const struct segments segments = {output->streams[s].stream->name, count};
    char path[PATH_BYTES];
    if (count > 1) {
        CHECK(final_path(path, output->directory, segments.name, "", -1));
        CHECK(output_remove(path));
    }
    return output_remove_entries(output->directory, is_stale, &segments);
}

// What publishing does with a final file: all of them are on their way to the disk before the first is waited
// for, and all are there before the first gets its name.
enum stage { START_SYNC, SYNC, RENAME };

static enum status publish_file(enum stage stage, const char *from, const char *to)
{
    if (stage == START_SYNC) {
        path_start_sync(from);
        return STATUS_OK;
    }
    if (stage == SYNC)
        return path_sync_file(from);
    return rename(from, to) == 0
               ? STATUS_OK
               : FAIL(STATUS_IO, "%s cannot be renamed to %s: %s", from, to, strerror(errno));
}

static enum status publish_stream(const struct output *output, int s, int64_t count, enum stage stage)
{
    const char *name = output->streams[s].stream->name;
    for (int64_t i = 0; i < count; i++) {
        char from[PATH_BYTES], to[PATH_BYTES];
        CHECK(final_path(from, output->partial, name, ".final", count > 1 ? i : -1));
        CHECK(final_path(to, output->directory, name, "", count > 1 ? i : -1));
        CHECK(publish_file(stage, from, to));
    }
    return STATUS_OK;
}

static enum status publish_all(const struct output *output, const int64_t counts[RUN_STREAMS_MAX],
                               enum stage stage)
{
    for (int s = 0; s < output->request.stream_count; s++)
        if (!output->streams[s].stream->is_internal)
            CHECK(publish_stream(output, s, counts[s], stage));
    return STATUS_OK;
}

// A report must not describe results of another run.
static enum status remove_report(const struct output *output)
{
    char path[PATH_BYTES];
    if (!output->request.report)
        return STATUS_OK;
    CHECK(output_join_path(path, output->directory, output->request.report, ""));
    return output_exists(path) ? path_remove(path) : STATUS_OK;
}

static bool is_written(const struct output *output, const char *file)
{
    const size_t length = strlen(file);
    for (int s = 0; s < output->request.stream_count; s++) {
        const struct stream *stream = output->streams[s].stream;
        if (!stream->is_internal && strlen(stream->name) + 3 == length &&
            strncmp(stream->name, file, length - 3) == 0)
            return true;
    }
    return false;
}

// A plain file of that name, which is what a run writes; anything else is left alone.
static enum status remove_plain(const char *path, bool *is_removed)
{
    struct stat about;
    *is_removed = lstat(path, &about) == 0 && S_ISREG(about.st_mode);
    if (*is_removed && unlink(path) != 0)
        return FAIL(STATUS_IO, "%s: of an earlier run; cannot be removed: %s", path, strerror(errno));
    return STATUS_OK;
}

// NAME.nc, or its segments NAME.0000.nc, NAME.0001.nc, ...
static enum status remove_earlier_file(const struct output *output, const char *file)
{
    char path[PATH_BYTES], name[PATH_BYTES];
    bool is_removed;
    snprintf(name, sizeof name, "%.*s", (int)strlen(file) - 3, file);
    CHECK(final_path(path, output->directory, name, "", -1));
    CHECK(remove_plain(path, &is_removed));
    int64_t segments = 0;
    for (bool is_segment = !is_removed; is_segment; segments += is_segment) {
        CHECK(final_path(path, output->directory, name, "", segments));
        CHECK(remove_plain(path, &is_segment));
    }
    if (is_removed || segments > 0)
        log_info("%s/%s, of an earlier run, is removed: this run does not write it", output->directory, file);
    return STATUS_OK;
}

// What was made of results that are about to be replaced.
static enum status remove_earlier_product(const struct output *output, const char *file)
{
    static const char *const suffixes[] = {"", ".part"};
    char path[PATH_BYTES];
    bool is_removed;
    for (size_t k = 0; k < sizeof suffixes / sizeof *suffixes; k++) {
        CHECK(output_join_path(path, output->directory, file, suffixes[k]));
        CHECK(remove_plain(path, &is_removed));
    }
    return STATUS_OK;
}

// Before the earlier run's report, which is what names them: a run that is killed in between finds them
// again.
static enum status remove_earlier(const struct output *output)
{
    bool has_any = output->request.earlier_product_count > 0;
    for (int k = 0; k < output->request.earlier_product_count; k++)
        if (!strchr(output->request.earlier_products[k], '/'))
            CHECK(remove_earlier_product(output, output->request.earlier_products[k]));
    for (int k = 0; k < output->request.earlier_file_count; k++) {
        const char *file = output->request.earlier_files[k];
        if (strlen(file) <= 3 || strchr(file, '/') || is_written(output, file))
            continue;
        CHECK(remove_earlier_file(output, file));
        has_any = true;
    }
    return has_any ? path_sync_directory(output->directory) : STATUS_OK;
}

enum status output_publish(struct output *output)
{
    int64_t counts[RUN_STREAMS_MAX] = {0};
    for (int s = 0; s < output->request.stream_count; s++)
        if (!output->streams[s].stream->is_internal)
            CHECK(prepare_stream(output, s, &counts[s]));
    CHECK(publish_all(output, counts, START_SYNC));
    CHECK(publish_all(output, counts, SYNC));
    CHECK(remove_earlier(output));
    CHECK(remove_report(output));
    CHECK(publish_all(output, counts, RENAME));
    CHECK(path_sync_directory(output->directory));
    for (int s = 0; s < output->request.stream_count; s++)
        if (!output->streams[s].stream->is_internal)
            CHECK(remove_stale(output, s, counts[s]));
    return STATUS_OK;
}
