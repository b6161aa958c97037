"""The words that a row of device_intrinsics*.toml may stand for several times (`each`), and what the
row's texts may ask of them: {k.type}, {r.text} and so on."""


class Word(str):
    """A part of a name, with its facts as attributes."""

    def __new__(cls, text, facts):
        word = str.__new__(cls, text)
        word.__dict__.update(facts)
        return word


REAL4 = {"type": "real(4)", "c": "float"}
REAL8 = {"type": "real(8)", "c": "double"}
INT = {"type": "integer(4)", "c": "int", "text": "32-bit integer"}
UINT = {"type": "integer(4)", "c": "unsigned", "text": "unsigned 32-bit integer"}
LL = {"type": "integer(8)", "c": "long long", "text": "64-bit integer"}
ULL = {"type": "integer(8)", "c": "unsigned long long", "text": "unsigned 64-bit integer"}
LANE = {"argument": "lane", "about": "number of the lane in the segment, from 1"}
DELTA = {"argument": "delta", "about": "how many lanes away"}

# By the letter in `each`, then by the word.
WORDS = {
    "r": {
        "rn": {"text": "to nearest, ties to even"},
        "rz": {"text": "towards zero"},
        "ru": {"text": "upwards"},
        "rd": {"text": "downwards"},
    },
    "f": {"": REAL8, "f": REAL4},
    "k": {
        "f": REAL4, "d": REAL8, "float": REAL4, "double": REAL8,
        "clock": {"type": "integer(4)", "c": "clock()", "text": "The lower 32 bits of the count of clock cycles"},
        "clock64": {"type": "integer(8)", "c": "clock64()", "text": "The clock cycles that the multiprocessor has counted"},
        "globaltimer": {"type": "integer(8)", "c": "globaltimer (PTX)", "text": "A clock that all multiprocessors share, in nanoseconds"},
    },
    "i": {"int": INT, "uint": UINT, "ll": LL, "ull": ULL},
    "h": {
        "hi": {"text": "upper"}, "lo": {"text": "lower"},
        "ca": {"text": "cached at all levels"},
        "cg": {"text": "cached in L2, not in L1"},
        "cs": {"text": "used once, so that it is the first to leave the caches"},
        "lu": {"text": "last use, so that a cache line need not be written back"},
        "cv": {"text": "not cached, read again each time"},
        "wb": {"text": "written back at all levels of coherent caches"},
        "wt": {"text": "written through the L2 cache"},
    },
    "s": {
        "": {"text": "all threads of the device"},
        "_block": {"text": "the threads of the block"},
        "_system": {"text": "all devices and the host"},
    },
    "u": {
        "this_grid": {"text": "all threads of the grid", "type": "grid_group", "c": "cg::this_grid()"},
        "this_cluster": {"text": "the blocks of this cluster", "type": "cluster_group", "c": "cg::this_cluster()"},
        "this_thread_block": {"text": "the threads of this block", "type": "thread_group", "c": "cg::this_thread_block()"},
        "this_warp": {"text": "the lanes of this warp", "type": "coalesced_group",
                      "c": "cg::tiled_partition<32>(cg::this_thread_block())"},
        "cluster_block_index": {"text": "Place of this block in its cluster, from 1",
                                "c": "cluster.block_index()"},
        "cluster_dim_blocks": {"text": "Blocks of a cluster in each dimension", "c": "cluster.dim_blocks()"},
    },
    "v": {
        "and": {"text": "1 if the value is true in all threads, otherwise 0"},
        "or": {"text": "1 if the value is true in a thread, otherwise 0"},
        "count": {"text": "the number of threads where the value is true"},
        "allthreads": {"text": "all lanes", "c": "__all_sync"},
        "anythread": {"text": "a lane", "c": "__any_sync"},
        "all": {"text": "not 0 if the test is true in all of them"},
        "any": {"text": "not 0 if the test is true in one of them"},
        "ballot": {"text": "a bit for each, set where the test is true"},
    },
    "m": {
        "": {"text": "that of a given number", **LANE},
        "_up": {"text": "that with a lower number", **DELTA},
        "_down": {"text": "that with a higher number", **DELTA},
        "_xor": {"text": "that whose number differs in given bits", "argument": "lane_mask",
                 "about": "exclusive or of the two numbers, which count from 0"},
    },
    "o": {
        "add": {"text": "mem + value", "c": "atomicAdd", "over": "their sum"},
        "sub": {"text": "mem - value", "c": "atomicSub"},
        "max": {"text": "max(mem, value)", "c": "atomicMax", "over": "the largest"},
        "min": {"text": "min(mem, value)", "c": "atomicMin", "over": "the smallest"},
        "and": {"text": "iand(mem, value)", "c": "atomicAnd", "over": "iand of all"},
        "or": {"text": "ior(mem, value)", "c": "atomicOr", "over": "ior of all"},
        "xor": {"text": "ieor(mem, value)", "c": "atomicXor", "over": "ieor of all"},
    },
    "p": {"": {"text": "x"}, "pi": {"text": "pi * x"}},
    "n": {
        "__int_as_float": {"type": "real(4)", "argument": "integer(4)", "c": "int", "tail": "_int_as_float"},
        "__float_as_int": {"type": "integer(4)", "argument": "real(4)", "c": "float", "tail": "_float_as_int"},
        "__longlong_as_double": {"type": "real(8)", "argument": "integer(8)", "c": "long long", "tail": "_longlong_as_double"},
        "__double_as_longlong": {"type": "integer(8)", "argument": "real(8)", "c": "double", "tail": "_double_as_longlong"},
        "int_as_float": {"type": "real(4)", "argument": "integer(4)", "c": "int"},
        "float_as_int": {"type": "integer(4)", "argument": "real(4)", "c": "float"},
        "longlong_as_double": {"type": "real(8)", "argument": "integer(8)", "c": "long long"},
        "double_as_longlong": {"type": "integer(8)", "argument": "real(8)", "c": "double"},
        "mulhi": {"type": "integer(4)", "c": "int", "text": "32-bit"},
        "umulhi": {"type": "integer(4)", "c": "unsigned", "text": "unsigned 32-bit"},
        "mul64hi": {"type": "integer(8)", "c": "long long", "text": "64-bit"},
        "umul64hi": {"type": "integer(8)", "c": "unsigned long long", "text": "unsigned 64-bit"},
        "clz": {"text": "Number of leading zero bits"},
        "ffs": {"text": "Number of the lowest bit that is set, from 1; 0 if there is none"},
        "popc": {"text": "Number of bits that are set"},
    },
}

