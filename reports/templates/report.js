"use strict";
(() => {
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  button.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; });

  const value = (row, i) => {
    const cell = row.cells[i];
    const text = cell.dataset.sort ?? cell.textContent.trim();
    const number = Number(text);
    return text !== "" && !Number.isNaN(number) ? number : text;
  };
  const compare = (a, b) => {
    if (typeof a === "number" && typeof b === "number") return a - b;
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    return a.localeCompare(b);
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, i) => head.firstElementChild.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...table.tBodies[0].rows];
      rows.sort((a, b) => compare(value(a, i), value(b, i)) * (down ? -1 : 1));
      table.tBodies[0].append(...rows);
    }));
  }
  const unfold = () => {
    const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const fold = named && named.closest("details");
    if (fold && !fold.open) { fold.open = true; named.scrollIntoView(); }
  };
  addEventListener("hashchange", unfold);
  unfold();
  for (const copy of document.querySelectorAll(".copy")) {
    copy.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(copy.dataset.copy);
        copy.textContent = "copied";
      } catch {
        const range = document.createRange();
        range.selectNodeContents(copy.previousElementSibling);
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        copy.textContent = "selected";
      }
      setTimeout(() => { copy.textContent = "copy"; }, 1500);
    });
  }
})();
