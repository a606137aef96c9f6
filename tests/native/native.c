/* Random native cases against the plain program: displacements, reactions, energies and stresses of all nodes and
 * elements, or frequencies. Usage: native SINEW [--cases N] [--seed S] [--only S] [--keep FOLDER] [--backend cuda]
 * Each case has a seed of its own, S, S + 1 ...; --only S runs one and says what differs. Exit 1 when any does. */
#include "tests/native/draw.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { COMMAND = 2000 };
static const double TOLERANCE = 2e-6; /* of the largest value; the solver's is 1e-10 */

static const char *backend = "cpu";
static bool loud; /* --only: says what differs, field by field */

typedef struct Result {
  int n_node, n_element, nodes[PLAIN_MOST], cells[PLAIN_ELEMENTS]; /* number of the plain node and element */
  hid_t file;
} Result;

static double *read_doubles(hid_t file, const char *name, int row, int n) {
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  if (set < 0) return NULL;
  const hid_t space = H5Dget_space(set);
  const hssize_t all = H5Sget_simple_extent_npoints(space);
  double *every = malloc((size_t)all * sizeof *every), *out = calloc((size_t)n, sizeof *out);
  H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, every);
  for (int k = 0; k < n && (hssize_t)row * n + k < all; ++k) out[k] = every[(size_t)row * (size_t)n + (size_t)k];
  free(every), H5Sclose(space), H5Dclose(set);
  return out;
}

static int count_of(hid_t file, const char *name) {
  double *v = read_doubles(file, name, 0, 1);
  const int n = v ? (int)v[0] : 0;
  free(v);
  return n;
}

/* Nodes by their coordinates, elements by those of their nodes in the mean. False where one has no partner. */
static bool match(const Plain *p, Result *r) {
  r->n_node = count_of(r->file, "VTKHDF/NumberOfPoints"), r->n_element = count_of(r->file, "VTKHDF/NumberOfCells");
  if (r->n_node != p->n_node || r->n_element != p->n_element) return false;
  double *x = read_doubles(r->file, "VTKHDF/Points", 0, 3 * r->n_node);
  double *offset = read_doubles(r->file, "VTKHDF/Offsets", 0, r->n_element + 1);
  double *node = read_doubles(r->file, "VTKHDF/Connectivity", 0, (int)offset[r->n_element]);
  bool found = true;
  for (int i = 0; i < r->n_node; ++i) {
    r->nodes[i] = -1;
    for (int j = 0; j < p->n_node; ++j)
      if (fabs(x[3 * i] - p->x[j][0]) + fabs(x[3 * i + 1] - p->x[j][1]) + fabs(x[3 * i + 2] - p->x[j][2]) < 1e-9)
        r->nodes[i] = j;
    found &= r->nodes[i] >= 0;
  }
  for (int e = 0; e < r->n_element; ++e) {
    r->cells[e] = -1;
    for (int f = 0; f < p->n_element; ++f) {
      double gap = 0;
      const int n = (int)offset[e + 1] - (int)offset[e], m = plain_kind[p->element[f].kind].n;
      for (int d = 0; d < 3; ++d) {
        double middle = 0;
        for (int a = 0; a < n; ++a) middle += x[3 * (int)node[(int)offset[e] + a] + d] / n;
        for (int a = 0; a < m; ++a) middle -= p->x[p->element[f].node[a]][d] / m;
        gap += fabs(middle);
      }
      if (gap < 1e-9 && n == m) r->cells[e] = f;
    }
    found &= r->cells[e] >= 0;
  }
  free(x), free(offset), free(node);
  return found;
}

/* The largest difference of a field relative to its largest value (and at least to `floor`). */
static double differs(const Result *r, const char *name, int row, const double *expected, int width, bool nodes,
                      const bool *skip, double least, const char *what) {
  char path[200];
  snprintf(path, sizeof path, "VTKHDF/%s/%s", nodes ? "PointData" : "CellData", name);
  const int n = nodes ? r->n_node : r->n_element;
  double *v = read_doubles(r->file, path, row, n * width), largest = least, worst = 0;
  if (!v) return INFINITY;
  int place = 0;
  for (int i = 0; i < n * width; ++i) {
    const int at = nodes ? r->nodes[i / width] : r->cells[i / width];
    if (skip && skip[at]) continue;
    const double e = expected[width * at + i % width];
    largest = fmax(largest, fabs(e));
    if (!(fabs(e - v[i]) <= worst)) worst = isnan(v[i]) ? INFINITY : fabs(e - v[i]), place = i;
  }
  const int at = nodes ? r->nodes[place / width] : r->cells[place / width];
  if (loud)
    printf("  %s %s: differs by %.3g of %.3g, first %.9g for %.9g at %d\n", what, name, worst, largest, v[place],
           expected[width * at + place % width], at);
  free(v);
  return worst / (largest > 0 ? largest : 1);
}

