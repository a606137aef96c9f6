/* libFuzzer target: the readers of cell models, up to the program that runs. What begins with < is CellML, with [[ Myokit's
 * format, the rest EasyML. Seeds: tests/physics/cells. */
#include "physics/import/cell_trial.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static Status read_model(const char *text) {
  const char *path = *text == '<' ? "fuzz.cellml" : *text == '[' ? "fuzz.mmt" : "fuzz.model";
  const CellGraphParams params[] = {{.parameters = false}, {.parameters = true}};
  CellModel *model = NULL;
  TRY(cell_model_parse(path, text, &model));
  (void)cell_model_check_units(model);
  for (int k = 0; k < 2; ++k) {
    CellGraph *graph = NULL;
    IonicProgram program = {0};
    if (cell_graph_create(model, &params[k], &graph) == OK && k == 0)
      if (cell_program_create(graph, CELL_STEP, NULL, &program) != OK) fuzz_holds(status_message()[0]);
    cell_program_release(&program);
    cell_graph_destroy(&graph);
  }
  cell_model_destroy(&model);
  return OK;
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
  char *text = malloc(size + 1);
  fuzz_holds(text);
  memcpy(text, bytes, size);
  text[size] = 0;
  if (read_model(text) != OK) fuzz_holds(status_message()[0]);
  free(text);
  fuzz_end();
  return 0;
}
