import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fileMetadataFromWire } from '../../../src/model/file-metadata.ts'
import { controlRepository } from '../../support/control-repository.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Serving, serve } from '../serving.ts'
import { questions, rules, writeMounts } from './mounts.js'
import { normal } from './normal.js'
import { seen } from './seen.ts'

interface Question {
  readonly path: string
  readonly as?: string
  readonly headers: Record<string, string>
}

interface Recorded {
  readonly status: number
  readonly type?: string
  readonly body: string
  ours?: unknown
}

/** What Puppet Server 7.9.5 answered, and, where we answer otherwise, `ours`: `UPDATE=1` writes that. */
const file = new URL('./mounts.json', import.meta.url)
const update = process.env.UPDATE === '1'
const answers = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Recorded>
const folder = scratchFolder('recorded-mounts')
let serving: Serving

beforeAll(async () => {
  const repository = controlRepository({ 'manifests/site.pp': '' })
  repository.pin()
  const auth_conf = join(folder, 'auth.conf')
  writeFileSync(auth_conf, `authorization: { version: 1, rules: [\n${rules.join(',\n')}\n] }\n`)
  serving = await serve({ code_repo: repository.bare, auth_conf, fileserverconfig: writeMounts(folder) })
})

afterAll(async () => {
  await serving?.stop()
  if (update) writeFileSync(file, `${JSON.stringify(answers, null, 1)}\n`)
})

const both = (...names: string[]) => names.flatMap((name) => [`content: ${name}`, `metadata: ${name}`])

/** Questions that we answer otherwise than Puppet Server, below each reason. */
const reasons: Readonly<Record<string, readonly string[]>> = {
  'A rule of auth.conf is for one path: a slash at the end of a key is none of it.': [
    ...both('a folder with a slash', 'the mount with a slash'),
  ],
  'A path that is not UTF-8, or holds a NUL, is refused before all routes.': [
    ...both('half an escape', 'bytes that are no UTF-8', 'a NUL', 'dots in overlong UTF-8'),
  ],
  'A backslash separates for some: dots before it are refused, as before a slash.': both('dots and a backslash'),
  'A semicolon is a letter of a name; theirs is a page of Jetty.': both('dots with a parameter'),
  'A mount is one folder: what a link outside leads to is not there; the link itself is.': [
    ...both('a link out', 'a folder out', 'a file below a folder out'),
    ...['metadata: ways/out.txt, followed', 'metadata: ways/out, followed'],
    ...['search: ways out', 'search: ways out, followed', 'search: a folder out'],
  ],
  'What a link to nowhere leads to is not there; theirs is an error of Ruby, or of formats.': [
    ...['content: a link to nowhere', 'content: a link to itself'],
    ...['metadata: ends/broken, followed', 'metadata: ends/loop, followed', 'search: ends, followed'],
  ],
  'A link that leads to no file has no digest, which is a type of checksum: none. Agents look at its destination.': [
    ...['metadata: a link to a folder', 'metadata: a link to nowhere', 'metadata: a link to itself'],
    ...['search: all', 'search: source_permissions', 'search: a link to a folder', 'search: ends'],
  ],
  'Theirs repeats the parameters of the request.': [
    ...['metadata: no mount', 'metadata: no mount, no path', 'metadata: a mount without a folder'],
    ...['metadata: a mount of a file', 'search: no mount'],
  ],
  'Theirs is an error of Ruby; infinite is no limit here, and less than 0 is 0.': [
    ...['search: recurselimit infinite', 'search: recurselimit -1'],
  ],
}
const otherwise = new Set(Object.values(reasons).flat())

describe('what Puppet Server answered of mounts, and what we do', () => {
  it.each(Object.entries(questions) as [string, Question][])('%s', async (name, { path, as, headers }) => {
    const recorded = answers[name]!
    const answer = await serving.call('GET', path, { headers, ...(as && { as }) })
    const ours = seen(answer.status, answer.headers['content-type'], normal(answer.text, { [folder]: 'FOLDER' }))
    const theirs = seen(recorded.status, recorded.type, recorded.body)
    if (!otherwise.has(name)) return expect(ours).toEqual(theirs)
    expect(ours).not.toEqual(theirs)
    if (update) recorded.ours = ours
    expect(ours).toEqual(recorded.ours)
  })
})

it("Puppet Server's metadata can be read by our agent", () => {
  const all = Object.values(answers).filter(
    ({ status, type }) => status === 200 && type?.startsWith('application/json'),
  )
  const read = all.flatMap(({ body }) => [JSON.parse(body)].flat().map(fileMetadataFromWire))
  expect(new Set(read.map(({ type }) => type))).toEqual(new Set(['file', 'directory', 'link']))
  expect(read.find(({ destination }) => destination === 'nowhere')?.checksum).toEqual({ type: 'none', value: '{none}' })
})
