# Draws gas-energy.png from gas-energy.txt, both in this folder:
#   cd docs/pictures && gnuplot gas-energy.gnuplot
set encoding utf8
set terminal pngcairo enhanced rounded background rgb '#ffffff' size 1600,680 font 'DejaVu Sans,13' linewidth 1.6
set output 'gas-energy.png'
table = 'gas-energy.txt'
set border 3 linewidth 0.8 linecolor rgb '#333333'
set grid linecolor rgb '#e4e4e4' linewidth 0.6 linetype 1
set tics nomirror out scale 0.6 textcolor rgb '#333333' font ',12'
set xrange [0:10000]
set xtics 2000
set xlabel 'step'
set label 1 '{/:Bold=20 Leapfrog and the Euler of Balen (2016) over 10 000 steps}' at screen 0.045,0.955 \
    left textcolor rgb '#1b1b1b'
set tmargin at screen 0.86
set bmargin at screen 0.13
set key top left reverse Left samplen 2 font ',12'
set multiplot
set lmargin at screen 0.08
set rmargin at screen 0.48
set yrange [1.02:1.10]
set ytics 0.02
set format y '%.2f'
set ylabel 'kinetic energy of a particle, means of 1000 steps'
plot table using 1:2 with lines linewidth 1.6 linecolor rgb '#1f5f99' title 'leapfrog, a-priori walls', \
     table using 1:3 with lines linewidth 1.6 linecolor rgb '#d9772b' title 'symplectic Euler, a-priori walls'
unset label 1
set lmargin at screen 0.59
set rmargin at screen 0.98
set yrange [-0.01:0.04]
set ytics 0.01
set ylabel 'change of the whole energy of a particle'
plot table using 1:4 with lines linewidth 1.6 linecolor rgb '#1f5f99' title 'leapfrog, a-priori walls', \
     table using 1:5 with lines linewidth 1.6 linecolor rgb '#d9772b' title 'symplectic Euler, a-priori walls', \
     table using 1:6 with lines dashtype 2 linecolor rgb '#1f5f99' title 'leapfrog, reflecting walls', \
     table using 1:7 with lines dashtype 2 linecolor rgb '#d9772b' title 'symplectic Euler, reflecting walls'
