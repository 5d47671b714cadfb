(* The theorems for every cluster, at some of them, and what they must not be true of. This file finds the certificate of
   Balanced-Pandas on m2-half as Certificate. *)
From Coq Require Import ZArith QArith Lqa List Bool Lia.
From Schedproof Require Import Law Affine Program Cluster Language Kernel EventKernel Drift Policies Transience.
From Schedproof Require Import Outcomes Capacity Layout Weights BalancedPandas JsqMaxWeight WangMaxWeight GeneralizedCmu.
From Schedproof Require Import Growth WeightedWork FleetGate EventCapacity EventMaxWeight EventBalancedPandas Instances.
Require Import Certificate.
Import ListNotations.
Open Scope Q_scope.
Check balanced_pandas_throughput_optimal.
Print Assumptions balanced_pandas_throughput_optimal.
Check jsq_maxweight_throughput_optimal.
Print Assumptions jsq_maxweight_throughput_optimal.
Check wang_jsq_maxweight_throughput_optimal.
Print Assumptions wang_jsq_maxweight_throughput_optimal.
Check generalized_cmu_throughput_optimal.
Print Assumptions generalized_cmu_throughput_optimal.
Check fleet_gate_transient.
Print Assumptions fleet_gate_transient.
Check event_jsq_maxweight_throughput_optimal.
Print Assumptions event_jsq_maxweight_throughput_optimal.
Check event_wang_jsq_maxweight_throughput_optimal.
Print Assumptions event_wang_jsq_maxweight_throughput_optimal.
Check event_generalized_cmu_throughput_optimal.
Print Assumptions event_generalized_cmu_throughput_optimal.
Check event_balanced_pandas_throughput_optimal.
Print Assumptions event_balanced_pandas_throughput_optimal.
Check preemptive_jsq_maxweight_throughput_optimal.
Print Assumptions preemptive_jsq_maxweight_throughput_optimal.
Check preemptive_wang_jsq_maxweight_throughput_optimal.
Print Assumptions preemptive_wang_jsq_maxweight_throughput_optimal.
Check preemptive_generalized_cmu_throughput_optimal.
Print Assumptions preemptive_generalized_cmu_throughput_optimal.

(* ---- instances ---- *)

