"""Builds the wheel for `pip install .` (PEP 517): compiles with CMake and packs the installed files.

The wheel contains the module with libstad and libstad-eval beside it. CMAKE_ARGS is passed to CMake; STAD_BUILD_DIR
names an existing build folder to use.
"""

import base64
import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
VERSION = re.search(r"project\(stad VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
TAG = "cp{0}{1}-cp{0}{1}-{2}".format(*sys.version_info[:2], re.sub(r"[-.]", "_", sysconfig.get_platform()))


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"stad-{VERSION}-{TAG}.whl"
    with tempfile.TemporaryDirectory() as folder:
        staged = pathlib.Path(folder)
        _compile(staged)
        info = staged / f"stad-{VERSION}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(_metadata())
        (info / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: stad\nRoot-Is-Purelib: false\nTag: {TAG}\n")
        (info / "LICENSE").write_bytes((ROOT / "LICENSE").read_bytes())
        _pack(staged, info / "RECORD", pathlib.Path(wheel_directory, name))
    return name


def _compile(prefix):
    build = os.environ.get("STAD_BUILD_DIR")
    if not build:
        build = str(ROOT / "build" / f"wheel-{TAG}")
        # --fresh discards options of earlier builds; compiled files remain.
        _cmake("--fresh", "-S", str(ROOT), "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DSTAD_TESTS=OFF",
               "-DSTAD_TORCH=OFF", "-DSTAD_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}",
               *shlex.split(os.environ.get("CMAKE_ARGS", "")))
    _cmake("--build", build, "--target", "stad_python")
    _cmake("--install", build, "--component", "wheel", "--strip", "--prefix", str(prefix))


def _cmake(*arguments):
    subprocess.run(["cmake", *arguments], check=True)


def _metadata():
    lines = ["Metadata-Version: 2.1", f"Name: {PROJECT['name']}", f"Version: {VERSION}",
             f"Summary: {PROJECT['description']}", f"License: {PROJECT['license']['text']}",
             f"Requires-Python: {PROJECT['requires-python']}", "Description-Content-Type: text/markdown"]
    lines += [f"Requires-Dist: {name}" for name in PROJECT["dependencies"]]
    return "\n".join(lines) + "\n\n" + (ROOT / PROJECT["readme"]).read_text()


def _pack(folder, record, wheel):
    """Writes every file into the wheel, and last RECORD, the list of files with checksums."""
    lines = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            name = path.relative_to(folder).as_posix()
            digest = base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).rstrip(b"=").decode()
            lines.append(f"{name},sha256={digest},{path.stat().st_size}")
            archive.write(path, name)
        name = record.relative_to(folder).as_posix()
        archive.writestr(name, "\n".join([*lines, f"{name},,"]) + "\n")
