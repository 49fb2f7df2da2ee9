// Stores V8's code cache of each bundled file in a folder. Runs in the executable's Node with a fixed hash seed, so that
// the same files give the same bytes: node --hash-seed=1 cache-code.js FOLDER
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'
import { limitHeapGrowth, restoreHeapGrowth } from '#built/base/threads/heap-growth.js'

const folder = process.argv[2] ?? '.'
// V8 rejects a cache of a process with other flags.
setFlagsFromString('--hash-seed=0')

for (const name of readdirSync(folder).filter((each) => each.endsWith('.cjs'))) {
  const file = join(folder, name)
  const text = readFileSync(file, 'latin1')
  // Commands: all functions, not those that some run calls, so that the cache depends on the text alone.
  // Servers, which have other flags: only the outermost functions, since the others would take 20 MB of memory.
  for (const { change, laziness } of [
    { change: restoreHeapGrowth, laziness: '--no-lazy' },
    { change: limitHeapGrowth, laziness: '--lazy' },
  ]) {
    setFlagsFromString(laziness)
    // A name of its own, because V8 remembers compiled scripts by name and text.
    const script = new Script(text, { filename: name + laziness })
    setFlagsFromString('--lazy')
    change()
    writeFileSync(`${file}.${cachedDataVersionTag().toString(16)}.v8`, script.createCachedData())
  }
}
