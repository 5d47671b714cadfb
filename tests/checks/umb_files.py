#!/usr/bin/env python3
"""umb_files.py COMMAND SOURCE_DIR: what `graph --umb` writes is UMB, and is the chain that `graph --prism` writes.

An independent reader of the unified Markov binary format, written from its specification (format version 1, revision 0)
with Python's standard library alone. It takes nothing that the specification does not name: every member of the archive
must be announced by the index, have the size that the index gives it, and hold zeros where nothing is stored. The chain
that it rebuilds is compared with the PRISM explicit files of the same chain, number by number as exact fractions, for
counted queues, listed tasks, preemption, batches and servers committed without a task, in slots and in continuous time.
Two chains of one server are compared with laws found by hand. Exit code 0, or 1 with the first difference.
"""
import io
import json
import re
import subprocess
import sys
import tarfile
import tempfile
from fractions import Fraction
from pathlib import Path


class Wrong(Exception):
    """A file that is not what it should be."""


def require(condition, message):
    if not condition:
        raise Wrong(message)


def members(raw):
    """The files of the archive by name, in their order; the headers must say nothing of who wrote it, or when."""
    require(raw[257:263] == b'ustar\0', 'no magic of POSIX tar')
    require(len(raw) % 512 == 0 and raw[-1024:] == bytes(1024), 'no end of the archive')
    files = {}
    with tarfile.open(fileobj=io.BytesIO(raw), mode='r:') as archive:
        for entry in archive:
            require(entry.isfile() and entry.name not in files, f'{entry.name}: no file, or a second one')
            require((entry.uid, entry.gid, entry.mtime, entry.uname, entry.gname) == (0, 0, 0, '', ''),
                    f'{entry.name}: the header is not the same everywhere')
            require(all(re.fullmatch(r'[a-z0-9_-]+(\.[a-z0-9_-]+)?', part) for part in entry.name.split('/')),
                    f'{entry.name}: a name outside the format')
            files[entry.name] = archive.extractfile(entry).read()
    require(next(iter(files)) == 'index.json', 'index.json is not the first file')
    return files


def object_of(value, needed, possible, where):
    require(set(needed) <= set(value) <= set(needed) | set(possible), f'index: members of {where}: {sorted(value)}')


def type_of(value, where, kinds):
    """Kind and bits; the size always stands there, as readers demand it that the format does not oblige."""
    object_of(value, ['type', 'size'], [], where)
    require(value['type'] in kinds, f'{where}: type {value["type"]}')
    if value['type'] == 'rational':
        require(value['size'] > 0 and value['size'] % 128 == 0, f'{where}: a rational of {value["size"]} bits')
    return value['type'], value['size']


def number(data, signed=False):
    return int.from_bytes(data, 'little', signed=signed)


