"""A lossy image is a real JPEG: coarser the lower its quality, inside the range of every column."""

import io

import numpy as np
import pytest
from PIL import Image, features

import shoal

X = np.random.default_rng(5).normal(size=(1080, 13)) * np.arange(1, 14) + 50


def test_it_is_what_pillow_writes_and_reads():
    gray = np.rint(255 * (X - X.min(axis=0)) / np.ptp(X, axis=0)).astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(gray).save(file, "JPEG", quality=35)
    read = np.asarray(Image.open(io.BytesIO(file.getvalue())))
    expected = X.min(axis=0) + read / 255 * np.ptp(X, axis=0)
    assert shoal.lossy_image(X, quality=35) == pytest.approx(expected)


@pytest.mark.parametrize("image", ["jpeg", "jpeg2000"])
def test_lower_quality_loses_more_and_the_range_is_kept(image):
    if image == "jpeg2000" and not features.check("jpg_2000"):
        pytest.skip("this Pillow has no JPEG 2000")
    errors = [np.abs(shoal.lossy_image(X, quality=quality, image=image) - X).mean() for quality in (5, 30, 95)]
    assert errors == sorted(errors, reverse=True)
    Y = shoal.lossy_image(X, quality=5, image=image)
    assert (Y.min(axis=0) >= X.min(axis=0)).all()
    assert (Y.max(axis=0) <= X.max(axis=0)).all()


def test_tiles_of_whole_squares_change_nothing():
    assert (shoal.lossy_image(X, quality=10, height=8) == shoal.lossy_image(X, quality=10)).all()


def test_more_records_than_a_jpeg_has_lines():
    tall = np.random.default_rng(6).random((70_000, 2))
    assert shoal.lossy_image(tall, quality=50).shape == tall.shape


def test_a_constant_column_comes_back_as_it_was():
    assert (shoal.lossy_image(np.column_stack([X[:, 0], np.full(1080, 0.1)]), quality=10)[:, 1] == 0.1).all()


def test_bad_input(monkeypatch):
    for quality in (0, 101, 10.5, True):
        with pytest.raises(shoal.ShoalError, match="quality"):
            shoal.lossy_image(X, quality=quality)
    with pytest.raises(shoal.ShoalError, match="height"):
        shoal.lossy_image(X, height=70_000)
    with pytest.raises(shoal.ShoalError, match=r"lossy_image\.image"):
        shoal.lossy_image(X, image="png")
    monkeypatch.setattr(features, "check", lambda name: name != "jpg_2000")
    with pytest.raises(shoal.ShoalError, match="cannot write JPEG 2000"):
        shoal.lossy_image(X, image="jpeg2000")
