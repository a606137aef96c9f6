/* Envelopes of load cases and combinations: each node has the values of the step that governs it, that with the largest
 * von Mises stress there (or what else the envelope goes by); each element those of the step with the largest of its
 * own. A probe has what the step gives that governs its point, a sum its value of largest magnitude. */
#pragma once
#include "app/elasticity/elastic.h"

typedef struct Envelope {
  ElasticFields fields; /* arrays owned; those that the steps have */
  double *governing;    /* owned, [n_node] number of the step */
  double *column;       /* owned, [columns] */
  /* owned: what the governing step has, by node, element and probe */
  double *node_value, *element_value, *probe_value;
  int32_t n_step; /* taken so far */
} Envelope;

typedef struct Envelopes {
  const Case *c; /* borrowed, as mesh and setup */
  const Mesh *mesh;
  const Setup *setup;
  int32_t n, n_column;
  Envelope *item; /* owned, [n], one per envelope of the case */
} Envelopes;

/* Bits of assembly's FIELD_... that the envelopes of the case go by, where `which` is asked for. */
FieldBits envelopes_need(const Case *c, FieldBits which);
/* Whatever comes, envelopes_release follows. */
Status envelopes_create(const Case *c, const Mesh *mesh, const Setup *setup, Envelopes *out);
void envelopes_release(Envelopes *envelopes);
/* Step k, 1 and on, with its columns: to the envelopes that name it. ERR_MEMORY. */
Status envelopes_add(Envelopes *envelopes, int32_t k, const ElasticFields *fields, const double *column);
/* The node with the largest value of an envelope, and that value as it is. */
int32_t envelope_worst(const Envelopes *envelopes, int32_t i, double *value);
