#include "report/svg.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void text_in_a_picture_is_escaped(void **state)
{
    char buffer[512];
    struct textbuf out;

    (void)state;
    textbuf_init(&out, buffer, sizeof(buffer), NULL, NULL);
    svg_text(&out, "dim", SVG_END, 3, 4, "%s <%u>", "a&b", 7U);
    assert_string_equal(buffer,
                        "<text class=\"dim end\" x=\"3\" y=\"4\">a&amp;b &lt;7&gt;</text>\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_in_a_picture_is_escaped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
