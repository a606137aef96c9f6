/* Safety factors: what all of a stress is to be multiplied by until the material fails, for C and CUDA.
 *
 * von Mises; Mohr and Coulomb with a tension cut-off, which for principal stresses s1 >= s2 >= s3 is the largest of s1/T, -s3/C and
 * s1/T - s3/C; the largest principal stress; of axes 1, 2 and 3 Tsai and Hill,
 *   sum (s_i/X_i)^2 - sum (1/X_i^2 + 1/X_j^2 - 1/X_k^2) s_i s_j + sum (t_ij/S_ij)^2 = 1
 * (Hill, The Mathematical Theory of Plasticity, 1950, XII.2; Azzi and Tsai, Experimental Mechanics 5, 1965, 283-288), with the
 * strength of tension or of pressure by the sign of s_i, and Tsai and Wu (Journal of Composite Materials 5, 1971, 58-80),
 *   sum (1/X_i - 1/Xc_i) s_i + sum F_i s_i^2 - sum sqrt(F_i F_j) s_i s_j + sum (t_ij/S_ij)^2 = 1,  F_i = 1/(X_i Xc_i). */
#pragma once
#include "core/hd.h"
#include "physics/elastic_model.h"

#include <math.h>

enum {
#define STRENGTH(NAME, key, meaning) STRENGTH_##NAME,
#include "physics/strengths.def"
  N_STRENGTHS
};
/* In the order of the words of `criterion`, from 1; from TSAI_HILL on, stresses are in the axes of the material. */
typedef enum StrengthCriterion {
  STRENGTH_NONE,
  STRENGTH_VON_MISES,
  STRENGTH_MOHR_COULOMB,
  STRENGTH_PRINCIPAL,
  STRENGTH_TSAI_HILL,
  STRENGTH_TSAI_WU
} StrengthCriterion;
typedef struct Strength {
  StrengthCriterion criterion;
  double value[N_STRENGTHS];
} Strength;

/* Factors are cut off here: a body without stress has no other. And what stands where no strength is known. */
#define SAFETY_MOST 1e6
#define SAFETY_UNKNOWN (-1.0)

/* 1 / X^2 along axis i, under tension or pressure. */
HD double strength_inverse(const Strength *s, const int i, const double stress) {
  const double x = s->value[STRENGTH_X + 2 * i + (stress < 0 ? 1 : 0)];
  return 1 / (x * x);
}

/* Of the axis across axes i < j, tension or pressure is that of the weaker of these two, of equal ones j: with the same strengths
 * along axes 2 and 3 what is left is 1/X^2, as in a ply. */
HD double strength_coupling(const Strength *s, const double stress[6], const int i, const int j) {
  const double *x = s->value + STRENGTH_X;
  const int weak = fmin(x[2 * i], x[2 * i + 1]) < fmin(x[2 * j], x[2 * j + 1]) ? i : j;
  return strength_inverse(s, i, stress[i]) + strength_inverse(s, j, stress[j]) -
         strength_inverse(s, 3 - i - j, stress[weak]);
}

HD double strength_shear(const Strength *s, const double stress[6]) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const double t = stress[3 + k] / s->value[STRENGTH_SXY + k];
    sum += t * t;
  }
  return sum;
}

HD double strength_tsai_hill(const Strength *s, const double stress[6]) {
  double sum = strength_shear(s, stress);
  for (int i = 0; i < 3; ++i) sum += strength_inverse(s, i, stress[i]) * stress[i] * stress[i];
  for (int i = 0; i < 3; ++i)
    for (int j = i + 1; j < 3; ++j) sum -= strength_coupling(s, stress, i, j) * stress[i] * stress[j];
  return sqrt(sum < 0 ? 0 : sum);
}

/* 1 / r of a r^2 + b r = 1. */
HD double strength_tsai_wu(const Strength *s, const double stress[6]) {
  double a = strength_shear(s, stress), b = 0, root[3];
  for (int i = 0; i < 3; ++i) {
    const double x = s->value[STRENGTH_X + 2 * i], xc = s->value[STRENGTH_X + 2 * i + 1];
    b += (1 / x - 1 / xc) * stress[i];
    root[i] = stress[i] / sqrt(x * xc);
  }
  for (int i = 0; i < 3; ++i) a += 0.5 * (root[i] - root[(i + 1) % 3]) * (root[i] - root[(i + 1) % 3]);
  return 0.5 * (b + sqrt(b * b + 4 * a));
}

/* How much of the strength a stress takes: 1 where the material fails. */
HD double strength_share(const Strength *s, const double stress[6]) {
  double p[3];
  if (s->criterion == STRENGTH_TSAI_HILL) return strength_tsai_hill(s, stress);
  if (s->criterion == STRENGTH_TSAI_WU) return strength_tsai_wu(s, stress);
  if (s->criterion == STRENGTH_VON_MISES) return elastic_von_mises(stress) / s->value[STRENGTH_YIELD];
  elastic_principal(stress, p);
  const double pull = p[0] / s->value[STRENGTH_TENSION], push = -p[2] / s->value[STRENGTH_COMPRESSION];
  if (s->criterion == STRENGTH_PRINCIPAL || pull < 0 || push < 0) return pull < push ? push : pull;
  return pull + push;
}

HD double strength_safety(const Strength *s, const double stress[6]) {
  const double share = strength_share(s, stress);
  return share < 1 / SAFETY_MOST ? SAFETY_MOST : 1 / share; /* of what is no number, that */
}
