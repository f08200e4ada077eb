// Lists of places as tables (see points_file.h). A first pass over the text counts what its columns hold:
// signs, letters, commas; the second reads the places.
#include "io/points_csv.h"

#include "io/csv_rows.h"
#include "io/degrees.h"
#include "io/units.h"
#include "io/utf8.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { UNIT_BYTES = 32, HEADING_BYTES = 64 };

enum column { COLUMN_NAME, COLUMN_X, COLUMN_Y, COLUMNS };

// What the cells of a column are.
struct tally {
    size_t filled;
    size_t north_south, south, east_west, west, east_or_west; // the last: O, Ost or Oeste
    size_t negative, lettered, commas, points;                // of coordinates
    // The first lines with a minus sign, with a letter, and with a number without one that is not 0.
    size_t negative_line, lettered_line, plain_line;
};

struct csv {
    struct csv_rows rows;
    bool is_geographic;
    size_t heading_count;
    char headings[CSV_FIELDS_MAX][HEADING_BYTES];
    struct tally tallies[CSV_FIELDS_MAX];
    struct {
        bool is_there, has_hemisphere;
        size_t field, hemisphere;
        double slope, offset; // to degrees or metres
    } columns[COLUMNS];
    bool has_decimal_commas;
};

// "longitude (degrees)": the name before the unit; *unit: "" without one.
static void split_unit(char *field, char unit[UNIT_BYTES])
{
    char *open = strpbrk(field, "([");
    unit[0] = '\0';
    if (!open)
        return;
    snprintf(unit, UNIT_BYTES, "%.*s", (int)strcspn(open + 1, ")]"), open + 1);
    *open = '\0';
    csv_rows_trim(&field);
}

// Which of the columns a name means; COLUMNS: another. *is_degrees: of a position.
static enum column column_of(const char *name, bool *is_degrees)
{
    static const struct {
        const char *name;
        enum column column;
        bool is_degrees;
    } names[] = {{"name", COLUMN_NAME, false}, {"longitude", COLUMN_X, true}, {"lon", COLUMN_X, true},
                 {"long", COLUMN_X, true},     {"latitude", COLUMN_Y, true},  {"lat", COLUMN_Y, true},
                 {"x", COLUMN_X, false},       {"y", COLUMN_Y, false}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcasecmp(name, names[k].name) == 0) {
            *is_degrees = names[k].is_degrees;
            return names[k].column;
        }
    return COLUMNS;
}

static const char *column_name(enum column column, bool is_geographic)
{
    static const char *const names[COLUMNS][2] = {{"name", "name"}, {"x", "longitude"}, {"y", "latitude"}};
    return names[column][is_geographic];
}

static enum status read_heading(struct csv *csv)
{
    bool has_other[COLUMNS] = {false}; // of the other kind of grid
    csv->heading_count = csv->rows.field_count;
    for (size_t k = 0; k < csv->rows.field_count; k++) {
        char unit[UNIT_BYTES];
        bool is_degrees;
        split_unit(csv->rows.fields[k], unit);
        utf8_copy(csv->headings[k], HEADING_BYTES, csv->rows.fields[k]);
        const enum column column = column_of(csv->rows.fields[k], &is_degrees);
        if (column == COLUMNS)
            continue;
        if (column != COLUMN_NAME && is_degrees != csv->is_geographic) {
            has_other[column] = true;
            continue;
        }
        if (csv->columns[column].is_there)
            return FAIL(STATUS_DATA, "%s: the column %s appears twice", csv->rows.about,
                        column_name(column, csv->is_geographic));
        csv->columns[column].is_there = true;
        csv->columns[column].field = k;
        csv->columns[column].slope = 1;
        csv->columns[column].offset = 0;
        if (column != COLUMN_NAME && unit[0])
            CHECK_ABOUT(units_conversion(unit, csv->is_geographic ? "degree" : "m",
                                         &csv->columns[column].slope, &csv->columns[column].offset),
                        "%s: column %s", csv->rows.about, csv->rows.fields[k]);
    }
    for (enum column c = COLUMN_X; c < COLUMNS; c++)
        if (!csv->columns[c].is_there && has_other[c])
            return FAIL(STATUS_DATA, "%s: the columns are %s, but the grid is %s: expected %s",
                        csv->rows.about, csv->is_geographic ? "x and y in metres" : "degrees",
                        csv->is_geographic ? "in longitude and latitude" : "a plane in metres",
                        csv->is_geographic ? "longitude, latitude" : "x, y");
    for (enum column c = COLUMN_NAME; c < COLUMNS; c++)
        if (!csv->columns[c].is_there)
            return FAIL(STATUS_DATA,
                        "%s: no column %s: the first line must name the columns name, %s, with commas, "
                        "semicolons or tabs between them",
                        csv->rows.about, column_name(c, csv->is_geographic),
                        csv->is_geographic ? "longitude, latitude" : "x, y");
    return STATUS_OK;
}

