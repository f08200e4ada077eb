// Elementary functions with the same bits on every machine. They use +, −, ×, ÷, the square root and exact
// operations alone, which IEEE 754 rounds in one way only; those of the C library differ in their last digit
// between its versions and between processors. For numbers that identify something: samples of a
// distribution, a random slip that a seed names. Errors: some units in the last place, as each function says.
#ifndef FATHOM_CORE_REPRODUCIBLE_H
#define FATHOM_CORE_REPRODUCIBLE_H

double reproducible_exp(double x); // error 2·10⁻¹⁶; 0 below −745, +infinity above 709
double reproducible_log(double x); // error 3·10⁻¹⁶ of the larger of the result and 1; x > 0, normal
// base^exponent for base > 0, as exp(exponent · log(base)): error 10⁻¹⁵ where |exponent · log(base)| < 10.
double reproducible_power(double base, double exponent);

// cos and sin of a number of turns (2π): exact at multiples of a quarter, error 2·10⁻¹⁶.
double reproducible_cos_turns(double turns);
double reproducible_sin_turns(double turns);

// The standard normal distribution: the probability of a value below x, with a relative error of 10⁻¹³ down
// to x = −37; and the value below which a number lies with probability p, 0 < p < 1, with a relative error of
// 10⁻¹⁵.
double reproducible_normal_probability(double x);
double reproducible_normal_quantile(double p);

#endif
