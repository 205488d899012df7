# What all figures share: the terminals, and line styles that are told apart by colour (Okabe and Ito's, which
# colour-blind readers keep apart), in grey by dashes and marks. Given by plots/make: kind, out, data, paper.

# A figure begins with eval canvas(width, height), in pixels of an SVG.
canvas(width, height) = kind eq 'pdf' ? \
    sprintf("set terminal pdfcairo size %gin,%gin font 'DejaVu Sans,8' fontscale 0.85", width / 100., height / 100.) : \
    kind eq 'png' ? \
    sprintf("set terminal pngcairo size %d,%d font 'DejaVu Sans,10' linewidth 1.4 fontscale 1.4", 1.5 * width, 1.5 * height) : \
    sprintf("set terminal svg size %d,%d font 'DejaVu Sans,sans-serif,11' background 'white'", width, height)
set output out
set encoding utf8
set datafile separator tab
set border 3 linewidth 0.8
set tics nomirror scale 0.6
set grid linetype 1 linecolor rgb '#DDDDDD' linewidth 0.6
set errorbars 0.7
# Lines 1 to 6; 11 to 16: their intervals, never dashed.
set style line 1 linecolor rgb '#0072B2' linewidth 1.6 dashtype 1 pointtype 7 pointsize 0.6
set style line 2 linecolor rgb '#0072B2' linewidth 1.6 dashtype 2 pointtype 6 pointsize 0.7
set style line 3 linecolor rgb '#D55E00' linewidth 1.6 dashtype 1 pointtype 5 pointsize 0.6
set style line 4 linecolor rgb '#D55E00' linewidth 1.6 dashtype 2 pointtype 4 pointsize 0.7
set style line 5 linecolor rgb '#009E73' linewidth 1.6 dashtype 3 pointtype 9 pointsize 0.7
set style line 6 linecolor rgb '#CC79A7' linewidth 1.6 dashtype 4 pointtype 12 pointsize 0.8
set style line 11 linecolor rgb '#0072B2' linewidth 1.2 dashtype 1 pointtype 7 pointsize 0.6
set style line 12 linecolor rgb '#0072B2' linewidth 1.2 dashtype 1 pointtype 6 pointsize 0.7
set style line 13 linecolor rgb '#D55E00' linewidth 1.2 dashtype 1 pointtype 5 pointsize 0.6
set style line 14 linecolor rgb '#D55E00' linewidth 1.2 dashtype 1 pointtype 4 pointsize 0.7
set style line 15 linecolor rgb '#009E73' linewidth 1.2 dashtype 1 pointtype 9 pointsize 0.7
set style line 16 linecolor rgb '#CC79A7' linewidth 1.2 dashtype 1 pointtype 12 pointsize 0.8
# What a paper prints: black, whatever the figure.
set style line 9 linecolor rgb '#000000' linewidth 1.6 pointtype 3 pointsize 1.4
# ... as an upper bound.
set style line 19 linecolor rgb '#000000' linewidth 1.6 pointtype 11 pointsize 1.2

# A legend for all panels of a multiplot: @legend, a plot of entries that begins with NaN notitle, @panels.
legend = "unset border; unset tics; unset grid; set xrange [0:1]; set yrange [0:1]; set lmargin at screen 0.01; \
    set rmargin at screen 0.99; set tmargin at screen 0.99; set bmargin at screen 0.9; \
    set key at screen 0.5, 0.985 center top horizontal maxcols 8 reverse Left samplen 2.5 width 1"
panels = "set border 3; set tics; set tics nomirror scale 0.6; set grid; unset key; set autoscale"
