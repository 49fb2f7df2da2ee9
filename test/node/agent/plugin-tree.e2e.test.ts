import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { computePluginTreeDigest, pluginTreeFromWire, pluginTreeToWire } from '../../../src/model/plugin-tree.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { plumb, plumbMain, type RunningServer, startServer } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('plugin-tree')
let repository: ControlRepository
let server: RunningServer

beforeAll(async () => {
  repository = controlRepository({
    'manifests/site.pp': 'notify { "role ${facts[\'role\']}": }\n',
    'modules/demo/lib/puppet/type/demo.rb': '# a type\n',
    'modules/demo/lib/facter/one.rb': '# a fact\n',
    'modules/demo/facts.d/role.sh': { script: '#!/bin/sh\necho role=web\n' },
    'modules/other/lib/facter/one.rb': '# hidden by demo\n',
  })
  server = await startServer({ repository: repository.bare, settings: { autosign: 'true' } })
})
afterAll(async () => {
  await server?.stop()
})

async function agent(...words: string[]) {
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
  const who = ['--certname', 'node.example.test', '--key_type', 'ec', '--server', 'localhost']
  const all = ['agent', '--test', ...places, ...who, '--serverport', String(server.port), '--color', 'false', ...words]
  const before = server.output().length
  const { exitCode, stdout, stderr } = await execa(process.execPath, [plumbMain, ...all], { reject: false })
  const asked = [
    ...server
      .output()
      .slice(before)
      .matchAll(/"method":"(\w+)","path":"([^"]+)","status":(\d+)/g),
  ]
  const requests = asked.map(([, method, path, status]) => `${method} ${path} ${status}`)
  return { status: exitCode, out: stdout, err: stderr, plugins: requests.filter((each) => /plugin/.test(each)) }
}

async function deploy(files: Parameters<ControlRepository['push']>[0]): Promise<void> {
  const commit = repository.push(files)
  expect((await plumb(['code', 'deploy', 'production', ...server.places])).stdout).toContain(commit)
}

const own = (path: string) => join(folder, 'var', path)
const whole = (status: number) => `GET /plumb/v1/plugins/production ${status}`

describe('plug-ins of a server of ours', () => {
  it('come in one answer, as Puppet lays them out', async () => {
    const { plugins, out, err } = await agent()
    expect([plugins, err]).toEqual([[whole(200)], ''])
    expect(readFileSync(own('lib/facter/one.rb'), 'utf8')).toBe('# a fact\n')
    expect(statSync(own('facts.d/role.sh')).mode & 0o777).toBe(0o755)
    expect(out).toContain('Notify[role web]')
    expect(out).toContain(`/File[${own('lib/puppet/type/demo.rb')}]/ensure: defined content as '{sha256}`)
  })

  it('do not come again while they are the same, whatever else is pushed', async () => {
    expect((await agent()).plugins).toEqual([whole(304)])
    await deploy({ 'manifests/site.pp': "notify { 'other': }\n" })
    expect((await agent()).plugins).toEqual([whole(304)])
  })

  it('come anew where the folder is not as they came, with a word about it', async () => {
    writeFileSync(own('lib/facter/one.rb'), '# a fa')
    const { plugins, err } = await agent()
    expect(plugins).toEqual([whole(200)])
    expect(err).toBe(`Warning: Plug-ins were modified (${own('lib/facter/one.rb')}); downloading them again\n`.trim())
    expect(readFileSync(own('lib/facter/one.rb'), 'utf8')).toBe('# a fact\n')
    writeFileSync(own('lib/more.rb'), '')
    expect((await agent()).plugins).toEqual([whole(200)])
    expect(existsSync(own('lib/more.rb'))).toBe(false)
    rmSync(own('lib/facter'), { recursive: true })
    expect((await agent()).plugins).toEqual([whole(200)])
    expect((await agent()).plugins).toEqual([whole(304)])
  })

  it('are asked for one by one under another pluginsignore', async () => {
    const { plugins } = await agent('--pluginsignore', '.svn *.md')
    expect(plugins).toEqual(['pluginfacts', 'plugins'].map((mount) => `GET /puppet/v3/file_metadatas/${mount} 200`))
  })

  it('are those of the commit that the catalog is of', async () => {
    // Facts are found between the two requests: there the plug-in of the next commit is pushed.
    const push = join(folder, 'push.sh')
    const git = `git -C ${repository.work}`
    const script = join(repository.work, 'modules/demo/facts.d/role.sh')
    const notify = `${process.execPath} ${plumbMain} code deploy production ${server.places.join(' ')}`
    writeFileSync(
      push,
      `#!/bin/sh\nrm -f ${push}\nexport GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b\n` +
        `printf '#!/bin/sh\\necho role=db\\n' > ${script}\n` +
        `${git} commit -qam next && ${git} push -q origin HEAD:production && ${notify}\n`,
      { mode: 0o755 },
    )
    await deploy({
      'manifests/site.pp': 'notify { "role ${facts[\'role\']}": }\n',
      'modules/demo/facts.d/role.sh': {
        script: `#!/bin/sh\n[ -x ${push} ] && ${push} >/dev/null 2>&1\necho role=web\n`,
      },
    })
    const { out, err, plugins } = await agent()
    expect(err).toBe('')
    expect(plugins).toEqual([whole(200), whole(200)])
    expect(out).toMatch(/Info: Catalog is of '[0-9a-f]{40}', plug-ins are of '[0-9a-f]{40}'; retrieving them again/)
    expect(out).toContain('Notify[role db]')
  })
})

describe('plug-ins on their way', () => {
  const files = [
    { mount: 'plugins', path: '.', mode: 0o644, content: undefined },
    { mount: 'plugins', path: 'a.rb', mode: 0o644, content: Buffer.from('a\n') },
    { mount: 'pluginfacts', path: 'b', mode: 0o755, content: Buffer.alloc(0) },
  ] as const
  const wire = pluginTreeToWire(files)
  const digest = computePluginTreeDigest(wire)

  it('come as they went', () => {
    expect(pluginTreeFromWire(wire, digest)).toEqual(files)
  })

  it.each([
    ['cut off', wire.subarray(0, -1)],
    ['with a byte that differs', Buffer.concat([wire.subarray(0, -1), Buffer.from('?')])],
    ['empty', Buffer.alloc(0)],
  ])('are refused %s', (_, torn) => {
    expect(() => pluginTreeFromWire(torn, digest)).toThrow(/^The downloaded plug-ins are damaged: the digest is/)
  })

  it.each([
    ['no JSON', Buffer.from('what?\n')],
    ['sizes that are not true', Buffer.from('{"entries":[{"mount":"plugins","path":"a","mode":1,"size":9}]}\nab')],
    ['another mount', Buffer.from('{"entries":[{"mount":"modules","path":"a","mode":1,"size":2}]}\nab')],
    ['no mode', Buffer.from('{"entries":[{"mount":"plugins","path":"a","size":2}]}\nab')],
  ])('are refused with %s', (_, wrong) => {
    expect(() => pluginTreeFromWire(wrong, computePluginTreeDigest(wrong))).toThrow()
  })
})
