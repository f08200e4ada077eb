// Formats by content; the suffix does not count.
#include "models/tsunami/earthquake/recognise.h"
#include "io/path.h"
#include "models/tsunami/earthquake/text.h"

#include "io/json_file.h"
#include "io/utf8.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { HEAD_BYTES = 32 << 10 };

static const char *const names[] = {
    [EARTHQUAKE_NONE] = "unknown",
    [EARTHQUAKE_TABLE] = "fault table",
    [EARTHQUAKE_PARAM] = "USGS .param, finite fault",
    [EARTHQUAKE_FSP] = "SRCMOD .fsp, finite fault",
    [EARTHQUAKE_FFM] = "USGS FFM.geojson, finite fault",
    [EARTHQUAKE_CSV] = "CSV table of subfaults",
    [EARTHQUAKE_CMTSOLUTION] = "CMTSOLUTION, moment tensor",
    [EARTHQUAKE_NDK] = "ndk, moment tensors",
    [EARTHQUAKE_QUAKEML] = "QuakeML, moment tensor",
    [EARTHQUAKE_EVENT_JSON] = "USGS event GeoJSON, moment tensor",
};

const char *earthquake_format_name(enum earthquake_format format)
{
    return names[format];
}

bool earthquake_format_is_rupture(enum earthquake_format format)
{
    return format >= EARTHQUAKE_TABLE && format <= EARTHQUAKE_CSV;
}

bool earthquake_format_is_event(enum earthquake_format format)
{
    return format >= EARTHQUAKE_CMTSOLUTION;
}

static enum earthquake_format recognise_json(const char *head)
{
    if (strstr(head, "\"fathom_faults\""))
        return EARTHQUAKE_TABLE;
    const bool has_features = strstr(head, "\"features\"") != NULL;
    if (has_features && strstr(head, "\"slip\"") && strstr(head, "\"rake\""))
        return EARTHQUAKE_FFM;
    if (!has_features && strstr(head, "\"properties\"") && strstr(head, "\"mag\""))
        return EARTHQUAKE_EVENT_JSON;
    return EARTHQUAKE_NONE;
}

// The third line of an ndk solution.
static bool is_ndk(const char *head)
{
    for (int k = 0; k < 2; k++) {
        head = strchr(head, '\n');
        if (!head)
            return false;
        head++;
    }
    return strncmp(head, "CENTROID:", 9) == 0;
}

// The first line that is no comment is a line of names, two of which only faults have.
static bool is_csv(const char *head)
{
    while (*head == '#' || *head == '\n' || *head == '\r') {
        head = strchr(head, '\n');
        if (!head)
            return false;
        head++;
    }
    char line[1024];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(head, "\r\n"), head);
    static const char *const words[] = {"strike", "dip", "rake", "slip"};
    int found = 0;
    for (int k = 0; k < 4; k++)
        found += strcasestr(line, words[k]) != NULL;
    return strchr(line, ',') && found >= 2;
}

enum earthquake_format earthquake_recognise(const char *head)
{
    if (strncmp(head, "\xef\xbb\xbf", 3) == 0)
        head += 3;
    const char *start = head + strspn(head, " \t\r\n");
    if (*start == '{')
        return recognise_json(head);
    if (*start == '<')
        return strcasestr(head, "quakeml") ? EARTHQUAKE_QUAKEML : EARTHQUAKE_NONE;
    if (*start == '%')
        return strstr(head, "FINITE-SOURCE") || strstr(head, "EventTAG") ? EARTHQUAKE_FSP : EARTHQUAKE_NONE;
    if (*start == '#' && strcasestr(head, "fault_segment"))
        return EARTHQUAKE_PARAM;
    if (strstr(head, "event name:") && strstr(head, "Mrr:"))
        return EARTHQUAKE_CMTSOLUTION;
    if (is_ndk(head))
        return EARTHQUAKE_NDK;
    return is_csv(head) ? EARTHQUAKE_CSV : EARTHQUAKE_NONE;
}

