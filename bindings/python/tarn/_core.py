# SPDX-License-Identifier: MIT
#
# What makes Python of C. The description of the headers says of every parameter what it is for (bindings/generate/describe.py,
# give_roles): functions, records and enums below are made of it when the module is imported. What differs from that is written
# out at the end.

import collections
import difflib
import enum
import inspect
import json
import numbers
import operator
import os
import re
import weakref

import numpy as np

from ._tarn import ffi, lib

with open(os.path.join(os.path.dirname(__file__), "_description.json"), encoding="utf-8") as _file:
    _description = json.load(_file)
version = _description["version"]
_structs = _description["structs"]

# ----------------------------------------------------------------------------------------------------------------------
# Errors


class Error(Exception):
    """A call that the library refused. `status` says why, the text names the field and its value. Nothing was changed."""

    status = None


class InvalidArgument(Error, ValueError):
    """An argument or a field is out of range."""


class StaleId(Error, LookupError):
    """The id is null, or what it named was destroyed."""


class OutOfMemory(Error, MemoryError):
    """No memory, or a limit would be passed."""


class NotAvailable(Error):
    """Not possible now, or on a layer that is switched off."""


class Closed(Error, ValueError):
    """What the call is about was closed."""


for _class in (Error, InvalidArgument, StaleId, OutOfMemory, NotAvailable, Closed):
    _class.__module__ = "tarn"
_errors = {
    lib.tn_invalidArgument: InvalidArgument, lib.tn_staleId: StaleId, lib.tn_outOfMemory: OutOfMemory,
    lib.tn_notAvailable: NotAvailable,
}


def _check(result):
    if result.status != lib.tn_ok:
        error = _errors.get(result.status, Error)(ffi.string(result.text).decode())
        error.status = enums["Status"](result.status)
        raise error


# ----------------------------------------------------------------------------------------------------------------------
# Names


def _snake(name):
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def _argument(name):
    return {"def": "definition", "from": "source"}.get(name, _snake(name))


def _plain(name):
    """Name of a type of C in Python: WorldDef for tnWorldDef."""
    return name[2:]


enums = {}
_enum_values = {}
for _name, _entry in _description["enums"].items():
    _members = {_snake(v["short"]).upper(): v["value"] for v in _entry["values"] if "short" in v}
    _made = enum.IntEnum(_plain(_name), _members, module="tarn")
    _made.__doc__ = _entry["comment"]
    enums[_plain(_name)] = _made
    for _value in _entry["values"]:
        _enum_values[_value["name"]] = _value["value"]

records = {}
for _name, _entry in _structs.items():
    # Views are arrays, and results are errors.
    if _name not in ("tnResult", "tnFieldView", "tnAllocator", "tnTaskSystem", "tnErrorHook"):
        _fields = [_snake(f["name"]) for f in _entry["fields"] if not (f["type"].get("function"))]
        _record = collections.namedtuple(_plain(_name), _fields, rename=True, module="tarn")
        _units = "\n".join(
            f"{_snake(f['name'])}: {' '.join(f['comment'].split())}" for f in _entry["fields"] if f["comment"])
        _record.__doc__ = f"{_entry['comment']}\n\n{_units}"
        records[_plain(_name)] = _record


def _find_enum(kind, text):
    """The value of an enumerator: "shallow", "SHALLOW" or "tn_shallowMethod"."""
    if text in _enum_values:
        return _enum_values[text]
    made = enums[_plain(kind)]
    member = made.__members__.get(_snake(text).upper())
    if member is None:
        raise InvalidArgument(f"{_plain(kind)} must be one of {', '.join(m.lower() for m in made.__members__)}, got {text!r}")
    return int(member)


# ----------------------------------------------------------------------------------------------------------------------
# Values from C

_SCALARS = {
    "float": "f4", "double": "f8", "int": "i4", "int32_t": "i4", "uint32_t": "u4", "uint8_t": "u1", "uint16_t": "u2",
    "int64_t": "i8", "uint64_t": "u8", "bool": "?",
}
_width = str(ffi.sizeof("void*") * 8)
_dtypes = {}