class Umb:
    """A chain read from a file. Every file that is used is taken out of `files`; none may remain."""

    def __init__(self, raw):
        self.files = members(raw)
        index = json.loads(self.files.pop('index.json').decode('utf-8'))
        object_of(index, ['format-version', 'format-revision', 'transition-system'],
                  ['model-data', 'file-data', 'annotations', 'valuations'], 'index')
        require((index['format-version'], index['format-revision']) == (1, 0), 'another version')
        object_of(index['file-data'], ['tool', 'tool-version'], [], 'file-data')
        object_of(index['model-data'], ['name'], ['description'], 'model-data')
        require(index['file-data']['tool'] == 'schedproof', 'another tool')
        self.name = index['model-data']['name']
        self.read_system(index['transition-system'])
        self.read_annotations(index['annotations'])
        self.read_valuations(index['valuations'])
        require(not self.files, f'files that the index does not announce: {sorted(self.files)}')

    def words(self, name, count):
        data = self.files.pop(name)
        require(len(data) == 8 * count, f'{name}: {len(data)} bytes for {count} words')
        return [number(data[8 * i:8 * i + 8]) for i in range(count)]

    def bits(self, name):
        words = self.words(name, (self.states + 63) // 64)
        held = [s for s in range(64 * len(words)) if words[s // 64] >> (s % 64) & 1]
        require(all(s < self.states for s in held), f'{name}: a bit beyond the last state')
        return set(held)

    def rationals(self, name, declared, count):
        _, bits = type_of(declared, name, ['rational'])
        self.widest = max(self.widest, bits)
        half, data = bits // 16, self.files.pop(name)
        require(len(data) == 2 * half * count, f'{name}: {len(data)} bytes for {count} rationals of {bits} bits')
        values = []
        for at in range(0, len(data), 2 * half):
            above, below = number(data[at:at + half], signed=True), number(data[at + half:at + 2 * half])
            require(0 < below < 1 << (8 * half - 1), f'{name}: a denominator that a reader may take as negative')
            values.append(Fraction(above, below))
            require(values[-1].denominator == below, f'{name}: {above}/{below} is not in lowest terms')
        require(bits == 128 or any(max(abs(q.numerator), q.denominator) >> (bits // 2 - 65) for q in values),
                f'{name}: {bits} bits are more than any number there needs')
        return values

    def read_system(self, system):
        self.continuous = system['time'] == 'stochastic'
        object_of(system, ['time', '#players', '#states', '#initial-states', '#choices', '#choice-actions', '#branches',
                           '#branch-actions', '#observations', 'branch-probability-type']
                  + (['exit-rate-type'] if self.continuous else []), [], 'transition-system')
        require(system['time'] in ('discrete', 'stochastic'), 'another time')
        for what in ('#players', '#choice-actions', '#branch-actions', '#observations'):
            require(system[what] == 0, f'{what} in a chain')
        self.states, self.branches, self.widest = system['#states'], system['#branches'], 128
        require(system['#choices'] == self.states, 'not one choice per state')
        starts = self.words('choice-to-branches.bin', self.states + 1)
        require(starts[0] == 0 and starts[-1] == self.branches and starts == sorted(starts), 'rows of branches')
        targets = self.words('branch-to-target.bin', self.branches)
        require(all(t < self.states for t in targets), 'a branch to no state')
        probability = self.rationals('branch-to-probability.bin', system['branch-probability-type'], self.branches)
        self.exit_rates = [Fraction(1)] * self.states
        if self.continuous:
            self.exit_rates = self.rationals('state-to-exit-rate.bin', system['exit-rate-type'], self.states)
        self.rates = {}
        for s in range(self.states):
            row = range(starts[s], starts[s + 1])
            require(sum(probability[b] for b in row) == 1, f'the probabilities of state {s} do not sum to 1')
            for b in row:
                require((s, targets[b]) not in self.rates, f'two branches from {s} to {targets[b]}')
                self.rates[s, targets[b]] = probability[b] * self.exit_rates[s]
        self.initial = self.bits('state-is-initial.bin')
        require(len(self.initial) == system['#initial-states'], 'the number of initial states')

    def read_annotations(self, groups):
        object_of(groups, ['aps', 'rewards'], [], 'annotations')
        self.labels, self.rewards = {'init': self.initial}, {}
        for group, kinds in (('aps', ['bool']), ('rewards', ['rational'])):
            for name, entry in groups[group].items():
                object_of(entry, ['applies-to', 'type'], [], name)
                require(re.fullmatch('[0-9a-z_-]+', name) and entry['applies-to'] == ['states'], f'{name}: annotation')
                kind, bits = type_of(entry['type'], name, kinds)
                file = f'annotations/{group}/{name}/states/values.bin'
                if kind == 'rational':
                    self.rewards[name] = self.rationals(file, entry['type'], self.states)
                else:
                    require(bits == 1 and name not in self.labels, f'{name}: a label of {bits} bits, or a second one')
                    self.labels[name] = self.bits(file)

    def read_valuations(self, entries):
        object_of(entries, ['states'], [], 'valuations')
        object_of(entries['states'], ['unique', 'classes'], [], 'valuations of states')
        require(len(entries['states']['classes']) == 1, 'several classes')
        self.variables, fields, at = [], [], 0
        for item in entries['states']['classes'][0]['variables']:
            if 'padding' in item:
                object_of(item, ['padding'], [], 'padding')
                fields.append((None, at, item['padding']))
            else:
                object_of(item, ['name', 'type'], [], 'a variable')
                kind, bits = type_of(item['type'], item['name'], ['int', 'uint'])
                self.variables.append(item['name'])
                fields.append((kind, at, bits))
            at += fields[-1][2]
        require(at % 8 == 0 and len(set(self.variables)) == len(self.variables), 'padding, or names of variables')
        data = self.files.pop('valuations/states/valuations.bin')
        require(len(data) == at // 8 * self.states, 'the size of the valuations')
        self.values = [self.valuation(number(data[i:i + at // 8]), fields) for i in range(0, len(data), at // 8)]
        require(entries['states']['unique'] == (len(set(self.values)) == len(self.values)), 'unique')

    @staticmethod
    def valuation(packed, fields):
        values = []
        for kind, at, bits in fields:
            value = packed >> at & (1 << bits) - 1
            require(kind or value == 0, 'padding that is not zero')
            if kind:
                values.append(value - (1 << bits) if kind == 'int' and value >> bits - 1 else value)
        return tuple(values)


def lines(path):
    return [line for line in path.read_text(encoding='utf-8').splitlines() if line and not line.startswith('#')]


def prism(folder, stem):
    """What the PRISM explicit files of a chain say: rates or probabilities, variables, values, labels, rewards."""
    head, *rest = lines(folder / f'{stem}.tra')
    states, count = map(int, head.split())
    rates = {(int(s), int(t)): Fraction(p) for s, t, p in map(str.split, rest)}
    require(len(rates) == count == len(rest), 'transitions of the .tra file')
    head, *rest = lines(folder / f'{stem}.sta')
    values = [tuple(map(int, line.split(':')[1].strip('()').split(','))) for line in rest]
    names, *rest = lines(folder / f'{stem}.lab')
    names = {int(i): name for i, name in re.findall(r'(\d+)="(\w+)"', names)}
    labels = {name: set() for name in names.values()}
    for line in rest:
        state, held = line.split(':')
        for i in held.split():
            labels[names[int(i)]].add(int(state))
    rewards = {}
    for path in sorted(folder.glob(f'{stem}?.srew')):
        name = re.search('"(.*)"', path.read_text(encoding='utf-8')).group(1)
        rewards[name] = [Fraction(0)] * states
        for state, value in map(str.split, lines(path)[1:]):
            rewards[name][int(state)] = Fraction(value)
    return rates, head.strip('()').split(','), values, labels, rewards


def compare(found, expected, what):
    require(found == expected, f'{what}: expected {str(expected)[:300]}, not {str(found)[:300]}')


def chain(command, folder, arguments):
    """The chain of the command's arguments, read from both formats and found to be the same."""
    for name in ('m', 'again'):
        run = subprocess.run([command, 'graph', *arguments, '-o', 'a.dot', '--prism', 'm', '--umb', f'{name}.umb'],
                             cwd=folder, capture_output=True, text=True)
        require(run.returncode == 0, f'{arguments}: {run.stderr}')
    raw = (folder / 'm.umb').read_bytes()
    require(raw == (folder / 'again.umb').read_bytes(), 'the same chain twice gives other bytes')
    umb = Umb(raw)
    rates, variables, values, labels, rewards = prism(folder, 'm')
    compare(umb.rates, rates, 'transitions')
    compare(umb.variables, variables, 'variables')
    compare(umb.values, values, 'values of variables')
    compare(umb.labels, labels, 'labels')
    compare(umb.rewards, rewards, 'rewards')
    compare(umb.initial, {0}, 'initial states')
    require(f'again.umb: {umb.states} states, {umb.branches} branches, fractions of {umb.widest} bits\n' in run.stdout,
            f'the report: {run.stdout}')
    return umb


def one_server(arrival, time):
    """A server that completes a task with probability or rate 1/2; one task at most is in the cluster."""
    law = 'bernoulli' if time == 'slots' else 'poisson'
    continuous = '' if time == 'slots' else 'time = "continuous"\n'
    return (f'family = "queueing"\nname = "one server"\n{continuous}servers = ["s"]\n'
            'levels = [{name = "local", rate = "1/2"}, {name = "remote", rate = "1/4"}]\n'
            'types = [{name = "A", replicas = ["s"]}]\n'
            f'arrivals = {{kind = "{law}", values = {{A = "{arrival}"}}}}\n')


def known_answers(command, folder):
    """Found by hand. In a slot a task arrives with probability 1/3, may start at once, and completes with probability
    1/2; a busy server loses what arrives. In continuous time events have rate 1/3 + 1/2, the clock of an idle server
    included, and a busy server loses what arrives."""
    third, half, one = Fraction(1, 3), Fraction(1, 2), Fraction(1)
    labels = {'init': {0}, 'deadlock': set(), 'empty': {0}, 'all_busy': {1}, 'idle_with_waiting': set(),
              'blocking': {1}}
    for time, rates, completed, exit_rate in (
            ('slots', {(0, 0): 1 - third * half, (0, 1): third * half, (1, 0): half, (1, 1): half},
             [third * half, half], one),
            ('time', {(0, 0): half, (0, 1): third, (1, 0): half, (1, 1): third}, [Fraction(0), half], third + half)):
        (folder / 'one.toml').write_text(one_server('1/3', time), encoding='utf-8')
        umb = chain(command, folder, ['one.toml', '-p', 'jsq-maxweight', '--cap-total', '1'])
        compare(umb.continuous, time == 'time', 'the time')
        compare(umb.name, 'one server', 'the name')
        compare(umb.rates, rates, 'the law by hand')
        compare(umb.exit_rates, [exit_rate] * 2, 'the exit rates by hand')
        compare(umb.labels, labels, 'the labels by hand')
        compare((umb.variables, umb.values), (['q_s', 'f_s'], [(0, 0), (1, 1)]), 'the states by hand')
        compare(umb.rewards, {'tasks': [0, one], 'completed': completed, 'blocked': [0, third]}, 'the rewards by hand')
        compare(umb.widest, 128, 'the bits of a number')


def wide_numbers(command, folder):
    """Denominators around the powers of two at which a number takes another word, and far beyond."""
    for below, bits in ((2**61 - 1, 128), (2**62 - 57, 128), (2**63 - 25, 256), (2**64 + 13, 256), (2**127 - 1, 384),
                        (10**300, 2048)):
        (folder / 'wide.toml').write_text(one_server(f'1/{below}', 'slots'), encoding='utf-8')
        umb = chain(command, folder, ['wide.toml', '-p', 'fifo', '--cap-total', '1'])
        # 1/2 times the probability of an arrival is the smallest entry.
        compare(min(umb.rates.values()), Fraction(1, 2 * below), 'the least probability')
        compare(umb.widest, bits, f'the bits of 1/{2 * below}')


def committed(command, folder, instances):
    """Servers that turn to a queue without a task and stay with it: their status is a negative number."""
    text = (instances / 'm2-half.toml').read_text(encoding='utf-8')
    (folder / 'committed.toml').write_text(text + '[options]\nunmatched = "phantom"\n', encoding='utf-8')
    umb = chain(command, folder, ['committed.toml', '-p', 'wang-jsq-maxweight', '--cap-total', '3'])
    require(min(map(min, umb.values)) < 0, 'no status is negative')


def in_time(folder, instances):
    """Two types that wait in one list, in continuous time."""
    text = (instances / 'm2-half.toml').read_text(encoding='utf-8')
    text = text.replace('family = "queueing"', 'family = "queueing"\ntime = "continuous"')
    (folder / 'm2-in-time.toml').write_text(text.replace('"bernoulli"', '"poisson"'), encoding='utf-8')


SYSTEMS = (
    ('m2-half', 'wang-jsq-maxweight', '--cap-total', '4'),
    ('m2-half', 'wang-jsq-maxweight', '--cap-queue', '2'),
    ('m2-half', 'fifo', '--cap-total', '4'),
    ('m2-half', 'balanced-pandas', '--cap-total', '3'),
    ('m2-half', 'fluid-model-planning:static', '--cap-total', '2'),
    ('m2-uneven', 'generalized-cmu', '--cap-total', '3'),
    ('n2-pandas', 'pandas:plain', '--cap-total', '2'),
    ('unlike', 'jsq-maxweight', '--cap-total', '3'),
    ('slow-server', 'random-local', '--cap-total', '3'),
    ('mm2-jsq', 'join-shortest-queue', '--cap-total', '6'),
    ('n-in-time', 'generalized-cmu', '--cap-total', '4'),
    ('m2-in-time', 'fifo', '--cap-total', '4'),
    ('n-system-preemptive', 'generalized-cmu', '--cap-total', '4'),
    ('batches', 'join-shortest-queue', '--cap-total', '4'),
    ('two-classes', 'generalized-cmu', '--cap-total', '3'),
)


def main(command, source):
    instances = Path(source).resolve() / 'experiments/instances'
    command = Path(command).resolve()
    seen = set()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            known_answers(command, folder)
            wide_numbers(command, folder)
            committed(command, folder, instances)
            in_time(folder, instances)
            for system in SYSTEMS:
                own = folder / f'{system[0]}.toml'
                file = own if own.exists() else instances / own.name
                umb = chain(command, folder, [str(file), '-p', *system[1:]])
                time = 'time' if umb.continuous else 'slots'
                seen |= {(time, variable[:2]) for variable in umb.variables}
                seen.add((time, 'servers hold tasks' if 'all_busy' in umb.labels else 'preemption'))
                print(*system, umb.states, 'states')
            parts = ('q_', 'f_', 'w_', 'servers hold tasks')
            compare(seen, {*((time, part) for time in ('slots', 'time') for part in parts), ('time', 'preemption')},
                    'kinds of systems')
        except (Wrong, KeyError, tarfile.TarError) as difference:
            print('umb_files:', difference)
            return 1
    return 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
