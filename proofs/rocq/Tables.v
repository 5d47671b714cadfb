(* Tables of integers by positive keys, and the vectors of non-negative integers whose weighted sum is at most a number.
   Nothing here belongs to the meaning of a theorem: a table is some function of the state, whatever it holds. *)
From Coq Require Import ZArith List Lia.
From Schedproof Require Import Affine.
Import ListNotations.
Open Scope Z_scope.

Inductive trie := Nothing | Fork (here : option Z) (even odd : trie).
Fixpoint find (k : positive) (t : trie) : option Z :=
  match t, k with
  | Nothing, _ => None
  | Fork here _ _, xH => here
  | Fork _ even _, xO k => find k even
  | Fork _ _ odd, xI k => find k odd
  end.
Fixpoint put (k : positive) (z : Z) (t : trie) : trie :=
  match k, t with
  | xH, Nothing => Fork (Some z) Nothing Nothing
  | xH, Fork _ even odd => Fork (Some z) even odd
  | xO k, Nothing => Fork None (put k z Nothing) Nothing
  | xO k, Fork here even odd => Fork here (put k z even) odd
  | xI k, Nothing => Fork None Nothing (put k z Nothing)
  | xI k, Fork here even odd => Fork here even (put k z odd)
  end.
(* The least of the entries and of z. *)
Fixpoint least_entry (t : trie) (z : Z) : Z :=
  match t with
  | Nothing => z
  | Fork here even odd => least_entry even (least_entry odd (match here with Some v => Z.min v z | None => z end))
  end.
Lemma least_entry_sound t : forall z, least_entry t z <= z /\ forall k v, find k t = Some v -> least_entry t z <= v.
Proof.
  induction t as [|here even IHe odd IHo]; intro z; cbn [least_entry]; [split; [lia|intros [] v; discriminate]|].
  set (m := match here with Some v => Z.min v z | None => z end). assert (m <= z) by (unfold m; destruct here; lia).
  destruct (IHo m) as [O1 O2], (IHe (least_entry odd m)) as [E1 E2]. split; [lia|]. intros [k|k|] v; cbn [find]; intro F.
  - specialize (O2 k v F). lia.
  - now apply E2 in F.
  - unfold m in *. rewrite F in *. lia.
Qed.

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
