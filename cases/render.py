"""Renders a picture of a result: the deformed mesh, coloured by a field.

xvfb-run -a -s "-screen 0 1280x1024x24" pvpython cases/render.py RESULTS PICTURE.png FIELD [options]
  --component N    of the field (0 is the first); a vector is shown by its length otherwise
  --warp F         displacements are drawn F times as large; 0: undeformed
  --view 2d|3d|X,Y,Z   from the front, or from the direction (X,Y,Z)
  --range A,B      of the colours
  --title TEXT     above the colour bar
  --edges          draws the mesh
  --mirror         in x = 0 and y = 0: a quarter becomes a whole
  --box X0,X1,Y0,Y1   shows that part only (after mirroring)
  --size W,H       in pixels
"""
import argparse

from paraview.simple import (Clip, ColorBy, CreateView, GetColorTransferFunction, GetScalarBar, OpenDataFile, Reflect, Render,
                             ResetCamera, SaveScreenshot, Show, WarpByVector)

parser = argparse.ArgumentParser()
parser.add_argument("results")
parser.add_argument("picture")
parser.add_argument("field")
parser.add_argument("--component", type=int)
parser.add_argument("--warp", type=float, default=0.0)
parser.add_argument("--view", default="2d")
parser.add_argument("--range")
parser.add_argument("--title")
parser.add_argument("--edges", action="store_true")
parser.add_argument("--mirror", action="store_true")
parser.add_argument("--box")
parser.add_argument("--size", default="900,600")
args = parser.parse_args()

data = OpenDataFile(args.results + "/results.hdf")
data.UpdatePipeline()
if args.warp:
    data = WarpByVector(Input=data, Vectors=["POINTS", "displacement"], ScaleFactor=args.warp)
    data.UpdatePipeline()
for plane in ("X", "Y") if args.mirror else ():
    data = Reflect(Input=data, Plane=plane, Center=0.0)
if args.box:
    x0, x1, y0, y1 = (float(n) for n in args.box.split(","))
    data = Clip(Input=data, ClipType="Box", Crinkleclip=0)
    data.ClipType.Position, data.ClipType.Length = [x0, y0, -1], [x1 - x0, y1 - y0, 2]
data.UpdatePipeline()

view = CreateView("RenderView")
view.ViewSize = [int(n) for n in args.size.split(",")]
view.OrientationAxesVisibility = 0
view.Background = [1, 1, 1]
view.UseColorPaletteForBackground = 0
display = Show(data, view)
display.SetRepresentationType("Surface With Edges" if args.edges else "Surface")
display.NonlinearSubdivisionLevel = 3
display.EdgeColor = [0.35, 0.35, 0.35]
on = "POINTS" if data.PointData.GetArray(args.field) else "CELLS"
ColorBy(display, (on, args.field) if args.component is None else (on, args.field, str(args.component)))
colors = GetColorTransferFunction(args.field)
if args.component is not None:
    colors.VectorMode, colors.VectorComponent = "Component", args.component
array = data.PointData.GetArray(args.field) or data.CellData.GetArray(args.field)
low, high = array.GetRange(-1 if args.component is None and array.GetNumberOfComponents() > 1 else args.component or 0)
if args.range:
    low, high = (float(n) for n in args.range.split(","))
colors.ApplyPreset("Viridis (matplotlib)", True)
colors.RescaleTransferFunction(low, high)
bar = GetScalarBar(colors, view)
bar.Title, bar.ComponentTitle = args.title or args.field, ""
bar.TitleColor = bar.LabelColor = [0, 0, 0]
bar.TitleFontSize, bar.LabelFontSize = 18, 16
bar.HorizontalTitle = 1
bar.ScalarBarLength, bar.ScalarBarThickness = 0.5, 18
bar.LabelFormat = bar.RangeLabelFormat = "%-#.4g"
bar.WindowLocation = "Any Location"
bar.Position = [0.84, 0.22]
display.SetScalarBarVisibility(view, True)

low, high = data.GetDataInformation().GetBounds()[0::2], data.GetDataInformation().GetBounds()[1::2]
center = [(a + b) / 2 for a, b in zip(low, high)]
extent = max(b - a for a, b in zip(low, high))
view.CameraParallelProjection = 1
view.CameraFocalPoint = center
if args.view == "2d":
    direction, view.CameraViewUp = [0, 0, 1], [0, 1, 0]
else:
    direction = [1, -1.6, 0.9] if args.view == "3d" else [float(n) for n in args.view.split(",")]
    view.CameraViewUp = [0, 0, 1]
view.CameraPosition = [c + 3 * extent * d for c, d in zip(center, direction)]
Render(view)
ResetCamera(view)
# Leave the right-hand side to the colour bar.
view.CameraParallelScale *= 0.95
right = [view.CameraViewUp[1] * direction[2] - view.CameraViewUp[2] * direction[1],
         view.CameraViewUp[2] * direction[0] - view.CameraViewUp[0] * direction[2],
         view.CameraViewUp[0] * direction[1] - view.CameraViewUp[1] * direction[0]]
length = sum(r * r for r in right) ** 0.5
shift = [0.17 * view.CameraParallelScale * r / length for r in right]
view.CameraFocalPoint = [a + b for a, b in zip(view.CameraFocalPoint, shift)]
view.CameraPosition = [a + b for a, b in zip(view.CameraPosition, shift)]
SaveScreenshot(args.picture, view, ImageResolution=view.ViewSize, CompressionLevel="9", OverrideColorPalette="",
               TransparentBackground=0)