// ---- what the columns hold

static void set_first(size_t *line, bool is_one, size_t here)
{
    if (is_one && *line == 0)
        *line = here;
}

static void tally_coordinate(const char *field, size_t line, struct tally *tally)
{
    struct degrees d;
    char text[64];
    snprintf(text, sizeof text, "%s", field);
    char *comma = strchr(text, ',');
    if (comma)
        *comma = '.';
    const bool is_read = degrees_read(text, &d),
               is_negative = field[0] == '-' || strncmp(field, "\xE2\x88\x92", 3) == 0;
    tally->commas += strchr(field, ',') != NULL;
    tally->points += strchr(field, '.') || (strchr(field, ',') != strrchr(field, ','));
    tally->negative += is_negative;
    tally->lettered += is_read && d.hemisphere;
    set_first(&tally->negative_line, is_negative, line);
    set_first(&tally->lettered_line, is_read && d.hemisphere, line);
    set_first(&tally->plain_line, is_read && !d.hemisphere && d.value != 0, line);
}

static void tally_row(struct csv *csv)
{
    for (size_t k = 0; k < csv->rows.field_count && k < csv->heading_count; k++) {
        struct tally *tally = &csv->tallies[k];
        const char *field = csv->rows.fields[k], letter = degrees_hemisphere(field);
        tally->filled += field[0] != '\0';
        tally->north_south += letter == 'N' || letter == 'S';
        tally->south += letter == 'S';
        tally->east_west += letter == 'E' || letter == 'W';
        tally->west += letter == 'W';
        tally->east_or_west += strcasecmp(field, "O") == 0;
        if (k == csv->columns[COLUMN_X].field || k == csv->columns[COLUMN_Y].field)
            tally_coordinate(field, csv->rows.line, tally);
    }
}

// Which coordinate the letters of a column belong to, by its cells or by its heading; COLUMNS: none.
static enum column axis_of_cells(const struct tally *tally)
{
    if (tally->filled == 0)
        return COLUMNS;
    return tally->north_south == tally->filled                       ? COLUMN_Y
           : tally->east_west + tally->east_or_west == tally->filled ? COLUMN_X
                                                                     : COLUMNS;
}

static bool is_hemisphere_heading(const char *heading)
{
    static const char *const endings[] = {"ns", "ew", "we", "hem", "hemi", "hemisphere"};
    static const char *const beginnings[] = {"", "lat", "latitude", "lon", "long", "longitude"};
    char word[HEADING_BYTES];
    size_t length = 0;
    for (const char *c = heading; *c; c++)
        if (isalpha((unsigned char)*c))
            word[length++] = *c;
    word[length] = '\0';
    for (size_t b = 0; b < sizeof beginnings / sizeof *beginnings; b++)
        for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
            const size_t before = strlen(beginnings[b]);
            if (strncasecmp(word, beginnings[b], before) == 0 && strcasecmp(word + before, endings[e]) == 0)
                return true;
        }
    return strcasecmp(word, "hemispherens") == 0 || strcasecmp(word, "hemisphereew") == 0;
}

static bool is_beside(const struct csv *csv, size_t k, enum column axis)
{
    const size_t field = csv->columns[axis].field;
    return k == field + 1 || k + 1 == field;
}

