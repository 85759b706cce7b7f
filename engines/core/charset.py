"""Find the character set of a record that does not name it, or names a wrong one.

A set that would make brackets part of characters, so that the record loses nodes or values, is not
considered. A text in one of the East Asian double-byte sets is often valid in the others as well.
Each set that can decode the whole text is weighed by the result: characters that are common in its
language count for it, and characters that are rare or never written count against it. In the
European sets, whole words are weighed: Russian words have no Latin letters, and German ones have
few others.

On messages of free software, up to 1 500 for each set, 99.9 % of those with eight or more East
Asian characters are recognised, 98.9 % of those with four to seven, and 91.5 % of shorter ones;
99.8 % of those in Western languages, 99.4 % of those in Russian, and 92 % of those in Polish, most
of which have one to three letters beyond ASCII.
"""

import codecs
import contextlib
import re
from collections import Counter
from collections.abc import Callable
from typing import Final, NamedTuple

from engines.core.game import InvalidText

_NAMED: Final = re.compile(rb"(?<![A-Za-z])[Cc][Aa]\s*\[\s*([\w.:+-]{0,40})\s*\]")
_HEAD: Final = 4000  # The bytes of a record in which the name of its character set is looked for.
_WIDER: Final = {  # Programs use these names for the sets with their vendors' additions.
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "hz": "gb18030",
    "euc_kr": "cp949",
    "big5": "cp950",
    "iso8859-1": "cp1252",
    "ascii": "utf-8",
    "utf-8-sig": "utf-8",
}
_TITLES: Final = {
    "cp932": "Shift_JIS",
    "cp949": "EUC-KR",
    "gb18030": "GB18030",
    "cp950": "Big5",
    "cp1252": "ISO-8859-1",
    "utf-8": "UTF-8",
    "euc_jp": "EUC-JP",
    "iso2022_jp": "ISO-2022-JP",
    "cp1250": "Windows-1250",
    "iso8859_2": "ISO-8859-2",
    "cp1251": "Windows-1251",
    "koi8_r": "KOI8-R",
}
_PLAIN: Final = "cp1252"
_BAD: Final = "\ufffd"
_FEW: Final = 20  # A named set is accepted with one bad character among so many.
_COMMON: Final = 3.0
_LISTED: Final = 1.0  # In the first half of its set, which holds the frequent characters.
_SIGN: Final = 0.5
_RARE: Final = -3.0
_ABSURD: Final = -6.0
_MARGIN: Final = 0.4  # EUC-JP is rare in records of Go, and short Chinese texts look like it.
_SAMPLE: Final = 100_000  # Characters from which a set is guessed.

_VALUE: Final = re.compile(r"\[[^\]\\]*+(?:\\.[^\]\\]*+)*+\]", re.DOTALL)
_BEGIN: Final = re.compile(r"\(\s*(?:;|[A-Z]{1,2}\[)")
_OUTLINE: Final = re.compile(
    r"[^A-Za-z0-9;()\s\x00\x1a]"
)  # Characters that stand outside of values only by mistake.
_LONE: Final = re.compile(
    r"(?<![^\x00-\x7f])([A-Za-z]?)([^\x00-\x7f])(?=([A-Za-z]?))(?![^\x00-\x7f])"
)
_FOREIGN: Final = re.compile(r"[^\x00-\x7f]")
_WORD: Final = re.compile(r"[^\W\d_]*[^\W\d_A-Za-z][^\W\d_]*")
_TOUCHING: Final = re.compile(r"[^\W\d_][^\w\x00-\x7f]|[^\w\x00-\x7f][^\W\d_]")
# What Western languages do not write, but what Polish ones in their sets look like.
_ODD: Final = re.compile(r"[aeiouyœ]æ\b|œ(?!u)|(?<=[iknmsz])ê\b|ñ(?![aeiouáéíóúü])|[ÊÑŒ](?=[a-z])")
_CAPITALS: Final = 0.8  # KOI8-R and Windows-1251 differ in which half has the capitals.
_PUNCTUATION: Final = frozenset("«»„“”‘’‚–—…¡¿©®°№")
_WESTERN: Final = frozenset("àáâãäåæçèéêëìíîïñòóôõöøùúûüýœßÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝŒ")
_POLISH: Final = frozenset("ąćęłńóśźżĄĆĘŁŃÓŚŹŻ")
_RUSSIAN: Final = frozenset("абвгдежзийклмнопрстуфхцчшщъыьэюяёАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЁ")
_FREQUENT: Final = frozenset("оеаинтсрвлкмдОЕАИНТСРВЛКМД")

