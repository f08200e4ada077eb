// See cli_pace.h. Knows the names of environment variables, nothing of the program's inside.
#include "tests/support/cli_pace.h"
#include "tests/support/cli_fixture.h"

#include <signal.h>

static struct {
    char part[128], leap_file[128];
    int tick_us;
} pace;

void cli_hold_at(const char *part)
{
    snprintf(pace.part, sizeof pace.part, "%s", part);
    if (cli_exists(".held"))
        cli_remove(".held");
    if (cli_exists(".go"))
        cli_remove(".go");
}

void cli_wait_until_held(pid_t child)
{
    if (!cli_wait_for(".held", child))
        fail_msg("the program did not come to %s", pace.part);
}

void cli_let_go(void)
{
    cli_write_text(".go", "");
}

void cli_tick_clock(int microseconds)
{
    pace.tick_us = microseconds;
}

void cli_leap_at(const char *name)
{
    snprintf(pace.leap_file, sizeof pace.leap_file, "%s", name);
}

void cli_pace_as_usual(void)
{
    memset(&pace, 0, sizeof pace);
}

const struct cli_result *cli_stop_held(pid_t child, int number)
{
    cli_wait_until_held(child);
    cli_pace_as_usual();
    assert_int_equal(kill(child, number), 0);
    return cli_finish(child);
}

static bool set(const char *name, const char *value)
{
    return setenv(name, value, 1) == 0;
}

bool cli_pace_is_set(void)
{
    return pace.part[0] != '\0' || pace.leap_file[0] != '\0' || pace.tick_us != 0;
}

bool cli_pace_apply(void)
{
    char text[32], sanitizer[512];
    if (!cli_pace_is_set())
        return true;
    snprintf(text, sizeof text, "%d", pace.tick_us);
    // A sanitizer minds that another library is loaded before its own.
    const char *options = getenv("ASAN_OPTIONS");
    snprintf(sanitizer, sizeof sanitizer, "%s:verify_asan_link_order=0", options ? options : "");
    return set("LD_PRELOAD", FATHOM_TEST_PACE) && set("ASAN_OPTIONS", sanitizer) &&
           (pace.part[0] == '\0' ||
            (set("FATHOM_TEST_HOLD", pace.part) && set("FATHOM_TEST_HELD", cli_path(".held")) &&
             set("FATHOM_TEST_GO", cli_path(".go")))) &&
           (pace.tick_us == 0 || set("FATHOM_TEST_TICK", text)) &&
           (pace.leap_file[0] == '\0' || set("FATHOM_TEST_LEAP", cli_path(pace.leap_file)));
}
