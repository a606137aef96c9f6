"""A case as a dict becomes the text of a case file that knows where each key stands."""
import os
import re

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*\Z")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z")
_WORDS = {"true", "false", "null", "yes", "no", "on", "off", "~"}
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def scalar(value):
    """A value as YAML has it. A text that is a number is written as one: YAML 1.1 reads 210e9 as a text."""
    if hasattr(value, "item"):  # NumPy's numbers
        value = value.item()
    if value is None:
        return "~"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        short = f"{value:g}"
        return short if float(short) == value else repr(value)
    if isinstance(value, int):
        return str(value)
    text = os.fspath(value) if hasattr(value, "__fspath__") else value
    if not isinstance(text, str):
        raise TypeError(f"a case takes numbers, texts, lists and dicts, not {type(value).__name__}")
    if _NUMBER.match(text) or (_PLAIN.match(text) and text.lower() not in _WORDS):
        return text
    return '"' + "".join(_ESCAPES.get(c, c) for c in text) + '"'


class CaseText:
    """`text`, and `place`: {(line, column): dotted path}. Keys at the top begin a line; below them all is in brackets."""

    def __init__(self, case):
        self.place, self._pieces = {}, []
        self._line, self._column = 1, 1
        for key, value in case.items():
            key = self._key((), key)
            self._put(": ")
            self._value((key,), value)
            self._put("\n")
        self.text = "".join(self._pieces)

    def key_at(self, line, column):
        """The dotted path of what stands there, or None."""
        path = self.place.get((line, column))
        return None if path is None else ".".join(map(str, path))

    def _put(self, text):
        self._pieces.append(text)
        before, _, last = text.rpartition("\n")
        if "\n" in text:
            self._line, self._column = self._line + 1 + before.count("\n"), 1
        self._column += len(last)

    def _mark(self, path):
        self.place[(self._line, self._column)] = path

    @staticmethod
    def name(key):
        """A key as the case file has it."""
        return "on" if key is True else str(key)  # YAML 1.1 reads `on` as a truth value

    def _key(self, path, key):
        key = self.name(key)
        self._mark((*path, key))
        self._put(key if _PLAIN.match(key) else scalar(key))
        return key

    def _value(self, path, value):
        if hasattr(value, "tolist") and getattr(value, "ndim", 0):
            value = value.tolist()
        if not path[1:] and isinstance(value, (list, tuple)) and value and isinstance(value[0], dict):
            self._rows(path, value)
            return
        self._mark(path)
        if isinstance(value, dict):
            self._list("{", "}", path, value.items(), self._member)
        elif isinstance(value, (list, tuple)):
            self._list("[", "]", path, enumerate(value), self._item)
        else:
            try:
                self._put(scalar(value))
            except TypeError as error:
                raise TypeError(f"{'.'.join(map(str, path))}: {error}") from None

    def _rows(self, path, rows):
        for i, row in enumerate(rows):
            self._put("\n  - ")
            self._value((*path, i), row)

    def _list(self, opening, closing, path, items, put):
        self._put(opening)
        for k, (name, value) in enumerate(items):
            if k:
                self._put(", ")
            put(path, name, value)
        self._put(closing)

    def _member(self, path, key, value):
        key = self._key(path, key)
        self._put(": ")
        self._value((*path, key), value)

    def _item(self, path, i, value):
        self._value((*path, i), value)


def flow(value):
    """A value in one line, as `--set` takes it."""
    if hasattr(value, "tolist") and getattr(value, "ndim", 0):
        value = value.tolist()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{CaseText.name(key)}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(flow, value)) + "]"
    return scalar(value)


def keys_of_file(path, line, column, text):
    """The dotted path of what stands there in a case file, or None: by PyYAML, where it is installed."""
    try:
        import yaml
        with open(path, encoding="utf-8") as file:
            root = yaml.compose(file, Loader=yaml.SafeLoader)
    except Exception:  # no PyYAML, or no YAML: the place is enough
        return None
    found = []

    def walk(node, path):
        if node is None:
            return
        if (node.start_mark.line + 1, node.start_mark.column + 1) == (line, column):
            found.append(path)
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                inner = (*path, key.value)
                if (key.start_mark.line + 1, key.start_mark.column + 1) == (line, column):
                    found.append(inner)
                walk(value, inner)
        elif isinstance(node, yaml.SequenceNode):
            for i, value in enumerate(node.value):
                walk(value, (*path, str(i)))

    walk(root, ())
    if not found:
        return None
    return ".".join(min(found, key=len) if "needs the key" in text else max(found, key=len)) or None
