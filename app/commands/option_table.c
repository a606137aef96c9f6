/* The commands and options of the program, as tables. */
#include "app/commands/option_lines.h"
#include "solver/krylov/linear.h"
#include "algebra/mat.h"
#include "solver/precond/precond.h"

#include <stdio.h>
#include <string.h>

static const Topic list_topics[] = {{"elements", "shapes and orders of elements"},
                                    {"materials", "elastic laws with their parameters"},
                                    {"library", "materials by name, with their figures"},
                                    {"formats", "of matrices"},
                                    {"preconditioners", "of the conjugate gradients, with their parameters"},
                                    {"ionic", "models of heart cells with states, parameters and presets"},
                                    {"tensions", "models of active tension with states, parameters and presets"},
                                    {NULL, NULL}};
static const Topic bench_topics[] = {
#define BENCH(name, folder, meaning) {#name, meaning},
#include "bench/benches.def"
    {NULL, NULL}};
static const Topic model_topics[] = {{"export", "a header to compile in"}, {NULL, NULL}};
static const Topic init_topics[] = {{"elasticity", "a bracket under load; the default"},
                                    {"heat", "a wall with a heated strip that warms up"},
                                    {"heart", "a sheet of heart muscle, paced at one edge"},
                                    {NULL, NULL}};

