/* Names of openCARP and the keys that replace them here, for messages. */
#include "app/input/case_tables.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

typedef struct CarpName {
  const char *name, *here; /* here: a sentence */
  const char *word;        /* of models and their parameters: the name; NULL: there is none */
} CarpName;

#define CARP "is a parameter of openCARP; here it is "
#define TOLD(name, here)                                                                                               \
  { name, here, NULL }
#define CELL(name, word)                                                                                               \
  { name, CARP "'" word "' under 'ionic:'", word }
/* Of the parameter file; the last part of a name such as imp_region[0].im_param. */
static const CarpName key_of[] = {
    TOLD("meshname", CARP "'mesh: {file: NAME.pts, scale: 1e-3}', in micrometres"),
    TOLD("tend", CARP "'end' under 'time:', in ms"),
    TOLD("dt", CARP "'step' under 'time:', in ms, not in microseconds"),
    TOLD("spacedt", CARP "'every' under 'output:', in ms"),
    TOLD("timedt", "is a parameter of openCARP; the progress line needs none: leave it out"),
    TOLD("bidomain",
         CARP "'model: bidomain'; 0 and 2 are 'physics: monodomain' as it is, 2 with 'fields: [extracellular]'"),
    TOLD("num_imp_regions", "is a parameter of openCARP; the entries of 'tissue:' are counted: leave it out"),
    TOLD("num_gregions", "is a parameter of openCARP; the entries of 'tissue:' are counted: leave it out"),
    TOLD("num_stim", "is a parameter of openCARP; the entries of 'stimuli:' are counted: leave it out"),
    TOLD("num_IDs", "is a parameter of openCARP; 'on:' is a list of regions: leave it out"),
    TOLD("num_LATs", "is a parameter of openCARP; 'maps:' under 'output:' is a list: leave it out"),
    TOLD("imp_region", CARP "an entry of 'tissue:', {on: [1, 2], ionic: {model: ten-tusscher}, conductivity: {..}}"),
    TOLD("gregion", CARP "'conductivity' of an entry of 'tissue:', {intra: [il, it, in], extra: [el, et, en], "
                         "surface-to-volume: 140}"),
    TOLD("ID", CARP "'on' of an entry of 'tissue:', a list of regions"),
    TOLD("im", CARP "'model' under 'ionic:' of an entry of 'tissue:'; 'file:' of a .model file"),
    TOLD("im_param",
         CARP "parameters under 'ionic:' by name, {g-ks: \"*0.5\", g-kr: 0.172}; 'preset:' in place of flags"),
    TOLD("im_sv_init", CARP "'prepace: {cycle: 1000, beats: 100}', or 'initial:' with states by name"),
    TOLD("cell_type", CARP "'preset' under 'ionic:', such as epi, endo or mid"),
    TOLD("flags", CARP "'preset' under 'ionic:', such as epi, endo or mid"),
    CELL("GNa", "g-na"),
    CELL("GK1", "g-k1"),
    CELL("Gto", "g-to"),
    CELL("GKr", "g-kr"),
    CELL("GKs", "g-ks"),
    CELL("GbNa", "g-bna"),
    CELL("GbCa", "g-bca"),
    CELL("GpCa", "i-pca"),
    CELL("GpK", "g-pk"),
    CELL("knak", "i-nak"),
    CELL("knaca", "i-naca"),
    CELL("maxINaK", "i-nak"),
    CELL("maxINaCa", "i-naca"),
    CELL("maxIpCa", "i-pca"),
    CELL("maxIup", "i-up"),
    CELL("factorGKur", "g-kur"),
    CELL("blf_i_Kur", "g-kur"),
    CELL("scl_tau_f", "tau-f"),
    {"GCaL", CARP "'g-cal' of courtemanche, 'p-cal' of the others", "p-cal"},
    {"Ko", CARP "'k-out' of built-in models, mM", "k-out"},
    {"Nao", CARP "'na-out' of built-in models, mM", "na-out"},
    {"Cao", CARP "'ca-out' of built-in models, mM", "ca-out"},
    TOLD("cellSurfVolRatio", CARP "'surface-to-volume' under 'conductivity:', per mm: 140 is 0.14 per micrometre"),
    TOLD("volFrac", "is a parameter of openCARP; conductivities are of all tissue: leave it out"),
    TOLD("g_il", CARP "the first number of 'intra' under 'conductivity:', S/m along the fibres"),
    TOLD("g_it", CARP "the second number of 'intra' under 'conductivity:', S/m across the fibres"),
    TOLD("g_in", CARP "the third number of 'intra' under 'conductivity:', S/m normal to the sheets"),
    TOLD("g_el", CARP "the first number of 'extra' under 'conductivity:', S/m along the fibres"),
    TOLD("g_et", CARP "the second number of 'extra' under 'conductivity:', S/m across the fibres"),
    TOLD("g_en", CARP "the third number of 'extra' under 'conductivity:', S/m normal to the sheets"),
    TOLD("g_bath", CARP "'conductivity' of an entry of 'torso:', S/m"),
    TOLD("vel_l", CARP "'along' of 'velocity' in an entry of 'tissue:', mm/ms, with 'physics: eikonal'"),
    TOLD("vel_t", CARP "'across' of 'velocity' in an entry of 'tissue:', mm/ms, with 'physics: eikonal'"),
    TOLD("vel_n", CARP "'normal' of 'velocity' in an entry of 'tissue:', mm/ms, with 'physics: eikonal'"),
    TOLD("g_mult", "is a parameter of openCARP; multiply 'intra' and 'extra' under 'conductivity:' by it"),
    TOLD("stim", CARP "an entry of 'stimuli:', {on: {box: {min: [..], max: [..]}}, duration: 2, amplitude: 50}"),
    TOLD("stimulus", CARP "an entry of 'stimuli:', {on: {box: {min: [..], max: [..]}}, duration: 2, amplitude: 50}"),
    TOLD("elec", CARP "'on' of an entry of 'stimuli:', {box: {min: [..], max: [..]}} in mm or a group"),
    TOLD("pulse", CARP "'amplitude' of an entry of 'stimuli:', in mV/ms"),
    TOLD("ptcl", CARP "'start', 'duration', 'period' and 'count' of an entry of 'stimuli:', in ms"),
    TOLD("crct", "is a parameter of openCARP; stimuli are transmembrane currents here: leave it out"),
    TOLD("stimtype", "is a parameter of openCARP; stimuli are transmembrane currents here: leave it out"),
    TOLD("strength", CARP "'amplitude', in mV/ms: the same number as in uA/cm2 at 1 uF/cm2"),
    TOLD("bcl", CARP "'period', in ms"),
    TOLD("npls", CARP "'count'"),
    TOLD("vtx_file", CARP "'on: NAME' of the file heart.NAME.vtx beside heart.pts"),
    TOLD("p0", CARP "'min' of 'on: {box: {min: [..], max: [..]}}', in mm"),
    TOLD("p1", CARP "'max' of 'on: {box: {min: [..], max: [..]}}', in mm"),
    TOLD("lats", CARP "'maps: [activation, repolarization, apd]' under 'output:', with 'threshold: -30'"),
    TOLD("phie_rec_ptf", CARP "'electrodes:' or 'ecg:' under 'output:', with 'medium:'"),
    TOLD("tsav", CARP "'checkpoint' under 'output:', ms between them"),
    TOLD("num_tsav", "is a parameter of openCARP; 'checkpoint' under 'output:' has ms between states that are kept"),
    TOLD("start_statef", CARP "an option of the command line, 'sinew run CASE.yaml --from FOLDER --at 500'"),
    TOLD("simID", CARP "an option of the command line, 'sinew run CASE.yaml --output DIR'"),
    TOLD("prepacing_bcl", CARP "'cycle' of 'prepace: {cycle: 1000, beats: 100}', in ms"),
    TOLD("prepacing_beats", CARP "'beats' of 'prepace: {cycle: 1000, beats: 100}'"),
    TOLD("mass_lumping", CARP "'mass', 0 for lumped to 1 for consistent"),
    TOLD("parab_solve", CARP "'scheme' under 'time:'"),
    TOLD("cg_tol_parab", CARP "'rtol' under 'solver:'")};

