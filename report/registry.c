// The models that a report can show.
#include "report/bioheat/report.h"
#include "report/gas/report.h"
#include "report/hazard/report.h"
#include "report/ising/report.h"
#include "report/model.h"
#include "report/nbody/report.h"
#include "report/tsunami/report.h"

const struct report_model *const report_models[] = {
    &report_bioheat, &report_nbody, &report_gas, &report_ising, &report_hazard, &report_tsunami, NULL};
