# Tests of five seconds and more, by program. `./schedproof test` leaves them to `./schedproof test --all`, so that the
# suite takes minutes; their label is `all`.
set(long_proofs_tests
  AnyPolicyInTime.PreemptionLowersTheBound
  ContinuousTime.OrdersOneQueueTheShortestOfFourAndTheShorterOfTwoDrawn
  MaxWeightTheorem.HoldsOnThreeServersInRacks
  Mean.DoesNotDependOnTheOrderOfServersAndTypes
  Mean.MeetsKnownIntervals
  Mean.OfJoinShortestQueueIsTwoThirds
  Transience.MutantsOfTheFunctionAreNotProved)
set(long_model_tests
  Process.EndsWithItsProcessorTime)
set(long_checks_tests
  Claims.EverySeededFaultIsCaught
  SharingTheorems.HoldForUpToTwoJobs)
set(long_experiments_tests
  AnswersCli.AMember*
  AnswersCli.EveryOther*
  CertificateTamper.EveryAlterationOfAMeanIsRejected
  CertificateTamper.EveryAlterationOfAStatementAboutAssignmentsIsRejected
  CertificateTamper.EveryAlterationOfAWorstRatioIsRejected
  CheckCi.*
  CliFiles.NoFieldOfACertificateCanBeAltered
  FiguresOfTheDay.ComeOutAsExpected
  HeavyTrafficCommand.DrawsTheCurveNearTheBoundary
  InputErrors.Types
  Kinds/SeededFaults.AreRefutedWithABundle/assignment_even_counts
  Kinds/SeededFaults.AreRefutedWithABundle/assignment_forgetful_list
  Kinds/SeededFaults.AreRefutedWithABundle/queueing_eager_help
  MeanCli.AnswersInJson
  MeanCli.ProvesSecondMomentsAndUniformDrifts
  MeanCli.SetsPoliciesBesideTheBestOfAll
  OptimumPolicyCli.ExportsAPolicyWithACertifiedMean
  Policies/EventsOfPolicy.AreThoseOfTheKernel/random_any
  PolicyCodeCli.CodeThatLooks*
  PolicyCodeCli.CodeThatMis*
  PolicyFileCli.ThePrintedTheoremIsTheCertificates
  PolicyHeaderCli.CodeThat*
  PolicyHeaderCli.OnePolicyStandsInAFile
  Prove.AnswersAreOfTheirSchemas
  ProveHeavyTraffic.ComparesTwoPoliciesAtEverySmallSlack
  Queueing/KnownChains.*
  Readme.ItsPicturesAreThoseThatTheCommandDraws
  Readme/Pages.ShowWhatTheCommandPrints/means
  Readme/Pages.ShowWhatTheCommandPrints/time
  Readme/Pages.ShowWhatTheCommandPrints/tutorial
  Readme/Pages.ShowWhatTheCommandPrints/tutorialredundancy
  Readme/Pages.ShowWhatTheCommandPrints/tutorialsharing
  Readme/Pages.ShowWhatTheCommandPrints/variance
  RedundancyCertificates.EveryAlterationOfAStatementIsRejected
  Report.EveryLinkLeadsToAFileOfTheSite
  Report.OfAPolicyOfOnesOwn
  RoutersCli.*
  SeededRefusal.*
  Strangers.AreSimulatedAlikeInSlotsAndInContinuousTime
  SweepCli.OnARealSlurmItMakesTheSameBytes
  UnlikeServers.ChoicesThatMissTheFastServersAreTransient
  UnlikeServers.TheShortestQueueIsProvedStableWithACertifiedMean
  ValidateCli.AnswersPrograms
  ValidateCli.EndsWithOneWhereTransienceIsProved
  ValidateCli.KeepsToTheUsersInstances
  ValidateCli.SaysOfAStableOptimalPolicyThatItIs
  ValidateCli.SaysWhereNoMeanIsGiven
  ValidateCli.TakesTheUsersInstances
  ValidateCli.TellsAPolicyFromItsMutants
  WorstCommand.CertifiesWhatItProves
  ZooCli.AClipped*
  ZooCli.CellsHave*
  ZooCli.EachRule*
  ZooCli.Nothing*
  ZooCli.ThePage*)

