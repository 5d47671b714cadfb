(* Tables by lists of integers, and the vectors of non-negative integers whose weighted sum is at most a number.
   Nothing here belongs to the meaning of a theorem: a table is some function of the state, whatever it holds, so nothing
   is proved of what is found. *)
From Coq Require Import ZArith List Lia.
From Schedproof Require Import Affine.
Import ListNotations.
Open Scope Z_scope.

(* A search tree for the first integer of a key, at each of whose nodes a table for the rest of the key hangs. *)
Inductive table (A : Type) := Nothing | Entry (a : A) | Split (k : Z) (less here more : table A).
Arguments Nothing {A}. Arguments Entry {A}. Arguments Split {A}.
Fixpoint find {A} (t : table A) (key : list Z) {struct t} : option A :=
  match t with
  | Nothing => None
  | Entry a => Some a
  | Split k less here more =>
      match key with
      | [] => None
      | d :: rest => match d ?= k with Lt => find less key | Eq => find here rest | Gt => find more key end
      end
  end.
(* A search tree of the first 2^depth - 1 of these branches, and the branches that are left. *)
Fixpoint balanced {A} (depth : nat) (l : list (Z * table A)) : table A * list (Z * table A) :=
  match depth with
  | O => (Nothing, l)
  | S depth =>
      let (less, l) := balanced depth l in
      match l with
      | [] => (less, [])
      | (k, here) :: l => let (more, l) := balanced depth l in (Split k less here more, l)
      end
  end.
(* Neighbours whose keys have the same first integer. *)
Fixpoint groups {A} (l : list (list Z * A)) : list (Z * list (list Z * A)) :=
  match l with
  | [] => []
  | ([], _) :: l => groups l
  | (k :: key, a) :: l =>
      match groups l with
      | (d, group) :: rest => if d =? k then (d, (key, a) :: group) :: rest else (k, [(key, a)]) :: (d, group) :: rest
      | [] => [(k, [(key, a)])]
      end
  end.
(* Of keys of this length, ascending, with their entries. *)
Fixpoint table_of {A} (length_of_key : nat) (l : list (list Z * A)) : table A :=
  match length_of_key with
  | O => match l with [] => Nothing | e :: _ => Entry (snd e) end
  | S rest =>
      let branches := map (fun g => (fst g, table_of rest (snd g))) (groups l) in
      fst (balanced (S (Nat.log2 (length branches))) branches)
  end.

(* Lengths of weighted sum at most [room]. *)
Fixpoint lengths_within (weights : vec) (room : Z) : list vec :=
  match weights with
  | [] => if room <? 0 then [] else [[]]
  | w :: weights =>
      flat_map (fun q => let q := Z.of_nat q in map (cons q) (lengths_within weights (room - w * q))) (seq 0 (Z.to_nat (room / w + 1)))
  end.
Lemma lengths_within_complete weights : forall x room, every (Z.ltb 0) weights = true -> length x = length weights ->
  Forall (Z.le 0) x -> dot weights x <= room -> In x (lengths_within weights room).
Proof.
  induction weights as [|w weights IH]; intros x room Pos Ln N D; destruct x as [|q x]; cbn [List.length] in Ln; try discriminate Ln; cbn [lengths_within dot] in *.
  - destruct (Z.ltb_spec room 0); [lia|now left].
  - cbn [every] in Pos. apply if_true in Pos as [Pw Pos]. apply Z.ltb_lt in Pw. injection Ln as Ln. inversion N as [|? ? Nq Nx]; subst.
    assert (0 <= dot weights x).
    { clear - Pos Nx. revert x Nx. induction weights as [|p l IH]; intros [|z x] Nx; cbn [dot]; try lia. cbn [every] in Pos.
      apply if_true in Pos as [P0 Pos]. apply Z.ltb_lt in P0. inversion Nx; subst. specialize (IH Pos x H2). nia. }
    apply in_flat_map. exists (Z.to_nat q). split.
    + apply in_seq. assert (q <= room / w) by (apply Z.div_le_lower_bound; nia). lia.
    + cbv zeta. rewrite Z2Nat.id by lia. apply in_map. apply IH; auto. lia.
Qed.
