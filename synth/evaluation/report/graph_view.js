"use strict";
(() => {
const WORDS = {
  en: {
    name: "English", search: "Search names and text   ( / )", filters: "Filter", nodes: "Nodes", edges: "Edges", topic: "Topic", theme: "Theme", row: "Row",
    document: "Document", chunk: "Passage", entity: "Entity", contains: "contains", next: "next passage", mentions: "mentions", states: "states", relates: "relates to",
    similar: "similar", near_duplicate: "near-duplicate", refers_to: "links to", in_theme: "in theme", shares: "shares documents with", proves: "proves", answers: "Answer", path: "Path",
    shown: (n, all) => `${n} of ${all} nodes on the map`, part: n => `${n} more nodes are not on this page`,
    found: (n, most) => n > most ? `${n} found, the first ${most} listed` : `${n} found`,
    none: "Nothing found. Try another word, or reset the filters.",
    hint: "The map opens with themes. Zoom in to see documents, passages and entities. Click a node to see its neighbours. Drag to move, scroll to zoom. Keys: / search, + − zoom, 0 everything, Esc close.",
    in: "in", id: "Id", source: "Source", place: "Characters", language: "Language", key_phrases: "Key phrases",
    gist: "Gist", statements: "Says", summary: "Summary", headings: "Under", is: "Kind", forms: "Written as", links: "Edges", because: "both have", weight: "weight", passages: n => `${n} passages`, times: n => `${n} times`,
    more: n => `Show ${n} more`, back: "Back", close: "Close", zoomIn: "Zoom in", zoomOut: "Zoom out", fit: "Show everything",
    canvas: "Map of the graph; the search finds every node", from: "from", to: "to", alone: "This node has no edges.",
  },
  "zh-Hans": {
    name: "简体中文", search: "搜索名称和正文（按 / 键）", filters: "筛选", nodes: "节点", edges: "关系", topic: "话题", theme: "主题", row: "题目",
    document: "文档", chunk: "段落", entity: "实体", contains: "包含", next: "下一段", mentions: "提到", states: "说明", relates: "关系到",
    similar: "相似", near_duplicate: "近似重复", refers_to: "链接到", in_theme: "属于主题", shares: "有共同文档", proves: "证明", answers: "答案", path: "路径",
    shown: (n, all) => `图中显示 ${all} 个节点中的 ${n} 个`, part: n => `另有 ${n} 个不在本页`,
    found: (n, most) => n > most ? `找到 ${n} 个，列出前 ${most} 个` : `找到 ${n} 个`,
    none: "没有找到。请换一个词，或者恢复筛选条件。",
    hint: "首先显示主题。放大后依次出现文档、段落和实体；点击其一，即显示相关内容。拖动平移，滚轮缩放。按键：/ 搜索，+ − 缩放，0 显示全部，Esc 关闭。",
    in: "位于", id: "编号", source: "来源", place: "字符", language: "语言", key_phrases: "关键短语",
    gist: "大意", statements: "内容", summary: "摘要", headings: "所在标题", is: "类型", forms: "写法", links: "关系", because: "共有", weight: "权重", passages: n => `${n} 个段落`, times: n => `${n} 次`,
    more: n => `再显示 ${n} 个`, back: "后退", close: "关闭", zoomIn: "放大", zoomOut: "缩小", fit: "显示全部",
    canvas: "知识图谱；所有节点都可以通过搜索找到", from: "来自", to: "指向", alone: "没有与之相连的节点。",
  },
  "zh-Hant": {
    name: "繁體中文", search: "搜尋名稱和內文（按 / 鍵）", filters: "篩選", nodes: "節點", edges: "關係", topic: "話題", theme: "主題", row: "題目",
    document: "文件", chunk: "段落", entity: "實體", contains: "包含", next: "下一段", mentions: "提到", states: "說明", relates: "關係到",
    similar: "相似", near_duplicate: "近似重複", refers_to: "連結到", in_theme: "屬於主題", shares: "有共同文件", proves: "證明", answers: "答案", path: "路徑",
    shown: (n, all) => `圖中顯示 ${all} 個節點中的 ${n} 個`, part: n => `另有 ${n} 個不在本頁`,
    found: (n, most) => n > most ? `找到 ${n} 個，列出前 ${most} 個` : `找到 ${n} 個`,
    none: "沒有找到。請換一個詞，或者恢復篩選條件。",
    hint: "首先顯示主題。放大後依次出現文件、段落和實體；點按其一，即顯示相關內容。拖曳平移，滾輪縮放。按鍵：/ 搜尋，+ − 縮放，0 顯示全部，Esc 關閉。",
    in: "位於", id: "編號", source: "來源", place: "字元", language: "語言", key_phrases: "關鍵短語",
    gist: "大意", statements: "內容", summary: "摘要", headings: "所在標題", is: "類型", forms: "寫法", links: "關係", because: "共有", weight: "權重", passages: n => `${n} 個段落`, times: n => `${n} 次`,
    more: n => `再顯示 ${n} 個`, back: "返回", close: "關閉", zoomIn: "放大", zoomOut: "縮小", fit: "顯示全部",
    canvas: "知識圖譜；所有節點都可以透過搜尋找到", from: "來自", to: "指向", alone: "沒有與之相連的節點。",
  },
};
const IN_SIGHT = 100;  // nodes of a kind that may be in the window at once
const LEVELS = { theme: 1, document: 1.7, chunk: 3.2, entity: 6 };  // how far the view is zoomed in when a kind appears
const LIST = { en: ", ", "zh-Hans": "、", "zh-Hant": "、" };
const MOST_RESULTS = 60, MOST_LINKS = 40;

const $ = id => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const { nodes, edges, edgeKinds } = data;
const KINDS = [...Object.keys(LEVELS), "row"].filter(kind => kind !== "row" || nodes.some(node => node.kind === kind));
let least = 0;
for (const [kind, level] of Object.entries(LEVELS)) {
  const crowded = kind === "theme" ? 1 : Math.sqrt(nodes.filter(node => node.kind === kind).length / IN_SIGHT);
  least = LEVELS[kind] = Math.max(least, level, crowded);
}
const canvas = $("canvas"), pen = canvas.getContext("2d");
const narrow = matchMedia("(max-width: 760px)");
const dark = matchMedia("(prefers-color-scheme: dark)");

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

// The graph

const around = nodes.map(() => []);
edges.forEach((edge, n) => { around[edge[1]].push(n); around[edge[2]].push(n); });
const other = (edge, node) => edge[1] === node ? edge[2] : edge[1];

function textOf(node) {
  if (node.kind === "document") return node.text;
  if (node.kind === "theme") return node.gist;
  return node.kind === "chunk" ? nodes[node.of].text.slice(node.start, node.end) : "";
}
const simple = new Map([...data.simplified[0]].map((char, n) => [char, data.simplified[1].charAt(n)]));
const traditional = data.simplified[0] && new RegExp(`[${data.simplified[0]}]`, "g");
const lower = text => text.replace(/[A-ZÀ-ÞΑ-Я]/g, char => char.toLowerCase());
function folded(text) {
  const low = lower(text);
  return traditional ? low.replace(traditional, char => simple.get(char)) : low;
}

// Places. Themes are laid out first and stay where they are; each further kind finds room around those before it.

const opening = nodes.some(node => node.kind === "theme") ? "theme" : "document";
const x = new Float64Array(nodes.length), y = new Float64Array(nodes.length);
const vx = new Float64Array(nodes.length), vy = new Float64Array(nodes.length);
const size = nodes.map((node, n) =>
  node.kind === "document" || node.kind === "row" ? 7 : node.kind === "theme" ? Math.min(26, 8 + 1.6 * Math.sqrt(around[n].length)) : node.kind === "chunk" ? 5 : Math.min(9, 2.5 + 0.8 * Math.sqrt(around[n].length)));
const GAP = 26;
const layers = KINDS.map(kind => [...nodes.keys()].filter(n => nodes[n].kind === kind)).filter(layer => layer.length);
const placed = new Uint8Array(nodes.length);
let gap = GAP, moving = [], layer = 0, room = 0, turn = 0, touched = false, painted = 0;

/** Puts the nodes of the next layer near their neighbours that have a place, and on a spiral where none has. */
function place() {
  moving = layers[layer++];
  room += moving.length;
  gap = GAP * Math.sqrt(nodes.length / room);
  moving.forEach((n, i) => {
    const near = around[n].map(e => other(edges[e], n)).filter(m => placed[m]), a = i * 2.39996;
    const r = near.length ? gap * 0.6 : gap * Math.sqrt(i);
    x[n] = near.reduce((sum, m) => sum + x[m], 0) / (near.length || 1) + r * Math.cos(a);
    y[n] = near.reduce((sum, m) => sum + y[m], 0) / (near.length || 1) + r * Math.sin(a);
    placed[n] = 1;
  });
}
function step(heat) {
  const cell = gap * 2.2, cells = new Map(), scale = gap / GAP;
  for (let n = 0; n < nodes.length; n++) {
    if (!placed[n]) continue;
    const key = Math.floor(x[n] / cell) * 65536 + Math.floor(y[n] / cell);
    const held = cells.get(key);
    if (held) held.push(n); else cells.set(key, [n]);
  }
  for (const [key, held] of cells) {
    for (const next of [key, key + 1, key + 65535, key + 65536, key + 65537]) {
      const others = cells.get(next);
      if (!others) continue;
      const a = Math.ceil(held.length / 48), b = Math.ceil(others.length / 48), weight = Math.min(8, a * b);
      for (let i = 0; i < held.length; i += a) {
        for (let j = next === key ? i + 1 : 0; j < others.length; j += b) push(held[i], others[j], cell, heat * weight * scale);
      }
    }
  }
  for (const edge of edges) if (placed[edge[1]] && placed[edge[2]]) pull(edge, heat);
  const wide = Math.max(0.25, Math.min(4, (width / height || 1) ** 2));  // the map takes the form of the window
  for (const n of moving) {
    vx[n] -= x[n] * 0.004 / wide * heat; vy[n] -= y[n] * 0.004 * wide * heat;
    vx[n] *= 0.55; vy[n] *= 0.55;
    const speed = Math.hypot(vx[n], vy[n]), limit = speed > 30 * scale ? 30 * scale / speed : 1;
    x[n] += vx[n] * limit; y[n] += vy[n] * limit;
  }
}
function push(a, b, reach, heat) {
  let dx = x[b] - x[a], dy = y[b] - y[a];
  if (!dx && !dy) { dx = 0.1 * ((a % 7) - 3.2); dy = 0.1 * ((b % 5) - 2.3); }
  const d = Math.hypot(dx, dy);
  if (d >= reach) return;
  const force = heat * 5 * (1 - d / reach) / (d || 1);
  vx[a] -= dx * force; vy[a] -= dy * force; vx[b] += dx * force; vy[b] += dy * force;
}
function pull([, a, b], heat) {
  const bound = Math.sqrt(around[a].length * around[b].length), dx = x[b] - x[a], dy = y[b] - y[a];
  const d = Math.hypot(dx, dy) || 1, force = heat * (d - gap * 1.4) / d / Math.max(2, bound);
  const share = around[b].length / (around[a].length + around[b].length);
  vx[a] += dx * force * share; vy[a] += dy * force * share;
  vx[b] -= dx * force * (1 - share); vy[b] -= dy * force * (1 - share);
}
const TURNS = nodes.length > 2000 ? 120 : 220;
function settle() {
  const until = performance.now() + 12;
  while (turn < TURNS && performance.now() < until) step(Math.max(0.03, 1 - turn++ / TURNS));
  if (turn === TURNS || until - painted > 200) { painted = until; if (touched) draw(); else fit(); }
  if (turn === TURNS && layer < layers.length) { turn = 0; place(); }
  if (turn < TURNS) requestAnimationFrame(settle);
  else document.documentElement.dataset.settled = "yes";
}

// What is shown

const on = { nodes: new Set([opening]), edges: new Set(edgeKinds.keys()) };
let visible = nodes.map(node => node.kind === opening), selected = -1, over = -1, results = [], near = 1, whole = 1;
const trail = [];
const edgeShown = edge => on.edges.has(edge[0]) && visible[edge[1]] && visible[edge[2]];
const listed = () => results.slice(0, MOST_RESULTS);
/** Draws the kinds that are ticked or that the zoom has come to, and of the others what was found or belongs to what is read. */
function refilter() {
  visible = nodes.map(node => on.nodes.has(node.kind) || LEVELS[node.kind] <= near);
  for (const n of listed()) visible[n] = true;
  if (selected >= 0) for (const n of nearest()) visible[n] = true;
  tell();
  draw();
}
/** What is read and what it is joined to: of a theme its documents, of a row its path. */
function nearest() {
  const node = nodes[selected], joined = around[selected].filter(e => on.edges.has(edges[e][0])).map(e => other(edges[e], selected));
  if (node.kind === "theme") return [selected, ...joined.filter(n => nodes[n].kind !== "chunk")];
  return [selected, ...joined, ...(node.path || [])];
}
/** Draws the kinds of nodes that belong to how far the view is zoomed in. */
function zoomed() {
  const before = near;
  near = Math.max(...Object.values(LEVELS).filter(level => level <= view.k / whole * 1.001), 1);
  if (near === before) return;
  tick();
  refilter();
}
/** Marks the kinds that the zoom alone draws. */
function tick() {
  for (const box of $("node-kinds").querySelectorAll("input")) box.indeterminate = !box.checked && LEVELS[box.dataset.kind] <= near;
}

// Drawing

const FONT = "13px system-ui, 'Noto Sans CJK SC', sans-serif", GIST_FONT = "11px system-ui, 'Noto Sans CJK SC', sans-serif";
const view = { k: 1, x: 0, y: 0 };
let colours = {};
function readColours() {
  const style = getComputedStyle(document.documentElement);
  for (const name of [...KINDS, "ink", "soft", "edge", "back"]) colours[name] = style.getPropertyValue(`--${name}`).trim();
}
let width = 0, height = 0;
function resize() {
  const box = canvas.getBoundingClientRect(), ratio = devicePixelRatio || 1;
  width = box.width; height = box.height;
  canvas.width = Math.max(1, Math.round(width * ratio)); canvas.height = Math.max(1, Math.round(height * ratio));
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
}
const sx = n => x[n] * view.k + view.x, sy = n => y[n] * view.k + view.y;
let asked = false;
function draw() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => { asked = false; paint(); });
}
function paint() {
  pen.clearRect(0, 0, width, height);
  const own = selected < 0 ? null : new Set(nearest());
  const bright = own || (results.length ? new Set(listed()) : null);
  paintEdges(own, bright);
  for (const kind of KINDS.toReversed()) {
    for (const strong of bright ? [false, true] : [true]) {
      pen.globalAlpha = strong ? 1 : 0.18;
      pen.fillStyle = colours[kind];
      pen.beginPath();
      nodes.forEach((node, n) => {
        if (node.kind === kind && visible[n] && (!bright || bright.has(n) === strong)) shape(n);
      });
      pen.fill();
    }
  }
  pen.globalAlpha = 1;
  for (const n of [over, selected]) if (n >= 0) ring(n, n === selected);
  paintLabels(bright);
}
function radius(n) { return size[n] * Math.max(0.42, Math.min(2, Math.sqrt(view.k))); }
function shape(n) {
  const cx = sx(n), cy = sy(n), r = radius(n);
  if (cx < -20 || cy < -20 || cx > width + 20 || cy > height + 20) return;
  if (nodes[n].kind === "theme") for (let corner = 0; corner < 6; corner++) pen[corner ? "lineTo" : "moveTo"](cx + r * Math.cos(corner * 1.0472), cy + r * Math.sin(corner * 1.0472));
  else if (r < 2.5 || nodes[n].kind === "document") pen.rect(cx - r, cy - r, 2 * r, 2 * r);
  else if (nodes[n].kind === "entity") { pen.moveTo(cx, cy - r); pen.lineTo(cx + r, cy); pen.lineTo(cx, cy + r); pen.lineTo(cx - r, cy); pen.closePath(); }
  else { pen.moveTo(cx + r, cy); pen.arc(cx, cy, r, 0, 6.2832); }
}
function ring(n, strong) {
  pen.strokeStyle = colours.ink; pen.lineWidth = strong ? 3 : 2;
  pen.beginPath(); pen.arc(sx(n), sy(n), radius(n) + 4, 0, 6.2832); pen.stroke();
}
// Drawing tens of thousands of lines takes long: while the view moves some of them stand for all.
let gliding = 0;
function glide() {
  clearTimeout(gliding);
  gliding = setTimeout(() => { gliding = 0; draw(); }, 160);
  draw();
}
function paintEdges(own, bright) {
  const shown = edges.filter(edgeShown), stride = gliding || turn < TURNS ? Math.ceil(shown.length / 5000) : 1;
  pen.strokeStyle = colours.edge; pen.lineWidth = 1;
  pen.globalAlpha = Math.max(0.08, Math.min(0.5, 700 / (shown.length || 1))) * (bright ? 0.4 : 1);
  trace(shown.filter((_, e) => e % stride === 0));
  if (!own) return;
  pen.globalAlpha = 0.9; pen.lineWidth = 1.6;
  trace(around[selected].map(e => edges[e]).filter(edgeShown));
  const { path } = nodes[selected];
  if (!path) return;
  pen.strokeStyle = colours.row; pen.lineWidth = 4;
  pen.beginPath();
  path.forEach((n, i) => pen[i ? "lineTo" : "moveTo"](sx(n), sy(n)));
  pen.stroke();
}
function trace(lines) {
  pen.beginPath();
  for (const [, a, b] of lines) { pen.moveTo(sx(a), sy(a)); pen.lineTo(sx(b), sy(b)); }
  pen.stroke();
}
const byWorth = [...nodes.keys()].sort((a, b) => KINDS.indexOf(nodes[a].kind) - KINDS.indexOf(nodes[b].kind) || around[b].length - around[a].length || a - b);
const TITLED = new Set(["theme", "document"]);  // kinds that no name may hide
/** Writes the gist of a theme below its name, where there is room for it. */
function paintGist(n, [left, middle], taken) {
  pen.font = GIST_FONT;
  const words = shorter(nodes[n].gist, 44), wide = pen.measureText(words).width, y = middle + 15;
  const hides = taken.some(t => t[4] !== n && left < t[2] && left + wide > t[0] && y - 7 < t[3] && y + 7 > t[1] && t[1] > middle);
  if (left + wide <= width - 2 && y <= height - 9 && !hides) {
    taken.push([left, y - 7, left + wide, y + 7, -1]);
    pen.fillStyle = colours.soft; pen.fillText(words, left, y);
  }
  pen.font = FONT;
}
/** Names the nodes of most worth, each beside its node where it hides nothing and does not leave the frame. */
function paintLabels(bright) {
  pen.font = FONT; pen.textBaseline = "middle"; pen.lineJoin = "round";
  const order = [over, selected, ...(bright || byWorth)].filter((n, i) => n >= 0 && (i < 2 || visible[n]));
  const taken = [];
  for (const n of order) {
    const cx = sx(n), cy = sy(n), r = radius(n);
    if (cx > -r && cy > -r && cx < width + r && cy < height + r && TITLED.has(nodes[n].kind)) taken.push([cx - r, cy - r, cx + r, cy + r, n]);
  }
  let most = Math.round(width * height / 9000);
  for (const n of order) {
    if (!most) break;
    const cx = sx(n), cy = sy(n), strong = n === selected || n === over, r = radius(n) + (strong ? 8 : 3);
    if (cx < 0 || cy < 0 || cx > width || cy > height) continue;
    const words = shorter(nodes[n].label, strong ? 50 : 26), wide = pen.measureText(words).width;
    const spot = [[cx + r, cy], [cx - r - wide, cy], [cx - wide / 2, cy - r - 8], [cx - wide / 2, cy + r + 8]].find(([left, mid]) =>
      left >= 2 && left + wide <= width - 2 && mid >= 9 && mid <= height - 9 &&
      (strong || !taken.some(t => t[4] !== n && left < t[2] && left + wide > t[0] && mid - 8 < t[3] && mid + 8 > t[1])));
    if (!spot) continue;
    most--;
    taken.push([spot[0], spot[1] - 8, spot[0] + wide, spot[1] + 8, -1]);
    pen.globalAlpha = 0.85; pen.strokeStyle = colours.back; pen.lineWidth = 3.5; pen.strokeText(words, ...spot);
    pen.globalAlpha = 1; pen.fillStyle = colours.ink; pen.fillText(words, ...spot);
    if (near === 1 && nodes[n].gist && !bright) paintGist(n, spot, taken);
  }
}
function shorter(text, most) {
  const all = [...text.replace(/\s+/g, " ")];
  return all.length > most ? all.slice(0, most - 1).join("") + "…" : all.join("");
}

