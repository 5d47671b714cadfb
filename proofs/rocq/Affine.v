(* Affine forms in a vector of integers, integer constraints, and Farkas' lemma as a check that computes.

   A constraint (a, b) is a . x >= b. Its opposite for integer x is -a . x >= 1 - b. [refutes m cs] holds when the
   non-negative multipliers m make of the constraints 0 >= s with s > 0, so that no point satisfies them all.

   What runs in the virtual machine avoids `&&` and `||`, which evaluate both of their sides there. *)
From Coq Require Import ZArith List Lia Bool.
Import ListNotations.
Open Scope Z_scope.

Fixpoint every {A} (f : A -> bool) (l : list A) : bool := match l with [] => true | a :: l => if f a then every f l else false end.
Fixpoint some {A} (f : A -> bool) (l : list A) : bool := match l with [] => false | a :: l => if f a then true else some f l end.
Lemma every_In {A} (f : A -> bool) l : every f l = true -> forall a, In a l -> f a = true.
Proof. induction l as [|a l IH]; cbn; [contradiction|]. destruct (f a) eqn:F; [|discriminate]. intros H b [<-|I]; auto. Qed.
Lemma some_In {A} (f : A -> bool) l : some f l = true -> exists a, In a l /\ f a = true.
Proof. induction l as [|a l IH]; cbn; [discriminate|]. destruct (f a) eqn:F; [eauto|]. intro H. destruct (IH H) as (b & I & B). eauto. Qed.
Lemma if_true (a b : bool) : (if a then b else false) = true -> a = true /\ b = true.
Proof. destruct a; auto. discriminate. Qed.
Ltac split_ifs := repeat match goal with H : (if _ then _ else false) = true |- _ => apply if_true in H as [? H] end.

(* Vectors: missing entries are zero. *)
Notation vec := (list Z) (only parsing).
Fixpoint dot (a x : vec) : Z := match a, x with p :: a, q :: x => p * q + dot a x | _, _ => 0 end.
Fixpoint axpy (k : Z) (a y : vec) : vec :=                       (* k a + y *)
  match a, y with
  | [], y => y
  | a, [] => map (Z.mul k) a
  | p :: a, q :: y => k * p + q :: axpy k a y
  end.
Fixpoint equal_vec (a b : vec) : bool := match a, b with [], [] => true | p :: a, q :: b => if p =? q then equal_vec a b else false | _, _ => false end.
Fixpoint sum (x : vec) : Z := match x with [] => 0 | z :: x => z + sum x end.
Definition zero (a : vec) : bool := every (Z.eqb 0) a.

Lemma dot_nil a : dot a [] = 0.
Proof. destruct a; reflexivity. Qed.
Lemma dot_map k a x : dot (map (Z.mul k) a) x = k * dot a x.
Proof. revert x; induction a; intros [|q x]; cbn [map dot]; try lia. rewrite IHa; lia. Qed.
Lemma dot_opp a x : dot (map Z.opp a) x = - dot a x.
Proof. revert x; induction a; intros [|q x]; cbn [map dot]; try lia. rewrite IHa; lia. Qed.
Lemma dot_axpy k a y x : dot (axpy k a y) x = k * dot a x + dot y x.
Proof.
  revert y x; induction a as [|p a IH]; intros [|q y] [|z x]; cbn [axpy map dot]; rewrite ?dot_map, ?IH; lia.
Qed.
Lemma dot_zero y x : zero y = true -> dot y x = 0.
Proof.
  unfold zero. revert x; induction y as [|p y IH]; intros [|q x] H; auto. cbn [every] in H. apply if_true in H as [H0 H].
  apply Z.eqb_eq in H0; subst p. cbn [dot]. rewrite IH; auto.
Qed.
Lemma equal_vec_eq a b : equal_vec a b = true -> a = b.
Proof.
  revert b; induction a as [|p a IH]; intros [|q b]; cbn; try discriminate; auto.
  destruct (Z.eqb_spec p q) as [->|]; [|discriminate]. intro H. f_equal; auto.
Qed.

Notation constraint := (vec * Z)%type (only parsing).
Definition holds (x : vec) (c : constraint) : Prop := snd c <= dot (fst c) x.
Definition opposite (c : constraint) : constraint := (map Z.opp (fst c), 1 - snd c).
Lemma holds_opposite x c : holds x (opposite c) <-> ~ holds x c.
Proof. unfold holds, opposite; cbn [fst snd]; rewrite dot_opp; lia. Qed.

(* ---- refutation ---- *)

Fixpoint combination (m : list Z) (cs : list constraint) : option (vec * Z) :=
  match m, cs with
  | [], _ => Some ([], 0)
  | _ :: _, [] => None
  | k :: m, (a, b) :: cs =>
      match combination m cs with
      | Some (y, s) => if k =? 0 then Some (y, s) else if 0 <? k then Some (axpy k a y, k * b + s) else None
      | None => None
      end
  end.
Definition refutes (m : list Z) (cs : list constraint) : bool :=
  match combination m cs with Some (y, s) => if 0 <? s then zero y else false | None => false end.
