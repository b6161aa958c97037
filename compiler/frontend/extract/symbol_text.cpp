// flang writes expressions with all kinds, such as int(n,kind=8)*2_8. People want n*2.
#include "frontend/extract/symbol_text.h"
#include "base/source_text.h"
#include "flang/Evaluate/expression.h"
#include "flang/Evaluate/fold.h"
#include "flang/Semantics/tools.h"
#include "flang/Semantics/type.h"
#include "frontend/workarounds/assumed_sizes.h"
#include <algorithm>
#include <cctype>

namespace cufc {
namespace {

using namespace Fortran;

constexpr size_t longestValue = 120;
constexpr std::int64_t mostElements = 16; // of an array whose value is shown

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The end of a number without its kind at `at`, or `at` if none begins there.
size_t endOfInteger(const std::string &text, size_t at) {
  if (at > 0 && (isWord(text[at - 1]) || text[at - 1] == '.'))
    return at;
  size_t end = at;
  while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])))
    ++end;
  return end;
}

// int(x,kind=8) becomes x.
std::string withoutConversions(std::string text) {
  static constexpr std::string_view opening = "int(", closing = ",kind=8)";
  for (size_t end = text.find(closing); end != std::string::npos; end = text.find(closing)) {
    int depth = 0;
    size_t begin = end;
    while (begin > 0 && (depth > 0 || text[begin - 1] != '(')) {
      --begin;
      depth += text[begin] == ')' ? 1 : text[begin] == '(' ? -1 : 0;
    }
    if (begin < opening.size() ||
        text.compare(begin - opening.size(), opening.size(), opening) != 0)
      return text;
    text.erase(end, closing.size());
    text.erase(begin - opening.size(), opening.size());
  }
  return text;
}

// flang 23 calls that function by a name that no procedure of the program hides.
std::string withPublicConversions(std::string text) {
  static constexpr std::string_view name = "__builtin_int(";
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at))
    text.replace(at, name.size(), "int(");
  return text;
}

std::string readable(const std::string &original) {
  std::string text = withoutConversions(withPublicConversions(original)), result;
  for (size_t i = 0; i < text.size();) {
    if (size_t colons = text.find("::", i); text[i] == '[' && colons != std::string::npos) {
      result += '['; // [INTEGER(4)::1_4,2_4]
      i = colons + 2;
    } else if (size_t end = endOfInteger(text, i); end > i) {
      result.append(text, i, end - i);
      i = end;
      if (i + 1 < text.size() && text[i] == '_')
        i += 2;
    } else if (text[i] == '_' && i > 0 && text[i - 1] == '.' && i + 1 < text.size() &&
               text[i + 1] == '4') {
      i += 2; // .true._4, 1._4
    } else {
      result += text[i++];
    }
  }
  return result;
}

template <typename Expression>
std::string expressionText(const std::optional<Expression> &expression) {
  if (!expression)
    return "?";
  if (auto number = evaluate::ToInt64(*expression))
    return std::to_string(*number);
  return readable(expression->AsFortran());
}

std::string parameterText(const semantics::ParamValue &value) {
  return value.isAssumed() ? "*" : value.isDeferred() ? ":" : expressionText(value.GetExplicit());
}

std::string kindText(const semantics::IntrinsicTypeSpec &type) {
  auto kind = evaluate::ToInt64(type.kind());
  return kind ? std::to_string(*kind) : readable(type.kind().AsFortran());
}

std::string intrinsicText(const semantics::DeclTypeSpec &type) {
  if (type.category() == semantics::DeclTypeSpec::Character) {
    const semantics::CharacterTypeSpec &character = type.characterTypeSpec();
    std::string kind = kindText(character);
    return "character(len=" + parameterText(character.length()) +
           (kind == "1" ? ")" : ",kind=" + kind + ")");
  }
  const semantics::IntrinsicTypeSpec *intrinsic = type.AsIntrinsic();
  if (!intrinsic)
    return {};
  return lowerCase(common::EnumToString(intrinsic->category())) + "(" + kindText(*intrinsic) + ")";
}

std::string derivedText(const semantics::DerivedTypeSpec &type) {
  std::string text = publicName(type.typeSymbol().name().ToString());
  std::string parameters;
  for (const auto &[name, value] : type.parameters())
    parameters += (parameters.empty() ? "" : ",") + name.ToString() + "=" + parameterText(value);
  return parameters.empty() ? text : text + "(" + parameters + ")";
}

std::string boundsText(const semantics::ShapeSpec &dimension) {
  const semantics::Bound &low = dimension.lbound(), &high = dimension.ubound();
  bool one = low.isExplicit() && low.GetExplicit() && evaluate::ToInt64(*low.GetExplicit()) == 1;
  std::string from =
      low.isExplicit() && low.GetExplicit() && !one ? expressionText(low.GetExplicit()) + ":" : "";
  if (high.isColon())
    return from.empty() ? ":" : from;
  if (high.isStar() ||
      (high.GetExplicit() && evaluate::ToInt64(*high.GetExplicit()) == assumedExtent))
    return from + "*";
  return from + expressionText(high.GetExplicit());
}

const semantics::ObjectEntityDetails *objectOf(const semantics::Symbol &symbol) {
  if (const auto *procedure = symbol.detailsIf<semantics::SubprogramDetails>();
      procedure && procedure->isFunction())
    return procedure->result().detailsIf<semantics::ObjectEntityDetails>();
  return symbol.detailsIf<semantics::ObjectEntityDetails>();
}

