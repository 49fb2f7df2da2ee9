import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CatalogOptions, CompileError, compileCatalog } from '../src/api.ts'
import { controlRepository } from './support/control-repository.ts'
import { scratchFolder } from './support/scratch-folder.ts'

const files = {
  'manifests/site.pp': 'notice("on ${facts[os]}") notify { "${environment} ${settings::strict} ${lookup(k)}": }',
  'modules/m/manifests/init.pp': 'class m { notify { "in m": } }',
  'hiera.yaml': 'version: 5\nhierarchy: [{name: d, path: d.yaml}]\n',
  'data/d.yaml': 'k: value\n',
}

function folderOf(texts: Readonly<Record<string, string>>): string {
  const folder = scratchFolder('api')
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const titles = (json: string) =>
  JSON.parse(json).resources.flatMap(({ type, title }: Record<string, string>) => (type === 'Notify' ? [title] : []))

describe('the package', () => {
  it('compiles a folder', async () => {
    const directory = folderOf(files)
    const facts = { os: 'x' }
    const { json, logs } = await compileCatalog({ code: { directory }, node: 'a.test', facts, classes: ['m'] })
    expect(titles(json).sort()).toEqual(['in m', 'production error value'])
    expect(logs).toMatchObject([{ level: 'notice', message: 'on x', source: 'Scope(Class[main])' }])
  })

  it('compiles a commit, which the catalog names', async () => {
    const repository = controlRepository()
    const commit = repository.push(files, 'testing')
    repository.push({ 'manifests/site.pp': '' }, 'testing')
    const options = { node: 'a.test', facts: { os: 'x' }, environment: 'testing', settings: { strict: 'warning' } }
    const { json } = await compileCatalog({ code: { repository: repository.bare, ref: commit }, ...options })
    expect(JSON.parse(json)).toMatchObject({ name: 'a.test', environment: 'testing', code_id: commit })
    expect(titles(json)).toEqual(['testing warning value'])
    const again = await compileCatalog({ code: { repository: repository.bare, ref: commit }, ...options })
    expect(again.json).toBe(json)
  })

  it('says what is wrong, where, and what had been said', async () => {
    const directory = folderOf({ 'manifests/site.pp': 'notice(1)\n$port = 1\n$x = $prot' })
    const error = await compileCatalog({ code: { directory }, node: 'a.test' }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(CompileError)
    expect(error).toMatchObject({
      code: 'UNKNOWN_VARIABLE',
      file: join(directory, 'manifests/site.pp'),
      line: 3,
      column: 6,
      hint: "Did you mean '$port'?",
      logs: [{ message: '1' }],
    })
  })

  it.each<[string, Partial<CatalogOptions>, string]>([
    ['a folder that there is not', { code: { directory: '/nowhere' } }, 'Could not find directory /nowhere'],
    ['a name that is no certname', { node: '../a' }, '../a'],
    ['a setting that there is not', { settings: { nothing: 'x' } }, 'nothing'],
  ])('refuses %s', async (_, options, said) => {
    const code = { directory: folderOf(files) }
    const error = await compileCatalog({ code, node: 'a.test', ...options }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(CompileError)
    expect((error as CompileError).message).toContain(said)
  })
})
