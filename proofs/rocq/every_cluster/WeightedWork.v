(* Every cluster: a weighted sum of the servers' workloads, and how a slot changes it, for policies on one queue per server,
   row of rates and level whose servers turn to work of their own.

   What a slot brings is on average the sum over types of arrival rate times [gain]: weight over rate, averaged over the
   queues among which a task of the type chooses at random. What it takes is at most the sum of the weights, for a task of
   rate mu stands for 1 / mu of work and ends with probability mu. Neither looks at a number of servers or types. *)
From Coq Require Import ZArith QArith Qabs Lqa List Bool Lia Arith.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Outcomes Rules Capacity Layout Draws OwnService
  Routing OwnSlot.
Import ListNotations.
Open Scope Q_scope.

Notation number k := (inject_Z (Z.of_nat k)).
Section Weights.
  Variables (C : cluster) (weight : nat -> Q).
  Definition weighted_work (len : list Z) : Q := total (all_servers C) (fun m => weight m * workload C len m).
  (* The largest number of tasks that a slot brings. *)
  Definition most_of_factor (factor : list (Q * list nat)) : nat := fold_right (fun e k => Nat.max (fold_right Nat.add 0%nat
    (snd e)) k) 0%nat factor.
  Definition most_tasks : nat := fold_right (fun factor k => (most_of_factor factor + k)%nat) 0%nat (arrivals C).
  (* Weights are at most 1 in all, so no slot changes the weighted work by more. *)
  Definition largest_step : Q := (number most_tasks + 1) / least_rate C.
End Weights.

(* ---- means ---- *)

Lemma mean_bind_at_least {A B} (F : A -> Prop) (f : B -> Q) (h : A -> Q) m g :
  always F m -> (forall a, F a -> h a <= E f (run (g a))) -> E h (run m) <= E f (run (bind m g)).
Proof. intros M H. rewrite E_bind. destruct (always_run F m M) as [[Po _] K]. apply E_monotone; auto. Qed.
Lemma always_both {A} (F G : A -> Prop) m : always F m -> always G m -> always (fun a => F a /\ G a) m.
Proof.
  intro H. induction H as [a Fa|n k H IH|ps k Po One H IH]; intro K; inversion K; subst; constructor; auto.
Qed.
Lemma total_nth {A} (l : list A) d (f : A -> Q) : total (seq 0 (length l)) (fun i => f (nth i l d)) == total l f.
Proof.
  assert (K : forall s, total (seq s (length l)) (fun i => f (nth (i - s) l d)) == total l f).
  { induction l as [|a l IH]; intro s; cbn [length seq total fold_right]; [reflexivity|]. rewrite Nat.sub_diag. cbn [nth].
    fold (total (seq (S s) (length l)) (fun i => f (nth (i - s) (a :: l) d))). fold (total l f). rewrite <- (IH (S s)).
    apply Qplus_comp; [reflexivity|]. apply total_equal. intros i I. apply in_seq in I.
    replace (i - s)%nat with (S (i - S s)) by lia. reflexivity. }
  rewrite <- (K 0%nat). apply total_equal. intros i _. now rewrite Nat.sub_0_r.
Qed.
Lemma branches_uniform {A B} (f : A -> Q) (k : nat -> law A) p (l : list B) : forall i,
  E f (branches k (map (fun _ => p) l) i) == p * total (seq i (length l)) (fun j => E f (k j)).
Proof.
  induction l as [|b l IH]; intro i; cbn [map branches length seq total fold_right]; [rewrite E_nil; ring|].
  rewrite E_app, E_scale, IH. fold (total (seq (S i) (length l)) (fun j => E f (k j))). ring.
Qed.
Definition share {A} (l : list A) : Q := 1 # Pos.of_nat (length l).
Definition mean_over {A} (l : list A) (f : A -> Q) : Q := share l * total l f.
Lemma share_length {A} (l : list A) : l <> [] -> share l * number (length l) == 1.
Proof.
  destruct l as [|a l]; [easy|]. intros _. unfold share. cbn [length]. rewrite <- Pos.of_nat_succ.
  unfold Qeq, Qmult, inject_Z; cbn [Qnum Qden]. lia.
