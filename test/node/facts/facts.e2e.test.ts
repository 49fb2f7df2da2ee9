import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatExactJson } from '../../../src/base/json/json-text.ts'
import { plumbMain } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { factsIn } from './external-facts.ts'
import { factsWithLatin, latinRefused } from './latin-variable.ts'

describe.skipIf(process.platform !== 'linux')('a variable that is not UTF-8', () => {
  it('gives no fact but an error', () => {
    expect(factsWithLatin(`${process.execPath} ${plumbMain} facts`)).toEqual(latinRefused)
  })
})

describe('external facts', () => {
  it('come from text, YAML, JSON and programs', async () => {
    const folder = scratchFolder('facts')
    writeFileSync(join(folder, 'a.txt'), 'Role=web\nempty=\n# nothing\n')
    writeFileSync(join(folder, 'b.yaml'), 'site: { name: x, racks: [1, 2] }\n')
    writeFileSync(join(folder, 'c.json'), '{"tier": 1}')
    writeFileSync(join(folder, 'd'), '#!/bin/sh\necho made=here\n')
    chmodSync(join(folder, 'd'), 0o755)
    writeFileSync(join(folder, 'e.json'), '{broken')
    writeFileSync(join(folder, 'notes'), 'no=program')
    const errors: string[] = []
    const found = await factsIn(folder, (level, message) => errors.push(`${level}: ${message}`))
    expect(found).toEqual({ role: 'web', site: { name: 'x', racks: [1, 2] }, tier: 1, made: 'here' })
    expect(errors).toEqual([expect.stringMatching(/^error: Failed to handle .*e.json as .*::JsonParser facts: /)])
  })

  it('are refused where a file or a program is not UTF-8, as by Facter', async () => {
    const folder = scratchFolder('external-facts')
    writeFileSync(join(folder, 'a.txt'), Buffer.from('raw=a\xffb\nok=1\n', 'latin1'))
    writeFileSync(join(folder, 'b'), ['#!/bin/sh', String.raw`printf 'raw=\377\nok=1\n'`].join('\n'))
    chmodSync(join(folder, 'b'), 0o755)
    const errors: string[] = []
    expect(await factsIn(folder, (_, message) => errors.push(message))).toEqual({})
    const failed = (name: string, kind: string) =>
      `Failed to handle ${join(folder, name)} as LegacyFacter::Util::Parser::${kind}Parser facts: invalid byte sequence in UTF-8`
    expect(errors.toSorted()).toEqual([failed('a.txt', 'Text'), failed('b', 'Script')])
  })

  /** By Facter 4.3. */
  it.each([
    ['a.sh', 'f: :foo', { f: 'foo' }],
    ['a.sh', 'f: 2020-01-01 10:00:00', { f: '2020-01-01T10:00:00+00:00' }],
    ['a.sh', 'f: 2020-01-01T10:00:00+02:30', { f: '2020-01-01T07:30:00+00:00' }],
    ['a.sh', 'f: 2020-01-01\ne=1', { e: '1' }],
    ['a.sh', 'f: &a 1\ng: *a\ne=1', { e: '1' }],
  ])('are read as Facter reads them: %s with %s', async (name, text, facts) => {
    const folder = scratchFolder('external-facts')
    writeFileSync(join(folder, name), `#!/bin/sh\ncat <<'E'\n${text}\nE\n`, { mode: 0o755 })
    expect(await factsIn(folder)).toEqual(facts)
  })

  it('keep their numbers and the order of their keys', async () => {
    const folder = scratchFolder('facts')
    const text = '{"10":1.0,"9":[1152921504606846977,0.5,1.0e+20],"a":{"2":1,"1":2}}'
    writeFileSync(join(folder, 'a.json'), `{"json": ${text}}`)
    writeFileSync(join(folder, 'b.yaml'), `yaml: ${text}\nday: 2026-11-21\n`)
    writeFileSync(join(folder, 'c'), `#!/bin/sh\necho '{"program": ${text}}'\n`)
    chmodSync(join(folder, 'c'), 0o755)
    const found = await factsIn(folder)
    expect(formatExactJson(found)).toBe(`{"program":${text},"yaml":${text},"day":"2026-11-21","json":${text}}`)
  })
})
