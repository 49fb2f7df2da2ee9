import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('catalog-explain')
const facts = join(folder, 'facts.yaml')
writeFileSync(facts, 'os: {family: Debian}\nodd: "a\\e[31m\\u202e"\n')
const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--facts', facts]

describe('plumb catalog explain', () => {
  let code: ControlRepository
  let [first, second] = ['', '']
  const explain = (...words: string[]) =>
    runHere(['catalog', 'explain', 'web1', ...words, '--repo', code.bare, ...places])

  beforeAll(() => {
    code = controlRepository()
    first = code.push({
      'manifests/site.pp': `File { owner => 'root' }
node default {
  if $facts['os']['family'] == 'Debian' {
    include motd
  }
}
`,
      'modules/motd/manifests/init.pp': "class motd($text) {\n  file { '/etc/motd':\n    content => $text,\n  }\n}\n",
      'hiera.yaml': 'version: 5\nhierarchy: [{name: Common, path: common.yaml, datadir: data, data_hash: yaml_data}]\n',
      'data/common.yaml': '---\nmotd::text: "on %{facts.os.family}"\n',
    })
    second = code.push({
      'modules/motd/manifests/init.pp':
        "class motd($text) {\n  file { '/etc/motd':\n    content => $text,\n    mode    => Sensitive($facts['odd']),\n  }\n  notify { 'odd': message => $facts['odd'] }\n}\n",
    })
  })

  it('says who set each value, what it was made of, and with which commit', async () => {
    const day = new Date(Number(code.git('log', '-1', '--format=%at', first)) * 1000).toISOString().slice(0, 10)
    const at = (commit: string) => `${commit.slice(0, 12)} Test ${day}`
    expect(await explain('File[/etc/motd]')).toEqual({
      status: 0,
      err: '',
      out: `File[/etc/motd]
  declared: File[/etc/motd] in Class[Motd]  modules/motd/manifests/init.pp:2  ${at(first)}
  declared: Class[Motd] by include() in Node[default]  manifests/site.pp:4  ${at(first)}
  under 'if' in Node[default]  manifests/site.pp:3  ${at(first)}
    fact os.family (Debian)
  declared: Node[default]  manifests/site.pp:2  ${at(first)}
  content = "on Debian"
    attribute  modules/motd/manifests/init.pp:3  ${at(first)}
      parameter Class[Motd][text]
        data motd::text (level "Common" of Environment)  data/common.yaml:2  ${at(first)}
          fact os.family (Debian)
  mode = Sensitive [value redacted]
    attribute  modules/motd/manifests/init.pp:4  ${at(second)}
      function Sensitive()  modules/motd/manifests/init.pp:4  ${at(second)}
        fact odd
  owner = "root"
    resource default, literal  manifests/site.pp:1  ${at(first)}
`,
    })
  })

  it('gives the same to programs', async () => {
    const { status, out } = await explain("File['/etc/motd']", 'content', '--render-as', 'json')
    const answer = JSON.parse(out)
    expect(status).toBe(0)
    expect(answer).toMatchObject({
      node: 'web1',
      environment: 'production',
      code_id: second,
      resource: 'File[/etc/motd]',
    })
    expect(answer.parameters).toMatchObject([
      {
        name: 'content',
        value: 'on Debian',
        origins: [
          {
            kind: 'attribute',
            line: 3,
            commit: { commit: first, author: 'Test', subject: 'A change' },
            from: [{ kind: 'parameter', from: [{ kind: 'data', name: 'motd::text', line: 2 }] }],
          },
        ],
      },
    ])
  })

  it('explains an older commit', async () => {
    const { out } = await explain('File[/etc/motd]', 'mode', '--at', first)
    expect(out).toContain('mode = undef\n    type default File')
  })

  it.each(['text', 'json'])('lets nothing from outside through to a terminal: %s', async (format) => {
    const { out } = await explain('Notify[odd]', '--render-as', format)
    expect(out).toContain('31m')
    expect(out).not.toMatch(/[\u001b\u202e]/)
  })

  it.each([
    [
      ['File[/etc/mot]'],
      'There is no resource File[/etc/mot] in the catalog of web1',
      "Did you mean 'File[/etc/motd]'?",
    ],
    [['File[/etc/motd]', 'mode', 'owner'], 'Too many arguments: give a node, one resource', ''],
    [['File[/etc/motd]', 'contnt'], "File[/etc/motd] has no parameter 'contnt'", "Did you mean 'content'?"],
    [['File[/etc/motd]', 'constructor'], "File[/etc/motd] has no parameter 'constructor'", ''],
  ])('refuses %j', async (words, message, hint) => {
    const { status, out, err } = await explain(...words)
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(err).toContain(message)
    expect(err).toContain(hint)
  })

  it('refuses a name that is none', async () => {
    const { status } = await runHere(['catalog', 'explain', '../web1', 'File[/a]', '--repo', code.bare, ...places])
    expect(status).toBe(1)
  })
})