Qed.
Lemma mean_over_affine {A} (l : list A) c f : l <> [] -> mean_over l (fun a => c + f a) == c + mean_over l f.
Proof.
  intro N. unfold mean_over. rewrite total_plus, total_constant. pose proof (share_length l N) as S.
  setoid_replace (share l * (number (length l) * c + total l f)) with (share l * number
    (length l) * c + share l * total l f) by ring.
  rewrite S. ring.
Qed.
Lemma mean_over_equal {A} (l : list A) f g : (forall a, In a l -> f a == g a) -> mean_over l f == mean_over l g.
Proof. intro H. unfold mean_over. now rewrite (total_equal l f g H). Qed.
Lemma pick_mean {X} C P (f : X -> Q) (tied : list (nat * nat)) (g : nat -> program Z X) : tied <> [] ->
  E f (run (bind (pick C P tied) g)) == mean_over tied (fun c => E f (run (g (fst c)))).
Proof.
  unfold mean_over, share. destruct tied as [|c [|d l]]; [easy| |]; intros _.
  - cbn [pick bind length total fold_right Pos.of_nat]. ring.
  - cbn [pick bind]. rewrite run_draw, branches_uniform. apply Qmult_comp; [reflexivity|].
    exact (total_nth (c :: d :: l) (0, 0)%nat (fun c => E f (run (g (fst c))))).
Qed.