def _get_dtype(kind):
    """The type of numpy for elements of an array: vectors of floats are rows of it, other structs are structured."""
    if kind in _SCALARS:
        return np.dtype(_SCALARS[kind]), ()
    if kind in _description["enums"]:
        return np.dtype("i4"), ()
    fields = _structs[kind]["fields"]
    names = {f["type"]["name"] for f in fields}
    if names in ({"float"}, {"int32_t"}) and not any(f["type"]["counts"] for f in fields):
        return np.dtype(_SCALARS[names.pop()]), (len(fields),)
    if kind not in _dtypes:
        layout = _structs[kind]["layout"]["64" if _width == "64" else "32"]
        parts = []
        for field in fields:
            part, shape = _get_dtype(field["type"]["name"])
            shape = tuple(field["type"]["counts"]) + shape
            parts.append((part, shape) if shape else part)
        _dtypes[kind] = np.dtype({
            "names": [_snake(f["name"]) for f in fields], "formats": parts, "offsets": layout["offsets"],
            "itemsize": layout["size"]})
    return _dtypes[kind], ()


class _View:
    """Keeps the owner of memory alive as long as there is an array over it."""

    def __init__(self, owner, address, shape, strides, kind):
        self.owner = owner
        self.__array_interface__ = {
            "version": 3, "data": (int(address), True), "shape": shape, "strides": strides, "typestr": kind.str,
            "descr": kind.descr if kind.fields is None else [("", kind.str)]}


def _view(owner, pointer, shape, kind, strides=None):
    """A read-only array over memory of the library."""
    dtype, tail = _get_dtype(kind)
    if pointer == ffi.NULL or 0 in shape:
        return np.empty(tuple(shape) + tail, dtype) if pointer != ffi.NULL else None
    raw = np.dtype((np.void, dtype.itemsize)) if dtype.fields else dtype
    keeper = _View(owner, ffi.cast("uintptr_t", pointer), tuple(shape) + tail,
                   strides and tuple(strides) + tuple(dtype.itemsize for _ in tail), raw)
    owner._views.add(keeper)
    array = np.asarray(keeper)
    if dtype.fields:
        array = array.view(dtype)
    return array


def _find_count(names, field):
    """The field of a struct that counts another one: points by pointCount, items and events by count."""
    singular = field[:-1] if field.endswith("s") else field
    for name in (singular + "Count", "count"):
        if name in names:
            return name
    return None


def _from_struct(owner, kind, value):
    if kind == "tnFieldView":
        if value.data == ffi.NULL:
            return None
        return _view(owner, value.data, (value.rowCount, value.columnCount), "float", (value.stride * 4, 4))
    fields = _structs[kind]["fields"]
    names = [f["name"] for f in fields]
    # A list of something, as a whole.
    if len(fields) == 2 and names[1] == "count" and fields[0]["type"]["pointer"]:
        array = _view(owner, getattr(value, names[0]), (value.count,), fields[0]["type"]["name"])
        dtype, tail = _get_dtype(fields[0]["type"]["name"])
        return np.empty((0,) + tail, dtype) if array is None else array
    parts = []
    for field in fields:
        if field["type"].get("function"):
            continue
        parts.append(_from_field(owner, names, field, value))
    return records[_plain(kind)](*parts)


def _from_field(owner, names, field, struct):
    kind, value = field["type"], getattr(struct, field["name"])
    name = kind["name"]
    if kind["pointer"]:
        count = _find_count(names, field["name"])
        if kind["counts"] or name not in _SCALARS and name not in _structs or count is None:
            if name == "float" and "stride" in names:
                return _view(owner, value, (struct.size, struct.size), "float", (struct.stride * 4, 4))
            return None
        length = getattr(struct, count)
        return _view(owner, value, (length, 3) if field["name"] == "triangles" else (length,), name)
    if kind["counts"]:
        return tuple(_from_value(owner, name, value[i]) for i in range(kind["counts"][0]))
    return _from_value(owner, name, value)


