(* Balanced-Pandas is throughput optimal in continuous time, on every cluster: any servers, types, levels, rates and
  Poisson
   arrivals.

   The policy is the rule [balanced_pandas] of Policies.v, the chain that of EventKernel.v.
   [event_balanced_pandas_throughput_optimal], at the end, is stated with the definitions of Capacity.v and
     EventCapacity.v.
   The squared workloads fall: where a server is idle in a settled state, it has no task. *)
From Coq Require Import ZArith QArith Qminmax Lqa List Bool Lia Arith.
From Schedproof Require Import Law Affine Program Cluster Language Kernel EventKernel Drift EventDrift Policies.
From Schedproof Require Import Outcomes Rules Capacity Layout Draws Offers OwnService OwnSlot BalancedPandas Weights
  EventCapacity.
From Schedproof Require Import NonpreemptiveStability.
Import ListNotations.
Open Scope Q_scope.

Section Events.
  Variables (C : cluster) (streams : list Q).
  Hypothesis LO : laid_out C.
  Hypothesis supported : event_options C.
  Hypothesis rates : streams_are_rates streams.
  Notation A := per_server_and_level.
  Notation P := (Policy A (route balanced_pandas) (serve balanced_pandas)).
  Notation n := (queues C A).
  Notation M := (servers C).
  Notation owner := (owner C A).
  Notation gamma := (least_rate C).
  Definition own_between (x : state) : Prop := valid C P (own_statuses C) x /\ settled C P x = true.
  Notation step := (event_chain C streams no_preemption P).

  Definition own_fit (len : list Z) (s : list status) : Prop :=
    length s = M /\ (forall q, (0 <= nth q len 0)%Z) /\ each (live C len) 0 s.
  Lemma turns_to_own len s m : own_fit len s -> (m < M)%nat -> idle s m -> exists tied,
    answers (answer_of integers C P len s m) tied /\ tied <> [] /\ forall c, In c tied -> good_choice C len m (fst c) /\
      waiting_in C P len s (fst c) = nth (fst c) len 0%Z.
  Proof.
    intros (Ls & N0 & Live) Hm Id. pose proof (live_serves_own C _ _ _ Live) as Own.
    pose proof (idle_free C (route balanced_pandas) (serve balanced_pandas) s Own) as Free.
    pose proof (each_nth _ Idle _ 0%nat m Free ltac:(lia)) as Fm. cbn [Nat.add] in Fm. specialize (Fm Id).
    destruct (serve_turns_to_own_work C LO len (executing C P s) m Hm Fm) as (tied & At & Ne & Good).
    exists tied. split; [exact At|split; [exact Ne|]]. intros c I. split; [now apply Good|].
    unfold waiting_in, waiting_tasks, tasks. cbn [plus const integers]. rewrite (Fm (fst c)) by apply (Good c I). lia.
  Qed.
  Lemma own_between_iff len s : own_between (len, s) <->
    length len = n /\ own_fit len s /\ forall m, (m < M)%nat -> idle s m -> declined C P len s m.
  Proof.
    unfold own_between. rewrite (valid_iff C (route balanced_pandas) (serve balanced_pandas) LO). split.
    - intros ((Ll & Ls & N0 & Live) & St). assert (F : own_fit len s) by now split.
      split; [exact Ll|split; [exact F|]]. intros m Hm Id.
      unfold settled in St. pose proof (every_In _ _ St m ltac:(apply in_seq; lia)) as K. cbv beta in K. cbn [snd] in K.
      unfold idle in Id. rewrite Id in K. destruct (turns_to_own len s m F Hm Id) as (tied & At & _). exists tied.
      split; [exact At|]. unfold declines in K. cbn [fst snd] in K. rewrite (possible_answers _ _ _ At) in K.
      destruct tied as [|c l]; [now left|]. right. apply some_In in K as (d & I & W). apply Z.leb_le in W. exists d.
      now split.
    - intros (Ll & (Ls & N0 & Live) & D). split; [now split|]. now apply declined_settled.
  Qed.
  Lemma declined_empty len s m : own_fit len s -> (m < M)%nat -> idle s m -> declined C P len s m -> workload C len m
    <= 0.
  Proof.
    intros F Hm Id (tied & At & D). destruct (turns_to_own len s m F Hm Id) as (tied' & At' & Ne & Good).
    rewrite (answers_unique _ _ _ At At') in *. destruct D as [->|(c & I & W)]; [contradiction|].
    destruct (Good c I) as [[_ Cases] Eq]. rewrite Eq in W. destruct Cases as [Some_|Empty]; [lia|].
    apply (workload_empty C LO); [exact Hm|]. intros q Ow Q. now apply Empty.
  Qed.
  Theorem own_offer len order s : own_fit len s -> (forall k, In k order <-> (k < M)%nat) ->
    always (fun s' => own_fit len s' /\ forall m, (m < M)%nat -> idle s' m -> declined C P len s' m)
      (offer integers C P len order s).
  Proof.
    intros F All. eapply always_weaken; [apply (offer_ok C P len (own_fit len))|].
    - intros t (Lt & _). exact Lt.
    - intros t m Ft Hm Id. destruct (turns_to_own len t m Ft Hm Id) as (tied & At & _ & Good). exists tied.
      split; [exact At|]. intros c I W. destruct (Good c I) as [[Own _] Eq]. rewrite Eq in W.
      destruct Ft as (Lt & N0 & Live).
      split; [now rewrite put_length|split; [exact N0|]]. apply each_put; [exact Live|]. split; [exact Own|lia].
    - intros m I. now apply All.
    - exact F.
    - intros s' [F' D]. split; [exact F'|]. intros m Hm Id. apply D; [now apply All|exact Id].
  Qed.

  Section Event.
    Variables (len : list Z) (s : list status).
    Hypothesis len_all : length len = n.
    Hypothesis fits_now : own_fit len s.
    Hypothesis declined_now : forall m, (m < M)%nat -> idle s m -> declined C P len s m.
    Notation W m := (workload C len m).
    Notation change := (unit_change C P).
    Notation after := (fun r => squared_workloads C (add len (fst r))).
    Lemma own_arrival t : In t (all_types C) ->
      always (fun e => exists q, (q < n)%nat /\ W (owner q) / rate_of C q <= price C len t /\
                e = (change 1 q, s, after_arrival C A t q)) (happens integers C P len s (Arrives t)).
    Proof.
      intro T. cbn [happens]. destruct (route_to_least C LO len (executing C P s) t T) as (tied & At & Ne & Least_).
      eapply always_answer; [exact At|]. eapply always_bind; [apply (pick_member C P tied), Ne|]. intros q (c & I & ->).
      constructor. destruct (Least_ c I) as (Q & m & Sm & Ow & Rate & Best). exists (fst c).
      split; [exact Q|split; [|reflexivity]].
      rewrite Ow, Rate. destruct (price_paid C LO len t) as (k & K & <-). specialize (Best k K). unfold over_rate.
      assert (Seen : forall j, seen_workload C len (executing C P s) j == W j).
      { intro j. unfold seen_workload, workload. apply total_equal. intros d _. unfold length_of, tasks.
        now rewrite (proj1 supported). }
      rewrite !Seen in Best. exact Best.
    Qed.
    Lemma bump_fit k q t : (q < n)%nat -> length t = M -> (0 <= nth q len 0 + k)%Z -> each (live C len) 0 t ->
      (forall j, (k < 0)%Z -> nth j t Idle <> Busy q) -> own_fit (bump k q len) t.
    Proof.
      intros Q Lt K Live Other. pose proof fits_now as (_ & N0 & _). split; [exact Lt|split].
      - intro r. rewrite nth_bump by congruence. specialize (N0 r). destruct (Nat.eqb_spec r q) as [->|_]; lia.
      - apply (each_of_nth _ Idle). intros i I. pose proof (each_nth _ Idle _ 0%nat i Live I) as L. cbn [Nat.add] in *.
        specialize (Other i). destruct (nth i t Idle) as [|r|r]; auto. destruct L as [Own L]. split; [exact Own|].
        rewrite nth_bump by congruence. destruct (Nat.eqb_spec r q) as [->|_]; [|lia].
        destruct (Z.lt_ge_cases k 0) as [Neg|Pos]; [now destruct (Other Neg)|lia].
    Qed.
    Definition own_next (r : list Z * list status) : Prop :=
      length (fst r) = n /\ own_fit (add len (fst r)) (snd r) /\
      forall k, (k < M)%nat -> idle (snd r) k -> declined C P (add len (fst r)) (snd r) k.
    Notation pursue := (pursue C P len).
    Lemma own_pursued k q t order : own_fit (bump k q len) t -> (forall j, In j order <-> (j < M)%nat) ->
      always own_next (pursue (change k q, t, order)) /\
      E after (run (pursue (change k q, t, order))) <= squared_workloads C (bump k q len).
    Proof.
      intros F All. pose proof (pursue_change C P len len_all _ k q t order (own_offer (bump k q len) order t F All))
        as H.
      split; [|apply mean_always]; (eapply always_weaken; [exact H|]); intros [d next] (Eq & Fn & D);
        cbn [fst snd] in *;
        subst d; [split; [apply length_unit_change|]; cbn [fst snd]|]; rewrite (add_unit_change C P len len_all);
          [now split|lra].
    Qed.
    Lemma own_unpursued : always own_next (pursue (repeat 0%Z n, s, [])) /\
      E after (run (pursue (repeat 0%Z n, s, []))) == squared_workloads C len.
    Proof.
      change (pursue (repeat 0%Z n, s, [])) with (Ret (N := Z) (repeat 0%Z n, s)). cbn [run]. rewrite E_cons, E_nil.
      cbn [fst snd keeps].
      assert (Same : add len (repeat 0%Z n) = len) by (rewrite <- len_all; apply add_zeros). rewrite Same.
      split; [|ring].
      constructor. split; [apply repeat_length|]. cbn [fst snd keeps]. rewrite Same. now split.
    Qed.
    Lemma squared_change k q : (q < n)%nat -> let z := inject_Z k / rate_of C q in
      squared_workloads C (bump k q len) == squared_workloads C len + 2 * z * W (owner q) + z * z.
    Proof. intro Q. apply (squared_bump C LO); [congruence|now apply (owner_bound C LO)]. Qed.
    Definition own_rise (h : happening) : Q :=
      match h with
      | Arrives t => 2 * price C len t + / (gamma * gamma)
      | Rings m => (/ gamma - 2 * W m) / fastest C
      end.
    Lemma follows_own_rises h : match h with Arrives t => In t (all_types C) | Rings m => (m < M)%nat end ->
      always own_next (follows integers C no_preemption P len s h) /\
      E after (run (follows integers C no_preemption P len s h)) <= squared_workloads C len + own_rise h.
    Proof.
      pose proof (fastest_positive C LO) as Fp. pose proof (least_rate_positive C LO) as G.
      pose proof (Qinv_lt_0_compat _ G) as Gi. pose proof fits_now as (Ls & N0 & Live). intro In_range.
      destruct own_unpursued as [U1 U2]. destruct h as [t|m]; cbn [own_rise].
      - pose proof (own_arrival t In_range) as Ar.
        assert (Each : forall e, (exists q, (q < n)%nat /\ W (owner q) / rate_of C q <= price C len t /\
            e = (change 1 q, s, after_arrival C A t q)) ->
          always own_next (pursue e) /\
          E after (run (pursue e)) <= squared_workloads C len + (2 * price C len t + / (gamma * gamma))).
        { intros e (q & Q & Price & ->). destruct (own_pursued 1 q s (after_arrival C A t q)) as [P1 P2].
          - apply bump_fit; [exact Q|exact Ls|specialize (N0 q); lia|exact Live|lia].
          - intro j. apply after_arrival_In.
          - split; [exact P1|]. eapply Qle_trans; [exact P2|]. rewrite (squared_change 1 q Q).
            change (inject_Z 1) with 1.
            destruct (rate_of_positive C LO q) as [Rp _]. destruct (inverse_rate_le C LO q) as [Ip Il].
            assert (E1 : 2 * (1 / rate_of C q) * W (owner q) == 2 * (W (owner q) / rate_of C q)) by (field; lra).
            assert (E2 : 1 / rate_of C q * (1 / rate_of C q) == / rate_of C q * / rate_of C q) by (field; lra).
            assert (E3 : / (gamma * gamma) == / gamma * / gamma) by (field; lra). rewrite E1, E2, E3.
            assert (/ rate_of C q * / rate_of C q <= / gamma * / gamma).
            { apply Qle_trans with (/ gamma * / rate_of C q); [apply Qmult_le_compat_r; lra|].
              rewrite !(Qmult_comm (/ gamma)). apply Qmult_le_compat_r; lra. }
            lra. }
        rewrite follows_pursue. split.
        + eapply always_bind; [exact Ar|]. intros e He. now apply Each.
        + eapply mean_bind_constant; [exact Ar|]. intros e He. now apply Each.
      - rewrite follows_pursue. cbn [happens keeps].
        pose proof (each_nth _ Idle _ 0%nat m Live ltac:(lia)) as Sm. cbn [Nat.add] in Sm.
        destruct (nth m s Idle) as [|q|q] eqn:Is; cbn [live] in Sm; [| |contradiction].
        + cbn [bind]. split; [exact U1|]. change (keeps P) with A. rewrite U2.
          pose proof (declined_empty len s m fits_now In_range Is (declined_now m In_range Is)) as Small.
          assert (0 <= (/ gamma - 2 * W m) / fastest C); [|lra].
          apply Qle_shift_div_l; [exact Fp|]. rewrite Qmult_0_l. lra.
        + destruct Sm as [[Ow Q] One]. destruct (rate_of_positive C LO q) as [Rp Rl].
          pose proof (fastest_bound C _ (rate_of_member C LO q)) as Ru.
          destruct (own_pursued (-1) q (put m Idle s) (after_completion C m)) as [P1 P2].
          { apply bump_fit; [exact Q|now rewrite put_length|lia|now apply each_put|]. intros j _.
            rewrite nth_put by lia.
            destruct (Nat.eqb_spec j m) as [->|N]; [discriminate|]. intro Js.
            assert (Lj : (j < length s)%nat).
            { destruct (Nat.lt_ge_cases j (length s)) as [Lt|Ge]; [exact Lt|]. rewrite nth_overflow in Js by exact Ge.
              discriminate. }
            pose proof (each_nth _ Idle _ 0%nat j Live Lj) as L. cbn [Nat.add] in L. rewrite Js in L.
            destruct L as [[Oj _] _]. congruence. }
          { intro j. apply after_completion_In, In_range. }
          rewrite (squared_change (-1) q Q), Ow in P2. change (inject_Z (-1)) with (- (1)) in P2.
          change (service_rate C A q m) with (rate_of C q). set (mu := rate_of C q) in *. split.
          * eapply always_bind; [eapply always_bind|].
            -- apply coin_always. rewrite Qred_correct. split; [apply Qle_shift_div_l|apply Qle_shift_div_r]; lra.
            -- intros b _. apply AlwaysRet with (F := fun e : list Z * list status * list nat => always own_next
              (pursue e)).
               destruct b; [exact P1|exact U1].
            -- intros e He. exact He.
          * rewrite E_bind, coin_mean. cbn [run]. rewrite !E_cons, !E_nil. cbn [fst snd].
            change (bump (-1) q (repeat 0%Z n)) with (change (-1)%Z q). rewrite U2, Qred_correct.
            set (X := E after (run (pursue (change (-1) q, put m Idle s, after_completion C m)))) in *.
            set (V := squared_workloads C len) in *. set (w := W m) in *.
            assert (Share : 0 <= mu / fastest C) by (apply Qle_shift_div_l; lra).
            assert (K : mu / fastest C * X <= mu / fastest C * (V + 2 * (- (1) / mu) * w + - (1) / mu * (- (1) / mu))).
            { rewrite !(Qmult_comm (mu / fastest C)). now apply Qmult_le_compat_r. }
            assert (E1 : mu / fastest C * (V + 2 * (- (1) / mu) * w + - (1) / mu * (- (1) / mu))
              == mu / fastest C * V + (/ mu - 2 * w) / fastest C) by (field; lra).
            destruct (inverse_rate_le C LO q) as [_ Il]. fold mu in Il.
            assert ((/ mu - 2 * w) / fastest C <= (/ gamma - 2 * w) / fastest C).
            { unfold Qdiv. apply Qmult_le_compat_r; [lra|]. now apply Qlt_le_weak, Qinv_lt_0_compat. }
            lra.
    Qed.
    Lemma own_rises : E after (run (event integers C streams no_preemption P len s))
      <= squared_workloads C len + (2 * total (all_types C) (fun t => stream_rate streams t * price C len t)
                                    - 2 * total_workload C len + own_event_spread C streams) / event_rate C streams.
    Proof.
      unfold event. cbn [bind].
      pose proof (event_mean C streams no_preemption P LO rates after len s (squared_workloads C len) own_rise
                    (fun h I => proj2 (follows_own_rises h (happening_In C streams h I)))) as K.
      eapply Qle_trans; [exact K|]. apply Qle_lteq. right. apply Qplus_comp; [reflexivity|].
      apply Qdiv_comp; [|reflexivity].
      rewrite (total_happenings C streams rates). cbn [own_rise].
      pose proof (fastest_positive C LO) as Fp. pose proof (least_rate_positive C LO) as G.
      rewrite (total_equal (all_types C) _ (fun t => 2 * (stream_rate streams t * price C len t) + / (gamma * gamma) *
        stream_rate streams t))
        by (intros; ring).
      rewrite (total_equal (all_servers C) _ (fun m => / gamma - 2 * W m)) by (intros; field; lra).
      rewrite (total_servers C), total_plus, !total_times.
      unfold own_event_spread, all_streams, total_workload, Qdiv. ring.
    Qed.
    Lemma own_stays : always (fun r => own_between (add len (fst r), snd r)) (event integers C streams no_preemption P
      len s).
    Proof.
      unfold event. cbn [bind]. apply (event_always C streams no_preemption P LO rates). intros h I.
      eapply always_weaken; [exact (proj1 (follows_own_rises h (happening_In C streams h I)))|].
      intros r (Lr & F & D). apply own_between_iff. split; [now rewrite length_add|now split].
    Qed.
  End Event.

  (* ---- the chain ---- *)

  Lemma own_valid_step x : own_between x -> is_law (step x) /\ forall e, In e (step x) -> own_between (snd e).
  Proof.
    destruct x as [len s]. intro V. apply own_between_iff in V as (L & F & D). apply event_chain_always. cbn [fst snd].
    now apply own_stays.
  Qed.
  Lemma own_workloads len m : (forall q, (0 <= nth q len 0)%Z) -> 0 <= workload C len m.
  Proof. apply (workload_nonnegative C LO). Qed.
  Variables (rho : Q) (split : nat -> nat -> Q).
  Hypothesis below_one : rho < 1.
  Hypothesis enough : carries_streams C streams rho split.
  (* Per unit of time the squared workloads fall on average by 2 (1 - rho) times the total workload, but for a
    constant. *)
  Theorem own_drift x : own_between x -> E (fun y => squared_workloads C (fst y)) (step x) <= squared_workloads C (fst
    x)
    + (own_event_spread C streams - 2 * (1 - rho) * total_workload C (fst x)) / event_rate C streams.
  Proof.
    destruct x as [len s]. intro V. apply own_between_iff in V as (L & F & D). rewrite event_chain_E. cbn [fst snd].
    pose proof (own_rises len s L F D) as R. eapply Qle_trans; [exact R|].
    pose proof (weak_duality_of C (stream_rate streams) rho split (workload C len) (price C len) enough) as W.
    assert (Le : total (all_types C) (fun t => stream_rate streams t * price C len t) <= rho * total (all_servers C)
      (workload C len)).
    { apply W.
      - intros t m T Sm. now apply (candidate_of C LO).
      - intros m _. apply own_workloads, F.
      - intros t m _ Sm. now apply price_le. }
    fold (total_workload C len) in Le. pose proof (event_rate_positive C streams LO rates) as G.
    apply Qplus_le_compat; [apply Qle_refl|]. unfold Qdiv. apply Qmult_le_compat_r; [lra|].
    now apply Qlt_le_weak, Qinv_lt_0_compat.
  Qed.
  Lemma empty_own_between : own_between (empty_state C P).
  Proof.
    assert (F : own_fit (repeat 0%Z n) (repeat Idle M)).
    { split; [apply repeat_length|split; [intro q; now rewrite nth_repeat|]].
      generalize 0%nat. generalize M. intro j. induction j as [|j IH]; intro k; cbn [repeat]; constructor;
        [exact I|apply IH]. }
    apply own_between_iff. split; [apply repeat_length|split; [exact F|]]. intros m Hm Id.
    destruct (turns_to_own _ _ m F Hm Id) as (tied & At & Ne & Good). exists tied. split; [exact At|right].
    destruct tied as [|c l]; [contradiction|]. exists c. split; [now left|].
    destruct (Good c (or_introl eq_refl)) as [_ Eq].
    rewrite nth_repeat in Eq. apply Z.eq_le_incl. exact Eq.
  Qed.
  (* No queue is longer than the largest rate times its server's workload. *)
  Lemma light_queues len b : length len = n -> (forall q, (0 <= nth q len 0)%Z) -> total_workload C len < b ->
    Forall (fun q => 0 <= inject_Z q < fastest C * b) len.
  Proof.
    intros L N0 Few. apply Forall_forall. intros z I. apply (In_nth _ _ 0%Z) in I as (q & Q & <-).
    assert (Z0 : 0 <= inject_Z (nth q len 0%Z)) by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; apply N0).
    split; [exact Z0|]. destruct (owned_queue C LO q) as [level Iq]. destruct (rate_of_positive C LO q) as [Rp _].
    pose proof (fastest_bound C _ (rate_of_member C LO q)) as Ru. pose proof (fastest_positive C LO) as Fp.
    assert (Part : inject_Z (nth q len 0%Z) / rate_of C q <= workload C len (owner q)).
    { apply (total_member (queues_of C (owner q)) (fun c => inject_Z (nth (fst c) len 0%Z) / rate_of C (fst c)) (q,
        level));
        [|exact Iq].
      intros c _. destruct (rate_of_positive C LO (fst c)) as [P0 _]. specialize (N0 (fst c)). rewrite Zle_Qle in N0.
      change (inject_Z 0) with 0 in N0. apply Qle_shift_div_l; lra. }
    assert (All : workload C len (owner q) <= total_workload C len).
    { apply (total_member (all_servers C) (workload C len)); [intros; now apply own_workloads|]. apply in_seq.
      rewrite L in Q. pose proof (owner_bound C LO q Q). lia. }
    assert (Eq : inject_Z (nth q len 0%Z) == rate_of C q * (inject_Z (nth q len 0%Z) / rate_of C q)) by (field; lra).
    assert (Up : 0 <= inject_Z (nth q len 0%Z) / rate_of C q) by (apply Qle_shift_div_l; lra). rewrite Eq.
    set (part := inject_Z (nth q len 0%Z) / rate_of C q) in *.
    apply Qle_lt_trans with (fastest C * part); [apply Qmult_le_compat_r; assumption|].
    rewrite !(Qmult_comm (fastest C)). apply Qmult_lt_compat_r; lra.
  Qed.
  Lemma own_stable :
    own_between (empty_state C P) /\
    (forall x, own_between x -> below_threshold (own_event_spread C streams) rho (total_workload C) x = true ->
       Forall (fun q => 0 <= inject_Z q < fastest C * ((own_event_spread C streams + 1) / (2 * (1 - rho)))) (fst x)) /\
    (forall events x, own_between x ->
       mean_time step (below_threshold (own_event_spread C streams) rho (total_workload C)) events x / event_rate C
         streams
         <= squared_workloads C (fst x)).
  Proof.
    split; [exact empty_own_between|split].
    - intros [len s] V B. apply own_between_iff in V as (L & (_ & N0 & _) & _). cbn [fst] in *.
      apply light_queues; [exact L|exact N0|]. unfold below_threshold in B. cbn [fst] in B. apply negb_true_iff in B.
      apply Qnot_le_lt. intro Le. apply Qle_bool_iff in Le. congruence.
    - intros events x V.
      apply (event_foster C streams no_preemption P LO rates own_between own_valid_step (fun y => squared_workloads C
        (fst y))
               (total_workload C) (own_event_spread C streams) rho below_one); [|exact own_drift|exact V].
      intros [len s] Vy. apply own_between_iff in Vy as (_ & (_ & N0 & _) & _). cbn [fst]. apply total_nonnegative.
      intros m _.
      pose proof (own_workloads len m N0). apply Qmult_le_0_compat; assumption.
  Qed.
End Events.

(* For every cluster, and every split of its streams that loads no server above rho < 1: the empty cluster is a state
  between
   events; those of less work than the threshold are finitely many;
     and from every one the mean of min(number of events until
   such a state is reached, events), over the number of events per unit of time, is at most the sum of the squared
     workloads
   there, for every number of events. So the mean time is finite, by Foster's criterion.
   Between events no queue is shorter
   than its tasks in execution, and each idle server may have declined. *)
Theorem event_balanced_pandas_throughput_optimal : forall C streams rho split,
  laid_out C -> event_options C -> streams_are_rates streams -> carries_streams C streams rho split -> rho < 1 ->
  let policy := balanced_pandas in
  let between x := valid C policy (own_statuses C) x /\ settled C policy x = true in
  let spread := own_event_spread C streams in
  let target := below_threshold spread rho (total_workload C) in
  between (empty_state C policy) /\
  (forall x, between x -> target x = true ->
     Forall (fun q => 0 <= inject_Z q < fastest C * ((spread + 1) / (2 * (1 - rho)))) (fst x)) /\
  (forall events x, between x -> mean_time (event_chain C streams no_preemption policy) target events x / event_rate C
    streams
     <= squared_workloads C (fst x)).
Proof.
  intros C streams rho split LO supported rates enough below_one.
  exact (own_stable C streams LO supported rates rho split below_one enough).
Qed.
