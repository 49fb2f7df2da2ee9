import { hash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('changing')
const [source, target] = [join(folder, 'source'), join(folder, 'target')]
const size = 500_000
const versions = ['a', 'b'].map((letter) => letter.repeat(size))
const digests = versions.map((text) => hash('sha256', text))
let served = versions[0]!
const web = createServer((_, answer) => void answer.end(served))
beforeAll(() => new Promise<void>((done) => web.listen(0, '127.0.0.1', done)))
afterAll(() => {
  web.closeAllConnections()
  web.close()
})

async function apply(parameters: string) {
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
  const manifest = `file { '${target}': ensure => file, ${parameters} }`
  const { status, out, err } = await runHere([
    ...['apply', '--execute', manifest, '--detailed-exitcodes', '--no-show_diff'],
    ...places,
  ])
  return { status, said: out + err }
}

const put = (text: string) => {
  writeFileSync(`${source}.next`, text)
  renameSync(`${source}.next`, source)
}

describe('a source that changes while it is copied', () => {
  it('leaves a whole file, old or new, and the next run converges', { timeout: 60_000 }, async () => {
    writeFileSync(target, versions[0]!)
    let isUnder = true
    let changes = 0
    const changing = (async () => {
      while (isUnder) {
        put(versions[changes++ % 2]!)
        await nextTurn()
      }
    })()
    let hasSeenChange = false
    // In about half of the runs, the source happens to have the old content.
    for (let run = 0; run < 5 || !hasSeenChange; run++) {
      const { status, said } = await apply(`source => '${source}'`)
      hasSeenChange ||= status !== 0
      expect(status, said).toBeOneOf([0, 2, 4, 6])
      if (status >= 4) expect(said).toContain('File written to disk did not match desired checksum; discarding changes')
      expect(versions).toContain(readFileSync(target, 'utf8'))
    }
    isUnder = false
    await changing
    expect(changes).toBeGreaterThan(100)
    put(versions[1]!)
    expect((await apply(`source => '${source}'`)).status).toBeOneOf([0, 2])
    expect(readFileSync(target, 'utf8')).toBe(versions[1])
    expect((await apply(`source => '${source}'`)).status).toBe(0)
  })

  it('is refused of the web where its bytes are not those of the wanted checksum', async () => {
    const { port } = web.address() as AddressInfo
    const parameters = `source => 'http://127.0.0.1:${port}/x', checksum => sha256, checksum_value => '${digests[0]}'`
    const refused =
      /failed: File written to disk did not match desired checksum; discarding changes \(\{sha256\}\w+ vs \{sha256\}\w+\)/
    writeFileSync(target, 'old')
    served = versions[1]!
    expect(await apply(parameters)).toEqual({ status: 4, said: expect.stringMatching(refused) })
    expect(readFileSync(target, 'utf8')).toBe('old')
    rmSync(target)
    expect(await apply(parameters)).toEqual({ status: 4, said: expect.stringMatching(refused) })
    expect(existsSync(target)).toBe(false)
    served = versions[0]!
    expect((await apply(parameters)).status).toBe(2)
    expect(readFileSync(target, 'utf8')).toBe(served)
    expect((await apply(parameters)).status).toBe(0)
  })
})
