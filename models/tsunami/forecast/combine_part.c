// A part of the sources' fields: the nodes round a box, and the records round a span of time (see combine.h).
#include "models/tsunami/forecast/combine_private.h"

#include <math.h>
#include <string.h>

// The entries of an ascending axis that enclose from … to: *first, and their number. False: they do not.
static bool enclose(const double *axis, size_t length, double from, double to, size_t *first, size_t *count)
{
    if (!(from <= to) || from < axis[0] || to > axis[length - 1])
        return false;
    size_t low = 0, high = length - 1;
    while (low + 1 < length && axis[low + 1] <= from)
        low++;
    while (high > 0 && axis[high - 1] >= to)
        high--;
    if (low == high && high + 1 < length) // one node alone is no field
        high++;
    else if (low == high)
        low--;
    *first = low;
    *count = high + 1 - low;
    return true;
}

static void keep_part(double *axis, size_t *length, size_t first, size_t count)
{
    memmove(axis, axis + first, count * sizeof *axis);
    *length = count;
}

static enum status cut_longitudes(struct combine *c, struct combine_part *part)
{
    const double *box = c->request->longitudes, *axis = c->longitudes;
    const double middle = 0.5 * (axis[0] + axis[c->columns - 1]),
                 east = box[1] < box[0] ? box[1] + 360 : box[1]; // across the antimeridian
    const double turn = 360 * nearbyint((middle - 0.5 * (box[0] + east)) / 360);
    size_t count;
    if (!enclose(axis, c->columns, box[0] + turn, east + turn, &part->column, &count))
        return FAIL(STATUS_DATA,
                    "--longitude %g,%g: %g to %g degrees east is not within %g to %g, the "
                    "longitudes of %s",
                    box[0], box[1], box[0], east, axis[0], axis[c->columns - 1], c->first_path);
    keep_part(c->longitudes, &c->columns, part->column, count);
    return STATUS_OK;
}

static enum status cut_latitudes(struct combine *c, struct combine_part *part)
{
    const double *box = c->request->latitudes;
    size_t count;
    if (!enclose(c->latitudes, c->rows, box[0], box[1], &part->row, &count))
        return FAIL(STATUS_DATA, "--latitude %g,%g: not within %g to %g, the latitudes of %s", box[0], box[1],
                    c->latitudes[0], c->latitudes[c->rows - 1], c->first_path);
    keep_part(c->latitudes, &c->rows, part->row, count);
    return STATUS_OK;
}

static enum status cut_times(struct combine *c, struct combine_part *part)
{
    const double *span = c->request->times_s;
    size_t count;
    if (!enclose(c->times_s, c->records, span[0], span[1], &part->record, &count))
        return FAIL(STATUS_DATA, "--times %g s,%g s: not within %g to %g s, the records of %s", span[0],
                    span[1], c->times_s[0], c->times_s[c->records - 1], c->first_path);
    keep_part(c->times_s, &c->records, part->record, count);
    return STATUS_OK;
}

enum status combine_cut(struct combine *c)
{
    struct combine_part *part = &c->part;
    const struct combine_request *request = c->request;
    *part = (struct combine_part){.all_records = c->records, .all_rows = c->rows, .all_columns = c->columns};
    if (c->records == 0 && (request->has_longitudes || request->has_latitudes || request->has_times))
        return FAIL(
            STATUS_DATA,
            "--longitude, --latitude and --times choose a part of the fields, and the unit sources have "
            "none in common");
    if (request->has_longitudes)
        CHECK(cut_longitudes(c, part));
    if (request->has_latitudes)
        CHECK(cut_latitudes(c, part));
    return request->has_times ? cut_times(c, part) : STATUS_OK;
}
