#include "rules/cpc.h"
#include "rules/subjects.h"

#define SPEC "ACPI 6.5, 8.4.6.1 _CPC (Continuous Performance Control)"

#define FREQ_MAX_MHZ 10000
#define FREQ_MIN_MHZ 100

#define LEVELS 4
static const enum cpc_register levels[LEVELS] = {CPC_HIGHEST_PERF, CPC_NOMINAL_PERF,
                                                 CPC_LOWEST_NONLINEAR_PERF, CPC_LOWEST_PERF};

/* The object of a processor when its values may be judged; tells the judge otherwise. */
static const struct object_set *cpc_of(struct judge *judge, const struct processor *processor)
{
    const struct object_set *set = platform_object(processor, OBJECT_CPC);

    if (set == NULL || !set->cpc.is_package) {
        judge_skip(judge, judge_missing(judge, OBJECT_CPC));
        return NULL;
    }
    if (!judge_is_certain(judge->platform, &processor->objects[OBJECT_CPC])) {
        judge_skip(judge, "the values were read from registers that a dump does not hold");
        return NULL;
    }
    return set;
}

/* Both values of a pair, or false with the judge told to skip. */
static bool get_two(struct judge *judge, const struct processor *processor, enum cpc_register a,
                    enum cpc_register b, uint64_t *ret_values)
{
    const struct object_set *set = cpc_of(judge, processor);

    if (set == NULL) {
        return false;
    }
    if (!cpc_get(processor, set, a, &ret_values[0]) ||
        !cpc_get(processor, set, b, &ret_values[1])) {
        judge_skip(judge, "the values are in registers that were not read");
        return false;
    }
    return true;
}

static void levels_are_not_zero(struct judge *judge, const struct processor *processor)
{
    const struct object_set *set = cpc_of(judge, processor);
    uint32_t known = 0;

    for (unsigned i = 0; set != NULL && i < LEVELS; i++) {
        uint64_t value;

        if (!cpc_get(processor, set, levels[i], &value)) {
            continue;
        }
        known++;
        if (value == 0) {
            judge_fail(judge, "levels above 0", "%s is 0", cpc_register_name(levels[i]));
            return;
        }
    }
    if (set != NULL && known == 0) {
        judge_skip(judge, "the values are in registers that were not read");
    }
}

static void check_order(struct judge *judge, const struct processor *processor,
                        enum cpc_register upper, enum cpc_register lower)
{
    uint64_t values[2];
    struct judge_text expected;

    if (!get_two(judge, processor, upper, lower, values)) {
        return;
    }
    if (values[0] < values[1] && values[0] != 0) {
        judge_fail(judge,
                   judge_text(&expected, "%s of at least %s", cpc_register_name(upper),
                              cpc_register_name(lower)),
                   "%s %llu, %s %llu", cpc_register_name(upper), (unsigned long long)values[0],
                   cpc_register_name(lower), (unsigned long long)values[1]);
    }
}

static void highest_is_above_nominal(struct judge *judge, const struct processor *processor)
{
    check_order(judge, processor, CPC_HIGHEST_PERF, CPC_NOMINAL_PERF);
}

static void nominal_is_above_nonlinear(struct judge *judge, const struct processor *processor)
{
    check_order(judge, processor, CPC_NOMINAL_PERF, CPC_LOWEST_NONLINEAR_PERF);
}

static void nonlinear_is_above_lowest(struct judge *judge, const struct processor *processor)
{
    check_order(judge, processor, CPC_LOWEST_NONLINEAR_PERF, CPC_LOWEST_PERF);
}

static void levels_differ(struct judge *judge, const struct processor *processor)
{
    uint64_t values[2];

    if (!get_two(judge, processor, CPC_HIGHEST_PERF, CPC_LOWEST_PERF, values)) {
        return;
    }
    if (values[0] == values[1] && values[0] != 0) {
        judge_warn(judge, "a range of levels", "highest and lowest are both %llu",
                   (unsigned long long)values[0]);
    }
}