_SIMPLIFIED: Final = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里"
    "用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日"
    "者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相"
    "见被利什二等产或新己制身果加西月话合回特代内信表化老给世位次度门任常先海通教东声提立及比员解水名真论"
    "处走义各入几口认条平系气题活更别打女变四总何安少报才结反受目太量再感建务做接必场件计管期市直德资命山"
    "金指许区保至队形便空决治展马五眼书非则听白却界达光放强即像难权思王式路记南住告类求程北边死张该万取拉"
    "望确传观清今切院让识候带导争黑棋子围局段杯赛九八七六胜负赢输半目先贴劫征吃断粘飞跳拆角星腹厚薄攻守"
    "韩孙李陈刘杨赵周吴徐郑林何罗宋谢唐冯董程曹袁邓沈聂卫春晓柯洁古力常昊芈昱廷"
)
_TRADITIONAL: Final = frozenset(
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡"
    "用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心本前開但因只從想實日"
    "者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相"
    "見被利什二等產或新己制身果加西月話合回特代內信表化老給世位次度門任常先海通教東聲提立及比員解水名真論"
    "處走義各入幾口認條平系氣題活更別打女變四總何安少報才結反受目太量再感建務做接必場件計管期市直德資命山"
    "金指許區保至隊形便空決治展馬五眼書非則聽白卻界達光放強即像難權思王式路記南住告類求程北邊死張該萬取拉"
    "望確傳觀清今切院讓識候帶導爭黑棋子圍局段盃杯賽九八七六勝負贏輸半目先貼劫征吃斷粘飛跳拆角星腹厚薄攻守"
    "韓孫李陳劉楊趙周吳徐鄭林何羅宋謝唐馮董程曹袁鄧沈聶衛俊勳黃王張元泰佑海峰台灣臺灣"
)
_JAPANESE: Final = frozenset(
    "日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回"
    "新場金員九入選立開手米力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法"
    "不来作性的要用制治度務強気小七成期公野協取都和統以機平総加山思家話世受区領多県続進正安設保改数記院女"
    "初北午指権心界支第産結百派点教報済書府活原先共得解名交資予川向際査勝面委告軍文反元重近千考判認画海参"
    "売利組知案道信策集在件団別物側任引使求所次水半品昨論計死官増係感特情投示変打男基私各始島直両朝革価式"
    "確村提運終挙果西勢減台広容必応演電歳住争談能無再位置企真流格有疑口過局少放税検藤町常校料沢裁状工建語"
    "空職証土急止送可役構木割聞身付切由説転食比難防車優夫研収断井何南石足番神規術護展態囲碁棋聖名人坊因段"
    "黒白勝負目半先互石着布定形級杯戦武宮井趙治勲依紀基張栩山下敬吾高尾紳路羽根直結城聡伊田篤史村川裕遼"
    "光加藤正夫坂栄男木谷実呉清源秀行隆策知得秀和丈哉"
)
_SYLLABLES: Final = frozenset(
    "이다는을의에가고로한지하기사리자도인대서나해어일수시그라아정들있전부국것은장구제만상원보여동성주를과게세"
    "조스공유방경회안었선비오관용연문학모년단위행명화소계신무재당생발미개체중진물후까분민내면치적요트강음심호"
    "김실거바산니없본양데러직역론등속결름배말월통람임현영우간날표각약반노려따남점집바둑백흑승패초읽착국기왕"
    "배천원명인박최윤조서봉훈창호목상철한유광택삼성화재응씨물담강동윤철오재연저두식속할것같좋더못잘보면때"
    "파합션터드으값함입프크된형되업열출록변류료레야환했마너복추타코항커와줄색른능페확절접참법검준건증찾종쪽활클"
    "져널글카근티범허올규째병뒤맞향청순볼길압격외받별막암석언불완존및될립졌돌붙금잠태곤닙렇졸림륙쟁롱변안예황"
    "었습니까네요죠든군요셨십시오며또매우많처럼먼큰작새로운모양세력실리싸움패감축머리끝내기"
)