/* clang-format off */
static const CommandLine commands[] = {
    {COMMAND_RUN, "run", "CASE.yaml", 1, 1, "solves a case, or a deck, and writes its results",
     "Reads the case and its mesh (a .geo is meshed first), solves, and writes results.hdf, results.xdmf, probes.csv and\n"
     "report.json into the output folder. A folder stands for the case.yaml in it. A deck of Abaqus or CalculiX (.inp) is a case too.\n"
     "- is a case from the standard input, whose files lie in the current folder.",
     "sinew run cases/plate-with-hole/case.yaml --backend auto --set solver.rtol=1e-10", NULL, "yaml|yml|inp"},
    {COMMAND_CHECK, "check", "CASE.yaml", 1, 1, "everything short of solving; writes nothing, but with --draw",
     "Shows the case with every default filled in, the size of each named group, the total load, free rigid motions, the\n"
     "quality of the elements, the memory and the backend that a run would use; with --verbose a line per value and array.",
     "sinew check cases/plate-with-hole/case.yaml", NULL, "yaml|yml"},
    {COMMAND_VERIFY, "verify", "CASE.yaml...", 1, -1, "runs cases and holds their 'expect:' rows against the results",
     "Prints a table of quantity, expected, got, error, tolerance. Exit code 6 when a row misses; all cases are run.\n"
     "A row without rtol or atol has rtol 1e-6.",
     "sinew verify cases/*/case.yaml", NULL, "yaml|yml"},
    {COMMAND_SWEEP, "sweep", "CASE.yaml", 1, 1, "runs a case at all combinations of some values",
     "Each point is a run with its own folder below sweep/, and sweep.csv there has the values, probes, sums and largest values of\n"
     "all. Points that fail keep their message and do not stop the others; the same command goes on where it was stopped. Needs\n"
     "python3. The same in Python, with arrays: docs/python.md.",
     "sinew sweep cases/first-part --over 'materials.0.young=[70e9, 210e9]' --over 'materials.0.poisson=[0.25, 0.3]'",
     NULL, "yaml|yml|inp"},
    {COMMAND_PROTOCOL, "protocol", "CASE.yaml", 1, 1, "paces a heart: one extra stimulus ever earlier, or ever faster trains",
     "Each interval is a run that begins with the state of the train before it, in a folder below protocol/; protocol.csv there has a\n"
     "row for each: capture, block or reentry, and at the probes rest, duration, delay and velocity. The train is the first entry of\n"
     "'stimuli:', the extra stimulus the second. The same command goes on where it was stopped. Needs python3.",
     "sinew protocol cases/induction --s1s2 320,220,20 --resolution 2", NULL, "yaml|yml"},
    {COMMAND_SERVE, "serve", "", 0, 0, "takes one command after the other from the standard input, in one process",
     "For programs that run many: the start of a GPU, and the loading of its code, are then paid once. A request is a line of JSON, and so\n"
     "is its answer: {\"words\": [\"run\", \"case.yaml\"], \"folder\": \"part\", \"input\": \"...\"} gets {\"code\": 0, \"out\": \"...\", \"err\": \"...\"}.\n"
     "'folder' is where the command runs, 'input' what it reads from its standard input ('run -'); both may be left out. Sweeps use it.",
     "echo '{\"words\": [\"list\", \"elements\"]}' | sinew serve", NULL, NULL},
    {COMMAND_INIT, "init", "[KIND] FOLDER", 1, 2, "writes a case to start from, with its geometry",
     "A commented case.yaml and a small .geo that run at once, and case.schema.json, by which editors complete and check the\n"
     "case while it is typed. Files that are there already stay as they are: nothing is overwritten.",
     "sinew init elasticity bracket && sinew run bracket", init_topics, "/"},
    {COMMAND_MESH, "mesh", "IN OUT", 2, 2, "turns a mesh into another format, or makes it of geometry",
     "Reads .msh, .h5, .vtu, .med, .inp, Nastran's and openCARP's files by itself, everything else that Gmsh can read through the\n"
     "gmsh program. Writes .h5 (Sinew's own), .inp (nodes, elements, sets and surfaces, for PrePoMax, FreeCAD and CalculiX), .med\n"
     "(Salome and Code_Aster, with fields) or .msh (Gmsh 2.2, with fields).",
     "sinew mesh bracket.geo bracket.h5 --refine 1 --order 2", NULL, "geo|msh|h5|vtu|med|pts|bpts|bdf|nas|inp|step|stp|brep|iges|stl"},
    {COMMAND_CONVERT, "convert", "IN OUT", 2, 2, "a deck or .par becomes a case file; a result .frd, .med, .vtu, .igb or .dat",
     "DECK.inp CASE.yaml: writes the case of a deck of Abaqus or CalculiX and, beside it, its mesh (.h5), which run to the same\n"
     "numbers as the deck does by 'sinew run'. Sets and surfaces become groups. What is not understood is refused with its line.\n"
     "HEART.par CASE.yaml: writes the case of a parameter file of openCARP over the mesh that it names. What is left out is listed.\n"
     "FOLDER OUT.frd: the mesh and all stored times for the tools of CalculiX (--step or --time: one of them).\n"
     "FOLDER OUT.med: the mesh and all fields at all stored times for Salome and Code_Aster (--step or --time: one of them).\n"
     "FOLDER OUT.vtu: the mesh and all fields of a stored time. FOLDER OUT.igb: a field at all of them, FOLDER OUT.dat: at one, as\n"
     "openCARP has them.",
     "sinew convert results bracket.frd", NULL, "inp|par|yaml|yml|frd|med|vtu|igb|dat"},
    {COMMAND_SOLVE, "solve", "A.mtx [B.mtx]", 1, 2, "solves a linear system given by Matrix Market files",
     "A is symmetric positive definite: real or integer, coordinate or dense (array), general or symmetric storage. B holds one or\n"
     "several right-hand sides as columns (array or coordinate); without it all are 1. Writes solution.mtx and report.json.",
     "sinew solve A.mtx b.mtx --rtol 1e-10 --solution x.mtx", NULL, "mtx"},
    {COMMAND_INFO, "info", "FILE", 1, 1, "what a mesh or result file holds", "Shows nodes, elements, groups and fields, or steps. A folder stands for the results.hdf in it.",
     "sinew info results/results.hdf", NULL, "msh|h5|hdf|geo|vtu|med|pts|bpts|bdf|nas"},
    {COMMAND_PLOT, "plot", "FOLDER", 1, 1, "draws a picture of a result",
     "With the ParaView (pvpython) or PyVista that is installed; says how to get one where there is none. Elasticity is shown by its\n"
     "von Mises stress on the deformed mesh, a heart by its activation times or its potential, heat by its temperature.",
     "sinew plot cases/bracket --field stress-xx --output bracket.png", NULL, "/"},
    {COMMAND_REPORT, "report", "FOLDER", 1, 1, "writes a page about a result",
     "One HTML file that any browser shows without a network: summary, warnings, pictures from three sides, largest values, probes and\n"
     "sums over time, convergence, and the case. It needs python3 and nothing else.",
     "sinew report cases/bracket", NULL, "/"},
    {COMMAND_CELL, "cell", "[CASE.yaml]", 0, 1, "paces the cells of a heart's tissues, each alone",
     "Durations, potentials and the upstroke of each beat (beats.csv), the last beat with all states (trace.csv) and, where asked\n"
     "for, restitution (restitution.csv: diastolic interval and APD90) of the cell of every entry under 'tissue:'. Trace and\n"
     "restitution come as pictures too (.svg, for any browser). Cells begin at rest, or as 'prepace:' of the case leaves them.\n"
     "--tension: twitches of a muscle that these cells drive, or, without a case, a given transient of calcium: twitches.csv, and\n"
     "twitch.csv with twitch.svg, the last beat of each.",
     "sinew cell heart.yaml --beats 100 --s1s2 1000,300,20", NULL, "yaml|yml"},
    {COMMAND_TUNE, "tune", "CASE.yaml", 1, 1, "diffusivities for a wanted velocity of conduction",
     "Runs a strand of each tissue's cells with elements as long as the mesh's and the steps of the case, and prints the\n"
     "diffusivities at which a front has the velocities that are asked for, beside those in the limit of fine meshes and steps.",
     "sinew tune heart.yaml --velocity 0.6,0.3", NULL, "yaml|yml"},
    {COMMAND_CIRCULATION, "circulation", "CASE.yaml", 1, 1, "beats of the circulation of a heart, alone, until they repeat",
     "Chambers, valves and vessels of 'circulation:' without muscle: pressures, volumes and flows over time (loops.csv), the numbers\n"
     "of each beat (beats.csv), the loops of pressure and volume of the first and the last one (loops.svg, for any browser) and\n"
     "the state at the end (state.csv).",
     "sinew circulation cases/circulation --beats 50", NULL, "yaml|yml"},
    {COMMAND_MODEL, "model", "export FILE NAME.h", 3, 3, "makes a C header of a cell model in a file",
     "Of Myokit (.mmt), CellML 1.0, 1.1 and 2.0 (.cellml, .xml) and openCARP's EasyML (.model). Cases take such files as they are\n"
     "(ionic: {file: cell.mmt}). The header is what a model that is built in consists of: put it into\n"
     "physics/ and its line, which is printed, into physics/ionics.def.",
     "sinew model export cell.mmt my_cell.h", model_topics, "mmt|cellml|xml|model|h"},
    {COMMAND_LIST, "list", "KIND", 1, 1, "what is built in",
     "Each with a line of explanation and its parameters (unit, default, range).", "sinew list materials", list_topics, NULL},
    {COMMAND_BENCH, "bench", "NAME", 1, 1, "measures this machine",
     "Prints a table and writes JSON; every figure of a GPU stands beside the copy bandwidth of the same run.",
     "sinew bench pcg --backend cpu --threads 2", bench_topics, NULL},
    {COMMAND_SCHEMA, "schema", "", 0, 0, "prints the JSON Schema of the case file, for editors",
     "With it an editor completes keys, explains them and marks what is wrong. For the YAML language server (VS Code, Vim,\n"
     "Emacs ...) the first line of a case names the file:  # yaml-language-server: $schema=case.schema.json",
     "sinew schema > case.schema.json", NULL, NULL},
    {COMMAND_HELP, "help", "[COMMAND [NAME] | KEY]", 0, 2, "explains the program, a command, a bench, or a key of the case file",
     "Of a command the same as --help after it. Of a key, by its path or its last names: what it means, type, unit, default, what is\n"
     "allowed, and the keys beside it; 'sinew help case' lists those at the top.",
     "sinew help contact.friction", NULL, NULL},
};

