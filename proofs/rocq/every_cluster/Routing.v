(* The first half of a slot: arrive and join. Where every task of a type adds at most one price to a measure of the queues,
   the arrivals of a slot add at most what they cost in all ([join_ok]), whether a task sees the queues before the slot's
   arrivals or also the earlier tasks. *)
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
  Variables (len inside : list Z) (price : nat -> Q) (unit room : Q) (weighed size : list Z -> Q).
  (* From change d to change e by [tasks] tasks that cost [cost]. *)
  Definition joined (d : list Z) (cost tasks : Q) (e : list Z) : Prop :=
    length e = n /\ (forall q, (nth q d 0 <= nth q e 0)%Z) /\ weighed e <= weighed d + cost /\ size e <= size d + tasks * unit.
  Definition adds_price (t q : nat) : Prop := forall d, length d = n -> joined d (price t) 1 (bump 1 q d).
  (* What a task sees after a change d. *)
  Definition seen (d : list Z) : list Z := match routes (option_of C) with batch => len | sequential => moved integers len d end.
  Definition fits (d : list Z) : Prop := length d = n /\ (forall q, (0 <= nth q d 0)%Z) /\ size d <= room.
  Hypothesis unit_nonnegative : 0 <= unit.
  Hypothesis routes_at_price : forall t d, In t (all_types C) -> fits d -> exists tied,
    answers (set_of integers C A (seen d) inside (Arriving t) route []) tied /\ tied <> [] /\
      forall c, In c tied -> adds_price t (fst c).

  Lemma joined_none d cost tasks : length d = n -> cost == 0 -> tasks == 0 -> joined d cost tasks d.
  Proof. intros L Z0 T0. split; [assumption|]. split; [intro; lia|]. rewrite Z0, T0. split; lra. Qed.
  Lemma joined_trans d c t e c' t' f : joined d c t e -> joined e c' t' f -> joined d (c + c') (t + t') f.
  Proof.
    intros (_ & M & W & T) (L' & M' & W' & T'). split; [assumption|]. split; [intro q; specialize (M q); specialize (M' q); lia|].
    split; lra.
  Qed.
  Lemma joined_equal d c t c' t' e : c == c' -> t == t' -> joined d c t e -> joined d c' t' e.
  Proof. intros Ec Et (L & M & W & T). split; [assumption|]. split; [assumption|]. now rewrite <- Ec, <- Et. Qed.
  Lemma fits_after d c t e : fits d -> joined d c t e -> size d + t * unit <= room -> fits e.
  Proof.
    intros (_ & N & _) (L & M & _ & T) R. split; [assumption|]. split; [intro q; specialize (N q); specialize (M q); lia|lra].
  Qed.
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
  Lemma one_by_one_ok t : routes (option_of C) = sequential -> In t (all_types C) -> forall k d, fits d ->
    size d + number k * unit <= room ->
    always (joined d (number k * price t) (number k)) (routed_one_by_one integers C P len inside k t d).
  Proof.
    intros Seq T. induction k as [|k IH]; intros d F Room; cbn [routed_one_by_one].
    - constructor. apply joined_none; [apply F| |]; change (number 0) with 0; ring.
    - destruct (routes_at_price t d T F) as (tied & At & Ne & Good). unfold seen in At. rewrite Seq in At.
      eapply always_answer; [exact At|]. eapply always_bind; [now apply pick_member|]. intros q (c & I & ->).
      pose proof (Good c I d (proj1 F)) as Add.
      assert (Eq : number (S k) == 1 + number k).
      { rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus. change (inject_Z 1) with 1. ring. }
      assert (K0 : 0 <= number k) by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; lia). rewrite Eq in Room.
      assert (0 <= number k * unit) by now apply Qmult_le_0_compat.
      eapply always_weaken; [apply IH|].
      + apply (fits_after d (price t) 1); auto. lra.
      + destruct Add as (_ & _ & _ & Size). lra.
      + intros e J. eapply joined_equal; [| |exact (joined_trans _ _ _ _ _ _ _ Add J)]; rewrite Eq; ring.
  Qed.
  Fixpoint cost_of (t : nat) (count : list nat) : Q :=
    match count with [] => 0 | k :: count => number k * price t + cost_of (S t) count end.
  Theorem join_ok count : forall t d, (t + length count <= types C)%nat -> fits d -> size d + all_tasks count * unit <= room ->
    always (joined d (cost_of t count) (all_tasks count)) (join integers C P len inside t count d).
  Proof.
    induction count as [|k count IH]; intros t d Le F Room; cbn [join cost_of]; cbn [length] in Le.
    - constructor. apply joined_none; [apply F| |]; reflexivity.
    - assert (All : all_tasks (k :: count) == number k + all_tasks count).
      { unfold all_tasks. cbn [fold_right]. now rewrite Nat2Z.inj_add, inject_Z_plus. }
      assert (K0 : 0 <= number k) by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; lia).
      assert (C0 : 0 <= all_tasks count) by (unfold all_tasks; change 0 with (inject_Z 0); rewrite <- Zle_Qle; lia).
      rewrite All in Room.
      assert (0 <= number k * unit) by now apply Qmult_le_0_compat.
      assert (0 <= all_tasks count * unit) by now apply Qmult_le_0_compat.
      destruct k as [|k].
      + eapply always_weaken; [apply (IH (S t) d); auto; [lia|lra]|]. intros e. apply joined_equal; [|rewrite All];
          change (number 0) with 0; ring.
      + assert (T : In t (all_types C)) by (apply in_seq; lia).
        eapply always_bind with (F := joined d (number (S k) * price t) (number (S k))).
        * destruct (routes (option_of C)) eqn:Routes.
          -- destruct (routes_at_price t d T F) as (tied & At & Ne & Good). unfold seen in At. rewrite Routes in At.
             eapply always_answer; [exact At|]. apply picks_ok; auto. apply F.
          -- apply one_by_one_ok; auto. lra.
        * intros e Je. eapply always_weaken; [apply (IH (S t) e)|]; [lia| | |].
          -- apply (fits_after _ _ _ _ F Je). lra.
          -- destruct Je as (_ & _ & _ & Size). lra.
          -- intros f Jf. eapply joined_equal; [| |exact (joined_trans _ _ _ _ _ _ _ Je Jf)]; [reflexivity|now rewrite All].
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

