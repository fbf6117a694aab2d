#pragma once

namespace stad::cli {

/// Settles how this process allocates and waits before it loads the torch component: for one that runs networks and
/// ends. A network takes and frees tens of megabytes a layer, and fetching them from the system each time would cost a
/// third of a run; torch's threads would spin while they wait for each other, which is fatal where others use the
/// machine.
void prepare_for_networks();

}  // namespace stad::cli
