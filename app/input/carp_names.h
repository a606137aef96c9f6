/* Names of openCARP: what stands here in their place. A name may be whole, such as imp_region[0].im_param. */
#pragma once

/* Of a parameter of its parameter file, or of an ionic model: a sentence; NULL: not known. */
const char *carp_key(const char *name);
const char *carp_model(const char *name);
/* Of a built-in model, and of a parameter of one: the name; NULL: there is none, or it is called the same but for dashes. */
const char *carp_model_here(const char *name);
const char *carp_parameter(const char *name);
