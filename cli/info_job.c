// The line of a job in `fathom info` (see the header).
#include "cli/info_job.h"

#include "io/utf8.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_value(const char *key, const char *text)
{
    int blocks = 0;
    for (const char *part = key; *part; blocks++) {
        const size_t length = strcspn(part, ".");
        printf("%s\"%.*s\": ", blocks > 0 ? "{" : "", (int)length, part);
        part += length + (part[length] == '.');
    }
    fputs(text, stdout);
    while (--blocks > 0)
        putchar('}');
}

enum status info_job_print(const char *key, cJSON *value)
{
    char *text = utf8_print_json_line(value);
    cJSON_Delete(value);
    if (!text)
        return FAIL(STATUS_SYSTEM, "no memory for the lines of a job");
    fputs("in a job   ", stdout);
    if (key)
        print_value(key, text);
    else
        printf("%.*s", (int)strlen(text) - 2, text + 1);
    putchar('\n');
    free(text);
    return STATUS_OK;
}
