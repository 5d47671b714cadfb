(* What the theorems about JSQ-MaxWeight, Wang's policy and c-mu on every cluster say: weights, regrets, the finite set that is
   reached.

   Believe: the definitions up to the lemmas are part of the meaning of those theorems. *)
From Coq Require Import ZArith QArith Qminmax Lqa List Bool Lia.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Outcomes Capacity Layout.
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
  Hypothesis WF : well_formed C.
  Hypothesis REP : replicated.
  Lemma rate_between_bounds m q : In m (all_servers C) -> In q (reachable m) ->
    0 < rate_between m q <= 1 /\ least_rate C <= rate_between m q /\ In (rate_between m q) (concat (rates C)).
  Proof.
    intros M Q. pose proof (levels_between_servers REP m q M Q) as L. pose proof (some_row _ WF) as R.
    assert (row_of_queue C A q < rows C)%nat as Rq.
    { destruct one_level_queues as [-> |[-> | ->]]; try exact R. apply (rows_of_types _ WF). }
    destruct (rate_at_in C WF _ _ Rq L) as [I B]. unfold rate_between, service_rate. split;
      [exact B|split; [exact (least_rate_le C _ I)|exact I]].
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
  Lemma weight_shift x y k m : In m (all_servers C) -> 0 <= k -> (forall q, In q (reachable m) -> worth y q <= worth x q + k) ->
    weight y m <= weight x m + k.
  Proof.
    intros M K H. apply weight_below; [pose proof (weight_nonnegative x m); lra|]. intros q Q. specialize (H q Q).
    destruct (rate_between_bounds m q M Q) as [[Rp Ru] _]. pose proof (weight_above x m q Q). nra.
  Qed.
  (* Marginal costs that moved by at most [up] upwards and [down] downwards. *)
  Lemma regret_shift x y up down m q : In m (all_servers C) -> In q (reachable m) -> 0 <= up ->
    (forall r, In r (reachable m) -> worth y r <= worth x r + up) -> worth x q - down <= worth y q ->
    regret y m (Busy q) <= regret x m (Busy q) + (up / least_rate C + down).
  Proof.
    intros M Q U Hu Hd. cbn [regret]. destruct (rate_between_bounds m q M Q) as [[Rp _] [Rl _]].
    pose proof (weight_shift x y up m M U Hu) as W. pose proof (least_rate_positive C WF) as G.
    assert (weight y m / rate_between m q <= (weight x m + up) / rate_between m q).
    { unfold Qdiv. apply Qmult_le_compat_r; [assumption|]. apply Qlt_le_weak, Qinv_lt_0_compat, Rp. }
    assert ((weight x m + up) / rate_between m q == weight x m / rate_between m q + up * / rate_between m q) as Eq by (field; lra).
    assert (up * / rate_between m q <= up / least_rate C).
    { unfold Qdiv. rewrite !(Qmult_comm up). apply Qmult_le_compat_r; [|assumption]. now apply Qinv_le. }
    lra.
  Qed.
  Lemma regret_nonnegative len m f : In m (all_servers C) -> match f with Busy q => In q (reachable m) | _ => True end ->
    0 <= regret len m f.
  Proof.
    intros M F. destruct f as [|q|q]; cbn [regret]; try lra. destruct (rate_between_bounds m q M F) as [[Rp _] _].
    pose proof (weight_above len m q F). assert (worth len q <= weight len m / rate_between m q); [|lra].
    apply Qle_shift_div_l; [assumption|]. now rewrite Qmult_comm.
  Qed.
  (* No queue is longer than the total weight over the least rate. *)
  Lemma length_le_weight len q : In q all_queues -> 0 <= queue_length len q -> least_rate C * queue_length len q
    <= total_weight len.
  Proof.
    intros Q L. destruct (some_reaches q (some_server _ WF) Q) as (m & M & R).
    destruct (rate_between_bounds m q M R) as (_ & G & _). pose proof (weight_above len m q R).
    assert (weight len m <= total_weight len) by (apply (total_member (all_servers C) (weight len));
      [intros; apply weight_nonnegative|assumption]).
    assert (queue_length len q <= worth len q).
    { assert (q < queues C A)%nat as Qb by (apply in_seq in Q; lia). pose proof (cost_bounds q Qb). unfold worth. nra. }
    destruct (rate_between_bounds m q M R) as [[Rp _] _].
    assert (least_rate C * queue_length len q <= rate_between m q * queue_length len q) by now apply Qmult_le_compat_r.
    assert (rate_between m q * queue_length len q <= rate_between m q * worth len q)
      by (rewrite !(Qmult_comm (rate_between m q)); apply Qmult_le_compat_r; lra).
    lra.
  Qed.
End Weights.