static void boost_is_plausible(struct judge *judge, const struct processor *processor)
{
    uint64_t values[2];

    if (!get_two(judge, processor, CPC_HIGHEST_PERF, CPC_NOMINAL_PERF, values)) {
        return;
    }
    if (values[1] != 0 && values[0] / values[1] >= 4) {
        judge_warn(judge, "a highest level below 4 times the nominal one",
                   "highest_perf %llu, nominal_perf %llu", (unsigned long long)values[0],
                   (unsigned long long)values[1]);
    }
}

static void levels_fit(struct judge *judge, const struct processor *processor)
{
    const struct object_set *set = cpc_of(judge, processor);

    for (unsigned i = 0; set != NULL && i < LEVELS; i++) {
        uint64_t value;

        if (cpc_get(processor, set, levels[i], &value) && value > UINT32_MAX) {
            judge_fail(judge, "32 bits", "%s is 0x%llX", cpc_register_name(levels[i]),
                       (unsigned long long)value);
            return;
        }
    }
}

static void guaranteed_is_in_range(struct judge *judge, const struct processor *processor)
{
    const struct object_set *set = cpc_of(judge, processor);
    uint64_t guaranteed;
    uint64_t lowest;
    uint64_t highest;

    if (set == NULL) {
        return;
    }
    if (!cpc_has_register(&set->cpc, CPC_GUARANTEED_PERF) ||
        !cpc_get(processor, set, CPC_GUARANTEED_PERF, &guaranteed) ||
        !cpc_get(processor, set, CPC_LOWEST_PERF, &lowest) ||
        !cpc_get(processor, set, CPC_HIGHEST_PERF, &highest)) {
        judge_skip(judge, "no guaranteed performance that could be read");
    } else if (guaranteed < lowest || guaranteed > highest) {
        judge_warn(judge, "a guaranteed level between lowest and highest",
                   "guaranteed %llu, lowest %llu, highest %llu", (unsigned long long)guaranteed,
                   (unsigned long long)lowest, (unsigned long long)highest);
    }
}

/* What the reference counter's level must be: nominal_perf at nominal_freq, scaled to the counter's clock.
 * On x86 it is MPERF, which counts at the TSC's rate (Intel SDM vol. 3, 15.2; AMD APM vol. 2, 17.2). */
static uint64_t expected_reference(const struct platform *platform, uint64_t nominal_perf,
                                   uint64_t nominal_mhz)
{
    uint64_t tsc_mhz = platform->tsc_hz / 1000000;

    if (tsc_mhz == 0 || nominal_mhz == 0 || nominal_perf > UINT32_MAX) {
        return nominal_perf;
    }
    return (nominal_perf * tsc_mhz + nominal_mhz / 2) / nominal_mhz;
}

static void reference_is_right(struct judge *judge, const struct processor *processor)
{
    uint64_t values[2];
    uint64_t nominal_mhz = 0;
    struct judge_text text;

    if (!get_two(judge, processor, CPC_REFERENCE_PERF, CPC_NOMINAL_PERF, values)) {
        return;
    }
    if (values[0] == 0 || values[1] == 0) {
        judge_skip(judge, "no reference performance (nominal is then taken), or no nominal level");
        return;
    }
    (void)cpc_get(processor, platform_object(processor, OBJECT_CPC), CPC_NOMINAL_FREQ_MHZ,
                  &nominal_mhz);
    uint64_t expected = expected_reference(judge->platform, values[1], nominal_mhz);
    uint64_t larger = values[0] > expected ? values[0] : expected;
    uint64_t smaller = values[0] > expected ? expected : values[0];
    if (larger - smaller > larger / 10) {
        judge_fail(judge,
                   judge_text(&text, "reference_perf %llu: the level at the counter's clock",
                              (unsigned long long)expected),
                   "%llu: frequency from feedback counters is wrong by factor %llu.%02llu",
                   (unsigned long long)values[0],
                   (unsigned long long)(smaller == 0 ? 0 : larger / smaller),
                   (unsigned long long)(smaller == 0 ? 0 : larger % smaller * 100 / smaller));
    }
}

