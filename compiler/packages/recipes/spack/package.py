# Copyright cufc developers. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from spack.package import *


class Cufc(Package):
    """Compiler and language server for CUDA Fortran, as its release brings it: programs run on NVIDIA GPUs, and on CPUs without one."""

    homepage = "@ADDRESS@"
    url = "@RELEASES@/v@VERSION@/cufc-@VERSION@-linux-x86_64.tar.xz"

    license("Apache-2.0 WITH LLVM-exception", checked_by="cufc")

    version("@VERSION@", sha256="@SHA256:linux-x86_64.tar.xz@")

    variant("cuda", default=False, description="Code for GPUs, which needs the CUDA Toolkit")

    # Programs are linked by the C compiler, with the C++ library beside it.
    depends_on("c", type=("build", "run"))
    depends_on("cxx", type=("build", "run"))
    depends_on("cuda@12:13", when="+cuda", type="run")

    requires("target=x86_64:", "platform=linux", msg="the release is for Linux on x86-64")

    def install(self, spec, prefix):
        install_tree(".", prefix)

    def setup_run_environment(self, env):
        env.set("FC", join_path(self.prefix.bin, "cufc"))
        if self.spec.satisfies("+cuda"):
            env.set("CUDA_HOME", self.spec["cuda"].prefix)
        else:
            env.set("CUDA_HOME", "/nonexistent")

    def test_program(self):
        """compile and run an example on the CPU"""
        source = join_path(self.prefix.share, "cufc", "examples", "vector_add.cuf")
        which(join_path(self.prefix.bin, "cufc"))(source, "-o", "vector_add")
        output = which("./vector_add")(output=str.split, error=str.split)
        assert "PASS" in output
