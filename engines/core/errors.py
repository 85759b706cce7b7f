"""The base class of every error that a user of the engines can cause."""


class QuintetError(Exception):
    """A mistake in what the user gave, such as a move, a file or an option; the text explains it.

    Programs show the text without a traceback. An exception of any other class is a bug.
    """