Lemma seen_length C len d q : length d = length len ->
  nth q (seen C len d) 0%Z = (nth q len 0 + match routes (option_of C) with batch => 0 | sequential => nth q d 0 end)%Z.
Proof.
  intro L. unfold seen. destruct (routes (option_of C)); [lia|]. rewrite <- nth_add by assumption. f_equal. unfold moved.
  symmetry in L.
  revert len L. induction d as [|k d IH]; intros [|z len] L; cbn [length combine map add] in *; try discriminate; auto.
  f_equal. apply IH. congruence.
Qed.

(* Where a task may pay beyond its price what the slot's other tasks hide from it, or from the price. *)
Section NearPrices.
  Variables (C : cluster) (A : arrangement) (route serve : set).
  Notation P := (Policy A route serve).
  Notation n := (queues C A).
  Notation none := (repeat 0%Z n).
  Notation number k := (inject_Z (Z.of_nat k)).
  Variables (len inside : list Z) (price : nat -> Q) (regret unit : Q) (weighed size : list Z -> Q).
  Definition near_price (tasks : Q) (t : nat) : Q := price t + tasks * regret.
  Hypothesis unit_nonnegative : 0 <= unit.
  Hypothesis nothing_joined : size none == 0.
  Hypothesis routes_near_price : forall tasks t d, 1 <= tasks -> In t (all_types C) -> fits C A (tasks * unit) size d ->
    exists tied,
    answers (set_of integers C A (seen C len d) inside (Arriving t) route []) tied /\ tied <> [] /\
      forall c, In c tied -> adds_price C A (near_price tasks) unit weighed size t (fst c).
  Lemma join_nothing count : fold_right Nat.add 0%nat count = 0%nat -> forall p t d,
    join integers C P len inside t count d = Ret d /\ cost_of p t count == 0.
  Proof.
    induction count as [|k count IH]; intros Z0 p t d; cbn [join cost_of fold_right] in *; [split; reflexivity|].
    assert (k = 0%nat) as -> by lia. destruct (IH ltac:(lia) p (S t) d) as [-> Eq]. split; [reflexivity|]. rewrite Eq.
    change (number 0) with 0. ring.
  Qed.
  Theorem joins_near_price count : (length count <= types C)%nat ->
    always (joined C A unit weighed size none (cost_of (near_price (all_tasks count)) 0 count) (all_tasks count))
      (join integers C P len inside 0 count none).
  Proof.
    intro Le. destruct (Nat.eq_dec (fold_right Nat.add 0%nat count) 0) as [Z0|Some_].
    - destruct (join_nothing count Z0 (near_price (all_tasks count)) 0 none) as [-> Eq]. constructor.
      apply joined_none; [apply repeat_length|exact Eq|]. unfold all_tasks. now rewrite Z0.
    - assert (One : 1 <= all_tasks count) by (unfold all_tasks; change 1 with (inject_Z 1); rewrite <- Zle_Qle; lia).
      apply join_ok with (room := all_tasks count * unit); auto.
      + split; [apply repeat_length|]. split; [intro; rewrite nth_repeat; lia|]. rewrite nothing_joined.
      apply Qmult_le_0_compat; lra.
      + rewrite nothing_joined. lra.
  Qed.
  Lemma cost_near tasks count : forall t, cost_of (near_price tasks) t count ==
    cost_of price t count + all_tasks count * (tasks * regret).
  Proof.
    induction count as [|k count IH]; intro t; cbn [cost_of].
    - unfold all_tasks. cbn [fold_right]. change (inject_Z (Z.of_nat 0)) with 0. ring.
    - rewrite IH. unfold all_tasks. cbn [fold_right]. rewrite Nat2Z.inj_add, inject_Z_plus. unfold near_price. ring.
  Qed.
End NearPrices.
