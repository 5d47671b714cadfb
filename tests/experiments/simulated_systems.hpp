/// What several tests of simulators are made of: fractions, the papers' instances, the vector instructions there are.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "experiments/simulators/slotted/lane_loops.hpp"
#include "model/queueing/codec/codec.hpp"

namespace schedproof::simulation {

inline Rational over(std::int64_t p, std::int64_t q) { return Rational(Integer(p), Integer(q)); }

/// The instance of a file in experiments/instances.
inline std::shared_ptr<const queueing::Instance> instance_of(const std::string& name) {
    return std::make_shared<const queueing::Instance>(
        queueing::read_instance(std::string(SCHEDPROOF_SOURCE_DIR) + "/experiments/instances/" + name + ".toml"));
}

/// What this machine can run, from the narrowest.
inline std::vector<SimdLevel> instructions_here() {
    std::vector<SimdLevel> levels;
    for (const SimdLevel simd : {SimdLevel::none, SimdLevel::avx2, SimdLevel::avx512})
        if (simd <= available_simd()) levels.push_back(simd);
    return levels;
}

}  // namespace schedproof::simulation
