// .fsp: the SRCMOD database's form of finite-source rupture models (Mai & Thingbaijam 2014, Seismol. Res.
// Lett. 85, 1348–1357; equake-rc.info), in which the USGS publishes complete_inversion.fsp. Lines that begin
// with '%' are the header, with values as "NAME = number"; a line of it names the columns; the others are
// patches:
//   % Event : NEAR COAST OF NORTHERN CHILE  1995/07/30 [Hayes (NEIC,2014)]
//   % EventTAG: p000714tHAYES          (of the USGS' present program: 2015-09-16T22:54:32, in UTC)
//   % Loc  : LAT = -23.36  LON = -70.31  DEP = 36.0
//   % Size : LEN = 225 km  WID = 70 km  Mw = 8.15  Mo = 2.19e+21 Nm
//   % Mech : STRK = 6  DIP = 22  RAKE = 87  Htop = 11.51 km
//   % Invs : Nx = 15  Nz = 7 …   % Invs : Dx = 15 km  Dz = 10 km   % Invs : Ntw = 8  Nsg = 2
//   % SEGMENT # 1: STRIKE = 6 deg DIP = 22 deg      (files with several)
//   % LEN = 225 km WID = 70 km      % Nsbfs = 105 subfaults
//   % LAT LON X==EW Y==NS Z SLIP RAKE TRUP RISE SF_MOMENT
// in degrees, km, m, s and N m.
#include "models/tsunami/earthquake/rupture.h"
#include "models/tsunami/earthquake/text.h"

#include "io/utf8.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum column { LATITUDE, LONGITUDE, DEPTH, SLIP, RAKE, START, RISE, MOMENT, COLUMNS };

static const struct {
    const char *name;
    double unit;
} columns[COLUMNS] = {
    [LATITUDE] = {"LAT", 1}, [LONGITUDE] = {"LON", 1}, [DEPTH] = {"Z", 1e3}, [SLIP] = {"SLIP", 1},
    [RAKE] = {"RAKE", 1},    [START] = {"TRUP", 1},    [RISE] = {"RISE", 1}, [MOMENT] = {"SF_MOMENT", 1}};

struct reader {
    struct earthquake_text text;
    struct earthquake_rupture *rupture;
    enum fault_reference reference;
    // Of the whole file; NaN: not stated.
    double strike_deg, dip_deg, rake_deg, length_m, width_m, dx_m, dz_m, nx, nz, segments_stated;
    // Of the present segment; 0: none has begun, in a file with one.
    size_t number;
    double segment_strike_deg, segment_dip_deg, segment_length_m, segment_width_m, patches_stated;
    double segment_dx_m, segment_dz_m; // NaN: those of the file
    bool has_columns;
    size_t column_count;
    int order[EARTHQUAKE_NUMBERS_MAX]; // a column of the list above, or −1: of no use here
};

static void take(const char *line, const char *name, double unit, double *value)
{
    const double number = earthquake_text_value(line, name);
    if (!isnan(number))
        *value = unit * number;
}

// The number of patches whose depth is that of the segment's first one: a row along strike.
static size_t count_along(const struct fault *faults, size_t count)
{
    size_t along = 1;
    while (along < count && fabs(faults[along].depth_m - faults[0].depth_m) <= 1e-6 * faults[0].depth_m + 1)
        along++;
    return along;
}

