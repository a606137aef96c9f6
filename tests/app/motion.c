/* Motion by Newton's method: one element against its ordinary differential equation, free fall, a block that spins, small motions
 * against linear ones, metal under small strain against a plain return, load steps before motion, energies, and what is refused. */
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 16 };

/* ---- one quad4 that can go in x alone: x = 0 is shaken, x = L is free, with a load of each kind ---- */
static const double LENGTH = 1.3, HEIGHT = 0.7, DENSITY = 2.3, YOUNG = 11, POISSON = 0.31;
typedef struct One {
  double speed, traction, pressure, gravity, dashpot, alpha, shake, rate, end;
} One;

static double one_stress(double stretch) {
  const double mu = YOUNG / (2 * (1 + POISSON)), lambda = 2 * mu * POISSON / (1 - 2 * POISSON);
  return mu * (stretch - 1 / stretch) + lambda * log(stretch) / stretch;
}

/* Of the free end; *reaction: of the support. */
static double one_acceleration(const One *o, double t, double u, double v, double *reaction) {
  const double m = DENSITY * HEIGHT * LENGTH / 6; /* beside the diagonal, which has twice as much */
  const double g = o->shake * sin(o->rate * t), dg = o->shake * o->rate * cos(o->rate * t),
               ddg = -o->rate * o->rate * g;
  const double inside = HEIGHT * one_stress(1 + (u - g) / LENGTH), weight = DENSITY * HEIGHT * LENGTH / 2 * o->gravity;
  const double a = (HEIGHT * (o->traction * t - o->pressure) + weight - inside - HEIGHT * o->dashpot * v -
                    m * (ddg + o->alpha * (2 * v + dg))) /
                   (2 * m);
  *reaction = m * (a + 2 * ddg + o->alpha * (v + 2 * dg)) - inside - weight;
  return a;
}

