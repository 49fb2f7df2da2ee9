// Every manifest of Debian's modules, parsed by us and by real Puppet, turn by turn in one run.
//   npm run bench:parse [-- ROUNDS]
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseManifest } from '../dist/language/parser/parser.js'

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
  const said = execFileSync('ruby', [new URL('parse.rb', import.meta.url).pathname, '1'], {
    input: files.join('\n'),
    encoding: 'utf8',
  })
  theirs.push(Number(said.trim()))
}
console.log(`${files.length} manifests, ${(bytes / 1e6).toFixed(1)} MB, ${rounds} rounds in turn`)
say('plumb, first round in a cold process', ours.slice(0, 1))
say('plumb', ours)
say('Puppet', theirs)
console.log(
  `ratio of medians: ${(median(theirs) / median(ours)).toFixed(1)}; cold: ${(median(theirs) / ours[0]).toFixed(1)}`,
)

function parseAll() {
  const start = performance.now()
  for (const source of sources) {
    try {
      parseManifest({ ...source })
    } catch (error) {
      if (error.name !== 'PuppetError') throw error
    }
  }
  return performance.now() - start
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

function say(what, values) {
  console.log(`${what}: ${values.map((value) => value.toFixed(0)).join(', ')} ms`)
}
