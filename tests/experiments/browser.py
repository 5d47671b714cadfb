#!/usr/bin/env python3
"""Open the site of a report in headless Chromium and use it.

usage: browser.py COMMAND [SITE] [--renew]

Makes a site of a few claims and a figure with COMMAND, or takes SITE, and opens a page of each kind, light and dark, wide
and 390 pixels wide. Checked are: no error in the console, no request but of files, no text of a contrast below 4.5, no
page wider than the window, every link leads to a file and its mark, tables sort and filter, slots step, pictures
enlarge, levels of a picture open, moves of a node stand out, the second checker accepts every certificate in the page and
rejects altered ones. A site of its own is compared with the pictures in tests/data/site too (screens.py); `--renew`
takes those anew instead. Exit code 0, or 1 with what was not so on standard output.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

import screens
from chromium import Browser

CLAIMS = ('queueing.squares-drift-negative', 'assignment.optimal', 'redundancy.lemma-5', 'sharing.wait-at-most-mean-rate')

# A figure as `reproduce` leaves it, so that there are pages with one.
FIGURE = {'paper': 'kavousi', 'number': '1', 'title': 'Tasks near the boundary', 'declaration':
          'experiments/reproduction/kavousi/heavy-traffic.toml', 'claims': [
              {'id': 'a', 'says': 'it falls', 'place': 'Section IV', 'verdict': 'reproduced', 'comparisons': [
                  {'what': 'x', 'value': 1.5, 'half_width': 0.25, 'above': 1, 'truth': 'holds'}]}]}
CURVE = ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 80"><rect width="120" height="80" fill="#fff"/>'
         '<path d="M10,10 L60,50 L110,70" fill="none" stroke="#0072B2" stroke-width="3"/></svg>')

# Ways to alter a certificate that every checker must reject, by the number of the place in it.
ALTER = r'''(text, way) => {
  const at = (pattern, change) => {
    const places = [...text.matchAll(pattern)];
    if (places.length === 0) return text;
    const { index, 0: found } = places[(way * 7) % places.length];
    return text.slice(0, index) + change(found) + text.slice(index + found.length);
  };
  switch (way % 10) {
    case 0: return text.slice(0, text.length - 2 - Math.floor(text.length / 3));
    case 1: return text.replace("{", '{"surplus": "1", ');
    case 2: return text.replace(/"theorem": "[^"]*"/, '"theorem": "anything"');
    case 3: return text.replace('"format": 1', '"format": 2');
    case 4: return text.replace(/"statement": /, '"statements": ');
    case 5: return at(/, "[1-9][0-9]*"\]/g, (number) => number.replace(/(\d+)"/, "$1/1\""));
    default: return at(/"multipliers": \[\[\d+, "/g, (begin) => `${begin}-`);
  }
}'''

# Text that is shown against the colour that is behind it, by the formula of WCAG 2. Colours of pictures are their own.
CONTRAST = r'''(() => {
  const channels = (colour) => (colour.match(/[\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const c = channels(getComputedStyle(e).backgroundColor);
      if (c.length === 3 || c[3] === 1) return c;
    }
    return matchMedia("(prefers-color-scheme: dark)").matches ? [0, 0, 0] : [255, 255, 255];
  };
  const poor = new Set();
  for (const e of document.body.querySelectorAll("*")) {
    if (e.closest("svg, script, [hidden]") || !e.checkVisibility() || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
    const style = getComputedStyle(e), [a, b] = [light(channels(style.color)), light(behind(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.add(`${e.tagName}.${e.className} ${ratio.toFixed(2)}`);
  }
  return [...poor].slice(0, 5);
})()'''


class Test:
    def __init__(self, site, browser):
        self.site, self.browser, self.wrong = site, browser, []

    def expect(self, good, what):
        if not good:
            self.wrong.append(what)
        return good

    def url(self, path):
        return (self.site / path).as_uri()

    def pages(self):
        """One page of each kind, the longest."""
        chosen = sorted(path for path in self.site.glob('*.html'))
        for folder in ('claims', 'policies', 'papers', 'figures'):
            chosen += sorted((self.site / folder).glob('*.html'), key=lambda path: -path.stat().st_size)[:2]
        return [path.relative_to(self.site) for path in chosen]

    def looks(self):
        for page in self.pages():
            for width in (1280, 390):
                for dark in (False, True):
                    self.browser.open(self.url(page), width, dark)
                    what = f'{page} at {width}{" dark" if dark else ""}'
                    for fault in self.browser.faults():
                        self.wrong.append(f'{what}: {fault}')
                    wide = self.browser.run('document.documentElement.scrollWidth')
                    self.expect(wide <= width, f'{what}: {wide} pixels wide')
                    poor = self.browser.run(CONTRAST)
                    self.expect(not poor, f'{what}: contrast {poor}')

    def links(self):
        marks = {}
        for page in self.site.rglob('*.html'):
            text = page.read_text()
            marks[page.resolve()] = set(re.findall(r'\sid="([^"]*)"', text))
        for page, own in marks.items():
            for link in re.findall(r'\s(?:href|src)="([^"]*)"', page.read_text()):
                if link.startswith('data:'):
                    continue
                parts = urllib.parse.urlsplit(link.replace('&amp;', '&'))
                target = (page.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else page
                there = not parts.scheme and not parts.netloc and target.exists()
                if there and parts.fragment:
                    there = parts.fragment in marks.get(target, own)
                self.expect(there, f'{page.name}: {link} leads nowhere')

    def tables(self):
        run = self.browser.run
        self.browser.open(self.url('index.html'))
        rows = run('document.querySelectorAll("#claims tbody tr").length')
        self.expect(rows > 0, 'the first page has no rows')
        column = '[...document.querySelectorAll("#claims tbody tr")].map((row) => Number(row.cells[5].dataset.v))'
        run('document.querySelectorAll("#claims thead button")[5].click()')
        up = run(column)
        self.expect(up == sorted(up), 'a click sorts upwards')
        run('document.querySelectorAll("#claims thead button")[5].click()')
        self.expect(run(column) == sorted(up, reverse=True), 'another click sorts downwards')
        self.expect(run('document.querySelectorAll("#claims thead th")[5].ariaSort') == 'descending', 'the heading says so')
        shown = 'document.querySelectorAll("#claims tbody tr:not([hidden])").length'
        run('document.getElementById("find").value = "assignment."; document.getElementById("find").dispatchEvent(new Event("input", {bubbles: true}))')
        found = run(shown)
        self.expect(0 < found < rows, f'the filter shows {found} of {rows} rows')
        run('document.getElementById("find").value = "no such claim"; document.getElementById("find").dispatchEvent(new Event("input", {bubbles: true}))')
        self.expect(run(shown) == 0, 'a filter that nothing meets shows nothing')
        self.expect(run('document.getElementById("shown").value') == f'0 of {rows} rows', 'the number is said')
        run('document.getElementById("find").value = ""; verdict.value = "Refuted"; verdict.dispatchEvent(new Event("input", {bubbles: true}))')
        self.expect(run('[...document.querySelectorAll("#claims tbody tr:not([hidden])")].every((row) => '
                        'row.cells[2].textContent.includes("Refuted"))') and run(shown) > 0, 'verdicts are filtered')

    def steps(self):
        run = self.browser.run
        pages = [page for page in (self.site / 'claims').glob('*.html') if 'class="steps"' in page.read_text()]
        if not self.expect(pages, 'no page has steps'):
            return
        longest = max(pages, key=lambda page: page.read_text().count('data-slot='))
        self.browser.open(longest.as_uri())
        one = '[...document.querySelector(".steps").querySelectorAll(".slot")].filter((s) => !s.hidden).map((s) => Number(s.dataset.slot))'
        start = run('Number(document.querySelector(".steps").dataset.start)')
        self.expect(run(one) == [start], 'the steps begin where the claim fails')
        run('document.querySelector(".steps").focus()')
        if start > 0:
            self.browser.key('ArrowLeft')
            self.expect(run(one) == [start - 1], 'the left arrow goes a slot back')
            self.browser.key('ArrowRight')
        self.expect(run(one) == [start], 'the right arrow goes a slot forward')
        run('[...document.querySelectorAll(".stepper button")].find((b) => b.textContent === "First").click()')
        self.expect(run(one) == [0], 'a button goes to the first slot')
        here = run('document.querySelector(\'.plate[data-picture="path"]\').querySelectorAll("g.here").length')
        self.expect(here == 1, f'{here} places of the path are marked')
        width = 'document.querySelector(".plate svg").viewBox.baseVal.width'
        before = run(width)
        run('document.querySelector(".zoom button").click()')
        self.expect(run(width) < before, 'a picture is enlarged')
        for fault in self.browser.faults():
            self.wrong.append(f'{longest.name}: {fault}')

    def levels(self):
        run = self.browser.run
        pages = [page for page in (self.site / 'policies').glob('*.html') if 'class="level"' in page.read_text()]
        if not self.expect(pages, 'no page has levels'):
            return
        page = sorted(pages)[0]
        self.browser.open(page.as_uri())
        shown = '[...document.querySelectorAll("details.level")].filter((level) => level.open).map((level) => level.id)'
        self.expect(run(shown) == [], 'levels are folded up')
        click = 'document.querySelector(\'{}\').dispatchEvent(new MouseEvent("click", {{bubbles: true, cancelable: true}}))'
        pause = 'new Promise((done) => setTimeout(done, 50))'
        links = run('[...document.querySelectorAll("#chain a[href]")].map((link) => link.getAttribute("href"))')
        self.expect(len(set(links)) >= 2, f'the picture leads to its levels: {links}')
        for link in sorted(set(links)):
            run(click.format(f'#chain a[href="{link}"]'))
            run(pause)
            self.expect(run(shown) == [link[1:]], f'{link} opens that level alone: {run(shown)}')
        run(click.format('details.level[open] a[href="#chain"]'))
        run(pause)
        self.expect(run(shown) == [], 'a link shuts the level')
        lit = run('(() => { const node = document.querySelector("#chain g.node"); node.dispatchEvent(new PointerEvent('
                  '"pointerenter")); const svg = node.closest("svg"), on = svg.querySelectorAll("g.edge.of").length; '
                  'const lit = svg.classList.contains("lit"); node.dispatchEvent(new PointerEvent("pointerleave")); '
                  'return [lit, on, svg.querySelectorAll("g.edge").length, svg.classList.contains("lit")]; })()')
        self.expect(lit[0] and 0 < lit[1] < lit[2] and not lit[3], f'the moves of a node stand out: {lit}')
        for fault in self.browser.faults():
            self.wrong.append(f'{page.name}: {fault}')

    def certificates(self):
        """Every certificate of the site is accepted by the button beside it; fifty altered ones are rejected."""
        run = self.browser.run
        pages = [page for page in (self.site / 'claims').glob('*.html') if 'data-certificate=' in page.read_text()]
        if not self.expect(pages, 'no page has certificates'):
            return
        accepted, rejected = 0, 0
        pages.sort(key=lambda one: one.with_suffix('.js').stat().st_size)
        each, apart = -(-6 // len(pages)), max(1, len(pages) // 6)
        for at, page in enumerate(pages):
            self.browser.open(page.as_uri())
            # What the page has loaded is kept where the test can alter it.
            run('window.shipped = null; const take = SchedproofCertificates.take; '
                'SchedproofCertificates.take = (texts) => { window.shipped = texts; take(texts); }')
            buttons = run('document.querySelectorAll("button.check-here").length')
            for button in range(buttons):
                said = self.check_here(button)
                accepted += self.expect(said.startswith('Accepted'), f'{page.name}, certificate {button}: {said[:150]}')
            if at == 0:
                self.shows(page)
            for button in range(min(buttons, each) if at % apart == 0 else 0):
                rejected += self.altered(page, button)
            for fault in self.browser.faults():
                self.wrong.append(f'{page.name}: {fault}')
        self.expect(rejected >= 50, f'only {rejected} altered certificates were rejected')
        print(f'{accepted} certificates accepted in the page, {rejected} altered ones rejected')

    def check_here(self, button):
        """What the page says of a certificate when its button is pressed."""
        return self.browser.run(
            f'new Promise((done) => {{ const button = document.querySelectorAll("button.check-here")[{button}], '
            'out = button.closest("td").querySelector("output"); out.textContent = ""; button.click(); '
            'const wait = () => (/^(Accepted|Rejected)/.test(out.textContent) || /is not there|Error/.test(out.textContent) '
            '? done(out.textContent) : setTimeout(wait, 5)); wait(); })')

    def altered(self, page, button):
        """How many alterations of a certificate the page rejects; each that it does not reject is a fault."""
        run = self.browser.run
        name = run(f'document.querySelectorAll("button.check-here")[{button}].dataset.certificate')
        run(f'window.whole = shipped[{json.dumps(name)}]; window.text = null; (async () => {{ '
            'const bytes = Uint8Array.from(atob(whole), (c) => c.charCodeAt(0)); window.text = await new Response('
            'new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text(); })()')
        count = 0
        for way in range(10):
            changed = run(
                f'(async () => {{ const altered = ({ALTER})(text, {way}); if (altered === text) return false; const packed = '
                'new Uint8Array(await new Response(new Blob([altered]).stream().pipeThrough(new CompressionStream("gzip")))'
                f'.arrayBuffer()); shipped[{json.dumps(name)}] = btoa(String.fromCharCode(...packed)); return true; }})()')
            if not changed:
                continue
            said = self.check_here(button)
            count += self.expect(said.startswith('Rejected'), f'{page.name}, {name} altered in way {way}: {said[:150]}')
        run(f'shipped[{json.dumps(name)}] = whole')
        return count

    def shows(self, page):
        run = self.browser.run
        run('document.querySelector("button.show").click()')
        run('new Promise((done) => { const wait = () => (document.querySelector("tr[data-shown]") ? done() : setTimeout(wait, 20)); wait(); })')
        shown = json.loads(run('document.querySelector("tr[data-shown] pre").textContent'))
        self.expect('theorem' in shown, f'{page.name}: a certificate is shown whole')

    def sizes(self):
        first = (self.site / 'index.html').stat().st_size
        whole = sum(path.stat().st_size for path in self.site.rglob('*') if path.is_file())
        self.expect(first < 300_000, f'the first page has {first} bytes')
        self.expect(whole < 15_000_000, f'the site has {whole} bytes')


def made_site(command, folder):
    """The path of a site of a few claims and a figure."""
    figure = pathlib.Path(folder) / 'reproduced' / 'kavousi-near-the-boundary'
    figure.mkdir(parents=True)
    (figure / 'claims.json').write_text(json.dumps(FIGURE))
    (figure / 'figure.svg').write_text(CURVE)
    site = pathlib.Path(folder) / 'site'
    subprocess.run([command, 'report', *CLAIMS, '--evidence', folder + '/evidence', '--reproduced', str(figure.parent),
                    '-o', str(site)], check=True, stdout=subprocess.DEVNULL)
    return site


def main():
    renew = '--renew' in sys.argv
    words = [word for word in sys.argv[1:] if word != '--renew']
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(words[1]).resolve() if len(words) > 1 else made_site(words[0], folder).resolve()
        browser = Browser(folder)
        try:
            test = Test(site, browser)
            for part in (test.sizes, test.links, test.tables, test.steps, test.levels, test.certificates, test.looks):
                part()
            if len(words) == 1:
                test.wrong += screens.compared(browser, site, renew)
        finally:
            browser.close()
        for line in test.wrong:
            print(line)
        print(f'{len(test.pages())} pages looked at, {len(test.wrong)} faults')
        return 1 if test.wrong else 0


if __name__ == '__main__':
    sys.exit(main())
