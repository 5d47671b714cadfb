(* Trees as a stream of integers, packed into the words of an array.

   An integer z is written as 2|z|, plus one where z < 0, in groups of seven bits, least first; seven bytes stand in a
   word, least first. Nothing read here needs a proof: a tree is a hint, and only what is read is checked. *)
From Coq Require Import ZArith QArith List Uint63 PArray.
From Schedproof Require Import Affine Program.
Import ListNotations.
Open Scope Z_scope.

Definition signed (u : Z) : Z := if Z.odd u then - Z.div2 u else Z.div2 u.
Fixpoint numbers_of (bytes : list int) (shift so_far : Z) : list Z :=
  match bytes with
  | [] => []
  | b :: bytes =>
      let so_far := so_far + Z.shiftl (to_Z (b land 127)%uint63) shift in
      if (b <? 128)%uint63 then signed so_far :: numbers_of bytes 0 0 else numbers_of bytes (shift + 7) so_far
  end.
Fixpoint bytes_of (k : nat) (word : int) : list int :=
  match k with O => [] | S k => (word land 255)%uint63 :: bytes_of k (word >> 8)%uint63 end.
Fixpoint all_bytes (words : array int) (k : nat) (i : int) (rest : list int) : list int :=      (* words i - k to i - 1 *)
  match k with O => rest | S k => all_bytes words k (i - 1)%uint63 (bytes_of 7 (words.[i - 1]%uint63) ++ rest) end.
Definition stream (words : array int) : list Z :=
  numbers_of (all_bytes words (Z.to_nat (to_Z (PArray.length words))) (PArray.length words) []) 0 0.

Definition reader A := list Z -> option (A * list Z).
Definition then_read {A B} (r : reader A) (f : A -> reader B) : reader B := fun l => match r l with Some (a, l) => f a l | None => None end.
Notation "'read' x 'from' r ; f" := (then_read r (fun x => f)) (at level 80, x pattern, r at next level, right associativity).
Definition return_ {A} (a : A) : reader A := fun l => Some (a, l).
Definition number : reader Z := fun l => match l with z :: l => Some (z, l) | [] => None end.
Fixpoint many {A} (r : reader A) (n : nat) : reader (list A) :=
  match n with O => return_ [] | S n => read a from r; read rest from many r n; return_ (a :: rest) end.
(* Counts and positions. One that no stream needs is refused before a list of that length is made. *)
Definition natural_below (limit : Z) : reader nat :=
  fun l => match l with z :: l => if z <? 0 then None else if z <? limit then Some (Z.to_nat z, l) else None | [] => None end.
Definition natural : reader nat := natural_below 16777216.
Definition counted {A} (r : reader A) : reader (list A) := read n from natural; many r n.
Definition strictly_positive : reader positive := fun l => match l with Zpos p :: l => Some (p, l) | _ => None end.
Definition fraction : reader Q := read n from number; read d from strictly_positive; return_ (n # d)%Q.
(* Entries other than zero, each after the number of zeros before it. *)
Definition sparse : reader (list Z) :=
  read entries from counted (read gap from natural_below 65536; read z from number; return_ (gap, z));
  return_ (fold_right (fun (e : nat * Z) rest => repeat 0 (fst e) ++ snd e :: rest) [] entries).
Definition padded (n : nat) (a : list Z) : list Z := a ++ repeat 0 (n - List.length a).

Fixpoint tree_of (n depth : nat) : reader tree :=
  match depth with
  | O => fun _ => None
  | S depth =>
      read tag from number;
      if tag =? 0 then read m from sparse; return_ (Leaf m)
      else if tag =? 1 then read m from sparse; return_ (Closed m)
      else if tag =? 2 then
        read a from sparse; read b from number; read yes from tree_of n depth; read no from tree_of n depth;
        return_ (Node (padded n a) b yes no)
      else fun _ => None
  end.
Definition max_depth : nat := 2000.
(* The number of variables, then the trees; no tree at all unless everything was read. *)
Definition trees_of (l : list Z) : list tree :=
  match (read n from natural; counted (tree_of n max_depth)) l with Some (trees, []) => trees | _ => [] end.
