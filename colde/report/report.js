const view = mount(document.getElementById("view"), JSON.parse(document.getElementById("payload").textContent));

const button = document.getElementById("theme");
const scheme = matchMedia("(prefers-color-scheme: dark)");
button.hidden = false;
button.addEventListener("click", () => {
  const { dataset } = document.documentElement;
  const dark = dataset.theme ? dataset.theme === "dark" : scheme.matches;
  dataset.theme = dark ? "light" : "dark";
  view.repaint();
});
