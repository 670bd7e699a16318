"""One packed block of data: JSON and the arrays that it names, compressed, as text."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# A higher level takes much longer, and saves few bytes.
COMPRESSION = 6


def pack(values: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[np.generic]]) -> str:
    """Return plain values and arrays as text: base64 of gzip of a length, JSON, and the bytes of the arrays.

    Each array begins at a multiple of eight bytes, so that a browser can view it where it is. The same values give the
    same text.

    >>> import numpy as np
    >>> import base64, gzip
    >>> packed = gzip.decompress(base64.b64decode(pack({"a": 1}, {"b": np.array([2], "<u4")})))
    >>> int.from_bytes(packed[:4], "little"), packed[4:40]
    (36, b'{"a":1,"arrays":{"b":["u4",0,1]}}   ')
    """
    places, body, length = {}, [], 0
    for name, array in arrays.items():
        little = array.astype(array.dtype.newbyteorder("<"), copy=False)
        raw = little.tobytes()
        places[name] = [array.dtype.str[1:], length, int(array.size)]
        padded = raw + b"\0" * (-len(raw) % 8)
        body.append(padded)
        length += len(padded)
    header = json.dumps({**values, "arrays": places}, separators=(",", ":"), allow_nan=False).encode("ascii")
    header += b" " * (-(4 + len(header)) % 8)
    blob = len(header).to_bytes(4, "little") + header + b"".join(body)
    return base64.b64encode(gzip.compress(blob, COMPRESSION, mtime=0)).decode("ascii")
