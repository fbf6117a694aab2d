// stad-server: what `stad serve` runs.
#include <malloc.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <stad/backbone.hpp>
#include <stad/files.hpp>
#include <stad/version.hpp>

#include "server/demo_traffic.hpp"
#include "server/grpc/server.hpp"
#include "server/http/server.hpp"
#include "server/open_forwarder.hpp"
#include "serving/settings/model_settings.hpp"
#include "serving/settings/settings.hpp"
#include "serving/store/database_file.hpp"
#include "serving/termination_signals.hpp"

namespace {

using namespace stad;
using namespace stad::server;
using namespace stad::serving;

std::string database_in(const std::string& folder) {
  if (folder.empty()) return "";
  need(make_folder(folder));
  const FolderAccess access = need(make_private(folder));
  if (access == FolderAccess::kMadePrivate)
    log(LogLevel::kWarning, "the data folder was accessible to others; its mode is 0700 now", {{"data", folder}});
  if (access == FolderAccess::kShared)
    log(LogLevel::kWarning, "the data folder is accessible to others and belongs to another user; set its mode to 0700",
        {{"data", folder}});
  return (std::filesystem::path(folder) / "stad.sqlite").string();
}

void add_models(Service& service, const Settings& settings) {
  for (const auto& model : settings.models)
    service.model_administration().serve(open_model(model), [model] { return open_model(model); });
  service.model_administration().restore();
}

/// Null where the settings have no address for gRPC.
std::unique_ptr<GrpcServer> open_grpc(const Settings& settings, const Tokens& tokens, Metrics& metrics,
                                      RequestLimits& limits, Service& service, Routes& routes) {
  if (!settings.http.grpc) return nullptr;
  auto server = serve_grpc(settings, tokens, metrics, limits, service, routes);
  log(LogLevel::kInfo, "serving gRPC",
      {{"grpc", fmt::format("{}:{}", settings.http.grpc->address, server->port())},
       {"tls", settings.http.certificate.empty() ? "no" : "yes"}});
  return server;
}

void serve(const WrittenSettings& written) {
  mallopt(M_ARENA_MAX, 2);  // each further arena would keep fragments between long-lived streams
  const Settings settings = read_settings(written);
  set_log_level(settings.log);
  const TerminationSignals signals;
  for (const int failed_write : {SIGPIPE, SIGXFSZ})
    std::signal(failed_write, SIG_IGN);  // the failed write returns an error
  const Tokens tokens = settings.tokens.empty() ? Tokens() : need(Tokens::read(settings.tokens));
  if (!settings.tokens.empty() && tokens.empty())
    reject(400, fmt::format("tokens: {} has no token, must have at least one (see stad serve token --help)",
                            settings.tokens));

  Metrics metrics;
  HttpServer server(settings.http, tokens, metrics);  // outlives the service, whose late answers refer to connections
  const auto forwarder = open_forwarder(settings);
  Service service(settings.service, need(Store::open(database_in(settings.routes.data))), metrics, forwarder.get());
  add_models(service, settings);
  Routes routes(settings.routes, service, metrics, forwarder.get());
  std::optional<DemoTraffic> traffic;
  if (settings.demo_traffic) traffic.emplace(service, service.models().find("demo"), demo_simulation().stream);
  const auto grpc = open_grpc(settings, tokens, metrics, server.limits(), service, routes);
  const auto listening = server.listen(routes);  // ends before gRPC: its end begins with the fall of readiness
  const char* scheme = settings.http.certificate.empty() ? "http" : "https";
  log(LogLevel::kInfo, "serving",
      {{"address", fmt::format("{}://{}:{}/", scheme, settings.http.address, server.port())},
       {"models", std::to_string(service.models().all().size())},
       {"data", settings.routes.data.empty() ? "kept in memory only" : settings.routes.data},
       {"durability", std::string(name_of(settings.service.checkpoints.durability))}});
  log(LogLevel::kInfo, "ending", {{"signal", std::to_string(signals.wait())}});
}

void print_token(const std::string& grants, const std::string& name) {
  const NewToken made = need(make_token(grants, name));
  fmt::print("{}\n", made.line);
  fmt::print(stderr, "The token, shown once: {}\nAppend the line on standard output to the file of --tokens.\n",
             made.token);
}

int report_error(int status, const std::string& message) {
  std::fprintf(stderr, "stad serve: %s\n", message.c_str());
  return status;
}

void add_service_options(CLI::App& app, WrittenSettings& written) {
  app.add_option("--config", written.config,
                 "TOML file of settings and models; without it, a demo model with simulated traffic")
      ->envname("STAD_CONFIG");
  app.add_option("--listen", written.listen, "Address to listen on, ADDRESS:PORT [127.0.0.1:8080]")
      ->envname("STAD_LISTEN");
  app.add_option("--grpc-listen", written.grpc, "Address to listen on for gRPC, ADDRESS:PORT [no gRPC]")
      ->envname("STAD_GRPC");
  app.add_option("--data", written.data, "Folder for states and snapshots; '' stores nothing [stad-data with --config]")
      ->envname("STAD_DATA");
  app.add_option("--durability", written.durability,
                 "When adapted states are saved: batch, interval or none [interval]")
      ->envname("STAD_DURABILITY");
  app.add_option("--interval", written.interval, "Seconds between saves [1]")->envname("STAD_INTERVAL");
  app.add_option("--memory", written.memory, "Memory for streams; others are kept on disk [1 GB]")
      ->envname("STAD_MEMORY");
}

void add_connection_options(CLI::App& app, WrittenSettings& written) {
  app.add_option("--tokens", written.tokens,
                 "File of hashed tokens; required to listen on other than loopback addresses")
      ->envname("STAD_TOKENS");
  app.add_option("--certificate", written.certificate, "PEM file of the TLS certificate; requires --key")
      ->envname("STAD_CERTIFICATE");
  app.add_option("--key", written.key, "PEM file of the certificate's key")->envname("STAD_KEY");
  app.add_option("--max-body", written.max_body, "Largest request body [64 MB]")->envname("STAD_MAX_BODY");
  app.add_option("--max-streams", written.max_streams, "Streams a token may use; 0: unlimited [0]")
      ->envname("STAD_MAX_STREAMS");
  app.add_option("--max-in-flight", written.max_in_flight, "Requests answered in parallel [1024]")
      ->envname("STAD_MAX_IN_FLIGHT");
  app.add_option("--threads", written.threads, "Threads for connections, and as many for long tasks [number of cores]")
      ->envname("STAD_THREADS");
  app.add_option("--log", written.log, "debug, info, warning or error [info]")->envname("STAD_LOG");
}

void describe(CLI::App& app) {
  app.set_version_flag("--version", std::string("stad ") + kVersion, "Print the version and exit");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.get_formatter()->column_width(34);
  app.footer(
      "Examples:\n  stad serve                          a demo at http://127.0.0.1:8080/\n"
      "  stad serve --config stad.toml\n  stad serve token --roles infer --name team-a >> tokens.txt");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Serves adaptive classifiers over HTTP: Open Inference Protocol, many streams, a live page.",
               "stad serve");
  describe(app);
  WrittenSettings written;
  add_service_options(app, written);
  add_connection_options(app, written);
  std::string roles, name;
  auto* token = app.add_subcommand("token", "Create a token: prints its line of the tokens file to standard output");
  token
      ->add_option("--roles", roles,
                   "read, infer, end, admin, or several joined by commas; ROLE:MODEL or ROLE:MODEL/STREAM-PREFIX "
                   "restricts a role")
      ->required();
  token->add_option("--name", name, "Name of the holder, one word")->required();
  try {
    app.parse(argc, argv);
    token->parsed() ? print_token(roles, name) : serve(written);
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    return report_error(2, std::string(error.what()) + " (see stad serve --help)");
  } catch (const AppError& failure) {
    return report_error(exit_status(failure), failure.error.message);
  } catch (const std::exception& error) {
    return report_error(1, error.what());
  }
}
