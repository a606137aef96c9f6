/* The keywords that are understood, with the parameters that each may have. */
#include "app/deck/deck_private.h"

#include <stdio.h>
#include <string.h>

typedef struct Keyword {
  const char *name;        /* without blanks */
  const char *parameters;  /* that change nothing here, or that are read */
  Status (*read)(Deck *d); /* NULL: it says nothing that a case needs, or the
                              mesh has it */
} Keyword;

static const Keyword keywords[] = {
    {"AMPLITUDE", "NAME TIME DEFINITION", deck_card_amplitude},
    {"ASSEMBLY", "NAME", NULL}, /* this, parts and instances are flat by now */
    {"BASEMOTION", "DOF AMPLITUDE TYPE", deck_card_base_motion},
    {"BOUNDARY", "OP AMPLITUDE FIXED", deck_card_boundary},
    {"BUCKLE", "SOLVER", deck_card_buckle},
    {"CFLUX", "OP AMPLITUDE", deck_card_cflux},
    {"CLOAD", "OP AMPLITUDE LOADCASE", deck_card_cload},
    {"CONDUCTIVITY", "TYPE", deck_card_conductivity},
    {"COUPLING", "REFNODE SURFACE CONSTRAINTNAME", deck_card_coupling},
    {"DAMPING", "ALPHA BETA", deck_card_damping},
    {"DENSITY", "", deck_card_density},
    {"DFLUX", "OP AMPLITUDE", deck_card_dflux},
    {"DISTRIBUTING", "", deck_card_coupled},
    {"DISTRIBUTINGCOUPLING", "ELSET", deck_card_distributing},
    {"DLOAD", "OP AMPLITUDE LOADCASE", deck_card_dload},
    {"DSLOAD", "OP AMPLITUDE LOADCASE", deck_card_dsload},
    {"DYNAMIC", "DIRECT ALPHA SOLVER", deck_card_dynamic},
    {"ELASTIC", "TYPE", deck_card_elastic},
    {"ELEMENT", "TYPE ELSET", NULL},
    {"ELEMENTOUTPUT", NULL, NULL},
    {"ELFILE", NULL, deck_card_file},
    {"ELPRINT", "ELSET FREQUENCY GLOBAL TOTALS TIMEPOINTS", deck_card_el_print},
    {"ELSET", "ELSET GENERATE INTERNAL INSTANCE", NULL},
    {"ENDSTEP", "", deck_card_end_step},
    {"EQUATION", "", deck_card_equation},
    {"EXPANSION", "TYPE ZERO", deck_card_expansion},
    {"FACEPRINT", NULL, deck_card_no_print},
    {"FILM", "OP AMPLITUDE", deck_card_film},
    {"FREQUENCY", "SOLVER STORAGE", deck_card_frequency},
    {"HEADING", NULL, NULL},
    {"HEATTRANSFER", "STEADYSTATE DIRECT SOLVER DELTMX TIMERESET", deck_card_heat_transfer},
    {"HYPERELASTIC", "NEOHOOKE MOONEY-RIVLIN YEOH OGDEN N", deck_card_hyperelastic},
    {"INITIALCONDITIONS", "TYPE", deck_card_initial},
    {"INSTANCE", "NAME PART", NULL},
    {"KINEMATIC", "", deck_card_coupled},
    {"MATERIAL", "NAME", deck_card_material},
    {"MODALDAMPING", "RAYLEIGH", deck_card_modal_damping},
    {"MODALDYNAMIC", "SOLVER DIRECT STEADYSTATE DELTMX", deck_card_modal_dynamic},
    {"MPC", "", deck_card_mpc},
    {"NODE", "NSET SYSTEM", NULL},
    {"NODEFILE", NULL, deck_card_file},
    {"NODEOUTPUT", NULL, NULL},
    {"NODEPRINT", "NSET FREQUENCY GLOBAL TOTALS TIMEPOINTS", deck_card_node_print},
    {"NSET", "NSET GENERATE INTERNAL INSTANCE UNSORTED", NULL},
    {"ORIENTATION", "NAME SYSTEM DEFINITION", deck_card_orientation},
    {"OUTPUT", NULL, NULL},
    {"PART", "NAME", NULL},
    {"PHYSICALCONSTANTS", NULL, NULL},
    {"PREPRINT", NULL, NULL},
    {"RESTART", "WRITE FREQUENCY OVERLAY", NULL},
    {"RIGIDBODY", "NSET ELSET PINNSET REFNODE ROTNODE", deck_card_rigid},
    {"SECTIONPRINT", NULL, deck_card_no_print},
    {"SOLIDSECTION", "ELSET MATERIAL ORIENTATION OFFSET", deck_card_section},
    {"SPECIFICHEAT", "", deck_card_heat},
    {"STATIC", "SOLVER DIRECT TIMERESET", deck_card_static},
    {"STEADYSTATEDYNAMICS", "HARMONIC", deck_card_steady_state},
    {"STEP", "INC INCF PERTURBATION NAME NLGEOM", deck_card_step},
    {"SURFACE", "NAME TYPE", NULL},
    {"TEMPERATURE", "OP AMPLITUDE", deck_card_temperature},
    {"TIE", "NAME POSITIONTOLERANCE ADJUST", deck_card_tie},
    {"TIMEPOINTS", NULL, deck_card_no_points},
    {"TRANSFORM", "NSET TYPE", deck_card_transform},
};
enum { N_KEYWORDS = sizeof keywords / sizeof *keywords };

