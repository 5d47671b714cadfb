# Tests of five seconds and more, by program. `./schedproof test` leaves them to `./schedproof test --all`, so that the
# suite takes minutes; their label is `all`.
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
  AnswersCli.AMember*
  AnswersCli.DocumentedCallsAnswerByTheirSchema
  AnswersCli.EveryOther*
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
  WarmUpLevel.*
  WorstCommand.CertifiesWhatItProves)

# Tests that look at the evidence of all claims, which the test `evidence` leaves behind.
set(evidence_experiments_tests Readme.TheGalleryShowsTheVerdictsOfTheClaimsAboutQueueing)

# discover_tests(program): its tests, the long ones labelled.
function(discover_tests program)
  list(JOIN long_${program} ":" long)
  list(JOIN evidence_${program} ":" of_evidence)
  gtest_discover_tests(${program} TEST_FILTER "-${long}:${of_evidence}" DISCOVERY_TIMEOUT ${test_timeout}
                       PROPERTIES TIMEOUT ${test_timeout})
  if(long)
    gtest_discover_tests(${program} TEST_FILTER "${long}" TEST_LIST long_${program}_list
                         DISCOVERY_TIMEOUT ${test_timeout} PROPERTIES LABELS all TIMEOUT ${test_timeout})
  endif()
  if(of_evidence)
    gtest_discover_tests(${program} TEST_FILTER "${of_evidence}" TEST_LIST evidence_${program}_list
                         DISCOVERY_TIMEOUT ${test_timeout}
                         PROPERTIES LABELS all TIMEOUT ${test_timeout} FIXTURES_REQUIRED evidence
                                    ENVIRONMENT SCHEDPROOF_EVIDENCE=${PROJECT_BINARY_DIR}/evidence)
  endif()
endfunction()
