# Draws ising-ladder.png from ising-ladder.txt, both in this folder:
#   cd docs/pictures && gnuplot ising-ladder.gnuplot
set encoding utf8
set terminal pngcairo enhanced rounded background rgb '#ffffff' size 1600,760 font 'DejaVu Sans,13' linewidth 1.6
set output 'ising-ladder.png'
table = 'ising-ladder.txt'
set border 3 linewidth 0.8 linecolor rgb '#333333'
set grid linecolor rgb '#e4e4e4' linewidth 0.6 linetype 1
set tics nomirror out scale 0.6 textcolor rgb '#333333' font ',12'
set logscale x 2
set logscale y
set format y '10^{%L}'
set xrange [7:2400]
set xlabel 'L'
set label 1 '{/:Bold=20 The programs of Karkoulis (2010), written anew: serial and on a GPU}' at screen 0.045,0.955 \
    left textcolor rgb '#1b1b1b'
set tmargin at screen 0.86
set bmargin at screen 0.12
set key top left reverse Left samplen 2 font ',12'
set multiplot
set lmargin at screen 0.06
set rmargin at screen 0.49
set ylabel 'time of a sweep (ms), β = 0.44'
plot table index 1 using 2:3 with linespoints pointtype 7 linecolor rgb '#d9772b' title 'serial, one core', \
     table index 1 using 2:4 with linespoints pointtype 7 linecolor rgb '#1f5f99' title 'global memory', \
     table index 1 using 2:5 with linespoints pointtype 6 pointsize 1.6 linecolor rgb '#1d7a45' title 'texture', \
     table index 1 using 2:6 with linespoints pointtype 4 pointsize 1.8 linecolor rgb '#b0123b' title 'shared memory and texture'
unset label 1
set lmargin at screen 0.56
set rmargin at screen 0.98
set ylabel 'serial / texture'
plot for [b = 0:2] table index b using 2:($3 / $5) with linespoints pointtype 7 \
         linecolor rgb word('#d9772b #1f5f99 #1d7a45', b + 1) title word('β=0.100 β=0.440 β=0.900', b + 1), \
     1 with lines linecolor rgb '#666666' dashtype 2 notitle
