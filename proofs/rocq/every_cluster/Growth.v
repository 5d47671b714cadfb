(* A function of the state that grows on average in every state, by bounded steps: its chain is transient.

   [escapes] of Law.v asks for growth where the function is large, and for a climb to there. Where it grows everywhere the
   climb needs no computation: some outcome of positive probability is at least as high as the mean. *)
From Coq Require Import ZArith QArith Qround Qabs Lqa List Bool Lia.
From Schedproof Require Import Law Transience.
Import ListNotations.
Open Scope Q_scope.

(* Some outcome is no lower than the mean. *)
Lemma some_not_below {A} (f : A -> Q) b (l : law A) : is_law l -> b <= E f l -> exists e, In e l /\ 0 < fst e /\ b <= f (snd e).
Proof.
  intros [Po One] B.
  assert (K : forall l : law A, (forall e, In e l -> 0 <= fst e) ->
    (exists e, In e l /\ 0 < fst e /\ b <= f (snd e)) \/
    E f l <= b * E (fun _ => 1) l /\ (0 < E (fun _ => 1) l -> E f l < b * E (fun _ => 1) l)).
  { clear. induction l as [|e l IH]; intro Po; [right; cbn; split; lra|].
    destruct IH as [(d & I & D)|[Le Lt]]; [intros; apply Po; now right|left; exists d; split; [now right|exact D]|].
    assert (0 <= E (fun _ => 1) l) as M.
    { apply Qle_trans with (E (fun _ => 0) l); [|apply E_monotone; [intros; apply Po; now right|intros; lra]].
      clear. induction l as [|d l IH]; [cbn; lra|]. rewrite E_cons. lra. }
    pose proof (Po e (or_introl eq_refl)) as P0. rewrite !E_cons.
    destruct (Qlt_le_dec 0 (fst e)) as [Pos|Zero].
    - destruct (Qlt_le_dec (f (snd e)) b) as [Low|High]; [|left; exists e; split; [now left|now split]].
      right. assert (fst e * f (snd e) < fst e * b) by (rewrite !(Qmult_comm (fst e)); now apply Qmult_lt_compat_r). split; lra.
    - assert (fst e == 0) as -> by lra. right. split; [lra|]. intro. assert (0 < E (fun _ => 1) l) as G by lra. specialize (Lt G).
    lra. }
  destruct (K l Po) as [H|[_ Lt]]; [exact H|]. rewrite One in Lt. lra.
Qed.

Section Growth.
  Context {State : Type} (step : State -> law State) (valid : State -> Prop).
  Hypothesis lawful : forall x, valid x -> is_law (step x).
  Hypothesis closed : forall x e, valid x -> In e (step x) -> valid (snd e).
  Variables (W : State -> Q) (delta J : Q).
  Hypothesis delta_positive : 0 < delta.
  Hypothesis J_nonnegative : 0 <= J.
  Hypothesis grows : forall x, valid x -> W x + delta <= E W (step x).
  Hypothesis jumps : forall x e, valid x -> In e (step x) -> Qabs (W (snd e) - W x) <= J.

  Definition under (z : Q) (x : State) : bool := negb (Qle_bool z (W x)).
  Lemma under_true z x : under z x = true <-> W x < z.
  Proof.
    unfold under. rewrite negb_true_iff. split.
    - intro H. apply Qnot_le_lt. intro L. apply Qle_bool_iff in L. congruence.
    - intro H. apply not_true_iff_false. intro L. apply Qle_bool_iff in L. lra.
  Qed.
  Definition margin : Q := J + 1 + J * J / delta.
  Lemma margin_large : J < margin /\ J * J <= delta * (margin - J).
  Proof.
    assert (0 <= J * J / delta) by (apply Qle_shift_div_l; [assumption|nra]). unfold margin. split; [lra|].
    setoid_replace (delta * (J + 1 + J * J / delta - J)) with (delta + J * J) by (field; lra). lra.
  Qed.
  Theorem seldom_under z n x : valid x -> z <= W x -> reach step (under z) n x <= margin / (W x - z + margin).
  Proof.
    intros Vx Z. destruct margin_large as [Above Large].
    apply (escapes step valid lawful closed (under z) W z delta J margin); auto.
    - intros y _. apply under_true.
    - intros y _ U. apply Qnot_lt_le. intro L. apply under_true in L. congruence.
    - intros y Vy _. pose proof (grows y Vy). rewrite (E_equal _ (fun v => - W y + 1 * W v)) by (intros; ring).
      rewrite E_affine. destruct (lawful y Vy) as [_ ->]. lra.
    - apply not_true_iff_false. rewrite under_true. lra.
  Qed.
  (* Any height is reached with positive probability, without a visit to states that are low. *)
  Lemma climbs_to (low : State -> bool) z0 z : (forall y, valid y -> low y = true -> W y <= z0) ->
    forall x, valid x -> z0 < W x -> climbs step low (fun y => z < W y) x.
  Proof.
    intros Low. assert (K : forall k x, valid x -> z0 < W x -> z < W x + inject_Z (Z.of_nat k) * delta ->
      climbs step low (fun y => z < W y) x).
    { induction k as [|k IH]; intros x Vx A H.
      - apply There. change (inject_Z (Z.of_nat 0)) with 0 in H. lra.
      - destruct (some_not_below W (W x + delta) (step x) (lawful x Vx) (grows x Vx)) as (e & I & Pos & Up).
        apply Climb with e; auto.
        + apply not_true_iff_false. intro L. apply (Low x Vx) in L. lra.
        + apply IH; [exact (closed x e Vx I)|lra|]. rewrite Nat2Z.inj_succ in H. unfold Z.succ in H. rewrite inject_Z_plus in H.
          change (inject_Z 1) with 1 in H. lra. }
    intros x Vx A. apply (K (S (Z.to_nat (Qceiling ((z - W x) / delta)))) x Vx A).
    set (k := Z.of_nat (S (Z.to_nat (Qceiling ((z - W x) / delta))))).
    assert ((z - W x) / delta < inject_Z k) as H.
    { eapply Qle_lt_trans; [apply Qle_ceiling|]. rewrite <- Zlt_Qlt. unfold k. lia. }
    apply (Qmult_lt_compat_r _ _ delta) in H; [|assumption].
    setoid_replace ((z - W x) / delta * delta) with (z - W x) in H by (field; lra). lra.
  Qed.
  (* From a lowest state that is entered, one may never come back to such states. *)
  Theorem may_stay_away (low : State -> bool) z0 x : (forall y, valid y -> low y = true -> W y <= z0) -> valid x -> z0 <= W x ->
    exists b, b < 1 /\ forall n, returns step low n x <= b.
  Proof.
    intros Low Vx A. destruct (some_not_below W (W x + delta) (step x) (lawful x Vx) (grows x Vx)) as (e & I & Pos & Up).
    assert (Ve : valid (snd e)) by exact (closed x e Vx I). destruct margin_large as [Above _].
    apply (may_never_return step valid lawful closed low (fun y => z0 + delta < W y) x e); auto.
    - intros y Vy H. exists (margin / (W y - (z0 + delta) + margin)). split; [apply Qlt_shift_div_r; lra|]. intro n.
      eapply Qle_trans; [apply (reach_less step valid lawful closed low (under (z0 + delta)))|apply seldom_under]; auto; [|lra].
      intros v Vv L. apply under_true. specialize (Low v Vv L). lra.
    - apply (climbs_to low z0); auto. lra.
  Qed.
End Growth.
