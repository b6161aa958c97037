"""The forms of storage that data of host_expressions.py has, as a table.

A form says where the entities (x, m, ...) are declared, how they get their memory and how statements name them."""

from dataclasses import dataclass, field

ENTITIES = {
    "x": ("real", (6,)), "m": ("real", (2, 3)), "ix": ("integer", (6,)), "lx": ("logical", (6,)),
    "zx": ("complex", (6,)), "cx": ("character(3)", (6,)), "dx": ("real(8)", (6,)), "tx": ("type(cell)", (6,)),
    "s": ("real", ()), "is": ("integer", ()), "ls": ("logical", ()), "zs": ("complex", ()), "cs": ("character(3)", ()),
    "ts": ("type(cell)", ()),
}
SIZES = {2: "n2", 3: "n3", 6: "n"}  # dummies of the procedure that hold these numbers

# Where an error is the right answer: its text, by attribute and construct.
EXPECTED = {}


def extents(shape, text):
    return "(" + ", ".join(text(size) for size in shape) + ")" if shape else ""


def constant(shape):
    return extents(shape, str)


def automatic(shape):
    return extents(shape, SIZES.__getitem__)


def deferred(shape):
    return extents(shape, lambda _: ":")


def shifted(shift):
    def bounds(shape):
        return constant(shape) if len(shape) != 1 else f"({1 + shift}:{shape[0] + shift})"
    return bounds


def assumed_size(shape):
    return "(" + "".join(f"{size}, " for size in shape[:-1]) + "*)" if shape else ""


def declarations(words, dimensions, prefix=""):
    return [f"{kind}{words(shape) if callable(words) else words} :: {prefix}{name}{dimensions(shape)}"
            for name, (kind, shape) in ENTITIES.items()]


def allocations(names, dimensions):
    return [f"allocate ({names(name)}{dimensions(shape)})" for name, (_, shape) in ENTITIES.items()]


def releases(names):
    return [f"deallocate ({names(name)})" for name in ENTITIES]


@dataclass
class Form:
    title: str
    attributes: tuple = ("device", "managed")
    types: tuple = ()           # definitions, in a module
    module: tuple = ()          # variables of a module
    main: tuple = ()            # of the main program, and what it does before the call
    prepare: tuple = ()
    dummies: bool = False       # the entities are dummies of the procedure, declared by `local`
    actual: str = "@"           # as the call names them
    local: tuple = ()
    allocate: tuple = ()
    release: tuple = ()
    opening: tuple = ()         # around the constructs
    closing: tuple = ()
    place: str = "@"            # how statements name an entity
    whole: bool = True          # a name without subscripts is the array
    shift: int = 0
    assign: bool = True         # the procedure gives the entities their values
    leave_out: tuple = ()
    option: tuple = ()

    def flags(self, attribute):
        return [*self.option, *(["-gpu=managed"] if attribute == "implicit" else [])]

    def takes(self, row, attribute):
        return row[0] not in self.leave_out

    def mirror(self, name, indexed):
        return name + "_h"

    def name(self, name, indexed):
        text = self.place.replace("@", name)
        shape = ENTITIES[name][1]
        if self.whole or indexed or not shape:
            return text
        return text + ("(:6)" if len(shape) == 1 else "(:, :3)")

    def before(self, attribute):
        words = "" if attribute == "implicit" else f", {attribute}"
        put = lambda lines: [line.replace(", ATTRIBUTE", words) for line in lines]
        arguments = "".join(", " + name for name in ENTITIES) if self.dummies else ""
        actuals = "".join(", " + self.actual.replace("@", name) for name in ENTITIES) if self.dummies else ""
        lines = []
        if self.types or self.module:
            lines += ["module data", "use results", "implicit none", *put(self.types), *put(self.module), "end module"]
        lines += ["program p", "use results"]
        if self.types or self.module:
            lines += [self.renames() if self.title == "renamed" else "use data"]
        lines += ["implicit none", *put(self.main), *put(self.prepare), f"call run(6, 2, 3{actuals})", "contains",
                  f"subroutine run(n, n2, n3{arguments})", "integer, intent(in) :: n, n2, n3", "integer :: i, j",
                  *put(self.local), *declarations("", shifted(self.shift), "%").copy()]
        lines = [self.mirror_declaration(line) for line in lines]
        lines += [f"{name}_h = {name}_0" for name in ENTITIES]
        lines += [*self.allocate, *put(self.opening)]
        if self.assign:
            lines += [f"{self.name(name, False)} = {name}_h" for name in ENTITIES]
        return lines

    @staticmethod
    def mirror_declaration(line):
        if ":: %" not in line:
            return line
        kind, name = line.split(":: %")
        return f"{kind}:: {name.replace('(', '_h(', 1) if '(' in name else name + '_h'}"

    @staticmethod
    def renames():
        return "use data, " + ", ".join(f"other_{name} => {name}" for name in ENTITIES)

    def after(self, attribute):
        return [*self.closing, *self.release, "call finish()", "end subroutine", "end program"]


PLAIN = "@".replace


def own(name):
    return name


def placed(place):
    return lambda name: place.replace("@", name)


