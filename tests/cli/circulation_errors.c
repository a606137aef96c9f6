/* What a wrong case of a circulation must say, and the exit code. */
#include "tests/cli/table.h"

/* Line numbers matter: circulation 3, cycle 4, lv 5 to 8. */
#define OPEN_LOOP                                                                                                      \
  "version: 1\n"                                                                                                       \
  "physics: electromechanics\n"                                                                                        \
  "circulation:\n"                                                                                                     \
  "  cycle: 800\n"                                                                                                     \
  "  lv:\n"                                                                                                            \
  "    elastance: {active: 0.318, passive: 0.012, v0: 10, contraction: 300, relaxation: 150, volume: 110}\n"           \
  "    from: {pressure: 1.2, valve: {open: 2}}\n"                                                                      \
  "    to: {valve: {open: 2}, windkessel: {zc: 8, r: 130, c: 9, pressure: 10}}\n"                                      \
  "time: {end: 800, step: 1}\n"                                                                                        \
  "expect: [{loop: lv, quantity: stroke-volume, value: 57.7455, rtol: 1e-4}]\n"
#define CLOSED_LOOP                                                                                                    \
  "version: 1\n"                                                                                                       \
  "physics: electromechanics\n"                                                                                        \
  "circulation: {model: closed-loop, cycle: 1000, lv: {elastance: {active: 0.4}}}\n"                                   \
  "time: {end: 1000, step: 1}\n"

