/* The same history on a GPU and on the CPU: each probe and sum after each step, to 1e-9 of the largest number of its column. What
 * a step leaves behind (plastic strain, creep, relaxed stress, turned groups, closed contact) is where the next one starts, so
 * an error of one step stays. On the CPU by itself, with another preconditioner: what Newton's method and conjugate gradients
 * leave is well below that. Steps are short enough for either never to cut one. */
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double APART = 1e-9;

#define BODY "version: 1\nphysics: elasticity\nsolver: {rtol: 1e-12}\n"
#define SOLID BODY "model: 3d\nmesh: {grid: [6, 4, 3], size: [5, 2, 1]}\n"
#define END "{name: u, at: [3, 2, 1], field: displacement-y}, {name: w, at: [5, 1, 0.5], field: displacement-z}, "
#define INSIDE "{name: s, at: [1.2, 0.7, 0.4], field: stress-xx}, {name: q, at: [3.9, 1.4, 0.6], field: von-mises}"

typedef struct History {
  const char *name, *text;
  int rows; /* at least, that of the start with them */
} History;

static const History HISTORIES[] = {
    {"a metal with isotropic hardening and two backstresses, forth and back",
     SOLID
     "materials: [{on: body, type: plastic, young: 2e5, poisson: 0.3, yield: [[0, 200], [0.02, 260]], backstress: "
     "[[40e3, 300], [5e3, 0]]}]\n"
     "boundary: [{on: x0, fix: all}, {on: x1, fix: {x: '0.03*sin(pi*t/2)', z: '0.02*t*(t-2)'}}]\n"
     "time: {end: 4, step: 0.25}\noutput:\n  every: 0.25\n  probes: [" END INSIDE
     ", {name: p, at: [1.2, 0.7, 0.4], field: plastic-strain}]\n  sums: [{name: r, on: x1, field: reaction}]\n",
     17},
    {"a metal at finite strain that is sheared and pushed back, in a chain of steps",
     SOLID "strain: finite\nmaterials: [{on: body, type: plastic, young: 2e5, poisson: 0.3, yield: 200, saturation: "
           "{to: 300, rate: 10}}]\n"
           "boundary: [{on: x0, fix: all}]\nsteps:\n"
           "- {name: push, end: 1, step: 0.0625, boundary: [{on: x1, fix: {y: '0.3*t'}}]}\n"
           "- {name: back, end: 2, step: 0.0625, boundary: [{on: x1, fix: {y: '0.3 - 0.2*(t - 1)'}}]}\n"
           "output:\n  every: 0.0625\n  probes: [{name: u, at: [3, 2, 1], field: displacement-x}, " INSIDE
           ", {name: p, at: [1.2, 0.7, 0.4], field: plastic-strain}]\n  sums: [{name: r, on: x1, field: reaction}]\n",
     33},
    {"a metal with a backstress over the temperature at finite strain, heated, sheared and pushed back",
     SOLID "strain: finite\nmaterials: [{on: body, type: plastic, young: [[0, 2e5], [300, 15e4]], poisson: 0.3, yield: "
           "200, expansion: 1e-5, backstress: [{temperature: 0, table: [[40e3, 300]]}, {temperature: 300, table: "
           "[[1e4, 0]]}]}]\nthermal: {temperature: '150*t'}\n"
           "boundary: [{on: x0, fix: all}, {on: x1, fix: {y: '0.2*sin(pi*t/2)', z: '0.05*t'}}]\n"
           "time: {end: 2, step: 0.0625}\noutput:\n  every: 0.0625\n  probes: [" END INSIDE
           ", {name: p, at: [1.2, 0.7, 0.4], field: plastic-strain}]\n  sums: [{name: r, on: x1, field: reaction}]\n",
     33},
    {"creep of a body that begins with a stress, behind a step in which nothing creeps",
     SOLID "materials: [{on: body, type: plastic, young: 2e5, poisson: 0.3, yield: [[0, 30], [0.1, 60]], creep: {norm: "
           "1e-9, exponent: 3}, initial-stress: {xx: '10*y', xy: 5}}]\nboundary: [{on: x0, fix: all}]\nsteps:\n"
           "- {name: load, end: 1, step: 0.5, creep: false, boundary: [{on: x1, traction: [15, 0.5, -1.5]}]}\n"
           "- {name: hold, end: 5, step: 0.5, boundary: [{on: x1, traction: ['40*min(t, 2)', '2*t', "
           "'-5*t']}]}\noutput:\n  every: 0.5\n  probes: [" END INSIDE
           ", {name: p, at: [0.2, 0.4, 0.9], field: plastic-strain}]\n  sums: [{name: r, on: x0, field: reaction}]\n",
     11},
    {"shear that relaxes by two times",
     SOLID "materials: [{on: body, type: viscoelastic, young: 200, poisson: 0.3, prony: [[0.3, 1], [0.4, 5]]}]\n"
           "boundary: [{on: x0, fix: all}, {on: x1, fix: {x: '0.1*min(t, 1)', y: '0.05*sin(t)'}}]\n"
           "time: {end: 6, step: 0.5}\noutput:\n  every: 0.5\n  probes: [{name: w, at: [3, 1, 1], field: "
           "displacement-z}, " INSIDE "]\n  sums: [{name: r, on: x1, field: reaction}]\n",
     13},
    {"a rigid end that turns in space",
     SOLID "strain: finite\nmaterials: [{on: body, type: neo-hooke, young: 10, poisson: 0.3}]\n"
           "boundary: [{on: x0, fix: all}, {on: x1, rigid: {at: [5.2, 1.1, 0.3], fix: {x: '-0.3*t', rx: '0.9*t', rz: "
           "'-0.4*t'}, force: [0, 0.05, 0.02]}}]\n"
           "time: {end: 2, step: 0.2}\noutput:\n  every: 0.2\n  probes: [" END INSIDE
           "]\n  sums: [{name: r, on: x0, field: reaction}]\n",
     11},
    {"a cylinder that is pressed into a block and slides along it",
     BODY
     "model: plane-strain\nmesh: {grid: [17, 7], size: [4, 1.5], order: 2}\n"
     "materials: [{on: body, young: 1000, poisson: 0.3}]\nboundary: [{on: y0, fix: all}]\n"
     "contact: [{on: y1, against: {cylinder: {at: [2, 2.5], radius: 1, move: ['0.02*max(0, t - 1)', "
     "'-0.05*min(t, 1)']}}}]\n"
     "time: {end: 2, step: 0.25}\noutput:\n  every: 0.25\n  probes: [{name: v, at: [2, 1.5], field: displacement-y}, "
     "{name: u, at: [2.25, 1.5], field: displacement-x}, {name: g, at: [3, 1.5], field: contact-gap}, {name: p, at: "
     "[2, 1.5], field: contact-pressure}, {name: s, at: [2, 1.2], field: stress-yy}]\n"
     "  sums: [{name: n, on: y1, field: contact-force}]\n",
     9},
};
enum { N_HISTORY = sizeof HISTORIES / sizeof *HISTORIES, COLUMNS = 16, ROWS = 64 };

