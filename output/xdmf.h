/* results.xdmf: names the arrays of results.hdf for ParaView before 5.12 and for others that read XDMF 2. */
#pragma once
#include "output/layout.h"
#include "output/text.h"

typedef struct Xdmf {
  Text text; /* the head and the steps so far, without the closing tags */
} Xdmf;

/* `layout` is borrowed by each call. Failures stay in the text and are handed up by xdmf_save. */
void xdmf_begin(Xdmf *xdmf);
/* Step k (from 0) at this time. */
void xdmf_step(Xdmf *xdmf, const Layout *layout, int64_t k, double time);
/* Writes head, steps and closing tags by rename; the text can grow on afterwards. */
Status xdmf_save(Xdmf *xdmf, const char *path);
void xdmf_release(Xdmf *xdmf);

/* Words as XML has them. */
void xml_add(Text *text, const char *words);
