/* The dominant frequency of a signal at every unknown: the highest peak of its spectrum over a Hann window, from samples at even
 * times, which are added up on the Exec as they come. The mean is taken off. Frequencies are one over the length of the
 * window apart; between them the peak is found by a parabola, to a few hundredths of that for a single sine. */
#pragma once
#include "core/exec.h"

typedef struct DominantFrequencyParams {
  double begin, end; /* of the window */
  double from, to;   /* frequencies, per unit of time, 0 < from <= to */
  double least;      /* amplitude of a sine below which there is no peak */
} DominantFrequencyParams;

typedef struct DominantFrequency DominantFrequency;
/* Frequencies of such a spectrum; each takes 16 bytes an unknown. */
int64_t dominant_frequency_frequencies(const DominantFrequencyParams *params);
Status dominant_frequency_create(Exec *exec, int64_t n, const DominantFrequencyParams *params, DominantFrequency **out);
void dominant_frequency_destroy(DominantFrequency **frequency);
/* u[n] of this time, on the Exec; nothing where that lies outside of the window. */
Status dominant_frequency_add(DominantFrequency *frequency, double time, const double *u);
/* peak[n] on the Exec, per unit of time; 0: nothing swings; -1 as long as the window is not over at this time. */
Status dominant_frequency_peak(DominantFrequency *frequency, double time, double *peak);
/* For checkpoints, as activation_save has it. */
int64_t dominant_frequency_state_size(const DominantFrequency *spectrum); /* doubles */
Status dominant_frequency_save(const DominantFrequency *frequency, double *host);
Status dominant_frequency_restore(DominantFrequency *frequency, const double *host);
