// The page that browses a set: a list with filters beside the desk.

import { $, ask, askName, doing, element, enter, leave, load, memory, panel, put, say, setting, showKeys, stage, who, words } from "/common.js";
import { open, prepare, row, speak } from "/desk.js";

const HEIGHT = 74, SPARE = 8;  // of a line of the list in pixels; lines drawn above and below what is in sight
const RIGHT = 0.5;  // the least score of a row that counts as right
const KEPT = 30;  // pictures of pages that are kept
let set, facets = {}, chosen = {}, metric = "", order = "", matches = null, asked = 0, shown = [], at = -1;
const pictures = new Map();

// What the list shows

/** The facets of the rows, with those that follow from decisions and scores. */
function collect() {
  facets = { ...set.facets };
  const decided = { values: ["open", ...Object.keys(words.decision)], of: [] };
  for (const id of set.ids) {
    const names = new Set(Object.values(set.decisions[id] || {}));
    decided.of.push(names.size ? [...names].map(name => decided.values.indexOf(name)) : [0]);
  }
  facets.decision = decided;
  const [before, after] = set.runs.scores[metric] || [];
  if (after) facets.turned = { values: Object.keys(words.turned), of: set.ids.map((_, n) => turned(before[n], after[n])) };
}
function turned(before, after) {
  if (before === null || before === undefined || after === null || after === undefined) return [];
  return [before >= RIGHT ? (after >= RIGHT ? 2 : 1) : after >= RIGHT ? 0 : 3];
}

const score = n => (set.runs.scores[metric] || []).map(run => run[n] ?? null);

/** Finds the rows that pass all filters, counts them by facet, each without its own filter, and draws them. */
function filter() {
  const names = Object.keys(facets), counts = {};
  for (const name of names) counts[name] = new Uint32Array(facets[name].values.length);
  const wanted = names.filter(name => chosen[name] !== undefined);
  shown = [];
  for (let n = 0; n < set.ids.length; n += 1) {
    if (matches && !matches[n]) continue;
    let failed = "", fails = 0;
    for (const name of wanted) if (!facets[name].of[n].includes(chosen[name])) { failed = name; fails += 1; }
    if (!fails) shown.push(n);
    if (fails > 1) continue;
    for (const name of fails ? [failed] : names) for (const value of facets[name].of[n]) counts[name][value] += 1;
  }
  sort();
  for (const name of names) options(name, counts[name]);
  $("found").textContent = shown.length ? say("found", { found: shown.length, total: set.ids.length }) : say("nothing_found");
  $("list").scrollTop = 0;
  at = row ? shown.findIndex(n => set.ids[n] === row.id) : -1;
  drawList();
}

function sort() {
  if (!order) return;
  const missing = Infinity;
  const key = order === "lowest" ? n => score(n).at(-1) ?? missing : n => {
    const [before, after] = score(n);
    return before === null || after === null ? missing : -Math.abs(after - before);
  };
  const keys = new Map(shown.map(n => [n, key(n)]));
  shown.sort((a, b) => keys.get(a) - keys.get(b) || a - b);
}

/** The search runs in the server, which has the texts of all rows; a late answer to an earlier search is dropped. */
async function search() {
  const text = $("search").value.trim(), mine = asked += 1;
  let found = null;
  if (text) {
    try {
      found = (await ask("find", { text })).found;
    } catch (error) {
      $("found").textContent = error.message;
      return;
    }
  }
  if (mine !== asked) return;
  matches = found && new Uint8Array(set.ids.length);
  for (const n of found || []) matches[n] = 1;
  filter();
  $("list").dataset.sought = text;
}

function unfilter() {
  chosen = {};
  $("search").value = "";
  search();
}

// Filters

function label(name, value) {
  if (name === "decision" && value === "open") return say("open");
  return (words[name] || {})[value] || value;
}

