/* Results of a heat run, as a table for result_stream.h. In the loop a stored time is a copy of the temperature on the
 * Exec, and where they are asked for fluxes and reactions. */
#include "app/heat/heat_output.h"
#include "app/heat/heat_columns.h"
#include "app/run/ranks.h"
#include "app/run/tables.h"
#include "core/memory.h"

static const char *const history_name[] = {"time",     "dt",       "rejected",     "iterations",
                                           "products", "restarts", "true_residual"};
enum { HISTORY = (int)(sizeof history_name / sizeof *history_name) };

static Status field_take(void *context, int32_t f, double *room) {
  const HeatOutput *o = context;
  switch ((HeatField)f) {
  case HEAT_TEMPERATURE: return diffusion_arrange(o->diffusion, o->u, room);
  case HEAT_FLUX: return diffusion_flux(o->diffusion, o->u, room);
  case HEAT_REACTION: return diffusion_reaction(o->diffusion, o->time, o->u, o->rate, room);
  case N_HEAT_FIELDS: break;
  }
  return FAIL(ERR_BUG, "field %d of heat has no formula", (int)f);
}

static void fields_list(const HeatOutput *o, StreamField field[N_HEAT_FIELDS]) {
  const int64_t n_node = run_mesh(o->run)->n_node, n_solved = diffusion_solved(o->diffusion);
  for (int32_t f = 0; f < N_HEAT_FIELDS; ++f) {
    field[f] = stream_field(&heat_field[f], words_have(&o->run->c->output.fields, f));
    field[f].n_taken = o->needed >> f & 1 ? heat_field[f].width * (field[f].on_cells ? n_solved : n_node) : 0;
    field[f].take = field_take, field[f].unpack = result_field_taken;
  }
}

static Status columns_fill(void *context, const StreamMoment *m, double *value) {
  HeatOutput *o = context;
  const double shown = place_given(o->run->c->time.place) ? m->time : 1;
  if (m->stored) TRY(heat_tables_add(o->run, o->setup, shown, m->value[HEAT_TEMPERATURE], &o->tables));
  const HeatState state = {.time = m->time, .value = m->value};
  return heat_columns_fill(o->run->c, o->run->mesh, o->setup, &state, value);
}

Status heat_output_create(Run *run, const Setup *setup, Diffusion *diffusion, HeatOutput *o) {
  const Case *c = run->c;
  const bool timed = place_given(c->time.place);
  StreamField field[N_HEAT_FIELDS];
  *o = (HeatOutput){.run = run, .setup = setup, .diffusion = diffusion, .needed = heat_fields_needed(c)};
  fields_list(o, field);
  const StreamParams params = {.recorded = true,
                               .n_field = N_HEAT_FIELDS,
                               .field = field,
                               .n_step = timed ? result_steps_most(c) + c->expect.n : 1,
                               .n_history = timed ? HISTORY : 0,
                               .history = history_name,
                               .n_history_row = timed ? result_history_most(c) : 1,
                               .context = o,
                               .columns = columns_fill,
                               .tables = &o->tables};
  return result_stream_create(run, setup, &params, &o->stream);
}

Status heat_output_close(HeatOutput *o) {
  Status status = result_stream_close(&o->stream);
  if (status == OK && o->tables.n) status = tables_save(o->run, &o->tables);
  text_release(&o->tables);
  return status;
}

Status heat_output_store(HeatOutput *o, double time, const double *u, const double *rate) {
  o->time = time, o->u = u, o->rate = rate;
  return result_stream_store(o->stream, time);
}

Status heat_output_step(HeatOutput *o, double time, double dt, int32_t rejected, const LinearReport *linear) {
  const double row[HISTORY] = {time,
                               dt,
                               rejected,
                               (double)linear->iterations,
                               (double)linear->products,
                               linear->restarts,
                               linear->true_residual};
  return result_stream_history(o->stream, row);
}
