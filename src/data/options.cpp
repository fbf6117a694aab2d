#include <stad/options.hpp>

#include "data/option_list.hpp"
#include "data/option_visitors.hpp"

namespace stad {

STAD_INSTANTIATE_OPTIONS(SourceOptions)
STAD_INSTANTIATE_OPTIONS(StadSafeOptions)
STAD_INSTANTIATE_OPTIONS(T3aOptions)
STAD_INSTANTIATE_OPTIONS(LameOptions)
STAD_INSTANTIATE_OPTIONS(StadVmfOptions)
STAD_INSTANTIATE_OPTIONS(StadGaussOptions)

}  // namespace stad
