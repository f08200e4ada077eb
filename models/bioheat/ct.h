// Bone in a CT: from Hounsfield units (HU; water 0, air -1000) to density, sound speed and attenuation, by
// published relations. Independent of grids and files.
//
// k-plan: density piecewise linear through (-990 HU, 1.2), (60, 1060), (1000, 1530), (1950, 2150 kg/m3), the
//   last piece continued; c = 1.33 density + 167 m/s; attenuation 13.3 dB/cm at 1 MHz, in proportion to the
//   frequency. The defaults of k-Plan's calibration, as PRESTUS cites k-Plan's documentation
//   (doc/doc_pseudoCT.md, functions/medium/medium_pct_attenuation.m, commit 3f2c91b4,
//   https://github.com/Donders-Institute/PRESTUS).
// mcdannold2020: density = 1.01237293 HU + 1013.66593 kg/m3, the line through air (-1000 HU, 1.293) and
//   tissue (27 HU, 1041); 1/c and the attenuation at 660 kHz are polynomials of fourth degree of the density,
//   the latter in proportion to the frequency. McDannold et al. (2020) as in BabelBrain
//   (TranscranialModeling/BabelIntegrationBASE.py, commit b0a729a9,
//   https://github.com/ProteusMRIgHIFU/BabelBrain).
#ifndef FATHOM_MODELS_BIOHEAT_CT_H
#define FATHOM_MODELS_BIOHEAT_CT_H

#include <stdbool.h>

enum bioheat_ct_relation { BIOHEAT_CT_K_PLAN, BIOHEAT_CT_MCDANNOLD, BIOHEAT_CT_RELATIONS };
extern const char *const bioheat_ct_relations[BIOHEAT_CT_RELATIONS]; // the words of domain.ct.relation

// Hounsfield units that a CT can hold: a file with others was scaled wrongly, or has padding.
#define BIOHEAT_CT_LOWEST_HU  (-1100.0)
#define BIOHEAT_CT_HIGHEST_HU 4100.0

// The density up to which mcdannold2020 is used. Neither the program with the coefficients nor a publication
// that could be looked up states the range of the fit. The mineral of bone itself has 3160 kg/m3; up to 3000
// (1962 HU) the polynomials stay smooth (3841 m/s, 196 Np/m); beyond they leave any bone (6487 m/s at 4400,
// no finite sound speed near 4920, negative from there). Denser cells are metal or artefacts, and have the
// values of the end.
#define BIOHEAT_CT_DENSEST_KG_M3 3000.0

// kg/m³; at least 1; with mcdannold2020 at most BIOHEAT_CT_DENSEST_KG_M3.
double bioheat_ct_density(enum bioheat_ct_relation relation, double hu);
// Whether the relation does not reach a value.
bool bioheat_ct_is_beyond(enum bioheat_ct_relation relation, double hu);
// m/s and Np/m of bone of a density (k-plan: 1000 to 3500 kg/m³; mcdannold2020: beyond its range those of the
// end).
double bioheat_ct_sound_speed(enum bioheat_ct_relation relation, double density_kg_m3);
double bioheat_ct_attenuation(enum bioheat_ct_relation relation, double density_kg_m3, double frequency_hz);

#endif
