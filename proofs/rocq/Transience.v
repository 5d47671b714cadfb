(* From the trees of a certificate of transience to a bound on the probability that an empty cluster empties again.

   W is linear in the lengths, with constants that the statuses choose. Trees show as in Drift.v that it grows by [growth]
   on average where it is at least w0, and that no slot changes it by more than [jump]; [escapes] bounds the probability
   of coming down from there. The climb from the empty cluster to where W is above w0 is found here, by computation.

   Believe: [is_empty] is part of the meaning of a theorem. *)
From Coq Require Import ZArith QArith Qabs Lqa List Bool Lia.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift.
Import ListNotations.
Open Scope Z_scope.

(* Every queue empty, every server idle. *)
Definition is_empty (x : state) : bool := if every (Z.eqb 0) (fst x) then every (same_status Idle) (snd x) else false.

Section Reach.
  Context {State : Type} (step : State -> law State) (valid : State -> Prop).
  Hypothesis lawful : forall x, valid x -> is_law (step x).
  Hypothesis closed : forall x e, valid x -> In e (step x) -> valid (snd e).
  Lemma returns_at_most_one target n x : valid x -> (returns step target n x <= 1)%Q.
  Proof.
    intro Vx. destruct (lawful x Vx) as [Po One]. rewrite <- One. apply E_monotone; auto. intros e I.
    apply (reach_between step valid lawful closed). eapply closed; eauto.
  Qed.
  (* A smaller target is reached with smaller probability. *)
  Lemma reach_less (small large : State -> bool) : (forall x, valid x -> small x = true -> large x = true) ->
    forall n x, valid x -> (reach step small n x <= reach step large n x)%Q.
  Proof.
    intros Sub n; induction n as [|n IH]; intros x Vx; cbn [reach].
    - destruct (small x) eqn:S; [rewrite (Sub x Vx S); apply Qle_refl|]. destruct (large x); easy.
    - destruct (small x) eqn:S; [rewrite (Sub x Vx S); apply Qle_refl|].
      assert (M : (E (reach step small n) (step x) <= E (reach step large n) (step x))%Q).
      { apply E_monotone; [apply lawful, Vx|]. intros e I. apply IH. exact (closed x e Vx I). }
      destruct (large x); [|exact M]. exact (returns_at_most_one small n x Vx).
  Qed.
  (* An outcome of probability p from where the target is reached with probability at most 1 - q. *)
  Lemma reach_past (target : State -> bool) n x e q : valid x -> In e (step x) -> target x = false -> (0 <= q)%Q ->
    (forall n, reach step target n (snd e) <= 1 - q)%Q -> (reach step target n x <= 1 - fst e * q)%Q.
  Proof.
    intros Vx I T Q0 R. destruct (lawful x Vx) as [Po One].
    assert (K : forall n, (E (reach step target n) (step x) <= 1 - fst e * (1 - (1 - q)))%Q).
    { intro k. apply E_one_below; auto. intros d J. apply (reach_between step valid lawful closed). eapply closed; eauto. }
    assert (0 <= fst e)%Q by now apply Po. destruct n as [|n]; cbn [reach]; rewrite T.
    - pose proof (reach_between step valid lawful closed target 0 (snd e) (closed x e Vx I)) as B.
      pose proof (K 0%nat) as K0. assert (E (fun _ => 0%Q) (step x) <= E (reach step target 0) (step x))%Q as M.
      { apply E_monotone; auto. intros d J. apply (reach_between step valid lawful closed). eapply closed; eauto. }
      rewrite E_constant in M by (split; auto). lra.
    - pose proof (K n). lra.
  Qed.
End Reach.