enum {
  SOLVING = COMMAND_BIT(COMMAND_RUN) | COMMAND_BIT(COMMAND_CHECK) | COMMAND_BIT(COMMAND_VERIFY),
  RUN = COMMAND_BIT(COMMAND_RUN),
  VERIFY = COMMAND_BIT(COMMAND_VERIFY),
  SWEEP = COMMAND_BIT(COMMAND_SWEEP),
  PROTOCOL = COMMAND_BIT(COMMAND_PROTOCOL),
  MESHING = COMMAND_BIT(COMMAND_MESH),
  BENCHING = COMMAND_BIT(COMMAND_BENCH),
  MATRIX = COMMAND_BIT(COMMAND_SOLVE),
  HELPING = COMMAND_BIT(COMMAND_HELP),
  PLOT = COMMAND_BIT(COMMAND_PLOT),
  CELL = COMMAND_BIT(COMMAND_CELL),
  TUNE = COMMAND_BIT(COMMAND_TUNE),
  CIRCULATION = COMMAND_BIT(COMMAND_CIRCULATION),
  CONVERT = COMMAND_BIT(COMMAND_CONVERT),
  MODEL = COMMAND_BIT(COMMAND_MODEL)
};
#define IN(member) OPTION_AT(member)
/* What a bench may take (bench/benches.def): what is allowed, and what it means unless the bench says otherwise. */
#define BENCH_OPTION_repeat "--repeat", TAKES_COUNT, IN(repeat), 1, 100000
#define BENCH_OPTION_rtol "--rtol", TAKES_FRACTION, IN(rtol), 0, 0
#define BENCH_OPTION_only "--only", TAKES_TEXT, IN(only), 0, 0
#define BENCH_OPTION_part "--part", TAKES_TEXT, IN(part), 0, 0
#define BENCH_OPTION_quick "--quick", TAKES_NOTHING, IN(quick), 0, 0
#define BENCH_OPTION_meshes "--meshes", TAKES_TEXT, IN(meshes), 0, 0
#define BENCH_OPTION_matrix "--matrix", TAKES_TEXT, IN(matrix), 0, 0
#define BENCH_OPTION_numbering "--numbering", TAKES_TEXT, IN(numbering), 0, 0
#define BENCH_OPTION_window "--window", TAKES_COUNT, IN(window), 1, INT32_MAX
#define BENCH_OPTION_markdown "--markdown", TAKES_NOTHING, IN(markdown), 0, 0
#define BENCH_OPTION_petsc "--petsc", TAKES_TEXT, IN(petsc), 0, 0
#define BENCH_OPTION_dump "--dump", TAKES_TEXT, IN(dump), 0, 0
#define BENCH_MEANING_repeat "N", "timed repetitions of a kernel, a solve or a step"
#define BENCH_MEANING_rtol "X", "true relative residual |b - Ax| / |b| to reach; default 1e-8"
#define BENCH_MEANING_only "NAME", "one of the problems: quad, hex, tet, tri"
#define BENCH_MEANING_quick NULL, "small meshes, one solve each"
#define BENCH_MEANING_meshes "DIR", "folder of .msh and .h5 meshes, measured too (of pcg: in its part bits)"
#define BENCH_MEANING_matrix "FILE", "a Matrix Market file, measured alone"
#define BENCH_MEANING_numbering "NAME", "order of the nodes of meshes: natural, rcm, nested-dissection, hilbert, auto"
#define BENCH_MEANING_window "N", "rows among which formats sort by length, besides what they choose"
#define BENCH_MEANING_markdown NULL, "tables as Markdown"
#define BENCH_MEANING_petsc "FILE", "figures of bench/petsc.sh to set beside its own"
#define BENCH_MEANING_dump "FILE", "where the last matrix goes, for the PETSc rival"
#define BENCH_LINE(...) BENCH_LINE_OF(__VA_ARGS__)
#define BENCH_LINE_OF(bench, name, kind, offset, min, max, value, meaning) {name, value, meaning, kind, offset, min, max, BENCHING, bench},
static const OptionLine option_lines[] = {
    {"--backend", "auto|cpu|cuda", "where the work is done; auto: a GPU when one is usable and pays; gpu means cuda", TAKES_NAME, IN(backend), 0, 0, SOLVING | MATRIX | BENCHING | SWEEP | PROTOCOL, NULL},
    {"--threads", "N", "of the CPU; default: all", TAKES_COUNT, IN(threads), 1, THREADS_MOST, SOLVING | MATRIX | BENCHING | PROTOCOL, NULL},
    {"--over", "KEY=[VALUE, ...]", "a key of the case and its values, or a distribution: uniform(A, B), log-uniform(A, B), normal(MEAN, DEVIATION); may be repeated: all combinations", TAKES_TEXT, IN(over), 0, 0, SWEEP, NULL},
    {"--samples", "N", "of the distributions; statistics.csv has the mean, deviation and quantiles of all numbers", TAKES_COUNT, IN(samples), 1, 1000000, SWEEP, NULL},
    {"--method", "latin|sobol|random", "how samples are chosen; default: latin", TAKES_TEXT, IN(method), 0, 0, SWEEP, NULL},
    {"--seed", "S", "of the samples; default: 1", TAKES_COUNT, IN(seed), 0, INT32_MAX, SWEEP, NULL},
    {"--indices", NULL, "Sobol's sensitivity indices too, by N times (number of keys + 2) runs", TAKES_NOTHING, IN(indices), 0, 0, SWEEP, NULL},
    {"--workers", "N", "points that run at a time; default: 1", TAKES_COUNT, IN(workers), 1, THREADS_MOST, SWEEP, NULL},
    {"--together", "N", "so many points are solved as one: hearts or fronts as a mesh of copies, which fills a GPU; loads of one linear body, the default there. 1: one by one", TAKES_COUNT, IN(copies), 1, 1000000, SWEEP, NULL},
    {"--threads", "N", "of each point; default: its share of the cores", TAKES_COUNT, IN(threads), 1, THREADS_MOST, SWEEP, NULL},
    {"--output", "DIR", "folder of the points and of sweep.csv; default: sweep/ beside the case", TAKES_TEXT, IN(output), 0, 0, SWEEP, NULL},
    {"--draw", "DIR", "writes what lies within reach of contact, with its gaps, and what contact alone holds, for 'sinew plot DIR' or ParaView", TAKES_TEXT, IN(draw), 0, 0, COMMAND_BIT(COMMAND_CHECK), NULL},
    {"--ranks", "N", "what each of N ranks (mpirun -n N) would have of the mesh, and take of memory", TAKES_COUNT, IN(ranks), 1, 64, COMMAND_BIT(COMMAND_CHECK), NULL},
    {"--output", "DIR", "folder of the results; default: results/ beside case.yaml or a matrix, results-NAME/ beside NAME.yaml", TAKES_TEXT, IN(output), 0, 0, RUN | MATRIX, NULL},
    {"--output", "DIR", "keeps the results there (of several cases in DIR/1, DIR/2 ...); default: a temporary folder that is removed", TAKES_TEXT, IN(output), 0, 0, VERIFY, NULL},
    {"--output", "FILE", "the picture; default: picture.png, film.png or curves.svg in the folder of the results", TAKES_TEXT, IN(output), 0, 0, PLOT, NULL},
    {"--output", "FILE", "the page; default: report.html in the folder of the results", TAKES_TEXT, IN(output), 0, 0, COMMAND_BIT(COMMAND_REPORT), NULL},
    {"--field", "NAME", "what is drawn: a field of the result, or one component of it such as stress-yy", TAKES_TEXT, IN(field), 0, 0, PLOT, NULL},
    {"--step", "N", "the stored time, from 1; default: the last one, of modes the first, of a potential the middle one", TAKES_COUNT, IN(step), 1, INT32_MAX, PLOT, NULL},
    {"--field", "NAME", "what a .igb or .dat has; default: the potential and the activation times of a heart", TAKES_TEXT, IN(field), 0, 0, CONVERT, NULL},
    {"--step", "N", "the stored time of a .vtu or .dat, from 1; default: the last one", TAKES_COUNT, IN(step), 1, INT32_MAX, CONVERT, NULL},
    {"--time", "T", "the stored time next to it", TAKES_TEXT, IN(at), 0, 0, PLOT | CONVERT, NULL},
    {"--warp", "F", "displacements are drawn F times as large; default: so that they are seen, never less than they are; 0: not at all", TAKES_TEXT, IN(warp), 0, 0, PLOT, NULL},
    {"--range", "A,B", "of the colours", TAKES_TEXT, IN(range), 0, 0, PLOT, NULL},
    {"--view", "X,Y,Z", "the direction from which a body is seen; default: 1,-1.6,0.9", TAKES_TEXT, IN(view), 0, 0, PLOT, NULL},
    {"--cut", "NX,NY,NZ", "shows the half of the body behind the plane through its middle with this normal", TAKES_TEXT, IN(cut), 0, 0, PLOT, NULL},
    {"--box", "X0,X1,Y0,Y1", "shows this part only", TAKES_TEXT, IN(box), 0, 0, PLOT, NULL},
    {"--pixels", "W,H", "of the picture in pixels; default: 900,600", TAKES_TEXT, IN(pixels), 0, 0, PLOT, NULL},
    {"--edges", NULL, "draws the mesh too", TAKES_NOTHING, IN(edges), 0, 0, PLOT, NULL},
    {"--mirror", NULL, "in x = 0 and y = 0: a quarter becomes a whole", TAKES_NOTHING, IN(mirror), 0, 0, PLOT, NULL},
    {"--film", NULL, "all stored times one after the other, an animated PNG; .mp4, .gif and .webm by ffmpeg; default: film.png", TAKES_NOTHING, IN(film), 0, 0, PLOT, NULL},
    {"--curves", NULL, "probes, leads, sums and loops over time, and what passes of 'adapt' found, in place of the body; default: curves.svg", TAKES_NOTHING, IN(curves), 0, 0, PLOT, NULL},
    {"--loops", NULL, "the same of a heart that pumps: pressure over volume, then all over time", TAKES_NOTHING, IN(curves), 0, 0, PLOT, NULL},
    {"--output", "DIR", "folder of the runs and of protocol.csv; default: protocol/ beside the case", TAKES_TEXT, IN(output), 0, 0, PROTOCOL, NULL},
    {"--rest", "MS", "after the last stimulus, in which reentry is seen; default 500", TAKES_AMOUNT, IN(rest), 0, 0, PROTOCOL, NULL},
    {"--resolution", "MS", "halves intervals between which the answer changes, down to this; default: not at all", TAKES_AMOUNT, IN(resolution), 0, 0, PROTOCOL, NULL},
    {"--launcher", "WORDS", "starts each run on several processes, such as 'mpirun -n 4'", TAKES_TEXT, IN(launcher), 0, 0, PROTOCOL, NULL},
    {"--whole", NULL, "tries all intervals, and does not stop at the first block", TAKES_NOTHING, IN(whole), 0, 0, PROTOCOL, NULL},
    {"--output", "DIR", "folder of the tables; default: cell/ beside the case", TAKES_TEXT, IN(output), 0, 0, CELL, NULL},
    {"--cycle", "MS", "from stimulus to stimulus; default 1000", TAKES_AMOUNT, IN(cycle), 0, 0, CELL | PROTOCOL, NULL},
    {"--beats", "N", "of pacing, and of each cycle of --dynamic; default 10, of protocol --s1s2 4", TAKES_COUNT, IN(beats), 1, 100000, CELL | PROTOCOL, NULL},
    {"--output", "DIR", "folder of the tables; default: as that of a run", TAKES_TEXT, IN(output), 0, 0, CIRCULATION, NULL},
    {"--beats", "N", "so many; default: as the case says", TAKES_COUNT, IN(beats), 1, 100000, CIRCULATION, NULL},
    {"--time-step", "MS", "default: that of the case", TAKES_AMOUNT, IN(time_step), 0, 0, CIRCULATION, NULL},
    {"--amplitude", "A", "of the stimulus in mV/ms; default 52, or the model's own", TAKES_AMOUNT, IN(amplitude), 0, 0, CELL, NULL},
    {"--duration", "MS", "of the stimulus; default 1, or the model's own", TAKES_AMOUNT, IN(duration), 0, 0, CELL, NULL},
    {"--time-step", "MS", "default 0.005", TAKES_AMOUNT, IN(time_step), 0, 0, CELL, NULL},
    {"--s1s2", "FROM,TO,STEP", "one extra stimulus after intervals from FROM down to TO, in ms", TAKES_TEXT, IN(s1s2), 0, 0, CELL | PROTOCOL, NULL},
    {"--dynamic", "FROM,TO,STEP", "pacing at cycles from FROM down to TO, in ms; the last two beats of each are listed", TAKES_TEXT, IN(dynamic), 0, 0, CELL | PROTOCOL, NULL},
    {"--tension", "NAME", "active tension of a muscle, held at each --stretch; see 'sinew list tensions'; or a file of one, .model, .cellml or .mmt", TAKES_TEXT, IN(tension), 0, 0, CELL, NULL},
    {"--preset", "NAME", "of the tension: a set of parameters; default: its first", TAKES_TEXT, IN(preset), 0, 0, CELL, NULL},
    {"--stretch", "FROM:TO[:STEP]", "of the fibres under --tension; default: 1, STEP 0.05", TAKES_TEXT, IN(stretch), 0, 0, CELL, NULL},
    {"--calcium", "UM", "peak of the given transient, without a case; default 0.6", TAKES_AMOUNT, IN(calcium), 0, 0, CELL, NULL},
    {"--potential", "NAME", "the state that is the potential of the membrane, component.name; default: as the file says", TAKES_TEXT, IN(potential), 0, 0, MODEL, NULL},
    {"--stimulus", "NAME", "the variable that the stimulus replaces; default: as the file says", TAKES_TEXT, IN(stimulus), 0, 0, MODEL, NULL},
    {"--velocity", "ALONG,ACROSS,NORMAL", "wanted, mm/ms: one, or as many as the fibres and sheets of the case have directions", TAKES_TEXT, IN(velocity), 0, 0, TUNE, NULL},
    {"--size", "LENGTH", "of elements, mm; default: of those of the case's mesh", TAKES_AMOUNT, IN(size), 0, 0, TUNE, NULL},
    {"--time-step", "MS", "default: that of the case", TAKES_AMOUNT, IN(time_step), 0, 0, TUNE, NULL},
    {"--set", "KEY=VALUE", "any key of the case by its dotted path, such as solver.rtol=1e-10; KEY+=VALUE adds to a list; may be repeated", TAKES_TEXT, IN(set), 0, 0, SOLVING | CELL | TUNE | CIRCULATION | SWEEP | PROTOCOL, NULL},
    {"--overwrite", NULL, "replaces an existing result", TAKES_NOTHING, IN(overwrite), 0, 0, RUN | VERIFY | CELL | CIRCULATION | CONVERT | MODEL | MESHING | SWEEP | PROTOCOL | COMMAND_BIT(COMMAND_CHECK), NULL},
    {"--from", "FOLDER", "begins with the newest state in the results of another run, on the same mesh with the same cells (hearts)", TAKES_TEXT, IN(from), 0, 0, RUN, NULL},
    {"--at", "TIME", "with --from: the state next to that time", TAKES_AMOUNT, IN(from_time), 0, 0, RUN, NULL},
    {"--resume", NULL, "goes on where a stopped run left off", TAKES_NOTHING, IN(resume), 0, 0, RUN, NULL},
    {"--together", "FILE", "solves the points of a sweep as one: a line each, the name of its folder and KEY=VALUE with tabs between", TAKES_TEXT, IN(together), 0, 0, RUN, NULL},
    {"--shared", NULL, "with --together: where points share a matrix, else exit code 2 at once", TAKES_NOTHING, IN(shared), 0, 0, RUN, NULL},
    {"--refine", "N", "splits every element uniformly N times", TAKES_COUNT, IN(refine), 0, 10, MESHING, NULL},
    {"--order", "1|2|3", "2 makes the elements quadratic, 3 cubic (triangles, tetrahedra)", TAKES_COUNT, IN(order), 1, 3, MESHING, NULL},
    {"--size", "LENGTH", "largest size of an element that Gmsh makes of geometry, in the file's unit", TAKES_AMOUNT, IN(size), 0, 0, MESHING, NULL},
    {"--trust", NULL, "lets a .geo start programs and write files (its SystemCall and the like), which is refused otherwise", TAKES_NOTHING, IN(trust), 0, 0, SOLVING | MESHING | TUNE | SWEEP | PROTOCOL, NULL},
    {"--time-limit", "SECONDS", "for the gmsh program; default 600", TAKES_AMOUNT, IN(time_limit), 0, 0, MESHING, NULL},
    {"--solution", "FILE", "where the solution goes; default: solution.mtx in the folder of the results", TAKES_TEXT, IN(solution), 0, 0, MATRIX, NULL},
    {"--format", "NAME", "of the matrix, or auto; see 'sinew list formats'", TAKES_NAME, IN(format), 0, 0, MATRIX, NULL},
    {"--variant", "NAME", "of the format: scalar, vector (csr), k1, k2 (ell-warp), r (segspmv)", TAKES_TEXT, IN(variant), 0, 0, MATRIX, NULL},
    {"--slice", "N", "rows of a slice of the format: 32, 64, 96 ...; default: its own", TAKES_COUNT, IN(slice), 32, 1 << 20, MATRIX, NULL},
    {"--row-threads", "N", "of the GPU that share a row of the format; default: its own", TAKES_COUNT, IN(row_threads), 1, 32, MATRIX, NULL},
    {"--threshold", "N", "row length beyond which ell-warp splits, of a segment of segspmv, of a tile of csr-balanced; default: its own", TAKES_COUNT, IN(threshold), 1, 1 << 20, MATRIX, NULL},
    {"--window", "N", "rows among which the format sorts by length: 1 none, default: its own", TAKES_COUNT, IN(window), 1, INT32_MAX, MATRIX, NULL},
    {"--block", "1|2|3", "rows of the matrix joined to a block; default 1", TAKES_COUNT, IN(block), 1, 3, MATRIX, NULL},
    {"--preconditioner", "NAME", "default auto; see 'sinew list preconditioners'", TAKES_NAME, IN(preconditioner), 0, 0, MATRIX, NULL},
    {"--coordinates", "FILE", "array of the nodes' places, a row per block: the rigid motions for amg", TAKES_TEXT, IN(coordinates), 0, 0, MATRIX, NULL},
    {"--near-null", "FILE", "array whose columns the matrix nearly maps to zero, for amg; default: constants", TAKES_TEXT, IN(near_null), 0, 0, MATRIX, NULL},
    {"--project-constant", NULL, "solves graph Laplacians, which constants make singular, up to their mean in each connected part", TAKES_NOTHING, IN(project_constant), 0, 0, MATRIX, NULL},
    {"--degree", "N", "of the preconditioner's polynomial; default: its own", TAKES_COUNT, IN(degree), 1, 64, MATRIX, NULL},
    {"--precision", "NAME", "of the preconditioner: auto (default), double, mixed, float, half, bfloat16, int8; the answer is as exact as --rtol says", TAKES_NAME, IN(precision), 0, 0, MATRIX, NULL},
    {"--rtol", "X", "true relative residual |b - Ax| / |b| to reach; default 1e-8", TAKES_FRACTION, IN(rtol), 0, 0, MATRIX, NULL},
    {"--max-iterations", "N", "after which to give up; default: 10000 or more, by the size", TAKES_COUNT, IN(max_iterations), 1, INT32_MAX, MATRIX, NULL},
    {"--json", "FILE", "where the table goes for machines", TAKES_TEXT, IN(json), 0, 0, BENCHING, NULL},
    {"--percent", "N", "size of the problems in per cent of the papers' edge lengths; default 100", TAKES_COUNT, IN(percent), 1, 1000, BENCHING, NULL},
#define BENCH(name, folder, meaning)
#define TAKES(bench, option) BENCH_LINE(#bench, BENCH_OPTION_##option, BENCH_MEANING_##option)
#define TAKES_AS(bench, option, value, meaning) BENCH_LINE(#bench, BENCH_OPTION_##option, value, meaning)
#include "bench/benches.def"
    {"--quiet", NULL, "errors and warnings only", TAKES_NOTHING, IN(quiet), 0, 0, SOLVING | MATRIX | MESHING | PLOT | COMMAND_BIT(COMMAND_REPORT) | CELL | CIRCULATION | COMMAND_BIT(COMMAND_INIT) | CONVERT | MODEL | SWEEP | PROTOCOL, NULL},
    {"--verbose", NULL, "more about what happens", TAKES_NOTHING, IN(verbose), 0, 0, SOLVING | MESHING, NULL},
    {"--man", NULL, "the manual page, for 'man -l -'", TAKES_NOTHING, IN(man), 0, 0, HELPING, NULL},
    {"--completion", NULL, "completion for bash:  . <(sinew help --completion)", TAKES_NOTHING, IN(completion), 0, 0, HELPING, NULL},
    {"--help", NULL, "this text", TAKES_NOTHING, IN(help), 0, 0, ~0u, NULL},
    {"--version", NULL, "the version of the program", TAKES_NOTHING, IN(version), 0, 0, ~0u, NULL},
};
/* clang-format on */