class WrongMark(InvalidText):
    """A byte order mark that does not fit the text."""


def decode_sgf(data: bytes, given: str = "") -> tuple[str, str, list[str]]:
    """Return the text of a record, its character set, and notices for the user.

    If `given` names a character set, only that one is used. Otherwise a byte order mark decides,
    then the set that the record names if it can decode the record, then UTF-8, then the set with
    the highest weight. Raises InvalidText if `given` is unknown or cannot decode the record.
    """
    if known := _known(data, given):
        return known
    named = _NAMED.search(data, 0, _HEAD)
    if data.isascii():
        return _decode_seven_bits(data, named[1].decode("ascii") if named is not None else "")
    plain = _outline(data.decode(_PLAIN, errors="replace"))
    notices = []
    if named is not None and named[1]:
        word = named[1].decode("latin-1")
        notices = [f"CA[{word}] is wrong"]
        with contextlib.suppress(InvalidText):
            charset = _charset(word)
            text = data.decode(charset, errors="replace")
            bad = text.count(_BAD)
            if bad * _FEW <= len(_FOREIGN.findall(text)) and not _loses(text, plain):
                faults = [f"{bad} characters are no {word}"] if bad else []
                return text, _TITLES.get(charset, charset), faults
    decoded = _decode(data, "utf-8")
    if decoded is not None:
        return decoded, "UTF-8", notices
    guess, text = _heaviest(data, plain)
    notices.append(f"the character set is guessed: {_TITLES[guess]}")
    return text, _TITLES[guess], notices


def decode_text(data: bytes, given: str = "", named: str = "") -> tuple[str, str, list[str]]:
    """Return the text of a record that is no SGF, its character set, and notices for the user.

    The set is found as `decode_sgf` finds it, but UTF-8 is tried before the set that is `named` in
    the record.
    """
    if known := _known(data, given):
        return known
    if data.isascii():
        return _decode_seven_bits(data, named)
    with contextlib.suppress(InvalidText):
        for charset in ("utf-8", _charset(named or "utf-8")):
            decoded = _decode(data, charset)
            if decoded is not None:
                return decoded, _TITLES.get(charset, charset), []
    guess, likely = _heaviest(data, _outline(""))
    return likely, _TITLES[guess], [f"the character set is guessed: {_TITLES[guess]}"]


def _known(data: bytes, given: str) -> tuple[str, str, list[str]] | None:
    """Decode a text in the set that is given, or that a byte order mark tells."""
    if given:
        charset = _charset(given)
        text = _decode(data, charset)
        if text is None:  # A byte order mark before text in another set is not part of the text.
            text = _decode(data.removeprefix(codecs.BOM_UTF8), charset)
        if text is None:
            raise InvalidText(f"it is not in {given}")
        return text.removeprefix("\ufeff"), _TITLES.get(charset, charset), []
    for mark, charset in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if data.startswith(mark):
            text = _decode(data[len(mark) :], charset)
            if text is None:
                raise WrongMark(_wrong_mark(data[len(mark) :], charset))
            return text, _TITLES.get(charset, charset), ["the byte order mark is left out"]
    return None


def _charset(word: str) -> str:
    """Return the codec for a name; raises InvalidText unless it is a superset of ASCII."""
    plain = bytes(range(32, 126))
    try:
        name = codecs.lookup(word).name
        name = _WIDER.get(name, name)
        if plain.decode(name, errors="replace") == plain.decode("ascii"):
            return name
    except (LookupError, UnicodeError):
        pass  # Not a codec for text, or not a superset of ASCII.
    raise InvalidText(f"unknown character set {word!r}")


def _wrong_mark(data: bytes, charset: str) -> str:
    """Return a message that says where a text contradicts its byte order mark."""
    message = f"its byte order mark says {charset}, which it is not; give its character set"
    try:
        data.decode(charset)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(charset, errors="replace")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        return f"line {line}, column {column}: {message}"
    return message


def _decode(data: bytes, charset: str) -> str | None:
    try:
        return data.decode(charset)
    except UnicodeDecodeError:
        return None