#define IN_A_FILE "is a model of openCARP that is not built in; 'ionic: {file: NAME.model}' reads its file"
#define BUILT_IN(name, word)                                                                                           \
  { name, "openCARP's " name " is '" word "' here", word }
static const CarpName model_of[] = {
    BUILT_IN("tenTusscherPanfilov", "ten-tusscher"),
    BUILT_IN("TT2", "ten-tusscher"),
    BUILT_IN("Courtemanche", "courtemanche"),
    BUILT_IN("OHara", "ohara-rudy"),
    BUILT_IN("Tomek", "tor-ord"),
    BUILT_IN("Stewart", "stewart"),
    BUILT_IN("MitchellSchaeffer", "mitchell-schaeffer"),
    TOLD("mMS", "openCARP's mMS is a modified 'mitchell-schaeffer'; 'ionic: {file: mMS.model}' reads its file"),
    BUILT_IN("AlievPanfilov", "aliev-panfilov"),
    BUILT_IN("Pathmanathan", "pathmanathan-gray"),
    TOLD("Augustin", IN_A_FILE),
    TOLD("DiFranNoble", IN_A_FILE),
    TOLD("DrouhardRoberge", IN_A_FILE),
    TOLD("Grandi", IN_A_FILE),
    TOLD("GrandiPanditVoigt", IN_A_FILE),
    TOLD("Inada", IN_A_FILE),
    TOLD("Loewe", IN_A_FILE),
    TOLD("LuoRudy91", IN_A_FILE),
    TOLD("LuoRudy94", IN_A_FILE),
    TOLD("MahajanShiferaw", IN_A_FILE),
    TOLD("Maleckar", IN_A_FILE),
    TOLD("Nygren", IN_A_FILE),
    TOLD("Passive", IN_A_FILE),
    TOLD("Ramirez", IN_A_FILE),
    TOLD("Shannon", IN_A_FILE)};

/* The last part of "imp_region[0].im_param", without what stands in brackets. */
static size_t last_part(const char **name) {
  const char *dot = strrchr(*name, '.');
  if (dot) *name = dot + 1;
  return strcspn(*name, "[");
}

static const CarpName *key_named(const char *name) {
  const size_t n = last_part(&name);
  for (int k = 0; k < COUNT(key_of); ++k)
    if (strlen(key_of[k].name) == n && !strncasecmp(key_of[k].name, name, n)) return &key_of[k];
  return NULL;
}

static const CarpName *model_named(const char *name) {
  for (int k = 0; k < COUNT(model_of); ++k)
    if (!strcasecmp(model_of[k].name, name)) return &model_of[k];
  return NULL;
}

const char *carp_key(const char *name) {
  const CarpName *found = key_named(name);
  return found ? found->here : NULL;
}

const char *carp_parameter(const char *name) {
  const CarpName *found = key_named(name);
  return found ? found->word : NULL;
}

const char *carp_model(const char *name) {
  const CarpName *found = model_named(name);
  return found ? found->here : NULL;
}

const char *carp_model_here(const char *name) {
  const CarpName *found = model_named(name);
  return found ? found->word : NULL;
}
