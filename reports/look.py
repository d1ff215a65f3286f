"""How figures look: one size, one palette, quiet axes; SVG that is the same bytes every time.

Every colour below is unique, so ``svg`` can swap it for the CSS variable of its role: one drawing
serves the light and the dark page. In Jupyter the same figure shows in the light colours.
The categorical colours are Okabe & Ito's (distinct for colour-blind readers), slightly darkened.
"""

from __future__ import annotations

import functools
import io
import re
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as MplFigure

INK = "#1b2733"
MUTED = "#5b6b7a"
GRID = "#dbe2e8"
PAPER = "#fefefe"
BAND = "#e3eef0"
FAIR = "#0b7a75"
UNFAIR = "#b5442b"
UNKNOWN = "#7a6a1f"
SERIES = ("#0868a8", "#c2570c", "#127a5b", "#a8487e", "#8a6d00", "#3f8fc4", "#6b4fa0", "#565656")
SEQUENCE = (
    "#eef5f9",
    "#d8e8f1",
    "#bdd8e7",
    "#9cc5dc",
    "#76aed0",
    "#4f94c0",
    "#2f79aa",
    "#1a5f8f",
    "#0d4772",
)
DIVERGE = (
    "#9a3a12",
    "#c2683d",
    "#e09e7b",
    "#f2d3c1",
    "#f3f4f2",
    "#c9dfe8",
    "#8fbdd2",
    "#4e93b4",
    "#1a6a90",
)
UP, DOWN, WHITE_SPACE, RANGE, PLAIN_SPACE, FREE_SPACE = (
    "#d98872",
    "#8dbb86",
    "#fbfcfd",
    "#c9b458",
    "#e9eef2",
    "#dfe9d8",
)

ROLES: dict[str, str] = {
    INK: "ink",
    MUTED: "muted",
    GRID: "grid",
    PAPER: "paper",
    BAND: "band",
    FAIR: "fair",
    UNFAIR: "unfair",
    UNKNOWN: "unknown",
    UP: "up",
    DOWN: "down",
    WHITE_SPACE: "white",
    RANGE: "range",
    PLAIN_SPACE: "plain",
    FREE_SPACE: "free",
    **{colour: f"s{i + 1}" for i, colour in enumerate(SERIES)},
    **{colour: f"q{i}" for i, colour in enumerate(SEQUENCE)},
    **{colour: f"d{i}" for i, colour in enumerate(DIVERGE)},
}

DARK: dict[str, str] = {
    "ink": "#e8edf2",
    "muted": "#9fb0bf",
    "grid": "#32404d",
    "paper": "#18212a",
    "band": "#21363a",
    "fair": "#4cc3b5",
    "unfair": "#f0886c",
    "unknown": "#d8c56a",
    "up": "#a4543f",
    "down": "#4f8048",
    "white": "#46545f",
    "range": "#94822f",
    "plain": "#2b3742",
    "free": "#34423a",
    "s1": "#5db3ec",
    "s2": "#f39a52",
    "s3": "#52c7a0",
    "s4": "#e08fbb",
    "s5": "#d7b73a",
    "s6": "#9ad2f5",
    "s7": "#b79df0",
    "s8": "#b5b5b5",
    "q0": "#1e2a35",
    "q1": "#20374a",
    "q2": "#22455f",
    "q3": "#245575",
    "q4": "#2b698f",
    "q5": "#3a82ac",
    "q6": "#5a9fc6",
    "q7": "#86bddc",
    "q8": "#b9dcf0",
    "d0": "#f0936b",
    "d1": "#c96f49",
    "d2": "#935238",
    "d3": "#5c3d31",
    "d4": "#2a333b",
    "d5": "#2a4652",
    "d6": "#33647a",
    "d7": "#4a8aa8",
    "d8": "#7dbbd6",
}

FONT = "Inter, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"
WIDTH, HEIGHT = 4.4, 2.9  # inches: a column of the page, and readable on a phone
SHOWN = 116  # most pixels an inch on the page
SETTINGS: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "simulate",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 10,
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlecolor": INK,
    "axes.labelsize": 9.5,
    "axes.labelcolor": MUTED,
    "axes.edgecolor": GRID,
    "axes.linewidth": 1.0,
    "axes.grid": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "savefig.facecolor": "none",
    "text.color": INK,
    "xtick.color": MUTED,
    "ytick.color": INK,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9.5,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "legend.labelcolor": INK,
    "lines.solid_capstyle": "round",
    "figure.dpi": 100,
    "savefig.dpi": 100,
}