/* u, v, a of the free end and the reaction: Runge and Kutta's method. */
static void one_exact(const One *o, double out[4]) {
  enum { STEPS = 20000 };
  const double h = o->end / STEPS;
  double u = 0, v = o->speed, t = 0, r;
  for (int k = 0; k < STEPS; ++k, t = k * h) {
    const double a1 = one_acceleration(o, t, u, v, &r), v1 = v;
    const double v2 = v + h / 2 * a1, a2 = one_acceleration(o, t + h / 2, u + h / 2 * v1, v2, &r);
    const double v3 = v + h / 2 * a2, a3 = one_acceleration(o, t + h / 2, u + h / 2 * v2, v3, &r);
    const double v4 = v + h * a3, a4 = one_acceleration(o, t + h, u + h * v3, v4, &r);
    u += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  out[0] = u, out[1] = v, out[2] = one_acceleration(o, o->end, u, v, &out[3]);
}

static void one_text(const One *o, double rho, const char *time, char *text, size_t n) {
  snprintf(text, n,
           "version: 1\nmesh: {grid: [2, 2], size: [%.17g, %.17g]}\nphysics: elasticity\nmodel: plane-strain\n"
           "strain: finite\nanalysis: {type: transient, rho-infinity: %g, damping: {alpha: %.17g}}\n"
           "materials: [{on: body, type: neo-hooke, young: %.17g, poisson: %.17g, density: %.17g}]\n"
           "boundary:\n- {on: body, fix: {y: 0}}\n- {on: x0, fix: {x: '%.17g*sin(%.17g*t)'}}\n"
           "- {on: x1, traction: ['%.17g*t', 0]}\n- {on: x1, pressure: %.17g}\n- {on: x1, dashpot: [%.17g, 0]}\n"
           "body: [{on: body, gravity: [%.17g, 0]}]\ninitial: {velocity: ['%.17g*x/%.17g', 0]}\n"
           "time: {end: %.17g, %s}\n"
           "output:\n  every: %.17g\n  fields: [displacement, velocity, reaction]\n  probes:\n"
           "  - {name: u, at: [%.17g, 0], field: displacement-x}\n  - {name: v, at: [%.17g, 0], field: velocity-x}\n"
           "  - {name: a, at: [%.17g, 0], field: acceleration-x}\n  sums: [{name: r, on: x0, field: reaction}]\n",
           LENGTH, HEIGHT, rho, o->alpha, YOUNG, POISSON, DENSITY, o->shake, o->rate, o->traction, o->pressure,
           o->dashpot, o->gravity, o->speed, LENGTH, o->end, time, o->end, LENGTH, LENGTH, LENGTH);
}

static double one_error(const char *folder, const One *o, double rho, const char *time, const double exact[4]) {
  char text[4096];
  double row[COLUMNS], error = 0;
  one_text(o, rho, time, text, sizeof text);
  app_runs(folder, text);
  scratch_last_row(folder, 5, row);
  assert_near(row[0], o->end, 1e-12);
  for (int k = 0; k < 2; ++k) error = fmax(error, fabs(row[1 + k] - exact[k]) / (1 + fabs(exact[k])));
  for (int k = 2; k < 4; ++k) /* accelerations are of first order, and with them reactions */
    assert_true(fabs(row[1 + k] - exact[k]) < (strstr(time, "adaptive") ? 0.2 : 0.03) * (1 + fabs(exact[k])));
  return error;
}

static const One all = {2.1, 1.7, 0.9, -1.1, 0.6, 0.35, 0.11, 2.7, 2.88}, bare = {-2.4, 0, 0, 0, 0, 0, 0, 1, 2.24};

/* Displacement and velocity, with every load, damper and motion there is; stretches go from 0.6 to 1.6. */
static void second_order(void **state) {
  (void)state;
  static const double rho[] = {0.95, 0.8, 0.3};
  char *folder = scratch_create();
  for (int which = 0; which < 2; ++which)
    for (int k = 0; k < 3; ++k) {
      const One *o = which ? &bare : &all;
      double exact[4];
      one_exact(o, exact);
      const double coarse = one_error(folder, o, rho[k], "step: 0.0064", exact),
                   fine = one_error(folder, o, rho[k], "step: 0.0032", exact);
      print_message("rho %g: u %g, errors %.3e %.3e\n", rho[k], exact[0], coarse, fine);
      assert_true(fine < 2e-3);
      assert_in_range((int64_t)(100 * coarse / fine), 330, 480);
    }
  scratch_remove(&folder);
}

/* The energies are those that the solution has, and balance. */
static void energies_balance(void **state) {
  (void)state;
  char *folder = scratch_create();
  double exact[4];
  one_exact(&bare, exact);
  assert_true(one_error(folder, &bare, 0.9, "step: 0.002", exact) < 2e-3);
  const double m = DENSITY * HEIGHT * LENGTH / 3, start = m / 2 * bare.speed * bare.speed;
  const double kinetic = scratch_reported(folder, "kinetic_energy"), strain = scratch_reported(folder, "strain_energy");
  assert_within(kinetic, m / 2 * exact[1] * exact[1], 1e-2);
  assert_within(kinetic + strain, start, 1e-3);
  assert_near(scratch_reported(folder, "external_work"), 0, 1e-12);
  assert_near(scratch_reported(folder, "dissipated_energy"), 0, 1e-12);
  one_exact(&all, exact);
  assert_true(one_error(folder, &all, 0.95, "step: 0.002", exact) < 2e-3);
  const double both = scratch_reported(folder, "kinetic_energy") + scratch_reported(folder, "strain_energy"),
               taken = scratch_reported(folder, "dissipated_energy"), done = scratch_reported(folder, "external_work");
  const double mass = m / 2, dg = all.shake * all.rate; /* the velocity goes straight from x = 0 to x = L */
  const double first = mass * (dg * dg + dg * all.speed + all.speed * all.speed);
  print_message("kinetic and strain %g, at first %g, dissipated %g, external %g\n", both, first, taken, done);
  assert_true(taken > 1);
  assert_within(both + taken - done, first, 1e-3);
  scratch_remove(&folder);
}

/* A bar of metal runs against a wall: what it does not keep of its energy has gone into flow. */
static void metal_flows(void **state) {
  (void)state;
  char *folder = scratch_create();
  app_runs(
      folder,
      "version: 1\nmesh: {grid: [6, 3, 3], size: [4, 1, 1]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n"
      "analysis: {type: transient, rho-infinity: 0.9}\nmaterials: [{on: body, type: plastic, young: 1000, poisson: "
      "0.3, density: 1.3, yield: 5, saturation: {to: 9, rate: 20}}]\nboundary: [{on: x0, fix: all}]\n"
      "initial: {velocity: ['-5*x/4', 0, 0]}\ntime: {end: 0.3, step: 0.002}\n"
      "output: {every: 0.1, fields: [displacement, plastic-strain]}\n");
  const double kinetic = scratch_reported(folder, "kinetic_energy"), strain = scratch_reported(folder, "strain_energy"),
               flow = scratch_reported(folder, "dissipated_energy"), start = 1.3 * 4 * 25 / 6;
  print_message("kinetic %g, strain %g, dissipated %g, at first %g\n", kinetic, strain, flow, start);
  assert_true(flow > 0.3 * start && strain < 0.1 * start);
  assert_within(kinetic + strain + flow, start, 1e-4);
  scratch_remove(&folder);
}

/* Steps as long as the tolerance says; and a step whose guess turns the element inside out begins where that is. */
static void steps_are_as_long_as_asked(void **state) {
  (void)state;
  char *folder = scratch_create();
  double exact[4];
  one_exact(&all, exact);
  for (int k = 0; k < 2; ++k) {
    const char *time = k ? "step: 0.05, adaptive: {tolerance: 1e-4}" : "step: 0.05, adaptive: {tolerance: 1e-3}";
    const double error = one_error(folder, &all, 0.9, time, exact);
    print_message("error %.3g\n", error);
    assert_true(error < (k ? 3e-3 : 3e-2));
  }
  const One fast = {-9, 0, 0, 0, 0, 0, 0, 1, 0.8};
  one_exact(&fast, exact);
  assert_true(one_error(folder, &fast, 0.9, "step: 0.4, adaptive: {tolerance: 1e-4}", exact) < 3e-2);
  char text[4096];
  double row[COLUMNS];
  one_text(&fast, 0.9, "step: 0.4", text, sizeof text);
  app_runs(folder, text);
  scratch_last_row(folder, 5, row);
  assert_true(scratch_reported(folder, "rejected_steps") == 0);
  assert_true(isfinite(row[1]) && row[1] > -LENGTH);
  scratch_remove(&folder);
}

/* A body that nothing holds falls as a point does, whatever its elements are: nothing is strained. */
static void free_fall(void **state) {
  (void)state;
  static const char *const mesh[][2] = {{"grid: [3, 2, 3], size: [1, 0.7, 1.2], order: 2", "3d"},
                                        {"grid: [4, 3], size: [1, 0.7]", "plane-strain"},
                                        {"grid: [3, 3], size: [1, 0.7], order: 2", "plane-stress"},
                                        {"grid: [4, 3], size: [1, 0.7]", "axisymmetric"}};
  const double gravity = -9.3, speed = 3.7, end = 0.83;
  char *folder = scratch_create(), text[2048];
  for (int k = 0; k < 4; ++k) {
    const bool solid = k == 0, turned = k == 3; /* around an axis y alone is free */
    double row[COLUMNS];
    snprintf(
        text, sizeof text,
        "version: 1\nmesh: {%s}\nphysics: elasticity\nmodel: %s\nstrain: finite\nanalysis: {type: transient}\n"
        "materials: [{on: body, type: neo-hooke, young: 5, poisson: 0.3, density: 1.9}]\n%s"
        "body: [{on: body, gravity: [0, %.17g%s]}]\ninitial: {velocity: [%s, %.17g%s]}\n"
        "time: {end: %.17g, step: 0.11}\noutput:\n  fields: [displacement]\n  probes:\n"
        "  - {name: u, at: [0.4, 0.2%s], field: displacement-y}\n  - {name: v, at: [1, 0.7%s], field: velocity-y}\n"
        "  - {name: a, at: [0, 0%s], field: acceleration-y}\n  - {name: x, at: [1, 0%s], field: displacement-x}\n"
        "  - {name: s, at: [1, 0%s], field: von-mises}\n",
        mesh[k][0], mesh[k][1], turned ? "boundary: [{on: x0, fix: {x: 0}}]\n" : "", gravity, solid ? ", 0" : "",
        turned ? "0" : "-1.2", speed, solid ? ", 0.4" : "", end, solid ? ", 0.1" : "", solid ? ", 1.2" : "",
        solid ? ", 0" : "", solid ? ", 0" : "", solid ? ", 0" : "");
    app_runs(folder, text);
    scratch_last_row(folder, 6, row);
    assert_near(row[1], speed * end + gravity * end * end / 2, 1e-11);
    assert_near(row[2], speed + gravity * end, 1e-11);
    assert_near(row[3], gravity, 1e-9);
    assert_near(row[4], turned ? 0 : -1.2 * end, 1e-11);
    assert_near(row[5], 0, 1e-9);
  }
  scratch_remove(&folder);
}

/* A stiff block keeps turning: angle (and so its angular momentum) and energy stay those of a rigid one. */
static void block_turns(void **state) {
  (void)state;
  static const double rho[] = {1, 0.8};
  const double omega = 3.1, end = 5.2, x = 1.1, y = 0.6, young = 2e5, density = 1.4, z = 0.4;
  char *folder = scratch_create(), text[2048];
  for (int k = 0; k < 2; ++k) {
    double row[COLUMNS];
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: [4, 3, 2], size: [%g, %g, %g]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n"
             "analysis: {type: transient, rho-infinity: %g}\n"
             "materials: [{on: body, type: neo-hooke, young: %g, poisson: 0.3, density: %g}]\n"
             "initial: {velocity: ['-%.17g*(y-%.17g)', '%.17g*(x-%.17g)', 0]}\ntime: {end: %g, step: 0.01}\n"
             "output:\n  every: %g\n  fields: [displacement]\n  probes:\n"
             "  - {name: u, at: [%g, %g, 0], field: displacement-x}\n"
             "  - {name: v, at: [%g, %g, 0], field: displacement-y}\n",
             x, y, z, rho[k], young, density, omega, y / 2, omega, x / 2, end, end, x, y, x, y);
    app_runs(folder, text);
    scratch_last_row(folder, 3, row);
    const double c = cos(omega * end), s = sin(omega * end);
    const double u = (c - 1) * x / 2 - s * y / 2, v = s * x / 2 + (c - 1) * y / 2;
    const double energy = density * x * y * z * (x * x + y * y) / 24 * omega * omega;
    const double now = scratch_reported(folder, "kinetic_energy") + scratch_reported(folder, "strain_energy");
    print_message("rho %g: %.5f %.5f, rigid %.5f %.5f; energy %.8f, at first %.8f\n", rho[k], row[1], row[2], u, v, now,
                  energy);
    assert_true(fabs(row[1] - u) < 4e-3 && fabs(row[2] - v) < 4e-3); /* of a way of 20 */
    assert_within(now, energy, 1e-3);
  }
  scratch_remove(&folder);
}

