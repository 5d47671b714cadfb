(* What a task pays where servers share queues: the least marginal cost of a queue that it may join. No server's weight
   undercuts it. *)
From Coq Require Import ZArith QArith Qminmax Lqa List Lia.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Outcomes Capacity Layout Weights.
Import ListNotations.
Open Scope Q_scope.

Section Prices.
  Variables (C : cluster) (A : arrangement).
  Hypothesis one_level_queues : A = per_server \/ A = per_server_and_common \/ A = per_type.
  Hypothesis LO : laid_out C.
  Hypothesis REP : replicated C A.
  Lemma worth_nonnegative len q : (forall q, 0 <= queue_length len q) -> (q < queues C A)%nat -> 0 <= worth C A len q.
  Proof. intros N0 Q. pose proof (cost_bounds C A REP q Q). apply Qmult_le_0_compat; [lra|apply N0]. Qed.
  (* The price of a type: the least marginal cost of a queue that its tasks may join. *)
  Definition shortest (len : list Z) (t : nat) : Q :=
    match map (worth C A len) (joinable C A t) with [] => 0 | l :: ls => fold_right Qmin l ls end.
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
  Lemma shortest_least len t q : In q (joinable C A t) -> shortest len t <= worth C A len q.
  Proof.
    unfold shortest. intro Q. apply (in_map (worth C A len)) in Q.
      destruct (map (worth C A len) (joinable C A t)) as [|l ls]; [contradiction|].
    now apply least_of.
  Qed.
  Lemma shortest_attained len t : joinable C A t <> [] -> exists q, In q (joinable C A t) /\ worth C A len q ==
    shortest len t.
  Proof.
    intro N. unfold shortest. destruct (map (worth C A len) (joinable C A t)) as [|l ls] eqn:Eq.
    - destruct (joinable C A t); [easy|discriminate].
    - destruct (least_of l ls) as [_ (x & I & E_)]. rewrite <- Eq in I. apply in_map_iff in I as (q & <- & Q). eauto.
  Qed.
  Lemma joinable_bound t q : In t (all_types C) -> In q (joinable C A t) -> (q < queues C A)%nat.
  Proof.
    unfold joinable. intros T I. destruct one_level_queues as [-> |[-> | ->]].
    - rewrite app_nil_r in I. apply filter_In in I as [I _]. apply in_seq in I. cbn [queues]. lia.
    - apply in_app_or in I as [I|[<-|[]]]; cbn [queues]; [|lia]. apply filter_In in I as [I _]. apply in_seq in I. lia.
    - destruct I as [<-|[]]. apply in_seq in T. cbn [queues]. lia.
  Qed.
  Lemma some_joinable t : In t (all_types C) -> joinable C A t <> [].
  Proof.
    intros T E_. assert (In 0%nat (all_servers C)) as Z0 by (apply in_seq; pose proof (some_server _ LO); lia).
    destruct (nearest_replica C A REP t 0 T Z0) as (q & Q & _). now rewrite E_ in Q.
  Qed.
  Lemma shortest_price len t m : (forall q, 0 <= queue_length len q) -> In t (all_types C) -> In m (all_servers C) ->
    0 < type_rate C t m ->
    shortest len t <= weight C A len m / type_rate C t m.
  Proof.
    intros N0 T Hm Rp. destruct (nearest_replica C A REP t m T Hm) as (q & Q & Re & R).
    apply Qle_shift_div_l; [assumption|].
    pose proof (shortest_least len t q Q) as S. pose proof (weight_above C A len m q Re) as W.
    pose proof (worth_nonnegative len q N0 (joinable_bound t q T Q)) as Wq.
    apply Qle_trans with (worth C A len q * type_rate C t m); [apply Qmult_le_compat_r; lra|].
    apply Qle_trans with (rate_between C A m q * worth C A len q); [|assumption].
    rewrite Qmult_comm. now apply Qmult_le_compat_r.
  Qed.
End Prices.
