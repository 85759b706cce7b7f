import importlib.util
from pathlib import Path

import pytest

from engines.core.charset import decode_japanese, decode_sgf
from engines.core.game import InvalidText
from tests.programs import RECORDS

# Real players, none of them a word list's; each pair is a record's only text beyond ASCII.
PAIRS = {
    "GB18030": ("聂卫平 马晓春", "常昊 古力", "柯洁 芈昱廷", "俞斌 刘小光", "曹大元 江铸久"),
    "Shift_JIS": ("小林光一 武宮正樹", "井山裕太 張栩", "羽根直樹 依田紀基", "一力遼 芝野虎丸"),
    "EUC-KR": ("이창호 조훈현", "이세돌 박정환", "신진서 서봉수", "최철한 목진석", "송태곤 조한승"),
    "Big5": ("周俊勳 王立誠", "林海峰 陳永安", "蕭正浩 王元均", "許皓鋐 林立祥", "徐偉庭 簡靖庭"),
}
TEXTS = {
    "GB18030": "【第三型】 黑先\n这是从压长星定式演变而来的形。怎样攻击碰在黑壁上的白三子呢？",
    "Shift_JIS": "黒が優勢。白７は無理な手で、隅の地を損した。表から打つべき。",
    "EUC-KR": "백이 두터운 바둑입니다. 흑은 우상귀의 패를 버티지 못했다.",
    "Big5": "黑棋在右上角的打劫獲得成功，白功虧一簣。許多人認為這是敗著。",
    "ISO-8859-1": "Größe, naïve Züge: 3 Punkte für Müller; très élégant",
}


@pytest.mark.parametrize(
    ("charset", "text"),
    [(charset, pair) for charset, pairs in PAIRS.items() for pair in pairs] + list(TEXTS.items()),
)
def test_what_names_no_set_is_known_by_its_characters(charset: str, text: str) -> None:
    data = f"(;C[{text}])".encode(charset)
    read, used, notices = decode_sgf(data)
    assert (used, read) == (charset, f"(;C[{text}])")
    assert notices == [f"the character set is guessed: {charset}"]


@pytest.mark.parametrize(
    ("name", "charset"),
    [
        ("big5.txt", "Big5"),
        ("gb2312.txt", "GB18030"),
        ("shift_jis.txt", "Shift_JIS"),
        ("euc_kr.txt", "EUC-KR"),
    ],
)
def test_texts_that_come_with_python_are_known(name: str, charset: str) -> None:
    place = importlib.util.find_spec("test.cjkencodings")
    if place is None or not place.submodule_search_locations:
        pytest.skip("this Python comes without its tests")
    data = (Path(next(iter(place.submodule_search_locations))) / name).read_bytes()
    assert decode_sgf(data)[1] == charset


def test_a_real_record_without_a_name_is_known() -> None:
    path = RECORDS / "sgf" / "sabaki-no-ca.sgf"
    if not path.exists():
        pytest.skip("no foreign records here")
    text, charset, _ = decode_sgf(path.read_bytes())
    assert charset == "GB18030"
    assert "怎样攻击碰在黑壁上的白三子呢" in text


@pytest.mark.parametrize("charset", [*TEXTS, "UTF-8"])
def test_what_a_record_names_is_believed_if_it_fits(charset: str) -> None:
    text = TEXTS.get(charset, "囲碁 바둑 围棋")
    data = f"(;GM[1]\nCA [{charset.lower()}]C[{text}])".encode(charset)
    read, used, notices = decode_sgf(data)
    assert (used, notices) == (charset, [])
    assert text in read


def test_a_wrong_name_is_not_believed() -> None:
    data = f"(;CA[UTF-8]C[{TEXTS['EUC-KR']}])".encode("euc-kr")
    text, charset, notices = decode_sgf(data)
    assert charset == "EUC-KR"
    assert TEXTS["EUC-KR"] in text
    assert notices == ["CA[UTF-8] is wrong", "the character set is guessed: EUC-KR"]


def test_one_bad_character_does_not_prove_a_name_wrong() -> None:
    data = f"(;CA[UTF-8]C[{TEXTS['Big5']}".encode() + b"\xff])"
    text, charset, notices = decode_sgf(data)
    assert (charset, notices) == ("UTF-8", ["1 characters are no UTF-8"])
    assert TEXTS["Big5"] in text


