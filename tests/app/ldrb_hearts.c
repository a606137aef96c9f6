/* Fibres by rule on real hearts (../shared/data/heart; skipped, saying so, where they are not). */
#include "app/fibers/ldrb.h"
#include "tests/app/axes.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static Mesh *heart(const char *name) {
  char packed[1000], command[3000];
  snprintf(packed, sizeof packed, "%s/../shared/data/heart/%s.msh.gz", SINEW_SOURCE_DIR, name);
  if (access(packed, R_OK)) {
    testing_missing("no %s.msh.gz in ../shared/data/heart", name);
    return NULL;
  }
  Mesh *mesh = NULL;
  char *folder = scratch_create();
  const char *path = scratch_path(folder, "heart.msh");
  snprintf(command, sizeof command, "gunzip -c '%s' > '%s'", packed, path);
  assert_int_equal(system(command), 0);
  assert_ok(mesh_load(&(MeshParams){.path = path}, &mesh));
  scratch_remove(&folder);
  return mesh;
}

/* Mean angle between the fibres by rule and those of the mesh, over the volume's nodes. */
static double mean_angle(const Mesh *mesh, const LdrbFields *f, double *share_below_30) {
  const MeshField *own = mesh_field(mesh, "fiber", true);
  double sum = 0, below = 0;
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    const double angle = axes_apart(f->fiber[i], own->value + 3 * (int64_t)i);
    sum += angle;
    below += angle < 30;
  }
  *share_below_30 = below / mesh->n_node;
  return sum / mesh->n_node;
}

/* Fibres lie in the surfaces: mean of |fibre . normal| over the faces of a group. */
static double through(const Mesh *mesh, const Group *g, const LdrbFields *f) {
  double sum = 0, area = 0;
  for (int32_t k = 0; k < g->n; ++k) {
    const int32_t *nodes = mesh_nodes_of(mesh, g->element[k]);
    double u[3], v[3], n[3];
    for (int i = 0; i < 3; ++i) {
      u[i] = mesh->x[nodes[1]][i] - mesh->x[nodes[0]][i];
      v[i] = mesh->x[nodes[2]][i] - mesh->x[nodes[0]][i];
    }
    for (int i = 0; i < 3; ++i) n[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
    for (int a = 0; a < 3; ++a) sum += fabs(axes_dot(f->fiber[nodes[a]], n)) / 3;
    area += sqrt(axes_dot(n, n));
  }
  return sum / area;
}

static void human(void **state) {
  (void)state;
  Mesh *mesh = heart("human");
  if (!mesh) return;
  Exec *exec = axes_cpu(0);
  LdrbParams params = ldrb_params_default();
  params.mesh = mesh, params.base = mesh_group(mesh, "surface_10"), params.epi = mesh_group(mesh, "surface_40");
  params.lv = mesh_group(mesh, "surface_20"), params.rv = mesh_group(mesh, "surface_30");
  LdrbFields f;
  assert_ok(ldrb_create(exec, &params, &f));
  assert_orthonormal(mesh, &f);
  const double t[3] = {through(mesh, params.lv, &f), through(mesh, params.rv, &f), through(mesh, params.epi, &f)};
  print_message("human: fibres leave the surfaces by %.3f, %.3f, %.3f\n", t[0], t[1], t[2]);
  assert_true(t[0] < 0.15 && t[1] < 0.15 && t[2] < 0.15);
  ldrb_release(&f);
  exec_destroy(&exec);
  mesh_destroy(&mesh);
}

/* Rabbit and patient have no group for the base alone: an axis. Fibres of both turn the other way (a left-handed helix
 * at the endocardium); the rabbit's with the third power of a smoothed depth, which leaves about 40 degrees at the
 * surfaces. */
static void against_own_fibers(const char *name, const double axis[3], double alpha, double most_degrees) {
  Mesh *mesh = heart(name);
  if (!mesh) return;
  Exec *exec = axes_cpu(0);
  LdrbParams params = ldrb_params_default();
  params.mesh = mesh, params.epi = mesh_group(mesh, "epi_and_base");
  params.lv = mesh_group(mesh, "lv_endo"), params.rv = mesh_group(mesh, "rv_endo");
  params.alpha_endo = alpha, params.alpha_epi = -alpha;
  memcpy(params.axis, axis, sizeof params.axis);
  LdrbFields f;
  double below;
  assert_ok(ldrb_create(exec, &params, &f));
  assert_orthonormal(mesh, &f);
  const double angle = mean_angle(mesh, &f, &below);
  print_message("%s: %.1f degrees from the mesh's own fibres in the mean, %.0f %% of the nodes below 30\n", name, angle,
                100 * below);
  assert_true(angle < most_degrees);
  ldrb_release(&f);
  exec_destroy(&exec);
  mesh_destroy(&mesh);
}
static void rabbit(void **state) {
  (void)state;
  against_own_fibers("rabbit", (const double[3]){-1, 0, 0}, -40, 20);
}
static void patient(void **state) {
  (void)state;
  against_own_fibers("patient", (const double[3]){-0.633, 0.572, 0.522}, -60, 25);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(human), cmocka_unit_test(rabbit), cmocka_unit_test(patient)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