// Moving about

/** Moves the view so that some nodes fill it; false where there is none. */
function frame(some, most) {
  if (!some.length) return false;
  const [a, b] = [Math.min, Math.max].map(end => end(...some.map(n => x[n]))), [c, d] = [Math.min, Math.max].map(end => end(...some.map(n => y[n])));
  const margin = Math.min(80, width / 6), high = narrow.matches && selected >= 0 ? height * 0.3 : height;
  view.k = Math.max(0.02, Math.min(most, (width - 2 * margin) / (b - a + 1), (high - margin) / (d - c + 1)));
  view.x = width / 2 - view.k * (a + b) / 2; view.y = high / 2 - view.k * (c + d) / 2;
  return true;
}
function fit() {
  if (frame([...nodes.keys()].filter(n => visible[n]), 2.5)) whole = view.k;
  zoomed();
  draw();
}
function zoom(by, cx = width / 2, cy = height / 2) {
  const k = Math.max(whole / 2, Math.min(2 * LEVELS.entity * whole, view.k * by));
  view.x = cx - (cx - view.x) * k / view.k; view.y = cy - (cy - view.y) * k / view.k; view.k = k;
  touched = true;
  zoomed();
  glide();
}
/** Brings a node into the middle, zoomed in so far that what belongs to it has room. */
function centre(n) {
  touched = true;
  if (nodes[n].path) {
    frame([n, ...nodes[n].path], 6 * whole);
    return zoomed();
  }
  view.k = Math.max(view.k, whole * (LEVELS[KINDS[KINDS.indexOf(nodes[n].kind) + 1]] || LEVELS.entity));
  const low = narrow.matches ? 0.16 : 0.5;
  view.x = width / 2 - x[n] * view.k; view.y = height * low - y[n] * view.k;
  zoomed();
}
function at(px, py) {
  let best = -1, least = 14;
  for (let n = 0; n < nodes.length; n++) {
    if (!visible[n]) continue;
    const d = Math.hypot(sx(n) - px, sy(n) - py) - radius(n);
    if (d < least) { least = d; best = n; }
  }
  return best;
}
const fingers = new Map();
let moved = 0;
canvas.addEventListener("pointerdown", event => {
  canvas.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
  moved = 0; canvas.classList.add("held");
});
canvas.addEventListener("pointermove", event => {
  const before = fingers.get(event.pointerId), now = [event.offsetX, event.offsetY];
  if (!before) {
    const found = at(...now);
    if (found !== over) { over = found; canvas.classList.toggle("over", over >= 0); draw(); }
    return;
  }
  const rest = [...fingers].filter(([id]) => id !== event.pointerId).map(([, point]) => point)[0];
  if (rest) zoom(Math.hypot(now[0] - rest[0], now[1] - rest[1]) / (Math.hypot(before[0] - rest[0], before[1] - rest[1]) || 1), ...rest);
  else { view.x += now[0] - before[0]; view.y += now[1] - before[1]; }
  moved += Math.abs(now[0] - before[0]) + Math.abs(now[1] - before[1]);
  if (moved > 4) touched = true;
  fingers.set(event.pointerId, now);
  glide();
});
function lift(event) {
  const one = fingers.size === 1;
  fingers.delete(event.pointerId); canvas.classList.remove("held");
  if (event.type === "pointerup" && one && moved < 6) { const found = at(event.offsetX, event.offsetY); if (found >= 0) select(found); else close(); }
}
canvas.addEventListener("pointerup", lift);
canvas.addEventListener("pointercancel", lift);
canvas.addEventListener("pointerleave", () => { if (over >= 0) { over = -1; draw(); } });
canvas.addEventListener("wheel", event => { event.preventDefault(); zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), event.offsetX, event.offsetY); }, { passive: false });
canvas.addEventListener("keydown", event => {
  const way = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
  if (way) { view.x += way[0]; view.y += way[1]; touched = true; event.preventDefault(); draw(); }
});
document.addEventListener("keydown", event => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === "Escape") {
    if (event.target === $("search") && $("search").value) { $("search").value = ""; search(); } else close();
  } else if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  else if (event.key === "/") { event.preventDefault(); $("search").focus(); $("search").select(); }
  else if (event.key === "+" || event.key === "=") zoom(1.3);
  else if (event.key === "-") zoom(1 / 1.3);
  else if (event.key === "0") fit();
});

