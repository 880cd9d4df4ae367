"""Who is let in, and what is refused: foreign sites and hosts, paths that lead out, uploads that are too much."""

import os
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from shoal.studio import request_body
from shoal.studio.app import PAGES, REQUESTS
from studio_example import studio
from survey_example import desk

pytestmark = [pytest.mark.loopback]

ADDRESSES = [
    *(("GET", path.replace("{run:int}", "1")) for path in PAGES),
    *((method, re.sub(r"\{\w+(:int)?\}", "1", path)) for method, path in REQUESTS),
    ("GET", "/static/report.css"), ("GET", "/static/vega.js"), ("GET", "/no/such/page"),
]  # fmt: skip
SECRET = "Geheimnis"


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    inside, outside = tmp_path_factory.mktemp("inside"), tmp_path_factory.mktemp("outside")
    for folder in (inside, outside):
        desk(folder)
    (outside / "secret.csv").write_text(f"name,age\n{SECRET},3\n{SECRET},4\n")
    (inside / "link.csv").symlink_to(outside / "secret.csv")
    (inside / "linked").symlink_to(outside)
    (inside / "parts").mkdir()
    (inside / "parts" / "part-00000.parquet").symlink_to(outside / "secret.csv")
    return inside, outside


@pytest.fixture(scope="module")
def there(folders):
    with studio(folders[0]) as opened:
        yield opened


@pytest.mark.parametrize(("method", "path"), ADDRESSES)
def test_nothing_is_answered_without_the_cookie(there, method, path):
    for cookie in ("", f"{there.access.cookie_name}=wrong", f"shoal-studio={there.access.cookie}"):
        said = there.ask(method, path, {}, known=False, headers={"Cookie": cookie})
        assert said.status == 401
        assert "has not been let in" in said.text


def test_the_token_lets_one_browser_in(folders):
    with studio(folders[0]) as opened:
        assert opened.ask("GET", "/?token=wrong", known=False).status == 401
        address = opened.access.address.removeprefix(opened.access.origin)
        said = opened.ask("GET", address, known=False)
        assert said.status == 200
        assert 'content="0; url=/"' in said.text
        cookie, *marks = said.headers["set-cookie"].split("; ")
        assert {"HttpOnly", "Path=/", "SameSite=strict"} == set(marks)
        assert opened.ask("GET", "/data", known=False, headers={"Cookie": cookie}).status == 200
        again = opened.ask("GET", address, known=False)
        assert again.status == 401
        assert "set-cookie" not in again.headers
        assert opened.ask("GET", address).status == 303  # the one that was let in may reload it


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost:1", "127.0.0.1.evil.example:{}"]
)
def test_a_foreign_host_is_refused(there, host):
    for method, path in (("GET", "/data"), ("GET", "/api/state"), ("POST", "/api/close")):
        said = there.ask(method, path, {}, headers={"Host": host.format(there.access.port)})
        assert said.status == 403
        assert "another host" in said.text


def test_the_name_of_this_machine_is_no_foreign_host(there):
    name = f"localhost:{there.access.port}"
    assert there.ask("GET", "/data", headers={"Host": name}).status == 200
    assert there.ask("POST", "/api/close", {}, headers={"Host": name, "Origin": f"http://{name}"}).status == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:{}", ""])
def test_a_foreign_origin_is_refused(there, origin):
    said = there.ask("POST", "/api/close", {}, headers={"Origin": origin.format(there.access.port)})
    assert said.status == 403
    assert "another site" in said.text
    if origin:
        assert there.ask("GET", "/data", headers={"Origin": origin.format(there.access.port)}).status == 403


