(* State space collapse: a sum of exponentials of the state that every slot brings down, but for a constant.

   Let l_1, ..., l_J be linear in the queue lengths plus constants of the statuses, with integer values, q > 1 and
   F = sum q^(l_j). On a cell each l_j changes by constants, so E F(next) - (1 - rho) F is at most sum a_j q^(l_j) with
   numbers a_j. [stays_below] asks for the values of the forms as far as is needed to bound that sum by b, in the order
   in which the C++ asks (proofs/queueing/theorems/heavy_traffic/heavy_collapse.cpp). A term with a_i > 0 beyond its
   window must be outweighed by one with a_j < 0; each may outweigh all, for its share is one part in the number of
   positive terms. The a_j are rounded up; where that decides a question otherwise than exact numbers would, the tree is
   refused, and nothing false is accepted.

   No logarithm is needed to bound an exponent by F. With z = l_j - n in z <= (q^z - 1) / (q - 1), for every integer n,
       l_j <= n - 1/(q - 1) + q^(-n) / (q - 1) F.                                                      [below_top] *)
From Coq Require Import ZArith QArith Qpower Qfield Lqa List Bool Lia.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Means Slack Linear Powers.
Import ListNotations.
Open Scope Q_scope.

(* ---- the function F ---- *)

Record window := Window { exponent : linear; low : Z; high : Z }.
Section Collapse.
  Variables (q : Q) (windows : list window).
  Definition exponentials (x : state) : Q := fold_right (fun w rest => q ^ (linear_at (exponent w) x) + rest) 0 windows.
  Definition lift_at (n : Z) : Q := inject_Z n - / (q - 1).
  Definition weight_at (n : Z) : Q := / (q - 1) * q ^ (- n).
  Hypothesis above_one : 1 < q.
  Lemma weight_positive n : 0 <= weight_at n.
  Proof.
    unfold weight_at. apply Qmult_le_0_compat; [apply Qinv_le_0_compat; lra|].
    pose proof (power_positive q above_one (- n)). lra.
  Qed.
  Lemma exponentials_nonnegative x : 0 <= exponentials x.
  Proof.
    unfold exponentials. induction windows as [|w l IH]; cbn [fold_right]; [lra|].
    pose proof (power_positive q above_one (linear_at (exponent w) x)). lra.
  Qed.
  Theorem below_top w x n : In w windows ->
    inject_Z (linear_at (exponent w) x) <= lift_at n + weight_at n * exponentials x.
  Proof.
    intro I. set (l := linear_at (exponent w) x). assert (q ^ l <= exponentials x) as Le.
    { unfold exponentials. clear - I above_one. induction windows as [|v f IH]; [contradiction|]. cbn [fold_right].
      assert (0 <= fold_right (fun w rest => q ^ (linear_at (exponent w) x) + rest) 0 f).
      { clear - above_one. induction f as [|u f IH]; cbn [fold_right]; [lra|].
        pose proof (power_positive q above_one (linear_at (exponent u) x)). lra. }
      pose proof (power_positive q above_one (linear_at (exponent v) x)).
      destruct I as [->|I]; [unfold l; lra|]. specialize (IH I). lra. }
    pose proof (tangent_line q above_one (l - n)) as T. unfold lift_at, weight_at.
    unfold Z.sub in T. rewrite inject_Z_plus, inject_Z_opp, (power_sum q above_one) in T.
    assert (0 < q ^ (- n)) by now apply power_positive. assert (q ^ l * q ^ (- n) <= exponentials x * q ^ (- n)) by
      (apply Qmult_le_compat_r; lra).
    set (p := q ^ (- n)) in *. set (F := exponentials x) in *. set (ql := q ^ l) in *. clearbody p F ql.
    assert (inject_Z l - inject_Z n <= (F * p - 1) / (q - 1)) as D.
    { apply Qle_shift_div_l; [lra|]. lra. }
    assert ((F * p - 1) / (q - 1) == / (q - 1) * p * F - / (q - 1)) as Eq by (field; lra). lra.
  Qed.
End Collapse.

(* ---- (F) on a cell ---- *)

