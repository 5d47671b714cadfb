(* One event of a cluster in continuous time, and the chain of the states between events.

   Believe: [event], up to the section Simulation, [settled] and [event_chain] are part of the meaning of a theorem;
   they say what model/queueing/events.hpp says. Clusters, rules and answers are those of a slot. The rates of a cluster
   are here rates of exponential services per unit of time, of any size; tasks of type t arrive in a Poisson stream of
   rate [nth t streams 0], and the field [arrivals] is not read. Of the options only [counts] and [empty_is] are read;
   the C++ has [conserved] in continuous time. An event is the arrival of a task, or the ring of a server's clock.
   Clocks
   ring at the largest rate of the cluster, and the task that the server executes then ends with the probability that
   its rate is of that one. Random choices come in the order in which the C++ enumerates them. *)
From Coq Require Import ZArith QArith Qminmax List Bool Lia.
From Schedproof Require Import Law Affine Program Cluster Language Kernel.
Import ListNotations.
Open Scope Z_scope.

(* With [resume] tasks are interrupted: all servers are offered tasks before every event, and released after it. *)
Inductive preemption := no_preemption | resume.
Inductive happening := Arrives (t : nat) | Rings (m : nat).

Fixpoint put (m : nat) (f : status) (s : list status) {struct s} : list status :=
  match s, m with [], _ => [] | _ :: s, O => f :: s | g :: s, S m => g :: put m f s end.
Fixpoint once (seen l : list nat) : list nat :=             (* each member where it is first *)
  match l with [] => [] | m :: l => if some (Nat.eqb m) seen then once seen l else m :: once (m :: seen) l end.

Section Rates.
  Variables (C : cluster) (streams : list Q).
  Definition every_server : list nat := seq 0 (servers C).
  Definition stream_rate (t : nat) : Q := nth t streams 0%Q.
  Definition fastest : Q := fold_right Qmax 0%Q (concat (rates C)).
  Definition happenings : list happening :=
    map Arrives (filter (fun t => negb (Qle_bool (stream_rate t) 0)) (seq 0 (types C))) ++ map Rings every_server.
  Definition rate_of_happening (h : happening) : Q := match h with Arrives t => stream_rate t | Rings _ => fastest end.
  (* Events per unit of time. *)
  Definition event_rate : Q := Qred (fold_right (fun h r => rate_of_happening h + r) 0 happenings)%Q.

  (* In which order idle servers are offered what waits. *)
  Definition nearest_first (centre : list nat) : list nat :=
    let around level c := filter (fun m => Nat.leb (nth c (nth m (level_between C) []) 0%nat) level) every_server in
    once [] (filter (fun m => Nat.ltb m (servers C)) centre
             ++ flat_map (fun level => flat_map (around level) centre) (seq 0 (levels C)) ++ every_server).
  Definition after_arrival (A : arrangement) (t q : nat) : list nat :=
    nearest_first (if (match A with per_type => true | _ => shared C A q end)
                   then filter (fun m => Nat.eqb (nth m (nth t (level_of_task C) []) 0%nat) 0) every_server
                   else [owner C A q]).
  Definition after_completion (m : nat) : list nat := once [] (m :: every_server).
End Rates.

