"""Draws one picture of a result, or a film, for `sinew plot`: with the VTK that ParaView (pvpython) or PyVista (python3) has.

plot.py RESULTS.xdmf PICTURE.png FIELD [options]
  --component N    of the field (0 is the first); of several together their length is drawn
  --time T         the stored time that is drawn
  --warp F         displacements are drawn F times as large; auto: the largest is 7 % of the body, and never less than it is;
                   modes, which have no size of their own: 7 %
  --view 2d|X,Y,Z  from the front, or from the direction (X,Y,Z)
  --range A,B      of the colours
  --bands N        steps of the colours
  --never X        cells with this value at a node are grey
  --title TEXT, --bar TEXT   above the picture, above the bar
  --edges          draws the mesh
  --mirror         in x = 0 and y = 0: a quarter becomes a whole
  --box X0,X1,Y0,Y1   shows that part only, after mirroring
  --cut NX,NY,NZ   shows the half of the body behind the plane through its middle with this normal
  --size W,H       in pixels
  --film UNIT      all stored times (at most 200, evenly chosen), with the time in this unit above: PICTURE is an animated PNG, or
                   .mp4, .gif, .webm by ffmpeg; colours, displacements and the view are the same in all
Colours are not lit, so that they are those of the bar.
"""
import argparse
import math
import os
import struct
import subprocess
import tempfile
import zlib

from vtkmodules.vtkCommonCore import vtkLookupTable
from vtkmodules.vtkCommonDataModel import vtkBox, vtkPlane
from vtkmodules.vtkCommonTransforms import vtkTransform
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
from vtkmodules.vtkFiltersCore import vtkAppendFilter, vtkFeatureEdges, vtkPolyDataNormals, vtkThreshold, vtkClipPolyData
from vtkmodules.vtkFiltersGeneral import vtkTransformFilter, vtkWarpVector, vtkClipDataSet
from vtkmodules.vtkFiltersGeometry import vtkDataSetSurfaceFilter
from vtkmodules.vtkIOImage import vtkPNGWriter
from vtkmodules.vtkIOXdmf2 import vtkXdmfReader
from vtkmodules.vtkRenderingAnnotation import vtkScalarBarActor
from vtkmodules.vtkRenderingCore import (vtkActor, vtkPolyDataMapper, vtkRenderer, vtkRenderWindow, vtkTextActor,
                                         vtkWindowToImageFilter)
import vtkmodules.vtkRenderingFreeType
import vtkmodules.vtkRenderingOpenGL2

# Viridis (S. van der Walt and N. Smith, 2015, public domain), at equal steps; linear between.
COLOURS = [(0.267, 0.005, 0.329), (0.283, 0.141, 0.458), (0.254, 0.265, 0.530), (0.207, 0.372, 0.553), (0.164, 0.471, 0.558),
           (0.128, 0.567, 0.551), (0.135, 0.659, 0.518), (0.267, 0.749, 0.441), (0.478, 0.821, 0.318), (0.741, 0.873, 0.150),
           (0.993, 0.906, 0.144)]
INK, NEVER = (0.1, 0.1, 0.1), (0.75, 0.75, 0.75)


def arguments():
    parser = argparse.ArgumentParser()
    for name in "results", "picture", "field":
        parser.add_argument(name)
    for name in "component", "bands":
        parser.add_argument("--" + name, type=int)
    for name in "time", "never":
        parser.add_argument("--" + name, type=float)
    for name in "range", "box", "cut", "film":
        parser.add_argument("--" + name)
    for name, value in ("warp", "0"), ("view", "2d"), ("title", ""), ("bar", ""), ("size", "900,600"):
        parser.add_argument("--" + name, default=value)
    for name in "edges", "mirror":
        parser.add_argument("--" + name, action="store_true")
    return parser.parse_args()


def numbers(text):
    return [float(word) for word in text.split(",")]


def opened(args):
    reader = vtkXdmfReader()
    reader.SetFileName(args.results)
    reader.UpdateInformation()
    return reader


def read(reader, time):
    if time is None:
        reader.Update()
    else:
        reader.UpdateTimeStep(time)
    data = reader.GetOutputDataObject(0)
    while data.IsA("vtkMultiBlockDataSet"):
        data = data.GetBlock(0)
    return data


def size_of(data):
    x = data.GetBounds()
    return math.dist(x[0::2], x[1::2])