Section Slot.
  Variables (C : cluster) (route serve : set) (weight : nat -> Q).
  Hypothesis WF : well_formed C.
  Hypothesis weight_nonnegative : forall m, 0 <= weight m.
  Hypothesis weights_at_most_one : total (all_servers C) weight <= 1.
  Notation A := per_server_and_level.
  Notation P := (Policy A route serve).
  Notation n := (queues C A).
  Notation owner := (owner C A).
  Notation W := (weighted_work C weight).
  (* What a task adds that joins queue q. *)
  Definition adds (q : nat) : Q := weight (owner q) / rate_of C q.

  Lemma weighted_add x d : length d = length x -> W (add x d) == W x + W d.
  Proof.
    intro L. unfold weighted_work. rewrite <- total_plus. apply total_equal. intros m _. rewrite (workload_add C WF) by assumption. ring.
  Qed.
  Lemma weighted_bump k q d : (q < length d)%nat -> (q < n)%nat -> W (bump k q d) == W d + inject_Z k * adds q.
  Proof.
    intros L Q. unfold weighted_work, adds.
    rewrite (total_equal _ _ (fun m => weight m * workload C d m + (if Nat.eqb m (owner q) then inject_Z k *
      (weight m / rate_of C q) else 0))).
    2: { intros m _. rewrite (workload_bump C WF) by assumption. destruct (rate_of_bounds C WF q).
    destruct (Nat.eqb m (owner q)); [field; lra|ring]. }
    rewrite total_plus, (total_one _ (owner q) (fun m => inject_Z k * (weight m / rate_of C q))); [ring|apply seq_NoDup|].
    apply in_seq. pose proof (owner_bound C WF q Q). lia.
  Qed.
  Lemma weight_at_most_one m : (m < servers C)%nat -> weight m <= 1.
  Proof. intro M. eapply Qle_trans; [|exact weights_at_most_one]. apply total_member; auto. apply in_seq. lia. Qed.
  Lemma adds_between q : (q < n)%nat -> 0 <= adds q <= / least_rate C.
  Proof.
    intro Q. pose proof (weight_at_most_one (owner q) (owner_bound C WF q Q)). pose proof (weight_nonnegative (owner q)).
    pose proof (inverse_rate C WF q). unfold adds, Qdiv. nra.
  Qed.
  Lemma weighted_nonnegative x : (forall q, (0 <= nth q x 0)%Z) -> 0 <= W x.
  Proof. intro H. apply total_nonnegative. intros m _. pose proof (workload_nonnegative C WF x m H).
  pose proof (weight_nonnegative m). nra. Qed.
  Lemma weighted_none : W (repeat 0%Z n) == 0.
  Proof.
    unfold weighted_work. rewrite (total_equal _ _ (fun _ => 0)), total_zero; [reflexivity|]. intros m _.
    unfold workload. rewrite (total_equal _ _ (fun _ => 0)), total_zero; [ring|]. intros c _. rewrite nth_repeat. reflexivity.
  Qed.

  (* ---- depart ---- *)

  Fixpoint removed (k : nat) (now : list status) : Q :=
    match now with [] => 0 | Busy _ :: now => weight k + removed (S k) now | _ :: now => removed (S k) now end.
  Lemma removed_between now : forall k, 0 <= removed k now <= total (seq k (length now)) weight.
  Proof.
    induction now as [|f now IH]; intro k; cbn [removed length seq total fold_right]; [lra|].
    fold (total (seq (S k) (length now)) weight). specialize (IH (S k)). pose proof (weight_nonnegative k). destruct f; lra.
  Qed.
  Variable x : list Z.
  Hypothesis x_all : length x = n.
  Theorem depart_weighted now : forall k d, length d = n -> each (live C (add x d)) k now ->
    E (fun r => W (add x (fst r))) (run (depart C P k now d)) == W (add x d) - removed k now /\
    always (fun r => W (add x d) - removed k now / least_rate C <= W (add x (fst r)) <= W (add x d)) (depart C P k now d).
  Proof.
    pose proof (least_rate_positive C WF) as G.
    induction now as [|f now IH]; intros k d Ld H; cbn [depart removed].
    - cbn [run]. split; [rewrite E_cons, E_nil; cbn [fst snd]; ring|]. constructor. cbn [fst]. unfold Qdiv. lra.
    - inversion H as [|? ? ? Hf Hs]; subst. destruct f as [|q|q]; [| |contradiction].
      + destruct (IH (S k) d Ld Hs) as [Mean Step]. split; [rewrite E_return; cbn [fst]; exact Mean|].
        eapply always_bind; [exact Step|]. intros r R. constructor. exact R.
      + destruct Hf as [[Ow Q] L]. cbn [keeps]. rewrite rate_of_server. destruct (rate_of_bounds C WF q) as [[Rp Ru] _].
        assert (Ly : (q < length (add x d))%nat) by (rewrite length_add; lia).
        assert (Down : W (add x (bump (-1) q d)) == W (add x d) - weight k / rate_of C q).
        { rewrite add_bump by congruence. rewrite weighted_bump by assumption. unfold adds. rewrite Ow.
        change (inject_Z (-1)) with (- (1)). ring. }
        assert (Hs' : each (live C (add x (bump (-1) q d))) (S k) now).
        { rewrite add_bump by congruence. apply (live_keeps C _ _ _ _ Hs). intros r R. rewrite nth_bump by assumption.
          destruct (Nat.eqb_spec r q); [subst; lia|lia]. }
        destruct (IH (S k) d Ld Hs) as [Mean Step].
        destruct (IH (S k) (bump (-1) q d) ltac:(now rewrite length_bump) Hs') as [Mean' Step'].
        split.
        * rewrite coin_mean, !E_return. cbn [fst]. rewrite Mean, Mean', Down. field. lra.
        * assert (Small : 0 <= weight k / rate_of C q <= weight k / least_rate C).
          { pose proof (inverse_rate C WF q). pose proof (weight_nonnegative k). unfold Qdiv. nra. }
          assert (Eq : (weight k + removed (S k) now) / least_rate C == weight k / least_rate C + removed
            (S k) now / least_rate C) by (field; lra).
          eapply always_bind; [apply coin_always; lra|]. intros b _.
          apply always_bind with (F := fun r => W (add x d) - (weight k + removed (S k) now) / least_rate C <= W (add x (fst r)) <=
            W (add x d));
            [|intros r R; constructor; exact R].
          destruct b; (eapply always_weaken; [eassumption|]); intros r R; cbv beta in R |- *; rewrite ?Down in R; lra.
  Qed.
End Slot.
