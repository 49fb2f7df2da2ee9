// From spawn to exit of small commands, and of node itself.
//   npm run bench:cli-start [-- RUNS]
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const runs = Number(process.argv[2] ?? 15)
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'plumb-bench-'))
const manifest = join(folder, 'site.pp')
writeFileSync(manifest, "notice('x')\n")
const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
const commands = {
  'node -e 0': ['-e', '0'],
  "plumb apply -e notice('x')": [main, 'apply', '-e', "notice('x')", ...places],
  'plumb script site.pp': [main, 'script', manifest, ...places],
  'plumb parser validate site.pp': [main, 'parser', 'validate', manifest, ...places],
  'plumb parser dump site.pp': [main, 'parser', 'dump', manifest],
}

try {
  for (const [name, words] of Object.entries(commands)) {
    run(words)
    const times = Array.from({ length: runs }, () => run(words)).sort((a, b) => a - b)
    const [least, median, most] = [0, 0.5, 1].map((part) => times[Math.round(part * (runs - 1))].toFixed(0))
    console.log(`${name}: median ${median} ms (least ${least}, most ${most}, ${runs} runs)`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function run(words) {
  const start = performance.now()
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`)
  return performance.now() - start
}
