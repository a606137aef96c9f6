/* What a heat run leaves behind, as a table for result_stream.h. In the loop a stored time is a copy of the temperature
 * on the Exec, and where they are asked for fluxes and reactions. */
#include "app/heat/heat_output.h"
#include "app/heat/heat_columns.h"
#include "core/memory.h"

static const char *const history_name[] = {"time",     "dt",       "rejected",     "iterations",
                                           "products", "restarts", "true_residual"};
enum { HISTORY = (int)(sizeof history_name / sizeof *history_name) };

static Status temperature_take(void *context, int32_t f, double *room) {
  (void)f;
  const HeatOutput *o = context;
  return exec_copy(o->run->device.exec, room, o->u, (size_t)o->run->mesh->n_node * sizeof *room);
}

static const double *temperature_unpack(void *context, const StreamMoment *m, int32_t f, double *room) {
  return diffusion_in_mesh_order(((HeatOutput *)context)->diffusion, m->taken[f], room);
}

static const double *flux_unpack(void *context, const StreamMoment *m, int32_t f, double *room) {
  (void)f, (void)room;
  return ((HeatOutput *)context)->fields[m->slot].flux[0];
}

static void fields_list(const Case *c, int64_t n_node, StreamField field[N_HEAT_FIELDS]) {
  const bool flux = words_have(&c->output.fields, HEAT_FLUX);
  field[HEAT_TEMPERATURE] = (StreamField){.name = "temperature",
                                          .wanted = words_have(&c->output.fields, HEAT_TEMPERATURE),
                                          .n_component = 1,
                                          .n_taken = n_node,
                                          .n_room = n_node,
                                          .take = temperature_take,
                                          .unpack = temperature_unpack};
  field[HEAT_FLUX] = (StreamField){
      .name = "flux", .wanted = flux, .on_cells = true, .n_component = 3, .unpack = flux ? flux_unpack : NULL};
}

static Status fields_recover(void *context, int32_t slot, double time) {
  HeatOutput *o = context;
  diffusion_fields_release(&o->fields[slot]);
  return o->needed ? diffusion_recover(o->diffusion, time, o->u, o->rate, o->needed, &o->fields[slot]) : OK;
}

static Status columns_fill(void *context, const StreamMoment *m, double *value) {
  const HeatOutput *o = context;
  const DiffusionFields *fields = &o->fields[m->slot];
  const HeatState state = {.time = m->time,
                           .temperature = m->value[HEAT_TEMPERATURE],
                           .flux = (const double(*)[3])fields->flux,
                           .reaction = fields->reaction};
  return heat_columns_fill(o->run->c, o->run->mesh, o->setup, &state, value);
}

Status heat_output_create(Run *run, const Setup *setup, Diffusion *diffusion, HeatOutput *o) {
  const Case *c = run->c;
  const bool timed = place_given(c->time.place);
  const double steps = timed ? c->time.end.value / c->time.step.value : 1;
  StreamField field[N_HEAT_FIELDS];
  *o = (HeatOutput){.run = run, .setup = setup, .diffusion = diffusion, .needed = heat_fields_needed(c)};
  fields_list(c, run->mesh->n_node, field);
  const StreamParams params = {.recorded = true,
                               .n_field = N_HEAT_FIELDS,
                               .field = field,
                               .n_step = timed ? result_steps_most(c) + c->expect.n : 1,
                               .n_history = timed ? HISTORY : 0,
                               .history = history_name,
                               .n_history_row = steps < 1e6 ? (int64_t)steps + 4096 : 1000000,
                               .context = o,
                               .recover = fields_recover,
                               .columns = columns_fill};
  o->n_slot = result_stream_slots(run, &params);
  ALLOC(o->fields, o->n_slot, "slots of the output");
  return result_stream_create(run, setup, &params, &o->stream);
}

Status heat_output_close(HeatOutput *o) {
  const Status status = result_stream_close(&o->stream);
  for (int32_t k = 0; o->fields && k < o->n_slot; ++k) diffusion_fields_release(&o->fields[k]);
  FREE(o->fields);
  return status;
}

Status heat_output_store(HeatOutput *o, double time, const double *u, const double *rate) {
  o->u = u, o->rate = rate;
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
