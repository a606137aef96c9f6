"""Draws stored times of a result side by side as one picture.

xvfb-run -a -s "-screen 0 1280x1024x24" pvpython cases/film.py RESULTS PICTURE.png FIELD TIME,TIME,... [options]
  --range A,B          of the colours
  --view 2d|X,Y,Z      from the front, or from the direction (X,Y,Z)
  --cut NX,NY,NZ       only the half of the body behind the plane through its middle with this normal
  --map                one picture with bands instead, of a map that is written at the end; give its time
  --title TEXT         under the colours' bar
  --size W,H           of one frame, in pixels
"""
import argparse
import os
import tempfile

from paraview.simple import (Clip, ColorBy, CreateView, GetColorTransferFunction, GetScalarBar, OpenDataFile, Render, ResetCamera,
                             SaveScreenshot, Show, Text)
from vtkmodules.vtkFiltersCore import vtkImageAppend
from vtkmodules.vtkIOImage import vtkPNGReader, vtkPNGWriter

parser = argparse.ArgumentParser()
parser.add_argument("results")
parser.add_argument("picture")
parser.add_argument("field")
parser.add_argument("times")
parser.add_argument("--range", default="-80,20")
parser.add_argument("--view", default="2d")
parser.add_argument("--cut")
parser.add_argument("--map", action="store_true")
parser.add_argument("--title")
parser.add_argument("--size", default="260,300")
args = parser.parse_args()
numbers = lambda text: [float(n) for n in text.split(",")]

data = OpenDataFile(os.path.abspath(args.results) + "/results.xdmf")
data.UpdatePipelineInformation()
data.UpdatePipeline(data.TimestepValues[0])
if args.cut:
    bounds = data.GetDataInformation().GetBounds()
    data = Clip(Input=data, ClipType="Plane")
    data.ClipType.Origin = [(bounds[2 * k] + bounds[2 * k + 1]) / 2 for k in range(3)]
    data.ClipType.Normal = numbers(args.cut)
view = CreateView("RenderView")
view.ViewSize = [int(n) for n in numbers(args.size)]
view.OrientationAxesVisibility = 0
view.Background = [1, 1, 1]
view.UseColorPaletteForBackground = 0
display = Show(data, view)
display.Ambient, display.Diffuse = (1, 0) if args.view == "2d" else (0.35, 0.7)
display.SetScalarBarVisibility(view, False)
ColorBy(display, ("POINTS", args.field))
colors = GetColorTransferFunction(args.field)
colors.ApplyPreset("Turbo" if args.map else "Inferno (matplotlib)", True)
colors.RescaleTransferFunction(*numbers(args.range))
if args.map:
    colors.Discretize, colors.NumberOfTableValues = 1, 15
bar = GetScalarBar(colors, view)
bar.Title, bar.ComponentTitle = args.title or args.field, ""
bar.TitleColor = bar.LabelColor = [0, 0, 0]
bar.TitleFontSize, bar.LabelFontSize = 15, 13
bar.HorizontalTitle = 1
bar.ScalarBarLength, bar.ScalarBarThickness = 0.6, 14
bar.LabelFormat = bar.RangeLabelFormat = "%-#.4g"
bar.WindowLocation = "Any Location"
bar.Position = [0.3, 0.15]
bar.AddRangeLabels = 1
bar.Visibility = 0

low, high = data.GetDataInformation().GetBounds()[0::2], data.GetDataInformation().GetBounds()[1::2]
center = [(a + b) / 2 for a, b in zip(low, high)]
extent = max(b - a for a, b in zip(low, high))
direction = [0, 0, 1] if args.view == "2d" else numbers(args.view)
view.CameraParallelProjection = 1
view.CameraFocalPoint = center
view.CameraViewUp = [0, 1, 0] if args.view == "2d" else [0, 0, 1]
view.CameraPosition = [c + 3 * extent * d for c, d in zip(center, direction)]
Render(view)
ResetCamera(view)
view.CameraParallelScale *= 0.82
label = Text()
label_display = Show(label, view)
label_display.Color = [0, 0, 0]
label_display.FontSize = 16
label_display.WindowLocation = "Lower Center"

times = numbers(args.times)
size = [int(n) for n in numbers(args.size)]
strip = vtkImageAppend()
with tempfile.TemporaryDirectory() as folder:
    for i, time in enumerate(times + [None]):  # the last frame holds the bar alone
        if time is None:
            display.Visibility, label_display.Visibility, bar.Visibility = 0, 0, 1
            size[0] = 120
            view.ViewSize = size
        else:
            view.ViewTime = time
            label.Text = "" if args.map else "%g ms" % time
        frame = os.path.join(folder, "%d.png" % i)
        Render(view)
        SaveScreenshot(frame, view, ImageResolution=size, OverrideColorPalette="", TransparentBackground=0)
        reader = vtkPNGReader()
        reader.SetFileName(frame)
        reader.Update()
        strip.AddInputData(reader.GetOutput())
    strip.Update()
    writer = vtkPNGWriter()
    writer.SetFileName(args.picture)
    writer.SetCompressionLevel(9)
    writer.SetInputData(strip.GetOutput())
    writer.Write()
