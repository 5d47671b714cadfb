(* Level 1: the logic of a certificate of any kind. Trees, constraints and what is excluded at the leaves are data; that
   they are the questions and obligations of the code, and what they imply, is the word of the C++ checker.

   A point has integer and real coordinates, all rational here. A constraint (a, b, strict) is a . x >= b, or a . x > b.
   The other side of a node is a . x <= b - 1 where all its coordinates are integers, else a . x < b (or <= b). *)
From Coq Require Import ZArith QArith Lqa List Bool Lia.
From Schedproof Require Import Affine Words.
Import ListNotations.
Open Scope Q_scope.

Notation point := (list Q) (only parsing).
Notation bound := (list Z * Z * bool)%type (only parsing).
Fixpoint dot_Q (a : list Z) (x : point) : Q := match a, x with p :: a, q :: x => inject_Z p * q + dot_Q a x | _, _ => 0 end.
Definition satisfies (x : point) (c : bound) : Prop :=
  if snd c then inject_Z (snd (fst c)) < dot_Q (fst (fst c)) x else inject_Z (snd (fst c)) <= dot_Q (fst (fst c)) x.
(* Where a coordinate is said to be an integer, it is one. *)
Definition in_space (integer : list bool) (x : point) : Prop := Forall2 (fun (b : bool) q => b = true -> exists z, q == inject_Z z) integer x.

Lemma dot_Q_map k a x : dot_Q (map (Z.mul k) a) x == inject_Z k * dot_Q a x.
Proof. revert x; induction a as [|p a IH]; intros [|q x]; cbn [map dot_Q]; try ring. rewrite IH, inject_Z_mult. ring. Qed.
Lemma dot_Q_opp a x : dot_Q (map Z.opp a) x == - dot_Q a x.
Proof. revert x; induction a as [|p a IH]; intros [|q x]; cbn [map dot_Q]; try ring. rewrite IH, inject_Z_opp. ring. Qed.
Lemma dot_Q_axpy k a y x : dot_Q (axpy k a y) x == inject_Z k * dot_Q a x + dot_Q y x.
Proof.
  revert y x; induction a as [|p a IH]; intros y x.
  - destruct y, x; cbn [axpy dot_Q]; ring.
  - destruct y as [|q y]; cbn [axpy].
    + rewrite dot_Q_map. destruct x; cbn [dot_Q]; ring.
    + destruct x as [|z x]; cbn [dot_Q]; [ring|]. rewrite IH, inject_Z_plus, inject_Z_mult. ring.
Qed.
Lemma dot_Q_zero y x : zero y = true -> dot_Q y x == 0.
Proof.
  unfold zero. revert x; induction y as [|p y IH]; intros [|q x] H; cbn [dot_Q]; try reflexivity. cbn [every] in H.
  apply if_true in H as [H0 H]. apply Z.eqb_eq in H0; subst p. rewrite (IH x H). ring.
Qed.

(* ---- refutation: non-negative multipliers combine the constraints to 0 >= s > 0, or to 0 > 0 with a strict one ---- *)

Fixpoint combined (m : list Z) (cs : list bound) : option bound :=
  match m, cs with
  | [], _ => Some ([], 0%Z, false)
  | _ :: _, [] => None
  | k :: m, (a, b, strict) :: cs =>
      match combined m cs with
      | Some (y, s, t) =>
          if (k =? 0)%Z then Some (y, s, t)
          else if (0 <? k)%Z then Some (axpy k a y, k * b + s, if strict then true else t)%Z else None
      | None => None
      end
  end.
Definition refuted (m : list Z) (cs : list bound) : bool :=
  match combined m cs with Some (y, s, t) => if (0 <? s)%Z then zero y else if (s =? 0)%Z then if t then zero y else false else false | None => false end.
