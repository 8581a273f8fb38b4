"""Drawing a figure once for several formats: what is drawn is taken down, and played to each of them.

Most of the time that matplotlib takes for a figure it thinks about ticks and the places of texts. That is
the same for all formats, whose own part is short. This module is imported where something is drawn.
"""

# ruff: noqa: TID253

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, TransformedBbox, TransformedPath

if TYPE_CHECKING:
    from matplotlib.backends.backend_agg import RendererAgg
    from matplotlib.figure import Figure

Call = tuple[Callable[..., None], tuple[Any, ...]]


class Recorder(RendererBase):
    """A renderer that takes down what is drawn.

    Parameters
    ----------
    agg : RendererAgg
        Of the same size, which knows how wide texts are.
    dpi : float
    """

    def __init__(self, agg: "RendererAgg", dpi: float) -> None:
        super().__init__()
        self.agg: Any = agg
        self.dpi = dpi
        self.calls: list[Call] = []
        self.is_whole = True

    def _take(self, play: Callable[..., None], gc: GraphicsContextBase, *what: Any) -> None:
        kept: Any = GraphicsContextBase()
        kept.copy_properties(gc)
        _scale_clips(kept, Affine2D())  # frozen: they change with the resolution of the figure
        self.calls.append((play, (kept, *what)))

    def draw_path(self, gc: Any, path: Any, transform: Any, rgbFace: Any = None) -> None:  # noqa: N803
        """Take down a path."""
        self._take(_path, gc, path, transform.frozen(), rgbFace)

    def draw_markers(self, gc: Any, *what: Any, rgbFace: Any = None) -> None:  # noqa: N803
        """Take down a path that stands in many places."""
        marker, marker_trans, path, trans, *face = what
        self._take(
            _markers, gc, marker, marker_trans.frozen(), path, trans.frozen(), face[0] if face else rgbFace
        )

    def draw_path_collection(self, gc: Any, master_transform: Any, *what: Any, **more: Any) -> None:
        """Take down many paths."""
        paths, all_transforms, offsets, offset_trans, *rest = what
        frozen = (
            master_transform.frozen(),
            paths,
            all_transforms,
            offsets,
            offset_trans.frozen(),
            rest,
            more,
        )
        self._take(_collection, gc, *frozen)

    def draw_text(self, gc: Any, *what: Any, **more: Any) -> None:
        """Take down a text."""
        self._take(_text, gc, what, more)

    def draw_image(self, *_: Any, **__: Any) -> None:
        """Give up: an image is made for one format."""
        self.is_whole = False

    def get_text_width_height_descent(self, *text: Any, **more: Any) -> Any:
        """How large a text is."""
        return self.agg.get_text_width_height_descent(*text, **more)

    def get_canvas_width_height(self) -> Any:
        """How large the figure is."""
        return self.agg.get_canvas_width_height()

    def points_to_pixels(self, points: Any) -> Any:
        """How many pixels some points are."""
        return points * self.dpi / 72

    def flipy(self) -> bool:
        """Whether texts are placed from the top."""
        return True


class Recording:
    """What a figure was drawn with.

    Parameters
    ----------
    figure : Figure
        It draws itself as recorded from now on, unless it cannot be recorded.
    agg : RendererAgg
    """

    def __init__(self, figure: "Figure", agg: "RendererAgg") -> None:
        recorder = Recorder(agg, figure.dpi)
        self.width, self.height = recorder.get_canvas_width_height()
        figure.draw(recorder)
        self.calls = recorder.calls
        self.paper: str | None = None
        if recorder.is_whole:
            figure.draw = self.play  # type: ignore[method-assign]

    def play(self, renderer: Any) -> None:
        """Draw the same with another renderer."""
        width, height = renderer.get_canvas_width_height()
        scale = width / self.width
        if self.paper is not None:
            gc = renderer.new_gc()
            gc.set_linewidth(0)
            paper = Path.unit_rectangle()
            renderer.draw_path(gc, paper, Affine2D().scale(width, height), _rgba(self.paper))
            gc.restore()
        to = Affine2D().scale(scale)
        for play, (kept, *what) in self.calls:
            gc = renderer.new_gc()
            gc.copy_properties(kept)
            _scale_clips(gc, to)
            play(renderer, gc, to, *what)
            gc.restore()


def _rgba(color: str) -> Any:
    from matplotlib.colors import to_rgba

    return to_rgba(color)


def _scale_clips(gc: Any, to: Affine2D) -> None:
    box = gc.get_clip_rectangle()
    if box is not None:
        gc.set_clip_rectangle(TransformedBbox(box, to).frozen())
    path, transform = gc.get_clip_path()
    if path is not None:
        gc.set_clip_path(TransformedPath(path, (transform + to).frozen()))


def _path(renderer: Any, gc: Any, to: Affine2D, path: Any, transform: Any, face: Any) -> None:
    renderer.draw_path(gc, path, transform + to, face)


def _markers(renderer: Any, gc: Any, to: Affine2D, *what: Any) -> None:
    marker, marker_trans, path, trans, face = what
    renderer.draw_markers(gc, marker, marker_trans + to, path, trans + to, face)


def _collection(renderer: Any, gc: Any, to: Affine2D, *what: Any) -> None:
    master, paths, transforms, offsets, offset_trans, rest, more = what
    renderer.draw_path_collection(
        gc, (master + to).frozen(), paths, transforms, offsets, offset_trans + to, *rest, **more
    )


def _text(renderer: Any, gc: Any, to: Affine2D, what: Any, more: Any) -> None:
    x, y, *rest = what
    scale = to.get_matrix()[0, 0]
    height = renderer.get_canvas_width_height()[1]
    from_top = y * scale
    renderer.draw_text(gc, x * scale, from_top if renderer.flipy() else height - from_top, *rest, **more)
