/// The types of the registered policies, for the few sources that must know them all.
#pragma once

#include <tuple>

#include "policies/sharing/delay.hpp"
#include "policies/sharing/delay_rack.hpp"
#include "policies/sharing/delay_time.hpp"
#include "policies/sharing/dyndlon_offers.hpp"
#include "policies/sharing/fair_kill.hpp"
#include "policies/sharing/hadoop_fifo.hpp"
#include "policies/sharing/jsq_maxweight_subqueues.hpp"
#include "policies/sharing/naive_fair.hpp"
#include "policies/sharing/quincy.hpp"
#include "policies/sharing/sparrow.hpp"

namespace schedproof::sharing {

using RegisteredPolicies = std::tuple<HadoopFifo, NaiveFair, FairKill, Delay, DelayRack, JsqMaxWeightSubqueues, DynDlOn,
                                      DelayTime, Sparrow, Quincy>;

}  // namespace schedproof::sharing
