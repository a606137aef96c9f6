/* Fibres by rule: on a piece of a cylinder, where everything is known, and on a half-ellipsoid with its apex. */
#include "app/fibers/ldrb.h"
#include "app/fibers/segments.h"
#include "core/memory.h"
#include "core/parts.h"
#include "tests/app/axes.h"

#include <math.h>
#include <omp.h>
#include <string.h>

static double degrees(double radians) { return radians * 180 / M_PI; }

static Mesh *box(ElementKind kind, int32_t across, int32_t along, int32_t wall) {
  Mesh *mesh = NULL;
  const BoxParams params = {.kind = kind, .n = {across, along, wall}, .size = {1, 1, 1}};
  assert_ok(mesh_box(&params, &mesh));
  return mesh;
}

/* One group from the sides of a box; element owned by the caller. */
static Group sides(const Mesh *mesh, int n, const char *const *name) {
  Group all = {.name = "base", .dim = 2};
  all.element = calloc((size_t)mesh->n_element, sizeof *all.element);
  for (int k = 0; k < n; ++k) {
    const Group *g = mesh_group(mesh, name[k]);
    memcpy(all.element + all.n, g->element, (size_t)g->n * sizeof *all.element);
    all.n += g->n;
  }
  return all;
}

/* A quarter of a tube from radius 10 to 14, 12 long along z: x of the box is the angle, y the height, z the depth. */
static Mesh *tube(ElementKind kind) {
  Mesh *mesh = box(kind, 12, 6, 8);
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    const double angle = mesh->x[i][0] * M_PI / 2, r = 10 + 4 * mesh->x[i][2], z = 12 * mesh->x[i][1];
    mesh->x[i][0] = r * cos(angle), mesh->x[i][1] = r * sin(angle), mesh->x[i][2] = z;
  }
  return mesh;
}

static double between(double endo, double epi, double d) { return endo * (1 - d) + epi * d; }

static void on_tube(ElementKind kind, double tolerance, double half_element) {
  Mesh *mesh = tube(kind);
  Exec *exec = axes_cpu(1);
  LdrbParams params = ldrb_params_default();
  params.mesh = mesh, params.lv = mesh_group(mesh, "z0"), params.epi = mesh_group(mesh, "z1");
  params.base = mesh_group(mesh, "y1"), params.apex = mesh_group(mesh, "y0");
  params.alpha_endo = 70, params.alpha_epi = -40, params.beta_endo = 0, params.beta_epi = 0;
  LdrbFields f;
  assert_ok(ldrb_create(exec, &params, &f));
  assert_orthonormal(mesh, &f);
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    const double *x = mesh->x[i], r = hypot(x[0], x[1]);
    const double around[3] = {-x[1] / r, x[0] / r, 0}, out[3] = {x[0] / r, x[1] / r, 0};
    const double d = log(r / 10) / log(1.4), alpha = degrees(atan(f.fiber[i][2] / axes_dot(f.fiber[i], around)));
    assert_within(f.transmural[i], d, tolerance);
    assert_near(f.apicobasal[i], x[2] / 12, 1e-6);
    const double side =
        x[0] < 1e-9 || x[1] < 1e-9 ? half_element : 0; /* elements on one side only: their chord's normal */
    assert_true(fabs(alpha - between(70, -40, d)) < 250 * tolerance + side);
    assert_true(degrees(fabs(axes_dot(f.fiber[i], out))) < 250 * tolerance + side);
    assert_true(axes_apart(f.sheet[i], out) < 250 * tolerance + side);
  }
  ldrb_release(&f);
  exec_destroy(&exec);
  mesh_destroy(&mesh);
}
static void in_a_tube(void **state) {
  (void)state;
  on_tube(ELEMENT_HEX8, 2e-3, 4);
  on_tube(ELEMENT_HEX20, 2e-3, 0);
  on_tube(ELEMENT_TET4, 2e-2, 4);
  on_tube(ELEMENT_TET10, 2e-3, 0);
}

/* Sheets turn about the fibre; with an axis nothing is solved along it. */
static void sheets_and_axis(void **state) {
  (void)state;
  Mesh *mesh = tube(ELEMENT_HEX8);
  Exec *exec = axes_cpu(1);
  LdrbParams params = ldrb_params_default();
  params.mesh = mesh, params.lv = mesh_group(mesh, "z0"), params.epi = mesh_group(mesh, "z1"), params.axis[2] = 3;
  LdrbFields f;
  assert_ok(ldrb_create(exec, &params, &f));
  assert_orthonormal(mesh, &f);
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    const double *x = mesh->x[i], r = hypot(x[0], x[1]);
    const double out[3] = {x[0] / r, x[1] / r, 0};
    const double d = log(r / 10) / log(1.4);
    assert_true(fabs(axes_apart(f.sheet[i], out) - fabs(between(-65, 25, d))) < 4);
    assert_near(f.apicobasal[i], x[2] / 12, 1e-12);
  }
  ldrb_release(&f);
  exec_destroy(&exec);
  mesh_destroy(&mesh);
}

