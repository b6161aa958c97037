// The command line: every kind of option, its spellings, and mistakes.
#include "driver/options.h"
#include "driver/parallel_items.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

using Arguments = std::vector<std::string>;

Options parse(const Arguments &arguments) {
  Diagnostics diagnostics;
  Options options = parseOptions(arguments, diagnostics);
  for (const Diagnostic &diagnostic : diagnostics.list())
    ADD_FAILURE() << diagnostic.message;
  return options;
}

// The only error's code and text.
std::string mistake(const Arguments &arguments) {
  Diagnostics diagnostics;
  parseOptions(arguments, diagnostics);
  EXPECT_EQ(diagnostics.list().size(), 1u);
  if (diagnostics.list().empty())
    return {};
  const Diagnostic &first = diagnostics.list().front();
  return first.code + " " + first.message;
}

TEST(Options, defaults) {
  Options options = parse({"a.cuf"});
  EXPECT_EQ(options.inputs, Arguments{"a.cuf"});
  EXPECT_EQ(options.emit, Emit::Executable);
  EXPECT_EQ(options.optimisation, 2);
  EXPECT_TRUE(options.output.empty());
  EXPECT_TRUE(options.gpus.empty());
  EXPECT_FALSE(options.fixedForm);
}

TEST(Options, inputsKeepTheirOrder) {
  EXPECT_EQ(parse({"b.cuf", "-c", "a.cuf", "-", "x.o"}).inputs,
            (Arguments{"b.cuf", "a.cuf", "-", "x.o"}));
}

TEST(Options, flags) {
  EXPECT_EQ(parse({"-c"}).emit, Emit::Object);
  EXPECT_EQ(parse({"-S"}).emit, Emit::Assembly);
  EXPECT_EQ(parse({"-E"}).emit, Emit::Preprocessed);
  EXPECT_EQ(parse({"-fsyntax-only"}).emit, Emit::Nothing);
  EXPECT_TRUE(parse({"-g"}).debug);
  EXPECT_TRUE(parse({"-v"}).verbose);
  EXPECT_FALSE(parse({"-w"}).warnings);
  EXPECT_TRUE(parse({"-cuda"}).cuda);
  EXPECT_TRUE(parse({"-cpp"}).preprocess);
  EXPECT_TRUE(parse({"-Mpreprocess"}).preprocess);
  EXPECT_TRUE(parse({"-Mlarge_arrays"}).largeArrays);
  EXPECT_TRUE(parse({"-r8"}).real8);
  EXPECT_EQ(parse({"-Mextend"}).language.fixedColumns, 132);
  EXPECT_TRUE(parse({"-Mnobackslash"}).backslashEscapes);
  EXPECT_FALSE(parse({"-Mnobackslash", "-Mbackslash"}).backslashEscapes);
  EXPECT_TRUE(parse({"-shared"}).shared);
  EXPECT_TRUE(parse({"--version"}).version);
  EXPECT_TRUE(parse({"-help"}).help);
}

TEST(Options, sourceForm) {
  EXPECT_EQ(parse({"-Mfixed"}).fixedForm, true);
  EXPECT_EQ(parse({"-Mfree"}).fixedForm, false);
  EXPECT_EQ(parse({"-Mfreeform"}).fixedForm, false);
}

TEST(Options, optimisation) {
  EXPECT_EQ(parse({"-O0"}).optimisation, 0);
  EXPECT_EQ(parse({"-O1"}).optimisation, 1);
  EXPECT_EQ(parse({"-O"}).optimisation, 2);
  EXPECT_EQ(parse({"-O2"}).optimisation, 2);
  EXPECT_EQ(parse({"-O3"}).optimisation, 3);
  EXPECT_EQ(parse({"-O4"}).optimisation, 3);
  EXPECT_EQ(parse({"-fast"}).optimisation, 3);
}

