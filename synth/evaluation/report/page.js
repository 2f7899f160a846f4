"use strict";
const root = document.documentElement;
function show(language) {
  root.dataset.lang = root.lang = language;
  for (const button of document.querySelectorAll("nav button")) button.setAttribute("aria-pressed", String(button.dataset.to === language));
}
for (const button of document.querySelectorAll("nav button")) button.addEventListener("click", () => show(button.dataset.to));
const wanted = (navigator.language || "en").toLowerCase();
show(!wanted.startsWith("zh") ? "en" : /hant|tw|hk|mo/.test(wanted) ? "zh-Hant" : "zh-Hans");
for (const list of document.querySelectorAll(".rows")) {
  const whole = () => list.classList.add("whole");
  list.querySelector(".all")?.addEventListener("click", whole);
  const search = list.querySelector("input");
  search.addEventListener("input", () => {
    whole();
    const words = search.value.toLowerCase();
    for (const row of list.querySelectorAll(".row")) row.hidden = !row.textContent.toLowerCase().includes(words);
  });
}
let opened = [];
addEventListener("beforeprint", () => { opened = [...document.querySelectorAll("details:not(.row):not([open])")]; for (const one of opened) one.open = true; });
addEventListener("afterprint", () => { for (const one of opened) one.open = false; });
