(* The hypotheses of the theorems for every cluster, at one cluster: as checks that compute. A split of the arrivals is a
   table with a row for each type. Nothing here needs to be believed: each check is shown to be sound. *)
From Coq Require Import ZArith QArith Lqa List Bool Lia.
From Schedproof Require Import Law Affine Program Cluster Language Kernel EventKernel Drift Policies Transience Outcomes Capacity
  Layout Weights BalancedPandas JsqMaxWeight WangMaxWeight GeneralizedCmu Growth WeightedWork FleetGate EventCapacity
  EventMaxWeight EventBalancedPandas.
Import ListNotations.
Open Scope Q_scope.

Definition below (a b : Q) : bool := negb (Qle_bool b a).
Lemma below_true a b : below a b = true -> a < b.
Proof. unfold below. intro H. apply negb_true_iff in H. apply Qnot_le_lt. intro L. apply Qle_bool_iff in L. congruence. Qed.
Definition is_distribution {A} (l : law A) : bool := every (fun e => Qle_bool 0 (fst e)) l && Qeq_bool (E (fun _ => 1) l) 1.
Definition lays_out (C : cluster) : bool :=
  Nat.ltb 0 (servers C) && Nat.ltb 0 (rows C) && Nat.ltb 0 (levels C)
  && every (fun row => Nat.eqb (length row) (levels C) && every (below 0) row) (rates C)
  && every (fun row => Nat.ltb row (rows C)) (row_of_type C)
  && every (fun t => every (fun m => Nat.ltb (nth m (nth t (level_of_task C) []) 0%nat) (levels C)) (all_servers C)) (all_types C).
Definition is_well_formed (C : cluster) : bool :=
  lays_out C && every (every (fun mu => Qle_bool mu 1)) (rates C) && every is_distribution (arrivals C).
Definition has_options (C : cluster) : bool :=
  match counts (option_of C), unmatched_is (option_of C) with in_system, idle_again => true | _, _ => false end.
Definition has_idle_servers (C : cluster) : bool := match unmatched_is (option_of C) with idle_again => true | phantom => false end.
Definition entry (table : list (list Q)) (t m : nat) : Q := nth m (nth t table []) 0.
Definition is_carried_stream (C : cluster) (rate : nat -> Q) (rho : Q) (table : list (list Q)) : bool :=
  every (every (Qle_bool 0)) table
  && every (fun t => Qeq_bool (total (all_servers C) (entry table t)) (rate t)) (all_types C)
  && every (fun m => Qle_bool (total (all_types C) (fun t => entry table t m / type_rate C t m)) rho) (all_servers C).
Definition is_carried (C : cluster) : Q -> list (list Q) -> bool := is_carried_stream C (arrival_rate C).

Theorem lays_out_sound C : lays_out C = true -> laid_out C.
Proof.
  unfold lays_out. rewrite !andb_true_iff. intros (((((S & R) & L) & Rates) & Row) & Lev).
  apply Nat.ltb_lt in S, R, L. pose proof (every_In _ _ Rates) as Hr. cbv beta in Hr. constructor; auto.
  - intros row I. specialize (Hr row I). apply andb_true_iff in Hr as [H _]. now apply Nat.eqb_eq.
  - intros row mu I J. specialize (Hr row I). apply andb_true_iff in Hr as [_ H]. exact (below_true _ _ (every_In _ _ H mu J)).
  - intro t. destruct (nth_in_or_default t (row_of_type C) 0%nat) as [I| ->]; [|assumption].
    pose proof (every_In _ _ Row _ I) as K. now apply Nat.ltb_lt in K.
  - intros t m T M. pose proof (every_In _ _ Lev t T) as K. cbv beta in K. pose proof (every_In _ _ K m M) as K'.
      now apply Nat.ltb_lt in K'.
Qed.
Theorem is_well_formed_sound C : is_well_formed C = true -> well_formed C.
Proof.
  unfold is_well_formed. rewrite !andb_true_iff. intros ((LO & Rates) & Arr). constructor.
  - now apply lays_out_sound.
  - intros row mu I J. pose proof (every_In _ _ (every_In _ _ Rates row I) mu J) as K. now apply Qle_bool_iff in K.
  - intros factor I. pose proof (every_In _ _ Arr factor I) as K. apply andb_true_iff in K as [Po One]. split;
      [|now apply Qeq_bool_iff].
    intros e J. pose proof (every_In _ _ Po e J) as K. now apply Qle_bool_iff in K.
Qed.
Theorem has_options_sound C : has_options C = true -> options_of_the_proof C.
Proof. unfold has_options, options_of_the_proof, idle_servers_ask. destruct counts, unmatched_is; easy. Qed.
Theorem is_carried_stream_sound C rate rho table : is_carried_stream C rate rho table = true ->
  carries_stream C rate rho (entry table).
