(* State space collapse: a sum of exponentials of the state that every slot brings down, but for a constant.

   Let l_1, ..., l_J be linear in the queue lengths plus constants of the statuses, with integer values, q > 1 and
   F = sum q^(l_j). On a cell each l_j changes by constants, so E F(next) - (1 - rho) F = sum a_j q^(l_j) with numbers
   a_j. [stays_below] asks for the values of the forms as far as is needed to bound that sum by b, in the order in which
   the C++ asks (proofs/queueing/theorems/heavy_traffic/heavy_collapse.cpp). A term with a_i > 0 beyond its window must
   be outweighed by one with a_j < 0; each may outweigh all, for its share is one part in the number of positive terms.

   No logarithm is needed to bound an exponent by F: for every integer z the tangent of the convex function q^z gives
   z <= (q^z - 1) / (q - 1), so that with z = l_j - n, for every integer n,
       l_j <= n - 1/(q - 1) + q^(-n) / (q - 1) F.                                                          [below_top] *)
From Coq Require Import ZArith QArith Qpower Qfield Lqa List Bool Lia.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Means Slack.
Import ListNotations.
Open Scope Z_scope.

(* ---- functions that are linear in the lengths ---- *)

Record linear := Linear { per_task : vec; per_status : list (condition * Z) }.
Definition status_part (h : linear) (s : list status) : Z :=
  fold_right (fun t rest => (if met (fst t) s then snd t else 0) + rest) 0 (per_status h).
Definition linear_form (h : linear) (s : list status) : form := (status_part h s, per_task h).
Definition linear_at (h : linear) (x : state) : Z := value (fst x) (linear_form h (snd x)).
Definition linear_change (h : linear) (s : list status) (y : change * list status) : Z :=
  dot (per_task h) (fst y) + (status_part h (snd y) - status_part h s).
Definition next (x : vec) (y : change * list status) : state := (add x (fst y), snd y).
Lemma linear_next h x s y : length (fst y) = length x -> linear_at h (next x y) = linear_at h (x, s) + linear_change h s y.
Proof. intro L. unfold linear_at, linear_change, linear_form, value, next; cbn [fst snd]. rewrite dot_add by auto. lia. Qed.
Definition mean_of {A} (f : A -> Q) (l : law A) : Q := fold_right (fun e rest => Qred (fst e * f (snd e) + rest))%Q 0%Q l.
Lemma mean_of_E {A} (f : A -> Q) l : (mean_of f l == E f l)%Q.
Proof. induction l as [|e l IH]; [reflexivity|]. cbn [mean_of fold_right]. rewrite Qred_correct, E_cons. unfold mean_of in IH. now rewrite IH. Qed.

(* ---- powers ---- *)

