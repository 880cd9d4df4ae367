"""The chart of a comparison: every release has a label that covers neither points nor other labels."""

from hypothesis import given
from hypothesis import strategies as st

from shoal.report import theme
from shoal.report.pictures.frontier import Frontier, Spot
from shoal.report.pictures.label_places import CLOSE, LabeledPoint, _label_box, _overlap, place_labels

WIDTH = 430.0
PLACES = st.lists(st.tuples(st.integers(0, 400), st.integers(0, 300)), min_size=1, max_size=12)


def points(places):
    return [LabeledPoint(x, y, f"{at}: k = {at}", str(at)) for at, (x, y) in enumerate(places, start=1)]


@given(PLACES)
def test_every_point_is_in_one_label_with_those_close_to_it(places):
    spots = points(places)
    labels = place_labels(spots, WIDTH)
    assert sorted(at for label in labels for at in label.points) == list(range(len(spots)))
    for label in labels:
        first = spots[label.points[0]]
        assert all(abs(spots[at].x - first.x) < CLOSE and abs(spots[at].y - first.y) < CLOSE for at in label.points)
        numbers = ", ".join(spots[at].short for at in label.points)
        assert label.text in ((first.text, numbers) if len(label.points) == 1 else (numbers,))


def test_points_at_one_place_share_a_label():
    labels = place_labels(points([(100, 100), (300, 20), (100, 101)]), WIDTH)
    assert [label.text for label in labels] == ["1, 3", "2: k = 2"]


def test_labels_of_a_row_of_points_do_not_overlap():
    spots = points([(20 + 40 * at, 150) for at in range(9)])
    labels = place_labels(spots, WIDTH)
    boxes = [_label_box(spots[label.points[0]], label.text, label.side) for label in labels]
    assert not any(_overlap(one, other) for at, one in enumerate(boxes) for other in boxes[:at])


def chart(*spots):
    """Marks and data of every layer."""
    drawn = Frontier("Risk and loss", "", spots, "loss", "risk").draw().to_dict()
    named = drawn.get("datasets", {})
    return [
        (layer["mark"], named.get(layer["data"].get("name"), layer["data"].get("values"))) for layer in drawn["layer"]
    ]


def test_dominated_points_are_gray_and_only_the_recommended_one_has_a_ring():
    best = Spot(1, "k = 3", 1.0, 9.0, True)
    line, gray, blue, ring, *labels = chart(
        best, Spot(2, "k = 5", 5.0, 2.0, True, True), Spot(3, "k = 9", 8.0, 8.0, False)
    )
    assert (gray[0]["fill"], [each["x"] for each in gray[1]]) == (theme.GRAY, [8.0])
    assert (blue[0]["fill"], [each["x"] for each in blue[1]]) == (theme.ACCENT, [1.0, 5.0])
    assert [each["x"] for each in ring[1]] == [5.0]
    assert line[0]["interpolate"] == "step-after"
    texts = {each["text"] for _, data in labels for each in data}
    assert texts == {"1: k = 3", "2: k = 5", "3"}  # settings of the frontier only


def test_long_settings_are_in_the_table_only():
    (text,) = [each["text"] for each in chart(Spot(1, "k" * 40, 1.0, 1.0, True))[-1][1]]
    assert text == "1"