def _from_value(owner, kind, value):
    if kind in ("tnAllocator", "tnTaskSystem", "tnErrorHook"):
        return None
    if kind in _structs:
        return _from_struct(owner, kind, value)
    if kind in _description["enums"]:
        try:
            return enums[_plain(kind)](value)
        except ValueError:
            return value
    return value


# ----------------------------------------------------------------------------------------------------------------------
# Values to C


def _make_default(kind):
    """A struct as its tnDefault... function has it, or zeros."""
    make = getattr(lib, "tnDefault" + _plain(kind), None)
    return ffi.new(kind + "*", make()) if make else ffi.new(kind + "*")


def _fill(kind, target, value, keep):
    """Put a dict, record or tuple into a struct of C. `keep` gets what must live as long as that."""
    fields = [f for f in _structs[kind]["fields"]]
    if hasattr(value, "_asdict"):
        value = {k: v for k, v in value._asdict().items() if v is not None}
    if not isinstance(value, dict):
        if isinstance(value, str) or not hasattr(value, "__iter__"):
            raise TypeError(f"{_plain(kind)} must be a dict or a sequence, got {value!r}")
        value = list(value)
        plain = [f["name"] for f in fields]
        if len(value) != len(plain):
            raise InvalidArgument(f"{_plain(kind)} has {len(plain)} parts ({', '.join(plain)}), got {len(value)}")
        value = dict(zip((_snake(n) for n in plain), value))
    by_name = {_snake(f["name"]): f for f in fields}
    for name, part in value.items():
        field = by_name.get(_snake(name))
        if field is None:
            near = difflib.get_close_matches(name, by_name, 1)
            hint = f", did you mean {near[0]}?" if near else f": it has {', '.join(n for n in by_name if n != 'stamp')}"
            raise TypeError(f"{_plain(kind)} has no field {name}{hint}")
        _fill_field(kind, target, field, part, keep)