// Length and width of the segment's patches: Dx and Dz, else the segment's own divided by the number of
// patches.
static enum status set_sizes(struct reader *r, struct fault *faults, size_t count)
{
    double dx_m = isnan(r->segment_dx_m) ? r->dx_m : r->segment_dx_m,
           dz_m = isnan(r->segment_dz_m) ? r->dz_m : r->segment_dz_m;
    const double length_m = r->number > 0 ? r->segment_length_m : r->length_m,
                 width_m = r->number > 0 ? r->segment_width_m : r->width_m;
    if (isnan(dx_m) || isnan(dz_m)) {
        const size_t along = count_along(faults, count);
        dx_m = length_m / (double)along;
        dz_m = width_m / (double)(count / along);
        if (count % along != 0)
            return FAIL(STATUS_DATA,
                        "%s: segment %zu: %zu patches, of which %zu have the first one's depth: no grid",
                        r->text.path, r->rupture->segments + 1, count, along);
    }
    if (!(dx_m > 0 && dz_m > 0 && dx_m <= 2e6 && dz_m <= 1e6))
        return FAIL(STATUS_DATA,
                    "%s: segment %zu: no size of its patches: expected \"Dx =\" and \"Dz =\", or \"LEN =\" "
                    "and \"WID =\", in km",
                    r->text.path, r->rupture->segments + 1);
    const double covered = (double)count * dx_m * dz_m / (length_m * width_m);
    if (fabs(covered - 1) > 0.02)
        return FAIL(STATUS_DATA,
                    "%s: segment %zu: %zu patches of %g km by %g km do not cover %g km by %g km: expected "
                    "the same area",
                    r->text.path, r->rupture->segments + 1, count, 1e-3 * dx_m, 1e-3 * dz_m, 1e-3 * length_m,
                    1e-3 * width_m);
    for (size_t k = 0; k < count; k++) {
        faults[k].length_m = dx_m;
        faults[k].width_m = dz_m;
    }
    return STATUS_OK;
}

static enum status end_segment(struct reader *r)
{
    const size_t first = r->rupture->segment_first, count = r->rupture->faults.count - first;
    const double expected = isnan(r->patches_stated) ? r->nx * r->nz : r->patches_stated;
    if (count == 0 && r->number == 0)
        return STATUS_OK;
    if (!isnan(expected) && (r->number == 0 || !isnan(r->patches_stated)) && (double)count != expected)
        return FAIL(STATUS_DATA, "%s: segment %zu ends after %zu of its %g patches: is the file cut short?",
                    r->text.about, r->rupture->segments + 1, count, expected);
    if (count == 0)
        return FAIL(STATUS_DATA, "%s: segment %zu has no patch: is the file cut short?", r->text.about,
                    r->rupture->segments + 1);
    CHECK(set_sizes(r, r->rupture->faults.faults + first, count));
    const double length_m = r->number > 0 ? r->segment_length_m : r->length_m,
                 along = rint(length_m / r->rupture->faults.faults[first].length_m);
    const struct earthquake_patches patches = earthquake_rupture_patches(r->rupture, first);
    if (along >= 1 && along <= (double)count)
        CHECK(earthquake_patches_check_spacing(&patches, (size_t)along, r->text.path));
    return earthquake_rupture_end_segment(r->rupture, r->text.path);
}

// "SEGMENT # 1: STRIKE = 6 deg DIP = 22 deg"
static enum status begin_segment(struct reader *r, const char *line)
{
    CHECK(end_segment(r));
    char *rest;
    double number[EARTHQUAKE_NUMBERS_MAX] = {0};
    const char *hash = strchr(line, '#');
    char text[16];
    snprintf(text, sizeof text, "%.*s", hash ? (int)strcspn(hash + 1, ":") : 0, hash ? hash + 1 : "");
    if (earthquake_text_numbers(text, number, &rest) != 1 || number[0] != (double)r->rupture->segments + 1)
        return FAIL(STATUS_DATA, "%s: segment \"%s\" where segment %zu should begin: is one missing?",
                    r->text.about, text, r->rupture->segments + 1);
    r->number = r->rupture->segments + 1;
    r->segment_strike_deg = r->strike_deg;
    r->segment_dip_deg = r->dip_deg;
    r->segment_length_m = r->segment_width_m = r->segment_dx_m = r->segment_dz_m = r->patches_stated = NAN;
    take(line, "STRIKE", 1, &r->segment_strike_deg);
    take(line, "DIP", 1, &r->segment_dip_deg);
    return STATUS_OK;
}