/* Motions so small that strains are: those of the linear analysis, with supports that move, dashpots, damping by mass, pressure
 * and gravity. */
static void small_motions(void **state) {
  (void)state;
  static const char *const time[] = {"time: {end: 3", "time: {end: 3", "steps: [{name: all, end: 3"}, *const close[] = {
                                                                                                          "}", "}",
                                                                                                          "}]"};
  static const char *const mesh[][4] = {
      {"grid: [5, 3, 3], size: [4, 1, 0.8], order: 2", "3d", ", z: 0", ", 0.3"},
      {"grid: [7, 4], size: [4, 1], order: 2", "plane-strain", "", ""},
      {"grid: [7, 4], size: [4, 1]", "axisymmetric", "", ""},
  };
  char *folder = scratch_create(), text[4096];
  for (int k = 0; k < 3; ++k) {
    const char *zero = k == 0 ? ", 0" : "";
    double row[3][COLUMNS];
    for (int way = 0; way < 3; ++way) { /* linear, at finite strain, by Newton's method under small strain */
      snprintf(
          text, sizeof text,
          "version: 1\nmesh: {%s}\nphysics: elasticity\nmodel: %s\nstrain: %s\nformulation: displacement\n"
          "analysis: {type: transient, rho-infinity: 0.7, damping: {alpha: 0.3}}\n"
          "materials: [{on: body, young: 100, poisson: 0.3, density: 1.7}]\nboundary:\n"
          "- {on: x0, fix: {x: %s, y: '1e-7*sin(2*t)'%s}}\n- {on: x1, traction: ['3e-7*t', 2e-7%s]}\n"
          "- {on: y1, pressure: 1e-7}\n- {on: y1, dashpot: [0.3, 0.2%s]}\nbody: [{on: body, gravity: [0, -1e-7%s]}]\n"
          "initial: {velocity: [0, '1e-8*x'%s]}\n%s, step: 0.05%s\nsolver: {rtol: 1e-10}\n"
          "output:\n  every: 3\n  fields: [displacement]\n  probes:\n"
          "  - {name: a, at: [4, 0.5%s], field: displacement-x}\n  - {name: b, at: [4, 0.5%s], field: "
          "displacement-y}\n  - {name: c, at: [4, 0.5%s], field: velocity-y}\n  - {name: d, at: [4, 0.5%s], field: "
          "acceleration-y}\n  - {name: e, at: [1, 0.5%s], field: stress-xx}\n",
          mesh[k][0], mesh[k][1], way == 1 ? "finite" : "small", "0", mesh[k][2], zero, zero, zero, zero, time[way],
          close[way], mesh[k][3], mesh[k][3], mesh[k][3], mesh[k][3], mesh[k][3]);
      app_runs(folder, text);
      scratch_last_row(folder, 6, row[way]);
    }
    for (int i = 1; i < 6; ++i) {
      print_message("%s %d: %.8e %.8e %.8e\n", mesh[k][1], i, row[0][i], row[1][i], row[2][i]);
      assert_within(row[1][i], row[0][i], 4e-6);
      assert_within(row[2][i], row[0][i], 1e-7);
    }
  }
  scratch_remove(&folder);
}