def test_every_answer_is_kept_where_it_belongs(there):
    for path, status in (("/data", 200), ("/api/state", 200), ("/no/page", 404), ("/static/report.css", 200)):
        said = there.ask("GET", path)
        assert said.status == status
        assert "script-src 'self'; style-src 'self'" in said.headers["content-security-policy"]
        assert said.headers["x-content-type-options"] == "nosniff"
        assert said.headers["referrer-policy"] == "no-referrer"
        assert said.headers["cache-control"] == "no-store"
        assert "server" not in said.headers
    assert there.ask("GET", "/data", known=False).headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path",
    ["../{outside}/secret.csv", "{inside}/../{outside}/secret.csv", "/etc/passwd", "link.csv", "linked/secret.csv",
     "{inside}/link.csv", "parts", "survey.csv\0.csv", "", "linked", "~/x.csv", "linked/*.csv"],
)  # fmt: skip
def test_no_path_leads_out(there, folders, path):
    inside, outside = folders
    given = path.format(inside=inside, outside=outside.name)
    said = there.ask("POST", "/api/open", {"path": given})
    assert said.status in (403, 404, 422), said.text
    assert SECRET not in said.text
    assert there.get("/api/state")["file"] is None


def test_links_that_lead_out_are_not_listed(there, folders):
    inside, outside = folders
    found = there.post("/api/folder", {"path": None})
    assert "survey.csv" in {file["name"] for file in found["files"]}
    assert "link.csv" not in {file["name"] for file in found["files"]}
    assert found["folders"] == ["parts"]
    assert found["parent"] is None
    for path in (str(outside), str(inside.parent), f"{inside}/linked", "..", f"{inside}/.."):
        assert there.ask("POST", "/api/folder", {"path": path}).status == 403


@pytest.mark.parametrize(
    "name", ["../app.py", "..%2fapp.py", "%2e%2e/app.py", "../../../etc/passwd", "", "page.mjs/.."]
)
def test_only_static_files_are_served(there, name):
    assert there.ask("GET", f"/static/{name}").status == 404


def upload(there, name, content, **headers):
    return there.ask("POST", "/api/upload", content, headers={"X-File-Name": name, **headers})


@pytest.mark.parametrize(
    "name", ["x.exe", "x", "x.html", "x.csv.exe", "policy.toml", "x.parts", "x.gz.xz", "x.parquet.gz"]
)
def test_what_is_no_table_is_not_uploaded(there, name):
    said = upload(there, name, b"a,b\n1,2\n")
    assert said.status == 415
    assert "not the extension of a table" in said.text


@pytest.mark.parametrize("name", ["", "..", ".csv", "%00.csv", "a%0ab.csv", "%E2%80%AEvsc.csv", "n" * 300 + ".csv"])
def test_an_upload_has_a_name(there, name):
    assert upload(there, name, b"a,b\n1,2\n").status == 400


@pytest.mark.gate
def test_an_upload_stays_in_the_private_folder(there, folders):
    inside, _ = folders
    before = set(inside.iterdir())
    said = upload(there, "../../evil/census.csv", (inside / "survey.csv").read_bytes())
    assert said.status == 200
    path = said.json["file"]["path"]
    assert os.path.commonpath([path, there.sitting.private]) == str(there.sitting.private)
    assert said.json["file"]["name"] == "census.csv"
    assert set(inside.iterdir()) == before
    there.idle()
    there.post("/api/close")


@pytest.mark.parametrize("name", ["x.parquet", "x.xlsx", "x.sav", "x.dta", "x.arrow", "x.csv.gz", "x.csv"])
def test_an_upload_that_is_no_table_is_said_by_its_name(there, name):
    held = set(there.sitting.private.iterdir())
    said = upload(there, name, b"PK\0\x1f\x8b\xff")
    assert said.status == 422
    assert said.json["error"]["lines"][0].startswith(name)
    assert there.sitting.private.name not in said.text
    assert set(there.sitting.private.iterdir()) == held


def test_a_large_upload_is_refused(there, monkeypatch):
    monkeypatch.setattr(request_body, "MOST_UPLOADED", 1000)
    held = sum(1 for _ in there.sitting.private.rglob("*.csv"))
    assert upload(there, "x.csv", b"a,b\n" + b"1,2\n" * 1000).status == 413
    assert upload(there, "x.csv", None, **{"Content-Length": "100000000000"}).status == 413
    assert upload(there, "x.csv", None, **{"Content-Length": "many"}).status in (400, 413)
    assert sum(1 for _ in there.sitting.private.rglob("*.csv")) == held


