// Node's programs for the single executable, as npm packages of pinned versions: the newest version with long-term
// support. They are fetched when an executable is built, and kept for the next time.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../../node_modules/.cache/plumbline-node', import.meta.url))

/**
 * Packages by target. `elfMachine` and `peMachine` are the processor in the head of a program for Linux and for Windows;
 * `licenceOf` is the target whose package contains the licences.
 * @type {Readonly<Record<string, { version: string, sha512: string, elfMachine?: number, peMachine?: number,
 *   licenceOf?: string }>>}
 */
const programs = {
  'linux-x64': {
    version: '24.22.3',
    sha512: 'KHsob+Fv9YerATvYujMbiyJqnRCvLtrcr/eTNqRqiOSGp97EOiRP1yP47+knGgQ/xnc3XY8xzkW587dlZzNqRA==',
    elfMachine: 62,
  },
  'linux-arm64': {
    version: '24.22.3',
    sha512: 'IZx0J52/1NDwAsY2iyWR9nlPIYuYviTWetjj8+ElvYQh2+XRhLfCfkbFEF/2O5vGI2hcUbyPNHV+nz342FbJXw==',
    elfMachine: 183,
  },
  'win-x64': {
    version: '24.21.0',
    sha512: '0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
    peMachine: 0x8664,
    licenceOf: 'linux-x64',
  },
}

/** Targets for which an executable can be built. */
export const targets = Object.keys(programs).filter((target) => programs[target]?.elfMachine !== undefined)

/** The target of this machine. */
export const ownTarget = `${process.platform}-${process.arch}`

/**
 * Returns the path of Node for a target. Throws if the package differs from the pinned one.
 * @param {string} target
 */
export function fetchNode(target) {
  const { version, sha512, elfMachine, peMachine, licenceOf } =
    programs[target] ?? refuse(`There is no Node for ${target}`)
  const file = join(cache, `node-${target}-${version}`)
  if (existsSync(file) && existsSync(getLicenceFile(target))) return file
  if (licenceOf !== undefined) fetchNode(licenceOf)
  mkdirSync(cache, { recursive: true })
  const scratch = mkdtempSync(join(cache, 'new-'))
  try {
    const [name = ''] = execFileSync('npm', ['pack', '--silent', `node-${target}@${version}`], {
      cwd: scratch,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
      .trim()
      .split('\n')
    const archive = join(scratch, name)
    if (createHash('sha512').update(readFileSync(archive)).digest('base64') !== sha512)
      refuse(`${name} differs from the pinned package`)
    const inPackage = peMachine === undefined ? 'package/bin/node' : 'package/bin/node.exe'
    const licences = licenceOf === undefined ? ['package/LICENSE'] : []
    execFileSync('tar', ['-xzf', archive, '-C', scratch, inPackage, ...licences], { stdio: 'inherit' })
    const program = join(scratch, inPackage)
    const bytes = readFileSync(program)
    const isRight =
      peMachine === undefined
        ? bytes.readUInt16LE(18) === elfMachine
        : bytes.readUInt16LE(bytes.readUInt32LE(0x3c) + 4) === peMachine
    if (!isRight) refuse(`${name} is for another processor`)
    chmodSync(program, 0o755)
    for (const file of licences) renameSync(join(scratch, file), getLicenceFile(target))
    renameSync(program, file)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  return file
}

/**
 * @param {string} reason
 * @returns {never}
 */
function refuse(reason) {
  throw new Error(reason)
}

/** Lists Node's programs of the executables with their npm packages. */
export function listNodes() {
  return Object.entries(programs)
    .filter(([target]) => targets.includes(target))
    .map(([target, { version, sha512 }]) => ({ target, version, sha512 }))
}

/**
 * Returns the path of the licences of Node and of the libraries in it, after `fetchNode`.
 * @param {string} target
 */
export function getLicenceFile(target) {
  const origin = programs[target]?.licenceOf ?? target
  return join(cache, `LICENSE-${origin}-${programs[origin]?.version}`)
}
