// Names and positions of places (see the header).
#include "io/place.h"

#include "io/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum status place_check(const char *about, bool is_geographic, double x, double y)
{
    if (!isfinite(x) || !isfinite(y))
        return FAIL(STATUS_DATA, "%s: the position (%g, %g) is not finite", about, x, y);
    if (is_geographic && fabs(y) > 90)
        return FAIL(STATUS_DATA, "%s: latitude %g is beyond 90 degrees%s", about, y,
                    fabs(x) <= 90 ? ": are longitude and latitude exchanged?" : "");
    if (is_geographic && fabs(x) > 360)
        return FAIL(STATUS_DATA, "%s: longitude %g is beyond 360 degrees", about, x);
    return STATUS_OK;
}

enum status place_set_name(const char *about, const char *text, char name[PLACE_NAME_BYTES])
{
    size_t length = 0;
    while (text[length]) {
        const size_t bytes = utf8_length(text + length);
        if (bytes == 0)
            return FAIL(STATUS_DATA, "%s: the name is not UTF-8 text", about);
        if ((unsigned char)text[length] < ' ' || text[length] == 0x7f)
            return FAIL(STATUS_DATA, "%s: the name has a control character", about);
        length += bytes;
    }
    if (length == 0)
        return FAIL(STATUS_DATA, "%s: the name is empty", about);
    if (length >= PLACE_NAME_BYTES)
        return FAIL(STATUS_DATA, "%s: the name has %zu bytes, at most %d are allowed", about, length,
                    PLACE_NAME_BYTES - 1);
    memcpy(name, text, length + 1);
    return STATUS_OK;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

enum status place_check_names(const char *path, const void *records, size_t count, size_t record_bytes,
                              size_t same[2])
{
    const char **names = malloc((count + 1) * sizeof *names);
    if (!names)
        return FAIL(STATUS_SYSTEM, "no memory for %zu names", count);
    for (size_t k = 0; k < count; k++)
        names[k] = (const char *)records + k * record_bytes;
    qsort(names, count, sizeof *names, compare_names);
    enum status status = STATUS_OK;
    for (size_t k = 1; k < count && status == STATUS_OK; k++)
        if (strcmp(names[k - 1], names[k]) == 0) {
            const bool is_ordered = names[k - 1] < names[k];
            const char *first = names[is_ordered ? k - 1 : k], *second = names[is_ordered ? k : k - 1];
            if (same) {
                same[0] = (size_t)(first - (const char *)records) / record_bytes;
                same[1] = (size_t)(second - (const char *)records) / record_bytes;
            }
            status = FAIL(STATUS_DATA, "%s: the name \"%s\" appears twice", path, names[k]);
        }
    free(names);
    return status;
}
