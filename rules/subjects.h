#pragma once

#include "rules/rule.h"

/*
 * The tables of rules, one a subject, each in its own file. A table is an array that ends with an entry
 * whose id is NULL.
 */
extern const struct rule aml_rules[];
extern const struct rule amd_rules[];
extern const struct rule amd_cppc_rules[];
extern const struct rule clock_rules[];
extern const struct rule cpc_rules[];
extern const struct rule cpc_field_rules[];
extern const struct rule cpc_register_rules[];
extern const struct rule cpc_value_rules[];
extern const struct rule cpc_set_rules[];
extern const struct rule csd_rules[];
extern const struct rule cst_rules[];
extern const struct rule cst_register_rules[];
extern const struct rule cst_set_rules[];
extern const struct rule fadt_rules[];
extern const struct rule fadt_power_rules[];
extern const struct rule frequency_rules[];
extern const struct rule frequency_boost_rules[];
extern const struct rule handshake_rules[];
extern const struct rule hpet_rules[];
extern const struct rule idle_rules[];
extern const struct rule idle_claims_rules[];
extern const struct rule idle_counters_rules[];
extern const struct rule intel_rules[];
extern const struct rule intel_limit_rules[];
extern const struct rule linux_rules[];
extern const struct rule lpi_rules[];
extern const struct rule madt_rules[];
extern const struct rule mp_rules[];
extern const struct rule pcc_rules[];
extern const struct rule pcct_rules[];
extern const struct rule pct_rules[];
extern const struct rule ppc_rules[];
extern const struct rule processor_rules[];
extern const struct rule psd_rules[];
extern const struct rule pss_rules[];
extern const struct rule pss_row_rules[];
extern const struct rule pss_set_rules[];
extern const struct rule repair_rules[];
extern const struct rule run_rules[];
extern const struct rule request_rules[];
extern const struct rule work_rules[];
extern const struct rule table_rules[];
extern const struct rule cross_rules[];
