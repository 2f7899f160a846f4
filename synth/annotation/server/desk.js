// The desk of both pages: one row, its evidence in the documents, and the decision on it.

import { $, ask, doing, draftKey, element, grow, keyed, letter, memory, put, say, setting, stage, toast, who, words } from "/common.js";

const LETTERS = { a: "accept", e: "edit", r: "reject", s: "skip" };
const DIGITS = "1234567890";
export let row = null;
let form = null, mode = "read", asWritten = false, page;

/** Prepares the desk for a page: `settled(reply)` goes on after a decision or an undo, `nameless(after)` asks who decides,
 * `drawn()` adds to a row that is drawn, `keys` is what keys do beside those of the desk. */
export function prepare(given) {
  page = given;
  $("source").addEventListener("click", turn);
  $("save").addEventListener("click", save);
  $("cancel").addEventListener("click", leave);
  for (const [id, name] of [["comment", "comment"], ["edit-question", "question"], ["edit-answers", "answers"]]) {
    $(id).addEventListener("input", () => { form[name] = $(id).value; grow($(id)); keepDraft(); });
  }
  $("rating").addEventListener("keydown", rateByKey);
  document.addEventListener("keydown", pressed);
}

function keepDraft() {
  if (row) memory.set(draftKey(row), JSON.stringify({ ...form, mode: mode === "edit" ? "edit" : "read" }));
}

// Drawing

/** Puts the words of the language into the desk. */
export function speak() {
  $("answers-label").textContent = say("answers");
  $("question-label").textContent = $("edit-question-label").textContent = say("question");
  $("edit-answers-label").textContent = say("edit_answers");
  $("save").textContent = `${say("save")} · Ctrl+Enter`;
  $("cancel").textContent = `${say("cancel")} · Esc`;
  $("why").textContent = say("why");
  $("comment").placeholder = `${say("comment_hint")} · C`;
  $("comment-label").textContent = say("comment");
  $("evidence-label").textContent = say("evidence");
  drawActions();
  drawReasons();
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
  drawRaised();
  drawMine();
  drawVerdicts();
  drawOthers();
  drawRating();
  drawEvidence();
  page.drawn();
  $("comment").value = form.comment;
  grow($("comment"));
  $("edit-question").value = form.question;
  $("edit-answers").value = form.answers;
  drawMode();
}

/** Why an update marked the row for review, and what it proposes. */
function drawRaised() {
  $("raised").hidden = !row.raised;
  put($("raised"), row.raised ? row.raised[document.documentElement.lang] : "");
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
  const all = keyed("F", say("rate_all"));
  all.addEventListener("click", rateAll);
  top.append(element("h2", say("rate")), element("kbd", "D"), all);
  $("rating").replaceChildren(top, ...setting.dimensions.map(name => {
    const line = element("div", undefined, "dimension"), level = form.ratings[name];
    line.tabIndex = 0;
    line.dataset.name = name;
    line.title = words.dimension_says[name];
    for (const [key, value] of Object.entries({ role: "slider", "aria-label": words.dimension[name], "aria-valuemin": 0,
      "aria-valuemax": setting.best, "aria-valuenow": level || 0, "aria-valuetext": level ? words.level[level] : "–" })) line.setAttribute(key, value);
    const pips = element("span", undefined, "pips");
    for (let n = 1; n <= setting.best; n += 1) {
      const pip = element("button", n, level === n ? "on" : "");
      pip.type = "button";
      pip.tabIndex = -1;
      pip.dataset.level = n;
      pip.title = words.level[n];
      pip.addEventListener("click", () => rate(name, level === n ? 0 : n));
      pips.append(pip);
    }
    line.append(element("span", words.dimension[name], "name"), pips);
    return line;
  }));
}

export function drawEvidence() {
  $("source").hidden = row.passages.every(one => one.blocks.every(block => block.kind === "text"));
  $("source").replaceChildren(element("kbd", "T"), ` ${asWritten ? say("formatted") : say("source")}`);
  $("passages").replaceChildren(...row.passages.map(drawPassage));
  for (const text of $("passages").querySelectorAll(".body")) reveal(text);
  reveal($("evidence"));
}

function turn() {
  asWritten = !asWritten;
  drawEvidence();
}

function drawMode() {
  $("reading").hidden = mode === "edit";
  $("editing").hidden = mode !== "edit";
  $("actions").hidden = mode === "edit" || Boolean(row.fixed);
  $("rejecting").hidden = mode !== "reject";
  for (const id of ["edit-question", "edit-answers"]) if (mode === "edit") grow($(id));
}

// Passages of documents

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
      if (!table || block.group !== group) {
        const wide = element("div", undefined, "wide");
        wide.append(table = element("table"));
        target.append(wide);
      }
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

/** A passage under the name of its document, formatted or as it is written. */
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

// The wording of a row, as it is edited

const oneLine = text => text.replace(/\s*\n\s*/g, " ").trim();

/** The wording of a row, or that of a decision that edits it, as it stands in the fields of an edit. */
function wordingOf(row, mine) {
  const changed = mine && mine.decision === "edit";
  return { question: changed ? mine.question : row.question, answers: (changed ? mine.answers : row.answers).map(oneLine).join("\n") };
}