Section Transient.
  Variables (C : cluster) (P : policy) (W : lyapunov) (statuses : list (list status)).
  Variables (growth w0 jump c : Z) (trees : list tree).
  (* W where the servers do s. *)
  Definition form_at (s : list status) : form :=
    fold_right (fun r rest => if met (when r) s then
        form_plus (form_times (weight r) (form_plus (match largest_of r with f :: _ => f | [] => form_const 0 end) (form_times (-1) (less_form r)))) rest
      else rest) (form_const 0) (regrets W).
  Definition linear : bool :=
    match products W with [] => every (fun r => match largest_of r with [] | [_] => true | _ => false end) (regrets W) | _ => false end.
  Definition low (x : state) : bool := value_of W x <? w0.
  Definition growth_checked : bool := check C P W statuses (-1) (fun _ => form_const growth) w0 form_at (Some jump) trees.

  (* The outcome of largest W, of at least [best] where given. *)
  Fixpoint highest (l : law state) (best : option (Q * state)) : option (Q * state) :=
    match l with
    | [] => best
    | e :: l => highest l (match best with
                           | None => Some e
                           | Some d => if value_of W (snd d) <? value_of W (snd e) then Some e else best
                           end)
    end.
  (* A lower bound of the probability of never reaching the empty cluster again from x, by climbing. *)
  Fixpoint hope (slots : nat) (x : state) : Q :=
    if is_empty x then 0%Q
    else if w0 <? value_of W x then Qred ((value_of W x - w0) # Z.to_pos (value_of W x - w0 + c))
    else match slots with
         | O => 0%Q
         | S slots => match highest (chain C P x) None with Some e => Qred (fst e * hope slots (snd e)) | None => 0%Q end
         end.
  (* The same of the empty cluster, after its first slot. *)
  Definition chance (slots : nat) : Q :=
    match highest (chain C P (empty_state C P)) None with Some e => Qred (fst e * hope slots (snd e)) | None => 0%Q end.
  Definition transient_accepted : bool :=
    if Nat.eqb (length statuses) (servers C) then
    if listed (repeat Idle (servers C)) statuses then
    if linear then
    if 0 <? growth then
    if 0 <=? jump then
    if jump <? c then
    if jump * jump <=? growth * (c - jump) then
    if low (empty_state C P) then growth_checked
    else false else false else false else false else false else false else false else false.

  (* ---- soundness ---- *)

  Lemma form_at_value x : linear = true -> value (fst x) (form_at (snd x)) = value_of W x.
  Proof.
    unfold linear, value_of, form_at. destruct (products W) as [|]; [|discriminate]. cbn [products_value fold_right]. rewrite Z.add_0_l.
    unfold regrets_value. induction (regrets W) as [|r rs IH]; cbn [fold_right every]; intro H; [apply value_const|].
    apply if_true in H as [One H]. rewrite <- (IH H). destruct (met (when r) (snd x)); [|lia].
    rewrite value_plus, value_times, value_plus, value_times. destruct (largest_of r) as [|f [|]]; [|reflexivity|discriminate].
    cbn [largest_value]. rewrite value_const. ring.
  Qed.
  Lemma highest_In l : forall best e, highest l best = Some e -> In e l \/ best = Some e.
  Proof.
    induction l as [|d l IH]; intros best e H; cbn [highest] in H; [now right|]. apply IH in H as [H|H]; [left; now right|].
    destruct best as [b|]; [destruct (value_of W (snd b) <? value_of W (snd d))|]; try (injection H as <-; left; now left). now right.
  Qed.

  Section Accepted.
    Hypothesis accepted : transient_accepted = true.
    Notation ok := (valid C P statuses).
    Lemma parts : linear = true /\ 0 < growth /\ 0 <= jump /\ jump < c /\ jump * jump <= growth * (c - jump) /\
      low (empty_state C P) = true /\ growth_checked = true.
    Proof.
      unfold transient_accepted in accepted. split_ifs. repeat match goal with
        | H : (_ <? _) = true |- _ => apply Z.ltb_lt in H | H : (_ <=? _) = true |- _ => apply Z.leb_le in H end. auto 8.
    Qed.
    Theorem transient_empty_valid : ok (empty_state C P).
    Proof.
      unfold transient_accepted in accepted. split_ifs. unfold empty_state. split; [apply repeat_length|]. cbn [fst snd]. split; [now apply listed_In|].
      rewrite executing_idle. generalize (queues C (keeps P)). intro q. induction q; cbn; constructor; auto. lia.
    Qed.
    Lemma transient_lawful x : ok x -> is_law (chain C P x).
    Proof. destruct parts as (_ & _ & _ & _ & _ & _ & H). exact (chain_lawful _ _ _ _ _ _ _ _ _ _ H x). Qed.
    Lemma transient_closed x e : ok x -> In e (chain C P x) -> ok (snd e).
    Proof. destruct parts as (_ & _ & _ & _ & _ & _ & H). exact (chain_closed _ _ _ _ _ _ _ _ _ _ H x e). Qed.
    Theorem comes_down_at_most n x : ok x -> low x = false ->
      (reach (chain C P) low n x <= inject_Z c / inject_Z (value_of W x - w0 + c))%Q.
    Proof.
      intros Vx Lx. destruct parts as (Li & G0 & J0 & Jc & Large & _ & H).
      assert (Le : forall a b, a <= b -> (inject_Z a <= inject_Z b)%Q) by (intros; now rewrite <- Zle_Qle).
      assert (Lt : forall a b, a < b -> (inject_Z a < inject_Z b)%Q) by (intros; now rewrite <- Zlt_Qlt).
      eapply Qle_trans;
        [apply (escapes (chain C P) ok transient_lawful transient_closed low (fun y => inject_Z (value_of W y)) (inject_Z w0) (inject_Z growth) (inject_Z jump) (inject_Z c))|]; auto.
      - now apply (Lt 0).
      - now apply (Le 0).
      - unfold Qminus. rewrite <- inject_Z_opp, <- inject_Z_plus, <- !inject_Z_mult. apply Le. lia.
      - intros y _ B. apply Z.ltb_lt in B. auto.
      - intros y _ B. apply Z.ltb_ge in B. auto.
      - intros y Vy B. apply Z.ltb_ge in B. rewrite <- (form_at_value y Li) in B.
        pose proof (chain_drift _ _ _ _ _ _ _ _ _ _ H y Vy B) as D. cbv beta in D. rewrite value_const in D.
        rewrite (E_equal _ (fun z => 0 + -(1) * (inject_Z (value_of W z) - inject_Z (value_of W y)))%Q) in D.
        + rewrite E_affine in D. lra.
        + intros e _. unfold Z.sub. rewrite inject_Z_mult, inject_Z_plus, inject_Z_opp. change (inject_Z (-1)) with (-(1))%Q. ring.
      - intros y e Vy I. unfold Qminus. rewrite <- inject_Z_opp, <- inject_Z_plus. unfold Qabs, inject_Z, Qle; cbn [Qnum Qden].
        rewrite !Z.mul_1_r. exact (chain_jumps _ _ _ _ _ _ _ _ _ _ jump H eq_refl y e Vy I).
      - apply Qle_lteq. right. unfold Z.sub. rewrite !inject_Z_plus, inject_Z_opp. reflexivity.
    Qed.
    Lemma empty_low x : ok x -> is_empty x = true -> low x = true.
    Proof.
      destruct parts as (_ & _ & _ & _ & _ & L & _). intros (Ln & In_ & _) H. destruct x as [x s]. unfold is_empty in H. cbn [fst snd] in *.
      apply if_true in H as [Zx Is]. assert (x = repeat 0 (queues C (keeps P))) as ->.
      { rewrite <- Ln. clear - Zx. induction x as [|z x IH]; cbn [every List.length repeat] in *; auto. apply if_true in Zx as [E0 Zx].
        apply Z.eqb_eq in E0. now rewrite <- E0, <- (IH Zx). }
      assert (s = repeat Idle (servers C)) as ->; [|exact L].
      assert (List.length s = List.length statuses) as Lss by (clear - In_; induction In_; cbn; congruence). unfold transient_accepted in accepted. apply if_true in accepted as [Ls _]. apply Nat.eqb_eq in Ls.
      rewrite <- Ls, <- Lss. clear - Is. induction s as [|f s IH]; cbn [every List.length repeat] in *; auto. apply if_true in Is as [E0 Is].
      apply same_status_eq in E0. now rewrite <- E0, <- (IH Is).
    Qed.
    Lemma hope_between slots : forall x, ok x -> (0 <= hope slots x)%Q /\ forall n, (reach (chain C P) is_empty n x <= 1 - hope slots x)%Q.
    Proof.
      assert (Any : forall x, ok x -> (0 <= 0)%Q /\ forall n, (reach (chain C P) is_empty n x <= 1 - 0)%Q).
      { intros x Vx. split; [lra|]. intro n. pose proof (reach_between (chain C P) ok transient_lawful transient_closed is_empty n x Vx). lra. }
      destruct parts as (_ & _ & J0 & Jc & _).
      assert (Up : forall x, ok x -> w0 < value_of W x -> let q := Qred ((value_of W x - w0) # Z.to_pos (value_of W x - w0 + c)) in
        (0 <= q)%Q /\ forall n, (reach (chain C P) is_empty n x <= 1 - q)%Q).
      { intros x Vx A. cbv zeta. split; [rewrite Qred_correct; unfold Qle; cbn; lia|]. intro n. rewrite Qred_correct.
        eapply Qle_trans; [apply (reach_less (chain C P) ok transient_lawful transient_closed is_empty low); auto using empty_low|].
        eapply Qle_trans; [apply comes_down_at_most; auto; unfold low; apply Z.ltb_ge; lia|].
        set (d := value_of W x - w0) in *. assert (exists k, d + c = Zpos k) as [k Ek] by (exists (Z.to_pos (d + c)); rewrite Z2Pos.id; lia).
        rewrite Ek. replace c with (Zpos k - d) by lia. apply Qle_shift_div_r; [easy|]. apply Qle_lteq. right.
        unfold Qeq, Qmult, Qminus, Qplus, Qopp, inject_Z; cbn [Qnum Qden]. cbn [Z.to_pos]. rewrite ?Pos2Z.inj_mul. ring. }
      induction slots as [|slots IH]; intros x Vx; cbn [hope]; destruct (is_empty x) eqn:Em; auto;
        destruct (Z.ltb_spec w0 (value_of W x)); auto.
      destruct (highest (chain C P x) None) as [e|] eqn:Hi; auto.
      apply highest_In in Hi as [I|]; [|discriminate]. destruct (IH (snd e) (transient_closed x e Vx I)) as [H0 Hr].
      destruct (transient_lawful x Vx) as [Po _]. pose proof (Po e I). split; [rewrite Qred_correct; now apply Qmult_le_0_compat|].
      intro n. rewrite Qred_correct. now apply (reach_past (chain C P) ok transient_lawful transient_closed).
    Qed.
    (* Started empty, the cluster is empty again at some time from the first slot on with probability at most 1 - chance. *)
    Theorem seldom_empty_again slots n : (returns (chain C P) is_empty n (empty_state C P) <= 1 - chance slots)%Q.
    Proof.
      pose proof transient_empty_valid as Ve.
      pose proof (returns_at_most_one (chain C P) ok transient_lawful transient_closed is_empty n _ Ve) as Only.
      unfold returns, chance in *.
      destruct (highest _ None) as [e|] eqn:Hi; [|lra]. apply highest_In in Hi as [I|]; [|discriminate].
      destruct (hope_between slots (snd e) (transient_closed _ e Ve I)) as [H0 Hr]. rewrite Qred_correct.
      eapply Qle_trans; [apply (E_one_below _ (1 - hope slots (snd e)) _ e)|]; auto using transient_lawful.
      - intros d J. apply (reach_between (chain C P) ok transient_lawful transient_closed). eapply transient_closed; eauto.
      - lra.
    Qed.
  End Accepted.
End Transient.
