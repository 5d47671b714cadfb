(* From the trees of a drift certificate to the mean time that a cluster needs to reach a finite set.

   The drift is computed here, from the slot and the policy; a certificate contributes only the trees, which are hints.
   Along each path of comparisons the slot has one law, and the drift of V is one affine form in the lengths; the
   leaf's multipliers show that it cannot be above -fall where the measure has reached the threshold. For Foster's
   criterion the fall is a constant; for a mean (Means.v) it grows with the state. A bound on the jumps of V is checked
   besides where one is given (Transience.v).

   Believe: [value_of], [valid], [measured_below] are part of the meaning of a theorem. *)
From Coq Require Import ZArith QArith Lqa List Bool Lia.
From Schedproof Require Import Law Affine Program Cluster Language Kernel.
Import ListNotations.
Open Scope Z_scope.

(* V(Q, f) = sum of c a(Q) b(Q) + sum over conditions that f meets of w (max of l_k(Q) - l(Q)), in integers. *)
Record product := Product { coefficient : Z; first : form; second : form }.
Inductive condition := Always | WhileBusy (m : nat) | WhileBusyWith (m q : nat) | WhilePhantom (m : nat) | WhilePhantomOf (m q : nat).
Record regret := Regret { when : condition; weight : Z; largest_of : list form; less_form : form }.
Record lyapunov := Lyapunov { products : list product; regrets : list regret }.

Definition met (c : condition) (s : list status) : bool :=
  match c with
  | Always => true
  | WhileBusy m => match nth m s Idle with Busy _ => true | _ => false end
  | WhileBusyWith m q => match nth m s Idle with Busy r => Nat.eqb r q | _ => false end
  | WhilePhantom m => match nth m s Idle with Phantom _ => true | _ => false end
  | WhilePhantomOf m q => match nth m s Idle with Phantom r => Nat.eqb r q | _ => false end
  end.
Definition largest_value (fs : list form) (x : vec) : Z :=
  match fs with [] => 0 | f :: fs => fold_left (fun m g => Z.max m (value x g)) fs (value x f) end.
Definition products_value (ps : list product) (x : vec) : Z :=
  fold_right (fun p rest => coefficient p * (value x (first p) * value x (second p)) + rest) 0 ps.
Definition regrets_value (rs : list regret) (x : vec) (s : list status) : Z :=
  fold_right (fun r rest => (if met (when r) s then weight r * (largest_value (largest_of r) x - value x (less_form r)) else 0) + rest) 0 rs.
Definition value_of (V : lyapunov) (x : state) : Z := products_value (products V) (fst x) + regrets_value (regrets V) (fst x) (snd x).

(* A state that is meant: a length for each queue, each server does one of what is listed for it, and no queue is
   shorter than the number of its tasks in execution. *)
Definition valid (C : cluster) (P : policy) (statuses : list (list status)) (x : state) : Prop :=
  length (fst x) = queues C (keeps P) /\ Forall2 (@In status) (snd x) statuses /\
  Forall2 Z.le (executing C P (snd x)) (fst x).
(* Every queue empty, every server idle. *)
Definition empty_state (C : cluster) (P : policy) : state := (repeat 0 (queues C (keeps P)), repeat Idle (servers C)).
Definition measured_below (measure : form) (T : Z) (x : state) : bool := value (fst x) measure <? T.

(* ---- vectors and changes ---- *)

Definition unit_vec (n q : nat) : vec := repeat 0 q ++ 1 :: repeat 0 (n - S q).
Lemma dot_repeat_0 k x : dot (repeat 0 k) x = 0.
Proof. revert x; induction k as [|k IH]; intros [|z x]; cbn [repeat dot]; auto. rewrite IH; lia. Qed.
Lemma dot_unit n q x : dot (unit_vec n q) x = nth q x 0.
Proof.
  unfold unit_vec. generalize (n - S q)%nat as k. intro k. revert x; induction q as [|q IH]; intros [|z x]; cbn [repeat app dot nth]; auto.
  - rewrite dot_repeat_0; lia.
  - rewrite IH. lia.
Qed.
Lemma dot_add a x d : length d = length x -> dot a (add x d) = dot a x + dot a d.
Proof.
  revert x d; induction a as [|p a IH]; intros [|z x] [|k d]; cbn [length add dot]; try discriminate; auto.
  intros [= H]. rewrite IH by auto. lia.
Qed.
Lemma length_add x d : length (add x d) = length x.
Proof. revert d; induction x as [|z x IH]; intros [|k d]; cbn [add length]; auto. Qed.
Definition shifted (d : change) (f : form) : form := (fst f + dot (snd f) d, snd f).
Lemma value_shifted x d f : length d = length x -> value x (shifted d f) = value (add x d) f.
Proof. intro L. unfold value, shifted; cbn [fst snd]. rewrite dot_add by auto. lia. Qed.
Lemma add_zeros x : add x (repeat 0 (length x)) = x.
Proof. induction x as [|z x IH]; cbn; auto. rewrite IH. f_equal. lia. Qed.

(* ---- V at the next state, as forms ---- *)

Definition growth (ps : list product) (d : change) : form :=
  fold_right (fun p rest =>
    let da := dot (snd (first p)) d in let db := dot (snd (second p)) d in
    form_plus (form_times (coefficient p) (form_plus (form_plus (form_times da (second p)) (form_times db (first p))) (form_const (da * db)))) rest)
    (form_const 0) ps.
Lemma growth_value ps x d : length d = length x -> products_value ps (add x d) = products_value ps x + value x (growth ps d).
Proof.
  intro L. unfold growth, products_value. induction ps as [|p ps IH]; cbn [fold_right]; [now rewrite value_const|].
  rewrite IH, value_plus, value_times, !value_plus, !value_times, value_const, <- !value_shifted by auto.
  unfold value, shifted; cbn [fst snd]. ring.
Qed.
Fixpoint largest (best : form) (fs : list form) : asks form :=
  match fs with
  | [] => Done best
  | f :: fs => Question (form_plus (form_plus f (form_times (-1) best)) (form_const (-1))) (fun b => largest (if b : bool then f else best) fs)
  end.