/* Half of an ellipsoid's shell, semi-axes 20 and 40 inside, 28 and 47 outside, apex down. The square of the box becomes
 * a disc (x = u sqrt(1 - v^2/2)), its radius the polar angle. Base: z = 0. */
static Mesh *half_ellipsoid(ElementKind kind) {
  Mesh *mesh = box(kind, 14, 14, 5);
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    const double u = 2 * mesh->x[i][0] - 1, v = 2 * mesh->x[i][1] - 1, d = mesh->x[i][2];
    const double x = u * sqrt(1 - v * v / 2), y = v * sqrt(1 - u * u / 2), r = hypot(x, y);
    const double scale = r > 0 ? sin(r * M_PI / 2) / r : 0;
    mesh->x[i][0] = (20 + 8 * d) * x * scale, mesh->x[i][1] = -(20 + 8 * d) * y * scale;
    mesh->x[i][2] = -(40 + 7 * d) * cos(r * M_PI / 2);
  }
  return mesh;
}

static LdrbParams of_ellipsoid(const Mesh *mesh, Group *base) {
  *base = sides(mesh, 4, (const char *const[]){"x0", "x1", "y0", "y1"});
  LdrbParams params = ldrb_params_default();
  params.mesh = mesh, params.lv = mesh_group(mesh, "z0"), params.epi = mesh_group(mesh, "z1"), params.base = base;
  return params;
}

static void on_half_ellipsoid(void **state) {
  (void)state;
  Mesh *mesh = half_ellipsoid(ELEMENT_TET4);
  Exec *exec = axes_cpu(2);
  Group base;
  const LdrbParams params = of_ellipsoid(mesh, &base);
  LdrbFields f;
  assert_ok(ldrb_create(exec, &params, &f));
  assert_orthonormal(mesh, &f);
  double worst[2] = {0}, mean[2] = {0};
  int n[2] = {0};
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    const double *x = mesh->x[i], r = hypot(x[0], x[1]);
    const bool endo = f.transmural[i]<1e-6, epi = f.transmural[i]> 1 - 1e-6;
    assert_int_equal(r == 0 && epi, f.apicobasal[i] == 0); /* the apex is found */
    if (!(endo || epi) || x[2] < -38) continue;            /* the frame of the very apex is nobody's */
    if (fabs(fabs(x[0]) - fabs(x[1])) < 1e-9 && fabs(x[2]) < 1e-9)
      continue; /* the square's corners, nearly flat elements */
    const double around[3] = {-x[1] / r, x[0] / r, 0}, a = endo ? 20 : 28, c = endo ? 40 : 47;
    double out[3] = {x[0] / (a * a), x[1] / (a * a), x[2] / (c * c)}, up[3];
    for (int k = 0; k < 3; ++k) up[k] = around[k];
    up[0] = out[1] * around[2] - out[2] * around[1];
    up[1] = out[2] * around[0] - out[0] * around[2];
    up[2] = out[0] * around[1] - out[1] * around[0];
    const double size = sqrt(axes_dot(out, out)), s = axes_dot(f.fiber[i], up) / size,
                 c0 = axes_dot(f.fiber[i], around);
    const double off = fabs(degrees(atan(s / c0)) - (endo ? 60 : -60));
    worst[epi] = fmax(worst[epi], off), mean[epi] += off, ++n[epi];
  }
  print_message(
      "half-ellipsoid: angles off by %.2f degrees at the endocardium, %.2f at the epicardium (worst %.1f, %.1f)\n",
      mean[0] / n[0], mean[1] / n[1], worst[0], worst[1]);
  assert_true(n[0] > 150 && n[1] > 150 && mean[0] / n[0] < 2 && mean[1] / n[1] < 2 && worst[0] < 12 && worst[1] < 12);
  ldrb_release(&f);
  free(base.element);
  exec_destroy(&exec);
  mesh_destroy(&mesh);
}

