// The review page: rows come one after another, to each person their own.

import { $, ask, askName, doing, element, enter, leave, load, memory, panel, put, say, setting, showKeys, stage, words } from "/common.js";
import { clear, open, prepare, row, speak, undo } from "/desk.js";

let progress = { done: 0, total: 0 };

function shownProgress() {
  $("progress").textContent = say("progress", progress);
  $("filled").style.width = `${progress.total ? 100 * progress.done / progress.total : 0}%`;
}

function spoken() {
  document.title = `${say("title")} · ${setting.set}`;
  $("open-list").textContent = say("list");
  $("open-guide").textContent = say("guide");
  $("settling").textContent = say("settling");
  $("settling").hidden = !setting.settle;
  $("finished").querySelector("h1").textContent = say("done_title");
  $("finished").querySelector("p").textContent = say("done_text");
  $("finished-list").textContent = `${say("list")} · L`;
  $("finished-undo").textContent = `${say("undo")} · U`;
  shownProgress();
  speak();
}

// Moving

function settled(found) {
  if (found.progress) progress = found.progress;
  shownProgress();
  if (found.row) open(found.row);
  else {
    clear();
    stage("finished");
  }
}

const next = async () => settled(await ask("next"));
const show = id => doing(async () => open((await ask("row", { id })).row));

function move(step) {
  doing(async () => {
    const rows = (await ask("rows")).rows;
    const here = rows.findIndex(one => row && one.id === row.id);
    const target = rows[here < 0 ? (step < 0 ? rows.length - 1 : 0) : here + step];
    if (target) open((await ask("row", { id: target.id })).row);
  });
}

// Panels

const KEYS = [["A", "accept"], ["E", "edit"], ["R", "reject"], ["S", "skip"], ["U", "undo"], ["C", "comment"], ["D", "rate"], ["F", "rate_all"],
  ["← →", "move"], ["J K", "scroll"], ["T", "source"], ["M", "more"], ["L", "list"], ["G", "guide"], ["?", "help"], ["Esc", "escape"]];
const help = () => showKeys(KEYS);

function rows() {
  doing(async () => {
    const list = element("ul", undefined, "rows");
    for (const one of (await ask("rows")).rows) {
      const button = element("button");
      button.type = "button";
      button.append(element("span", one.number, "number"), put(element("span", undefined, "words"), one.question));
      button.append(element("span", one.decision ? words.decision[one.decision] : say("open"), `state ${one.decision || ""}`));
      button.addEventListener("click", () => { $("panel").close(); show(one.id); });
      const item = element("li");
      item.append(button);
      list.append(item);
    }
    panel(say("list"), list);
  });
}

function guide() {
  doing(async () => {
    const made = [];
    let list = null;
    for (const block of (await ask("guideline", { language: document.documentElement.lang })).blocks) {
      if (block.kind === "title") continue;
      if (block.kind !== "item") list = null;
      const tag = { heading: "h3", text: "p", item: "li" }[block.kind];
      const part = element(tag);
      if (block.lead) part.append(element("strong", block.lead + words.colon));
      part.append(put(element("span"), block.text));
      if (tag !== "li") made.push(part);
      else {
        if (!list) made.push(list = element("ul"));
        list.append(part);
      }
    }
    panel(say("guide"), ...made);
  });
}

// Beginning

async function begin() {
  await load(spoken);
  prepare({
    settled,
    drawn() {},
    nameless: () => askName(next),
    keys: { l: rows, g: guide, "?": help, arrowleft: () => move(-1), arrowright: () => move(1) },
  });
  $("open-list").addEventListener("click", rows);
  $("open-guide").addEventListener("click", guide);
  $("open-help").addEventListener("click", help);
  $("finished-list").addEventListener("click", rows);
  $("finished-undo").addEventListener("click", undo);
  $("switch").addEventListener("click", () => { leave(); clear(); askName(next); });
  const known = memory.get("who");
  if (known) enter(known, next);
  else askName(next);
}
begin();
