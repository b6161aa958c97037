"""Random Fortran expressions whose values are exact, whatever an optimiser does with them.

All numbers are whole, also real and complex ones, and each expression knows a bound of its values: what would leave the range in
which its type is exact is reduced with MOD before. So sums may be reordered and products fused, and all compilers must agree in
every bit. The expressions read the variables of a Scope."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

EXACT = {"i1": 127, "i2": 32767, "i4": 2**31 - 1, "i8": 2**62, "r4": 2**24, "r8": 2**53, "c4": 2**23, "c8": 2**52}
KEPT = {"i1": 100, "i2": 1000, "i4": 1000, "i8": 1000, "r4": 1000, "r8": 1000, "c4": 500, "c8": 500}  # in variables
NAMES = {"i1": "integer(1)", "i2": "integer(2)", "i4": "integer(4)", "i8": "integer(8)", "r4": "real(4)", "r8": "real(8)",
         "c4": "complex(4)", "c8": "complex(8)", "l": "logical", "s": "character(4)"}
INTEGERS, REALS, COMPLEX = ("i1", "i2", "i4", "i8"), ("r4", "r8"), ("c4", "c8")
NUMBERS = INTEGERS + REALS + COMPLEX


@dataclass(frozen=True)
class Value:
    text: str
    type: str
    bound: int = 0


@dataclass
class Scope:
    random: random.Random
    scalars: dict = field(default_factory=dict)  # name to type
    arrays: dict = field(default_factory=dict)  # name of one dimension to type and size
    matrices: dict = field(default_factory=dict)  # name to type; 3 by 3
    functions: list = field(default_factory=list)  # (name, type of result, types of dummies)
    fixed: dict = field(default_factory=dict)  # what is not assigned to: subscripts, with bounds

    def names(self, kind):
        return [name for name, type in self.scalars.items() if type == kind]


def constant(kind, number):
    suffix = kind[1]
    if kind in COMPLEX:
        text = f"({number}.0_{suffix}, {number % 7 - 3}.0_{suffix})"
        return Value(text, kind, max(abs(number), 3))
    text = f"{number}.0_{suffix}" if kind in REALS else f"{number}_{suffix}"
    return Value(f"({text})" if number < 0 else text, kind, abs(number))


def reduced(value, bound):
    """The value, with MOD if it may be larger than the bound."""
    if value.bound <= bound:
        return value
    if value.type in COMPLEX:
        k, b = value.type[1], f"{bound}.0_{value.type[1]}"
        text = f"cmplx(mod(real({value.text}), {b}), mod(aimag({value.text}), {b}), kind={k})"
    elif value.type in REALS:
        text = f"mod({value.text}, {bound}.0_{value.type[1]})"
    else:
        text = f"mod({value.text}, {bound}_{value.type[1]})"
    return Value(text, value.type, bound)


def converted(value, kind):
    if value.type == kind:
        return value
    value = reduced(value, min(EXACT[kind], EXACT[value.type]))
    k = kind[1]
    if kind in INTEGERS:
        return Value(f"int({value.text}, {k})", kind, value.bound)
    if kind in REALS:
        return Value(f"real({value.text}, {k})", kind, value.bound)
    return Value(f"cmplx({value.text}, kind={k})", kind, value.bound)


def subscript(scope, size, depth):
    value = integer(scope, depth)
    return f"1 + modulo({value.text}, {size})"


def integer(scope, depth):
    return number(scope, "i4", depth)


def leaf(scope, kind):
    r = scope.random
    choices = [lambda: constant(kind, r.randint(-20, 20))]
    if scope.names(kind):
        choices += [lambda: Value(r.choice(scope.names(kind)), kind, KEPT[kind])] * 5
    arrays = [name for name, (type, _) in scope.arrays.items() if type == kind]
    if arrays:
        def element():
            name = r.choice(arrays)
            return Value(f"{name}({r.randint(1, scope.arrays[name][1])})", kind, KEPT[kind])
        choices += [element] * 2
    matrices = [name for name, type in scope.matrices.items() if type == kind]
    if matrices:
        choices += [lambda: Value(f"{r.choice(matrices)}({r.randint(1, 3)}, {r.randint(1, 3)})", kind, KEPT[kind])] * 2
    fixed = [name for name, (type, _) in scope.fixed.items() if type == kind]
    if fixed:
        def read():
            name = r.choice(fixed)
            return Value(name, kind, scope.fixed[name][1])
        choices += [read] * 3
    return r.choice(choices)()


def number(scope, kind, depth):
    r = scope.random
    if depth <= 0 or r.random() < 0.15:
        return leaf(scope, kind)
    makers = [binary, binary, binary, negated, conversion, merged]
    if kind in COMPLEX:
        makers += [complex_value]
    else:
        makers += [minimum, magnitude, divided, reduction, element, of_array]
        makers += [bits, characters, counted] if kind in ("i4", "i8") else []
        makers += [aint] if kind in REALS else []
    if any(function[1] == kind for function in scope.functions):
        makers += [call, call]
    return r.choice(makers)(scope, kind, depth - 1)


def binary(scope, kind, depth):
    a, b = number(scope, kind, depth), number(scope, kind, depth)
    operator = scope.random.choice("+-*")
    if operator == "*":
        root = int((EXACT[kind] / (2 if kind in COMPLEX else 1)) ** 0.5) - 1
        if a.bound * b.bound * (2 if kind in COMPLEX else 1) > EXACT[kind]:
            a, b = reduced(a, root), reduced(b, root)
        return Value(f"({a.text}*{b.text})", kind, a.bound * b.bound * (2 if kind in COMPLEX else 1))
    if a.bound + b.bound > EXACT[kind]:
        a, b = reduced(a, EXACT[kind] // 2), reduced(b, EXACT[kind] // 2)
    return Value(f"({a.text} {operator} {b.text})", kind, a.bound + b.bound)


def negated(scope, kind, depth):
    a = number(scope, kind, depth)
    return Value(f"(-{a.text})", kind, a.bound)


def conversion(scope, kind, depth):
    return converted(number(scope, scope.random.choice(NUMBERS), depth), kind)


def merged(scope, kind, depth):
    a, b = number(scope, kind, depth), number(scope, kind, depth)
    return Value(f"merge({a.text}, {b.text}, {condition(scope, depth)})", kind, max(a.bound, b.bound))


def complex_value(scope, kind, depth):
    real = "r" + kind[1]
    if scope.random.random() < 0.4:
        a = number(scope, kind, depth)
        return Value(f"conjg({a.text})", kind, a.bound)
    a, b = (reduced(number(scope, real, depth), EXACT[kind]) for _ in range(2))
    return Value(f"cmplx({a.text}, {b.text}, kind={kind[1]})", kind, max(a.bound, b.bound))


def minimum(scope, kind, depth):
    values = [number(scope, kind, depth) for _ in range(scope.random.randint(2, 3))]
    name = scope.random.choice(["min", "max"])
    return Value(f"{name}({', '.join(v.text for v in values)})", kind, max(v.bound for v in values))


def magnitude(scope, kind, depth):
    a, b = number(scope, kind, depth), number(scope, kind, depth)
    if scope.random.random() < 0.5:
        return Value(f"abs({a.text})", kind, a.bound)
    if kind in INTEGERS and scope.random.random() < 0.5:
        if a.bound + b.bound > EXACT[kind]:
            a, b = reduced(a, EXACT[kind] // 2), reduced(b, EXACT[kind] // 2)
        return Value(f"dim({a.text}, {b.text})", kind, a.bound + b.bound)
    return Value(f"sign({a.text}, {b.text} + {constant(kind, 0).text})", kind, a.bound) if kind in INTEGERS \
        else Value(f"abs({a.text})", kind, a.bound)


def divided(scope, kind, depth):
    a = number(scope, kind, depth)
    if kind in REALS:
        return Value(f"aint({a.text}/{scope.random.choice([2, 4, 8])}.0_{kind[1]})", kind, a.bound)
    by = constant(kind, scope.random.choice([2, 3, 7, 10, -3, -8]))
    form = scope.random.choice(["({a}/{b})", "mod({a}, {b})", "modulo({a}, {b})"])
    return Value(form.format(a=a.text, b=by.text), kind, a.bound if "/" in form else by.bound)


def aint(scope, kind, depth):
    a = number(scope, kind, depth)
    if scope.random.random() < 0.5:
        a = reduced(a, 10**6)
        name = scope.random.choice(["nint", "floor", "ceiling", "int"])
        return Value(f"real({name}({a.text}/4.0_{kind[1]}), {kind[1]})", kind, a.bound)
    return Value(f"anint({a.text}*0.5_{kind[1]})", kind, a.bound + 1)


def element(scope, kind, depth):
    names = [name for name, (type, _) in scope.arrays.items() if type == kind]
    if not names:
        return leaf(scope, kind)
    name = scope.random.choice(names)
    return Value(f"{name}({subscript(scope, scope.arrays[name][1], depth)})", kind, KEPT[kind])


def array(scope, kind, depth, size=None):
    """An expression of rank one, and its size; the elements as in variables."""
    r = scope.random
    names = [name for name, (type, length) in scope.arrays.items() if type == kind and (size is None or length >= size)]
    if not names:
        return None, 0
    name = r.choice(names)
    length = scope.arrays[name][1]
    size = size or r.randint(2, length)
    first = r.randint(1, length - size + 1)
    text = name if size == length else f"{name}({first}:{first + size - 1})"
    if r.random() < 0.25:
        text = f"{name}({first + size - 1}:{first}:-1)"
    if length >= 2*size and r.random() < 0.5:
        text = f"{name}(1:{2*size - 1}:2)"
    return text, size


def of_array(scope, kind, depth):
    text, size = array(scope, kind, depth)
    if not text:
        return leaf(scope, kind)
    form = scope.random.choice(["sum({0})", "maxval({0})", "minval({0})", "dot_product({0}, {0})"])
    bound = KEPT[kind]
    if form.startswith("sum"):
        bound *= size
    elif form.startswith("dot"):
        bound = bound * bound * size
    if bound > EXACT[kind]:
        form, bound = "maxval({0})", KEPT[kind]
    return Value(form.format(text), kind, bound)


def reduction(scope, kind, depth):
    matrices = [name for name, type in scope.matrices.items() if type == kind]
    if not matrices or 3*KEPT[kind] > EXACT[kind]:
        return of_array(scope, kind, depth)
    name, index = scope.random.choice(matrices), subscript(scope, 3, depth)
    return Value(scope.random.choice([f"sum({name}({index}, :))", f"sum({name}(:, {index}))", f"maxval({name}(2:, {index}))"]), kind, 3*KEPT[kind])


def bits(scope, kind, depth):
    r, k = scope.random, kind[1]
    a, b = reduced(number(scope, kind, depth), 1023), reduced(number(scope, kind, depth), 1023)
    form = r.choice(["iand({a}, {b})", "ior({a}, {b})", "ieor({a}, {b})", "not({a})", "ishft(iand({a}, 255_{k}), {n})", "ishft(iand({a}, 1023_{k}), -{n})",
                     "ibits({a}, {n}, 5)", "ibset({a}, {n})", "ibclr({a}, {n})", "shiftr(iand({a}, 511_{k}), {n})", "shiftl(iand({a}, 127_{k}), {n})",
                     "int(popcnt({a}), {k})", "int(leadz({a}), {k})", "int(trailz({a}), {k})", "merge_bits({a}, {b}, 85_{k})", "shifta({a}, {n})"])
    return Value(form.format(a=a.text, b=b.text, k=k, n=r.randint(0, 7)), kind, 2**16)


def characters(scope, kind, depth):
    names = scope.names("s")
    if not names:
        return leaf(scope, kind)
    name = scope.random.choice(names)
    form = scope.random.choice(["ichar({s}({n}:{n}))", "iachar({s}({n}:{n}))", "len({s})"])
    text = form.format(s=name, n=scope.random.randint(1, 4))
    return Value(f"int({text}, {kind[1]})", kind, 127)


def counted(scope, kind, depth):
    other = scope.random.choice(("i4", "r8", "r4"))
    text, size = array(scope, other, depth)
    if not text:
        return leaf(scope, kind)
    by = constant(other, scope.random.randint(-5, 5)).text
    form = scope.random.choice(["count({0} > {1})", "maxloc({0}, 1)", "minloc({0}, 1)", "merge(1, 0, any({0} == {1}))", "merge(3, 4, all({0} < {1}))", "size({0})"])
    return Value(f"int({form.format(text, by)}, {kind[1]})", kind, 10)


def call(scope, kind, depth):
    name, _, dummies = scope.random.choice([f for f in scope.functions if f[1] == kind])
    actuals = [reduced(number(scope, dummy, depth - 1), KEPT[dummy]).text for dummy in dummies]
    return Value(f"{name}({', '.join(actuals)})", kind, KEPT[kind])


def condition(scope, depth):
    r = scope.random
    if depth <= 0 and scope.names("l") and r.random() < 0.5:
        return r.choice(scope.names("l"))
    if depth > 0 and r.random() < 0.3:
        operator = r.choice([".and.", ".or.", ".eqv.", ".neqv."])
        return f"({condition(scope, depth - 1)} {operator} {condition(scope, depth - 1)})"
    if r.random() < 0.1:
        return f"(.not. {condition(scope, depth - 1)})"
    if scope.names("s") and r.random() < 0.1:
        return f"({r.choice(scope.names('s'))} {r.choice(['<', '==', '>='])} '{text_value(r)}')"
    if r.random() < 0.1:
        return f"btest({integer(scope, depth - 1).text}, {r.randint(0, 7)})"
    kind = r.choice(NUMBERS)
    operator = r.choice(["==", "/="] if kind in COMPLEX else ["<", "<=", ">", ">=", "==", "/="])
    return f"({number(scope, kind, depth - 1).text} {operator} {number(scope, kind, depth - 1).text})"


def text_value(r):
    return "".join(r.choice("abcd ") for _ in range(4))


def assigned(scope, kind, depth):
    """What a variable of the type may be set to."""
    if kind == "l":
        return condition(scope, depth)
    if kind == "s":
        r, names = scope.random, scope.names("s")
        forms = [f"'{text_value(r)}'", f"{r.choice(names)}(3:4) // {r.choice(names)}(1:2)",
                 f"achar(97 + modulo({integer(scope, depth - 1).text}, 4)) // {r.choice(names)}(2:4)", f"{r.choice(names)}(:2)"]
        return r.choice(forms)
    return reduced(number(scope, kind, depth), KEPT[kind]).text
