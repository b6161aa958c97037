# A draft: Homebrew on Linux, which nobody has tried. There is no cufc for macOS.
class Cufc < Formula
  desc "Compiler and language server for CUDA Fortran"
  homepage "@ADDRESS@"
  url "@RELEASES@/v@VERSION@/cufc-@VERSION@-linux-x86_64.tar.xz"
  sha256 "@SHA256:linux-x86_64.tar.xz@"
  license "Apache-2.0" => { with: "LLVM-exception" }

  depends_on "gcc"
  depends_on arch: :x86_64
  depends_on :linux

  def install
    libexec.install Dir["*"]
    bin.install_symlink libexec/"bin/cufc", libexec/"bin/cufls"
    man1.install_symlink libexec/"share/man/man1/cufc.1.gz"
  end

  test do
    system bin/"cufls", "check", libexec/"share/cufc/examples/vector_add.cuf"
  end
end
