// parse_options, resolved_options, describe_options and validate() for every option struct: visitors of the lists in
// data/option_list.hpp.

#include <stad/options.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/try.hpp"
#include "data/option_list.hpp"

namespace stad {
namespace option_visitors {

template <typename Enum, std::size_t N>
std::string list_names(const std::array<Choice<Enum>, N>& choices, std::string_view separator) {
  std::string names;
  for (const auto& choice : choices) names.append(names.empty() ? "" : separator).append(choice.name);
  return names;
}

template <typename Enum, std::size_t N>
std::string_view name_of(Enum value, const std::array<Choice<Enum>, N>& choices) {
  for (const auto& choice : choices)
    if (choice.value == value) return choice.name;
  return "?";
}

// Rules as text, shared by parsing, validation and the listing.

inline std::string number_rule(double least, double most) {
  return fmt::format("must be a number from {:g} to {:g}", least, most);
}
inline std::string integer_rule(Index least, Index most) {
  return fmt::format("must be a whole number from {} to {}", least, most);
}
inline std::string integer_or_all_rule(Index least, Index most) { return integer_rule(least, most) + " or all"; }

template <typename Enum, std::size_t N>
std::string choice_rule(const std::array<Choice<Enum>, N>& choices) {
  return "must be one of " + list_names(choices, ", ");
}

/// Names separated by commas.
template <std::size_t N>
std::string names_rule(const std::array<std::string_view, N>& names) {
  return fmt::format("must be auto, none, or different names of {}, separated by commas", fmt::join(names, ", "));
}

template <std::size_t N>
bool are_names(std::string_view text, const std::array<std::string_view, N>& names) {
  if (text == "auto" || text == "none") return true;
  std::array<bool, N> used{};
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto found = std::find(names.begin(), names.end(), text.substr(begin, end - begin));
    if (found == names.end() || std::exchange(used[static_cast<std::size_t>(found - names.begin())], true))
      return false;
    begin = end + 1;
  }
  return true;
}

inline std::string written(double value) { return fmt::format("{}", value); }
inline std::string written(Index value) { return fmt::format("{}", value); }
inline std::string written(const std::optional<Index>& value) { return value ? written(*value) : "all"; }

template <typename Number>
std::optional<Number> parse_text(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Finds the first field whose value breaks its rule.
class OptionValidator {
 public:
  void number(const char* name, double value, double least, double most, const char*) {
    expect(value >= least && value <= most, name, written(value), number_rule(least, most));
  }
  void integer(const char* name, Index value, Index least, Index most, const char*) {
    expect(value >= least && value <= most, name, written(value), integer_rule(least, most));
  }
  void integer_or_all(const char* name, const std::optional<Index>& value, Index least, Index most, const char*) {
    expect(!value || (*value >= least && *value <= most), name, written(value), integer_or_all_rule(least, most));
  }
  template <typename Enum, std::size_t N>
  void choice(const char*, Enum, const std::array<Choice<Enum>, N>&, const char*) {}
  template <std::size_t N>
  void names(const char* name, const std::string& value, const std::array<std::string_view, N>& allowed, const char*) {
    expect(are_names(value, allowed), name, value, names_rule(allowed));
  }

  const std::string& error_text() const { return error_; }

 private:
  void expect(bool kept, const char* name, const std::string& value, const std::string& rule) {
    if (!kept && error_.empty()) error_ = fmt::format("{} = {}, {}", name, value, rule);
  }
  std::string error_;
};

/// Sets the field of one name from text.
class OptionAssigner {
 public:
  OptionAssigner(std::string_view name, std::string_view text) : name_(name), text_(text) {}

  void number(const char* name, double& field, double least, double most, const char*) {
    assign(name, field, parse_text<double>(text_), [&] { return number_rule(least, most); });
  }
  void integer(const char* name, Index& field, Index least, Index most, const char*) {
    assign(name, field, parse_text<Index>(text_), [&] { return integer_rule(least, most); });
  }
  void integer_or_all(const char* name, std::optional<Index>& field, Index least, Index most, const char*) {
    std::optional<std::optional<Index>> parsed;
    if (text_ == "all") parsed = std::optional<Index>();
    if (const auto value = parse_text<Index>(text_)) parsed = value;
    assign(name, field, parsed, [&] { return integer_or_all_rule(least, most); });
  }
  template <typename Enum, std::size_t N>
  void choice(const char* name, Enum& field, const std::array<Choice<Enum>, N>& choices, const char*) {
    std::optional<Enum> parsed;
    for (const auto& choice : choices)
      if (choice.name == text_) parsed = choice.value;
    assign(name, field, parsed, [&] { return choice_rule(choices); });
  }
  template <std::size_t N>
  void names(const char* name, std::string& field, const std::array<std::string_view, N>& allowed, const char*) {
    const auto parsed = are_names(text_, allowed) ? std::optional(std::string(text_)) : std::nullopt;
    assign(name, field, parsed, [&] { return names_rule(allowed); });
  }

  bool found() const { return found_; }
  const std::string& error_text() const { return error_; }

 private:
  template <typename Field, typename Rule>
  void assign(const char* name, Field& field, const std::optional<Field>& parsed, Rule rule) {
    if (name_ != name) return;
    found_ = true;
    if (parsed)
      field = *parsed;
    else
      error_ = fmt::format("{} = {}, {}", name_, text_, rule());
  }

  std::string_view name_;
  std::string_view text_;
  bool found_ = false;
  std::string error_;
};

/// Collects every field with its value.
struct OptionPrinter {
  std::vector<OptionSetting> settings;

  void number(const char* name, double value, double, double, const char*) { add(name, written(value), true); }
  void integer(const char* name, Index value, Index, Index, const char*) { add(name, written(value), true); }
  void integer_or_all(const char* name, const std::optional<Index>& value, Index, Index, const char*) {
    add(name, written(value), value.has_value());
  }
  template <typename Enum, std::size_t N>
  void choice(const char* name, Enum value, const std::array<Choice<Enum>, N>& choices, const char*) {
    add(name, std::string(name_of(value, choices)), false);
  }
  template <std::size_t N>
  void names(const char* name, const std::string& value, const std::array<std::string_view, N>&, const char*) {
    add(name, value, false);
  }

 private:
  void add(const char* name, std::string value, bool is_number) {
    settings.push_back({name, std::move(value), is_number});
  }
};

/// Collects name, default, rule and summary of every field of a default-constructed value.
struct OptionLister {
  std::vector<OptionInfo> infos;

  void number(const char* name, double value, double least, double most, const char* summary) {
    infos.push_back({name, written(value), number_rule(least, most), summary});
  }
  void integer(const char* name, Index value, Index least, Index most, const char* summary) {
    infos.push_back({name, written(value), integer_rule(least, most), summary});
  }
  void integer_or_all(const char* name, const std::optional<Index>& value, Index least, Index most,
                      const char* summary) {
    infos.push_back({name, written(value), integer_or_all_rule(least, most), summary});
  }
  template <typename Enum, std::size_t N>
  void choice(const char* name, Enum value, const std::array<Choice<Enum>, N>& choices, const char* summary) {
    infos.push_back({name, std::string(name_of(value, choices)), choice_rule(choices), summary});
  }
  template <std::size_t N>
  void names(const char* name, const std::string& value, const std::array<std::string_view, N>& allowed,
             const char* summary) {
    infos.push_back({name, value, names_rule(allowed), summary});
  }
};

template <typename Options>
std::string known_names() {
  std::string names;
  for (const auto& info : describe_options<Options>()) names.append(names.empty() ? "" : ", ").append(info.name);
  return names.empty() ? "this method has none" : "must be one of " + names;
}

template <typename Options>
Status validate_fields(Options options) {
  OptionValidator validator;
  visit_options(options, validator);
  if (!validator.error_text().empty())
    return invalid(fmt::format("{}: {}", method_name(options), validator.error_text()));
  return {};
}

}  // namespace option_visitors

template <typename Options>
Result<Options> parse_options(const OptionValues& values) {
  Options options;
  for (const auto& [name, text] : values) {
    option_visitors::OptionAssigner assigner(name, text);
    visit_options(options, assigner);
    if (!assigner.found())
      return invalid(fmt::format("{}: unknown option {}, {}", method_name(options), name,
                                 option_visitors::known_names<Options>()));
    if (!assigner.error_text().empty())
      return invalid(fmt::format("{}: {}", method_name(options), assigner.error_text()));
  }
  STAD_TRY(options.validate());
  return options;
}

template <typename Options>
std::vector<OptionSetting> resolved_options(const Options& options) {
  option_visitors::OptionPrinter printer;
  Options copy = options;
  visit_options(copy, printer);
  return std::move(printer.settings);
}

template <typename Options>
std::vector<OptionInfo> describe_options() {
  option_visitors::OptionLister lister;
  Options defaults;
  visit_options(defaults, lister);
  return std::move(lister.infos);
}

#define STAD_INSTANTIATE_OPTIONS(Options)                                              \
  Status Options::validate() const { return option_visitors::validate_fields(*this); } \
  template STAD_API Result<Options> parse_options<Options>(const OptionValues&);       \
  template STAD_API std::vector<OptionSetting> resolved_options(const Options&);       \
  template STAD_API std::vector<OptionInfo> describe_options<Options>();

STAD_INSTANTIATE_OPTIONS(SourceOptions)
STAD_INSTANTIATE_OPTIONS(StadSafeOptions)
STAD_INSTANTIATE_OPTIONS(NormaliseOptions)
STAD_INSTANTIATE_OPTIONS(PriorOptions)
STAD_INSTANTIATE_OPTIONS(T3aOptions)
STAD_INSTANTIATE_OPTIONS(LameOptions)
STAD_INSTANTIATE_OPTIONS(StadVmfOptions)
STAD_INSTANTIATE_OPTIONS(StadGaussOptions)

STAD_INSTANTIATE_OPTIONS(BnOptions)
STAD_INSTANTIATE_OPTIONS(TentOptions)
STAD_INSTANTIATE_OPTIONS(ShotOptions)
STAD_INSTANTIATE_OPTIONS(SarOptions)
STAD_INSTANTIATE_OPTIONS(CottaOptions)
STAD_INSTANTIATE_OPTIONS(RottaOptions)
STAD_INSTANTIATE_OPTIONS(CmfOptions)
STAD_INSTANTIATE_OPTIONS(OracleOptions)

}  // namespace stad
