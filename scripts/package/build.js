// Builds the executable of a target, or a package of it:
//   npm run package:binary|deb|rpm [-- --output FOLDER] [--target linux-x64|linux-arm64]
//   npm run package:win|msi [-- --output FOLDER] [--node FILE]   FILE: another node.exe than the pinned one
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ownTarget, targets } from './base-programs.js'
import { packageDeb } from './deb.js'
import { packageExecutable } from './executable.js'
import { packageRpm } from './rpm.js'
import { packageMsi, packageZip } from './windows.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    output: { type: 'string', default: 'packages' },
    target: { type: 'string', default: ownTarget },
    node: { type: 'string' },
  },
})
const { target } = values
const output = resolve(values.output)
const packagers = { deb: packageDeb, rpm: packageRpm }
if (!targets.includes(target)) {
  console.error(`Error: There is no target '${target}'. Targets: ${targets.join(', ')}.`)
  process.exit(1)
}
const [kind] = positionals
const packager = packagers[kind]
if (kind === 'win' || kind === 'msi') console.log((kind === 'win' ? packageZip : packageMsi)(output, values.node))
else console.log(packager ? await buildPackage(packager) : await packageExecutable(output, target))

/** @param {typeof packageDeb} packager */
async function buildPackage(packager) {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-program-'))
  try {
    return packager(output, { program: await packageExecutable(folder, target), target })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
