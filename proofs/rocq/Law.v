(* Finite laws with rational weights, and what a function of the state says about a chain.

   A chain is a function [step] from a state to the law of the next one; a law is a list of outcomes with their
   probabilities. Nothing here is infinite: [mean_time n x] is the mean of min(time until the target is reached, n),
   a finite sum, and [reach n x] the probability of reaching the target within n steps. A bound that holds for every n
   is a bound on the mean time, or on the probability of ever reaching the target, so no measure is needed.

   foster            a function that falls by [fall] on average outside the target bounds the mean time to reach it
   escapes           a function W that grows on average, by bounded steps, bounds the probability of coming down
   may_never_return  the same from any state that can climb to where [escapes] applies *)
From Coq Require Import QArith Qabs Lqa List Bool.
Import ListNotations.
Open Scope Q_scope.

Definition law (A : Type) := list (Q * A).
Definition E {A} (f : A -> Q) (l : law A) : Q := fold_right (fun e rest => fst e * f (snd e) + rest) 0 l.
Definition is_law {A} (l : law A) : Prop := (forall e, In e l -> 0 <= fst e) /\ E (fun _ => 1) l == 1.

Lemma E_cons {A} (f : A -> Q) e l : E f (e :: l) = fst e * f (snd e) + E f l.
Proof. reflexivity. Qed.
Lemma E_monotone {A} (f g : A -> Q) l :
  (forall e, In e l -> 0 <= fst e) -> (forall e, In e l -> f (snd e) <= g (snd e)) -> E f l <= E g l.
Proof.
  induction l as [|e l IH]; intros P M; [apply Qle_refl|]. rewrite !E_cons.
  assert (fst e * f (snd e) <= fst e * g (snd e)).
  { rewrite !(Qmult_comm (fst e)). apply Qmult_le_compat_r; [apply M|apply P]; now left. }
  assert (E f l <= E g l) by (apply IH; intros; [apply P|apply M]; now right). lra.
Qed.
Lemma E_equal {A} (f g : A -> Q) l : (forall e, In e l -> f (snd e) == g (snd e)) -> E f l == E g l.
Proof.
  induction l as [|e l IH]; intro H; [reflexivity|]. rewrite !E_cons, IH by (intros; apply H; now right).
  rewrite (H e) by now left. reflexivity.
Qed.
Lemma E_affine {A} (f : A -> Q) a b l : E (fun x => a + b * f x) l == a * E (fun _ => 1) l + b * E f l.
Proof. induction l as [|e l IH]; [cbn; ring|]. rewrite !E_cons, IH. ring. Qed.
Lemma E_constant {A} c (l : law A) : is_law l -> E (fun _ => c) l == c.
Proof.
  intros [_ One]. transitivity (c * E (fun _ => 1) l); [clear One|rewrite One; ring].
  induction l as [|e l IH]; [cbn; ring|]. rewrite !E_cons, IH. ring.
Qed.
(* One outcome of value at most b, none above 1. *)
Lemma E_one_below {A} f b (l : law A) e : is_law l -> In e l -> (forall d, In d l -> f (snd d) <= 1) -> f (snd e) <= b ->
  E f l <= 1 - fst e * (1 - b).
Proof.
  intros [P One] I F B. enough (E f l <= E (fun _ => 1) l - fst e * (1 - b)) by lra. clear One. revert P I F.
  induction l as [|d l IH]; [contradiction|]. intros P I F. rewrite !E_cons. destruct I as [->|I].
  - assert (E f l <= E (fun _ => 1) l) by (apply E_monotone; intros; [apply P|apply F]; now right).
    assert (f (snd e) * fst e <= b * fst e) by (apply Qmult_le_compat_r; [exact B|apply P; now left]). lra.
  - assert (E f l <= E (fun _ => 1) l - fst e * (1 - b)) by (apply IH; auto; intros; [apply P|apply F]; now right).
    assert (f (snd d) * fst d <= 1 * fst d) by (apply Qmult_le_compat_r; [apply F|apply P]; now left). lra.
Qed.

