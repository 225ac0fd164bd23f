"""The transcript of a table that is tried: the page is what the commands print."""

import pytest
import trying


def test_the_page_has_the_commands_and_the_code_that_goes_on():
    page = trying.PAGE.read_text(encoding="utf-8")
    assert page.startswith(trying.HEAD)
    assert [f"\n$ {command}\n" in page for command in (trying.TRY, trying.USED)] == [True, True]
    assert trying.USE in page


@pytest.mark.nightly
def test_the_page_is_what_the_commands_print():
    assert trying.PAGE.read_text(encoding="utf-8") == trying.page(), f"remake the page: {trying.COMMAND}"