static const struct {
  char letter;
  const char *name;
} letters[] = {{'o', "--output"},  {'j', "--threads"}, {'q', "--quiet"},
               {'v', "--verbose"}, {'h', "--help"},    {'V', "--version"}};

int command_line_count(void) { return sizeof commands / sizeof *commands; }

const CommandLine *command_line_at(int i) { return &commands[i]; }

const CommandLine *command_line(Command command) {
  for (int i = 0; i < command_line_count(); ++i)
    if (commands[i].command == command) return &commands[i];
  return NULL;
}

int option_line_count(void) { return sizeof option_lines / sizeof *option_lines; }

const OptionLine *option_line_at(int i) { return &option_lines[i]; }

bool option_line_is_of(const OptionLine *line, Command command, const char *topic) {
  return (line->commands & COMMAND_BIT(command)) && (!line->of || !topic || strcmp(line->of, topic) == 0);
}

static bool same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

/* Adds the line, or its topic to the one that says the same; both in the order of the table. */
static int show_line(const OptionLine *line, ShownOption *shown, int n) {
  int k = 0;
  while (k < n && (strcmp(shown[k].line->name, line->name) != 0 || !same_text(shown[k].line->value, line->value) ||
                   strcmp(shown[k].line->meaning, line->meaning) != 0))
    ++k;
  if (k == SHOWN_OPTIONS_MAX) return n;
  if (k == n) shown[n++] = (ShownOption){.line = line};
  char *topics = shown[k].topics;
  if (line->of)
    snprintf(topics + strlen(topics), sizeof shown->topics - strlen(topics), "%s%s", *topics ? " " : "", line->of);
  return n;
}

