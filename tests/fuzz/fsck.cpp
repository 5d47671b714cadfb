/// Any bytes as a listing of fsck: a consistent listing from which an instance may follow, or an InputError.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "experiments/input/fsck/instance_of_listing.hpp"
#include "experiments/input/fsck/reader.hpp"
#include "model/core/errors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace schedproof;
    std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
    try {
        const input::Listing listing = input::read_fsck(in, "fuzz");
        std::size_t blocks = 0, replicas = 0;
        for (const input::ListedFile& file : listing.files)
            for (const input::ListedBlock& block : listing.blocks_of(file)) {
                ++blocks;
                replicas += listing.replicas_of(block).size();
            }
        if (blocks != listing.summary.blocks || replicas != listing.summary.replicas) std::abort();
        if (listing.summary.to_string().empty()) std::abort();
        static_cast<void>(queueing::Instance(input::to_instance(listing)));
    } catch (const InputError& error) {
        if (error.expected().empty()) std::abort();
    }
    return 0;
}
