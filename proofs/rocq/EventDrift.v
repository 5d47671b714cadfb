(* From the trees of a drift certificate in continuous time to the mean time that a cluster needs to reach a finite set.

   As in Drift.v, with an event for the slot. Besides, a tree first asks whether a state is settled. Nothing is claimed
   where it is not, for events end in settled states ([event_settles]), under any policy.

   Believe: [between_events] is part of the meaning of a theorem. *)
From Coq Require Import ZArith QArith Lqa List Bool Lia.
From Schedproof Require Import Law Affine Program Cluster Language Kernel EventKernel Drift.
Import ListNotations.
Open Scope Z_scope.

(* A state that is meant: with preemption any valid one, of servers that do nothing; without, a settled one. *)
Definition between_events (C : cluster) (interrupts : preemption) (P : policy) (statuses : list (list status))
    (x : state) : Prop :=
  valid C P statuses x /\ match interrupts with no_preemption => settled C P x = true | resume => True end.

(* ---- what holds after an event ---- *)

Lemma possible_outcome {A} (test : A -> bool) (m : program Z A) :
  possible test m = true <-> exists e, In e (run m) /\ test (snd e) = true.
Proof.
  induction m as [a|n k IH|ps k IH]; cbn [possible].
  - split; [intro H; exists (1%Q, a); split; [now left|exact H]|]. intros (e & [<-|[]] & T). exact T.
  - apply IH.
  - rewrite run_draw. split.
    + intro H. apply some_In in H as (i & I & H). apply in_seq in I. apply IH in H as (d & Id & T).
      destruct (branches_In (fun i => run (k i)) ps d 0 i ltac:(lia) Id) as (e & Ie & Eq). exists e. now rewrite Eq.
    + intros (e & I & T). apply In_branches in I as (j & p & d & J & _ & Id & _ & Eq). cbn [Nat.add] in Id.
      rewrite Eq in T.
      assert (K : possible test (k j) = true) by (apply IH; eauto).
      assert (Some_ : forall l, In j l -> some (fun i => possible test (k i)) l = true).
      { induction l as [|i l IHl]; intros Ij; [contradiction|]. cbn [some]. destruct Ij as [->|Ij]; [now rewrite K|].
        rewrite (IHl Ij). now destruct (possible test (k i)). }
      apply Some_, in_seq. lia.
Qed.
Fixpoint idle_servers (s : list status) : nat :=
  match s with [] => 0 | f :: s => (match f with Idle => 1 | _ => 0 end + idle_servers s)%nat end.
Lemma idle_servers_le s : (idle_servers s <= length s)%nat.
Proof. induction s as [|f s IH]; cbn [idle_servers length]; [lia|]. destruct f; lia. Qed.
Lemma put_fewer m q s : (m < length s)%nat -> nth m s Idle = Idle ->
  (idle_servers (put m (Busy q) s) < idle_servers s)%nat.
Proof.
  revert m. induction s as [|g s IH]; intros [|m]; cbn [put length idle_servers nth]; intros H E_; try lia.
  - subst g. lia.
  - specialize (IH m ltac:(lia) E_). lia.