def deformed(data, factor):
    """The mesh with its displacements, and how many times they are drawn as large: 1, 2 or 5 times a power of 10."""
    moved = data.GetPointData().GetArray("displacement")
    if factor == "0" or not moved:
        return data, 0
    largest = moved.GetRange(-1)[1]
    if factor in ("auto", "modes"):
        if not largest > 0:
            return data, 0
        wanted = 0.07 * size_of(data) / largest
        wanted = max(wanted, 1) if factor == "auto" else wanted
        power = 10 ** math.floor(math.log10(wanted))
        factor = power * max(n for n in (1, 2, 5) if n * power <= wanted * 1.000001)
    warp = vtkWarpVector()
    warp.SetInputData(data)
    warp.SetInputArrayToProcess(0, 0, 0, 0, "displacement")
    warp.SetScaleFactor(float(factor))
    warp.Update()
    return warp.GetOutput(), float(factor)


def mirrored(data):
    for scale in (-1, 1, 1), (1, -1, 1):
        transform, filter_, both = vtkTransform(), vtkTransformFilter(), vtkAppendFilter()
        transform.Scale(*scale)
        filter_.SetTransform(transform)
        filter_.SetInputData(data)
        filter_.Update()
        both.AddInputData(data)
        both.AddInputData(filter_.GetOutput())
        both.Update()
        data = both.GetOutput()
    return data


def clipped(data, args, clip):
    """By a plane or box; `clip` is a filter for what `data` is, a body or a surface."""
    x = data.GetBounds()
    if args.box:
        inside = vtkBox()
        inside.SetBounds(numbers(args.box) + [x[4] - 1, x[5] + 1])
        clip.InsideOutOn()
    else:
        inside = vtkPlane()
        inside.SetOrigin([(a + b) / 2 for a, b in zip(x[0::2], x[1::2])])
        inside.SetNormal(numbers(args.cut))
    clip.SetInputData(data)
    clip.SetClipFunction(inside)
    clip.Update()
    return clip.GetOutput()


def surface(data, level):
    skin = vtkDataSetSurfaceFilter()
    skin.SetNonlinearSubdivisionLevel(level)
    skin.SetInputData(data)
    skin.Update()
    return skin.GetOutput()


def actor(data, colour=None):
    mapper, actor = vtkPolyDataMapper(), vtkActor()
    mapper.SetInputData(data)
    mapper.ScalarVisibilityOff()
    mapper.SetResolveCoincidentTopologyToPolygonOffset()  # lines lie on top of faces
    actor.SetMapper(mapper)
    actor.GetProperty().LightingOff()
    if colour:
        actor.GetProperty().SetColor(colour)
    return actor


def without(data, field, value, keep):
    part = vtkThreshold()
    part.SetInputData(data)
    part.SetInputArrayToProcess(0, 0, 0, 0, field)
    part.SetAllScalars(1 if keep else 0)
    part.SetLowerThreshold(value + 1e-9 if keep else value - 1)
    part.SetUpperThreshold(1e300 if keep else value + 1e-9)
    part.SetThresholdFunction(vtkThreshold.THRESHOLD_BETWEEN)
    part.Update()
    return part.GetOutput()


def table_of(low, high, bands):
    table = vtkLookupTable()
    n = bands or 512
    table.SetNumberOfTableValues(n)
    for i in range(n):
        at = i / (n - 1) * (len(COLOURS) - 1) if n > 1 else 0
        k = min(int(at), len(COLOURS) - 2)
        table.SetTableValue(i, *(a + (at - k) * (b - a) for a, b in zip(COLOURS[k], COLOURS[k + 1])), 1)
    table.SetTableRange(low, high)
    table.SetBelowRangeColor(*COLOURS[0], 1)
    table.SetAboveRangeColor(*COLOURS[-1], 1)
    table.SetNanColor(*NEVER, 1)
    return table


def colour(actor, args, body, table):
    mapper = actor.GetMapper()
    mapper.ScalarVisibilityOn()
    mapper.InterpolateScalarsBeforeMappingOn()
    mapper.SetLookupTable(table)
    mapper.UseLookupTableScalarRangeOn()
    (mapper.SetScalarModeToUseCellFieldData if body.on_cells else mapper.SetScalarModeToUsePointFieldData)()
    mapper.SelectColorArray(args.field)
    if body.component is None:
        table.SetVectorModeToMagnitude()
    else:
        table.SetVectorModeToComponent()
        table.SetVectorComponent(body.component)


def text(renderer, words, place, size, room, centred=False):
    """Words from a place (left and top, in pixels), as large as fits into the room."""
    actor = vtkTextActor()
    actor.SetInput(words)
    style = actor.GetTextProperty()
    style.SetColor(INK)
    style.SetVerticalJustificationToTop()
    if centred:
        style.SetJustificationToCentered()
    extent = [0.0, 0.0]
    for size in range(size, 7, -1):
        style.SetFontSize(size)
        actor.GetSize(renderer, extent)
        if extent[0] <= room[0] and extent[1] <= room[1]:
            break
    actor.SetPosition(*place)
    renderer.AddViewProp(actor)


