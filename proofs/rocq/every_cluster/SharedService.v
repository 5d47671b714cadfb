(* The second half of a slot where servers share queues: schedule, match, serve, depart. For a policy whose idle servers
   turn to a queue of largest rate times marginal cost.

   A server that asks in vain found a queue of at most M tasks, all in execution or handed to others ([hand_out_shared]).
   What a server gives up by staying with its task is its regret; [depart_mean_shared] bounds squares and regrets together,
   server by server. *)
From Coq Require Import ZArith QArith Lqa List Bool Lia Arith.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Outcomes Rules Capacity Layout Draws Weights.
Import ListNotations.

Open Scope Z_scope.
Section Shared.
  Variables (C : cluster) (A : arrangement) (route serve : set).
  Notation P := (Policy A route serve).
  Notation n := (queues C A).
  Notation M := (Z.of_nat (servers C)).

  Definition able (m q : nat) : Prop := In q (reachable C A m) /\ (q < n)%nat.
  Definition serving (m : nat) (f : status) : Prop := match f with Idle => True | Busy q => able m q | Phantom _ => False end.
  Definition running (s : list status) (q : nat) : Z :=
    fold_right (fun f z => match f with Busy r => if Nat.eqb q r then z + 1 else z | _ => z end) 0 s.
  Lemma running_cons f s q : running (f :: s) q = running s q + match f with Busy r => if Nat.eqb q r then 1 else 0 | _ => 0 end.
  Proof. unfold running. cbn [fold_right]. destruct f as [|r|r]; try lia. destruct (Nat.eqb q r); lia. Qed.
  Lemma running_nonnegative s q : 0 <= running s q.
  Proof.
    induction s as [|f s IH]; [cbn; lia|]. rewrite running_cons. destruct f as [|r|r]; try lia. destruct (Nat.eqb q r); lia.
  Qed.
  Lemma executing_running k s q : each serving k s -> length (executing C P s) = n /\ nth q (executing C P s) 0 = running s q.
  Proof.
    unfold executing. intro F. induction F as [k|k f s Hf F [IL IH]]; cbn [fold_right].
    - split; [apply repeat_length|apply nth_repeat].
    - rewrite running_cons. destruct f as [|r|r]; [split; [assumption|lia]| |contradiction].
      split; [now rewrite length_bump|]. rewrite nth_bump; [now rewrite IH|]. rewrite IL. apply Hf.
  Qed.

  Definition ready (t : pointing) : status := match t with Executing q => Busy q | _ => Idle end.
  Lemma asking_cons t ts q : asking (t :: ts) q = asking ts q + match t with Asking r => if Nat.eqb q r then 1 else 0 | _ => 0 end.
  Proof. unfold asking. cbn [fold_right]. destruct t as [|r|r]; try lia. destruct (Nat.eqb q r); lia. Qed.
  Lemma asking_nonnegative ts q : 0 <= asking ts q.
  Proof.
    induction ts as [|t ts IH]; [cbn; lia|]. rewrite asking_cons. destruct t as [|r|r]; try lia. destruct (Nat.eqb q r); lia.
  Qed.
  Lemma running_asking ts q : running (map ready ts) q + asking ts q <= Z.of_nat (length ts).
  Proof.
    induction ts as [|t ts IH]; [cbn; lia|]. cbn [map length]. rewrite running_cons, asking_cons, Nat2Z.inj_succ.
    destruct t as [|r|r]; cbn [ready]; try lia; destruct (Nat.eqb q r); lia.
  Qed.

  Variable len : list Z.
  Hypothesis len_all : length len = n.
  Hypothesis unmatched_servers : unmatched_is (option_of C) = idle_again.

  (* ---- schedule ---- *)

  Definition heaviest_for (m q : nat) : Prop :=
    able m q /\ (rate_between C A m q * worth C A len q == weight C A len m)%Q.
  Hypothesis turns_to_weight : forall inside m, (m < servers C)%nat -> exists tied,
    answers (set_of integers C A len inside (Serving m) serve []) tied /\
      (tied = [] -> (weight C A len m <= 0)%Q) /\ forall c, In c tied -> heaviest_for m (fst c).
  Definition aiming (m : nat) (t : pointing) : Prop :=
    match t with Nowhere => (weight C A len m <= 0)%Q | Executing q => able m q | Asking q => heaviest_for m q end.
  Lemma schedule_shared inside s : forall k, (k + length s <= servers C)%nat -> each serving k s ->
    always (fun ts => each aiming k ts /\ map ready ts = s) (schedule integers C P len inside k s).
  Proof.
    induction s as [|f s IH]; intros k Le F; cbn [schedule]; [constructor; split; [constructor|reflexivity]|].
    inversion F as [|? ? ? Hf Fs]; subst. cbn [length] in Le. specialize (IH (S k) ltac:(lia) Fs). destruct f as [|q|q];
      [| |contradiction].
    - destruct (turns_to_weight inside k ltac:(lia)) as (tied & At & Ne & Good).
      eapply always_answer; [exact At|]. destruct tied as [|c l].
      { eapply always_bind; [exact IH|]. intros ts [Ts Eq]. constructor. split; [constructor; [now apply Ne|assumption]|].
        cbn [map ready]. now rewrite Eq. }
      eapply always_bind; [apply (pick_member C P (c :: l)); discriminate|]. intros q (d & Id & ->). eapply always_bind;
        [exact IH|].
      intros ts [Ts Eq]. constructor. split; [constructor; [now apply Good|assumption]|]. cbn [map ready]. now rewrite Eq.
    - eapply always_bind; [exact IH|]. intros ts [Ts Eq]. constructor. split; [now constructor|]. cbn [map ready]. now rewrite Eq.
  Qed.

  (* ---- match ---- *)

  Variable d : list Z.
  Hypothesis d_all : length d = n.
  Notation y q := (nth q len 0 + nth q d 0).
  Lemma to_hand_out_shared inside ts : forall k places, length places = n -> each aiming k ts ->
    exists places', answers (to_hand_out integers len d inside ts places) places' /\ length places' = n /\
      forall q, nth q places' 0 = Z.min (nth q places 0 + asking ts q) (Z.max (nth q places 0) (y q - nth q inside 0)).
  Proof.
    induction ts as [|t ts IH]; intros k places Lp H; cbn [to_hand_out].
    - exists places. split; [constructor|split; [assumption|]]. intro q. cbn [asking fold_right]. lia.
    - inversion H as [|? ? ? Ht Hs]; subst. destruct t as [|r|r].
      + destruct (IH (S k) places Lp Hs) as (places' & Ap & Lp' & F). exists places'. split; [exact Ap|split; [assumption|]].
        intro q. rewrite asking_cons, F. lia.
      + destruct (IH (S k) places Lp Hs) as (places' & Ap & Lp' & F). exists places'. split; [exact Ap|split; [assumption|]].
        intro q. rewrite asking_cons, F. lia.
      + set (more := nth r inside 0 + nth r places 0 <? y r). set (next := if more then bump 1 r places else places).
        assert (Ln : length next = n) by (unfold next; destruct more; rewrite ?length_bump; exact Lp).
        destruct (IH (S k) next Ln Hs) as (places' & Ap & Lp' & F). exists places'. split; [|split; [assumption|]].
        * eapply answers_bind; [apply answers_less|]. exact Ap.
        * intro q. rewrite asking_cons, F. destruct Ht as [[_ R] _].
          assert (nth q next 0 = nth q places 0 + if Nat.eqb q r then (if more then 1 else 0) else 0) as ->.
          { unfold next. destruct more; [rewrite nth_bump by lia; reflexivity|]. destruct (Nat.eqb q r); lia. }
          pose proof (asking_nonnegative ts q). destruct (Nat.eqb_spec q r); [subst q|lia].
          unfold more. destruct (Z.ltb_spec (nth r inside 0 + nth r places 0) (y r)); lia.
  Qed.
  (* A server that got no task finds at most M tasks in its queue. *)
  Definition started (t : pointing) (f : status) : Prop :=
    match t with Nowhere => f = Idle | Executing q => f = Busy q | Asking q => f = Busy q \/ f = Idle /\ y q <= M end.
  Lemma coin_one p : (p == 1)%Q -> always (eq true) (coin (N := Z) p).
  Proof. intro H. unfold coin. apply Qeq_bool_iff in H. rewrite H. now constructor. Qed.
  Lemma gets_ok ts q left : 0 < left <= asking ts q -> left = asking ts q \/ y q <= M ->
    always (fun b => b = true \/ left < asking ts q /\ y q <= M)
      (match scarce (option_of C) with lowest_index => Ret true | uniform_subset => coin (N := Z)
        (Qred (left # Z.to_pos (asking ts q))) end).
  Proof.
    intros B I. destruct (scarce (option_of C)); [constructor; now left|].
    assert (V : (Qred (left # Z.to_pos (asking ts q)) == inject_Z left / inject_Z (asking ts q))%Q).
    { rewrite Qred_correct. destruct (asking ts q) as [|a|a] eqn:E; try lia. unfold Qeq, Qdiv, Qmult, Qinv, inject_Z; cbn. lia. }
    destruct (Z.eq_dec left (asking ts q)) as [Eq|Ne].
    - eapply always_weaken; [apply coin_one; rewrite V, <- Eq; field|intros b <-; now left].
      intro H. change 0%Q with (inject_Z 0) in H. apply (proj1 (inject_Z_injective left 0)) in H. lia.
    - destruct I as [I|I]; [lia|]. eapply always_weaken; [apply coin_always|intros b _; right; lia].
      rewrite V. assert (0 < inject_Z (asking ts q))%Q by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
      split; [apply Qle_shift_div_l|apply Qle_shift_div_r]; auto;
        [rewrite Qmult_0_l; change 0%Q with (inject_Z 0)|rewrite Qmult_1_l];
        rewrite <- Zle_Qle; lia.
  Qed.
  Lemma hand_out_shared ts : forall k left, length left = n -> each aiming k ts -> (forall q, 0 <= nth q left 0 <= asking ts q) ->
    (forall q, nth q left 0 = asking ts q \/ y q <= M) ->
    always (fun now => Forall2 started ts now /\ forall q, running now q <= running (map ready ts) q + nth q left 0)
      (hand_out C ts left).
  Proof.
    induction ts as [|t ts IH]; intros k left Ll H B I; cbn [hand_out].
    - constructor. split; [constructor|]. intro q. specialize (B q). cbn in *. lia.
    - inversion H as [|? ? ? Ht Hs]; subst. destruct t as [|r|r].
      + eapply always_bind; [apply (IH (S k) left Ll Hs)|].
        * intro q. specialize (B q). rewrite asking_cons in B. lia.
        * intro q. specialize (I q). rewrite asking_cons in I. destruct I; [left; lia|now right].
        * intros now [F R]. constructor. split; [constructor; [reflexivity|assumption]|]. intro q. specialize (R q).
          cbn [map ready]. rewrite !running_cons. lia.
      + eapply always_bind; [apply (IH (S k) left Ll Hs)|].
        * intro q. specialize (B q). rewrite asking_cons in B. lia.
        * intro q. specialize (I q). rewrite asking_cons in I. destruct I; [left; lia|now right].
        * intros now [F R]. constructor. split; [constructor; [reflexivity|assumption]|]. intro q. specialize (R q).
          cbn [map ready]. rewrite !running_cons. lia.
      + destruct Ht as [[_ Q] _]. eapply always_bind with
          (F := fun b : bool => if b then 0 < nth r left 0 else y r <= M /\ nth r left 0 < asking (Asking r :: ts) r).
        * pose proof (B r) as Br. pose proof (I r) as Ir. pose proof (asking_nonnegative ts r).
            rewrite asking_cons, Nat.eqb_refl in Br, Ir.
          destruct (Z.leb_spec (nth r left 0) 0).
          -- constructor. rewrite asking_cons, Nat.eqb_refl. lia.
          -- eapply always_weaken; [apply gets_ok; rewrite asking_cons, Nat.eqb_refl; [lia|exact Ir]|].
             intros [|] [E|[E Y]]; try discriminate; try lia.
        * intros b Hb. set (next := if b then bump (-1) r left else left).
          assert (Nx : forall q, nth q next 0 = nth q left 0 - if Nat.eqb q r then (if b then 1 else 0) else 0).
          { intro q. unfold next. destruct b; [rewrite nth_bump by lia|]; destruct (Nat.eqb q r); lia. }
          eapply always_bind; [apply (IH (S k) next)|].
          -- unfold next. destruct b; rewrite ?length_bump; exact Ll.
          -- exact Hs.
          -- intro q. specialize (B q). rewrite asking_cons in B. rewrite Nx. destruct (Nat.eqb_spec q r); [subst q|lia].
             rewrite asking_cons, Nat.eqb_refl in Hb. destruct b; lia.
          -- intro q. specialize (I q). rewrite asking_cons in I. rewrite Nx. destruct (Nat.eqb_spec q r);
            [subst q|destruct I; [left; lia|now right]].
             destruct b; [destruct I; [left; lia|now right]|right; lia].
          -- intros now [F R]. constructor. rewrite unmatched_servers. split.
             ++ constructor; [|exact F]. cbn [started]. destruct b; [now left|right; split; [reflexivity|apply Hb]].
             ++ intro q. specialize (R q). rewrite Nx in R. cbn [map ready]. rewrite !running_cons. destruct b;
               [|destruct (Nat.eqb q r); lia].
                destruct (Nat.eqb q r); lia.
  Qed.
End Shared.

(* ---- depart ---- *)

Section Departures.
  Variables (C : cluster) (A : arrangement) (route serve : set).
  Hypothesis one_level_queues : A = per_server \/ A = per_server_and_common \/ A = per_type.
  Hypothesis WF : well_formed C.
  Hypothesis REP : replicated C A.
  Notation P := (Policy A route serve).
  Notation n := (queues C A).
  Notation number k := (inject_Z (Z.of_nat k)).

  Lemma rate_bounds m q : (m < servers C)%nat -> able C A m q -> (0 < rate_between C A m q <= 1)%Q.
  Proof. intros Hm [Hq _]. apply (rate_between_bounds C A one_level_queues WF REP m q); [apply in_seq; lia|assumption]. Qed.

  Lemma depart_draws now : forall k d, (k + length now <= servers C)%nat -> each (serving C A) k now ->
    always (fun _ => True) (depart C P k now d).
  Proof.
    induction now as [|f now IH]; intros k d Le F; cbn [depart]; [now constructor|]. cbn [length] in Le.
    inversion F as [|? ? ? Hf Fs]; subst. destruct f as [|q|q]; [| |contradiction].
    - eapply always_bind; [apply (IH (S k) d); auto; lia|]. now constructor.
    - cbn [serving] in Hf. pose proof (rate_bounds k q ltac:(lia) Hf) as Rb.
      eapply always_bind; [apply coin_always; unfold rate_between in Rb; cbn [keeps]; lra|]. intros b _.
      eapply always_bind; [apply (IH (S k)); auto; lia|]. now constructor.
  Qed.

  Variable len : list Z.
  Hypothesis len_all : length len = n.

  Lemma depart_shared_ok now : forall k d kept, (k + length now <= servers C)%nat -> length d = n ->
    each (serving C A) k now ->
    (forall q, 0 <= kept q) -> (forall q, kept q + running now q <= nth q (add len d) 0) ->
    always (fun r => length (fst r) = n /\ each (serving C A) k (snd r) /\ length (snd r) = length now /\
              (forall q, kept q + running (snd r) q <= nth q (add len (fst r)) 0) /\
              forall q, nth q d 0 - Z.of_nat (length now) <= nth q (fst r) 0 <= nth q d 0) (depart C P k now d).
  Proof.
    induction now as [|f now IH]; intros k d kept Le Ld F K0 H; cbn [depart].
    - constructor. cbn [fst snd length]. repeat split; auto; lia.
    - inversion F as [|? ? ? Hf Fs]; subst. cbn [length] in Le. destruct f as [|q|q]; [| |contradiction].
      + eapply always_bind; [apply (IH (S k) d kept ltac:(lia) Ld Fs K0); intro q; specialize (H q); rewrite running_cons in H;
          lia|].
        intros r (R1 & R2 & R3 & R4 & R5). constructor. cbn [fst snd length]. split;
          [assumption|split; [now constructor|split; [lia|split]]].
        * intro q. specialize (R4 q). rewrite running_cons. lia.
        * intro q. specialize (R5 q). lia.
      + cbn [serving] in Hf. pose proof (proj2 Hf) as Q. pose proof (rate_bounds k q ltac:(lia) Hf) as Rb.
        eapply always_bind; [apply coin_always; unfold rate_between in Rb; cbn [keeps]; lra|]. intros b _.
        set (d' := if b then bump (-1) q d else d).
        assert (Ld' : length d' = n) by (unfold d'; destruct b; rewrite ?length_bump; exact Ld).
        assert (Nx : forall r, nth r d' 0 = nth r d 0 - if Nat.eqb r q then (if b then 1 else 0) else 0).
        { intro r. unfold d'. destruct b; [rewrite nth_bump by lia|]; destruct (Nat.eqb r q); lia. }
        set (kept' := fun r => kept r + if Nat.eqb r q then (if b then 0 else 1) else 0).
        eapply always_bind; [apply (IH (S k) d' kept' ltac:(lia) Ld' Fs)|].
        * intro r. unfold kept'. specialize (K0 r). destruct (Nat.eqb r q), b; lia.
        * intro r. specialize (H r). rewrite nth_add in * by congruence. rewrite running_cons in H. rewrite Nx. unfold kept'.
          destruct (Nat.eqb r q), b; lia.
        * intros r (R1 & R2 & R3 & R4 & R5). constructor. cbn [fst snd length].
          split; [assumption|split; [constructor; [now destruct b|assumption]|split; [lia|split]]].
          -- intro p. specialize (R4 p). unfold kept' in R4. cbv beta in R4. rewrite running_cons. destruct b, (Nat.eqb p q); lia.
          -- intro p. specialize (R5 p). rewrite Nx in R5. destruct (Nat.eqb p q), b; lia.
  Qed.

  Open Scope Q_scope.
  (* [bound] is how much a regret may grow in the slot, [second] what second moments and earlier departures cost a server. *)
  Variables (bound second : Q).
  Fixpoint bounds (m : nat) (s : list status) : Q :=
    match s with [] => 0 | f :: s => match f with Busy _ => regret C A len m f + bound | _ => 0 end + bounds (S m) s end.
  Fixpoint taken_shared (m : nat) (now : list status) (y : list Z) : Q :=
    match now with
    | [] => 0
    | f :: now =>
        match f with
        | Busy q => second - 2 * rate_between C A m q * worth C A y q + 2 * (1 - rate_between C A m q) * (regret C A len m f
          + bound)
        | _ => 0
        end + taken_shared (S m) now y
    end.
  Lemma taken_shared_bump q y now : (q < length y)%nat -> forall k, each (serving C A) k now -> (k + length now <= servers C)%nat ->
    taken_shared k now (bump (-1) q y) <= taken_shared k now y + 2 * largest_cost C A * number (length now).
  Proof.
    intro Q. induction now as [|f now IH]; intros k F Le; cbn [taken_shared length]; [change (number 0) with 0; lra|].
    inversion F as [|? ? ? Hf Fs]; subst. cbn [length] in Le. specialize (IH (S k) Fs ltac:(lia)).
    rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus. change (inject_Z 1) with 1.
    pose proof (largest_cost_positive C A) as Lc.
    destruct f as [|r|r]; [lra| |contradiction]. cbn [serving] in Hf. pose proof (rate_bounds k r ltac:(lia) Hf) as Rb.
    pose proof (cost_bounds C A REP r (proj2 Hf)) as Cb.
    assert (worth C A y r - largest_cost C A <= worth C A (bump (-1) q y) r).
    { unfold worth, queue_length. rewrite nth_bump by assumption. rewrite inject_Z_plus. destruct (Nat.eqb r q).
      - change (inject_Z (-1)) with (- (1)). lra.
      - change (inject_Z 0) with 0. lra. }
    nra.
  Qed.
  Theorem depart_mean_shared now : forall k d, (k + length now <= servers C)%nat -> length d = n ->
    each (serving C A) k now ->
    largest_cost C A * (1 + 2 * number (length now)) <= second ->
    E (fun r => squares C A (add len (fst r)) + 2 * bounds k (snd r)) (run (depart C P k now d)) <= squares C A (add len d)
      + taken_shared k now (add len d).
  Proof.
    induction now as [|f now IH]; intros k d Le Ld F Sd; cbn [depart taken_shared].
    - cbn [run]. rewrite E_cons, E_nil. cbn [fst snd bounds]. lra.
    - inversion F as [|? ? ? Hf Fs]; subst. cbn [length] in Le, Sd. rewrite Nat2Z.inj_succ in Sd. unfold Z.succ in Sd.
      rewrite inject_Z_plus in Sd. change (inject_Z 1) with 1 in Sd. pose proof (largest_cost_positive C A) as Lc.
      destruct f as [|q|q]; [| |contradiction].
      + rewrite E_return. cbn [fst snd bounds]. specialize (IH (S k) d ltac:(lia) Ld Fs ltac:(lra)).
        rewrite (E_equal _ (fun r => squares C A (add len (fst r)) + 2 * bounds (S k) (snd r))) by (intros; ring). lra.
      + cbn [serving] in Hf. pose proof (proj2 Hf) as Q. pose proof (rate_bounds k q ltac:(lia) Hf) as Rb.
        pose proof (cost_bounds C A REP q Q) as Cb. cbn [keeps].
        fold (rate_between C A k q). rewrite coin_mean, !E_return. cbn [fst snd bounds].
        pose proof (IH (S k) d ltac:(lia) Ld Fs ltac:(lra)) as Stay.
        pose proof (IH (S k) (bump (-1) q d) ltac:(lia) ltac:(now rewrite length_bump) Fs ltac:(lra)) as End_.
        assert (Qy : (q < length (add len d))%nat) by (rewrite length_add; lia).
        rewrite add_bump, squares_bump in End_ by (congruence || lia). change (inject_Z (-1)) with (- (1)) in End_.
        pose proof (taken_shared_bump q (add len d) now Qy (S k) Fs ltac:(lia)) as Tb.
        set (b := regret C A len k (Busy q) + bound) in *. set (y := worth C A (add len d) q) in *.
        rewrite (E_equal (fun a => squares C A (add len (fst a)) + 2 * (0
          + bounds (S k) (snd a))) (fun r => squares C A (add len (fst r)) + 2 * bounds (S k) (snd r))) by (intros; ring).
        rewrite (E_equal (fun a => squares C A (add len (fst a)) + 2 * (b
          + bounds (S k) (snd a))) (fun r => (squares C A (add len (fst r)) + 2 * bounds (S k) (snd r)) + 2 * b)) by (intros; ring).
        rewrite (E_plus (fun r => squares C A (add len (fst r)) + 2 * bounds (S k) (snd r)) (fun _ => 2 * b)).
        assert (One : E (fun _ => 2 * b) (run (depart C P (S k) now d)) == 2 * b).
        { apply E_constant, (always_run (fun _ => True)), depart_draws; [lia|assumption]. }
        rewrite One. set (p := rate_between C A k q) in *.
        set (E1 := E (fun r => squares C A (add len (fst r)) + 2 * bounds (S k) (snd r))
          (run (depart C P (S k) now (bump (-1) q d)))) in *.
        set (E2 := E (fun r => squares C A (add len (fst r)) + 2 * bounds (S k) (snd r)) (run (depart C P (S k) now d))) in *.
        set (sq := squares C A (add len d)) in *. set (tk := taken_shared (S k) now (add len d)) in *.
        set (c := cost C A q) in *. set (lc := largest_cost C A) in *.
        assert (p * E1 <= p * (sq + 2 * - (1) * y + c * (- (1) * - (1)) + (tk + 2 * lc * number (length now)))).
        { rewrite !(Qmult_comm p). apply Qmult_le_compat_r; lra. }
        assert ((1 - p) * (E2 + 2 * b) <= (1 - p) * (sq + tk + 2 * b)).
        { rewrite !(Qmult_comm (1 - p)). apply Qmult_le_compat_r; lra. }
        assert (0 <= lc * number (length now)) by
          (apply Qmult_le_0_compat; [lra|change 0 with (inject_Z 0); rewrite <- Zle_Qle; lia]).
        assert (p * (c + 2 * (lc * number (length now))) <= 1 * (c + 2 * (lc * number (length now)))).
        { apply Qmult_le_compat_r; lra. }
        lra.
  Qed.
End Departures.
