// stad-cluster: what `stad worker`, `stad publish`, `stad subscribe` and `stad cluster` run.
#include <csignal>
#include <cstdio>
#include <exception>
#include <vector>

#include <CLI/CLI.hpp>

#include <stad/version.hpp>

#include "cluster/commands.hpp"
#include "common/interruption.hpp"
#include "cluster/nats/trouble.hpp"
#include "server/refusal.hpp"

namespace {

using namespace stad;

int complain(int code, const std::string& message) {
  std::fprintf(stderr, "stad: %s\n", message.c_str());
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  for (const int failed_write : {SIGPIPE, SIGXFSZ}) std::signal(failed_write, SIG_IGN);  // the write says so itself
  CLI::App app("Many workers, many streams: adapts embeddings that come by NATS JetStream.", "stad");
  app.set_version_flag("--version", std::string("stad ") + kVersion, "Say which version this is and end");
  app.set_help_flag("-h,--help", "Explain and end");
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  const std::vector<cli::Command> commands{cluster::add_worker_command(app), cluster::add_publish_command(app),
                                           cluster::add_subscribe_command(app), cluster::add_cluster_command(app)};
  try {
    app.parse(argc, argv);
    for (const auto& command : commands)
      if (command.arguments->parsed()) command.run();
    return 0;
  } catch (const CLI::ParseError& mistake) {
    if (mistake.get_exit_code() == 0) return app.exit(mistake);
    const auto chosen = app.get_subcommands();
    return complain(2, std::string(mistake.what()) + " (see stad " +
                           (chosen.empty() ? "" : chosen.front()->get_name() + " ") + "--help)");
  } catch (const server::Refusal& refusal) {
    return complain(refusal.status < 500 ? 2 : 1, refusal.message);
  } catch (const AppError& failure) {
    return complain(failure.error.kind == ErrorKind::kInvalid ? 2 : 1, failure.error.message);
  } catch (const cli::Interrupted& interrupted) {
    interrupted.end_process();
  } catch (const std::exception& bug) {
    return complain(1, bug.what());
  }
}