# Tests of half a minute and more that CI has no time for; they are left to `./schedproof test --everything`.
set(longest_proofs_tests
  AnyPolicyInTime.TwoClassesHaveTheMeansOfPriorities
  GeneratedPolicies.AreNotProvedBothThroughputOptimalAndTransient
  Mean.AgreesWithSampledPathsAndTruncatedChainsOfRandomInstances
  Mean.IntervalsOfNestedBoxesOfRandomInstancesMeet
  Summands.ProveNothingOfManyClustersBeyondTheBoundary)
# That the mean growth is the drift follows from the law, which the suite compares.
set(longest_enumerated_tests
  Policies/EnumeratedSimulator.GrowsByItsDriftInTheMean/*)
set(longest_experiments_tests
  AnswersCli.DocumentedCallsAnswerByTheirSchema
  ControlledByDrift.IntervalsFromTheLevelCoverAfterAShortWarmUp
  HeavyTrafficCommand.DrawsMeansOfAFamilyBetweenItsBounds
  Kinds/SeededFaults.AreRefutedWithABundle/assignment_stale_head
  Kinds/SeededFaults.AreRefutedWithABundle/queueing_least_weight
  Kinds/SeededFaults.AreRefutedWithABundle/queueing_longest
  Policies/SlottedPolicy.TheLaw*
  PolicyCodeCli.AnEndWithoutAnAnswerIsAnError
  PolicyCodeCli.CodeThatNeverEndsIsStopped
  PolicyHeaderCli.CodeThatNeverEndsIsStopped
  Queueing/KnownChains.*/m2_half_balanced*
  Queueing/KnownChains.*/m2_half_generalized*
  Queueing/KnownChains.*/m2_half_pandas*
  Queueing/KnownChains.*/m2_half_random_any
  Queueing/KnownChains.*/m2_shared*
  Queueing/KnownChains.*/n1*
  Readme.ItsBoundsNearTheBoundaryAreThoseThatTheCommandDraws
  Readme.ItsCertifiedCurvesAreThoseThatTheCommandDraws
  Readme.ItsFiguresAreThoseThatReproduceDraws
  Readme.ItsLongFiguresAreThoseThatReproduceDraws
  Readme/Pages.ShowWhatTheCommandPrints/heavytraffic
  Readme/Pages.ShowWhatTheCommandPrints/reproduce
  Readme/Pages.ShowWhatTheCommandPrints/routers
  Readme/Pages.ShowWhatTheCommandPrints/tutorialassignment
  ValidateCli.OneInstanceOfAName
  WarmUpLevel.*)

# Tests that look at the evidence of all claims, which the test `evidence` leaves behind.
set(evidence_experiments_tests
  EvidencePage.EveryPolicyRestsOnEvidenceOfEachKind
  Readme.TheGalleryShowsTheVerdictsOfTheClaimsAboutQueueing
  ReportLibrary.TheLedgerSaysHowMuchWasFound)

# discover_tests(program): its tests, the long ones labelled.
function(discover_tests program)
  list(JOIN long_${program} ":" long)
  list(JOIN longest_${program} ":" longest)
  list(JOIN evidence_${program} ":" of_evidence)
  gtest_discover_tests(${program} TEST_FILTER "-${long}:${longest}:${of_evidence}" DISCOVERY_TIMEOUT ${test_timeout}
                       PROPERTIES TIMEOUT ${test_timeout})
  if(long)
    gtest_discover_tests(${program} TEST_FILTER "${long}-${longest}" TEST_LIST long_${program}_list
                         DISCOVERY_TIMEOUT ${test_timeout} PROPERTIES LABELS all TIMEOUT ${test_timeout})
  endif()
  if(longest)
    gtest_discover_tests(${program} TEST_FILTER "${longest}" TEST_LIST longest_${program}_list
                         DISCOVERY_TIMEOUT ${test_timeout} PROPERTIES LABELS everything TIMEOUT ${test_timeout})
  endif()
  if(of_evidence)
    gtest_discover_tests(${program} TEST_FILTER "${of_evidence}" TEST_LIST evidence_${program}_list
                         DISCOVERY_TIMEOUT ${test_timeout}
                         PROPERTIES LABELS all TIMEOUT ${test_timeout} FIXTURES_REQUIRED evidence
                                    ENVIRONMENT SCHEDPROOF_EVIDENCE=${PROJECT_BINARY_DIR}/evidence)
  endif()
endfunction()
