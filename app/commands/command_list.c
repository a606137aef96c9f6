/* sinew list: from the tables that the code runs on. */
#include "app/commands/commands.h"
#include "app/input/library.h"
#include "output/wording.h"
#include "mesh/elements/element.h"
#include "physics/ionic.h"
#include "physics/material.h"
#include "physics/tension.h"
#include "algebra/mat.h"
#include "solver/precond/precond.h"
#include "algebra/graph/sparse_direct.h"

#include <stdio.h>
#include <string.h>

static void list_elements(void) {
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    const ElementType *type = element_type((ElementKind)kind);
    printf("%-8s %s (%dD, %d node%s, order %d)\n", type->name, type->meaning, type->dim, type->n_node,
           type->n_node == 1 ? "" : "s", type->order);
  }
}

static void list_params(int n, const Param *param) {
  for (int k = 0; k < n; ++k) {
    char range[80], value[64] = "required", digits[32];
    const bool words = param_word(&param[k], param[k].value, digits, sizeof digits);
    Param shown = param[k];
    if (!param[k].required && strcmp(param[k].name, "poisson") == 0 && param[k].value <= -1) {
      snprintf(value, sizeof value, "optional"); /* -1 stands for not given */
      shown.open_min = true;
    } else if (!param[k].required)
      snprintf(value, sizeof value, "default %s", words ? digits : double_text(param[k].value, digits));
    printf("    %-12s %-18s %-14s [%s] %s\n", param_list(param, n, k) ? param[k].name : "",
           param_range(&shown, range, sizeof range), value, words ? "1" : param[k].unit, param[k].meaning);
  }
}

static void list_materials(void) {
  for (int kind = 0; kind < material_count(); ++kind) {
    const MaterialType *type = material_type(kind);
    printf("%s: %s\n", type->name, type->meaning);
    list_params(type->n_param, type->param);
  }
}

/* Figures in the units that the table of the documents has. */
static void list_library(void) {
  printf("%-18s %5s %6s %6s %5s %6s %5s %4s\n%-18s %5s %6s %6s %5s %6s %5s %4s\n", "name", "young", "poiss.", "dens.",
         "exp.", "cond.", "heat", "str.", "", "GPa", "1", "kg/m3", "1e-6", "W/m/K", "J/kg", "MPa");
  for (int i = 0; i < library_count(); ++i) {
    const LibraryRow *r = library_row(i);
    char strength[16] = "-";
    if (r->strength > 0) snprintf(strength, sizeof strength, "%g", r->strength * 1e-6);
    printf("%-18s %5g %6g %6g %5g %6g %5g %4s %s\n", r->word, r->young * 1e-9, r->poisson, r->density,
           r->expansion * 1e6, r->conductivity, r->capacity / r->density, strength, r->meaning);
  }
}

static void list_formats(void) {
  for (int32_t i = 0; i < mat_format_count(); ++i) {
    printf("%s: %s%s\n", mat_format_name(i), mat_format_meaning(i), i == 0 ? " (default)" : "");
    for (int32_t k = 0; mat_param_name(k); ++k)
      if (mat_format_param(i, k)) printf("    %-12s %s\n", mat_param_name(k), mat_format_param(i, k));
  }
}

static void list_preconditioners(void) {
  for (int32_t i = 0; i < precond_count(); ++i) {
    const PrecondType *type = precond_type(i);
    printf("%s: %s%s\n", precond_name(i), precond_meaning(i),
           i == 0 ? " (auto where nothing is known of the matrix)" : "");
    if (type->degree_max) {
      const Param degree = {"degree", "1",   type->degree_default,
                            false,    1,     type->degree_max,
                            false,    false, "of the polynomial 1 - t s(t): one product less per application"};
      list_params(1, &degree);
    }
    list_params(type->n_param, type->param);
  }
  if (!sparse_direct_there()) printf("'direct', and 'below: cholmod' of pmg: %s\n", sparse_direct_why_not());
}

static void list_ionic(void) {
  for (int kind = 0; kind < ionic_listed(); ++kind) {
    const IonicType *type = ionic_type(kind);
    printf("%s: %s\n", type->name, type->meaning);
    for (int k = 0; k < type->n_state; ++k) printf("    state %s: %s\n", type->state[k].name, type->state[k].meaning);
    list_params(type->n_param, type->param);
    for (int k = 0; k < type->n_preset; ++k)
      printf("    preset %s: %s%s\n", type->preset[k].name, type->preset[k].meaning, k == 0 ? " (default)" : "");
  }
}

static void list_tensions(void) {
  for (int kind = 0; kind < tension_count(); ++kind) {
    const TensionType *type = tension_type(kind);
    printf("%s: %s\n", type->name, type->meaning);
    for (int k = 0; k < type->n_state; ++k) printf("    state %s: %s\n", type->state[k].name, type->state[k].meaning);
    list_params(type->n_param, type->param);
    for (int k = 0; k < type->n_preset; ++k)
      printf("    preset %s: %s%s\n", type->preset[k].name, type->preset[k].meaning, k == 0 ? " (default)" : "");
  }
}

Status command_list(const Options *options) {
  static const struct {
    const char *name;
    void (*list)(void);
  } kind[] = {{"elements", list_elements},
              {"materials", list_materials},
              {"library", list_library},
              {"formats", list_formats},
              {"preconditioners", list_preconditioners},
              {"ionic", list_ionic},
              {"tensions", list_tensions}};
  TRY(options_topic(COMMAND_LIST, options->operand[0]));
  for (size_t i = 0; i < sizeof kind / sizeof *kind; ++i)
    if (strcmp(options->operand[0], kind[i].name) == 0) kind[i].list();
  return OK;
}
