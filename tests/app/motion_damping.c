/* Damping in proportion to the stiffness, and heat, in motion by Newton's method: one element against its ordinary differential
 * equation, small motions against the linear ones, metal against a plain return, a block that spins and loses nothing. */
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 16 };

/* ---- one quad4 that can go in x alone: x = 0 is shaken, x = L is free; its temperature is warm t ---- */
static const double LENGTH = 1.3, HEIGHT = 0.7, DENSITY = 2.3, YOUNG = 11, POISSON = 0.31, EXPANSION = 0.02;
typedef struct One {
  double speed, traction, alpha, beta, shake, rate, warm, end;
} One;

static double shear(void) { return YOUNG / (2 * (1 + POISSON)); }
static double lame(void) { return 2 * shear() * POISSON / (1 - 2 * POISSON); }

/* P11 of F = diag(stretch, 1, 1) whose elastic part is F over the thermal stretch g. */
static double one_stress(double stretch, double heat) {
  const double g = 1 + EXPANSION * heat, elastic = stretch / g;
  return g * g * (shear() * (elastic - 1 / elastic) + lame() * log(elastic / (g * g)) / elastic);
}

static double one_acceleration(const One *o, double t, double u, double v) {
  const double m = DENSITY * HEIGHT * LENGTH / 6; /* beside the diagonal, which has twice as much */
  const double g = o->shake * sin(o->rate * t), dg = o->shake * o->rate * cos(o->rate * t),
               ddg = -o->rate * o->rate * g, stretch = 1 + (u - g) / LENGTH, rate = (v - dg) / LENGTH;
  const double viscous = o->beta * (lame() + 2 * shear()) * stretch * stretch * rate; /* F C E', E' = stretch rate */
  return (HEIGHT * (o->traction * t - one_stress(stretch, o->warm * t) - viscous) -
          m * (ddg + o->alpha * (2 * v + dg))) /
         (2 * m);
}

