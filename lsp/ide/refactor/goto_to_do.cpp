// Loops made of labels become DO and END DO: "do 10 i = 1, n ... 10 continue" and, going back,
// "10 continue ... if (c) goto 10". A branch to the end of such a loop becomes CYCLE.
#include "base/source_text.h"
#include "ide/decimal.h"
#include "ide/refactor/routine_text.h"
#include <algorithm>

namespace cufc {
namespace {

struct LabelUse {
  size_t piece = 0, offset = 0, length = 0; // of "goto 10", with what stands before the label
  bool whole = false;                       // "goto 10", alone or behind IF
  bool conditional = false;                 // behind IF
};

// All places that name a label. Anything but GO TO is not understood, and counts as such.
std::vector<LabelUse> usesOf(const RoutineText &text, int label) {
  std::vector<LabelUse> uses;
  for (size_t i = 0; i < text.pieces.size(); ++i) {
    const Piece &piece = text.pieces[i];
    std::string before, beforeThat;
    size_t at = 0, atBefore = 0;
    forEachWordIn(piece.text, [&](const std::string &word, size_t place) {
      bool go = before == "goto" || (before == "to" && beforeThat == "go");
      bool digits = word.find_first_not_of("0123456789") == word.npos;
      if (digits && numberOf(word) == label) {
        bool last = place + word.size() == piece.text.size();
        LabelUse use{i, before == "goto" ? at : atBefore, 0, go && last, false};
        use.length = piece.text.size() - use.offset;
        if (go && last && use.offset > 0) {
          Subscripts condition = subscriptsIn(piece.text, 2);
          use.conditional = piece.word == "if" && condition &&
                            piece.text.find_first_not_of(" \t", condition.close + 1) == use.offset;
          use.whole = use.conditional;
        }
        bool list = go || before == "do" || piece.text.find("goto") != std::string::npos ||
                    piece.word == "go" || piece.word == "assign" || piece.word == "if" ||
                    piece.word == "read" || piece.word == "write" || piece.word == "print" ||
                    piece.word == "call" || piece.word == "open" || piece.word == "close" ||
                    piece.word == "inquire";
        if (list && before != "do")
          uses.push_back(use);
      }
      beforeThat = before;
      atBefore = at;
      before = word;
      at = place;
    });
  }
  return uses;
}

bool isWord(const std::string &text, const char *word) { return lowerCase(text) == word; }

// EXIT or CYCLE without a name right inside of these statements, which mean a loop around them.
int jumpOfOuterLoop(const RoutineText &text, size_t first, size_t last) {
  for (size_t i = first; i <= last; ++i) {
    std::string whole = lowerCase(text.pieces[i].text);
    bool jumps = whole.ends_with("exit") || whole.ends_with("cycle");
    if (!jumps)
      continue;
    bool own = std::any_of(text.pieces[i].blocks.begin(), text.pieces[i].blocks.end(), [&](int b) {
      size_t head = static_cast<size_t>(b / 1024);
      return head >= first && head <= last && text.pieces[head].isDo();
    });
    if (!own)
      return text.pieces[i].first;
  }
  return 0;
}

class LabelLoop {
public:
  explicit LabelLoop(const RoutineText &text) : text(text) {}

  Refactored run(size_t at) {
    const Piece &piece = text.pieces[at];
    if (piece.isDo() && piece.role.kind != StatementRole::Opens && piece.partner >= 0)
      return labelledDo(at);
    if (piece.label > 0 && isWord(piece.text, "continue"))
      return backwards(at);
    return refused(Refusal::NoLabelLoop);
  }

private:
  Refactored done(const std::string &title) {
    Refactored change;
    change.title = title;
    change.edits[text.context.file.path] = std::move(edits);
    return change;
  }

  // All loops that end at one label at once.
  Refactored labelledDo(size_t first) {
    auto end = static_cast<size_t>(text.pieces[first].partner);
    int label = text.pieces[end].label;
    std::vector<size_t> heads;
    for (size_t i = 0; i < end; ++i)
      if (text.pieces[i].partner == static_cast<int>(end))
        heads.push_back(i);
    if (heads.front() != first)
      return refused(Refusal::NoLabelLoop); // the outermost takes all
    if (std::string refusal = text.fixedLines(first, end); !refusal.empty())
      return refused("{}", refusal);
    for (const LabelUse &use : usesOf(text, label)) {
      bool plain = isWord(text.pieces[end].text, "continue"); // else it is executed on the way
      if (!plain || !use.whole || use.piece < heads.back() || use.piece > end)
        return refused(Refusal::LabelElsewhere, label, text.pieces[use.piece].first);
      for (int block : text.pieces[use.piece].blocks)
        if (size_t head = static_cast<size_t>(block / 1024);
            head > heads.back() && text.pieces[head].isDo())
          return refused(Refusal::LabelElsewhere, label, text.pieces[use.piece].first);
      edits.push_back({text.rangeOf(use.piece, use.offset, use.length), "cycle"});
    }
    for (size_t head : heads) {
      const std::string &whole = text.pieces[head].text;
      size_t word = lowerCase(whole).find("do") + 2;
      size_t digits = whole.find_first_of("0123456789", word);
      size_t behind = whole.find_first_not_of("0123456789", digits);
      behind = behind == std::string::npos ? whole.size() : whole.find_first_not_of(" \t,", behind);
      if (behind == std::string::npos || text.pieces[head].named)
        return refused(Refusal::NamedConstruct, text.pieces[head].first);
      edits.push_back({text.rangeOf(head, word, behind - word), " "});
    }
    closeLoops(heads, end);
    return done("turn the loop into DO and END DO");
  }