bool isShort(const semantics::ArraySpec &shape) {
  std::int64_t elements = 1;
  for (const semantics::ShapeSpec &dimension : shape) {
    const auto &high = dimension.ubound().GetExplicit();
    auto extent = high ? evaluate::ToInt64(*high) : std::nullopt;
    if (!extent || *extent < 0 || *extent > mostElements)
      return false;
    elements *= *extent;
  }
  return elements <= mostElements;
}

} // namespace

std::string publicName(std::string name) {
  static constexpr std::string_view prefix = "__builtin_";
  return name.compare(0, prefix.size(), prefix) == 0 ? name.substr(prefix.size()) : name;
}

std::string typeText(const semantics::Symbol &symbol) {
  using Category = semantics::DeclTypeSpec::Category;
  const semantics::DeclTypeSpec *type = symbol.GetType();
  if (!type)
    return {};
  switch (type->category()) {
  case Category::TypeDerived:
    return "type(" + derivedText(type->derivedTypeSpec()) + ")";
  case Category::ClassDerived:
    return "class(" + derivedText(type->derivedTypeSpec()) + ")";
  case Category::TypeStar:
    return "type(*)";
  case Category::ClassStar:
    return "class(*)";
  default:
    return intrinsicText(*type);
  }
}

std::string shapeText(const semantics::Symbol &symbol) {
  const semantics::ObjectEntityDetails *object = objectOf(symbol);
  if (!object || object->shape().empty())
    return {};
  if (object->shape().IsAssumedRank())
    return "(..)";
  std::string text;
  for (const semantics::ShapeSpec &dimension : object->shape())
    text += (text.empty() ? "(" : ",") + boundsText(dimension);
  return text + ")";
}

std::string valueText(const semantics::Symbol &symbol) {
  const auto *object = symbol.detailsIf<semantics::ObjectEntityDetails>();
  if (!object || !object->init() || !isShort(object->shape()))
    return {};
  std::string text = readable(object->init()->AsFortran());
  return text.size() <= longestValue ? text : std::string();
}

std::vector<std::string> attributeTexts(const semantics::Symbol &symbol) {
  using semantics::Attr;
  static constexpr std::pair<Attr, const char *> otherwise[] = {
      {Attr::INTENT_IN, "intent(in)"},
      {Attr::INTENT_OUT, "intent(out)"},
      {Attr::INTENT_INOUT, "intent(inout)"},
      {Attr::BIND_C, "bind(c)"}};
  std::vector<std::string> texts;
  symbol.attrs().IterateOverMembers([&](Attr attribute) {
    if (symbol.implicitAttrs().test(attribute))
      return;
    std::string text = lowerCase(semantics::AttrToString(attribute));
    for (const auto &[other, spelling] : otherwise)
      if (attribute == other)
        text = spelling;
    texts.push_back(text);
  });
  if (const auto *object = symbol.detailsIf<semantics::ObjectEntityDetails>();
      object && object->cudaDataAttr())
    texts.push_back(lowerCase(common::EnumToString(*object->cudaDataAttr())));
  if (const auto *procedure = symbol.detailsIf<semantics::SubprogramDetails>();
      procedure && procedure->cudaSubprogramAttrs()) {
    std::string names = lowerCase(common::EnumToString(*procedure->cudaSubprogramAttrs()));
    texts.push_back("attributes(" + (names == "hostdevice" ? "host,device" : names) + ")");
  }
  return texts;
}

std::uint16_t dataAttributesOf(const semantics::Symbol &symbol) {
  const semantics::ObjectEntityDetails *object = objectOf(symbol);
  if (!object || !object->cudaDataAttr())
    return 0;
  switch (*object->cudaDataAttr()) {
  case common::CUDADataAttr::Constant:
    return data_attribute::Constant;
  case common::CUDADataAttr::Device:
    return data_attribute::Device;
  case common::CUDADataAttr::Managed:
    return data_attribute::Managed;
  case common::CUDADataAttr::Pinned:
    return data_attribute::Pinned;
  case common::CUDADataAttr::Shared:
    return data_attribute::Shared;
  case common::CUDADataAttr::Texture:
    return data_attribute::Texture;
  case common::CUDADataAttr::Unified:
    return data_attribute::Unified;
  default:
    return 0;
  }
}

std::uint8_t procedureAttributesOf(const semantics::Symbol &symbol) {
  const auto *procedure = symbol.detailsIf<semantics::SubprogramDetails>();
  if (!procedure || !procedure->cudaSubprogramAttrs())
    return 0;
  switch (*procedure->cudaSubprogramAttrs()) {
  case common::CUDASubprogramAttrs::Host:
    return procedure_attribute::Host;
  case common::CUDASubprogramAttrs::Device:
    return procedure_attribute::Device;
  case common::CUDASubprogramAttrs::HostDevice:
    return procedure_attribute::Host | procedure_attribute::Device;
  case common::CUDASubprogramAttrs::Global:
    return procedure_attribute::Global;
  case common::CUDASubprogramAttrs::Grid_Global:
    return procedure_attribute::Global | procedure_attribute::GridGlobal;
  }
  return 0;
}

} // namespace cufc
