/* The registry of materials: one header of pure functions each (physics/NAME.h) and its lines in materials.def. */
#pragma once
#include "core/param.h"
#include "core/status.h"
#include "physics/material_axes.h"
#include "physics/point_material.h"

typedef struct MaterialType {
  const char *name; /* "isotropic" */
  const char *meaning;
  int n_param;
  const Param *param; /* young, poisson, ..., in the order of MaterialValues.value; rows of one name are a list */
  MaterialShape shape;
  Status (*check)(const double *value);           /* of one parameter against another */
  void (*moduli)(const double *value, double *C); /* in the material's axes; NULL where it is not linear */
  ElasticConstants (*constants)(ElasticModel model, const double *value); /* NULL: no pair block of its own */
} MaterialType;

int material_count(void);
const MaterialType *material_type(int kind); /* NULL outside 0 .. material_count() - 1 */
int material_by_name(const char *name);      /* -1 when unknown */
/* Index of a named parameter (the first of a list) in param[] and value[]; -1 when the material has none of that name.
 */
int material_parameter(int kind, const char *name);
/* Index of a named state in shape.state; -1 when the material has none of that name. */
int material_state(int kind, const char *name);
/* How many states a checked material has in use; those behind are 0. */
int32_t material_states(int kind, const double *value);
/* old[POINT_MAX_STATES] before the first step; 0 behind the material's own. */
void material_initial(int kind, double *old);
/* Checks value[n_param], and curves behind it (core/param.h), against the ranges of the table and against each other. ERR_INPUT names parameter, value and
 * range; for a Poisson's ratio at the incompressible end it says what to do. */
Status material_check(int kind, const double *value);
/* Where in what material_check said parameter k is named: by its name, or in a list by what its meaning begins with. -1:
 * nowhere. */
int material_called(int kind, int k, const char *message);
/* What the kernels need of a checked material: thickness, density, and the moduli of its own pair block if it has one.
 */
ElasticConstants material_constants(int kind, ElasticModel model, const double *value);
/* A law of a material that flows: its finite strains come behind small ones, whose states go on as those of logarithmic strains. */
void material_law_later(int kind, double *law);
/* A law of a material that `begins` gets the elastic strain of a stress, global frame: in plane stress none across the plane. Of one
 * that flows by the moduli at the reference temperature. */
void material_law_initial(int kind, const double *value, const double stress[6], double *law);
/* law[LAW_SIZE] of a checked material with the axes R[9]. Where its curves are, material_law_curves says. */
void material_law(int kind, ElasticModel model, const double *value, const double *R, double *law);
/* How many numbers the curves have that begin at value[PARAM_MOST]. And a law whose curves are these, `away` behind it. */
int material_curves(int kind, const double *value);
void material_law_curves(int kind, const double *value, int64_t away, double *law);
/* Is a parameter given at several temperatures? Theirs become those above `reference`, as points are told them. */
bool material_over_temperature(int kind, const double *value);
void material_from_reference(int kind, double reference, double *value);
/* C of a checked material that is not strained, in its axes, as of a linear one; false: it gives no answer there. */
bool material_moduli_at_rest(int kind, const double *value, double *C);
/* Poisson's ratio of a checked material that is not strained; where that depends on the direction, what axes 1 and 2
 * tell of it. */
double material_poisson(int kind, const double *value);
/* Its bulk and its shear modulus, means over all directions, where it is not strained; false: it gives no answer there. And
 * their ratio, 0 then. */
bool material_mean_moduli(int kind, const double *value, double *bulk, double *shear);
double material_bulk_ratio(int kind, const double *value);
