// The USGS' basic_inversion.param (Ji et al. 2002, Bull. Seismol. Soc. Am. 92, 1192–1207, is the inversion),
// and UCSB's tables of the same form:
//   #Total number of fault_segments=     2
//   #Fault_segment =   1 nx(Along-strike)=  15 Dx= 15.00km ny(downdip)=   7 Dy= 10.00km
//   #Boundary of Fault_segment     1. EQ in cell 12,2. Lon: -70.3100   Lat: -23.3600
//   #Lon.  Lat.  Depth                 five corners, the first one again at the end
//   #Lat. Lon. depth slip rake strike dip t_rup t_ris t_fal mo     nx·ny rows
// in degrees, km, cm, s and dyne cm. UCSB has the rigidity (dyn/cm²) in place of the moment. Position and
// depth are those of the patch's centre ("the centroid location of each subfault", UCSB's note in these
// files). The rise ends after t_ris + t_fal.
#include "models/tsunami/earthquake/rupture.h"
#include "models/tsunami/earthquake/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum column {
    LATITUDE,
    LONGITUDE,
    DEPTH,
    SLIP,
    RAKE,
    STRIKE,
    DIP,
    START,
    RISE,
    FALL,
    MOMENT,
    RIGIDITY,
    COLUMNS
};

// What a column's name begins with, in lower case, and its unit in SI.
static const struct {
    const char *names[2];
    double unit;
    bool is_required;
} columns[COLUMNS] = {
    [LATITUDE] = {{"lat", NULL}, 1, true},
    [LONGITUDE] = {{"lon", NULL}, 1, true},
    [DEPTH] = {{"depth", NULL}, 1e3, true},
    [SLIP] = {{"slip", NULL}, 1e-2, true},
    [RAKE] = {{"rake", NULL}, 1, true},
    [STRIKE] = {{"strike", NULL}, 1, true},
    [DIP] = {{"dip", NULL}, 1, true},
    [START] = {{"t_rup", "rupture_initial_time"}, 1, false},
    [RISE] = {{"t_ris", "rise_time_starting"}, 1, false},
    [FALL] = {{"t_fal", "rise_time_ending"}, 1, false},
    [MOMENT] = {{"mo", NULL}, 1e-7, false},
    [RIGIDITY] = {{"rigidity", NULL}, 0.1, false},
};

struct reader {
    struct earthquake_text text;
    struct earthquake_rupture *rupture;
    double segments_stated, nx, ny, dx_m, dy_m; // of the present segment
    size_t rows, row_count;                     // of the present segment: read, expected
    bool is_in_boundary, has_columns;
    size_t column_count;
    enum column order[EARTHQUAKE_NUMBERS_MAX];
};

static bool is_count(double value)
{
    return value >= 1 && value <= 1e6 && value == floor(value);
}

// Ends the present segment, which must have all of its rows.
static enum status end_segment(struct reader *r)
{
    if (r->rows != r->row_count)
        return FAIL(STATUS_DATA, "%s: segment %zu ends after %zu of its %zu patches (nx %g times ny %g)",
                    r->text.about, r->rupture->segments + 1, r->rows, r->row_count, r->nx, r->ny);
    if (r->row_count > 0) {
        const struct earthquake_patches patches =
            earthquake_rupture_patches(r->rupture, r->rupture->segment_first);
        CHECK(earthquake_patches_check_spacing(&patches, (size_t)r->nx, r->text.path));
    }
    return earthquake_rupture_end_segment(r->rupture, r->text.path);
}

static enum status begin_segment(struct reader *r, const char *line)
{
    CHECK(end_segment(r));
    const double number = earthquake_text_value(line, "Fault_segment");
    r->nx = earthquake_text_value(line, "nx(Along-strike)");
    r->ny = earthquake_text_value(line, "ny(downdip)");
    r->dx_m = 1e3 * earthquake_text_value(line, "Dx");
    r->dy_m = 1e3 * earthquake_text_value(line, "Dy");
    if (number != (double)r->rupture->segments + 1)
        return FAIL(STATUS_DATA, "%s: segment %g where segment %zu should begin: is one missing?",
                    r->text.about, number, r->rupture->segments + 1);
    if (!is_count(r->nx) || !is_count(r->ny) || !(r->dx_m > 0) || !(r->dy_m > 0) || !(r->nx * r->ny <= 1e6))
        return FAIL(STATUS_DATA,
                    "%s: expected nx(Along-strike), Dx, ny(downdip) and Dy of the segment, numbers above 0",
                    r->text.about);
    r->row_count = (size_t)(r->nx * r->ny);
    r->rows = 0;
    r->has_columns = r->is_in_boundary = false;
    return STATUS_OK;
}

