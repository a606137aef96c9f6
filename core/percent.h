/* Shares as people read them. */
#pragma once

/* 0.0087 as "0.87 %", 1.834 as "183 %": two digits or all of the whole ones, never an exponent; 0 % below
 * a millionth. */
const char *percent_text(double share, char out[32]);
