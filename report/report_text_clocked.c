#include "model/freq_derive.h"
#include "model/freq_judge.h"
#include "model/units.h"
#include "report/freq_spread.h"
#include "report/report_text_parts.h"
#include "report/wrap.h"

#include <stddef.h>
#include <string.h>

/* Frequencies as measured: at each request, by active cores, and how long a change takes. */

#define CAUSES_BYTES 96
#define INDENT 4U
#define FIGURE_COLUMN 34U
#define UNCERTAINTY_COLUMN 58U
#define KHZ_PER_MHZ 1000U

static void put_mhz(struct wrap *line, uint64_t khz)
{
    wrap_printf(line, "%lu.%03lu", khz / KHZ_PER_MHZ, khz % KHZ_PER_MHZ);
}

static void name_request(struct wrap *line, const struct freq_sample *sample)
{
    if (sample->kind == FREQ_NO_REQUEST) {
        wrap_printf(line, "as the firmware left it");
    } else if (sample->pss_index != FREQ_NO_ROW) {
        wrap_printf(line, "P%u, %lu MHz asked for", sample->pss_index,
                    sample->requested_khz / KHZ_PER_MHZ);
    } else {
        wrap_printf(line, "%s level %lu", freq_request_kind_name(sample->kind),
                    freq_level_of(sample->kind, sample->control));
        if (sample->requested_khz != 0) {
            wrap_printf(line, ", %lu MHz", sample->requested_khz / KHZ_PER_MHZ);
        }
    }
}

/* Requested, reported and measured belong together: what differs is told at once, what agrees once for all. */
static void reported_line(const struct freq_spread *spread, struct wrap *line)
{
    if (spread->unlike != 0) {
        wrap_pad(line, INDENT);
        wrap_printf(line, "the status register reports 0x%lx instead on %u of %u CPUs",
                    spread->unlike_as, spread->unlike, spread->reported);
        wrap_end(line, INDENT);
    }
}

static void request_line(const struct platform *platform, const struct freq_sample *sample,
                         struct wrap *line)
{
    struct freq_spread spread = freq_spread_of(platform, sample);
    char causes[CAUSES_BYTES];

    wrap_pad(line, 2);
    name_request(line, sample);
    wrap_pad(line, FIGURE_COLUMN);
    if (spread.cpus == 0) {
        wrap_printf(line, "%s", freq_no_figure_why(&sample->counts));
        wrap_end(line, INDENT);
        reported_line(&spread, line);
        return;
    }
    put_mhz(line, spread.low_khz);
    if (spread.high_khz != spread.low_khz) {
        wrap_printf(line, " to ");
        put_mhz(line, spread.high_khz);
    }
    wrap_printf(line, " MHz");
    wrap_pad(line, UNCERTAINTY_COLUMN);
    wrap_printf(line, "+- %lu ppm, %u CPU%s", spread.worst_ppm, spread.cpus,
                spread.cpus == 1 ? "" : "s");
    wrap_end(line, INDENT);
    if (spread.causes != 0) {
        wrap_pad(line, INDENT);
        wrap_printf(line, "held back meanwhile by: %s",
                    freq_causes_text(spread.causes, causes, sizeof(causes)));
        wrap_end(line, INDENT);
    }
    reported_line(&spread, line);
}

static void request_lines(const struct platform *platform, struct wrap *line)
{
    uint32_t reported = 0;
    uint32_t unlike = 0;

    for (uint32_t i = 0; i < platform->freq_count; i++) {
        if (freq_spread_is_first(platform, i)) {
            struct freq_spread spread = freq_spread_of(platform, &platform->freq[i]);

            request_line(platform, &platform->freq[i], line);
            reported += spread.reported;
            unlike += spread.unlike;
        }
    }
    if (reported != 0 && unlike == 0) {
        wrap_printf(line, "The status registers report every request as asked for.");
        wrap_end(line, INDENT);
    }
}

