"""Random CUDA Fortran programs: kernels, CUF kernels and device procedures beside host code that does the same, as trees that a
reduction can take apart.

A program compares what its kernels gave with its own host code and prints `DIFF` where they differ; the sums that it prints of the host's
results are those that any other Fortran compiler must print, too: with -DPLAIN the text is standard Fortran without kernels."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from random_expressions import KEPT, NAMES, NUMBERS, Scope, array, assigned, condition, constant, integer, subscript


@dataclass
class Node:
    """Statements with others between them; a reduction removes a node, or puts its parts in its place."""

    lines: list
    parts: list = field(default_factory=list)  # nodes, behind the first line
    last: str = ""
    loose: bool = True  # the parts can stand alone

    def render(self):
        return [*self.lines, *(line for part in self.parts for line in part.render()), *([self.last] if self.last else [])]


LOCALS = {"a1": "i1", "a2": "i2", "a4": "i4", "b4": "i4", "a8": "i8", "x4": "r4", "y4": "r4", "x8": "r8", "z4": "c4", "z8": "c8", "t1": "l", "s1": "s",
          "p%k": "i4", "p%x": "r8", "p%in%w": "r4", "q(2)%k": "i4"}
ARRAYS = {"v4": ("i4", 6), "w8": ("r8", 5), "u4": ("r4", 7), "p%v": ("i4", 4), "p%in%e": ("r4", 3), "b8": ("i8", 4), "c2": ("i2", 5)}
MATRICES = {"m4": "i4", "g8": "r8"}
SCALARS_ALONE = {name: kind for name, kind in LOCALS.items() if "%" not in name}
PRIVATE = {name: kind for name, kind in SCALARS_ALONE.items() if kind != "s"}  # of a CUF kernel
DECLARED = ["integer(4) :: v4(6), m4(3, 3)", "real(8) :: w8(5), g8(3, 3)", "real(4) :: u4(7)", "integer(8) :: b8(4)", "integer(2) :: c2(5)",
            "type(outer) :: p, q(3)"]
LOOPS = ["j1", "j2", "j3", "j4", "j5"]
TYPES = ["type inner", "real(4) :: w, e(3)", "end type", "type outer", "integer(4) :: k, v(4)", "real(8) :: x", "type(inner) :: in", "end type"]


def declarations(whole):
    lines = [f"{NAMES[kind]} :: {name}" for name, kind in (SCALARS_ALONE if whole else PRIVATE).items()]
    return [*lines, *(DECLARED if whole else []), f"integer(4) :: {', '.join(LOOPS)}, while1, while2"]


def beginnings(r, whole):
    lines = [f"{name} = {start(r, kind)}" for name, kind in (SCALARS_ALONE if whole else PRIVATE).items()]
    if whole:
        lines += ["p%k = 3; p%v = [1, 2, 3, 4]; p%x = 5.0_8; p%in%w = 2.0; p%in%e = [1.0, -2.0, 3.0]", "q = p",
                  "v4 = [1, -2, 3, -4, 5, -6]; m4 = reshape([1, 2, 3, 4, 5, 6, 7, 8, 9], [3, 3])", "w8 = [1, 2, 3, 4, 5]; g8 = 2*m4; u4 = 3; b8 = 4; c2 = 5_2"]
    return lines


def start(r, kind):
    return {"l": r.choice([".true.", ".false."]), "s": f"'{r.choice(['abcd', 'dcba', 'ab'])}'"}.get(kind) or constant(kind, r.randint(-9, 9)).text


class Statements:
    """Makes nodes that read and set the variables of a scope."""

    def __init__(self, scope, whole, atomics=()):
        self.scope, self.random, self.whole, self.atomics = scope, scope.random, whole, atomics
        self.loops, self.whiles = 0, 0

    def block(self, depth, count):
        return [self.statement(depth) for _ in range(count)]

    def statement(self, depth):
        makers = [self.assignment] * 6
        if depth > 0:
            makers += [self.conditional, self.loop, self.select, self.one_line, self.associate, self.block_construct, self.while_loop]
        if self.whole:
            makers += [self.array_assignment] * 2 + [self.element_assignment] * 2 + [self.where, self.objects, self.matrix]
        if self.atomics:
            makers += [self.atomic]
        return self.random.choice(makers)(depth)

    def assignment(self, depth):
        name = self.random.choice(list(self.scope.scalars))
        return Node([f"{name} = {assigned(self.scope, self.scope.scalars[name], 3)}"])

    def atomic(self, depth):
        name, form = self.random.choice(self.atomics)
        value = assigned(self.scope, "i4", 2)
        where = subscript(self.scope, 4, 2)
        return Node([f"ATOMIC {form} {name}({where}) {value}"])

    def element_assignment(self, depth):
        name = self.random.choice(list(self.scope.arrays))
        kind, size = self.scope.arrays[name]
        return Node([f"{name}({subscript(self.scope, size, 2)}) = {assigned(self.scope, kind, 2)}"])

    def array_assignment(self, depth):
        name = self.random.choice(list(self.scope.arrays))
        kind, size = self.scope.arrays[name]
        left, length = array(self.scope, kind, 1)
        right, _ = array(self.scope, kind, 1, length)
        other = self.random.choice([k for k in ("i4", "r4", "r8")])
        mixed, _ = array(self.scope, other, 1, length)
        forms = [f"{left} = {right}", f"{left} = {assigned(self.scope, kind, 2)}", f"{left} = -({right})", f"{left} = abs({right})",
                 f"{left} = merge({right}, {assigned(self.scope, kind, 1)}, {right} > {constant(kind, 1).text})"]
        if mixed and kind not in ("i2",):
            forms.append(f"{left} = {mixed}")
        if length > 2:
            forms.append(f"{left} = [{assigned(self.scope, kind, 1)}, ({assigned(self.scope, kind, 1)}, j5 = 1, {length - 1})]")
        forms.append(f"{left} = cshift({right}, {self.random.randint(-2, 2)})") if self.random.random() < 0.3 else None
        return Node([self.random.choice(forms)])

    def matrix(self, depth):
        name = self.random.choice(list(self.scope.matrices))
        kind = self.scope.matrices[name]
        line = self.random.choice([f"{name} = transpose({name})", f"{name}(2, :) = {name}(:, 3)", f"{name}(:, 1) = {name}(3:1:-1, 1)",
                                   f"{name}(2:, 2:) = {name}(:2, :2)", f"{name}(:, {subscript(self.scope, 3, 1)}) = {assigned(self.scope, kind, 2)}",
                                   f"{name} = mod(matmul({name}, {name}), {constant(kind, 97).text})"])
        return Node([line])

    def objects(self, depth):
        return Node([self.random.choice(["p = q(2)", "q(1) = p", "q(3) = q(1)", "p%in = q(3)%in", f"q({subscript(self.scope, 3, 1)})%k = {assigned(self.scope, 'i4', 2)}",
                                         f"p%k = sum(q%k)/{self.random.randint(3, 9)}", "q(2:3) = q(1:2)", f"p = outer(4, [4, 3, 2, 1], {assigned(self.scope, 'r8', 1)}, inner({assigned(self.scope, 'r4', 1)}, [1.0, 2.0, 3.0]))"])])

    def where(self, depth):
        kind = self.random.choice(["i4", "r4", "r8"])
        name = self.random.choice([n for n, (k, _) in self.scope.arrays.items() if k == kind])
        mask = f"{name} {self.random.choice(['>', '<=', '/='])} {assigned(self.scope, kind, 1)}"
        # gfortran reads an element of the array again after it has changed, so there is none on the right side.
        arrays, self.scope.arrays = self.scope.arrays, {}
        parts = [Node([f"{name} = {assigned(self.scope, kind, 1)}"])]
        self.scope.arrays = arrays
        if self.random.random() < 0.5:
            parts += [Node(["elsewhere"], [], "", False), Node([f"{name} = -{name}"])]
        return Node([f"where ({mask})"], parts, "end where", False)

    def conditional(self, depth):
        parts = self.block(depth - 1, self.random.randint(1, 3))
        if self.random.random() < 0.4:
            parts += [Node([f"else if ({condition(self.scope, 2)}) then"]), *self.block(depth - 1, 2)]
        if self.random.random() < 0.5:
            parts += [Node(["else"]), *self.block(depth - 1, self.random.randint(1, 2))]
        return Node([f"if ({condition(self.scope, 2)}) then"], parts, "end if", False)

    def one_line(self, depth):
        return Node([f"if ({condition(self.scope, 2)}) " + self.assignment(0).lines[0]])

    def select(self, depth):
        parts = []
        for case in self.random.sample(["(0)", "(1, 4)", "(5:)", "(:-2)", "(2:3)"], 3):
            parts += [Node([f"case {case}"]), *self.block(depth - 1, 1)]
        if self.random.random() < 0.5:
            parts += [Node(["case default"]), *self.block(depth - 1, 1)]
        return Node([f"select case (mod({integer(self.scope, 2).text}, 9))"], parts, "end select", False)

    def loop(self, depth):
        if self.loops == 4:
            return self.assignment(depth)
        self.loops += 1
        name = LOOPS[self.loops - 1]
        first, last, step = self.random.choice([(1, 4, ""), (0, 6, ", 2"), (5, 1, ", -1"), (3, 3, ""), (4, 2, "")])
        self.scope.fixed[name] = ("i4", 8)
        parts = self.block(depth - 1, self.random.randint(1, 3))
        if self.random.random() < 0.4:
            parts.insert(self.random.randrange(len(parts) + 1), Node([f"if ({condition(self.scope, 1)}) {self.random.choice(['exit', 'cycle'])}"]))
        del self.scope.fixed[name]
        head = f"do {name} = {first}, {last}{step}"
        if self.random.random() < 0.15:
            head = f"do {name} = {first}, 1 + modulo({integer(self.scope, 1).text}, 5){step if step != ', -1' else ''}"
        self.loops -= 1
        return Node([head], parts, "end do", False)

    def while_loop(self, depth):
        if self.whiles == 2:
            return self.assignment(depth)
        self.whiles += 1
        name = f"while{self.whiles}"
        parts = [Node([f"{name} = {name} + 1"], loose=False), *self.block(depth - 1, 2)]
        self.whiles -= 1
        return Node([f"{name} = 0", f"do while ({name} < {self.random.randint(1, 5)} .and. {condition(self.scope, 1)})"], parts, "end do", False)

    def associate(self, depth):
        kind = self.random.choice(["i4", "r8"])
        name = "as" + str(depth) + kind
        value = assigned(self.scope, kind, 2)
        if name in self.scope.fixed:
            return self.assignment(depth)
        self.scope.fixed[name] = (kind, KEPT[kind])
        parts = self.block(depth - 1, 2)
        del self.scope.fixed[name]
        return Node([f"associate ({name} => ({value}))"], parts, "end associate", False)

    def block_construct(self, depth):
        kind = self.random.choice(["i4", "r4", "r8", "i8"])
        name = "bl" + str(depth) + kind
        if name in self.scope.scalars or not self.whole:
            return self.assignment(depth)
        self.scope.scalars[name] = kind
        parts = [Node([f"{name} = {constant(kind, 3).text}"], loose=False), *self.block(depth - 1, 2)]
        del self.scope.scalars[name]
        return Node(["block", f"{NAMES[kind]} :: {name}"], parts, "end block", False)


OUTPUTS = {"o4": ("integer(4)", "a4 + b4 + a2 + a1 + merge(1, 0, t1)"), "o8": ("integer(8)", "a8*3 + a4"), "or": ("real(4)", "x4 + y4"),
           "od": ("real(8)", "x8 + real(z8) + aimag(z4)")}
WHOLE_OUTPUTS = {**OUTPUTS, "o4": ("integer(4)", OUTPUTS["o4"][1] + " + ichar(s1(2:2)) + sum(v4) + sum(m4) + p%k + sum(p%v) + q(1)%k + q(3)%k + sum(c2)"),
                 "o8": ("integer(8)", OUTPUTS["o8"][1] + " + sum(b8)"), "or": ("real(4)", "x4 + y4 + sum(u4) + p%in%w + sum(p%in%e)"),
                 "od": ("real(8)", OUTPUTS["od"][1] + " + sum(w8) + sum(g8) + p%x")}
DUMMIES = "n, in4, in8, inr, hist, o4, o8, or, od"


@dataclass
class Procedure:
    name: str
    result: str
    dummies: dict
    body: list
    begin: list

    def render(self):
        return [f"HD {NAMES[self.result]} function {self.name}({', '.join(self.dummies)}) result(res)",
                *(f"{NAMES[kind]}, value :: {name}" for name, kind in self.dummies.items()), *declarations(True), *self.begin,
                *(line for node in self.body for line in node.render()), f"res = {self.returned()}", "end function"]

    def returned(self):
        return {"i4": "mod(a4 + sum(v4), 1000)", "r8": "mod(x8 + sum(w8), 1000.0_8)", "r4": "mod(x4 + y4, 1000.0)", "i8": "mod(a8 + b8(2), 1000_8)"}[self.result]


@dataclass
class Kernel:
    """A kernel, or a CUF kernel, and the same on the host; `shared` is what threads exchange before the body, if anything."""

    name: str
    cuf: bool
    shape: str  # of the dummies
    shared: str
    begin: list
    body: list

    def outputs(self):
        return OUTPUTS if self.cuf else WHOLE_OUTPUTS

    def stores(self):
        return [f"{name}(i) = {value}" for name, (_, value) in self.outputs().items()]

    def dummies(self, device):
        words = ", device" if device and self.cuf else ""
        shape = {"explicit": "(n)", "assumed": "(:)", "size": "(*)"}[self.shape if device else "assumed"]
        lines = ["integer, value :: n" if device and not self.cuf else "integer :: n", f"integer(4){words} :: in4{shape}", f"real(8){words} :: in8{shape}", f"real(4){words} :: inr{shape}",
                 f"integer(4){words} :: hist(4)"]
        return [*lines, *(f"{kind}{words} :: {name}{shape}" for name, (kind, _) in self.outputs().items())]

    def text(self, kernel):
        lines = []
        for line in (line for node in self.body for line in node.render()):
            if line.startswith("ATOMIC"):
                _, form, rest = line.split(" ", 2)
                end = matching(rest, rest.index("("))
                place, value = rest[:end + 1], rest[end + 2:]
                if kernel:
                    line = f"ignored = atomic{form}({place}, {value})"
                else:
                    line = {"add": f"{place} = {place} + {value}", "max": f"{place} = max({place}, {value})", "min": f"{place} = min({place}, {value})",
                            "or": f"{place} = ior({place}, {value})", "xor": f"{place} = ieor({place}, {value})"}[form]
            lines.append(line)
        return lines

    def host(self):
        begin = [f"subroutine {self.name}_host({DUMMIES})", *self.dummies(False), *declarations(not self.cuf), "integer :: i, got, base", "do i = 1, n"]
        if self.shared:
            begin += ["base = (i - 1)/32*32", f"got = in4(base + 1 + mod({self.shared}, 32)) + i"]
        return [*begin, *self.begin, *self.text(False), *self.stores(), "end do", "end subroutine"]

    def device(self):
        if self.cuf:
            return [f"subroutine {self.name}({DUMMIES})", *self.dummies(True), *declarations(False), "integer :: i",
                    "!$cuf kernel do <<<*, *>>>", "do i = 1, n", *self.begin, *self.text(True), *self.stores(), "end do", "end subroutine"]
        lines = [f"attributes(global) subroutine {self.name}({DUMMIES})", *self.dummies(True), *declarations(True), "integer :: i, got, base, ignored"]
        lines += ["integer, shared :: tile(32)"] if self.shared else []
        lines += ["i = (blockIdx%x - 1)*blockDim%x + threadIdx%x"]
        if self.shared:
            lines += ["base = (i - 1)/32*32", "tile(threadIdx%x) = in4(i)", "call syncthreads()", f"got = tile(1 + mod({self.shared}, 32)) + i"]
        return [*lines, "if (i <= n) then", *self.begin, *self.text(True), *self.stores(), "end if", "end subroutine"]


def matching(text, start):
    depth = 0
    for place in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place
    raise ValueError(text)


@dataclass
class Program:
    seed: int
    functions: list
    kernels: list
    transfers: list  # nodes of the main program
    split: bool  # in several files
    storage: str

    def bodies(self):
        return [*(f.body for f in self.functions), *(k.body for k in self.kernels), self.transfers]

    def files(self):
        first = ["module parts", "implicit none", *TYPES, "contains", *(line for f in self.functions for line in f.render()), "end module"]
        second = ["module work", "use parts", *cuda("use cudafor"), "implicit none", "contains"]
        for kernel in self.kernels:
            second += [*kernel.host(), *cuda(*kernel.device())]
        second += ["end module"]
        texts = [first, second, self.main()]
        head = ["#ifdef PLAIN", "#define HD", "#else", "#define HD attributes(host, device)", "#endif"]
        texts = [[*head, *text] for text in texts] if self.split else [[*head, *(line for text in texts for line in text)]]
        return ["\n".join(folded(line) for line in text) + "\n" for text in texts]

    def main(self):
        outputs = OUTPUTS
        lines = ["program p", "use work", *cuda("use cudafor"), "implicit none", "integer, parameter :: n = 96", "integer :: i", "integer(8) :: total",
                 "integer(4) :: in4(n), hist(4), hist2(4), o4(n), o42(n), ha(12), hb(12)", "real(8) :: in8(n), od(n), od2(n), hd(12)", "real(4) :: inr(n), or(n), or2(n), hm(3, 4), hm2(3, 4)", "integer(8) :: o8(n), o82(n)"]
        extent, word = {"static": ("n", "device"), "allocatable": (":", "device, allocatable"), "managed": (":", "managed, allocatable")}[self.storage]
        lines += cuda(f"integer(4), {word} :: in4d({extent}), o4d({extent})", f"real(8), {word} :: in8d({extent}), odd({extent})", f"real(4), {word} :: inrd({extent}), ord({extent})",
                      f"integer(8), {word} :: o8d({extent})", "integer(4), device :: histd(4), da(12), db(12)", "real(8), device :: dd(12)", "real(4), device :: dm(3, 4)")
        if self.storage != "static":
            lines += cuda("allocate (in4d(n), o4d(n), in8d(n), odd(n), inrd(n), ord(n), o8d(n))")
        lines += ["in4 = [(mod(i*37, 41) - 20, i = 1, n)]", "in8 = [(mod(i*11, 29) - 14, i = 1, n)]", "inr = [(mod(i*5, 23) - 11, i = 1, n)]"]
        lines += cuda("in4d = in4; in8d = in8; inrd = inr")
        for kernel in self.kernels:
            arguments = "n, in4d, in8d, inrd, histd, o4d, o8d, ord, odd"
            call = f"call {kernel.name}({arguments})" if kernel.cuf else f"call {kernel.name}<<<3, 32>>>({arguments})"
            lines += ["hist = [1, 2, 3, 4]", *cuda("histd = hist"), f"call {kernel.name}_host(n, in4, in8, inr, hist, o4, o8, or, od)",
                      *cuda(call, "hist2 = histd", *(f"{name}2 = {name}d" for name in outputs),
                            *(f"if (any({name}2 /= {name})) print '(a)', 'DIFF {kernel.name} {name}'" for name in [*outputs, "hist"])),
                      "total = 0", "do i = 1, n", "total = mod(total*31 + o4(i) + 7*o8(i) + int(or(i), 8) + 3*int(od(i), 8), 1000000007_8)", "end do",
                      f"print '(a,i0,4(1x,i0))', '{kernel.name} ', total, hist"]
        lines += ["ha = in4(:12); hb = in4(13:24); hd = in8(:12); hm = reshape(inr(:12), [3, 4]); hm2 = 0", *cuda("da = ha; db = hb; dd = hd; dm = hm")]
        for node in self.transfers:
            lines += node.render()
        lines += cuda("o42(:12) = da; if (any(o42(:12) /= ha)) print '(a)', 'DIFF transfers a'", "o42(:12) = db; if (any(o42(:12) /= hb)) print '(a)', 'DIFF transfers b'",
                      "od2(:12) = dd; if (any(od2(:12) /= hd)) print '(a)', 'DIFF transfers d'", "hm2 = dm; if (any(hm2 /= hm)) print '(a)', 'DIFF transfers m'")
        return [*lines, "print '(a,12(1x,i0))', 'a', ha", "print '(a,12(1x,i0))', 'b', hb", "print '(a,12(1x,i0))', 'd', int(hd)", "print '(a,12(1x,i0))', 'm', int(hm)", "end program"]


def cuda(*lines):
    return ["#ifndef PLAIN", *lines, "#endif"]


def folded(line):
    """Lines of 110 columns; a break between tokens."""
    if len(line) < 110 or line.startswith(("#", "!")):
        return line
    rows, quoted = [""], False
    for character in line:
        if character == " " and not quoted and len(rows[-1]) > 90:
            rows.append("")
        quoted ^= character == "'"
        rows[-1] += character
    return " &\n".join(rows)


def transfer(r):
    """A statement about device data and, on the host, about its mirror."""
    def section():
        first, length, step = r.randint(1, 4), r.randint(1, 4), r.choice([1, 1, 2, -1])
        if step == 2:
            return f"{first}:{first + 2*length - 2}:2", length
        return (f"{first}:{first + length - 1}", length) if step == 1 else (f"{first + length - 1}:{first}:-1", length)

    def same_length(length):
        first = r.randint(1, 12 - length + 1)
        return f"{first}:{first + length - 1}"

    one, length = section()
    other = same_length(length)
    c = r.randint(-9, 9)
    row, column = r.randint(1, 3), r.randint(1, 4)
    forms = ["@a({one}) = @b({other})", "@a({one}) = {c}", "@b({one}) = @b({other})", "@a = @b", "@m({row}, :) = @m({other_row}, :)", "@m(:, {column}) = {c}", "@m(2:, 2:3) = @m(:2, 3:4)",
             "@a({one}) = mod(@a({one}) + @b({other}), 100)", "@d({one}) = @a({other})", "@d = mod(@d*2 - 1, 50d0)", "@a({one}) = h4({other})", "@b = max(@a, @b)",
             "h1({one}) = @a({other})", "h1({one}) = h4({other}) - @a({one})", "i1 = @a({column})", "i1 = mod(sum(@b), 1000)", "i1 = maxval(@a)", "if (@a({row}) > {c}) h1(1) = {c}",
             "@m = -@m", "@m({row}, {column}) = {c}", "@b = [(mod(i*{c}, 7), i = 1, 12)]", "h1 = pack(@a, @a > {c}, @b)" if r.random() < 0.2 else "h1 = @a", "@a(:3) = int(@m(:, {column}))",
             "do concurrent (i = 1:12); @a(i) = mod(@b(i)*2 + i, 100); end do" if r.random() < 0.3 else "@a({row}) = @b({column})"]
    return r.choice(forms).format(one=one, other=other, c=c, row=row, other_row=r.randint(1, 3), column=column)


def both(r, count):
    """Of statements the form on the device and, with the same statements on the host, a comparison."""
    nodes = []
    for number in range(count):
        text = transfer(r)
        host, device = (text.replace("@", letter).replace("h4(", "in4(") for letter in "hd")
        host, device = (side.replace("h1", array).replace("i1", array + "(1)") for side, array in ((host, "o4(:12)"), (device, "o42(:12)")))
        host, device = (side.replace("(:12)(", "(") for side in (host, device))
        nodes.append(Node([*["o4(:12) = 0", *cuda("o42(:12) = 0", device)], host, *cuda(f"if (any(o42(:12) /= o4(:12))) print '(a)', 'DIFF transfer {number}'")], loose=False))
    return nodes


def random_program(seed):
    r = random.Random(seed)
    functions, known = [], []
    for number in range(r.randint(1, 3)):
        result = r.choice(["i4", "r8", "r4", "i8"])
        dummies = {f"d{k}": r.choice(["i4", "r8", "r4", "i8"]) for k in range(r.randint(1, 3))}
        scope = Scope(r, dict(LOCALS), dict(ARRAYS), dict(MATRICES), list(known), {name: (kind, KEPT[kind]) for name, kind in dummies.items()})
        functions.append(Procedure(f"f{number}", result, dummies, Statements(scope, True).block(2, r.randint(2, 6)), beginnings(r, True)))
        known.append((f"f{number}", result, list(dummies.values())))
    kernels = []
    for number in range(r.randint(2, 4)):
        cuf = r.random() < 0.25
        shape = r.choice(["explicit", "assumed"] if cuf else ["explicit", "assumed", "size"])
        shared = "" if cuf or r.random() < 0.5 else r.choice(["(i - base)", "33 - (i - base)", "(i - base)*5", "ieor(i - base - 1, 3)"])
        fixed = {"i": ("i4", 96), "in4(i)": ("i4", 20), "in8(i)": ("r8", 14), "inr(i)": ("r4", 11), "in4(n + 1 - i)": ("i4", 20)}
        fixed |= {"got": ("i4", 120)} if shared else {}
        scope = Scope(r, dict(PRIVATE if cuf else LOCALS), {} if cuf else dict(ARRAYS), {} if cuf else dict(MATRICES), list(known), fixed)
        # One operation for each element of the histogram's kernel: sums and maxima do not commute with each other.
        atomics = () if cuf or r.random() < 0.4 else [("hist", r.choice(["add", "max", "min", "or", "xor"]))]
        kernels.append(Kernel(f"k{number}", cuf, shape, shared, beginnings(r, not cuf), Statements(scope, not cuf, atomics).block(3, r.randint(4, 12))))
    return Program(seed, functions, kernels, both(r, r.randint(3, 10)), r.random() < 0.3, r.choice(["static", "allocatable", "managed"]))