Lemma largest_ok x fs : forall best, value x (answer x (largest best fs)) = fold_left (fun m g => Z.max m (value x g)) fs (value x best).
Proof.
  induction fs as [|f fs IH]; intro best; cbn [largest answer fold_left]; auto. rewrite IH. f_equal.
  rewrite !value_plus, value_times, value_const.
  destruct (Z.leb_spec 0 (value x f + -1 * value x best + -1)); lia.
Qed.
Fixpoint regret_form (rs : list regret) (d : change) (s : list status) : asks form :=
  match rs with
  | [] => Done (form_const 0)
  | r :: rs =>
      if met (when r) s then
        abind (match map (shifted d) (largest_of r) with [] => Done (form_const 0) | f :: fs => largest f fs end) (fun l =>
        abind (regret_form rs d s) (fun rest =>
        Done (form_plus (form_times (weight r) (form_plus l (form_times (-1) (shifted d (less_form r))))) rest)))
      else regret_form rs d s
  end.
Lemma regret_form_ok rs x d s : length d = length x -> value x (answer x (regret_form rs d s)) = regrets_value rs (add x d) s.
Proof.
  intro L. induction rs as [|r rs IH]; cbn [regret_form regrets_value fold_right]; [apply value_const|].
  fold (regrets_value rs (add x d) s). destruct (met (when r) s); [|rewrite IH; lia].
  rewrite !answer_bind. cbn [answer]. rewrite value_plus, value_times, value_plus, value_times, IH, value_shifted by auto.
  match goal with |- _ * (?l + _) + _ = _ => enough (l = largest_value (largest_of r) (add x d)) as -> by ring end.
  destruct (largest_of r) as [|f fs]; cbn [map]; [apply value_const|]. rewrite largest_ok, value_shifted by auto.
  unfold largest_value. generalize (value (add x d) f). induction fs as [|g fs IHf]; intro z; cbn [map fold_left]; auto.
  rewrite value_shifted by auto. apply IHf.
Qed.

(* V is at least zero: products are squares or of factors without negative coefficients, and each regret is that of one
   of the forms under its maximum. *)
Definition equal_form (f g : form) : bool := if fst f =? fst g then equal_vec (snd f) (snd g) else false.
Definition nonnegative_form (f : form) : bool := if 0 <=? fst f then every (Z.leb 0) (snd f) else false.
Definition nonnegative (V : lyapunov) : bool :=
  if every (fun p => if 0 <=? coefficient p then
                       if equal_form (first p) (second p) then true
                       else if nonnegative_form (first p) then nonnegative_form (second p) else false
                     else false) (products V)
  then every (fun r => if 0 <=? weight r then
                         if some (equal_form (less_form r)) (largest_of r) then true
                         else if (if fst (less_form r) =? 0 then zero (snd (less_form r)) else false)
                              then some nonnegative_form (largest_of r) else false
                       else false) (regrets V)
  else false.
Lemma equal_form_eq f g : equal_form f g = true -> f = g.
Proof.
  destruct f, g; unfold equal_form; cbn [fst snd]. intro H. apply if_true in H as [A B]. apply Z.eqb_eq in A.
  apply equal_vec_eq in B. now subst.
Qed.
Lemma nonnegative_form_value f x : nonnegative_form f = true -> Forall (Z.le 0) x -> 0 <= value x f.
Proof.
  unfold nonnegative_form, value. intros H F. apply if_true in H as [A B]. apply Z.leb_le in A.
  enough (0 <= dot (snd f) x) by lia. clear A. revert x F. induction (snd f) as [|p a IH]; intros [|z x] F; cbn [dot]; try lia.
  cbn [every] in B. apply if_true in B as [P B]. apply Z.leb_le in P. inversion F; subst. specialize (IH B x H2). nia.
Qed.
Lemma largest_value_ge fs x f : In f fs -> value x f <= largest_value fs x.
Proof.
  destruct fs as [|g fs]; [contradiction|]. cbn [largest_value].
  assert (K : forall z, z <= fold_left (fun m g => Z.max m (value x g)) fs z /\
    (forall h, In h fs -> value x h <= fold_left (fun m g => Z.max m (value x g)) fs z)).
  { induction fs as [|h fs IH]; intro z; cbn [fold_left]; [split; [lia|contradiction]|].
    destruct (IH (Z.max z (value x h))) as [A B]. split; [lia|]. intros k [<-|I]; [lia|auto]. }
  destruct (K (value x g)) as [A B]. intros [<-|I]; auto.
Qed.
Lemma regrets_nonnegative rs x s :
  (forall r, In r rs -> 0 <= weight r /\ value x (less_form r) <= largest_value (largest_of r) x) -> 0 <= regrets_value rs x s.
Proof.
  induction rs as [|r rs IH]; intro H; cbn [regrets_value fold_right]; [lia|]. fold (regrets_value rs x s).
  assert (0 <= regrets_value rs x s) by (apply IH; intros; apply H; now right).
  destruct (H r (or_introl eq_refl)) as [W L]. destruct (met (when r) s); [|assumption].
  apply Z.add_nonneg_nonneg; [|assumption]. apply Z.mul_nonneg_nonneg; [assumption|]. now apply Z.le_0_sub.