/* u and v of the free end: Runge and Kutta's method. */
static void one_exact(const One *o, double out[2]) {
  enum { STEPS = 20000 };
  const double h = o->end / STEPS;
  double u = 0, v = o->speed, t = 0;
  for (int k = 0; k < STEPS; ++k, t = k * h) {
    const double a1 = one_acceleration(o, t, u, v), v2 = v + h / 2 * a1;
    const double a2 = one_acceleration(o, t + h / 2, u + h / 2 * v, v2), v3 = v + h / 2 * a2;
    const double a3 = one_acceleration(o, t + h / 2, u + h / 2 * v2, v3), v4 = v + h * a3;
    const double a4 = one_acceleration(o, t + h, u + h * v3, v4);
    u += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  out[0] = u, out[1] = v;
}

static double one_error(const char *folder, const One *o, double rho, double step, const double exact[2]) {
  char text[4096], thermal[128] = "";
  double row[COLUMNS], error = 0;
  if (o->warm != 0) snprintf(thermal, sizeof thermal, "thermal: {reference: 0, temperature: '%.17g*t'}\n", o->warm);
  snprintf(text, sizeof text,
           "version: 1\nmesh: {grid: [2, 2], size: [%.17g, %.17g]}\nphysics: elasticity\nmodel: plane-strain\n"
           "strain: finite\nanalysis: {type: transient, rho-infinity: %g, damping: {alpha: %.17g, beta: %.17g}}\n"
           "materials: [{on: body, type: neo-hooke, young: %.17g, poisson: %.17g, density: %.17g, expansion: %g}]\n%s"
           "boundary:\n- {on: body, fix: {y: 0}}\n- {on: x0, fix: {x: '%.17g*sin(%.17g*t)'}}\n"
           "- {on: x1, traction: ['%.17g*t', 0]}\ninitial: {velocity: ['%.17g*x/%.17g', 0]}\n"
           "time: {end: %.17g, step: %g}\noutput:\n  every: %.17g\n  fields: [displacement, reaction]\n  probes:\n"
           "  - {name: u, at: [%.17g, 0], field: displacement-x}\n  - {name: v, at: [%.17g, 0], field: velocity-x}\n",
           LENGTH, HEIGHT, rho, o->alpha, o->beta, YOUNG, POISSON, DENSITY, EXPANSION, thermal, o->shake, o->rate,
           o->traction, o->speed, LENGTH, o->end, step, o->end, LENGTH, LENGTH);
  app_runs(folder, text);
  scratch_last_row(folder, 3, row);
  for (int k = 0; k < 2; ++k) error = fmax(error, fabs(row[1 + k] - exact[k]) / (1 + fabs(exact[k])));
  return error;
}

static void second_order(void **state) {
  (void)state;
  static const One of[] = {{-2.4, 0, 0, 0.09, 0, 1, 0, 2.24}, {2.1, 1.7, 0.35, 0.05, 0.11, 2.7, 6, 2.88}};
  static const double rho[] = {1, 0.8, 0.3};
  char *folder = scratch_create();
  for (int which = 0; which < 2; ++which)
    for (int k = 0; k < 3; ++k) {
      double exact[2];
      one_exact(&of[which], exact);
      const double coarse = one_error(folder, &of[which], rho[k], 0.0064, exact),
                   fine = one_error(folder, &of[which], rho[k], 0.0032, exact);
      print_message("rho %g: u %g, errors %.3e %.3e\n", rho[k], exact[0], coarse, fine);
      assert_true(fine < 2e-3);
      assert_in_range((int64_t)(100 * coarse / fine), 330, 480);
    }
  scratch_remove(&folder);
}

/* What the damping takes is what is lost. */
static void energies_balance(void **state) {
  (void)state;
  static const One o = {-2.4, 0, 0, 0.09, 0, 1, 0, 2.24};
  char *folder = scratch_create();
  double exact[2];
  one_exact(&o, exact);
  assert_true(one_error(folder, &o, 0.9, 0.002, exact) < 2e-3);
  const double start = DENSITY * HEIGHT * LENGTH / 6 * o.speed * o.speed,
               taken = scratch_reported(folder, "dissipated_energy");
  const double both = scratch_reported(folder, "kinetic_energy") + scratch_reported(folder, "strain_energy");
  print_message("kinetic and strain %g, taken %g, at first %g\n", both, taken, start);
  assert_true(taken > 0.3 * start);
  assert_within(both + taken, start, 1e-3);
  scratch_remove(&folder);
}

/* Motions so small that strains are: those of the linear analysis, whatever the elements are, with a support at an angle and
 * springs on a surface and between nodes, which are damped too. */
static void small_motions(void **state) {
  (void)state;
  static const struct {
    const char *mesh, *model, *formulation, *material, *more;
    int ways;
  } of[] = {{"grid: [5, 3, 2], size: [4, 1, 0.8]", "3d", "mean-dilatation", "", ", 0", 3},
            {"grid: [5, 3, 2], size: [4, 1, 0.8]", "3d", "incompatible-modes", "", ", 0", 2},
            {"grid: [3, 2, 2], size: [4, 1, 0.8], order: 2", "3d", "displacement", "type: orthotropic, ", ", 0", 3},
            {"grid: [6, 3], size: [4, 1]", "axisymmetric", "mean-dilatation", "", "", 3},
            {"grid: [4, 3], size: [4, 1], order: 2", "plane-stress", "displacement", "", "", 3}};
  static const char *const time[] = {"time: {end: 2, step: 0.05}", "steps: [{name: all, end: 2, step: 0.05}]",
                                     "time: {end: 2, step: 0.05}"};
  static const char *const springs[] = {"springs: [{at: [0, 0], to: [4, 1], stiffness: [9, 3]}]\n",
                                        "springs: [{at: [0, 0, 0], to: [4, 1, 0], stiffness: [9, 3, 2]}]\n"};
  char *folder = scratch_create(), text[4096];
  for (size_t k = 0; k < sizeof of / sizeof *of; ++k) {
    double row[3][COLUMNS];
    for (int way = 0; way < of[k].ways; ++way) { /* linear, by Newton's method, at finite strain */
      const bool solid = of[k].more[0] != 0;
      snprintf(
          text, sizeof text,
          "version: 1\nmesh: {%s}\nphysics: elasticity\nmodel: %s\nstrain: %s\nformulation: %s\n"
          "analysis: {type: transient, rho-infinity: 0.7, damping: {alpha: 0.3, beta: 0.05}}\n"
          "materials: [{on: body, %s, density: 1.7}]\nboundary:\n- {on: x0, fix: {x: 0, y: '1e-7*sin(2*t)'%s}}\n"
          "- {on: x1, traction: ['3e-7*t', 2e-7%s]}\n- {on: y1, dashpot: [0.3, 0.2%s], spring: 5}\n"
          "%s%s\nsolver: {rtol: 1e-10}\noutput:\n  every: 2\n  fields: [displacement]\n  probes:\n"
          "  - {name: a, at: [4, 1%s], field: displacement-x}\n  - {name: b, at: [4, 1%s], field: displacement-y}\n"
          "  - {name: c, at: [4, 1%s], field: velocity-y}\n",
          of[k].mesh, of[k].model, way == 2 ? "finite" : "small", of[k].formulation,
          of[k].material[0] ? "type: orthotropic, young: [100, 50, 30], poisson: [0.2, 0.25, 0.1], shear: [20, "
                              "30, 25], axes: {x: [1, 1, 0], y: [-1, 1, 0.5]}"
                            : "young: 100, poisson: 0.3",
          solid ? ", z: 0" : "", of[k].more, solid ? ", 0.1" : "", k == 3 ? "" : springs[solid], time[way], of[k].more,
          of[k].more, of[k].more);
      app_runs(folder, text);
      scratch_last_row(folder, 4, row[way]);
    }
    for (int i = 1; i < 4; ++i) {
      print_message("%s %d: %.8e %.8e %.8e\n", of[k].model, i, row[0][i], row[1][i], of[k].ways > 2 ? row[2][i] : 0);
      assert_within(row[1][i], row[0][i], 1e-7);
      if (of[k].ways > 2) assert_within(row[2][i], row[0][i], 1e-5);
    }
  }
  scratch_remove(&folder);
}

/* ---- a bar of metal that is held across, with linear hardening ---- */
static const double METAL = 1000, RATIO = 0.2, YIELD = 5, SLOPE = 100, HEAVY = 1, LONG = 1.2;
typedef struct Metal {
  double along, p; /* plastic strain xx, of which half goes the other way across */
} Metal;

static double metal_stress(double strain, Metal *m) {
  const double G = METAL / (2 * (1 + RATIO)), K = METAL / (3 - 6 * RATIO);
  const double trial = 2 * G * (2. / 3 * strain - m->along), over = 1.5 * fabs(trial) - YIELD - SLOPE * m->p;
  if (over > 0) m->along += copysign(over / (3 * G + SLOPE), trial), m->p += over / (3 * G + SLOPE);
  return K * strain + 2 * G * (2. / 3 * strain - m->along);
}

/* By halves of the interval, with beta times the elastic modulus. */
static void metal_plain(int steps, double h, double beta, double out[2]) {
  const double rho = 0.8, am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1), gamma = 0.5 - am + af,
               b = 0.25 * (0.5 + gamma) * (0.5 + gamma), mass = HEAVY * LONG / 3;
  const double modulus = METAL * (1 - RATIO) / ((1 + RATIO) * (1 - 2 * RATIO));
  Metal now = {0};
  double u = 0, v = 0, a = 0, force = 0;
  for (int k = 1; k <= steps; ++k) {
    double low = u - 0.5, high = u + 0.5, acceleration = 0, velocity = 0, next = 0;
    for (int i = 0; i < 100; ++i) {
      const double x = (low + high) / 2;
      Metal trial = now;
      acceleration = (x - u) / (b * h * h) - v / (b * h) - (0.5 / b - 1) * a;
      velocity = v + h * ((1 - gamma) * a + gamma * acceleration);
      next = 16 * sin(9 * k * h) - metal_stress(x / LONG, &trial);
      const double left = (1 - af) * next + af * force - mass * ((1 - am) * acceleration + am * a) -
                          beta * modulus / LONG * ((1 - af) * velocity + af * v);
      *(left > 0 ? &low : &high) = x;
    }
    u = low, v = velocity, a = acceleration, force = next;
    (void)metal_stress(u / LONG, &now);
  }
  out[0] = u, out[1] = now.p;
}

