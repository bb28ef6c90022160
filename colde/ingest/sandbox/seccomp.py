"""A filter of system calls, for Linux on x86-64 and ARM64: no network, no other process, no change to a file.

It is a list of what is refused, not of what is allowed: the libraries of the readers may do whatever else they do
on whatever system they run. A refused call fails with EPERM; nothing is killed but a call of a foreign processor.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct

_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_COLUMN = {"x86_64": 0, "aarch64": 1}

_REFUSED: dict[str, tuple[int | None, int | None]] = {
    # the network, and other ways to talk
    "socket": (41, 198), "socketpair": (53, 199), "connect": (42, 203), "bind": (49, 200), "listen": (50, 201),
    "accept": (43, 202), "accept4": (288, 242), "sendto": (44, 206), "sendmsg": (46, 211), "sendmmsg": (307, 269),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "shmget": (29, 194), "shmat": (30, 196), "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180),
    "memfd_create": (319, 279), "memfd_secret": (447, 447),
    # other programs and processes
    "execve": (59, 221), "execveat": (322, 281), "fork": (57, None), "vfork": (58, None), "clone": (56, 220),
    "clone3": (435, 435), "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "kill": (62, 129), "tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    "pidfd_open": (434, 434), "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424),
    "process_madvise": (440, 440), "setpriority": (141, 140), "sched_setaffinity": (203, 122),
    "setpgid": (109, 154), "setsid": (112, 157), "kcmp": (312, 272),
    # files that are there, beyond what Landlock refuses
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, None), "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54),
    "utime": (132, None), "utimes": (235, None), "futimesat": (261, None), "utimensat": (280, 88),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "setxattrat": (463, 463),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "inotify_add_watch": (254, 27), "fanotify_init": (300, 262),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "open_tree": (428, 428),
    # the kernel's rarer doors
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "keyctl": (250, 219),
    "add_key": (248, 217), "request_key": (249, 218), "mount": (165, 40), "umount2": (166, 39),
    "move_mount": (429, 429), "fsopen": (430, 430), "mount_setattr": (442, 442), "pivot_root": (155, 41),
    "chroot": (161, 51), "unshare": (272, 97), "setns": (308, 268), "init_module": (175, 105),
    "finit_module": (313, 273), "kexec_load": (246, 104), "syslog": (103, 116), "quotactl": (179, 60),
}  # fmt: skip
_TO_ITSELF = {"tgkill": (234, 131)}  # first argument: this process's number (`abort` sends itself a signal)
_OF_ITSELF = {"prlimit64": (302, 261)}  # first argument: 0

_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER, _PROCESSOR, _FIRST = 0, 4, 16  # offsets in what a filter sees of a call
_ALLOW, _KILL, _REFUSE = 0x7FFF0000, 0x80000000, 0x00050000 | errno.EPERM
_FOREIGN_NUMBERS = 0x40000000  # x32, a second set of numbers on x86-64
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2


def install(libc: ctypes.CDLL) -> bool:
    """Refuse these calls from now on, in this process; needs no_new_privs. False where there is no such filter."""
    if platform.machine() not in _AUDIT:
        return False
    program = filter_for(platform.machine(), os.getpid())
    instructions = ctypes.create_string_buffer(program, len(program))
    described = struct.pack("@HP", len(program) // 8, ctypes.addressof(instructions))
    return bool(libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, described, 0, 0) == 0)


def filter_for(machine: str, process: int) -> bytes:
    """The program that the kernel runs at each call: 8 bytes an instruction."""
    column = _COLUMN[machine]
    program = [
        (_LOAD, 0, 0, _PROCESSOR),
        (_EQUAL, 1, 0, _AUDIT[machine]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _FOREIGN_NUMBERS),
        (_RETURN, 0, 0, _REFUSE),
    ]
    for numbers in _REFUSED.values():
        if (number := numbers[column]) is not None:
            program += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE)]
    for calls, first in ((_TO_ITSELF, process), (_OF_ITSELF, 0)):
        for numbers in calls.values():
            program += [
                (_EQUAL, 0, 4, numbers[column]),
                (_LOAD, 0, 0, _FIRST),
                (_EQUAL, 1, 0, first),
                (_RETURN, 0, 0, _REFUSE),
                (_RETURN, 0, 0, _ALLOW),
            ]
    program.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
