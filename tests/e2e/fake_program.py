"""fake_program.py LIBRARY REQUESTS [HOW]: what a program with CUDA and NVTX inside does, against fake_cupti.c:
loads the recorder as the driver and NVTX do, and launches REQUESTS requests of three kernels in ranges `request`.
While there is a file FAKE_PRESSED the second kernel takes six times as long, 1.2 ms.
Without a recorder in its environment it only sleeps; with one that NVTX alone loads its requests take 320 us in
place of 400 (FAKE_PLAIN: few, it has one; fail, it ends with 3). HOW: crash, fail, none (it launches nothing), devices, child,
daemon, slow, differ (three of five requests have other kernels, each another, and take 1.2 ms), resumed (it ends when it is continued for the third time), or, with and without a recorder, long (until a
signal ends it), stubborn (it ignores SIGINT). The last two have a child, and write the numbers of both processes into
the file that FAKE_PIDS names."""

import ctypes
import os
import signal
import subprocess
import sys
import time

library, requests = sys.argv[1], int(sys.argv[2])
how = sys.argv[3] if len(sys.argv) > 3 else ""
fake = ctypes.CDLL(library, mode=ctypes.RTLD_GLOBAL)
for call in (fake.fake_kernel, fake.fake_wait):
    call.argtypes = None
if "FAKE_NVML_LIBRARY" in os.environ:
    ctypes.CDLL(os.environ["FAKE_NVML_LIBRARY"])
recorded = "CUDA_INJECTION64_PATH" in os.environ
recorder = ctypes.CDLL(os.environ["NVTX_INJECTION64_PATH"]) if "NVTX_INJECTION64_PATH" in os.environ else None
if how == "child":
    sys.exit(subprocess.call([sys.executable, __file__, library, str(requests)]))
if how == "daemon" and os.fork() == 0:
    os.setsid()
    time.sleep(8)
    os._exit(0)
if how in ("long", "stubborn"):
    # No handler of Python's own: a child that has just been forked forgets what came before its handlers are set up.
    signal.signal(signal.SIGINT, signal.SIG_IGN if how == "stubborn" else signal.SIG_DFL)
    child = os.fork()
    if child == 0:
        time.sleep(60)
        os._exit(0)
    with open(os.environ["FAKE_PIDS"] + ".part", "w") as out:
        print(os.getpid(), child, file=out)
    os.rename(os.environ["FAKE_PIDS"] + ".part", os.environ["FAKE_PIDS"])
    time.sleep(60)
if how == "none" or recorder is None:
    time.sleep(0.05)
    sys.exit(0)

# NVTX's export table with its two tables of callbacks, as a program's own copy of NVTX has it.
POINTER = ctypes.c_void_p
slots = {1: (POINTER * 16)(), 5: (POINTER * 16)()}
tables = {m: (POINTER * 16)(*[ctypes.addressof(s) + 8 * i for i in range(16)]) for m, s in slots.items()}


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.POINTER(POINTER), ctypes.POINTER(ctypes.c_uint))
def functions_of(module, table, size):
    if module not in tables:
        return 0
    table[0], size[0] = ctypes.addressof(tables[module]), 16
    return 1


class Export(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("functions_of", type(functions_of))]


export = Export(ctypes.sizeof(Export), functions_of)


@ctypes.CFUNCTYPE(POINTER, ctypes.c_uint32)
def export_table_of(which):
    return ctypes.addressof(export) if which == 1 else None


if recorder.InitializeInjectionNvtx2(export_table_of) != 1:
    sys.exit("NVTX was not taken")
push = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p)(slots[1][9])
pop = ctypes.CFUNCTYPE(ctypes.c_int)(slots[1][11])
if recorded:
    recorder.InitializeInjection()

US = 1000


def now():
    return time.clock_gettime_ns(time.CLOCK_REALTIME)


def wait_until(moment):
    while now() < moment:
        pass


def launch(number, call, begin, ns, blocks, name, device=0):
    fake.fake_kernel(
        ctypes.c_uint32(number), ctypes.c_uint64(call), ctypes.c_uint64(begin), ctypes.c_uint64(begin + ns), blocks,
        ctypes.c_char_p(name), ctypes.c_uint32(device)
    )


resumed = []
if how == "resumed":
    signal.signal(signal.SIGCONT, lambda *_: resumed.append(1) if len(resumed) < 2 else os._exit(0))
names = [b"_ZN2my4gemmIfEEvPT_", b"softmax", b"void at::native::scale<float>(float*)"]
for i in range(requests):
    push(b"request")
    begin = now()
    if not recorded:
        wait_until(begin + 320 * US)
        pop()
        if os.environ.get("FAKE_PLAIN") == "few":
            break
        continue
    more = 1000 if os.path.exists(os.environ.get("FAKE_PRESSED", "")) else 0
    other = i % 5 if how == "differ" and i % 5 > 1 else 0
    for k, name in enumerate({0: names, 2: names[:2], 3: names[:1], 4: names[::-1]}[other]):
        call = begin + (50 + 100 * k) * US
        # The third one finds the device busy: the second takes 200 us.
        starts = [60 * US, 160 * US, (360 + more) * US][k]
        launch(3 * i + k, call, begin + starts, [40, 200 + more, 20][k] * US, 64 << k, name, i % 2 if how == "devices" else 0)
    fake.fake_wait(ctypes.c_uint64(begin + 270 * US), ctypes.c_uint64(begin + (390 + more) * US))
    wait_until(begin + (400 + more + (800 if other else 0)) * US)
    pop()
    if how == "slow":
        time.sleep(0.3)
if how == "crash":
    time.sleep(1.5)
    os.kill(os.getpid(), signal.SIGSEGV)
if how == "fail" or (not recorded and os.environ.get("FAKE_PLAIN") == "fail"):
    sys.exit(3)