static void metal_is_damped(void **state) {
  (void)state;
  char *folder = scratch_create(), text[2048];
  double row[COLUMNS], wanted[2], free[2];
  snprintf(
      text, sizeof text,
      "version: 1\nmesh: {grid: [2, 2, 2], size: [%g, 1, 1]}\nphysics: elasticity\nmodel: 3d\n"
      "analysis: {type: transient, rho-infinity: 0.8, damping: {beta: 0.004}}\n"
      "materials: [{on: body, type: plastic, young: %g, poisson: %g, density: %g, yield: [[0, %g], [1, %g]]}]\n"
      "boundary:\n- {on: x0, fix: {x: 0}}\n- {on: body, fix: {y: 0, z: 0}}\n"
      "- {on: x1, traction: ['16*sin(9*t)', 0, 0]}\ntime: {end: 1, step: 0.01}\nsolver: {rtol: 1e-12}\noutput:\n"
      "  every: 1\n  fields: [displacement, plastic-strain]\n  probes:\n"
      "  - {name: u, at: [%g, 0, 0], field: displacement-x}\n  - {name: p, at: [0, 0, 0], field: plastic-strain}\n",
      LONG, METAL, RATIO, HEAVY, YIELD, YIELD + SLOPE, LONG);
  app_runs(folder, text);
  scratch_last_row(folder, 3, row);
  metal_plain(100, 0.01, 0.004, wanted);
  metal_plain(100, 0.01, 0, free);
  print_message("u %g, plastic strain %g, without damping %g\n", wanted[0], wanted[1], free[1]);
  for (int k = 0; k < 2; ++k) assert_near(row[1 + k], wanted[k], 1e-8);
  assert_true(wanted[1] > 0.01 && fabs(wanted[1] - free[1]) > 1e-3);
  scratch_remove(&folder);
}

