/* Where a run shall work, as the command line says. */
#pragma once
typedef enum Backend { BACKEND_AUTO, BACKEND_CPU, BACKEND_CUDA } Backend;
