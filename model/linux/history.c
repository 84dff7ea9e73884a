#include "model/linux/history.h"

#include <stddef.h>

/* A release from its first candidate on, which is where a merge window's work appears. */
#define RC1(major, minor)                                                                          \
    {                                                                                              \
        major, minor, 0, 1                                                                         \
    }
#define STABLE(major, minor, sublevel)                                                             \
    {                                                                                              \
        major, minor, sublevel, 0                                                                  \
    }
#define NEVER                                                                                      \
    {                                                                                              \
        0, 0, 0, 0                                                                                 \
    }
#define ALWAYS STABLE(2, 5, 0)
#define SURE false
#define UNSURE true

static const struct linux_rule_entry entries[LINUX_RULES] = {
    [LINUX_RULE_INTEL_INVARIANCE] = {"utilisation is frequency-invariant on Intel",
                                     "1567c3e3467c, 298c6f99bf0f, eacf0474aec8, 8bea0dfb4a82",
                                     "",
                                     {{RC1(5, 7), NEVER, SURE}}},
    [LINUX_RULE_AMD_INVARIANCE] = {"utilisation is frequency-invariant on AMD (midpoint)",
                                   "41ea667227ba, 976df7e5730e",
                                   "",
                                   {{RC1(5, 11), NEVER, SURE}}},
    [LINUX_RULE_HYBRID_CAPACITY] = {"hybrid parts without SMT have a capacity and a ratio per CPU",
                                    "5a9d10145a54",
                                    "release from the commit's date",
                                    {{RC1(6, 12), NEVER, UNSURE}}},
    [LINUX_RULE_BOOST_ROW] = {"acpi-cpufreq puts a boost row in front of P0",
                              "3c55e94c0ade",
                              "5.11 final only; how long 5.10.y and 5.11.y kept it is not certain",
                              {{STABLE(5, 11, 0), STABLE(5, 11, 3), UNSURE},
                               {STABLE(5, 10, 17), STABLE(5, 10, 20), UNSURE}}},
    [LINUX_RULE_BOOST_MAX] = {"acpi-cpufreq raises cpuinfo.max_freq to the boost clock",
                              "538b0188da46",
                              "the stable releases that took it are not certain",
                              {{RC1(5, 12), NEVER, SURE},
                               {STABLE(5, 11, 3), RC1(5, 12), UNSURE},
                               {STABLE(5, 10, 20), RC1(5, 11), UNSURE}}},
    [LINUX_RULE_NUMERATOR_FIXED] = {"the AMD boost numerator is 166 or 255 by model",
                                    "3743d55b289c",
                                    "in 5.12 stable since May 2021, release not certain",
                                    {{RC1(5, 13), RC1(6, 12), SURE},
                                     {STABLE(5, 12, 5), RC1(5, 13), UNSURE}}},
    [LINUX_RULE_NUMERATOR_PREFCORE] = {"amd-pstate takes 166 or 196 where cores are ranked",
                                       "f3a052391822, bf202e654bfa",
                                       "196 came with the fix of bugzilla 218759 during 6.9",
                                       {{RC1(6, 9), RC1(6, 12), SURE}}},
    [LINUX_RULE_NUMERATOR_DETECTED] = {"the AMD boost numerator follows detected preferred cores",
                                       "279f838a61f9",
                                       "",
                                       {{RC1(6, 12), NEVER, SURE}}},
    [LINUX_RULE_NUMERATOR_CORE_TYPE] = {"the AMD boost numerator also follows the core type",
                                        "",
                                        "",
                                        {{RC1(6, 13), NEVER, UNSURE}}},
    [LINUX_RULE_NOMINAL_BASE] = {"the boost clock starts from _CPC nominal_freq, not from P0",
                                 "083466754596",
                                 "6.12.117 has it; the stable release that took it is not certain, "
                                 "and 5.10.y and 6.1.y are not told apart",
                                 {{RC1(6, 14), NEVER, SURE},
                                  {STABLE(6, 12, 13), RC1(6, 13), UNSURE}}},
    [LINUX_RULE_NOMINAL_BASE_MHZ] =
        {"nominal_freq is taken for kHz, so cpuinfo.max stays at P0",
         "083466754596, fixed by cb6a85f38f45",
         "fixed in 6.12.117 and in 6.15.y; the releases are not certain",
         {{RC1(6, 14), STABLE(6, 15, 3), UNSURE}, {STABLE(6, 12, 13), STABLE(6, 12, 34), UNSURE}}},
    [LINUX_RULE_DUMMY_WAIT] = {"the PM timer is read once after a C-state port",
                               "2002, comment b488f02156d3",
                               "",
                               {{ALWAYS, NEVER, SURE}}},
    [LINUX_RULE_DUMMY_WAIT_NO_GUEST] = {"guests skip the read",
                                        "fa583f71a99c",
                                        "",
                                        {{RC1(5, 5), NEVER, SURE}}},
    [LINUX_RULE_DUMMY_WAIT_INTEL] =
        {"only Intel CPUs still read it",
         "e400ad8b7e6a",
         "5.10 and 5.15 stable took it; from which release is not certain",
         {{STABLE(6, 0, 0), NEVER, SURE},
          {STABLE(5, 19, 12), RC1(6, 0), UNSURE},
          {STABLE(5, 15, 71), RC1(5, 16), UNSURE},
          {STABLE(5, 10, 168), RC1(5, 11), UNSURE}}},
    [LINUX_RULE_FORM_UTIL_QUARTER] = {"schedutil raises utilisation by a quarter, then scales",
                                      "8f1b971b4750",
                                      "",
                                      {{RC1(5, 14), NEVER, SURE}}},
    [LINUX_RULE_FORM_CLIPPED] = {"raised utilisation is clipped to the capacity",
                                 "9c0b4bb7f630, e37617c8e53a",
                                 "",
                                 {{RC1(6, 8), NEVER, SURE}}},
    [LINUX_RULE_FORM_CLIPPED_EARLY] = {"without invariance the headroom is lost to the clip",
                                       "9c0b4bb7f630, fixed by e37617c8e53a",
                                       "",
                                       {{RC1(6, 8), {6, 8, 0, 2}, UNSURE}}},
    [LINUX_RULE_RATE_CAP_10MS] = {"default rate limit: 1000 transition latencies, at most 10 ms",
                                  "",
                                  "",
                                  {{ALWAYS, RC1(6, 9), UNSURE}}},
    [LINUX_RULE_RATE_CAP_2MS] = {"default rate limit: 1000 transition latencies, at most 2 ms",
                                 "e13aa799c2a6",
                                 "",
                                 {{RC1(6, 9), RC1(6, 12), UNSURE}}},
    [LINUX_RULE_RATE_HALF_MORE] = {"default rate limit: one and a half transition latencies",
                                   "37c6dccd6837",
                                   "",
                                   {{RC1(6, 12), NEVER, UNSURE}}},
    [LINUX_RULE_AMD_PSD_TRUSTED] = {"_PSD is believed on AMD family 19h and later",
                                    "5368512abe08",
                                    "before, one CPU a policy on every AMD part",
                                    {{RC1(5, 10), NEVER, UNSURE}}},
    [LINUX_RULE_AMD_PSTATE] = {"the amd-pstate driver exists",
                               "ec437d71db77",
                               "",
                               {{RC1(5, 17), NEVER, SURE}}},
    [LINUX_RULE_AMD_PSTATE_EPP] = {"amd-pstate has an active mode",
                                   "ffa5096a7c33",
                                   "",
                                   {{RC1(6, 3), NEVER, SURE}}},
    [LINUX_RULE_AMD_PSTATE_DEFAULT] =
        {"amd-pstate is used, in active mode, without being asked for",
         "",
         "",
         {{RC1(6, 5), NEVER, SURE}}},
    [LINUX_RULE_AMD_PSTATE_NO_SHARED] = {"amd-pstate refuses shared-memory systems by default",
                                         "",
                                         "",
                                         {{RC1(6, 5), RC1(6, 11), UNSURE}}},
    [LINUX_RULE_AMD_PSTATE_SERVER] = {"servers of AMD family 1Ah and later use amd-pstate",
                                      "",
                                      "release from release notes, not from the source",
                                      {{RC1(6, 13), NEVER, UNSURE}}},
    [LINUX_RULE_AMD_PSTATE_CLAMP] = {"amd-pstate's numerator is at most the CPU's highest_perf",
                                     "bedadcfb011f",
                                     "",
                                     {{RC1(6, 1), RC1(6, 9), UNSURE}}},
    [LINUX_RULE_AMD_PSTATE_LNL_CHECK] =
        {"lowest_nonlinear must lie above min and not above nominal",
         "",
         "",
         {{RC1(6, 10), NEVER, UNSURE}}},
    [LINUX_RULE_AMD_PSTATE_1000US] = {"amd-pstate: delay 1000 us, latency 20000 ns",
                                      "",
                                      "before: delay 500 us, latency 131072 ns",
                                      {{RC1(6, 0), NEVER, UNSURE}}},
    [LINUX_RULE_AMD_PSTATE_CEIL] = {"amd-pstate converts performance to frequency rounding up",
                                    "",
                                    "",
                                    {{RC1(6, 15), NEVER, UNSURE}}},
    [LINUX_RULE_PREFCORE] = {"amd-pstate ranks preferred cores",
                             "f3a052391822",
                             "",
                             {{RC1(6, 9), NEVER, SURE}}},
    [LINUX_RULE_FAST_CPPC] = {"FAST_CPPC shortens amd-pstate's delay to 600 us",
                              "069a2bb8c48c",
                              "posted April 2024; 6.11 from the dates of the series",
                              {{RC1(6, 11), NEVER, UNSURE}}},
    [LINUX_RULE_INTEL_PASSIVE] = {"intel_pstate without HWP is passive by default",
                                  "33aa46f252c7",
                                  "",
                                  {{RC1(5, 8), NEVER, SURE}}},
    [LINUX_RULE_HWP_NEEDS_EPP] = {"HWP is switched on only with EPP, or when firmware did it",
                                  "7aa1031223bc",
                                  "",
                                  {{RC1(5, 9), NEVER, UNSURE}}},
    [LINUX_RULE_HYBRID_SCALING] = {"HWP levels of P cores are scaled by a factor of their own",
                                   "eb3693f0521e",
                                   "the factors by model came later, one by one",
                                   {{RC1(5, 14), NEVER, UNSURE}}},
    [LINUX_RULE_INTEL_IDLE_CST] = {"intel_idle uses _CST",
                                   "18734958e9bf",
                                   "",
                                   {{RC1(5, 6), NEVER, SURE}}},
    [LINUX_RULE_CST_LATENCY_SORT] = {"C-state latencies out of order are sorted",
                                     "65ea8f2c6e23",
                                     "",
                                     {{RC1(5, 14), NEVER, UNSURE}}},
    [LINUX_RULE_CPPC_OSC_GATE] = {"_CPC is read only where \\_SB._OSC acknowledged CPPC v2",
                                  "",
                                  "the list of AMD models that need no acknowledgement came in 6.0",
                                  {{RC1(5, 18), NEVER, UNSURE}}},
    [LINUX_RULE_CPC_REV4_STRICT] = {"a _CPC beyond revision 3 is read as revision 3",
                                    "",
                                    "",
                                    {{RC1(5, 10), NEVER, UNSURE}}},
    [LINUX_RULE_SCHEDUTIL_DEFAULT] =
        {"schedutil is the default governor with intel_pstate built in",
         "33aa46f252c7, a00ec3874e7d",
         "distributions choose their own",
         {{RC1(5, 8), NEVER, UNSURE}}},
};

