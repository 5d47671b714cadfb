(* What must not be accepted, and is not: variants of the certificate of Balanced-Pandas on m2-half, which this file
   finds as Certificate. A check that accepts everything does not compile here. *)
From Coq Require Import ZArith QArith List Bool Uint63 PArray.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Words Policies.
Require Import Certificate.
Import ListNotations.
Open Scope Z_scope.

(* Evaluated once, by the kernel. *)
Ltac computed := match goal with |- _ = ?value => vm_cast_no_check (eq_refl value) end.

Notation C := m2_half_cluster. Notation P := balanced_pandas_policy.
Example the_registered_policy : P = balanced_pandas. Proof. reflexivity. Qed.

(* The certificate as it is, and each part of it altered. *)
Definition tried C P V statuses fall T trees := accepts C P V statuses fall T measure trees.
Example as_it_is : tried C P V statuses 16 14 trees = true. Proof. computed. Qed.
Example a_lower_threshold : tried C P V statuses 16 13 trees = false. Proof. computed. Qed.
Example a_raised_threshold : tried C P V statuses 16 15 trees = true. Proof. computed. Qed.
Example a_larger_drift : tried C P V statuses 17 14 trees = false. Proof. computed. Qed.
Example no_trees : tried C P V statuses 16 14 [] = false. Proof. computed. Qed.
Example a_tree_too_few : tried C P V statuses 16 14 (removelast trees) = false. Proof. computed. Qed.
Example trees_exchanged : tried C P V statuses 16 14 (rev trees) = false. Proof. computed. Qed.
Example a_status_too_few :
  tried C P V [[Idle; Busy 0; Busy 1]; [Idle; Busy 2]] 16 14 trees = false. Proof. computed. Qed.

(* Another cluster. *)
Definition with_arrivals a := Cluster (servers C) (rates C) (row_of_type C) (level_of_task C) (level_between C) (marginal_costs C) a (option_of C).
Definition with_rates r := Cluster (servers C) r (row_of_type C) (level_of_task C) (level_between C) (marginal_costs C) (arrivals C) (option_of C).
Definition with_levels l := Cluster (servers C) (rates C) (row_of_type C) l (level_between C) (marginal_costs C) (arrivals C) (option_of C).
Definition with_options o := Cluster (servers C) (rates C) (row_of_type C) (level_of_task C) (level_between C) (marginal_costs C) (arrivals C) o.
Example more_load : tried (with_arrivals
  [[((1 # 2)%Q, [1; 0]%nat); ((1 # 2)%Q, [0; 0]%nat)]; [((51 # 100)%Q, [0; 1]%nat); ((49 # 100)%Q, [0; 0]%nat)]]) P V statuses 16 14 trees = false.
Proof. computed. Qed.
Example probabilities_that_are_none : tried (with_arrivals
  [[((1 # 2)%Q, [1; 0]%nat); ((2 # 5)%Q, [0; 0]%nat)]; [((1 # 2)%Q, [0; 1]%nat); ((1 # 2)%Q, [0; 0]%nat)]]) P V statuses 16 14 trees = false.
Proof. computed. Qed.
Example a_slower_server : tried (with_rates [[(3 # 4)%Q; (1 # 5)%Q]]) P V statuses 16 14 trees = false. Proof. computed. Qed.
Example a_wrong_level : tried (with_levels [[0; 0]; [1; 0]]%nat) P V statuses 16 14 trees = false. Proof. computed. Qed.
Example another_option : tried (with_options (Options batch in_system phantom wasted lowest_index)) P V statuses 16 14 trees = false.
Proof. computed. Qed.

(* Another policy on the same queues. *)
Example without_rates : tried C (Policy per_server_and_level (Argmin Servers ServerWorkload) (serve P)) V statuses 16 14 trees = false.
Proof. computed. Qed.
Example only_local_tasks : tried C (Policy per_server_and_level (route P) Own) V statuses 16 14 trees = false. Proof. computed. Qed.
Example another_order : tried C (Policy per_server_and_level (route P) (FirstOf (Where OwnLevels HasWork) Own)) V statuses 16 14 trees = false.
Proof. computed. Qed.

(* Another function: one that may be negative, and one that is not that of the leaves. *)
Example a_negative_function : nonnegative (Lyapunov [Product (-1) (0, [1]) (0, [1])] []) = false. Proof. reflexivity. Qed.
Example a_regret_of_nothing : nonnegative (Lyapunov [] [Regret Always 1 [(0, [1])] (0, [2])]) = false. Proof. reflexivity. Qed.
Example another_function : tried C P (Lyapunov (removelast (products V)) []) statuses 16 14 trees = false. Proof. computed. Qed.
(* A measure that ignores a queue leaves infinitely many states below every threshold. *)
Example a_partial_measure : accepts C P V statuses 16 14 (0, [1; 1; 1; 0]) trees = false. Proof. computed. Qed.

(* Every tree, altered at one node, leaf or closed side: another bound, another form, sides exchanged; no multipliers, or
   the last of them larger by one. None walks along with the policy's questions and is refuted everywhere. *)
Fixpoint larger (m : list Z) : list Z := match m with [] => [] | [k] => [k + 1] | k :: m => k :: larger m end.
Fixpoint variants (t : tree) : list tree :=
  match t with
  | Leaf m => [Leaf []; Leaf (larger m)]
  | Closed m => [Closed []; Closed (larger m)]
  | Node a b yes no =>
      [Node a (b + 1) yes no; Node (map (Z.mul 2) a) b yes no; Node a b no yes]
      ++ map (fun t => Node a b t no) (variants yes) ++ map (fun t => Node a b yes t) (variants no)
  end.
Definition walks (s : list status) (t : tree) : bool :=
  walk (queues C (keeps P)) (executing C P s) (leaf C P V statuses 1 (fun _ => form_const 16) 14 (fun _ => measure) None s) (questions C P V s) (base C P s) t.
Definition all := combine (shapes statuses) trees.
Example altered_trees : flat_map (fun e => filter (walks (fst e)) (variants (snd e))) all = [].
Proof. computed. Qed.
Example there_are_many : (500 <=? Z.of_nat (List.length (flat_map (fun e => variants (snd e)) all))) = true. Proof. computed. Qed.
Example the_trees_walk : every (fun e => walks (fst e) (snd e)) all = true. Proof. computed. Qed.
(* A stream that ends too early, or goes on, holds no trees. *)
Example a_stream_cut_off : trees_of (removelast (stream words)) = []. Proof. computed. Qed.
Example a_stream_that_goes_on : trees_of (stream words ++ [0]) = []. Proof. computed. Qed.
