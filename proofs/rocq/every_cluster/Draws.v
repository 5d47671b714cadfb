(* Lists of one entry for each server, by their indices; and the two draws of a slot besides arrivals: ties, and services. *)
From Coq Require Import ZArith QArith Lqa List Lia.
From Schedproof Require Import Law Affine Program Cluster Language Kernel Outcomes.
Import ListNotations.

(* R holds of each entry with its index, counted from m. *)
Inductive each {A} (R : nat -> A -> Prop) : nat -> list A -> Prop :=
| EachNil m : each R m []
| EachCons m a l : R m a -> each R (S m) l -> each R m (a :: l).
Lemma each_weaken {A} (R S : nat -> A -> Prop) m l : each R m l -> (forall i a, (m <= i)%nat -> R i a -> S i a) -> each S m l.
Proof. intros H K. induction H as [m|m a l Ra _ IH]; constructor; [now apply K|]. apply IH. intros. apply K; auto. lia. Qed.
Lemma each_both {A} (R S : nat -> A -> Prop) m l : each R m l -> each S m l -> each (fun i a => R i a /\ S i a) m l.
Proof. intros H K. induction H as [m|m a l Ra _ IH]; inversion K; subst; constructor; auto. Qed.
Lemma each_map {A B} (R : nat -> B -> Prop) (f : A -> B) m l : each (fun i a => R i (f a)) m l -> each R m (map f l).
Proof. intro H. induction H; constructor; auto. Qed.
Lemma each_nth {A} (R : nat -> A -> Prop) d l : forall m i, each R m l -> (i < length l)%nat -> R (m + i)%nat (nth i l d).
Proof.
  induction l as [|a l IH]; intros m i H Lt; cbn [length] in Lt; [lia|]. inversion H; subst. destruct i as [|i]; cbn [nth].
  - now rewrite Nat.add_0_r.
  - rewrite Nat.add_succ_r. apply (IH (S m)); auto. lia.
Qed.
Lemma each_of_nth {A} (R : nat -> A -> Prop) d l : forall m, (forall i, (i < length l)%nat -> R (m + i)%nat (nth i l d)) -> each R m l.
Proof.
  induction l as [|a l IH]; intros m H; constructor.
  - specialize (H 0%nat ltac:(cbn; lia)). now rewrite Nat.add_0_r in H.
  - apply IH. intros i I. specialize (H (S i) ltac:(cbn; lia)). now rewrite Nat.add_succ_r in H.
Qed.
Lemma each_listed (g : nat -> list status) j : forall s k,
  Forall2 (@In status) s (map g (seq k j)) <-> length s = j /\ each (fun m f => In f (g m)) k s.
Proof.
  induction j as [|j IH]; intros s k; cbn [seq map].
  - split; [intro H; inversion H; split; [reflexivity|constructor]|]. intros [L _]. destruct s; [constructor|discriminate].
  - split.
    + intro H. inversion H as [|f ? s' ? I F]; subst. apply IH in F as [L F]. cbn [length]. split; [lia|]. now constructor.
    + intros [L H]. destruct s as [|f s]; [discriminate|]. inversion H; subst. constructor; auto. apply IH. split;
        [cbn in L; lia|auto].
Qed.

Lemma pick_member C P (tied : list (nat * nat)) : tied <> [] -> always (fun q => exists c, In c tied /\ q = fst c) (pick C P tied).
Proof.
  destruct tied as [|c [|d l]]; [easy| |].
  - intros _. constructor. exists c. split; [now left|reflexivity].
  - intro N. cbn [pick]. constructor.
    + intros p I. apply in_map_iff in I as (_ & <- & _). easy.
    + exact (mass_uniform (c :: d :: l) N).
    + intros i I. rewrite map_length in I. constructor. exists (nth i (c :: d :: l) (0, 0)%nat). split;
        [now apply nth_In|reflexivity].
Qed.
Open Scope Q_scope.
Lemma coin_always p : 0 <= p <= 1 -> always (fun _ => True) (coin (N := Z) p).
Proof.
  intros [L U]. unfold coin. destruct (Qeq_bool p 1); constructor; auto.
  - intros q [<-|[<-|[]]]; lra.
  - unfold mass. cbn [fold_right]. ring.
  - intros i _. now constructor.
Qed.
Lemma coin_mean {X} (f : X -> Q) p (g : bool -> program Z X) : E f (run (bind (coin p) g)) == p * E f (run (g true))
  + (1 - p) * E f (run (g false)).
Proof.
  unfold coin. destruct (Qeq_bool p 1) eqn:One; cbn [bind].
  - apply Qeq_bool_iff in One. rewrite One. ring.
  - rewrite run_draw. cbn [branches Nat.eqb]. rewrite !E_app, !E_scale, E_nil. ring.
Qed.
