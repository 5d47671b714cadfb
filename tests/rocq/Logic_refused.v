(* Level 1: what must not be accepted of the certificate that this file finds as Certificate. *)
From Coq Require Import ZArith List Bool Uint63 PArray.
From Schedproof Require Import Affine Words Cells.
Require Import Certificate.
Import ListNotations.
Open Scope Z_scope.
Definition tried words := all_proved (questions_of (stream words)).
Example as_it_is : tried words = true. Proof. vm_compute. reflexivity. Qed.
Example nothing : all_proved None = false. Proof. reflexivity. Qed.
(* Every question altered at one cell or empty side: no multipliers, or the last of them larger by one. *)
Fixpoint larger (m : list Z) : list Z := match m with [] => [] | [k] => [k + 1] | k :: m => k :: larger m end.
Fixpoint one_claim (claims : list (list bound * list Z)) : list (list (list bound * list Z)) :=
  match claims with
  | [] => []
  | (against, m) :: claims =>
      [((against, []) :: claims); ((against, larger m) :: claims)] ++ map (cons (against, m)) (one_claim claims)
  end.
Fixpoint variants (t : cells) : list cells :=
  match t with
  | Cell claims => map Cell (one_claim claims)
  | Empty m => [Empty []; Empty (larger m)]
  | Split a b s i yes no => map (fun t => Split a b s i t no) (variants yes) ++ map (Split a b s i yes) (variants no)
  end.
Definition all : list question := match questions with Some qs => qs | None => [] end.
Example altered_trees : flat_map (fun q : question => filter (proved (fst (fst q)) (snd (fst q))) (variants (snd q))) all = [].
Proof. vm_compute. reflexivity. Qed.
Example there_are_fifty : (50 <=? Z.of_nat (List.length (flat_map (fun q : question => variants (snd q)) all))) = true.
Proof. vm_compute. reflexivity. Qed.
(* A side that is not empty, and reals tightened as if they were integers: 2 x >= 1 or 2 x <= 0 misses x = 1/4. *)
Example not_empty : proved [true] [([1], 0, false)] (Split [1] 1 false true (Cell []) (Empty [])) = false. Proof. reflexivity. Qed.
Example reals_tightened : proved [false] [] (Split [1] 1 false true (Cell []) (Cell [])) = false. Proof. reflexivity. Qed.
Example a_strict_contradiction : refuted [1; 1] [([1], 0, true); ([-1], 0, false)] = true. Proof. reflexivity. Qed.
Example no_contradiction : refuted [1; 1] [([1], 0, false); ([-1], 0, false)] = false. Proof. reflexivity. Qed.
Example a_negative_multiplier : refuted [1; -1] [([1], 0, true); ([1], 0, false)] = false. Proof. reflexivity. Qed.
