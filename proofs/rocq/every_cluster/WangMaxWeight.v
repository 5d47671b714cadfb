(* Wang's JSQ-MaxWeight, with a queue common to all servers, is throughput optimal on every cluster of two levels: any
   servers, types, rates, and any bounded arrivals.

   The policy is the rule [wang_jsq_maxweight] of Policies.v, the chain that of Kernel.v.
   [wang_jsq_maxweight_throughput_optimal], at the end, is stated with the definitions of Capacity.v and Weights.v. With a
   common queue [replicated] says that a type is local to a server, or served there no faster than a remote task. *)
From Coq Require Import ZArith QArith Lqa List Bool Lia Arith.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Policies.
From Schedproof Require Import Outcomes Rules Capacity Layout Weights SharedStability JsqMaxWeight.
Import ListNotations.
Open Scope Q_scope.

(* A server runs the tasks of its own queue at the local rate. *)
Definition own_is_local (C : cluster) : Prop := forall m, In m (all_servers C) -> nth m (nth m (level_between C) []) 0%nat = 0%nat.

Section Wang.
  Variable C : cluster.
  Hypothesis LO : laid_out C.
  Hypothesis REP : replicated C per_server_and_common.
  Hypothesis local : own_is_local C.
  Hypothesis counting_all : counts (option_of C) = in_system.
  Notation A := per_server_and_common.
  Variables (len inside : list Z).

  Lemma common_queue : (queues C A - 1)%nat = servers C.
  Proof. cbn [queues]. lia. Qed.
  Lemma key_exact m q level : In m (all_servers C) -> In q (reachable C A m) -> service_level C A q m = level ->
    inject_Z (rate_times_length C A len inside (q, level))
      == inject_Z (scale_of_rates C) * (rate_between C A m q * worth C A len q).
  Proof.
    intros Hm Hq <-. unfold rate_times_length, row_and_level, rate_weight. cbn [fst snd].
    rewrite (counted C len inside q counting_all), inject_Z_mult.
    pose proof (rate_between_member C A (or_intror (or_introl eq_refl)) LO REP m q Hm Hq) as I.
    unfold rate_between, service_rate in *. rewrite (over_exact _ _ I). unfold worth, queue_length, scale_of_rates. cbn [cost].
      ring.
  Qed.
  Theorem serve_turns_to_heavier m : (m < servers C)%nat -> (forall q, 0 <= queue_length len q) -> exists tied,
    answers (set_of integers C A len inside (Serving m) (serve wang_jsq_maxweight) []) tied /\ turns C A len inside m tied.
  Proof.
    intros Hm N0. assert (Sm : In m (all_servers C)) by (apply in_seq; lia). pose proof (scale_positive C) as D.
    assert (Own_ : answers (set_of integers C A len inside (Serving m) Own []) [(m, 0%nat)]).
    { cbn [set_of named server_of]. destruct (one_row C A REP) as [E_|E_]; [discriminate|]. rewrite E_. constructor. }
    assert (Common_ : answers (set_of integers C A len inside (Serving m) Common []) [(servers C, levels C - 1)%nat]).
    { cbn [set_of named]. rewrite common_queue. constructor. }
    eexists. split; [exact (answers_unless_heavier C A len inside (Serving m) Own Common _ _ Own_ Common_)|].
    assert (Rm : In m (reachable C A m)) by now left. assert (Rc : In (servers C) (reachable C A m)) by (right; now left).
    assert (Level_m : service_level C A m m = 0%nat).
    { unfold service_level, shared, owner. cbn [queues]. destruct (Nat.eqb_spec (S m) (S (servers C))); [lia|]. now apply local. }
    assert (Level_c : service_level C A (servers C) m = (levels C - 1)%nat).
    { unfold service_level, shared. cbn [queues]. now rewrite Nat.eqb_refl. }
    pose proof (key_exact m m 0 Sm Rm Level_m) as Km. pose proof (key_exact m (servers C) _ Sm Rc Level_c) as Kc.
    assert (Worth : forall q, In q (reachable C A m) -> 0 <= rate_between C A m q * worth C A len q).
    { intros q Q. destruct (rate_between_positive C A (or_intror (or_introl eq_refl)) LO REP m q Sm Q) as [Rp _].
      apply Qmult_le_0_compat; [lra|]. unfold worth. cbn [cost]. specialize (N0 q). lra. }
    pose proof (Worth m Rm) as W1. pose proof (Worth _ Rc) as W2.
    set (own := rate_between C A m m * worth C A len m) in *.
    set (shared_ := rate_between C A m (servers C) * worth C A len (servers C)) in *.
    set (D_ := inject_Z (scale_of_rates C)) in *.
    assert (Gain : forall a b, D_ * a <= D_ * b -> a <= b).
    { intros a b L. apply Qmult_lt_0_le_reg_r with D_; [assumption|]. lra. }
    assert (D0 : forall a, 0 <= a -> 0 <= D_ * a) by (intros; apply Qmult_le_0_compat; lra).
    pose proof (D0 _ W1) as V1. pose proof (D0 _ W2) as V2.
    assert (Zero : D_ * 0 == 0) by ring.
    unfold rate_times_servable. cbn [fst]. destruct (Qle_bool _ _) eqn:B.
    - apply Qle_bool_iff in B. split; [easy|]. intros c [<-|[]]. cbn [fst]. split; [exact Rm|].
      destruct (choosable C len inside m) eqn:Cm.
      + split; [now left|]. intros q [<-|[<-|[]]] Ch; [apply Qle_refl|]. rewrite Ch, Km, Kc in B. now apply Gain.
      + split; [right|].
        * intros q [<-|[<-|[]]] Ch; [congruence|]. rewrite Ch, Kc in B. fold shared_. apply Gain. rewrite Zero. exact B.
        * intros q [<-|[<-|[]]] Ch; [congruence|]. rewrite Ch, Kc in B. change (inject_Z 0) with 0 in B. fold own shared_.
          apply Gain. lra.
    - assert (L : ~ inject_Z (if choosable C len inside (servers C)
                  then rate_times_length C A len inside (servers C, (levels C - 1)%nat) else 0)
                <= inject_Z (if choosable C len inside m then rate_times_length C A len inside (m, 0%nat) else 0))
        by (intro L; apply Qle_bool_iff in L; congruence).
      apply Qnot_le_lt in L. split; [easy|]. intros c [<-|[]]. cbn [fst]. split; [exact Rc|].
      destruct (choosable C len inside (servers C)) eqn:Cc.
      + split; [now left|]. intros q [<-|[<-|[]]] Ch; [|apply Qle_refl]. rewrite Ch, Km, Kc in L. apply Gain.
        apply Qlt_le_weak. exact L.
      + exfalso. destruct (choosable C len inside m); [rewrite Km in L|]; change (inject_Z 0) with 0 in L; lra.
  Qed.
  Theorem route_to_shortest t : exists tied,
    answers (set_of integers C A len inside (Arriving t) (route wang_jsq_maxweight) []) tied /\
    (joinable C A t <> [] -> tied <> []) /\
    forall c, In c tied -> In (fst c) (joinable C A t) /\ forall q,
      In q (joinable C A t) -> worth C A len (fst c) <= worth C A len q.
  Proof.
    destruct (answers_unite C A len inside (Arriving t) Local Common _ _ (AnswersRet _) (AnswersRet _)) as (from & Af & In_from).
    destruct (answers_shortest C A len inside (Arriving t) _ from Af) as (tied & At & Ne & Least_).
    assert (Both_ : forall q, In q (joinable C A t) <-> exists c, In c from /\ fst c = q).
    { intro q. unfold joinable. rewrite in_app_iff. split.
      - intros [I|[<-|[]]].
        + exists (q, 0%nat). split; [|reflexivity]. apply In_from. left. cbn [named type_of]. apply in_map_iff. now exists q.
        + exists (servers C, levels C - 1)%nat. split; [|reflexivity]. apply In_from. right. cbn [named]. rewrite common_queue.
            now left.
      - intros (c & I & <-). apply In_from in I as [I|I].
        + left. cbn [named type_of] in I. apply in_map_iff in I as (m & <- & I). exact I.
        + right. cbn [named] in I. rewrite common_queue in I. destruct I as [<-|[]]. now left. }
    exists tied. split; [exact At|]. split.
    - intro N. apply Ne. destruct (joinable C A t) as [|q l] eqn:Eq; [easy|]. intros ->.
      destruct (proj1 (Both_ q) (or_introl eq_refl)) as (c & [] & _).
    - intros c I. destruct (Least_ c I) as [J L]. split; [apply Both_; eauto|]. intros q Q. apply Both_ in Q as (d & Id & <-).
      specialize (L d Id). rewrite !(counted C len inside _ counting_all) in L.
      unfold worth, queue_length. cbn [cost]. rewrite Zle_Qle in L. lra.
  Qed.