/* ---- one hex8 of metal that can go in x alone, under small strain, against a return by halving ---- */
static const double YIELD = 5, SLOPE = 70, C = 300, GAMMA = 20, METAL = 1000, RATIO = 0.3, HEAVY = 2.3, LONG = 1.3,
                    ACROSS = 0.63;
typedef struct Metal {
  double strain, p, back; /* what points remember: axial parts of deviators */
} Metal;

static double metal_stress(double strain, Metal *m) {
  const double G = METAL / (2 * (1 + RATIO)), K = METAL / (3 * (1 - 2 * RATIO)),
               s = 2 * G * (2. / 3 * strain - m->strain);
  double low = 0, high = (1.5 * fabs(s - m->back) - YIELD - SLOPE * m->p) / (3 * G);
  if (high <= 0) return K * strain + s;
  for (int k = 0; k < 100; ++k) {
    const double d = (low + high) / 2, theta = 1 / (1 + GAMMA * d);
    const bool more = 1.5 * fabs(s - theta * m->back) - 3 * G * d - C * theta * d > YIELD + SLOPE * (m->p + d);
    *(more ? &low : &high) = d;
  }
  const double theta = 1 / (1 + GAMMA * low), n = s > theta * m->back ? 1 : -1;
  *m = (Metal){m->strain + low * n, m->p + low, theta * (m->back + 2. / 3 * C * low * n)};
  return K * strain + s - 2 * G * low * n;
}