def canvas(
    rows: int = 1, columns: int = 1, width: float = WIDTH, height: float = HEIGHT, **more: Any
) -> tuple[MplFigure, Any]:
    """A figure and its axes in the report's style (no pyplot state is touched)."""
    import matplotlib as mpl
    from matplotlib.figure import Figure as MplFigure

    with mpl.rc_context(SETTINGS):
        figure = MplFigure(figsize=(width, height), layout="constrained")
        engine: Any = figure.get_layout_engine()
        engine.set(w_pad=0.14)  # inches: text is wider in some fonts
        axes = figure.subplots(rows, columns, **more)
    return figure, axes


P = ParamSpec("P")
R = TypeVar("R")


def styled(draw: Callable[P, R]) -> Callable[P, R]:
    """A drawing function in the report's style."""

    @functools.wraps(draw)
    def inner(*args: P.args, **kwargs: P.kwargs) -> R:
        import matplotlib as mpl

        with mpl.rc_context(SETTINGS):
            return draw(*args, **kwargs)

    return inner


def grid(axes: Axes, axis: Literal["x", "y", "both"] = "x") -> None:
    """Quiet lines behind the data along one axis."""
    axes.grid(True, axis=axis, color=GRID, linewidth=0.8, zorder=0)
    axes.set_axisbelow(True)


def percent_axis(axes: Axes, axis: str = "x") -> None:
    """Label a 0-1 axis in percent."""
    from matplotlib.ticker import FuncFormatter

    formatter = FuncFormatter(lambda value, _: f"{round(value * 100, 6):g}%".replace("-", "\u2212"))
    (axes.xaxis if axis == "x" else axes.yaxis).set_major_formatter(formatter)


def series(index: int) -> str:
    """Colour of the i-th category."""
    return SERIES[index % len(SERIES)]


# ---------------------------------------------------------------- SVG


def svg(figure: MplFigure, name: str, alt: str) -> str:
    """Inline SVG of a figure: ids prefixed by ``name``, colours as CSS variables, text as text."""
    import matplotlib as mpl

    buffer = io.StringIO()
    with mpl.rc_context(SETTINGS):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->\s*", "", text, flags=re.DOTALL)
    text = _rename(text, name)
    text = _colours(text)
    text = _fonts(text)
    text = _head(text, name, alt)
    return re.sub(r"\n\s*", "\n", text).strip()


def _rename(text: str, name: str) -> str:
    """Ids that are used get a prefix, the others go."""
    used = set(re.findall(r'(?:url\(#|href="#)([^")]+)', text))

    def swap(match: re.Match[str]) -> str:
        return f' id="{name}-{match[1]}"' if match[1] in used else ""

    text = re.sub(r'\sid="([^"]+)"', swap, text)
    text = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", text)
    return re.sub(r'(?:xlink:)?href="#([^"]+)"', rf'href="#{name}-\1"', text)


def _colours(text: str) -> str:
    """Every colour of the palette becomes the variable of its role."""
    for colour, role in ROLES.items():
        text = re.sub(re.escape(colour), f"var(--{role})", text, flags=re.IGNORECASE)
    return text


def _fonts(text: str) -> str:
    """Only the size stays; the family is the page's."""
    return re.sub(r"font-family: [^;\"]+; ?", "", text)


def _head(text: str, name: str, alt: str) -> str:
    """The opening tag: no fixed size, a title and a role for screen readers."""
    import html

    match = re.match(r"<svg[^>]*>", text)
    assert match is not None
    box = re.search(r'viewBox="([^"]+)"', match[0])
    assert box is not None
    width = float(box[1].split()[2]) * SHOWN / 72
    head = (
        f'<svg viewBox="{box[1]}" role="img" aria-labelledby="{name}-alt" class="plot" '
        f'style="max-width: {width:.0f}px">\n<title id="{name}-alt">{html.escape(alt)}</title>'
    )
    return head + text[match.end() :]
