import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseRevocationLists } from '../../../src/ca/x509/revocation-list.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { hasFaketime, otherClock, withoutFaketime } from '../../support/other-clock.ts'
import { type RunningServer, startServer } from '../../support/plumb.ts'
import { hasPuppet, withoutPuppet } from '../../support/real-puppet.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

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

    const ssl = (
      certname: string,
      folder: string,
      env: Readonly<Record<string, string>>,
      ...words: readonly string[]
    ) =>
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
            certname,
            '--keylength',
            '2048',
          ],
        ],
        { reject: false, all: true, env },
      )

    it('trusts its certificate after a month and after a year, and not after the list has ended', async () => {
      const folder = scratchFolder('once')
      const first = await ssl('once.test', folder, {}, 'bootstrap')
      expect(first.all).toContain('once.test')
      const lists = parseRevocationLists(readFileSync(join(folder, 'ssl/crl.pem'), 'utf8'))
      expect(lists[0]!.nextUpdate!.getTime()).toBeGreaterThan(Date.now() + 4 * 365 * dayMs)
      for (const offset of ['+40d', '+400d']) {
        const later = await ssl('once.test', folder, otherClock(offset), 'verify')
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

    it('refuses the server by a list of its own that has ended, though it would fetch another, until that is removed', async () => {
      const folder = scratchFolder('off')
      // As Puppet 8 does by default (defaults.rb: crl_refresh_interval).
      const bootstrap = (env: Readonly<Record<string, string>>) =>
        ssl('off.test', folder, env, 'bootstrap', '--crl_refresh_interval', '1d', '--waitforcert', '0', '--verbose')
      expect((await bootstrap({})).exitCode).toBe(0)
      // Files keep their times: the agent goes by that of its list.
      const at = (offset: string) => ({ ...otherClock(offset), NO_FAKE_STAT: '1' })
      const list = join(folder, 'ssl/crl.pem')
      const url = `https://localhost:${server.port}/puppet-ca/v1/certificate_revocation_list/ca`
      // The list of an agent of Puppet 8, which is not given the one of five years.
      const { stdout } = await execa('curl', ['-sk', '-H', 'X-Puppet-Version: 8.10.0', url])
      writeFileSync(list, stdout)
      const soon = await bootstrap(at('+20d'))
      expect([soon.exitCode, soon.all]).toEqual([0, expect.stringContaining('Refreshing CRL')])
      writeFileSync(list, stdout)
      const late = await bootstrap(at('+40d'))
      expect(late.exitCode).toBe(1)
      expect(late.all).toMatch(/Refreshing CRL.*certificate verify failed \[CRL has expired for CN=localhost\]/s)
      expect(readFileSync(list, 'utf8')).toBe(stdout)
      rmSync(list)
      expect((await bootstrap(at('+40d'))).exitCode).toBe(0)
    })
  },
)
