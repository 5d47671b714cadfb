(* JSQ-MaxWeight is throughput optimal on every cluster whose levels come from replicas: any servers, types, levels, rates,
   and any bounded arrivals.

   The policy is the rule [jsq_maxweight] of Policies.v, the chain that of Kernel.v. [jsq_maxweight_throughput_optimal], at
   the end, is stated with the definitions of Capacity.v and Weights.v. *)
From Coq Require Import ZArith QArith Lqa List Bool Lia Arith.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Policies.
From Schedproof Require Import Outcomes Rules Capacity Layout Weights SharedStability.
Import ListNotations.
Open Scope Q_scope.

(* The keys of serve rules are rates times lengths, times a positive constant. *)
Definition scale_of_rates (C : cluster) : Z := common_denominator (concat (rates C)).
Lemma scale_positive C : 0 < inject_Z (scale_of_rates C).
Proof. change 0 with (inject_Z 0). rewrite <- Zlt_Qlt. apply common_denominator_positive. Qed.
Lemma counted C len inside q : counts (option_of C) = in_system -> length_of integers C len inside q = nth q len 0%Z.
Proof. unfold length_of, tasks. intros ->. reflexivity. Qed.

(* The answers that the theorem of a slot asks for. *)
Lemma turns_in_slots C A serve : shared_options C ->
  (forall len inside m, (m < servers C)%nat -> (forall q, 0 <= queue_length len q) -> exists tied,
     answers (set_of integers C A len inside (Serving m) serve []) tied /\ turns C A len inside m tied) ->
  forall len inside m, (m < servers C)%nat -> (forall q, 0 <= queue_length len q) -> exists tied,
    answers (set_of integers C A len inside (Serving m) serve []) tied /\ (tied = [] -> weight C A len m <= 0) /\
    forall c, In c tied -> In (fst c) (reachable C A m) /\
      forall q, In q (reachable C A m) ->
        rate_between C A m q * worth C A len q <= rate_between C A m (fst c) * worth C A len (fst c).
Proof.
  intros [_ Wasted] H len inside m Hm N0. destruct (H len inside m Hm N0) as (tied & At & T). exists tied.
  split; [exact At|now apply (turns_wasted C A len inside)].
Qed.

