// Every manifest of Debian's modules, parsed by us and by real Puppet, turn by turn in one run.
//   npm run bench:parse [-- ROUNDS]
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseManifest } from '#built/language/syntax/parser/parser.js'

const rounds = Number(process.argv[2] ?? 3)
const files = execFileSync('find', ['-L', '/usr/share/puppet/modules', '-name', '*.pp'], { encoding: 'utf8' })
  .trim()
  .split('\n')
  .sort()
const sources = files.map((file) => ({ file, text: readFileSync(file, 'utf8') }))
const bytes = sources.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)

const ours = []
const theirs = []
for (let round = 0; round < rounds; round++) {
  ours.push(parseAll())
  const said = execFileSync('ruby', [fileURLToPath(new URL('parse.rb', import.meta.url)), '1'], {
    input: files.join('\n'),
    encoding: 'utf8',
  })
  theirs.push(said.trim().split(' ').map(Number))
}
console.log(
  `${files.length} manifests, ${(bytes / 1e6).toFixed(1)} MB, ${rounds} rounds in turn; in brackets the processor's time`,
)
say('plumb, first round in a cold process', ours.slice(0, 1))
say('plumb', ours)
say('Puppet', theirs)
const [wall, cpu] = [0, 1].map((clock) => {
  const [our, their] = [ours, theirs].map((rounds) => rounds.map((round) => round[clock]))
  return `${(median(their) / median(our)).toFixed(1)}, cold ${(median(their) / our[0]).toFixed(1)}`
})
console.log(`ratio of medians: ${wall}; of processor time, all threads: ${cpu}`)

function parseAll() {
  const start = performance.now()
  const before = process.cpuUsage()
  for (const source of sources) {
    try {
      parseManifest({ ...source })
    } catch (error) {
      if (error.name !== 'PuppetError') throw error
    }
  }
  const { user, system } = process.cpuUsage(before)
  return [performance.now() - start, (user + system) / 1000]
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

function say(what, values) {
  console.log(`${what}: ${values.map(([wall, cpu]) => `${wall.toFixed(0)} (${cpu.toFixed(0)})`).join(', ')} ms`)
}
