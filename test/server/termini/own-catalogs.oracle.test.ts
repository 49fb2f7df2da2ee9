import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import { afterEach, describe, expect, it } from 'vitest'
import { controlRepository } from '../../support/control-repository.ts'
import { withoutPuppet } from '../../support/real-puppet.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Serving, serve } from '../serving.ts'
import { appFiles, catalogOf } from './app-catalog.ts'
import { plugInFolder } from './ruby-plug-ins/owner.ts'

let serving: Serving | undefined
afterEach(() => serving?.stop())

/** Without what real Puppet makes of the class and the stage `main` when it reads them from JSON; on a server they are as here. */
const comparable = (given: unknown) =>
  JSON.parse(
    JSON.stringify(given)
      .replaceAll(/"Main"|\[Main\]/g, (found) => found.toLowerCase())
      .replaceAll(/("kind":"compilable_type",)"parameters":\{"name":"main"\},?/g, '$1')
      .replaceAll(',}', '}'),
  )

describe.skipIf(withoutPuppet)(`a terminus of catalogs in Ruby${withoutPuppet}`, () => {
  it('has the catalog as real Puppet has it', async () => {
    const path = resolve(import.meta.dirname, 'ruby-plug-ins/catalog/observed.rb')
    const vardir = scratchFolder('ours')
    const { bare } = controlRepository(appFiles)
    const plugIns = plugInFolder({ 'puppet/indirector/catalog/observed.rb': readFileSync(path, 'utf8') })
    const own = { vardir, catalog_cache_terminus: 'observed' }
    serving = await serve({ code_repo: bare, server_plugins: plugIns, ...own })
    const { text } = await catalogOf('a.test', serving)
    const seen = JSON.parse(readFileSync(join(vardir, 'seen.json'), 'utf8'))
    expect(seen.whole).toEqual(JSON.parse(text))
    const theirs = scratchFolder('theirs')
    const input = JSON.stringify({ catalog: JSON.parse(text), vardir: theirs, name: 'observed', path })
    const { stdout } = await execa('ruby', [resolve(import.meta.dirname, '../../oracle/catalogs.rb')], { input })
    expect(comparable(seen)).toEqual(comparable(JSON.parse(readFileSync(join(theirs, 'seen.json'), 'utf8'))))
    const kept = JSON.parse(readFileSync(join(serving.settings.server_datadir, 'catalog/a.test.json'), 'utf8'))
    expect(comparable(kept)).toEqual(comparable(JSON.parse(stdout)))
    expect(text).toContain('/etc/app.conf')
  })
})
