import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type PuppetRun, puppetRuns } from '../../../support/puppet-runs.ts'
import { hasPuppet, withoutPuppet } from '../../../support/real-puppet.ts'
import { runHere } from '../../../support/run-here.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

/** Words of `puppet resource`: what there is of a type, a single thing, and what is refused. */
const asked = [
  ...['service', 'user', 'group', 'mount', 'cron', 'host', 'mailalias', 'sshkey', 'ssh_authorized_key', 'selboolean'],
  ...[
    'selmodule',
    'exec',
    'tidy',
    'schedule',
    'notify',
    'resources',
    'filebucket',
    'stage',
    'file',
    'nosuch',
    'augeas',
  ],
  ...['concat_file', 'file_line', 'anchor', 'ini_setting'],
  ...['file /etc/passwd', 'file /etc', 'file /nonexistent', 'file /etc/localtime', 'file relative', 'exec /bin/true'],
  ...['user root', 'user nosuchuser', 'group root', 'group nosuchgroup', 'service nosuchservice', 'host nosuchhost'],
  ...['mount /', 'mount /nowhere', 'mailalias nobody', 'notify x', 'notify x message=hi', 'User root', 'HOST'],
  ...['file /tmp/x mode=rw', 'user x ensure=there', 'user root nonsense', 'service x ensure=up'],
  ...['host h ip=999', 'group root gid=x'],
]

const modules = '/usr/share/puppet/modules'

describe.skipIf(!hasPuppet)(`plumb resource prints what puppet resource prints${withoutPuppet}`, () => {
  const scratch = scratchFolder('listings')
  const given = (who: string) => [
    '--confdir',
    join(scratch, who),
    '--vardir',
    join(scratch, who, 'var'),
    '--color=false',
  ]
  let real: ReadonlyMap<string, PuppetRun>
  beforeAll(() => {
    for (const who of ['puppet', 'plumb']) mkdirSync(join(scratch, who))
    const words = asked.map((each) => ['resource', ...each.split(' '), ...given('puppet'), '--modulepath', modules])
    const runs = puppetRuns(words)
    real = new Map(asked.map((each, index) => [each, runs[index]!]))
  }, 300_000)

  for (const each of asked)
    it(each, async () => {
      const { status, out, err } = await runHere(['resource', ...each.split(' '), ...given('plumb')])
      const { exitCode, stdout, stderr } = real.get(each)!
      // Some errors of the whole command are told without `Could not run`, and all of our command.
      const plain = (text: string) => text.replace('Could not run: ', '').replace('e.g. puppet', 'e.g. plumb')
      expect({ status, out, err: plain(err) }).toEqual({ status: exitCode, out: stdout, err: plain(stderr) })
    })
})
