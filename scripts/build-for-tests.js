// What `npm test` needs of a build. From Node 22.18 on, the sources run as they are, also in threads, and only the files
// that Ruby starts from are made; Node 20 needs dist/.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
if ('typescript' in process.features) {
  const program = `
    const { buildRuby } = await import('./scripts/build-ruby.js')
    console.log(await buildRuby())`
  const words = ['--conditions=source', '--input-type=module', '--eval', program]
  const isOther = execFileSync(process.execPath, words, { cwd: root, encoding: 'utf8' }).trim() === 'true'
  // The rest of dist/ may be of other sources.
  if (isOther) rmSync(`${root}dist/.made-from`, { force: true })
} else await import('./build.js')
