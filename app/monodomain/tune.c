/* See tune.h. */
#include "app/monodomain/tune.h"

#include <math.h>

/* Elements and steps of the limit, in lengths of a front and in parts of 1/max_slope. */
static const double FINE = 0.125, FINE_STEP = 0.01;
enum { MOST = 60, DOUBLINGS = 24 };

/* Velocity with elements of `length` where diffusivity is D; 0: no front. */
static Status velocity_at(const TuneParams *p, double D, double *velocity) {
  StrandParams strand = p->strand;
  strand.h = p->length / sqrt(D);
  TRY(strand_speed(&strand, velocity));
  CHECK(!isnan(*velocity), ERR_INPUT, "steps of %g ms have no solution on a strand\n  remedy: a shorter '--time-step'",
        p->strand.step);
  *velocity *= sqrt(D);
  return OK;
}

/* Speed over sqrt(D) in the limit. Models with gates have one scheme, of first order. */
static Status limit_speed(const TuneParams *p, double *speed) {
  const double l = strand_front(p->strand.ionic);
  const IonicType *type = ionic_type(p->strand.ionic->kind);
  char model[IONIC_TEXT];
  ionic_text(p->strand.ionic->kind, model);
  CHECK(l > 0, ERR_INPUT, "cells of %s have no threshold, so that no front propagates", model);
  StrandParams fine = {.ionic = p->strand.ionic,
                       .scheme = &bdf2_scheme,
                       .h = 2 * FINE * l,
                       .step = fmin(p->strand.step, FINE_STEP / type->front_slope(p->strand.ionic))};
  double coarser;
  TRY(strand_speed(&fine, &coarser));
  fine.h = FINE * l;
  TRY(strand_speed(&fine, speed));
  CHECK(*speed > 0 && coarser > 0, ERR_INPUT, "no front runs in cells of %s with these parameters", model);
  *speed += (*speed - coarser) / 3; /* errors go with the square of h */
  return OK;
}

/* By halves between the logarithms: low makes too little, high enough. */
static Status tune_between(const TuneParams *p, double velocity, double low, double high, double *D) {
  for (int k = 0; k < MOST && high / low > 1 + TUNE_TOLERANCE; ++k) {
    double got;
    const double middle = sqrt(low * high);
    TRY(velocity_at(p, middle, &got));
    if (got < velocity) low = middle;
    else high = middle;
  }
  *D = high;
  return OK;
}

Status tune_velocity(const TuneParams *p, double velocity, Tuned *out) {
  double speed, got;
  TRY(limit_speed(p, &speed));
  out->limit = velocity / speed * (velocity / speed);
  TRY(velocity_at(p, out->limit, &out->at_limit));
  double low = out->limit, high = out->limit;
  got = out->at_limit;
  for (int k = 0; k < DOUBLINGS && got < velocity; ++k) {
    low = high, high *= 2;
    TRY(velocity_at(p, high, &got));
  }
  for (int k = 0; k < DOUBLINGS && low == high; ++k) { /* the limit is more than enough */
    double less;
    low /= 2;
    TRY(velocity_at(p, low, &less));
    if (less < velocity) break;
    high = low;
  }
  CHECK(got >= velocity && low < high, ERR_INPUT,
        "no diffusivity makes a front run at %g mm/ms with elements of %g mm and steps of %g ms", velocity, p->length,
        p->strand.step);
  return tune_between(p, velocity, low, high, &out->diffusivity);
}
