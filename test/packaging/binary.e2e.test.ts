import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageExecutable } from '../../scripts/package/executable.js'
import { whyNotMount } from '../support/may-mount.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { debianBase } from './debian-base.ts'

const root = join(import.meta.dirname, '../..')
const notNow = whyNotMount() || (existsSync('/usr/sbin/debootstrap') ? '' : ' (left out: debootstrap is not here)')

/** Files that the steps use, by path. */
const files = {
  'site.pp': "$word = mine::up('ruby')\nnode default {\n  class { 'mine': word => $word }\n}\n",
  'good.pp': "notice('good')\n",
  'bad.pp': 'notice(\n',
  'lint.pp': '$a = "text"\n',
  'lint2.pp': "$b = 'text'\n",
  'modules/mine/metadata.json': JSON.stringify({
    ...{ name: 'a-mine', version: '1.0.0', author: 'a', summary: 's', license: 'Apache-2.0', dependencies: [] },
    source: 'https://example.test',
  }),
  'modules/mine/manifests/init.pp': `class mine (String $word = mine::up('tested')) {
  mine_line { '/tmp/applied': content => $word }
  notify { 'word': message => $word }
}
`,
  'modules/mine/manifests/init_test.pp': `test('says the word') || {
  class { 'mine': }
  expect_resource(Notify['word'], { message => 'TESTED' })
}
`,
  'modules/mine/lib/puppet/functions/mine/up.rb': `Puppet::Functions.create_function(:'mine::up') do
  dispatch(:up) { param 'String', :text }
  def up(text) = text.upcase
end
`,
  'modules/mine/lib/puppet/type/mine_line.rb': `Puppet::Type.newtype(:mine_line) do
  ensurable { defaultvalues; defaultto :present }
  newparam(:path, namevar: true)
  newparam(:content)
end
`,
  'modules/mine/lib/puppet/provider/mine_line/ruby.rb': `Puppet::Type.type(:mine_line).provide(:ruby) do
  def exists? = File.exist?(resource[:path])
  def create = File.write(resource[:path], resource[:content])
  def destroy = File.delete(resource[:path])
end
`,
}

/** Has a Debian without Node in `$0`/root, above the one in `$1`; all that it writes is gone afterwards. */
const inside = `
mount -t tmpfs none "$0/up"; mkdir "$0/up/u" "$0/up/w"
mount -t overlay overlay -o "lowerdir=$1,upperdir=$0/up/u,workdir=$0/up/w" "$0/root"
mount -t proc proc "$0/root/proc"; mount --rbind /dev "$0/root/dev"
cp -r "$0/files" "$0/root/tmp/work"
cp "$2" "$0/root/usr/local/bin/plumb"
exec unshare -n chroot "$0/root" bash /tmp/work/try-executable.sh
`

describe.skipIf(notNow)(`the single executable${notNow}`, () => {
  const folder = scratchFolder('binary')

  it('has the same bytes when it is built again, and runs where there is no Node', async () => {
    const file = await packageExecutable(join(folder, 'one'))
    const again = await packageExecutable(join(folder, 'two'))
    expect(readFileSync(file).equals(readFileSync(again))).toBe(true)
    for (const each of ['up', 'root']) mkdirSync(join(folder, each))
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, 'files', path)), { recursive: true })
      writeFileSync(join(folder, 'files', path), text)
    }
    cpSync(join(import.meta.dirname, 'try-executable.sh'), join(folder, 'files/try-executable.sh'))
    const { stdout, stderr } = spawnSync(
      'unshare',
      ['-m', '-p', '-f', '--mount-proc', 'sh', '-ec', inside, folder, debianBase(folder), file],
      { encoding: 'utf8' },
    )
    // Measurements.
    console.info(stderr)
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(stdout.trim().split('\n'), stderr).toEqual([
      ...['no Node, no Ruby', `version: ${version}`, 'validated', 'invalid: 1', 'applied: RUBY'],
      'lint.pp - WARNING: double quoted string containing no variables on line 1 (check: double_quoted_strings)',
      ...['tests: 1 example, 0 failures', 'completion', 'man', '"hoverProvider":true', 'facter: Linux', 'demo'],
      ...['1', 'pushed', 'rejected', 'agent: 2 RUBY', 'node.example.test', 'ended: 0'],
      ...[version, '1', version, '0', 'Error: /proc is not mounted. Start the program by its absolute path.', version],
      ...['/etc/plumb', '/usr/lib/plumbline'],
    ])
  }, 1_800_000)
})