def _decode_seven_bits(data: bytes, word: str) -> tuple[str, str, list[str]]:
    """Decode ASCII, or one of the sets that are written in it with sequences of escape."""
    if b"\x1b" in data or b"~{" in data:
        charset = "iso2022_jp" if b"\x1b$" in data else ""
        with contextlib.suppress(LookupError):
            named = codecs.lookup(word or "ascii").name
            charset = named if named == "hz" or named.startswith("iso2022") else charset
        text = _decode(data, charset) if charset else None
        if text is not None:
            title = _TITLES.get(charset, charset)
            return text, title, [] if word else [f"the character set is guessed: {title}"]
    return data.decode("ascii"), "UTF-8", []


def decode_japanese(data: bytes) -> str:
    """Decode a Japanese text in any of the usual sets; raises UnicodeDecodeError."""
    for mark, charset in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if data.startswith(mark):
            return data[len(mark) :].decode(charset)
    head = data[:_HEAD]
    if head.count(0) * _FEW > len(head):  # Of UTF-16, half of the bytes in figures and spaces.
        return data.decode(
            "utf-16-be" if head[0::2].count(0) > head[1::2].count(0) else "utf-16-le"
        )
    if b"\x1b$" in data and data.isascii():
        return data.decode("iso2022_jp")
    with contextlib.suppress(UnicodeDecodeError):
        return data.decode("utf-8-sig")
    euc, other = _decode(data, "euc_jp"), _decode(data, "cp932")
    if euc is not None and (
        other is None or _weigh(euc, _weigh_japanese) > _weigh(other, _weigh_japanese)
    ):
        return euc
    return data.decode("cp932")


class _Outline(NamedTuple):
    """How many nodes and values a reader finds in a text, and how many characters out of place."""

    nodes: int
    values: int
    faults: int


def _outline(text: str) -> _Outline:
    begin = _BEGIN.search(text)
    outside, values = _VALUE.subn("", text[begin.start() :] if begin else "")
    return _Outline(outside.count(";"), values, len(_OUTLINE.findall(outside)))


def _loses(text: str, plain: _Outline) -> bool:
    """Tell whether a text has lost parts of the record, whose bytes have the outline `plain`."""
    here = _outline(text)
    if here.faults != plain.faults:
        return here.faults > plain.faults
    return here.nodes < plain.nodes or here.values < plain.values


def _heaviest(data: bytes, plain: _Outline) -> tuple[str, str]:
    """Return the likeliest set that can decode the data, or the Western one if none is likely."""
    best, chosen, decoded = 0.0, _PLAIN, data.decode(_PLAIN, errors="replace")
    for charset, weigh in _WEIGHTS.items():
        text = _decode(data, charset)
        if text is None:
            continue
        weight = weigh(text) - (_MARGIN if charset == "euc_jp" else 0)
        if weight > best and not _loses(text, plain):
            best, chosen, decoded = weight, charset, text
    return chosen, decoded


def _weigh(text: str, weigh: Callable[[str], float], charset: str = "ascii") -> float:
    """Return the mean weight of the characters beyond ASCII in an East Asian set."""
    text = _sample(text)
    counts = Counter(_FOREIGN.findall(text))
    weight = sum(weigh(character) * count for character, count in counts.items())
    for (before, character, after), count in Counter(_LONE.findall(text)).items():
        # Two bytes between Latin letters, or one and a Latin letter, are letters themselves.
        swallowed = character.encode(charset, errors="replace")[1:2].isalpha()
        if (before and after) or (swallowed and (before or after)):
            weight += min(_ABSURD - weigh(character), 0) * count
    return weight / max(counts.total(), 1)


def _sample(text: str) -> str:
    """Return the part of a long text that is weighed."""
    first = _FOREIGN.search(text)
    return text[first.start() :][:_SAMPLE] if first is not None and len(text) > _SAMPLE else text