// Whether the letters would change a place: a coordinate with signs, or with letters of its own, has no need
// of them.
static bool would_turn(const struct csv *csv, size_t k, enum column axis)
{
    const struct tally *letters = &csv->tallies[k], *numbers = &csv->tallies[csv->columns[axis].field];
    return (axis == COLUMN_Y ? letters->south : letters->west + letters->east_or_west) > 0 &&
           numbers->negative == 0 && numbers->lettered == 0;
}

// A column of letters with another heading counts only if there is one beside each of the coordinates: a
// lone "W" may as well name a coast or a region.
static bool has_both_letters(const struct csv *csv)
{
    bool has[COLUMNS] = {false};
    for (size_t k = 0; k < csv->heading_count; k++) {
        const enum column axis = axis_of_cells(&csv->tallies[k]);
        if (axis != COLUMNS && is_beside(csv, k, axis))
            has[axis] = true;
    }
    return has[COLUMN_X] && has[COLUMN_Y];
}

static enum status take_hemisphere(struct csv *csv, size_t k)
{
    const bool is_named = is_hemisphere_heading(csv->headings[k]);
    const struct tally *tally = &csv->tallies[k];
    const enum column axis = axis_of_cells(tally);
    if (tally->filled == 0 || (!is_named && axis == COLUMNS))
        return STATUS_OK;
    if (axis == COLUMNS)
        return FAIL(
            STATUS_DATA,
            "%s: the column %s has cells that are not hemispheres: N or S alone, or E or W, is expected",
            csv->rows.path, csv->headings[k]);
    const bool is_told = is_named || (has_both_letters(csv) && is_beside(csv, k, axis));
    if (!is_told && !would_turn(csv, k, axis))
        return STATUS_OK;
    if (!is_told)
        return FAIL(STATUS_DATA,
                    "%s: the column %s holds %s and %s has no signs: if they are its hemispheres, name the "
                    "column %s; if not, write words",
                    csv->rows.path, csv->headings[k], axis == COLUMN_Y ? "N and S" : "E and W",
                    column_name(axis, true), axis == COLUMN_Y ? "ns" : "ew");
    if (tally->east_or_west > 0)
        return FAIL(STATUS_DATA, "%s: the column %s has O, which is east or west: write E or W",
                    csv->rows.path, csv->headings[k]);
    if (csv->columns[axis].has_hemisphere)
        return FAIL(STATUS_DATA, "%s: the columns %s and %s are both hemispheres of %s", csv->rows.path,
                    csv->headings[csv->columns[axis].hemisphere], csv->headings[k], column_name(axis, true));
    csv->columns[axis].has_hemisphere = true;
    csv->columns[axis].hemisphere = k;
    return STATUS_OK;
}

// Decimal commas: between semicolons or tabs, and in no coordinate beside a point or another comma.
static void find_decimals(struct csv *csv)
{
    const struct tally *x = &csv->tallies[csv->columns[COLUMN_X].field],
                       *y = &csv->tallies[csv->columns[COLUMN_Y].field];
    csv->has_decimal_commas = csv->is_geographic && csv->rows.separator != ',' && x->commas + y->commas > 0 &&
                              x->points + y->points == 0;
}

// A number without a letter in a column of letters may be north or south: 13.83 beside 18.1S.
static enum status check_letters(const struct csv *csv)
{
    for (enum column c = COLUMN_X; c < COLUMNS && csv->is_geographic; c++) {
        const struct tally *tally = &csv->tallies[csv->columns[c].field];
        if (csv->columns[c].has_hemisphere || tally->lettered_line == 0 || tally->plain_line == 0)
            continue;
        const bool is_negative = tally->negative_line > 0;
        return FAIL(
            STATUS_DATA,
            "%s: line %zu: the column %s is mixed: %s here, a letter in line %zu: expected letters (%s) or "
            "signs in all lines",
            csv->rows.path, is_negative ? tally->negative_line : tally->plain_line, column_name(c, true),
            is_negative ? "a minus sign" : "neither letter nor sign", tally->lettered_line,
            c == COLUMN_Y ? "N, S" : "E, W");
    }
    return STATUS_OK;
}

