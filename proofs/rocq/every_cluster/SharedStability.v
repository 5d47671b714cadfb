(* Every cluster at once, where servers share queues: a policy whose tasks join a cheapest queue that they may join, and whose
   idle servers turn to a queue of largest rate times marginal cost, reaches a finite set in a bounded mean time. *)
From Coq Require Import ZArith QArith Qminmax Lqa List Bool Lia Arith.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift.
From Schedproof Require Import Outcomes Capacity Layout Draws Routing Weights Prices SharedService SharedSlot.
Import ListNotations.
Open Scope Q_scope.

Section SharedStability.
  Variables (C : cluster) (A : arrangement) (route serve : set).
  Hypothesis one_level_queues : A = per_server \/ A = per_server_and_common \/ A = per_type.
  Hypothesis WF : well_formed C.
  Hypothesis REP : replicated C A.
  Hypothesis supported : shared_options C.
  Notation P := (Policy A route serve).
  Notation M := (servers C).
  Hypothesis routes_to_shortest : forall len inside t, In t (all_types C) -> exists tied,
    answers (set_of integers C A len inside (Arriving t) route []) tied /\ (joinable C A t <> [] -> tied <> []) /\
    forall c, In c tied -> In (fst c) (joinable C A t) /\ forall q,
      In q (joinable C A t) -> worth C A len (fst c) <= worth C A len q.
  Hypothesis turns_to_heaviest : forall len inside m, (m < M)%nat -> (forall q, 0 <= queue_length len q) -> exists tied,
    answers (set_of integers C A len inside (Serving m) serve []) tied /\ (tied = [] -> weight C A len m <= 0) /\
    forall c, In c tied -> In (fst c) (reachable C A m) /\
      forall q, In q (reachable C A m) -> rate_between C A m q * worth C A len q
        <= rate_between C A m (fst c) * worth C A len (fst c).

  Lemma serve_ok len inside m : (forall q, 0 <= queue_length len q) -> (m < M)%nat -> exists tied,
    answers (set_of integers C A len inside (Serving m) serve []) tied /\ (tied = [] -> weight C A len m <= 0) /\
    forall c, In c tied -> heaviest_for C A len m (fst c).
  Proof.
    intros N0 Hm. assert (Sm : In m (all_servers C)) by (apply in_seq; lia).
    destruct (turns_to_heaviest len inside m Hm N0) as (tied & At & Ne & Good). exists tied. split; [exact At|split; [exact Ne|]].
    intros c I. destruct (Good c I) as [R L]. split; [split; [assumption|now apply (reachable_bound C A one_level_queues m)]|].
    apply Qle_antisym; [now apply weight_above|]. apply weight_below; [|exact L].
    destruct (rate_between_bounds C A one_level_queues WF REP m (fst c) Sm R) as [[Rp _] _]. apply Qmult_le_0_compat; [lra|].
    now apply (worth_nonnegative C A REP), (reachable_bound C A one_level_queues m).
  Qed.

  (* A task pays at most the earlier arrivals of its slot beyond the price. *)
  Notation regret_of_task := (largest_cost C A * sees_arrivals C).
  Lemma route_ok len inside tasks t d : length len = queues C A -> 1 <= tasks -> In t (all_types C) ->
    fits C A (tasks * 1) (all_lengths C A) d -> exists tied,
    answers (set_of integers C A (seen C len d) inside (Arriving t) route []) tied /\ tied <> [] /\
    forall c, In c tied -> of_length C A len (near_price (shortest C A len) regret_of_task tasks) t (fst c).
  Proof.
    intros Ll One T (Ld & D0 & Few). destruct (routes_to_shortest (seen C len d) inside t T) as (tied & At & Ne & Least_).
    pose proof (some_joinable C A WF REP t T) as J. exists tied. split; [exact At|split; [now apply Ne|]]. intros c I.
    destruct (Least_ c I) as [Q L]. pose proof (joinable_bound C A one_level_queues REP t (fst c) T Q) as Bc. split; [assumption|]. unfold near_price.
    destruct (shortest_attained C A len t J) as (r & R & <-). specialize (L r R). pose proof (joinable_bound C A one_level_queues REP t r T R) as Br.
    assert (Seen : forall q, queue_length (seen C len d) q == queue_length len q + sees_arrivals C * queue_length d q).
    { intro q. unfold queue_length. rewrite seen_length, inject_Z_plus by congruence. unfold sees_arrivals.
      destruct (routes (option_of C)); [change (inject_Z 0) with 0|]; ring. }
    assert (S0 : 0 <= sees_arrivals C) by (unfold sees_arrivals; destruct (routes (option_of C)); lra).
    assert (Q0 : forall q, 0 <= queue_length d q) by (intro q; unfold queue_length; change 0 with (inject_Z 0); rewrite <- Zle_Qle;
      apply D0).
    assert (queue_length d r <= tasks) as Dr.
    { apply Qle_trans with (all_lengths C A d); [|lra]. apply (total_member (all_queues C A) (queue_length d) r); auto.
    apply in_seq. lia. }
    pose proof (worth_shift C A REP (seen C len d) len 0 (fst c) Bc ltac:(lra)) as Low.
    pose proof (worth_shift C A REP len (seen C len d) (sees_arrivals C * tasks) r Br ltac:(apply Qmult_le_0_compat; lra)) as High.
    rewrite Seen in Low, High. pose proof (Q0 (fst c)) as Qc.
    assert (0 <= sees_arrivals C * queue_length d (fst c)) by now apply Qmult_le_0_compat.
    assert (sees_arrivals C * queue_length d r <= sees_arrivals C * tasks).
    { rewrite !(Qmult_comm (sees_arrivals C)). now apply Qmult_le_compat_r. }
    specialize (Low ltac:(lra)). specialize (High ltac:(lra)). lra.
  Qed.
  (* ---- the chain ---- *)

  Notation is_valid := (valid C P (reachable_statuses C A)).
  Lemma lengths_nonnegative x : is_valid x -> forall q, 0 <= queue_length (fst x) q.
  Proof.
    destruct x as [len s]. intros V q. apply (shared_valid_iff C A route serve one_level_queues) in V as (_ & _ & _ & R).
      specialize (R q).
    pose proof (running_nonnegative s q). unfold queue_length. cbn [fst]. change 0 with (inject_Z 0). rewrite <- Zle_Qle. lia.
  Qed.
  Lemma chain_valid x : is_valid x -> is_law (chain C P x) /\ forall e, In e (chain C P x) -> is_valid (snd e).
  Proof.
    destruct x as [len s]. intro V. pose proof (lengths_nonnegative _ V) as N0. cbn [fst] in N0.
      destruct supported as [(_ & U) _].
    destruct (always_run _ _ (shared_slot_ok C A route serve one_level_queues WF REP len s (shortest C A len) regret_of_task V U
                (fun tasks t d => route_ok len _ tasks t d (proj1 V)) (fun inside m => serve_ok len inside m N0))) as [[Po One]
                  Next].
    split; [split|].
    - intros e I. unfold chain in I. apply in_map_iff in I as (d & <- & I). now apply (Po d).
    - now rewrite chain_E.
    - intros e I. unfold chain in I. apply in_map_iff in I as (d & <- & I). now apply (Next d).
  Qed.
  Lemma potential_nonnegative x : is_valid x -> 0 <= squares_and_regrets C A x.
  Proof.
    destruct x as [len s]. intro Vx. pose proof (proj1 (shared_valid_iff C A route serve one_level_queues len s) Vx) as
      (_ & Ls & F & _).
    unfold squares_and_regrets. cbn [fst snd].
    assert (0 <= squares C A len).
    { apply total_nonnegative. intros q Q. apply in_seq in Q. pose proof (lengths_nonnegative (len, s) Vx) as N0. cbn [fst] in N0.
      apply Qmult_le_0_compat; [apply (worth_nonnegative C A REP); [assumption|lia]|apply N0]. }
    enough (0 <= regrets C A len 0 s) by lra.
    assert (K : forall t k, (k + length t <= M)%nat -> each (serving C A) k t -> 0 <= regrets C A len k t); [|apply K; auto; lia].
    induction t as [|f t IH]; intros k Le Ht; cbn [regrets]; [lra|]. inversion Ht as [|? ? ? Hf Hs]; subst. cbn [length] in Le.
    specialize (IH (S k) ltac:(lia) Hs). enough (0 <= regret C A len k f) by lra.
    apply (regret_nonnegative C A one_level_queues WF REP); [apply in_seq; lia|]. destruct f; auto. apply Hf.
  Qed.
  Lemma empty_is_valid : is_valid (empty_state C P).
  Proof.
    apply (shared_valid_iff C A route serve one_level_queues). split; [apply repeat_length|]. split; [apply repeat_length|]. split.
    - generalize 0%nat as m, M as k. intros m k. revert m. induction k as [|k IH]; intro m; cbn [repeat]; constructor;
        [exact I|apply IH].
    - intro q. rewrite nth_repeat. clear. induction M as [|k IH]; cbn [repeat]; [cbn; lia|]. rewrite running_cons. lia.
  Qed.

  Variables (rho : Q) (split : nat -> nat -> Q).
  Hypothesis below_one : rho < 1.
  Hypothesis enough : carries C rho split.
  (* Squares and regrets fall on average by 2 (1 - rho) times the total weight, but for a constant. *)
  Theorem shared_drift x : is_valid x -> E (squares_and_regrets C A) (chain C P x)
    <= squares_and_regrets C A x - 2 * (1 - rho) * total_weight C A (fst x) + shared_spread C A.
  Proof.
    destruct x as [len s]. intro V. pose proof (lengths_nonnegative _ V) as N0. cbn [fst] in *.
      destruct supported as [(_ & U) _].
    rewrite chain_E. cbn [fst].
    pose proof (shared_slot_mean C A route serve one_level_queues WF REP len s (shortest C A len) regret_of_task V U
                (fun tasks t d => route_ok len _ tasks t d (proj1 V)) (fun inside m => serve_ok len inside m N0)) as D.
    assert (Rates : forall t m, In t (all_types C) -> In m (all_servers C) -> 0 < type_rate C t m).
    { intros t m T Hm. now apply (rate_at_in C WF _ _ (rows_of_types _ WF t) (levels_of_types _ WF t m T Hm)). }
    pose proof (weak_duality C rho split (weight C A len) (shortest C A len) enough Rates (fun m _ => weight_nonnegative C A len m)
                  (fun t m T Hm => shortest_price C A one_level_queues REP len t m N0 T Hm (Rates t m T Hm))) as W.
    eapply Qle_trans; [exact D|]. unfold total_weight, shared_spread. cbv zeta. lra.
  Qed.
  Lemma heavy y : low C A rho y = false -> shared_spread C A + 1 <= 2 * (1 - rho) * total_weight C A (fst y).
  Proof.
    unfold low, shared_threshold. intro T. apply negb_false_iff, Qle_bool_iff in T.
    assert (Eq : shared_spread C A + 1 == (shared_spread C A + 1) / (2 * (1 - rho)) * (2 * (1 - rho))) by (field; lra).
    rewrite Eq, (Qmult_comm (2 * (1 - rho)) (total_weight C A (fst y))). apply Qmult_le_compat_r; [exact T|lra].
  Qed.
  Lemma low_lengths x : is_valid x -> low C A rho x = true -> Forall
    (fun q => 0 <= inject_Z q < shared_threshold C A rho / least_rate C) (fst x).
  Proof.
    intros V Lt. apply (lengths_below C A one_level_queues WF REP); [apply V|now apply lengths_nonnegative|].
    apply Qnot_le_lt. intro Le. apply Qle_bool_iff in Le. unfold low in Lt. rewrite Le in Lt. discriminate.
  Qed.
  Theorem shared_stable :
    is_valid (empty_state C P) /\
    (forall x, is_valid x -> low C A rho x = true -> Forall (fun q => 0 <= inject_Z q < shared_threshold C A rho / least_rate C)
      (fst x)) /\
    (forall slots x, is_valid x -> mean_time (chain C P) (low C A rho) slots x <= squares_and_regrets C A x).
  Proof.
    split; [exact empty_is_valid|split; [exact low_lengths|]]. intros slots x V.
    pose proof (foster (chain C P) is_valid (fun y Vy => proj1 (chain_valid y Vy)) (fun y e Vy => proj2 (chain_valid y Vy) e)
                  (low C A rho) (squares_and_regrets C A) 1 potential_nonnegative) as F.
    assert (Falls : forall y, is_valid y -> low C A rho y = false -> E (squares_and_regrets C A) (chain C P y)
      <= squares_and_regrets C A y - 1).
    { intros y Vy T. pose proof (shared_drift y Vy) as D. pose proof (heavy y T). lra. }
    specialize (F Falls slots x V). lra.
  Qed.
End SharedStability.
