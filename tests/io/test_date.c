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

// Of other programs' files: seconds since 1970 from `date -u -d`, and what a day alone looks like.
TEST(dates_of_other_zones_become_utc)
{
    static const struct {
        const char *text, *canonical;
        enum date_kind kind;
    } dates[] = {{"2011-03-11T14:46:23+09:00", "2011-03-11 05:46:23", DATE_TIME},
                 {"2011-03-11T02:16:23.125-0330", "2011-03-11 05:46:23.125", DATE_TIME},
                 {"2011-03-11 05:46:23.1234567891+00:00", "2011-03-11 05:46:23.123456789", DATE_TIME},
                 {"2012-03-01T01:00:00+09", "2012-02-29 16:00:00", DATE_TIME},
                 {"2010-12-31T23:59:60Z", "2011-01-01 00:00:00", DATE_TIME},
                 {"2011/03/11 05:46:23.0", "2011-03-11 05:46:23", DATE_TIME},
                 {"2011-03-11T00:00:00", "2011-03-11 00:00:00", DATE_MIDNIGHT},
                 {"2011-03-11 00:00:00.000+00:00", "2011-03-11 00:00:00", DATE_MIDNIGHT},
                 {"2011-03-11T00:00Z", "2011-03-11 00:00:00", DATE_MIDNIGHT},
                 {"2011-03-11T00:00:00.1Z", "2011-03-11 00:00:00.1", DATE_TIME},
                 {"1995/07/30", "1995-07-30 00:00:00", DATE_DAY},
                 {"2011-02-29T05:46:23Z", "", DATE_INVALID},
                 {"2011-03-11T24:00:00", "", DATE_INVALID},
                 {"2011-nan-1", "", DATE_INVALID},
                 {"2011-03-11T05:46:23 JST", "", DATE_INVALID},
                 {"2011-03-11T05:46:23+15:00", "", DATE_INVALID},
                 {"2011-03-11T05:46:23+09:00x", "", DATE_INVALID},
                 {"0000-01-01T01:00:00+09:00", "", DATE_INVALID}};
    for (size_t k = 0; k < sizeof dates / sizeof *dates; k++) {
        char canonical[DATE_BYTES];
        if (date_convert(dates[k].text, canonical) != dates[k].kind)
            fail_msg("\"%s\" is of another kind (\"%s\")", dates[k].text, canonical);
        assert_string_equal(canonical, dates[k].canonical);
    }
    char canonical[DATE_BYTES];
    assert_true(date_of_epoch_ms(1442444072860, canonical));
    assert_string_equal(canonical, "2015-09-16 22:54:32.86");
    assert_true(date_of_epoch_ms(-1, canonical));
    assert_string_equal(canonical, "1969-12-31 23:59:59.999");
    assert_false(date_of_epoch_ms(1e300, canonical));
}
