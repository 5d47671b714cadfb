(* Level 1: the logic of a certificate of any kind. Trees, constraints and what is excluded at the leaves are data; that
   they are the questions and obligations of the code, and what they imply, is the word of the C++ checker.

   A point has integer and real coordinates, all rational here. A constraint (a, b, strict) is a . x >= b, or a . x > b.
   The other side of a node is a . x <= b - 1 where all its coordinates are integers, else a . x < b (or <= b).

   Constraints of a quadratic question are about a point and the products of its coordinates besides. There a refutation
   may use products of two constraints. *)
From Coq Require Import ZArith QArith Lqa List Bool Lia.
From Schedproof Require Import Affine Words Identities.
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

(* ---- products: of any two coordinates, of any two constraints ---- *)

Fixpoint pairs (x : point) : point := match x with [] => [] | q :: y => map (Qmult q) x ++ pairs y end.
Definition spanned (quadratic : bool) (x : point) : point := if quadratic then x ++ pairs x else x.
Fixpoint pairs_of (integer : list bool) : list bool := match integer with [] => [] | i :: rest => map (andb i) integer ++ pairs_of rest end.
Definition flags (quadratic : bool) (integer : list bool) : list bool := if quadratic then integer ++ pairs_of integer else integer.
Lemma length_in_space integer x : in_space integer x -> List.length integer = List.length x.
Proof. intro I. induction I; cbn [List.length]; auto. Qed.
Lemma pairs_in_space integer x : in_space integer x -> in_space (pairs_of integer) (pairs x).
Proof.
  assert (Row : forall (i : bool) q, (i = true -> exists z, q == inject_Z z) -> forall js y, in_space js y -> in_space (map (andb i) js) (map (Qmult q) y)).
  { intros i q Hq js y I. induction I as [|j r js y Hr I IH]; cbn [map]; constructor; auto. destruct i, j; cbn; try discriminate.
    intros _. destruct (Hq eq_refl) as [z Hz], (Hr eq_refl) as [w Hw]. exists (z * w)%Z. rewrite Hz, Hw, inject_Z_mult. reflexivity. }
  intro I. induction I as [|i q integer x Hq I IH]; cbn [pairs pairs_of]; [constructor|].
  apply Forall2_app; [|exact IH]. apply Row; [exact Hq|]. now constructor.
Qed.
Lemma spanned_in_space quadratic integer x : in_space integer x -> in_space (flags quadratic integer) (spanned quadratic x).
Proof. intro I. destruct quadratic; cbn; [|exact I]. apply Forall2_app; [exact I|]. now apply pairs_in_space. Qed.

(* (a . x) (c . x) in the products of the coordinates. *)
Fixpoint quadratic_part (a c : list Z) : list Z :=
  match a, c with p :: a, q :: c => p * q :: axpy p c (map (Z.mul q) a) ++ quadratic_part a c | _, _ => [] end%Z.
Lemma dot_Q_app a c x y : length a = length x -> dot_Q (a ++ c) (x ++ y) == dot_Q a x + dot_Q c y.
Proof. revert x; induction a as [|p a IH]; intros [|q x] L; cbn in *; try discriminate; [ring|]. rewrite IH by lia. ring. Qed.
Lemma dot_Q_scaled k a x : dot_Q a (map (Qmult k) x) == k * dot_Q a x.
Proof. revert x; induction a as [|p a IH]; intros [|q x]; cbn [map dot_Q]; try ring. rewrite IH. ring. Qed.
Lemma length_axpy k a y : length a = length y -> length (axpy k a y) = length a.
Proof. revert y; induction a as [|p a IH]; intros [|q y] L; cbn in *; try discriminate; auto. Qed.
Lemma dot_Q_quadratic a : forall c x, length a = length x -> length c = length x -> dot_Q (quadratic_part a c) (pairs x) == dot_Q a x * dot_Q c x.
Proof.
  induction a as [|p a IH]; intros [|q c] [|z x] La Lc; cbn [length] in *; try discriminate; [reflexivity|].
  cbn [quadratic_part pairs dot_Q map app]. injection La as La. injection Lc as Lc.
  rewrite dot_Q_app by (rewrite map_length, length_axpy; rewrite ?map_length; lia).
  rewrite (IH c x La Lc), dot_Q_scaled, dot_Q_axpy, dot_Q_map, inject_Z_mult. ring.
Qed.
(* Of two constraints on n coordinates that mention no product; none otherwise. *)
Definition product (n : nat) (c d : bound) : option bound :=
  let a := firstn n (fst (fst c)) in let a' := firstn n (fst (fst d)) in let b := snd (fst c) in let b' := snd (fst d) in
  if zero (skipn n (fst (fst c))) then if zero (skipn n (fst (fst d))) then
    if (List.length a =? n)%nat then if (List.length a' =? n)%nat then
      Some (axpy (- b') a (map (Z.mul (- b)) a') ++ quadratic_part a a', - (b * b'), if snd c then snd d else false)%Z
    else None else None else None else None.
