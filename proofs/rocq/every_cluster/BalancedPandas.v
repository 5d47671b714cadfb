(* Balanced-Pandas is throughput optimal on every cluster: any servers, types, levels, rates, and any bounded arrivals.

   The policy is the rule [balanced_pandas] of Policies.v, the chain that of Kernel.v, as in the theorems about one
   instance. [balanced_pandas_throughput_optimal], at the end, is stated with the definitions of Capacity.v. *)
From Coq Require Import ZArith QArith Qminmax Lqa List Bool Lia Arith.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Policies.
From Schedproof Require Import Outcomes Rules Capacity Layout Draws OwnService Routing OwnSlot.
Import ListNotations.

Section Answers.
  Variable C : cluster.
  Hypothesis LO : laid_out C.
  Notation A := per_server_and_level.
  Notation n := (queues C A).
  Notation owner := (owner C A).
  Variable len : list Z.

  (* ---- the serve rule ---- *)

  Lemma work_of_free inside m q : free C inside m -> owner q = m -> work C len inside q = nth q len 0%Z.
  Proof.
    intros F Ow. unfold work, length_of, waiting_tasks, tasks. cbn [integers const plus]. rewrite (F q Ow).
    destruct (empty_is (option_of C)), (counts (option_of C)); lia.
  Qed.
  Theorem serve_turns_to_own_work inside m : (m < servers C)%nat -> free C inside m -> exists tied,
    answers (set_of integers C A len inside (Serving m) (serve balanced_pandas) []) tied /\ tied <> [] /\
    forall c, In c tied -> good_choice C len m (fst c).
  Proof.
    intros M F. destruct (answers_most_local_first C A len inside (Serving m)) as (tied & At & Cases). exists tied. split;
      [exact At|].
    destruct Cases as [[-> Empty]|[Ne Good]].
    - split.
      + cbn [named]. pose proof (some_row _ LO). destruct (rows C); [lia|easy].
      + intros c I. cbn [named server_of] in I. apply in_map_iff in I as (row & <- & R). apply in_seq in R. cbn [fst].
        destruct (decompose C m row 0 ltac:(lia) (some_level _ LO)) as (Ow & _ & _ & B). split; [split; auto|]. right.
        intros q [Oq Q]. destruct (owned_queue C LO q) as [level Iq]. rewrite Oq in Iq. specialize (Empty (q, level) Iq).
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
    assert (In 0%nat (all_servers C)) as Z0 by (apply in_seq; pose proof (some_server _ LO); lia).
    unfold price. assert (K : forall l, exists m, (m = 0%nat \/ In m l) /\ over_rate t m
      == fold_right Qmin (over_rate t 0) (map (over_rate t) l)).
    { induction l as [|k l (m & I & Eq)]; cbn [map fold_right]; [exists 0%nat; split; [now left|reflexivity]|].
      destruct (Q.min_spec (over_rate t k) (fold_right Qmin (over_rate t 0) (map (over_rate t) l))) as [[_ Min]|[_ Min]].
      - exists k. split; [right; now left|]. now rewrite Min.
      - exists m. split; [|now rewrite Min]. destruct I; [now left|right; now right]. }
    destruct (K (all_servers C)) as (m & [->|I] & Eq); eauto.
  Qed.
  (* The keys of the rule are workloads over rates, times a positive constant: workloads of the lengths that it sees. *)
  Definition seen_workload (now inside : list Z) (m : nat) : Q :=
    total (queues_of C m) (fun c => inject_Z (length_of integers C now inside (fst c)) / rate_of C (fst c)).
  Lemma own_workload_exact now inside m :
    inject_Z (own_workload C A now inside m) == inject_Z (scale_of_slowness C) * seen_workload now inside m.
  Proof.
    unfold own_workload, total_of, seen_workload. fold (queues_of C m). cbn [integers plus const].
    assert (Member : forall c, In c (queues_of C m) ->
      inject_Z (row_and_level C A (slowness C) c * length_of integers C now inside (fst c))
      == inject_Z (scale_of_slowness C) * (inject_Z (length_of integers C now inside (fst c)) / rate_of C (fst c))).
    { intros c I. apply queues_of_In in I as (row & level & R & L & ->). unfold row_and_level. cbn [fst snd].
      destruct (decompose C m row level R L) as (_ & -> & _). rewrite (rate_of_queue C m row level R L).
      rewrite inject_Z_mult, (slowness_exact C LO row level R L). field. pose proof (rate_at_positive C LO row level R L). lra. }
    assert (K : forall l z, (forall c, In c l -> In c (queues_of C m)) ->
      inject_Z (fold_left (fun s c => s + row_and_level C A (slowness C) c * length_of integers C now inside (fst c))%Z l z)
      == inject_Z z + inject_Z (scale_of_slowness C)
           * total l (fun c => inject_Z (length_of integers C now inside (fst c)) / rate_of C (fst c))).
    { induction l as [|c l IH]; intros z Sub; cbn [fold_left total fold_right]; [ring|].
      fold (total l (fun c => inject_Z (length_of integers C now inside (fst c)) / rate_of C (fst c))).
      rewrite IH by (intros; apply Sub; now right). rewrite inject_Z_plus, Member by (apply Sub; now left). ring. }
    rewrite K by auto. change (inject_Z 0) with 0. ring.
  Qed.
  Lemma candidate_of t m : In t (all_types C) -> In m (all_servers C) ->
    let q := queue_of C A m (nth m (nth t (level_of_task C) []) 0%nat) (nth t (row_of_type C) 0%nat) in
    owner q = m /\ (q < n)%nat /\ rate_of C q = type_rate C t m /\ 0 < type_rate C t m.
  Proof.
    intros T M q. pose proof (rows_of_types _ LO t) as R. pose proof (levels_of_types _ LO t m T M) as L.
    destruct (decompose C m _ _ R L) as (Ow & _ & _ & B). apply in_seq in M. unfold q. rewrite (rate_of_queue C m _ _ R L).
    repeat split; auto; [apply B; lia|]. now apply (rate_at_positive C LO).
  Qed.
  Lemma key_exact now inside t m : In t (all_types C) -> In m (all_servers C) ->
    let level := nth m (nth t (level_of_task C) []) 0%nat in
    inject_Z (workload_over_rate C A now inside (queue_of C A m level (nth t (row_of_type C) 0%nat), level))
    == inject_Z (scale_of_slowness C) * inject_Z (scale_of_slowness C) * (seen_workload now inside m / type_rate C t m).
  Proof.
    intros T M level. pose proof (rows_of_types _ LO t) as R. pose proof (levels_of_types _ LO t m T M) as L. fold level in L.
    destruct (candidate_of t m T M) as (Ow & _ & _ & Rp). fold level in Ow.
    unfold workload_over_rate, row_and_level. cbn [fst snd]. rewrite Ow.
    destruct (decompose C m _ level R L) as (_ & -> & _).
      rewrite inject_Z_mult, own_workload_exact, (slowness_exact C LO _ level R L).
    fold (type_rate C t m). unfold type_rate in *. fold level in Rp |- *. field. lra.
  Qed.
  (* The rule's servers, by the workloads that it sees. *)
  Lemma route_to_least now inside t : In t (all_types C) -> exists tied,
    answers (set_of integers C A now inside (Arriving t) (route balanced_pandas) []) tied /\ tied <> [] /\
    forall c, In c tied -> (fst c < n)%nat /\ exists m, In m (all_servers C) /\ owner (fst c) = m /\
      rate_of C (fst c) = type_rate C t m /\ forall k, In k (all_servers C) ->
        seen_workload now inside m / type_rate C t m <= seen_workload now inside k / type_rate C t k.
  Proof.
    intro T. destruct (answers_least_workload_over_rate C A now inside (Arriving t)) as (tied & At & Ne & Least_).
    exists tied. split; [exact At|]. split.
    { apply Ne. cbn [named]. pose proof (some_server _ LO). destruct (servers C); [lia|easy]. }
    intros c I. apply Least_ in I as [I L]. cbn [named type_of] in I, L. apply in_map_iff in I as (m & <- & M).
    destruct (candidate_of t m T M) as (Ow & Q & Rq & _). cbn [fst]. split; [assumption|]. exists m.
    split; [assumption|split; [assumption|split; [assumption|]]]. intros k K.
    specialize (L _ (in_map (fun m' => (queue_of C A m' (nth m' (nth t (level_of_task C) []) 0) (nth t (row_of_type C) 0),
      nth m' (nth t (level_of_task C) []) 0)%nat) _ _ K)).
    rewrite Zle_Qle, !key_exact in L by assumption.
    assert (0 < inject_Z (scale_of_slowness C)) as D.
    { change 0 with (inject_Z 0). rewrite <- Zlt_Qlt. apply common_denominator_positive. }
    set (d := inject_Z (scale_of_slowness C)) in *. assert (0 < d * d) by nra.
    apply Qmult_lt_0_le_reg_r with (d * d); [assumption|]. lra.
  Qed.
End Answers.

Section BalancedPandas.
  Variable C : cluster.
  Hypothesis WF : well_formed C.
  Notation A := per_server_and_level.
  Notation n := (queues C A).
  Notation owner := (owner C A).
  Variable len : list Z.
  Open Scope Q_scope.

  (* ---- what the rule sees: arrivals of the slot, or no tasks in execution ---- *)

  Variable s : list status.
  Notation inside := (executing C (Policy A (route balanced_pandas) (serve balanced_pandas)) s).
  Hypothesis own_tasks : each (serves_own C) 0 s.
  Lemma workload_queues x y m : (forall c, In c (queues_of C m) -> nth (fst c) x 0%Z = nth (fst c) y 0%Z) -> workload C x m ==
    workload C y m.
  Proof. intro H. unfold workload. apply total_equal. intros c I. now rewrite (H c I). Qed.
  Lemma inside_nonnegative q : (0 <= nth q inside 0)%Z.
  Proof.
    pose proof (executing_own C (route balanced_pandas) (serve balanced_pandas) s 0 own_tasks q) as Eq. rewrite Eq.
    cbn [Nat.ltb Nat.leb]. unfold runs. destruct (nth _ s Idle); try lia. destruct (Nat.eqb q q0); lia.
  Qed.
  (* A server runs one task at most. *)
  Lemma inside_workload m : (m < servers C)%nat -> workload C inside m <= / least_rate C.
  Proof.
    intro M. pose proof (least_rate_positive C WF) as G. pose proof (Qinv_lt_0_compat _ G) as G'.
    assert (Runs : forall q, owner q = m -> nth q inside 0%Z = runs (nth m s Idle) q).
    { intros q Ow. pose proof (executing_own C (route balanced_pandas) (serve balanced_pandas) s 0 own_tasks q) as Eq.
    rewrite Eq, Ow.
      cbn [Nat.ltb Nat.leb]. now rewrite Nat.sub_0_r. }
    assert (None_ : forall k, workload C (repeat 0%Z k) m == 0).
    { intro k. unfold workload. rewrite (total_equal _ _ (fun _ => 0)), total_zero; [reflexivity|]. intros c _.
    now rewrite nth_repeat. }
    destruct (nth m s Idle) as [|r|r] eqn:F.
    - rewrite (workload_queues inside (repeat 0%Z n)), None_; [lra|]. intros c I. rewrite nth_repeat.
    now apply Runs, (queues_of_owner C c m).
    - assert (own C m r) as [Ow Q].
      { destruct (Nat.lt_ge_cases m (length s)) as [Lt|Ge]; [|rewrite (nth_overflow s Idle Ge) in F; discriminate].
        pose proof (each_nth (serves_own C) Idle s 0 m own_tasks Lt) as K. cbn [Nat.add] in K. now rewrite F in K. }
      rewrite (workload_queues inside (bump 1 r (repeat 0%Z n))).
      + rewrite (workload_bump C WF) by (auto; now rewrite repeat_length). rewrite None_, Ow, Nat.eqb_refl. change (inject_Z 1) with 1.
        pose proof (inverse_rate C WF r). unfold Qdiv. lra.
      + intros c I. rewrite nth_bump, nth_repeat by now rewrite repeat_length.
      rewrite (Runs (fst c)) by now apply (queues_of_owner C c m).
        cbn [runs]. now destruct (Nat.eqb (fst c) r).
    - rewrite (workload_queues inside (repeat 0%Z n)), None_; [lra|]. intros c I. rewrite nth_repeat.
    now apply Runs, (queues_of_owner C c m).
  Qed.
  Variable d : list Z.
  Hypothesis len_all : length len = n.
  Hypothesis d_all : length d = n.
  Hypothesis d_nonnegative : forall q, (0 <= nth q d 0)%Z.
  Lemma total_le_queues m f g : (forall c, In c (queues_of C m) -> f c <= g c) ->
    total (queues_of C m) (fun c => f c / rate_of C (fst c)) <= total (queues_of C m) (fun c => g c / rate_of C (fst c)).
  Proof.
    intro H. apply total_le. intros c I. destruct (rate_of_bounds C WF (fst c)) as [[Rp _] _]. unfold Qdiv.
    apply Qmult_le_compat_r; [now apply H|]. now apply Qlt_le_weak, Qinv_lt_0_compat.
  Qed.
  Lemma seen_at_most m : seen_workload C (seen C len d) inside m <= workload C len m + sees_arrivals C * workload C d m.
  Proof.
    apply Qle_trans with (total (queues_of C m) (fun c => (inject_Z (nth (fst c) len 0%Z) + sees_arrivals C * inject_Z (nth (fst c)
      d
      0%Z)) / rate_of C (fst c))).
    - apply total_le_queues. intros c _. unfold length_of, waiting_tasks, tasks. cbn [integers const plus].
    rewrite seen_length by congruence.
      pose proof (inside_nonnegative (fst c)) as I0. rewrite Zle_Qle in I0. change (inject_Z 0) with 0 in I0.
      unfold sees_arrivals. destruct (routes (option_of C)), (counts (option_of C));
        rewrite ?inject_Z_plus, ?inject_Z_opp; change (inject_Z 0) with 0; lra.
    - unfold workload. rewrite <- total_times, <- total_plus. apply Qle_lteq. right. apply total_equal. intros c _.
      destruct (rate_of_bounds C WF (fst c)) as [[Rp _] _]. field. lra.
  Qed.
  Lemma seen_at_least m : (m < servers C)%nat ->
    workload C len m <= seen_workload C (seen C len d) inside m + sees_waiting_only C / least_rate C.
  Proof.
    intro M. pose proof (inside_workload m M) as Iw. pose proof (least_rate_positive C WF) as G.
    assert (workload C len m <= seen_workload C (seen C len d) inside m + sees_waiting_only C * workload C inside m) as K.
    { apply Qle_trans with (total (queues_of C m) (fun c => (inject_Z (length_of integers C (seen C len d) inside (fst c))
        + sees_waiting_only C * inject_Z (nth (fst c) inside 0%Z)) / rate_of C (fst c))).
      - apply total_le_queues. intros c _. unfold length_of, waiting_tasks, tasks. cbn [integers const plus].
      rewrite seen_length by congruence.
        pose proof (d_nonnegative (fst c)) as D0. rewrite Zle_Qle in D0. change (inject_Z 0) with 0 in D0.
        unfold sees_waiting_only. destruct (routes (option_of C)), (counts (option_of C));
          rewrite ?inject_Z_plus, ?inject_Z_opp; change (inject_Z 0) with 0; lra.
      - unfold seen_workload, workload. rewrite <- total_times, <- total_plus. apply Qle_lteq. right. apply total_equal. intros c _.
        destruct (rate_of_bounds C WF (fst c)) as [[Rp _] _]. field. lra. }
    assert (sees_waiting_only C * workload C inside m <= sees_waiting_only C / least_rate C); [|lra].
    unfold sees_waiting_only, Qdiv. destruct (counts (option_of C)); lra.
  Qed.
  Theorem route_near_price amount_ t : 1 <= amount_ -> In t (all_types C) -> total_workload C d <= amount_ / least_rate C ->
    exists tied,
    answers (set_of integers C A (seen C len d) inside (Arriving t) (route balanced_pandas) []) tied /\ tied <> [] /\
    forall c, In c tied -> at_price C len (near_price (price C len) (other_lengths C / (least_rate C * least_rate C)) amount_) t (fst c).
  Proof.
    intros One T Room. destruct (route_to_least C WF (seen C len d) inside t T) as (tied & At & Ne & Least_).
    exists tied. split; [exact At|split; [exact Ne|]]. intros c I. destruct (Least_ c I) as (Q & m & M & Ow & Rate & Best).
    split; [assumption|]. rewrite Ow, Rate. destruct (price_paid C WF len t) as (k & K & Paid). specialize (Best k K).
    pose proof (least_rate_positive C WF) as G. pose proof (Qinv_lt_0_compat _ G) as Gi.
    assert (Inverse : forall i, In i (all_servers C) -> 0 < / type_rate C t i <= / least_rate C).
    { intros i J. destruct (candidate_of C WF t i T J) as (_ & _ & <- & Rp). split; [now apply Qinv_lt_0_compat|].
    apply (inverse_rate C WF). }
    pose proof (Inverse m M) as Im. pose proof (Inverse k K) as Ik. apply in_seq in M.
    pose proof (seen_at_least m ltac:(lia)) as Low. pose proof (seen_at_most k) as High.
    assert (Wk : 0 <= workload C d k <= amount_ / least_rate C).
    { split; [now apply (workload_nonnegative C WF)|]. eapply Qle_trans; [|exact Room].
      apply (total_member (all_servers C) (workload C d) k); auto. intros; now apply (workload_nonnegative C WF). }
    unfold over_rate in Paid. unfold near_price. rewrite <- Paid. unfold Qdiv in *.
    set (g := / least_rate C) in *. set (a := / type_rate C t m) in *. set (b := / type_rate C t k) in *.
    assert (Square : / (least_rate C * least_rate C) == g * g) by (unfold g; field; lra). rewrite Square.
    assert (S0 : 0 <= sees_arrivals C) by (unfold sees_arrivals; destruct (routes (option_of C)); lra).
    assert (W0 : 0 <= sees_waiting_only C) by (unfold sees_waiting_only; destruct (counts (option_of C)); lra).
    change (other_lengths C) with (sees_arrivals C + sees_waiting_only C).
    assert (H1 : workload C len m * a <=
      (seen_workload C (seen C len d) inside m + sees_waiting_only C * g) * a) by (apply Qmult_le_compat_r; lra).
    assert (H2 : seen_workload C (seen C len d) inside k * b <=
      (workload C len k + sees_arrivals C * workload C d k) * b) by (apply Qmult_le_compat_r; lra).
    assert (H3 : sees_waiting_only C * g * a <= sees_waiting_only C * g * g).
    { rewrite !(Qmult_comm (sees_waiting_only C * g)). apply Qmult_le_compat_r; [lra|]. apply Qmult_le_0_compat; lra. }
    assert (H4 : workload C d k * b <= amount_ * g * g).
    { apply Qle_trans with (amount_ * g * b); [apply Qmult_le_compat_r; lra|]. rewrite !(Qmult_comm (amount_ * g)).
      apply Qmult_le_compat_r; [lra|]. apply Qmult_le_0_compat; lra. }
    assert (H5 : sees_arrivals C * (workload C d k * b) <= sees_arrivals C * (amount_ * g * g)).
    { rewrite !(Qmult_comm (sees_arrivals C)). now apply Qmult_le_compat_r. }
    assert (H6 : sees_waiting_only C * g * g <= sees_waiting_only C * g * g * amount_).
    { assert (0 <= sees_waiting_only C * g * g) by (apply Qmult_le_0_compat; [apply Qmult_le_0_compat|]; lra).
      setoid_replace (sees_waiting_only C * g * g) with (1 * (sees_waiting_only C * g * g)) at 1 by ring.
      rewrite (Qmult_comm _ amount_). now apply Qmult_le_compat_r. }
    lra.
  Qed.
End BalancedPandas.


(* ---- the theorem ---- *)

Open Scope Q_scope.
Section Stability.
  Variables (C : cluster) (rho : Q) (split : nat -> nat -> Q).
  Hypothesis WF : well_formed C.
  Hypothesis supported : idle_servers_ask C.
  Hypothesis below_one : rho < 1.
  Hypothesis enough : carries C rho split.
  Notation P := balanced_pandas.
  Notation is_valid := (valid C P (own_statuses C)).

  Notation regret := (other_lengths C / (least_rate C * least_rate C)).
  Lemma near_routes len s : is_valid (len, s) -> forall tasks t d, 1 <= tasks -> In t (all_types C) ->
    fits C per_server_and_level (tasks / least_rate C) (total_workload C) d -> exists tied,
    answers (set_of integers C per_server_and_level (seen C len d)
      (executing C (Policy per_server_and_level (route P) (serve P)) s) (Arriving t) (route P) []) tied /\ tied <> [] /\
    forall c, In c tied -> at_price C len (near_price (price C len) regret tasks) t (fst c).
  Proof.
    intros V tasks t d One T (Ld & D0 & Room). apply (valid_iff C (route P) (serve P) WF) in V as (Ll & _ & _ & Live).
    apply (route_near_price C WF len s (live_serves_own C _ _ _ Live) d Ll Ld D0 tasks t One T Room).
  Qed.
  Lemma chain_valid x : is_valid x -> is_law (chain C P x) /\ forall e, In e (chain C P x) -> is_valid (snd e).
  Proof.
    destruct x as [len s]. intro V.
    destruct (always_run _ _ (slot_ok C _ _ WF len s (price C len) regret V supported (near_routes len s V)
      (serve_turns_to_own_work C WF len)))
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
    destruct x as [len s]. intro V. rewrite chain_E. cbn [fst].
    pose proof (slot_mean C _ _ WF len s (price C len) regret V supported (near_routes len s V)
      (serve_turns_to_own_work C WF len)) as D.
    pose proof (weak_duality C rho split (workload C len) (price C len) enough) as W. cbn [fst] in *.
    assert (total (all_types C) (fun t => arrival_rate C t * price C len t) <= rho * total_workload C len).
    { apply W.
      - intros t m T M. now apply (candidate_of C WF).
      - intros m _. apply (workload_nonnegative C WF); auto. exact (valid_lengths _ V).
      - intros t m _ M. now apply price_le. }
    assert (Spread : inject_Z (Z.of_nat (servers C)) / least_rate C + (/ (least_rate C * least_rate C) + 2 * regret)
      * E (fun a => all_tasks a * all_tasks a) (arrival_law C) == spread C).
    { unfold spread. pose proof (least_rate_positive C WF). field. lra. }
    rewrite Spread in D. eapply Qle_trans; [exact D|]. lra.
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
    apply total_member; [intros; now apply (workload_nonnegative C WF)|]. apply in_seq. pose proof (owner_bound C WF q Q). lia.
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
  well_formed C -> idle_servers_ask C -> carries C rho split -> rho < 1 ->
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
