/* Draws a case from a seed. */
#include "tests/native/draw_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double uniform(Build *b, double low, double high) {
  b->state += 0x9e3779b97f4a7c15u;
  uint64_t z = b->state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u, z = (z ^ (z >> 27)) * 0x94d049bb133111ebu, z ^= z >> 31;
  return low + (high - low) * (double)(z >> 11) / 9007199254740992.0;
}

int pick(Build *b, int n) { return (int)uniform(b, 0, n); }
bool chance(Build *b, double share) { return uniform(b, 0, 1) < share; }

void say(char *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const size_t n = strlen(text);
  vsnprintf(text + n, DRAW_TEXT - n, format, list);
  va_end(list);
}

void say_vector(char *text, const double *v, int n) {
  for (int k = 0; k < n; ++k) say(text, "%s%.17g", k ? ", " : "[", v[k]);
  say(text, "]");
}

const char *const side_name[N_SIDE] = {"x0", "x1", "y0", "y1", "z0", "z1", "ta", "tb"};

static void draw_solver(Build *b) {
  static const char *const format[] = {"sbell", "csr",  "csr-balanced",  "ell",      "ellr",
                                       "sell",  "bell", "sliced-ellr-t", "ell-warp", "segspmv"};
  static const char *const precond[] = {"auto",    "amg",  "least-squares", "chebyshev",
                                        "neumann", "ssor", "block-jacobi",  "jacobi"};
  static const char *const numbering[] = {"auto", "natural", "rcm", "nested-dissection", "hilbert"};
  say(b->more, "solver: {rtol: %s, format: %s, preconditioner: %s, numbering: %s}\n",
      b->d->analysis >= MODAL ? "1e-8" : "1e-10", format[pick(b, 10)],
      precond[b->d->analysis >= MODAL ? 0 : pick(b, 8)], numbering[pick(b, 5)]);
}

void draw_case(uint64_t seed, Drawn *out) {
  memset(out, 0, sizeof *out);
  out->case_text = calloc(1, DRAW_TEXT), out->mesh_text = calloc(1, DRAW_TEXT);
  static Build b;
  memset(&b, 0, sizeof b);
  b.d = out, b.state = seed * 7919 + 1, b.text = out->case_text;
  b.boundary = calloc(1, DRAW_TEXT), b.more = calloc(1, DRAW_TEXT);
  const double which = uniform(&b, 0, 1);
  out->analysis = which < 0.45   ? STATIC
                  : which < 0.6  ? LOAD_CASES
                  : which < 0.7  ? MOTION
                  : which < 0.8  ? HARMONIC
                  : which < 0.92 ? MODAL
                                 : BUCKLING;
  b.stressed = out->analysis == BUCKLING || (out->analysis == MODAL && chance(&b, 0.4));
  const double model = uniform(&b, 0, 1);
  out->p.model = model < 0.2 ? PLANE_STRESS : model < 0.4 ? PLANE_STRAIN : model < 0.5 ? AXISYMMETRIC : SPACE;
  if (b.stressed && out->p.model == AXISYMMETRIC) out->p.model = SPACE;
  out->p.dim = out->p.model == SPACE ? 3 : 2;
  draw_mesh(&b);
  draw_materials(&b);
  draw_supports(&b);
  draw_joints(&b);
  draw_analysis(&b);
  draw_solver(&b);
  out->p.incompatible = !chance(&b, 0.3);
  if (!out->p.incompatible) say(b.more, "formulation: displacement\n");
  if (b.boundary[0]) say(out->case_text, "boundary:\n%s", b.boundary);
  say(out->case_text, "%s", b.more);
  free(b.boundary), free(b.more);
}

void draw_release(Drawn *d) {
  plain_release(&d->p);
  free(d->case_text), free(d->mesh_text);
}