/* Reactions of all nodes together balance the loads; of bodies of revolution only along the axis. */
static double unbalanced(const Drawn *d, const Result *r, int row, const double load[3]) {
  double *v = read_doubles(r->file, "VTKHDF/PointData/reaction", row, 3 * r->n_node), worst = 0, size = 1e-2;
  for (int k = d->p.model == AXISYMMETRIC; k < d->p.dim; ++k) {
    double sum = load[k];
    for (int i = 0; i < r->n_node; ++i) sum += v[3 * i + k], size = fmax(size, fabs(v[3 * i + k]));
    worst = fmax(worst, fabs(sum));
  }
  free(v);
  if (loud) printf("  load %d: reactions and loads leave %.3g of %.3g\n", row, worst, size);
  return worst / size;
}

/* Load cases, each times its factor; energies are not linear. */
static double compare_sum(const Drawn *d, const Result *r) {
  static PlainResult e, sum;
  memset(&sum, 0, sizeof sum);
  for (int k = 0; k < d->n_load; ++k) {
    plain_static(&d->p, &d->load[k], &e);
    for (int i = 0; i < 3 * d->p.n_node; ++i) {
      (&sum.u[0][0])[i] += d->factor[k] * (&e.u[0][0])[i];
      (&sum.reaction[0][0])[i] += d->factor[k] * (&e.reaction[0][0])[i];
    }
    for (int i = 0; i < 6 * d->p.n_element; ++i) (&sum.stress[0][0])[i] += d->factor[k] * (&e.stress[0][0])[i];
  }
  double worst = differs(r, "displacement", d->n_load, sum.u[0], 3, true, NULL, 0, "sum");
  worst = fmax(worst, differs(r, "reaction", d->n_load, sum.reaction[0], 3, true, d->joined, 1e-2, "sum"));
  return fmax(worst, differs(r, "element-stress", d->n_load, sum.stress[0], 6, false, NULL, 1e-2, "sum"));
}

static double compare_step(const Drawn *d, const Result *r, int k) {
  static PlainResult e;
  char what[40];
  snprintf(what, sizeof what, "load %d", k);
  plain_static(&d->p, &d->load[k], &e);
  double stress = 1e-2, energy = 1e-7; /* less than these is rounding: a body that is nearly free of stress */
  double worst = differs(r, "displacement", k, e.u[0], 3, true, NULL, 0, what);
  worst = fmax(worst, differs(r, "reaction", k, e.reaction[0], 3, true, d->joined, stress, what));
  worst = fmax(worst, differs(r, "element-stress", k, e.stress[0], 6, false, NULL, stress, what));
  worst = fmax(worst, unbalanced(d, r, k, e.load));
  if (d->even_heat) worst = fmax(worst, differs(r, "strain-energy", k, e.energy, 1, false, NULL, energy, what));
  return worst;
}

static double compare_modes(const Drawn *d, const char *folder) {
  double expected[DRAW_MODES], worst = 0;
  char path[COMMAND], line[1000];
  snprintf(path, sizeof path, "%s/results/modes.csv", folder);
  FILE *f = fopen(path, "r");
  if (!f || !fgets(line, sizeof line, f)) return INFINITY;
  plain_modes(&d->p, d->n_load ? &d->load[0] : NULL, d->analysis == BUCKLING, DRAW_MODES, expected);
  for (int k = 0; k < DRAW_MODES; ++k) {
    double number = 0, frequency = 0;
    if (!fgets(line, sizeof line, f) || sscanf(line, "%lf,%lf", &number, &frequency) != 2) return INFINITY;
    if (loud) printf("  mode %d: %.9g for %.9g\n", k + 1, frequency, expected[k]);
    worst = fmax(worst, fabs(frequency / expected[k] - 1));
  }
  fclose(f);
  return worst;
}

static double compare(const Drawn *d, const char *folder) {
  static PlainResult e, im;
  char path[COMMAND];
  Result r;
  if (d->analysis >= MODAL) return compare_modes(d, folder);
  snprintf(path, sizeof path, "%s/results/results.hdf", folder);
  r.file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (r.file < 0) return INFINITY;
  double worst = 0;
  if (!match(&d->p, &r)) {
    if (loud)
      printf("  the result has other nodes or elements: %d and %d for %d and %d\n", r.n_node, r.n_element, d->p.n_node,
             d->p.n_element);
    worst = INFINITY;
  } else if (d->analysis == MOTION) {
    plain_motion(&d->p, &d->load[0], d->rho, d->alpha, d->beta, d->start, d->end, d->n_step, &e);
    worst = differs(&r, "displacement", 1, e.u[0], 3, true, NULL, 0, "end");
  } else if (d->analysis == HARMONIC) {
    plain_harmonic(&d->p, &d->load[0], d->frequency, d->loss, &e, &im);
    double least = 0;
    for (int i = 0; i < d->p.n_node; ++i)
      for (int k = 0; k < 3; ++k) least = fmax(least, hypot(e.u[i][k], im.u[i][k]));
    worst = differs(&r, "displacement-real", 0, e.u[0], 3, true, NULL, least, "real");
    worst = fmax(worst, differs(&r, "displacement-imaginary", 0, im.u[0], 3, true, NULL, least, "imaginary"));
  } else {
    for (int k = 0; k < d->n_load; ++k) worst = fmax(worst, compare_step(d, &r, k));
    if (d->analysis == LOAD_CASES) worst = fmax(worst, compare_sum(d, &r));
  }
  H5Fclose(r.file);
  return worst;
}