Qed.
Theorem nonnegative_sound V (x : state) : nonnegative V = true -> Forall (Z.le 0) (fst x) -> 0 <= value_of V x.
Proof.
  unfold nonnegative, value_of. intros H F. apply if_true in H as [Hp Hr].
  assert (0 <= products_value (products V) (fst x)).
  { pose proof (every_In _ _ Hp) as K. clear Hp Hr. unfold products_value. induction (products V) as [|p ps IH]; cbn [fold_right]; [lia|].
    assert (0 <= fold_right (fun p rest => coefficient p * (value (fst x) (first p) * value (fst x) (second p)) + rest) 0 ps)
      by (apply IH; intros; apply K; now right).
    pose proof (K p (or_introl eq_refl)) as Kp. cbv beta in Kp. apply if_true in Kp as [Co Kp]. apply Z.leb_le in Co.
    destruct (equal_form (first p) (second p)) eqn:Eq.
    - apply equal_form_eq in Eq. rewrite Eq. apply Z.add_nonneg_nonneg; auto. apply Z.mul_nonneg_nonneg; auto. apply Z.square_nonneg.
    - apply if_true in Kp as [N1 N2]. apply (nonnegative_form_value _ _ N1) in F as F1. apply (nonnegative_form_value _ _ N2) in F as F2.
      apply Z.add_nonneg_nonneg; auto. apply Z.mul_nonneg_nonneg; auto. now apply Z.mul_nonneg_nonneg. }
  apply Z.add_nonneg_nonneg; [assumption|].
  apply regrets_nonnegative. intros r I. pose proof (every_In _ _ Hr r I) as Kr. cbv beta in Kr.
  apply if_true in Kr as [W Kr]. apply Z.leb_le in W. split; [assumption|].
  destruct (some (equal_form (less_form r)) (largest_of r)) eqn:S.
  - apply some_In in S as (f & If & Eq). apply equal_form_eq in Eq. rewrite Eq. now apply largest_value_ge.
  - apply if_true in Kr as [Z0 N]. apply if_true in Z0 as [Z0 Zv]. apply Z.eqb_eq in Z0. apply some_In in N as (f & If & Nf).
    apply (nonnegative_form_value _ (fst x)) in Nf; auto. pose proof (largest_value_ge _ (fst x) f If).
    enough (value (fst x) (less_form r) = 0) as -> by lia.
    unfold value. now rewrite Z0, dot_zero.
Qed.

(* ---- what is checked at a leaf ---- *)

