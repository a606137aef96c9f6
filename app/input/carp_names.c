/* Names of openCARP and the keys that replace them here, for messages. */
#include "app/input/case_tables.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

typedef struct CarpName {
  const char *name, *here;
} CarpName;

#define CARP "is a parameter of openCARP; here it is "
/* Of the parameter file; the last part of a name such as imp_region[0].im_param. */
static const CarpName key_of[] = {
    {"meshname", CARP "'mesh: {file: NAME.pts, scale: 1e-3}', in micrometres"},
    {"tend", CARP "'end' under 'time:', in ms"},
    {"dt", CARP "'step' under 'time:', in ms, not in microseconds"},
    {"spacedt", CARP "'every' under 'output:', in ms"},
    {"timedt", "is a parameter of openCARP; the progress line needs none: leave it out"},
    {"bidomain",
     CARP "'model: bidomain'; 0 and 2 are 'physics: monodomain' as it is, 2 with 'fields: [extracellular]'"},
    {"num_imp_regions", "is a parameter of openCARP; the entries of 'tissue:' are counted: leave it out"},
    {"num_gregions", "is a parameter of openCARP; the entries of 'tissue:' are counted: leave it out"},
    {"num_stim", "is a parameter of openCARP; the entries of 'stimuli:' are counted: leave it out"},
    {"num_IDs", "is a parameter of openCARP; 'on:' is a list of regions: leave it out"},
    {"num_LATs", "is a parameter of openCARP; 'maps:' under 'output:' is a list: leave it out"},
    {"imp_region", CARP "an entry of 'tissue:', {on: [1, 2], ionic: {model: ten-tusscher}, conductivity: {..}}"},
    {"gregion", CARP "'conductivity' of an entry of 'tissue:', {intra: [il, it, in], extra: [el, et, en], "
                     "surface-to-volume: 140}"},
    {"ID", CARP "'on' of an entry of 'tissue:', a list of regions"},
    {"im", CARP "'model' under 'ionic:' of an entry of 'tissue:'; 'file:' of a .model file"},
    {"im_param", CARP "parameters under 'ionic:' by name, {g-ks: \"*0.5\", g-kr: 0.172}; 'preset:' in place of flags"},
    {"im_sv_init", CARP "'prepace: {cycle: 1000, beats: 100}', or 'initial:' with states by name"},
    {"cell_type", CARP "'preset' under 'ionic:', such as epi, endo or mid"},
    {"flags", CARP "'preset' under 'ionic:', such as epi, endo or mid"},
    {"GNa", CARP "'g-na' under 'ionic:'"},
    {"GK1", CARP "'g-k1' under 'ionic:'"},
    {"Gto", CARP "'g-to' under 'ionic:'"},
    {"GKr", CARP "'g-kr' under 'ionic:'"},
    {"GKs", CARP "'g-ks' under 'ionic:'"},
    {"GbNa", CARP "'g-bna' under 'ionic:'"},
    {"GbCa", CARP "'g-bca' under 'ionic:'"},
    {"GpCa", CARP "'i-pca' under 'ionic:'"},
    {"GpK", CARP "'g-pk' under 'ionic:'"},
    {"GCaL", CARP "'g-cal' of courtemanche, 'p-cal' of the others"},
    {"Ko", CARP "'k-out' of built-in models, mM"},
    {"Nao", CARP "'na-out' of built-in models, mM"},
    {"Cao", CARP "'ca-out' of built-in models, mM"},
    {"cellSurfVolRatio", CARP "'surface-to-volume' under 'conductivity:', per mm: 140 is 0.14 per micrometre"},
    {"volFrac", "is a parameter of openCARP; conductivities are of all tissue: leave it out"},
    {"g_il", CARP "the first number of 'intra' under 'conductivity:', S/m along the fibres"},
    {"g_it", CARP "the second number of 'intra' under 'conductivity:', S/m across the fibres"},
    {"g_in", CARP "the third number of 'intra' under 'conductivity:', S/m normal to the sheets"},
    {"g_el", CARP "the first number of 'extra' under 'conductivity:', S/m along the fibres"},
    {"g_et", CARP "the second number of 'extra' under 'conductivity:', S/m across the fibres"},
    {"g_en", CARP "the third number of 'extra' under 'conductivity:', S/m normal to the sheets"},
    {"g_bath", CARP "'conductivity' of an entry of 'torso:', S/m"},
    {"g_mult", "is a parameter of openCARP; multiply 'intra' and 'extra' under 'conductivity:' by it"},
    {"stim", CARP "an entry of 'stimuli:', {on: {box: {min: [..], max: [..]}}, duration: 2, amplitude: 50}"},
    {"stimulus", CARP "an entry of 'stimuli:', {on: {box: {min: [..], max: [..]}}, duration: 2, amplitude: 50}"},
    {"elec", CARP "'on' of an entry of 'stimuli:', {box: {min: [..], max: [..]}} in mm or a group"},
    {"pulse", CARP "'amplitude' of an entry of 'stimuli:', in mV/ms"},
    {"ptcl", CARP "'start', 'duration', 'period' and 'count' of an entry of 'stimuli:', in ms"},
    {"crct", "is a parameter of openCARP; stimuli are transmembrane currents here: leave it out"},
    {"stimtype", "is a parameter of openCARP; stimuli are transmembrane currents here: leave it out"},
    {"strength", CARP "'amplitude', in mV/ms: the same number as in uA/cm2 at 1 uF/cm2"},
    {"bcl", CARP "'period', in ms"},
    {"npls", CARP "'count'"},
    {"vtx_file", CARP "'on: NAME' of the file heart.NAME.vtx beside heart.pts"},
    {"p0", CARP "'min' of 'on: {box: {min: [..], max: [..]}}', in mm"},
    {"p1", CARP "'max' of 'on: {box: {min: [..], max: [..]}}', in mm"},
    {"lats", CARP "'maps: [activation, repolarization, apd]' under 'output:', with 'threshold: -30'"},
    {"phie_rec_ptf", CARP "'electrodes:' or 'ecg:' under 'output:', with 'medium:'"},
    {"tsav", CARP "'checkpoint' under 'output:', ms between them"},
    {"num_tsav", "is a parameter of openCARP; 'checkpoint' under 'output:' has ms between states that are kept"},
    {"start_statef", CARP "an option of the command line, 'sinew run CASE.yaml --from FOLDER --at 500'"},
    {"simID", CARP "an option of the command line, 'sinew run CASE.yaml --output DIR'"},
    {"prepacing_bcl", CARP "'cycle' of 'prepace: {cycle: 1000, beats: 100}', in ms"},
    {"prepacing_beats", CARP "'beats' of 'prepace: {cycle: 1000, beats: 100}'"},
    {"mass_lumping", CARP "'mass', 0 for lumped to 1 for consistent"},
    {"parab_solve", CARP "'scheme' under 'time:'"},
    {"cg_tol_parab", CARP "'rtol' under 'solver:'"}};