// Whether the line names the columns: it has the words LAT, LON and SLIP, and no value.
static bool names_columns(const char *line)
{
    return !strstr(line, " = ") && strcasestr(line, "LAT ") && strcasestr(line, "LON ") &&
           strcasestr(line, "SLIP");
}

static enum status read_columns(struct reader *r, char *line)
{
    bool seen[COLUMNS] = {false};
    char *rest = line + strspn(line, "% \t");
    r->column_count = 0;
    for (char *name; (name = strsep(&rest, " \t"));) {
        if (!*name)
            continue;
        if (r->column_count == EARTHQUAKE_NUMBERS_MAX)
            return FAIL(STATUS_DATA, "%s: more than %d columns", r->text.about, EARTHQUAKE_NUMBERS_MAX);
        int kind = COLUMNS - 1;
        while (kind >= 0 && strcasecmp(name, columns[kind].name) != 0)
            kind--;
        r->order[r->column_count++] = kind;
        if (kind >= 0 && seen[kind])
            return FAIL(STATUS_DATA, "%s: doubled column %s", r->text.about, name);
        if (kind >= 0)
            seen[kind] = true;
    }
    for (int kind = LATITUDE; kind <= SLIP; kind++)
        if (!seen[kind])
            return FAIL(STATUS_DATA, "%s: no column %s: expected LAT, LON, Z and SLIP", r->text.about,
                        columns[kind].name);
    r->has_columns = true;
    return STATUS_OK;
}

// The database's tags are identifiers, and its dates have no time of day.
static enum status read_tag(struct reader *r, const char *line)
{
    char tag[64];
    utf8_copy_line(tag, sizeof tag, strchr(line, ':') + 1);
    const size_t year = strspn(tag, "0123456789");
    const bool is_date =
        year == 4 && strspn(tag + year, "-/") == 1 && strspn(tag + year + 1, "0123456789") > 0;
    return is_date ? earthquake_rupture_take_time(r->rupture, tag, r->text.about) : STATUS_OK;
}

static enum status read_header(struct reader *r, char *line)
{
    char *text = line + strspn(line, "% \t");
    if (earthquake_text_begins(text, "EventTAG:")) {
        return read_tag(r, text);
    } else if (earthquake_text_begins(text, "Event :") || earthquake_text_begins(text, "Evnt :")) {
        utf8_copy_line(r->rupture->title, EARTHQUAKE_NAME_BYTES, strchr(text, ':') + 1);
    } else if (earthquake_text_begins(text, "Loc")) {
        take(text, "LAT", 1, &r->rupture->hypocentre.latitude_deg);
        take(text, "LON", 1, &r->rupture->hypocentre.longitude_deg);
        take(text, "DEP", 1e3, &r->rupture->hypocentre.depth_m);
    } else if (earthquake_text_begins(text, "Size")) {
        take(text, "LEN", 1e3, &r->length_m);
        take(text, "WID", 1e3, &r->width_m);
        take(text, "Mo", 1, &r->rupture->header_moment_n_m);
    } else if (earthquake_text_begins(text, "Mech")) {
        take(text, "STRK", 1, &r->strike_deg);
        take(text, "DIP", 1, &r->dip_deg);
        take(text, "RAKE", 1, &r->rake_deg);
    } else if (earthquake_text_begins(text, "Invs")) {
        take(text, "Nx", 1, &r->nx);
        take(text, "Nz", 1, &r->nz);
        take(text, "Dx", 1e3, &r->dx_m);
        take(text, "Dz", 1e3, &r->dz_m);
        take(text, "Nsg", 1, &r->segments_stated);
    } else if (earthquake_text_begins(text, "SEGMENT #")) {
        return begin_segment(r, text);
    } else if (earthquake_text_begins(text, "Nsbfs")) {
        take(text, "Nsbfs", 1, &r->patches_stated);
    } else if (earthquake_text_begins(text, "LEN =") || earthquake_text_begins(text, "LEN  =")) {
        take(text, "LEN", 1e3, &r->segment_length_m);
        take(text, "WID", 1e3, &r->segment_width_m);
    } else if (earthquake_text_begins(text, "Dx") && r->number > 0) {
        take(text, "Dx", 1e3, &r->segment_dx_m);
        take(text, "Dz", 1e3, &r->segment_dz_m);
    } else if (earthquake_text_begins(text, "Coordinates are given for top")) {
        r->reference = FAULT_TOP_CENTRE;
    } else if (names_columns(text)) {
        return read_columns(r, text);
    }
    return STATUS_OK;
}

