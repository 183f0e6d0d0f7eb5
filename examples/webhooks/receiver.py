"""A receiver of webhooks in Python that survives repeats and wrong order.

    pip install standardwebhooks
    DOCKYARD_WEBHOOK_SECRETS=whsec_… PORT=4000 python3 receiver.py

An event that has come before changes nothing, and an event that is older than what is known of its job changes nothing
either. It prints a line for each change. What is known lies in memory here; keep it in the database of your program,
in the transaction of your work.
"""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

# While a secret rotates both are given, with a blank between them.
WEBHOOKS = [Webhook(secret) for secret in os.environ["DOCKYARD_WEBHOOK_SECRETS"].split()]
LOCK = Lock()
seen: set[str] = set()
jobs: dict[str, tuple[str, str]] = {}


def verified(body: bytes, headers: dict[str, str]) -> dict[str, Any] | None:
    """Give the event of a message that one of the secrets has signed."""
    for webhook in WEBHOOKS:
        try:
            event: dict[str, Any] = webhook.verify(body, headers)
        except WebhookVerificationError:
            continue  # Another secret may have signed it.
        return event
    return None


def take(event: dict[str, Any]) -> None:
    """Work with an event, once."""
    with LOCK:
        if event["id"] in seen:
            return
        seen.add(event["id"])
        job, status = event["data"].get("jobId"), event["data"].get("status")
        # Events come in no promised order; the newest one tells where the job stands.
        if status is None or jobs.get(job, ("", ""))[0] >= event["timestamp"]:
            return
        jobs[job] = (event["timestamp"], status)
        print(f"{job} {status} ({event['type']})", flush=True)


class Receiver(BaseHTTPRequestHandler):
    """Answers at once and works afterwards."""

    def do_POST(self) -> None:
        """Take a message."""
        body = self.rfile.read(int(self.headers["content-length"]))
        event = verified(body, {name.lower(): value for name, value in self.headers.items()})
        self.send_response(400 if event is None else 204)
        self.end_headers()
        if event is not None:
            take(event)

    def log_message(self, *_: object) -> None:
        """Print nothing of requests."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4000"))), Receiver)
    print("listening", flush=True)
    server.serve_forever()
