/* From a parameter file to the text of a case. */
#include "app/carp/par.h"
#include "core/memory.h"

#include <string.h>
#include <strings.h>

bool par_is(const char *path) {
  const size_t n = strlen(path);
  return n > 4 && strcasecmp(path + n - 4, ".par") == 0;
}

bool par_bidomain(Par *par) { return par_integer(par, 0, "bidomain") == 1; }

/* meshname, with its nodes in text or binary. */
static Status par_mesh(Par *par) {
  static const double MM = 1e-3; /* of a micrometre */
  static const char *const ending[] = {".pts", ".bpts"};
  const ParLine *name = par_find(par, "meshname");
  char *path = NULL;
  if (!name) {
    par_refuse(par, NULL,
               "has no meshname\n  remedy: the parameters.par that openCARP writes beside its results has all of them");
    return OK;
  }
  for (int k = 0; k < 2 && !path; ++k) TRY(par_path(par, name->value, ending[k], &path));
  if (!path) {
    par_refuse(par, name, "there is no '%s.pts', neither beside this file nor in the current folder", name->value);
    return OK;
  }
  const MeshParams params = {.path = path, .scale = MM};
  Status status = mesh_load(&params, &par->mesh);
  text_add(par->text, "mesh: {file: ");
  if (status == OK) status = par_relative(par, path, par->text);
  text_add(par->text, ", scale: 1e-3}     # micrometres\n");
  mem_free((void **)&path);
  return status;
}

static void par_model(Par *par) {
  const int model = par_integer(par, 0, "bidomain");
  text_add(par->text, "physics: monodomain\n");
  if (model == 1) text_add(par->text, "model: bidomain\n");
  if (model < 0 || model > 2)
    par_refuse(par, par_find(par, "bidomain"), "is %d, must be 0, 1 (bidomain) or 2 (pseudo-bidomain)", model);
  if (par_integer(par, 1, "bidm_eqv_mono") == 0 && (model == 2 || (model == 0 && par_any(par, "phie_rec_ptf"))))
    par_refuse(
        par, par_find(par, "bidm_eqv_mono"),
        "is 0: where a potential outside of the cells is asked for the monodomain has the conductivity that follows "
        "from those inside and outside");
}

static Status par_parts(Par *par) {
  text_add(par->text, "# Made of %s by 'sinew convert'.\nversion: 1\n", par->path);
  TRY(par_mesh(par));
  if (!par->mesh) return OK;
  par_model(par);
  TRY(par_tissue(par));
  TRY(par_stimuli(par));
  TRY(par_times(par));
  par_check(par);
  return par->text->status;
}

Status par_case(const char *path, const char *out, Text *text) {
  Par par = {.path = path, .out = out, .text = text};
  Status status = par_read(&par);
  if (status == OK) status = par_parts(&par);
  if (status == OK) status = diagnostics_status(&par.refused);
  if (status == OK) status = par.left.status;
  if (status == OK && par.n_left) status_warn("%s: left out or assumed, %d in all:%s", path, par.n_left, par.left.data);
  par_release(&par);
  return status;
}