static enum status survey(struct csv *csv)
{
    for (bool is_there = true; is_there;) {
        CHECK(csv_rows_next(&csv->rows, &is_there));
        if (is_there)
            tally_row(csv);
    }
    find_decimals(csv);
    for (size_t k = 0; csv->is_geographic && k < csv->heading_count; k++) {
        bool is_known = false;
        for (enum column c = COLUMN_NAME; c < COLUMNS; c++)
            is_known = is_known || csv->columns[c].field == k;
        if (!is_known)
            CHECK(take_hemisphere(csv, k));
    }
    return check_letters(csv);
}

// ---- rows

static enum status fail_coordinate(const struct csv *csv, enum column column, const char *field)
{
    const char *name = column_name(column, csv->is_geographic);
    if (!csv->is_geographic || strchr(field, ','))
        return FAIL(STATUS_DATA, "%s: %s is \"%.40s\", expected a number%s", csv->rows.about, name, field,
                    strchr(field, ',') ? " with a point before its decimals" : "");
    return FAIL(STATUS_DATA,
                "%s: %s is \"%.40s\", expected a number of degrees, %s, or degrees, minutes and a letter, %s",
                csv->rows.about, name, field, column == COLUMN_X ? "-155.06 or 155.06W" : "-12.06 or 12.06S",
                column == COLUMN_X ? "155 03.6 W" : "12 03.6 S");
}

// Sets the sign by the hemisphere. A sign beside a letter must agree with it, and in a column with signs
// every letter must.
static enum status turn(const struct csv *csv, enum column column, char letter, double *value)
{
    const char *field = csv->rows.fields[csv->columns[column].field], *name = column_name(column, true);
    const bool is_behind = letter == 'S' || letter == 'W', is_y = letter == 'N' || letter == 'S';
    if (is_y != (column == COLUMN_Y))
        return FAIL(STATUS_DATA, "%s: %s is \"%.40s\", which is a %s: are the columns exchanged?",
                    csv->rows.about, name, field, is_y ? "latitude" : "longitude");
    const struct tally *tally = &csv->tallies[csv->columns[column].field];
    if (*value >= 0 && is_behind && tally->negative > 0)
        return FAIL(
            STATUS_DATA,
            "%s: %s is \"%.40s\" with %c, but line %zu has a minus sign: the column is mixed, expected "
            "letters or signs in all lines",
            csv->rows.about, name, field, letter, tally->negative_line);
    if (*value < 0 && !is_behind)
        return FAIL(STATUS_DATA,
                    "%s: %s is \"%.40s\" with %c: its sign and its hemisphere contradict each other",
                    csv->rows.about, name, field, letter);
    *value = is_behind ? -fabs(*value) : *value;
    return STATUS_OK;
}

static enum status hemisphere_of(const struct csv *csv, enum column column, char own, char *letter)
{
    const size_t k = csv->columns[column].hemisphere;
    *letter = own;
    if (!csv->columns[column].has_hemisphere)
        return STATUS_OK;
    const char given = k < csv->rows.field_count ? degrees_hemisphere(csv->rows.fields[k]) : '\0';
    if (!given)
        return FAIL(STATUS_DATA, "%s: nothing stands in the column %s, the hemisphere of %s", csv->rows.about,
                    csv->headings[k], column_name(column, true));
    if (own && own != given)
        return FAIL(STATUS_DATA, "%s: %s has %c, and its column %s %c", csv->rows.about,
                    column_name(column, true), own, csv->headings[k], given);
    *letter = given;
    return STATUS_OK;
}

