// Bundles the command and its worker: a few files load in half the time that hundreds take.
import { writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { rolldown } from 'rolldown'

const dist = new URL('../dist/', import.meta.url).pathname
const folder = join(dist, 'bundle')
const entries = { main: 'main.js', worker: 'compiler/workers/worker.js' }

/** Packages of many files that most commands load; what they need themselves comes with them. */
const bundled = new Set(['commander', 'diff', 'execa', 'lru-cache', 'node-forge', 'semver', 'yaml'])

/** Puts what the entries are made of into dist/bundle/, and lets them begin there. */
export async function bundle() {
  const build = await rolldown({
    input: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(dist, path)])),
    platform: 'node',
    external: (name, from) =>
      /^[@\w]/.test(name) && !bundled.has(name.split('/')[0]) && !from?.includes('/node_modules/'),
    plugins: [keepPlaces],
  })
  await build.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' })
  for (const [name, path] of Object.entries(entries)) {
    const file = join(dist, path)
    const target = join(relative(dirname(file), folder), `${name}.js`)
    const first = name === 'main' ? '#!/usr/bin/env node\n' : ''
    writeFileSync(file, `${first}import './${target}'\n`)
  }
}

/** Modules speak of the files beside them (the hooks, the worker, what Ruby starts from): those stay where they were. */
const keepPlaces = {
  name: 'keep-places',
  transform(code, id) {
    if (!id.startsWith(dist) || !code.includes('import.meta.url')) return undefined
    const place = JSON.stringify(relative(folder, id))
    return code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`)
  },
}
