#!/usr/bin/env python3
"""The progress of `dcsim trace`, as a person sees it.

    trace_progress.py DCSIM FORMAT FILE

Runs lints of FILE on a pseudo-terminal and holds them for a while in the middle, so that they take longer
than the second before which nothing is shown, however fast the machine. Checks that the bar tells bytes,
share and time left, that these agree with each other and with the file, that no line is longer than the
terminal is wide, and that what stands on the screen in the end is the account alone, as it is without a
terminal. From a pipe, whose length nobody knows, bytes are shown and no share. Exit codes: 0; 1 with the
reason; 77 if the file is too short to be met half-way, or no pseudo-terminal can be opened.
"""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

HELD_S = 1.4


def check(condition, what, text):
    if not condition:
        sys.exit(f"FAIL: {what}\n{text!r}")


def position(pid, path):
    """How far a process has read a file that it may have opened."""
    try:
        for fd in os.listdir(f"/proc/{pid}/fd"):
            if os.path.realpath(f"/proc/{pid}/fd/{fd}") == os.path.realpath(path):
                with open(f"/proc/{pid}/fdinfo/{fd}", encoding="ascii") as info:
                    return int(info.readline().split()[1])
    except OSError:
        pass
    return 0


def hold(process, path):
    """Stops the process for a while when it has read a quarter of the file."""
    quarter = os.path.getsize(path) // 4
    while process.poll() is None:
        if position(process.pid, path) >= quarter:
            process.send_signal(signal.SIGSTOP)
            time.sleep(HELD_S)
            process.send_signal(signal.SIGCONT)
            return
    print("skipped: the progress bar (the file is read too fast to be met half-way)")
    sys.exit(77)


def feed(process, path):
    """Writes the file into the process, with a rest after a quarter."""
    with open(path, "rb") as file, process.stdin as pipe:
        pipe.write(file.read(os.path.getsize(path) // 4))
        time.sleep(HELD_S)
        pipe.write(file.read())


def on_terminal(command, columns, meanwhile, path):
    """What the command writes to a terminal of that width."""
    try:
        terminal, other = pty.openpty()
    except OSError as error:
        print(f"skipped: the progress bar (no pseudo-terminal can be opened: {error})")
        sys.exit(77)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    stdin = subprocess.PIPE if meanwhile == feed else subprocess.DEVNULL
    with subprocess.Popen(command, stdin=stdin, stdout=other, stderr=other) as process:
        os.close(other)
        if meanwhile is not None:
            meanwhile(process, path)
        out = bytearray()
        while select.select([terminal], [], [], 60)[0]:
            try:
                out += os.read(terminal, 65536)
            except OSError: # it has been closed on the other side
                break
    os.close(terminal)
    check(process.returncode == 0, f"exit code {process.returncode}", out)
    return out.decode()


def screen(text, columns):
    """What stands on the terminal in the end: a return goes back, ESC [ K clears the rest of a line."""
    lines, at = [""], 0
    tokens = re.findall(r"\x1b\[K|\r|\n|[^\x1b\r\n]+", text)
    for i, token in enumerate(tokens):
        if token == "\r":
            at = 0
        elif token == "\n":
            lines.append("")
        elif token == "\x1b[K":
            lines[-1] = lines[-1][:at]
        else:
            progress = tokens[i + 1 : i + 3] == ["\r", "\x1b[K"]
            check(not progress or len(token) < columns, f"longer than {columns} columns", token)
            lines[-1] = lines[-1][:at] + token
            at += len(token)
    return "\n".join(lines)


def check_bar(text, size, took_s):
    bar = re.compile(r"reading \[(#*)(\.*)\] +(\d+) %  (\d+) of (\d+) MB, (\d+) s left")
    shown = bar.findall(text)
    check(shown, "no bar", text)
    before = 0
    for full, empty, percent, done, total, _ in shown:
        percent, done, total = int(percent), int(done), int(total)
        check(len(full + empty) == 24 and abs(len(full) - percent * 0.24) < 1.5, "the bar", text)
        check(abs(total - size / 1e6) <= 0.5, "the total is not the file's", text)
        check(abs(percent - 100 * done / total) <= 1 + 100 / total, "share and bytes differ", text)
        check(before <= percent <= 100, "the share falls", text)
        before = percent
    # The first comes after a second at least, and before the end: at that pace, so much is left.
    share, left = int(shown[0][2]) / 100, int(shown[0][5])
    check(left >= (1 - share - 0.01) / (share + 0.01) - 1, "too little time left", text)
    check(left <= took_s * (1 - share + 0.01) / (share - 0.01) + 1, "too much time left", text)


def main():
    dcsim, name, path = sys.argv[1:4]
    lint = [dcsim, "trace", "lint", name]
    plain = subprocess.run(lint + [path], capture_output=True, check=True, text=True)
    check(plain.stderr == "", "progress without a terminal", plain.stderr)

    began = time.monotonic()
    text = on_terminal(lint + [path], 100, hold, path)
    check_bar(text, os.path.getsize(path), time.monotonic() - began)
    check(screen(text, 100) == plain.stdout, "the account is garbled", text)
    text = on_terminal(lint + [path], 40, hold, path)
    check("reading [" in text, "no bar", text)
    check(screen(text, 40) == plain.stdout, "the account is garbled", text)

    text = on_terminal(lint + ["-"], 80, feed, path)
    check(re.search(r"reading \d+ MB\r", text), "no bytes", text)
    check("reading [" not in text, "a share of what nobody knows", text)
    check(screen(text, 80) == plain.stdout.replace(path, "-"), "the account is garbled", text)

    text = on_terminal(lint + [path, "--quiet"], 80, hold, path)
    check(text == "", "--quiet says something", text)


main()
