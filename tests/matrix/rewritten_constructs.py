"""The constructs that the compiler writes in another way before flang analyses them, as a table.

Each row has what stands around the construct and, in `piece`, the construct itself, which rewrites.py puts into include
files, macros and other places. `host` rows go into a procedure; `device` rows are procedures of a module, whose `piece` is the
line @@. Names are different in all rows, since they stand in one scope. What is checked was computed by hand."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    name: str
    piece: str  # its lines
    check: str  # true if the result is right
    declarations: str = ""
    before: str = ""
    behind: str = ""
    device: str = ""  # a procedure of the module, with @@ for the piece
    declares: bool = False  # the piece is a declaration
    uses: bool = False  # the piece is a USE statement
    refused: str = ""  # the code of the error in procedures, if it cannot stand there
    module: str = ""  # declarations of the module of the device procedures
    procedures: str = ""  # others of that module
    error: str = ""  # the code of the error that it is everywhere


SAVED = "CUF1256"  # device data of a procedure cannot be saved
LOOP = "do {0}i = 1, 100\n{0}a({0}i) = {0}i\nend do"


def launch(name, configuration, declarations="", before=""):
    """A CUF kernel with a launch configuration; the results are those of any configuration that covers the loop."""
    return Row(name, f"!$cuf kernel do(1) <<< {configuration} >>>", f"all({name}h == [({name}i, {name}i = 1, 100)])",
               f"integer, device :: {name}a(100)\ninteger :: {name}i, {name}h(100), {name}n = 100\n{declarations}".strip(),
               f"{name}a = 0\n{before}".strip(), f"{LOOP.format(name)}\n{name}h = {name}a")


ROWS = [
    Row("ini", "integer, device :: inia(2) = [7, 8]", "all(inih == [7, 8])", "integer :: inih(2)", behind="inih = inia", declares=True, refused=SAVED),
    Row("inr", "real(8), device :: inra = 2.5d0", "inrh == 2.5d0", "real(8) :: inrh", behind="inrh = inra", declares=True, refused=SAVED),
    Row("int", "character(3), device :: inta = 'A;b'", "inth == 'A;b'", "character(3) :: inth", behind="inth = inta", declares=True, refused=SAVED),
    Row("dat", "data data1 / 3, 4 /", "all(data2 == [3, 4])", "integer, device :: data1(2)\ninteger :: data2(2)",
        behind="data2 = data1", declares=True, refused=SAVED),
    launch("par", "(parn + 31)/32, 32"),
    launch("two", "(twon + 31)/32, (twon*2)/4"),
    launch("wid", "widg, 32", "integer(8) :: widg", "widg = 4"),
    launch("dim", "dimg, dimb", "type(dim3) :: dimg, dimb", "dimg = dim3(2, 1, 1)\ndimb = dim3(64, 1, 1)"),
    launch("byt", "4, 32, 128"),
    launch("str", "4, 32, 0, stream=0"),
    launch("sha", "4, 32, 128, shas", "integer(8) :: shas", "shas = 0"),
    Row("adr", "adrk = c_length(adrt)", "adrk == 5", "character(8) :: adrt\ninteger(8) :: adrk", "adrt = 'abcde' // char(0)"),
    Row("cfp", "call c_f_pointer(cfpp, cfpv, 4)", "all(cfph == 5)",
        "real, allocatable, device :: cfpv(:)\ntype(c_devptr) :: cfpp\nreal :: cfph(4)\ninteger :: cfpi",
        "cfpi = cudaMalloc(cfpp, 16_8)\nif (cfpi /= 0) error stop 'cudaMalloc'", "cfpv = 5\ncfph = cfpv"),
    Row("mis", "misk = cudaDeviceSynchronize", "misk == 0", "integer :: misk", "misk = 7"),
    Row("con", "if (conk) conl = 4", "conl == 4", "integer :: conk, conl", "conk = 1\nconl = 0"),
    Row("opd", "opdl = opdk .and. opdm", "opdl", "integer :: opdk\nlogical :: opdl, opdm", "opdk = 3\nopdm = .true."),
    Row("neg", "negl = not(negm)", "negl", "logical :: negl, negm", "negm = .false."),
    Row("sec", "call twice(secx(3), 2)", "all(secx == [1, 2, 6, 8])", "integer, pointer :: secx(:)",
        "allocate(secx(4))\nsecx = [1, 2, 3, 4]"),
    Row("tot", "totk = sum(tota)", "totk == 6", "integer, device :: tota(3)\ninteger :: totk", "tota = 2"),
    Row("ren", "use two_names, kept => other", "kept == 2", uses=True),
    Row("pdt", "integer, kind :: pdtk = 4", "kind(pdtv%pdtx) == 8",
        "type pdtp(pdtk)\nreal(pdtk) :: pdtx\n@@\nend type\ntype(pdtp(8)) :: pdtv", behind="pdtv%pdtx = 2.5d0", declares=True),
    Row("sen", "!@cuf senk = 6", "senk == 6", "integer :: senk", "senk = 5"),
    Row("iee", "a(1) = merge(1.0, 2.0, ieee_is_nan(x))", "ieeh == 2",
        "real, device :: ieed(1)\nreal :: ieeh", "call with_ieee<<<1, 1>>>(ieed)", "ieeh = ieed(1)",
        device="attributes(global) subroutine with_ieee(a)\nuse, intrinsic :: ieee_arithmetic\nreal :: a(1)\nreal :: x\nx = 3\n@@\nend subroutine"),
    Row("shr", "integer, shared :: s(8, *)", "shrh == 12",
        "integer, device :: shrd(1)\ninteger :: shrh", "call with_shared<<<1, 1, 128>>>(shrd)", "shrh = shrd(1)",
        device="attributes(global) subroutine with_shared(a)\ninteger :: a(1)\n@@\ns(1, 2) = 12\na(1) = s(1, 2)\nend subroutine", declares=True),
]

MODULES = """\
module two_names
  integer :: kept = 1, other = 2
end module
module helpers
  use cudafor
  use iso_c_binding
  implicit none
  interface
    function c_length(text) bind(c, name='strlen')
      import :: c_ptr, c_size_t
      !pgi$ ignore_tkr text
      type(c_ptr), value :: text
      integer(c_size_t) :: c_length
    end function
  end interface
  interface twice
    module procedure twice_integer, twice_real
  end interface
{module}
contains
  subroutine twice_integer(x, n)
    integer :: n, x(*)
    x(1:n) = 2*x(1:n)
  end subroutine
  subroutine twice_real(x, n)
    integer :: n
    real :: x(*)
    x(1:n) = 2*x(1:n)
  end subroutine
{device}
end module
"""
