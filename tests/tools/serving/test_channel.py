import asyncio
import json

from tools.serving.channel import Outbox


def test_a_waiting_message_gives_way_to_a_newer_one_with_its_key() -> None:
    async def scene() -> list[int]:
        outbox = Outbox(asyncio.get_running_loop())
        for number, key in ((1, "a"), (2, ""), (3, "a"), (4, ""), (5, "b")):
            outbox.send({"n": number}, key)
        return [json.loads(await outbox.take())["n"] for _ in range(4)]

    assert asyncio.run(scene()) == [2, 3, 4, 5]


def test_an_outbox_that_nobody_empties_is_overfull() -> None:
    async def scene() -> tuple[bool, bool]:
        outbox = Outbox(asyncio.get_running_loop())
        for number in range(1000):
            outbox.send({"n": number}, "one key")
        await asyncio.sleep(0)
        few = outbox.is_overfull
        for number in range(1000):
            outbox.send({"n": number})
        await asyncio.sleep(0)
        return few, outbox.is_overfull

    assert asyncio.run(scene()) == (False, True)


def test_a_message_to_a_page_that_is_gone_is_dropped() -> None:
    async def scene() -> Outbox:
        return Outbox(asyncio.get_running_loop())

    asyncio.run(scene()).send({"n": 1})
