"""Open reports in headless Chromium: no overflow, no console error, no request, at two widths and themes.

    .venv/bin/python tests/browser/check_report.py REPORT.html [--shots FOLDER]

Exit code 0 when all is well, 1 with one line a problem otherwise. Needs Debian's ``chromium``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--no-sandbox --disable-gpu --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
SIZES = {"desktop": (1360, 900), "phone": (360, 740)}
THEMES = ("light", "dark")

WIDER_THAN_PAGE = """() => {
  const width = document.documentElement.clientWidth, wide = [];
  if (document.documentElement.scrollWidth > width) wide.push(`page is ${document.documentElement.scrollWidth} wide, window ${width}`);
  for (const e of document.querySelectorAll('main *')) {
    if (e.closest('.scroll') || e.closest('svg')) continue;
    const box = e.getBoundingClientRect();
    if (box.width && box.right > width + 1) wide.push(`${e.tagName}.${e.className} reaches ${Math.round(box.right)}`);
  }
  return wide.slice(0, 10);
}"""

TEXT_OUTSIDE_PLOT = """() => {
  const out = [];
  for (const plot of document.querySelectorAll('svg.plot')) {
    const frame = plot.getBoundingClientRect();
    for (const text of plot.querySelectorAll('text')) {
      const box = text.getBoundingClientRect();
      if (box.width && (box.left < frame.left - 2 || box.right > frame.right + 2 || box.top < frame.top - 2 || box.bottom > frame.bottom + 2))
        out.push(`${plot.querySelector('title').id}: "${text.textContent.trim()}" is cut off`);
    }
  }
  return out.slice(0, 10);
}"""

SORTS = """() => {
  const table = document.querySelector('table.sortable');
  if (!table) return [];
  const buttons = table.querySelectorAll('th button');
  const button = buttons[buttons.length - 1];
  const column = buttons.length - 1;
  const read = () => [...table.tBodies[0].rows].map(r => Number(r.cells[column].dataset.sort ?? 'NaN'));
  button.click();
  const up = read();
  button.click();
  const down = read();
  const rising = a => a.every((x, i) => !i || a[i - 1] <= x);
  return rising(up) && rising([...down].reverse()) ? [] : ['the first table does not sort'];
}"""


def problems(file: Path, shots: Path | None = None) -> Iterator[str]:
    """What is wrong with a report, one sentence each."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for size, (width, height) in SIZES.items():
            for theme in THEMES:
                where = f"{size}, {theme}"
                for problem in _one(browser, file, (width, height), theme, shots, size):
                    yield f"{where}: {problem}"
        browser.close()


def _one(
    browser: Any, file: Path, box: tuple[int, int], theme: str, shots: Path | None, size: str
) -> Iterator[str]:
    page = browser.new_page(
        viewport={"width": box[0], "height": box[1]}, color_scheme=theme, device_scale_factor=1
    )
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda m: said.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda e: said.append(str(e)))
    page.on("request", lambda r: asked.append(r.url))
    address = file.resolve().as_uri()
    page.goto(address, wait_until="load")
    yield from (f"console says: {text}" for text in said)
    yield from (
        f"asks for {url}" for url in asked if url != address and not url.startswith("data:")
    )
    yield from page.evaluate(WIDER_THAN_PAGE)
    yield from page.evaluate(TEXT_OUTSIDE_PLOT)
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    yield from (f"opened up: {text}" for text in page.evaluate(WIDER_THAN_PAGE))
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = false; })")
    if shots is not None:
        shots.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=shots / f"{size}-{theme}.png", full_page=True)
    yield from page.evaluate(SORTS)
    page.close()


def main() -> int:
    """Check the files that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("reports", nargs="+", type=Path)
    parser.add_argument("--shots", type=Path, help="folder for screenshots")
    options = parser.parse_args()
    found = 0
    for file in options.reports:
        for problem in problems(file, options.shots):
            sys.stdout.write(f"{file}: {problem}\n")
            found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