Qed.
Lemma put_length m f s : length (put m f s) = length s.
Proof. revert m. induction s as [|g s IH]; intros [|m]; cbn [put length]; auto. Qed.
Section Settles.
  Variables (C : cluster) (P : policy) (len : list Z).
  Definition declining (s : list status) (l : list nat) : Prop :=
    forall m, In m l -> nth m s Idle = Idle -> declines C P (len, s) m = true.
  Lemma round_settles order : forall started s e, (forall m, In m order -> (m < length s)%nat) ->
    In e (run (round integers C P len order started s)) ->
    length (snd (snd e)) = length s /\
    (snd e = (started, s) /\ declining s order \/
     fst (snd e) = true /\ (idle_servers (snd (snd e)) < idle_servers s)%nat).
  Proof.
    induction order as [|m order IH]; intros started s e Le I; cbn [round] in I.
    { destruct I as [<-|[]]. split; [reflexivity|]. left. split; [reflexivity|]. intros k []. }
    assert (Le' : forall k, In k order -> (k < length s)%nat) by (intros; apply Le; now right).
    assert (Skip : forall d, In d (run (round integers C P len order started s)) -> snd e = snd d ->
      (nth m s Idle = Idle -> declines C P (len, s) m = true) -> length (snd (snd e)) = length s /\
      (snd e = (started, s) /\ declining s (m :: order) \/
       fst (snd e) = true /\ (idle_servers (snd (snd e)) < idle_servers s)%nat)).
    { intros d Id Eq D. destruct (IH started s d Le' Id) as [Ld Cases]. rewrite Eq. split; [exact Ld|].
      destruct Cases as [[Es De]|Lt]; [left; split; [exact Es|]|now right]. intros k [<-|K]; auto. }
    destruct (nth m s Idle) eqn:F; [|apply (Skip e I eq_refl); intros; discriminate..].
    apply bind_outcome in I as (a & b & Ia & Ib & Eb).
    set (test := fun tied : list (nat * nat) => match tied with [] => true
      | _ => some (fun c => waiting_tasks integers len (executing C P s) (fst c) <=? 0) tied end).
    assert (Declines : test (snd a) = true -> declines C P (len, s) m = true).
    { intro Ta. unfold declines. apply possible_outcome. exists a. split; [exact Ia|exact Ta]. }
    destruct (snd a) as [|c l] eqn:Sa; [apply (Skip b Ib Eb); intros _; now apply Declines|].
    apply bind_outcome in Ib as (q & d & Iq & Id & Ed).
    assert (Picked : exists x, In x (c :: l) /\ snd q = fst x).
    { unfold pick in Iq. destruct l as [|c' l].
      - destruct Iq as [<-|[]]. exists c. split; [now left|reflexivity].
      - rewrite run_draw in Iq. apply In_branches in Iq as (j & p & y & J & _ & Iy & _ & Ey). cbn [Nat.add] in Iy.
        destruct Iy as [<-|[]]. rewrite map_length in J. rewrite Ey. cbn [snd].
        exists (nth j (c :: c' :: l) (0, 0)%nat). split; [now apply nth_In|reflexivity]. }
    destruct Picked as (x & Ix & Eq). cbn [bind less run] in Id.
    match type of Id with In _ (run (if ?b then _ else _)) => destruct b eqn:W end.
    - assert (L : (m < length s)%nat) by (apply Le; now left). pose proof (put_fewer m (snd q) s L F) as Less.
      destruct (IH true (put m (Busy (snd q)) s) d ltac:(intros; rewrite put_length; now apply Le') Id) as [Ld Cases].
      rewrite put_length in Ld. rewrite Eb, Ed. split; [exact Ld|]. right. destruct Cases as [[Es _]|[T Lt]].
      + rewrite Es. now split.
      + split; [exact T|lia].
    - apply (Skip d Id ltac:(congruence)). intros _. apply Declines. cbn [test].
      assert (K : waiting_tasks integers len (executing C P s) (fst x) <=? 0 = true).
      { rewrite <- Eq. apply Z.leb_le. cbn in W |- *. apply Z.leb_gt in W. lia. }
      clear - Ix K. induction (c :: l) as [|y t IHt]; [contradiction|]. cbn [some].
      destruct Ix as [->|Ix]; [now rewrite K|].
      rewrite (IHt Ix). match goal with |- (if ?b then _ else _) = _ => now destruct b end.
  Qed.
  Theorem offer_settles order s e : (forall m, In m order -> (m < length s)%nat) ->
    In e (run (offer integers C P len order s)) -> length (snd e) = length s /\ declining (snd e) order.
  Proof.
    unfold offer. assert (H : (idle_servers s < S (length s))%nat) by (pose proof (idle_servers_le s); lia).
    revert s H e. intro s. generalize (S (length s)) as n. intro n. revert s.
    induction n as [|n IH]; intros s H e Le I; cbn [rounds] in I; [lia|].
    apply bind_outcome in I as (r & b & Ir & Ib & Eb).
    destruct (round_settles order false s r Le Ir) as [Lr Cases]. destruct Cases as [[Es De]|[T Lt]].
    - rewrite Es in Ib. cbn [fst snd] in Ib. destruct Ib as [<-|[]]. rewrite Eb. cbn [snd]. now split.
    - rewrite T in Ib. destruct (IH (snd (snd r)) ltac:(lia) b ltac:(rewrite Lr; exact Le) Ib) as [Lb D]. rewrite Eb.
      split; [congruence|exact D].
  Qed.
End Settles.

Lemma event_E C streams interrupts P (f : state -> Q) x : (E f (event_chain C streams interrupts P x)
  == E (fun y => f (add (fst x) (fst y), snd y)) (run (event integers C streams interrupts P (fst x) (snd x))))%Q.
Proof. unfold event_chain. induction (run _) as [|e l IH]; [reflexivity|]. cbn [map]. rewrite !E_cons, IH.
reflexivity. Qed.

Section EventDrift.
  Variables (C : cluster) (streams : list Q) (interrupts : preemption) (P : policy) (V : lyapunov).
  Variable statuses : list (list status).
  Variables (factor : Z) (fall : list status -> form) (T : Z) (measure : list status -> form) (jump : option Z).
  Notation n := (queues C (keeps P)).
  Notation step_holds := (step_holds C P V statuses factor fall T measure jump).
  Notation event_run x := (run (event integers C streams interrupts P (fst x) (snd x))).

  (* ---- settled states, in the comparisons of the C++ ---- *)

  Section Asked.
    Context {N : Type} (num : numbers N).
    Fixpoint all_wait (len : list N) (s : list status) (tied : list (nat * nat)) : program N bool :=
      match tied with
      | [] => Ret true
      | c :: tied =>
          waits <- less num (const num 0) (waiting_tasks num len (executing C P s) (fst c));
          if waits : bool then all_wait len s tied else Ret false
      end.
    Fixpoint settled_at (len : list N) (s : list status) (l : list nat) : program N bool :=
      match l with
      | [] => Ret true
      | m :: l =>
          match nth m s Idle with
          | Idle =>
              tied <- answer_of num C P len s m;
              starts <- (match tied with [] => Ret false | _ => all_wait len s tied end);
              if starts : bool then Ret false else settled_at len s l
          | _ => settled_at len s l
          end
      end.
    Definition asks_settled (len : list N) (s : list status) : program N bool :=
      match interrupts with no_preemption => settled_at len s (every_server C) | resume => Ret true end.
  End Asked.
  Lemma asks_settled_sim x len len' s : lengths_agree x len len' ->
    sim x eq (asks_settled forms len s) (asks_settled integers len' s).
  Proof.
    intro agree. unfold asks_settled. destruct interrupts; [|now apply SimRet].
    assert (Wait : forall tied, sim x eq (all_wait forms len s tied) (all_wait integers len' s tied)).
    { induction tied as [|c tied IH]; cbn [all_wait]; [now apply SimRet|].
      eapply sim_bind; [apply less_sim; [apply value_const|apply waiting_agree, agree]|].
      intros [|] _ <-; [exact IH|now apply SimRet]. }
    induction (every_server C) as [|m l IH]; cbn [settled_at]; [now apply SimRet|].
    destruct (nth m s Idle); [|exact IH..].
    eapply sim_bind; [apply rule_sim, agree|]. intros tied _ <-. apply sim_bind with (R := eq).
    - destruct tied; [now apply SimRet|apply Wait].
    - intros [|] _ <-; [now apply SimRet|exact IH].
  Qed.
  Lemma all_wait_run len s tied : run (all_wait integers len s tied)
    = [(1%Q, every (fun c => 0 <? waiting_tasks integers len (executing C P s) (fst c)) tied)].
  Proof.
    induction tied as [|c tied IH]; cbn [all_wait every]; [reflexivity|]. unfold less. cbn [bind run].
    assert (Eq : (0 <=? plus integers (minus integers (waiting_tasks integers len (executing C P s) (fst c)) (const
      integers 0))
                    (const integers (-1))) = (0 <? waiting_tasks integers len (executing C P s) (fst c))).
    { unfold minus. cbn [plus times const integers]. destruct (Z.leb_spec 0 (waiting_tasks integers len (executing C P
        s) (fst c)
        + -1 * 0 + -1)), (Z.ltb_spec 0 (waiting_tasks integers len (executing C P s) (fst c))); auto; lia. }
    rewrite Eq. destruct (0 <? _); [exact IH|reflexivity].
  Qed.
  Lemma settled_asked x : match interrupts with no_preemption => settled C P x = true | resume => True end ->
    exists e, In e (run (asks_settled integers (fst x) (snd x))) /\ snd e = true.
  Proof.
    destruct x as [len s]. unfold asks_settled. cbn [fst snd].
    destruct interrupts; [|intros _; exists (1%Q, true); split;
      [now left|reflexivity]].
    unfold settled. cbn [fst snd]. induction (every_server C) as [|m l IH]; cbn [every settled_at]; intro H.
    { exists (1%Q, true). split; [now left|reflexivity]. }
    apply if_true in H as [D H]. specialize (IH H). destruct (nth m s Idle); [|exact IH..].
    destruct IH as (b & Ib & Tb).
    unfold declines in D. cbn [fst snd] in D. apply possible_outcome in D as (a & Ia & Ta).
    assert (K : exists c, In c (run (match snd a with [] => Ret false | _ => all_wait integers len s (snd a) end)) /\
      snd c = false).
    { destruct (snd a) as [|c t]; [exists (1%Q, false); split; [now left|reflexivity]|]. rewrite all_wait_run.
      eexists. split; [now left|]. cbn [snd]. apply some_In in Ta as (d & Id & W). apply Z.leb_le in W.
      destruct (every _ (c :: t)) eqn:Ev; [|reflexivity]. pose proof (every_In _ _ Ev d Id) as K. apply Z.ltb_lt in K.
      lia. }
    destruct K as (c & Ic & Fc). set (rest := fun starts : bool => if starts then Ret false else settled_at integers
      len s l) in *.
    assert (Ib' : In b (run (rest (snd c)))) by (rewrite Fc; exact Ib).
    destruct (outcome_bind _ rest c b Ic Ib') as (d & Id & Ed).
    destruct (outcome_bind (answer_of integers C P len s m) (fun tied =>
      starts <- (match tied with [] => Ret false | _ => all_wait integers len s tied end);
        rest starts) a d Ia Id) as (e & Ie & Ee).
    exists e. split; [exact Ie|congruence].
  Qed.

  (* ---- what is checked ---- *)

  Notation symbols := (symbols C P).
  Definition event_questions (s : list status) : asks (option (form * list (Q * (list Z * list status) * form))) :=
    abind (collect (asks_settled forms symbols s)) (fun settled =>
      if some snd settled then
        abind (regret_form (regrets V) (repeat 0 n) s) (fun now =>
        abind (collect (event forms C streams interrupts P symbols s)) (fun l =>
        abind (nexts V l) (fun l => Done (Some (now, l)))))
      else Done None).
  Definition event_leaf (s : list status) (path : list constraint)
      (a : option (form * list (Q * (list Z * list status) * form))) (w : list Z) : bool :=
    match a with None => true | Some a => leaf C P V statuses factor fall T measure jump s path a w end.
  Definition event_check (trees : list tree) : bool :=
    if Nat.eqb (length trees) (length (shapes statuses)) then
      every (fun e => walk n (executing C P (fst e)) (event_leaf (fst e)) (event_questions (fst e)) (base C P (fst e))
        (snd e))
        (combine (shapes statuses) trees)
    else false.
  Theorem event_check_sound trees x : event_check trees = true -> between_events C interrupts P statuses x ->
    step_holds (event_run x) x.
  Proof.
    intros H [(Ln & In_ & Lo) St]. apply settled_asked in St. destruct x as [x s]. cbn [fst snd] in *.
    unfold event_check in H.
    apply if_true in H as [Le H]. apply Nat.eqb_eq in Le.
    assert (exists t, In (s, t) (combine (shapes statuses) trees)) as [t I].
    { apply shapes_In in In_. clear H Lo St. revert trees Le In_.
      induction (shapes statuses) as [|r sh IH]; [contradiction|].
      intros [|t trees]; [discriminate|]. intros [= Le] [->|I]; [exists t; now left|].
      destruct (IH trees Le I) as [t' I'].
      exists t'. now right. }
    pose proof (every_In _ _ H _ I) as W. cbv beta in W. cbn [fst snd] in W.
    set (holds_of := fun a => match a with None => True | Some a => forms_hold C P V statuses factor fall T measure
      jump x s a end).
    assert (F : holds_of (answer x (event_questions s))).
    { refine (walk_sound n (executing C P s) (event_leaf s) x holds_of _ Lo (event_questions s) (base C P s) t
        (base_holds C P x s Lo) W).
      intros path [a|] w Fp Lf; [|exact Logic.I]. now apply (leaf_sound C P V statuses factor fall T measure jump x s
        path a w). }
    unfold event_questions in F. rewrite answer_bind in F.
    rewrite (collect_sound x _ _ (asks_settled_sim x symbols x s (symbols_agree C P x Ln))) in F.
    destruct St as (e & Ie & Te). assert (Some_ : some snd (run (asks_settled integers x s)) = true).
    { clear - Ie Te. induction (run (asks_settled integers x s)) as [|d l IH]; [contradiction|]. cbn [some].
      destruct Ie as [->|Ie]; [now rewrite Te|]. rewrite (IH Ie). now destruct (snd d). }
    rewrite Some_ in F. rewrite !answer_bind in F. cbn [answer] in F.
    rewrite (collect_sound x _ _ (event_sim x C streams interrupts P symbols x s (symbols_agree C P x Ln))) in F.
    now apply forms_sound.
  Qed.
  Lemma happens_outcome len s h a : length s = servers C -> In a (run (happens integers C P len s h)) ->
    snd a = (repeat 0 n, s, []) \/
    length (snd (fst (snd a))) = length s /\ forall m, In m (snd (snd a)) <-> (m < servers C)%nat.
  Proof.
    intros Ls I. destruct h as [t|m]; cbn [happens] in I.
    - apply bind_outcome in I as (tied & b & _ & Ib & Eb). apply bind_outcome in Ib as (q & c & _ & Ic & Ec).
      destruct Ic as [<-|[]]. right. rewrite Eb, Ec. cbn [fst snd]. split; [reflexivity|]. intro m.
      apply after_arrival_In.
    - destruct (nth m s Idle) as [|q|q] eqn:F; [destruct I as [<-|[]]; now left| |destruct I as [<-|[]]; now left].
      apply bind_outcome in I as (b & c & _ & Ic & Ec). destruct Ic as [<-|[]]. cbn [snd] in Ec. rewrite Ec.
      destruct (snd b); [|now left]. right. cbn [fst snd]. split; [apply put_length|]. intro k.
      apply after_completion_In.
      destruct (Nat.lt_ge_cases m (length s)) as [Lt|Ge]; [lia|]. rewrite nth_overflow in F by exact Ge. discriminate.
  Qed.
  (* The next states of an event without preemption are settled. *)
  Theorem event_settles trees x e : event_check trees = true -> between_events C interrupts P statuses x ->
    length statuses = servers C -> In e (event_run x) ->
    between_events C interrupts P statuses (add (fst x) (fst (snd e)), snd (snd e)).
  Proof.
    intros H Bx Ls I. destruct (event_check_sound trees x H Bx) as (_ & Next & _). destruct (Next e I) as [Ld Ve].
    split; [exact Ve|]. revert I. destruct interrupts; [|trivial]. intro I. unfold event in I. cbn [bind] in I.
    rewrite run_draw in I. apply In_branches in I as (j & p & d & _ & _ & Id & _ & Eq). cbn [Nat.add] in Id.
    rewrite Eq in Ld, Ve |- *.
    unfold follows in Id. apply bind_outcome in Id as (a & b & Ia & Ib & Eb). rewrite Eb in Ld, Ve |- *.
    apply bind_outcome in Ib as (r & c & Ir & Ic & Ec). destruct Ic as [<-|[]]. cbn [fst snd] in Ec.
    rewrite Ec in Ld, Ve |- *.
    cbn [fst snd] in *. destruct Bx as [(Lx & Sx & _) St]. assert (Lstat : length (snd x) = servers C).
    { rewrite <- Ls. clear - Sx. induction Sx; cbn [length]; congruence. }
    rewrite moved_add in Ir by exact Ld. destruct (happens_outcome (fst x) (snd x) _ a Lstat Ia) as [Same|[La All]].
    - rewrite Same in Ir, Ld |- *. cbn [fst snd] in *. destruct Ir as [<-|[]]. cbn [snd].
      assert (Eq0 : add (fst x) (repeat 0 n) = fst x) by (rewrite <- Lx; apply add_zeros). rewrite Eq0.
      now destruct x as [y s].
    - destruct (offer_settles C P _ _ _ r (fun m Im => eq_ind_r (fun k => (m < k)%nat) (proj1 (All m) Im) (eq_trans La
        Lstat)) Ir)
        as [_ D].
      unfold settled. cbn [fst snd]. assert (K : forall l, (forall m, In m l -> (m < servers C)%nat) ->
        every (fun m => match nth m (snd r) Idle with Idle => declines C P (add (fst x) (fst (fst (snd a))), snd r) m
          | _ => true end) l
          = true).
      { induction l as [|m l IH]; intro Le; cbn [every]; [reflexivity|]. rewrite IH by (intros; apply Le; now right).
        destruct (nth m (snd r) Idle) eqn:F; auto. rewrite (D m); [reflexivity| |exact F]. apply All, Le. now left. }
      apply K. intros m Im. apply in_seq in Im. lia.
  Qed.
End EventDrift.

(* ---- Foster: from any state between events the set {measure < T} is reached in mean time at most V / fall per event
  ---- *)

Section Stable.
  Variables (C : cluster) (streams : list Q) (interrupts : preemption) (P : policy) (V : lyapunov).
  Variable statuses : list (list status).
  Variables (fall T : Z) (measure : form) (trees : list tree).
  Notation meant := (between_events C interrupts P statuses).
  Notation step := (event_chain C streams interrupts P).
  Definition event_accepts : bool :=
    if Nat.eqb (length statuses) (servers C) then
      if listed (repeat Idle (servers C)) statuses then
        if (match interrupts with no_preemption => settled C P (empty_state C P) | resume => true end) then
          if positive_form (queues C (keeps P)) measure then
            if nonnegative V then
              event_check C streams interrupts P V statuses 1 (fun _ => form_const fall) T (fun _ => measure) None
                trees else false
          else false
        else false
      else false
    else false.
  Theorem event_empty_meant : event_accepts = true -> meant (empty_state C P).
  Proof.
    intro H. unfold event_accepts in H. split_ifs. split; [now apply idle_valid|]. now destruct interrupts.
  Qed.
  Theorem event_target_finite : event_accepts = true -> forall x, meant x -> measured_below measure T x = true ->
    Forall (fun q => 0 <= q < T) (fst x).
  Proof. intros H x [Vx _] B. unfold event_accepts in H. split_ifs.
  now apply (positive_finite C P statuses T measure). Qed.
  Theorem event_mean_time_bounded : event_accepts = true -> forall n x, meant x ->
    (mean_time step (measured_below measure T) n x * inject_Z fall <= inject_Z (value_of V x))%Q.
  Proof.
    intros H n x. unfold event_accepts in H. split_ifs.
    match goal with K : event_check _ _ _ _ _ _ _ _ _ _ _ _ = true |- _ => rename K into Check end.
    match goal with K : Nat.eqb (length statuses) _ = true |- _ => apply Nat.eqb_eq in K; rename K into Ls end.
    pose proof (fun y My => event_check_sound _ _ _ _ _ _ _ _ _ _ _ trees y Check My) as Sound.
    apply (foster step meant) with (V := fun y => inject_Z (value_of V y)).
    - intros y My. destruct (Sound y My) as ([Po One] & _). split.
      + intros e I. unfold event_chain in I. apply in_map_iff in I as (d & <- & I). exact (Po d I).
      + now rewrite event_E.
    - intros y e My I. unfold event_chain in I. apply in_map_iff in I as (d & <- & I).
      exact (event_settles _ _ _ _ _ _ _ _ _ _ _ trees y d Check My Ls I).
    - intros y [Vy _]. change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. apply nonnegative_sound; auto.
      eapply valid_nonnegative; eauto.
    - intros y My B. unfold measured_below in B. apply Z.ltb_ge in B. destruct (Sound y My) as ([_ One] & _ & D & _).
      specialize (D B). cbv beta in D. rewrite value_const in D.
      rewrite (E_equal _ (fun z => - inject_Z (value_of V y) + 1 * inject_Z (value_of V (add (fst y) (fst z), snd
        z)))%Q) in D.
      + rewrite event_E. rewrite (E_affine (fun z => inject_Z (value_of V (add (fst y) (fst z), snd z)))), One in D.
        lra.
      + intros e _. rewrite Z.mul_1_l. unfold Z.sub. rewrite inject_Z_plus, inject_Z_opp. ring.
  Qed.
End Stable.