def _fill_field(kind, target, field, value, keep):
    type_, name = field["type"], field["name"]
    if type_["pointer"]:
        names = [f["name"] for f in _structs[kind]["fields"]]
        count = _find_count(names, name)
        if count is None:
            raise TypeError(f"{_plain(kind)}.{_snake(name)} cannot be set from Python")
        pointer, length = _to_array(type_["name"], value, keep)
        setattr(target, name, pointer)
        setattr(target, count, length // 3 if name == "triangles" else length)
    elif type_["counts"]:
        array = getattr(target, name)
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for index, part in pairs:
            if isinstance(index, str):
                index = _enum_values.get("tn_" + index, -1)
            if not 0 <= index < type_["counts"][0]:
                raise InvalidArgument(f"{_plain(kind)}.{_snake(name)} has {type_['counts'][0]} places")
            if type_["name"] in _structs:
                _fill(type_["name"], array[index], part, keep)
            else:
                array[index] = _to_scalar(type_["name"], part, _snake(name))
    elif type_["name"] in _structs:
        _fill(type_["name"], getattr(target, name), value, keep)
    else:
        setattr(target, name, _to_scalar(type_["name"], value, _snake(name)))


def _to_scalar(kind, value, name):
    """A number of C. What is none is refused, and does not become one."""
    if kind in _description["enums"] and isinstance(value, str):
        return _find_enum(kind, value)
    if kind in ("float", "double"):
        if not isinstance(value, numbers.Real):
            raise TypeError(f"{name} must be a number, got {value!r}")
        return float(value)
    if kind == "bool":
        if not isinstance(value, (bool, np.bool_)):
            raise TypeError(f"{name} must be True or False, got {value!r}")
        return bool(value)
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, got {value!r}") from None


def _to_struct(kind, value, keep):
    if isinstance(value, ffi.CData):
        return value if ffi.typeof(value).kind == "pointer" else ffi.addressof(value)
    target = _make_default(kind)
    _fill(kind, target, value, keep)
    keep.append(target)
    return target


def _to_array(kind, value, keep):
    """A pointer to what numpy makes of a value, and how many there are."""
    dtype, tail = _get_dtype(kind) if kind in _SCALARS or not _has_pointers(kind) else (None, ())
    if dtype is not None and dtype.fields is None:
        array = np.ascontiguousarray(value, dtype)
        if tail and (array.ndim < 2 and array.size or array.size % tail[0]):
            raise InvalidArgument(f"an array of {_plain(kind)} has rows of {tail[0]} numbers, got the shape {array.shape}")
        keep.append(array)
        return ffi.cast(f"{kind}*", ffi.from_buffer(array)) if array.size else ffi.NULL, array.size // (tail[0] if tail else 1)
    items = list(value)
    array = ffi.new(f"{kind}[]", len(items)) if items else ffi.NULL
    make = getattr(lib, "tnDefault" + _plain(kind), None)
    for i, item in enumerate(items):
        if make:
            array[i] = make()
        _fill(kind, array[i], item, keep)
    keep.append(array)
    return array, len(items)


def _has_pointers(kind):
    return any(f["type"]["pointer"] or f["type"]["name"] in _structs and _has_pointers(f["type"]["name"])
               for f in _structs[kind]["fields"])


# ----------------------------------------------------------------------------------------------------------------------
# Objects


class _Object:
    """What has to be destroyed. Others that live on it are closed before it."""

    _destroy = None
    # Somebody else destroys it.
    _borrowed = False

    def _own(self, pointer, parent=None):
        self._pointer = pointer
        self._parent = parent
        self._children = weakref.WeakSet()
        self._views = weakref.WeakSet()
        if parent is not None:
            parent._children.add(self)
        return self

    @property
    def _ptr(self):
        if getattr(self, "_pointer", None) is None:
            raise Closed(f"this {type(self).__name__} is closed")
        return self._pointer

    @property
    def closed(self):
        """Has close() been called?"""
        return self._pointer is None

    def close(self):
        """Destroy it. BufferError while there are arrays over its memory; what lives on it is closed, too."""
        if getattr(self, "_pointer", None) is None:
            return
        if len(self._views) or any(len(child._views) for child in self._children):
            raise BufferError(f"there are still arrays over the memory of this {type(self).__name__}: del them, or copy() them before")
        for child in list(self._children):
            child.close()
        pointer, self._pointer = self._pointer, None
        if self._parent is not None:
            self._parent._children.discard(self)
        if not self._borrowed:
            type(self)._destroy(pointer)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        # Nobody has it or its arrays any more.
        pointer, self._pointer = getattr(self, "_pointer", None), None
        if pointer is not None and not self._borrowed:
            type(self)._destroy(pointer)


def _make_call(name, function):
    """A function of Python for one of C."""
    parameters = function["parameters"]
    result = function["result"]
    call = getattr(lib, name)
    method = parameters and parameters[0]["role"] == "handle"
    shown = []
    for p in parameters[1 if method else 0 :]:
        # How much room there is is a question for those that write only what fits.
        budget = p["role"] == "capacity" and name in ("tnStream_Write", "tnWorld_GetSounds")
        if p["role"] in ("value", "handle", "struct", "list", "cells", "bytes") or budget:
            default = None if p.get("optional") else 0 if name == "tnVoxelWorld_Step" else inspect.Parameter.empty
            shown.append(inspect.Parameter(_argument(p["name"]), inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default))
    signature = inspect.Signature(shown)

    def wrapper(*args, **kwargs):
        owner = args[0] if method else None
        try:
            given = signature.bind(*(args[1:] if method else args), **kwargs)
        except TypeError as problem:
            raise TypeError(f"{wrapper.__name__}(): {problem}") from None
        given.apply_defaults()
        given = given.arguments
        keep, raw, outs, twice = [], [], [], None
        for i, p in enumerate(parameters):
            role, kind = p["role"], p["type"]["name"]
            value = given.get(_argument(p["name"]))
            if role == "handle":
                raw.append((owner if method and i == 0 else value)._ptr)
            elif role == "value":
                if kind in _structs:
                    raw.append(_to_struct(kind, value, keep)[0])
                else:
                    raw.append(_to_scalar(kind, value, _argument(p["name"])))
            elif role == "struct":
                raw.append(ffi.NULL if value is None else _to_struct(kind, value, keep))
            elif role == "list":
                pointer, count = _to_array(kind, value, keep)
                # Four edges are not counted.
                if p["count"].isdigit() and count != int(p["count"]):
                    raise InvalidArgument(f"{_argument(p['name'])} must have {p['count']} items, one for each side, got {count}")
                raw.append(pointer)
                keep.append(("count", p["count"], count))
            elif role == "cells":
                raw.append(ffi.NULL if value is None else _to_cells(name, p, given, owner, value, keep))
            elif role == "bytes":
                buffer = ffi.from_buffer(value)
                keep.append(buffer)
                raw += [buffer, len(buffer)]
            elif role == "count":
                found = [k[2] for k in keep if isinstance(k, tuple) and k[1] == p["name"]]
                if found:
                    raw.append(found[0])
                else:
                    pointer = ffi.new(kind + "*")
                    keep.append(pointer)
                    raw.append(pointer)
            elif role == "outCells":
                array = np.zeros(_cells_shape(p["cells"], given, owner), _SCALARS[kind])
                raw.append(ffi.cast(kind + "*", ffi.from_buffer(array)))
                outs.append(array)
            elif role == "outList":
                count = [k[2] for k in keep if isinstance(k, tuple)][0]
                pointer = ffi.new(kind + "[]", max(count, 1))
                raw.append(pointer)
                outs.append((kind, pointer, count))
            elif role == "out":
                pointer = _make_default(kind) if kind in _structs else ffi.new(kind + "*")
                raw.append(pointer)
                outs.append((kind, pointer, None))
            elif role in ("save", "fill"):
                twice = (role, i, kind)
                raw.append(None)
            elif role == "capacity":
                raw.append(value or 0)
            elif role == "size" and twice:
                pointer = ffi.new("size_t*")
                keep.append(pointer)
                raw.append(pointer)
        if twice:
            return _call_twice(name, call, raw, twice, result, owner, outs)
        returned = call(*raw)
        values = []
        if result["name"] == "tnResult":
            _check(returned)
        elif result["name"] == "bool" and outs:
            # False: there is none.
            if not returned:
                return None
        elif result["name"] == "char":
            values.append(ffi.string(returned).decode())
        elif not (result["name"] == "void" or outs and result["name"] == "int"):
            values.append(_from_value(owner, result["name"], returned))
        for out in outs:
            if isinstance(out, np.ndarray):
                values.append(out)
            elif out[2] is not None:
                values.append(_take(out[0], out[1], out[2]))
            else:
                values.append(_from_value(owner, out[0], out[1][0]))
        return None if not values else values[0] if len(values) == 1 else tuple(values)

    wrapper.__name__ = _snake(name[2:].split("_", 1)[-1]) if "_" in name else _snake(name[2:])
    wrapper.__qualname__ = wrapper.__name__
    wrapper.__module__ = "tarn"
    wrapper.__doc__ = _write_doc(name, function)
    wrapper.__signature__ = signature.replace(
        parameters=([inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)] if method else []) + [
            p.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD) for p in shown])
    return wrapper