Lemma combination_sound m cs x y s : combination m cs = Some (y, s) -> Forall (holds x) cs -> s <= dot y x.
Proof.
  revert cs y s; induction m as [|k m IH]; intros cs y s.
  - intros [= <- <-]; cbn; lia.
  - destruct cs as [|[a b] cs]; cbn [combination]; [discriminate|].
    destruct (combination m cs) as [[y' s']|] eqn:C; [|discriminate].
    intros H F; inversion F as [|? ? Ha Fc]; subst. specialize (IH _ _ _ C Fc). unfold holds in Ha; cbn [fst snd] in Ha.
    destruct (Z.eqb_spec k 0); [injection H as <- <-; assumption|].
    destruct (Z.ltb_spec 0 k); [|discriminate]. injection H as <- <-. rewrite dot_axpy. nia.
Qed.
Theorem refutes_sound m cs x : refutes m cs = true -> ~ Forall (holds x) cs.
Proof.
  unfold refutes; destruct (combination m cs) as [[y s]|] eqn:C; [|discriminate]. intros H F.
  apply if_true in H as [P Z0]. apply Z.ltb_lt in P. pose proof (combination_sound _ _ _ _ _ C F). rewrite dot_zero in *; auto; lia.
Qed.

(* ---- what follows without a question ---- *)

(* From one constraint with the same left side, or from lower bounds of single coordinates under coefficients that are
   at least zero: what the C++ decider (proofs/symbolic/affine.cpp) does not ask either. *)
Fixpoint least (a lower : vec) : option Z :=
  match a, lower with
  | p :: a, l :: lower => if p <? 0 then None else match least a lower with Some v => Some (p * l + v) | None => None end
  | [], [] => Some 0
  | _, _ => None
  end.
Definition weaker (c d : constraint) : bool := if snd c <=? snd d then equal_vec (fst c) (fst d) else false.
Definition implied (lower : vec) (path : list constraint) (c : constraint) : bool :=
  if match least (fst c) lower with Some v => snd c <=? v | None => false end then true else some (weaker c) path.
Lemma least_sound a lower x v : least a lower = Some v -> Forall2 Z.le lower x -> v <= dot a x.
Proof.
  intros H F; revert a v H; induction F as [|l z lower x L F IH]; intros [|p a] v; cbn [least dot]; try discriminate.
  - intros [= <-]; lia.
  - destruct (Z.ltb_spec p 0); [discriminate|]. destruct (least a lower) as [w|] eqn:Le; [|discriminate].
    intros [= <-]. specialize (IH _ _ Le). nia.
Qed.
Lemma implied_sound lower path c x : Forall2 Z.le lower x -> Forall (holds x) path -> implied lower path c = true -> holds x c.
Proof.
  intros L F H. unfold implied in H. destruct (match least (fst c) lower with Some v => snd c <=? v | None => false end) eqn:B.
  - destruct (least (fst c) lower) as [v|] eqn:Le; [|discriminate]. apply Z.leb_le in B.
    pose proof (least_sound _ _ _ _ Le L). unfold holds; lia.
  - apply some_In in H as (d & I & W). unfold weaker in W. apply if_true in W as [Bd V]. apply Z.leb_le in Bd.
    apply equal_vec_eq in V. rewrite Forall_forall in F. specialize (F d I). unfold holds in *. rewrite V. lia.
Qed.

(* ---- forms: a constant and coefficients ---- *)

Notation form := (Z * vec)%type (only parsing).
Definition value (x : vec) (f : form) : Z := fst f + dot (snd f) x.
Definition form_plus (f g : form) : form := (fst f + fst g, axpy 1 (snd f) (snd g)).
Definition form_times (k : Z) (f : form) : form := (k * fst f, map (Z.mul k) (snd f)).
Definition form_const (k : Z) : form := (k, []).
Lemma value_plus x f g : value x (form_plus f g) = value x f + value x g.
Proof. unfold value, form_plus; cbn [fst snd]; rewrite dot_axpy; lia. Qed.
Lemma value_times x k f : value x (form_times k f) = k * value x f.
Proof. unfold value, form_times; cbn [fst snd]; rewrite dot_map; lia. Qed.
Lemma value_const x k : value x (form_const k) = k.
Proof. unfold value; cbn; ring. Qed.
Fixpoint content (a : vec) : Z := match a with [] => 0 | p :: a => Z.gcd p (content a) end.

(* f >= 0 as a constraint with coprime coefficients, tightened to integers, after what they are divided by; None where f
   has no coefficients. *)
Definition atom (n : nat) (f : form) : option (Z * constraint) :=
  let g := content (snd f) in
  if g =? 0 then None
  else let padding := repeat 0 (n - length (snd f)) in
       Some (g, if g =? 1 then (snd f ++ padding, - fst f) else (map (fun c => c / g) (snd f) ++ padding, - (fst f / g))).
(* Checked where an atom is used, so that nothing needs to be known of [content]. *)
Definition is_atom (f : form) (g : Z) (c : constraint) : bool :=
  let rest := fst f + g * snd c in
  if 0 <=? rest then if rest <? g then zero (axpy (- g) (fst c) (snd f)) else false else false.
Lemma is_atom_sound x f g c : is_atom f g c = true -> (0 <=? value x f = true <-> holds x c).
Proof.
  unfold is_atom. cbv zeta. intro H. split_ifs. rename H into V. apply Z.leb_le in H0. apply Z.ltb_lt in H1.
  rewrite Z.leb_le. pose proof (dot_zero _ x V) as D. rewrite dot_axpy in D. unfold holds, value.
  set (d := dot (fst c) x) in *. split; intro; nia.
Qed.
