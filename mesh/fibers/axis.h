/* Directions without a sign: fibres and sheets. Their mean is the principal direction of the mean dyad f f^T; the mean
 * of the vectors themselves would cancel where neighbours point opposite ways. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* True for the field names whose vectors are axes: "fiber", "fibre", "sheet", also in the plural or with more behind
 * ("fibers", "sheet-normal"), in any case of letters. */
bool axis_field(const char *name);

/* Weighted mean of the axes v[n][3]: direction of the eigenvector of sum_i w_i v_i v_i^T / |v_i|^2 with the largest
 * eigenvalue, on the side of the first v that is not zero; length sum_i w_i |v_i|. Zero vectors have no direction; NaN
 * gives NaN. Weights add up to 1 and may be negative (quadratic shape functions). */
void axis_mean(int32_t n, const double *weight, const double (*v)[3], double out[3]);
/* Unit eigenvector of the symmetric A with the largest eigenvalue; returns how far that lies above the second one. A may
 * be overwritten. */
double axis_principal(double A[3][3], double out[3]);
