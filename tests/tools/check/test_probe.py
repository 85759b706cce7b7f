import pytest

from tools.check.probe import MUST, Catalogue, Fault, expect, together


def test_a_catalogue_keeps_its_probes_in_order() -> None:
    catalogue = Catalogue()

    @catalogue.add("one", MUST, "a reason")
    def _one(talk: object) -> None:
        """Pass."""

    @catalogue.add("two", MUST, "another reason", fresh=True)
    def _two(talk: object) -> None:
        expect(False, "never")

    assert [(probe.name, probe.fresh) for probe in catalogue.probes] == [
        ("one", False),
        ("two", True),
    ]
    catalogue.probes[0].ask(None)
    with pytest.raises(Fault, match="never"):
        catalogue.probes[1].ask(None)


def test_a_name_may_be_used_once() -> None:
    catalogue = Catalogue()
    catalogue.add("same", MUST, "a reason")(lambda talk: None)
    assert len(together(catalogue)) == 1
    with pytest.raises(ValueError, match="two probes of one name: same"):
        together(catalogue, catalogue)
