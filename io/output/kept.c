// What an unfinished run left in partial/, compared with what its checkpoint needs: segments of earlier
// parts, and static streams. Changes nothing. Independent of models.
#include "io/output/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NAMES_BYTES = 512, GAPS_NAMED_MAX = 3 };

// The numbers that are left out before `end`, as file names: "fields.0001.nc or fields.0004.nc to
// fields.0006.nc"; "" without gaps. A number is also left out where no record came between two
// checkpoints, so not each of them need be a loss.
static void name_gaps(const struct output *output, int s, int64_t end, char names[NAMES_BYTES])
{
    const char *name = output->streams[s].stream->name;
    char path[PATH_BYTES];
    size_t used = 0;
    int gaps = 0;
    names[0] = '\0';
    for (int64_t before = -1; before < end;) {
        int64_t number = before;
        if (!output_segment_next(output, s, &number, path))
            number = end;
        if (number > before + 1 && gaps++ < GAPS_NAMED_MAX && used < NAMES_BYTES) {
            used += (size_t)snprintf(names + used, NAMES_BYTES - used, "%s%s.%04lld.nc",
                                     used > 0 ? " or " : "", name, (long long)before + 1);
            if (number > before + 2 && used < NAMES_BYTES)
                used += (size_t)snprintf(names + used, NAMES_BYTES - used, " to %s.%04lld.nc", name,
                                         (long long)number - 1);
        }
        before = number;
    }
}

static enum status fail_records(const struct output *output, int s, int64_t expected)
{
    const struct output_stream *stream = &output->streams[s];
    char names[NAMES_BYTES];
    name_gaps(output, s, output->segment + 1, names);
    if (stream->records > expected || !names[0])
        return FAIL(STATUS_DATA,
                    "%s: the segments of stream %s hold %lld records, expected %lld: one was changed",
                    output->partial, stream->stream->name, (long long)stream->records, (long long)expected);
    return FAIL(STATUS_DATA, "%s: the segments of stream %s hold %lld records, expected %lld: %s is missing",
                output->partial, stream->stream->name, (long long)stream->records, (long long)expected,
                names);
}

static enum status check_segments(struct output *output, int s, int64_t expected)
{
    struct output_stream *stream = &output->streams[s];
    char path[PATH_BYTES];
    for (int64_t number = -1; output_segment_next(output, s, &number, path);) {
        size_t records;
        double ends_s[2];
        CHECK(output_segment_inquire(stream->stream, path, &records, ends_s));
        if (records == 0)
            continue;
        if (!(ends_s[0] > stream->last_time_s))
            return FAIL(STATUS_DATA, "%s: its first record, of %.17g s, does not come after %.17g s", path,
                        ends_s[0], stream->last_time_s);
        stream->records += (int64_t)records;
        stream->last_time_s = ends_s[1];
        stream->is_last_found = true;
    }
    return stream->records == expected ? STATUS_OK : fail_records(output, s, expected);
}

static enum status check_static(struct output *output, int s, int64_t expected)
{
    struct output_stream *stream = &output->streams[s];
    char path[PATH_BYTES];
    CHECK(output_join_path(path, output->partial, stream->stream->name, ".static.nc"));
    stream->is_static_written = output_exists(path);
    if (expected > 0 && !stream->is_static_written)
        return FAIL(STATUS_DATA, "%s: is missing", path);
    if (expected == 0)
        return STATUS_OK; // written again
    CHECK(output_file_sum(path, &stream->static_sum));
    if (expected > 1 && stream->static_sum != expected)
        return FAIL(STATUS_DATA, "%s: is damaged: it is not the file that the run wrote", path);
    return STATUS_OK;
}

enum status output_file_sum(const char *path, int64_t *sum)
{
    uint64_t hash;
    CHECK(path_hash(path, &hash));
    *sum = (int64_t)(hash >> 1) | 2; // 0 and 1 have another meaning
    return STATUS_OK;
}

static enum status check_all(struct output *output, const struct checkpoint_header *header)
{
    for (int s = 0; s < output->request.stream_count; s++) {
        const struct stream *stream = output->streams[s].stream;
        if (stream->is_internal)
            output->streams[s].records = header->records[s];
        else if (stream->has_records)
            CHECK(check_segments(output, s, header->records[s]));
        else
            CHECK(check_static(output, s, header->records[s]));
    }
    return STATUS_OK;
}

enum status output_kept_check(struct output *output, const struct checkpoint_header *header,
                              const char *checkpoint)
{
    if (header->segment < 0 || header->segment > OUTPUT_SEGMENT_MAX)
        return FAIL(STATUS_DATA, "%s: the checkpoint's next segment is %lld", checkpoint,
                    (long long)header->segment);
    output->segment = header->segment - 1; // the last that belongs to it
    const enum status status = check_all(output, header);
    return status == STATUS_OK ? STATUS_OK : status_prefix(status, "%s cannot be resumed", checkpoint);
}

enum status output_kept_inspect(const struct output_request *request, const struct checkpoint_header *header,
                                const char *checkpoint)
{
    struct output *output = calloc(1, sizeof *output);
    if (!output)
        return FAIL(STATUS_SYSTEM, "out of memory while checking the earlier leg of the run");
    output->request = *request;
    for (int s = 0; s < request->stream_count; s++) {
        output->streams[s].stream = request->streams[s];
        output->streams[s].last_time_s = -INFINITY;
    }
    enum status status = output_join_path(output->partial, request->directory, "partial", "");
    if (status == STATUS_OK)
        status = output_kept_check(output, header, checkpoint);
    free(output);
    return status;
}