/* u, v, a, the stress and the plastic strain after `steps` of the generalised-alpha method. */
static void metal_plain(int steps, double h, double speed, double out[5]) {
  const double rho = 0.8, am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1), gamma = 0.5 - am + af,
               beta = 0.25 * (0.5 + gamma) * (0.5 + gamma), damping = 0.4, mass = HEAVY * ACROSS * LONG / 3;
  Metal now = {0};
  double u = 0, v = speed, force = 0, a = -damping * v, stress = 0;
  for (int k = 1; k <= steps; ++k) {
    const double load = 14 * ACROSS * sin(9 * k * h);
    double low = u - 0.5, high = u + 0.5, acceleration = 0, velocity = 0, next = 0;
    for (int i = 0; i < 100; ++i) {
      const double x = (low + high) / 2;
      Metal trial = now;
      acceleration = (x - u) / (beta * h * h) - v / (beta * h) - (0.5 / beta - 1) * a;
      velocity = v + h * ((1 - gamma) * a + gamma * acceleration);
      next = load - ACROSS * metal_stress(x / LONG, &trial);
      const double left = (1 - af) * next + af * force - mass * ((1 - am) * acceleration + am * a) -
                          damping * mass * ((1 - af) * velocity + af * v);
      *(left > 0 ? &low : &high) = x;
    }
    u = low, v = velocity, a = acceleration, force = next;
    stress = metal_stress(u / LONG, &now);
  }
  const double is[5] = {u, v, a, stress, now.p};
  memcpy(out, is, sizeof is);
}

