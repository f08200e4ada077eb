// core/memory_limits: nested control groups of both versions, as files in a folder of the test's own; and
// ulimit -v.
#include "tests/support/test.h"

#include "core/memory_limits.h"
#include "core/memory_plan.h"
#include "tests/support/folder.h"

#include <sys/resource.h>
#include <sys/wait.h>

enum { MB = 1000000 };

static int clean(void **state)
{
    folder_clear();
    return 0;
}

static void write_system(const char *group, const char *mount, const char *type)
{
    char text[1024];
    folder_shell("mkdir -p %s", folder_path("proc/self"));
    folder_write_text("proc/meminfo",
                      "MemTotal:  9000000 kB\nMemFree: 100 kB\nMemAvailable:    8000000 kB\n");
    folder_write_text("proc/self/cgroup", group);
    snprintf(text, sizeof text,
             "21 1 254:1 / / rw,relatime - ext4 /dev/vda1 rw\n"
             "30 21 0:26 %s rw,nosuid shared:4 - %s\n"
             "31 21 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n",
             mount, type);
    folder_write_text("proc/self/mountinfo", text);
}

static void write_number(const char *folder, const char *name, const char *text)
{
    folder_shell("mkdir -p '%s'", folder_path("%s", folder));
    const char *path = format_text("%s/%s", folder, name);
    folder_write_text(path, text);
}

static void assert_limit(size_t available, const char *name)
{
    const struct memory_limit limit = memory_limits_find(folder_root());
    if (limit.available != available || !strstr(limit.name, name))
        fail_msg("%zu bytes, %s; expected %zu, %s", limit.available, limit.name, available, name);
}

TEST_SUITE(.group_setup = folder_make, .group_teardown = folder_remove, .teardown = clean);

// The innermost group has no limit, the one above has; cached files count as free.
TEST(test_version_2)
{
    write_system("0::/user/night/run\n", "/ /sys/fs/cgroup", "cgroup2 cgroup2 rw");
    assert_limit((size_t)8000000 * 1024, "this machine has free");
    write_number("sys/fs/cgroup/user/night/run", "memory.max", "max\n");
    write_number("sys/fs/cgroup/user/night/run", "memory.current", "100000000\n");
    write_number("sys/fs/cgroup/user/night", "memory.max", "500000000\n");
    write_number("sys/fs/cgroup/user/night", "memory.current", "300000000\n");
    assert_limit(200 * MB, "/sys/fs/cgroup/user/night/memory.max");
    write_number("sys/fs/cgroup/user/night", "memory.stat",
                 "anon 50000000\nfile 250000000\ninactive_file 200000000\nactive_file 50000000\n");
    assert_limit(450 * MB, "/sys/fs/cgroup/user/night/memory.max");
    write_number("sys/fs/cgroup/user", "memory.max", "max\n");
    write_number("sys/fs/cgroup/user", "memory.high", "400000000\n");
    write_number("sys/fs/cgroup/user", "memory.current", "390000000\n");
    assert_limit(10 * MB, "/sys/fs/cgroup/user/memory.high");
    write_number("sys/fs/cgroup/user/night/run", "memory.max", "90000000\n"); // less than it uses
    assert_limit(0, "/sys/fs/cgroup/user/night/run/memory.max");
}

// Both versions at once, the controller memory in version 1, a mount with a blank in its name.
TEST(test_version_1)
{
    write_system("12:cpu,cpuacct:/other\n4:memory:/slurm/job_7/step_0\n0::/init.scope\n",
                 "/ /sys/fs/c\\040group/memory", "cgroup cgroup rw,memory");
    const char *folder = "sys/fs/c group/memory/slurm";
    write_number("sys/fs/c group/memory/slurm/job_7/step_0", "memory.limit_in_bytes",
                 "9223372036854771712\n");
    write_number("sys/fs/c group/memory/slurm/job_7/step_0", "memory.usage_in_bytes", "1000000\n");
    assert_limit((size_t)8000000 * 1024, "this machine has free");
    write_number(folder, "memory.limit_in_bytes", "2000000000\n");
    write_number(folder, "memory.usage_in_bytes", "900000000\n");
    write_number(folder, "memory.stat",
                 "inactive_file 7\ntotal_inactive_file 100000000\ntotal_active_file 0\n");
    assert_limit(1200 * MB, "/sys/fs/c group/memory/slurm/memory.limit_in_bytes");
}

// In a container the hierarchy is mounted from the container's own group on, and the process's path is the
// host's.
TEST(test_container)
{
    write_system("0::/docker/abc/inner\n", "/docker/abc /sys/fs/cgroup", "cgroup2 cgroup2 rw");
    write_number("sys/fs/cgroup", "memory.max", "700000000\n");
    write_number("sys/fs/cgroup", "memory.current", "200000000\n");
    assert_limit(500 * MB, "/sys/fs/cgroup/memory.max");
    write_number("sys/fs/cgroup/inner", "memory.max", "300000000\n");
    write_number("sys/fs/cgroup/inner", "memory.current", "100000000\n");
    assert_limit(200 * MB, "/sys/fs/cgroup/inner/memory.max");
    write_system("0::/../elsewhere\n", "/ /sys/fs/cgroup",
                 "cgroup2 cgroup2 rw"); // hidden: the mount itself is left
    assert_limit(500 * MB, "/sys/fs/cgroup/memory.max");
}

TEST(test_nothing_is_known)
{
    const struct memory_limit limit = memory_limits_find(folder_root());
    assert_true(limit.available == SIZE_MAX);
    assert_int_equal(memory_limits_resident(folder_root()), 0);
    assert_true(memory_limits_resident("") > 100000);
}

// A process with so much address space: the plan refuses what goes beyond, and names the limit.
TEST(test_address_space)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); // they take terabytes of it
#endif
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        static struct memory_plan plan;
        static void *array;
        const struct rlimit limit = {(rlim_t)1 << 30, (rlim_t)1 << 30};
        memory_plan_begin(&plan);
        const bool is_refused =
            setrlimit(RLIMIT_AS, &limit) == 0 && memory_limits_address_space("") < (size_t)1 << 30 &&
            memory_plan_add(&plan, MEMORY_HOST, ELEMENT_U8, 1, (size_t)1 << 30, &array, "a") == STATUS_OK &&
            memory_plan_check(&plan, SIZE_MAX, SIZE_MAX) == STATUS_SYSTEM &&
            strstr(status_message(), "more than ulimit -v leaves");
        _exit(is_refused ? 0 : 1);
    }
    int code;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_int_equal(code, 0);
}
