/* From the bytes of a case file to a checked Case. */
#include "app/input/case_tables.h"
#include "app/input/cell_settings.h"
#include "app/input/input_file.h"
#include "app/input/library.h"
#include "app/input/set.h"
#include "core/fnv.h"
#include "core/memory.h"
#include "mesh/mesh.h"

#include <string.h>

enum { FILE_MAX = 1 << 20 };

static Status refuse_binary(const char *path, const char *bytes, size_t n) {
  CHECK(n < 2 || memcmp(bytes, "\x1f\x8b", 2) != 0, ERR_INPUT, "%s: is gzip-compressed; unpack it first (gunzip)",
        path);
  CHECK(n < 8 || memcmp(bytes, "\x89HDF\r\n\x1a\n", 8) != 0, ERR_INPUT,
        "%s: is an HDF5 file; a case file (YAML) is expected; see 'sinew info'", path);
  CHECK(n < 11 || memcmp(bytes, "$MeshFormat", 11) != 0, ERR_INPUT,
        "%s: is a mesh; a case file (YAML) is expected, which names the mesh with 'mesh: {file: ...}'", path);
  return OK;
}

static Place place_of_made(const CaseMade *made, Place place) {
  if (place.line < 1 || place.line > made->n_place) return place;
  const Place of = made->place[place.line - 1];
  return (Place){.line = of.line, .column = place.column, .file = of.file};
}

static void places_of_made(Case *c) {
  for (int32_t i = 0; i < c->tree.n; ++i) {
    TreeNode *node = &c->tree.node[i];
    node->place = place_of_made(c->made, node->place);
    node->key_place = place_of_made(c->made, node->key_place);
  }
}

static Status read_tree(Case *c, const char *bytes, size_t n, int n_set, const char *const *set,
                        Diagnostics *diagnostics) {
  int32_t root = -1;
  uint32_t kind;
  TRY(tree_parse(&c->tree, bytes, n, NULL, diagnostics, &root));
  if (diagnostics->n || diagnostics->broken != OK) return OK;
  if (root < 0 || (c->tree.node[root].kind == TREE_PLAIN && !*c->tree.node[root].text)) {
    report_error(diagnostics, (Place){.line = 1, .column = 1}, "the case file is empty; it starts with 'version: 1'");
    return OK;
  }
  if (c->tree.node[root].kind != TREE_MAP) {
    char seen[64];
    report_error(diagnostics, c->tree.node[root].place, "a case is a map of keys such as 'version: 1'; this is %s",
                 tree_seen(&c->tree, root, seen));
    return OK;
  }
  if (c->made) places_of_made(c);
  for (int i = 0; i < n_set; ++i) {
    const Schema *schema = physics_of(&c->tree, root, &kind)->schema;
    TRY(set_apply(&c->tree, root, schema, kind, set[i], diagnostics));
  }
  diagnostics->usage = diagnostics->n > 0;
  if (diagnostics->n) return OK;
  c->physics = physics_of(&c->tree, root, &kind);
  c->tables.frequency = kind == KIND_ANY || c->physics->over_frequency;
  TRY(case_functions_name(c, root));
  TRY(library_fill(&c->tree, root, c->physics->schema, kind, diagnostics));
  schema_read(c->physics->schema, kind, &c->tree, root, &c->tables, c, diagnostics);
  TRY(case_functions_fill(c, diagnostics));
  TRY(case_tables_note(c, diagnostics));
  if (kind == KIND_ANY && diagnostics->n) return OK; /* what goes with what depends on the kind */
  return case_check(c, diagnostics);
}

static Status fill_paths(Case *c, const char *path) {
  const char *slash = strrchr(path, '/');
  TRY(mem_text(path, "a path", &c->path));
  TRY(mem_text_part(slash ? path : ".", slash ? (size_t)(slash - path) + (slash == path) : 1, "a path", &c->folder));
  return OK;
}

const Word model_units_words[] = {{"check", 0}, {"ignore", 0}, {NULL, 0}};

void case_note(Case *c, const void *bytes, size_t n) {
  c->files_hash = fnv_words(c->files_hash ? c->files_hash : FNV_BASIS, bytes, n);
}

Status case_path(const Case *c, const char *name, char **out) {
  Text path = {0};
  if (name[0] == '/' || strcmp(c->folder, ".") == 0) text_add(&path, "%s", name);
  else text_add(&path, "%s/%s", c->folder, name);
  Status status = path.status;
  if (status == OK) status = mem_text_part(path.data, (size_t)path.n, "a path", out);
  text_release(&path);
  return status;
}

Status case_cell_settings(const FactorsValue *parameters, CellSetting **out) {
  TRY(mem_alloc(parameters->n, sizeof **out, "parameters of a model from a file", (void **)out));
  for (int32_t k = 0; k < parameters->n; ++k) {
    const Factor *f = &parameters->item[k];
    (*out)[k] = (CellSetting){.name = f->name.text, .value = f->value, .times = f->times};
  }
  return OK;
}

static Status fill_mesh_path(Case *c) {
  const CaseMesh *mesh = &c->mesh;
  if (!mesh->file.text && !mesh->image.text) return mem_text("grid", "a path", &c->mesh_path);
  return case_path(c, mesh->file.text ? mesh->file.text : mesh->image.text, &c->mesh_path);
}

static Status fill_text(Case *c, const char *bytes, size_t n, int n_set, const char *const *set) {
  Text text = {0};
  text_add_bytes(&text, bytes, (int64_t)n);
  for (int i = 0; i < n_set; ++i) text_add(&text, "%s# --set %s\n", i == 0 ? "\n" : "", set[i]);
  Status status = text.status;
  if (status == OK) status = mem_text_part(text.data ? text.data : "", (size_t)text.n, "the case file", &c->text);
  text_release(&text);
  return status;
}

