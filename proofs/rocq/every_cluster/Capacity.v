(* What a cluster can carry, and what the theorem for every cluster says: arrival rates, loads, workloads, the finite set
   that is reached.

   Believe: the definitions up to the lemmas are part of the meaning of that theorem. *)
From Coq Require Import ZArith QArith Qminmax Lqa List Bool Lia.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Outcomes.
Import ListNotations.
Open Scope Q_scope.

Definition total {A} (l : list A) (f : A -> Q) : Q := fold_right (fun a s => f a + s) 0 l.

Section Capacity.
  Variable C : cluster.
  Definition all_servers : list nat := seq 0 (servers C).
  Definition all_types : list nat := seq 0 (types C).
  (* The law of the numbers of tasks, per type, that arrive in a slot. *)
  Definition arrival_law : law (list nat) := run (arrive (N := Z) (arrivals C) (repeat 0%nat (types C))).
  Definition tasks_of (t : nat) (a : list nat) : Q := inject_Z (Z.of_nat (nth t a 0%nat)).
  Definition all_tasks (a : list nat) : Q := inject_Z (Z.of_nat (fold_right Nat.add 0%nat a)).
  Definition arrival_rate (t : nat) : Q := E (tasks_of t) arrival_law.
  (* mu(t, m): the probability that server m completes a task of type t in a slot. *)
  Definition type_rate (t m : nat) : Q := rate_at C (nth t (row_of_type C) 0%nat) (nth m (nth t (level_of_task C) []) 0%nat).

  (* The capacity condition: a split of the arrivals of each type among the servers that loads none above rho. *)
  Record carries_stream (rate : nat -> Q) (rho : Q) (split : nat -> nat -> Q) : Prop := {
    split_nonnegative : forall t m, 0 <= split t m;
    split_all : forall t, In t all_types -> total all_servers (split t) == rate t;
    split_load : forall m, In m all_servers -> total all_types (fun t => split t m / type_rate t m) <= rho
  }.
  Definition carries : Q -> (nat -> nat -> Q) -> Prop := carries_stream arrival_rate.

  (* What an instance file can say, whatever the time: at least one server; rows of rates of one length, rates above 0; for
     each type a row and levels that there are. *)
  Record laid_out : Prop := {
    some_server : (0 < servers C)%nat;
    some_row : (0 < rows C)%nat;
    row_lengths : forall row, In row (rates C) -> length row = levels C;
    some_level : (0 < levels C)%nat;
    rates_are_positive : forall row mu, In row (rates C) -> In mu row -> 0 < mu;
    rows_of_types : forall t, (nth t (row_of_type C) 0 < rows C)%nat;
    levels_of_types : forall t m, In t all_types -> In m all_servers -> (nth m (nth t (level_of_task C) []) 0 < levels C)%nat
  }.
  (* In slots: besides, rates of at most 1, and factors of the arrivals that are laws. *)
  Record well_formed : Prop := {
    is_laid_out : laid_out;
    rates_are_probabilities : forall row mu, In row (rates C) -> In mu row -> mu <= 1;
    arrivals_are_laws : forall factor, In factor (arrivals C) -> is_law factor
  }.

  (* The queues of a server, under an arrangement of one for each row of rates and level, and the time that their tasks
     need on average. *)
  Definition queues_of (m : nat) : list (nat * nat) := own_queues C per_server_and_level m.
  Definition rate_of (q : nat) : Q := service_rate C per_server_and_level q (owner C per_server_and_level q).
  Definition workload (len : list Z) (m : nat) : Q :=
    total (queues_of m) (fun c => inject_Z (nth (fst c) len 0%Z) / rate_of (fst c)).
  Definition total_workload (len : list Z) : Q := total all_servers (workload len).
  Definition squared_workloads (len : list Z) : Q := total all_servers (fun m => workload len m * workload len m).
  (* What a server may be doing: nothing, or a task of one of its queues. *)
  Definition own_statuses : list (list status) := map (fun m => Idle :: map (fun c => Busy (fst c)) (queues_of m)) all_servers.

  (* A server that found no task is idle. The other options are free. *)
  Definition idle_servers_ask : Prop := unmatched_is (option_of C) = idle_again.
  (* Besides, lengths count tasks in execution. *)
  Definition options_of_the_proof : Prop := counts (option_of C) = in_system /\ idle_servers_ask.
  (* M / gamma + (1 + 2 k) E (number of arrivals)^2 / gamma^2, gamma the least rate: services end at random, tasks come in
     bursts, and may see other lengths than those that the capacity is about: k is the number of such options. *)
  Definition least_rate : Q := match concat (rates C) with [] => 1 | mu :: l => fold_right Qmin mu l end.
  Definition sees_arrivals : Q := match routes (option_of C) with batch => 0 | sequential => 1 end.
  Definition sees_waiting_only : Q := match counts (option_of C) with in_system => 0 | waiting => 1 end.
  Definition other_lengths : Q := sees_arrivals + sees_waiting_only.
  Definition spread : Q :=
    inject_Z (Z.of_nat (servers C)) / least_rate
    + (1 + 2 * other_lengths) * (E (fun a => all_tasks a * all_tasks a) arrival_law / (least_rate * least_rate)).
  (* The servers have less work than the threshold in all. *)
  Definition threshold (rho : Q) : Q := (spread + 1) / (2 * (1 - rho)).
  Definition light (rho : Q) (x : state) : bool := negb (Qle_bool (threshold rho) (total_workload (fst x))).