static void boost_line(const struct freq_boost *boost, bool has_packages, struct wrap *line)
{
    char causes[CAUSES_BYTES];

    wrap_pad(line, 2);
    switch (boost->kind) {
    case FREQ_BOOST_OFF:
        wrap_printf(line, "one core, boost switched off");
        break;
    case FREQ_BOOST_ON:
        wrap_printf(line, "one core, boost switched on");
        break;
    case FREQ_BOOST_CORES:
    case FREQ_BOOST_THREADS:
    case FREQ_BOOST_ALONE:
    case FREQ_BOOST_KINDS:
    default:
        wrap_printf(line, "%u %s%s active", boost->active,
                    boost->kind == FREQ_BOOST_THREADS ? "thread" : "core",
                    boost->active == 1 ? "" : "s");
        break;
    }
    if (has_packages) {
        wrap_printf(line, ", package %u", boost->package);
    }
    wrap_pad(line, FIGURE_COLUMN);
    if (boost->figure.khz == 0) {
        wrap_printf(line, "%s", freq_no_figure_why(&boost->counts));
    } else {
        put_mhz(line, boost->figure.khz);
        wrap_printf(line, " MHz");
        wrap_pad(line, UNCERTAINTY_COLUMN);
        wrap_printf(line, "+- %lu ppm", boost->figure.uncertainty_ppm);
    }
    wrap_end(line, INDENT);
    if (boost->is_shallow || boost->counts.causes != 0) {
        wrap_pad(line, INDENT);
        wrap_printf(line, "%s%s%s", boost->counts.causes == 0 ? "" : "held back meanwhile by: ",
                    freq_causes_text(boost->counts.causes, causes, sizeof(causes)),
                    !boost->is_shallow          ? ""
                    : boost->counts.causes == 0 ? "the other cores were no deeper than C1 and "
                                                  "count as active"
                                                : "; the other cores count as active");
        wrap_end(line, INDENT);
    }
}

static void boost_lines(const struct platform *platform, struct wrap *line)
{
    bool has_packages = false;

    for (uint32_t i = 0; i < platform->freq_boosts_count; i++) {
        has_packages = has_packages || platform->freq_boosts[i].package != 0;
    }
    for (uint32_t i = 0; i < platform->freq_boosts_count; i++) {
        if (platform->freq_boosts[i].kind != FREQ_BOOST_ALONE) {
            boost_line(&platform->freq_boosts[i], has_packages, line);
        }
    }
}

/* The fastest and the slowest core of each package, each measured alone. */
static void alone_line(const struct platform *platform, uint32_t package, struct wrap *line)
{
    const struct freq_boost *fastest = NULL;
    const struct freq_boost *slowest = NULL;

    for (uint32_t i = 0; i < platform->freq_boosts_count; i++) {
        const struct freq_boost *boost = &platform->freq_boosts[i];

        if (boost->kind != FREQ_BOOST_ALONE || boost->package != package ||
            boost->figure.khz == 0) {
            continue;
        }
        fastest = fastest == NULL || boost->figure.khz > fastest->figure.khz ? boost : fastest;
        slowest = slowest == NULL || boost->figure.khz < slowest->figure.khz ? boost : slowest;
    }
    if (fastest == NULL) {
        return;
    }
    wrap_pad(line, 2);
    wrap_printf(line, "each core alone");
    wrap_pad(line, FIGURE_COLUMN);
    put_mhz(line, slowest->figure.khz);
    wrap_printf(line, " (CPU %u) to ", slowest->cpu);
    put_mhz(line, fastest->figure.khz);
    wrap_printf(line, " MHz (CPU %u)", fastest->cpu);
    wrap_end(line, INDENT);
}

static void alone_lines(const struct platform *platform, struct wrap *line)
{
    uint32_t last = 0;

    for (uint32_t i = 0; i < platform->freq_boosts_count; i++) {
        last = platform->freq_boosts[i].package > last ? platform->freq_boosts[i].package : last;
    }
    for (uint32_t package = 0; platform->freq_boosts_count > 0 && package <= last; package++) {
        alone_line(platform, package, line);
    }
}

static uint64_t tenths_of_us(const struct platform *platform, uint64_t tsc)
{
    return mul_div_round_u64(tsc, 10000000, platform->tsc_hz);
}

static void put_us(const struct platform *platform, uint64_t tsc, struct wrap *line)
{
    uint64_t tenths = tenths_of_us(platform, tsc);

    wrap_printf(line, "%lu.%lu", tenths / 10, tenths % 10);
}

/* mission S4: 20 us is Linux's default for a CPU without a table, 600 and 1000 are amd-pstate's delays. */
static const char *beside_linux(uint64_t us)
{
    if (us <= 20) {
        return "within 20 us";
    }
    if (us <= 600) {
        return "within 600 us";
    }
    return us <= 1000 ? "within 1000 us" : "over 1000 us";
}

static void settle_line(const struct platform *platform, const struct freq_settling *one,
                        struct wrap *line)
{
    bool is_up = one->to_index < one->from_index;

