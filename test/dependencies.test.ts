import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
  /(?<!\.d)\.ts$/.test(file),
)
const imports = /^(?:import|export|\})[^'"]* from '([^'.][^']*)'$|\bimport\('([^'.][^']*)'\)/gm

/** What src/ imports of others: `node-forge` for `node-forge/lib/asn1.js`. */
const imported = sources.flatMap((file) =>
  [...read(`src/${file}`).matchAll(imports)]
    .map(([, first, later]) => first ?? later ?? '')
    .filter((name) => !name.startsWith('node:'))
    .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name),
)
/** What src/ looks up as a file, such as the binary of Ruby. */
const lookedUp = Object.keys(dependencies!).filter((name) =>
  sources.some((file) => read(`src/${file}`).includes(`\`${name}/`)),
)
const [libraries, development] = read('docs/dependencies.md').split(/^For development:/m) as [string, string]
const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort()

describe('the libraries of package.json', () => {
  it('are those that the source imports or looks up', () => {
    expect(sorted([...imported, ...lookedUp])).toEqual(sorted(Object.keys(dependencies!)))
  })

  it('are those that docs/dependencies.md gives a reason for', () => {
    const named = [...libraries.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name!)
    expect(named.sort()).toEqual(sorted(Object.keys(dependencies!)))
  })

  it('for development are named there, too', () => {
    const named = [...development.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)
    const wanted = Object.keys(devDependencies!).filter((name) => !name.startsWith('@types/'))
    expect(named.sort()).toEqual(wanted.sort())
  })

  it('have types only where they are used', () => {
    const all = Object.keys({ ...dependencies, ...devDependencies })
    const typed = all.filter((name) => name.startsWith('@types/')).map((name) => name.slice('@types/'.length))
    expect(typed.filter((name) => name !== 'node' && !all.includes(name))).toEqual([])
  })
})
