import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseRevocationLists } from '../../src/x509/revocation-list.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { hasFaketime, otherClock, withoutFaketime } from '../support/other-clock.ts'
import { type RunningServer, startServer } from '../support/plumb.ts'
import { hasPuppet, withoutPuppet } from '../support/real-puppet.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const dayMs = 86_400_000
let repository: ControlRepository
let server: RunningServer

describe.skipIf(!hasPuppet || !hasFaketime)(
  `a real agent that fetches a list once${withoutPuppet}${withoutFaketime}`,
  () => {
    beforeAll(async () => {
      repository = controlRepository({ 'manifests/site.pp': '' })
      server = await startServer({ repository: repository.bare, settings: { autosign: 'true' } })
    })
    afterAll(async () => {
      await server?.stop()
    })

    const ssl = (folder: string, env: Readonly<Record<string, string>>, ...words: readonly string[]) =>
      execa(
        'puppet',
        [
          ...[
            'ssl',
            ...words,
            '--confdir',
            join(folder, 'etc'),
            '--vardir',
            join(folder, 'var'),
            '--ssldir',
            join(folder, 'ssl'),
          ],
          ...[
            '--server',
            'localhost',
            '--serverport',
            String(server.port),
            '--certname',
            'once.test',
            '--keylength',
            '2048',
          ],
        ],
        { reject: false, all: true, env },
      )

    it('trusts its certificate after a month and after a year, and not after the list has ended', async () => {
      const folder = scratchFolder('once')
      const first = await ssl(folder, {}, 'bootstrap')
      expect(first.all).toContain('once.test')
      const lists = parseRevocationLists(readFileSync(join(folder, 'ssl/crl.pem'), 'utf8'))
      expect(lists[0]!.nextUpdate!.getTime()).toBeGreaterThan(Date.now() + 4 * 365 * dayMs)
      for (const offset of ['+40d', '+400d']) {
        const later = await ssl(folder, otherClock(offset), 'verify')
        expect([later.exitCode, later.all]).toEqual([0, expect.stringContaining('Verified client certificate')])
      }
      // The list that everybody else gets: a month later nothing is trusted.
      const { stdout } = await execa('curl', [
        '-sk',
        `https://localhost:${server.port}/puppet-ca/v1/certificate_revocation_list/ca`,
      ])
      const [short] = parseRevocationLists(stdout)
      expect(Math.round((short!.nextUpdate!.getTime() - Date.now()) / dayMs)).toBe(30)
      expect(short!.number).toBe(lists[0]!.number)
    })
  },
)