static enum status read_row(struct reader *r, char *line)
{
    double numbers[EARTHQUAKE_NUMBERS_MAX], v[COLUMNS];
    char *rest;
    const size_t count = earthquake_text_numbers(line, numbers, &rest);
    if (count != r->column_count || *rest)
        return FAIL(STATUS_DATA, "%s: %zu numbers%s%.20s, expected %zu: one for each column", r->text.about,
                    count, *rest ? ", then " : "", rest, r->column_count);
    for (int k = 0; k < COLUMNS; k++)
        v[k] = k == MOMENT ? NAN : k == RAKE ? r->rake_deg : 0;
    for (size_t k = 0; k < count; k++)
        if (r->order[k] >= 0)
            v[r->order[k]] = columns[r->order[k]].unit * numbers[k];
    const struct fault fault = {.longitude_deg = v[LONGITUDE],
                                .latitude_deg = v[LATITUDE],
                                .depth_m = v[DEPTH],
                                .length_m = 1, // set_sizes
                                .width_m = 1,
                                .strike_deg = r->number > 0 ? r->segment_strike_deg : r->strike_deg,
                                .dip_deg = r->number > 0 ? r->segment_dip_deg : r->dip_deg,
                                .rake_deg = v[RAKE],
                                .slip_m = v[SLIP],
                                .start_s = v[START],
                                .rise_s = v[RISE],
                                .reference = r->reference};
    return earthquake_rupture_add(r->rupture, &fault, v[MOMENT], r->text.number, r->text.about);
}

static enum status read_all(struct reader *r)
{
    for (char *line; (line = earthquake_text_line(&r->text));) {
        if (earthquake_text_is_blank(line))
            continue;
        if (*earthquake_text_skip(line) == '%')
            CHECK(read_header(r, line));
        else if (r->has_columns) // the database's headers have lines without '%', too
            CHECK(read_row(r, line));
    }
    if (!r->has_columns)
        return FAIL(STATUS_DATA,
                    "%s: no line names the columns: expected \"%% LAT LON X==EW Y==NS Z SLIP ...\"",
                    r->text.path);
    CHECK(end_segment(r));
    if (!isnan(r->segments_stated) && (double)r->rupture->segments != r->segments_stated)
        return FAIL(STATUS_DATA, "%s: the file ends after %zu of its %g segments (Nsg): is it cut short?",
                    r->text.about, r->rupture->segments, r->segments_stated);
    return STATUS_OK;
}

enum status earthquake_fsp_read(const char *path, char *content, struct earthquake_rupture *rupture)
{
    struct reader reader = {.rupture = rupture,
                            .reference = FAULT_CENTRE,
                            .strike_deg = NAN,
                            .dip_deg = NAN,
                            .rake_deg = NAN,
                            .length_m = NAN,
                            .width_m = NAN,
                            .dx_m = NAN,
                            .dz_m = NAN,
                            .nx = NAN,
                            .nz = NAN,
                            .segments_stated = NAN,
                            .patches_stated = NAN,
                            .segment_dx_m = NAN,
                            .segment_dz_m = NAN};
    earthquake_rupture_begin(rupture);
    earthquake_text_begin(&reader.text, path, content);
    return earthquake_rupture_finish(rupture, path, read_all(&reader));
}
