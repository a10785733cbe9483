#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Writes Generated.cs: structs, enums and functions of C for P/Invoke, and every function as a method of what it is about.
#
#   csharp.py FILE

import os
import re
import sys

from describe import describe

PLAIN = {
    "float": "float", "double": "double", "int": "int", "int32_t": "int", "uint32_t": "uint", "uint8_t": "byte", "uint16_t": "ushort",
    "int64_t": "long", "uint64_t": "ulong", "bool": "Bool", "size_t": "UIntPtr", "void": "void", "char": "byte",
}
# Methods by hand, or of no use.
BY_HAND = {
    "tnSetAssertHandler", "tnGetSimdName", "tnWorld_StartRecording", "tnReplay_GetWorld", "tnSurface_BuildMesh", "tnVoxelMesher_Build",
    "tnVoxelMesher_BuildMany", "tnVoxelWorld_TakeChanged",
}
WORDS = {"in": "@in", "out": "@out", "params": "@params", "base": "@base", "ref": "@ref", "fixed": "@fixed", "lock": "@lock"}


def capital(text):
    return text[0].upper() + text[1:]


class Writer:
    def __init__(self, description):
        self.description = description

    def summary(self, text, indent):
        if not text:
            return ""
        escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        lines = [line.strip() for line in escaped.split("\n")]
        return f"{indent}/// <summary>{('%s/// ' % (chr(10) + indent)).join(lines)}</summary>\n"

    def type(self, kind):
        name = kind["name"]
        if "function" in kind or name in self.description["callbacks"]:
            return "IntPtr"
        if name in self.description["handles"]:
            return "IntPtr" if kind["pointer"] == 1 else "IntPtr*"
        return (PLAIN.get(name) or name[2:]) + "*" * kind["pointer"]

    def write_enums(self):
        parts = []
        for name, enum in self.description["enums"].items():
            values = [self.summary(v["comment"], "\t\t") + f"\t\t{capital(v['short'])} = {v['value']},\n"
                      for v in enum["values"] if "short" in v]
            parts.append(self.summary(enum["comment"], "\t") + f"\tpublic enum {name[2:]}\n\t{{\n{''.join(values)}\t}}\n")
        return parts

    def write_structs(self):
        parts = []
        for name, struct in self.description["structs"].items():
            lines = []
            for field in struct["fields"]:
                kind = field["type"]
                # Fields keep the names that texts of the library use.
                label = WORDS.get(field["name"], field["name"])
                lines.append(self.summary(field["comment"], "\t\t"))
                plain = PLAIN.get(kind["name"])
                if kind["counts"] and plain and plain != "Bool" and not kind["pointer"]:
                    lines.append(f"\t\tpublic fixed {plain} {label}[{kind['counts'][0]}];\n")
                elif kind["counts"]:
                    # C# has no arrays of structs inside of structs: edges0 to edges3, and Edges(i) by reference of its address.
                    each = ", ".join(f"{label}{i}" for i in range(kind["counts"][0]))
                    lines.append(f"\t\tpublic {self.type({**kind, 'counts': []})} {each};\n")
                else:
                    lines.append(f"\t\tpublic {self.type(kind)} {label};\n")
            make = f"tnDefault{name[2:]}"
            if make in self.description["functions"]:
                lines.append(f"\t\t/// <summary>With its defaults.</summary>\n\t\tpublic static {name[2:]} Default => Native.{make}();\n")
            parts.append(self.summary(struct["comment"], "\t") + "\t[StructLayout(LayoutKind.Sequential)]\n"
                         f"\tpublic unsafe partial struct {name[2:]}\n\t{{\n{''.join(lines)}\t}}\n")
        return parts

    def write_natives(self):
        lines = []
        for name, function in self.description["functions"].items():
            parameters = ", ".join(f"{self.type(p['type'])} {WORDS.get(p['name'], p['name'])}" for p in function["parameters"])
            result = function["result"]
            text = "IntPtr" if result["pointer"] else self.type(result)
            lines.append(f"\t\t[DllImport(Library, CallingConvention = CallingConvention.Cdecl)]\n"
                         f"\t\tinternal static extern {text} {name}({parameters});\n")
        constants = "".join(self.summary(c["comment"], "\t\t") + f"\t\tpublic const {'float' if isinstance(c['value'], float) else 'int'} "
                            f"{''.join(capital(w.lower()) for w in n[3:].split('_'))} = {c['value']}{'f' if isinstance(c['value'], float) else ''};\n"
                            for n, c in self.description["constants"].items())
        return [f"\tinternal static unsafe class Native\n\t{{\n\t\tinternal const string Library = \"tarn\";\n\n{''.join(lines)}\t}}\n",
                f"\tpublic static class Constants\n\t{{\n{constants}\t}}\n"]

    def method(self, name, function):
        parameters = function["parameters"]
        prefix, _, rest = name[2:].partition("_")
        is_class = "tn" + prefix in self.description["handles"] and bool(rest)
        label = capital(rest if is_class else rest.replace("Is", "Is" + prefix, 1) if rest else prefix)
        static = not (parameters and parameters[0]["role"] == "handle")
        arguments, before, fixed, raw, after, outs, check = [], [], [], [], [], [], []
        twice = None
        for i, p in enumerate(parameters):
            role, kind, label_p = p["role"], p["type"], WORDS.get(p["name"], p["name"])
            plain = PLAIN.get(kind["name"]) or kind["name"][2:]
            element = "bool" if plain == "Bool" else plain
            if role == "handle":
                if i == 0:
                    raw.append("Pointer")
                else:
                    arguments.append(f"{kind['name'][2:]} {label_p}")
                    raw.append(f"{label_p}.Pointer")
            elif role == "value":
                default = " = 0" if (name, p["name"]) == ("tnVoxelWorld_Step", "workLimit") else ""
                arguments.append(f"{element} {label_p}{default}")
                raw.append(label_p)
            elif role == "struct":
                arguments.append(f"{plain}{'?' if p.get('optional') else ''} {label_p}")
                if p.get("optional"):
                    before.append(f"var {p['name']}Value = {label_p}.GetValueOrDefault();")
                    raw.append(f"({label_p}.HasValue ? &{p['name']}Value : null)")
                else:
                    raw.append(f"&{label_p}")
            elif role in ("list", "cells", "bytes"):
                element = "byte" if role == "bytes" else plain
                arguments.append(f"{element}[] {label_p}")
                fixed.append(f"fixed ({element}* {p['name']}Place = {label_p})")
                raw.append(f"{p['name']}Place")
                if role == "cells":
                    count = {"block": "columns * rows", "box": "Count(box)"}.get(p["cells"], "CellCount")
                    check.append(f"CheckLength({label_p}, {count}, \"{p['name']}\", {'true' if p.get('optional') else 'false'});")
                elif p.get("count") == "4":
                    check.append(f"CheckLength({label_p}, 4, \"{p['name']}\", false);")
                last = label_p
            elif role == "count" and not twice:
                raw.append(f"{last}.Length")
            elif role == "size" and not twice:
                raw.append(f"(UIntPtr){last}.Length")
            elif role in ("outCells", "outList"):
                count = {"block": "columns * rows", "box": "Count(box)", "xFaces": "XFaceCount", "zFaces": "ZFaceCount"}.get(
                    p.get("cells"), "CellCount") if role == "outCells" else f"{last}.Length"
                before.append(f"var {p['name']}Array = new {plain}[{count}];")
                fixed.append(f"fixed ({plain}* {p['name']}Place = {p['name']}Array)")
                raw.append(f"{p['name']}Place")
                outs.append((f"{plain}[]", p["name"], f"{p['name']}Array"))
            elif role == "out":
                before.append(f"{plain} {p['name']}Value = default({plain});")
                raw.append(f"&{p['name']}Value")
                outs.append((element, p["name"], f"{p['name']}Value"))
            elif role in ("save", "fill"):
                twice = (role, plain if role == "fill" else "byte", p["name"])
                raw.append(f"{p['name']}Place")
            elif role == "capacity":
                if name in ("tnStream_Write", "tnWorld_GetSounds"):
                    arguments.append(f"int {label_p}")
                    twice = (*twice, label_p)
                raw.append(("(UIntPtr)" if kind["name"] == "size_t" else "") + "room")
            elif role in ("count", "size"):
                raw.append("&counter")
                twice_type = PLAIN[kind["name"]]
            else:
                return None
        result = function["result"]
        call = f"Native.{name}({', '.join(raw)})"
        result_type = {"Bool": "bool"}.get(self.type(result), self.type(result))
        if result["name"] == "tnFieldView":
            result_type, call = "Field", f"new Field(this, {call})"
        body = []
        if twice:
            counted = any(p["role"] in ("count", "size") for p in parameters)
            kind = twice[1]
            returned = f"{kind}[]"
            extra = [f"out {t} {WORDS.get(n, n)}" for t, n, _ in outs]
            arguments += extra
            ask = f"Check({call});" if result["name"] == "tnResult" else f"int counter = {call};"
            body += before + check
            start = [f"{twice_type} counter;"] if counted else []
            how = "(int)counter"
            if len(twice) == 4:
                body += [f"int room = {twice[3]};"]
            else:
                body += ["int room = 0;"] if True else []
                zero = call.replace(f"{twice[2]}Place", "null")
                if counted:
                    body += [f"{twice_type} counter;", f"Check({zero});", "room = (int)counter;"]
                    start = []
                else:
                    body += [f"room = {zero};"]
            body += start + [f"var {twice[2]} = new {kind}[Math.Max(room, 1)];"]
            inner = ask if counted else f"int found = {call};"
            body += ["int written;"] + fixed + [f"fixed ({kind}* {twice[2]}Place = {twice[2]})", "{"]
            body += ["\t" + (ask if counted else f"written = {call};")]
            if counted:
                body += ["\twritten = (int)counter;"]
            body += ["}", f"Array.Resize(ref {twice[2]}, Math.Min(written, room));"]
            body += [f"{WORDS.get(n, n)} = {v};" for _, n, v in outs] + [f"return {twice[2]};"]
        else:
            body += check + before
            indent = ""
            if fixed:
                body += fixed + ["{"]
                indent = "\t"
            finds = result["name"] == "bool" and outs
            if result["name"] == "tnResult":
                body.append(f"{indent}Check({call});")
                returned = "void"
            elif result["name"] == "void":
                body.append(f"{indent}{call};")
                returned = "void"
            elif finds or result["name"] == "int" and outs:
                returned = "bool" if finds else "int"
                body.append(f"{indent}{'bool' if finds else 'int'} answer = {call};")
            else:
                returned = result_type
                body.append(f"{indent}{returned} answer = {call};")
            if fixed:
                body.append("}")
                # Declared before the block.
                for j, line in enumerate(body):
                    found = re.match(r"\t(\w+(?:\[\])?) answer = (.*)$", line)
                    if found:
                        body[j] = f"\tanswer = {found[2]}"
                        body.insert(body.index(fixed[0]), f"{found[1]} answer;")
            if returned == "void" and len(outs) == 1:
                returned = outs[0][0]
                body.append(f"return {outs[0][2]};")
            else:
                arguments += [f"out {t} {WORDS.get(n, n)}" for t, n, _ in outs]
                body += [f"{WORDS.get(n, n)} = {v};" for _, n, v in outs]
                if returned != "void":
                    body.append("return answer;")
        if not static:
            keep = "GC.KeepAlive(this);"
            place = next((j for j, line in enumerate(body) if line.startswith("return")), len(body))
            body.insert(place, keep)
        text = "\n".join("\t\t\t" + line for line in body)
        return (self.summary(function["comment"], "\t\t") + f"\t\tpublic {'static ' if static else ''}{returned} {label}({', '.join(arguments)})\n"
                f"\t\t{{\n{text}\n\t\t}}\n\n")

    def write_methods(self):
        classes = {name[2:]: [] for name in self.description["handles"]}
        free = []
        for name, function in self.description["functions"].items():
            if name in BY_HAND or re.match(r"tn(Create|Destroy|Default)[A-Z]", name):
                continue
            text = self.method(name, function)
            assert text, name
            prefix = name[2:].split("_")[0]
            (classes[prefix] if prefix in classes else classes["World"] if "_" in name else free).append(text)
        parts = []
        for name, methods in classes.items():
            comment = self.description["handles"]["tn" + name]["comment"]
            parts.append(self.summary(comment, "\t") + f"\tpublic sealed unsafe partial class {name} : Handle\n\t{{\n{''.join(methods).rstrip()}\n\n"
                         f"\t\tprotected override void Destroy(IntPtr pointer)\n\t\t{{\n\t\t\tNative.tnDestroy{name}(pointer);\n\t\t}}\n\t}}\n")
        parts.append("\tpublic static unsafe partial class Library\n\t{\n\t\tprivate static void Check(Result result)\n\t\t{\n"
                     "\t\t\tHandle.CheckResult(result);\n\t\t}\n\n" + "".join(free).rstrip() + "\n\t}\n")
        return parts


def main():
    writer = Writer(describe())
    parts = writer.write_enums() + writer.write_structs() + writer.write_natives() + writer.write_methods()
    text = ("// SPDX-License-Identifier: MIT\n//\n// Made of the headers by bindings/generate/csharp.py.\n\nusing System;\n"
            "using System.Runtime.InteropServices;\n\nnamespace Tarn\n{\n" + "\n".join(parts) + "}\n")
    os.makedirs(os.path.dirname(os.path.abspath(sys.argv[1])), exist_ok=True)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
