#include <stad/options.hpp>

#include "data/network_option_list.hpp"
#include "data/option_visitors.hpp"

namespace stad {

STAD_INSTANTIATE_OPTIONS(BnOptions)
STAD_INSTANTIATE_OPTIONS(TentOptions)
STAD_INSTANTIATE_OPTIONS(ShotOptions)
STAD_INSTANTIATE_OPTIONS(SarOptions)
STAD_INSTANTIATE_OPTIONS(CottaOptions)
STAD_INSTANTIATE_OPTIONS(RottaOptions)
STAD_INSTANTIATE_OPTIONS(CmfOptions)
STAD_INSTANTIATE_OPTIONS(OracleOptions)

}  // namespace stad