ALLOCATABLE, POINTER = ", ATTRIBUTE, allocatable", ", ATTRIBUTE, pointer"
BOTH, ALL = ("device", "managed"), ("device", "managed", "implicit")
EVERY = (*ALL, "unified", "pinned")
holder = ["type holder", *declarations(ALLOCATABLE, deferred), "end type"]
nested = [*holder, "type outer", "integer :: before = 1", "type(holder) :: o", "end type"]
pointers = ["type holder", *declarations(POINTER, deferred), "end type"]
plain = ["type plain", *declarations("", constant), "end type"]


def components(title, place, declared, types=tuple(holder), **more):
    return Form(title, types=tuple(types), local=(declared,), place=place,
                allocate=tuple(allocations(placed(place), constant)), release=tuple(releases(placed(place))), **more)


def sections():
    """Pointers to parts of larger arrays."""
    local = [*declarations(", ATTRIBUTE, target", lambda shape: extents(shape, lambda size: str(2*size + 1)), "big_"),
             *declarations(POINTER, deferred)]
    pick = [f"{name} => big_{name}" + extents(shape, lambda size: f"2:{2*size}:2")
            for name, (_, shape) in ENTITIES.items()]
    return Form("pointer_sections", local=tuple(local), allocate=tuple(pick))


def associated():
    names = ", ".join(f"a_{name} => {name}" for name in ENTITIES)
    return Form("associate", local=tuple(declarations(", ATTRIBUTE", automatic)), place="a_@",
                opening=("associate ( &", names.replace(", ", ", &\n") + ")"), closing=("end associate",))


FORMS = [
    Form("explicit", local=tuple(declarations(", ATTRIBUTE", constant))),
    Form("automatic", local=tuple(declarations(", ATTRIBUTE", automatic))),
    Form("saved", attributes=ALL, local=tuple(declarations(ALLOCATABLE + ", save", deferred)),
         allocate=tuple(allocations(own, constant))),
    Form("allocatable", attributes=EVERY, local=tuple(declarations(ALLOCATABLE, deferred)),
         allocate=tuple(allocations(own, automatic)), release=tuple(releases(own))),
    Form("pointer", local=tuple(declarations(POINTER, deferred)), allocate=tuple(allocations(own, constant)),
         release=tuple(releases(own))),
    sections(),
    Form("bounds", local=tuple(declarations(", ATTRIBUTE", shifted(-1))), shift=-1),
    Form("bounds_allocatable", attributes=ALL, local=tuple(declarations(ALLOCATABLE, deferred)), shift=3,
         allocate=tuple(allocations(own, shifted(3)))),
    Form("assumed_shape", attributes=(*ALL, "unified"), main=tuple(declarations(ALLOCATABLE, deferred)),
         prepare=tuple(allocations(own, constant)), dummies=True,
         local=tuple(declarations(", ATTRIBUTE", deferred))),
    Form("explicit_dummy", main=tuple(declarations(", ATTRIBUTE", constant)), dummies=True,
         local=tuple(declarations(", ATTRIBUTE", automatic))),
    Form("bounds_dummy", main=tuple(declarations(", ATTRIBUTE", constant)), dummies=True, shift=-3,
         local=tuple(declarations(", ATTRIBUTE", shifted(-3)))),
    Form("assumed_size", main=tuple(declarations(", ATTRIBUTE", constant)), dummies=True, whole=False,
         local=tuple(declarations(", ATTRIBUTE", assumed_size)), leave_out=("size", "bounds", "shape", "copy_row", "open_sections", "matrix_row", "maxval", "write_section")),
    Form("allocatable_dummy", attributes=ALL, main=tuple(declarations(ALLOCATABLE, deferred)),
         prepare=tuple(allocations(own, constant)), dummies=True, local=tuple(declarations(ALLOCATABLE, deferred))),
    Form("pointer_dummy", main=tuple(declarations(POINTER, deferred)), prepare=tuple(allocations(own, constant)),
         dummies=True, local=tuple(declarations(POINTER, deferred))),
    Form("module", module=tuple(declarations(", ATTRIBUTE", constant))),
    Form("module_allocatable", attributes=(*ALL, "pinned"), module=tuple(declarations(ALLOCATABLE, deferred)),
         allocate=tuple(allocations(own, constant)), release=tuple(releases(own))),
    Form("constant", attributes=("constant",), module=tuple(declarations(", ATTRIBUTE", constant))),
    Form("renamed", module=tuple(declarations(", ATTRIBUTE", constant)), place="other_@"),
    Form("main", main=tuple(declarations(", ATTRIBUTE", constant))),
    Form("main_allocatable", attributes=ALL, main=tuple(declarations(ALLOCATABLE, deferred)),
         allocate=tuple(allocations(own, constant))),
    associated(),
    Form("block", opening=("block", *declarations(", ATTRIBUTE", automatic)), closing=("end block",)),
    components("component", "w%@", "type(holder) :: w", attributes=ALL),
    components("component_of_element", "w(2)%@", "type(holder) :: w(2)", attributes=ALL),
    components("component_of_component", "w%o%@", "type(outer) :: w", types=nested, attributes=ALL),
    components("component_pointer", "w%@", "type(holder) :: w", types=pointers),
    Form("object", types=tuple(plain), local=("type(plain), ATTRIBUTE :: w",), place="w%@"),
    Form("object_element", types=tuple(plain), local=("type(plain), ATTRIBUTE :: w(3)",), place="w(2)%@"),
    Form("object_allocatable", attributes=ALL, types=tuple(plain), local=("type(plain), ATTRIBUTE, allocatable :: w(:)",),
         allocate=("allocate (w(2))",), place="w(2)%@"),
]
