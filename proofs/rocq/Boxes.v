(* From the tables and the trees of a mean's certificate to two bounds of a long-run mean.

   Everything is in units of 1/u. Both bounds use a function that is F = factor * V + offset far out and min(table, F) on
   the box, the valid states of measure below T. The upper bound needs Pg <= g - f + c of it; the lower one, whose h is
   -g with a table and a c of its own, Pg <= g + f - c. Whatever a table holds this is a function of the state, and the
   inequality is computed at each state of the box; outside it follows from a drift of V, which trees show as in Drift.v.
   So a table is a hint, as a tree is.

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
  (* Any function would do: states of one key have one entry. *)
  Definition state_key (x : state) : positive :=
    let digit (radix : Z) (k d : Z) := k * radix + d in
    let of_status s := match s with Idle => 0 | Busy q => 2 * Z.of_nat q + 1 | Phantom q => 2 * Z.of_nat q + 2 end in
    Z.to_pos (fold_left (digit (2 * Z.of_nat n + 1)) (map of_status (snd x)) (fold_left (digit T) (fst x) 1)).
  Definition box : list state :=
    flat_map (fun s => let e := executing C P s in map (fun d => (add e d, s)) (lengths_within weights (T - 1 - dot weights e)))
      (shapes statuses).
  Definition table (values : list Z) : trie := fold_left (fun t e => put (state_key (fst e)) (snd e) t) (combine box values) Nothing.
  Definition glued (entries : trie) (x : state) : Z :=
    if inside x then match find (state_key x) entries with Some v => Z.min v (far x) | None => far x end else far x.

  (* Of one bound: Pg <= g - sign * u * f + bound, with sign 1, or -1 for the lower one. *)
  Record side := Side { sign : Z; bound : Z; entries : trie }.
  Definition outcomes := law (change * list status).
  Definition denominator (l : outcomes) : positive := fold_right (fun e k => Z.to_pos (Z.lcm (Zpos (Qden (fst e))) (Zpos k))) 1%positive l.
  Fixpoint weighed (L : positive) (l : outcomes) : option (list (Z * (change * list status))) :=
    match l with
    | [] => Some []
    | e :: l =>
        let w := weight_of L e in
        if Qeq_bool (w # L) (fst e) then match weighed L l with Some rest => Some ((w, snd e) :: rest) | None => None end else None
    end.
  Fixpoint mean_of (L : positive) (t : trie) (x : state) (l : list (Z * (change * list status))) : Z :=
    match l with [] => 0 | e :: l => fst e * glued t (add (fst x) (fst (snd e)), snd (snd e)) + mean_of L t x l end.
  Definition row (sides : list side) (x : state) : bool :=
    let l := run (slot integers C P (fst x) (snd x)) in
    let L := denominator l in
    match weighed L l with
    | None => false
    | Some l =>
        let count := Zpos u * value (fst x) (f (snd x)) in
        every (fun d => mean_of L (entries d) x l <=? Zpos L * (glued (entries d) x - sign d * count + bound d)) sides
    end.
  Definition fall_of (d : side) (s : list status) : form := form_plus (form_times (sign d * Zpos u) (f s)) (form_const (- bound d)).
  Definition far_checked (d : side) (trees : list tree) : bool :=
    check C P V statuses factor (fall_of d) T (fun _ => box_measure) None trees.
  Definition bounded_below (slack : Z) (d : side) : bool := - slack <=? least_entry (entries d) offset.
  Definition mean_accepted (lower upper slack : Z) (above below : list Z) (trees_above trees_below : list tree) : bool :=
    if Nat.eqb (length statuses) (servers C) then
    if listed (repeat Idle (servers C)) statuses then
    if Nat.eqb (length weights) n then
    if every (Z.ltb 0) weights then
    if nonnegative V then
    if 0 <=? factor then
      let up := Side 1 upper (table above) in
      let down := Side (-1) (- lower) (table below) in
      if bounded_below slack up then if bounded_below slack down then
      if far_checked up trees_above then if far_checked down trees_below then
      every (row [up; down]) box
      else false else false else false else false
    else false else false else false else false else false else false.

  (* ---- soundness ---- *)

  Lemma glued_far t x : glued t x <= far x.
  Proof. unfold glued. destruct (inside x); [|lia]. destruct (find (state_key x) t); lia. Qed.
  Lemma weighed_sound L t x l : forall ws, weighed L l = Some ws ->
    integral L l /\ mean_of L t x ws = weighted L (fun y => glued t (add (fst x) (fst y), snd y)) l.
  Proof.
    induction l as [|e l IH]; intros ws; cbn [weighed].
    - intros [= <-]. split; [intros e []|reflexivity].
    - destruct (Qeq_bool (weight_of L e # L) (fst e)) eqn:Eq; [|discriminate]. apply Qeq_bool_iff in Eq.
      destruct (weighed L l) as [rest|]; [|discriminate]. intros [= <-]. destruct (IH rest eq_refl) as [I M].
      split; [intros d [<-|J]; auto|]. cbn [mean_of weighted fst snd]. now rewrite M.
  Qed.
  Definition inequality (d : side) (x : state) : Prop :=
    (E (fun y => inject_Z (glued (entries d) y)) (chain C P x)
     <= inject_Z (glued (entries d) x - sign d * (Zpos u * value (fst x) (f (snd x))) + bound d))%Q.
  Lemma row_sound sides x d : row sides x = true -> In d sides -> inequality d x.
  Proof.
    unfold row, inequality. rewrite chain_E. set (l := run _). set (L := denominator l). clearbody L. cbv zeta.
    destruct (weighed L l) as [ws|] eqn:W; [|discriminate]. intros H I. pose proof (every_In _ _ H d I) as R. cbv beta in R.
    apply Z.leb_le in R. destruct (weighed_sound L (entries d) x l ws W) as [It M]. rewrite M in R.
    rewrite (E_weighted L (fun y => glued (entries d) (add (fst x) (fst y), snd y)) l It).
    unfold Qle; cbn [Qnum Qden Qmult inject_Z]. rewrite !Pos.mul_1_l, !Z.mul_1_r. lia.
  Qed.
  Lemma far_sound d trees x : far_checked d trees = true -> valid C P statuses x -> inside x = false -> inequality d x.
  Proof.
    intros H Vx O. unfold inside, measured_below in O. apply Z.ltb_ge in O.
    pose proof (chain_drift _ _ _ _ _ _ _ _ _ _ H x Vx O) as D. cbv beta in D.
    destruct (chain_lawful _ _ _ _ _ _ _ _ _ _ H x Vx) as [Po One]. unfold inequality.
    unfold fall_of in D. rewrite value_plus, value_times, value_const in D.
    assert (glued (entries d) x = far x) as ->.
    { unfold glued, inside, measured_below. now apply Z.ltb_ge in O as ->. }
    apply Qle_trans with (E (fun y => inject_Z (far x) + inject_Z (factor * (value_of V y - value_of V x)))%Q (chain C P x)).
    - apply E_monotone; auto. intros e _. rewrite <- inject_Z_plus, <- Zle_Qle. pose proof (glued_far (entries d) (snd e)). unfold far in *. lia.
    - rewrite E_shifted by (split; auto). eapply Qle_trans; [apply Qplus_le_r, D|].
      rewrite <- inject_Z_opp, <- inject_Z_plus, <- Zle_Qle. lia.
  Qed.
  Lemma bounded_below_sound slack d x : bounded_below slack d = true -> 0 <= factor -> 0 <= value_of V x -> - slack <= glued (entries d) x.
  Proof.
    unfold bounded_below. intros H F Vx. apply Z.leb_le in H. destruct (least_entry_sound (entries d) offset) as [L1 L2].
    assert (- slack <= far x) by (unfold far; nia). unfold glued. destruct (inside x); auto.
    destruct (find (state_key x) (entries d)) as [v|] eqn:Fi; auto. specialize (L2 _ _ Fi). lia.
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
    Lemma scaled_inequality d x : inequality d x ->
      (E (fun y => glued (entries d) y # u) (chain C P x)
       <= (glued (entries d) x # u) - inject_Z (sign d) * measured f x + (bound d # u))%Q.
    Proof.
      unfold inequality, measured. set (z := sign d * _). intro H.
      assert (E (fun y => glued (entries d) y # u) (chain C P x) == (1 # u) * E (fun y => inject_Z (glued (entries d) y)) (chain C P x))%Q as ->.
      { rewrite <- (Qplus_0_l (_ * _)), <- (Qmult_0_l (E (fun _ => 1%Q) (chain C P x))), <- E_affine. apply E_equal. intros.
        unfold Qeq, Qplus, Qmult, inject_Z; cbn [Qnum Qden]. rewrite ?Pos2Z.inj_mul. ring. } apply (Qmult_le_compat_r _ _ (1 # u)) in H; [|easy].
      rewrite Qmult_comm. eapply Qle_trans; [exact H|]. apply Qle_lteq. right. unfold z, Qeq, Qminus, Qplus, Qopp, Qmult, inject_Z.
      cbn [Qnum Qden]. rewrite ?Pos2Z.inj_mul. ring.
    Qed.
    Lemma totals_in_units : forall k x, valid C P statuses x ->
      (times_of k (lower # u) - start x <= totals k x <= times_of k (upper # u) + start x)%Q.
    Proof.
      unfold mean_accepted in accepted. cbv zeta in accepted. split_ifs. set (up := Side 1 upper (table above)) in *.
      set (down := Side (-1) (- lower) (table below)) in *.
      match goal with A : far_checked up _ = true, B : far_checked down _ = true |- _ => rename A into Fu; rename B into Fd end.
      match goal with A : bounded_below _ up = true, B : bounded_below _ down = true |- _ => rename A into Bu; rename B into Bd end.
      match goal with A : nonnegative V = true, B : (0 <=? factor) = true |- _ => rename A into Nv; rename B into Nf; apply Z.leb_le in Nf end.
      match goal with A : Nat.eqb (List.length weights) _ = true, B : every (Z.ltb 0) weights = true |- _ =>
        rename A into Lw; rename B into Pw; apply Nat.eqb_eq in Lw end.
      assert (Lawful : forall x, valid C P statuses x -> is_law (chain C P x)) by (eapply chain_lawful; exact Fu).
      assert (Closed : forall x e, valid C P statuses x -> In e (chain C P x) -> valid C P statuses (snd e)) by (eapply chain_closed; exact Fu).
      assert (V0 : forall x, valid C P statuses x -> 0 <= value_of V x)
        by (intros y Vy; apply nonnegative_sound; auto; eapply valid_nonnegative; eauto).
      assert (All : forall d trees x, In d [up; down] -> far_checked d trees = true -> valid C P statuses x -> inequality d x).
      { intros d trees x I Fc Vx. destruct (inside x) eqn:O; [|now apply (far_sound d trees)].
        apply (row_sound [up; down]); auto. match goal with A : every _ box = true |- _ => apply (every_In _ _ A) end. now apply in_box. }
      assert (Low : forall d y, bounded_below slack d = true -> valid C P statuses y -> (- (slack # u) <= (glued (entries d) y # u))%Q).
      { intros d y B Vy. pose proof (bounded_below_sound slack d y B Nf (V0 y Vy)). unfold Qle; cbn. nia. }
      assert (High : forall d y, ((glued (entries d) y # u) + (slack # u) <= start y)%Q).
      { intros d y. pose proof (glued_far (entries d) y) as F. unfold far in F. unfold start, Qle, Qplus; cbn [Qnum Qden].
        rewrite ?Pos2Z.inj_mul. nia. }
      intros k x Vx. split.
      - eapply Qle_trans; [|apply (total_at_least _ _ _ Lawful Closed (fun y => - (glued (entries down) y # u))%Q (slack # u) (lower # u))]; auto.
        + pose proof (High down x). lra.
        + intros y Vy. pose proof (Low down y Bd Vy). lra.
        + intros y Vy. pose proof (scaled_inequality down y (All down _ y (or_intror (or_introl eq_refl)) Fd Vy)) as S.
          cbn [sign bound] in S. rewrite (E_equal _ (fun z => 0 + -(1) * (glued (entries down) z # u))%Q) by (intros; ring).
          rewrite E_affine. change (bound down) with (- lower) in S. change (sign down) with (-1) in S.
          assert ((- lower # u) == - (lower # u))%Q by reflexivity. change (inject_Z (-1)) with (-(1))%Q in S. lra.
      - eapply Qle_trans; [apply (total_at_most _ _ _ Lawful Closed (fun y => glued (entries up) y # u)%Q (slack # u) (upper # u))|]; auto.
        + intros y Vy. pose proof (scaled_inequality up y (All up _ y (or_introl eq_refl) Fu Vy)) as S.
          change (bound up) with upper in S. change (sign up) with 1 in S. change (inject_Z 1) with 1%Q in S. lra.
        + pose proof (High up x). lra.
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
