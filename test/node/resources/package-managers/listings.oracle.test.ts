import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { without } from '../../../support/needs.ts'
import { plumbMain } from '../../../support/plumb.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'
import { type ManagerRoot, openRoot } from './root.ts'
import { installRpms } from './systems.ts'

const missing = without('real Puppet 7.23', 'package managers')

/** Fedora, without package managers that every system can have. */
const setup = `
printf '%s\\n' ID=fedora 'NAME="Fedora Linux"' VERSION_ID=39 > /etc/os-release
rm -f /etc/debian_version /usr/bin/apt* /usr/bin/dpkg* /usr/bin/gem* /usr/bin/pip* /usr/bin/npm`

const start = `begin-case; ${installRpms('alpha-1.0', 'epoch-2.0', 'kernel-5.1', 'kernel-5.2', 'both-1.0')}; dnf -q -y module enable tool:1 >/dev/null 2>&1`

const asked = ['', 'alpha', 'kernel', 'nosuch', 'alpha ensure=absent', 'alpha ensure=latest', 'tool provider=dnfmodule']

describe.skipIf(missing !== '')(`packages that plumb resource prints are those of puppet resource${missing}`, () => {
  const scratch = scratchFolder('package-listings')
  let root: ManagerRoot
  beforeAll(async () => {
    root = await openRoot(setup)
    for (const who of ['puppet', 'plumb']) mkdirSync(join(scratch, who))
  }, 600_000)
  afterAll(() => root.close())

  function list(who: string, program: readonly string[], words: string) {
    root.run(start)
    const places = ['--confdir', join(scratch, who), '--vardir', join(scratch, who, 'var'), '--color=false']
    const [first = '', ...rest] = root.enter([
      ...program,
      'resource',
      'package',
      ...words.split(' ').filter(Boolean),
      ...places,
    ])
    const env = { ...process.env, PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }
    const { status, stdout, stderr } = spawnSync(first, rest, { encoding: 'utf8', env })
    return { status, stdout, stderr, state: root.run('print-state') }
  }

  it.each(asked)('package %s', (words) => {
    expect(list('plumb', [process.execPath, plumbMain], words)).toEqual(list('puppet', ['puppet'], words))
  })
})
