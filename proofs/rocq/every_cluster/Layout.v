(* The arrangement of one queue for each server, row of rates and level: whose a queue is, at what rate its tasks are
   served, and how workloads change with its length. *)
From Coq Require Import ZArith QArith Qminmax Lqa List Lia Arith.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Outcomes Capacity.
Import ListNotations.

(* ---- changes of lengths ---- *)

Open Scope Z_scope.
Lemma length_bump k q d : length (bump k q d) = length d.
Proof. revert q. induction d as [|z d IH]; intros [|q]; cbn [bump length]; auto. Qed.
Lemma nth_bump k q d r : (q < length d)%nat -> nth r (bump k q d) 0 = nth r d 0 + (if Nat.eqb r q then k else 0).
Proof.
  revert q r. induction d as [|z d IH]; intros [|q] [|r]; cbn [bump length nth Nat.eqb]; intro H; try lia. apply IH. lia.
Qed.
Lemma add_bump k q x d : length d = length x -> add x (bump k q d) = bump k q (add x d).
Proof.
  revert q d. induction x as [|z x IH]; intros [|q] [|y d] [=]; cbn [bump add]; auto; [|now rewrite IH]. f_equal. lia.
Qed.
Lemma nth_add x d r : length d = length x -> nth r (add x d) 0 = nth r x 0 + nth r d 0.
Proof. revert r d. induction x as [|z x IH]; intros [|r] [|y d] [=]; cbn [add nth]; auto. Qed.
Lemma nth_le inside y : length inside = length y -> (forall q, (q < length y)%nat -> nth q inside 0 <= nth q y 0) -> Forall2 Z.le inside y.
Proof.
  revert y; induction inside as [|a l IH]; intros [|b y]; cbn [length]; try discriminate; [constructor|]. intros [= L] H. constructor.
  - apply (H 0%nat). lia.
  - apply IH; auto. intros q Lt. apply (H (S q)). lia.
Qed.

(* ---- rates ---- *)

