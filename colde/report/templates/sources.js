mountSources(document.getElementById("view"), JSON.parse(document.getElementById("payload").textContent));
