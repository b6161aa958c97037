"""A program of two ranks that calls every procedure of MPI that has choice buffers, with buffers of each kind.

Each call is made with host arrays first; what it leaves in the receive buffer, in a window or in a file must be the same
with device, managed and pinned arrays and, where the call is over when it returns, with sections that have gaps. The
program writes a line for each into a file told.RANK: PASS or FAIL, the procedure, the kind.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "compiler/tables/generate"))
import mpi_table  # noqa: E402

KINDS = ["host", "device", "managed", "pinned", "section", "device_section"]
# The arrays of a kind: what is sent, what is received. Sections have every second element.
ARRAYS = {
    "host": ("sh", "rh"), "device": ("sd", "rd"), "managed": ("sm", "rm"), "pinned": ("sp", "rp"),
    "section": ("wide_sh(1:2*n-1:2)", "wide_rh(1:2*n-1:2)"), "device_section": ("wide_sd(1:2*n-1:2)", "wide_rd(1:2*n-1:2)"),
}
# Host memory alone, unless the library takes device memory: docs/limits.md.
HOST_ONLY = {"MPI_Buffer_attach": ["host", "managed", "pinned"], "MPI_Win_attach": ["host", "pinned"],
             "MPI_Win_detach": ["host", "pinned"], "MPI_Free_mem": ["host"]}
# Tested elsewhere: the name of the program says with what.
ELSEWHERE = {"MPI_Psend_init": "requests", "MPI_Precv_init": "requests"}
OURS = {"MPI_Sizeof"}

HEAD = """program every_buffer
  use mpi
  use cudafor
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: n = 40
  integer :: sh(n), rh(n), wide_sh(2 * n), wide_rh(2 * n), reference(n), shown(n), window_memory(n), window_reference(n)
  integer, device :: sd(n), rd(n), wide_sd(2 * n), wide_rd(2 * n)
  integer, managed :: sm(n), rm(n)
  integer, pinned, allocatable :: sp(:), rp(:)
  integer :: counts(2) = [3, 4], places(2) = [0, 5], bytes(2) = [0, 20], types(2), other_counts(2), other_places(2)
  integer :: neighbour_counts(2) = [3, 3]
  integer(MPI_ADDRESS_KIND) :: byte_places(2) = [0, 20], at, address
  integer(MPI_OFFSET_KIND) :: offset
  integer :: rank, other, ierror, request, other_request, status(MPI_STATUS_SIZE), message, line, window, file, position, i
  integer, target :: attached(1000)
  integer :: failures = 0, told
  character(16) :: told_name
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  write (told_name, '(a, i0)') 'told.', rank
  open (newunit=told, file=told_name)
  other = 1 - rank
  types = MPI_INTEGER
  allocate (sp(n), rp(n))
  call MPI_Cart_create(MPI_COMM_WORLD, 1, [2], [.false.], .false., line, ierror)
  call MPI_Buffer_attach(attached, 4000, ierror)
  call MPI_Win_create(window_memory, int(4 * n, MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, ierror)
  call MPI_File_open(MPI_COMM_WORLD, 'every_buffer.data', ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file, ierror)
"""
TAIL = """  call MPI_File_close(file, ierror)
  call MPI_Win_free(window, ierror)
  call MPI_Buffer_detach(attached, i, ierror)
  call MPI_Comm_free(line, ierror)
  call MPI_Finalize(ierror)
  if (failures > 0) error stop 1
"""
PROCEDURES = """
  ! All arrays, the same in each kind. What is shared among ranks in a file is sent by both.
  subroutine before(same)
    logical, intent(in) :: same
    sh = [(merge(0, 1000 * (rank + 1), same) + i, i = 1, n)]
    rh = [(-i, i = 1, n)]
    sd = sh; rd = rh; sm = sh; rm = rh; sp = sh; rp = rh
    wide_sh = 77; wide_rh = 77
    wide_sh(1:2*n-1:2) = sh
    wide_rh(1:2*n-1:2) = rh
    wide_sd = wide_sh; wide_rd = wide_rh
    window_memory = [(10000 * (rank + 1) + i, i = 1, n)]
    position = 0
    request = MPI_REQUEST_NULL
    other_request = MPI_REQUEST_NULL
  end subroutine

  ! Compares with what the host's arrays gave.
  subroutine after(name, kind)
    character(*), intent(in) :: name, kind
    logical :: good, gaps
    gaps = .true.
    if (kind == 'host') shown = rh
    if (kind == 'device') shown = rd
    if (kind == 'managed') shown = rm
    if (kind == 'pinned') shown = rp
    if (kind == 'device_section') wide_rh = wide_rd
    if (index(kind, 'section') > 0) then
      shown = wide_rh(1:2*n-1:2)
      gaps = all(wide_rh(2:2*n:2) == 77)
    end if
    call judge(name, kind, gaps)
  end subroutine

  ! What arrived elsewhere: in the host's receive buffer.
  subroutine after_sending(name, kind)
    character(*), intent(in) :: name, kind
    shown = rh
    call judge(name, kind, .true.)
  end subroutine

  subroutine judge(name, kind, gaps)
    character(*), intent(in) :: name, kind
    logical, intent(in) :: gaps
    logical :: good
    if (kind == 'host') then
      reference = shown
      window_reference = window_memory
    end if
    good = gaps .and. all(shown == reference) .and. all(window_memory == window_reference)
    if (.not. good) failures = failures + 1
    write (told, '(a, 1x, a, 1x, a, 1x, i0)') merge('PASS', 'FAIL', good), name, kind, rank
    flush (told)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end subroutine

  ! The file holds 1 to 2n of each rank, or nothing; its pointers stand at this rank's part.
  subroutine fill_file(full)
    logical, intent(in) :: full
    integer :: values(n)
    call MPI_File_set_size(file, 0_MPI_OFFSET_KIND, ierror)
    values = [(100 * mod(i, 5), i = 1, n)] ! any five are the same
    offset = 4 * (n / 2) * rank
    if (full) call MPI_File_write_at(file, offset, values, n / 2, MPI_INTEGER, status, ierror)
    call MPI_File_sync(file, ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_File_sync(file, ierror)
    call MPI_File_seek(file, offset, MPI_SEEK_SET, ierror)
    call MPI_File_seek_shared(file, 0_MPI_OFFSET_KIND, MPI_SEEK_SET, ierror)
  end subroutine

  subroutine show_file
    call MPI_File_sync(file, ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_File_sync(file, ierror)
    rh = 0
    call MPI_File_read_at(file, 0_MPI_OFFSET_KIND, rh, n, MPI_INTEGER, status, ierror)
  end subroutine
end program
"""


def buffers(procedure: dict) -> "list[dict]":
    return [dummy for dummy in mpi_table.dummies(procedure) if dummy["type"] == "choice"]


def kinds_of(procedure: dict) -> "list[str]":
    """The kinds that a procedure takes; sections only where it is over when it returns."""
    name = procedure["name"]
    if name in HOST_ONLY:
        return HOST_ONLY[name]
    kept = any(dummy.get("use") in ("window", "address", "kept", "begun") for dummy in buffers(procedure))
    over = procedure.get("when", "blocking") == "blocking" and procedure["does"] != "one_sided" and not kept
    return KINDS if over else KINDS[:4]


class Call:
    """The statements for one procedure and one kind of buffer."""

    def __init__(self, procedure: dict, kind: str):
        self.row, self.kind = procedure, kind
        self.sent, self.received = ARRAYS[kind]
        self.name, self.does = procedure["name"], procedure["does"]
        self.when = procedure.get("when", "blocking")
        self.neighbours = procedure["group"] == "neighbourhood"
        self.dummies = {dummy["name"]: dummy for dummy in mpi_table.dummies(procedure)}

    def argument(self, dummy: dict) -> str:
        name, kind = dummy["name"], dummy["type"]
        if kind == "choice":
            return self.sent if dummy["intent"] == "in" else self.received
        fixed = {"comm": "line" if self.neighbours else "MPI_COMM_WORLD", "op": "MPI_SUM", "win": "window", "fh": "file",
                 "info": "MPI_INFO_NULL", "request": "request", "status": "status", "message": "message", "root": "0",
                 "dest": "other", "source": "other", "target_rank": "other", "target_disp": "at", "offset": "offset",
                 "position": "position", "insize": "40", "outsize": "80", "datarep": "'external32'", "base": self.sent,
                 "size": "at", "disp_unit": "4", "win_new": "i", "tag": "7", "sendtag": "7", "recvtag": "7",
                 "address": "address", "location": self.sent}
        if self.name in ("MPI_Pack_external", "MPI_Unpack_external") and name in ("insize", "outsize", "position"):
            return {"insize": "40_MPI_ADDRESS_KIND", "outsize": "80_MPI_ADDRESS_KIND", "position": "at"}[name]
        if name in fixed:
            return fixed[name]
        if kind == "datatype":
            return "types" if "extent" in dummy else "MPI_INTEGER"
        many = "extent" in dummy
        if many and "displs" in name:
            wide = dummy["type"] in ("address", "address_or_count")
            in_bytes = any(row.get("displacements") == name and row.get("displacements_in") == "bytes" for row in self.row["dummies"])
            return "byte_places" if wide else "bytes" if in_bytes else "places"
        if many and "counts" in name:
            return "neighbour_counts"
        if "count" in name:
            return "3" if self.does != "file" else "5"
        raise SystemExit(f"{self.name}: what is {name}?")

    def call(self, name: "str | None" = None) -> str:
        row = self.row if not name else next(row for row in mpi_table.procedures("") if row["name"] == name)
        listed = [self.argument(dummy) for dummy in mpi_table.dummies(row)]
        return f"call {row['name']}({', '.join([*listed, 'ierror'])})"

    def completion(self) -> "list[str]":
        if self.when == "persistent":
            wait = ["call MPI_Start(request, ierror)", "call MPI_Wait(request, status, ierror)", "call MPI_Request_free(request, ierror)"]
            if "Rsend" in self.name:
                wait.insert(0, "call MPI_Barrier(MPI_COMM_WORLD, ierror)")
            return wait
        return ["call MPI_Wait(request, status, ierror)"] if "request" in self.dummies else []

    def statements(self) -> "list[str]":
        shape = getattr(self, self.does if self.does in ("point_to_point", "one_sided", "file") else "simple")
        return shape()

    def checked(self, lines: "list[str]", where: str = "after", same: bool = False) -> "list[str]":
        return [f"call before({'.true.' if same else '.false.'})", *lines, f"call {where}('{self.name}', '{self.kind}')"]

    def simple(self) -> "list[str]":
        """Collective operations and what is local."""
        if self.name in ("MPI_Pack_external", "MPI_Unpack_external"):
            return self.checked(["at = 0", self.call()])
        special = {
            "MPI_Buffer_attach": ["call MPI_Buffer_detach(attached, i, ierror)", f"call MPI_Buffer_attach({self.sent}, 4 * n, ierror)",
                                  "call MPI_Buffer_detach(attached, i, ierror)", "call MPI_Buffer_attach(attached, 4000, ierror)"],
            "MPI_Free_mem": ["call allocated"],
            "MPI_F_sync_reg": [f"call MPI_F_sync_reg({self.received})"],
            "MPI_Address": [f"call MPI_Address({self.sent}, i, ierror)"],
        }
        return self.checked(special.get(self.name) or [self.call(), *self.completion()])

    def point_to_point(self) -> "list[str]":
        if self.name in ("MPI_Buffer_attach",):
            return self.simple()
        send, receive = "dest" in self.dummies, "source" in self.dummies or "message" in self.dummies
        done = "call MPI_Wait(other_request, MPI_STATUS_IGNORE, ierror)"
        if send and receive:
            return self.checked([self.call(), *self.completion()])
        if send:
            first = ["call MPI_Irecv(rh, n, MPI_INTEGER, other, 7, MPI_COMM_WORLD, other_request, ierror)",
                     "call MPI_Barrier(MPI_COMM_WORLD, ierror)"]
            return self.checked([*first, self.call(), *self.completion(), done], "after_sending")
        first = ["call MPI_Isend(sh, 3, MPI_INTEGER, other, 7, MPI_COMM_WORLD, other_request, ierror)"]
        if "message" in self.dummies:
            first.append("call MPI_Mprobe(other, 7, MPI_COMM_WORLD, message, status, ierror)")
        return self.checked([*first, self.call(), *self.completion(), done])

    def one_sided(self) -> "list[str]":
        if self.name == "MPI_Win_create":
            return self.checked([
                f"call MPI_Win_create({self.received}, 80_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, i, ierror)",
                "call MPI_Win_fence(0, i, ierror)",
                "call MPI_Put(sh, 5, MPI_INTEGER, other, 2_MPI_ADDRESS_KIND, 5, MPI_INTEGER, i, ierror)",
                "call MPI_Win_fence(0, i, ierror)", "call MPI_Win_free(i, ierror)"])
        if self.name in ("MPI_Win_attach", "MPI_Win_detach"):
            return self.checked([
                "call MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, i, ierror)",
                f"call MPI_Win_attach(i, {self.received}, 80_MPI_ADDRESS_KIND, ierror)", "call MPI_Barrier(MPI_COMM_WORLD, ierror)",
                f"call MPI_Win_detach(i, {self.received}, ierror)", "call MPI_Win_free(i, ierror)"])
        wait = ["call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)"] if "request" in self.dummies else []
        return self.checked(["at = 2", "call MPI_Barrier(MPI_COMM_WORLD, ierror)", "call MPI_Win_lock_all(0, window, ierror)",
                             self.call(), *wait, "call MPI_Win_unlock_all(window, ierror)",
                             "call MPI_Barrier(MPI_COMM_WORLD, ierror)", "call MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window, ierror)",
                             "call MPI_Win_unlock(rank, window, ierror)"])

    def file(self) -> "list[str]":
        reads, shared = "read" in self.name, "shared" in self.name
        lines = [f"call fill_file({'.true.' if reads else '.false.'})", self.call(), *self.completion()]
        if self.name.endswith("_begin"):
            lines.append(self.call(self.name.replace("_begin", "_end")))
        if reads:
            return self.checked(lines)
        return self.checked([*lines, "call show_file"], "after_sending", same=shared)


ALLOCATED = """
  subroutine allocated
    type(c_ptr) :: memory
    integer, pointer :: numbers(:)
    call MPI_Alloc_mem(80_MPI_ADDRESS_KIND, MPI_INFO_NULL, memory, ierror)
    call c_f_pointer(memory, numbers, [20])
    numbers = 3
    call MPI_Free_mem(numbers, ierror)
  end subroutine
"""


def rows(lacks: "set[str]") -> "list[dict]":
    """Procedures with choice buffers that the library has; the ends of split operations come with their beginnings."""
    return [row for row in mpi_table.procedures("") if buffers(row) and row["name"] not in lacks | OURS
            and row["name"] not in ELSEWHERE]


def called(row: dict) -> bool:
    return row.get("when") != "split_end"


def source(listed: "list[dict]") -> str:
    lines = []
    for row in filter(called, listed):
        lines += [f"  call try_{row['name'].lower()}"]
    bodies = []
    for row in filter(called, listed):
        bodies.append(f"  subroutine try_{row['name'].lower()}")
        for kind in kinds_of(row):
            bodies += ["    " + statement for statement in Call(row, kind).statements()]
        bodies.append("  end subroutine")
    return HEAD + "\n".join(lines) + "\n" + TAIL + "contains\n" + "\n".join(bodies) + ALLOCATED + PROCEDURES
