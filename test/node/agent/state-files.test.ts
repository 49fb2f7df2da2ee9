import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { localFiles } from '../../../src/machine/system/files.ts'
import type { Files } from '../../../src/machine/system/system.ts'
import { openRunState } from '../../../src/node/agent/state-files.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('state-files')

function placesIn(name: string) {
  const place = join(folder, name)
  mkdirSync(place)
  return { statefile: join(place, 'state.yaml'), transactionstorefile: join(place, 'transactionstore.yaml') }
}

describe('the state between runs', () => {
  it("puts aside what is corrupt, in Puppet's words, and begins anew", async () => {
    const places = placesIn('corrupt')
    for (const path of Object.values(places)) writeFileSync(path, '{"half')
    const said: string[] = []
    const state = await openRunState(localFiles, places, (message) => void said.push(message))
    expect(said.map((line) => line.replace(/\(.*\)/, '(…)'))).toEqual([
      `Checksumfile ${places.statefile} is corrupt (…); replacing`,
      `Transaction store file ${places.transactionstorefile} is corrupt (…); replacing`,
    ])
    expect(state.checked('Notify[x]')).toBeUndefined()
    state.setChecked('Notify[x]', 0)
    await state.save()
    expect(readFileSync(`${places.statefile}.bad`, 'utf8')).toBe('{"half')
    expect(readFileSync(places.statefile, 'utf8')).toContain('Notify[x]')
  })

  it('leaves alone what it may not read', async () => {
    const places = placesIn('denied')
    writeFileSync(places.statefile, '{"Notify[x]": {}}')
    const said: string[] = []
    // Root may read everything: the system says no in its place.
    const denied = Object.assign(new Error('EACCES'), { code: 'EACCES', path: places.statefile })
    const files: Files = { ...localFiles, readText: () => Promise.reject(denied) }
    await expect(openRunState(files, places, (message) => void said.push(message))).rejects.toBe(denied)
    expect([said, readFileSync(places.statefile, 'utf8')]).toEqual([[], '{"Notify[x]": {}}'])
  })
})
