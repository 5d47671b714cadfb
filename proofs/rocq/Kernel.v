(* One slot of a cluster under a policy: observe, arrive, route, schedule, match, serve, depart.

   Believe: [slot], up to the section Simulation, and [chain] are part of the meaning of a theorem; they say what
   model/queueing/kernel.hpp says. A task in execution stays counted in its queue until it completes; servers are not
   interrupted; idle servers decide simultaneously, on the queues as they stood at the start of the slot. Random
   choices come in the order in which the C++ enumerates them. An arriving task that the route leaves no queue is lost
   here; the C++ refuses such a policy. *)
From Coq Require Import ZArith QArith List Bool Lia.
From Schedproof Require Import Law Affine Program Cluster Language.
Import ListNotations.
Open Scope Z_scope.

(* How a slot changes the lengths, per queue. *)
Notation change := (list Z) (only parsing).
Fixpoint bump (k : Z) (q : nat) (d : change) : change :=
  match d, q with [], _ => [] | z :: d, O => z + k :: d | z :: d, S q => z :: bump k q d end.
Fixpoint add (x : vec) (d : change) : vec := match x, d with z :: x, k :: d => z + k :: add x d | _, _ => x end.
(* Where a server stands before tasks are handed out. *)
Inductive pointing := Nowhere | Executing (q : nat) | Asking (q : nat).

