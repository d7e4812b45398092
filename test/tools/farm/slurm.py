"""A Slurm cluster on this machine, for tests: one controller and several node daemons in a scratch folder."""

import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "sinfo", "scancel")
SECONDS_TO_START = 60

CONFIGURATION = """
ClusterName=test
SlurmctldHost=localhost
SlurmctldPort={controller}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
# Slurm starts a requeued task when its old credential has expired.
AuthInfo=socket={folder}/munge/socket,cred_expire=5
CredType=cred/munge
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MpiDefault=none
SwitchType=switch/none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
SlurmdTimeout=10
SlurmctldTimeout=10
SchedulerParameters=batch_sched_delay=0,sched_interval=2
MinJobAge=300
KillWait=2
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def missing_programs():
    return [name for name in PROGRAMS if shutil.which(name, path=search_path()) is None]


def search_path():
    return os.environ["PATH"] + ":/usr/sbin:/sbin"


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    """with Cluster(folder, 4) as cluster: cluster.environment makes sbatch use it."""

    def __init__(self, folder, nodes):
        self.folder = pathlib.Path(folder)
        self.names = [f"n{i + 1}" for i in range(nodes)]
        self.daemons = {}
        self.environment = dict(os.environ, PATH=search_path(), SLURM_CONF=str(self.folder / "slurm.conf"))

    def __enter__(self):
        try:
            self._start_munge()
            self._configure()
            self._start("slurmctld", "slurmctld", "-D", "-c")
            for name in self.names:
                self._start(name, "slurmd", "-D", "-N", name)
            self._wait_for_nodes()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for daemon in reversed(self.daemons.values()):
            if daemon.poll() is None:
                daemon.terminate()
        for daemon in self.daemons.values():
            try:
                daemon.wait(timeout=10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def processes(self, name):
        """The processes of the jobs on a node."""
        return [int(path.name) for path in pathlib.Path("/proc").glob("[0-9]*") if self._is_of(path, name)]

    def kill_working(self, name):
        """Ends a node as a power failure would, if a task runs on it: its daemon, its steps and every process of its
        jobs. Returns the number of killed processes; 0 if no task runs."""
        jobs = self.processes(name)
        steps = {self._step_above(pid) for pid in jobs} - {None}
        if not steps:
            return 0
        killed = [self.daemons[name].pid, *steps, *jobs]
        for pid in killed:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.daemons[name].wait()
        return len(killed)

    def states(self):
        shown = subprocess.run(["sinfo", "--noheader", "--Node", "--format", "%N %t"], env=self.environment,
                               capture_output=True, text=True, check=False).stdout
        return dict(line.split() for line in shown.splitlines())

    def _is_of(self, process, name):
        try:
            environment = (process / "environ").read_bytes().split(b"\0")
        except OSError:
            return False
        return f"SLURMD_NODENAME={name}".encode() in environment and \
            f"SLURM_CONF={self.folder / 'slurm.conf'}".encode() in environment

    @staticmethod
    def _step_above(pid):
        """The slurmstepd among the ancestors of a process."""
        while pid > 1:
            try:
                status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
            except OSError:
                return None
            fields = dict(line.split(":", 1) for line in status.splitlines())
            if fields["Name"].strip() == "slurmstepd":
                return pid
            pid = int(fields["PPid"])
        return None

    def _start(self, key, program, *arguments):
        log = open(self.folder / f"{key}.output", "wb")
        with log:
            self.daemons[key] = subprocess.Popen([shutil.which(program, path=search_path()), *arguments],
                                                 env=self.environment, stdout=log, stderr=subprocess.STDOUT)

    def _start_munge(self):
        munge = self.folder / "munge"
        munge.mkdir(mode=0o755)
        key = munge / "key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        self._start("munged", "munged", "--foreground", "--force", f"--socket={munge}/socket", f"--key-file={key}",
                    f"--pid-file={munge}/pid", f"--log-file={munge}/log", f"--seed-file={munge}/seed")
        self._wait(lambda: (munge / "socket").exists(), "munged")

    def _configure(self):
        user = pwd.getpwuid(os.getuid()).pw_name
        controller, *ports = free_ports(1 + len(self.names))
        nodes = "\n".join(f"NodeName={name} NodeHostname=localhost NodeAddr=127.0.0.1 Port={port} CPUs=1"
                          for name, port in zip(self.names, ports))
        for name in self.names:
            (self.folder / f"spool.{name}").mkdir()
        (self.folder / "state").mkdir()
        (self.folder / "slurm.conf").write_text(
            CONFIGURATION.format(controller=controller, user=user, folder=self.folder, nodes=nodes), encoding="utf-8")

    def _wait_for_nodes(self):
        self._wait(lambda: list(self.states().values()) == ["idle"] * len(self.names), "the nodes")

    def _wait(self, condition, name):
        end = time.monotonic() + SECONDS_TO_START
        while not condition():
            if time.monotonic() > end:
                logs = "".join(path.read_text(errors="replace")[-2000:] for path in self.folder.glob("*.output"))
                raise TimeoutError(f"{name} did not start in {SECONDS_TO_START} s\n{logs}")
            time.sleep(0.2)
