(* From the tables and the trees of a mean's certificate to two bounds of a long-run mean.

   Everything is in units of 1/u. Both bounds use a function that is F = factor * V + offset far out and min(table, F) on
   the box, the valid states of measure below T. The upper bound needs Pg <= g - f + c of it; the lower one, whose h is
   -g with entries and a c of its own, Pg <= g + f - c. Whatever a table holds this is a function of the state; the
   inequality is computed at each state of the box, and that no entry is above F or below a bound. Outside both follow
   from a drift of V, which trees show as in Drift.v. So a table is a hint, as a tree is.

   Believe: [measured] is part of the meaning of a theorem. *)
From Coq Require Import ZArith QArith Lqa List Bool Lia.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Means Tables.
Import ListNotations.
Open Scope Z_scope.

(* A form in the lengths, and numbers that count while a server's status meets a condition. *)
Definition with_statuses (f : form) (terms : list (condition * Z)) (s : list status) : form :=
  form_plus f (form_const (fold_right (fun t rest => (if met (fst t) s then snd t else 0) + rest) 0 terms)).
Definition measured (f : list status -> form) (x : state) : Q := inject_Z (value (fst x) (f (snd x))).

Section Box.
  Variables (C : cluster) (P : policy) (V : lyapunov) (statuses : list (list status)).
  Variables (u : positive) (f : list status -> form) (factor offset T : Z) (weights : vec).
  Notation n := (queues C (keeps P)).
  Definition box_measure : form := (0, weights).
  Definition inside (x : state) : bool := measured_below box_measure T x.
  Definition far (x : state) : Z := factor * value_of V x + offset.
  (* The key of a state: the place of each server's status in its list, and the lengths. *)
  Fixpoint place (f : status) (own : list status) (i : Z) : Z :=
    match own with [] => i | g :: own => if same_status f g then i else place f own (i + 1) end.
  Fixpoint key_of (s : list status) (lists : list (list status)) (x : vec) : list Z :=
    match s, lists with f :: s, own :: lists => place f own 0 :: key_of s lists x | _, _ => x end.
  (* In the order of their keys. *)
  Definition box : list state :=
    flat_map (fun s => let e := executing C P s in map (fun d => (add e d, s)) (lengths_within weights (T - 1 - dot weights e)))
      (shapes statuses).
  (* Entries for the upper and the lower bound; far out both are the same. *)
  Definition entries (above below : list Z) : table (Z * Z) :=
    table_of (length statuses + n)
      (map (fun e => let x := fst e in let v := far x in (key_of (snd x) statuses (fst x), (Z.min (fst (snd e)) v, Z.min (snd (snd e)) v)))
           (combine box (combine above below))).
  Definition glued (t : table (Z * Z)) (x : state) : Z * Z :=
    if inside x then match find t (key_of (snd x) statuses (fst x)) with Some v => v | None => let v := far x in (v, v) end
    else let v := far x in (v, v).

  Definition outcomes := law (change * list status).
  (* The weighted sums of both entries. *)
  Fixpoint means_of (t : table (Z * Z)) (x : vec) (l : list (Z * (Q * (change * list status)))) : Z * Z :=
    match l with
    | [] => (0, 0)
    | e :: l =>
        let v := glued t (add x (fst (snd (snd e))), snd (snd (snd e))) in
        let m := means_of t x l in (fst e * fst v + fst m, fst e * snd v + snd m)
    end.
  Definition between (lower upper z : Z) : bool := if lower <=? z then z <=? upper else false.
  (* Pg <= g - u f + upper and Ph <= h + u f - lower at x, and neither entry is below -slack or above the function far out. *)
  Definition row (lower upper slack : Z) (t : table (Z * Z)) (x : state) : bool :=
    let here := glued t x in let v := far x in
    if between (- slack) v (fst here) then if between (- slack) v (snd here) then
    let l := run (slot integers C P (fst x) (snd x)) in
    let L := common fst l in
    match weighed fst L l with
    | None => false
    | Some l =>
        let count := Zpos u * value (fst x) (f (snd x)) in
        let m := means_of t (fst x) l in
        if fst m <=? Zpos L * (fst here - count + upper) then snd m <=? Zpos L * (snd here + count - lower) else false
    end
    else false else false.
  (* Of one bound: Pg <= g - sign * u * f + bound, with sign 1, or -1 for the lower one. *)
  Record side := Side { sign : Z; bound : Z; entry : Z * Z -> Z }.
  Definition up (upper : Z) : side := Side 1 upper fst.
  Definition down (lower : Z) : side := Side (-1) (- lower) snd.
  Definition fall_of (d : side) (s : list status) : form := form_plus (form_times (sign d * Zpos u) (f s)) (form_const (- bound d)).
  Definition far_checked (d : side) (trees : list tree) : bool :=
    check C P V statuses factor (fall_of d) T (fun _ => box_measure) None trees.
  Definition mean_accepted (lower upper slack : Z) (above below : list Z) (trees_above trees_below : list tree) : bool :=
    if Nat.eqb (length statuses) (servers C) then
    if listed (repeat Idle (servers C)) statuses then
    if Nat.eqb (length weights) n then
    if every (Z.ltb 0) weights then
    if nonnegative V then
    if 0 <=? factor then
    if - slack <=? offset then
    if far_checked (up upper) trees_above then if far_checked (down lower) trees_below then
      let t := entries above below in every (row lower upper slack t) box
    else false else false else false else false else false else false else false else false else false.

  (* ---- soundness ---- *)

  Lemma weighed_means L t x l :
    let m := means_of t x (map (fun e => (weight_of L (fst e), e)) l) in let next y := glued t (add x (fst y), snd y) in
    fst m = weighted L (fun y => fst (next y)) l /\ snd m = weighted L (fun y => snd (next y)) l.
  Proof. induction l as [|e l [IH1 IH2]]; cbn [map means_of weighted fst snd]; [auto|]. cbv zeta in *. now rewrite IH1, IH2. Qed.
  Definition inequality (t : table (Z * Z)) (d : side) (x : state) : Prop :=
    (E (fun y => inject_Z (entry d (glued t y))) (chain C P x)
     <= inject_Z (entry d (glued t x) - sign d * (Zpos u * value (fst x) (f (snd x))) + bound d))%Q.
  Definition bounded (slack : Z) (t : table (Z * Z)) (d : side) (x : state) : Prop := - slack <= entry d (glued t x) <= far x.
  Lemma between_ok lower upper z : between lower upper z = true -> lower <= z <= upper.
  Proof. unfold between. intro H. apply if_true in H as [A B]. apply Z.leb_le in A, B. auto. Qed.
  Lemma row_sound lower upper slack t x d : row lower upper slack t x = true -> d = up upper \/ d = down lower ->
    bounded slack t d x /\ inequality t d x.
  Proof.
    unfold row, inequality, bounded. intros H D. cbv zeta in H. apply if_true in H as [B1 H]. apply if_true in H as [B2 H].
    apply between_ok in B1, B2. split; [destruct D as [-> | ->]; assumption|].
    rewrite chain_E. set (l := run _) in *. set (L := common fst l) in *. clearbody L.
    destruct (weighed fst L l) as [ws|] eqn:W; [|discriminate]. apply weighed_sound in W as [-> W].
    destruct (weighed_means L t (fst x) l) as [M1 M2]. rewrite M1, M2 in H. apply if_true in H as [H1 H2]. apply Z.leb_le in H1, H2.
    rewrite (E_weighted L (fun y => entry d (glued t (add (fst x) (fst y), snd y))) l (fun e I => proj2 (W e I))).
    unfold Qle; cbn [Qnum Qden Qmult inject_Z]. rewrite !Pos.mul_1_l, !Z.mul_1_r. destruct D as [-> | ->]; cbn [up down sign bound entry]; lia.
  Qed.
  Lemma in_box x : every (Z.ltb 0) weights = true -> length weights = n -> valid C P statuses x -> inside x = true -> In x box.
  Proof.
    intros Pos Lw (Ln & In_ & Lo) I. destruct x as [x s]. cbn [fst snd] in *. unfold inside, measured_below, box_measure, value in I.
    cbn [fst snd] in I. apply Z.ltb_lt in I. unfold box. apply in_flat_map. exists s. split; [now apply shapes_In|]. cbv zeta.
    set (e := executing C P s) in *. set (d := add x (map Z.opp e)).
    assert (Le : length e = length x) by (clear - Lo; induction Lo; cbn; congruence).
    assert (add e d = x) as Eq by (clear - Lo; unfold d; induction Lo as [|a b l l' A Lo IH]; cbn; auto; rewrite IH; f_equal; lia).
    apply in_map_iff. exists d. split; [now rewrite Eq|]. apply lengths_within_complete; auto.
    - unfold d. rewrite length_add. congruence.
    - clear - Lo. unfold d. induction Lo; cbn; constructor; auto; lia.
    - assert (dot weights (add e d) = dot weights e + dot weights d) as Sum by (apply dot_add; unfold d; now rewrite length_add).
      rewrite Eq in Sum. lia.
  Qed.

  (* With every row of a table checked. *)
  Section Rows.
    Variables (lower upper slack : Z) (t : table (Z * Z)).
    Hypothesis rows : every (row lower upper slack t) box = true.
    Hypothesis positive_weights : every (Z.ltb 0) weights = true.
    Hypothesis weights_of_queues : length weights = n.
    Hypothesis factor_nonnegative : 0 <= factor.
    Hypothesis offset_above : - slack <= offset.
    Hypothesis V_nonnegative : forall x, valid C P statuses x -> 0 <= value_of V x.
    Lemma every_bounded d x : d = up upper \/ d = down lower -> valid C P statuses x -> bounded slack t d x.
    Proof.
      intros D Vx. destruct (inside x) eqn:I.
      - apply (row_sound lower upper); auto. apply (every_In _ _ rows). now apply in_box.
      - pose proof (V_nonnegative x Vx). assert (- slack <= far x) by (unfold far; nia).
        unfold bounded, glued. rewrite I. destruct D as [-> | ->]; cbn [up down entry fst snd]; lia.
    Qed.
    Lemma far_sound d trees x : d = up upper \/ d = down lower -> far_checked d trees = true -> valid C P statuses x -> inside x = false ->
      inequality t d x.
    Proof.
      intros Dd H Vx O. assert (entry d (glued t x) = far x) as Here by (unfold glued; rewrite O; destruct Dd as [-> | ->]; reflexivity).
      unfold inside, measured_below in O. apply Z.ltb_ge in O.
      pose proof (chain_drift _ _ _ _ _ _ _ _ _ _ H x Vx O) as D. cbv beta in D.
      pose proof (chain_lawful _ _ _ _ _ _ _ _ _ _ H x Vx) as Lawful. unfold inequality. rewrite Here.
      unfold fall_of in D. rewrite value_plus, value_times, value_const in D.
      apply Qle_trans with (E (fun y => inject_Z (far x) + inject_Z (factor * (value_of V y - value_of V x)))%Q (chain C P x)).
      - apply E_monotone; [apply Lawful|]. intros e I. rewrite <- inject_Z_plus, <- Zle_Qle.
        pose proof (every_bounded d (snd e) Dd (chain_closed _ _ _ _ _ _ _ _ _ _ H x e Vx I)) as [_ Le]. unfold far in *. lia.
      - rewrite E_shifted by exact Lawful. eapply Qle_trans; [apply Qplus_le_r, D|].
        rewrite <- inject_Z_opp, <- inject_Z_plus, <- Zle_Qle. lia.
    Qed.
    Lemma every_inequality d trees x : d = up upper \/ d = down lower -> far_checked d trees = true -> valid C P statuses x ->
      inequality t d x.
    Proof.
      intros D H Vx. destruct (inside x) eqn:O; [|now apply (far_sound d trees)].
      apply (row_sound lower upper slack); auto. apply (every_In _ _ rows). now apply in_box.
    Qed.
  End Rows.

  Section Accepted.
    Variables (lower upper slack : Z) (above below : list Z) (trees_above trees_below : list tree).
    Hypothesis accepted : mean_accepted lower upper slack above below trees_above trees_below = true.
    (* What the start may cost. *)
    Definition start (x : state) : Q := (factor * value_of V x + offset + slack) # u.
    Notation totals := (total (chain C P) (measured f)).
    Theorem mean_empty_valid : valid C P statuses (empty_state C P).
    Proof.
      unfold mean_accepted in accepted. cbv zeta in accepted. split_ifs. unfold empty_state. split; [apply repeat_length|]. cbn [fst snd]. split; [now apply listed_In|].
      rewrite executing_idle. generalize n. intro q. induction q; cbn; constructor; auto. lia.
    Qed.
    Lemma scaled_inequality t d x : inequality t d x ->
      (E (fun y => entry d (glued t y) # u) (chain C P x)
       <= (entry d (glued t x) # u) - inject_Z (sign d) * measured f x + (bound d # u))%Q.
    Proof.
      unfold inequality, measured. set (z := sign d * _). intro H.
      assert (E (fun y => entry d (glued t y) # u) (chain C P x) == (1 # u) * E (fun y => inject_Z (entry d (glued t y))) (chain C P x))%Q as ->.
      { rewrite <- (Qplus_0_l (_ * _)), <- (Qmult_0_l (E (fun _ => 1%Q) (chain C P x))), <- E_affine. apply E_equal. intros.
        unfold Qeq, Qplus, Qmult, inject_Z; cbn [Qnum Qden]. rewrite ?Pos2Z.inj_mul. ring. } apply (Qmult_le_compat_r _ _ (1 # u)) in H; [|easy].
      rewrite Qmult_comm. eapply Qle_trans; [exact H|]. apply Qle_lteq. right. unfold z, Qeq, Qminus, Qplus, Qopp, Qmult, inject_Z.
      cbn [Qnum Qden]. rewrite ?Pos2Z.inj_mul. ring.
    Qed.
    Lemma totals_in_units : forall k x, valid C P statuses x ->
      (times_of k (lower # u) - start x <= totals k x <= times_of k (upper # u) + start x)%Q.
    Proof.
      unfold mean_accepted in accepted. cbv zeta in accepted. split_ifs. set (t := entries above below) in *.
      match goal with A : far_checked (up _) _ = true, B : far_checked (down _) _ = true |- _ => rename A into Fu; rename B into Fd end.
      match goal with A : (- slack <=? offset) = true, B : (0 <=? factor) = true |- _ => apply Z.leb_le in A, B; rename A into Os; rename B into Nf end.
      match goal with A : Nat.eqb (List.length weights) _ = true, B : every (Z.ltb 0) weights = true |- _ =>
        rename A into Lw; rename B into Pw; apply Nat.eqb_eq in Lw end.
      match goal with A : every _ box = true, B : nonnegative V = true |- _ => rename A into Rows; rename B into Nv end.
      assert (Lawful : forall x, valid C P statuses x -> is_law (chain C P x)) by (eapply chain_lawful; exact Fu).
      assert (Closed : forall x e, valid C P statuses x -> In e (chain C P x) -> valid C P statuses (snd e)) by (eapply chain_closed; exact Fu).
      assert (V0 : forall x, valid C P statuses x -> 0 <= value_of V x)
        by (intros y Vy; apply nonnegative_sound; auto; eapply valid_nonnegative; eauto).
      pose proof (every_bounded lower upper slack t Rows Pw Lw Nf Os V0) as Between.
      pose proof (every_inequality lower upper slack t Rows Pw Lw Nf Os V0) as All.
      assert (Low : forall d y, bounded slack t d y -> (- (slack # u) <= (entry d (glued t y) # u))%Q).
      { intros d y [B _]. unfold Qle; cbn. nia. }
      assert (High : forall d y, bounded slack t d y -> ((entry d (glued t y) # u) + (slack # u) <= start y)%Q).
      { intros d y [_ B]. unfold far in B. unfold start, Qle, Qplus; cbn [Qnum Qden]. rewrite ?Pos2Z.inj_mul. nia. }
      intros k x Vx. split.
      - eapply Qle_trans; [|apply (total_at_least _ _ _ Lawful Closed (fun y => - (snd (glued t y) # u))%Q (slack # u) (lower # u))]; auto.
        + pose proof (High (down lower) x (Between _ x (or_intror eq_refl) Vx)) as K. cbn [down entry] in K. lra.
        + intros y Vy. pose proof (Low (down lower) y (Between _ y (or_intror eq_refl) Vy)) as K. cbn [down entry] in K. lra.
        + intros y Vy. pose proof (scaled_inequality t _ y (All (down lower) _ y (or_intror eq_refl) Fd Vy)) as S.
          cbn [down sign bound entry] in S. rewrite (E_equal _ (fun z => 0 + -(1) * (snd (glued t z) # u))%Q) by (intros; ring).
          rewrite E_affine. assert ((- lower # u) == - (lower # u))%Q by reflexivity. change (inject_Z (-1)) with (-(1))%Q in S. lra.
      - eapply Qle_trans; [apply (total_at_most _ _ _ Lawful Closed (fun y => fst (glued t y) # u)%Q (slack # u) (upper # u))|]; auto.
        + intros y Vy. exact (Low (up upper) y (Between _ y (or_introl eq_refl) Vy)).
        + intros y Vy. pose proof (scaled_inequality t _ y (All (up upper) _ y (or_introl eq_refl) Fu Vy)) as S.
          cbn [up sign bound entry] in S. change (inject_Z 1) with 1%Q in S. lra.
        + pose proof (High (up upper) x (Between _ x (or_introl eq_refl) Vx)) as K. cbn [up entry] in K. lra.
    Qed.
    (* The bounds in lowest terms, or any wider ones. *)
    Variables least most : Q.
    Hypothesis least_low : Qle_bool least (lower # u) = true.
    Hypothesis most_high : Qle_bool (upper # u) most = true.
    Theorem totals_bounded k x : valid C P statuses x ->
      (times_of k least - start x <= totals k x <= times_of k most + start x)%Q.
    Proof.
      intro Vx. destruct (totals_in_units k x Vx) as [Lo Up]. apply Qle_bool_iff in least_low, most_high. unfold times_of in *.
      assert (K : forall a b, (a <= b -> inject_Z (Z.of_nat k) * a <= inject_Z (Z.of_nat k) * b)%Q).
      { intros a b Le. rewrite !(Qmult_comm (inject_Z (Z.of_nat k))). apply Qmult_le_compat_r; auto.
        change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. lia. }
      apply K in least_low, most_high. split; lra.
    Qed.
    (* From every state the averages come within every eps > 0 of the interval and stay there; [start] says when. *)
    Theorem averages_bounded x eps : valid C P statuses x -> (0 < eps)%Q -> exists N, forall k, (N <= k)%nat ->
      (least - eps <= average (chain C P) (measured f) k x <= most + eps)%Q.
    Proof.
      intros Vx Eps. destruct (eventually_large (start x) eps Eps) as (N & N0 & Large). exists N. intros k Le.
      apply average_near with (start := start x); auto; [intro j; now apply totals_bounded|lia].
    Qed.
  End Accepted.
End Box.