End Wang.

(* As for JSQ-MaxWeight, where a server serves its own queue and the common one. *)
Theorem wang_jsq_maxweight_throughput_optimal : forall C rho split,
  well_formed C -> replicated C per_server_and_common -> own_is_local C -> shared_options C -> carries C rho split -> rho < 1 ->
  let policy := wang_jsq_maxweight in
  let valid := valid C policy (reachable_statuses C per_server_and_common) in
  valid (empty_state C policy) /\
  (forall x, valid x -> low C per_server_and_common rho x = true ->
     Forall (fun q => 0 <= inject_Z q < shared_threshold C per_server_and_common rho / least_rate C) (fst x)) /\
  (forall slots x, valid x ->
     mean_time (chain C policy) (low C per_server_and_common rho) slots x <= squares_and_regrets C per_server_and_common x).
Proof.
  intros C rho split WF REP local supported enough below_one.
  exact (shared_stable C per_server_and_common (route wang_jsq_maxweight) (serve wang_jsq_maxweight) (or_intror (or_introl eq_refl))
    WF REP
    supported
    (fun len inside t _ => route_to_shortest C (proj1 (proj1 supported)) len inside t)
    (turns_in_slots C per_server_and_common _ supported (serve_turns_to_heavier C WF REP local (proj1 (proj1 supported))))
    rho split below_one enough).
Qed.
