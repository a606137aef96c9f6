/* The dominant frequency of a signal at every unknown: the highest peak of its spectrum over a Hann window, from samples at even
 * times, which are added up on the Exec as they come. The mean is taken off. Frequencies are one over the length of the
 * window apart; between them the peak is found by a parabola, to a few hundredths of that for a single sine. */
#pragma once
#include "core/exec.h"

typedef struct SpectrumParams {
  double begin, end; /* of the window */
  double from, to;   /* frequencies, per unit of time, 0 < from <= to */
  double least;      /* amplitude of a sine below which there is no peak */
} SpectrumParams;

typedef struct Spectrum Spectrum;
/* Frequencies of such a spectrum; each takes 16 bytes an unknown. */
int64_t spectrum_frequencies(const SpectrumParams *params);
Status spectrum_create(Exec *exec, int64_t n, const SpectrumParams *params, Spectrum **out);
void spectrum_destroy(Spectrum **spectrum);
/* u[n] of this time, on the Exec; nothing where that lies outside of the window. */
Status spectrum_add(Spectrum *spectrum, double time, const double *u);
/* peak[n] on the Exec, per unit of time; 0: nothing swings; -1 as long as the window is not over at this time. */
Status spectrum_peak(Spectrum *spectrum, double time, double *peak);
/* For checkpoints, as activation_save has it. */
int64_t spectrum_state_size(const Spectrum *spectrum); /* doubles */
Status spectrum_save(const Spectrum *spectrum, double *host);
Status spectrum_restore(Spectrum *spectrum, const double *host);
