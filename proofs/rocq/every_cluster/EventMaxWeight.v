(* JSQ-MaxWeight, Wang's JSQ-MaxWeight and the generalized c-mu rule are throughput optimal in continuous time: on every
   cluster whose levels come from replicas, for any servers, types, levels, rates and Poisson arrivals.

   The policies are the rules of Policies.v, the chain is that of EventKernel.v.
   The theorems are stated with the definitions
   of Capacity.v, Weights.v and EventCapacity.v. *)
From Coq Require Import ZArith QArith Lqa List Bool Lia Arith.
From Schedproof Require Import Law Affine Program Cluster Language Kernel EventKernel Drift Policies.
From Schedproof Require Import Outcomes Rules Capacity Layout Weights JsqMaxWeight WangMaxWeight GeneralizedCmu.
From Schedproof Require Import EventCapacity PreemptiveStability NonpreemptiveStability.
Import ListNotations.
Open Scope Q_scope.

(* ---- tasks may be interrupted ---- *)

(* For every cluster whose levels come from replicas, and every split of its streams that loads no server above rho <
  1: the
   empty cluster is a valid state; the states of total weight below the threshold are finitely many;
     and from every valid
   state the mean of min(number of events until such a state is reached, events), over the number of events per unit
     of time,
   is at most the sum of squares there, for every number of events. So the mean time is finite, by Foster's criterion.
   *)
Theorem preemptive_jsq_maxweight_throughput_optimal : forall C streams rho split,
  laid_out C -> replicated C per_server -> event_options C -> streams_are_rates streams ->
  carries_streams C streams rho split -> rho < 1 ->
  let policy := jsq_maxweight in
  let valid := valid C policy (released C) in
  let spread := preemptive_spread C streams per_server in
  let target := below_threshold spread rho (total_weight C per_server) in
  valid (empty_state C policy) /\
  (forall x, valid x -> target x = true ->
     Forall (fun q => 0 <= inject_Z q < (spread + 1) / (2 * (1 - rho)) / least_rate C) (fst x)) /\
  (forall events x, valid x ->
     mean_time (event_chain C streams resume policy) target events x / event_rate C streams <= squares C per_server
       (fst x)).
Proof.
  intros C streams rho split LO REP supported rates enough below_one.
  exact (preemptive_stable C per_server (route jsq_maxweight) (serve jsq_maxweight) streams (or_introl eq_refl) LO REP
    supported rates (fun len inside t => JsqMaxWeight.route_to_shortest C (proj1 supported) len inside t)
    (fun len inside m => serve_turns_to_heaviest C LO REP (proj1 supported) len inside m) rho split below_one enough).
Qed.

(* The same where a server serves its own queue and the common one. *)
Theorem preemptive_wang_jsq_maxweight_throughput_optimal : forall C streams rho split,
  laid_out C -> replicated C per_server_and_common -> own_is_local C -> event_options C -> streams_are_rates streams ->
  carries_streams C streams rho split -> rho < 1 ->
  let policy := wang_jsq_maxweight in
  let valid := valid C policy (released C) in
  let spread := preemptive_spread C streams per_server_and_common in
  let target := below_threshold spread rho (total_weight C per_server_and_common) in
  valid (empty_state C policy) /\
  (forall x, valid x -> target x = true ->
     Forall (fun q => 0 <= inject_Z q < (spread + 1) / (2 * (1 - rho)) / least_rate C) (fst x)) /\
  (forall events x, valid x -> mean_time (event_chain C streams resume policy) target events x / event_rate C streams
     <= squares C per_server_and_common (fst x)).
Proof.
  intros C streams rho split LO REP local supported rates enough below_one.
  exact (preemptive_stable C per_server_and_common (route wang_jsq_maxweight) (serve wang_jsq_maxweight) streams
    (or_intror (or_introl eq_refl)) LO REP supported rates
    (fun len inside t _ => WangMaxWeight.route_to_shortest C (proj1 supported) len inside t)
    (fun len inside m => serve_turns_to_heavier C LO REP local (proj1 supported) len inside m) rho split below_one
      enough).
Qed.

