(* The policy language: rules as data, and what a rule answers at a state.

   Believe: [set_of], [key_of] and [test_of], up to the section Simulation, are part of the meaning of a theorem; they
   say what model/queueing/language/evaluate.hpp says. A rule is an expression; the policies of the papers are short
   ones, in the folder policies. The evaluator is one program over any numbers: over integers it is the policy, over
   affine forms it is the policy at all lengths at once. Members of sets are compared in their order, and no earlier
   than needed, because a certificate's tree lists the comparisons.

   Not here: rules that draw (sample, best, mix), follow a plan, or name servers by their numbers. *)
From Coq Require Import ZArith QArith List Bool Lia.
From Schedproof Require Import Law Affine Program Cluster.
Import ListNotations.
Open Scope Z_scope.

Inductive set :=
(* of an arriving task: queues at the servers that hold its data; at all servers, each for the server's level; its type's *)
| Local | Servers | OwnType
(* of an idle server: its queue for local tasks; its queues of all levels; all queues, each with the level at which it would run their tasks *)
| Own | OwnLevels | Reachable
| Common                                (* the queue that belongs to no server *)
| It                                    (* the set of the nearest enclosing Among *)
| Unite (s t : set) | Intersect (s t : set) | Where (s : set) (c : test)
| Argmin (s : set) (k : key) | Argmax (s : set) (k : key)
| MostLocal (s : set)
| FirstOf (s t : set)                   (* the first unless it is empty *)
| When (c : test) (s t : set)           (* the first if the condition holds *)
| Among (s t : set)                     (* the second, in which It is the first *)
with key :=
| Length                                (* tasks in the queue *)
| Servable                              (* the same, or 0 where an idle server may not choose the queue *)
| ServerLength | ServerWorkload         (* of the server that owns the queue: tasks; sum of length / rate *)
| MarginalCost | Distance
| Constant (n : Z)
| LevelOf (n : Z) | RemoteLevel         (* a given level; the greatest one *)
| TimesRate (k : key) | OverRate (k : key) | TimesLocal (k : key) | TimesRemote (k : key)
| Multiple (a : Z) (b : positive) (k : key)
| Plus (j k : key) | Minus (j k : key)
| Least (s : set) (k : key) | Greatest (s : set) (k : key) | Total (s : set) (k : key) | Mean (s : set) (k : key)
with test :=
| HasWork                               (* an idle server may choose the queue *)
| Less (j k : key) | LessEqual (j k : key) | Equal (j k : key)
| Both (c d : test) | Either (c d : test) | Not (c : test).

Record policy := Policy { keeps : arrangement; route : set; serve : set }.

(* A queue, and the level at which the server in question runs its tasks. *)
Notation candidate := (nat * nat)%type (only parsing).
Definition same_candidate (c d : candidate) : bool := if Nat.eqb (fst c) (fst d) then Nat.eqb (snd c) (snd d) else false.
Inductive asker := Arriving (type : nat) | Serving (m : nat).
Definition type_of (a : asker) : nat := match a with Arriving t => t | Serving _ => 0%nat end.
Definition server_of (a : asker) : nat := match a with Serving m => m | Arriving _ => 0%nat end.
(* How a key over a set becomes one value. *)
Inductive reduction := Smallest | Largest | Added.
Notation quantity N := (N * positive)%type (only parsing).       (* value / over *)

Fixpoint insert_by_level (c : candidate) (l : list candidate) : list candidate :=
  match l with [] => [c] | d :: l' => if Nat.leb (snd c) (snd d) then c :: l else d :: insert_by_level c l' end.
Definition sort_by_level (l : list candidate) : list candidate := fold_right insert_by_level [] l.
Definition contains (l : list candidate) (c : candidate) : bool := some (same_candidate c) l.

(* Keys that are positive where a queue has work and zero elsewhere. *)
Fixpoint weighs (k : key) : bool :=
  match k with Length | MarginalCost => true | TimesRate k => weighs k | Multiple a _ k => if 0 <? a then weighs k else false | _ => false end.