/* Angles and heights are known; near to a border of segments either of them may be. The long axis is off by the place of the lowest node. */
static void segments_of_an_ellipsoid(void **state) {
  (void)state;
  Mesh *mesh = half_ellipsoid(ELEMENT_HEX8);
  Exec *exec = axes_cpu(1);
  Group base;
  LdrbParams params = of_ellipsoid(mesh, &base);
  LdrbFields f;
  int32_t seen[18] = {0}, total = 0;
  assert_ok(ldrb_create(exec, &params, &f));
  assert_null(f.segment); /* nobody knows where the septum is */
  ldrb_release(&f);
  params.septum[0] = 3, params.septum[2] = 1;
  assert_ok(ldrb_create(exec, &params, &f));
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    const double *x = mesh->x[i], height = (x[2] + 40) / 40, angle = atan2(-x[1], x[0]), to = fabs(x[0]) + fabs(x[1]);
    assert_true(f.segment[i] >= 1 && f.segment[i] <= 17);
    if (to < 1e-9) continue;
    double off = f.rotational[i] - angle;
    off -= 2 * M_PI * round(off / (2 * M_PI));
    assert_within(off, 0, 1e-9);
    if (fmin(fabs(height), fmin(fabs(height - 1.0 / 3), fabs(height - 2.0 / 3))) < 1e-6) continue;
    const double degrees_off = degrees(angle) / 15;
    if (fabs(degrees_off - round(degrees_off)) < 1e-6) continue; /* borders are multiples of 15 degrees */
    static const int basal[6] = {6, 1, 2, 3, 4, 5},
                     apical[4] = {16, 13, 14, 15}; /* from -180 degrees on, and from -225 on */
    const int expected = height < 0         ? 17
                         : height < 1.0 / 3 ? apical[(int)floor((degrees(angle) + 225) / 90) % 4]
                         : height < 2.0 / 3 ? 6 + basal[(int)floor((degrees(angle) + 180) / 60)]
                                            : basal[(int)floor((degrees(angle) + 180) / 60)];
    assert_int_equal((int)f.segment[i], expected);
    ++seen[expected], ++total;
  }
  for (int s = 1; s <= 17; ++s) assert_true(seen[s] > 0);
  print_message("segments of %d nodes\n", (int)total);
  /* As doctors name them, with the septum at the left of who looks from the apex and anterior up. */
  assert_int_equal(aha_segment(0.9, -M_PI / 2), 1); /* basal anterior */
  assert_int_equal(aha_segment(0.5, 0.5), 9);       /* mid inferoseptal */
  assert_int_equal(aha_segment(0.2, M_PI), 16);     /* apical lateral */
  ldrb_release(&f);
  free(base.element);
  exec_destroy(&exec);
  mesh_destroy(&mesh);
}

/* Epicardium and base in one group, and an axis that is 20 degrees off: the long axis is still that of the rim. */
static void segments_by_an_axis(void **state) {
  (void)state;
  Mesh *mesh = half_ellipsoid(ELEMENT_HEX8);
  Exec *exec = axes_cpu(1);
  Group both = sides(mesh, 5, (const char *const[]){"z1", "x0", "x1", "y0", "y1"});
  LdrbParams params = ldrb_params_default();
  params.mesh = mesh, params.lv = mesh_group(mesh, "z0"), params.epi = &both, params.septum[0] = 1;
  params.axis[0] = 0.36, params.axis[2] = 1;
  LdrbFields f;
  assert_ok(ldrb_create(exec, &params, &f));
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    const double *x = mesh->x[i];
    if (fabs(x[0]) + fabs(x[1]) < 1e-9) continue;
    const double off = f.rotational[i] - atan2(-x[1], x[0]);
    assert_within(off - 2 * M_PI * round(off / (2 * M_PI)), 0, 1e-9);
  }
  ldrb_release(&f);
  free(both.element);
  exec_destroy(&exec);
  mesh_destroy(&mesh);
}

static void same_bits(void **state) {
  (void)state;
  static const int threads[] = {1, 2, 3, 5};
  Mesh *coarse = half_ellipsoid(ELEMENT_TET4), *mesh = NULL;
  assert_ok(mesh_refine(coarse, &mesh));
  mesh_destroy(&coarse);
  Group base;
  const LdrbParams params = of_ellipsoid(mesh, &base);
  LdrbFields f[4];
  const int before = omp_get_max_threads();
  assert_true(mesh->n_node > PART_WORTH); /* parts there are */
  for (int k = 0; k < 4; ++k) {
    omp_set_num_threads(threads[k]);
    Exec *exec = axes_cpu(threads[k]);
    assert_ok(ldrb_create(exec, &params, &f[k]));
    exec_destroy(&exec);
    assert_memory_equal(f[0].fiber, f[k].fiber, (size_t)mesh->n_node * sizeof *f[0].fiber);
    assert_memory_equal(f[0].sheet, f[k].sheet, (size_t)mesh->n_node * sizeof *f[0].sheet);
  }
  omp_set_num_threads(before);
  for (int k = 0; k < 4; ++k) ldrb_release(&f[k]);
  free(base.element);
  mesh_destroy(&mesh);
}

