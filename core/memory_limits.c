// How much memory the process can still have (see the header).
#include "core/memory_limits.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PATH_BYTES_MAX = 4096, LINE_BYTES_MAX = 8192 };

// A mounted hierarchy of control groups.
struct hierarchy {
    const char *root;                 // of the file system, in a test
    char mount[PATH_BYTES_MAX];       // "/sys/fs/cgroup"
    char mount_group[PATH_BYTES_MAX]; // the group at the mount point, usually "/"
    char group[PATH_BYTES_MAX];       // of the process
};

// ---- files

static FILE *open_file(const char *root, const char *path)
{
    char whole[2 * PATH_BYTES_MAX];
    return snprintf(whole, sizeof whole, "%s%s", root, path) < (int)sizeof whole ? fopen(whole, "re") : NULL;
}

// No limit: "max", or in version 1 a number beyond any machine's memory.
static size_t read_number(const char *root, const char *path)
{
    FILE *file = open_file(root, path);
    unsigned long long number = UINT64_MAX;
    if (!file)
        return SIZE_MAX;
    if (fscanf(file, "%llu", &number) != 1 || number >= UINT64_C(1) << 60)
        number = SIZE_MAX;
    fclose(file);
    return (size_t)number;
}

// The sum of the values of some keys in a file of lines "key value"; absent ones count as 0.
static size_t sum_of_keys(const char *root, const char *path, const char *const *keys, size_t count)
{
    FILE *file = open_file(root, path);
    char key[128];
    unsigned long long value, sum = 0;
    if (!file)
        return 0;
    while (fscanf(file, "%127s %llu", key, &value) == 2)
        for (size_t k = 0; k < count; k++)
            sum += strcmp(key, keys[k]) == 0 ? value : 0;
    fclose(file);
    return (size_t)sum;
}

// ---- control groups

// "\040" for a blank, as mountinfo writes it.
static void unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from; to++) {
        unsigned code;
        if (from[0] == '\\' && sscanf(from + 1, "%3o", &code) == 1) {
            *to = (char)code;
            from += 4;
        } else {
            *to = *from++;
        }
    }
    *to = '\0';
}

// Whether a list of words with commas between holds a word.
static bool has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (; *list; list += strcspn(list, ",") + (list[strcspn(list, ",")] == ','))
        if (strcspn(list, ",\n") == length && strncmp(list, word, length) == 0)
            return true;
    return false;
}

// Where a hierarchy is mounted: type "cgroup2", or "cgroup" with the controller memory.
static bool find_mount(struct hierarchy *h, bool is_v2)
{
    FILE *file = open_file(h->root, "/proc/self/mountinfo");
    char line[LINE_BYTES_MAX], type[64], options[LINE_BYTES_MAX];
    bool is_found = false;
    while (file && !is_found && fgets(line, sizeof line, file)) {
        const char *behind = strstr(line, " - ");
        if (!behind || sscanf(behind, " - %63s %*s %8191s", type, options) != 2 ||
            sscanf(line, "%*s %*s %*s %4095s %4095s", h->mount_group, h->mount) != 2)
            continue;
        is_found =
            is_v2 ? strcmp(type, "cgroup2") == 0 : strcmp(type, "cgroup") == 0 && has_word(options, "memory");
    }
    if (file)
        fclose(file);
    unescape(h->mount);
    unescape(h->mount_group);
    return is_found;
}

// The process's group: "0::/a/b" in version 2, "4:memory:/a/b" in version 1.
static bool find_group(struct hierarchy *h, bool is_v2)
{
    FILE *file = open_file(h->root, "/proc/self/cgroup");
    char line[LINE_BYTES_MAX];
    bool is_found = false;
    while (file && !is_found && fgets(line, sizeof line, file)) {
        char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path)
            continue;
        *path++ = '\0';
        path[strcspn(path, "\n")] = '\0';
        is_found = is_v2 ? strcmp(line, "0:") == 0 : has_word(controllers + 1, "memory");
        if (is_found)
            snprintf(h->group, sizeof h->group, "%.4095s", path);
    }
    if (file)
        fclose(file);
    return is_found;
}

__attribute__((format(printf, 3, 0))) static void keep_tightest(struct memory_limit *tightest,
                                                                size_t available, const char *format,
                                                                const char *path)
{
    if (available >= tightest->available)
        return;
    tightest->available = available;
    snprintf(tightest->name, sizeof tightest->name, format, path);
}

