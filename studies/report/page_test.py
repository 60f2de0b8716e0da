#!/usr/bin/env python3
"""Opens pages of 'busline report' in headless Chromium and fails on any console message, on any request besides the file
itself, on figures that were not drawn, and on what is wider than the window.

    page_test.py [--screenshots FOLDER] PAGE...

Needs chromium and chromedriver in PATH, and nothing else: WebDriver is spoken over HTTP on loopback.
"""
import argparse
import base64
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

# The browser calls no one: what it does by itself at its start would look like the page's requests.
QUIET = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
         "--disable-background-networking", "--disable-component-update", "--disable-default-apps",
         "--disable-extensions", "--hide-scrollbars", "--force-color-profile=srgb"]

# What is to be seen once the page has drawn itself.
STATE = """
const drawings = [...document.querySelectorAll('.drawing')];
const marks = Object.fromEntries(performance.getEntriesByType('mark').map(m => [m.name, m.startTime]));
return {
  ready: document.documentElement.dataset.ready === 'yes',
  figures: drawings.length,
  empty: drawings.filter(d => !d.firstChild || d.clientHeight < 20).map(d => d.parentNode.id),
  wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  drawing_ms: marks['busline-end'] - marks['busline-begin'],
  loaded_ms: marks['busline-end'],
};
"""

# The first interaction: another figure of a study, or else other colours. Ends when all is drawn again.
INTERACT = """
const done = arguments[0], list = document.querySelector('.controls select'), begin = performance.now();
if (list && list.options.length > 1) {
  list.value = list.options[1].value;
  list.dispatchEvent(new Event('change'));
} else document.getElementById('theme').click();
requestAnimationFrame(() => setTimeout(() => done(performance.now() - begin)));
"""

# What a reader does: arrow keys in every chart and field, every table of numbers unfolded, sorted and filtered, every switch
# turned twice. Gives what did not answer.
USE = """
const wrong = [];
for (const drawing of document.querySelectorAll('.uplot, .plot canvas[tabindex]')) {
  drawing.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
  const readout = drawing.closest('.plot').querySelector('.readout');
  if (!readout || readout.hidden || !readout.textContent) wrong.push('arrow keys in ' + drawing.closest('.figure').id);
  drawing.dispatchEvent(new Event('blur'));
}
for (const box of [...document.querySelectorAll('input[type=checkbox]')]) { box.click(); box.click(); }
for (const details of document.querySelectorAll('details')) {
  details.open = true;
  details.dispatchEvent(new Event('toggle'));
  if (!details.querySelector('table')) wrong.push('the numbers of ' + details.closest('.figure').id);
}
for (const heading of [...document.querySelectorAll('th button')]) { heading.click(); heading.click(); }
for (const filter of document.querySelectorAll('input[type=search]')) {
  filter.value = 'no row has this';
  filter.dispatchEvent(new Event('input'));
  if (filter.closest('.drawing').querySelector('tbody:empty') === null) wrong.push('the filter of ' + filter.closest('.figure').id);
}
return wrong;
"""


class Browser:
    """A session of WebDriver with a new profile."""

    def __init__(self, profile):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        port = None
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                port = line.rsplit(" ", 1)[1].strip().rstrip(".")
                break
        if port is None:
            raise RuntimeError("chromedriver did not start")
        self.base = f"http://127.0.0.1:{port}/session"
        wanted = {"browserName": "chrome", "goog:chromeOptions": {"args": QUIET + [f"--user-data-dir={profile}"]},
                  "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        answer = self.call("", {"capabilities": {"alwaysMatch": wanted}})
        self.base += "/" + answer["sessionId"]

    def look(self, width, height, dark):
        """How wide and high what shows pages is: a window could not be as narrow as a phone."""
        self.command("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.command("Emulation.setEmulatedMedia",
                     {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})

    def call(self, path, body=None, method=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as refused:
            raise RuntimeError(json.load(refused)["value"]["message"]) from None

    def command(self, name, parameters):
        return self.call("/goog/cdp/execute", {"cmd": name, "params": parameters})

    def run(self, script, wait=False):
        return self.call("/execute/" + ("async" if wait else "sync"), {"script": script, "args": []})

    def log(self, kind):
        return self.call("/se/log", {"type": kind})

    def close(self):
        try:
            self.call("", method="DELETE")
        finally:
            self.driver.terminate()
            self.driver.wait(timeout=20)


def requests_of(entries):
    """Addresses that the page asked for."""
    for entry in entries:
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            yield message["params"]["request"]["url"]


def check(browser, page, width, height, dark, shot):
    """What is wrong with the page in such a window, and the times it took."""
    wrong = []
    address = page.resolve().as_uri()
    browser.look(width, height, dark)
    for kind in ("browser", "performance"):
        browser.log(kind)  # what was before
    browser.call("/url", {"url": address})
    state = browser.run(STATE)
    for _ in range(200):
        if state["ready"]:
            break
        time.sleep(0.05)
        state = browser.run(STATE)
    else:
        wrong.append("the page did not draw its figures")
    if state["empty"]:
        wrong.append(f"nothing was drawn in {', '.join(state['empty'])}")
    if state["wide"] > 0:
        wrong.append(f"it is {state['wide']} pixels wider than a window of {width}")
    if shot:
        tall = browser.run("return document.documentElement.scrollHeight")
        browser.look(width, min(tall, 8000), dark)
        time.sleep(0.3)
        shot.write_bytes(base64.b64decode(browser.call("/screenshot")))
    interaction = browser.run(INTERACT, wait=True)
    wrong += [f"no answer to {what}" for what in browser.run(USE)]
    for entry in browser.log("browser"):
        wrong.append(f"console: {entry['level']}: {entry['message']}")
    for url in requests_of(browser.log("performance")):
        # chrome: is the browser's own, of the page that it begins with; no page of ours gets there.
        if url != address and not url.startswith(("data:", "chrome:")):
            wrong.append(f"it asked for {url}")
    times = {"drawing_ms": round(state["drawing_ms"] or 0), "loaded_ms": round(state["loaded_ms"] or 0),
             "interaction_ms": round(interaction)}
    return wrong, times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--screenshots", type=pathlib.Path, metavar="FOLDER", help="also writes PNG files there")
    parser.add_argument("pages", nargs="+", type=pathlib.Path, metavar="PAGE")
    options = parser.parse_args()
    for page in options.pages:
        if not page.is_file():
            parser.error(f"{page} is no file")
    failed = False
    profile = tempfile.mkdtemp(prefix="busline-page-")
    browser = None
    try:
        browser = Browser(profile)
        for page in options.pages:
            for name, width, height, dark in [("light", 1100, 900, False), ("dark", 1100, 900, True), ("phone", 390, 800, False)]:
                shot = options.screenshots and options.screenshots / f"{page.stem}-{name}.png"
                wrong, times = check(browser, page, width, height, dark, shot)
                print(f"{page.name}, {name}: " + ("; ".join(wrong) if wrong else f"good, {times}"), flush=True)
                failed = failed or bool(wrong)
    finally:
        if browser:
            browser.close()
        shutil.rmtree(profile, ignore_errors=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
