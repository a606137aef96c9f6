/* Sums of forces and moments of contact: of each stored time, since they are made of what contact knows, not of forces at nodes alone. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic_run.h"
#include "assembly/elasticity/contacts.h"
#include "core/memory.h"

#include <string.h>

static bool is_of_contact(const CaseSum *sum) {
  return sum->field.value == SUM_CONTACT_FORCE || sum->field.value == SUM_CONTACT_MOMENT;
}

int32_t contact_sums(const Case *c) {
  int32_t n = 0;
  for (int32_t i = 0; i < c->output.sums.n; ++i) n += is_of_contact(case_sum(c, i));
  return n;
}

/* At finite strain about the point of space, of nodes where they have gone to: u, to the host. */
static Status places_read(ElasticRun *r, double (**u)[3]) {
  Exec *exec = r->run->device.exec;
  const int64_t n = 3 * (int64_t)r->run->mesh->n_node;
  double *room = NULL;
  TRY(mem_alloc(n / 3, sizeof **u, "moments of contact", (void **)(void *)u));
  EXEC_ALLOC(exec, room, n, "moments of contact");
  Status status = elastic_fields_take(r->elasticity, &r->fields, ELASTIC_DISPLACEMENT, room);
  if (status == OK) status = exec_download(exec, *u, room, (size_t)n * sizeof *room);
  EXEC_RELEASE(exec, room, n);
  return status;
}

Status contact_sums_take(ElasticRun *r, double *value) {
  const Case *c = r->run->c;
  double(*u)[3] = NULL;
  Status status = OK;
  for (int32_t i = 0; i < c->output.sums.n && !r->run->rehearsed; ++i) {
    const CaseSum *sum = case_sum(c, i);
    const double about[3] = {sum->about.value[0], sum->about.value[1], sum->about.n > 2 ? sum->about.value[2] : 0};
    const bool is_moment = sum->field.value == SUM_CONTACT_MOMENT;
    if (!is_of_contact(sum)) continue;
    if (is_moment && !u && elastic_has(c, HAS_LARGE_STRAIN)) TRY_DONE(places_read(r, &u));
    const MomentArm arm = {about, u};
    TRY_DONE(elasticity_contact_sum(r->elasticity, &(ContactSum){r->setup.sum[i], is_moment ? &arm : NULL, value}));
    if (is_moment && case_dim(c) == 2) value[0] = value[2]; /* a flat model has the component z alone */
    value += 3;
  }
done:
  mem_free((void **)(void *)&u);
  return status;
}

void contact_sums_columns(const Case *c, const double *sample, double *value) {
  for (int32_t i = 0; i < c->output.sums.n; value += sum_columns(c, case_sum(c, i)), ++i) {
    if (!is_of_contact(case_sum(c, i))) continue;
    memcpy(value, sample, (size_t)sum_columns(c, case_sum(c, i)) * sizeof *value);
    sample += 3;
  }
}
