(* Polynomial inequalities: a sum of non-negative multiples of products of hypotheses, multiplied out, is the conclusion.

   Exponents may be negative. Such a coordinate is divided by, and is other than zero. *)
From Coq Require Import ZArith QArith Qpower Lqa List Bool Lia.
From Schedproof Require Import Affine Words.
Import ListNotations.
Open Scope Q_scope.

Notation monomial := (list Z) (only parsing).                (* exponents by coordinate; missing ones are zero *)
Notation polynomial := (list (Q * list Z)) (only parsing).
Fixpoint power_product (e : monomial) (x : list Q) : Q := match e, x with k :: e, q :: x => Qpower q k * power_product e x | _, _ => 1 end.
Definition value_at (x : list Q) (p : polynomial) : Q := fold_right (fun t sum => fst t * power_product (snd t) x + sum) 0 p.
(* Nothing is divided by zero. *)
Fixpoint defined (x : list Q) (e : monomial) : Prop := match e, x with k :: e, q :: x => ((k < 0)%Z -> ~ q == 0) /\ defined x e | _, _ => True end.

(* The hypotheses imply the conclusion, says the sum over [terms] of a number times the product of the hypotheses at
   these positions. *)
Record identity := Identity { hypotheses : list polynomial; conclusion : polynomial; terms : list (Q * list nat) }.
Definition lemma_holds (i : identity) : Prop := forall x,
  Forall (Forall (fun t => defined x (snd t))) (hypotheses i) ->
  Forall (fun h => 0 <= value_at x h) (hypotheses i) -> 0 <= value_at x (conclusion i).

(* ---- multiplying out ---- *)

Definition multiply (p r : polynomial) : polynomial := flat_map (fun s => map (fun t => (Qred (fst s * fst t), axpy 1 (snd s) (snd t))) r) p.
Definition weighted (k : Q) (p : polynomial) : polynomial := map (fun t => (Qred (k * fst t), snd t)) p.
(* Adds a term to those with its monomial. *)
Fixpoint insert (t : Q * monomial) (p : polynomial) : polynomial :=
  match p with
  | [] => [t]
  | u :: p => if zero (axpy (-1) (snd t) (snd u)) then (Qred (fst t + fst u), snd u) :: p else u :: insert t p
  end.
Definition vanishes (p : polynomial) : bool := every (fun t => Qeq_bool (fst t) 0) (fold_right insert [] p).
Fixpoint product_of (hs : list polynomial) (which : list nat) : option polynomial :=
  match which with
  | [] => Some [(1, [])]
  | i :: which =>
      match nth_error hs i, product_of hs which with
      | Some h, Some p => Some (multiply h p)
      | _, _ => None
      end
  end.
Fixpoint sum_of (hs : list polynomial) (ts : list (Q * list nat)) : option polynomial :=
  match ts with
  | [] => Some []
  | (k, which) :: ts =>
      if Qle_bool 0 k then
        match product_of hs which, sum_of hs ts with Some p, Some s => Some (weighted k p ++ s) | _, _ => None end
      else None
  end.
Definition multiplies_out (i : identity) : bool :=
  match sum_of (hypotheses i) (terms i) with Some s => vanishes (s ++ weighted (- (1)) (conclusion i)) | None => false end.

(* ---- what it shows ---- *)