def _weigh_words(text: str, weigh: Callable[[str], float]) -> float:
    """Return the mean weight of the characters beyond ASCII, as parts of words."""
    text = _sample(text)
    weight, seen = 0.0, 0
    for match in _WORD.finditer(text):
        letters = [letter for letter in match[0] if not letter.isascii()]
        weight += weigh(match[0]) * len(letters)
        seen += len(letters)
    for sign in _FOREIGN.findall(_WORD.sub(" ", text)):
        weight += _SIGN if sign in _PUNCTUATION else 0 if sign.isprintable() else _ABSURD
        seen += 1
    for touching in _TOUCHING.findall(text):
        weight += 0 if _PUNCTUATION & set(touching) else _RARE
    return weight / max(seen, 1)


def _weigh_latin(word: str, common: frozenset[str]) -> float:
    if _ODD.search(word) or not (word.islower() or word.isupper() or word.istitle()):
        return _RARE
    foreign = [letter for letter in word if not letter.isascii()]
    if len(foreign) == len(word):
        return _SIGN if len(word) == 1 and foreign[0] in common else _RARE
    return sum(_COMMON if letter in common else _RARE for letter in foreign) / len(foreign)


def _weigh_russian(word: str) -> float:
    if any(letter not in _RUSSIAN for letter in word):
        return _ABSURD
    if len(word) == 1:
        return _SIGN
    if not (word.islower() or word.isupper() or word.istitle()):
        return _ABSURD
    weight = sum(_COMMON if letter in _FREQUENT else _LISTED for letter in word) / len(word)
    return weight * _CAPITALS if word.isupper() else weight


def _weigh_simplified(character: str) -> float:
    return _weigh_chinese(character, _SIMPLIFIED, "gb2312", range(0xB0, 0xD8))


def _weigh_traditional(character: str) -> float:
    return _weigh_chinese(character, _TRADITIONAL, "big5", range(0xA4, 0xC7))


def _weigh_chinese(character: str, common: frozenset[str], charset: str, first: range) -> float:
    if character in common:
        return _COMMON
    if _is_sign(character):
        return _SIGN
    if _is_kana(character):
        return _RARE
    return _by_row(character, charset, first)


def _weigh_japanese(character: str) -> float:
    if character in _JAPANESE or (_is_kana(character) and character < "\uff00"):
        return _COMMON
    if (
        "\uff61" <= character <= "\uff9f"
    ):  # Half-width kana, as which bytes of other sets often appear.
        return _ABSURD
    return _SIGN if _is_sign(character) else _by_row(character, "shift_jis", range(0x88, 0x99))


def _weigh_korean(character: str) -> float:
    if character in _SYLLABLES:
        return _COMMON
    if _is_sign(character):
        return _SIGN
    return _by_row(character, "euc_kr", range(0xB0, 0xC9))


_WEIGHTS: Final[dict[str, Callable[[str], float]]] = {  # Of equal weights, the first counts.
    "gb18030": lambda text: _weigh(text, _weigh_simplified, "gb18030"),
    "cp932": lambda text: _weigh(text, _weigh_japanese, "cp932"),
    "euc_jp": lambda text: _weigh(text, _weigh_japanese, "euc_jp"),
    "cp949": lambda text: _weigh(text, _weigh_korean, "cp949"),
    "cp950": lambda text: _weigh(text, _weigh_traditional, "cp950"),
    "cp1252": lambda text: _weigh_words(text, lambda word: _weigh_latin(word, _WESTERN)),
    "cp1250": lambda text: _weigh_words(text, lambda word: _weigh_latin(word, _POLISH)),
    "iso8859_2": lambda text: _weigh_words(text, lambda word: _weigh_latin(word, _POLISH)),
    "cp1251": lambda text: _weigh_words(text, _weigh_russian),
    "koi8_r": lambda text: _weigh_words(text, _weigh_russian),
}


def _is_sign(character: str) -> bool:
    return "\u3000" <= character <= "\u303f" or "\uff01" <= character <= "\uff5e"


def _is_kana(character: str) -> bool:
    return "\u3041" <= character <= "\u30fe" or "\uff61" <= character <= "\uff9f"


def _by_row(character: str, charset: str, first: range) -> float:
    """Weigh a character by its place in the set; one that is not in the set weighs least."""
    try:
        encoded = character.encode(charset)
    except UnicodeEncodeError:
        return _ABSURD
    if encoded[0] < 0xA4 and charset != "shift_jis":
        return _SIGN
    return _LISTED if encoded[0] in first else _RARE
