/* sinew check: everything short of solving, on the CPU, with nothing written. */
#include "app/commands/commands.h"
#include "app/run/backend.h"
#include "app/elasticity/case_harmonic.h"
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/heart.h"
#include "app/heat/heat_columns.h"
#include "app/run/memory_table.h"
#include "app/run/run.h"
#include "app/elasticity/run_harmonic.h"
#include "app/setup/setup.h"
#include "app/monodomain/setup_heart.h"
#include "app/report/progress.h"
#include "output/wording.h"
#include "assembly/elasticity/elasticity.h"
#include "assembly/elasticity/elasticity_mass.h"
#include "core/memory.h"
#include "gpu/exec/cuda_exec.h"
#include "mesh/order/order.h"

#include <math.h>
#include <stdio.h>

typedef struct Check {
  const Options *options;
  Case *c;
  Mesh *mesh;
  Setup setup;
  Machine machine;        /* the CPU, whatever a run would use */
  Elasticity *elasticity; /* of the three, that of the case's physics */
  Diffusion *diffusion;
  Monodomain *monodomain;
  MemoryPlan plan;
  int64_t mesh_bytes;
} Check;

static void put_away(Check *k) {
  elasticity_destroy(&k->elasticity);
  diffusion_destroy(&k->diffusion);
  monodomain_destroy(&k->monodomain);
  setup_release(&k->setup);
  mesh_destroy(&k->mesh);
  machine_close(&k->machine);
  case_destroy(&k->c);
}

static Status print_case(const Case *c) {
  Text text = {0};
  case_echo(c, &text);
  const Status status = text.status;
  if (status == OK) printf("# the case, with every default filled in\n%s\n", text.data);
  text_release(&text);
  return status == OK ? OK : FAIL(status, "not enough memory for the resolved case");
}

static Status print_mesh(const Mesh *mesh) {
  static const char *const measure[] = {"points", "length", "area", "volume"};
  char n[32];
  printf("# mesh %s\nnodes: %s\n", mesh->path, count_text(mesh->n_node, n));
  for (int32_t b = 0; b < mesh->n_block; ++b)
    printf("%s: %s\n", element_type(mesh->block[b].kind)->name, count_text(mesh->block[b].n, n));
  printf("groups:\n");
  for (int32_t g = 0; g < mesh->n_group; ++g) {
    const Group *group = &mesh->group[g];
    double size = 0;
    TRY(mesh_group_measure(mesh, group, &size));
    printf("  %-20s %-8s %10s element%s %s %.6g\n", group->name, dimension_name(group->dim), count_text(group->n, n),
           group->n == 1 ? " " : "s", measure[group->dim & 3], size);
  }
  MeshQuality quality;
  mesh_quality(mesh, &quality);
  const ElementBlock *block = mesh_block_of(mesh, quality.worst_element);
  printf("quality: worst %.3g (element %lld), mean %.3g, %lld slivers (1 is ideal, below 0.1 a sliver)\n\n",
         quality.worst, (long long)block->tag[quality.worst_element - block->first], quality.mean,
         (long long)quality.n_sliver);
  return OK;
}

/* What `numbering: auto` goes by (mesh/order/order.h), and what the case takes. */
static Status print_numbering(const Check *k) {
  const int word = k->c->solver.numbering.value; /* 0: auto, then the orders of mesh/order/orders.def */
  const int32_t n_component = k->setup.diffusion.mesh ? 1 : 2;
  MeshOrder order = word > 0 ? (MeshOrder)(word - 1) : ORDER_NATURAL;
  int32_t *rank = NULL;
  Status status;
  ALLOC_DONE(rank, k->mesh->n_node, "numbering of the nodes");
  TRY_DONE(mesh_order(k->mesh, ORDER_HILBERT, rank));
  const double own = mesh_mean_distance(k->mesh, NULL), curve = mesh_mean_distance(k->mesh, rank);
  if (word == 0) TRY_DONE(mesh_order_choose(k->mesh, n_component, rank, &order));
  printf(
      "# numbering of the nodes\nmean distance between the nodes of an element: %.6g in the mesh, %.6g along a Hilbert "
      "curve (%.3g times)\nnumbering: %s%s\n\n",
      own, curve, curve > 0 ? own / curve : 1, mesh_order_name((int32_t)order), word > 0 ? "" : " (auto)");
done:
  FREE(rank);
  return status;
}

