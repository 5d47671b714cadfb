# Tests of five seconds and more, by program. `./schedproof test` leaves them to `./schedproof test --all`, so that the
# suite takes minutes; their label is `full`.
set(long_proofs_tests
  GeneratedPolicies.AreNotProvedBothThroughputOptimalAndTransient
  MaxWeightTheorem.HoldsOnThreeServersInRacks
  Mean.AgreesWithSampledPathsAndTruncatedChainsOfRandomInstances
  Mean.DoesNotDependOnTheOrderOfServersAndTypes
  Mean.IntervalsOfNestedBoxesOfRandomInstancesMeet
  Mean.MeetsKnownIntervals
  Mean.OfJoinShortestQueueIsTwoThirds)
set(long_checks_tests
  Claims.EverySeededFaultIsCaught)
set(long_experiments_tests
  CertificateTamper.EveryAlterationOfAMeanIsRejected
  CheckCi.*
  Cli.EveryHelpHasAnExampleThatRuns
  CliFiles.NoFieldOfACertificateCanBeAltered
  ControlledByDrift.IntervalsFromTheLevelCoverAfterAShortWarmUp
  InputErrors.Types
  Kinds/SeededFaults.AreRefutedWithABundle/assignment_stale_head
  Kinds/SeededFaults.AreRefutedWithABundle/queueing_*
  MeanCli.AnswersInJson
  MeanCli.SetsPoliciesBesideTheBestOfAll
  PolicyCodeCli.CodeThat*
  PolicyHeaderCli.CodeThat*
  PolicyHeaderCli.ErrorsOfTheCompilerSpeakOfTheRule
  PolicyHeaderCli.IsCompiledOnce
  PolicyHeaderCli.IsThePolicyOfTheSameRules
  PolicyHeaderCli.NeedsNoPlaceToKeepThings
  PolicyHeaderCli.OnePolicyStandsInAFile
  Prove.AnswersAreOfTheirSchemas
  Queueing/KnownChains.*
  Readme.ItsFiguresAreThoseThatReproduceDraws
  Readme.ItsPicturesAreThoseThatTheCommandDraws
  Readme.TheGalleryShowsTheVerdictsOfTheClaimsAboutQueueing
  Readme/Pages.ShowWhatTheCommandPrints/means
  Readme/Pages.ShowWhatTheCommandPrints/routers
  Readme/Pages.ShowWhatTheCommandPrints/tutorial*
  Readme/Pages.ShowWhatTheCommandPrints/variance
  RoutersCli.*
  SeededRefusal.*
  Strangers.AreSimulatedAlikeInSlotsAndInContinuousTime
  SweepCli.OnARealSlurmItMakesTheSameBytes
  ValidateCli.AnswersPrograms
  ValidateCli.EndsWithOneWhereTransienceIsProved
  ValidateCli.SaysOfAStableOptimalPolicyThatItIs
  ValidateCli.SaysWhereNoMeanIsGiven
  ValidateCli.TakesTheUsersInstances
  ValidateCli.TellsAPolicyFromItsMutants
  WorstCommand.CertifiesWhatItProves)

# discover_tests(program): its tests, the long ones labelled.
function(discover_tests program)
  list(JOIN long_${program} ":" long)
  gtest_discover_tests(${program} TEST_FILTER "-${long}" DISCOVERY_TIMEOUT ${test_timeout}
                       PROPERTIES TIMEOUT ${test_timeout})
  if(long)
    gtest_discover_tests(${program} TEST_FILTER "${long}" TEST_LIST long_${program}_list
                         DISCOVERY_TIMEOUT ${test_timeout} PROPERTIES LABELS full TIMEOUT ${test_timeout})
  endif()
endfunction()