// Search

function search() {
  const wanted = folded($("search").value.trim()).split(/\s+/).filter(Boolean);
  results = [];
  if (wanted.length) {
    const scored = [];
    nodes.forEach((node, n) => {
      const name = folded([node.label, ...(node.forms || []), node.id || ""].join("\n"));
      const named = wanted.every(word => name.includes(word));
      if (named || (node.kind !== "document" && wanted.every(word => name.includes(word) || folded(textOf(node)).includes(word))))
        scored.push([named ? (folded(node.label) === wanted.join(" ") ? 0 : 1) : 2, -around[n].length, n]);
    });
    scored.sort((a, b) => a[0] - b[0] || (a[0] < 2 ? a[1] - b[1] : 0) || a[2] - b[2]);
    results = scored.map(([, , n]) => n);
  }
  const themes = wanted.length ? [] : layers[0].filter(n => nodes[n].kind === "theme");
  $("results").replaceChildren(...[...listed(), ...themes].map(n => {
    const item = element("li");
    item.append(link(n, wanted.length ? snippet(textOf(nodes[n]), wanted) : nodes[n].gist));
    return item;
  }));
  $("results").dataset.sought = $("search").value;
  refilter();
}
function snippet(text, wanted) {
  const within = folded(text);
  for (const word of [wanted.join(" "), ...wanted]) {
    const place = within.indexOf(word);
    if (place >= 0) return quoted(text, place, place + word.length, 34);
  }
  return "";
}
function quoted(text, start, end, room) {
  const cut = /[\udc00-\udfff]/;
  let a = Math.max(0, start - room), b = Math.min(text.length, end + room);
  if (cut.test(text[a] || "")) a--;
  if (cut.test(text[b] || "")) b++;
  const made = element("span");
  made.append((a ? "…" : "") + text.slice(a, start), element("mark", text.slice(start, end)), text.slice(end, b) + (b < text.length ? "…" : ""));
  return made;
}
function link(n, ...below) {
  const made = element("button", undefined, "link");
  made.type = "button"; made.dataset.node = n; made.title = say(nodes[n].kind);
  const words = element("span", shorter(nodes[n].label, 90) || "—", "words");
  if (nodes[n].kind === "chunk") words.append(element("small", `${say("in")} ${shorter(nodes[nodes[n].of].label, 60)}`));
  for (const line of below) if (line) { const small = element("small"); small.append(line); words.append(small); }
  made.append(element("span", undefined, `dot ${nodes[n].kind}`), words);
  made.addEventListener("click", () => select(n));
  return made;
}
let waiting = 0;
$("search").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(search, nodes.length > 1500 ? 140 : 0); });
$("search").addEventListener("keydown", event => {
  if (event.key === "Enter" && (clearTimeout(waiting), search(), results.length)) select(results[0]);
  if (event.key === "ArrowDown") { event.preventDefault(); $("results").querySelector("button")?.focus(); }
});
$("results").addEventListener("keydown", event => {
  const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
  if (!step) return;
  event.preventDefault();
  (event.target.closest("li")[step]?.querySelector("button") || (event.key === "ArrowUp" && $("search")) || event.target).focus();
});

