(* The first half of a slot: arrive and join. Where every task of a type joins a queue of one price, workload over rate,
   arrivals add to the workloads, weighed by these, what they cost ([join_ok]). *)
From Coq Require Import ZArith QArith Lqa List Bool Lia Arith.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Outcomes Rules Capacity Layout Service.
Import ListNotations.
Open Scope Q_scope.

Lemma arrive_ok (C : cluster) factors : (forall f, In f factors -> is_law f) -> forall count, (length count <= types C)%nat ->
  always (fun a => length a <= types C)%nat (arrive (N := Z) factors count).
Proof.
  induction factors as [|f rest IH]; intros L count Le; cbn [arrive]; [now constructor|].
  assert (K : forall e : Q * list nat, always (fun a => length a <= types C)%nat
    (arrive (N := Z) rest (map (fun p => fst p + snd p)%nat (combine count (snd e))))).
  { intro e. apply IH; [intros; apply L; now right|]. rewrite map_length, combine_length. lia. }
  assert (D : always (fun a => length a <= types C)%nat
    (Draw (map fst f) (fun i => arrive (N := Z) rest (map (fun p => fst p + snd p)%nat (combine count (snd (nth i f (0%Q, [])))))))).
  { destruct (L f (or_introl eq_refl)) as [Po One]. constructor.
    - intros p I. apply in_map_iff in I as (e & <- & I). now apply Po.
    - rewrite <- One. unfold mass, E. clear. induction f as [|e f IH]; cbn [map fold_right]; [reflexivity|]. rewrite IH. ring.
    - intros i _. apply K. }
  destruct f as [|e [|]]; auto.
Qed.

