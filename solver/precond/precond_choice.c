/* Smoothed aggregation needs 12 to 25 iterations at any size after a setup that costs as much as some of them; a
 * polynomial next to no setup and iterations that grow with the edge length of the mesh, like the root of the nodes, as a
 * diagonal does. So each has a price, setup and solves, and the lowest is taken. */
#include "solver/precond/precond_choice.h"

#include <math.h>
#include <stdio.h>

enum { JACOBI, LEAST_SQUARES, HIERARCHY, N_WAY };

/* Setup: ms, and ns a row, and for each entry of one. A turn: us, and the same. */
typedef struct Cost {
  double setup, setup_row, setup_entry, turn, turn_row, turn_entry;
} Cost;
/* [on_gpu][way]: one core of a CPU, where others make all cheaper alike; an H200. `sinew bench multilevel`,
 * bench/PAPERS.md. */
static const Cost COST[2][N_WAY] = {
    {{0, 0, 0, 1, 8, 0.6}, {0.5, 100, 24, 2, 80, 5.5}, {12, 600, 36, 5, 60, 2.8}},
    {{1, 0, 0, 8, 0.02, 0.0023}, {1.6, 2, 0.05, 85, 0.2, 0.0072}, {12, 20, 0.03, 130, 0.22, 0.008}}};
/* Of a diagonal, over the root of the nodes, [in space][simplices]; of a polynomial, over those of a diagonal, [on_gpu];
 * of a hierarchy, [simplices]. Simplices are told from the rest by the entries of a row. */
static const double TURNS[2][2] = {{4.05, 7.7}, {5.9, 14.7}}, OF_POLYNOMIAL[2] = {1 / 6.2, 1 / 12.},
                    OF_HIERARCHY[2] = {15, 19};
/* ns a row of the setup, [on_gpu]: coarse rows of tetrahedra differ in length, and such formats are made on the host. */
static const double UNEVEN[2] = {0, 14};
static const double SIMPLEX_TO[2] = {8, 20}, USUAL[2] = {9, 27}; /* nodes that a node is coupled to, [in space] */
/* Below this many a diagonal is enough for any matrix: the loop ends before a bound of the spectrum would have paid. */
enum { TINY = 200, HIGHER_ORDER = 4, SOLVES_MOST = 4 /* steps in time are easier than a first solve */ };

static int counted_solves(const PrecondFacts *f) {
  return f->solves < 1 ? 1 : f->solves < SOLVES_MOST ? f->solves : SOLVES_MOST;
}

/* Of all ways, in seconds; false where none is known. */
static bool find_prices(const PrecondFacts *f, double seconds[N_WAY]) {
  if (f->rows < TINY || !f->has_modes || f->block < 1 || f->block > 3) return false;
  const double known = f->entries / f->block;
  const bool space = f->block == 3 || (f->block == 1 && known > 12), simplex = known > 0 && known < SIMPLEX_TO[space];
  const double entries = known > 0 ? f->entries : USUAL[space] * f->block, rows = (double)f->rows;
  /* harder for a diagonal and for polynomials: tet10 and hex27 with 6,000 unknowns are as linear elements with 25,000 */
  const double root = pow(rows * (f->order > 1 ? HIGHER_ORDER : 1), space ? 1 / 3. : 1 / 2.);
  const double jacobi = TURNS[space][simplex] * root;
  const double turns[N_WAY] = {jacobi, jacobi * OF_POLYNOMIAL[f->on_gpu], OF_HIERARCHY[simplex]};
  for (int way = 0; way < N_WAY; ++way) {
    const Cost *p = &COST[f->on_gpu][way];
    const double setup = 1e-3 * p->setup + 1e-9 * rows * (p->setup_row + entries * p->setup_entry);
    const double turn = 1e-6 * p->turn + 1e-9 * rows * (p->turn_row + entries * p->turn_entry);
    seconds[way] = setup + counted_solves(f) * turns[way] * turn;
  }
  if (space && simplex) seconds[HIERARCHY] += 1e-9 * rows * UNEVEN[f->on_gpu];
  if (!f->has_graph) seconds[HIERARCHY] = INFINITY;
  return true;
}

static int cheapest(const double seconds[N_WAY]) {
  int best = JACOBI;
  for (int way = LEAST_SQUARES; way < N_WAY; ++way)
    if (seconds[way] < seconds[best]) best = way;
  return best;
}

/* pmg has amg below, of a matrix 5 to 10 times smaller. */
static const char *name_of(const PrecondFacts *f, int way) {
  return way == JACOBI ? "jacobi" : way == LEAST_SQUARES ? "least-squares" : f->order > 1 ? "pmg" : "amg";
}

const char *precond_choice(const PrecondFacts *f) {
  double seconds[N_WAY];
  if (!find_prices(f, seconds)) return name_of(f, f->rows < TINY ? JACOBI : LEAST_SQUARES);
  return name_of(f, cheapest(seconds));
}

/* Entries of a factor by nested dissection, of compact bodies in space and of flat ones, and what it takes: squares and cubes of
 * 1,300 to 180,000 unknowns. A solve reads it twice, at 6 to 7 GB/s. */
static double flat_entries(const PrecondFacts *f) { return 5.5 * (double)f->rows * log2((double)f->rows + 2); }

double precond_choice_factor(const PrecondFacts *f, double entries, int64_t solves) {
  const double n = entries > 0 ? entries : flat_entries(f);
  return 1e-9 * (40 * n + 0.1 * n * n / (double)f->rows + 2.5 * n * (double)solves);
}

static double turn_seconds(const PrecondFacts *f, int way) {
  const double entries = f->entries > 0 ? f->entries : USUAL[f->block == 3] * f->block;
  const Cost *p = &COST[f->on_gpu][way];
  return 1e-6 * p->turn + 1e-9 * (double)f->rows * (p->turn_row + entries * p->turn_entry);
}

double precond_choice_iteration(const PrecondFacts *f, bool diagonal, bool graph) {
  return turn_seconds(f, diagonal ? JACOBI : graph ? HIERARCHY : LEAST_SQUARES);
}

int64_t precond_choice_worth(const PrecondFacts *f) {
  enum { LEAST = 300, TIMES = 2 };
  double seconds[N_WAY];
  const double entries = f->block == 3 ? 18 * pow((double)f->rows, 4 / 3.) : flat_entries(f);
  const double turn = turn_seconds(f, find_prices(f, seconds) ? cheapest(seconds) : LEAST_SQUARES);
  return (int64_t)fmin(fmax(LEAST, TIMES * precond_choice_factor(f, entries, 0) / turn), 1e9);
}

void precond_choice_why(const PrecondFacts *f, char text[PRECOND_CHOICE_TEXT]) {
  double seconds[N_WAY];
  int n = 0;
  *text = 0;
  if (!find_prices(f, seconds)) return;
  const int best = cheapest(seconds);
  for (int way = 0; way < N_WAY; ++way)
    if (way != best && isfinite(seconds[way]))
      n += snprintf(text + n, (size_t)(PRECOND_CHOICE_TEXT - n), "%s%s %.2g times", n ? ", " : "", name_of(f, way),
                    seconds[way] / seconds[best]);
  snprintf(text + n, (size_t)(PRECOND_CHOICE_TEXT - n), " as long for set-up and %d solve%s", counted_solves(f),
           f->solves > SOLVES_MOST ? "s and more"
           : f->solves > 1         ? "s"
                                   : "");
}
