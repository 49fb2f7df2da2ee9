// The files that the zip archive and the MSI package of Windows install: bin/plumb.cmd, and the program in a folder of its
// version, so that an upgrade replaces no file that a running agent has open.
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listLockedPackages } from '../release/locked-packages.js'
import { fetchNode } from './base-programs.js'
import { collectLicences } from './licences.js'
import { put } from './system-files.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const target = 'win-x64'

/** Packages that are programs for other systems; Node 24 has what `libsql` is for. */
const foreign = /^node_modules\/(?:@libsql|libsql|@neon-rs)\//
/** Caches of V8, which rejects those of another system, maps and declarations. */
const needless = /\.(?:v8|map|d\.[cm]?ts|[cm]?ts|md|markdown|flow|tsbuildinfo)$|\/code\.bin$|\/dist\/\.made-from$/
/** Folders of libraries that only their tests and authors use. */
const needlessFolders = new Set([
  'test',
  'tests',
  '__tests__',
  '.github',
  'docs',
  'example',
  'examples',
  'bench',
  'benchmark',
  'benchmarks',
  'prebuilds',
])
/**
 * Length of the line in plumb.cmd. The file has the same size in all versions: cmd.exe reads on at the end of the line when
 * the program ends, also in a file that an upgrade has replaced meanwhile.
 */
const commandLength = 300
/** Files of Ruby that the program does not load. */
const needlessRuby = /\/@ruby\/.*(?:\+stdlib|debug)[^/]*\.wasm$/

/**
 * Writes the files below a folder. `node` is another node.exe than the pinned one, and `release` the version in paths.
 * @param {string} stage
 * @param {string | undefined} node
 * @param {string} release
 */
export function writeWindowsFiles(stage, node, release) {
  const program = join(stage, 'versions', release)
  mkdirSync(program, { recursive: true })
  copyFileSync(node ?? fetchNode(target), join(program, 'node.exe'))
  for (const path of ['package.json', 'LICENSE', 'hooks', 'environments.example', 'dist']) copy(path)
  for (const { path } of listLockedPackages()) if (!foreign.test(`${path}/`) && existsSync(join(root, path))) copy(path)
  cpSync(join(root, 'docs'), join(program, 'docs'), { recursive: true })
  if (node !== undefined) fetchNode(target)
  put(program, 'licences.txt', collectLicences(target).replaceAll(/\r?\n/g, '\r\n'))
  const command = readFileSync(join(root, 'ext/windows/plumb.cmd'), 'utf8').replaceAll('@VERSION@', release)
  put(stage, 'bin/plumb.cmd', `${command.trim().padEnd(commandLength)}\r\n`)

  /** @param {string} path */
  function copy(path) {
    cpSync(join(root, path), join(program, path), {
      recursive: true,
      filter: (from) =>
        !needless.test(from) &&
        !needlessRuby.test(from) &&
        !(from.includes('/node_modules/') && needlessFolders.has(basename(from)) && !from.includes('/dist/')),
    })
  }
}
