#include "output/frd.h"

#include <stddef.h>
#include <string.h>

static const FrdCell cells[] = {
    {3, 11, 2, {0, 1}},
    {21, 12, 3, {0, 1, 2}},
    {5, 7, 3, {0, 1, 2}},
    {22, 8, 6, {0, 1, 2, 3, 4, 5}},
    {9, 9, 4, {0, 1, 2, 3}},
    {23, 10, 8, {0, 1, 2, 3, 4, 5, 6, 7}},
    {28, 10, 8, {0, 1, 2, 3, 4, 5, 6, 7}},
    {10, 3, 4, {0, 1, 2, 3}},
    {24, 6, 10, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
    {12, 1, 8, {0, 1, 2, 3, 4, 5, 6, 7}},
    {25, 4, 20, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 12, 13, 14, 15}},
    {29, 4, 20, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 12, 13, 14, 15}},
    {13, 2, 6, {0, 2, 1, 3, 5, 4}},
    {26, 5, 15, {0, 2, 1, 3, 5, 4, 8, 7, 6, 12, 14, 13, 11, 10, 9}},
    {14, 1, 8, {0, 1, 2, 3, 4, 4, 4, 4}},
    {27, 4, 20, {0, 1, 2, 3, 4, 4, 4, 4, 5, 6, 7, 8, 9, 10, 11, 12, 4, 4, 4, 4}},
};

const FrdCell *frd_cell(int32_t vtk) {
  for (size_t i = 0; i < sizeof cells / sizeof *cells; ++i)
    if (cells[i].vtk == vtk) return &cells[i];
  return NULL;
}

static const FrdField fields[] = {
    {"displacement", "DISP", "D", FRD_VECTOR, 1},
    {"displacement-real", "DISP", "D", FRD_VECTOR, 1},
    {"temperature", "NDTEMP", "T", FRD_SCALAR, 1},
    {"velocity", "VELO", "V", FRD_VECTOR, 1},
    {"stress", "STRESS", "S", FRD_TENSOR, 1},
    {"stress-real", "STRESS", "S", FRD_TENSOR, 1},
    {"cauchy", "STRESS", "S", FRD_TENSOR, 1},
    {"strain", "TOSTRAIN", "E", FRD_TENSOR, 0.5},
    {"green-lagrange", "TOSTRAIN", "E", FRD_TENSOR, 0.5},
    {"plastic-strain", "PE", "PE", FRD_SCALAR, 1},
    {"internal-force", "FORC", "F", FRD_VECTOR, 1},
    {"reaction", "FORC", "F", FRD_VECTOR, 1},
    {"flux", "FLUX", "F", FRD_VECTOR, 1},
    {"displacement-imaginary", "DISPI", "D", FRD_VECTOR, 1},
    {"stress-imaginary", "STRESSI", "S", FRD_TENSOR, 1},
    {"potential", "POT", "V", FRD_SCALAR, 1},
    {"extracellular", "EXTRAPOT", "V", FRD_SCALAR, 1},
    {"recovery", "RECOVERY", "R", FRD_SCALAR, 1},
    {"activation", "ACTIVATE", "T", FRD_SCALAR, 1},
    {"repolarization", "REPOL", "T", FRD_SCALAR, 1},
    {"apd", "APD", "T", FRD_SCALAR, 1},
    {"dominant-frequency", "DOMFREQ", "F", FRD_SCALAR, 1},
    {"conduction-velocity", "CONDVELO", "V", FRD_VECTOR, 1},
    {"fiber", "FIBER", "F", FRD_VECTOR, 1},
    {"von-mises", "STRESS", "", FRD_DERIVED, 1},
    {"principal", "STRESS", "", FRD_DERIVED, 1},
    {"principal-direction-1", "STRESS", "", FRD_DERIVED, 1},
    {"principal-direction-2", "STRESS", "", FRD_DERIVED, 1},
    {"principal-direction-3", "STRESS", "", FRD_DERIVED, 1},
};

const FrdField *frd_field(const char *word) {
  for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
    if (strcmp(fields[i].word, word) == 0) return &fields[i];
  return NULL;
}

int32_t frd_n_field(void) { return (int32_t)(sizeof fields / sizeof *fields); }
const FrdField *frd_field_at(int32_t i) { return &fields[i]; }
