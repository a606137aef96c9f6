/* Smoothed aggregation needs 12 to 25 iterations at any size after a setup that costs as much as some of them; a
 * polynomial next to no setup and iterations that grow with the edge length of the mesh, like the root of the nodes. So
 * there is a size beyond which aggregation wins, a smaller one in the plane, where polynomials need more iterations for
 * as many unknowns, and on the CPU, where products in 8 bits gain nothing. */
#include "solver/precond/precond_choice.h"

/* Unknowns below which a diagonal wins, and from which amg does in one solve, by [on_gpu][block]. `sinew bench
 * multilevel`, bench/RESULTS.md: on one core of a CPU nothing ever won between the two. */
static const double JACOBI_TO[2][4] = {{0, 4e3, 4e3, 2.5e4}, {0, 8e3, 8e3, 1.5e4}};
static const double AMG_FROM[2][4] = {{0, 4e3, 4e3, 2.5e4}, {0, 8.5e4, 8.5e4, 4e6}};
/* Below this many a diagonal is enough for any matrix: the loop ends before a bound of the spectrum would have paid. */
enum { TINY = 200, SOLVES_MOST = 4 /* after so many the setup hardly counts */, HIGHER_ORDER = 4 };

const char *precond_choice(const PrecondFacts *f) {
  if (f->rows < TINY) return "jacobi";
  if (!f->has_modes || f->block < 1 || f->block > 3) return "least-squares";
  const double solves = f->solves < 1 ? 1 : f->solves < SOLVES_MOST ? f->solves : SOLVES_MOST;
  /* harder for a diagonal and for polynomials: tet10 and hex27 with 6,000 unknowns are as linear elements with
   * 25,000 */
  const double rows = (double)f->rows * (f->order > 1 ? HIGHER_ORDER : 1);
  if (rows < JACOBI_TO[f->on_gpu][f->block]) return "jacobi";
  if (!f->has_graph || rows * solves < AMG_FROM[f->on_gpu][f->block]) return "least-squares";
  return f->order > 1 ? "pmg" : "amg"; /* which has amg below, a matrix 5 to 10 times smaller */
}
