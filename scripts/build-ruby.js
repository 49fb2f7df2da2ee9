// Makes what Ruby in WebAssembly starts from, beside the compiled code: the standard library's files, and the memory of
// an interpreter that has loaded them and our prelude. Takes a few seconds, or none when nothing it is made from changed.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = join(root, 'dist', 'ruby')
const prelude = join(root, 'src', 'ruby', 'prelude')
/** Libraries in place of Ruby's own, where modules require them. */
const ownLibrary = join(root, 'src', 'ruby', 'library')
/** Where Ruby finds them, below the library's folder. */
const ownLibraryPath = 'plumb'
/** What a node's machine has on top of the prelude. */
const preludeOfNodes = join(root, 'src', 'ruby', 'prelude-node')
/** What of the prelude and the library only Ruby in WebAssembly needs. */
const ofWebAssembly = 'webassembly'
/** Folder of the files that an installed Ruby loads. */
const nativeFolder = 'native-ruby'
/** What watches the code of modules where they are compiled; on nodes nothing of a call is remembered. */
const watching = '99_watch.rb'
/** Where the binary that has the library inside shows it. */
const embedded = '/usr/local/lib/ruby/'
/** What no module on a server or an agent has a use for. */
const needless =
  /\/(bundler|rubygems(?!\/(?:version|requirement|deprecate)\.rb)|rdoc|irb|reline|rbs|debug|typeprof|minitest|test-unit|power_assert|rake|ruby_vm|prism|syntax_suggest|did_you_mean|error_highlight|mkmf)(\/|\.rb|-)/

/**
 * Makes the files, or takes them from the last time when what they are made from is the same. True if they are others
 * than those that were there.
 */
export async function buildRuby() {
  const { distributionFiles, resolveRubyFile } = await import('#built/ruby/vm/distribution.js')
  const names = Object.values(distributionFiles)
  const rubyPackage = join(dirname(resolveRubyFile('ruby.wasm')), '..', 'package.json')
  const digest = digestOfInputs(rubyPackage)
  const stamp = join(target, '.made-from')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return false
  const cache = getCacheFolder(rubyPackage, digest)
  if (!names.every((name) => existsSync(join(cache, name)))) {
    const made = await makeFiles()
    mkdirSync(cache, { recursive: true })
    for (const name of names) {
      writeFileSync(join(cache, `${name}.${process.pid}`), made[name])
      renameSync(join(cache, `${name}.${process.pid}`), join(cache, name))
    }
  }
  mkdirSync(target, { recursive: true })
  for (const name of names) copyFileSync(join(cache, name), join(target, name))
  copyNativeFiles()
  writeFileSync(stamp, digest)
  return true
}

/**
 * Adds the machine code of the interpreter, or takes it from the last time. Ruby works without it, and starts slower:
 * V8 refuses the code of another version, and may not offer to store it.
 */
export async function compileRuby() {
  const { codeFile, resolveRubyFile } = await import('#built/ruby/vm/distribution.js')
  const rubyPackage = join(dirname(resolveRubyFile('ruby.wasm')), '..', 'package.json')
  const kept = join(
    getCacheFolder(rubyPackage, digestOfInputs(rubyPackage)),
    `${process.version}-${process.arch}-${codeFile}`,
  )
  const file = join(target, codeFile)
  if (existsSync(kept)) return copyFileSync(kept, file)
  try {
    execFileSync(process.execPath, [join(root, 'scripts', 'compile-ruby.js')], { stdio: ['ignore', 'inherit', 'pipe'] })
  } catch (error) {
    return console.warn(`Ruby could not be compiled ahead, and will start slower: ${error.message}`)
  }
  copyFileSync(file, `${kept}.${process.pid}`)
  renameSync(`${kept}.${process.pid}`, kept)
}

const getCacheFolder = (rubyPackage, digest) =>
  join(dirname(rubyPackage), '..', '..', '.cache', 'plumbline-ruby', digest)

/** Digest of the package, this file, the prelude, Puppet's version and our compiled machine. */
function digestOfInputs(rubyPackage) {
  const hash = createHash('sha256')
    .update(readFileSync(rubyPackage))
    .update(readFileSync(new URL(import.meta.url)))
    .update(readFileSync(new URL('compile-ruby.js', import.meta.url)))
    .update(readFileSync(new URL('warm-ruby.js', import.meta.url)))
    .update(readFileSync(join(root, 'src', 'base', 'puppet-version.ts')))
  const ruby = join(root, 'src', 'ruby')
  for (const folder of [prelude, preludeOfNodes, join(ruby, 'vm'), join(ruby, 'wasi'), ownLibrary])
    for (const name of namesIn(folder)) hash.update(name).update(readFileSync(join(folder, name)))
  return hash.digest('hex').slice(0, 16)
}

