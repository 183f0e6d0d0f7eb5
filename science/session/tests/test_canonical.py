import json
import math

import pytest

from dockyard_session.canonical import canonical_json, canonical_sha256, write_json

# Numbers and their form in ECMAScript (RFC 8785, appendix B, and the borders of its rules).
NUMBERS = [
    (0.0, "0"),
    (-0.0, "0"),
    (1.0, "1"),
    (-7.054, "-7.054"),
    (0.1, "0.1"),
    (1e-6, "0.000001"),
    (1e-7, "1e-7"),
    (123456789012345680000.0, "123456789012345680000"),
    (1e21, "1e+21"),
    (5e-324, "5e-324"),
    (1.7976931348623157e308, "1.7976931348623157e+308"),
    (333333333.33333329, "333333333.3333333"),
    (4.5, "4.5"),
    (2e-3, "0.002"),
    (9007199254740993, "9007199254740992"),
]


@pytest.mark.parametrize(("number", "text"), NUMBERS)
def test_numbers_are_written_as_javascript_writes_them(number, text):
    assert canonical_json(number) == text.encode()


def test_the_form_depends_on_the_data_alone():
    one = {"b": [1, 2.5, None], "a": {"y": True, "x": "å"}}
    other = {"a": {"x": "å", "y": True}, "b": (1.0, 2.5, None)}
    assert (
        canonical_json(one) == canonical_json(other) == '{"a":{"x":"å","y":true},"b":[1,2.5,null]}'.encode()
    )
    assert canonical_sha256(one) == canonical_sha256(other)


def test_keys_go_by_utf16_code_units():
    assert canonical_json({"\ufb01": 1, "\U0001f600": 2}) == '{"\U0001f600":2,"\ufb01":1}'.encode()


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_number_that_json_has_not_is_refused(value):
    with pytest.raises(ValueError, match="JSON"):
        canonical_json({"a": value})


def test_a_file_for_people_holds_the_same_data(tmp_path):
    path = tmp_path / "deep" / "report.json"
    write_json(path, {"b": 1, "a": [0.5]})
    assert json.loads(path.read_text()) == {"a": [0.5], "b": 1}
    assert path.read_text().index('"a"') < path.read_text().index('"b"')
