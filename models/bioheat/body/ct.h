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
// schneider1996: with H = HU + 1000 (Schneider's scale: air 0, water 1000) the density is linear in four
//   pieces that meet at H = 930, 1098 and 1260: least squares through the 22 soft tissues and, from 1260 on,
//   through the 11 bones of Schneider, Pedroni & Lomax (Phys. Med. Biol. 41, 111-124, 1996), a line between
//   the two, and one from lung (H 259, 260 kg/m3) below; c = (density + 349)/0.893 m/s (Mast, Acoust. Res.
//   Lett. Online 1(2), 37-42, 2000), which was found for soft tissue. Both as in k-Wave
//   (hounsfield2density.m, commit 41c8d07b, https://github.com/ucl-bug/k-wave), whose function takes H.
//   Neither has an attenuation. The bones end at H = 2376 (1920 kg/m3); the line goes on, as in k-Wave.
#ifndef FATHOM_MODELS_BIOHEAT_BODY_CT_H
#define FATHOM_MODELS_BIOHEAT_BODY_CT_H

#include "core/status.h"

#include <stdbool.h>

enum bioheat_ct_relation {
    BIOHEAT_CT_K_PLAN,
    BIOHEAT_CT_MCDANNOLD,
    BIOHEAT_CT_SCHNEIDER,
    BIOHEAT_CT_RELATIONS
};
extern const char *const bioheat_ct_relations[BIOHEAT_CT_RELATIONS]; // the words of domain.ct.relation

// Hounsfield units that a CT can hold: a file with others was scaled wrongly, or has padding.
#define BIOHEAT_CT_LOWEST_HU  (-1100.0)
#define BIOHEAT_CT_HIGHEST_HU 4100.0

// Beyond this, bone of a skull is hardly found: k-Plan's calibration ends at 1950 HU (2150 kg/m3), the bones
// of Schneider et al. at 1376 HU (1920 kg/m3). Enamel, petrous bone and metal are beyond, a small part of a
// head.
#define BIOHEAT_CT_DENSE_HU 2000.0

// The density up to which mcdannold2020 is used. Neither the program with the coefficients nor a publication
// that could be looked up states the range of the fit. The mineral of bone itself has 3160 kg/m3; up to 3000
// (1962 HU) the polynomials stay smooth (3841 m/s, 196 Np/m); beyond they leave any bone (6487 m/s at 4400,
// no finite sound speed near 4920, negative from there). Denser cells are metal or artefacts, and have the
// values of the end.
#define BIOHEAT_CT_DENSEST_KG_M3 3000.0

// Whether a value is one of a CT; and whether the smallest and the largest of a whole file are. STATUS_DATA:
// they are not, with the file and the place.
enum status bioheat_ct_check_value(const char *path, const char *place, double hu);
enum status bioheat_ct_check_range(const char *path, double low_hu, double high_hu);

// kg/m³; at least 1; with mcdannold2020 at most BIOHEAT_CT_DENSEST_KG_M3.
double bioheat_ct_density(enum bioheat_ct_relation relation, double hu);
// Whether the relation does not reach a value.
bool bioheat_ct_is_beyond(enum bioheat_ct_relation relation, double hu);
// m/s and Np/m of bone of a density (k-plan: 1000 to 3500 kg/m³; mcdannold2020: beyond its range those of the
// end); NaN: the relation has none.
double bioheat_ct_sound_speed(enum bioheat_ct_relation relation, double density_kg_m3);
double bioheat_ct_attenuation(enum bioheat_ct_relation relation, double density_kg_m3, double frequency_hz);

#endif
