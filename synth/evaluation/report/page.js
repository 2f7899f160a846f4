"use strict";
const root = document.documentElement;
function show(language) {
  root.dataset.lang = language;
  root.lang = language === "zh" ? "zh-Hans" : "en";
  for (const button of document.querySelectorAll("nav button")) button.setAttribute("aria-pressed", String(button.dataset.to === language));
}
for (const button of document.querySelectorAll("nav button")) button.addEventListener("click", () => show(button.dataset.to));
show((navigator.language || "en").toLowerCase().startsWith("zh") ? "zh" : "en");
for (const search of document.querySelectorAll("input[type=search]")) {
  search.addEventListener("input", () => {
    const wanted = search.value.toLowerCase();
    for (const row of search.parentElement.querySelectorAll(".row")) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
}
let opened = [];
addEventListener("beforeprint", () => { opened = [...document.querySelectorAll("figure details:not([open])")]; for (const one of opened) one.open = true; });
addEventListener("afterprint", () => { for (const one of opened) one.open = false; });
