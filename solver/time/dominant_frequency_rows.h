/* A spectrum per node, sample by sample: a sum of the windowed signal times a cosine and a sine for each frequency. Bytes per
 * row and sample of n frequencies: 8 (4 n + 3), which is what it costs. */
#pragma once
#include "core/hd.h"

#include <math.h>

typedef struct DominantFrequencyArgs {
  int64_t n; /* nodes */
  int32_t n_bin;
  double first, step;      /* frequencies, per unit of time: first + b step */
  double since, length;    /* of this sample since the window began; of the window */
  double least;            /* amplitude below which nothing swings */
  const double *u;         /* [n] the sample */
  double *table, *leak;    /* [2 n_bin + 1] window times cosine and sine, window alone: of this sample; sums of all */
  double *part, *constant; /* [2 n_bin][n] sums, of cosines and sines in turn; [n] of the window alone */
  double *peak;            /* [n] */
} DominantFrequencyArgs;

/* Hann's window, 0 at both ends. */
HD double dominant_frequency_window(const DominantFrequencyArgs *a) {
  const double angle = 6.283185307179586 * a->since / a->length;
  return 0.5 * (1 - cos(angle));
}

/* Rows are frequencies, and behind them the window. */
HD void dominant_frequency_table_body(const DominantFrequencyArgs *a, int64_t b, double *sum) {
  (void)sum;
  const double w = dominant_frequency_window(a),
               angle = 6.283185307179586 * (a->first + (double)b * a->step) * a->since;
  if (b == a->n_bin) {
    a->leak[2 * b] += a->table[2 * b] = w;
    return;
  }
  a->leak[2 * b] += a->table[2 * b] = w * cos(angle);
  a->leak[2 * b + 1] += a->table[2 * b + 1] = w * sin(angle);
}

HD void dominant_frequency_add_body(const DominantFrequencyArgs *a, int64_t i, double *sum) {
  (void)sum;
  const double u = a->u[i];
  for (int32_t k = 0; k < 2 * a->n_bin; ++k) a->part[k * a->n + i] += a->table[k] * u;
  a->constant[i] += a->table[2 * a->n_bin] * u;
}

/* Power of frequency b at node i, of the signal less its mean. */
HD double dominant_frequency_power(const DominantFrequencyArgs *a, int32_t b, int64_t i) {
  const double mean = a->constant[i] / a->leak[2 * a->n_bin], real = a->part[2 * b * a->n + i] - mean * a->leak[2 * b],
               imaginary = a->part[(2 * b + 1) * a->n + i] - mean * a->leak[2 * b + 1];
  return real * real + imaginary * imaginary;
}

/* The frequency of the highest peak, by a parabola through the logarithms of the three powers about it; 0 where no sine
 * of the least amplitude is in the signal. */
HD void dominant_frequency_peak_body(const DominantFrequencyArgs *a, int64_t i, double *sum) {
  (void)sum;
  int32_t best = 0;
  double most = -1;
  for (int32_t b = 0; b < a->n_bin; ++b) {
    const double power = dominant_frequency_power(a, b, i);
    if (power > most) most = power, best = b;
  }
  const double size = 0.5 * a->least * a->leak[2 * a->n_bin]; /* of the sum of a sine of that amplitude */
  if (!(most >= size * size)) {
    a->peak[i] = 0;
    return;
  }
  double aside = 0;
  if (best > 0 && best + 1 < a->n_bin) {
    const double low = dominant_frequency_power(a, best - 1, i), high = dominant_frequency_power(a, best + 1, i);
    if (low > 0 && high > 0) {
      const double left = log(low / most), right = log(high / most);
      if (left + right < 0) aside = 0.5 * (left - right) / (left + right);
    }
  }
  a->peak[i] = a->first + (best + aside) * a->step;
}
