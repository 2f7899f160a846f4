// What the pages of the server share: words, requests, texts as elements, passages of documents.

export const $ = id => document.getElementById(id);
// Characters that are not seen, or turn others round, are shown by their number.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;
export let setting, words, who = "";


// What is kept in this browser: name, language, and what is written but not yet decided

export const memory = {
  get(key) { try { return localStorage.getItem(`synth-review:${key}`); } catch { return null; } },
  set(key, value) { try { localStorage.setItem(`synth-review:${key}`, value); } catch { /* private window */ } },
  drop(key) { try { localStorage.removeItem(`synth-review:${key}`); } catch { /* private window */ } },
};
export const draftKey = row => `draft:${setting.set}:${who}:${row.id}:${row.hash}`;

// Words

function fill(text, value) {
  return typeof value === "object" ? text.replace(/\{(\w+)\}/g, (_, name) => value[name]) : text.replace("{}", () => value);
}
export const say = (name, value) => value === undefined ? words.page[name] : fill(words.page[name], value);

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

/** Loads the setting of the page; `speak` puts its words into the page, now and when another language is chosen. */
export async function load(speak) {
  setting = await fetch("/setting").then(found => found.json());
  for (const [name, one] of Object.entries(setting.words)) $("language").append(new Option(one.name, name));
  const change = language => {
    words = setting.words[language];
    document.documentElement.lang = $("language").value = language;
    memory.set("language", language);
    $("language").title = say("language");
    put($("set"), setting.set);
    $("open-help").textContent = `${say("help")} ?`;
    $("panel-close").textContent = `${say("close")} · Esc`;
    $("who-title").textContent = say("who");
    $("who-hint").textContent = say("who_hint");
    $("begin").textContent = say("start");
    $("switch").title = say("switch");
    speak();
  };
  for (const name of setting.annotators) $("names").append(new Option(name));
  change(ownLanguage());
  $("who").addEventListener("submit", event => { event.preventDefault(); enter($("name").value, ...entering); });
  $("language").addEventListener("change", () => { change($("language").value); $("language").blur(); });
  $("panel-close").addEventListener("click", () => $("panel").close());
}

// Elements

export function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** Puts a text into an element as text; what would not be seen of it is shown by number. */
export function put(target, text) {
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

/** A button with the key that does the same. */
export function keyed(key, text, className) {
  const button = element("button", undefined, className);
  button.type = "button";
  button.append(element("kbd", key), ` ${text}`);
  return button;
}

export function grow(area) {
  area.style.height = "auto";
  area.style.height = `${Math.min(area.scrollHeight + 2, 320)}px`;
}

export function panel(title, ...body) {
  $("panel-title").textContent = title;
  $("panel-body").replaceChildren(...body);
  if (!$("panel").open) $("panel").showModal();
  $("panel").scrollTop = 0;
}

/** Shows what keys do; `keys` are pairs of a key and the name of its text. */
export function showKeys(keys) {
  const list = element("dl", undefined, "keys");
  for (const [key, name] of keys) {
    const term = element("dt");
    term.append(element("kbd", key));
    list.append(term, element("dd", say(`key_${name}`)));
  }
  panel(say("help"), list);
}

let fading;
export function toast(text, bad = false) {
  put($("toast"), text);
  $("toast").className = bad ? "shown bad" : "shown";
  clearTimeout(fading);
  fading = setTimeout(() => { $("toast").className = ""; }, bad ? 7000 : 2200);
}

/** The letter of a key, also while an input method is on. */
export function letter(event) {
  return event.key === "Process" && event.code.startsWith("Key") ? event.code.slice(3).toLowerCase() : event.key.toLowerCase();
}

// Who decides

/** Shows one of the parts of the page. */
export function stage(name) {
  for (const part of document.querySelectorAll("body > main")) part.hidden = part.id !== name;
  document.body.dataset.stage = name;
}

let entering;
/** Asks for a name; `entered` sends it and throws what is wrong with it, `after` goes on. */
export function askName(entered, after) {
  entering = [entered, after];
  stage("enter");
  $("name").focus();
}

/** Takes a name, if `entered` can use it; asks for another one otherwise. */
export async function enter(name, entered, after) {
  who = name.trim();
  await doing(async () => {
    try {
      await entered();
      memory.set("who", who);
      $("who-error").textContent = "";
      showName();
    } catch (error) {
      who = "";
      askName(entered, after);
      put($("who-error"), error.message);
    }
  });
  if (who && after) after();
}

/** Forgets the name. */
export function leave() {
  who = "";
  memory.drop("who");
  showName();
}

function showName() {
  put($("switch"), who || "—");
  $("switch").hidden = !who;
}

// Requests

export async function ask(name, body = {}, again = true) {
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

let busy = false;
/** Does one thing at a time, and tells what went wrong. */
export async function doing(work) {
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