Section Rates.
  Variable C : cluster.
  Hypothesis LO : laid_out C.
  Open Scope Q_scope.
  Lemma rate_at_member row level : (row < rows C)%nat -> (level < levels C)%nat -> In (rate_at C row level) (concat (rates C)).
  Proof.
    intros R L. unfold rate_at. assert (In (nth row (rates C) []) (rates C)) as I by (apply nth_In; exact R).
    assert (In (nth level (nth row (rates C) []) 0) (nth row (rates C) [])) as J
      by (apply nth_In; rewrite (row_lengths _ LO _ I); exact L).
    apply in_concat; eauto.
  Qed.
  Lemma rate_positive mu : In mu (concat (rates C)) -> 0 < mu.
  Proof. intro I. apply in_concat in I as (row & R & I). now apply (rates_are_positive _ LO row). Qed.
  Lemma rate_at_positive row level : (row < rows C)%nat -> (level < levels C)%nat -> 0 < rate_at C row level.
  Proof. intros R L. now apply rate_positive, rate_at_member. Qed.
  Notation least_rate := (least_rate C).
  Lemma least_rate_positive : 0 < least_rate.
  Proof.
    pose proof rate_positive as H. unfold least_rate. destruct (concat (rates C)) as [|nu l]; [lra|].
    induction l as [|mu l IH]; cbn [fold_right]; [apply H; now left|].
    apply Q.min_glb_lt; [apply H; right; now left|apply IH]. intros k [<-|I]; apply H; [now left|right; now right].
  Qed.
  Lemma least_rate_le mu : In mu (concat (rates C)) -> least_rate <= mu.
  Proof.
    unfold least_rate. destruct (concat (rates C)) as [|nu l]; [contradiction|]. revert mu.
    induction l as [|k l IH]; intros mu I; cbn [fold_right].
    - destruct I as [->|[]]. apply Qle_refl.
    - destruct I as [->|[->|I]]; [|apply Q.le_min_l|]; (eapply Qle_trans; [apply Q.le_min_r|apply IH]); [now left|now right].
  Qed.
  Lemma Qinv_le a b : 0 < a -> a <= b -> / b <= / a.
  Proof.
    intros A B. apply Qle_shift_inv_l; [lra|]. setoid_replace (/ b * a) with (a / b) by (field; lra).
    apply Qle_shift_div_r; lra.
  Qed.

  (* Slowness is 1 / rate times a common denominator. *)
  Definition scale_of_slowness : Z := common_denominator (map Qinv (concat (rates C))).
  Lemma common_denominator_positive l : (0 < common_denominator l)%Z.
  Proof.
    unfold common_denominator. induction l as [|q l IH]; cbn [fold_right]; [lia|].
    set (d := fold_right _ _ l) in *. pose proof (Z.lcm_nonneg (Zpos (Qden q)) d).
    assert (Z.lcm (Zpos (Qden q)) d <> 0%Z) by (intros [|]%Z.lcm_eq_0; lia). lia.
  Qed.
  Lemma over_exact l q : In q l -> inject_Z (over (common_denominator l) q) == inject_Z (common_denominator l) * q.
  Proof.
    intro I. assert (D : (Zpos (Qden q) | common_denominator l)%Z).
    { unfold common_denominator. induction l as [|p l IH]; [contradiction|]. cbn [fold_right]. destruct I as [->|I].
      - apply Z.divide_lcm_l.
      - eapply Z.divide_trans; [apply IH, I|apply Z.divide_lcm_r]. }
    destruct D as [k D]. unfold over. rewrite D, Z.div_mul by lia. unfold Qeq; cbn. lia.
  Qed.
  Lemma slowness_exact row level : (row < rows C)%nat -> (level < levels C)%nat ->
    inject_Z (slowness C row level) == inject_Z scale_of_slowness / rate_at C row level.
  Proof. intros R L. unfold slowness. rewrite over_exact; [reflexivity|]. apply in_map. now apply rate_at_member. Qed.

  (* ---- queues ---- *)

  Notation A := per_server_and_level.
  Notation n := (queues C A).
  Notation width := (rows C * levels C)%nat.
  Notation owner := (owner C A).
  Lemma width_positive : (0 < width)%nat.
  Proof. pose proof (some_row _ LO). pose proof (some_level _ LO). nia. Qed.
  Lemma decompose m row level : (row < rows C)%nat -> (level < levels C)%nat ->
    let q := queue_of C A m level row in
    owner q = m /\ row_of_queue C A q = row /\ (q mod levels C)%nat = level /\ ((m < servers C)%nat -> (q < n)%nat).
  Proof.
    intros R L q. unfold q, Cluster.owner, row_of_queue, queue_of, queues.
    assert ((m * rows C + row) * levels C + level = levels C * (m * rows C + row) + level)%nat as Eq by lia.
    split; [|split; [|split]].
    - symmetry. apply Nat.div_unique with (row * levels C + level)%nat; nia.
    - rewrite <- (Nat.div_unique _ (levels C) (m * rows C + row) level) by lia.
      symmetry. apply Nat.mod_unique with m; lia.
    - symmetry. now apply Nat.mod_unique with (m * rows C + row)%nat.
    - intro M. assert (S m * width <= servers C * width)%nat by (apply Nat.mul_le_mono_r; lia).
      assert (S row * levels C <= width)%nat by (apply Nat.mul_le_mono_r; lia). lia.
  Qed.
  Lemma recompose q : exists row level, (row < rows C)%nat /\ (level < levels C)%nat /\ q = queue_of C A (owner q) level row.
  Proof.
    pose proof (some_row _ LO). pose proof (some_level _ LO). exists ((q / levels C) mod rows C)%nat, (q mod levels C)%nat.
    split; [apply Nat.mod_upper_bound; lia|]. split; [apply Nat.mod_upper_bound; lia|].
    unfold queue_of, Cluster.owner. rewrite (Nat.mul_comm (rows C)), <- Nat.div_div by lia.
    pose proof (Nat.div_mod_eq q (levels C)). pose proof (Nat.div_mod_eq (q / levels C) (rows C)) as Eq.
    rewrite (Nat.mul_comm (q / levels C / rows C)), <- Eq. lia.
  Qed.
  Lemma owner_bound q : (q < n)%nat -> (owner q < servers C)%nat.
  Proof. intro H. unfold Cluster.owner, queues in *. apply Nat.div_lt_upper_bound; [pose proof width_positive; lia|]. nia. Qed.
  Lemma queues_of_In c m : In c (queues_of C m) <->
    exists row level, (row < rows C)%nat /\ (level < levels C)%nat /\ c = (queue_of C A m level row, level).
  Proof.
    unfold queues_of, own_queues. rewrite in_flat_map. split.
    - intros (row & R & I). apply in_map_iff in I as (level & <- & L). apply in_seq in R, L. exists row, level. repeat split; lia.
    - intros (row & level & R & L & ->). exists row. split; [apply in_seq; lia|]. apply in_map_iff. exists level. split; auto.
      apply in_seq. lia.
  Qed.
  Lemma queues_of_owner c m : In c (queues_of C m) -> owner (fst c) = m /\ ((m < servers C)%nat -> (fst c < n)%nat).
  Proof.
    intro I. apply queues_of_In in I as (row & level & R & L & ->). cbn [fst].
      destruct (decompose m row level R L) as (Ow & _ & _ & B).
    auto.
  Qed.
  Lemma owned_queue q : exists level, In (q, level) (queues_of C (owner q)).
  Proof. destruct (recompose q) as (row & level & R & L & Eq). exists level. apply queues_of_In. exists row, level.
    now rewrite <- Eq. Qed.
  Lemma queues_of_seq m : map fst (queues_of C m) = seq (m * width) width.
  Proof.
    unfold queues_of, own_queues. rewrite flat_map_concat_map, concat_map, map_map.
    assert (K : forall k s, concat (map (fun row => map fst (map (fun l => (queue_of C A m l row, l)) (seq 0 (levels C))))
      (seq s k))
      = seq (m * width + s * levels C) (k * levels C)).
    { induction k as [|k IH]; intro s; cbn [seq map concat]; [reflexivity|]. rewrite IH. cbn [Nat.mul].
      rewrite seq_app, map_map. cbn [fst]. f_equal; [|f_equal; lia].
      unfold queue_of. replace (m * width + s * levels C)%nat with ((m * rows C + s) * levels C)%nat by lia.
      generalize ((m * rows C + s) * levels C)%nat as b. intro b. clear.
      assert (K : forall l z, map (fun x => b + x)%nat (seq z l) = seq (b + z) l).
      { induction l as [|l IH]; intro z; cbn [seq map]; [reflexivity|]. f_equal. rewrite IH. f_equal. lia. }
      rewrite K. f_equal. lia. }
    rewrite K. f_equal. lia.
  Qed.
  Lemma service_level_of q m : service_level C A q m = (q mod levels C)%nat.
  Proof. reflexivity. Qed.
  (* Every server runs a queue's tasks at the queue's rate. *)
  Lemma rate_of_server q m : service_rate C A q m = rate_of C q.
  Proof. reflexivity. Qed.
  Lemma rate_of_queue m row level : (row < rows C)%nat -> (level < levels C)%nat ->
    rate_of C (queue_of C A m level row) = rate_at C row level.
  Proof.
    intros R L. destruct (decompose m row level R L) as (_ & Er & El & _). unfold rate_of, service_rate.
      now rewrite service_level_of, Er, El.
  Qed.
  Lemma rate_of_member q : In (rate_of C q) (concat (rates C)).
  Proof. destruct (recompose q) as (row & level & R & L & Eq). rewrite Eq, rate_of_queue by assumption. now apply rate_at_member. Qed.
  Lemma rate_of_positive q : 0 < rate_of C q /\ least_rate <= rate_of C q.
  Proof. pose proof (rate_of_member q). split; [now apply rate_positive|now apply least_rate_le]. Qed.
  Lemma inverse_rate_le q : 0 < / rate_of C q <= / least_rate.
  Proof.
    destruct (rate_of_positive q) as [P L]. pose proof least_rate_positive.
    split; [now apply Qinv_lt_0_compat|]. apply Qinv_le; lra.
  Qed.

  (* ---- workloads ---- *)

  Lemma workload_seq len m : workload C len m == total (seq (m * width) width) (fun q => inject_Z (nth q len 0%Z) / rate_of C q).
  Proof.
    rewrite <- queues_of_seq. unfold workload, total. induction (queues_of C m) as [|c l IH]; cbn [map fold_right]; [reflexivity|].
    now rewrite IH.
  Qed.
  Lemma workload_add x d m : length d = length x -> workload C (add x d) m == workload C x m + workload C d m.
  Proof.
    intro L. unfold workload. rewrite <- total_plus. apply total_equal. intros c _. rewrite nth_add by assumption.
    rewrite inject_Z_plus. field. destruct (rate_of_positive (fst c)). lra.
  Qed.
  Lemma workload_bump k q d m : (q < length d)%nat ->
    workload C (bump k q d) m == workload C d m + (if Nat.eqb m (owner q) then inject_Z k / rate_of C q else 0).
  Proof.
    intro Q. rewrite !workload_seq.
    rewrite (total_equal _ _ (fun r => inject_Z (nth r d 0%Z) / rate_of C r
      + (if Nat.eqb r q then inject_Z k / rate_of C r else 0))).
    2: { intros r _. rewrite nth_bump, inject_Z_plus by assumption. destruct (rate_of_positive r). destruct (Nat.eqb r q).
         - field. lra.
         - cbn [inject_Z]. change (inject_Z 0) with 0. field. lra. }
    rewrite total_plus. enough (total (seq (m * width) width) (fun r => if Nat.eqb r q then inject_Z k / rate_of C r else 0)
      == (if Nat.eqb m (owner q) then inject_Z k / rate_of C q else 0)) as -> by reflexivity.
    pose proof width_positive as Wp. assert (Iff : In q (seq (m * width) width) <-> m = owner q).
    { rewrite in_seq. unfold Cluster.owner. generalize dependent width. intros w Wp. split.
      - intros [Lo Hi]. apply Nat.div_unique with (q - m * w)%nat; lia.
      - intros ->. pose proof (Nat.div_mod_eq q w). pose proof (Nat.mod_upper_bound q w ltac:(lia)). lia. }
    destruct (Nat.eqb_spec m (owner q)) as [Eq|Ne].
    - now rewrite (total_one _ q (fun r => inject_Z k / rate_of C r)) by (try apply seq_NoDup; now apply Iff).
    - rewrite (total_equal _ _ (fun _ => 0)), total_zero; [reflexivity|]. intros r Ir. destruct (Nat.eqb_spec r q) as [->|];
        [|reflexivity].
      now apply Iff in Ir.
  Qed.
  Lemma workload_monotone x y m : (forall q, (nth q x 0 <= nth q y 0)%Z) -> workload C x m <= workload C y m.
  Proof.
    intro H. apply total_le. intros c _. specialize (H (fst c)). rewrite Zle_Qle in H.
      destruct (rate_of_positive (fst c)) as [P _].
    apply Qle_shift_div_l; [assumption|]. setoid_replace (inject_Z (nth (fst c) x 0%Z) / rate_of C (fst c) * rate_of C (fst c))
      with (inject_Z (nth (fst c) x 0%Z)) by (field; lra). assumption.
  Qed.
  Lemma workload_nonnegative x m : (forall q, (0 <= nth q x 0)%Z) -> 0 <= workload C x m.
  Proof.
    intro H. apply total_nonnegative. intros c _. specialize (H (fst c)). rewrite Zle_Qle in H.
      destruct (rate_of_positive (fst c)) as [P _].
    change (inject_Z 0) with 0 in H. apply Qle_shift_div_l; lra.
  Qed.
  Lemma workload_empty x m : (m < servers C)%nat -> (forall q, owner q = m -> (q < n)%nat -> (nth q x 0 <= 0)%Z) ->
    workload C x m <= 0.
  Proof.
    intros M H. rewrite <- (total_zero (queues_of C m)). apply total_le. intros c I. destruct (queues_of_owner c m I) as [Ow B].
    specialize (H (fst c) Ow (B M)). rewrite Zle_Qle in H. destruct (rate_of_positive (fst c)) as [P _].
    apply Qle_shift_div_r; change (inject_Z 0) with 0 in H; lra.
  Qed.
  Lemma squared_bump k q y : (q < length y)%nat -> (owner q < servers C)%nat -> let z := inject_Z k / rate_of C q in
    squared_workloads C (bump k q y) == squared_workloads C y + 2 * z * workload C y (owner q) + z * z.
  Proof.
    intros Q Ow z. unfold squared_workloads.
    rewrite (total_equal _ _ (fun m => workload C y m * workload C y m + (if Nat.eqb m (owner q) then 2 * z * workload C y m
      + z * z else 0))).
    2: { intros m _. rewrite workload_bump by assumption. fold z. destruct (Nat.eqb m (owner q)); ring. }
    rewrite total_plus, (total_one _ (owner q) (fun m => 2 * z * workload C y m + z * z)); [ring|apply seq_NoDup|apply in_seq; lia].
  Qed.