async function makeFiles() {
  const { compileRuby, distributionFiles, libraryPath, resolveRubyFile } = await import(
    '#built/ruby/vm/distribution.js'
  )
  const { patchRuby } = await import('#built/ruby/vm/patches/patches.js')
  const { Interpreter } = await import('#built/ruby/vm/interpreter.js')
  const { takeSnapshot } = await import('#built/ruby/vm/snapshot.js')
  const { encodePackedFile } = await import('#built/ruby/vm/packed-file.js')
  const { puppetVersion } = await import('#built/base/puppet-version.js')
  const { createMemoryFiles, mountFiles } = await import('#built/ruby/wasi/guest-files.js')
  const { createReadOnlyDisk } = await import('#built/ruby/wasi/disk.js')

  const patchesOf = (name) => patchRuby(resolveRubyFile(name), resolveRubyFile('ruby.debug+stdlib.wasm'))
  const patches = patchesOf('ruby.wasm')
  const module = compileRuby(resolveRubyFile('ruby.wasm'), patches)

  /** The files of the binary that has them inside: each comes as a message, its path before a NUL. */
  function extractLibrary() {
    const found = new Map()
    const interpreter = new Interpreter(
      compileRuby(resolveRubyFile('ruby+stdlib.wasm'), patchesOf('ruby+stdlib.wasm')),
      { ...worldOf(createReadOnlyDisk(createMemoryFiles(new Map()))), open: [''] },
      (message) => {
        const cut = message.indexOf(0)
        const path = Buffer.from(message.subarray(0, cut)).toString()
        if (!needless.test(path)) found.set(path.slice(embedded.length), Uint8Array.from(message.subarray(cut + 1)))
      },
    )
    interpreter.boot()
    interpreter.run(`
      bridge = File.open('/__bridge__', 'r+b')
      Dir.glob('${embedded}**/*.rb').sort.each { |path| bridge.syswrite(path.b + 0.chr + File.binread(path)) }
    `)
    return found
  }

  function packFiles(files) {
    let end = 0
    const places = {}
    for (const [path, { length }] of files) {
      places[path] = [end, end + length]
      end += length
    }
    return encodePackedFile(places, Buffer.concat([...files.values()]))
  }

  function snapshotWith(library, texts) {
    const files = mountFiles({ [libraryPath]: createMemoryFiles(library), prelude: createMemoryFiles(texts) })
    const world = { ...worldOf(createReadOnlyDisk(files)), variables: thrift }
    const interpreter = new Interpreter(module, world, () => {})
    interpreter.boot()
    interpreter.run('ENV.clear') // what Ruby has read at its start, and modules are not to see
    interpreter.run(`PUPPETVERSION = '${puppetVersion}'`)
    for (const name of texts.keys()) interpreter.run(`load '/prelude/${name}'`)
    interpreter.run('GC.start')
    return takeSnapshot(interpreter)
  }

  const library = extractLibrary()
  for (const name of namesIn(ownLibrary)) library.set(`${ownLibraryPath}/${name}`, readFileSync(join(ownLibrary, name)))
  const packSnapshot = ({ pages, ...described }) => encodePackedFile(described, pages)
  const texts = textsIn(prelude)
  const ofNodes = new Map([...texts, ...textsIn(preludeOfNodes)].filter(([name]) => name !== watching))
  return {
    [distributionFiles.patches]: encodePackedFile({ ...patches, edits: patches.edits.map(plainEdit) }, Buffer.alloc(0)),
    [distributionFiles.library]: packFiles(library),
    [distributionFiles.snapshot]: packSnapshot(snapshotWith(library, texts)),
    [distributionFiles.nodeSnapshot]: packSnapshot(snapshotWith(library, ofNodes)),
  }

  /** An edit whose bytes JSON writes as a list. */
  function plainEdit({ start, end, bytes }) {
    return { start, end, bytes: Array.from(bytes) }
  }

  function textsIn(folder) {
    const paths = listRuby(folder, join(folder, ofWebAssembly))
    return new Map(paths.map((path) => [basename(path), readFileSync(path)]))
  }
}

/** Paths of the Ruby files of folders, in the order of their names. */
function listRuby(...folders) {
  const paths = folders.flatMap((each) => readdirSync(each).map((name) => join(each, name)))
  return paths.filter((path) => path.endsWith('.rb')).sort((one, other) => (basename(one) < basename(other) ? -1 : 1))
}

/** Copies what an installed Ruby loads: the prelude without the parts for WebAssembly, and our library. */
function copyNativeFiles() {
  const native = join(target, nativeFolder)
  rmSync(native, { recursive: true, force: true })
  mkdirSync(join(native, 'prelude'), { recursive: true })
  const texts = listRuby(prelude, preludeOfNodes, join(preludeOfNodes, 'native'))
  for (const path of texts.filter((path) => basename(path) !== watching))
    copyFileSync(path, join(native, 'prelude', basename(path)))
  cpSync(ownLibrary, join(native, 'library'), {
    recursive: true,
    filter: (path) => basename(path) !== ofWebAssembly,
  })
}

/** The files of a folder and of those in it, by their paths in it. */
function namesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
}

/** Ruby collects garbage when this much was allocated, not only after twice to eight times as much: it stays small. */
const thrift = {
  RUBY_GC_MALLOC_LIMIT: '4000000',
  RUBY_GC_MALLOC_LIMIT_MAX: '8000000',
  RUBY_GC_OLDMALLOC_LIMIT: '8000000',
  RUBY_GC_OLDMALLOC_LIMIT_MAX: '16000000',
}

function worldOf(disk) {
  return { disk, print: (text) => process.stderr.write(text), now: () => 0n, random: (bytes) => bytes.fill(7) }
}
