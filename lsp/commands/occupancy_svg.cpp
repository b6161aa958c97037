// Three plots a kernel: occupancy over block size, registers and shared memory, each a line of
// steps with the kernel's own value marked, and in the first the blocks of its other launches.
// Where the viewer prefers dark pages, the picture is dark.
#include "commands/occupancy.h"
#include <algorithm>
#include <fmt/format.h>

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

struct Mark {
  std::int64_t x;
  double share;
  bool operator==(const Mark &) const = default;
};

struct Plot {
  const char *title;
  const std::vector<CurvePoint> &curve;
  std::int64_t tick;        // the distance of numbers below it
  std::int64_t unit;        // what they are divided by
  Mark own;                 // the kernel's value and its occupancy
  std::vector<Mark> others; // of other launches
};

constexpr const char *style = R"(<style>
 svg { fill: #444; } .page { fill: #fff; } .title { fill: #111; } .grid { stroke: #ddd; }
 .curve { fill: none; stroke: #2a6fb0; stroke-width: 1.8; } .own { fill: #c2410c; }
 .launch { fill: none; stroke: #c2410c; stroke-width: 1.5; }
 @media (prefers-color-scheme: dark) {
  svg { fill: #bbb; } .page { fill: #1c1c1c; } .title { fill: #eee; } .grid { stroke: #3a3a3a; }
  .curve { stroke: #6cb2f2; } .own { fill: #fb923c; } .launch { stroke: #fb923c; }
 }
</style>
)";

class Picture {
public:
  std::string draw(const MeasuredRun &run) {
    int width = left + 3 * plotWidth + 2 * gap + 24;
    size_t known = static_cast<size_t>(std::count_if(
        run.kernels.begin(), run.kernels.end(), [](const KernelReport &k) { return k.known(); }));
    int height = top + static_cast<int>(known) * rowHeight + 8;
    svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" font-family=\"sans-serif\" font-size=\"11\">\n",
        width, height);
    std::string title = fmt::format("Theoretical occupancy on cc{} ({}, {} multiprocessors)",
                                    run.gpu.number, run.chip.name, run.chip.multiprocessors);
    svg += "<title>" + escaped(title) + "</title>\n" + style +
           "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n";
    svg += textAt(16, 24, title, " class=\"title\" font-size=\"15\"");
    if (known > 0)
      svg += textAt(16, 42,
                    "Dots: as the table shows the kernel. Rings: blocks of its other launches.");
    else
      svg += textAt(16, 46, run.missing.empty() ? "no kernels" : run.missing);
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
                  " class=\"title\" font-size=\"12\"");
    double share = kernel.occupancy.share;
    constexpr std::int64_t kilobyte = 1024;
    const Plot plots[] = {
        {"threads of a block", sizes, 256, 1, {kernel.blockSize, share}, otherLaunches(kernel)},
        {"registers of a thread", registers, 64, 1, {kernel.cost.registers, share}, {}},
        {"shared memory of a block, KB",
         shared,
         64 * kilobyte,
         kilobyte,
         {resources.sharedBytes, share},
         {}}};
    int x = left;
    for (const Plot &plot : plots) {
      drawPlot(plot, x, y + 24);
      x += plotWidth + gap;
    }
  }

  // With the dynamic memory of each, so not always on the line.
  static std::vector<Mark> otherLaunches(const KernelReport &kernel) {
    std::vector<Mark> marks;
    for (const LaunchReport &launch : kernel.launches)
      if (launch.occupancy && launch.block) {
        const LaunchReport::Extents &block = *launch.block;
        Mark mark{block[0] * block[1] * block[2], launch.occupancy->share};
        if (mark.x != kernel.blockSize && !std::count(marks.begin(), marks.end(), mark))
          marks.push_back(mark);
      }
    return marks;
  }

  void drawPlot(const Plot &plot, int x, int y) {
    if (plot.curve.empty())
      return;
    std::int64_t first = plot.curve.front().x, last = std::max(first + 1, plot.curve.back().x);
    auto across = [&](std::int64_t value) {
      double part = static_cast<double>(value - first) / static_cast<double>(last - first);
      return x + plotWidth * std::clamp(part, 0.0, 1.0);
    };
    auto up = [&](double share) { return y + plotHeight * (1 - share); };
    for (int quarter = 0; quarter <= 4; ++quarter) {
      double share = quarter / 4.0;
      svg += fmt::format("<path class=\"grid\" d=\"M{} {:.1f}h{}\"/>\n", x, up(share), plotWidth);
      svg += textAt(x - 6, up(share) + 4, percent(share), " text-anchor=\"end\"");
    }
    drawTicks(plot, first, last, across, y + plotHeight);
    std::string path;
    for (const CurvePoint &point : plot.curve) {
      path += path.empty() ? fmt::format("M{:.1f} ", across(point.x))
                           : fmt::format("H{:.1f}V", across(point.x));
      path += fmt::format("{:.1f}", up(point.occupancy.share));
    }
    svg += fmt::format("<path class=\"curve\" d=\"{}\"/>\n", path);
    for (const Mark &mark : plot.others)
      svg += fmt::format("<circle class=\"launch\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>\n",
                         across(mark.x), up(mark.share));
    svg += fmt::format("<circle class=\"own\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>\n",
                       across(plot.own.x), up(plot.own.share));
    svg += textAt(x + plotWidth / 2.0, y + plotHeight + 32,
                  fmt::format("{} (here {})", plot.title, inUnit(plot.own.x, plot.unit)),
                  " text-anchor=\"middle\"");
  }

  static std::string inUnit(std::int64_t value, std::int64_t unit) {
    return value % unit == 0
               ? std::to_string(value / unit)
               : fmt::format("{:.1f}", static_cast<double>(value) / static_cast<double>(unit));
  }

  // The first and the last value, and round ones that are not too near to them.
  template <typename Across>
  void drawTicks(const Plot &plot, std::int64_t first, std::int64_t last, Across across, int y) {
    std::vector<std::int64_t> values = {first};
    for (std::int64_t value = plot.tick; value < last; value += plot.tick)
      if (value - first > plot.tick / 2 && last - value > plot.tick / 2)
        values.push_back(value);
    values.push_back(last);
    for (std::int64_t value : values) {
      svg += fmt::format("<path class=\"grid\" d=\"M{:.1f} {}v4\"/>\n", across(value), y);
      svg += textAt(across(value), y + 16, inUnit(value, plot.unit), " text-anchor=\"middle\"");
    }
  }

  std::string svg;
};

} // namespace

std::string occupancySvg(const MeasuredRun &run) { return Picture().draw(run); }

} // namespace cufc