def _write_doc(name, function):
    lines = [function["comment"], ""] if function["comment"] else []
    lines += [f"{_argument(p['name'])}: {p['comment']}" for p in function["parameters"] if p.get("comment")]
    if function.get("returns"):
        lines.append("returns " + function["returns"])
    lines += ["", f"C: {name}"]
    return "\n".join(lines).strip()


def _take(kind, pointer, count):
    """What C has filled, as an array of its own."""
    dtype, tail = _get_dtype(kind)
    if count == 0:
        return np.empty((0,) + tail, dtype)
    data = bytes(ffi.buffer(pointer, ffi.sizeof(kind) * count))
    return np.frombuffer(data, dtype).reshape((count,) + tail)


def _call_twice(name, call, raw, twice, result, owner, outs):
    """First how much there is, then that."""
    role, place, kind = twice
    capacity = raw[place + 1]
    if capacity == 0:
        counter = raw[place + 2] if place + 2 < len(raw) else None
        raw[place] = ffi.NULL
        # Changed chunks are kept for the next call when there is no room, and the others only tell.
        returned = call(*raw)
        if result["name"] == "tnResult":
            _check(returned)
        capacity = int(counter[0]) if counter is not None else returned
        raw[place + 1] = capacity
    if role == "save":
        buffer = bytearray(max(capacity, 1))
        raw[place] = ffi.from_buffer(buffer)
    else:
        buffer = ffi.new(kind + "[]", max(capacity, 1))
        raw[place] = buffer
    returned = call(*raw)
    if result["name"] == "tnResult":
        _check(returned)
        count = int(raw[place + 2][0])
    else:
        count = returned
    count = min(count, capacity)
    if role == "save":
        raw[place] = None
        value = bytes(memoryview(buffer)[:count])
    elif kind.endswith("Id"):
        value = [_from_struct(owner, kind, buffer[i]) for i in range(count)]
    else:
        value = _take(kind, buffer, count)
    extra = [_from_value(owner, out[0], out[1][0]) for out in outs]
    return (value, *extra) if extra else value