static bool has_word(const char *list, const char *word) {
  const size_t n = strlen(word);
  for (const char *p = list; (p = strstr(p, word)); p += n)
    if ((p == list || p[-1] == ' ') && (p[n] == ' ' || !p[n])) return true;
  return false;
}

static Status unknown_keyword(const Deck *d) {
  char list[1200] = "";
  for (int i = 0; i < N_KEYWORDS; ++i)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", keywords[i].name);
  return inp_fail(d->inp, d->card, "is not understood; understood are INCLUDE, %s", list);
}

static Status check_parameters(const Deck *d, const Keyword *k) {
  const char *const kept = *k->parameters ? k->parameters : "none";
  for (int32_t i = 0; k->parameters && i < d->card->n_parameter; ++i)
    if (!has_word(k->parameters, d->card->parameter[i].name))
      return inp_fail(d->inp, d->card, "the parameter %.60s is not understood; understood: %s",
                      d->card->parameter[i].name, kept);
  return OK;
}

/* Read before the others, which ask for reference nodes. */
static bool is_early(const Keyword *k) {
  return k->read == deck_card_rigid || k->read == deck_card_coupling || k->read == deck_card_distributing ||
         k->read == deck_card_mpc;
}

static Status read_card(Deck *d, bool early) {
  for (int i = 0; i < N_KEYWORDS; ++i) {
    if (!inp_is(d->card, keywords[i].name)) continue;
    if (is_early(&keywords[i]) != early) return OK;
    d->amplitude_now = 0;
    if (keywords[i].parameters) TRY(check_parameters(d, &keywords[i]));
    return keywords[i].read ? keywords[i].read(d) : OK;
  }
  return early ? OK : unknown_keyword(d);
}

Status deck_read(Deck *d) {
  for (int32_t early = 1; early >= 0; --early)
    for (int32_t c = 0; c < d->inp->n_card; ++c) {
      d->card = &d->inp->card[c];
      TRY(read_card(d, early));
    }
  if (d->in_step) TRY(deck_end_step(d));
  CHECK(d->analysis != DECK_NO_ANALYSIS, ERR_INPUT,
        "%s: has no *STEP with *STATIC or *HEAT TRANSFER; 'mesh: {file: DECK}' "
        "in a case file takes its mesh alone",
        d->inp->file[0].path);
  return OK;
}