Section Cell.
  Variables (q rho b : Q) (powers_q : powers) (windows : list window) (s : list status).
  Notation item := (Q * window)%type (only parsing).           (* a_j, and its form *)
  Definition form_at (w : window) : form := linear_form (exponent w) s.
  (* An upper bound of E q^(change) - 1 + rho, for every form. *)
  Definition mean_power (l : law (change * list status)) (w : window) : option Q :=
    fold_right (fun e rest =>
      match power_above powers_q (linear_change (exponent w) s (snd e)), rest with
      | Some v, Some r => Some (Qred (fst e * inject_Z v + r))
      | _, _ => None
      end) (Some 0) l.
  Fixpoint growths (l : law (change * list status)) (ws : list window) : option (list item) :=
    match ws with
    | [] => Some []
    | w :: ws =>
        match mean_power l w, growths l ws with
        | Some m, Some r => Some ((Qred (m * (1 # places) - 1 + rho), w) :: r)
        | _, _ => None
        end
    end.
  Definition at_least (f : form) (z : Z) : form := ((fst f - z)%Z, snd f).
  Definition at_most (f : form) (z : Z) : form := ((z - fst f)%Z, map Z.opp (snd f)).
  (* The value of a form between two integers. *)
  Fixpoint pin (fuel : nat) (least most : Z) (f : form) : asks (option Z) :=
    match fuel with
    | O => Done None
    | S fuel =>
        if (least <? most)%Z then
          let middle := (least + (most - least + 1) / 2)%Z in
          Question (at_least f middle)
            (fun yes => if yes : bool then pin fuel middle most f else pin fuel least (middle - 1) f)
        else Done (Some least)
    end.
  Definition nonpositive (t : item) : bool := Qle_bool (fst t) 0.
  (* Upper bounds of a q^z, and of a q^l; none where there is none. *)
  Definition times_power (a : Q) (z : Z) : option Q :=
    match (if Qle_bool a 0 then power_below powers_q z else power_above powers_q z) with
    | Some v => Some (a * (v # places))
    | None => None
    end.
  Definition term (t : item) : asks (option Q) :=
    let '(a, w) := t in let f := form_at w in
    Question (at_least f (high w)) (fun above =>
      if above : bool then Done (if nonpositive t then times_power a (high w) else None)
      else Question (at_most f (low w)) (fun below =>
        if below : bool then Done (if nonpositive t then Some 0 else times_power a (low w))
        else abind (pin 20 (low w + 1) (high w - 1) f)
               (fun z => Done (match z with Some z => times_power a z | None => None end)))).
  (* The least D with q^D >= x, as far as there are powers. *)
  Fixpoint first_from (enough : Z -> bool) (l : list Z) (k : Z) : option Z :=
    match l with [] => None | v :: l => if enough v then Some k else first_from enough l (k + 1)%Z end.
  Definition distance (x : Q) : option Z :=
    if Qle_bool x 1 then
      match first_from (fun v => negb (Qle_bool x (v # places))) (inverse_downs powers_q) 0 with
      | Some k => Some (1 - k)%Z
      | None => None
      end
    else first_from (fun v => Qle_bool x (v # places)) (downs powers_q) 0.
  Definition positive_terms (all : list (nat * item)) : Z :=
    Z.of_nat (length (filter (fun t => negb (nonpositive (snd t))) all)).
  (* The first of the terms that outweighs a positive one. *)
  Fixpoint outweighing (n : Z) (all : list (nat * item)) (t : item) : asks (option nat) :=
    match all with
    | [] => Done None
    | (j, heavier) :: all =>
        if Qle_bool 0 (fst heavier) then outweighing n all t
        else let ratio := inject_Z n * fst t / - fst heavier in
             match distance ratio with
             | None => outweighing n all t
             | Some d =>
                 if match power_below powers_q d with Some v => Qle_bool ratio (v # places) | None => false end then
                   let f := form_at (snd heavier) in let g := form_at (snd t) in
                   Question ((fst f - fst g - d)%Z, axpy (-1) (snd g) (snd f))
                     (fun yes => if yes : bool then Done (Some j) else outweighing n all t)
                 else Done None
             end
    end.
  (* Of the positive terms: an upper bound, and which terms outweigh the others. *)
  Fixpoint positives (n : Z) (all todo : list (nat * item)) : asks (option (Q * list nat)) :=
    match todo with
    | [] => Done (Some (0, []))
    | (_, t) :: todo =>
        if nonpositive t then positives n all todo
        else abind (term t) (fun most =>
          match most with
          | Some most => abind (positives n all todo) (fun r =>
              Done (match r with Some (sum, heavier) => Some (most + sum, heavier) | None => None end))
          | None => abind (outweighing n all t) (fun j =>
              match j with
              | None => Done None
              | Some j => abind (positives n all todo) (fun r =>
                  Done (match r with Some (sum, heavier) => Some (sum, j :: heavier) | None => None end))
              end)
          end)
    end.
  Definition marked (heavier : list nat) (j : nat) : bool := some (Nat.eqb j) heavier.
  Fixpoint the_others (heavier : list nat) (todo : list (nat * item)) : asks (option Q) :=
    match todo with
    | [] => Done (Some 0)
    | (j, t) :: todo =>
        if (if nonpositive t then negb (marked heavier j) else false) then
          abind (term t) (fun most =>
            match most with
            | Some most => abind (the_others heavier todo) (fun r =>
                Done (match r with Some sum => Some (most + sum) | None => None end))
            | None => Done None
            end)
        else the_others heavier todo
    end.
  (* Whether the sum of all terms is at most b. *)
  Definition stays_below (l : law (change * list status)) : asks bool :=
    match growths l windows with
    | None => Done false
    | Some items =>
        let all := combine (seq 0 (length items)) items in
        let n := positive_terms all in
        if (n =? 0)%Z then Done (Qle_bool 0 b)
        else abind (positives n all all) (fun r =>
          match r with
          | None => Done false
          | Some (sum, heavier) => abind (the_others heavier all) (fun r =>
              Done (match r with Some rest => Qle_bool (sum + rest) b | None => false end))
          end)
    end.

  Hypothesis above_one : 1 < q.
  Hypothesis powers_are : powers_q = powers_of q.
  Variable x : vec.
  Definition value_at (t : item) : Q := fst t * q ^ (value x (form_at (snd t))).
  Lemma value_at_least f z : (0 <=? value x (at_least f z))%Z = (z <=? value x f)%Z.
  Proof.
    unfold value, at_least; cbn [fst snd].
    destruct (Z.leb_spec 0 (fst f - z + dot (snd f) x)), (Z.leb_spec z (fst f + dot (snd f) x)); auto; lia.
  Qed.
  Lemma value_at_most f z : (0 <=? value x (at_most f z))%Z = (value x f <=? z)%Z.
  Proof.
    unfold value, at_most; cbn [fst snd]. rewrite dot_opp.
    destruct (Z.leb_spec 0 (z - fst f + - dot (snd f) x)), (Z.leb_spec (fst f + dot (snd f) x) z); auto; lia.
  Qed.
  Lemma pin_ok fuel f : forall least most z, answer x (pin fuel least most f) = Some z ->
    (least <= value x f <= most)%Z -> z = value x f.
  Proof.
    induction fuel as [|fuel IH]; intros least most z; cbn [pin]; [discriminate|].
    destruct (Z.ltb_spec least most) as [Lt|Ge].
    - cbn [answer]. cbv zeta. set (middle := (least + (most - least + 1) / 2)%Z). rewrite value_at_least.
      destruct (Z.leb_spec middle (value x f)); intros A B; apply (IH _ _ _ A); lia.
    - cbn [answer]. intros [= <-] B. lia.
  Qed.
  Lemma times_power_monotone a y z : 0 <= a -> (y <= z)%Z -> a * q ^ y <= a * q ^ z.
  Proof. intros A L. rewrite !(Qmult_comm a). apply Qmult_le_compat_r; auto. now apply power_monotone. Qed.
  Lemma times_power_ok a z m : times_power a z = Some m -> a * q ^ z <= m.
  Proof.
    unfold times_power. rewrite powers_are. destruct (Qle_bool a 0) eqn:Sg.
    - apply Qle_bool_iff in Sg. destruct (power_below _ z) as [v|] eqn:V; [|discriminate]. intros [= <-].
      apply power_below_ok in V; auto. apply (Qmult_le_compat_r _ _ (- a)) in V; [|lra]. lra.
    - assert (0 < a) by (apply Qnot_le_lt; intro K; apply Qle_bool_iff in K; congruence).
      destruct (power_above _ z) as [v|] eqn:V; [|discriminate]. intros [= <-].
      apply power_above_ok in V; auto. rewrite !(Qmult_comm a). apply Qmult_le_compat_r; [exact V|lra].
  Qed.
  Lemma term_ok t most : answer x (term t) = Some most -> value_at t <= most.
  Proof.
    destruct t as [a w]. unfold term, value_at. cbn [answer fst snd]. set (f := form_at w). rewrite value_at_least.
    assert (nonpositive (a, w) = true -> a <= 0) as N by (unfold nonpositive; cbn [fst]; apply Qle_bool_iff).
    assert (nonpositive (a, w) = false -> 0 < a) as Po.
    { unfold nonpositive; cbn [fst]. intro H. apply Qnot_le_lt. intro K. apply Qle_bool_iff in K. congruence. }
    destruct (Z.leb_spec (high w) (value x f)) as [Hi|Hi].
    - cbn [answer]. destruct (nonpositive (a, w)); [|discriminate]. intro M. apply times_power_ok in M.
      pose proof (times_power_monotone (- a) _ _ ltac:(specialize (N eq_refl); lra) Hi). lra.
    - cbn [answer]. rewrite value_at_most. destruct (Z.leb_spec (value x f) (low w)) as [Lo|Lo]; cbn [answer].
      + destruct (nonpositive (a, w)).
        * intros [= <-]. pose proof (power_positive q above_one (value x f)). specialize (N eq_refl).
          assert (0 <= (- a) * q ^ value x f) by (apply Qmult_le_0_compat; lra). lra.
        * intro M. apply times_power_ok in M. eapply Qle_trans; [|exact M]. apply times_power_monotone; auto.
          specialize (Po eq_refl). lra.
      + rewrite answer_bind. cbn [answer]. destruct (answer x (pin _ _ _ _)) as [z|] eqn:A; [|discriminate].
        intro M. apply times_power_ok in M. apply pin_ok in A; [|lia]. now subst z.
  Qed.
  Lemma outweighing_ok n t j : (0 <= n)%Z -> forall all, answer x (outweighing n all t) = Some j ->
    exists u, In (j, u) all /\ fst u < 0 /\ inject_Z n * value_at t <= - value_at u.
  Proof.
    intros N. induction all as [|[i u] all IH]; cbn [outweighing]; [discriminate|].
    assert (answer x (outweighing n all t) = Some j -> exists u', In (j, u') ((i,
      u) :: all) /\ fst u' < 0 /\ inject_Z n * value_at t <= - value_at u') as Later.
    { intro A. destruct (IH A) as (v & I & K). exists v. split; [now right|auto]. }
    destruct (Qle_bool 0 (fst u)) eqn:Sg; [exact Later|]. cbv zeta.
    assert (fst u < 0) as Neg. { apply Qnot_le_lt. intro K. apply Qle_bool_iff in K. congruence. }
    destruct (distance _) as [d|]; [|exact Later]. rewrite powers_are.
    destruct (power_below _ d) as [v|] eqn:Pb; [|discriminate]. destruct (Qle_bool _ (v # places)) eqn:Dv;
      [|discriminate].
    apply Qle_bool_iff in Dv. apply power_below_ok in Pb; auto. pose proof (Qle_trans _ _ _ Dv Pb) as D.
    cbn [answer]. destruct (Z.leb_spec 0 (value x ((fst (form_at (snd u)) - fst (form_at (snd t)) - d)%Z,
      axpy (-1) (snd (form_at (snd t))) (snd (form_at (snd u)))))) as [Ge|]; [|exact Later].
    cbn [answer]. intros [= <-]. exists u. split; [now left|]. split; auto.
    unfold value in Ge; cbn [fst snd] in Ge. rewrite dot_axpy in Ge. unfold value_at.
    set (vt := value x (form_at (snd t))) in *. set (vu := value x (form_at (snd u))) in *.
    assert (vt + d <= vu)%Z as L by (unfold vt, vu, value; lia). clear Ge Later IH.
    assert (inject_Z n * fst t <= - fst u * q ^ d) as A.
    { apply (Qmult_le_compat_r _ _ (- fst u)) in D; [|lra]. setoid_replace (inject_Z n * fst t / - fst u * - fst u)
      with (inject_Z n * fst t) in D by (field; lra). lra. }
    apply (Qmult_le_compat_r _ _ (q ^ vt)) in A; [|pose proof (power_positive q above_one vt); lra].
    pose proof (times_power_monotone (- fst u) _ _ ltac:(lra) L) as B. rewrite (power_sum q above_one) in B.
    rewrite Qmult_assoc. eapply Qle_trans; [exact A|].
    setoid_replace (- fst u * q ^ d * q ^ vt) with (- fst u * (q ^ vt * q ^ d)) by ring.
    setoid_replace (- (fst u * q ^ vu)) with (- fst u * q ^ vu) by ring. exact B.
  Qed.
  Definition sum_where (p : nat * item -> bool) (l : list (nat * item)) : Q :=
    fold_right (fun t rest => (if p t then value_at (snd t) else 0) + rest) 0 l.
  Definition is_positive (t : nat * item) : bool := negb (nonpositive (snd t)).
  Lemma positives_ok n all : (0 <= n)%Z -> forall todo sum heavier, answer x (positives n all todo) = Some (sum,
    heavier) ->
    forall W, 0 <= W -> (forall j u, In (j, u) all -> marked heavier j = true -> fst u < 0 -> - value_at u <= W) ->
    inject_Z n * sum_where is_positive todo <= inject_Z n * sum + inject_Z (positive_terms todo) * W.
  Proof.
    intro N. assert (0 <= inject_Z n) as Nq by (change 0 with (inject_Z 0); now rewrite <- Zle_Qle).
    induction todo as [|[i t] todo IH]; intros sum heavier; cbn [positives].
    { cbn [answer]. intros [= <- <-] W W0 _. change (sum_where is_positive []) with 0.
      change (inject_Z (positive_terms [])) with 0. lra. }
    assert (sum_where is_positive ((i, t) :: todo) = (if is_positive (i,
      t) then value_at t else 0) + sum_where is_positive todo) as Eq by reflexivity.
    rewrite Eq. clear Eq. unfold positive_terms, is_positive at 1. cbn [filter snd].
    destruct (nonpositive t) eqn:Np; cbn [negb].
    { intros A W W0 Wm. pose proof (IH _ _ A W W0 Wm) as K. unfold positive_terms in K. lra. }
    rewrite answer_bind. cbn [List.length]. rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus.
    change (inject_Z 1) with 1.
    fold (positive_terms todo). destruct (answer x (term t)) as [most|] eqn:T.
    - rewrite answer_bind. cbn [answer]. destruct (answer x (positives n all todo)) as [[rest marks]|] eqn:R;
      [|discriminate].
      intros [= <- <-] W W0 Wm. pose proof (IH _ _ eq_refl W W0 Wm) as K. apply term_ok in T.
      assert (inject_Z n * value_at t <= inject_Z n * most) by (rewrite !(Qmult_comm (inject_Z n));
        apply Qmult_le_compat_r; auto).
      lra.
    - rewrite answer_bind. destruct (answer x (outweighing n all t)) as [j|] eqn:O; [|discriminate].
      rewrite answer_bind. cbn [answer]. destruct (answer x (positives n all todo)) as [[rest marks]|] eqn:R;
        [|discriminate].
      intros [= <- <-] W W0 Wm. apply outweighing_ok in O as (u & I & Neg & Le); auto.
      assert (inject_Z n * sum_where is_positive todo <= inject_Z n * rest + inject_Z (positive_terms todo) * W) as K.
      { apply (IH _ _ eq_refl W W0). intros k v Iv M. apply (Wm k v Iv). unfold marked in *. cbn [some].
        destruct (Nat.eqb k j); auto. }
      assert (- value_at u <= W).
      { apply (Wm j u I); auto. unfold marked. cbn [some]. now rewrite Nat.eqb_refl. }
      lra.
  Qed.
  Lemma the_others_ok heavier : forall todo sum, answer x (the_others heavier todo) = Some sum ->
    sum_where (fun t => if nonpositive (snd t) then negb (marked heavier (fst t)) else false) todo <= sum.
  Proof.
    induction todo as [|[j t] todo IH]; intro sum; cbn [the_others]; [cbn [answer]; intros [= <-]; apply Qle_refl|].
    unfold sum_where. cbn [fold_right snd fst]. fold (sum_where (fun t => if nonpositive (snd t) then negb (marked
      heavier (fst t)) else false) todo).
    destruct (if nonpositive t then negb (marked heavier j) else false); [|intro A; specialize (IH _ A); lra].
    rewrite answer_bind. destruct (answer x (term t)) as [most|] eqn:T; [|discriminate]. rewrite answer_bind.
    cbn [answer].
    destruct (answer x (the_others heavier todo)) as [rest|]; [|discriminate]. intros [= <-]. apply term_ok in T.
    specialize (IH _ eq_refl). lra.
  Qed.
  Lemma nonpositive_value t : nonpositive t = true -> value_at t <= 0.
  Proof.
    intro N. apply Qle_bool_iff in N. unfold value_at. pose proof (power_positive q above_one (value x (form_at (snd
      t)))) as P.
    assert (0 <= (- fst t) * q ^ value x (form_at (snd t))) by (apply Qmult_le_0_compat; lra). lra.
  Qed.
  Lemma sum_of_terms l : answer x (stays_below l) = true -> exists items, growths l windows = Some items /\
    fold_right (fun t rest => value_at t + rest) 0 items <= b.
  Proof.
    unfold stays_below. destruct (growths l windows) as [items|]; [|discriminate]. intro A. exists items.
    split; auto. revert A.
    cbv zeta. set (all := combine _ _). set (n := positive_terms all).
    assert (fold_right (fun t rest => value_at t + rest) 0 items = sum_where (fun _ => true) all) as ->.
    { unfold all. generalize 0%nat. induction items as [|w ws IH]; intro k; cbn [List.length seq combine fold_right];
      [reflexivity|].
      unfold sum_where. cbn [fold_right snd]. now rewrite (IH (S k)). }
    destruct (Z.eqb_spec n 0) as [Z0|NZ].
    - cbn [answer]. intro B. apply Qle_bool_iff in B. eapply Qle_trans; [|exact B]. clear B.
      unfold n, positive_terms in Z0.
      induction all as [|t ts IH]; [apply Qle_refl|]. unfold sum_where in *. cbn [fold_right filter] in *.
      destruct (nonpositive (snd t)) eqn:Np; cbn [negb List.length] in Z0; [|lia]. apply nonpositive_value in Np.
      specialize (IH Z0). lra.
    - rewrite answer_bind. destruct (answer x (positives n all all)) as [[sum heavier]|] eqn:A; [|discriminate].
      rewrite answer_bind. cbn [answer]. destruct (answer x (the_others heavier all)) as [rest|] eqn:O; [|discriminate].
      intro Le. apply Qle_bool_iff in Le. apply the_others_ok in O.
      set (p := fun t : nat * item => if nonpositive (snd t) then marked heavier (fst t) else false).
      assert (forall ts, sum_where (fun _ => true) ts == sum_where is_positive ts
        + sum_where (fun t => if nonpositive (snd t) then negb (marked heavier (fst t)) else false) ts + sum_where p
          ts) as Parts.
      { unfold sum_where, p, is_positive. induction ts as [|t ts IH]; cbn [fold_right]; [ring|]. rewrite IH.
        destruct (nonpositive (snd t)), (marked heavier (fst t)); cbn [negb]; ring. }
      assert (forall ts, sum_where p ts <= 0 /\ forall j u, In (j, u) ts -> p (j, u) = true ->
        sum_where p ts <= value_at u) as Low.
      { induction ts as [|t ts [IH1 IH2]]; [split; [apply Qle_refl|contradiction]|]. unfold sum_where in *.
        cbn [fold_right].
        assert ((if p t then value_at (snd t) else 0) <= 0) as T.
        { destruct (p t) eqn:Pt; [|apply Qle_refl]. unfold p in Pt. destruct (nonpositive (snd t)) eqn:Np;
          [|discriminate]. now apply nonpositive_value. }
        split; [lra|]. intros j u [->|I] Pu; [rewrite Pu in *; cbn [snd] in *; lra|]. specialize (IH2 j u I Pu). lra. }
      assert (0 <= n)%Z as N by (unfold n, positive_terms; lia).
      pose proof (positives_ok n all N all sum heavier A (- sum_where p all) ltac:(destruct (Low all); lra)) as K.
      assert (inject_Z n * sum_where is_positive all <= inject_Z n * sum + inject_Z n * (- sum_where p all)) as Kn.
      { apply K. intros j u I M Neg. assert (p (j, u) = true) as Pu.
        { unfold p. cbn [fst snd]. assert (nonpositive u = true) as -> by (apply Qle_bool_iff; lra). exact M. }
        destruct (Low all) as [_ L]. specialize (L j u I Pu). lra. }
      assert (0 < inject_Z n) by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
      assert (sum_where is_positive all <= sum - sum_where p all).
      { apply (Qmult_le_r _ _ (inject_Z n)); auto. lra. }
      rewrite Parts. lra.
  Qed.
  Lemma mean_power_ok l w m : (forall e, In e l -> 0 <= fst e) -> mean_power l w = Some m ->
    E (fun y => q ^ linear_change (exponent w) s y) l <= m * (1 # places).
  Proof.
    revert m. induction l as [|e l IH]; intros m Po; cbn [mean_power fold_right]; [intros [= <-]; vm_compute;
      discriminate|].
    fold (mean_power l w). rewrite powers_are. destruct (power_above _ _) as [v|] eqn:V; [|discriminate].
    destruct (mean_power l w) as [r|]; [|discriminate]. intro M. assert (m == fst e * inject_Z v + r) as ->
      by (assert (forall a b : Q, Some a = Some b -> a = b) as Same by congruence; rewrite <- (Same _ _ M);
        apply Qred_correct). rewrite E_cons.
    specialize (IH r (fun e I => Po e (or_intror I)) eq_refl). apply power_above_ok in V; auto.
    apply (Qmult_le_compat_r _ _ (fst e)) in V; [|apply Po; now left].
    assert (v # places == inject_Z v * (1 # places)) as Eq by (unfold Qeq; cbn; lia). rewrite Eq in V. lra.
  Qed.
  Theorem stays_below_ok l : is_law l -> (forall e, In e l -> length (fst (snd e)) = length x) ->
    answer x (stays_below l) = true ->
    E (fun y => exponentials q windows (next x y)) l <= (1 - rho) * exponentials q windows (x, s) + b.
  Proof.
    intros [Po One] Ln A. apply sum_of_terms in A as (items & G & Le). unfold exponentials.
    enough (E (fun y => fold_right (fun w rest => q ^ linear_at (exponent w) (next x y) + rest) 0 windows) l
      <= (1 - rho) * fold_right (fun w rest => q ^ linear_at (exponent w) (x, s) + rest) 0 windows
         + fold_right (fun t rest => value_at t + rest) 0 items) by lra.
    clear Le. revert items G. induction windows as [|w ws IH]; intros items; cbn [growths fold_right].
    { intros [= <-]. cbn [fold_right]. rewrite (E_equal _ (fun y => 0 * 1)) by (intros; ring). rewrite E_times, One.
      lra. }
    destruct (mean_power l w) as [m|] eqn:M; [|discriminate]. destruct (growths l ws) as [r|]; [|discriminate]. intro G.
    assert (items = (Qred (m * (1 # places) - 1 + rho), w) :: r) as -> by congruence. clear G.
    specialize (IH r eq_refl). cbn [fold_right]. rewrite E_plus. unfold value_at at 1. cbn [fst snd].
    change (value x (form_at w)) with (linear_at (exponent w) (x, s)). set (p := q ^ linear_at (exponent w) (x, s)).
    assert (E (fun y => q ^ linear_at (exponent w) (next x y)) l <= p * (m * (1 # places))) as Le.
    { rewrite (E_equal _ (fun y => p * q ^ linear_change (exponent w) s y)).
      - rewrite E_times, !(Qmult_comm p). apply Qmult_le_compat_r; [now apply mean_power_ok|].
        pose proof (power_positive q above_one (linear_at (exponent w) (x, s))). unfold p. lra.
      - intros e I. rewrite (linear_next _ x s _ (Ln e I)). now apply power_sum. }
    rewrite Qred_correct. lra.
  Qed.
End Cell.
