const chosen = document.getElementById("version");
chosen.addEventListener("change", () => {
  for (const sentence of document.querySelectorAll("details[data-versions]"))
    sentence.hidden = Boolean(chosen.value) && !sentence.dataset.versions.split(" ").includes(chosen.value);
});
