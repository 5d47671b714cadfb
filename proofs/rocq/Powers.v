(* Integer powers of a rational q > 1.

   [tangent_line] bounds exponents without logarithms: q^z is convex, so that 1 + z (q - 1) <= q^z for every integer z.
   [powers_of] has bounds of the powers on both sides, between integers over [places], rounded step by step: an exact
   power of a q near 1 with an exponent of some hundreds has thousands of digits. *)
From Coq Require Import ZArith QArith Qpower Qfield Lqa List Bool Lia.
Import ListNotations.
Open Scope Q_scope.

Section Powers.
  Variable q : Q.
  Hypothesis above_one : 1 < q.
  Lemma nonzero : ~ q == 0. Proof. lra. Qed.
  Lemma power_positive z : 0 < q ^ z. Proof. apply Qpower_0_lt. lra. Qed.
  Lemma power_sum y z : q ^ (y + z) == q ^ y * q ^ z. Proof. apply Qpower_plus, nonzero. Qed.
  Lemma power_step z : q ^ (z + 1) == q ^ z * q. Proof. rewrite power_sum. reflexivity. Qed.
  Lemma power_from_one z : (0 <= z)%Z -> 1 + inject_Z z * (q - 1) <= q ^ z.
  Proof.
    intro P. pattern z. apply natlike_ind; auto; [change (inject_Z 0) with 0; change (q ^ 0) with 1; lra|].
    clear z P. intros z P IH.
    unfold Z.succ. rewrite inject_Z_plus, power_step. change (inject_Z 1) with 1.
    assert (0 <= inject_Z z) by (change 0 with (inject_Z 0); now rewrite <- Zle_Qle).
    assert ((1 + inject_Z z * (q - 1)) * q <= q ^ z * q) by (apply Qmult_le_compat_r; lra).
    assert (0 <= inject_Z z * ((q - 1) * (q - 1))) by (apply Qmult_le_0_compat; [assumption|apply Qmult_le_0_compat;
      lra]). lra.
  Qed.
  Lemma power_at_least_one z : (0 <= z)%Z -> 1 <= q ^ z.
  Proof.
    intro P. pose proof (power_from_one z P). assert (0 <= inject_Z z) by (change 0 with (inject_Z 0);
      now rewrite <- Zle_Qle).
    assert (0 <= inject_Z z * (q - 1)) by (apply Qmult_le_0_compat; lra). lra.
  Qed.
  Lemma power_monotone y z : (y <= z)%Z -> q ^ y <= q ^ z.
  Proof.
    intro L. replace z with (y + (z - y))%Z by lia. rewrite power_sum. pose proof (power_positive y).
    pose proof (power_at_least_one (z - y) ltac:(lia)).
    rewrite <- (Qmult_1_r (q ^ y)) at 1. rewrite !(Qmult_comm (q ^ y)). apply Qmult_le_compat_r; lra.
  Qed.
  Lemma tangent_line z : 1 + inject_Z z * (q - 1) <= q ^ z.
  Proof.
    destruct (Z.le_gt_cases 0 z) as [P|N]; [now apply power_from_one|].
    enough (forall i, (0 <= i)%Z -> 1 - inject_Z i * (q - 1) <= q ^ (- i)) as G.
    { specialize (G (- z)%Z ltac:(lia)). rewrite Z.opp_involutive, inject_Z_opp in G. lra. }
    intros i P. pattern i. apply natlike_ind; auto; [change (inject_Z 0) with 0; change (q ^ (- 0)) with 1; lra|].
    clear z N i P. intros i P IH.
    set (t := q ^ (- Z.succ i)). assert (q ^ (- i) == t * q) as Eq.
    { unfold t. rewrite <- power_step. replace (- Z.succ i + 1)%Z with (- i)%Z by lia. reflexivity. }
    assert (0 < t) by apply power_positive. assert (t <= 1).
    { change 1 with (q ^ 0). apply power_monotone. lia. }
    rewrite Eq in IH. unfold Z.succ. rewrite inject_Z_plus. change (inject_Z 1) with 1.
    assert (0 <= (1 - t) * (q - 1)) by (apply Qmult_le_0_compat; lra). lra.
  Qed.
End Powers.

(* Of q^0, q^1, ... and of q^0, q^(-1), ..., as far as q^n is below [cap]. *)
Definition places : positive := 18446744073709551616.
Definition cap : Z := Zpos places * 1208925819614629174706176.
Record powers := Powers { ups : list Z; downs : list Z; inverse_ups : list Z; inverse_downs : list Z }.
Fixpoint ladder (n : nat) (f : Z -> Z) (x : Z) : list Z := match n with O => [] | S n => x :: ladder n f (f x) end.
Fixpoint rungs (fuel : nat) (f : Z -> Z) (x : Z) : nat :=
  match fuel with O => O | S fuel => if (x <? cap)%Z then S (rungs fuel f (f x)) else 1%nat end.
Definition up (a b x : Z) : Z := (- ((- (x * a)) / b))%Z.             (* x a / b, rounded up *)
Definition down (a b x : Z) : Z := (x * a / b)%Z.
Definition powers_of (q : Q) : powers :=
  let a := Qnum q in let b := QDen q in let one := Zpos places in let n := rungs (Z.to_nat 10000) (up a b) one in
  Powers (ladder n (up a b) one) (ladder n (down a b) one) (ladder n (up b a) one) (ladder n (down b a) one).
Definition power_above (t : powers) (z : Z) : option Z :=
  if (0 <=? z)%Z then nth_error (ups t) (Z.to_nat z) else nth_error (inverse_ups t) (Z.to_nat (- z)).
