(* Statements as a stream of integers, for the extracted checker: cluster, policy, function, numbers and hints.

   [decided] reads one and runs the acceptance that the theorems of Drift.v, Transience.v and Boxes.v ask for; of what it
   accepts those theorems hold. So [holds_of] is what a run of the extracted program says, and [decided_sound] that it is
   true of the statement that was read. *)
From Coq Require Import ZArith QArith List Bool.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Words Means Boxes Transience.
Import ListNotations.
Open Scope Z_scope.

Inductive statement :=
| Reached (fall T : Z) (measure : form)
| Growth (growth w0 jump c : Z)
| Between (u : positive) (counted : form) (of_statuses : list (condition * Z)) (factor offset T : Z) (weights : vec) (lower upper slack : Z)
    (above below : list Z) (below_trees : list tree).
Record stated := Stated {
  of_cluster : cluster; of_policy : policy; of_function : lyapunov; of_statuses : list (list status); claimed : statement; hints : list tree
}.

(* ---- reading ---- *)

Definition coefficients : reader vec := counted number.
Definition form_of : reader form := read c from number; read a from coefficients; return_ (c, a).
Definition one_of {A} (names : list A) : reader A :=
  read n from natural; match nth_error names n with Some a => return_ a | None => fun _ => None end.

Definition cluster_of : reader cluster :=
  read m from natural; read r from counted (counted fraction); read rows from counted natural;
  read tasks from counted (counted natural); read between from counted (counted natural); read costs from counted number;
  read a from counted (counted (read p from fraction; read n from counted natural; return_ (p, n)));
  read o1 from one_of [batch; sequential]; read o2 from one_of [in_system; waiting]; read o3 from one_of [idle_again; phantom];
  read o4 from one_of [wasted; conserved]; read o5 from one_of [lowest_index; uniform_subset];
  return_ (Cluster m r rows tasks between costs a (Options o1 o2 o3 o4 o5)).

(* The constructors of Language.v in their order, from 0 on. *)
Fixpoint set_reader (depth : nat) : reader set :=
  match depth with
  | O => fun _ => None
  | S depth =>
      let s := fun l => set_reader depth l in let k := fun l => key_reader depth l in let c := fun l => test_reader depth l in
      read tag from natural;
      match tag with
      | 0 => return_ Local | 1 => return_ Servers | 2 => return_ OwnType | 3 => return_ Own | 4 => return_ OwnLevels
      | 5 => return_ Reachable | 6 => return_ Common | 7 => return_ It
      | 8 => read a from s; read b from s; return_ (Unite a b)
      | 9 => read a from s; read b from s; return_ (Intersect a b)
      | 10 => read a from s; read b from c; return_ (Where a b)
      | 11 => read a from s; read b from k; return_ (Argmin a b)
      | 12 => read a from s; read b from k; return_ (Argmax a b)
      | 13 => read a from s; return_ (MostLocal a)
      | 14 => read a from s; read b from s; return_ (FirstOf a b)
      | 15 => read t from c; read a from s; read b from s; return_ (When t a b)
      | 16 => read a from s; read b from s; return_ (Among a b)
      | _ => fun _ => None
      end%nat
  end
with key_reader (depth : nat) : reader key :=
  match depth with
  | O => fun _ => None
  | S depth =>
      let s := fun l => set_reader depth l in let k := fun l => key_reader depth l in
      read tag from natural;
      match tag with
      | 17 => return_ Length | 18 => return_ Servable | 19 => return_ ServerLength | 20 => return_ ServerWorkload
      | 21 => return_ MarginalCost | 22 => return_ Distance
      | 23 => read n from number; return_ (Constant n)
      | 24 => read a from k; return_ (TimesRate a)
      | 25 => read a from k; return_ (OverRate a)
      | 26 => read a from k; return_ (TimesLocal a)
      | 27 => read a from k; return_ (TimesRemote a)
      | 28 => read n from number; read d from strictly_positive; read a from k; return_ (Multiple n d a)
      | 29 => read a from k; read b from k; return_ (Plus a b)
      | 30 => read a from k; read b from k; return_ (Minus a b)
      | 31 => read a from s; read b from k; return_ (Least a b)
      | 32 => read a from s; read b from k; return_ (Greatest a b)
      | 33 => read a from s; read b from k; return_ (Total a b)
      | 34 => read a from s; read b from k; return_ (Mean a b)
      | 42 => read n from number; return_ (LevelOf n) | 43 => return_ RemoteLevel
      | _ => fun _ => None
      end%nat
  end
with test_reader (depth : nat) : reader test :=
  match depth with
  | O => fun _ => None
  | S depth =>
      let k := fun l => key_reader depth l in let c := fun l => test_reader depth l in
      read tag from natural;
      match tag with
      | 35 => return_ HasWork
      | 36 => read a from k; read b from k; return_ (Less a b)
      | 37 => read a from k; read b from k; return_ (LessEqual a b)
      | 38 => read a from k; read b from k; return_ (Equal a b)
      | 39 => read a from c; read b from c; return_ (Both a b)
      | 40 => read a from c; read b from c; return_ (Either a b)
      | 41 => read a from c; return_ (Not a)
      | _ => fun _ => None
      end%nat
  end.