(* The same where a queue holds the tasks of one type, and its length counts times the type's cost. *)
Theorem preemptive_generalized_cmu_throughput_optimal : forall C streams rho split,
  laid_out C -> costs_are_positive C -> event_options C -> streams_are_rates streams ->
  carries_streams C streams rho split -> rho < 1 ->
  let policy := generalized_cmu in
  let valid := valid C policy (released C) in
  let spread := preemptive_spread C streams per_type in
  let target := below_threshold spread rho (total_weight C per_type) in
  valid (empty_state C policy) /\
  (forall x, valid x -> target x = true ->
     Forall (fun q => 0 <= inject_Z q < (spread + 1) / (2 * (1 - rho)) / least_rate C) (fst x)) /\
  (forall events x, valid x ->
     mean_time (event_chain C streams resume policy) target events x / event_rate C streams <= squares C per_type (fst
       x)).
Proof.
  intros C streams rho split LO positive supported rates enough below_one.
  exact (preemptive_stable C per_type (route generalized_cmu) (serve generalized_cmu) streams (or_intror (or_intror
    eq_refl)) LO
    (queues_are_replicated C LO positive) supported rates
    (fun len inside t _ => route_to_own_type C len inside t)
    (fun len inside m Hm _ => serve_turns_to_dearest C LO positive (proj1 supported) len inside m Hm)
    rho split below_one enough).
Qed.

(* ---- tasks are not interrupted ---- *)

(* Between events no queue is shorter than its tasks in execution, and each idle server may have declined. *)
Theorem event_jsq_maxweight_throughput_optimal : forall C streams rho split,
  laid_out C -> replicated C per_server -> event_options C -> streams_are_rates streams ->
  carries_streams C streams rho split -> rho < 1 ->
  let policy := jsq_maxweight in
  let between x := valid C policy (reachable_statuses C per_server) x /\ settled C policy x = true in
  let spread := event_spread C streams per_server in
  let target := below_threshold spread rho (total_weight C per_server) in
  between (empty_state C policy) /\
  (forall x, between x -> target x = true ->
     Forall (fun q => 0 <= inject_Z q < (spread + 1) / (2 * (1 - rho)) / least_rate C) (fst x)) /\
  (forall events x, between x -> mean_time (event_chain C streams no_preemption policy) target events x / event_rate C
    streams
     <= squares_and_regrets C per_server x).
Proof.
  intros C streams rho split LO REP supported rates enough below_one.
  exact (nonpreemptive_stable C per_server (route jsq_maxweight) (serve jsq_maxweight) streams (or_introl eq_refl) LO
    REP
    supported rates (fun len inside t => JsqMaxWeight.route_to_shortest C (proj1 supported) len inside t)
    (fun len inside m => serve_turns_to_heaviest C LO REP (proj1 supported) len inside m) rho split below_one enough).
Qed.

Theorem event_wang_jsq_maxweight_throughput_optimal : forall C streams rho split,
  laid_out C -> replicated C per_server_and_common -> own_is_local C -> event_options C -> streams_are_rates streams ->
  carries_streams C streams rho split -> rho < 1 ->
  let policy := wang_jsq_maxweight in
  let between x := valid C policy (reachable_statuses C per_server_and_common) x /\ settled C policy x = true in
  let spread := event_spread C streams per_server_and_common in
  let target := below_threshold spread rho (total_weight C per_server_and_common) in
  between (empty_state C policy) /\
  (forall x, between x -> target x = true ->
     Forall (fun q => 0 <= inject_Z q < (spread + 1) / (2 * (1 - rho)) / least_rate C) (fst x)) /\
  (forall events x, between x -> mean_time (event_chain C streams no_preemption policy) target events x / event_rate C
    streams
     <= squares_and_regrets C per_server_and_common x).
Proof.
  intros C streams rho split LO REP local supported rates enough below_one.
  exact (nonpreemptive_stable C per_server_and_common (route wang_jsq_maxweight) (serve wang_jsq_maxweight) streams
    (or_intror (or_introl eq_refl)) LO REP supported rates
    (fun len inside t _ => WangMaxWeight.route_to_shortest C (proj1 supported) len inside t)
    (fun len inside m => serve_turns_to_heavier C LO REP local (proj1 supported) len inside m) rho split below_one
      enough).
Qed.

Theorem event_generalized_cmu_throughput_optimal : forall C streams rho split,
  laid_out C -> costs_are_positive C -> event_options C -> streams_are_rates streams ->
  carries_streams C streams rho split -> rho < 1 ->
  let policy := generalized_cmu in
  let between x := valid C policy (reachable_statuses C per_type) x /\ settled C policy x = true in
  let spread := event_spread C streams per_type in
  let target := below_threshold spread rho (total_weight C per_type) in
  between (empty_state C policy) /\
  (forall x, between x -> target x = true ->
     Forall (fun q => 0 <= inject_Z q < (spread + 1) / (2 * (1 - rho)) / least_rate C) (fst x)) /\
  (forall events x, between x -> mean_time (event_chain C streams no_preemption policy) target events x / event_rate C
    streams
     <= squares_and_regrets C per_type x).
Proof.
  intros C streams rho split LO positive supported rates enough below_one.
  exact (nonpreemptive_stable C per_type (route generalized_cmu) (serve generalized_cmu) streams (or_intror (or_intror
    eq_refl))
    LO (queues_are_replicated C LO positive) supported rates
    (fun len inside t _ => route_to_own_type C len inside t)
    (fun len inside m Hm _ => serve_turns_to_dearest C LO positive (proj1 supported) len inside m Hm)
    rho split below_one enough).
Qed.
