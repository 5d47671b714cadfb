/// How fast a large fsck listing is read and turned into an instance.
#include <benchmark/benchmark.h>

#include <sstream>
#include <string>

#include "experiments/input/fsck_generator.hpp"
#include "experiments/input/fsck_instance.hpp"
#include "experiments/input/fsck_reader.hpp"

namespace {

using namespace schedproof::input;

/// A thousand servers in forty racks, as many blocks as the benchmark's argument says.
std::string listing_text(std::size_t blocks, ListingForm form) {
    std::ostringstream out;
    print_listing(generate_listing({.blocks = blocks, .servers = 1000, .racks = 40}), form, out);
    return std::move(out).str();
}

void read(benchmark::State& state, ListingForm form) {
    const auto blocks = static_cast<std::size_t>(state.range(0));
    const std::string text = listing_text(blocks, form);
    for (auto _ : state) {
        std::istringstream in(text);
        benchmark::DoNotOptimize(read_fsck(in, "bench"));
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(blocks));
}

void import(benchmark::State& state) {
    const auto blocks = static_cast<std::size_t>(state.range(0));
    std::istringstream in(listing_text(blocks, ListingForm::hadoop3));
    const Listing listing = read_fsck(in, "bench");
    for (auto _ : state) benchmark::DoNotOptimize(import_instance(listing));
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(blocks));
}

void validate(benchmark::State& state) {
    const auto blocks = static_cast<std::size_t>(state.range(0));
    std::istringstream in(listing_text(blocks, ListingForm::hadoop3));
    const schedproof::queueing::InstanceData data = to_instance(read_fsck(in, "bench"));
    for (auto _ : state) benchmark::DoNotOptimize(schedproof::queueing::Instance(data));
}

BENCHMARK_CAPTURE(read, racks, ListingForm::hadoop3)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read, storages, ListingForm::hadoop3_storages)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read, wrapped, ListingForm::wrapped)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK(import)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK(validate)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
