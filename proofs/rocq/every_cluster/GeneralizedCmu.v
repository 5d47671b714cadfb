(* The generalized c-mu rule with quadratic costs is throughput optimal on every cluster: any servers, types with rates of
   their own, levels, costs, and any bounded arrivals.

   The policy is the rule [generalized_cmu] of Policies.v, the chain that of Kernel.v. [generalized_cmu_throughput_optimal],
   at the end, is stated with the definitions of Capacity.v and Weights.v. *)
From Coq Require Import ZArith QArith Lqa List Bool Lia Arith.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Policies.
From Schedproof Require Import Outcomes Rules Capacity Layout Weights SharedStability JsqMaxWeight.
Import ListNotations.
Open Scope Q_scope.

Definition costs_are_positive (C : cluster) : Prop := forall t, In t (all_types C) -> (0 < nth t (marginal_costs C) 0)%Z.

Section GeneralizedCmu.
  Variable C : cluster.
  Hypothesis LO : laid_out C.
  Hypothesis positive : costs_are_positive C.
  Hypothesis counting_all : counts (option_of C) = in_system.
  Notation A := per_type.
  Variables (len inside : list Z).

  Lemma queues_are_replicated : replicated C A.
  Proof.
    constructor.
    - now left.
    - intros q Q. cbn [cost]. change 1 with (inject_Z 1). rewrite <- Zle_Qle. specialize (positive q Q). lia.
    - intros m q M Q. now apply (levels_of_types _ LO).
    - intros t m T M. exists t. split; [now left|split; [exact T|apply Qle_refl]].
  Qed.
  Lemma cost_exact m q : In m (all_servers C) -> In q (reachable C A m) ->
    inject_Z (rate_times_cost C A len inside (q, service_level C A q m))
    == inject_Z (scale_of_rates C) * (rate_between C A m q * worth C A len q).
  Proof.
    intros Hm Hq. unfold rate_times_cost, row_and_level, rate_weight. cbn [fst snd].
    rewrite (counted C len inside q counting_all), !inject_Z_mult.
    pose proof (rate_between_member C A (or_intror (or_intror eq_refl)) LO queues_are_replicated m q Hm Hq) as I.
    unfold rate_between, service_rate in *. rewrite (over_exact _ _ I). unfold worth, queue_length, scale_of_rates. cbn [cost].
      ring.
  Qed.
  Theorem serve_turns_to_dearest m : (m < servers C)%nat -> exists tied,
    answers (set_of integers C A len inside (Serving m) (serve generalized_cmu) []) tied /\ turns C A len inside m tied.
  Proof.
    intro Hm. assert (Sm : In m (all_servers C)) by (apply in_seq; lia). pose proof (scale_positive C) as D.
    destruct (answers_dearest C A len inside (Serving m)) as (tied & At & Empty & Good). exists tied. split; [exact At|].
    assert (Reach : forall q, In q (reachable C A m) -> In (q, service_level C A q m) (named C A (Serving m) Reachable)).
    { intros q Q. cbn [named server_of]. apply in_map_iff. exists q. split; [reflexivity|exact Q]. }
    split.
    - intros E_ q Q Ch. specialize (Empty E_ _ (Reach q Q) Ch).
      rewrite Zle_Qle, cost_exact in Empty by assumption. change (inject_Z 0) with 0 in Empty.
      apply Qmult_lt_0_le_reg_r with (inject_Z (scale_of_rates C)); [assumption|]. lra.
    - intros c I. destruct (Good c I) as (J & Cc & L). cbn [named server_of] in J. apply in_map_iff in J as (q & <- & Q).
      cbn [fst] in *. split; [exact Q|split; [now left|]]. intros r R Ch. specialize (L _ (Reach r R) Ch).
      rewrite Zle_Qle, !cost_exact in L by assumption.
      apply Qmult_lt_0_le_reg_r with (inject_Z (scale_of_rates C)); [assumption|]. lra.
  Qed.
  Theorem route_to_own_type t : exists tied,
    answers (set_of integers C A len inside (Arriving t) (route generalized_cmu) []) tied /\ (joinable C A t <> [] -> tied <> []) /\
    forall c, In c tied -> In (fst c) (joinable C A t) /\ forall q,
      In q (joinable C A t) -> worth C A len (fst c) <= worth C A len q.
  Proof.
    exists [(t, 0%nat)]. split; [constructor|]. split; [easy|]. intros c [<-|[]]. split; [now left|]. intros q [<-|[]].
      apply Qle_refl.
  Qed.
End GeneralizedCmu.

(* As for JSQ-MaxWeight, where a queue holds the tasks of one type, and its length counts times the type's cost. *)
Theorem generalized_cmu_throughput_optimal : forall C rho split,
  well_formed C -> costs_are_positive C -> shared_options C -> carries C rho split -> rho < 1 ->
  let policy := generalized_cmu in
  let valid := valid C policy (reachable_statuses C per_type) in
  valid (empty_state C policy) /\
  (forall x, valid x -> low C per_type rho x = true ->
     Forall (fun q => 0 <= inject_Z q < shared_threshold C per_type rho / least_rate C) (fst x)) /\
  (forall slots x, valid x -> mean_time (chain C policy) (low C per_type rho) slots x <= squares_and_regrets C per_type x).
Proof.
  intros C rho split WF positive supported enough below_one.
  exact (shared_stable C per_type (route generalized_cmu) (serve generalized_cmu) (or_intror (or_intror eq_refl)) WF
    (queues_are_replicated C WF positive) supported
    (fun len inside t _ => route_to_own_type C len inside t)
    (turns_in_slots C per_type _ supported
       (fun len inside m Hm _ => serve_turns_to_dearest C WF positive (proj1 (proj1 supported)) len inside m Hm))
    rho split below_one enough).
Qed.
