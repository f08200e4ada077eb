// How the arithmetic at one point (models/*/*point.inc) is written once for C and CUDA and for every
// precision.
//
// C includes such a file once per precision, with REAL (a number, or vector lanes of numbers) and POINT(name)
// (which adds the precision's suffix) defined before. CUDA includes it once: there its structures and
// functions are templates of `Real`, without a suffix.
//   POINT_TEMPLATE     before `struct POINT(name) {` in the definition of a structure
//   POINT_TYPE(name)   is such a structure as a type
//   POINT_FUNCTION     begins a function, before its result's type
#ifndef FATHOM_MODELS_PRECISION_H
#define FATHOM_MODELS_PRECISION_H

#include "core/host_device.h"

#ifdef __CUDACC__
#define REAL             Real
#define POINT(name)      name
#define POINT_TEMPLATE   template <typename Real>
#define POINT_TYPE(name) name<Real>
#else
#define POINT_TEMPLATE
#define POINT_TYPE(name) struct POINT(name)
#endif
#define POINT_FUNCTION POINT_TEMPLATE static FATHOM_HOST_DEVICE

#endif
