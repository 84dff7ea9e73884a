#include "host/significance.h"

#include <math.h>

#define ROUNDS_MAX 500
#define CLOSE 1e-12
#define TINY 1e-300

/* The continued fraction of the incomplete beta function by Lentz's method: NIST DLMF 8.17.22. */
static double beta_fraction(double a, double b, double x)
{
    double c = 1;
    double d = 1 - (a + b) * x / (a + 1);
    double h;

    d = 1 / (fabs(d) < TINY ? TINY : d);
    h = d;
    for (int m = 1; m <= ROUNDS_MAX; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double step;

        d = 1 + even * d;
        c = 1 + even / c;
        d = 1 / (fabs(d) < TINY ? TINY : d);
        h *= d * (fabs(c) < TINY ? TINY : c);
        d = 1 + odd * d;
        c = 1 + odd / c;
        d = 1 / (fabs(d) < TINY ? TINY : d);
        step = d * (fabs(c) < TINY ? TINY : c);
        h *= step;
        if (fabs(step - 1) < CLOSE) {
            break;
        }
    }
    return h;
}

/* Regularised incomplete beta function: NIST DLMF 8.17.2, 8.17.4. */
static double beta_ratio(double a, double b, double x)
{
    double front;

    if (x <= 0 || x >= 1) {
        return x <= 0 ? 0 : 1;
    }
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x));
    if (x < (a + 1) / (a + b + 2)) {
        return front * beta_fraction(a, b, x) / a;
    }
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double significance_student(double t, double freedom)
{
    if (isnan(t) || freedom <= 0) {
        return 1;
    }
    return beta_ratio(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double significance_welch(const struct sample *one, const struct sample *other)
{
    double a;
    double b;
    double freedom;

    if (one->n < 2 || other->n < 2) {
        return 1;
    }
    a = one->stddev * one->stddev / one->n;
    b = other->stddev * other->stddev / other->n;
    if (a + b <= 0) {
        return one->mean < other->mean || one->mean > other->mean ? 0 : 1;
    }
    freedom = (a + b) * (a + b) / (a * a / (one->n - 1) + b * b / (other->n - 1));
    return significance_student((one->mean - other->mean) / sqrt(a + b), freedom);
}
