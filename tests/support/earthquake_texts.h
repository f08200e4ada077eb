// The files that describe an earthquake: parts of published ones, in the form in which they are published.
#ifndef FATHOM_TESTS_SUPPORT_EARTHQUAKE_TEXTS_H
#define FATHOM_TESTS_SUPPORT_EARTHQUAKE_TEXTS_H

// The USGS' finite fault usp000714t (Antofagasta 1995; G. Hayes, 2017), the first patches of its two
// segments.
#define PARAM_HEAD_2                                                                                         \
    "#Fault_segment =   2 nx(Along-strike)=   2 Dx= 15.00km ny(downdip)=   1 Dy= 10.00km\n"                  \
    "#Boundary of Fault_segment     2. EQ in cell 12,2. Lon: -70.3100   Lat: -23.3600\n"                     \
    "#Lon.  Lat.  Depth\n"                                                                                   \
    "      -71.17440      -24.82460       12.14890\n      -70.94420      -22.83770       12.14890\n"         \
    "      -70.40000      -22.88960       30.07190\n      -70.63020      -24.87650       30.07190\n"         \
    "      -71.17440      -24.82460       12.14890\n"
#define PARAM_COLUMNS "#Lat. Lon. depth slip rake strike dip t_rup t_ris t_fal mo\n"
#define PARAM_ROW_3                                                                                          \
    "  -24.861900  -70.500200  35.250800   5.835080   79.491700  6.0  22.0  72.0   1.8   3.6   "             \
    "5.911001e+24\n"
#define PARAM_LAST                                                                                           \
    "  -24.665300  -71.137000  12.766900 147.606900   56.538220  6.0  18.0  76.0   0.0   0.0   "             \
    "1.495275e+26\n"
static const char param[] =
    "#Total number of fault_segments=     2\n"
    "#Fault_segment =   1 nx(Along-strike)=   2 Dx= 15.00km ny(downdip)=   2 Dy= 10.00km\n"
    "#Boundary of Fault_segment     1. EQ in cell 12,2. Lon: -70.3100   Lat: -23.3600\n"
    "#Lon.  Lat.  Depth\n"
    "      -70.61180      -24.87820       30.75550\n      -70.38430      -22.89130       30.75550\n"
    "      -69.76960      -22.95060       56.22880\n      -69.99710      -24.93750       56.22880\n"
    "      -70.61180      -24.87820       30.75550\n" PARAM_COLUMNS
    "  -24.853100  -70.590600  31.504700   7.740890  125.891600  6.0  22.0  68.0   3.6   3.6   7.841607e+24\n"
    "  -24.718900  -70.575200  31.504700  34.699050   60.305190  6.0  22.0  64.0  14.4   5.4   "
    "3.515052e+25\n" PARAM_ROW_3 "  -24.727600  -70.484800  35.250800  90.091150   58.863890  6.0  22.0  "
    "68.0  10.8   1.8   9.126337e+25\n" PARAM_HEAD_2 PARAM_COLUMNS
    "  -24.799500  -71.152500  12.766900   5.953450   59.884040  6.0  18.0  80.0   0.0   0.0   "
    "6.030910e+24\n" PARAM_LAST;

// The same as .fsp, and as FFM.geojson.
#define FSP_COLUMNS "% LAT LON X==EW Y==NS Z SLIP RAKE TRUP RISE SF_MOMENT\n%-----\n"
#define FSP_LAST                                                                                             \
    "-24.6402  -71.1151  -86.1019 -142.1033  13.3850  1.4761   56.5382  76.0000  0.0000  1.50e+19\n"