static Status parse_case(Case *c, const char *bytes, size_t n, int n_set, const char *const *set) {
  Diagnostics diagnostics = {.path = c->path};
  Status status = read_tree(c, bytes, n, n_set, set, &diagnostics);
  if (status == OK) status = diagnostics_status(&diagnostics);
  diagnostics_release(&diagnostics);
  TRY(status);
  TRY(fill_mesh_path(c));
  return fill_text(c, bytes, n, n_set, set);
}

Status case_parse(const char *path, const char *bytes, size_t n, int n_set, const char *const *set, Case **out) {
  *out = NULL;
  if (n >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) bytes += 3, n -= 3; /* byte order mark */
  TRY(refuse_binary(path, bytes, n));
  return case_parse_made(path, bytes, n, n_set, set, NULL, out);
}

Status case_parse_made(const char *path, const char *bytes, size_t n, int n_set, const char *const *set, CaseMade *made,
                       Case **out) {
  Case *c = NULL;
  *out = NULL;
  Status status = mem_alloc(1, sizeof *c, "the case", (void **)&c);
  if (status != OK) case_made_release(&made);
  TRY(status);
  c->made = made;
  status = fill_paths(c, path);
  if (status == OK) status = parse_case(c, bytes, n, n_set, set);
  if (status != OK) case_destroy(&c);
  *out = c;
  return status;
}

Status case_load(const char *path, int n_set, const char *const *set, Case **out) {
  *out = NULL;
  char *bytes = NULL;
  size_t n = 0;
  const bool piped = strcmp(path, "-") == 0;
  TRY(piped ? input_stdin("case file", FILE_MAX, &bytes, &n) : input_file(path, "case file", FILE_MAX, &bytes, &n));
  const Status status = case_parse(piped ? "<stdin>" : path, bytes, n, n_set, set, out);
  FREE(bytes);
  return status;
}

void case_made_release(CaseMade **made) {
  CaseMade *m = *made;
  if (!m) return;
  for (int32_t i = 0; i < m->n_file; ++i) FREE(m->file[i]);
  mem_free((void **)(void *)&m->file);
  FREE(m->place);
  mesh_destroy(&m->mesh);
  FREE(*made);
}

void case_destroy(Case **c) {
  if (!*c) return;
  case_made_release(&(*c)->made);
  if ((*c)->physics && (*c)->physics->release) (*c)->physics->release(*c);
  if ((*c)->physics) schema_release((*c)->physics->schema, *c);
  case_functions_release(*c);
  tree_release(&(*c)->tree);
  FREE((*c)->path);
  FREE((*c)->folder);
  FREE((*c)->mesh_path);
  FREE((*c)->text);
  FREE(*c);
}

void case_echo(const Case *c, Text *out) { schema_echo(c->physics->schema, c->physics->kind, c, false, out); }
void case_echo_brief(const Case *c, Text *out) { schema_echo(c->physics->schema, c->physics->kind, c, true, out); }

int32_t case_leads(const Case *c) {
  return c->output.ecg.n + (place_given(c->output.electrodes.place) ? STANDARD_LEADS : 0);
}

int32_t case_load_steps(const Case *c) {
  return c->load_cases.n ? c->load_cases.n + c->combinations.n + c->envelopes.n : 0;
}

const TextValue *case_load_step(const Case *c, int32_t k) {
  k -= 1;
  if (k < c->load_cases.n) return &case_load_case(c, k)->name;
  k -= c->load_cases.n;
  if (k < c->combinations.n) return &case_combination(c, k)->name;
  return &case_envelope(c, k - c->combinations.n)->name;
}

const CaseProbe *case_probe_named(const Case *c, const char *name) {
  for (int32_t i = 0; name && i < c->output.probes.n; ++i)
    if (case_probe(c, i)->name.text && strcmp(case_probe(c, i)->name.text, name) == 0) return case_probe(c, i);
  return NULL;
}

int32_t case_load_step_find(const Case *c, const char *name) {
  for (int32_t k = 1; k <= case_load_steps(c); ++k) {
    const char *text = case_load_step(c, k)->text;
    if (text && strcmp(text, name) == 0) return k;
  }
  return 0;
}

bool case_has_constraints(const Case *c) {
  bool any = c->equations.n + c->springs.n > 0 || c->contact.n > 0 || c->bolts.n > 0;
  for (int32_t k = 0; k < c->steps.n; ++k) any |= case_step(c, k)->contact.n + case_step(c, k)->bolts.n > 0;
  for (int32_t i = 0; c->boundary.size == sizeof(CaseBoundary) && i < c->boundary.n; ++i)
    any = any || place_given(case_boundary(c, i)->tie.place) || place_given(case_boundary(c, i)->rigid.place) ||
          place_given(case_boundary(c, i)->periodic.place);
  return any;
}

const TextValue *case_lead_title(const Case *c, int32_t i) {
  static const TextValue standard[STANDARD_LEADS] = {{.text = "I"},   {.text = "II"},  {.text = "III"}, {.text = "aVR"},
                                                     {.text = "aVL"}, {.text = "aVF"}, {.text = "V1"},  {.text = "V2"},
                                                     {.text = "V3"},  {.text = "V4"},  {.text = "V5"},  {.text = "V6"}};
  return i < c->output.ecg.n ? &case_lead(c, i)->name : &standard[i - c->output.ecg.n];
}
