(* Every cluster at once: the drift of squares and regrets in a slot, for policies whose tasks join queues of a given price,
   and whose idle servers turn to a queue of largest rate times marginal cost. *)
From Coq Require Import ZArith QArith Lqa List Bool Lia Arith.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Outcomes Rules Capacity Layout Draws Routing
  Weights SharedService.
Import ListNotations.

Section SharedSlot.
  Variables (C : cluster) (A : arrangement) (route serve : set).
  Hypothesis one_level_queues : A = per_server \/ A = per_server_and_common \/ A = per_type.
  Notation P := (Policy A route serve).
  Notation n := (queues C A).
  Notation M := (servers C).
  Notation dearest := (largest_cost C A).
  Notation number k := (inject_Z (Z.of_nat k)).

  (* Validity, queue by queue. *)
  Theorem shared_valid_iff len s : valid C P (reachable_statuses C A) (len, s) <->
    length len = n /\ length s = M /\ each (serving C A) 0 s /\ (forall q, (running s q <= nth q len 0)%Z).
  Proof.
    unfold valid, reachable_statuses, all_servers. cbn [fst snd keeps]. rewrite each_listed.
    assert (Listed : forall k t, (k + length t <= M)%nat ->
      each (fun m f => In f (Idle :: map Busy (reachable C A m))) k t <-> each (serving C A) k t).
    { assert (One : forall m f, (m < M)%nat -> In f (Idle :: map Busy (reachable C A m)) <-> serving C A m f).
      { intros m f Hm. cbn [In]. rewrite in_map_iff. split.
        - intros [<-|(q & <- & I)]; [exact I|]. split; [assumption|]. apply (reachable_bound C A one_level_queues m);
            [apply in_seq; lia|exact I].
        - destruct f as [|q|q]; [now left| |contradiction]. intros [Q _]. right. now exists q. }
      intros k t. revert k. induction t as [|f t IH]; intros k Le; [split; constructor|]. cbn [length] in Le.
      split; intro H; inversion H; subst; (constructor; [apply One; auto; lia|apply IH; auto; lia]). }
    split.
    - intros (Ll & [Ls F] & Lo). apply Listed in F; [|lia]. repeat split; auto. intro q.
      destruct (executing_running C A route serve 0 s q F) as [_ <-].
      revert q. clear - Lo. induction Lo as [|a b l l' H Lo IH]; intros [|q]; cbn; auto; lia.
    - intros (Ll & Ls & F & R). split; [assumption|]. split; [split; [assumption|apply Listed; [lia|assumption]]|]. apply nth_le.
      + rewrite Ll. now apply (executing_running C A route serve 0 s 0 F).
      + intros q _. destruct (executing_running C A route serve 0 s q F) as [_ ->]. apply R.
  Qed.

  (* ---- prices ---- *)

  Hypothesis WF : well_formed C.
  Hypothesis REP : replicated C A.

  Open Scope Q_scope.
  Definition weighed_lengths (len d : list Z) : Q := total (all_queues C A) (fun q => worth C A len q * queue_length d q).
  Definition all_lengths (d : list Z) : Q := total (all_queues C A) (queue_length d).
  Definition of_length (len : list Z) (price : nat -> Q) (t q : nat) : Prop := (q < n)%nat /\ worth C A len q <= price t.
  Lemma of_length_adds len price t q : of_length len price t q -> adds_price C A price 1 (weighed_lengths len) all_lengths t q.
  Proof.
    intros [Q Pr] d L. assert (Qd : (q < length d)%nat) by lia.
    split; [now rewrite length_bump|]. split; [|split].
    - intro r. rewrite nth_bump by assumption. destruct (Nat.eqb r q); lia.
    - apply Qle_trans with (weighed_lengths len d + worth C A len q); [|lra]. unfold weighed_lengths.
    rewrite (total_equal _ _ (fun r => worth C A len r * queue_length d r
        + (if Nat.eqb r q then worth C A len r else 0))).
      2: { intros r _. unfold queue_length. rewrite nth_bump, inject_Z_plus by assumption. destruct (Nat.eqb r q).
           - change (inject_Z 1) with 1. ring.
           - change (inject_Z 0) with 0. ring. }
      rewrite total_plus, (total_one _ q (worth C A len)); [apply Qle_refl|apply seq_NoDup|apply in_seq; lia].
    - unfold all_lengths. rewrite (total_equal _ _ (fun r => queue_length d r + (if Nat.eqb r q then 1 else 0))).
      2: { intros r _. unfold queue_length. rewrite nth_bump, inject_Z_plus by assumption. destruct (Nat.eqb r q); reflexivity. }
      rewrite total_plus, (total_one _ q (fun _ => 1)) by (try apply seq_NoDup; apply in_seq; lia). lra.
  Qed.

  (* ---- one slot ---- *)

  Variables (len : list Z) (s : list status) (price : nat -> Q) (regret_of_task : Q).
  Hypothesis valid_now : valid C P (reachable_statuses C A) (len, s).
  Hypothesis unmatched_servers : unmatched_is (option_of C) = idle_again.
  Hypothesis routes_near_price : forall tasks t d, 1 <= tasks -> In t (all_types C) -> fits C A (tasks * 1) all_lengths d ->
    exists tied,
    answers (set_of integers C A (seen C len d) (executing C P s) (Arriving t) route []) tied /\ tied <> [] /\
      forall c, In c tied -> of_length len (near_price price regret_of_task tasks) t (fst c).
  Hypothesis turns_to_weight : forall inside m, (m < M)%nat -> exists tied,
    answers (set_of integers C A len inside (Serving m) serve []) tied /\
      (tied = [] -> weight C A len m <= 0) /\ forall c, In c tied -> heaviest_for C A len m (fst c).

  Notation none := (repeat 0%Z n).
  Notation joined := (joined C A 1 (weighed_lengths len) all_lengths).
  Lemma lengths_none q : queue_length none q == 0.
  Proof. unfold queue_length. now rewrite nth_repeat. Qed.
  Lemma shared_joins count : (length count <= types C)%nat ->
    always (joined none (cost_of (near_price price regret_of_task (all_tasks count)) 0 count) (all_tasks count))
      (join integers C P len (executing C P s) 0 count none).
  Proof.
    apply joins_near_price; [lra| |].
    - unfold all_lengths. rewrite (total_equal _ _ (fun _ => 0)); [apply total_zero|intros q _; apply lengths_none].
    - intros tasks t d One T F. destruct (routes_near_price tasks t d One T F) as (tied & At & Ne & Good). exists tied.
      split; [exact At|split; [exact Ne|]]. intros c I. now apply of_length_adds, Good.
  Qed.
  Lemma joined_facts d cost tasks : joined none cost tasks d ->
    length d = n /\ (forall q, (0 <= nth q d 0)%Z) /\ weighed_lengths len d <= cost /\ all_lengths d <= tasks /\
    forall q, queue_length d q <= tasks.
  Proof.
    intros (Ld & D0 & Wd & Td).
    assert (Dn : forall q, (0 <= nth q d 0)%Z) by (intro q; specialize (D0 q); rewrite nth_repeat in D0; lia).
    assert (W0 : weighed_lengths len none == 0).
    { unfold weighed_lengths. rewrite (total_equal _ _ (fun _ => 0)); [apply total_zero|]. intros q _. rewrite lengths_none. ring. }
    assert (T0 : all_lengths none == 0) by (unfold all_lengths; rewrite (total_equal _ _ (fun _ => 0));
      [apply total_zero|intros q _; apply lengths_none]).
    assert (Nq : forall q, 0 <= queue_length d q) by
      (intro q; unfold queue_length; change 0 with (inject_Z 0); rewrite <- Zle_Qle; apply Dn).
    assert (All : all_lengths d <= tasks) by lra.
    split; [assumption|split; [assumption|split; [lra|split; [assumption|]]]]. intro q. destruct (lt_dec q n) as [Q|Q].
    - assert (queue_length d q <= all_lengths d) by (apply total_member; [auto|apply in_seq; lia]). lra.
    - unfold queue_length. rewrite nth_overflow by lia. assert (0 <= all_lengths d) by (apply total_nonnegative; auto).
      change (inject_Z 0) with 0. lra.
  Qed.
  (* The servers' decisions, and what they run. *)
  Definition decided_for (d : list Z) (ts : list pointing) (now : list status) : Prop :=
    each (aiming C A len) 0 ts /\ map ready ts = s /\ Forall2 (started C len d) ts now /\ each (serving C A) 0 now /\
      length now = M /\
    forall q, (running now q <= nth q (add len d) 0)%Z.
  Lemma targets_shared : always (fun ts => each (aiming C A len) 0 ts /\ map ready ts = s)
    (schedule integers C P len (executing C P s) 0 s).
  Proof. pose proof (proj1 (shared_valid_iff len s) valid_now) as (Ll & Ls & F & R). apply schedule_shared; auto. lia. Qed.
  Lemma match_shared d ts : length d = n -> (forall q, (0 <= nth q d 0)%Z) -> each (aiming C A len) 0 ts -> map ready ts = s ->
    exists places, answers (to_hand_out integers len d (executing C P s) ts none) places /\
      always (decided_for d ts) (hand_out C ts places).
  Proof.
    intros Ld D0 Ts Eq. pose proof (proj1 (shared_valid_iff len s) valid_now) as (Ll & Ls & F & R).
    destruct (to_hand_out_shared C A len Ll d Ld (executing C P s) ts 0%nat none) as (places & Ap & Lp & Pl); auto;
      [apply repeat_length|].
    exists places. split; [exact Ap|].
    assert (Lt : length ts = M) by (rewrite <- Ls, <- Eq; now rewrite map_length).
    assert (Pq : forall q, (nth q places 0 = Z.min (asking ts q) (Z.max 0 (nth q len 0 + nth q d 0 - running s q)))%Z).
    { intro q. rewrite Pl, nth_repeat. destruct (executing_running C A route serve 0 s q F) as [_ ->]. reflexivity. }
    eapply always_weaken; [apply (hand_out_shared C A len Ll unmatched_servers d Ld ts 0%nat places Lp Ts)|].
    - intro q. rewrite Pq. pose proof (asking_nonnegative ts q). lia.
    - intro q. rewrite Pq. pose proof (asking_nonnegative ts q). pose proof (running_asking ts q) as Ra. rewrite Eq, Lt in Ra.
      specialize (R q). specialize (D0 q). lia.
    - intros now [St Rn]. repeat split; auto.
      + clear - Ts St. revert Ts. generalize 0%nat. induction St as [|t f ts now H St IH]; intros k Ts; constructor.
        * inversion Ts as [|? ? ? Ht Hs]; subst. destruct t as [|q|q]; cbn in *; [now subst|now subst|].
            destruct H as [->|[-> _]]; [apply Ht|exact I].
        * inversion Ts; subst. eauto.
      + rewrite <- Lt. clear - St. induction St; cbn [length]; congruence.
      + intro q. specialize (Rn q). rewrite Eq, Pq in Rn. rewrite nth_add by congruence. specialize (R q). specialize (D0 q). lia.
  Qed.
  (* Each outcome of a slot is a valid state. *)
  Theorem shared_slot_ok : always (fun r => valid C P (reachable_statuses C A) (add len (fst r), snd r)) (slot integers C P len s).
  Proof.
    pose proof (proj1 (shared_valid_iff len s) valid_now) as (Ll & Ls & F & R).
    unfold slot. cbv zeta. change (queues C (keeps P)) with n. eapply always_bind.
    { apply arrive_ok; [exact (arrivals_are_laws C WF)|]. now rewrite repeat_length. }
    intros count Lc. cbv beta in Lc. eapply always_bind; [apply (shared_joins count Lc)|].
    intros d Jd. destruct (joined_facts d _ _ Jd) as (Ld & D0 & _).
    eapply always_bind; [apply targets_shared|]. intros ts [Ts Eq].
    destruct (match_shared d ts Ld D0 Ts Eq) as (places & Ap & Hand). eapply always_answer; [exact Ap|].
    eapply always_bind; [exact Hand|]. intros now (_ & _ & _ & Fn & Ln & Rn).
    eapply always_weaken.
    - apply (depart_shared_ok C A route serve one_level_queues WF REP len Ll now 0 d (fun _ => 0%Z) ltac:(lia) Ld Fn
        ltac:(intro; lia)).
      intro q. specialize (Rn q). lia.
    - intros r (R1 & R2 & R3 & R4 & _). apply shared_valid_iff. split; [now rewrite length_add|]. split; [lia|]. split;
        [assumption|].
      intro q. specialize (R4 q). lia.
  Qed.

  (* What the servers take off, position by position. *)
  Lemma taken_shared_le d bound second ts now : 0 <= bound -> 0 <= second -> length d = n -> (forall q, (0 <= nth q d 0)%Z) ->
    forall k, (k + length ts <= M)%nat -> each (aiming C A len) k ts -> Forall2 (started C len d) ts now ->
    taken_shared C A len bound second k now (add len d)
      <= 2 * regrets C A len k (map ready ts) + total (seq k (length ts)) (fun m => second + 2 * bound
        + 2 * dearest * number M - 2 * weight C A len m).
  Proof.
    intros B0 S0 Ld D0. pose proof (proj1 (shared_valid_iff len s) valid_now) as (Ll & _).
    assert (M0 : 0 <= number M) by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; lia).
    pose proof (largest_cost_positive C A) as Dc. assert (0 <= dearest * number M) by (apply Qmult_le_0_compat; lra).
    revert now. induction ts as [|t ts IH]; intros now k Le Ts St; inversion St as [|? f ? now' Hf St']; subst;
      cbn [taken_shared map regrets length seq]; [cbn; lra|].
    inversion Ts as [|? ? ? Ht Hs]; subst. cbn [length] in Le. specialize (IH now' (S k) ltac:(lia) Hs St'). cbn [total fold_right].
    fold (total (seq (S k) (length ts)) (fun m => second + 2 * bound + 2 * dearest * number M - 2 * weight C A len m)).
    set (Rest := total (seq (S k) (length ts)) _) in *.
    assert (Grow : forall q, able C A k q -> worth C A len q <= worth C A (add len d) q).
    { intros q Q. pose proof (cost_bounds C A REP q (proj2 Q)). unfold worth. rewrite !(Qmult_comm (cost C A q)).
      apply Qmult_le_compat_r; [|lra]. unfold queue_length. rewrite <- Zle_Qle, nth_add by congruence. specialize (D0 q). lia. }
    assert (Busy_case : forall q, able C A k q -> let p := rate_between C A k q in
      second - 2 * p * worth C A (add len d) q + 2 * (1 - p) * (regret C A len k (Busy q) + bound)
      <= 2 * regret C A len k (Busy q) + (second + 2 * bound - 2 * weight C A len k)).
    { intros q Q p. pose proof (rate_bounds C A one_level_queues WF REP k q ltac:(lia) Q) as Rb. fold p in Rb.
      specialize (Grow q Q).
      assert (Reg : p * regret C A len k (Busy q) == weight C A len k - p * worth C A len q).
      { cbn [regret]. fold p. field. lra. }
      set (r := regret C A len k (Busy q)) in *.
      assert (p * worth C A len q <= p * worth C A (add len d) q) by (rewrite !(Qmult_comm p); apply Qmult_le_compat_r; lra).
      assert (0 <= p * bound) by (apply Qmult_le_0_compat; lra). lra. }
    destruct t as [|q|q]; cbn [ready started aiming] in *.
    - subst f. change (regret C A len k Idle) with 0. lra.
    - subst f. specialize (Busy_case q Ht). cbv zeta in Busy_case. lra.
    - destruct Ht as [Q Hv]. destruct Hf as [->|[-> Few]]; change (regret C A len k Idle) with 0.
      + specialize (Busy_case q Q). cbv zeta in Busy_case.
        assert (regret C A len k (Busy q) == 0).
        { cbn [regret]. rewrite <- Hv. pose proof (rate_bounds C A one_level_queues WF REP k q ltac:(lia) Q). field. lra. }
        lra.
      + assert (queue_length len q <= number M) by (unfold queue_length; rewrite <- Zle_Qle; specialize (D0 q); lia).
        pose proof (rate_bounds C A one_level_queues WF REP k q ltac:(lia) Q) as Rb.
        assert (0 <= queue_length len q).
        { unfold queue_length. change 0 with (inject_Z 0). rewrite <- Zle_Qle.
          destruct (proj1 (shared_valid_iff len s) valid_now) as (_ & _ & _ & R).
          specialize (R q). pose proof (running_nonnegative s q). lia. }
        pose proof (cost_bounds C A REP q (proj2 Q)) as Cb.
        assert (worth C A len q <= dearest * number M).
        { unfold worth. apply Qle_trans with (dearest * queue_length len q); [now apply Qmult_le_compat_r|].
          rewrite !(Qmult_comm dearest). apply Qmult_le_compat_r; lra. }
        assert (weight C A len k <= dearest * number M) by nra. lra.
  Qed.
  Lemma squares_add d : length d = length len -> (forall q, (0 <= nth q d 0)%Z) ->
    squares C A (add len d) <= squares C A len + 2 * weighed_lengths len d + dearest * (all_lengths d * all_lengths d).
  Proof.
    intros L D0. unfold squares, weighed_lengths.
    rewrite (total_equal _ _ (fun q => worth C A len q * queue_length len q + (2 * (worth C A len q * queue_length d q)
      + cost C A q * (queue_length d q * queue_length d q))))
      by (intros; unfold worth, queue_length; rewrite nth_add, inject_Z_plus by assumption; ring).
    rewrite !total_plus, total_times.
    assert (total (all_queues C A) (fun q => cost C A q * (queue_length d q * queue_length d q))
            <= dearest * total (all_queues C A) (fun q => queue_length d q * queue_length d q)).
    { rewrite <- total_times. apply total_le. intros q Q. apply in_seq in Q. pose proof (cost_bounds C A REP q ltac:(lia)).
      apply Qmult_le_compat_r; [lra|nra]. }
    assert (total (all_queues C A) (fun q => queue_length d q * queue_length d q) <= all_lengths d * all_lengths d).
    { apply total_squares. intros q _. unfold queue_length. change 0 with (inject_Z 0). rewrite <- Zle_Qle. apply D0. }
    pose proof (largest_cost_positive C A). nra.
  Qed.
  (* The mean of squares and regrets after a slot in which these tasks arrive. *)
  Definition shared_after (cost tasks : Q) : Q :=
    squares_and_regrets C A (len, s) - 2 * total_weight C A len + dearest * (6 * number M * number M + number M) + 2 * cost
    + dearest * (2 * number M / least_rate C) * tasks + dearest * (tasks * tasks).
  Lemma shared_mean d cost tasks : 0 <= tasks -> joined none cost tasks d ->
    E (fun r => squares_and_regrets C A (add len (fst r), snd r))
      (run (targets <- schedule integers C P len (executing C P s) 0 s;
            places <- to_hand_out integers len d (executing C P s) targets none;
            now <- hand_out C targets places; depart C P 0 now d)) <= shared_after cost tasks.
  Proof.
    intros T0 Jd. destruct (joined_facts d _ _ Jd) as (Ld & D0 & Wd & Td & Dq).
    pose proof (proj1 (shared_valid_iff len s) valid_now) as (Ll & Ls & F & R).
    pose proof (least_rate_positive C WF) as G. assert (M0 : 0 <= number M) by
      (change 0 with (inject_Z 0); rewrite <- Zle_Qle; lia).
    eapply mean_bind_constant; [apply targets_shared|]. intros ts [Ts Eq].
    destruct (match_shared d ts Ld D0 Ts Eq) as (places & Ap & Hand). rewrite (run_bind_answer _ _ _ Ap).
    eapply mean_bind_constant; [exact Hand|]. intros now (_ & _ & St & Fn & Ln & Rn).
    pose proof (largest_cost_positive C A) as Dc. assert (Dt : 0 <= dearest * tasks) by (apply Qmult_le_0_compat; lra).
    assert (Dm : 0 <= dearest * number M) by (apply Qmult_le_0_compat; lra).
    set (bound := dearest * tasks / least_rate C + dearest * number M). set (second := dearest * (1 + 2 * number M)).
    assert (B0 : 0 <= bound) by (assert (0 <= dearest * tasks / least_rate C) by (apply Qle_shift_div_l; lra); unfold bound; lra).
    apply Qle_trans with (E (fun r => squares C A (add len (fst r))
      + 2 * bounds C A len bound 0 (snd r)) (run (depart C P 0 now d))).
    - assert (Within : forall q, (0 + running now q <= nth q (add len d) 0)%Z) by (intro q; specialize (Rn q); lia).
      destruct (always_run _ _ (depart_shared_ok C A route serve one_level_queues WF REP len Ll now 0 d (fun _ => 0%Z) ltac:(lia)
        Ld Fn (fun _ => Z.le_refl 0) Within))
        as [[Po _] Out].
      apply E_monotone; [assumption|]. intros e I. destruct (Out e I) as (R1 & R2 & R3 & _ & R5). unfold squares_and_regrets.
        cbn [fst snd].
      enough (regrets C A (add len (fst (snd e))) 0 (snd (snd e)) <= bounds C A len bound 0 (snd (snd e))) by lra.
      assert (K : forall t k, (k + length t <= M)%nat -> each (serving C A) k t -> regrets C A (add len (fst (snd e))) k t
        <= bounds C A len bound k t).
      { induction t as [|f t IHt]; intros k Le Ft; cbn [regrets bounds]; [lra|]. inversion Ft as [|? ? ? Hf Fs]; subst.
        cbn [length] in Le.
        specialize (IHt (S k) ltac:(lia) Fs). destruct f as [|q|q];
          [change (regret C A (add len (fst (snd e))) k Idle) with 0; lra| |contradiction].
        cbn [serving] in Hf.
        assert (Nx : forall r, queue_length (add len (fst (snd e))) r == queue_length len r + queue_length (fst (snd e)) r).
        { intro r. unfold queue_length. rewrite nth_add by congruence. now rewrite inject_Z_plus. }
        assert (regret C A (add len (fst (snd e))) k (Busy q) <= regret C A len k (Busy q) + bound); [|lra].
        apply (regret_shift C A one_level_queues WF REP); [apply in_seq; lia|apply Hf|assumption| |].
        - intros r Rr. apply worth_shift; [assumption|apply (reachable_bound C A one_level_queues k);
            [apply in_seq; lia|assumption]|assumption|].
          rewrite Nx. specialize (R5 r). specialize (Dq r).
          assert (queue_length (fst (snd e)) r <= queue_length d r) by (unfold queue_length; rewrite <- Zle_Qle; lia). lra.
        - enough (worth C A len q <= worth C A (add len (fst (snd e))) q + dearest * number M) by lra.
          apply worth_shift; [assumption|apply Hf|assumption|]. rewrite Nx. specialize (R5 q). specialize (D0 q). rewrite Ln in R5.
          assert (- number M <= queue_length (fst (snd e)) q) by (unfold queue_length; rewrite <- inject_Z_opp, <- Zle_Qle; lia).
            lra. }
      apply K; [lia|assumption].
    - pose proof (depart_mean_shared C A route serve one_level_queues WF REP len Ll bound second now 0 d ltac:(lia) Ld Fn
        ltac:(rewrite Ln; unfold second; lra)) as Mean.
      assert (Lt : length ts = M) by (rewrite <- Ls, <- Eq; now rewrite map_length).
      pose proof (taken_shared_le d bound second ts now B0 ltac:(unfold second; lra) Ld D0 0 ltac:(lia) Ts St) as Tk.
      rewrite Eq, Lt in Tk.
      assert (Sum : total (seq 0 M) (fun m => second + 2 * bound + 2 * dearest * number M - 2 * weight C A len m)
                    == number M * (second + 2 * bound + 2 * dearest * number M) - 2 * total_weight C A len).
      { rewrite (total_equal _ _ (fun m => (second + 2 * bound + 2 * dearest * number M) + - (2) * weight C A len m)) by
        (intros; ring).
        rewrite total_plus, total_constant, total_times, seq_length. unfold total_weight, all_servers. ring. }
      rewrite Sum in Tk. pose proof (squares_add d ltac:(congruence) D0) as Sq.
      assert (0 <= all_lengths d).
      { apply total_nonnegative. intros q _. unfold queue_length. change 0 with (inject_Z 0). rewrite <- Zle_Qle. apply D0. }
      assert (dearest * (all_lengths d * all_lengths d) <= dearest * (tasks * tasks)).
      { rewrite !(Qmult_comm dearest). apply Qmult_le_compat_r; [nra|lra]. }
      unfold shared_after, squares_and_regrets. cbn [fst snd].
      assert (Cst : number M * (second + 2 * bound + 2 * dearest * number M) ==
        dearest * (6 * number M * number M + number M) + dearest * (2 * number M / least_rate C) * tasks)
        by (unfold second, bound; field; lra).
      rewrite Cst in Tk. lra.
  Qed.
  Theorem shared_slot_mean : E (fun r => squares_and_regrets C A (add len (fst r), snd r)) (run (slot integers C P len s))
    <= squares_and_regrets C A (len, s) + 2 * total (all_types C) (fun t => arrival_rate C t * price t) - 2 * total_weight C A len
      + (dearest * (6 * number M * number M + number M + 2 * number M * E all_tasks (arrival_law C) / least_rate C)
         + (dearest + 2 * regret_of_task) * E (fun a => all_tasks a * all_tasks a) (arrival_law C)).
  Proof.
    set (earned := fun a => total (all_types C) (fun t => tasks_of t a * price t)).
    assert (Arr : always (fun a => length a <= types C)%nat (arrive (N := Z) (arrivals C) (repeat 0%nat (types C)))).
    { apply arrive_ok; [exact (arrivals_are_laws C WF)|]. now rewrite repeat_length. }
    apply Qle_trans with (E (fun a => shared_after (earned a) (all_tasks a) + 2 * regret_of_task * (all_tasks a * all_tasks a))
      (arrival_law C)).
    - unfold slot. cbv zeta. change (queues C (keeps P)) with n. apply (mean_bind _ _ _ _ _ Arr). intros a La.
      eapply mean_bind_constant; [apply (shared_joins a La)|].
      intros d Jd.
      assert (Same : shared_after (earned a) (all_tasks a) + 2 * regret_of_task * (all_tasks a * all_tasks a)
                     == shared_after (earned a + all_tasks a * (all_tasks a * regret_of_task)) (all_tasks a)) by (unfold
                       shared_after; ring).
      rewrite Same. apply (shared_mean d); [unfold all_tasks; change 0 with (number 0); rewrite <- Zle_Qle; lia|].
      eapply joined_equal; [|reflexivity|exact Jd]. rewrite cost_near, (cost_of_total price a 0 (types C) La).
        unfold earned, tasks_of, all_types.
      apply Qplus_comp; [|reflexivity]. apply total_equal. intros t _. now rewrite Nat.sub_0_r.
    - destruct (always_run _ _ Arr) as [Lw _]. fold (arrival_law C) in Lw. unfold shared_after.
      rewrite !E_plus, !(E_constant _ _ Lw), !E_times. unfold earned. rewrite total_E.
      rewrite (total_equal (all_types C) (fun t => E (fun a => tasks_of t a * price t) (arrival_law C)) (fun t => arrival_rate C t
        * price t)).
      2: { intros t _. unfold arrival_rate. rewrite (E_equal _ (fun a => price t * tasks_of t a)) by (intros; ring).
        rewrite E_times. ring. }
      pose proof (least_rate_positive C WF).
      assert (2 * number M * E all_tasks (arrival_law C) / least_rate C
        == 2 * number M / least_rate C * E all_tasks (arrival_law C)) as Eq1 by (field; lra).
      rewrite Eq1. lra.
  Qed.
End SharedSlot.