TEST(Options, emit) {
  const std::pair<const char *, Emit> kinds[] = {{"ptx", Emit::Ptx},      {"cubin", Emit::Cubin},
                                                 {"llvm", Emit::Llvm},    {"hlfir", Emit::Hlfir},
                                                 {"asm", Emit::Assembly}, {"obj", Emit::Object}};
  for (auto [name, kind] : kinds)
    EXPECT_EQ(parse({std::string("--emit=") + name}).emit, kind) << name;
  EXPECT_EQ(mistake({"--emit=poetry"}), "CUF0003 'poetry' is not a value of --emit; it takes ptx, "
                                        "sass, cubin, llvm, hlfir, asm, obj");
  EXPECT_EQ(mistake({"--emit"}), "CUF0002 option '--emit' needs a value: KIND,...");
  EXPECT_EQ(mistake({"--emit="}), "CUF0002 option '--emit' needs a value: KIND,...");
  EXPECT_EQ(parse({"--emit=obj,ptx,hlfir"}).emit.list(),
            (std::vector<Emit>{Emit::Hlfir, Emit::Ptx, Emit::Object}));
  EXPECT_EQ(parse({"--emit=ptx,ptx"}).emit, Emit::Ptx);
  EXPECT_EQ(mistake({"--emit=ptx,poetry"}), "CUF0003 'poetry' is not a value of --emit; it takes "
                                            "ptx, sass, cubin, llvm, hlfir, asm, obj");
}

TEST(Options, valuesFollowOrStandAlone) {
  EXPECT_EQ(parse({"-o", "out"}).output, "out");
  EXPECT_EQ(parse({"-oout"}).output, "out");
  EXPECT_EQ(parse({"-Ia", "-I", "b"}).includes, (Arguments{"a", "b"}));
  EXPECT_EQ(parse({"-module", "mods"}).moduleDirectory, "mods");
  EXPECT_EQ(parse({"-La", "-lb", "-Wl,-x,y", "-l", "c"}).linkArguments,
            (Arguments{"-La", "-lb", "-Wl,-x,y", "-lc"}));
  EXPECT_EQ(mistake({"-o"}), "CUF0002 option '-o' needs a value: FILE");
  EXPECT_EQ(mistake({"-o", ""}), "CUF0002 option '-o' needs a value: FILE");
  EXPECT_EQ(mistake({"a.cuf", "-I"}).substr(0, 19), "CUF0002 option '-I'");
}

TEST(Options, macros) {
  using Macros = std::vector<std::pair<std::string, bool>>;
  EXPECT_EQ(parse({"-DA", "-D", "B=2", "-UC", "-DD=", "-D_e=a=b"}).macros,
            (Macros{{"A", true}, {"B=2", true}, {"C", false}, {"D=", true}, {"_e=a=b", true}}));
  for (const char *bad : {"-D1A", "-D=2", "-DA-B", "-UA=2", "-DF(x)=1"})
    EXPECT_EQ(mistake({bad}).substr(0, 7), "CUF0020") << bad;
}

TEST(Options, gpus) {
  auto numbers = [](const Arguments &arguments) {
    std::vector<int> found;
    for (const Gpu &gpu : parse(arguments).gpus)
      found.push_back(gpu.number);
    return found;
  };
  EXPECT_EQ(numbers({"-gpu=cc90"}), std::vector<int>{90});
  EXPECT_EQ(numbers({"-gpu=cc80,sm_90", "-gpu=10.0"}), (std::vector<int>{80, 90, 100}));
  EXPECT_EQ(numbers({"-gpu=cc90,cc90"}), std::vector<int>{90});
  EXPECT_EQ(numbers({"-Mcuda=cc80"}), std::vector<int>{80});
  EXPECT_EQ(mistake({"-gpu=cc9y"}).substr(0, 26), "CUF0006 unknown GPU 'cc9y'");
  EXPECT_EQ(mistake({"-gpu=cudafoo"}).substr(0, 7), "CUF0006");
  EXPECT_EQ(mistake({"-gpu"}).substr(0, 7), "CUF0002");
  EXPECT_EQ(mistake({"-gpu="}).substr(0, 7), "CUF0002");
}