// Reading a node

function select(n, back) {
  if (selected >= 0 && !back && selected !== n) trail.push(selected);
  selected = n;
  $("panel").hidden = false;
  document.body.classList.add("reading");
  refilter();
  read();
  centre(n);
  if (narrow.matches) showFilters(false);
  $("panel").scrollTop = 0;
  $("panel").focus({ preventScroll: true });
  draw();
}
function close() {
  if (selected < 0) return;
  selected = -1; trail.length = 0;
  $("panel").hidden = true;
  document.body.classList.remove("reading");
  refilter();
}
function read() {
  if (selected < 0) return;
  const node = nodes[selected];
  $("kind").textContent = say(node.kind);
  $("name").textContent = node.label;
  $("back").disabled = !trail.length;
  const facts = [];
  const fact = (name, value) => { if (value !== undefined && value !== "" && value.length !== 0) facts.push(element("dt", say(name)), value.nodeType ? value : element("dd", String(value))); };
  if (node.kind === "chunk") {
    const where = element("dd");
    where.append(link(node.of));
    fact("document", where);
    fact("headings", (node.headings || []).join(" › "));
    fact("topic", node.category);
    fact("place", `${node.start}–${node.end}`);
  }
  fact("answers", (node.answers || []).join(LIST[language]));
  if (node.path) {
    const path = element("dd");
    path.append(...node.path.map(n => link(n)));
    fact("path", path);
  }
  for (const name of ["gist", "summary", "language", "is"]) fact(name, node[name]);
  for (const text of node.statements || []) fact("statements", text);
  fact("key_phrases", (node.key_phrases || []).join(LIST[language]));
  fact("forms", (node.forms || []).filter(form => form !== node.label).join(" | "));
  fact("id", node.id); if (node.source !== node.id) fact("source", node.source);
  $("facts").replaceChildren(...facts);
  $("text").textContent = textOf(node);
  $("text").scrollTop = 0;
  const groups = new Map();
  for (const e of around[selected]) {
    const key = `${edges[e][0]}:${edges[e][1] === selected ? "to" : "from"}`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(e);
  }
  const made = [...groups].sort(([a], [b]) => a < b ? -1 : 1).flatMap(([key, list]) => group(key, list));
  $("neighbours").replaceChildren(...(made.length ? made : [element("p", say("alone"))]));
}
function group(key, list) {
  const [kind, way] = key.split(":");
  const head = element("h3", `${way === "to" ? "→" : "←"} ${say(edgeKinds[kind])} `);
  head.append(element("small", String(list.length)));
  list.sort((a, b) => edges[b][3] - edges[a][3] || a - b);
  const items = element("ul");
  const show = (from, to) => list.slice(from, to).forEach(e => {
    const item = element("li");
    item.append(link(other(edges[e], selected), ...why(edges[e])));
    items.append(item);
  });
  show(0, MOST_LINKS);
  if (list.length <= MOST_LINKS) return [head, items];
  const more = element("button", say("more")(list.length - MOST_LINKS), "more");
  more.type = "button";
  more.addEventListener("click", () => { show(MOST_LINKS); more.remove(); });
  return [head, items, more];
}
function why([kind, source, , weight, shared, spans]) {
  const from = nodes[source], text = from.kind === "chunk" ? nodes[from.of].text : from.text || "";
  const lines = spans.map(([a, b]) => quoted(text, a, b, 30));
  const mention = edgeKinds[kind] === "mentions";
  if (shared.length && !mention) lines.push(`${say("because")}: ${shared.join(LIST[language])}`);
  if (weight !== 1) lines.push(mention ? say("times")(weight) : edgeKinds[kind] === "in_theme" || edgeKinds[kind] === "shares" ? say("passages")(weight) : `${say("weight")} ${weight}`);
  return lines;
}
$("close").addEventListener("click", close);
$("back").addEventListener("click", () => { if (trail.length) select(trail.pop(), true); });
$("zoom-in").addEventListener("click", () => zoom(1.4));
$("zoom-out").addEventListener("click", () => zoom(1 / 1.4));
$("fit").addEventListener("click", fit);

