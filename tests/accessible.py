"""Rules of accessibility, held in a browser: what a reader of a page by keyboard, screen reader or on paper needs.

They are a few of WCAG 2.1, each a function in the page that returns what breaks it; a page is asked for all at once.
"""

RULES = r"""
const shown = (e) => e.checkVisibility({opacityProperty: true, visibilityProperty: true}) && e.getClientRects().length;
const word = (e) => `${e.tagName.toLowerCase()}${e.id ? "#" + e.id : ""} ${e.outerHTML.slice(0, 90)}`;
const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
const said = (e) =>
  (e.getAttribute("aria-label") || e.getAttribute("title") || e.innerText || "").trim() ||
  (e.getAttribute("aria-labelledby") || "").split(" ").some((id) => document.getElementById(id)?.innerText.trim()) ||
  (e.labels && [...e.labels].some((label) => label.innerText.trim())) ||
  [...e.querySelectorAll("img[alt], svg title")].some((i) => (i.alt || i.textContent || "").trim());
const rgba = (text) => (text.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
const light = ([r, g, b]) => {
  const [x, y, z] = [r, g, b].map((c) => ((c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
};
const over = (top, below) => [0, 1, 2].map((i) => top[i] * (top[3] ?? 1) + below[i] * (1 - (top[3] ?? 1)));
const ground = (e) => {
  if (!e) return rgba(getComputedStyle(document.documentElement).colorScheme === "dark" ? "18 18 18" : "255 255 255");
  const own = rgba(getComputedStyle(e).backgroundColor);
  return (own[3] ?? 1) === 1 ? own : over(own, ground(e.parentElement));
};
const faults = {
  "no language": () => (document.documentElement.lang ? [] : [document.documentElement]),
  "not one first heading": () => (all("h1").length === 1 ? [] : [document.body]),
  "a heading skips a level": () => {
    const levels = all("h1, h2, h3, h4, h5, h6");
    return levels.filter((h, i) => i && +h.tagName[1] > +levels[i - 1].tagName[1] + 1);
  },
  "a picture without text": () => [
    ...all("img:not([alt])"),
    ...all("svg, canvas").filter(
      (e) => !e.closest("[aria-label], [aria-labelledby], [aria-hidden=true], button, a, figure, summary") &&
             !e.querySelector("title"),
    ),
  ],
  "a table without headers": () => all("table:not([role=presentation])").filter((t) => !t.querySelector("th")),
  "a control without a name": () =>
    all("a[href], button, input:not([type=hidden]), select, textarea, summary").filter((e) => !said(e)),
  "an id twice": () => {
    const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
    return [...new Set(ids.filter((id, i) => ids.indexOf(id) !== i))].map((id) => document.getElementById(id));
  },
  "what is clicked takes no focus": () =>
    all("[onclick], [role=button], th[aria-sort]").filter(
      (e) => e.tabIndex < 0 && !e.querySelector("a, button, input, select"),
    ),
  "low contrast": () => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = new Set();
    while (texts.nextNode()) {
      const e = texts.currentNode.parentElement;
      const left = "svg, script, style, [disabled], [aria-hidden=true]";
      if (!texts.currentNode.data.trim() || !shown(e) || e.closest(left)) continue;
      const style = getComputedStyle(e);
      const below = ground(e);
      const [x, y] = [light(over(rgba(style.color), below)), light(below)].sort((a, b) => b - a);
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && +style.fontWeight >= 700);
      if ((x + 0.05) / (y + 0.05) < (large ? 3 : 4.5) - 0.01) found.add(e);
    }
    return [...found];
  },
};
return Object.entries(faults).flatMap(([rule, find]) => find().slice(0, 5).map((e) => `${rule}: ${word(e)}`));
"""

FOCUSED = """
const e = document.activeElement;
if (!e || e === document.body) return "";
const s = getComputedStyle(e);
return s.outlineStyle === "none" && s.boxShadow === "none" ? `the focus is not seen: ${e.outerHTML.slice(0, 90)}` : "";
"""

TABS = 12
"""Presses of the key that moves the focus."""


def shown_at(browser, page, width=1280, scheme="light"):
    """Show a page that is a file, in a window so wide and in a colour scheme."""
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    media = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})
    browser.get(page.resolve().as_uri())


def errors(browser):
    """Return what the browser complains of."""
    return [entry["message"] for entry in browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]


def faults_of(browser):
    """Return what breaks a rule on the page that a browser shows, also printed, and where the focus is not seen."""
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    found = list(browser.execute_script(RULES))
    for _ in range(TABS):
        ActionChains(browser).send_keys(Keys.TAB).perform()
        found.append(browser.execute_script(FOCUSED))
    dark = browser.execute_script("return matchMedia('(prefers-color-scheme: dark)').matches")
    features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": features})
    found += [f"printed, {fault}" for fault in browser.execute_script(RULES) if fault.startswith("low contrast")]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": features})
    return list(dict.fromkeys(filter(None, found)))
