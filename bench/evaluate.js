// Loops of a million calls of a lambda, evaluated by us and by real Puppet, turn by turn in one run.
//   npm run bench:evaluate [-- ROUNDS]
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { openCommandLineCode } from '#built/code/environments/environment-opener.js'
import { compile } from '#built/compiler/compile.js'
import { plainRequest } from '../test/support/plain-request.js'

const rounds = Number(process.argv[2] ?? 3)
const manifests = {
  'a sum, a million lambda calls': '$x = Integer[1, 1000000].reduce(0) |$sum, $n| { $sum + $n * 2 % 7 }\nnotice($x)',
  'map, filter and text, 300,000 lambda calls':
    '$x = Integer[1, 150000].map |$n| { "host-${n}" }.filter |$h| { $h =~ /7$/ }\nnotice($x.length)',
  'if, case and hashes, 100,000 lambda calls': `
$x = Integer[1, 100000].reduce({ 'even' => 0, 'odd' => 0, 'by 5' => 0 }) |$sums, $n| {
  $key = if $n % 2 == 0 { 'even' } else { 'odd' }
  case $n % 5 {
    0: { $sums + { $key => $sums[$key] + 1, 'by 5' => $sums['by 5'] + 1 } }
    default: { $sums + { $key => $sums[$key] + 1 } }
  }
}
notice($x)`,
}

for (const [name, code] of Object.entries(manifests)) {
  /** @type {number[]} */
  const ours = []
  /** @type {number[]} */
  const theirs = []
  const said = new Set()
  for (let round = 0; round < rounds; round++) {
    const [milliseconds, answer] = plumb(code)
    const real = JSON.parse(
      execFileSync('ruby', [fileURLToPath(new URL('evaluate.rb', import.meta.url))], { input: code, encoding: 'utf8' }),
    )
    ours.push(milliseconds)
    theirs.push(real.milliseconds)
    said.add(answer).add(real.said)
  }
  if (said.size !== 1) throw new Error(`${name}: ${[...said].join(' and ')}`)
  console.log(`${name}, ${rounds} rounds in turn`)
  say('  plumb', ours)
  say('  Puppet', theirs)
  console.log(`  ratio of medians: ${(median(theirs) / median(ours)).toFixed(1)}`)
}

/** @returns {[milliseconds: number, said: string | undefined]} */
function plumb(code) {
  const environment = openCommandLineCode({ name: 'production', modulepath: [], manifest: { text: code } })
  const start = performance.now()
  const { logs } = compile(plainRequest(environment))
  return [performance.now() - start, logs.at(-1)?.message]
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

function say(what, values) {
  console.log(`${what}: ${values.map((value) => value.toFixed(0)).join(', ')} ms`)
}
