#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A sample as a report has it: {dist}. */
struct sample {
    double n;
    double mean;
    double stddev;
};

/*
 * Welch's t-test of two means with unequal variances: the two-sided probability that samples of equal means
 * differ so much (Welch 1947, "The generalization of Student's problem when several different population
 * variances are involved", Biometrika 34). 1 when a sample is smaller than 2; 0 when neither scatters and
 * the means differ.
 */
double significance_welch(const struct sample *one, const struct sample *other);

/* Two-sided probability of |t| or more with `freedom` degrees. */
double significance_student(double t, double freedom);
