/* The table of materials, made from materials.def. */
#include "physics/material.h"
#include "core/curve_tables.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MATERIAL_TABLES
#include "physics/material_kernels.h"

/* The inline kernels as functions with an address. */
#define HOST_MODULI(name)                                                                                              \
  static void name##_moduli_host(const double *value, double *C) { name##_moduli(value, C); }
#define HOST_BLOCK(name)                                                                                               \
  HOST_MODULI(name)                                                                                                    \
  static ElasticConstants name##_constants_host(ElasticModel model, const double *value) {                             \
    return name##_constants(model, value);                                                                             \
  }
#define HOST_LINEAR(name) HOST_MODULI(name)
#define HOST_POINT(name)
#define MATERIAL(name, word, law) HOST_##law(name)
#include MATERIALS_DEF
#undef MATERIAL

#define ROW_BLOCK(name) name##_moduli_host, name##_constants_host
#define ROW_LINEAR(name) name##_moduli_host, NULL
#define ROW_POINT(name) NULL, NULL
#define PARAMETERS(name) ((int)(sizeof name##_param / sizeof name##_param[0]))
#define MATERIAL(name, word, law)                                                                                      \
  {word, name##_meaning, PARAMETERS(name), name##_param, name##_shape, name##_check, ROW_##law(name)},
static const MaterialType materials[] = {
#include MATERIALS_DEF
};
#undef MATERIAL

int material_count(void) { return (int)(sizeof materials / sizeof materials[0]); }

const MaterialType *material_type(int kind) { return kind >= 0 && kind < material_count() ? &materials[kind] : NULL; }

int material_by_name(const char *name) {
  for (int i = 0; i < material_count(); ++i)
    if (!strcmp(materials[i].name, name)) return i;
  return -1;
}

int material_parameter(int kind, const char *name) {
  const MaterialType *type = material_type(kind);
  for (int i = 0; type && i < type->n_param; ++i)
    if (!strcmp(type->param[i].name, name)) return i;
  return -1;
}

int material_state(int kind, const char *name) {
  const MaterialType *type = material_type(kind);
  for (int i = 0; type && i < type->shape.n_state; ++i)
    if (!strcmp(type->shape.state[i].name, name)) return i;
  return -1;
}

int32_t material_states(int kind, const double *value) {
  const MaterialShape *shape = &materials[kind].shape;
  return shape->remembers ? shape->remembers(value) : shape->n_state;
}

void material_initial(int kind, double *old) {
  const MaterialShape *shape = &materials[kind].shape;
  for (int i = 0; i < POINT_MAX_STATES; ++i) old[i] = i < shape->n_state ? shape->state[i].initial : 0;
}

/* "E2" of a row of a list, whose meaning begins with it; else the name. */
static Param labelled(const MaterialType *type, int i, char label[32]) {
  Param param = type->param[i];
  const int n = param_label(&param);
  if (n == 0) return param;
  snprintf(label, 32, "%s %.*s", param.name, n, param.meaning);
  param.name = label;
  return param;
}

Status material_check(int kind, const double *value) {
  const MaterialType *type = material_type(kind);
  CHECK(type, ERR_BUG, "material %d is not in the registry of %d", kind, material_count());
  for (int i = 0; i < type->n_param; ++i) {
    char label[32];
    const Param param = labelled(type, i, label);
    const Status status = param_check_at(&param, value, i);
    if (status == OK) continue;
    if (!strcmp(param.name, "poisson") && value[i] >= 0.5 && value[i] < 0.51)
      return status_context(status, "for a nearly incompressible material use 0.49 to 0.499 with elements of order 2 "
                                    "(mesh: {order: 2}); linear elements lock, except with 'formulation: "
                                    "mean-dilatation', which works up to 0.49999 at finite strain");
    return status;
  }
  return type->check(value);
}

/* Where a word of n letters stands alone; -1: nowhere. */
static int word_at(const char *text, const char *word, size_t n) {
  for (const char *at = text; *at; ++at)
    if (strncmp(at, word, n) == 0 && !isalnum((unsigned char)at[n]) && (at == text || !isalnum((unsigned char)at[-1])))
      return (int)(at - text);
  return -1;
}

int material_called(int kind, int k, const char *message) {
  const MaterialType *type = material_type(kind);
  const char *name = type->param[k].name, *meaning = type->param[k].meaning;
  const int n = param_label(&type->param[k]), at = n ? word_at(message, meaning, (size_t)n) : -1;
  const bool alone = param_list(type->param, type->n_param, k) == 1;
  return at >= 0 || !alone ? at : word_at(message, name, strlen(name));
}

static double parameter_or(int kind, const char *name, const double *value, double otherwise) {
  const int i = material_parameter(kind, name);
  return i < 0 ? otherwise : value[i];
}

ElasticConstants material_constants(int kind, ElasticModel model, const double *value) {
  ElasticConstants c = {.thickness = elastic_model_has_thickness(model) ? parameter_or(kind, "thickness", value, 1) : 1,
                        .density = parameter_or(kind, "density", value, 0)};
  if (materials[kind].constants) c = materials[kind].constants(model, value);
  c.kind = kind;
  return c;
}

/* The elastic strain of a stress: C strain = stress by elimination in the components that the model has. */
static void strain_of_stress(const double *C, const double stress[6], double strain[6]) {
  double a[6][7];
  for (int I = 0; I < 6; ++I) {
    for (int J = 0; J < 6; ++J) a[I][J] = C[linear_index(I, J)];
    a[I][6] = stress[I];
    if (a[I][I] == 0) a[I][I] = 1, a[I][6] = 0; /* across a plane that nothing acts on */
  }
  for (int k = 0; k < 6; ++k)
    for (int I = 0; I < 6; ++I) {
      const double part = a[I][k] / a[k][k];
      for (int J = k; I != k && J < 7; ++J) a[I][J] -= part * a[k][J];
    }
  for (int I = 0; I < 6; ++I) strain[I] = a[I][6] / a[I][I];
}

void material_law_initial(int kind, const double *value, const double stress[6], double *law) {
  double C[LAW_MODULI];
  const bool linear = materials[kind].moduli != NULL;
  if (!linear && !material_moduli_at_rest(kind, value, C)) return;
  strain_of_stress(linear ? law : C, stress, law + LAW_INITIAL);
  if (!linear) material_law_later(kind, law);
}

void material_law(int kind, ElasticModel model, const double *value, const double *R, double *law) {
  const MaterialType *type = &materials[kind];
  double own[LAW_MODULI];
  for (int k = 0; k < 6; ++k) law[LAW_INITIAL + k] = 0;
  if (type->moduli) {
    type->moduli(value, own);
    linear_rotate(own, R, law);
    linear_reduce(model, law);
    const int expansion = material_parameter(kind, "expansion");
    const double none[3] = {0};
    linear_expansion(model, expansion < 0 ? none : value + expansion, R, law + LAW_EXPANSION);
    return;
  }
  for (int i = 0; i < type->n_param; ++i) law[i] = value[i];
  law[LAW_SWELL] = parameter_or(kind, "expansion", value, 0);
  for (int k = 0; k < 9; ++k) law[LAW_AXES + k] = R[k];
}

int material_curves(int kind, const double *value) {
  const MaterialType *type = &materials[kind];
  int end = PARAM_MOST;
  for (int i = 0; i < type->n_param; ++i) {
    const int place = param_place(&type->param[i], value[i]);
    const int of = place ? place + curve_numbers(value + place) : 0;
    end = of > end ? of : end;
  }
  return end - PARAM_MOST;
}

void material_law_later(int kind, double *law) {
  if (material_type(kind)->shape.flows) law[LAW_LATER] = 1;
}

void material_law_curves(int kind, const double *value, int64_t away, double *law) {
  const MaterialType *type = &materials[kind];
  for (int i = 0; i < type->n_param; ++i)
    if (param_place(&type->param[i], value[i])) law[i] += (value[i] < 0 ? -1 : 1) * (double)(away - PARAM_MOST);
  const int expansion = material_parameter(kind, "expansion");
  if (!type->moduli && expansion >= 0) law[LAW_SWELL] = law[expansion];
}

bool material_over_temperature(int kind, const double *value) {
  const MaterialType *type = &materials[kind];
  bool any = false;
  for (int i = 0; i < type->n_param; ++i) {
    const int place = param_place(&type->param[i], value[i]);
    any = any || (place && (param_is_warm(&type->param[i]) ? value[place] > 1 : curve_tables(value + place) > 1));
  }
  return any;
}

void material_from_reference(int kind, double reference, double *value) {
  const MaterialType *type = &materials[kind];
  for (int i = 0; i < type->n_param; ++i) {
    const int place = param_place(&type->param[i], value[i]);
    double *curve = value + place;
    for (int k = 0; place && param_is_warm(&type->param[i]) && k < (int)*curve; ++k) curve[1 + 2 * k] -= reference;
    for (int k = 0; place && *curve < 0 && k < curve_tables(curve); ++k)
      curve[curve_table(curve, k) - curve - 1] -= reference;
  }
}

/* A[81] of a checked material that is not strained. */
static bool tangent_at_rest(int kind, bool finite, const double *value, double *A) {
  const double still[9] = {0}, axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double law[LAW_SIZE + PARAM_CURVES] = {0}, old[POINT_MAX_STATES] = {0}, now[POINT_MAX_STATES];
  PointOut out = {.state = now, .A = A};
  material_law(kind, MODEL_SOLID, value, axes, law);
  material_law_curves(kind, value, LAW_SIZE, law);
  for (int k = 0, n = material_curves(kind, value); k < n; ++k) law[LAW_SIZE + k] = value[PARAM_MOST + k];
  material_initial(kind, old);
  const PointIn in = {.H = still, .axes = axes, .old = old, .finite = finite};
  for (int k = 0; k < 81; ++k) A[k] = 0;
  return material_point(kind, law, &in, &out) == 0;
}

bool material_moduli_at_rest(int kind, const double *value, double *C) {
  static const int of[6] = {0, 4, 8, 1, 5, 2}; /* component of a tensor by Voigt number */
  double A[81];
  if (!tangent_at_rest(kind, false, value, A) && !tangent_at_rest(kind, true, value, A)) return false;
  for (int I = 0; I < 6; ++I)
    for (int J = I; J < 6; ++J) C[linear_index(I, J)] = A[9 * of[I] + of[J]];
  return true;
}

double material_poisson(int kind, const double *value) {
  double A[81];
  return tangent_at_rest(kind, true, value, A) ? A[4] / (A[0] + A[4]) : 0; /* lambda / (2 (lambda + mu)) */
}

bool material_mean_moduli(int kind, const double *value, double *bulk, double *shear) {
  double A[81], trace = 0;
  if (!tangent_at_rest(kind, true, value, A)) return false;
  *bulk = 0;
  for (int i = 0; i < 9; i += 4)
    for (int j = 0; j < 9; j += 4) *bulk += A[9 * i + j] / 9;
  for (int k = 0; k < 81; k += 10) trace += A[k];
  *shear = 0.1 * (trace - 3 * *bulk);
  return true;
}

double material_bulk_ratio(int kind, const double *value) {
  double bulk, shear;
  return material_mean_moduli(kind, value, &bulk, &shear) ? bulk / shear : 0;
}