def _cells_shape(cells, given, owner):
    if cells == "block":
        return int(given["rows"]), int(given["columns"])
    if cells == "box":
        keep = []
        box = _to_struct("tnVoxelBox", given["box"], keep)
        sizes = [getattr(box.high, a) - getattr(box.low, a) for a in "xyz"]
        if min(sizes) < 0 or sizes[0] * sizes[1] * sizes[2] > 1 << 28:
            raise InvalidArgument(f"a box of {sizes[0]} x {sizes[1]} x {sizes[2]} voxels")
        return sizes[1], sizes[2], sizes[0]
    definition = lib.tnWorld_GetDef(owner._ptr)
    rows, columns = definition.rowCount, definition.columnCount
    return rows + (cells == "zFaces"), columns + (cells == "xFaces")


def _to_cells(name, parameter, given, owner, value, keep):
    shape = _cells_shape(parameter["cells"], given, owner)
    array = np.ascontiguousarray(value, _SCALARS[parameter["type"]["name"]])
    if array.size != np.prod(shape):
        raise InvalidArgument(f"{_snake(parameter['name'])} must have the shape {shape}, got {array.shape}")
    keep.append(array)
    return ffi.cast(parameter["type"]["name"] + "*", ffi.from_buffer(array))


# ----------------------------------------------------------------------------------------------------------------------
# All functions, as methods of what they are about

functions = {}


def _create(owner_class, create, destroy, parent_role):
    function = _description["functions"][create]

    def __init__(self, *args, **fields):
        parameters = function["parameters"]
        parent, raw, keep, args = None, [], [], list(args)
        for p in parameters:
            if p["role"] == "handle":
                parent = args.pop(0)
                raw.append(parent._ptr)
            elif p["role"] == "struct":
                kind = p["type"]["name"]
                value = args.pop(0) if args else None
                if p.get("optional") and value is None and not fields:
                    raw.append(ffi.NULL)
                    continue
                target = _make_default(kind)
                for source in (value, fields):
                    if source:
                        _fill(kind, target, source, keep)
                raw.append(target)
            elif p["role"] == "bytes":
                buffer = ffi.from_buffer(args.pop(0))
                keep.append(buffer)
                raw += [buffer, len(buffer)]
            elif p["role"] == "newHandle":
                pointer = ffi.new(p["type"]["name"] + "**")
                raw.append(pointer)
        if args:
            raise TypeError(f"{owner_class.__name__}() takes fields as keywords, or one dict")
        _check(getattr(lib, create)(*raw))
        self._own(pointer[0], parent)
        self._keep = [k for k in keep if create == "tnCreateReplay"]

    __init__.__doc__ = _write_doc(create, function)
    owner_class.__init__ = __init__
    owner_class._destroy = staticmethod(getattr(lib, destroy))


