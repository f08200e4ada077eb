#include "models/nbody/first.h"