Open Scope Q_scope.
Section Powers.
  Variable q : Q.
  Hypothesis above_one : 1 < q.
  Lemma nonzero : ~ q == 0. Proof. lra. Qed.
  Lemma power_positive z : 0 < q ^ z. Proof. apply Qpower_0_lt. lra. Qed.
  Lemma power_sum y z : q ^ (y + z) == q ^ y * q ^ z. Proof. apply Qpower_plus, nonzero. Qed.
  Lemma power_step z : q ^ (z + 1) == q ^ z * q. Proof. rewrite power_sum. reflexivity. Qed.
  Lemma power_from_one z : (0 <= z)%Z -> 1 + inject_Z z * (q - 1) <= q ^ z.
  Proof.
    intro P. pattern z. apply natlike_ind; auto; [change (inject_Z 0) with 0; change (q ^ 0) with 1; lra|]. clear z P. intros z P IH.
    unfold Z.succ. rewrite inject_Z_plus, power_step. change (inject_Z 1) with 1.
    assert (0 <= inject_Z z) by (change 0 with (inject_Z 0); now rewrite <- Zle_Qle).
    assert ((1 + inject_Z z * (q - 1)) * q <= q ^ z * q) by (apply Qmult_le_compat_r; lra).
    assert (0 <= inject_Z z * ((q - 1) * (q - 1))) by (apply Qmult_le_0_compat; [assumption|apply Qmult_le_0_compat; lra]). lra.
  Qed.
  Lemma power_at_least_one z : (0 <= z)%Z -> 1 <= q ^ z.
  Proof.
    intro P. pose proof (power_from_one z P). assert (0 <= inject_Z z) by (change 0 with (inject_Z 0); now rewrite <- Zle_Qle).
    assert (0 <= inject_Z z * (q - 1)) by (apply Qmult_le_0_compat; lra). lra.
  Qed.
  Lemma power_monotone y z : (y <= z)%Z -> q ^ y <= q ^ z.
  Proof.
    intro L. replace z with (y + (z - y))%Z by lia. rewrite power_sum. pose proof (power_positive y).
    pose proof (power_at_least_one (z - y) ltac:(lia)).
    rewrite <- (Qmult_1_r (q ^ y)) at 1. rewrite !(Qmult_comm (q ^ y)). apply Qmult_le_compat_r; lra.
  Qed.
  Lemma power_opposite z : q ^ (- z) * q ^ z == 1.
  Proof. rewrite <- power_sum, Z.add_opp_diag_l. reflexivity. Qed.
  Lemma tangent_line z : 1 + inject_Z z * (q - 1) <= q ^ z.
  Proof.
    destruct (Z.le_gt_cases 0 z) as [P|N]; [now apply power_from_one|].
    enough (forall i, (0 <= i)%Z -> 1 - inject_Z i * (q - 1) <= q ^ (- i)) as G.
    { specialize (G (- z)%Z ltac:(lia)). rewrite Z.opp_involutive, inject_Z_opp in G. lra. }
    intros i P. pattern i. apply natlike_ind; auto; [change (inject_Z 0) with 0; change (q ^ (- 0)) with 1; lra|]. clear z N i P. intros i P IH.
    set (t := q ^ (- Z.succ i)). assert (q ^ (- i) == t * q) as Eq.
    { unfold t. rewrite <- power_step. replace (- Z.succ i + 1)%Z with (- i)%Z by lia. reflexivity. }
    assert (0 < t) by apply power_positive. assert (t <= 1).
    { change 1 with (q ^ 0). apply power_monotone. lia. }
    rewrite Eq in IH. unfold Z.succ. rewrite inject_Z_plus. change (inject_Z 1) with 1.
    assert (0 <= (1 - t) * (q - 1)) by (apply Qmult_le_0_compat; lra). lra.
  Qed.
End Powers.

(* Powers of q between integers over [places]: those of q^0, q^1, ... and of q^0, q^(-1), ..., rounded up and down step
   by step. They grow up to [cap], so that exact powers, of thousands of digits, are never computed. *)
Definition places : positive := 18446744073709551616.
Definition cap : Z := Zpos places * 1208925819614629174706176.
Record powers := Powers { ups : list Z; downs : list Z; inverse_ups : list Z; inverse_downs : list Z }.
Fixpoint ladder (n : nat) (f : Z -> Z) (x : Z) : list Z := match n with O => [] | S n => x :: ladder n f (f x) end.
Fixpoint rungs (fuel : nat) (f : Z -> Z) (x : Z) : nat :=
  match fuel with O => O | S fuel => if (x <? cap)%Z then S (rungs fuel f (f x)) else 1%nat end.
Definition up (a b x : Z) : Z := (- ((- (x * a)) / b))%Z.             (* x a / b, rounded up *)
Definition down (a b x : Z) : Z := (x * a / b)%Z.
Definition powers_of (q : Q) : powers :=
  let a := Qnum q in let b := QDen q in let one := Zpos places in let n := rungs (Z.to_nat 10000) (up a b) one in
  Powers (ladder n (up a b) one) (ladder n (down a b) one) (ladder n (up b a) one) (ladder n (down b a) one).
Definition power_above (t : powers) (z : Z) : option Z :=
  if (0 <=? z)%Z then nth_error (ups t) (Z.to_nat z) else nth_error (inverse_ups t) (Z.to_nat (- z)).
Definition power_below (t : powers) (z : Z) : option Z :=
  if (0 <=? z)%Z then nth_error (downs t) (Z.to_nat z) else nth_error (inverse_downs t) (Z.to_nat (- z)).
Lemma ladder_ok (good : nat -> Z -> Prop) f : (forall k v, good k v -> good (S k) (f v)) ->
  forall n j x k v, good j x -> nth_error (ladder n f x) k = Some v -> good (j + k)%nat v.
