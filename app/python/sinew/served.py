"""A process of the program that takes one command after the other. `sinew sweep` has this file inside: all here needs nothing but
Python itself."""
import json
import subprocess


class Served:
    """`sinew serve`: a GPU is started once for all of its commands."""

    def __init__(self, program, environment=None):
        self.child = subprocess.Popen([program, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)

    def ask(self, words, text=None, folder=None):
        """{"code": exit code, "out": what the command printed, "err": ...}; None where the process has ended without an answer."""
        request = {"words": words, **({"input": text.decode()} if text else {}), **({"folder": folder} if folder else {})}
        try:
            self.child.stdin.write(json.dumps(request, ensure_ascii=False).encode() + b"\n")
            self.child.stdin.flush()
        except (BrokenPipeError, ValueError):  # it is gone, or a name is not UTF-8
            self.child.kill()
            return None
        return self.answer()

    def answer(self):
        """What ask returns, to a request that was made."""
        try:
            return json.loads(self.child.stdout.readline())
        except ValueError:
            self.child.kill()
            return None

    def end(self):
        """Its exit code."""
        try:
            self.child.stdin.close()
        except BrokenPipeError:
            pass
        self.child.stdout.close()
        return self.child.wait()
