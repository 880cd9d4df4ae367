"""Categories of two files in the codes of one of them."""

import pyarrow as pa

from shoal.encode.codes import codes_in, to_codes


def test_values_that_read_the_same_have_one_code_and_others_have_none_of_them():
    own = to_codes("zip", pa.chunked_array([pa.array([30, None, 10, 20])]))
    other = to_codes("zip", pa.chunked_array([pa.array(["20", "5", None, "30", "10"])]))
    assert own.codes.tolist() == [2, -1, 0, 1]
    assert codes_in(own, other).tolist() == [1, own.n_values, -1, 2, 0]
