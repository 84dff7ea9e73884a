#include "report/cause.h"
#include "report/report_html_parts.h"

/* The part of the first screen that names the cause, each sentence with the way to its proof. */

static void paragraph(const struct platform *platform, enum cause_part part, struct textbuf *out)
{
    static const char *const ends[CAUSE_PARTS] = {
        [CAUSE_TRAP] = " <a href=\"#governor\">The loop, step by step</a>",
        [CAUSE_CURE] = "",
        [CAUSE_DUMMY] = " <a href=\"#idle\">The measurement</a>"};
    struct html_escape escape;

    textbuf_string(out, "<p>");
    html_escape_start(&escape, out);
    (void)cause_write(platform, part, &escape.text);
    html_escape_end(&escape);
    textbuf_string(out, ends[part]);
    textbuf_string(out, "</p>\n");
}

static bool applies(const struct platform *platform, enum cause_part part)
{
    char text[CAUSE_BYTES];
    struct textbuf out;

    textbuf_init(&out, text, sizeof(text), NULL, NULL);
    return cause_write(platform, part, &out);
}

void report_html_cause(const struct platform *platform, struct textbuf *out)
{
    bool is_open = false;

    for (unsigned part = 0; part < CAUSE_PARTS; part++) {
        if (!applies(platform, (enum cause_part)part)) {
            continue;
        }
        textbuf_string(out, is_open ? "" : "<div class=\"cause\"><h2>" CAUSE_TITLE "</h2>\n");
        is_open = true;
        paragraph(platform, (enum cause_part)part, out);
    }
    textbuf_string(out, is_open ? "</div>\n" : "");
}
