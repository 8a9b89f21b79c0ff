# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bodies that calculate nothing: `y = model(x)` and then `return lambda: y`. Their times are those of an empty function.

The bytecode of a body is followed with what it would load. Whatever calls, computes, branches, or is not known here ends that: such a body is not idle.
Nothing of the user's runs for it, so properties and `__getattr__` count as calls.
"""

from __future__ import annotations

import builtins
import collections
import dis
import functools
import inspect
import os
import types
import typing

from .. import libraries

PLAIN = (bool, int, float, complex, str, bytes, type(None))
DEEPEST = 5  # functions that call functions
MOST_ENTRIES = 8  # of a container that keeps results; to look something up in a larger one may be what somebody measures
CONSTANT, VARIABLE, ATTRIBUTE, ITEM, MADE = range(5)  # how a value came to be returned
NO_EFFECT = {"RESUME", "NOP", "CACHE", "EXTENDED_ARG", "COPY_FREE_VARS", "MAKE_CELL", "PUSH_NULL", "PRECALL"}
CALLS = {"CALL", "CALL_FUNCTION", "CALL_METHOD"}
READS_ITEM = {each.__getitem__ for each in (dict, list, tuple)}
READS_ATTRIBUTE = {each.__getattribute__ for each in (object, dict, collections.OrderedDict, list, tuple, types.ModuleType, types.SimpleNamespace)}


class Busy(Exception):
    """It does something, or nobody knows."""


class Value(typing.NamedTuple):
    """What lies on the stack of the interpreter."""

    value: typing.Any
    way: int


def is_array(value: typing.Any) -> bool:
    torch, numpy = libraries.torch(), libraries.numpy()
    return torch is not None and isinstance(value, torch.Tensor) or numpy is not None and isinstance(value, numpy.ndarray)


def attribute(owner: typing.Any, name: str) -> typing.Any:
    """What `owner.name` is, where reading it runs no code."""
    if type(owner).__getattribute__ not in READS_ATTRIBUTE:
        raise Busy
    try:
        found = inspect.getattr_static(owner, name)
    except AttributeError:
        raise Busy from None
    if isinstance(found, types.MemberDescriptorType) or type(found).__name__ == "_tuplegetter":  # of __slots__, and of named tuples
        return found.__get__(owner, type(owner))
    is_own = name in getattr(owner, "__dict__", ()) and found is owner.__dict__[name]  # else a descriptor goes first
    if isinstance(found, types.FunctionType) and not is_own:
        return types.MethodType(found, owner)
    if not is_own and hasattr(type(found), "__get__"):
        raise Busy
    return found


def item(owner: typing.Any, key: typing.Any) -> Value:
    """What `owner[key]` is. Of an array it would be computed."""
    if not isinstance(key, PLAIN) or getattr(type(owner), "__getitem__", None) not in READS_ITEM or hasattr(type(owner), "__missing__"):
        raise Busy
    try:
        found = owner[key]
    except (LookupError, TypeError):
        raise Busy from None
    return Value(found, ITEM if len(owner) <= MOST_ENTRIES or is_array(found) else MADE)


class Frame:
    """A function of Python that is followed.

    arguments  its local variables by name"""

    def __init__(self, function: types.FunctionType, arguments: dict[str, typing.Any], depth: int) -> None:
        self.function, self.code, self.depth = function, function.__code__, depth
        self.variables = {name: Value(value, VARIABLE) for name, value in arguments.items()}
        self.stack: list[Value] = []

    def variable(self, name: str) -> Value:
        if name in self.variables:
            return self.variables[name]
        try:
            return Value(dict(zip(self.code.co_freevars, self.function.__closure__ or ()))[name].cell_contents, VARIABLE)
        except (KeyError, ValueError):  # it has no value yet
            raise Busy from None

    def of_file(self, name: str) -> Value:
        for names in (self.function.__globals__, vars(builtins)):
            if name in names:
                return Value(names[name], VARIABLE)
        raise Busy

    def pop(self, count: int) -> list[Value]:
        found = self.stack[len(self.stack) - count:]
        del self.stack[len(self.stack) - count:]
        return found

    def called(self) -> Value:
        """The result of a function of Python that takes nothing."""
        function = self.stack.pop().value
        if not isinstance(function, (types.FunctionType, types.MethodType)) or self.depth >= DEEPEST:
            raise Busy
        return Value(returned_by(function, self.depth + 1).value, MADE)

    def made(self, name: str, parts: list[typing.Any]) -> Value:
        """A new tuple, list or dictionary."""
        if name == "BUILD_MAP":
            parts = parts[1::2]
        elif name == "BUILD_CONST_KEY_MAP":
            parts = parts[:-1]
        return Value(tuple(parts), MADE)

    def step(self, each: dis.Instruction) -> None:
        """One instruction that returns nothing."""
        name, argument = each.opname, each.argval
        if name in NO_EFFECT:
            return
        if name in ("LOAD_CONST", "LOAD_SMALL_INT"):
            self.stack.append(Value(argument, CONSTANT))
        elif name in ("STORE_FAST", "STORE_FAST_LOAD_FAST"):
            stored, *loaded = (argument,) if isinstance(argument, str) else argument
            self.variables[stored], = self.pop(1)
            self.stack += map(self.variable, loaded)
        elif name.startswith("LOAD_FAST") and name != "LOAD_FAST_AND_CLEAR":  # some load two
            self.stack += map(self.variable, (argument,) if isinstance(argument, str) else argument)
        elif name in ("LOAD_DEREF", "LOAD_CLASSDEREF"):
            self.stack.append(self.variable(argument))
        elif name in ("LOAD_GLOBAL", "LOAD_NAME"):
            self.stack.append(self.of_file(argument))
        elif name in ("LOAD_ATTR", "LOAD_METHOD"):
            self.stack.append(Value(attribute(self.stack.pop().value, argument), ATTRIBUTE))
        elif name == "BINARY_SUBSCR" or name == "BINARY_OP" and each.argrepr == "[]":
            self.stack.append(item(*(each.value for each in self.pop(2))))
        elif name in ("BUILD_TUPLE", "BUILD_LIST", "BUILD_MAP", "BUILD_CONST_KEY_MAP"):
            count = argument * 2 if name == "BUILD_MAP" else argument + (name == "BUILD_CONST_KEY_MAP")
            self.stack.append(self.made(name, [each.value for each in self.pop(count)]))
        elif name in CALLS and argument == 0:
            self.stack.append(self.called())
        else:
            raise Busy

    def result(self) -> Value:
        for each in dis.get_instructions(self.code):
            if each.opname == "RETURN_VALUE":
                return self.stack.pop()
            if each.opname == "RETURN_CONST":
                return Value(each.argval, CONSTANT)
            self.step(each)
        raise Busy


def function_of(body: typing.Callable) -> tuple[types.FunctionType, list, dict]:
    """The function of Python that a call of the body begins with, and the arguments that it is given."""
    if isinstance(body, functools.partial):
        function, first, named = function_of(body.func)
        return function, [*first, *body.args], {**named, **body.keywords}
    if inspect.ismethod(body):
        function, first, named = function_of(body.__func__)
        return function, [body.__self__, *first], named
    if isinstance(body, types.FunctionType):
        return body, [], {}
    if isinstance(call := getattr(type(body), "__call__", None), types.FunctionType):
        return call, [body], {}
    raise Busy


def returned_by(body: typing.Callable, depth: int = 0) -> Value:
    """What a call of an idle body would return. Raises Busy for any other."""
    function, first, named = function_of(body)
    if function.__code__.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        raise Busy
    try:
        bound = inspect.signature(function, follow_wrapped=False).bind(*first, **named)
    except (TypeError, ValueError):
        raise Busy from None
    bound.apply_defaults()
    return Frame(function, bound.arguments, depth).result()


def is_result(found: Value) -> bool:
    """Whether it may be what somebody wanted to time. Constants, an attribute that is a number, an entry of a large dictionary and a new tuple are
    what is measured where somebody asks how long Python takes for these; no such body returns an array."""
    if found.way == CONSTANT or found.value is None:
        return False
    if found.way == VARIABLE or is_array(found.value):
        return True
    if found.way == MADE:
        return isinstance(found.value, tuple) and any(map(is_array, found.value))
    return not isinstance(found.value, PLAIN)


def place_of_idle(body: typing.Callable) -> str:
    """`models.py:12` of a body that returns what is there, and does nothing else; empty for any other."""
    try:
        if not is_result(returned_by(body)):
            return ""
        code = function_of(body)[0].__code__
        return f"{os.path.basename(code.co_filename)}:{code.co_firstlineno}"
    except Exception:  # nobody knows what it does
        return ""