Lemma product_sound x c d e : product (List.length x) c d = Some e -> satisfies (spanned true x) c -> satisfies (spanned true x) d -> satisfies (spanned true x) e.
Proof.
  unfold product. destruct c as [[a b] s], d as [[a' b'] s']; cbn [fst snd].
  destruct (zero (skipn (length x) a)) eqn:Z; [|discriminate]. destruct (zero (skipn (length x) a')) eqn:Z'; [|discriminate].
  destruct (Nat.eqb_spec (length (firstn (length x) a)) (length x)) as [L|]; [|discriminate].
  destruct (Nat.eqb_spec (length (firstn (length x) a')) (length x)) as [L'|]; [|discriminate].
  assert (Plain : forall a, length (firstn (length x) a) = length x -> zero (skipn (length x) a) = true -> dot_Q a (spanned true x) == dot_Q (firstn (length x) a) x).
  { intros v Lv Zv. rewrite <- (firstn_skipn (length x) v) at 1. unfold spanned. rewrite dot_Q_app by exact Lv. rewrite (dot_Q_zero _ _ Zv). ring. }
  intros [= <-]. pose proof (Plain a L Z) as Pa. pose proof (Plain a' L' Z') as Pa'. clear Plain.
  set (u := firstn (length x) a) in *. set (v := firstn (length x) a') in *.
  assert (E : dot_Q (axpy (- b') u (map (Z.mul (- b)) v) ++ quadratic_part u v) (spanned true x) - inject_Z (- (b * b'))
              == (dot_Q u x - inject_Z b) * (dot_Q v x - inject_Z b')).
  { unfold spanned. rewrite dot_Q_app by (rewrite length_axpy; rewrite ?map_length; lia). rewrite dot_Q_axpy, dot_Q_map, dot_Q_quadratic by lia.
    rewrite !inject_Z_opp, inject_Z_mult. ring. }
  unfold satisfies; cbn [fst snd]. set (p := dot_Q (axpy _ _ _ ++ _) _) in *. set (f := dot_Q u x) in *. set (g := dot_Q v x) in *.
  set (F := dot_Q a (spanned true x)) in *. set (G := dot_Q a' (spanned true x)) in *. clearbody p f g F G.
  destruct s, s'; intros Hc Hd;
    [assert (0 < (f - inject_Z b) * (g - inject_Z b')) by (apply Qmult_lt_0_compat; lra); lra|..];
    assert (0 <= (f - inject_Z b) * (g - inject_Z b')) by (apply Qmult_le_0_compat; lra); lra.
Qed.
Fixpoint products_of_constraints (n : nat) (cs : list bound) (which : list (nat * nat)) : list bound :=
  match which with
  | [] => []
  | (i, j) :: which =>
      match nth_error cs i, nth_error cs j with
      | Some c, Some d => match product n c d with Some e => e :: products_of_constraints n cs which | None => products_of_constraints n cs which end
      | _, _ => products_of_constraints n cs which
      end
  end.
Lemma products_of_constraints_sound x cs which : Forall (satisfies (spanned true x)) cs -> Forall (satisfies (spanned true x)) (products_of_constraints (List.length x) cs which).
Proof.
  intro F. rewrite Forall_forall in F. induction which as [|[i j] which IH]; cbn [products_of_constraints]; [constructor|].
  destruct (nth_error cs i) as [c|] eqn:C; auto. destruct (nth_error cs j) as [d|] eqn:D; auto.
  destruct (product (length x) c d) as [e|] eqn:P; auto. constructor; auto.
  eapply product_sound; [exact P|apply F; eauto using nth_error_In..].
Qed.

(* ---- trees ---- *)

(* What does not hold at a leaf, which of its constraints and those of the path are multiplied, newest first, and the
   multipliers of these products and then of the constraints. *)
Record claim := Claim { against : list bound; multiplied : list (nat * nat); weights : list Z }.
Inductive cells :=
| Cell (claims : list claim)                                (* no point of the cell satisfies all constraints of a list *)
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
Record question := Question { integer : list bool; quadratic : bool; premises : list bound; asked : cells }.
Section Proved.
  Context (q : question).
  Definition all_integer : list bool := flags (quadratic q) (integer q).
  Definition refuted_claim (path : list bound) (c : claim) : bool :=
    let cs := against c ++ path in
    refuted (weights c) ((if quadratic q then products_of_constraints (List.length (integer q)) cs (multiplied c) else []) ++ cs).
  Fixpoint proved (path : list bound) (t : cells) : bool :=
    match t with
    | Empty m => refuted m path
    | Cell claims => every (refuted_claim path) claims
    | Split a b strict tightened yes no =>
        if (if tightened then if strict then false else of_integers all_integer a else true) then
          if proved (yes_side a b strict :: path) yes then proved (no_side a b strict tightened :: path) no else false
        else false
    end.
End Proved.
(* What is said of the cell in which x lies; nothing where the side of x was called empty. *)
Inductive excluded (x : point) : cells -> list (list bound) -> Prop :=
| AtCell claims : excluded x (Cell claims) (map against claims)
| AtYes a b s i yes no l : satisfies x (yes_side a b s) -> excluded x yes l -> excluded x (Split a b s i yes no) l
| AtNo a b s i yes no l : satisfies x (no_side a b s i) -> excluded x no l -> excluded x (Split a b s i yes no) l.
(* Every point of the space lies in a cell, and what is excluded there does not hold at it. *)
Definition answered (q : question) : Prop :=
  forall x, in_space (integer q) x -> let y := spanned (quadratic q) x in Forall (satisfies y) (premises q) ->
    exists l, excluded y (asked q) l /\ Forall (fun against => ~ Forall (satisfies y) against) l.

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
Lemma refuted_claim_sound q x path c : in_space (integer q) x -> let y := spanned (quadratic q) x in
  Forall (satisfies y) path -> refuted_claim q path c = true -> ~ Forall (satisfies y) (against c).
Proof.
  intros I y F H A. unfold refuted_claim in H. apply (refuted_sound _ _ y H). pose proof (proj2 (Forall_app _ _ _) (conj A F)) as All.
  apply Forall_app. split; [|exact All]. unfold y in *. destruct (quadratic q); [|constructor].
  replace (List.length (integer q)) with (List.length x) by (symmetry; exact (length_in_space _ _ I)). now apply products_of_constraints_sound.
Qed.
Lemma proved_sound q t : forall path x, in_space (integer q) x -> let y := spanned (quadratic q) x in
  proved q path t = true -> Forall (satisfies y) path -> exists l, excluded y t l /\ Forall (fun against => ~ Forall (satisfies y) against) l.
Proof.
  induction t as [claims|m|a b s i yes IHy no IHn]; intros path x I y H F; cbn [proved] in H.
  - exists (map against claims). split; [constructor|]. apply Forall_map, Forall_forall. intros c Ic.
    exact (refuted_claim_sound q x path c I F (every_In _ _ H c Ic)).
  - exfalso. exact (refuted_sound _ _ y H F).
  - apply if_true in H as [T H]. apply if_true in H as [Hy Hn].
    destruct (one_side _ y a b s i (spanned_in_space (quadratic q) _ _ I) T) as [S|S].
    + destruct (IHy _ x I Hy (Forall_cons _ S F)) as (l & E & R). exists l. split; auto. now constructor.
    + destruct (IHn _ x I Hn (Forall_cons _ S F)) as (l & E & R). exists l. split; auto. now constructor 3.
Qed.

(* ---- a certificate: questions, and identities ---- *)

Definition flag : reader bool := read z from number; return_ (negb (z =? 0)%Z).
Definition bound_of (n : nat) : reader bound := read a from sparse; read b from number; read s from flag; return_ (padded n a, b, s).
Definition claim_of (n : nat) : reader claim :=
  read cs from counted (bound_of n); read which from counted (read i from natural; read j from natural; return_ (i, j));
  read m from sparse; return_ (Claim cs which m).
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
Definition question_of : reader question :=
  read integer from counted flag; read quadratic from flag; let n := List.length (flags quadratic integer) in
  read base from counted (bound_of n); read t from cells_of n max_depth; return_ (Question integer quadratic base t).
Definition logic := (list question * list identity)%type.
Definition logic_of (l : list Z) : option logic :=
  match (read qs from counted question_of; read ids from counted identity_of; return_ (qs, ids)) l with Some (all, []) => Some all | _ => None end.
Definition logic_proved (all : option logic) : bool :=
  match all with
  | Some (qs, ids) => if every (fun q => proved q (premises q) (asked q)) qs then every multiplies_out ids else false
  | None => false
  end.
Theorem logic_proved_sound qs ids : logic_proved (Some (qs, ids)) = true -> Forall answered qs /\ Forall lemma_holds ids.
Proof.
  intro H. apply if_true in H as [Q I]. split; apply Forall_forall.
  - intros q Iq x Sx y Px. exact (proved_sound q _ _ x Sx (every_In _ _ Q q Iq) Px).
  - intros i Ii. exact (multiplies_out_sound i (every_In _ _ I i Ii)).
Qed.
