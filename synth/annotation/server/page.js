"use strict";
(() => {
const $ = id => document.getElementById(id);
const LETTERS = { a: "accept", e: "edit", r: "reject", s: "skip" };
const DIGITS = "1234567890";
// Characters that are not seen, or turn others round, are shown by their number.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;
let setting, words, who = "", row = null, form = null, mode = "read", asWritten = false, progress = { done: 0, total: 0 }, busy = false;

// What is kept in this browser: name, language, and what is written but not yet decided

const memory = {
  get(key) { try { return localStorage.getItem(`synth-review:${key}`); } catch { return null; } },
  set(key, value) { try { localStorage.setItem(`synth-review:${key}`, value); } catch { /* private window */ } },
  drop(key) { try { localStorage.removeItem(`synth-review:${key}`); } catch { /* private window */ } },
};
const draftKey = () => `draft:${setting.set}:${who}:${row.id}:${row.hash}`;
function keepDraft() {
  if (row) memory.set(draftKey(), JSON.stringify({ ...form, mode: mode === "edit" ? "edit" : "read" }));
}

// Words

function fill(text, value) {
  return typeof value === "object" ? text.replace(/\{(\w+)\}/g, (_, name) => value[name]) : text.replace("{}", () => value);
}
const say = (name, value) => value === undefined ? words.page[name] : fill(words.page[name], value);

function ownLanguage() {
  const kept = memory.get("language");
  if (kept && setting.words[kept]) return kept;
  for (const tag of navigator.languages) {
    if (/^zh\b.*(hant|tw|hk|mo)/i.test(tag)) return "zh-Hant";
    if (/^zh\b/i.test(tag)) return "zh-Hans";
    if (/^en\b/i.test(tag)) return "en";
  }
  return setting.language;
}

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** Puts a text into an element as text; what would not be seen of it is shown by number. */
function put(target, text) {
  target.replaceChildren();
  let place = 0;
  for (const found of text.matchAll(UNSEEN)) {
    target.append(text.slice(place, found.index));
    const code = found[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    target.append(element("span", `U+${code}`, "unseen"));
    place = found.index + found[0].length;
  }
  target.append(text.slice(place));
  return target;
}

// Requests

async function ask(name, body = {}, again = true) {
  let answer;
  try {
    answer = await fetch(`/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-synth-token": setting.token },
      body: JSON.stringify({ annotator: who, ...body }),
    });
  } catch {
    throw new Error(say("offline"));
  }
  if (answer.status === 403 && again) {  // the server was started anew
    const fresh = await fetch("/setting").then(found => found.ok ? found.json() : null, () => null);
    if (fresh) {
      setting.token = fresh.token;
      return ask(name, body, false);
    }
  }
  const found = await answer.json().catch(() => ({ error: `${answer.status}` }));
  if (found.overtaken) return found;
  if (!answer.ok) throw new Error(say("refused", found.error || answer.status));
  return found;
}

async function doing(work) {
  if (busy) return;
  busy = true;
  try {
    await work();
  } catch (error) {
    toast(error.message, true);
  } finally {
    busy = false;
  }
}

let fading;
function toast(text, bad = false) {
  put($("toast"), text);
  $("toast").className = bad ? "shown bad" : "shown";
  clearTimeout(fading);
  fading = setTimeout(() => { $("toast").className = ""; }, bad ? 7000 : 2200);
}

// The page

function stage(name) {
  for (const id of ["desk", "enter", "finished"]) $(id).hidden = id !== name;
  document.body.dataset.stage = name;
}

function shownProgress() {
  $("progress").textContent = say("progress", progress);
  $("filled").style.width = `${progress.total ? 100 * progress.done / progress.total : 0}%`;
}

function keyed(key, text, className) {
  const button = element("button", undefined, className);
  button.type = "button";
  button.append(element("kbd", key), ` ${text}`);
  return button;
}

function speak(language) {
  words = setting.words[language];
  document.documentElement.lang = language;
  memory.set("language", language);
  $("language").value = language;
  $("language").title = say("language");
  document.title = `${say("title")} · ${setting.set}`;
  put($("set"), setting.set);
  $("open-list").textContent = say("list");
  $("open-guide").textContent = say("guide");
  $("open-help").textContent = `${say("help")} ?`;
  put($("switch"), who || "—");
  $("switch").hidden = !who;
  $("switch").title = say("switch");
  $("answers-label").textContent = say("answers");
  $("question-label").textContent = $("edit-question-label").textContent = say("question");
  $("edit-answers-label").textContent = say("edit_answers");
  $("save").textContent = `${say("save")} · Ctrl+Enter`;
  $("cancel").textContent = `${say("cancel")} · Esc`;
  $("why").textContent = say("why");
  $("settling").textContent = say("settling");
  $("settling").hidden = !setting.settle;
  $("comment").placeholder = `${say("comment_hint")} · C`;
  $("comment-label").textContent = say("comment");
  $("who-title").textContent = say("who");
  $("who-hint").textContent = say("who_hint");
  $("begin").textContent = say("start");
  $("finished").querySelector("h1").textContent = say("done_title");
  $("finished").querySelector("p").textContent = say("done_text");
  $("finished-list").textContent = `${say("list")} · L`;
  $("finished-undo").textContent = `${say("undo")} · U`;
  $("panel-close").textContent = `${say("close")} · Esc`;
  $("evidence-label").textContent = say("evidence");
  drawActions();
  drawReasons();
  shownProgress();
  if (row) draw();
}

function drawActions() {
  const made = Object.entries(LETTERS).map(([key, name]) => {
    const button = keyed(key.toUpperCase(), words.decision[name], name);
    button.id = `do-${name}`;
    button.addEventListener("click", () => choose(name));
    return button;
  });
  const undone = keyed("U", say("undo"), "undo");
  undone.id = "do-undo";
  undone.addEventListener("click", undo);
  $("actions").replaceChildren(...made, undone);
}

function drawReasons() {
  $("reasons").replaceChildren(...setting.reasons.map((name, n) => {
    const button = keyed(DIGITS[n], words.reason[name]);
    button.dataset.reason = name;
    button.addEventListener("click", () => decide("reject", { reason: name }));
    return button;
  }));
}

function draw() {
  const about = { row: `${row.number} / ${row.of}`, type: words.type[row.type] || row.type, ...row.about };
  if (row.about.difficulty) about.difficulty = words.difficulty[row.about.difficulty] || row.about.difficulty;
  $("about").replaceChildren(...Object.entries(about).map(([name, text]) => {
    const field = element("span", `${words.field[name]} `);
    field.append(put(element("b"), text));
    return field;
  }));
  put($("question"), row.question);
  const answers = row.answers.map(text => put(element("div", undefined, "answer"), text));
  $("answers").replaceChildren(...(answers.length ? answers : [element("div", say("no_answer"), "answer none")]));
  drawMine();
  drawVerdicts();
  drawOthers();
  drawRating();
  drawEvidence();
  $("comment").value = form.comment;
  grow($("comment"));
  $("edit-question").value = form.question;
  $("edit-answers").value = form.answers;
  drawMode();
}

function drawMine() {
  const mine = row.mine;
  $("mine").hidden = !mine;
  if (mine) {
    const reason = mine.reason ? `${words.colon}${words.reason[mine.reason]}` : "";
    put($("mine"), say("yours", words.decision[mine.decision] + reason));
    $("mine").className = `notice ${mine.decision}`;
  }
  for (const name of Object.values(LETTERS)) $(`do-${name}`).classList.toggle("chosen", Boolean(mine) && mine.decision === name);
}

function drawVerdicts() {
  const verdicts = Object.entries(row.verdicts);
  $("verdicts").hidden = !verdicts.length;
  $("verdicts").firstElementChild.textContent = say("verdicts");
  put($("verdicts").lastElementChild, verdicts.map(([name, score]) => `${name} ${Number(score.toFixed(2))}`).join(" · "));
}

function drawOthers() {
  $("others").hidden = !row.others.length;
  $("others").replaceChildren(element("h2", say("others")), ...row.others.map(one => {
    const said = [words.decision[one.decision], one.reason && words.reason[one.reason], one.question, one.answers.join(words.list), one.comment];
    return put(element("div", undefined, `other ${one.decision}`), `${one.annotator}${words.colon}${said.filter(Boolean).join(" · ")}`);
  }));
}

function drawRating() {
  const top = element("div", undefined, "top");
  const all = keyed("0", say("rate_all"));
  all.addEventListener("click", rateAll);
  top.append(element("h2", say("rate")), all);
  $("rating").replaceChildren(top, ...setting.dimensions.map((name, n) => {
    const line = element("div", undefined, "dimension");
    const label = element("span", words.dimension[name], "name");
    line.title = words.dimension_says[name];
    const pips = element("span", undefined, "pips");
    for (let level = 1; level <= setting.best; level += 1) {
      const pip = element("button", level, form.ratings[name] === level ? "on" : "");
      pip.type = "button";
      pip.dataset.level = level;
      pip.title = words.level[level];
      pip.setAttribute("aria-label", `${words.dimension[name]}: ${words.level[level]}`);
      pip.setAttribute("aria-pressed", form.ratings[name] === level);
      pip.addEventListener("click", () => rate(name, form.ratings[name] === level ? 0 : level));
      pips.append(pip);
    }
    line.append(element("kbd", n + 1), label, pips);
    return line;
  }));
}

function drawEvidence() {
  const formatted = row.passages.some(one => one.blocks.some(block => block.kind !== "text"));
  $("source").hidden = !formatted;
  $("source").replaceChildren(element("kbd", "T"), ` ${asWritten ? say("formatted") : say("source")}`);
  $("passages").replaceChildren(...row.passages.map(drawPassage));
  for (const text of $("passages").querySelectorAll(".body")) reveal(text);
  reveal($("evidence"));
}

function turn() {
  asWritten = !asWritten;
  drawEvidence();
}

/** Scrolls what scrolls so that the first evidence in it is seen, with something above it. */
function reveal(box) {
  const first = box.querySelector("mark");
  box.scrollTop = 0;
  if (first && getComputedStyle(box).overflowY !== "visible") {
    box.scrollTop = Math.max(0, first.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3);
  }
}

/** The runs of a passage as elements that hold text alone; an address is shown, never loaded. */
function drawRuns(target, runs) {
  target.append(...runs.map(run => {
    const made = element(run.evidence ? "mark" : "span", undefined, (run.styles || []).join(" "));
    if (run.address) made.title = run.address;
    return put(made, run.text);
  }));
  return target;
}

function drawBlocks(target, blocks) {
  let table = null, group = 0;
  for (const block of blocks) {
    if (block.kind === "row") {
      if (!table || block.group !== group) target.append(table = element("table"));
      const line = element("tr"), tag = table.children.length ? "td" : "th";
      line.append(...block.cells.map(cell => drawRuns(element(tag), cell)));
      table.append(line);
      group = block.group;
    } else {
      table = null;
      const made = element("div", undefined, `${block.kind} level-${block.level}`);
      if (block.mark) made.append(element("span", block.mark, "mark"));
      target.append(drawRuns(made, block.cells[0]));
    }
  }
}

function drawPassage(passage) {
  const made = element("div", undefined, "passage");
  const head = element("h3", say("document") + words.colon);
  head.append(put(element("b"), passage.title || passage.doc_id));
  if (passage.title) head.append(" · ", put(element("span"), passage.doc_id));
  const text = element("div", undefined, "body");
  text.dir = "auto";
  if (!passage.fault && passage.start) text.append(element("div", "…", "edge"));
  drawBlocks(text, asWritten ? [{ kind: "text", level: 0, cells: [passage.segments] }] : passage.blocks);
  if (!passage.fault && passage.end < passage.length) text.append(element("div", "…", "edge"));
  made.append(head, text);
  if (passage.fault) made.append(element("p", say(passage.fault), "edge"));
  else if (passage.start > 0 || passage.end < passage.length) {
    const more = keyed("M", say("more"));
    more.addEventListener("click", widen);
    made.append(more);
  }
  return made;
}

function drawMode() {
  $("reading").hidden = mode === "edit";
  $("editing").hidden = mode !== "edit";
  $("actions").hidden = mode === "edit";
  $("rejecting").hidden = mode !== "reject";
  for (const id of ["edit-question", "edit-answers"]) if (mode === "edit") grow($(id));
}

function grow(area) {
  area.style.height = "auto";
  area.style.height = `${Math.min(area.scrollHeight + 2, 320)}px`;
}

// Moving

function emptyForm() {
  const mine = row.mine;
  const changed = mine && mine.decision === "edit";
  return {
    question: changed ? mine.question : row.question,
    answers: (changed ? mine.answers : row.answers).map(text => text.replace(/\s*\n\s*/g, " ")).join("\n"),
    comment: mine ? mine.comment : "",
    ratings: mine ? { ...mine.ratings } : {},
  };
}

function open(found) {
  if (!found) {
    row = null;
    stage("finished");
    return;
  }
  row = found;
  form = emptyForm();
  mode = "read";
  const draft = memory.get(draftKey());
  if (draft) {
    try {
      const { mode: was, ...kept } = JSON.parse(draft);
      form = { ...form, ...kept };
      mode = was;
    } catch { memory.drop(draftKey()); }
  }
  stage("desk");
  draw();
  if (document.activeElement && document.activeElement !== document.body) document.activeElement.blur();
  if (mode === "edit") $("edit-question").focus();
  if (innerWidth <= 860) scrollTo(0, 0);
  $("card").scrollTop = 0;
  document.body.dataset.row = row.id;
}

function settled(found) {
  if (found.progress) progress = found.progress;
  shownProgress();
  open(found.row);
}

const next = () => doing(async () => settled(await ask("next")));
const show = id => doing(async () => open((await ask("row", { id })).row));

function widen() {
  const widest = Math.max(...row.passages.map(one => one.end - one.start));
  doing(async () => {
    row.passages = (await ask("row", { id: row.id, room: Math.max(2 * setting.room, widest * 2) })).row.passages;
    drawEvidence();
  });
}

function move(step) {
  doing(async () => {
    const rows = (await ask("rows")).rows;
    const here = rows.findIndex(one => row && one.id === row.id);
    const target = rows[here < 0 ? (step < 0 ? rows.length - 1 : 0) : here + step];
    if (target) open((await ask("row", { id: target.id })).row);
  });
}

// Deciding

function choose(name) {
  if (!row) return;
  if (name === "edit") {
    mode = "edit";
    drawMode();
    $("edit-question").focus();
  } else if (name === "reject") {
    mode = mode === "reject" ? "read" : "reject";
    drawMode();
    if (mode === "reject") {
      $("rejecting").scrollTop = 0;
      $("rejecting").scrollIntoView({ block: "nearest" });
    }
  } else decide(name);
}

function decide(decision, more = {}) {
  const given = { decision, comment: form.comment, ratings: form.ratings, ...more };
  doing(async () => {
    const sent = row, key = draftKey();
    const found = await ask("decide", { ...given, id: sent.id, hash: sent.hash, expects: sent.mine ? sent.mine.number : 0 });
    if (found.overtaken) {
      open(found.overtaken);
      toast(say("overtaken"), true);
      return;
    }
    memory.drop(key);
    settled(found);
    toast(say("saved", words.decision[found.kept.decision]));
  });
}

function save() {
  const answers = form.answers.split("\n").map(text => text.trim()).filter(Boolean);
  const was = row.answers.map(text => text.replace(/\s*\n\s*/g, " ").trim());
  const same = answers.length === was.length && answers.every((text, n) => text === was[n]);
  if (form.question.trim() === row.question.trim() && same) {
    toast(say("unchanged"), true);
    return;
  }
  decide("edit", { question: form.question, golden_answers: same ? [] : answers });
}

function undo() {
  doing(async () => {
    const found = await ask("undo");
    progress = found.progress;
    shownProgress();
    if (!found.undone) { toast(say("nothing_to_undo")); return; }
    open(found.row);
    if (!row.mine) {
      const was = found.undone;
      if (was.question) form.question = was.question;
      if (was.answers.length) form.answers = was.answers.join("\n");
      form.comment = was.comment;
      form.ratings = { ...was.ratings };
      draw();
    }
    toast(say("undone", words.decision[found.undone.decision]));
  });
}

function rate(name, level) {
  if (level) form.ratings[name] = level; else delete form.ratings[name];
  keepDraft();
  drawRating();
}
function rateAll() {
  for (const name of setting.dimensions) form.ratings[name] ??= setting.best;
  keepDraft();
  drawRating();
}
function step(name) {
  const now = form.ratings[name];
  rate(name, now === undefined ? setting.best : now - 1);
}

function leave() {
  mode = "read";
  form.question = emptyForm().question;
  form.answers = emptyForm().answers;
  keepDraft();
  $("edit-question").value = form.question;
  $("edit-answers").value = form.answers;
  drawMode();
  document.activeElement.blur();
}

// Panels

function panel(title, ...body) {
  $("panel-title").textContent = title;
  $("panel-body").replaceChildren(...body);
  if (!$("panel").open) $("panel").showModal();
  $("panel").scrollTop = 0;
}

function help() {
  const list = element("dl", undefined, "keys");
  const keys = [["A", "accept"], ["E", "edit"], ["R", "reject"], ["S", "skip"], ["U", "undo"], ["C", "comment"], ["1–7", "rate"], ["0", "rate_all"],
    ["← →", "move"], ["J K", "scroll"], ["T", "source"], ["M", "more"], ["L", "list"], ["G", "guide"], ["?", "help"], ["Esc", "escape"]];
  for (const [key, name] of keys) {
    const term = element("dt");
    term.append(element("kbd", key));
    list.append(term, element("dd", say(`key_${name}`)));
  }
  panel(say("help"), list);
}

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

// Keys

function letter(event) {
  return event.key === "Process" && event.code.startsWith("Key") ? event.code.slice(3).toLowerCase() : event.key.toLowerCase();
}

function pressed(event) {
  if (event.isComposing || event.altKey || document.body.dataset.stage === "enter" || $("panel").open) return;
  const typing = event.target.matches("textarea, input");
  if (event.key === "Escape") {
    if (mode === "edit") leave();
    else if (mode === "reject") { mode = "read"; drawMode(); }
    event.target.blur();
    return;
  }
  if (typing) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (mode === "edit") save(); else event.target.blur();
    }
    return;
  }
  if (event.ctrlKey || event.metaKey || event.target.matches("select")) return;
  const key = letter(event);
  if (event.repeat && !["j", "k"].includes(key)) return;
  if (act(key)) event.preventDefault();
}

function act(key) {
  const digit = DIGITS.indexOf(key);
  const anywhere = { u: undo, l: rows, g: guide, "?": help, arrowleft: () => move(-1), arrowright: () => move(1) };
  if (anywhere[key]) { anywhere[key](); return true; }
  if (!row) return false;
  if (mode === "reject" && digit >= 0 && digit < setting.reasons.length) decide("reject", { reason: setting.reasons[digit] });
  else if (LETTERS[key]) choose(LETTERS[key]);
  else if (key === "c") $("comment").focus();
  else if (key === "m") widen();
  else if (key === "t") turn();
  else if (key === "j" || key === "k") {
    const by = (key === "j" ? 1 : -1) * 120;
    (getComputedStyle($("evidence")).overflowY === "visible" ? window : $("evidence")).scrollBy({ top: by });
  } else if (key === "0") rateAll();
  else if (digit >= 0 && digit < setting.dimensions.length) step(setting.dimensions[digit]);
  else return false;
  return true;
}

// Beginning

function enter(name) {
  who = name.trim();
  doing(async () => {
    try {
      const found = await ask("next");
      memory.set("who", who);
      $("who-error").textContent = "";
      put($("switch"), who);
      $("switch").hidden = false;
      settled(found);
    } catch (error) {
      who = "";
      stage("enter");
      put($("who-error"), error.message);
      $("name").focus();
    }
  });
}

async function begin() {
  setting = await fetch("/setting").then(found => found.json());
  for (const [name, one] of Object.entries(setting.words)) $("language").append(new Option(one.name, name));
  for (const name of setting.annotators) $("names").append(new Option(name));
  speak(ownLanguage());
  $("language").addEventListener("change", () => { speak($("language").value); $("language").blur(); });
  $("open-list").addEventListener("click", rows);
  $("open-guide").addEventListener("click", guide);
  $("open-help").addEventListener("click", help);
  $("finished-list").addEventListener("click", rows);
  $("finished-undo").addEventListener("click", undo);
  $("panel-close").addEventListener("click", () => $("panel").close());
  $("source").addEventListener("click", turn);
  $("save").addEventListener("click", save);
  $("cancel").addEventListener("click", leave);
  $("switch").addEventListener("click", () => { memory.drop("who"); who = ""; row = null; $("switch").hidden = true; stage("enter"); $("name").focus(); });
  $("who").addEventListener("submit", event => { event.preventDefault(); enter($("name").value); });
  for (const [id, name] of [["comment", "comment"], ["edit-question", "question"], ["edit-answers", "answers"]]) {
    $(id).addEventListener("input", () => { form[name] = $(id).value; grow($(id)); keepDraft(); });
  }
  document.addEventListener("keydown", pressed);
  const known = memory.get("who");
  if (known) enter(known);
  else {
    stage("enter");
    $("name").focus();
  }
}
begin();
})();
