import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decode } from '@msgpack/msgpack'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlRepository } from '../../support/control-repository.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { withoutJava } from '../../support/without-java.ts'
import { type Answer, type Serving, serve } from '../serving.ts'
import { code } from './code.js'
import { normal } from './normal.js'
import { reasons } from './reasons.ts'
import { requests } from './requests.js'
import { seen } from './seen.ts'

interface Recorded {
  readonly status: number
  readonly type?: string
  readonly body: string
}

type Row = [string, string, { headers?: Record<string, string>; body?: string }]

const answers = JSON.parse(readFileSync(new URL('./answers.json', import.meta.url), 'utf8')) as Record<string, Recorded>
/** Our answers where they are others: `UPDATE=1` writes them. */
const file = new URL('./ours.json', import.meta.url)
const update = process.env.UPDATE === '1'
const known = (update ? {} : JSON.parse(readFileSync(file, 'utf8'))) as Record<string, unknown>
const own: Record<string, unknown> = {}
const folder = scratchFolder('recorded')
let serving: Serving
let commit: string

beforeAll(async () => {
  const repository = controlRepository(code)
  repository.pin()
  commit = repository.git('rev-parse', 'HEAD')
  const auth_conf = join(folder, 'auth.conf')
  writeFileSync(
    auth_conf,
    'authorization { version: 1, rules: [ { name: "all", sort-order: 500, match-request { path: "/", type: path }, allow-unauthenticated: true } ] }',
  )
  serving = await serve({ code_repo: repository.bare, auth_conf })
})

afterAll(async () => {
  await serving?.stop()
  if (update) writeFileSync(file, `${JSON.stringify(own, null, 1)}\n`)
})

describe('what Puppet Server answered, and what we do', () => {
  it.each(Object.entries(requests) as [string, Row][])('%s', async (name, [method, path, { headers = {}, body }]) => {
    const recorded = answers[name]!
    const answer = await serving.call(method, path.replace('CODE_ID', commit), {
      headers,
      ...(body !== undefined && { body }),
    })
    const names = {
      [serving.settings.environmentpath[0]!]: 'ENVIRONMENTS',
      [commit]: 'CODE_ID',
      [serving.settings.codedir]: 'FOLDER/code',
    }
    const ours = seen(answer.status, answer.headers['content-type'], normal(textOf(answer), names))
    const theirs = seen(recorded.status, recorded.type, withoutJava(recorded.body))
    if (reasons[name] === undefined) return expect(ours).toEqual(theirs)
    own[name] = ours
    expect(ours).not.toEqual(theirs)
    if (!update) expect(ours).toEqual(known[name])
  })
})

/** An answer's text; that of MessagePack as JSON. */
function textOf({ headers, bytes, text }: Answer): string {
  return headers['content-type'] === 'application/x-msgpack' ? JSON.stringify(decode(bytes)) : text
}
