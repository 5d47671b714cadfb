// Certificates of a page: loaded from the script beside it when one is asked for, unpacked, shown, and checked again
// where the second checker (certificate.js) is part of the site.
"use strict";
const SchedproofCertificates = (() => {
  let packed = null;
  let waiting = null;

  function load() {
    waiting ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = document.getElementById("certificates").dataset.script;
      script.addEventListener("load", () => (packed ? resolve(packed) : reject(new Error("no certificates in the file"))));
      script.addEventListener("error", () => reject(new Error(`${script.src} is not there`)));
      document.head.append(script);
    });
    return waiting;
  }

  async function unpacked(name) {
    const bytes = Uint8Array.from(atob((await load())[name]), (c) => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
  }

  const text = async (name) => (await unpacked(name)).text();

  // The file of tables that a certificate names; a certificate without one has none.
  async function table(certificate) {
    const name = `${/"table": *"([0-9a-f]{64})"/.exec(certificate)?.[1]}.table`;
    return (await load())[name] === undefined ? undefined : new Uint8Array(await (await unpacked(name)).arrayBuffer());
  }

  function list(title, items) {
    const box = document.createDocumentFragment();
    if (!items || items.length === 0) return box;
    const head = document.createElement("b"), all = document.createElement("ul");
    head.textContent = title;
    for (const item of items) all.append(Object.assign(document.createElement("li"), { textContent: item }));
    box.append(head, all);
    return box;
  }

  async function check(name, out) {
    out.textContent = "checking …";
    const given = await text(name);
    const progress = (part) => { out.textContent = `checking … ${Math.round(100 * part)} %`; };
    const result = await SchedproofCertificate.checkAsync(given, { table: await table(given), progress });
    const verdict = document.createElement("span");
    verdict.className = `v ${result.accepted ? "proved" : "refuted"}`;
    verdict.textContent = result.accepted ? "Accepted" : "Rejected";
    out.replaceChildren(verdict, document.createTextNode(result.accepted ? ` (${result.kind})` : ` ${result.reason ?? ""}`),
                        list("Checked here", result.checked), list("Not checked here", result.notChecked));
  }

  async function show(name, button) {
    const next = button.closest("tr").nextElementSibling;
    if (next?.dataset.shown === name) {
      next.remove();
      return;
    }
    const row = document.createElement("tr"), cell = document.createElement("td"), pre = document.createElement("pre");
    row.dataset.shown = name;
    cell.colSpan = 5;
    pre.tabIndex = 0;
    pre.textContent = await text(name);
    cell.append(pre);
    row.append(cell);
    button.closest("tr").after(row);
  }

  addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("button[data-certificate]")) {
      const name = button.dataset.certificate, out = button.closest("td").querySelector("output");
      const checks = button.classList.contains("check-here");
      button.hidden = checks && typeof SchedproofCertificate === "undefined";
      button.addEventListener("click", () =>
        (checks ? check(name, out) : show(name, button)).catch((error) => { out.textContent = `${error.message}`; }));
    }
  });
  return { take: (texts) => { packed = texts; } };
})();