const struct linux_rule_entry *linux_rule_at(enum linux_rule rule)
{
    return &entries[(unsigned)rule < LINUX_RULES ? rule : 0];
}

static bool is_set(struct linux_version version)
{
    return version.major != 0;
}

static bool contains(const struct linux_interval *interval, struct linux_version version)
{
    return linux_version_since(version, interval->since) &&
           (!is_set(interval->until) || !linux_version_since(version, interval->until));
}

bool linux_rule_holds(enum linux_rule rule, struct linux_version version)
{
    const struct linux_rule_entry *entry = linux_rule_at(rule);

    for (size_t i = 0; i < LINUX_INTERVALS && is_set(entry->intervals[i].since); i++) {
        if (contains(&entry->intervals[i], version)) {
            return true;
        }
    }
    return false;
}

/* Close enough for a mistake of one release to change the answer. */
static bool is_near(struct linux_version version, struct linux_version boundary)
{
    int minors = (int)version.minor - (int)boundary.minor;
    int stables = (int)version.sublevel - (int)boundary.sublevel;

    if (!is_set(boundary) || version.major != boundary.major) {
        return false;
    }
    if (boundary.sublevel != 0) {
        return minors == 0 && version.sublevel != 0 && stables > -10 && stables < 10;
    }
    return minors >= -1 && minors <= 1;
}

/* Of an interval with a stable release as one of its boundaries only that one is in doubt. */
static bool is_near_doubt(struct linux_version version, const struct linux_interval *interval)
{
    bool has_stable = interval->since.sublevel != 0 || interval->until.sublevel != 0;

    return (is_near(version, interval->since) && (!has_stable || interval->since.sublevel != 0)) ||
           (is_near(version, interval->until) && (!has_stable || interval->until.sublevel != 0));
}

bool linux_rule_is_uncertain(enum linux_rule rule, struct linux_version version)
{
    const struct linux_rule_entry *entry = linux_rule_at(rule);

    for (size_t i = 0; i < LINUX_INTERVALS && is_set(entry->intervals[i].since); i++) {
        const struct linux_interval *interval = &entry->intervals[i];

        if (interval->is_uncertain && is_near_doubt(version, interval)) {
            return true;
        }
    }
    return false;
}
