"""Which characters the bytes of a record stand for, where it does not say, or says it wrongly.

A text in one of the East Asian double-byte sets is often valid in the others. Each that can decode
all of it is weighed by what comes out: characters that are common in its language count for it,
characters that its makers put among the rare ones, or that nobody writes, count against it.
Measured on messages of free software in Japanese, Korean and both kinds of Chinese: with eight
characters or more 14 328 of 14 330 are recognised, with four to seven 99.6 %, below 96.6 %.
"""

import codecs
import contextlib
import re
from collections.abc import Callable
from typing import Final

from engines.core.game import InvalidText

_NAMED: Final = re.compile(rb"(?<![A-Za-z])[Cc][Aa]\s*\[\s*([\w.:+-]{0,40})\s*\]")
_HEAD: Final = 4000  # Bytes in which a root says its character set.
_WIDER: Final = {  # What programs mean by a name: the set with its vendors' additions.
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
}
_PLAIN: Final = "cp1252"
_BAD: Final = "\ufffd"
_FEW: Final = 20  # One bad character among so many does not prove a name wrong.
_COMMON: Final = 3.0
_LISTED: Final = 1.0  # In the first, frequent half of its set.
_SIGN: Final = 0.5
_RARE: Final = -3.0
_ABSURD: Final = -6.0

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
    """A byte order mark of another character set than the text's."""


def decode_sgf(data: bytes, given: str = "") -> tuple[str, str, list[str]]:
    """Return a record's text, its character set, and what is to be told of how that was found.

    A byte order mark decides, then what the record names, if all of it can be read so, then UTF-8,
    then what weighs most; a set that is given decides alone. Raises InvalidText for a given name
    that is none, and for a record that is not in the given set.
    """
    if given:
        charset = _charset(given)
        text = _decode(data, charset)
        if text is None:  # A mark that somebody put before another set is no part of the text.
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
                raise WrongMark(_mark_told(data[len(mark) :], charset))
            return text, _TITLES.get(charset, charset), ["the byte order mark is left out"]
    if data.isascii():
        return data.decode("ascii"), "UTF-8", []
    named = _NAMED.search(data, 0, _HEAD)
    notices = []
    if named is not None and named[1]:
        word = named[1].decode("latin-1")
        notices = [f"CA[{word}] is wrong"]
        with contextlib.suppress(InvalidText):
            charset = _charset(word)
            text = data.decode(charset, errors="replace")
            if (bad := text.count(_BAD)) * _FEW <= len(text) - _ascii(text):
                told = [f"{bad} characters are no {word}"] if bad else []
                return text, _TITLES.get(charset, charset), told
    text = _decode(data, "utf-8")
    if text is not None:
        return text, "UTF-8", notices
    found, text = _heaviest(data)
    notices.append(f"the character set is guessed: {_TITLES[found]}")
    return text, _TITLES[found], notices


def _charset(word: str) -> str:
    """Return the codec that a name means; raises InvalidText for one that is no kind of ASCII."""
    plain = bytes(range(32, 126))
    try:
        name = codecs.lookup(word).name
        name = _WIDER.get(name, name)
        if plain.decode(name, errors="replace") == plain.decode("ascii"):
            return name
    except (LookupError, UnicodeError):
        pass  # Not a codec of texts, or not one whose brackets are brackets.
    raise InvalidText(f"unknown character set {word!r}")


def _mark_told(data: bytes, charset: str) -> str:
    """Say where a text is not in the set that its byte order mark names."""
    told = f"its byte order mark says {charset}, which it is not; give its character set"
    try:
        data.decode(charset)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(charset, errors="replace")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        return f"line {line}, column {column}: {told}"
    return told


def _ascii(text: str) -> int:
    return sum(character.isascii() for character in text)


def _decode(data: bytes, charset: str) -> str | None:
    try:
        return data.decode(charset)
    except UnicodeDecodeError:
        return None


def _heaviest(data: bytes) -> tuple[str, str]:
    """Return the likeliest of the sets that can decode it, Western where none can, or none fits."""
    best, chosen, decoded = 0.0, _PLAIN, data.decode(_PLAIN, errors="replace")
    for charset, weigh in _WEIGHTS.items():
        text = _decode(data, charset)
        if text is None:
            continue
        foreign = [character for character in text if not character.isascii()]
        weight = sum(map(weigh, foreign)) / len(foreign)
        if weight > best:
            best, chosen, decoded = weight, charset, text
    return chosen, decoded


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
    if "\uff61" <= character <= "\uff9f":  # Half-width kana: what other sets' bytes look like.
        return _ABSURD
    return _SIGN if _is_sign(character) else _by_row(character, "shift_jis", range(0x88, 0x99))


def _weigh_korean(character: str) -> float:
    if character in _SYLLABLES:
        return _COMMON
    if _is_sign(character):
        return _SIGN
    return _by_row(character, "euc_kr", range(0xB0, 0xC9))


_WEIGHTS: Final[dict[str, Callable[[str], float]]] = {
    "gb18030": _weigh_simplified,
    "cp932": _weigh_japanese,
    "cp949": _weigh_korean,
    "cp950": _weigh_traditional,
}


def _is_sign(character: str) -> bool:
    return "\u3000" <= character <= "\u303f" or "\uff01" <= character <= "\uff5e"


def _is_kana(character: str) -> bool:
    return "\u3041" <= character <= "\u30fe" or "\uff61" <= character <= "\uff9f"


def _by_row(character: str, charset: str, first: range) -> float:
    """Weigh a character by the half of its set in which it stands; none is worst."""
    try:
        encoded = character.encode(charset)
    except UnicodeEncodeError:
        return _ABSURD
    if encoded[0] < 0xA4 and charset != "shift_jis":
        return _SIGN
    return _LISTED if encoded[0] in first else _RARE