/* A block that turns is not held back, however much its vibrations are. */
static void block_turns(void **state) {
  (void)state;
  static const char *const more[] = {"", "formulation: mean-dilatation\n"};
  const double omega = 3.1, x = 1.1, y = 0.6, z = 0.4, density = 1.4;
  char *folder = scratch_create(), text[2048];
  for (int k = 0; k < 2; ++k) {
    snprintf(
        text, sizeof text,
        "version: 1\nmesh: {grid: [4, 3, 2], size: [%g, %g, %g]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n%s"
        "analysis: {type: transient, rho-infinity: 0.9, damping: {beta: 0.1}}\n"
        "materials: [{on: body, type: neo-hooke, young: 2e5, poisson: 0.3, density: %g}]\n"
        "initial: {velocity: ['-%.17g*(y-%.17g)', '%.17g*(x-%.17g)', 0]}\ntime: {end: 1, step: 0.01}\n"
        "output: {fields: [displacement]}\n",
        x, y, z, more[k], density, omega, y / 2, omega, x / 2);
    app_runs(folder, text);
    const double energy = density * x * y * z * (x * x + y * y) / 24 * omega * omega;
    assert_within(scratch_reported(folder, "kinetic_energy"), energy, 1e-3);
  }
  scratch_remove(&folder);
}