Section Event.
  Context {N : Type} (num : numbers N) (C : cluster) (streams : list Q) (interrupts : preemption) (P : policy).
  Notation A := (keeps P).

  Definition answer_of (len : list N) (s : list status) (m : nat) : program N (list candidate) :=
    set_of num C A len (executing C P s) (Serving m) (serve P) [].
  (* One round says whether a server starts a task, and what servers do then. Each asks once those before it started. *)
  Fixpoint round (len : list N) (order : list nat) (started : bool) (s : list status)
      : program N (bool * list status) :=
    match order with
    | [] => Ret (started, s)
    | m :: order =>
        match nth m s Idle with
        | Idle =>
            tied <- answer_of len s m;
            match tied with
            | [] => round len order started s
            | _ =>
                q <- pick C P tied;
                waits <- less num (const num 0) (waiting_tasks num len (executing C P s) q);
                if waits : bool then round len order true (put m (Busy q) s) else round len order started s
            end
        | _ => round len order started s
        end
    end.
  Fixpoint rounds (n : nat) (len : list N) (order : list nat) (s : list status) : program N (list status) :=
    match n with
    | O => Ret s
    | S n => r <- round len order false s; if fst r then rounds n len order (snd r) else Ret (snd r)
    end.
  (* Of more rounds than servers the last starts none. *)
  Definition offer (len : list N) (order : list nat) (s : list status) : program N (list status) :=
    rounds (S (length s)) len order s.

  Notation unchanged := (repeat 0 (queues C A)).
  (* What happens to the lengths, what the servers do, and who is offered what waits. *)
  Definition happens (len : list N) (s : list status) (h : happening) : program N (change * list status * list nat) :=
    match h with
    | Arrives t =>
        tied <- set_of num C A len (executing C P s) (Arriving t) (route P) [];
        q <- pick C P tied; Ret (bump 1 q unchanged, s, after_arrival C A t q)
    | Rings m =>
        match nth m s Idle with
        | Busy q =>
            ends <- coin (Qred (service_rate C A q m / fastest C));
            Ret (if ends : bool then (bump (-1) q unchanged, put m Idle s, after_completion C m)
                 else (unchanged, s, []))
        | _ => Ret (unchanged, s, [])
        end
    end.
  Definition follows (len : list N) (s : list status) (h : happening) : program N (change * list status) :=
    e <- happens len s h;
    let d := fst (fst e) in
    match interrupts with
    | no_preemption => next <- offer (moved num len d) (snd e) (snd (fst e)); Ret (d, next)
    | resume => Ret (d, map (fun _ => Idle) (snd (fst e)))
    end.
  Definition event (len : list N) (s : list status) : program N (change * list status) :=
    now <- (match interrupts with no_preemption => Ret s | resume => offer len (every_server C) s end);
    let gamma := event_rate C streams in
    Draw (map (fun h => Qred (rate_of_happening C streams h / gamma)) (happenings C streams))
         (fun i => follows len now (nth i (happenings C streams) (Rings (servers C)))).
End Event.

(* The chain: a state is the lengths of the queues and what each server does, which is nothing under preemption. *)
Definition event_chain (C : cluster) (streams : list Q) (interrupts : preemption) (P : policy) (x : state) : law state
  :=
  map (fun e => (fst e, (add (fst x) (fst (snd e)), snd (snd e))))
      (run (event integers C streams interrupts P (fst x) (snd x))).

(* Some outcome of a program passes a test. *)
Fixpoint possible {A} (test : A -> bool) (m : program Z A) : bool :=
  match m with
  | Ret a => test a
  | Ask n k => possible test (k (0 <=? n))
  | Draw ps k => some (fun i => possible test (k i)) (seq 0 (length ps))
  end.
(* Between events each idle server may just have declined: its rule named no queue, or one in which no task waits. *)
Definition declines (C : cluster) (P : policy) (x : state) (m : nat) : bool :=
  let idle_still q := waiting_tasks integers (fst x) (executing C P (snd x)) q <=? 0 in
  possible (fun tied => match tied with [] => true | _ => some (fun c => idle_still (fst c)) tied end)
           (answer_of integers C P (fst x) (snd x) m).
Definition settled (C : cluster) (P : policy) (x : state) : bool :=
  every (fun m => match nth m (snd x) Idle with Idle => declines C P x m | _ => true end) (every_server C).

(* ---- Lemmas ---- *)

Lemma moved_add len d : length d = length len -> moved integers len d = add len d.
Proof.
  unfold moved. revert len. induction d as [|k d IH]; intros [|z len] [=]; cbn [combine map add]; auto. f_equal.
  now apply IH.
