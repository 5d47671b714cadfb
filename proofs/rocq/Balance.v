(* The facts of a heavy-traffic certificate at one end of a family, computed at the leaves of its trees.

   On a cell a function that is linear in the lengths changes by constants, so that the loss u = sigma + E dH0 and the
   moments of the change of H are numbers. (U) compares numbers; (B) says that no point of the cell has
   v H - kappa u l_j above one number for every exponent l_j, which multipliers refute: [never_all]. (F) is asked by
   Collapse.v. Of the certificate come the functions H, H0 and k and the trees, which are hints.

   A closed set restricts the valid states to those in which some queues are empty; it is checked at each leaf that no
   task joins one.

   Believe: [confined] is part of the meaning of a theorem. *)
From Coq Require Import ZArith QArith Qpower Qfield Lqa List Bool Lia.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Means Slack Linear Powers Collapse.
Import ListNotations.
Open Scope Z_scope.

(* A valid state in which these queues are empty. *)
Definition confined (C : cluster) (P : policy) (statuses : list (list status)) (empty : list nat) (x : state) : Prop :=
  valid C P statuses x /\ Forall (fun q => nth q (fst x) 0 = 0) empty.

(* Some form is not above zero: integer forms, with multipliers for all of them at once. *)
Definition never_all (fs : list form) (path : list constraint) (w : list Z) : bool :=
  if some (fun f => if fst f =? 0 then zero (snd f) else false) fs then true
  else let cs := map (fun f => let g := Z.gcd (fst f) (content (snd f)) in (g, f, above g f)) fs in
       if every (fun c => is_above (fst (fst c)) (snd (fst c)) (snd c)) cs
       then refutes w (rev (map snd cs) ++ path) else false.
Lemma is_above_ok g f c x : is_above g f c = true -> 0 < value x f -> holds x c.
Proof.
  unfold is_above, holds. intros I V. split_ifs. apply Z.ltb_lt in H. apply Z.eqb_eq in H0.
  apply (dot_zero _ x) in I. rewrite dot_axpy in I. unfold value in V. nia.
Qed.
Lemma never_all_sound fs path w x : never_all fs path w = true -> Forall (holds x) path ->
  exists f, In f fs /\ value x f <= 0.
Proof.
  unfold never_all. intros H F. destruct (some _ fs) eqn:S.
  - apply some_In in S as (f & I & Z0). apply if_true in Z0 as [Z0 Zv]. apply Z.eqb_eq in Z0. exists f. split; auto.
    unfold value. now rewrite Z0, dot_zero.
  - cbv zeta in H. clear S. set (cs := map _ fs) in H. apply if_true in H as [Ab H].
    assert ((exists f, In f fs /\ value x f <= 0) \/ Forall (fun f => 0 < value x f) fs) as [K|K]; [|exact K|].
    { clear. induction fs as [|f fs [(g & I & G)|IH]]; [right; constructor|left; exists g; split; [now right|auto]|].
      destruct (Z.le_gt_cases (value x f) 0); [left; exists f; split; [now left|auto]|right; constructor; auto]. }
    exfalso. apply (refutes_sound _ _ x H). apply Forall_app. split; auto. apply Forall_rev, Forall_map, Forall_forall.
    intros c I. apply (is_above_ok (fst (fst c)) (snd (fst c))); [exact (every_In _ _ Ab c I)|].
    unfold cs in I. apply in_map_iff in I as (f & <- & I). cbn [fst snd]. rewrite Forall_forall in K. now apply K.
Qed.

(* What is left of the tasks that H does not count: r, its function G and its bound, in units of 1/unit_of_rest. *)
Record rest_of_tasks := Rest { unit_of_rest : positive; left_over : vec; rest_function : lyapunov; rest_bound : Z }.
Record upper := Upper {
  unit : positive; workload : linear; priced : linear; correction : linear;      (* H, H0 and k in units of 1/unit *)
  slack_at_end : Q; lead_at_zero : Q; lead_at_end : Q;                           (* sigma and c *)
  constants : bounds; base_q : Q; windows : list window;
  beyond : Q; rest : option rest_of_tasks
}.
Record ending := Ending { at_end : cluster; sigma_there : Q; lead_there : Q }.

