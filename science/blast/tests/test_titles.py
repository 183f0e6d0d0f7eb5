from dockyard_blast.titles import (
    letters_of,
    plain,
    read_titles,
    restore_hits,
    restore_rows,
    restore_section,
    restored,
    write_titles,
)

TITLE = "prot\u00e9ine # \u03b1 \u2013 \u00ca"


def test_a_title_comes_back_whole_wrapped_and_broken_off():
    shown = plain(TITLE)
    assert shown == "prot##ine # ## ### ##"
    letters = letters_of(TITLE.encode())
    assert restored(shown, letters) == TITLE
    assert restored("prot##ine # #\n# ### ##", letters) == "prot\u00e9ine # \u03b1\n \u2013 \u00ca"
    assert restored("prot##ine # #...", letters) == "prot\u00e9ine # \u03b1..."
    assert letters_of(b"caf\xe9") == ["\u00e9"]


def test_titles_travel_with_the_volumes_where_there_are_any(tmp_path):
    path = tmp_path / "titles.jsonl"
    write_titles(path, [])
    assert not path.exists()
    assert read_titles(path) == {}
    write_titles(path, [(3, letters_of(TITLE.encode()))])
    assert read_titles(path) == {3: letters_of(TITLE.encode())}


def _found(*titles):
    hits = [
        {"description": [{"id": f"gnl|BL_ORD_ID|{number}", "title": title}], "hsps": [{}]}
        for number, title in titles
    ]
    return [{"results": {"search": {"hits": hits}}}]


def test_hits_rows_and_alignments_get_the_letters_of_their_own_titles():
    titles = {4: letters_of("\u00e9a one".encode()), 7: letters_of("\u00f6a two".encode())}
    found = _found((7, "##a two"), (4, "##a one"), (1, "#1 plain"))
    hits = restore_hits(found, titles)
    assert [hit["description"][0]["title"] for hit in found[0]["results"]["search"]["hits"]] == [
        "\u00f6a two",
        "\u00e9a one",
        "#1 plain",
    ]
    query = letters_of("\u00fcq".encode())
    rows = "##q\t##a\t1\n##q\t##a\t2\n##q\t#1\t3\n"
    assert (
        restore_rows(rows, found, [query], hits)
        == "\u00fcq\t\u00f6a\t1\n\u00fcq\t\u00e9a\t2\n\u00fcq\t#1\t3\n"
    )
    section = (
        "\n\nQuery= ##q\n\nLength=3\n      Score     E\n"
        "Sequences producing significant alignments:        (Bits)  Value\n\n"
        "##a two       286     8e-106\n##a one       114     8e-38 \n#1 plain      40.2    0.1   \n\n\n"
        ">##a two\nLength=9\n\n>##a \none\nLength=9\n\n>#1 plain\nLength=9\n"
    )
    assert restore_section(section, query, hits[0]) == (
        "\n\nQuery= \u00fcq\n\nLength=3\n      Score     E\n"
        "Sequences producing significant alignments:        (Bits)  Value\n\n"
        "\u00f6a two        286     8e-106\n\u00e9a one        114     8e-38 \n#1 plain      40.2    0.1   \n\n\n"
        ">\u00f6a two\nLength=9\n\n>\u00e9a \none\nLength=9\n\n>#1 plain\nLength=9\n"
    )


def test_a_title_that_is_another_one_is_left_as_it_is():
    found = _found((4, "##a # one"))
    assert restore_hits(found, {4: letters_of("\u00e9a one".encode())}) == [[()]]
    assert found[0]["results"]["search"]["hits"][0]["description"][0]["title"] == "##a # one"
