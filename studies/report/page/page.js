// Draws all figures, when the page is there.

const DRAWERS = {chart: drawChart, bars: drawBars, matrix: drawMatrix, table: drawTable, points: drawPoints, lanes: drawLanes};

(() => {
  performance.mark("busline-begin");
  const sections = JSON.parse(document.getElementById("data").textContent);
  for (const box of document.querySelectorAll(".drawing")) {
    const figure = sections[box.dataset.section][box.dataset.figure];
    DRAWERS[figure.type](box, figure, figure.title);
  }

  const theme = document.getElementById("theme"), root = document.documentElement;
  const label = () => theme.textContent = isDark() ? "Light" : "Dark";
  theme.hidden = false;
  theme.setAttribute("aria-label", "Switch between light and dark colours");
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    label();
    redrawAll();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    label();
    redrawAll();
  });
  label();

  // Paper is light.
  let before;
  addEventListener("beforeprint", () => {
    before = root.dataset.theme;
    root.dataset.theme = "light";
    redrawAll();
  });
  addEventListener("afterprint", () => {
    if (before) root.dataset.theme = before;
    else delete root.dataset.theme;
    redrawAll();
  });
  performance.mark("busline-end");
  root.dataset.ready = "yes";
})();
