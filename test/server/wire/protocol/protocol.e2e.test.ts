import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlRepository } from '../../../support/control-repository.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'
import { type Answer, type Serving, serve } from '../../serving.ts'
import { normal } from '../normal.js'
import { authority } from './authority.ts'
import { catalogs } from './catalog.ts'
import { broken, production } from './code.ts'
import { elsewhere } from './elsewhere.ts'
import { files } from './files.ts'
import { indirections } from './indirections.ts'
import { information } from './information.ts'
import { operations, ruled } from './operations.ts'
import type { Row, Section } from './row.ts'
import { shared } from './shared.ts'

const everybody =
  'authorization { version: 1, rules: [ { name: "all", sort-order: 500, match-request { path: "/", type: path }, allow-unauthenticated: true } ] }'
/** In the order of the page. */
const sections: readonly Section[] = [
  ...shared,
  ...catalogs,
  ...files,
  ...indirections,
  ...information,
  ...authority,
  ...operations,
]

let servers: Readonly<Record<Section['server'], Serving>>
let commit: string

beforeAll(async () => {
  const repository = controlRepository(production)
  repository.pin()
  commit = repository.git('rev-parse', 'HEAD')
  repository.push(broken, 'broken')
  repository.pin()
  const folder = scratchFolder('protocol')
  const rules = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return { auth_conf: join(folder, name) }
  }
  const code_repo = repository.bare
  const [byDefault, open, theRuled] = await Promise.all([
    serve({ code_repo }),
    serve({ code_repo, store: 'sqlite', strict: 'warning', ...rules('open.conf', everybody) }),
    serve({ code_repo, ...rules('ruled.conf', ruled) }),
  ])
  servers = { byDefault, open, ruled: theRuled }
})
afterAll(async () => {
  for (const serving of Object.values(servers ?? {})) await serving.stop()
})

const words = { byDefault: 'by the default rules', open: 'everybody may', ruled: 'rules of each kind' }
const title = ({ section, server }: Section) => `docs/protocol.md ${section}, ${words[server]}`

describe.each(sections.map((section) => [title(section), section] as const))('%s', (_, { server, rows }) => {
  it.each(rows.map((row) => [row.row, row] as const))('%s', async (_, row) => {
    const serving = servers[server]
    const answer = await ask(serving, row)
    expect(answer.status, answer.text.slice(0, 500)).toBe(row.status)
    if (row.type !== undefined) expect(answer.headers['content-type'] ?? 'none').toBe(row.type)
    for (const [name, value] of Object.entries(row.has ?? {})) expect(answer.headers[name], name).toEqual(value)
    if ('answer' in row) expect(read(answer, row, serving)).toEqual(row.answer)
  })
})

describe('each section of docs/protocol.md', () => {
  const page = readFileSync(new URL('../../../../docs/protocol.md', import.meta.url), 'utf8')
  const numbers = [...page.matchAll(/^##+ (\d+(?:\.\d+)?)\.? /gm)].map(([, number]) => number!)
  const leaves = numbers.filter((number) => !numbers.some((other) => other.startsWith(`${number}.`)))

  it.each(leaves)('%s is asked about here, or in a test that is named', (number) => {
    const known = [...sections, ...elsewhere].map(({ section }) => section)
    expect(known).toContain(number)
  })

  it.each(elsewhere.map((each) => [`${each.section}, ${each.row}`, each] as const))('%s', (_, { test }) => {
    expect(existsSync(new URL(`../../../${test}`, import.meta.url)), test).toBe(true)
  })
})

async function ask(serving: Serving, row: Row): Promise<Answer> {
  const { request, as = 'a.test', headers = { accept: 'application/json' }, body, revalidates } = row
  const [method = '', path = ''] = request.replaceAll('CODE_ID', commit).split(' ')
  const call = {
    ...(as !== 'nobody' && { as }),
    ...(body !== undefined && { body: typeof body === 'string' ? body : await body() }),
  }
  const asked = (more = {}) =>
    serving.call(method, path.startsWith('/') ? path : `/puppet/v3/${path}`, {
      ...call,
      headers: { ...headers, ...more },
    })
  if (revalidates === undefined) return asked()
  const etag = String((await asked()).headers.etag)
  return asked({ 'if-none-match': etag.endsWith('"') ? `${etag.slice(0, -1)}${revalidates}"` : etag + revalidates })
}

/** What a row's answer is compared with: text, or the data of JSON, less the hints that are ours. */
function read({ text, headers }: Answer, { part, answer }: Row, { settings }: Serving): unknown {
  const names = { [settings.environmentpath[0]!]: 'ENVIRONMENTS', [commit]: 'CODE_ID' }
  const said = normal(text, names)
  const isText = typeof answer === 'string' && part === undefined
  if (isText || !/json/.test(headers['content-type'] ?? '')) return said
  const data: unknown = JSON.parse(said, (key, value) => (key === 'hint' ? undefined : value))
  return part ? part(data as never) : data
}
