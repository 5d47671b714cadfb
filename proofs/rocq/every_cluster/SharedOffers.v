(* Offers in continuous time where servers share queues: for a policy whose idle servers turn to a queue of largest
  rate times
   marginal cost among those in which a task waits.

   A queue in which no task waits has at most M - 1 tasks where some server is idle.
   So a server that starts a task gives up
   little, and little is there for one that declines ([start_fits], [declined_weight]). *)
From Coq Require Import ZArith QArith Qminmax Lqa List Bool Lia Arith.
From Schedproof Require Import Law Affine Program Cluster Language Kernel EventKernel Drift EventDrift.
From Schedproof Require Import Outcomes Rules Capacity Layout Draws Offers Weights Prices SharedService SharedSlot
  EventCapacity.
Import ListNotations.

Section SharedOffers.
  Variables (C : cluster) (A : arrangement) (route serve : set).
  Hypothesis one_level_queues : A = per_server \/ A = per_server_and_common \/ A = per_type.
  Hypothesis LO : laid_out C.
  Hypothesis REP : replicated C A.
  Hypothesis supported : event_options C.
  Notation P := (Policy A route serve).
  Notation n := (queues C A).
  Notation M := (servers C).
  Notation dearest := (largest_cost C A).
  Variable len : list Z.

  Definition fit (s : list status) : Prop :=
    length s = M /\ each (serving C A) 0 s /\ forall q, (running s q <= nth q len 0)%Z.
  Lemma waiting_running s q : fit s -> waiting_in C P len s q = (nth q len 0 - running s q)%Z.
  Proof.
    intros (_ & F & _). unfold waiting_in, waiting_tasks, tasks. cbn [plus const integers].
    destruct (executing_running C A route serve 0 s q F) as [_ ->]. lia.
  Qed.
  Lemma running_put m q s r : (m < length s)%nat -> idle s m ->
    running (put m (Busy q) s) r = (running s r + if Nat.eqb r q then 1 else 0)%Z.
  Proof.
    unfold idle. revert m. induction s as [|f s IH]; intros [|m]; cbn [put length nth]; intros H E_; try lia.
    - subst f. rewrite !running_cons. lia.
    - rewrite !running_cons, IH by (lia || assumption). lia.
  Qed.
  Lemma running_idle s m q : (m < length s)%nat -> idle s m -> (running s q <= Z.of_nat (length s) - 1)%Z.
  Proof.
    unfold idle. revert m. assert (All : forall t, (running t q <= Z.of_nat (length t))%Z).
    { induction t as [|f t IH]; [cbn; lia|]. rewrite running_cons. cbn [length]. destruct f; try lia.
      destruct (Nat.eqb q q0); lia. }
    induction s as [|f s IH]; intros [|m]; cbn [length nth]; intros H E_; try lia; rewrite running_cons.
    - subst f. specialize (All s). lia.
    - specialize (IH m ltac:(lia) E_). destruct f; try lia. destruct (Nat.eqb q q0); lia.
  Qed.
  Lemma lengths_fit s : fit s -> forall q, (0 <= queue_length len q)%Q.
  Proof.
    intros (_ & _ & R) q. specialize (R q). pose proof (running_nonnegative s q). unfold queue_length.
    change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. lia.
  Qed.

  Open Scope Q_scope.
  Notation slack := (fastest C * (dearest * (number_of_servers C - 1))).
  Lemma servers_above_one : 0 <= number_of_servers C - 1.
  Proof.
    pose proof (some_server _ LO). unfold number_of_servers. assert (1 <= inject_Z (Z.of_nat M)); [|lra].
    change 1 with (inject_Z 1). rewrite <- Zle_Qle. lia.
  Qed.
  Lemma dearest_slack : 0 <= dearest * (number_of_servers C - 1).
  Proof. pose proof (largest_cost_positive C A). pose proof servers_above_one. apply Qmult_le_0_compat; lra. Qed.
  Lemma slack_nonnegative : 0 <= slack.
  Proof. pose proof (fastest_positive C LO). pose proof dearest_slack. apply Qmult_le_0_compat; lra. Qed.
  Lemma rates_up_to m q : (m < M)%nat -> In q (reachable C A m) -> 0 < rate_between C A m q <= fastest C.
  Proof.
    intros Hm Q. assert (Sm : In m (all_servers C)) by (apply in_seq; lia).
    split; [apply (rate_between_positive C A one_level_queues LO REP m q Sm Q)|].
    exact (fastest_bound C _ (rate_between_member C A one_level_queues LO REP m q Sm Q)).
  Qed.
  (* A queue without a waiting task, found by an idle server. *)
  Lemma not_waiting_worth s m q : fit s -> (m < M)%nat -> idle s m -> In q (reachable C A m) ->
    (waiting_in C P len s q <= 0)%Z -> rate_between C A m q * worth C A len q <= slack.
  Proof.
    intros F Hm Id Q W. rewrite (waiting_running s q F) in W. destruct (rates_up_to m q Hm Q) as [Rp Ru].
    pose proof (lengths_fit s F q) as L0. destruct F as (Ls & Fs & R).
    pose proof (running_idle s m q ltac:(lia) Id) as Few. rewrite Ls in Few.
    assert (Qb : (q < n)%nat) by (apply (reachable_bound C A one_level_queues m); [apply in_seq; lia|assumption]).
    pose proof (cost_bounds C A REP q Qb) as Cb.
    assert (L1 : queue_length len q <= number_of_servers C - 1).
    { unfold queue_length, number_of_servers. assert (nth q len 0 <= Z.of_nat M - 1)%Z as L by lia.
      rewrite Zle_Qle in L.
      unfold Z.sub in L. rewrite inject_Z_plus, inject_Z_opp in L. change (inject_Z 1) with 1 in L. lra. }
    assert (W0 : 0 <= worth C A len q) by (apply Qmult_le_0_compat; lra).
    assert (W1 : worth C A len q <= dearest * (number_of_servers C - 1)).
    { unfold worth. apply Qle_trans with (dearest * queue_length len q); [apply Qmult_le_compat_r; lra|].
      rewrite !(Qmult_comm dearest). apply Qmult_le_compat_r; lra. }
    apply Qle_trans with (fastest C * worth C A len q); [apply Qmult_le_compat_r; lra|].
    rewrite !(Qmult_comm (fastest C)). apply Qmult_le_compat_r; lra.
  Qed.
  Definition nearly (m q : nat) : Prop := weight C A len m <= rate_between C A m q * worth C A len q + slack.
  Hypothesis turns_to_heaviest : forall inside m, (m < M)%nat -> (forall q, 0 <= queue_length len q) -> exists tied,
    answers (set_of integers C A len inside (Serving m) serve []) tied /\ turns C A len inside m tied.
  Lemma choosable_waiting s q : choosable C len (executing C P s) q = (0 <? waiting_in C P len s q)%Z.
  Proof. unfold choosable. now rewrite (proj2 supported). Qed.
  Lemma nothing_left s m : fit s -> (m < M)%nat -> idle s m -> nothing_to_choose C A len (executing C P s) m ->
    weight C A len m <= slack /\ forall q, In q (reachable C A m) -> (waiting_in C P len s q <= 0)%Z.
  Proof.
    intros F Hm Id None_. assert (K : forall q, In q (reachable C A m) -> (waiting_in C P len s q <= 0)%Z).
    { intros q Q. apply Z.nlt_ge. intro W. specialize (None_ q Q). rewrite choosable_waiting in None_.
      specialize (None_ (proj2 (Z.ltb_lt _ _) W)). rewrite (waiting_running s q F) in W.
      pose proof (rates_up_to m q Hm Q) as [Rp _]. pose proof (running_nonnegative s q).
      assert (Qb : (q < n)%nat) by (apply (reachable_bound C A one_level_queues m); [apply in_seq; lia|assumption]).
      pose proof (cost_bounds C A REP q Qb). assert (1 <= queue_length len q).
      { unfold queue_length. change 1 with (inject_Z 1). rewrite <- Zle_Qle. lia. }
      assert (Wp : 0 < worth C A len q) by (apply Qmult_lt_0_compat; lra).
      pose proof (Qmult_lt_0_compat _ _ Rp Wp). lra. }
    split; [|exact K]. apply weight_below; [exact slack_nonnegative|]. intros q Q. now apply (not_waiting_worth s), K.
  Qed.
  Theorem start_fits s m : fit s -> (m < M)%nat -> idle s m -> exists tied,
    answers (answer_of integers C P len s m) tied /\
    forall c, In c tied -> (0 < waiting_in C P len s (fst c))%Z ->
      fit (put m (Busy (fst c)) s) /\ able C A m (fst c) /\ nearly m (fst c).
  Proof.
    intros F Hm Id. destruct (turns_to_heaviest (executing C P s) m Hm (lengths_fit s F)) as (tied & At & [_ Good]).
    exists tied. split; [exact At|]. intros c I W. destruct (Good c I) as (R & _ & L).
    assert (Qb : (fst c < n)%nat) by (apply (reachable_bound C A one_level_queues m); [apply in_seq; lia|assumption]).
    pose proof F as (Ls & Fs & Rn). split; [split; [now rewrite put_length|split]|split; [now split|]].
    - apply each_put; [exact Fs|]. now split.
    - intro q. rewrite running_put by (lia || assumption). rewrite (waiting_running s _ F) in W. specialize (Rn q).
      destruct (Nat.eqb_spec q (fst c)) as [->|_]; lia.
    - pose proof (rates_up_to m (fst c) Hm R) as [Rp _]. pose proof slack_nonnegative as S0.
      pose proof (worth_nonnegative C A REP len (fst c) (lengths_fit s F) Qb) as W0.
      assert (0 <= rate_between C A m (fst c) * worth C A len (fst c)) by (apply Qmult_le_0_compat; lra).
      apply weight_below; [lra|]. intros q Q. destruct (Z.ltb_spec 0 (waiting_in C P len s q)) as [Wq|Wq].
      + specialize (L q Q). rewrite choosable_waiting in L. specialize (L (proj2 (Z.ltb_lt _ _) Wq)). lra.
      + pose proof (not_waiting_worth s m q F Hm Id Q Wq). lra.
  Qed.
  Theorem declined_weight s m : fit s -> (m < M)%nat -> idle s m -> declined C P len s m ->
    weight C A len m <= slack /\ forall q, In q (reachable C A m) -> (waiting_in C P len s q <= 0)%Z.
  Proof.
    intros F Hm Id (tied & At & D). apply nothing_left; auto.
    destruct (turns_to_heaviest (executing C P s) m Hm (lengths_fit s F)) as (tied' & At' & [Empty Good]).
    rewrite (answers_unique _ _ _ At At') in *. clear tied At At'. destruct D as [->|(c & I & W)]; [now apply Empty|].
    destruct (Good c I) as (_ & [Ch|None_] & _); [|exact None_]. rewrite choosable_waiting in Ch.
    apply Z.ltb_lt in Ch. lia.
  Qed.

  (* ---- an offer to all ---- *)

  Definition nearly_all (s : list status) : Prop := each (fun m f => match f with Busy q => nearly m q | _ => True
    end) 0 s.
  Theorem full_offer s : fit s -> nearly_all s ->
    always (fun now => fit now /\ nearly_all now /\ forall m, (m < M)%nat -> idle now m -> weight C A len m <= slack)
      (offer integers C P len (every_server C) s).
  Proof.
    intros F N. eapply always_weaken; [apply (offer_ok C P len (fun s => fit s /\ nearly_all s))|].
    - intros t ((Ls & _) & _). exact Ls.
    - intros t m [Ft Nt] Hm Id. destruct (start_fits t m Ft Hm Id) as (tied & At & Good). exists tied.
      split; [exact At|].
      intros c I W. destruct (Good c I W) as (Fc & _ & Nc). split; [exact Fc|]. apply each_put; [exact Nt|exact Nc].
    - intros m I. apply in_seq in I. lia.
    - now split.
    - intros now [[Fn Nn] D]. split; [exact Fn|split; [exact Nn|]]. intros m Hm Id.
      apply (declined_weight now m Fn Hm Id). apply D; [apply in_seq; lia|exact Id].
  Qed.

  (* ---- an arrival ---- *)

  Hypothesis len_all : length len = n.
  Hypothesis routes_to_shortest : forall inside t, In t (all_types C) -> exists tied,
    answers (set_of integers C A len inside (Arriving t) route []) tied /\ (joinable C A t <> [] -> tied <> []) /\
    forall c, In c tied -> In (fst c) (joinable C A t) /\ forall q,
      In q (joinable C A t) -> worth C A len (fst c) <= worth C A len q.
  Theorem arrival_ok s t : In t (all_types C) ->
    always (fun e => exists q, (q < n)%nat /\ worth C A len q <= shortest C A len t /\
              e = (unit_change C P 1 q, s, after_arrival C A t q)) (happens integers C P len s (Arrives t)).
  Proof.
    intro T. cbn [happens keeps EventKernel.happens]. destruct (routes_to_shortest (executing C P s) t T) as (tied &
      At & Ne & Least_).
    eapply always_answer; [exact At|]. pose proof (some_joinable C A LO REP t T) as J.
    eapply always_bind; [apply (pick_member C P tied), Ne, J|]. intros q (c & I & ->). constructor.
    destruct (Least_ c I) as [Q L]. exists (fst c). split; [now apply (joinable_bound C A one_level_queues REP t)|].
    split; [|reflexivity]. destruct (shortest_attained C A len t J) as (r & R & <-). now apply L.
  Qed.
End SharedOffers.