End Rates.

(* In slots. *)
Section Probabilities.
  Variable C : cluster.
  Hypothesis WF : well_formed C.
  Open Scope Q_scope.
  Notation owner := (owner C per_server_and_level).
  Lemma rate_at_in row level : (row < rows C)%nat -> (level < levels C)%nat ->
    In (rate_at C row level) (concat (rates C)) /\ 0 < rate_at C row level <= 1.
  Proof.
    intros R L. pose proof (rate_at_member C WF row level R L) as I. split; [exact I|]. split; [exact (rate_positive C WF _ I)|].
    apply in_concat in I as (r & Ir & I). now apply (rates_are_probabilities _ WF r).
  Qed.
  Lemma rate_of_bounds q : 0 < rate_of C q <= 1 /\ least_rate C <= rate_of C q.
  Proof.
    destruct (rate_of_positive C WF q) as [P L]. split; [split|]; auto.
    pose proof (rate_of_member C WF q) as I. apply in_concat in I as (r & Ir & I). now apply (rates_are_probabilities _ WF r).
  Qed.
  Lemma inverse_rate q : 1 <= / rate_of C q <= / least_rate C.
  Proof.
    destruct (rate_of_bounds q) as [[P U] L]. pose proof (least_rate_positive C WF).
    split; [change 1 with (/ 1) at 1|]; apply Qinv_le; lra.
  Qed.
  (* A queue is no longer than its server's workload, where rates are at most 1. *)
  Lemma length_le_workload x q : (forall q, (0 <= nth q x 0)%Z) -> inject_Z (nth q x 0%Z) <= workload C x (owner q).
  Proof.
    intro H. destruct (owned_queue C WF q) as [level I].
    apply Qle_trans with (inject_Z (nth q x 0%Z) / rate_of C q).
    - destruct (rate_of_bounds q) as [[P U] _]. specialize (H q). rewrite Zle_Qle in H. change (inject_Z 0) with 0 in H.
      apply Qle_shift_div_l; [assumption|]. setoid_replace (inject_Z (nth q x 0%Z)) with (1 * inject_Z (nth q x 0%Z)) at 2 by ring.
      rewrite Qmult_comm. now apply Qmult_le_compat_r.
    - apply (total_member (queues_of C (owner q)) (fun c => inject_Z (nth (fst c) x 0%Z) / rate_of C (fst c)) (q, level));
        [|assumption].
      intros c _. destruct (rate_of_bounds (fst c)) as [[P U] _]. specialize (H (fst c)). rewrite Zle_Qle in H.
      change (inject_Z 0) with 0 in H. apply Qle_shift_div_l; lra.
  Qed.
End Probabilities.