Proof.
  unfold is_carried_stream. rewrite !andb_true_iff. intros ((N & All) & Load). constructor.
  - intros t m. unfold entry. destruct (nth_in_or_default t table []) as [I| ->]; [|destruct m; apply Qle_refl].
    destruct (nth_in_or_default m (nth t table []) 0) as [J| ->]; [|apply Qle_refl].
    pose proof (every_In _ _ (every_In _ _ N _ I) _ J) as K. now apply Qle_bool_iff in K.
  - intros t T. pose proof (every_In _ _ All t T) as K. now apply Qeq_bool_iff in K.
  - intros m M. pose proof (every_In _ _ Load m M) as K. now apply Qle_bool_iff in K.
Qed.
Theorem is_carried_sound C rho table : is_carried C rho table = true -> carries C rho (entry table).
Proof. apply is_carried_stream_sound. Qed.
Theorem has_idle_servers_sound C : has_idle_servers C = true -> idle_servers_ask C.
Proof. unfold has_idle_servers, idle_servers_ask. now destruct unmatched_is. Qed.
(* The theorems at one cluster, from a computation. *)
Definition carried_below_one (C : cluster) (rho : Q) (table : list (list Q)) : bool :=
  is_well_formed C && has_idle_servers C && is_carried C rho table && below rho 1.
Corollary balanced_pandas_at C rho table : carried_below_one C rho table = true ->
  let valid := valid C balanced_pandas (own_statuses C) in
  valid (empty_state C balanced_pandas) /\
  (forall x, valid x -> light C rho x = true -> Forall (fun q => 0 <= inject_Z q < threshold C rho) (fst x)) /\
  (forall slots x, valid x -> mean_time (chain C balanced_pandas) (light C rho) slots x <= squared_workloads C (fst x)).
Proof.
  unfold carried_below_one. rewrite !andb_true_iff. intros (((W & O) & S) & R).
    apply (balanced_pandas_throughput_optimal C rho (entry table)).
  - now apply is_well_formed_sound.
  - now apply has_idle_servers_sound.
  - now apply is_carried_sound.
  - now apply below_true.
Qed.

Definition is_replicated (C : cluster) (A : arrangement) : bool :=
  match A with per_type => true | _ => Nat.eqb (rows C) 1 end
  && every (fun q => Qle_bool 1 (cost C A q)) (all_queues C A)
  && every (fun m => every (fun q => Nat.ltb (service_level C A q m) (levels C)) (reachable C A m)) (all_servers C)
  && every (fun t => every (fun m =>
       some (fun q => some (Nat.eqb q) (reachable C A m) && Qle_bool (type_rate C t m) (rate_between C A m q)) (joinable C A t))
       (all_servers C)) (all_types C).
Theorem is_replicated_sound C A : is_replicated C A = true -> replicated C A.
Proof.
  unfold is_replicated. rewrite !andb_true_iff. intros (((R & Co) & L) & N). constructor.
  - destruct A; try (right; now apply Nat.eqb_eq). now left.
  - intros q Q. pose proof (every_In _ _ Co q Q) as K. now apply Qle_bool_iff in K.
  - intros m q M Q. pose proof (every_In _ _ L m M) as K. cbv beta in K. pose proof (every_In _ _ K q Q) as K'.
      now apply Nat.ltb_lt in K'.
  - intros t m T M. pose proof (every_In _ _ N t T) as K. cbv beta in K. pose proof (every_In _ _ K m M) as K'. cbv beta in K'.
    apply some_In in K' as (q & J & K'). apply andb_true_iff in K' as [Re Le]. apply some_In in Re as (r & Re & Eq).
    apply Nat.eqb_eq in Eq. subst r. exists q. split; [assumption|split; [assumption|now apply Qle_bool_iff]].
Qed.
Definition shared_carried_below_one (C : cluster) (A : arrangement) (rho : Q) (table : list (list Q)) : bool :=
  carried_below_one C rho table && has_options C && is_replicated C A && match empty_is (option_of C) with wasted => true |
    conserved => false end.
Lemma shared_hypotheses C A rho table : shared_carried_below_one C A rho table = true ->
  well_formed C /\ replicated C A /\ shared_options C /\ carries C rho (entry table) /\ rho < 1.
Proof.
  unfold shared_carried_below_one, carried_below_one. rewrite !andb_true_iff. intros ((((((W & _) & S) & R) & O) & Rep) & Em).
  split; [now apply is_well_formed_sound|split; [now apply is_replicated_sound|split; [split|split]]].
  - now apply has_options_sound.
  - now destruct (empty_is (option_of C)).
  - now apply is_carried_sound.
  - now apply below_true.