def look(renderer, view, x):
    """The camera so that all that is within the bounds x is in the picture."""
    camera = renderer.GetActiveCamera()
    camera.ParallelProjectionOn()
    direction = [0, 0, 1] if view == "2d" else numbers(view)
    center = [(a + b) / 2 for a, b in zip(x[0::2], x[1::2])]
    camera.SetFocalPoint(center)
    camera.SetPosition(*(c + 3 * math.dist(x[0::2], x[1::2]) * d for c, d in zip(center, direction)))
    camera.SetViewUp(*((0, 1, 0) if view == "2d" else (0, 0, 1)))
    renderer.ResetCamera(x)
    camera.OrthogonalizeViewUp()
    forward, up = camera.GetDirectionOfProjection(), camera.GetViewUp()
    right = [forward[1] * up[2] - forward[2] * up[1], forward[2] * up[0] - forward[0] * up[2], forward[0] * up[1] - forward[1] * up[0]]
    spans = []
    for axis in right, up:
        along = [sum(a * (x[2 * k + (corner >> k & 1)] - center[k]) for k, a in enumerate(axis)) for corner in range(8)]
        spans.append(max(along) - min(along))
    aspect = renderer.GetTiledAspectRatio()
    camera.SetParallelScale(max(spans[0] / aspect, spans[1]) / 2 * 1.06)
    renderer.ResetCameraClippingRange(x)


class Body:
    """What is drawn at one stored time."""

    def __init__(self, args, data, factor):
        self.on_cells = not data.GetPointData().HasArray(args.field)
        array = self.array(data, args)
        if not array:
            raise SystemExit("%s has no field '%s'" % (args.results, args.field))
        self.component = 0 if args.component is None and array.GetNumberOfComponents() == 1 else args.component
        self.flat = data.GetBounds()[5] - data.GetBounds()[4] <= 1e-9 * size_of(data)
        data, self.factor = deformed(data, factor)
        if args.mirror:
            data = mirrored(data)
        self.whole = data
        if args.box or args.cut:
            data = clipped(data, args, vtkClipDataSet())
        self.data, self.bounds = data, data.GetBounds()
        self.shown = data if args.never is None else without(data, args.field, args.never, True)

    def array(self, data, args):
        return (data.GetCellData() if self.on_cells else data.GetPointData()).GetArray(args.field)

    def range(self, args):
        array = self.array(self.shown, args)
        return array.GetRange(-1 if self.component is None else self.component) if array and array.GetNumberOfTuples() else (0, 1)


def picture(args, body, low, high, bounds, time, path):
    width, height = (int(n) for n in numbers(args.size))
    window, scene, page = vtkRenderWindow(), vtkRenderer(), vtkRenderer()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(0)
    window.SetSize(width, height)
    window.SetNumberOfLayers(2)
    head, side = 64 / height, 150 / width
    scene.SetViewport(0.02, 0.02, 1 - side, 1 - head)
    for renderer in page, scene:
        renderer.SetBackground(1, 1, 1)
        window.AddRenderer(renderer)
    page.SetLayer(0)
    scene.SetLayer(1)
    scene.UseFXAAOn()
    table = table_of(low, high, args.bands)
    skin = actor(surface(body.shown, 3))
    colour(skin, args, body, table)
    if args.edges:
        skin.GetProperty().EdgeVisibilityOn()
        skin.GetProperty().SetEdgeColor(0.35, 0.35, 0.35)
    scene.AddActor(skin)
    if args.never is not None:
        scene.AddActor(actor(surface(without(body.data, args.field, args.never, False), 1), NEVER))
    outline = vtkFeatureEdges()
    # Of a body that is cut: faces of cut cells do not match, so their edges are those of the whole skin, cut.
    outline.SetInputData(clipped(surface(body.whole, 3), args, vtkClipPolyData()) if args.box or args.cut else surface(body.data, 3))
    outline.SetFeatureAngle(30)
    outline.FeatureEdgesOn() if not body.flat else outline.FeatureEdgesOff()
    outline.ManifoldEdgesOff()
    outline.NonManifoldEdgesOff()
    outline.ColoringOff()
    outline.Update()
    scene.AddActor(actor(outline.GetOutput(), INK))
    look(scene, args.view if args.view != "2d" or body.flat else "1,-1.6,0.9", bounds)

    page.SetViewport(0, 0, 1, 1)
    words = args.title
    if time is not None:
        words += "%st = %.6g %s" % (", " if words else "", time, args.film)
    if body.factor and body.factor != 1:
        words += "%sdisplacements %g times as large" % ("\n" if words else "", body.factor)
    if words:
        text(page, words, (14, height - 10), 18, (width - 28, 54))
    text(page, args.bar or args.field, (width - 75, height - 74), 16, (142, 60), True)
    bar = vtkScalarBarActor()
    bar.SetLookupTable(table)
    bar.SetTitle("")
    bar.SetNumberOfLabels(6 if not args.bands else min(args.bands + 1, 7))
    bar.SetLabelFormat("%-#.4g")
    bar.UnconstrainedFontSizeOn()
    bar.GetLabelTextProperty().SetColor(INK)
    bar.GetLabelTextProperty().SetFontSize(14)
    bar.GetLabelTextProperty().ItalicOff()
    bar.GetLabelTextProperty().BoldOff()
    bar.GetLabelTextProperty().ShadowOff()
    bar.GetPositionCoordinate().SetCoordinateSystemToNormalizedViewport()
    bar.SetPosition(1 - 128 / width, 0.08)
    bar.SetWidth(110 / width)
    bar.SetHeight(1 - 150 / height - 0.08)
    bar.SetBarRatio(0.2)
    page.AddViewProp(bar)
    window.Render()
    image, writer = vtkWindowToImageFilter(), vtkPNGWriter()
    image.SetInput(window)
    image.ReadFrontBufferOff()
    writer.SetFileName(path)
    writer.SetCompressionLevel(9)
    writer.SetInputConnection(image.GetOutputPort())
    writer.Write()


