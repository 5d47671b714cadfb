(* A family of loads, and what holds of its chain at every slack because it holds at both ends.

   The arrivals of a family depend on a slack eps: every probability of one factor is affine in eps, all else is fixed.
   So the mean of any function after a slot is affine in eps, too, and equals a mixture of the means at the two ends
   ([mixture]). An inequality whose other side is affine in eps holds between if it holds at both ends.

   [tasks_bounded] makes of such inequalities a bound of the mean number of tasks. With H linear in the state, u the
   loss sigma + E dH0, F an exponential function that E F(next) <= (1 - rho) F + b keeps small, and top, which is
   affine in F and above each exponent of F (Collapse.v), the function
       g = H^2/2 + k - (K + kappa lift) H0 + theta F
   satisfies  E dg <= - sigma H + c + (K + K' + kappa lift) sigma + theta b  at both ends: the terms in the loss u and
   in F cancel. As in Means.v this bounds the sums over finitely many slots, without a stationary law. There are no
   logarithms: top depends on a parameter n, over which whoever reads the theorem may take the least.

   Believe: [moving], [factor_at] and [tasks] are part of the meaning of a theorem. *)
From Coq Require Import ZArith QArith Qfield Lqa List Bool Lia.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Means.
Import ListNotations.
Open Scope Q_scope.

(* An outcome of a factor of the arrivals: its probability is at_zero + slope * eps, and it brings so many tasks of each
   type. Outcomes of probability zero are left out. *)
Record moving := Moving { at_zero : Q; slope : Q; brings : list nat }.
Definition factor_at (eps : Q) (f : list moving) : list (Q * list nat) :=
  filter (fun e => negb (Qeq_bool (fst e) 0)) (map (fun o => (Qred (at_zero o + slope o * eps), brings o)) f).
(* The tasks in the system. *)
Definition tasks (x : state) : Q := inject_Z (fold_right Z.add 0%Z (fst x)).

Definition with_arrivals (C : cluster) (a : list (list (Q * list nat))) : cluster :=
  Cluster (servers C) (rates C) (row_of_type C) (level_of_task C) (level_between C) (marginal_costs C) a (option_of C).
(* Probabilities add up to one at every slack; at most one factor moves. *)
Definition of_total_one (f : list moving) : bool :=
  if Qeq_bool (fold_right (fun o rest => at_zero o + rest) 0 f) 1 then Qeq_bool (fold_right (fun o rest => slope o +
    rest) 0 f) 0 else false.
Definition stays_put (f : list moving) : bool := every (fun o => Qeq_bool (slope o) 0) f.
Fixpoint one_moves (factors : list (list moving)) : bool :=
  match factors with [] => true | f :: rest => if stays_put f then one_moves rest else every stays_put rest end.
Definition is_family (factors : list (list moving)) : bool := if every of_total_one factors then one_moves factors
  else false.

(* ---- the mean after a slot is affine in the slack ---- *)

Definition after {N} (num : numbers N) (C : cluster) (P : policy) (len : list N) (s : list status) (count : list nat) :=
  let inside := executing C P s in
  d <- join num C P len inside 0 count (repeat 0%Z (queues C (keeps P)));
  targets <- schedule num C P len inside 0 s;
  places <- to_hand_out num len d inside targets (repeat 0%Z (queues C (keeps P)));
  now <- hand_out C targets places;
  depart C P 0 now d.
Lemma slot_after C a P x s :
  slot integers (with_arrivals C a) P x s = bind (arrive a (repeat 0%nat (types C))) (after integers C P x s).
Proof. reflexivity. Qed.

Lemma E_draw {A} (h : A -> Q) (k : list nat -> program Z A) (f : law (list nat)) d :
  E h (run (Draw (map fst f) (fun i => k (snd (nth i f d))))) == E (fun n => E h (run (k n))) f.
Proof.
  cbn [run].
  enough (forall l pre, f = pre ++ l ->
    E h ((fix each (ps : list Q) (i : nat) {struct ps} : law A :=
            match ps with [] => [] | p :: ps => scale p (run (k (snd (nth i f d)))) ++ each ps (S i) end) (map fst l)
              (length pre))
    == E (fun n => E h (run (k n))) l) as G by exact (G f [] eq_refl).
  induction l as [|e l IH]; intros pre Eq; cbn [map]; [reflexivity|].
  rewrite E_app, E_scale, E_cons.
  assert (nth (length pre) f d = e) as -> by (rewrite Eq, app_nth2, Nat.sub_diag by lia; reflexivity).
  specialize (IH (pre ++ [e])). cbn [length] in IH. rewrite app_length, Nat.add_1_r in IH.
  rewrite IH by (now rewrite <- app_assoc). reflexivity.
Qed.
Notation joined count n := (map (fun p => (fst p + snd p)%nat) (combine count n)).
Lemma E_arrive {A} (h : A -> Q) k (f : law (list nat)) rest count : E (fun _ => 1) f == 1 ->
  E h (run (bind (arrive (f :: rest) count) k)) == E (fun n => E h (run (bind (arrive rest (joined count n)) k))) f.
Proof.
  intro One. destruct f as [|e [|e' f]]; [discriminate One| |].
  - cbn [arrive]. cbn [E fold_right] in *. assert (fst e == 1) as -> by lra. ring.
  - exact (E_draw h (fun n => bind (arrive rest (joined count n)) k) (e :: e' :: f) (0, [])).
Qed.
Lemma E_factor_at g eps f : E g (factor_at eps f) == fold_right (fun o rest => (at_zero o + slope o * eps) * g (brings
  o) + rest) 0 f.
Proof.
  unfold factor_at. induction f as [|o f IH]; cbn [map filter fold_right fst]; [reflexivity|].
  destruct (Qeq_bool (Qred (at_zero o + slope o * eps)) 0) eqn:Z0; cbn [negb].
  - apply Qeq_bool_iff in Z0. rewrite Qred_correct in Z0. rewrite IH, Z0. ring.
  - rewrite E_cons, IH. cbn [fst snd]. now rewrite Qred_correct.
Qed.
Lemma factor_total eps f : of_total_one f = true -> E (fun _ => 1) (factor_at eps f) == 1.
Proof.
  unfold of_total_one. intro H. apply if_true in H as [A S]. apply Qeq_bool_iff in A, S. rewrite E_factor_at.
  assert (fold_right (fun o rest => (at_zero o + slope o * eps) * 1 + rest) 0 f
          == fold_right (fun o rest => at_zero o + rest) 0 f + eps * fold_right (fun o rest => slope o + rest) 0 f) as
            ->.
  { clear. induction f as [|o f IH]; cbn [fold_right]; [ring|]. rewrite IH. ring. }
  rewrite A, S. ring.
Qed.
Section Affine_in_slack.
  Context {A : Type} (h : A -> Q) (k : list nat -> program Z A).
  Notation M eps factors count := (E h (run (bind (arrive (map (factor_at eps) factors) count) k))).
  Lemma fixed_mean factors : every of_total_one factors = true -> every stays_put factors = true ->
    forall count, exists a, forall eps, M eps factors count == a.
  Proof.
    induction factors as [|f factors IH]; intros T S count; [exists (E h (run (k count))); reflexivity|].
    cbn [every] in T, S. apply if_true in T as [Tf T], S as [Sf S]. specialize (IH T S).
    enough (exists a, forall eps, E (fun n => M eps factors (joined count n)) (factor_at eps f) == a) as [a Ha].
    { exists a. intro eps. cbn [map]. rewrite E_arrive by now apply factor_total. apply Ha. }
    clear Tf T S. induction f as [|o f IHf]; [exists 0; reflexivity|]. cbn [stays_put every] in Sf.
    apply if_true in Sf as [So Sf].
    apply Qeq_bool_iff in So. destruct (IHf Sf) as [b Hb]. destruct (IH (joined count (brings o))) as [c Hc].
    exists (at_zero o * c + b). intro eps. specialize (Hb eps). rewrite E_factor_at in *. cbn [fold_right].
    rewrite Hb, Hc, So. ring.
  Qed.
  Lemma affine_mean factors : is_family factors = true ->
    forall count, exists a b, forall eps, M eps factors count == a + b * eps.
  Proof.
    unfold is_family. intro H. apply if_true in H as [T O]. revert T O.
    induction factors as [|f factors IH]; intros T O count; [exists (E h (run (k count))), 0; intro; cbn [map];
      cbn [arrive bind]; ring|].
    cbn [every one_moves] in T, O. apply if_true in T as [Tf T].
    enough (exists a b, forall eps, E (fun n => M eps factors (joined count n)) (factor_at eps f) == a + b * eps) as
      (a & b & Ha).
    { exists a, b. intro eps. cbn [map]. rewrite E_arrive by now apply factor_total. apply Ha. }
    destruct (stays_put f) eqn:Sf.
    - specialize (IH T O). clear Tf T O. induction f as [|o f IHf]; [exists 0, 0; intro; cbn; ring|].
      cbn [stays_put every] in Sf. apply if_true in Sf as [So Sf]. apply Qeq_bool_iff in So.
      destruct (IHf Sf) as (a & b & Hb). destruct (IH (joined count (brings o))) as (c & d & Hc).
      exists (at_zero o * c + a), (at_zero o * d + b). intro eps. specialize (Hb eps). rewrite E_factor_at in *.
      cbn [fold_right].
      rewrite Hb, Hc, So. ring.
    - pose proof (fixed_mean factors T O) as F. clear Tf T O IH Sf.
      induction f as [|o f IHf]; [exists 0, 0; intro; cbn; ring|].
      destruct IHf as (a & b & Hb). destruct (F (joined count (brings o))) as [c Hc].
      exists (at_zero o * c + a), (slope o * c + b). intro eps. specialize (Hb eps). rewrite E_factor_at in *.
      cbn [fold_right].
      rewrite Hb, Hc. ring.
  Qed.
End Affine_in_slack.

Definition mixed {State} (s : Q) (zero one : State ->
  law State) (x : State) : law State := scale (1 - s) (zero x) ++ scale s (one x).
Lemma E_mixed {State} s (zero one : State -> law State) h x : E h (mixed s zero one x) == (1 - s) * E h (zero x) + s *
  E h (one x).
Proof. unfold mixed. now rewrite E_app, !E_scale. Qed.
Theorem mixture C factors P : is_family factors = true ->
  let at_slack eps := chain (with_arrivals C (map (factor_at eps) factors)) P in
  forall eps largest, 0 < largest -> forall h x,
    E h (at_slack eps x) == E h (mixed (eps / largest) (at_slack 0) (at_slack largest) x).
Proof.
  intros F at_slack eps largest Pos h x. rewrite E_mixed. unfold at_slack. rewrite !chain_E, !slot_after.
  set (h' := fun y => _). destruct (affine_mean h' (after integers C P (fst x) (snd x)) factors F (repeat 0%nat (types
    C))) as (a & b & Ab).
  change (arrivals (with_arrivals C ?a)) with a. rewrite !Ab. field. lra.
Qed.

(* ---- from both ends to every slack between ---- *)

Section Between.
  Context {State : Type} (step zero one : State -> law State) (valid : State -> Prop) (s : Q).
  Hypothesis between : 0 <= s <= 1.
  Hypothesis mixes : forall h x, E h (step x) == E h (mixed s zero one x).
  Hypothesis lawful0 : forall x, valid x -> is_law (zero x).
  Hypothesis lawful1 : forall x, valid x -> is_law (one x).
  Hypothesis closed0 : forall x e, valid x -> In e (zero x) -> valid (snd e).
  Hypothesis closed1 : forall x e, valid x -> In e (one x) -> valid (snd e).
  Lemma mixed_lawful x : valid x -> is_law (mixed s zero one x).
  Proof.
    intro Vx. destruct (lawful0 x Vx) as [P0 O0], (lawful1 x Vx) as [P1 O1]. split.
    - intros e I. unfold mixed, scale in I. apply in_app_iff in I as [I|I]; apply in_map_iff in I as (d & <- & I);
      cbn [fst];
        apply Qmult_le_0_compat; auto; lra.
    - rewrite E_mixed, O0, O1. ring.
  Qed.
  Lemma mixed_closed x e : valid x -> In e (mixed s zero one x) -> valid (snd e).
  Proof.
    intros Vx I. unfold mixed, scale in I. apply in_app_iff in I as [I|I]; apply in_map_iff in I as (d & <- & I);
      cbn [snd]; eauto.
  Qed.
  Lemma total_mixed f n : forall x, total step f n x == total (mixed s zero one) f n x.
  Proof.
    induction n as [|n IH]; intro x; cbn [total]; [reflexivity|]. rewrite mixes.
    now rewrite (E_equal (total step f n) (total (mixed s zero one) f n)) by auto.
  Qed.
  Theorem total_between f g m c c0 c1 : (forall x, valid x -> - m <= g x) ->
    (forall x, valid x -> E g (zero x) <= g x - c0 x) -> (forall x, valid x -> E g (one x) <= g x - c1 x) ->
    (forall x, valid x -> f x - c <= (1 - s) * c0 x + s * c1 x) ->
    forall n x, valid x -> total step f n x <= times_of n c + (g x + m).
  Proof.
    intros low Z0 O1 F n x Vx. rewrite total_mixed.
    apply (total_at_most (mixed s zero one) f valid mixed_lawful mixed_closed); auto.
    intros y Vy. rewrite E_mixed. specialize (Z0 y Vy). specialize (O1 y Vy). specialize (F y Vy).
    assert ((1 - s) * E g (zero y) <= (1 - s) * (g y - c0 y)) by (rewrite !(Qmult_comm (1 - s));
      apply Qmult_le_compat_r; lra).
    assert (s * E g (one y) <= s * (g y - c1 y)) by (rewrite !(Qmult_comm s); apply Qmult_le_compat_r; lra). lra.
  Qed.
End Between.

(* ---- the function g ---- *)

Lemma E_plus {A} (f g : A -> Q) l : E (fun y => f y + g y) l == E f l + E g l.
Proof. induction l as [|e l IH]; [reflexivity|]. rewrite !E_cons, IH. ring. Qed.
Lemma E_times {A} c (f : A -> Q) l : E (fun y => c * f y) l == c * E f l.
Proof. induction l as [|e l IH]; [cbn; ring|]. rewrite !E_cons, IH. ring. Qed.
Lemma E_change {A} (f : A -> Q) a l : is_law l -> E (fun y => f y - a) l == E f l - a.
Proof. intros [_ One]. rewrite (E_equal _ (fun y => - a + 1 * f y)) by (intros; ring). rewrite E_affine, One. ring. Qed.

(* Constants of a theorem: K, K', kappa, u_max, rho and b. *)
Record bounds := Bounds { with_loss : Q; with_slack : Q; spread : Q; largest_loss : Q; rate : Q; moment : Q }.

Section One_end.
  Context {State : Type} (B : bounds) (H H0 k F : State -> Q) (lift weight : Q).
  Notation K := (with_loss B). Notation K' := (with_slack B). Notation kappa := (spread B).
  Definition theta : Q := kappa * largest_loss B * weight / rate B.
  Definition potential (x : State) : Q := (1 # 2) * (H x * H x) + k x - (K + kappa * lift) * H0 x + theta * F x.
  Definition loss (sigma : Q) (l : law State) (x : State) : Q := sigma + E (fun y => H0 y - H0 x) l.
  (* (U), (B) and (F) of a slot whose law from x is l. *)
  Definition balanced (sigma c : Q) (l : law State) (x : State) : Prop :=
    0 <= loss sigma l x <= largest_loss B /\
    (sigma + E (fun y => H y - H x) l) * H x + (1 # 2) * E (fun y => (H y - H x) * (H y - H x)) l + E (fun y => k y -
      k x) l
      <= c + K * loss sigma l x + K' * sigma + kappa * loss sigma l x * (lift + weight * F x).
  Definition collapses (l : law State) (x : State) : Prop := E F l <= (1 - rate B) * F x + moment B.
  Hypothesis kappa_nonnegative : 0 <= kappa.
  Hypothesis weight_nonnegative : 0 <= weight.
  Hypothesis rate_positive : 0 < rate B.
  Theorem potential_falls sigma c l x : is_law l -> 0 <= F x -> balanced sigma c l x -> collapses l x ->
    E potential l <= potential x - (sigma * H x - (c + (K + K' + kappa * lift) * sigma + theta * moment B)).
  Proof.
    intros L F0 [[U0 U1] Ba] Co. unfold loss, collapses in *.
    rewrite (E_change H0), (E_change H), (E_change k) in Ba by exact L. rewrite (E_change H0) in U0, U1 by exact L.
    assert (E (fun y => (H y - H x) * (H y - H x)) l == E (fun y => H y * H y) l - 2 * H x * E H l + H x * H x) as Sq.
    { rewrite (E_equal _ (fun y => (H y * H y - H x * H x) + (- (2 * H x)) * (H y - H x))) by (intros; ring).
      rewrite E_plus, E_times, !E_change by exact L. ring. }
    rewrite Sq in Ba. clear Sq. unfold potential. set (r := K + kappa * lift).
    rewrite (E_equal _ (fun y => ((1 # 2) * (H y * H y) + k y) + ((- r) * H0 y + theta * F y))) by (intros; ring).
    rewrite !E_plus, !E_times. set (u := sigma + (E H0 l - H0 x)) in *.
    assert (E H0 l == u - sigma + H0 x) as -> by (unfold u; ring). clearbody u.
    assert (theta * E F l <= theta * ((1 - rate B) * F x + moment B)) as Th.
    { assert (0 <= theta). { unfold theta, Qdiv. apply Qmult_le_0_compat; [|apply Qinv_le_0_compat; lra].
      apply Qmult_le_0_compat; auto. apply Qmult_le_0_compat; lra. }
      rewrite !(Qmult_comm theta). now apply Qmult_le_compat_r. }
    assert (theta * rate B * F x == kappa * largest_loss B * weight * F x) as Tr by (unfold theta; field; lra).
    assert (kappa * u * (weight * F x) <= kappa * largest_loss B * weight * F x) as Lo.
    { setoid_replace (kappa * u * (weight * F x)) with (u * (kappa * (weight * F x))) by ring.
      setoid_replace (kappa * largest_loss B * weight * F x) with (largest_loss B * (kappa * (weight * F x))) by ring.
      apply Qmult_le_compat_r; auto. repeat apply Qmult_le_0_compat; auto. }
    set (eH := E H l) in *. set (eS := E (fun y => H y * H y) l) in *. set (ek := E k l) in *. set (eF := E F l) in *.
    clearbody eH eS ek eF. unfold r. clear - Ba Th Tr Lo. set (t := theta) in *. clearbody t.
    assert (t * ((1 - rate B) * F x + moment B) == t * F x - t * rate B * F x + t * moment B) as Tx by ring.
    rewrite Tx, Tr in Th. clear Tx Tr.
    assert (kappa * u * (lift + weight * F x) == kappa * u * lift + kappa * u * (weight * F x)) as Kx by ring.
    rewrite Kx in Ba. clear Kx. lra.
  Qed.
End One_end.
