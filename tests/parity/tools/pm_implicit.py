"""pm-implicit: the fork of implicit that RecTools brings, whose modules have the same names."""

from __future__ import annotations

from dataclasses import replace

from tests.parity.tools.implicit import ADAPTERS as OF_IMPLICIT

ADAPTERS = [replace(adapter, package="pm-implicit") for adapter in OF_IMPLICIT]
