// Builds the program as one file: Node, followed by the program's files (src/base/program reads them): code, Ruby, pages, hooks. A package
// of an operating system installs it as /usr/bin/plumb, and the defaults of its folders as
// /usr/lib/plumbline/package-folders.json; the executable reads no other file of the program from the disk.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fetchNode, ownTarget } from './base-programs.js'
import { bundleExecutable } from './executable-bundle.js'
import { listFiles } from './reproducible.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Files of the program that are no code, and folders of such files. */
const data = [
  'package.json',
  'hooks',
  'environments.example',
  'dist/language/module-functions/proven.json',
  'dist/server/pages/assets',
  'dist/workbench/spec/ruby',
  'dist/ruby/native-ruby',
  'dist/ruby/patches.bin',
  'dist/ruby/stdlib.bin',
  'dist/ruby/snapshot.bin',
  'dist/ruby/node-snapshot.bin',
  'node_modules/@ruby/3.4-wasm-wasi/dist/ruby.wasm',
  'node_modules/uplot/dist/uPlot.esm.js',
  'node_modules/uplot/dist/uPlot.min.css',
]
/** Text in Node's program that is changed to make it look for a script to start; part of Node's interface. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/**
 * Builds the executable in a folder, and returns its path.
 * @param {string} output
 * @param {string} target
 */
export async function packageExecutable(output, target = ownTarget) {
  const node = fetchNode(target)
  const builder = fetchNode(ownTarget)
  const stage = mkdtempSync(join(tmpdir(), 'plumbline-executable-'))
  try {
    await bundleExecutable(stage)
    for (const path of data) cpSync(join(root, path), join(stage, path), { recursive: true })
    // V8's code is for one processor; on another one, the executable starts slower.
    if (target === ownTarget) cacheCode(stage, builder)
    mkdirSync(output, { recursive: true })
    const file = join(output, `plumb-${target}`)
    copyFileSync(node, `${file}.new`)
    await addStart(`${file}.new`, stage, builder)
    appendFiles(`${file}.new`, stage)
    chmodSync(`${file}.new`, 0o755)
    renameSync(`${file}.new`, file)
    return file
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

/**
 * The words before a program that always give it the same addresses. Machine code contains parts of addresses, which V8
 * replaces when it loads the code: the same addresses give the same bytes. Containers do not allow this.
 */
function chooseAddresses() {
  const words = ['setarch', process.arch === 'x64' ? 'x86_64' : 'aarch64', '--addr-no-randomize']
  const [program = '', ...rest] = words
  if (spawnSync(program, [...rest, 'true']).status === 0) return words
  process.stderr.write('Addresses are random here (setarch fails): another build has other bytes of machine code.\n')
  return []
}

/**
 * Adds what the executable's V8 compiles of the code and of Ruby.
 * @param {string} stage
 * @param {string} node
 */
function cacheCode(stage, node) {
  const sameAddresses = chooseAddresses()
  /** @param {string[]} words */
  const run = (...words) => {
    const [program = '', ...all] = [...sameAddresses, node, '--hash-seed=1', ...words]
    execFileSync(program, all, { stdio: ['ignore', 'inherit', 'inherit'] })
  }
  run(join(root, 'scripts/package/cache-code.js'), join(stage, 'dist/bundle'))
  // The script writes the machine code beside the compiled program, and finds libraries above it.
  const copy = mkdtempSync(join(root, 'node_modules/.cache/plumbline-ruby-'))
  try {
    cpSync(join(root, 'dist'), join(copy, 'dist'), {
      recursive: true,
      filter: (path) => !/\/dist\/bundle$|\.map$/.test(path),
    })
    for (const path of ['package.json', 'scripts/compile-ruby.js', 'scripts/warm-ruby.js'])
      cpSync(join(root, path), join(copy, path))
    run(join(copy, 'scripts/compile-ruby.js'))
    copyFileSync(join(copy, 'dist/ruby/code.bin'), join(stage, 'dist/ruby/code.bin'))
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/**
 * Makes Node's program start `start.cjs`.
 * @param {string} file
 * @param {string} stage
 * @param {string} node
 */
async function addStart(file, stage, node) {
  const configuration = {
    main: 'start.cjs',
    output: 'start.blob',
    disableExperimentalSEAWarning: true,
    // Neither arguments nor NODE_OPTIONS reach Node: whoever can add an argument to a command must not run other code.
    execArgvExtension: 'none',
    // Without it, Node takes a name of the program that begins with a dash (`exec -a --require=FILE plumb`) for an option.
    execArgv: ['--'],
  }
  writeFileSync(join(stage, 'start.json'), JSON.stringify(configuration))
  const quiet = /** @type {const} */ (['ignore', 'ignore', 'inherit'])
  execFileSync(node, ['--experimental-sea-config', 'start.json'], { cwd: stage, stdio: [...quiet] })
  const { default: postject } = await import('postject')
  await postject.inject(file, 'NODE_SEA_BLOB', readFileSync(join(stage, 'start.blob')), { sentinelFuse: fuse })
  for (const name of ['start.json', 'start.blob']) rmSync(join(stage, name))
}

/**
 * Appends all files of a folder, the index of their places, and its length, as `src/base/program` reads them.
 * @param {string} file
 * @param {string} folder
 */
function appendFiles(file, folder) {
  /** @type {Record<string, [start: number, end: number]>} */
  const index = {}
  let end = statSync(file).size
  for (const path of listFiles(folder)) {
    const bytes = readFileSync(join(folder, path))
    appendFileSync(file, bytes)
    index[path] = [end, end + bytes.length]
    end += bytes.length
  }
  const text = Buffer.from(JSON.stringify(index))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(text.length)
  appendFileSync(file, Buffer.concat([text, length]))
}
