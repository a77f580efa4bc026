
"use strict";
(() => {
  const root = document.documentElement;
  const find = (id) => document.getElementById(id);
  const search = find("search"), results = find("results"), contents = find("contents"), count = find("count");
  const main = find("main");
  const articles = [...document.querySelectorAll("article")];
  root.classList.add("js");

  // Which article shows: the one the address names, or that holds what it names.
  const named = () => {
    let name = location.hash.slice(1);
    try { name = decodeURIComponent(name); } catch { /* as it is written */ }
    return find(name) || (name.includes("/") ? find(name.slice(0, name.lastIndexOf("/"))) : null);
  };
  const show = (move) => {
    const target = named();
    const article = (target && target.closest("article")) || find("home");
    for (const one of articles) one.classList.toggle("on", one === article);
    for (const one of document.querySelectorAll(".here")) one.classList.remove("here");
    document.title = article.dataset.title === "Memory" ? "Memory" : `${article.dataset.title} – Memory`;
    for (const link of contents.querySelectorAll("a")) {
      if (link.getAttribute("href") === `#${article.id}`) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    if (target && target !== article && article.contains(target)) {
      target.classList.add("here");
      target.scrollIntoView({ block: "center" });
      if (move) target.focus({ preventScroll: true });
    } else {
      window.scrollTo(0, 0);
      if (move) main.focus({ preventScroll: true });
    }
  };
  window.addEventListener("hashchange", () => show(document.activeElement !== search));

  // Searching: every word must be there; a title counts more than a text, a page more than a turn.
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  let records = null;
  const load = () => {
    records = [];
    for (const article of articles) {
      if (article.id === "home") continue;
      const turns = article.querySelectorAll(".turn");
      const parts = turns.length ? turns : [article];
      for (const part of parts) {
        const text = (part.querySelector(".said") || part).textContent.replace(/\s+/g, " ");
        const about = turns.length ? `${article.dataset.title} · ${part.id.slice(part.id.lastIndexOf("/") + 1)}` : article.dataset.title;
        records.push({ id: part.id, title: about, text, folded: fold(text), name: fold(about), page: article.id.startsWith("p/") });
      }
    }
  };
  const seek = (query) => {
    if (!records) load();
    const words = fold(query).split(/\s+/).filter(Boolean);
    const found = [];
    for (const one of records) {
      let score = one.page ? 2 : 0;
      for (const word of words) {
        const named = one.name.includes(word), said = one.folded.includes(word);
        if (!named && !said) { score = -1; break; }
        score += (named ? 10 : 0) + (said ? 1 : 0);
      }
      if (score >= 0) found.push([score, one]);
    }
    return found.sort((a, b) => b[0] - a[0] || (a[1].id < b[1].id ? -1 : 1)).map(([, one]) => one);
  };
  const excerpt = (one, query) => {
    const small = document.createElement("small");
    const word = fold(query).split(/\s+/).find((w) => w && one.folded.includes(w));
    const at = word && one.text.length === one.folded.length ? one.folded.indexOf(word) : -1;
    if (at < 0) { small.textContent = one.text.slice(0, 120); return small; }
    const from = Math.max(0, at - 40);
    const mark = document.createElement("mark");
    mark.textContent = one.text.slice(at, at + word.length);
    small.append(from ? "…" : "", one.text.slice(from, at), mark, one.text.slice(at + word.length, at + 90));
    return small;
  };
  const update = () => {
    const query = search.value.trim();
    results.replaceChildren();
    results.hidden = !query;
    contents.hidden = !!query;
    if (!query) { count.textContent = ""; return; }
    const found = seek(query);
    count.textContent = found.length === 1 ? "1 result" : `${found.length} results`;
    for (const one of found.slice(0, 60)) {
      const item = document.createElement("li"), link = document.createElement("a");
      link.href = `#${encodeURI(one.id)}`;
      link.append(one.title, excerpt(one, query));
      item.append(link);
      results.append(item);
    }
  };
  search.addEventListener("input", update);

  // Keys.
  const step = (by) => {
    const links = [...results.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement) + by;
    if (at < 0) search.focus();
    else if (links[at]) links[at].focus();
  };
  const theme = () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try { localStorage.setItem("brain-theme", root.dataset.theme); } catch { /* not remembered */ }
  };
  find("theme").addEventListener("click", theme);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = document.activeElement === search, among = results.contains(document.activeElement);
    if (event.key === "Escape") { search.value = ""; update(); main.focus(); }
    else if ((typing || among) && event.key === "ArrowDown") { event.preventDefault(); step(1); }
    else if (among && event.key === "ArrowUp") { event.preventDefault(); step(-1); }
    else if (typing && event.key === "Enter") { const first = results.querySelector("a"); if (first) first.click(); main.focus(); }
    else if (typing) return;
    else if (event.key === "/") { event.preventDefault(); search.focus(); search.select(); }
    else if (event.key === "h") location.hash = "home";
    else if (event.key === "t") theme();
  });
  try { const kept = localStorage.getItem("brain-theme"); if (kept === "dark" || kept === "light") root.dataset.theme = kept; } catch { /* the system's */ }
  show(false);
})();
