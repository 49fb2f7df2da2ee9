import { PuppetError } from '../../../dist/base/issue.js'
import { runToEnd } from '../../../dist/base/threads/cooperative-tasks.js'
import { isEnvironmentName } from '../../../dist/code/environments/environment-name.js'
import { chooseEnvironmentsInSlices } from '../../../dist/deploy/sources/environment-choice.js'
import { readSources } from '../../../dist/deploy/sources/sources-file-parser.js'
import { allowing, must, textOf } from '../target.js'

const defaults = { intervalMs: 300_000, timeoutMs: 60_000, maxBytes: 1000, webhookSecretFile: undefined }
const id = '0123456789abcdef0123456789abcdef01234567'
const branches = ['production', 'feature/x-1', 'a.b', 'wip', '\u00fc', 'x'.repeat(200)]

/** A file of sources: refused in words, or sources of places that git may be given. @type {import('../target.js').Target} */
export default {
  name: 'code-sources',
  seeds: [
    `sources:\n  a:\n    remote: https://u:p@git.example.com/a.git\n    prefix: true\n    ignore_branch_prefixes: [wip]\n    strip_component: "/^f(x|y)/"\n    refs: ["*", "!x", "tags/v*"]\n    environments: {one: ${id}, two: main}\n    interval: 5m\n`,
    ':sources:\n  :b:\n    remote: git@host:b.git\n    invalid_branches: error\n    filter_regex: "^prod"\ngit:\n  repositories:\n    - {remote: "git@host:b.git", private_key: /k}\ndeploy: {write_lock: no}\n',
    'sources: {a: {remote: /a.git}}\ndeployed: {remote: "ssh://git@h/d.git", interval: 10s, private_key: /k}\n',
  ],
  dictionary: [
    'sources',
    'deployed',
    'remote',
    'prefix',
    'ssh://',
    'https://',
    'ext::',
    '-o',
    '@',
    ':',
    '/',
    '..',
    '\n',
    '  ',
    '[',
    ']',
    '{',
    '}',
    '&a ',
    '*a',
    '!',
    '(',
    ')',
    '*',
    '?',
    '\\\\',
    '%',
    'environments',
    'refs',
    'git',
    'null',
    'true',
    '1',
  ],
  run(bytes) {
    const file = allowing([PuppetError], () => readSources(textOf(bytes), 'r10k.yaml', defaults))
    if (!file) return
    for (const { name } of file.sources) must(/^[\w.-]+$/.test(name) && !name.includes('..'), `the source ${name}`)
    for (const { remote } of [...file.sources, ...(file.deployed ? [file.deployed] : [])]) {
      // What git takes for the name of a program has two colons behind letters of a protocol (gitremote-helpers(7)).
      must(
        /^(?:\/|ssh:\/\/|https?:\/\/|[\w.+][^:/]*:|\[)/.test(remote.url) && !/^[\w.+-]*::/.test(remote.url),
        `the remote ${remote.url}`,
      )
      must(!/[\s\u0000-\u001f]/.test(remote.url) || remote.protocol === 'file', `the remote ${remote.url}`)
    }
    const refs = new Map(
      file.sources.flatMap(({ name }) => branches.map((each) => [`refs/plumb/sources/${name}/heads/${each}`, id])),
    )
    for (const environment of runToEnd(chooseEnvironmentsInSlices(file.sources, refs)).chosen.keys())
      must(isEnvironmentName(environment), `the environment ${environment}`)
  },
}
