(* Programs that ask whether a number is at least zero and draw outcomes, and what a decision tree proves of one.

   The slot and the policies are written once, as programs over any numbers with sums, multiples and constants. Over
   integers a program has a law ([run]): that is what theorems are about. Over affine forms in the queue lengths it has
   a tree of questions ([collect]): that is how they are proved, by a walk along the tree of a certificate. [sim] ties
   the two together: at each x both ask the same, and both find the same. *)
From Coq Require Import ZArith QArith List Bool Lia.
From Schedproof Require Import Law Affine.
Import ListNotations.
Open Scope Z_scope.

Record numbers (N : Type) := Numbers { plus : N -> N -> N; times : Z -> N -> N; const : Z -> N }.
Arguments Numbers {N}. Arguments plus {N}. Arguments times {N}. Arguments const {N}.
Definition integers : numbers Z := Numbers Z.add Z.mul (fun k => k).
Definition forms : numbers form := Numbers form_plus form_times form_const.

Inductive program (N A : Type) : Type :=
| Ret (a : A)
| Ask (n : N) (k : bool -> program N A)                  (* is n >= 0? *)
| Draw (ps : list Q) (k : nat -> program N A).           (* outcome i with probability ps[i] *)
Arguments Ret {N A}. Arguments Ask {N A}. Arguments Draw {N A}.
Fixpoint bind {N A B} (m : program N A) (f : A -> program N B) : program N B :=
  match m with
  | Ret a => f a
  | Ask n k => Ask n (fun b => bind (k b) f)
  | Draw ps k => Draw ps (fun i => bind (k i) f)
  end.
Notation "x <- m ; f" := (bind m (fun x => f)) (at level 80, m at next level, right associativity).

Definition scale {A} (p : Q) (l : law A) : law A := map (fun e => (p * fst e, snd e)%Q) l.
Lemma E_app {A} (f : A -> Q) l m : (E f (l ++ m) == E f l + E f m)%Q.
Proof. induction l as [|e l IH]; cbn [app]; [cbn; ring|]. rewrite !E_cons, IH. ring. Qed.
Lemma E_scale {A} (f : A -> Q) p l : (E f (scale p l) == p * E f l)%Q.
Proof.
  unfold scale. induction l as [|e l IH]; cbn [map]; [cbn; ring|]. rewrite !E_cons, IH. cbn [fst snd]. ring.
Qed.
(* The law of a program on integers. *)
Fixpoint run {A} (m : program Z A) : law A :=
  match m with
  | Ret a => [(1%Q, a)]
  | Ask n k => run (k (0 <=? n))
  | Draw ps k =>
      (fix each (ps : list Q) (i : nat) : law A :=
         match ps with [] => [] | p :: ps => scale p (run (k i)) ++ each ps (S i) end) ps 0%nat
  end.

(* The law of a draw, by name. *)
Section Branches.
  Context {A : Type} (k : nat -> law A).
  Fixpoint branches (ps : list Q) (i : nat) : law A :=
    match ps with [] => [] | p :: ps => scale p (k i) ++ branches ps (S i) end.
End Branches.
Lemma run_draw {A} ps (k : nat -> program Z A) : run (Draw ps k) = branches (fun i => run (k i)) ps 0.
Proof. reflexivity. Qed.
Lemma In_branches {A} (k : nat -> law A) ps e : forall i, In e (branches k ps i) ->
  exists j p d, (j < length ps)%nat /\ In p ps /\ In d (k (i + j)%nat) /\ (fst e == p * fst d)%Q /\ snd e = snd d.
Proof.
  induction ps as [|p ps IH]; intros i I; cbn [branches] in I; [contradiction|]. apply in_app_or in I as [I|I].
  - unfold scale in I. apply in_map_iff in I as (d & <- & I). exists 0%nat, p, d. rewrite Nat.add_0_r. cbn [fst snd length].
    repeat split; auto; [lia|now left].
  - destruct (IH _ I) as (j & q & d & J & Iq & Id & E1 & E2). exists (S j), q, d. rewrite Nat.add_succ_r. cbn [length].
    repeat split; auto; [lia|now right].
Qed.
(* Outcomes of programs, by their parts. *)
Lemma branches_In {A} (k : nat -> law A) ps d : forall i j, (j < length ps)%nat -> In d (k (i + j)%nat) ->
  exists e, In e (branches k ps i) /\ snd e = snd d.
Proof.
  induction ps as [|p ps IH]; intros i j J I; cbn [length] in J; [lia|]. cbn [branches]. destruct j as [|j].
  - rewrite Nat.add_0_r in I. exists (p * fst d, snd d)%Q. split; [apply in_or_app; left; now apply (in_map (fun e => (p * fst e, snd e)%Q))|].
    reflexivity.
  - destruct (IH (S i) j ltac:(lia) ltac:(now rewrite Nat.add_succ_comm)) as (e & Ie & Eq). exists e.
    split; [apply in_or_app; now right|exact Eq].