Section Leaf.
  Variables (P : policy) (statuses : list (list status)) (empty : list nat) (U : upper) (e : ending).
  Notation C := (at_end e). Notation n := (queues C (keeps P)).
  Notation B := (constants U).
  (* Twice -Q >= 0 of each empty queue: doubled, it is no comparison's other side, so that [walk] takes none as answered
     by it. Nor does the C++. *)
  Definition closed_base (s : list status) : list constraint :=
    rev (map (fun q => (map (Z.mul (-2)) (unit_vec n q), 0)) empty) ++ base C P s.
  Definition outcomes_of (s : list status) : asks (law (change * list status)) :=
    collect (slot forms C P (symbols C P) s).
  (* A law whose outcomes stay in the closed set. *)
  Definition remains (s : list status) (path : list constraint) (l : law (change * list status)) : bool :=
    if every (fun o => if Qle_bool 0 (fst o) then
                         if every (fun q => nth q (fst (snd o)) 0 =? 0) empty
                         then stays C P statuses (executing C P s) path o else false
                       else false) l
    then Qeq_bool (mean_of (fun _ => 1%Q) l) 1 else false.
  Definition unit_change (h : linear) (s : list status) (y : change * list status) : Q := linear_change h s y # unit U.
  (* unit (v H - m l - R) times all denominators *)
  Definition balance_form (v m R : Q) (f g : form) : form :=
    form_plus (form_times (Qnum v * (QDen m * QDen R)) f)
      (form_plus (form_times (- (Zpos (unit U) * (Qnum m * (QDen v * QDen R)))) g)
                 (form_const (- (Zpos (unit U) * (Qnum R * (QDen v * QDen m)))))).
  Definition balance (s : list status) (path : list constraint) (l : law (change * list status)) (w : list Z) : bool :=
    let mean h := mean_of (unit_change h s) l in
    let u := Qred (sigma_there e + mean (priced U))%Q in let v := Qred (sigma_there e + mean (workload U))%Q in
    let square := mean_of (fun y => unit_change (workload U) s y * unit_change (workload U) s y)%Q l in
    let R := Qred (lead_there e + with_loss B * u + with_slack B * sigma_there e
                   - (1 # 2) * square - mean (correction U))%Q in
    let h := linear_form (workload U) s in
    let without := if Qeq_bool u 0 then true else match windows U with [] => true | _ => false end in
    let m := Qred (spread B * u)%Q in
    if Qle_bool 0 u then if Qle_bool u (largest_loss B) then
      never_all (if without then [balance_form v 0 R h (form_const 0)]
                 else map (fun o => balance_form v m R h (linear_form (exponent o) s)) (windows U)) path w
    else false else false.
  Definition balance_leaf (s : list status) (path : list constraint) (l : law (change * list status)) (w : list Z)
      : bool :=
    if (if remains s path l then balance s path l w else false) then true else refutes w path.
  Definition collapse_leaf (path : list constraint) (below : bool) (w : list Z) : bool :=
    if below then true else refutes w path.
  Definition balance_checked (s : list status) (t : tree) : bool :=
    walk n (executing C P s) (balance_leaf s) (outcomes_of s) (closed_base s) t.
  Definition collapse_checked (powers_q : powers) (s : list status) (t : tree) : bool :=
    walk n (executing C P s) collapse_leaf
      (abind (outcomes_of s) (stays_below (rate B) (moment B) powers_q (windows U) s)) (closed_base s) t.

  (* ---- soundness ---- *)

  Notation inside := (confined C P statuses empty).
  Notation in_units h x := (linear_at h x # unit U).
  Definition exponential_part (x : state) : Q := exponentials (base_q U) (windows U) x.
  Hypothesis spread_nonnegative : (0 <= spread B)%Q.
  Hypothesis no_forms : windows U = [] -> (spread B == 0)%Q.
  Hypothesis above_one : (1 < base_q U)%Q.

  Lemma closed_base_holds (x : state) s : Forall2 Z.le (executing C P s) (fst x) ->
    Forall (fun q => nth q (fst x) 0 = 0) empty ->
    Forall (holds (fst x)) (closed_base s).
  Proof.
    intros Lo Em. unfold closed_base. apply Forall_app. split; [|now apply base_holds]. apply Forall_rev, Forall_map.
    eapply Forall_impl; [|exact Em]. intros q Z0. unfold holds; cbn [fst snd]. rewrite dot_map, dot_unit, Z0. lia.
  Qed.
  Lemma nth_add q : forall x d, length d = length x -> nth q (add x d) 0 = nth q x 0 + nth q d 0.
  Proof. induction q as [|q IH]; intros [|z x] [|k d] L; cbn in *; try discriminate; auto. Qed.
  Definition law_holds (x : vec) (s : list status) (l : law (change * list status)) : Prop :=
    is_law l /\ forall o, In o l -> length (fst (snd o)) = length x /\ inside (next x (snd o)).
  Lemma remains_ok x s path l : length x = n -> Forall2 Z.le (executing C P s) x ->
    Forall (fun q => nth q x 0 = 0) empty ->
    Forall (holds x) path -> remains s path l = true -> law_holds x s l.
  Proof.
    intros Ln Lo Em F H. unfold remains in H. apply if_true in H as [K One]. apply Qeq_bool_iff in One.
    rewrite mean_of_E in One.
    pose proof (every_In _ _ K) as Each. cbv beta in Each.
    assert (forall o, In o l -> (0 <= fst o)%Q /\ length (fst (snd o)) = length x /\ inside (next x (snd o))) as All.
    { intros o I. specialize (Each o I). apply if_true in Each as [Po Each]. apply if_true in Each as [Eq St].
      apply Qle_bool_iff in Po.
      split; auto. destruct (stays_valid C P statuses x s path o Ln Lo F St) as [Ld Vx]. split; auto.
      split; [exact Vx|].
      cbn [next fst]. rewrite Forall_forall in Em |- *. intros q Iq. rewrite nth_add, (Em q Iq) by auto.
      pose proof (every_In _ _ Eq q Iq) as Z0. now apply Z.eqb_eq in Z0. }
    split; [split; auto; intros o I; now apply All|]. intros o I. now apply All.
  Qed.
  Lemma balance_form_ok v m R f g x : value x (balance_form v m R f g) <= 0 ->
    (v * (value x f # unit U) <= m * inject_Z (value x g) + R)%Q.
  Proof.
    unfold balance_form. rewrite !value_plus, !value_times, value_const. destruct v as [a b], m as [c d], R as [r t].
    cbn [Qnum Qden].
    unfold Qle, Qplus, Qmult, inject_Z. cbn [Qnum Qden]. rewrite !Pos2Z.inj_mul. intro Le. nia.
  Qed.
  Definition balanced_slot (x : vec) (s : list status) (l : law (change * list status)) : Prop :=
    let u := (sigma_there e + E (unit_change (priced U) s) l)%Q in
    (0 <= u <= largest_loss B /\
     forall N, (sigma_there e + E (unit_change (workload U) s) l) * in_units (workload U) (x, s)
       + (1 # 2) * E (fun y => unit_change (workload U) s y * unit_change (workload U) s y) l + E (unit_change
         (correction U) s) l
       <= lead_there e + with_loss B * u + with_slack B * sigma_there e
          + spread B * u * (lift_at (base_q U) N + weight_at (base_q U) N * exponential_part (x, s)))%Q.
  Lemma balance_ok x s path l w : Forall (holds x) path -> balance s path l w = true -> balanced_slot x s l.
  Proof.
    unfold balance, balanced_slot. cbv zeta. intros F H. apply if_true in H as [U0 H]. apply if_true in H as [U1 H].
    apply Qle_bool_iff in U0, U1. apply (never_all_sound _ _ _ x) in H as (f & I & Le); auto.
    rewrite Qred_correct, mean_of_E in U0, U1. split; [split; auto|]. intro N.
    set (R := Qred (lead_there e + _ + _ - _ - _)) in *. set (v := Qred (sigma_there e + mean_of (unit_change
      (workload U) s) l)) in *.
    set (u := (sigma_there e + E (unit_change (priced U) s) l)%Q) in *.
    set (uc := Qred (sigma_there e + mean_of (unit_change (priced U) s) l)) in *.
    assert (uc == u)%Q as Uc by (unfold uc, u; now rewrite Qred_correct, mean_of_E).
    assert (v == sigma_there e + E (unit_change (workload U) s) l)%Q as <- by (unfold v;
      now rewrite Qred_correct, mean_of_E).
    assert (R == lead_there e + with_loss B * u + with_slack B * sigma_there e
            - (1 # 2) * E (fun y => unit_change (workload U) s y * unit_change (workload U) s y) l - E (unit_change
              (correction U) s) l)%Q as Rq.
    { unfold R. rewrite Qred_correct, !mean_of_E, Uc. reflexivity. }
    set (top := (lift_at _ _ + _)%Q).
    enough (v * in_units (workload U) (x, s) <= spread B * u * top + R)%Q as Hv by lra.
    destruct (Qeq_bool uc 0) eqn:Uz.
    - apply Qeq_bool_iff in Uz. destruct I as [<-|[]]. apply balance_form_ok in Le. rewrite <- Uc, Uz.
      change (value x (linear_form (workload U) s)) with (linear_at (workload U) (x, s)) in Le. lra.
    - destruct (windows U) as [|w0 ws] eqn:Ws.
      + destruct I as [<-|[]]. apply balance_form_ok in Le. rewrite (no_forms eq_refl).
        change (value x (linear_form (workload U) s)) with (linear_at (workload U) (x, s)) in Le. lra.
      + rewrite <- Ws in I. apply in_map_iff in I as (o & <- & I). apply balance_form_ok in Le.
        rewrite Qred_correct, Uc in Le.
        pose proof (below_top (base_q U) (windows U) above_one o (x, s) N I) as T.
        change (exponentials (base_q U) (windows U) (x, s)) with (exponential_part (x, s)) in T. fold top in T.
        change (value x (linear_form (workload U) s)) with (linear_at (workload U) (x, s)) in Le.
        change (value x (linear_form (exponent o) s)) with (linear_at (exponent o) (x, s)) in Le.
        assert (spread B * u * inject_Z (linear_at (exponent o) (x, s)) <= spread B * u * top)%Q.
        { rewrite !(Qmult_comm (spread B * u)). apply Qmult_le_compat_r; auto. now apply Qmult_le_0_compat. }
        lra.
  Qed.
  Notation slot_law x := (run (slot integers C P (fst x) (snd x))).
  Lemma outcomes_ok x : length (fst x) = n -> answer (fst x) (outcomes_of (snd x)) = slot_law x.
  Proof. intro Ln. exact (collect_sound _ _ _ (slot_sim (fst x) C P _ _ (symbols_agree C P _ Ln) (snd x))). Qed.
  Lemma balance_checked_ok x t : inside x -> balance_checked (snd x) t = true ->
    law_holds (fst x) (snd x) (slot_law x) /\ balanced_slot (fst x) (snd x) (slot_law x).
  Proof.
    intros ((Ln & St & Lo) & Em) H. rewrite <- (outcomes_ok x Ln).
    refine (walk_sound n (executing C P (snd x)) (balance_leaf (snd x)) (fst x) (fun l => law_holds (fst x) (snd x) l
      /\ balanced_slot (fst x) (snd x) l)
              _ Lo _ _ t (closed_base_holds x (snd x) Lo Em) H).
    intros path l w F L. unfold balance_leaf in L.
    destruct (if remains (snd x) path l then balance (snd x) path l w else false) eqn:K;
      [|now apply refutes_sound with (x := fst x) in L].
    apply if_true in K as [Re Ba]. split; [now apply (remains_ok _ _ path)|now apply (balance_ok _ _ path l w)].
  Qed.
  Lemma collapse_checked_ok x t : inside x -> collapse_checked (powers_of (base_q U)) (snd x) t = true ->
    law_holds (fst x) (snd x) (slot_law x) ->
    (E (fun y => exponential_part (next (fst x) y)) (slot_law x) <= (1 - rate B) * exponential_part x + moment B)%Q.
  Proof.
    intros ((Ln & St & Lo) & Em) H [L All].
    assert (answer (fst x) (abind (outcomes_of (snd x)) (stays_below (rate B) (moment B) (powers_of (base_q U))
      (windows U) (snd x))) = true) as A.
    { refine (walk_sound n (executing C P (snd x)) collapse_leaf (fst x) (fun b => b = true) _ Lo _ _ t
      (closed_base_holds x (snd x) Lo Em) H).
      intros path b w F K. unfold collapse_leaf in K. destruct b; auto.
      now apply refutes_sound with (x := fst x) in K. }
    rewrite answer_bind, (outcomes_ok x Ln) in A. unfold exponential_part. destruct x as [x s]. cbn [fst snd] in *.
    apply stays_below_ok with (powers_q := powers_of (base_q U)); auto. intros o I. now apply All.
  Qed.
End Leaf.