// Memory that one limit of the group in `directory` leaves.
static void read_limit(const struct hierarchy *h, const char *directory, const char *limit_file,
                       const char *usage_file, struct memory_limit *tightest)
{
    static const char *const cached[] = {"inactive_file", "active_file"}, *const total[] = {
                                                                              "total_inactive_file",
                                                                              "total_active_file"};
    char limit[PATH_BYTES_MAX + 64], usage[PATH_BYTES_MAX + 64], statistics[PATH_BYTES_MAX + 64];
    snprintf(limit, sizeof limit, "%s/%s", directory, limit_file);
    snprintf(usage, sizeof usage, "%s/%s", directory, usage_file);
    snprintf(statistics, sizeof statistics, "%s/memory.stat", directory);
    const size_t most = read_number(h->root, limit), all = read_number(h->root, usage);
    if (most == SIZE_MAX || all == SIZE_MAX)
        return;
    // Version 1 counts the groups below under names of their own.
    const size_t of_groups = sum_of_keys(h->root, statistics, total, 2),
                 files = of_groups > 0 ? of_groups : sum_of_keys(h->root, statistics, cached, 2);
    const size_t used = all > files ? all - files : 0;
    keep_tightest(tightest, most > used ? most - used : 0, "what the control group's limit in %.900s leaves",
                  limit);
}

// From the process's group up to the mount point.
static void read_groups(const char *root, bool is_v2, struct memory_limit *tightest)
{
    struct hierarchy h = {.root = root};
    char directory[2 * PATH_BYTES_MAX];
    if (!find_mount(&h, is_v2) || !find_group(&h, is_v2))
        return;
    // In a container the group's path may begin above what is mounted, or be hidden.
    const size_t above = strcmp(h.mount_group, "/") == 0 ? 0 : strlen(h.mount_group);
    const bool is_below = strncmp(h.group, h.mount_group, above) == 0 && !strstr(h.group, "..");
    snprintf(directory, sizeof directory, "%s%s", h.mount, is_below ? h.group + above : "");
    size_t length = strlen(directory);
    while (length > 1 && directory[length - 1] == '/')
        directory[--length] = '\0';
    for (; length >= strlen(h.mount) && length < PATH_BYTES_MAX; directory[length] = '\0') {
        if (is_v2) {
            read_limit(&h, directory, "memory.max", "memory.current", tightest);
            read_limit(&h, directory, "memory.high", "memory.current", tightest);
        } else {
            read_limit(&h, directory, "memory.limit_in_bytes", "memory.usage_in_bytes", tightest);
        }
        const char *slash = strrchr(directory, '/');
        if (!slash || slash == directory)
            return;
        length = (size_t)(slash - directory);
    }
}

// ---- the process

static size_t pages_of(const char *root, int field)
{
    FILE *file = open_file(root, "/proc/self/statm");
    unsigned long long pages[2] = {0, 0};
    const bool is_read = file && fscanf(file, "%llu %llu", &pages[0], &pages[1]) == 2;
    if (file)
        fclose(file);
    return is_read ? (size_t)pages[field] * (size_t)sysconf(_SC_PAGESIZE) : 0;
}

size_t memory_limits_resident(const char *root)
{
    return pages_of(root, 1);
}

size_t memory_limits_address_space(const char *root)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return SIZE_MAX;
    const size_t used = pages_of(root, 0);
    return limit.rlim_cur > used ? (size_t)limit.rlim_cur - used : 0;
}

struct memory_limit memory_limits_shared(const char *root)
{
    struct memory_limit tightest = {.available = SIZE_MAX, .name = "this machine has free"};
    FILE *file = open_file(root, "/proc/meminfo");
    char line[256];
    unsigned long long kibibytes;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %llu kB", &kibibytes) == 1)
            keep_tightest(&tightest, (size_t)kibibytes * 1024, "%s", "this machine has free");
    if (file)
        fclose(file);
    read_groups(root, true, &tightest);
    read_groups(root, false, &tightest);
    return tightest;
}

struct memory_limit memory_limits_find(const char *root)
{
    struct memory_limit tightest = memory_limits_shared(root);
    keep_tightest(&tightest, memory_limits_address_space(root), "%s", "ulimit -v leaves");
    return tightest;
}
