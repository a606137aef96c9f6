/* Leads of fronts: at each node the action potential of a cell begins when the front arrives, and electrodes see its gradient. */
#pragma once
#include "app/run/run.h"
#include "app/setup/setup.h"

/* Weights of the leads, action potentials of the tissues, and the leads of one map. */
typedef struct EikonalLeads EikonalLeads;
/* The setup after its rules. Where *leads is there, of another point of the same sweep, only what differs is made again. ERR_INPUT: an
 * electrode in the tissue; ERR_NUMERIC: a cell whose stimulus starts no action potential. */
Status eikonal_leads_bind(const Run *run, const Setup *setup, EikonalLeads **leads);
void eikonal_leads_destroy(EikonalLeads **leads);
/* Leads of all samples, from 0 to time.end by time.step, of a front that comes at time[n_node], ms, -1: never. phi(t) = sum_i w_i V_i(t),
 * with V_i the mean of V(t - T) over the times T at which the front passes the elements at node i: on elements that a front takes
 * several ms to cross the nodes would go off one after the other. */
Status eikonal_leads_fill(EikonalLeads *leads, const double *time);
int64_t eikonal_leads_samples(const EikonalLeads *leads);
/* lead[case_leads] at a sample. */
const double *eikonal_leads_at(const EikonalLeads *leads, int64_t sample);
