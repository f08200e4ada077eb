# Draws nbody-times.png from nbody-times.txt, both in this folder:
#   cd docs/pictures && gnuplot nbody-times.gnuplot
set encoding utf8
set terminal pngcairo enhanced rounded background rgb '#ffffff' size 1600,760 font 'DejaVu Sans,13' linewidth 1.6
set output 'nbody-times.png'
table = 'nbody-times.txt'
colours = '#d9772b #d9772b #1f5f99 #1f5f99'
array name[4] = ['16 cores, direct summation', '16 cores, tree', 'H200, direct summation', 'H200, tree']
set border 3 linewidth 0.8 linecolor rgb '#333333'
set grid linecolor rgb '#e4e4e4' linewidth 0.6 linetype 1
set tics nomirror out scale 0.6 textcolor rgb '#333333' font ',12'
set logscale xy
set format x '10^{%L}'
set format y '10^{%L}'
set xrange [800:1250000]
set yrange [0.015:60000]
set xlabel 'bodies n'
set ylabel 'time of a step (ms)'
set label 1 '{/:Bold=20 Time of a step against n}' at screen 0.045,0.955 left textcolor rgb '#1b1b1b'
set multiplot
do for [panel = 0:1] {
    set lmargin at screen 0.06 + 0.49 * panel
    set rmargin at screen 0.49 + 0.49 * panel
    set tmargin at screen 0.86
    set bmargin at screen 0.12
    heading = panel == 0 ? '{/:Bold float}' : '{/:Bold double}'
    set label 10 heading at graph 0,1.04 left font ',14'
    set key top left reverse Left samplen 2 font ',12'
    plot for [k = 1:4] table using 1:(column(4 * panel + 1 + k)) with linespoints pointtype 7 pointsize 0.9 \
         dashtype 2 - k % 2 linecolor rgb word(colours, k) title name[k]
}