Notation outcome := (Q * (change * list status))%type.
Section Drift.
  Variables (C : cluster) (P : policy) (V : lyapunov) (statuses : list (list status)).
  (* factor * drift <= -fall where the measure is at least T, fall and measure forms in the lengths that the statuses
     choose; and V changes by at most [jump] in a slot, if that is a number. *)
  Variables (factor : Z) (fall : list status -> form) (T : Z) (measure : list status -> form) (jump : option Z).
  Notation n := (queues C (keeps P)).

  (* The comparisons of V at the state, those of the slot, and those of V at each next state, as the C++ makes them. *)
  Fixpoint nexts (l : law (change * list status)) : asks (list (outcome * form)) :=
    match l with
    | [] => Done []
    | e :: l => abind (regret_form (regrets V) (fst (snd e)) (snd (snd e))) (fun f => abind (nexts l) (fun rest => Done ((e, f) :: rest)))
    end.
  Definition symbols : list form := map (fun q => (0, unit_vec n q)) (seq 0 n).
  Definition questions (s : list status) : asks (form * list (outcome * form)) :=
    abind (regret_form (regrets V) (repeat 0 n) s) (fun now =>
    abind (collect (slot forms C P symbols s)) (fun l => abind (nexts l) (fun l => Done (now, l)))).

  Definition same_status (a b : status) : bool :=
    match a, b with Idle, Idle => true | Busy p, Busy q | Phantom p, Phantom q => Nat.eqb p q | _, _ => false end.
  Fixpoint listed (s : list status) (lists : list (list status)) : bool :=
    match s, lists with
    | [], [] => true
    | f :: s, own :: lists => if some (same_status f) own then listed s lists else false
    | _, _ => false
    end.
  (* The next state is valid. A length that does not fall below its queue's tasks in execution needs no constraint. *)
  Fixpoint covered (lower : vec) (path : list constraint) (q : nat) (least d inside : vec) : bool :=
    match least, d, inside with
    | [], [], [] => true
    | l :: least, k :: d, i :: inside =>
        if (if i - k <=? l then true else implied lower path (unit_vec n q, i - k)) then covered lower path (S q) least d inside else false
    | _, _, _ => false
    end.
  Definition stays (lower : vec) (path : list constraint) (e : outcome) : bool :=
    if listed (snd (snd e)) statuses then covered lower path 0 lower (fst (snd e)) (executing C P (snd (snd e))) else false.
  (* Probabilities as integers over a common denominator, which is an argument so as to be computed once. What carries a
     probability is of any type. *)
  Definition weight_of (L : positive) (p : Q) : Z := if Zpos (Qden p) =? Zpos L then Qnum p else Qnum p * (Zpos L / Zpos (Qden p)).
  Section Weights.
    Context {A : Type} (probability : A -> Q).
    Definition common (l : list A) : positive :=
      fold_right (fun e k => let d := Zpos (Qden (probability e)) in if d =? Zpos k then k else Z.to_pos (Z.lcm d (Zpos k))) 1%positive l.
    (* None if the weights are none, or one is below zero. *)
    Fixpoint weighed (L : positive) (l : list A) : option (list (Z * A)) :=
      match l with
      | [] => Some []
      | e :: l =>
          let p := probability e in let w := weight_of L p in
          if (if 0 <=? w then if Zpos (Qden p) =? Zpos L then true else Qeq_bool (w # L) p else false) then
            match weighed L l with Some rest => Some ((w, e) :: rest) | None => None end
          else None
      end.
  End Weights.
  Definition total_weight {A} (l : list (Z * A)) : Z := fold_right (fun e rest => fst e + rest) 0 l.
  Definition change_of (e : Z * (outcome * form)) : change := fst (snd (fst (snd e))).
  (* Of the changes a . d and b . d of two forms: both weighted sums, and that of the products. *)
  Fixpoint moments (a b : vec) (l : list (Z * (outcome * form))) : Z * Z * Z :=
    match l with
    | [] => (0, 0, 0)
    | e :: l =>
        let '(sa, sb, sab) := moments a b l in
        let da := dot a (change_of e) in let db := dot b (change_of e) in
        (fst e * da + sa, fst e * db + sb, fst e * (da * db) + sab)
    end.
  (* The weighted sum of what V grows by: that of its products is computed from the moments of the changes. *)
  Definition mean_growth (l : list (Z * (outcome * form))) : form :=
    fold_right (fun p rest =>
        let '(sa, sb, sab) := moments (snd (first p)) (snd (second p)) l in
        form_plus (form_times (coefficient p) (form_plus (form_plus (form_times sa (second p)) (form_times sb (first p))) (form_const sab))) rest)
      (fold_right (fun e rest => form_plus (form_times (fst e) (snd (snd e))) rest) (form_const 0) l) (products V).
  (* L (factor * drift + fall), which must not be above zero *)
  Definition excess (L : positive) (s : list status) (now : form) (l : list (Z * (outcome * form))) : form :=
    form_plus (form_times factor (form_plus (mean_growth l) (form_times (- Zpos L) now))) (form_times (Zpos L) (fall s)).
  (* f > 0 for an integer form, in lowest terms *)
  Definition above (g : Z) (f : form) : constraint := (map (fun c => c / g) (snd f), 1 - fst f / g).
  Definition is_above (g : Z) (f : form) (c : constraint) : bool :=
    if 0 <? g then if g * (1 - snd c) =? fst f then zero (axpy (- g) (fst c) (snd f)) else false else false.
  Definition never_above (f : form) (path : list constraint) (w : list Z) : bool :=
    let g := Z.gcd (fst f) (content (snd f)) in let c := above g f in
    if is_above g f c then refutes w (c :: path) else if fst f =? 0 then zero (snd f) else false.
  Definition reached (s : list status) : constraint := (snd (measure s), T - fst (measure s)).
  (* The change of V is a constant, and not above the bound. *)
  Definition jumps_little (now : form) (e : outcome * form) : bool :=
    match jump with
    | None => true
    | Some J =>
        let f := form_plus (form_plus (growth (products V) (fst (snd (fst e)))) (snd e)) (form_times (-1) now) in
        if Z.abs (fst f) <=? J then zero (snd f) else false
    end.
  Definition leaf (s : list status) (path : list constraint) (a : form * list (outcome * form)) (w : list Z) : bool :=
    let lower := executing C P s in let l := snd a in let probability e := fst (fst e) in let L := common probability l in
    if every (fun e => if jumps_little (fst a) e then stays lower path (fst e) else false) l then
      match weighed probability L l with
      | Some ws => if total_weight ws =? Zpos L then never_above (excess L s (fst a) ws) (reached s :: path) w else false
      | None => false
      end
    else false.
  Definition base (s : list status) : list constraint := rev (map (fun q => (unit_vec n q, nth q (executing C P s) 0)) (seq 0 n)).
  (* All combinations of the statuses, in the order of a certificate's questions. *)
  Fixpoint shapes (lists : list (list status)) : list (list status) :=
    match lists with [] => [[]] | own :: lists => flat_map (fun f => map (cons f) (shapes lists)) own end.
  Definition check (trees : list tree) : bool :=
    if Nat.eqb (length trees) (length (shapes statuses)) then
      every (fun e => walk n (executing C P (fst e)) (leaf (fst e)) (questions (fst e)) (base (fst e)) (snd e)) (combine (shapes statuses) trees)
    else false.

  (* ---- soundness ---- *)

  Lemma same_status_eq a b : same_status a b = true -> a = b.
  Proof. destruct a, b; cbn; try discriminate; auto; now intros ->%Nat.eqb_eq. Qed.
  Lemma listed_In s lists : listed s lists = true -> Forall2 (@In status) s lists.
  Proof.
    revert lists; induction s as [|f s IH]; intros [|own lists]; cbn; try discriminate; [constructor|].
    intro H. apply if_true in H as [S H]. apply some_In in S as (g & I & Eq). apply same_status_eq in Eq. subst g. constructor; auto.
  Qed.
  Lemma shapes_In s lists : Forall2 (@In status) s lists -> In s (shapes lists).
  Proof. intro F; induction F as [|f own s lists I F IH]; cbn; auto. apply in_flat_map. exists f. split; auto. now apply in_map. Qed.
  Lemma nexts_ok x l : (forall e, In e l -> length (fst (snd e)) = length x) ->
    map fst (answer x (nexts l)) = l /\
    forall e f, In (e, f) (answer x (nexts l)) -> value x f = regrets_value (regrets V) (add x (fst (snd e))) (snd (snd e)).
  Proof.
    induction l as [|e l IH]; intro Ln; cbn [nexts answer]; [split; [reflexivity|contradiction]|].
    rewrite !answer_bind. cbn [answer]. destruct IH as [M F]; [intros; apply Ln; now right|]. cbn [map fst]. split; [now rewrite M|].
    intros d f [H|I]; [|now apply F]. injection H as <- <-. apply regret_form_ok. apply Ln. now left.
  Qed.
  Lemma nexts_map x l : map fst (answer x (nexts l)) = l.
  Proof. induction l as [|e l IH]; cbn [nexts answer map]; auto. rewrite !answer_bind. cbn [answer map fst]. now rewrite IH. Qed.

  Definition integral (L : positive) (l : list outcome) := forall e, In e l -> (weight_of L (fst e) # L == fst e)%Q.
  Fixpoint weighted (L : positive) (h : change * list status -> Z) (l : list outcome) : Z :=
    match l with [] => 0 | e :: l => weight_of L (fst e) * h (snd e) + weighted L h l end.
  Lemma E_weighted L h l : integral L l -> (E (fun y => inject_Z (h y)) l == inject_Z (weighted L h l) * (1 # L))%Q.
  Proof.
    induction l as [|e l IH]; intro H; [reflexivity|]. rewrite E_cons, IH by (intros ? I; apply H; now right). cbn [weighted].
    rewrite inject_Z_plus, inject_Z_mult.
    pose proof (H e (or_introl eq_refl)) as W. set (w := weight_of L (fst e)) in *. clearbody w. rewrite <- W.
    assert (w # L == inject_Z w * (1 # L))%Q as -> by (unfold Qeq; cbn; lia). ring.
  Qed.
  Lemma weighed_sound {A} (probability : A -> Q) L l : forall ws, weighed probability L l = Some ws ->
    ws = map (fun e => (weight_of L (probability e), e)) l /\
    forall e, In e l -> (0 <= probability e)%Q /\ (weight_of L (probability e) # L == probability e)%Q.
  Proof.
    induction l as [|e l IH]; intros ws; cbn [weighed map]; cbv zeta; [intros [= <-]; split; [reflexivity|contradiction]|].
    destruct (if 0 <=? weight_of L (probability e) then _ else false) eqn:Is; [|discriminate].
    destruct (weighed probability L l) as [rest|]; [|discriminate]. intros [= <-]. destruct (IH rest eq_refl) as [-> K].
    split; [reflexivity|]. intros d [<-|I]; [|now apply K]. apply if_true in Is as [Po Eq]. apply Z.leb_le in Po.
    assert (weight_of L (probability e) # L == probability e)%Q as W.
    { unfold weight_of in *. destruct (Z.eqb_spec (Zpos (Qden (probability e))) (Zpos L)) as [[= <-]|]; [now destruct (probability e)|]. now apply Qeq_bool_iff. }
    split; [|exact W]. rewrite <- W. unfold Qle; cbn [Qnum Qden]. lia.
  Qed.
  Notation weights_of L l := (map (fun e => (weight_of L (fst (fst e)), e)) l).
  Lemma total_weight_weighted L (l : list (outcome * form)) : total_weight (weights_of L l) = weighted L (fun _ => 1) (map fst l).
  Proof. induction l as [|e l IH]; cbn [total_weight fold_right weighted map fst]; auto. unfold total_weight in IH. rewrite IH. lia. Qed.
  (* Outcome by outcome, the weighted sum of what V grows by. *)
  Fixpoint growths (x : vec) (ps : list product) (l : list (Z * (outcome * form))) : Z :=
    match l with [] => 0 | e :: l => fst e * (value x (growth ps (change_of e)) + value x (snd (snd e))) + growths x ps l end.
  Lemma moments_ok x p l : let '(sa, sb, sab) := moments (snd (first p)) (snd (second p)) l in forall ps,
    growths x (p :: ps) l = coefficient p * (sa * value x (second p) + sb * value x (first p) + sab) + growths x ps l.
  Proof.
    induction l as [|e l IH]; cbn [moments growths]; [intro; lia|]. destruct (moments _ _ l) as [[sa sb] sab]. intro ps. rewrite IH.
    unfold growth at 1. cbn [fold_right]. fold (growth ps (change_of e)).
    rewrite value_plus, value_times, !value_plus, !value_times, value_const. ring.
  Qed.
  Lemma mean_growth_value x l : value x (mean_growth l) = growths x (products V) l.
  Proof.
    unfold mean_growth. induction (products V) as [|p ps IH]; cbn [fold_right].
    - induction l as [|e l IH]; cbn [fold_right growths]; [apply value_const|]. rewrite value_plus, value_times, IH.
      cbn [growth fold_right]. rewrite value_const. ring.
    - pose proof (moments_ok x p l) as M. destruct (moments _ _ l) as [[sa sb] sab].
      rewrite M, <- IH, value_plus, value_times, !value_plus, !value_times, value_const. ring.
  Qed.
  (* The mean of V at the next state, from the forms of a leaf. *)
  Lemma weighted_value L x s now (l : list (outcome * form)) : let after y := value_of V (add x (fst y), snd y) in
    (forall e, In e (map fst l) -> length (fst (snd e)) = length x) ->
    (forall e f, In (e, f) l -> value x f = regrets_value (regrets V) (add x (fst (snd e))) (snd (snd e))) ->
    value x now = regrets_value (regrets V) x s ->
    weighted L after (map fst l) = total_weight (weights_of L l) * products_value (products V) x + value x (mean_growth (weights_of L l)).
  Proof.
    intros after Ln F N. rewrite mean_growth_value. induction l as [|[e f] l IH]; cbn [map fst weighted total_weight fold_right growths]; [lia|].
    unfold total_weight in IH. rewrite IH by (intros; first [apply Ln; now right|apply F; now right]).
    unfold change_of. cbn [fst snd]. unfold after at 1, value_of. cbn [fst snd].
    rewrite growth_value, (F e f) by (first [apply Ln; now left|now left]). ring.
  Qed.
  Lemma never_above_sound f path w x : never_above f path w = true -> Forall (holds x) path -> value x f <= 0.
  Proof.
    unfold never_above. set (g := Z.gcd (fst f) (content (snd f))). cbv zeta. set (c := above g f). clearbody c.
    intros H F. destruct (is_above g f c) eqn:I.
    - assert (~ holds x c) as N by (intro A; apply (refutes_sound _ _ x H); constructor; auto).
      unfold is_above in I. unfold holds in N. split_ifs. apply Z.ltb_lt in H0. apply Z.eqb_eq in H1.
      apply (dot_zero _ x) in I. rewrite dot_axpy in I. unfold value. nia.
    - apply if_true in H as [Z0 Zv]. apply Z.eqb_eq in Z0. unfold value. rewrite Z0, dot_zero by auto. lia.
  Qed.
  Lemma covered_sound x lower path : Forall2 Z.le lower x -> Forall (holds x) path -> forall least y q d inside,
    (forall i, nth i y 0 = nth (q + i) x 0) -> Forall2 Z.le least y -> covered lower path q least d inside = true ->
    length d = length y /\ Forall2 Z.le inside (add y d).
  Proof.
    intros Lo F least y q d inside Y Le. revert q d inside Y.
    induction Le as [|l z least y Hz Le IH]; intros q [|k d] [|i inside] Y; cbn [covered]; try discriminate;
      [intros _; split; [reflexivity|constructor]|]. intro H. apply if_true in H as [Hi H].
    destruct (IH (S q) d inside) as [Ln G]; [intro j; rewrite Nat.add_succ_comm; exact (Y (S j))|exact H|].
    cbn [length add]. split; [now rewrite Ln|]. constructor; [|exact G]. destruct (Z.leb_spec (i - k) l); [lia|].
    apply (implied_sound _ _ _ x) in Hi; auto. unfold holds in Hi; cbn [fst snd] in Hi. rewrite dot_unit in Hi.
    specialize (Y 0%nat). cbn [nth] in Y. rewrite Nat.add_0_r in Y. lia.
  Qed.
  Lemma stays_valid x s path e : length x = n -> Forall2 Z.le (executing C P s) x -> Forall (holds x) path ->
    stays (executing C P s) path e = true ->
    length (fst (snd e)) = length x /\ valid C P statuses (add x (fst (snd e)), snd (snd e)).
  Proof.
    intros Ln Lo F H. unfold stays in H. apply if_true in H as [Li H]. apply listed_In in Li.
    destruct (covered_sound x _ path Lo F _ x 0%nat _ _ (fun i => eq_refl) Lo H) as [Ld In_].
    split; [assumption|]. split; [|split]; cbn [fst snd]; [now rewrite length_add|assumption|assumption].
  Qed.

  Definition forms_hold (x : vec) (s : list status) (a : form * list (outcome * form)) : Prop :=
    let l := snd a in
    is_law (map fst l) /\
    (forall e, In e (map fst l) -> length (fst (snd e)) = length x /\ valid C P statuses (add x (fst (snd e)), snd (snd e))) /\
    (forall e, In e l -> jumps_little (fst a) e = true) /\
    exists L, integral L (map fst l) /\ total_weight (weights_of L l) = Zpos L /\
      (T <= value x (measure s) -> value x (excess L s (fst a) (weights_of L l)) <= 0).
  Lemma leaf_sound x s path a w : length x = n -> Forall2 Z.le (executing C P s) x -> Forall (holds x) path ->
    leaf s path a w = true -> forms_hold x s a.
  Proof.
    intros Ln Lo F H. unfold leaf in H. cbv zeta in H. set (L := common _ (snd a)) in *. clearbody L. apply if_true in H as [K H].
    pose proof (every_In _ _ K) as Each. clear K. destruct (weighed _ L (snd a)) as [ws|] eqn:W; [|discriminate].
    apply weighed_sound in W as [-> W]. apply if_true in H as [H1 H]. apply Z.eqb_eq in H1.
    assert (K1 : forall e, In e (map fst (snd a)) ->
      (0 <= fst e)%Q /\ (weight_of L (fst e) # L == fst e)%Q /\ stays (executing C P s) path e = true).
    { intros e I. apply in_map_iff in I as (d & <- & I). destruct (W d I). specialize (Each d I). cbv beta in Each. split_ifs. auto. }
    assert (K2 : forall e, In e (snd a) -> jumps_little (fst a) e = true).
    { intros e I. specialize (Each e I). cbv beta in Each. now split_ifs. }
    assert (I1 : integral L (map fst (snd a))) by (intros e I; now apply K1).
    split; [|split; [|split; [exact K2|exists L; split; [|split]; auto]]].
    - split; [intros e I; now apply K1|]. rewrite (E_weighted L (fun _ => 1) _ I1), <- total_weight_weighted, H1. unfold Qeq; cbn; lia.
    - intros e I. apply stays_valid with s path; auto. now apply K1.
    - intro M. apply (never_above_sound _ _ _ x H). constructor; auto. unfold holds, reached, value in *; cbn [fst snd]. lia.
  Qed.

  (* What a step of this law does at a valid state: the slot, or an event. *)
  Definition step_holds (l : law (change * list status)) (x : state) : Prop :=
    is_law l /\ (forall e, In e l -> length (fst (snd e)) = length (fst x) /\ valid C P statuses (add (fst x) (fst (snd e)), snd (snd e))) /\
    (T <= value (fst x) (measure (snd x)) ->
     (E (fun y => inject_Z (factor * (value_of V (add (fst x) (fst y), snd y) - value_of V x))) l <= - inject_Z (value (fst x) (fall (snd x))))%Q) /\
    (forall J e, jump = Some J -> In e l -> Z.abs (value_of V (add (fst x) (fst (snd e)), snd (snd e)) - value_of V x) <= J).
  Definition slot_holds (x : state) : Prop := step_holds (run (slot integers C P (fst x) (snd x))) x.
  Lemma symbols_agree x : length x = n -> lengths_agree x symbols x.
  Proof.
    intro Ln. unfold lengths_agree, symbols. rewrite <- Ln.
    assert (forall k y, (forall q, (q < length y)%nat -> nth (k + q) x 0 = nth q y 0) ->
      Forall2 (fun f z => value x f = z) (map (fun q => (0, unit_vec (length x) q)) (seq k (length y))) y) as K.
    { intros k y; revert k; induction y as [|z y IH]; intros k Hy; cbn [length seq map]; constructor.
      - unfold value; cbn [fst snd]. rewrite dot_unit. specialize (Hy 0%nat). rewrite Nat.add_0_r in Hy. apply Hy. cbn; lia.
      - apply IH. intros q Lt. specialize (Hy (S q)). rewrite Nat.add_succ_r in Hy. apply Hy. cbn; lia. }
    apply K. auto.
  Qed.
  Lemma base_holds x s : Forall2 Z.le (executing C P s) x -> Forall (holds x) (base s).
  Proof.
    intro Lo. unfold base. apply Forall_rev, Forall_map, Forall_forall. intros q _. unfold holds; cbn [fst snd]. rewrite dot_unit.
    revert q. induction Lo as [|a b l l' A Lo IH]; intros [|q]; cbn; auto; lia.
  Qed.
  Lemma answer_questions x s : length x = n ->
    fst (answer x (questions s)) = answer x (regret_form (regrets V) (repeat 0 n) s) /\
    snd (answer x (questions s)) = answer x (nexts (run (slot integers C P x s))).
  Proof.
    intro Ln. unfold questions. rewrite !answer_bind. cbn [answer fst snd]. split; auto.
    now rewrite (collect_sound x _ _ (slot_sim x C P symbols x (symbols_agree x Ln) s)).
  Qed.
  Lemma forms_sound x s l : length x = n ->
    forms_hold x s (answer x (regret_form (regrets V) (repeat 0 n) s), answer x (nexts l)) -> step_holds l (x, s).
  Proof.
    intros Ln F.
    destruct F as (Lw & Va & Ju & L & It & Tw & Ex). cbn [fst snd] in *. rewrite (nexts_map x l) in Lw, Va, It.
    destruct (nexts_ok x l) as [_ Nx]; [intros e Ie; now apply Va|].
    set (now := answer x (regret_form (regrets V) (repeat 0 n) s)) in *.
    assert (value x now = regrets_value (regrets V) x s) as N.
    { unfold now. rewrite regret_form_ok by (rewrite repeat_length; auto). now rewrite <- Ln, add_zeros. }
    split; [exact Lw|]. split; [intros e Ie; now apply Va|]. cbn [fst snd]. split; cycle 1.
    { intros J e EJ Ie. rewrite <- (nexts_map x l) in Ie. apply in_map_iff in Ie as ([e' f] & <- & Ie). cbn [fst].
      pose proof (Nx e' f Ie) as Vf. pose proof (Ju (e', f) Ie) as Je. unfold jumps_little in Je. rewrite EJ in Je. cbv zeta in Je.
      apply if_true in Je as [Ab Ze]. apply Z.leb_le in Ab. cbn [fst snd] in Ab, Ze.
      set (g := form_plus (form_plus (growth (products V) (fst (snd e'))) f) (form_times (-1) now)) in *.
      assert (value x g = fst g) as Vg by (unfold value; rewrite dot_zero by exact Ze; lia).
      assert (In e' l) as Il by (rewrite <- (nexts_map x l); apply in_map_iff; now exists (e', f)).
      unfold g in Vg at 1. rewrite !value_plus, value_times, N, Vf in Vg.
      unfold value_of; cbn [fst snd]. rewrite growth_value by (now apply Va).
      match goal with |- Z.abs ?z <= _ => replace z with (fst g) by (rewrite <- Vg; ring) end. exact Ab. }
    intro M. specialize (Ex M).
    unfold excess in Ex. rewrite value_plus, value_times, value_plus, value_times, value_times, N in Ex.
    pose proof (weighted_value L x s now (answer x (nexts l))) as Wv. cbv zeta in Wv. rewrite (nexts_map x l) in Wv.
    specialize (Wv (fun e Ie => proj1 (Va e Ie)) Nx N). rewrite Tw in Wv.
    assert (weighted L (fun y => factor * (value_of V (add x (fst y), snd y) - value_of V (x, s))) l
            = factor * (weighted L (fun y => value_of V (add x (fst y), snd y)) l - weighted L (fun _ => 1) l * value_of V (x, s))) as Eq.
    { clear. induction l as [|e l IH]; cbn [weighted]; [lia|]. rewrite IH. ring. }
    assert (weighted L (fun _ => 1) l = Zpos L) as One by (rewrite <- (nexts_map x l), <- total_weight_weighted; auto).
    rewrite (E_weighted L (fun y => factor * (value_of V (add x (fst y), snd y) - value_of V (x, s))) l It), Eq, One, Wv.
    set (fa := value x (fall s)) in *. unfold value_of at 1; cbn [fst snd]. set (p := products_value (products V) x) in *. set (r := regrets_value (regrets V) x s) in *.
    set (g := value x (mean_growth (weights_of L (answer x (nexts l))))) in *.
    replace (factor * (Zpos L * p + g - Zpos L * (p + r))) with (factor * (g + - Zpos L * r)) by ring.
    set (k := factor * (g + - Zpos L * r)) in *. clearbody k. unfold Qle; cbn [Qnum Qden Qmult Qopp inject_Z].
    rewrite ?Pos.mul_1_l, ?Z.mul_1_r. lia.
  Qed.
  Theorem check_sound trees x : check trees = true -> valid C P statuses x -> slot_holds x.
  Proof.
    intros H (Ln & In_ & Lo). destruct x as [x s]. cbn [fst snd] in *. unfold check in H. apply if_true in H as [Le H]. apply Nat.eqb_eq in Le.
    assert (exists t, In (s, t) (combine (shapes statuses) trees)) as [t I].
    { apply shapes_In in In_. clear H Lo. revert trees Le In_. induction (shapes statuses) as [|r sh IH]; [contradiction|].
      intros [|t trees]; [discriminate|]. intros [= Le] [->|I]; [exists t; now left|]. destruct (IH trees Le I) as [t' I']. exists t'. now right. }
    pose proof (every_In _ _ H _ I) as W. cbv beta in W. cbn [fst snd] in W.
    assert (forms_hold x s (answer x (questions s))) as F.
    { refine (walk_sound n (executing C P s) (leaf s) x (forms_hold x s) _ Lo (questions s) (base s) t (base_holds x s Lo) W).
      intros path a w Fp Lf. now apply (leaf_sound x s path a w). }
    destruct (answer_questions x s Ln) as [A1 A2]. rewrite (surjective_pairing (answer x (questions s))), A1, A2 in F.
    now apply forms_sound.
  Qed.
  Lemma chain_E (f : state -> Q) x : (E f (chain C P x) == E (fun y => f (add (fst x) (fst y), snd y)) (run (slot integers C P (fst x) (snd x))))%Q.
  Proof. unfold chain. induction (run _) as [|e l IH]; [reflexivity|]. cbn [map]. rewrite !E_cons, IH. reflexivity. Qed.
  Corollary chain_lawful trees : check trees = true -> forall x, valid C P statuses x -> is_law (chain C P x).
  Proof.
    intros H x Vx. destruct (check_sound _ x H Vx) as ([Po One] & _). split.
    - intros e I. unfold chain in I. apply in_map_iff in I as (d & <- & I). exact (Po d I).
    - now rewrite chain_E.
  Qed.
  Corollary chain_closed trees : check trees = true -> forall x e, valid C P statuses x -> In e (chain C P x) -> valid C P statuses (snd e).
  Proof.
    intros H x e Vx I. destruct (check_sound _ x H Vx) as (_ & K & _). unfold chain in I. apply in_map_iff in I as (d & <- & I). exact (proj2 (K d I)).
  Qed.
  Corollary chain_drift trees : check trees = true -> forall x, valid C P statuses x -> T <= value (fst x) (measure (snd x)) ->
    (E (fun y => inject_Z (factor * (value_of V y - value_of V x))) (chain C P x) <= - inject_Z (value (fst x) (fall (snd x))))%Q.
  Proof. intros H x Vx M. rewrite chain_E. now apply (check_sound _ x H Vx). Qed.
  Corollary chain_jumps trees J : check trees = true -> jump = Some J -> forall x e, valid C P statuses x -> In e (chain C P x) ->
    Z.abs (value_of V (snd e) - value_of V x) <= J.
  Proof.
    intros H EJ x e Vx I. destruct (check_sound _ x H Vx) as (_ & _ & _ & K). unfold chain in I.
    apply in_map_iff in I as (d & <- & I). exact (K J d EJ I).
  Qed.
End Drift.

Lemma bump_nonnegative q d : Forall (Z.le 0) d -> Forall (Z.le 0) (bump 1 q d).
Proof. intro F. revert q. induction F as [|z d Hz F IH]; intros [|q]; cbn [bump]; constructor; auto. lia. Qed.
Lemma executing_nonnegative C P s : Forall (Z.le 0) (executing C P s).
Proof.
  unfold executing. induction s as [|[|q|q] s IH]; cbn [fold_right]; auto using bump_nonnegative.
  induction (queues C (keeps P)); cbn; constructor; auto. lia.
Qed.
Lemma executing_idle C P m : executing C P (repeat Idle m) = repeat 0 (queues C (keeps P)).
Proof. unfold executing. induction m as [|m IH]; cbn [repeat fold_right]; auto. Qed.
Lemma valid_nonnegative C P statuses x : valid C P statuses x -> Forall (Z.le 0) (fst x).
Proof.
  intros (_ & _ & Lo). pose proof (executing_nonnegative C P (snd x)) as N. revert N.
  induction Lo as [|a b l l' A Lo IH]; intro N; constructor; inversion N; subst; auto. lia.
Qed.

Lemma idle_valid C P statuses : listed (repeat Idle (servers C)) statuses = true -> valid C P statuses (empty_state C P).
Proof.
  intro H. split; [apply repeat_length|]. cbn [fst snd empty_state]. split; [now apply listed_In|].
  rewrite executing_idle. generalize (queues C (keeps P)). clear. intro q. induction q; cbn; constructor; auto. lia.
Qed.
Definition positive_form (n : nat) (f : form) : bool :=
  if Nat.eqb (length (snd f)) n then if 0 <=? fst f then every (Z.ltb 0) (snd f) else false else false.
Lemma positive_finite C P statuses T measure : positive_form (queues C (keeps P)) measure = true ->
  forall x, valid C P statuses x -> measured_below measure T x = true -> Forall (fun q => 0 <= q < T) (fst x).
Proof.
  intros Pos x Vx B. unfold positive_form in Pos.
  apply if_true in Pos as [Le Pos]. apply if_true in Pos as [Nc Pos]. apply Nat.eqb_eq in Le. apply Z.leb_le in Nc.
  pose proof (valid_nonnegative _ _ _ _ Vx) as N. destruct Vx as (Ln & _). rewrite <- Ln in Le. clear Ln.
  unfold measured_below, value in B. apply Z.ltb_lt in B. revert Pos Le N B. generalize (fst x) as y. revert Nc. generalize (fst measure) as c.
  induction (snd measure) as [|p a IH]; intros c Hc [|z y]; cbn [length every dot]; try discriminate; [constructor|].
  intros Hp [= Le] N B. apply if_true in Hp as [Pp Hp]. apply Z.ltb_lt in Pp. inversion N as [|? ? Nz Ny]; subst.
  assert (0 <= dot a y).
  { clear - Hp Ny. revert y Ny. induction a as [|q a IH]; intros [|z y] Ny; cbn [dot]; try lia. cbn [every] in Hp.
    apply if_true in Hp as [Q0 Hp]. apply Z.ltb_lt in Q0. inversion Ny; subst. specialize (IH Hp y H2). nia. }
  constructor; [nia|]. apply (IH (c + p * z)); auto; nia.
Qed.

(* ---- Foster: from any valid state the set {measure < T} is reached in mean time at most V / fall, and it is finite ---- *)

Section Stable.
  Variables (C : cluster) (P : policy) (V : lyapunov) (statuses : list (list status)) (fall T : Z) (measure : form) (trees : list tree).
  Definition accepts : bool :=
    if Nat.eqb (length statuses) (servers C) then
      if listed (repeat Idle (servers C)) statuses then
        if positive_form (queues C (keeps P)) measure then
          if nonnegative V then check C P V statuses 1 (fun _ => form_const fall) T (fun _ => measure) None trees else false
        else false
      else false
    else false.
  Theorem empty_valid : accepts = true -> valid C P statuses (empty_state C P).
  Proof.
    intro H. unfold accepts in H. split_ifs. now apply idle_valid.
  Qed.
  Theorem mean_time_bounded : accepts = true -> forall n x, valid C P statuses x ->
    (mean_time (chain C P) (measured_below measure T) n x * inject_Z fall <= inject_Z (value_of V x))%Q.
  Proof.
    intros H n x. unfold accepts in H. split_ifs. 
    apply (foster (chain C P) (valid C P statuses)) with (V := fun y => inject_Z (value_of V y)).
    - now apply (chain_lawful C P V statuses 1 (fun _ => form_const fall) T (fun _ => measure) None trees).
    - now apply (chain_closed C P V statuses 1 (fun _ => form_const fall) T (fun _ => measure) None trees).
    - intros y Vy. change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. apply nonnegative_sound; auto. eapply valid_nonnegative; eauto.
    - intros y Vy B. unfold measured_below in B. apply Z.ltb_ge in B.
      pose proof (chain_drift _ _ _ _ _ _ _ _ _ _ H y Vy B) as D. cbv beta in D. rewrite value_const in D.
      rewrite (E_equal _ (fun z => - inject_Z (value_of V y) + 1 * inject_Z (value_of V z))%Q) in D.
      + rewrite E_affine in D. destruct (chain_lawful _ _ _ _ _ _ _ _ _ _ H y Vy) as [_ One]. rewrite One in D. lra.
      + intros e _. rewrite Z.mul_1_l. unfold Z.sub. rewrite inject_Z_plus, inject_Z_opp. ring.
  Qed.
  Theorem target_finite : accepts = true -> forall x, valid C P statuses x -> measured_below measure T x = true ->
    Forall (fun q => 0 <= q < T) (fst x).
  Proof.
    intros H x. unfold accepts in H. split_ifs. now apply (positive_finite C P statuses T measure).
  Qed.
End Stable.