enum status earthquake_recognise_file(const char *path, enum earthquake_format *format)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return FAIL(path_open_status(errno), "%s: %s", path, strerror(errno));
    char *head = calloc(1, HEAD_BYTES + 1);
    *format = EARTHQUAKE_NONE;
    if (head) {
        const size_t count = fread(head, 1, HEAD_BYTES, file);
        if (strnlen(head, HEAD_BYTES) == count) // a text
            *format = earthquake_recognise(head);
    }
    const bool is_utf16 = head && utf8_is_utf16(head, 2);
    fclose(file);
    free(head);
    if (is_utf16)
        return FAIL(STATUS_DATA,
                    "%s: is text in UTF-16, expected UTF-8: iconv -f UTF-16 -t UTF-8 converts it", path);
    return head ? STATUS_OK : FAIL(STATUS_SYSTEM, "%s: no memory", path);
}

// A file of nothing has no format to be named in a message.
static enum status check_empty(const char *path, enum earthquake_format format)
{
    struct stat information;
    if (format == EARTHQUAKE_NONE && stat(path, &information) == 0 && S_ISREG(information.st_mode) &&
        information.st_size == 0)
        return FAIL(STATUS_DATA, "%s: the file is empty: a moment tensor or a finite fault is expected",
                    path);
    return STATUS_OK;
}

// A fault table as a rupture.
static enum status read_table(const char *path, struct earthquake_rupture *rupture)
{
    earthquake_rupture_begin(rupture);
    CHECK(fault_table_read(path, &rupture->faults));
    rupture->segments = rupture->faults.count;
    return STATUS_OK;
}

enum status earthquake_read_rupture(const char *path, const char *reference,
                                    struct earthquake_rupture *rupture, enum earthquake_format *format)
{
    *rupture = (struct earthquake_rupture){0};
    CHECK(earthquake_recognise_file(path, format));
    CHECK(check_empty(path, *format));
    if (earthquake_format_is_event(*format))
        return FAIL(STATUS_DATA, "%s: %s, not a finite fault: give it as source.earthquake.file", path,
                    earthquake_format_name(*format));
    if (reference && *format != EARTHQUAKE_CSV)
        return FAIL(STATUS_DATA,
                    "%s: source.faults_reference is for CSV tables; this file (%s) defines its own", path,
                    earthquake_format_name(*format));
    if (*format == EARTHQUAKE_TABLE || *format == EARTHQUAKE_NONE) {
        const enum status status = read_table(path, rupture);
        return status == STATUS_OK || *format == EARTHQUAKE_TABLE
                   ? status
                   : status_append(status, "and it is no finite fault as .param, .fsp, FFM.geojson or CSV");
    }
    char *content;
    size_t length;
    CHECK(text_file_read(path, EARTHQUAKE_BYTES_MAX, &content, &length));
    enum status status;
    if (*format == EARTHQUAKE_PARAM)
        status = earthquake_param_read(path, content, rupture);
    else if (*format == EARTHQUAKE_FSP)
        status = earthquake_fsp_read(path, content, rupture);
    else if (*format == EARTHQUAKE_FFM)
        status = earthquake_ffm_read(path, content, rupture);
    else
        status = earthquake_csv_read(path, content, reference, rupture);
    free(content);
    return status;
}

enum status earthquake_read_event(const char *path, const char *wanted, struct earthquake_event *event,
                                  enum earthquake_format *format)
{
    *event = (struct earthquake_event){0};
    CHECK(earthquake_recognise_file(path, format));
    if (earthquake_format_is_rupture(*format))
        return FAIL(STATUS_DATA, "%s: %s, not a moment tensor: give it as source.faults", path,
                    earthquake_format_name(*format));
    CHECK(check_empty(path, *format));
    if (*format == EARTHQUAKE_NONE)
        return FAIL(
            STATUS_DATA,
            "%s: expected a moment tensor: CMTSOLUTION, ndk, QuakeML or the USGS' GeoJSON of one event",
            path);
    char *content;
    size_t length;
    CHECK(text_file_read(path, EARTHQUAKE_BYTES_MAX, &content, &length));
    enum status status;
    if (*format == EARTHQUAKE_CMTSOLUTION)
        status = earthquake_cmtsolution_read(path, content, wanted, event);
    else if (*format == EARTHQUAKE_NDK)
        status = earthquake_ndk_read(path, content, wanted, event);
    else if (*format == EARTHQUAKE_QUAKEML)
        status = earthquake_quakeml_read(path, content, wanted, event);
    else
        status = earthquake_event_json_read(path, content, wanted, event);
    free(content);
    return status;
}