Qed.
Corollary jsq_maxweight_at C rho table : shared_carried_below_one C per_server rho table = true ->
  let valid := valid C jsq_maxweight (reachable_statuses C per_server) in
  valid (empty_state C jsq_maxweight) /\
  (forall x, valid x -> low C per_server rho x = true ->
     Forall (fun q => 0 <= inject_Z q < shared_threshold C per_server rho / least_rate C) (fst x)) /\
  (forall slots x, valid x -> mean_time (chain C jsq_maxweight) (low C per_server rho) slots x
    <= squares_and_regrets C per_server x).
Proof. intro H. apply shared_hypotheses in H as (W & Rep & O & S & R).
  now apply (jsq_maxweight_throughput_optimal C rho (entry table)). Qed.
Definition own_level_is_local (C : cluster) : bool :=
  every (fun m => Nat.eqb (nth m (nth m (level_between C) []) 0%nat) 0) (all_servers C).
Theorem own_level_is_local_sound C : own_level_is_local C = true -> own_is_local C.
Proof. intros L m M. pose proof (every_In _ _ L m M) as K. now apply Nat.eqb_eq in K. Qed.
Corollary wang_jsq_maxweight_at C rho table :
  shared_carried_below_one C per_server_and_common rho table && own_level_is_local C = true ->
  let valid := valid C wang_jsq_maxweight (reachable_statuses C per_server_and_common) in
  valid (empty_state C wang_jsq_maxweight) /\
  (forall x, valid x -> low C per_server_and_common rho x = true ->
     Forall (fun q => 0 <= inject_Z q < shared_threshold C per_server_and_common rho / least_rate C) (fst x)) /\
  (forall slots x, valid x -> mean_time (chain C wang_jsq_maxweight) (low C per_server_and_common rho) slots x
       <= squares_and_regrets C per_server_and_common x).
Proof.
  rewrite andb_true_iff. intros [H L]. apply shared_hypotheses in H as (W & Rep & O & S & R).
  apply (wang_jsq_maxweight_throughput_optimal C rho (entry table)); auto. now apply own_level_is_local_sound.
Qed.
Definition has_positive_costs (C : cluster) : bool := every (fun t => Z.ltb 0 (nth t (marginal_costs C) 0%Z)) (all_types C).
Theorem has_positive_costs_sound C : has_positive_costs C = true -> costs_are_positive C.
Proof. intros H t T. pose proof (every_In _ _ H t T) as K. now apply Z.ltb_lt in K. Qed.
Corollary generalized_cmu_at C rho table : shared_carried_below_one C per_type rho table && has_positive_costs C = true ->
  let valid := valid C generalized_cmu (reachable_statuses C per_type) in
  valid (empty_state C generalized_cmu) /\
  (forall x, valid x -> low C per_type rho x = true ->
     Forall (fun q => 0 <= inject_Z q < shared_threshold C per_type rho / least_rate C) (fst x)) /\
  (forall slots x, valid x -> mean_time (chain C generalized_cmu) (low C per_type rho) slots x <= squares_and_regrets C per_type x).
Proof.
  rewrite andb_true_iff. intros [H L]. apply shared_hypotheses in H as (W & Rep & O & S & R).
  apply (generalized_cmu_throughput_optimal C rho (entry table)); auto. now apply has_positive_costs_sound.
Qed.

(* The theorems in continuous time at one cluster. *)
Definition has_event_options (C : cluster) : bool :=
  match counts (option_of C), empty_is (option_of C) with in_system, conserved => true | _, _ => false end.
Definition carried_in_time (C : cluster) (streams : list Q) (rho : Q) (table : list (list Q)) : bool :=
  lays_out C && has_event_options C && every (Qle_bool 0) streams && is_carried_stream C (stream_rate streams) rho table && below rho 1.
Lemma time_hypotheses C streams rho table : carried_in_time C streams rho table = true ->
  laid_out C /\ event_options C /\ streams_are_rates streams /\ carries_streams C streams rho (entry table) /\ rho < 1.
Proof.
  unfold carried_in_time. rewrite !andb_true_iff. intros ((((LO & O) & N) & S) & R).
  split; [now apply lays_out_sound|split; [|split; [|split; [now apply is_carried_stream_sound|now apply below_true]]]].
  - unfold has_event_options, event_options in *. now destruct counts, empty_is.
  - intro t. unfold stream_rate. destruct (nth_in_or_default t streams 0) as [I| ->]; [|apply Qle_refl].
    pose proof (every_In _ _ N _ I) as K. now apply Qle_bool_iff in K.
