(* What a cluster is: servers, locality levels, task types, arrivals, and the options of a slot.

   Believe: everything in this file is part of the meaning of a theorem. It says what model/queueing/instance.hpp,
   layout.hpp and options.hpp say. *)
From Coq Require Import ZArith QArith List Bool.
From Schedproof Require Import Law.
Import ListNotations.
Open Scope nat_scope.

(* The choices that the papers leave open, by the names that files give them (docs/models/queueing.md). *)
Inductive routing := batch | sequential.                 (* a task sees the queues before the slot's arrivals, or also the earlier tasks *)
Inductive counting := in_system | waiting.               (* a length counts the tasks in execution, or not *)
Inductive unmatched := idle_again | phantom.             (* a server that got no task is idle, or committed until its service would have ended *)
Inductive empty_target := wasted | conserved.            (* an idle server may choose a queue whose tasks are all in execution, or not *)
Inductive scarcity := lowest_index | uniform_subset.     (* which servers get the too few tasks of a queue *)
Record options := Options {
  routes : routing; counts : counting; unmatched_is : unmatched; empty_is : empty_target; scarce : scarcity
}.

Record cluster := Cluster {
  servers : nat;
  rates : list (list Q);            (* per row, per level, the most local first: probability that a service ends in a slot *)
  row_of_type : list nat;           (* per type: its row of rates *)
  level_of_task : list (list nat);  (* per type, per server: the level of its tasks there; 0 is local *)
  level_between : list (list nat);  (* per server m, per server n: the level at which m runs the local tasks of n *)
  marginal_costs : list Z;          (* per type: c with C'(Q) = c Q *)
  (* Independent factors of the arrivals; a factor lists outcomes: probability, and number of tasks per type. *)
  arrivals : list (list (Q * list nat));
  option_of : options
}.

(* How queues correspond to servers and types. *)
Inductive arrangement :=
| per_server                (* queue m belongs to server m *)
| per_server_and_common     (* the same, and a last queue common to all servers *)
| per_server_and_level      (* a server has a queue for each row of rates and level *)
| per_type                  (* queue t holds the tasks of type t *)
| single.                   (* one queue *)

Section Layout.
  Variables (C : cluster) (A : arrangement).
  Definition levels : nat := length (nth 0 (rates C) []).
  Definition rows : nat := length (rates C).
  Definition types : nat := length (level_of_task C).
  Definition queues : nat :=
    match A with
    | per_server => servers C
    | per_server_and_common => S (servers C)
    | per_server_and_level => servers C * (rows * levels)
    | per_type => types
    | single => 1
    end.
  Definition shared (q : nat) : bool :=
    match A with per_server_and_common | single => Nat.eqb (S q) queues | _ => false end.
  (* The server that a queue belongs to. *)
  Definition owner (q : nat) : nat := match A with per_server_and_level => q / (rows * levels) | _ => q end.
  (* The row of rates of a queue's tasks. *)
  Definition row_of_queue (q : nat) : nat :=
    match A with
    | per_type => nth q (row_of_type C) 0
    | per_server_and_level => (q / levels) mod rows
    | _ => 0
    end.
  (* The queue of server m for tasks of this level to it. *)
  Definition queue_of (m level row : nat) : nat :=
    match A with per_server_and_level => (m * rows + row) * levels + level | _ => m end.
  (* The level at which server m runs a task of queue q. *)
  Definition service_level (q m : nat) : nat :=
    match A with
    | per_type => nth m (nth q (level_of_task C) []) 0
    | per_server_and_level => q mod levels
    | _ => if shared q then levels - 1 else nth (owner q) (nth m (level_between C) []) 0
    end.
  Definition rate_at (row level : nat) : Q := nth level (nth row (rates C) []) 0%Q.
  Definition service_rate (q m : nat) : Q := rate_at (row_of_queue q) (service_level q m).

  (* Rates as integers: each times one positive number that makes all of them integral; likewise their reciprocals. *)
  Definition common_denominator (l : list Q) : Z := fold_right (fun q d => Z.lcm (Zpos (Qden q)) d) 1%Z l.
  Definition over (d : Z) (q : Q) : Z := (Qnum q * (d / Zpos (Qden q)))%Z.
  Definition rate_weight (row level : nat) : Z := over (common_denominator (concat (rates C))) (rate_at row level).
  Definition slowness (row level : nat) : Z :=
    over (common_denominator (map Qinv (concat (rates C)))) (Qinv (rate_at row level)).
End Layout.

(* What a server does: nothing, a task of a queue, or (option phantom) a service without a task. *)
Inductive status := Idle | Busy (q : nat) | Phantom (q : nat).
