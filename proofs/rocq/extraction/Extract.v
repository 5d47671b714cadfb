(* The checker as OCaml on Zarith, for certificates that are too large for the virtual machine.

   Trusted besides Rocq's kernel: extraction, the replacements of ExtrOcamlZBigInt and below, OCaml, Zarith. *)
From Coq Require Import ZArith Extraction ExtrOcamlBasic ExtrOcamlZBigInt.
From Schedproof Require Import Words Cells Statements.
Extract Constant Z.gcd => "Z.gcd".
Extract Constant Z.ggcd => "(fun a b -> let g = Z.gcd a b in if Z.equal g Z.zero then (g, (g, g)) else (g, (Z.divexact a g, Z.divexact b g)))".
Extraction "checker.ml" decided claimed logic_proved logic_of signed.
