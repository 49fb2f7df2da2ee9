// Builds the executable of a target and a package of it: npm run package:deb|rpm [-- --output FOLDER] [--target TARGET]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packageExecutable } from '../package-executable.js'
import { ownTarget, targets } from './base-programs.js'
import { packageDeb } from './deb.js'
import { packageRpm } from './rpm.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { output: { type: 'string', default: 'packages' }, target: { type: 'string', default: ownTarget } },
})
const { output, target } = values
if (!targets.includes(target)) {
  console.error(`Error: There is no target '${target}'. Targets: ${targets.join(', ')}.`)
  process.exit(1)
}
const folder = mkdtempSync(join(tmpdir(), 'plumbline-program-'))
try {
  const program = await packageExecutable(folder, target)
  const build = positionals[0] === 'rpm' ? packageRpm : packageDeb
  console.log(build(resolve(output), { program, target }))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
