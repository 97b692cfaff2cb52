# SPDX-License-Identifier: MIT
"""forward.py HOST:PORT COMMAND...: a local port that leads there by way of
`exeat connect`, for a command that knows no proxy: PORT in it is the port."""
import socket
import subprocess
import sys
import threading


def serve(listener, target):
    while True:
        conn, _ = listener.accept()
        subprocess.run(["/run/exeat/connect", *target], stdin=conn, stdout=conn,
                       check=False)
        conn.close()


listener = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=serve, args=(listener, sys.argv[1].split(":")),
                 daemon=True).start()
words = [word.replace("PORT", str(listener.getsockname()[1]))
         for word in sys.argv[2:]]
with subprocess.Popen(words, stdin=subprocess.PIPE) as process:
    # Its input stays open: several clients end with it, whatever comes.
    process.stdin.write(sys.stdin.buffer.read())
    process.stdin.flush()
    sys.exit(process.wait())
