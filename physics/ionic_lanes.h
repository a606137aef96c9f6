/* States first on the CPU: cells of one model and its parameters go on side by side, so that compilers make vectors of them (no
 * branches, no calls: physics/ionic_math.h). */
#pragma once
#include "physics/ionic_model.h"

enum { IONIC_ABREAST = 16 };

/* name_first (physics/ionic_kernels.h) of as many cells: from, to [n_state][IONIC_ABREAST], not the same place, the rest
 * [IONIC_ABREAST]; f: mV/ms, by_V: 1/ms. */
typedef void IonicAbreast(const IonicConstants *restrict c, double dt, const double *restrict V,
                          const double *restrict stimulus, const double *restrict from, double *restrict to,
                          double *restrict f, double *restrict by_V);
/* Of each model, by its kind. */
#define IONIC(name, text, n) extern IonicAbreast name##_abreast;
#include "physics/ionics.def"
#undef IONIC
