/// Properties of the reader over generated listings: what was generated is read, and no damage crashes it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sstream>
#include <string>

#include "experiments/input/fsck/instance_of_listing.hpp"
#include "experiments/input/fsck/listing_generator.hpp"
#include "experiments/input/fsck/reader.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {
namespace {

std::string printed(const Listing& listing, ListingForm form) {
    std::ostringstream out;
    print_listing(listing, form, out);
    return std::move(out).str();
}

Listing parsed(const std::string& text) {
    std::istringstream in(text);
    return read_fsck(in, "f");
}

ListingSpec random_spec() {
    return {.blocks = static_cast<std::size_t>(*rc::gen::inRange(0, 60)),
            .servers = static_cast<std::size_t>(*rc::gen::inRange(1, 300)),
            .racks = static_cast<std::size_t>(*rc::gen::inRange(1, 9)),
            .replicas = static_cast<std::size_t>(*rc::gen::inRange(1, 6)),
            .blocks_per_file = static_cast<std::size_t>(*rc::gen::inRange(1, 20)),
            .seed = *rc::gen::arbitrary<std::uint64_t>()};
}

RC_GTEST_PROP(FsckGenerated, WhatWasGeneratedIsRead, ()) {
    const Listing made = generate_listing(random_spec());
    const ListingForm form =
        *rc::gen::elementOf(std::vector<ListingForm>(std::begin(all_listing_forms), std::end(all_listing_forms)));
    const Listing read = parsed(printed(made, form));
    RC_ASSERT(read.files == made.files);
    RC_ASSERT(read.blocks == made.blocks);
    RC_ASSERT(read.replicas.size() == made.replicas.size());
    for (std::size_t i = 0; i < made.replicas.size(); ++i) {
        const ListedServer& expected = made.servers[made.replicas[i].index()];
        const ListedServer& found = read.servers[read.replicas[i].index()];
        RC_ASSERT(found.name == expected.name);
        RC_ASSERT(found.rack == (form == ListingForm::hadoop3_storages ? "" : expected.rack));
    }
    RC_ASSERT(read.summary.differences.empty());
    RC_ASSERT(read.summary.data_nodes == made.summary.data_nodes);
}

RC_GTEST_PROP(FsckGenerated, DamagedListingsAreReadOrRefused, ()) {
    const ListingForm form =
        *rc::gen::elementOf(std::vector<ListingForm>(std::begin(all_listing_forms), std::end(all_listing_forms)));
    std::string text = printed(generate_listing(random_spec()), form);
    const int changes = *rc::gen::inRange(1, 6);
    for (int i = 0; i < changes && !text.empty(); ++i) {
        const auto at = static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(text.size())));
        const int kind = *rc::gen::inRange(0, 3);
        if (kind == 0) text[at] = *rc::gen::element('[', ']', '\n', '(', '/', ',', ' ', '\0', '9', '\xff');
        if (kind == 1) text.erase(at, static_cast<std::size_t>(*rc::gen::inRange(1, 40)));
        if (kind == 2) text.insert(at, text.substr(at / 2, 30));
    }
    try {
        const Listing listing = parsed(text);
        std::size_t blocks = 0;
        for (const ListedFile& file : listing.files) blocks += listing.blocks_of(file).size();
        RC_ASSERT(blocks == listing.summary.blocks);
        static_cast<void>(queueing::Instance(to_instance(listing)));
    } catch (const InputError& error) {
        RC_ASSERT(!error.expected().empty());
    }
}

RC_GTEST_PROP(FsckGenerated, ATruncatedListingIsRefusedOrReported, ()) {
    const std::string text = printed(generate_listing({.blocks = 20, .servers = 9}), ListingForm::hadoop3);
    const auto length = static_cast<std::size_t>(*rc::gen::inRange(1, static_cast<int>(text.find("Status:"))));
    try {
        RC_ASSERT(!parsed(text.substr(0, length)).summary.differences.empty());
    } catch (const InputError&) {
        RC_SUCCEED("refused");
    }
}

TEST(FsckGenerated, IsTheSameForTheSameSeed) {
    const ListingSpec spec{.blocks = 50, .servers = 12, .seed = 5};
    EXPECT_EQ(printed(generate_listing(spec), ListingForm::hadoop3),
              printed(generate_listing(spec), ListingForm::hadoop3));
    ListingSpec other = spec;
    other.seed = 6;
    EXPECT_NE(printed(generate_listing(spec), ListingForm::hadoop3),
              printed(generate_listing(other), ListingForm::hadoop3));
}

TEST(FsckGenerated, ReadsAHundredThousandBlocks) {
    const std::string text =
        printed(generate_listing({.blocks = 100'000, .servers = 1000, .racks = 40}), ListingForm::hadoop3);
    const Listing listing = parsed(text);
    EXPECT_EQ(listing.summary.blocks, 100'000U);
    EXPECT_EQ(listing.servers.size(), 1000U);
    EXPECT_EQ(listing.summary.racks, 40U);
    EXPECT_GT(to_instance(listing).types.size(), 99'000U);
}

}  // namespace
}  // namespace schedproof::input
