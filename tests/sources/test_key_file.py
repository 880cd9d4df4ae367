"""The private key of a policy: made once, never overwritten, for its owner alone."""

import os
import stat

import pytest

from shoal.errors import KeyFileError
from shoal.sources.key_file import Key, key_file, key_path

SECRET = bytes(range(32))


@pytest.fixture
def kept(tmp_path):
    return Key.for_file(tmp_path / "policy.key").store()


def test_a_key_lies_beside_its_policy(tmp_path):
    assert key_path(tmp_path / "policy.v2.toml") == tmp_path / "policy.v2.key"


@pytest.mark.new_keys
def test_two_keys_are_never_the_same(tmp_path):
    keys = {Key.for_file(tmp_path / f"{at}.key").store().secret for at in range(20)} | {
        Key.from_argument(None, None).secret
    }
    assert len(keys) == 21
    assert all(len(secret) == 32 for secret in keys)


@pytest.mark.new_keys
def test_a_key_is_made_once_for_its_owner_alone(tmp_path):
    before = os.umask(0)
    try:
        made = Key.for_file(tmp_path / "policy.key").store()
    finally:
        os.umask(before)
    assert stat.S_IMODE(made.file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["policy.key"]
    assert Key.for_file(made.file) == Key.read(made.file) == made
    assert made.file.read_bytes() == made.secret


def test_who_comes_second_says_so(tmp_path):
    """Between the look and the making another run has made one."""
    key = Key.for_file(tmp_path / "policy.key")
    assert key.is_new
    key.file.write_bytes(SECRET[::-1])
    key.file.chmod(0o600)
    with pytest.raises(KeyFileError, match="another run created this key in the meantime"):
        key.store()
    assert key.file.read_bytes() == SECRET[::-1]
    assert [each.name for each in tmp_path.iterdir()] == ["policy.key"]


def test_who_makes_at_the_same_moment_says_so(tmp_path, monkeypatch):
    key = Key.for_file(tmp_path / "policy.key")
    key.file.write_bytes(SECRET[::-1])
    key.file.chmod(0o600)
    monkeypatch.setattr(os.path, "lexists", lambda path: False)
    with pytest.raises(KeyFileError, match="another run created this key in the meantime"):
        key.store()
    assert [each.name for each in tmp_path.iterdir()] == ["policy.key"]


def test_a_new_key_is_not_there_before_it_is_kept(tmp_path):
    assert Key.for_release(tmp_path / "new.key", None).is_new
    assert not list(tmp_path.iterdir())


def test_a_key_that_others_may_read_is_refused(kept):
    kept.file.chmod(0o640)
    with pytest.raises(KeyFileError, match=r"others can read the key.*chmod 600"):
        Key.read(kept.file)


@pytest.mark.parametrize("content", [b"", SECRET[:31], SECRET + b"\n"])
def test_what_has_not_32_bytes_is_no_key(kept, content):
    kept.file.write_bytes(content)
    with pytest.raises(KeyFileError, match=f"it has {len(content)} bytes instead of 32"):
        Key.for_file(kept.file)
    assert kept.file.read_bytes() == content


def test_a_key_of_another_length_is_refused():
    with pytest.raises(KeyFileError, match="got 5"):
        Key.from_argument(b"short", None)


def test_a_folder_is_no_key(tmp_path):
    with pytest.raises(KeyFileError, match="cannot be read"):
        Key.for_file(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_key_that_cannot_be_made_is_said(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(KeyFileError, match="the key cannot be created"):
        Key.for_file(tmp_path / "policy.key").store()


def test_a_key_in_no_folder_is_said(tmp_path):
    with pytest.raises(KeyFileError, match=r"the key cannot be created.*--key"):
        Key.for_file(tmp_path / "nowhere" / "policy.key").store()


def test_who_gives_a_key_has_it_before_that_beside_the_policy(kept, tmp_path):
    policy = kept.file.with_name("policy.toml")
    assert Key.from_argument(None, policy) == kept
    assert Key.from_argument(SECRET[::-1], policy) == Key(SECRET[::-1])
    assert Key.from_argument(Key(SECRET[::-1]), policy).secret == SECRET[::-1]
    other = Key.for_file(tmp_path / "other.key").store()
    assert Key.from_argument(str(other.file), policy).file == key_file(other.file, policy) == other.file
    assert key_file(SECRET, policy) is None
    assert key_file(None, policy) == key_file(kept, None) == kept.file


def test_a_file_that_is_named_must_be_there_unless_a_release_is_made(tmp_path):
    with pytest.raises(KeyFileError, match="cannot be read"):
        Key.from_argument(tmp_path / "new.key", None)
    assert Key.for_release(tmp_path / "new.key", None).file == tmp_path / "new.key"


def test_a_secret_is_not_shown(kept):
    assert str(kept.secret) not in repr(kept)


def test_a_tag_tells_texts_keys_and_purposes_apart(kept):
    other = Key(SECRET[::-1])
    tags = {kept.tag("input", "a"), kept.tag("input", "b"), kept.tag("output", "a"), other.tag("input", "a")}
    assert len(tags) == 4
    assert kept.tag("input", "a") == Key(kept.secret).tag("input", "a")


def test_what_is_no_plain_file_is_no_key(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(KeyFileError, match="not a regular file"):
        Key.from_argument(tmp_path / "pipe", None)


@pytest.mark.parametrize("key", [5, bytearray(32)])
def test_what_is_neither_file_nor_bytes_is_no_key(key):
    with pytest.raises(KeyFileError, match="a file or 32 bytes"):
        Key.from_argument(key, None)