static const char fsp[] =
    "% ---------------------------------- FINITE-SOURCE RUPTURE MODEL --------------------------------\n%\n"
    "% Event : NEAR COAST OF NORTHERN CHILE  1995/07/30 [Hayes (NEIC,2014)]\n% EventTAG: p000714tHAYES\n%\n"
    "% Loc  : LAT = -23.3600  LON = -70.3100  DEP = 36.0\n"
    "% Size : LEN = 30 km  WID = 20 km  Mw = 6.96  Mo = 2.9e+19 Nm\n"
    "% Mech : STRK = 6  DIP = 22  RAKE = 87  Htop = 11.51 km\n"
    "% Rupt : HypX = 172.5 km  Hypz = 15 km  avTr = 6.93 s  avVr = 2.27 km/s\n%\n"
    "% Invs : Nx = 2  Nz = 2  Fmin = 0.002 Hz  Fmax = 1 Hz\n% Invs : Dx = 15 km  Dz = 10 km\n"
    "% Invs : Ntw = 8  Nsg = 2    (# of time-windows,# of fault segments)\n"
    "% Invs : LEN = 3.6 s  SHF = 1.8 s    (time-window length and time-shift)\n"
    "% Coordinates are given for center of each subfault or segment: |'|\n"
    "% SEGMENT # 1: STRIKE = 6 deg DIP = 22 deg\n% LEN = 30 km WID = 20 km\n"
    "% depth to top: Z2top = 30.38 km\n% Nsbfs = 4 subfaults\n" FSP_COLUMNS
    "-24.8280  -70.5695  -30.7925 -162.7709  32.2539  0.0774  125.8916  68.0000  3.6000  7.84e+17\n"
    "-24.6938  -70.5541  -29.2693 -147.8459  32.2539  0.3470   60.3052  64.0000 14.4000  3.52e+18\n"
    "-24.8367  -70.4791  -21.6723 -163.7215  36.0000  0.0584   79.4917  72.0000  1.8000  5.91e+17\n"
    "-24.7025  -70.4637  -20.1344 -148.7975  36.0000  0.9009   58.8639  68.0000 10.8000  9.13e+18\n"
    "% SEGMENT # 2: STRIKE = 6 deg DIP = 18 deg\n% LEN = 30 km WID = 10 km\n% Nsbfs = 2 "
    "subfaults\n" FSP_COLUMNS
    "-24.7745  -71.1307  -87.5908 -157.0458  13.3850  0.0595   59.8840  80.0000  0.0000  6.03e+17\n" FSP_LAST;

static const char ffm[] =
    "{'features': [{'geometry': {'coordinates': [[[-70.623, -24.8907, 30380.86703], [-70.6075, -24.7566, "
    "30380.86703], [-70.5162, -24.7655, 34126.93297], [-70.5316, -24.8996, 34126.93297], [-70.623, -24.8907, "
    "30380.86703]]], 'type': 'Polygon'}, 'properties': {'rake': 125.8916, 'rise': 3.6, 'sf_moment': "
    "7.84e+17, "
    "'slip': 0.0774, 'trup': 68.0}, 'type': 'Feature'}, {'geometry': {'coordinates': [[[-71.1853, -24.8371, "
    "11839.91503], [-71.1698, -24.7029, 11839.91503], [-71.0762, -24.7121, 14930.08497], [-71.0916, "
    "-24.8462, "
    "14930.08497], [-71.1853, -24.8371, 11839.91503]]], 'type': 'Polygon'}, 'properties': {'rake': 59.884, "
    "'rise': "
    "0.0, 'sf_moment': 6.03e+17, 'slip': 0.0595, 'trup': 80.0}, 'type': 'Feature'}], 'metadata': "
    "{'epicenter': "
    "{'depth': 36.0, 'lat': -23.36, 'location': 'NEAR COAST OF NORTHERN CHILE', 'lon': -70.31, 'moment': "
    "1.387e+18}}, 'type': 'FeatureCollection'}";

// GeoClaw's Alaska 1964 (tests/data/alaska1964.csv), with units in all names.
#define CSV_NAMES "Longitude,Latitude,Depth(km),Length [km],Width (km),Strike,Dip,Rake,Slip(m),UnitSrc\n"
static const char csv[] = "# reference: sift\n" CSV_NAMES
                          "204.89500,55.97000,17.94,100.0,50.0,236.000,15.000,90.0,19.5000,acsza31\n"
                          "205.34000,55.59800,5.00,100.0,50.0,236.000,15.000,90.0,19.5000,acszb31\n";

// The Global CMT catalogue: Tohoku 2011; and Illapel 2015 as CMTSOLUTION.
#define TOHOKU_1 "PDE  2011/03/11 05:46:23.0  38.32  142.37  24.4 7.9 7.9 NEAR EAST COAST OF HONSH\n"
#define TOHOKU_2 "M201103110546A   B:  0    0   0 S:  0    0   0 M:100  271 300 CMT: 1 TRIHD: 70.0\n"
#define TOHOKU_3 "CENTROID:     69.8 0.2  37.52 0.01  143.05 0.02  20.0  0.0 FIX  S-20110311234057\n"
#define TOHOKU_4 "29  1.730 0.006 -0.281 0.005 -1.450 0.005  2.120 0.068  4.550 0.065 -0.657 0.004\n"
#define TOHOKU_5 "V10   5.305 55 295   0.014  0 205  -5.319 35 115   5.312 203 10   88  25 80   90\n"
#define TOHOKU   TOHOKU_1 TOHOKU_2 TOHOKU_3 TOHOKU_4 TOHOKU_5
// Another one of that catalogue: 60 s, and a time shift that touches its error.
#define PHILIPPINES                                                                                          \
    "PDE  1996/11/20 19:42:56.1  10.30  127.43  33.0 5.6 5.3 PHILIPPINE ISLANDS REGIO\n"                     \
    "B112096E         B: 35   58  45 S:  0    0   0 M:  0    0   0 CMT: 1 BOXHD: 22.0\n"                     \
    "CENTROID:      1.060.0  10.47 0.03  127.42 0.03  15.0  0.0 BDY  O-00000000000000\n"                     \
    "24 -4.983 0.133 -0.092 0.153  5.075 0.173 -0.433 0.443  0.715 0.469 -2.898 0.141\n"                     \
    "V10   6.430  4 246  -1.390  2 156  -5.050 86  45   5.740 338 41  -88 154 49  -92\n"
