#pragma once

#include "tests/rules/fixture.h"

/*
 * One sound machine with one thing changed, and what the rules must say of it: a finding of rule `id`
 * that is FAIL, WARN or INFO, and no FAIL or WARN of any rule but `id` and those that `also` lists.
 */
struct rule_case {
    const char *id; /* NULL ends the table */
    enum fixture_machine machine;
    const char *edit;                        /* fixture_edit; NULL: none */
    const char *also;                        /* "XXX-001 YYY-002"; NULL: none */
    void (*change)(struct fixture *fixture); /* what edits cannot say; NULL: none */
};

/* The rule must say PASS, and no rule FAIL or WARN: where no sound machine has what the rule is about,
 * and the conventions that are not faults. */
extern const struct rule_case cases_that_hold[];

extern const struct rule_case cases_of_cpc[];
extern const struct rule_case cases_of_frequency[];
extern const struct rule_case cases_of_idle[];
extern const struct rule_case cases_of_machine[];
extern const struct rule_case cases_of_pstates[];
extern const struct rule_case cases_of_registers[];
extern const struct rule_case cases_of_tables[];
