(* A lower bound of the mean number of tasks under every policy, from the table of a certificate.

   A central scheduler sees everything: the waiting tasks of each type, what each server does, the whole past, and the
   arrivals of the slot before it decides what idle servers start. A server may start a task at the rate of its level or of
   any farther one. What a table h and a constant H beyond it show of one slot for every choice, Means.v makes a bound of
   the long run for every way of choosing, at random and by the whole past. At most one task completes per server and slot,
   so beyond the box there is nothing to compute. The table is a hint: any function of the state would do.

   Believe: up to the section Check, everything is part of the meaning of a theorem. That a policy of Kernel.v is one of
   the choosers here, whatever its queues, its routing and the options of a slot, is said in
   proofs/queueing/theorems/central_model.hpp and not proved. *)
From Coq Require Import ZArith QArith Lqa List Bool Lia.
From Schedproof Require Import Law Affine Program Cluster Means Tables.
Import ListNotations.
Open Scope Z_scope.

(* Waiting tasks by type; and of each server the rate at which it works, if it does. *)
Definition work := option Q.
Definition central := (list Z * list work)%type.
(* Of each server the type of the task that it starts and the level whose rate it has, if it starts one. *)
Definition start := option (nat * nat).
Definition busy (s : list work) : Z := sum (map (fun f => match f with Some _ => 1 | None => 0 end) s).
Definition tasks_in (x : central) : Z := sum (fst x) + busy (snd x).

(* What follows the outcome of a law. *)
Definition then_law {A B} (l : law A) (f : A -> law B) : law B := flat_map (fun e => scale (fst e) (f (snd e))) l.