/* A bar that is heated over a load step and cooled at once swings as one that is heated at once, the other way round. */
static void heat_moves(void **state) {
  (void)state;
  static const char *const way[] = {
      "thermal: {reference: 3, temperature: 13}\ntime: {end: 0.5, step: 0.01}\n",
      "steps:\n- {name: a, end: 1, step: 0.5, inertia: false, thermal: {reference: 3, temperature: 13}}\n"
      "- {name: b, end: 1.5, step: 0.01, thermal: {temperature: 3}}\n"};
  char *folder = scratch_create(), text[2048];
  double row[2][COLUMNS];
  for (int k = 0; k < 2; ++k) {
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: [5, 2, 2], size: [4, 1, 1]}\nphysics: elasticity\nmodel: 3d\n"
             "analysis: {type: transient, rho-infinity: 0.9, damping: {beta: 0.002}}\n"
             "materials: [{on: body, young: 1000, poisson: 0, density: 1, expansion: 1e-3}]\n%s"
             "boundary: [{on: x0, fix: {x: 0}}, {on: y0, fix: {y: 0}}, {on: z0, fix: {z: 0}}]\nsolver: {rtol: 1e-11}\n"
             "output:\n  fields: [displacement]\n  probes: [{name: u, at: [4, 0, 0], field: displacement-x}, "
             "{name: v, at: [4, 0, 0], field: velocity-x}]\n",
             way[k]);
    app_runs(folder, text);
    scratch_last_row(folder, 3, row[k]);
  }
  print_message("%.9g %.9g; %.9g %.9g\n", row[0][1], row[0][2], row[1][1], row[1][2]);
  assert_true(fabs(row[0][1] - 0.04) > 1e-3 && fabs(row[0][2]) > 1e-2);
  assert_near(row[1][1], 0.04 - row[0][1], 1e-9);
  assert_near(row[1][2], -row[0][2], 1e-8);
  scratch_remove(&folder);
}

/* What creeps and relaxes does so in the steps of a chain as it does by `time`, at rest and in motion; with `creep: false` it is elastic. */
static void steps_take_time(void **state) {
  (void)state;
  static const char *const law[] = {"plastic, creep: {norm: 2e-3, exponent: 2}", "viscoelastic, prony: [[0.3, 0.1]]",
                                    "plastic, yield: 1e9"};
  static const char *const way[] = {"time: {end: 0.2, step: 0.01}\n", "steps: [{name: a, end: 0.2, step: 0.01}]\n",
                                    "steps: [{name: a, end: 0.2, step: 0.01, creep: false}]\n"};
  char *folder = scratch_create(), text[1024];
  double row[6][3], rest[3][2];
#define BODY                                                                                                           \
  "version: 1\nmesh: {grid: [2, 2]}\nphysics: elasticity\nmodel: plane-strain\n%smaterials: [{on: body, type: %s, "    \
  "young: 1000, poisson: 0.3, density: 2}]\nsolver: {rtol: 1e-11}\nboundary: [{on: x0, fix: {x: 0}}, {on: y0, fix: "   \
  "{y: 0}}%s]\n%soutput: {fields: [displacement], probes: [{name: u, at: [1, 1], field: displacement-x}%s]}\n"
  static const int laws[] = {0, 0, 1, 1, 0, 2}, ways[] = {0, 1, 0, 1, 2, 1};
  for (int k = 0; k < 6; ++k) {
    snprintf(text, sizeof text, BODY, "analysis: {type: transient}\n", law[laws[k]], ", {on: x1, traction: [4, 0]}",
             way[ways[k]], ", {name: v, at: [1, 1], field: velocity-x}");
    app_runs(folder, text);
    scratch_last_row(folder, 3, row[k]);
    print_message("%d: %.9g %.9g\n", k, row[k][1], row[k][2]);
  }
  for (int k = 1; k < 3; ++k) {
    assert_near(row[1][k], row[0][k], 1e-12);
    assert_near(row[3][k], row[2][k], 1e-12);
    assert_near(row[4][k], row[5][k], 1e-12);
  }
  assert_true(fabs(row[1][1] - row[5][1]) > 1e-4 && fabs(row[3][1] - row[5][1]) > 1e-4);
#define PULL "steps: [{name: a, end: 1, step: 0.5%s, boundary: [{on: x1, traction: [4, 0]}]}%s]\n"
  for (int k = 0; k < 2; ++k) {
    for (int moves = 0; moves < 2; ++moves) {
      char steps[256];
      snprintf(steps, sizeof steps, PULL, moves ? ", inertia: false" : "",
               moves ? ", {name: b, end: 1.0001, step: 1e-4}" : "");
      snprintf(text, sizeof text, BODY, moves ? "analysis: {type: transient}\n" : "", law[k], "", steps, "");
      app_runs(folder, text);
      scratch_last_row(folder, 2, rest[moves]);
    }
    assert_near(rest[1][1], rest[0][1], 1e-6);
  }
  scratch_remove(&folder);
}

