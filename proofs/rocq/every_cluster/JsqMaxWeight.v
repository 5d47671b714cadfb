(* JSQ-MaxWeight is throughput optimal on every cluster whose levels come from replicas: any servers, types, levels, rates,
   and any bounded arrivals.

   The policy is the rule [jsq_maxweight] of Policies.v, the chain that of Kernel.v.
     [jsq_maxweight_throughput_optimal], at the end, is
   stated with the definitions of Capacity.v and Weights.v. *)
From Coq Require Import ZArith QArith Qminmax Lqa List Bool Lia Arith.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Policies.
From Schedproof Require Import Outcomes Rules Capacity Layout Draws Routing Weights SharedService SharedSlot.
Import ListNotations.
Open Scope Q_scope.

Section JsqMaxWeight.
  Variable C : cluster.
  Hypothesis WF : well_formed C.
  Hypothesis REP : replicated C.
  Hypothesis supported : shared_options C.
  Notation A := per_server.
  Notation M := (servers C).
  Variable len : list Z.
  Hypothesis len_nonnegative : forall q, 0 <= queue_length len q.

  Lemma counted inside q : length_of integers C len inside q = nth q len 0%Z.
  Proof. unfold length_of, tasks. destruct supported as [(_ & -> & _) _]. reflexivity. Qed.

  (* ---- the serve rule: its keys are rates times lengths, times a positive constant ---- *)

  Notation scale := (inject_Z (common_denominator (concat (rates C)))).
  Lemma scale_positive : 0 < scale.
  Proof. change 0 with (inject_Z 0). rewrite <- Zlt_Qlt. apply common_denominator_positive. Qed.
  Lemma key_exact inside m q : In m (all_servers C) -> In q (all_servers C) ->
    inject_Z (rate_times_length C A len inside (q, service_level C A q m)) == scale * (rate_between C m q * queue_length len q).
  Proof.
    intros Hm Hq. unfold rate_times_length, row_and_level, rate_weight. cbn [fst snd]. rewrite counted, inject_Z_mult.
    assert (In (rate_between C m q) (concat (rates C))) as I.
    { pose proof (levels_between_servers C REP m q Hm Hq). pose proof (some_row _ WF). now apply (rate_at_in C WF 0). }
    unfold rate_between, service_rate in *. cbn [row_of_queue] in *. rewrite (over_exact _ _ I). unfold queue_length. ring.
  Qed.
  Theorem serve_turns_to_weight inside m : (m < M)%nat -> exists tied,
    answers (set_of integers C A len inside (Serving m) (serve jsq_maxweight) []) tied /\ tied <> [] /\
    forall c, In c tied -> heaviest_for C len m (fst c).
  Proof.
    intro Hm. assert (Sm : In m (all_servers C)) by (apply in_seq; lia). pose proof scale_positive as D.
    destruct (answers_heaviest_first C A len inside (Serving m) (proj2 supported)) as (tied & At & Cases). exists tied. split;
      [exact At|].
    assert (Reach : forall q, In q (all_servers C) -> In (q, service_level C A q m) (named C A (Serving m) Reachable)).
    { intros q Q. cbn [named server_of]. apply in_map_iff. exists q. split; [reflexivity|exact Q]. }
    destruct Cases as [[-> Empty]|[Ne Good]].
    - cbn [named server_of]. rewrite (one_row C REP). cbn [seq map]. split; [easy|]. intros c [<-|[]]. cbn [fst queue_of]. split;
        [assumption|].
      assert (Zero : weight C len m <= 0).
      { apply weight_below; [lra|]. intros q Q. specialize (Empty _ (Reach q Q)). rewrite Zle_Qle, key_exact in Empty by assumption.
        change (inject_Z 0) with 0 in Empty. apply Qmult_lt_0_le_reg_r with scale; [assumption|]. lra. }
      pose proof (weight_above C len m m Sm). pose proof (weight_nonnegative C len m).
      destruct (rate_between_bounds C WF REP m m Sm Sm) as [[Rp _] _]. specialize (len_nonnegative m).
      assert (0 <= rate_between C m m * queue_length len m) by (apply Qmult_le_0_compat; lra). lra.
    - split; [assumption|]. intros c I. destruct (Good c I) as [J L]. cbn [named server_of] in J.
        apply in_map_iff in J as (q & <- & Q).
      change (queues C A) with M in Q. cbn [fst]. split; [apply in_seq in Q; lia|].
      apply Qle_antisym; [now apply weight_above|]. apply weight_below.
      + destruct (rate_between_bounds C WF REP m q Sm Q) as [[Rp _] _]. apply Qmult_le_0_compat; [lra|apply len_nonnegative].
      + intros r R. specialize (L _ (Reach r R)). rewrite Zle_Qle, !key_exact in L by assumption.
        apply Qmult_lt_0_le_reg_r with scale; [assumption|]. lra.
  Qed.

  (* ---- the route rule ---- *)

  Definition local (t m : nat) : bool := Nat.eqb (nth m (nth t (level_of_task C) []) 0%nat) 0.
  Definition local_servers (t : nat) : list nat := filter (local t) (all_servers C).
  Definition shortest (t : nat) : Q :=
    match map (queue_length len) (local_servers t) with [] => 0 | l :: ls => fold_right Qmin l ls end.
  Lemma least_of l ls : (forall x, In x (l :: ls) -> fold_right Qmin l ls <= x) /\ exists x,
    In x (l :: ls) /\ x == fold_right Qmin l ls.
  Proof.
    induction ls as [|k ls [Le (x & I & Eq)]]; cbn [fold_right].
    - split; [intros x [<-|[]]; apply Qle_refl|]. exists l. split; [now left|reflexivity].
    - split.
      + intros z [<-|[<-|J]]; [|apply Q.le_min_l|].
        * eapply Qle_trans; [apply Q.le_min_r|]. apply Le. now left.
        * eapply Qle_trans; [apply Q.le_min_r|]. apply Le. now right.
      + destruct (Q.min_spec k (fold_right Qmin l ls)) as [[_ Min]|[_ Min]].
        * exists k. split; [right; now left|]. now rewrite Min.
        * exists x. split; [|now rewrite Min]. destruct I as [->|I]; [now left|right; now right].
  Qed.
  Lemma shortest_least t q : In q (local_servers t) -> shortest t <= queue_length len q.
  Proof.
    unfold shortest. intro Q. apply (in_map (queue_length len)) in Q.
      destruct (map (queue_length len) (local_servers t)) as [|l ls]; [contradiction|].
    now apply least_of.
  Qed.
  Lemma shortest_attained t : local_servers t <> [] -> exists q, In q (local_servers t) /\ queue_length len q == shortest t.
  Proof.
    intro N. unfold shortest. destruct (map (queue_length len) (local_servers t)) as [|l ls] eqn:Eq.
    - destruct (local_servers t); [easy|discriminate].
    - destruct (least_of l ls) as [_ (x & I & E_)]. rewrite <- Eq in I. apply in_map_iff in I as (q & <- & Q). eauto.
  Qed.
  Lemma some_local t : In t (all_types C) -> local_servers t <> [].
  Proof.
    intros T E_. assert (In 0%nat (all_servers C)) as Z0 by (apply in_seq; pose proof (some_server _ WF); lia).
    destruct (nearest_replica C REP t 0 T Z0) as (q & Q & L & _).
    assert (In q (local_servers t)) as I by (apply filter_In; split; [assumption|now apply Nat.eqb_eq]). now rewrite E_ in I.
  Qed.
  Theorem route_at_length inside t : In t (all_types C) -> exists tied,
    answers (set_of integers C A len inside (Arriving t) (route jsq_maxweight) []) tied /\ tied <> [] /\
    forall c, In c tied -> of_length C len shortest t (fst c).
  Proof.
    intro T. destruct (answers_shortest_local C A len inside (Arriving t)) as (tied & At & Ne & Least_).
    assert (Names : named C A (Arriving t) Local = map (fun m => (m, 0%nat)) (local_servers t)) by reflexivity.
    exists tied. split; [exact At|]. split.
    - apply Ne. rewrite Names. pose proof (some_local t T). now destruct (local_servers t).
    - intros c I. apply Least_ in I as [I L]. rewrite Names in *. apply in_map_iff in I as (q & <- & Q). cbn [fst] in *.
      pose proof (proj1 (proj1 (filter_In _ _ _) Q)) as Sq. split; [apply in_seq in Sq; lia|].
      apply Qle_antisym; [|now apply shortest_least]. destruct (shortest_attained t (some_local t T)) as (r & R & <-).
      specialize (L _ (in_map (fun m => (m, 0%nat)) _ _ R)). cbn [fst] in L. rewrite !counted in L. unfold queue_length.
        now rewrite <- Zle_Qle.
  Qed.
  Lemma shortest_price t m : In t (all_types C) -> In m (all_servers C) -> 0 < type_rate C t m -> shortest t
    <= weight C len m / type_rate C t m.
  Proof.
    intros T Hm Rp. destruct (nearest_replica C REP t m T Hm) as (q & Q & L & R). apply Qle_shift_div_l; [assumption|].
    assert (In q (local_servers t)) as I by (apply filter_In; split; [assumption|now apply Nat.eqb_eq]).
    pose proof (shortest_least t q I) as S. pose proof (weight_above C len m q Q) as W. specialize (len_nonnegative q).
    apply Qle_trans with (queue_length len q * type_rate C t m); [apply Qmult_le_compat_r; lra|].
    apply Qle_trans with (rate_between C m q * queue_length len q); [|assumption].
    rewrite Qmult_comm. now apply Qmult_le_compat_r.
  Qed.