Proof.
  intros Step. induction n as [|n IH]; intros j x k v G; destruct k as [|k]; cbn [ladder nth_error]; try discriminate.
  - intros [= <-]. now rewrite Nat.add_0_r.
  - intro I. rewrite Nat.add_succ_r. apply (IH (S j) (f x)); auto.
Qed.
Lemma up_ok a (b : positive) x : (x # places) * (a # b) <= up a (Zpos b) x # places.
Proof.
  unfold up, Qle, Qmult; cbn [Qnum Qden]. rewrite Pos2Z.inj_mul.
  pose proof (Z.mul_div_le (- (x * a)) (Zpos b) ltac:(lia)). nia.
Qed.
Lemma down_ok a (b : positive) x : down a (Zpos b) x # places <= (x # places) * (a # b).
Proof.
  unfold down, Qle, Qmult; cbn [Qnum Qden]. rewrite Pos2Z.inj_mul. pose proof (Z.mul_div_le (x * a) (Zpos b) ltac:(lia)). nia.
Qed.
Section Bounded_powers.
  Variable q : Q.
  Hypothesis above_one : 1 < q.
  Let step_from (k : nat) : q ^ Z.of_nat (S k) == q ^ Z.of_nat k * q.
  Proof. rewrite Nat2Z.inj_succ. unfold Z.succ. now apply power_step. Qed.
  Let step_back (k : nat) : q ^ (- Z.of_nat (S k)) == q ^ (- Z.of_nat k) * / q.
  Proof.
    rewrite Nat2Z.inj_succ. replace (- Z.of_nat k)%Z with (- Z.succ (Z.of_nat k) + 1)%Z by lia.
    rewrite (power_step q above_one). field. lra.
  Qed.
  Let numerator : exists a, Qnum q = Zpos a.
  Proof. destruct q as [[|a|a] b]; [| now exists a |]; unfold Qlt in above_one; cbn in above_one; lia. Qed.
  Let shape : Qnum q # Qden q = q. Proof. now destruct q. Qed.
  Lemma power_above_ok z v : power_above (powers_of q) z = Some v -> q ^ z <= v # places.
  Proof.
    unfold power_above, powers_of. cbv zeta. cbn [ups inverse_ups]. set (n := rungs _ _ _). clearbody n. destruct numerator as [a Na].
    destruct (Z.leb_spec 0 z) as [P|N]; intro I.
    - rewrite <- (Z2Nat.id z P). apply (ladder_ok (fun k v => q ^ Z.of_nat k <= v # places) (up (Qnum q) (QDen q))) with (j := 0%nat) in I; auto.
      + clear I v. intros k v G. rewrite step_from. pose proof (up_ok (Qnum q) (Qden q) v) as U. rewrite shape in U.
        eapply Qle_trans; [|exact U]. apply Qmult_le_compat_r; [exact G|lra].
      + change (1 <= Zpos places # places). vm_compute. discriminate.
    - replace z with (- Z.of_nat (Z.to_nat (- z)))%Z by lia.
      apply (ladder_ok (fun k v => q ^ (- Z.of_nat k) <= v # places) (up (QDen q) (Qnum q))) with (j := 0%nat) in I; auto.
      + clear I v. intros k v G. rewrite step_back, Na. eapply Qle_trans; [|apply up_ok].
        assert (/ q == QDen q # a) as -> by (rewrite <- shape, Na; reflexivity).
        apply Qmult_le_compat_r; auto. unfold Qle; cbn; lia.
      + change (1 <= Zpos places # places). vm_compute. discriminate.
  Qed.
  Lemma power_below_ok z v : power_below (powers_of q) z = Some v -> v # places <= q ^ z.
  Proof.
    unfold power_below, powers_of. cbv zeta. cbn [downs inverse_downs]. set (n := rungs _ _ _). clearbody n. destruct numerator as [a Na].
    destruct (Z.leb_spec 0 z) as [P|N]; intro I.
    - rewrite <- (Z2Nat.id z P). apply (ladder_ok (fun k v => v # places <= q ^ Z.of_nat k) (down (Qnum q) (QDen q))) with (j := 0%nat) in I; auto.
      + clear I v. intros k v G. rewrite step_from. pose proof (down_ok (Qnum q) (Qden q) v) as U. rewrite shape in U.
        eapply Qle_trans; [exact U|]. apply Qmult_le_compat_r; [exact G|lra].
      + change (Zpos places # places <= 1). vm_compute. discriminate.
    - replace z with (- Z.of_nat (Z.to_nat (- z)))%Z by lia.
      apply (ladder_ok (fun k v => v # places <= q ^ (- Z.of_nat k)) (down (QDen q) (Qnum q))) with (j := 0%nat) in I; auto.
      + clear I v. intros k v G. rewrite step_back, Na. eapply Qle_trans; [apply down_ok|].
        assert (/ q == QDen q # a) as -> by (rewrite <- shape, Na; reflexivity).
        apply Qmult_le_compat_r; auto. unfold Qle; cbn; lia.
      + change (Zpos places # places <= 1). vm_compute. discriminate.
  Qed.
End Bounded_powers.

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
    unfold weight_at. apply Qmult_le_0_compat; [apply Qinv_le_0_compat; lra|]. pose proof (power_positive q above_one (- n)). lra.
  Qed.
  Lemma exponentials_nonnegative x : 0 <= exponentials x.
  Proof.
    unfold exponentials. induction windows as [|w l IH]; cbn [fold_right]; [lra|].
    pose proof (power_positive q above_one (linear_at (exponent w) x)). lra.
  Qed.
  Theorem below_top w x n : In w windows -> inject_Z (linear_at (exponent w) x) <= lift_at n + weight_at n * exponentials x.
  Proof.
    intro I. set (l := linear_at (exponent w) x). assert (q ^ l <= exponentials x) as Le.
    { unfold exponentials. clear - I above_one. induction windows as [|v f IH]; [contradiction|]. cbn [fold_right].
      assert (0 <= fold_right (fun w rest => q ^ (linear_at (exponent w) x) + rest) 0 f).
      { clear - above_one. induction f as [|u f IH]; cbn [fold_right]; [lra|]. pose proof (power_positive q above_one (linear_at (exponent u) x)). lra. }
      pose proof (power_positive q above_one (linear_at (exponent v) x)).
      destruct I as [->|I]; [unfold l; lra|]. specialize (IH I). lra. }
    pose proof (tangent_line q above_one (l - n)) as T. unfold lift_at, weight_at.
    unfold Z.sub in T. rewrite inject_Z_plus, inject_Z_opp, (power_sum q above_one) in T.
    assert (0 < q ^ (- n)) by now apply power_positive. assert (q ^ l * q ^ (- n) <= exponentials x * q ^ (- n)) by (apply Qmult_le_compat_r; lra).
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
    | w :: ws => match mean_power l w, growths l ws with Some m, Some r => Some ((Qred (m * (1 # places) - 1 + rho), w) :: r) | _, _ => None end
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
          Question (at_least f middle) (fun yes => if yes : bool then pin fuel middle most f else pin fuel least (middle - 1) f)
        else Done (Some least)
    end.
  Definition nonpositive (t : item) : bool := Qle_bool (fst t) 0.
  (* Upper bounds of a q^z, and of a q^l; none where there is none. *)
  Definition times_power (a : Q) (z : Z) : option Q :=
    match (if Qle_bool a 0 then power_below powers_q z else power_above powers_q z) with Some v => Some (a * (v # places)) | None => None end.
  Definition term (t : item) : asks (option Q) :=
    let '(a, w) := t in let f := form_at w in
    Question (at_least f (high w)) (fun above =>
      if above : bool then Done (if nonpositive t then times_power a (high w) else None)
      else Question (at_most f (low w)) (fun below =>
        if below : bool then Done (if nonpositive t then Some 0 else times_power a (low w))
        else abind (pin 20 (low w + 1) (high w - 1) f) (fun z => Done (match z with Some z => times_power a z | None => None end)))).
  (* The least D with q^D >= x, as far as there are powers. *)
  Fixpoint first_from (enough : Z -> bool) (l : list Z) (k : Z) : option Z :=
    match l with [] => None | v :: l => if enough v then Some k else first_from enough l (k + 1)%Z end.
  Definition distance (x : Q) : option Z :=
    if Qle_bool x 1 then
      match first_from (fun v => negb (Qle_bool x (v # places))) (inverse_downs powers_q) 0 with Some k => Some (1 - k)%Z | None => None end
    else first_from (fun v => Qle_bool x (v # places)) (downs powers_q) 0.
  Definition positive_terms (all : list (nat * item)) : Z := Z.of_nat (length (filter (fun t => negb (nonpositive (snd t))) all)).
  (* The first of the terms that outweighs a positive one. *)
  Fixpoint outweighing (n : Z) (all : list (nat * item)) (t : item) : asks (option nat) :=
    match all with
    | [] => Done None
    | (j, by_) :: all =>
        if Qle_bool 0 (fst by_) then outweighing n all t
        else let ratio := inject_Z n * fst t / - fst by_ in
             match distance ratio with
             | None => outweighing n all t
             | Some d =>
                 if match power_below powers_q d with Some v => Qle_bool ratio (v # places) | None => false end then
                   let f := form_at (snd by_) in let g := form_at (snd t) in
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
          | Some most => abind (positives n all todo) (fun r => Done (match r with Some (sum, by_) => Some (most + sum, by_) | None => None end))
          | None => abind (outweighing n all t) (fun j =>
              match j with
              | None => Done None
              | Some j => abind (positives n all todo) (fun r => Done (match r with Some (sum, by_) => Some (sum, j :: by_) | None => None end))
              end)
          end)
    end.
  Definition marked (by_ : list nat) (j : nat) : bool := some (Nat.eqb j) by_.
  Fixpoint the_others (by_ : list nat) (todo : list (nat * item)) : asks (option Q) :=
    match todo with
    | [] => Done (Some 0)
    | (j, t) :: todo =>
        if (if nonpositive t then negb (marked by_ j) else false) then
          abind (term t) (fun most =>
            match most with
            | Some most => abind (the_others by_ todo) (fun r => Done (match r with Some sum => Some (most + sum) | None => None end))
            | None => Done None
            end)
        else the_others by_ todo
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
          | Some (sum, by_) => abind (the_others by_ all) (fun r =>
              Done (match r with Some rest => Qle_bool (sum + rest) b | None => false end))
          end)
    end.

  Hypothesis above_one : 1 < q.
  Hypothesis powers_are : powers_q = powers_of q.
  Variable x : vec.
  Definition value_at (t : item) : Q := fst t * q ^ (value x (form_at (snd t))).
  Lemma value_at_least f z : (0 <=? value x (at_least f z))%Z = (z <=? value x f)%Z.
  Proof. unfold value, at_least; cbn [fst snd]. destruct (Z.leb_spec 0 (fst f - z + dot (snd f) x)), (Z.leb_spec z (fst f + dot (snd f) x)); auto; lia. Qed.
  Lemma value_at_most f z : (0 <=? value x (at_most f z))%Z = (value x f <=? z)%Z.
  Proof.
    unfold value, at_most; cbn [fst snd]. rewrite dot_opp.
    destruct (Z.leb_spec 0 (z - fst f + - dot (snd f) x)), (Z.leb_spec (fst f + dot (snd f) x) z); auto; lia.
  Qed.
  Lemma pin_ok fuel f : forall least most z, answer x (pin fuel least most f) = Some z -> (least <= value x f <= most)%Z -> z = value x f.
  Proof.
    induction fuel as [|fuel IH]; intros least most z; cbn [pin]; [discriminate|]. destruct (Z.ltb_spec least most) as [Lt|Ge].
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
        * intro M. apply times_power_ok in M. eapply Qle_trans; [|exact M]. apply times_power_monotone; auto. specialize (Po eq_refl). lra.
      + rewrite answer_bind. cbn [answer]. destruct (answer x (pin _ _ _ _)) as [z|] eqn:A; [|discriminate].
        intro M. apply times_power_ok in M. apply pin_ok in A; [|lia]. now subst z.
  Qed.
  Lemma outweighing_ok n t j : (0 <= n)%Z -> forall all, answer x (outweighing n all t) = Some j ->
    exists u, In (j, u) all /\ fst u < 0 /\ inject_Z n * value_at t <= - value_at u.
  Proof.
    intros N. induction all as [|[i u] all IH]; cbn [outweighing]; [discriminate|].
    assert (answer x (outweighing n all t) = Some j -> exists u', In (j, u') ((i, u) :: all) /\ fst u' < 0 /\ inject_Z n * value_at t <= - value_at u') as Later.
    { intro A. destruct (IH A) as (v & I & K). exists v. split; [now right|auto]. }
    destruct (Qle_bool 0 (fst u)) eqn:Sg; [exact Later|]. cbv zeta.
    assert (fst u < 0) as Neg. { apply Qnot_le_lt. intro K. apply Qle_bool_iff in K. congruence. }
    destruct (distance _) as [d|]; [|exact Later]. rewrite powers_are.
    destruct (power_below _ d) as [v|] eqn:Pb; [|discriminate]. destruct (Qle_bool _ (v # places)) eqn:Dv; [|discriminate].
    apply Qle_bool_iff in Dv. apply power_below_ok in Pb; auto. pose proof (Qle_trans _ _ _ Dv Pb) as D. cbn [answer]. destruct (Z.leb_spec 0 (value x ((fst (form_at (snd u)) - fst (form_at (snd t)) - d)%Z,
      axpy (-1) (snd (form_at (snd t))) (snd (form_at (snd u)))))) as [Ge|]; [|exact Later].
    cbn [answer]. intros [= <-]. exists u. split; [now left|]. split; auto.
    unfold value in Ge; cbn [fst snd] in Ge. rewrite dot_axpy in Ge. unfold value_at.
    set (vt := value x (form_at (snd t))) in *. set (vu := value x (form_at (snd u))) in *.
    assert (vt + d <= vu)%Z as L by (unfold vt, vu, value; lia). clear Ge Later IH.
    assert (inject_Z n * fst t <= - fst u * q ^ d) as A.
    { apply (Qmult_le_compat_r _ _ (- fst u)) in D; [|lra]. setoid_replace (inject_Z n * fst t / - fst u * - fst u) with (inject_Z n * fst t) in D by (field; lra). lra. }
    apply (Qmult_le_compat_r _ _ (q ^ vt)) in A; [|pose proof (power_positive q above_one vt); lra].
    pose proof (times_power_monotone (- fst u) _ _ ltac:(lra) L) as B. rewrite (power_sum q above_one) in B.
    rewrite Qmult_assoc. eapply Qle_trans; [exact A|].
    setoid_replace (- fst u * q ^ d * q ^ vt) with (- fst u * (q ^ vt * q ^ d)) by ring.
    setoid_replace (- (fst u * q ^ vu)) with (- fst u * q ^ vu) by ring. exact B.
  Qed.
  Definition sum_where (p : nat * item -> bool) (l : list (nat * item)) : Q :=
    fold_right (fun t rest => (if p t then value_at (snd t) else 0) + rest) 0 l.
  Definition positive_ (t : nat * item) : bool := negb (nonpositive (snd t)).
  Lemma positives_ok n all : (0 <= n)%Z -> forall todo sum by_, answer x (positives n all todo) = Some (sum, by_) ->
    forall W, 0 <= W -> (forall j u, In (j, u) all -> marked by_ j = true -> fst u < 0 -> - value_at u <= W) ->
    inject_Z n * sum_where positive_ todo <= inject_Z n * sum + inject_Z (positive_terms todo) * W.
  Proof.
    intro N. assert (0 <= inject_Z n) as Nq by (change 0 with (inject_Z 0); now rewrite <- Zle_Qle).
    induction todo as [|[i t] todo IH]; intros sum by_; cbn [positives].
    { cbn [answer]. intros [= <- <-] W W0 _. change (sum_where positive_ []) with 0. change (inject_Z (positive_terms [])) with 0. lra. }
    assert (sum_where positive_ ((i, t) :: todo) = (if positive_ (i, t) then value_at t else 0) + sum_where positive_ todo) as Eq by reflexivity.
    rewrite Eq. clear Eq. unfold positive_terms, positive_ at 1. cbn [filter snd]. destruct (nonpositive t) eqn:Np; cbn [negb].
    { intros A W W0 Wm. pose proof (IH _ _ A W W0 Wm) as K. unfold positive_terms in K. lra. }
    rewrite answer_bind. cbn [List.length]. rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus. change (inject_Z 1) with 1.
    fold (positive_terms todo). destruct (answer x (term t)) as [most|] eqn:T.
    - rewrite answer_bind. cbn [answer]. destruct (answer x (positives n all todo)) as [[rest marks]|] eqn:R; [|discriminate].
      intros [= <- <-] W W0 Wm. pose proof (IH _ _ eq_refl W W0 Wm) as K. apply term_ok in T.
      assert (inject_Z n * value_at t <= inject_Z n * most) by (rewrite !(Qmult_comm (inject_Z n)); apply Qmult_le_compat_r; auto).
      lra.
    - rewrite answer_bind. destruct (answer x (outweighing n all t)) as [j|] eqn:O; [|discriminate].
      rewrite answer_bind. cbn [answer]. destruct (answer x (positives n all todo)) as [[rest marks]|] eqn:R; [|discriminate].
      intros [= <- <-] W W0 Wm. apply outweighing_ok in O as (u & I & Neg & Le); auto.
      assert (inject_Z n * sum_where positive_ todo <= inject_Z n * rest + inject_Z (positive_terms todo) * W) as K.
      { apply (IH _ _ eq_refl W W0). intros k v Iv M. apply (Wm k v Iv). unfold marked in *. cbn [some]. destruct (Nat.eqb k j); auto. }
      assert (- value_at u <= W).
      { apply (Wm j u I); auto. unfold marked. cbn [some]. now rewrite Nat.eqb_refl. }
      lra.
  Qed.
  Lemma the_others_ok by_ : forall todo sum, answer x (the_others by_ todo) = Some sum ->
    sum_where (fun t => if nonpositive (snd t) then negb (marked by_ (fst t)) else false) todo <= sum.
  Proof.
    induction todo as [|[j t] todo IH]; intro sum; cbn [the_others]; [cbn [answer]; intros [= <-]; apply Qle_refl|].
    unfold sum_where. cbn [fold_right snd fst]. fold (sum_where (fun t => if nonpositive (snd t) then negb (marked by_ (fst t)) else false) todo).
    destruct (if nonpositive t then negb (marked by_ j) else false); [|intro A; specialize (IH _ A); lra].
    rewrite answer_bind. destruct (answer x (term t)) as [most|] eqn:T; [|discriminate]. rewrite answer_bind. cbn [answer].
    destruct (answer x (the_others by_ todo)) as [rest|]; [|discriminate]. intros [= <-]. apply term_ok in T. specialize (IH _ eq_refl). lra.
  Qed.
  Lemma nonpositive_value t : nonpositive t = true -> value_at t <= 0.
  Proof.
    intro N. apply Qle_bool_iff in N. unfold value_at. pose proof (power_positive q above_one (value x (form_at (snd t)))) as P.
    assert (0 <= (- fst t) * q ^ value x (form_at (snd t))) by (apply Qmult_le_0_compat; lra). lra.
  Qed.
  Lemma sum_of_terms l : answer x (stays_below l) = true -> exists items, growths l windows = Some items /\
    fold_right (fun t rest => value_at t + rest) 0 items <= b.
  Proof.
    unfold stays_below. destruct (growths l windows) as [items|]; [|discriminate]. intro A. exists items. split; auto. revert A.
    cbv zeta. set (all := combine _ _). set (n := positive_terms all).
    assert (fold_right (fun t rest => value_at t + rest) 0 items = sum_where (fun _ => true) all) as ->.
    { unfold all. generalize 0%nat. induction items as [|w ws IH]; intro k; cbn [List.length seq combine fold_right]; [reflexivity|].
      unfold sum_where. cbn [fold_right snd]. now rewrite (IH (S k)). }
    destruct (Z.eqb_spec n 0) as [Z0|NZ].
    - cbn [answer]. intro B. apply Qle_bool_iff in B. eapply Qle_trans; [|exact B]. clear B. unfold n, positive_terms in Z0.
      induction all as [|t ts IH]; [apply Qle_refl|]. unfold sum_where in *. cbn [fold_right filter] in *.
      destruct (nonpositive (snd t)) eqn:Np; cbn [negb List.length] in Z0; [|lia]. apply nonpositive_value in Np. specialize (IH Z0). lra.
    - rewrite answer_bind. destruct (answer x (positives n all all)) as [[sum by_]|] eqn:A; [|discriminate].
      rewrite answer_bind. cbn [answer]. destruct (answer x (the_others by_ all)) as [rest|] eqn:O; [|discriminate].
      intro Le. apply Qle_bool_iff in Le. apply the_others_ok in O.
      set (p := fun t : nat * item => if nonpositive (snd t) then marked by_ (fst t) else false).
      assert (forall ts, sum_where (fun _ => true) ts == sum_where positive_ ts
        + sum_where (fun t => if nonpositive (snd t) then negb (marked by_ (fst t)) else false) ts + sum_where p ts) as Parts.
      { unfold sum_where, p, positive_. induction ts as [|t ts IH]; cbn [fold_right]; [ring|]. rewrite IH.
        destruct (nonpositive (snd t)), (marked by_ (fst t)); cbn [negb]; ring. }
      assert (forall ts, sum_where p ts <= 0 /\ forall j u, In (j, u) ts -> p (j, u) = true -> sum_where p ts <= value_at u) as Low.
      { induction ts as [|t ts [IH1 IH2]]; [split; [apply Qle_refl|contradiction]|]. unfold sum_where in *. cbn [fold_right].
        assert ((if p t then value_at (snd t) else 0) <= 0) as T.
        { destruct (p t) eqn:Pt; [|apply Qle_refl]. unfold p in Pt. destruct (nonpositive (snd t)) eqn:Np; [|discriminate]. now apply nonpositive_value. }
        split; [lra|]. intros j u [->|I] Pu; [rewrite Pu in *; cbn [snd] in *; lra|]. specialize (IH2 j u I Pu). lra. }
      assert (0 <= n)%Z as N by (unfold n, positive_terms; lia).
      pose proof (positives_ok n all N all sum by_ A (- sum_where p all) ltac:(destruct (Low all); lra)) as K.
      assert (inject_Z n * sum_where positive_ all <= inject_Z n * sum + inject_Z n * (- sum_where p all)) as Kn.
      { apply K. intros j u I M Neg. assert (p (j, u) = true) as Pu.
        { unfold p. cbn [fst snd]. assert (nonpositive u = true) as -> by (apply Qle_bool_iff; lra). exact M. }
        destruct (Low all) as [_ L]. specialize (L j u I Pu). lra. }
      assert (0 < inject_Z n) by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
      assert (sum_where positive_ all <= sum - sum_where p all).
      { apply (Qmult_le_r _ _ (inject_Z n)); auto. lra. }
      rewrite Parts. lra.
  Qed.
  Lemma mean_power_ok l w m : (forall e, In e l -> 0 <= fst e) -> mean_power l w = Some m ->
    E (fun y => q ^ linear_change (exponent w) s y) l <= m * (1 # places).
  Proof.
    revert m. induction l as [|e l IH]; intros m Po; cbn [mean_power fold_right]; [intros [= <-]; vm_compute; discriminate|].
    fold (mean_power l w). rewrite powers_are. destruct (power_above _ _) as [v|] eqn:V; [|discriminate].
    destruct (mean_power l w) as [r|]; [|discriminate]. intro M. assert (m == fst e * inject_Z v + r) as -> by (assert (forall a b : Q, Some a = Some b -> a = b) as Same by congruence; rewrite <- (Same _ _ M); apply Qred_correct). rewrite E_cons.
    specialize (IH r (fun e I => Po e (or_intror I)) eq_refl). apply power_above_ok in V; auto.
    apply (Qmult_le_compat_r _ _ (fst e)) in V; [|apply Po; now left].
    assert (v # places == inject_Z v * (1 # places)) as Eq by (unfold Qeq; cbn; lia). rewrite Eq in V. lra.
  Qed.
  Theorem stays_below_ok l : is_law l -> (forall e, In e l -> length (fst (snd e)) = length x) -> answer x (stays_below l) = true ->
    E (fun y => exponentials q windows (next x y)) l <= (1 - rho) * exponentials q windows (x, s) + b.
  Proof.
    intros [Po One] Ln A. apply sum_of_terms in A as (items & G & Le). unfold exponentials.
    enough (E (fun y => fold_right (fun w rest => q ^ linear_at (exponent w) (next x y) + rest) 0 windows) l
      <= (1 - rho) * fold_right (fun w rest => q ^ linear_at (exponent w) (x, s) + rest) 0 windows
         + fold_right (fun t rest => value_at t + rest) 0 items) by lra.
    clear Le. revert items G. induction windows as [|w ws IH]; intros items; cbn [growths fold_right].
    { intros [= <-]. cbn [fold_right]. rewrite (E_equal _ (fun y => 0 * 1)) by (intros; ring). rewrite E_times, One. lra. }
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