Lemma value_app x p r : value_at x (p ++ r) == value_at x p + value_at x r.
Proof. unfold value_at. induction p as [|t p IH]; cbn [app fold_right]; [ring|]. rewrite IH. ring. Qed.
Lemma value_weighted x k p : value_at x (weighted k p) == k * value_at x p.
Proof. unfold value_at, weighted. induction p as [|t p IH]; cbn [map fold_right fst snd]; [ring|]. rewrite Qred_correct, IH. ring. Qed.
Lemma Qpower_sum q k l : ((k < 0)%Z -> ~ q == 0) -> ((l < 0)%Z -> ~ q == 0) -> Qpower q (k + l) == Qpower q k * Qpower q l.
Proof.
  intros K L. destruct (Qeq_dec q 0) as [Z|N]; [|now apply Qpower_plus].
  destruct (Z.eq_dec (k + l) 0) as [E|E]; [|now apply Qpower_plus'].
  assert (k = 0%Z /\ l = 0%Z) as [-> ->]; [|reflexivity].
  destruct (Z.lt_ge_cases k 0); [now destruct K|]. destruct (Z.lt_ge_cases l 0); [now destruct L|]. lia.
Qed.
Lemma power_product_sum x e : forall f, defined x e -> defined x f ->
  power_product (axpy 1 e f) x == power_product e x * power_product f x /\ defined x (axpy 1 e f).
Proof.
  assert (One : forall e, map (Z.mul 1) e = e) by (intro e0; induction e0; cbn [map]; [auto|]; f_equal; [lia|auto]).
  revert x; induction e as [|k e IH]; intros x [|l f] De Df; cbn [axpy]; rewrite ?One.
  - split; [destruct x; cbn; ring|exact Df].
  - split; [destruct x; cbn; ring|exact Df].
  - split; [destruct x; cbn; ring|exact De].
  - destruct x as [|q x]; [split; [cbn; ring|exact I]|]. cbn [defined] in De, Df. destruct De as [K De], Df as [L Df].
    destruct (IH x f De Df) as [V D]. replace (1 * k + l)%Z with (k + l)%Z by lia. cbn [power_product defined]. split.
    + rewrite V, Qpower_sum by assumption. ring.
    + split; [|exact D]. intro Neg. destruct (Z.lt_ge_cases k 0); [auto|]. apply L. lia.
Qed.
Notation all_defined x p := (Forall (fun t => defined x (snd t)) p).
Lemma multiply_sound x p r : all_defined x p -> all_defined x r ->
  value_at x (multiply p r) == value_at x p * value_at x r /\ all_defined x (multiply p r).
Proof.
  intros Dp Dr. assert (Row : forall s : Q * list Z, defined x (snd s) ->
    value_at x (map (fun t => (Qred (fst s * fst t), axpy 1 (snd s) (snd t))) r) == fst s * power_product (snd s) x * value_at x r
    /\ all_defined x (map (fun t => (Qred (fst s * fst t), axpy 1 (snd s) (snd t))) r)).
  { intros s Ds. clear Dp. induction Dr as [|t r Dt Dr [IV ID]]; cbn [map]; [split; [cbn; ring|constructor]|].
    destruct (power_product_sum x _ _ Ds Dt) as [V D]. split; [|now constructor].
    unfold value_at in *. cbn [fold_right fst snd]. rewrite IV, V, Qred_correct. ring. }
  induction Dp as [|s p Ds Dp [IV ID]]; cbn [multiply flat_map]; [split; [cbn; ring|constructor]|].
  destruct (Row s Ds) as [V D]. split; [|apply Forall_app; split; assumption].
  rewrite value_app, V. unfold multiply in IV. rewrite IV. unfold value_at. cbn [fold_right]. ring.
Qed.
Lemma same_power_product x e : forall f, zero (axpy (-1) e f) = true -> power_product e x == power_product f x.
Proof.
  assert (Zero : forall f x, zero f = true -> power_product f x == 1).
  { unfold zero. intro f. induction f as [|k f IH]; intros [|q y] H; cbn [every power_product] in *; try reflexivity.
    apply if_true in H as [Z H]. apply Z.eqb_eq in Z; subst k. rewrite (IH y H). reflexivity. }
  revert x; induction e as [|k e IH]; intros x f H.
  - rewrite (Zero f x) by exact H. now destruct x.
  - destruct f as [|l f]; cbn [axpy] in H.
    + rewrite (Zero (k :: e) x); [now destruct x|]. clear IH. unfold zero in *. revert H. generalize (k :: e) as v. intro v.
      induction v as [|z v IH]; cbn [map every]; [auto|]. destruct (Z.eqb_spec 0 (-1 * z)); [|discriminate].
      intro H. destruct (Z.eqb_spec 0 z); [auto|lia].
    + unfold zero in H. cbn [every] in H. apply if_true in H as [Z H]. apply Z.eqb_eq in Z. destruct x as [|q x]; [reflexivity|].
      cbn [power_product]. rewrite (IH x f H). replace l with k by lia. reflexivity.
Qed.
Lemma value_insert x t p : value_at x (insert t p) == fst t * power_product (snd t) x + value_at x p.
Proof.
  induction p as [|u p IH]; [reflexivity|]. cbn [insert]. destruct (zero (axpy (-1) (snd t) (snd u))) eqn:E.
  - pose proof (same_power_product x _ _ E) as P. unfold value_at. cbn [fold_right fst snd]. rewrite P, Qred_correct. ring.
  - unfold value_at in *. cbn [fold_right]. rewrite IH. ring.
Qed.
Lemma vanishes_sound x p : vanishes p = true -> value_at x p == 0.
Proof.
  intro H. transitivity (value_at x (fold_right insert [] p)).
  - clear H. induction p as [|t p IH]; [reflexivity|]. cbn [fold_right]. rewrite value_insert, <- IH. reflexivity.
  - unfold vanishes in H. induction (fold_right insert [] p) as [|t r IH]; [reflexivity|]. cbn [every] in H. apply if_true in H as [Z H].
    apply Qeq_bool_eq in Z. unfold value_at in *. cbn [fold_right]. rewrite Z, (IH H). ring.
Qed.
Section Sound.
  Variables (x : list Q) (hs : list polynomial).
  Hypothesis (Defined : Forall (Forall (fun t => defined x (snd t))) hs) (Hold : Forall (fun h => 0 <= value_at x h) hs).
  Lemma product_of_sound which : forall p, product_of hs which = Some p -> 0 <= value_at x p /\ all_defined x p.
  Proof.
    rewrite Forall_forall in Defined, Hold. induction which as [|i which IH]; cbn [product_of]; intro p.
    - intros [= <-]. split; [cbn; lra|]. constructor; [|constructor]. now destruct x.
    - destruct (nth_error hs i) as [h|] eqn:N; [|discriminate]. apply nth_error_In in N.
      destruct (product_of hs which) as [r|]; [|discriminate]. intros [= <-]. destruct (IH r eq_refl) as [V D].
      destruct (multiply_sound x h r (Defined h N) D) as [E D']. split; [|exact D']. rewrite E. apply Qmult_le_0_compat; auto.
  Qed.
  Lemma sum_of_sound ts : forall s, sum_of hs ts = Some s -> 0 <= value_at x s.
  Proof.
    induction ts as [|[k which] ts IH]; cbn [sum_of]; intro s; [intros [= <-]; cbn; lra|].
    destruct (Qle_bool 0 k) eqn:K; [|discriminate]. apply Qle_bool_iff in K.
    destruct (product_of hs which) as [p|] eqn:P; [|discriminate]. destruct (sum_of hs ts) as [r|]; [|discriminate]. intros [= <-].
    destruct (product_of_sound which p P) as [V _]. specialize (IH r eq_refl). rewrite value_app, value_weighted.
    pose proof (Qmult_le_0_compat _ _ K V). lra.
  Qed.
End Sound.
Theorem multiplies_out_sound i : multiplies_out i = true -> lemma_holds i.
Proof.
  unfold multiplies_out. destruct (sum_of (hypotheses i) (terms i)) as [s|] eqn:S; [|discriminate]. intros H x D P.
  pose proof (vanishes_sound x _ H) as V. rewrite value_app, value_weighted in V. pose proof (sum_of_sound x _ D P _ _ S). lra.
Qed.

(* ---- reading ---- *)

Definition polynomial_of : reader polynomial := counted (read k from fraction; read e from counted number; return_ (k, e)).
Definition identity_of : reader identity :=
  read hs from counted polynomial_of; read g from polynomial_of;
  read ts from counted (read k from fraction; read which from counted natural; return_ (k, which)); return_ (Identity hs g ts).
