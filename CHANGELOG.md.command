- `flowtime` is now `simulate` with policies of the redundancy family; the options keep their names, except `--cdf`, now `--picture`, and
  `--jobs`, now `--trace` (`--jobs` is still accepted). `flowtime` stays as an alias that prints a one-line note, and accepts `--cdf`. `-p` is
  required (it was: the six policies of the paper). `--horizon` is a decimal number there (fractions such as 1/2 are refused). A recorded
  trace excludes `--horizon` and `--sizes` as before, with another message. The JSON answer is unchanged (schema `flowtime`).
- `simulate` refuses options of batched studies (`--precision`, `--warm-up`, `--resume`, ...) with redundancy policies, and `sweep` refuses
  these policies.
- `--help` names the values of options (`--certificate FILE`, `--seed N`, `--format {text, json}`, `--cases N in [1, 1000000]`) in place of
  `TEXT`, `UINT`, `FLOAT`; options of `simulate` that two families have stand under a heading of their own.
- A mistyped command is answered with `expected a command, not 'capcity' (did you mean 'capacity'?)` alone.
- Numbers outside their range: `--horizon: expected a number above 0, not -5`, `--batches: expected a whole number from 1 to 100000, not 0`
  (they named the limits of double, or "Value 0 not in range"). Whole numbers are decimal digits only (0x10 was accepted).
- `simulate --rate` without `--servers`: `--rate: expected --servers beside it` (was: `--rate requires --servers`).
- An unknown policy of `simulate`: `expected a policy of the queueing, the sharing or the redundancy family, not ...`.
- Grids of `worst`: one message for `FROM:TO:STEP` of both families.
- `list --help`: options are "interpretations of the slot".
- The `replay` line of `prove drift` quotes words as `sweep --dry-run` does.
