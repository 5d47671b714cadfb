(* Every cluster and every threshold: a gate over the whole fleet is transient where each of its choices brings more than
   the servers can take.

   While its gate is shut such a router sends every task to a server that holds its data; while it is open, every task to
   the server of fewest tasks, whatever its type. If weights of the servers, at most 1 in all, make either choice bring at
   least 1 + delta of weighted work in a slot, the weighted work grows by delta in every state, whatever opens the gate:
   any thresholds, on any measure of the load of all servers. docs/routers.md has the rule and where it is from.

   Believe: [fleet_gate], [about_the_fleet],
     [gate_options] and [brings_too_much] are part of the meaning of [fleet_gate_transient]. *)
From Coq Require Import ZArith QArith Qabs Lqa List Bool Lia Arith.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Policies Transience.
From Schedproof Require Import Outcomes Rules Capacity Layout Draws OwnService OwnSlot BalancedPandas Growth WeightedWork
  WeightedSlot.
Import ListNotations.

(* Join the server of fewest tasks while the gate is open, else a server that holds the task's data; serve own tasks, most
   local first. *)
Definition fleet_gate (opens : test) : policy :=
  Policy per_server_and_level (When opens (Argmin Servers ServerLength) Local)
    (FirstOf (MostLocal (Where OwnLevels HasWork)) Own).

(* Tests that are about all servers at once: not about the type of the task that asks. *)
Fixpoint about_a_server (k : key) : bool :=
  match k with
  | ServerLength | ServerWorkload | Constant _ => true
  | TimesLocal k | TimesRemote k | Multiple _ _ k => about_a_server k
  | Plus j k | Minus j k => about_a_server j && about_a_server k
  | _ => false
  end.
Fixpoint about_all_servers (k : key) : bool :=
  match k with
  | Constant _ => true
  | Least Servers k | Greatest Servers k | Total Servers k | Mean Servers k => about_a_server k
  | TimesLocal k | TimesRemote k | Multiple _ _ k => about_all_servers k
  | Plus j k | Minus j k => about_all_servers j && about_all_servers k
  | _ => false
  end.
Fixpoint about_the_fleet (c : test) : bool :=
  match c with
  | Less j k | LessEqual j k | Equal j k => about_all_servers j && about_all_servers k
  | Both c d | Either c d => about_the_fleet c && about_the_fleet d
  | Not c => about_the_fleet c
  | HasWork => false
  end.