#define IN_A_FILE "is a model of openCARP that is not built in; 'ionic: {file: NAME.model}' reads its file"
static const CarpName model_of[] = {
    {"tenTusscherPanfilov", "openCARP's tenTusscherPanfilov is 'ten-tusscher' here"},
    {"TT2", "openCARP's TT2 is 'ten-tusscher' here"},
    {"Courtemanche", "openCARP's Courtemanche is 'courtemanche' here"},
    {"OHara", "openCARP's OHara is 'ohara-rudy' here"},
    {"Tomek", "openCARP's Tomek is 'tor-ord' here"},
    {"Stewart", "openCARP's Stewart is 'stewart' here"},
    {"MitchellSchaeffer", "openCARP's MitchellSchaeffer is 'mitchell-schaeffer' here"},
    {"mMS", "openCARP's mMS is a modified 'mitchell-schaeffer'; 'ionic: {file: mMS.model}' reads its file"},
    {"AlievPanfilov", "openCARP's AlievPanfilov is 'aliev-panfilov' here"},
    {"Pathmanathan", "openCARP's Pathmanathan is 'pathmanathan-gray' here"},
    {"Augustin", IN_A_FILE},
    {"DiFranNoble", IN_A_FILE},
    {"DrouhardRoberge", IN_A_FILE},
    {"Grandi", IN_A_FILE},
    {"GrandiPanditVoigt", IN_A_FILE},
    {"Inada", IN_A_FILE},
    {"Loewe", IN_A_FILE},
    {"LuoRudy91", IN_A_FILE},
    {"LuoRudy94", IN_A_FILE},
    {"MahajanShiferaw", IN_A_FILE},
    {"Maleckar", IN_A_FILE},
    {"Nygren", IN_A_FILE},
    {"Passive", IN_A_FILE},
    {"Ramirez", IN_A_FILE},
    {"Shannon", IN_A_FILE}};

/* The last part of "imp_region[0].im_param", without what stands in brackets. */
static size_t last_part(const char **name) {
  const char *dot = strrchr(*name, '.');
  if (dot) *name = dot + 1;
  return strcspn(*name, "[");
}

const char *carp_key(const char *name) {
  const size_t n = last_part(&name);
  for (int k = 0; k < COUNT(key_of); ++k)
    if (strlen(key_of[k].name) == n && !strncasecmp(key_of[k].name, name, n)) return key_of[k].here;
  return NULL;
}

const char *carp_model(const char *name) {
  for (int k = 0; k < COUNT(model_of); ++k)
    if (!strcasecmp(model_of[k].name, name)) return model_of[k].here;
  return NULL;
}
