#include "model/freq.h"
#include "report/figure.h"
#include "report/report_text_parts.h"
#include "report/text_plot.h"

/* Work and energy in the form in which performance per joule is usually published: how many work, what they use, how
 * much they do, and the one by the other. */

static void request(const struct work_sample *sample, struct wrap *line)
{
    if (sample->pss_index != FREQ_NO_ROW) {
        wrap_printf(line, "P%u", sample->pss_index);
    } else {
        wrap_printf(line, sample->requested_khz == 0 ? "as left" : "level");
    }
    if (sample->requested_khz != 0) {
        wrap_pad(line, 6);
        wrap_printf(line, "%lu MHz", sample->requested_khz / 1000);
    }
    if (sample->is_boost_off) {
        wrap_printf(line, " no boost");
    }
}

static bool has_packages(const struct platform *platform)
{
    for (uint32_t i = 0; i < platform->work_count; i++) {
        if (platform->work[i].package != platform->work[0].package) {
            return true;
        }
    }
    return false;
}

static void row(const struct platform *platform, const struct work_sample *sample,
                struct wrap *line)
{
    uint64_t per_joule = work_per_joule_milli(sample, platform->tsc_hz);

    request(sample, line);
    wrap_pad(line, 25);
    wrap_printf(line, "%s", work_kernel_name(sample->kernel));
    wrap_pad(line, 34);
    wrap_printf(line, "%u", sample->active);
    if (has_packages(platform)) {
        wrap_printf(line, "@%u", sample->package);
    }
    wrap_pad(line, 41);
    wrap_printf(line, "%lu", sample->pieces_per_s);
    wrap_pad(line, 53);
    if (sample->package_avail == AVAIL_PRESENT) {
        wrap_printf(line, "%lu mW", work_package_mw(sample, platform->tsc_hz));
        wrap_pad(line, 66);
        wrap_printf(line, "%lu.%03lu", per_joule / 1000, per_joule % 1000);
    } else {
        wrap_printf(line, "-");
    }
    if (sample->is_wrong) {
        wrap_printf(line, "  WRONG RESULT");
    }
    wrap_end(line, 4);
}

#define LABEL_BYTES 64

/* Thousandths, as work_per_joule_milli gives them. */
static const char *per_joule_text(uint64_t milli, char *ret_text)
{
    struct textbuf text;

    textbuf_init(&text, ret_text, FIGURE_BYTES, NULL, NULL);
    textbuf_printf(&text, "%lu", milli / 1000);
    if (milli % 1000 != 0) {
        textbuf_printf(&text, ".%03lu", milli % 1000);
    }
    return ret_text;
}

static void bar(const struct work_sample *sample, uint64_t milli, struct plot *plot,
                struct wrap *line)
{
    char label[LABEL_BYTES];
    char figure[FIGURE_BYTES];
    struct textbuf text;

    textbuf_init(&text, label, sizeof(label), NULL, NULL);
    if (sample->pss_index != FREQ_NO_ROW) {
        textbuf_printf(&text, "  P%u%s", sample->pss_index,
                       sample->is_boost_off ? " no boost" : "");
    } else {
        textbuf_printf(&text, "  %lu MHz", sample->requested_khz / 1000);
    }
    textbuf_printf(&text, ", %u core%s: %s", sample->active, sample->active == 1 ? "" : "s",
                   per_joule_text(milli, figure));
    plot_fill(plot, 0, milli, '#');
    plot_row(plot, label, line);
}

/* Each kernel has its own scale: a piece of one is not a piece of the other. */
static void bars(const struct platform *platform, enum work_kernel kernel, struct wrap *line)
{
    uint64_t most_milli = 0;
    struct plot plot;

    for (uint32_t i = 0; i < platform->work_count; i++) {
        const struct work_sample *sample = &platform->work[i];
        uint64_t milli = work_per_joule_milli(sample, platform->tsc_hz);

        most_milli = sample->kernel == kernel && milli > most_milli ? milli : most_milli;
    }
    if (most_milli == 0) {
        return;
    }
    wrap_printf(line, "Work per joule, %s kernel", work_kernel_name(kernel));
    wrap_end(line, 0);
    plot_start(&plot, AXIS_LINEAR, 0, most_milli);
    for (uint32_t i = 0; i < platform->work_count; i++) {
        const struct work_sample *sample = &platform->work[i];
        uint64_t milli = work_per_joule_milli(sample, platform->tsc_hz);

        if (sample->kernel == kernel && milli != 0) {
            bar(sample, milli, &plot, line);
        }
    }
    plot_scale(&plot, per_joule_text, line);
}

void report_text_work(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;
    const char *why = NULL;
    struct wrap line;

    if (platform->work_count == 0) {
        return;
    }
    wrap_heading(out, "Work and energy");
    wrap_init(&line, out);
    wrap_printf(&line, "request                  kernel   cores  work/s      power        work/J");
    wrap_end(&line, 0);
    for (uint32_t i = 0; i < platform->work_count; i++) {
        row(platform, &platform->work[i], &line);
        why = platform->work[i].no_energy_why != NULL ? platform->work[i].no_energy_why : why;
    }
    if (has_packages(platform)) {
        wrap_printf(&line, "cores@package: so many cores of that package were at work.");
        wrap_end(&line, 4);
    }
    if (why != NULL) {
        wrap_printf(&line, "Without energy: %s", why);
        wrap_end(&line, 4);
    }
    for (unsigned kernel = 0; kernel < WORK_KERNELS; kernel++) {
        bars(platform, (enum work_kernel)kernel, &line);
    }
    if (platform->is_emulated) {
        wrap_printf(&line, "Under an emulator: the figures say nothing about silicon.");
        wrap_end(&line, 4);
    }
}