def _make_class(name, doc):
    made = type(name, (_Object,), {"__doc__": doc, "__module__": "tarn"})
    _create(made, "tnCreate" + name, "tnDestroy" + name, None)
    return made


# By hand, below, or of no use here.
_SKIP = ("tnSetAssertHandler", "tnWorld_StartRecording", "tnReplay_GetWorld", "tnSurface_BuildMesh", "tnVoxelMesher_Build",
         "tnVoxelMesher_BuildMany", "tnSurface_GetTile")
_classes = {}
for _name, _entry in _description["handles"].items():
    _classes[_plain(_name)] = _make_class(_plain(_name), _entry["comment"])
for _name, _function in _description["functions"].items():
    if _name in _SKIP or re.match(r"tn(Create|Destroy)[A-Z]", _name) or _name.startswith("tnDefault"):
        continue
    _prefix = _name[2:].split("_")[0] if "_" in _name else None
    _wrapper = _make_call(_name, _function)
    if _prefix in _classes:
        setattr(_classes[_prefix], _wrapper.__name__, _wrapper)
    elif _prefix:
        # tnBody_IsValid(world, id) is world.is_body_valid(id).
        _wrapper.__name__ = re.sub(r"^is_", f"is_{_snake(_prefix)}_", _wrapper.__name__)
        _classes["World"].__dict__.get(_wrapper.__name__) or setattr(_classes["World"], _wrapper.__name__, _wrapper)
    else:
        functions[_wrapper.__name__] = _wrapper

World, VoxelWorld, Surface = _classes["World"], _classes["VoxelWorld"], _classes["Surface"]
Rollback, Replay, Stream = _classes["Rollback"], _classes["Replay"], _classes["Stream"]
StreamView, VoxelMesher = _classes["StreamView"], _classes["VoxelMesher"]

# ----------------------------------------------------------------------------------------------------------------------
# What is nicer by hand


def _make_from(owner_class, create):
    function = _description["functions"][create]

    def from_bytes(cls, data, definition=None, **fields):
        keep, made = [], cls.__new__(cls)
        pointer = ffi.new(function["parameters"][-1]["type"]["name"] + "**")
        kind = function["parameters"][2]["type"]["name"]
        target = _make_default(kind)
        for source in (definition, fields):
            if source:
                _fill(kind, target, source, keep)
        buffer = ffi.from_buffer(data)
        _check(getattr(lib, create)(buffer, len(buffer), target, pointer))
        return made._own(pointer[0])

    from_bytes.__doc__ = _write_doc(create, function)
    owner_class.from_bytes = classmethod(from_bytes)


_make_from(World, "tnCreateWorldFrom")
_make_from(VoxelWorld, "tnCreateVoxelWorldFrom")

for _name, _getter in {"depth": "get_depth", "bed": "get_bed", "foam": "get_foam", "lift": "get_lift", "time": "get_time"}.items():
    setattr(World, _name, property(getattr(World, _getter), doc=getattr(World, _getter).__doc__))


@ffi.callback("tnRecordFcn")
def _write_record(data, size, context):
    ffi.from_handle(context)(bytes(ffi.buffer(data, size)))


def _start_recording(self, write):
    """Record what is done with the world from now on.

    write: is called with bytes, piece by piece: `open(path, "wb").write`, or `list.append`

    C: tnWorld_StartRecording"""
    handle = ffi.new_handle(write)
    _check(lib.tnWorld_StartRecording(self._ptr, _write_record, handle))
    self._record = (handle, write)


World.start_recording = _start_recording


def _get_replay_world(self):
    """The world that is played. It goes with the replay.

    C: tnReplay_GetWorld"""
    if getattr(self, "_world", None) is None or self._world() is None:
        made = World.__new__(World)
        made._borrowed = True
        made._own(lib.tnReplay_GetWorld(self._ptr), self)
        self._world = weakref.ref(made)
        return made
    return self._world()