def test_an_upload_without_a_length_is_counted(there, monkeypatch):
    monkeypatch.setattr(request_body, "MOST_UPLOADED", 1000)
    held = sum(1 for _ in there.sitting.private.rglob("*.csv"))
    headers = {
        "Cookie": f"{there.access.cookie_name}={there.access.cookie}",
        "Origin": there.access.origin,
        "X-File-Name": "x.csv",
    }
    with closing(there.connection()) as connection:
        pieces = iter([b"a,b\n", *[b"1,2\n" * 100] * 10])
        connection.request("POST", "/api/upload", pieces, headers, encode_chunked=True)
        assert connection.getresponse().status == 413
    assert sum(1 for _ in there.sitting.private.rglob("*.csv")) == held


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"path": 3}', b"\xff", b"null"])
def test_a_request_that_is_not_understood_is_said(there, body):
    said = there.ask("POST", "/api/open", body)
    assert said.status == 400
    assert "not understood" in said.json["error"]["lines"][0]


@pytest.mark.gate
def test_a_policy_names_no_file_outside(folders):
    inside, outside = folders
    with studio(inside) as opened:
        opened.open(inside / "survey.csv")
        found = opened.get("/api/policy")
        secret = str(outside / "secret.csv")
        edit = {"table": ["columns", "zip"], "content": {"taxonomy": secret}}
        said = opened.post("/api/policy/edits", {"revision": found["revision"], "edits": [edit]})
        assert "outside of the folders" in said["error"]["lines"][0]
        for path, body in (("/api/jobs", {"kind": "protect"}), ("/api/taxonomy", {"column": "zip"})):
            answer = opened.ask("POST", path, body)
            assert answer.status == 422
            assert SECRET not in answer.text


@pytest.mark.gate
def test_no_link_beside_the_table_leads_out(tmp_path_factory):
    """Neither the policy nor its key nor an edited taxonomy is written, or read, through a link."""
    outside, here = tmp_path_factory.mktemp("elsewhere"), desk(tmp_path_factory.mktemp("here"))
    paths = [["flu", "ill", "*"], ["cold", "ill", "*"], ["none", "well", "*"]]
    with studio(here.folder) as opened:
        opened.open(here.data)
        (here.folder / "disease_hierarchy.csv").symlink_to(outside / "tree.csv")
        tree = opened.ask("PUT", "/api/taxonomy", {"column": "disease", "paths": paths})
        here.policy.unlink()
        here.policy.symlink_to(outside / "policy.toml")
        saves = {"revision": opened.get("/api/policy")["revision"], "force": True}
        policy = opened.ask("POST", "/api/policy/save", saves)
        here.policy.unlink()
        here.key.symlink_to(outside / "policy.key")
        key = opened.ask("POST", "/api/policy/save", saves)
        table = opened.ask("POST", "/api/open", {"path": str(here.data)})
    for said in (tree, policy, key, table):
        assert said.status == 403
        assert "leads outside of the folders" in said.json["error"]["lines"][0]
    assert list(outside.iterdir()) == []


def test_a_table_that_became_a_link_out_is_not_read(folders, tmp_path):
    outside = folders[1]
    with studio(tmp_path) as opened:
        there = desk(tmp_path)
        opened.open(there.data)
        there.data.unlink()
        there.data.symlink_to(outside / "survey.csv")
        for kind in ("profile", "forecast", "protect"):
            said = opened.ask("POST", "/api/jobs", {"kind": kind})
            assert said.status == 403
            assert "leads outside" in said.text
        assert opened.ask("POST", "/api/taxonomy", {"column": "disease"}).status == 403


@pytest.mark.gate
def test_two_hundred_requests_at_once(there):
    with ThreadPoolExecutor(50) as pool:
        paths = ["/data", "/api/state", "/api/choices", "/static/report.css"] * 50
        assert [said.status for said in pool.map(lambda path: there.ask("GET", path), paths)] == [200] * 200
