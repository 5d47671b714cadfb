(* Balanced-Pandas is throughput optimal on every cluster: any servers, types, levels, rates, and any bounded arrivals.

   The policy is the rule [balanced_pandas] of Policies.v, the chain that of Kernel.v, as in the theorems about one
   instance. [balanced_pandas_throughput_optimal], at the end, is stated with the definitions of Capacity.v. *)
From Coq Require Import ZArith QArith Qminmax Lqa List Bool Lia Arith.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Policies.
From Schedproof Require Import Outcomes Rules Capacity Layout Draws OwnService Routing OwnSlot.
Import ListNotations.

Section BalancedPandas.
  Variable C : cluster.
  Hypothesis WF : well_formed C.
  Hypothesis supported : options_of_the_proof C.
  Notation A := per_server_and_level.
  Notation n := (queues C A).
  Notation owner := (owner C A).
  Variable len : list Z.

  (* ---- the serve rule ---- *)

  Lemma work_of_free inside m q : free C inside m -> owner q = m -> work C len inside q = nth q len 0%Z.
  Proof.
    intros F Ow. unfold work, waiting_tasks, length_of, tasks. destruct supported as (_ & -> & _). cbn [integers const plus].
    rewrite (F q Ow). destruct empty_is; lia.
  Qed.
  Theorem serve_turns_to_own_work inside m : (m < servers C)%nat -> free C inside m -> exists tied,
    answers (set_of integers C A len inside (Serving m) (serve balanced_pandas) []) tied /\ tied <> [] /\
    forall c, In c tied -> good_choice C len m (fst c).
  Proof.
    intros M F. destruct (answers_most_local_first C A len inside (Serving m)) as (tied & At & Cases). exists tied. split;
      [exact At|].
    destruct Cases as [[-> Empty]|[Ne Good]].
    - split.
      + cbn [named]. pose proof (some_row _ WF). destruct (rows C); [lia|easy].
      + intros c I. cbn [named server_of] in I. apply in_map_iff in I as (row & <- & R). apply in_seq in R. cbn [fst].
        destruct (decompose C m row 0 ltac:(lia) (some_level _ WF)) as (Ow & _ & _ & B). split; [split; auto|]. right.
        intros q [Oq Q]. destruct (owned_queue C WF q) as [level Iq]. rewrite Oq in Iq. specialize (Empty (q, level) Iq).
        cbn [fst] in Empty. now rewrite (work_of_free inside m q F Oq) in Empty.
    - split; [assumption|]. intros c I. destruct (Good c I) as [J W]. destruct (queues_of_owner C c m J) as [Ow B].
      split; [split; auto|]. left. now rewrite (work_of_free inside m (fst c) F Ow) in W.
  Qed.

  (* ---- the route rule ---- *)

  Open Scope Q_scope.
  Definition over_rate (t m : nat) : Q := workload C len m / type_rate C t m.
  Definition price (t : nat) : Q := fold_right Qmin (over_rate t 0) (map (over_rate t) (all_servers C)).
  Lemma price_le t m : In m (all_servers C) -> price t <= over_rate t m.
  Proof.
    unfold price. induction (all_servers C) as [|k l IH]; intro I; [contradiction|]. cbn [map fold_right].
    destruct I as [->|I]; [apply Q.le_min_l|]. eapply Qle_trans; [apply Q.le_min_r|auto].
  Qed.
  Lemma price_paid t : exists m, In m (all_servers C) /\ over_rate t m == price t.
  Proof.
    assert (In 0%nat (all_servers C)) as Z0 by (apply in_seq; pose proof (some_server _ WF); lia).
    unfold price. assert (K : forall l, exists m, (m = 0%nat \/ In m l) /\ over_rate t m
      == fold_right Qmin (over_rate t 0) (map (over_rate t) l)).
    { induction l as [|k l (m & I & Eq)]; cbn [map fold_right]; [exists 0%nat; split; [now left|reflexivity]|].
      destruct (Q.min_spec (over_rate t k) (fold_right Qmin (over_rate t 0) (map (over_rate t) l))) as [[_ Min]|[_ Min]].
      - exists k. split; [right; now left|]. now rewrite Min.
      - exists m. split; [|now rewrite Min]. destruct I; [now left|right; now right]. }
    destruct (K (all_servers C)) as (m & [->|I] & Eq); eauto.
  Qed.
  (* The keys of the rule are workloads over rates, times a positive constant. *)
  Lemma own_workload_exact inside m : inject_Z (own_workload C A len inside m) == inject_Z (scale_of_slowness C) * workload C len m.
  Proof.
    unfold own_workload, total_of, workload. fold (queues_of C m). cbn [integers plus const].
    assert (Member : forall c, In c (queues_of C m) ->
      inject_Z (row_and_level C A (slowness C) c * length_of integers C len inside (fst c))
      == inject_Z (scale_of_slowness C) * (inject_Z (nth (fst c) len 0%Z) / rate_of C (fst c))).
    { intros c I. apply queues_of_In in I as (row & level & R & L & ->). unfold row_and_level. cbn [fst snd].
      destruct (decompose C m row level R L) as (_ & -> & _). rewrite (rate_of_queue C m row level R L).
      rewrite inject_Z_mult, (slowness_exact C WF row level R L). unfold length_of, tasks. destruct supported as (_ & -> & _).
      cbn [integers const]. field. destruct (rate_at_in C WF row level R L). lra. }
    assert (K : forall l z, (forall c, In c l -> In c (queues_of C m)) ->
      inject_Z (fold_left (fun s c => s + row_and_level C A (slowness C) c * length_of integers C len inside (fst c))%Z l z)
      == inject_Z z + inject_Z (scale_of_slowness C) * total l (fun c => inject_Z (nth (fst c) len 0%Z) / rate_of C (fst c))).
    { induction l as [|c l IH]; intros z Sub; cbn [fold_left total fold_right]; [ring|].
      fold (total l (fun c => inject_Z (nth (fst c) len 0%Z) / rate_of C (fst c))).
      rewrite IH by (intros; apply Sub; now right). rewrite inject_Z_plus, Member by (apply Sub; now left). ring. }
    rewrite K by auto. change (inject_Z 0) with 0. ring.
  Qed.
  Lemma candidate_of t m : In t (all_types C) -> In m (all_servers C) ->
    let q := queue_of C A m (nth m (nth t (level_of_task C) []) 0%nat) (nth t (row_of_type C) 0%nat) in
    owner q = m /\ (q < n)%nat /\ rate_of C q = type_rate C t m /\ 0 < type_rate C t m.
  Proof.
    intros T M q. pose proof (rows_of_types _ WF t) as R. pose proof (levels_of_types _ WF t m T M) as L.
    destruct (decompose C m _ _ R L) as (Ow & _ & _ & B). apply in_seq in M. unfold q. rewrite (rate_of_queue C m _ _ R L).
    repeat split; auto; [apply B; lia|]. now apply rate_at_in.
  Qed.
  Lemma key_exact inside t m : In t (all_types C) -> In m (all_servers C) ->
    let level := nth m (nth t (level_of_task C) []) 0%nat in
    inject_Z (workload_over_rate C A len inside (queue_of C A m level (nth t (row_of_type C) 0%nat), level))
    == inject_Z (scale_of_slowness C) * inject_Z (scale_of_slowness C) * over_rate t m.
  Proof.
    intros T M level. pose proof (rows_of_types _ WF t) as R. pose proof (levels_of_types _ WF t m T M) as L. fold level in L.
    destruct (candidate_of t m T M) as (Ow & _ & _ & Rp). fold level in Ow.
    unfold workload_over_rate, row_and_level. cbn [fst snd]. rewrite Ow.
    destruct (decompose C m _ level R L) as (_ & -> & _).
      rewrite inject_Z_mult, own_workload_exact, (slowness_exact C WF _ level R L).
    unfold over_rate. fold (type_rate C t m). unfold type_rate in *. fold level in Rp |- *. field. lra.
  Qed.
  Theorem route_at_price inside t : In t (all_types C) -> exists tied,
    answers (set_of integers C A len inside (Arriving t) (route balanced_pandas) []) tied /\ tied <> [] /\
    forall c, In c tied -> at_price C len price t (fst c).
  Proof.
    intro T. destruct (answers_least_workload_over_rate C A len inside (Arriving t)) as (tied & At & Ne & Least_).
    exists tied. split; [exact At|]. split.
    { apply Ne. cbn [named]. pose proof (some_server _ WF). destruct (servers C); [lia|easy]. }
    intros c I. apply Least_ in I as [I L]. cbn [named type_of] in I, L. apply in_map_iff in I as (m & <- & M).
    destruct (candidate_of t m T M) as (Ow & Q & Rq & Rp). cbn [fst]. split; [assumption|]. rewrite Ow, Rq.
    fold (over_rate t m). apply Qle_antisym; [|now apply price_le].
    destruct (price_paid t) as (k & K & <-).
    specialize (L _ (in_map (fun m' => (queue_of C A m' (nth m' (nth t (level_of_task C) []) 0) (nth t (row_of_type C) 0),
      nth m' (nth t (level_of_task C) []) 0)%nat) _ _ K)).
    rewrite Zle_Qle, !key_exact in L by assumption.
    assert (0 < inject_Z (scale_of_slowness C)) as D.
    { change 0 with (inject_Z 0). rewrite <- Zlt_Qlt. apply common_denominator_positive. }
    set (d := inject_Z (scale_of_slowness C)) in *. assert (0 < d * d) by nra.
    apply Qmult_lt_0_le_reg_r with (d * d); [assumption|]. lra.
  Qed.
End BalancedPandas.

(* ---- the theorem ---- *)

Open Scope Q_scope.
Section Stability.
  Variables (C : cluster) (rho : Q) (split : nat -> nat -> Q).
  Hypothesis WF : well_formed C.
  Hypothesis supported : options_of_the_proof C.
  Hypothesis below_one : rho < 1.
  Hypothesis enough : carries C rho split.
  Notation P := balanced_pandas.
  Notation is_valid := (valid C P (own_statuses C)).

  Lemma chain_valid x : is_valid x -> is_law (chain C P x) /\ forall e, In e (chain C P x) -> is_valid (snd e).
  Proof.
    destruct x as [len s]. intro V. destruct supported as (B & _ & U).
    destruct (always_run _ _ (slot_ok C _ _ WF len s (price C len) V B U (route_at_price C WF supported len)
      (serve_turns_to_own_work C WF supported len)))
      as [[Po One] Next]. split; [split|].
    - intros e I. unfold chain in I. apply in_map_iff in I as (d & <- & I). now apply (Po d).
    - now rewrite chain_E.
    - intros e I. unfold chain in I. apply in_map_iff in I as (d & <- & I). now apply (Next d).
  Qed.
  Lemma valid_lengths x : is_valid x -> forall q, (0 <= nth q (fst x) 0)%Z.
  Proof. destruct x as [len s]. intro V. now apply (valid_iff C _ _ WF) in V. Qed.
  (* The squared workloads fall on average by 2 (1 - rho) times the total workload, but for a constant. *)
  Theorem drift x : is_valid x -> E (fun y => squared_workloads C (fst y)) (chain C P x)
    <= squared_workloads C (fst x) - 2 * (1 - rho) * total_workload C (fst x) + spread C.
  Proof.
    destruct x as [len s]. intro V. destruct supported as (B & _ & U). rewrite chain_E. cbn [fst].
    pose proof (slot_mean C _ _ WF len s (price C len) V B U (route_at_price C WF supported len)
      (serve_turns_to_own_work C WF supported len)) as D.
    pose proof (weak_duality C rho split (workload C len) (price C len) enough) as W. cbn [fst] in *.
    assert (total (all_types C) (fun t => arrival_rate C t * price C len t) <= rho * total_workload C len).
    { apply W.
      - intros t m T M. now apply (candidate_of C WF).
      - intros m _. apply workload_nonnegative; auto. exact (valid_lengths _ V).
      - intros t m _ M. now apply price_le. }
    eapply Qle_trans; [exact D|]. lra.
  Qed.
  Lemma squares_nonnegative len : 0 <= squared_workloads C len.
  Proof. apply total_nonnegative. intros m _. nra. Qed.

  Lemma heavy y : light C rho y = false -> spread C + 1 <= 2 * (1 - rho) * total_workload C (fst y).
  Proof.
    unfold light, threshold. intro T. apply negb_false_iff, Qle_bool_iff in T.
    assert (Eq : spread C + 1 == (spread C + 1) / (2 * (1 - rho)) * (2 * (1 - rho))) by (field; lra).
    rewrite Eq, (Qmult_comm (2 * (1 - rho)) (total_workload C (fst y))). apply Qmult_le_compat_r; [exact T|lra].
  Qed.
  Lemma light_lengths x : is_valid x -> light C rho x = true -> Forall (fun q => 0 <= inject_Z q < threshold C rho) (fst x).
  Proof.
    intros V Lt. pose proof (valid_lengths x V) as N0.
    assert (total_workload C (fst x) < threshold C rho) as Few.
    { apply Qnot_le_lt. intro Le. apply Qle_bool_iff in Le. unfold light in Lt. rewrite Le in Lt. discriminate. }
    apply Forall_forall. intros z I. apply (In_nth _ _ 0%Z) in I as (q & Q & <-).
    split; [change 0 with (inject_Z 0); rewrite <- Zle_Qle; apply N0|].
    destruct V as [Lx _]. rewrite Lx in Q. change (keeps P) with per_server_and_level in Q.
    pose proof (length_le_workload C WF (fst x) q N0).
    assert (workload C (fst x) (owner C per_server_and_level q) <= total_workload C (fst x)); [|lra].
    apply total_member; [intros; now apply workload_nonnegative|]. apply in_seq. pose proof (owner_bound C WF q Q). lia.
  Qed.
  Lemma empty_is_valid : is_valid (empty_state C P).
  Proof.
    apply (valid_iff C _ _ WF). split; [apply repeat_length|]. split; [apply repeat_length|].
    split; [intro; now rewrite nth_repeat|].
    generalize 0%nat. induction (servers C) as [|k IH]; intro m; cbn [repeat]; constructor; [exact I|apply IH].
  Qed.
  Lemma mean_time_light slots x : is_valid x -> mean_time (chain C P) (light C rho) slots x <= squared_workloads C (fst x).
  Proof.
    intro V. pose proof (foster (chain C P) is_valid (fun y Vy => proj1 (chain_valid y Vy))
      (fun y e Vy => proj2 (chain_valid y Vy) e)
                    (light C rho) (fun y => squared_workloads C (fst y)) 1 (fun y _ => squares_nonnegative (fst y))) as F.
    assert (Falls : forall y, is_valid y -> light C rho y = false -> E (fun z => squared_workloads C (fst z)) (chain C P y)
      <= squared_workloads C (fst y) - 1).
    { intros y Vy T. pose proof (drift y Vy) as D. pose proof (heavy y T). lra. }
    specialize (F Falls slots x V). cbv beta in F. lra.
  Qed.
End Stability.

(* For every cluster, and every split of its arrivals that loads no server above rho < 1:
   the empty cluster is a valid state; the states with less work than the threshold are finitely many; and from every valid
   state the mean of min(time until such a state is reached, slots) is at most the sum of the squared workloads there, for
   every number of slots. That is Foster's criterion: the chain is positive recurrent. *)
Theorem balanced_pandas_throughput_optimal : forall C rho split,
  well_formed C -> options_of_the_proof C -> carries C rho split -> rho < 1 ->
  let policy := balanced_pandas in
  let valid := valid C policy (own_statuses C) in
  valid (empty_state C policy) /\
  (forall x, valid x -> light C rho x = true -> Forall (fun q => 0 <= inject_Z q < threshold C rho) (fst x)) /\
  (forall slots x, valid x -> mean_time (chain C policy) (light C rho) slots x <= squared_workloads C (fst x)).
Proof.
  intros C rho split WF supported enough below_one policy valid. split; [now apply empty_is_valid|]. split.
  - intros x. now apply light_lengths.
  - intros slots x. now apply (mean_time_light C rho split).
Qed.
