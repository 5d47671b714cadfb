(* Every cluster at once: the drift of the squared workloads in a slot, for policies on one queue per server, row of rates
   and level whose tasks join queues at the least price and whose servers turn to work of their own.

   Nothing here looks at a number of servers or types: [slot_mean] is proved from what one type's route and one server's rule
   answer ([routes_at_price], [turns_to_own_work]). *)
From Coq Require Import ZArith QArith Lqa List Bool Lia Arith.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Outcomes Rules Capacity Layout Draws OwnService
  Routing.
Import ListNotations.

Section Validity.
  Variables (C : cluster) (route serve : set).
  Hypothesis LO : laid_out C.
  Notation A := per_server_and_level.
  Notation P := (Policy A route serve).
  Notation n := (queues C A).
  Notation owner := (owner C A).

  (* Validity, queue by queue. *)
  Lemma serves_own_listed m f : (m < servers C)%nat ->
    In f (Idle :: map (fun c => Busy (fst c)) (queues_of C m)) <-> serves_own C m f.
  Proof.
    intro M. cbn [In]. rewrite in_map_iff. split.
    - intros [<-|(c & <- & I)]; [exact I|]. destruct (queues_of_owner C c m I). split; auto.
    - destruct f as [|q|q]; [now left| |contradiction]. intros [Ow Q]. right. destruct (owned_queue C LO q) as [level I].
      rewrite Ow in I. now exists (q, level).
  Qed.
  Lemma live_serves_own y k s : each (live C y) k s -> each (serves_own C) k s.
  Proof. intro H. refine (each_weaken _ _ _ _ H _). intros m [|q|q] _; cbn; tauto. Qed.
  Theorem valid_iff len s : valid C P (own_statuses C) (len, s) <->
    length len = n /\ length s = servers C /\ (forall q, (0 <= nth q len 0)%Z) /\ each (live C len) 0 s.
  Proof.
    unfold valid, own_statuses, all_servers. cbn [fst snd keeps]. rewrite each_listed.
    assert (Listed : length s = servers C -> each (fun m f => In f (Idle :: map (fun c => Busy (fst c)) (queues_of C m))) 0 s <->
      each (serves_own C) 0 s).
    { intro L. assert (K : forall k t, (k + length t <= servers C)%nat ->
        each (fun m f => In f (Idle :: map (fun c => Busy (fst c)) (queues_of C m))) k t <-> each (serves_own C) k t).
      { intros k t. revert k. induction t as [|f t IH]; intros k Le; [split; constructor|]. cbn [length] in Le.
        split; intro H; inversion H as [|? ? ? Hf Hs]; subst;
          (constructor; [apply serves_own_listed; auto; lia|apply IH; auto; lia]). }
      apply K. lia. }
    split.
    - intros (Ll & [Ls Own] & Lo). apply Listed in Own; [|assumption].
      assert (Exec : forall q, (nth q (executing C P s) 0 <= nth q len 0)%Z).
      { clear - Lo. induction Lo as [|a b l l' H Lo IH]; intros [|q]; cbn; auto; lia. }
      assert (Runs : forall q, nth q (executing C P s) 0%Z = runs (nth (owner q) s Idle) q).
      { intro q. rewrite (executing_own C route serve s 0 Own q). cbn [Nat.ltb Nat.leb]. now rewrite Nat.sub_0_r. }
      split; [assumption|split; [assumption|split]].
      + intro q. specialize (Exec q). rewrite Runs in Exec. unfold runs in Exec. destruct (nth (owner q) s Idle); try lia.
        destruct (Nat.eqb q q0); lia.
      + assert (K : forall k t, (forall i, nth i t Idle = nth (k + i) s Idle) -> each (serves_own C) k t -> each (live C len) k t).
        { intros k t. revert k. induction t as [|f t IH]; intros k Eq H; inversion H as [|? ? ? Hf Hs]; subst; constructor.
          - destruct f as [|q|q]; [exact I| |contradiction]. split; [assumption|]. destruct Hf as [Ow Q].
            specialize (Exec q). rewrite Runs, Ow in Exec. specialize (Eq 0%nat). rewrite Nat.add_0_r in Eq. cbn [nth] in Eq.
            rewrite <- Eq in Exec. cbn [runs] in Exec. now rewrite Nat.eqb_refl in Exec.
          - apply IH; auto. intro i. specialize (Eq (S i)). rewrite Nat.add_succ_r in Eq. exact Eq. }
        now apply K.
    - intros (Ll & Ls & N0 & Live). pose proof (live_serves_own _ _ _ Live) as Own. split; [assumption|]. split;
        [split; [assumption|now apply Listed]|].
      apply nth_le; [now rewrite length_executing|]. intros q Q. rewrite (executing_own C route serve s 0 Own q).
      cbn [Nat.ltb Nat.leb]. rewrite Nat.sub_0_r. specialize (N0 q). unfold runs. destruct (nth (owner q) s Idle) as [|r|r] eqn:Eq;
        try lia.
      destruct (Nat.eqb_spec q r); [subst r|lia].
      assert (owner q < length s)%nat as Lt by (rewrite Ls; apply (owner_bound C LO); auto; congruence).
      pose proof (each_nth (live C len) Idle s 0 (owner q) Live Lt) as L. rewrite Eq in L. apply L.
  Qed.

End Validity.

Section EveryCluster.
  Variables (C : cluster) (route serve : set).
  Hypothesis WF : well_formed C.
  Notation A := per_server_and_level.
  Notation P := (Policy A route serve).
  Notation n := (queues C A).
  Notation owner := (owner C A).
  Notation number k := (inject_Z (Z.of_nat k)).

  (* ---- prices ---- *)

  Definition at_price (len : list Z) (price : nat -> Q) (t q : nat) : Prop :=
    (q < n)%nat /\ (workload C len (owner q) / rate_of C q <= price t)%Q.
  (* Workloads after a change d, weighed by those before. *)
  Definition weighed (len d : list Z) : Q := total (all_servers C) (fun m => workload C len m * workload C d m)%Q.
  Lemma at_price_adds len price t q : at_price len price t q ->
    adds_price C A price (/ least_rate C) (weighed len) (total_workload C) t q.
  Proof.
    intros [Q Pr] d L. assert (Ow : (owner q < servers C)%nat) by now apply (owner_bound C WF). rewrite <- L in Q.
    destruct (rate_of_bounds C WF q) as [[Rp _] _]. split; [now rewrite length_bump|]. split; [|split].
    - intro r. rewrite nth_bump by assumption. destruct (Nat.eqb r q); lia.
    - apply Qle_trans with (weighed len d + workload C len (owner q) / rate_of C q)%Q; [|lra]. apply Qle_lteq. right.
      unfold weighed. rewrite (total_equal _ _ (fun m => workload C len m * workload C d m
        + (if Nat.eqb m (owner q) then workload C len m / rate_of C q else 0))%Q).
      2: { intros m _. rewrite (workload_bump C WF) by assumption. change (inject_Z 1) with 1%Q. destruct (Nat.eqb m (owner q)); field;
        lra. }
      rewrite total_plus, (total_one _ (owner q) (fun m => workload C len m / rate_of C q)%Q);
        [reflexivity|apply seq_NoDup|apply in_seq; lia].
    - unfold total_workload. rewrite (total_equal _ _ (fun m => workload C d m
        + (if Nat.eqb m (owner q) then / rate_of C q else 0))%Q).
      2: { intros m _. rewrite (workload_bump C WF) by assumption. change (inject_Z 1) with 1%Q. destruct (Nat.eqb m (owner q)); field;
        lra. }
      rewrite total_plus, (total_one _ (owner q) (fun m => / rate_of C q)%Q) by (try apply seq_NoDup; apply in_seq; lia).
      pose proof (inverse_rate C WF q). lra.
  Qed.

  (* ---- one slot ---- *)

  Variables (len : list Z) (s : list status) (price : nat -> Q) (regret : Q).
  Hypothesis valid_now : valid C P (own_statuses C) (len, s).
  Hypothesis unmatched_servers : unmatched_is (option_of C) = idle_again.
  Hypothesis routes_near_price : forall tasks t d, (1 <= tasks)%Q -> In t (all_types C) ->
    fits C A (tasks / least_rate C) (total_workload C) d -> exists tied,
    answers (set_of integers C A (seen C len d) (executing C P s) (Arriving t) route []) tied /\ tied <> [] /\
      forall c, In c tied -> at_price len (near_price price regret tasks) t (fst c).
  Hypothesis turns_to_own_work : forall inside m, (m < servers C)%nat -> free C inside m -> exists tied,
    answers (set_of integers C A len inside (Serving m) serve []) tied /\ tied <> [] /\
      forall c, In c tied -> good_choice C len m (fst c).

  Notation none := (repeat 0%Z n).
  Notation joined := (joined C A (/ least_rate C) (weighed len) (total_workload C)).
  Lemma workload_none m : (workload C none m == 0)%Q.
  Proof.
    unfold workload. rewrite (total_equal _ _ (fun _ => 0%Q)); [apply total_zero|]. intros c _. rewrite nth_repeat.
    change (inject_Z 0) with 0%Q. unfold Qdiv. ring.
  Qed.
  Lemma joins count : (length count <= types C)%nat ->
    always (joined none (cost_of (near_price price regret (all_tasks count)) 0 count) (all_tasks count))
      (join integers C P len (executing C P s) 0 count none).
  Proof.
    pose proof (Qinv_lt_0_compat _ (least_rate_positive C WF)) as I0. apply joins_near_price; [lra| |].
    - unfold total_workload. rewrite (total_equal _ _ (fun _ => 0%Q)); [apply total_zero|intros m _; apply workload_none].
    - intros tasks t d One T F. destruct (routes_near_price tasks t d One T F) as (tied & At & Ne & Good). exists tied.
      split; [exact At|split; [exact Ne|]]. intros c I. now apply at_price_adds, Good.
  Qed.
  (* What has happened when the servers that run a task are known. *)
  Definition second_half (d : list Z) : program Z (list Z * list status) :=
    targets <- schedule integers C P len (executing C P s) 0 s;
    places <- to_hand_out integers len d (executing C P s) targets none;
    now <- hand_out C targets places;
    depart C P 0 now d.
  Lemma targets_ok : always (fun ts => each (aims C len (executing C P s)) 0 ts /\ length ts = length s)
    (schedule integers C P len (executing C P s) 0 s).
  Proof.
    pose proof (proj1 (valid_iff C route serve WF len s) valid_now) as (Ll & Ls & N0 & Live).
    apply schedule_ok; auto; [lia|].
    pose proof (idle_free C route serve s (live_serves_own C _ _ _ Live)) as Free.
    refine (each_weaken _ _ _ _ (each_both _ _ _ _ Live Free) _). intros m [|q|q] _ [L F]; auto.
  Qed.
  Lemma match_ok d ts : length d = n -> (forall q, (0 <= nth q d 0)%Z) -> each (aims C len (executing C P s)) 0 ts ->
    let now := map (decided len d) ts in
    let matched := (places <- to_hand_out integers len d (executing C P s) ts none;
                    now <- hand_out C ts places; depart C P 0 now d) in
    each (busy_or_empty C len (add len d)) 0 now /\ run matched = run (depart C P 0 now d) /\
    forall G, always G (depart C P 0 now d) -> always G matched.
  Proof.
    intros Ld D0 Ts now matched. pose proof (proj1 (valid_iff C route serve WF len s) valid_now) as (Ll & Ls & N0 & Live).
    split; [now apply decided_ok with (inside := executing C P s)|].
    destruct (to_hand_out_ok C len Ll d Ld (executing C P s) ts 0 none) as (places & Ap & Lp & Keep & Each); auto.
    - apply repeat_length.
    - intros q _. apply nth_repeat.
    - assert (Ah : answers (hand_out C ts places) now) by now apply hand_out_ok with (inside := executing C P s) (k := 0%nat).
      unfold matched. split; [now rewrite (run_bind_answer _ _ _ Ap), (run_bind_answer _ _ _ Ah)|].
      intros G H. eapply always_answer; [exact Ap|]. eapply always_answer; [exact Ah|]. exact H.
  Qed.
  Lemma length_now ts d : length ts = length s -> length (map (decided len d) ts) = servers C.
  Proof. intro L. rewrite map_length, L. apply (valid_iff C route serve WF len s), valid_now. Qed.
  Lemma nth_none q : nth q none 0%Z = 0%Z.
  Proof. apply nth_repeat. Qed.

  (* Each outcome of a slot is a valid state. *)
  Theorem slot_ok : always (fun r => valid C P (own_statuses C) (add len (fst r), snd r)) (slot integers C P len s).
  Proof.
    pose proof (proj1 (valid_iff C route serve WF len s) valid_now) as (Ll & Ls & N0 & Live).
    unfold slot. cbv zeta. eapply always_bind.
    { apply arrive_ok; [exact (arrivals_are_laws C WF)|]. now rewrite repeat_length. }
    intros count Lc. cbv beta in Lc. eapply always_bind; [apply (joins count Lc)|].
    intros d (Ld & D0 & _ & _). assert (Dn : forall q, (0 <= nth q d 0)%Z) by
      (intro q; specialize (D0 q); rewrite nth_none in D0; lia).
    eapply always_bind; [apply targets_ok|]. intros ts [Ts Lt].
    destruct (match_ok d ts Ld Dn Ts) as (Busy_ & _ & Rest). apply Rest.
    eapply always_weaken; [apply (depart_ok C route serve WF len Ll); auto|].
    - intro q. rewrite nth_add by congruence. specialize (N0 q); specialize (Dn q); lia.
    - refine (each_weaken _ _ _ _ Busy_ _). intros m [|q|q] _; cbn; tauto.
    - intros r (R1 & R2 & _ & R4 & R5). apply (valid_iff C route serve WF). split; [rewrite length_add; assumption|]. split; [|split; assumption].
      rewrite R5. now apply length_now.
  Qed.

  Open Scope Q_scope.
  Lemma squared_add d : length d = length len -> (forall q, (0 <= nth q d 0)%Z) ->
    squared_workloads C (add len d) <= squared_workloads C len + 2 * weighed len d + total_workload C d * total_workload C d.
  Proof.
    intros L D0. unfold squared_workloads, weighed.
    rewrite (total_equal _ _ (fun m => workload C len m * workload C len m + (2 * (workload C len m * workload C d m)
      + workload C d m * workload C d m)))
      by (intros; rewrite (workload_add C WF) by assumption; ring).
    rewrite !total_plus, total_times.
    assert (total (all_servers C) (fun m => workload C d m * workload C d m) <= total_workload C d * total_workload C d)
      by (apply total_squares; intros; now apply (workload_nonnegative C WF)).
    lra.
  Qed.
  (* The mean of the squared workloads after a slot in which these tasks arrive. *)
  Definition after (cost tasks : Q) : Q :=
    squared_workloads C len + number (servers C) / least_rate C - 2 * total_workload C len + 2 * cost
    + / (least_rate C * least_rate C) * (tasks * tasks).
  Lemma second_half_mean d cost tasks : 0 <= tasks -> joined none cost tasks d ->
    E (fun r => squared_workloads C (add len (fst r))) (run (second_half d)) <= after cost tasks.
  Proof.
    intros T0 (Ld & D0 & Wd & Td). pose proof (proj1 (valid_iff C route serve WF len s) valid_now) as (Ll & Ls & N0 & Live).
    assert (Dn : forall q, (0 <= nth q d 0)%Z) by (intro q; specialize (D0 q); rewrite nth_none in D0; lia).
    assert (W0 : weighed len none == 0).
    { unfold weighed. rewrite (total_equal _ _ (fun _ => 0)); [apply total_zero|]. intros m _. rewrite workload_none. ring. }
    assert (T1 : total_workload C none == 0) by (unfold total_workload; rewrite (total_equal _ _ (fun _ => 0));
      [apply total_zero|intros m _; apply workload_none]).
    unfold second_half. eapply mean_bind_constant; [apply targets_ok|]. intros ts [Ts Lt].
    destruct (match_ok d ts Ld Dn Ts) as (Busy_ & Run_ & _). rewrite Run_.
    pose proof (length_now ts d Lt) as Ln. set (now := map (decided len d) ts) in *.
    assert (Live_now : each (live C (add len d)) 0 now) by (refine (each_weaken _ _ _ _ Busy_ _); intros m [|q|q] _; cbn; tauto).
    pose proof (depart_mean C route serve WF len Ll now 0 d ltac:(rewrite Ln; cbn; lia) Ld Live_now) as Mean.
    assert (Taken : total (seq 0 (length now)) (fun m => 2 * workload C len m - / least_rate C) <= taken C 0 now (add len d)).
    { apply taken_all; auto; [|rewrite Ln; cbn; lia]. intro q. rewrite nth_add by congruence. specialize (Dn q). lia. }
    assert (Sum : total (seq 0 (length now)) (fun m => 2 * workload C len m - / least_rate C)
                  == 2 * total_workload C len - number (servers C) / least_rate C).
    { unfold Qminus. rewrite Ln, total_plus, total_times, total_constant, seq_length. unfold total_workload, all_servers.
      unfold Qdiv. ring. }
    pose proof (squared_add d ltac:(congruence) Dn) as Sq. unfold after.
    pose proof (least_rate_positive C WF) as G.
    assert (0 <= total_workload C d) by (apply total_nonnegative; intros; now apply (workload_nonnegative C WF)).
    assert (total_workload C d * total_workload C d <= / (least_rate C * least_rate C) * (tasks * tasks)).
    { setoid_replace (/ (least_rate C * least_rate C) * (tasks * tasks))
      with (tasks * / least_rate C * (tasks * / least_rate C)) by (field; lra).
      assert (total_workload C d <= tasks * / least_rate C) by lra. nra. }
    lra.
  Qed.
  Theorem slot_mean : E (fun r => squared_workloads C (add len (fst r))) (run (slot integers C P len s))
    <= squared_workloads C len + 2 * total (all_types C) (fun t => arrival_rate C t * price t) - 2 * total_workload C len
      + (number (servers C) / least_rate C
         + (/ (least_rate C * least_rate C) + 2 * regret) * E (fun a => all_tasks a * all_tasks a) (arrival_law C)).
  Proof.
    pose proof (proj1 (valid_iff C route serve WF len s) valid_now) as (Ll & Ls & N0 & Live).
    set (earned := fun a => total (all_types C) (fun t => tasks_of t a * price t)).
    assert (Arr : always (fun a => length a <= types C)%nat (arrive (N := Z) (arrivals C) (repeat 0%nat (types C)))).
    { apply arrive_ok; [exact (arrivals_are_laws C WF)|]. now rewrite repeat_length. }
    apply Qle_trans with (E (fun a => after (earned a) (all_tasks a) + 2 * regret * (all_tasks a * all_tasks a)) (arrival_law C)).
    - unfold slot. cbv zeta. apply (mean_bind _ _ _ _ _ Arr). intros a La. eapply mean_bind_constant; [apply (joins a La)|].
      intros d Jd.
      assert (Same : after (earned a) (all_tasks a) + 2 * regret * (all_tasks a * all_tasks a)
                     == after (earned a + all_tasks a * (all_tasks a * regret)) (all_tasks a)) by (unfold after; ring).
      rewrite Same. apply (second_half_mean d); [unfold all_tasks; change 0 with (number 0); rewrite <- Zle_Qle; lia|].
      eapply joined_equal; [|reflexivity|exact Jd]. rewrite cost_near, (cost_of_total price a 0 (types C) La).
        unfold earned, tasks_of, all_types.
      apply Qplus_comp; [|reflexivity]. apply total_equal. intros t _. now rewrite Nat.sub_0_r.
    - destruct (always_run _ _ Arr) as [Lw _]. fold (arrival_law C) in Lw. unfold after.
      rewrite !E_plus, (E_constant _ _ Lw), !E_times. unfold earned. rewrite total_E.
      rewrite (total_equal (all_types C) (fun t => E (fun a => tasks_of t a * price t) (arrival_law C)) (fun t => arrival_rate C t
        * price t)).
      2: { intros t _. unfold arrival_rate. rewrite (E_equal _ (fun a => price t * tasks_of t a)) by (intros; ring).
        rewrite E_times. ring. }
      unfold Qdiv. lra.
  Qed.
End EveryCluster.
