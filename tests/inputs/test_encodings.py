"""Texts that are not UTF-8: the error names the encoding, so that the text can be converted rightly."""

from __future__ import annotations

from pathlib import Path

import pytest

import rankgauge as rg
from rankgauge.errors import RankgaugeError

TEXTS = {
    "qrels.txt": "질의1 0 문서 1\n질의2 0 문서 0\n",
    "qrels.csv": "query,item,grade\n질의1,문서,1\n",
    "header.csv": "query,item,grade,비고\nq1,d1,1,x\n",
    "quoted.csv": 'query,item,grade\n"질의1",문서,1\n',
    "qrels.tsv": "query\titem\tgrade\n질의1\t문서\t1\n",
    "qrels.json": '{"질의1": {"문서": 1}}',
    "qrels.jsonl": '{"query": "질의1", "item": "문서", "grade": 1}\n',
}


def refused(path: Path) -> RankgaugeError:
    with pytest.raises(RankgaugeError) as caught:
        rg.evaluate(path, {"질의1": ["문서"]})
    return caught.value


@pytest.mark.parametrize("encoding", ["cp949", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("name", TEXTS)
def test_evaluate_text_in_another_encoding_names_it(name: str, encoding: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(TEXTS[name].encode(encoding))
    error = refused(path)
    assert error.code == "other-encoding"
    assert f"iconv -f {encoding} -t utf-8" in str(error)
    text = path.read_text(encoding=encoding)
    path.write_text(text, encoding="utf-8")
    assert rg.read_judgments(path).queries


@pytest.mark.parametrize("encoding", ["cp949", "utf-16"])
def test_ratings_of_text_in_another_encoding_names_it(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_bytes("user,item,rating\n사용자,상품,5\n".encode(encoding))
    with pytest.raises(RankgaugeError, match=f"looks like {encoding}") as caught:
        rg.grading.ratings(path)
    assert caught.value.place.startswith(str(path))


@pytest.mark.parametrize("name", TEXTS)
def test_evaluate_text_in_latin1_is_not_called_korean(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    text = TEXTS[name].replace("질의", "qu\xe9").replace("문서", "dor\xe9e").replace("비고", "not\xe9")
    path.write_bytes(text.encode("latin1"))
    error = refused(path)
    assert error.code == "bad-utf8"
    assert "iconv -f latin1" in str(error)


def test_evaluate_text_cut_inside_a_character_by_the_head_is_read(tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    for shift in range(3):  # one of them has a character across the first 65,536 bytes
        lines = [f"q{'x' * shift} 0 a 1", *(f"질의{number} 0 문서 1" for number in range(5000))]
        path.write_text("\n".join(lines), encoding="utf-8")
        assert len(rg.read_judgments(path).queries) == 5001


def test_evaluate_unused_cells_of_another_encoding_beside_quotes_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "qrels.csv"
    path.write_bytes(b'query,item,grade,note\n"q",d,1,caf\xe9\n')
    assert rg.evaluate(path, {"q": ["d"]}, "ndcg").means == {"ndcg": 1.0}


def test_evaluate_id_with_a_zero_byte_is_read(tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_bytes(b"q 0 d\0 1\nq 0 e 0\n")
    assert rg.read_judgments(path).to_dict() == {"q": [("d\0", 1.0), ("e", 0.0)]}