Definition power_below (t : powers) (z : Z) : option Z :=
  if (0 <=? z)%Z then nth_error (downs t) (Z.to_nat z) else nth_error (inverse_downs t) (Z.to_nat (- z)).
Lemma ladder_ok (good : nat -> Z -> Prop) f : (forall k v, good k v -> good (S k) (f v)) ->
  forall n j x k v, good j x -> nth_error (ladder n f x) k = Some v -> good (j + k)%nat v.
Proof.
  intros Step. induction n as [|n IH]; intros j x k v G; destruct k as [|k]; cbn [ladder nth_error]; try discriminate.
  - intros [= <-]. now rewrite Nat.add_0_r.
  - intro I. rewrite Nat.add_succ_r. apply (IH (S j) (f x)); auto.
Qed.
Lemma up_ok a (b : positive) x : (x # places) * (a # b) <= up a (Zpos b) x # places.
Proof.
  unfold up, Qle, Qmult; cbn [Qnum Qden]. rewrite Pos2Z.inj_mul.
  pose proof (Z.mul_div_le (- (x * a)) (Zpos b) ltac:(lia)). nia.
Qed.
Lemma down_ok a (b : positive) x : down a (Zpos b) x # places <= (x # places) * (a # b).
Proof.
  unfold down, Qle, Qmult; cbn [Qnum Qden]. rewrite Pos2Z.inj_mul.
  pose proof (Z.mul_div_le (x * a) (Zpos b) ltac:(lia)). nia.
Qed.
Section Bounded_powers.
  Variable q : Q.
  Hypothesis above_one : 1 < q.
  Let step_from (k : nat) : q ^ Z.of_nat (S k) == q ^ Z.of_nat k * q.
  Proof. rewrite Nat2Z.inj_succ. unfold Z.succ. now apply power_step. Qed.
  Let step_back (k : nat) : q ^ (- Z.of_nat (S k)) == q ^ (- Z.of_nat k) * / q.
  Proof.
    rewrite Nat2Z.inj_succ. replace (- Z.of_nat k)%Z with (- Z.succ (Z.of_nat k) + 1)%Z by lia.
    rewrite (power_step q above_one). field. lra.
  Qed.
  Let numerator : exists a, Qnum q = Zpos a.
  Proof. destruct q as [[|a|a] b]; [| now exists a |]; unfold Qlt in above_one; cbn in above_one; lia. Qed.
  Let shape : Qnum q # Qden q = q. Proof. now destruct q. Qed.
  Lemma power_above_ok z v : power_above (powers_of q) z = Some v -> q ^ z <= v # places.
  Proof.
    unfold power_above, powers_of. cbv zeta. cbn [ups inverse_ups]. set (n := rungs _ _ _). clearbody n.
    destruct numerator as [a Na].
    destruct (Z.leb_spec 0 z) as [P|N]; intro I.
    - rewrite <- (Z2Nat.id z P). apply (ladder_ok (fun k v => q ^ Z.of_nat k <= v # places) (up (Qnum q) (QDen q)))
      with (j := 0%nat) in I; auto.
      + clear I v. intros k v G. rewrite step_from. pose proof (up_ok (Qnum q) (Qden q) v) as U. rewrite shape in U.
        eapply Qle_trans; [|exact U]. apply Qmult_le_compat_r; [exact G|lra].
      + change (1 <= Zpos places # places). vm_compute. discriminate.
    - replace z with (- Z.of_nat (Z.to_nat (- z)))%Z by lia.
      apply (ladder_ok (fun k v => q ^ (- Z.of_nat k) <= v # places) (up (QDen q) (Qnum q))) with (j := 0%nat) in I;
        auto.
      + clear I v. intros k v G. rewrite step_back, Na. eapply Qle_trans; [|apply up_ok].
        assert (/ q == QDen q # a) as -> by (rewrite <- shape, Na; reflexivity).
        apply Qmult_le_compat_r; auto. unfold Qle; cbn; lia.
      + change (1 <= Zpos places # places). vm_compute. discriminate.
  Qed.
  Lemma power_below_ok z v : power_below (powers_of q) z = Some v -> v # places <= q ^ z.
  Proof.
    unfold power_below, powers_of. cbv zeta. cbn [downs inverse_downs]. set (n := rungs _ _ _). clearbody n.
    destruct numerator as [a Na].
    destruct (Z.leb_spec 0 z) as [P|N]; intro I.
    - rewrite <- (Z2Nat.id z P). apply (ladder_ok (fun k v => v # places <= q ^ Z.of_nat k) (down (Qnum q) (QDen q)))
      with (j := 0%nat) in I; auto.
      + clear I v. intros k v G. rewrite step_from. pose proof (down_ok (Qnum q) (Qden q) v) as U. rewrite shape in U.
        eapply Qle_trans; [exact U|]. apply Qmult_le_compat_r; [exact G|lra].
      + change (Zpos places # places <= 1). vm_compute. discriminate.
    - replace z with (- Z.of_nat (Z.to_nat (- z)))%Z by lia.
      apply (ladder_ok (fun k v => v # places <= q ^ (- Z.of_nat k)) (down (QDen q) (Qnum q))) with (j := 0%nat) in I;
        auto.
      + clear I v. intros k v G. rewrite step_back, Na. eapply Qle_trans; [apply down_ok|].
        assert (/ q == QDen q # a) as -> by (rewrite <- shape, Na; reflexivity).
        apply Qmult_le_compat_r; auto. unfold Qle; cbn; lia.
      + change (Zpos places # places <= 1). vm_compute. discriminate.
  Qed.
End Bounded_powers.