Qed.
Lemma bind_outcome {A B} (m : program Z A) (f : A -> program Z B) e : In e (run (bind m f)) ->
  exists a b, In a (run m) /\ In b (run (f (snd a))) /\ snd e = snd b.
Proof.
  revert e. induction m as [a|n k IH|ps k IH]; intros e I; cbn [bind] in I.
  - exists (1%Q, a), e. split; [now left|now split].
  - exact (IH _ e I).
  - rewrite run_draw in I. apply In_branches in I as (j & p & d & J & _ & Id & _ & Eq). cbn [Nat.add] in Id.
    destruct (IH j d Id) as (a & b & Ia & Ib & Eq'). rewrite run_draw.
    destruct (branches_In (fun i => run (k i)) ps a 0 j J Ia) as (a' & Ia' & Ea). exists a', b. rewrite Ea.
    split; [exact Ia'|split; [exact Ib|congruence]].
Qed.
Lemma outcome_bind {A B} (m : program Z A) (f : A -> program Z B) a b : In a (run m) -> In b (run (f (snd a))) ->
  exists e, In e (run (bind m f)) /\ snd e = snd b.
Proof.
  revert a. induction m as [c|n k IH|ps k IH]; intros a Ia Ib; cbn [bind].
  - destruct Ia as [<-|[]]. exists b. now split.
  - exact (IH _ a Ia Ib).
  - rewrite run_draw in Ia. apply In_branches in Ia as (j & p & d & J & _ & Id & _ & Eq). cbn [Nat.add] in Id. rewrite Eq in Ib.
    destruct (IH j d Id Ib) as (e & Ie & Ee). rewrite run_draw.
    destruct (branches_In (fun i => run (bind (k i) f)) ps e 0 j J Ie) as (e' & Ie' & Ee'). exists e'. split; [exact Ie'|congruence].
Qed.

(* Two programs that ask the same at x and return what R relates. *)
Inductive sim {A B} (x : vec) (R : A -> B -> Prop) : program form A -> program Z B -> Prop :=
| SimRet a b : R a b -> sim x R (Ret a) (Ret b)
| SimAsk f n k k' : value x f = n -> (forall b, sim x R (k b) (k' b)) -> sim x R (Ask f k) (Ask n k')
| SimDraw ps k k' : (forall i, sim x R (k i) (k' i)) -> sim x R (Draw ps k) (Draw ps k').
Lemma sim_bind {A B C D} x (R : A -> B -> Prop) (S : C -> D -> Prop) m m' f f' :
  sim x R m m' -> (forall a b, R a b -> sim x S (f a) (f' b)) -> sim x S (bind m f) (bind m' f').
Proof. intros M F. induction M; cbn [bind]; auto; now constructor. Qed.

(* ---- only questions: outcomes are taken in turn, in the order in which the C++ enumerates them ---- *)

Inductive asks (A : Type) : Type := Done (a : A) | Question (f : form) (k : bool -> asks A).
Arguments Done {A}. Arguments Question {A}.
Fixpoint abind {A B} (m : asks A) (f : A -> asks B) : asks B :=
  match m with Done a => f a | Question q k => Question q (fun b => abind (k b) f) end.
Fixpoint collect {A} (m : program form A) : asks (law A) :=
  match m with
  | Ret a => Done [(1%Q, a)]
  | Ask f k => Question f (fun b => collect (k b))
  | Draw ps k =>
      (fix each (ps : list Q) (i : nat) : asks (law A) :=
         match ps with
         | [] => Done []
         | p :: ps => abind (collect (k i)) (fun l => abind (each ps (S i)) (fun rest => Done (scale p l ++ rest)))
         end) ps 0%nat
  end.
Fixpoint answer {A} (x : vec) (m : asks A) : A :=
  match m with Done a => a | Question f k => answer x (k (0 <=? value x f)) end.
Lemma answer_bind {A B} x (m : asks A) (f : A -> asks B) : answer x (abind m f) = answer x (f (answer x m)).
Proof. induction m; cbn [abind answer]; auto. Qed.
Theorem collect_sound {A} x (m : program form A) m' : sim x eq m m' -> answer x (collect m) = run m'.
Proof.
  intro S; induction S as [a b ->|f n k k' V _ IH|ps k k' _ IH]; cbn [collect answer run]; auto.
  - rewrite V. auto.
  - generalize 0%nat as i. induction ps as [|p ps IHps]; intro i; [reflexivity|].
    rewrite answer_bind, answer_bind. cbn [answer]. now rewrite IH, IHps.
