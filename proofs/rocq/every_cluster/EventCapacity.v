(* What the theorems about continuous time on every cluster say: options, arrivals, constants, the finite set that is
   reached; and Foster's criterion per unit of time.

   Believe: the definitions up to the lemmas are part of the meaning of those theorems. *)
From Coq Require Import ZArith QArith Qminmax Lqa List Bool Lia.
From Schedproof Require Import Law Affine Program Cluster Language Kernel EventKernel Drift.
From Schedproof Require Import Outcomes Capacity Layout Draws Offers Weights.
Import ListNotations.
Open Scope Q_scope.

Section EventCapacity.
  Variables (C : cluster) (streams : list Q).
  (* Lengths count tasks in execution, and a server starts no task where none waits. No other option is read. *)
  Definition event_options : Prop := counts (option_of C) = in_system /\ empty_is (option_of C) = conserved.
  Definition streams_are_rates : Prop := forall t, 0 <= stream_rate streams t.
  (* The streams can be split among the servers so that none is loaded above rho. *)
  Definition carries_streams : Q -> (nat -> nat -> Q) -> Prop := carries_stream C (stream_rate streams).
  (* Tasks per unit of time. *)
  Definition all_streams : Q := total (all_types C) (stream_rate streams).
  Definition number_of_servers : Q := inject_Z (Z.of_nat (servers C)).
  (* A sum over servers is below (spread + 1) / (2 (1 - rho)). *)
  Definition below_threshold (spread rho : Q) (W : list Z -> Q) (x : state) : bool :=
    negb (Qle_bool ((spread + 1) / (2 * (1 - rho))) (W (fst x))).
  (* With preemption no server does anything between events. *)
  Definition released : list (list status) := map (fun _ => [Idle]) (all_servers C).

  (* Where servers share queues, c the largest cost, alpha the largest rate and gamma the least. With preemption:
     c (Lambda + M alpha (1 + 2 (M - 1))). *)
  Definition preemptive_spread (A : arrangement) : Q :=
    let M := number_of_servers in
    largest_cost C A * (all_streams + M * fastest C * (1 + 2 * (M - 1))).
  (* Without: c (Lambda (1 + 4 alpha M / gamma) + M alpha (1 + 2 (M - 1) (1 + alpha / gamma))). *)
  Definition event_spread (A : arrangement) : Q :=
    let M := number_of_servers in
    largest_cost C A * (all_streams * (1 + 4 * fastest C * M / least_rate C)
                        + M * fastest C * (1 + 2 * (M - 1) * (1 + fastest C / least_rate C))).
  (* Where servers have queues of their own: Lambda / gamma^2 + M / gamma. *)
  Definition own_event_spread : Q :=
    all_streams / (least_rate C * least_rate C) + number_of_servers / least_rate C.
End EventCapacity.

(* ---- lemmas ---- *)

Lemma total_servers C k W : total (all_servers C) (fun m => k - 2 * W m)
  == number_of_servers C * k - 2 * total (all_servers C) W.
Proof.
  rewrite (total_equal _ _ (fun m => k + - (2) * W m)) by (intros; ring).
  rewrite total_plus, total_constant, total_times.
  unfold all_servers at 1. rewrite seq_length. fold (number_of_servers C). ring.
Qed.

(* A function of drift spread - 2 (1 - rho) W per unit of time bounds the mean time until W is below the threshold. *)
Section EventFoster.
  Variables (C : cluster) (streams : list Q) (interrupts : preemption) (P : policy).
  Hypothesis LO : laid_out C.
  Hypothesis rates : streams_are_rates streams.
  Variable is_valid : state -> Prop.
  Notation step := (event_chain C streams interrupts P).
  Notation gamma := (event_rate C streams).
  Hypothesis valid_step : forall x, is_valid x -> is_law (step x) /\ forall e, In e (step x) -> is_valid (snd e).
  Variables (V : state -> Q) (W : list Z -> Q) (spread rho : Q).
  Hypothesis below_one : rho < 1.
  Hypothesis V_nonnegative : forall x, is_valid x -> 0 <= V x.
  Hypothesis drift : forall x, is_valid x -> E V (step x) <= V x + (spread - 2 * (1 - rho) * W (fst x)) / gamma.
  Theorem event_foster events x : is_valid x ->
    mean_time step (below_threshold spread rho W) events x / gamma <= V x.
  Proof.
    intro Vx. pose proof (event_rate_positive C streams LO rates) as G.
    pose proof (foster step is_valid (fun y Vy => proj1 (valid_step y Vy)) (fun y e Vy => proj2 (valid_step y Vy) e)
                  (below_threshold spread rho W) V (/ gamma) V_nonnegative) as F.
    refine (F _ events x Vx). intros y Vy T. eapply Qle_trans; [exact (drift y Vy)|].
    unfold below_threshold in T. apply negb_false_iff, Qle_bool_iff in T.
    assert (K : (spread + 1) / (2 * (1 - rho)) * (2 * (1 - rho)) <= W (fst y) * (2 * (1 - rho)))
      by (apply Qmult_le_compat_r; lra).
    assert (Eq : (spread + 1) / (2 * (1 - rho)) * (2 * (1 - rho)) == spread + 1) by (field; lra). rewrite Eq in K.
    pose proof (Qinv_lt_0_compat _ G) as I. unfold Qdiv.
    assert ((spread - 2 * (1 - rho) * W (fst y)) * / gamma <= - (1) * / gamma) by (apply Qmult_le_compat_r; lra). lra.
  Qed.
End EventFoster.