static void put(const char *folder, const char *name, const char *text, const char *more) {
  char path[COMMAND];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "w");
  if (!f) abort();
  fprintf(f, "%s%s", text, more);
  fclose(f);
}

static void print_file(const char *folder, const char *name, int lines) {
  char path[COMMAND], line[1000];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "r");
  while (f && lines-- > 0 && fgets(line, sizeof line, f)) printf("  %s", line);
  if (f) fclose(f);
}

/* A load that does not press the body together in so many ways, which the program refuses. */
static bool buckles_less(const Drawn *d) {
  double factor[DRAW_MODES];
  if (d->analysis != BUCKLING) return false;
  plain_modes(&d->p, &d->load[0], true, DRAW_MODES, factor);
  return factor[DRAW_MODES - 1] == 0 || factor[0] > 1e9;
}

typedef enum Verdict { AGREES, DIFFERS, REFUSED } Verdict;

static Verdict one(const char *sinew, const char *folder, uint64_t seed) {
  static Drawn d;
  char command[COMMAND];
  draw_case(seed, &d);
  char more[400] = "";
  if (d.analysis <= LOAD_CASES)
    strcat(more, "output: {fields: [displacement, stress, reaction, element-stress, strain-energy]}\n");
  if (d.analysis == MOTION)
    snprintf(more + strlen(more), 200, "output: {every: %.17g, fields: [displacement]}\n", d.end);
  put(folder, "case.yaml", d.case_text, more), put(folder, "mesh.msh", d.mesh_text, "");
  snprintf(command, sizeof command,
           "cd '%s' && OMP_NUM_THREADS=%d '%s' run case.yaml --backend %s --overwrite >said 2>&1", folder,
           1 + (int)(seed % 3), sinew, backend);
  const int status = system(command), code = status / 256;
  Verdict verdict = REFUSED;
  if (status == 0) {
    const double worst = compare(&d, folder);
    verdict = worst <= TOLERANCE ? AGREES : DIFFERS;
    if (verdict == DIFFERS)
      printf("seed %llu differs by %.3g (%d nodes)\n", (unsigned long long)seed, worst, d.p.n_node);
  } else if (buckles_less(&d)) {
    verdict = AGREES;
  } else {
    printf("seed %llu ends with %d\n", (unsigned long long)seed, code);
    print_file(folder, "said", loud ? 40 : 3);
  }
  fflush(stdout);
  draw_release(&d);
  return verdict;
}

int main(int n, char **word) {
  int cases = 40;
  uint64_t seed = (uint64_t)time(NULL) % 1000000 * 1000, only = 0;
  const char *keep = NULL;
  for (int k = 2; k + 1 < n; k += 2) {
    if (!strcmp(word[k], "--cases")) cases = atoi(word[k + 1]);
    if (!strcmp(word[k], "--seed")) seed = strtoull(word[k + 1], NULL, 10);
    if (!strcmp(word[k], "--only")) only = strtoull(word[k + 1], NULL, 10);
    if (!strcmp(word[k], "--keep")) keep = word[k + 1];
    if (!strcmp(word[k], "--backend")) backend = word[k + 1];
  }
  char *sinew = n < 2 ? NULL : realpath(word[1], NULL);
  if (!sinew) return 2;
  char folder[] = "/tmp/native-XXXXXX", command[COMMAND];
  if (!keep && !mkdtemp(folder)) return 2;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  int count[3] = {0};
  if (only) seed = only, cases = 1, loud = true;
  for (int k = 0; k < cases; ++k) ++count[one(sinew, keep ? keep : folder, seed + (uint64_t)k)];
  printf("%d random cases from seed %llu on: %d agree, %d differ, %d ended with an error\n", cases,
         (unsigned long long)seed, count[AGREES], count[DIFFERS], count[REFUSED]);
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  free(sinew);
  if (!keep && system(command)) return 2;
  return count[DIFFERS] || count[REFUSED];
}