Qed.

(* ---- the tree of a certificate ---- *)

(* Multipliers where no point lies and for the claim of a leaf; comparisons at nodes. *)
Inductive tree := Leaf (m : list Z) | Closed (m : list Z) | Node (a : vec) (b : Z) (yes no : tree).

Section Walk.
  Context {A : Type} (variables : nat) (lower : vec) (claim : list constraint -> A -> list Z -> bool).
  Definition same (c d : constraint) : bool := if snd c =? snd d then equal_vec (fst c) (fst d) else false.
  (* Follows questions and tree together. A question whose answer follows from the path is no node of the tree. *)
  Fixpoint walk (m : asks A) (path : list constraint) (t : tree) {struct m} : bool :=
    match m with
    | Done a => match t with Leaf w => claim path a w | Closed w => refutes w path | Node _ _ _ _ => false end
    | Question f k =>
        match atom variables f with
        | None => if zero (snd f) then walk (k (0 <=? fst f)) path t else false
        | Some (g, c) =>
            if is_atom f g c then
              if implied lower path c then walk (k true) path t
              else if implied lower path (opposite c) then walk (k false) path t
              else match t with
                   | Leaf _ => false
                   | Closed w => refutes w path
                   | Node a b yes no =>
                       if same c (a, b) then
                         if walk (k true) ((a, b) :: path) yes then walk (k false) (opposite (a, b) :: path) no else false
                       else if same c (opposite (a, b)) then
                         if walk (k false) ((a, b) :: path) yes then walk (k true) (opposite (a, b) :: path) no else false
                       else false
                   end
            else false
        end
    end.

  Variables (x : vec) (P : A -> Prop).
  Hypothesis claim_sound : forall path a w, Forall (holds x) path -> claim path a w = true -> P a.
  Hypothesis lower_holds : Forall2 Z.le lower x.
  Lemma same_eq c d : same c d = true -> c = d.
  Proof.
    destruct c, d; unfold same; cbn [fst snd]. intro H. apply if_true in H as [B V]. apply Z.eqb_eq in B.
    apply equal_vec_eq in V. now subst.
  Qed.
  Lemma decided f g c : is_atom f g c = true ->
    (0 <=? value x f) = true /\ holds x c \/ (0 <=? value x f) = false /\ holds x (opposite c).
  Proof.
    intro O. pose proof (is_atom_sound x f g c O) as S. rewrite holds_opposite.
    destruct (0 <=? value x f); [left|right]; intuition congruence.
  Qed.
  Lemma twice_opposite a b : ~ holds x (opposite (a, b)) -> holds x (a, b).
  Proof. rewrite holds_opposite. unfold holds; cbn [fst snd]. lia. Qed.
  Theorem walk_sound m : forall path t, Forall (holds x) path -> walk m path t = true -> P (answer x m).
  Proof.
    induction m as [a|f k IH]; intros path t F W; cbn [walk answer] in *.
    - destruct t as [w|w|]; [exact (claim_sound path a w F W)|destruct (refutes_sound w path x W F)|discriminate].
    - destruct (atom variables f) as [[g c]|].
      + apply if_true in W as [O W]. pose proof (decided f g c O) as D.
        destruct (implied lower path c) eqn:I1.
        { apply (implied_sound _ _ _ x) in I1; trivial. destruct D as [[-> _]|[_ H]]; [exact (IH _ _ _ F W)|]. now apply holds_opposite in H. }
        destruct (implied lower path (opposite c)) eqn:I2.
        { apply (implied_sound _ _ _ x) in I2; trivial. destruct D as [[_ H]|[-> _]]; [now apply holds_opposite in I2|exact (IH _ _ _ F W)]. }
        destruct t as [w|w|a b yes no]; [discriminate|destruct (refutes_sound w path x W F)|].
        destruct (same c (a, b)) eqn:Sa.
        * apply same_eq in Sa. subst c. apply if_true in W as [Wy Wn].
          destruct D as [[-> H]|[-> H]]; [exact (IH _ _ _ (Forall_cons _ H F) Wy)|exact (IH _ _ _ (Forall_cons _ H F) Wn)].
        * destruct (same c (opposite (a, b))) eqn:So; [|discriminate]. apply same_eq in So. subst c.
          apply if_true in W as [Wy Wn]. destruct D as [[-> H]|[-> H]]; [exact (IH _ _ _ (Forall_cons _ H F) Wn)|].
          apply holds_opposite, twice_opposite in H. exact (IH _ _ _ (Forall_cons _ H F) Wy).
      + apply if_true in W as [Z0 W]. replace (value x f) with (fst f) by (unfold value; rewrite dot_zero; trivial; lia). exact (IH _ _ _ F W).
  Qed.
End Walk.
