#include "model/linux/history.h"

#include <stddef.h>

/* A release from its first candidate on, which is where a merge window's work appears. */
#define RC1(major, minor)                                                                          \
    {                                                                                              \
        major, minor, 0, 1, false                                                                  \
    }
#define STABLE(major, minor, sublevel)                                                             \
    {                                                                                              \
        major, minor, sublevel, 0, false                                                           \
    }
#define NEVER                                                                                      \
    {                                                                                              \
        0, 0, 0, 0, false                                                                          \
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
                                    "in the power management pull for 6.12-rc1",
                                    {{RC1(6, 12), NEVER, SURE}}},
    [LINUX_RULE_BOOST_ROW] =
        {"acpi-cpufreq puts a boost row in front of P0",
         "3c55e94c0ade",
         "5.11 final to 5.11.2, and 5.10.17; how long 5.10.y kept it is not certain",
         {{STABLE(5, 11, 0), STABLE(5, 11, 3), SURE},
          {STABLE(5, 10, 17), STABLE(5, 10, 20), UNSURE}}},
    [LINUX_RULE_BOOST_MAX] = {"acpi-cpufreq raises cpuinfo.max_freq to the boost clock",
                              "538b0188da46",
                              "in the review of 5.11.3; the release of 5.10.y is not certain",
                              {{RC1(5, 12), NEVER, SURE},
                               {STABLE(5, 11, 3), RC1(5, 12), SURE},
                               {STABLE(5, 10, 20), RC1(5, 11), UNSURE}}},
    [LINUX_RULE_NUMERATOR_FIXED] =
        {"the AMD boost numerator is 166 or 255 by model",
         "3743d55b289c",
         "stable reviews of May 2021: patches 261 of 5.12.5 and 241 of 5.11.22",
         {{RC1(5, 13), RC1(6, 12), SURE},
          {STABLE(5, 12, 5), RC1(5, 13), SURE},
          {STABLE(5, 11, 22), RC1(5, 12), SURE}}},
    [LINUX_RULE_NUMERATOR_PREFCORE] =
        {"amd-pstate takes 166 or 196 where cores are ranked",
         "f3a052391822, bf202e654bfa",
         "196 came with the fix of bugzilla 218759 during 6.9; 6.6.51 has the "
         "preferred cores, whether also the 196 is not certain",
         {{RC1(6, 9), RC1(6, 12), SURE}, {STABLE(6, 6, 51), RC1(6, 7), UNSURE}}},
    [LINUX_RULE_NUMERATOR_DETECTED] = {"the AMD boost numerator follows detected preferred cores",
                                       "279f838a61f9",
                                       "",
                                       {{RC1(6, 12), NEVER, SURE}}},
    [LINUX_RULE_NUMERATOR_CORE_TYPE] =
        {"the AMD boost numerator also follows the core type",
         "3eef25ab0d89",
         "committed on 25 October 2024, between 6.12-rc4 and 6.13-rc1",
         {{RC1(6, 13), NEVER, SURE}}},
    [LINUX_RULE_NOMINAL_BASE] = {"the boost clock starts from _CPC nominal_freq, not from P0",
                                 "083466754596",
                                 "stable reviews of February and March 2025",
                                 {{RC1(6, 14), NEVER, SURE},
                                  {STABLE(6, 13, 2), RC1(6, 14), SURE},
                                  {STABLE(6, 12, 13), RC1(6, 13), SURE},
                                  {STABLE(6, 6, 76), RC1(6, 7), SURE},
                                  {STABLE(6, 1, 129), RC1(6, 2), SURE},
                                  {STABLE(5, 15, 179), RC1(5, 16), SURE},
                                  {STABLE(5, 10, 235), RC1(5, 11), SURE}}},
    [LINUX_RULE_NOMINAL_BASE_MHZ] =
        {"nominal_freq is taken for kHz, so cpuinfo.max stays at P0",
         "083466754596, fixed by cb6a85f38f45",
         "the fix is in the stable reviews of June 2025; 6.13.y ended before it",
         {{RC1(6, 14), STABLE(6, 14, 11), SURE},
          {RC1(6, 15), STABLE(6, 15, 2), SURE},
          {STABLE(6, 13, 2), RC1(6, 14), SURE},
          {STABLE(6, 12, 13), STABLE(6, 12, 33), SURE},
          {STABLE(6, 6, 76), STABLE(6, 6, 94), SURE},
          {STABLE(6, 1, 129), STABLE(6, 1, 142), SURE},
          {STABLE(5, 15, 179), STABLE(5, 15, 186), SURE},
          {STABLE(5, 10, 235), STABLE(5, 10, 239), SURE}}},
    [LINUX_RULE_DUMMY_WAIT] = {"the PM timer is read once after a C-state port",
                               "2002, comment b488f02156d3",
                               "",
                               {{ALWAYS, NEVER, SURE}}},
    [LINUX_RULE_DUMMY_WAIT_NO_GUEST] = {"guests skip the read",
                                        "fa583f71a99c",
                                        "",
                                        {{RC1(5, 5), NEVER, SURE}}},
    [LINUX_RULE_DUMMY_WAIT_INTEL] = {"only Intel CPUs still read it",
                                     "e400ad8b7e6a",
                                     "stable reviews of February 2023; 5.19.y had ended",
                                     {{STABLE(6, 0, 0), NEVER, SURE},
                                      {STABLE(5, 15, 92), RC1(5, 16), SURE},
                                      {STABLE(5, 10, 167), RC1(5, 11), SURE}}},
    [LINUX_RULE_FORM_UTIL_QUARTER] = {"schedutil raises utilisation by a quarter, then scales",
                                      "8f1b971b4750",
                                      "",
                                      {{RC1(5, 14), NEVER, SURE}}},
    [LINUX_RULE_FORM_CLIPPED] = {"raised utilisation is clipped to the capacity",
                                 "9c0b4bb7f630, e37617c8e53a",
                                 "",
                                 {{RC1(6, 8), NEVER, SURE}}},
    [LINUX_RULE_FORM_CLIPPED_EARLY] =
        {"without invariance the headroom is lost to the clip",
         "9c0b4bb7f630, fixed by e37617c8e53a",
         "reports name 6.8-rc1; the fix was merged on 18 January 2024, three days before that tag, "
         "so the tag itself may have it",
         {{RC1(6, 8), {6, 8, 0, 2, false}, UNSURE}}},
    [LINUX_RULE_RATE_CAP_10MS] = {"default rate limit: 1000 transition latencies, at most 10 ms",
                                  "",
                                  "",
                                  {{ALWAYS, RC1(6, 9), SURE}}},
    [LINUX_RULE_RATE_CAP_2MS] = {"default rate limit: 1000 transition latencies, at most 2 ms",
                                 "e13aa799c2a6",
                                 "",
                                 {{RC1(6, 9), RC1(6, 12), SURE}}},
    [LINUX_RULE_RATE_HALF_MORE] = {"default rate limit: one and a half transition latencies",
                                   "37c6dccd6837",
                                   "",
                                   {{RC1(6, 12), NEVER, SURE}}},
    [LINUX_RULE_AMD_PSD_TRUSTED] =
        {"_PSD is believed on AMD family 19h and later",
         "5368512abe08",
         "before, one CPU a policy on every AMD part; in the review of 5.4.75 too",
         {{RC1(5, 10), NEVER, SURE}, {STABLE(5, 4, 75), RC1(5, 5), SURE}}},
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
                                         "918263938c41 ends it",
                                         "in the series that became 6.11",
                                         {{RC1(6, 5), RC1(6, 11), SURE}}},
    [LINUX_RULE_AMD_PSTATE_SERVER] = {"servers of AMD family 1Ah and later use amd-pstate",
                                      "Swapnil Sapkal, \"Switch to amd-pstate by default on some "
                                      "Server platforms\"",
                                      "from the pull request's text, not from the source",
                                      {{RC1(6, 13), NEVER, UNSURE}}},
    [LINUX_RULE_AMD_PSTATE_CLAMP] = {"amd-pstate's numerator is at most the CPU's highest_perf",
                                     "bedadcfb011f",
                                     "6.6.51 took the series that ends it",
                                     {{RC1(6, 1), STABLE(6, 6, 51), SURE},
                                      {RC1(6, 7), RC1(6, 9), SURE}}},
    [LINUX_RULE_AMD_PSTATE_LNL_CHECK] =
        {"lowest_nonlinear must lie above min and not above nominal",
         "8f8b42c1fcc9",
         "posted from May to June 2024, in the series that became 6.11",
         {{RC1(6, 11), NEVER, SURE}}},
    [LINUX_RULE_AMD_PSTATE_1000US] = {"amd-pstate: delay 1000 us, latency 20000 ns",
                                      "ca08e46d4215",
                                      "before: delay 500 us, latency 131072 ns; in the pull for "
                                      "6.1-rc1",
                                      {{RC1(6, 1), NEVER, SURE}}},
    [LINUX_RULE_AMD_PSTATE_CEIL] = {"amd-pstate converts performance to frequency rounding up",
                                    "620136ced35a",
                                    "written on 5 February 2025, after 6.14-rc1",
                                    {{RC1(6, 15), NEVER, SURE}}},
    [LINUX_RULE_PREFCORE] = {"amd-pstate ranks preferred cores",
                             "f3a052391822",
                             "6.6.51 has it as 1ec40a175a48",
                             {{RC1(6, 9), NEVER, SURE}, {STABLE(6, 6, 51), RC1(6, 7), SURE}}},
    [LINUX_RULE_FAST_CPPC] = {"FAST_CPPC shortens amd-pstate's delay to 600 us",
                              "c7107750b2ff, c00d476cbcef",
                              "pulled under the tag amd-pstate-v6.11-2024-06-11",
                              {{RC1(6, 11), NEVER, SURE}}},
    [LINUX_RULE_INTEL_PASSIVE] = {"intel_pstate without HWP is passive by default",
                                  "33aa46f252c7",
                                  "",
                                  {{RC1(5, 8), NEVER, SURE}}},
    [LINUX_RULE_HWP_NEEDS_EPP] = {"HWP is switched on only with EPP, or when firmware did it",
                                  "7aa1031223bc",
                                  "written on 14 July 2020, in the pull for 5.9-rc1",
                                  {{RC1(5, 9), NEVER, SURE}}},
    [LINUX_RULE_HYBRID_SCALING] = {"HWP levels of P cores are scaled by a factor of their own",
                                   "eb3693f0521e",
                                   "the factors by model came later, one by one",
                                   {{RC1(5, 14), NEVER, SURE}}},
    [LINUX_RULE_CPPC_SCALING] =
        {"HWP levels of a core that names no type are scaled where _CPC says so",
         "f5c8cf2a4992",
         "in the fixes for 6.1-rc4; from 5.15 on another calculation, not modelled",
         {{{6, 1, 0, 4, false}, NEVER, UNSURE}}},
    [LINUX_RULE_INTEL_IDLE_CST] = {"intel_idle uses _CST",
                                   "18734958e9bf",
                                   "",
                                   {{RC1(5, 6), NEVER, SURE}}},
    [LINUX_RULE_CST_LATENCY_SORT] = {"C-state latencies out of order are sorted",
                                     "65ea8f2c6e23",
                                     "patch 212 of the review of 5.13.2; 5.12.y, 5.10.y and 5.4.y "
                                     "took it within that month, releases not certain",
                                     {{RC1(5, 14), NEVER, SURE},
                                      {STABLE(5, 13, 2), RC1(5, 14), SURE},
                                      {STABLE(5, 12, 17), RC1(5, 13), UNSURE},
                                      {STABLE(5, 10, 50), RC1(5, 11), UNSURE},
                                      {STABLE(5, 4, 132), RC1(5, 5), UNSURE}}},
    [LINUX_RULE_CPPC_OSC_GATE] =
        {"_CPC is read only where \\_SB._OSC acknowledged CPPC v2",
         "7feec7430edd, 8b356e536e69",
         "between 5.19-rc5 and -rc6; patch 87 of the review of 5.18.11; the "
         "list of AMD models that need no acknowledgement came in 6.0",
         {{{5, 19, 0, 6, false}, NEVER, SURE}, {STABLE(5, 18, 11), RC1(5, 19), SURE}}},
    [LINUX_RULE_CPC_REV4_STRICT] = {"a _CPC beyond revision 3 is read as revision 3",
                                    "",
                                    "",
                                    {{RC1(5, 10), NEVER, UNSURE}}},
    [LINUX_RULE_CPPC_AFFINE] =
        {"CPPC performance and kHz lie on one line through lowest and nominal",
         "ec1c7ad47664",
         "posted in January 2022; 5.17.y, 5.16.y and 5.15.y took it that spring, "
         "releases not certain",
         {{RC1(5, 18), NEVER, SURE},
          {STABLE(5, 17, 2), RC1(5, 18), UNSURE},
          {STABLE(5, 16, 19), RC1(5, 17), UNSURE},
          {STABLE(5, 15, 33), RC1(5, 16), UNSURE}}},
    [LINUX_RULE_CPPC_FLAT] = {"CPPC with lowest_freq equal to nominal_freq converts in proportion",
                              "d93df29bdab1",
                              "committed on 24 October 2024; in the stable reviews of 28 October",
                              {{{6, 12, 0, 5, false}, NEVER, SURE},
                               {STABLE(6, 11, 6), RC1(6, 12), SURE},
                               {STABLE(6, 6, 59), RC1(6, 7), SURE},
                               {STABLE(6, 1, 115), RC1(6, 2), SURE}}},
    [LINUX_RULE_AMD_7K62] = {"amd-pstate replaces the _CPC frequencies of an EPYC 7K62",
                             "eb8b6c368202",
                             "",
                             {{RC1(6, 10), NEVER, UNSURE}}},
    [LINUX_RULE_APIC_ORDER] = {"the boot CPU must be the first of the MADT",
                               "9d22c96316ac",
                               "applied on 21 May 2024, before 6.10-rc1; 6.9.y took it that month, "
                               "the release is not certain",
                               {{RC1(6, 10), NEVER, SURE}, {STABLE(6, 9, 3), RC1(6, 10), UNSURE}}},
    [LINUX_RULE_SCHEDUTIL_DEFAULT] =
        {"schedutil is the default governor with intel_pstate built in",
         "33aa46f252c7, a00ec3874e7d",
         "distributions choose their own",
         {{RC1(5, 8), NEVER, SURE}}},
    [LINUX_RULE_RATIO_SAID] = {"the ratio of frequency invariance is printed",
                               "3149cd553027",
                               "",
                               {{RC1(5, 11), NEVER, SURE}}},
    [LINUX_RULE_CST_SKIP_SAID] = {"a skipped _CST entry is said, with the reason",
                                  "",
                                  "posted in August 2020, after 5.9-rc1; before, they are skipped "
                                  "in silence",
                                  {{RC1(5, 10), NEVER, UNSURE}}},
    [LINUX_RULE_AMD_PSTATE_OFF_SAID] = {"amd-pstate says that it stays off",
                                        "",
                                        "posted on 23 February 2023, in the window of 6.3",
                                        {{RC1(6, 3), NEVER, UNSURE}}},
    [LINUX_RULE_CPPC_OFF_SAID] = {"amd-pstate says that firmware switched CPPC off",
                                  "",
                                  "in a user's log of 6.11-rc1",
                                  {{RC1(6, 11), NEVER, SURE}}},
    [LINUX_RULE_TOPOLOGY_SAID] = {"CPUID's topology levels are compared between CPUs",
                                  "",
                                  "with the rework of the topology code; before, only the APIC "
                                  "number of the MADT with that of CPUID",
                                  {{RC1(6, 9), NEVER, SURE}}},
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
