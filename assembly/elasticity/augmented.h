/* Augmented Lagrangian (mean_element.h): where mean dilatation has a material whose bulk modulus is far above its shear
 * modulus, and ElasticityParams.augmented, the matrix has a part of it only, and elements keep changes of volume,
 * theta - 1, that make up for the rest. Forces, tangent and what is recovered are those of u and of the changes kept. They
 * follow the solution alone: a checkpoint needs none of them. All vectors as in elasticity.h. */
#pragma once
#include "assembly/elasticity/elasticity.h"

/* Bulk modulus over shear modulus before a material is strained; 0 where a parameter that varies decides. */
double elasticity_bulk_ratio(const MaterialValues *material);
/* From which ratio on elements keep their volume nearly: those of displacements alone lock, and a diagonal is no preconditioner. */
#define MEAN_FROM 50.0
bool elasticity_keeps_volume(const Elasticity *elasticity);
/* Of its materials; 0 in plane stress, where volume is free to change. */
double elasticity_largest_bulk_ratio(const Elasticity *elasticity);
bool elasticity_is_augmented(const Elasticity *elasticity);
/* The changes kept, [*n] on the Exec; NULL: there are none here. */
double *elasticity_kept(const Elasticity *elasticity, int64_t *n);
/* Those that a step starts from: of displacements at[n], the last solution first, times these weights; and the parts of the bulk moduli,
 * by the materials at the last solution. Recordable. */
Status elasticity_augment_start(Elasticity *elasticity, int n, const double *const *at, const double *weight);
/* They go towards those of u by the part of each element. Once in each step of Newton's method. Recordable. */
Status elasticity_augment(Elasticity *elasticity, const double *u);
/* Under small strains, where one linear system is all: the parts of the bulk moduli by the materials, and what turns need.
 * Once, before the tangent; the changes kept start at 0. Recordable. */
Status elasticity_augment_linear(Elasticity *elasticity, const double *u);
/* What turns need in the tangent at u, at finite strain; lag[n]: changes kept less those of u. Recordable. */
Status elasticity_augment_couple(Elasticity *elasticity, const double *u, double *lag);
/* As elasticity_augment, under small strains with all of x and what is kept, at finite strain with increments of both: kept[n]
 * goes towards those of x by the tangent, and change[dofs] is what elasticity_residual changes by; everywhere: in the global frame, forces at
 * supports too. Recordable. */
Status elasticity_augment_eliminate(Elasticity *elasticity, const double *x, double *kept, bool everywhere,
                                    double *change);
/* At finite strain, how large a change of forces, of those at supports too, is left to one more turn at u, to be compared with what is left
 * of forces. What supports or equations enclose has a pressure of which forces elsewhere say nothing, and needs as many turns as
 * its bulk modulus is larger than what the matrix has of it. */
Status elasticity_augment_left(Elasticity *elasticity, const double *u, double *left);
/* From now on the matrix has all of the bulk moduli, and nothing is kept. */
Status elasticity_augment_end(Elasticity *elasticity);
/* They become those of the last elasticity_commit. Recordable. */
Status elasticity_augment_back(Elasticity *elasticity);
