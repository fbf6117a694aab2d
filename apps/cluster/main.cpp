// stad-cluster: what `stad worker`, `stad publish`, `stad subscribe` and `stad cluster` run.
#include <csignal>
#include <cstdio>
#include <exception>
#include <vector>

#include <CLI/CLI.hpp>

#include <stad/version.hpp>

#include "cluster/commands.hpp"
#include "common/error.hpp"
#include "common/interruption.hpp"

namespace {

using namespace stad;

int report_error(int status, const std::string& message) {
  std::fprintf(stderr, "stad: %s\n", message.c_str());
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  for (const int failed_write : {SIGPIPE, SIGXFSZ})
    std::signal(failed_write, SIG_IGN);  // the failed write returns an error
  CLI::App app("Many workers, many streams: adapts embeddings received by NATS JetStream.", "stad");
  app.set_version_flag("--version", std::string("stad ") + kVersion, "Print the version and exit");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  const std::vector<cluster::ClusterCommand> commands{
      cluster::add_worker_command(app), cluster::add_publish_command(app), cluster::add_subscribe_command(app),
      cluster::add_cluster_command(app)};
  try {
    app.parse(argc, argv);
    for (const auto& command : commands)
      if (command.arguments->parsed()) command.run();
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    const auto chosen = app.get_subcommands();
    return report_error(2, std::string(error.what()) + " (see stad " +
                               (chosen.empty() ? "" : chosen.front()->get_name() + " ") + "--help)");
  } catch (const AppError& failure) {
    return report_error(exit_status(failure), failure.error.message);
  } catch (const cli::Interrupted& interrupted) {
    interrupted.end_process();
  } catch (const std::exception& error) {
    return report_error(1, error.what());
  }
}