Lemma combined_sound m x : forall cs c, combined m cs = Some c -> Forall (satisfies x) cs -> satisfies x c.
Proof.
  induction m as [|k m IH]; intros cs c.
  - intros [= <-] _. unfold satisfies; cbn [fst snd]. destruct x; apply Qle_refl.
  - destruct cs as [|[[a b] strict] cs]; cbn [combined]; [discriminate|]. destruct (combined m cs) as [[[y s] t]|] eqn:K; [|discriminate].
    intros H F; inversion F as [|? ? Ha Fc]; subst. specialize (IH _ _ K Fc).
    destruct (Z.eqb_spec k 0); [injection H as <-; assumption|]. destruct (Z.ltb_spec 0 k) as [Pk|]; [|discriminate]. injection H as <-.
    assert (Kq : 0 < inject_Z k) by (change 0 with (inject_Z 0); now rewrite <- Zlt_Qlt). unfold satisfies in *; cbn [fst snd] in *.
    destruct strict; [apply (Qmult_lt_l _ _ _ Kq) in Ha|apply (Qmult_le_l _ _ _ Kq) in Ha]; destruct t;
      rewrite dot_Q_axpy, inject_Z_plus, inject_Z_mult; lra.
Qed.
Theorem refuted_sound m cs x : refuted m cs = true -> ~ Forall (satisfies x) cs.
Proof.
  unfold refuted. destruct (combined m cs) as [[[y s] t]|] eqn:K; [|discriminate]. intros H F.
  pose proof (combined_sound m x cs _ K F) as S. unfold satisfies in S; cbn [fst snd] in S.
  destruct (Z.ltb_spec 0 s) as [Ps|].
  - assert (0 < inject_Z s) by (change 0 with (inject_Z 0); now rewrite <- Zlt_Qlt). destruct t; rewrite (dot_Q_zero y x H) in S; lra.
  - destruct (Z.eqb_spec s 0) as [->|]; [|discriminate]. destruct t; [|discriminate].
    rewrite (dot_Q_zero y x H) in S. exact (Qlt_irrefl 0 S).
Qed.

(* ---- trees ---- *)

Inductive cells :=
| Cell (claims : list (list bound * list Z))                (* no point of the cell satisfies all constraints of a list *)
| Empty (m : list Z)
| Split (a : list Z) (b : Z) (strict tightened : bool) (yes no : cells).
Definition yes_side (a : list Z) (b : Z) (strict : bool) : bound := (a, b, strict).
Definition no_side (a : list Z) (b : Z) (strict tightened : bool) : bound :=
  if tightened then (map Z.opp a, 1 - b, false)%Z else (map Z.opp a, - b, negb strict)%Z.
Fixpoint of_integers (integer : list bool) (a : list Z) : bool :=
  match integer, a with
  | i :: integer, p :: a => if (if i then true else (p =? 0)%Z) then of_integers integer a else false
  | _, [] => true
  | [], _ :: _ => false
  end.
Fixpoint proved (integer : list bool) (path : list bound) (t : cells) : bool :=
  match t with
  | Empty m => refuted m path
  | Cell claims => every (fun c : list bound * list Z => refuted (snd c) (fst c ++ path)) claims
  | Split a b strict tightened yes no =>
      if (if tightened then if strict then false else of_integers integer a else true) then
        if proved integer (yes_side a b strict :: path) yes then proved integer (no_side a b strict tightened :: path) no else false
      else false
  end.
(* What is said of the cell in which x lies; nothing where the side of x was called empty. *)
Inductive excluded (x : point) : cells -> list (list bound) -> Prop :=
| AtCell claims : excluded x (Cell claims) (map fst claims)
| AtYes a b s i yes no l : satisfies x (yes_side a b s) -> excluded x yes l -> excluded x (Split a b s i yes no) l
| AtNo a b s i yes no l : satisfies x (no_side a b s i) -> excluded x no l -> excluded x (Split a b s i yes no) l.

Lemma dot_Q_integer integer x (a : list Z) : in_space integer x -> of_integers integer a = true -> exists z, dot_Q a x == inject_Z z.
Proof.
  intro I. revert a; induction I as [|i q integer x Hq I IH]; intros a H; destruct a as [|p a]; cbn [of_integers dot_Q] in *; try discriminate;
    try (exists 0%Z; reflexivity).
  apply if_true in H as [Hp H]. destruct (IH a H) as [z Hz]. destruct i.
  - destruct (Hq eq_refl) as [w Hw]. exists (p * w + z)%Z. rewrite Hz, Hw, inject_Z_plus, inject_Z_mult. reflexivity.
  - apply Z.eqb_eq in Hp; subst p. exists z. rewrite Hz. ring.