def test_brackets_within_characters_end_no_value() -> None:
    for charset, text in (("Shift_JIS", "表"), ("Big5", "許功蓋"), ("GB18030", "昞")):
        data = f"(;CA[{charset}]C[{text}])".encode(charset)
        assert b"\\" in data or b"]" in data[12:-2] or charset == "GB18030"
        assert decode_sgf(data)[0].endswith(f"C[{text}])")


@pytest.mark.parametrize("name", ["klingon", "hex", "rot13", "utf-16", "idna"])
def test_an_unknown_character_set_is_reported_where_it_matters(name: str) -> None:
    assert decode_sgf(f"(;CA[{name}]C[plain])".encode()) == (
        *(f"(;CA[{name}]C[plain])", "UTF-8", []),
    )
    assert decode_sgf(f"(;CA[{name}]C[é])".encode())[2] == [f"CA[{name}] is wrong"]
    with pytest.raises(InvalidText, match=f"unknown character set '{name}'"):
        decode_sgf(b"(;C[plain])", name)


def test_who_knows_better_is_believed() -> None:
    data = "(;C[옾쎄])".encode("cp949")
    assert decode_sgf(data, "cp949")[0] == "(;C[옾쎄])"
    with pytest.raises(InvalidText, match="it is not in utf-8"):
        decode_sgf(data, "utf-8")


@pytest.mark.parametrize("before", [b"", b"x", b"20", b"x "])
def test_a_guess_swallows_no_bracket(before: bytes) -> None:
    for byte in range(0xA1, 0xFF):
        data = b"(;FF[4]C[" + before + bytes([byte]) + b"];B[aa]C[z];W[bb])"
        text, charset, _ = decode_sgf(data)
        assert (text.count(";"), text.count("]")) == (3, 5), (byte, charset)


@pytest.mark.parametrize("name", ["Big5", "GB2312", "EUC-KR"])
def test_a_name_that_would_swallow_a_bracket_is_wrong(name: str) -> None:
    data = f"(;CA[{name}]C[20°];B[aa])".encode("cp1252")
    text, charset, notices = decode_sgf(data)
    assert (charset, text[-13:]) == ("ISO-8859-1", "C[20°];B[aa])")
    assert notices == [f"CA[{name}] is wrong", "the character set is guessed: ISO-8859-1"]


@pytest.mark.parametrize(
    ("codec", "charset", "text"),
    [
        ("cp1252", "ISO-8859-1", "PB[Åsa]"),
        ("cp1252", "ISO-8859-1", "CP[©GoGoD]"),
        ("cp1252", "ISO-8859-1", "PB[Ørjan Åström]"),
        ("cp1252", "ISO-8859-1", "C[¿Qué? 6½ puntos]"),
        ("euc_jp", "EUC-JP", "PB[小林光一]PW[武宮正樹]"),
        ("euc_jp", "EUC-JP", "C[黒が優勢。白７は無理な手]"),
        ("cp1250", "Windows-1250", "PB[Paweł Wąsik]PW[Łukasz Źdźbło]"),
        ("iso8859_2", "ISO-8859-2", "PB[Paweł Wąsik]PW[Łukasz Źdźbło]"),
        ("cp1251", "Windows-1251", "PB[Александр Динерштейн]C[Хороший ход]"),
        ("koi8_r", "KOI8-R", "PB[Александр Динерштейн]C[Хороший ход]"),
    ],
)
def test_european_and_older_japanese_sets_are_guessed(codec: str, charset: str, text: str) -> None:
    data = f"(;{text};B[aa])"
    assert decode_sgf(data.encode(codec))[:2] == (data, charset)


@pytest.mark.parametrize("name", ["ISO-2022-JP", "iso-2022-jp", ""])
def test_sets_of_seven_bits_are_known_by_their_escapes(name: str) -> None:
    text = f"(;CA[{name}]PB[小林光一]PW[x];B[aa])"
    read, charset, notices = decode_sgf(text.encode("iso2022_jp"))
    assert (read, charset) == (text, "ISO-2022-JP")
    assert notices == ([] if name else ["the character set is guessed: ISO-2022-JP"])


@pytest.mark.parametrize("codec", ["utf-8", "utf-16", "utf-16-be", "cp932", "euc_jp", "iso2022_jp"])
def test_japanese_texts_are_decoded(codec: str) -> None:
    text = "手合割：平手\n先手：羽生\n   1 ７六歩(77)\n" + "*ｶﾅ\n" * (codec != "iso2022_jp")
    assert decode_japanese(text.encode(codec)) == text
