(* schedproof-certify-rocq FILE...: the extracted checker on files that `schedproof certify --rocq` wrote.

   A file is a stream of integers, each in groups of seven bits, least first; the first integer is the level: 3 with a
   statement about a chain, 1 with the questions and identities of a
   certificate. Exit code 0 when all are accepted, 1 when one is
   refused, 2 when one cannot be read. *)

exception Unreadable of string

let integers name =
  let bytes =
    try
      let channel = open_in_bin name in
      Fun.protect ~finally:(fun () -> close_in channel) (fun () -> really_input_string channel (in_channel_length channel))
    with Sys_error reason -> raise (Unreadable reason) in
  let rec go at shift value integers =
    if at = String.length bytes then
      if shift = 0 then List.rev integers else raise (Unreadable (name ^ ": the last integer does not end"))
    else
      let byte = Char.code bytes.[at] in
      let value = Z.logor value (Z.shift_left (Z.of_int (byte land 127)) shift) in
      if byte < 128 then go (at + 1) 0 Z.zero (Checker.signed value :: integers) else go (at + 1) (shift + 7) value integers in
  go 0 0 Z.zero []

let statement_of = function
  | Checker.Reached _ -> "from every state a finite set is reached in finite mean time"
  | Checker.Growth _ -> "the chain may never come down again"
  | Checker.Between _ -> "a long-run mean lies between two numbers"

(* Whether the file is accepted, and what it says. *)
let verdict name =
  match integers name with
  | level :: stream when Z.equal level (Z.of_int 3) -> (
      match Checker.decided stream with
      | Some (stated, accepted) -> (accepted, "level 3, " ^ statement_of (Checker.claimed stated))
      | None -> raise (Unreadable (name ^ ": no statement")))
  | level :: stream when Z.equal level Z.one -> (
      match Checker.logic_of stream with
      | Some logic -> (Checker.logic_proved (Some logic), "level 1, the logic alone")
      | None -> raise (Unreadable (name ^ ": no questions")))
  | _ -> raise (Unreadable (name ^ ": neither level 3 nor level 1"))

let () =
  match List.tl (Array.to_list Sys.argv) with
  | [] ->
      prerr_endline "usage: schedproof-certify-rocq FILE...";
      exit 2
  | files -> (
      try
        let check all name =
          let accepted, says = verdict name in
          Printf.printf "%-13s %s: %s\n" (if accepted then "accepted" else "refused") name says;
          all && accepted in
        exit (if List.fold_left check true files then 0 else 1)
      with Unreadable reason ->
        prerr_endline ("error: " ^ reason);
        exit 2)