static void nominal_frequency_is_given(struct judge *judge, const struct processor *processor)
{
    const struct object_set *set = cpc_of(judge, processor);
    uint64_t mhz;

    if (set == NULL) {
        return;
    }
    if (!set->cpc.has_revision || set->cpc.revision < 3 ||
        !cpc_get(processor, set, CPC_NOMINAL_FREQ_MHZ, &mhz)) {
        judge_skip(judge, "no nominal frequency in this _CPC");
    } else if (mhz == 0) {
        judge_fail(judge, "the nominal frequency in MHz", "0");
    }
}

static void nominal_frequency_is_mhz(struct judge *judge, const struct processor *processor)
{
    const struct object_set *set = cpc_of(judge, processor);
    uint64_t mhz;

    if (set == NULL) {
        return;
    }
    if (!cpc_get(processor, set, CPC_NOMINAL_FREQ_MHZ, &mhz) || mhz == 0) {
        judge_skip(judge, "no nominal frequency in this _CPC");
    } else if (mhz > FREQ_MAX_MHZ) {
        judge_fail(judge, "MHz, below 10000", "nominal_freq %llu", (unsigned long long)mhz);
    } else if (mhz < FREQ_MIN_MHZ) {
        judge_fail(judge, "MHz, 100 or more", "nominal_freq %llu", (unsigned long long)mhz);
    }
}

static void frequencies_are_ordered(struct judge *judge, const struct processor *processor)
{
    uint64_t values[2];

    if (!get_two(judge, processor, CPC_LOWEST_FREQ_MHZ, CPC_NOMINAL_FREQ_MHZ, values)) {
        return;
    }
    if (values[1] == 0) {
        judge_skip(judge, "no nominal frequency in this _CPC");
    } else if (values[0] > values[1]) {
        judge_fail(judge, "a lowest frequency below the nominal one",
                   "lowest_freq %llu MHz, nominal_freq %llu MHz", (unsigned long long)values[0],
                   (unsigned long long)values[1]);
    }
}

static void lowest_frequency_is_given(struct judge *judge, const struct processor *processor)
{
    uint64_t values[2];

    if (!get_two(judge, processor, CPC_LOWEST_FREQ_MHZ, CPC_NOMINAL_FREQ_MHZ, values)) {
        return;
    }
    if (values[0] != 0 || values[1] == 0) {
        return;
    }
    if (cpc_is_amd(judge->platform, &platform_object(processor, OBJECT_CPC)->cpc)) {
        judge_warn(judge, "the lowest frequency in MHz", "0: amd-pstate refuses the processor");
    } else {
        judge_note(judge, "the lowest frequency in MHz", "0: not provided");
    }
}

struct scale {
    uint64_t lowest_mhz;
    uint64_t nominal_mhz;
    uint64_t lowest_perf;
    uint64_t nominal_perf;
};

/* The two points through which Linux lays its line (6.12 drivers/acpi/cppc_acpi.c cppc_perf_to_khz). */
static bool get_scale(struct judge *judge, const struct processor *processor,
                      struct scale *ret_scale)
{
    uint64_t mhz[2];
    uint64_t perf[2];

    if (!get_two(judge, processor, CPC_LOWEST_FREQ_MHZ, CPC_NOMINAL_FREQ_MHZ, mhz) ||
        !get_two(judge, processor, CPC_LOWEST_PERF, CPC_NOMINAL_PERF, perf)) {
        return false;
    }
    *ret_scale = (struct scale){mhz[0], mhz[1], perf[0], perf[1]};
    if (mhz[0] == 0 || mhz[1] < FREQ_MIN_MHZ || mhz[0] > UINT32_MAX || mhz[1] > UINT32_MAX ||
        perf[0] == 0 || perf[1] == 0 || perf[0] > UINT32_MAX || perf[1] > UINT32_MAX) {
        judge_skip(judge, "no two points on the scale from performance to frequency");
        return false;
    }
    return true;
}

