// Widths of texts against the font's own figures, and where lines break; numbers of logarithmic axes.
#include "report/style.h"
#include "report/text_size.h"
#include "tests/support/numbers.h"
#include "tests/support/test.h"

// DejaVu Sans 2.37: "H" is 1540 of 2048 units wide, in bold type 1714; a point is 4/3 pixels.
TEST(widths)
{
    assert_near("HHHH", text_size_px("HHHH", 12, false), 4 * 1540. / 2048 * 16, 0.1);
    assert_near("HHHH", text_size_px("HHHH", 12, true), 4 * 1714. / 2048 * 16, 0.1);
    assert_true(text_size_px("", 12, true) == 0);
    assert_true(text_size_px("β", 12, false) < 16);       // one character, not two
    assert_true(text_size_px("\xFF\xFE", 12, false) > 0); // of no character
    assert_true(text_size_line_px(12) > 16);
}

static void assert_lines(const char *text, double width_px, size_t most, const char *const *lines)
{
    const struct text_lines broken = text_size_break(text, 12, false, width_px, most);
    size_t count = 0;
    for (; lines[count]; count++) {
        assert_true(count < broken.count);
        assert_string_equal(broken.text[count], lines[count]);
        assert_true(text_size_px(lines[count], 12, false) <= width_px);
    }
    assert_int_equal(broken.count, count);
}

TEST(lines_break_at_blanks)
{
    const double width = text_size_px("two words", 12, false) + 0.5;
    assert_lines("two words", width, 3, (const char *const[]){"two words", NULL});
    assert_lines("  two words two words", width, 3, (const char *const[]){"two words", "two words", NULL});
    assert_lines("two  words, on", width, 3, (const char *const[]){"two", "words, on", NULL});
    assert_lines("", width, 3, (const char *const[]){NULL});
}

TEST(what_does_not_fit)
{
    const double width = text_size_px("mmmmm", 12, false) + 0.5;
    assert_lines("mmmmmmmmmmmm", width, 3, (const char *const[]){"mmmmm", "mmmmm", "mm", NULL});
    assert_lines("mmmmmmmmmmmm", width, 2, (const char *const[]){"mmmmm", "mmmm…", NULL});
    const struct text_lines narrow = text_size_break("mm", 12, false, 1, TEXT_LINES_MAX);
    assert_int_equal(narrow.count, 2); // at least a character a line
}

TEST(numbers_of_logarithmic_axes)
{
    char text[STYLE_TEXT_BYTES];
    assert_string_equal(style_decade(0.02, text), "0.02");
    assert_string_equal(style_decade(50000, text), "50000");
    assert_string_equal(style_decade(2e6, text), "2·10⁶");
    assert_string_equal(style_decade(1e-12, text), "10⁻¹²");
    assert_string_equal(style_decade(1e6 * (1 - 1e-15), text), "10⁶");
    assert_string_equal(style_power(-105, text), "10⁻¹⁰⁵");
    assert_string_equal(style_power(0, text), "10⁰");
}