static Status print_mechanics(const Check *k) {
  double load[3] = {0};
  char n[32];
  TRY(elasticity_total_load(k->elasticity, load));
  printf("# mechanics\nunknowns: %s\n", count_text(elasticity_unknowns(k->elasticity), n));
  if (case_dim(k->c) == 2) printf("total load: [%.10g, %.10g]\n", load[0], load[1]);
  else printf("total load: [%.10g, %.10g, %.10g]\n", load[0], load[1], load[2]);
  for (int32_t i = 0; i < elasticity_part_count(k->elasticity); ++i) {
    const BodyPart *part = elasticity_part(k->elasticity, i);
    printf("free rigid motions of part %d (%s elements around (%.4g, %.4g, %.4g), %s): %d%s%s\n", i + 1,
           count_text(part->n_element, n), part->center[0], part->center[1], part->center[2],
           *part->groups ? part->groups : "in no group", part->n_free, part->n_free ? ": " : "", part->motions);
    if (part->n_piece > 1)
      printf("hinges of part %d: its %s pieces share only single nodes%s; free motions between them: ", i + 1,
             count_text(part->n_piece, n), case_dim(k->c) == 3 ? " or nodes along a line" : "");
    if (part->n_piece > 1 && part->folds_unknown) printf("not known, there are too many pieces\n");
    if (part->n_piece > 1 && !part->folds_unknown)
      printf("%d%s%s\n", part->n_fold, *part->folds ? ":" : "", part->folds);
  }
  printf("\n");
  return OK;
}

static Status print_harmonic(const Check *k) {
  const int64_t n = harmonic_count(k->c);
  ElasticityMass *mass = NULL;
  double *density = NULL, total = 0;
  char count[32];
  Status status = harmonic_densities(k->c, &density);
  if (status == OK) status = elasticity_mass_create(k->elasticity, density, &mass);
  if (status == OK) status = elasticity_mass_total(mass, &total);
  elasticity_mass_destroy(&mass);
  FREE(density);
  TRY(status);
  printf("# harmonic\nfrequencies: %s, from %.10g to %.10g Hz\nmass: %.10g\n\n", count_text(n, count),
         harmonic_frequency(k->c, 0), harmonic_frequency(k->c, n - 1), total);
  return OK;
}

static Status print_memory(const Check *k, const MemoryPlan *plan, bool gpu) {
  Text text = {0};
  const Status status = memory_table_text(plan, gpu, &text);
  if (status == OK && !k->options->quiet) printf("# memory of a run\n%s\n", text.data);
  text_release(&text);
  return status;
}

static Status print_memory_and_backend(const Check *k, MemoryPlan *plan) {
  char why[384] = "", room[32];
  const Backend asked = k->options->backend;
  const bool gpu = asked != BACKEND_CPU && cuda_usable(why, sizeof why);
  CHECK(gpu || asked != BACKEND_CUDA, ERR_GPU, "--backend cuda: %s\n  use --backend cpu or --backend auto", why);
  size_t free_bytes = 0, total_bytes = 0;
  if (gpu) TRY(cuda_memory(&free_bytes, &total_bytes));
  TRY(k->monodomain            ? heart_memory(k->c, k->monodomain, gpu, k->mesh_bytes, plan)
      : k->diffusion           ? heat_memory(k->c, k->mesh, &k->setup, k->diffusion, gpu, k->mesh_bytes, plan)
      : case_is_harmonic(k->c) ? harmonic_memory(k->c, k->elasticity, gpu, k->mesh_bytes, plan)
                               : memory_table_fill(k->c, k->elasticity, gpu, k->mesh_bytes, plan));
  TRY(print_memory(k, plan, gpu));
  if (gpu) TRY(memory_table_check(plan, (double)free_bytes, "the GPU"));
  if (k->options->quiet) return OK;
  if (gpu) printf("backend: cuda, %s of memory free\n", bytes_text((double)free_bytes, room));
  else printf("backend: cpu (%s)%s%s\n", k->machine.exec->device, *why ? "; " : "", why);
  return OK;
}

/* The error that a run would give. */
static Status refuse_free_motion(Check *k) {
  elasticity_destroy(&k->elasticity);
  k->setup.params.allow_free_motion = false;
  return elasticity_create(k->machine.exec, &k->setup.params, &k->elasticity);
}

static Status check_elasticity(Check *k) {
  int n_free = 0;
  k->setup.params.allow_free_motion = true;
  TRY(elasticity_create(k->machine.exec, &k->setup.params, &k->elasticity));
  if (!k->options->quiet) TRY(print_mechanics(k));
  if (!k->options->quiet && case_is_harmonic(k->c)) TRY(print_harmonic(k));
  for (int32_t i = 0; i < elasticity_part_count(k->elasticity); ++i)
    n_free += elasticity_part(k->elasticity, i)->n_free + elasticity_part(k->elasticity, i)->n_fold;
  if (case_is_harmonic(k->c) && harmonic_frequency(k->c, 0) > 0) return OK; /* inertia holds it */
  return n_free ? refuse_free_motion(k) : OK;
}