Qed.
Lemma one_side integer x a b (s i : bool) : in_space integer x -> (if i then if s then false else of_integers integer a else true) = true ->
  satisfies x (yes_side a b s) \/ satisfies x (no_side a b s i).
Proof.
  intros I H. unfold satisfies, yes_side, no_side. destruct i; [destruct s; [discriminate|]|]; cbn [fst snd].
  - destruct (dot_Q_integer _ _ _ I H) as [z Hz]. rewrite dot_Q_opp, Hz. destruct (Z.le_gt_cases b z).
    + left. now rewrite <- Zle_Qle.
    + right. rewrite <- inject_Z_opp, <- Zle_Qle. lia.
  - destruct s; cbn [negb]; rewrite dot_Q_opp, inject_Z_opp.
    + destruct (Qlt_le_dec (inject_Z b) (dot_Q a x)); [now left|right; lra].
    + destruct (Qlt_le_dec (dot_Q a x) (inject_Z b)); [right; lra|now left].
Qed.
(* Every point of the space lies in a cell, and what is excluded there does not hold at it. *)
Theorem proved_sound integer t : forall path x, proved integer path t = true -> in_space integer x -> Forall (satisfies x) path ->
  exists l, excluded x t l /\ Forall (fun against => ~ Forall (satisfies x) against) l.
Proof.
  induction t as [claims|m|a b s i yes IHy no IHn]; intros path x H I F; cbn [proved] in H.
  - exists (map fst claims). split; [constructor|]. apply Forall_map, Forall_forall. intros c Ic A.
    pose proof (every_In _ _ H c Ic) as R. cbv beta in R. apply (refuted_sound _ _ x R). now apply Forall_app.
  - exfalso. exact (refuted_sound _ _ x H F).
  - apply if_true in H as [T H]. apply if_true in H as [Hy Hn]. destruct (one_side _ x a b s i I T) as [S|S].
    + destruct (IHy _ x Hy I (Forall_cons _ S F)) as (l & E & R). exists l. split; auto. now constructor.
    + destruct (IHn _ x Hn I (Forall_cons _ S F)) as (l & E & R). exists l. split; auto. now constructor 3.
Qed.

(* ---- a certificate: per question which coordinates are integers, the constraints of the space, a tree ---- *)

Definition flag : reader bool := read z from number; return_ (negb (z =? 0)%Z).
Definition bound_of (n : nat) : reader bound := read a from sparse; read b from number; read s from flag; return_ (padded n a, b, s).
Definition claim_of (n : nat) : reader (list bound * list Z) := read cs from counted (bound_of n); read m from sparse; return_ (cs, m).
Fixpoint cells_of (n depth : nat) : reader cells :=
  match depth with
  | O => fun _ => None
  | S depth =>
      read tag from number;
      if (tag =? 0)%Z then read claims from counted (claim_of n); return_ (Cell claims)
      else if (tag =? 1)%Z then read m from sparse; return_ (Empty m)
      else if (tag =? 2)%Z then
        read c from bound_of n; read i from flag; read yes from cells_of n depth; read no from cells_of n depth;
        return_ (Split (fst (fst c)) (snd (fst c)) (snd c) i yes no)
      else fun _ => None
  end.
Definition question := (list bool * list bound * cells)%type.
Definition question_of : reader question :=
  read integer from counted flag; let n := length integer in
  read base from counted (bound_of n); read t from cells_of n max_depth; return_ (integer, base, t).
Definition questions_of (l : list Z) : option (list question) := match counted question_of l with Some (qs, []) => Some qs | _ => None end.
Definition all_proved (qs : option (list question)) : bool :=
  match qs with Some qs => every (fun q : question => proved (fst (fst q)) (snd (fst q)) (snd q)) qs | None => false end.
Corollary all_proved_sound qs : all_proved (Some qs) = true -> Forall (fun q : question =>
  forall x, in_space (fst (fst q)) x -> Forall (satisfies x) (snd (fst q)) ->
    exists l, excluded x (snd q) l /\ Forall (fun against => ~ Forall (satisfies x) against) l) qs.
Proof. intro H. apply Forall_forall. intros q I x Sx Bx. exact (proved_sound _ _ _ x (every_In _ _ H q I) Sx Bx). Qed.