Qed.
(* The orders in which servers are offered tasks name all of them. *)
Lemma once_In k l : forall seen, In k (once seen l) <-> In k l /\ ~ In k seen.
Proof.
  assert (Seen : forall m seen, some (Nat.eqb m) seen = true <-> In m seen).
  { intros m seen. induction seen as [|n seen IH]; cbn [some In]; [easy|]. destruct (Nat.eqb_spec m n) as [->|Ne].
    - split; [now left|reflexivity].
    - rewrite IH. split; [now right|]. intros [E_|I]; [now symmetry in E_|exact I]. }
  induction l as [|m l IH]; intro seen; cbn [once In]; [tauto|]. destruct (some (Nat.eqb m) seen) eqn:B.
  - apply Seen in B. rewrite IH. split; [tauto|]. intros [[->|I] N]; [contradiction|tauto].
  - cbn [In]. rewrite IH. cbn [In]. assert (~ In m seen) by (rewrite <- Seen, B; discriminate).
    destruct (Nat.eq_dec m k) as [->|Ne]; [tauto|]. split; [tauto|]. intros [[E_|I] N]; [contradiction|]. right.
    split; [exact I|]. intros [E_|J]; contradiction.
Qed.
Lemma after_arrival_In C A k t q : In k (after_arrival C A t q) <-> (k < servers C)%nat.
Proof.
  unfold after_arrival, nearest_first. rewrite once_In, !in_app_iff. unfold every_server. split.
  - intros [[I|[I|I]] _].
    + apply filter_In in I as [_ I]. now apply Nat.ltb_lt.
    + apply in_flat_map in I as (level & _ & I). apply in_flat_map in I as (c & _ & I). apply filter_In in I as [I _].
      now apply in_seq in I.
    + now apply in_seq in I.
  - intro K. split; [right; right; apply in_seq; lia|easy].
Qed.
Lemma after_completion_In C k m : (m < servers C)%nat -> In k (after_completion C m) <-> (k < servers C)%nat.
Proof.
  intro H. unfold after_completion. rewrite once_In. cbn [In]. unfold every_server. rewrite in_seq.
  split; [intros [[->|K] _]; lia|].
  intro K. split; [right; lia|easy].
Qed.

(* ---- Simulation ---- *)

Section Simulation.
  Variables (x : vec) (C : cluster) (streams : list Q) (interrupts : preemption) (P : policy).
  Ltac chain H a := eapply sim_bind; [apply H|]; intros a _ <-.
  Section Lengths.
    Variables (len : list form) (len' : list Z).
    Hypothesis agree : lengths_agree x len len'.
    Lemma round_sim order : forall started s,
      sim x eq (round forms C P len order started s) (round integers C P len' order started s).
    Proof.
      induction order as [|m order IH]; intros started s; cbn [round]; [now apply SimRet|].
      destruct (nth m s Idle); auto. eapply sim_bind; [apply rule_sim, agree|]. intros [|c tied] _ <-; auto.
      chain pick_sim q. eapply sim_bind; [apply less_sim; [apply value_const|apply waiting_agree, agree]|].
      intros [|] _ <-; auto.
    Qed.
    Lemma rounds_sim order n : forall s, sim x eq (rounds forms C P n len order s) (rounds integers C P n len' order s).
    Proof.
      induction n as [|n IH]; intro s; cbn [rounds]; [now apply SimRet|]. chain round_sim r. destruct (fst r); auto.
      now apply SimRet.
    Qed.
    Lemma happens_sim s h : sim x eq (happens forms C P len s h) (happens integers C P len' s h).
    Proof.
      destruct h as [t|m]; cbn [happens].
      - eapply sim_bind; [apply rule_sim, agree|]. intros tied _ <-. chain pick_sim q. now apply SimRet.
      - destruct (nth m s Idle); try (now apply SimRet). chain coin_sim ends. now apply SimRet.
    Qed.
  End Lengths.
  Theorem event_sim len len' s : lengths_agree x len len' ->
    sim x eq (event forms C streams interrupts P len s) (event integers C streams interrupts P len' s).
  Proof.
    intro agree. unfold event. apply sim_bind with (R := eq).
    - destruct interrupts; [now apply SimRet|]. now apply rounds_sim.
    - intros now _ <-. apply SimDraw. intro i. unfold follows. eapply sim_bind; [apply happens_sim, agree|].
      intros e _ <-.
      destruct interrupts; [|now apply SimRet]. eapply sim_bind; [apply rounds_sim, moved_agree, agree|].
      intros next _ <-. now apply SimRet.
  Qed.
End Simulation.
