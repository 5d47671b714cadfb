(* What the theorems about JSQ-MaxWeight, Wang's policy and c-mu on every cluster say: weights, regrets, the finite set that is
   reached.

   Believe: the definitions up to the lemmas are part of the meaning of those theorems. *)
From Coq Require Import ZArith QArith Qminmax Lqa List Bool Lia.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Outcomes Rules Capacity Layout.
Import ListNotations.
Open Scope Q_scope.

Section Weights.
  Variables (C : cluster) (A : arrangement).
  Definition all_queues : list nat := seq 0 (queues C A).
  (* The queues that a server may serve: all; with a common queue its own and that one. *)
  Definition reachable (m : nat) : list nat := match A with per_server_and_common => [m; servers C] | _ => all_queues end.
  (* The queues that a task of a type may join: its type's; or those of the servers that hold its data, and the common one. *)
  Definition joinable (t : nat) : list nat :=
    match A with
    | per_type => [t]
    | _ => filter (fun m => Nat.eqb (nth m (nth t (level_of_task C) []) 0%nat) 0) (all_servers C)
           ++ match A with per_server_and_common => [servers C] | _ => [] end
    end.
  Definition queue_length (len : list Z) (q : nat) : Q := inject_Z (nth q len 0%Z).
  (* The marginal cost of a queue: its length, times a cost per type where types have queues of their own. *)
  Definition cost (q : nat) : Q := match A with per_type => inject_Z (nth q (marginal_costs C) 0%Z) | _ => 1 end.
  Definition worth (len : list Z) (q : nat) : Q := cost q * queue_length len q.
  Definition largest_cost : Q := fold_right Qmax 1 (map cost all_queues).
  (* mu(m, q): the probability that server m completes a task of queue q in a slot. *)
  Definition rate_between (m q : nat) : Q := service_rate C A q m.
  (* The largest rate times marginal cost that server m finds. *)
  Definition weight (len : list Z) (m : nat) : Q :=
    fold_right Qmax 0 (map (fun q => rate_between m q * worth len q) (reachable m)).
  Definition total_weight (len : list Z) : Q := total (all_servers C) (weight len).
  Definition squares (len : list Z) : Q := total all_queues (fun q => worth len q * queue_length len q).
  (* What a busy server would gain by turning to the heaviest queue, over its rate. *)
  Definition regret (len : list Z) (m : nat) (f : status) : Q :=
    match f with Busy q => weight len m / rate_between m q - worth len q | _ => 0 end.
  Fixpoint regrets (len : list Z) (m : nat) (s : list status) : Q :=             (* of the servers m, m + 1, ... *)
    match s with [] => 0 | f :: s => regret len m f + regrets len (S m) s end.
  Definition squares_and_regrets (x : state) : Q := squares (fst x) + 2 * regrets (fst x) 0 (snd x).
  (* What a server may be doing: nothing, or a task of a queue that it may serve. *)
  Definition reachable_statuses : list (list status) := map (fun m => Idle :: map Busy (reachable m)) (all_servers C).

  (* One row of rates unless queues are of types; costs of at least 1; and levels that come from replicas: for each type and
     server, some queue that the type may join is served by that server at least as fast as the type itself. *)
  Record replicated : Prop := {
    one_row : A = per_type \/ rows C = 1%nat;
    costs_positive : forall q, In q all_queues -> 1 <= cost q;
    levels_between_servers : forall m q, In m (all_servers C) -> In q (reachable m) -> (service_level C A q m < levels C)%nat;
    nearest_replica : forall t m, In t (all_types C) -> In m (all_servers C) ->
      exists q, In q (joinable t) /\ In q (reachable m) /\ type_rate C t m <= rate_between m q
  }.
  (* Besides, an idle server may choose a queue whose tasks are all in execution, and wastes the slot. *)
  Definition shared_options : Prop := options_of_the_proof C /\ empty_is (option_of C) = wasted.
  (* 6 M^2 + M + 2 M E (number of arrivals) / gamma + (1 + 2 k) E (number of arrivals)^2, times the largest cost; k is 1 where a
     task sees the earlier arrivals of its slot, else 0. *)
  Definition shared_spread : Q :=
    let M := inject_Z (Z.of_nat (servers C)) in
    largest_cost *
    (6 * M * M + M + 2 * M * E all_tasks (arrival_law C) / least_rate C
     + (1 + 2 * sees_arrivals C) * E (fun a => all_tasks a * all_tasks a) (arrival_law C)).
  Definition shared_threshold (rho : Q) : Q := (shared_spread + 1) / (2 * (1 - rho)).
  (* The weights that the servers find are below the threshold in all. *)
  Definition low (rho : Q) (x : state) : bool := negb (Qle_bool (shared_threshold rho) (total_weight (fst x))).

  (* ---- lemmas ---- *)

  Lemma squares_bump k q y : (q < length y)%nat -> (q < queues C A)%nat ->
    squares (bump k q y) == squares y + 2 * inject_Z k * worth y q + cost q * (inject_Z k * inject_Z k).
  Proof.
    intros Q S. unfold squares.
    rewrite (total_equal _ _ (fun r => worth y r * queue_length y r
      + (if Nat.eqb r q then 2 * inject_Z k * worth y r + cost r * (inject_Z k * inject_Z k) else 0))).
    2: { intros r _. unfold worth, queue_length. rewrite nth_bump, inject_Z_plus by assumption. destruct (Nat.eqb r q); [ring|].
      change (inject_Z 0) with 0. ring. }
    rewrite total_plus, (total_one _ q (fun r => 2 * inject_Z k * worth y r + cost r * (inject_Z k * inject_Z k)));
      [ring|apply seq_NoDup|apply in_seq; lia].
  Qed.

  Hypothesis one_level_queues : A = per_server \/ A = per_server_and_common \/ A = per_type.
  Lemma reachable_bound m q : In m (all_servers C) -> In q (reachable m) -> (q < queues C A)%nat.
  Proof.
    unfold reachable, all_queues. intros M Q. apply in_seq in M. destruct one_level_queues as [-> |[-> | ->]];
      try (apply in_seq in Q; lia).
    cbn [queues]. destruct Q as [<-|[<-|[]]]; lia.
  Qed.
  Lemma some_reaches q : (0 < servers C)%nat -> In q all_queues -> exists m, In m (all_servers C) /\ In q (reachable m).
  Proof.
    unfold reachable, all_queues. intros S Q. destruct one_level_queues as [-> |[-> | ->]].
    - exists q. split; exact Q.
    - apply in_seq in Q. cbn [queues] in Q. destruct (Nat.eq_dec q (servers C)) as [->|Ne].
      + exists 0%nat. split; [apply in_seq; lia|right; now left].
      + exists q. split; [apply in_seq; lia|now left].
    - exists 0%nat. split; [apply in_seq; lia|exact Q].
  Qed.
  Hypothesis LO : laid_out C.
  Hypothesis REP : replicated.
  Lemma rate_between_member m q : In m (all_servers C) -> In q (reachable m) -> In (rate_between m q) (concat (rates C)).
  Proof.
    intros M Q. pose proof (levels_between_servers REP m q M Q) as L. pose proof (some_row _ LO) as R.
    assert (row_of_queue C A q < rows C)%nat as Rq.
    { destruct one_level_queues as [-> |[-> | ->]]; try exact R. apply (rows_of_types _ LO). }
    exact (rate_at_member C LO _ _ Rq L).
  Qed.
  Lemma rate_between_positive m q : In m (all_servers C) -> In q (reachable m) ->
    0 < rate_between m q /\ least_rate C <= rate_between m q.
  Proof.
    intros M Q. pose proof (rate_between_member m q M Q) as I. split; [exact (rate_positive C LO _ I)|exact (least_rate_le C _ I)].
  Qed.
  Lemma weight_above len m q : In q (reachable m) -> rate_between m q * worth len q <= weight len m.
  Proof.
    unfold weight. induction (reachable m) as [|k l IH]; intro I; [contradiction|]. cbn [map fold_right]. destruct I as [->|I].
    - apply Q.le_max_l.
    - eapply Qle_trans; [apply IH, I|apply Q.le_max_r].
  Qed.
  Lemma weight_nonnegative len m : 0 <= weight len m.
  Proof.
    unfold weight. induction (reachable m) as [|k l IH]; cbn [map fold_right]; [lra|]. eapply Qle_trans;
      [exact IH|apply Q.le_max_r].
  Qed.
  Lemma weight_below len m b : 0 <= b -> (forall q, In q (reachable m) -> rate_between m q * worth len q <= b) ->
    weight len m <= b.
  Proof.
    intro B. unfold weight. induction (reachable m) as [|k l IH]; intro H; cbn [map fold_right]; [assumption|].
    apply Q.max_lub; [apply H; now left|apply IH; intros; apply H; now right].
  Qed.
  Lemma cost_bounds q : (q < queues C A)%nat -> 1 <= cost q <= largest_cost.
  Proof.
    intro Q. assert (I : In q all_queues) by (apply in_seq; lia). split; [now apply (costs_positive REP)|].
    unfold largest_cost. apply (in_map cost) in I. induction (map cost all_queues) as [|c l IH]; [contradiction|]. cbn [fold_right].
    destruct I as [->|I]; [apply Q.le_max_l|]. eapply Qle_trans; [apply IH, I|apply Q.le_max_r].
  Qed.
  Lemma largest_cost_positive : 1 <= largest_cost.
  Proof.
    unfold largest_cost. induction (map cost all_queues) as [|c l IH]; cbn [fold_right]; [lra|]. eapply Qle_trans;
      [exact IH|apply Q.le_max_r].
  Qed.
  Lemma worth_shift x y k q : (q < queues C A)%nat -> 0 <= k -> queue_length y q <= queue_length x q + k ->
    worth y q <= worth x q + largest_cost * k.
  Proof. intros Q K H. unfold worth. pose proof (cost_bounds q Q). nra. Qed.
  (* Where no rate is above [fast]. *)
  Section Fastest.
    Variable fast : Q.
    Hypothesis fast_bound : forall mu, In mu (concat (rates C)) -> mu <= fast.
    Lemma weight_shift_by x y k m : In m (all_servers C) -> 0 <= fast -> 0 <= k ->
      (forall q, In q (reachable m) -> worth y q <= worth x q + k) -> weight y m <= weight x m + fast * k.
    Proof.
      intros M F K H. apply weight_below; [pose proof (weight_nonnegative x m); nra|]. intros q Q. specialize (H q Q).
      pose proof (fast_bound _ (rate_between_member m q M Q)). destruct (rate_between_positive m q M Q) as [Rp _].
      pose proof (weight_above x m q Q). nra.
    Qed.
    (* Marginal costs that moved by at most [up] upwards and [down] downwards. *)
    Lemma regret_shift_by x y up down m q : In m (all_servers C) -> In q (reachable m) -> 0 <= fast -> 0 <= up ->
      (forall r, In r (reachable m) -> worth y r <= worth x r + up) -> worth x q - down <= worth y q ->
      regret y m (Busy q) <= regret x m (Busy q) + (fast * up / least_rate C + down).
    Proof.
      intros M Q F U Hu Hd. cbn [regret]. destruct (rate_between_positive m q M Q) as [Rp Rl].
      pose proof (weight_shift_by x y up m M F U Hu) as W. pose proof (least_rate_positive C LO) as G.
      assert (Fu : 0 <= fast * up) by nra. set (rise := fast * up) in *.
      assert (weight y m / rate_between m q <= (weight x m + rise) / rate_between m q).
      { unfold Qdiv. apply Qmult_le_compat_r; [assumption|]. apply Qlt_le_weak, Qinv_lt_0_compat, Rp. }
      assert ((weight x m + rise) / rate_between m q == weight x m / rate_between m q + rise * / rate_between m q) as Eq
        by (field; lra).
      assert (rise * / rate_between m q <= rise / least_rate C).
      { unfold Qdiv. rewrite !(Qmult_comm rise). apply Qmult_le_compat_r; [|assumption]. now apply Qinv_le. }
      lra.
    Qed.
  End Fastest.
  Lemma regret_nonnegative len m f : In m (all_servers C) -> match f with Busy q => In q (reachable m) | _ => True end ->
    0 <= regret len m f.
  Proof.
    intros M F. destruct f as [|q|q]; cbn [regret]; try lra. destruct (rate_between_positive m q M F) as [Rp _].
    pose proof (weight_above len m q F). assert (worth len q <= weight len m / rate_between m q); [|lra].
    apply Qle_shift_div_l; [assumption|]. now rewrite Qmult_comm.
  Qed.
  (* No queue is longer than the total weight over the least rate. *)
  Lemma length_le_weight len q : In q all_queues -> 0 <= queue_length len q -> least_rate C * queue_length len q
    <= total_weight len.
  Proof.
    intros Q L. destruct (some_reaches q (some_server _ LO) Q) as (m & M & R).
    destruct (rate_between_positive m q M R) as (_ & G). pose proof (weight_above len m q R).
    assert (weight len m <= total_weight len) by (apply (total_member (all_servers C) (weight len));
      [intros; apply weight_nonnegative|assumption]).
    assert (queue_length len q <= worth len q).
    { assert (q < queues C A)%nat as Qb by (apply in_seq in Q; lia). pose proof (cost_bounds q Qb). unfold worth. nra. }
    destruct (rate_between_positive m q M R) as [Rp _].
    assert (least_rate C * queue_length len q <= rate_between m q * queue_length len q) by now apply Qmult_le_compat_r.
    assert (rate_between m q * queue_length len q <= rate_between m q * worth len q)
      by (rewrite !(Qmult_comm (rate_between m q)); apply Qmult_le_compat_r; lra).
    lra.
  Qed.
  (* So where it is below b all queues are short. *)
  Lemma lengths_below len b : length len = queues C A -> (forall q, 0 <= queue_length len q) -> total_weight len < b ->
    Forall (fun q => 0 <= inject_Z q < b / least_rate C) len.
  Proof.
    intros L N0 Few. pose proof (least_rate_positive C LO) as G.
    apply Forall_forall. intros z I. apply (In_nth _ _ 0%Z) in I as (q & Q & <-). split; [apply N0|]. rewrite L in Q.
    assert (In q all_queues) as Sq by (apply in_seq; lia).
    pose proof (length_le_weight len q Sq (N0 q)). apply Qlt_shift_div_l; [assumption|].
    rewrite Qmult_comm. unfold queue_length in *. lra.
  Qed.
End Weights.

(* What a server's rule names: queues of largest rate times marginal cost among those that it may choose; and others only if
   none of these is worth anything. *)
Section Turns.
  Variables (C : cluster) (A : arrangement) (len inside : list Z) (m : nat).
  Definition nothing_to_choose : Prop :=
    forall q, In q (reachable C A m) -> choosable C len inside q = true -> rate_between C A m q * worth C A len q <= 0.
  Definition turns (tied : list (nat * nat)) : Prop :=
    (tied = [] -> nothing_to_choose) /\
    forall c, In c tied -> In (fst c) (reachable C A m) /\ (choosable C len inside (fst c) = true \/ nothing_to_choose) /\
      forall q, In q (reachable C A m) -> choosable C len inside q = true ->
        rate_between C A m q * worth C A len q <= rate_between C A m (fst c) * worth C A len (fst c).
  Lemma turns_wasted tied : empty_is (option_of C) = wasted -> turns tied -> (tied = [] -> weight C A len m <= 0) /\
    forall c, In c tied -> In (fst c) (reachable C A m) /\
      forall q, In q (reachable C A m) ->
        rate_between C A m q * worth C A len q <= rate_between C A m (fst c) * worth C A len (fst c).
  Proof.
    intros Wasted [Empty Good]. assert (All : forall q, choosable C len inside q = true) by
      (intro q; unfold choosable; now rewrite Wasted).
    split.
    - intro E_. apply weight_below; [lra|]. intros q Q. now apply (Empty E_).
    - intros c I. destruct (Good c I) as (R & _ & L). split; [exact R|]. intros q Q. now apply L.
  Qed.
End Turns.

(* In slots rates are at most 1. *)
Section Probabilities.
  Variables (C : cluster) (A : arrangement).
  Hypothesis one_level_queues : A = per_server \/ A = per_server_and_common \/ A = per_type.
  Hypothesis WF : well_formed C.
  Hypothesis REP : replicated C A.
  Lemma rates_below_one mu : In mu (concat (rates C)) -> mu <= 1.
  Proof. intro I. apply in_concat in I as (r & R & I). now apply (rates_are_probabilities _ WF r). Qed.
  Lemma rate_between_bounds m q : In m (all_servers C) -> In q (reachable C A m) ->
    0 < rate_between C A m q <= 1 /\ least_rate C <= rate_between C A m q /\ In (rate_between C A m q) (concat (rates C)).
  Proof.
    intros M Q. pose proof (rate_between_member C A one_level_queues WF REP m q M Q) as I.
    destruct (rate_between_positive C A one_level_queues WF REP m q M Q) as [P L].
    split; [split; [exact P|now apply rates_below_one]|now split].
  Qed.
  Lemma regret_shift x y up down m q : In m (all_servers C) -> In q (reachable C A m) -> 0 <= up ->
    (forall r, In r (reachable C A m) -> worth C A y r <= worth C A x r + up) -> worth C A x q - down <= worth C A y q ->
    regret C A y m (Busy q) <= regret C A x m (Busy q) + (up / least_rate C + down).
  Proof.
    intros M Q U Hu Hd.
    pose proof (regret_shift_by C A one_level_queues WF REP 1 rates_below_one x y up down m q M Q ltac:(lra) U Hu Hd) as S.
    now rewrite Qmult_1_l in S.
  Qed.
End Probabilities.
