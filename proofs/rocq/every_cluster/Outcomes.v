(* What a program on integers returns, whatever it draws, and the mean of what it returns.

   [answers m a]: m draws nothing and returns a. [always F m]: the probabilities of every draw of m are at least zero and
   sum to one, and each outcome satisfies F. Both are proved of a program from those of its parts, so that a slot can be
   reasoned about without its law being listed: for any number of servers. *)
From Coq Require Import ZArith QArith Lqa List Lia.
From Schedproof Require Import Law Program.
Import ListNotations.
Open Scope Z_scope.

(* ---- programs that draw nothing ---- *)

Inductive answers {A} : program Z A -> A -> Prop :=
| AnswersRet a : answers (Ret a) a
| AnswersAsk n k a : answers (k (0 <=? n)) a -> answers (Ask n k) a.
Lemma answers_bind {A B} (m : program Z A) (f : A -> program Z B) a b : answers m a -> answers (f a) b -> answers (bind m f) b.
Proof. intros M F. induction M; cbn [bind]; [assumption|]. constructor. auto. Qed.
Lemma answers_bind_inv {A B} (m : program Z A) (f : A -> program Z B) b :
  answers (bind m f) b -> exists a, answers m a /\ answers (f a) b.
Proof.
  induction m as [a|n k IH|ps k _]; cbn [bind]; intro H; [exists a; split; [constructor|exact H]| |inversion H].
  inversion H as [|n' k' b' H']; subst. destruct (IH _ H') as (a & M & F). exists a. split; [now constructor|exact F].
Qed.
Lemma answers_unique {A} (m : program Z A) a b : answers m a -> answers m b -> a = b.
Proof. intros M. induction M; intro H; inversion H; subst; auto. Qed.

(* ---- programs that draw ---- *)

Definition mass (ps : list Q) : Q := fold_right Qplus 0%Q ps.
Inductive always {A} (F : A -> Prop) : program Z A -> Prop :=
| AlwaysRet a : F a -> always F (Ret a)
| AlwaysAsk n k : always F (k (0 <=? n)) -> always F (Ask n k)
| AlwaysDraw ps k : (forall p, In p ps -> (0 <= p)%Q) -> (mass ps == 1)%Q -> (forall i, (i < length ps)%nat -> always F (k i)) ->
    always F (Draw ps k).
Lemma always_bind {A B} (F : A -> Prop) (G : B -> Prop) m f :
  always F m -> (forall a, F a -> always G (f a)) -> always G (bind m f).
Proof. intros M H. induction M; cbn [bind]; auto; now constructor. Qed.
Lemma always_weaken {A} (F G : A -> Prop) m : always F m -> (forall a, F a -> G a) -> always G m.
Proof. intros M H. induction M; constructor; auto. Qed.
Lemma answers_always {A} (m : program Z A) a : answers m a -> always (eq a) m.
Proof. intro M. induction M; now constructor. Qed.
Lemma always_answer {A B} (G : B -> Prop) (m : program Z A) (f : A -> program Z B) a :
  answers m a -> always G (f a) -> always G (bind m f).
Proof. intros M H. eapply always_bind; [apply answers_always, M|]. now intros b <-. Qed.

Lemma mass_uniform {A} (l : list A) : l <> [] -> (mass (map (fun _ => 1 # Pos.of_nat (length l)) l) == 1)%Q.
Proof.
  assert (K : forall p, (mass (map (fun _ => p) l) == inject_Z (Z.of_nat (length l)) * p)%Q).
  { intro p. unfold mass. induction l as [|x l IH]; cbn [map fold_right length]; [reflexivity|]. rewrite IH, Nat2Z.inj_succ.
    unfold Z.succ. rewrite inject_Z_plus. ring. }
  rewrite K. destruct l as [|x l]; [easy|]. intros _. cbn [length]. rewrite <- Pos.of_nat_succ.
  unfold Qeq, inject_Z, Qmult; cbn [Qnum Qden]. rewrite Pos.mul_1_l, Zpos_P_of_succ_nat. lia.
Qed.

Open Scope Q_scope.
Lemma E_nil {A} (f : A -> Q) : E f [] = 0.
Proof. reflexivity. Qed.
Lemma E_branches {A B} (f : A -> Q) (g : B -> Q) (k : nat -> law A) (h : nat -> law B) ps :
  (forall i, E f (k i) == E g (h i)) -> forall i, E f (branches k ps i) == E g (branches h ps i).
Proof. intro H. induction ps as [|p ps IH]; intro i; cbn [branches]; [reflexivity|]. now rewrite !E_app, !E_scale, H, IH. Qed.
Lemma E_bind {A B} (f : B -> Q) (m : program Z A) (g : A -> program Z B) :
  E f (run (bind m g)) == E (fun a => E f (run (g a))) (run m).
Proof.
  induction m as [a|n k IH|ps k IH]; cbn [bind].
  - cbn [run]. rewrite E_cons, E_nil. cbn [fst snd]. ring.
  - apply IH.
  - rewrite !run_draw. now apply E_branches.
Qed.

Lemma mass_branches {A} (k : nat -> law A) ps : forall i, (forall j, (j < length ps)%nat -> is_law (k (i + j)%nat)) ->
  E (fun _ => 1) (branches k ps i) == mass ps.
Proof.
  induction ps as [|p ps IH]; intros i H; cbn [branches mass fold_right]; [reflexivity|].
  rewrite E_app, E_scale. fold (mass ps). rewrite IH.
  - specialize (H 0%nat ltac:(cbn; lia)). rewrite Nat.add_0_r in H. destruct H as [_ ->]. ring.
  - intros j J. rewrite Nat.add_succ_comm. apply H. cbn. lia.
Qed.
Theorem always_run {A} (F : A -> Prop) m : always F m -> is_law (run m) /\ forall e, In e (run m) -> F (snd e).
Proof.
  intro M. induction M as [a Fa|n k _ IH|ps k Po One _ IH].
  - split; [split|]; [|reflexivity|]; intros e [<-|[]]; [cbn; lra|assumption].
  - exact IH.
  - rewrite run_draw. split; [split|].
    + intros e I. apply In_branches in I as (j & p & d & J & Ip & Id & E1 & _). rewrite E1.
      apply Qmult_le_0_compat; [now apply Po|]. now apply (IH j J).
    + rewrite mass_branches; [assumption|]. intros j J. now apply (IH j J).
    + intros e I. apply In_branches in I as (j & p & d & J & _ & Id & _ & E2). rewrite E2. now apply (IH j J).
Qed.
Lemma run_answer {A} (m : program Z A) a : answers m a -> run m = [(1, a)].
Proof. intro M. induction M; auto. Qed.

Lemma run_bind_answer {A B} (m : program Z A) (f : A -> program Z B) a : answers m a -> run (bind m f) = run (f a).
Proof. intro M. induction M; cbn [bind run]; auto. Qed.

(* Bounds on means, step by step. *)
Lemma mean_bind {A B} (F : A -> Prop) (f : B -> Q) (h : A -> Q) m g :
  always F m -> (forall a, F a -> E f (run (g a)) <= h a) -> E f (run (bind m g)) <= E h (run m).
Proof.
  intros M H. rewrite E_bind. destruct (always_run F m M) as [[Po _] K]. apply E_monotone; auto.
Qed.
Lemma mean_bind_constant {A B} (F : A -> Prop) (f : B -> Q) b m g :
  always F m -> (forall a, F a -> E f (run (g a)) <= b) -> E f (run (bind m g)) <= b.
Proof.
  intros M H. destruct (always_run F m M) as [L _]. rewrite <- (E_constant b (run m) L). now apply (mean_bind F).
Qed.
Lemma mean_always {A} (f : A -> Q) b m : always (fun a => f a <= b) m -> E f (run m) <= b.
Proof.
  intro M. destruct (always_run _ _ M) as [L K]. rewrite <- (E_constant b (run m) L). apply E_monotone; [apply L|exact K].
Qed.
Lemma E_plus {A} (f g : A -> Q) l : E (fun a => f a + g a) l == E f l + E g l.
Proof. induction l as [|e l IH]; [rewrite !E_nil; ring|]. rewrite !E_cons, IH. ring. Qed.
Lemma E_times {A} k (f : A -> Q) l : E (fun a => k * f a) l == k * E f l.
Proof. induction l as [|e l IH]; [rewrite !E_nil; ring|]. rewrite !E_cons, IH. ring. Qed.
Lemma E_return {X Y} (f : Y -> Q) (h : X -> Y) (m : program Z X) : E f (run (bind m (fun a => Ret (h a))))
  == E (fun a => f (h a)) (run m).
Proof. rewrite E_bind. apply E_equal. intros e _. cbn [run]. rewrite E_cons, E_nil. cbn [fst snd]. ring. Qed.