/* A damped block that a plane lifts bears (g + a + alpha v) m, with a and v of the plane. */
static void planes_lift(void **state) {
  (void)state;
  char *folder = scratch_create();
  double row[3];
  app_runs(folder,
           "version: 1\nmesh: {grid: [4, 3], size: [1, 0.5]}\nphysics: elasticity\nmodel: plane-strain\n"
           "strain: finite\nformulation: displacement\nanalysis: {type: transient, rho-infinity: 0.6, damping: {beta: "
           "0.003, alpha: 0.5}}\nmaterials: [{on: body, type: neo-hooke, young: 1e5, poisson: 0.3, density: 2}]\n"
           "body: [{on: body, gravity: [0, -10]}]\nboundary: [{on: x0, fix: {x: 0}}]\ncontact: [{on: y0, against: "
           "{plane: {at: [0, 0], normal: [0, 1], move: [0, '0.5*max(0, t - 1)^2']}}}]\nsteps:\n- {name: rest, end: 1, "
           "step: 0.5, inertia: false}\n- {name: lift, end: 1.2, step: 0.0025}\nsolver: {rtol: 1e-9}\n"
           "output: {every: 1.2, sums: [{name: f, on: y0, field: contact-force}]}\n");
  scratch_last_row(folder, 3, row);
  assert_relative(row[2], 11.1, 1e-5);
  const double has = scratch_reported(folder, "kinetic_energy") + scratch_reported(folder, "strain_energy"),
               lost = scratch_reported(folder, "dissipated_energy");
  assert_within(has + lost, scratch_reported(folder, "external_work"), 1e-3 * has);
  scratch_remove(&folder);
}

static void refused(void **state) {
  (void)state;
  char *folder = scratch_create();
  Said said = app_run_says(
      folder, "version: 1\nmesh: {grid: [3, 2], size: [2, 1]}\nphysics: elasticity\nmodel: plane-strain\n"
              "strain: finite\nanalysis: {type: transient, damping: {beta: 0.1}}\nmaterials: [{on: body, "
              "type: neo-hooke, young: '10 + x', poisson: 0.3, density: 1}]\nboundary: [{on: x1, traction: "
              "[1, 0]}]\ntime: {end: 1, step: 0.1}\n");
  assert_int_equal(said.code, 3);
  assert_non_null(strstr(said.err, "damping by 'beta' beside a material 'neo-hooke' whose parameters vary"));
  said_release(&said);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(second_order),    cmocka_unit_test(energies_balance), cmocka_unit_test(small_motions),
      cmocka_unit_test(metal_is_damped), cmocka_unit_test(block_turns),      cmocka_unit_test(heat_moves),
      cmocka_unit_test(steps_take_time), cmocka_unit_test(planes_lift),      cmocka_unit_test(refused)};
  return cmocka_run_group_tests_name("app/motion_damping", tests, NULL, NULL);
}
