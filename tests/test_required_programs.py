from __future__ import annotations

import pytest

from tests.required_programs import require_program


def test_require_program_that_is_missing_fails_with_the_package() -> None:
    require_program("python3", "python3")
    with pytest.raises(pytest.fail.Exception, match="apt-get install no-such-package"):
        require_program("no-such-program", "no-such-package")
