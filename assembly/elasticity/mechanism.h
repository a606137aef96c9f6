/* Which motions are left to rigid bodies that supports hold and hinges join: the null space of a sparse matrix with six
 * columns per body, (translation, rotation times the body's size). It is found by orthogonal elimination, one body
 * after the other, those with few neighbours first (a multifrontal QR factorization: Davis, Direct Methods for Sparse
 * Linear Systems, chapter 5); the columns of a body that depend on the others are free. */
#pragma once
#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct MechanismBody {
  double center[3], size;
  double held[6][6]; /* rows that must vanish on its motion; zero rows where nothing holds it */
} MechanismBody;

/* Rows that must vanish on the motion of body a less that of body b, as b has it: about its center, by its size. */
typedef struct MechanismLink {
  int32_t a, b;
  double rows[6][6];
} MechanismLink;

enum { MECHANISM_MOTIONS = 24 };
typedef struct Mechanism {
  bool known;          /* false: given up, there are too many links to tell in a few seconds */
  int64_t n_free;      /* independent free motions */
  int32_t *n_free_of;  /* owned, [n_body]: they add up to n_free, and those of connected bodies to theirs */
  int32_t n_motion;    /* of these, the first MECHANISM_MOTIONS: */
  double (*motion)[6]; /* owned, [n_motion][n_body], largest entry of each 1 */
} Mechanism;

/* dim 2: bodies in the plane, of which translation in z and rotation about x and y are no motions. */
Status mechanism_create(int dim, int32_t n_body, const MechanismBody *body, int32_t n_link, const MechanismLink *link,
                        Mechanism *out);
void mechanism_release(Mechanism *mechanism);
/* The row "no displacement along d at x" on the motion of a body about its center. */
void mechanism_row(const double *x, const double *center, double size, const double *d, double row[6]);
/* `rows` on the motion of a body of this center and size, as rows on that of another. */
void mechanism_move_rows(double rows[6][6], const double *center, double size, const double *to_center, double to_size,
                         double out[6][6]);