Replay.world = property(_get_replay_world)


def _get_tile(self, index):
    """A tile. `texels` has an array for each layer: rows, columns, channels. Stale after the next update.

    C: tnSurface_GetTile"""
    tile = ffi.new("tnSurfaceTile*")
    _check(lib.tnSurface_GetTile(self._ptr, index, tile))
    texels = []
    for form, channels in self._layers:
        item = "f4" if form == lib.tn_surfaceFloats else "f2"
        keeper = _View(self, ffi.cast("uintptr_t", tile.texels[len(texels)]), (tile.size, tile.size, channels), None, np.dtype(item))
        self._views.add(keeper)
        texels.append(np.asarray(keeper))
    return _from_struct(self, "tnSurfaceTile", tile)._replace(texels=texels)


def _wrap_surface_init():
    original = Surface.__init__

    def __init__(self, world, *args, **fields):
        original(self, world, *args, **fields)
        definition = _make_default("tnSurfaceDef")
        for source in (args[0] if args else None, fields):
            if source:
                _fill("tnSurfaceDef", definition, source, [])
        self._layers = [(definition.layers[i].format, definition.layers[i].channelCount) for i in range(definition.layerCount)]

    __init__.__doc__ = original.__doc__
    Surface.__init__ = __init__


_wrap_surface_init()
Surface.get_tile = _get_tile


def _build_mesh(kind, call, has_liquids):
    """Positions, normals and triangles, by a call that tells first how much room it takes."""
    mesh = ffi.new(kind + "*")
    result = call(mesh)
    if result.status not in (lib.tn_ok, lib.tn_outOfMemory):
        _check(result)
    vertices, indices = mesh.vertexCount, mesh.indexCount
    positions, normals = np.zeros((max(vertices, 1), 3), "f4"), np.zeros((max(vertices, 1), 3), "f4")
    triangles, liquids = np.zeros(max(indices, 3), "u4"), np.zeros(max(vertices, 1), "u1")
    mesh.positions = ffi.cast("tnVec3*", ffi.from_buffer(positions))
    mesh.normals = ffi.cast("tnVec3*", ffi.from_buffer(normals))
    mesh.indices = ffi.cast("uint32_t*", ffi.from_buffer(triangles))
    mesh.vertexCapacity, mesh.indexCapacity = vertices, indices
    if has_liquids:
        mesh.liquids = ffi.cast("uint8_t*", ffi.from_buffer(liquids))
    if vertices:
        _check(call(mesh))
    parts = (positions[:vertices], normals[:vertices], triangles[:indices].reshape(-1, 3))
    return parts + (liquids[:vertices],) if has_liquids else parts


Surface.build_mesh = lambda self, tile: _build_mesh(
    "tnSurfaceMesh", lambda mesh: lib.tnSurface_BuildMesh(self._ptr, tile, mesh), False)
Surface.build_mesh.__doc__ = "Positions, normals and triangles of the water of a tile.\n\nC: tnSurface_BuildMesh"


def _mesher_build(self, world, chunk, **fields):
    """Positions, normals, triangles and liquids of a chunk. Fields are those of VoxelMeshDef.

    C: tnVoxelMesher_Build"""
    keep = []
    definition = _to_struct("tnVoxelMeshDef", fields, keep)
    place = _to_struct("tnVoxel", chunk, keep)[0]
    return _build_mesh("tnVoxelMesh", lambda mesh: lib.tnVoxelMesher_Build(self._ptr, world._ptr, place, definition, mesh), True)


VoxelMesher.build = _mesher_build


def _take_changed(self):
    """Places of chunks whose liquid or ground has changed since the last call.

    C: tnVoxelWorld_TakeChanged"""
    found = []
    buffer = ffi.new("tnVoxel[]", 1024)
    while True:
        there = lib.tnVoxelWorld_TakeChanged(self._ptr, buffer, 1024)
        found.append(_take("tnVoxel", buffer, min(there, 1024)))
        if there <= 1024:
            return np.concatenate(found)


VoxelWorld.take_changed = _take_changed
