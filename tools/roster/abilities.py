"""Questions about the abilities of an engine: whether it plays a game."""

from engines import registry
from protocols.ask.detect import Client, FramedClient
from protocols.errors import CannotSay
from tools.roster.seats import reply_deadline


def check_game(client: Client, game: str) -> None:
    """Raise CannotSay if an engine cannot be asked about a game."""
    expected = registry.find(game).protocol
    if client.protocol != expected:
        raise CannotSay(f"{client.name} speaks {client.protocol}, {game} is asked in {expected}")
    if isinstance(client, FramedClient) and client.known("game"):
        plays = client.command("game", reply_deadline())
        if plays != game:
            raise CannotSay(f"{client.name} plays {plays}, not {game}")
