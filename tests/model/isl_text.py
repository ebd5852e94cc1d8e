# Evaluates isl's text of sets and piecewise values over parameters, by turning it into Python.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import re

TOKEN = re.compile(r"\s*(\d+|[A-Za-z_$.][\w$.']*|<=|>=|!=|[][{}()<>=+*/,:;-])")
SEARCH = 200  # existentials without a definition are looked for in [-SEARCH, SEARCH]


class Unreadable(Exception):
    """isl's text has a form this file does not know."""


def tokens_of(text):
    tokens, position, text = [], 0, text.rstrip()
    while position < len(text):
        match = TOKEN.match(text, position)
        if not match:
            raise Unreadable(text[position:])
        tokens.append(match.group(1))
        position = match.end()
    return tokens


def is_name(token):
    return bool(re.match(r"[A-Za-z_$.]", token))


def closing(tokens, start):
    """Index of the parenthesis that closes the one at `start`."""
    depth = 0
    for i in range(start, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[i], 0)
        if depth == 0:
            return i
    raise Unreadable(" ".join(tokens))


def split(tokens, separator):
    """Parts between separators outside of parentheses and brackets."""
    parts, depth = [[]], 0
    for token in tokens:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(token, 0)
        if token == separator and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


WORDS = {"and": "and", "or": "or", "not": "not", "mod": "%", "=": "==", "/": "//"}
WORDS |= {"true": "True", "false": "False"}


def python_name(name):
    return "v_" + re.sub(r"[^A-Za-z0-9_]", lambda odd: f"_{ord(odd.group()):x}", name)


def to_python(tokens):
    """A formula or an expression of isl as a Python expression."""
    out, i = [], 0
    while i < len(tokens):
        token = tokens[i]
        if token == "exists":
            end = closing(tokens, i + 1)
            out.append(exists_to_python(tokens[i + 2 : end]))
            i = end
        elif token in ("floor", "min", "max"):
            out.append(token)
        elif is_name(token) and token not in WORDS:
            out.append(python_name(token))
        else:
            out.append(WORDS.get(token, token))
        # "2n" and "2(n + 1)" are products
        if token.isdigit() and i + 1 < len(tokens):
            following = tokens[i + 1]
            if following == "(" or (is_name(following) and following not in WORDS):
                out.append("*")
        i += 1
    return " ".join(out)


def exists_to_python(tokens):
    declarations, body = split(tokens, ":")
    text = to_python(body)
    for declaration in reversed(split(declarations, ",")):
        name = python_name(declaration[0])
        values = f"range(-{SEARCH}, {SEARCH + 1})"
        if len(declaration) > 1:
            values = f"[{to_python(declaration[2:])}]"
        text = f"any(({text}) for {name} in {values})"
    return f"({text})"


def pieces_of(text):
    """[(value tokens or None, condition tokens)] of `[params] -> { ... }`."""
    tokens = tokens_of(text)
    body = tokens[tokens.index("{") + 1 : -1]
    pieces = []
    for part in split(body, ";"):
        value, *condition = split(part, ":")
        pieces.append((value, condition[0] if condition else []))
    return pieces


def names_of(values):
    names = {python_name(name): value for name, value in values.items()}
    return {"floor": lambda v: v, "min": min, "max": max, "any": any, "range": range, **names}


def evaluate(text, values):
    return eval(text, {"__builtins__": {}, **names_of(values)})


class Condition:
    """A set over parameters: `holds(values)`."""

    def __init__(self, text):
        self.text = text
        parts = [to_python(c) or "True" for _, c in pieces_of(text)]
        self.code = compile(" or ".join(f"({part})" for part in parts), text, "eval")

    def holds(self, values):
        return bool(evaluate(self.code, values))


class Value:
    """A piecewise value over parameters: `at(values)`, None outside of its domain."""

    def __init__(self, text):
        self.pieces = []
        for value, condition in pieces_of(text):
            if value[:1] != ["["] or value[-1:] != ["]"]:
                raise Unreadable(text)
            self.pieces.append(
                (
                    compile(to_python(value[1:-1]), text, "eval"),
                    compile(to_python(condition) or "True", text, "eval"),
                )
            )

    def at(self, values):
        for value, condition in self.pieces:
            if evaluate(condition, values):
                return evaluate(value, values)
        return None
