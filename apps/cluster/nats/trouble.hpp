#pragma once

#include <stdexcept>
#include <string>

#include <nats/nats.h>

namespace stad::cluster {

/// The servers could not be reached, did not answer in time, or refused. What was under way may or may not have
/// happened; whoever holds the work begins again from what is known to be kept.
struct Trouble : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The servers did not answer in time; what they were asked for may come about yet.
struct Late : Trouble {
  using Trouble::Trouble;
};

/// Something was written under this name since it was last read: another writer is at work.
struct Conflict : Trouble {
  using Trouble::Trouble;
};

/// Throws Trouble, or what it is a kind of: "WHAT: reason".
void must(natsStatus status, const std::string& what, jsErrCode code = static_cast<jsErrCode>(0));

}  // namespace stad::cluster
