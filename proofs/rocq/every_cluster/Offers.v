(* Offers and events in continuous time, for any policy: what holds when an offer ends, and the mean of a function
  after an
   event as a sum over what may happen. *)
From Coq Require Import ZArith QArith Qminmax Lqa List Bool Lia Arith.
From Schedproof Require Import Law Affine Program Cluster Language Kernel EventKernel Drift EventDrift.
From Schedproof Require Import Outcomes Rules Capacity Layout Draws.
Import ListNotations.

(* ---- statuses ---- *)

Definition idle (s : list status) (m : nat) : Prop := nth m s Idle = Idle.
Lemma nth_put m f s k : (m < length s)%nat -> nth k (put m f s) Idle = if Nat.eqb k m then f else nth k s Idle.
Proof.
  revert m k. induction s as [|g s IH]; intros [|m] [|k]; cbn [put length nth Nat.eqb]; intro H; try lia; auto.
  apply IH. lia.
Qed.
Lemma each_put (R : nat -> status -> Prop) k m f s : each R k s -> R (k + m)%nat f -> each R k (put m f s).
Proof.
  intro H. revert m. induction H as [k|k g s Rg Rs IH]; intros m Rf; cbn [put]; [constructor|]. destruct m as [|m].
  - rewrite Nat.add_0_r in Rf. now constructor.
  - constructor; auto. apply IH. now rewrite Nat.add_succ_comm.
Qed.

(* ---- offers ---- *)

