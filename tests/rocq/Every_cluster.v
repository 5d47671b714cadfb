(* The theorem for every cluster, at some of them, and what it must not be true of. This file finds the certificate of
   Balanced-Pandas on m2-half as Certificate. *)
From Coq Require Import ZArith QArith Lqa List Bool Lia.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Policies.
From Schedproof Require Import Outcomes Capacity Layout BalancedPandas Instances.
Require Import Certificate.
Import ListNotations.
Open Scope Q_scope.
Check throughput_optimal.
Print Assumptions throughput_optimal.

(* ---- instances ---- *)

(* The cluster that the certificate is about, as it was exported, and its chain. *)
Notation m2 := m2_half_cluster.
Definition m2_half := throughput_optimal_at m2 (5 # 8) [[1 # 2; 0]; [0; 1 # 2]] ltac:(vm_compute; reflexivity).
Example the_chain_of_the_certificate : chain m2 balanced_pandas = chain m2_half_cluster balanced_pandas_policy. Proof. reflexivity. Qed.
Example the_states_of_the_certificate : own_statuses m2 = statuses. Proof. reflexivity. Qed.
Example the_threshold : threshold m2 (5 # 8) == 194 # 3. Proof. vm_compute. reflexivity. Qed.

Definition defaults := Options batch in_system idle_again wasted lowest_index.
Definition bernoulli (p : Q) (tasks nothing : list nat) : law (list nat) := [(p, tasks); (1 - p, nothing)].
(* Three servers in racks {0, 1} and {2}, load 37/38: where Pandas is unstable. *)
Definition racks := Cluster 3 [[1 # 2; 2 # 5; 1 # 20]] [0; 0]%nat [[0; 1; 2]; [1; 0; 0]]%nat [[0; 1; 2]; [1; 0; 2]; [2; 2; 0]]%nat [1; 1]%Z
  [bernoulli (22 # 25) [1; 0]%nat [0; 0]%nat; bernoulli (9 # 20) [0; 1]%nat [0; 0]%nat] defaults.
Definition three_servers := throughput_optimal_at racks (37 # 38) [[37 # 76; 37 # 95; 7 # 1900]; [0; 0; 9 # 20]] ltac:(vm_compute; reflexivity).
(* Types with rates of their own; the options that are free, as they are not by default. *)
Definition own_rates := Cluster 2 [[2 # 5; 1 # 40]; [2 # 5; 1 # 5]] [0; 1]%nat [[0; 1]; [0; 1]]%nat [[0; 1]; [1; 0]]%nat [1; 1]%Z
  [bernoulli (3 # 10) [1; 0]%nat [0; 0]%nat; bernoulli (1 # 4) [0; 1]%nat [0; 0]%nat] (Options batch in_system idle_again conserved uniform_subset).
Definition two_rows := throughput_optimal_at own_rates (11 # 12) [[3 # 10; 0]; [1 # 15; 11 # 60]] ltac:(vm_compute; reflexivity).
(* Two hundred servers, tasks in bursts of 300, all of whose data is on the first 100; deterministic service there. *)
Definition many := Cluster 200 [[1; 1 # 2]] [0]%nat [repeat 0 100 ++ repeat 1 100]%nat [] [1%Z] [bernoulli (2 # 5) [300]%nat [0]%nat] defaults.
Definition two_hundred_servers := throughput_optimal_at many (4 # 5) [repeat (4 # 5) 100 ++ repeat (2 # 5) 100] ltac:(vm_compute; reflexivity).
Print Assumptions two_hundred_servers.

(* ---- refused ---- *)

Definition with_arrivals a := Cluster (servers m2) (rates m2) (row_of_type m2) (level_of_task m2) (level_between m2) (marginal_costs m2) a (option_of m2).
Definition with_options o := Cluster (servers m2) (rates m2) (row_of_type m2) (level_of_task m2) (level_between m2) (marginal_costs m2) (arrivals m2) o.
Definition tried C := carried_below_one C (5 # 8) [[1 # 2; 0]; [0; 1 # 2]].
Example as_it_is : tried m2 = true. Proof. vm_compute. reflexivity. Qed.
Example a_lower_load : carried_below_one m2 (4 # 8) [[1 # 2; 0]; [0; 1 # 2]] = false. Proof. vm_compute. reflexivity. Qed.
Example load_one : carried_below_one (with_arrivals [[(1, [1; 1]%nat)]]) 1 [[4 # 5; 1 # 5]; [0; 1]] = false. Proof. vm_compute. reflexivity. Qed.
Example tasks_left_over : carried_below_one m2 (5 # 8) [[2 # 5; 0]; [0; 1 # 2]] = false. Proof. vm_compute. reflexivity. Qed.
Example less_than_none : carried_below_one m2 (5 # 8) [[3 # 5; - (1 # 10)]; [0; 1 # 2]] = false. Proof. vm_compute. reflexivity. Qed.
Example probabilities_that_are_none : tried (with_arrivals [[(1 # 2, [1; 1]%nat); (2 # 5, [0; 0]%nat)]]) = false. Proof. vm_compute. reflexivity. Qed.
Example sequential_routing : tried (with_options (Options sequential in_system idle_again wasted lowest_index)) = false. Proof. vm_compute. reflexivity. Qed.
Example waiting_tasks_only : tried (with_options (Options batch waiting idle_again wasted lowest_index)) = false. Proof. vm_compute. reflexivity. Qed.
Example phantom_service : tried (with_options (Options batch in_system phantom wasted lowest_index)) = false. Proof. vm_compute. reflexivity. Qed.

(* A slot that brings a task of each type overloads two servers of rate 4/5: by prices, whatever the split. *)
Definition overloaded := with_arrivals [[(1, [1; 1]%nat)]].
Example no_split_carries_it rho split : carries overloaded rho split -> ~ rho < 1.
Proof.
  intros H L.
  pose proof (weak_duality overloaded rho split (fun _ => 1) (fun _ => 5 # 4) H) as D.
  assert (R : forall t m, In t (all_types overloaded) -> In m (all_servers overloaded) -> 0 < type_rate overloaded t m /\ 5 # 4 <= 1 / type_rate overloaded t m).
  { intros t m [<-|[<-|[]]] [<-|[<-|[]]]; (split; [vm_compute; reflexivity|vm_compute; discriminate]). }
  specialize (D (fun t m T M => proj1 (R t m T M)) (fun m _ => Qlt_le_weak 0 1 eq_refl) (fun t m T M => proj2 (R t m T M))).
  assert (total (all_types overloaded) (fun t => arrival_rate overloaded t * (5 # 4)) == 5 # 2) as E1 by (vm_compute; reflexivity).
  assert (total (all_servers overloaded) (fun _ => 1) == 2) as E2 by (vm_compute; reflexivity).
  rewrite E1, E2 in D. lra.
Qed.

(* The drift of the theorem at one state, computed slot by slot: it is that of this policy under these options. *)
Definition falls C P (x : state) : bool :=
  Qle_bool (E (fun y => squared_workloads C (fst y)) (chain C P x))
           (squared_workloads C (fst x) - 2 * (1 - (5 # 8)) * total_workload C (fst x) + spread C).
Definition uneven : state := ([100; 0; 96; 0]%Z, [Busy 0; Busy 2]).
Definition remote_work : state := ([0; 100; 0; 0]%Z, [Idle; Idle]).
Example it_falls : every (falls m2 balanced_pandas) [uneven; remote_work] = true. Proof. vm_compute. reflexivity. Qed.
Definition keeping r s := Policy per_server_and_level r s.
Example the_largest_key : falls m2 (keeping (Argmax Servers (OverRate ServerWorkload)) (serve balanced_pandas)) uneven = false.
Proof. vm_compute. reflexivity. Qed.
Example a_key_without_the_rate : falls m2 (keeping (Argmin Servers ServerWorkload) (serve balanced_pandas)) uneven = false.
Proof. vm_compute. reflexivity. Qed.
Example only_local_tasks : falls m2 (keeping (route balanced_pandas) Own) remote_work = false. Proof. vm_compute. reflexivity. Qed.
Example a_phantom : falls (with_options (Options batch in_system phantom wasted lowest_index)) balanced_pandas ([0; 100; 0; 0]%Z, [Phantom 0; Idle]) = false.
Proof. vm_compute. reflexivity. Qed.
