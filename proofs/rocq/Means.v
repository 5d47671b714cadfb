(* Long-run means of a function of the state: finite sums, with explicit rates, no measure and no limit.

   [total n x] is the mean of f(X_0) + ... + f(X_(n-1)) from the state x. Nothing is assumed of the chain: not that it is
   irreducible or aperiodic, nor that it has a stationary law.

   total_at_most   g >= -m and Pg <= g - f + c at every state: total n x <= n c + g(x) + m
   total_at_least  h <= m and Ph >= h - f + c at every state: total n x >= n c + h(x) - m
   whatever_is_chosen  the second for every policy that chooses among actions, at random and by the whole past
   average_near    what a bound on totals says of averages: within eps of its interval from an explicit n on *)
From Coq Require Import ZArith QArith Qround Lqa Lia List.
From Schedproof Require Import Law.
Import ListNotations.
Open Scope Q_scope.

Section Definitions.
  Context {State : Type} (step : State -> law State) (f : State -> Q).
  Fixpoint total (n : nat) (x : State) : Q := match n with O => 0 | S n => f x + E (total n) (step x) end.
  Definition average (n : nat) (x : State) : Q := total n x / inject_Z (Z.of_nat n).
End Definitions.
Definition times_of (n : nat) (c : Q) : Q := inject_Z (Z.of_nat n) * c.

Lemma times_of_S n c : times_of (S n) c == c + times_of n c.
Proof. unfold times_of. rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus. ring. Qed.
Lemma E_shifted {A} a (g : A -> Q) l : is_law l -> E (fun y => a + g y) l == a + E g l.
Proof.
  intros [_ One]. rewrite (E_equal _ (fun y => a + 1 * g y)) by (intros; ring). rewrite E_affine, One. ring.
Qed.

Section Mean.
  Context {State : Type} (step : State -> law State) (f : State -> Q) (valid : State -> Prop).
  Hypothesis lawful : forall x, valid x -> is_law (step x).
  Hypothesis closed : forall x e, valid x -> In e (step x) -> valid (snd e).

  Theorem total_at_most g m c : (forall x, valid x -> - m <= g x) ->
    (forall x, valid x -> E g (step x) <= g x - f x + c) ->
    forall n x, valid x -> total step f n x <= times_of n c + (g x + m).
  Proof.
    intros bounded grows; induction n as [|n IH]; intros x Vx; cbn [total].
    - pose proof (bounded x Vx). unfold times_of. change (inject_Z (Z.of_nat 0)) with 0. lra.
    - assert (E (total step f n) (step x) <= E (fun y => (times_of n c + m) + g y) (step x)) as M.
      { apply E_monotone; [apply lawful, Vx|]. intros e I. pose proof (IH _ (closed x e Vx I)). lra. }
      rewrite E_shifted in M by auto. pose proof (grows x Vx). rewrite times_of_S. lra.
  Qed.
  Theorem total_at_least h m c : (forall x, valid x -> h x <= m) ->
    (forall x, valid x -> h x - f x + c <= E h (step x)) ->
    forall n x, valid x -> times_of n c + (h x - m) <= total step f n x.
  Proof.
    intros bounded grows; induction n as [|n IH]; intros x Vx; cbn [total].
    - pose proof (bounded x Vx). unfold times_of. change (inject_Z (Z.of_nat 0)) with 0. lra.
    - assert (E (fun y => (times_of n c - m) + h y) (step x) <= E (total step f n) (step x)) as M.
      { apply E_monotone; [apply lawful, Vx|]. intros e I. pose proof (IH _ (closed x e Vx I)). lra. }
      rewrite E_shifted in M by auto. pose proof (grows x Vx). rewrite times_of_S. lra.
  Qed.
End Mean.

(* A policy sees the past, the latest state first, with the actions taken, and draws an action. *)
Section Actions.
  Context {State Action : Type} (step : Action -> State -> law State) (f : State -> Q).
  Variables (valid : State -> Prop) (allowed : State -> Action -> Prop).
  Hypothesis lawful : forall a x, valid x -> allowed x a -> is_law (step a x).
  Hypothesis closed : forall a x e, valid x -> allowed x a -> In e (step a x) -> valid (snd e).
  Definition past := list (State * Action).
  Definition chooser := past -> State -> law Action.
  Definition permitted (choose : chooser) : Prop :=
    forall p x, valid x -> is_law (choose p x) /\ forall e, In e (choose p x) -> allowed x (snd e).
  Fixpoint total_under (choose : chooser) (n : nat) (p : past) (x : State) : Q :=
    match n with
    | O => 0
    | S n => f x + E (fun a => E (total_under choose n ((x, a) :: p)) (step a x)) (choose p x)
    end.
  Theorem whatever_is_chosen h m c : (forall x, valid x -> h x <= m) ->
    (forall x a, valid x -> allowed x a -> h x - f x + c <= E h (step a x)) ->
    forall choose, permitted choose -> forall n p x, valid x -> times_of n c + (h x - m) <= total_under choose n p x.
  Proof.
    intros bounded grows choose Ok; induction n as [|n IH]; intros p x Vx; cbn [total_under].
    - pose proof (bounded x Vx). unfold times_of. change (inject_Z (Z.of_nat 0)) with 0. lra.
    - destruct (Ok p x Vx) as [Lw Al]. set (k := times_of n c - m).
      assert (E (fun _ => k + (h x - f x + c)) (choose p x) <=
              E (fun a => E (total_under choose n ((x, a) :: p)) (step a x)) (choose p x)) as M.
      { apply E_monotone; [apply Lw|]. intros e I. specialize (Al e I). pose proof (lawful (snd e) x Vx Al) as Ls.
        assert (E (fun y => k + h y) (step (snd e) x) <= E (total_under choose n ((x, snd e) :: p)) (step (snd e) x)) as M.
        { apply E_monotone; [apply Ls|]. intros d J. unfold k. pose proof (IH ((x, snd e) :: p) _ (closed _ x d Vx Al J)). lra. }
        rewrite E_shifted in M by auto. pose proof (grows x (snd e) Vx Al). lra. }
      rewrite E_constant in M by auto. rewrite times_of_S. unfold k in M. lra.
  Qed.
End Actions.

(* From n on, where n eps is at least the fixed part of the bound. *)
Theorem average_near {State} (step : State -> law State) f x lower upper start :
  (forall n, times_of n lower - start <= total step f n x <= times_of n upper + start) ->
  forall eps n, 0 < eps -> (0 < n)%nat -> start <= times_of n eps -> lower - eps <= average step f n x <= upper + eps.
Proof.
  intros B eps n Eps N Large. destruct (B n) as [Lo Up]. unfold average, times_of in *.
  assert (0 < inject_Z (Z.of_nat n)) by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
  split; [apply Qle_shift_div_l|apply Qle_shift_div_r]; auto; lra.
Qed.
Lemma eventually_large start eps : 0 < eps -> exists N, (0 < N)%nat /\ forall n, (N <= n)%nat -> start <= times_of n eps.
Proof.
  intro Eps. exists (S (Z.to_nat (Qceiling (start / eps)))). split; [lia|]. intros n Le. unfold times_of.
  assert (start / eps <= inject_Z (Z.of_nat n)) as D.
  { eapply Qle_trans; [apply Qle_ceiling|]. rewrite <- Zle_Qle. lia. }
  apply (Qmult_le_compat_r _ _ eps) in D; [|lra]. setoid_replace (start / eps * eps) with start in D by (field; lra). exact D.
Qed.
