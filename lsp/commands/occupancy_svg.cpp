// Three plots a kernel: occupancy over block size, registers and shared memory, each a line of
// steps with the kernel's own value marked. Colours are readable on light and dark pages.
#include "commands/occupancy.h"
#include <algorithm>

namespace cufc {
namespace {

constexpr int left = 56, plotWidth = 240, plotHeight = 120, gap = 56, rowHeight = 200, top = 56;

std::string escaped(std::string_view text) {
  std::string result;
  for (char c : text)
    result += c == '<'   ? "&lt;"
              : c == '>' ? "&gt;"
              : c == '&' ? "&amp;"
              : c == '"' ? "&quot;"
                         : std::string(1, c);
  return result;
}

std::string textAt(double x, double y, std::string_view text, std::string_view more = "") {
  return fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\"{}>{}</text>\n", x, y, more, escaped(text));
}

struct Plot {
  const char *title;
  const std::vector<CurvePoint> &curve;
  std::int64_t mark; // the kernel's own value
  double share;      // and its occupancy
};

class Picture {
public:
  std::string draw(const MeasuredRun &run) {
    int width = left + 3 * plotWidth + 2 * gap + 24;
    size_t known = static_cast<size_t>(std::count_if(
        run.kernels.begin(), run.kernels.end(), [](const KernelReport &k) { return k.known(); }));
    int height = top + static_cast<int>(known) * rowHeight;
    svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" font-family=\"sans-serif\" font-size=\"11\" fill=\"#444\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        width, height);
    svg += textAt(16, 24,
                  fmt::format("Theoretical occupancy on cc{} ({}, {} multiprocessors)",
                              run.gpu.number, run.chip.name, run.chip.multiprocessors),
                  " font-size=\"15\" fill=\"#111\"");
    int y = top;
    for (const KernelReport &kernel : run.kernels)
      if (kernel.known()) {
        drawKernel(run.gpu, kernel, y);
        y += rowHeight;
      }
    return svg + "</svg>\n";
  }

private:
  void drawKernel(const GpuLimits &gpu, const KernelReport &kernel, int y) {
    KernelResources resources = kernel.resources();
    std::vector<CurvePoint> sizes = blockSizeCurve(gpu, resources),
                            registers = registerCurve(gpu, resources, kernel.blockSize),
                            shared = sharedCurve(gpu, resources, kernel.blockSize);
    svg += textAt(16, y + 12,
                  fmt::format("{}: {} with blocks of {} threads", kernel.name,
                              percent(kernel.occupancy.share), kernel.blockSize),
                  " font-size=\"12\" fill=\"#111\"");
    double share = kernel.occupancy.share;
    const Plot plots[] = {
        {"threads of a block", sizes, kernel.blockSize, share},
        {"registers of a thread", registers, kernel.cost.registers, share},
        {"bytes of shared memory of a block", shared, resources.sharedBytes, share}};
    int x = left;
    for (const Plot &plot : plots) {
      drawPlot(plot, x, y + 24);
      x += plotWidth + gap;
    }
  }

  void drawPlot(const Plot &plot, int x, int y) {
    std::int64_t last = std::max<std::int64_t>(1, plot.curve.empty() ? 1 : plot.curve.back().x);
    auto across = [&](std::int64_t value) {
      return x + plotWidth *
                     std::clamp(static_cast<double>(value) / static_cast<double>(last), 0.0, 1.0);
    };
    auto up = [&](double share) { return y + plotHeight * (1 - share); };
    for (int quarter = 0; quarter <= 4; ++quarter) {
      double share = quarter / 4.0;
      svg += fmt::format("<path d=\"M{} {:.1f}h{}\" stroke=\"#ddd\"/>\n", x, up(share), plotWidth);
      svg += textAt(x - 6, up(share) + 4, percent(share), " text-anchor=\"end\"");
    }
    std::string path;
    double before = -1;
    for (const CurvePoint &point : plot.curve) {
      if (before >= 0)
        path += fmt::format("H{:.1f}", across(point.x));
      path += fmt::format("{}{:.1f}", before < 0 ? fmt::format("M{:.1f} ", across(point.x)) : "V",
                          up(point.occupancy.share));
      before = point.occupancy.share;
    }
    svg += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"#2a6fb0\" stroke-width=\"1.8\"/>\n",
                       path);
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"#c2410c\"/>\n",
                       across(plot.mark), up(plot.share));
    svg += textAt(x, y + plotHeight + 16,
                  std::to_string(plot.curve.empty() ? 0 : plot.curve.front().x));
    svg += textAt(x + plotWidth, y + plotHeight + 16, std::to_string(last), " text-anchor=\"end\"");
    svg += textAt(x + plotWidth / 2.0, y + plotHeight + 30,
                  fmt::format("{} (here {})", plot.title, plot.mark), " text-anchor=\"middle\"");
  }

  std::string svg;
};

} // namespace

std::string occupancySvg(const MeasuredRun &run) { return Picture().draw(run); }

} // namespace cufc