    wrap_pad(line, 2);
    wrap_printf(line, "slowest change %s, %u to %u", is_up ? "up" : "down", one->from_index,
                one->to_index);
    wrap_pad(line, FIGURE_COLUMN);
    put_us(platform, one->settle_tsc.min, line);
    wrap_printf(line, " / ");
    put_us(platform, one->settle_tsc.p50, line);
    wrap_printf(line, " / ");
    put_us(platform, one->settle_tsc.p90, line);
    wrap_printf(line, " / ");
    put_us(platform, one->settle_tsc.max, line);
    wrap_printf(line, " us (min, 50 %%, 90 %%, max), +- ");
    put_us(platform, one->loop_to_tsc, line);
    wrap_printf(line, "; %s", beside_linux(tenths_of_us(platform, one->settle_tsc.p90) / 10));
    if (one->latency_us != 0) {
        wrap_printf(line, "; _PSS declares %lu us", one->latency_us);
    }
    wrap_end(line, INDENT);
}

static void settle_lines(const struct platform *platform, struct wrap *line)
{
    uint32_t cpu = CPU_NONE;

    for (uint32_t i = 0; i < platform->freq_settlings_count && platform->tsc_hz != 0; i++) {
        const struct freq_settling *up;
        const struct freq_settling *down;

        if (platform->freq_settlings[i].cpu == cpu) {
            continue;
        }
        cpu = platform->freq_settlings[i].cpu;
        up = freq_slowest(platform, cpu, true);
        down = freq_slowest(platform, cpu, false);
        if (up != NULL || down != NULL) {
            wrap_printf(line, "CPU %u after a changed request:", cpu);
            wrap_end(line, INDENT);
        }
        if (up != NULL) {
            settle_line(platform, up, line);
        }
        if (down != NULL) {
            settle_line(platform, down, line);
        }
    }
}

static void refusal_lines(const struct platform *platform, struct wrap *line)
{
    const char *last = NULL;

    for (uint32_t i = 0; i < platform->freq_refusals_count; i++) {
        const struct freq_refusal *one = &platform->freq_refusals[i];

        if (last == NULL || strcmp(one->why, last) != 0) {
            wrap_printf(line, "From CPU %u on: %s", one->cpu, one->why);
            wrap_end(line, INDENT);
        }
        last = one->why;
    }
}

static uint64_t stated_us(const struct platform *platform, uint32_t subspace)
{
    return subspace < platform->pcct.count ? platform->pcct.subspaces[subspace].latency_us : 0;
}

static void one_way_line(const struct platform *platform, struct wrap *line)
{
    if (platform->requests.has_set_cppc || platform->requests.has_set_hwp) {
        wrap_printf(line,
                    "The levels were measured last, after %s was set as --allow said. It stays set "
                    "until reset.",
                    platform->requests.has_set_cppc ? "CPPC_ENABLE" : "IA32_PM_ENABLE");
        wrap_end(line, INDENT);
    }
}

/* The commands by which requests went through shared memory. */
static void pcc_lines(const struct platform *platform, struct wrap *line)
{
    for (uint32_t i = 0; i < platform->pcc_count; i++) {
        const struct pcc_account *account = &platform->pcc[i];

        wrap_printf(line, "PCC subspace %u: %u command%s", account->subspace, account->commands,
                    account->commands == 1 ? "" : "s");
        if (account->timed > 0) {
            wrap_printf(line, ", %lu us each, at most %lu us",
                        account->sum_ns / account->timed / 1000, account->longest_ns / 1000);
        }
        if (stated_us(platform, account->subspace) != 0) {
            wrap_printf(line, "; the PCCT states %lu us", stated_us(platform, account->subspace));
        }
        if (account->timeouts + account->errors != 0) {
            wrap_printf(line, "; %u not completed in time, %u with an error", account->timeouts,
                        account->errors);
        }
        wrap_end(line, INDENT);
    }
}

void report_text_clocked(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;
    struct wrap line;

    if (platform->freq_count == 0 && platform->freq_skipped == NULL) {
        return;
    }
    wrap_heading(out, "Frequencies as measured");
    wrap_init(&line, out);
    if (platform->is_emulated) {
        wrap_text(out, "Note", TEXT_LABEL_COLUMN,
                  "An emulator's or hypervisor's figures: they say nothing about silicon.");
    }
    request_lines(platform, &line);
    boost_lines(platform, &line);
    alone_lines(platform, &line);
    settle_lines(platform, &line);
    refusal_lines(platform, &line);
    pcc_lines(platform, &line);
    one_way_line(platform, &line);
    if (platform->freq_skipped != NULL) {
        wrap_text(out, platform->freq_count == 0 ? "Not done:" : "Ended:", 11,
                  platform->freq_skipped);
    }
}
