"""Runtimes that run a program of an unpacked image as a manifest's container: see tests/install/image."""

import json
import os
import pathlib
import subprocess
import sys

SERVER = "/usr/bin/stad-server"
USER = 10001  # of the image


def default_seccomp_profile():
    """The profile of container engines (package golang-github-containers-common) for amd64 without capabilities."""
    profile = json.loads(pathlib.Path("/usr/share/containers/seccomp.json").read_text())
    includes = lambda rule: rule.get("includes") or {}
    return {"defaultAction": profile["defaultAction"], "defaultErrnoRet": profile["defaultErrnoRet"],
            "architectures": ["SCMP_ARCH_X86_64"],
            "syscalls": [{key: rule[key] for key in ("names", "action", "args", "errnoRet") if rule.get(key)}
                         for rule in profile["syscalls"]
                         if "caps" not in includes(rule) and "amd64" in includes(rule).get("arches", ["amd64"])]}


class Runc:
    """A container of the bundle that umoci unpacked. `command` gives the words that run a program in it, with mounts
    {path: (source, "ro" or "rw")} and a working folder."""

    def __init__(self, bundle):
        self.bundle, self.root, self.state = bundle, bundle / "rootfs", bundle.parent / "runc"
        self.config = json.loads((bundle / "config.json").read_text())

    def command(self, words, mounts, folder):
        config = json.loads(json.dumps(self.config))
        config["process"].update(terminal=False, cwd=folder, args=words,
                                 capabilities={kind: [] for kind in config["process"]["capabilities"]})
        config["root"]["readonly"] = True
        config["linux"]["seccomp"] = default_seccomp_profile()
        config["mounts"] = [mount for mount in config["mounts"] if mount["destination"] not in mounts]
        config["mounts"] += [{"destination": path, "type": "bind", "source": str(source), "options": ["bind", mode]}
                             for path, (source, mode) in mounts.items()]
        (self.bundle / "config.json").write_text(json.dumps(config))
        return ["runc", "--root", str(self.state), "run", "--bundle", str(self.bundle), "stad"]

    def process(self, started):
        """The service's own process: `started` is runc, which forwards signals to it."""
        done = subprocess.run(["runc", "--root", self.state, "state", "stad"], capture_output=True, text=True)
        state = json.loads(done.stdout) if done.returncode == 0 else {"status": ""}
        return state["pid"] if state["status"] == "running" else None

    def kill(self, started):
        subprocess.run(["runc", "--root", self.state, "delete", "--force", "stad"], capture_output=True)
        started.kill()


class Chroot:
    """The files of the bundle as a root, without its configuration: no process namespace, no seccomp filter."""

    SCRIPT = """ip link set lo up
        mount --bind "$1" "$1"
        root=$1; folder=$2; shift 2
        while [ "$1" != -- ]; do mount --bind "$2" "$root$1"; mount -o "remount,bind,$3" "$root$1"; shift 3; done
        shift
        mount -o remount,bind,ro "$root"
        exec unshare --root="$root" --wd="$folder" --setuid="$USER_ID" --setgid="$USER_ID" "$@" """

    def __init__(self, bundle):
        self.root = bundle / "rootfs"

    def command(self, words, mounts, folder):
        for path in mounts:
            (self.root / path.lstrip("/")).mkdir(parents=True, exist_ok=True)
        mounts = [str(word) for path, (source, mode) in mounts.items() for word in (path, source, mode)]
        return ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", f"USER_ID={USER}", "unshare", "--net", "--mount",
                "sh", "-euc", self.SCRIPT, "sh", str(self.root), folder, *mounts, "--", *words]

    def process(self, started):
        return started.pid

    def kill(self, started):
        started.kill()


RUNTIMES = {"runc": Runc, "chroot": Chroot}


def choose_runtime(bundle):
    """Name and runtime: runc if it can run the program here, otherwise chroot."""
    name = os.environ.get("STAD_IMAGE_RUNTIME", "runc")
    if name == "runc":
        runtime = Runc(bundle)
        tried = subprocess.run(runtime.command([SERVER, "--version"], {}, "/"), capture_output=True, text=True)
        if tried.returncode == 0:
            return name, runtime
        print(f"NO CONTAINER: runc fails: {tried.stderr.strip()}. Falling back to chroot; processes are NOT isolated.",
              file=sys.stderr)
    return "chroot", Chroot(bundle)
