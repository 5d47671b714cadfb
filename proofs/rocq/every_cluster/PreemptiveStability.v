(* Every cluster in continuous time with preemption, where servers share queues: a policy whose tasks join a cheapest
  queue
   that they may join, and whose servers turn to a queue of largest rate times marginal cost among those in which a task
   waits, reaches a finite set in a bounded mean time.

   All servers are offered tasks before every event, so that the state is the lengths alone, and so is the function that
   falls: the sum of costs times squared lengths. *)
From Coq Require Import ZArith QArith Qminmax Lqa List Bool Lia Arith.
From Schedproof Require Import Law Affine Program Cluster Language Kernel EventKernel Drift EventDrift.
From Schedproof Require Import Outcomes Rules Capacity Layout Draws Offers Weights Prices SharedService SharedSlot.
From Schedproof Require Import EventCapacity SharedOffers.
Import ListNotations.
Open Scope Q_scope.

Section Preemptive.
  Variables (C : cluster) (A : arrangement) (route serve : set) (streams : list Q).
  Hypothesis one_level_queues : A = per_server \/ A = per_server_and_common \/ A = per_type.
  Hypothesis LO : laid_out C.
  Hypothesis REP : replicated C A.
  Hypothesis supported : event_options C.
  Hypothesis rates : streams_are_rates streams.
  Notation P := (Policy A route serve).
  Notation n := (queues C A).
  Notation M := (servers C).
  Notation dearest := (largest_cost C A).
  Notation slack := (fastest C * (dearest * (number_of_servers C - 1))).
  Hypothesis routes_to_shortest : forall len inside t, In t (all_types C) -> exists tied,
    answers (set_of integers C A len inside (Arriving t) route []) tied /\ (joinable C A t <> [] -> tied <> []) /\
    forall c, In c tied -> In (fst c) (joinable C A t) /\ forall q,
      In q (joinable C A t) -> worth C A len (fst c) <= worth C A len q.
  Hypothesis turns_to_heaviest : forall len inside m, (m < M)%nat -> (forall q, 0 <= queue_length len q) -> exists tied,
    answers (set_of integers C A len inside (Serving m) serve []) tied /\ turns C A len inside m tied.
  Notation is_valid := (valid C P (released C)).
  Notation step := (event_chain C streams resume P).

  (* ---- valid states ---- *)

  Lemma running_none k q : running (repeat Idle k) q = 0%Z.
  Proof. induction k as [|k IH]; [reflexivity|]. cbn [repeat]. rewrite running_cons, IH. reflexivity. Qed.
  Lemma serving_none j k : each (serving C A) k (repeat Idle j).
  Proof. revert k. induction j as [|j IH]; intro k; cbn [repeat]; constructor; [exact I|apply IH]. Qed.
  Lemma released_iff len s : is_valid (len, s) <-> length len = n /\ s = repeat Idle M /\ forall q, (0 <= nth q len
    0)%Z.
  Proof.
    unfold valid, released. cbn [fst snd keeps]. rewrite (each_listed (fun _ => [Idle]) M s 0).
    destruct (executing_running C A route serve 0 (repeat Idle M) 0 (serving_none M 0)) as [Le _].
    split.
    - intros (Ll & [Ls F] & Lo). assert (s = repeat Idle M) as ->.
      { rewrite <- Ls. clear - F. revert F. generalize 0%nat.
        induction s as [|f s IH]; intros k F; cbn [length repeat]; [reflexivity|].
        inversion F as [|? ? ? [<-|[]] Fs]; subst. f_equal. now apply (IH (S k)). }
      split; [exact Ll|split; [reflexivity|]]. intro q.
      destruct (executing_running C A route serve 0 (repeat Idle M) q (serving_none M 0)) as [_ Eq].
      rewrite running_none in Eq.
      rewrite <- Eq. clear - Lo. revert q. induction Lo as [|a b l l' H Lo IH]; intros [|q]; cbn; auto; lia.
    - intros (Ll & -> & N). split; [exact Ll|]. split.
      + split; [now rewrite repeat_length|]. generalize 0%nat. generalize M. intro j.
        induction j as [|j IH]; intro k; cbn [repeat]; constructor; [now left|apply IH].
      + apply nth_le; [now rewrite Le|]. intros q _.
        destruct (executing_running C A route serve 0 (repeat Idle M) q (serving_none M 0)) as [_ Eq].
        rewrite Eq, running_none. apply N.
  Qed.
  Lemma released_fit len : (forall q, (0 <= nth q len 0)%Z) -> fit C A len (repeat Idle M).
  Proof.
    intro N. split; [apply repeat_length|split; [apply serving_none|]]. intro q. rewrite running_none. apply N.
  Qed.
  Lemma nearly_none len : nearly_all C A len (repeat Idle M).
  Proof.
    unfold nearly_all. generalize 0%nat. generalize M. intro j.
    induction j as [|j IH]; intro k; cbn [repeat]; constructor;
      [exact I|apply IH].
  Qed.

  (* ---- one event ---- *)

  Section Event.
    Variable len : list Z.
    Hypothesis len_all : length len = n.
    Hypothesis len_nonnegative : forall q, (0 <= nth q len 0)%Z.
    Notation w m := (weight C A len m).
    (* What the servers do once all are offered tasks. *)
    Definition assigned (now : list status) : Prop :=
      fit C A len now /\ nearly_all C A len now /\ forall m, (m < M)%nat -> idle now m -> w m <= slack.
    Lemma all_offered : always assigned (offer integers C P len (every_server C) (repeat Idle M)).
    Proof.
      apply (full_offer C A route serve one_level_queues LO REP supported len (turns_to_heaviest len));
        [now apply released_fit|apply nearly_none].
    Qed.
    Lemma lengths_nonnegative q : 0 <= queue_length len q.
    Proof. unfold queue_length. change 0 with (inject_Z 0). rewrite <- Zle_Qle. apply len_nonnegative. Qed.
    Notation after := (fun r => squares C A (add len (fst r))).
    Definition rise (h : happening) : Q :=
      match h with
      | Arrives t => 2 * shortest C A len t + dearest
      | Rings m => (fastest C * dearest + 2 * slack - 2 * w m) / fastest C
      end.
    Lemma squares_change k q : (q < n)%nat -> squares C A (add len (unit_change C P k q))
      == squares C A len + 2 * inject_Z k * worth C A len q + cost C A q * (inject_Z k * inject_Z k).
    Proof. intro Q. rewrite (add_unit_change C P len len_all). apply squares_bump; [congruence|exact Q]. Qed.
    Lemma squares_unchanged : squares C A (add len (repeat 0%Z n)) == squares C A len.
    Proof. rewrite <- len_all. now rewrite add_zeros. Qed.
    Lemma follows_rises now h : assigned now -> match h with Arrives t => In t (all_types C) | Rings m => (m < M)%nat
      end ->
      E after (run (follows integers C resume P len now h)) <= squares C A len + rise h.
    Proof.
      intros (F & N & D) In_range. destruct h as [t|m]; cbn [rise].
      - unfold follows. eapply mean_bind_constant.
        + apply (arrival_ok C A route serve one_level_queues LO REP len (routes_to_shortest len) now t In_range).
        + intros e (q & Q & Price & ->). cbn [fst snd run]. rewrite E_cons, E_nil. cbn [fst snd].
          rewrite (squares_change 1 q Q). pose proof (cost_bounds C A REP q Q). change (inject_Z 1) with 1. lra.
      - pose proof (fastest_positive C LO) as Fp. pose proof (slack_nonnegative C A LO) as S0.
        pose proof (largest_cost_positive C A) as Dp.
        assert (Stays : w m <= slack -> squares C A len <= squares C A len + (fastest C * dearest + 2 * slack - 2 * w
          m) / fastest C).
        { intro Small. assert (0 <= (fastest C * dearest + 2 * slack - 2 * w m) / fastest C); [|lra].
          apply Qle_shift_div_l; [exact Fp|]. rewrite Qmult_0_l.
          assert (0 <= fastest C * dearest) by (apply Qmult_le_0_compat; lra). lra. }
        unfold follows. cbn [happens]. pose proof F as (Ls & Fs & _).
        pose proof (each_nth _ Idle _ 0%nat m Fs ltac:(lia)) as Sm. cbn [Nat.add] in Sm.
        destruct (nth m now Idle) as [|q|q] eqn:Is; cbn [serving] in Sm; [| |contradiction].
        + cbn [bind fst snd run]. rewrite E_cons, E_nil. cbn [fst snd keeps]. rewrite squares_unchanged.
          pose proof (Stays (D m In_range Is)). lra.
        + destruct Sm as [R Q]. pose proof (rates_up_to C A one_level_queues LO REP m q In_range R) as [Rp Ru].
          pose proof (each_nth _ Idle _ 0%nat m N ltac:(lia)) as Near. cbn [Nat.add] in Near. rewrite Is in Near.
          unfold nearly in Near. rewrite E_bind, coin_mean. cbn [run]. rewrite !E_cons, !E_nil.
          cbn [fst snd bind keeps].
          change (bump (-1) q (repeat 0%Z n)) with (unit_change C P (-1) q).
          rewrite (squares_change (-1) q Q), squares_unchanged.
          change (service_rate C A q m) with (rate_between C A m q).
          rewrite Qred_correct. change (inject_Z (-1)) with (- (1)). pose proof (cost_bounds C A REP q Q) as Cb.
          set (mu := rate_between C A m q) in *. set (x := worth C A len q) in *. set (c := cost C A q) in *.
          assert (Mu : mu * c <= fastest C * dearest).
          { apply Qle_trans with (fastest C * c); [apply Qmult_le_compat_r; lra|].
            rewrite !(Qmult_comm (fastest C)). apply Qmult_le_compat_r; lra. }
          apply Qle_trans with (squares C A len + (mu * c - 2 * (mu * x)) / fastest C).
          * apply Qle_lteq. right. field. lra.
          * assert ((mu * c - 2 * (mu * x)) / fastest C <= (fastest C * dearest + 2 * slack - 2 * w m) / fastest C);
              [|lra].
            unfold Qdiv. apply Qmult_le_compat_r; [lra|]. now apply Qlt_le_weak, Qinv_lt_0_compat.
    Qed.
    Lemma event_rises : E after (run (event integers C streams resume P len (repeat Idle M)))
      <= squares C A len + (2 * total (all_types C) (fun t => stream_rate streams t * shortest C A len t)
                            - 2 * total_weight C A len + preemptive_spread C streams A) / event_rate C streams.
    Proof.
      unfold event. eapply mean_bind_constant; [exact all_offered|]. intros now As.
      pose proof (event_mean C streams resume P LO rates after len now (squares C A len) rise
                    (fun h I => follows_rises now h As (happening_In C streams h I))) as K.
      eapply Qle_trans; [exact K|]. apply Qle_lteq. right. apply Qplus_comp; [reflexivity|].
      apply Qdiv_comp; [|reflexivity].
      rewrite (total_happenings C streams rates). cbn [rise].
      rewrite (total_equal (all_types C) _ (fun t => 2 * (stream_rate streams t * shortest C A len t) + dearest *
        stream_rate streams t))
        by (intros; ring).
      pose proof (fastest_positive C LO) as Fp.
      rewrite (total_equal (all_servers C) _ (fun m => fastest C * dearest + 2 * slack - 2 * w m)) by (intros; field;
        lra).
      rewrite (total_servers C), total_plus, !total_times.
      unfold preemptive_spread, all_streams, total_weight. cbv zeta. ring.
    Qed.
    Lemma event_stays : always (fun r => is_valid (add len (fst r), snd r))
      (event integers C streams resume P len (repeat Idle M)).
    Proof.
      unfold event. eapply always_bind; [exact all_offered|]. intros now (F & _ & _).
      apply (event_always C streams resume P LO rates). intros h I. apply happening_In in I. unfold follows.
      assert (Done : forall (s : list status) d, length s = M -> length (add len d) = n -> (forall q, (0 <= nth q (add
        len d) 0)%Z) ->
        is_valid (add len d, map (fun _ => Idle) s)).
      { intros s d Ls Ld Nd. apply released_iff. split; [exact Ld|split; [|exact Nd]]. rewrite <- Ls.
        clear. induction s as [|f s IH]; cbn [map length repeat]; [reflexivity|]. now rewrite IH. }
      pose proof F as (Ls & Fs & Rn). assert (Same : is_valid (add len (repeat 0%Z n), map (fun _ => Idle) now)).
      { assert (Eq : add len (repeat 0%Z n) = len) by (rewrite <- len_all; apply add_zeros).
        apply Done; auto; now rewrite Eq. }
      assert (Move : forall k q (s : list status), (q < n)%nat -> length s = M -> (0 <= nth q len 0 + k)%Z ->
        is_valid (add len (unit_change C P k q), map (fun _ => Idle) s)).
      { intros k q s Q L K. apply Done; [exact L|now rewrite length_add|]. intro r.
        rewrite (add_unit_change C P len len_all), nth_bump by congruence. specialize (len_nonnegative r).
        destruct (Nat.eqb_spec r q) as [->|_]; lia. }
      destruct h as [t|m].
      - eapply always_bind; [apply (arrival_ok C A route serve one_level_queues LO REP len (routes_to_shortest len)
          now t I)|].
        intros e (q & Q & _ & ->). constructor. cbn [fst snd]. apply Move; auto. specialize (len_nonnegative q). lia.
      - cbn [happens]. pose proof (each_nth _ Idle _ 0%nat m Fs ltac:(lia)) as Sm. cbn [Nat.add] in Sm.
        destruct (nth m now Idle) as [|q|q] eqn:Is; cbn [serving] in Sm; [constructor; exact Same| |contradiction].
        destruct Sm as [R Q]. pose proof (rates_up_to C A one_level_queues LO REP m q I R) as [Rp Ru].
        assert (Busy_one : (1 <= running now q)%Z).
        { clear - Is I Ls. revert m Is I. rewrite <- Ls. clear Ls.
          induction now as [|f now IH]; intros [|m]; cbn [nth length];
            intros E_ L; try lia; rewrite running_cons.
          - subst f. rewrite Nat.eqb_refl. pose proof (running_nonnegative now q). lia.
          - specialize (IH m E_ ltac:(lia)). destruct f; try lia. destruct (Nat.eqb q q0); lia. }
        specialize (Rn q). eapply always_bind; [eapply always_bind|].
        + apply coin_always. rewrite Qred_correct. change (service_rate C (keeps P) q m) with (rate_between C A m q).
          pose proof (fastest_positive C LO). split; [apply Qle_shift_div_l|apply Qle_shift_div_r]; lra.
        + intros b _. apply AlwaysRet with (F := fun e : list Z * list status * list nat =>
            is_valid (add len (fst (fst e)), map (fun _ => Idle) (snd (fst e)))).
          destruct b; cbn [fst snd]; [|exact Same]. change (bump (-1) q (repeat 0%Z n)) with (unit_change C P (-1) q).
          apply Move; auto; [now rewrite put_length|lia].
        + intros e V. constructor. exact V.
    Qed.
  End Event.

  (* ---- the chain ---- *)

  Lemma released_valid_step x : is_valid x -> is_law (step x) /\ forall e, In e (step x) -> is_valid (snd e).
  Proof.
    destruct x as [len s]. intro V. apply released_iff in V as (L & -> & N). apply event_chain_always. cbn [fst snd].
    now apply event_stays.
  Qed.
  Lemma squares_nonnegative x : is_valid x -> 0 <= squares C A (fst x).
  Proof.
    destruct x as [len s]. intro V. apply released_iff in V as (_ & _ & N). cbn [fst]. apply total_nonnegative.
    intros q Q.
    apply in_seq in Q. pose proof (lengths_nonnegative len N) as N0.
    apply Qmult_le_0_compat; [apply (worth_nonnegative C A REP); [exact N0|lia]|apply N0].
  Qed.
  Variables (rho : Q) (split : nat -> nat -> Q).
  Hypothesis below_one : rho < 1.
  Hypothesis enough : carries_streams C streams rho split.
  Theorem preemptive_drift x : is_valid x -> E (fun y => squares C A (fst y)) (step x) <= squares C A (fst x)
    + (preemptive_spread C streams A - 2 * (1 - rho) * total_weight C A (fst x)) / event_rate C streams.
  Proof.
    destruct x as [len s]. intro V. apply released_iff in V as (L & -> & N). rewrite event_chain_E. cbn [fst snd].
    pose proof (event_rises len L N) as D. eapply Qle_trans; [exact D|]. pose proof (lengths_nonnegative len N) as N0.
    assert (Rates : forall t m, In t (all_types C) -> In m (all_servers C) -> 0 < type_rate C t m).
    { intros t m T Hm. exact (rate_at_positive C LO _ _ (rows_of_types _ LO t) (levels_of_types _ LO t m T Hm)). }
    pose proof (weak_duality_of C (stream_rate streams) rho split (weight C A len) (shortest C A len) enough Rates
                  (fun m _ => weight_nonnegative C A len m)
                  (fun t m T Hm => shortest_price C A one_level_queues REP len t m N0 T Hm (Rates t m T Hm))) as W.
    fold (total_weight C A len) in W. pose proof (event_rate_positive C streams LO rates) as G.
    apply Qplus_le_compat; [apply Qle_refl|]. unfold Qdiv. apply Qmult_le_compat_r; [lra|].
    now apply Qlt_le_weak, Qinv_lt_0_compat.
  Qed.
  Theorem preemptive_stable :
    is_valid (empty_state C P) /\
    (forall x, is_valid x -> below_threshold (preemptive_spread C streams A) rho (total_weight C A) x = true ->
       Forall (fun q => 0 <= inject_Z q < (preemptive_spread C streams A + 1) / (2 * (1 - rho)) / least_rate C) (fst
         x)) /\
    (forall events x, is_valid x ->
       mean_time step (below_threshold (preemptive_spread C streams A) rho (total_weight C A)) events x / event_rate C
         streams
         <= squares C A (fst x)).
  Proof.
    split; [|split].
    - apply released_iff. split; [apply repeat_length|split; [reflexivity|]]. intro q. now rewrite nth_repeat.
    - intros [len s] V B. apply released_iff in V as (L & _ & N). cbn [fst] in *.
      apply (lengths_below C A one_level_queues LO REP); [exact L|now apply lengths_nonnegative|].
      unfold below_threshold in B. cbn [fst] in B. apply negb_true_iff in B. apply Qnot_le_lt. intro Le.
      apply Qle_bool_iff in Le. congruence.
    - intros events x V.
      apply (event_foster C streams resume P LO rates is_valid released_valid_step (fun y => squares C A (fst y))
               (total_weight C A) (preemptive_spread C streams A) rho below_one squares_nonnegative preemptive_drift
                 events x V).
  Qed.
End Preemptive.
