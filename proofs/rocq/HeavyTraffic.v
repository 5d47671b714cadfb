(* From the trees of a heavy-traffic certificate to a bound of the mean number of tasks at every slack of a family.

   [heavy_accepted] checks the facts of Balance.v at both ends. H weighs every queue that is not empty, and so H^2/2
   outgrows what is linear in the function g of Slack.v: g is bounded below ([whole_bounded]). So is the function G of
   what is left of the tasks, whose drift is checked as in Drift.v, once it is added to g. [tasks_bounded] is then
   Slack.v's [total_between]; [few_tasks] and [few_tasks_but_for_a_logarithm] say the same with the numbers that a
   statement shows. *)
From Coq Require Import ZArith QArith Qpower Qfield Lqa List Bool Lia.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Means Slack Linear Powers Collapse.
From Schedproof Require Import Balance.
Import ListNotations.
Open Scope Z_scope.

Record hints := Hints { balance_trees : list tree; collapse_trees : list tree; rest_trees : list tree }.
Definition no_rest : rest_of_tasks := Rest 1 [] (Lyapunov [] []) 0.
Definition rest_of (U : upper) : rest_of_tasks := match rest U with Some r => r | None => no_rest end.

Section Family.
  Variables (C : cluster) (factors : list (list moving)) (P : policy).
  Variables (statuses : list (list status)) (empty : list nat) (U : upper) (largest : Q) (T : hints).
  Notation B := (constants U). Notation n := (queues C (keeps P)). Notation r := (rest_of U).
  Definition at_slack (eps : Q) : cluster := with_arrivals C (map (factor_at eps) factors).
  Definition start_of_family : ending := Ending (at_slack 0) 0 (lead_at_zero U).
  Definition end_of_family : ending := Ending (at_slack largest) (slack_at_end U) (lead_at_end U).
  Definition endings : list ending := [start_of_family; end_of_family].
  Definition both (checked : ending -> list status -> tree -> bool) (trees : list tree) : bool :=
    let asked := flat_map (fun e => map (pair e) (shapes statuses)) endings in
    if Nat.eqb (length trees) (length asked)
    then every (fun q => checked (fst (fst q)) (snd (fst q)) (snd q)) (combine asked trees) else false.
  Definition has_forms : bool := match windows U with [] => false | _ => true end.
  (* H + r + C - tasks, times the denominators. *)
  Definition tasks_form (s : list status) : form :=
    let u := Zpos (unit U) in let g := Zpos (unit_of_rest r) in let d := QDen (beyond U) in
    form_plus (form_times (g * d) (linear_form (workload U) s))
      (form_plus (form_times (u * d) (0, left_over r)) (u * g * Qnum (beyond U), repeat (- (u * g * d)) n)).
  Definition tasks_checked (s : list status) : bool :=
    let f := tasks_form s in
    match least (clear empty 0 (snd f)) (executing C P s) with Some v => 0 <=? fst f + v | None => false end.
  Definition rest_checked (e : ending) (trees : list tree) : bool :=
    check (at_end e) P (rest_function r) statuses 1 (fun _ => form_plus (0, left_over r) (form_const (- rest_bound r)))
      0 (fun _ => form_const 0) None trees.
  Definition rest_accepted : bool :=
    match rest U with
    | None => true
    | Some r =>
        let half := length (shapes statuses) in
        if nonnegative (Lyapunov (products (rest_function r)) []) then
          if rest_checked start_of_family (firstn half (rest_trees T))
          then rest_checked end_of_family (skipn half (rest_trees T)) else false
        else false
    end.
  Definition numbers_accepted : bool :=
    if Qle_bool largest 0 then false else if Qle_bool (slack_at_end U) 0 then false else
    if Qle_bool (rate B) 0 then false else
    if Qle_bool 0 (moment B) then
    if Qle_bool (base_q U) 1 then false else
    if Qle_bool 0 (spread B) then if has_forms then true else Qeq_bool (spread B) 0 else false
    else false.
  Definition heavy_accepted : bool :=
    if is_family factors then
    if Nat.eqb (length statuses) (servers C) then
    if listed (repeat Idle (servers C)) statuses then
    if numbers_accepted then
    if Nat.eqb (length (per_task (workload U))) n then
    if weighs_all empty 0 (per_task (workload U)) then
    if every (fun t => 0 <=? snd t) (per_status (workload U)) then
    if every tasks_checked (shapes statuses) then
    if rest_accepted then
    if both (balance_checked P statuses empty U) (balance_trees T) then
      if has_forms then
        let powers_q := powers_of (base_q U) in both (fun e => collapse_checked P empty U e powers_q) (collapse_trees T)
      else true
    else false else false else false else false else false else false else false else false else false else false.

  (* ---- soundness ---- *)

  Notation inside := (confined C P statuses empty).
  Hypothesis accepted : heavy_accepted = true.
  Lemma family : is_family factors = true.
  Proof. unfold heavy_accepted in accepted. now split_ifs. Qed.
  Lemma numbers : (0 < largest /\ 0 < slack_at_end U /\ 0 < rate B /\ 0 <= moment B /\ 0 <= spread B)%Q
    /\ (windows U = [] -> (spread B == 0)%Q) /\ (1 < base_q U)%Q.
  Proof.
    unfold heavy_accepted in accepted. split_ifs. match goal with K : numbers_accepted = true |- _ => rename K into N
      end.
    unfold numbers_accepted, has_forms in N.
    assert (forall q z, Qle_bool q z = false -> (z < q)%Q) as Gt.
    { intros q z Hq. apply Qnot_le_lt. intro K. apply Qle_bool_iff in K. congruence. }
    destruct (Qle_bool largest 0) eqn:L; [discriminate|]. destruct (Qle_bool (slack_at_end U) 0) eqn:S; [discriminate|].
    destruct (Qle_bool (rate B) 0) eqn:R; [discriminate|]. apply if_true in N as [M N].
    destruct (Qle_bool (base_q U) 1) eqn:O; [discriminate|]. apply if_true in N as [Sp N].
    apply Qle_bool_iff in M, Sp. split; [repeat split; auto|]. split; [|auto]. intro Ws. rewrite Ws in N.
    now apply Qeq_bool_iff.
  Qed.
  Lemma both_ok checked trees e s : both checked trees = true -> In e endings -> Forall2 (@In status) s statuses ->
    exists t, checked e s t = true.
  Proof.
    unfold both. cbv zeta. intros H Ie Is. apply shapes_In in Is. set (asked := flat_map _ endings) in H.
    apply if_true in H as [Le H].
    apply Nat.eqb_eq in Le. assert (In (e, s) asked) as I. { apply in_flat_map. exists e. split; auto.
    now apply in_map. }
    clearbody asked. revert trees Le H. induction asked as [|a l IH]; [contradiction|].
    intros [|t trees] Le H; [discriminate|].
    injection Le as Le. cbn [combine every] in H. apply if_true in H as [Ht H].
    destruct I as [->|I]; [exists t; exact Ht|eauto].
  Qed.
  Notation work x := (linear_at (workload U) x # unit U)%Q.
  Notation worth x := (linear_at (priced U) x # unit U)%Q.
  Notation repair x := (linear_at (correction U) x # unit U)%Q.
  Notation F := (exponential_part U).
  Definition rest_value (x : state) : Q := value_of (rest_function r) x # unit_of_rest r.
  Definition rest_tasks (x : state) : Q := dot (left_over r) (fst x) # unit_of_rest r.
  Definition rest_constant : Q := rest_bound r # unit_of_rest r.
  Notation ending_chain e := (chain (at_end e) P).

  Lemma inside_of e x : In e endings -> inside x -> confined (at_end e) P statuses empty x.
  Proof. intros [<-|[<-|[]]] V; exact V. Qed.
  Lemma ending_law e x : In e endings -> inside x ->
    law_holds P statuses empty e (fst x) (snd x) (run (slot integers (at_end e) P (fst x) (snd x))) /\
    balanced_slot U e (fst x) (snd x) (run (slot integers (at_end e) P (fst x) (snd x))).
  Proof.
    intros I V. destruct numbers as ((_ & _ & _ & _ & Sp) & No & Ab). unfold heavy_accepted in accepted. split_ifs.
    match goal with K : both (balance_checked _ _ _ _) _ = true |- _ => destruct (both_ok _ _ e (snd x) K I) as [t Ht]
      end; [apply V|].
    apply (balance_checked_ok P statuses empty U e Sp No Ab x t); auto. now apply inside_of.
  Qed.
  Lemma ending_E e (f : state -> Q) x : (E f (ending_chain e x) == E (fun y => f (next (fst x) y)) (run (slot integers
    (at_end e) P (fst x) (snd x))))%Q.
  Proof. now rewrite chain_E. Qed.
  Lemma ending_lawful e x : In e endings -> inside x -> is_law (ending_chain e x).
  Proof.
    intros I V. destruct (ending_law e x I V) as (([Po One] & _) & _). split; [|now rewrite ending_E].
    intros o Io. unfold chain in Io. apply in_map_iff in Io as (d & <- & Io). exact (Po d Io).
  Qed.
  Lemma ending_closed e x o : In e endings -> inside x -> In o (ending_chain e x) -> inside (snd o).
  Proof.
    intros I V Io. destruct (ending_law e x I V) as ((_ & All) & _). unfold chain in Io.
    apply in_map_iff in Io as (d & <- & Io).
    destruct (All d Io) as [_ K]. destruct I as [<-|[<-|[]]]; exact K.
  Qed.
  Lemma ending_change e h x : In e endings -> inside x -> let m := unit_change U h (snd x) in
    forall f : Q -> Q, (forall a b, a == b -> f a == f b)%Q ->
    (E (fun y => f ((linear_at h y # unit U) - (linear_at h x # unit U))) (ending_chain e x)
     == E (fun y => f (m y)) (run (slot integers (at_end e) P (fst x) (snd x))))%Q.
  Proof.
    intros I V m f Pf. rewrite ending_E. destruct (ending_law e x I V) as ((_ & All) & _). apply E_equal.
    intros o Io. apply Pf.
    destruct (All o Io) as [Ln _]. destruct x as [x s]. cbn [fst snd] in *. rewrite (linear_next h x s _ Ln).
    unfold m, unit_change.
    unfold Qeq, Qminus, Qplus, Qopp; cbn [Qnum Qden]. rewrite Pos2Z.inj_mul. ring.
  Qed.
  Lemma ending_balanced e N x : In e endings -> inside x ->
    balanced B (fun y => work y) (fun y => worth y) (fun y => repair y) F (lift_at (base_q U) N) (weight_at (base_q U)
      N)
      (sigma_there e) (lead_there e) (ending_chain e x) x.
  Proof.
    intros I V. destruct (ending_law e x I V) as (_ & Ba). destruct Ba as [Ub Ba]. specialize (Ba N).
    unfold balanced, loss.
    pose proof (ending_change e (priced U) x I V (fun z => z) ltac:(auto)) as C0.
    pose proof (ending_change e (workload U) x I V (fun z => z) ltac:(auto)) as C1.
    pose proof (ending_change e (correction U) x I V (fun z => z) ltac:(auto)) as C2.
    pose proof (ending_change e (workload U) x I V (fun z => z * z)%Q ltac:(intros a b Eq; cbv beta; rewrite Eq;
      reflexivity)) as C3.
    cbv beta in *. rewrite C0, C1, C2, C3. split; [exact Ub|]. destruct x; exact Ba.
  Qed.
  Lemma ending_collapses e x : In e endings -> inside x -> collapses B F (ending_chain e x) x.
  Proof.
    intros I V. unfold collapses. destruct numbers as ((_ & _ & Rp & Mo & _) & _ & Ab).
    destruct (windows U) as [|w ws] eqn:Ws.
    - unfold exponential_part. rewrite Ws. cbn [exponentials fold_right].
      rewrite (E_constant 0) by now apply ending_lawful. lra.
    - assert (windows U <> []) as Ne by congruence. rewrite ending_E. destruct (ending_law e x I V) as (Lw & _).
      unfold heavy_accepted, has_forms in accepted. rewrite Ws in accepted. split_ifs.
      match goal with K : both (fun e => collapse_checked _ _ _ _ _) _ = true |- _ => destruct (both_ok _ _ e (snd x)
        K I) as [t Ht] end; [apply V|].
      apply (collapse_checked_ok P statuses empty U e Ab x t); auto. now apply inside_of.
  Qed.
  Lemma rest_falls e x : In e endings -> inside x -> (E rest_value (ending_chain e x) <= rest_value x - (rest_tasks x
    - rest_constant))%Q.
  Proof.
    intros I V. unfold rest_value, rest_tasks, rest_constant.
    assert (rest U = None \/ exists trees, rest_checked e trees = true) as [No|[trees K]].
    { unfold heavy_accepted, rest_accepted in accepted. split_ifs. destruct (rest U); [right|now left]. split_ifs.
      match goal with K : rest_checked start_of_family ?a = true, K' : rest_checked end_of_family ?b = true |- _ =>
        destruct I as [<-|[<-|[]]]; [exists a; exact K|exists b; exact K'] end. }
    - unfold rest_of. rewrite No. cbn [unit_of_rest left_over rest_bound no_rest dot].
      rewrite (E_equal _ (fun _ => 0%Q)).
      + rewrite E_constant by now apply ending_lawful. discriminate.
      + reflexivity.
    - unfold rest_checked in K. pose proof (chain_drift _ _ _ _ _ _ _ _ _ _ K x (proj1 (inside_of e x I V)) ltac:(cbv
      beta; rewrite value_const; lia)) as D.
      cbv beta in D. rewrite value_plus, value_const in D.
      assert (value (fst x) (0, left_over r) = dot (left_over r) (fst x)) as Dl by (unfold value; cbn [fst snd];
        lia). rewrite Dl in D.
      pose proof (ending_lawful e x I V) as L. set (g := unit_of_rest r).
      rewrite (E_equal _ (fun z => (value_of (rest_function r) x # g) + (1 # g) * inject_Z (1 * (value_of
        (rest_function r) z - value_of (rest_function r) x)))%Q).
      + rewrite E_shifted, E_times by exact L.
        apply (Qmult_le_compat_r _ _ (1 # g)) in D; [|unfold Qle; cbn; lia]. rewrite (Qmult_comm (1 # g)).
        eapply Qle_trans; [apply Qplus_le_r, D|]. apply Qle_lteq. right.
        unfold Qeq, Qminus, Qplus, Qopp, Qmult, inject_Z; cbn [Qnum Qden].
        rewrite ?Pos2Z.inj_mul. ring.
      + intros o _. unfold Qeq, Qminus, Qplus, Qopp, Qmult, inject_Z; cbn [Qnum Qden]. rewrite ?Pos2Z.inj_mul. ring.
  Qed.

  (* H is at least zero, and what is linear is at most a multiple of it plus a constant. *)
  Lemma workload_weighs x : inside x -> 0 <= linear_at (workload U) x /\
    forall a, Z.abs (dot a (fst x)) <= size a * linear_at (workload U) x.
  Proof.
    intros [V Em]. pose proof (valid_nonnegative _ _ _ _ V) as N. destruct V as (Ln & _).
    unfold heavy_accepted in accepted. split_ifs.
    match goal with K : Nat.eqb (List.length (per_task _)) _ = true |- _ => apply Nat.eqb_eq in K; rename K into Lw end.
    match goal with K : every (fun t => 0 <=? snd t) _ = true |- _ => apply (status_part_nonnegative _ (snd x)) in K;
      rename K into Sn end.
    match goal with K : weighs_all _ _ _ = true |- _ => destruct (weighs_each empty _ 0 (fst x) K) as [D0 D];
      [congruence|exact N| |] end.
    { intros q I. rewrite Forall_forall in Em. now apply Em. }
    unfold linear_at, linear_form, value; cbn [fst snd]. split; [lia|]. intro a.
    apply dot_at_most; auto; [intro q; specialize (D q); lia|lia].
  Qed.
  Lemma linear_bounded h : exists a b, (0 <= a /\ 0 <= b)%Q /\ forall x, inside x ->
    (- (a * work x + b) <= linear_at h x # unit U <= a * work x + b)%Q.
  Proof.
    exists (inject_Z (size (per_task h))), (size (map snd (per_status h)) # unit U). split.
    - split; [change 0%Q with (inject_Z 0); rewrite <- Zle_Qle; apply size_nonnegative|].
      unfold Qle; cbn. rewrite Z.mul_1_r. apply size_nonnegative.
    - intros x V. destruct (workload_weighs x V) as [_ W]. specialize (W (per_task h)).
      pose proof (status_part_size h (snd x)) as S.
      assert (inject_Z (size (per_task h)) * work x + (size (map snd (per_status h)) # unit U)
              == size (per_task h) * linear_at (workload U) x + size (map snd (per_status h)) # unit U)%Q as ->.
      { unfold Qeq, Qplus, Qmult, inject_Z; cbn [Qnum Qden]. rewrite !Pos2Z.inj_mul. ring. }
      assert (Z.abs (linear_at h x) <= size (per_task h) * linear_at (workload U) x + size (map snd (per_status h)))
        as A.
      { unfold linear_at at 1, value, linear_form; cbn [fst snd]. lia. }
      unfold Qle, Qopp; cbn [Qnum Qden]. split; apply Z.mul_le_mono_nonneg_r; lia.
  Qed.
  Lemma rest_bounded : exists a b, (0 <= a /\ 0 <= b)%Q /\ forall x, inside x -> (- (a * work x + b) <= rest_value x)%Q.
  Proof.
    destruct (regrets_size (regrets (rest_function r))) as (a & b & A & Bb & K). set (g := unit_of_rest r).
    exists (a * Zpos (unit U) # g), (b # g). split; [unfold Qle; cbn; lia|]. intros x V.
    destruct (workload_weighs x V) as [W0 W]. specialize (K (fst x) (snd x) _ W0 W).
    assert (0 <= products_value (products (rest_function r)) (fst x)) as Po.
    { unfold heavy_accepted, rest_accepted in accepted. split_ifs. unfold rest_of. destruct (rest U); [|cbn; lia].
      split_ifs.
      match goal with K : nonnegative _ = true |- _ => apply (nonnegative_sound _ x) in K;
        [|apply (valid_nonnegative _ _ _ _ (proj1 V))];
        unfold value_of in K; cbn [regrets_value fold_right products regrets] in K end. lia. }
    assert ((a * Zpos (unit U) # g) * work x + (b # g) == (a * linear_at (workload U) x + b) # g)%Q as ->.
    { unfold Qeq, Qplus, Qmult; cbn [Qnum Qden]. rewrite !Pos2Z.inj_mul. ring. }
    unfold rest_value, value_of, Qle, Qopp; cbn [Qnum Qden]. fold g. apply Z.mul_le_mono_nonneg_r; lia.
  Qed.
  Definition whole (N : Z) (sigma : Q) (x : state) : Q :=
    (potential B (fun y => work y) (fun y => worth y) (fun y => repair y) F (lift_at (base_q U) N) (weight_at (base_q
      U) N) x + sigma * rest_value x)%Q.
  Lemma whole_bounded N sigma : (0 <= sigma)%Q -> exists m, forall x, inside x -> (- m <= whole N sigma x)%Q.
  Proof.
    intro Sg. destruct (linear_bounded (correction U)) as (a1 & b1 & (A1 & B1) & K1).
    destruct (linear_bounded (priced U)) as (a2 & b2 & (A2 & B2) & K2).
    destruct rest_bounded as (a3 & b3 & (A3 & B3) & K3).
    destruct numbers as ((_ & _ & Rp & _ & Sp) & No & Ab).
    set (c := (with_loss B + spread B * lift_at (base_q U) N)%Q). set (c' := Qabs.Qabs c).
    set (a := (a1 + c' * a2 + sigma * a3)%Q). set (b := (b1 + c' * b2 + sigma * b3)%Q).
    exists ((1 # 2) * (a * a) + b)%Q. intros x V. unfold whole, potential. fold c.
    destruct (K1 x V) as [K1' _]. destruct (K2 x V) as [K2' K2''].
    assert (0 <= c' /\ - c' <= c <= c')%Q as (C0 & Cl & Cu).
    { split; [apply Qabs.Qabs_nonneg|]. apply Qabs.Qabs_Qle_condition. apply Qle_refl. }
    assert (- (c' * (a2 * work x + b2)) <= - (c * worth x))%Q as L2.
    { set (h := worth x) in *. set (t := (a2 * work x + b2)%Q) in *. clearbody h t c'.
      assert (0 <= (c' - c) * (t + h))%Q by (apply Qmult_le_0_compat; lra).
      assert (0 <= (c' + c) * (t - h))%Q by (apply Qmult_le_0_compat; lra). lra. }
    assert (0 <= theta B (weight_at (base_q U) N) * F x)%Q as Th.
    { apply Qmult_le_0_compat; [|now apply exponentials_nonnegative].
        unfold theta, Qdiv. apply Qmult_le_0_compat; [|apply Qinv_le_0_compat; lra].
        apply Qmult_le_0_compat; [|now apply weight_positive].
        apply Qmult_le_0_compat; auto. destruct (ending_balanced start_of_family N x (or_introl eq_refl) V) as [[U0
          U1] _].
        eapply Qle_trans; eauto. }
    assert (- (sigma * (a3 * work x + b3)) <= sigma * rest_value x)%Q as Re.
    { setoid_replace (- (sigma * (a3 * work x + b3)))%Q with (- (a3 * work x + b3) * sigma)%Q by ring.
      rewrite (Qmult_comm sigma). apply Qmult_le_compat_r; auto. }
    assert (0 <= (work x - a) * (work x - a))%Q as Sq by (generalize (work x - a)%Q as z; intros [z d]; unfold Qle;
      cbn; nia).
    set (h := work x) in *. set (h0 := worth x) in *. set (kx := repair x) in *.
    set (tf := (theta _ _ * F x)%Q) in *. set (rv := rest_value x) in *.
    clearbody h h0 kx tf rv c'. clear - K1' L2 Th Re Sq. unfold a, b in *. clear a b.
    set (p := (a1 + c' * a2 + sigma * a3)%Q) in *.
    assert (p * h == a1 * h + c' * a2 * h + sigma * a3 * h)%Q as Ph by (unfold p; ring). clearbody p. lra.
  Qed.

  Lemma tasks_at_most_workload x : inside x -> (tasks x <= work x + rest_tasks x + beyond U)%Q.
  Proof.
    intros [(Ln & St & Lo) Em]. unfold heavy_accepted in accepted. split_ifs.
    match goal with K : every tasks_checked _ = true |- _ => pose proof (every_In _ _ K (snd x) (shapes_In _ _ St)) as
      Tk end.
    unfold tasks_checked in Tk. cbv zeta in Tk. destruct (least _ _) as [v|] eqn:Le; [|discriminate].
    apply Z.leb_le in Tk.
    pose proof (least_sound _ _ (fst x) v Le Lo) as D. rewrite (dot_clear empty) in D.
    2:{ intros q I. rewrite Forall_forall in Em. now apply Em. }
    assert (0 <= value (fst x) (tasks_form (snd x))) as V by (unfold value; lia). clear D Tk Le.
    unfold tasks_form in V. cbv zeta in V. rewrite !value_plus, !value_times in V.
    assert (forall c y m, length y = m -> dot (repeat c m) y = c * fold_right Z.add 0 y) as Rep.
    { clear. intros c. induction y as [|z y IH]; intros [|m] L; cbn in *; try discriminate; [lia|].
      rewrite IH by congruence. lia. }
    unfold value at 2 3 in V. cbn [fst snd] in V. rewrite (Rep _ _ _ Ln), Z.add_0_l in V.
    change (value (fst x) (linear_form (workload U) (snd x))) with (linear_at (workload U) x) in V.
    unfold tasks, rest_tasks. set (t := fold_right _ _ _) in *. set (h := linear_at _ _) in *. set (l := dot _ _) in *.
    destruct (beyond U) as [bn bd]. cbn [Qnum Qden] in *. unfold Qle, Qplus, inject_Z; cbn [Qnum Qden].
    rewrite ?Pos2Z.inj_mul. nia.
  Qed.

  Definition slack_at (eps : Q) : Q := (eps / largest * slack_at_end U)%Q.
  Definition lead_at (eps : Q) : Q := ((1 - eps / largest) * lead_at_zero U + eps / largest * lead_at_end U)%Q.
  (* For every N, at a slack. *)
  Definition bound_at (eps : Q) (N : Z) : Q :=
    (lead_at eps / slack_at eps + (with_loss B + with_slack B + spread B * lift_at (base_q U) N)
     + theta B (weight_at (base_q U) N) * moment B / slack_at eps + rest_constant + beyond U)%Q.
  Lemma total_times {S} c (step : S -> law S) f m : forall x,
    (total step (fun y => c * f y) m x == c * total step f m x)%Q.
  Proof.
    induction m as [|m IH]; intro x; cbn [total]; [ring|]. rewrite (E_equal _ (fun y => c * total step f m y)%Q) by
      auto.
    rewrite E_times. ring.
  Qed.
  Theorem tasks_bounded eps N x : (0 < eps <= largest)%Q -> inside x ->
    exists start, forall slots, (total (chain (at_slack eps) P) tasks slots x <= times_of slots (bound_at eps N) +
      start)%Q.
  Proof.
    intros [E0 E1] V. destruct numbers as ((Lp & Sp & Rp & Mo & Kp) & No & Ab).
    set (s := (eps / largest)%Q). assert (0 < s <= 1)%Q as [S0 S1].
    { unfold s. split; [apply Qlt_shift_div_l; lra|apply Qle_shift_div_r; lra]. }
    set (sigma := slack_at eps). assert (0 < sigma)%Q as Sg by (unfold sigma, slack_at; fold s;
      rewrite <- (Qmult_0_l (slack_at_end U)); now apply Qmult_lt_r).
    destruct (whole_bounded N sigma) as [m Low]; [lra|].
    set (d e := (lead_there e + (with_loss B + with_slack B + spread B * lift_at (base_q U) N) * sigma_there e + theta
      B (weight_at (base_q U) N) * moment B)%Q).
    assert (forall e y, In e endings -> inside y ->
      (E (whole N sigma) (ending_chain e y) <= whole N sigma y - (sigma_there e * work y - d e + sigma * (rest_tasks y
        - rest_constant)))%Q) as Fall.
    { intros e y I Vy. unfold whole. rewrite E_plus, E_times.
      pose proof (potential_falls B (fun y => work y) (fun y => worth y) (fun y => repair y) F (lift_at (base_q U) N)
        (weight_at (base_q U) N) Kp (weight_positive _ Ab N) Rp
        (sigma_there e) (lead_there e) (ending_chain e y) y (ending_lawful e y I Vy)) as Po.
      specialize (Po (exponentials_nonnegative _ _ Ab y) (ending_balanced e N y I Vy) (ending_collapses e y I Vy)).
      pose proof (rest_falls e y I Vy) as Re. apply (Qmult_le_compat_r _ _ sigma) in Re; [|lra].
      rewrite !(Qmult_comm _ sigma) in Re.
      fold (d e) in Po. cbv beta in Po. lra. }
    pose proof (total_between (chain (at_slack eps) P) (ending_chain start_of_family) (ending_chain end_of_family)
      inside s
      ltac:(lra) (mixture C factors P family eps largest Lp)
      (fun x => ending_lawful start_of_family x (or_introl eq_refl)) (fun x => ending_lawful end_of_family x
        (or_intror (or_introl eq_refl)))
      (fun x o => ending_closed start_of_family x o (or_introl eq_refl)) (fun x o => ending_closed end_of_family x o
        (or_intror (or_introl eq_refl)))
      (fun y => sigma * tasks y)%Q (whole N sigma) m (sigma * bound_at eps N)%Q
      (fun y => 0 * work y - d start_of_family + sigma * (rest_tasks y - rest_constant))%Q
      (fun y => slack_at_end U * work y - d end_of_family + sigma * (rest_tasks y - rest_constant))%Q
      Low (fun y => Fall start_of_family y (or_introl eq_refl)) (fun y => Fall end_of_family y (or_intror (or_introl
        eq_refl)))) as Total.
    exists ((whole N sigma x + m) / sigma)%Q. intro slots.
    assert (total (chain (at_slack eps) P) (fun y => sigma * tasks y) slots x <= times_of slots (sigma * bound_at eps
      N) + (whole N sigma x + m))%Q as Tot.
    { apply Total; auto. intros y Vy. pose proof (tasks_at_most_workload y Vy) as Tk.
      apply (Qmult_le_compat_r _ _ sigma) in Tk; [|lra]. rewrite !(Qmult_comm _ sigma) in Tk.
      assert (sigma * bound_at eps N == (1 - s) * d start_of_family + s * d end_of_family + sigma * rest_constant +
        sigma * beyond U)%Q as Bd.
      { unfold bound_at, d, lead_at. fold s sigma. cbn [lead_there sigma_there start_of_family end_of_family].
        assert (sigma == s * slack_at_end U)%Q as Sq by reflexivity.
        setoid_replace (s * (lead_at_end U + (with_loss B + with_slack B + spread B * lift_at (base_q U) N) *
          slack_at_end U + theta B (weight_at (base_q U) N) * moment B))%Q
          with (s * lead_at_end U + (with_loss B + with_slack B + spread B * lift_at (base_q U) N) * sigma + s *
            (theta B (weight_at (base_q U) N) * moment B))%Q by (rewrite Sq; ring).
        field. lra. }
      rewrite Bd. assert (sigma * work y == s * (slack_at_end U * work y))%Q as Hy by (unfold sigma, slack_at;
        fold s; ring). lra. }
    rewrite total_times in Tot. unfold times_of in *.
    apply (Qmult_le_r _ _ sigma); auto.
    setoid_replace ((inject_Z (Z.of_nat slots) * bound_at eps N + (whole N sigma x + m) / sigma) * sigma)%Q
      with (inject_Z (Z.of_nat slots) * (sigma * bound_at eps N) + (whole N sigma x + m))%Q by (field; lra).
    rewrite Qmult_comm. exact Tot.
  Qed.
  (* The same with numbers as a statement shows them. *)
  Section Shown.
    Variables c d S K : Q.
    Hypothesis c_is : (c == lead_at_zero U)%Q.
    Hypothesis d_is : (d * largest == lead_at_end U - lead_at_zero U)%Q.
    Hypothesis S_is : (S * largest == slack_at_end U)%Q.
    Hypothesis K_is : (K == with_loss B + with_slack B + rest_constant + beyond U)%Q.
    Lemma shown_bound eps N : (0 < eps <= largest)%Q ->
      (bound_at eps N == (c + d * eps) / (S * eps) + K + spread B * lift_at (base_q U) N
                         + theta B (weight_at (base_q U) N) * moment B / (S * eps))%Q.
    Proof.
      intros [E0 E1]. destruct numbers as ((Lp & Sp & _) & _). assert (slack_at eps == S * eps)%Q as Sl.
      { unfold slack_at. rewrite <- S_is. field. lra. }
      assert (lead_at eps == c + d * eps)%Q as Le.
      { unfold lead_at. setoid_replace ((1 - eps / largest) * lead_at_zero U + eps / largest * lead_at_end U)%Q
          with (lead_at_zero U + (lead_at_end U - lead_at_zero U) / largest * eps)%Q by (field; lra).
        rewrite <- d_is, c_is. field. lra. }
      unfold bound_at. rewrite Sl, Le, K_is. ring.
    Qed.
    Theorem few_tasks : (spread B == 0)%Q -> forall eps x, (0 < eps <= largest)%Q -> inside x ->
      let sigma := (S * eps)%Q in
      exists start, forall slots, (total (chain (at_slack eps) P) tasks slots x <= times_of slots ((c + d * eps) /
        sigma + K) + start)%Q.
    Proof.
      intros Z0 eps x Ee V sigma. destruct (tasks_bounded eps 0 x Ee V) as [start Le]. exists start. intro slots.
      specialize (Le slots).
      assert (bound_at eps 0 == (c + d * eps) / sigma + K)%Q as Eq.
      { rewrite shown_bound by auto. fold sigma. unfold theta. rewrite Z0. unfold Qdiv. ring. }
      unfold times_of in *. rewrite Eq in Le. exact Le.
    Qed.
    Theorem few_tasks_but_for_a_logarithm w A : (w == / (base_q U - 1))%Q ->
      (A == spread B * largest_loss B * w / rate B * moment B)%Q ->
      forall eps n x, (0 < eps <= largest)%Q -> inside x -> let sigma := (S * eps)%Q in exists start, forall slots,
        (total (chain (at_slack eps) P) tasks slots x
         <= times_of slots ((c + d * eps) / sigma + K + spread B * (inject_Z n - w) + A / sigma * base_q U ^ (- n)) +
           start)%Q.
    Proof.
      intros w_is A_is eps N x Ee V sigma. destruct (tasks_bounded eps N x Ee V) as [start Le]. exists start.
      intro slots. specialize (Le slots).
      assert (bound_at eps N == (c + d * eps) / sigma + K + spread B * (inject_Z N - w) + A / sigma * base_q U ^ (-
        N))%Q as Eq.
      { rewrite shown_bound by auto. fold sigma. unfold theta, lift_at, weight_at. rewrite <- w_is, A_is.
        unfold Qdiv. ring. }
      unfold times_of in *. rewrite Eq in Le. exact Le.
    Qed.
  End Shown.
  Theorem start_inside : inside (empty_state C P).
  Proof.
    unfold heavy_accepted in accepted. split_ifs. unfold confined, valid, empty_state. cbn [fst snd].
    split; [split; [apply repeat_length|split; [now apply listed_In|]]|].
    - rewrite executing_idle. generalize n. clear. intro q. induction q; cbn; constructor; auto. lia.
    - apply Forall_forall. intros q _. apply nth_repeat.
  Qed.
End Family.
