(* Every cluster in continuous time without preemption, where servers share queues: a policy whose tasks join a
  cheapest queue
   that they may join, and whose idle servers turn to a queue of largest rate times marginal cost among those in which
     a task
   waits, reaches a finite set in a bounded mean time.

   In a settled state no task waits that an idle server may start. So at most one server starts a task after an event
   ([single]), and what it gives up is little; squares and regrets then rise by a constant, but for what a completion
     takes
   off: its own regret and the square together are the weight that its server finds. *)
From Coq Require Import ZArith QArith Qminmax Lqa List Bool Lia Arith.
From Schedproof Require Import Law Affine Program Cluster Language Kernel EventKernel Drift EventDrift.
From Schedproof Require Import Outcomes Rules Capacity Layout Draws Offers Weights Prices SharedService SharedSlot.
From Schedproof Require Import EventCapacity SharedOffers.
Import ListNotations.
Open Scope Q_scope.

(* A sum of which one summand is told apart. *)
Lemma total_le_but (l : list nat) m (f g : nat -> Q) up more : NoDup l -> In m l ->
  (forall k, In k l -> f k <= g k + up + (if Nat.eqb k m then more k else 0)) ->
  total l f <= total l g + inject_Z (Z.of_nat (length l)) * up + more m.
Proof.
  intros N I H. eapply Qle_trans; [exact (total_le _ _ _ H)|].
  rewrite !total_plus, total_constant, (total_one l m more N I).
  apply Qle_refl.
Qed.
Lemma running_emptied s m q r : (m < length s)%nat -> nth m s Idle = Busy q ->
  running (put m Idle s) r = (running s r - if Nat.eqb r q then 1 else 0)%Z.
Proof.
  revert m. induction s as [|f s IH]; intros [|m]; cbn [put length nth]; intros H E_; try lia.
  - subst f. rewrite !running_cons. lia.
  - rewrite !running_cons, IH by (lia || assumption). lia.
Qed.

