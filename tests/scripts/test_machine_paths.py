"""The compiled module has no path of the machine that built it, and a wheel that had one would be found."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest

import machine_paths
from rankgauge import _core


def test_folders_are_home_cargo_and_workspace_in_the_order_that_rustc_wants() -> None:
    assert list(machine_paths.folders({"HOME": "/home/ada"})) == [
        "/home/ada",
        "/home/ada/.cargo",
        str(machine_paths.ROOT),
    ]
    assert "/opt/cargo" in machine_paths.folders({"HOME": "/home/ada", "CARGO_HOME": "/opt/cargo"})


def test_flags_rename_every_folder(capsys: pytest.CaptureFixture[str]) -> None:
    machine_paths.main(["flags"])
    flags = capsys.readouterr().out.split("\x1f")
    assert flags == [f"--remap-path-prefix={folder}={name}" for folder, name in machine_paths.folders().items()]


@pytest.mark.parametrize("inside", ["module", "wheel"])
def test_check_of_a_file_that_names_a_folder_of_this_machine_fails(tmp_path: Path, inside: str) -> None:
    module = tmp_path / "_core.abi3.so"
    module.write_bytes(b"\x7fELF\x00" + f"{machine_paths.ROOT}/crates/core/src/lib.rs".encode() + b"\x00")
    file = module
    if inside == "wheel":
        file = tmp_path / "rankgauge.whl"
        with ZipFile(file, "w") as wheel:
            wheel.write(module, "rankgauge/_core.abi3.so")
    with pytest.raises(SystemExit, match=f"_core.abi3.so has {machine_paths.ROOT}"):
        machine_paths.main(["check", str(file)])


def test_check_of_a_clean_file_passes(tmp_path: Path) -> None:
    module = tmp_path / "_core.abi3.so"
    module.write_bytes(b"\x7fELF\x00/cargo/registry/src/rayon/src/lib.rs\x00/rankgauge/crates\x00")
    machine_paths.main(["check", str(module)])


@pytest.mark.parametrize("arguments", [[], ["check"], ["other", "file"]])
def test_machine_paths_with_other_arguments_is_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit, match="expected"):
        machine_paths.main(arguments)


def test_module_that_is_installed_has_no_path_of_this_machine() -> None:
    assert _core.__file__ is not None
    assert machine_paths.leaks([Path(_core.__file__)]) == [], "build with `make`, which renames the folders"