static enum status read_coordinate(const struct csv *csv, enum column column, double *value)
{
    char *field = csv->rows.fields[csv->columns[column].field], *end, letter = '\0';
    char *comma = csv->has_decimal_commas ? strchr(field, ',') : NULL;
    struct degrees d = {.parts = 1};
    if (comma)
        *comma = '.';
    *value = strtod(field, &end); // which reads 0x10, too
    if (end == field || *end || field[strspn(field, "+-.0123456789eE")] || !isfinite(*value)) {
        if (!csv->is_geographic || !degrees_read(field, &d))
            return fail_coordinate(csv, column, field);
        *value = d.value;
    }
    if (d.parts > 1 && (csv->columns[column].slope != 1 || csv->columns[column].offset != 0))
        return FAIL(STATUS_DATA, "%s: %s is \"%.40s\", but its column is not in degrees", csv->rows.about,
                    column_name(column, true), field);
    *value = csv->columns[column].slope * *value + csv->columns[column].offset;
    if (d.hemisphere && d.is_signed)
        return FAIL(STATUS_DATA, "%s: %s is \"%.40s\", with a sign and a letter: write one of them",
                    csv->rows.about, column_name(column, true), field);
    CHECK(hemisphere_of(csv, column, d.hemisphere, &letter));
    return letter ? turn(csv, column, letter, value) : STATUS_OK;
}

static enum status read_row(const struct csv *csv, struct points_csv_row *point)
{
    if (csv->rows.field_count > csv->heading_count)
        return FAIL(STATUS_DATA, "%s: has %zu fields, but the heading has %zu%s", csv->rows.about,
                    csv->rows.field_count, csv->heading_count,
                    csv->rows.separator == ','
                        ? ": decimals need a point, and a field with a comma quotation marks"
                        : "");
    for (enum column c = COLUMN_NAME; c < COLUMNS; c++)
        if (csv->columns[c].field >= csv->rows.field_count)
            return FAIL(STATUS_DATA, "%s: has %zu fields, and none in the column %s", csv->rows.about,
                        csv->rows.field_count, column_name(c, csv->is_geographic));
    point->line = csv->rows.line;
    CHECK(place_set_name(csv->rows.about, csv->rows.fields[csv->columns[COLUMN_NAME].field], point->name));
    CHECK(read_coordinate(csv, COLUMN_X, &point->x));
    CHECK(read_coordinate(csv, COLUMN_Y, &point->y));
    return place_check(csv->rows.about, csv->is_geographic, point->x, point->y);
}

// Up to the line of names.
static enum status begin(struct csv *csv, char *text)
{
    csv->rows.next = text;
    csv->rows.line = 0;
    char *line = csv_rows_next_line(&csv->rows);
    if (!line)
        return FAIL(STATUS_DATA, "%s: is empty: expected a line of column names, then points",
                    csv->rows.path);
    csv->rows.separator = csv_rows_separator(line);
    CHECK(csv_rows_split(&csv->rows, line));
    return read_heading(csv);
}

static enum status read_places(struct csv *csv, points_csv_take *take_row, void *context)
{
    size_t count = 0;
    for (bool is_there = true; is_there;) {
        struct points_csv_row point;
        CHECK(csv_rows_next(&csv->rows, &is_there));
        if (!is_there)
            break;
        CHECK(read_row(csv, &point));
        CHECK(take_row(context, &point));
        count++;
    }
    return count > 0 ? STATUS_OK : FAIL(STATUS_DATA, "%s: has column names, but no points", csv->rows.path);
}

static enum status read_twice(struct csv *csv, char *text, char *copy, points_csv_take *take_row,
                              void *context)
{
    CHECK(begin(csv, copy));
    CHECK(survey(csv));
    csv->rows.next = text;
    csv->rows.line = 0;
    CHECK(csv_rows_split(&csv->rows, csv_rows_next_line(&csv->rows))); // the line of names once more
    return read_places(csv, take_row, context);
}

enum status points_csv_read(const char *path, char *text, bool is_geographic, points_csv_take *take_row,
                            void *context)
{
    CHECK(csv_rows_check(path, text));
    struct csv *csv = calloc(1, sizeof *csv);
    char *copy = strdup(text);
    enum status status = csv && copy ? STATUS_OK : FAIL(STATUS_SYSTEM, "%s: no memory to read it", path);
    if (status == STATUS_OK) {
        csv->rows.path = path;
        csv->is_geographic = is_geographic;
        status = read_twice(csv, text, copy, take_row, context);
    }
    free(csv);
    free(copy);
    return status;
}
