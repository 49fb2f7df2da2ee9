import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import { localSystem } from '../../../src/machine/system/local-system.ts'
import type { Terminus } from '../../../src/model/indirector/terminus.ts'
import { readModelText } from '../../../src/model/model-readers.ts'
import { catalog } from '../../../src/server/termini/catalog/index.ts'
import { facts } from '../../../src/server/termini/facts/index.ts'
import { node } from '../../../src/server/termini/node/index.ts'
import { report } from '../../../src/server/termini/report/index.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { stores } from './stores.ts'

const definitions = { facts, catalog, report, node } as const

it.each(stores)('a fifo in place of a file of %s as %s holds up nobody', async (indirection, name, path) => {
  const vardir = scratchFolder('fifo')
  const services = {
    settings: loadSettings({ given: { certname: 'server.test', confdir: vardir, vardir } }),
    ...{ system: localSystem, files: localSystem.files, readText: readModelText, log: () => {} },
    facts: { find: async () => undefined },
  }
  const termini = definitions[indirection].termini as unknown as Record<
    string,
    { create(given: unknown): Terminus<unknown> }
  >
  mkdirSync(dirname(join(vardir, path)), { recursive: true })
  expect(spawnSync('mkfifo', [join(vardir, path)]).status).toBe(0)
  await expect(termini[name]!.create(services).find!({ key: 'a' })).rejects.toThrow('is not a regular file')
})
