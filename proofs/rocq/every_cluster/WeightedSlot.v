(* Every cluster: what a slot brings to a weighted sum of workloads, and what it takes ([slot_grows], [slot_steps]).

   Of the policy two answers are known at a state: an arriving task's queues, of which only [gain] matters; and that idle
   servers turn to work of their own, as in OwnSlot.v. *)
From Coq Require Import ZArith QArith Qabs Lqa List Bool Lia Arith.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Outcomes Rules Capacity Layout Draws OwnService
  Routing OwnSlot WeightedWork.
Import ListNotations.

Lemma arrive_at_most (C : cluster) factors : (forall f, In f factors -> is_law f) -> forall count,
  always (fun a => fold_right Nat.add 0 a <= fold_right Nat.add 0 count + fold_right
    (fun f k => most_of_factor f + k) 0 factors)%nat
    (arrive (N := Z) factors count).
Proof.
  assert (Sum : forall l m, (fold_right Nat.add 0 (map (fun p => fst p + snd p) (combine l m))
    <= fold_right Nat.add 0 l + fold_right Nat.add 0 m)%nat).
  { induction l as [|a l IH]; intros [|b m]; cbn [combine map fold_right fst snd]; try lia. specialize (IH m). lia. }
  assert (Most : forall f i, (fold_right Nat.add 0 (snd (nth i f (0%Q, []))) <= most_of_factor f)%nat).
  { unfold most_of_factor. induction f as [|e f IH]; intros [|i]; cbn [nth fold_right snd]; try lia. specialize (IH i). lia. }
  induction factors as [|f rest IH]; intros L count; cbn [arrive fold_right]; [constructor; lia|].
  assert (K : forall e, (fold_right Nat.add 0 (snd e) <= most_of_factor f)%nat ->
    always (fun a => fold_right Nat.add 0 a <= fold_right Nat.add 0 count + (most_of_factor f + fold_right
      (fun f k => most_of_factor f + k) 0 rest))%nat
      (arrive (N := Z) rest (map (fun p => fst p + snd p)%nat (combine count (snd (e : Q * list nat)))))).
  { intros e Le. eapply always_weaken; [apply IH; intros; apply L; now right|]. intros a Ha. cbv beta in Ha.
  specialize (Sum count (snd e)). lia. }
  assert (D : always (fun a => fold_right Nat.add 0 a <= fold_right Nat.add 0 count + (most_of_factor f + fold_right
    (fun f k => most_of_factor f + k) 0 rest))%nat
    (Draw (map fst f) (fun i => arrive (N := Z) rest
      (map (fun p => fst p + snd p)%nat (combine count (snd (nth i f (0%Q, [])))))))).
  { destruct (L f (or_introl eq_refl)) as [Po One]. constructor.
    - intros p I. apply in_map_iff in I as (e & <- & I). now apply Po.
    - rewrite <- One. unfold mass, E. clear. induction f as [|e f IH]; cbn [map fold_right]; [reflexivity|]. rewrite IH. ring.
    - intros i _. apply K. apply Most. }
  destruct f as [|e [|]]; auto. apply K. exact (Most [e] 0%nat).
Qed.

