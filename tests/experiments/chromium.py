"""One page of a headless Chromium, driven through a pipe by its DevTools protocol: Python and Debian's package suffice."""

import json
import os
import subprocess


class Browser:
    """One page of a headless Chromium."""

    def __init__(self, folder):
        to_browser, here_out = os.pipe()
        here_in, from_browser = os.pipe()
        self.process = subprocess.Popen(
            ['bash', '-c', f'exec chromium "$@" 3<&{to_browser} 4>&{from_browser}', '_', '--headless=new', '--no-sandbox',
             '--disable-gpu', '--hide-scrollbars', '--no-first-run', '--disable-background-networking',
             '--disable-component-update', '--disable-sync', '--remote-debugging-pipe',
             f'--user-data-dir={folder}/profile', 'about:blank'],
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

    def open(self, url, width=1280, dark=False, height=900):
        self.call('Emulation.setDeviceMetricsOverride',
                  {'width': width, 'height': height, 'deviceScaleFactor': 1, 'mobile': False})
        self.call('Emulation.setEmulatedMedia',
                  {'features': [{'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}]})
        # From the same address with a mark no page would be loaded.
        for address in ('about:blank', url):
            self.events.clear()
            self.call('Page.navigate', {'url': address})
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

    def screenshot(self):
        """What the window shows, as PNG in base64."""
        return self.call('Page.captureScreenshot', {'format': 'png'})['data']

    def close(self):
        try:
            self.call('Browser.close')
        except (RuntimeError, OSError):
            pass
        self.process.wait(20)
