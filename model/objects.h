#pragma once

#include "model/aml_value.h"
#include "model/avail.h"
#include "model/gas.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The processor objects in decoded form. Each decoded object keeps the raw value it came from
 * (struct object_set), because the rules also judge shape. A field whose element is missing or is
 * not of the type the specification demands is left 0 and its bit in `valid` is clear.
 */
enum object_kind {
    OBJECT_PSS = 0,
    OBJECT_PCT,
    OBJECT_PPC,
    OBJECT_PSD,
    OBJECT_CPC,
    OBJECT_CST,
    OBJECT_CSD,
    OBJECT_LPI,
    OBJECT_KINDS
};

/*
 * Errors of an evaluation that are our own and not ACPICA's (object_result.error): it asked to wait for
 * longer than an evaluation may take; its calls, packages or loads nest too deeply for any stack.
 */
#define AML_ERROR_SLEEPS "sleeps too long"
#define AML_ERROR_NESTS "nests too deeply"

/* "_PSS", "_PCT", ...: the four-letter name in the namespace. */
const char *object_kind_name(enum object_kind kind);

/* "pss", "pct", ...: the name report.json uses for the field and the set. */
const char *object_kind_field(enum object_kind kind);

/* A register descriptor inside a processor object (ACPI 6.5, 6.4.3.7 Generic Register Descriptor). */
struct object_register {
    enum avail avail; /* PRESENT: gas holds it; MALFORMED: see raw; ABSENT: no such element */
    bool is_null;     /* SystemMemory with every field 0: "not supported" in a _CPC */
    struct gas gas;
};

/* ACPI 6.5, 8.4.5.2 _PSS: one package of six Integers a row. */
enum pss_field {
    PSS_FREQ_MHZ = 0,
    PSS_POWER_MW,
    PSS_LATENCY_US,
    PSS_BM_LATENCY_US,
    PSS_CONTROL,
    PSS_STATUS,
    PSS_FIELDS
};

struct pss_row {
    uint32_t elements; /* how many elements the row's package has; 0 when it is no package */
    uint32_t valid; /* bit f set: element f (enum pss_field) is an Integer and field[f] holds it */
    uint64_t field[PSS_FIELDS];
};

struct pss {
    bool is_package;
    uint32_t count; /* elements of the outer package */
    const struct pss_row *rows;
};

/* ACPI 6.5, 8.4.5.1 _PCT: control and status register. */
struct pct {
    bool is_package;
    uint32_t elements;
    struct object_register control;
    struct object_register status;
};

/* ACPI 6.5, 8.4.5.5 _PSD and 8.4.1.2 _CSD: one row a dependency domain. */
enum dependency_field {
    DEPENDENCY_NUM_ENTRIES = 0,
    DEPENDENCY_REVISION,
    DEPENDENCY_DOMAIN,
    DEPENDENCY_COORD_TYPE,
    DEPENDENCY_NUM_PROCESSORS,
    DEPENDENCY_INDEX, /* _CSD only */
    DEPENDENCY_FIELDS
};

enum coord_type { COORD_SW_ALL = 0xFC, COORD_SW_ANY = 0xFD, COORD_HW_ALL = 0xFE };

struct dependency_row {
    uint32_t elements;
    uint32_t valid; /* bit f: field f (enum dependency_field) is an Integer */
    uint64_t field[DEPENDENCY_FIELDS];
};

struct dependency {
    bool is_package;
    uint32_t count;
    const struct dependency_row *rows;
};

/* ACPI 6.5, 8.4.1.1 _CST. */
enum cst_field { CST_TYPE = 0, CST_LATENCY_US, CST_POWER_MW, CST_FIELDS };

struct cst_state {
    uint32_t elements;
    uint32_t valid; /* bit f: field f (enum cst_field) is an Integer */
    struct object_register reg;
    uint64_t field[CST_FIELDS];
};

struct cst {
    bool is_package;
    bool has_count;
    uint64_t count;        /* element 0 */
    uint32_t states_count; /* elements that follow it */
    const struct cst_state *states;
};

