#include "report/report.h"
#include "tests/sim/sim_freq_platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/*
 * measured.json of three machine folders, recorded on simulated machines: what is measured there is exactly what the
 * folder holds. With ASSAY_WRITE_SAMPLES set the folders are written anew. tests/machines/own.sh then looks at the
 * three columns.
 */
#define US UINT64_C(1000000) /* in ps */
#define TEXT_BYTES (256 * 1024)

static struct sim_freq machine;
static struct sim_platform sim;
static char text[TEXT_BYTES];
static char stored[TEXT_BYTES];

static void set_rows(uint32_t rows, const uint64_t *khz)
{
    machine.rows = rows;
    memcpy(machine.true_khz, khz, rows * sizeof(khz[0]));
}

static void read_stored(const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t length = file == NULL ? 0 : fread(stored, 1, sizeof(stored) - 1, file);

    stored[length] = '\0';
    if (file != NULL) {
        (void)fclose(file);
    }
}

static void write_stored(const char *path)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static void record(const uint64_t *claimed_mhz, const uint64_t *controls, const char *path)
{
    struct textbuf out;

    sim_freq_platform(&machine, &sim, claimed_mhz);
    for (uint32_t i = 0; controls != NULL && i < machine.rows; i++) {
        sim_freq_claim(&sim, i, controls[i]);
    }
    sim_freq_run(&machine, &sim);
    assert_null(machine.failure);
    assert_null(sim.platform.freq_skipped);
    textbuf_init(&out, text, sizeof(text), NULL, NULL);
    report_snapshot_measured(&sim.platform, &out);
    assert_false(out.has_failed);
    if (getenv("ASSAY_WRITE_SAMPLES") != NULL) {
        write_stored(path);
    }
    read_stored(path);
    assert_string_equal(text, stored);
    sim_platform_free(&sim);
    sim_freq_free(&machine);
}

/* The loop takes a millisecond, as on parts without FAST_CPPC. */
static void epyc_7742(void **state)
{
    static const uint64_t khz[] = {2250000, 2000000, 1500000};
    static const uint64_t mhz[] = {2250, 2000, 1500};
    static const uint64_t boost_khz[] = {3400000, 3350000};

    (void)state;
    sim_freq_init(&machine, 8, 7742);
    sim_freq_make_amd(&machine);
    machine.packages = 4; /* of two, as CPUID 80000008H of the folder has it */
    machine.tsc_khz = 2250000;
    machine.mperf_khz = 2250000;
    machine.has_boost = true;
    memcpy(machine.boost_khz, boost_khz, sizeof(boost_khz));
    machine.up_ps = 950 * US;
    machine.down_ps = 400 * US;
    machine.settle_jitter_permille = 50;
    set_rows(3, khz);
    record(mhz, NULL, "tests/machines/epyc-7742/measured.json");
}

/* Bus clock 133.3 MHz: ratios 24, 24, 21, 21 by active cores, 18, 12, 6. */
static void atom_z8350(void **state)
{
    static const uint64_t khz[] = {2400000, 2400000, 1600000, 800000};
    static const uint64_t mhz[] = {2401, 2400, 1600, 800};
    static const uint64_t controls[] = {0x1852, 0x1244, 0x0C38, 0x062D};
    static const uint64_t boost_khz[] = {3200000, 3200000, 2800000, 2800000};

    (void)state;
    sim_freq_init(&machine, 4, 8350);
    machine.domain = 4;
    machine.has_residency = true;
    machine.tsc_khz = 2400000;
    machine.mperf_khz = 2400000;
    machine.has_boost = true;
    memcpy(machine.boost_khz, boost_khz, sizeof(boost_khz));
    memcpy(machine.control, controls, sizeof(controls));
    for (uint32_t i = 0; i < machine.count; i++) {
        machine.cpus[i].control = controls[0];
    }
    machine.up_ps = 60 * US;
    machine.down_ps = 25 * US;
    set_rows(4, khz);
    record(mhz, controls, "tests/machines/atom-x5-z8350/measured.json");
}

/* Eight cores of two threads; the fast loop. */
static void ryzen_7840hs(void **state)
{
    static const uint64_t khz[] = {3800000, 2200000, 1600000};
    static const uint64_t mhz[] = {3800, 2200, 1600};
    static const uint64_t boost_khz[] = {5100000, 5100000, 4950000, 4900000,
                                         4800000, 4750000, 4700000, 4650000};

    (void)state;
    sim_freq_init(&machine, 16, 7840);
    sim_freq_make_amd(&machine);
    machine.threads = 2;
    machine.tsc_khz = 3800000;
    machine.mperf_khz = 3800000;
    machine.has_boost = true;
    memcpy(machine.boost_khz, boost_khz, sizeof(boost_khz));
    /* All but the first two cores are a little slower. */
    for (uint32_t i = 4; i < machine.count; i++) {
        machine.core_khz[i] = -100000;
    }
    machine.up_ps = 420 * US;
    machine.down_ps = 180 * US;
    machine.settle_jitter_permille = 100;
    set_rows(3, khz);
    record(mhz, NULL, "tests/machines/ryzen-7840hs/measured.json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(epyc_7742), cmocka_unit_test(atom_z8350),
                                       cmocka_unit_test(ryzen_7840hs)};

    return cmocka_run_group_tests_name("freq_machines", tests, NULL, NULL);
}