function drawFilters() {
  const made = Object.keys(facets).map(name => {
    const select = element("select");
    select.dataset.facet = name;
    select.addEventListener("change", () => {
      if (select.value === "") delete chosen[name]; else chosen[name] = Number(select.value);
      select.blur();
      filter();
    });
    return labelled(words.field[name], select);
  });
  const metrics = Object.keys(set.runs.scores);
  if (metrics.length) {
    const measured = choice("metric", metrics.map(name => [name, name]), metric, value => { metric = value; collect(); });
    const orders = [["", say("in_order")], ["lowest", say("lowest")], ...(set.runs.names.length > 1 ? [["changed", say("most_changed")]] : [])];
    made.push(labelled(say("metric"), measured), labelled(words.field.order, choice("order", orders, order, value => { order = value; })));
  }
  $("filters").replaceChildren(...made);
}
function choice(name, values, value, take) {
  const select = element("select");
  select.id = name;
  select.append(...values.map(([key, text]) => new Option(text, key)));
  select.value = value;
  select.addEventListener("change", () => { take(select.value); select.blur(); filter(); });
  return select;
}
function labelled(text, field) {
  const made = element("label");
  made.append(element("span", text), field);
  return made;
}

/** Puts the values of a facet that some row has into its filter, with the number of rows. */
function options(name, counts) {
  const select = $("filters").querySelector(`[data-facet=${name}]`), { values } = facets[name];
  const some = [...values.keys()].filter(value => counts[value] || value === chosen[name]);
  if (!(name in words)) some.sort((a, b) => counts[b] - counts[a] || (values[a] < values[b] ? -1 : 1));
  select.replaceChildren(new Option(say("any"), ""), ...some.map(value => new Option(`${label(name, values[value])} · ${counts[value]}`, value)));
  select.value = chosen[name] ?? "";
  select.parentElement.classList.toggle("on", select.value !== "");
}

// The list: of thousands of lines those in sight are drawn

function drawList() {
  const list = $("list"), first = Math.max(0, Math.floor(list.scrollTop / HEIGHT) - SPARE);
  const last = Math.min(shown.length, Math.ceil((list.scrollTop + list.clientHeight) / HEIGHT) + SPARE);
  $("scrolled").style.height = `${shown.length * HEIGHT}px`;
  const lines = [];
  for (let place = first; place < last; place += 1) lines.push(line(place));
  $("scrolled").replaceChildren(...lines);
}

function line(place) {
  const n = shown[place], id = set.ids[n];
  const made = element("button", undefined, place === at ? "line on" : "line");
  made.type = "button";
  made.style.top = `${place * HEIGHT}px`;
  made.dataset.id = id;
  made.setAttribute("role", "listitem");
  made.append(element("span", n + 1, "number"), put(element("span", undefined, "words"), set.questions[n]), about(n));
  made.addEventListener("click", () => go(place));
  return made;
}

function about(n) {
  const made = element("span", undefined, "what");
  for (const name of ["change", "turned", "type", "difficulty", "document"]) {
    const facet = facets[name];
    const [value] = facet ? facet.of[n] : [];
    if (value === undefined || (name === "change" && facet.values[value] === "same")) continue;
    made.append(put(element("span", undefined, `${name} ${name === "document" ? "" : facet.values[value]}`), label(name, facet.values[value])));
  }
  const numbers = score(n);
  if (numbers.length) made.prepend(element("span", numbers.map(number => number === null ? "–" : Number(number.toFixed(2))).join(" → "), "score"));
  for (const name of new Set(Object.values(set.decisions[set.ids[n]] || {}))) made.prepend(element("span", words.decision[name], `state ${name}`));
  return made;
}

