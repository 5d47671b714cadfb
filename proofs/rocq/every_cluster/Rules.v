(* What rules answer on integers, for any number of candidates: the least or greatest keys, those that pass a test, the
   most local of these. By induction over the candidates; [C], [A], the lengths and who asks are variables. *)
From Coq Require Import ZArith QArith Lqa List Bool Lia.
From Schedproof Require Import Law Affine Program Cluster Language Outcomes.
Import ListNotations.
Open Scope Z_scope.

Definition amount (v : Z * positive) : Q := fst v # snd v.
Lemma positive_test z w : (0 <=? w + -1 * z + -1) = (z <? w).
Proof. destruct (Z.leb_spec 0 (w + -1 * z + -1)), (Z.ltb_spec z w); auto; lia. Qed.
Lemma answers_less z w : answers (less integers z w) (z <? w).
Proof. constructor. change (answers (Ret (0 <=? w + -1 * z + -1)) (z <? w)). rewrite positive_test. constructor. Qed.
Lemma answers_less_quantity v w : answers (less_quantity integers v w) (negb (Qle_bool (amount w) (amount v))).
Proof.
  unfold less_quantity. replace (negb _) with (times integers (Zpos (snd w)) (fst v) <? times integers (Zpos (snd v)) (fst w));
    [apply answers_less|]. cbn [times integers].
  destruct (Z.ltb_spec (Zpos (snd w) * fst v) (Zpos (snd v) * fst w)), (Qle_bool (amount w) (amount v)) eqn:B; auto; exfalso.
  - apply Qle_bool_iff in B. unfold Qle, amount in B. cbn in B. lia.
  - apply not_true_iff_false in B. apply B, Qle_bool_iff. unfold Qle, amount. cbn. lia.
Qed.
Lemma answers_at_least_quantity v w : answers (at_least_quantity integers v w) (Qle_bool (amount w) (amount v)).
Proof.
  constructor. change (answers (Ret (0 <=? Zpos (snd w) * fst v + -1 * (Zpos (snd v) * fst w))) (Qle_bool (amount w) (amount v))).
  replace (0 <=? _) with (Qle_bool (amount w) (amount v)); [constructor|].
  destruct (Qle_bool (amount w) (amount v)) eqn:B; symmetry.
  - apply Qle_bool_iff in B. unfold Qle, amount in B. cbn in B. apply Z.leb_le. lia.
  - apply Z.leb_gt. apply not_true_iff_false in B. apply Z.nle_gt. intro H. apply B, Qle_bool_iff. unfold Qle, amount. cbn. lia.
Qed.
Lemma answers_equal_quantity v w : answers (equal_quantity integers v w) (Qeq_bool (amount v) (amount w)).
Proof.
  unfold equal_quantity. eapply answers_bind; [apply answers_at_least_quantity|].
  replace (Qeq_bool (amount v) (amount w)) with (if Qle_bool (amount w) (amount v) then Qle_bool (amount v) (amount w) else false).
  - destruct (Qle_bool (amount w) (amount v)); [apply answers_at_least_quantity|constructor].
  - destruct (Qeq_bool (amount v) (amount w)) eqn:E.
    + apply Qeq_bool_iff in E. assert (Qle_bool (amount w) (amount v) = true) as -> by (apply Qle_bool_iff; lra).
      apply Qle_bool_iff. lra.
    + destruct (Qle_bool (amount w) (amount v)) eqn:B1; auto. destruct (Qle_bool (amount v) (amount w)) eqn:B2; auto.
      apply Qle_bool_iff in B1, B2. apply Qeq_bool_neq in E. exfalso. apply E. lra.
Qed.

Lemma filter_all {A} (test : A -> bool) l : (forall a, In a l -> test a = true) -> filter test l = l.
Proof.
  induction l as [|a l IH]; intro H; cbn [filter]; [reflexivity|]. rewrite (H a) by now left. f_equal. apply IH. intros.
  apply H. now right.
Qed.