TEST(Options, gpuWords) {
  Options options = parse({"-gpu=ptxinfo,keep,fastmath,lineinfo,maxregcount:64"});
  EXPECT_TRUE(options.info && options.keep && options.fastMath && options.lineInfo);
  EXPECT_EQ(options.maxRegisters, 64);
  EXPECT_TRUE(parse({"-gpu=managed"}).managed);
  EXPECT_TRUE(parse({"-gpu=host"}).hostOnly);
  EXPECT_TRUE(parse({"-Mcuda=emu"}).hostOnly);
  EXPECT_TRUE(parse({"-Mcuda"}).cuda);
  parse({"-gpu=cuda12.4,nordc"});
  EXPECT_TRUE(parse({"-gpu=mem:managed"}).managed);
  EXPECT_FALSE(parse({"-gpu=mem:separate,ccall,fma,loadcache:L1"}).managed);
  EXPECT_FALSE(parse({"-gpu=nofma"}).fuse);
  EXPECT_TRUE(parse({"-Mcuda=flushz"}).flushDenormals);
  EXPECT_TRUE(parse({"-gpu=zeroinit"}).host.zeroDeviceMemory);
  EXPECT_TRUE(parse({"-gpu=native"}).nativeGpu);
  EXPECT_EQ(mistake({"-gpu=loadcache:"}).substr(0, 7), "CUF0006");
  EXPECT_EQ(mistake({"-gpu=sanitize"}).substr(0, 7), "CUF0007");
  for (const char *noted : {"unified", "mem:unified", "cc35", "cc2x", "sm_60", "pinned"})
    EXPECT_EQ(mistake({std::string("-gpu=") + noted}).substr(0, 7), "CUF0030") << noted;
  for (const char *bad : {"15", "256", "", "x", "32x", "-32"})
    EXPECT_EQ(mistake({std::string("-gpu=maxregcount:") + bad}).substr(0, 7), "CUF0003") << bad;
}

// What CMake sends to flang, and its spellings of nvfortran's.
TEST(Options, buildTools) {
  Options options = parse({"-module-dirout", "-ffixed-form", "-nocpp", "-Os", "-gopt"});
  EXPECT_EQ(options.moduleDirectory, "out");
  EXPECT_TRUE(options.fixedForm == true && options.preprocess == false && options.debug);
  EXPECT_EQ(options.optimisation, 2);
  EXPECT_TRUE(parse({"-dumpversion"}).bareVersion);
  parse({"-traceback", "-c++libs", "-mcmodel=medium", "-Mneginfo=all"});
  EXPECT_EQ(mistake({"-Mupcase"}).substr(0, 7), "CUF0005");
}

TEST(Options, checks) {
  EXPECT_TRUE(parse({"-gpu=check"}).check && !parse({"-gpu=check"}).bounds);
  EXPECT_TRUE(parse({"-C"}).bounds && parse({"-Mbounds"}).bounds);
  EXPECT_FALSE(parse({"-Mbounds", "-Mnobounds"}).bounds || parse({"-Mbounds"}).check);
}

TEST(Options, cudaLibraries) {
  EXPECT_EQ(parse({"-cudalib=cublas,curand"}).cudaLibraries, (Arguments{"cublas", "curand"}));
  EXPECT_EQ(mistake({"-cudalib=cuwhat"}).substr(0, 7), "CUF0003");
}

TEST(Options, unknown) {
  EXPECT_EQ(mistake({"-frobnicate"}), "CUF0001 unknown option '-frobnicate'");
  EXPECT_EQ(mistake({"-fst"}), "CUF0001 unknown option '-fst'; did you mean -fast?");
  EXPECT_EQ(mistake({"--emti=ptx"}), "CUF0001 unknown option '--emti=ptx'; did you mean --emit?");
  EXPECT_EQ(mistake({"--"}).substr(0, 7), "CUF0001");
  EXPECT_EQ(mistake({"-cfoo"}).substr(0, 7), "CUF0001");
}

TEST(Options, refused) {
  for (const char *name :
       {"-acc", "-acc=gpu", "-acc=host,gpu", "-acc=sync", "-mp=gpu", "-mp=multicore,gpu", "-stdpar",
        "-stdpar=gpu", "-fopenmp-targets=nvptx64"})
    EXPECT_EQ(mistake({name}).substr(0, 7), "CUF0005") << name;
}

TEST(Options, threadsOfTheHost) {
  EXPECT_EQ(openmpOf(parse({"a.cuf"})), 0);
  for (const char *name :
       {"-mp", "-fopenmp", "-mp=multicore", "-mp=align", "-mp=multicore,bind", "-mp=allcores"})
    EXPECT_EQ(openmpOf(parse({name})), 51) << name;
  EXPECT_EQ(openmpOf(parse({"-mp", "-nomp"})), 0);
  EXPECT_EQ(openmpOf(parse({"-fopenmp", "-fno-openmp"})), 0);
  for (Arguments arguments : {Arguments{"-fopenmp-version=45"}, {"-fopenmp-version=4.5", "-mp"}})
    EXPECT_EQ(openmpOf(parse(arguments)), 45);
  EXPECT_EQ(mistake({"-fopenmp-version=46"}).substr(0, 7), "CUF0003");
  EXPECT_EQ(mistake({"-mp=everywhere"}).substr(0, 7), "CUF0003");
  EXPECT_EQ(mistake({"-mp=bind", "-v"}).substr(0, 17), "CUF0004 option ha");
  EXPECT_TRUE(hasOpenacc(parse({"-acc=host"})));
  EXPECT_TRUE(hasOpenacc(parse({"-acc=multicore,nowait"})));
  EXPECT_FALSE(hasOpenacc(parse({"-acc=host", "-noacc"})));
  EXPECT_EQ(mistake({"-acc=moon"}).substr(0, 7), "CUF0003");
  EXPECT_TRUE(hasThreads(parse({"-stdpar=multicore"})));
  EXPECT_EQ(mistake({"-stdpar=moon"}).substr(0, 7), "CUF0003");
}

