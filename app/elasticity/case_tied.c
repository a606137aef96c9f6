/* `contact` with `tied: true`: the entry moves to `boundary`, as a tie. */
#include "app/elasticity/case_elasticity.h"
#include "app/input/case_tables.h"
#include "core/memory.h"

#include <string.h>

static CaseContact *contact_of(const MapsValue *list, int32_t i) { return maps_item(list, sizeof(CaseContact), i); }

/* What a surface that stays joined has no use for. */
static void check_tied(const CaseContact *contact, Diagnostics *out) {
  const struct {
    const char *name;
    Place place;
  } key[] = {{"interference", contact->interference.place},
             {"friction", contact->friction.place},
             {"active", contact->active.place},
             {"sliding", contact->sliding.place}};
  for (size_t k = 0; k < sizeof key / sizeof *key; ++k)
    if (place_given(key[k].place))
      report_error(out, key[k].place,
                   "%s is of surfaces that may part or slide, and these are tied\n  allowed: 'reach', 'closes'\n  "
                   "remedy: leave %s or "
                   "'tied' out",
                   key[k].name, key[k].name);
  if (!contact->against.group.n && place_given(contact->against.place))
    report_error(out, contact->tied.place,
                 "tied is between two bodies\n  allowed: with 'against: GROUP'\n  remedy: a surface that stays on an "
                 "obstacle is held by 'fix' or 'symmetry' in 'boundary'");
}

/* Names go with it: they are released once. */
static Status to_boundary(Case *c, const CaseContact *contact) {
  MapsValue *list = &c->boundary;
  TRY(mem_resize(list->n + 1, sizeof(CaseBoundary), "ties", &list->item));
  list->size = sizeof(CaseBoundary);
  if (!place_given(list->place)) list->place = contact->place;
  CaseBoundary *b = (CaseBoundary *)list->item + list->n++;
  *b = (CaseBoundary){.place = contact->place,
                      .on = contact->on,
                      .tie = contact->against.group,
                      .reach = contact->reach,
                      .closes = contact->closes};
  if (!place_given(b->tie.place)) b->tie.place = contact->place;
  return OK;
}

void case_take_tied(Case *c, Diagnostics *out) {
  int32_t n = 0;
  for (int32_t k = 0; k < c->steps.n; ++k)
    for (int32_t i = 0; i < case_step(c, k)->contact.n; ++i) {
      const CaseContact *contact = contact_of(&case_step(c, k)->contact, i);
      if (contact->tied.value)
        report_error(
            out, contact->tied.place,
            "tied is part of the stiffness, which all steps share\n  remedy: the entry in the 'contact' of the case");
    }
  for (int32_t i = 0; i < c->contact.n; ++i) {
    CaseContact *contact = contact_of(&c->contact, i);
    const int32_t before = out->n;
    if (contact->tied.value) check_tied(contact, out);
    if (contact->tied.value && out->n == before && to_boundary(c, contact) == OK) continue;
    if (n < i) memcpy(contact_of(&c->contact, n), contact, sizeof *contact);
    ++n;
  }
  c->contact.n = n;
}
