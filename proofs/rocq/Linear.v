(* Functions of the state that are linear in the queue lengths, plus constants of the servers' statuses, in integers.

   In a slot they change by what the outcome brings, whatever the lengths: [linear_next]. Where a function H counts
   every queue that is not empty, and its status constants are not negative, whatever is linear is at most a multiple of
   H plus a constant: [weighs_each], [dot_at_most], [regrets_size]. *)
From Coq Require Import ZArith QArith Lqa List Bool Lia.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift.
Import ListNotations.
Open Scope Z_scope.

Record linear := Linear { per_task : vec; per_status : list (condition * Z) }.
Definition status_part (h : linear) (s : list status) : Z :=
  fold_right (fun t rest => (if met (fst t) s then snd t else 0) + rest) 0 (per_status h).
Definition linear_form (h : linear) (s : list status) : form := (status_part h s, per_task h).
Definition linear_at (h : linear) (x : state) : Z := value (fst x) (linear_form h (snd x)).
Definition linear_change (h : linear) (s : list status) (y : change * list status) : Z :=
  dot (per_task h) (fst y) + (status_part h (snd y) - status_part h s).
Definition next (x : vec) (y : change * list status) : state := (add x (fst y), snd y).
Lemma linear_next h x s y : length (fst y) = length x ->
  linear_at h (next x y) = linear_at h (x, s) + linear_change h s y.
Proof. intro L. unfold linear_at, linear_change, linear_form, value, next; cbn [fst snd]. rewrite dot_add by auto.
  lia. Qed.
Definition mean_of {A} (f : A -> Q) (l : law A) : Q := fold_right (fun e rest => Qred (fst e * f (snd e) + rest))%Q
  0%Q l.
Lemma mean_of_E {A} (f : A -> Q) l : (mean_of f l == E f l)%Q.
Proof. induction l as [|e l IH]; [reflexivity|]. cbn [mean_of fold_right]. rewrite Qred_correct, E_cons.
  unfold mean_of in IH. now rewrite IH. Qed.

(* ---- what bounds what ---- *)

(* Each queue that is not empty counts in H, whose status constants are not negative. *)
Fixpoint weighs_all (empty : list nat) (i : nat) (a : vec) : bool :=
  match a with
  | [] => true
  | p :: a => if (if some (Nat.eqb i) empty then 0 <=? p else 1 <=? p) then weighs_all empty (S i) a else false
  end.
Definition size (a : list Z) : Z := fold_right (fun p rest => Z.abs p + rest) 0 a.
Lemma weighs_each empty a : forall i x, weighs_all empty i a = true -> length a = length x -> Forall (Z.le 0) x ->
  (forall q, In (i + q)%nat empty -> nth q x 0 = 0) -> 0 <= dot a x /\ forall q, nth q x 0 <= dot a x.
