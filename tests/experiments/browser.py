#!/usr/bin/env python3
"""Open the site of a report in headless Chromium and use it.

usage: browser.py COMMAND [SITE]

Makes a site of a few claims with COMMAND, or takes SITE, and opens a page of each kind, light and dark, wide and 390
pixels wide. Checked are: no error in the console, no request but of files, no text of a contrast below 4.5, no page
wider than the window, every link leads to a file and its mark, tables sort and filter, slots step, pictures enlarge,
certificates unpack and are handed to the second checker. Exit code 0, or 1 with what was not so on standard output.

Chromium is driven through a pipe by its DevTools protocol, so that nothing but Python and Debian's package is needed.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

CLAIMS = ('queueing.squares-drift-negative', 'assignment.optimal', 'redundancy.lemma-5', 'sharing.wait-at-most-mean-rate')

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


class Browser:
    """One page of a headless Chromium."""

    def __init__(self, folder):
        to_browser, here_out = os.pipe()
        here_in, from_browser = os.pipe()
        self.process = subprocess.Popen(
            ['bash', '-c', f'exec chromium "$@" 3<&{to_browser} 4>&{from_browser}', '_', '--headless=new', '--no-sandbox',
             '--disable-gpu', '--hide-scrollbars', '--remote-debugging-pipe', f'--user-data-dir={folder}/profile',
             'about:blank'],
            pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.out, self.read, self.rest, self.last, self.events = here_out, here_in, b'', 0, []
        target = self.call('Target.createTarget', {'url': 'about:blank'})['targetId']
        self.session = None
        self.session = self.call('Target.attachToTarget', {'targetId': target, 'flatten': True})['sessionId']
        for domain in ('Page', 'Runtime', 'Log', 'Network'):
            self.call(domain + '.enable')

    session = None

    def message(self):
        while b'\0' not in self.rest:
            block = os.read(self.read, 1 << 16)
            if not block:
                raise RuntimeError('Chromium has ended')
            self.rest += block
        one, self.rest = self.rest.split(b'\0', 1)
        return json.loads(one)

    def call(self, method, parameters=None):
        self.last += 1
        request = {'id': self.last, 'method': method, 'params': parameters or {}}
        if self.session:
            request['sessionId'] = self.session
        os.write(self.out, json.dumps(request).encode() + b'\0')
        while True:
            answer = self.message()
            if answer.get('id') == self.last:
                if 'error' in answer:
                    raise RuntimeError(f'{method}: {answer["error"]["message"]}')
                return answer['result']
            self.events.append(answer)

    def run(self, expression):
        """The value of an expression of JavaScript, awaited."""
        answer = self.call('Runtime.evaluate',
                           {'expression': expression, 'returnByValue': True, 'awaitPromise': True, 'userGesture': True})
        if 'exceptionDetails' in answer:
            raise RuntimeError(answer['exceptionDetails'].get('exception', {}).get('description', 'an exception'))
        return answer['result'].get('value')

    def key(self, name):
        for kind in ('keyDown', 'keyUp'):
            self.call('Input.dispatchKeyEvent', {'type': kind, 'key': name, 'code': name})

    def open(self, url, width=1280, dark=False):
        self.call('Emulation.setDeviceMetricsOverride',
                  {'width': width, 'height': 900, 'deviceScaleFactor': 1, 'mobile': False})
        self.call('Emulation.setEmulatedMedia',
                  {'features': [{'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}]})
        self.events.clear()
        self.call('Page.navigate', {'url': url})
        while not any(event.get('method') == 'Page.loadEventFired' for event in self.events):
            self.events.append(self.message())

    def faults(self):
        """What the page has complained of, and what it has asked for that is no file."""
        self.run('new Promise((done) => setTimeout(done, 20))')
        found = []
        for event in self.events:
            method, parameters = event.get('method'), event.get('params', {})
            if method == 'Runtime.exceptionThrown':
                details = parameters['exceptionDetails']
                found.append(details.get('exception', {}).get('description', details.get('text', '')))
            elif method == 'Log.entryAdded' and parameters['entry']['level'] == 'error':
                found.append(parameters['entry']['text'])
            elif method == 'Runtime.consoleAPICalled' and parameters['type'] in ('error', 'assert'):
                found.append('console: ' + str(parameters['args'])[:200])
            elif method == 'Network.requestWillBeSent':
                url = parameters['request']['url']
                if not url.startswith(('file://', 'data:', 'about:')):
                    found.append('asks for ' + url)
        return found

    def close(self):
        try:
            self.call('Browser.close')
        except (RuntimeError, OSError):
            pass
        self.process.wait(20)


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

    def certificates(self):
        run = self.browser.run
        pages = [page for page in (self.site / 'claims').glob('*.html') if 'data-certificate=' in page.read_text()]
        if not self.expect(pages, 'no page has certificates'):
            return
        page = min(pages, key=lambda one: one.with_suffix('.js').stat().st_size)
        self.browser.open(page.as_uri())
        run('document.querySelector("button.show").click()')
        run('new Promise((done) => { const wait = () => (document.querySelector("tr[data-shown]") ? done() : setTimeout(wait, 20)); wait(); })')
        shown = json.loads(run('document.querySelector("tr[data-shown] pre").textContent'))
        self.expect('schema' in shown or 'theorem' in shown or 'kind' in shown, 'a certificate is shown whole')
        if not (self.site / 'assets/certificate.js').exists():
            self.expect(run('[...document.querySelectorAll("button.check-here")].every((b) => b.hidden)'),
                        'without a second checker nothing offers it')
            run('window.SchedproofCertificate = {checkAsync: async (text) => ({accepted: JSON.parse(text) !== null, '
                'kind: "stub", checked: ["all"], notChecked: ["the code"], reason: null})}')
        run('document.querySelector("button.check-here").click()')
        said = run('new Promise((done) => { const out = document.querySelector("output.checked"); const wait = () => '
                   '(/Accepted|Rejected/.test(out.textContent) ? done(out.textContent) : setTimeout(wait, 20)); wait(); })')
        self.expect('Accepted' in said, f'the second checker accepts: {said[:100]}')
        for fault in self.browser.faults():
            self.wrong.append(f'{page.name}: {fault}')

    def sizes(self):
        first = (self.site / 'index.html').stat().st_size
        whole = sum(path.stat().st_size for path in self.site.rglob('*') if path.is_file())
        self.expect(first < 300_000, f'the first page has {first} bytes')
        self.expect(whole < 15_000_000, f'the site has {whole} bytes')


def main():
    command = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else folder + '/site').resolve()
        if len(sys.argv) < 3:
            subprocess.run([command, 'report', *CLAIMS, '--evidence', folder + '/evidence', '--reproduced',
                            folder + '/none', '-o', str(site)], check=True, stdout=subprocess.DEVNULL)
        browser = Browser(folder)
        try:
            test = Test(site, browser)
            for part in (test.sizes, test.links, test.tables, test.steps, test.certificates, test.looks):
                part()
        finally:
            browser.close()
        for line in test.wrong:
            print(line)
        print(f'{len(test.pages())} pages looked at, {len(test.wrong)} faults')
        return 1 if test.wrong else 0


if __name__ == '__main__':
    sys.exit(main())