def spread(args, low, high):
    if args.range:
        low, high = numbers(args.range)
    if not high - low > 1e-7 * max(abs(low), abs(high)):  # less is left by the solver
        low, high = low - (abs(low) or 1) / 2, high + (abs(high) or 1) / 2
    return low, high


def animated(pngs, path, milliseconds):
    """An animated PNG (PNG, third edition, W3C 2025, 11.3.6) of pictures of one size."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    def chunks(data):
        at = 8
        while at < len(data):
            size = struct.unpack_from(">I", data, at)[0]
            yield data[at + 4:at + 8], data[at + 8:at + 8 + size]
            at += size + 12

    number = 0
    with open(path, "wb") as file:
        for k, png in enumerate(pngs):
            with open(png, "rb") as one:
                parts = list(chunks(one.read()))
            head = dict(parts)[b"IHDR"]
            if k == 0:
                file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"acTL", struct.pack(">II", len(pngs), 0)))
            file.write(chunk(b"fcTL", struct.pack(">I", number) + head[:8] + struct.pack(">IIHHBB", 0, 0, milliseconds, 1000, 0, 0)))
            number += 1
            for data in (d for name, d in parts if name == b"IDAT"):
                file.write(chunk(b"IDAT", data) if k == 0 else chunk(b"fdAT", struct.pack(">I", number) + data))
                number += k > 0
        file.write(chunk(b"IEND", b""))


def encoded(folder, path, milliseconds):
    """Pictures 0.png, 1.png, ... as what the name ends with, by ffmpeg: H.264 takes even sizes only, a GIF has colours of its own."""
    look = "split[a][b];[a]palettegen[p];[b][p]paletteuse" if path.endswith(".gif") else "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white,format=yuv420p"
    words = ["ffmpeg", "-y", "-loglevel", "error", "-framerate", "%g" % (1000 / milliseconds), "-i", os.path.join(folder, "%d.png"), "-vf", look, path]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        raise SystemExit("ffmpeg: " + done.stdout.decode(errors="replace").strip().splitlines()[-1])


def film(args):
    reader = opened(args)
    times = reader.GetOutputInformation(0).Get(vtkStreamingDemandDrivenPipeline.TIME_STEPS())
    n = min(len(times), 200)
    times = [times[round(k * (len(times) - 1) / max(n - 1, 1))] for k in range(n)]
    factor = args.warp if args.warp != "auto" else str(min((f for f in (deformed(read(reader, t), "auto")[1] for t in times) if f), default=0))
    low, high, bounds = math.inf, -math.inf, [math.inf, -math.inf] * 3
    for time in times:
        body = Body(args, read(reader, time), factor)
        some = body.range(args)
        low, high = min(low, some[0]), max(high, some[1])
        bounds = [(min, max)[k % 2](a, b) for k, (a, b) in enumerate(zip(bounds, body.bounds))]
    low, high = spread(args, low, high)
    with tempfile.TemporaryDirectory() as folder:
        frames = [os.path.join(folder, "%d.png" % k) for k in range(n)]
        for time, frame in zip(times, frames):
            picture(args, Body(args, read(reader, time), factor), low, high, bounds, time, frame)
        if args.picture.endswith("png"):
            animated(frames, args.picture, 100)
        else:
            encoded(folder, args.picture, 100)


def main():
    args = arguments()
    if args.film is not None:
        return film(args)
    body = Body(args, read(opened(args), args.time), args.warp)
    picture(args, body, *spread(args, *body.range(args)), body.bounds, None, args.picture)


main()