Proof.
  induction a as [|p a IH]; intros i [|z x] W L N Em; cbn [length dot] in *; try discriminate; [split;
    [lia|intros [|q]; cbn; lia]|].
  cbn [weighs_all] in W. apply if_true in W as [Wp W]. injection L as L. inversion N as [|? ? Nz Nx]; subst.
  destruct (IH (S i) x W L Nx) as [D0 D]. { intros q I. apply (Em (S q)). rewrite Nat.add_succ_r. exact I. }
  assert (0 <= p * z /\ z <= p * z) as [A A'].
  { destruct (some (Nat.eqb i) empty) eqn:S.
    - apply some_In in S as (j & I & Eq). apply Nat.eqb_eq in Eq. subst j. specialize (Em 0%nat).
      rewrite Nat.add_0_r in Em.
      specialize (Em I). cbn [nth] in Em. subst z. lia.
    - apply Z.leb_le in Wp. nia. }
  split; [lia|]. intros [|q]; cbn [nth]; [lia|]. specialize (D q). lia.
Qed.
Lemma dot_at_most a x m : Forall (Z.le 0) x -> (forall q, nth q x 0 <= m) -> 0 <= m -> Z.abs (dot a x) <= size a * m.
Proof.
  intros N M M0. revert x N M. induction a as [|p a IH]; intros [|z x] N M; cbn [dot size fold_right];
    try (rewrite ?Z.abs_0; fold (size a)).
  - lia.
  - lia.
  - assert (0 <= size a) by (clear; induction a as [|z a IH]; cbn [size fold_right]; [lia|fold (size a); lia]). nia.
  - inversion N as [|? ? Nz Nx]; subst. specialize (IH x Nx (fun q => M (S q))). pose proof (M 0%nat) as Mz.
    cbn [nth] in Mz. nia.
Qed.
Lemma status_part_size h s : Z.abs (status_part h s) <= size (map snd (per_status h)).
Proof. unfold status_part. induction (per_status h) as [|t l IH]; cbn [fold_right map size]; [lia|].
  fold (size (map snd l)). destruct (met (fst t) s); lia. Qed.
Lemma status_part_nonnegative h s : every (fun t => 0 <=? snd t) (per_status h) = true -> 0 <= status_part h s.
Proof.
  unfold status_part. induction (per_status h) as [|t l IH]; cbn [every fold_right]; [lia|]. intro H.
  apply if_true in H as [T H].
  apply Z.leb_le in T. specialize (IH H). destruct (met (fst t) s); lia.
Qed.
(* Coefficients of queues that are empty do not matter. *)
Fixpoint clear (empty : list nat) (i : nat) (a : vec) : vec :=
  match a with [] => [] | p :: a => (if some (Nat.eqb i) empty then 0 else p) :: clear empty (S i) a end.
Lemma dot_clear empty a : forall i x, (forall q, In (i + q)%nat empty -> nth q x 0 = 0) ->
  dot (clear empty i a) x = dot a x.
Proof.
  induction a as [|p a IH]; intros i [|z x] Em; cbn [clear dot]; auto. rewrite IH.
  - destruct (some (Nat.eqb i) empty) eqn:S; auto. apply some_In in S as (j & I & Eq). apply Nat.eqb_eq in Eq. subst j.
    specialize (Em 0%nat). rewrite Nat.add_0_r in Em. specialize (Em I). cbn [nth] in Em. subst z. lia.
  - intros q I. apply (Em (S q)). rewrite Nat.add_succ_r. exact I.
Qed.

(* What a regret adds is at most linear, too. *)
Lemma value_size x f m : (forall a, Z.abs (dot a x) <= size a * m) ->
  Z.abs (value x f) <= size (snd f) * m + Z.abs (fst f).
Proof. intro D. unfold value. specialize (D (snd f)). lia. Qed.
Definition sizes (fs : list form) : Z := size (map (fun f => size (snd f)) fs).
Definition offsets (fs : list form) : Z := size (map fst fs).
Lemma size_nonnegative a : 0 <= size a.
Proof. induction a as [|p a IH]; cbn [size fold_right]; [lia|fold (size a); lia]. Qed.
Lemma largest_size x fs m : 0 <= m -> (forall a, Z.abs (dot a x) <= size a * m) ->
  Z.abs (largest_value fs x) <= sizes fs * m + offsets fs.
Proof.
  intros M D. destruct fs as [|f fs]; [cbn; lia|]. cbn [largest_value].
  enough (forall z, Z.abs (fold_left (fun m g => Z.max m (value x g)) fs z) <= Z.abs z + (sizes fs * m + offsets fs))
    as K.
  { specialize (K (value x f)). pose proof (value_size x f m D). pose proof (size_nonnegative (snd f)).
    unfold sizes, offsets. cbn [map size fold_right]. fold (size (map (fun f => size (snd f)) fs)) (size (map fst fs)).
    unfold sizes, offsets in K. rewrite (Z.abs_eq (size (snd f))) by assumption. lia. }
  induction fs as [|g fs IH]; intro z; cbn [fold_left]; [cbn; lia|]. specialize (IH (Z.max z (value x g))).
  pose proof (value_size x g m D). pose proof (size_nonnegative (snd g)). unfold sizes, offsets in *.
  cbn [map size fold_right].
  fold (size (map (fun f => size (snd f)) fs)) (size (map fst fs)). rewrite (Z.abs_eq (size (snd g))) by assumption.
  lia.
Qed.
Lemma regrets_size rs : exists a b, 0 <= a /\ 0 <= b /\ forall x s m, 0 <= m ->
  (forall a, Z.abs (dot a x) <= size a * m) ->
  Z.abs (regrets_value rs x s) <= a * m + b.
Proof.
  induction rs as [|r rs (a & b & A & B & IH)]; [exists 0, 0; repeat split; try lia; intros; cbn; lia|].
  pose proof (size_nonnegative (snd (less_form r))). pose proof (size_nonnegative (map (fun f => size (snd f))
    (largest_of r))).
  pose proof (size_nonnegative (map fst (largest_of r))).
  exists (Z.abs (weight r) * (sizes (largest_of r) + size (snd (less_form r))) + a),
         (Z.abs (weight r) * (offsets (largest_of r) + Z.abs (fst (less_form r))) + b).
  unfold sizes, offsets in *. repeat split; [nia|nia|]. intros x s m M D. specialize (IH x s m M D).
  cbn [regrets_value fold_right]. fold (regrets_value rs x s).
  pose proof (largest_size x (largest_of r) m M D) as L. pose proof (value_size x (less_form r) m D) as V.
  unfold sizes, offsets in L. set (l := largest_value _ x) in *. set (v := value x _) in *.
  set (p := size (map _ _)) in *. set (o := size (map fst _)) in *. set (q := size (snd _)) in *.
  set (c := Z.abs (fst _)) in *. clearbody l v p o q c.
  assert (Z.abs (l - v) <= (p + q) * m + (o + c)) as Le by lia.
  assert (Z.abs (if met (when r) s then weight r * (l - v) else 0) <= Z.abs (weight r) * ((p + q) * m + (o + c))).
  { destruct (met (when r) s); [rewrite Z.abs_mul; apply Z.mul_le_mono_nonneg_l; lia|]. cbn. nia. }
  nia.
Qed.
