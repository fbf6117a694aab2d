#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <stad/options.hpp>

#include "base/try.hpp"
#include "data/choice.hpp"

// What parse_options, resolved_options, describe_options and validate() do with the list of a method's options.
// Included by the files that instantiate them, after the lists.

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

// Rules in words; parsing, validation and the listing say the same sentence.

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

inline std::string written(double value) { return fmt::format("{}", value); }
inline std::string written(Index value) { return fmt::format("{}", value); }
inline std::string written(const std::optional<Index>& value) { return value ? written(*value) : "all"; }

template <typename Number>
std::optional<Number> read(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Finds the first field whose value breaks its rule.
class Validator {
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

  const std::string& complaint() const { return complaint_; }

 private:
  void expect(bool kept, const char* name, const std::string& value, const std::string& rule) {
    if (!kept && complaint_.empty()) complaint_ = fmt::format("{} = {}, {}", name, value, rule);
  }
  std::string complaint_;
};

/// Sets the field of one name from text.
class Assigner {
 public:
  Assigner(std::string_view name, std::string_view text) : name_(name), text_(text) {}

  void number(const char* name, double& field, double least, double most, const char*) {
    assign(name, field, read<double>(text_), [&] { return number_rule(least, most); });
  }
  void integer(const char* name, Index& field, Index least, Index most, const char*) {
    assign(name, field, read<Index>(text_), [&] { return integer_rule(least, most); });
  }
  void integer_or_all(const char* name, std::optional<Index>& field, Index least, Index most, const char*) {
    std::optional<std::optional<Index>> parsed;
    if (text_ == "all") parsed = std::optional<Index>();
    if (const auto value = read<Index>(text_)) parsed = value;
    assign(name, field, parsed, [&] { return integer_or_all_rule(least, most); });
  }
  template <typename Enum, std::size_t N>
  void choice(const char* name, Enum& field, const std::array<Choice<Enum>, N>& choices, const char*) {
    std::optional<Enum> parsed;
    for (const auto& choice : choices)
      if (choice.name == text_) parsed = choice.value;
    assign(name, field, parsed, [&] { return choice_rule(choices); });
  }

  bool found() const { return found_; }
  const std::string& complaint() const { return complaint_; }

 private:
  template <typename Field, typename Rule>
  void assign(const char* name, Field& field, const std::optional<Field>& parsed, Rule rule) {
    if (name_ != name) return;
    found_ = true;
    if (parsed)
      field = *parsed;
    else
      complaint_ = fmt::format("{} = {}, {}", name_, text_, rule());
  }

  std::string_view name_;
  std::string_view text_;
  bool found_ = false;
  std::string complaint_;
};

/// Writes every field with its value in force.
struct Printer {
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

 private:
  void add(const char* name, std::string value, bool is_number) {
    settings.push_back({name, std::move(value), is_number});
  }
};

/// Writes what there is to know about every field of a default-constructed value.
struct Lister {
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
};

template <typename Options>
std::string known_names() {
  std::string names;
  for (const auto& info : describe_options<Options>()) names.append(names.empty() ? "" : ", ").append(info.name);
  return names.empty() ? "this method has none" : "must be one of " + names;
}

template <typename Options>
Status validate_fields(Options options) {
  Validator validator;
  visit_options(options, validator);
  if (!validator.complaint().empty())
    return invalid(fmt::format("{}: {}", method_name(options), validator.complaint()));
  return {};
}

}  // namespace option_visitors

template <typename Options>
Result<Options> parse_options(const OptionValues& values) {
  Options options;
  for (const auto& [name, text] : values) {
    option_visitors::Assigner assigner(name, text);
    visit_options(options, assigner);
    if (!assigner.found())
      return invalid(fmt::format("{}: unknown option {}, {}", method_name(options), name,
                                 option_visitors::known_names<Options>()));
    if (!assigner.complaint().empty())
      return invalid(fmt::format("{}: {}", method_name(options), assigner.complaint()));
  }
  STAD_TRY(options.validate());
  return options;
}

template <typename Options>
std::vector<OptionSetting> resolved_options(const Options& options) {
  option_visitors::Printer printer;
  Options copy = options;
  visit_options(copy, printer);
  return std::move(printer.settings);
}

template <typename Options>
std::vector<OptionInfo> describe_options() {
  option_visitors::Lister lister;
  Options defaults;
  visit_options(defaults, lister);
  return std::move(lister.infos);
}

#define STAD_INSTANTIATE_OPTIONS(Options)                                              \
  Status Options::validate() const { return option_visitors::validate_fields(*this); } \
  template STAD_API Result<Options> parse_options<Options>(const OptionValues&);       \
  template STAD_API std::vector<OptionSetting> resolved_options(const Options&);       \
  template STAD_API std::vector<OptionInfo> describe_options<Options>();

}  // namespace stad