// Words and filters

let language = "en";
const say = name => WORDS[language][name] ?? String(name).replaceAll("_", " ");
function browserLanguage() {
  const wanted = (navigator.language || "en").toLowerCase();
  if (!wanted.startsWith("zh")) return "en";
  return /hant|tw|hk|mo/.test(wanted) ? "zh-Hant" : "zh-Hans";
}
function tell() {
  let words = say("shown")(visible.filter(Boolean).length, nodes.length);
  if (data.left_out) words += ` · ${say("part")(data.left_out)}`;
  if ($("search").value.trim()) words = results.length ? say("found")(results.length, MOST_RESULTS) : say("none");
  $("status").textContent = words;
}
function choice(key, name, count, set) {
  const made = element("label", undefined, "choice"), box = element("input");
  box.type = "checkbox"; box.checked = set.has(key); box.dataset.kind = name;
  box.addEventListener("change", () => { if (box.checked) set.add(key); else set.delete(key); tick(); refilter(); if (!touched) fit(); });
  made.append(box, element("span", say(name)), element("small", String(count)));
  if (set === on.nodes) box.after(element("span", undefined, `dot ${name}`));
  return made;
}
function showFilters(open) {
  $("filters").hidden = !open;
  $("filters-toggle").setAttribute("aria-expanded", String(open));
}
function speak(to) {
  language = to;
  document.documentElement.lang = to;
  $("search").placeholder = say("search"); $("search").setAttribute("aria-label", say("search"));
  for (const [id, name] of [["filters-toggle", "filters"], ["nodes-legend", "nodes"], ["edges-legend", "edges"], ["hint", "hint"]]) $(id).textContent = say(name);
  for (const [id, name] of [["back", "back"], ["close", "close"], ["zoom-in", "zoomIn"], ["zoom-out", "zoomOut"], ["fit", "fit"], ["canvas", "canvas"]]) $(id).setAttribute("aria-label", say(name));
  for (const [id, name] of [["back", "back"], ["close", "close"], ["zoom-in", "zoomIn"], ["zoom-out", "zoomOut"], ["fit", "fit"]]) $(id).title = say(name);
  const count = (list, test) => list.reduce((sum, item) => sum + test(item), 0);
  $("node-kinds").replaceChildren(...KINDS.map(kind => choice(kind, kind, count(nodes, n => n.kind === kind), on.nodes)));
  tick();
  $("edge-kinds").replaceChildren(...edgeKinds.map((name, kind) => choice(kind, name, count(edges, e => e[0] === kind), on.edges)));
  search();
  read();
}
$("filters-toggle").addEventListener("click", () => showFilters($("filters").hidden));
$("language").append(...Object.entries(WORDS).map(([code, words]) => { const made = element("option", words.name); made.value = code; return made; }));
$("language").addEventListener("change", () => speak($("language").value));
dark.addEventListener("change", () => { readColours(); draw(); });
narrow.addEventListener("change", () => showFilters(!narrow.matches));
new ResizeObserver(() => {
  resize();
  if (selected >= 0) centre(selected);
  if (touched) draw(); else fit();
}).observe(canvas);

$("title").textContent = data.title;
readColours();
$("language").value = browserLanguage();
speak($("language").value);
showFilters(!narrow.matches);
resize();
place();
settle();
document.documentElement.dataset.ready = "yes";
})();