static void metal_remembers(void **state) {
  (void)state;
  char *folder = scratch_create(), text[2048];
  double row[COLUMNS], wanted[5];
  snprintf(text, sizeof text,
           "version: 1\nmesh: {grid: [2, 2, 2], size: [%g, 0.7, 0.9]}\nphysics: elasticity\nmodel: 3d\n"
           "formulation: displacement\nanalysis: {type: transient, rho-infinity: 0.8, damping: {alpha: 0.4}}\n"
           "materials: [{on: body, type: plastic, young: %g, poisson: %g, density: %g, yield: [[0, %g], [1, %g]], "
           "backstress: [[%g, %g]]}]\nboundary:\n- {on: x0, fix: {x: 0}}\n- {on: body, fix: {y: 0, z: 0}}\n"
           "- {on: x1, traction: ['14*sin(9*t)', 0, 0]}\ninitial: {velocity: ['1.1*x/%g', 0, 0]}\n"
           "time: {end: 1, step: 0.01}\nsolver: {rtol: 1e-12}\noutput:\n  every: 1\n"
           "  fields: [displacement, plastic-strain]\n  probes:\n"
           "  - {name: u, at: [%g, 0, 0], field: displacement-x}\n  - {name: v, at: [%g, 0, 0], field: velocity-x}\n"
           "  - {name: a, at: [%g, 0, 0], field: acceleration-x}\n  - {name: s, at: [0, 0, 0], field: stress-xx}\n"
           "  - {name: p, at: [0, 0, 0], field: plastic-strain}\n",
           LONG, METAL, RATIO, HEAVY, YIELD, YIELD + SLOPE, C, GAMMA, LONG, LONG, LONG, LONG);
  app_runs(folder, text);
  scratch_last_row(folder, 6, row);
  metal_plain(100, 0.01, 1.1, wanted);
  for (int k = 0; k < 5; ++k) assert_near(row[1 + k], wanted[k], 1e-8);
  const double had = HEAVY * ACROSS * LONG / 6 * 1.1 * 1.1, done = scratch_reported(folder, "external_work"),
               flow = scratch_reported(folder, "dissipated_energy"),
               both = scratch_reported(folder, "kinetic_energy") + scratch_reported(folder, "strain_energy");
  print_message("had %g, done %g; kinetic and strain %g, dissipated %g\n", had, done, both, flow);
  assert_true(wanted[4] > 0.05 && flow > 0.3);
  assert_within(both + flow, had + done, 2e-3);
  scratch_remove(&folder);
}

/* ---- one quad4 in plane stress that goes in x and y alike: q and r of its far corner ---- */
typedef struct Flat {
  const char *law;
  double norm, exponent, yield, part, time; /* of creep beyond a stress; norm 0: of a term of Prony */
} Flat;
static const double FLAT_YOUNG = 1000, FLAT_POISSON = 0.3, FLAT_END = 0.4;

/* Stress xx and yy, none across, of strains and of what has flowed or relaxed, which goes on by h. */
static void flat_stress(const Flat *o, const double e[2], double h, double flowed[3], double s[2]) {
  const double G = FLAT_YOUNG / (2 * (1 + FLAT_POISSON)), K = FLAT_YOUNG / (3 * (1 - 2 * FLAT_POISSON));
  const double part = o->norm > 0 ? 1 : o->part, in = e[0] + e[1];
  const double across = (2 * G * part * flowed[2] + (2 * G / 3 - K) * in) / (K + 4 * G / 3), mean = (in + across) / 3;
  const double strain[3] = {e[0] - mean, e[1] - mean, across - mean};
  double dev[3], square = 0;
  for (int k = 0; k < 3; ++k) dev[k] = 2 * G * (strain[k] - part * flowed[k]), square += 1.5 * dev[k] * dev[k];
  for (int k = 0; k < 2; ++k) s[k] = 3 * K * mean + dev[k];
  const double over = sqrt(square) - o->yield;
  for (int k = 0; k < 3; ++k)
    if (o->norm > 0) flowed[k] += over > 0 ? h * o->norm * pow(over, o->exponent) * 1.5 * dev[k] / sqrt(square) : 0;
    else flowed[k] += h * (strain[k] - flowed[k]) / o->time;
}

