"""`brain export html` as a person uses it: in a real browser, by mouse and keyboard, without a network.

Needs Playwright and a Chromium (`/usr/bin/chromium`, or where `BRAIN_CHROMIUM` says); skips without them.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from brain.export.exporting import export

BROWSER = os.environ.get("BRAIN_CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="pip install playwright to test in a browser")
    if not Path(BROWSER).is_file():
        pytest.skip(f"no browser at {BROWSER}: install chromium, or set BRAIN_CHROMIUM")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture(scope="module")
def file(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    to = tmp_path_factory.mktemp("html") / "memory.html"
    export(demo, "html", to)
    return to.as_uri()


@pytest.fixture
def page(browser: Any, file: str) -> Iterator[Any]:
    """The demo's memory, opened; whatever the console or the network had to say fails the test."""
    tab = browser.new_page()
    said: list[str] = []
    tab.on("console", lambda message: said.append(message.text))
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.on("request", lambda request: said.append(request.url) if not request.url.startswith("file:") else None)
    tab.goto(file)
    yield tab
    tab.close()
    assert said == []


def shown(page: Any) -> str:
    """The id of the one article that shows."""
    found = [one for one in page.query_selector_all("article") if one.is_visible()]
    assert len(found) == 1
    return str(found[0].get_attribute("id"))


def test_it_opens_at_home_with_every_page_in_the_contents(page: Any) -> None:
    assert shown(page) == "home"
    assert page.locator("#contents details").count() == 7
    assert page.get_by_role("link", name="Japan universal design sprint").first.is_visible()


def test_a_wikilink_leads_to_its_page_and_back(page: Any) -> None:
    page.locator("#contents").get_by_role("link", name="Japan universal design sprint", exact=True).click()
    assert shown(page) == "p/projects/japan-universal-design-sprint"
    page.locator("main").get_by_role("link", name="Nadia", exact=True).first.click()
    assert shown(page) == "p/entities/nadia"
    page.go_back()
    assert shown(page) == "p/projects/japan-universal-design-sprint"
    assert "Japan universal design sprint" in page.title()


def test_a_citation_opens_the_turn_that_was_said(page: Any) -> None:
    page.locator("#contents").get_by_role("link", name="Sora City Lab", exact=True).click()
    page.locator("main article.on a.cite").first.click()
    assert shown(page).startswith("t/2026-06-18")
    turn = page.locator(".turn.here")
    assert "Sora City Lab hosts us in Kyoto" in turn.inner_text()
    assert turn.evaluate("one => one === document.activeElement")


def test_search_finds_pages_before_turns_and_is_worked_by_keyboard_alone(page: Any) -> None:
    page.keyboard.press("/")
    page.keyboard.type("haruka")
    assert page.locator("#count").inner_text().endswith("results")
    first = page.locator("#results a").first
    assert "Haruka Nishida" in first.inner_text()
    assert page.locator("#results mark").first.inner_text().lower() == "haruka"
    page.keyboard.press("ArrowDown")
    assert first.evaluate("one => one === document.activeElement")
    page.keyboard.press("Enter")
    assert shown(page) == "p/entities/haruka-nishida"
    page.keyboard.press("Escape")
    assert page.locator("#results").is_hidden()
    page.keyboard.press("h")
    assert shown(page) == "home"


def test_search_folds_accents_and_needs_every_word(page: Any) -> None:
    page.locator("#search").fill("ines workshops")
    assert page.locator("#results a").first.inner_text().startswith("Inès Moreau")
    page.locator("#search").fill("ines submarine")
    assert page.locator("#count").inner_text() == "0 results"


def test_light_and_dark_follow_the_system_and_the_button(browser: Any, file: str) -> None:
    for scheme in ("light", "dark"):
        tab = browser.new_page(color_scheme=scheme)
        tab.goto(file)
        before = ground(tab)
        assert (before < 128) is (scheme == "dark")
        tab.locator("#theme").click()
        assert (ground(tab) < 128) is (scheme != "dark")
        tab.reload()
        assert (ground(tab) < 128) is (scheme != "dark"), "the choice is kept"
        tab.close()


def ground(tab: Any) -> int:
    """How light the background is, 0..255."""
    return int(re.findall(r"\d+", tab.evaluate("getComputedStyle(document.body).backgroundColor"))[0])


def test_without_a_script_everything_is_there_and_links_work(browser: Any, file: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(file)
    assert tab.locator("article").count() == len([one for one in tab.query_selector_all("article") if one.is_visible()])
    tab.locator("#contents").get_by_role("link", name="Nadia", exact=True).first.click()
    assert tab.url.endswith("#p/entities/nadia")
    context.close()


def test_hostile_words_stay_words(browser: Any, hostile: Path, tmp_path: Path) -> None:
    """Scripts, handlers, frames, `javascript:` links in titles, claims, notes and turns: nothing runs or loads."""
    export(hostile, "html", tmp_path / "hostile.html", turns="all")
    tab = browser.new_page()
    asked: list[str] = []
    blocked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("console", lambda message: blocked.append(message.text))
    tab.goto((tmp_path / "hostile.html").as_uri())
    for id in tab.evaluate("[...document.querySelectorAll('article')].map(one => one.id)"):
        tab.evaluate("id => { location.hash = id; }", id)
    tab.locator("#search").fill("script")
    assert tab.locator("#results a").count() > 3
    assert tab.evaluate("window.owned") is None
    assert asked == [(tmp_path / "hostile.html").as_uri()]
    assert blocked == [], "the policy had to stop something that should not have been there"
    assert tab.locator("script").count() == 1
    assert tab.locator("main").locator("img, iframe, object, embed, form, [onerror], [onclick], [style]").count() == 0
    hrefs = tab.evaluate("[...document.querySelectorAll('a[href]')].map(one => one.getAttribute('href'))")
    assert {href.partition(":")[0] for href in hrefs if not href.startswith("#")} <= {"http", "https", "mailto"}
    assert "<script>window.owned = 1</script>" in tab.locator("main").text_content()
    tab.close()