Qed.
Section InTime.
  Variables (C : cluster) (streams : list Q) (rho : Q) (table : list (list Q)).
  Hypothesis carried : carried_in_time C streams rho table = true.
  Let hypotheses := time_hypotheses C streams rho table carried.
  Let LO := proj1 hypotheses.
  Let O := proj1 (proj2 hypotheses).
  Let N := proj1 (proj2 (proj2 hypotheses)).
  Let S := proj1 (proj2 (proj2 (proj2 hypotheses))).
  Let R := proj2 (proj2 (proj2 (proj2 hypotheses))).
  Definition event_balanced_pandas_at := event_balanced_pandas_throughput_optimal C streams rho (entry table) LO O N S R.
  Definition event_jsq_maxweight_at replicas :=
    event_jsq_maxweight_throughput_optimal C streams rho (entry table) LO (is_replicated_sound C per_server replicas) O N S R.
  Definition preemptive_jsq_maxweight_at replicas :=
    preemptive_jsq_maxweight_throughput_optimal C streams rho (entry table) LO (is_replicated_sound C per_server replicas) O N S R.
  Definition event_wang_jsq_maxweight_at replicas local := event_wang_jsq_maxweight_throughput_optimal C streams rho (entry table)
    LO (is_replicated_sound C per_server_and_common replicas) (own_level_is_local_sound C local) O N S R.
  Definition preemptive_wang_jsq_maxweight_at replicas local := preemptive_wang_jsq_maxweight_throughput_optimal C streams rho
    (entry table) LO (is_replicated_sound C per_server_and_common replicas) (own_level_is_local_sound C local) O N S R.
  Definition event_generalized_cmu_at costs :=
    event_generalized_cmu_throughput_optimal C streams rho (entry table) LO (has_positive_costs_sound C costs) O N S R.
  Definition preemptive_generalized_cmu_at costs :=
    preemptive_generalized_cmu_throughput_optimal C streams rho (entry table) LO (has_positive_costs_sound C costs) O N S R.
End InTime.

(* The servers' weights as a list. *)
Definition weights_of (l : list Q) (m : nat) : Q := nth m l 0.
Definition gate_brings_too_much (C : cluster) (delta : Q) (l : list Q) : bool :=
  every (Qle_bool 0) l && Qle_bool (total (all_servers C) (weights_of l)) 1
  && every (fun t => match homes C t with [] => false | _ => true end) (all_types C)
  && Qle_bool (1 + delta) (brought C (weights_of l) (homes C))
  && every (fun m => Qle_bool (1 + delta) (brought C (weights_of l) (fun _ => [m]))) (all_servers C).
Theorem gate_brings_too_much_sound C delta l : gate_brings_too_much C delta l = true -> brings_too_much C (weights_of l) delta.
Proof.
  unfold gate_brings_too_much. rewrite !andb_true_iff. intros ((((N & One) & H) & Shut) & Open_). constructor.
  - intro m. unfold weights_of. destruct (nth_in_or_default m l 0) as [I| ->]; [|apply Qle_refl].
    pose proof (every_In _ _ N _ I) as K. now apply Qle_bool_iff in K.
  - now apply Qle_bool_iff.
  - intros t T E0. pose proof (every_In _ _ H t T) as K. cbv beta in K. now rewrite E0 in K.
  - now apply Qle_bool_iff.
  - intros m M. pose proof (every_In _ _ Open_ m M) as K. now apply Qle_bool_iff in K.
Qed.
Definition gate_overloads (C : cluster) (delta : Q) (l : list Q) : bool :=
  is_well_formed C && match routes (option_of C) with batch => true | sequential => false end && has_idle_servers C && below 0 delta
  && gate_brings_too_much C delta l.
(* Whatever opens the gate. *)
Corollary fleet_gate_at C delta l : gate_overloads C delta l = true -> forall opens, about_the_fleet opens = true ->
  let policy := fleet_gate opens in
  let valid := valid C policy (own_statuses C) in
  let W (x : state) := weighted_work C (weights_of l) (fst x) in
  let m := margin delta (largest_step C) in
  valid (empty_state C policy) /\
  (forall x, valid x -> W x + delta <= E W (chain C policy x)) /\
  (forall z n x, valid x -> z <= W x -> reach (chain C policy) (fun y => negb (Qle_bool z (W y))) n x <= m / (W x - z + m)) /\
  (exists b, b < 1 /\ forall n, returns (chain C policy) is_empty n (empty_state C policy) <= b).
Proof.
  unfold gate_overloads. rewrite !andb_true_iff. intros ((((W & Ro) & O) & D) & B) opens F.
  apply (fleet_gate_transient C opens (weights_of l) delta).
  - now apply is_well_formed_sound.
  - split; [now destruct (routes (option_of C))|now apply has_idle_servers_sound].
  - exact F.
  - now apply below_true.
  - now apply gate_brings_too_much_sound.
Qed.