/* u: 0 before. */
static void flat_plain(const Flat *o, double u[2]) {
  enum { STEPS = 100000 };
  const double h = FLAT_END / STEPS;
  double v[2] = {0, 0}, flowed[3] = {0}, s[2];
  for (int i = 0; i < STEPS; ++i) {
    flat_stress(o, u, h, flowed, s);
    for (int k = 0; k < 2; ++k) v[k] += h * 3 * ((k == 0 ? 60 * i * h : 0) - s[k]), u[k] += h * v[k];
  }
}

static void flat_flows(void **state) {
  (void)state;
  static const Flat of[] = {{"type: plastic, yield: 10, creep: {norm: 1e-2, exponent: 2}", 1e-2, 2, 10, 0, 0},
                            {"type: viscoelastic, prony: [[0.4, 0.05]]", 0, 0, 0, 0.4, 0.05}};
  char *folder = scratch_create(), text[1024];
  for (size_t i = 0; i < sizeof of / sizeof *of; ++i) {
    double row[2][COLUMNS], wanted[2] = {0, 0};
    for (int half = 0; half < 2; ++half) {
      snprintf(text, sizeof text,
               "version: 1\nmesh: {grid: [2, 2]}\nphysics: elasticity\nmodel: plane-stress\n"
               "analysis: {type: transient, rho-infinity: 1}\nmaterials: [{on: body, %s, young: %g, poisson: %g, "
               "density: 1, thickness: 0.5}]\nboundary:\n- {on: x0, fix: {x: 0}}\n- {on: y0, fix: {y: 0}}\n"
               "- {on: x1, traction: ['60*t', 0]}\ntime: {end: %g, step: %g}\nsolver: {rtol: 1e-11}\noutput:\n"
               "  every: 0.4\n  probes:\n  - {name: q, at: [1, 1], field: displacement-x}\n"
               "  - {name: r, at: [1, 1], field: displacement-y}\n",
               of[i].law, FLAT_YOUNG, FLAT_POISSON, FLAT_END, half ? 2.5e-3 : 5e-3);
      app_runs(folder, text);
      scratch_last_row(folder, 3, row[half]);
    }
    flat_plain(&of[i], wanted);
    for (int k = 0; k < 2; ++k) { /* flow is of first order in the step: what both steps say of none */
      const double none = of[i].norm > 0 ? 2 * row[1][1 + k] - row[0][1 + k] : row[1][1 + k];
      assert_relative(none, wanted[k], 1e-3);
    }
  }
  scratch_remove(&folder);
}

/* A bar that load steps have pulled and that is let go is one whose displacement was given; a velocity waits till then. */
#define LET_GO(strain, first, time)                                                                                    \
  "version: 1\nmesh: {grid: [5, 2, 2], size: [4, 1, 1]}\nphysics: elasticity\nmodel: 3d\n" strain                      \
  "analysis: {type: transient, rho-infinity: 0.9, damping: {alpha: 0.3}}\n"                                            \
  "materials: [{on: body, young: 1000, poisson: 0, density: 1.3}]\nboundary: [{on: x0, fix: all}]\n"                   \
  "initial: {" first "velocity: [0, '0.1*x', 0]}\n" time "\nsolver: {rtol: 1e-12}\noutput:\n  every: 0.25\n"           \
  "  fields: [displacement]\n  probes:\n  - {name: u, at: [4, 1, 1], field: displacement-x}\n"                         \
  "  - {name: w, at: [4, 1, 1], field: displacement-y}\n  - {name: v, at: [4, 1, 1], field: velocity-x}\n"             \
  "  - {name: a, at: [4, 1, 1], field: acceleration-x}\n  - {name: s, at: [0, 0, 0], field: stress-xx}\n"