(* Tasks see the queues before the slot's arrivals; a server that found no task is idle. The other options are free. *)
Definition gate_options (C : cluster) : Prop := routes (option_of C) = batch /\ idle_servers_ask C.

Section Statement.
  Variables (C : cluster) (weight : nat -> Q) (delta : Q).
  (* The servers that hold the data of type t. *)
  Definition homes (t : nat) : list nat := filter (fun m => Nat.eqb (nth m (nth t (level_of_task C) []) 0) 0)%nat (all_servers C).
  Open Scope Q_scope.
  (* Weighted work that a slot brings on average if each task of type t joins one of these servers, chosen at random. *)
  Definition brought (choice : nat -> list nat) : Q :=
    total (all_types C) (fun t => arrival_rate C t * mean_over (choice t) (fun m => weight m / type_rate C t m)).
  Record brings_too_much : Prop := {
    weight_nonnegative : forall m, 0 <= weight m;
    weights_at_most_one : total (all_servers C) weight <= 1;
    data_somewhere : forall t, In t (all_types C) -> homes t <> [];
    brought_shut : 1 + delta <= brought homes;
    brought_open : forall m, In m (all_servers C) -> 1 + delta <= brought (fun _ => [m])
  }.
End Statement.

(* ---- what the rule answers ---- *)

Open Scope Z_scope.
Section Answers.
  Variables (C : cluster) (len inside : list Z).
  Hypothesis WF : well_formed C.
  Notation A := per_server_and_level.
  Notation n := (queues C A).

  (* The queue that a task of type t joins at server m. *)
  Definition place (t m : nat) : nat * nat :=
    let level := nth m (nth t (level_of_task C) []) 0%nat in (queue_of C A m level (nth t (row_of_type C) 0%nat), level).
  Lemma places t : named C A (Arriving t) Servers = map (place t) (all_servers C).
  Proof. reflexivity. Qed.
  Lemma place_owner t m : In t (all_types C) -> In m (all_servers C) -> owner C A (fst (place t m)) = m.
  Proof. intros T M. now apply (candidate_of C WF). Qed.

  Notation keyed t k := (fun c => key_of integers C A len inside (Arriving t) k c []).
  (* A key about a server, as a function of the server. *)
  Lemma server_key k : about_a_server k = true -> exists v : nat -> Z * positive, forall t c,
    answers (keyed t k c) (v (owner C A (fst c))).
  Proof.
    induction k; cbn [about_a_server]; try discriminate; intro H.
    - eexists (fun m => (total_of integers (own_queues C A m) (fun d => length_of integers C len inside (fst d)), 1%positive)).
      intros t c. constructor.
    - eexists (fun m => (total_of integers (own_queues C A m)
        (fun d => times integers (row_and_level C A (slowness C) d) (length_of integers C len inside (fst d))), 1%positive)).
      intros t c. constructor.
    - eexists (fun _ => _). intros t c. constructor.
    - destruct (IHk H) as [v V]. exists (fun m => scaled integers (rate_weight C 0 0) (v m)). intros t c. cbn [key_of].
      eapply answers_bind; [apply V|constructor].
    - destruct (IHk H) as [v V]. exists (fun m => scaled integers (rate_weight C 0 (levels C - 1)) (v m)). intros t c. cbn [key_of].
      eapply answers_bind; [apply V|constructor].
    - destruct (IHk H) as [v V]. exists (fun m => (times integers a (fst (v m)), (snd (v m) * b)%positive)). intros t c.
    cbn [key_of].
      eapply answers_bind; [apply V|constructor].
    - apply andb_true_iff in H as [H1 H2]. destruct (IHk1 H1) as [v V], (IHk2 H2) as [u U].
      exists (fun m => add_quantity integers (v m) (u m) 1). intros t c. cbn [key_of].
      eapply answers_bind; [apply V|]. eapply answers_bind; [apply U|constructor].
    - apply andb_true_iff in H as [H1 H2]. destruct (IHk1 H1) as [v V], (IHk2 H2) as [u U].
      exists (fun m => add_quantity integers (v m) (u m) (-1)). intros t c. cbn [key_of].
      eapply answers_bind; [apply V|]. eapply answers_bind; [apply U|constructor].
  Qed.
  Section OverServers.
    Variables (k : key) (v : nat -> Z * positive).
    Hypothesis V : forall t c, answers (keyed t k c) (v (owner C A (fst c))).
    Lemma over_places op ms : (forall m, In m ms -> In m (all_servers C)) -> forall so_far, exists r,
      forall t, In t (all_types C) -> answers (over_set integers op (keyed t k) (map (place t) ms) so_far) r.
    Proof.
      induction ms as [|m ms IH]; intros Sub so_far; cbn [map over_set]; [exists so_far; intros; constructor|].
      specialize (IH (fun i I => Sub i (or_intror I))).
      assert (At : forall t, In t (all_types C) -> answers (keyed t k (place t m)) (v m)).
      { intros t T. rewrite <- (place_owner t m T (Sub m (or_introl eq_refl))) at 2. apply V. }
      destruct so_far as [w|].
      - destruct op.
        + destruct (IH (Some (if negb (Qle_bool (amount w) (amount (v m))) then v m else w))) as [r R]. exists r. intros t T.
          eapply answers_bind; [now apply At|]. eapply answers_bind; [apply answers_less_quantity|]. now apply R.
        + destruct (IH (Some (if negb (Qle_bool (amount (v m)) (amount w)) then v m else w))) as [r R]. exists r. intros t T.
          eapply answers_bind; [now apply At|]. eapply answers_bind; [apply answers_less_quantity|]. now apply R.
        + destruct (IH (Some (add_quantity integers w (v m) 1))) as [r R]. exists r. intros t T.
          eapply answers_bind; [now apply At|]. now apply R.
      - destruct (IH (Some (v m))) as [r R]. exists r. intros t T. eapply answers_bind; [now apply At|]. now apply R.
    Qed.
  End OverServers.
  Lemma fleet_key k : about_all_servers k = true -> exists v, forall t c, In t (all_types C) -> answers (keyed t k c) v.
  Proof.
    induction k; cbn [about_all_servers]; try discriminate; intro H.
    - eexists. intros. constructor.
    - destruct (IHk H) as [v V]. eexists. intros t c T. cbn [key_of]. eapply answers_bind; [now apply V|constructor].
    - destruct (IHk H) as [v V]. eexists. intros t c T. cbn [key_of]. eapply answers_bind; [now apply V|constructor].
    - destruct (IHk H) as [v V]. eexists. intros t c T. cbn [key_of]. eapply answers_bind; [now apply V|constructor].
    - apply andb_true_iff in H as [H1 H2]. destruct (IHk1 H1) as [v V], (IHk2 H2) as [u U]. eexists. intros t c T. cbn [key_of].
      eapply answers_bind; [now apply V|]. eapply answers_bind; [now apply U|constructor].
    - apply andb_true_iff in H as [H1 H2]. destruct (IHk1 H1) as [v V], (IHk2 H2) as [u U]. eexists. intros t c T. cbn [key_of].
      eapply answers_bind; [now apply V|]. eapply answers_bind; [now apply U|constructor].
    - destruct s; try discriminate. destruct (server_key k H) as [v V].
      destruct (over_places k v V Smallest (all_servers C) (fun m I => I) None) as [r R]. eexists. intros t c T. cbn [key_of].
      eapply answers_bind; [constructor|]. rewrite places. eapply answers_bind; [now apply R|constructor].
    - destruct s; try discriminate. destruct (server_key k H) as [v V].
      destruct (over_places k v V Largest (all_servers C) (fun m I => I) None) as [r R]. eexists. intros t c T. cbn [key_of].
      eapply answers_bind; [constructor|]. rewrite places. eapply answers_bind; [now apply R|constructor].
    - destruct s; try discriminate. destruct (server_key k H) as [v V].
      destruct (over_places k v V Added (all_servers C) (fun m I => I) None) as [r R]. eexists. intros t c T. cbn [key_of].
      eapply answers_bind; [constructor|]. rewrite places. eapply answers_bind; [now apply R|constructor].
    - destruct s; try discriminate. destruct (server_key k H) as [v V].
      destruct (over_places k v V Added (all_servers C) (fun m I => I) None) as [r R]. eexists. intros t c T. cbn [key_of].
      eapply answers_bind; [constructor|]. rewrite places. eapply answers_bind; [now apply R|]. rewrite map_length. constructor.
  Qed.
  Lemma fleet_test c : about_the_fleet c = true -> exists b, forall t d, In t (all_types C) ->
    answers (test_of integers C A len inside (Arriving t) c d []) b.
  Proof.
    induction c; cbn [about_the_fleet]; try discriminate; intro H.
    - apply andb_true_iff in H as [H1 H2]. destruct (fleet_key j H1) as [v V], (fleet_key k H2) as [u U]. eexists. intros t d T.
      cbn [test_of]. eapply answers_bind; [now apply V|]. eapply answers_bind; [now apply U|apply answers_less_quantity].
    - apply andb_true_iff in H as [H1 H2]. destruct (fleet_key j H1) as [v V], (fleet_key k H2) as [u U]. eexists. intros t d T.
      cbn [test_of]. eapply answers_bind; [now apply V|]. eapply answers_bind; [now apply U|apply answers_at_least_quantity].
    - apply andb_true_iff in H as [H1 H2]. destruct (fleet_key j H1) as [v V], (fleet_key k H2) as [u U]. eexists. intros t d T.
      cbn [test_of]. eapply answers_bind; [now apply V|]. eapply answers_bind; [now apply U|apply answers_equal_quantity].
    - apply andb_true_iff in H as [H1 H2]. destruct (IHc1 H1) as [a Ha], (IHc2 H2) as [b Hb]. exists (if a then b else false).
      intros t d T. cbn [test_of]. eapply answers_bind; [now apply Ha|]. destruct a; [now apply Hb|constructor].
    - apply andb_true_iff in H as [H1 H2]. destruct (IHc1 H1) as [a Ha], (IHc2 H2) as [b Hb]. exists (if a then true else b).
      intros t d T. cbn [test_of]. eapply answers_bind; [now apply Ha|]. destruct a; [constructor|now apply Hb].
    - destruct (IHc H) as [a Ha]. eexists. intros t d T. cbn [test_of]. eapply answers_bind; [now apply Ha|constructor].
  Qed.

  (* The servers of fewest tasks: the same for every type. *)
  Lemma fewest : exists ms, ms <> [] /\ (forall m, In m ms -> In m (all_servers C)) /\ forall t, In t (all_types C) ->
    answers (set_of integers C A len inside (Arriving t) (Argmin Servers ServerLength) []) (map (place t) ms).
  Proof.
    destruct (server_key ServerLength eq_refl) as [v V].
    assert (K : forall from best tied, (forall m, In m from -> In m (all_servers C)) -> (forall m, In m tied -> In m
      (all_servers C)) ->
      (best = None -> from <> []) -> (best <> None -> tied <> []) ->
      exists ms, ms <> [] /\ (forall m, In m ms -> In m (all_servers C)) /\ forall t, In t (all_types C) ->
        answers (extreme integers C len inside false false (keyed t ServerLength) (map (place t) from) best (map (place t) tied))
          (map (place t) ms)).
    { induction from as [|m from IH]; intros best tied Sub In_ Ne Ne'; cbn [map extreme].
      - exists tied. split; [|split; [assumption|intros; constructor]]. destruct best; [now apply Ne'|now destruct Ne].
      - assert (Im : In m (all_servers C)) by (apply Sub; now left).
        assert (Sub' : forall i, In i from -> In i (all_servers C)) by (intros i I; apply Sub; now right).
        assert (At : forall t, In t (all_types C) -> answers (keyed t ServerLength (place t m)) (v m)).
        { intros t T. rewrite <- (place_owner t m T Im) at 2. apply V. }
        assert (New : exists ms, ms <> [] /\ (forall m, In m ms -> In m (all_servers C)) /\ forall t, In t (all_types C) ->
          answers (extreme integers C len inside false false (keyed t ServerLength) (map (place t) from) (Some (v m)) [place t m])
            (map (place t) ms)).
        { apply (IH (Some (v m)) [m]); auto; try discriminate. intros i [<-|[]]. exact Im. }
        destruct best as [b|].
        + destruct (negb (Qle_bool (amount b) (amount (v m)))) eqn:Beats.
          * destruct New as (ms & N & I & R). exists ms. split; [assumption|split; [assumption|]]. intros t T. cbn [bind].
            eapply answers_bind; [now apply At|]. eapply answers_bind; [apply answers_less_quantity|]. rewrite Beats. now apply R.
          * destruct (IH (Some b) (if Qeq_bool (amount (v m)) (amount b) then tied ++ [m] else tied)) as (ms & N & I & R); auto;
            try discriminate.
            { intros i J. destruct (Qeq_bool (amount (v m)) (amount b)); auto. apply in_app_or in J as [J|[<-|[]]]; auto. }
            { intros _. destruct (Qeq_bool (amount (v m)) (amount b)); [|now apply Ne']. now destruct tied. }
            exists ms. split; [assumption|split; [assumption|]]. intros t T. cbn [bind].
            eapply answers_bind; [now apply At|]. eapply answers_bind; [apply answers_less_quantity|]. rewrite Beats.
            eapply answers_bind; [apply answers_equal_quantity|]. specialize (R t T).
            destruct (Qeq_bool (amount (v m)) (amount b)); [rewrite map_app in R|]; exact R.
        + destruct New as (ms & N & I & R). exists ms. split; [assumption|split; [assumption|]]. intros t T. cbn [bind].
          eapply answers_bind; [now apply At|]. now apply R. }
    destruct (K (all_servers C) None []) as (ms & N & I & R); auto; try easy.
    { intros _. unfold all_servers. pose proof (some_server _ WF). destruct (servers C); [lia|easy]. }
    exists ms. split; [assumption|split; [assumption|]]. intros t T. cbn [set_of]. eapply answers_bind; [constructor|].
    rewrite places. now apply R.
  Qed.
  Lemma local_places t : In t (all_types C) -> named C A (Arriving t) Local = map (place t) (homes C t).
  Proof.
    intro T. unfold homes, all_servers. cbn [named type_of]. apply map_ext_in. intros m I. apply filter_In in I as [_ L].
    apply Nat.eqb_eq in L. unfold place. now rewrite L.
  Qed.
  (* In a slot all tasks go where their data are, or all to the same servers. *)
  Theorem all_or_nothing opens : about_the_fleet opens = true -> exists choice,
    (choice = homes C \/ exists ms, ms <> [] /\ (forall m, In m ms -> In m (all_servers C)) /\ choice = fun _ => ms) /\
    forall t, In t (all_types C) ->
      answers (set_of integers C A len inside (Arriving t) (route (fleet_gate opens)) []) (map (place t) (choice t)).
  Proof.
    intro H. destruct (fleet_test opens H) as [[|] B].
    - destruct fewest as (ms & N & I & R). exists (fun _ => ms). split; [right; now exists ms|]. intros t T. cbn [fleet_gate route].
      eapply answers_bind; [now apply B|]. now apply R.
    - exists (homes C). split; [now left|]. intros t T. cbn [fleet_gate route]. eapply answers_bind; [now apply B|].
      rewrite <- local_places by assumption. constructor.
  Qed.
End Answers.

(* ---- the theorem ---- *)

Open Scope Q_scope.
Lemma mean_over_at_least {A} (l : list A) b f : l <> [] -> (forall a, In a l -> b <= f a) -> b <= mean_over l f.
Proof.
  intros N H. setoid_replace b with (share l * number (length l) * b) by (rewrite (share_length l N); ring).
  unfold mean_over. rewrite <- Qmult_assoc, <- total_constant, !(Qmult_comm (share l)). apply Qmult_le_compat_r; [|easy].
  now apply total_le.
Qed.
Section Transience.
  Variables (C : cluster) (opens : test) (weight : nat -> Q) (delta : Q).
  Hypothesis WF : well_formed C.
  Hypothesis supported : gate_options C.
  Hypothesis fleet : about_the_fleet opens = true.
  Hypothesis enough : brings_too_much C weight delta.
  Notation P := (fleet_gate opens).
  Notation is_valid := (valid C P (own_statuses C)).
  Notation W := (weighted_work C weight).

  Definition gain_of (choice : nat -> list nat) (t : nat) : Q := mean_over (choice t) (fun m => weight m / type_rate C t m).
  Lemma brought_by_servers ms : ms <> [] -> brought C weight (fun _ => ms) == mean_over ms (fun m => brought C weight
    (fun _ => [m])).
  Proof.
    intro N. unfold brought, mean_over at 2. rewrite total_swap, <- total_times. apply total_equal. intros t _.
    rewrite total_times. unfold mean_over.
    rewrite (total_equal ms (fun m => share [m] * total [m] (fun m => weight m / type_rate C t m))
      (fun m => weight m / type_rate C t m)); [ring|].
    intros m _. unfold share. cbn [length total fold_right Pos.of_nat]. ring.
  Qed.
  Lemma brought_enough choice : choice = homes C \/ (exists ms, ms <> [] /\ (forall m, In m ms -> In m
    (all_servers C)) /\ choice = fun _ => ms) ->
    1 + delta <= brought C weight choice.
  Proof.
    intros [->|(ms & N & I & ->)]; [exact (brought_shut _ _ _ enough)|]. rewrite (brought_by_servers ms N).
    apply mean_over_at_least; auto. intros m J. now apply (brought_open _ _ _ enough), I.
  Qed.

  Section Slot.
    Variables (len : list Z) (s : list status).
    Hypothesis valid_now : is_valid (len, s).
    Lemma slot_of_the_gate :
      W len + delta <= E (fun r => W (add len (fst r))) (run (slot integers C P len s)) /\
      always (fun r => is_valid (add len (fst r), snd r) /\ Qabs (W (add len (fst r)) - W len) <= largest_step C)
        (slot integers C P len s).
    Proof.
      destruct supported as [Batch Idle_]. pose proof (weight_nonnegative _ _ _ enough) as W0.
      pose proof (weights_at_most_one _ _ _ enough) as W1.
      destruct (all_or_nothing C len (executing C P s) WF opens fleet) as (choice & Kind & Answers_).
      assert (Chosen : forall t, In t (all_types C) -> choice t <> [] /\ forall m, In m (choice t) -> In m (all_servers C)).
      { intros t T. destruct Kind as [->|(ms & N & I & ->)]; [|now split]. split; [exact (data_somewhere _ _ _ enough t T)|].
        intros m I. now apply filter_In in I. }
      assert (Routes : forall t, In t (all_types C) -> exists tied,
        answers (set_of integers C per_server_and_level len (executing C P s) (Arriving t) (route P) []) tied /\ tied <> [] /\
        (forall c, In c tied -> (fst c < queues C per_server_and_level)%nat) /\
        mean_over tied (fun c => adds C weight (fst c)) == gain_of choice t).
      { intros t T. exists (map (place C t) (choice t)). destruct (Chosen t T) as [N I]. split; [now apply Answers_|].
      split; [|split].
        - now destruct (choice t).
        - intros c J. apply in_map_iff in J as (m & <- & J). now apply (candidate_of C WF t m T), I.
        - unfold mean_over, gain_of, share. rewrite map_length. apply Qmult_comp; [reflexivity|].
          assert (K : forall ms, (forall m, In m ms -> In m (all_servers C)) ->
            total (map (place C t) ms) (fun c => adds C weight (fst c)) == total ms (fun m => weight m / type_rate C t m)).
          { induction ms as [|m ms IH]; intro Sub; cbn [map total fold_right]; [reflexivity|].
            fold (total (map (place C t) ms) (fun c => adds C weight (fst c))).
            fold (total ms (fun m => weight m / type_rate C t m)).
            rewrite IH by (intros; apply Sub; now right).
            destruct (candidate_of C WF t m T (Sub m (or_introl eq_refl))) as (Ow & _ & Rate & _).
            unfold adds, place. cbn [fst]. now rewrite Ow, Rate. }
          now apply K. }
      assert (Turns : forall inside m, (m < servers C)%nat -> free C inside m -> exists tied,
        answers (set_of integers C per_server_and_level len inside (Serving m) (serve P) []) tied /\ tied <> [] /\
        forall c, In c tied -> good_choice C len m (fst c)) by exact (serve_turns_to_own_work C WF len).
      split.
      - pose proof (slot_grows C (route P) (serve P) weight WF W0 W1 len s
        (gain_of choice) valid_now Batch Idle_ Routes Turns) as G.
        pose proof (brought_enough choice Kind) as B. unfold brought in B. fold (gain_of choice) in B.
        eapply Qle_trans; [|exact G]. unfold gain_of. lra.
      - exact (slot_steps C (route P) (serve P) weight WF W0 W1 len s (gain_of choice) valid_now Batch Idle_ Routes Turns).
    Qed.
  End Slot.

  Lemma gate_lawful x : is_valid x -> is_law (chain C P x).
  Proof.
    destruct x as [len s]. intro V. destruct (slot_of_the_gate len s V) as [_ Steps].
    destruct (always_run _ _ Steps) as [[Po One] _]. split.
    - intros e I. unfold chain in I. apply in_map_iff in I as (d & <- & I). now apply (Po d).
    - now rewrite chain_E.
  Qed.
  Lemma gate_steps x e : is_valid x -> In e (chain C P x) -> is_valid (snd e) /\ Qabs (W (fst (snd e)) - W (fst x)) <=
    largest_step C.
  Proof.
    destruct x as [len s]. intros V I. destruct (slot_of_the_gate len s V) as [_ Steps].
    destruct (always_run _ _ Steps) as [_ Next].
    unfold chain in I. apply in_map_iff in I as (d & <- & I). now apply (Next d).
  Qed.
  Lemma gate_grows x : is_valid x -> W (fst x) + delta <= E (fun y => W (fst y)) (chain C P x).
  Proof. destruct x as [len s]. intro V. rewrite chain_E. exact (proj1 (slot_of_the_gate len s V)). Qed.
  Lemma step_nonnegative : 0 <= largest_step C.
  Proof.
    apply Qle_shift_div_l; [apply (least_rate_positive C WF)|]. rewrite Qmult_0_l.
    assert (0 <= number (most_tasks C)) by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; lia). lra.
  Qed.
  Lemma empty_weighs_nothing x : is_valid x -> is_empty x = true -> W (fst x) <= 0.
  Proof.
    intros (Ln & _) H. unfold is_empty in H. apply if_true in H as [Zx _].
    apply Qle_trans with (W (repeat 0%Z (queues C per_server_and_level))); [|rewrite weighted_none; apply Qle_refl].
    assert (fst x = repeat 0%Z (queues C per_server_and_level)) as ->; [|apply Qle_refl].
    change (keeps P) with per_server_and_level in Ln. rewrite <- Ln. clear - Zx.
    induction (fst x) as [|z l IH]; cbn [every List.length repeat] in *; auto.
    apply if_true in Zx as [E0 Zx]. apply Z.eqb_eq in E0. now rewrite <- E0, <- (IH Zx).
  Qed.
End Transience.

(* For every cluster, every test about the fleet and all weights under which each choice brings too much:
   the empty cluster is a valid state; from every valid state the weighted work grows by delta on average; from one with
   weighted work w >= z the probability that it is ever below z within n slots is at most m / (w - z + m), for every n;
   and started empty, the cluster is empty at one of the times 1, ..., n + 1 with probability at most b < 1, for every n. *)
Theorem fleet_gate_transient : forall C opens weight delta,
  well_formed C -> gate_options C -> about_the_fleet opens = true -> 0 < delta -> brings_too_much C weight delta ->
  let policy := fleet_gate opens in
  let valid := valid C policy (own_statuses C) in
  let W (x : state) := weighted_work C weight (fst x) in
  let m := margin delta (largest_step C) in
  valid (empty_state C policy) /\
  (forall x, valid x -> W x + delta <= E W (chain C policy x)) /\
  (forall z n x, valid x -> z <= W x -> reach (chain C policy) (fun y => negb (Qle_bool z (W y))) n x <= m / (W x - z + m)) /\
  (exists b, b < 1 /\ forall n, returns (chain C policy) is_empty n (empty_state C policy) <= b).
Proof.
  intros C opens weight delta WF supported fleet positive enough policy is_valid W m.
  pose proof (gate_lawful C opens weight delta WF supported fleet enough) as Lawful.
  pose proof (fun x e V I => proj1 (gate_steps C opens weight delta WF supported fleet enough x e V I)) as Closed.
  pose proof (fun x e V I => proj2 (gate_steps C opens weight delta WF supported fleet enough x e V I)) as Steps.
  pose proof (gate_grows C opens weight delta WF supported fleet enough) as Grows.
  assert (Empty : is_valid (empty_state C policy)).
  { unfold is_valid, policy. apply (valid_iff C _ _ WF). split; [apply repeat_length|]. split; [apply repeat_length|].
    split; [intro; now rewrite nth_repeat|].
    generalize 0%nat. induction (servers C) as [|k IH]; intro i; cbn [repeat]; constructor; [exact I|apply IH]. }
  split; [exact Empty|]. split; [exact Grows|]. split.
  - intros z n x V Z_.
  exact (seldom_under _ _ Lawful Closed W delta (largest_step C) positive (step_nonnegative C WF) Grows Steps z n x V Z_).
  - apply (may_stay_away _ _ Lawful Closed W delta (largest_step C) positive (step_nonnegative C WF) Grows Steps is_empty 0); auto.
    + intros y V E0. exact (empty_weighs_nothing C opens weight y V E0).
    + unfold W. cbn [empty_state fst]. change (keeps policy) with per_server_and_level. rewrite weighted_none. apply Qle_refl.
Qed.