  void closeLoops(const std::vector<size_t> &heads, size_t end) {
    bool plain = isWord(text.pieces[end].text, "continue");
    std::string ends;
    for (auto head = heads.rbegin(); head != heads.rend(); ++head)
      ends += (ends.empty() ? "" : "\n") + text.indentation(*head) + "end do";
    if (text.context.file.reading.fixedForm)
      ends = fixedEnds(heads);
    if (!plain) { // its last statement stays, without its label
      const Document &document = text.context.document();
      int line = text.pieces[end].first;
      size_t column = static_cast<size_t>(text.pieces[end].places[0].column) - 1;
      edits.push_back(
          {{{line, 1}, {line, static_cast<int>(column) + 1}}, std::string(column, ' ')});
      edits.push_back(linesBelow(document, text.pieces[end].last, ends));
      return;
    }
    edits.push_back({text.linesOf(end, end), ends});
  }

  std::string fixedEnds(const std::vector<size_t> &heads) const {
    std::string ends;
    for (auto head = heads.rbegin(); head != heads.rend(); ++head) {
      auto column = static_cast<size_t>(text.pieces[*head].places[0].column) - 1;
      ends += (ends.empty() ? "" : "\n") + std::string(column, ' ') + "end do";
    }
    return ends;
  }

  // "10 continue", statements, "if (c) goto 10" or "goto 10".
  Refactored backwards(size_t begin) {
    int label = text.pieces[begin].label;
    std::vector<LabelUse> uses = usesOf(text, label);
    if (uses.size() != 1 || !uses[0].whole || uses[0].piece <= begin ||
        text.pieces[begin].partner >= 0)
      return uses.size() > 1
                 ? refused(Refusal::LabelElsewhere, label, text.pieces[uses[1].piece].first)
                 : refused(Refusal::NoLabelLoop);
    size_t end = uses[0].piece;
    if (text.pieces[end].blocks != text.pieces[begin].blocks)
      return refused(Refusal::NoLabelLoop);
    if (std::string refusal = text.fixedLines(begin, end); !refusal.empty())
      return refused("{}", refusal);
    if (int line = jumpOfOuterLoop(text, begin, end); line > 0)
      return refused(Refusal::ExitInside, "EXIT", line);
    for (size_t i = begin + 1; i <= end; ++i)
      if (text.pieces[i].label > 0 && text.pieces[i].word != "format")
        for (const LabelUse &use : usesOf(text, text.pieces[i].label))
          if (use.piece < begin || use.piece > end)
            return refused(Refusal::EntersLoop, text.pieces[i].label);
    if (text.pieces[end].label > 0)
      return refused(Refusal::Label, text.pieces[end].first);
    std::string blanks = text.indentation(end);
    edits.push_back({text.linesOf(begin, begin), blanks + "do"});
    std::string last = text.indentation(end);
    const std::string &whole = text.pieces[end].text;
    std::string exit;
    if (uses[0].conditional) {
      Subscripts condition = subscriptsIn(whole, 2);
      exit = last + "if (.not. (" +
             whole.substr(condition.open + 1, condition.close - condition.open - 1) + ")) exit\n";
    }
    edits.push_back({text.linesOf(end, end), exit + blanks + "end do"});
    return done("turn the branches to " + std::to_string(label) + " into DO and END DO");
  }

  const RoutineText &text;
  std::vector<TextChange> edits;
};

} // namespace

Refactored makeGotoToDo(const ActionContext &context, const RefactoringWish &) {
  RoutineText text = routineAt(context);
  if (!text.unit)
    return refused(Refusal::NoProcedure);
  if (!text.balanced)
    return refused(Refusal::Unbalanced);
  int at = text.pieceAt(context.range.begin.line);
  return at < 0 ? refused(Refusal::NotHere) : LabelLoop(text).run(static_cast<size_t>(at));
}

} // namespace cufc
