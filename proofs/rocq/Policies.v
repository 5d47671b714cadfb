(* The registered policies whose theorems this folder can close, as rules: what policies/queueing/*.hpp says.

   Believe: a theorem about one of these names is about the rule below. *)
From Coq Require Import ZArith.
From Schedproof Require Import Cluster Language.

(* A task joins the shortest queue among its local servers; a server serves its own. [winston1977] *)
Definition join_shortest_queue := Policy per_server (Argmin Local Length) Own.
(* A task joins the server of least workload over rate; a server serves its own tasks, most local first. [xie2016] *)
Definition balanced_pandas :=
  Policy per_server_and_level (Argmin Servers (OverRate ServerWorkload)) (FirstOf (MostLocal (Where OwnLevels HasWork)) Own).
(* A task joins the shortest local queue; a server turns to the queue of largest rate times length. [xie2016] *)
Definition jsq_maxweight :=
  Policy per_server (Argmin Local Length) (FirstOf (Argmax (Where Reachable HasWork) (TimesRate Length)) Own).
(* The same with a common queue for remote tasks. [wang2013] *)
Definition wang_jsq_maxweight :=
  Policy per_server_and_common (Argmin (Unite Local Common) Length)
    (When (LessEqual (Least Common (TimesRate Servable)) (Least Own (TimesRate Servable))) Own Common).
(* A server serves its own queue, else helps the longest one if rate times length is at least the local rate. [xie2015] *)
Definition pays := LessEqual (TimesLocal (Constant 1%Z)) (TimesRate Length).
Definition pandas_plain :=
  Policy per_server (Argmin Local Length)
    (FirstOf (Where Own HasWork) (FirstOf (Where (Argmax (Where Reachable HasWork) Length) pays) Own)).
(* The same, helping the queue of largest rate times length. *)
Definition pandas_rackaware :=
  Policy per_server (Argmin Local Length)
    (FirstOf (Where Own HasWork) (FirstOf (Where (Argmax (Where Reachable HasWork) (TimesRate Length)) pays) Own)).
(* A queue per type; a server turns to the type of largest marginal cost times rate. [mandelbaum2004] *)
Definition generalized_cmu := Policy per_type OwnType (Argmax (Where Reachable HasWork) (TimesRate MarginalCost)).