TEST(Options, ignoredOnesAreNamedUnderVerbose) {
  parse({"-Mlre", "-Mipa=fast", "-Wall"});
  EXPECT_EQ(mistake({"-Mlre", "-v"}).substr(0, 14), "CUF0004 option");
}

TEST(Options, notesAreSaidOnce) {
  EXPECT_EQ(mistake({"-Mchkptr", "-Mchkptr"}).substr(0, 7), "CUF0030");
  EXPECT_EQ(mistake({"-fdefault-real-8"}).substr(0, 7), "CUF0030");
  EXPECT_TRUE(parse({"-fdefault-real-8", "-fdefault-double-8"}).real8);
}

TEST(Options, takenBack) {
  EXPECT_FALSE(parse({"-i8", "-i4"}).language.integer8);
  EXPECT_FALSE(parse({"-r8", "-r4"}).real8);
  EXPECT_FALSE(parse({"-Msave", "-Mnosave"}).language.saveLocals);
  EXPECT_FALSE(parse({"-traceback", "-fno-backtrace"}).host.traceback);
  EXPECT_FALSE(parse({"-Ofast", "-fno-fast-math"}).host.relaxed.any());
  EXPECT_TRUE(parse({"-Mnovect", "-Mvect=simd"}).host.vectorise);
  EXPECT_EQ(parse({"-Ktrap=fp", "-Ktrap=none"}).host.traps, 0u);
  EXPECT_TRUE(parse({"-byteswapio", "-Mnobyteswapio"}).language.conversion.empty());
  EXPECT_FALSE(parse({"-cpp", "-nocpp"}).preprocess.value_or(true));
}

TEST(Options, values) {
  EXPECT_EQ(parse({"-Ktrap=inv,divz"}).host.traps, unsigned(trapInvalid | trapDivisionByZero));
  EXPECT_EQ(parse({"-tp", "zen3"}).host.cpu, "znver3");
  EXPECT_EQ(parse({"-tp=zen3"}).host.cpu, "znver3");
  EXPECT_EQ(parse({"-march=x86-64-v3"}).host.cpu, "x86-64-v3");
  EXPECT_EQ(parse({"-mavx2", "-mno-fma"}).host.features, (Arguments{"+avx2", "-fma"}));
  EXPECT_EQ(parse({"-ffixed-line-length-80"}).language.fixedColumns, 80);
  EXPECT_EQ(parse({"-byteswapio"}).language.conversion, "SWAP");
  EXPECT_EQ(parse({"-fconvert=big-endian"}).language.conversion, "BIG_ENDIAN");
  EXPECT_EQ(parse({"-Mcuda=3.0,cuda10.1"}).toolkitVersions, (Arguments{"3.0", "10.1"}));
  EXPECT_EQ(parse({"-gpu=10.0"}).gpus.size(), 1u);
  for (const char *bad : {"-Ktrap=fpe", "-tp=zen33", "-ffixed-line-length-no", "-Minform=loud",
                          "-finit-integer=x", "-Mvect=smid"})
    EXPECT_EQ(mistake({bad}).substr(0, 7), "CUF0003") << bad;
}

TEST(Options, everyMistakeIsReported) {
  Diagnostics diagnostics;
  parseOptions({"-x1", "--emit=no", "-gpu=cc1"}, diagnostics);
  EXPECT_EQ(diagnostics.list().size(), 3u);
}

TEST(Options, helpNamesThem) {
  std::string text = helpText();
  for (const char *name : {"-o", "--emit=KIND", "-gpu=", "-I", "-Mlarge_arrays"})
    EXPECT_NE(text.find(name), std::string::npos) << name;
  EXPECT_EQ(text.find("  -ta "), std::string::npos);
}

} // namespace
} // namespace cufc