int options_shown(Command command, const char *topic, ShownOption shown[SHOWN_OPTIONS_MAX]) {
  int n = 0;
  for (int i = 0; i < option_line_count(); ++i) {
    const char *name = option_lines[i].name;
    bool before = false;
    for (int k = 0; k < n && !before; ++k) before = strcmp(shown[k].line->name, name) == 0;
    for (int k = i; !before && k < option_line_count(); ++k)
      if (strcmp(option_lines[k].name, name) == 0 && option_line_is_of(&option_lines[k], command, topic))
        n = show_line(&option_lines[k], shown, n);
  }
  return n;
}

char option_letter(const char *name) {
  for (size_t i = 0; i < sizeof letters / sizeof *letters; ++i)
    if (strcmp(letters[i].name, name) == 0) return letters[i].letter;
  return 0;
}

const char *option_of_letter(char letter) {
  for (size_t i = 0; i < sizeof letters / sizeof *letters; ++i)
    if (letters[i].letter == letter) return letters[i].name;
  return NULL;
}

int option_words(const OptionLine *line, const char *words[OPTION_WORDS_MAX]) {
  static const char *const backends[] = {"auto", "cpu", "cuda"};
  const char *const *precisions = linear_precision_words();
  int n = 0;
  if (line->kind != TAKES_NAME) return 0;
  if (line->offset == IN(backend)) {
    for (; n < 3; ++n) words[n] = backends[n];
  } else if (line->offset == IN(precision)) {
    for (; precisions[n]; ++n) words[n] = precisions[n];
  } else if (line->offset == IN(format)) {
    for (; n < mat_format_count() && n < OPTION_WORDS_MAX - 1; ++n) words[n] = mat_format_name(n);
    words[n++] = "auto";
  } else {
    words[n++] = "auto";
    for (; n <= precond_count() && n < OPTION_WORDS_MAX; ++n) words[n] = precond_name(n - 1);
  }
  return n;
}
