#include "cli/session.h"

#include "clock.h"
