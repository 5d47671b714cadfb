(* The second half of a slot where each server serves queues of its own: schedule, match, serve, depart.

   The policy may be any whose idle servers turn to queues of their own, to one with a task if there is one. Then what the
   servers run is decided without a draw of the match ([hand_out_ok]), a server with workload is busy, and the squared
   workloads fall on average by exactly what the busy servers take off ([depart_mean]). *)
From Coq Require Import ZArith QArith Lqa List Bool Lia Arith.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Outcomes Rules Capacity Layout Draws.
Import ListNotations.

Open Scope Z_scope.
Section Service.
  Variables (C : cluster) (route serve : set).
  Hypothesis WF : well_formed C.
  Notation A := per_server_and_level.
  Notation P := (Policy A route serve).
  Notation n := (queues C A).
  Notation owner := (owner C A).
  (* ---- who runs what at the start of the slot ---- *)

  Definition own (m q : nat) : Prop := owner q = m /\ (q < n)%nat.
  Definition serves_own (m : nat) (f : status) : Prop := match f with Idle => True | Busy q => own m q | Phantom _ => False end.
  Lemma length_executing s : length (executing C P s) = n.
  Proof.
    unfold executing. induction s as [|[|q|q] s IH]; cbn [fold_right]; auto; [apply repeat_length|]. now rewrite length_bump.
  Qed.
  Definition runs (f : status) (q : nat) : Z := match f with Busy r => if Nat.eqb q r then 1 else 0 | _ => 0 end.
  (* Of a queue at most one task is in execution: its owner's. *)
  Lemma executing_own s : forall k, each serves_own k s -> forall q,
    nth q (executing C P s) 0 = if Nat.ltb (owner q) k then 0 else runs (nth (owner q - k) s Idle) q.
  Proof.
    induction s as [|f s IH]; intros k H q.
    - unfold executing; cbn [fold_right keeps]. rewrite nth_repeat. destruct (owner q - k)%nat; now destruct (Nat.ltb _ _).
    - inversion H as [|? ? ? Hf Hs]; subst. specialize (IH (S k) Hs q).
      assert (Head : nth q (executing C P (f :: s)) 0 = nth q (executing C P s) 0 + runs f q).
      { destruct f as [|r|r]; cbn [runs]; unfold executing; cbn [fold_right]; fold (executing C P s); try lia.
        rewrite nth_bump; [reflexivity|]. rewrite length_executing. apply Hf. }
      rewrite Head, IH. destruct (Nat.ltb_spec (owner q) k).
      + destruct (Nat.ltb_spec (owner q) (S k)); [|lia]. unfold runs. destruct f as [|r|r]; auto.
        destruct Hf as [Ow _]. destruct (Nat.eqb_spec q r); [subst; lia|reflexivity].
      + destruct (Nat.ltb_spec (owner q) (S k)).
        * replace (owner q - k)%nat with 0%nat by lia. reflexivity.
        * replace (owner q - k)%nat with (S (owner q - S k)) by lia. cbn [nth].
          unfold runs at 2. destruct f as [|r|r]; try lia. destruct Hf as [Ow _]. destruct (Nat.eqb_spec q r); [subst; lia|lia].
  Qed.
  Definition free (inside : list Z) (m : nat) : Prop := forall q, owner q = m -> nth q inside 0 = 0.
  Lemma idle_free s : each serves_own 0 s -> each (fun m f => f = Idle -> free (executing C P s) m) 0 s.
  Proof.
    intro H. assert (K : forall k t, (forall i, nth i t Idle = nth (k + i) s Idle) ->
      each (fun m f => f = Idle -> free (executing C P s) m) k t).
    { intros k t. revert k. induction t as [|f t IH]; intros k Eq; constructor.
      - intros -> q Ow. rewrite (executing_own s 0 H q), Ow. cbn [Nat.ltb Nat.leb]. rewrite Nat.sub_0_r.
        specialize (Eq 0%nat). rewrite Nat.add_0_r in Eq. rewrite <- Eq. reflexivity.
      - apply IH. intro i. specialize (Eq (S i)). rewrite Nat.add_succ_r in Eq. exact Eq. }
    now apply K.
  Qed.

  (* ---- schedule ---- *)

  Variable len : list Z.                     (* lengths at the start of the slot *)
  Hypothesis len_all : length len = n.
  Hypothesis unmatched_servers : unmatched_is (option_of C) = idle_again.

  Definition empty_server (m : nat) : Prop := forall q, own m q -> nth q len 0 <= 0.
  Definition good_choice (m q : nat) : Prop := own m q /\ (0 < nth q len 0 \/ empty_server m).
  Hypothesis turns_to_own_work : forall inside m, (m < servers C)%nat -> free inside m -> exists tied,
    answers (set_of integers C A len inside (Serving m) serve []) tied /\ tied <> [] /\
      forall c, In c tied -> good_choice m (fst c).

  Definition aims (inside : list Z) (m : nat) (t : pointing) : Prop :=
    match t with
    | Nowhere => False
    | Executing q => own m q /\ 1 <= nth q len 0
    | Asking q => good_choice m q /\ nth q inside 0 = 0
    end.
  Lemma schedule_ok inside s : forall k, (k + length s <= servers C)%nat ->
    each (fun m f => match f with Idle => free inside m | Busy q => own m q /\ 1 <= nth q len 0 | Phantom _ => False end) k s ->
    always (fun ts => each (aims inside) k ts /\ length ts = length s) (schedule integers C P len inside k s).
  Proof.
    induction s as [|f s IH]; intros k Le H; cbn [schedule]; [constructor; split; [constructor|reflexivity]|].
    inversion H as [|? ? ? Hf Hs]; subst. cbn [length] in Le. specialize (IH (S k) ltac:(lia) Hs). destruct f as [|q|q];
      [| |contradiction].
    - destruct (turns_to_own_work inside k ltac:(lia) Hf) as (tied & At & Ne & Good).
      eapply always_answer; [exact At|]. destruct tied as [|c l]; [easy|].
      eapply always_bind; [now apply pick_member|]. intros q (d & Id & ->). eapply always_bind; [exact IH|].
      intros ts [Ts Lt]. constructor. split; [constructor; auto|cbn [length]; lia]. specialize (Good d Id). split; auto.
        now apply Hf, Good.
    - eapply always_bind; [exact IH|]. intros ts [Ts Lt]. constructor. split; [constructor; auto|cbn [length]; lia].
  Qed.

  (* ---- match ---- *)

  Variable d : list Z.                       (* what arrived, per queue *)
  Hypothesis d_all : length d = n.
  Hypothesis d_nonnegative : forall q, 0 <= nth q d 0.
  Definition granted (q : nat) : Z := if 0 <? nth q len 0 + nth q d 0 then 1 else 0.
  Lemma to_hand_out_ok inside ts : forall k places, length places = n -> each (aims inside) k ts ->
    (forall q, (k <= owner q)%nat -> nth q places 0 = 0) ->
    exists places', answers (to_hand_out integers len d inside ts places) places' /\ length places' = n /\
      (forall q, (owner q < k)%nat -> nth q places' 0 = nth q places 0) /\
      each (fun _ t => match t with Asking q => nth q places' 0 = granted q | _ => True end) k ts.
  Proof.
    induction ts as [|t ts IH]; intros k places Lp H Z0; cbn [to_hand_out]; [exists places; repeat split; auto; constructor|].
    inversion H as [|? ? ? Ht Hs]; subst. destruct t as [|q|q]; [contradiction| |].
    - destruct (IH (S k) places Lp Hs) as (places' & Ap & Lp' & Keep & Each); [intros; apply Z0; lia|].
      exists places'. split; [exact Ap|]. split; [assumption|]. split; [intros; apply Keep; lia|]. now constructor.
    - destruct Ht as [[[Ow Q] _] In0]. set (next := if 0 <? nth q len 0 + nth q d 0 then bump 1 q places else places).
      assert (Le : length next = n) by (unfold next; destruct (0 <? _); rewrite ?length_bump; exact Lp).
      assert (Nx : forall r, nth r next 0 = nth r places 0 + if Nat.eqb r q then granted q else 0).
      { intro r. unfold next, granted. destruct (0 <? _); [rewrite nth_bump by lia; reflexivity|]. destruct (Nat.eqb r q); lia. }
      destruct (IH (S k) next Le Hs) as (places' & Ap & Lp' & Keep & Each).
      { intros r R. rewrite Nx, Z0 by lia. destruct (Nat.eqb_spec r q); [subst; lia|reflexivity]. }
      exists places'. split; [|split; [assumption|split]].
      + eapply answers_bind; [apply answers_less|]. cbn [integers plus const]. rewrite In0, Z0 by lia. exact Ap.
      + intros r R. rewrite Keep, Nx by lia. destruct (Nat.eqb_spec r q); [subst; lia|lia].
      + constructor; [|assumption]. rewrite Keep, Nx, Nat.eqb_refl, Z0 by lia. lia.
  Qed.
  Definition decided (t : pointing) : status :=
    match t with Nowhere => Idle | Executing q => Busy q | Asking q => if 0 <? nth q len 0 + nth q d 0 then Busy q else Idle end.
  Lemma asking_elsewhere inside ts q : forall k, each (aims inside) k ts -> (owner q < k)%nat -> asking ts q = 0.
  Proof.
    unfold asking. induction ts as [|t ts IH]; intros k H Lt; cbn [fold_right]; [reflexivity|]. inversion H as [|? ? ? Ht Hs];
      subst.
    rewrite (IH (S k)) by (auto; lia). destruct t as [|r|r]; auto. destruct Ht as [[[Ow _] _] _]. destruct (Nat.eqb_spec q r);
      [subst; lia|reflexivity].
  Qed.
  Lemma hand_out_ok inside ts : forall k left, length left = n -> each (aims inside) k ts ->
    each (fun _ t => match t with Asking q => nth q left 0 = granted q | _ => True end) k ts ->
    answers (hand_out C ts left) (map decided ts).
  Proof.
    induction ts as [|t ts IH]; intros k left Ll H G; cbn [hand_out map]; [constructor|].
    inversion H as [|? ? ? Ht Hs]; inversion G as [|? ? ? Gt Gs]; subst. destruct t as [|q|q]; [contradiction| |].
    - eapply answers_bind; [eapply IH; eauto|]. constructor.
    - rewrite Gt. unfold granted. cbn [decided].
      destruct (0 <? nth q len 0 + nth q d 0) eqn:Some_.
      + cbn [Z.leb Z.compare]. eapply answers_bind with (a := true).
        * destruct (scarce (option_of C)); [constructor|].
          assert (asking (Asking q :: ts) q = 1) as ->.
          { unfold asking. cbn [fold_right]. fold (asking ts q). rewrite (asking_elsewhere inside ts q (S k) Hs), Nat.eqb_refl;
            [reflexivity|].
            destruct Ht as [[[Ow _] _] _]. lia. }
          constructor.
        * eapply answers_bind; [|constructor]. apply IH with (S k); auto; [now rewrite length_bump|].
          assert (K : each (fun m t => aims inside m t /\ match t
            with Asking q => nth q left 0 = granted q | _ => True end) (S k) ts)
            by now apply each_both.
          refine (each_weaken _ _ _ _ K _). intros m t Le [At Pt]. destruct t as [|r|r]; auto. destruct At as [[[Or R] _] _].
          destruct Ht as [[[Oq Q] _] _]. rewrite nth_bump, Pt by lia. destruct (Nat.eqb_spec r q); [subst; lia|lia].
      + cbn [Z.leb Z.compare bind]. eapply answers_bind; [eapply IH; eauto|]. rewrite unmatched_servers. constructor.
  Qed.
  (* A server that is not busy in the slot had no work at its start. *)
  Definition busy_or_empty (y : list Z) (m : nat) (f : status) : Prop :=
    match f with Busy q => own m q /\ 1 <= nth q y 0 | Idle => empty_server m | Phantom _ => False end.
  Lemma decided_ok inside ts k : each (aims inside) k ts -> each (busy_or_empty (add len d)) k (map decided ts).
  Proof.
    intro H. apply each_map. refine (each_weaken _ _ _ _ H _). intros m t _ At. destruct t as [|q|q];
      cbn [decided aims busy_or_empty] in *.
    - contradiction.
    - destruct At as [O L]. split; auto. rewrite nth_add by congruence. specialize (d_nonnegative q). lia.
    - destruct At as [[O W] _]. destruct (Z.ltb_spec 0 (nth q len 0 + nth q d 0)).
      + split; auto. rewrite nth_add by congruence. lia.
      + specialize (d_nonnegative q). destruct W as [W|W]; [lia|exact W].
  Qed.
End Service.

(* ---- depart ---- *)

Open Scope Q_scope.
Section Departures.
  Variables (C : cluster) (route serve : set).
  Hypothesis WF : well_formed C.
  Notation A := per_server_and_level.
  Notation P := (Policy A route serve).
  Notation n := (queues C A).
  Notation owner := (owner C A).
  Notation own := (own C).

  Definition live (y : list Z) (m : nat) (f : status) : Prop :=
    match f with Idle => True | Busy q => own m q /\ (1 <= nth q y 0)%Z | Phantom _ => False end.
  Lemma live_keeps y y' k now : each (live y) k now -> (forall q, (k <= owner q)%nat -> nth q y' 0%Z = nth q y 0%Z) ->
    each (live y') k now.
  Proof.
    intros H K. refine (each_weaken _ _ _ _ H _). intros m [|q|q] Le L; auto. destruct L as [[Ow Q] L]. split; [split; auto|].
    rewrite K; [assumption|lia].
  Qed.
  Variable x : list Z.
  Hypothesis x_all : length x = n.
  (* The next state is one that is meant. *)
  Lemma depart_ok now : forall k d, length d = n -> (forall q, (0 <= nth q (add x d) 0)%Z) -> each (live (add x d)) k now ->
    always (fun r => length (fst r) = n /\ (forall q, (0 <= nth q (add x (fst r)) 0)%Z) /\
              (forall q, (owner q < k)%nat -> nth q (fst r) 0%Z = nth q d 0%Z) /\
              each (live (add x (fst r))) k (snd r) /\ length (snd r) = length now) (depart C P k now d).
  Proof.
    induction now as [|f now IH]; intros k d Ld N0 H; cbn [depart].
    - constructor. cbn [fst snd]. repeat split; auto.
    - inversion H as [|? ? ? Hf Hs]; subst. destruct f as [|q|q]; [| |contradiction].
      + eapply always_bind; [apply (IH (S k) d Ld N0 Hs)|]. intros r (R1 & R2 & R3 & R4 & R5). constructor. cbn [fst snd length].
        split; [assumption|split; [assumption|split; [intros; apply R3; lia|split; [now constructor|lia]]]].
      + destruct Hf as [[Ow Q] L]. cbn [keeps]. rewrite rate_of_server. destruct (rate_of_bounds C WF q) as [[Rp Ru] _].
        eapply always_bind; [apply coin_always; lra|]. intros b _.
        set (d' := if b then bump (-1) q d else d).
        assert (Ld' : length d' = n) by (unfold d'; destruct b; rewrite ?length_bump; exact Ld).
        assert (K : forall r, r <> q -> nth r d' 0%Z = nth r d 0%Z).
        { intros r Ne. unfold d'. destruct b; auto. rewrite nth_bump by lia. destruct (Nat.eqb_spec r q); [congruence|lia]. }
        assert (Kq : nth q d' 0%Z = (nth q d 0 + if b then -1 else 0)%Z).
        { unfold d'. destruct b; [rewrite nth_bump, Nat.eqb_refl by lia|]; lia. }
        rewrite nth_add in L by congruence.
        assert (N0' : forall r, (0 <= nth r (add x d') 0)%Z).
        { intro r. rewrite nth_add by congruence. specialize (N0 r). rewrite nth_add in N0 by congruence.
          destruct (Nat.eq_dec r q) as [->|Ne]; [rewrite Kq; destruct b; lia|now rewrite K]. }
        assert (Hs' : each (live (add x d')) (S k) now).
        { apply (live_keeps _ _ _ _ Hs). intros r R. rewrite !nth_add by congruence. rewrite K; [reflexivity|]. intros ->. lia. }
        eapply always_bind; [apply (IH (S k) d' Ld' N0' Hs')|]. intros r (R1 & R2 & R3 & R4 & R5). constructor.
          cbn [fst snd length].
        split; [assumption|split; [assumption|split; [|split; [|lia]]]].
        * intros p Lt. rewrite R3 by lia. apply K. intros ->. lia.
        * constructor; [|assumption]. destruct b; [exact I|]. split; [now split|]. rewrite nth_add, R3, Kq by (congruence || lia).
            lia.
  Qed.

  (* What the busy servers take off the squared workloads on average. *)
  Fixpoint taken (k : nat) (now : list status) (y : list Z) : Q :=
    match now with
    | [] => 0
    | Busy q :: now => 2 * workload C y k - / rate_of C q + taken (S k) now y
    | _ :: now => taken (S k) now y
    end.
  Lemma taken_bump z q y now : (q < length y)%nat -> forall k, (owner q < k)%nat -> taken k now (bump z q y) == taken k now y.
  Proof.
    intro Q. induction now as [|[|r|r] now IH]; intros k Lt; cbn [taken]; try (apply IH; lia); [reflexivity|].
    rewrite IH, (workload_bump C WF) by (assumption || lia). destruct (Nat.eqb_spec k (owner q)); [lia|]. ring.
  Qed.
  Theorem depart_mean now : forall k d, (k + length now <= servers C)%nat -> length d = n -> each (live (add x d)) k now ->
    E (fun r => squared_workloads C (add x (fst r))) (run (depart C P k now d))
      == squared_workloads C (add x d) - taken k now (add x d).
  Proof.
    induction now as [|f now IH]; intros k d Le Ld H; cbn [depart taken].
    - cbn [run]. rewrite E_cons, E_nil. cbn [fst snd]. ring.
    - inversion H as [|? ? ? Hf Hs]; subst. cbn [length] in Le. destruct f as [|q|q]; [| |contradiction].
      + rewrite E_return. cbn [fst]. rewrite IH by (auto; lia). reflexivity.
      + destruct Hf as [[Ow Q] L]. cbn [keeps]. rewrite rate_of_server, coin_mean, !E_return. cbn [fst].
        destruct (rate_of_bounds C WF q) as [[Rp _] _].
        rewrite (IH (S k) d) by (auto; lia). rewrite (IH (S k) (bump (-1) q d)).
        * assert (Qy : (q < length (add x d))%nat) by (rewrite length_add; lia).
          rewrite add_bump by congruence. rewrite (squared_bump C WF), taken_bump by (assumption || lia). rewrite Ow.
          change (inject_Z (-1)) with (- (1)). field. lra.
        * lia.
        * now rewrite length_bump.
        * rewrite add_bump by congruence. apply (live_keeps _ _ _ _ Hs). intros r R. rewrite nth_bump by (rewrite length_add; lia).
          destruct (Nat.eqb_spec r q); [subst; lia|lia].
  Qed.
  (* A server with workload is busy: so they take off twice the total workload, but for a constant. *)
  Lemma taken_all y now : (forall q, (0 <= nth q x 0)%Z) -> (forall q, (nth q x 0 <= nth q y 0)%Z) -> forall k,
    (k + length now <= servers C)%nat ->
    each (busy_or_empty C x y) k now -> total (seq k (length now)) (fun m => 2 * workload C x m - / least_rate C) <= taken k now y.
  Proof.
    intros X0 XY. induction now as [|f now IH]; intros k Le H; cbn [length seq taken]; [apply Qle_refl|].
    inversion H as [|? ? ? Hf Hs]; subst. cbn [length] in Le. specialize (IH (S k) ltac:(lia) Hs). cbn [total fold_right].
    fold (total (seq (S k) (length now)) (fun m => 2 * workload C x m - / least_rate C)).
    pose proof (least_rate_positive C WF) as G. pose proof (Qinv_lt_0_compat _ G).
    destruct f as [|q|q]; [| |contradiction].
    - assert (workload C x k <= 0) by (apply (workload_empty C WF); auto; [lia|]; intros q Ow Q; apply Hf; now split). lra.
    - pose proof (workload_monotone C WF x y k XY). pose proof (inverse_rate C WF q). lra.
  Qed.
End Departures.