/** Opens the row at a place of the list. */
function go(place) {
  if (place < 0 || place >= shown.length) return;
  at = place;
  const list = $("list"), top = place * HEIGHT;
  if (top < list.scrollTop || top + HEIGHT > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 3;
  drawList();
  show(set.ids[shown[place]]);
}

const show = id => doing(async () => {
  open((await ask("row", { id })).row);
  if (location.hash !== `#${id}`) history[innerWidth <= 860 && !location.hash ? "pushState" : "replaceState"](null, "", `#${id}`);
});

function back() {
  if (document.body.dataset.row && location.hash) history.replaceState(null, "", location.pathname);
  delete document.body.dataset.row;
  drawList();
}

// What a row says of itself beside its evidence

function drawn() {
  const parts = [];
  if (row.fixed) parts.push(element("p", say("fixed", set.other), "notice"));
  if (row.change) parts.push(...differences());
  const scores = Object.entries(set.runs.scores), n = set.ids.indexOf(row.id);
  if (scores.length) parts.push(element("h2", say("scores")), scoreTable(scores, n));
  if (row.path.length) parts.push(element("h2", say("path")), drawPath());
  if (row.sub_questions.length) parts.push(element("h2", say("sub_questions")), chain(row.sub_questions.map(hop => [hop.question, hop.answer])));
  if (row.lineage.length) {
    const steps = row.lineage.map(step => [step.question, step.answers.join(words.list), step.move]);
    parts.push(element("h2", say("lineage")), chain([...steps, [row.question, say("this_row")]]));
  }
  $("origin").replaceChildren(...parts);
  drawPictures();
}

function cell(tag, text, className) {
  return put(element(tag, undefined, className), text);
}

function scoreTable(scores, n) {
  const table = element("table"), head = element("tr");
  head.append(element("th"), ...set.runs.names.map(name => cell("th", name)));
  table.append(head, ...scores.map(([name, runs]) => {
    const made = element("tr");
    made.append(cell("th", name), ...runs.map(run => element("td", run[n] === null || run[n] === undefined ? "–" : Number(run[n].toFixed(3)))));
    return made;
  }));
  const wide = element("div", undefined, "wide");
  wide.append(table);
  return wide;
}

function differences() {
  const made = row.change.differences.map(({ field, here, there }) => {
    const part = element("details", undefined, "difference");
    part.open = here.length + there.length < 600;
    part.append(cell("summary", words.page[field] || words.field[field] || field.replaceAll("_", " ")));
    for (const [side, text] of [["there", there], ["here", here]]) {
      const value = element("p", undefined, side);
      value.append(element("small", side === "there" ? set.other : setting.set), put(element("span"), text || "–"));
      part.append(value);
    }
    return part;
  });
  return made.length ? [element("h2", say("differs", set.other)), ...made] : [];
}

/** A path as a column of what its passages say, with what joins them between. */
function drawPath() {
  const made = element("ol", undefined, "chain");
  for (const step of row.path) {
    const item = element("li", undefined, "link" in step ? "link" : "node");
    if (step.link) item.append(cell("b", step.link.replaceAll("_", " ")), " ", put(element("span"), step.says));
    else if ("link" in step) put(item, say("both", step.says));
    else {
      item.append(cell("b", step.about), " ", put(element("span"), step.says));
      if (step.document) item.append(cell("small", step.document));
    }
    made.append(item);
  }
  return made;
}

function chain(steps) {
  const made = element("ol", undefined, "chain");
  for (const [text, below, move] of steps) {
    const item = element("li", undefined, "node");
    item.append(cell("span", text), cell("small", below));
    made.append(item);
    if (move) made.append(cell("li", move.replaceAll("_", " "), "link"));
  }
  return made;
}

/** Puts the pages of PDF files that the evidence stands on under it, with its boxes. */
async function drawPictures() {
  const { id, passages } = row;
  if (passages.every(one => one.fault) || !passages.some(one => /\.pdf$/i.test(one.doc_id))) return;
  if (!pictures.has(id)) {
    try {
      pictures.set(id, (await ask("pictures", { id })).pictures);
    } catch { return; }  // the text of the evidence is there
    if (pictures.size > KEPT) pictures.delete(pictures.keys().next().value);
  }
  if (!row || row.id !== id) return;
  for (const old of $("evidence").querySelectorAll("figure")) old.remove();
  $("evidence").append(...pictures.get(id).map(drawPicture));
}
function drawPicture(one) {
  const made = element("figure");
  made.append(cell("figcaption", say("page", { document: one.document, page: one.page })));
  if (one.fault) {
    made.append(cell("p", say("no_picture", one.fault), "edge"));
    return made;
  }
  const sheet = element("div", undefined, "sheet"), image = element("img");
  image.alt = say("page", { document: one.document, page: one.page });
  image.src = `data:image/png;base64,${one.png}`;
  sheet.append(image, ...one.boxes.map(([left, top, right, bottom]) => {
    const box = element("div", undefined, "box");
    Object.assign(box.style, { left: `${100 * left}%`, top: `${100 * top}%`, width: `${100 * (right - left)}%`, height: `${100 * (bottom - top)}%` });
    return box;
  }));
  made.append(sheet);
  return made;
}

// Deciding

function settled(found) {
  const decided = set.decisions[found.row.id] ||= {};
  if (found.row.mine) decided[who] = found.row.mine.decision; else delete decided[who];
  const top = $("list").scrollTop;
  collect();
  filter();
  $("list").scrollTop = top;
  drawList();
  countDecisions();
  open(found.row);
}

function countDecisions() {
  const count = Object.values(set.decisions).filter(people => Object.keys(people).length).length;
  $("open-decisions").textContent = `${say("decided")} ${count}`;
}

function showDecisions() {
  const counts = {};
  for (const people of Object.values(set.decisions)) for (const name of new Set(Object.values(people))) counts[name] = (counts[name] || 0) + 1;
  const made = Object.entries(counts).map(([name, count]) => element("li", `${words.decision[name]}${words.colon}${count}`));
  if (!made.length) {
    panel(say("decided"), element("p", say("no_decisions")));
    return;
  }
  const list = element("ul");
  list.append(...made);
  panel(say("decided"), list, element("p", say("decided_hint")), cell("pre", set.command));
}

// Beginning

const KEYS = [["↑ ↓ ← →", "browse"], ["/", "search"], ["X", "unfilter"], ["A", "accept"], ["E", "edit"], ["R", "reject"], ["S", "skip"], ["U", "undo"], ["C", "comment"],
  ["D", "rate"], ["F", "rate_all"], ["J K", "scroll"], ["T", "source"], ["M", "more"], ["L", "decided"], ["?", "help"], ["Esc", "escape"]];
const help = () => showKeys(KEYS);

function spoken() {
  document.title = `${say("view_title")} · ${setting.set}`;
  $("search").placeholder = say("search");
  $("search").setAttribute("aria-label", say("search"));
  $("back").textContent = `‹ ${say("list")}`;
  if (!set) return;
  drawFilters();
  filter();
  countDecisions();
  speak();
}

function nameless(after) {
  askName(() => ask("name"), () => { stage("desk"); after(); });
}

async function begin() {
  await load(spoken);
  await doing(async () => { set = await ask("contents"); });
  if (!set) return;
  const known = memory.get("who");
  if (known) await enter(known, () => ask("name"));
  [metric = ""] = Object.keys(set.runs.scores);
  collect();
  stage("desk");
  prepare({
    settled,
    nameless,
    drawn,
    keys: {
      "/": () => { $("search").focus(); $("search").select(); }, x: unfilter, l: showDecisions, "?": help, escape: back,
      arrowup: () => go(at - 1), arrowleft: () => go(at - 1), arrowdown: () => go(at + 1), arrowright: () => go(at + 1),
    },
  });
  spoken();
  $("search").addEventListener("input", search);
  $("search").addEventListener("keydown", async event => {
    if (event.key !== "Enter" || event.isComposing) return;
    $("search").blur();
    await search();
    go(0);
  });
  $("list").addEventListener("scroll", drawList, { passive: true });
  addEventListener("resize", drawList);
  addEventListener("popstate", () => { if (!location.hash) back(); });
  $("back").addEventListener("click", back);
  $("open-decisions").addEventListener("click", showDecisions);
  $("open-help").addEventListener("click", help);
  $("switch").addEventListener("click", () => { leave(); askName(() => ask("name"), () => { stage("desk"); if (row) show(row.id); }); });
  const named = shown.findIndex(n => set.ids[n] === decodeURIComponent(location.hash.slice(1)));
  if (named >= 0) go(named);
  else if (innerWidth > 860) go(0);
}
begin();