static Status check_heat(Check *k) {
  char n[32];
  TRY(diffusion_create(k->machine.exec, &k->setup.diffusion, &k->diffusion));
  if (k->options->quiet) return OK;
  const CaseTime *time = &k->c->time;
  printf("# heat\nunknowns: %s\n", count_text(diffusion_unknowns(k->diffusion), n));
  printf("total heat load at time 0: %.10g\n", diffusion_total_load(k->diffusion));
  if (place_given(time->place) && !place_given(time->adaptive.place))
    printf("steps in time: %s\n", count_text((int64_t)ceil(time->end.value / time->step.value - 1e-9), n));
  printf("\n");
  return OK;
}

static Status print_stimuli(const Check *k) {
  double *mass = NULL, *nodal = NULL;
  Text text = {0};
  Diffusion *diffusion = monodomain_diffusion(k->monodomain);
  const int64_t n = diffusion_dofs(diffusion);
  Status status;
  ALLOC(nodal, k->mesh->n_node, "lumped mass");
  TRY_DONE(exec_alloc(k->machine.exec, n, sizeof *mass, "lumped mass", (void **)&mass));
  TRY_DONE(diffusion_lumped_mass(diffusion, mass));
  TRY_DONE(diffusion_download(diffusion, mass, nodal));
  TRY_DONE(setup_warn_stimuli(k->c, k->mesh, &k->setup, nodal));
  stimuli_text(k->c, k->mesh, &k->setup, nodal, &text);
  status = text.status == OK ? OK : FAIL(text.status, "not enough memory for the list of stimuli");
  if (status == OK && text.n) printf("%s", text.data);
done:
  text_release(&text);
  EXEC_RELEASE(k->machine.exec, mass, n);
  FREE(nodal);
  return status;
}

static Status check_monodomain(Check *k) {
  char n[32];
  TRY(setup_rules(k->c, k->mesh, k->machine.exec, &k->setup));
  const MonodomainParams params = heart_params(k->c, &k->setup);
  TRY(monodomain_create(k->machine.exec, &params, &k->monodomain));
  if (k->options->quiet) return OK;
  const CaseTime *time = &k->c->time;
  printf("# monodomain\nunknowns: %s\n", count_text(diffusion_unknowns(monodomain_diffusion(k->monodomain)), n));
  for (int32_t t = 0; t < k->c->materials.n; ++t) {
    const CaseTissue *tissue = heart_tissue(k->c, t);
    const IonicConstants constants = monodomain_constants_of(tissue);
    double states[IONIC_STATES];
    printf("tissue       %s: %s, preset %s, rests at %g mV\n", tissue->on.item[0].text, tissue->ionic.model.text,
           tissue->ionic.preset.text, ionic_type(constants.kind)->rest(&constants, states));
  }
  TRY(print_stimuli(k));
  printf("step bound   %.4g ms: beyond it the matrix of a step is not positive definite\n",
         monodomain_step_bound(k->c));
  if (!place_given(time->adaptive.place))
    printf("steps in time: %s\n", count_text((int64_t)ceil(time->end.value / time->step.value - 1e-9), n));
  printf("\n");
  return OK;
}

static Status check(Check *k) {
  const Options *o = k->options;
  char *path = NULL;
  TRY(case_operand(o->operand[0], &path));
  const Status read = case_load(path, o->n_set, o->set, &k->c);
  FREE(path);
  TRY(read);
  const size_t before = mem_in_use();
  TRY(mesh_of_case(k->c, o->trust, &k->mesh));
  k->mesh_bytes = (int64_t)(mem_in_use() - before);
  TRY(setup_create(k->c, k->mesh, &k->setup));
  TRY(machine_open(BACKEND_CPU, o->threads, &k->machine));
  if (!o->quiet) {
    TRY(print_case(k->c));
    TRY(print_mesh(k->mesh));
    TRY(print_numbering(k));
  }
  TRY(k->setup.ionic ? check_monodomain(k) : k->setup.diffusion.mesh ? check_heat(k) : check_elasticity(k));
  return print_memory_and_backend(k, &k->plan);
}

Status command_check(const Options *options) {
  Check k = {.options = options};
  mem_reset_peak();
  const Status status = check(&k);
  put_away(&k);
  return status;
}