Section Slot.
  Context {N : Type} (num : numbers N) (C : cluster) (P : policy).
  Notation A := (keeps P).

  (* A draw of a single outcome is none. *)
  Definition coin (p : Q) : program N bool := if Qeq_bool p 1 then Ret true else Draw [p; 1 - p]%Q (fun i => Ret (Nat.eqb i 0)).
  Definition pick (tied : list candidate) : program N nat :=
    match tied with
    | [] => Ret (queues C A)
    | [c] => Ret (fst c)
    | _ => Draw (map (fun _ => 1 # Pos.of_nat (length tied)) tied) (fun i => Ret (fst (nth i tied (0, 0)%nat)))
    end.
  Definition executing (s : list status) : list Z :=
    fold_right (fun f d => match f with Busy q => bump 1 q d | _ => d end) (repeat 0 (queues C A)) s.

  Fixpoint arrive (factors : list (list (Q * list nat))) (count : list nat) : program N (list nat) :=
    match factors with
    | [] => Ret count
    | f :: rest =>
        match f with
        | [e] => arrive rest (map (fun p => fst p + snd p)%nat (combine count (snd e)))
        | _ => Draw (map fst f) (fun i => arrive rest (map (fun p => fst p + snd p)%nat (combine count (snd (nth i f (0%Q, []))))))
        end
    end.
  Fixpoint picks (n : nat) (tied : list candidate) (d : change) : program N change :=
    match n with O => Ret d | S n => q <- pick tied; picks n tied (bump 1 q d) end.
  Definition moved (len : list N) (d : change) : list N := map (fun p => plus num (fst p) (const num (snd p))) (combine len d).
  Fixpoint routed_one_by_one (len : list N) (inside : list Z) (n type : nat) (d : change) : program N change :=
    match n with
    | O => Ret d
    | S n => tied <- set_of num C A (moved len d) inside (Arriving type) (route P) [];
             q <- pick tied; routed_one_by_one len inside n type (bump 1 q d)
    end.
  Fixpoint join (len : list N) (inside : list Z) (type : nat) (count : list nat) (d : change) : program N change :=
    match count with
    | [] => Ret d
    | O :: count => join len inside (S type) count d
    | n :: count =>
        d <- match routes (option_of C) with
             | batch => tied <- set_of num C A len inside (Arriving type) (route P) []; picks n tied d
             | sequential => routed_one_by_one len inside n type d
             end;
        join len inside (S type) count d
    end.
  Fixpoint schedule (len : list N) (inside : list Z) (m : nat) (s : list status) : program N (list pointing) :=
    match s with
    | [] => Ret []
    | Busy q :: s => rest <- schedule len inside (S m) s; Ret (Executing q :: rest)
    | Phantom q :: s => rest <- schedule len inside (S m) s; Ret (Asking q :: rest)
    | Idle :: s =>
        tied <- set_of num C A len inside (Serving m) (serve P) [];
        match tied with
        | [] => rest <- schedule len inside (S m) s; Ret (Nowhere :: rest)
        | _ => q <- pick tied; rest <- schedule len inside (S m) s; Ret (Asking q :: rest)
        end
    end.
  (* Per queue: the smaller of the number of servers that ask and the number of waiting tasks. *)
  Fixpoint to_hand_out (len : list N) (d : change) (inside : list Z) (targets : list pointing) (places : list Z) : program N (list Z) :=
    match targets with
    | [] => Ret places
    | Asking q :: targets =>
        more <- less num (const num (nth q inside 0 + nth q places 0)) (plus num (nth q len (const num 0)) (const num (nth q d 0)));
        to_hand_out len d inside targets (if more : bool then bump 1 q places else places)
    | _ :: targets => to_hand_out len d inside targets places
    end.
  Definition asking (targets : list pointing) (q : nat) : Z :=
    fold_right (fun t n => match t with Asking r => if Nat.eqb q r then n + 1 else n | _ => n end) 0 targets.
  Fixpoint hand_out (targets : list pointing) (left : list Z) : program N (list status) :=
    match targets with
    | [] => Ret []
    | Nowhere :: targets => rest <- hand_out targets left; Ret (Idle :: rest)
    | Executing q :: targets => rest <- hand_out targets left; Ret (Busy q :: rest)
    | Asking q :: rest =>
        let n := nth q left 0 in
        gets <- (if n <=? 0 then Ret false
                 else match scarce (option_of C) with
                      | lowest_index => Ret true
                      | uniform_subset => coin (Qred (n # Z.to_pos (asking targets q)))
                      end);
        statuses <- hand_out rest (if gets : bool then bump (-1) q left else left);
        Ret ((if gets : bool then Busy q else match unmatched_is (option_of C) with idle_again => Idle | phantom => Phantom q end)
             :: statuses)
    end.
  Fixpoint depart (m : nat) (s : list status) (d : change) : program N (change * list status) :=
    match s with
    | [] => Ret (d, [])
    | Idle :: s => r <- depart (S m) s d; Ret (fst r, Idle :: snd r)
    | Busy q :: s =>
        ends <- coin (service_rate C A q m);
        r <- depart (S m) s (if ends : bool then bump (-1) q d else d); Ret (fst r, (if ends : bool then Idle else Busy q) :: snd r)
    | Phantom q :: s =>
        ends <- coin (service_rate C A q m);
        r <- depart (S m) s d; Ret (fst r, (if ends : bool then Idle else Phantom q) :: snd r)
    end.
  Definition slot (len : list N) (s : list status) : program N (change * list status) :=
    let inside := executing s in
    count <- arrive (arrivals C) (repeat 0%nat (types C));
    d <- join len inside 0 count (repeat 0 (queues C A));
    targets <- schedule len inside 0 s;
    places <- to_hand_out len d inside targets (repeat 0 (queues C A));
    now <- hand_out targets places;
    depart 0 now d.
End Slot.

(* The chain: a state is the lengths of the queues and what each server does. *)
Definition state := (vec * list status)%type.
Definition chain (C : cluster) (P : policy) (x : state) : law state :=
  map (fun e => (fst e, (add (fst x) (fst (snd e)), snd (snd e)))) (run (slot integers C P (fst x) (snd x))).

(* ---- Simulation ---- *)

Section Simulation.
  Variables (x : vec) (C : cluster) (P : policy) (len : list form) (len' : list Z).
  Hypothesis agree : lengths_agree x len len'.
  Ltac chain H a := eapply sim_bind; [apply H|]; intros a _ <-.
  Lemma coin_sim p : sim x eq (coin p) (coin p).
  Proof. unfold coin. destruct (Qeq_bool p 1); [now apply SimRet|]. apply SimDraw. intro. now apply SimRet. Qed.
  Lemma pick_sim tied : sim x eq (pick C P tied) (pick C P tied).
  Proof. destruct tied as [|c [|d l]]; cbn; try (now apply SimRet). apply SimDraw. intro. now apply SimRet. Qed.
  Lemma arrive_sim factors : forall count, sim x eq (arrive factors count) (arrive factors count).
  Proof.
    induction factors as [|f rest IH]; intro count; cbn [arrive]; [now apply SimRet|].
    destruct f as [|e [|]]; auto; apply SimDraw; intro; auto.
  Qed.
  Lemma moved_agree d : lengths_agree x (moved forms len d) (moved integers len' d).
  Proof.
    unfold moved, lengths_agree. revert d. induction agree as [|f z l l' H F IH]; intro d; [constructor|].
    destruct d as [|k d]; [constructor|]. cbn [combine map]. constructor; [|apply IH; assumption].
    cbn. now rewrite value_plus, value_const, H.
  Qed.
  Lemma picks_sim n tied : forall d, sim x eq (picks C P n tied d) (picks C P n tied d).
  Proof. induction n as [|n IH]; intro d; cbn [picks]; [now apply SimRet|]. chain pick_sim q. auto. Qed.
  Lemma routed_sim inside n type : forall d, sim x eq (routed_one_by_one forms C P len inside n type d) (routed_one_by_one integers C P len' inside n type d).
  Proof.
    induction n as [|n IH]; intro d; cbn [routed_one_by_one]; [now apply SimRet|].
    eapply sim_bind; [apply rule_sim, moved_agree|]. intros tied _ <-. chain pick_sim q. auto.
  Qed.
  Lemma join_sim inside count : forall type d, sim x eq (join forms C P len inside type count d) (join integers C P len' inside type count d).
  Proof.
    induction count as [|[|n] count IH]; intros type d; cbn [join]; [now apply SimRet|auto|].
    apply sim_bind with (R := eq); [|intros d' _ <-; auto]. destruct routes; [|apply routed_sim].
    eapply sim_bind; [apply rule_sim, agree|]. intros tied _ <-. apply picks_sim.
  Qed.
  Lemma schedule_sim inside s : forall m, sim x eq (schedule forms C P len inside m s) (schedule integers C P len' inside m s).
  Proof.
    induction s as [|[|q|q] s IH]; intro m; cbn [schedule]; [now apply SimRet| | |].
    - eapply sim_bind; [apply rule_sim, agree|]. intros [|c tied] _ <-.
      + chain IH rest. now apply SimRet.
      + chain pick_sim q. chain IH rest. now apply SimRet.
    - chain IH rest. now apply SimRet.
    - chain IH rest. now apply SimRet.
  Qed.
  Lemma to_hand_out_sim d inside targets : forall places,
    sim x eq (to_hand_out forms len d inside targets places) (to_hand_out integers len' d inside targets places).
  Proof.
    induction targets as [|[|q|q] targets IH]; intro places; cbn [to_hand_out]; [now apply SimRet|auto|auto|].
    eapply sim_bind; [apply less_sim; [apply value_const|]|intros [|] _ <-; auto].
    cbn. rewrite value_plus, value_const. f_equal. apply (tasks_agree x len len' agree).
  Qed.
  Lemma hand_out_sim targets : forall left, sim x eq (hand_out C targets left) (hand_out C targets left).
  Proof.
    induction targets as [|[|q|q] targets IH]; intro left; cbn [hand_out]; [now apply SimRet| | |].
    - chain IH rest. now apply SimRet.
    - chain IH rest. now apply SimRet.
    - apply sim_bind with (R := eq).
      + destruct (nth q left 0 <=? 0); [now apply SimRet|]. destruct scarce; [now apply SimRet|apply coin_sim].
      + intros gets _ <-. chain IH rest. now apply SimRet.
  Qed.
  Lemma depart_sim s : forall m d, sim x eq (depart C P m s d) (depart C P m s d).
  Proof.
    induction s as [|[|q|q] s IH]; intros m d; cbn [depart]; [now apply SimRet| | |].
    - chain IH r. now apply SimRet.
    - chain coin_sim ends. chain IH r. now apply SimRet.
    - chain coin_sim ends. chain IH r. now apply SimRet.
  Qed.
  Theorem slot_sim s : sim x eq (slot forms C P len s) (slot integers C P len' s).
  Proof.
    unfold slot. chain arrive_sim count. chain join_sim d. chain schedule_sim targets. chain to_hand_out_sim places.
    chain hand_out_sim now. apply depart_sim.
  Qed.
End Simulation.
