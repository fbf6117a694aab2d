#include "cli/report_page.hpp"

#include <string_view>

namespace stad::cli {
namespace {

/// Escapes `<`, which could end the script element that holds the data or open a comment in it.
std::string json_for_html(const Json& value) {
  std::string escaped;
  for (const char c : json_text(value)) {
    if (c == '<')
      escaped += "\\u003c";
    else
      escaped += c;
  }
  return escaped;
}

std::string text_for_html(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else
      escaped += c;
  }
  return escaped;
}

std::string piece(const Json& report, std::string_view name) {
  if (name == "title") return text_for_html(report.at("title").get<std::string>());
  if (name == "data") return json_for_html(report);
  return std::string(report_file(name));
}

}  // namespace

std::string report_page(const Json& report) {
  // The template names each piece once: {{title}}, {{data}}, or an embedded file, so that it alone defines the order of
  // the scripts. Inserted text is not expanded again.
  std::string page;
  std::string_view rest = report_file("report.html");
  for (auto open = rest.find("{{"); open != std::string_view::npos; open = rest.find("{{")) {
    const auto close = rest.find("}}", open);
    page += rest.substr(0, open);
    page += piece(report, rest.substr(open + 2, close - open - 2));
    rest.remove_prefix(close + 2);
  }
  return page.append(rest);
}

}  // namespace stad::cli