#define CMT_HEAD " PDE 2015  9 16 22 54 32.90 -31.5700  -71.6700  22.4 0.0 8.3 NEAR COAST OF CENTRAL CH   \n"
#define CMT_PLACE                                                                                            \
    "event name:     201509162254A  \ntime shift:     49.9800\nhalf duration:  33.4000\n"                    \
    "latitude:      -31.1300\nlongitude:     -72.0900\ndepth:          17.3500\n"
#define CMT_TENSOR                                                                                           \
    "Mrr:       1.950000e+28\nMtt:      -4.360000e+26\nMpp:      -1.910000e+28\nMrt:       7.420000e+27\n"   \
    "Mrp:      -2.480000e+28\n"
#define CMT_LAST "Mtp:       9.420000e+26\n"
#define CMT      CMT_HEAD CMT_PLACE CMT_TENSOR CMT_LAST

// The USGS' QuakeML of Illapel 2015 and its event GeoJSON, with less text.
#define QUAKEML_TENSOR                                                                                       \
    "<tensor><Mrr><value>1.915e+021</value></Mrr><Mtt><value>3.5e+019</value></Mtt><Mpp><value>-1.949e+021"  \
    "</value></Mpp><Mrt><value>-3.6e+019</value></Mrt><Mrp><value>-2.536e+021</value></Mrp>\n"
#define QUAKEML(tensor, end)                                                                                 \
    "<?xml version='1.0' encoding='UTF-8'?>\n<!-- a comment -->\n<q:quakeml "                                \
    "xmlns:q='http://quakeml.org/xmlns/quakeml/1.2'><eventParameters publicID='a/b'>\n"                      \
    "<event catalog:eventid='20003k7a' publicID='quakeml:us.anss.org/event/20003k7a'>\n"                     \
    "<description><text>felt &amp; heard</text><type>felt report</type></description>\n"                     \
    "<description><text>OFFSHORE COQUIMBO, CHILE</text><type>Flinn-Engdahl region</type></description>\n"    \
    "<focalMechanism "                                                                                       \
    "publicID='other'><momentTensor><derivedOriginID>o3</derivedOriginID><tensor><Mrr><value>"               \
    "1e20</value></Mrr></tensor></momentTensor></focalMechanism>\n"                                          \
    "<focalMechanism publicID='mww'><momentTensor publicID='t'><derivedOriginID>o2</derivedOriginID>\n"      \
    "<scalarMoment><value>3.19e+021</value></scalarMoment>" tensor                                           \
    "<Mtp><value>1.19e+020</value></Mtp></tensor></momentTensor></focalMechanism>\n"                         \
    "<origin publicID='o1'><time><value>2015-09-16T22:54:32.860Z</value></time><longitude><value>-71.6744"   \
    "</value></longitude><latitude><value>-31.5729</value></latitude><depth><value>22440</value></depth></"  \
    "origin>\n"                                                                                              \
    "<origin publicID='o2'><longitude><value>-71.77</value></longitude><latitude><value>-31.38</value>"      \
    "</latitude><depth><value>25500</value></depth></origin>\n"                                              \
    "<preferredOriginID>o1</preferredOriginID><preferredFocalMechanismID>mww</preferredFocalMechanismID>\n"  \
    "</event>" end
static const char event_json[] =
    "{'type': 'Feature', 'properties': {'mag': 8.3, 'place': '48 km W of Illapel, Chile', 'time': "
    "1442444072860, "
    "'products': {'moment-tensor': [{'preferredWeight': 1, 'properties': {'tensor-mrr': '1'}}, "
    "{'preferredWeight': 221, "
    "'properties': {'derived-depth': '25.5', 'derived-latitude': '-31.38', 'derived-longitude': '-71.77', "
    "'scalar-moment': '3.19E+21', 'tensor-mrr': '1.915E+21', 'tensor-mtt': '3.5E+19', 'tensor-mpp': "
    "'-1.949E+21', "
    "'tensor-mrt': '-3.6E+19', 'tensor-mrp': '-2.536E+21', 'tensor-mtp': '1.19E+20'}}]}}, "
    "'geometry': {'type': 'Point', 'coordinates': [-71.6744, -31.5729, 22.44]}, 'id': 'us20003k7a'}";

#endif