Definition policy_of : reader policy :=
  read a from one_of [per_server; per_server_and_common; per_server_and_level; per_type; single];
  read r from set_reader 100; read s from set_reader 100; return_ (Policy a r s).

Definition status_of : reader status :=
  read tag from number;
  if tag =? 0 then return_ Idle
  else read q from natural; if tag =? 1 then return_ (Busy q) else if tag =? 2 then return_ (Phantom q) else fun _ => None.
Definition condition_of : reader condition :=
  read tag from natural;
  match tag with
  | 0 => return_ Always
  | 1 => read m from natural; return_ (WhileBusy m)
  | 2 => read m from natural; read q from natural; return_ (WhileBusyWith m q)
  | 3 => read m from natural; return_ (WhilePhantom m)
  | 4 => read m from natural; read q from natural; return_ (WhilePhantomOf m q)
  | _ => fun _ => None
  end%nat.
Definition lyapunov_of : reader lyapunov :=
  read ps from counted (read c from number; read a from form_of; read b from form_of; return_ (Product c a b));
  read rs from counted (read w from condition_of; read c from number; read fs from counted form_of; read f from form_of; return_ (Regret w c fs f));
  return_ (Lyapunov ps rs).
Definition trees_reader : reader (list tree) := read n from natural; counted (tree_of n max_depth).
Definition statement_of : reader statement :=
  read tag from number;
  if tag =? 0 then read fall from number; read T from number; read m from form_of; return_ (Reached fall T m)
  else if tag =? 1 then
    read growth from number; read w0 from number; read jump from number; read c from number; return_ (Growth growth w0 jump c)
  else if tag =? 2 then
    read u from strictly_positive; read f from form_of;
    read terms from counted (read w from condition_of; read z from number; return_ (w, z));
    read factor from number; read offset from number; read T from number; read weights from coefficients;
    read lower from number; read upper from number; read slack from number; read above from coefficients; read below from coefficients;
    read trees from trees_reader;
    return_ (Between u f terms factor offset T weights lower upper slack above below trees)
  else fun _ => None.
Definition stated_of : reader stated :=
  read C from cluster_of; read P from policy_of; read lists from counted (counted status_of); read V from lyapunov_of;
  read trees from trees_reader; read s from statement_of; return_ (Stated C P V lists s trees).

(* ---- deciding ---- *)

Definition accepted_statement (s : stated) : bool :=
  match claimed s with
  | Reached fall T measure => accepts (of_cluster s) (of_policy s) (of_function s) (of_statuses s) fall T measure (hints s)
  | Growth growth w0 jump c => transient_accepted (of_cluster s) (of_policy s) (of_function s) (of_statuses s) growth w0 jump c (hints s)
  | Between u f terms factor offset T weights lower upper slack above below trees =>
      mean_accepted (of_cluster s) (of_policy s) (of_function s) (of_statuses s) u (with_statuses f terms) factor offset T weights
        lower upper slack above below (hints s) trees
  end.
Definition decided (l : list Z) : option (stated * bool) :=
  match stated_of l with Some (s, []) => Some (s, accepted_statement s) | _ => None end.

(* What is true of an accepted statement, of every valid state x and every n. *)
Definition holds_of (s : stated) : Prop :=
  let C := of_cluster s in let P := of_policy s in let V := of_function s in let ok := valid C P (of_statuses s) in
  ok (empty_state C P) /\
  match claimed s with
  | Reached fall T measure =>
      (forall x, ok x -> measured_below measure T x = true -> Forall (fun q => 0 <= q < T) (fst x)) /\
      (forall n x, ok x -> mean_time (chain C P) (measured_below measure T) n x * inject_Z fall <= inject_Z (value_of V x))%Q
  | Growth growth w0 jump c =>
      forall n x, ok x -> low V w0 x = false -> (reach (chain C P) (low V w0) n x <= inject_Z c / inject_Z (value_of V x - w0 + c))%Q
  | Between u f terms factor offset T weights lower upper slack above below trees =>
      let start x := (factor * value_of V x + offset + slack # u)%Q in
      forall n x, ok x -> (times_of n (lower # u) - start x <= total (chain C P) (measured (with_statuses f terms)) n x
                           <= times_of n (upper # u) + start x)%Q
  end.
Theorem decided_sound l s : decided l = Some (s, true) -> holds_of s.
Proof.
  unfold decided. destruct (stated_of l) as [[s' [|]]|]; try discriminate. intros [= -> H].
  destruct s as [C P V lists claim trees]. unfold accepted_statement, holds_of in *. cbn in *. destruct claim.
  - split; [exact (empty_valid _ _ _ _ _ _ _ _ H)|]. split; [exact (target_finite _ _ _ _ _ _ _ _ H)|exact (mean_time_bounded _ _ _ _ _ _ _ _ H)].
  - split; [exact (transient_empty_valid _ _ _ _ _ _ _ _ _ H)|exact (comes_down_at_most _ _ _ _ _ _ _ _ _ H)].
  - split; [eapply mean_empty_valid; exact H|]. eapply totals_in_units. exact H.
Qed.