Section Routing.
  Variables (C : cluster) (route serve : set).
  Hypothesis WF : well_formed C.
  Notation A := per_server_and_level.
  Notation P := (Policy A route serve).
  Notation n := (queues C A).
  Notation owner := (owner C A).
  Variables (len inside : list Z) (price : nat -> Q).
  Hypothesis batch_routing : routes (option_of C) = batch.
  Definition at_price (t q : nat) : Prop := (q < n)%nat /\ workload C len (owner q) / rate_of C q == price t.
  Hypothesis routes_at_price : forall t, In t (all_types C) -> exists tied,
    answers (set_of integers C A len inside (Arriving t) route []) tied /\ tied <> [] /\ forall c, In c tied -> at_price t (fst c).

  (* Workloads after a change d: weighed by those before, and in all. *)
  Definition weighed (d : list Z) : Q := total (all_servers C) (fun m => workload C len m * workload C d m).
  Lemma weighed_bump q d : (q < length d)%nat -> (owner q < servers C)%nat ->
    weighed (bump 1 q d) == weighed d + workload C len (owner q) / rate_of C q.
  Proof.
    intros Q Ow. unfold weighed. destruct (rate_of_bounds C WF q) as [[Rp _] _].
    rewrite (total_equal _ _ (fun m => workload C len m * workload C d m + (if Nat.eqb m (owner q) then workload C len m / rate_of C q else 0))).
    2: { intros m _. rewrite workload_bump by assumption. change (inject_Z 1) with 1. destruct (Nat.eqb m (owner q)); field; lra. }
    rewrite total_plus, (total_one _ (owner q) (fun m => workload C len m / rate_of C q)); [reflexivity|apply seq_NoDup|apply in_seq; lia].
  Qed.
  Lemma total_workload_bump q d : (q < length d)%nat -> (owner q < servers C)%nat ->
    total_workload C (bump 1 q d) == total_workload C d + / rate_of C q.
  Proof.
    intros Q Ow. unfold total_workload. destruct (rate_of_bounds C WF q) as [[Rp _] _].
    rewrite (total_equal _ _ (fun m => workload C d m + (if Nat.eqb m (owner q) then / rate_of C q else 0))).
    2: { intros m _. rewrite workload_bump by assumption. change (inject_Z 1) with 1. destruct (Nat.eqb m (owner q)); field; lra. }
    rewrite total_plus, (total_one _ (owner q) (fun m => / rate_of C q)); [reflexivity|apply seq_NoDup|apply in_seq; lia].
  Qed.
  (* From change d to change e by [tasks] tasks that cost [cost]. *)
  Definition joined (d : list Z) (cost tasks : Q) (e : list Z) : Prop :=
    length e = n /\ (forall q, (nth q d 0 <= nth q e 0)%Z) /\ weighed e == weighed d + cost /\
    total_workload C e <= total_workload C d + tasks * / least_rate C.
  Lemma joined_none d cost tasks : length d = n -> cost == 0 -> tasks == 0 -> joined d cost tasks d.
  Proof. intros L Z0 T0. split; [assumption|]. split; [intro; lia|]. rewrite Z0, T0. split; [ring|lra]. Qed.
  Lemma joined_trans d c t e c' t' f : joined d c t e -> joined e c' t' f -> joined d (c + c') (t + t') f.
  Proof.
    intros (_ & M & W & T) (L' & M' & W' & T'). split; [assumption|]. split; [intro q; specialize (M q); specialize (M' q); lia|].
    split; [rewrite W', W; ring|lra].
  Qed.
  Lemma joined_equal d c t c' t' e : c == c' -> t == t' -> joined d c t e -> joined d c' t' e.
  Proof. intros Ec Et (L & M & W & T). split; [assumption|]. split; [assumption|]. now rewrite <- Ec, <- Et. Qed.
  Lemma joined_one t q d : length d = n -> at_price t q -> joined d (price t) 1 (bump 1 q d).
  Proof.
    intros L [Q Pr]. assert (owner q < servers C)%nat by now apply owner_bound. rewrite <- L in Q. split; [now rewrite length_bump|].
    split; [|split].
    - intro r. rewrite nth_bump by assumption. destruct (Nat.eqb r q); lia.
    - rewrite weighed_bump by assumption. now rewrite Pr.
    - rewrite total_workload_bump by assumption. pose proof (inverse_rate C WF q). lra.
  Qed.
  Notation number k := (inject_Z (Z.of_nat k)).
  Lemma picks_ok t tied : tied <> [] -> (forall c, In c tied -> at_price t (fst c)) -> forall k d, length d = n ->
    always (joined d (number k * price t) (number k)) (picks C P k tied d).
  Proof.
    intros Ne At. induction k as [|k IH]; intros d L; cbn [picks].
    - constructor. apply joined_none; auto; change (number 0) with 0; ring.
    - eapply always_bind; [now apply pick_member|]. intros q (c & I & ->).
      eapply always_weaken; [apply IH; now rewrite length_bump|]. intros e J.
      eapply joined_equal; [| |exact (joined_trans _ _ _ _ _ _ _ (joined_one t (fst c) d L (At c I)) J)];
        rewrite Nat2Z.inj_succ; unfold Z.succ; rewrite inject_Z_plus; change (inject_Z 1) with 1; ring.
  Qed.
  Fixpoint cost_of (t : nat) (count : list nat) : Q :=
    match count with [] => 0 | k :: count => number k * price t + cost_of (S t) count end.
  Theorem join_ok count : forall t d, (t + length count <= types C)%nat -> length d = n ->
    always (joined d (cost_of t count) (all_tasks count)) (join integers C P len inside t count d).
  Proof.
    induction count as [|k count IH]; intros t d Le L; cbn [join cost_of]; cbn [length] in Le.
    - constructor. apply joined_none; auto; reflexivity.
    - assert (All : all_tasks (k :: count) == number k + all_tasks count).
      { unfold all_tasks. cbn [fold_right]. now rewrite Nat2Z.inj_add, inject_Z_plus. }
      destruct k as [|k].
      + eapply always_weaken; [apply (IH (S t) d); auto; lia|]. intros e. apply joined_equal; [|rewrite All]; change (number 0) with 0; ring.
      + rewrite batch_routing. destruct (routes_at_price t) as (tied & At & Ne & Good); [apply in_seq; lia|].
        eapply always_bind with (F := joined d (number (S k) * price t) (number (S k))).
        * eapply always_answer; [exact At|]. now apply picks_ok.
        * intros e Je. eapply always_weaken; [apply (IH (S t) e); [lia|apply Je]|]. intros f Jf.
          eapply joined_equal; [| |exact (joined_trans _ _ _ _ _ _ _ Je Jf)]; [reflexivity|now rewrite All].
  Qed.
  Lemma cost_of_total count : forall t k, (length count <= k)%nat ->
    cost_of t count == total (seq t k) (fun s => number (nth (s - t) count 0%nat) * price s).
  Proof.
    induction count as [|c count IH]; intros t k Le; cbn [cost_of].
    - rewrite (total_equal _ _ (fun _ => 0)), total_zero; [reflexivity|]. intros s _. destruct (s - t)%nat; change (number 0) with 0; cbn [nth]; change (number 0) with 0; ring.
    - destruct k as [|k]; cbn [length] in Le; [lia|]. cbn [seq total fold_right]. fold (total (seq (S t) k) (fun s => number (nth (s - t) (c :: count) 0%nat) * price s)).
      rewrite Nat.sub_diag. cbn [nth]. rewrite (IH (S t) k) by lia.
      rewrite (total_equal (seq (S t) k) (fun s => number (nth (s - t) (c :: count) 0%nat) * price s) (fun s => number (nth (s - S t) count 0%nat) * price s)); [reflexivity|].
      intros s I. apply in_seq in I. replace (s - t)%nat with (S (s - S t)) by lia. reflexivity.
  Qed.
End Routing.