static void bad_input(void **state) {
  (void)state;
  Mesh *mesh = tube(ELEMENT_TET4), *flat = NULL;
  assert_ok(mesh_box(&(BoxParams){.kind = ELEMENT_TRI3, .n = {2, 2, 0}, .size = {1, 1, 0}}, &flat));
  Exec *exec = axes_cpu(1);
  LdrbParams good = ldrb_params_default(), p;
  good.mesh = mesh, good.lv = mesh_group(mesh, "z0"), good.epi = mesh_group(mesh, "z1"),
  good.base = mesh_group(mesh, "y1");
  const Group empty = {.name = "nothing", .dim = 2};
  LdrbFields f;
  p = good, p.mesh = flat;
  assert_fails(ldrb_create(exec, &p, &f), ERR_MESH, "need a mesh of volumes");
  p = good, p.lv = NULL;
  assert_fails(ldrb_create(exec, &p, &f), ERR_INPUT, "endocardium of the left ventricle");
  p = good, p.epi = mesh_group(mesh, "body");
  assert_fails(ldrb_create(exec, &p, &f), ERR_INPUT, "group 'body' (epicardium) has dimension 3");
  p = good, p.rv = &empty;
  assert_fails(ldrb_create(exec, &p, &f), ERR_INPUT, "group 'nothing' (endocardium of the right ventricle) is empty");
  p = good, p.base = NULL;
  assert_fails(ldrb_create(exec, &p, &f), ERR_INPUT, "or an axis from apex to base");
  p = good, p.axis[0] = 1;
  assert_fails(ldrb_create(exec, &p, &f), ERR_INPUT, "not both");
  p = good, p.alpha_endo = 95;
  assert_fails(ldrb_create(exec, &p, &f), ERR_INPUT, "is 95, must lie in [-90, 90]");
  p = good, p.epi = p.lv;
  assert_fails(ldrb_create(exec, &p, &f), ERR_INPUT, "no node of group 'z0' (epicardium) is left");
  p = good, p.apex = p.base;
  assert_fails(ldrb_create(exec, &p, &f), ERR_INPUT, "no node of group 'y1' (base) is left");
  exec_destroy(&exec);
  mesh_destroy(&mesh);
  mesh_destroy(&flat);
}

/* Every `stride`th allocation fails once. */
static void fail_allocations(Exec *exec, const LdrbParams *params, int64_t stride) {
  LdrbFields f;
  assert_ok(ldrb_create(exec, params, &f)); /* an Exec keeps some workspace */
  ldrb_release(&f);
  const size_t before = mem_in_use();
  mem_fail_nth(0);
  assert_ok(ldrb_create(exec, params, &f));
  const int64_t n = mem_count();
  ldrb_release(&f);
  assert_int_equal(mem_in_use(), before);
  for (int64_t k = 1; k <= n; k += stride) {
    mem_fail_nth(k);
    const Status status = ldrb_create(exec, params, &f);
    mem_fail_nth(0);
    assert_int_equal(status, ERR_MEMORY);
    assert_null(f.fiber);
    assert_int_equal(mem_in_use(), before);
  }
}
static void allocations(void **state) {
  (void)state;
  Mesh *mesh = box(ELEMENT_HEX8, 2, 2, 2);
  LdrbParams params = ldrb_params_default();
  params.mesh = mesh, params.lv = mesh_group(mesh, "z0"), params.epi = mesh_group(mesh, "z1"), params.axis[1] = 1;
  Exec *exec = axes_cpu(1);
  fail_allocations(exec, &params, 1);
  params.axis[1] = 0, params.base = mesh_group(mesh, "y1"), params.rv = mesh_group(mesh, "x0");
  fail_allocations(exec, &params, 13);
  exec_destroy(&exec);
  mesh_destroy(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(in_a_tube),           cmocka_unit_test(sheets_and_axis),
                                     cmocka_unit_test(on_half_ellipsoid),   cmocka_unit_test(segments_of_an_ellipsoid),
                                     cmocka_unit_test(segments_by_an_axis), cmocka_unit_test(same_bits),
                                     cmocka_unit_test(bad_input),           cmocka_unit_test(allocations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
