"""Pushes to APNs one after another on one connection, and prints how long each took.

    python prober.py HOST PORT TOKEN PROVIDER_TOKEN TOPIC

A process of its own, so that what else the tests do costs it nothing; in clear HTTP/1.1, so that its own
work does not count. It ends when its input does, and prints the milliseconds as a JSON list.
"""

import json
import select
import socket
import sys
import time

host, port, token, provider_token, topic = sys.argv[1:]
body = b'{"aps":{"alert":"probe"}}'
request = (
    f"POST /3/device/{token} HTTP/1.1\r\nhost: {host}\r\nauthorization: bearer {provider_token}\r\n"
    f"apns-topic: {topic}\r\napns-push-type: alert\r\ncontent-length: {len(body)}\r\n\r\n").encode() + body
times = []
with socket.create_connection((host, int(port))) as connection:
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    while True:
        started = time.perf_counter()
        connection.sendall(request)
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += connection.recv(4096)
        times.append((time.perf_counter() - started) * 1000)
        assert answer.startswith(b"HTTP/1.1 200 "), answer
        if len(times) == 1:
            print("pushing", flush=True)
        # Paced, so that it measures the gateway and does not load it.
        if select.select([sys.stdin], [], [], 0.002)[0]:
            break
print(json.dumps(times))