# Functions of one name for both kinds: what they are, the largest error, and that of the fast version.
FUNCTIONS = {
    "acos": ("Arc cosine", 2), "asin": ("Arc sine", 2), "atan": ("Arc tangent", 2),
    "cos": ("Cosine", 2, "Absolute error 2**-21 in [-pi, pi], larger elsewhere."),
    "cosh": ("Hyperbolic cosine", 2),
    "exp": ("Exponential function", 2, "Error 2 + 1.16 * abs(x) ulp."),
    "log": ("Natural logarithm", 1, "Absolute error 2**-21 in [0.5, 2], otherwise 3 ulp."),
    "log10": ("Decimal logarithm", 2, "Absolute error 2**-21 in [0.5, 2], otherwise 3 ulp."),
    "sin": ("Sine", 2, "Absolute error 2**-21 in [-pi, pi], larger elsewhere."),
    "sinh": ("Hyperbolic sine", 3), "sqrt": ("Square root", 0),
    "tan": ("Tangent", 4, "The quotient of the fast sine and cosine."),
    "tanh": ("Hyperbolic tangent", 2), "acosh": ("Inverse hyperbolic cosine", 4),
    "asinh": ("Inverse hyperbolic sine", 3), "atanh": ("Inverse hyperbolic tangent", 3),
    "erf": ("Error function", 2), "erfc": ("1 - erf(x)", 5), "cbrt": ("Cube root", 4),
    "ceil": ("The least whole number that is not below x", 0),
    "exp10": ("10**x", 2, "Error 2 + 2.97 * abs(x) ulp."), "exp2": ("2**x", 2),
    "expm1": ("exp(x) - 1", 2), "fabs": ("Absolute value", 0),
    "floor": ("The greatest whole number that is not above x, as a real", 0),
    "lgamma": ("Logarithm of the absolute value of the gamma function", 6),
    "log1p": ("log(1 + x)", 2),
    "log2": ("Binary logarithm", 2, "Absolute error 2**-22 in [0.5, 2], otherwise 2 ulp."),
    "logb": ("The exponent of x, as a real", 0),
    "nearbyint": ("Nearest whole number, halves to the even one", 0),
    "rint": ("Nearest whole number, halves to the even one", 0),
    "round": ("Nearest whole number, halves away from zero", 0),
    "tgamma": ("Gamma function", 10), "trunc": ("x without its fraction", 0),
    "copysign": ("abs(x) with the sign of y", 0),
    "fmin": ("The smaller of x and y; the other one if one is NaN", 0),
    "fmax": ("The larger of x and y; the other one if one is NaN", 0),
    "fmod": ("Remainder of x / y with the sign of x; exact", 0),
    "nextafter": ("The next number after x towards y", 0), "pow": ("x**y", 4),
    "remainder": ("x - n * y for the whole number n nearest to x / y; exact", 0),
    "llrint": ("Nearest whole number, halves to the even one", 0),
    "llround": ("Nearest whole number, halves away from zero", 0),
}
for _name, (_text, _ulp, *_error) in FUNCTIONS.items():
    WORDS["n"].setdefault(_name, {"text": _text, "ulp": str(_ulp), "error": "".join(_error)})
