# Draws tsunami-error-cost.png from tsunami-error-cost.txt, both in this folder:
#   cd docs/pictures && gnuplot tsunami-error-cost.gnuplot
# Columns of the table: method, spacing in arc-minutes, then for two cores and for the H200 each seconds of
# the steps, error of the crests in %, error of their arrivals in s. NaN: not measured.
set encoding utf8
set terminal pngcairo enhanced rounded background rgb '#ffffff' size 1600,1130 font 'DejaVu Sans,13' linewidth 1.6
set output 'tsunami-error-cost.png'
table = 'tsunami-error-cost.txt'
stats table using 3 nooutput
stats table using 6 name 'h200' nooutput
# Half the differences of the two runs whose mean is the converged wave.
uncertain_percent = 0.31
uncertain_s = 1.2

array name[5] = ['c-grid-6', 'muscl-hancock-third-order', 'muscl-hancock-van-leer', 'vtcs2-o2', 'vtcs2']
array shown[5] = ['c-grid-6', "muscl-hancock,\nthird-order", "muscl-hancock,\nvan-leer", 'vtcs2-o2', 'vtcs2']
colours = '#b0123b #1f5f99 #1d7a45 #d9772b #444444'
colour(k) = word(colours, k)
ink = '#333333'; grey = '#666666'; lines = '#e4e4e4'; band = '#f2f2f2'; white = '#ffffff'
# Where the spacing stands beside a point, in widths and heights of a character: by method, for heights and arrivals.
array across[8] = [-0.9, -0.9, 1.1, -0.9,   -0.9, -0.9, 0.7, 1.9]
array upward[8] = [-0.75, -0.75, 0.55, -0.65,   -0.75, -0.65, 0.8, 0.2]
defines(k, spacing) = k <= 2 && spacing < 1
of(k) = strcol(1) eq name[k]
grid(spacing) = sprintf('%g′', spacing)

set label 1 '{/:Bold=20 Error against cost: the 2011 Tohoku tsunami at three DART buoys}' at screen 0.055,0.972 left textcolor rgb '#1b1b1b'
set label 2 '135–170° E, 20–55° N, ETOPO5, 5700 s. Largest error at 21418, 21413 and 21419; at each point the spacing of the grid. Time: the steps, without preparation.' \
    at screen 0.055,0.943 left font ',12' textcolor rgb '#666666'

do for [k = 1:5] {
    set label 20 + k shown[k] at screen 0.888,0.90 - 0.05 * k left textcolor rgb ink point pointtype 7 \
        pointsize (k == 5 ? 0.9 : 1.4) linecolor rgb colour(k) offset 1,0
}
set border 3 linewidth 0.8 linecolor rgb ink
set grid linecolor rgb lines linewidth 0.6 linetype 1
set tics nomirror out scale 0.6 textcolor rgb ink font ',12'
set logscale xy
set key off
set multiplot

do for [row = 0:1] { do for [panel = 0:1] {
    seconds = panel == 0 ? 3 : 6
    error = seconds + 1 + row
    faster = panel == 0 ? 1 : 0.1
    low = row == 0 ? 0.15 : 0.6
    high = row == 0 ? 70 : 250
    heading = row == 0 ? '{/:Bold Height of the crest, error in %}' : '{/:Bold Arrival of the crest, error in s}'
    machine = panel == 0 ? 'two cores' : 'NVIDIA H200'
    set lmargin at screen 0.055 + 0.425 * panel
    set rmargin at screen 0.055 + 0.425 * panel + 0.375
    set bmargin at screen 0.55 - 0.485 * row
    set tmargin at screen 0.55 - 0.485 * row + 0.345
    set xrange [0.04 * faster : 130 * faster]
    set yrange [low : high]
    if (row == 0) {
        set ytics ('0.2' 0.2, '0.5' 0.5, '1' 1, '2' 2, '5' 5, '10' 10, '20' 20, '50' 50)
    } else {
        set ytics ('1' 1, '2' 2, '5' 5, '10' 10, '20' 20, '50' 50, '100' 100, '200' 200)
    }
    set xtics ('0.01' 0.01, '0.03' 0.03, '0.1' 0.1, '0.3' 0.3, '1' 1, '3' 3, '10' 10, '30' 30, '100' 100)
    set xlabel 'time of the steps (s)' offset 0,0.2 font ',13'
    set label 10 heading at graph 0,1.06 left font ',14'
    set label 11 machine at graph 1,1.06 right font ',12' textcolor rgb grey
    level = row == 0 ? uncertain_percent : uncertain_s
    set object 1 rectangle from graph 0, first low to graph 1, first level behind fillcolor rgb band fillstyle solid noborder
    set label 12 'uncertainty of the converged wave' at graph 0.01, first 1.12 * low left font ',10' textcolor rgb grey
    if (panel == 1 && h200_records == 0) {
        set label 13 'not measured' at graph 0.5,0.5 center textcolor rgb grey
    }
    plot for [k = 4:1:-1] table using (of(k) ? column(seconds) : NaN):(column(error)) with lines linewidth 1.6 \
             linecolor rgb colour(k), \
         table using (of(5) ? column(seconds) : NaN):(column(error)) with lines linewidth 1.2 linecolor rgb colour(5) \
             dashtype 2, \
         for [k = 5:1:-1] table using (of(k) ? column(seconds) : NaN):(column(error)) with points pointtype 7 \
             pointsize (k == 5 ? 0.9 : 1.4) linecolor rgb colour(k), \
         for [k = 1:2] table using (of(k) && defines(k, column(2)) ? column(seconds) : NaN):(column(error)) with points pointtype 7 \
             pointsize 0.9 linecolor rgb white, \
         for [k = 1:4] table using (of(k) && !defines(k, column(2)) ? column(seconds) : NaN):(column(error)):(grid(column(2))) \
             with labels offset across[k + 4 * row],upward[k + 4 * row] font ',10' textcolor rgb colour(k), \
         for [k = 1:2] table using (of(k) && defines(k, column(2)) ? column(seconds) : NaN):(column(error)):(grid(column(2))) \
             with labels offset across[k],upward[k] font ',10' textcolor rgb colour(k)
    unset label 13
}}