End Capacity.

(* ---- Lemmas ---- *)

Coercion is_laid_out : well_formed >-> laid_out.

Section Total.
  Context {A : Type}.
  Implicit Types (l : list A) (f g : A -> Q).
  Lemma total_le l f g : (forall a, In a l -> f a <= g a) -> total l f <= total l g.
  Proof.
    induction l as [|a l IH]; intro H; cbn [total fold_right]; [lra|]. fold (total l f) (total l g).
    assert (f a <= g a) by (apply H; now left). assert (total l f <= total l g) by (apply IH; intros; apply H; now right). lra.
  Qed.
  Lemma total_equal l f g : (forall a, In a l -> f a == g a) -> total l f == total l g.
  Proof. intro H. apply Qle_antisym; apply total_le; intros a I; rewrite (H a I); apply Qle_refl. Qed.
  Lemma total_plus l f g : total l (fun a => f a + g a) == total l f + total l g.
  Proof. unfold total. induction l as [|a l IH]; cbn [fold_right]; [ring|]. rewrite IH. ring. Qed.
  Lemma total_times l k f : total l (fun a => k * f a) == k * total l f.
  Proof. unfold total. induction l as [|a l IH]; cbn [fold_right]; [ring|]. rewrite IH. ring. Qed.
  Lemma total_zero l : total l (fun _ => 0) == 0.
  Proof. unfold total. induction l as [|a l IH]; cbn [fold_right]; [reflexivity|]. rewrite IH. ring. Qed.
  Lemma total_constant l c : total l (fun _ => c) == inject_Z (Z.of_nat (length l)) * c.
  Proof.
    unfold total. induction l as [|a l IH]; cbn [fold_right length]; [ring|]. rewrite IH, Nat2Z.inj_succ.
    unfold Z.succ. rewrite inject_Z_plus. ring.
  Qed.
  Lemma total_nonnegative l f : (forall a, In a l -> 0 <= f a) -> 0 <= total l f.
  Proof. intro H. rewrite <- (total_zero l). now apply total_le. Qed.
  Lemma total_app l l' f : total (l ++ l') f == total l f + total l' f.
  Proof. unfold total. induction l as [|a l IH]; cbn [app fold_right]; [ring|]. rewrite IH. ring. Qed.
  Lemma total_member l f a : (forall b, In b l -> 0 <= f b) -> In a l -> f a <= total l f.
  Proof.
    induction l as [|b l IH]; intros H I; [contradiction|]. cbn [total fold_right]. fold (total l f).
    assert (0 <= f b) by (apply H; now left). assert (0 <= total l f) by (apply total_nonnegative; intros; apply H; now right).
    destruct I as [<-|I]; [lra|]. specialize (IH ltac:(intros; apply H; now right) I). lra.
  Qed.
  Lemma total_E {X} (p : law X) l (f : A -> X -> Q) : E (fun x => total l (fun a => f a x)) p == total l (fun a => E (f a) p).
  Proof.
    induction l as [|a l IH]; unfold total; cbn [fold_right].
    - induction p as [|e p IHp]; [reflexivity|]. rewrite E_cons, IHp. ring.
    - rewrite E_plus. unfold total in IH. rewrite IH. reflexivity.
  Qed.
  (* A sum of squares of nonnegative numbers is at most the square of the sum. *)
  Lemma total_squares l f : (forall a, In a l -> 0 <= f a) -> total l (fun a => f a * f a) <= total l f * total l f.
  Proof.
    induction l as [|a l IH]; intro H; cbn [total fold_right]; [lra|]. fold (total l f) (total l (fun a => f a * f a)).
    assert (0 <= f a) by (apply H; now left). assert (0 <= total l f) by (apply total_nonnegative; intros; apply H; now right).
    specialize (IH ltac:(intros; apply H; now right)). nra.
  Qed.
