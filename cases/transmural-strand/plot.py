"""Draws picture.png: potentials of the three layers over time, and the ECG.
xvfb-run -a -s "-screen 0 1280x1024x24" pvpython plot.py [RESULTS [PICTURE.png]]"""
import sys

from paraview.simple import CreateView, CSVReader, CreateLayout, AssignViewToLayout, SaveScreenshot, Show

results = sys.argv[1] if len(sys.argv) > 1 else "results"
picture = sys.argv[2] if len(sys.argv) > 2 else "picture.png"
table = CSVReader(FileName=[results + "/probes.csv"])
layout = CreateLayout("strand")
layout.SplitVertical(0, 0.6)


def chart(place, title, unit, columns):
    view = CreateView("XYChartView")
    view.LeftAxisTitle = unit
    view.BottomAxisTitle = "ms"
    view.ChartTitle = title
    AssignViewToLayout(view, layout, place)
    display = Show(table, view, "XYChartRepresentation")
    display.UseIndexForXAxis = 0
    display.XArrayName = "time"
    display.SeriesVisibility = [name for name, _ in columns]
    display.SeriesLabel = [text for name, (label, _) in columns for text in (name, label)]
    display.SeriesColor = [text for name, (_, color) in columns for text in (name, *color.split())]
    display.SeriesLineThickness = [text for name, _ in columns for text in (name, "2")]
    return view


chart(1, "potential in three layers", "mV", [("endo-potential", ("endo", "0.27 0.00 0.33")), ("mid-potential", ("mid", "0.13 0.57 0.55")),
                                             ("epi-potential", ("epi", "0.85 0.65 0.10"))])
ecg = chart(2, "ECG, epicardial side positive", "1", [("precordial", ("precordial", "0.1 0.1 0.1"))])
SaveScreenshot(picture, layout, ImageResolution=[760, 620])