Open Scope Q_scope.
Section Slot.
  Variables (C : cluster) (route serve : set) (weight : nat -> Q).
  Hypothesis WF : well_formed C.
  Hypothesis weight_nonnegative : forall m, 0 <= weight m.
  Hypothesis weights_at_most_one : total (all_servers C) weight <= 1.
  Notation A := per_server_and_level.
  Notation P := (Policy A route serve).
  Notation n := (queues C A).
  Notation W := (weighted_work C weight).
  Notation adds := (adds C weight).
  Notation none := (repeat 0%Z n).

  Variables (len : list Z) (s : list status) (gain : nat -> Q).
  Hypothesis valid_now : valid C P (own_statuses C) (len, s).
  Hypothesis batch_routing : routes (option_of C) = batch.
  Hypothesis unmatched_servers : unmatched_is (option_of C) = idle_again.
  Hypothesis routes_at_gain : forall t, In t (all_types C) -> exists tied,
    answers (set_of integers C A len (executing C P s) (Arriving t) route []) tied /\ tied <> [] /\
      (forall c, In c tied -> (fst c < n)%nat) /\ mean_over tied (fun c => adds (fst c)) == gain t.
  Hypothesis turns_to_own_work : forall inside m, (m < servers C)%nat -> free C inside m -> exists tied,
    answers (set_of integers C A len inside (Serving m) serve []) tied /\ tied <> [] /\
      forall c, In c tied -> good_choice C len m (fst c).

  Notation joined := (joined C A (/ least_rate C) (fun _ => 0) W).
  Notation nothing := (fun _ : nat => 0).
  Lemma any_price t q : (q < n)%nat -> adds_price C A nothing (/ least_rate C) (fun _ => 0) W t q.
  Proof.
    intros Q d L. split; [now rewrite length_bump|]. split; [|split; [lra|]].
    - intro r. rewrite nth_bump by lia. destruct (Nat.eqb r q); lia.
    - rewrite weighted_bump by (auto; lia). pose proof (adds_between C weight WF weight_nonnegative weights_at_most_one q Q).
      change (inject_Z 1) with 1. lra.
  Qed.
  Lemma joins_somewhere count : (length count <= types C)%nat ->
    always (joined none (cost_of nothing 0 count) (all_tasks count)) (join integers C P len (executing C P s) 0 count none).
  Proof.
    intro Le. pose proof (Qinv_lt_0_compat _ (least_rate_positive C WF)) as Unit.
    assert (0 <= all_tasks count * / least_rate C).
    { apply Qmult_le_0_compat; [unfold all_tasks; change 0 with (inject_Z 0); rewrite <- Zle_Qle; lia|lra]. }
    apply join_ok with (room := W none + all_tasks count * / least_rate C); auto; [lra| |split;
      [apply repeat_length|split; [intro; rewrite nth_repeat; lia|lra]]|lra].
    intros t d T _. unfold seen. rewrite batch_routing.
    destruct (routes_at_gain t T) as (tied & At & Ne & In_ & _). exists tied. split; [exact At|split; [exact Ne|]].
    intros c I. now apply any_price, In_.
  Qed.
  Lemma picks_mean tied g : tied <> [] -> (forall c, In c tied -> (fst c < n)%nat) -> mean_over tied (fun c => adds (fst c)) == g ->
    forall k d, length d = n -> E W (run (picks C P k tied d)) == W d + number k * g /\
      always (fun e => length e = n) (picks C P k tied d).
  Proof.
    intros Ne In_ Mean. induction k as [|k IH]; intros d L; cbn [picks].
    - split; [cbn [run]; rewrite E_cons, E_nil; cbn [fst snd]; change (number 0) with 0; ring|now constructor].
    - split.
      + rewrite pick_mean by assumption.
        rewrite (mean_over_equal tied _ (fun c => (W d + number k * g) + adds (fst c))).
        2: { intros c I. specialize (In_ c I). destruct (IH (bump 1 (fst c) d) ltac:(now rewrite length_bump)) as [-> _].
             rewrite weighted_bump by (auto; lia). change (inject_Z 1) with 1. ring. }
        rewrite mean_over_affine, Mean by assumption. rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus.
        change (inject_Z 1) with 1. ring.
      + eapply always_bind; [now apply pick_member|]. intros q (c & I & ->). apply IH. now rewrite length_bump.
  Qed.
  Lemma join_mean count : forall t d, (t + length count <= types C)%nat -> length d = n ->
    E W (run (join integers C P len (executing C P s) t count d)) == W d + cost_of gain t count.
  Proof.
    induction count as [|k count IH]; intros t d Le L; cbn [join cost_of]; cbn [length] in Le.
    - cbn [run]. rewrite E_cons, E_nil. cbn [fst snd]. ring.
    - destruct k as [|k].
      + rewrite IH by (auto; lia). change (number 0) with 0. ring.
      + rewrite batch_routing. destruct (routes_at_gain t) as (tied & At & Ne & In_ & Mean); [apply in_seq; lia|].
        destruct (picks_mean tied (gain t) Ne In_ Mean (S k) d L) as [Pm Pl].
        rewrite E_bind, (run_bind_answer _ _ _ At).
        destruct (always_run _ _ Pl) as [_ Len].
        rewrite (E_equal _ (fun e => cost_of gain (S t) count + 1 * W e)).
        2: { intros e I. rewrite IH by (try lia; now apply Len). ring. }
        rewrite E_affine. destruct (always_run _ _ Pl) as [[_ One] _]. rewrite One, Pm. ring.
  Qed.

  Lemma after_match d : length d = n -> (forall q, (0 <= nth q d 0)%Z) ->
    W (add len d) - total (all_servers C) weight <= E (fun r => W (add len (fst r))) (run (second_half C route serve len s d)) /\
    always (fun r => valid C P (own_statuses C) (add len (fst r), snd r) /\
      W (add len d) - / least_rate C <= W (add len (fst r)) <= W (add len d)) (second_half C route serve len s d).
  Proof.
    intros Ld Dn. pose proof (proj1 (valid_iff C route serve WF len s) valid_now) as (Ll & Ls & N0 & Live).
    pose proof (targets_ok C route serve WF len s valid_now turns_to_own_work) as Targets. unfold second_half.
    assert (One : forall ts, each (aims C len (executing C P s)) 0 ts /\ length ts = length s ->
      let rest := (places <- to_hand_out integers len d (executing C P s) ts none;
                   now <- hand_out C ts places; depart C P 0 now d) in
      W (add len d) - total (all_servers C) weight <= E (fun r => W (add len (fst r))) (run rest) /\
      always (fun r => valid C P (own_statuses C) (add len (fst r), snd r) /\
        W (add len d) - / least_rate C <= W (add len (fst r)) <= W (add len d)) rest).
    { intros ts [Ts Lt] rest.
      destruct (match_ok C route serve WF len s valid_now unmatched_servers d ts Ld Dn Ts) as (Busy_ & Run_ & Always_).
      pose proof (length_now C route serve WF len s valid_now ts d Lt) as Ln. set (now := map (decided len d) ts) in *.
      assert (Live_now : each (live C (add len d)) 0 now) by (refine (each_weaken _ _ _ _ Busy_ _); intros m [|q|q] _; cbn; tauto).
      destruct (depart_weighted C route serve weight WF weight_nonnegative len Ll now 0 d Ld Live_now) as [Mean Step].
      pose proof (removed_between weight weight_nonnegative now 0) as Rem. rewrite Ln in Rem. fold (all_servers C) in Rem.
      unfold rest. split; [rewrite Run_, Mean; lra|]. apply Always_. apply always_both.
      - eapply always_weaken; [apply (depart_ok C route serve WF len Ll); auto|].
        + intro q. rewrite nth_add by congruence. specialize (N0 q); specialize (Dn q); lia.
        + intros r (R1 & R2 & _ & R4 & R5). apply (valid_iff C route serve WF). split; [rewrite length_add; assumption|].
        split; [lia|split; assumption].
      - eapply always_weaken; [exact Step|]. intros r R. cbv beta in R |- *. pose proof (least_rate_positive C WF) as G.
        pose proof (Qinv_lt_0_compat _ G).
        assert (removed weight 0 now / least_rate C <= / least_rate C) by (unfold Qdiv; nra). lra. }
    split.
    - rewrite E_bind. destruct (always_run _ _ Targets) as [Lw Ts].
    rewrite <- (E_constant (W (add len d) - total (all_servers C) weight) _ Lw).
      apply E_monotone; [apply Lw|]. intros e I. now apply One, Ts.
    - eapply always_bind; [exact Targets|]. intros ts Ts. now apply One.
  Qed.

  Lemma arrives : always (fun a => (length a <= types C)%nat /\ (fold_right Nat.add 0 a <= most_tasks C)%nat)
    (arrive (N := Z) (arrivals C) (repeat 0%nat (types C))).
  Proof.
    apply always_both.
    - apply arrive_ok; [exact (arrivals_are_laws C WF)|]. now rewrite repeat_length.
    - eapply always_weaken; [apply (arrive_at_most C); exact (arrivals_are_laws C WF)|]. intros a Le. cbv beta in Le.
      assert (Z0 : fold_right Nat.add 0%nat (repeat 0%nat (types C)) = 0%nat) by (induction (types C); auto). rewrite Z0 in Le.
      exact Le.
  Qed.
  Lemma joined_none_ok d cost tasks : joined none cost tasks d -> length d = n /\ (forall q, (0 <= nth q d 0)%Z) /\ W d <=
    tasks / least_rate C.
  Proof.
    intros (Ld & D0 & _ & Wd). split; [assumption|]. split.
    - intro q. specialize (D0 q). now rewrite nth_repeat in D0.
    - rewrite weighted_none in Wd. unfold Qdiv. lra.
  Qed.
  Theorem slot_grows : W len + total (all_types C) (fun t => arrival_rate C t * gain t) - total (all_servers C) weight
    <= E (fun r => W (add len (fst r))) (run (slot integers C P len s)).
  Proof.
    pose proof (proj1 (valid_iff C route serve WF len s) valid_now) as (Ll & _).
    set (earned := fun a => total (all_types C) (fun t => tasks_of t a * gain t)).
    destruct (always_run _ _ arrives) as [Lw _]. fold (arrival_law C) in Lw.
    apply Qle_trans with (E (fun a => (W len - total (all_servers C) weight) + 1 * earned a) (arrival_law C)).
    - rewrite E_affine. destruct Lw as [_ ->]. unfold earned. rewrite total_E.
      rewrite (total_equal (all_types C) (fun t => E (fun a => tasks_of t a * gain t) (arrival_law C))
        (fun t => arrival_rate C t * gain t)).
      2: { intros t _. unfold arrival_rate. rewrite (E_equal _ (fun a => gain t * tasks_of t a)) by (intros; ring).
      rewrite E_times. ring. }
      lra.
    - unfold slot. cbv zeta. apply (mean_bind_at_least _ _ _ _ _ arrives). intros a [La _].
      pose proof (join_mean a 0 none La (repeat_length _ _)) as Mean. rewrite weighted_none in Mean.
      apply Qle_trans with (E (fun d => (W len - total (all_servers C) weight) + 1 * W d) (run (join integers C P len
        (executing C P s) 0 a none))).
      + rewrite E_affine, Mean. destruct (always_run _ _ (joins_somewhere a La)) as [[_ ->] _].
        rewrite (cost_of_total gain a 0 (types C) La). unfold earned, tasks_of, all_types.
        rewrite (total_equal _ (fun t => number (nth (t - 0) a 0%nat) * gain t) (fun t => number (nth t a 0%nat) * gain t)); [lra|].
        intros t _. now rewrite Nat.sub_0_r.
      + apply (mean_bind_at_least _ _ _ _ _ (joins_somewhere a La)). intros d Jd.
      destruct (joined_none_ok d _ _ Jd) as (Ld & Dn & _).
        destruct (after_match d Ld Dn) as [M _]. eapply Qle_trans; [|exact M].
        rewrite weighted_add by congruence. lra.
  Qed.
  Theorem slot_steps : always (fun r => valid C P (own_statuses C) (add len (fst r), snd r) /\
    Qabs (W (add len (fst r)) - W len) <= largest_step C) (slot integers C P len s).
  Proof.
    pose proof (proj1 (valid_iff C route serve WF len s) valid_now) as (Ll & _). pose proof (least_rate_positive C WF) as G.
    unfold slot. cbv zeta. eapply always_bind; [apply arrives|]. intros a [La Most].
    eapply always_bind; [apply (joins_somewhere a La)|]. intros d Jd. destruct (joined_none_ok d _ _ Jd) as (Ld & Dn & Wd).
    destruct (after_match d Ld Dn) as [_ M]. eapply always_weaken; [exact M|]. intros r [V R]. split; [exact V|].
    rewrite weighted_add in R by congruence. pose proof (weighted_nonnegative C weight WF weight_nonnegative d Dn) as W0.
    assert (all_tasks a / least_rate C <= number (most_tasks C) / least_rate C).
    { unfold Qdiv. apply Qmult_le_compat_r; [unfold all_tasks; rewrite <- Zle_Qle; lia|]. now apply Qlt_le_weak, Qinv_lt_0_compat. }
    assert (Eq : largest_step C == number (most_tasks C) / least_rate C + / least_rate C) by (unfold largest_step; field; lra).
    pose proof (Qinv_lt_0_compat _ G). assert (0 <= number (most_tasks C) / least_rate C).
    { apply Qle_shift_div_l; [assumption|]. rewrite Qmult_0_l. change 0 with (inject_Z 0). rewrite <- Zle_Qle. lia. }
    apply Qabs_Qle_condition. rewrite Eq. lra.
  Qed.
End Slot.