End Total.
Lemma total_swap {A B} (l : list A) (m : list B) f : total l (fun a => total m (f a))
  == total m (fun b => total l (fun a => f a b)).
Proof.
  induction l as [|a l IH]; cbn [total fold_right].
  - symmetry. apply total_zero.
  - fold (total l (fun a => total m (f a))). rewrite IH, <- total_plus. reflexivity.
Qed.
Lemma total_one (l : list nat) m (f : nat -> Q) : NoDup l -> In m l -> total l (fun i => if Nat.eqb i m then f i else 0) == f m.
Proof.
  induction l as [|i l IH]; intros N I; [contradiction|]. inversion N as [|? ? Ni Nl]; subst. cbn [total fold_right].
  fold (total l (fun i => if Nat.eqb i m then f i else 0)). destruct I as [->|I].
  - rewrite Nat.eqb_refl. rewrite (total_equal l _ (fun _ => 0)), total_zero; [ring|]. intros i Ii.
    destruct (Nat.eqb_spec i m); [congruence|reflexivity].
  - rewrite IH by assumption. destruct (Nat.eqb_spec i m); [congruence|ring].
Qed.

(* Weak duality: prices v that no server's workload undercuts earn at most rho times the workload. *)
Theorem weak_duality_of C rate rho split (W v : nat -> Q) : carries_stream C rate rho split ->
  (forall t m, In t (all_types C) -> In m (all_servers C) -> 0 < type_rate C t m) -> (forall m, In m (all_servers C) -> 0 <= W m) ->
  (forall t m, In t (all_types C) -> In m (all_servers C) -> v t <= W m / type_rate C t m) ->
  total (all_types C) (fun t => rate t * v t) <= rho * total (all_servers C) W.
Proof.
  intros [N All Load] R W0 P.
  apply Qle_trans with (total (all_types C) (fun t => total (all_servers C) (fun m => W m * (split t m / type_rate C t m)))).
  - apply total_le. intros t T. rewrite <- (All t T), Qmult_comm, <- total_times. apply total_le. intros m M.
    specialize (P t m T M). specialize (N t m). specialize (R t m T M).
    setoid_replace (W m * (split t m / type_rate C t m)) with (W m / type_rate C t m * split t m) by (field; lra).
    now apply Qmult_le_compat_r.
  - rewrite total_swap, <- total_times. apply total_le. intros m M. rewrite total_times, Qmult_comm.
    apply Qmult_le_compat_r; auto.
Qed.
Theorem weak_duality C rho split (W v : nat -> Q) : carries C rho split ->
  (forall t m, In t (all_types C) -> In m (all_servers C) -> 0 < type_rate C t m) -> (forall m, In m (all_servers C) -> 0 <= W m) ->
  (forall t m, In t (all_types C) -> In m (all_servers C) -> v t <= W m / type_rate C t m) ->
  total (all_types C) (fun t => arrival_rate C t * v t) <= rho * total (all_servers C) W.
Proof. apply weak_duality_of. Qed.