Section Nonpreemptive.
  Variables (C : cluster) (A : arrangement) (route serve : set) (streams : list Q).
  Hypothesis one_level_queues : A = per_server \/ A = per_server_and_common \/ A = per_type.
  Hypothesis LO : laid_out C.
  Hypothesis REP : replicated C A.
  Hypothesis supported : event_options C.
  Hypothesis rates : streams_are_rates streams.
  Notation P := (Policy A route serve).
  Notation n := (queues C A).
  Notation M := (servers C).
  Notation number := (number_of_servers C).
  Notation dearest := (largest_cost C A).
  Notation slack := (fastest C * (dearest * (number - 1))).
  Notation gamma := (least_rate C).
  Hypothesis routes_to_shortest : forall len inside t, In t (all_types C) -> exists tied,
    answers (set_of integers C A len inside (Arriving t) route []) tied /\ (joinable C A t <> [] -> tied <> []) /\
    forall c, In c tied -> In (fst c) (joinable C A t) /\ forall q,
      In q (joinable C A t) -> worth C A len (fst c) <= worth C A len q.
  Hypothesis turns_to_heaviest : forall len inside m, (m < M)%nat -> (forall q, 0 <= queue_length len q) -> exists tied,
    answers (set_of integers C A len inside (Serving m) serve []) tied /\ turns C A len inside m tied.
  Definition between_events (x : state) : Prop := valid C P (reachable_statuses C A) x /\ settled C P x = true.
  Notation step := (event_chain C streams no_preemption P).

  Lemma between_iff len s : between_events (len, s) <->
    length len = n /\ fit C A len s /\ forall m, (m < M)%nat -> idle s m -> declined C P len s m.
  Proof.
    unfold between_events. rewrite (shared_valid_iff C A route serve one_level_queues). split.
    - intros ((Ll & Ls & Fs & R) & St). assert (F : fit C A len s) by (split; [exact Ls|now split]).
      split; [exact Ll|split; [exact F|]]. apply settled_declined; [exact St|]. intros m Hm.
      destruct (turns_to_heaviest len (executing C P s) m Hm (lengths_fit C A len s F)) as (tied & At & _).
      now exists tied.
    - intros (Ll & (Ls & Fs & R) & D). split; [now split|]. now apply declined_settled.
  Qed.

  (* ---- regrets, server by server ---- *)

  Definition regret_of (len : list Z) (s : list status) (m : nat) : Q := regret C A len m (nth m s Idle).
  Definition all_regrets (len : list Z) (s : list status) : Q := total (all_servers C) (regret_of len s).
  Lemma regrets_total len s : length s = M -> regrets C A len 0 s == all_regrets len s.
  Proof.
    intro L. unfold all_regrets, all_servers. rewrite <- L. unfold regret_of.
    assert (K : forall t k, regrets C A len k t == total (seq k (length t)) (fun m => regret C A len m (nth (m - k) t
      Idle))).
    { induction t as [|f t IH]; intro k; cbn [regrets length seq total fold_right]; [reflexivity|].
      fold (total (seq (S k) (length t)) (fun m => regret C A len m (nth (m - k) (f :: t) Idle))).
      rewrite Nat.sub_diag. cbn [nth]. rewrite IH. apply Qplus_comp; [reflexivity|]. apply total_equal. intros m I.
      apply in_seq in I. replace (m - k)%nat with (S (m - S k)) by lia. reflexivity. }
    rewrite K. apply total_equal. intros m _. now rewrite Nat.sub_0_r.
  Qed.
  Lemma number_length : inject_Z (Z.of_nat (length (all_servers C))) == number.
  Proof. unfold all_servers. now rewrite seq_length. Qed.
  Notation start_regret := (slack / gamma).
  Lemma start_regret_nonnegative : 0 <= start_regret.
  Proof.
    pose proof (slack_nonnegative C A LO). pose proof (least_rate_positive C LO). apply Qle_shift_div_l; lra.
  Qed.
  Lemma nearly_regret len m q : (m < M)%nat -> In q (reachable C A m) -> nearly C A len m q ->
    regret C A len m (Busy q) <= start_regret.
  Proof.
    intros Hm R N. unfold nearly in N. cbn [regret]. pose proof (rates_up_to C A one_level_queues LO REP m q Hm R) as
      [Rp _].
    destruct (rate_between_positive C A one_level_queues LO REP m q ltac:(apply in_seq; lia) R) as [_ Rl].
    pose proof (slack_nonnegative C A LO) as S0. set (slack_ := slack) in *. set (mu := rate_between C A m q) in *.
    assert (weight C A len m / mu <= worth C A len q + slack_ / mu).
    { apply Qle_shift_div_r; [exact Rp|].
      assert (Eq : (worth C A len q + slack_ / mu) * mu == mu * worth C A len q + slack_) by (field; lra). rewrite Eq.
      exact N. }
    assert (slack_ / mu <= slack_ / gamma).
    { unfold Qdiv. rewrite !(Qmult_comm slack_). apply Qmult_le_compat_r; [|exact S0]. apply Qinv_le; [|exact Rl].
      apply (least_rate_positive C LO). }
    lra.
  Qed.
  Lemma regret_of_nonnegative len s m : fit C A len s -> (m < M)%nat -> 0 <= regret_of len s m.
  Proof.
    intros (Ls & Fs & _) Hm. apply (regret_nonnegative C A one_level_queues LO REP); [apply in_seq; lia|].
    pose proof (each_nth _ Idle _ 0%nat m Fs ltac:(lia)) as S. cbn [Nat.add] in S. destruct (nth m s Idle); auto.
    apply S.
  Qed.

  (* ---- an offer after an event ---- *)

  Definition quiet (len : list Z) (s : list status) : Prop :=
    forall m, (m < M)%nat -> idle s m -> forall q, In q (reachable C A m) -> (waiting_in C P len s q <= 0)%Z.
  (* Once one server starts a task, no other may. *)
  Definition single (len : list Z) (s : list status) : Prop :=
    forall m q, (m < M)%nat -> idle s m -> In q (reachable C A m) -> (0 < waiting_in C P len s q)%Z ->
      fit C A len (put m (Busy q) s) -> quiet len (put m (Busy q) s).
  Theorem single_offer len order s : fit C A len s -> single len s -> (forall k, In k order <-> (k < M)%nat) ->
    always (fun s' => fit C A len s' /\ (forall m, (m < M)%nat -> idle s' m -> declined C P len s' m) /\
                      all_regrets len s' <= all_regrets len s + start_regret) (offer integers C P len order s).
  Proof.
    intros F Si All.
    set (kept := fun s' => fit C A len s' /\ (s' = s \/ exists m q, (m < M)%nat /\ idle s m /\ able C A m q /\
                           nearly C A len m q /\ s' = put m (Busy q) s /\ quiet len s')).
    eapply always_weaken; [apply (offer_ok C P len kept)|].
    - intros t ((Lt & _) & _). exact Lt.
    - intros t m [Ft K] Hm Id.
      destruct (start_fits C A route serve one_level_queues LO REP supported len (turns_to_heaviest len) t m Ft Hm Id)
        as (tied & At & Good). exists tied. split; [exact At|]. intros c Ic W. destruct (Good c Ic W) as (Fc & Ab & Ne).
      split; [exact Fc|]. right. destruct K as [->|(k & q & _ & _ & _ & _ & _ & Qu)].
      + exists m, (fst c). repeat (split; [assumption|]). split; [reflexivity|]. now apply Si; [| |apply Ab| |].
      + specialize (Qu m Hm Id (fst c) (proj1 Ab)). lia.
    - intros m I. now apply All.
    - split; [exact F|now left].
    - intros s' [[F' K] D]. split; [exact F'|split; [intros m Hm Id; apply D; [now apply All|exact Id]|]].
      pose proof start_regret_nonnegative as B0. destruct K as [->|(m & q & Hm & Id & [R Q] & Ne & -> & _)]; [lra|].
      pose proof F as (Ls & _).
      pose proof (total_le_but (all_servers C) m (regret_of len (put m (Busy q) s)) (regret_of len s) 0 (fun _ =>
        start_regret)
        (seq_NoDup _ _) ltac:(apply in_seq; lia)) as T. cbv beta in T. unfold all_regrets.
      eapply Qle_trans; [apply T|rewrite Qmult_0_r; lra]. intros k _. unfold regret_of. rewrite nth_put by lia.
      destruct (Nat.eqb_spec k m) as [->|_]; [|lra]. unfold idle in Id. rewrite Id. cbn [regret].
      pose proof (nearly_regret len m q Hm R Ne) as K. cbn [regret] in K. lra.
  Qed.

  (* ---- one event ---- *)

  Section Event.
    Variables (len : list Z) (s : list status).
    Hypothesis len_all : length len = n.
    Hypothesis fits_now : fit C A len s.
    Hypothesis declined_now : forall m, (m < M)%nat -> idle s m -> declined C P len s m.
    Notation w m := (weight C A len m).
    Notation V y t := (squares C A y + 2 * all_regrets y t).
    Notation bumped k q := (bump k q len).
    Lemma left_now m : (m < M)%nat -> idle s m ->
      w m <= slack /\ forall q, In q (reachable C A m) -> (waiting_in C P len s q <= 0)%Z.
    Proof.
      intros Hm Id. apply (declined_weight C A route serve one_level_queues LO REP supported len (turns_to_heaviest
        len));
        auto.
    Qed.
    Lemma waiting_now y t q : fit C A y t -> waiting_in C P y t q = (nth q y 0 - running t q)%Z.
    Proof. apply waiting_running. Qed.
    (* An arrival. *)
    Lemma joined_fit q : (q < n)%nat -> fit C A (bumped 1 q) s.
    Proof.
      intro Q. destruct fits_now as (Ls & Fs & R). split; [exact Ls|split; [exact Fs|]]. intro r.
      rewrite nth_bump by congruence. specialize (R r). destruct (Nat.eqb r q); lia.
    Qed.
    Lemma joined_single q : (q < n)%nat -> single (bumped 1 q) s.
    Proof.
      intros Q m r Hm Id R W Fp k Hk Ik p Rp. pose proof fits_now as (Ls & _). pose proof (joined_fit q Q) as Fj.
      assert (Before : forall j i, (j < M)%nat -> idle s j -> In i (reachable C A j) ->
        (waiting_in C P (bumped 1 q) s i <= if Nat.eqb i q then 1 else 0)%Z).
      { intros j i Hj Ij Ri. pose proof (proj2 (left_now j Hj Ij) i Ri) as L. rewrite (waiting_now _ _ _ fits_now) in L.
        rewrite (waiting_now _ _ _ Fj), nth_bump by congruence. destruct (Nat.eqb i q); lia. }
      assert (Is : idle s k). { unfold idle in *. rewrite nth_put in Ik by lia.
      destruct (Nat.eqb k m); [discriminate|exact Ik]. }
      pose proof (Before m r Hm Id R) as B1. pose proof (Before k p Hk Is Rp) as B2.
      rewrite (waiting_now _ _ _ Fp), running_put by (lia || assumption). rewrite (waiting_now _ _ r Fj) in W, B1.
      rewrite (waiting_now _ _ p Fj) in B2.
      destruct (Nat.eqb_spec r q) as [->|_]; [|lia]. destruct (Nat.eqb p q); lia.
    Qed.
    Lemma joined_regrets q : (q < n)%nat ->
      all_regrets (bumped 1 q) s <= all_regrets len s + number * (fastest C * dearest / gamma).
    Proof.
      intro Q. pose proof fits_now as (Ls & Fs & _). pose proof (fastest_positive C LO) as Fp.
      pose proof (largest_cost_positive C A) as Dp. pose proof (least_rate_positive C LO) as G.
      assert (Up0 : 0 <= fastest C * dearest / gamma).
      { apply Qle_shift_div_l; [exact G|]. rewrite Qmult_0_l. apply Qmult_le_0_compat; lra. }
      assert (Worth : forall r, (r < n)%nat -> worth C A len r <= worth C A (bumped 1 q) r <= worth C A len r +
        dearest).
      { intros r R. pose proof (cost_bounds C A REP r R) as Cb. unfold worth, queue_length.
        rewrite nth_bump, inject_Z_plus by congruence.
        destruct (Nat.eqb r q); [change (inject_Z 1) with 1|change (inject_Z 0) with 0]; split; lra. }
      unfold all_regrets. rewrite <- number_length, <- total_constant, <- total_plus. apply total_le. intros m I.
      unfold regret_of. pose proof I as Hm. apply in_seq in Hm.
      pose proof (each_nth _ Idle _ 0%nat m Fs ltac:(lia)) as S. cbn [Nat.add] in S.
      destruct (nth m s Idle) as [|p|p]; cbn [serving] in S; [cbn [regret]; lra| |contradiction].
      assert (K := regret_shift_by C A one_level_queues LO REP (fastest C) (fastest_bound C) len (bumped 1 q) dearest
        0 m p
        I (proj1 S) ltac:(lra) ltac:(lra)). rewrite Qplus_0_r in K. apply K.
      - intros r R. apply Worth. now apply (reachable_bound C A one_level_queues m).
      - pose proof (Worth p (proj2 S)). lra.
    Qed.

    (* A completion. *)
    Section Completion.
      Variables (m q : nat).
      Hypothesis m_server : (m < M)%nat.
      Hypothesis runs_q : nth m s Idle = Busy q.
      Lemma runs_able : able C A m q.
      Proof.
        pose proof fits_now as (Ls & Fs & _). pose proof (each_nth _ Idle _ 0%nat m Fs ltac:(lia)) as S.
        cbn [Nat.add] in S.
        now rewrite runs_q in S.
      Qed.
      Lemma left_fit : fit C A (bumped (-1) q) (put m Idle s).
      Proof.
        pose proof fits_now as (Ls & Fs & R). pose proof runs_able as [_ Q]. split; [now rewrite put_length|split].
        - apply each_put; [exact Fs|exact I].
        - intro r. rewrite nth_bump by congruence. rewrite (running_emptied s m q) by (lia || assumption).
          specialize (R r).
          destruct (Nat.eqb r q); lia.
      Qed.
      Lemma left_waiting r : waiting_in C P (bumped (-1) q) (put m Idle s) r = waiting_in C P len s r.
      Proof.
        pose proof fits_now as (Ls & _). pose proof runs_able as [_ Q].
        rewrite (waiting_now _ _ _ left_fit), (waiting_now _ _ _ fits_now), nth_bump by congruence.
        rewrite (running_emptied s m q) by (lia || assumption). destruct (Nat.eqb r q); lia.
      Qed.
      Lemma left_idle k : idle (put m Idle s) k -> k <> m -> idle s k.
      Proof.
        pose proof fits_now as (Ls & _). unfold idle. rewrite nth_put by lia. intros H N.
        destruct (Nat.eqb_spec k m); [contradiction|exact H].
      Qed.
      Lemma left_single : single (bumped (-1) q) (put m Idle s).
      Proof.
        pose proof fits_now as (Ls & _). intros k r Hk Ik R W Fp j Hj Ij p Rp. rewrite left_waiting in W.
        assert (k = m) as ->.
        { destruct (Nat.eq_dec k m) as [E_|N]; [exact E_|]. pose proof (proj2 (left_now k Hk (left_idle k Ik N)) r R).
          lia. }
        assert (N : j <> m).
        { intros ->. unfold idle in Ij. rewrite nth_put, Nat.eqb_refl in Ij by (rewrite put_length; lia).
          discriminate. }
        assert (Is : idle s j).
        { apply left_idle; [|exact N]. unfold idle in *. rewrite nth_put in Ij by (rewrite put_length; lia).
          destruct (Nat.eqb_spec j m); [contradiction|exact Ij]. }
        pose proof (proj2 (left_now j Hj Is) p Rp) as B. rewrite <- left_waiting, (waiting_now _ _ _ left_fit) in B.
        rewrite (waiting_now _ _ _ Fp), running_put by (rewrite ?put_length; lia || assumption).
        destruct (Nat.eqb p r); lia.
      Qed.
      Lemma left_regrets : all_regrets (bumped (-1) q) (put m Idle s)
        <= all_regrets len s + (number - 1) * dearest - regret C A len m (Busy q).
      Proof.
        pose proof fits_now as (Ls & Fs & _). pose proof (largest_cost_positive C A) as Dp.
        pose proof (fastest_positive C LO) as Fp. pose proof runs_able as [Rq Q].
        assert (Worth : forall r, (r < n)%nat ->
          worth C A (bumped (-1) q) r <= worth C A len r + 0 /\ worth C A len r - dearest <= worth C A (bumped (-1) q)
            r).
        { intros r R. pose proof (cost_bounds C A REP r R) as Cb. unfold worth, queue_length.
          rewrite nth_bump, inject_Z_plus by congruence.
          destruct (Nat.eqb r q); [change (inject_Z (-1)) with (- (1))|change (inject_Z 0) with 0]; split; lra. }
        pose proof (total_le_but (all_servers C) m (regret_of (bumped (-1) q) (put m Idle s)) (regret_of len s) dearest
          (fun k => - dearest - regret_of len s k) (seq_NoDup _ _) ltac:(apply in_seq; lia)) as T. cbv beta in T.
        rewrite number_length in T. unfold all_regrets. assert (Own : regret_of len s m == regret C A len m (Busy q))
          by (unfold regret_of; now rewrite runs_q).
        eapply Qle_trans; [apply T|rewrite Own; lra]. intros k I. unfold regret_of. rewrite nth_put by lia.
        pose proof I as Hk. apply in_seq in Hk. destruct (Nat.eqb_spec k m) as [->|N]; [cbn [regret]; lra|].
        pose proof (each_nth _ Idle _ 0%nat k Fs ltac:(lia)) as S. cbn [Nat.add] in S.
        destruct (nth k s Idle) as [|p|p]; cbn [serving] in S; [cbn [regret]; lra| |contradiction].
        assert (K := regret_shift_by C A one_level_queues LO REP (fastest C) (fastest_bound C) len (bumped (-1) q) 0
          dearest k p
          I (proj1 S) ltac:(lra) ltac:(lra)).
        assert (Zero : fastest C * 0 / gamma == 0) by (field; pose proof (least_rate_positive C LO); lra).
        rewrite Zero in K. specialize (K (fun r R => proj1 (Worth r (reachable_bound C A one_level_queues k r I R)))
          (proj2 (Worth p (proj2 S)))). lra.
      Qed.
    End Completion.

    (* All that may happen. *)
    Notation after := (fun r => V (add len (fst r)) (snd r)).
    Definition next_ok (r : list Z * list status) : Prop :=
      length (fst r) = n /\ fit C A (add len (fst r)) (snd r) /\
      forall k, (k < M)%nat -> idle (snd r) k -> declined C P (add len (fst r)) (snd r) k.
    Definition rise_between (h : happening) : Q :=
      match h with
      | Arrives t => 2 * shortest C A len t + dearest * (1 + 4 * fastest C * number / gamma)
      | Rings m => (fastest C * dearest * (1 + 2 * (number - 1) * (1 + fastest C / gamma)) - 2 * w m) / fastest C
      end.
    Notation pursue := (pursue C P len).
    Lemma pursued k q t order rise : (q < n)%nat -> fit C A (bumped k q) t -> single (bumped k q) t ->
      (forall j, In j order <-> (j < M)%nat) ->
      squares C A (bumped k q) + 2 * all_regrets (bumped k q) t + 2 * start_regret <= V len s + rise ->
      always next_ok (pursue (unit_change C P k q, t, order)) /\
      E after (run (pursue (unit_change C P k q, t, order))) <= V len s + rise.
    Proof.
      intros Q F Si All Le. pose proof (pursue_change C P len len_all _ k q t order (single_offer (bumped k q) order t
        F Si All)) as H.
      split; [|apply mean_always]; (eapply always_weaken; [exact H|]); intros [d next] (Eq & Fn & D & Rg);
        cbn [fst snd] in *;
        subst d; [split; [apply length_unit_change|]; cbn [fst snd]|]; rewrite (add_unit_change C P len len_all);
          [now split|lra].
    Qed.
    Lemma unpursued : always next_ok (pursue (repeat 0%Z n, s, [])) /\ E after (run (pursue (repeat 0%Z n, s, []))) ==
      V len s.
    Proof.
      change (pursue (repeat 0%Z n, s, [])) with (Ret (N := Z) (repeat 0%Z n, s)). cbn [run]. rewrite E_cons, E_nil.
      cbn [fst snd keeps].
      assert (Same : add len (repeat 0%Z n) = len) by (rewrite <- len_all; apply add_zeros). rewrite Same.
      split; [|ring].
      constructor. split; [apply repeat_length|]. cbn [fst snd keeps]. rewrite Same. now split.
    Qed.
    Lemma squares_joined k q : (q < n)%nat ->
      squares C A (bumped k q) == squares C A len + 2 * inject_Z k * worth C A len q + cost C A q * (inject_Z k *
        inject_Z k).
    Proof. intro Q. apply squares_bump; [congruence|exact Q]. Qed.
    Lemma slack_over : start_regret == dearest * (number - 1) * (fastest C / gamma).
    Proof. pose proof (least_rate_positive C LO). field. lra. Qed.
    Lemma follows_between h : match h with Arrives t => In t (all_types C) | Rings m => (m < M)%nat end ->
      always next_ok (follows integers C no_preemption P len s h) /\
      E after (run (follows integers C no_preemption P len s h)) <= V len s + rise_between h.
    Proof.
      pose proof (fastest_positive C LO) as Fp. pose proof (largest_cost_positive C A) as Dp.
      pose proof (least_rate_positive C LO) as G. pose proof (servers_above_one C LO) as M1.
      assert (Ratio : 0 <= fastest C / gamma) by (apply Qle_shift_div_l; lra).
      set (ratio := fastest C / gamma) in *.
      intro In_range. destruct h as [t|m]; cbn [rise_between].
      - pose proof (arrival_ok C A route serve one_level_queues LO REP len (routes_to_shortest len) s t In_range) as Ar.
        assert (Each : forall e, (exists q, (q < n)%nat /\ worth C A len q <= shortest C A len t /\
            e = (unit_change C P 1 q, s, after_arrival C A t q)) ->
          always next_ok (pursue e) /\ E after (run (pursue e))
            <= V len s + (2 * shortest C A len t + dearest * (1 + 4 * fastest C * number / gamma))).
        { intros e (q & Q & Price & ->). apply pursued; [exact Q|now apply joined_fit|now apply joined_single| |].
          - intro j. apply after_arrival_In.
          - pose proof (joined_regrets q Q) as Rg. rewrite (squares_joined 1 q Q).
            pose proof (cost_bounds C A REP q Q) as Cb.
            change (inject_Z 1) with 1. rewrite slack_over. fold ratio.
            assert (E1 : fastest C * dearest / gamma == dearest * ratio) by (unfold ratio; field; lra).
            rewrite E1 in Rg.
            assert (E2 : 4 * fastest C * number / gamma == 4 * number * ratio) by (unfold ratio; field; lra).
            rewrite E2.
            assert (0 <= dearest * ratio) by (apply Qmult_le_0_compat; lra).
            assert (dearest * (number - 1) * ratio == number * (dearest * ratio) - dearest * ratio) as E3 by ring.
            rewrite E3. lra. }
        rewrite follows_pursue. split.
        + eapply always_bind; [exact Ar|]. intros e He. now apply Each.
        + eapply mean_bind_constant; [exact Ar|]. intros e He. now apply Each.
      - fold ratio. assert (Room : 0 <= 2 * (fastest C * dearest * (number - 1) * ratio)).
        { assert (0 <= fastest C * dearest) by (apply Qmult_le_0_compat; lra).
          assert (Fm : 0 <= fastest C * dearest * (number - 1)) by (apply Qmult_le_0_compat; lra).
          pose proof (Qmult_le_0_compat _ _ Fm Ratio). lra. }
        assert (Fd : 0 <= fastest C * dearest) by (apply Qmult_le_0_compat; lra).
        rewrite follows_pursue. cbn [happens]. pose proof fits_now as (Ls & Fs & _).
        pose proof (each_nth _ Idle _ 0%nat m Fs ltac:(lia)) as Sm. cbn [Nat.add] in Sm.
        destruct (nth m s Idle) as [|q|q] eqn:Is; cbn [serving] in Sm; [| |contradiction].
        + cbn [bind keeps]. destruct unpursued as [U1 U2]. split; [exact U1|]. rewrite U2.
          pose proof (proj1 (left_now m In_range Is)) as Small.
          assert (0 <= (fastest C * dearest * (1 + 2 * (number - 1) * (1 + ratio)) - 2 * w m) / fastest C); [|lra].
          apply Qle_shift_div_l; [exact Fp|]. rewrite Qmult_0_l. lra.
        + destruct Sm as [R Q]. pose proof (rates_up_to C A one_level_queues LO REP m q In_range R) as [Rp Ru].
          pose proof (left_fit m q In_range Is) as Lf. pose proof (left_single m q In_range Is) as Lsi.
          pose proof (left_regrets m q In_range Is) as Lr.
          change (service_rate C (keeps P) q m) with (rate_between C A m q). set (mu := rate_between C A m q) in *.
          pose proof (cost_bounds C A REP q Q) as Cb.
          set (gain := dearest + 2 * ((number - 1) * dearest) + 2 * start_regret - 2 * (w m / mu)).
          destruct (pursued (-1) q (put m Idle s) (after_completion C m) gain Q Lf Lsi
                      (fun j => after_completion_In C j m In_range)) as [P1 P2].
          { rewrite (squares_joined (-1) q Q). change (inject_Z (-1)) with (- (1)). cbn [regret] in Lr. fold mu in Lr.
            unfold gain. lra. }
          destruct unpursued as [U1 U2]. cbn [keeps]. split.
          * eapply always_bind; [eapply always_bind|].
            -- apply coin_always. rewrite Qred_correct. split; [apply Qle_shift_div_l|apply Qle_shift_div_r]; lra.
            -- intros b _. apply AlwaysRet with (F := fun e : list Z * list status * list nat => always next_ok
              (pursue e)).
               destruct b; [exact P1|exact U1].
            -- intros e He. exact He.
          * rewrite E_bind, coin_mean. cbn [run]. rewrite !E_cons, !E_nil. cbn [fst snd].
            change (bump (-1) q (repeat 0%Z n)) with (unit_change C P (-1) q). rewrite U2, Qred_correct.
            set (X := E after (run (pursue (unit_change C P (-1) q, put m Idle s, after_completion C m)))) in *.
            assert (Share : 0 <= mu / fastest C) by (apply Qle_shift_div_l; lra).
            assert (K : mu / fastest C * X <= mu / fastest C * (V len s + gain)).
            { rewrite !(Qmult_comm (mu / fastest C)). now apply Qmult_le_compat_r. }
            assert (Le : mu / fastest C * gain
              <= (fastest C * dearest * (1 + 2 * (number - 1) * (1 + ratio)) - 2 * w m) / fastest C); [|lra].
            assert (E1 : mu / fastest C * gain == (mu * (dearest + 2 * ((number - 1) * dearest) + 2 * start_regret) -
              2 * w m)
              / fastest C) by (unfold gain; field; lra). rewrite E1.
            unfold Qdiv. apply Qmult_le_compat_r; [|now apply Qlt_le_weak, Qinv_lt_0_compat].
            rewrite slack_over. fold ratio. assert (0 <= (number - 1) * dearest) by (apply Qmult_le_0_compat; lra).
            assert (0 <= dearest * (number - 1) * ratio) by (apply Qmult_le_0_compat; [lra|exact Ratio]).
            set (total_ := dearest + 2 * ((number - 1) * dearest) + 2 * (dearest * (number - 1) * ratio)) in *.
            assert (mu * total_ <= fastest C * total_) by (apply Qmult_le_compat_r; [exact Ru|unfold total_; lra]).
            assert (E2 : fastest C * dearest * (1 + 2 * (number - 1) * (1 + ratio)) == fastest C * total_) by (unfold
              total_; ring).
            rewrite E2. lra.
    Qed.
    Lemma between_rises : E after (run (event integers C streams no_preemption P len s))
      <= V len s + (2 * total (all_types C) (fun t => stream_rate streams t * shortest C A len t)
                    - 2 * total_weight C A len + event_spread C streams A) / event_rate C streams.
    Proof.
      unfold event. cbn [bind].
      pose proof (event_mean C streams no_preemption P LO rates after len s (V len s) rise_between
                    (fun h I => proj2 (follows_between h (happening_In C streams h I)))) as K.
      eapply Qle_trans; [exact K|]. apply Qle_lteq. right. apply Qplus_comp; [reflexivity|].
      apply Qdiv_comp; [|reflexivity].
      rewrite (total_happenings C streams rates). cbn [rise_between].
      pose proof (fastest_positive C LO) as Fp. pose proof (least_rate_positive C LO) as G.
      set (ratio := dearest * (1 + 4 * fastest C * number / gamma)).
      rewrite (total_equal (all_types C) _ (fun t => 2 * (stream_rate streams t * shortest C A len t) + ratio *
        stream_rate streams t))
        by (intros; ring).
      set (each_ := fastest C * dearest * (1 + 2 * (number - 1) * (1 + fastest C / gamma))).
      rewrite (total_equal (all_servers C) _ (fun m => each_ - 2 * w m)) by (intros; field; lra).
      rewrite (total_servers C), total_plus, !total_times.
      unfold event_spread, all_streams, total_weight, ratio, each_. cbv zeta. ring.
    Qed.
    Lemma between_stays : always (fun r => between_events (add len (fst r), snd r))
      (event integers C streams no_preemption P len s).
    Proof.
      unfold event. cbn [bind]. apply (event_always C streams no_preemption P LO rates). intros h I.
      eapply always_weaken; [exact (proj1 (follows_between h (happening_In C streams h I)))|].
      intros r (Lr & F & D). apply between_iff. split; [now rewrite length_add|now split].
    Qed.
  End Event.

  (* ---- the chain ---- *)

  Lemma between_valid_step x : between_events x -> is_law (step x) /\ forall e, In e (step x) -> between_events (snd e).
  Proof.
    destruct x as [len s]. intro V. apply between_iff in V as (L & F & D). apply event_chain_always. cbn [fst snd].
    now apply between_stays.
  Qed.
  Lemma between_nonnegative x : between_events x -> 0 <= squares_and_regrets C A x.
  Proof.
    destruct x as [len s]. intro V. apply between_iff in V as (L & F & _). pose proof (lengths_fit C A len s F) as N0.
    unfold squares_and_regrets. cbn [fst snd]. rewrite (regrets_total len s (proj1 F)).
    assert (0 <= squares C A len).
    { apply total_nonnegative. intros q Q. apply in_seq in Q.
      apply Qmult_le_0_compat; [apply (worth_nonnegative C A REP); [exact N0|lia]|apply N0]. }
    assert (0 <= all_regrets len s).
    { apply total_nonnegative. intros m I. apply in_seq in I. apply (regret_of_nonnegative len s m F). lia. }
    lra.
  Qed.
  Variables (rho : Q) (split : nat -> nat -> Q).
  Hypothesis below_one : rho < 1.
  Hypothesis enough : carries_streams C streams rho split.
  Theorem nonpreemptive_drift x : between_events x -> E (squares_and_regrets C A) (step x) <= squares_and_regrets C A x
    + (event_spread C streams A - 2 * (1 - rho) * total_weight C A (fst x)) / event_rate C streams.
  Proof.
    destruct x as [len s]. intro V. pose proof (between_valid_step _ V) as [_ Next].
    apply between_iff in V as (L & F & D).
    pose proof (lengths_fit C A len s F) as N0.
    rewrite (E_equal _ (fun y => squares C A (fst y) + 2 * all_regrets (fst y) (snd y))).
    2: { intros e I. specialize (Next e I). destruct e as [p [y t]]. cbn [snd] in *.
         apply between_iff in Next as (_ & Fy & _).
         unfold squares_and_regrets. cbn [fst snd]. now rewrite (regrets_total y t (proj1 Fy)). }
    rewrite event_chain_E. cbn [fst snd]. pose proof (between_rises len s L F D) as R. eapply Qle_trans; [exact R|].
    unfold squares_and_regrets. cbn [fst snd]. rewrite (regrets_total len s (proj1 F)).
    assert (Rates : forall t m, In t (all_types C) -> In m (all_servers C) -> 0 < type_rate C t m).
    { intros t m T Hm. exact (rate_at_positive C LO _ _ (rows_of_types _ LO t) (levels_of_types _ LO t m T Hm)). }
    pose proof (weak_duality_of C (stream_rate streams) rho split (weight C A len) (shortest C A len) enough Rates
                  (fun m _ => weight_nonnegative C A len m)
                  (fun t m T Hm => shortest_price C A one_level_queues REP len t m N0 T Hm (Rates t m T Hm))) as W.
    fold (total_weight C A len) in W. pose proof (event_rate_positive C streams LO rates) as G.
    apply Qplus_le_compat; [apply Qle_refl|]. unfold Qdiv. apply Qmult_le_compat_r; [lra|].
    now apply Qlt_le_weak, Qinv_lt_0_compat.
  Qed.
  Lemma empty_between : between_events (empty_state C P).
  Proof.
    assert (F : fit C A (repeat 0%Z n) (repeat Idle M)).
    { split; [apply repeat_length|split].
      - generalize 0%nat. generalize M. intro j. induction j as [|j IH]; intro k; cbn [repeat]; constructor;
          [exact I|apply IH].
      - intro q. rewrite nth_repeat. clear. induction M as [|k IH]; cbn [repeat]; [cbn; lia|]. rewrite running_cons.
        lia. }
    apply between_iff. split; [apply repeat_length|split; [exact F|]]. intros m Hm Id.
    destruct (turns_to_heaviest (repeat 0%Z n) (executing C P (repeat Idle M)) m Hm (lengths_fit C A _ _ F)) as (tied
      & At & _).
    exists tied. split; [exact At|]. destruct tied as [|c l]; [now left|]. right. exists c. split; [now left|].
    rewrite (waiting_running C A route serve _ _ _ F), nth_repeat.
    pose proof (running_nonnegative (repeat Idle M) (fst c)). lia.
  Qed.
  Theorem nonpreemptive_stable :
    between_events (empty_state C P) /\
    (forall x, between_events x -> below_threshold (event_spread C streams A) rho (total_weight C A) x = true ->
       Forall (fun q => 0 <= inject_Z q < (event_spread C streams A + 1) / (2 * (1 - rho)) / least_rate C) (fst x)) /\
    (forall events x, between_events x ->
       mean_time step (below_threshold (event_spread C streams A) rho (total_weight C A)) events x / event_rate C
         streams
         <= squares_and_regrets C A x).
  Proof.
    split; [exact empty_between|split].
    - intros [len s] V B. apply between_iff in V as (L & F & _). cbn [fst] in *.
      apply (lengths_below C A one_level_queues LO REP); [exact L|now apply (lengths_fit C A len s)|].
      unfold below_threshold in B. cbn [fst] in B. apply negb_true_iff in B. apply Qnot_le_lt. intro Le.
      apply Qle_bool_iff in Le. congruence.
    - intros events x V.
      apply (event_foster C streams no_preemption P LO rates between_events between_valid_step (squares_and_regrets C A)
               (total_weight C A) (event_spread C streams A) rho below_one between_nonnegative nonpreemptive_drift
                 events x V).
  Qed.
End Nonpreemptive.