typedef struct Table {
  int rows, columns;
  char name[COLUMNS][64];
  double value[ROWS][COLUMNS];
} Table;

static void read_table(char *csv, Table *t) {
  char *lines = NULL, *words = NULL;
  *t = (Table){0};
  for (char *line = strtok_r(csv, "\n", &lines); line; line = strtok_r(NULL, "\n", &lines)) {
    int column = 0;
    for (char *word = strtok_r(line, ",", &words); word; word = strtok_r(NULL, ",", &words), ++column) {
      assert_in_range(column, 0, COLUMNS - 1);
      if (t->columns <= column) snprintf(t->name[column], sizeof *t->name, "%s", word);
      else t->value[t->rows][column] = strtod(word, NULL);
    }
    if (t->columns) ++t->rows;
    else t->columns = column;
    assert_in_range(t->rows, 0, ROWS - 1);
  }
}

static void run_table(const char *folder, const char *backend, const char *set, Table *t) {
  Said said = app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--backend", backend, "--output",
                       scratch_path(folder, "results"), "--set", set, NULL);
  if (said.code) fail_msg("exit code %d: %s", said.code, said.err);
  said_release(&said);
  char *csv = scratch_read(folder, "results/probes.csv");
  read_table(csv, t);
  free(csv);
}

/* The largest difference over the largest number of its column. */
static double apart(const Table *a, const Table *b, const char *name) {
  double worst = 0;
  for (int c = 0; c < a->columns; ++c) {
    double most = 0, difference = 0;
    for (int r = 0; r < a->rows; ++r) {
      most = fmax(most, fabs(a->value[r][c]));
      if (!(fabs(a->value[r][c] - b->value[r][c]) <= difference)) difference = fabs(a->value[r][c] - b->value[r][c]);
    }
    if (!(difference <= APART * most))
      fail_msg("%s: %s is %.3g apart, of %.3g at most", name, a->name[c], difference, most);
    if (most > 0) worst = fmax(worst, difference / most);
  }
  return worst;
}

static void histories_are_the_same(void **state) {
  (void)state;
  const char *backend = app_backend();
  const bool host = !strcmp(backend, "cpu");
  for (int k = 0; k < N_HISTORY; ++k) {
    const History *h = &HISTORIES[k];
    static Table cpu, other;
    char *folder = scratch_create();
    scratch_write(folder, "case.yaml", h->text);
    run_table(folder, "cpu", "solver.preconditioner=auto", &cpu);
    run_table(folder, backend, host ? "solver.preconditioner=least-squares" : "solver.preconditioner=auto", &other);
    if (cpu.rows < h->rows || cpu.rows != other.rows || cpu.columns != other.columns || cpu.columns < 5)
      fail_msg("%s: %d rows of %d columns, and %d of %d", h->name, cpu.rows, cpu.columns, other.rows, other.columns);
    print_message("%s: %d rows of %d columns, %.1e apart at most\n", h->name, cpu.rows, cpu.columns,
                  apart(&cpu, &other, h->name));
    scratch_remove(&folder);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(histories_are_the_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