(* The cluster that the certificate is about, as it was exported, and its chain. *)
Notation m2 := m2_half_cluster.
Definition m2_half := balanced_pandas_at m2 (5 # 8) [[1 # 2; 0]; [0; 1 # 2]] ltac:(vm_compute; reflexivity).
Definition m2_half_shared := jsq_maxweight_at m2 (5 # 8) [[1 # 2; 0]; [0; 1 # 2]] ltac:(vm_compute; reflexivity).
Definition m2_half_common := wang_jsq_maxweight_at m2 (5 # 8) [[1 # 2; 0]; [0; 1 # 2]] ltac:(vm_compute; reflexivity).
Example the_chain_of_the_certificate : chain m2 balanced_pandas = chain m2_half_cluster balanced_pandas_policy. Proof. reflexivity.
  Qed.
Example the_states_of_the_certificate : own_statuses m2 = statuses. Proof. reflexivity. Qed.
Example the_threshold : threshold m2 (5 # 8) == 194 # 3. Proof. vm_compute. reflexivity. Qed.
Example the_shared_threshold : shared_threshold m2 per_server (5 # 8) == 194 # 3. Proof. vm_compute. reflexivity. Qed.

(* Balanced-Pandas under every choice of the options that its theorem leaves free; tasks that see other lengths cost it spread. *)
Definition m2_with o := Cluster (servers m2) (rates m2) (row_of_type m2) (level_of_task m2) (level_between m2) (marginal_costs m2)
  (arrivals m2) o.
Definition m2_sequential := m2_with (Options sequential in_system idle_again wasted lowest_index).
Definition m2_waiting := m2_with (Options sequential waiting idle_again conserved uniform_subset).
Definition half_sequential := balanced_pandas_at m2_sequential (5 # 8) [[1 # 2; 0]; [0; 1 # 2]] ltac:(vm_compute; reflexivity).
Definition half_waiting := balanced_pandas_at m2_waiting (5 # 8) [[1 # 2; 0]; [0; 1 # 2]] ltac:(vm_compute; reflexivity).
(* The others under sequential routing. *)
Definition half_shared_sequential := jsq_maxweight_at m2_sequential (5 # 8) [[1 # 2; 0]; [0; 1 # 2]] ltac:(vm_compute; reflexivity).
Definition half_common_sequential := wang_jsq_maxweight_at m2_sequential (5 # 8) [[1 # 2; 0]; [0; 1 # 2]] ltac:(vm_compute;
  reflexivity).
Definition half_by_cost_sequential := generalized_cmu_at m2_sequential (5 # 8) [[1 # 2; 0]; [0; 1 # 2]] ltac:(vm_compute;
  reflexivity).
Example the_threshold_sequential : threshold m2_sequential (5 # 8) == 494 # 3. Proof. vm_compute. reflexivity. Qed.
Example the_threshold_waiting : threshold m2_waiting (5 # 8) == 794 # 3. Proof. vm_compute. reflexivity. Qed.

Definition defaults := Options batch in_system idle_again wasted lowest_index.
Definition bernoulli (p : Q) (tasks nothing : list nat) : law (list nat) := [(p, tasks); (1 - p, nothing)].
(* Three servers in racks {0, 1} and {2}, load 37/38: where Pandas is unstable. *)
Definition racks := Cluster 3 [[1 # 2; 2 # 5; 1 # 20]] [0; 0]%nat [[0; 1; 2]; [1; 0; 0]]%nat [[0; 1; 2]; [1; 0; 2]; [2; 2; 0]]%nat
  [1; 1]%Z
  [bernoulli (22 # 25) [1; 0]%nat [0; 0]%nat; bernoulli (9 # 20) [0; 1]%nat [0; 0]%nat] defaults.
Definition plan := [[37 # 76; 37 # 95; 7 # 1900]; [0; 0; 9 # 20]].
Definition three_servers := balanced_pandas_at racks (37 # 38) plan ltac:(vm_compute; reflexivity).
Definition three_servers_shared := jsq_maxweight_at racks (37 # 38) plan ltac:(vm_compute; reflexivity).
(* Wang's policy does not tell rack-local tasks from remote ones: of two levels only. Here server 1 must help server 0. *)
Definition uneven_load := Cluster 2 [[4 # 5; 1 # 5]] [0; 0]%nat [[0; 1]; [1; 0]]%nat [[0; 1]; [1; 0]]%nat [1; 1]%Z
  [bernoulli (9 # 10) [1; 0]%nat [0; 0]%nat; bernoulli (1 # 4) [0; 1]%nat [0; 0]%nat] defaults.
Definition helping_plan := [[77 # 100; 13 # 100]; [0; 1 # 4]].
Definition helped := wang_jsq_maxweight_at uneven_load (77 # 80) helping_plan ltac:(vm_compute; reflexivity).
Example three_levels : shared_carried_below_one racks per_server_and_common (37 # 38) plan = false. Proof. vm_compute. reflexivity.
  Qed.
(* Types with rates of their own; the options that are free, as they are not by default. *)
Definition own_rates := Cluster 2 [[2 # 5; 1 # 40]; [2 # 5; 1 # 5]] [0; 1]%nat [[0; 1]; [0; 1]]%nat [[0; 1]; [1; 0]]%nat [1; 1]%Z
  [bernoulli (3 # 10) [1; 0]%nat [0; 0]%nat; bernoulli (1 # 4) [0; 1]%nat [0; 0]%nat]
    (Options batch in_system idle_again conserved uniform_subset).
Definition two_rows := balanced_pandas_at own_rates (11 # 12) [[3 # 10; 0]; [1 # 15; 11 # 60]] ltac:(vm_compute; reflexivity).
Definition with_costs C c := Cluster (servers C) (rates C) (row_of_type C) (level_of_task C) (level_between C) c (arrivals C)
  (option_of C).
Definition with_options C o :=
  Cluster (servers C) (rates C) (row_of_type C) (level_of_task C) (level_between C) (marginal_costs C) (arrivals C) o.
(* The same under the generalized c-mu rule, whose costs count and whose servers may waste a slot. *)
Definition costly := with_costs (with_options own_rates defaults) [3; 1]%Z.
Definition two_rows_by_cost := generalized_cmu_at costly (11 # 12) [[3 # 10; 0]; [1 # 15; 11 # 60]] ltac:(vm_compute; reflexivity).
Example a_cost_of_nothing : shared_carried_below_one (with_costs costly [3; 0]%Z) per_type (11 # 12)
  [[3 # 10; 0]; [1 # 15; 11 # 60]] = false.
Proof. vm_compute. reflexivity. Qed.
(* Two hundred servers, tasks in bursts of 300, all of whose data is on the first 100, which serve a task in one slot. *)
Definition many := Cluster 200 [[1; 1 # 2]] [0]%nat [repeat 0 100 ++ repeat 1 100]%nat
  (map (fun m => map (fun q => if Nat.eqb m q then 0 else 1)%nat (seq 0 200)) (seq 0 200)) [1%Z]
    [bernoulli (2 # 5) [300]%nat [0]%nat] defaults.
Definition burst_plan := [repeat (4 # 5) 100 ++ repeat (2 # 5) 100].
Definition two_hundred := balanced_pandas_at many (4 # 5) burst_plan ltac:(vm_compute; reflexivity).
Definition two_hundred_shared := jsq_maxweight_at many (4 # 5) burst_plan ltac:(vm_compute; reflexivity).
Definition two_hundred_common := wang_jsq_maxweight_at many (4 # 5) burst_plan ltac:(vm_compute; reflexivity).
Print Assumptions two_hundred.
Print Assumptions two_hundred_shared.
Definition two_hundred_by_cost := generalized_cmu_at many (4 # 5) burst_plan ltac:(vm_compute; reflexivity).
Print Assumptions two_hundred_common.
Print Assumptions two_hundred_by_cost.

(* ---- hypotheses that fail ---- *)

Definition with_arrivals C a := Cluster (servers C) (rates C) (row_of_type C) (level_of_task C) (level_between C) (marginal_costs C)
  a (option_of C).
Definition with_levels C l := Cluster (servers C) (rates C) (row_of_type C) (level_of_task C) l (marginal_costs C) (arrivals C)
  (option_of C).
Definition tried C := carried_below_one C (5 # 8) [[1 # 2; 0]; [0; 1 # 2]].
Definition tried_shared C := shared_carried_below_one C per_server (5 # 8) [[1 # 2; 0]; [0; 1 # 2]].
Example as_it_is : tried m2 && tried_shared m2 = true. Proof. vm_compute. reflexivity. Qed.
Example a_lower_load : carried_below_one m2 (4 # 8) [[1 # 2; 0]; [0; 1 # 2]] = false. Proof. vm_compute. reflexivity. Qed.
Example load_one : carried_below_one (with_arrivals m2 [[(1, [1; 1]%nat)]]) 1 [[4 # 5; 1 # 5]; [0; 1]] = false. Proof. vm_compute.
  reflexivity. Qed.
Example tasks_left_over : carried_below_one m2 (5 # 8) [[2 # 5; 0]; [0; 1 # 2]] = false. Proof. vm_compute. reflexivity. Qed.
Example less_than_none : carried_below_one m2 (5 # 8) [[3 # 5; - (1 # 10)]; [0; 1 # 2]] = false. Proof. vm_compute. reflexivity.
  Qed.
Example probabilities_that_are_none : tried (with_arrivals m2 [[(1 # 2, [1; 1]%nat); (2 # 5, [0; 0]%nat)]]) = false. Proof.
  vm_compute. reflexivity. Qed.
Example waiting_tasks_only : tried_shared (with_options m2 (Options batch waiting idle_again wasted lowest_index)) = false.
Proof. vm_compute. reflexivity. Qed.
Example phantom_service : tried (with_options m2 (Options batch in_system phantom wasted lowest_index)) = false. Proof. vm_compute.
  reflexivity. Qed.
Example only_queues_with_waiting_tasks : tried_shared (with_options m2 (Options batch in_system idle_again conserved lowest_index))
  = false.
Proof. vm_compute. reflexivity. Qed.
Example levels_without_replicas : tried_shared (with_levels m2 [[1; 1]; [1; 1]]%nat) = false. Proof. vm_compute. reflexivity. Qed.
Example rates_that_a_queue_does_not_tell :
  shared_carried_below_one own_rates per_server (11 # 12) [[3 # 10; 0]; [1 # 15; 11 # 60]] = false.
Proof. vm_compute. reflexivity. Qed.

(* A slot that brings a task of each type overloads two servers of rate 4/5: by prices, whatever the split. *)
Definition overloaded := with_arrivals m2 [[(1, [1; 1]%nat)]].
Example no_split_carries_it rho split : carries overloaded rho split -> ~ rho < 1.
Proof.
  intros H L. pose proof (weak_duality overloaded rho split (fun _ => 1) (fun _ => 5 # 4) H) as D.
  assert (R : forall t m, In t (all_types overloaded) -> In m (all_servers overloaded) ->
    0 < type_rate overloaded t m /\ 5 # 4 <= 1 / type_rate overloaded t m).
  { intros t m [<-|[<-|[]]] [<-|[<-|[]]]; (split; [vm_compute; reflexivity|vm_compute; discriminate]). }
  specialize (D (fun t m T M => proj1 (R t m T M)) (fun m _ => Qlt_le_weak 0 1 eq_refl) (fun t m T M => proj2 (R t m T M))).
  assert (total (all_types overloaded) (fun t => arrival_rate overloaded t * (5 # 4)) == 5 # 2) as E1 by (vm_compute; reflexivity).
  assert (total (all_servers overloaded) (fun _ => 1) == 2) as E2 by (vm_compute; reflexivity).
  rewrite E1, E2 in D. lra.
Qed.

(* ---- other policies: the drift of the theorem does not hold of them ---- *)

(* The drift at one state, computed from the law of the slot. *)
Definition falls C rho P (x : state) : bool :=
  Qle_bool (E (fun y => squared_workloads C (fst y)) (chain C P x))
           (squared_workloads C (fst x) - 2 * (1 - rho) * total_workload C (fst x) + spread C).
Definition own r s := Policy per_server_and_level r s.
Definition uneven : state := ([100; 0; 96; 0]%Z, [Busy 0; Busy 2]).
Definition remote_work : state := ([0; 100; 0; 0]%Z, [Idle; Idle]).
Example it_falls : every (falls m2 (5 # 8) balanced_pandas) [uneven; remote_work] = true. Proof. vm_compute. reflexivity. Qed.
Example it_falls_otherwise : every (falls m2_sequential (5 # 8) balanced_pandas) [uneven; remote_work]
  && every (falls m2_waiting (5 # 8) balanced_pandas) [uneven; remote_work] = true.
Proof. vm_compute. reflexivity. Qed.
Example the_largest_key_sequential :
  falls m2_sequential (5 # 8) (own (Argmax Servers (OverRate ServerWorkload)) (serve balanced_pandas)) ([300; 0; 96; 0]%Z, [Busy 0;
    Busy 2])
    = false.
Proof. vm_compute. reflexivity. Qed.
Example the_largest_key : falls m2 (5 # 8) (own (Argmax Servers (OverRate ServerWorkload)) (serve balanced_pandas)) uneven = false.
Proof. vm_compute. reflexivity. Qed.
Example a_key_without_the_rate : falls m2 (5 # 8) (own (Argmin Servers ServerWorkload) (serve balanced_pandas)) uneven = false.
Proof. vm_compute. reflexivity. Qed.
Example only_local_tasks : falls m2 (5 # 8) (own (route balanced_pandas) Own) remote_work = false. Proof. vm_compute. reflexivity.
  Qed.
Example a_phantom : falls (with_options m2 (Options batch in_system phantom wasted lowest_index)) (5 # 8) balanced_pandas
  ([0; 100; 0; 0]%Z, [Phantom 0; Idle]) = false.
Proof. vm_compute. reflexivity. Qed.

Definition falls_shared C rho P (x : state) : bool :=
  Qle_bool (E (squares_and_regrets C (keeps P)) (chain C P x))
           (squares_and_regrets C (keeps P) x - 2 * (1 - rho) * total_weight C (keeps P) (fst x) + shared_spread C (keeps P)).
Definition shared r s := Policy per_server r s.
(* Two servers that both hold the data, load 3/4. *)
Definition both := Cluster 2 [[4 # 5; 1 # 5]] [0]%nat [[0; 0]]%nat [[0; 1]; [1; 0]]%nat [1%Z] [bernoulli (3 # 5) [2]%nat [0]%nat]
  defaults.
Definition both_shared := jsq_maxweight_at both (3 # 4) [[3 # 5; 3 # 5]] ltac:(vm_compute; reflexivity).
Definition both_sequential := with_options both (Options sequential in_system idle_again wasted lowest_index).
Definition one_long : state := ([10000; 0]%Z, [Idle; Idle]).
Definition nearly_equal : state := ([10000; 9999]%Z, [Idle; Idle]).
Example it_falls_shared : every (falls_shared m2 (5 # 8) jsq_maxweight) [one_long; nearly_equal; ([9; 10000]%Z, [Busy 1; Busy 0])]
  && falls_shared both (3 # 4) jsq_maxweight one_long = true.
Proof. vm_compute. reflexivity. Qed.
Example it_falls_shared_sequential :
  every (falls_shared both_sequential (3 # 4) jsq_maxweight) [([10000; 0]%Z, [Idle; Idle]); ([10000; 9999]%Z, [Idle; Idle])] = true.
Proof. vm_compute. reflexivity. Qed.
Example the_longest_queue_sequential :
  falls_shared both_sequential (3 # 4) (shared (Argmax Local Length) (serve jsq_maxweight)) one_long = false.
Proof. vm_compute. reflexivity. Qed.
Example the_longest_queue : falls_shared both (3 # 4) (shared (Argmax Local Length) (serve jsq_maxweight)) one_long = false.
Proof. vm_compute. reflexivity. Qed.
Example no_help : falls_shared m2 (5 # 8) (shared (route jsq_maxweight) Own) one_long = false. Proof. vm_compute. reflexivity. Qed.
Example the_longest_to_serve :
  falls_shared m2 (5 # 8) (shared (route jsq_maxweight) (FirstOf (Argmax (Where Reachable HasWork) Length) Own)) nearly_equal =
    false.
Proof. vm_compute. reflexivity. Qed.
Definition phantoms C := with_options C (Options batch in_system phantom wasted lowest_index).
Example a_phantom_shared : falls_shared (phantoms m2) (5 # 8) jsq_maxweight ([10000; 0]%Z, [Phantom 1; Idle]) = false.
Proof. vm_compute. reflexivity. Qed.

Definition common r s := Policy per_server_and_common r s.
Notation wang := wang_jsq_maxweight.
Definition long_local : state := ([10000; 0; 0]%Z, [Idle; Idle]).
Definition long_common : state := ([0; 0; 10000]%Z, [Idle; Idle]).
Definition common_longer : state := ([9999; 9999; 10000]%Z, [Idle; Idle]).
Example it_falls_common : every (falls_shared uneven_load (77 # 80) wang)
  [long_local; long_common; common_longer; ([10000; 5; 9]%Z, [Busy 2; Busy 2])] = true.
Proof. vm_compute. reflexivity. Qed.
Example no_common_queue : falls_shared uneven_load (77 # 80) (common (Argmin Local Length) (serve wang)) long_local = false.
Proof. vm_compute. reflexivity. Qed.
Example the_longest_of_both : falls_shared uneven_load (77 # 80) (common (Argmax (Unite Local Common) Length) (serve wang))
  long_local = false.
Proof. vm_compute. reflexivity. Qed.
Example common_unserved : falls_shared uneven_load (77 # 80) (common (route wang) Own) long_common = false.
Proof. vm_compute. reflexivity. Qed.
Example lengths_without_rates : falls_shared uneven_load (77 # 80)
  (common (route wang) (When (LessEqual (Least Common Servable) (Least Own Servable)) Own Common)) common_longer = false.
Proof. vm_compute. reflexivity. Qed.
Example a_phantom_common : falls_shared (phantoms uneven_load) (77 # 80) wang ([10000; 0; 0]%Z, [Phantom 2; Idle]) = false.
Proof. vm_compute. reflexivity. Qed.

Definition by_type r s := Policy per_type r s.
Notation cmu := generalized_cmu.
Definition long_and_slow : state := ([0; 10000]%Z, [Idle; Idle]).
Definition dear_and_short : state := ([20000; 30000]%Z, [Idle; Idle]).
Example it_falls_by_cost : every (falls_shared costly (11 # 12) cmu)
  [long_and_slow; dear_and_short; ([10000; 9]%Z, [Busy 1; Busy 0])] = true.
Proof. vm_compute. reflexivity. Qed.
Example costs_without_rates :
  falls_shared costly (11 # 12) (by_type OwnType (Argmax (Where Reachable HasWork) MarginalCost)) ([10000; 29999]%Z, [Idle; Idle]) =
    false.
Proof. vm_compute. reflexivity. Qed.
Example rates_without_costs :
  falls_shared costly (11 # 12) (by_type OwnType (Argmax (Where Reachable HasWork) (TimesRate Length))) dear_and_short = false.
Proof. vm_compute. reflexivity. Qed.
Example a_phantom_by_cost : falls_shared (phantoms costly) (11 # 12) cmu ([0; 10000]%Z, [Phantom 0; Idle]) = false.
Proof. vm_compute. reflexivity. Qed.

(* ---- gates ---- *)

(* The instance router-h3, and the rule of experiments/zoo/gate.policy with any two thresholds: more than [tasks] apart, and the
   longest more than a / b times the shortest. *)
Definition h3 := Cluster 3 [[2 # 5; 1 # 10]] [0; 0]%nat [[0; 1; 1]; [1; 0; 1]]%nat [[0; 1; 1]; [1; 0; 1]; [1; 1; 0]]%nat [1; 1]%Z
  [[(49 # 100, [1; 0]%nat); (77 # 200, [0; 1]%nat); (1 # 8, [0; 0]%nat)]] defaults.
Definition h3_weights := [400 # 567; 100 # 567; 67 # 567].
Definition apart (tasks a : Z) (b : positive) : test :=
  let longest := Greatest Servers ServerLength in let shortest := Least Servers ServerLength in
  Both (Less (Constant tasks) (Minus longest shortest)) (Less (Multiple a b shortest) longest).
Definition any_thresholds tasks a b := fleet_gate_at h3 (11 # 324) h3_weights ltac:(vm_compute; reflexivity)
  (apart tasks a b) eq_refl.
Print Assumptions any_thresholds.
Example the_growth_at_once tasks a b x : valid h3 (fleet_gate (apart tasks a b)) (own_statuses h3) x ->
  weighted_work h3 (weights_of h3_weights) (fst x) + (11 # 324)
    <= E (fun y => weighted_work h3 (weights_of h3_weights) (fst y)) (chain h3 (fleet_gate (apart tasks a b)) x).
Proof. exact (proj1 (proj2 (any_thresholds tasks a b)) x). Qed.
(* Other measures of the fleet's load. *)
Definition by_workload := fleet_gate_at h3 (11 # 324) h3_weights ltac:(vm_compute; reflexivity)
  (Not (LessEqual (Greatest Servers ServerWorkload) (Multiple 3 2 (Mean Servers ServerWorkload)))) eq_refl.
Example more_than_it_brings : gate_overloads h3 (12 # 324) h3_weights = false. Proof. vm_compute. reflexivity. Qed.
Example other_weights : gate_overloads h3 (1 # 1000) [1 # 3; 1 # 3; 1 # 3] = false. Proof. vm_compute. reflexivity. Qed.
Example weights_above_one : gate_overloads h3 (11 # 324) [401 # 567; 100 # 567; 67 # 567] = false. Proof. vm_compute. reflexivity.
Qed.
Example a_phantom_at_the_gate : gate_overloads (phantoms h3) (11 # 324) h3_weights = false. Proof. vm_compute. reflexivity. Qed.
(* A gate for each request asks about the server that holds its data: it is not about the fleet. *)
Example each_request : about_the_fleet (Less (Multiple 3 2 (Least Servers ServerLength)) (Greatest Local ServerLength)) = false.
Proof. reflexivity. Qed.
Example the_first_of_a_type : about_the_fleet (Less (Constant 64) ServerLength) = false. Proof. reflexivity. Qed.
(* Under it the weighted work may shrink: here A's requests leave the longest queue, and B's go home. *)
Definition grows (opens : test) (x : state) : bool :=
  Qle_bool (weighted_work h3 (weights_of h3_weights) (fst x) + (11 # 324))
           (E (fun y => weighted_work h3 (weights_of h3_weights) (fst y)) (chain h3 (fleet_gate opens) x)).
Definition one_hot : state := ([200; 0; 9; 0; 9; 0]%Z, [Busy 0; Busy 2; Busy 4]).
Example it_grows : grows (apart 64 3 2) one_hot = true. Proof. vm_compute. reflexivity. Qed.
Example a_gate_for_each_request :
  grows (Less (Multiple 3 2 (Least Servers ServerLength)) (Greatest Local ServerLength)) one_hot = false.
Proof. vm_compute. reflexivity. Qed.

(* ---- continuous time ---- *)

(* The two servers again; the same ten times as fast; and types with rates and costs of their own, rates above 1 among them. *)
Definition in_time C := with_options C (Options sequential in_system idle_again conserved lowest_index).
Definition timed := in_time m2.
Definition halves := [1 # 2; 1 # 2].
Definition table := [[1 # 2; 0]; [0; 1 # 2]].
Definition tenfold := in_time (Cluster 2 [[8; 2]] [0; 0]%nat [[0; 1]; [1; 0]]%nat [[0; 1]; [1; 0]]%nat [1; 1]%Z [] defaults).
Definition dear := in_time (Cluster 2 [[2; 1 # 2]; [7 # 3; 1]] [0; 1]%nat [[0; 1]; [0; 0]]%nat [[0; 1]; [1; 0]]%nat [3; 1]%Z []
  defaults).
Definition dear_streams := [1; 2].
Definition dear_table := [[1; 0]; [1 # 2; 3 # 2]].
Definition timed_carried : carried_in_time timed halves (5 # 8) table = true := ltac:(vm_compute; reflexivity).
Definition tenfold_carried : carried_in_time tenfold [5; 5] (5 # 8) [[5; 0]; [0; 5]] = true := ltac:(vm_compute; reflexivity).
Definition dear_carried : carried_in_time dear dear_streams (5 # 7) dear_table = true := ltac:(vm_compute; reflexivity).
Definition timed_jsq := event_jsq_maxweight_at timed halves (5 # 8) table timed_carried ltac:(vm_compute; reflexivity).
Definition timed_wang := event_wang_jsq_maxweight_at timed halves (5 # 8) table timed_carried ltac:(vm_compute; reflexivity) eq_refl.
Definition timed_pandas := event_balanced_pandas_at timed halves (5 # 8) table timed_carried.
Definition dear_cmu := event_generalized_cmu_at dear dear_streams (5 # 7) dear_table dear_carried ltac:(vm_compute; reflexivity).
Definition tenfold_jsq := preemptive_jsq_maxweight_at tenfold [5; 5] (5 # 8) [[5; 0]; [0; 5]] tenfold_carried
  ltac:(vm_compute; reflexivity).
Definition tenfold_wang := preemptive_wang_jsq_maxweight_at tenfold [5; 5] (5 # 8) [[5; 0]; [0; 5]] tenfold_carried
  ltac:(vm_compute; reflexivity) eq_refl.
Definition dear_interrupted := preemptive_generalized_cmu_at dear dear_streams (5 # 7) dear_table dear_carried
  ltac:(vm_compute; reflexivity).
Print Assumptions dear_interrupted.
Example the_rate_of_events : event_rate timed halves == 13 # 5 /\ event_rate tenfold [5; 5] == 26. Proof. split; reflexivity. Qed.
Example the_spreads : event_spread timed halves per_server == 253 # 5 /\ preemptive_spread timed halves per_server == 29 # 5
  /\ own_event_spread timed halves == 35.
Proof. repeat split; vm_compute; reflexivity. Qed.
(* Time ten times as fast changes spreads of lengths tenfold. *)
Example the_spreads_tenfold : event_spread tenfold [5; 5] per_server == 506 /\ preemptive_spread tenfold [5; 5] per_server == 58.
Proof. split; vm_compute; reflexivity. Qed.

(* Hypotheses that fail. *)
Example idle_servers_that_waste : carried_in_time (with_options m2 (Options sequential in_system idle_again wasted lowest_index)) halves
  (5 # 8) table = false.
Proof. vm_compute. reflexivity. Qed.
Example a_stream_below_zero : carried_in_time timed [1 # 2; - (1 # 2)] (5 # 8) [[1 # 2; 0]; [0; - (1 # 2)]] = false.
Proof. vm_compute. reflexivity. Qed.
Example a_lower_load_in_time : carried_in_time timed halves (1 # 2) table = false. Proof. vm_compute. reflexivity. Qed.
Example a_rate_of_zero : lays_out (in_time (Cluster 2 [[1; 0]] [0; 0]%nat [[0; 1]; [1; 0]]%nat [[0; 1]; [1; 0]]%nat [1; 1]%Z [] defaults))
  = false.
Proof. vm_compute. reflexivity. Qed.
(* Server 1 would start a task at once: the state is not settled, and no theorem is about it. *)
Example one_waits : settled timed jsq_maxweight ([2; 0]%Z, [Busy 0; Idle]) = false. Proof. vm_compute. reflexivity. Qed.
Example none_waits : settled timed jsq_maxweight ([1; 0]%Z, [Busy 0; Idle]) = true. Proof. vm_compute. reflexivity. Qed.

(* The drift per unit of time, computed from the law of an event at settled states: of the policies of the theorems, and of
   others. Nothing is said of a state that is not settled. *)
Definition falls_in_time C streams interrupts rho P spread (W : list Z -> Q) V (x : state) : option bool :=
  if negb (settled C P x) then None else Some (Qle_bool (event_rate C streams * (E V (event_chain C streams interrupts P x) - V x)) (spread - 2 * (1 - rho) * W (fst x))).
Definition falls_busy C streams rho P := let A := keeps P in falls_in_time C streams no_preemption rho P (event_spread C streams A)
  (total_weight C A) (squares_and_regrets C A).
Definition falls_released C streams rho P (len : list Z) := let A := keeps P in
  let x : state := (len, repeat Idle (servers C)) in
  Qle_bool (event_rate C streams * (E (fun y => squares C A (fst y)) (event_chain C streams resume P x) - squares C A len))
    (preemptive_spread C streams A - 2 * (1 - rho) * total_weight C A len).
Definition falls_own C streams rho P := falls_in_time C streams no_preemption rho P (own_event_spread C streams) (total_workload C)
  (fun y => squared_workloads C (fst y)).
Definition yes (falls : state -> option bool) (x : state) : bool := match falls x with Some b => b | None => false end.
Example they_fall_in_time :
  every (yes (falls_busy timed halves (5 # 8) jsq_maxweight)) [([10000; 0]%Z, [Busy 0; Busy 0]); ([9; 10000]%Z, [Busy 1; Busy 0]);
    ([1; 0]%Z, [Busy 0; Idle])]
  && every (yes (falls_busy timed halves (5 # 8) wang)) [([10000; 0; 0]%Z, [Busy 0; Idle]); ([0; 0; 10000]%Z, [Busy 2; Busy 2])]
  && every (yes (falls_busy dear dear_streams (5 # 7) cmu)) [([0; 10000]%Z, [Busy 1; Busy 1]); ([10000; 9]%Z, [Busy 1; Busy 0])]
  && every (yes (falls_own timed halves (5 # 8) balanced_pandas)) [([100; 0; 96; 0]%Z, [Busy 0; Busy 2]); ([0; 100; 0; 0]%Z, [Busy 1; Idle])]
  && every (falls_released tenfold [5; 5] (5 # 8) jsq_maxweight) [[10000; 0]%Z; [10000; 9999]%Z; [0; 0]%Z]
  && every (falls_released tenfold [5; 5] (5 # 8) wang) [[10000; 0; 0]%Z; [0; 0; 10000]%Z]
  && every (falls_released dear dear_streams (5 # 7) cmu) [[0; 10000]%Z; [20000; 30000]%Z] = true.
Proof. vm_compute. reflexivity. Qed.
Example no_help_in_time : falls_busy timed halves (5 # 8) (shared (route jsq_maxweight) Own) ([10000; 0]%Z, [Busy 0; Idle]) = Some false.
Proof. vm_compute. reflexivity. Qed.
Definition both_in_time := in_time both.
Example the_longest_queue_in_time :
  falls_busy both_in_time [6 # 5] (3 # 4) (shared (Argmax Local Length) (serve jsq_maxweight)) ([10000; 0]%Z, [Busy 0; Busy 0]) = Some false.
Proof. vm_compute. reflexivity. Qed.
Example only_local_tasks_in_time : falls_own timed halves (5 # 8) (own (route balanced_pandas) Own) ([0; 100; 0; 0]%Z, [Idle; Idle])
  = Some false.
Proof. vm_compute. reflexivity. Qed.
Example the_largest_key_in_time : falls_own timed halves (5 # 8)
  (own (Argmax Servers (OverRate ServerWorkload)) (serve balanced_pandas)) ([100; 0; 96; 0]%Z, [Busy 0; Busy 2]) = Some false.
Proof. vm_compute. reflexivity. Qed.
Example the_longest_to_serve_interrupted : falls_released tenfold [5; 5] (5 # 8)
  (shared (route jsq_maxweight) (Argmax (Where Reachable HasWork) Length)) [10000; 9999]%Z = false.
Proof. vm_compute. reflexivity. Qed.
Example costs_without_rates_interrupted : falls_released dear dear_streams (5 # 7)
  (by_type OwnType (Argmax (Where Reachable HasWork) MarginalCost)) [10000; 29999]%Z = false.
Proof. vm_compute. reflexivity. Qed.
(* A server that keeps its task, where the theorem is about servers that may be interrupted. *)
Example not_interrupted : Qle_bool
  (event_rate timed halves * (E (fun y => squares timed per_server (fst y))
     (event_chain timed halves no_preemption jsq_maxweight ([10000; 1]%Z, [Busy 1; Busy 0])) - squares timed per_server [10000; 1]%Z))
  (preemptive_spread timed halves per_server - 2 * (1 - (5 # 8)) * total_weight timed per_server [10000; 1]%Z) = false.
Proof. vm_compute. reflexivity. Qed.