/** What an edit changes of a row, as it is sent; null where it changes nothing. */
function editOf(row, form) {
  const answers = form.answers.split("\n").map(text => text.trim()).filter(Boolean);
  const same = answers.length === row.answers.length && answers.every((text, n) => text === oneLine(row.answers[n]));
  if (form.question.trim() === row.question.trim() && same) return null;
  return { question: form.question, golden_answers: same ? [] : answers };
}

/** The fields of a row that nobody has filled in. Whoever settles a row begins with the wording of a colleague's edit. */
function emptyForm() {
  const begun = row.mine || (setting.settle && row.others.find(one => one.decision === "edit"));
  return { ...wordingOf(row, begun), comment: row.mine ? row.mine.comment : "", ratings: row.mine ? { ...row.mine.ratings } : {} };
}

// Moving

/** Puts a row on the desk, with what was written on it and not yet decided. */
export function open(found) {
  row = found;
  form = emptyForm();
  mode = "read";
  const draft = memory.get(draftKey(row));
  if (draft) {
    try {
      const { mode: was, ...kept } = JSON.parse(draft);
      form = { ...form, ...kept };
      mode = was;
    } catch { memory.drop(draftKey(row)); }
  }
  stage("desk");
  document.body.dataset.row = row.id;
  draw();
  if (document.activeElement && document.activeElement !== document.body) document.activeElement.blur();
  if (mode === "edit") $("edit-question").focus();
  if (innerWidth <= 860) scrollTo(0, 0);
  $("card").scrollTop = 0;
}

/** Takes the row off the desk. */
export function clear() {
  row = null;
}

function widen() {
  const widest = Math.max(...row.passages.map(one => one.end - one.start));
  doing(async () => {
    row.passages = (await ask("row", { id: row.id, room: Math.max(2 * setting.room, widest * 2) })).row.passages;
    drawEvidence();
  });
}

// Deciding

function choose(name) {
  if (row.fixed) return;
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
  if (!who) {
    page.nameless(() => decide(decision, more));
    return;
  }
  const sent = row, given = { decision, comment: form.comment, ratings: form.ratings, ...more }, key = draftKey(row);
  doing(async () => {
    const found = await ask("decide", { ...given, id: sent.id, hash: sent.hash, expects: sent.mine ? sent.mine.number : 0 });
    if (found.overtaken) {
      open(found.overtaken);
      toast(say("overtaken"), true);
      return;
    }
    memory.drop(key);
    page.settled(found);
    toast(say("saved", words.decision[found.kept.decision]));
  });
}

function save() {
  const edit = editOf(row, form);
  if (edit) decide("edit", edit);
  else toast(say("unchanged"), true);
}

export function undo() {
  doing(async () => {
    const found = who ? await ask("undo") : {};
    if (!found.undone) { toast(say("nothing_to_undo")); return; }
    page.settled(found);
    const was = found.undone;
    if (!row.mine) {
      if (was.question) form.question = was.question;
      if (was.answers.length) form.answers = was.answers.join("\n");
      form.comment = was.comment;
      form.ratings = { ...was.ratings };
      draw();
    }
    toast(say("undone", words.decision[was.decision]));
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
/** Arrows rate the dimension that has the focus, or go to another. */
function rateByKey(event) {
  const line = event.target.closest(".dimension");
  const change = { ArrowRight: 1, ArrowLeft: -1 }[event.key], way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!line || !(change || way)) return;
  event.preventDefault();
  event.stopPropagation();
  const { name } = line.dataset;
  if (change) rate(name, Math.min(setting.best, Math.max(0, (form.ratings[name] || 0) + change)));
  const at = Math.min(setting.dimensions.length - 1, Math.max(0, setting.dimensions.indexOf(name) + (way || 0)));
  $("rating").querySelectorAll(".dimension")[at].focus();
}

function leave() {
  mode = "read";
  Object.assign(form, wordingOf(row, row.mine));
  keepDraft();
  $("edit-question").value = form.question;
  $("edit-answers").value = form.answers;
  drawMode();
  document.activeElement.blur();
}

// Keys

function pressed(event) {
  if (event.isComposing || event.altKey || document.body.dataset.stage === "enter" || $("panel").open) return;
  const typing = event.target.matches("textarea, input:not([type=checkbox])");
  if (event.key === "Escape") {
    if (mode === "edit") leave();
    else if (mode === "reject") { mode = "read"; drawMode(); }
    else if (!typing && page.keys.escape) page.keys.escape();
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
  if (event.repeat && !["j", "k", "arrowleft", "arrowright"].includes(key)) return;
  if (act(key)) event.preventDefault();
}

function act(key) {
  const digit = DIGITS.indexOf(key);
  if (page.keys[key]) page.keys[key]();
  else if (key === "u") undo();
  else if (!row) return false;
  else if (digit >= 0) {
    if (mode === "reject" && digit < setting.reasons.length) decide("reject", { reason: setting.reasons[digit] });
  } else if (LETTERS[key]) choose(LETTERS[key]);
  else if (key === "c") $("comment").focus();
  else if (key === "d") $("rating").querySelector(".dimension").focus();
  else if (key === "f") rateAll();
  else if (key === "m") widen();
  else if (key === "t") turn();
  else if (key === "j" || key === "k") {
    const by = (key === "j" ? 1 : -1) * 120;
    (getComputedStyle($("evidence")).overflowY === "visible" ? window : $("evidence")).scrollBy({ top: by });
  } else return false;
  return true;
}
