#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include <stad/version.hpp>

#include "cli/command.hpp"
#include "common/interruption.hpp"
#include "common/terminal.hpp"

namespace {

using namespace stad;
using namespace stad::cli;

enum ExitCode { kDone = 0, kFailed = 1, kInvalidInput = 2 };

int report_error(ExitCode code, const std::string& message) {
  std::fprintf(stderr, "stad: %s\n", printable(message).c_str());
  return code;
}

/// The --help that describes the chosen sub-command.
std::string help_of(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? "stad --help" : "stad " + chosen.front()->get_name() + " --help";
}

int run_chosen(const std::vector<Command>& commands) {
  for (const auto& command : commands)
    if (command.arguments->parsed()) command.run();
  if (std::fflush(stdout) != 0) return report_error(kFailed, "standard output: cannot be written");
  return kDone;
}

/// Rejects empty values, which unset variables of scripts leave behind and CLI11 would treat as not given.
void check_arguments(const CLI::App& app, const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool assigned = arguments[i].starts_with("--") && arguments[i].ends_with('=');
    if (arguments[i].empty() || assigned)
      reject(assigned ? arguments[i] + " has no value, must have one"
                      : "argument " + std::to_string(i + 1) + (i > 0 ? ", after " + arguments[i - 1] + "," : "") +
                            " is empty, must have a value");
  }
  const auto is_named = [&](const CLI::App* command) { return command->get_name() == arguments[0]; };
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  if (!arguments.empty() && !arguments[0].starts_with('-') && std::none_of(commands.begin(), commands.end(), is_named))
    reject("unknown command " + arguments[0] + " (see stad --help)");
}

int run_command_line(CLI::App& app, const std::vector<Command>& commands, int argc, char** argv) {
  try {
    run_program(argc, argv);
    if (argc > 1 && std::string_view(argv[1]) == "complete") {
      complete(app, {argv + 2, argv + argc});
      return kDone;
    }
    check_arguments(app, {argv + 1, argv + argc});
    app.parse(argc, argv);
    return run_chosen(commands);
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return report_error(kInvalidInput, std::string(error.what()) + " (see " + help_of(app) + ")");
  } catch (const AppError& app_error) {
    return report_error(app_error.error.kind == ErrorKind::kInvalid ? kInvalidInput : kFailed, app_error.error.message);
  } catch (const Interrupted& interrupted) {
    interrupted.end_process();
  } catch (const std::bad_alloc&) {
    return report_error(kFailed, "out of memory");
  } catch (const std::exception& exception) {
    return report_error(kFailed, exception.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // writing beyond the file size limit returns an error, like a full disk
  CLI::App app("Adapts a deployed classifier to a drifting stream, without labels.", "stad");
  app.set_version_flag("--version", std::string("stad ") + kVersion, "Print the version and exit");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  app.footer("Example: stad demo\nHelp of a command: stad adapt --help");
  const std::vector<Command> commands{add_adapt_command(app),    add_bench_command(app),   add_compare_command(app),
                                      add_corrupt_command(app),  add_demo_command(app),    add_fit_command(app),
                                      add_card_command(app),     add_certify_command(app), add_features_command(app),
                                      add_simulate_command(app), add_speed_command(app),   add_train_command(app),
                                      add_methods_command(app),  add_inspect_command(app), add_manual_command(app)};
  add_program_commands(app);
  return run_command_line(app, commands, argc, argv);
}
