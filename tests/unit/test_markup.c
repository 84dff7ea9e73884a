#include "tests/sim/markup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *problem_of(enum markup_kind kind, const char *text)
{
    size_t at = 0;

    return markup_problem(kind, text, strlen(text), &at);
}

static void what_is_well_formed_passes(void **state)
{
    (void)state;
    assert_null(problem_of(MARKUP_HTML, "<!DOCTYPE html>\n<p id=\"a>b\">1 &lt; &#183;<br>x</p>"));
    assert_null(problem_of(MARKUP_HTML, "<style>p > a { }</style><script>a && b < c</script>"));
    assert_null(problem_of(MARKUP_XML, "<?xml version=\"1.0\"?><a><b c=\"&quot;\"/>&#x41;</a>\n"));
    assert_null(problem_of(MARKUP_XML, "<a><![CDATA[ <&> ]]></a><!-- <b> -->"));
}

static void each_fault_is_found(void **state)
{
    static const char *const wrong[] = {"<a><b></a></b>",
                                        "<a>",
                                        "</a>",
                                        "<a b=\"c></a>",
                                        "<a>1 < 2</a>",
                                        "<a>x & y</a>",
                                        "<a>&nope;</a>",
                                        "<a>&#12</a>",
                                        "<a>\x01</a>",
                                        "<a>\xff</a>",
                                        "<a b=\"<\"></a>",
                                        "<!-- a",
                                        "<a b=\"&\"></a>",
                                        "<a><![CDATA[x</a>",
                                        "<a"};

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        if (problem_of(MARKUP_XML, wrong[i]) == NULL) {
            fail_msg("nothing is said of %s", wrong[i]);
        }
    }
    assert_non_null(problem_of(MARKUP_XML, "<a><br></a>"));
    assert_null(problem_of(MARKUP_HTML, "<a><br></a>"));
    assert_non_null(problem_of(MARKUP_HTML, "<script>"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_well_formed_passes),
        cmocka_unit_test(each_fault_is_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
