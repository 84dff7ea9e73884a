#include "report/figure.h"

#include "model/textbuf.h"

#include <stddef.h>

const char *figure_mhz(uint64_t khz, char *ret_text)
{
    struct textbuf text;

    textbuf_init(&text, ret_text, FIGURE_BYTES, NULL, NULL);
    if (khz % 1000 == 0) {
        textbuf_printf(&text, "%llu MHz", (unsigned long long)(khz / 1000));
    } else {
        textbuf_printf(&text, "%llu.%03llu MHz", (unsigned long long)(khz / 1000),
                       (unsigned long long)(khz % 1000));
    }
    return ret_text;
}

const char *figure_time(uint64_t ns, char *ret_text)
{
    static const struct {
        uint64_t ns;
        const char *name;
    } units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}};
    struct textbuf text;

    textbuf_init(&text, ret_text, FIGURE_BYTES, NULL, NULL);
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        uint64_t whole = ns / units[i].ns;
        uint64_t tenth = ns % units[i].ns / (units[i].ns / 10);

        if (whole == 0) {
            continue;
        }
        if (whole < 100 && tenth != 0) {
            textbuf_printf(&text, "%llu.%llu %s", (unsigned long long)whole,
                           (unsigned long long)tenth, units[i].name);
        } else {
            textbuf_printf(&text, "%llu %s", (unsigned long long)whole, units[i].name);
        }
        return ret_text;
    }
    textbuf_printf(&text, "%llu ns", (unsigned long long)ns);
    return ret_text;
}