Section Evaluate.
  Context {N : Type} (num : numbers N) (C : cluster) (A : arrangement).
  Variables (len : list N) (executing : list Z) (who : asker).       (* per queue: tasks, and those in execution *)

  Definition minus (a b : N) : N := plus num a (times num (-1) b).
  Definition at_least (a b : N) : program N bool := Ask (minus a b) Ret.
  Definition less (a b : N) : program N bool := Ask (plus num (minus b a) (const num (-1))) Ret.
  Definition less_quantity (x y : quantity N) : program N bool :=
    less (times num (Zpos (snd y)) (fst x)) (times num (Zpos (snd x)) (fst y)).
  Definition at_least_quantity (x y : quantity N) : program N bool :=
    at_least (times num (Zpos (snd y)) (fst x)) (times num (Zpos (snd x)) (fst y)).
  Definition equal_quantity (x y : quantity N) : program N bool :=
    ge <- at_least_quantity x y; if ge : bool then at_least_quantity y x else Ret false.
  Definition add_quantity (x y : quantity N) (sign : Z) : quantity N :=
    (plus num (times num (Zpos (snd y)) (fst x)) (times num (sign * Zpos (snd x)) (fst y)), (snd x * snd y)%positive).

  Definition tasks (q : nat) : N := nth q len (const num 0).
  Definition waiting_tasks (q : nat) : N := plus num (tasks q) (const num (- nth q executing 0)).
  Definition length_of (q : nat) : N := match counts (option_of C) with in_system => tasks q | waiting => waiting_tasks q end.
  Definition has_work (q : nat) : program N bool :=
    less (const num 0) (match empty_is (option_of C) with wasted => length_of q | conserved => waiting_tasks q end).
  Definition own_queues (m : nat) : list candidate :=                      (* of all rows and levels *)
    flat_map (fun row => map (fun l => (queue_of C A m l row, l)) (seq 0 (levels C))) (seq 0 (rows C)).
  Definition total_of (l : list candidate) (f : candidate -> N) : N := fold_left (fun s c => plus num s (f c)) l (const num 0).
  Definition row_and_level (f : nat -> nat -> Z) (c : candidate) : Z := f (row_of_queue C A (fst c)) (snd c).

  (* The members of least, or greatest, key. Of those that an idle server may choose, if [choosable]. *)
  Fixpoint extreme (greatest choosable : bool) (key : candidate -> program N (quantity N)) (from : list candidate)
      (best : option (quantity N)) (tied : list candidate) : program N (list candidate) :=
    match from with
    | [] => Ret tied
    | c :: from =>
        ok <- (if choosable then has_work (fst c) else Ret true);
        if ok : bool then
          here <- key c;
          match best with
          | None => extreme greatest choosable key from (Some here) [c]
          | Some b =>
              beats <- (if greatest then less_quantity b here else less_quantity here b);
              if beats : bool then extreme greatest choosable key from (Some here) [c]
              else ties <- equal_quantity here b;
                   extreme greatest choosable key from (Some b) (if ties : bool then tied ++ [c] else tied)
          end
        else extreme greatest choosable key from best tied
    end.
  (* Argmax over the queues with work of a key that [weighs]: the largest key tells whether any has work. *)
  Definition heaviest (key : candidate -> program N (quantity N)) (from : list candidate) : program N (list candidate) :=
    tied <- extreme true (match empty_is (option_of C) with conserved => true | wasted => false end) key from None [];
    match tied with
    | [] => Ret []
    | c :: _ => k <- key c; positive <- less (const num 0) (fst k); Ret (if positive : bool then tied else [])
    end.
  Fixpoint filter_by (test : candidate -> program N bool) (from : list candidate) : program N (list candidate) :=
    match from with
    | [] => Ret []
    | c :: from => b <- test c; rest <- filter_by test from; Ret (if b : bool then c :: rest else rest)
    end.
  (* The members of the least level among those that pass; [from] is sorted by level. *)
  Fixpoint nearest (test : candidate -> program N bool) (from kept : list candidate) : program N (list candidate) :=
    match from with
    | [] => Ret kept
    | c :: from =>
        if (match kept with d :: _ => Nat.ltb (snd d) (snd c) | [] => false end) then Ret kept
        else b <- test c; nearest test from (if b : bool then kept ++ [c] else kept)
    end.
  Fixpoint over_set (op : reduction) (key : candidate -> program N (quantity N)) (from : list candidate) (so_far : option (quantity N))
      : program N (option (quantity N)) :=
    match from with
    | [] => Ret so_far
    | c :: from =>
        here <- key c;
        match so_far with
        | None => over_set op key from (Some here)
        | Some v =>
            match op with
            | Smallest => b <- less_quantity here v; over_set op key from (Some (if b : bool then here else v))
            | Largest => b <- less_quantity v here; over_set op key from (Some (if b : bool then here else v))
            | Added => over_set op key from (Some (add_quantity v here 1))
            end
        end
    end.
  Definition or_zero (v : option (quantity N)) : quantity N := match v with Some v => v | None => (const num 0, 1%positive) end.

  Definition named (s : set) : list candidate :=
    let t := type_of who in let m := server_of who in
    let joined m' l := (queue_of C A m' l (nth t (row_of_type C) 0), l)%nat in
    let level m' := nth m' (nth t (level_of_task C) []) 0%nat in
    match s with
    | Local => map (fun m' => joined m' 0%nat) (filter (fun m' => Nat.eqb (level m') 0) (seq 0 (servers C)))
    | Servers => map (fun m' => joined m' (level m')) (seq 0 (servers C))
    | OwnType => [(t, 0%nat)]
    | Own => map (fun row => (queue_of C A m 0 row, 0%nat)) (seq 0 (rows C))
    | OwnLevels => own_queues m
    | Reachable => map (fun q => (q, service_level C A q m)) (seq 0 (queues C A))
    | Common => [(queues C A - 1, levels C - 1)%nat]
    | _ => []
    end.
  Definition scaled (k : Z) (q : quantity N) : quantity N := (times num k (fst q), snd q).

  Fixpoint set_of (s : set) (it : list candidate) {struct s} : program N (list candidate) :=
    match s with
    | It => Ret it
    | Unite s t => a <- set_of s it; b <- set_of t it; Ret (a ++ filter (fun c => negb (contains a c)) b)
    | Intersect s t => a <- set_of s it; b <- set_of t it; Ret (filter (contains b) a)
    | Where s c => from <- set_of s it; filter_by (fun m => test_of c m it) from
    | Argmin s k => from <- set_of s it; extreme false false (fun c => key_of k c it) from None []
    | Argmax s k =>
        match s with
        | Where s' HasWork =>
            if weighs k then from <- set_of s' it; heaviest (fun c => key_of k c it) from
            else from <- set_of s it; extreme true false (fun c => key_of k c it) from None []
        | _ => from <- set_of s it; extreme true false (fun c => key_of k c it) from None []
        end
    | MostLocal s =>
        match s with
        | Where s' c => from <- set_of s' it; nearest (fun m => test_of c m it) (sort_by_level from) []
        | _ => from <- set_of s it; nearest (fun _ => Ret true) (sort_by_level from) []
        end
    | FirstOf s t => a <- set_of s it; match a with [] => set_of t it | _ => Ret a end
    | When c s t => b <- test_of c (0, 0)%nat it; if b : bool then set_of s it else set_of t it
    | Among s t => a <- set_of s it; set_of t a
    | _ => Ret (named s)
    end
  with key_of (k : key) (c : candidate) (it : list candidate) {struct k} : program N (quantity N) :=
    match k with
    | Length => Ret (length_of (fst c), 1%positive)
    | Servable =>
        match empty_is (option_of C) with
        | wasted => Ret (length_of (fst c), 1%positive)
        | conserved => b <- has_work (fst c); Ret (if b : bool then length_of (fst c) else const num 0, 1%positive)
        end
    | ServerLength =>
        Ret (match A with
             | per_server_and_level => total_of (own_queues (owner C A (fst c))) (fun d => length_of (fst d))
             | _ => length_of (fst c)
             end, 1%positive)
    | ServerWorkload =>
        Ret (total_of (own_queues (owner C A (fst c)))
               (fun d => times num (row_and_level (slowness C) d) (length_of (fst d))), 1%positive)
    | MarginalCost => Ret (times num (nth (fst c) (marginal_costs C) 0) (length_of (fst c)), 1%positive)
    | Distance => Ret (const num (Z.of_nat (snd c)), 1%positive)
    | Constant n => Ret (const num n, 1%positive)
    | LevelOf n => Ret (const num n, 1%positive)
    | RemoteLevel => Ret (const num (Z.of_nat (levels C - 1)), 1%positive)
    | TimesRate k => v <- key_of k c it; Ret (scaled (row_and_level (rate_weight C) c) v)
    | OverRate k => v <- key_of k c it; Ret (scaled (row_and_level (slowness C) c) v)
    | TimesLocal k => v <- key_of k c it; Ret (scaled (rate_weight C 0 0) v)
    | TimesRemote k => v <- key_of k c it; Ret (scaled (rate_weight C 0 (levels C - 1)) v)
    | Multiple a b k => v <- key_of k c it; Ret (times num a (fst v), (snd v * b)%positive)
    | Plus j k => a <- key_of j c it; b <- key_of k c it; Ret (add_quantity a b 1)
    | Minus j k => a <- key_of j c it; b <- key_of k c it; Ret (add_quantity a b (-1))
    | Least s k => from <- set_of s it; v <- over_set Smallest (fun d => key_of k d it) from None; Ret (or_zero v)
    | Greatest s k => from <- set_of s it; v <- over_set Largest (fun d => key_of k d it) from None; Ret (or_zero v)
    | Total s k => from <- set_of s it; v <- over_set Added (fun d => key_of k d it) from None; Ret (or_zero v)
    | Mean s k =>
        from <- set_of s it; v <- over_set Added (fun d => key_of k d it) from None;
        Ret (fst (or_zero v), (snd (or_zero v) * Pos.of_nat (length from))%positive)
    end
  with test_of (t : test) (c : candidate) (it : list candidate) {struct t} : program N bool :=
    match t with
    | HasWork => has_work (fst c)
    | Less j k => a <- key_of j c it; b <- key_of k c it; less_quantity a b
    | LessEqual j k => a <- key_of j c it; b <- key_of k c it; at_least_quantity b a
    | Equal j k => a <- key_of j c it; b <- key_of k c it; equal_quantity a b
    | Both c' d => b <- test_of c' c it; if b : bool then test_of d c it else Ret false
    | Either c' d => b <- test_of c' c it; if b : bool then Ret true else test_of d c it
    | Not c' => b <- test_of c' c it; Ret (negb b)
    end.
End Evaluate.

(* ---- Simulation: at every x, the evaluator on forms and that on their values ask the same and answer the same ---- *)

Scheme set_ind' := Induction for set Sort Prop
  with key_ind' := Induction for key Sort Prop
  with test_ind' := Induction for test Sort Prop.
Combined Scheme expressions_ind from set_ind', key_ind', test_ind'.

Section Simulation.
  Variables (x : vec) (C : cluster) (A : arrangement) (len : list form) (len' : list Z) (executing : list Z) (who : asker).
  Definition lengths_agree := Forall2 (fun f z => value x f = z).
  Hypothesis agree : lengths_agree len len'.
  Definition agree_quantity (f : quantity form) (z : quantity Z) := value x (fst f) = fst z /\ snd f = snd z.

  Lemma value_minus f g z w : value x f = z -> value x g = w -> value x (minus forms f g) = minus integers z w.
  Proof. intros <- <-. unfold minus; cbn. now rewrite value_plus, value_times. Qed.
  Lemma less_sim f g z w : value x f = z -> value x g = w -> sim x eq (less forms f g) (less integers z w).
  Proof. intros. apply SimAsk; [|intro; now apply SimRet]. cbn. rewrite value_plus, value_const. f_equal. now apply value_minus. Qed.
  Lemma at_least_sim f g z w : value x f = z -> value x g = w -> sim x eq (at_least forms f g) (at_least integers z w).
  Proof. intros. apply SimAsk; [|intro; now apply SimRet]. now apply value_minus. Qed.
  Lemma less_quantity_sim a b a' b' : agree_quantity a a' -> agree_quantity b b' ->
    sim x eq (less_quantity forms a b) (less_quantity integers a' b').
  Proof. intros [Va Oa] [Vb Ob]. apply less_sim; cbn; now rewrite value_times, ?Va, ?Vb, ?Oa, ?Ob. Qed.
  Lemma at_least_quantity_sim a b a' b' : agree_quantity a a' -> agree_quantity b b' ->
    sim x eq (at_least_quantity forms a b) (at_least_quantity integers a' b').
  Proof. intros [Va Oa] [Vb Ob]. apply at_least_sim; cbn; now rewrite value_times, ?Va, ?Vb, ?Oa, ?Ob. Qed.
  Lemma equal_quantity_sim a b a' b' : agree_quantity a a' -> agree_quantity b b' ->
    sim x eq (equal_quantity forms a b) (equal_quantity integers a' b').
  Proof.
    intros Ha Hb. eapply sim_bind; [now apply at_least_quantity_sim|]. intros [|] _ <-; [|now apply SimRet].
    now apply at_least_quantity_sim.
  Qed.
  Lemma add_quantity_agree a b a' b' s : agree_quantity a a' -> agree_quantity b b' ->
    agree_quantity (add_quantity forms a b s) (add_quantity integers a' b' s).
  Proof. intros [Va Oa] [Vb Ob]. split; cbn; [rewrite value_plus, !value_times|]; now rewrite ?Va, ?Vb, ?Oa, ?Ob. Qed.
  Lemma tasks_agree q : value x (tasks forms len q) = tasks integers len' q.
  Proof. unfold tasks. revert q; induction agree as [|f z l l' H F IH]; intros [|q]; cbn; auto using value_const. Qed.
  Lemma waiting_agree q : value x (waiting_tasks forms len executing q) = waiting_tasks integers len' executing q.
  Proof. unfold waiting_tasks; cbn. rewrite value_plus, value_const. f_equal. apply tasks_agree. Qed.
  Lemma length_agree q : value x (length_of forms C len executing q) = length_of integers C len' executing q.
  Proof. unfold length_of. destruct counts; auto using tasks_agree, waiting_agree. Qed.
  Lemma has_work_sim q : sim x eq (has_work forms C len executing q) (has_work integers C len' executing q).
  Proof. apply less_sim; [apply value_const|]. destruct empty_is; auto using length_agree, waiting_agree. Qed.
  Lemma total_agree l f g : (forall c, value x (f c) = g c) -> value x (total_of forms l f) = total_of integers l g.
  Proof.
    intro H. unfold total_of. cbn. assert (K : forall s s', value x s = s' ->
      value x (fold_left (fun s c => form_plus s (f c)) l s) = fold_left (fun s c => s + g c) l s').
    { induction l as [|c l IH]; intros s s' Hs; cbn [fold_left]; auto. apply IH. now rewrite value_plus, Hs, H. }
    apply K, value_const.
  Qed.

  Notation keys f g := (forall c, sim x agree_quantity (f c) (g c)).
  Notation tests f g := (forall c, sim x eq (f c) (g c)).
  Definition agree_option (a : option (quantity form)) (b : option (quantity Z)) :=
    match a, b with Some f, Some z => agree_quantity f z | None, None => True | _, _ => False end.
  Ltac step := eapply sim_bind; [eauto using has_work_sim, less_quantity_sim, at_least_quantity_sim, equal_quantity_sim|].
  Lemma extreme_sim greatest choosable f g from : keys f g -> forall b b' tied, agree_option b b' ->
    sim x eq (extreme forms C len executing greatest choosable f from b tied)
             (extreme integers C len' executing greatest choosable g from b' tied).
  Proof.
    intro K; induction from as [|c from IH]; intros b b' tied Ab; cbn [extreme]; [now apply SimRet|].
    apply sim_bind with (R := eq); [destruct choosable; [apply has_work_sim|now apply SimRet]|]. intros [|] _ <-; auto.
    eapply sim_bind; [apply K|]. intros h h' Ah. destruct b as [b|], b' as [b'|]; cbn in Ab; try contradiction; [|now apply IH].
    apply sim_bind with (R := eq); [destruct greatest; now apply less_quantity_sim|]. intros [|] _ <-; [now apply IH|].
    step. intros e _ <-. now apply IH.
  Qed.
  Lemma heaviest_sim f g from : keys f g ->
    sim x eq (heaviest forms C len executing f from) (heaviest integers C len' executing g from).
  Proof.
    intro K. eapply sim_bind; [apply extreme_sim; cbn; auto|]. intros [|c tied] _ <-; [now apply SimRet|].
    eapply sim_bind; [apply K|]. intros k k' [Vk _]. eapply sim_bind; [apply less_sim; [apply value_const|exact Vk]|].
    intros [|] _ <-; now apply SimRet.
  Qed.
  Lemma filter_by_sim f g from : tests f g -> sim x eq (filter_by f from) (filter_by g from).
  Proof.
    intro T; induction from as [|c from IH]; cbn [filter_by]; [now apply SimRet|].
    eapply sim_bind; [apply T|]. intros b _ <-. eapply sim_bind; [apply IH|]. intros r _ <-. now apply SimRet.
  Qed.
  Lemma nearest_sim f g from : tests f g -> forall kept, sim x eq (nearest f from kept) (nearest g from kept).
  Proof.
    intro T; induction from as [|c from IH]; intro kept; cbn [nearest]; [now apply SimRet|].
    destruct (match kept with [] => false | d :: _ => Nat.ltb (snd d) (snd c) end); [now apply SimRet|].
    eapply sim_bind; [apply T|]. intros b _ <-. apply IH.
  Qed.
  Lemma over_set_sim op f g from : keys f g -> forall v v', agree_option v v' ->
    sim x agree_option (over_set forms op f from v) (over_set integers op g from v').
  Proof.
    intro K; induction from as [|c from IH]; intros v v' Av; cbn [over_set]; [now apply SimRet|].
    eapply sim_bind; [apply K|]. intros h h' Ah. destruct v as [v|], v' as [v'|]; cbn in Av; try contradiction; [|now apply IH].
    destruct op; try (now apply IH, add_quantity_agree); step; intros [|] _ <-; now apply IH.
  Qed.
  Lemma or_zero_agree v v' : agree_option v v' -> agree_quantity (or_zero forms v) (or_zero integers v').
  Proof. destruct v, v'; cbn; try contradiction; auto. intros _. split; cbn; auto using value_const. Qed.
  Lemma scaled_agree k v v' : agree_quantity v v' -> agree_quantity (scaled forms k v) (scaled integers k v').
  Proof. intros [V O]. split; cbn; auto. now rewrite value_times, V. Qed.

  (* The parts of a rule combine in few ways. Each lemma is about any programs, so that the evaluator is unfolded only
     where one of them is applied. *)
  Ltac chain H a := eapply sim_bind; [apply H|]; intros a _ <-.
  Notation same m n := (sim x eq m n).
  Lemma mapped_sim {B D} (f : B -> D) (m : program form B) m' : same m m' -> same (a <- m; Ret (f a)) (a <- m'; Ret (f a)).
  Proof. intro M. chain M a. now apply SimRet. Qed.
  Lemma two_sim {B D F} (f : B -> D -> F) (m : program form B) m' (n : program form D) n' : same m m' -> same n n' ->
    same (a <- m; b <- n; Ret (f a b)) (a <- m'; b <- n'; Ret (f a b)).
  Proof. intros M N. chain M a. chain N b. now apply SimRet. Qed.
  Lemma chosen_sim {D} m m' (s t : program form D) s' t' : same m m' -> same s s' -> same t t' ->
    same (b <- m; if b : bool then s else t) (b <- m'; if b : bool then s' else t').
  Proof. intros M S T. chain M b. now destruct b. Qed.
  Lemma first_sim (m t : program form (list candidate)) m' t' : same m m' -> same t t' ->
    same (a <- m; match a with [] => t | _ => Ret a end) (a <- m'; match a with [] => t' | _ => Ret a end).
  Proof. intros M T. chain M a. destruct a; [exact T|now apply SimRet]. Qed.
  Lemma then_sim {B D} (R : B -> D -> Prop) m m' (f : list candidate -> program form B) f' :
    same m m' -> (forall a, sim x R (f a) (f' a)) -> sim x R (bind m f) (bind m' f').
  Proof. intros M F. chain M a. apply F. Qed.
  Notation same_key m n := (sim x agree_quantity m n).
  Lemma changed_sim (f : quantity form -> quantity form) g m m' : same_key m m' ->
    (forall v v', agree_quantity v v' -> agree_quantity (f v) (g v')) ->
    same_key (v <- m; Ret (f v)) (v <- m'; Ret (g v)).
  Proof. intros M F. eapply sim_bind; [exact M|]. intros v v' Av. apply SimRet. auto. Qed.
  Lemma added_sim sign m m' n n' : same_key m m' -> same_key n n' ->
    same_key (a <- m; b <- n; Ret (add_quantity forms a b sign)) (a <- m'; b <- n'; Ret (add_quantity integers a b sign)).
  Proof.
    intros M N. eapply sim_bind; [exact M|]. intros v v' Av. eapply sim_bind; [exact N|]. intros w w' Aw. apply SimRet.
    now apply add_quantity_agree.
  Qed.
  Lemma compared_sim (f : quantity form -> quantity form -> program form bool) g m m' n n' : same_key m m' -> same_key n n' ->
    (forall a b a' b', agree_quantity a a' -> agree_quantity b b' -> same (f a b) (g a' b')) ->
    same (a <- m; b <- n; f a b) (a <- m'; b <- n'; g a b).
  Proof. intros M N F. eapply sim_bind; [exact M|]. intros v v' Av. eapply sim_bind; [exact N|]. auto. Qed.
  Lemma reduced_sim op f g m m' : same m m' -> keys f g ->
    same_key (from <- m; v <- over_set forms op f from None; Ret (or_zero forms v))
             (from <- m'; v <- over_set integers op g from None; Ret (or_zero integers v)).
  Proof.
    intros M K. chain M a. eapply sim_bind; [now apply over_set_sim|]. intros v v' Av. apply SimRet. now apply or_zero_agree.
  Qed.
  Lemma averaged_sim f g m m' : same m m' -> keys f g ->
    same_key (from <- m; v <- over_set forms Added f from None;
              Ret (fst (or_zero forms v), (snd (or_zero forms v) * Pos.of_nat (length from))%positive))
             (from <- m'; v <- over_set integers Added g from None;
              Ret (fst (or_zero integers v), (snd (or_zero integers v) * Pos.of_nat (length from))%positive)).
  Proof.
    intros M K. chain M a. eapply sim_bind; [now apply over_set_sim|]. intros v v' Av. apply SimRet.
    destruct (or_zero_agree v v' Av) as [V O]. split; cbn [fst snd]; [exact V|now rewrite O].
  Qed.

  Definition set_sim s := forall it, same (set_of forms C A len executing who s it) (set_of integers C A len' executing who s it).
  Definition key_sim k := forall c it,
    same_key (key_of forms C A len executing who k c it) (key_of integers C A len' executing who k c it).
  Definition test_sim t := forall c it, same (test_of forms C A len executing who t c it) (test_of integers C A len' executing who t c it).
  (* Argmax and MostLocal look into a filtered set. *)
  Definition filtered_sim s := match s with Where s t => set_sim s /\ test_sim t | _ => True end.
  Lemma argmax_sim s k : set_sim s -> filtered_sim s -> key_sim k -> set_sim (Argmax s k).
  Proof.
    intros S F K it.
    pose proof (then_sim eq _ _ _ _ (S it) (fun from => extreme_sim true false _ _ from (fun c => K c it) None None [] I)) as G.
    destruct s; try exact G. destruct c; try exact G. destruct F as [F _].
    pose proof (then_sim eq _ _ _ _ (F it) (fun from => heaviest_sim _ _ from (fun c => K c it))) as H.
    refine (_ : same (if weighs k then _ else _) (if weighs k then _ else _)). destruct (weighs k); [exact H|exact G].
  Qed.
  Lemma most_local_sim s : set_sim s -> filtered_sim s -> set_sim (MostLocal s).
  Proof.
    intros S F it.
    pose proof (then_sim eq _ _ _ _ (S it) (fun from => nearest_sim _ _ (sort_by_level from)
      (fun _ => SimRet _ _ true true eq_refl) [])) as G.
    destruct s; try exact G. destruct F as [F T].
    exact (then_sim eq _ _ _ _ (F it) (fun from => nearest_sim _ _ (sort_by_level from) (fun m => T m it) [])).
  Qed.
  Lemma times_agree k q : value x (form_times k (length_of forms C len executing q)) = k * length_of integers C len' executing q.
  Proof. now rewrite value_times, length_agree. Qed.
  Lemma servable_sim : key_sim Servable.
  Proof.
    intros c it. cbn [key_of]. destruct empty_is; [apply SimRet; split; [apply length_agree|reflexivity]|].
    chain has_work_sim b. apply SimRet. split; [|reflexivity]. destruct b; [apply length_agree|apply value_const].
  Qed.
  Lemma server_length_sim : key_sim ServerLength.
  Proof.
    intros c it. apply SimRet. split; [|reflexivity]. destruct A; try apply length_agree. apply total_agree. intro. apply length_agree.
  Qed.
  Lemma multiple_agree a b v v' : agree_quantity v v' ->
    agree_quantity (times forms a (fst v), (snd v * b)%positive) (times integers a (fst v'), (snd v' * b)%positive).
  Proof. intros [V O]. split; cbn [fst snd times forms integers]; [now rewrite value_times, V|now rewrite O]. Qed.
  Lemma expressions_sim : (forall s, set_sim s /\ filtered_sim s) /\ (forall k, key_sim k) /\ (forall t, test_sim t).
  Proof.
    apply expressions_ind.
    (* sets *)
    1-8: split; [intro; now apply SimRet|exact I].
    - intros s [S _] t [T _]. split; [intro it; exact (two_sim _ _ _ _ _ (S it) (T it))|exact I].
    - intros s [S _] t [T _]. split; [intro it; exact (two_sim (fun a b => filter (contains b) a) _ _ _ _ (S it) (T it))|exact I].
    - intros s [S _] t T. split; [intro it|now split].
      exact (then_sim eq _ _ _ _ (S it) (fun from => filter_by_sim _ _ from (fun m => T m it))).
    - intros s [S _] k K. split; [intro it|exact I].
      exact (then_sim eq _ _ _ _ (S it) (fun from => extreme_sim false false _ _ from (fun c => K c it) None None [] I)).
    - intros s [S F] k K. split; [now apply argmax_sim|exact I].
    - intros s [S F]. split; [now apply most_local_sim|exact I].
    - intros s [S _] t [T _]. split; [intro it; exact (first_sim _ _ _ _ (S it) (T it))|exact I].
    - intros c K s [S _] t [T _]. split; [intro it; exact (chosen_sim _ _ _ _ _ _ (K _ it) (S it) (T it))|exact I].
    - intros s [S _] t [T _]. split; [intro it; exact (then_sim eq _ _ _ _ (S it) T)|exact I].
    (* keys *)
    - intros c it. apply SimRet. split; [apply length_agree|reflexivity].
    - exact servable_sim.
    - exact server_length_sim.
    - intros c it. apply SimRet. split; [|reflexivity]. apply total_agree. intro. apply times_agree.
    - intros c it. apply SimRet. split; [apply times_agree|reflexivity].
    - intros c it. apply SimRet. split; [apply value_const|reflexivity].
    - intros n c it. apply SimRet. split; [apply value_const|reflexivity].
    - intros n c it. apply SimRet. split; [apply value_const|reflexivity].
    - intros c it. apply SimRet. split; [apply value_const|reflexivity].
    - intros k K c it. exact (changed_sim _ _ _ _ (K c it) (scaled_agree _)).
    - intros k K c it. exact (changed_sim _ _ _ _ (K c it) (scaled_agree _)).
    - intros k K c it. exact (changed_sim _ _ _ _ (K c it) (scaled_agree _)).
    - intros k K c it. exact (changed_sim _ _ _ _ (K c it) (scaled_agree _)).
    - intros a b k K c it. exact (changed_sim _ _ _ _ (K c it) (multiple_agree a b)).
    - intros j J k K c it. exact (added_sim 1 _ _ _ _ (J c it) (K c it)).
    - intros j J k K c it. exact (added_sim (-1) _ _ _ _ (J c it) (K c it)).
    - intros s [S _] k K c it. exact (reduced_sim Smallest _ _ _ _ (S it) (fun d => K d it)).
    - intros s [S _] k K c it. exact (reduced_sim Largest _ _ _ _ (S it) (fun d => K d it)).
    - intros s [S _] k K c it. exact (reduced_sim Added _ _ _ _ (S it) (fun d => K d it)).
    - intros s [S _] k K c it. exact (averaged_sim _ _ _ _ (S it) (fun d => K d it)).
    (* tests *)
    - intros c it. apply has_work_sim.
    - intros j J k K c it. exact (compared_sim _ _ _ _ _ _ (J c it) (K c it) less_quantity_sim).
    - intros j J k K c it. exact (compared_sim _ _ _ _ _ _ (J c it) (K c it) (fun _ _ _ _ a b => at_least_quantity_sim _ _ _ _ b a)).
    - intros j J k K c it. exact (compared_sim _ _ _ _ _ _ (J c it) (K c it) equal_quantity_sim).
    - intros c K d L m it. exact (chosen_sim _ _ _ _ _ _ (K m it) (L m it) (SimRet _ _ _ _ eq_refl)).
    - intros c K d L m it. exact (chosen_sim _ _ _ _ _ _ (K m it) (SimRet _ _ _ _ eq_refl) (L m it)).
    - intros c K m it. exact (mapped_sim negb _ _ (K m it)).
  Qed.
  Corollary rule_sim s : sim x eq (set_of forms C A len executing who s []) (set_of integers C A len' executing who s []).
  Proof. apply expressions_sim. Qed.
End Simulation.
