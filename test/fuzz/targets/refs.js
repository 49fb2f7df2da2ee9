import { isEnvironmentName, toEnvironmentName } from '../../../dist/code/environments/environment-name.js'
import { isOid, isSafeRef, parseRevision } from '../../../dist/code/git/ref-names.js'
import { readPushedRefs } from '../../../dist/deploy/push-check.js'
import { must, textOf } from '../target.js'

/** Names of refs and revisions, what a hook is told. @type {import('../target.js').Target} */
export default {
  name: 'refs',
  seeds: [
    'production~2^1',
    'refs/heads/team-a',
    `${'0'.repeat(40)} ${'a'.repeat(40)} refs/heads/production\n${'a'.repeat(64)} ${'b'.repeat(64)} refs/tags/v1\n`,
    `commit ${'c'.repeat(40)} refs/heads/main\ntag ${'d'.repeat(40)} refs/tags/v1\n`,
    'HEAD@{1}',
  ],
  dictionary: [
    'refs/heads/',
    'refs/tags/',
    '~',
    '^',
    '~9999',
    '^{commit}',
    '@{',
    '..',
    ':',
    '\n',
    ' ',
    '-',
    '--',
    '*',
    '\\',
    '0000000000000000000000000000000000000000',
    'commit ',
    'tag ',
    '/',
    '.lock',
  ],
  run(bytes) {
    const text = textOf(bytes)
    for (const { before, after, ref } of readPushedRefs(text)) {
      must(isOid(before) || before.length > 40, `'${before}' is no id`)
      must(isOid(after) || after.length > 40, `'${after}' is no id`)
      isSafeRef(ref)
    }
    for (const line of [text, ...text.split('\n').slice(0, 20)]) {
      const revision = parseRevision(line)
      if (!revision) continue
      must(isSafeRef(revision.ref), `'${line}' would be asked of git`)
      must(!/^-|[\0-\x20\x7f]/.test(line), `'${line}' is an option, or two lines`)
      must(revision.parents.length <= 10_000, `'${line}' leads ${revision.parents.length} commits back`)
    }
    must(isEnvironmentName(toEnvironmentName(text)) || text === '', 'a branch that is no environment')
  },
}
