(* Level 1: what must not be accepted of the certificate that this file finds as Certificate. *)
From Coq Require Import ZArith QArith List Bool Uint63 PArray.
From Schedproof Require Import Affine Words Identities Cells.
Require Import Certificate.
Import ListNotations.
Open Scope Z_scope.
Definition tried words := logic_proved (logic_of (stream words)).
Example as_it_is : tried words = true. Proof. vm_compute. reflexivity. Qed.
Example nothing : logic_proved None = false. Proof. reflexivity. Qed.
(* Every question altered at one cell or empty side: no multipliers, or the last of them larger by one. *)
Fixpoint larger (m : list Z) : list Z := match m with [] => [] | [k] => [k + 1] | k :: m => k :: larger m end.
Fixpoint one_claim (claims : list claim) : list (list claim) :=
  match claims with
  | [] => []
  | Claim cs which m :: claims =>
      [Claim cs which [] :: claims; Claim cs which (larger m) :: claims] ++ map (cons (Claim cs which m)) (one_claim claims)
  end.
Fixpoint variants (t : cells) : list cells :=
  match t with
  | Cell claims => map Cell (one_claim claims)
  | Empty m => [Empty []; Empty (larger m)]
  | Split a b s i yes no => map (fun t => Split a b s i t no) (variants yes) ++ map (Split a b s i yes) (variants no)
  end.
Definition questions := match logic with Some (qs, _) => qs | None => [] end.
Definition identities := match logic with Some (_, ids) => ids | None => [] end.
Example altered_trees : flat_map (fun q => filter (proved q (premises q)) (variants (asked q))) questions = [].
Proof. vm_compute. reflexivity. Qed.
Example there_are_fifty : (50 <=? Z.of_nat (List.length (flat_map (fun q => variants (asked q)) questions))) = true.
Proof. vm_compute. reflexivity. Qed.
(* Every identity altered in one product: left out, another coefficient, the first hypothesis in place of its own. *)
Fixpoint one_term (ts : list (Q * list nat)) : list (list (Q * list nat)) :=
  match ts with
  | [] => []
  | (k, which) :: ts => [ts; ((k + 1)%Q, which) :: ts; (k, O :: which) :: ts] ++ map (cons (k, which)) (one_term ts)
  end.
Definition altered (i : identity) := map (Identity (hypotheses i) (conclusion i)) (one_term (terms i)).
Example altered_identities : flat_map (fun i => filter multiplies_out (altered i)) identities = []. Proof. vm_compute. reflexivity. Qed.
Example there_are_some : (10 <=? Z.of_nat (List.length (flat_map altered identities))) = true. Proof. vm_compute. reflexivity. Qed.
(* A side that is not empty, and reals tightened as if they were integers: 2 x >= 1 or 2 x <= 0 misses x = 1/4. *)
Definition proved_of integer premises t := proved (Question integer false premises t) premises t.
Example not_empty : proved_of [true] [([1], 0, false)] (Split [1] 1 false true (Cell []) (Empty [])) = false. Proof. reflexivity. Qed.
Example reals_tightened : proved_of [false] [] (Split [1] 1 false true (Cell []) (Cell [])) = false. Proof. reflexivity. Qed.
Example a_strict_contradiction : refuted [1; 1] [([1], 0, true); ([-1], 0, false)] = true. Proof. reflexivity. Qed.
Example no_contradiction : refuted [1; 1] [([1], 0, false); ([-1], 0, false)] = false. Proof. reflexivity. Qed.
Example a_negative_multiplier : refuted [1; -1] [([1], 0, true); ([1], 0, false)] = false. Proof. reflexivity. Qed.
(* x >= 1 excludes x^2 < 1 by the square of x - 1 and twice x - 1: x^2 - 1 = (x - 1)^2 + 2 (x - 1). One of them alone does not,
   and a constraint that mentions a product is not multiplied. *)
Definition squares premises which m :=
  let t := Cell [Claim [([0; -1], -1, true)] which m] in proved (Question [false] true premises t) premises t.
Example a_product : squares [([1; 0], 1, false)] [(1, 1)]%nat [1; 1; 2] = true. Proof. reflexivity. Qed.
Example no_product : squares [([1; 0], 1, false)] [] [1; 2] = false. Proof. reflexivity. Qed.
Example another_product : squares [([1; 0], 1, false)] [(0, 1)]%nat [1; 1; 2] = false. Proof. reflexivity. Qed.
Example a_constraint_that_is_not_there : squares [([1; 0], 1, false)] [(7, 1)]%nat [1; 1; 2] = false. Proof. reflexivity. Qed.
Example products_of_a_linear_question :
  let t := Cell [Claim [([0; -1], -1, true)] [(1, 1)]%nat [1; 1; 2]] in proved (Question [false; false] false [([1; 0], 1, false)] t) [([1; 0], 1, false)] t = false.
Proof. reflexivity. Qed.
(* r x >= 1 shows x >= 1/r, not x >= 1; and no negative multiple of a hypothesis may be used. *)
Definition over_rate conclusion terms := multiplies_out (Identity [[(1%Q, [-1; 0])]; [(1%Q, [1; 1]); ((-1)%Q, [0; 0])]] conclusion terms).
Example divided_by_a_rate : over_rate [(1%Q, [0; 1]); ((-1)%Q, [-1; 0])] [(1%Q, [0; 1]%nat)] = true. Proof. reflexivity. Qed.
Example not_divided : over_rate [(1%Q, [0; 1]); ((-1)%Q, [0; 0])] [(1%Q, [0; 1]%nat)] = false. Proof. reflexivity. Qed.
Example a_negative_multiple : over_rate [((-1)%Q, [-1; 0])] [((-1)%Q, [0]%nat)] = false. Proof. reflexivity. Qed.