Section JsqMaxWeight.
  Variable C : cluster.
  Hypothesis LO : laid_out C.
  Hypothesis REP : replicated C per_server.
  Hypothesis counting_all : counts (option_of C) = in_system.
  Notation A := per_server.
  Variables (len inside : list Z).

  Lemma key_exact m q : In m (all_servers C) -> In q (all_servers C) ->
    inject_Z (rate_times_length C A len inside (q, service_level C A q m))
    == inject_Z (scale_of_rates C) * (rate_between C A m q * worth C A len q).
  Proof.
    intros Hm Hq. unfold rate_times_length, row_and_level, rate_weight. cbn [fst snd].
    rewrite (counted C len inside q counting_all), inject_Z_mult.
    pose proof (rate_between_member C A (or_introl eq_refl) LO REP m q Hm Hq) as I.
    unfold rate_between, service_rate in *. rewrite (over_exact _ _ I). unfold worth, queue_length, scale_of_rates. cbn [cost].
      ring.
  Qed.
  Theorem serve_turns_to_heaviest m : (m < servers C)%nat -> (forall q, 0 <= queue_length len q) -> exists tied,
    answers (set_of integers C A len inside (Serving m) (serve jsq_maxweight) []) tied /\ turns C A len inside m tied.
  Proof.
    intros Hm N0. assert (Sm : In m (all_servers C)) by (apply in_seq; lia). pose proof (scale_positive C) as D.
    destruct (answers_heaviest_first C A len inside (Serving m)) as (tied & At & Cases). exists tied. split; [exact At|].
    assert (Reach : forall q, In q (reachable C A m) -> In (q, service_level C A q m) (named C A (Serving m) Reachable)).
    { intros q Q. cbn [named server_of]. apply in_map_iff. exists q. split; [reflexivity|exact Q]. }
    destruct Cases as [[-> Empty]|[Ne Good]].
    - cbn [named server_of]. destruct (one_row C A REP) as [E_|E_]; [discriminate|]. rewrite E_. cbn [seq map].
      assert (None_ : nothing_to_choose C A len inside m).
      { intros q Q Ch. specialize (Empty _ (Reach q Q) Ch). rewrite Zle_Qle, key_exact in Empty by assumption.
        change (inject_Z 0) with 0 in Empty. apply Qmult_lt_0_le_reg_r with (inject_Z (scale_of_rates C)); [assumption|]. lra. }
      split; [easy|]. intros c [<-|[]]. cbn [fst queue_of]. split; [exact Sm|split; [now right|]]. intros q Q Ch.
      destruct (rate_between_positive C A (or_introl eq_refl) LO REP m m Sm Sm) as [Rp _].
      apply Qle_trans with 0; [now apply None_|].
      apply Qmult_le_0_compat; [lra|unfold worth; cbn [cost]; specialize (N0 m); lra].
    - split; [intro; contradiction|]. intros c I. destruct (Good c I) as (J & Cc & L). cbn [named server_of] in J.
      apply in_map_iff in J as (q & <- & Q). cbn [fst] in *. split; [exact Q|split; [now left|]]. intros r R Ch.
      specialize (L _ (Reach r R) Ch). rewrite Zle_Qle, !key_exact in L by assumption.
      apply Qmult_lt_0_le_reg_r with (inject_Z (scale_of_rates C)); [assumption|]. lra.
  Qed.
  Theorem route_to_shortest t : In t (all_types C) -> exists tied,
    answers (set_of integers C A len inside (Arriving t) (route jsq_maxweight) []) tied /\ (joinable C A t <> [] -> tied <> []) /\
    forall c, In c tied -> In (fst c) (joinable C A t) /\ forall q,
      In q (joinable C A t) -> worth C A len (fst c) <= worth C A len q.
  Proof.
    intro T. destruct (answers_shortest C A len inside (Arriving t) Local (named C A (Arriving t) Local)) as
      (tied & At & Ne & Least_); [constructor|].
    assert (Names : named C A (Arriving t) Local = map (fun m => (m, 0%nat)) (joinable C A t)).
    { unfold joinable. rewrite app_nil_r. reflexivity. }
    exists tied. split; [exact At|]. rewrite Names in *. split.
    - intro N. apply Ne. now destruct (joinable C A t).
    - intros c I. destruct (Least_ c I) as [J L]. apply in_map_iff in J as (q & <- & Q). cbn [fst] in *. split; [assumption|].
      intros r R. specialize (L _ (in_map (fun m => (m, 0%nat)) _ _ R)). cbn [fst] in L.
      rewrite !(counted C len inside _ counting_all) in L.
      unfold worth, queue_length. cbn [cost]. rewrite Zle_Qle in L. lra.
  Qed.
End JsqMaxWeight.

(* For every cluster whose levels come from replicas, and every split of its arrivals that loads no server above rho < 1:
   the empty cluster is a valid state; the states of total weight below the threshold are finitely many; and from every valid
   state the mean of min(time until such a state is reached, slots) is at most the squares and regrets there, for every
   number of slots. That is Foster's criterion: the chain is positive recurrent. *)
Theorem jsq_maxweight_throughput_optimal : forall C rho split,
  well_formed C -> replicated C per_server -> shared_options C -> carries C rho split -> rho < 1 ->
  let policy := jsq_maxweight in
  let valid := valid C policy (reachable_statuses C per_server) in
  valid (empty_state C policy) /\
  (forall x, valid x -> low C per_server rho x = true ->
     Forall (fun q => 0 <= inject_Z q < shared_threshold C per_server rho / least_rate C) (fst x)) /\
  (forall slots x, valid x -> mean_time (chain C policy) (low C per_server rho) slots x <= squares_and_regrets C per_server x).
Proof.
  intros C rho split WF REP supported enough below_one.
  exact (shared_stable C per_server (route jsq_maxweight) (serve jsq_maxweight) (or_introl eq_refl) WF REP supported
    (fun len inside t => route_to_shortest C (proj1 (proj1 supported)) len inside t)
    (turns_in_slots C per_server _ supported (serve_turns_to_heaviest C WF REP (proj1 (proj1 supported))))
    rho split below_one enough).
Qed.
