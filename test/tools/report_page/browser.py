"""Chromium without a window and without a network, for pages of `ftr report`."""

import json
import os
import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains

CHROMIUM = "/usr/bin/chromium"
DRIVER = "/usr/bin/chromedriver"
SIZES = {"wide": (1920, 1080), "usual": (1280, 720), "narrow": (800, 640), "phone": (390, 844)}
#: seconds until a page must be ready, also on a loaded machine
READY = 60


class Browser:
    """A browser with one page."""

    def __init__(self):
        for program in (CHROMIUM, DRIVER):
            if not os.path.exists(program):
                sys.exit(f"{program} is not installed: apt-get install chromium chromium-driver")
        options = Options()
        options.binary_location = CHROMIUM
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--hide-scrollbars", "--force-device-scale-factor=1",
                         "--disable-background-networking", "--disable-component-update",
                         "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(DRIVER), options=options)
        self.address = None
        self.resize("usual")

    def close(self):
        self.driver.quit()

    def command(self, name, **parameters):
        return self.driver.execute_cdp_cmd(name, parameters)

    def resize(self, size, dark=False):
        width, height = SIZES[size]
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=1, mobile=False)
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, address, offline=True):
        """Loads a page from scratch and waits until it is ready."""
        self.driver.get("about:blank")
        self.logs()
        self.command("Network.enable")
        self.command("Network.emulateNetworkConditions", offline=offline, latency=0,
                     downloadThroughput=-1, uploadThroughput=-1)
        self.address = address
        self.driver.get(address)
        self.wait("return document.documentElement.dataset.state")
        return self

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, script, *arguments):
        """Waits until a script returns something true, and returns it."""
        limit = time.monotonic() + READY
        while time.monotonic() < limit:
            result = self.js(script, *arguments)
            if result:
                return result
            time.sleep(0.02)
        raise TimeoutError(script)

    def settle(self):
        """Waits until the changes so far are painted."""
        self.driver.execute_async_script(
            "const done = arguments[0];"
            "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));")

    def text(self, selector):
        return self.js("return document.querySelector(arguments[0])?.textContent ?? null", selector)

    def state(self, name):
        """An attribute data-* of the root element, where the page keeps its measurements."""
        return self.js("return document.documentElement.dataset[arguments[0]]", name)

    # ---- the hands of the user -----------------------------------------------------------------

    def mouse(self, kind, x, y, **parameters):
        self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, **parameters)

    def move(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.settle()

    def click(self, x, y, shift=False):
        extra = {"button": "left", "clickCount": 1, "modifiers": 8 if shift else 0}
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, **extra)
        self.mouse("mouseReleased", x, y, **extra)
        self.settle()

    def drag(self, start, end):
        self.mouse("mouseMoved", *start)
        self.mouse("mousePressed", *start, button="left", clickCount=1)
        for step in range(1, 6):
            self.mouse("mouseMoved", *(a + (b - a) * step / 5 for a, b in zip(start, end)),
                       button="left")
        self.mouse("mouseReleased", *end, button="left", clickCount=1)
        self.settle()

    def wheel(self, x, y, amount):
        self.mouse("mouseWheel", x, y, deltaX=0, deltaY=amount)
        self.settle()

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()
        self.settle()

    def press(self, selector):
        """Clicks an element."""
        self.js("document.querySelector(arguments[0]).click()", selector)
        self.settle()

    def middle(self, selector):
        box = self.js("const b = document.querySelector(arguments[0]).getBoundingClientRect();"
                      "return [b.left + b.width / 2, b.top + b.height / 2]", selector)
        return box

    # ---- findings ------------------------------------------------------------------------------

    def logs(self):
        """Messages of the console, and addresses that the page has requested."""
        console = [entry["message"] for entry in self.driver.get_log("browser")
                   if entry["level"] in ("SEVERE", "WARNING")
                   # said of the tests, which look at pixels
                   and "willReadFrequently" not in entry["message"]]
        requests = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                requests.append(message["params"]["request"]["url"])
        return console, requests

    def screenshot(self, path):
        self.driver.save_screenshot(path)
