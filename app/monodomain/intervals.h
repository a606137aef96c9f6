/* Intervals of an electrocardiogram: of the first beat in each lead. */
#pragma once
#include "app/run/run.h"

#include <stdint.h>

/* ms; not a number where there is no such part. onset: as in probes.csv; the others from there on. */
typedef struct Intervals {
  double onset, qrs, t_peak, qt;
} Intervals;

enum { INTERVAL_WORDS = 3 };
extern const char *const interval_word[INTERVAL_WORDS]; /* qrs, t-peak, qt: as `expect` names them */

/* Of v[n] at the rising times t[n]. The QRS complex is the part around the steepest change without gaps of 20 ms in which it changes at
 * less than 5 % of that rate and lies less than half the largest deflection from v[0]. The T wave is what lies farthest from v[0] behind it, at least 1 % of the largest deflection; it ends where the
 * tangent at its steepest return meets v[0]. A complex that goes
 * on less than 20 ms before the end, and a wave that is farthest at the end, are none. */
Intervals intervals_of(int32_t n, const double *t, const double *v);
/* Has the case leads that are sampled closely enough, every 2 ms? */
bool heart_has_intervals(const Case *c);
/* intervals.csv in the folder of a run whose files are whole, of the leads in its probes.csv, and the rows of `expect` that name an interval;
 * nothing of others. */
Status intervals_save(const Run *run);
/* A line of those of the first lead that has some. */
void intervals_print(const RunReport *report);
