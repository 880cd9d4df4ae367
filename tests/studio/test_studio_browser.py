"""The pages of Studio in a real browser: the whole work of a newcomer, from a file to an exported release.

Skipped where there is no Chromium; SHOAL_REQUIRE=browser makes that an error. SHOAL_PICTURES=docs/pictures writes the
pictures of the documents.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

import page_views
import shoal
from conftest import lacking
from shoal.datasets import synthetic_census
from shoal.sources import write_table
from studio_browser import PAGES, Sitting, opened_chromium, running_studio

pytestmark = [pytest.mark.gate, pytest.mark.browser, pytest.mark.loopback]

PERSONS = 300
VIEWS = [(1280, "light"), (390, "dark")]
OTHER_VIEWS = [(1280, "dark"), (390, "light")]
SLOW = 'name = "microaggregate"\nproposals = 1_000_000_000'  # a search that ends only when it is canceled


@pytest.fixture(scope="module")
def browser():
    program = page_views.find_browser()
    if program is None:
        lacking("browser", "no Chromium was found")
    with opened_chromium(program) as opened:
        yield opened


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """With a table that nobody has looked at, and one with its policy in a folder of its own."""
    found = tmp_path_factory.mktemp("tables")
    (found / "desk").mkdir()
    for path in (found / "census.csv", found / "desk" / "census.csv"):
        write_table(synthetic_census(PERSONS, seed=0), path)
    (found / "desk" / "policy.toml").write_text(shoal.propose(found / "desk" / "census.csv").text)
    return found


@pytest.fixture(scope="module")
def sitting(browser, folder):
    with running_studio("--folder", folder) as address:
        yield Sitting.enter(browser, address, str(folder))


@pytest.fixture(scope="module")
def run(sitting, folder):
    """The number of a release, which every test may look at while its file is open."""
    open_desk(sitting, folder)
    sitting.post("/api/jobs", kind="protect")
    wait_for_work(sitting)
    return sitting.get("/api/state")["runs"][-1]["id"]


@pytest.fixture
def tabs(sitting):
    """Opens pages; at the end of the test no browser may have complained."""
    opened = []

    def open_tab(name):
        opened.append(sitting.page(name))
        return opened[-1]

    yield open_tab
    complaints = [complaint for tab in opened for complaint in tab.complaints]
    for tab in opened:
        tab.page.close()
    assert complaints == []


@pytest.fixture
def desk(sitting, folder):
    """The folder of the census that is open, with its policy."""
    return open_desk(sitting, folder)


def open_desk(sitting, folder):
    sitting.post("/api/close")
    sitting.post("/api/open", path=str(folder / "desk" / "census.csv"))
    return folder / "desk"


def wait_for_work(sitting):
    """Until nothing is waiting or running, as a page is told."""
    with_events = """() => new Promise((done) => {
        const events = new EventSource("/api/events");
        events.addEventListener("state", (event) => {
            const open = JSON.parse(event.data).jobs.filter((job) => ["waiting", "running"].includes(job.status));
            if (!open.length) done(events.close());
        });
    })"""
    page = sitting.context.new_page()
    page.goto(f"{sitting.address}/static/shoal.svg")  # nothing moves there
    page.evaluate(with_events)
    page.close()


def write_policy(sitting, change):
    policy = sitting.get("/api/policy")
    answer = sitting.context.request.put(
        f"{sitting.address}/api/policy",
        data={"text": change(policy["text"]), "revision": policy["revision"]},
        headers={"Origin": sitting.address},
    )
    assert answer.ok, answer.text()


def test_a_newcomer_walks_from_a_file_to_a_proven_release(sitting, tabs, folder, tmp_path):
    sitting.post("/api/close")
    tab = tabs("data")
    page = tab.page
    page.get_by_role("button", name="census.csv").click()
    expect(page.get_by_role("heading", level=1, name="census.csv")).to_be_visible()
    expect(page.get_by_role("heading", name="Which keys single people out")).to_be_visible()
    expect(page.get_by_role("region", name="The first records").locator("tbody tr")).to_have_count(50)
    tab.picture("data")

    page.get_by_role("link", name="Decide the policy").click()
    page.wait_for_url("**/policy")
    role = page.get_by_role("combobox", name="Role of rent")
    role.select_option("sensitive")
    expect(page.get_by_role("textbox", name="Text of policy.toml")).to_have_value(
        re.compile(r'\[columns\.rent\][^\[]*role = "sensitive"')
    )
    expect(page.get_by_text("This policy can be run.")).to_be_visible()
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#saved")).to_have_text("saved")
    tab.picture("policy")

    page.get_by_role("link", name="Run it").click()
    page.wait_for_url("**/run")
    page.get_by_role("button", name="Forecast").click()
    expect(page.get_by_text("of CPU time")).to_be_visible()
    page.get_by_role("button", name="Make the release").click()
    result = page.get_by_role("link", name="See the result")
    expect(result).to_be_visible()
    tab.picture("run")

    result.click()
    page.wait_for_url("**/result/*")
    expect(page.locator(".verdict")).to_contain_text("The proof holds")
    tab.draw_charts()
    tab.picture("result")

    page.get_by_role("link", name="Export this release").click()
    page.wait_for_url("**/export/*")
    page.get_by_role("textbox", name="Folder").fill(str(folder / "out"))
    page.get_by_role("button", name="Write the files").click()
    expect(page.get_by_text("Written and proven:")).to_be_visible()
    tab.picture("export")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download release.csv", exact=True).click()
    release, policy = folder / "out" / "release.csv", folder / "out" / "policy.toml"
    assert download.value.path().read_bytes() == release.read_bytes()
    assert shoal.verify(release, policy).holds


def test_runs_are_compared_and_a_policy_is_taken_over(desk, sitting, tabs):
    tab = tabs("compare")
    page = tab.page
    page.get_by_label("Setting").select_option(label="k of k-anonymity")
    page.get_by_label("Values").fill("4, 12")
    expect(page.get_by_text("2 releases")).to_be_visible()
    page.get_by_role("button", name="Another setting").click()
    page.get_by_label("Setting").last.select_option(label="method")
    methods = page.get_by_role("group", name="Methods")
    for name in ("mdav", "mondrian"):
        methods.get_by_role("checkbox", name=name, exact=True).check()
    expect(page.get_by_text("4 releases")).to_be_visible()
    page.get_by_role("button", name="Drop this setting").last.click()
    expect(page.get_by_text("2 releases")).to_be_visible()
    n_runs = page.locator("li.run").count()
    page.get_by_role("button", name="Try them").click()
    expect(page.locator("li.run")).to_have_count(n_runs + 2)
    chart = page.locator(".chart[data-form=frontier][data-drawn=yes]")
    expect(chart).to_be_visible()
    page.evaluate("document.getElementById('frontier').scrollIntoView({ behavior: 'instant' })")
    tab.picture("compare")
    numbers = page.locator("li.run .number").all_inner_texts()
    last = page.locator("li.run").last
    chart.locator("path[aria-roledescription]").first.or_(chart.locator("g.mark-symbol path").first).click()
    expect(page.locator("li.run:focus")).to_have_count(1)
    assert page.locator("li.run:focus .number").inner_text() in numbers
    last.get_by_role("button", name="Take this policy over").click()
    page.wait_for_url("**/policy")
    expect(page.get_by_role("textbox", name="Text of policy.toml")).to_have_value(re.compile(r"^k = 12", re.M))


def test_work_is_canceled_and_leaves_nothing_behind(desk, sitting, tabs):
    write_policy(sitting, lambda text: re.sub(r'name = "mdav".*', SLOW, text))
    before, runs = sorted(path.name for path in desk.iterdir()), sitting.get("/api/state")["runs"]
    page = tabs("run").page
    page.get_by_role("button", name="Make the release").click()
    job = page.locator("li.job", has_text="Protect").first
    job.get_by_role("button", name="Cancel").click()
    expect(job.locator(".tag")).to_have_text("canceled")
    assert sorted(path.name for path in desk.iterdir()) == before
    assert sitting.get("/api/state")["runs"] == runs


def test_a_page_that_is_loaded_again_finds_the_work(desk, sitting, tabs):
    write_policy(sitting, lambda text: re.sub(r'name = "mdav".*', SLOW, text))
    page = tabs("run").page
    page.get_by_role("button", name="Make the release").click()
    expect(page.locator("li.job", has_text="Protect").first.get_by_role("progressbar")).to_be_visible()
    page.reload()
    expect(page.locator("li.job", has_text="Protect").first.get_by_role("progressbar")).to_be_visible()
    page.goto(f"{sitting.address}/data")
    expect(page.get_by_role("region", name="Work in progress")).to_be_visible()
    page.goto(f"{sitting.address}/run")
    job = page.locator("li.job", has_text="Protect").first
    job.get_by_role("button", name="Cancel").click()
    expect(job.locator(".tag")).to_have_text("canceled")


def test_a_wrong_policy_is_told_beside_its_text(desk, sitting, tabs):
    tab = tabs("policy")
    page = tab.page
    text = page.get_by_role("textbox", name="Text of policy.toml")
    right = text.input_value()
    text.fill(right.replace('role = "sensitive"', 'role = "sensitiv"', 1))
    expect(page.locator("#text-state .problems")).to_contain_text("Did you mean 'sensitive'?")
    tab.picture("wrong-policy")
    text.fill(f"{right}\n[method")
    expect(page.locator("#text-state .problems")).to_be_visible()
    expect(page.get_by_role("heading", name="The text is no TOML now")).to_be_visible()
    tabs("run").page.get_by_role("heading", name="The policy cannot be run yet").wait_for()
    text.fill(right)
    expect(page.get_by_text("This policy can be run.")).to_be_visible()
    expect(page.get_by_role("combobox", name="Role of income")).to_have_value("sensitive")


def test_the_form_keeps_the_comments_of_the_text(desk, sitting, tabs):
    page = tabs("policy").page
    text = page.get_by_role("textbox", name="Text of policy.toml")
    comments = re.findall(r"#.*", text.input_value())
    page.get_by_role("group").filter(has_text="Add a requirement").locator("summary").first.click()
    page.get_by_label("Requirement", exact=True).select_option("distinct_l_diversity")
    new = page.locator("form.new:visible")
    new.get_by_label("l needed").fill("2")
    new.get_by_label("column needed").select_option("health_condition")
    new.get_by_role("button", name="Add distinct l-diversity").click()
    expect(text).to_have_value(re.compile(r'name = "distinct_l_diversity"'))
    page.get_by_role("button", name="Remove distinct l-diversity").click()
    expect(text).not_to_have_value(re.compile(r'^name = "distinct_l_diversity"', re.M))
    assert set(comments) <= set(re.findall(r"#.*", text.input_value()))


def test_an_item_of_a_list_may_have_a_comma(desk, sitting, tabs):
    page = tabs("policy").page
    text, order = page.get_by_role("textbox", name="Text of policy.toml"), page.locator("#settings [data-key=order]")
    page.get_by_role("button", name="Settings of education").click()
    order.fill('"none, or unknown", school, "1", 2')
    order.press("Tab")
    expect(text).to_have_value(re.compile(re.escape('order = ["none, or unknown", "school", "1", 2]')))
    page.reload()
    page.get_by_role("button", name="Settings of education").click()
    expect(order).to_have_value('"none, or unknown", school, "1", 2')


def test_names_that_are_markup_are_shown_as_they_are(sitting, tabs, tmp_path_factory, folder):
    names = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "{{7*7}}\"'"]
    path = folder / "markup" / "<b>bold.csv"
    path.parent.mkdir()
    write_table(synthetic_census(40, seed=0).select(["age", "sex", "rent"]).rename_columns(names), path)
    sitting.post("/api/close")
    sitting.post("/api/open", path=str(path))
    wait_for_work(sitting)
    write_policy(sitting, lambda text: f"# </textarea><script>alert(3)</script>\n{text}")
    for name in ("data", "policy"):
        page = tabs(name).page
        for column in names:
            expect(page.locator("th").filter(has_text=column).first).to_be_visible()
        assert page.locator("script:not([src]):not([type='application/json']), main img, main b:has(+ b)").count() == 0
    expect(page.get_by_role("textbox", name="Text of policy.toml")).to_have_value(re.compile("^# </textarea><script>"))


def test_a_taxonomy_is_edited_as_a_tree(desk, sitting, tabs):
    tab = tabs("policy")
    page = tab.page
    page.get_by_role("button", name="Add a taxonomy of marital_status").click()
    tree = page.get_by_role("region", name="Tree of marital_status")
    expect(tree).to_be_visible()
    values = tree.get_by_role("checkbox").all()
    for name in ("divorced", "separated", "widowed"):
        tree.get_by_role("checkbox", name=name).check()
    page.get_by_label("Put what is chosen under").fill("no longer married")
    page.get_by_role("button", name="Group", exact=True).click()
    expect(tree.get_by_label("Name of the group no longer married")).to_be_visible()
    tab.picture("taxonomy")
    page.get_by_role("button", name="Save the taxonomy").click()
    text = page.get_by_role("textbox", name="Text of policy.toml")
    expect(text).to_have_value(re.compile(r"\[columns\.marital_status\][^\[]*taxonomy = "))
    (file,) = re.findall(r'marital_status\][^\[]*taxonomy = "(.*?)"', text.input_value())
    taxonomy = shoal.Taxonomy.read(desk / file)
    assert sum(path[1] == "no longer married" for path in taxonomy.paths) == 3
    assert len(taxonomy.paths) == len(values)


def test_charts_are_drawn_where_scripts_within_the_page_are_forbidden(run, desk, tabs):
    tab = tabs(f"result/{run}")
    policy = tab.page.request.get(tab.page.url).headers["content-security-policy"]
    assert "script-src 'self';" in f"{policy};"
    assert "unsafe" not in policy
    tab.draw_charts()
    charts = tab.page.locator(".chart")
    assert charts.count() > 5
    assert tab.page.locator(".chart[data-drawn=no]").count() == 0
    assert tab.page.locator(".chart[data-drawn=yes] svg path").count() > charts.count()
    tab.page.locator(".chart[data-form=chart] g.mark-rect path").first.hover()
    expect(tab.page.locator("#tip")).to_contain_text("%")


@pytest.mark.parametrize("views", [VIEWS, pytest.param(OTHER_VIEWS, marks=pytest.mark.long)])
def test_every_page_can_be_used_by_everybody(run, desk, sitting, tabs, views):
    """What depends on the width does not depend on the scheme, and the other way round."""
    wait_for_work(sitting)
    for name in PAGES:
        tab = tabs(name)
        tab.draw_charts()
        for width, scheme in views:
            tab.show(width, scheme)
            assert tab.overflow == 0, (name, width)
            assert tab.violations == [], (name, width, scheme)
        tab.page.close()


def test_pages_without_a_table_say_what_to_do(sitting, tabs):
    sitting.post("/api/close")
    for name in PAGES[1:]:
        tab = tabs(name)
        tab.show(390, "light")
        assert tab.overflow == 0
        assert tab.violations == []
        assert tab.page.locator("main .empty .button.primary").count() == 1, name


def test_two_tabs_agree(desk, sitting, tabs):
    one, other = tabs("policy").page, tabs("policy").page
    one.get_by_role("combobox", name="Role of rent").select_option("identifier")
    expect(other.get_by_role("combobox", name="Role of rent")).to_have_value("identifier")
    text = other.get_by_role("textbox", name="Text of policy.toml")
    text.fill(f"# seen by both\n{text.input_value()}")
    expect(one.get_by_role("textbox", name="Text of policy.toml")).to_have_value(re.compile("^# seen by both"))


def test_the_keyboard_alone_opens_a_file_and_reaches_the_policy(sitting, tabs):
    sitting.post("/api/close")
    page = tabs("data").page
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the page")).to_be_focused()
    file = page.get_by_role("button", name="census.csv")
    file.focus()
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="census.csv")).to_be_visible()
    wait_for_work(sitting)
    page.get_by_role("link", name="Policy", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Text of policy.toml")).to_be_visible()