Section Offers.
  Variables (C : cluster) (P : policy) (len : list Z).
  Notation M := (servers C).
  Definition waiting_in (s : list status) (q : nat) : Z := waiting_tasks integers len (executing C P s) q.
  Definition declined (s : list status) (m : nat) : Prop :=
    exists tied, answers (answer_of integers C P len s m) tied /\
      (tied = [] \/ exists c, In c tied /\ (waiting_in s (fst c) <= 0)%Z).
  (* What is kept whenever a server starts a task holds at the end, and there every server that is idle declined. *)
  Variable kept : list status -> Prop.
  Hypothesis kept_length : forall s, kept s -> length s = M.
  Hypothesis starts : forall s m, kept s -> (m < M)%nat -> idle s m -> exists tied,
    answers (answer_of integers C P len s m) tied /\
    forall c, In c tied -> (0 < waiting_in s (fst c))%Z -> kept (put m (Busy (fst c)) s).
  Lemma round_ok order : (forall m, In m order -> (m < M)%nat) -> forall started s, kept s ->
    always (fun r => kept (snd r) /\ (r = (started, s) /\ (forall m, In m order -> idle s m -> declined s m) \/
                                      fst r = true /\ (idle_servers (snd r) < idle_servers s)%nat))
      (round integers C P len order started s).
  Proof.
    induction order as [|m order IH]; intros In_range started s K; cbn [round].
    { constructor. split; [exact K|]. left. split; [reflexivity|]. intros m []. }
    specialize (IH (fun k I => In_range k (or_intror I))). pose proof (In_range m (or_introl eq_refl)) as Hm.
    assert (Skip : (idle s m -> declined s m) ->
      always (fun r => kept (snd r) /\ (r = (started, s) /\ (forall k, In k (m :: order) -> idle s k -> declined s k) \/
                                        fst r = true /\ (idle_servers (snd r) < idle_servers s)%nat))
        (round integers C P len order started s)).
    { intro D. eapply always_weaken; [exact (IH started s K)|]. intros r [Kr [[Eq De]|Lt]]; split; auto. left.
      split; [exact Eq|]. intros k [<-|I]; auto. }
    destruct (nth m s Idle) eqn:F; [|apply Skip; unfold idle; congruence..].
    destruct (starts s m K Hm F) as (tied & At & Good). eapply always_answer; [exact At|]. destruct tied as [|c l].
    { apply Skip. intros _. exists []. split; [exact At|now left]. }
    eapply always_bind; [apply (pick_member C P (c :: l)); discriminate|]. intros q (d & Id & ->).
    eapply always_answer; [apply answers_less|]. change (const integers 0) with 0%Z.
    fold (waiting_in s (fst d)). destruct (Z.ltb_spec 0 (waiting_in s (fst d))) as [W|W].
    - assert (L : (m < length s)%nat) by (now rewrite (kept_length s K)).
      eapply always_weaken; [apply (IH true (put m (Busy (fst d)) s)), Good; [exact Id|exact W]|].
      pose proof (put_fewer m (fst d) s L F) as Less. intros r [Kr [[-> _]|[T Lt]]]; (split; [exact Kr|right]);
        cbn [fst snd].
      + split; [reflexivity|exact Less].
      + split; [exact T|lia].
    - apply Skip. intros _. exists (c :: l). split; [exact At|right]. eauto.
  Qed.
  Theorem offer_ok order s : (forall m, In m order -> (m < M)%nat) -> kept s ->
    always (fun s' => kept s' /\ forall m, In m order -> idle s' m -> declined s' m) (offer integers C P len order s).
  Proof.
    intros In_range. unfold offer. assert (H : (idle_servers s < S (length s))%nat) by (pose proof (idle_servers_le s);
      lia).
    revert s H. intros s. generalize (S (length s)) as n. intro n. revert s.
    induction n as [|n IH]; intros s H K; cbn [rounds]; [lia|].
    eapply always_bind; [apply (round_ok order In_range false s K)|].
    intros [b s'] [K' [[[= -> ->] De]|[T Lt]]]; cbn [fst snd] in *.
    - constructor. now split.
    - subst b. apply IH; [lia|exact K'].
  Qed.
End Offers.

(* What follows an event without preemption: an offer on the lengths as they are by then. *)
Section Pursue.
  Variables (C : cluster) (P : policy) (len : list Z).
  Notation n := (queues C (keeps P)).
  Hypothesis len_all : length len = n.
  Definition unit_change (k : Z) (q : nat) : list Z := bump k q (repeat 0%Z n).
  Lemma length_unit_change k q : length (unit_change k q) = n.
  Proof. unfold unit_change. now rewrite length_bump, repeat_length. Qed.
  Lemma add_unit_change k q : add len (unit_change k q) = bump k q len.
  Proof. unfold unit_change. rewrite add_bump by (rewrite repeat_length; congruence). rewrite <- len_all at 1.
  now rewrite add_zeros. Qed.
  Definition pursue (e : list Z * list status * list nat) : program Z (list Z * list status) :=
    next <- offer integers C P (moved integers len (fst (fst e))) (snd e) (snd (fst e)); Ret (fst (fst e), next).
  Lemma follows_pursue s h : follows integers C no_preemption P len s h = bind (happens integers C P len s h) pursue.
  Proof. reflexivity. Qed.
  Lemma pursue_change (F : list status -> Prop) k q s order : always F (offer integers C P (bump k q len) order s) ->
    always (fun r => fst r = unit_change k q /\ F (snd r)) (pursue (unit_change k q, s, order)).
  Proof.
    intro H. unfold pursue. cbn [fst snd]. rewrite moved_add by (rewrite length_unit_change; congruence).
    rewrite add_unit_change. eapply always_bind; [exact H|]. intros next Fn. constructor. now split.
  Qed.
End Pursue.

(* Settled states, by what rules answer that do not draw. *)
Lemma possible_answers {A} test (m : program Z A) a : answers m a -> possible test m = test a.
Proof. intro M. induction M; cbn [possible]; auto. Qed.
Lemma settled_declined C P len s : settled C P (len, s) = true ->
  (forall m, (m < servers C)%nat -> exists tied, answers (answer_of integers C P len s m) tied) ->
  forall m, (m < servers C)%nat -> idle s m -> declined C P len s m.
Proof.
  unfold settled. cbn [fst snd]. intros H An m Hm Id. pose proof (every_In _ _ H m ltac:(apply in_seq; lia)) as K.
  cbv beta in K.
  cbn [snd] in K. unfold idle in Id. rewrite Id in K. destruct (An m Hm) as (tied & At). exists tied.
  split; [exact At|].
  unfold declines in K. cbn [fst snd] in K. rewrite (possible_answers _ _ _ At) in K.
  destruct tied as [|c l]; [now left|].
  right. apply some_In in K as (d & I & W). apply Z.leb_le in W. exists d. now split.
Qed.
Lemma declined_settled C P len s : (forall m, (m < servers C)%nat -> idle s m -> declined C P len s m) ->
  settled C P (len, s) = true.
Proof.
  intro H. unfold settled. assert (K : forall l, (forall m, In m l -> (m < servers C)%nat) ->
    every (fun m => match nth m (snd (len, s)) Idle with Idle => declines C P (len, s) m | _ => true end) l = true).
  { induction l as [|m l IH]; intro L; cbn [every]; [reflexivity|]. cbn [snd]. destruct (nth m s Idle) eqn:F.
    - destruct (H m (L m (or_introl eq_refl)) F) as (tied & At & De). unfold declines. cbn [fst snd].
      rewrite (possible_answers _ _ _ At). destruct tied as [|c t]; [apply IH; intros; apply L; now right|].
      destruct De as [De|(d & I & W)]; [discriminate|].
      assert (some (fun c => waiting_tasks integers len (executing C P s) (fst c) <=? 0)%Z (c :: t) = true) as ->.
      { clear - I W. induction (c :: t) as [|e u IHu]; [contradiction|]. cbn [some]. destruct I as [->|I].
        - apply Z.leb_le in W. unfold waiting_in in W. now rewrite W.
        - rewrite (IHu I). now destruct (_ <=? _)%Z. }
      apply IH. intros. apply L. now right.
    - apply IH. intros. apply L. now right.
    - apply IH. intros. apply L. now right. }
  apply K. intros m I. apply in_seq in I. lia.
Qed.

(* ---- events ---- *)

Open Scope Q_scope.
Section Draws.
  Context {X H : Type} (share : H -> Q) (body : H -> program Z X) (otherwise : H).
  Lemma draw_mean (f : X -> Q) hs : E f (run (Draw (map share hs) (fun i => body (nth i hs otherwise))))
    == total hs (fun h => share h * E f (run (body h))).
  Proof.
    rewrite run_draw. set (k := fun i => run (body (nth i hs otherwise))).
    assert (K : forall l i, (forall j, (j < length l)%nat -> k (i + j)%nat = run (body (nth j l otherwise))) ->
      E f (branches k (map share l) i) == total l (fun h => share h * E f (run (body h)))).
    { induction l as [|h l IH]; intros i L; cbn [map branches total fold_right]; [reflexivity|].
      rewrite E_app, E_scale. fold (total l (fun h => share h * E f (run (body h)))).
      rewrite (IH (S i)) by (intros j J; rewrite Nat.add_succ_comm; apply (L (S j)); cbn; lia).
      pose proof (L 0%nat ltac:(cbn; lia)) as L0. rewrite Nat.add_0_r in L0. rewrite L0. reflexivity. }
    apply K. reflexivity.
  Qed.
  Lemma draw_always (F : X -> Prop) hs : (forall h, In h hs -> 0 <= share h) -> total hs share == 1 ->
    (forall h, In h hs -> always F (body h)) ->
    always F (Draw (map share hs) (fun i => body (nth i hs otherwise))).
  Proof.
    intros Po One B. constructor.
    - intros p I. apply in_map_iff in I as (h & <- & I). now apply Po.
    - rewrite <- One. unfold mass, total. clear. induction hs as [|h hs IH]; cbn [map fold_right]; [reflexivity|].
      now rewrite IH.
    - intros i I. rewrite map_length in I. apply B. now apply nth_In.
  Qed.
End Draws.
Lemma total_map {X Y} (g : X -> Y) l f : total (map g l) f == total l (fun a => f (g a)).
Proof. unfold total. induction l as [|a l IH]; cbn [map fold_right]; [reflexivity|]. now rewrite IH. Qed.

Section Events.
  Variables (C : cluster) (streams : list Q) (interrupts : preemption) (P : policy).
  Hypothesis LO : laid_out C.
  Hypothesis streams_nonnegative : forall t, 0 <= stream_rate streams t.
  Notation hs := (happenings C streams).
  Notation gamma := (event_rate C streams).
  Notation share := (fun h => Qred (rate_of_happening C streams h / gamma)).
  Lemma fastest_bound mu : In mu (concat (rates C)) -> mu <= fastest C.
  Proof.
    unfold fastest. induction (concat (rates C)) as [|nu l IH]; intro I; [contradiction|]. cbn [fold_right].
    destruct I as [->|I].
    - apply Q.le_max_l.
    - eapply Qle_trans; [apply IH, I|apply Q.le_max_r].
  Qed.
  Lemma fastest_positive : 0 < fastest C.
  Proof.
    pose proof (rate_at_member C LO 0 0 (some_row _ LO) (some_level _ LO)) as I. pose proof (rate_positive C LO _ I).
    pose proof (fastest_bound _ I). lra.
  Qed.
  (* A sum over what may happen, arrivals and rings. *)
  Lemma total_happenings g : total hs (fun h => rate_of_happening C streams h * g h)
    == total (all_types C) (fun t => stream_rate streams t * g (Arrives t)) + total (all_servers C) (fun m => fastest
      C * g (Rings m)).
  Proof.
    unfold happenings. rewrite total_app, !total_map. cbn [rate_of_happening]. apply Qplus_comp; [|reflexivity].
    fold (all_types C). unfold total. induction (all_types C) as [|t l IH]; cbn [filter fold_right]; [reflexivity|].
    destruct (Qle_bool (stream_rate streams t) 0) eqn:B; cbn [negb fold_right]; [|now rewrite IH].
    rewrite IH. apply Qle_bool_iff in B. pose proof (streams_nonnegative t).
    assert (Z0 : stream_rate streams t == 0) by lra. rewrite Z0. ring.
  Qed.
  Lemma event_rate_total : gamma == total hs (rate_of_happening C streams).
  Proof. unfold event_rate. rewrite Qred_correct. reflexivity. Qed.
  Lemma event_rate_positive : 0 < gamma.
  Proof.
    rewrite event_rate_total, (total_equal _ _ (fun h => rate_of_happening C streams h * 1)) by (intros; ring).
    rewrite total_happenings. pose proof fastest_positive as F.
    assert (0 <= total (all_types C) (fun t => stream_rate streams t * 1))
      by (apply total_nonnegative; intros; pose proof (streams_nonnegative a); lra).
    assert (fastest C * 1 <= total (all_servers C) (fun _ => fastest C * 1)).
    { apply (total_member (all_servers C) (fun _ => fastest C * 1) 0%nat); [intros; lra|]. apply in_seq.
      pose proof (some_server _ LO). lia. }
    lra.
  Qed.
  Lemma share_nonnegative h : In h hs -> 0 <= share h.
  Proof.
    intros _. rewrite Qred_correct. pose proof event_rate_positive as G. apply Qle_shift_div_l; [exact G|].
    rewrite Qmult_0_l.
    destruct h; cbn [rate_of_happening]; [apply streams_nonnegative|]. pose proof fastest_positive. lra.
  Qed.
  Lemma total_shares g : total hs (fun h => share h * g h) == total hs (fun h => rate_of_happening C streams h * g h)
    / gamma.
  Proof.
    pose proof event_rate_positive as G. rewrite (total_equal _ _ (fun h => / gamma * (rate_of_happening C streams h *
      g h))).
    - rewrite total_times. field. lra.
    - intros h _. rewrite Qred_correct. field. lra.
  Qed.
  Lemma shares_one : total hs share == 1.
  Proof.
    rewrite (total_equal _ _ (fun h => share h * 1)) by (intros; ring). rewrite total_shares.
    rewrite (total_equal _ _ (rate_of_happening C streams)) by (intros; ring). rewrite <- event_rate_total.
    pose proof event_rate_positive. field. lra.
  Qed.
  (* After what may happen each function is above v by at most some bound;
    then after an event it is so by the mean bound. *)
  Notation drawn len s := (Draw (map share hs) (fun i => follows integers C interrupts P len s (nth i hs (Rings
    (servers C))))).
  Theorem event_mean f len s v (bound : happening -> Q) :
    (forall h, In h hs -> E f (run (follows integers C interrupts P len s h)) <= v + bound h) ->
    E f (run (drawn len s)) <= v + total hs (fun h => rate_of_happening C streams h * bound h) / gamma.
  Proof.
    intro H. rewrite (draw_mean share (follows integers C interrupts P len s) (Rings (servers C)) f hs).
    apply Qle_trans with (total hs (fun h => share h * (v + bound h))).
    - apply total_le. intros h I. rewrite !(Qmult_comm (share h)). apply Qmult_le_compat_r; [now apply H|].
      now apply share_nonnegative.
    - rewrite (total_equal _ _ (fun h => v * share h + share h * bound h)) by (intros; ring).
      rewrite total_plus, total_times, shares_one, total_shares. lra.
  Qed.
  Theorem event_always F len s : (forall h, In h hs -> always F (follows integers C interrupts P len s h)) ->
    always F (drawn len s).
  Proof.
    apply (draw_always share (follows integers C interrupts P len s)); [exact share_nonnegative|exact shares_one].
  Qed.
  Lemma happening_In h : In h hs -> match h with Arrives t => In t (all_types C) | Rings m => (m < servers C)%nat end.
  Proof.
    unfold happenings. rewrite in_app_iff, !in_map_iff. intros [(t & <- & I)|(m & <- & I)].
    - now apply filter_In in I as [I _].
    - now apply in_seq in I.
  Qed.
  Definition event_chain_E (f : state -> Q) x := event_E C streams interrupts P f x.
  Lemma event_chain_always F x :
    always (fun r => F (add (fst x) (fst r), snd r)) (event integers C streams interrupts P (fst x) (snd x)) ->
    is_law (event_chain C streams interrupts P x) /\ forall e, In e (event_chain C streams interrupts P x) -> F (snd e).
  Proof.
    intro H. destruct (always_run _ _ H) as [[Po One] Next]. split; [split|].
    - intros e I. unfold event_chain in I. apply in_map_iff in I as (d & <- & I). now apply (Po d).
    - now rewrite event_chain_E.
    - intros e I. unfold event_chain in I. apply in_map_iff in I as (d & <- & I). now apply (Next d).
  Qed.
End Events.