// "#Lat. Lon. depth slip rake …": which number is what.
static enum status read_columns(struct reader *r, char *line)
{
    bool seen[COLUMNS] = {false};
    char *rest = line + strspn(line, "# \t");
    r->column_count = 0;
    for (char *name; (name = strsep(&rest, " \t"));) {
        if (!*name)
            continue;
        int kind = 0;
        for (; kind < COLUMNS; kind++)
            if (strncasecmp(name, columns[kind].names[0], strlen(columns[kind].names[0])) == 0 ||
                (columns[kind].names[1] && strcasestr(name, columns[kind].names[1]) == name))
                break;
        if (kind == COLUMNS || seen[kind] || r->column_count == EARTHQUAKE_NUMBERS_MAX)
            return FAIL(STATUS_DATA, "%s: %s column \"%.30s\"", r->text.about,
                        kind == COLUMNS ? "unknown" : "doubled", name);
        seen[kind] = true;
        r->order[r->column_count++] = (enum column)kind;
    }
    for (int kind = 0; kind < COLUMNS; kind++)
        if (columns[kind].is_required && !seen[kind])
            return FAIL(STATUS_DATA, "%s: no column %s", r->text.about, columns[kind].names[0]);
    r->has_columns = true;
    return STATUS_OK;
}

static enum status read_row(struct reader *r, char *line)
{
    double numbers[EARTHQUAKE_NUMBERS_MAX], v[COLUMNS];
    char *rest;
    if (r->rows == r->row_count)
        return FAIL(STATUS_DATA, "%s: a patch beyond the %zu of the segment (nx %g times ny %g)",
                    r->text.about, r->row_count, r->nx, r->ny);
    const size_t count = earthquake_text_numbers(line, numbers, &rest);
    if (count != r->column_count || *rest)
        return FAIL(STATUS_DATA, "%s: %zu numbers%s%.20s, expected %zu: one for each column", r->text.about,
                    count, *rest ? ", then " : "", rest, r->column_count);
    for (int k = 0; k < COLUMNS; k++)
        v[k] = k == MOMENT || k == RIGIDITY ? NAN : 0;
    for (size_t k = 0; k < count; k++)
        v[r->order[k]] = columns[r->order[k]].unit * numbers[k];
    const struct fault fault = {.longitude_deg = v[LONGITUDE],
                                .latitude_deg = v[LATITUDE],
                                .depth_m = v[DEPTH],
                                .length_m = r->dx_m,
                                .width_m = r->dy_m,
                                .strike_deg = v[STRIKE],
                                .dip_deg = v[DIP],
                                .rake_deg = v[RAKE],
                                .slip_m = v[SLIP],
                                .start_s = v[START],
                                .rise_s = v[RISE] + v[FALL],
                                .reference = FAULT_CENTRE};
    const double moment_n_m =
        isnan(v[MOMENT]) ? v[RIGIDITY] * fault.length_m * fault.width_m * fabs(fault.slip_m) : v[MOMENT];
    r->rows++;
    return earthquake_rupture_add(r->rupture, &fault, moment_n_m, r->text.number, r->text.about);
}

static enum status read_comment(struct reader *r, char *line)
{
    const char *text = line + strspn(line, "#+ \t");
    if (earthquake_text_begins(text, "Total number of fault_segments")) {
        r->segments_stated = earthquake_text_value(text, "fault_segments");
        if (!is_count(r->segments_stated))
            return FAIL(STATUS_DATA, "%s: expected a number of segments", r->text.about);
    } else if (earthquake_text_begins(text, "Fault_segment")) {
        CHECK(begin_segment(r, text));
    } else if (earthquake_text_begins(text, "Boundary")) {
        r->rupture->hypocentre.longitude_deg = earthquake_text_value(text, "Lon");
        r->rupture->hypocentre.latitude_deg = earthquake_text_value(text, "Lat");
    } else if (earthquake_text_begins(text, "Lon")) {
        r->is_in_boundary = true;
    } else if (earthquake_text_begins(text, "Lat")) {
        r->is_in_boundary = false;
        CHECK(read_columns(r, line));
    }
    return STATUS_OK;
}

static enum status read_all(struct reader *r)
{
    for (char *line; (line = earthquake_text_line(&r->text));) {
        if (earthquake_text_is_blank(line))
            continue;
        if (*earthquake_text_skip(line) == '#')
            CHECK(read_comment(r, line));
        else if (r->has_columns)
            CHECK(read_row(r, line));
        else if (!r->is_in_boundary)
            return FAIL(STATUS_DATA,
                        "%s: \"%.30s\" before the columns of a segment, \"#Lat. Lon. depth slip …\"",
                        r->text.about, line);
    }
    CHECK(end_segment(r));
    if ((double)r->rupture->segments != r->segments_stated)
        return FAIL(STATUS_DATA, "%s: the file ends after %zu of its %g segments: is it cut short?",
                    r->text.about, r->rupture->segments, r->segments_stated);
    return STATUS_OK;
}

enum status earthquake_param_read(const char *path, char *content, struct earthquake_rupture *rupture)
{
    struct reader reader = {.rupture = rupture, .segments_stated = NAN};
    earthquake_rupture_begin(rupture);
    earthquake_text_begin(&reader.text, path, content);
    return earthquake_rupture_finish(rupture, path, read_all(&reader));
}