static void load_steps_come_first(void **state) {
  (void)state;
  /* the pull that makes the strain 0.01 everywhere, of Saint Venant and Kirchhoff's law too */
  static const char *const cases[2][2] = {
      {LET_GO("", "displacement: ['0.01*x', 0, 0], ", "time: {end: 1, step: 0.01}"),
       LET_GO("", "",
              "steps: [{name: pull, end: 1, step: 0.5, inertia: false, boundary: [{on: x1, traction: [10, 0, 0]}]}, "
              "{name: let go, end: 2, step: 0.01, boundary: [{on: x1, traction: [0, 0, 0]}]}]")},
      {LET_GO("strain: finite\n", "displacement: ['0.01*x', 0, 0], ", "time: {end: 1, step: 0.01}"),
       LET_GO(
           "strain: finite\n", "",
           "steps: [{name: pull, end: 1, step: 0.5, inertia: false, boundary: [{on: x1, traction: [10.1505, 0, 0]}]}, "
           "{name: let go, end: 2, step: 0.01, boundary: [{on: x1, traction: [0, 0, 0]}]}]")}};
  char *folder = scratch_create();
  for (int k = 0; k < 2; ++k) {
    double row[2][COLUMNS], kinetic[2] = {0}, done = 0;
    for (int i = 0; i < 2; ++i) {
      app_runs(folder, cases[k][i]);
      scratch_last_row(folder, 6, row[i]);
      if (k || i) kinetic[i] = scratch_reported(folder, "kinetic_energy"); /* linear motion has none */
      if (i) done = scratch_reported(folder, "external_work");
    }
    for (int i = 1; i < 6; ++i) {
      print_message("%d: %.8e %.8e\n", i, row[0][i], row[1][i]);
      assert_within(row[1][i], row[0][i], 1e-7);
    }
    print_message("kinetic %.10g %.10g, done %.10g\n", kinetic[0], kinetic[1], done);
    if (k) assert_within(kinetic[1], kinetic[0], 1e-7);
    assert_within(done, k ? 0.5 * 1000 * 0.01005 * 0.01005 * 4 : 0.2, k ? 5e-3 : 1e-9); /* straight between two steps */
  }
  scratch_remove(&folder);
}

#define CASE                                                                                                           \
  "version: 1\nmesh: {grid: [3, 3], size: [1, 1]}\nphysics: elasticity\nmodel: plane-strain\nstrain: finite\n"         \
  "analysis: {%s}\nmaterials: [{on: body, type: neo-hooke, young: 5, poisson: 0.3%s}]\n"                               \
  "boundary: [{on: x0, fix: all}, {on: x1, %s}]\ntime: {end: 1, step: 0.1%s}\n"

static void refused(void **state) {
  (void)state;
  static const struct {
    const char *analysis, *density, *load, *time, *what, *more;
  } row[] = {
      {"type: transient", "", "pressure: 1", "", "needs the key 'density'", "mass per volume"},
      {"type: transient, damping: {loss-factor: 0.1}", ", density: 1", "pressure: 1", "", "loss-factor", "dashpot"},
      {"type: transient, method: modes", ", density: 1", "pressure: 1", "", "method", "strain: small"},
      {"type: transient", ", density: 1", "volume: 2*V0", "", "volume", "leave 'analysis' out"},
      {"type: transient", ", density: 1", "pressure: 1", ", adaptive: false", "adaptive", "tolerance"},
      {"type: modal, modes: 3", ", density: 1", "pressure: 1", "", "modes at finite strain are those",
       "prestress: true"},
  };
  char *folder = scratch_create(), text[2048];
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    snprintf(text, sizeof text, CASE, row[k].analysis, row[k].density, row[k].load, row[k].time);
    app_refuses(folder, text, row[k].what, row[k].more);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(second_order),
                                     cmocka_unit_test(energies_balance),
                                     cmocka_unit_test(metal_flows),
                                     cmocka_unit_test(steps_are_as_long_as_asked),
                                     cmocka_unit_test(free_fall),
                                     cmocka_unit_test(block_turns),
                                     cmocka_unit_test(small_motions),
                                     cmocka_unit_test(metal_remembers),
                                     cmocka_unit_test(load_steps_come_first),
                                     cmocka_unit_test(flat_flows),
                                     cmocka_unit_test(refused)};
  return cmocka_run_group_tests_name("app/motion", tests, NULL, NULL);
}
