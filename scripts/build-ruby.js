// Makes what Ruby in WebAssembly starts from, beside the compiled code: the standard library's files, and the memory of
// an interpreter that has loaded them and our prelude. Takes a few seconds.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { serialize } from 'node:v8'
import { compileRuby, distributionFiles, libraryPath } from '../dist/ruby/vm/distribution.js'
import { Interpreter } from '../dist/ruby/vm/interpreter.js'
import { takeSnapshot } from '../dist/ruby/vm/snapshot.js'
import { filesInMemory, mounted } from '../dist/ruby/wasi/guest-files.js'

const target = new URL('../dist/ruby/dist/', import.meta.url)
const prelude = new URL('../src/ruby/prelude/', import.meta.url)
/** Where the binary that has the library inside shows it. */
const embedded = '/usr/local/lib/ruby/'
/** What no module on a server or an agent has a use for. */
const needless =
  /\/(bundler|rubygems|rdoc|irb|reline|rbs|debug|typeprof|minitest|test-unit|power_assert|rake|ruby_vm|prism|syntax_suggest|did_you_mean|error_highlight|mkmf)(\/|\.rb|-)/

mkdirSync(target, { recursive: true })
const library = extractLibrary()
writeFileSync(new URL(distributionFiles.library, target), serialize(library))
writeFileSync(new URL(distributionFiles.snapshot, target), serialize(snapshotWithPrelude(library)))

function worldOf(files) {
  return { files, print: (text) => process.stderr.write(text), now: () => 0n, random: (bytes) => bytes.fill(7) }
}

/** The files of the binary that has them inside: each comes as a message, its path before a NUL. */
function extractLibrary() {
  const found = new Map()
  const interpreter = new Interpreter(compileRuby('ruby+stdlib.wasm'), worldOf(filesInMemory(new Map())), (message) => {
    const cut = message.indexOf(0)
    const path = Buffer.from(message.subarray(0, cut)).toString()
    if (!needless.test(path)) found.set(path.slice(embedded.length), Uint8Array.from(message.subarray(cut + 1)))
  })
  interpreter.boot()
  interpreter.run(`
    bridge = File.open('/__bridge__', 'r+b')
    Dir.glob('${embedded}**/*.rb').sort.each { |path| bridge.syswrite(path.b + 0.chr + File.binread(path)) }
  `)
  return found
}

function snapshotWithPrelude(files) {
  const texts = readdirSync(prelude)
    .filter((name) => name.endsWith('.rb'))
    .sort()
  const preludeFiles = filesInMemory(new Map(texts.map((name) => [name, readFileSync(new URL(name, prelude))])))
  const world = worldOf(mounted({ [libraryPath]: filesInMemory(files), prelude: preludeFiles }))
  const interpreter = new Interpreter(compileRuby(), world, () => {})
  interpreter.boot()
  for (const name of texts) interpreter.run(`load '/prelude/${name}'`)
  interpreter.run('GC.start')
  return takeSnapshot(interpreter)
}
