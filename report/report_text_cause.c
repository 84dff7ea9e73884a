#include "report/cause.h"
#include "report/report_text_parts.h"

void report_text_cause(const struct report *report, struct textbuf *out)
{
    bool is_any = false;

    for (unsigned part = 0; part < CAUSE_PARTS; part++) {
        char text[CAUSE_BYTES];
        struct textbuf words;

        textbuf_init(&words, text, sizeof(text), NULL, NULL);
        if (!cause_write(report->platform, (enum cause_part)part, &words)) {
            continue;
        }
        if (!is_any) {
            wrap_heading(out, CAUSE_TITLE);
            is_any = true;
        }
        wrap_text(out, "", 0, text);
    }
}