Section Rules.
  Variables (C : cluster) (A : arrangement) (len executing : list Z) (who : asker).

  (* Argmin and Argmax. [sign] is 1 for the least and -1 for the greatest. *)
  Definition better (greatest : bool) (x y : Q) : Prop := if greatest then (y <= x)%Q else (x <= y)%Q.
  Lemma answers_extreme greatest key value from :
    (forall c, In c from -> exists v, answers (key c) v /\ (amount v == value c)%Q) ->
    exists tied, answers (extreme integers C len executing greatest false key from None []) tied /\
      forall c, In c tied <-> In c from /\ forall d, In d from -> better greatest (value c) (value d).
  Proof.
    enough (K : forall seen best tied, (forall c, In c (seen ++ from) -> exists v, answers (key c) v /\ (amount v == value c)%Q) ->
      match best with
      | None => seen = []
      | Some b => (exists c, In c seen /\ (amount b == value c)%Q) /\ forall d, In d seen -> better greatest (amount b) (value d)
      end ->
      (forall c, In c tied <-> In c seen /\ forall d, In d seen -> better greatest (value c) (value d)) ->
      exists tied', answers (extreme integers C len executing greatest false key from best tied) tied' /\
        forall c, In c tied' <-> In c (seen ++ from) /\ forall d, In d (seen ++ from) -> better greatest (value c) (value d)).
    { intro H. apply (K [] None []); auto. intro c. cbn. tauto. }
    induction from as [|c from IH]; intros seen best tied H B T; cbn [extreme].
    - exists tied. rewrite app_nil_r. split; [constructor|assumption].
    - destruct (H c ltac:(apply in_or_app; right; now left)) as (v & Av & Vv).
      replace (seen ++ c :: from) with ((seen ++ [c]) ++ from) in * by now rewrite <- app_assoc.
      assert (In_end : forall d, In d (seen ++ [c]) <-> In d seen \/ d = c).
      { intro d. rewrite in_app_iff. cbn. intuition auto. }
      assert (Next : forall best' tied',
        match best' with
        | None => seen ++ [c] = []
        | Some b => (exists d, In d (seen ++ [c]) /\ (amount b == value d)%Q) /\ forall d,
          In d (seen ++ [c]) -> better greatest (amount b) (value d)
        end ->
        (forall d, In d tied' <-> In d (seen ++ [c]) /\ forall e, In e (seen ++ [c]) -> better greatest (value d) (value e)) ->
        exists tied'', answers (extreme integers C len executing greatest false key from best' tied') tied'' /\
          forall d, In d tied'' <-> In d ((seen ++ [c]) ++ from) /\ forall e,
            In e ((seen ++ [c]) ++ from) -> better greatest (value d) (value e))
        by (intros; now apply IH).
      destruct best as [b|].
      + destruct B as [(cb & Icb & Vb) Bb].
        assert (Beats : answers (if greatest then less_quantity integers b v else less_quantity integers v b)
                          (negb (if greatest then Qle_bool (amount v) (amount b) else Qle_bool (amount b) (amount v))))
          by (destruct greatest; apply answers_less_quantity).
        destruct (if greatest then Qle_bool (amount v) (amount b) else Qle_bool (amount b) (amount v)) eqn:Cmp; cbn [negb] in Beats.
        * assert (Le : better greatest (amount b) (amount v)) by (destruct greatest; now apply Qle_bool_iff).
          destruct (Next (Some b) (if Qeq_bool (amount v) (amount b) then tied ++ [c] else tied)) as (t & At & Tt).
          -- split; [exists cb; split; [apply In_end; now left|assumption]|]. intros d [I| ->]%In_end; auto.
             destruct greatest; cbn in *; lra.
          -- intro d. destruct (Qeq_bool (amount v) (amount b)) eqn:Eq.
             ++ apply Qeq_bool_iff in Eq. rewrite in_app_iff, In_end, T. cbn [In]. split.
                ** intros [[I L]|[<-|[]]].
                   --- split; [now left|]. intros e [J| ->]%In_end; auto. specialize (L cb Icb). destruct greatest; cbn in *; lra.
                   --- split; [now right|]. intros e [J| ->]%In_end; [specialize (Bb e J)|]; destruct greatest; cbn in *; lra.
                ** intros [[I| ->] L]; [left|right; now left]. split; auto. intros e J. apply L, In_end. now left.
             ++ apply Qeq_bool_neq in Eq. rewrite In_end, T. split.
                ** intros [I L]. split; [now left|]. intros e [J| ->]%In_end; auto. specialize (L cb Icb). destruct greatest;
                    cbn in *; lra.
                ** intros [[I| ->] L].
                   --- split; auto. intros e J. apply L, In_end. now left.
                   --- exfalso. apply Eq. specialize (L cb ltac:(apply In_end; now left)). destruct greatest; cbn in *; lra.
          -- exists t. split; auto. cbn [bind]. eapply answers_bind; [exact Av|]. eapply answers_bind; [exact Beats|]. cbn [bind].
             eapply answers_bind; [apply answers_equal_quantity|]. exact At.
        * assert (Lt : ~ better greatest (amount b) (amount v)).
          { intro L. destruct greatest; apply Qle_bool_iff in L; congruence. }
          destruct (Next (Some v) [c]) as (t & At & Tt).
          -- split; [exists c; split; [apply In_end; now right|assumption]|]. intros d [I| ->]%In_end; [specialize (Bb d I)|];
               destruct greatest; cbn in *; lra.
          -- intro d. rewrite In_end. cbn [In]. split.
             ++ intros [<-|[]]. split; [now right|]. intros e [J| ->]%In_end; [specialize (Bb e J)|]; destruct greatest; cbn in *;
               lra.
             ++ intros [[I| ->] L]; [|now left]. exfalso. apply Lt. specialize (Bb d I). specialize
               (L c ltac:(apply In_end; now right)).
                destruct greatest; cbn in *; lra.
          -- exists t. split; auto. cbn [bind]. eapply answers_bind; [exact Av|]. eapply answers_bind; [exact Beats|]. exact At.
      + subst seen. destruct (Next (Some v) [c]) as (t & At & Tt).
        * split; [exists c; split; [now left|assumption]|]. intros d [<-|[]]. destruct greatest; cbn; lra.
        * intro d. cbn. split; [|tauto]. intros [<-|[]]. split; auto. intros e [<-|[]]. destruct greatest; cbn; lra.
        * exists t. split; auto. cbn [bind]. eapply answers_bind; [exact Av|]. exact At.
  Qed.
  (* Some candidate has the least, or greatest, key. *)
  Lemma extreme_exists greatest value (from : list (nat * nat)) : from <> [] ->
    exists c, In c from /\ forall d, In d from -> better greatest (value c) (value d).
  Proof.
    induction from as [|c from IH]; [easy|]. intros _. destruct from as [|d from].
    - exists c. split; [now left|]. intros d [<-|[]]. destruct greatest; cbn; lra.
    - destruct IH as (b & I & L); [easy|]. destruct (Qlt_le_dec (value c) (value b)) as [Lt|Le], greatest;
        first [exists b; split; [now right|]; intros e [<-|J]; [|now auto]; cbn in *; lra
              |exists c; split; [now left|]; intros e [<-|J]; [|specialize (L e J)]; cbn in *; lra].
  Qed.

  (* The most local of the candidates that pass a test. *)
  Lemma answers_nearest test value from :
    (forall c, In c from -> answers (test c) (value c)) -> forall kept,
    exists near, answers (nearest test from kept) near /\
      (forall c, In c near -> In c kept \/ In c from /\ value c = true) /\
      (near = [] -> kept = [] /\ forall c, In c from -> value c = false).
  Proof.
    induction from as [|c from IH]; intros H kept; cbn [nearest].
    - exists kept. split; [constructor|]. split; [now left|]. intros ->. split; auto. intros c [].
    - destruct (match kept with [] => false | d :: _ => Nat.ltb (snd d) (snd c) end) eqn:Stop.
      + exists kept. split; [constructor|]. split; [now left|]. intros ->. discriminate.
      + destruct (IH ltac:(intros; apply H; now right) (if value c then kept ++ [c] else kept)) as (near & An & Sound & Empty).
        exists near. split; [eapply answers_bind; [apply H; now left|exact An]|]. split.
        * intros d I. destruct (Sound d I) as [K|[K Vd]]; [|right; split; [now right|assumption]].
          destruct (value c) eqn:Vc; [|now left]. apply in_app_or in K as [K|[<-|[]]]; [now left|]. right. split;
            [now left|assumption].
        * intro N. destruct (Empty N) as [K L]. destruct (value c) eqn:Vc; [destruct kept; discriminate|]. split; auto.
          intros d [<-|I]; auto.
  Qed.
  Lemma insert_by_level_In c d l : In c (insert_by_level d l) <-> c = d \/ In c l.
  Proof.
    induction l as [|e l IH]; cbn; [intuition auto|]. destruct (Nat.leb (snd d) (snd e)); cbn; [|rewrite IH]; intuition auto.
  Qed.
  Lemma sort_by_level_In c l : In c (sort_by_level l) <-> In c l.
  Proof. induction l as [|d l IH]; cbn; [tauto|]. rewrite insert_by_level_In, IH. intuition auto. Qed.

  Definition work (q : nat) : Z := match empty_is (option_of C)
    with wasted => length_of integers C len executing q | conserved => waiting_tasks integers len executing q end.
  Lemma answers_has_work q : answers (has_work integers C len executing q) (0 <? work q).
  Proof. apply answers_less. Qed.

  (* FirstOf (MostLocal (Where OwnLevels HasWork)) Own: a queue of the server's own, with work if one of them has work. *)
  Theorem answers_most_local_first : exists tied,
    answers (set_of integers C A len executing who (FirstOf (MostLocal (Where OwnLevels HasWork)) Own) []) tied /\
    (tied = named C A who Own /\ (forall c, In c (named C A who OwnLevels) -> work (fst c) <= 0) \/
     tied <> [] /\ forall c, In c tied -> In c (named C A who OwnLevels) /\ 0 < work (fst c)).
  Proof.
    destruct (answers_nearest (fun m => has_work integers C len executing (fst m)) (fun c => 0 <? work (fst c))
                (sort_by_level (named C A who OwnLevels))) with (kept := @nil (nat * nat)) as (near & An & Sound & Empty).
    { intros c _. apply answers_has_work. }
    destruct near as [|c near].
    - exists (named C A who Own). split.
      + cbn [set_of]. apply answers_bind with (a := []); [|constructor]. eapply answers_bind; [constructor|exact An].
      + left. split; [reflexivity|]. intros c I. destruct (Empty eq_refl) as [_ H].
        specialize (H c (proj2 (sort_by_level_In _ _) I)). apply Z.ltb_ge in H. exact H.
    - exists (c :: near). split.
      + cbn [set_of]. apply answers_bind with (a := c :: near); [|constructor]. eapply answers_bind; [constructor|exact An].
      + right. split; [easy|]. intros d I. destruct (Sound d I) as [[]|[J W]]. split;
          [now apply sort_by_level_In|now apply Z.ltb_lt].
  Qed.

  (* Argmin Servers (OverRate ServerWorkload): exactly the candidates of least workload times slowness. *)
  Definition own_workload (m : nat) : Z :=
    total_of integers (own_queues C A m) (fun d => row_and_level C A (slowness C) d * length_of integers C len executing (fst d)).
  Definition workload_over_rate (c : nat * nat) : Z := row_and_level C A (slowness C) c * own_workload (owner C A (fst c)).
  Theorem answers_least_workload_over_rate : exists tied,
    answers (set_of integers C A len executing who (Argmin Servers (OverRate ServerWorkload)) []) tied /\
    (named C A who Servers <> [] -> tied <> []) /\
    forall c, In c tied -> In c (named C A who Servers) /\
      forall d, In d (named C A who Servers) -> workload_over_rate c <= workload_over_rate d.
  Proof.
    destruct (answers_extreme false (fun c => key_of integers C A len executing who (OverRate ServerWorkload) c [])
                (fun c => inject_Z (workload_over_rate c)) (named C A who Servers)) as (tied & At & T).
    { intros c _. exists (workload_over_rate c, 1%positive). split; [|reflexivity].
      cbn [key_of]. eapply answers_bind; [constructor|]. constructor. }
    exists tied. split; [cbn [set_of]; eapply answers_bind; [constructor|exact At]|]. split.
    - intros N E. destruct (extreme_exists false (fun c => inject_Z (workload_over_rate c)) _ N) as (c & L). apply T in L.
        now rewrite E in L.
    - intros c I. apply T in I as [I L]. split; auto. intros d J. specialize (L d J). cbn in L. now rewrite <- Zle_Qle in L.
  Qed.

  (* Argmin s Length: the shortest queues of a set. *)
  Theorem answers_shortest s from : answers (set_of integers C A len executing who s []) from -> exists tied,
    answers (set_of integers C A len executing who (Argmin s Length) []) tied /\ (from <> [] -> tied <> []) /\
    forall c, In c tied -> In c from /\
      forall d, In d from -> length_of integers C len executing (fst c) <= length_of integers C len executing (fst d).
  Proof.
    intro S. set (value := fun c : nat * nat => inject_Z (length_of integers C len executing (fst c))).
    destruct (answers_extreme false (fun c => key_of integers C A len executing who Length c []) value from) as (tied & At & T).
    { intros c _. exists (length_of integers C len executing (fst c), 1%positive). split; [constructor|reflexivity]. }
    exists tied. split; [cbn [set_of]; eapply answers_bind; [exact S|exact At]|]. split.
    - intros N E. destruct (extreme_exists false value _ N) as (c & L). apply T in L. now rewrite E in L.
    - intros c I. apply T in I as [I L]. split; auto. intros d J. specialize (L d J). unfold value in L. cbn in L.
        now rewrite <- Zle_Qle in L.
  Qed.

  (* The queues that an idle server may choose: all, unless tasks must wait there. *)
  Definition choosable (q : nat) : bool :=
    match empty_is (option_of C) with wasted => true | conserved => 0 <? waiting_tasks integers len executing q end.
  Lemma extreme_choosable greatest key : empty_is (option_of C) = conserved -> forall from best tied t,
    answers (extreme integers C len executing greatest false key (filter (fun c => choosable (fst c)) from) best tied) t ->
    answers (extreme integers C len executing greatest true key from best tied) t.
  Proof.
    intros Conserved from. induction from as [|c from IH]; intros best tied t H; cbn [filter extreme] in *; [exact H|].
    eapply answers_bind; [apply answers_has_work|]. unfold work, choosable in *. rewrite Conserved in *.
    destruct (0 <? waiting_tasks integers len executing (fst c)); [|now apply IH]. cbn [extreme bind] in H.
    apply answers_bind_inv in H as (v & Av & H). eapply answers_bind; [exact Av|]. destruct best as [b|]; [|now apply IH].
    apply answers_bind_inv in H as (beats & Ab & H). eapply answers_bind; [exact Ab|]. destruct beats; [now apply IH|].
    apply answers_bind_inv in H as (ties & At & H). eapply answers_bind; [exact At|]. now apply IH.
  Qed.

  (* Argmax (Where Reachable HasWork) k, for a key that is positive where a queue has work and zero elsewhere: the queues of
     largest key among those that may be chosen, none if no key is positive. *)
  Theorem answers_heaviest k value : weighs k = true ->
    (forall c, answers (key_of integers C A len executing who k c []) (value c, 1%positive)) -> exists tied,
    answers (set_of integers C A len executing who (Argmax (Where Reachable HasWork) k) []) tied /\
    (tied = [] -> forall c, In c (named C A who Reachable) -> choosable (fst c) = true -> value c <= 0) /\
    forall c, In c tied -> In c (named C A who Reachable) /\ choosable (fst c) = true /\
      forall d, In d (named C A who Reachable) -> choosable (fst d) = true -> value d <= value c.
  Proof.
    intros Weighs Key. set (key := fun c => key_of integers C A len executing who k c []).
    set (from := filter (fun c => choosable (fst c)) (named C A who Reachable)).
    assert (From : forall c, In c from <-> In c (named C A who Reachable) /\ choosable (fst c) = true) by
      (intro c; apply filter_In).
    destruct (answers_extreme true key (fun c => inject_Z (value c)) from) as (tied & At & T).
    { intros c _. exists (value c, 1%positive). split; [apply Key|reflexivity]. }
    assert (Largest_ : forall c, In c tied -> In c from /\ forall d, In d from -> value d <= value c).
    { intros c I. apply T in I as [I L]. split; auto. intros d J. specialize (L d J). cbn in L. now rewrite <- Zle_Qle in L. }
    exists (match tied with [] => [] | c :: _ => if 0 <? value c then tied else [] end). split; [|split].
    - change (set_of integers C A len executing who (Argmax (Where Reachable HasWork) k) []) with
        (if weighs k then from <- Ret (named C A who Reachable); heaviest integers C len executing key from
         else from <- set_of integers C A len executing who (Where Reachable HasWork) [];
              extreme integers C len executing true false key from None []).
      rewrite Weighs. cbn [bind]. unfold heaviest. eapply answers_bind with (a := tied).
      + destruct (empty_is (option_of C)) eqn:Empty.
        * unfold from in At. rewrite (filter_all _ (named C A who Reachable)) in At; [exact At|]. intros c _. unfold choosable.
          now rewrite Empty.
        * now apply extreme_choosable.
      + destruct tied as [|c tied]; [constructor|]. eapply answers_bind; [apply Key|]. eapply answers_bind;
          [apply answers_less|]. constructor.
    - intros E d Nd Cd. assert (I : In d from) by (now apply From). destruct tied as [|c tied].
      + destruct (extreme_exists true (fun c => inject_Z (value c)) from) as (e & L); [intro E'; now rewrite E' in I|].
        now apply T in L.
      + destruct (Z.ltb_spec 0 (value c)); [discriminate|]. destruct (Largest_ c (or_introl eq_refl)) as [_ L]. specialize (L d I).
        lia.
    - intros c I. assert (J : In c tied) by (destruct tied as [|e tied]; [contradiction|]; now destruct (0 <? value e)).
      destruct (Largest_ c J) as [F L]. apply From in F as [F Ch]. split; [exact F|split; [exact Ch|]]. intros d Nd Cd.
      apply L, From. now split.
  Qed.
  (* With the server's own queue if no queue has a task that it may start. *)
  Definition rate_times_length (c : nat * nat) : Z :=
    row_and_level C A (rate_weight C) c * length_of integers C len executing (fst c).
  Theorem answers_heaviest_first : exists tied,
    answers (set_of integers C A len executing who (FirstOf (Argmax (Where Reachable HasWork) (TimesRate Length)) Own) []) tied /\
    (tied = named C A who Own /\
       (forall c, In c (named C A who Reachable) -> choosable (fst c) = true -> rate_times_length c <= 0) \/
     tied <> [] /\ forall c, In c tied -> In c (named C A who Reachable) /\ choosable (fst c) = true /\
       forall d, In d (named C A who Reachable) -> choosable (fst d) = true -> rate_times_length d <= rate_times_length c).
  Proof.
    destruct (answers_heaviest (TimesRate Length) rate_times_length eq_refl) as (tied & At & Empty & Best);
      [intro c; constructor|].
    destruct tied as [|c l].
    - exists (named C A who Own). split; [|left; split; [reflexivity|now apply Empty]].
      cbn [set_of]. apply answers_bind with (a := []); [exact At|constructor].
    - exists (c :: l). split; [|right; split; [easy|exact Best]].
      cbn [set_of]. apply answers_bind with (a := c :: l); [exact At|constructor].
  Qed.
  (* Argmax (Where Reachable HasWork) (TimesRate MarginalCost) *)
  Definition rate_times_cost (c : nat * nat) : Z :=
    row_and_level C A (rate_weight C) c * (nth (fst c) (marginal_costs C) 0 * length_of integers C len executing (fst c)).
  Theorem answers_dearest : exists tied,
    answers (set_of integers C A len executing who (Argmax (Where Reachable HasWork) (TimesRate MarginalCost)) []) tied /\
    (tied = [] -> forall c, In c (named C A who Reachable) -> choosable (fst c) = true -> rate_times_cost c <= 0) /\
    forall c, In c tied -> In c (named C A who Reachable) /\ choosable (fst c) = true /\
      forall d, In d (named C A who Reachable) -> choosable (fst d) = true -> rate_times_cost d <= rate_times_cost c.
  Proof. apply (answers_heaviest (TimesRate MarginalCost) rate_times_cost eq_refl). intro c. constructor. Qed.

  (* Unite s t has the members of both. *)
  Lemma contains_In l c : contains l c = true -> In c l.
  Proof.
    unfold contains. intro H. apply some_In in H as (d & I & S). unfold same_candidate in S. apply if_true in S as [F G].
    apply Nat.eqb_eq in F, G. destruct c, d; cbn in *; now subst.
  Qed.
  Theorem answers_unite s t a b :
    answers (set_of integers C A len executing who s []) a -> answers (set_of integers C A len executing who t []) b ->
    exists from, answers (set_of integers C A len executing who (Unite s t) []) from /\ forall c, In c from <-> In c a \/ In c b.
  Proof.
    intros Sa Tb. eexists. split; [cbn [set_of]; eapply answers_bind; [exact Sa|]; eapply answers_bind; [exact Tb|constructor]|].
    intro c. rewrite in_app_iff, filter_In. split; [intuition auto|]. intros [I|I]; [now left|].
    destruct (contains a c) eqn:K; [left; now apply contains_In|right; split; auto].
  Qed.

  (* The first queue unless the second has a larger rate times length; of a queue that may not be chosen that is 0. *)
  Definition rate_times_servable (c : nat * nat) : Z := if choosable (fst c) then rate_times_length c else 0.
  Theorem answers_unless_heavier s t c d :
    answers (set_of integers C A len executing who s []) [c] -> answers (set_of integers C A len executing who t []) [d] ->
    answers (set_of integers C A len executing who
               (When (LessEqual (Least t (TimesRate Servable)) (Least s (TimesRate Servable))) s t) [])
            (if Qle_bool (inject_Z (rate_times_servable d)) (inject_Z (rate_times_servable c)) then [c] else [d]).
  Proof.
    intros Sc Td.
    assert (Key : forall u e, answers (set_of integers C A len executing who u []) [e] ->
      answers (key_of integers C A len executing who (Least u (TimesRate Servable)) (0, 0)%nat [])
        (rate_times_servable e, 1%positive)).
    { intros u e Ue. set (key := fun d => key_of integers C A len executing who (TimesRate Servable) d []).
      assert (K : answers (key e) (rate_times_servable e, 1%positive)).
      { unfold key, rate_times_servable, choosable. cbn [key_of]. destruct (empty_is (option_of C)) eqn:Empty; [constructor|].
        eapply answers_bind.
        - eapply answers_bind; [apply answers_has_work|]. constructor.
        - unfold work. rewrite Empty. unfold scaled. cbn [fst snd].
          destruct (0 <? waiting_tasks integers len executing (fst e)); [constructor|]. cbn [times integers].
          rewrite Z.mul_0_r. constructor. }
      change (answers (from <- set_of integers C A len executing who u [];
        v <- over_set integers Smallest key from None; Ret (or_zero integers v)) (rate_times_servable e, 1%positive)).
      eapply answers_bind; [exact Ue|]. eapply answers_bind; [eapply answers_bind; [exact K|constructor]|constructor]. }
    change (answers (b <- (x <- key_of integers C A len executing who (Least t (TimesRate Servable)) (0, 0)%nat [];
        y <- key_of integers C A len executing who (Least s (TimesRate Servable)) (0, 0)%nat []; at_least_quantity integers y x);
      if b : bool then set_of integers C A len executing who s [] else set_of integers C A len executing who t [])
      (if Qle_bool (inject_Z (rate_times_servable d)) (inject_Z (rate_times_servable c)) then [c] else [d])).
    eapply answers_bind.
    - eapply answers_bind; [exact (Key t d Td)|]. eapply answers_bind; [exact (Key s c Sc)|]. apply answers_at_least_quantity.
    - unfold amount. cbn [fst snd]. change (rate_times_servable d # 1) with (inject_Z (rate_times_servable d)).
      change (rate_times_servable c # 1) with (inject_Z (rate_times_servable c)). now destruct (Qle_bool _ _).
  Qed.
End Rules.