Section Slot.
  Variables (C : cluster) (speeds : list (list Q)).    (* of each server, the rates at which it may work *)
  Fixpoint add_counts (wait : list Z) (count : list nat) : list Z :=
    match wait, count with w :: wait, k :: count => w + Z.of_nat k :: add_counts wait count | _, _ => wait end.
  (* The waiting tasks after the arrivals of independent factors. *)
  Fixpoint arriving (factors : list (list (Q * list nat))) (wait : list Z) : law (list Z) :=
    match factors with
    | [] => [(1%Q, wait)]
    | factor :: rest => then_law factor (fun count => arriving rest (add_counts wait count))
    end.
  Fixpoint less_one (t : nat) (wait : list Z) : list Z :=
    match wait, t with w :: wait, O => w - 1 :: wait | w :: wait, S t => w :: less_one t wait | [], _ => [] end.
  Definition rate_of_start (t l : nat) : Q := rate_at C (nth t (row_of_type C) 0%nat) l.
  (* The servers m, m + 1, ... in their order start these tasks. *)
  Fixpoint begun (m : nat) (wait : list Z) (s : list work) (starts : list start) : central :=
    match s with
    | [] => (wait, [])
    | f :: s =>
        match f, hd None starts with
        | None, Some (t, l) => let y := begun (S m) (less_one t wait) s (tl starts) in (fst y, Some (rate_of_start t l) :: snd y)
        | _, _ => let y := begun (S m) wait s (tl starts) in (fst y, f :: snd y)
        end
    end.
  (* Server m may start a task of type t at the rate of level l. *)
  Definition can (wait : list Z) (m t l : nat) : bool :=
    if Nat.ltb t (types C) then
      if Nat.leb (nth m (nth t (level_of_task C) []) 0%nat) l then if Nat.ltb l (levels C) then 0 <? nth t wait 0 else false else
        false
    else false.
  Fixpoint may (m : nat) (wait : list Z) (s : list work) (starts : list start) : Prop :=
    match s with
    | [] => True
    | f :: s =>
        match f, hd None starts with
        | None, Some (t, l) => can wait m t l = true /\ may (S m) (less_one t wait) s (tl starts)
        | _, _ => may (S m) wait s (tl starts)
        end
    end.
  (* Services end independently, each with its rate. *)
  Fixpoint ending (s : list work) : law (list work) :=
    match s with
    | [] => [(1%Q, [])]
    | None :: s => map (fun e => (fst e, None :: snd e)) (ending s)
    | Some mu :: s =>
        scale mu (map (fun e => (fst e, None :: snd e)) (ending s)) ++ scale (1 - mu) (map (fun e => (fst e, Some mu :: snd e))
          (ending s))
    end.
  (* What is started depends on what waits once the slot's tasks have arrived. *)
  Definition choice := list Z -> list start.
  Definition central_step (a : choice) (x : central) : law central :=
    then_law (arriving (arrivals C) (fst x)) (fun wait =>
      let y := begun 0 wait (snd x) (a wait) in map (fun e => (fst e, (fst y, snd e))) (ending (snd y))).
  Definition allowed (x : central) (a : choice) : Prop :=
    forall e, In e (arriving (arrivals C) (fst x)) -> may 0 (snd e) (snd x) (a (snd e)).
  (* Counts that are not negative; servers that work at rates of theirs. *)
  Definition works_at (f : work) (own : list Q) : Prop := match f with Some mu => In mu own | None => True end.
  Definition central_valid (x : central) : Prop :=
    length (fst x) = types C /\ Forall (Z.le 0) (fst x) /\ Forall2 works_at (snd x) speeds.
  Definition number_of_tasks (x : central) : Q := inject_Z (tasks_in x).
End Slot.

(* ---- laws ---- *)

Open Scope Q_scope.
Lemma E_map {A B} (f : B -> Q) (g : A -> B) l : E f (map (fun e => (fst e, g (snd e))) l) == E (fun a => f (g a)) l.
Proof. induction l as [|e l IH]; cbn [map]; [reflexivity|]. rewrite !E_cons, IH. reflexivity. Qed.
Lemma E_then {A B} (f : B -> Q) (l : law A) (g : A -> law B) : E f (then_law l g) == E (fun a => E f (g a)) l.
Proof.
  unfold then_law. induction l as [|e l IH]; cbn [flat_map]; [reflexivity|]. rewrite E_app, E_scale, IH, E_cons. reflexivity.
Qed.
Lemma In_then {A B} (l : law A) (g : A -> law B) e : In e (then_law l g) ->
  exists d c, In d l /\ In c (g (snd d)) /\ fst e == fst d * fst c /\ snd e = snd c.
Proof.
  intro I. apply in_flat_map in I as (d & Id & I). unfold scale in I. apply in_map_iff in I as (c & <- & I). exists d, c.
  cbn [fst snd]. repeat split; auto; reflexivity.
Qed.
Lemma then_is_law {A B} (l : law A) (g : A -> law B) : is_law l -> (forall e, In e l -> is_law (g (snd e))) ->
  is_law (then_law l g).
Proof.
  intros [Po One] G. split.
  - intros e I. apply In_then in I as (d & c & Id & Ic & -> & _). apply Qmult_le_0_compat; [now apply Po|]. now apply (G d Id).
  - rewrite E_then, <- One. apply E_equal. intros e I. now apply G.
Qed.
Lemma map_is_law {A B} (g : A -> B) (l : law A) : is_law l -> is_law (map (fun e => (fst e, g (snd e))) l).
Proof.
  intros [Po One]. split; [intros e I; apply in_map_iff in I as (d & <- & I); now apply Po|]. now rewrite (E_map (fun _ => 1) g).
Qed.
Lemma ending_law s : Forall (fun f => match f with Some mu => 0 <= mu <= 1 | None => True end) s -> is_law (ending s).
Proof.
  induction s as [|f s IH]; intro F; cbn [ending]; [split; [intros e [<-|[]]; cbn; lra|cbn; reflexivity]|].
  inversion F as [|? ? R Fs]; subst. specialize (IH Fs). destruct f as [mu|]; [|now apply map_is_law].
  destruct (map_is_law (cons None) _ IH) as [Pn On], (map_is_law (cons (Some mu)) _ IH) as [Ps Os]. split.
  - intros e I. apply in_app_or in I as [I|I]; unfold scale in I; apply in_map_iff in I as (d & <- & I); cbn [fst];
      apply Qmult_le_0_compat; first [lra|now apply Pn|now apply Ps].
  - rewrite E_app, !E_scale, On, Os. ring.
Qed.

(* ---- the check ---- *)

Section Check.
  Variables (C : cluster) (speeds : list (list Q)) (u : positive) (R bound outside slack : Z) (values : list Z).
  Definition same_rate (p q : Q) : bool := if (Qnum p =? Qnum q)%Z then (Qden p =? Qden q)%positive else false.
  (* The key of a state: the place of each server's rate in its list, 0 where it does not work, and the waiting tasks. *)
  Fixpoint place_of_rate (mu : Q) (own : list Q) (i : Z) : Z :=
    match own with [] => i | nu :: own => if same_rate mu nu then i else place_of_rate mu own (i + 1)%Z end.
  Fixpoint central_key (s : list work) (lists : list (list Q)) (wait : list Z) : list Z :=
    match s, lists with
    | f :: s, own :: lists => match f with Some mu => place_of_rate mu own 1 | None => 0%Z end :: central_key s lists wait
    | _, _ => wait
    end.
  Fixpoint works (lists : list (list Q)) : list (list work) :=
    match lists with [] => [[]] | own :: lists => flat_map (fun f => map (cons f) (works lists)) (None :: map Some own) end.
  (* The valid states with at most this many tasks, in the order of their keys. *)
  Definition states_within (most : Z) : list central :=
    flat_map (fun s => map (fun w => (w, s)) (lengths_within (repeat 1%Z (types C)) (most - busy s)%Z)) (works speeds).
  Definition entries : table Z :=
    table_of (length speeds + types C)
      (map (fun e => (central_key (snd (fst e)) speeds (fst (fst e)), snd e)) (combine (states_within R) values)).
  Section Table.
  Variable t : table Z.
  Definition h (x : central) : Z :=
    (if tasks_in x <=? R then match find t (central_key (snd x) speeds (fst x)) with Some v => v | None => outside end else outside)%Z.
  Fixpoint least_of (l : list Q) (best : Q) : Q := match l with [] => best | q :: l => least_of l (if Qle_bool best q then
    best else q) end.
  (* The mean over the services of a slot, as a number; the least over all that servers m, m + 1, ... may start. *)
  Fixpoint mean_ending (s : list work) (v : list work -> Q) : Q :=
    match s with
    | [] => v []
    | None :: s => mean_ending s (fun r => v (None :: r))
    | Some mu :: s => Qred (mu * mean_ending s (fun r => v (None :: r)) + (1 - mu) * mean_ending s (fun r => v (Some mu :: r)))
    end.
  Definition all_starts : list (nat * nat) := flat_map (fun t => map (pair t) (seq 0 (levels C))) (seq 0 (types C)).
  Fixpoint least_begun (m : nat) (wait : list Z) (s : list work) (v : list Z -> list work -> Q) : Q :=
    match s with
    | [] => v wait []
    | Some mu :: s => least_begun (S m) wait s (fun w r => v w (Some mu :: r))
    | None :: s =>
        least_of (map (fun c => least_begun (S m) (less_one (fst c) wait) s (fun w r => v w (Some (rate_of_start C (fst c) (snd c))
          :: r)))
                      (filter (fun c => can C wait m (fst c) (snd c)) all_starts))
                 (least_begun (S m) wait s (fun w r => v w (None :: r)))
    end.
  Definition least_mean (x : central) : Q :=
    fold_right (fun e rest => Qred (fst e * least_begun 0 (snd e) (snd x)
      (fun w s => mean_ending s (fun r => inject_Z (h (w, r)))) + rest)) 0 (arriving (arrivals C) (fst x)).
  Definition row_holds (x : central) : bool :=
    let here := h x in
    if (here <=? slack)%Z then Qle_bool (inject_Z (here - Zpos u * tasks_in x + bound)%Z) (least_mean x) else false.
  End Table.
  Definition distribution (factor : list (Q * list nat)) : bool :=
    if every (fun e => if Qle_bool 0 (fst e) then Nat.eqb (length (snd e)) (types C) else false) factor
    then Qeq_bool (E (fun _ => 1) factor) 1 else false.
  (* Whatever server m may start, it works at a rate of its own. *)
  Definition starts_listed (m : nat) : bool :=
    every (fun c => if Nat.leb (nth m (nth (fst c) (level_of_task C) []) 0%nat) (snd c)
                    then some (same_rate (rate_of_start C (fst c) (snd c))) (nth m speeds []) else true) all_starts.
  Definition bounded_by_table : bool :=
    let t := entries in
    if (0 <=? R)%Z then
    if every distribution (arrivals C) then
    if every (every (fun mu => if Qle_bool 0 mu then Qle_bool mu 1 else false)) speeds then
    if Nat.eqb (length speeds) (servers C) then
    if every starts_listed (seq 0 (servers C)) then
    if (bound <=? Zpos u * (R + Z.of_nat (servers C) + 1))%Z then
    if (outside <=? slack)%Z then
      every (row_holds t) (states_within (R + Z.of_nat (servers C)))
    else false else false else false else false else false else false else false.

  (* ---- soundness ---- *)

  Lemma least_of_le l : forall best, least_of l best <= best /\ forall q, In q l -> least_of l best <= q.
  Proof.
    induction l as [|p l IH]; intro best; cbn [least_of]; [split; [lra|easy]|].
    destruct (Qle_bool best p) eqn:B.
    - apply Qle_bool_iff in B. destruct (IH best) as [I1 I2]. split; [assumption|]. intros q [<-|I]; [lra|auto].
    - assert (p < best) by (apply Qnot_le_lt; intro L; apply Qle_bool_iff in L; congruence). destruct (IH p) as [I1 I2].
      split; [lra|]. intros q [<-|I]; [lra|auto].
  Qed.
  Lemma mean_ending_ok s : forall v, mean_ending s v == E v (ending s).
  Proof.
    induction s as [|[mu|] s IH]; intro v; cbn [mean_ending ending].
    - rewrite E_cons. cbn [fst snd E fold_right]. ring.
    - rewrite Qred_correct, E_app, !E_scale, (E_map v (cons None)), (E_map v (cons (Some mu))), !IH. reflexivity.
    - rewrite (E_map v (cons None)). apply IH.
  Qed.
  Lemma least_begun_ok s : forall m wait v a, may C m wait s a ->
    least_begun m wait s v <= v (fst (begun C m wait s a)) (snd (begun C m wait s a)).
  Proof.
    induction s as [|[mu|] s IH]; intros m wait v a M; cbn [least_begun begun may] in *; [apply Qle_refl| |].
    - cbn [fst snd]. apply (IH (S m) wait (fun w r => v w (Some mu :: r)) (tl a) M).
    - destruct (hd None a) as [[t l]|]; cbn [fst snd].
      + destruct M as [Can M]. eapply Qle_trans; [apply (proj2 (least_of_le _ _))|].
        * apply in_map_iff. exists (t, l). split; [reflexivity|]. apply filter_In. split; [|exact Can].
          unfold can in Can. split_ifs. apply Nat.ltb_lt in H.
          match goal with A : Nat.ltb l _ = true |- _ => apply Nat.ltb_lt in A end.
          apply in_flat_map. exists t. split; [apply in_seq; lia|]. apply in_map, in_seq. lia.
        * apply (IH (S m) (less_one t wait) (fun w r => v w (Some (rate_of_start C t l) :: r)) (tl a) M).
      + eapply Qle_trans; [apply (proj1 (least_of_le _ _))|]. apply (IH (S m) wait (fun w r => v w (None :: r)) (tl a) M).
  Qed.

  (* ---- what a slot keeps ---- *)

  Open Scope Z_scope.
  Lemma less_one_ok t : forall wait, 0 < nth t wait 0 -> Forall (Z.le 0) wait ->
    sum (less_one t wait) = sum wait - 1 /\ length (less_one t wait) = length wait /\ Forall (Z.le 0) (less_one t wait).
  Proof.
    induction t as [|t IH]; intros [|w wait] P N; cbn [nth less_one sum length] in *; try lia; inversion N; subst.
    - split; [lia|split; [reflexivity|constructor; auto; lia]].
    - destruct (IH wait P) as (S1 & L1 & F1); auto. split; [lia|split; [lia|now constructor]].
  Qed.
  Lemma busy_cons f s : busy (f :: s) = (match f with Some _ => 1 | None => 0 end) + busy s.
  Proof. reflexivity. Qed.
  Hypothesis listed : every starts_listed (seq 0 (servers C)) = true.
  Hypothesis all_speeds : length speeds = servers C.
  Lemma rate_is_listed m t l wait : can C wait m t l = true -> (m < servers C)%nat -> In (rate_of_start C t l) (nth m speeds []).
  Proof.
    intros Can M. unfold can in Can. split_ifs. apply Nat.ltb_lt in H.
    match goal with A : Nat.ltb l _ = true |- _ => apply Nat.ltb_lt in A; rename A into L end.
    match goal with A : Nat.leb _ l = true |- _ => rename A into Near end.
    assert (In (t, l) all_starts) as I by (apply in_flat_map; exists t; split; [apply in_seq; lia|]; apply in_map, in_seq; lia).
    pose proof (every_In _ _ listed m ltac:(apply in_seq; lia)) as K. unfold starts_listed in K.
    pose proof (every_In _ _ K _ I) as K'.
    cbv beta in K'. cbn [fst snd] in K'. rewrite Near in K'. apply some_In in K' as (q & Iq & Same).
    unfold same_rate in Same. apply if_true in Same as [Sn Sd]. apply Z.eqb_eq in Sn. apply Pos.eqb_eq in Sd.
    destruct (rate_of_start C t l), q. cbn in Sn, Sd. now subst.
  Qed.
  Notation works_from m s := (Forall2 works_at s (skipn m speeds)).
  Lemma works_from_cons m f s : works_from m (f :: s) -> works_at f (nth m speeds []) /\ works_from (S m) s /\
    (m < length speeds)%nat.
  Proof.
    intro H. assert (m < length speeds)%nat as L.
    { destruct (Nat.lt_ge_cases m (length speeds)) as [|G]; auto. rewrite (skipn_all2 speeds G) in H. inversion H. }
    split; [|split; [|exact L]]; clear - H L.
    - revert m H L. induction speeds as [|own l IH]; intros [|m] H L; cbn [length] in L; try lia; cbn [skipn nth] in *;
        [now inversion H|apply IH; [assumption|lia]].
    - revert m H L. induction speeds as [|own l IH]; intros [|m] H L; cbn [length] in L; try lia; cbn [skipn] in *;
        [now inversion H|apply IH; [assumption|lia]].
  Qed.
  Lemma works_cons_from m f s : works_at f (nth m speeds []) -> works_from (S m) s -> (m < length speeds)%nat ->
    works_from m (f :: s).
  Proof.
    clear. revert m. induction speeds as [|own l IH]; intros [|m] W H L; cbn [length] in L; try lia; cbn [skipn nth] in *;
      [now constructor|apply IH; auto; lia].
  Qed.
  Lemma begun_ok s : forall m wait a, may C m wait s a -> Forall (Z.le 0) wait -> works_from m s -> let y := begun C m wait s a in
    tasks_in y = sum wait + busy s /\ length (fst y) = length wait /\ Forall (Z.le 0) (fst y) /\ works_from m (snd y).
  Proof.
    unfold tasks_in. induction s as [|f s IH]; intros m wait a M N F; cbn [begun may] in *; [cbn; auto|].
    destruct (works_from_cons _ _ _ F) as (Ff & Fs & Lm).
    assert (Keep : may C (S m) wait s (tl a) -> let y := begun C (S m) wait s (tl a) in
      sum (fst y) + busy (f :: snd y) = sum wait + busy (f :: s) /\ length (fst y) = length wait /\
      Forall (Z.le 0) (fst y) /\ works_from m (f :: snd y)).
    { intros M' y. destruct (IH (S m) wait (tl a) M' N Fs) as (T & L1 & N1 & F1). fold y in T, L1, N1, F1.
      rewrite !busy_cons. split; [lia|split; [assumption|split; [assumption|now apply works_cons_from]]]. }
    destruct f as [mu|]; [now apply Keep|]. destruct (hd None a) as [[t l]|]; [|now apply Keep]. destruct M as [Can M].
    cbn [fst snd].
    assert (0 < nth t wait 0) as Some_ by (unfold can in Can; split_ifs; now apply Z.ltb_lt in Can).
    destruct (less_one_ok t wait Some_ N) as (S1 & L1 & N1).
    destruct (IH (S m) (less_one t wait) (tl a) M N1 Fs) as (T & L2 & N2 & F2).
    rewrite !busy_cons. split; [lia|split; [lia|split; [assumption|]]]. apply works_cons_from; auto.
    apply (rate_is_listed m t l wait Can). lia.
  Qed.
  Lemma ending_ok s : forall own e, In e (ending s) -> Forall2 works_at s own ->
    busy s - Z.of_nat (length s) <= busy (snd e) /\ Forall2 works_at (snd e) own.
  Proof.
    induction s as [|f s IH]; intros own e I F; cbn [ending] in I; [destruct I as [<-|[]]; cbn; auto with zarith|].
    inversion F as [|? first ? rest Ff Fs]; subst.
    assert (K : exists g d, In d (ending s) /\ snd e = g :: snd d /\ (g = f \/ g = None)).
    { destruct f as [mu|].
      - apply in_app_or in I as [I|I]; unfold scale in I; apply in_map_iff in I as (c & <- & I); apply in_map_iff in
        I as (d & <- & I);
          cbn [snd]; eexists; exists d; (split; [assumption|split; [reflexivity|auto]]).
      - apply in_map_iff in I as (d & <- & I). exists None, d. cbn [snd]. auto. }
    destruct K as (g & d & Id & -> & G). destruct (IH rest d Id Fs) as (B & F1). rewrite !busy_cons. cbn [length].
    split; [|constructor; auto; destruct G as [->| ->]; [assumption|exact Logic.I]].
    destruct G as [->| ->]; destruct f; lia.
  Qed.
  Lemma add_counts_ok wait : forall count, Forall (Z.le 0) wait ->
    sum wait <= sum (add_counts wait count) /\ length (add_counts wait count) = length wait /\
      Forall (Z.le 0) (add_counts wait count).
  Proof.
    induction wait as [|w wait IH]; intros count N; cbn [add_counts]; [cbn; auto with zarith|]. inversion N; subst.
    destruct count as [|k count]; [cbn [sum length]; split; [lia|auto]|].
    destruct (IH count) as (S1 & L1 & F1); auto. cbn [sum length]. split; [lia|split; [lia|constructor; auto; lia]].
  Qed.
  Lemma arriving_ok factors : forall wait e, In e (arriving factors wait) -> Forall (Z.le 0) wait ->
    sum wait <= sum (snd e) /\ length (snd e) = length wait /\ Forall (Z.le 0) (snd e).
  Proof.
    induction factors as [|factor rest IH]; intros wait e I N; cbn [arriving] in I; [destruct I as [<-|[]]; cbn; auto with zarith|].
    apply In_then in I as (d & c & _ & Ic & _ & ->). destruct (add_counts_ok wait (snd d) N) as (S1 & L1 & N1).
    destruct (IH _ _ Ic N1) as (S2 & L2 & N2). split; [lia|split; [lia|assumption]].
  Qed.
  Hypothesis laws : every distribution (arrivals C) = true.
  Hypothesis rates_between : every (every (fun mu => if Qle_bool 0 mu then Qle_bool mu 1 else false)) speeds = true.
  Lemma arriving_law wait : is_law (arriving (arrivals C) wait).
  Proof.
    revert wait. induction (arrivals C) as [|factor rest IH]; intro wait; cbn [arriving]; [split; [intros e [<-|[]]; cbn; lra|cbn;
    reflexivity]|].
    cbn [every] in laws. apply if_true in laws as [D Rest]. apply then_is_law; [|intros; now apply IH].
    unfold distribution in D. apply if_true in D as [Po One]. apply Qeq_bool_iff in One. split; auto.
    intros e I. pose proof (every_In _ _ Po e I) as K. cbv beta in K. apply if_true in K as [K _]. now apply Qle_bool_iff in K.
  Qed.
  Lemma works_between s : Forall2 works_at s speeds -> Forall (fun f => match f with Some mu => 0 <= mu <=
    1 | None => True end)%Q s.
  Proof.
    intro F. clear - F rates_between. induction F as [|f own s l W F IH]; [constructor|]. cbn [every] in rates_between.
    apply if_true in rates_between as [B Rest]. constructor; [|now apply IH]. destruct f as [mu|]; auto.
    pose proof (every_In _ _ B mu W) as K. cbv beta in K. apply if_true in K as [Lo Up]. apply Qle_bool_iff in Lo, Up. now split.
  Qed.
  Lemma central_lawful a x : central_valid C speeds x -> allowed C x a -> is_law (central_step C a x).
  Proof.
    intros (Ln & N & F) Al. apply then_is_law; [apply arriving_law|]. intros e I. cbv zeta. specialize (Al e I).
    destruct (arriving_ok _ _ _ I N) as (_ & _ & N1). destruct (begun_ok _ 0 _ _ Al N1 F) as (_ & _ & _ & F1).
    exact (map_is_law (pair _) _ (ending_law _ (works_between _ F1))).
  Qed.
  Lemma central_next a x e : central_valid C speeds x -> allowed C x a -> In e (central_step C a x) ->
    central_valid C speeds (snd e) /\ tasks_in x - Z.of_nat (servers C) <= tasks_in (snd e).
  Proof.
    intros (Ln & N & F) Al I. destruct (In_then _ _ e I) as (d & c & Id & Ic & _ & ->). cbv zeta in Ic. specialize (Al d Id).
    destruct (arriving_ok _ _ _ Id N) as (S0 & L0 & N0). destruct (begun_ok _ 0 _ _ Al N0 F) as (T1 & L1 & N1 & F1).
    apply in_map_iff in Ic as (b & <- & Ib). destruct (ending_ok _ speeds _ Ib F1) as (B & F2). cbn [snd fst].
    assert (length (snd (begun C 0 (snd d) (snd x) (a (snd d)))) = servers C) as Ls
      by (rewrite <- all_speeds; clear - F1; cbn [skipn] in F1; induction F1; cbn; congruence).
    unfold tasks_in in *. cbn [fst snd]. split; [split; [cbn [fst]; lia|split; [assumption|exact F2]]|lia].
  Qed.
End Check.

Open Scope Z_scope.
Section Bound.
  Variables (C : cluster) (speeds : list (list Q)) (u : positive) (R bound outside slack : Z) (values : list Z).
  Hypothesis accepted : bounded_by_table C speeds u R bound outside slack values = true.
  Notation h := (h speeds R outside (entries C speeds R values)).
  Notation permitted := (permitted (central_valid C speeds) (allowed C)).

  Lemma in_works s lists : Forall2 works_at s lists -> In s (works lists).
  Proof.
    intro F. induction F as [|f own s lists W F IH]; [now left|]. cbn [works]. apply in_flat_map. exists f.
    split; [|now apply in_map].
    destruct f as [mu|]; [right; now apply in_map|now left].
  Qed.
  Lemma in_states x most : central_valid C speeds x -> tasks_in x <= most -> In x (states_within C speeds most).
  Proof.
    destruct x as [wait s]. intros (Ln & N & F) T. unfold tasks_in in T. cbn [fst snd] in *. apply in_flat_map. exists s.
    split; [now apply in_works|]. apply in_map_iff. exists wait. split; [reflexivity|].
    assert (dot (repeat 1 (types C)) wait = sum wait) as D.
    { rewrite <- Ln. clear. induction wait as [|w wait IH]; cbn [length repeat dot sum]; [reflexivity|]. rewrite IH. lia. }
    apply lengths_within_complete; auto; [|now rewrite repeat_length|lia].
    clear. induction (types C) as [|k IH]; cbn [repeat every]; auto.
  Qed.
  Lemma h_bounded x : central_valid C speeds x -> h x <= slack.
  Proof.
    intro V. pose proof accepted as A. unfold bounded_by_table in A. cbv zeta in A. split_ifs.
    match goal with K : (outside <=? slack) = true |- _ => apply Z.leb_le in K; rename K into Low end.
    destruct (Z.leb_spec (tasks_in x) R) as [In_|Out].
    - assert (tasks_in x <= R + Z.of_nat (servers C)) as Le by lia.
      pose proof (every_In _ _ A x (in_states x _ V Le)) as Row. unfold row_holds in Row. cbv zeta in Row.
      apply if_true in Row as [Row _]. now apply Z.leb_le in Row.
    - unfold EveryPolicy.h. destruct (Z.leb_spec (tasks_in x) R); lia.
  Qed.
  Open Scope Q_scope.
  Lemma least_mean_ok x : least_mean C speeds R outside (entries C speeds R values) x
    == E (fun wait => least_begun C 0 wait (snd x) (fun w s => mean_ending s (fun r => inject_Z (h (w, r))))) (arriving (arrivals
      C) (fst x)).
  Proof. unfold least_mean, E. induction (arriving (arrivals C) (fst x)) as [|e l IH]; cbn [fold_right]; [reflexivity|].
  now rewrite Qred_correct, IH. Qed.
  Lemma rises x a : central_valid C speeds x -> allowed C x a ->
    inject_Z (h x - Zpos u * tasks_in x + bound) <= E (fun y => inject_Z (h y)) (central_step C a x).
  Proof.
    intros V Al. pose proof accepted as A. unfold bounded_by_table in A. cbv zeta in A. split_ifs.
    match goal with K : (0 <=? R)%Z = true |- _ => apply Z.leb_le in K; rename K into R0 end.
    match goal with K : (bound <=? _)%Z = true |- _ => apply Z.leb_le in K; rename K into Far end.
    match goal with K : Nat.eqb (length speeds) _ = true |- _ => apply Nat.eqb_eq in K; rename K into All end.
    match goal with K : every (distribution C) _ = true |- _ => rename K into Laws end.
    match goal with K : every _ speeds = true |- _ => rename K into Between end.
    match goal with K : every (starts_listed _ _) _ = true |- _ => rename K into Listed end.
    pose proof (central_lawful C speeds Listed All Laws Between a x V Al) as Lawful.
    destruct (Z.leb_spec (tasks_in x) (R + Z.of_nat (servers C))) as [In_|Out].
    - pose proof (every_In _ _ A x (in_states x _ V In_)) as Row. unfold row_holds in Row. cbv zeta in Row.
      apply if_true in Row as [_ Row]. apply Qle_bool_iff in Row. eapply Qle_trans; [exact Row|].
      rewrite least_mean_ok. unfold central_step. rewrite E_then. apply E_monotone; [apply (arriving_law C Laws)|]. intros e I.
      cbv zeta. rewrite (E_map (fun y => inject_Z (h y)) (pair _)). eapply Qle_trans; [apply least_begun_ok, (Al e I)|].
      rewrite mean_ending_ok. apply Qle_refl.
    - assert (forall e, In e (central_step C a x) -> h (snd e) = outside) as Beyond.
      { intros e I. destruct (central_next C speeds Listed All a x e V Al I) as [_ T]. unfold EveryPolicy.h.
        destruct (Z.leb_spec (tasks_in (snd e)) R); [lia|reflexivity]. }
      rewrite (E_equal _ (fun _ => inject_Z outside)) by (intros e I; now rewrite (Beyond e I)).
      rewrite (E_constant _ _ Lawful), <- Zle_Qle. unfold EveryPolicy.h. destruct (Z.leb_spec (tasks_in x) R); [lia|]. nia.
  Qed.
  Lemma central_laws x a : central_valid C speeds x -> allowed C x a ->
    is_law (central_step C a x) /\ forall e, In e (central_step C a x) -> central_valid C speeds (snd e).
  Proof.
    intros V Al. pose proof accepted as A. unfold bounded_by_table in A. cbv zeta in A. split_ifs.
    match goal with K : Nat.eqb (length speeds) _ = true |- _ => apply Nat.eqb_eq in K end.
    split; [now apply (central_lawful C speeds)|]. intros e I. now apply (central_next C speeds) with (a := a) (x := x).
  Qed.
  (* What the start may cost. *)
  Definition head_start (x : central) : Q := slack - h x # u.
  Theorem totals_of_every_policy choose : permitted choose -> forall n x, central_valid C speeds x ->
    times_of n (bound # u) - head_start x <= total_under (central_step C) number_of_tasks choose n [] x.
  Proof.
    intros Ok n x V.
    apply Qle_trans with (times_of n (bound # u) + ((h x # u) - (slack # u))).
    { unfold head_start. apply Qle_lteq. right. unfold Qminus at 1 2, Qeq, Qplus, Qopp; cbn [Qnum Qden]. rewrite ?Pos2Z.inj_mul.
    ring. }
    apply (whatever_is_chosen (central_step C) number_of_tasks (central_valid C speeds) (allowed C)) with (h := fun y => h y # u);
      auto.
    - intros a y Vy Al. now apply central_laws.
    - intros a y e Vy Al. now apply central_laws.
    - intros y Vy. pose proof (h_bounded y Vy). unfold Qle; cbn [Qnum Qden]. nia.
    - intros y a Vy Al. pose proof (rises y a Vy Al) as Rise. apply (Qmult_le_compat_r _ _ (1 # u)) in Rise; [|easy].
      assert (E (fun z => h z # u) (central_step C a y) == E (fun z => inject_Z (h z)) (central_step C a y) * (1 # u)) as ->.
      { rewrite Qmult_comm, <- (Qplus_0_l ((1 # u) * _)), <- (Qmult_0_l (E (fun _ => 1) (central_step C a y))), <- E_affine.
      apply E_equal. intros.
        unfold Qeq, Qplus, Qmult, inject_Z; cbn [Qnum Qden]. rewrite ?Pos2Z.inj_mul. ring. }
      eapply Qle_trans; [|exact Rise]. apply Qle_lteq. right. unfold number_of_tasks, Qeq, Qminus, Qplus, Qopp, Qmult, inject_Z.
      cbn [Qnum Qden].
      rewrite ?Pos2Z.inj_mul. ring.
  Qed.
  Variable least : Q.
  Hypothesis least_low : Qle_bool least (bound # u) = true.
  (* From every state, whatever is chosen, the averages stay above every number below the bound from some time on. *)
  Theorem no_policy_below_it choose : permitted choose -> forall x eps, central_valid C speeds x -> 0 < eps ->
    exists N, forall n, (N <= n)%nat ->
    least - eps <= total_under (central_step C) number_of_tasks choose n [] x / inject_Z (Z.of_nat n).
  Proof.
    intros Ok x eps V Eps. destruct (eventually_large (head_start x) eps Eps) as (N & N0 & Large). exists N. intros n Le.
    pose proof (totals_of_every_policy choose Ok n x V) as T. specialize (Large n Le). apply Qle_bool_iff in least_low.
    unfold times_of in *.
    assert (0 < inject_Z (Z.of_nat n)) as P by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
    apply Qle_shift_div_l; [exact P|]. pose proof (Qmult_le_compat_r _ _ _ least_low (Qlt_le_weak _ _ P)). lra.
  Qed.
End Bound.

(* There are such choosers: one starts nothing. *)
Lemma starting_nothing_is_permitted C speeds : permitted (central_valid C speeds) (allowed C) (fun _ _ => [(1%Q, fun _ => [])]).
Proof.
  intros p x _. split; [split; [intros e [<-|[]]; cbn; lra|cbn; reflexivity]|]. intros e [<-|[]] d _. cbn [snd].
  generalize (snd d), 0%nat. induction (snd x) as [|[mu|] s IH]; intros wait m; cbn [may hd]; auto.
Qed.
