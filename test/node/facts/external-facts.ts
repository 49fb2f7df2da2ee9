import { expect } from 'vitest'
import { localSystem } from '../../../src/machine/system/local-system.ts'
import { readExternalFacts } from '../../../src/node/facts/external.ts'
import type { FactLog } from '../../../src/node/facts/log.ts'

/** The facts of the files of a folder. */
export async function factsIn(folder: string, log: FactLog = expect.fail) {
  const found = await readExternalFacts(localSystem, { directories: [folder], blocked: [], log })
  return Object.fromEntries(found.map(({ name, value }) => [name, value]))
}