End JsqMaxWeight.

(* ---- the theorem ---- *)

Section Stability.
  Variables (C : cluster) (rho : Q) (split : nat -> nat -> Q).
  Hypothesis WF : well_formed C.
  Hypothesis REP : replicated C.
  Hypothesis supported : shared_options C.
  Hypothesis below_one : rho < 1.
  Hypothesis enough : carries C rho split.
  Notation P := jsq_maxweight.
  Notation is_valid := (valid C P (any_statuses C)).

  Lemma lengths_nonnegative x : is_valid x -> forall q, 0 <= queue_length (fst x) q.
  Proof.
    destruct x as [len s]. intros V q. apply (shared_valid_iff C (route P) (serve P)) in V as (_ & _ & _ & R). specialize (R q).
    pose proof (running_nonnegative s q). unfold queue_length. cbn [fst]. change 0 with (inject_Z 0). rewrite <- Zle_Qle. lia.
  Qed.
  Lemma chain_valid x : is_valid x -> is_law (chain C P x) /\ forall e, In e (chain C P x) -> is_valid (snd e).
  Proof.
    destruct x as [len s]. intro V. pose proof (lengths_nonnegative _ V) as N0. cbn [fst] in N0.
      destruct supported as [(B & _ & U) _].
    destruct (always_run _ _ (shared_slot_ok C (route P) (serve P) WF REP len s (shortest C len) V B U
                (route_at_length C WF REP supported len) (serve_turns_to_weight C WF REP supported len N0))) as [[Po One] Next].
    split; [split|].
    - intros e I. unfold chain in I. apply in_map_iff in I as (d & <- & I). now apply (Po d).
    - now rewrite chain_E.
    - intros e I. unfold chain in I. apply in_map_iff in I as (d & <- & I). now apply (Next d).
  Qed.
  (* Squares and regrets fall on average by 2 (1 - rho) times the total weight, but for a constant. *)
  Theorem drift x : is_valid x -> E (squares_and_regrets C) (chain C P x)
    <= squares_and_regrets C x - 2 * (1 - rho) * total_weight C (fst x) + shared_spread C.
  Proof.
    destruct x as [len s]. intro V. pose proof (lengths_nonnegative _ V) as N0. cbn [fst] in *.
      destruct supported as [(B & _ & U) _]. rewrite chain_E. cbn [fst].
    pose proof (shared_slot_mean C (route P) (serve P) WF REP len s (shortest C len) V B U
                (route_at_length C WF REP supported len) (serve_turns_to_weight C WF REP supported len N0)) as D.
    assert (Rates : forall t m, In t (all_types C) -> In m (all_servers C) -> 0 < type_rate C t m).
    { intros t m T Hm. now apply (rate_at_in C WF _ _ (rows_of_types _ WF t) (levels_of_types _ WF t m T Hm)). }
    pose proof (weak_duality C rho split (weight C len) (shortest C len) enough Rates (fun m _ => weight_nonnegative C len m)
                  (fun t m T Hm => shortest_price C REP len N0 t m T Hm (Rates t m T Hm))) as W.
    eapply Qle_trans; [exact D|]. unfold total_weight. lra.
  Qed.
  Lemma potential_nonnegative x : is_valid x -> 0 <= squares_and_regrets C x.
  Proof.
    destruct x as [len s]. intro V. apply (shared_valid_iff C (route P) (serve P)) in V as (_ & Ls & F & _).
      unfold squares_and_regrets. cbn [fst snd].
    assert (0 <= squares C len) by (apply total_nonnegative; intros; nra).
    enough (0 <= regrets C len 0 s) by lra.
    assert (K : forall k, (k + length s <= servers C)%nat -> 0 <= regrets C len k s); [|apply K; lia].
    clear - WF REP F. induction F as [|f s Hf F IH]; intros k Le; cbn [regrets length] in *; [lra|].
    specialize (IH (S k) ltac:(lia)). enough (0 <= regret C len k f) by lra. apply (regret_nonnegative C WF REP); [apply in_seq;
      lia|].
    destruct f; auto. apply in_seq. cbn in Hf. lia.
  Qed.
  Lemma heavy y : low C rho y = false -> shared_spread C + 1 <= 2 * (1 - rho) * total_weight C (fst y).
  Proof.
    unfold low, shared_threshold. intro T. apply negb_false_iff, Qle_bool_iff in T.
    assert (Eq : shared_spread C + 1 == (shared_spread C + 1) / (2 * (1 - rho)) * (2 * (1 - rho))) by (field; lra).
    rewrite Eq, (Qmult_comm (2 * (1 - rho)) (total_weight C (fst y))). apply Qmult_le_compat_r; [exact T|lra].
  Qed.
  Lemma low_lengths x : is_valid x -> low C rho x = true -> Forall (fun q => 0
    <= inject_Z q < shared_threshold C rho / least_rate C) (fst x).
  Proof.
    intros V Lt. pose proof (lengths_nonnegative x V) as N0. pose proof (least_rate_positive C WF) as G.
    assert (total_weight C (fst x) < shared_threshold C rho) as Few.
    { apply Qnot_le_lt. intro Le. apply Qle_bool_iff in Le. unfold low in Lt. rewrite Le in Lt. discriminate. }
    apply Forall_forall. intros z I. apply (In_nth _ _ 0%Z) in I as (q & Q & <-). split; [apply N0|].
    destruct V as [Lx _]. rewrite Lx in Q. change (queues C (keeps P)) with (servers C) in Q.
    assert (In q (all_servers C)) as Sq by (apply in_seq; lia).
    pose proof (length_le_weight C WF REP (fst x) q Sq (N0 q)). apply Qlt_shift_div_l; [assumption|]. rewrite Qmult_comm.
      unfold queue_length in *. lra.
  Qed.
  Lemma empty_is_valid : is_valid (empty_state C P).
  Proof.
    apply (shared_valid_iff C (route P) (serve P)). split; [apply repeat_length|]. split; [apply repeat_length|]. split.
    - apply Forall_forall. intros f I. apply repeat_spec in I. now subst.
    - intro q. rewrite nth_repeat. clear. induction (servers C) as [|k IH]; cbn [repeat]; [cbn; lia|]. rewrite running_cons. lia.
  Qed.
  Lemma mean_time_low slots x : is_valid x -> mean_time (chain C P) (low C rho) slots x <= squares_and_regrets C x.
  Proof.
    intro V. pose proof (foster (chain C P) is_valid (fun y Vy => proj1 (chain_valid y Vy)) (fun y e Vy => proj2 (chain_valid y Vy)
      e)
                    (low C rho) (squares_and_regrets C) 1 potential_nonnegative) as F.
    assert (Falls : forall y, is_valid y -> low C rho y = false -> E (squares_and_regrets C) (chain C P y)
      <= squares_and_regrets C y - 1).
    { intros y Vy T. pose proof (drift y Vy) as D. pose proof (heavy y T). lra. }
    specialize (F Falls slots x V). lra.
  Qed.
End Stability.

(* For every cluster whose levels come from replicas, and every split of its arrivals that loads no server above rho < 1:
   the empty cluster is a valid state; the states of total weight below the threshold are finitely many; and from every valid
   state the mean of min(time until such a state is reached, slots) is at most the squares and regrets there, for every
   number of slots. That is Foster's criterion: the chain is positive recurrent. *)
Theorem jsq_maxweight_throughput_optimal : forall C rho split,
  well_formed C -> replicated C -> shared_options C -> carries C rho split -> rho < 1 ->
  let policy := jsq_maxweight in
  let valid := valid C policy (any_statuses C) in
  valid (empty_state C policy) /\
  (forall x, valid x -> low C rho x = true -> Forall (fun q => 0 <= inject_Z q < shared_threshold C rho / least_rate C) (fst x)) /\
  (forall slots x, valid x -> mean_time (chain C policy) (low C rho) slots x <= squares_and_regrets C x).
Proof.
  intros C rho split WF REP supported enough below_one policy valid. split; [now apply empty_is_valid|]. split.
  - intros x. now apply low_lengths.
  - intros slots x. now apply (mean_time_low C rho split).
Qed.
