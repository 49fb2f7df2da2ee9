import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { plumbHere as plumb } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const secret = 'unmistak4ble'
const folder = scratchFolder('lookup-secrets')

beforeAll(() => {
  const environment = join(folder, 'environments/production')
  mkdirSync(join(environment, 'data'), { recursive: true })
  const hiera = 'version: 5\ndefaults: {datadir: data, data_hash: yaml_data}\nhierarchy: [{name: c, path: c.yaml}]\n'
  writeFileSync(join(environment, 'hiera.yaml'), hiera)
  const data = {
    lookup_options: {
      plain: { convert_to: 'Sensitive' },
      wrong: { convert_to: 'Sensitive[Integer]' },
      many: { convert_to: ['Sensitive', 1] },
      merged: { merge: 'hash', convert_to: 'Sensitive' },
    },
    ...{ plain: secret, wrong: secret, many: secret, merged: { a: secret }, open: `${secret} is no secret here` },
  }
  writeFileSync(join(environment, 'data/c.yaml'), JSON.stringify(data))
})

async function lookup(...words: string[]): Promise<string> {
  const places = ['--confdir', folder, '--vardir', folder, '--environmentpath', join(folder, 'environments')]
  const { stdout, stderr } = await plumb(['lookup', ...places, '--debug', ...words])
  return `${String(stdout)}${String(stderr)}`
}

it.each(
  ['plain', 'wrong', 'many', 'merged'].flatMap((key) => [key, `${key} --explain`, `${key} --explain --render-as json`]),
)('a lookup of %s shows nothing of a value that becomes Sensitive', async (line) => {
  const said = await lookup(...line.split(' '))
  expect(said).not.toContain(secret)
  if (line.includes('--explain')) expect(said).toContain('Sensitive [value redacted]')
})

it('shows what does not', async () => {
  expect(await lookup('open', '--explain')).toContain(secret)
})
