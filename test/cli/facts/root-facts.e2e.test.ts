import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { rootDirectory } from '../../node/facts/root/root-directory.ts'
import { plumb } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

it('does not wait for pipes, reads no large file, and starts no program', async () => {
  const folder = scratchFolder('hostile-root')
  const root = rootDirectory({
    '/etc/redhat-release': `${'Rocky Linux release '.repeat(300_000)}9\n`,
    '/etc/facter/facts.d/big.json': `{"big": "${'x'.repeat(5_000_000)}"}`,
    '/etc/facter/facts.d/deep.json': '['.repeat(500_000),
    '/etc/facter/facts.d/loop.yaml': 'a: &a [*a]\n',
    '/etc/facter/facts.d/good.txt': 'good=1\n',
  })
  for (const path of ['etc/os-release', 'etc/localtime', 'etc/facter/facts.d/pipe.txt'])
    execFileSync('mkfifo', [join(root, path)])
  mkdirSync(join(root, 'usr/bin'), { recursive: true })
  for (const name of ['lsb_release', 'date', 'rpm', 'augparse']) {
    writeFileSync(join(root, 'usr/bin', name), `#!/bin/sh\ntouch ${folder}/started\n`)
    chmodSync(join(root, 'usr/bin', name), 0o755)
  }
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
  const { exitCode, stdout, stderr } = await plumb(['facts', '--root', root, '-j', ...places])
  expect(JSON.parse(String(stdout))).toMatchObject({
    good: '1',
    kernel: 'Linux',
    os: { family: 'Linux', hardware: 'x86_64' },
  })
  expect(exitCode).toBe(1)
  for (const name of ['big.json', 'deep.json', 'loop.yaml']) expect(stderr).toContain(`facts.d/${name} as `)
  expect(existsSync(join(folder, 'started'))).toBe(false)
})

it('gives facts with which a catalog compiles', async () => {
  const folder = scratchFolder('root-catalog')
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
  const root = rootDirectory({ '/etc/os-release': 'NAME=AlmaLinux\nID=almalinux\nID_LIKE=rhel\nVERSION_ID=9.6\n' })
  const [manifest, facts] = [join(folder, 'site.pp'), join(folder, 'facts.json')]
  writeFileSync(manifest, 'notify { "${facts["os"]["family"]} ${facts["os"]["release"]["major"]}": }')
  writeFileSync(facts, String((await plumb(['facts', '--root', root, '-j', ...places])).stdout))
  const words = ['--manifest', manifest, '--node', 'web1', '--facts', facts, '--modulepath', folder]
  const { stdout } = await plumb(['catalog', 'compile', ...words, ...places])
  expect(stdout).toContain('"RedHat 9"')
})
