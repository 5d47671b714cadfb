(* The first half of a slot: arrive and join. Where every task of a type adds one price to a measure of the queues, the
   arrivals of a slot add what they cost in all ([join_ok]). *)
From Coq Require Import ZArith QArith Lqa List Bool Lia Arith.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Outcomes Rules Capacity Layout Draws.
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
    (Draw (map fst f) (fun i => arrive (N := Z) rest
      (map (fun p => fst p + snd p)%nat (combine count (snd (nth i f (0%Q, [])))))))).
  { destruct (L f (or_introl eq_refl)) as [Po One]. constructor.
    - intros p I. apply in_map_iff in I as (e & <- & I). now apply Po.
    - rewrite <- One. unfold mass, E. clear. induction f as [|e f IH]; cbn [map fold_right]; [reflexivity|]. rewrite IH. ring.
    - intros i _. apply K. }
  destruct f as [|e [|]]; auto.
Qed.

(* Any arrangement of queues. A change of the lengths has two measures: a task of type t that joins a queue adds
   [price t] to the first and at most [unit] to the second. *)
Section Routing.
  Variables (C : cluster) (A : arrangement) (route serve : set).
  Notation P := (Policy A route serve).
  Notation n := (queues C A).
  Variables (len inside : list Z) (price : nat -> Q) (unit : Q) (weighed size : list Z -> Q).
  Hypothesis batch_routing : routes (option_of C) = batch.
  (* From change d to change e by [tasks] tasks that cost [cost]. *)
  Definition joined (d : list Z) (cost tasks : Q) (e : list Z) : Prop :=
    length e = n /\ (forall q, (nth q d 0 <= nth q e 0)%Z) /\ weighed e == weighed d + cost /\ size e <= size d + tasks * unit.
  Definition adds_price (t q : nat) : Prop := forall d, length d = n -> joined d (price t) 1 (bump 1 q d).
  Hypothesis routes_at_price : forall t, In t (all_types C) -> exists tied,
    answers (set_of integers C A len inside (Arriving t) route []) tied /\ tied <> [] /\
      forall c, In c tied -> adds_price t (fst c).

  Lemma joined_none d cost tasks : length d = n -> cost == 0 -> tasks == 0 -> joined d cost tasks d.
  Proof. intros L Z0 T0. split; [assumption|]. split; [intro; lia|]. rewrite Z0, T0. split; [ring|lra]. Qed.
  Lemma joined_trans d c t e c' t' f : joined d c t e -> joined e c' t' f -> joined d (c + c') (t + t') f.
  Proof.
    intros (_ & M & W & T) (L' & M' & W' & T'). split; [assumption|]. split; [intro q; specialize (M q); specialize (M' q); lia|].
    split; [rewrite W', W; ring|lra].
  Qed.
  Lemma joined_equal d c t c' t' e : c == c' -> t == t' -> joined d c t e -> joined d c' t' e.
  Proof. intros Ec Et (L & M & W & T). split; [assumption|]. split; [assumption|]. now rewrite <- Ec, <- Et. Qed.
  Notation number k := (inject_Z (Z.of_nat k)).
  Lemma picks_ok t tied : tied <> [] -> (forall c, In c tied -> adds_price t (fst c)) -> forall k d, length d = n ->
    always (joined d (number k * price t) (number k)) (picks C P k tied d).
  Proof.
    intros Ne At. induction k as [|k IH]; intros d L; cbn [picks].
    - constructor. apply joined_none; auto; change (number 0) with 0; ring.
    - eapply always_bind; [now apply pick_member|]. intros q (c & I & ->).
      eapply always_weaken; [apply IH; now rewrite length_bump|]. intros e J.
      eapply joined_equal; [| |exact (joined_trans _ _ _ _ _ _ _ (At c I d L) J)];
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
      + eapply always_weaken; [apply (IH (S t) d); auto; lia|]. intros e. apply joined_equal; [|rewrite All];
          change (number 0) with 0; ring.
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
    - rewrite (total_equal _ _ (fun _ => 0)), total_zero; [reflexivity|]. intros s _. destruct (s - t)%nat;
        change (number 0) with 0; cbn [nth]; change (number 0) with 0; ring.
    - destruct k as [|k]; cbn [length] in Le; [lia|]. cbn [seq total fold_right].
        fold (total (seq (S t) k) (fun s => number (nth (s - t) (c :: count) 0%nat) * price s)).
      rewrite Nat.sub_diag. cbn [nth]. rewrite (IH (S t) k) by lia.
      rewrite (total_equal (seq (S t) k) (fun s => number (nth (s - t) (c :: count) 0%nat) * price s)
        (fun s => number (nth (s - S t) count 0%nat) * price s)); [reflexivity|].
      intros s I. apply in_seq in I. replace (s - t)%nat with (S (s - S t)) by lia. reflexivity.
  Qed.
End Routing.
