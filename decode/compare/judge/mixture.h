/*
 * How functions vary between runs of the same program, learned from all functions of a kind.
 *
 * The variance of a function from run to run is expressed as a factor of the plain noise of
 * independent samples: b + s^2 n, where b is the function's base (less than 1: more even than
 * chance), s its relative deviation between runs, and n the number of independent samples that a
 * run is worth. A few runs do not determine b and s of a function. So both are points of a grid
 * with weights: the prior, then what all functions of the kind have shown, then what this function
 * has shown. A p value is the mean over all points. docs/diff-method.md, sections 3 to 6, has the
 * formulas and their sources.
 */
#ifndef READPERF_DECODE_COMPARE_JUDGE_MIXTURE_H
#define READPERF_DECODE_COMPARE_JUDGE_MIXTURE_H

#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	MIXTURE_DEVIATIONS = 25, /* 0, then from 0.25 % by steps of the root of 2 up to 724 % */
	MIXTURE_BASES = 4,	 /* 1/8, 1/4, 1/2, 1 */
	MIXTURE_POINTS = MIXTURE_DEVIATIONS * MIXTURE_BASES,
};

/** Functions of a kind differ from run to run in a similar way. */
enum mixture_kind { MIXTURE_USER, MIXTURE_KERNEL, NR_MIXTURE_KINDS };

/** How a function varies between its runs. */
struct mixture_seen {
	enum mixture_kind kind;
	double factor;	/* R: the variance between its runs divided by the plain one */
	double df;	/* d: degrees of freedom of @factor; 0: unknown */
	double counts;	/* n: independent samples that a run is worth */
	double samples; /* samples that @factor is based on */
};

/** The weights of all points, for each kind; those of a kind sum to 1. */
struct mixture {
	double prior[NR_MIXTURE_KINDS][MIXTURE_POINTS];
	double learned[NR_MIXTURE_KINDS][MIXTURE_POINTS];
	bool several; /* at least one side has several runs */
};

/** What is likely for one function: its factor at the points that have weight. */
struct mixture_function {
	double roots[MIXTURE_POINTS]; /* square roots of the factors */
	double weights[MIXTURE_POINTS];
	size_t nr;
	/* degrees of freedom of the noise that is multiplied; INFINITY: the noise is known */
	double df;
};

/**
 * Sets the prior. @user_deviation, above 0 (0.03 is 3 %), is the scale of the deviations of user
 * space functions; the kernel's is ten times that. @several: at least one side has several runs; if
 * not, every base is 1 and nothing can be learned.
 */
void mixture_start(struct mixture *mixture, double user_deviation, bool several);

/**
 * Learns from the @nr functions in @seen, except those with df 0 or very few samples. If there are
 * very many, it takes an evenly spaced selection. Returns 0, or -1 with @err filled if memory is
 * out.
 */
int mixture_learn(struct mixture *mixture, const struct mixture_seen *seen, size_t nr,
		  struct error *err);

/** Sets what is likely for the function that showed @seen; its noise has @df degrees of freedom. */
void mixture_weigh(const struct mixture *mixture, const struct mixture_seen *seen, double df,
		   struct mixture_function *function);

/** The two-sided p value of the deviate @z, in standard deviations of plain noise. */
double mixture_p(const struct mixture_function *function, double z);

/** The deviate above 0 whose p value is @p, which must be in (0, 1). */
double mixture_deviate(const struct mixture_function *function, double p);

#endif
