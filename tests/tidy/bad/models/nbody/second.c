#include "models/nbody/second.h"
#include "models/nbody/first.h"
