"""What the verifier cannot read to its end, it does not prove."""


class RefusedError(Exception):
    """The policy or the file holds something that the verifier does not know; it says what, and never a cell."""
