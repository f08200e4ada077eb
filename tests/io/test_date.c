// io/date.c: what is a date in UTC, its canonical form, and its seconds since 1970.
#include "tests/support/test.h"

#include "io/date.h"
#include "tests/support/statuses.h"

TEST(dates_have_one_form)
{
    // Seconds since 1970 as `date -u -d ... +%s` gives them.
    static const struct {
        const char *text, *canonical;
        double epoch_s;
    } dates[] = {{"2011-03-11T05:46:24Z", "2011-03-11 05:46:24", 1299822384},
                 {"2011-03-11 05:46 UTC", "2011-03-11 05:46:00", 1299822360},
                 {"2000-02-29 23:59:59.250", "2000-02-29 23:59:59.25", 951868799.25},
                 {"1960-05-22 19:11:14.0", "1960-05-22 19:11:14", -303281326}};
    for (size_t k = 0; k < sizeof dates / sizeof *dates; k++) {
        char canonical[DATE_BYTES];
        double epoch_s;
        assert_ok(date_read(dates[k].text, canonical));
        assert_string_equal(canonical, dates[k].canonical);
        assert_true(date_epoch(dates[k].text, &epoch_s));
        assert_true(epoch_s == dates[k].epoch_s);
    }
}

TEST(other_texts_are_no_dates)
{
    static const char *const texts[] = {"",
                                        "2011-03-11 05:46:24 JST",
                                        "2011-03-11T05:46:24+09:00",
                                        "2011-02-29 00:00:00",
                                        "2011-13-01 00:00:00",
                                        "2011-03-11 24:00:00",
                                        "11-03-2011 05:46:24"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        char canonical[DATE_BYTES];
        double epoch_s;
        assert_int_equal(date_read(texts[k], canonical), STATUS_CONFIGURATION);
        status_clear();
        if (date_epoch(texts[k], &epoch_s))
            fail_msg("\"%s\" is taken for a date", texts[k]);
    }
}

// From midnight on; date_read refuses it, as a job's origin needs the time of day.
TEST(a_day_alone_has_seconds)
{
    char canonical[DATE_BYTES];
    double epoch_s;
    assert_int_equal(date_read("2011-03-11", canonical), STATUS_CONFIGURATION);
    status_clear();
    assert_true(date_epoch("2011-03-11", &epoch_s));
    assert_true(epoch_s == 1299801600);
}