static void scale_is_defined(struct judge *judge, const struct processor *processor)
{
    struct scale scale;

    if (!get_scale(judge, processor, &scale) || scale.lowest_mhz > scale.nominal_mhz) {
        return;
    }
    bool has_equal_perf = scale.lowest_perf == scale.nominal_perf;
    bool has_equal_mhz = scale.lowest_mhz == scale.nominal_mhz;
    if (has_equal_perf && !has_equal_mhz) {
        judge_fail(judge, "different levels for different frequencies",
                   "level %llu is both %llu and %llu MHz: Linux divides by zero",
                   (unsigned long long)scale.nominal_perf, (unsigned long long)scale.lowest_mhz,
                   (unsigned long long)scale.nominal_mhz);
    } else if (has_equal_mhz && !has_equal_perf) {
        judge_warn(judge, "different frequencies for different levels",
                   "levels %llu and %llu are both %llu MHz", (unsigned long long)scale.lowest_perf,
                   (unsigned long long)scale.nominal_perf, (unsigned long long)scale.nominal_mhz);
    }
}

/* AMD's levels are proportional to frequency up to nominal. Elsewhere the lowest level need not be the
 * lowest frequency (Intel HWP: level 1 at 400 MHz). A factor of 2 is far beyond rounding. */
static void scale_is_proportional(struct judge *judge, const struct processor *processor)
{
    struct scale scale;

    if (!get_scale(judge, processor, &scale)) {
        return;
    }
    if (!cpc_is_amd(judge->platform, &platform_object(processor, OBJECT_CPC)->cpc)) {
        judge_skip(judge, "levels need not be proportional to frequency on this processor");
        return;
    }
    uint64_t mhz = scale.nominal_mhz * scale.lowest_perf / scale.nominal_perf;
    if (scale.lowest_mhz <= scale.nominal_mhz && scale.lowest_perf < scale.nominal_perf &&
        (scale.lowest_mhz > 2 * mhz || 2 * scale.lowest_mhz < mhz)) {
        struct judge_text expected;

        judge_warn(judge,
                   judge_text(&expected, "about %llu MHz for level %llu", (unsigned long long)mhz,
                              (unsigned long long)scale.lowest_perf),
                   "lowest_freq %llu MHz", (unsigned long long)scale.lowest_mhz);
    }
}

static void selection_is_a_flag(struct judge *judge, const struct object_set *set)
{
    const struct cpc_element *element = &set->cpc.registers[CPC_AUTONOMOUS_SELECTION_ENABLE];

    if (element->kind == CPC_ELEMENT_INTEGER && element->integer > 1) {
        judge_fail(judge, "0 or 1", "autonomous selection is %llu",
                   (unsigned long long)element->integer);
    }
}

/* All ones say that the counter never wraps; a null register says the same. */
static void wraparound_is_plausible(struct judge *judge, const struct object_set *set)
{
    const struct cpc_element *element = &set->cpc.registers[CPC_COUNTER_WRAPAROUND_TIME];
    const struct cpc_element *counter = &set->cpc.registers[CPC_DELIVERED_COUNTER];

    if (element->kind != CPC_ELEMENT_INTEGER) {
        judge_skip(judge, "no wraparound time as an Integer");
    } else if (element->integer != 0 && element->integer < 60 && counter->reg.gas.width_bits > 40) {
        judge_warn(judge, "seconds until a counter of more than 40 bits wraps, or all ones",
                   "%llu s", (unsigned long long)element->integer);
    }
}

#define NO_BOOST "Linux takes the levels as invalid: no CPPC driver and no boost entry."