static const Row rows[] = {
    {"no resistance", .case_text = OPEN_LOOP, .mesh = "", .edit = {{"r: 130", "r: 0"}}, .code = 3,
     .said = {"case.yaml:8:51: r is 0, must be > 0"}},
    {"a negative compliance", .case_text = OPEN_LOOP, .mesh = "", .edit = {{"c: 9", "c: -9"}}, .code = 3,
     .said = {"case.yaml:8:59: c is -9, must be > 0"}},
    {"a valve that opens when closed", .case_text = OPEN_LOOP, .mesh = "",
     .edit = {{"from: {pressure: 1.2, valve: {open: 2}}", "from: {pressure: 1.2, valve: {open: 2, closed: 1}}"}},
     .code = 3,
     .said = {"case.yaml:7:41: open is 2 and closed is 1", "allowed: open < closed", "remedy: leave 'closed' out"}},
    {"no elastance", .case_text = OPEN_LOOP, .mesh = "", .code = 3,
     .edit =
         {{"    elastance: {active: 0.318, passive: 0.012, v0: 10, contraction: 300, relaxation: 150, volume: 110}\n",
           ""}},
     .said = {"case.yaml:5:3: chamber 'lv' has no elastance", "allowed: elastance: {active"}},
    {"an elastance without a volume", .case_text = OPEN_LOOP, .mesh = "", .edit = {{", volume: 110", ""}}, .code = 3,
     .said = {"case.yaml:6:16: elastance needs the key 'volume'"}},
    {"nothing that fills", .case_text = OPEN_LOOP, .mesh = "", .code = 3,
     .edit = {{"    from: {pressure: 1.2, valve: {open: 2}}\n", ""}}, .said = {"nothing fills chamber 'lv'"}},
    {"nothing to empty into", .case_text = OPEN_LOOP, .mesh = "", .code = 3,
     .edit = {{"    to: {valve: {open: 2}, windkessel: {zc: 8, r: 130, c: 9, pressure: 10}}\n", ""}},
     .said = {"chamber 'lv' empties into nothing"}},
    {"an inertance alone", .case_text = OPEN_LOOP, .mesh = "", .edit = {{"zc: 8,", "l: 500,"}}, .code = 3,
     .said = {"case.yaml:8:44: l is an inertance beside zc", "allowed: {r, c}, {zc, r, c} and {zc, l, r, c}"}},
    {"two outlets", .case_text = OPEN_LOOP, .mesh = "", .edit = {{"to: {valve", "to: {pressure: 3, valve"}}, .code = 3,
     .said = {"to needs one of windkessel and pressure; this one has both"}},
    {"a beat in seconds", .case_text = OPEN_LOOP, .mesh = "",
     .edit = {{"cycle: 800", "cycle: 0.8"}, {"step: 1", "step: 0.01"}}, .code = 3,
     .said = {"contraction and relaxation last 300 and 150 ms, together longer than the cycle of 0.8 ms",
              "times are in ms"}},
    {"a long step", .case_text = OPEN_LOOP, .mesh = "", .edit = {{"step: 1}", "step: 100}"}}, .code = 3,
     .said = {"case.yaml:9:24: step is 100 ms, must be at most a tenth of the cycle of 800 ms"}},
    {"a word for a chamber", .case_text = OPEN_LOOP, .mesh = "", .edit = {{"cycle: 800", "cycle: 800\n  cylce: 800"}},
     .code = 3, .said = {"case.yaml:5:3: unknown key 'cylce' in circulation", "did you mean 'cycle'?"}},
    {"a chamber twice", .case_text = OPEN_LOOP, .mesh = "", .edit = {{"  lv:\n", "  lv: {}\n  lv:\n"}}, .code = 3,
     .said = {"case.yaml:6:3: repeated key 'lv', first given at 5:3"}},
    {"an unknown chamber of a row", .case_text = OPEN_LOOP, .mesh = "", .edit = {{"{loop: lv,", "{loop: lw,"}},
     .code = 3, .said = {"case.yaml:10:17: unknown chamber 'lw'", "known: lv", "did you mean 'lv'?"}},
    {"an unknown quantity", .case_text = OPEN_LOOP, .mesh = "", .edit = {{"stroke-volume", "stroke"}}, .code = 3,
     .said = {"unknown quantity 'stroke'"}},
    {"vessels of a closed loop", .case_text = OPEN_LOOP, .mesh = "",
     .edit = {{"cycle: 800", "cycle: 800\n  systemic: {r-artery: 100}"}}, .code = 3,
     .said = {"case.yaml:5:13: 'systemic' is for a closed loop; this is an open one"}},
    {"an open loop without a chamber", .mesh = "", .code = 3,
     .case_text = "version: 1\nphysics: electromechanics\ncirculation: {cycle: 800}\n",
     .said = {"case.yaml:3:14: an open loop needs a chamber"}},
    {"a fifth chamber", .case_text = CLOSED_LOOP, .mesh = "", .edit = {{"lv: {el", "lw: {el"}}, .code = 3,
     .said = {"a closed loop has no chamber 'lw'", "allowed: la, lv, ra, rv", "did you mean"}},
    {"a closed loop that is opened", .case_text = CLOSED_LOOP, .mesh = "",
     .edit = {{"{elastance: {active: 0.4}}", "{from: {pressure: 1, valve: 2}}"}}, .code = 3,
     .said = {"what fills and empties the chambers of a closed loop is given by the loop"}},
    {"a short cycle", .case_text = CLOSED_LOOP, .mesh = "", .edit = {{"cycle: 1000", "cycle: 300"}}, .code = 3,
     .said = {"cycle is 300 ms, shorter than contraction and relaxation of 'la'"}},
    {"a mesh without muscle", .case_text = CLOSED_LOOP, .mesh = "",
     .edit = {{"time: {", "mesh: {file: a.msh}\ntime: {"}}, .code = 3,
     .said = {"case.yaml:4:1: 'mesh' is for cells-and-muscle and muscle cases; this is a circulation case",
              "add 'muscle:'"}},
    {"cells", .case_text = CLOSED_LOOP, .mesh = "", .edit = {{"time: {", "tissue: []\ntime: {"}}, .code = 3,
     .said = {"the case needs the key 'muscle'", "nothing goes by these cells"}},
    {"muscle beside a circulation", .case_text = CLOSED_LOOP, .mesh = "",
     .edit = {{"time: {", "muscle: [{on: wall}]\ntime: {"}}, .code = 3,
     .said = {"case.yaml:3:14: no cavity takes part in the closed loop", "allowed: 'ventricles: {lv: NAME}'"}},
};

int main(void) { return table_run("circulation errors", rows, (int)(sizeof rows / sizeof *rows)); }