Section Definitions.
  Context {State : Type} (step : State -> law State) (target : State -> bool).
  Fixpoint mean_time (n : nat) (x : State) : Q :=
    match n with O => 0 | S n => if target x then 0 else 1 + E (mean_time n) (step x) end.
  Fixpoint reach (n : nat) (x : State) : Q :=
    if target x then 1 else match n with O => 0 | S n => E (reach n) (step x) end.
  (* The probability of being in the target at one of the times 1, ..., n + 1. *)
  Definition returns (n : nat) (x : State) : Q := E (reach n) (step x).
  (* A way of positive probability to a good state that avoids the target. *)
  Inductive climbs (good : State -> Prop) : State -> Prop :=
  | There x : good x -> climbs good x
  | Climb x e : target x = false -> In e (step x) -> 0 < fst e -> climbs good (snd e) -> climbs good x.
End Definitions.

Section Chain.
  Context {State : Type} (step : State -> law State).
  Variable valid : State -> Prop.               (* the states that are meant; no step leaves them *)
  Hypothesis lawful : forall x, valid x -> is_law (step x).
  Hypothesis closed : forall x e, valid x -> In e (step x) -> valid (snd e).
  Variable target : State -> bool.
  Notation mean_time := (mean_time step target).
  Notation reach := (reach step target).

  Theorem foster V fall : (forall x, valid x -> 0 <= V x) ->
    (forall x, valid x -> target x = false -> E V (step x) <= V x - fall) ->
    forall n x, valid x -> mean_time n x * fall <= V x.
  Proof.
    intros V0 drift; induction n as [|n IH]; intros x Vx; cbn [Law.mean_time].
    - rewrite Qmult_0_l. now apply V0.
    - destruct (target x) eqn:T; [rewrite Qmult_0_l; now apply V0|].
      assert (E (fun y => 0 + fall * mean_time n y) (step x) <= E V (step x)) as M.
      { apply E_monotone; [apply lawful, Vx|]. intros e I. pose proof (IH _ (closed x e Vx I)). lra. }
      rewrite E_affine in M. pose proof (drift x Vx T). lra.
  Qed.

  Lemma reach_between n : forall x, valid x -> 0 <= reach n x <= 1.
  Proof.
    induction n as [|n IH]; intros x Vx; cbn [Law.reach]; destruct (target x); try lra.
    destruct (lawful x Vx) as [P One]. split.
    - pose proof (E_constant 0 (step x) (conj P One)).
      assert (E (fun _ => 0) (step x) <= E (reach n) (step x)); [|lra].
      apply E_monotone; auto. intros e I; apply IH; eapply closed; eauto.
    - rewrite <- One. apply E_monotone; auto. intros e I; apply IH; eapply closed; eauto.
  Qed.

  (* W grows by at least [delta] on average where it is at least w0, and by steps of at most J. Put u = W - w0 + c with
     c > J and delta (c - J) >= J^2. For a step X, delta (u + X) >= X^2 gives 1/(u + X) <= (u + delta - X)/u^2, whose
     mean is at most 1/u: so 1/u falls on average, and what falls on average bounds the chance of coming back. *)
  Section Transience.
    Variables (W : State -> Q) (w0 delta J c : Q).
    Hypothesis delta_positive : 0 < delta.
    Hypothesis J_nonnegative : 0 <= J.
    Hypothesis c_above_J : J < c.
    Hypothesis c_large : J * J <= delta * (c - J).
    Hypothesis below : forall x, valid x -> target x = true -> W x < w0.
    Hypothesis above : forall x, valid x -> target x = false -> w0 <= W x.
    Hypothesis grows : forall x, valid x -> target x = false -> delta <= E (fun y => W y - W x) (step x).
    Hypothesis jumps : forall x e, valid x -> In e (step x) -> Qabs (W (snd e) - W x) <= J.

    Lemma tangent u X : c <= u -> - J <= X <= J -> c / (u + X) <= c * (u + delta) / (u * u) + - (c / (u * u)) * X.
    Proof.
      intros Cu [X1 X2]. assert (0 < u) by lra. assert (0 < u + X) by lra. assert (0 < u * u) by nra.
      setoid_replace (c * (u + delta) / (u * u) + - (c / (u * u)) * X) with (c * (u + delta - X) / (u * u)) by (field; lra).
      apply Qle_shift_div_l; [assumption|].
      setoid_replace (c / (u + X) * (u * u)) with (c * (u * u) / (u + X)) by (field; lra).
      apply Qle_shift_div_r; [assumption|].
      assert (X * X <= J * J) by nra. assert (delta * (c - J) <= delta * (u + X)) by nra.
      assert (u * u <= (u + delta - X) * (u + X)) by nra. nra.
    Qed.
    Lemma tangent_mean x : valid x -> target x = false -> let u := W x - w0 + c in
      E (fun y => c * (u + delta) / (u * u) + - (c / (u * u)) * (W y - W x)) (step x) <= c / u.
    Proof.
      intros Vx T u. pose proof (above x Vx T). pose proof (grows x Vx T). assert (c <= u) by (unfold u; lra).
      assert (0 < u * u) by nra.
      pose proof (E_affine (fun y => W y - W x) (c * (u + delta) / (u * u)) (- (c / (u * u))) (step x)) as Eq.
      cbv beta in Eq. destruct (lawful x Vx) as [_ One]. rewrite One in Eq.
      set (m := E (fun y => W y - W x) (step x)) in *. rewrite Eq. clear Eq.
      apply Qle_trans with (c * (u + delta - m) / (u * u)).
      - apply Qle_lteq; right. field. lra.
      - apply Qle_shift_div_r; auto. assert (c / u * (u * u) == c * u) as -> by (field; lra). nra.
    Qed.
    Theorem escapes : forall n x, valid x -> target x = false -> reach n x <= c / (W x - w0 + c).
    Proof.
      induction n as [|n IH]; intros x Vx T; cbn [Law.reach]; rewrite T; pose proof (above x Vx T) as A.
      - apply Qle_shift_div_l; lra.
      - set (u := W x - w0 + c). assert (c <= u) by (unfold u; lra). destruct (lawful x Vx) as [P _].
        eapply Qle_trans; [|apply tangent_mean; eauto]. apply E_monotone; auto. intros e I.
        pose proof (jumps x e Vx I) as Je. apply Qabs_Qle_condition in Je. pose proof (closed x e Vx I) as Ve.
        apply Qle_trans with (c / (u + (W (snd e) - W x))); [|apply tangent; auto].
        destruct (target (snd e)) eqn:Te.
        + pose proof (below _ Ve Te). destruct (reach_between n (snd e) Ve). apply Qle_trans with 1; auto.
          apply Qle_shift_div_l; unfold u; lra.
        + eapply Qle_trans; [apply IH; auto|]. pose proof (above _ Ve Te).
          setoid_replace (u + (W (snd e) - W x)) with (W (snd e) - w0 + c) by (unfold u; ring). apply Qle_refl.
    Qed.
    Corollary escapes_below_one x : valid x -> w0 < W x -> exists b, b < 1 /\ forall n, reach n x <= b.
    Proof.
      intros Vx A. destruct (target x) eqn:T; [pose proof (below x Vx T); lra|].
      exists (c / (W x - w0 + c)). split; [apply Qlt_shift_div_r; lra|]. intro n. now apply escapes.
    Qed.
  End Transience.

  Theorem may_never_return (good : State -> Prop) x e :
    (forall y, valid y -> good y -> exists b, b < 1 /\ forall n, reach n y <= b) ->
    valid x -> In e (step x) -> 0 < fst e -> climbs step target good (snd e) ->
    exists b, b < 1 /\ forall n, returns step target n x <= b.
  Proof.
    intros G Vx I P C. assert (H : exists b, b < 1 /\ forall n, reach n (snd e) <= b).
    { pose proof (closed x e Vx I) as Ve. clear Vx I P x. induction C as [y Gy|y d T I P C IH]; [now apply G|].
      destruct (IH (closed _ _ Ve I)) as (b & B & R). exists (1 - fst d * (1 - b)).
      pose proof (Qmult_lt_0_compat (fst d) (1 - b) P). split; [lra|]. intros [|n]; cbn [Law.reach]; rewrite T.
      - destruct (lawful _ Ve) as [Pl One]. pose proof (R 0%nat). pose proof (reach_between 0 _ (closed _ _ Ve I)).
        assert (E (fun _ => 0) (step y) <= 1 - fst d * (1 - 0)) by (apply E_one_below; auto; cbn; intros; lra).
        pose proof (E_constant 0 (step y) (conj Pl One)). nra.
      - apply E_one_below; auto. intros c Ic. apply reach_between. eapply closed; eauto. }
    destruct H as (b & B & R). exists (1 - fst e * (1 - b)).
    split; [pose proof (Qmult_lt_0_compat (fst e) (1 - b) P); lra|]. intro n.
    apply E_one_below; auto. intros c Ic. apply reach_between. eapply closed; eauto.
  Qed.
End Chain.