/* ACPI 6.5, 8.4.6.1 _CPC: index k below is package element k + 2. Indices 21 and 22 are revision 4. */
enum cpc_register {
    CPC_HIGHEST_PERF = 0,
    CPC_NOMINAL_PERF,
    CPC_LOWEST_NONLINEAR_PERF,
    CPC_LOWEST_PERF,
    CPC_GUARANTEED_PERF,
    CPC_DESIRED_PERF,
    CPC_MIN_PERF,
    CPC_MAX_PERF,
    CPC_PERF_REDUCTION_TOLERANCE,
    CPC_TIME_WINDOW,
    CPC_COUNTER_WRAPAROUND_TIME,
    CPC_REFERENCE_COUNTER,
    CPC_DELIVERED_COUNTER,
    CPC_PERF_LIMITED,
    CPC_ENABLE,
    CPC_AUTONOMOUS_SELECTION_ENABLE,
    CPC_AUTONOMOUS_ACTIVITY_WINDOW,
    CPC_ENERGY_PERF_PREFERENCE,
    CPC_REFERENCE_PERF,
    CPC_LOWEST_FREQ_MHZ,
    CPC_NOMINAL_FREQ_MHZ,
    CPC_OSPM_NOMINAL_PERF,
    CPC_RESOURCE_PRIORITY,
    CPC_REGISTERS
};

/* "highest_perf", "nominal_freq_mhz", ...: the name report.json uses. */
const char *cpc_register_name(enum cpc_register index);

enum cpc_element_kind {
    CPC_ELEMENT_MISSING = 0, /* the package ends before it */
    CPC_ELEMENT_NULL,        /* an uninitialised element */
    CPC_ELEMENT_INTEGER,
    CPC_ELEMENT_REGISTER,
    CPC_ELEMENT_OTHER /* a type the specification does not allow */
};

struct cpc_element {
    enum cpc_element_kind kind;
    uint64_t integer;
    struct object_register reg;
};

struct cpc {
    bool is_package;
    bool has_entries;
    bool has_revision;
    uint64_t entries;  /* element 0, NumEntries */
    uint64_t revision; /* element 1 */
    uint32_t elements; /* real length of the package */
    struct cpc_element registers[CPC_REGISTERS];
};

/* ACPI 6.5, 8.4.3.3 _LPI: revision, level id, count, then one package a state. */
enum lpi_field {
    LPI_MIN_RESIDENCY_US = 0,
    LPI_WAKE_LATENCY_US,
    LPI_FLAGS,
    LPI_ARCH_FLAGS,
    LPI_RESIDENCY_FREQ_HZ,
    LPI_ENABLED_PARENT_STATE,
    LPI_FIELDS
};

struct lpi_state {
    uint32_t elements;
    uint32_t valid; /* bit f: field f (enum lpi_field) is an Integer */
    uint64_t field[LPI_FIELDS];
    enum cpc_element_kind entry_kind; /* element 6: Integer or register */
    uint64_t entry_integer;
    struct object_register entry;
    const char *name; /* element 9 when it is a String, else NULL */
};

struct lpi {
    bool is_package;
    bool has_header; /* elements 0 to 2 are Integers */
    uint64_t revision;
    uint64_t level_id;
    uint64_t count;
    uint32_t states_count;
    const struct lpi_state *states;
};

/* One distinct object: equal objects of several processors share a set ("pss#0"). */
struct object_set {
    enum object_kind kind;
    uint32_t index;   /* N of "pss#N", in order of first appearance; raw and repaired count apart */
    bool is_repaired; /* as ACPICA's repair left it, where that differs from what firmware said */
    uint64_t hash;
    const struct aml_value *raw;
    union {
        struct pss pss;
        struct pct pct;
        struct dependency psd;
        struct dependency csd;
        struct cpc cpc;
        struct cst cst;
        struct lpi lpi;
        uint64_t ppc;
    };
};

enum repair_outcome {
    REPAIR_NOT_TRIED = 0,
    REPAIR_SAME,    /* repair on gives the same object */
    REPAIR_CHANGED, /* repair on gives another object: object_result.repaired */
    REPAIR_UNSAFE, /* the raw object would make ACPICA's repair read out of bounds; not evaluated */
    REPAIR_RESCUED, /* the raw evaluation failed, the repaired one gave object_result.repaired */
    REPAIR_FAILED   /* the raw evaluation worked, the repaired one failed with repair_error */
};

/* One object of one processor. */
struct object_result {
    enum avail avail;       /* PRESENT: set is valid; ABSENT: no such name; FAULTED: error */
    const char *error;      /* "AE_..." when FAULTED, else NULL */
    const char *error_path; /* the method or name that failed, where the interpreter said it */
    const struct object_set *set; /* what the firmware said; NULL unless PRESENT */
    enum repair_outcome repair;
    const struct object_set *repaired; /* CHANGED and RESCUED only */
    const char *repair_error;          /* FAILED only */
    uint32_t hardware_reads; /* AML accesses to memory, I/O or PCI during the raw evaluation */
    uint32_t hardware_writes;
    uint32_t denied;     /* accesses the policy refused */
    uint32_t unrecorded; /* replay: accesses that nothing answered (read as zero) */
};