const struct rule cpc_value_rules[] = {
    {
        .id = "CPC-040",
        .title = "The four levels of _CPC are above zero",
        .spec = SPEC,
        .why = NO_BOOST,
        .advice = "Give each level its value on the abstract scale; the lowest is at least 1.",
        .known_as = "amd-pstate-ut: check_perf; Linux: cppc_get_perf_caps fails silently",
        .severity = SEVERITY_HIGH,
        .check = judge_processors,
        .judge_processor = levels_are_not_zero,
        .object = "_CPC",
    },
    {
        .id = "CPC-041",
        .title = "Highest performance of _CPC is at least nominal",
        .spec = SPEC,
        .why =
            "There is no boost entry: the system believes that the processor cannot go beyond its "
            "base clock, and frequency invariance is wrong.",
        .advice = "Correct highest or nominal performance.",
        .known_as = "amd-pstate-ut: check_perf",
        .severity = SEVERITY_HIGH,
        .check = judge_processors,
        .judge_processor = highest_is_above_nominal,
        .object = "_CPC",
    },
    {
        .id = "CPC-042",
        .title = "Nominal performance of _CPC is at least lowest non-linear",
        .spec = SPEC,
        .why = "amd-pstate refuses the processor: no frequency scaling.",
        .advice = "Correct lowest non-linear or nominal performance.",
        .known_as = "amd-pstate-ut: check_perf; Linux: lowest_nonlinear_freq is out of range",
        .severity = SEVERITY_HIGH,
        .check = judge_processors,
        .judge_processor = nominal_is_above_nonlinear,
        .object = "_CPC",
    },
    {
        .id = "CPC-043",
        .title = "Lowest non-linear performance of _CPC is at least lowest",
        .spec = SPEC,
        .why = "amd-pstate refuses the processor: no frequency scaling.",
        .advice = "Correct lowest or lowest non-linear performance.",
        .known_as = "amd-pstate-ut: check_perf; Linux: lowest_nonlinear_freq is out of range",
        .severity = SEVERITY_HIGH,
        .check = judge_processors,
        .judge_processor = nonlinear_is_above_lowest,
        .object = "_CPC",
    },
    {
        .id = "CPC-044",
        .title = "The levels of _CPC span a range",
        .spec = SPEC,
        .why = "There is nothing to choose: the processor neither saves power nor boosts.",
        .advice = "Give the real levels of the processor.",
        .severity = SEVERITY_HIGH,
        .check = judge_processors,
        .judge_processor = levels_differ,
        .object = "_CPC",
    },
    {
        .id = "CPC-045",
        .title = "Highest performance of _CPC is below four times nominal",
        .spec = SPEC,
        .why = "The system shows a maximum clock that no processor reaches and rates load too low.",
        .advice = "Put both levels on one scale.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_processors,
        .judge_processor = boost_is_plausible,
        .object = "_CPC",
    },
    {
        .id = "CPC-046",
        .title = "The levels of _CPC fit 32 bits",
        .spec = SPEC,
        .why = "Linux cuts them to 32 bits.",
        .advice = "Correct the value.",
        .severity = SEVERITY_HIGH,
        .check = judge_processors,
        .judge_processor = levels_fit,
        .object = "_CPC",
    },
    {
        .id = "CPC-047",
        .title = "Guaranteed performance of _CPC lies between lowest and highest",
        .spec = SPEC,
        .why = "Linux shows a wrong base frequency.",
        .advice = "Correct the guaranteed performance register.",
        .severity = SEVERITY_LOW,
        .check = judge_processors,
        .judge_processor = guaranteed_is_in_range,
        .object = "_CPC",
    },
    {
        .id = "CPC-048",
        .title = "Reference performance of _CPC is the level at which the reference counter counts",
        .spec = SPEC,
        .why = "The current frequency computed from the feedback counters is wrong by a constant "
               "factor.",
        .advice =
            "Set reference performance to nominal_perf x counter clock / nominal frequency, on "
            "each core by its own scale.",
        .severity = SEVERITY_HIGH,
        .check = judge_processors,
        .judge_processor = reference_is_right,
        .object = "_CPC",
    },
    {
        .id = "CPC-049",
        .title = "Nominal frequency of _CPC is given from revision 3 on",
        .spec = SPEC,
        .why = "amd-pstate refuses the processor, and acpi-cpufreq takes the boost base from _PSS.",
        .advice = "Set the nominal frequency in MHz.",
        .known_as = "Linux: nominal_freq(0) value is incorrect",
        .severity = SEVERITY_HIGH,
        .check = judge_processors,
        .judge_processor = nominal_frequency_is_given,
        .object = "_CPC",
    },
    {
        .id = "CPC-050",
        .title = "Nominal frequency of _CPC is in MHz",
        .spec = SPEC,
        .why = "The maximum frequency shown and used for scheduling is wrong by a power of ten.",
        .advice = "Give the nominal frequency in MHz.",
        .severity = SEVERITY_HIGH,
        .check = judge_processors,
        .judge_processor = nominal_frequency_is_mhz,
        .object = "_CPC",
    },
    {
        .id = "CPC-051",
        .title = "Lowest frequency of _CPC is not above nominal",
        .spec = SPEC,
        .why = "The conversion between level and frequency wraps around; amd-pstate refuses the "
               "processor.",
        .advice = "Correct lowest or nominal frequency.",
        .known_as = "Linux: min_freq or max_freq or nominal_freq value is incorrect",
        .severity = SEVERITY_HIGH,
        .check = judge_processors,
        .judge_processor = frequencies_are_ordered,
        .object = "_CPC",
    },
    {
        .id = "CPC-052",
        .title = "Lowest frequency of _CPC is given beside the nominal one",
        .spec = SPEC,
        .why = "Linux takes the frequency scale from SMBIOS; amd-pstate does not run at all.",
        .advice = "Set the lowest frequency in MHz.",
        .known_as = "Linux: min_freq(0) value is incorrect",
        .severity = SEVERITY_LOW,
        .check = judge_processors,
        .judge_processor = lowest_frequency_is_given,
        .object = "_CPC",
    },
    {
        .id = "CPC-053",
        .title = "Lowest and nominal of _CPC differ in level and in frequency alike",
        .spec = SPEC "; Linux 6.12 drivers/acpi/cppc_acpi.c cppc_perf_to_khz",
        .why = "The conversion between level and frequency divides by zero or is flat.",
        .advice = "Correct the two levels or the two frequencies.",
        .severity = SEVERITY_HIGH,
        .check = judge_processors,
        .judge_processor = scale_is_defined,
        .object = "_CPC",
    },
    {
        .id = "CPC-054",
        .title = "Lowest level and lowest frequency of _CPC are on the scale of the nominal ones",
        .spec = SPEC,
        .why = "Low frequencies are shown and requested wrongly.",
        .advice = "Set the lowest frequency to nominal frequency x lowest_perf / nominal_perf.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_processors,
        .judge_processor = scale_is_proportional,
        .object = "_CPC",
    },
    {
        .id = "CPC-055",
        .title = "Autonomous selection of _CPC is 0 or 1 when it is an Integer",
        .spec = SPEC,
        .why = "Systems disagree whether the platform chooses the performance by itself.",
        .advice = "Use 1 for autonomous, 0 for not.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = selection_is_a_flag,
        .kind = OBJECT_CPC,
    },
    {
        .id = "CPC-056",
        .title = "The wraparound time of _CPC fits its counters",
        .spec = SPEC,
        .why = "Software polls the counters needlessly often or discards good readings.",
        .advice = "Give seconds, or all ones when the counter never wraps.",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = wraparound_is_plausible,
        .kind = OBJECT_CPC,
    },
    {.id = NULL},
};
